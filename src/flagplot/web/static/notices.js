// The page of a seat's notices: where it wants to be told, a test, and how the last one went.
import { ask, say } from "/static/common.js";

const main = document.querySelector("main");
const api = `/api/games/${encodeURIComponent(main.dataset.game)}/notices`;
const query = main.dataset.query;
const sentence = (words) => words.charAt(0).toUpperCase() + words.slice(1) + (/[.!?]$/.test(words) ? "" : ".");
const when = (seconds) => new Date(seconds * 1000).toLocaleString();
const sections = [...document.querySelectorAll("section[data-kind]")].filter((each) => each.querySelector(".state"));

function draw(told) {
  for (const section of sections) {
    const kept = told[section.dataset.kind];
    const part = (name) => section.querySelector(name);
    const state = part(".state");
    state.className = `state${!kept ? " still" : kept.off ? " off" : ""}`;
    state.textContent = !kept ? "Nothing is sent." : kept.off ? `Nothing is sent to ${kept.to}: ${kept.off}.` : `Notices go to ${kept.to}`;
    const last = part(".last");
    const newest = kept?.error ? `The last try failed, ${when(kept.error_at)}: ${kept.error}.` : kept?.sent_at ? `Last sent: ${when(kept.sent_at)}.` : "";
    last.textContent = newest;
    last.hidden = !newest;
    part(".test").hidden = !kept;
    part(".remove").hidden = !kept;
    part(".on").hidden = !kept?.off || kept.unconfirmed;
    if (part(".confirm")) part(".confirm").hidden = !kept?.unconfirmed;
  }
}

async function act(path, body, done) {
  const told = await ask("POST", `${api}${path}${query}`, body);
  if (told.refused) return say(sentence(told.refused));
  draw(told);
  say(path === "/test" ? (told.sent ? "Sent. Look whether it has arrived." : sentence(told.error)) : done);
  return told;
}

for (const section of sections) {
  const { kind } = section.dataset;
  const input = section.querySelector("form.field input");
  section.querySelector("form.field").addEventListener("submit", async (event) => {
    event.preventDefault();
    if (await act("", { kind, target: input.value }, kind === "mail" ? "Kept. Now send a test, and enter the code it brings." : "Kept.")) input.value = "";
  });
  section.querySelector(".confirm")?.addEventListener("submit", (event) => {
    event.preventDefault();
    act("/on", { kind, code: section.querySelector(".code").value }, "Notices are sent there from now on.");
  });
  section.querySelector(".test").addEventListener("click", async ({ target }) => {
    target.disabled = true;
    try { await act("/test", { kind }); } finally { target.disabled = false; }
  });
  section.querySelector(".on").addEventListener("click", () => act("/on", { kind }, "Switched on."));
  section.querySelector(".remove").addEventListener("click", () => act("/remove", { kind }, "Removed."));
}
draw(JSON.parse(main.dataset.told));
