// Joining: the secret is read from the address's fragment, and sent only when the person clicks (GET has no effect).
import { ask, say } from "/static/common.js";
import { copyField, deviceLabel } from "/static/clipboard.js";

const mode = document.querySelector("main").dataset.mode;
const at = (id) => document.getElementById(id);

/** The secret in a link or by itself: what stands after #, else all of it. */
const secretIn = (text) => text.trim().split("#").pop().trim();
/** The game in an address: .../games/ID or .../games/ID/seats, else all of it. */
const gameIn = (text) => (text.match(/games\/([\w-]+)/)?.[1] ?? text.trim().replace(/\/+$/, ""));

const PLAYED = ["axis", "allies"];

let token = mode === "recovery" ? "" : location.hash.slice(1);

function begin() {
  if (mode === "recovery") return;
  at("found").hidden = !token || token.includes("+");
  if (mode === "invitation") at("both").hidden = !token.includes("+");
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
    if (mode === "invitation") at("both").hidden = true;
    at("paste").hidden = false;
  }
}

async function seated(told) {
  history.replaceState(null, "", location.pathname); // a used secret need not stay in the address
  at("ask").hidden = true;
  at("seated").hidden = false;
  const seats = [told, ...(told.also ?? [])];
  let game = await ask("GET", `/api/games/${told.game}`);
  if (game.refused) game = await ask("GET", `/api/games/${told.game}/muster`); // the sides may still muster
  const playing = seats.filter((each) => PLAYED.includes(each.seat)).map((each) => game.names?.[each.seat] ?? each.seat);
  const place = playing.length ? `You play ${playing.join(" and ")} in` : `You are the ${told.seat} of`;
  at("whose").textContent = game.refused ? "" : `${place} ${game.title}.`;
  if (!game.refused) document.title = `${game.title} · Flagplot`;
  if (seats.length > 1) at("h-seated").textContent = "Both seats are yours";
  at("h-seated").focus();
  const coded = seats.filter((each) => each.recovery);
  if (coded.length) {
    at("recovery").hidden = false;
    if (coded.length > 1) at("h-recovery").textContent = "The recovery codes";
    coded.forEach((each, place) => {
      const label = coded.length > 1 ? `Recovery code for ${game.names?.[each.seat] ?? each.seat}` : "Recovery code";
      at("recovery-code").append(copyField(label, each.recovery, place ? `recovery-shown-${place + 1}` : "recovery-shown"));
    });
    at("written").addEventListener("change", () => { at("go").disabled = !at("written").checked; });
  } else {
    at("go").disabled = false;
  }
  at("go").addEventListener("click", () => location.assign(`/games/${told.game}${told.seat === "host" ? "/seats?as=host" : ""}`));
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
