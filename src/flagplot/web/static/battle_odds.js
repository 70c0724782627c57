// The odds panel of a battle: asks for odds from what this side knows while it is open and looked at, and stops otherwise.

import { make, say } from "./common.js";
import { Looking, SIDES, behind, believed, checkNumbers, copySentence, costWords, costs, counted, curves, difference, doctrineOf, drawer, fateLegend, fates, groups, headline, held, joint, lineBoxes, progress, renew, rounds, rulesWords, winners } from "./odds_answer.js";

const at = (id) => document.getElementById(id);
const WIDTH = 0.01;
const WRITTEN = 700; // milliseconds after the last key

const panel = at("odds-panel");
const toggle = at("odds-open");
const board = at("board");
if (panel && toggle) begin();

function begin() {
  const { own } = panel.dataset;
  const foe = SIDES.find((side) => side !== own);
  const as = new URLSearchParams(location.search).get("as");
  const base = `/api/games/${document.querySelector("main.battle").dataset.game}/odds`;
  const query = as ? `?as=${encodeURIComponent(as)}` : "";
  const left = new Set(); // lines left out
  let usual = ""; // the belief as anybody would have it
  let first = null; // the answer with every line
  let shown = ""; // which lines stand there as boxes
  let any = false; // whether an answer stands there
  let spoken = ""; // which question the headline was said of
  let writing = 0;

  const belief = () => (at("odds-belief").value.trim() === usual.trim() ? "" : at("odds-belief").value || " ");
  const doctrines = [...panel.querySelectorAll(".doctrine")];
  const written = () => ({ belief: belief(), own: doctrineOf(doctrines[0]), enemy: doctrineOf(doctrines[1]) });
  let asked = written(); // what is being written is asked only when it is finished
  const looking = new Looking(() => ({ path: base + query, body: { ...asked, leave_out: [...left] }, gone: { path: `${base}/stop${query}`, body: {} } }), take);

  function take({ state, why, answer, mark }) {
    if (!panel.isConnected) return void looking.stop(); // the screen was passed on
    if (state === "refused" && left.size && why.includes("no line")) { // the line is no longer there
      left.clear();
      shown = "";
      return void looking.again();
    }
    const words = why ? `${why[0].toUpperCase()}${why.slice(1)}.` : "";
    const refused = state === "refused";
    const beside = refused && Boolean(asked.belief); // it stands beside what was written
    at("odds-refused").hidden = !beside;
    at("odds-refused").textContent = beside ? words : "";
    if (beside) at("odds-belief-fold").open = true;
    at("odds-why").textContent = beside && any ? "" : words || (answer ? "" : "The first battles are being fought …");
    any = Boolean(answer) || (any && !["off", "none"].includes(state));
    at("odds-answer").hidden = !any; // an older answer stays until there is a new one, and so does the focus
    at("odds-answer").classList.toggle("stale", !answer);
    if (["off", "none"].includes(state)) {
      for (const each of [at("odds-believes"), at("odds-how"), ...doctrines]) each.hidden = true;
      at("odds-said").textContent = spoken = ""; // nor is an older answer told any more
    }
    if (answer) show(answer, mark);
    at("odds-reset").disabled = !belief();
    at("odds-believed").textContent = belief() ? "changed by you" : "as anybody would";
  }

  function show(answer, mark) {
    if (!answer.left_out.length) first = answer;
    for (const each of [at("odds-how"), ...doctrines]) each.hidden = false;
    at("odds-win").replaceChildren(winners(answer, own));
    const { words, done } = progress(answer, WIDTH);
    at("odds-battles").textContent = words;
    at("odds-progress").value = done;
    at("odds-progress").hidden = answer.last;
    at("odds-rules").textContent = rulesWords(answer);
    at("odds-sentence").textContent = answer.sentence;
    for (const [side, name] of [[own, "own"], [foe, "foe"]]) {
      at(`odds-costs-${name}`).replaceChildren(...costs(answer, side));
      at(`odds-fates-${name}`).replaceChildren(...fates(answer, side), groups(answer, side) ?? "");
    }
    renew(at("odds-curves"), curves(answer, own, "factors sunk", "Factors sunk") ?? make("p", { class: "quiet" }, "Nothing was ever sunk."));
    at("odds-joint").replaceChildren(joint(answer));
    at("odds-rounds-average").textContent = `${answer.rounds.average.toFixed(1)} rounds on the average`;
    at("odds-rounds").replaceChildren(rounds(answer));
    at("odds-behind-fold").hidden = !answer.behind.length;
    renew(at("odds-behind"), ...behind(answer, own));
    at("odds-legend").replaceChildren(costWords(answer), ...([own, foe].some((side) => answer.sides[side].ships.length) ? [fateLegend()] : []));
    const lines = JSON.stringify(answer.lines);
    at("odds-what-if").hidden = !answer.lines.length;
    if (lines !== shown) at("odds-lines").replaceChildren(...lineBoxes(answer, left, anew));
    shown = lines;
    at("odds-difference").replaceChildren(left.size && first && answer.left_out.length ? difference(first, answer, own) : "");
    at("odds-believes").hidden = !answer.belief.length;
    at("odds-holds").replaceChildren(...believed(answer.belief));
    if (!asked.belief) {
      const untouched = !belief();
      usual = answer.belief_text;
      if (untouched) at("odds-belief").value = usual;
    }
    const saying = `${mark} ${answer.last}`;
    if (saying !== spoken) at("odds-said").textContent = `${headline(answer, own)} ${counted(answer.battles)}.`; // not at every look
    spoken = saying;
  }

  /** Another question: the answer that stands there is out of date. */
  function anew() {
    clearTimeout(writing);
    asked = written();
    held.belief = asked.belief;
    at("odds-answer").classList.add("stale");
    looking.again();
  }

  const { open } = drawer(panel, toggle, at("odds-close"), at("odds-title"), (wanted) => {
    if (!wanted) {
      clearTimeout(writing); // what is half written is asked when it is opened again
      held.belief = belief();
      return looking.stop();
    }
    if (held.belief !== belief()) { // it was changed beside the advice
      at("odds-belief").value = held.belief || usual;
      first = null;
    }
    anew();
  });

  at("odds-copy").addEventListener("click", async () => say(await copySentence(at("odds-sentence"))));
  at("odds-reset").addEventListener("click", () => {
    at("odds-belief").value = usual;
    at("odds-belief").focus();
    first = null;
    anew();
  });
  const write = () => {
    clearTimeout(writing);
    writing = setTimeout(() => {
      first = null;
      for (const each of doctrines) {
        checkNumbers(each);
        each.querySelector("[data-changed]").textContent = Object.keys(doctrineOf(each)).length ? "changed by you" : "";
      }
      anew();
    }, WRITTEN);
  };
  at("odds-belief").addEventListener("input", write);
  for (const each of doctrines) each.addEventListener("input", write);
  document.addEventListener("keydown", (event) => {
    const elsewhere = event.target.closest("input:not([type=radio]):not([type=checkbox]), select, textarea, dialog");
    if (event.key !== "d" || elsewhere || event.ctrlKey || event.metaKey || event.altKey || !at("single-keys")?.checked || toggle.hidden || !panel.isConnected) return;
    event.preventDefault();
    toggle.click();
  });

  const place = () => [board.dataset.seen, board.dataset.over, board.dataset.closed].join();
  let stands = place();

  /** The board has moved on: other lines, another question. Over is over. */
  function moved() {
    const now = place();
    if (now === stands) return;
    stands = now;
    const ended = Boolean(board.dataset.over || board.dataset.closed);
    toggle.hidden = ended;
    if (ended) return void (panel.hidden || open(false));
    left.clear();
    first = null;
    shown = "";
    if (!panel.hidden) anew();
  }
  new MutationObserver(moved).observe(board, { attributes: true, attributeFilter: ["data-seen", "data-over", "data-closed"] });
  toggle.hidden = Boolean(board.dataset.over || board.dataset.closed);
  window.addEventListener("pagehide", () => looking.stop());
  window.addEventListener("pageshow", (event) => { if (event.persisted && !panel.hidden) looking.again(); });
}
