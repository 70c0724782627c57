"""24 to 26: whole wars of random players against a second reckoning, written from the text alone, event by event.

The wars have something of everything: all boxes and fronts, every kind of target, jets, rockets, ships in a yard. What is
compared: costs, modifiers, both results, losses and on whom they fall, damage, BRPs, construction limits, fires, yards.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import msgspec
import pytest

from flagplot.bots.random_bot import RandomBot
from flagplot.core.sides import Side
from flagplot.model import war_events as ev
from flagplot.model.war import TargetHex, War, faction_of
from flagplot.model.war_fold import apply_war
from flagplot.play.game import Game
from tests.differential import reference_strategic as reference
from tests.properties.test_war import SeededDice
from tests.rules.war_table import WAR, setup, target

EUROPE = ("western", "Mediterranean", "eastern")
CAMPAIGN = {"Germany": "Ultra: Germany", "Japan": "Magic: Japan", "United States": "Magic: United States"}
WARS, LONG = 12, 200
TARGETS = [
    target("London", "Britain", value=25, key_economic_area=True)
    | {"distances": {"Germany": 3, "Britain": 0, "United States": 0, "V1": 3, "V2": 5, "Germany, Mediterranean": 8}},
    target("Essen", "Germany", objective=True, key_economic_area=True, facility={"kind": "synthetic oil plant"})
    | {"distances": {"Britain": 4, "United States": 4, "Germany": 0, "Britain, Mediterranean": 9}},
    target("Rome", "Italy", "Mediterranean", 15, key_economic_area=True)
    | {"distances": {"Britain": 4, "Britain, western": 8, "Germany": 2, "Italy": 0, "Germany, western": 1}},
    target(
        "Ploesti", "Germany", "Mediterranean", 0, kind="oil center", facility={"kind": "oil center", "production": 2}
    )
    | {"defences": {"flak": 2}, "distances": {"Britain": 7, "Germany": 1}},
    target("Kiel", "Germany", value=0, kind="shipyard", defences={"anchors": 1, "cities_or_ports": 2})
    | {"distances": {"Britain": 5, "United States": 5, "Germany": 0}},
    target("V1", "Germany", value=0, kind="rocket base", defences={"flak": 1})
    | {"distances": {"Britain": 3, "United States": 3, "Germany": 0}},
    target("Gorki", "Russia", "eastern", 10, ic=True, ic_loss=15, distances={"Germany": 6, "Russia": 0}),
    target("Urals box", "Russia", "eastern", 60, kind="box", distances={"Germany": 12}),
    target("India box", "Britain", "Southeast Asian", 0, kind="box", distances={"Japan": 2}),
    target("Tokyo", "Japan", "Pacific", 30, key_economic_area=True, distances={"United States": 10, "Japan": 0}),
]
MOST = {
    "western": {
        "Germany AAF": 20,
        "Germany interceptor": 6,
        "Germany strategic bomber": 8,
        "Germany jet": 3,
        "Britain AAF": 15,
        "Britain interceptor": 6,
        "Britain strategic bomber": 9,
        "United States jet": 2,
        "United States AAF": 9,
        "United States interceptor": 5,
        "United States, European strategic bomber": 9,
    },
    "Mediterranean": {
        "Germany AAF": 5,
        "Italy AAF": 5,
        "Germany interceptor": 3,
        "Britain strategic bomber": 4,
        "Britain interceptor": 3,
    },
    "eastern": {"Germany strategic bomber": 5, "Russia AAF": 6, "Russia interceptor": 3},
    "Southeast Asian": {"Japan strategic bomber": 6, "Japan AAF": 14, "United States interceptor": 3},
    "India box": {"Britain AAF": 3},
    "Atlantic": {
        "Germany submarine": 16,
        "Germany advanced submarine": 4,
        "Western Allies transport": 30,
        "Britain ASW": 12,
        "United States ASW": 12,
        "Britain CVE": 14,
        "United States CVE": 14,
    },
    "Indian Ocean": {
        "Germany submarine": 5,
        "Japan submarine": 3,
        "Western Allies transport": 8,
        "Britain ASW": 6,
        "Britain CVE": 8,
        "United States CVE": 3,
    },
    "Pacific": {
        "Japan submarine": 3,
        "United States submarine": 7,
        "Western Allies transport": 8,
        "Japan transport": 12,
        "Japan ASW": 8,
        "United States ASW": 5,
        "United States CVE": 13,
        "Japan interceptor": 4,
        "United States, Pacific strategic bomber": 9,
    },
}


def a_war(random: Random) -> Any:
    places = {place: {name: random.randint(0, most) for name, most in units.items()} for place, units in MOST.items()}
    places = {place: {name: number for name, number in units.items() if number} for place, units in places.items()}
    levels = {"air_range": 3, "bombers": 4, "torpedo": 4, "asw": 6, "radar": 3, "air_defense": 3}
    research = {
        faction: {field: random.randint(field == "bombers", most) for field, most in levels.items()}
        for faction in ("Germany", "Western Allies", "Japan")
    }
    research["Germany"]["rockets"] = 10
    ships = [("Gneisenau", 3, 1, 2), ("Tirpitz", 4, 3, 0)]
    ports = [("Kiel", "Germany", "western"), ("Suez", "Germany", "Mediterranean"), ("Colombo", "Japan", "")]
    ports += [("Brest", "Germany", "western"), ("Tokyo", "Japan", "Pacific"), ("Manila", "United States", "Pacific")]
    start = {
        "at": "Axis Spring 1945",
        "politics": WAR,
        "targets": TARGETS,
        "air_bases": {
            "western": ["Germany", "Britain", "United States"],
            "Mediterranean": ["Germany", "Britain", "Italy"],
            "eastern": ["Germany", "Russia"],
            "Southeast Asian": ["Japan", "United States"],
            "Pacific": ["Japan", "United States"],
        },
        "research": research,
        "rocket_bases": {"Germany": [{"id": "V1", "range": 5}]},
        "yards": [
            {"name": name, "power": "Germany", "yard": "Kiel", "size": size, "row": row, "column": column}
            for name, size, row, column in ships
        ],
        "ports": [
            {"name": name, "holder": holder, "front": front, "fully_supplied": random.random() < 0.7}
            for name, holder, front in ports
        ],
        "brps": {"Britain": 60, "Germany": 60, "Russia": 40, "Japan": 30, "United States": 99},
        "construction": {"Britain": 40, "Germany": 40, "Russia": 30, "Japan": 20, "United States": 60},
        "shipbuilding": {"Britain": 4, "Germany": 5, "Japan": 3, "United States": 9},
        "ireland": random.choice([6, 7]),
        "cards": {
            name: {"submarine": random.randint(0, 3), "asw": random.randint(0, 3)}
            for name in ("Ultra: Germany", "Magic: Japan")
        },
    }
    more = {"at": "Axis Summer 1945", "rocket_bases": {"Germany": [{"id": name, "range": 5} for name in ("V1", "V2")]}}
    return setup(start, more, places=places, begin="Spring 1945", end="Winter 1945")


def owner(hex: TargetHex) -> str:
    return hex.target.controller or hex.target.country


class Reckoning:
    """What was said before an event, and what it must then be."""

    def __init__(self) -> None:
        self.committed: dict[tuple[str, str], ev.SubmarinesCommitted] = {}
        self.modifiers: dict[tuple[str, str], int] = {}
        self.strikes: list[tuple[tuple[int, int], int]] = []
        self.fronts: dict[tuple[str, str], set[str]] = {}
        self.later: dict[str, int] = {}
        self.seen: Counter[str] = Counter()

    def take(self, war: War, event: Any) -> None:
        check = getattr(self, f"of_{type(event).__name__}", None)
        if check is not None:
            self.seen[type(event).__name__] += 1
            check(war, event)
        if not isinstance(event, ev.LaterRaidMet):
            self.later = {}

    def of_UnitsBuilt(self, war: War, event: ev.UnitsBuilt) -> None:
        ships = [n for name, n in event.units.items() if name.endswith(("submarine", "ASW", "transport"))]
        assert (event.brps, event.shipbuilding) == (3 * sum(event.units.values()), sum(ships))

    # -- submarines -------------------------------------------------------------------------------

    def of_SubmarinesCommitted(self, war: War, event: ev.SubmarinesCommitted) -> None:
        self.committed[event.power, event.box] = event

    def of_SubmarineWarfareCounted(self, war: War, event: ev.SubmarineWarfareCounted) -> None:
        power, box = event.power, event.box
        defenders = ("Japan",) if power == "United States" else ("Britain", "United States")
        cards = war.cards.get(CAMPAIGN[power])
        self.modifiers[power, box] = reference.submarine_modifier(
            power,
            box,
            mine=msgspec.structs.asdict(war.levels(faction_of(power))),
            theirs=msgspec.structs.asdict(war.levels(faction_of(defenders[0]))),
            carriers=sum(war.ready(box).get(f"{nation} CVE", 0) for nation in defenders),
            ports={
                p.name for p in war.ports.values() if p.fully_supplied and faction_of(p.holder) == faction_of(power)
            },
            war_phase=war.war_phases,
            ireland=war.ireland,
            cards=(cards.submarine, cards.asw) if cards else (0, 0),
        )
        assert event.modifier.total == self.modifiers[power, box], event.modifier

    def of_SubmarineWarfareRolled(self, war: War, event: ev.SubmarineWarfareRolled) -> None:
        key, struck, attack = (event.power, event.box), event.struck, sum(event.attacker_dice)
        self.strikes.append((tuple(struck.attacker_result), struck.additional))
        if event.rule == "25.73":
            assert tuple(struck.attacker_result) == reference.table(3 * struck.additional, attack)
            assert not event.defender_dice and not struck.eliminated
            return
        said = self.committed[key]
        result, fate, more = reference.through(
            said.submarines, said.asw, self.modifiers[key], attack, sum(event.defender_dice)
        )
        assert tuple(struck.attacker_result) == result and (struck.eliminated, struck.aborted) == fate
        assert (struck.additional_from_modifier, struck.additional_from_reaching) == more

    def of_ShippingStruck(self, war: War, event: ev.ShippingStruck) -> None:
        nations = ("Japan",) if event.owner == "Japan" else ("Britain", "United States")
        asw, carriers = (sum(war.present(event.box, f"{each} {kind}") for each in nations) for kind in ("ASW", "CVE"))
        first = sum(result[0] for result, _ in self.strikes)
        second = sum(result[1] for result, _ in self.strikes)
        more = sum(each for _, each in self.strikes)
        transports = war.present(event.box, f"{event.owner} transport")
        told = event.toll
        assert reference.toll(transports, asw, carriers, first, second, more) == (
            *(told.sunk, told.damaged, told.undamaged_left),
            *(told.asw_lost, told.escort_carriers_lost),
        )
        assert apply_war(war, event).present(event.box, f"{event.owner} transport") == told.undamaged_left
        self.strikes = []

    # -- bombers ----------------------------------------------------------------------------------

    def of_RaidAnnounced(self, war: War, event: ev.RaidAnnounced) -> None:
        fronts = {key.rsplit(", ", 1)[1] for key in event.force}
        self.fronts.setdefault((event.power, event.target), set()).update(fronts)

    def of_LaterRaidMet(self, war: War, event: ev.LaterRaidMet) -> None:
        self.later = event.defenders

    def of_RaidAirCombat(self, war: War, event: ev.RaidAirCombat) -> None:
        for told, order in ((event.attacker, reference.ATTACKING), (event.defender, reference.DEFENDING)):
            sizes = {g: told.eliminated[g] + told.aborted[g] + told.remaining[g] for g in told.remaining}
            numbers = sum(told.eliminated.values()), sum(told.aborted.values())
            assert [told.eliminated, told.aborted] == reference.shared(sizes, order, *numbers)
        flying = self.later or war.defending[event.target]
        values, radar, jets = [], [], 0
        for key, number in flying.items():
            name = key.rsplit(", ", 1)[0]
            nation = next(each for each in reference.AIR if name.startswith(each))
            values.append(reference.AIR[nation] + name.endswith("interceptor"))
            radar.append(war.levels(faction_of(nation)).radar)
            jets += number * name.endswith("jet")
        mine = {line.reason: line.amount for line in event.modifier.lines}
        assert mine.pop("the attacker's Air Nationality DRM") - reference.AIR[event.power] in (0, 1)
        mine.pop("jets of the bomber force", 0)
        theirs = (("the defender's Air Nationality DRM", min(values)), ("intercepting jets", jets))
        theirs += (("the defender's radar", min(radar)),)
        assert mine == {reason: -amount for reason, amount in theirs if amount}

    def of_RaidBombed(self, war: War, event: ev.RaidBombed) -> None:
        hex, modifier, told = war.targets[event.target], event.modifier.total, event.toll
        theatre = "Europe" if hex.front in EUROPE else "Pacific"
        mine, theirs = war.levels(faction_of(event.power)), war.levels(faction_of(owner(hex)))
        ways = [
            hex.distances[event.power if front == hex.front else f"{event.power}, {front}"]
            for front in self.fronts[event.power, event.target]
        ]
        assert modifier in [
            reference.bomber_modifier(theatre, mine.air_range, way, mine.bombers, theirs.air_defense) for way in ways
        ]
        defense = reference.strength(hex.target.kind, msgspec.structs.asdict(hex.defences))
        bombers = sum(sum(part.values()) for part in (told.eliminated, told.aborted, told.remaining))
        result, fate, more = reference.through(
            bombers, defense, modifier, sum(event.attacker_dice), sum(event.defender_dice)
        )
        assert (sum(told.eliminated.values()), sum(told.aborted.values())) == fate
        if hex.target.kind == "shipyard":
            assert (event.damage, event.yard) == (0, (result[0] + sum(more), result[1]))
        else:
            assert event.damage == 3 * result[0] + result[1] + 3 * sum(more)

    def of_SalvosFired(self, war: War, event: ev.SalvosFired) -> None:
        hex = war.targets[event.target]
        theirs, flying = war.levels(faction_of(owner(hex))), war.defending.get(event.target, {})
        stopped = sum(number * (4 if key.rsplit(", ", 1)[0].endswith("jet") else 1) for key, number in flying.items())
        stopped += reference.strength(hex.target.kind, msgspec.structs.asdict(hex.defences))
        relative = reference.AIR[event.power] - reference.AIR[owner(hex)]
        bombs = reference.flying_bombs(event.salvos, relative, theirs.radar, theirs.air_defense, stopped)
        assert event.damage == (bombs if event.kind == "flying bombs" else 5 * event.salvos)

    def of_BombingTold(self, war: War, event: ev.BombingTold) -> None:
        self.fronts = {}
        limits: Counter[str] = Counter()
        losses: Counter[str] = Counter()
        thirds: Counter[str] = Counter()
        for name, damage in war.damage.items():
            hex = war.targets[name]
            if hex.target.kind in ("shipyard", "rocket base") or name in event.eliminated:
                continue
            lost = reference.capped(10 if name == "India box" else hex.value, damage)
            losses[owner(hex)] += sum(lost.values())
            if hex.target.key_economic_area or hex.target.ic or hex.target.kind == "box":
                for power in (owner(hex), "India") if name == "India box" else (owner(hex),):
                    thirds[power] += lost["bombers"] + lost["flying bombs"]
                    limits[power] += lost["rockets"]
                limits["Germany"] -= (lost["flying bombs"] + lost["rockets"]) * (owner(hex) in ("Britain", "Russia"))
            burns = hex.target.kind == "city" and hex.target.country != "Italy" and not hex.markers
            after = next((each for each in event.targets if each.name == name), hex)
            burnt = burns and sum(damage.get(source, 0) for source in ("bombers", "flying bombs", "rockets")) >= 25
            assert ("firestorm" in after.markers) == (burnt or "firestorm" in hex.markers), name
        limits.update({power: number // 3 for power, number in thirds.items()})
        assert {power: n for power, n in event.construction.items() if n} == {p: n for p, n in limits.items() if n}
        repaired = 9 * len(war.damage)  # 26.62B, 26.72D: no more than nine for each
        given_up = sum(war.targets[name].ic_loss or 0 for name in event.eliminated)
        for power in {*losses, *event.brps}:
            assert losses[power] <= event.brps.get(power, 0) <= losses[power] + repaired + given_up
        self.yards(war, event)

    def yards(self, war: War, event: ev.BombingTold) -> None:
        before = {ship.name: ship for ship in war.yards}
        moved = {ship.name: (ship.column, ship.row) for ship in event.yards}
        due = war.damage.get("Kiel", {})
        columns = 2 * due.get("1/0", 0) + due.get("0/1", 0)
        season = war.now.turn.season
        for name, place in moved.items():
            ship = before[name]
            ways = [reference.yard(ship.column, ship.row, each, season) for each in range(1, columns + 1)]
            assert place in ways and place[1] <= ship.size
        for name in event.sunk_in_yard:
            ship = before[name]
            assert reference.yard(ship.column, ship.row, columns, season)[1] > ship.size


def compared(seed: int) -> Counter[str]:
    """One war, event by event; how often each kind of event was compared."""
    random = Random(seed)
    game = Game.new(a_war(random), dice=SeededDice(seed), key="00" * 16)
    bot = RandomBot(random)
    while not game.over:
        game.advance()
        for side in Side:
            decision = game.decision(side)
            if decision:
                game.submit(side, bot.choose(game.picture(side), decision))
                break
    war, reckoning = War(), Reckoning()
    for event in game.events():
        reckoning.take(war, event)
        war = apply_war(war, event)
    return reckoning.seen


@pytest.mark.ledger(
    "24.43.1", "24.43.2", "24.631A", "24.64A", "24.64B", "24.64C", "24.65A", "24.65B", "25.61", "26.454.1"
)
@pytest.mark.ledger(
    "26.461B.2", "26.463", "26.651A", "26.651B", "26.653C", "26.71A.1", "26.71B.1", "26.761C.1", "26.91"
)
def test_wars_are_as_a_second_reckoning_has_them() -> None:
    seen = sum((compared(seed) for seed in range(WARS)), Counter[str]())
    checks = [name.removeprefix("of_") for name in vars(Reckoning) if name.startswith("of_")]
    assert min(seen[name] for name in checks) > 0, seen


@pytest.mark.long
def test_many_wars_are_as_a_second_reckoning_has_them() -> None:
    for seed in range(WARS, WARS + LONG):
        compared(seed)
