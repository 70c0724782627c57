// The muster page: one's own forces, entered in private and kept on the server. Of the other side only "ready" is known.
import { ask, make, say } from "/static/common.js";
import { editor, sentence } from "/static/setup_editor.js";
import { drawFleets, drawShips, prepareFleets } from "/static/setup_forces.js";
import { offerFile } from "/static/setup_file.js";
import { drawPlaces, preparePlaces } from "/static/setup_operation.js";

const main = document.querySelector("main");
const at = (id) => document.getElementById(id);
const game = main.dataset.game;
const seat = new URLSearchParams(location.search).get("as") ?? "";
const as = seat ? `?as=${encodeURIComponent(seat)}` : "";
const api = `/api/games/${encodeURIComponent(game)}/muster`;
const AGAIN = 1500; // milliseconds between looks at who is ready
const SIDES = ["axis", "allies"];
const PLAYERS = { person: "a person", admiral: "the admiral, a bot", random: "chance, a bot" };

let told = null; // what the server said of the game
let side = ""; // one's own
let sealed = false;
let edit = null;
let timer = 0;

function toTheBattle() {
  location.replace(`/games/${encodeURIComponent(game)}${as}`);
}

function drawState(state) {
  at("states").replaceChildren(...SIDES.map((each) => {
    const sitting = told.seats.find((one) => one.seat === each);
    const by = told.players[each] !== "person" ? PLAYERS[told.players[each]] : each === side ? "you" : sitting?.name || (sitting?.claimed ? "a person" : "nobody yet: the invitation has not been used");
    return make("tr", {}, make("th", { scope: "row" }, told.names[each]), make("td", {}, by), make("td", { "data-state": each }, state[each] === "ready" ? "✓ ready" : "… not ready"));
  }));
}

function drawSealed(now) {
  sealed = now;
  at("sealed").hidden = !sealed;
  at("file-row").hidden = sealed;
  at("bar").hidden = sealed || !side;
  for (const id of ["fleets", "bench"]) at(id).inert = sealed;
  at("bench").classList.toggle("stale", sealed);
  if (sealed) at("warplanner").hidden = true;
}

/** Two people at one screen: what the one has mustered is taken off the page before the other looks at it. */
function passOn(state) {
  const other = SIDES.find((each) => each !== side);
  if (!side || state[side] !== "ready" || state[other] === "ready" || !told.held.includes(other)) return false;
  const go = make("button", { type: "button", class: "main", id: "pass" }, `I am ${told.names[other]}: show my side`);
  go.addEventListener("click", () => location.assign(`/games/${encodeURIComponent(game)}/muster?as=${other}`));
  const back = make("button", { type: "button" }, `I am ${told.names[side]}: open my muster again`);
  back.addEventListener("click", async () => {
    const answer = await ask("POST", `${api}/ready${as}`, { ready: false, text: "" });
    if (answer.refused) say(sentence(answer.refused));
    else location.reload();
  });
  clearInterval(timer);
  main.replaceChildren(make("section", { class: "sheet door narrow" }, make("h1", { tabindex: "-1" }, `Pass the screen to ${told.names[other]}`),
    make("p", {}, `${told.names[side]} is ready and its forces are sealed. They are no longer on this page.`), make("p", { class: "verbs" }, go, back)));
  main.querySelector("h1").focus();
  return true;
}

async function begin() {
  told = await ask("GET", `${api}${as}`);
  if (told.refused) {
    at("waiting").className = "refused";
    at("waiting").textContent = sentence(told.refused);
    return;
  }
  if (told.stage !== "mustering") return toTheBattle();
  at("waiting").hidden = true;
  at("about").hidden = false;
  side = SIDES.includes(told.seat) ? told.seat : "";
  document.title = `Muster: ${told.title} · Flagplot`;
  at("h-muster").textContent = side ? `Muster ${told.names[side]}` : "The sides muster";
  at("h-about").textContent = told.title;
  at("summary").textContent = told.summary;
  const intercepts = told.mover ? `${told.names[told.mover]} moves, ${told.names[told.interceptor]} intercepts` : `${told.names[told.interceptor]} intercepts`;
  at("facts").textContent = `${told.theatre} · ${told.kind} · ${intercepts} · hidden order of battle${told.round > 1 ? ` · begins in round ${told.round}` : ""} · edition ${told.edition}`;
  drawState(told.state);
  if (told.closed) {
    at("rights").textContent = `The game has been closed: ${told.closed}.`;
    return;
  }
  at("rights").textContent = side
    ? `Only you see what you muster${told.mover ? `; the sea and the ports are settled and known to everyone (yours: ${told.ports[side].join(", ")})` : ""}. The other side learns that you are ready, and nothing else. You may have units of ${told.nations[side].join(", ")} (22.112).`
    : "Each side enters its forces in private. The battle begins when all are ready.";
  if (passOn(told.state)) return;
  if (side) beginOwn();
  timer = setInterval(look, AGAIN);
}

function beginOwn() {
  at("own").hidden = false;
  edit = editor({
    readAt: `${api}${as}`,
    changeAt: `${api}/change${as}`,
    fine: () => [make("b", {}, "✓ "), "Your forces will do. Seal them when you are ready."],
    drawn: (now) => {
      const broken = now.outline === null;
      at("fleets").inert = broken || sealed;
      at("fleets").classList.toggle("stale", broken);
      if (broken) return;
      drawPlaces(now.outline);
      drawFleets(now.outline);
      drawShips(now.outline);
    },
  });
  preparePlaces(JSON.parse(main.dataset.words));
  prepareFleets(JSON.parse(main.dataset.words), edit.change, edit.goTo, { side, nations: told.nations[side] });
  offerFile({ sides: [side], read: edit.read, change: edit.change, replaceText: edit.replaceText });
  edit.begin(told.own.text, told.own);
  drawSealed(told.state[side] === "ready");
}

at("ready").addEventListener("click", async () => {
  at("ready").disabled = true;
  try {
    await edit.settled();
    const now = await edit.check();
    if (!now.ok) {
      say("Your forces will not do yet.");
      if (now.line) edit.goTo(now.line);
      return;
    }
    const answer = await ask("POST", `${api}/ready${as}`, { ready: true, text: edit.text.value });
    if (answer.refused) say(sentence(answer.refused));
    else if (answer.stage === "playing") toTheBattle();
    else if (!passOn({ ...told.state, [side]: "ready" })) {
      drawSealed(true);
      at("h-sealed").focus();
      look();
    }
  } catch {
    say("The server did not answer: whether you are sealed will be seen here in a moment.");
  } finally {
    if (at("ready")) at("ready").disabled = false;
  }
});

at("unseal").addEventListener("click", async () => {
  const answer = await ask("POST", `${api}/ready${as}`, { ready: false, text: "" });
  if (answer.refused) say(sentence(answer.refused));
  else {
    drawSealed(false);
    edit.text.focus();
  }
  look();
});

/** Who is ready now; when the battle has begun, there. */
async function look() {
  let now;
  try {
    now = await ask("GET", `${api}/state${as}`);
  } catch {
    return;
  }
  if (now.refused) return;
  if (now.stage === "playing") return toTheBattle();
  if (now.closed !== told.closed) return location.reload();
  if (SIDES.some((each) => now.state[each] !== told.state[each])) {
    told.state = now.state;
    drawState(now.state);
    if (side && sealed !== (now.state[side] === "ready")) drawSealed(now.state[side] === "ready");
  }
}

begin();
