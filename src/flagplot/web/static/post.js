// The page of turn files: replies are handed in, answers ahead and the notepad kept, reminders set.
import { ask, say } from "./common.js";
import { ago } from "./desk.js";

const at = (id) => document.getElementById(id);
const main = document.querySelector("main.post");
const api = (path) => `/api/games/${encodeURIComponent(main.dataset.game)}${path}${main.dataset.query}`;
const PAUSE = 600; // milliseconds without a key before the notepad is kept
const MOST = 900_000; // characters of a file that are sent whole

const sentence = (words) => words.charAt(0).toUpperCase() + words.slice(1) + (/[.!?]$/.test(words) ? "" : ".");

async function asked(method, path, body) {
  try {
    return await ask(method, api(path), body);
  } catch {
    return { refused: "The connection is lost: try again." };
  }
}

function tell(place, answer, done) {
  place.className = answer.refused ? "refused" : "said";
  place.textContent = answer.refused ? sentence(answer.refused) : done;
}

async function handIn() {
  const [file] = at("reply-file").files;
  let text = file ? await file.text() : at("reply-text").value;
  if (!text.trim()) return tell(at("taken"), { refused: "Choose the reply, or paste its text." });
  if (text.length > MOST) text = text.split("\n").filter((line) => !line.startsWith('{"event"') && !line.startsWith('{"line":"question"')).join("\n");
  const answer = await asked("POST", "/turn-file", { text });
  tell(at("taken"), answer, answer.said);
  if (!answer.refused) {
    at("reply-file").value = "";
    at("reply-text").value = "";
    await showTurn();
  }
}

/** Which turn is open now, and what its file is called. */
async function showTurn() {
  try {
    const answer = await fetch(location.pathname + location.search, { credentials: "same-origin" });
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("turn");
    if (fresh) at("turn")?.replaceWith(fresh);
  } catch {
    // What was said of the reply stands there all the same.
  }
}

async function keepAhead() {
  const answer = await asked("POST", "/desk/ahead", { text: at("ahead").value });
  tell(at("ahead-said"), answer, answer.ahead?.trim() ? "Kept." : "Kept: there are none.");
  if (!answer.refused) at("ahead").value = answer.ahead;
}

let timer = 0;
async function keepNotes() {
  const text = at("notepad").value;
  const answer = await asked("POST", "/desk/notepad", { text });
  if (answer.refused) tell(at("notepad-said"), answer);
  else {
    at("notepad-said").className = "quiet";
    at("notepad-said").textContent = at("notepad").value === text ? "Kept." : "";
  }
}

function showReminder({ reminder }) {
  at("no-reminder").hidden = !reminder;
  at("reminder").textContent = !reminder ? "There is no reminder." : reminder.due ? "You wanted to be reminded now." : `You will be reminded in ${ago(reminder.seconds)}.`;
}

async function remind(hours) {
  const answer = await asked("POST", "/desk/reminder", { hours });
  if (answer.refused) say(sentence(answer.refused));
  else showReminder(answer);
}

at("hand-in").addEventListener("click", handIn);
at("keep-ahead")?.addEventListener("click", keepAhead);
at("notepad")?.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(keepNotes, PAUSE);
});
at("notepad")?.addEventListener("change", () => {
  clearTimeout(timer);
  keepNotes();
});
if (at("remind")) {
  at("remind").addEventListener("click", () => remind(Number(at("hours").value)));
  at("no-reminder").addEventListener("click", () => remind(0));
  asked("GET", "/desk").then((desk) => { if (!desk.refused) showReminder(desk); });
}
