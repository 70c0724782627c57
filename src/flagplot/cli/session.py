"""A game at the keyboard: whose turn it is, what is asked, what was typed, and the commands known at every prompt."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.text import Text

from flagplot.bots.bot import Bot
from flagplot.cli.prompts import in_words, read_answer, samples, show_question
from flagplot.cli.screen import Screen, explain, game_facts
from flagplot.cli.terminal import Reader, print_json_line, with_rules
from flagplot.core.asks import Decide
from flagplot.core.errors import GameError, IllegalChoice, PlayerError
from flagplot.core.sides import SIDES, Side
from flagplot.editions.current import ruleset
from flagplot.play.game import Game
from flagplot.play.saves import save
from flagplot.play.transcript import results, transcript

HELP = (
    ("help", "this list"),
    ("Enter", "the answer that is shown as the default"),
    ("why, why 3", "the last roll line by line, or roll 3"),
    ("undo", "take your last answer back; after dice, a reveal or an enemy answer: undo agreed"),
    ("legal", "a few legal answers"),
    ("chart", "the combat chart and the boards"),
    ("log", "what has happened, as far as you know"),
    ("rule 22.54B", "what a rule is about, and where it is carried out"),
    ("save FILE", "write the game to a file"),
    ("quit", "stop here; the game is saved, and you are told how to go on"),
)


class Quit(Exception):
    """The person leaves."""


class Session:
    """One game, the sides that people play, and the bot that plays the others."""

    def __init__(self, game: Game, people: list[Side], bot: Bot, out: Console, *, json: bool = False) -> None:
        self.game = game
        self.people = people
        self.bot = bot
        self.out = out
        self.json = json
        self.reader = Reader(out)
        self.path: Path | None = None
        self.screens = {side: Screen(out, side) for side in people}
        self.sent = dict.fromkeys(people, 0)
        self.at_keyboard: Side | None = None
        self.asked: Decide | None = None

    # -- the loop ---------------------------------------------------------------------------

    @property
    def hands_over(self) -> bool:
        """Whether two people share the keyboard and may not see each other's screens."""
        return len(self.people) == 2 and not self.game.header.solitaire

    def run(self) -> None:
        """Play until the game is over. EndOfInput, Quit and KeyboardInterrupt leave it where it stands."""
        while not self.game.over:
            if self.game.roll_due():
                self.game.roll()
                self.autosave()
                continue
            # Bots first: an answer of theirs after ours would stand in the way of undo.
            side = min((side for side in Side if self.game.decision(side)), key=lambda side: side in self.people)
            decision = self.game.decision(side)
            if decision is None:
                continue
            sole = decision.form.sole_answer()
            if sole is not None:
                self._answer_alone(side, decision, sole)
            elif side in self.people:
                self._ask(side, decision)
            else:
                self.game.submit(side, self.bot.choose(self.game.picture(side), decision))
            self.autosave()
        self._end()

    def _answer_alone(self, side: Side, decision: Decide, sole: Any) -> None:
        """A question with one legal answer is put all the same, and answered; its owner is told."""
        if side in self.people and decision.form.items and not self.json and not self.hands_over:
            self.screens[side].news(self.game.picture(side).events)
            barred = [limit for item in decision.form.items for limit in decision.form.barred(item).values()]
            why = "".join(f" {limit.why} ({limit.rule})" for limit in dict.fromkeys(barred))
            answer = in_words(decision.form, decision.read(sole))
            self.out.print(
                with_rules(f"  Nothing to choose ({decision.rule}): {decision.question} {answer}.{why}", "quiet")
            )
        self.game.submit(side, sole)

    def _ask(self, side: Side, decision: Decide) -> None:
        """Put a question to a person until it is answered or something else has moved."""
        self.asked = decision
        self._take_the_keyboard(side)
        self._show(side, decision)
        name = self.game.battle.fleets[side].name
        while True:
            line = self.reader.line(f"{name} ›", silent=self.json)
            try:
                if not self._command(line, side, decision):
                    self.game.submit(side, read_answer(decision.form, line))
            except GameError as refusal:
                self._refuse(refusal)
            if self.game.decision(side) is not decision:
                break
        self.asked = None

    def _take_the_keyboard(self, side: Side) -> None:
        if self.hands_over and self.at_keyboard is not side and self.reader.interactive:
            name = self.game.battle.fleets[side].name
            self._clear()
            self.out.print(Text.assemble("Hand over to ", (name, "heading own"), ". The other side looks away."))
            self.reader.line("Then press Enter.")
            self._clear()
        self.at_keyboard = side

    def _clear(self) -> None:
        self.out.clear()
        self.out.file.write("\x1b[3J")  # what can be scrolled back to is the other side's, too
        self.out.file.flush()

    def _show(self, side: Side, decision: Decide) -> None:
        picture = self.game.picture(side)
        if self.json:
            self._send(side)
            form = msgspec.to_builtins(decision.form)
            number = self.game.question_number(side)
            about = {"rule": decision.rule, "kind": decision.kind, "about": decision.about}
            print_json_line(
                {
                    "type": "question",
                    "side": side.value,
                    "number": number,
                    "question": decision.question,
                    **about,
                    "form": form,
                }
            )
            return
        screen = self.screens[side]
        screen.news(picture.events)
        screen.header(picture.battle, game_facts(self.game))
        screen.table(picture.battle)
        show_question(self.out, decision, picture.battle.fleets[side].name)

    def _send(self, side: Side) -> None:
        events = self.game.picture(side).events
        for event in events[self.sent[side] :]:
            print_json_line({"type": "event", "side": side.value, "event": msgspec.to_builtins(event, str_keys=True)})
        self.sent[side] = len(events)

    def _refuse(self, refusal: GameError) -> None:
        if self.json:
            rule = refusal.rule if isinstance(refusal, IllegalChoice) else ""
            print_json_line({"type": "refused", "rule": rule, "why": str(refusal)})
            return
        text = (
            f"{refusal.reason} {refusal.instead} ({refusal.rule})"
            if isinstance(refusal, IllegalChoice)
            else str(refusal)
        )
        self.out.print(
            Text.assemble(("✕ Refused. ", "refusal"), with_rules(" ".join(text.split()))),
            soft_wrap=not self.out.is_terminal,
        )

    # -- the end -------------------------------------------------------------------------------

    def _end(self) -> None:
        if self.json:
            for side in self.people:
                self._send(side)
            print_json_line({"type": "result", **outcome(self.game)})
            return
        if self.hands_over and self.reader.interactive:
            self._clear()
        for side in self.people[:1]:
            screen, picture = self.screens[side], self.game.picture(side)
            screen.news(picture.events)
            screen.header(picture.battle, game_facts(self.game))
        self.out.print(Text("\nThe battle is over.\n", style="heading"))
        for part in results(self.game.events()):
            self.out.print(with_rules(part + "\n"), soft_wrap=not self.out.is_terminal)

    def stop(self) -> None:
        """Say where the game stands when input has ended."""
        if self.json:
            print_json_line({"type": "stopped", "asked": self.asked.question if self.asked else ""})
            return
        what = (
            f"{self.game.battle.fleets[self.asked.side].name} was asked: {self.asked.question} ({self.asked.rule})"
            if self.asked
            else "dice were to be rolled"
        )
        self.out.print(Text.assemble("\nThe input ends here. ", with_rules(what)), soft_wrap=True)

    def autosave(self) -> None:
        """Keep the file up to date, if there is one."""
        if self.path is not None:
            save(self.game, self.path)

    # -- dice that are typed -----------------------------------------------------------------------

    def ask_dice(self, count: int) -> list[int]:
        """Real dice, from whoever rolled them."""
        due = self.game.roll_due()
        why = f"{due.why} ({due.rule})" if due else ""
        while True:
            line = self.reader.line(f"Roll {count} {'die' if count == 1 else 'dice'}: {why} ›", silent=self.json)
            try:
                if line and line.split()[0].lower() in ("quit", "exit"):
                    raise Quit
                dice = [int(die) for die in line.replace(",", " ").replace("+", " ").split()]
                if len(dice) == 1 and count > 1 and len(line) == count:
                    dice = [int(die) for die in line]
                if due:
                    due.read(dice)
                return dice
            except ValueError:
                self._refuse(PlayerError(f"Type {count} numbers from 1 to 6, for example {' '.join('4' * count)}."))
            except GameError as refusal:
                self._refuse(refusal)

    # -- commands ---------------------------------------------------------------------------------------

    def _command(self, line: str, side: Side, decision: Decide) -> bool:
        """Carry out a command; False if the line is none."""
        word, *rest = line.split() or [""]
        commands: dict[str, Callable[[list[str]], None]] = {
            "help": lambda rest: self._help(),
            "?": lambda rest: self._help(),
            "why": lambda rest: self._why(side, rest),
            "undo": lambda rest: self._undo(side, rest),
            "legal": lambda rest: self._legal(decision),
            "chart": lambda rest: self._chart(side),
            "log": lambda rest: self._log(side),
            "rule": lambda rest: self._rule(rest),
            "save": lambda rest: self._save(line),
            "quit": lambda rest: self._quit(),
            "exit": lambda rest: self._quit(),
        }
        if word.lower() not in commands:
            return False
        commands[word.lower()](rest)
        return True

    def _say(self, text: str, key: str = "said") -> None:
        if self.json:
            print_json_line({"type": key, "text": text})
        else:
            self.out.print(with_rules(text), soft_wrap=not self.out.is_terminal)

    def _help(self) -> None:
        width = max(len(name) for name, _ in HELP)
        for name, about in HELP:
            self._say(f"  {name:<{width}}  {about}")

    def _why(self, side: Side, rest: list[str]) -> None:
        events = self.game.picture(side).events
        number = int(rest[0]) if rest and rest[0].isdigit() else 0
        complaint = explain(self.out, events, ruleset(self.game.header.edition, self.game.header.options), number)
        if complaint:
            raise PlayerError(complaint)

    def _undo(self, side: Side, rest: list[str]) -> None:
        words = [word.lower() for word in rest]
        agreed = "agreed" in words
        whose = next((SIDES[word] for word in words if word in SIDES and SIDES[word] in self.people), side)
        try:
            self.game.undo(whose, agreed=agreed)
            while (decision := self.game.decision(whose)) and decision.form.sole_answer() is not None:
                self.game.undo(whose, agreed=agreed)  # what was answered for him is no answer to go back to
        finally:
            for person in self.people:
                self.sent[person] = self.screens[person].rewind(self.game.picture(person).events)
        self._say("Taken back.", "undone")

    def _legal(self, decision: Decide) -> None:
        for typed in samples(decision):
            self._say(f"  {typed}", "legal")

    def _chart(self, side: Side) -> None:
        picture = self.game.picture(side)
        self.screens[side].header(picture.battle, game_facts(self.game))
        self.screens[side].table(picture.battle, always=True)

    def _log(self, side: Side) -> None:
        for text in transcript(self.game.picture(side).events):
            self._say(text)

    def _rule(self, rest: list[str]) -> None:
        from flagplot.cli.ledger import find, show

        if not rest:
            raise PlayerError("Which rule? For example: rule 22.54B")
        show(self.out, find(rest[0]))

    def _save(self, line: str) -> None:
        try:
            words = shlex.split(line)[1:]
        except ValueError:
            words = line.split()[1:]
        path = Path(words[0]) if words else self.path or free_path(self.game)
        save(self.game, path)
        self._say(f"Saved to {path}.", "saved")

    def _quit(self) -> None:
        raise Quit


def free_path(game: Game) -> Path:
    """A file for this game that is not another one's."""
    stem = Path(game.header.scenario).stem or "game"
    names = [f"{stem}.flagplot", *(f"{stem}-{number}.flagplot" for number in range(2, 1000))]
    return next((Path(name) for name in names if not Path(name).exists()), Path(names[0]))


def outcome(game: Game) -> dict[str, Any]:
    """The result as data: who won and why, and for each side its losses and where its ships went."""
    battle = game.battle
    sides = {}
    for side, fleet in battle.fleets.items():
        sides[side.value] = {
            "name": fleet.name,
            "sunk": [ship.name for ship in fleet.sunk],
            "sunk_light": fleet.sunk_light,
            "cargo_lost": list(fleet.cargo_lost),
            "returned": [
                {
                    "group": home.group.name,
                    "ships": [{"name": s.name, "hits": s.hits, "damaged": s.damaged} for s in home.group.ships],
                    "light": home.group.light,
                    "base": home.base,
                    "inverted": home.inverted,
                    "why": home.why,
                }
                for home in fleet.returned
            ],
        }
    victor = battle.victor.value if battle.victor else None
    return {"over": game.over, "victor": victor, "reasons": list(battle.reasons), "sides": sides}
