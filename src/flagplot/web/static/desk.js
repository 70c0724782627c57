// What lies on a seat's desk, on the page of its game: what is new since this device last looked, a reminder that is due,
// and the draft of the open question, which the server keeps for all devices.
import { ask, make } from "./common.js";

const AWAY = 5 * 60_000; // milliseconds out of sight before one is told again what is new
const KEEP_AFTER = 600; // milliseconds without a change before a draft is kept
const SEEN_AFTER = 3000;

/** So many seconds ago, in words. */
export function ago(seconds) {
  for (const [size, word] of [[86_400, "day"], [3600, "hour"], [60, "minute"]]) {
    const number = Math.floor(seconds / size);
    if (number) return `${number} ${word}${number === 1 ? "" : "s"}`;
  }
  return "a moment";
}

export class Desk {
  /** `address` gives an address of the API for this seat; nothing is done for one that plays no side. */
  constructor(address, seat) {
    this.address = address;
    this.seat = seat;
    this.plays = ["axis", "allies"].includes(seat);
    this.hidden = 0;
    if (!this.plays) return;
    this.look();
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.hidden = Date.now();
      else if (Date.now() - this.hidden > AWAY) this.look();
    });
  }

  async quietly(method, path, body) {
    try {
      return await ask(method, this.address(path), body);
    } catch {
      return { refused: "The connection is lost." };
    }
  }

  // -- what is new ---------------------------------------------------------------------------

  async look() {
    if (document.hidden) return;
    const news = await this.quietly("GET", "/catch-up");
    if (news.refused) return;
    if (news.parts.length) this.show(news);
    this.quietly("POST", "/looked", { told: news.told });
    const desk = await this.quietly("GET", "/desk");
    if (desk.reminder?.due) this.remind();
  }

  show({ seconds, taken_back: back, parts }) {
    const place = document.getElementById("catch-up");
    const lines = parts.reduce((sum, part) => sum + part.news.length, 0);
    const close = make("button", { type: "button", class: "plain" }, "Close");
    close.addEventListener("click", () => { place.hidden = true; });
    place.replaceChildren(
      make("h2", { id: "catch-up-title" }, `Since you last looked, ${ago(seconds)} ago `, make("span", {}, `${lines} ${lines === 1 ? "line" : "lines"} `, close)),
      back ? make("p", { class: "quiet" }, "Something you had seen was taken back.") : "",
      make("div", { class: "scroll", tabindex: "0", role: "region", "aria-labelledby": "catch-up-title" }, ...parts.map((part) => this.part(part))),
    );
    place.hidden = false;
  }

  part({ heading, news, formal }) {
    const steps = formal.length === 1 ? "1 formal step" : `${formal.length} formal steps`;
    return make("div", {},
      heading ? make("h3", {}, heading) : null,
      news.length ? make("ul", {}, ...news.map((each) => make("li", { class: each.side ? (each.side === this.seat ? "ours" : "theirs") : null }, each.text))) : null,
      formal.length ? make("details", {}, make("summary", {}, steps), make("ul", {}, ...formal.map((text) => make("li", {}, text)))) : null);
  }

  remind() {
    const place = document.getElementById("reminded");
    const done = make("button", { type: "button" }, "Thank you");
    done.addEventListener("click", () => {
      place.hidden = true;
      this.quietly("POST", "/desk/reminder", { hours: 0 });
    });
    place.replaceChildren(make("p", {}, "You wanted to be reminded of this game now."), done);
    place.hidden = false;
  }

  /** The page shows all there is: catching up begins after it. */
  seen() {
    if (!this.plays || document.hidden || this.seeing) return;
    this.seeing = setTimeout(() => {
      this.seeing = 0;
      if (!document.hidden) this.quietly("POST", "/looked", {});
    }, SEEN_AFTER);
  }

  // -- drafts ----------------------------------------------------------------------------------

  /** The draft kept for a question, or nothing. */
  async draft(question) {
    if (!this.plays) return null;
    const { draft } = await this.quietly("GET", "/desk");
    return draft?.question === question.number ? draft.answer : null;
  }

  /** Keep a draft, or forget it. */
  keep(question, answer) {
    if (!this.plays) return;
    clearTimeout(this.keeping);
    this.keeping = setTimeout(() => this.quietly("POST", "/desk/draft", { question: question.number, answer }), KEEP_AFTER);
  }

  /** It was given: it is no draft any longer. */
  given() {
    clearTimeout(this.keeping);
  }
}
