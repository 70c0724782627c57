"""What cannot be told apart by the other side, and no name before its time."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from flagplot.core.asks import Decide
from flagplot.core.dice import ScriptedDice
from flagplot.core.sides import Audience, Side
from flagplot.model import events as ev
from flagplot.model.setup import Setup
from flagplot.play.game import Game
from flagplot.scenarios.loader import list_scenarios, load_scenario, parse_scenario
from tests.rules.endings_table import ALLIES, AXIS, Play, force, form_bytes, scenario_text

JAPAN = [
    force("Line", ships=["Kirishima"], cruisers=2, destroyers=3, number=1),
    force("Carriers", ships=["Akagi"], cruisers=3, destroyers=2, number=4),
]
AMERICA = [
    force("Battleships", ships=["Washington"], cruisers=2, destroyers=3, number=1),
    force("Cruisers", cruisers=5, number=5),
]


# -- what cannot be told apart ----------------------------------------------------------------------------------------


def hidden_ships(decision: Decide) -> Any:
    """A side whose answers are the same in public whatever ships it has: it fights, stays and keeps to the line."""
    return "fight" if decision.kind == "evade" and len(decision.form.items) == 1 else decision.form.default


def leaves_unseen(number: int) -> Any:
    """As before, but the group of this number withdraws when the first round is over."""

    def answer(decision: Decide) -> Any:
        if decision.kind == "withdraw" and f"CG{number}" in [item.key for item in decision.form.items]:
            return {f"CG{number}": "withdraw"}
        return hidden_ships(decision)

    return answer


def heard(
    setup: Setup, viewer: Side, dice: list[int], seed: int, enemy: Any = hidden_ships
) -> Iterator[tuple[str, bytes]]:
    """Everything that reaches one side, in order: events, its own questions, and that its enemy is asked something.

    The viewer answers at random, the same way for the same questions.
    """
    game = Game.new(setup, dice=ScriptedDice(dice), key="00" * 16)
    random = Random(seed)
    told = 0
    while True:
        picture = game.picture(viewer).events
        for event in picture[told:]:
            yield type(event).__name__, msgspec.json.encode(event)
        told = len(picture)
        if game.over:
            return
        due = game.roll_due()
        if due is not None:
            yield "dice", f"{due.dice} {due.side} {due.rule}".encode()
            game.roll()
            continue
        own = game.decision(viewer)
        if own is not None:
            yield "question", form_bytes(own)
            game.submit(viewer, own.form.sample(random))
            continue
        theirs = game.decision(viewer.enemy)
        assert theirs is not None
        yield "enemy asked", f"{theirs.kind} {theirs.rule}".encode()
        game.submit(viewer.enemy, enemy(theirs))


def setup_with(
    group: dict[str, Any], number: int, *, late: tuple[dict[str, Any], ...] = (), interceptor: str = "allies"
) -> Setup:
    """Two American groups; of Japan's, the one with this number is the secret."""
    japan = [force("Line", ships=["Kirishima"], cruisers=2, destroyers=3, number=1), {**group, "number": number}, *late]
    america = [
        force("Battleships", ships=["Washington"], cruisers=2, destroyers=3, number=1),
        force("Cruisers", cruisers=5, number=2),
    ]
    return parse_scenario(scenario_text(japan, america, interceptor=interceptor), "text").setup


def some_dice(seed: int) -> list[int]:
    random = Random(seed)
    return [random.randint(1, 6) for _ in range(3_000)]


# None of these gives a search die while it is distant.
SECRETS: dict[str, dict[str, Any]] = {
    "five cruisers": force("Secret", cruisers=5),
    "one destroyer": force("Secret", destroyers=1),
    "the greatest ships": force("Secret", ships=["Yamato", "Musashi"], cruisers=5, destroyers=5),
    "slow battleships": force("Secret", ships=["Nagato", "Mutsu"], cruisers=1),
    "a damaged ship": force("Secret", ships=[{"name": "Hiei", "damaged": True}], cruisers=3),
    "an invasion": force("Secret", destroyers=6, cargo=[{"name": "a corps", "needs": 3}], mission="seaborne invasion"),
    "transports": force(
        "Secret", destroyers=2, transports=3, cargo=[{"name": "oil", "needs": 3, "by": "TR"}], mission="sea transport"
    ),
    "a carrier short of aircraft": force("Secret", ships=[{"name": "Akagi", "air": 1}], cruisers=5),
    "escort carriers": force("Secret", escort_carriers=3, destroyers=3),
}
SEEDS = range(12)
DISCLOSURES = {"GroupFound", "GroupRevealed", "Detached"}


def first_difference(one: Setup, other: Setup, seed: int, **keys: Any) -> tuple[int, str, str, list[str]]:
    """How much two watchers heard alike, what came next for each, and the kinds of what was alike."""
    dice = some_dice(seed)
    alike: list[str] = []
    for left, right in zip(
        heard(one, ALLIES, dice, seed, **keys), heard(other, ALLIES, dice, seed, **keys), strict=False
    ):
        if left != right:
            return len(alike), left[0], right[0], alike
        alike.append(left[0])
    return len(alike), "", "", alike


@pytest.mark.ledger("22.423B.2", "22.452A")
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("secret", list(SECRETS)[1:])
def test_two_fleets_that_differ_behind_a_number_look_the_same_until_that_is_disclosed(secret: str, seed: int) -> None:
    interceptor = ("axis", "allies")[seed % 2]
    one = setup_with(SECRETS["five cruisers"], 4, interceptor=interceptor)
    other = setup_with(SECRETS[secret], 4, interceptor=interceptor)
    length, left, right, alike = first_difference(one, other, seed)
    assert "FleetCombatBegan" in alike or left in DISCLOSURES
    if left or right:
        # Round four makes the group active, and then ten factors give a search die that the enemy sees rolled.
        search_dice = {left, right} <= {"dice", "Searched"} and alike.count("RoundBegan") >= 4
        assert (left == right and left in DISCLOSURES) or search_dice, f"{left} or {right} after {length}"


@pytest.mark.ledger("22.423B.2")
@pytest.mark.parametrize("secret", list(SECRETS)[1:])
def test_a_group_that_is_never_found_or_fought_and_withdraws_cannot_be_told_from_another(secret: str) -> None:
    for seed in range(60):
        one = setup_with(SECRETS["five cruisers"], 6)
        other = setup_with(SECRETS[secret], 6)
        length, left, right, alike = first_difference(one, other, seed, enemy=leaves_unseen(6))
        if "GroupFound" in {left, right}:
            continue
        assert (left, right) == ("", ""), f"{left} or {right} after {length}"
        assert alike[-1] == "SegmentBegan"
        assert "Departed" in alike
        return
    raise AssertionError("the group was found on all dice")


def always_evades(decision: Decide) -> Any:
    """As hidden_ships, but no distant group fights."""
    return "evade" if decision.kind == "evade" else hidden_ships(decision)


@pytest.mark.ledger("22.452B", "22.523D")
@pytest.mark.parametrize(
    "ships",
    [
        {"ships": ["Kongo", "Haruna"], "cruisers": 2},
        {"destroyers": 14},
        {"ships": [{"name": "Yamato", "hits": 2}], "cruisers": 9, "destroyers": 2},
    ],
)
def test_groups_that_disclose_the_same_facts_look_the_same_found_sought_or_evading(ships: dict[str, Any]) -> None:
    evaded = 0
    for seed in range(40):
        one = setup_with(SECRETS["five cruisers"], 4)
        other = setup_with(force("Secret", **ships), 4)
        length, left, right, alike = first_difference(one, other, seed, enemy=always_evades)
        evaded += "Evaded" in alike
        assert left == right, f"{left} or {right} after {length}"
        assert left in ("", "GroupRevealed")
    assert evaded


@pytest.mark.ledger("22.452B.2")
def test_a_fully_operational_carrier_betrays_herself_only_by_the_search_die() -> None:
    one = setup_with(SECRETS["five cruisers"], 4)
    other = setup_with(force("Secret", ships=["Akagi"], cruisers=5), 4)
    _, left, right, alike = first_difference(one, other, 1)
    assert {left, right} <= {"dice", "Searched"}
    assert alike[-1] in ("Searched", "SegmentBegan", "dice")
    assert "Paired" not in alike


@pytest.mark.ledger("22.423B.2")
@pytest.mark.parametrize("seed", SEEDS)
def test_an_active_group_that_does_not_seek_combat_does_not_show_whether_it_could(seed: int) -> None:
    # Under ten factors each, so neither gives a search die; the slow one may not engage a distant group.
    fast = force("Secret", cruisers=3)
    slow = force("Secret", ships=["Ise"], cruisers=1)
    length, left, right, _ = first_difference(setup_with(fast, 3), setup_with(slow, 3), seed)
    if left or right:
        assert left == right, f"{left} or {right} after {length}"
        assert left in DISCLOSURES


def quiet_setup(group: dict[str, Any]) -> Setup:
    """Japan's active CG1 is the secret and meets nobody: America's only group is distant."""
    text = scenario_text([{**group, "number": 1}], [force("America", cruisers=4, number=6)])
    return parse_scenario(text, "text").setup


@pytest.mark.ledger("22.423B.2")
def test_an_unpaired_active_group_is_asked_whether_it_engages_though_it_is_too_slow() -> None:
    dice = [6] * 400
    fast = quiet_setup(force("Secret", ships=["Kirishima"], cruisers=4))
    slow = quiet_setup(force("Secret", ships=["Ise"], cruisers=4))
    # Both give a search die (eleven factors), and the six finds America's group, so only the fast one could engage.
    for left, right in zip(heard(fast, ALLIES, dice, 0), heard(slow, ALLIES, dice, 0), strict=False):
        if left[0] == "GroupRevealed":
            break
        assert left == right


@pytest.mark.ledger("22.423B.2")
@pytest.mark.parametrize("seed", SEEDS)
def test_a_fleet_on_its_way_cannot_be_told_from_none(seed: int) -> None:
    late = (force("Late", ships=["Yamato"], cruisers=5, arrives=2),)
    group = SECRETS["five cruisers"]
    length, left, right, alike = first_difference(setup_with(group, 4), setup_with(group, 4, late=late), seed)
    assert (left, right) == ("", ""), f"{left} or {right} after {length}"
    assert alike


@pytest.mark.ledger("22.423B.2")
def test_formation_questions_are_put_to_both_sides_whatever_they_have() -> None:
    plain = [force("Line", cruisers=5), force("Rest", cruisers=5)]
    laden = [
        force("Line", cruisers=5, destroyers=2, cargo=[{"name": "a corps", "needs": 2}]),
        force("Rest", ships=["Akagi"], cruisers=5),
    ]
    crowded = [
        force("Line", cruisers=6, destroyers=4, task_force=False),
        force("Second", cruisers=6, destroyers=4, task_force=False),
    ]
    america = [force("America", cruisers=5)]
    logs = []
    for japan in (plain, laden, crowded):
        setup = parse_scenario(scenario_text(japan, america), "text").setup
        log = []
        for kind, what in heard(setup, ALLIES, [1] * 400, 0):
            if kind == "MarkersPlaced":
                break
            log.append((kind, what))
        logs.append(log)
    assert logs[0] == logs[1] == logs[2]
    assert [kind for kind, _ in logs[0]].count("enemy asked") >= 3


@pytest.mark.ledger("22.423B.2", "22.423B.1")
@pytest.mark.parametrize("seed", SEEDS)
def test_with_an_open_order_of_battle_it_is_still_secret_which_force_has_which_number(seed: int) -> None:
    japan = [
        force("Line", ships=["Kirishima"], cruisers=2, destroyers=3),
        force("First", cruisers=5),
        force("Second", ships=["Nagato"], cruisers=2, destroyers=2),
    ]
    america = [force("Battleships", ships=["Washington"], cruisers=2, destroyers=3), force("Cruisers", cruisers=5)]
    setup = parse_scenario(scenario_text(japan, america, order_of_battle="open"), "text").setup
    dice = some_dice(seed)

    def numbering(first: str, second: str) -> Any:
        def answer(decision: Decide) -> Any:
            if decision.kind == "number":
                return {"Line": "1", "First": first, "Second": second}
            return hidden_ships(decision)

        return answer

    ways = [heard(setup, ALLIES, dice, seed, numbering(*pair)) for pair in (("5", "6"), ("6", "5"))]
    alike = 0
    for left, right in zip(*ways, strict=False):
        if left != right:
            assert left[0] == right[0]
            assert left[0] in DISCLOSURES
            break
        alike += 1
    assert alike > 20


# -- no name before its time --------------------------------------------------------------------------------------------


def secret_setup(name: str) -> Setup:
    setup = load_scenario(name).setup.with_order_of_battle("hidden")
    return msgspec.structs.replace(setup, public=msgspec.structs.replace(setup.public, title="A battle", summary=""))


def named_in(text: bytes, words: set[str]) -> set[str]:
    return {word for word in words if word.encode() in text}


@pytest.mark.ledger("22.423B.2")
@pytest.mark.parametrize("name", [each.name for each in list_scenarios() if each.setup.public.kind == "naval battle"])
def test_in_whole_battles_no_enemy_ship_or_force_is_named_before_her_group_is_shown(name: str) -> None:
    setup = secret_setup(name)
    for seed in range(6):
        game = Game.new(setup, dice=ScriptedDice(some_dice(seed)), key="00" * 16)
        random = Random(seed)
        secret = {
            side: {ship.name for each in setup.sides[side].forces for ship in each.ships}
            | {each.name for each in setup.sides[side].forces}
            for side in Side
        }
        own_forces = {side: {each.name for each in setup.sides[side].forces} for side in Side}
        read = dict.fromkeys(Side, 0)
        for _ in range(600):
            for viewer in Side:
                events = game.picture(viewer).events
                for event in events[read[viewer] :]:
                    if isinstance(event, ev.GroupRevealed) and event.side is viewer.enemy:
                        secret[viewer.enemy] -= {ship.name for ship in event.group.ships}
                    if isinstance(event, ev.Detached) and event.side is viewer.enemy:
                        secret[viewer.enemy] -= {ship.name for ship in event.ships}
                    found = named_in(msgspec.json.encode(event), secret[viewer.enemy] - own_forces[viewer])
                    assert not found, f"{name}, dice {seed}: {event}"
                read[viewer] = len(events)
                question = game.decision(viewer)
                if question is not None:
                    found = named_in(form_bytes(question), secret[viewer.enemy] - own_forces[viewer])
                    assert not found, f"{name}, dice {seed}: {question.question}"
            if game.over:
                break
            if game.roll_due():
                game.roll()
                continue
            side = next(side for side in Side if game.decision(side))
            game.submit(side, game.decision(side).form.sample(random))  # type: ignore[union-attr]


@pytest.mark.ledger("22.423B.2")
def test_a_spectator_knows_of_each_fleet_no_more_than_its_enemy_does() -> None:
    play = Play(scenario_text(JAPAN, AMERICA), search={AXIS: [6], ALLIES: [6]})
    play.to(AXIS, "withdraw")
    public = play.game.picture(None)
    for side in Side:
        assert public.battle.fleets[side] == play.game.picture(side.enemy).battle.fleets[side]
    assert all(event.to is Audience.EVERYONE for event in public.events)


@pytest.mark.ledger("22.423B.2")
def test_an_open_order_of_battle_never_tells_which_group_has_which_number() -> None:
    from msgspec.structs import replace

    setup = load_scenario("three-groups").setup
    game = Game.new(replace(setup, public=replace(setup.public, order_of_battle="open")), key="00" * 16)
    for side in Side:
        assert {force.number for force in game.battle.fleets[side].forces} != {0}
        known = game.picture(side.enemy).battle.fleets[side].forces
        assert known and {force.number for force in known} == {0}
