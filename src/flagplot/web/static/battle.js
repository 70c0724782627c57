// The battle page: fetches its board when something changed, keeps the draft, commits it, and sends it again with the same
// id until an answer comes. What is legal is asked of the server; what the enemy has not told is not here.

import { make, newId, say } from "./common.js";
import { OrdersForm, ruleLink } from "./form.js";
import { readTyped } from "./battle_typed.js";
import { Amendments } from "./battle_amend.js";
import { Desk } from "./desk.js";
import { Sea } from "./operation.js";
import { PathOrders } from "./operation_path.js";
import { WarTable } from "./war.js";

const main = document.querySelector("main.battle");
const game = main.dataset.game;
const api = `/api/games/${game}`;
const wanted = new URLSearchParams(location.search); // which seat, where this browser holds several
/** An address with the seat this page speaks for. */
const seated = (path) => (wanted.has("as") ? `${path}${path.includes("?") ? "&" : "?"}as=${encodeURIComponent(wanted.get("as"))}` : path);
const at = (id) => document.getElementById(id);
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

const LOOK_AGAIN = 10_000; // without a stream, and while others write their orders
const LOOK_ANYWAY = 60_000; // with one: seats and words beside moves do not wake it
const CHECK_AFTER = 250;
const ONGOING = [408, 425, 429, 502, 503, 504]; // neither yes nor no: the same decision is sent again

let board = at("board");
let question = null; // the one on the page
let form = null;
let committed = false; // what the form holds is no draft any longer
let sending = false;
let checks = 0;
let checkTimer = 0;
let left = false; // the screen has been passed on

// -- asking ------------------------------------------------------------------------------------

/** Post until there is an answer: { status, told }. The body, and so the decision's id, stays the same. */
async function post(path, body, onwait = () => {}) {
  for (let tries = 0; ; tries += 1) {
    try {
      const answer = await fetch(seated(api + path), {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json" },
        credentials: "same-origin",
        body: JSON.stringify(body),
      });
      if (!ONGOING.includes(answer.status)) {
        const told = answer.headers.get("content-type")?.includes("json") ? await answer.json() : {};
        if (!answer.ok && !told.refused) told.refused = `The server answered ${answer.status}.`;
        return { status: answer.status, told };
      }
      onwait("The server is busy");
    } catch {
      onwait("The connection is lost");
    }
    await pause(Math.min(500 * 2 ** tries, 10_000));
  }
}

// -- the board -----------------------------------------------------------------------------------

let looking = null;
let again = false; // look once more afterwards
let news = ""; // the version the stream spoke of while we looked

/** Fetch the board anew; if it is being fetched already, once more afterwards, unless it then shows the news. */
function look() {
  again = true;
  looking ??= (async () => {
    while (again || (news && news !== board.dataset.seen)) {
      again = false;
      news = "";
      await fetchBoard();
    }
    looking = null;
  })();
  return looking;
}

async function fetchBoard() {
  const { logLength, logMark } = board.dataset;
  try {
    const stay = wanted.has("stay") ? "&stay=yes" : "";
    const answer = await fetch(seated(`/games/${game}/board?log_from=${logLength}&mark=${logMark}&map=${sea?.mark ?? ""}${stay}`), { credentials: "same-origin" });
    if (answer.status === 404) {
      say("This game is no longer yours to see.");
      return;
    }
    if (!answer.ok) return;
    const told = new DOMParser().parseFromString(await answer.text(), "text/html");
    const pass = told.getElementById("pass");
    if (pass) passOn(pass);
    else show(told.getElementById("board"));
  } catch {
    // The next look will do.
  }
}

/** Two people at one screen: everything of this side goes, and only then may the other one come. */
function passOn(pass) {
  stream?.close();
  left = true;
  form = null;
  main.className = "pass";
  main.replaceChildren(pass);
  document.title = "Pass the screen · Flagplot";
  for (const each of document.querySelectorAll(".title, .top nav > *")) each.remove();
  at("say").textContent = "";
  pass.querySelector("a").focus();
}

/** Put a new board in place of the old one, part by part, leaving alone what has not changed. */
function show(fresh) {
  const opened = new Set([...board.querySelectorAll("details[open]:not(#chart-fold)")].map((each) => each.id));
  for (const part of fresh.querySelectorAll("[id^=part-]")) {
    const old = at(part.id);
    if (old && old.outerHTML !== part.outerHTML) old.replaceWith(part);
  }
  sea?.show(fresh);
  growLog(fresh);
  for (const [name, value] of Object.entries(fresh.dataset)) board.dataset[name] = value;
  for (const id of opened) at(id)?.setAttribute("open", "");
  showBarrier();
  showQuestion();
  desk.seen();
}

/** Mark the last line of the log that would stay if the last decision were taken back. */
function showBarrier() {
  for (const line of document.querySelectorAll("#log-lines .back-to")) line.classList.remove("back-to");
  const { undoLine, undoWhy } = board.dataset;
  const line = undoLine ? at(`log-${undoLine}`) : null;
  line?.classList.add("back-to");
  line?.setAttribute("data-back", undoWhy ? "↶ taking back by consent leads here" : "↶ taking back leads here");
}

function growLog(fresh) {
  const lines = [...fresh.querySelectorAll("#log-lines > li")];
  const list = at("log-lines");
  const from = Number(fresh.dataset.logFrom);
  if (from === 0) list.replaceChildren();
  for (const extra of [...list.children].slice(from)) extra.remove();
  if (!lines.length) return;
  for (const line of list.querySelectorAll(".new")) line.classList.remove("new");
  for (const line of lines) line.classList.add("new");
  list.append(...lines);
  const count = lines.length === 1 ? "1 new line" : `${lines.length} new lines`;
  at("log-new").textContent = count;
  at("news").textContent = `${count} in the log`;
  at("news").href = `#${lines[0].id}`;
  at("news").hidden = !from;
  scrollLog(from ? lines[0] : null);
}

function scrollLog(line) {
  const log = at("log");
  log.scrollTop = line ? line.offsetTop - log.offsetTop - 4 : log.scrollHeight;
}

// -- the question --------------------------------------------------------------------------------

function showQuestion() {
  const asked = JSON.parse(board.dataset.question);
  if (JSON.stringify(asked) !== JSON.stringify(question)) {
    const draft = form?.changed && !committed && asked && question && asked.kind === question.kind ? form.answer() : null;
    question = asked;
    committed = false;
    clearTimeout(checkTimer);
    checks += 1;
    form = asked ? new (asked.form.path ? PathOrders : OrdersForm)(asked.form, changed) : null;
    at("form").replaceChildren(form?.element ?? "");
    sea?.ask(asked, form);
    const limits = (asked?.form.limits ?? []).map(({ rule, why, sum }) => make("li", {}, ruleLink(rule), ` ${why} `, form.meter?.(sum) ?? ""));
    at("limits").replaceChildren(...limits);
    at("limits").hidden = !limits.length;
    at("orders").scrollTop = 0;
    at("typed-said").textContent = "";
    if (asked?.form.refused) verdict(asked.form.refused.why, "refusal", asked.form.refused);
    else verdict(asked ? "Legal as it stands." : "");
    if (draft && form.adopt(draft)) changed();
    else if (asked) adoptKept(asked);
  }
  for (const id of ["orders", "reset", "commit", "fold"]) at(id).hidden = !asked;
  at("words").hidden = !["axis", "allies"].includes(board.dataset.seat) || !!board.dataset.over || !!board.dataset.closed;
  at("line").hidden = !asked;
  const text = asked ? asked.text : board.dataset.waiting;
  if (at("question").textContent !== text) at("question").textContent = text;
  const rule = at("question-rule");
  rule.hidden = !asked;
  if (asked) {
    rule.href = `/rules/${encodeURIComponent(asked.rule)}`;
    rule.textContent = asked.rule;
  }
  showTakeBack();
  amendments.waiting(JSON.parse(board.dataset.proposal));
  document.title = `${asked ? "● " : ""}${board.dataset.title}, ${board.dataset.when} · Flagplot`;
}

/** Go on with the draft that was kept for a question, here or on another device. */
async function adoptKept(asked) {
  const kept = await desk.draft(asked);
  if (!kept || question !== asked || form.changed || !form.adopt(kept)) return;
  changed();
  say("Your draft was kept: this is it.");
}

function changed() {
  sea?.changed();
  desk.keep(question, form.changed ? form.answer() : null);
  clearTimeout(checkTimer);
  const mine = ++checks;
  checkTimer = setTimeout(async () => {
    try {
      const answer = await fetch(seated(`${api}/check`), {
        method: "POST",
        headers: { "content-type": "application/json" },
        credentials: "same-origin",
        body: JSON.stringify({ answer: form.answer() }),
      });
      const told = await answer.json();
      if (mine !== checks || !answer.ok) return;
      if (told.legal) verdict("Legal.");
      else verdict(told.reason, "refusal", told);
    } catch {
      if (mine === checks) verdict("The connection is lost, so these orders could not be checked.", "waits");
    }
  }, CHECK_AFTER);
}

/** Say how the draft stands: plain, a refusal with its rule, or that we wait. */
function verdict(text, kind = "", { rule = "", instead = "" } = {}) {
  if (left) return;
  const place = at("verdict");
  place.className = kind;
  place.replaceChildren(kind === "refusal" ? "✕ " : "", text, rule ? " " : "", rule ? ruleLink(rule) : "", instead ? ` ${instead}` : "");
  at("commit").setAttribute("aria-disabled", kind === "refusal" ? "true" : "false");
}

// -- giving orders ---------------------------------------------------------------------------------

async function commit() {
  if (!form || sending || at("commit").getAttribute("aria-disabled") === "true") return;
  sending = true;
  at("commit").setAttribute("aria-disabled", "true");
  const body = { id: newId(), question: question.number, answer: form.answer(), say: at("line").value.trim() };
  const { status, told } = await post("/answers", body, (why) => verdict(`${why}. Your orders are sent again until they are answered; they count once.`, "waits"));
  sending = false;
  if (told.ok) desk.given();
  if (left) return; // the board, and with it the pass, came before the answer
  at("commit").setAttribute("aria-disabled", "false");
  if (told.ok) {
    at("line").value = "";
    wanted.delete("stay"); // orders given: now the screen is passed
    committed = question?.number === body.question; // the board may have come before the answer
    await look();
    return;
  }
  if (status === 409) {
    say(told.refused);
    await look();
    return;
  }
  verdict(told.reason ?? told.refused, "refusal", told);
}

async function takeBack(agree) {
  if (sending) return;
  sending = true;
  const { told } = await post("/undo", { id: newId(), agree }, (why) => say(`${why}. It is asked again until there is an answer.`));
  sending = false;
  if (told.refused) say(told.refused);
  else if (told.asked) say(`${board.dataset.enemy} has been asked to agree.`);
  else say(agree ? "You agreed: the decision is taken back." : "Taken back.");
  await look();
}

/** What can be taken back, and by whom: on one's own until dice fall, something is shown or the enemy decides. */
function showTakeBack() {
  const { takeback, enemy, enemyPlayer, over, closed, seat } = board.dataset;
  const consent = at("consent");
  consent.hidden = !takeback;
  if (takeback === "me") consent.replaceChildren(`You have asked to take a decision back. ${enemy} must agree; your next orders withdraw the request.`);
  if (takeback === "enemy") {
    const agree = make("button", { type: "button", id: "agree" }, "Agree");
    agree.addEventListener("click", () => takeBack(true));
    consent.replaceChildren(make("span", {}, `${enemy} asks to take a decision back. Agree, or refuse by playing on.`), agree);
  }
  const button = at("undo");
  button.hidden = !["axis", "allies"].includes(seat) || !!over || !!closed || takeback === "me";
  const { undo, undoWhy } = board.dataset;
  button.hidden ||= !undo;
  at("acts").hidden = button.hidden && at("words").hidden;
  button.textContent = undoWhy ? "Ask to take back" : "Take back";
  button.title = `Decide again: ${undo} ${undoWhy ? `${enemy} must agree: ${undoWhy}.` : enemyPlayer === "person" ? "You may do so alone." : "Against a computer player that is always possible."}`;
}

const desk = new Desk((path) => seated(api + path), board.dataset.seat);

// -- the chart of an operation ---------------------------------------------------------------------

const sea = at("chart-sheet") ? new Sea(reckoned) : at("part-war") ? new WarTable(reckoned) : null;

/** What a draft would lead to; nothing if the server cannot say. */
async function reckoned(draft) {
  try {
    const answer = await fetch(seated(`${api}/chances`), {
      method: "POST",
      headers: { "content-type": "application/json" },
      credentials: "same-origin",
      body: JSON.stringify(draft),
    });
    const told = await answer.json(); // read in any case: an answer that is not read keeps its connection
    return answer.ok ? told : {};
  } catch {
    return {};
  }
}

// -- putting something right ------------------------------------------------------------------------

const amendments = new Amendments({
  look: async () => {
    const answer = await fetch(seated(`${api}/amendments`), { credentials: "same-origin" });
    const told = await answer.json();
    if (!answer.ok) throw new Error(told.refused);
    return told;
  },
  send: async (change, words) => {
    const { told } = await post("/amendments", { id: newId(), change, words }, (why) => say(`${why}. It is sent again until there is an answer.`));
    if (told.refused) throw new Error(told.reason ?? told.refused);
    say(told.ok ? "Noted: it takes effect when the next segment begins." : "Proposed: it waits for the other side.");
    await look();
  },
  answer: answerAmendment,
});

async function answerAmendment(way, proposal) {
  const { told } = await post(`/amendments/${way}`, { id: newId(), proposal });
  if (told.refused) say(told.refused);
  else if (way === "accept") say("Accepted: it takes effect when the next segment begins.");
  await look();
}

const openAmendment = () => board.querySelector("[data-act=amend]") && amendments.open(board.dataset.seat).catch((error) => say(error.message));

async function typedAmendment(text) {
  try {
    if (text) await amendments.typed(text, board.dataset.seat);
    else openAmendment();
  } catch (error) {
    at("typed-said").textContent = error.message;
  }
}

/** Answer by word the proposal that waits. */
function typedAnswer(verb) {
  const proposal = JSON.parse(board.dataset.proposal);
  const may = proposal && (verb === "withdraw" ? proposal.mine : proposal.asked);
  if (may) answerAmendment(verb === "accept" ? "accept" : "decline", proposal.id);
  else at("typed-said").textContent = "No amendment waits for that.";
}

async function resign() {
  const { told } = await post("/close", { why: at("why").value.trim() });
  at("resignation").close();
  if (told.refused) say(told.refused);
  await look();
}

async function copyReport() {
  try {
    const answer = await fetch(seated(`${api}/report`), { credentials: "same-origin" });
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    await navigator.clipboard.writeText(text);
    say("The report is copied: paste it into a forum or a letter.");
  } catch {
    say("The browser did not let us copy: take the report as text instead.");
  }
}

// -- words and keys ----------------------------------------------------------------------------------

function typed() {
  const input = at("typed");
  const text = input.value.trim();
  const verb = text.toLowerCase();
  const said = at("typed-said");
  said.textContent = "";
  if (!text) return;
  if (verb.startsWith("say ")) at("line").value = text.slice(4);
  else if (verb === "commit") commit();
  else if (verb === "reset") form?.reset();
  else if (verb === "undo" || verb === "take back") takeBack(false);
  else if (verb === "agree") takeBack(true);
  else if (verb === "amend" || verb.startsWith("amend ")) typedAmendment(text.slice(5).trim());
  else if (["accept", "decline", "withdraw"].includes(verb)) typedAnswer(verb);
  else if (verb === "replay") location.assign(seated(`/games/${game}/replay`));
  else if (verb === "log") at("log").focus();
  else if (verb === "odds") at("odds-open")?.click();
  else if (verb === "advice") at("advice-open")?.hidden ? say("There is no advice on what is now asked.") : at("advice-open")?.click();
  else if (verb === "resign") at("resignation").showModal();
  else if (verb === "?" || verb === "help") at("keys").showModal();
  else {
    try {
      if (!form) throw new Error("Nothing is asked of you now.");
      if (form.typed) form.typed(text);
      else form.take(readTyped(question.form, text, form.answer()));
    } catch (error) {
      said.textContent = error.message;
      return;
    }
  }
  input.value = "";
}

function fold() {
  const button = at("fold");
  const open = button.getAttribute("aria-expanded") !== "true";
  button.setAttribute("aria-expanded", `${open}`);
  button.textContent = open ? "Hide" : "Show";
  button.setAttribute("aria-label", open ? "Hide the choices" : "Show the choices");
  at("dock").classList.toggle("folded", !open);
}

const KEYS = {
  c: () => at("commit").focus(),
  r: () => form?.reset(),
  u: () => !at("undo").hidden && takeBack(false),
  o: () => question && fold(),
  a: openAmendment,
  l: () => at("log").focus(),
  "/": () => !at("words").hidden && at("typed").focus(),
  "?": () => at("keys").showModal(),
};

function key(event) {
  if (left) return;
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    commit();
    return;
  }
  const writing = event.target.closest("input:not([type=radio]):not([type=checkbox]), select, textarea, dialog");
  if (writing || event.ctrlKey || event.metaKey || event.altKey || !at("single-keys").checked) return;
  const [only, ...others] = question?.form.items ?? [];
  const counted = only?.places.some((each) => /^\d+$/.test(each.key)); // then a figure means that number, else a line of the list
  const place = only && !others.length && /^[1-9]$/.test(event.key) ? only.places.find((each, index) => (counted ? each.key : `${index + 1}`) === event.key) : null;
  if (place && !place.barred && only.amount === 1) form.choose(only, place.key);
  else if (KEYS[event.key]) KEYS[event.key]();
  else return;
  event.preventDefault();
}

at("commit").addEventListener("click", commit);
at("reset").addEventListener("click", () => form?.reset());
at("undo").addEventListener("click", () => takeBack(false));
at("fold").addEventListener("click", fold);
at("open-keys").addEventListener("click", () => at("keys").showModal());
at("stay").addEventListener("click", () => at("resignation").close());
at("resign-now").addEventListener("click", resign);
at("typed").addEventListener("keydown", (event) => { if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) typed(); });
main.addEventListener("click", (event) => { if (event.target.closest("[data-act=amend]")) openAmendment(); });
main.addEventListener("click", (event) => { if (event.target.closest("[data-act=resign]")) at("resignation").showModal(); });
main.addEventListener("click", (event) => { if (event.target.closest("[data-act=copy-report]")) copyReport(); });
document.addEventListener("keydown", key);
document.addEventListener("fill", ({ detail }) => { // advice was taken
  if (!form || committed) return;
  form.take(detail);
  say("It is filled in: look at it, then commit it.");
});
window.addEventListener("beforeunload", (event) => { if (sending) event.preventDefault(); });

// -- staying up to date --------------------------------------------------------------------------------

let stream = null;
let looked = Date.now();

/** One stream while the page is looked at: a browser has few connections, and hidden pages can do without. */
function listen() {
  stream?.close();
  stream = null;
  if (document.hidden || board.dataset.closed || left) return;
  stream = new EventSource(seated(`${api}/stream?seen=${encodeURIComponent(board.dataset.seen)}`));
  stream.addEventListener("changed", (event) => {
    if (looking) news = event.data;
    else if (event.data !== board.dataset.seen) look();
  });
}

setInterval(() => {
  if (board.dataset.over || board.dataset.closed || left) return;
  const live = stream?.readyState === EventSource.OPEN;
  const now = Date.now();
  if (now - looked < (live && question ? LOOK_ANYWAY : LOOK_AGAIN)) return;
  looked = now;
  look();
  if (!live && stream?.readyState !== EventSource.CONNECTING) listen();
}, 1000);

document.addEventListener("visibilitychange", () => {
  if (!document.hidden && !left) look();
  listen();
});

new ResizeObserver(([{ borderBoxSize: [{ blockSize }] }]) => {
  const log = at("log");
  if (!log) return;
  const ended = log.scrollTop + log.clientHeight >= log.scrollHeight - 8;
  document.documentElement.style.setProperty("--dock", `${Math.round(blockSize)}px`);
  if (ended) scrollLog(null);
}).observe(at("dock"));
showBarrier();
showQuestion();
scrollLog(null);
listen();
