"""Odds of a whole battle: of a scenario, or of a game at a decision, as a side knows it; played by doctrines (22.41).

The law here: a side's odds are built from its picture (odds/beliefs.py); only who holds both sides' secrets anyway, a
referee with a set-up or a save, may ask for the odds of the truth.
"""

from __future__ import annotations

import tomllib
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from typing import Any

from flagplot.api.calls import Chosen, question
from flagplot.core.errors import PlayerError
from flagplot.core.sides import SIDES, Side
from flagplot.doctrine.doctrine import Doctrine, checked
from flagplot.model.setup import Setup
from flagplot.model.state import SEGMENTS
from flagplot.odds.answers import answer
from flagplot.odds.beliefs import Belief, belief_text, believed, read_belief, usual_belief
from flagplot.odds.boundaries import entered
from flagplot.odds.breakdowns import told as breakdowns
from flagplot.odds.sampling import AUTO, MOST_BATTLES, USUAL, WIDTH, admirals, sample, why_not_compiled
from flagplot.odds.what_if import lines, without
from flagplot.odds.worlds import FORMATION, LARGER, NAVAL_BATTLE, NoOdds, World, formed
from flagplot.play.game import Game
from flagplot.play.report import chosen_options, rules_in_words
from flagplot.scenarios.loader import load_scenario

NOTHING = Belief(())  # nothing is hidden
MOST_ASKED = 2_000  # battles in one question of the API


def read_doctrine(text: str) -> Doctrine:
    """A doctrine from its TOML: its numbers by name; those left out are the admiral's."""
    try:
        numbers = tomllib.loads(text)
    except tomllib.TOMLDecodeError as mistake:
        raise PlayerError(f"this is no doctrine: {mistake}") from None
    return checked(numbers)


def world_of_setup(
    setup: Setup,
    edition: str,
    options: Mapping[str, str],
    *,
    side: Side | None = None,
    belief: str = "",
    doctrines: Mapping[Side, Doctrine] = USUAL,
) -> tuple[World, Belief]:
    """The world of a set-up, groups formed by the doctrines; as a side knows it, with what it believes, or as it is."""
    if side is None or setup.public.kind in LARGER:
        return formed(setup, admirals(doctrines), edition, options), NOTHING
    return world_of_game(begun(setup, edition, options, doctrines), side, belief)


def begun(
    setup: Setup,
    edition: str,
    options: Mapping[str, str],
    doctrines: Mapping[Side, Doctrine],
    until: tuple[Side, str] | None = None,
) -> Game:
    """A game of a set-up whose groups were formed by the doctrines; or which stands where a side is asked something."""
    game = Game.new(setup, edition=edition, options=options, key="00" * 16)
    bots = admirals(doctrines)
    while game.battle.segment == FORMATION and not game.over and not game.roll_due():
        if until and (put := game.decision(until[0])) and put.kind == until[1]:
            break
        asked = next(each for each in Side if game.decision(each))
        decision = game.decision(asked)
        assert decision is not None
        game.submit(asked, bots[asked].choose(game.picture(asked), decision))
    return game


def world_of_game(game: Game, side: Side | None, belief: str = "") -> tuple[World, Belief]:
    """The world of a game as it stands: as a side knows it, with what it believes, or as it is."""
    battle = game.battle if side is None else game.picture(side).battle
    ended, within = battle.segment in ("return", "over"), game.header.setup.public.kind
    if ended and within not in LARGER:
        raise NoOdds("the battle is over")
    if ended or battle.kind in LARGER or battle.segment not in SEGMENTS or not battle.fleets:
        larger = f" in this {within}" if within in LARGER else ""
        raise NoOdds(f"no battle is being fought{larger} just now: ask when one has begun")
    if side is not None and battle.kind != NAVAL_BATTLE:
        raise NoOdds(f"one side's odds are given for naval battles, not for a battle of this kind: {battle.kind}")
    if battle.segment == FORMATION:
        raise NoOdds(
            "the combat groups are not formed yet: odds begin when they are numbered, until then there is advice"
        )
    edition, options = game.header.edition, game.header.options
    if side is None:
        pictures = {who: game.picture(who) for who in Side}
        known = {who: picture.battle for who, picture in pictures.items()}
        told = {who: tuple(picture.events) for who, picture in pictures.items()}
        return entered(World(edition, options, battle, known, told)), NOTHING
    picture = game.picture(side)
    held = read_belief(belief, picture) if belief else usual_belief(picture)
    return believed(edition, options, picture, game.picture(None), held), held


def odds(
    world: World,
    *,
    side: Side | None = None,
    belief: Belief = NOTHING,
    doctrines: Mapping[Side, Doctrine] = USUAL,
    leave_out: Sequence[str] = (),
    seed: int = 0,
    width: float = WIDTH,
    most: int = MOST_BATTLES,
    executor: Executor | None = None,
    workers: int | None = None,
    engine: str = AUTO,
) -> Iterator[dict[str, Any]]:
    """The odds of a world, as it is or as a side takes it to be, better and better; the last answer says why it is the
    last."""
    leave_out = list(dict.fromkeys(leave_out))
    changed = without(world, leave_out)
    about, rules = [line._asdict() for line in lines(world.battle)], played_by(world, doctrines)
    behind = breakdowns(changed)
    for step in sample(
        changed,
        doctrines=doctrines,
        seed=seed,
        width=width,
        most=most,
        executor=executor,
        workers=workers,
        engine=engine,
    ):
        yield answer(
            changed,
            step.tally,
            side=side.value if side else "",
            seed=seed,
            last=step.last,
            why=step.why,
            lines=about,
            left_out=leave_out,
            behind=behind,
            belief=belief.in_words(),
            belief_text=belief_text(belief),
            doctrines={side.value: doctrines[side]._asdict() for side in Side},
            **rules,
        )


def played_by(world: World, doctrines: Mapping[Side, Doctrine]) -> dict[str, Any]:
    """By which rules battles are fought: the edition, the options that differ, both in words; and a sentence if they are
    fought slowly, because such battles are not compiled."""
    options, why = chosen_options(world.options), why_not_compiled(world, doctrines)
    note = f"{why[0].upper()}{why[1:]}: each battle is fought rule by rule, as right but slower." if why else ""
    return {"edition": world.edition, "options": options, "rules": rules_in_words(world.edition, options), "note": note}


@question
def battle_odds(
    *,
    chosen: Chosen,
    scenario: str,
    side: str = "",
    belief: str = "",
    battles: int = 100,
    seed: int = 0,
    own: dict[str, int] | None = None,
    enemy: dict[str, int] | None = None,
    leave_out: list[str] | None = None,
) -> dict[str, Any]:
    """22.41. The odds of a scenario between two doctrines, as it is or as a side knows it.

    By the scenario's edition and options, unless others are asked for. Only battles of the current edition are compiled;
    others are fought rule by rule, which takes longer.
    """
    if not 1 <= battles <= MOST_ASKED:
        raise PlayerError(
            f"battle_odds fights from 1 to {MOST_ASKED} battles, not {battles}; flagplot odds fights more"
        )
    if side and side not in SIDES:
        raise PlayerError(f"there is no side {side!r}; there are {', '.join(SIDES)}")
    found = load_scenario(scenario)
    who = SIDES[side] if side else None
    doctrines = two_doctrines(who, checked(own or {}), checked(enemy or {}))
    by = chosen.over(found.edition, found.options)
    world, held = world_of_setup(found.setup, *by, side=who, belief=belief, doctrines=doctrines)
    steps = odds(
        world,
        side=who,
        belief=held,
        doctrines=doctrines,
        leave_out=leave_out or (),
        seed=seed,
        width=1e-9,
        most=battles,
        workers=1,
    )
    return deque(steps, maxlen=1).pop()


def two_doctrines(side: Side | None, own: Doctrine, enemy: Doctrine) -> dict[Side, Doctrine]:
    """Whose doctrine is whose; without a side the axis is oneself."""
    me = side or Side.AXIS
    return {me: own, me.enemy: enemy}
