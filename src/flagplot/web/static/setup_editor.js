// The text of a set-up and what is said of it. The text is the truth: every control writes into it by asking the server,
// and is drawn anew from it. The set-up page and the muster page both stand on this.
import { ask, make, say } from "/static/common.js";

const at = (id) => document.getElementById(id);
const WAIT = 350; // milliseconds after the last key before the text is checked
const MOST_CHANGES = 40; // in one request

export const sentence = (words) => (words ? words[0].toUpperCase() + words.slice(1) + (/[.!?]$/.test(words) ? "" : ".") : "");

/**
 * An editor on the page's own elements: #text, #gutter, #verdict, #jump, #undo, #bar.
 * readAt, changeAt: where a text is read and changed; more(): what else is sent; fine(told): what is said of a text that
 * will do; drawn(told): called with every answer, to draw the rest of the page.
 */
export function editor({ readAt, changeAt, more = () => ({}), fine, drawn }) {
  const text = at("text");
  let read = null; // what the server last said of the text
  let asked = 0; // counts checks, so that a late answer to an old text is not shown
  let timer = 0;
  let queue = Promise.resolve(); // changes go one after another
  let waiting = 0; // changes that are not in the text yet: until the last is, the page stays as the person left it
  let known = text.value; // the text as it was last checked
  const undo = [];

  async function check() {
    clearTimeout(timer);
    const mine = ++asked;
    const now = text.value;
    let told;
    try {
      told = await ask("POST", readAt, { text: now, ...more() });
    } catch {
      told = { refused: "The server did not answer; the text is not checked." };
    }
    if (mine !== asked) return read;
    known = now;
    show(told);
    return told;
  }

  function show(told) {
    if (told.refused) {
      at("verdict").textContent = sentence(told.refused);
      return;
    }
    read = told;
    drawVerdict();
    drawGutter();
    drawn(told);
  }

  function drawVerdict() {
    const place = at("verdict");
    at("bar").classList.toggle("wrong", !read.ok);
    at("jump").hidden = read.ok || !read.line;
    if (read.ok) {
      place.replaceChildren(...fine(read));
      return;
    }
    const where = read.line ? `Line ${read.line}` : "The text";
    place.replaceChildren(make("b", {}, `✗ ${where}: `), `${sentence(read.reason)} `, read.rule ? make("code", {}, read.rule) : "");
    at("jump").textContent = `Go to line ${read.line}`;
  }

  function drawGutter() {
    const count = text.value.split("\n").length;
    const wrong = read && !read.ok ? read.line : 0;
    const before = wrong || count + 1;
    const numbers = (from, to) => Array.from({ length: Math.max(0, to - from) }, (_, n) => from + n).join("\n");
    const parts = [numbers(1, before)];
    if (wrong) parts.push(before > 1 ? "\n" : "", make("mark", {}, `✗${wrong}`), wrong < count ? `\n${numbers(wrong + 1, count + 1)}` : "");
    at("gutter").replaceChildren(...parts, "\n\n\n");
    at("gutter").scrollTop = text.scrollTop;
  }

  /** Put the cursor on a line of the text, and the line in sight. */
  function goTo(line) {
    const lines = text.value.split("\n");
    const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
    text.focus({ preventScroll: true });
    text.setSelectionRange(start, start + (lines[line - 1] ?? "").length);
    text.scrollTop = Math.max(0, (line - 5) * parseFloat(getComputedStyle(text).lineHeight));
    text.scrollLeft = 0;
    text.scrollIntoView({ block: "nearest" });
  }

  function remember(old) {
    if (old === undo.at(-1)) return;
    undo.push(old);
    if (undo.length > 100) undo.shift();
    at("undo").disabled = false;
  }

  /** Another text altogether. */
  function replaceText(now) {
    remember(text.value);
    text.value = now;
    text.scrollTop = 0;
    return check();
  }

  /** A text that was read already: nothing to go back to. */
  function begin(now, told) {
    text.value = known = now;
    show(told);
  }

  /** Write changes into the text. Each is a path and a value; null takes away. */
  function change(changes) {
    waiting += 1;
    asked += 1;
    queue = queue.then(async () => {
      clearTimeout(timer);
      text.readOnly = true;
      const before = text.value;
      try {
        for (let n = 0; n < changes.length; n += MOST_CHANGES) {
          const told = await ask("POST", changeAt, { text: text.value, changes: changes.slice(n, n + MOST_CHANGES), ...more() });
          if (told.refused) {
            say(sentence(told.refused));
            await check();
            return;
          }
          asked += 1;
          const line = firstDifference(text.value, told.text);
          const from = text.scrollTop;
          text.value = known = told.text;
          text.scrollTop = from;
          showLine(line);
          if (waiting > 1) read = told;
          else show(told);
        }
        remember(before);
      } catch {
        say("The server did not answer; nothing was changed.");
      } finally {
        waiting -= 1;
        text.readOnly = false;
      }
    });
    return queue;
  }

  function firstDifference(old, now) {
    const before = old.split("\n");
    const after = now.split("\n");
    const line = after.findIndex((each, n) => each !== before[n]);
    return line < 0 ? after.length : line + 1;
  }

  /** Scroll the text to a line without moving the person's own place on the page. */
  function showLine(line) {
    const height = parseFloat(getComputedStyle(text).lineHeight);
    const top = (line - 1) * height;
    if (top < text.scrollTop || top > text.scrollTop + text.clientHeight - 2 * height) text.scrollTop = Math.max(0, top - 4 * height);
  }

  text.addEventListener("input", () => {
    if (undo.at(-1) !== known) remember(known);
    drawGutter();
    clearTimeout(timer);
    timer = setTimeout(check, WAIT);
  });
  text.addEventListener("scroll", () => { at("gutter").scrollTop = text.scrollTop; });
  at("jump").addEventListener("click", () => goTo(read.line));
  at("undo").addEventListener("click", () => {
    text.value = undo.pop() ?? text.value;
    at("undo").disabled = undo.length === 0;
    check();
  });
  at("download").addEventListener("click", () => {
    const name = (read?.outline?.battle.title ?? "battle").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "battle";
    const address = URL.createObjectURL(new Blob([text.value], { type: "application/toml" }));
    const link = make("a", { href: address, download: `${name}.toml` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  });

  return { text, check, change, replaceText, begin, goTo, read: () => read, settled: () => queue };
}
