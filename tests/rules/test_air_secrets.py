"""What each side is told of the other's aircraft, and when: patrols, decks, cover, air defense, struck groups.

Most tests play one battle several times with other secret choices of one side and compare what the enemy was told and
asked, to the last byte.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from flagplot.core.asks import Decide
from flagplot.core.events import Event
from flagplot.core.sides import Audience, Side
from flagplot.model import air_events as air
from flagplot.model import events as ev
from flagplot.model.forces import CombatGroup
from tests.rules.air_table import (
    ALLIES,
    AXIS,
    AirBattle,
    air_base,
    amounts,
    everything_withdraws,
    force,
    form_bytes,
    scenario_text,
    side,
    strike,
    to_place,
)

AKAGI, KAGA, SORYU = (f"{name}|Japan/NAS" for name in ("akagi", "kaga", "soryu"))
ENTERPRISE, HORNET = "enterprise|United States/NAS", "hornet|United States/NAS"
NAS = "Japan/NAS@Rabaul"
FIRST = force("First", ships=["Akagi", "Kaga"], cruisers=3)
SECOND = force("Second", 5, ships=["Soryu"], cruisers=4)
TF16 = force("Task Force 16", ships=["Enterprise", "Hornet"], cruisers=3)
RABAUL = air_base("Rabaul", {"Japan NAS": 3})
BOTH_FIND = {(AXIS, "search"): [[6]], (ALLIES, "search"): [[6]]}
STRUCK = {(ALLIES, "strike"): [strike(6, {ENTERPRISE: 1})]}


def battle(
    answers: Any = None,
    dice: Any = None,
    japan: Sequence[dict[str, Any]] = (FIRST, SECOND),
    america: dict[str, Any] = TF16,
    air: Sequence[dict[str, Any]] = (),
    **top: Any,
) -> AirBattle:
    """Carriers on both sides and Japanese aircraft ashore; the Americans go home after two rounds."""
    text = scenario_text(side("Japan", *japan, air=air), side("United States", america), **top)
    ending = {(ALLIES, "withdraw"): [{}, everything_withdraws]}
    return AirBattle(text, dice, {**ending, **(answers or {})})


def told(game: AirBattle, viewer: Side | None) -> list[bytes]:
    """Everything a side (None: a spectator) was told, as bytes."""
    return [msgspec.json.encode(event) for event in game.game.picture(viewer).events]


def is_blank(group: CombatGroup) -> bool:
    """Whether nothing of its contents is known."""
    return (group.ships, group.light, group.cargo, group.name) == ((), {}, (), "")


def assert_alike(games: Sequence[AirBattle], viewer: Side = ALLIES) -> None:
    """A side and a spectator were told the same in all of these games, and the side was asked the same."""
    first, *others = games
    for other in others:
        assert told(other, viewer) == told(first, viewer)
        assert told(other, None) == told(first, None)
        assert other.questions[viewer] == first.questions[viewer]


# -- decided in secret ---------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.41B.1", "22.41D.1", "22.4421A", "23.24A")
@pytest.mark.parametrize(
    ("kind", "answer"),
    [
        ("patrol", to_place("patrol", **{AKAGI: 2})),
        ("cover", {NAS: {"CG5": 2}}),
        ("air search", {NAS: {"search": 2}}),
        ("landing", {}),
    ],
)
def test_the_enemy_is_told_nothing_until_he_has_decided_as_well(kind: str, answer: Any) -> None:
    game = battle(air=[RABAUL])
    decision = game.to(AXIS, kind)
    enemy = game.game.decision(ALLIES)
    assert enemy is not None and enemy.kind == kind
    before, asked = told(game, ALLIES), form_bytes(enemy)
    game.answer(AXIS, answer or decision.form.default)
    still = game.game.decision(ALLIES)
    assert still is not None and form_bytes(still) == asked
    assert told(game, ALLIES) == before


# -- patrols and decks ---------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.41B.1", "23.35A")
def test_how_much_naval_air_patrols_and_over_which_group_is_not_told() -> None:
    patrols = [{}, {AKAGI: 1}, {AKAGI: 2}, {KAGA: 2}, {SORYU: 1}, {AKAGI: 1, KAGA: 1, SORYU: 1}]
    games = [battle({(AXIS, "patrol"): [to_place("patrol", **each)]}).to_end() for each in patrols]
    assert_alike(games)
    for game in games:
        assert all(group.patrol == {} for group in game.game.picture(ALLIES).battle.fleets[AXIS].groups)


@pytest.mark.ledger("22.41B.1", "23.415A.2", "23.415A.3")
@pytest.mark.parametrize("engaged", [0, 1])
def test_a_patrol_that_is_held_back_looks_to_the_enemy_like_one_that_never_flew(engaged: int) -> None:
    def game(patrol: int) -> AirBattle:
        answers = {
            (AXIS, "patrol"): [to_place("patrol", **{AKAGI: patrol})],
            (AXIS, "defend"): [{"Japan/NAS": {"engage": engaged, "hold": patrol - engaged}} if patrol else {}],
            **STRUCK,
        }
        return battle(answers, BOTH_FIND).to_end()

    games = [game(patrol) for patrol in range(engaged, 3)]
    assert_alike(games)
    assert sum(len(each.events(air.AirCombatJoined)) for each in games) == engaged * len(games)


@pytest.mark.ledger("22.41B.1", "23.415E.6")
def test_how_many_defenders_a_surprise_kept_out_is_not_told() -> None:
    def game(patrol: int, held: int) -> AirBattle:
        fleet = force("First", ships=["Akagi", "Kaga", "Soryu"], cruisers=5)
        answers = {
            (AXIS, "patrol"): [to_place("patrol", **{AKAGI: patrol})],
            (AXIS, "defend"): [{"Japan/NAS": {"engage": 1, "surprised": 1, "hold": held}}],
            **STRUCK,
        }
        dice = {(ALLIES, "search"): [[6]], (ALLIES, "surprise"): [[4]]}  # level 4: one squadron fewer
        return battle(answers, dice, japan=(fleet,)).to_end()

    games = [game(2, 0), game(3, 1)]
    assert_alike(games)
    assert [each.defenders for each in games[0].seen(ALLIES, air.AirCombatJoined)] == [{"Japan/NAS": 1}]


@pytest.mark.ledger("22.41C.1", "23.74B.1", "22.463C.1")
def test_from_which_deck_a_strike_came_and_to_which_it_went_back_is_not_told() -> None:
    decks = [{AKAGI: 2}, {KAGA: 2}, {AKAGI: 1, KAGA: 1}, {SORYU: 2}, {SORYU: 1, KAGA: 1}]
    games = [battle({(AXIS, "strike"): [strike(6, each)]}, BOTH_FIND).to_end() for each in decks]
    assert_alike(games)
    (announced,) = games[0].seen(ALLIES, air.StrikeAnnounced)
    assert announced.squadrons == {"Japan/NAS": 2}


@pytest.mark.ledger("22.432")
def test_from_which_deck_an_attack_on_a_base_came_is_not_told_but_its_strength_is() -> None:
    midway = air_base("Midway", {"United States NAS": 1})

    def game(decks: dict[str, int]) -> AirBattle:
        text = scenario_text(side("Japan", FIRST, SECOND), side("United States", TF16, air=[midway]))
        answers = {
            (AXIS, "patrol"): [to_place("base Midway", **decks)],
            (ALLIES, "withdraw"): [{}, everything_withdraws],
        }
        return AirBattle(text, answers=answers).to_end()

    games = [game(decks) for decks in ({AKAGI: 2}, {KAGA: 2}, {SORYU: 1, AKAGI: 1})]
    assert_alike(games)
    (announced,) = games[0].seen(ALLIES, air.CounterairsAnnounced)
    assert [each.squadrons for each in announced.counterairs] == [{"Japan/NAS": 2}]


@pytest.mark.ledger("22.463")
def test_how_many_squadrons_went_down_with_a_carrier_is_not_told() -> None:
    def game(aboard: int) -> AirBattle:
        first = force("First", ships=[{"name": "Akagi", "air": aboard}, "Kaga"], cruisers=3)
        answers = {
            (ALLIES, "strike"): [strike(6, {ENTERPRISE: 3})],
            (ALLIES, "air targets"): [{"United States/NAS": "akagi"}],
        }
        dice = {(ALLIES, "search"): [[6]], (ALLIES, "air attack"): [[3, 4]]}  # three hits at least: she is sunk
        return battle(answers, dice, japan=(first, SECOND)).to_end()

    games = [game(aboard) for aboard in (3, 1, 0)]
    assert all("akagi" in [ship.id for ship in each.fleet(AXIS).sunk] for each in games)
    assert_alike(games)


# -- cover ---------------------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.4421B.2", "22.4421B.1")
def test_over_which_group_cover_flies_is_not_told_if_that_group_is_not_struck() -> None:
    covers = [{"CG5": 2}, {"CG6": 2}, {"CG5": 1, "CG6": 1}]
    games = [battle({(AXIS, "cover"): [{NAS: each}]}, air=[RABAUL]).to_end() for each in covers]
    assert_alike(games)
    assert [each.squadrons for each in games[0].seen(ALLIES, air.CoverAnnounced) if each.side is AXIS] == [{NAS: 2}, {}]


@pytest.mark.ledger("22.4421B.2")
def test_over_which_group_cover_flies_is_told_when_that_group_is_struck_and_no_earlier() -> None:
    covers = [{"CG5": 2}, {"CG6": 2}, {"CG5": 1, "CG6": 1}]
    games = [battle({(AXIS, "cover"): [{NAS: each}], **STRUCK}, BOTH_FIND, air=[RABAUL]) for each in covers]
    for game in games:
        game.to(ALLIES, "strike")
        assert all(group.cover == {} for group in game.game.picture(ALLIES).battle.fleets[AXIS].groups)
    assert_alike(games)
    for game, shown in zip(games, ({}, {NAS: 2}, {NAS: 1}), strict=True):
        game.to(AXIS, "defend")
        (revealed,) = game.seen(ALLIES, air.CoverRevealed)
        assert (revealed.side, revealed.number, revealed.cover) == (AXIS, 6, shown)
        assert game.known(ALLIES, 6).cover == shown
        assert game.known(ALLIES, 5).cover == {}


@pytest.mark.ledger("22.4421B.2", "23.24B")
def test_cover_that_was_seen_in_one_round_is_hidden_again_in_the_next() -> None:
    def game(cover: dict[str, int]) -> AirBattle:
        answers = {(AXIS, "cover"): [{NAS: {"CG6": 1}}, {NAS: cover}], **STRUCK}
        return battle(answers, BOTH_FIND, air=[RABAUL])

    games = [game(cover).to_segment("disclosure", 2) for cover in ({"CG6": 2}, {"CG5": 2})]
    assert_alike(games)
    assert games[0].known(ALLIES, 6).cover == {}


@pytest.mark.ledger("22.4421B.1")
def test_how_many_squadrons_fly_cover_and_from_where_is_told_to_everyone() -> None:
    game = battle({(AXIS, "cover"): [{NAS: {"CG5": 1, "CG6": 1}}]}, air=[RABAUL]).to_segment("search")
    for viewer in (AXIS, ALLIES, None):
        (announced,) = [each for each in game.seen(viewer, air.CoverAnnounced) if each.side is AXIS]
        assert announced.squadrons == {NAS: 2}
    assert game.seen(ALLIES, air.CoverAssigned) == [
        each for each in game.events(air.CoverAssigned) if each.side is ALLIES
    ]


# -- who is told what ----------------------------------------------------------------------------------------------

TO_THE_OWNER = (
    air.PatrolsFlown,
    air.CounterairFlown,
    air.StrikeForcesReady,
    air.CoverAssigned,
    air.StrikeFlown,
    air.DefendersWithheld,
    air.AirDefenseCounted,
    air.DecksFilled,
    ev.SearchCounted,
)


def test_what_concerns_decks_orders_and_counts_is_told_to_its_owner_alone() -> None:
    midway = air_base("Midway", {"United States NAS": 1})
    text = scenario_text(side("Japan", FIRST, SECOND, air=[RABAUL]), side("United States", TF16, air=[midway]))
    on_patrol = to_place("patrol", **{AKAGI: 2})
    answers = {
        (AXIS, "patrol"): [{**on_patrol, **to_place("base Midway", **{KAGA: 1})}],
        (AXIS, "cover"): [{NAS: {"CG6": 1}}],
        (AXIS, "defend"): [{"Japan/NAS": {"engage": 1, "hold": 1}, NAS: "hold"}],
        (AXIS, "strike"): [strike(6, {SORYU: 1})],
        **STRUCK,
        (ALLIES, "withdraw"): everything_withdraws,
    }
    game = AirBattle(text, BOTH_FIND, answers).to_end()
    for kind in TO_THE_OWNER:
        happened: list[Event] = list(game.events(kind))
        assert any(each.side is AXIS for each in happened), kind  # type: ignore[attr-defined]
        for each in happened:
            assert each.to == Audience(each.side.value), kind  # type: ignore[attr-defined]
        assert game.seen(None, kind) == []
        assert all(each.side is ALLIES for each in game.seen(ALLIES, kind)), kind  # type: ignore[attr-defined]


@pytest.mark.ledger("23.421")
def test_the_enemy_hears_the_air_defense_but_not_how_it_is_made_up() -> None:
    game = battle(STRUCK, BOTH_FIND).to_segment("fleet combat")
    assert game.seen(ALLIES, air.AirDefenseCounted) == []
    (counted,) = game.seen(AXIS, air.AirDefenseCounted)
    assert counted.level.total == 2  # twelve factors
    for viewer in (AXIS, ALLIES, None):
        (rolled,) = game.seen(viewer, air.AirDefenseRolled)
        assert (rolled.level, rolled.dice) == (2, (1, 1))


def test_land_based_air_lies_open_all_the_time() -> None:
    base = air_base("Rabaul", {"Japan NAS": 2, "Japan AAF": 1}, inverted={"Japan NAS": 1})
    answers = {
        (AXIS, "break down"): [{"Japan/AAF@Rabaul": "break"}],
        (AXIS, "cover"): [{NAS: {"CG6": 1}, "Japan/AAS/cover@Rabaul": "CG5"}],
        (AXIS, "air search"): [{"Japan/AAS/search@Rabaul": "search"}],
    }
    game = battle(answers, air=[base])
    for segment in ("counterair", "air cover", "search", "air strikes", "fleet combat"):
        game.to_segment(segment)
        seen = game.game.picture(ALLIES).battle.fleets[AXIS]
        assert seen.air_bases == game.fleet(AXIS).air_bases
        assert seen.searching == game.fleet(AXIS).searching


# -- groups that are struck ----------------------------------------------------------------------------------------


@pytest.mark.ledger("23.424-b")
@pytest.mark.parametrize(
    ("roll", "shown"),
    [
        ([1, 1], True),  # level 2 on two: nothing
        ([2, 2], False),  # 0/1
        ([3, 3], False),  # 1/0
    ],
)
def test_a_struck_group_is_shown_only_if_a_squadron_came_through_its_air_defense(roll: list[int], shown: bool) -> None:
    game = battle(STRUCK, {**BOTH_FIND, (AXIS, "air defense"): [roll]}).to_segment("fleet combat")
    for viewer in (ALLIES, None):
        assert [each.group.number for each in game.seen(viewer, ev.GroupRevealed)] == ([6] if shown else [])
    assert is_blank(game.known(ALLIES, 6)) is not shown
    assert is_blank(game.known(ALLIES, 5))
    if shown:
        known = game.known(ALLIES, 6)
        assert [ship.name for ship in known.ships] == ["Akagi", "Kaga"]
        assert known.light == {"Japan/CA": 3}
        assert [ship.wing for ship in known.ships] == [{}, {}]


@pytest.mark.ledger("23.424-b")
def test_a_strike_that_was_shot_down_before_the_guns_saw_it_has_seen_nothing() -> None:
    answers = {(AXIS, "patrol"): [to_place("patrol", **{AKAGI: 2})], **STRUCK}
    # Two squadrons of patrol, +1: eight is nine, row 2: 1/2, against one squadron.
    game = battle(answers, {**BOTH_FIND, (AXIS, "air combat"): [[4, 4]]}).to_segment("fleet combat")
    assert game.events(air.AirDefenseRolled) == []
    assert game.seen(ALLIES, ev.GroupRevealed) == []
    assert is_blank(game.known(ALLIES, 6))


# -- which questions are put ---------------------------------------------------------------------------------------


def kinds_asked(game: AirBattle, each: Side) -> list[str]:
    return [kind for who, kind, _ in game.asked if who is each]


@pytest.mark.ledger("22.423B.2")
@pytest.mark.parametrize("bases", [[], [RABAUL]])
def test_a_side_without_carriers_is_asked_what_a_side_with_carriers_is_asked(bases: list[dict[str, Any]]) -> None:
    gunboats = force("Task Force 16", ships=["Washington"], cruisers=4)
    carriers = force("Task Force 16", ships=["Enterprise", "Hornet"], cruisers=3)
    games = []
    for america in (carriers, gunboats):
        # The advantage gives them a search die; carriers have another, which finds nothing.
        dice = {(ALLIES, "search"): [[6]], (AXIS, "search"): [[6]]}
        answers = {(AXIS, "strike"): [strike(6, {AKAGI: 1})]}
        game = battle(answers, dice, america=america, air=bases, inputs={"search_advantage": "allies"})
        games.append(game.to_segment("fleet combat"))
    with_carriers, without = games
    asked = kinds_asked(with_carriers, ALLIES)
    assert asked == kinds_asked(without, ALLIES)
    assert {"patrol", "strike", "defend", "landing"} <= set(asked)
    assert kinds_asked(with_carriers, AXIS) == kinds_asked(without, AXIS)


@pytest.mark.ledger("22.46.2")
def test_a_side_is_asked_for_another_strike_though_its_last_squadron_has_flown() -> None:
    asked: list[dict[str, int]] = []

    def answer(decision: Decide) -> Any:
        asked.append(amounts(decision))
        return strike(6, {SORYU: 3}) if SORYU in asked[-1] else {}

    dice = {(AXIS, "search"): [[6, 6]]}
    game = battle({(AXIS, "strike"): answer}, dice, japan=(SECOND,), round=2)
    game.to_segment("fleet combat", 2)
    assert asked == [{"target": 1, SORYU: 3}, {"target": 1}]


@pytest.mark.ledger("23.415")
def test_the_owner_of_a_struck_group_is_asked_who_engages_though_nobody_can() -> None:
    games = []
    for patrol in ({}, {AKAGI: 2}):
        answers = {(AXIS, "patrol"): [to_place("patrol", **patrol)], **STRUCK}
        game = battle(answers, BOTH_FIND)
        decision = game.to(AXIS, "defend")
        assert amounts(decision) == ({"Japan/NAS": 2} if patrol else {})
        games.append(game)
    assert_alike(games)
