// Draws any form from its schema: items, places, amounts, what is barred and why. It never judges: the server does.
//
// A form's state is `cells`: item -> place -> amount, always complete as far as the person has placed things. Every control
// shows a part of it and changes it through `place`, so that amounts always add up.

import { make } from "./common.js";

const GROUP = /^(CG\d+)[:,]? (.+)$/; // a label begins with the combat group it belongs to
const MANY_CHIPS = 64; // letters of all choices of an item; beyond it they are a list to choose from
const FEW_LETTERS = 30; // of all choices; up to here they stand beside what is placed
const MANY = 10; // of one item; beyond it there are steps of five
const STRIDE = 5;
const MANY_VERBS = 5; // places; beyond it "all to one place" is no help

const isNumber = (key) => /^\d+$/.test(key);
let forms = 0;

/** A link to a rule. */
export function ruleLink(number) {
  return make("a", { class: "rule", href: `/rules/${encodeURIComponent(number)}`, target: "_blank", rel: "noopener" }, number);
}

/** One form on the page. `onchange` is called after every change the person makes. */
export class OrdersForm {
  constructor(form, onchange = () => {}) {
    this.form = form;
    this.onchange = onchange;
    this.id = `form${++forms}`;
    this.items = new Map(form.items.map((item) => [item.key, item]));
    this.controls = [];
    this.cells = this.proposed();
    this.element = this.draw();
    this.sync();
  }

  // -- what is answered ----------------------------------------------------------------------

  /** The answer that stands if nothing is changed. */
  proposed() {
    return Object.fromEntries(this.form.items.map((item) => [item.key, { ...this.form.default[item.key] }]));
  }

  /** The answer as it goes to the server. */
  answer() {
    return structuredClone(this.cells);
  }

  get changed() {
    return this.form.items.some(({ key }) => !same(this.cells[key], this.form.default[key] ?? {}));
  }

  reset() {
    this.take(this.proposed());
  }

  /** Replace the whole answer. */
  take(cells) {
    this.cells = structuredClone(cells);
    this.sync();
    this.onchange();
  }

  /** Keep of an older draft what still fits this form; true if anything did. */
  adopt(cells) {
    let kept = false;
    for (const item of this.form.items) {
      const old = cells[item.key];
      if (!old) continue;
      const known = Object.keys(old).every((key) => item.places.some((place) => place.key === key && !place.barred));
      if (known && sum(old) === item.amount) {
        this.cells[item.key] = { ...old };
        kept = true;
      }
    }
    this.sync();
    return kept;
  }

  amount(item, place) {
    return this.cells[item.key][place] ?? 0;
  }

  /** How many of an item have no place yet. */
  left(item) {
    return item.amount - sum(this.cells[item.key]);
  }

  /** Put so many of an item in a place; what is over goes back to where the item rests. */
  place(item, place, amount) {
    const cells = this.cells[item.key];
    const free = item.rest && place !== item.rest ? this.amount(item, item.rest) : this.left(item);
    const now = Math.max(0, Math.min(amount, this.amount(item, place) + free));
    if (item.rest && place !== item.rest) put(cells, item.rest, this.amount(item, item.rest) + this.amount(item, place) - now);
    put(cells, place, now);
    this.sync();
    this.onchange();
  }

  /** The whole of an item in one place. A number another item holds is exchanged for the one this item had. */
  choose(item, place) {
    const [before] = Object.keys(this.cells[item.key]);
    if (isNumber(place) && item.amount === 1) {
      const holder = this.form.items.find((each) => each !== item && this.amount(each, place));
      if (holder && before && holder.amount === 1 && open(holder, before)) this.cells[holder.key] = { [before]: 1 };
    }
    this.cells[item.key] = item.amount ? { [place]: item.amount } : {};
    this.sync();
    this.onchange();
  }

  /** All of these items to one place, where they can go there. */
  chooseAll(items, place) {
    for (const item of items) if (open(item, place) && item.amount) this.cells[item.key] = { [place]: item.amount };
    this.sync();
    this.onchange();
  }

  // -- drawing ---------------------------------------------------------------------------------

  draw() {
    const { items } = this.form;
    const root = make("div", { class: "form" });
    if (!items.length) root.append(make("p", { class: "quiet" }, "There is nothing to choose here: commit to go on."));
    if (isOrder(this.form)) {
      root.append(this.drawOrder());
      return root;
    }
    const groups = new Map([["", []]]);
    for (const item of items) {
      const [, group, label] = item.group ? [null, item.group, item.label] : GROUP.exec(item.label) ?? [null, "", item.label];
      if (!groups.has(group)) groups.set(group, []);
      groups.get(group).push([item, label]);
    }
    if (!items.some((item) => item.group)) root.append(this.drawVerbs(items, "Everything") ?? "");
    for (const [group, members] of groups) {
      if (!members.length) continue;
      const place = make("div", { class: "items" }, ...members.map(([item, label]) => this.drawItem(item, label)));
      if (!group) root.append(place);
      else {
        const verbs = groups.size > 2 ? this.drawVerbs(members.map(([item]) => item), group) : null;
        root.append(make("div", { class: members.some(([item]) => item.group) && members.length > 2 ? "of-group many" : "of-group", role: "group", "aria-label": group }, make("h3", {}, group, verbs), place));
      }
    }
    const tally = this.drawTally();
    if (tally) root.append(tally);
    return root;
  }

  /** Quick verbs: all to one place. */
  drawVerbs(items, what) {
    const counts = new Map();
    for (const item of items) {
      for (const place of item.places) {
        if (!place.barred && !isNumber(place.key)) counts.set(place.key, { label: place.label, items: [...(counts.get(place.key)?.items ?? []), item] });
      }
    }
    const shared = [...counts].filter(([, { items: able }]) => able.length > 1);
    if (items.length < 3 || shared.length < 2 || shared.length > MANY_VERBS) return null;
    const buttons = shared.map(([key, { label, items: able }]) => {
      const button = make("button", { type: "button", class: "small", "aria-label": `${what} that can: ${label}` }, label);
      button.addEventListener("click", () => this.chooseAll(able, key));
      return button;
    });
    return make("div", { class: "all" }, make("span", { class: "quiet" }, what === "Everything" ? "Everything:" : "all:"), ...buttons);
  }

  /** What the places hold in all, where several items share them. */
  drawTally() {
    const { items } = this.form;
    if (items.length < 2 || !items.some((item) => item.amount > 1)) return null;
    const labels = new Map();
    const shares = new Map();
    for (const item of items) {
      for (const place of item.places) {
        labels.set(place.key, place.label);
        shares.set(place.key, (shares.get(place.key) ?? 0) + 1);
      }
    }
    const output = make("output", { class: "tally" });
    this.controls.push(() => {
      const held = [...labels].filter(([key]) => shares.get(key) > 1 && !isNumber(key)).map(([key, label]) => [label, items.reduce((all, item) => all + this.amount(item, key), 0)]);
      output.textContent = held.filter(([, number]) => number).map(([label, number]) => `${label}: ${number}`).join(" · ");
    });
    return make("p", { class: "quiet" }, "In all: ", output);
  }

  /** Whether an item shares its places with no other: a target, a choice. */
  unlike(item) {
    return this.form.items.every((each) => each === item || !each.places.some((place) => item.places.some(({ key }) => key === place.key)));
  }

  drawItem(item, label) {
    if (item.amount > 1) return this.drawSplit(item, label);
    const letters = item.places.reduce((all, place) => all + shown(place).length + 2, 0);
    const chips = this.unlike(item) || letters <= MANY_CHIPS || item.places.length <= 2;
    return chips ? this.drawChips(item, label) : this.drawList(item, label);
  }

  /** One thing with one place: a radio button for every place. */
  drawChips(item, label) {
    const name = `${this.id}-${this.controls.length}`;
    const alone = this.form.items.length === 1;
    const beside = item.places.reduce((all, place) => all + shown(place).length, 0) <= FEW_LETTERS;
    const set = make("div", { class: `item ${alone ? "alone" : this.unlike(item) ? "whole" : beside ? "beside" : ""}`, role: "radiogroup", "aria-labelledby": `${name}-of` }, make("span", { class: "of", id: `${name}-of` }, label));
    const chips = make("div", { class: "chips" });
    item.places.forEach((place, index) => {
      const input = make("input", { type: "radio", name, value: place.key, disabled: !!place.barred });
      if (isNumber(place.key)) input.setAttribute("aria-label", place.label);
      input.addEventListener("change", () => this.choose(item, place.key));
      const key = alone && index < 9 && item.places.length > 1 && !item.places.some((each) => isNumber(each.key)) ? make("kbd", { "aria-hidden": "true" }, `${index + 1}`) : null;
      chips.append(make("label", { class: "chip" }, input, make("span", {}, key, shown(place))));
      this.controls.push(() => { input.checked = this.amount(item, place.key) > 0; });
    });
    set.append(chips, ...whyBarred(item));
    return set;
  }

  /** The same where there are many places: a list. */
  drawList(item, label) {
    const id = `${this.id}-${this.controls.length}`;
    const select = make("select", { id });
    if (!item.rest) select.append(make("option", { value: "" }, "choose …"));
    for (const place of item.places) {
      select.append(make("option", { value: place.key, disabled: !!place.barred }, place.barred ? `✕ ${place.label}: ${place.barred.why}` : place.label));
    }
    select.addEventListener("change", () => { if (select.value) this.choose(item, select.value); });
    this.controls.push(() => { select.value = Object.keys(this.cells[item.key])[0] ?? ""; });
    return make("div", { class: "item" }, make("label", { for: id, class: "of" }, label), select, ...whyBarred(item));
  }

  /** Several alike: a number for each place, the rest stays where the item rests. With one other place, on one line. */
  drawSplit(item, label) {
    const id = `${this.id}-${this.controls.length}-of`;
    const only = item.places.filter((each) => each.key !== item.rest);
    if (item.rest && only.length === 1 && !only[0].barred) {
      const stepper = this.drawStepper(item, only[0], label);
      stepper.lastElementChild.before(make("small", { class: "most" }, `of ${item.amount}`));
      return make("div", { class: "item counted", role: "group", "aria-labelledby": id }, make("span", { class: "of", id }, label), stepper);
    }
    const set = make("div", { class: item.places.length > 4 ? "item broad" : "item", role: "group", "aria-labelledby": id }, make("span", { class: "of", id }, label, make("small", {}, ` × ${item.amount}`)));
    const others = item.places.filter((each) => each.key !== item.rest);
    set.append(make("div", { class: "steppers" }, ...others.map((place) => this.drawStepper(item, place, label))));
    const rest = make("p", { class: "rest" });
    const resting = item.places.find((place) => place.key === item.rest);
    this.controls.push(() => {
      const number = resting ? this.amount(item, resting.key) : this.left(item);
      rest.textContent = resting ? `${resting.label}: ${number}` : number ? `${number} still to be placed` : "all placed";
    });
    set.append(rest, ...whyBarred(item));
    return set;
  }

  drawStepper(item, place, label) {
    const id = `${this.id}-${this.controls.length}`;
    const input = make("input", { id, type: "number", min: 0, max: item.amount, inputmode: "numeric", disabled: !!place.barred });
    const step = (by, sign, words) => {
      const button = make("button", { type: "button", class: "step", tabindex: -1, "aria-label": `${words}: ${label}, ${place.label}`, disabled: !!place.barred }, sign);
      button.addEventListener("click", () => this.place(item, place.key, this.amount(item, place.key) + by));
      return button;
    };
    const all = make("button", { type: "button", class: "step", tabindex: -1, "aria-label": `all: ${label}, ${place.label}`, disabled: !!place.barred }, "all");
    all.addEventListener("click", () => this.choose(item, place.key));
    input.addEventListener("change", () => this.place(item, place.key, Math.trunc(Number(input.value)) || 0));
    input.addEventListener("keydown", (event) => {
      const by = { ArrowUp: 1, ArrowDown: -1, PageUp: STRIDE, PageDown: -STRIDE }[event.key];
      if (!by) return;
      event.preventDefault();
      this.place(item, place.key, this.amount(item, place.key) + by);
    });
    this.controls.push(() => { input.value = this.amount(item, place.key); });
    const far = item.amount > MANY;
    return make("div", { class: far ? "stepper far" : "stepper" }, far ? step(-STRIDE, "−5", "five fewer") : "", step(-1, "−", "one fewer"), input, step(1, "+", "one more"), far ? step(STRIDE, "+5", "five more") : "", all, make("label", { for: id }, make("span", { class: "unseen" }, `${label}: `), place.label));
  }

  /** How much of a limit the orders use, as they change; nothing for a limit that does not add up. */
  meter(sum) {
    if (!sum) return null;
    const output = make("output", { class: "meter" });
    this.controls.push(() => {
      const used = sum.cells.reduce((all, [item, place, weight]) => all + weight * (this.cells[item]?.[place] ?? 0), 0);
      const broken = sum.most ? used > sum.limit : used < sum.limit;
      output.textContent = `${broken ? "✕ " : ""}${used} of ${sum.most ? "" : "at least "}${sum.limit}`;
      output.classList.toggle("over", broken);
    });
    this.sync();
    return output;
  }

  /** Everything gets a rank of its own: a list to be put in order. */
  drawOrder() {
    const list = make("ol", { class: "order" });
    const rows = new Map();
    const ranked = () => [...this.form.items].sort((one, two) => rank(this.cells[one.key]) - rank(this.cells[two.key]));
    const move = (item, by) => {
      const order = ranked();
      const other = order[order.indexOf(item) + by];
      if (!other) return;
      [this.cells[item.key], this.cells[other.key]] = [this.cells[other.key], this.cells[item.key]];
      this.sync();
      this.onchange();
      rows.get(item.key).querySelector(by < 0 ? "button" : "button + button").focus();
    };
    for (const item of this.form.items) {
      const earlier = make("button", { type: "button", class: "step", "aria-label": `${item.label}: earlier` }, "▲");
      const later = make("button", { type: "button", class: "step", "aria-label": `${item.label}: later` }, "▼");
      earlier.addEventListener("click", () => move(item, -1));
      later.addEventListener("click", () => move(item, 1));
      rows.set(item.key, make("li", {}, earlier, later, make("span", {}, item.label)));
    }
    this.controls.push(() => {
      const order = ranked().map((item) => rows.get(item.key));
      if (order.some((row, index) => list.children[index] !== row)) list.replaceChildren(...order);
    });
    return list;
  }

  sync() {
    for (const control of this.controls) control();
  }
}

// -- pieces ------------------------------------------------------------------------------------

const sum = (cells) => Object.values(cells).reduce((all, amount) => all + amount, 0);
const rank = (cells) => Number(Object.keys(cells)[0] ?? 99);
const open = (item, key) => item.places.some((place) => place.key === key && !place.barred);
const shown = (place) => (isNumber(place.key) ? place.key : place.label);

function put(cells, place, amount) {
  if (amount) cells[place] = amount;
  else delete cells[place];
}

function same(one, two) {
  const keys = Object.keys(one);
  return keys.length === Object.keys(two).length && keys.every((key) => one[key] === two[key]);
}

/** Whether a form asks for an order: so many items, so many ranks, one each. */
function isOrder({ items }) {
  return items.length > 1 && items.every((item) => item.amount === 1 && !item.rest && item.places.length === items.length
    && item.places.every((place, index) => place.key === `${index + 1}` && !place.barred));
}

/** For every place an item may not go to: the reason, and its rule. */
function whyBarred(item) {
  const said = new Map();
  for (const { label, barred } of item.places) {
    if (barred) said.set(`${barred.rule} ${barred.why}`, { ...barred, labels: [...(said.get(`${barred.rule} ${barred.why}`)?.labels ?? []), label] });
  }
  return [...said.values()].map(({ rule, why, labels }) => make("p", { class: "barred" }, `✕ ${labels.join(", ")}: ${why} `, ruleLink(rule)));
}
