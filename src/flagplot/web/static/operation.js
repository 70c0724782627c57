// The chart of an operation and the odds beside it: hexes chosen on it answer what is asked, and what is drafted is drawn.

import { make } from "./common.js";
import { ruleLink } from "./form.js";
import { openChart } from "./map.js";

const SVG = "http://www.w3.org/2000/svg";
const ASK_AFTER = 250;
const at = (id) => document.getElementById(id);
const hexOf = (address) => at(`hex-${address}`);
const percent = (chance) => (chance === 0 ? "–" : chance === 1 ? "100 %" : chance < 0.001 ? "< 0.1 %" : chance > 0.999 ? "> 99.9 %" : `${(100 * chance).toFixed(1)} %`);
const signed = (amount) => (amount > 0 ? `+${amount}` : amount < 0 ? `−${-amount}` : "0");
const counted = (number, one, many) => `${number} ${number === 1 ? one : many}`;

const ATTACK = "attack"; // of an air attack on ships on their way: its place in the form, and its hex in the name of the item
const hexOfItem = (item) => item.key.slice(item.key.lastIndexOf(" in ") + 4);

function draw(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** The chart on the page, and whatever is asked about it. `post` sends a draft to be reckoned with. */
export class Sea {
  constructor(post) {
    this.post = post;
    this.question = null;
    this.form = null;
    this.looked = {}; // by target: the hex whose odds are shown
    this.asks = 0;
    this.view = null;
    this.open();
    document.addEventListener("click", (event) => {
      const button = event.target.closest("[data-chart]");
      if (button?.dataset.chart === "open") this.unfold();
      else if (button && this.chart) this.tool(button);
    });
  }

  get mark() {
    return at("chart-frame")?.querySelector("svg.map") ? at("chart-sheet").dataset.mark : "";
  }

  // -- the chart -------------------------------------------------------------------------------

  open() {
    const frame = at("chart-frame");
    this.chart = frame?.querySelector("svg.map") ? openChart(frame, { fill: true, focus: at("chart-sheet").dataset.focus.split(" ").filter(Boolean), view: this.view }) : null;
    if (!this.chart || frame.dataset.open) return;
    frame.dataset.open = "yes";
    frame.addEventListener("hexchosen", ({ detail }) => this.chosen(detail.hex));
    frame.addEventListener("hexlooked", ({ detail }) => this.tell(detail.hex));
    at("chart-fold").addEventListener("toggle", () => this.chart?.refit());
  }

  /** The chart, while a battle is fought. */
  unfold() {
    at("chart-fold").open = true;
    at("chart-sheet").scrollIntoView({ block: "start" });
    at("chart-frame")?.focus({ preventScroll: true });
  }

  tool(button) {
    const act = button.dataset.chart;
    if (act === "in") this.chart.zoom(1.4);
    if (act === "out") this.chart.zoom(1 / 1.4);
    if (act === "all") this.chart.reset();
    if (act === "focus") this.chart.focus();
    if (act === "air") at("chart-frame").classList.toggle("without-air", !button.checked);
  }

  /** A fresh board: another drawing, or the same; and another place for it, if a battle has begun or ended. */
  show(fresh) {
    const sheet = fresh.querySelector("#chart-sheet");
    const mine = at("chart-sheet");
    if (!sheet || !mine) return;
    const columns = fresh.querySelector("#columns");
    if (columns.className !== at("columns").className) {
      at("columns").className = columns.className;
      const sailing = columns.classList.contains("sailing");
      if (sailing) at("part-chart").before(mine);
      else document.querySelector(".middle").append(mine);
      at("chart-fold").open = sailing;
    }
    const svg = sheet.querySelector("svg.map");
    const moved = sheet.dataset.focus !== mine.dataset.focus;
    mine.querySelector("#map-title-of").replaceWith(sheet.querySelector("#map-title-of"));
    mine.dataset.focus = sheet.dataset.focus;
    if (!svg) return;
    mine.dataset.mark = sheet.dataset.mark;
    const focused = document.activeElement?.id;
    this.view = moved ? null : this.chart?.view();
    this.chart?.close();
    at("chart-frame").replaceChildren(document.importNode(svg, true));
    this.open();
    this.drawDraft();
    if (focused?.startsWith("hex-")) at(focused)?.focus();
  }

  /** What is in a hex, in the words of the table. */
  tell(hex, more = "") {
    const row = at(`where-${hex.replaceAll(" ", "_")}`);
    const there = row ? [...row.querySelectorAll("td p")].map((each) => each.textContent).join("; ") : "";
    const words = [hexOf(hex)?.getAttribute("aria-label") ?? hex, there, this.odds(hex), more].filter(Boolean);
    if (at("looked")) at("looked").textContent = words.join(" · ");
  }

  /** The odds in a hex, in short, where they are what is asked about. */
  odds(hex) {
    const cells = (this.question?.chances?.rows ?? []).map((row) => [row.label, row.hexes[hex]]).filter(([, cell]) => cell);
    return cells.map(([label, cell]) => `${label}: ${counted(cell.distance, "hex", "hexes")}, ${counted(cell.dice, "die", "dice")}, round one ${percent(cell.rounds[1] ?? 0)}`).join("; ");
  }

  chosen(hex) {
    let said = "";
    if (this.form?.hex) said = this.form.hex(hex);
    else if (this.question?.kind === "hex") {
      const [item] = this.question.form.items;
      const place = item.places.find((each) => each.key === hex);
      if (place && !place.barred) this.form.choose(item, hex);
      said = place ? `${hex} is chosen.` : `${hex} is not among the hexes to choose from.`;
    } else if (this.question?.kind === "air attacks") {
      const items = this.question.form.items.filter((item) => hexOfItem(item) === hex);
      for (const item of items) this.form.choose(item, this.form.amount(item, ATTACK) ? item.rest : ATTACK);
      said = !items.length ? "No air attack is possible there." : this.form.amount(items[0], ATTACK) ? "Aircraft attack there." : "No attack there.";
    } else {
      for (const target of this.question?.chances?.targets ?? []) {
        if (target.hexes.includes(hex)) this.looked[target.key] = hex;
      }
      this.drawOdds();
      this.drawDraft();
      this.reckon();
    }
    this.tell(hex, said);
  }

  // -- what is asked ---------------------------------------------------------------------------

  /** Another question, or none. */
  ask(question, form) {
    this.question = question;
    this.form = form;
    this.looked = Object.fromEntries((question?.chances?.targets ?? []).map((target) => [target.key, target.near]));
    this.together = [];
    this.nameTargets();
    this.drawOdds();
    this.drawDraft();
    this.reckon();
  }

  /** In the form a target is called by its number: here is what the numbers mean. */
  nameTargets() {
    const targets = this.question?.kind === "hex" ? [] : this.question?.chances?.targets ?? [];
    if (!targets.length || !this.form) return;
    const called = ({ key, label, hexes }) => {
      const words = label.replace(/^A\d+: /, "").replace(`${key}, `, "the battle ");
      return key.includes("/") ? `${words}, ${hexes[0]}${hexes.length > 1 ? ` to ${hexes.at(-1)}` : ""}` : words;
    };
    this.form.element.before(make("p", { class: "targets" }, ...targets.map((target) => make("span", {}, make("b", {}, target.key), called(target)))));
  }

  /** The draft has been changed. */
  changed() {
    this.drawDraft();
    this.drawOdds();
    this.reckon();
  }

  reckon() {
    clearTimeout(this.timer);
    const mine = ++this.asks;
    if (!this.question?.chances?.targets || this.question.kind === "hex" || !this.form) return;
    this.timer = setTimeout(async () => {
      const told = await this.post({ answer: this.form.answer(), hexes: this.looked });
      if (mine !== this.asks || !told.rows) return;
      this.together = told.rows;
      this.drawOdds();
    }, ASK_AFTER);
  }

  /** What is drafted, over the chart: a path, the hexes to choose from, the one chosen. */
  drawDraft() {
    const svg = at("chart-frame")?.querySelector("svg.map");
    if (!svg) return;
    svg.querySelector("#draft")?.remove();
    for (const hex of svg.querySelectorAll("[aria-pressed]")) hex.removeAttribute("aria-pressed");
    const layer = draw("g", { id: "draft", "aria-hidden": "true" });
    if (this.form?.path && this.question?.form.path) this.drawPath(layer);
    else for (const [hex, kind] of this.hexesAsked()) this.drawHex(layer, hex, kind);
    const force = svg.querySelector(".force"); // forces stand above what is drafted
    if (force) force.before(layer);
    else svg.append(layer);
  }

  /** The hexes that a question is about: offered, or picked. */
  hexesAsked() {
    if (this.question?.kind === "hex") {
      const [item] = this.question.form.items;
      return item.places.map((place) => [place.key, this.form.amount(item, place.key) ? "picked" : "offered"]);
    }
    if (this.question?.kind === "air attacks") {
      return this.question.form.items.map((item) => [hexOfItem(item), this.form.amount(item, ATTACK) ? "picked" : "offered"]);
    }
    return Object.entries(this.looked).map(([, hex]) => [hex, "picked"]);
  }

  drawHex(layer, address, kind) {
    const hex = hexOf(address);
    if (!hex) return;
    const [x, y] = [hex.getAttribute("x"), hex.getAttribute("y")];
    layer.append(draw("use", { href: "#map-hex", x, y, class: kind }));
    hex.setAttribute("aria-pressed", `${kind === "picked"}`);
    if (kind === "picked") layer.append(draw("path", { class: "cross", d: `M${x - 5} ${y - 5}l10 10m0 -10l-10 10` }));
  }

  drawPath(layer) {
    const points = this.form.path.map(hexOf).filter(Boolean).map((hex) => [hex.getAttribute("x"), hex.getAttribute("y")]);
    if (!points.length) return;
    const line = `M${points.map((point) => point.join(" ")).join("L")}`;
    layer.append(draw("path", { class: "draft-under", d: line }), draw("path", { class: "draft", d: line }));
    points.forEach(([x, y], index) => layer.append(draw("circle", { class: index === points.length - 1 ? "draft-end" : "draft-hex", cx: x, cy: y, r: index === points.length - 1 ? 5.5 : 2.6 })));
    const end = hexOf(this.question.form.path.end);
    if (end && !this.form.whole) layer.append(draw("use", { href: "#map-hex", x: end.getAttribute("x"), y: end.getAttribute("y"), class: "offered" }));
  }

  // -- odds ------------------------------------------------------------------------------------

  drawOdds() {
    const place = at("odds");
    const chances = this.question?.chances;
    if (!place) return;
    const opened = new Set([...place.querySelectorAll("details[open]")].map((each) => each.id));
    const focused = document.activeElement?.id;
    if (!chances) place.replaceChildren();
    else if (chances.lengths) place.replaceChildren(this.byLength(chances));
    else {
      const aside = this.question.kind === "hex" ? "exact, all of them together" : "exact, each alone";
      const all = this.sheet("Who arrives when", aside, ...chances.targets.map((target, index) => this.target(chances, target, index)));
      place.replaceChildren(...this.together.length ? [this.withTheseOrders()] : [], all);
    }
    for (const id of opened) at(id)?.setAttribute("open", "");
    if (focused?.startsWith("odds-")) at(focused)?.focus();
  }

  sheet(title, aside, ...children) {
    return make("section", { class: "sheet odds", "aria-label": title }, make("h2", {}, title, make("span", {}, aside)), ...children);
  }

  /** One target: the hex looked at, and every force that could try. */
  target(chances, target, index) {
    const hex = this.question.kind === "hex" ? this.form.answer().choice && Object.keys(this.form.answer().choice)[0] : this.looked[target.key];
    const rows = chances.rows.filter((row) => row.target === target.key && row.hexes[hex]).map((row) => ({ ...row.hexes[hex], label: row.label, lines: chances.ledgers[row.hexes[hex].ledger] }));
    const asked = this.question.kind === "hex";
    const select = make("select", { id: `odds-hex-${index}` }, ...target.hexes.map((each) => make("option", { value: each, selected: each === hex }, each)));
    select.addEventListener("change", () => this.chosen(select.value));
    const which = target.hexes.length > 1 ? make("p", { class: "which" }, make("label", { for: select.id }, `If ${asked ? "it" : target.key} is met in `), select) : make("p", { class: "which" }, `${target.key} is met in ${hex}.`);
    const told = rows.length ? table(rows, `${index}-${asked ? "asked" : "alone"}`, `Who arrives when at ${target.key} in ${hex}`) : make("p", { class: "quiet" }, "None of your forces can reach this hex.");
    return make("div", { class: "target" }, make("h3", {}, target.label), which, told);
  }

  withTheseOrders() {
    const rows = this.together.map((row) => ({ ...row, label: `${row.label} → ${row.target}, ${row.hex}` }));
    const battles = [...new Map(this.together.map((row) => [row.target, row])).values()];
    return this.sheet("With these orders", "exact, from what you know", table(rows, "together", "Who arrives when with these orders"),
      ...battles.map((row) => make("p", { class: "quiet" }, `Somebody meets ${row.target} in ${row.hex} in round one: ${percent(row.battle)}`)));
  }

  byLength(chances) {
    const length = this.form.path ? this.form.path.length - 1 : 0;
    const rows = chances.lengths.map((row) => ({ ...row, label: counted(row.distance, "hex", "hexes"), now: row.distance === length }));
    return this.sheet("The longer the path", `exact, ${chances.force} to ${chances.hex}`, table(rows, "length", "Chances by the length of the path"));
  }
}

/** Forces, dice and the chance of each round; every number of dice opens its breakdown. */
function table(rows, name, caption) {
  const last = Math.min(4, Math.max(2, ...rows.flatMap((row) => Object.keys(row.rounds).map(Number))));
  const shown = Array.from({ length: last }, (_, index) => index + 1);
  const later = (row) => Object.entries(row.rounds).filter(([round]) => Number(round) > last).reduce((sum, [, chance]) => sum + chance, 0);
  const anyLater = rows.some((row) => later(row) > 0);
  const words = [...shown.map((round) => (round === 1 ? "round 1" : `${round}`)), ...(anyLater ? ["later"] : []), "never"];
  const bodies = rows.map((row, index) => {
    const cells = [...shown.map((round) => row.rounds[round] ?? 0), ...(anyLater ? [later(row)] : []), row.never];
    const id = `odds-why-${name}-${index}`;
    const dice = row.rolls === "rolls" ? counted(row.dice, "die", "dice") : row.rolls;
    const far = row.distance === undefined ? "" : `, ${counted(row.distance, "hex", "hexes")}`;
    const why = make("details", { id }, make("summary", { id: `${id}-open` }, row.now ? "▸ " : "", make("b", {}, row.label), ` ${dice}${row.label.endsWith("hexes") || row.label.endsWith("hex") ? "" : far}`), ledger(row));
    return make("tbody", { class: row.now ? "now" : "" },
      make("tr", {}, make("th", { scope: "rowgroup", colspan: cells.length }, why)),
      make("tr", {}, ...cells.map((chance) => make("td", { class: chance >= 0.5 ? "likely" : "" }, percent(chance)))));
  });
  const head = make("thead", {}, make("tr", {}, ...words.map((word) => make("th", { scope: "col" }, word))));
  return make("div", { class: "scrolls" }, make("table", { class: "arrivals" }, make("caption", { class: "unseen" }, caption), head, ...bodies));
}

function ledger(row) {
  const lines = row.lines.map(([rule, reason, amount]) => make("tr", {}, make("td", {}, ruleLink(rule)), make("td", {}, reason), make("td", {}, signed(amount))));
  return make("table", { class: "ledger" }, make("caption", { class: "unseen" }, `Dice of ${row.label}`), make("tbody", {}, ...lines), make("tfoot", {}, make("tr", {}, make("td", {}), make("td", {}, "dice"), make("td", {}, `${row.dice}`))));
}
