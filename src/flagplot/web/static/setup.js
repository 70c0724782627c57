// The set-up page: the battle, who plays, the rulings; forces and text are drawn by setup_forces.js and setup_editor.js.
import { ask, make, say } from "/static/common.js";
import { copyField } from "/static/clipboard.js";
import { editor, sentence } from "/static/setup_editor.js";
import { drawFleets, drawShips, prepareFleets } from "/static/setup_forces.js";
import { offerFile } from "/static/setup_file.js";
import { showMade } from "/static/setup_made.js";

const main = document.querySelector("main");
const at = (id) => document.getElementById(id);
const text = at("text");
const words = JSON.parse(main.dataset.words);
const SIDES = ["axis", "allies"];
const shipped = { name: main.dataset.scenario, text: main.dataset.scenario ? text.value : null };
let sharedText = null;

const hotSeat = () => at("hot-seat").checked;
const playerOf = (side) => (hotSeat() ? "person" : document.querySelector(`input[name="${side}"]:checked`).value);
const mustering = () => at("muster").checked && !at("muster").disabled;
const musters = () => (mustering() ? SIDES.filter((side) => playerOf(side) === "person") : []);

const { check, change, replaceText, goTo, read, settled } = editor({
  readAt: "/api/setups/read",
  changeAt: "/api/setups/change",
  more: () => ({ muster: musters() }),
  fine: (told) => [make("b", {}, "✓ Ready. "), musters().length
    ? `${told.outline.battle.title}: ${musters().map((side) => told.outline.sides[side].name).join(" and ")} will muster.`
    : `${told.outline.battle.title} can be played.`],
  drawn: draw,
});

function draw(told) {
  drawTop();
  const broken = told.outline === null;
  at("fleets").inert = broken;
  at("fleets").classList.toggle("stale", broken);
  if (broken) return;
  drawFleets(told.outline, musters());
  drawShips(told.outline);
}

// -- the top of the page -------------------------------------------------------------------------------

function drawTop() {
  const outline = read().outline;
  if (!outline) return;
  for (const control of document.querySelectorAll("[data-top]")) {
    const key = control.dataset.top;
    const value = (key.startsWith("inputs.") ? key.split(".").slice(1).reduce((at, part) => at?.[part], outline.inputs) : outline.battle[key]) ?? control.dataset.default ?? "";
    if (control.type === "checkbox") control.checked = value === true;
    else if (document.activeElement !== control || control.tagName === "SELECT") control.value = value;
  }
  let other = 0;
  for (const radio of document.querySelectorAll("[data-option]")) {
    const chosen = outline.options[radio.dataset.option];
    radio.checked = chosen === undefined ? "usual" in radio.dataset : radio.value === chosen;
    if (radio.checked && !("usual" in radio.dataset)) other += 1;
  }
  fitTogether();
  at("rulings-changed").textContent = other ? `${other} changed` : "all as usual";
  const labels = { axis: "Axis", allies: "Allies" };
  for (const side of ["axis", "allies"]) {
    const name = outline.sides[side].name;
    document.querySelector(`[data-side-name="${side}"]`).textContent = name ? `${labels[side]}: ${name}` : labels[side];
    for (const list of ["interceptor", "search_advantage"]) at(list).querySelector(`[value="${side}"]`).textContent = name || labels[side];
    document.querySelector(`[data-name="${side}"]`).textContent = name || labels[side];
  }
}

for (const control of document.querySelectorAll("[data-top]")) {
  control.addEventListener("change", () => {
    const { top: key, default: usual } = control.dataset;
    const value = control.type === "number" ? Math.trunc(Number(control.value || usual)) : control.type === "checkbox" ? control.checked : control.value;
    const plain = control.type === "number" || control.type === "checkbox" || key === "edition";
    change([{ path: key.split("."), value: plain && String(value) === usual ? null : value }]);
  });
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

at("create").addEventListener("click", async () => {
  at("create").disabled = true;
  try {
    await settled();
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
      spectator_delay: at("spectators").checked ? Math.trunc(Number(at("delay").value)) : 0,
      referee: at("referee").checked,
      hot_seat: hotSeat(),
      muster: mustering(),
    });
    if (made.refused) return void say(sentence(made.refused));
    const { battle, sides } = read().outline;
    showMade(made, {
      title: battle.title,
      names: Object.fromEntries(SIDES.map((side) => [side, sides[side].name])),
      players: Object.fromEntries(SIDES.map((side) => [side, playerOf(side)])),
      muster: mustering(),
      watched: at("spectators").checked,
      delay: Math.trunc(Number(at("delay").value)),
    });
  } catch {
    say("The server did not answer. A game may have been made: look into the lobby if it was to be listed.");
  } finally {
    at("create").disabled = false;
  }
});

// -- who plays -----------------------------------------------------------------------------------------

/** What goes together: mustering needs a hidden order of battle and a person, a delay needs spectators. */
function fitTogether() {
  const hidden = read()?.outline?.battle.order_of_battle === "hidden";
  const anybody = SIDES.some((side) => playerOf(side) === "person");
  at("muster").disabled = !hidden || !anybody;
  at("muster-why").textContent = !hidden ? "Needs a hidden order of battle." : !anybody ? "Needs a person: bots bring what stands here." : "";
  for (const side of SIDES) document.querySelector(`[data-players="${side}"]`).disabled = hotSeat();
  at("delay-row").hidden = !at("spectators").checked;
}

for (const control of document.querySelectorAll("#who input")) {
  control.addEventListener("change", () => {
    fitTogether();
    check();
  });
}

prepareFleets(words, change, goTo);
offerFile({ sides: SIDES, read, change, replaceText });
check();
