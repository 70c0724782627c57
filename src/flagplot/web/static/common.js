// What every page shares: asking the server, telling the person, ids for decisions.

/** A new id for a decision: sent again with the same id, a decision counts once. */
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(18));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
}

/** Ask the server; a refusal comes back as { refused }. Nothing is thrown but a lost connection. */
export async function ask(method, path, body) {
  const options = { method, headers: { accept: "application/json" }, credentials: "same-origin" };
  if (body !== undefined) {
    options.headers["content-type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  const answer = await fetch(path, options);
  const told = answer.headers.get("content-type")?.includes("json") ? await answer.json() : { text: await answer.text() };
  if (!answer.ok && !told.refused) told.refused = `The server answered ${answer.status}.`;
  return told;
}

/** Say something to the person, also to a screen reader. */
export function say(text) {
  const place = document.getElementById("say");
  place.textContent = text;
  if (text) setTimeout(() => { if (place.textContent === text) place.textContent = ""; }, 8000);
}

/** A new element: make("p", { class: "quiet" }, "text", child). Text is always text, never markup. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(key, "");
    else if (value !== false && value != null) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}
