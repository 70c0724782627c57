// Terms that explain themselves, rule numbers that are links, and the filter of the glossary.
//
// Mark a term with <dfn data-term="combat group">group</dfn> and load this module: its line from the glossary is shown on
// hover, focus or tap. For what a script adds to the page later, call terms(element).
import { ask, make } from "./common.js";

const RULE = /\b([1-4]\d\.\d+[A-Z]?\d*)\b/;
const PARTS = /\[\[([^\]|]+)(?:\|([^\]]+))?\]\]|\b([1-4]\d\.\d+[A-Z]?\d*)\b/g;

let words = null; // a promise of the glossary
let shown = null; // the term whose line is shown

const glossary = () => (words ??= ask("GET", "/api/glossary").then((told) =>
  new Map(Object.entries(told.refused ? {} : told).map(([word, meaning]) => [word.toLowerCase(), [word, meaning]]))));

/** Text with [[terms]], [[term|as shown]] and rule numbers as nodes. Text stays text. */
export function rich(text) {
  const parts = [];
  let end = 0;
  for (const found of text.matchAll(PARTS)) {
    parts.push(text.slice(end, found.index));
    if (found[3]) parts.push(make("a", { class: "rule", href: `/rules/${found[3]}` }, found[3]));
    else parts.push(make("dfn", { "data-term": found[1] }, found[2] ?? found[1]));
    end = found.index + found[0].length;
  }
  return [...parts, text.slice(end)].filter((part) => part !== "");
}

/** Let the terms inside an element explain themselves. */
export function terms(root) {
  for (const term of root.querySelectorAll("dfn[data-term]:not([tabindex])")) {
    term.tabIndex = 0;
    term.setAttribute("role", "button");
    term.setAttribute("aria-expanded", "false");
    term.addEventListener("pointerenter", (event) => { if (event.pointerType === "mouse") show(term); });
    term.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse" && document.activeElement !== term) leave(); });
    term.addEventListener("focus", () => show(term));
    term.addEventListener("blur", () => hide());
    term.addEventListener("click", () => show(term));
    term.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") { event.preventDefault(); if (shown === term) hide(); else show(term); }
    });
  }
}

const line = make("div", { class: "term-line", id: "term-line", role: "tooltip", hidden: true });
let leaving = 0;

async function show(term) {
  clearTimeout(leaving);
  const found = (await glossary()).get(term.dataset.term.toLowerCase());
  if (!found) return;
  if (shown && shown !== term) hide();
  shown = term;
  line.replaceChildren(make("b", {}, found[0]), ...found[1].replaceAll("`", "").split(RULE).map((part, index) =>
    (index % 2 ? make("span", { class: "number" }, part) : part)));
  if (!line.isConnected) document.body.append(line);
  line.hidden = false;
  term.setAttribute("aria-describedby", "term-line");
  term.setAttribute("aria-expanded", "true");
  const place = term.getBoundingClientRect();
  const width = line.offsetWidth;
  line.style.left = `${Math.max(8, Math.min(place.left, innerWidth - width - 8)) + scrollX}px`;
  const below = place.bottom + line.offsetHeight + 12 < innerHeight;
  line.style.top = `${(below ? place.bottom + 6 : place.top - line.offsetHeight - 6) + scrollY}px`;
}

function leave() {
  clearTimeout(leaving);
  leaving = setTimeout(hide, 250);
}

function hide() {
  clearTimeout(leaving);
  if (!shown) return;
  line.hidden = true;
  shown.removeAttribute("aria-describedby");
  shown.setAttribute("aria-expanded", "false");
  shown = null;
}

line.addEventListener("pointerenter", () => clearTimeout(leaving)); // one may move onto the line to read it
line.addEventListener("pointerleave", leave);
addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });

/** The filter of the glossary. */
function filter(input) {
  const places = [...document.querySelectorAll(`#${input.dataset.filters} [data-text]`)];
  const look = () => {
    const wanted = input.value.trim().toLowerCase();
    let left = 0;
    for (const place of places) {
      place.hidden = !place.dataset.text.includes(wanted);
      left += !place.hidden;
    }
    for (const section of document.querySelectorAll(`#${input.dataset.filters} section`)) {
      section.hidden = !section.querySelector("[data-text]:not([hidden])");
    }
    document.getElementById("filtered").textContent = wanted ? `${left} of ${places.length}` : "";
  };
  input.addEventListener("input", look);
  look();
}

for (const input of document.querySelectorAll("input[data-filters]")) filter(input);
terms(document);
