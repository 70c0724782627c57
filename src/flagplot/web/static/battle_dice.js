// Dice on the battle page: this browser's part in fair dice, drawn and opened without a click, and real dice typed in.
// A share is kept here from the moment it is drawn until it is open; afterwards the start code and this side's half are.
// Of strict dice the last link of a chain is kept; the others follow from it, and one is released for each roll.

import { ask, newId, say } from "./common.js";

const main = document.querySelector("main.battle");
const game = main.dataset.game;
const board = () => document.getElementById("board");
const VERSION = "flagplot-dice-1";
const LINKS = 10_000;
const DIGITS = /^[0-9a-f]{64}$/;

const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const bytesOf = (digits) => Uint8Array.from(digits.match(/../g), (pair) => parseInt(pair, 16));

/** Parts in a row, each with its length before it (docs/dice.md). */
function frame(...parts) {
  const told = parts.map((part) => (typeof part === "string" ? new TextEncoder().encode(part) : part));
  const made = new Uint8Array(told.reduce((sum, part) => sum + 4 + part.length, 0));
  let at = 0;
  for (const part of told) {
    new DataView(made.buffer).setUint32(at, part.length);
    made.set(part, at + 4);
    at += 4 + part.length;
  }
  return made;
}

export async function boundShare(side, name, share) {
  const made = frame(VERSION, `share ${side}`, name, bytesOf(share));
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", made)));
}

const chains = new Map();

/** All links of a side's chain, from the last one: number 0 is what the side is bound to. */
async function chainOf(side, name, last) {
  if (!chains.has(last)) {
    const made = new Array(LINKS + 1);
    let link = bytesOf(last);
    made[LINKS] = last;
    for (let number = LINKS; number > 0; number -= 1) {
      link = new Uint8Array(await crypto.subtle.digest("SHA-256", frame(VERSION, `link ${side}`, name, link)));
      made[number - 1] = hex(link);
    }
    chains.set(last, made);
  }
  return chains.get(last);
}

// -- what this browser keeps ------------------------------------------------------------------------

const keyOf = (what, side) => `flagplot-dice-${what}-${game}-${side}`;

function kept(what, side) {
  try {
    return localStorage.getItem(keyOf(what, side)) ?? "";
  } catch {
    return "";
  }
}

/** Keep something; false if this browser keeps nothing. */
function keep(what, side, value) {
  try {
    if (value) localStorage.setItem(keyOf(what, side), value);
    else localStorage.removeItem(keyOf(what, side));
    return true;
  } catch {
    return false;
  }
}

// -- fair dice --------------------------------------------------------------------------------------

function tell(text) {
  const place = document.getElementById("dice-said");
  if (place && place.textContent !== text) place.textContent = text;
}

const send = (path, side, body) => ask("POST", `/api/games/${game}/dice/${path}?as=${side}`, { id: newId(), ...body });

async function takePart(told, side) {
  const promised = told.commitments[side]?.commitment;
  const share = kept("share", side);
  if (told.start) compareStart(told, side);
  if (told.half && side === board().dataset.seat) keep("half", side, told.half);
  if (!told.missing.includes(side)) {
    if ((told.opened.includes(side) || told.state === "revealed") && share) keep("share", side, "");
    return;
  }
  if (told.mode === "strict" && promised) {
    if (told.state === "ready" && told.commitments[side].by === "page") await releaseLink(told, side, promised, share);
    return;
  }
  if (told.state === "commit" && !promised) {
    if (!globalThis.crypto?.subtle || !keep("share", side, hex(crypto.getRandomValues(new Uint8Array(32))))) {
      tell("This browser cannot draw a share here (it needs https and storage): let the server draw yours.");
      return;
    }
    const drawn = kept("share", side);
    const commitment = told.mode === "strict" ? (await chainOf(side, told.bound.game, drawn))[0] : await boundShare(side, told.bound.game, drawn);
    const answer = await send("commit", side, { commitment });
    if (answer.refused) tell(answer.refused);
  } else if (told.state === "open" && told.commitments[side].by === "page") {
    if (!DIGITS.test(share) || (await boundShare(side, told.bound.game, share)) !== promised) {
      tell("Your share was drawn in another browser: open this page there, and the dice are settled.");
      return;
    }
    const answer = await send("open", side, { share });
    if (answer.refused) tell(answer.refused);
  }
}

/** One link for the roll that is due, and no other: only this browser knows the next. */
async function releaseLink(told, side, promised, share) {
  const chain = DIGITS.test(share) ? await chainOf(side, told.bound.game, share) : [];
  if (chain[0] !== promised) {
    tell("Your chain was drawn in another browser: open this page there, and the dice fall.");
    return;
  }
  const out = told.links[side];
  if (chain[out] !== told.last[side]) {
    tell("The server names another link than the last that this browser released: nothing is released.");
    return;
  }
  const answer = await send("link", side, { link: chain[out + 1] });
  tell(answer.refused ?? "");
}

/** The start code must stay the one this browser saw first. */
function compareStart(told, side) {
  const before = kept("start", side);
  if (!before) keep("start", side, told.start); // it is told when both commitments are in, and nothing it holds changes after that
  else if (before !== told.start) tell(`The start code was ${before} when this browser first saw it, and is another now: the host has changed what it was bound to.`);
}

// -- real dice --------------------------------------------------------------------------------------

/** Dice out of what was typed: 3 5, 3,5 or 35. */
export function readDice(text, count) {
  const faces = text.replace(/[\s,;+]+/g, "");
  if (!/^[1-6]*$/.test(faces)) throw new Error("Dice show 1 to 6: type them one after the other.");
  if (faces.length !== count) throw new Error(`${count === 1 ? "1 die is" : `${count} dice are`} rolled here; you typed ${faces.length}.`);
  return [...faces].map(Number);
}

async function enter(dice) {
  const answer = await send("typed", board().dataset.seat, { dice });
  if (answer.refused) tell(answer.refused);
  else say("Entered.");
}

main.addEventListener("submit", (event) => {
  if (event.target.id !== "real-dice") return;
  event.preventDefault();
  try {
    enter(readDice(document.getElementById("typed-dice").value, Number(event.target.dataset.count)));
  } catch (error) {
    tell(error.message);
  }
});

main.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button?.id === "confirm-dice") enter(button.dataset.dice.split(" ").map(Number));
  if (button?.id === "server-share") {
    const side = board().dataset.seat;
    keep("share", side, "");
    send("commit", side, {}).then((answer) => answer.refused && tell(answer.refused));
  }
});

// -- whenever the board changes ----------------------------------------------------------------------

let working = false;
let again = false;

async function follow() {
  again = true;
  if (working) return;
  working = true;
  while (again) {
    again = false;
    const told = JSON.parse(board()?.dataset.dice || "null");
    if (told?.mode !== "fair" && told?.mode !== "strict") continue;
    for (const side of told.held) await takePart(told, side).catch(() => tell("The connection is lost: this page tries again."));
  }
  working = false;
}

if (board()) {
  new MutationObserver(follow).observe(board(), { attributes: true, attributeFilter: ["data-dice"] });
  follow();
  setInterval(() => board() && JSON.parse(board().dataset.dice || "null")?.missing?.length && follow(), 15_000);
}
