// Seats: who sits where, my devices, my way back, and what the host may do.
import { ask, make, say } from "/static/common.js";
import { copyField, deviceLabel } from "/static/clipboard.js";

const { game, seat: me, held: holding } = document.querySelector("main").dataset;
const held = holding ? holding.split(" ") : [];
const at = (id) => document.getElementById(id);
const api = `/api/games/${encodeURIComponent(game)}`;
const BY = { person: "a person", admiral: "the admiral", random: "chance" };
/** An address as the seat this page is shown for, or as another that this browser holds. */
const as = (path, seat = me) => (seat ? `${api}${path}?as=${seat}` : `${api}${path}`);

let seen = null;

async function look() {
  seen = await ask("GET", as(""));
  if (seen.refused) seen = await ask("GET", as("/muster")); // the sides may still muster
  if (seen.refused) {
    at("which").textContent = me ? seen.refused : "There is no such game here, or it is not yours to see.";
    for (const id of ["who", "code-section", "leave"]) at(id).hidden = true;
    at("devices").hidden = !me;
    at("recover-section").hidden = Boolean(me);
    if (held.includes("host")) beHost();
    if (me) await drawDevices();
    return;
  }
  const mine = Boolean(me);
  const place = me in seen.players ? `You sit for ${seen.names[me] ?? me}.` : mine ? `You are the ${me}.` : "You are watching.";
  at("which").textContent = `${seen.title}. ${place}${seen.closed ? ` The game is closed: ${seen.closed}.` : seen.over ? " The battle is over." : ""}`;
  document.title = `Seats · ${seen.title} · Flagplot`;
  drawSeats();
  at("who").hidden = false;
  at("devices").hidden = !mine;
  at("code-section").hidden = !mine;
  at("recover-section").hidden = mine;
  at("leave").hidden = !(me in seen.players) || seen.over || Boolean(seen.closed);
  if (held.includes("host")) beHost();
  if (mine) await drawDevices();
}

function drawSeats() {
  const referee = seen.seats.find((each) => each.seat === "referee");
  const rows = ["axis", "allies", ...(referee ? ["referee"] : [])].map((side) => {
    const seat = seen.seats.find((each) => each.seat === side);
    const who = !seat ? BY[seen.players[side]] : seat.claimed ? seat.name || "a person without a name" : "nobody yet";
    const state = !seat ? "ready" : seat.claimed ? "seated" : "invitation not used yet";
    const name = side === "referee" ? "Referee, who sees everything" : seen.names[side] ?? side;
    const mine = side === me ? make("b", {}, " (you)") : null;
    return make("tr", {}, make("th", { scope: "row" }, name, mine), make("td", {}, who), make("td", {}, state));
  });
  at("seat-rows").replaceChildren(...rows);
  const said = seen.notes.filter((note) => note.seat === "host");
  at("host-notes").replaceChildren(...said.map((note) => make("li", {}, `${note.text[0].toUpperCase()}${note.text.slice(1)}.`)));
  at("host-notes").hidden = said.length === 0;
  for (const link of document.querySelectorAll("#switch [data-name]")) link.textContent = seen.names[link.dataset.name] ?? link.dataset.name;
  // One's own seat comes last: it is hardly the one to be given away.
  const people = seen.seats.filter((each) => each.seat !== "host").sort((one, other) => held.includes(one.seat) - held.includes(other.seat));
  at("reseat-side").replaceChildren(...people.map((each) => make("option", { value: each.seat }, `${seen.names[each.seat] ?? each.seat}${held.includes(each.seat) ? " (you)" : ""}`)));
  at("reseat").hidden = people.length === 0;
}

async function drawDevices() {
  const rows = await ask("GET", as("/devices"));
  if (rows.refused) return;
  at("revoke-others").hidden = rows.filter((row) => !row.revoked && !row.here).length === 0;
  at("device-rows").replaceChildren(...rows.map((row) => {
    const since = new Date(row.created * 1000).toLocaleString();
    const label = row.label || "a device without a name";
    const item = make("li", { class: row.revoked ? "revoked" : null },
      make("span", {}, make("b", {}, label), row.here ? " (this one)" : "", make("span", { class: "quiet" }, ` added ${since}`)));
    if (row.revoked) item.append(make("span", { class: "quiet" }, "locked out"));
    else if (!row.here) {
      const button = make("button", { type: "button", "aria-label": `Lock out ${label}` }, "Lock out");
      button.addEventListener("click", () => revoke(row.id));
      item.append(button);
    }
    return item;
  }));
}

async function revoke(id) {
  const told = await ask("POST", as(`/devices/${encodeURIComponent(id)}/revoke`));
  say(told.refused ?? "That device is locked out.");
  await drawDevices();
}

async function signOut(button) {
  if (button.dataset.sure !== "yes") {
    button.dataset.sure = "yes";
    button.textContent = "Sure? Sign out";
    at("sign-out-words").hidden = false;
    return;
  }
  const told = await ask("POST", as("/signout"));
  if (told.refused) return say(told.refused);
  for (const store of [localStorage, sessionStorage]) {
    for (const key of Object.keys(store)) if (key.includes(game)) store.removeItem(key);
  }
  location.assign("/");
}

function beHost() {
  at("host-door").hidden = true;
  at("host-acts").hidden = false;
}

/** What the host's key opens is one more seat of this browser, beside its own if it has one. */
async function enterAsHost(given) {
  const secret = given.trim().split("#").pop();
  const isCode = /^([A-Z0-9]{5}-){3}[A-Z0-9]{5}$/i.test(secret);
  const told = isCode
    ? await ask("POST", `${api}/recover`, { code: secret, device: deviceLabel() })
    : await ask("POST", "/api/claim", { token: secret, device: deviceLabel() });
  if (!told.refused && told.seat !== "host") {
    told.refused = `That was the key to a side's seat, and this browser sits there now. Come back to that seat another time with this recovery code: ${told.recovery}`;
  }
  return told;
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
  const told = await ask("POST", as("/devices"), { name: at("device-name").value.trim() });
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
  const told = await ask("POST", as("/close"), { why: at("resign-why").value.trim() });
  if (told.refused) return say(told.refused);
  location.assign(`/games/${game}?as=${me}`);
});

handle("host-enter", async () => {
  hostRefused("");
  const told = await enterAsHost(at("host-code").value);
  if (told.refused) return hostRefused(told.refused);
  if (!held.includes("host")) held.push("host");
  at("host-code-shown").replaceChildren(
    make("p", {}, "Write this down: it lets you act as host another time. It is shown only now."),
    copyField("Host's recovery code", told.recovery, "host-code-field"));
  history.replaceState(null, "", location.pathname + location.search);
  beHost();
});

handle("reseat", async () => {
  const told = await ask("POST", as("/reseat", "host"), { name: at("reseat-side").value });
  if (told.refused) return hostRefused(told.refused);
  const name = at("reseat-side").selectedOptions[0].textContent;
  at("reseat-link").replaceChildren(copyField(`New invitation for ${name}, used once, shown only now`, told.invitation, "reseat-shown"));
  await look();
});

handle("close", async () => {
  const told = await ask("POST", as("/close", "host"), { why: at("close-why").value.trim() });
  if (told.refused) return hostRefused(told.refused);
  say("The game is closed.");
  await look();
});

at("new-code").addEventListener("click", async () => {
  const told = await ask("POST", as("/recovery"));
  if (told.refused) return say(told.refused);
  at("new-code-shown").replaceChildren(copyField("Your new recovery code, shown only now", told.recovery, "new-code-field"));
});
at("revoke-others").addEventListener("click", async () => {
  const told = await ask("POST", as("/devices/revoke-others"));
  say(told.refused ?? "All other devices of this seat are locked out.");
  await drawDevices();
});
at("sign-out").addEventListener("click", (event) => signOut(event.target));
at("look").addEventListener("click", look);

if (location.hash.length > 1) at("host-code").value = location.hash.slice(1);
look().catch(() => { at("which").textContent = "The server did not answer."; });
