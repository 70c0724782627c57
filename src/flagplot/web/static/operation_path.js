// A path answered on the chart or beside it: the shortest way is proposed, others are offered, any other is sailed hex by hex.
// It never judges: the server does. What it counts is what is drawn.

import { make } from "./common.js";
import { ruleLink } from "./form.js";

const BETWEEN = " > ";
let forms = 0;

/** A path as one text, and back. */
const written = (hexes) => hexes.join(BETWEEN);
const read = (text) => text.split(">").map((hex) => hex.trim()).filter(Boolean);
const counted = (number) => `${number} ${number === 1 ? "hex" : "hexes"}`;

/** A shortest way from one hex to another that keeps out of some; null if there is none. */
export function shortest(steps, start, end, without = new Set()) {
  const before = new Map([[start, null]]);
  let row = [start];
  while (row.length && !before.has(end)) {
    const next = [];
    for (const hex of row) {
      for (const near of steps[hex] ?? []) {
        if (!before.has(near) && !without.has(near)) {
          before.set(near, hex);
          next.push(near);
        }
      }
    }
    row = next;
  }
  if (!before.has(end)) return null;
  const path = [];
  for (let hex = end; hex !== null; hex = before.get(hex)) path.unshift(hex);
  return path;
}

/** The same as OrdersForm, for a question whose answer is a path. */
export class PathOrders {
  constructor(form, onchange = () => {}) {
    this.form = form;
    this.onchange = onchange;
    this.id = `path${++forms}`;
    this.item = form.items[0];
    this.routes = this.item.places.map((place) => read(place.key));
    this.path = this.proposed();
    this.byHex = false; // hexes are added one by one, instead of a way through a hex
    this.element = this.draw();
    this.sync();
  }

  proposed() {
    return read(Object.keys(this.form.default[this.item.key])[0]);
  }

  answer() {
    return { [this.item.key]: { [written(this.path)]: 1 } };
  }

  get changed() {
    return written(this.path) !== written(this.proposed());
  }

  get whole() {
    return this.path.at(-1) === this.form.path.end;
  }

  reset() {
    this.byHex = false;
    this.set(this.proposed());
  }

  take(cells) {
    this.set(read(Object.keys(cells[this.item.key])[0]));
  }

  adopt(cells) {
    const path = read(Object.keys(cells[this.item.key] ?? {})[0] ?? "");
    if (path[0] !== this.form.path.start || path.at(-1) !== this.form.path.end) return false;
    this.path = path;
    this.sync();
    return true;
  }

  /** One of the routes offered. */
  choose(item, key) {
    this.byHex = false;
    this.set(read(key));
  }

  set(path) {
    this.path = path;
    this.sync();
    this.onchange();
  }

  /** Typed: the hexes one after the other; the ends may be left out, and so may hexes between. */
  typed(text) {
    const known = new Map(Object.keys(this.form.path.steps).map((hex) => [hex.toLowerCase(), hex]));
    const words = text.includes(">") || text.includes(",") ? text.split(/[>,]/) : text.split(/\s+/);
    const hexes = words.map((word) => word.trim()).filter(Boolean).map((word) => {
      const hex = known.get(word.toLowerCase());
      if (!hex) throw new Error(`There is no sea hex “${word}” here.`);
      return hex;
    });
    const { start, end } = this.form.path;
    const path = this.through([start, ...hexes.filter((hex, at) => !(at === 0 && hex === start) && !(at === hexes.length - 1 && hex === end)), end]);
    if (!path) throw new Error("No way by sea leads through these hexes in this order.");
    this.byHex = false;
    this.set(path);
  }

  /** A way through these hexes in this order, no hex twice; null if there is none. */
  through(hexes) {
    const path = [hexes[0]];
    for (const hex of hexes.slice(1)) {
      const used = new Set(path.slice(0, -1));
      const part = hex === path.at(-1) ? [hex] : shortest(this.form.path.steps, path.at(-1), hex, used);
      if (!part) return null;
      path.push(...part.slice(1));
    }
    return path;
  }

  /** A hex chosen on the chart: the next one, or one to sail through; the last one again takes it back. */
  hex(hex) {
    const { start, end, steps } = this.form.path;
    if (!(hex in steps)) return `${hex} is no sea hex of this operation.`;
    if (this.byHex) {
      const at = this.path.indexOf(hex);
      if (at >= 0) this.set(this.path.slice(0, at === this.path.length - 1 && at > 0 ? at : at + 1));
      else {
        const part = shortest(steps, this.path.at(-1), hex, new Set(this.path.slice(0, -1)));
        if (!part) return `No way by sea leads on to ${hex}.`;
        this.set([...this.path, ...part.slice(1)]);
      }
      return this.words();
    }
    if (this.path.includes(hex)) return `${hex} is on the path already.`;
    const path = this.through([start, hex, end]);
    if (!path) return `No way by sea leads through ${hex} to ${end}.`;
    this.set(path);
    return this.words();
  }

  words() {
    const { end, most } = this.form.path;
    const sailed = `${counted(this.path.length - 1)}${most ? ` of at most ${most}` : ""}`;
    return this.whole ? `The path has ${sailed}.` : `${sailed} so far, at ${this.path.at(-1)}; ${end} is the end.`;
  }

  // -- drawing ---------------------------------------------------------------------------------

  draw() {
    const { start, end, most, rule } = this.form.path;
    this.output = make("output", { class: "path-count" });
    this.line = make("p", { class: "path-line" });
    this.nexts = make("div", { class: "path-next", role: "group", "aria-label": "The next hex" });
    const list = make("div", { class: "routes", role: "radiogroup", "aria-label": "Routes offered" });
    this.radios = this.item.places.map((place, index) => {
      const input = make("input", { type: "radio", name: this.id, value: place.key });
      input.addEventListener("change", () => this.choose(this.item, place.key));
      const route = this.routes[index];
      list.append(make("label", { class: "route" }, input, make("span", {}, make("b", {}, counted(route.length - 1)), index ? "" : make("small", {}, " shortest"), ` ${route.join(" ")}`)));
      return input;
    });
    const byHex = make("button", { type: "button", class: "small" }, "Hex by hex");
    byHex.addEventListener("click", () => {
      this.byHex = true;
      this.set([start]);
    });
    this.back = make("button", { type: "button", class: "small" }, "One hex back");
    this.back.addEventListener("click", () => {
      this.byHex = true;
      this.set(this.path.length > 1 ? this.path.slice(0, -1) : this.path);
    });
    this.on = make("button", { type: "button", class: "small" }, `On to ${end}`);
    this.on.addEventListener("click", () => {
      const part = shortest(this.form.path.steps, this.path.at(-1), end, new Set(this.path.slice(0, -1)));
      if (part) this.set([...this.path, ...part.slice(1)]);
    });
    const limit = most ? make("span", {}, " of at most ", make("b", {}, `${most} `), rule ? ruleLink(rule) : "") : "";
    return make("div", { class: "form path-form" },
      make("p", { class: "path-head" }, make("b", {}, `${start} to ${end}: `), this.output, limit, make("span", { class: "quiet" }, document.getElementById("chart-frame") ? " · choose a hex on the chart to sail through it, or draw the path yourself" : " · choose a route, or give the path hex by hex")),
      list,
      make("div", { class: "all" }, byHex, this.back, this.on),
      this.line, this.nexts);
  }

  sync() {
    const { end, steps, most } = this.form.path;
    const text = written(this.path);
    for (const radio of this.radios) radio.checked = radio.value === text;
    this.output.textContent = counted(this.path.length - 1);
    this.output.classList.toggle("over", !!most && this.path.length - 1 > most);
    this.line.textContent = this.whole && !this.changed ? "" : `${this.path.join(" ")}${this.whole ? "" : " …"}`;
    this.on.hidden = this.whole;
    this.back.disabled = this.path.length < 2;
    const near = this.whole || !this.byHex ? [] : (steps[this.path.at(-1)] ?? []).filter((hex) => !this.path.includes(hex));
    this.nexts.replaceChildren(...near.map((hex) => {
      const button = make("button", { type: "button", class: "small", "data-next": hex }, hex === end ? `${hex}, the end` : hex);
      button.addEventListener("click", () => {
        this.set([...this.path, hex]);
        (this.nexts.querySelector("button") ?? this.back).focus();
      });
      return button;
    }));
  }
}
