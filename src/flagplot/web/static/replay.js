// The replay: go through a battle by step, segment and round, look at it from each chair, take it up again.
import { ask, make, say } from "./common.js";
import { chart, fleet, legend, plain, roll } from "./replay_board.js";
import { SeaReplay } from "./replay_sea.js";

const main = document.getElementById("main");
const game = main.dataset.game;
const as = new URLSearchParams(location.search).get("as"); // which seat, where this browser holds several
/** An address with the seat this page speaks for. */
const seated = (path) => (as ? `${path}${path.includes("?") ? "&" : "?"}as=${encodeURIComponent(as)}` : path);
const at = (id) => document.getElementById(id);
const narrow = matchMedia("(max-width: 44rem)");
const PACE = 1400; // milliseconds a step, when it plays by itself
const LEVELS = ["", "round", "segment"];
const SEATS = ["axis", "allies", "spectator", "referee"];

let facts = {}; // the game as this seat sees it now
let story = { seat: "", steps: [] };
let here = 0;
let playing = 0;
const boards = new Map();
const sea = new SeaReplay();

// -- going ------------------------------------------------------------------------------------------------

/** Go to a step: the board is fetched, everything else is here. */
async function go(step, { link = true } = {}) {
  here = Math.max(0, Math.min(step, story.steps.length - 1));
  const now = story.steps[here];
  if (!now) return;
  at("slider").value = here;
  at("slider").setAttribute("aria-valuetext", `step ${here} of ${story.steps.length - 1}: ${plain(now)}`);
  at("count").textContent = `Step ${here} of ${story.steps.length - 1}`;
  at("subtitle").textContent = plain(now);
  at("where").textContent = now.segment === "formation" ? "before the first round" : `round ${now.round}`;
  const sailing = now.stage && !now.contact; // of an operation: no battle is being fought
  for (const id of ["naval-chart", "boards", "track"]) at(id).hidden = !!sailing;
  at("room").classList.toggle("sailing", !!now.stage && !now.war);
  at("room").classList.toggle("warring", !!now.war);
  at("room").classList.toggle("fighting", !!now.contact);
  if (link) history.replaceState(null, "", address());
  showTrack(now);
  showRoll(now);
  showLog();
  for (const button of document.querySelectorAll("[data-by]")) {
    button.disabled = target(button.dataset.by, Number(button.dataset.way)) === here;
  }
  if (playing && here === story.steps.length - 1) pause();
  await showBoard(story.seat, here);
}

const address = () => `${seated(`?seat=${story.seat}`)}#step-${here}`;
const key = (step) => (step.stage && !step.contact ? `${step.phase} ${step.stage}` : `${step.contact ?? ""} ${step.round} ${step.segment}`);

/** The step to go to, a step, segment or round on (1) or back (-1). Back goes first to the beginning of this one. */
function target(by, way) {
  const steps = story.steps;
  if (by === "step") return Math.max(0, Math.min(here + way, steps.length - 1));
  const begins = (index) => index === 0 || steps[index].level === 1 || (by === "segment" && key(steps[index - 1]) !== key(steps[index]));
  for (let index = here + way; index >= 0 && index < steps.length; index += way) if (begins(index)) return index;
  return way > 0 ? steps.length - 1 : 0;
}

function play() {
  if (here >= story.steps.length - 1) here = -1;
  playing = setInterval(() => go(here + 1), PACE);
  at("play").setAttribute("aria-pressed", "true");
  at("play").querySelector("span").textContent = "❚❚";
  at("play").querySelector("small").textContent = "pause";
  go(here + 1);
}

function pause() {
  clearInterval(playing);
  playing = 0;
  at("play").setAttribute("aria-pressed", "false");
  at("play").querySelector("span").textContent = "►";
  at("play").querySelector("small").textContent = "play";
}

// -- showing ------------------------------------------------------------------------------------------------

async function showBoard(seat, step) {
  const name = `${seat} ${step}`;
  if (!boards.has(name)) {
    const told = await ask("GET", seated(`/api/games/${game}/replay/${step}?seat=${seat}`));
    if (told.refused) return say(told.refused);
    if (boards.size > 400) boards.clear();
    boards.set(name, told);
  }
  if (story.seat !== seat || here !== step) return; // gone on meanwhile
  const board = boards.get(name);
  const apart = board.operation ?? board.war; // what is shown in place of a battle
  sea.track(apart?.track);
  if (apart) await sea.show(name, (mark) => seaAt(seat, step, mark));
  if (story.seat !== seat || here !== step) return;
  if (apart && !apart.fighting) {
    at("chart").dataset.step = step;
    return;
  }
  const left = seat === "allies" ? "allies" : "axis";
  const right = left === "axis" ? "allies" : "axis";
  const mine = seat === "referee" || seat === "spectator" ? ["axis"] : [seat];
  const names = facts.names;
  const drawn = chart(board, { left, right, names, mine, narrow: narrow.matches, caption: "Naval Combat Chart" });
  at("chart").replaceChildren(drawn, legend(mine[0] === seat ? "own" : names[left], mine[0] === seat ? "enemy" : names[right]));
  at("fleets").replaceChildren(...[left, right].map((side) => fleet(board, side, names[side], mine.includes(side))));
  at("strike").replaceChildren(...strikeOf(board, names));
  at("chart").dataset.step = step; // for whoever waits for it
}

/** The sea after a step, as a page; without the drawing if it is the one we have. */
async function seaAt(seat, step, mark) {
  const answer = await fetch(seated(`/games/${game}/replay/${step}/sea?seat=${seat}&map=${mark}`), { credentials: "same-origin" });
  const text = await answer.text();
  return answer.ok ? text : "";
}

function strikeOf(board, names) {
  if (!board.strike) return [];
  const flown = (squadrons) => squadrons.map((each) => `${each.number} ${each.label}`).join(", ");
  const parts = [`Under way: ${names[board.strike.side]} strikes CG ${board.strike.number} of ${names[board.strike.side === "axis" ? "allies" : "axis"]} with ${flown(board.strike.squadrons) || "nobody left"}`];
  if (board.strike.surprise) parts.push("a surprise");
  if (board.strike.defenders.length) parts.push(`met by ${flown(board.strike.defenders)}`);
  return [make("p", { class: "said" }, `${parts.join(", ")}.`)];
}

function showTrack(now) {
  const entries = [...document.querySelectorAll("#track li")];
  const current = entries.findIndex((entry) => entry.dataset.key === now.segment);
  entries.forEach((entry, index) => {
    const first = story.steps.findIndex((step) => step.round === now.round && step.segment === entry.dataset.key && step.contact === now.contact);
    entry.className = index === current ? "now" : index < current ? "past" : "";
    const button = entry.querySelector("button");
    button.disabled = first < 0;
    button.dataset.to = first;
    if (index === current) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
  });
  const track = at("track");
  if (current >= 0) track.scrollLeft = entries[current].offsetLeft - track.offsetLeft - track.clientWidth / 3;
}

function showRoll(now) {
  const shown = roll(now, facts.names);
  const words = make("p", { class: "now" }, plain(now), " ", ruleOf(now));
  at("roll").replaceChildren(...(shown ? [shown] : [words, make("p", { class: "quiet" }, "No dice are rolled at this step.")]));
}

/** The rule of a step, as a link; an amendment stands under none. */
const ruleOf = ({ rule }) => (/^\d/.test(rule) ? make("a", { class: "rule", href: `/rules/${rule}` }, rule) : make("span", { class: "rule" }, rule));

function fillLog() {
  const lines = story.steps.map((step) => {
    const side = step.side ? (step.side === story.seat ? "mine" : story.seat === "axis" || story.seat === "allies" ? "theirs" : step.side) : "";
    const line = make("li", { id: `step-${step.n}`, class: [LEVELS[step.level], side].filter(Boolean).join(" ") || null });
    line.append(make("a", { href: `#step-${step.n}` }, plain(step)));
    if (step.level !== 1) line.append(" ", ruleOf(step));
    return line;
  });
  at("log").replaceChildren(...lines);
}

let marked = null;
function showLog() {
  if (marked) {
    marked.classList.remove("here");
    marked.querySelector("a").removeAttribute("aria-current");
  }
  marked = at("log").children[here];
  marked.classList.add("here");
  marked.querySelector("a").setAttribute("aria-current", "step");
  const box = at("log");
  const top = marked.offsetTop - box.offsetTop;
  if (top < box.scrollTop + 40 || top > box.scrollTop + box.clientHeight - 80) box.scrollTop = top - box.clientHeight / 3;
}

// -- chairs ---------------------------------------------------------------------------------------------------

/** Look from another chair: as near as can be to the step we stand at. */
async function look(seat, step) {
  const before = story.steps[here];
  const told = await ask("GET", seated(`/api/games/${game}/replay?seat=${seat}`));
  if (told.refused) return say(told.refused);
  story = told;
  marked = null;
  at("slider").max = Math.max(0, story.steps.length - 1);
  fillLog();
  showSeats();
  showTakeUp();
  await go(step ?? (before ? nearest(before) : 0));
}

function nearest(before) {
  const same = story.steps.filter((step) => step.text === before.text && key(step) === key(before));
  if (same.length) return same.reduce((one, two) => (Math.abs(one.n - here) <= Math.abs(two.n - here) ? one : two)).n;
  const first = story.steps.findIndex((step) => key(step) === key(before));
  if (first >= 0) return first;
  return Math.max(0, story.steps.findLastIndex((step) => step.round <= before.round));
}

const seatName = (seat) => facts.names[seat] ?? { spectator: "Everybody", referee: "The referee" }[seat];

function showSeats() {
  const told = { axis: "", allies: "", spectator: "what both sides were told", referee: "everything, secrets too" };
  const all = facts.over || facts.seat === "referee";
  const seats = all ? SEATS : [story.seat];
  const buttons = seats.map((seat) => {
    const button = make("button", { type: "button", "data-seat": seat, "aria-pressed": String(seat === story.seat) }, seatName(seat));
    button.addEventListener("click", () => look(seat));
    return button;
  });
  const why = all ? told[story.seat] && `Shown: ${told[story.seat]}.` : `While the ${facts.war ? "war" : "battle"} is open you see what your own seat was told.`;
  at("seats").replaceChildren(make("span", { class: "quiet", id: "seats-label" }, "Seen by"), ...buttons, make("span", { class: "quiet" }, why ?? ""));
}

// -- taking it up again -------------------------------------------------------------------------------------------

function showTakeUp() {
  const box = at("whatif");
  if (!facts.over) {
    return box.replaceChildren(make("p", { class: "quiet" }, "When the battle is over you can take it up again at any step, against the admiral."));
  }
  const side = box.querySelector("select")?.value ?? (story.seat === "allies" ? "allies" : "axis");
  const select = make("select", { id: "whatif-side" }, ...["axis", "allies"].map((each) => make("option", { value: each, selected: each === side }, facts.names[each])));
  const button = make("button", { type: "button", class: "main", id: "whatif-go" }, "Take it up from here");
  button.addEventListener("click", () => takeUp(select.value, button));
  box.replaceChildren(
    make("p", {}, "Everything before this step happens as it did; from here on the dice are new, the admiral leads the other side, and you decide."),
    make("p", { class: "row" }, make("label", { for: "whatif-side" }, "You lead"), select, button));
}

async function takeUp(side, button) {
  button.disabled = true;
  pause();
  const made = await ask("POST", seated(`/api/games/${game}/fork`), { step: here, side, seat: story.seat });
  button.disabled = false;
  if (made.refused) return say(made.refused);
  location.assign(`/join${new URL(made.invitations[side]).hash}`);
}

// -- carrying away --------------------------------------------------------------------------------------------------

async function copy(text, done) {
  try {
    await navigator.clipboard.writeText(text);
    say(done);
  } catch {
    say("The browser did not let us copy: use the download instead.");
  }
}

async function showResults() {
  at("results-so-far").textContent = facts.over ? "" : "The battle is not over. These are the results so far, as you know them.";
  at("download").textContent = facts.over ? "Download the whole recording" : "Download what I know (JSON)";
  const { text = "" } = await ask("GET", seated(`/api/games/${game}/results.txt`));
  const blocks = [];
  const table = text.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| -")).map((line) => line.slice(2, -2).split(" | "));
  for (const line of text.split("\n").filter((each) => each && !each.startsWith("|"))) {
    if (!line.startsWith("- ")) blocks.push([line]);
    else blocks.at(-1)?.push(line.slice(2));
  }
  at("carry").replaceChildren(...blocks.map(([head, ...lines]) => (lines.length
    ? make("div", {}, make("h3", {}, head.replace(/:$/, "")), make("ul", {}, ...lines.map((line) => make("li", {}, line))))
    : make("p", {}, head))));
  if (!table.length) return;
  const [head, ...rows] = table;
  const cells = (row, kind) => make("tr", {}, ...row.map((each) => make(kind, {}, each)));
  at("carry").append(make("div", { class: "carried", tabindex: 0, role: "region", "aria-label": "Turn by turn" }, make("table", {}, make("thead", {}, cells(head, "th")), make("tbody", {}, ...rows.map((row) => cells(row, "td"))))));
}

// -- beginning ----------------------------------------------------------------------------------------------------------

const wanted = () => Number(/^#step-(\d+)$/.exec(location.hash)?.[1] ?? 0);

function hear() {
  for (const button of document.querySelectorAll("[data-by]")) {
    button.addEventListener("click", () => { pause(); go(target(button.dataset.by, Number(button.dataset.way))); });
  }
  at("slider").addEventListener("input", () => { pause(); go(Number(at("slider").value)); });
  at("play").addEventListener("click", () => (playing ? pause() : play()));
  at("track").addEventListener("click", (event) => {
    const to = Number(event.target.closest("button")?.dataset.to ?? -1);
    if (to >= 0) { pause(); go(to); }
  });
  at("copy-link").addEventListener("click", () => copy(location.href, "The link to this step is copied."));
  at("copy-report").addEventListener("click", async () => {
    const told = await ask("GET", seated(`/api/games/${game}/report`));
    if (told.refused) say(told.refused);
    else copy(told.text, "The report is copied: paste it into a forum or a letter.");
  });
  at("copy-results").addEventListener("click", async () => {
    const told = await ask("GET", seated(`/api/games/${game}/results.txt`));
    if (told.refused) say(told.refused);
    else copy(told.text, "The results are copied.");
  });
  for (const link of document.querySelectorAll("a[download], nav a[data-seated]")) link.href = seated(link.getAttribute("href"));
  at("newer").addEventListener("click", async () => { await learn(); look(story.seat, here); });
  addEventListener("hashchange", () => { pause(); go(wanted(), { link: false }); });
  narrow.addEventListener("change", () => showBoard(story.seat, here));
  addEventListener("keydown", (event) => {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!way || event.altKey || event.metaKey || event.target.closest("input, select, textarea")) return;
    event.preventDefault();
    pause();
    go(target(event.ctrlKey ? "round" : event.shiftKey ? "segment" : "step", way));
  });
}

/** Learn what this game is, without its log: the story comes apart. */
async function learn() {
  facts = await ask("GET", seated(`/api/games/${game}?log_from=1000000`));
  if (facts.refused) return;
  at("title").textContent = facts.title;
  document.title = `${facts.title} · replay · Flagplot`;
  at("facts").textContent = [`edition ${facts.edition}`, ...Object.entries(facts.options).map(([name, value]) => `${name} ${value}`), facts.over ? "over" : facts.closed ? "closed" : "being played"].join(" · ");
  at("newer").hidden = facts.over;
  if (facts.war) {
    document.querySelector("nav a[data-seated]").textContent = "The war";
    const words = { round: "turn", segment: "stage" };
    for (const button of document.querySelectorAll("[data-by=round], [data-by=segment]")) {
      const word = words[button.dataset.by];
      button.querySelector("small").textContent = word;
      button.setAttribute("aria-label", `A ${word} ${button.dataset.way > 0 ? "on" : "back"}`);
    }
  }
  showResults();
}

async function begin() {
  const seat = new URLSearchParams(location.search).get("seat") ?? "";
  const step = wanted();
  await learn();
  if (facts.refused) return say(facts.refused);
  hear();
  await look(SEATS.includes(seat) ? seat : facts.seat, step);
}

if (game) begin();
