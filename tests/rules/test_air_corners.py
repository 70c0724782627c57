"""Corners where rules of air, raiders and submarines meet, each from its text."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.editions.current import ruleset
from flagplot.model import air_events as air
from flagplot.model import events as ev
from flagplot.model.forces import CombatGroup, Force
from flagplot.model.ships import Ship
from flagplot.model.squadrons import AirBase
from flagplot.model.state import Battle, Fleet
from flagplot.rules.air.combat import modifiers_between, squadron_drm
from flagplot.rules.air.cover import air_search_form, break_down_form, cover_form
from flagplot.rules.air.landing import settle_air_bases
from flagplot.rules.air.patrol import back_on_deck_form
from flagplot.rules.naval.combat_groups import form_groups, numbering_form
from flagplot.rules.table import Table
from tests.rules.air_table import (
    ALLIES,
    AXIS,
    AirBattle,
    air_base,
    everything_withdraws,
    force,
    scenario_text,
    side,
    strike,
    to_place,
)

TF16 = force("TF16", 6, ships=["Enterprise", "Hornet"], cruisers=3)


@pytest.mark.ledger("22.461A", "22.462D", "22.462E", "23.7411B")
def test_a_side_that_was_found_surprises_nobody_even_if_the_found_group_is_sunk_meanwhile() -> None:
    destroyer = force("Destroyers", 6, destroyers=1, task_force=False)
    japan = side("Japan", destroyer, force("Akagi", 5, ships=["Akagi"], cruisers=4))
    game = AirBattle(
        scenario_text(japan, side("United States", TF16), interceptor="allies"),
        {(ALLIES, "search"): [[6]], (AXIS, "search"): [[6]], (ALLIES, "air attack"): [[6, 6]]},
        {
            (ALLIES, "strike"): [strike(6, {"enterprise|United States/NAS": 3})],
            (AXIS, "strike"): [strike(6, {"akagi|Japan/NAS": 3})],
        },
    )
    assert "surprise" not in game.to(AXIS, "strike").question
    game.to_segment("fleet combat")
    assert [number for _, number, _, surprise in game.strikes()] == [6, 6]
    assert not game.events(air.SurpriseRolled)


@pytest.mark.ledger("23.415A.2", "23.415B.5")
def test_the_attacker_is_told_who_engages_before_he_names_his_fighters() -> None:
    japan = side(
        "Japan",
        force("First", 6, ships=[{"name": "Akagi", "elite": 3}], cruisers=4),
        air=[air_base("Rabaul", {"Japan NAS": 2})],
    )
    told = {}
    for engaged, held in (("Japan/NAS/elite", "Japan/NAS@Rabaul"), ("Japan/NAS@Rabaul", "Japan/NAS/elite")):
        game = AirBattle(
            scenario_text(japan, side("United States", TF16)),
            {(ALLIES, "search"): [[6]], (AXIS, "search"): [[6]]},
            {
                (AXIS, "patrol"): [to_place("patrol", **{"akagi|Japan/NAS/elite": 1})],
                (AXIS, "cover"): [{"Japan/NAS@Rabaul": {"CG6": 1}}],
                (AXIS, "defend"): [{engaged: "engage", held: "hold"}],
                (ALLIES, "strike"): [strike(6, {"enterprise|United States/NAS": 3})],
            },
        )
        game.to(ALLIES, "fight")
        (event,) = game.seen(ALLIES, air.DefendersEngaged)
        told[engaged] = event.squadrons
    assert told == {key: {key: 1} for key in told}


def raid(raiders: dict[str, Any], dice: Any, flying: int) -> AirBattle:
    hunters = {"name": "Hunters", "cruisers": 1, "task_force": False}
    text = scenario_text(
        side("Japan", {"name": "Raiders", "task_force": False, **raiders}),
        side("United States", hunters),
        kind="raider combat",
        interceptor="allies",
    )
    return AirBattle(text, dice, {(AXIS, "strike"): [strike(1, {"akagi|Japan/NAS": flying})]}).to_end()


@pytest.mark.ledger("22.35E")
def test_raiders_whose_hunters_are_sunk_from_the_air_attack_transports_if_they_did_not_fly() -> None:
    game = raid({"ships": ["Akagi", "Kongo"]}, {(AXIS, "air attack"): [[6, 6]]}, 3)
    (exposed,) = game.events(ev.TransportsExposed)
    assert exposed.raiders == ("Kongo",)
    assert game.events(ev.TransportsThreatened)[0].some


@pytest.mark.ledger("22.35E")
def test_a_carrier_that_struck_has_fought() -> None:
    dice = {(AXIS, "air attack"): [[1, 1]], (AXIS, "gunfire"): [[6, 6]]}
    (exposed,) = raid({"ships": ["Akagi", "Kongo"]}, dice, 1).events(ev.TransportsExposed)
    assert exposed.raiders == ()


@pytest.mark.ledger("20.512C", "22.423B.2")
def test_hits_repaired_on_raiders_that_were_never_shown_are_their_owners_affair() -> None:
    game = raid({"ships": ["Akagi", {"name": "Kongo", "hits": 1}]}, {(AXIS, "air attack"): [[6, 6]]}, 3)
    assert game.seen(AXIS, ev.HitsRepaired) and not game.seen(ALLIES, ev.HitsRepaired)


@pytest.mark.ledger("22.92.3", "22.93D")
@pytest.mark.parametrize(("waiting", "homes"), [(0, [(1, True), (2, False)]), (1, [(1, True), (1, True), (1, False)])])
def test_a_submarine_that_lost_its_target_is_not_inverted_because_another_waited(
    waiting: int, homes: list[tuple[int, bool]]
) -> None:
    japan = side("Japan", force("First", 6, destroyers=1, task_force=False), force("Second", 5, cruisers=6))
    america = side("United States", force("TF16", 6, ships=["Enterprise"], cruisers=4), submarines={"United States": 3})
    game = AirBattle(
        scenario_text(japan, america),
        {(ALLIES, "search"): [[6]], (ALLIES, "22.94"): [[6, 6]] * 3},
        {
            (ALLIES, "submarines"): [{"United States/SUB": {"CG6": 3 - waiting, "wait": waiting}}],
            (ALLIES, "withdraw"): everything_withdraws,
        },
    ).to_end()
    assert len(game.events(air.SubmarineAttacked)) == 1
    assert [(sum(e.submarines.values()), e.inverted) for e in game.events(air.SubmarinesReturned)] == homes
    (announced,) = game.seen(AXIS, air.SubmarinesAnnounced)
    assert announced.attacks == {"CG6": {"United States/SUB": 3 - waiting}}


@pytest.mark.ledger("23.441A.T8")
def test_inverted_aircraft_of_an_impaired_base_are_impaired_too() -> None:
    fleet = Fleet(impaired_air=("Midway",))
    drms = [
        squadron_drm(ruleset(), fleet, f"United States/NAS@{base}") for base in ("Midway", "Midway (inverted)", "Wake")
    ]
    assert drms == [1, 1, 2]


@pytest.mark.ledger("22.342")
def test_land_based_air_has_no_task_against_enemy_bases() -> None:
    """Neither cover nor search nor breaking down knows any place but the side's own."""
    base = AirBase("Rabaul", factors={"Japan/AAF": 1}, squadrons={"Japan/NAS": 2, "Japan/AAS/attack": 1})
    fleet = Fleet(groups=(CombatGroup(3, "First", light={"Japan/CA": 6}),), air_bases=(base,))
    offered = {
        place.key
        for form in (break_down_form(fleet), cover_form(fleet), air_search_form(fleet))
        for place in form.places
    }
    assert offered == {"keep", "break", "base", "CG3", "search"}


@pytest.mark.ledger("23.721A.1", "23.721A.2")
def test_groups_take_numbers_from_one_to_six_and_small_forces_are_one_group() -> None:
    loose = [Force(name, light={"Japan/DD": 4}, task_force=False) for name in ("A", "B")]
    (group,) = form_groups(loose)
    assert group.factors == 8
    form = numbering_form([group], 6)
    assert [place.key for place in form.places] == ["1", "2", "3", "4", "5", "6", "wait"]


@pytest.mark.ledger("22.435")
def test_aircraft_that_aborted_and_were_lost_later_are_not_there_to_be_inverted() -> None:
    base = AirBase("Rabaul", squadrons={"Japan/NAS": 1}, aborted={"Japan/NAS": 2, "Japan/AAS/search": 1})
    fleets = {AXIS: Fleet("Japan", air_bases=(base,)), ALLIES: Fleet("United States")}
    table = Table(ruleset(), Battle(fleets=fleets))
    settle_air_bases(table)
    (after,) = table.fleet(AXIS).air_bases
    assert (after.squadrons, after.inverted) == ({}, {"Japan/NAS": 1})


@pytest.mark.ledger("23.17", "22.434")
@pytest.mark.parametrize(("jets", "bonus"), [(2, 0), (3, 1), (5, 1), (6, 2)])
def test_every_three_jet_squadrons_that_fight_are_an_advantage_of_one(jets: int, bonus: int) -> None:
    """19.3: German jets against American naval air, both of DRM 2; the attacker suffers what the defender gains."""
    table = Table(ruleset(), Battle(fleets={AXIS: Fleet("Germany"), ALLIES: Fleet("United States")}))
    defenders = {"Germany/JET/cover@Kiel": jets, "Germany/NAS@Kiel": 1}
    assert modifiers_between(table, ALLIES, {"United States/NAS": 6}, defenders).total == -bonus
    assert modifiers_between(table, AXIS, defenders, {"United States/NAS": 6}).total == bonus


@pytest.mark.ledger("22.433")
def test_carriers_that_are_full_or_damaged_take_nobody_back_from_counterair() -> None:
    wing = {"Japan/NAS": 3}
    ships = (
        Ship("akagi", "Akagi", "Japan", "CV", 3, wing=wing),
        Ship("kaga", "Kaga", "Japan", "CV", 3, damaged=True),
        Ship("soryu", "Soryu", "Japan", "CV", 3, wing={"Japan/NAS": 1}),
    )
    fleet = Fleet(groups=(CombatGroup(1, "First", ships),), ready={"Japan/NAS": 2})
    form = back_on_deck_form(fleet)
    assert [place.key for place in form.places] == ["soryu"]
    assert form.sole_answer() is not None
