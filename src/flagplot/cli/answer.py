"""`flagplot answer`, `flagplot turn` and `flagplot take`: a game by letter.

A turn file is answered without a connection: it holds what its side knows, so all that is shown at a prompt of `flagplot
play` can be shown here. The host of a game that lies in a file writes turn files from it and takes replies into it.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Protocol

import msgspec
import typer
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from flagplot.bots.admiral import AdmiralBot
from flagplot.cli.command_options import Json
from flagplot.cli.ledger import find, show
from flagplot.cli.play import the_orders
from flagplot.cli.prompts import read_answer, samples, show_question
from flagplot.cli.rolls import explain
from flagplot.cli.screen import Screen
from flagplot.cli.terminal import EndOfInput, Reader, console, print_json_line, say, with_rules
from flagplot.cli.voices import as_data, tell_refusal
from flagplot.core.asks import Decide
from flagplot.core.errors import GameError, IllegalChoice, PlayerError
from flagplot.core.forms import Wire
from flagplot.core.sides import Side
from flagplot.editions.current import ruleset
from flagplot.model.picture import Picture
from flagplot.play.catch_up import caught_up
from flagplot.play.correspondence import (
    MOST_BYTES,
    MOST_NOTEPAD,
    MOST_WORDS,
    REPLY_ENDING,
    Reply,
    Turn,
    answer_ahead,
    file_name,
    head_of,
    must_be_the_one,
    name_of,
    read_reply,
    read_turn,
    reply_file,
    turn_file,
)
from flagplot.play.game import Game
from flagplot.play.report import chosen_options, results
from flagplot.play.saves import load, save
from flagplot.play.standing_orders import placed_in_words, read_orders, write_orders

HELP = {
    "help": "this list",
    "Enter": "the answer that is shown",
    "why, why 3": "the last roll line by line, or roll 3",
    "legal": "a few legal answers",
    "chart": "the combat chart and the boards",
    "log": "all that has happened, as far as you know",
    "odds": "the chances of what you may send, where the question is about that",
    "ahead evade: fight": "an answer to a later question, used once; written like a standing order",
    "orders FILE": "standing orders that shall answer from now on; orders alone shows those you have",
    "say WORDS": "words that go with your answer; both sides read them",
    "note WORDS": "a line more on your notepad, which only you read; note alone shows it",
    "rule 22.54B": "what a rule is about, and where it is carried out",
    "quit": "stop here, and write no reply",
}


class Left(Exception):
    """The person leaves without an answer."""


class Desk(Protocol):
    """How a turn file is shown, and how questions about it are answered."""

    def begin(self, turn: Turn) -> None:
        """What has happened, and what is asked."""

    def refused(self, refusal: GameError) -> None:
        """What was typed will not do."""

    def command(self, word: str, rest: list[str]) -> bool:
        """Show something; False if that is no command."""

    def noted(self, what: str) -> None:
        """Something else than the answer was taken down."""

    def saved(self, path: Path, answer: str) -> None:
        """The reply was written."""

    def ended(self) -> None:
        """There was nothing to answer, or no answer came."""


class Spoken:
    """For people."""

    def __init__(self, turn: Turn, decision: Decide | None) -> None:
        self.turn, self.decision = turn, decision
        self.out = console()
        self.picture: Picture = turn.picture()
        self.screen = Screen(self.out, turn.head.seat)

    def begin(self, turn: Turn) -> None:
        head, out = turn.head, self.out
        seen = turn.own.seen
        since = "Since your last turn file" if seen else "So far"
        out.print(Text(f"{head.title}, {head.called}", style="heading"))
        out.print(Text(since, style="quiet"))
        for part in caught_up(turn.events, seen):
            if part.heading:
                out.print(with_rules(f"\n{part.heading}", "heading"))
            for news in part.news:
                bar = Text("▌ " if news.side else "  ", style="own" if news.side == head.seat else "foe")
                say(out, bar, with_rules(news.text))
            if part.formal:
                count = "1 formal step" if len(part.formal) == 1 else f"{len(part.formal)} formal steps"
                out.print(Text(f"  {count}; log shows all", style="quiet"))
        self._board()
        if turn.own.notepad:
            out.print(Text(f"\nYour notepad: {turn.own.notepad}", style="quiet"))
        if self.decision is not None:
            if turn.own.draft is not None and self.decision is not turn.decision:
                out.print(Text("\nThe answer shown is your draft.", style="quiet"))
            show_question(out, self.decision, head.names[head.seat])
            if turn.question is not None and turn.question.chances:
                out.print(Text("  odds shows the chances.", style="quiet"))

    def _board(self, *, always: bool = False) -> None:
        seen, head = self.picture, self.turn.head
        facts = [
            f"edition {head.edition}",
            *(f"{name} {value}" for name, value in chosen_options(head.options).items()),
        ]
        chair = head.seat
        self.screen.header(seen.battle, facts, chair=chair, operation=seen.operation, war=seen.war)
        self.screen.board(seen, chair, always=always)

    def refused(self, refusal: GameError) -> None:
        tell_refusal(self.out, refusal, self.turn.head.names)

    def command(self, word: str, rest: list[str]) -> bool:
        known: dict[str, Callable[[], None]] = {
            "help": self._help,
            "?": self._help,
            "why": lambda: self._why(rest),
            "legal": self._legal,
            "chart": lambda: self._board(always=True),
            "log": lambda: _print_log(self),
            "odds": self._odds,
            "rule": lambda: self._rule(rest),
        }
        if word not in known:
            return False
        known[word]()
        return True

    def _help(self) -> None:
        table = Table.grid(padding=(0, 2))
        for name, about in HELP.items():
            table.add_row(Text(name, style="own", no_wrap=True), about)
        self.out.print(Padding.indent(table, 2))

    def _why(self, rest: list[str]) -> None:
        if rest and not (rest[0].isdecimal() and len(rest[0]) < 7):
            raise PlayerError("Which roll? For example: why 3")
        head = self.turn.head
        explain(self.out, self.turn.events, ruleset(head.edition, head.options), int(rest[0]) if rest else 0)

    def _legal(self) -> None:
        if self.decision is not None:
            for typed in samples(self.decision):
                self.out.print(Text(f"  {typed}"), soft_wrap=True)

    def _rule(self, rest: list[str]) -> None:
        if not rest:
            raise PlayerError("Which rule? For example: rule 22.54B")
        show(self.out, find(rest[0]), brief=True)

    def _odds(self) -> None:
        chances = self.turn.question.chances if self.turn.question else None
        rows = odds_rows(chances)
        if not rows:
            raise PlayerError(
                "No chances go with this question. flagplot strike, engage, submarine and intercept reckon others."
            )
        table = Table.grid(padding=(0, 2))
        for row in rows:
            table.add_row(*row)
        self.out.print(Padding.indent(table, 2))

    def noted(self, what: str) -> None:
        self.out.print(Text(what, style="quiet"), soft_wrap=True)

    def saved(self, path: Path, answer: str) -> None:
        head = self.turn.head
        told = f"Your answer: {answer}. " if answer else ""
        where = f"upload it at {head.address}/games/{head.game}/post, or mail it" if head.address else "mail it"
        self.out.print(Text(f"{told}The reply is in {path}: {where} to the player who hosts."), soft_wrap=True)

    def ended(self) -> None:
        head = self.turn.head
        if head.over:
            for part in results(self.turn.events):
                self.out.print(with_rules(f"{part}\n"))
            self.out.print(Text("The game is over: no answer is needed."))
        elif not head.asked:
            self.out.print(Text("Nothing is asked of you now: the next turn file will hold the next question."))
        else:
            self.out.print(Text("No reply was written: the question waits."))


def _print_log(desk: Spoken) -> None:
    Screen(desk.out, desk.turn.head.seat, boards=False).news(desk.turn.events)


class Written:
    """For programs: each thing said is a JSON object with a type."""

    def __init__(self, turn: Turn, decision: Decide | None) -> None:
        self.turn, self.decision = turn, decision

    def begin(self, turn: Turn) -> None:
        head = {key: value for key, value in msgspec.to_builtins(turn.head).items() if key not in ("line", "seal")}
        print_json_line({"type": "turn", **head})
        for event in turn.events[turn.own.seen :]:
            print_json_line({"type": "event", "event": as_data(event)})
        if turn.question is not None and self.decision is not None:
            asked = self.decision
            about = {"rule": asked.rule, "kind": asked.kind, "about": asked.about, "question": asked.question}
            form = msgspec.to_builtins(asked.form)
            draft = {"draft": turn.own.draft} if turn.own.draft is not None else {}
            more = {"form": form, "chances": turn.question.chances, **draft}
            print_json_line({"type": "question", "number": turn.question.number, **about, **more})

    def refused(self, refusal: GameError) -> None:
        rule = refusal.rule if isinstance(refusal, IllegalChoice) else ""
        print_json_line({"type": "refused", "rule": rule, "why": str(refusal)})

    def command(self, word: str, rest: list[str]) -> bool:
        if word in ("help", "?"):
            print_json_line({"type": "help", "commands": HELP})
        elif word == "legal" and self.decision is not None:
            print_json_line({"type": "legal", "answers": samples(self.decision)})
        else:
            return False
        return True

    def noted(self, what: str) -> None:
        print_json_line({"type": "noted", "what": what})

    def saved(self, path: Path, answer: str) -> None:
        print_json_line({"type": "saved", "file": str(path), "answer": answer})

    def ended(self) -> None:
        head = self.turn.head
        print_json_line({"type": "over" if head.over else "waiting" if not head.asked else "stopped"})


def odds_rows(chances: Any) -> list[list[str]]:
    """What a question says of chances, a line for each attempt: who, at what, where, how far, and the chance of each
    round."""
    if not isinstance(chances, Mapping):
        return []
    rows = [
        [
            str(row["label"]),
            f"→ {row['target']}",
            hex,
            f"{cell['distance']} hexes, {cell['dice']} dice",
            ", ".join(f"round {number} {_per_cent(share)}" for number, share in cell["rounds"].items()),
            f"never {_per_cent(cell['never'])}",
        ]
        for row in chances.get("rows", ())
        for hex, cell in row["hexes"].items()
    ]
    rows += [
        [
            str(chances["force"]),
            f"→ {chances['target']}",
            f"{row['distance']} hexes",
            f"{row['dice']} dice",
            _rounds(row),
        ]
        for row in chances.get("lengths", ())
    ]
    return rows + [[str(row["title"]), str(row["about"])] for row in chances.get("war", ()) if "title" in row]


def _rounds(row: Mapping[str, Any]) -> str:
    return ", ".join(f"round {number} {_per_cent(share)}" for number, share in row["rounds"].items())


def _per_cent(share: float) -> str:
    return f"{100 * share:.0f} %"


# -- answering --------------------------------------------------------------------------------------------


class Answering:
    """One turn file on its way to a reply."""

    def __init__(self, turn: Turn, decision: Decide | None, desk: Desk, reader: Reader) -> None:
        self.turn, self.decision, self.desk, self.reader = turn, decision, desk, reader
        self.say = ""
        self.ahead: list[str] = []
        self.notes: list[str] = []
        self.orders: str | None = None

    def run(self, *, ask_ahead: bool) -> tuple[Reply, str]:
        """Ask until there is a legal answer; the reply, and the answer in words."""
        head, decision = self.turn.head, self.decision
        assert decision is not None
        while True:
            line = self.reader.line(f"{head.names[head.seat]} ›")
            try:
                if self._command(line):
                    continue
                wire = read_answer(decision.form, line)
                answer = decision.form.wire(decision.read(wire)) if wire is not decision.form.default else wire
                told = placed_in_words(decision, answer)
            except GameError as refusal:
                self.desk.refused(refusal)
                continue
            if ask_ahead:
                self._ask_ahead()
            return self._reply(answer), told

    def _ask_ahead(self) -> None:
        """Answers to later questions, as many as come to mind."""
        while True:
            try:
                line = self.reader.line("An answer ahead (evade: fight, for example; Enter for none) ›")
            except EndOfInput:
                return
            if not line:
                return
            try:
                self._take_ahead(line)
            except GameError as refusal:
                self.desk.refused(refusal)

    def _reply(self, answer: Wire) -> Reply:
        own, question = self.turn.own, self.turn.question
        assert question is not None
        notepad = "\n".join([*([own.notepad] if own.notepad else []), *self.notes])[:MOST_NOTEPAD]
        kept = [line for line in own.ahead.split("\n") if line.strip()]
        return Reply(
            id=secrets.token_urlsafe(18),
            question=question.number,
            answer=answer,
            say=self.say,
            ahead="\n".join([*kept, *self.ahead]) if self.ahead else None,
            orders=self.orders,
            notepad=notepad if self.notes else None,
        )

    def _command(self, line: str) -> bool:
        word, *rest = line.split() or [""]
        word, said = word.lower(), line.partition(" ")[2].strip()
        if word in ("quit", "exit"):
            raise Left
        if word == "ahead":
            self._take_ahead(said)
        elif word == "orders":
            if said:
                self.orders = write_orders(the_orders(said))
            self.desk.noted(
                (self.turn.own.orders if self.orders is None else self.orders) or "You have no standing orders."
            )
        elif word == "say":
            self.say = said[:MOST_WORDS]
            self.desk.noted(f"Goes with your answer: {self.say}" if said else "Nothing goes with your answer.")
        elif word == "note":
            self.notes += [said] if said else []
            self.desk.noted("\n".join(filter(None, [self.turn.own.notepad, *self.notes])) or "Your notepad is empty.")
        else:
            return self.desk.command(word, rest)
        return True

    def _take_ahead(self, said: str) -> None:
        if not read_orders(said):
            raise PlayerError("Write it like a standing order: ahead evade: fight")
        self.ahead.append(said)
        self.desk.noted(f"Answer ahead {len(self.ahead)}: {said}")


TurnPath = Annotated[Path, typer.Argument(metavar="FILE", help="The turn file.")]
Out = Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Where to write it.", show_default="beside it")]


def answer(file: TurnPath, out: Out = None, json: Json = False) -> None:
    """Answer a turn file without a connection, and write the reply to be sent back.

    A turn file comes from the page "Turn files" of a game, or from [bold]flagplot turn[/bold]. You are shown what has happened,
    and asked as [bold]flagplot play[/bold] asks; [bold]help[/bold] lists the commands. The reply is a short text: upload it on
    the same page, or mail it to the player who hosts.

    [bold]flagplot answer coral-sea-may-1942-allies-12.turn[/bold] writes coral-sea-may-1942-allies-12.reply.
    """
    turn = read_turn(_text(file))
    decision = _with_draft(turn)
    desk: Desk = Written(turn, decision) if json else Spoken(turn, decision)
    desk.begin(turn)
    if decision is None:
        desk.ended()
        return
    reader = Reader(console(), silent=json)
    try:
        reply, told = Answering(turn, decision, desk, reader).run(ask_ahead=not json)
    except (EndOfInput, Left, KeyboardInterrupt):
        desk.ended()
        raise typer.Exit(1) from None
    path = out or file.with_suffix(REPLY_ENDING)
    _write(path, reply_file(turn.head, reply))
    desk.saved(path, told)


def _with_draft(turn: Turn) -> Decide | None:
    """The question; where there is a draft that is legal, with it as the answer that is shown."""
    decision, draft = turn.decision, turn.own.draft
    if decision is None or draft is None:
        return decision
    try:
        shown = decision.form.wire(decision.read(draft))
    except IllegalChoice:
        return decision
    form = msgspec.structs.replace(decision.form, default=shown)
    return Decide(decision.side, decision.rule, decision.kind, decision.question, form, decision.about)


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise PlayerError(f"{path} is no turn file of Flagplot: it is too long")
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as trouble:
        why = getattr(trouble, "strerror", None) or "it is not text"
        raise PlayerError(f"{path} could not be read: {why}") from None


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, "utf-8")
    except OSError as trouble:
        raise PlayerError(f"{path} could not be written: {trouble.strerror}") from None


# -- the host ------------------------------------------------------------------------------------------------

GamePath = Annotated[Path, typer.Argument(metavar="GAME", help="A saved game (FILE.flagplot).")]


def turn(
    game: GamePath,
    side: Annotated[Side, typer.Option(help="Whose turn file.")],
    out: Out = None,
    json: Json = False,
) -> None:
    """Write the turn file of one side of a saved game, to be mailed to its player.

    The save holds the secrets of both sides: whoever hosts a game in this way is its referee. The turn file holds what that
    side knows, and nothing else.

    [bold]flagplot turn midway.flagplot --side axis[/bold]
    """
    played = load(game)
    text = turn_file(played, side, id=name_of(played), chances=_chances(played, side))
    head = head_of(played, side, id=name_of(played))
    path = out or game.with_name(file_name(head))
    _write(path, text)
    if json:
        print_json_line({"type": "saved", "file": str(path), "turn": head.turn, "asked": head.asked})
    else:
        asked = "" if head.asked else " Nothing is asked of that side now."
        typer.echo(f"{head.called[:1].upper()}{head.called[1:]} is in {path}: mail it.{asked}")


def take(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The reply to a turn file.")],
    game: GamePath,
    json: Json = False,
) -> None:
    """Take a reply that came by mail into a saved game.

    A reply to an old turn, an altered one, and one of another game are refused, and the game stays as it is. Dice are
    rolled, sides without a person decide, and you are told whose turn file is needed next.

    [bold]flagplot take midway-axis-3.reply midway.flagplot[/bold]
    """
    played = load(game)
    head, reply = read_reply(_text(file))
    side = head.seat
    needed = head_of(played, side, id=name_of(played), chances=_chances(played, side))
    must_be_the_one(played, head, needed)
    if reply.question < 0:
        raise PlayerError("this reply answers nothing")
    played.submit(side, reply.answer, reply.question)
    left = _go_on(played, side, reply.ahead or "")
    save(played, game)
    asked = [each for each in Side if played.decision(each)]
    names = played.header.setup.public.names
    unused = [line for line in left.split("\n") if line.strip() and not line.lstrip().startswith("#")]
    if json:
        told = {"taken": head.turn, "asked": [each.value for each in asked], "over": played.over, "left": unused}
        print_json_line({"type": "taken", **told})
        return
    typer.echo(f"Taken: {head.called}." + ("" if not played.over else " The game is over."))
    for line in unused:
        typer.echo(f"Not used, and asked again when it is time: {line}")
    for each in asked:
        typer.echo(f"{names[each]} decides next: flagplot turn {game} --side {each}")


def _chances(game: Game, side: Side) -> object:
    decision = game.decision(side)
    if decision is None:
        return None
    from flagplot.web.operation_odds import chances_for

    return chances_for(game, side, decision)


def _go_on(game: Game, side: Side, ahead: str) -> str:
    """Dice, sides that no person plays, and answers ahead of the one who replied; what is left of those."""
    bot = AdmiralBot()
    people = game.header.people or tuple(Side)
    while not game.over:
        if game.roll_due():
            game.roll()
            continue
        asked = [(each, decision) for each in Side if (decision := game.decision(each))]
        for each, decision in asked:
            if each not in people:
                game.submit(each, bot.choose(game.picture(each), decision))
                break
            given = (
                answer_ahead(ahead, game.picture(each), decision, bot.choose, game.table.rules)
                if each is side
                else None
            )
            if given is not None:
                game.submit(each, given.given.answer)
                ahead = given.left
                break
        else:
            return ahead
    return ahead
