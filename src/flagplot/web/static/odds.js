// The page of odds: what is chosen stands in the address, so that it can be kept and sent; the server is asked while the page
// is looked at, and not a moment longer.

import { make, newId, say } from "./common.js";
import { Looking, SIDES, behind, believed, checkNumbers, copySentence, costWords, costs, counted, curves, difference, doctrineOf, does, fateLegend, fates, groups, headline, joint, lineBoxes, progress, renew, rounds, rulesWords, winners } from "./odds_answer.js";

const at = (id) => document.getElementById(id);
const WRITTEN = 700; // milliseconds after the last key
const form = at("odds-form");
const page = newId();
const left = new Set();
const doctrines = { own: at("doctrine-own"), enemy: at("doctrine-enemy") };
let usual = ""; // the belief as anybody would have it
let mine = ""; // as it was changed
let first = null; // the answer with every line
let before = false; // whether that is fought first, to tell the difference
let last = null; // the one on the page
let shown = "";
let spoken = "";
let timer = 0;

const side = () => form.elements.side.value;
const own = () => side() || "allies"; // without a side the allies are drawn as one's own
const looking = new Looking(() => ({ path: "/api/odds", body: body(), gone: { path: "/api/odds/stop", body: { page } } }), take);

const setup = () => at("scenario").selectedOptions[0].dataset.setup ?? ""; // a battle set up by hand and shared

function body() {
  return {
    scenario: at("scenario").value, setup: setup(), edition: at("edition").value, options: rulings(), side: side(), width: Number(at("width").value) / 100, seed: at("seed").validity.valid ? Number(at("seed").value) : 0, page,
    leave_out: before ? [] : [...left], belief: side() ? mine : "", own: doctrineOf(doctrines.own), enemy: doctrineOf(doctrines.enemy),
  };
}

/** The rulings that are not at their default, by name; those of another edition are not put. */
function rulings() {
  for (const part of form.querySelectorAll("[data-edition]")) part.hidden = part.dataset.edition !== at("edition").value;
  return Object.fromEntries([...form.querySelectorAll(":not([hidden]) > [data-option]")].filter((field) => field.value).map((field) => [field.dataset.option, field.value]));
}

// -- the address ------------------------------------------------------------------------------------

function address() {
  const asked = body();
  const said = new URLSearchParams(asked.setup ? { setup: asked.setup } : { scenario: asked.scenario });
  if (asked.edition !== at("edition").options[0].value) said.set("edition", asked.edition);
  for (const [name, value] of Object.entries(asked.options)) said.set(`option.${name}`, value);
  if (asked.side) said.set("side", asked.side);
  if (at("width").value !== "1") said.set("width", at("width").value);
  if (asked.seed) said.set("seed", asked.seed);
  for (const which of ["own", "enemy"]) for (const [name, value] of Object.entries(asked[which])) said.set(`${which}.${name}`, value);
  for (const key of left) said.append("without", key);
  if (asked.belief) said.set("belief", asked.belief);
  return `/odds?${said}`;
}

function read() {
  const said = new URLSearchParams(location.search);
  const choose = (field, value) => { if ([...field.options].some((each) => each.value === value)) field.value = value; };
  const wanted = said.get("scenario");
  if (wanted !== null) choose(at("scenario"), wanted);
  const unknown = wanted !== null && at("scenario").value !== wanted;
  choose(at("width"), said.get("width"));
  choose(at("edition"), said.get("edition") ?? at("scenario").selectedOptions[0].dataset.edition);
  for (const field of form.querySelectorAll("[data-option]")) choose(field, said.get(`option.${field.dataset.option}`));
  at("rulings").open = Object.keys(rulings()).length > 0;
  if (SIDES.includes(said.get("side"))) form.elements.side.value = said.get("side");
  if (/^\d{1,16}$/.test(said.get("seed") ?? "")) at("seed").value = said.get("seed");
  for (const [which, fold] of Object.entries(doctrines)) {
    for (const field of fold.querySelectorAll("input")) field.value = said.get(`${which}.${field.name}`) ?? "";
    fold.open = [...fold.querySelectorAll("input")].some((field) => field.value); // a number that is none, too
  }
  for (const key of said.getAll("without")) left.add(key);
  mine = said.get("belief") ?? "";
  at("belief").value = mine;
  at("belief-fold").open = Boolean(mine);
  at("believed").hidden = !mine; // what cannot be believed can be put right
  if (unknown) refuse(`There is no battle called “${wanted.slice(0, 60)}” here: choose one of the list.`);
  return (wanted !== null && !unknown) || Boolean(setup());
}

/** The names of the two sides, wherever they stand; what one side knows is told of naval battles alone. */
function name() {
  const { dataset } = at("scenario").selectedOptions[0];
  const naval = dataset.kind === "naval battle";
  at("one-sided").hidden = naval;
  at("kind").textContent = dataset.kind;
  for (const each of form.elements.side) {
    each.disabled = Boolean(each.value) && !naval;
    if (!each.value && !naval) each.checked = true;
  }
  for (const each of form.querySelectorAll("[data-name]")) {
    each.textContent = dataset[each.dataset.name];
    each.nextSibling.textContent = does(dataset[each.dataset.name], "know").slice(dataset[each.dataset.name].length) + " it";
  }
  const chosen = Object.keys(rulings()).length;
  at("rulings-changed").textContent = chosen ? `${chosen} changed by you` : "none changed";
  const me = side() || "axis"; // whose the first doctrine is (flagplot odds)
  const names = { own: dataset[me], enemy: dataset[SIDES.find((each) => each !== me)] };
  for (const [which, fold] of Object.entries(doctrines)) {
    const changed = Object.keys(doctrineOf(fold)).length;
    fold.querySelector("summary").replaceChildren(`${names[which]} `, make("span", { class: "quiet", "data-changed": true }, changed ? `${changed} changed by you` : "as the admiral"));
  }
}

// -- asking --------------------------------------------------------------------------------------------

function fight() {
  clearTimeout(timer);
  checkNumbers(form);
  before = left.size > 0 && (before || !first);
  name();
  history.replaceState(null, "", address());
  at("told").classList.add("stale");
  at("stop").hidden = false;
  looking.again();
}

/** Something else is asked: another battle, or another side, begins without lines and beliefs of the old one. */
function changed({ target }) {
  if (target.id === "scenario" || target.name === "side") {
    left.clear();
    mine = "";
    shown = "";
    first = null;
    at("belief").value = "";
    if (target.id === "scenario") at("edition").value = target.selectedOptions[0].dataset.edition ?? at("edition").value;
    at("believed").hidden = at("what-if").hidden = true;
  } else if (target.closest(".doctrine") || target.dataset.option || ["seed", "width", "edition"].includes(target.id)) first = null;
  else return; // a line, or the belief: they see to themselves
  fight();
}

/** Say why there is nothing, where the answer would be. */
function refuse(words) {
  at("refused").hidden = !words;
  at("refused").textContent = words;
  at("nothing").hidden = Boolean(words) || last !== null;
}

function take({ state, why, answer, mark }) {
  const words = why ? `${why[0].toUpperCase()}${why.slice(1)}.` : "";
  const running = ["running", "busy", "lost"].includes(state);
  refuse(words);
  if (state === "refused" && why.includes("no line")) left.clear(); // whatever is ticked next is asked by itself
  at("refused").classList.toggle("refused", !running);
  at("stop").hidden = !running;
  if (!answer) {
    at("nothing").hidden = running || last !== null || Boolean(words);
    if (running && !last && !words) {
      at("refused").hidden = false;
      at("refused").textContent = "The first battles are being fought …";
    }
    return;
  }
  show(answer, mark);
  const there = new Set(answer.lines.map(({ key }) => key));
  if (before && (answer.last || [...left].some((key) => !there.has(key)))) { // now without them, or to hear that they are not there
    before = false;
    at("told").classList.add("stale");
    at("stop").hidden = false;
    looking.again();
  }
}

function show(answer, mark) {
  last = answer;
  if (!answer.left_out.length) first = answer;
  at("nothing").hidden = true;
  at("told").hidden = false;
  at("told").classList.remove("stale");
  at("title").textContent = answer.title;
  at("by-rules").textContent = rulesWords(answer);
  at("whose").textContent = side() ? `as ${does(answer.sides[side()].name, "know").replace(/^The /, "the ")} it` : "as it is, with both sides' secrets";
  at("win").replaceChildren(winners(answer, own()));
  const { words, done } = progress(answer, Number(at("width").value) / 100);
  at("battles").textContent = words;
  at("progress").value = done;
  at("progress").hidden = answer.last;
  at("sentence").textContent = answer.sentence;
  at("strip").textContent = headline(answer, own());
  renew(at("curves"), curves(answer, own(), "factors sunk", "Factors sunk") ?? make("p", { class: "quiet" }, "Nothing was ever sunk."));
  const sides = own() === "allies" ? [...SIDES].reverse() : SIDES;
  for (const [index, place] of ["one", "two"].entries()) {
    const who = sides[index];
    at(`${place}-title`).replaceChildren(`${answer.sides[who].name} `, make("span", {}, side() && who !== side() ? "as it is believed to be" : "what becomes of it"));
    at(place).replaceChildren(...costs(answer, who), ...fates(answer, who), groups(answer, who) ?? "", answer.sides[who].ships.length ? fateLegend() : "", costWords(answer));
  }
  at("behind-sheet").hidden = !answer.behind.length;
  renew(at("behind"), ...behind(answer, own()));
  at("joint").replaceChildren(joint(answer));
  at("rounds-average").textContent = `${answer.rounds.average.toFixed(1)} rounds on the average`;
  at("rounds").replaceChildren(rounds(answer));
  const lines = JSON.stringify(answer.lines);
  at("what-if").hidden = !answer.lines.length;
  if (lines !== shown) at("lines").replaceChildren(...lineBoxes(answer, left, fight));
  shown = lines;
  if (before) at("difference").replaceChildren(make("p", { class: "quiet" }, "With every line first, to tell the difference …"));
  else at("difference").replaceChildren(...(left.size && first && answer.left_out.length ? [difference(first, answer, own())] : []));
  at("believed").hidden = !answer.belief.length && !mine;
  at("holds").replaceChildren(...believed(answer.belief));
  if (!mine) {
    usual = answer.belief_text;
    if (document.activeElement !== at("belief")) at("belief").value = usual;
  }
  at("belief-changed").textContent = mine ? "changed by you" : "as anybody would";
  at("belief-reset").disabled = !mine;
  const saying = `${mark} ${answer.last}`;
  if (saying !== spoken) at("said").textContent = `${headline(answer, own())} ${counted(answer.battles)}.`; // not at every look
  spoken = saying;
}

// -- taking it away ---------------------------------------------------------------------------------------

function download(text, kind, ending) {
  const link = make("a", { href: URL.createObjectURL(new Blob([text], { type: kind })), download: `odds-${at("scenario").value || "battle"}.${ending}` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

async function picture() {
  try {
    const answer = await fetch("/api/odds", { method: "POST", headers: { "content-type": "application/json" }, credentials: "same-origin", body: JSON.stringify({ ...body(), drawing: true }) });
    const told = await answer.json();
    if (!told.drawing) throw new Error(told.refused ?? told.why);
    download(told.drawing, "image/svg+xml", "svg");
  } catch (error) {
    say(error.message || "There is no picture yet: try again in a moment.");
  }
}

form.addEventListener("change", changed);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  fight();
});
at("stop").addEventListener("click", () => {
  looking.stop();
  at("stop").hidden = true;
  if (last) at("battles").textContent = `${counted(last.battles)}: you ended it, this is what had been fought${last.broken_off ? `; not counted are ${last.broken_off.toLocaleString("en")} that had not ended` : ""}`;
});
at("belief").addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(() => {
    mine = at("belief").value.trim() === usual.trim() ? "" : at("belief").value || " "; // nothing at all is no belief
    first = null;
    fight();
  }, WRITTEN);
});
at("belief-reset").addEventListener("click", () => {
  mine = "";
  first = null;
  at("belief").value = usual;
  fight();
});
at("copy").addEventListener("click", async () => say(await copySentence(at("sentence"))));
at("link").addEventListener("click", async () => {
  const link = new URL(address(), location.href).href;
  try {
    await navigator.clipboard.writeText(link);
    say("Copied: whoever opens the link has the same fought.");
  } catch {
    say("Your browser does not let pages copy: the address of this page is the link.");
  }
});
at("json").addEventListener("click", () => download(JSON.stringify(last, null, 2), "application/json", "json"));
at("svg").addEventListener("click", picture);
window.addEventListener("pagehide", () => looking.stop());
new IntersectionObserver(([{ isIntersecting }]) => document.querySelector(".strip").classList.toggle("past", isIntersecting)).observe(at("answer"));
if (read()) fight();
else name();
