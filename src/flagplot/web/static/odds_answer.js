// An answer about odds, shown: bars with figures beside them, tables, curves. The panel of a battle and the page of its own
// share it. Nothing is told by colour alone, and every bar stands in a row of figures.

import { make } from "./common.js";

export const SIDES = ["axis", "allies"];
const FATES = ["sunk", "damaged", "hit", "untouched"];
const LOSSES = [["factors sunk", "factors sunk"], ["factors damaged", "factors damaged"], ["squadrons lost", "squadrons lost"], ["submarines lost", "submarines lost"], ["cargo lost", "cargo lost"], ["cargo through", "cargo through"]];
const MOST_POINTS = 30; // rows in a table of a curve
const SELDOM = 0.005; // battles that nobody wins are not worth a word below that
const MOST_MARKS = 24; // points of a curve that are marked one by one

/** A chance in percent; what happened is never rounded to nothing, nor what failed once to all. */
export function percent(chance, digits = 0) {
  const least = 0.5 * 10 ** -(digits + 2);
  if (chance > 0 && chance < least) return `under ${(10 ** -digits).toFixed(digits)} %`;
  if (chance < 1 && chance > 1 - least) return `over ${(100 - 10 ** -digits).toFixed(digits)} %`;
  return `${(100 * chance).toFixed(digits)} %`;
}

/** How many digits of a percentage an interval allows. */
const digitsFor = ({ low, high }) => (high - low > 0.01 ? 0 : high - low > 0.001 ? 1 : 2);
const told = (chance) => percent(chance.chance, [0, 1].includes(chance.chance) ? 0 : digitsFor(chance)); // never and always have no digits
const short = (words) => words.replace("under ", "<").replace("over ", ">");
const brief = ({ chance }) => (chance ? short(percent(chance)) : "–"); // in a table
const interval = (chance) => `${(100 * chance.low).toFixed(digitsFor(chance))} to ${(100 * chance.high).toFixed(digitsFor(chance))} %`;
const average = (number) => (number > 0 && number < 0.05 ? "<0.1" : number.toFixed(1)); // what happened at all is not rounded to nothing
const order = (own) => (own === "allies" ? [...SIDES].reverse() : SIDES);
const signed = (number, digits) => {
  const text = Math.abs(number).toFixed(digits);
  return Number(text) === 0 ? "the same" : `${number < 0 ? "−" : "+"}${text}`;
};

/** A side and what it does: Japan wins, Germany and Italy win. */
export const does = (name, verb) => `${name} ${verb}${/ and |Allies$/.test(name) ? "" : "s"}`;

/** An element of a drawing. */
function draw(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

const share = (part) => `${(100 * part).toFixed(2)}%`;
const row = (...cells) => make("tr", {}, ...cells);
const heads = (...names) => make("thead", {}, row(...names.map((name) => (name ? make("th", { scope: "col" }, name) : make("td", { class: "gap" })))));

/** What a side pays with: factors, or if it attacks with aircraft or submarines alone, those. */
const paid = ({ losses, price }) => losses[price].average;

/** The headline in words: what a screen reader is told. */
export function headline(answer, own) {
  const parts = order(own).map((side) => {
    const { name, price } = answer.sides[side];
    return answer.decisive ? `${does(name, "win")} ${told(answer.win[side])}` : `${does(name, "lose")} ${average(paid(answer.sides[side]))} ${price.split(" ")[0]}`;
  });
  if (answer.decisive && answer.win.nobody.chance >= SELDOM) parts.push(`nobody wins ${told(answer.win.nobody)}`);
  return `${parts.join(", ")}.`;
}

// -- who wins -----------------------------------------------------------------------------------------

/** The chance to win of both sides as bars, with the interval drawn upon them. */
export function winners(answer, own) {
  if (!answer.decisive) return make("p", { class: "quiet" }, "An attack of this kind has no victor: what counts is what it costs.");
  const rows = order(own).map((side) => winner(answer.sides[side].name, answer.win[side], side === own ? "own" : "foe"));
  if (answer.win.nobody.chance) rows.push(winner("nobody", answer.win.nobody, "none"));
  return make("table", { class: "odds-win" }, make("caption", { class: "unseen" }, "Who wins"),
    make("thead", { class: "unseen" }, row(make("th", { scope: "col" }, "who"), make("td"), make("th", { scope: "col" }, "chance and interval"))), make("tbody", {}, ...rows));
}

function winner(name, win, whose) {
  const bar = draw("svg", { class: `odds-bar tall ${whose}`, "aria-hidden": "true", focusable: "false" },
    draw("rect", { class: "chance", x: 0, y: 0, width: share(win.chance), height: "100%" }),
    draw("line", { class: "reach", x1: share(win.low), x2: share(win.high), y1: "50%", y2: "50%" }),
    draw("line", { class: "reach", x1: share(win.low), x2: share(win.low), y1: "25%", y2: "75%" }),
    draw("line", { class: "reach", x1: share(win.high), x2: share(win.high), y1: "25%", y2: "75%" }));
  return row(make("th", { scope: "row" }, name), make("td", { class: "line" }, bar), make("td", { class: "figure" }, make("b", {}, short(told(win))), make("small", {}, interval(win))));
}

const UNITS = { CA: "cruisers", DD: "destroyers", CVE: "escort carriers", TR: "transports", NAS: "naval air squadrons", AAS: "army air squadrons", JET: "jets", ATR: "air transports", KAM: "kamikazes" };

/** A kind of light ship or squadron in words; its nation only where it is not that of its side. */
function unitName(unit, side) {
  const [, nation, kind, state] = unit.match(/^(.+?)[ /]([A-Z]+)(?:\/(.+))?$/) ?? [null, side, unit];
  return [nation === side ? null : nation, state, UNITS[kind] ?? kind, UNITS[kind] ? kind : null].filter(Boolean).join(" ");
}

// -- what it costs -------------------------------------------------------------------------------------

/** The number reached in at least this share of all battles. */
const reached = (curve, often) => curve.filter(({ chance }) => chance >= often).length;

/** What a side loses: on the average, and what half and one of ten of all battles reach. */
export function costs(answer, side) {
  const { name, losses, "supply line cut": cut } = answer.sides[side];
  const rows = LOSSES.filter(([key]) => losses[key].of).map(([key, words]) => {
    const { of, average: mean, at_least: curve } = losses[key];
    return row(make("th", { scope: "row" }, words), make("td", {}, average(mean)), make("td", {}, `${of}`), make("td", {}, `${reached(curve, 0.5)}`), make("td", {}, `${reached(curve, 0.1)}`));
  });
  const table = make("table", { class: "odds-costs" }, make("caption", { class: "unseen" }, `Losses of ${name}`),
    heads("", "average", "of", "half", "1 in 10"), make("tbody", {}, ...rows));
  return cut ? [table, make("p", { class: "row" }, "Supply line cut: ", make("b", {}, told(cut)))] : [table];
}

// -- what becomes of everything ---------------------------------------------------------------------------

/** What becomes of each ship: a bar of its fates, and the figures. */
export function fates(answer, side) {
  const { name, ships, light, squadrons } = answer.sides[side];
  const parts = [];
  if (ships.length) {
    parts.push(make("table", { class: "odds-fates" }, make("caption", { class: "unseen" }, `What becomes of the ships of ${name}`),
      heads("ship, factors", "", ...FATES), make("tbody", {}, ...ships.map((ship) => row(
        make("th", { scope: "row" }, `${ship.name} `, make("small", {}, `${ship.factors}`)),
        make("td", { class: "line" }, fateBar(ship)),
        ...FATES.map((fate) => make("td", {}, brief(ship[fate]))))))));
  }
  const counted = [...light.map(({ unit, of, sunk }) => [unit, of, sunk, "sunk"]), ...squadrons.map(({ unit, of, lost }) => [unit, of, lost, "lost"])];
  if (counted.length) {
    parts.push(make("table", { class: "odds-costs" }, make("caption", { class: "unseen" }, `Light ships and squadrons of ${name} lost`),
      heads("light ships and squadrons", "average", "of", "half", "1 in 10"),
      make("tbody", {}, ...counted.map(([unit, of, amount]) => row(make("th", { scope: "row" }, unitName(unit, name)), make("td", {}, average(amount.average)), make("td", {}, `${of}`), make("td", {}, `${reached(amount.at_least, 0.5)}`), make("td", {}, `${reached(amount.at_least, 0.1)}`))))));
  }
  return parts;
}

/** A share as a bar. */
export const bar = (part) => draw("svg", { class: "odds-bar own", "aria-hidden": "true", focusable: "false" }, draw("rect", { class: "chance", width: share(part), height: "100%" }));

function fateBar(ship) {
  const bar = draw("svg", { class: "odds-bar", "aria-hidden": "true", focusable: "false" });
  let at = 0;
  for (const fate of FATES) {
    const width = ship[fate].chance;
    if (width) bar.append(draw("rect", { class: `fate ${fate}`, x: share(at), y: 0, width: share(width), height: "100%" }));
    at += width;
  }
  return bar;
}

/** What the bars of fates mean. */
export function fateLegend() {
  return make("ul", { class: "odds-legend", "aria-hidden": "true" }, ...FATES.map((fate) => make("li", {},
    draw("svg", { class: "odds-bar key", focusable: "false" }, draw("rect", { class: `fate ${fate}`, width: "100%", height: "100%" })), ` ${fate}`)));
}

/** What becomes of each group. */
export function groups(answer, side) {
  const { name, groups: all } = answer.sides[side];
  if (!all.length) return null;
  const columns = ["gone", "hurt", "whole"];
  return make("table", { class: "odds-fates" }, make("caption", { class: "unseen" }, `What becomes of the groups of ${name}`), heads("group", ...columns),
    make("tbody", {}, ...all.map((group) => row(make("th", { scope: "row" }, group.name), ...columns.map((fate) => make("td", {}, brief(group[fate])))))));
}

/** What is believed, a line for each group: by its number, or by the round it comes in. */
export const believed = (belief) => belief.map(({ number, arrives, holds }) => make("li", {}, make("b", {}, number ? `CG ${number}` : `from round ${arrives}`), ` ${holds}`));

/** By which rules the battles were fought, and what that means for whoever waits. */
export function rulesWords(answer) {
  return [`${answer.rules}.`, answer.note].filter(Boolean).join(" ");
}

// -- curves, rounds, both together ------------------------------------------------------------------------

/** Losses of both sides as curves of so many or more, and the same as a table. */
export function curves(answer, own, key, title) {
  const series = SIDES.map((side) => [side, answer.sides[side].losses[key].at_least]).filter(([, curve]) => curve.length);
  if (!series.length) return null;
  const most = Math.max(...series.map(([, curve]) => curve.length));
  const [width, height, left, bottom] = [420, 206, 46, 40];
  const x = (number) => left + ((width - left - 8) * number) / most;
  const y = (chance) => 8 + (height - bottom - 8) * (1 - chance);
  const chart = draw("svg", { class: "odds-curves", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${title}: the figures are in the table beside it` });
  for (const line of [0, 0.25, 0.5, 0.75, 1]) {
    chart.append(draw("line", { class: "grid", x1: left, x2: width - 8, y1: y(line), y2: y(line) }), draw("text", { x: left - 6, y: y(line) + 4, "text-anchor": "end" }, `${100 * line} %`));
  }
  const step = Math.max(1, Math.ceil(most / 10));
  for (let at = 0; at <= most; at += step) chart.append(draw("text", { x: x(at), y: height - 24, "text-anchor": "middle" }, `${at}`));
  chart.append(draw("text", { x: (left + width - 8) / 2, y: height - 7, "text-anchor": "middle" }, "so many factors, or more"));
  for (const [side, curve] of series) {
    const whose = side === own ? "own" : "foe";
    const points = [[0, 1], ...curve.map(({ chance }, index) => [index + 1, chance]), ...(curve.length < most ? [[curve.length + 1, 0]] : [])];
    chart.append(draw("polyline", { class: whose, points: points.map(([number, chance]) => `${x(number).toFixed(1)},${y(chance).toFixed(1)}`).join(" ") }));
    if (most <= MOST_MARKS) chart.append(...points.slice(1).map(([number, chance]) => mark(whose, x(number), y(chance))));
  }
  const every = Math.max(1, Math.ceil(most / MOST_POINTS));
  const numbers = Array.from({ length: most }, (_, index) => index + 1).filter((number) => number % every === 0 || number === 1);
  const table = make("table", { class: "odds-costs" }, make("caption", { class: "unseen" }, title), heads("or more", ...series.map(([side]) => answer.sides[side].name)),
    make("tbody", {}, ...numbers.map((number) => row(make("th", { scope: "row" }, `${number}`), ...series.map(([, curve]) => make("td", {}, curve[number - 1] ? brief(curve[number - 1]) : "–"))))));
  const key_ = make("p", { class: "odds-legend" }, ...series.map(([side]) => make("span", {}, draw("svg", { class: "odds-key", viewBox: "0 0 30 8", "aria-hidden": "true", focusable: "false" }, draw("polyline", { class: side === own ? "own" : "foe", points: "0,4 30,4" }), most <= MOST_MARKS ? mark(side === own ? "own" : "foe", 15, 4) : ""), ` ${answer.sides[side].name}`)), ...SIDES.filter((side) => !series.some(([each]) => each === side)).map((side) => make("span", {}, `${answer.sides[side].name}: none`)));
  return make("div", { class: "odds-beside" }, make("div", {}, chart, key_), make("div", { class: "odds-tall", tabindex: "0", role: "group", "aria-label": `${title}, as a table` }, table));
}

/** A point of a curve: one's own round, the enemy's square. */
const mark = (whose, x, y) => (whose === "own" ? draw("circle", { class: "own", cx: x.toFixed(1), cy: y.toFixed(1), r: 3 }) : draw("rect", { class: "foe", x: (x - 2.7).toFixed(1), y: (y - 2.7).toFixed(1), width: 5.4, height: 5.4 }));

/** How long it lasts. */
export function rounds(answer) {
  const chances = Object.entries(answer.rounds.chances);
  return make("table", { class: "odds-win" }, make("caption", { class: "unseen" }, "How many rounds it lasts"), make("thead", { class: "unseen" }, row(make("th", { scope: "col" }, "rounds"), make("td"), make("th", { scope: "col" }, "chance"))),
    make("tbody", {}, ...chances.map(([number, each]) => row(make("th", { scope: "row" }, number, make("span", { class: "unseen" }, number === "1" ? " round" : " rounds")),
      make("td", { class: "line" }, draw("svg", { class: "odds-bar none", "aria-hidden": "true", focusable: "false" }, draw("rect", { class: "chance", width: share(each.chance), height: "100%" }))),
      make("td", { class: "figure" }, brief(each))))));
}

/** What one side pays against what the other pays: factors sunk, or what it attacks with. */
export function joint(answer) {
  const [down, across] = SIDES.map((side) => `${answer.sides[side].name}: ${answer.sides[side].price}`);
  const { axis, allies, chances } = answer.joint;
  const most = Math.max(...chances.flat());
  const shade = (chance) => (chance ? `s${Math.ceil((4 * chance) / most)}` : "");
  return make("table", { class: "odds-joint" },
    make("caption", { class: "unseen" }, `${down} down, ${across} across`),
    make("thead", {}, row(make("td", { class: "corner" }, `${answer.sides.axis.price === answer.sides.allies.price ? answer.sides.axis.name : down} ↓`), make("th", { scope: "colgroup", colspan: `${allies.length}` }, `${across} →`)),
      row(make("td", { class: "corner" }), ...allies.map((band) => make("th", { scope: "col" }, band)))),
    make("tbody", {}, ...axis.map((band, index) => row(make("th", { scope: "row" }, band), ...chances[index].map((chance) => make("td", { class: shade(chance) }, brief({ chance })))))));
}

/** What the columns of losses mean, and how sure the chances of ships and groups are. */
export function costWords(answer) {
  const fates = SIDES.flatMap((side) => [...answer.sides[side].ships.flatMap((ship) => FATES.map((fate) => ship[fate])), ...answer.sides[side].groups.flatMap(({ gone, hurt, whole }) => [gone, hurt, whole])]);
  const wide = Math.max(0, ...fates.map(({ low, high }) => high - low));
  return make("p", { class: "quiet small" }, "half, 1 in 10: so many or more, in half of all battles and in one of ten.", fates.length ? ` The chances of ships and groups are sure to ± ${(50 * wide).toFixed(1)} %.` : "");
}

// -- what stands behind it -----------------------------------------------------------------------------

const TOTALS = { dice: (total) => `${total} ${total === 1 ? "die" : "dice"}`, level: (total) => `level ${total}`, modifier: withSign };

function withSign(amount) {
  return amount < 0 ? `−${-amount}` : amount ? `+${amount}` : "0";
}

const ruleLink = (rule) => make("a", { class: "rule", href: `/rules/${encodeURIComponent(rule)}`, target: "_blank", rel: "noopener" }, rule);

/** What stands behind the dice of each side, line by line with its rule. */
export function behind(answer, own) {
  return order(own).map((side) => [side, answer.behind.filter((each) => each.side === side)]).filter(([, found]) => found.length).map(([side, found]) => make("table", { class: "odds-ledger" },
    make("caption", {}, answer.sides[side].name),
    ...found.map(({ rule, what, counts, total, lines }) => make("tbody", {},
      row(make("th", { scope: "rowgroup", colspan: "2" }, `${what[0].toUpperCase()}${what.slice(1)} `, ruleLink(rule)), make("td", { class: "total" }, TOTALS[counts](total))),
      ...(lines.length ? lines : [{ rule: "", reason: "no modifiers", amount: 0 }]).map((line) => row(make("td", { class: "number" }, line.rule ? ruleLink(line.rule) : ""), make("td", {}, line.reason), make("td", {}, line.rule ? withSign(line.amount) : "")))))));
}

// -- what if -------------------------------------------------------------------------------------------

/** What leaving lines out changes, held against the first answer. */
export function difference(first, answer, own) {
  const sides = order(own);
  const rows = [];
  for (const side of answer.decisive ? sides : []) {
    const [was, is] = [first.win[side], answer.win[side]];
    const digits = Math.max(digitsFor(was), digitsFor(is));
    const sure = 50 * Math.hypot(was.high - was.low, is.high - is.low); // as if the battles were not the same ones: surer they are
    const apart = signed(100 * (is.chance - was.chance), Math.max(1, digits));
    rows.push([does(answer.sides[side].name, "win"), told(was), told(is), apart === "the same" ? apart : `${apart} ± ${sure.toFixed(Math.max(1, digits))}`]);
  }
  for (const side of sides) {
    const [was, is] = [first, answer].map((each) => paid(each.sides[side]));
    rows.push([`${answer.sides[side].name}: ${answer.sides[side].price}`, average(was), average(is), signed(is - was, 1)]);
  }
  return make("table", { class: "odds-costs" }, make("caption", { class: "unseen" }, "What leaving these lines out changes"),
    heads("", "with", "without", "difference"),
    make("tbody", {}, ...rows.map(([words, ...figures]) => row(make("th", { scope: "row" }, words), ...figures.map((figure) => make("td", {}, figure))))));
}

/** The lines that can be left out, as checkboxes; `changed` is told the keys that are ticked. */
export function lineBoxes(answer, left, changed) {
  return answer.lines.map(({ key, label, rule, amount }) => {
    const box = make("input", { type: "checkbox", value: key });
    box.checked = left.has(key);
    box.addEventListener("change", () => {
      if (box.checked) left.add(key);
      else left.delete(key);
      changed();
    });
    return make("label", { class: "odds-line" }, box, make("span", {}, `${label} `, make("b", {}, withSign(amount)), " ", ruleLink(rule)));
  });
}

/** Put something in the place of what stands there; whoever has the focus in it keeps it, and what was scrolled stays so. */
export function renew(place, ...children) {
  const focusable = () => [...place.querySelectorAll("a, button, [tabindex]")];
  const [had, tall] = [focusable(), [...place.querySelectorAll(".odds-tall")].map((each) => each.scrollTop)];
  const at = had.indexOf(document.activeElement);
  place.replaceChildren(...children);
  for (const [index, each] of [...place.querySelectorAll(".odds-tall")].entries()) each.scrollTop = tall[index] ?? 0;
  if (at < 0) return;
  const now = focusable();
  (now.find((each) => each.tagName === had[at].tagName && each.textContent === had[at].textContent) ?? now[at])?.focus({ preventScroll: true });
}

/** So many battles. */
export const counted = (battles) => `${battles.toLocaleString("en")} battle${battles === 1 ? "" : "s"}`;

/** How far it has come: battles, and how wide the interval still is. */
export function progress(answer, width) {
  return { words: `${counted(answer.battles)}, ± ${(50 * answer.width).toFixed(1)} %${answer.why ? `: ${answer.why}` : ""}`, done: answer.last ? 1 : Math.min(1, (width / answer.width) ** 2) };
}

// -- looking ----------------------------------------------------------------------------------------------

const LOOK_EVERY = 600;
const LOOK_LATER = 2500;

/** Looks at a question again and again while the page is looked at and the answer is not the last. */
export class Looking {
  /** `ask` gives { path, body }, and as `gone` where to say that nobody looks any more; `take` is given { state, why, mark, answer }, or { state: "refused" | "lost", why }. */
  constructor(ask, take) {
    this.ask = ask;
    this.take = take;
    this.on = false;
    this.turn = 0;
    this.timer = 0;
    this.mark = "";
    this.battles = 0;
    document.addEventListener("visibilitychange", () => this.on && (document.hidden ? this.#rest(true) : this.again()));
  }

  again() {
    this.on = true;
    this.#rest();
    if (!document.hidden) this.#look(++this.turn);
  }

  stop() {
    if (this.on) this.#rest(true);
    this.on = false;
  }

  /** Look no more; if nobody looks, the server is told, so that it fights no more. */
  #rest(gone = false) {
    clearTimeout(this.timer);
    this.turn += 1; // what is on its way is out of date
    this.way?.abort();
    const { gone: told } = this.ask();
    if (gone && told) fetch(told.path, { method: "POST", keepalive: true, headers: { "content-type": "application/json", accept: "application/json" }, credentials: "same-origin", body: JSON.stringify(told.body) }).catch(() => {});
  }

  async #look(turn) {
    const { path, body } = this.ask();
    const way = this.way = new AbortController();
    let told;
    try {
      const answer = await fetch(path, { method: "POST", signal: way.signal, headers: { "content-type": "application/json", accept: "application/json" }, credentials: "same-origin", body: JSON.stringify(body) });
      told = await answer.json();
      if (!answer.ok) told = { state: [429, 502, 503, 504].includes(answer.status) ? "busy" : "refused", why: told.refused ?? `the server answered ${answer.status}` };
    } catch {
      told = { state: "lost", why: "the connection is lost: it is tried again" };
    }
    if (turn !== this.turn || !this.on) return;
    const older = told.answer && told.mark === this.mark && told.answer.battles < this.battles; // from another worker
    if (told.answer && !older) [this.mark, this.battles] = [told.mark, told.answer.battles];
    if (!older) this.take(told);
    const wait = { running: LOOK_EVERY, busy: LOOK_LATER, lost: LOOK_LATER }[told.state];
    if (wait && turn === this.turn && this.on) this.timer = setTimeout(() => this.#look(turn), wait);
  }
}

/** A drawer beside the battle that a button opens: one at a time. `moved` is told whether it is open. */
export function drawer(panel, toggle, closer, title, moved) {
  function open(wanted) {
    if (panel.hidden === !wanted) return;
    panel.hidden = !wanted;
    toggle.setAttribute("aria-expanded", `${wanted}`);
    if (wanted) document.dispatchEvent(new CustomEvent("drawer", { detail: panel.id })); // the other one closes
    moved(wanted);
    if (wanted && matchMedia("(max-width: 54rem)").matches) title.focus(); // it covers the page
  }
  function close() {
    open(false);
    toggle.focus();
  }
  toggle.addEventListener("click", () => open(panel.hidden));
  closer.addEventListener("click", close);
  panel.addEventListener("keydown", (event) => { if (event.key === "Escape") close(); });
  document.addEventListener("drawer", ({ detail }) => { if (detail !== panel.id) open(false); });
  return { open, close };
}

/** Copy a sentence; where the browser forbids it, select it so that the person can. */
export async function copySentence(element) {
  try {
    await navigator.clipboard.writeText(element.textContent);
    return "Copied: paste it where you like.";
  } catch {
    getSelection().selectAllChildren(element);
    return "Your browser does not let pages copy: the sentence is selected, copy it yourself.";
  }
}

/** What a player believes of hidden groups, as he last wrote it ("" = what anybody would): odds and advice go by the same. */
export const held = { belief: "" };

const numbersOf = (form) => [...(form?.querySelectorAll("input[type=number]") ?? [])];

/** The numbers of a doctrine that are not the admiral's, from its form; what is none is left out, and that is said beside it. */
export function doctrineOf(form) {
  const fields = numbersOf(form).filter((field) => field.validity.valid && field.value.trim() !== "" && field.value !== field.placeholder);
  return Object.fromEntries(fields.map((field) => [field.name, Number(field.value)]));
}

/** Say beside each number what is wrong with it, and what is taken as long as it is. */
export function checkNumbers(form) {
  for (const field of numbersOf(form)) {
    document.getElementById(`${field.id}-wrong`)?.remove();
    field.removeAttribute("aria-invalid");
    field.removeAttribute("aria-describedby");
    if (field.validity.valid) continue;
    const wrong = make("p", { class: "refused small", id: `${field.id}-wrong`, role: "alert" }, `A whole number from ${field.min} to ${Number(field.max).toLocaleString("en")}, please: until then it is ${field.placeholder || field.defaultValue}.`);
    field.parentElement.after(wrong);
    field.setAttribute("aria-invalid", "true");
    field.setAttribute("aria-describedby", wrong.id);
  }
}
