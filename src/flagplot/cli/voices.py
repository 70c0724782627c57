"""How a game speaks: to people in words and charts, to programs in JSON, one object a line."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import msgspec
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from flagplot.api.battles import result
from flagplot.cli.ledger import show
from flagplot.cli.prompts import in_words, samples, show_question
from flagplot.cli.rolls import explain, roll_number
from flagplot.cli.screen import Screen, game_facts, what_is_played
from flagplot.cli.terminal import Reader, print_json_line, say, with_rules
from flagplot.core.asks import Decide, Roll
from flagplot.core.errors import GameError, IllegalChoice, UndoRefused
from flagplot.core.events import Event
from flagplot.core.forms import Wire
from flagplot.core.sides import Side
from flagplot.editions.current import ruleset
from flagplot.play.game import Game
from flagplot.play.report import chosen_options, option_in_words, results
from flagplot.play.standing_orders import StandingOrder, order_text, placed_in_words
from flagplot.play.transcript import transcript
from flagplot.play.wording import breakdown

HELP = {
    "help": "this list",
    "Enter": "the answer that is shown",
    "why, why 3": "the last roll line by line, or roll 3",
    "undo": "take your last answer back; undo agreed, when dice, a reveal or an enemy answer stand in the way",
    "legal": "a few legal answers",
    "chart": "the combat chart and the boards",
    "log": "what has happened, as far as you know",
    "orders": "your standing orders; orders off pauses them, orders on resumes them",
    "rule 22.54B": "what a rule is about, and where it is carried out",
    "save FILE": "write the game to a file",
    "quit": "stop here; the game is saved, and you are told how to go on",
}


class Voice(Protocol):
    """What a session has said to the people at it."""

    @property
    def hands_over(self) -> bool:
        """Whether two people share the keyboard and may not see each other's screens."""

    def begin(self, path: Path | None) -> None:
        """The game begins, or goes on."""

    def question(self, side: Side, decision: Decide) -> None:
        """A side is asked; it is told first what has happened since."""

    def answered_alone(self, side: Side, decision: Decide, sole: Wire) -> None:
        """A question with one legal answer is about to be answered."""

    def ordered(self, side: Side, decision: Decide, answer: Wire, lines: Mapping[int, str]) -> None:
        """A question is about to be answered by standing order: by these lines."""

    def orders(self, orders: Sequence[StandingOrder], *, paused: bool) -> None:
        """The standing orders, and whether they answer anything."""

    def dice_due(self, due: Roll) -> None:
        """Real dice are asked for, in front of everybody."""

    def refused(self, refusal: GameError) -> None:
        """What was typed will not do."""

    def rewound(self) -> None:
        """The game has been taken back; what was told beyond that is void."""

    def undone(self) -> None:
        """An answer was taken back."""

    def end(self, path: Path | None) -> None:
        """The game is over."""

    def stopped(self, asked: Decide | None) -> None:
        """Input has ended."""

    def saved(self, path: Path, go_on: str = "") -> None:
        """The game was written; `go_on` is how to come back to it."""

    def help(self) -> None:
        """The commands."""

    def why(self, side: Side, number: int) -> None:
        """The lines of a roll."""

    def legal(self, decision: Decide) -> None:
        """A few legal answers."""

    def chart(self, side: Side) -> None:
        """What stands on the table."""

    def log(self, side: Side) -> None:
        """What has happened."""

    def rule(self, found: dict[str, Any]) -> None:
        """What is known of a rule."""


class Spoken:
    """For people. In a solitaire game one person reads everything, and everything once."""

    def __init__(self, game: Game, people: list[Side], out: Console, reader: Reader) -> None:
        self.game = game
        self.people = people
        self.out = out
        self.reader = reader
        self.solitaire = game.header.solitaire
        one = Screen(out, None)
        self.screens = {side: one if self.solitaire else Screen(out, side) for side in people}
        self.at_keyboard: Side | None = None

    @property
    def hands_over(self) -> bool:
        """Whether two people share the keyboard and may not see each other's screens."""
        return len(self.people) == 2 and not self.solitaire and self.reader.interactive

    def begin(self, path: Path | None) -> None:
        public = self.game.header.setup.public
        if public.order_of_battle == "open" and not self.game.journal and public.summary:
            self.out.print(Text(public.summary, style="italic"))
        for name, value in chosen_options(self.game.header.options).items():
            self._quiet(f"Not as usual: {option_in_words(name, value)}")
        if path is not None:
            self._quiet(f"The game is kept in {path}.")
        if self.solitaire:
            self._quiet("Both sides are open on the table: you are told everything, and may undo anything.")

    def question(self, side: Side, decision: Decide) -> None:
        picture = self.game.picture(side)
        battle = picture.battle
        self._take_the_keyboard(side)
        self._news(side)
        screen = self.screens[side]
        screen.header(battle, game_facts(self.game), chair=side, operation=picture.operation, war=picture.war)
        screen.board(picture, side)
        show_question(self.out, decision, self._name(side))

    def _name(self, side: Side) -> str:
        return self.game.header.setup.public.names[side]

    def _news(self, side: Side) -> None:
        self.screens[side].news(self.game.events() if self.solitaire else self.game.picture(side).events)

    def _take_the_keyboard(self, side: Side) -> None:
        if self.hands_over and self.at_keyboard is not side:
            self._clear()
            name = self._name(side)
            self.out.print(Text.assemble("Hand over to ", (name, "own.mark"), "; the other side looks away."))
            self.reader.line("Then press Enter.")
            self._clear()
        self.at_keyboard = side

    def _clear(self) -> None:
        self.out.clear()
        self.out.file.write("\x1b[3J")  # what can be scrolled back to is the other side's, too
        self.out.file.flush()

    def answered_alone(self, side: Side, decision: Decide, sole: Wire) -> None:
        if not decision.form.items:
            return
        self._news(side)
        barred = [limit for item in decision.form.items for limit in decision.form.barred(item).values()]
        why = "".join(dict.fromkeys(f" {limit.why} ({limit.rule})" for limit in barred))
        answer = in_words(decision.form, decision.read(sole))
        text = f"{decision.question} Only one answer is legal: {answer}.{why}"
        say(self.out, Text("▌", style="own"), with_rules(text, "quiet"))

    def ordered(self, side: Side, decision: Decide, answer: Wire, lines: Mapping[int, str]) -> None:
        self._news(side)
        by = "; ".join(f"line {line}: {order}" for line, order in lines.items())
        told = placed_in_words(decision, answer)
        text = f"{decision.question} ({decision.rule}) Answered by standing order, {by}. Answer: {told}."
        say(self.out, Text("▌", style="own"), with_rules(text, "quiet"))

    def orders(self, orders: Sequence[StandingOrder], *, paused: bool) -> None:
        for order in orders:
            self._say(f"  {order.line}  {order_text(order)}")
        self._say(
            "Your standing orders are paused: every question waits for you. Type orders on to resume them."
            if paused
            else "Your standing orders answer for you, from the next question on. Type orders off to pause them."
        )

    def dice_due(self, due: Roll) -> None:
        if self.hands_over and self.at_keyboard is not None:
            self._clear()
            self.at_keyboard = None
        if self.at_keyboard is None:
            public = self.game.header.setup.public
            battle = self.game.picture(None).battle
            self._say(f"{public.title}, round {battle.round}: everybody may look.")

    def refused(self, refusal: GameError) -> None:
        text = str(refusal)
        if isinstance(refusal, IllegalChoice):
            text = " ".join(f"{refusal.reason} {refusal.instead} ({refusal.rule})".split())
        elif isinstance(refusal, UndoRefused) and "agree" in text:
            text += ": type undo agreed" + ("." if len(self.people) == 2 else "; the bot always does.")
        for side, fleet in self.game.picture(None).battle.fleets.items():
            text = re.sub(rf"\b{side}\b", fleet.name, text)
        if text.partition(" ")[0].isalpha():  # not the name of a file
            text = text[:1].upper() + text[1:]
        shown = Text.assemble(("Refused. ", "refusal"), with_rules(text))
        say(self.out, Text("✕", style="refusal"), shown)

    def rewound(self) -> None:
        for side in self.people:
            self.screens[side].rewind(self.game.events() if self.solitaire else self.game.picture(side).events)

    def undone(self) -> None:
        self._quiet("Taken back.")

    def end(self, path: Path | None) -> None:
        if self.hands_over:
            self._clear()
        side = self.people[0]
        self._news(side)
        seen = self.game.picture(side)
        facts = game_facts(self.game)
        self.screens[side].header(self.game.battle, facts, chair=side, operation=seen.operation, war=seen.war)
        what = what_is_played(self.game)
        self.out.print(Text(f"\nThe {what} is over.\n", style="heading"))
        told = (
            self.game.events() if self.solitaire else self.game.picture(side if len(self.people) == 1 else None).events
        )
        for part in results(told):
            self._say(part + "\n")
        if path is not None:
            self._quiet(f"The whole story: flagplot replay {path} --report")

    def stopped(self, asked: Decide | None) -> None:
        what = "dice were to be rolled"
        if asked is not None:
            name = self._name(asked.side)
            what = f"{name} was asked: {asked.question} ({asked.rule})"
        self._say(f"\nThe input ends here; {what}")

    def saved(self, path: Path, go_on: str = "") -> None:
        self._say(f"Saved to {path}." + (f" Go on with: {go_on}" if go_on else ""))

    def help(self) -> None:
        table = Table.grid(padding=(0, 2))
        for name, about in HELP.items():
            table.add_row(Text(name, style="own", no_wrap=True), about)
        self.out.print(Padding.indent(table, 2))

    def why(self, side: Side, number: int) -> None:
        events = self.game.events() if self.solitaire else self.game.picture(side).events
        explain(self.out, events, ruleset(self.game.header.edition, self.game.header.options), number)

    def legal(self, decision: Decide) -> None:
        for typed in samples(decision):
            self._say(f"  {typed}")

    def chart(self, side: Side) -> None:
        picture = self.game.picture(side)
        facts, screen = game_facts(self.game), self.screens[side]
        screen.header(picture.battle, facts, chair=side, operation=picture.operation, war=picture.war)
        screen.board(picture, side, always=True)

    def log(self, side: Side) -> None:
        events = self.game.events() if self.solitaire else self.game.picture(side).events
        Screen(self.out, side, boards=False).news(events)

    def rule(self, found: dict[str, Any]) -> None:
        show(self.out, found, brief=True)

    def _say(self, text: str) -> None:
        self.out.print(with_rules(text), soft_wrap=not self.out.is_terminal)

    def _quiet(self, text: str) -> None:
        self.out.print(Text(text, style="quiet"), soft_wrap=not self.out.is_terminal)


class Written:
    """For programs: each thing said is a JSON object with a type."""

    def __init__(self, game: Game, people: list[Side]) -> None:
        self.game = game
        self.people = people
        self.sent = dict.fromkeys(people, 0)

    @property
    def hands_over(self) -> bool:
        return False

    def begin(self, path: Path | None) -> None:
        header = self.game.header
        facts = {"scenario": header.scenario, "edition": header.edition, "options": header.options}
        people = [side.value for side in self.people]
        print_json_line({"type": "game", **facts, "dice": self.game.dice.name, "people": people})

    def question(self, side: Side, decision: Decide) -> None:
        self._send(side)
        about = {"rule": decision.rule, "kind": decision.kind, "about": decision.about, "question": decision.question}
        number = {"number": self.game.question_number(side)}
        form = msgspec.to_builtins(decision.form)
        print_json_line({"type": "question", "side": side.value, **number, **about, "form": form})

    def _send(self, side: Side) -> None:
        events = self.game.picture(side).events
        for event in events[self.sent[side] :]:
            print_json_line({"type": "event", "side": side.value, "event": as_data(event)})
        self.sent[side] = len(events)

    def answered_alone(self, side: Side, decision: Decide, sole: Wire) -> None:
        about = {"rule": decision.rule, "kind": decision.kind, "about": decision.about}
        print_json_line({"type": "answered", "side": side.value, **about, "answer": sole})

    def ordered(self, side: Side, decision: Decide, answer: Wire, lines: Mapping[int, str]) -> None:
        about = {"rule": decision.rule, "kind": decision.kind, "about": decision.about, "answer": answer}
        by = [{"line": line, "order": order} for line, order in lines.items()]
        print_json_line({"type": "answered", "side": side.value, **about, "standing_orders": by})

    def orders(self, orders: Sequence[StandingOrder], *, paused: bool) -> None:
        told = [{"line": order.line, "order": order_text(order)} for order in orders]
        print_json_line({"type": "orders", "paused": paused, "orders": told})

    def dice_due(self, due: Roll) -> None:
        print_json_line({"type": "dice", "count": due.dice, "why": due.why, "rule": due.rule})

    def refused(self, refusal: GameError) -> None:
        rule = refusal.rule if isinstance(refusal, IllegalChoice) else ""
        print_json_line({"type": "refused", "rule": rule, "why": str(refusal)})

    def rewound(self) -> None:
        for side in self.people:
            self.sent[side] = min(self.sent[side], len(self.game.picture(side).events))

    def undone(self) -> None:
        print_json_line({"type": "undone", "events": {side.value: count for side, count in self.sent.items()}})

    def end(self, path: Path | None) -> None:
        for side in self.people:
            self._send(side)
        print_json_line({"type": "result", **outcome(self.game)})

    def stopped(self, asked: Decide | None) -> None:
        print_json_line({"type": "stopped", "asked": asked.question if asked else "dice"})

    def saved(self, path: Path, go_on: str = "") -> None:
        print_json_line({"type": "saved", "file": str(path), "go_on": go_on})

    def help(self) -> None:
        print_json_line({"type": "help", "commands": HELP})

    def why(self, side: Side, number: int) -> None:
        event, lines = roll_number(self.game.picture(side).events, number)
        print_json_line({"type": "why", "event": as_data(event), "lines": breakdown(lines), "total": lines.total})

    def legal(self, decision: Decide) -> None:
        print_json_line({"type": "legal", "answers": samples(decision)})

    def chart(self, side: Side) -> None:
        print_json_line({"type": "chart", "battle": msgspec.to_builtins(self.game.picture(side).battle, str_keys=True)})

    def log(self, side: Side) -> None:
        print_json_line({"type": "log", "sentences": transcript(self.game.picture(side).events)})

    def rule(self, found: dict[str, Any]) -> None:
        print_json_line({"type": "rule", **found})


def as_data(event: Event) -> Any:
    """An event as JSON."""
    return msgspec.to_builtins(event, str_keys=True)


def outcome(game: Game) -> dict[str, Any]:
    """The result as data, to carry back to a campaign."""
    found: dict[str, Any] = msgspec.to_builtins({"over": game.over, **result(game.battle)}, str_keys=True)
    return found
