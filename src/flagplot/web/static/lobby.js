// The lobby: one click makes a game against the admiral, takes the seat in this browser and goes there.
import { ask, say } from "/static/common.js";
import { deviceLabel } from "/static/clipboard.js";

for (const button of document.querySelectorAll("button.play")) {
  button.addEventListener("click", () => play(button));
}

async function play(button) {
  const { scenario, side } = button.dataset;
  for (const each of document.querySelectorAll("button.play")) each.disabled = true;
  say("Setting up the battle…");
  try {
    const players = { axis: "admiral", allies: "admiral", [side]: "person" };
    const made = await ask("POST", "/api/games", { scenario, ...players });
    if (made.refused) return fail(made.refused);
    const token = made.invitations[side].split("#")[1];
    const seat = await ask("POST", "/api/claim", { token, device: deviceLabel() });
    if (seat.refused) return fail(seat.refused);
    location.assign(`/games/${made.game}`);
  } catch {
    fail("The server did not answer. Is it still running?");
  }
}

function fail(why) {
  say(why);
  for (const each of document.querySelectorAll("button.play")) each.disabled = false;
}

// A page that comes back from the browser's memory must not stay disabled.
window.addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});
