// The set-up page: the battle, who plays, the rulings; forces and text are drawn by setup_forces.js and setup_editor.js.
import { chosenTime } from "/static/setup_clock.js";
import { ask, make, say } from "/static/common.js";
import { copyField } from "/static/clipboard.js";
import { editor, sentence } from "/static/setup_editor.js";
import { drawFleets, drawShips, prepareFleets } from "/static/setup_forces.js";
import { drawPlaces, preparePlaces } from "/static/setup_operation.js";
import { offerFile } from "/static/setup_file.js";
import { showMade } from "/static/setup_made.js";

const main = document.querySelector("main");
const at = (id) => document.getElementById(id);
const text = at("text");
const words = JSON.parse(main.dataset.words);
const SIDES = ["axis", "allies"];
const shipped = { name: main.dataset.scenario, text: main.dataset.scenario ? text.value : null };
const kept = { text: null, told: null }; // as it was last shared

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
  drawPlaces(told.outline);
  drawFleets(told.outline, musters());
  drawShips(told.outline);
}

// -- the top of the page -------------------------------------------------------------------------------

function drawTop() {
  const outline = read().outline;
  if (!outline) return;
  showWhatMatters(outline);
  for (const control of document.querySelectorAll("[data-top]")) {
    const key = control.dataset.top;
    const value = (key.includes(".") ? key.split(".").reduce((at, part) => at?.[part], outline) : outline.battle[key]) ?? control.dataset.default ?? "";
    if (control.type === "checkbox") control.checked = value === true;
    else if (document.activeElement !== control || control.tagName === "SELECT") control.value = value;
  }
  if (document.activeElement !== at("sea-places")) at("sea-places").value = outline.sea.places.join(", ");
  for (const box of document.querySelectorAll("[data-phase]")) box.checked = outline.phases.includes(box.dataset.phase);
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
    for (const list of ["interceptor", "search_advantage", "mover"]) at(list).querySelector(`[value="${side}"]`).textContent = name || labels[side];
    for (const place of document.querySelectorAll(`[data-name="${side}"]`)) place.textContent = name || labels[side];
  }
}

/** Each kind has its own fields; of rulings, those on interception stand apart, where they matter or are chosen. */
function showWhatMatters(outline) {
  const kind = outline.battle.kind ?? "naval battle";
  const operation = kind === "operation";
  const later = (outline.battle.round ?? 1) !== 1; // what stands in the text is never hidden
  for (const part of document.querySelectorAll("[data-only]")) {
    const only = part.dataset.only;
    part.hidden = only === "battle" ? operation || kind === "war" : only !== kind && !(only === "naval battle" && later) && !(only === "port attack" && outline.port.name);
  }
  for (const part of document.querySelectorAll("[data-not]")) part.hidden = part.dataset.not === kind;
  at("workbench").classList.toggle("text-alone", kind === "war");
  const chosen = Object.keys(outline.options);
  const among = (group) => [...document.querySelectorAll(`.options[data-rulings="${group}"] [data-option]`)].some((radio) => chosen.includes(radio.dataset.option));
  const matter = { operations: operation || among("operations"), war: kind === "war" || among("war") };
  for (const part of document.querySelectorAll("[data-rulings]")) part.hidden = !matter[part.dataset.rulings];
  const [who, rule] = { "air attack": ["Who attacks", "23.75"], "port attack": ["Who attacks", "23.5"], "submarine attack": ["Whose submarines", "22.921"] }[kind] ?? ["Who intercepts", "22.11"];
  at("who-intercepts").replaceChildren(`${who} `, make("code", {}, rule));
}

for (const control of document.querySelectorAll("[data-top]")) {
  control.addEventListener("change", () => {
    const { top: key, default: usual } = control.dataset;
    const value = control.type === "number" ? Math.trunc(Number(control.value || usual)) : control.type === "checkbox" ? control.checked : control.value;
    const plain = control.type === "number" || control.type === "checkbox" || key === "edition";
    const more = key === "kind" ? withPort(value) : [];
    const nothing = (plain && String(value) === usual) || (key === "sea.map" && !value);
    change([{ path: key.split("."), value: nothing ? null : value }, ...more]);
  });
}
/** An attack on a port has a port; nothing else has. */
function withPort(kind) {
  const { port, battle, sides } = read().outline;
  if (kind !== "port attack") return port.name ? [{ path: ["port"], value: null }] : [];
  const attacked = battle.interceptor === "axis" ? "allies" : "axis";
  return port.name ? [] : [{ path: ["port"], value: { name: sides[attacked].bases[0]?.name || "Harbour" } }];
}

at("sea-places").addEventListener("change", () => {
  const places = at("sea-places").value.split(",").map((each) => each.trim()).filter(Boolean);
  change([{ path: ["sea", "places"], value: places.length ? places : null }]);
});
for (const box of document.querySelectorAll("[data-phase]")) {
  box.addEventListener("change", () => {
    const played = [...document.querySelectorAll("[data-phase]:checked")].map((each) => each.dataset.phase);
    change([{ path: ["phases"], value: played.length ? played : null }]);
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
  if (!name || name === "+") {
    shipped.name = "";
    history.replaceState(null, "", "/new");
    return replaceText(name ? words.no_operation : main.dataset.nothing);
  }
  const told = await ask("GET", `/api/scenarios/${name}`);
  if (told.refused) return say(sentence(told.refused));
  Object.assign(shipped, { name, text: told.text });
  history.replaceState(null, "", `/new?scenario=${name}`);
  return replaceText(told.text);
});

// -- sharing and creating ------------------------------------------------------------------------------

/** Keep the text as it is now on the server: its id and its address, or nothing if that is refused. */
async function shared() {
  const now = text.value;
  if (now === kept.text) return kept.told;
  const told = await ask("POST", "/api/setups", { text: now });
  if (told.refused) return void say(sentence(told.refused));
  Object.assign(kept, { text: now, told });
  return told;
}

at("odds").addEventListener("click", async () => {
  await settled();
  const told = await check();
  if (!told.ok) {
    say("The set-up cannot be played yet, so it has no odds.");
    if (told.line) goTo(told.line);
    return;
  }
  const same = shipped.name && text.value === shipped.text;
  const setup = same ? null : await shared();
  if (!same && !setup) return;
  const address = same ? `/odds?scenario=${encodeURIComponent(shipped.name)}` : `/odds?setup=${encodeURIComponent(setup.id)}`;
  if (!window.open(address, "_blank")) location.assign(address); // what is set up stays open behind it, where the browser lets it
});

at("share").addEventListener("click", async () => {
  const told = await shared();
  if (!told) return;
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
      odds: at("give-odds").checked,
      referee: at("referee").checked,
      dice: document.querySelector("input[name=dice]:checked").value,
      hot_seat: hotSeat(),
      muster: mustering(),
      ...chosenTime(),
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

preparePlaces(words);
prepareFleets(words, change, goTo);
offerFile({ sides: SIDES, read, change, replaceText });
check();
