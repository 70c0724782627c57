// The page of a game's clock: it says how time stands, and offers what can be done about it just now.
import { ask, make, say } from "/static/common.js";

const at = (id) => document.getElementById(id);
const { game, query, foe, foeSeat, ended } = document.querySelector("main").dataset;
const api = `/api/games/${encodeURIComponent(game)}/clock${query}`;
const EVERY = 20000; // milliseconds
const sentence = (words) => words.charAt(0).toUpperCase() + words.slice(1) + (/[.!?]$/.test(words) ? "" : ".");

/** What this seat can do now: the word for the server, and what the button says. */
function possible(told) {
  const found = [];
  if (told.paused) found.push(["resume", "Let both clocks run again"]);
  else if (told.wants_pause === "enemy") found.push(["pause", `Agree to the pause ${foe} asks for`], ["no pause", "No pause now"]);
  else if (told.wants_pause === "me") found.push(["no pause", "Ask for no pause after all"]);
  else found.push(["pause", "Ask for a pause"]);
  if (told.mine.away) found.push(["return", "I am back from vacation"]);
  else if (told.terms.vacation) found.push(["leave", "Go on vacation"]);
  if (told.terms.out === "admiral") {
    found.push(told.cover_agreed.me ? ["no cover", "The admiral shall not answer for whoever runs out of time"] : ["cover", "Agree that the admiral answers for whoever runs out of time"]);
  }
  return found;
}

function draw(told) {
  const mine = told.mine;
  const state = at("mine");
  state.className = `state${mine.running ? (mine.late ? " late" : "") : " still"}`;
  const words = [mine.words, told.wants_pause === "me" ? `You have asked ${foe} for a pause.` : told.wants_pause === "enemy" ? `${foe} asks for a pause.` : "",
    told.jumped ? "The clock of the server has jumped: nobody's time runs out for an hour." : ""];
  state.textContent = words.filter(Boolean).join(" ");
  const rows = [
    ["Your reserve", mine.reserve],
    ...(told.terms.vacation ? [["Your vacation left", mine.vacation]] : []),
    ["Your time ran out", mine.missed ? `${mine.missed} times` : "never"],
    [`Reserve of ${foe}`, told.reserve[foeSeat]],
    ...(told.away[foeSeat] ? [[foe, "on vacation"]] : []),
    ...(told.terms.out === "admiral" ? [["The admiral covers", told.cover ? "both have agreed" : told.cover_agreed.me ? `${foe} has not agreed yet` : told.cover_agreed.enemy ? `${foe} agrees, you have not yet` : "nobody has agreed yet"]] : []),
  ];
  at("figures").replaceChildren(...rows.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
  if (ended) return;
  const had = document.activeElement?.dataset?.do;
  at("verbs").replaceChildren(...possible(told).map(([what, label]) => {
    const button = make("button", { type: "button", "data-do": what }, label);
    button.addEventListener("click", () => act(what));
    return button;
  }));
  at("verbs").querySelector(`[data-do="${had}"]`)?.focus();
}

async function act(what) {
  const told = await ask("POST", api, { do: what });
  if (told.refused) return say(sentence(told.refused));
  draw(told);
  return undefined;
}

async function look() {
  const told = await ask("GET", api).catch(() => ({ refused: "" }));
  if (!told.refused && told.terms) draw(told);
}

draw(JSON.parse(at("mine").dataset.told));
setInterval(() => { if (!document.hidden) look(); }, EVERY);
document.addEventListener("visibilitychange", () => { if (!document.hidden) look(); });
