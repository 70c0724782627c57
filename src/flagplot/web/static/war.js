// The strategic war on the page: what the orders being written may be expected to do. The server reckons, this shows it.

import { make } from "./common.js";
import { ruleLink } from "./form.js";

const RECKON_AFTER = 250;
const at = (id) => document.getElementById(id);
const signed = (amount) => (amount < 0 ? `−${-amount}` : `+${amount}`);

/** Beside the board of the war. `post` sends a draft to be reckoned with. */
export class WarTable {
  constructor(post) {
    this.post = post;
    this.mark = "";
    this.question = null;
    this.form = null;
    this.asks = 0;
    this.timer = 0;
  }

  /** A fresh board: where a raider is met, a battle takes the place of the war, and gives it back. */
  show(fresh) {
    const columns = fresh.querySelector("#columns");
    if (columns && columns.className !== at("columns").className) at("columns").className = columns.className;
  }

  ask(question, form) {
    this.question = question;
    this.form = form;
    this.asks += 1;
    clearTimeout(this.timer);
    this.tell(question?.chances?.war);
  }

  changed() {
    if (!this.question?.chances?.war || !this.form) return;
    clearTimeout(this.timer);
    const mine = ++this.asks;
    at("odds").firstElementChild?.classList.add("stale");
    this.timer = setTimeout(async () => {
      const told = await this.post({ answer: this.form.answer(), hexes: {} });
      if (mine === this.asks) this.tell(told.war ?? []);
    }, RECKON_AFTER);
  }

  tell(rows) {
    if (!rows) {
      at("odds").replaceChildren();
      return;
    }
    const sheet = make("section", { class: "sheet expected", "aria-labelledby": "expected-title" }, make("h2", { id: "expected-title" }, "To be expected ", make("span", {}, "exact averages of these orders")));
    for (const each of rows) sheet.append(...expected(each));
    if (!rows.length) sheet.append(make("p", { class: "quiet" }, "Nothing: nobody is sent."));
    at("odds").replaceChildren(sheet);
  }
}

function expected({ title, about, rows, modifiers, note }) {
  const results = make("table", { class: "results" }, make("caption", { class: "unseen" }, `To be expected: ${title}`),
    make("tbody", {}, ...rows.map(([what, figure]) => make("tr", {}, make("td", {}, what), make("td", {}, figure)))));
  const made = modifiers.map(({ who, lines, total }) => make("details", {}, make("summary", {}, `net modifier ${signed(total)}, ${who}`), ledger(who, lines)));
  return [make("h3", {}, `${title} `, make("small", {}, about)), results, ...made, note ? make("p", { class: "quiet" }, note) : ""];
}

function ledger(who, lines) {
  const rows = lines.map(([number, reason, amount]) => make("tr", {}, make("td", {}, ruleLink(number)), make("td", {}, reason), make("td", {}, signed(amount))));
  return make("table", { class: "ledger" }, make("caption", { class: "unseen" }, `Net modifier of ${who}`), make("tbody", {}, ...rows));
}
