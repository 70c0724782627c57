"""21.53, 22.35: raiders in the strategic war: the raider table, the engagement on the same table, the transports."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.model.air_events import AirBasesListed
from flagplot.model.events import BattleJoined, FleetMustered
from flagplot.model.fold import apply
from flagplot.model.state import Battle
from flagplot.model.war_events import RaidersHome, RaidersHunted, RaidersSailed, RaidersStruck
from tests.rules.war_table import ALLIES, AXIS, KIEL, WAR, WarTable, setup

SPEE = {"name": "Graf Spee", "nation": "Germany", "box": "Atlantic", "base": "Kiel", "ships": ["Graf Spee"]}
LUTZOW = {"name": "Deutschland", "nation": "Germany", "box": "Atlantic", "base": "Kiel", "ships": ["Deutschland"]}
DIVISION = {"name": "Force G", "nation": "Britain", "box": "Atlantic", "base": "the Falklands", "cruisers": 2}
CONVOYS = {"Atlantic": {"Western Allies transport": 20}}


def raid(*raiders: dict[str, Any], hunters: Any = (DIVISION,), places: Any = None, **keys: Any) -> WarTable:
    start = {"at": "Axis Fall 1939", "ports": [KIEL], "raiders": list(raiders), "hunters": list(hunters)}
    start |= keys.pop("more", {})
    answers = {"raiders": {each["name"]: "raid" for each in raiders}, **keys.pop("answers", {})}
    return WarTable(setup(start, places=places or CONVOYS, begin="Fall 1939"), answers, keys.pop("dice", {}))


@pytest.mark.ledger("24.611.2", "21.5342.G1", "21.5342.R1", "21.5362", "22.552B")
def test_raiders_nobody_meets_fall_on_the_transports() -> None:
    table = raid(SPEE, dice={"is hunted": 3, "among the transports": 9}).to_end()
    (hunted,) = table.events(RaidersHunted)
    assert (hunted.die, hunted.modifier.total, hunted.hunters) == (3, -3, ())
    (struck,) = table.events(RaidersStruck)
    assert struck.factors == 2 and struck.modifier.total == 1
    assert struck.sunk == 1, "two factors on ten"
    assert table.war.present("Atlantic", "Western Allies transport") == 19
    assert not table.events(BattleJoined)
    assert [raider.force.name for raider in table.war.raiders] == ["Graf Spee"], "she is home"


@pytest.mark.ledger("21.5342.R2", "21.5342.R3", "21.5342.T1", "22.35A", "22.35D", "25.363")
def test_raiders_that_are_met_fight_on_the_same_table() -> None:
    table = raid(SPEE, dice={"is hunted": 6, "types of ships": 6}).to_end()
    (hunted,) = table.events(RaidersHunted)
    # 6 - 3 is three: a cruiser, and two dice that show 5 and 1: nobody answers the 5, another cruiser the 1
    assert hunted.types == (5, 1) and hunted.hunters == ("Britain/CA", "Britain/CA")
    (battle,) = table.events(BattleJoined)
    assert battle.kind == "raider combat" and battle.interceptor is ALLIES
    mustered = {event.side: event.forces for event in table.events(FleetMustered)}
    assert [force.engaged for force in mustered[AXIS]] == [True]
    assert mustered[ALLIES][0].light == {"Britain/CA": 2}
    assert not table.events(RaidersStruck)
    (home,) = table.events(RaidersHome)
    assert home.hunters[0].force.light == {"Britain/CA": 2}, "dice of ones hit nobody"
    assert not table.war.raiding and not table.war.met


@pytest.mark.ledger("21.5342.G2", "22.35E", "21.5342.A1", "21.5342.A2")
def test_two_groups_in_the_order_their_owner_says() -> None:
    table = raid(
        SPEE,
        LUTZOW,
        dice={"Graf Spee is hunted": 2, "Deutschland is hunted": 1, "among": 7},
        answers={"order of raiders": {"Deutschland": "1", "Graf Spee": "2"}},
        more={"politics": WAR},
    ).to_end()
    (sailed,) = table.events(RaidersSailed)
    assert sailed.groups == ("Deutschland", "Graf Spee")
    first, second = table.events(RaidersHunted)
    assert (first.modifier.total, second.modifier.total) == (-3 + 1, -3 + 1 + 1)
    assert (first.hunters, second.hunters) == ((), ("Britain/CA",))
    assert [event.group for event in table.events(RaidersStruck)] == ["Deutschland"], "who fought does not attack"


@pytest.mark.ledger("21.5342.T6", "21.5342.T5", "21.5342.T3", "21.5342.T4")
def test_the_defender_picks_among_ships_that_answer_and_each_goes_once() -> None:
    force_h = {
        "name": "Force H",
        "nation": "Britain",
        "box": "Atlantic",
        "ships": ["Hood", "Ark Royal", "Rodney", "Renown"],
    }
    force_h |= {"destroyers": 2, "cruisers": 1, "escort_carriers": 1}
    other = {"name": "Force Z", "nation": "Britain", "box": "Indian Ocean", "cruisers": 9}
    table = raid(
        SPEE,
        hunters=[force_h, other],
        dice={"is hunted": 6, "types of ships": 12},
        answers={"raider hunters": ["hood", "ark-royal"]},
    )
    decision = table.to("raider hunters")
    offered = [place.key for place in decision.form.places]
    assert set(offered) == {"hood", "ark-royal", "rodney", "renown", "Britain/DD"}, "a six is anybody"
    table.to_end()
    (hunted,) = table.events(RaidersHunted)
    assert hunted.hunters == ("Britain/CA", "hood", "ark-royal")
    assert table.events(BattleJoined)[0].aircraft


@pytest.mark.ledger("21.537A.1", "20.512C.1", "21.537A.2")
@pytest.mark.parametrize("seed", range(12))
def test_what_was_sunk_or_damaged_is_gone_from_the_war(seed: int) -> None:
    from random import Random

    from flagplot.bots.random_bot import RandomBot
    from flagplot.play.game import Game

    class Seeded:
        name = "script"

        def __init__(self) -> None:
            self.random = Random(seed)

        def dice(self, count: int, draw: int) -> list[int]:
            return [self.random.randint(3, 6) for _ in range(count)]

    start = {"at": "Axis Fall 1939", "ports": [KIEL], "raiders": [{**SPEE, "cruisers": 1}, LUTZOW]}
    start |= {"hunters": [DIVISION, {**DIVISION, "name": "Force K", "ships": ["Renown"], "cruisers": 1}]}
    start |= {"hunters": [*start["hunters"], {**DIVISION, "name": "Far away", "box": "Pacific"}]}  # type: ignore[misc]
    game = Game.new(setup(start, places=CONVOYS, begin="Fall 1939"), dice=Seeded(), key="00" * 16)
    bot = RandomBot(Random(seed))
    while not game.over:
        game.advance()
        side = next((side for side in (AXIS, ALLIES) if game.decision(side)), None)
        if side is not None:
            decision = game.decision(side)
            assert decision is not None
            everybody = {item.key: "raid" for item in decision.form.items}
            game.submit(side, everybody if decision.kind == "raiders" else bot.choose(game.picture(side), decision))
    fought: list[Battle] = []  # as each ended: groups that were met fight one after the other
    for event in game.events():
        fought += [Battle()] if isinstance(event, BattleJoined) else []
        fought = [*fought[:-1], apply(fought[-1], event)] if fought else []
    fleets = [fleet for battle in fought for fleet in battle.fleets.values()]
    war = game.table.war
    lost = {ship.id for fleet in fleets for ship in fleet.sunk}
    hurt = {ship.id for fleet in fleets for group in fleet.groups for ship in group.ships if ship.damaged}
    left = {ship.id for raider in war.raiders for ship in raider.force.ships}
    left |= {ship.id for hunter in war.hunters for ship in hunter.force.ships}
    assert left | lost | hurt == {"graf-spee", "deutschland", "renown"}
    assert set(war.sunk_ships) == lost
    assert not left & (lost | hurt)
    cruisers = sum(sum(each.force.light.values()) for each in (*war.raiders, *war.hunters))
    sunk = sum(number for fleet in fleets for number in fleet.sunk_light.values())
    damaged = sum(n for fleet in fleets for group in fleet.groups for key, n in group.light.items() if "damaged" in key)
    assert cruisers == 6 - sunk - damaged


@pytest.mark.ledger("24.611.2")
def test_no_raid_without_war_or_transports() -> None:
    kongo = {"name": "Kongo", "nation": "Japan", "box": "Indian Ocean", "ships": ["Kongo"]}
    places = {"Indian Ocean": {"Western Allies transport": 2}}
    assert "raiders" not in raid(kongo, places=places).to_end().kinds()
    assert "raiders" in raid(kongo, places=places, more={"politics": WAR}, answers={"raiders": {}}).to_end().kinds()
    assert "raiders" not in raid(SPEE, places=places).to_end().kinds()


@pytest.mark.ledger("25.363", "25.35E")
def test_inverted_ships_neither_hunt_nor_raid() -> None:
    """A six is three hunters, of which a cruiser is the first: the inverted ones, who could be all three, stay out of it."""
    idle = {**DIVISION, "name": "Force I", "ships": ["Renown"], "cruisers": 9, "inverted": True}
    fresh = {**DIVISION, "cruisers": 1}
    table = raid(SPEE, hunters=[idle, fresh], dice={"is hunted": 6, "types of ships": 4, "": 12}).to_end()
    (hunted,) = table.events(RaidersHunted)
    assert (hunted.types, hunted.hunters) == ((3, 1), ("Britain/CA",))
    left = {hunter.force.name: hunter.force.light for hunter in table.war.hunters}
    assert left["Force I"] == {"Britain/CA": 9}, "what fought and was hit was of the other"
    assert "raiders" not in raid({**SPEE, "inverted": True}).to_end().kinds()


@pytest.mark.ledger("21.537A.1", "22.35A")
def test_a_hunter_that_loses_everything_hunts_no_more() -> None:
    bismarck = {"name": "Bismarck", "nation": "Germany", "box": "Atlantic", "ships": ["Bismarck"]}
    alone = {**DIVISION, "cruisers": 1}
    table = raid(bismarck, hunters=[alone], dice={"is hunted": 6, "": 12}).to_end()
    assert table.war.hunters == () and len(table.events(BattleJoined)) == 1


@pytest.mark.ledger("21.537A.1")
def test_no_dispatch_brings_back_what_was_sunk() -> None:
    from flagplot.core.sides import Audience
    from flagplot.model.war_events import DispatchReceived
    from flagplot.model.war_fold import apply_war

    table = raid(SPEE, LUTZOW, dice={"is hunted": 1}).to_end()
    war = table.war
    (row,) = (row for row in war.timetable if row.raiders)
    from msgspec.structs import replace

    after = apply_war(
        replace(war, raiders=(), sunk_ships=("graf-spee",)),
        DispatchReceived(rule="24.12", to=Audience.EVERYONE, dispatch=row),
    )
    assert [raider.force.name for raider in after.raiders] == ["Deutschland"]
    assert [hunter.force.name for hunter in after.hunters] == ["Force G"]


# -- codebreaking and search squadrons ------------------------------------------------------------------

OCEAN = {"Indian Ocean": {"Western Allies transport": 9}, "Pacific": {"Western Allies transport": 9}}
KONGO = {"name": "Kongo", "nation": "Japan", "box": "Indian Ocean", "ships": ["Kongo"]}


@pytest.mark.ledger("21.5342.U", "21.5342.M")
@pytest.mark.parametrize(
    ("raider", "codes", "modifier"),
    [
        (SPEE, {}, -3),
        (SPEE, {"Ultra": 1}, -2),
        (SPEE, {"Ultra": -1}, -4),
        (SPEE, {"Magic": 1}, -3),
        ({**SPEE, "nation": "Italy", "ships": ["Littorio"]}, {"Ultra": 1}, -2),
        (KONGO, {"Ultra": 1}, -3),
        (KONGO, {"Magic": -1}, -4),
    ],
)
def test_codebreaking_helps_one_side_in_the_hunt(raider: dict[str, Any], codes: Any, modifier: int) -> None:
    peaceful = {**WAR, "germany_us_war": False}
    more = {"raider_codebreaking": codes, "politics": peaceful}
    table = raid(raider, places={**CONVOYS, **OCEAN}, dice={"is hunted": 1}, more=more).to_end()
    (hunted,) = table.events(RaidersHunted)
    assert hunted.modifier.total == modifier


@pytest.mark.ledger("21.5342.U")
def test_codebreaking_is_of_one_player_turn() -> None:
    start = {"at": "Axis Fall 1939", "ports": [KIEL], "raiders": [SPEE], "raider_codebreaking": {"Ultra": 1}}
    given = setup(start, {"at": "Axis Winter 1939"}, places=CONVOYS, begin="Fall 1939", end="Winter 1939")
    table = WarTable(given, {"raiders": {"Graf Spee": "raid"}}).to_end()
    assert [event.modifier.total for event in table.events(RaidersHunted)] == [-2, -3]


@pytest.mark.ledger("21.5342.I3", "21.5342.P2", "21.5342.I2", "21.5342.P1")
@pytest.mark.parametrize(
    ("box", "edge", "squadrons", "modifier"),
    [
        ("Indian Ocean", False, {"India box": 2}, -3),
        ("Indian Ocean", False, {"India box": 3}, -2),
        ("Indian Ocean", False, {"Australia box": 9}, -3),
        ("Pacific", True, {"Australia box": 6}, -1),
        ("Pacific", False, {"Australia box": 6}, -3),
        ("Pacific", True, {"India box": 9}, -3),
    ],
)
def test_search_squadrons_beside_a_box_count_as_CVEs(box: str, edge: bool, squadrons: Any, modifier: int) -> None:
    raider = {**KONGO, "box": box, "off_southern_edge": edge}
    more = {"search_squadrons": squadrons, "politics": WAR}
    table = raid(raider, places=OCEAN, dice={"is hunted": 1}, more=more).to_end()
    assert table.events(RaidersHunted)[0].modifier.total == modifier
    assert table.war.search_squadrons == squadrons, "from now on"


# -- each group by itself -------------------------------------------------------------------------------


@pytest.mark.ledger("21.537A.1", "22.35A", "21.5342", "22.35E")
def test_each_group_fights_those_who_met_it() -> None:
    table = raid(SPEE, LUTZOW, dice={"Graf Spee is hunted": 4, "Deutschland is hunted": 3}).to_end()
    assert [event.hunters for event in table.events(RaidersHunted)] == [("Britain/CA",), ("Britain/CA",)]
    assert [event.title for event in table.events(BattleJoined)] == [
        "A test: Graf Spee in the Atlantic",
        "A test: Deutschland in the Atlantic",
    ]
    forces = [event.forces for event in table.events(FleetMustered)]
    assert [[force.name for force in each] for each in forces if each[0].mission == "raid"] == [
        ["Graf Spee"],
        ["Deutschland"],
    ]
    assert [each[0].light for each in forces if each[0].mission == "raider hunt"] == [{"Britain/CA": 1}] * 2


@pytest.mark.ledger("22.552A.2", "22.35A")
def test_want_of_oil_and_research_are_felt_when_raiders_are_met() -> None:
    akagi = {"name": "Akagi", "nation": "Japan", "box": "Indian Ocean", "ships": ["Akagi"]}
    more = {"politics": WAR, "impaired": ["Japan"], "research": {"Japan": {"radar": 1}}}
    hunters = [{**DIVISION, "box": "Indian Ocean"}]
    table = raid(akagi, hunters=hunters, places=OCEAN, dice={"is hunted": 4}, more=more).to_end()
    assert {event.impaired for event in table.events(FleetMustered)} == {("Japan",)}
    listed = {event.side: event.research for event in table.events(AirBasesListed)}
    assert listed == {AXIS: {"radar": 1, "torpedo": 1}, ALLIES: {}}, "Japan begins with a torpedo result"


# -- among the transports -------------------------------------------------------------------------------


@pytest.mark.ledger("22.552A.1", "22.552B", "21.5362")
@pytest.mark.parametrize(
    ("ships", "cruisers", "impaired", "factors", "modifier", "sunk"),
    [
        (["Kongo"], 0, [], 3, 3 - 2 + 1, 1),  # 3 on 9
        (["Yamato"], 0, [], 5, 4 - 2 + 1, 2),  # a five-factor battleship; 5 on 10
        (["Yamato"], 1, [], 7, 3 - 2 + 1, 3),  # the lowest of those who fire together; 7 on 9
        (["Yamato"], 0, ["Japan"], 5, 3 - 2 + 1, 2),  # 5 on 9
    ],
)
def test_guns_among_the_transports(
    ships: list[str], cruisers: int, impaired: list[str], factors: int, modifier: int, sunk: int
) -> None:
    raider = {**KONGO, "ships": ships, "cruisers": cruisers}
    more = {"politics": WAR, "impaired": impaired}
    table = raid(raider, places=OCEAN, dice={"is hunted": 1, "among": 7}, more=more).to_end()
    (struck,) = table.events(RaidersStruck)
    assert (struck.factors, struck.modifier.total, struck.sunk, struck.air) == (factors, modifier, sunk, False)


@pytest.mark.ledger("21.5362A.1", "21.5362A.3", "21.5362")
@pytest.mark.parametrize(
    ("carriers", "squadrons", "sunk"),
    [(["Akagi"], 3, 2), (["Akagi", "Kaga", "Hiryu"], 8, 5)],  # 3 on 8; 23.73: no more than eight of these; 8 on 8
)
def test_carriers_strike_at_transports_from_the_air(carriers: list[str], squadrons: int, sunk: int) -> None:
    raider = {**KONGO, "name": "Kido Butai", "ships": carriers}
    table = raid(raider, places=OCEAN, dice={"is hunted": 1, "from the air": 7}, more={"politics": WAR}).to_end()
    (struck,) = table.events(RaidersStruck)
    assert (struck.air, struck.factors, struck.modifier.total, struck.sunk) == (True, squadrons, 2 - 2 + 1, sunk)
    assert struck.rule == "21.5362A" and table.war.present("Indian Ocean", "Western Allies transport") == 9 - sunk
    assert not any("air defense" in why or "among" in why for why in table.rolled), "no flak, and no guns"


@pytest.mark.ledger("21.5362A.2", "21.5362")
def test_each_group_with_a_carrier_strikes_once_and_guns_come_after() -> None:
    first = {**KONGO, "name": "First", "ships": ["Akagi", "Kongo"]}
    second = {**KONGO, "name": "Second", "ships": ["Kaga"]}
    table = raid(
        first, second, places=OCEAN, dice={"is hunted": 1, "from the air": 7, "among": 7}, more={"politics": WAR}
    )
    told = [(event.group, event.air, event.sunk) for event in table.to_end().events(RaidersStruck)]
    assert told == [("First", True, 2), ("First", False, 1), ("Second", True, 2)]
    assert table.war.present("Indian Ocean", "Western Allies transport") == 9 - 5


@pytest.mark.ledger("21.5362A.1", "22.35E")
def test_no_more_transports_are_sunk_than_there_are() -> None:
    raider = {**KONGO, "name": "Kido Butai", "ships": ["Akagi", "Kaga", "Hiryu"]}
    few = {"Indian Ocean": {"Western Allies transport": 2}}
    table = raid(raider, places=few, dice={"is hunted": 1, "from the air": 12}, more={"politics": WAR}).to_end()
    assert table.events(RaidersStruck)[0].sunk == 2
