// The page of standing orders: what is written is checked while it is written, and kept when the button says so.
import { ask, make, say } from "/static/common.js";

const at = (id) => document.getElementById(id);
const main = document.querySelector("main");
const api = `/api/games/${encodeURIComponent(main.dataset.game)}/orders`;
const as = main.dataset.query;
const text = at("text");
const open = at("keep") !== null;
const PAUSE = 400; // milliseconds without a key before the text is checked

let kept = text.value; // what the server has
let paused = at("state").dataset.paused;
let timer = 0;
let checks = 0;

const sentence = (words) => words.charAt(0).toUpperCase() + words.slice(1) + (/[.!?]$/.test(words) ? "" : ".");

function drawGutter(bad = 0) {
  const lines = text.value.split("\n").length;
  at("gutter").replaceChildren(...Array.from({ length: lines }, (_, index) => make(index + 1 === bad ? "b" : "span", {}, `${index + 1 === bad ? "✕ " : ""}${index + 1}\n`)));
  at("gutter").scrollTop = text.scrollTop;
}

function drawState() {
  const any = kept.trim() !== "";
  const state = at("state");
  state.className = `state ${!any ? "" : paused ? "paused" : "on"}`;
  state.textContent = !any ? "You have no standing orders: every question waits for you."
    : paused ? `Your standing orders are paused: ${paused}. Every question waits for you.`
    : "Your standing orders answer for you.";
  if (!open) return;
  at("pause").hidden = !any || paused !== "";
  at("resume").hidden = !any || paused === "";
  at("remove").hidden = !any;
}

function drawGiven(given) {
  at("none-given").hidden = given.length > 0;
  at("given").parentElement.hidden = given.length === 0;
  at("given").replaceChildren(...[...given].reverse().map((each) => make("li", {},
    make("p", {}, each.asked, " ", make("span", { class: "rule" }, each.rule)),
    make("p", {}, make("b", {}, each.answer)),
    make("p", { class: "by" }, ...each.lines.map((by) => make("span", {}, `line ${by.line}: `, make("code", {}, by.order), " "))))));
}

function verdict(answer) {
  const place = at("verdict");
  place.className = answer.refused ? "refused" : "";
  const words = answer.refused ? [sentence(answer.refused)] : [...(answer.remarks ?? []).map(sentence), ...(text.value === kept ? [] : ["These orders can be read. They are not kept yet."])];
  place.textContent = words.join(" ");
  drawGutter(answer.line ?? 0);
}

function take(answer) {
  kept = answer.text;
  paused = answer.paused;
  drawState();
  drawGiven(answer.given);
}

async function check() {
  const mine = ++checks;
  const answer = await ask("POST", `${api}/check${as}`, { text: text.value });
  if (mine === checks) verdict(answer);
}

async function keep(words, done) {
  clearTimeout(timer);
  checks += 1;
  const answer = await ask("POST", `${api}${as}`, { text: words });
  if (!answer.refused) take(answer);
  verdict(answer);
  say(answer.refused ? sentence(answer.refused) : done);
}

async function pause(wanted) {
  const answer = await ask("POST", `${api}/pause${as}`, { paused: wanted });
  if (answer.refused) return say(sentence(answer.refused));
  take(answer);
  say(wanted ? "Paused." : "Resumed.");
}

async function begin() {
  drawGutter();
  const answer = await ask("GET", `${api}${as}`);
  if (answer.refused) return say(sentence(answer.refused));
  take(answer);
}

text.addEventListener("scroll", () => { at("gutter").scrollTop = text.scrollTop; });
if (open) {
  text.addEventListener("input", () => {
    drawGutter();
    clearTimeout(timer);
    timer = setTimeout(check, PAUSE);
  });
  at("keep").addEventListener("click", () => keep(text.value, "Kept."));
  at("pause").addEventListener("click", () => pause(true));
  at("resume").addEventListener("click", () => pause(false));
  at("remove").addEventListener("click", () => keep("", "Removed. The text stays here until you leave the page."));
  for (const button of document.querySelectorAll(".example")) {
    button.addEventListener("click", () => {
      text.value = button.dataset.text;
      text.dispatchEvent(new Event("input"));
      text.focus();
    });
  }
}
document.addEventListener("visibilitychange", () => { if (!document.hidden) begin(); });
begin();
