// The Naval Combat Chart, fleets, dice and breakdowns, drawn from what the server sent. Replay and tutorial share this.
import { make } from "./common.js";

const NUMBERS = [1, 2, 3, 4, 5, 6];
const TIMES = ["", "once", "twice", "three times", "four times"];
const HULLS = {
  carrier: "M2 12h60l-4 6H8zM3 9h58v3H3zM36 9V4h5V2h3v2h3v5z",
  capital: "M1 12h62l-5 6H7zM10 12V9h6l8-1v1h-5v3zM54 12V9h-6l-8-1v1h5v3zM27 12V6h3V2h3v4h4v6z",
  cruiser: "M5 13h54l-5 5H10zM16 13v-2h5l5-1v3zM48 13v-2h-5l-5-1v3zM29 13V8h2V5h2v3h2v5z",
  small: "M14 14h38l-4 4H18zM30 14v-4h4v4z",
};
const PIPS = { 1: [5], 2: [1, 9], 3: [1, 5, 9], 4: [1, 3, 7, 9], 5: [1, 3, 5, 7, 9], 6: [1, 3, 4, 6, 7, 9] };

/** An element of a drawing. */
function draw(name, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** "a, b and c". */
export function listed(words) {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

export const times = (number) => TIMES[number] ?? `${number} times`;

// -- the chart ----------------------------------------------------------------------------------------

/** The chart as a table: `left` and `right` are sides, the reader's own on the left. On a phone it has three columns. */
export function chart(board, { left, right, names, mine = [], narrow = false, caption = "" }) {
  const table = make("table", { class: narrow ? "chart narrow" : "chart" });
  if (caption) table.append(make("caption", { class: "apart" }, caption));
  const heads = narrow
    ? [names[left], "no.", names[right]]
    : [`${names[left]} hidden`, `${names[left]} found`, "no.", `${names[right]} found`, `${names[right]} hidden`];
  table.append(make("thead", {}, make("tr", {}, ...heads.map((head) => make("th", { scope: "col" }, head)))));
  const body = make("tbody");
  for (const number of NUMBERS) {
    const active = board.segment !== "formation" && board.round >= number;
    const row = make("tr", {});
    const count = make("th", { scope: "row", class: active ? "n active" : "n" }, String(number));
    if (active) count.append(make("span", { class: "apart" }, " active"));
    const cells = { [left]: place(board, left, number, mine, narrow), [right]: place(board, right, number, mine, narrow) };
    row.append(...cells[left], count, ...cells[right].reverse());
    body.append(row);
  }
  table.append(body);
  return table;
}

/** The hidden and the found place of a side for a number; one place for both on a phone. */
function place(board, side, number, mine, narrow) {
  const group = board.sides[side]?.groups.find((each) => each.number === number);
  const cells = narrow ? [make("td")] : [make("td"), make("td")];
  if (group) cells[narrow || !group.found ? 0 : 1].append(mark(group, mine.includes(side)));
  return cells;
}

function mark(group, own) {
  const kinds = ["mark", own ? "own" : "foe", group.found ? "found" : "hidden"];
  const known = group.ships.length || group.light.length;
  const said = known ? group.name || contents(group) : group.said || "unknown";
  const facts = [group.found ? `found ${times(group.found)}` : "hidden"];
  if (known && group.fast === false) facts.push("slow");
  if (group.cargo.length) facts.push("cargo");
  return make("span", { class: kinds.join(" ") }, make("b", {}, `CG ${group.number}`), " ", said, " ",
    make("i", {}, facts.join(" · ")));
}

/** The ships of a group in a few letters: "2 CV, 3 CA, 4 DD". */
export function contents(group) {
  const counts = new Map();
  for (const ship of group.ships) counts.set(ship.kind, (counts.get(ship.kind) ?? 0) + 1);
  for (const ships of group.light) counts.set(ships.kind, (counts.get(ships.kind) ?? 0) + ships.number);
  return [...counts].map(([kind, number]) => `${number} ${kind}`).join(", ");
}

/** What the marks mean, in words. */
export function legend(blue = "own", red = "enemy") {
  return make("p", { class: "legend" }, make("span", {}, "solid frame: found this round"),
    make("span", {}, "dashed frame: hidden"), make("span", {}, "boxed number: active this round"),
    make("span", {}, `blue: ${blue} · red: ${red}`));
}

// -- fleets ---------------------------------------------------------------------------------------------

/** One side's fleet, as far as it is known. */
export function fleet(board, side, name, own) {
  const known = board.sides[side];
  const box = make("div", { class: own ? "fleet own" : "fleet foe" }, make("h3", {}, name));
  if (!known) return box;
  for (const group of known.groups) box.append(groupCard(group));
  const beside = [
    ["Not yet in the battle", known.pending.map((each) => `${each.name} (${each.contents}), from round ${each.arrives}`)],
    ["Before groups are formed", (known.forces ?? []).map((each) => `${each.name} (${each.contents})`)],
    ["Left behind, out when the round ends", (known.detached ?? []).map((each) => `${each.name} (${each.contents})`)],
    ["Back in port", (known.home ?? []).map((each) => `${each.name} (${each.contents})`)],
    ["Home", (known.returned ?? []).map((each) => `${each.name} (${each.contents})${each.base ? ` at ${each.base}` : ""}${each.inverted ? ", inverted" : ""}`)],
    ["Cargo lost", known.cargo_lost ?? []],
    ["Submarines lost", known.submarines_lost ?? []],
    ["Left the battle", known.withdrawn.map((each) => `${each.name} (${each.contents})`)],
    ["In the air", counts(known.aloft)],
    ["Air bases", known.air_bases.map(airBase)],
    ["Submarines", known.submarines],
    ["Submarines used", known.submarines_spent],
    ["Squadrons lost", counts(known.squadrons_lost)],
    ["Sunk", known.sunk],
  ];
  for (const [head, parts] of beside) {
    if (parts.length) box.append(make("p", { class: "beside" }, make("b", {}, `${head}: `), parts.join(head === "Air bases" ? "; " : ", ")));
  }
  if (!known.groups.length) box.append(make("p", { class: "quiet" }, "No markers are on the chart yet."));
  return box;
}

const counts = (squadrons) => squadrons.map((each) => `${each.number} ${each.label}`);

function airBase(base) {
  const there = counts([...base.factors, ...base.squadrons]);
  const facts = there.length ? there : ["nothing left to fly"];
  if (base.inverted.length) facts.push(`inverted: ${counts(base.inverted).join(", ")}`);
  if (!base.operational) facts.push("out of operation");
  return `${base.name}: ${facts.join(", ")}`;
}

function groupCard(group) {
  const state = [group.active ? "active" : "distant"];
  if (group.fast !== null) state.push(group.fast ? "fast" : "slow");
  state.push(group.found ? `found ${times(group.found)}` : "hidden");
  const head = make("header", {}, make("b", {}, `CG ${group.number}`), " ", make("span", {}, group.name || ""),
    make("em", {}, state.join(" · ")));
  const card = make("div", { class: "group" }, head);
  for (const ship of group.ships) card.append(shipRow(ship));
  for (const ships of group.light) {
    const state = ships.state ? ` ${ships.state}` : "";
    card.append(make("div", { class: "ship" }, hull(ships.kind === "CA" ? "cruiser" : "small", ships.state === "damaged"),
      make("span", {}, `${ships.number} ${ships.kind}${state}`), make("span", { class: "pips" }, ships.nation)));
  }
  const notes = [];
  if (!group.ships.length && !group.light.length) notes.push(group.said ? `Known: ${group.said}.` : "Nothing is known of it.");
  if (group.patrol.length) notes.push(`On patrol: ${counts(group.patrol).join(", ")}.`);
  if (group.cover.length) notes.push(`Covered by ${counts(group.cover).join(", ")}.`);
  if (group.cargo.length) notes.push(`Carrying ${listed(group.cargo)}.`);
  if (group.supply) notes.push("Guards the sea supply line.");
  if (notes.length) card.append(make("p", { class: "air" }, notes.join(" ")));
  return card;
}

function shipRow(ship) {
  const hits = "✕".repeat(Math.min(ship.hits, ship.size));
  const sound = "●".repeat(Math.max(0, ship.size - ship.hits));
  const pips = make("span", { class: "pips" }, make("span", { "aria-hidden": "true" }, make("b", {}, hits), sound),
    make("span", { class: "apart" }, `${ship.hits} of ${ship.size} hits`));
  if (ship.damaged) pips.append(" damaged");
  const name = make("span", {}, ship.name, make("small", {}, ` ${ship.kind}${ship.fast || ship.damaged ? "" : " slow"}`));
  if (ship.air.length) name.append(make("small", {}, ` · ${counts(ship.air).join(", ")}`));
  return make("div", { class: ship.damaged ? "ship hurt" : "ship" }, hull(ship.carrier ? "carrier" : "capital", ship.damaged), name, pips);
}

function hull(kind, hurt) {
  return draw("svg", { viewBox: "0 0 64 20", "aria-hidden": "true", class: hurt ? "hull hurt" : "hull" }, draw("path", { d: HULLS[kind] }));
}

// -- dice and breakdowns --------------------------------------------------------------------------------

/** Dice, shown as dice and named in words. */
export function dice(numbers) {
  const box = make("span", { class: "dice", role: "img", "aria-label": `dice: ${listed(numbers.map(String))}` });
  for (const number of numbers) {
    const die = draw("svg", { viewBox: "0 0 30 30", class: "die" }, draw("rect", { x: 1, y: 1, width: 28, height: 28, rx: 5 }));
    for (const pip of PIPS[number] ?? []) {
      die.append(draw("circle", { cx: 7.5 + 7.5 * ((pip - 1) % 3), cy: 7.5 + 7.5 * Math.floor((pip - 1) / 3), r: 2.6 }));
    }
    box.append(die);
  }
  return box;
}

const signed = (amount) => (amount > 0 ? `+${amount}` : amount < 0 ? `−${-amount}` : "0");
const total = (numbers) => numbers.reduce((sum, number) => sum + number, 0);

/** What a roll was made of: dice, lines with their rules, the sum. Null where the step has neither. */
export function roll(step, names) {
  if (!step.dice && !step.dice_of && !step.lines?.length) return null;
  const box = make("div", { class: "roll" });
  const thrown = make("div", { class: "thrown" });
  if (step.dice) thrown.append(dice(step.dice));
  for (const [side, numbers] of Object.entries(step.dice_of ?? {})) {
    thrown.append(make("span", { class: "whose" }, names[side] ?? side), dice(numbers));
  }
  if (thrown.childNodes.length) box.append(thrown);
  box.append(breakdown(step));
  return box;
}

function breakdown(step) {
  const table = make("table", { class: "ledger" }, make("caption", {}, plain(step)));
  const lines = step.lines ?? [];
  const sum = total(lines.map((line) => line[2]));
  const readable = step.dice && step.roll !== undefined && total(step.dice) + sum === step.roll;
  if (readable) table.append(line(step.rule, "dice", String(total(step.dice))));
  for (const [rule, reason, amount] of lines) table.append(line(rule, reason, signed(amount)));
  if (readable) {
    const hits = step.hits === undefined ? "" : `, ${step.hits === 1 ? "1 hit" : step.hits ? `${step.hits} hits` : "no hits"}`;
    table.append(line("", "read on the table as", `${step.roll}${hits}`, "sum"));
  } else if (lines.length > 1 || (lines.length && !step.dice)) {
    table.append(line("", "together", step.kind === "SearchCounted" ? `${Math.max(0, sum)} dice` : signed(sum), "sum"));
  }
  return table;
}

function line(rule, reason, amount, kind = "") {
  const number = rule ? make("a", { class: "rule", href: `/rules/${rule}` }, rule) : "";
  return make("tr", { class: kind }, make("td", {}, number), make("td", {}, reason), make("td", {}, amount));
}

/** A line of the story without the rule at its end, which is shown apart. */
export function plain(step) {
  const tail = ` (${step.rule})`;
  return step.text.endsWith(tail) ? step.text.slice(0, -tail.length) : step.text;
}
