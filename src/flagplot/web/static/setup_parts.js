// Small parts of the set-up: labelled controls that write what they hold to a place in the text.
import { make } from "/static/common.js";

let change = async () => {};
let goTo = () => {};
export const open = new Set(); // what the person has unfolded, so that drawing anew leaves it so

export function prepareParts(writing, going) {
  [change, goTo] = [writing, going];
}

export const changing = (changes) => change(changes);

export const keyOf = (path) => path.join(".");

/** A labelled control that writes what it holds to a path. */
export function field(label, control, path, kind = "") {
  control.id = `at-${keyOf(path).replace(/[^\w-]+/g, "_")}`;
  control.dataset.key = keyOf(path);
  return make("p", { class: kind }, make("label", { for: control.id }, label), control);
}

export function number(label, path, value, { min = 0, max = 99, usual = 0, kind = "count" } = {}) {
  const control = make("input", { type: "number", min, max, value, inputmode: "numeric" });
  control.addEventListener("change", () => {
    const now = Math.trunc(Number(control.value || usual));
    change([{ path, value: now === usual ? null : now }]);
  });
  return field(label, control, path, kind);
}

export function line(label, path, value, kind = "") {
  const control = make("input", { value: value ?? "", maxlength: 80 });
  control.addEventListener("change", () => change([{ path, value: control.value.trim() || null }]));
  return field(label, control, path, kind);
}

export function choice(label, path, value, values, { usual = null, kind = "" } = {}) {
  const all = values.includes(value) ? values : [value, ...values];
  const control = make("select", {}, ...all.map((each) => make("option", { value: each, selected: each === value }, each || "none")));
  control.addEventListener("change", () => change([{ path, value: control.value === usual || !control.value ? null : control.value }]));
  return field(label, control, path, kind);
}

export function tick(label, path, value, usual) {
  const control = make("input", { type: "checkbox", checked: value });
  control.addEventListener("change", () => change([{ path, value: control.checked === usual ? null : control.checked }]));
  control.dataset.key = keyOf(path);
  return make("label", { class: "choice" }, control, ` ${label}`);
}

export function button(label, act, attributes = {}) {
  const made = make("button", { type: "button", "data-key": `press ${attributes["aria-label"] ?? label}`, ...attributes }, label);
  made.addEventListener("click", act);
  return made;
}

export function fold(key, summary, ...parts) {
  const made = make("details", { open: open.has(key), "data-fold": key }, make("summary", { "data-key": `fold:${key}` }, ...summary), ...parts);
  made.addEventListener("toggle", () => (made.open ? open.add(key) : open.delete(key)));
  return made;
}

export const inText = (at, what) => button(`line ${at}`, () => goTo(at), { class: "plain", "aria-label": `Go to ${what} in the text, line ${at}`, hidden: !at });

/** A list to choose from, and a button that does something with the choice. */
export function pick(label, key, values, verb, act, extra = []) {
  const control = make("select", { id: `pick-${key.replace(/[^\w-]+/g, "_")}`, "data-key": key }, ...values.map((each) => make("option", {}, each)));
  return make("p", { class: "row pick" }, make("label", { for: control.id }, label), control, ...extra,
    button(verb, () => act(control.value), { "aria-label": `${verb}: ${label}` }));
}

/** A group of boxes to tick, for a list of words. */
export function ticks(label, path, chosen, values) {
  const boxes = [...new Set([...values, ...chosen])].map((name) => {
    const control = make("input", { type: "checkbox", checked: chosen.includes(name), "data-key": `${keyOf(path)}.${name}` });
    control.addEventListener("change", () => {
      const now = control.checked ? [...chosen, name] : chosen.filter((each) => each !== name);
      change([{ path, value: now.length ? now : null }]);
    });
    return make("label", { class: "choice" }, control, ` ${name}`);
  });
  return make("fieldset", {}, make("legend", {}, label), ...boxes);
}
