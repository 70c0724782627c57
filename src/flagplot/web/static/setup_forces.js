// The forces beside the text: drawn from the server's outline of it, changed by asking for changes to it.
import { ask, make, say } from "/static/common.js";
import { button, choice, field, fold, inText, keyOf, line, number, open, pick, prepareParts, tick } from "/static/setup_parts.js";
import { drawActivities, drawBoats, drawPorts, forceName, wherePlaced } from "/static/setup_operation.js";

const at = (id) => document.getElementById(id);
const MOST_SHOWN = 60;
let SIDES = ["axis", "allies"]; // those that are drawn
const TITLES = { axis: "Axis", allies: "Allies" };
const HULLS = { BB: "bb", BC: "bb", PB: "ca", CV: "cv", CVL: "cv", CVB: "cv" };

let words = {};
let change = async () => {};
let ships = [];
let outline = null;
let settled = false; // whether names and nations are somebody else's to set
let nations = null; // those a side may have, if that is settled
let musters = []; // sides that will enter their own forces in private

/** only: { side, nations } for a page on which one side musters; names and nations are then settled. */
export async function prepareFleets(given, changing, going, only = null) {
  [words, change] = [given, changing];
  prepareParts(changing, going);
  if (only) [SIDES, settled, nations] = [[only.side], true, only.nations];
  for (const id of ["ship-search", "ship-nation", "ship-kind"]) at(id).addEventListener("input", () => drawShips(outline));
  ships = (await ask("GET", "/api/ships")).filter((ship) => !nations || nations.includes(ship.nation));
  document.body.append(make("datalist", { id: "all-ships" }, ...ships.map((ship) => make("option", { value: ship.name }, `${ship.nation}, ${ship.kind_name}`))));
  if (outline) drawShips(outline);
}

// -- drawing -------------------------------------------------------------------------------------------------

/** Draw all forces anew, leaving the person where he was: same control, same half-typed value, same folds. */
export function drawFleets(now, mustering = []) {
  outline = now;
  musters = mustering;
  const held = document.activeElement;
  const inside = at("fleets").contains(held);
  const key = inside ? held.dataset.key : null;
  const side = inside ? held.closest("[data-side]")?.dataset.side : null;
  const typed = key && held.tagName === "INPUT" && held.type !== "checkbox" && held.value !== held.defaultValue ? held.value : null;
  at("fleets").replaceChildren(...SIDES.map((side) => drawSide(side, now.sides[side])));
  if (!inside) return;
  const again = key ? at("fleets").querySelector(`[data-key="${CSS.escape(key)}"]`) : null;
  if (again?.tagName === "INPUT" && typed !== null) again.value = typed;
  (again ?? at("fleets").querySelector(`[data-key="${side}.new-force"]`))?.focus({ preventScroll: true });
}

const operates = () => outline.battle.kind === "operation";
const oneRound = () => (outline.battle.kind ?? "naval battle") !== "naval battle"; // nobody comes later

function drawSide(side, told) {
  const bases = (operates() ? told.ports : told.bases).map((base) => base.name);
  return make("section", { class: `sheet side ${side}`, "data-side": side, "aria-labelledby": `side-${side}` },
    make("h2", { id: `side-${side}` }, `${TITLES[side]}: ${told.name || "no name"}`, make("span", {}, inText(told.line, TITLES[side]))),
    settled ? null : make("div", { class: "fields" },
      line("Name", [side, "name"], told.name),
      choice("Nation", [side, "nation"], told.nation, words.nations)),
    musters.includes(side) ? make("p", { class: "said" }, `${told.name || TITLES[side]} will muster in private. What stands here is only what it begins with, and you know it.`) : null,
    ...told.forces.map((force, n) => drawForce(side, n, force, bases, told)),
    make("p", { class: "verbs" }, button("New force", () => newForce(side, told), { "data-key": `${side}.new-force` })),
    operates() ? drawActivities(side, told, words, outline) : null,
    operates() ? drawBoats(side, told, words, nations) : null,
    drawAirBases(side, told),
    drawUnder(side, told),
    drawShortages(side, told),
    operates() ? drawPorts(side, told, settled) : drawBases(side, told));
}

function newForce(side, told) {
  const names = told.forces.map((force) => force.name);
  let n = names.length + 1;
  while (names.includes(`Force ${n}`)) n += 1;
  const value = { name: `Force ${n}` };
  if (!operates()) value.mission = outline.battle.kind === "port attack" ? "patrol" : outline.battle.interceptor === side ? "interception" : "patrol";
  const bases = operates() ? told.ports : told.bases;
  if (bases.length) value.base = bases[0].name;
  value.destroyers = 1; // a force without ships is refused; one destroyer is the least there is
  return change([{ path: [side, "force", names.length], value }]);
}

function drawForce(side, n, force, bases, told) {
  const path = [side, "force", n];
  const key = keyOf(path);
  const card = make("article", { class: "force", "aria-label": `Force ${force.name}`, "data-force": key });
  const over = force.factors > 25 ? " too many" : "";
  const size = `${force.factors} of 25 factors${force.carriers ? `, ${force.carriers} of them carriers` : ""}${over}`;
  const add = make("input", { list: "all-ships", placeholder: "name of a ship", "data-key": `${key}.add`, id: `add-${side}-${n}` });
  add.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    addShip(side, n, add.value);
  });
  card.append(
    make("div", { class: "force-head" },
      operates() ? forceName(side, n, force, told) : line("Force", [...path, "name"], force.name, "grow"),
      make("span", { class: "size quiet" }, size, " ", inText(force.line, force.name))),
    make("ul", { class: "ships", "aria-label": `Ships of ${force.name}` }, ...force.ships.map((ship, place) => drawShip(side, n, ship, place, told))),
    make("p", { class: "row add" }, make("label", { class: "hidden-label", for: add.id }, `Add a ship to ${force.name}`), add,
      button("Add", () => addShip(side, n, add.value), { "aria-label": `Add the ship to ${force.name}` })),
    make("div", { class: "counts" }, ...words.light.map(([kind, label]) => number(label, [...path, kind], force.light[kind]))),
    operates() ? wherePlaced(path, force, bases, words) : make("div", { class: "fields" },
      choice("Mission", [...path, "mission"], force.mission, words.missions, { usual: "patrol" }),
      oneRound() && force.arrives === 1 ? null : number("Arrives in round", [...path, "arrives"], force.arrives, { min: 1, max: words.latest_round, usual: 1, kind: "" })),
    drawCargo(path, force),
    fold(`${key}.more`, [operates() ? "Task force, other nations, remove" : "Base, task force, other nations, remove"],
      operates() ? null : make("div", { class: "fields" },
        bases.length ? choice("Comes from", [...path, "base"], force.base, bases) : line("Comes from", [...path, "base"], force.base),
        number("Group number, if given before (22.423A)", [...path, "number"], force.number, { max: 6, kind: "" })),
      tick("a task force (20.162)", [...path, "task_force"], force.task_force, true),
      tick("inverted already (22.81)", [...path, "inverted"], force.inverted, false),
      operates() ? choice("Flag, which everyone sees (22.141E)", [...path, "nation"], force.nation || told.nation, nations ?? words.nations, { usual: told.nation }) : null,
      operates() ? null : tick("guards sea supply (22.141)", [...path, "sea_supply"], force.sea_supply, false),
      operates() ? null : tick("sails empty on a mission that hampers it (22.552B)", [...path, "sails_empty"], force.sails_empty, false),
      outline.battle.kind === "raider combat" ? tick("engaged (22.35)", [...path, "engaged"], force.engaged, true) : null,
      ...force.also.map((other, m) => make("div", {}, make("h4", {}, `Light ships of ${other.nation}`),
        make("div", { class: "counts" }, ...words.light.map(([kind, label]) => number(label, [...path, "also", m, kind], other[kind]))),
        button("Take them out", () => change([{ path: [...path, "also", m], value: null }]), { class: "plain" }))),
      pick("Light ships of another nation", `${key}.also`, words.nations, "Add", (nation) => change([{ path: [...path, "also", force.also.length], value: { nation, destroyers: 1 } }])),
      make("p", {}, button(`Remove ${force.name}`, () => change([{ path, value: null }])))));
  takesDrops(card, side, n);
  return card;
}

/** What a force carries (22.82A). */
function drawCargo(path, force) {
  const key = keyOf(path);
  const rows = force.cargo.map((item, n) => make("div", { class: "fields cargo" },
    line("Carries", [...path, "cargo", n, "name"], item.name),
    number("needs", [...path, "cargo", n, "needs"], item.needs, { min: 1, usual: null }),
    choice("of", [...path, "cargo", n, "by"], item.by, ["DD", "TR"], { usual: "DD" }),
    button("Remove", () => change([{ path: [...path, "cargo", n], value: null }]), { "aria-label": `Leave ${item.name} behind` })));
  const taken = () => outline.sides[path[0]].forces.flatMap((each) => each.cargo.map((item) => item.name));
  const add = button("Add cargo", () => {
    let n = 1;
    while (taken().includes(`cargo ${n}`)) n += 1;
    open.add(`${key}.cargo`);
    change([{ path: [...path, "cargo", force.cargo.length], value: { name: `cargo ${n}`, needs: 1 } }]);
  }, { "data-key": `${key}.new-cargo`, "aria-label": `Add cargo to ${force.name}` });
  const told = force.cargo.length ? `Cargo: ${force.cargo.map((item) => `${item.name} (${item.needs})`).join(", ")}` : "Cargo: none";
  return fold(`${key}.cargo`, [told], make("p", { class: "quiet" }, "Each needs so many destroyer factors (DD) or transports (TR) of this force. ", make("code", {}, "22.82A")), ...rows, make("p", {}, add));
}

function drawShip(side, n, ship, place, told) {
  const path = [side, "force", n, "ships", place];
  const key = keyOf(path);
  const state = [ship.damaged ? "damaged" : "", ship.hits ? `${ship.hits} hit${ship.hits > 1 ? "s" : ""}` : "",
    ship.carrier && ship.air !== null ? `${ship.air} NAS` : "", ship.elite ? `${ship.elite} elite` : ""].filter(Boolean).join(", ");
  const kind = ship.id ? `${ship.kind} ${ship.size}${ship.fast ? "" : " slow"}${ship.nation === told.nation ? "" : ` ${ship.nation}`}` : "not in the list";
  const write = (changes) => {
    const item = { ...ship.given, ...changes };
    for (const [name, value] of Object.entries(item)) if (value === null || value === false) delete item[name];
    return change([{ path, value: Object.keys(item).length === 1 ? item.name : item }]);
  };
  const small = (label, name, value, usual, max) => {
    const control = make("input", { type: "number", min: 0, max, value, inputmode: "numeric" });
    control.addEventListener("change", () => write({ [name]: Number(control.value) === usual ? null : Math.trunc(Number(control.value)) }));
    return field(label, control, [...path, name], "count");
  };
  const damaged = make("input", { type: "checkbox", checked: ship.damaged, "data-key": `${key}.damaged` });
  damaged.addEventListener("change", () => write({ damaged: damaged.checked, hits: null }));
  const bound = make("input", { type: "checkbox", checked: ship.given.may_not_withdraw === true, "data-key": `${key}.bound` });
  bound.addEventListener("change", () => write({ may_not_withdraw: bound.checked }));
  const others = SIDES.flatMap((other) => outline.sides[other].forces.map((force, m) => ({ other, m, name: force.name }))).filter((each) => each.other === side && each.m !== n);
  const item = make("li", { draggable: "true" }, fold(key,
    [make("span", { class: `hull ${HULLS[ship.kind] ?? "dd"}`, "aria-hidden": "true" }), make("span", { class: "ship-name" }, ship.name || "?"), make("span", { class: "quiet" }, `${kind}${state ? ` · ${state}` : ""}`)],
    make("div", { class: "counts" },
      ship.size > 2 && !ship.damaged ? small("hits", "hits", ship.hits, 0, ship.size - 2) : null,
      ship.carrier ? small("squadrons aboard", "air", ship.air ?? (ship.damaged ? 0 : ship.size), ship.damaged ? 0 : ship.size, ship.size) : null,
      ship.carrier && ship.nation === "Japan" ? small("of them elite", "elite", ship.elite, 0, ship.size) : null),
    make("label", { class: "choice" }, damaged, " damaged"),
    ship.nation === "Japan" ? make("label", { class: "choice" }, bound, " may not withdraw (33.61B)") : null,
    others.length ? pick(`Move ${ship.name} to`, `${key}.move`, others.map((each) => each.name), "Move", (name) => moveShip(path, side, others.find((each) => each.name === name).m)) : null,
    make("p", {}, button(`Remove ${ship.name}`, () => change([{ path, value: null }])))));
  item.addEventListener("dragstart", (event) => {
    event.dataTransfer.setData("text/plain", JSON.stringify({ move: path }));
    event.dataTransfer.effectAllowed = "move";
    event.stopPropagation();
  });
  return item;
}

// -- ships into forces -------------------------------------------------------------------------------------------

const holding = (id) => SIDES.flatMap((side) => outline.sides[side].forces).find((force) => force.ships.some((ship) => ship.id === id));

function addShip(side, n, name) {
  const plain = (text) => text.normalize("NFKD").replace(/[^\w]+/g, " ").trim().toLowerCase();
  const ship = ships.find((each) => plain(each.name) === plain(name));
  if (!ship) return say(name.trim() ? `There is no ship “${name.trim()}” in the list.` : "Name a ship first.");
  const there = holding(ship.id);
  if (there) return say(`${ship.name} already sails with ${there.name} (20.11).`);
  const force = outline.sides[side].forces[n];
  const input = document.querySelector(`[data-key="${side}.force.${n}.add"]`);
  if (input) input.value = "";
  say(`${ship.name} joins ${force.name}.`);
  return change([{ path: [side, "force", n, "ships", force.ships.length], value: ship.name }]);
}

function moveShip(path, side, to) {
  const [from, , n, , place] = path;
  const ship = outline.sides[from].forces[n].ships[place];
  const target = outline.sides[side].forces[to];
  if (from === side && n === to) return undefined;
  const item = Object.keys(ship.given).length === 1 ? ship.name : ship.given;
  say(`${ship.name} joins ${target.name}.`);
  return change([{ path: [side, "force", to, "ships", target.ships.length], value: item }, { path, value: null }]);
}

function takesDrops(card, side, n) {
  card.addEventListener("dragover", (event) => {
    event.preventDefault();
    card.classList.add("over");
  });
  card.addEventListener("dragleave", (event) => {
    if (!card.contains(event.relatedTarget)) card.classList.remove("over");
  });
  card.addEventListener("drop", (event) => {
    event.preventDefault();
    card.classList.remove("over");
    let told;
    try {
      told = JSON.parse(event.dataTransfer.getData("text/plain"));
    } catch {
      return;
    }
    if (typeof told?.add === "string") addShip(side, n, told.add);
    else if (Array.isArray(told?.move)) moveShip(told.move, side, n);
  });
}

/** The list of ships, as far as it fits the search. */
export function drawShips(now) {
  outline = now;
  if (!outline || !Array.isArray(ships)) return;
  const here = new Set(nations ?? SIDES.map((side) => outline.sides[side].nation));
  const wanted = at("ship-search").value.trim().toLowerCase();
  const nation = at("ship-nation").value;
  const kind = at("ship-kind").value;
  const fitting = ships.filter((ship) => ship.name.toLowerCase().includes(wanted) && (!kind || ship.kind === kind)
    && (nation === "here" ? here.has(ship.nation) : !nation || ship.nation === nation));
  const sailing = new Set(fitting.filter((ship) => holding(ship.id)));
  fitting.sort((one, other) => sailing.has(one) - sailing.has(other)); // those that sail already come last
  const target = at("ship-force");
  const chosen = target.value;
  target.replaceChildren(...SIDES.flatMap((side) => outline.sides[side].forces.map((force, n) => make("option", { value: `${side}.${n}` }, `${outline.sides[side].name}: ${force.name}`))));
  if ([...target.options].some((option) => option.value === chosen)) target.value = chosen;
  at("ships-found").textContent = `${fitting.length} of ${ships.length}`;
  const held = at("ship-list").contains(document.activeElement) ? document.activeElement.dataset.ship : null;
  at("ship-list").replaceChildren(
    ...fitting.slice(0, MOST_SHOWN).map(drawListed),
    fitting.length > MOST_SHOWN ? make("li", { class: "quiet" }, `${fitting.length - MOST_SHOWN} more: narrow the search.`) : "");
  if (held) (at("ship-list").querySelector(`[data-ship="${CSS.escape(held)}"]:not([disabled])`) ?? at("ship-list")).focus({ preventScroll: true });
}

function drawListed(ship) {
  const there = holding(ship.id);
  const add = button(there ? "sails" : "Add", () => {
    const [side, n] = at("ship-force").value.split(".");
    if (side) addShip(side, Number(n), ship.name);
  }, { "aria-label": `Add ${ship.name}`, disabled: Boolean(there), "data-ship": ship.id });
  const about = `${ship.kind} ${ship.size}${ship.fast ? "" : " slow"} · ${ship.nation}${there ? ` · with ${there.name}` : ""}`;
  const item = make("li", { draggable: there ? "false" : "true", class: there ? "taken" : null },
    make("span", { class: `hull ${HULLS[ship.kind]}`, "aria-hidden": "true" }),
    make("span", { class: "listed-ship" }, make("b", {}, ship.name), make("span", { class: "quiet" }, about)), add);
  item.addEventListener("dragstart", (event) => {
    event.dataTransfer.setData("text/plain", JSON.stringify({ add: ship.name }));
    event.dataTransfer.effectAllowed = "copyMove";
  });
  return item;
}

// -- what is not in forces ---------------------------------------------------------------------------------------

function drawAirBases(side, told) {
  const count = told.air_bases.length;
  const cards = told.air_bases.map((base, n) => {
    const path = [side, "air_base", n];
    const nation = make("select", { "aria-label": `Nation of aircraft to add at ${base.name}`, "data-key": `${keyOf(path)}.nation` },
      ...words.air_nations.filter((each) => !nations || nations.includes(each)).map((each) => make("option", { selected: each === told.nation }, each)));
    return make("article", { class: "force", "aria-label": `Air base ${base.name}` },
      make("div", { class: "force-head" }, line("Air base", [...path, "name"], base.name, "grow"), make("span", { class: "size quiet" }, inText(base.line, base.name))),
      operates() ? line("Where: a hex, or a place on the map", [...path, "hex"], base.hex || base.name) : null,
      make("div", { class: "counts" },
        operates() ? null : number("hexes away", [...path, "distance"], base.distance, { usual: null }),
        number("room in squadrons", [...path, "capacity"], base.capacity, { usual: 15 }),
        ...Object.entries(base.aircraft).map(([label, value]) => number(label, [...path, "aircraft", label], value))),
      tick("operational", [...path, "operational"], base.operational, true),
      make("div", { class: "counts" }, ...Object.entries(base.inverted).map(([label, value]) => number(`${label}, inverted`, [...path, "inverted", label], value))),
      pick("Aircraft to add", `${keyOf(path)}.unit`, words.units, "Add", (unit) => change([{ path: [...path, "aircraft", `${nation.value} ${unit}`], value: 1 }]), [nation]),
      make("p", {}, button("Add them inverted", () => {
        const unit = document.querySelector(`[data-key="${CSS.escape(`${keyOf(path)}.unit`)}"]`).value;
        change([{ path: [...path, "inverted", `${nation.value} ${unit}`], value: 1 }]);
      }, { class: "plain", "aria-label": `Add aircraft to ${base.name}, inverted` })),
      make("p", {}, button(`Remove ${base.name}`, () => change([{ path, value: null }]))));
  });
  const add = button("New air base", () => {
    open.add(`${side}.air`);
    const where = operates() ? { hex: told.ports[0]?.hex || told.ports[0]?.name || "" } : { distance: 1 };
    change([{ path: [side, "air_base", count], value: { name: freshName(outline, "Airfield"), ...where, aircraft: { [`${told.nation} AAF`]: 1 } } }]);
  }, { "data-key": `${side}.new-air-base` });
  return fold(`${side}.air`, [`Air bases (${count})`], ...cards, make("p", {}, add));
}

function freshName(now, word) {
  const taken = SIDES.flatMap((side) => now.sides[side].air_bases.map((base) => base.name));
  let n = 1;
  while (taken.includes(`${word} ${n}`)) n += 1;
  return `${word} ${n}`;
}

function drawUnder(side, told) {
  const boats = Object.entries(told.submarines);
  const total = boats.reduce((sum, [, count]) => sum + count, 0);
  const begun = told.begun_research;  // what the nation has unless it is said (25.632)
  const research = { ...begun, ...told.research };
  const results = Object.values(research).filter(Boolean).length;
  const spent = Object.entries(told.submarines_spent);
  const may = words.submarines.filter((each) => each !== told.nation && (!nations || nations.includes(each.replace(/ advanced$/, ""))));
  const afloat = operates() ? [] : [
    make("div", { class: "counts" }, ...boats.map(([label, value]) => number(`${label} submarines`, [side, "submarines", label], value))),
    pick("Submarines to add", `${side}.submarines.add`, [told.nation, ...may], "Add", (nation) => change([{ path: [side, "submarines", nation], value: 1 }])),
    make("div", { class: "counts" }, ...spent.map(([label, value]) => number(`${label}, have attacked`, [side, "submarines_spent", label], value))),
    (outline.battle.round ?? 1) > 1 ? pick("Submarines that have attacked", `${side}.spent.add`, [told.nation, ...may], "Add", (nation) => change([{ path: [side, "submarines_spent", nation], value: 1 }])) : null,
  ];
  return fold(`${side}.under`, [operates() ? `Research (${results}), ranges` : `Submarines (${total}), research (${results})`],
    ...afloat,
    make("div", { class: "counts" }, ...words.research.map((name) => number(`${name} results`, [side, "research", name], research[name] ?? 0, { max: 9, usual: begun[name] ?? 0 })),
      ...Object.entries(words.boxes).filter(([, theatre]) => theatre === outline.battle.theatre).map(([box]) => number(`excess ASW, ${box} (22.9415)`, [side, "excess_asw", box], told.excess_asw[box] ?? 0)),
      number("codebreaking for submarines (48.41B)", [side, "submarine_codebreaking"], told.submarine_codebreaking, { min: -1, max: 1 }),
      number("reach of carrier air, in hexes", [side, "carrier_range"], told.carrier_range),
      number("reach of air ashore, in hexes", [side, "air_range"], told.air_range)));
}

/** Nations, and air bases, that are short of supply or oil or suffer from winter: inputs from the campaign. */
function drawShortages(side, told) {
  const here = [...new Set([told.nation, ...told.forces.flatMap((force) => [...force.ships.map((ship) => ship.nation), ...force.also.map((other) => other.nation)])])].filter(Boolean);
  const fields = operates() ? [] : told.air_bases.map((base) => base.name);
  const kinds = [
    ["partial_supply_or_oil", "ships short of supply or oil", "22.552A", []],
    ["impaired_air", "aircraft short of supply or oil", "23.441A", fields],
    ["winter_air", "aircraft in winter", "23.441A", fields],
  ];
  const count = kinds.reduce((sum, [key]) => sum + told[key].length, 0);
  return fold(`${side}.shortages`, [`Supply, oil and winter (${count})`], ...kinds.map(([key, label, rule, bases]) =>
    make("fieldset", {}, make("legend", {}, `${label[0].toUpperCase()}${label.slice(1)} `, make("code", {}, rule)),
      ...[...new Set([...here, ...bases, ...told[key]])].map((name) => {
        const control = make("input", { type: "checkbox", checked: told[key].includes(name), "data-key": `${side}.${key}.${name}` });
        control.addEventListener("change", () => {
          const now = control.checked ? [...told[key], name] : told[key].filter((each) => each !== name);
          change([{ path: [side, key], value: now.length ? now : null }]);
        });
        return make("label", { class: "choice" }, control, ` ${name}`);
      }))));
}

function drawBases(side, told) {
  const rows = told.bases.map((base, n) => make("div", { class: "fields base" },
    line("Base", [side, "base", n, "name"], base.name),
    number("hexes away", [side, "base", n, "distance"], base.distance, { usual: null }),
    tick("is being invaded (22.63C)", [side, "base", n, "invaded"], base.invaded, false),
    button("Remove", () => change([{ path: [side, "base", n], value: null }]), { "aria-label": `Remove the base ${base.name}` })));
  const add = button("New base", () => {
    open.add(`${side}.bases`);
    const first = told.bases.length === 0; // then every force needs it as its base of origin (22.63)
    const name = `Port ${told.bases.length + 1}`;
    change([{ path: [side, "base", told.bases.length], value: { name, distance: 5 } },
      ...(first ? told.forces.slice(0, 15).map((_, n) => ({ path: [side, "force", n, "base"], value: name })) : [])]);
  }, { "data-key": `${side}.new-base` });
  return fold(`${side}.bases`, [`Bases to go home to (${told.bases.length})`], make("p", { class: "quiet" }, "If any are listed, every force comes from one of them. ", make("code", {}, "22.63")), ...rows, make("p", {}, add));
}
