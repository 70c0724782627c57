// The game is made: each link, who it is for, and one's own seat claimed here.
import { ask, make, say } from "/static/common.js";
import { copyField, deviceLabel } from "/static/clipboard.js";
import { sentence } from "/static/setup_editor.js";

const at = (id) => document.getElementById(id);
const SIDES = ["axis", "allies"];
const PLAYERS = { person: "a person", admiral: "the admiral", random: "chance" };

/** made: what the server answered; battle: title, names and players by side, muster, watched (and the delay in minutes). */
export function showMade(made, battle) {
  at("making").hidden = true;
  at("bar").hidden = true;
  at("made").hidden = false;
  const people = SIDES.filter((side) => made.invitations[side]);
  at("made-title").textContent = `${battle.title}: ${SIDES.map((side) => `${battle.names[side]} by ${PLAYERS[battle.players[side]]}`).join(", ")}.`
    + (battle.muster ? " The battle begins when everybody who musters is ready." : "");
  const host = `${location.origin}/games/${made.game}/seats?as=host#${made.invitations.host.split("#")[1]}`;
  const link = (id, label, who, address) => make("div", { id: `invitation-${id}`, class: "invitation" }, copyField(label, address, `link-${id}`), make("p", { class: "quiet" }, who));
  const whose = (side) => `For whoever plays ${battle.names[side]}: used once, it gives that seat to the browser that opens it.`;
  at("invitations").replaceChildren(...[
    ...(made.hot_seat
      ? [link("both", "Both seats, for one screen", "For the screen you share: used once, it seats both of you in that browser. Between your turns a page hides what is not yours.", made.hot_seat)]
      : people.map((side) => link(side, `Invitation for ${battle.names[side]}`, whose(side), made.invitations[side]))),
    made.invitations.referee && link("referee", "Invitation for the referee", "For somebody you both trust: the referee sees everything and decides nothing. Both players are told that there is one.", made.invitations.referee),
    link("host", "Host's link", "For you: it gives a seat anew or closes the game, and shows neither side's secrets.", host),
    battle.watched && link("spectators", "Address for spectators", battle.delay
      ? `For anyone: it shows what both sides can see, ${battle.delay} minute${battle.delay > 1 ? "s" : ""} later, and can be used as often as you like.`
      : "For anyone: it shows what both sides can see, and can be used as often as you like.", `${location.origin}/games/${made.game}`),
  ].filter(Boolean));
  at("keep-off").hidden = Boolean(made.hot_seat);
  if (battle.muster) at("who-knows").textContent = "What a side musters only that side sees; you know what it began with. Whoever runs this server could read both.";
  const seats = made.hot_seat ? ["both"] : people.length ? people : ["host"];
  const name = make("input", { id: "my-name", maxlength: "60", autocomplete: "nickname" });
  at("made-verbs").replaceChildren(
    people.length && !made.hot_seat ? make("span", { class: "name" }, make("label", { for: "my-name" }, "Your name, if you like"), name) : "",
    ...seats.map((seat) => {
      const label = seat === "host" ? "Start and watch" : seat === "both" ? "Start here: we both play on this screen" : `Start: I play ${battle.names[seat]}`;
      const button = make("button", { type: "button", class: seats.length === 1 ? "main" : "", "data-seat": seat }, label);
      button.addEventListener("click", () => start(made, battle, seat, name.value.trim()));
      return button;
    }));
  at("h-made").focus();
  scrollTo(0, 0);
}

/** Claim one's own seat here, and show its recovery code before going on. */
async function start(made, battle, seat, name) {
  const token = (seat === "both" ? made.hot_seat : made.invitations[seat]).split("#")[1];
  const told = await ask("POST", "/api/claim", { token, name, device: deviceLabel() });
  if (told.refused) return say(sentence(told.refused));
  const claimed = [told, ...(told.also ?? [])];
  const mine = seat === "both" ? "Both seats are yours, in this browser. That link is used." : `${battle.names[seat] ?? "The host's seat"} is yours, in this browser. That invitation is used.`;
  at(`invitation-${seat}`)?.replaceChildren(make("p", { class: "said" }, mine));
  const written = make("input", { type: "checkbox", id: "written" });
  const go = make("button", { type: "button", class: "main", id: "go", disabled: true }, battle.muster ? "Go and muster" : "Go to the battle");
  written.addEventListener("change", () => { go.disabled = !written.checked; });
  go.addEventListener("click", () => location.assign(`/games/${made.game}`));
  const others = Object.keys(made.invitations).length > claimed.length + 1; // beside the host's own
  at("made-verbs").replaceChildren(
    make("div", { class: "recovery" },
      ...claimed.map((each, n) => copyField(claimed.length > 1 ? `Recovery code of ${battle.names[each.seat]}, shown only now` : "Your recovery code, shown only now: it brings you back to this seat", each.recovery, n ? `recovery-shown-${n + 1}` : "recovery-shown")),
      make("label", { class: "choice" }, written, ` I have written ${claimed.length > 1 ? "them" : "it"} down, and ${others ? "sent the others their links" : "kept the host's link"}`)),
    go);
  at("recovery-shown").focus();
  return undefined;
}
