"""22.31, 22.32, 22.41, 22.411: rounds, the segments of a round, and what stands between rounds."""

from __future__ import annotations

import pytest

from flagplot import api
from flagplot.core.errors import IllegalChoice
from flagplot.model import events as ev
from flagplot.model.forces import Disclosed
from tests.rules.groups_table import ALLIES, AXIS, Table, force, small, table

ROUND_ONE = [
    "counterair",
    "carrier air",
    "air cover",
    "search",
    "disclosure",
    "air strikes",
    "fleet combat",
    "submarines",
]


def segments_of_round(played: Table, round: int) -> list[str]:
    """The segments everyone saw in one round, in order."""
    seen: list[str] = []
    current = 0
    for event in played.game.picture(None).events:
        if isinstance(event, ev.RoundBegan):
            current = event.round
        if isinstance(event, ev.SegmentBegan) and current == round:
            seen.append(event.segment)
    return seen


def distant_only(**keys: object) -> Table:
    """Two fleets that number themselves so far out that nothing can happen in the first two rounds."""
    return table([small("Second Fleet", 3)], [small("Third Fleet", 4)], **keys)


# -- rounds ----------------------------------------------------------------------------------


@pytest.mark.ledger("22.31", "22.31C")
def test_a_battle_between_surface_groups_is_a_series_of_rounds_of_gunfire() -> None:
    played = table([small("Second Fleet", 1)], [small("Third Fleet", 1)])
    played.to_round(3)
    assert [event.round for event in played.events(ev.RoundBegan)] == [1, 2, 3]
    assert len(played.events(ev.FleetCombatBegan)) == 2


@pytest.mark.ledger("22.311")
def test_rounds_go_on_for_as_long_as_neither_side_has_gone() -> None:
    played = distant_only()
    played.to_round(2)
    assert not played.game.over
    played.to_round(3)
    assert not played.game.over
    assert played.game.battle.round == 3


@pytest.mark.ledger("22.311")
def test_a_battle_ends_when_one_side_has_withdrawn_altogether() -> None:
    played = distant_only(answers={("allies", "withdraw"): {"CG4": "withdraw"}})
    played.to_end()
    assert [event.round for event in played.events(ev.RoundBegan)] == [1]
    assert played.game.battle.losers == (ALLIES,)


@pytest.mark.ledger("22.311")
def test_a_battle_ends_when_one_side_has_been_sunk_altogether() -> None:
    played = table(
        [small("Second Fleet", 1, cruisers=10)],
        [force("Picket", number=1, destroyers=2)],
        gunfire={"axis": (6, 6)},
    )
    played.to_end()
    assert played.events(ev.GroupEliminated)[0].side is ALLIES
    assert [event.round for event in played.events(ev.RoundBegan)] == [1]
    assert played.game.battle.victor is AXIS


@pytest.mark.ledger("22.32.1")
def test_in_a_round_aircraft_come_before_guns_and_submarines_come_last() -> None:
    order = [entry["segment"] for entry in api.call("segments", {})["order"]]
    played = table([small("Second Fleet", 1)], [small("Third Fleet", 1)])
    played.to_segment("withdrawal")
    for sequence in (order, segments_of_round(played, 1)):
        assert sequence.index("air strikes") < sequence.index("fleet combat") < sequence.index("submarines")


@pytest.mark.ledger("22.32.2")
def test_a_round_may_pass_without_any_attack_at_all() -> None:
    played = distant_only(search={"axis": [[4]], "allies": [[3]]})
    played.to_round(2)
    assert played.events(ev.FleetCombatBegan) == []
    assert played.events(ev.Fired) == []
    assert played.game.battle.round == 2


@pytest.mark.ledger("22.32.2")
def test_a_round_without_attacks_may_be_followed_by_one_with_them() -> None:
    played = table([small("Second Fleet", 2)], [small("Third Fleet", 2)])
    played.to_round(2)
    assert played.events(ev.FleetCombatBegan) == []
    played.to_round(3)
    assert len(played.events(ev.FleetCombatBegan)) == 1


# -- the segments ---------------------------------------------------------------------------------


@pytest.mark.ledger("22.41")
def test_every_round_passes_through_the_same_segments_in_the_same_order() -> None:
    played = table([small("Second Fleet", 1)], [small("Third Fleet", 1)])
    played.to_round(3)
    for round in (1, 2):
        during = [segment for segment in segments_of_round(played, round) if segment in ROUND_ONE]
        assert during == ROUND_ONE


@pytest.mark.ledger("22.41")
def test_withdrawal_and_then_reinforcement_follow_the_last_segment_of_a_round() -> None:
    played = table([small("Second Fleet", 1)], [small("Third Fleet", 1)])
    played.to_round(2)
    assert segments_of_round(played, 1)[-3:] == ["submarines", "withdrawal", "reinforcement"]


@pytest.mark.ledger("22.41A.1")
def test_groups_are_numbered_in_secret_and_the_numbers_are_opened_together() -> None:
    played = table([force("Second Fleet", cruisers=5)], [force("Third Fleet", cruisers=5)])
    played.to("number", AXIS)
    played.answer(AXIS, {"Second Fleet": "3"})
    assert played.seen(ALLIES, ev.MarkersPlaced) == []
    assert played.game.picture(ALLIES).battle.fleets[AXIS].groups == ()
    assert played.game.decision(ALLIES) is not None
    played.answer(ALLIES, {"Third Fleet": "5"})
    assert [(event.side, event.numbers) for event in played.seen(ALLIES, ev.MarkersPlaced)] == [
        (AXIS, (3,)),
        (ALLIES, (5,)),
    ]


@pytest.mark.ledger("22.41A.1")
@pytest.mark.parametrize("interceptor", ["axis", "allies"])
def test_ships_outside_task_forces_form_one_group_on_either_side(interceptor: str) -> None:
    played = table(
        [force("Patrol", task_force=False, cruisers=2), force("Flotilla", task_force=False, destroyers=3)],
        [small("Third Fleet", 1)],
        interceptor=interceptor,
    )
    played.to_round(1)
    (group,) = played.game.battle.fleets[AXIS].groups
    assert group.light == {"Japan/CA": 2, "Japan/DD": 3}


@pytest.mark.ledger("22.41E")
def test_both_players_roll_search_dice_in_the_search_segment_of_every_round() -> None:
    played = table([small("Second Fleet", 1, cruisers=8)], [small("Third Fleet", 1, cruisers=8)])
    played.to_round(3)
    assert [(event.side, event.count) for event in played.seen(None, ev.Searched)] == [
        (AXIS, 1),
        (ALLIES, 1),
        (AXIS, 2),
        (ALLIES, 2),
    ]


@pytest.mark.ledger("22.41F.1", "22.41F.3")
def test_the_enemy_is_told_size_class_and_speed_of_a_found_group() -> None:
    slow = {"ships": ["Fuso"], "cruisers": 3}
    played = table(
        [force("Old ships", number=3, **slow)],
        [small("Third Fleet", 1), small("Fourth Fleet", 2)],
        search={"allies": [[3]]},
    )
    played.to_segment("fleet combat")
    (found,) = played.seen(ALLIES, ev.GroupFound)
    assert (found.side, found.number) == (AXIS, 3)
    assert found.disclosed == Disclosed(under_ten=True, fast_carriers=0, fast=False, cargo=False)


@pytest.mark.ledger("22.41F.2")
def test_the_enemy_is_told_how_many_fast_carriers_a_found_group_has() -> None:
    played = table(
        [force("Striking force", number=3, ships=["Shokaku", "Zuikaku"], cruisers=3)],
        [small("Third Fleet", 1)],
        search={"allies": [[3]]},
    )
    played.to_segment("fleet combat")
    (found,) = played.seen(ALLIES, ev.GroupFound)
    assert found.disclosed == Disclosed(under_ten=False, fast_carriers=2, fast=True, cargo=False)


@pytest.mark.ledger("22.41F.4")
def test_the_enemy_is_told_that_a_found_group_has_cargo() -> None:
    played = table(
        [force("Transports", number=3, destroyers=6, cargo=[{"name": "a corps", "needs": 2}])],
        [small("Third Fleet", 1)],
        search={"allies": [[3]]},
    )
    played.to_segment("fleet combat")
    (found,) = played.seen(ALLIES, ev.GroupFound)
    assert found.disclosed.cargo
    assert not found.disclosed.fast


@pytest.mark.ledger("22.41H")
def test_fleet_combat_is_fought_in_its_own_segment_after_search_and_disclosure() -> None:
    played = table([small("Second Fleet", 1)], [small("Third Fleet", 1)], search={"axis": [[1]]})
    played.to_segment("submarines")
    kinds = [type(event) for event in played.game.picture(None).events]
    assert kinds.index(ev.Searched) < kinds.index(ev.GroupFound) < kinds.index(ev.FleetCombatBegan)


# -- between rounds ---------------------------------------------------------------------------------


@pytest.mark.ledger("22.411A")
def test_between_rounds_a_side_may_withdraw_none_of_its_ships() -> None:
    played = table([small("Second Fleet", 1)], [small("Third Fleet", 1)])
    played.to("withdraw", ALLIES)
    played.answer(ALLIES, {})
    played.to_round(2)
    assert played.numbers(ALLIES) == (1,)


@pytest.mark.ledger("22.411A")
def test_between_rounds_a_side_may_withdraw_part_of_its_ships() -> None:
    played = table([small("Second Fleet", 1)], [small("Third Fleet", 1), small("Fourth Fleet", 4)])
    played.to("withdraw", ALLIES)
    before = played.group(ALLIES, 1).light["United States/CA"]
    played.answer(ALLIES, {"CG1:United States/CA": {"withdraw": 2}, "CG4": "withdraw"})
    played.to_round(2)
    assert played.numbers(ALLIES) == (1,)
    assert played.group(ALLIES, 1).light["United States/CA"] == before - 2


@pytest.mark.ledger("22.411B.1")
def test_a_late_force_joins_between_rounds_and_not_before() -> None:
    played = table(
        [small("Second Fleet", 1)],
        [small("Third Fleet", 4), force("Cavalry", arrives=2, cruisers=4)],
        answers={("allies", "reinforce"): {"Cavalry": "5"}},
    )
    played.to("withdraw")
    assert played.numbers(ALLIES) == (4,)
    played.to_round(2)
    assert played.numbers(ALLIES) == (4, 5)


@pytest.mark.ledger("22.411B.1")
def test_a_force_two_rounds_away_cannot_join_after_the_first() -> None:
    played = table(
        [small("Second Fleet", 3)],
        [small("Third Fleet", 4), force("Cavalry", arrives=3, cruisers=4)],
    )
    first = played.to("reinforce", ALLIES)
    with pytest.raises(IllegalChoice):
        played.answer(ALLIES, {"Cavalry": "5"})
    assert played.game.decision(ALLIES) is first
    played.to_round(2)
    played.to("reinforce", ALLIES)
    played.answer(ALLIES, {"Cavalry": "5"})
    played.to_round(3)
    assert played.numbers(ALLIES) == (4, 5)


@pytest.mark.ledger("22.411B.1")
def test_nobody_joins_a_battle_that_one_side_has_left() -> None:
    played = table(
        [small("Second Fleet", 3)],
        [small("Third Fleet", 4), force("Cavalry", arrives=2, cruisers=4)],
        answers={("allies", "withdraw"): {"CG4": "withdraw"}},
    )
    played.to_end()
    assert not played.was_asked(ALLIES, "reinforce")
    assert played.events(ev.GroupsJoined) == []
    assert played.game.battle.losers == (ALLIES,)


@pytest.mark.ledger("22.411B.2")
def test_after_reinforcement_the_next_round_is_played_with_the_new_group() -> None:
    played = table(
        [small("Second Fleet", 2)],
        [small("Third Fleet", 4), force("Cavalry", arrives=2, cruisers=4)],
        answers={("allies", "reinforce"): {"Cavalry": "1"}},
    )
    played.to_round(3)
    (paired,) = [event for event in played.events(ev.Paired) if event.engagements]
    assert [(engagement.axis, engagement.allies) for engagement in paired.engagements] == [(2, 1)]
