// Copying, and what this device calls itself in the list of a seat's devices.
import { make, say } from "/static/common.js";

/** Copy a text; where the browser forbids it, select the field so that the person can. */
export async function copy(text, field) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    field.focus();
    field.select();
    return document.execCommand("copy");
  }
}

/** A read-only field with a Copy button beside it. */
export function copyField(label, text, id) {
  const field = make("input", { id, readonly: true, value: text, class: "secret", spellcheck: "false" });
  field.addEventListener("focus", () => field.select());
  const button = make("button", { type: "button", class: "copy", "aria-label": `Copy: ${label}` }, "Copy");
  button.addEventListener("click", async () => {
    const done = await copy(text, field);
    button.textContent = done ? "Copied ✓" : "Select and copy";
    say(done ? `Copied: ${label}.` : "Your browser does not let pages copy: the text is selected, copy it yourself.");
  });
  return make("div", { class: "copy-field" }, make("label", { for: id }, label), make("div", { class: "row" }, field, button));
}

/** "Firefox on Linux": enough to know a device by in a list. */
export function deviceLabel() {
  const told = navigator.userAgent;
  const browser = ["Edg", "OPR", "Firefox", "Chrome", "Safari"].find((name) => told.includes(name)) ?? "Browser";
  const system = ["Android", "iPhone", "iPad", "Windows", "Mac OS", "Linux"].find((name) => told.includes(name)) ?? "";
  const plain = { Edg: "Edge", OPR: "Opera" }[browser] ?? browser;
  return system ? `${plain} on ${system}` : plain;
}
