// Putting something right by agreement: the dialog, typed amendments, and the proposal that waits. The server judges.

import { make } from "./common.js";

const at = (id) => document.getElementById(id);
const STATES = { hits: "hits, not damaged", damaged: "damaged", undamaged: "undamaged, no hits", sunk: "sunk", restored: "afloat after all" };

const field = (id, label, input) => {
  input.id = id;
  return make("p", {}, make("label", { for: id }, label), make("br"), input);
};
const choice = (values, labels = {}) => make("select", {}, ...values.map((value) => make("option", { value }, labels[value] ?? value)));
const number = (value = 0) => make("input", { type: "number", min: "0", max: "99", value: `${value}`, inputmode: "numeric" });
const told = (text) => make("p", { class: "quiet" }, text);

/** The fields for a kind of change, from what this seat knows of a side. */
function fields(kind, known) {
  if (kind === "ship") {
    const states = Object.keys(STATES).filter((state) => (state === "restored" ? known.sunk.length : known.ships.length));
    if (!states.length) return [told("No ship of that side is known by name.")];
    const becomes = choice(states, STATES);
    const ship = choice([]);
    const hits = field("amend-hits", "Hits", number());
    const where = field("amend-to", "In which group", choice(known.places));
    const show = () => {
      const names = becomes.value === "restored" ? known.sunk : known.ships;
      ship.replaceChildren(...names.map((name) => make("option", { value: name }, name)));
      hits.hidden = !["hits", "restored"].includes(becomes.value);
      where.hidden = becomes.value !== "restored";
    };
    becomes.addEventListener("change", show);
    show();
    return [field("amend-becomes", "She is", becomes), field("amend-ship", "Ship", ship), hits, where];
  }
  if (!known.whole && kind !== "squadrons") return [told("Only that side can propose this: it concerns what others do not know.")];
  if (kind === "add") {
    return [field("amend-to", "To which group or force", choice(known.places)),
      field("amend-ships", "Named ships, with commas between", make("input", { autocomplete: "off" })),
      field("amend-light", "Light ships, as 3 Japan/DD, 1 Japan/CA", make("input", { autocomplete: "off", placeholder: known.light[0] ? `2 ${known.light[0]}` : "" }))];
  }
  if (kind === "remove") {
    return [field("amend-to", "Of which group or force", choice(known.places)),
      field("amend-light", "Light ships, as 3 Japan/DD, 1 Japan/CA", make("input", { autocomplete: "off", placeholder: known.light[0] ? `2 ${known.light[0]}` : "" })),
      field("amend-sunk", "They", choice(["yes", "no"], { yes: "are sunk", no: "were never there" }))];
  }
  if (kind === "squadrons") {
    if (!known.air.length) return [told("No carrier or air base of that side is known to you.")];
    const where = choice(known.air.map((each) => each.name));
    const key = make("input", { autocomplete: "off", list: "amend-keys" });
    const keys = make("datalist", { id: "amend-keys" });
    const many = number();
    const show = () => {
      const has = known.air.find((each) => each.name === where.value).has;
      keys.replaceChildren(...Object.keys(has).map((each) => make("option", { value: each })));
      [key.value, many.value] = Object.entries(has)[0] ?? ["", "0"];
    };
    where.addEventListener("change", show);
    show();
    return [field("amend-at", "Carrier or base", where), field("amend-key", "Type, as Japan/NAS or Japan/NAS/elite", key), keys, field("amend-number", "How many", many)];
  }
  const aboard = choice(["yes", "no"], { yes: "is also carried", no: "is not carried" });
  return [field("amend-to", "By which group or force", choice(known.places)), field("amend-name", "What", make("input", { autocomplete: "off" })), field("amend-aboard", "It", aboard),
    field("amend-needs", "Needs so many", number(1)), field("amend-by", "of", choice(["DD", "TR"], { DD: "destroyer factors", TR: "transports" }))];
}

/** Light ships as typed: "3 Japan/DD, 1 Japan/CA". */
export function lightShips(text) {
  const counts = {};
  for (const part of text.split(/[,+]/).filter((each) => each.trim())) {
    const read = /^\s*(\d{1,2})\s+(\S.*?)\s*$/.exec(part);
    if (!read) throw new Error(`“${part.trim()}”: write a number and a kind, as 3 Japan/DD.`);
    counts[read[2]] = (counts[read[2]] ?? 0) + Number(read[1]);
  }
  return counts;
}

const value = (id) => at(id)?.value.trim() ?? "";

/** The change the dialog describes. */
function described() {
  const [kind, side] = [value("amend-kind"), value("amend-side")];
  if (kind === "ship") return { kind, side, ship: value("amend-ship"), becomes: value("amend-becomes"), hits: at("amend-hits").closest("p").hidden ? 0 : Number(value("amend-hits")), to: value("amend-to") };
  if (kind === "add") return { kind, side, to: value("amend-to"), ships: value("amend-ships").split(",").map((each) => each.trim()).filter(Boolean), light: lightShips(value("amend-light")) };
  if (kind === "remove") return { kind, side, to: value("amend-to"), light: lightShips(value("amend-light")), sunk: value("amend-sunk") === "yes" };
  if (kind === "squadrons") return { kind, side, at: value("amend-at"), key: value("amend-key"), number: Number(value("amend-number")) };
  return { kind, side, to: value("amend-to"), name: value("amend-name"), aboard: value("amend-aboard") === "yes", needs: Number(value("amend-needs")), by: value("amend-by") };
}

const WAYS = [
  [/^(CG ?\d+|.+?) add (.+)$/i, (all) => {
    const parts = all[2].split("+").map((each) => each.trim()).filter(Boolean);
    return { kind: "add", to: all[1], ships: parts.filter((each) => !/^\d/.test(each)), light: lightShips(parts.filter((each) => /^\d/.test(each)).join(",")) };
  }],
  [/^(CG ?\d+|.+?) (loses|never had) (\d.+)$/i, (all) => ({ kind: "remove", to: all[1], light: lightShips(all[3]), sunk: all[2].toLowerCase() === "loses" })],
  [/^(.+?) carries (.+?) needing (\d+) (DD|TR)$/i, (all) => ({ kind: "cargo", to: all[1], name: all[2], needs: Number(all[3]), by: all[4].toUpperCase() })],
  [/^(.+?) drops (.+)$/i, (all) => ({ kind: "cargo", to: all[1], name: all[2], aboard: false })],
  [/^(.+?) has (\d+) (\S.*\/\S+)$/i, (all) => ({ kind: "squadrons", at: all[1], number: Number(all[2]), key: all[3] })],
  [/^(.+?) (\d+) hits?$/i, (all) => ({ kind: "ship", ship: all[1], becomes: "hits", hits: Number(all[2]) })],
  [/^(.+?) restored (?:to )?(.+)$/i, (all) => ({ kind: "ship", ship: all[1], becomes: "restored", to: all[2] })],
  [/^(.+?) (damaged|undamaged|sunk)$/i, (all) => ({ kind: "ship", ship: all[1], becomes: all[2].toLowerCase() })],
];

const same = (one, two) => one.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "") === two.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** A typed amendment as a change; the side is the one that has such a ship, base or group, one's own first. */
export function readAmendment(text, sides, own) {
  for (const [pattern, make] of WAYS) {
    const all = pattern.exec(text.trim());
    if (!all) continue;
    const change = make(all);
    const place = change.to && /^CG ?\d+$/i.test(change.to) ? change.to.toUpperCase().replace(" ", "") : change.to;
    if (place) change.to = place;
    const named = change.ship ?? change.at ?? change.to;
    const has = (known) => [...known.ships, ...known.sunk, ...known.places, ...known.air.map((each) => each.name)].some((each) => same(each, named));
    const order = [own, ...Object.keys(sides).filter((side) => side !== own)].filter((side) => sides[side]);
    return { ...change, side: order.find((side) => has(sides[side])) ?? order[0] };
  }
  throw new Error("Write for example: amend SHIP 1 hit; amend SHIP sunk; amend CG2 add SHIP + 2 NATION/DD; amend CG2 loses 1 NATION/DD; amend SHIP has 2 NATION/NAS.");
}

/** The dialog. `send(change, words)` proposes; what it throws is shown. */
export class Amendments {
  constructor({ look, send, answer }) {
    this.look = look;
    this.send = send;
    this.answer = answer;
    this.sides = {};
    at("amend-side").addEventListener("change", () => this.show());
    at("amend-kind").addEventListener("change", () => this.show());
    at("amend-not").addEventListener("click", () => at("amendment").close());
    at("amendment-form").addEventListener("submit", async (event) => {
      event.preventDefault();
      try {
        await this.send(described(), value("amend-words"));
        at("amendment").close();
      } catch (error) {
        at("amend-refused").textContent = error.message;
      }
    });
  }

  async open(own) {
    this.sides = (await this.look()).sides;
    const order = Object.keys(this.sides).sort((one, two) => (two === own) - (one === own));
    at("amend-side").replaceChildren(...order.map((side) => make("option", { value: side }, this.sides[side].name)));
    at("amend-words").value = "";
    this.show();
    at("amendment").showModal();
  }

  show() {
    at("amend-refused").textContent = "";
    const known = this.sides[value("amend-side")];
    if (known) at("amend-fields").replaceChildren(...fields(value("amend-kind"), known));
  }

  async typed(text, own) {
    const { sides } = await this.look();
    await this.send(readAmendment(text, sides, own), "");
  }

  /** The proposal that waits, above the orders. */
  waiting(proposal) {
    const box = at("proposal");
    box.hidden = !proposal;
    if (!proposal) return;
    const words = proposal.words ? ` “${proposal.words}”` : "";
    const buttons = [];
    const button = (id, label, way) => {
      const made = make("button", { type: "button", id }, label);
      made.addEventListener("click", () => this.answer(way, proposal.id));
      buttons.push(made);
    };
    if (proposal.asked) button("amend-accept", "Accept", "accept");
    if (proposal.asked) button("amend-decline", "Decline", "decline");
    if (proposal.mine) button("amend-withdraw", "Withdraw it", "decline");
    const who = proposal.mine ? "You propose an amendment" : `${proposal.by_name} proposes an amendment`;
    const rest = proposal.mine ? " It waits for the other side." : proposal.asked ? " From the next segment on, if you accept." : " It waits for an answer.";
    box.replaceChildren(make("span", {}, `${who}: `, make("b", {}, proposal.text), `.${words}${rest}`), ...buttons);
  }
}
