// Seats: who sits where, my devices, my way back, and what the host may do.
import { ask, make, say } from "/static/common.js";
import { copyField, deviceLabel } from "/static/clipboard.js";

const { game, device } = document.querySelector("main").dataset;
const at = (id) => document.getElementById(id);
const api = `/api/games/${encodeURIComponent(game)}`;
const BY = { person: "a person", admiral: "the admiral", random: "chance" };

let seen = null;
// The host's key when this browser also sits for a side: kept in memory only, so that it ends with this page.
let key = "";

/** Ask as host: with the host's own key, without this browser's cookie. */
async function askAsHost(path, body) {
  if (!key) return ask("POST", path, body);
  return direct(path, body, { authorization: `Bearer ${key}` });
}

/** Ask without the cookie, and without letting the answer change it. */
async function direct(path, body, headers = {}) {
  const answer = await fetch(path, {
    method: "POST",
    credentials: "omit",
    headers: { "content-type": "application/json", accept: "application/json", ...headers },
    body: JSON.stringify(body),
  });
  const told = await answer.json();
  if (!answer.ok && !told.refused) told.refused = `The server answered ${answer.status}.`;
  return told;
}

async function look() {
  seen = await ask("GET", api);
  if (seen.refused) {
    at("which").textContent = "There is no such game here, or it is not yours to see.";
    for (const id of ["who", "devices", "code-section", "leave"]) at(id).hidden = true;
    at("recover-section").hidden = false;
    return;
  }
  const mine = seen.seat !== "spectator" || seen.host;
  const place = seen.host ? "You are the host." : mine ? `You sit for ${seen.names[seen.seat]}.` : "You are watching.";
  at("which").textContent = `${seen.title}. ${place}${seen.closed ? ` The game is closed: ${seen.closed}.` : seen.over ? " The battle is over." : ""}`;
  document.title = `Seats · ${seen.title} · Flagplot`;
  drawSeats();
  at("who").hidden = false;
  at("devices").hidden = !mine;
  at("code-section").hidden = !mine;
  at("recover-section").hidden = mine;
  at("leave").hidden = seen.seat === "spectator" || seen.over || Boolean(seen.closed);
  if (seen.host) beHost();
  if (mine) await drawDevices();
}

function drawSeats() {
  const rows = ["axis", "allies"].map((side) => {
    const seat = seen.seats.find((each) => each.seat === side);
    const who = seat ? seat.name || "a person without a name" : BY[seen.players[side]];
    const state = !seat ? "ready" : seat.claimed ? "seated" : "invitation not used yet";
    const mine = side === seen.seat ? make("b", {}, " (you)") : null;
    return make("tr", {}, make("th", { scope: "row" }, seen.names[side] ?? side, mine), make("td", {}, who), make("td", {}, state));
  });
  at("seat-rows").replaceChildren(...rows);
  // One's own seat comes last: it is hardly the one to be given away.
  const people = seen.seats.filter((each) => each.seat in seen.players).sort((one, other) => (one.seat === seen.seat) - (other.seat === seen.seat));
  at("reseat-side").replaceChildren(...people.map((each) => make("option", { value: each.seat }, `${seen.names[each.seat] ?? each.seat}${each.seat === seen.seat ? " (you)" : ""}`)));
  at("reseat").hidden = people.length === 0;
}

async function drawDevices() {
  const rows = await ask("GET", `${api}/devices`);
  if (rows.refused) return;
  at("device-rows").replaceChildren(...rows.map((row) => {
    const here = row.id === device;
    const since = new Date(row.created * 1000).toLocaleString();
    const label = row.label || "a device without a name";
    const item = make("li", { class: row.revoked ? "revoked" : null },
      make("span", {}, make("b", {}, label), here ? " (this one)" : "", make("span", { class: "quiet" }, ` since ${since}`)));
    if (row.revoked) item.append(make("span", { class: "quiet" }, "locked out"));
    else {
      const button = make("button", { type: "button", "aria-label": `Lock out ${label}${here ? ", this device" : ""}` }, "Lock out");
      button.addEventListener("click", () => revoke(row.id, here, button));
      item.append(button);
    }
    return item;
  }));
}

async function revoke(id, here, button) {
  if (here && button.dataset.sure !== "yes") {
    button.dataset.sure = "yes";
    button.textContent = "Sure? You will need your recovery code";
    return;
  }
  const told = await ask("POST", `${api}/devices/${encodeURIComponent(id)}/revoke`);
  say(told.refused ?? "That device is locked out.");
  if (here && !told.refused) location.reload();
  else await drawDevices();
}

function beHost() {
  at("host-door").hidden = true;
  at("host-acts").hidden = false;
}

/** What the host's key opens is taken here without touching this browser's own seat, if it has one. */
async function enterAsHost(given) {
  const secret = given.trim().split("#").pop();
  const sits = seen && !seen.refused && seen.seat !== "spectator";
  const isCode = /^([A-Z0-9]{5}-){3}[A-Z0-9]{5}$/i.test(secret);
  const send = sits ? direct : (path, body) => ask("POST", path, body);
  const told = isCode
    ? await send(`${api}/recover`, { code: secret, device: deviceLabel() })
    : await send("/api/claim", { token: secret, device: deviceLabel() });
  if (!told.refused && told.seat !== "host") {
    told.refused = `That was the key to a side's seat, and it is used now. Come back to that seat with this recovery code: ${told.recovery}`;
  }
  return { ...told, kept: sits };
}

function handle(form, act) {
  at(form).addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = event.target.querySelector("button");
    button.disabled = true;
    try {
      await act();
    } catch {
      say("The server did not answer.");
    }
    button.disabled = false;
  });
}

function hostRefused(why) {
  at("host-refused").textContent = why ? why[0].toUpperCase() + why.slice(1) : "";
  at("host-refused").hidden = !why;
}

handle("add-device", async () => {
  const told = await ask("POST", `${api}/devices`, { name: at("device-name").value.trim() });
  if (told.refused) return say(told.refused);
  const link = `${location.origin}/join-device#${game}.${told.token}`;
  at("device-link").replaceChildren(
    make("p", { class: "quiet" }, "Open this link on that device. It works once, and is shown only now. A program that plays for you through the API uses the part after the dot as its bearer token."),
    copyField("Link for the device", link, "device-shown"));
  at("device-name").value = "";
  await drawDevices();
});

handle("recover", async () => {
  const told = await ask("POST", `${api}/recover`, { code: at("code").value, device: deviceLabel() });
  if (told.refused) return at("recovered").replaceChildren(make("p", { class: "refused", role: "alert" }, told.refused));
  at("recovered").replaceChildren(copyField("Your new recovery code, shown only now", told.recovery, "recovered-shown"),
    make("p", {}, make("a", { class: "button main", href: `/games/${game}` }, "Go to the battle")));
  at("recover").hidden = true;
});

handle("resign", async () => {
  const told = await ask("POST", `${api}/close`, { why: at("resign-why").value.trim() });
  if (told.refused) return say(told.refused);
  location.assign(`/games/${game}`);
});

handle("host-enter", async () => {
  hostRefused("");
  const told = await enterAsHost(at("host-code").value);
  if (told.refused) return hostRefused(told.refused);
  if (told.kept) key = told.token;
  at("host-code-shown").replaceChildren(
    make("p", {}, "Write this down: it lets you act as host another time. It is shown only now."),
    copyField("Host's recovery code", told.recovery, "host-code-field"));
  history.replaceState(null, "", location.pathname);
  beHost();
  if (!told.kept) await look();
});

handle("reseat", async () => {
  const told = await askAsHost(`${api}/reseat`, { name: at("reseat-side").value });
  if (told.refused) return hostRefused(told.refused);
  const name = at("reseat-side").selectedOptions[0].textContent;
  at("reseat-link").replaceChildren(copyField(`New invitation for ${name}, used once, shown only now`, told.invitation, "reseat-shown"));
  await look();
});

handle("close", async () => {
  const told = await askAsHost(`${api}/close`, { why: at("close-why").value.trim() });
  if (told.refused) return hostRefused(told.refused);
  say("The game is closed.");
  await look();
});

at("new-code").addEventListener("click", async () => {
  const told = await ask("POST", `${api}/recovery`);
  if (told.refused) return say(told.refused);
  at("new-code-shown").replaceChildren(copyField("Your new recovery code, shown only now", told.recovery, "new-code-field"));
});
at("look").addEventListener("click", look);

if (location.hash.length > 1) at("host-code").value = location.hash.slice(1);
look().catch(() => { at("which").textContent = "The server did not answer."; });
