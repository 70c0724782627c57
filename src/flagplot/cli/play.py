"""`flagplot play`: a new battle or a saved one, at the keyboard."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from flagplot.bots.bot import Bot
from flagplot.cli.command_options import ENDING, OrderOfBattle, chosen_options, edition_option, refuse_changes
from flagplot.cli.session import Quit, Session, free_path, refuse_to_overwrite
from flagplot.cli.terminal import EndOfInput, Reader, console
from flagplot.cli.voices import Spoken, Voice, Written
from flagplot.core.dice import DiceSource, ScriptedDice, SystemDice, TypedDice
from flagplot.core.errors import GameError, PlayerError
from flagplot.core.sides import Side
from flagplot.play.game import Game
from flagplot.play.order_examples import example_orders, example_titles
from flagplot.play.saves import load
from flagplot.play.saves import save as write
from flagplot.play.standing_orders import OrdersRefused, StandingOrder, read_orders

DEFAULT = "denmark-strait"


class People(StrEnum):
    """Which sides people play."""

    AXIS = "axis"
    ALLIES = "allies"
    BOTH = "both"


class BotName(StrEnum):
    """The bots there are."""

    ADMIRAL = "admiral"
    RANDOM = "random"


def play(
    scenario: Annotated[
        str, typer.Argument(help="A battle's name, a set-up (FILE.toml), or a saved game (FILE.flagplot).")
    ] = DEFAULT,
    side: Annotated[
        People | None,
        typer.Option(help="The side you play; both is two people at one keyboard.", show_default="allies"),
    ] = None,
    bot: Annotated[BotName, typer.Option(help="Who plays the other side.")] = BotName.ADMIRAL,
    dice: Annotated[
        str | None,
        typer.Option(metavar="system|typed|script:FILE", help="Where dice come from.", show_default="system"),
    ] = None,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep the game in this file, written after every answer.")
    ] = None,
    order_of_battle: Annotated[
        OrderOfBattle | None, typer.Option(help="What each side knows at the start.", show_default="the scenario's")
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="A ruling to play by; see flagplot options.")
    ] = None,
    edition: Annotated[str | None, edition_option()] = None,
    orders: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Standing orders that answer for you, one a line, such as [bold]path: default[/bold] or [bold]interception: "
            "try if chance at least 40[/bold]; or an example by name: battle, operation. See docs/standing-orders.md.",
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object a line: events, questions, results.")] = False,
) -> None:
    """Play a battle, an operation or the strategic war in the terminal, against a bot or two at one keyboard.

    At each question type your answer, or press Enter for the one shown. [bold]help[/bold] lists the commands.

    [bold]flagplot play[/bold] begins at once: you have Hood, and Bismarck is out there.

    [bold]flagplot play pedestal --side axis --save malta.flagplot[/bold]

    [bold]flagplot play malta.flagplot --side axis[/bold] goes on with it.

    [bold]flagplot play river-plate --side both --dice typed[/bold] is for two people with real dice.

    [bold]flagplot play midway --edition 2008[/bold] is by the rules of 2008.

    [bold]flagplot play operation-malta --orders operation[/bold] asks you little: what standing orders answer is shown with
    the line that answered it.

    [bold]flagplot play war --side axis[/bold] is the war of submarines, raiders and bombers, turn by turn.

    [bold]yes '' | flagplot play[/bold] takes every default. Piped, it reads an answer a line.
    """
    standing = the_orders(orders) if orders is not None else ()
    path = Path(scenario)
    if path.suffix == ENDING:
        refuse_changes(order_of_battle, option, edition)
        game = load(path)
        save = save or path
        side = _side_played(game, side)
        dice = dice or _dice_begun_with(game)
        game.dice = the_dice(dice, lambda count: session.ask_dice(count))
    else:
        side = side or People.ALLIES
        if save is not None:
            refuse_to_overwrite(save)
        source = the_dice(dice or SystemDice.name, lambda count: session.ask_dice(count))
        game = _new(scenario, side, order_of_battle, option, source, edition)
    people = list(Side) if side is People.BOTH else [Side(side.value)]
    if standing and len(people) > 1:
        raise PlayerError("standing orders are one side's: say --side axis or --side allies")
    out = console()
    reader = Reader(out, silent=json)
    voice: Voice = Written(game, people) if json else Spoken(game, people, out, reader)
    session = Session(game, people, the_bot(bot), voice, reader)
    session.path, session.orders = save, standing
    if save is not None:
        write(game, save)  # a file that cannot be written is better known before the first question
    voice.begin(save)
    _run(
        session, f"--side {side}" + (f" --bot {bot}" if side is not People.BOTH and bot is not BotName.ADMIRAL else "")
    )


def _run(session: Session, how: str) -> None:
    """Play, and end tidily however it ends."""
    code = 0
    try:
        session.run()
        _offer_to_keep(session)
        return
    except EndOfInput:
        session.voice.stopped(session.asked)
        leaving = session.reader.interactive
    except Quit:
        leaving = True
    except KeyboardInterrupt:
        leaving, code = True, 130
    except GameError:
        session.autosave()
        raise
    if session.path is None and leaving and session.game.journal:
        session.path = session.latest_copy or free_path(session.game)
    if leaving and session.reader.interactive:
        typer.echo()  # what was being typed stays on its line
    if session.path is not None:
        session.autosave()
        session.voice.saved(session.path, f"flagplot play {session.path} {how}")
    if code:
        raise typer.Exit(code)


def _offer_to_keep(session: Session) -> None:
    """A finished game that has no file yet can be given one."""
    if session.path is not None or not session.reader.interactive:
        return
    with suppress(EndOfInput, KeyboardInterrupt):
        while typed := session.reader.line(f"To keep this battle, type a name such as {free_path(session.game)} ›"):
            try:
                session.save_as(Path(typed))
            except GameError as refusal:
                session.voice.refused(refusal)
                continue
            session.voice.saved(Path(typed), f"flagplot replay {typed} --report")
            return


def the_orders(file: str) -> tuple[StandingOrder, ...]:
    """Standing orders from a file, or those that come with Flagplot under this name."""
    path = Path(file)
    if not path.exists() and file in example_titles():
        return read_orders(example_orders(file))
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as trouble:
        why = getattr(trouble, "strerror", None) or "it is not text"
        examples = ", ".join(example_titles())
        raise PlayerError(
            f"the standing orders {path} could not be read: {why}; examples by name: {examples}"
        ) from None
    try:
        return read_orders(text)
    except OrdersRefused as refusal:
        raise PlayerError(f"{path}, {refusal}") from None


def _new(
    name: str,
    side: People,
    order_of_battle: OrderOfBattle | None,
    option: list[str] | None,
    dice: DiceSource,
    edition: str | None = None,
) -> Game:
    from flagplot.scenarios.loader import load_scenario

    scenario = load_scenario(name)
    setup = scenario.setup
    if order_of_battle is not None:
        setup = setup.with_order_of_battle(order_of_battle.value)
    chosen = {**scenario.options, **chosen_options(option)}
    # Two at one keyboard with an open order of battle have all on the table, and nothing to hide by refusing undo.
    solitaire = side is People.BOTH and setup.public.order_of_battle == "open"
    people = list(Side) if side is People.BOTH else [Side(side.value)]
    return Game.new(
        setup,
        scenario=scenario.name,
        edition=edition or scenario.edition,
        options=chosen,
        dice=dice,
        solitaire=solitaire,
        people=people,
    )


def _side_played(game: Game, side: People | None) -> People:
    """The chair a saved game is resumed in: the one it was begun in, and no other."""
    begun = list(game.header.people)
    if not begun:
        return side or _side_to_move(game)
    chair = People.BOTH if len(begun) == 2 else People(begun[0].value)
    if side not in (None, chair):
        raise PlayerError(f"this game is played with --side {chair}; another chair would see what it may not")
    return chair


def _side_to_move(game: Game) -> People:
    """Who resumes a game without saying which side he plays: the side that is asked."""
    asked = [side for side in Side if game.decision(side)]
    if len(asked) == 1:
        return People(asked[0].value)
    if asked or game.header.solitaire or game.over:
        return People.BOTH
    raise PlayerError("say which side you play: --side axis, --side allies or --side both")


def the_bot(name: BotName) -> Bot:
    """A bot by name."""
    from flagplot.bots.random_bot import RandomBot

    if name is BotName.RANDOM:
        return RandomBot()
    from flagplot.bots.admiral import AdmiralBot

    return AdmiralBot()


def _dice_begun_with(game: Game) -> str:
    """The dice a saved game goes on with, unless others are asked for."""
    if game.header.dice == ScriptedDice.name:
        raise PlayerError("this game has scripted dice: say which to go on with, --dice script:FILE or --dice system")
    return game.header.dice


def the_dice(wanted: str, ask: Callable[[int], list[int]]) -> DiceSource:
    """A source of dice by name; typed ones are asked for."""
    kind, _, file = wanted.partition(":")
    if kind == SystemDice.name:
        return SystemDice()
    if kind == TypedDice.name:
        return TypedDice(ask)
    if kind == ScriptedDice.name and file:
        return ScriptedDice(read_script(Path(file)))
    raise PlayerError(f"there are no dice {wanted!r}; there are system, typed and script:FILE")


def read_script(path: Path) -> list[int]:
    """Dice written down beforehand: figures from 1 to 6, apart or together; # begins a comment."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as trouble:
        raise PlayerError(
            f"the dice script {path} could not be read: {getattr(trouble, 'strerror', None) or 'it is not text'}"
        ) from None
    dice: list[int] = []
    for number, line in enumerate(lines, start=1):
        figures = re.sub(r"[\s,;+]", "", line.partition("#")[0])
        if not re.fullmatch(r"[1-6]*", figures):
            raise PlayerError(f"line {number} of the dice script {path} holds something that is not a die from 1 to 6")
        dice += [int(figure) for figure in figures]
    return dice
