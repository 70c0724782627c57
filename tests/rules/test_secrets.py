"""What each side knows of the other at each moment of a battle, and nothing more."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from flagplot import api
from flagplot.core.asks import Decide
from flagplot.core.dice import ScriptedDice
from flagplot.core.events import Event
from flagplot.core.sides import Audience, Side
from flagplot.model import events as ev
from flagplot.model.forces import CombatGroup
from flagplot.model.setup import Setup
from flagplot.play.game import Game
from flagplot.scenarios.loader import list_scenarios, load_scenario, parse_scenario
from tests.rules.endings_table import ALLIES, AXIS, Play, force, form_bytes, scenario_text, withdraws


def seen(play: Play, viewer: Side, number: int) -> CombatGroup:
    """An enemy group as one side knows it."""
    return play.game.picture(viewer).battle.fleets[viewer.enemy].group(number)


def is_blank(group: CombatGroup) -> bool:
    """Whether nothing of its contents is known."""
    return (group.ships, group.light, group.cargo, group.supply, group.name, group.base) == ((), {}, (), False, "", "")


def told_since(play: Play, viewer: Side, before: int) -> list[Event]:
    return play.game.picture(viewer).events[before:]


JAPAN = [
    force("Line", ships=["Kirishima"], cruisers=2, destroyers=3, number=1),
    force("Carriers", ships=["Akagi"], cruisers=3, destroyers=2, number=4),
]
AMERICA = [
    force("Battleships", ships=["Washington"], cruisers=2, destroyers=3, number=1),
    force("Cruisers", cruisers=5, number=5),
]


# -- numbers and compositions ----------------------------------------------------------------------------------------


@pytest.mark.ledger("22.423B.1")
def test_numbers_are_shown_to_the_enemy_only_when_both_sides_have_chosen_them() -> None:
    plain = [
        [{key: value for key, value in each.items() if key != "number"} for each in side] for side in (JAPAN, AMERICA)
    ]
    play = Play(scenario_text(*plain))
    play.to(AXIS, "number")
    before = len(play.game.picture(ALLIES).events)
    asked = form_bytes(play.game.decision(ALLIES))  # type: ignore[arg-type]
    play.answer(AXIS, {"Line": "6", "Carriers": "3"})
    assert told_since(play, ALLIES, before) == []
    assert form_bytes(play.game.decision(ALLIES)) == asked  # type: ignore[arg-type]
    play.answer(ALLIES, {"Battleships": "2", "Cruisers": "4"})
    assert play.game.picture(ALLIES).battle.fleets[AXIS].numbers == (3, 6)
    assert play.game.picture(AXIS).battle.fleets[ALLIES].numbers == (2, 4)


@pytest.mark.ledger("22.423B.2")
def test_behind_a_number_nothing_is_seen_until_the_group_is_attacked() -> None:
    play = Play(scenario_text(JAPAN, AMERICA), search={AXIS: [6], ALLIES: [6]})
    play.to(AXIS, "screen")
    for viewer, numbers in ((ALLIES, (1, 4)), (AXIS, (1, 5))):
        for number in numbers:
            assert is_blank(seen(play, viewer, number))
    play.to(AXIS, "withdraw")
    assert [ship.name for ship in seen(play, ALLIES, 1).ships] == ["Kirishima"]
    assert [ship.name for ship in seen(play, AXIS, 1).ships] == ["Washington"]
    assert is_blank(seen(play, ALLIES, 4))
    assert is_blank(seen(play, AXIS, 5))


@pytest.mark.ledger("22.423B.2")
def test_a_group_once_shown_stays_known_with_its_losses_in_later_rounds() -> None:
    play = Play(scenario_text(JAPAN, AMERICA), search={AXIS: [6] * 9, ALLIES: [6] * 9})
    play.to(AXIS, "withdraw")
    play.answer(AXIS, {})
    play.to(AXIS, "withdraw")
    assert play.game.battle.round == 2
    truth = play.group(AXIS, "Line")
    known = seen(play, ALLIES, 1)
    assert (known.ships, known.light) == (truth.ships, truth.light)


@pytest.mark.ledger("22.423B.2")
def test_the_order_of_battle_bases_and_reinforcements_of_the_enemy_are_not_in_the_picture() -> None:
    text = scenario_text(
        [force("Line", cruisers=5, number=1, base="Truk"), force("Late", cruisers=5, arrives=2, base="Truk")],
        [force("America", cruisers=5, number=6, base="Noumea")],
        axis_bases=[{"name": "Truk", "distance": 5}],
        allies_bases=[{"name": "Noumea", "distance": 5}],
    )
    play = Play(text)
    play.to(AXIS, "withdraw")
    enemy = play.game.picture(ALLIES).battle.fleets[AXIS]
    assert (enemy.forces, enemy.bases, enemy.pending) == ((), (), ())
    own = play.game.picture(AXIS).battle.fleets[AXIS]
    assert [group.name for group in own.pending] == ["Late"]


@pytest.mark.ledger("22.423B.2")
def test_a_reinforcement_is_announced_by_its_number_alone() -> None:
    text = scenario_text(
        [force("Line", cruisers=5, number=6), force("Late", ships=["Yamato"], cruisers=5, arrives=2)],
        [force("America", cruisers=5, number=6)],
    )
    play = Play(text, search={AXIS: [1] * 9, ALLIES: [1] * 9})
    play.to(AXIS, "reinforce")
    before = len(play.game.picture(ALLIES).events)
    play.answer(AXIS, {"Late": "3"})
    assert told_since(play, ALLIES, before) == []
    play.to(ALLIES, "reinforce")
    assert play.game.picture(ALLIES).battle.fleets[AXIS].numbers == (6,)
    play.answer(ALLIES, {})
    play.to(AXIS, "withdraw")
    assert is_blank(seen(play, ALLIES, 3))
    assert play.group(AXIS, "Late").number == 3


# -- search -----------------------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.452A")
def test_a_group_no_die_matched_stays_hidden() -> None:
    play = Play(scenario_text(JAPAN, AMERICA), search={ALLIES: [2, 3]})
    play.to(AXIS, "screen")
    assert not [event for event in play.events(ev.GroupFound) if event.side is AXIS]
    for number in (1, 4):
        assert seen(play, ALLIES, number).disclosed is None
        assert is_blank(seen(play, ALLIES, number))


@pytest.mark.ledger("22.452B", "22.423B.2")
def test_a_found_group_tells_four_things_and_not_its_ships() -> None:
    play = Play(scenario_text(JAPAN, AMERICA), search={ALLIES: [4]})
    play.to(AXIS, "screen")
    (found,) = [event for event in play.game.picture(ALLIES).events if isinstance(event, ev.GroupFound)]
    assert (found.side, found.number) == (AXIS, 4)
    facts = msgspec.to_builtins(found.disclosed)
    assert facts == {"under_ten": False, "fast_carriers": 1, "fast": True, "cargo": False}
    assert is_blank(seen(play, ALLIES, 4))
    assert is_blank(seen(play, ALLIES, 1))


@pytest.mark.ledger("22.452A")
def test_a_group_found_in_one_round_is_hidden_again_in_the_next() -> None:
    text = scenario_text([force("Japan", cruisers=5, number=6)], [force("America", cruisers=5, number=1)])
    play = Play(text, search={ALLIES: [6, 1, 1, 1], AXIS: [5] * 9})
    play.to(AXIS, "withdraw")
    assert seen(play, ALLIES, 6).found == 1
    play.answer(AXIS, {})
    play.to(AXIS, "withdraw")
    assert play.game.battle.round == 2
    assert seen(play, ALLIES, 6).found == 0


def disclosed(**group: Any) -> dict[str, Any]:
    return dict(api.call("disclosure", {"group": group}))


@pytest.mark.ledger("22.452B.1")
def test_under_ten_counts_all_warship_factors_damaged_ones_too_and_no_transports() -> None:
    def under_ten(**group: Any) -> bool:
        return bool(disclosed(**group)["less_than_ten_factors"])

    battleship = {"nation": "Japan", "kind": "BB", "size": 5, "id": "a"}
    assert under_ten(light={"Japan/CA": 4, "Japan/DD": 1})
    assert not under_ten(light={"Japan/CA": 4, "Japan/DD": 2})
    assert not under_ten(ships=[battleship, {**battleship, "id": "b", "damaged": True}])
    assert not under_ten(light={"Japan/CA/damaged": 5})
    assert not under_ten(light={"Japan/CVE": 5, "Japan/DD/loaded": 5})
    assert under_ten(light={"Japan/DD": 9, "Japan/TR": 6})


@pytest.mark.ledger("22.452B.2")
def test_escort_carriers_are_not_counted_among_fast_carriers() -> None:
    carriers = [
        {"nation": "Japan", "kind": kind, "size": size, "id": kind}
        for kind, size in (("CVL", 2), ("CV", 3), ("CVB", 4))
    ]
    assert disclosed(ships=carriers, light={"Japan/CVE": 3})["fast_carriers"] == 3
    assert disclosed(ships=[{**carriers[1], "damaged": True, "air": 0}])["fast_carriers"] == 1
    assert disclosed(light={"Japan/CVE": 3})["fast_carriers"] == 0


@pytest.mark.ledger("22.452B.3")
@pytest.mark.parametrize(
    ("group", "speed"),
    [
        ({"light": {"Japan/CA": 1, "Japan/DD": 1}}, "fast"),
        ({"light": {"Japan/CA": 1, "Japan/CA/damaged": 1}}, "slow"),
        ({"light": {"Japan/CA": 1, "Japan/CVE": 1}}, "slow"),
        ({"light": {"Japan/CA": 1, "Japan/TR": 1}}, "slow"),
        ({"light": {"Japan/CA": 1}, "supply": True}, "slow"),
        ({"light": {"Japan/DD/loaded": 2}, "cargo": [{"name": "a corps", "needs": 2}]}, "slow"),
        ({"ships": [{"nation": "Japan", "kind": "BB", "size": 4, "id": "a", "fast": False}]}, "slow"),
        ({"ships": [{"nation": "Japan", "kind": "BB", "size": 4, "id": "a", "hits": 2}]}, "fast"),
    ],
)
def test_a_found_group_says_whether_it_is_slow_but_not_why(group: dict[str, Any], speed: str) -> None:
    told = disclosed(**group)
    assert told["speed"] == speed
    assert set(told) == {"less_than_ten_factors", "fast_carriers", "speed", "cargo", "composition_revealed"}
    assert told["composition_revealed"] is False


@pytest.mark.ledger("22.452B.4")
def test_a_found_group_says_whether_it_carries_cargo_but_not_what() -> None:
    told = disclosed(light={"Japan/DD/loaded": 2}, cargo=[{"name": "a corps", "needs": 2}])
    assert told["cargo"] is True
    assert "corps" not in str(told)
    assert disclosed(light={"Japan/DD": 2, "Japan/TR": 2})["cargo"] is False


@pytest.mark.ledger("22.452B")
def test_what_the_enemy_sees_of_search_dice_does_not_name_the_group_that_gave_them() -> None:
    play = Play(scenario_text(JAPAN, AMERICA))
    play.to(AXIS, "screen")
    searched = [event for event in play.game.picture(ALLIES).events if isinstance(event, ev.Searched)]
    of_japan = next(event for event in searched if event.side is AXIS)
    assert of_japan.count == 2
    assert of_japan.public.total == 0
    assert not [e for e in play.game.picture(ALLIES).events if isinstance(e, ev.SearchCounted) and e.side is AXIS]


# -- evasion and screens ------------------------------------------------------------------------------------------------


def sought(**target: Any) -> Play:
    """America's active group finds Japan's CG3 and seeks fleet combat with it; Japan must answer."""
    text = scenario_text(
        [force("Target", number=3, **target), force("Other", cruisers=1, number=6)],
        [force("Seekers", ships=["Washington"], cruisers=3, number=1)],
    )
    play = Play(text, search={ALLIES: [3]})
    play.to(AXIS, "evade", {(ALLIES, "engage"): {"target": "CG3"}})
    return play


@pytest.mark.ledger("22.523D")
def test_the_group_that_seeks_combat_is_shown_before_the_other_decides_to_evade() -> None:
    play = sought(ships=["Kirishima"], cruisers=4)
    known = seen(play, AXIS, 1)
    assert [ship.name for ship in known.ships] == ["Washington"]
    assert known.light == {"United States/CA": 3}
    assert is_blank(seen(play, ALLIES, 3))


@pytest.mark.ledger("22.523D", "22.423B.2")
def test_a_group_that_evades_keeps_its_secret_under_the_new_number() -> None:
    play = sought(ships=["Kirishima"], cruisers=4)
    play.answer(AXIS, "evade")
    play.to(AXIS, "withdraw")
    assert play.group(AXIS, "Target").number == 4
    assert play.game.picture(ALLIES).battle.fleets[AXIS].numbers == (4, 6)
    assert is_blank(seen(play, ALLIES, 4))


@pytest.mark.ledger("22.531C.2.2", "22.423B.2")
def test_a_group_that_fights_is_shown_only_after_its_owner_has_chosen_its_screen() -> None:
    play = sought(ships=["Kirishima"], cruisers=4)
    play.answer(AXIS, "fight")
    play.to(AXIS, "screen")
    assert is_blank(seen(play, ALLIES, 3))
    play.answer(AXIS, {"kirishima": "screen"})
    assert is_blank(seen(play, ALLIES, 3))
    play.to(ALLIES, "screen")
    play.answer(ALLIES, {})
    assert [ship.name for ship in seen(play, ALLIES, 3).ships] == ["Kirishima"]


@pytest.mark.ledger("22.531C.2.2")
@pytest.mark.parametrize("first", [AXIS, ALLIES])
def test_both_sides_choose_their_screens_in_secret_whoever_answers_first(first: Side) -> None:
    play = Play(scenario_text(JAPAN, AMERICA), search={AXIS: [6], ALLIES: [6]})
    play.to(AXIS, "screen")
    second = first.enemy
    before = len(play.game.picture(second).events)
    question = play.game.decision(second)
    assert question is not None
    put = form_bytes(question)
    everything = {"kirishima": "screen", "Japan/CA": {"screen": 2}}
    play.answer(first, everything if first is AXIS else {"washington": "screen"})
    assert told_since(play, second, before) == []
    question = play.game.decision(second)
    assert question is not None
    assert form_bytes(question) == put
    play.answer(second, {})
    lines = [event for event in told_since(play, second, before) if isinstance(event, ev.LineFormed)]
    assert {line.side for line in lines} == {AXIS, ALLIES}


# -- withdrawal -------------------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.423B.2", "22.61D")
def test_a_group_that_leaves_unseen_takes_its_secret_with_it() -> None:
    play = Play(scenario_text(JAPAN, AMERICA), search={AXIS: [6] * 9, ALLIES: [6] * 9})
    play.to(AXIS, "withdraw")
    before = len(play.game.picture(ALLIES).events)
    play.answer(AXIS, {"CG4": "withdraw"})
    play.to(AXIS, "withdraw")
    told = b"".join(msgspec.json.encode(event) for event in play.game.picture(ALLIES).events)
    assert b"akagi" not in told.lower()
    (departed,) = [event for event in told_since(play, ALLIES, before) if isinstance(event, ev.Departed)]
    assert (departed.whole, departed.remains) == ((4,), ())
    assert play.game.picture(ALLIES).battle.fleets[AXIS].numbers == (1,)
    assert play.game.picture(ALLIES).battle.fleets[AXIS].withdrawn == ()


@pytest.mark.ledger("22.423B.2")
def test_even_after_the_battle_the_enemy_is_not_told_what_was_behind_a_number_he_never_attacked() -> None:
    play = Play(scenario_text(JAPAN, AMERICA), search={AXIS: [6] * 9, ALLIES: [6] * 9})
    play.end({(AXIS, "withdraw"): withdraws(1, 4)})
    heard_by_america = b"".join(msgspec.json.encode(event) for event in play.game.picture(ALLIES).events)
    assert play.game.over
    assert b"Akagi" not in heard_by_america
    assert b"Kirishima" in heard_by_america


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


@pytest.mark.ledger("22.523D")
@pytest.mark.parametrize("target", [{"ships": ["Nagato"], "cruisers": 4}, {"ships": ["Kirishima"], "cruisers": 4}])
def test_a_distant_group_is_asked_whether_it_evades_even_if_it_is_too_slow(target: dict[str, Any]) -> None:
    play = sought(**target)
    question = play.game.decision(AXIS)
    assert question is not None
    assert question.question == "Enemy CG1 seeks fleet combat with CG3: evade or fight?"  # FP-05: the same words
    assert (question.form.sole_answer() is not None) is (target["ships"] == ["Nagato"])


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
    setup = load_scenario(name).setup
    return msgspec.structs.replace(
        setup, public=msgspec.structs.replace(setup.public, title="A battle", summary="", order_of_battle="hidden")
    )


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
