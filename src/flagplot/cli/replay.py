"""Saved games looked at again: replayed from a chair, reported, verified."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.text import Text

from flagplot.cli.command_options import Json
from flagplot.cli.screen import Screen, game_facts, what_is_played
from flagplot.cli.terminal import EndOfInput, Reader, console, print_json, print_json_line, wants_json
from flagplot.core.errors import GameError, PlayerError
from flagplot.core.events import Event
from flagplot.core.sides import Side
from flagplot.core.tape import Amended, Answered, Rolled, Undone
from flagplot.model import events as ev
from flagplot.model.fold import apply
from flagplot.model.picture import Picture
from flagplot.model.state import Battle
from flagplot.play.dice_proof import examine
from flagplot.play.fair_dice import HEX, Halves
from flagplot.play.game import Game
from flagplot.play.luck import Fought, in_words, luck
from flagplot.play.report import report
from flagplot.play.saves import load, parse, read_file
from flagplot.play.transcript import sentence
from flagplot.play.wording import Names


class Chair(StrEnum):
    """From where a battle is looked at."""

    AXIS = "axis"
    ALLIES = "allies"
    SPECTATOR = "spectator"
    REFEREE = "referee"


File = Annotated[Path, typer.Argument(help="A saved game.", metavar="FILE")]


def chair_for(game: Game, wanted: Chair | None) -> Chair:
    """The chair asked for, if its secrets may be seen now; without one, the best that may."""
    open_game = not game.over and not game.header.solitaire
    if wanted is None:
        return Chair.SPECTATOR if open_game else Chair.REFEREE
    if not open_game or wanted is Chair.SPECTATOR:
        return wanted
    if wanted is Chair.REFEREE:
        raise PlayerError("this game is not over, and a referee would see both sides' secrets; try --as spectator")
    if game.decision(Side(wanted.value)) is None:
        raise PlayerError(
            f"this game is not over, and it is not {wanted}'s turn: only the side to move may look from its own chair; "
            "try --as spectator"
        )
    return wanted


def side_of(chair: Chair) -> Side | None:
    """The side that sits in a chair, if one does."""
    return Side(chair.value) if chair in (Chair.AXIS, Chair.ALLIES) else None


def seen_from(game: Game, chair: Chair) -> Sequence[Event]:
    """The events a chair was sent."""
    return game.events() if chair is Chair.REFEREE else game.picture(side_of(chair)).events


def replay(
    file: File,
    as_: Annotated[
        Chair | None, typer.Option("--as", help="Whose chair. A referee sees everything, once the game is over.")
    ] = None,
    step: Annotated[bool, typer.Option("--step", help="Wait for Enter after each thing that happens.")] = False,
    report_: Annotated[
        bool, typer.Option("--report", help="Print a report to paste into a forum or an e-mail.")
    ] = False,
    luck_: Annotated[
        bool, typer.Option("--luck", help="What the dice gave against what they should have given.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the events, one JSON object a line.")] = False,
) -> None:
    """Go through a saved battle from a chair.

    While a game is open only the side to move may look from its own chair; everybody may look as a spectator.

    [bold]flagplot replay bismarck.flagplot --as allies --step[/bold]

    [bold]flagplot replay bismarck.flagplot --report > report.md[/bold]

    [bold]flagplot replay bismarck.flagplot --luck[/bold]
    """
    game = load(file)
    chair = chair_for(game, as_)
    events = seen_from(game, chair)
    if luck_:
        tape = game.runner.tape if chair is Chair.REFEREE else ()
        _tell_luck(luck(events, game.table.rules, tape), game.header.setup.public.names, json=json)
        return
    if json:
        names = Names()
        for event in events:
            data = msgspec.to_builtins(event, str_keys=True)
            print_json_line({"type": "event", "event": data, "sentence": sentence(event, names)})
        return
    if report_:
        whole = chair is Chair.REFEREE
        typer.echo(report(game) if whole else report(game.picture(side_of(chair)), game.header), nl=False)
        return
    _tell(game, chair, events, step)


def _tell_luck(battles: Sequence[Fought], names: Mapping[Side, str], *, json: bool) -> None:
    if json:
        print_json(msgspec.to_builtins(battles))
        return
    if not battles:
        typer.echo("No dice have been rolled yet that have a better and a worse.")
    for fought in battles:
        typer.echo(fought.title)
        for row in fought.rows:
            typer.echo(f"  {in_words(row, names[row.side])}")


def _tell(game: Game, chair: Chair, events: Sequence[Event], step: bool) -> None:
    out = console()
    side = side_of(chair)
    screen, reader, battle = Screen(out, side, boards=False), Reader(out), Battle()
    for number, event in enumerate(events, start=1):
        battle = apply(battle, event)
        lines = screen.news(events[:number])
        if isinstance(event, ev.RoundBegan):
            screen.table(battle, side, always=True)
        if step and reader.interactive and lines:
            try:
                if reader.line("Enter goes on, q stops ›").lower().startswith("q"):
                    return
            except EndOfInput:
                return
    seat = "" if side else f"seen by {'the referee' if chair is Chair.REFEREE else 'a spectator'}"
    seen = Picture(side, game.header.edition, game.header.options)
    seen.battle, seen.war = battle, game.picture(side).war
    seen.operation = game.table.operation if chair is Chair.REFEREE else game.picture(side).operation
    screen.header(battle, game_facts(game), chair=side, seat=seat, operation=seen.operation, war=seen.war)
    screen.board(seen, side, always=True)
    what = what_is_played(game)
    out.print(Text(f"The {what} is over." if game.over else f"The {what} is not over yet.", style="heading"))


def verify(
    file: File,
    start: Annotated[str, typer.Option("--start", help="The start code you kept, of a game with fair dice.")] = "",
    end: Annotated[str, typer.Option("--end", help="The end code you were shown when it was over.")] = "",
    half: Annotated[
        list[str] | None,
        typer.Option(
            "--half", help="Where the host never opened its secret: the half of Axis, then that of the Allies."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Replay a saved game with every check: the file is whole, every answer is legal, every result is as recorded, and
    fair dice are those that everybody was bound to.

    Ends with exit code 1 if it does not verify, and names what does not fit.

    [bold]flagplot verify bismarck.flagplot[/bold]
    """
    try:
        proof = examine(parse(read_file(file)), halves=_halves(half or []), start=start, end=end)
    except GameError as trouble:
        _tell_findings(file, [str(trouble)], json=json)
        raise typer.Exit(1) from None
    game = proof.game
    if game is None or proof.findings:
        _tell_findings(file, proof.findings, json=json)
        raise typer.Exit(1)
    journal = game.journal
    counts = {
        "entries": len(game.runner.tape),
        "answers": sum(isinstance(line, Answered) for line in journal),
        "rolls": sum(isinstance(line, Rolled) for line in journal),
        "undone": sum(isinstance(line, Undone) for line in journal),
        "amended": sum(isinstance(line, Amended) for line in journal),
    }
    if wants_json(json):
        dice = {"dice": game.header.dice, "proven": proof.proven, "start": proof.start, "end": proof.end}
        told = {
            "file": str(file),
            "verified": True,
            "over": game.over,
            "scenario": game.header.scenario,
            **counts,
            **dice,
        }
        print_json(told)
        return
    state = "The game is over." if game.over else "The game is not over yet."
    undone = f", {counts['undone']} undone" if counts["undone"] else ""
    undone += f", {counts['amended']} amendments" if counts["amended"] else ""
    text = f"{counts['entries']} entries, all agree ({counts['answers']} answers, {counts['rolls']} rolls{undone}). {state}"
    out = console()
    out.print(Text.assemble(("✓ ", "good"), text), soft_wrap=True)
    out.print(Text.assemble(("✓ ", "good") if proof.proven else "· ", proof.words), soft_wrap=True)
    for name, code in (("Start code", proof.start), ("End code", proof.end)):
        if code:
            out.print(Text(f"  {name} {code}: compare it with the one you kept."), soft_wrap=True)


def _halves(given: Sequence[str]) -> Halves | None:
    """The two halves of the host's secret, as two players typed them."""
    if not given:
        return None
    if len(given) != len(Halves._fields) or not all(HEX.fullmatch(each) for each in given):
        raise PlayerError(
            "--half is given twice, first the half of Axis, then that of the Allies: 64 hexadecimal digits"
        )
    return Halves(*map(bytes.fromhex, given))


def _tell_findings(file: Path, findings: Sequence[str], *, json: bool) -> None:
    if wants_json(json):
        print_json({"file": str(file), "verified": False, "why": "; ".join(findings), "findings": list(findings)})
        return
    out = console()
    if len(findings) == 1:
        out.print(Text.assemble(("✕ It does not verify. ", "refusal"), findings[0]), soft_wrap=True)
        return
    out.print(Text.assemble(("✕ It does not verify. ", "refusal"), f"{len(findings)} things do not fit:"))
    for found in findings:
        out.print(Text(f"  {found}"), soft_wrap=True)
