// Joining: the secret is read from the address's fragment, and sent only when the person clicks (GET has no effect).
import { ask, say } from "/static/common.js";
import { copyField, deviceLabel } from "/static/clipboard.js";

const mode = document.querySelector("main").dataset.mode;
const at = (id) => document.getElementById(id);

/** The secret in a link or by itself: what stands after #, else all of it. */
const secretIn = (text) => text.trim().split("#").pop().trim();
/** The game in an address: .../games/ID or .../games/ID/seats, else all of it. */
const gameIn = (text) => (text.match(/games\/([\w-]+)/)?.[1] ?? text.trim().replace(/\/+$/, ""));

let token = mode === "recovery" ? "" : location.hash.slice(1);

function begin() {
  if (mode === "recovery") return;
  at("found").hidden = !token;
  at("missing").hidden = Boolean(token);
  at("paste").hidden = Boolean(token);
}

async function claim() {
  if (mode === "recovery") {
    const game = gameIn(at("game").value);
    return ask("POST", `/api/games/${encodeURIComponent(game)}/recover`, { code: at("code").value, device: deviceLabel() });
  }
  const secret = token || secretIn(at("code").value);
  if (!secret) return { refused: "Paste the link or the code first." };
  if (mode === "invitation") {
    return ask("POST", "/api/claim", { token: secret, name: at("name").value.trim(), device: deviceLabel() });
  }
  const [game, key] = secret.split(".");
  return ask("POST", `/api/games/${encodeURIComponent(game)}/devices/enter`, { token: key ?? "" });
}

function refuse(why) {
  const place = at("refused");
  place.textContent = why[0].toUpperCase() + why.slice(1) + (/[.!?]$/.test(why) ? "" : ".");
  place.hidden = false;
  at("mine").hidden = mode !== "invitation";
  if (mode !== "recovery") {
    token = ""; // what was in the link opens nothing; another may be pasted
    at("found").hidden = true;
    at("paste").hidden = false;
  }
}

async function seated(told) {
  history.replaceState(null, "", location.pathname); // a used secret need not stay in the address
  at("ask").hidden = true;
  at("seated").hidden = false;
  const game = await ask("GET", `/api/games/${told.game}`);
  const side = game.names?.[told.seat];
  const place = told.seat === "host" ? "You are the host of" : `You play ${side ?? told.seat} in`;
  at("whose").textContent = game.refused ? "" : `${place} ${game.title}.`;
  if (!game.refused) document.title = `${game.title} · Flagplot`;
  at("h-seated").focus();
  if (told.recovery) {
    at("recovery").hidden = false;
    at("recovery-code").append(copyField("Recovery code", told.recovery, "recovery-shown"));
    at("written").addEventListener("change", () => { at("go").disabled = !at("written").checked; });
  } else {
    at("go").disabled = false;
  }
  at("go").addEventListener("click", () => location.assign(`/games/${told.game}${told.seat === "host" ? "/seats" : ""}`));
}

at("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = at("claim");
  button.disabled = true;
  at("refused").hidden = true;
  try {
    const told = await claim();
    if (told.refused) refuse(told.refused);
    else await seated(told);
  } catch {
    refuse("The server did not answer. Nothing is known to have happened: try again.");
    say("The server did not answer.");
  }
  button.disabled = false;
});

window.addEventListener("hashchange", () => location.reload());
begin();
