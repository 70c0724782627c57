// What only an operation has: ports, forces in them or on patrol, submarines by place, and the activities one may announce.
import { make } from "/static/common.js";
import { button, changing, choice, field, fold, inText, keyOf, line, number, open, pick, tick, ticks } from "/static/setup_parts.js";

let places = {}; // of each map

export function preparePlaces(words) {
  places = words.maps;
  document.body.append(make("datalist", { id: "all-places" }));
}

/** The places to offer: those of the map. */
export function drawPlaces(outline) {
  const list = document.getElementById("all-places");
  if (list.dataset.map === outline.sea.map) return;
  list.dataset.map = outline.sea.map;
  list.replaceChildren(...(places[outline.sea.map] ?? []).map((name) => make("option", { value: name })));
}

/** A field for a place: the places of the map are offered. */
function place(label, path, value, kind = "") {
  const made = line(label, path, value, kind);
  made.querySelector("input").setAttribute("list", "all-places");
  return made;
}

/** Yes, no, or what the map says. */
function said(label, path, value) {
  const control = make("select", {}, ...[["", "as the map says"], ["true", "yes"], ["false", "no"]].map(([key, word]) => make("option", { value: key, selected: key === String(value ?? "") }, word)));
  control.addEventListener("change", () => changing([{ path, value: control.value ? control.value === "true" : null }]));
  return field(label, control, path);
}

/** A name others refer to: it is changed wherever it stands. */
function named(label, path, value, references, kind = "") {
  const control = make("input", { value, maxlength: 80 });
  control.addEventListener("change", () => {
    const now = control.value.trim();
    changing([{ path, value: now || null }, ...(now ? references.slice(0, 39).map((each) => ({ path: each, value: now })) : [])]);
  });
  return field(label, control, path, kind);
}

const fresh = (word, taken) => {
  let n = 1;
  while (taken.includes(`${word} ${n}`)) n += 1;
  return `${word} ${n}`;
};

/** The name of a force; the activities that name it follow. */
export function forceName(side, n, force, told) {
  const references = told.activities.flatMap((each, m) => each.forces.flatMap((name, k) => (name === force.name ? [[side, "activity", m, "forces", k]] : [])));
  return named("Force", [side, "force", n, "name"], force.name, references, "grow");
}

/** Where a force is: in its port, or on patrol at sea. */
export function wherePlaced(path, force, bases, words) {
  const now = force.displaced ? "displaced" : force.began_at_sea ? "began_at_sea" : force.patrol;
  const told = { "": "in port", displaced: "at sea, displaced from its port", began_at_sea: "a raider at sea since the game began" };
  const patrol = make("select", {}, ...["", ...words.patrols, "displaced", "began_at_sea"].map((each) => make("option", { value: each, selected: each === now }, told[each] ?? `on ${each} patrol at sea`)));
  patrol.addEventListener("change", () => changing([
    { path: [...path, "patrol"], value: words.patrols.includes(patrol.value) ? patrol.value : null },
    { path: [...path, "displaced"], value: patrol.value === "displaced" ? true : null },
    { path: [...path, "began_at_sea"], value: patrol.value === "began_at_sea" ? true : null },
    { path: [...path, "at"], value: patrol.value ? force.at || force.base : null }]));
  return make("div", { class: "fields" },
    choice("Base", [...path, "base"], force.base, bases),
    field("At first (21.41)", patrol, [...path, "patrol"]),
    now || force.at ? place("In the hex", [...path, "at"], force.at) : null);
}

export function drawPorts(side, told, settled) {
  const rows = told.ports.map((port, n) => {
    const path = [side, "port", n];
    const references = [
      ...told.forces.flatMap((force, m) => (force.base === port.name ? [[side, "force", m, "base"]] : [])),
      ...told.boats.flatMap((boats, m) => (boats.port === port.name ? [[side, "boats", m, "port"]] : [])),
      ...told.activities.flatMap((each, m) => each.calls.flatMap((name, k) => (name === port.name ? [[side, "activity", m, "calls", k]] : []))),
    ];
    if (settled) return make("li", {}, port.name, port.hex ? ` in ${port.hex}` : "");
    const name = named("Port", [...path, "name"], port.name, references);
    name.querySelector("input").setAttribute("list", "all-places");
    return make("article", { class: "force", "aria-label": `Port ${port.name}` },
      make("div", { class: "fields" }, name, place("In the hex, if the name is not on the map", [...path, "hex"], port.hex)),
      make("div", { class: "fields" },
        said("Ships may use it (22.11B)", [...path, "operational"], port.operational),
        said("Fortified (32.248)", [...path, "fortified"], port.fortified)),
      tick("is being invaded (22.63C)", [...path, "invaded"], port.invaded ?? false, false),
      make("p", { class: "row" }, button("Remove", () => changing([{ path, value: null }]), { "aria-label": `Remove the port ${port.name}` }), inText(port.line, port.name)));
  });
  const add = button("New port", () => {
    open.add(`${side}.ports`);
    changing([{ path: [side, "port", told.ports.length], value: { name: fresh("Port", told.ports.map((port) => port.name)) } }]);
  }, { "data-key": `${side}.new-port` });
  const about = settled ? "The host has settled them; everyone knows them." : "Everyone knows them. What the map says of a port holds, unless you say otherwise here.";
  return fold(`${side}.ports`, [`Ports (${told.ports.length})`], make("p", { class: "quiet" }, about),
    ...(settled ? [make("ul", {}, ...rows)] : rows), settled ? null : make("p", {}, add));
}

export function drawBoats(side, told, words, nations) {
  const may = words.submarines.filter((each) => !nations || nations.includes(each.replace(/ advanced$/, "")));
  const count = told.boats.reduce((sum, boats) => sum + Object.values(boats.submarines).reduce((all, one) => all + one, 0), 0);
  const ports = told.ports.map((port) => port.name);
  const rows = told.boats.map((boats, n) => {
    const path = [side, "boats", n];
    const where = boats.port || `patrol in ${boats.at}`;
    return make("article", { class: "force", "aria-label": `Submarines, ${where}` },
      make("div", { class: "fields" }, boats.patrol || boats.at
        ? place("On patrol in", [...path, "at"], boats.at) : choice("Port", [...path, "port"], boats.port, ports)),
      make("div", { class: "counts" }, ...Object.entries(boats.submarines).map(([label, value]) => number(label, [...path, "submarines", label], value))),
      pick("Submarines to add", `${keyOf(path)}.add`, [told.nation, ...may.filter((each) => each !== told.nation)], "Add", (nation) => changing([{ path: [...path, "submarines", nation], value: 1 }])),
      make("p", { class: "row" }, button("Remove", () => changing([{ path, value: null }]), { "aria-label": `Remove the submarines, ${where}` }), inText(boats.line, where)));
  });
  const free = ports.filter((port) => !told.boats.some((boats) => boats.port === port));
  const add = free.length ? pick("A port with submarines", `${side}.boats.new`, free, "Add", (port) => {
    open.add(`${side}.boats`);
    changing([{ path: [side, "boats", told.boats.length], value: { port, submarines: { [told.nation]: 1 } } }]);
  }) : null;
  return fold(`${side}.boats`, [`Submarines (${count})`], make("p", { class: "quiet" }, "Those in one place are listed once. Submarines on patrol: ", make("code", {}, "at"), " and ", make("code", {}, "patrol"), " in the text."), ...rows, add);
}

export function drawActivities(side, told, words, outline) {
  const moves = outline.battle.mover === side;
  const rows = told.activities.map((each, n) => drawActivity(side, n, each, told, words));
  const add = button("New activity", () => {
    open.add(`${side}.activities`);
    const taken = told.activities.map((each) => each.name);
    changing([{ path: [side, "activity", taken.length], value: { name: fresh("Activity", taken), kind: "base change", to: told.ports[0]?.name ?? "" } }]);
  }, { "data-key": `${side}.new-activity` });
  const about = moves ? "What this side may announce; whether it does, and with which forces, is decided in play." : "This side does not move: it intercepts. Activities would not be asked for.";
  return fold(`${side}.activities`, [`Activities (${told.activities.length})`], make("p", { class: "quiet" }, about, " ", make("code", {}, "22.15")), ...rows, make("p", {}, add));
}

function drawActivity(side, n, each, told, words) {
  const path = [side, "activity", n];
  const forces = told.forces.map((force) => force.name);
  return make("article", { class: "force", "aria-label": `Activity ${each.name}` },
    make("div", { class: "force-head" }, line("Activity", [...path, "name"], each.name, "grow"), make("span", { class: "size quiet" }, inText(each.line, each.name))),
    make("div", { class: "fields" },
      choice("Kind", [...path, "kind"], each.kind, words.activities),
      place("To a port or hex", [...path, "to"], each.to)),
    tick("the ships return to their base in this phase", [...path, "returns"], each.returns, words.returning.includes(each.kind)),
    ticks("Who may take part; none ticked: all", [...path, "forces"], each.forces, forces),
    fold(`${keyOf(path)}.more`, ["Meeting, calls, range and more"],
      make("div", { class: "fields" },
        place("Forces meet at sea in (22.13C)", [...path, "meet"], each.meet),
        number("Hexes it may sail; 0: any number (21.33)", [...path, "range"], each.range, { kind: "" }),
        number("Ground factors defending (22.22F)", [...path, "ground_factors"], each.ground_factors, { kind: "" }),
        line("Zone of sea supply", [...path, "zone"], each.zone),
        line("Combined with (28.32)", [...path, "combined"], each.combined),
        choice("Purpose, to or from an SW box (22.11A)", [...path, "purpose"], each.purpose, ["", ...words.purposes])),
      tick("a patrol that tries to stay (22.22B)", [...path, "staying"], each.staying, false),
      ticks("Calls at these ports, in this order (22.13C)", [...path, "calls"], each.calls, told.ports.map((port) => port.name))),
    make("p", {}, button(`Remove ${each.name}`, () => changing([{ path, value: null }]))));
}
