// The tutorial: the rulebook's example, a step at a time. The reader chooses; the engine has played it already.
import { ask, make, say } from "./common.js";
import { rich, terms } from "./help.js";
import { chart, dice, fleet, legend, plain, roll } from "./replay_board.js";

const at = (id) => document.getElementById(id);
const narrow = matchMedia("(max-width: 44rem)");

let walk = { steps: [], names: {} };
let here = 0;
const chosen = new Map(); // by step: the choices made, in order

const right = (step) => (chosen.get(step.n) ?? []).some((index) => step.choices[index].right);
const done = (step) => !step.choices.length || right(step);

/** Go to a step, as far as the reader has come. */
function go(number, { focus = true } = {}) {
  here = Math.max(0, Math.min(number, walk.steps.length - 1));
  history.replaceState(null, "", `#step-${here + 1}`);
  draw();
  if (focus) {
    at("step-title").focus({ preventScroll: true });
    scrollTo({ top: 0 });
  }
}

function draw() {
  const step = walk.steps[here];
  at("progress").textContent = `Step ${here + 1} of ${walk.steps.length}`;
  at("bar").value = here + 1;
  at("chair").textContent = `Your side: ${walk.names[step.seat]}`;
  at("step-title").textContent = step.title;
  at("told").replaceChildren(...step.text.map((text) => make("p", {}, ...rich(text))));
  at("printed").replaceChildren(...Object.entries(step.dice).map(([side, numbers]) =>
    make("p", { class: "row" }, make("b", {}, walk.names[side]), dice(numbers))));
  drawQuestion(step);
  at("rules").replaceChildren("Rules: ", ...step.rules.flatMap((rule, index) =>
    [index ? ", " : "", make("a", { class: "rule", href: `/rules/${rule}` }, rule)]));
  at("rules").hidden = !step.rules.length;
  at("back").disabled = here === 0;
  at("on").disabled = !done(step) || here === walk.steps.length - 1;
  at("end").hidden = here !== walk.steps.length - 1;
  terms(at("told"));
  drawBoard(step);
}

function drawQuestion(step) {
  at("asked").hidden = !step.choices.length;
  at("question").textContent = step.question;
  const made = chosen.get(step.n) ?? [];
  at("choices").replaceChildren(...step.choices.map((choice, index) => {
    const taken = made.includes(index);
    const verdict = !taken ? "" : choice.right ? "✓ " : choice.legal ? "≈ " : "✕ ";
    const button = make("button", { type: "button", class: taken ? (choice.right ? "right" : choice.legal ? "legal" : "wrong") : null,
      "aria-pressed": String(taken) }, `${verdict}${choice.text}`);
    button.addEventListener("click", () => choose(step, index));
    return make("li", {}, button);
  }));
  explain(step);
}

function choose(step, index) {
  const made = (chosen.get(step.n) ?? []).filter((each) => each !== index);
  chosen.set(step.n, [...made, index]);
  draw();
  at("choices").children[index].querySelector("button").focus();
}

/** Why the last choice is the example's, or is not. */
function explain(step) {
  const last = (chosen.get(step.n) ?? []).at(-1);
  const box = at("why");
  if (last === undefined) return box.replaceChildren();
  const choice = step.choices[last];
  const head = choice.right ? "That is what the example does." : choice.legal ? "Allowed, but not what the example does." : "Not so.";
  const parts = [make("p", {}, make("b", {}, head), " ", ...rich(choice.why))];
  if (choice.refused) {
    parts.unshift(make("p", { class: "refused" }, `The engine refuses: ${choice.refused.reason} `,
      make("a", { class: "rule", href: `/rules/${choice.refused.rule}` }, choice.refused.rule)));
  }
  if (right(step)) parts.push(...step.after.map((text) => make("p", {}, ...rich(text))));
  if (!choice.right && !right(step)) parts.push(make("p", { class: "quiet" }, "Choose again."));
  box.replaceChildren(...parts);
  box.className = choice.right ? "why right" : "why";
  terms(box);
}

function drawBoard(step) {
  const seen = step.then && right(step) ? step.then : step.before;
  const board = seen.board;
  const enemy = step.seat === "axis" ? "allies" : "axis";
  const sides = { left: step.seat, right: enemy, names: walk.names, mine: [step.seat] };
  at("round").textContent = board.segment === "formation" ? "before the first round" : `round ${board.round}`;
  at("chart").replaceChildren(chart(board, { ...sides, narrow: narrow.matches, caption: "Naval Combat Chart" }), legend());
  at("fleet").replaceChildren(fleet(board, step.seat, walk.names[step.seat], true));
  const lines = step.then && right(step) ? [...step.before.log, ...step.then.log] : step.before.log;
  at("log").replaceChildren(...lines.slice(-40).map((line) => {
    const shown = roll(line, walk.names);
    const item = make("li", { class: ["", "round", "segment"][line.level] || (line.side ? (line.side === step.seat ? "mine" : "theirs") : null) },
      plain(line), " ", make("a", { class: "rule", href: `/rules/${line.rule}` }, line.rule));
    if (shown) item.append(make("details", {}, make("summary", {}, line.dice ? "dice and modifiers" : "made up of"), shown));
    return item;
  }));
  at("log-box").hidden = !lines.length;
}

async function begin() {
  walk = await ask("GET", "/api/tutorial");
  if (walk.refused) return say(walk.refused);
  at("bar").max = walk.steps.length;
  at("back").addEventListener("click", () => go(here - 1));
  at("on").addEventListener("click", () => go(here + 1));
  at("again").addEventListener("click", () => { chosen.clear(); go(0); });
  at("play").addEventListener("click", playIt);
  narrow.addEventListener("change", () => drawBoard(walk.steps[here]));
  addEventListener("hashchange", () => go(wanted()));
  go(wanted(), { focus: false });
}

const wanted = () => Number(/^#step-(\d+)$/.exec(location.hash)?.[1] ?? 1) - 1;

async function playIt() {
  const made = await ask("POST", "/api/games", { scenario: "three-groups", axis: "person", allies: "admiral" });
  if (made.refused) return say(made.refused);
  location.assign(`/join${new URL(made.invitations.axis).hash}`);
}

begin();
