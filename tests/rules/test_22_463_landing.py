"""Naval air comes back when the strikes are over, to decks that are left or to the shore (22.463, AN-36, AN-37)."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.core.sides import Audience, Side
from flagplot.model import air_events as air
from flagplot.model import events as ev
from flagplot.model.fold import fold
from flagplot.model.forces import CombatGroup
from flagplot.model.ships import Ship
from flagplot.model.squadrons import total
from flagplot.model.state import Battle, Fleet
from flagplot.rules.air.landing import landing_form
from tests.rules.air_table import (
    ALLIES,
    AXIS,
    AirBattle,
    air_base,
    amounts,
    force,
    places,
    scenario_text,
    side,
    strike,
    to_place,
)

EVERYONE = Audience.EVERYONE
AKAGI, KAGA, SORYU = (f"{name}|Japan/NAS" for name in ("akagi", "kaga", "soryu"))
ELITE, REGULAR = "Japan/NAS/elite", "Japan/NAS"
BACK, PATROL = f"returning|{REGULAR}", f"patrol|{REGULAR}"
ENTERPRISE = "enterprise|United States/NAS"
FIRST = force("First", ships=["Akagi", "Kaga"], cruisers=3)
TF16 = force("Task Force 16", ships=["Enterprise"], cruisers=4)

# Three American squadrons on Akagi roll +2 - 1 + 1. Four is then six, two hits, and she is damaged; seven is nine, three
# hits, and she is sunk. The Japanese intercept, so with as many results they strike first, and harm nobody.
DAMAGED, SUNK = [2, 2], [3, 4]


def second(air: int = 3, **keys: Any) -> dict[str, Any]:
    """A second group, with a carrier that may have room."""
    return force("Second", 5, ships=[{"name": "Soryu", "air": air, **keys}], cruisers=4)


def battle(
    *japan: dict[str, Any],
    fate: list[int] | None = None,
    answers: dict[tuple[Side, str], Any] | None = None,
    bases: tuple[dict[str, Any], ...] = (),
    enemy_bases: tuple[dict[str, Any], ...] = (),
    dice: dict[tuple[Side, str], Any] | None = None,
) -> AirBattle:
    """Both sides find a group with carriers; the Japanese may strike, and if `fate` says so Akagi is attacked after."""
    told = {
        (ALLIES, "strike"): [strike(6, {ENTERPRISE: 3})] if fate else [],
        (ALLIES, "air targets"): [{"United States/NAS": "akagi"}],
        (AXIS, "air targets"): lambda decision: {item.key: "none" for item in decision.form.items},
        (AXIS, "defend"): lambda decision: {item.key: {"hold": item.amount} for item in decision.form.items},
        **(answers or {}),
    }
    rolls = {
        (AXIS, "search"): [[6], [6]],
        (ALLIES, "search"): [[6]],
        (ALLIES, "air attack"): [fate or [1, 1]],
        **(dice or {}),
    }
    text = scenario_text(
        side("Japan", *japan, air=bases),
        side("United States", TF16, air=enemy_bases),
        interceptor="axis",
    )
    return AirBattle(text, rolls, told)


# -- decks ---------------------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.463", "22.463C.1")
def test_strikers_land_on_any_carrier_of_their_side_and_none_holds_more_than_her_size() -> None:
    first = force("First", ships=[{"name": "Akagi", "elite": 3}, "Kaga"], cruisers=3)
    flown = strike(6, {f"akagi|{ELITE}": 2, SORYU: 2})
    game = battle(first, second(), answers={(AXIS, "strike"): [flown]})
    decision = game.to(AXIS, "landing")
    back = {f"returning|{ELITE}": 2, BACK: 2}
    assert amounts(decision) == back
    game.refuses(AXIS, {f"returning|{ELITE}": "deck akagi", BACK: "deck akagi"}, "22.463")
    game.answer(AXIS, {f"returning|{ELITE}": "deck soryu", BACK: "deck akagi"})
    game.to_segment("fleet combat")
    assert game.wings(AXIS) == {
        "akagi": {ELITE: 1, REGULAR: 2},
        "kaga": {REGULAR: 3},
        "soryu": {REGULAR: 1, ELITE: 2},
    }


@pytest.mark.ledger("22.463B.1")
def test_a_patrol_lands_on_any_carrier_of_its_side() -> None:
    first = force("First", ships=[{"name": "Akagi", "elite": 3}, "Kaga"], cruisers=3)
    flown = to_place("patrol", **{f"akagi|{ELITE}": 1, SORYU: 1})
    game = battle(first, second(), answers={(AXIS, "patrol"): [flown]})
    assert amounts(game.to(AXIS, "landing")) == {f"patrol|{ELITE}": 1, PATROL: 1}
    game.answer(AXIS, {f"patrol|{ELITE}": "deck soryu", PATROL: "deck akagi"})
    game.to_segment("fleet combat")
    assert game.wings(AXIS)["soryu"] == {REGULAR: 2, ELITE: 1}
    assert game.wings(AXIS)["akagi"] == {ELITE: 2, REGULAR: 1}


@pytest.mark.ledger("22.463A")
def test_all_naval_air_is_back_before_fleet_combat() -> None:
    flown = {(AXIS, "strike"): [strike(6, {AKAGI: 3})], (AXIS, "patrol"): [to_place("patrol", **{KAGA: 2})]}
    game = battle(FIRST, fate=[1, 1], answers=flown).to_segment("fleet combat")
    wanted = (air.StrikeEnded, air.AirLanded)
    assert game.order(lambda event: isinstance(event, wanted)) == ["StrikeEnded"] * 2 + ["AirLanded"] * 2
    assert game.wings(AXIS) == {"akagi": {REGULAR: 3}, "kaga": {REGULAR: 3}}
    assert game.wings(ALLIES) == {"enterprise": {"United States/NAS": 3}}
    assert (game.fleet(AXIS).aloft, game.fleet(AXIS).ready) == ({}, {})


@pytest.mark.ledger("22.463C.1", "22.433")
def test_squadrons_from_attacks_on_bases_land_like_strikers_those_that_turned_back_too() -> None:
    midway = air_base("Midway", {"United States NAS": 1})
    # Row 1 on eight: 1/1. Of three attackers one falls, one turns back, one could still have struck.
    answers = {(AXIS, "patrol"): [to_place("base Midway", **{KAGA: 3})]}
    game = battle(FIRST, answers=answers, enemy_bases=(midway,), dice={(ALLIES, "counterair"): [[4, 4]]})
    assert amounts(game.to(AXIS, "landing")) == {BACK: 1}  # the one that could have struck is on deck already
    game.to_segment("fleet combat")
    assert game.wings(AXIS) == {"akagi": {REGULAR: 3}, "kaga": {REGULAR: 2}}


@pytest.mark.ledger("22.463B.1")
def test_a_patrol_whose_own_group_is_gone_lands_on_a_carrier_of_another_group() -> None:
    """Ryujo alone in her group is sunk while one of her squadrons flies patrol over her; Akagi has a free place."""
    ryujo = Ship("ryujo", "Ryujo", "Japan", "CVL", 2, wing={REGULAR: 1})
    akagi = Ship("akagi", "Akagi", "Japan", "CV", 3, wing={REGULAR: 2})
    lost, other = CombatGroup(2, "Lost", (ryujo,), patrol={REGULAR: 1}), CombatGroup(3, "Other", (akagi,))
    battle = Battle(fleets={AXIS: Fleet("Japan", groups=(lost, other)), ALLIES: Fleet("United States")})
    sunk = ev.ShipHit(rule="20.513", to=EVERYONE, side=AXIS, number=2, ship="ryujo", name="Ryujo", hits=2, fate="sunk")
    gone = ev.GroupEliminated(rule="20.511", to=EVERYONE, side=AXIS, number=2)
    after = fold([sunk, gone], battle)
    assert after.fleets[AXIS].air_lost == {REGULAR: 1}
    form = landing_form(after.fleets[AXIS])
    assert {item.key: item.amount for item in form.items} == {f"patrol|{REGULAR}": 1}
    assert form.default == {f"patrol|{REGULAR}": {"deck akagi": 1}}


@pytest.mark.ledger("22.463C.1", "23.423.3")
def test_strikers_that_turned_back_land_too_and_fly_again_in_the_next_round() -> None:
    # Eleven factors are level 2, and four is 0/1.
    dice = {(ALLIES, "air defense"): [[2, 2]]}
    game = battle(FIRST, answers={(AXIS, "strike"): [strike(6, {AKAGI: 2})]}, dice=dice)
    assert amounts(game.to(AXIS, "landing")) == {BACK: 2}
    assert amounts(game.to(AXIS, "strike", round=2)) == {"target": 1, AKAGI: 3, KAGA: 3}


# -- carriers that are gone ----------------------------------------------------------------------------------------


@pytest.mark.ledger("22.463C.2", "22.463C.1")
@pytest.mark.parametrize("fate", [DAMAGED, SUNK])
def test_strikers_whose_carrier_is_damaged_or_sunk_are_lost_if_no_deck_has_room(fate: list[int]) -> None:
    game = battle(FIRST, second(), fate=fate, answers={(AXIS, "strike"): [strike(6, {AKAGI: 3})]})
    game.to_segment("fleet combat")
    (landed,) = [each for each in game.events(air.AirLanded) if each.side is AXIS]
    assert (landed.ashore, landed.lost) == ({}, {REGULAR: 3})
    assert game.wings(AXIS) == {"kaga": {REGULAR: 3}, "soryu": {REGULAR: 3}}
    assert game.fleet(AXIS).air_lost == {REGULAR: 3}


@pytest.mark.ledger("22.463C.2", "22.463C.1")
@pytest.mark.parametrize("fate", [DAMAGED, SUNK])
def test_as_many_strikers_as_there_is_room_for_land_on_another_carrier(fate: list[int]) -> None:
    flown = {(AXIS, "strike"): [strike(6, {AKAGI: 3})]}
    game = battle(FIRST, second(air=1), fate=fate, answers=flown)
    assert "deck akagi" not in places(game.to(AXIS, "landing"), BACK)
    game.refuses(AXIS, {BACK: {"deck soryu": 3}}, "22.463")
    game.refuses(AXIS, {BACK: {"deck soryu": 1, "lost": 2}}, "22.463")
    game.answer(AXIS, {BACK: {"deck soryu": 2, "lost": 1}})
    game.to_segment("fleet combat")
    assert game.wings(AXIS) == {"kaga": {REGULAR: 3}, "soryu": {REGULAR: 3}}


@pytest.mark.ledger("22.463C.1")
def test_nobody_lands_on_a_carrier_that_came_damaged() -> None:
    flown = {(AXIS, "strike"): [strike(6, {AKAGI: 3})]}
    crippled = force("Second", 5, ships=[{"name": "Soryu", "damaged": True}], cruisers=4)
    game = battle(FIRST, crippled, fate=DAMAGED, answers=flown).to_segment("fleet combat")
    assert game.wings(AXIS) == {"kaga": {REGULAR: 3}}


@pytest.mark.ledger("22.463C.2")
def test_squadrons_still_aboard_a_carrier_that_is_damaged_go_to_other_decks_or_are_lost() -> None:
    game = battle(FIRST, second(air=1), fate=DAMAGED)
    assert amounts(game.to(AXIS, "landing")) == {AKAGI: 3}
    game.refuses(AXIS, {AKAGI: "deck akagi"}, "22.463")
    game.answer(AXIS, {AKAGI: {"deck soryu": 2, "lost": 1}})
    game.to_segment("fleet combat")
    assert game.ship(AXIS, "akagi").damaged
    assert game.wings(AXIS) == {"kaga": {REGULAR: 3}, "soryu": {REGULAR: 3}}
    assert game.fleet(AXIS).air_lost == {REGULAR: 1}


@pytest.mark.ledger("22.463")
def test_squadrons_still_aboard_a_carrier_that_is_sunk_go_down_with_her() -> None:
    game = battle(FIRST, second(air=1), fate=SUNK)
    assert amounts(game.to(AXIS, "landing")) == {}
    game.to_segment("counterair", 2)
    assert [ship.id for ship in game.fleet(AXIS).sunk] == ["akagi"]
    assert game.wings(AXIS) == {"kaga": {REGULAR: 3}, "soryu": {REGULAR: 1}}


def test_squadrons_that_went_down_with_their_carrier_count_as_lost() -> None:
    game = battle(FIRST, second(air=1), fate=SUNK).to_segment("fleet combat")
    assert game.fleet(AXIS).air_lost == {REGULAR: 3}


@pytest.mark.ledger("22.463C.1", "22.463C.2")
def test_who_gets_the_last_deck_is_their_owners_choice() -> None:
    first = force("First", ships=[{"name": "Akagi", "elite": 3}, "Kaga"], cruisers=3)
    flown = {(AXIS, "strike"): [strike(6, {f"akagi|{ELITE}": 3, KAGA: 2})]}
    for saved in ({f"returning|{ELITE}": 2, BACK: 0}, {f"returning|{ELITE}": 1, BACK: 1}, {BACK: 2}):
        game = battle(first, fate=DAMAGED, answers=flown)
        assert amounts(game.to(AXIS, "landing")) == {f"returning|{ELITE}": 3, BACK: 2}
        game.answer(AXIS, to_place("deck kaga", **saved))
        game.to_segment("fleet combat")
        assert total(game.fleet(AXIS).air_lost) == 3
        assert game.wings(AXIS)["kaga"].get(ELITE, 0) == saved.get(f"returning|{ELITE}", 0)


@pytest.mark.ledger("22.463C.2")
def test_the_shore_is_no_reason_to_throw_strikers_away_while_a_deck_has_room() -> None:
    rabaul = air_base("Rabaul", distance=1)
    flown = {
        (AXIS, "patrol"): [to_place("patrol", **{AKAGI: 2})],
        (AXIS, "strike"): [strike(6, {AKAGI: 1, KAGA: 2})],
    }
    game = battle(FIRST, fate=DAMAGED, answers=flown, bases=(rabaul,))
    assert amounts(game.to(AXIS, "landing")) == {BACK: 3, PATROL: 2}  # Kaga has room for two
    game.refuses(AXIS, {PATROL: "ashore Rabaul", BACK: "lost"}, "22.463")
    game.refuses(AXIS, {PATROL: "ashore Rabaul", BACK: {"deck kaga": 1, "lost": 2}}, "22.463")
    game.answer(AXIS, {PATROL: "ashore Rabaul", BACK: {"deck kaga": 2, "lost": 1}})
    game.to_segment("fleet combat")
    assert game.fleet(AXIS).air_lost == {REGULAR: 1}


# -- the shore -----------------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.463B.2")
def test_a_patrol_may_land_ashore_within_three_hexes_where_there_is_room_and_is_inverted() -> None:
    bases = (
        air_base("Rabaul", distance=3),
        air_base("Truk", distance=4),
        air_base("Lae", {"Japan AAF": 1}, capacity=3),
        air_base("Buka", {"Japan NAS": 1}, capacity=2),
    )
    flown = {(AXIS, "patrol"): [to_place("patrol", **{AKAGI: 2})], (AXIS, "strike"): [strike(6, {AKAGI: 1})]}
    game = battle(FIRST, fate=DAMAGED, answers=flown, bases=bases)
    decision = game.to(AXIS, "landing")
    assert {"ashore Rabaul", "ashore Buka"} <= places(decision, PATROL)
    assert "ashore Truk" not in places(decision, PATROL)
    assert not [place for place in places(decision, BACK) if place.startswith("ashore")]
    for far_or_full in ("Truk", "Lae"):
        game.refuses(AXIS, {PATROL: f"ashore {far_or_full}", BACK: "lost"}, "22.463")
    game.refuses(AXIS, {PATROL: "ashore Buka", BACK: "lost"}, "22.463B")  # there is room for one
    game.refuses(AXIS, {PATROL: "ashore Rabaul", BACK: "ashore Rabaul"}, "22.463")
    game.answer(AXIS, {PATROL: {"ashore Rabaul": 1, "ashore Buka": 1}, BACK: "lost"})
    game.to_segment("counterair", 2)
    assert game.base(AXIS, "Rabaul").inverted == {REGULAR: 1}
    assert (game.base(AXIS, "Buka").squadrons, game.base(AXIS, "Buka").inverted) == ({REGULAR: 1}, {REGULAR: 1})
    (landed,) = [each for each in game.events(air.AirLanded) if each.side is AXIS]
    assert landed.ashore == {"Japan/NAS@Rabaul": 1, "Japan/NAS@Buka": 1}
    assert amounts(game.to(AXIS, "cover", round=2)) == {"Japan/NAS@Buka": 1}  # the others are inverted


@pytest.mark.ledger("22.463B.2", "22.463B.1")
def test_a_patrol_may_choose_the_shore_though_there_is_room_aboard() -> None:
    game = battle(
        FIRST, answers={(AXIS, "patrol"): [to_place("patrol", **{AKAGI: 2})]}, bases=(air_base("Rabaul", distance=3),)
    )
    game.to(AXIS, "landing")
    game.refuses(AXIS, {PATROL: "lost"}, "22.463")
    game.answer(AXIS, {PATROL: {"ashore Rabaul": 1, "deck akagi": 1}})
    game.to_segment("fleet combat")
    assert game.base(AXIS, "Rabaul").inverted == {REGULAR: 1}
    assert game.wings(AXIS)["akagi"] == {REGULAR: 2}


@pytest.mark.ledger("22.463B.2", "22.463C.2")
def test_a_patrol_without_deck_or_base_is_lost() -> None:
    alone = force("First", ships=["Akagi"], cruisers=4)
    flown = {(AXIS, "patrol"): [to_place("patrol", **{AKAGI: 1})], (AXIS, "strike"): [strike(6, {AKAGI: 2})]}
    game = battle(alone, fate=SUNK, answers=flown).to_segment("fleet combat")
    assert game.fleet(AXIS).air_lost == {REGULAR: 3}
    assert not [event for event in game.events(ev.GroupEliminated) if event.side is AXIS]
