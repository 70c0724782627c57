// The set-up page. The text is the truth: every control writes into it by asking the server, and is drawn anew from it.
import { ask, make, say } from "/static/common.js";
import { copyField, deviceLabel } from "/static/clipboard.js";
import { drawFleets, drawShips, prepareFleets } from "/static/setup_forces.js";

const main = document.querySelector("main");
const at = (id) => document.getElementById(id);
const text = at("text");
const words = JSON.parse(main.dataset.words);
const WAIT = 350; // milliseconds after the last key before the text is checked

let read = null; // what the server last said of the text
let asked = 0; // counts checks, so that a late answer to an old text is not shown
let timer = 0;
let queue = Promise.resolve(); // changes go one after another
let known = text.value; // the text as it was last checked
const undo = [];
const shipped = { name: main.dataset.scenario, text: main.dataset.scenario ? text.value : null };
let sharedText = null;

const sentence = (words) => (words ? words[0].toUpperCase() + words.slice(1) + (/[.!?]$/.test(words) ? "" : ".") : "");

// -- the text ----------------------------------------------------------------------------------------

async function check() {
  clearTimeout(timer);
  const mine = ++asked;
  const now = text.value;
  let told;
  try {
    told = await ask("POST", "/api/setups/read", { text: now });
  } catch {
    told = { refused: "The server did not answer; the text is not checked." };
  }
  if (mine !== asked) return read;
  known = now;
  show(told);
  return told;
}

function show(told) {
  if (told.refused) {
    at("verdict").textContent = sentence(told.refused);
    return;
  }
  read = told;
  drawVerdict();
  drawGutter();
  drawTop();
  const broken = told.outline === null;
  at("fleets").inert = broken;
  at("fleets").classList.toggle("stale", broken);
  if (!broken) {
    drawFleets(told.outline);
    drawShips(told.outline);
  }
}

function drawVerdict() {
  const place = at("verdict");
  at("bar").classList.toggle("wrong", !read.ok);
  at("jump").hidden = read.ok || !read.line;
  if (read.ok) {
    place.replaceChildren(make("b", {}, "✓ Ready. "), `${read.outline.battle.title} can be played.`);
    return;
  }
  const where = read.line ? `Line ${read.line}` : "The text";
  place.replaceChildren(make("b", {}, `✗ ${where}: `), `${sentence(read.reason)} `, read.rule ? make("code", {}, read.rule) : "");
  at("jump").textContent = `Go to line ${read.line}`;
}

function drawGutter() {
  const count = text.value.split("\n").length;
  const wrong = read && !read.ok ? read.line : 0;
  const before = wrong || count + 1;
  const numbers = (from, to) => Array.from({ length: Math.max(0, to - from) }, (_, n) => from + n).join("\n");
  const parts = [numbers(1, before)];
  if (wrong) parts.push(before > 1 ? "\n" : "", make("mark", {}, `✗${wrong}`), wrong < count ? `\n${numbers(wrong + 1, count + 1)}` : "");
  at("gutter").replaceChildren(...parts, "\n\n\n");
  at("gutter").scrollTop = text.scrollTop;
}

/** Put the cursor on a line of the text, and the line in sight. */
function goTo(line) {
  const lines = text.value.split("\n");
  const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  text.focus({ preventScroll: true });
  text.setSelectionRange(start, start + (lines[line - 1] ?? "").length);
  text.scrollTop = Math.max(0, (line - 5) * parseFloat(getComputedStyle(text).lineHeight));
  text.scrollLeft = 0;
  text.scrollIntoView({ block: "nearest" });
}

function remember(old) {
  if (old === undo.at(-1)) return;
  undo.push(old);
  if (undo.length > 100) undo.shift();
  at("undo").disabled = false;
}

/** Another text altogether. */
function replaceText(now) {
  remember(text.value);
  text.value = now;
  text.scrollTop = 0;
  return check();
}

/** Write changes into the text. Each is a path and a value; null takes away. */
function change(changes) {
  queue = queue.then(async () => {
    clearTimeout(timer);
    text.readOnly = true;
    try {
      const told = await ask("POST", "/api/setups/change", { text: text.value, changes });
      if (told.refused) {
        say(sentence(told.refused));
        await check();
        return;
      }
      asked += 1;
      remember(text.value);
      const line = firstDifference(text.value, told.text);
      const from = text.scrollTop;
      text.value = known = told.text;
      text.scrollTop = from;
      showLine(line);
      show(told);
    } catch {
      say("The server did not answer; nothing was changed.");
    } finally {
      text.readOnly = false;
    }
  });
  return queue;
}

function firstDifference(old, now) {
  const before = old.split("\n");
  const after = now.split("\n");
  const line = after.findIndex((each, n) => each !== before[n]);
  return line < 0 ? after.length : line + 1;
}

/** Scroll the text to a line without moving the person's own place on the page. */
function showLine(line) {
  const height = parseFloat(getComputedStyle(text).lineHeight);
  const top = (line - 1) * height;
  if (top < text.scrollTop || top > text.scrollTop + text.clientHeight - 2 * height) text.scrollTop = Math.max(0, top - 4 * height);
}

// -- the top of the page -------------------------------------------------------------------------------

function drawTop() {
  const outline = read.outline;
  if (!outline) return;
  for (const control of document.querySelectorAll("[data-top]")) {
    const value = outline.battle[control.dataset.top] ?? control.dataset.default ?? "";
    if (document.activeElement !== control || control.tagName === "SELECT") control.value = value;
  }
  let other = 0;
  for (const radio of document.querySelectorAll("[data-option]")) {
    const chosen = outline.options[radio.dataset.option];
    radio.checked = chosen === undefined ? "usual" in radio.dataset : radio.value === chosen;
    if (radio.checked && !("usual" in radio.dataset)) other += 1;
  }
  at("rulings-changed").textContent = other ? `${other} changed` : "all as usual";
  const labels = { axis: "Axis", allies: "Allies" };
  for (const side of ["axis", "allies"]) {
    const name = outline.sides[side].name;
    document.querySelector(`[data-side-name="${side}"]`).textContent = name ? `${labels[side]}: ${name}` : labels[side];
    at("interceptor").querySelector(`[value="${side}"]`).textContent = name || labels[side];
  }
}

for (const control of document.querySelectorAll("[data-top]")) {
  control.addEventListener("change", () => change([{ path: [control.dataset.top], value: control.value }]));
}
for (const radio of document.querySelectorAll("[data-option]")) {
  radio.addEventListener("change", () => {
    change([{ path: ["options", radio.dataset.option], value: "usual" in radio.dataset ? null : radio.value }]);
  });
}

at("scenario").addEventListener("change", async () => {
  const name = at("scenario").value;
  if (name === "-") return location.reload();
  if (!name) {
    shipped.name = "";
    history.replaceState(null, "", "/new");
    return replaceText(main.dataset.nothing);
  }
  const told = await ask("GET", `/api/scenarios/${name}`);
  if (told.refused) return say(sentence(told.refused));
  Object.assign(shipped, { name, text: told.text });
  history.replaceState(null, "", `/new?scenario=${name}`);
  return replaceText(told.text);
});

at("file").addEventListener("change", async () => {
  const file = at("file").files[0];
  if (!file) return;
  if (file.size > 200000) say("That file is longer than any set-up.");
  else await replaceText(await file.text());
  at("file").value = "";
});

text.addEventListener("input", () => {
  if (undo.at(-1) !== known) remember(known);
  drawGutter();
  clearTimeout(timer);
  timer = setTimeout(check, WAIT);
});
text.addEventListener("scroll", () => { at("gutter").scrollTop = text.scrollTop; });
at("jump").addEventListener("click", () => goTo(read.line));
at("undo").addEventListener("click", () => {
  text.value = undo.pop() ?? text.value;
  at("undo").disabled = undo.length === 0;
  check();
});
at("download").addEventListener("click", () => {
  const name = (read?.outline?.battle.title ?? "battle").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "battle";
  const address = URL.createObjectURL(new Blob([text.value], { type: "application/toml" }));
  const link = make("a", { href: address, download: `${name}.toml` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
});

// -- sharing and creating ------------------------------------------------------------------------------

at("share").addEventListener("click", async () => {
  const now = text.value;
  if (now === sharedText) return;
  const told = await ask("POST", "/api/setups", { text: now });
  if (told.refused) return say(sentence(told.refused));
  sharedText = now;
  at("shared-link").replaceChildren(copyField("Whoever opens this link gets the set-up as it is now, both sides of it", told.address, "shared-address"));
  at("shared-link").hidden = false;
  at("shared-address").focus();
});

const playerOf = (side) => document.querySelector(`input[name="${side}"]:checked`).value;

at("create").addEventListener("click", async () => {
  at("create").disabled = true;
  try {
    await queue;
    const told = await check();
    if (!told.ok) {
      say("The set-up cannot be played yet.");
      if (told.line) goTo(told.line);
      return;
    }
    const same = shipped.name && text.value === shipped.text;
    const made = await ask("POST", "/api/games", {
      ...(same ? { scenario: shipped.name } : { text: text.value }),
      axis: playerOf("axis"),
      allies: playerOf("allies"),
      listed: at("listed").checked,
      spectators: at("spectators").checked,
    });
    if (made.refused) say(sentence(made.refused));
    else showMade(made);
  } catch {
    say("The server did not answer. A game may have been made: look into the lobby if it was to be listed.");
  } finally {
    at("create").disabled = false;
  }
});

function showMade(made) {
  at("making").hidden = true;
  at("bar").hidden = true;
  at("made").hidden = false;
  const { battle, sides } = read.outline;
  const people = ["axis", "allies"].filter((side) => made.invitations[side]);
  at("made-title").textContent = `${battle.title}: ${["axis", "allies"].map((side) => `${sides[side].name} by ${{ person: "a person", admiral: "the admiral", random: "chance" }[playerOf(side)]}`).join(", ")}.`;
  const host = `${location.origin}/games/${made.game}/seats#${made.invitations.host.split("#")[1]}`;
  at("invitations").replaceChildren(
    ...people.map((side) => make("div", { id: `invitation-${side}` }, copyField(`Invitation for ${sides[side].name}`, made.invitations[side], `link-${side}`))),
    make("div", {}, copyField("Host's link, for you: it gives a seat anew or closes the game, and shows neither side's secrets", host, "link-host")));
  const seats = people.length ? people : ["host"];
  const name = make("input", { id: "my-name", maxlength: "60", autocomplete: "nickname" });
  at("made-verbs").replaceChildren(
    people.length ? make("span", { class: "name" }, make("label", { for: "my-name" }, "Your name, if you like"), name) : "",
    ...seats.map((seat) => {
      const label = seat === "host" ? "Start and watch" : `Start: I play ${sides[seat].name}`;
      const button = make("button", { type: "button", class: seats.length === 1 ? "main" : "", "data-seat": seat }, label);
      button.addEventListener("click", () => start(made, seat, name.value.trim()));
      return button;
    }));
  at("h-made").focus();
  scrollTo(0, 0);
}

/** Claim one's own seat here, and show its recovery code before going on. */
async function start(made, seat, name) {
  const token = made.invitations[seat].split("#")[1];
  const told = await ask("POST", "/api/claim", { token, name, device: deviceLabel() });
  if (told.refused) return say(sentence(told.refused));
  const mine = at(`invitation-${seat}`);
  mine?.replaceChildren(make("p", { class: "said" }, `${read.outline.sides[seat].name} is yours, in this browser. That invitation is used.`));
  const written = make("input", { type: "checkbox", id: "written" });
  const go = make("button", { type: "button", class: "main", id: "go", disabled: true }, "Go to the battle");
  written.addEventListener("change", () => { go.disabled = !written.checked; });
  go.addEventListener("click", () => location.assign(`/games/${made.game}`));
  at("made-verbs").replaceChildren(
    make("div", { class: "recovery" },
      copyField("Your recovery code, shown only now: it brings you back to this seat", told.recovery, "recovery-shown"),
      make("label", { class: "choice" }, written, " I have written it down, and sent the other side its link")),
    go);
  at("recovery-shown").focus();
}

prepareFleets(words, change, goTo);
check();
