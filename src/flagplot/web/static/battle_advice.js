// Advice on the decision that is open: a mixture the enemy cannot exploit, from what this side knows. Asked for while the
// panel is open and looked at, and not a moment longer.

import { make } from "./common.js";
import { Looking, bar, believed, counted, doctrineOf, drawer, held, percent, renew, rulesWords } from "./odds_answer.js";

const at = (id) => document.getElementById(id);
const WRITTEN = 700; // milliseconds after the last key
const SMALL = 0.005; // a share that is none
const NUMBERS = "the numbers of groups"; // what is believed then is of another kind: nothing is on the chart yet

const panel = at("advice-panel");
const toggle = at("advice-open");
const board = at("board");
if (panel && toggle) begin();

function begin() {
  const as = new URLSearchParams(location.search).get("as");
  const game = `/api/games/${document.querySelector("main.battle").dataset.game}`;
  const query = as ? `?as=${encodeURIComponent(as)}` : "";
  let usual = ""; // the belief as anybody would have it
  let asked = ""; // what was written, when it is finished
  let shown = null; // the advice that stands there
  let spoken = "";
  let writing = 0;

  const value = () => panel.querySelector("[name=advice-value]:checked").value;
  const belief = () => (at("advice-belief").value.trim() === usual.trim() ? "" : at("advice-belief").value || " ");
  const doctrines = () => ({ own: doctrineOf(at("doctrine-own")), enemy: doctrineOf(at("doctrine-enemy")) }); // as they are set beside the odds
  const looking = new Looking(() => ({ path: `${game}/advice${query}`, body: { value: value(), belief: asked, ...doctrines() }, gone: { path: `${game}/odds/stop${query}`, body: {} } }), take);
  const { open, close } = drawer(panel, toggle, at("advice-close"), at("advice-title"), (wanted) => {
    const shared = board.dataset.advice !== NUMBERS;
    if (!wanted) {
      clearTimeout(writing); // what is half written is asked when it is opened again
      if (shared) held.belief = belief();
      return looking.stop();
    }
    if (shared && held.belief !== belief()) at("advice-belief").value = held.belief || usual; // as it was changed beside the odds
    anew();
  });

  function take({ state, why, answer, mark }) {
    if (!panel.isConnected) return void looking.stop(); // the screen was passed on
    const words = why ? `${why[0].toUpperCase()}${why.slice(1)}.` : "";
    const refused = state === "refused";
    at("advice-refused").hidden = !refused;
    at("advice-refused").textContent = refused ? words : "";
    if (refused) at("advice-belief-fold").open = true;
    at("advice-why").textContent = refused ? "" : words || (answer ? "" : "The first battles are being fought …");
    at("advice-value").hidden = ["off", "none"].includes(state);
    if (["off", "none"].includes(state)) for (const id of ["advice-answer", "advice-believes", "advice-going"]) at(id).hidden = true;
    at("advice-going").hidden = !answer;
    if (answer) show(answer, mark);
    at("advice-reset").disabled = !belief();
    at("advice-believed").textContent = belief() ? "changed by you" : "as anybody would";
  }

  function show(answer, mark) {
    const { last, why, battles, of, each } = answer;
    at("advice-progress").value = battles / of;
    at("advice-progress").hidden = at("advice-stop").hidden = last;
    at("advice-battles").textContent = each ? `${counted(battles)}, ${each.toLocaleString("en")} for each pair of choices${why && !why.startsWith("every pair") ? `: ${why}` : ""}` : `${counted(battles)}; the first advice comes when every pair of choices has been fought`;
    at("advice-believes").hidden = !answer.belief.length;
    at("advice-holds").replaceChildren(...believed(answer.belief));
    if (!asked) {
      const untouched = !belief();
      usual = answer.belief_text;
      if (untouched) at("advice-belief").value = usual;
    }
    at("advice-answer").classList.toggle("stale", !answer.choices.length);
    if (!answer.choices.length) return;
    at("advice-answer").hidden = false;
    shown = answer;
    at("advice-rules").textContent = rulesWords(answer);
    at("advice-worth").textContent = worth(answer);
    at("advice-safe").textContent = safe(answer);
    at("advice-factors").hidden = !answer.same || answer.value === "factors";
    at("advice-if").hidden = !answer.belief.length;
    renew(at("advice-choices"), answer.same ? "" : choices(answer, fill));
    at("advice-words").hidden = answer.same;
    at("advice-verbs").hidden = answer.choices.filter(({ share }) => share.is >= SMALL).length < 2;
    at("advice-enemy").replaceChildren(...enemy(answer, board.dataset.enemy));
    const saying = `${mark} ${last} ${answer.choices.length}`;
    if (saying !== spoken) at("advice-said").textContent = `${worth(answer)} ${mixture(answer)}`; // not at every look
    spoken = saying;
  }

  /** Another question: what stands there is out of date. */
  function anew() {
    clearTimeout(writing);
    asked = belief();
    if (board.dataset.advice !== NUMBERS) held.belief = asked;
    const { own, enemy } = doctrines();
    at("advice-doctrines").textContent = Object.keys(own).length + Object.keys(enemy).length ? "by the doctrines you have set beside the odds" : "by the admiral's doctrine";
    at("advice-on").textContent = `on ${board.dataset.advice}, from what you know`;
    at("advice-drawn").textContent = "";
    at("advice-answer").classList.add("stale");
    looking.again();
  }

  panel.addEventListener("change", ({ target }) => { if (target.name === "advice-value") anew(); });
  at("advice-belief").addEventListener("input", () => {
    clearTimeout(writing);
    writing = setTimeout(anew, WRITTEN);
  });
  at("advice-reset").addEventListener("click", () => {
    at("advice-belief").value = usual;
    at("advice-belief").focus();
    anew();
  });
  at("advice-stop").addEventListener("click", () => {
    looking.stop();
    at("advice-progress").hidden = at("advice-stop").hidden = true;
    at("advice-battles").textContent += "; you stopped it";
    at("advice-title").focus();
  });
  at("advice-factors").addEventListener("click", () => {
    const factors = panel.querySelector("[name=advice-value][value=factors]");
    factors.checked = true;
    factors.focus();
    anew();
  });
  at("advice-draw").addEventListener("click", () => {
    let left = crypto.getRandomValues(new Uint32Array(1))[0] / 2 ** 32;
    const drawn = shown.choices.find(({ share }) => (left -= share.is) < 0) ?? shown.choices.toSorted((one, two) => two.share.is - one.share.is)[0];
    at("advice-drawn").textContent = drawn.choice;
    fill(drawn);
  });

  /** Put a choice into the form of the question; where the panel covers it, it gives way. */
  function fill({ answer }) {
    if (!answer) return;
    document.dispatchEvent(new CustomEvent("fill", { detail: answer }));
    if (matchMedia("(max-width: 54rem)").matches) close();
  }

  const place = () => [board.dataset.seen, board.dataset.advice, board.dataset.over, board.dataset.closed].join();
  let stands = "";

  /** The board has moved on: advice is on what is now asked, if there is any. */
  function moved() {
    const now = place();
    if (now === stands) return;
    stands = now;
    toggle.hidden = !board.dataset.advice || Boolean(board.dataset.over || board.dataset.closed);
    at("advice-answer").hidden = true;
    at("advice-belief").value = usual = "";
    spoken = "";
    if (!panel.hidden) {
      if (toggle.hidden) open(false);
      else anew();
    }
  }
  new MutationObserver(moved).observe(board, { attributes: true, attributeFilter: ["data-seen", "data-advice", "data-over", "data-closed"] });
  moved();
  window.addEventListener("pagehide", () => looking.stop());
  window.addEventListener("pageshow", (event) => { if (event.persisted && !panel.hidden) looking.again(); });
  document.addEventListener("keydown", (event) => {
    const elsewhere = event.target.closest("input:not([type=radio]):not([type=checkbox]), select, textarea, dialog");
    if (event.key !== "v" || elsewhere || event.ctrlKey || event.metaKey || event.altKey || !at("single-keys")?.checked || toggle.hidden || !panel.isConnected) return;
    event.preventDefault();
    if (panel.hidden) toggle.click();
    else close();
  });
}

// -- what is said ---------------------------------------------------------------------------------------

const amount = (answer, number) => (answer.value === "factors" ? number.toFixed(1) : `${(100 * number).toFixed(1)} %`);
const sure = (answer, { is, error }) => `${amount(answer, is)} ± ${reach(answer.value === "factors" ? error : 100 * error)}`;
const reach = (error) => (error && error < 0.05 ? "<0.1" : error.toFixed(1));

function worth(answer) {
  if (answer.same) return `In ${counted(answer.each)} of each pair it made next to no difference what you choose: ${won(answer)}.`;
  return answer.choices.some(({ share }) => share.is > 1 - SMALL) ? `Best: ${mixture(answer)}. So ${won(answer)}.` : `Best is a mixture: ${won(answer)}.`;
}

const won = (answer) => (answer.value === "win" && [0, 1].includes(answer.worth.is) ? `${answer.worth.is ? "every" : "no"} battle was won` : answer.value === "factors" ? `${sure(answer, { ...answer.worth, is: Math.abs(answer.worth.is) })} factors to the ${answer.worth.is < 0 ? "bad" : "good"}` : `you win ${sure(answer, answer.worth)}, a drawn battle counting half`);
const mixture = (answer) => answer.choices.filter(({ share }) => share.is >= SMALL).toSorted((one, two) => two.share.is - one.share.is).map(({ choice, share }) => (share.is > 1 - SMALL ? choice : `${choice} ${percent(share.is)}`)).join(", ");

function safe(answer) {
  if (answer.same) return answer.value === "win" ? "In factors sunk it may." : "";
  if (answer.enemy.length < 2) return "The enemy chooses nothing of the kind at the same time.";
  return `An enemy who knows these shares gains nothing by it, but for the luck of the sample: ${amount(answer, answer.exploitable_by_chance)}.`;
}

function choices(answer, fill) {
  const rows = answer.choices.toSorted((one, two) => two.share.is - one.share.is || one.cost.is - two.cost.is);
  return make("table", { class: "odds-fates advice-choices" }, make("caption", { class: "unseen" }, "What each choice is worth"),
    make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "choice"), make("td", { class: "gap" }), ...["share", "costs", "if known"].map((name) => make("th", { scope: "col" }, name)))),
    make("tbody", {}, ...rows.map((each) => make("tr", { class: each.share.is >= SMALL ? "chosen" : null },
      make("th", { scope: "row" }, taking(each, fill), each.means ? make("small", {}, ` here: ${each.means}`) : null), make("td", { class: "line" }, bar(each.share.is)),
      make("td", {}, often(each.share)), make("td", {}, sure(answer, each.cost)), make("td", {}, amount(answer, each.exploitable))))));
}

/** How often to choose something, with its error. */
function often({ is, error }) {
  if (is < SMALL && error < SMALL) return "–";
  return make("span", {}, is < SMALL ? "0 %" : percent(is), error >= SMALL ? make("small", {}, ` ± ${(100 * error).toFixed(0)}`) : null);
}

/** A choice, which fills itself in when it is pressed. */
function taking(choice, fill) {
  const button = make("button", { type: "button", class: "take", title: "Fill this in" }, choice.choice);
  button.addEventListener("click", () => fill(choice));
  return button;
}

function enemy(answer, name) {
  const likely = answer.enemy.filter(({ share }) => share >= SMALL).toSorted((one, two) => two.share - one.share);
  if (answer.enemy.length < 2 || answer.same) return [];
  return [make("h3", {}, `What ${name} should choose `, make("small", {}, "from what you believe")),
    make("ul", { class: "advice-likely" }, ...likely.map(({ choice, share }) => make("li", {}, `${choice} `, make("b", {}, percent(share)))))];
}
