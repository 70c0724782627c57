"""A game at the keyboard: whose turn it is, what is asked, what was typed, and the commands known at every prompt.

What is shown, and how, is the voice's business (voices.py): here it is only decided when.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from functools import cached_property
from pathlib import Path

from flagplot.bots.bot import Bot
from flagplot.cli.ledger import find
from flagplot.cli.prompts import read_answer
from flagplot.cli.terminal import Reader
from flagplot.cli.voices import Voice
from flagplot.core.asks import Decide
from flagplot.core.errors import GameError, PlayerError, SaveError
from flagplot.core.sides import SIDES, Side
from flagplot.play.game import Game
from flagplot.play.saves import save
from flagplot.play.standing_orders import Given, StandingOrder, order_text, ordered_answer


class Quit(Exception):
    """The person leaves."""


class TakeBack(Exception):
    """Somebody wants to undo where dice are asked for."""

    def __init__(self, words: list[str]) -> None:
        self.words = words


class Session:
    """One game, the sides that people play, and the bot that plays the others."""

    def __init__(self, game: Game, people: list[Side], bot: Bot, voice: Voice, reader: Reader) -> None:
        self.game = game
        self.people = people
        self.bot = bot
        self.voice = voice
        self.reader = reader
        self.path: Path | None = None
        self._copies: list[Path] = []
        self.asked: Decide | None = None
        self.orders: tuple[StandingOrder, ...] = ()  # standing orders of the one person who plays
        self.orders_paused = False

    def run(self) -> None:
        """Play until the game is over. EndOfInput, Quit and KeyboardInterrupt leave it where it stands."""
        while not self.game.over:
            due = self.game.roll_due()
            if due:
                try:
                    self.game.roll()
                except TakeBack as wish:
                    self._take_back(due.side if due.side in self.people else self.people[0], wish.words)
                continue
            # Bots first: an answer of theirs after ours would stand in the way of undo.
            side = min((side for side in Side if self.game.decision(side)), key=lambda side: side in self.people)
            decision = self.game.decision(side)
            if decision is None:
                continue
            # Two who share a keyboard in secret are asked everything: that one was not asked would tell the other.
            secret = side in self.people and self.voice.hands_over
            sole = None if secret else decision.form.sole_answer()
            if sole is not None:
                if side in self.people:
                    self.voice.answered_alone(side, decision, sole)
                self.game.submit(side, sole)
            elif side in self.people:
                given = self._ordered(side, decision)
                if given is None:
                    self._ask(side, decision)
                else:
                    self.voice.ordered(side, decision, given.answer, self._lines(given))
                    self.game.submit(side, given.answer)
            else:
                self.game.submit(side, self.bot.choose(self.game.picture(side), decision))
        self.autosave()
        self.voice.end(self.path)

    def _ask(self, side: Side, decision: Decide) -> None:
        """Put a question to a person until it is answered, or the game is at another one."""
        self.asked = decision
        self.autosave()
        self.voice.question(side, decision)
        while self.game.decision(side) is decision:
            line = self.reader.line(f"{self.game.header.setup.public.names[side]} ›")
            try:
                if not self._command(line, side, decision):
                    self.game.submit(side, read_answer(decision.form, line))
                    self.autosave()
            except GameError as refusal:
                self.voice.refused(refusal)
        self.asked = None

    def _ordered(self, side: Side, decision: Decide) -> Given | None:
        """What standing orders answer to a question; None if they are paused, or nothing."""
        if self.orders_paused or not self.orders:
            return None
        doctrine = self._doctrine.choose
        return ordered_answer(self.orders, self.game.picture(side), decision, doctrine, self.game.table.rules)

    @cached_property
    def _doctrine(self) -> Bot:
        from flagplot.bots.admiral import AdmiralBot

        return AdmiralBot()

    def _lines(self, given: Given) -> dict[int, str]:
        """The orders that gave an answer, by their lines."""
        return {order.line: order_text(order) for order in self.orders if order.line in given.lines}

    def ask_dice(self, count: int) -> list[int]:
        """Real dice, from whoever rolled them."""
        self.autosave()
        due = self.game.roll_due()
        why = f": {due.why} ({due.rule})" if due else ""
        who = f"{self.game.header.setup.public.names[due.side]}: " if due else ""
        if due:
            self.voice.dice_due(due)
        while True:
            line = self.reader.line(f"{who}Roll {count} {'die' if count == 1 else 'dice'}{why} ›")
            word, *rest = line.lower().split() or [""]
            if word in ("quit", "exit"):
                raise Quit
            if word == "undo":
                raise TakeBack(rest)
            if word in ("help", "?"):
                self.voice.help()
                continue
            try:
                dice = [int(die) for die in line.replace(",", " ").replace("+", " ").split()]
                if len(dice) == 1 and len(line) == count:
                    dice = [int(die) for die in line]
                if due:
                    due.read(dice)
                return dice
            except ValueError:
                numbers = "a number" if count == 1 else f"{count} numbers"
                self.voice.refused(PlayerError(f"Type {numbers} from 1 to 6, for example {' '.join('4' * count)}."))
            except GameError as refusal:
                self.voice.refused(refusal)

    def autosave(self) -> None:
        """Keep the file up to date, if there is one. A disk that refuses costs the file, never the game."""
        if self.path is None:
            return
        try:
            save(self.game, self.path)
        except SaveError as trouble:
            self.path = None
            self.voice.refused(trouble)
            self.voice.refused(PlayerError("The game goes on without a file: type save FILE to give it another."))

    @property
    def latest_copy(self) -> Path | None:
        """The last file this game was written to by hand."""
        return self._copies[-1] if self._copies else None

    # -- commands ---------------------------------------------------------------------------------------

    def _command(self, line: str, side: Side, decision: Decide) -> bool:
        """Carry out a command; False if the line is none."""
        word, *rest = line.split() or [""]
        commands: dict[str, Callable[[], None]] = {
            "help": self.voice.help,
            "?": self.voice.help,
            "why": lambda: self.voice.why(side, _number(rest)),
            "undo": lambda: self._undo(side, [each.lower() for each in rest]),
            "legal": lambda: self.voice.legal(decision),
            "chart": lambda: self.voice.chart(side),
            "log": lambda: self.voice.log(side),
            "orders": lambda: self._orders([each.lower() for each in rest]),
            "rule": lambda: self._rule(rest),
            "save": lambda: self._save(line),
            "quit": self._quit,
            "exit": self._quit,
        }
        command = commands.get(word.lower())
        if command is None:
            return False
        command()
        return True

    def _undo(self, side: Side, words: list[str]) -> None:
        agreed = "agreed" in words
        whose = next((SIDES[word] for word in words if word in SIDES and SIDES[word] in self.people), side)
        self.game.undo(whose, agreed=agreed)
        self.voice.rewound()
        self.autosave()
        self.voice.undone()
        decision = self.game.decision(whose)
        if decision is not None and self._ordered(whose, decision) is not None:  # it would only be given again
            self.orders_paused = True
            self.voice.orders(self.orders, paused=True)

    def _take_back(self, side: Side, words: list[str]) -> None:
        try:
            self._undo(side, words)
        except GameError as refusal:
            self.voice.refused(refusal)

    def _orders(self, rest: list[str]) -> None:
        """Show standing orders, pause or resume them. Resumed, they answer from the next question on."""
        if not self.orders:
            raise PlayerError("You have no standing orders: begin with flagplot play ... --orders FILE")
        if rest not in ([], ["on"], ["off"]):
            raise PlayerError("Type orders, orders on or orders off.")
        if rest:
            self.orders_paused = rest == ["off"]
        self.voice.orders(self.orders, paused=self.orders_paused)

    def _rule(self, rest: list[str]) -> None:
        if not rest:
            raise PlayerError("Which rule? For example: rule 22.54B")
        self.voice.rule(find(rest[0]))

    def _save(self, line: str) -> None:
        try:
            words = shlex.split(line)[1:]
        except ValueError:
            words = line.split()[1:]
        path = Path(words[0]) if words else self.path or free_path(self.game)
        self.save_as(path)
        self.voice.saved(path)

    def save_as(self, path: Path) -> None:
        """Write the game to a file that is new, or this game's own."""
        if path not in (self.path, *self._copies):
            refuse_to_overwrite(path)
        save(self.game, path)
        self._copies.append(path)

    def _quit(self) -> None:
        raise Quit


def _number(rest: list[str]) -> int:
    if rest and not (rest[0].isdecimal() and len(rest[0]) < 7):
        raise PlayerError("Which roll? For example: why 3")
    return int(rest[0]) if rest else 0


def refuse_to_overwrite(path: Path) -> None:
    """Another game may be in that file."""
    if path.exists():
        raise PlayerError(f"{path} is there already: choose another name (flagplot play {path} goes on with a save)")


def free_path(game: Game) -> Path:
    """A file for this game that is not another one's."""
    stem = Path(game.header.scenario).stem or "game"
    names = [f"{stem}.flagplot", *(f"{stem}-{number}.flagplot" for number in range(2, 1000))]
    return next((Path(name) for name in names if not Path(name).exists()), Path(names[0]))
