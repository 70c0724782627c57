"""What each side knows of the other at each moment of a battle, and nothing more."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from flagplot import api
from flagplot.core.events import Event
from flagplot.core.sides import Side
from flagplot.model import events as ev
from flagplot.model.forces import CombatGroup
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


@pytest.mark.ledger("22.523D")
@pytest.mark.parametrize("target", [{"ships": ["Nagato"], "cruisers": 4}, {"ships": ["Kirishima"], "cruisers": 4}])
def test_a_distant_group_is_asked_whether_it_evades_even_if_it_is_too_slow(target: dict[str, Any]) -> None:
    play = sought(**target)
    question = play.game.decision(AXIS)
    assert question is not None
    assert question.question == "Enemy CG1 seeks fleet combat with CG3: evade or fight?"  # FP-05: the same words
    assert (question.form.sole_answer() is not None) is (target["ships"] == ["Nagato"])
