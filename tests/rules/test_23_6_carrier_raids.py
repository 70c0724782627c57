"""Carriers against a port (23.6), and who leaves it (23.46): decks, naval air aboard ships in port, escape."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from flagplot import api
from flagplot.core.errors import ScenarioError
from flagplot.core.runner import Runner
from flagplot.editions.current import ruleset
from flagplot.model import air_events as air
from flagplot.model import events as ev
from flagplot.model.state import Base, Battle
from flagplot.play.report import report
from flagplot.play.transcript import transcript
from flagplot.rules.air.escape import bases_to_flee_to, may_flee
from flagplot.rules.naval.battle import play_on
from flagplot.rules.table import Table
from tests.rules.raid_table import ALLIES, AXIS, Raid, air_base, force, port_raid, side

KIDO_BUTAI = force(
    "Carriers", ships=["Akagi", "Kaga", "Hiei", "Kirishima"], destroyers=4, mission="carrier mission", base="Home"
)
FLEET = force("Fleet", ships=["Nevada", "Arizona"], cruisers=2, destroyers=2)  # 12 factors
AKAGI, KAGA = "akagi|Japan/NAS", "kaga|Japan/NAS"
HOMES = [{"name": "San Diego", "distance": 9}, {"name": "Seattle", "distance": 9}, {"name": "Panama", "distance": 12}]


def raid(
    ships: dict[str, Any] = FLEET,
    defenders: dict[str, int] | None = None,
    *,
    inverted: dict[str, int] | None = None,
    answers: dict[Any, Any] | None = None,
    fields: list[dict[str, Any]] | None = None,
    bases: list[dict[str, Any]] | None = None,
    raiders: dict[str, Any] = KIDO_BUTAI,
    **more: Any,
) -> Raid:
    """Two Japanese carriers against an American port."""
    haven = air_base("Haven", defenders or {}, inverted=inverted or {}, distance=0, capacity=30)
    return port_raid(
        side("Japan", raiders),
        side("United States", ships, air=[haven, *(fields or [])], base=bases or []),
        answers=answers or {},
        **more,
    )


def flies(akagi: dict[str, int], kaga: dict[str, int] | None = None) -> dict[str, Any]:
    return {AKAGI: akagi, KAGA: kaga or {"stay": 3}}


# -- carriers (23.61, 23.63) -------------------------------------------------------------------------------------------


@pytest.mark.ledger("23.63", "23.61B")
def test_a_carrier_raid_is_counterair_an_attack_on_ships_or_both() -> None:
    table = raid(defenders={"United States AAF": 1})
    decision = table.to(AXIS, "sortie")
    every = ("stay", "counterair", "ships")
    assert {item.key: item.places for item in decision.form.items} == {AKAGI: every, KAGA: every}
    table.answer(AXIS, flies({"counterair": 3}, {"ships": 3}))
    table.to_end()
    (announced,) = table.events(air.SortieAnnounced)
    assert (announced.counterair, announced.ships) == ({"Japan/NAS": 3}, {"Japan/NAS": 3})
    assert table.events(air.PortAirFought)[0].rows == {AXIS: 3, ALLIES: 3}  # one factor fights as three squadrons


@pytest.mark.ledger("23.61", "23.61A", "23.62")
def test_carriers_on_another_activity_may_not_attack_a_port() -> None:
    with pytest.raises(ScenarioError, match=r"23\.61"):
        raid(raiders={**KIDO_BUTAI, "mission": "sea escort"})
    assert raid(raiders={**KIDO_BUTAI, "mission": "patrol"}).to(AXIS, "sortie")


def test_naval_air_lands_on_its_carriers_after_each_sortie_and_flies_again() -> None:
    table = raid(port={"sorties": 2}, answers={(AXIS, "sortie"): [flies({"ships": 3}, {"ships": 3})]})
    decision = table.to(AXIS, "sortie", round=2)
    lost = sum(table.fleet(AXIS).air_lost.values())
    assert sum(item.amount for item in decision.form.items) == 6 - lost
    assert not table.fleet(AXIS).aloft and table.was_asked(AXIS, "landing") == 1


def test_from_which_decks_a_raid_came_is_its_owners_secret() -> None:
    seen = []
    for answer in (flies({"ships": 2}, {"ships": 1, "stay": 2}), flies({"ships": 1}, {"ships": 2, "stay": 1})):
        table = raid(answers={(AXIS, "sortie"): [answer]}).to_end()
        events = [msgspec.json.encode(event) for event in table.game.picture(ALLIES).events]
        seen.append((events, table.questions[ALLIES]))
    assert seen[0] == seen[1]


@pytest.mark.ledger("23.44T.m3", "23.53.1")
def test_naval_air_has_no_bonus_in_port() -> None:
    table = raid(
        answers={(AXIS, "sortie"): [flies({"ships": 3})], (AXIS, "air targets"): {"Japan/NAS": "nevada"}},
    ).to_end()
    (attack,) = table.events(air.AirAttackRolled)
    assert [(line.rule, line.amount) for line in attack.modifiers.lines] == [("23.441A", 2), ("23.441B", -2)]


# -- naval air aboard carriers in port (23.411) --------------------------------------------------------------------------

CARRIERS = force("In port", ships=["Enterprise", "Lexington", "Nevada", "Arizona"], destroyers=4)


@pytest.mark.ledger("23.411.2")
def test_naval_air_aboard_carriers_in_port_is_shown_and_defends_it() -> None:
    table = raid(CARRIERS, answers={(AXIS, "sortie"): [flies({"counterair": 3}, {"ships": 3})]}).to_end()
    assert [each.squadrons for each in table.seen(AXIS, air.DeckAirShown)] == [{"United States/NAS": 6}]
    assert table.events(air.PortAirFought)[0].defenders == {"United States/NAS": 6}


def test_the_owner_says_from_which_carriers_lost_naval_air_is_missing() -> None:
    table = raid(
        CARRIERS,
        port={"sorties": 2},
        answers={(AXIS, "sortie"): [flies({"counterair": 3}), flies({"stay": 1})]},
        dice={(AXIS, "23.411"): [[6, 6]]},
    )
    decision = table.to(ALLIES, "deck losses")
    assert [(item.key, item.amount) for item in decision.form.items] == [("United States/NAS", 2)]
    table.refuses(ALLIES, {"United States/NAS": {"nevada": 2}}, "23.412")
    table.answer(ALLIES, {"United States/NAS": {"enterprise": 1, "lexington": 1}})
    table.to(AXIS, "sortie", round=2)
    assert {ship: sum(wing.values()) for ship, wing in table.wings(ALLIES).items()} == {"enterprise": 2, "lexington": 2}
    assert table.fleet(ALLIES).deck_air == {"United States/NAS": 4}
    table.to_end()
    inverted = table.events(air.PortAirInverted)
    assert inverted and inverted[0].squadrons == {"United States/NAS": 4}


def test_a_carrier_holds_no_more_than_she_has_lost_from() -> None:
    mixed = force("In port", ships=[{"name": "Enterprise", "air": 1}, "Lexington", "Nevada", "Arizona"], destroyers=4)
    table = raid(mixed, answers={(AXIS, "sortie"): [flies({"counterair": 3})]}, dice={(AXIS, "23.411"): [[6, 6]]})
    table.to(ALLIES, "deck losses")
    table.refuses(ALLIES, {"United States/NAS": {"enterprise": 2}}, "23.412")
    table.to_end()
    assert sum(sum(wing.values()) for wing in table.wings(ALLIES).values()) == 2


def test_a_carrier_of_two_nations_keeps_their_squadrons_apart() -> None:
    axis = side("Japan", KIDO_BUTAI)
    ships = [{"name": "Illustrious", "nation": "Britain"}, "Enterprise", "Nevada"]
    allies = side("United States", force("In port", ships=ships, destroyers=4))
    table = port_raid(
        axis,
        allies,
        answers={(AXIS, "sortie"): [flies({"counterair": 3}, {"counterair": 3})]},
        dice={(AXIS, "23.411"): [[6, 6]]},
    )
    decision = table.to(ALLIES, "deck losses")
    assert {item.key for item in decision.form.items} == {"Britain/NAS", "United States/NAS"}
    table.refuses(ALLIES, {"Britain/NAS": "enterprise", "United States/NAS": "enterprise"}, "23.412")
    table.to_end()


@pytest.mark.ledger("23.443B.2")
def test_a_carrier_sunk_in_port_takes_her_aircraft_along_and_a_damaged_one_keeps_them_grounded() -> None:
    for roll, fate in (([6, 6], "sunk in port"), ([3, 3], "damaged")):
        table = raid(
            CARRIERS,
            port={"sorties": 2},
            answers={
                (AXIS, "sortie"): [flies({"ships": 3}, {"ships": 3}), {}],
                (AXIS, "air targets"): {"Japan/NAS": "enterprise"},
            },
            dice={(ALLIES, "air defense"): [[1, 1]], (ALLIES, "23.411"): [[1, 1]], (AXIS, "air attack"): [roll]},
        ).to_end()
        (hit,) = table.events(air.ShipHitInPort)
        assert hit.fate == fate
        assert table.fleet(ALLIES).deck_air == {"United States/NAS": 3}
        (told,) = table.seen(ALLIES, air.WingStruck)
        assert told.lost is (fate == "sunk in port")
        assert table.fleet(ALLIES).air_lost == ({"United States/NAS": 3} if told.lost else {})


# -- escape (23.46) ---------------------------------------------------------------------------------------------------


@pytest.mark.ledger("23.46", "23.46A", "23.46B", "23.46C")
def test_units_may_leave_after_a_round_of_attacks_on_them_or_by_or_against_a_patrol_near_them() -> None:
    assert may_flee(attacked=True) and may_flee(attacked=False, patrol_attacked_near=True)
    assert may_flee(attacked=False, patrol_fought_near=True) and not may_flee(attacked=False)
    table = raid(bases=HOMES, port={"sorties": 2})
    table.to(AXIS, "sortie", round=2)
    assert table.kinds().index(("axis", "sortie")) < table.kinds().index(("allies", "escape"))


@pytest.mark.ledger("23.462A")
def test_ships_go_to_the_nearest_base_and_their_owner_chooses_among_equals() -> None:
    bases = [Base("Near", 3, True), Base("One", 4), Base("Two", 4), Base("Far", 9)]
    assert [base.name for base in bases_to_flee_to(bases)] == ["One", "Two"] and bases_to_flee_to([]) == []
    table = raid(bases=HOMES)
    decision = table.to(ALLIES, "escape")
    places = {item.key: item.places for item in decision.form.items}
    assert places["nevada"] == ("stay", "sea San Diego", "sea Seattle")
    table.answer(ALLIES, {"nevada": "sea Seattle", "arizona": "sea San Diego", "United States/DD": {"sea Seattle": 1}})
    table.to_end()
    went = {event.base: [ship.id for ship in event.group.ships] for event in table.seen(ALLIES, ev.Returned)}
    assert went == {"San Diego": ["arizona"], "Seattle": ["nevada"]}
    assert not table.seen(AXIS, ev.Returned) and table.seen(AXIS, ev.Departed)


@pytest.mark.ledger("23.462A")
def test_ships_sunk_in_port_do_not_leave_and_damaged_ones_may() -> None:
    table = raid(
        bases=HOMES,
        answers={
            (AXIS, "sortie"): [flies({"ships": 3}, {"ships": 3})],
            (AXIS, "air targets"): {"Japan/NAS": "nevada"},
        },
        dice={(ALLIES, "air defense"): [[1, 1]], (AXIS, "air attack"): [[6, 6]]},
    )
    decision = table.to(ALLIES, "escape")
    assert [ship.id for ship in table.fleet(ALLIES).hulks] == ["nevada"]
    assert "nevada" not in [item.key for item in decision.form.items]


@pytest.mark.ledger("23.462C", "23.462B")
def test_a_patrol_may_not_follow_ships_that_fled_and_land_based_air_may() -> None:
    everybody = {"nevada": "sea Seattle", "arizona": "sea Seattle", "United States/CA": "sea Seattle"}
    answers = {(ALLIES, "escape"): everybody}
    carriers = raid(bases=HOMES, answers=answers).to_end()
    assert carriers.game.battle.reasons[1].endswith("(23.462C)")
    ashore = port_raid(
        side("Japan", air=[air_base("Wake", {"Japan AAF": 2})]),
        side("United States", FLEET, base=HOMES),
        answers=answers,
    ).to_end()
    assert ashore.game.battle.reasons[1].endswith("(23.462B)")


def test_when_all_ships_and_aircraft_have_left_there_is_nothing_more_to_attack() -> None:
    everybody = {"nevada": "sea Seattle", "arizona": "sea Seattle"}
    everybody |= {"United States/CA": "sea Seattle", "United States/DD": "sea Seattle"}
    table = raid(
        bases=HOMES,
        port={"sorties": 0},
        answers={(ALLIES, "escape"): everybody, (AXIS, "sortie"): [flies({"ships": 1, "stay": 2})]},
    ).to_end()
    assert table.game.battle.reasons[0] == "nothing is left to attack at Haven (23.54)"


@pytest.mark.ledger("23.461A", "23.461B")
def test_aircraft_leave_for_a_base_with_room_that_was_not_attacked_and_are_inverted_there() -> None:
    fields = [
        air_base("Roomy", {"United States NAS": 1}, capacity=6),
        air_base("Full", {"United States NAS": 1}, capacity=1),
        air_base("Attacked", operational=False),
    ]
    table = raid(
        defenders={"United States AAF": 1, "United States NAS": 3},
        inverted={"United States AAF": 1, "United States NAS": 1},
        fields=fields,
        answers={(AXIS, "sortie"): [flies({"ships": 1, "stay": 2})]},
    )
    decision = table.to(ALLIES, "escape")
    items = {item.key: (item.amount, item.places) for item in decision.form.items if "@" in item.key}
    assert {places for _, places in items.values()} == {("stay", "air Roomy")}
    # one factor was broken down because naval air attacked; the inverted one was left alone
    assert items["United States/AAF@Haven (inverted)"][0] == 1 and "United States/AAF@Haven" not in items
    table.refuses(
        ALLIES,
        {"United States/AAF@Haven (inverted)": "air Roomy", "United States/NAS@Haven": {"air Roomy": 3}},
        "23.461A",
    )
    table.answer(
        ALLIES, {"United States/AAF@Haven (inverted)": "air Roomy", "United States/NAS@Haven": {"air Roomy": 2}}
    )
    table.to_end()
    roomy, haven = table.base(ALLIES, "Roomy"), table.base(ALLIES, "Haven")
    assert roomy.inverted_factors == {"United States/AAF": 1} and roomy.inverted == {"United States/NAS": 2}
    assert not haven.inverted_factors and haven.squadrons["United States/NAS"] == 1
    assert table.seen(AXIS, air.AircraftFled)


def test_a_factor_that_flees_takes_the_room_of_three_squadrons_and_leaves_whole() -> None:
    table = port_raid(
        side("Japan", air=[air_base("Wake", {"Japan AAF": 2})]),
        side(
            "United States",
            FLEET,
            air=[air_base("Haven", {"United States AAF": 2}, distance=0), air_base("Roomy", capacity=4)],
        ),
        dice={(ALLIES, "23.411"): [[1, 1]]},
    )
    table.to(ALLIES, "escape")
    table.refuses(ALLIES, {"United States/AAF@Haven": {"air Roomy": 2}}, "23.461A")
    table.answer(ALLIES, {"United States/AAF@Haven": {"air Roomy": 1}})
    table.to_end()
    assert table.base(ALLIES, "Roomy").inverted_factors == {"United States/AAF": 1}


def test_where_to_flee_is_asked_for() -> None:
    asked = {"bases": {"A": 5, "B": 3, "C": 2}, "invaded": ["C"], "airfields": {"X": 0, "Y": 3}}
    barred = [["A", "23.462A", "it is not the nearest"], ["C", "23.462A", "it is out of range, or cannot receive them"]]
    barred.append(["X", "23.461A", "it has no room"])
    where = {"ships": ["B"], "aircraft": ["Y"], "barred": barred, "aircraft_inverted": True}
    assert api.call("escape_places", asked) == {"may_flee": True, **where}
    for near, may in (({}, False), ({"patrol_attacked_near": True}, True), ({"patrol_fought_near": True}, True)):
        assert api.call("escape_places", {**asked, "attacked": False, **near})["may_flee"] is may


# -- the whole --------------------------------------------------------------------------------------------------------


def test_each_sortie_and_each_escape_can_be_entered_from_a_snapshot() -> None:
    table = raid(CARRIERS, {"United States AAF": 1}, bases=HOMES, port={"sorties": 3}).to_end()
    entries = table.game.runner.tape
    logged = entered_at = 0
    for keep in range(len(entries)):
        game = type(table.game)(table.game.header, table.game.journal[:keep])
        if len(game.table.log) > logged and isinstance(game.table.log[-1], ev.SegmentBegan | air.DeckAirShown):
            entered_at += 1
            snapshot = msgspec.json.decode(msgspec.json.encode(game.battle), type=Battle)
            entered = Table(ruleset(), snapshot)
            Runner(play_on(entered)).replay([msgspec.structs.replace(entry, check="") for entry in entries[keep:]])
            assert entered.battle == table.game.battle
        logged = len(game.table.log)
    assert entered_at >= 3


def test_a_raid_reads_as_it_was() -> None:
    table = raid(
        CARRIERS,
        {"United States AAF": 1},
        bases=HOMES,
        fields=[air_base("Roomy", capacity=9)],
        port={"sorties": 2, "flak": 1, "airbases": 1, "objectives": 1, "anchors": 2, "fortification": "fortress"},
        answers={
            (AXIS, "sortie"): [flies({"counterair": 2, "ships": 1}, {"ships": 3})],
            (AXIS, "air targets"): {"Japan/NAS": "nevada"},
            (ALLIES, "escape"): [
                {"arizona": "sea Seattle", "United States/DD": {"sea Seattle": 1}},
                {"United States/AAS/cover@Haven": "air Roomy"},
            ],
        },
        dice={(ALLIES, "air defense"): [[1, 1]], (AXIS, "air attack"): [[6, 6]], (ALLIES, "23.411"): [[1, 1]] * 2},
    ).to_end()
    text = "\n".join(transcript(table.game.events()))
    for words in (
        "The port is Haven: 1 flak factor, 1 airbase, 1 objective, 2 anchors, a fortress and at most 2 sorties (23.4212)",
        "Aboard United States' carriers in port: 6 NAS (23.411)",
        "Japan sends to Haven: against the aircraft 2 NAS; against the ships 4 NAS (23.411)",
        "United States sends away Arizona, 1 DD (23.462)",
        "United States' aircraft leave Haven, inverted: 1 cover AAS for Roomy (23.461)",
        "The attack is over: no further sortie may be flown (23.54)",
        "Sortie 2",
    ):
        assert words in text, text
    assert "places a marker" not in text
    assert "Damaged: " in report(table.game)
