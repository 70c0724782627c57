"""Submarine attacks against a second resolver, written from the rules text alone in plain integers, on the same dice.

Random attacks, in battle and outside it, are made by the procedure, question by question; half of the answers are drawn
from what the questions offer, which the second resolver must find legal, half from what the rules allow, which the
procedure must accept. Where the public question can be asked, decisions and dice go through it as well.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from flagplot import api
from flagplot.core.asks import Decide
from flagplot.core.forms import Wire
from flagplot.core.runner import Runner
from flagplot.core.sides import Side
from flagplot.editions.current import ruleset
from flagplot.model import air_events as air
from flagplot.model import events as sea
from flagplot.model.forces import Cargo, CombatGroup
from flagplot.model.state import Battle, Fleet
from flagplot.rules.naval.submarines import attack_with_submarines, submarines_go_home
from flagplot.rules.table import Table
from tests.differential.random_forces import NATIONS, Json, compared, random_light, random_ships, ship_of, stowing
from tests.differential.reference_strike import Counts, without_zeros
from tests.differential.reference_submarine import CATEGORIES, SW_BOXES, eligible_places, resolve

BATCHES, EACH, LONG = 4, 550, 40_000
SUBMARINES = {
    Side.AXIS: ("Japan/SUB", "Germany/SUB", "Germany/SUB/advanced", "Italy/SUB"),
    Side.ALLIES: ("United States/SUB", "Britain/SUB", "Russia/SUB"),
}
RULES = {
    "22.9411": "nationality",
    "22.9412": "research",
    "22.9413": "air",
    "22.9414": "destroyers",
    "22.9415": "excess ASW",
    "22.9416": "earlier attacks",
    "22.9417": "damaged or hampered",
    "22.9418": "codebreaking",
}
COMMON = {
    *(f"{name} {amount:+}" for name in ("nationality", "research", "air") for amount in (-2, -1, 1, 2)),
    *(f"{name} {amount:+}" for name in ("destroyers", "excess ASW", "earlier attacks") for amount in (-2, -1)),
    *("earlier attacks -3", "earlier attacks -4", "damaged or hampered +1", "codebreaking -1", "codebreaking +1"),
    *("advanced submarine", "overall limit", "owner's order of submarines", "choice among ships", "submarine lost"),
    *(f"{category} of {number}" for category in CATEGORIES for number in (1, 2, 3)),
    *("0 hits", "1 hits", "2 hits", "3 hits", "ship hit", "ship damaged", "ship sunk", "damaged ship sunk"),
    *("losses may be shifted", "losses shifted", "losses shifted in part", "target gone", "supply line cut"),
    *("waited with a target", "waited without a target", "cargo lost", "cargo loaded", "asked in public"),
    *("CA damaged", *(f"{form} sunk" for form in ("CA", "CA/damaged", "DD", "DD/loaded", "CVE", "TR", "TR/loaded"))),
}
RARE = {"nationality -4", "nationality +4", "cargo unloaded"}
BOXES = {Side.AXIS: ("Pacific",), Side.ALLIES: SW_BOXES}  # where a side may have excess ASW (22.9415B)
PORTS = ("Home", "Other home", "Far port")


# -- situations ----------------------------------------------------------------------------------------------


def random_group(random: Random, side: Side, number: int) -> Json:
    """A combat group, now and then a bare supply line."""
    light, cargo = ({}, []) if random.random() < 0.15 else random_light(random, side)
    ships = random_ships(random, side, random.choice([0, 0, 1, 2, 3, 5]))
    for ship in ships:
        ship["id"] = f"{ship['id']} of {number}"
        if ship["kind"].startswith("CV"):
            ship["air"] = random.choice([ship["size"], ship["size"], random.randrange(0, ship["size"] + 1)])
    supply = not cargo and random.random() < 0.2
    if not ships and not light and not (supply and random.random() < 0.3):
        light = {f"{NATIONS[side][0]}/DD": random.randrange(1, 8)}
    return {
        "number": number,
        "ships": ships,
        "light": light,
        "cargo": cargo,
        "supply": supply,
        "hampered": random.random() < 0.1,
        "found": random.choice([0, 1, 2]),
        "fought": random.random() < 0.3,
        "base": random.choice(["", "Home"]),
        "origins": random.choice([[], [], ["Other home"]]),
        "earlier": random.choice([0, 0, 0, 0, 1, 2]),
    }


def random_fleet(random: Random, side: Side, groups: int, submarines: bool) -> Json:
    """One side: its groups, submarines and inputs."""
    kinds = random.sample(SUBMARINES[side], random.choice([1, 1, 2, 3])) if submarines else []
    nation = random.choice(NATIONS[side])
    places = [*PORTS, *SW_BOXES]
    return {
        "submarines": {key: random.randrange(1, 4) for key in kinds},
        "research": {"torpedo": random.choice([0, 0, 1, 3]), "ASW": random.choice([0, 0, 1, 2, 4])},
        "searching": random.choice([0, 0, 1, 2, 3, 4, 6, 9, 12]),
        "tactical": random.choice([0, 0, 0, 1]),
        "codebreaking": random.choice([0, 0, 0, 1, -1]),
        "excess_asw": {box: random.choice([0, 1, 2, 4, 9]) for box in BOXES[side] if random.random() < 0.7},
        "impaired_ships": [name for name in sorted(set(NATIONS[side])) if random.random() < 0.12],
        "elsewhere": {
            place: {f"{nation}/DD": random.randrange(1, 3), "Greece/DD": random.randrange(0, 2)}
            for place in random.sample(places, random.choice([0, 0, 1, 2]))
        },
        "groups": [random_group(random, side, number) for number in range(1, groups + 1)],
    }


def random_situation(random: Random) -> Json:
    """Submarines on one side or both, in a battle or alone."""
    side = random.choice([Side.AXIS, Side.AXIS, Side.ALLIES])
    battle = random.random() < 0.4
    both = battle and random.random() < 0.5
    theatre = random.choice(["Pacific", "Europe"])
    return {
        "kind": "naval battle" if battle else "submarine attack",
        "interceptor": side,
        "theatre": theatre,
        "western_front": theatre == "Europe" and random.random() < 0.5,
        "fleets": {
            side: random_fleet(random, side, int(both), True),
            side.enemy: random_fleet(random, side.enemy, random.choice([1, 1, 1, 2]), both),
        },
    }


def table_for(given: Json) -> Table:
    """The table before any submarine attacks."""
    fleets = {}
    for side, told in given["fleets"].items():
        groups = [
            CombatGroup(
                group["number"],
                f"CG{group['number']}",
                tuple(ship_of(ship) for ship in group["ships"]),
                group["light"],
                tuple(Cargo(**unit) for unit in group["cargo"]),
                group["supply"],
                base=group["base"],
                origins=tuple(group["origins"]),
                unladen=group["hampered"],
                found=group["found"],
                fought=group["fought"],
                submarine_attacks=group["earlier"],
            )
            for group in told["groups"]
        ]
        fleets[side] = Fleet(
            side.value,
            told["tactical"],
            impaired=tuple(told["impaired_ships"]),
            groups=tuple(groups),
            research=told["research"],
            searching=told["searching"],
            submarines=told["submarines"],
            submarine_codebreaking=told["codebreaking"],
            excess_asw=told["excess_asw"],
            destroyers_elsewhere={
                place: {k: n for k, n in counts.items() if n} for place, counts in told["elsewhere"].items()
            },
        )
    battle = Battle(
        kind=given["kind"],
        theatre=given["theatre"],
        interceptor=given["interceptor"],
        fleets=fleets,
        submarines=True,
        western_front=given["western_front"],
    )
    return Table(ruleset(), battle)


# -- answering -----------------------------------------------------------------------------------------------


class Notes:
    """Answers questions at random and writes the decisions down in the second resolver's words."""

    def __init__(self, random: Random, given: Json, table: Table) -> None:
        self.random, self.given, self.table = random, given, table
        self.submarine_order = {
            side: random.sample(sorted(told["submarines"]), len(told["submarines"]))
            for side, told in given["fleets"].items()
        }
        self.loss_order: dict[Side, list[str]] = {}
        for side, told in given["fleets"].items():
            forms = {key.removesuffix("/damaged").removesuffix("/loaded") for g in told["groups"] for key in g["light"]}
            keys = sorted(f"{key}{state}" for key in forms for state in ("", "/damaged", "/loaded"))
            self.loss_order[side] = random.sample(keys, len(keys))
        self.announced: dict[Side, dict[int, Counts]] = {side: {} for side in Side}
        self.shifts: set[int] = set()  # the attacks after which the owner was asked whether to shift losses
        self.script: list[Json] = []

    def answer(self, decision: Decide) -> Wire:
        """Answer a question and remember what was said."""
        wire = self._answer(decision)
        self.script.append([decision.side.value, decision.kind, wire])
        return wire

    def _answer(self, decision: Decide) -> Wire:
        orders = {"submarine order": self.submarine_order, "loss order": self.loss_order}
        if decision.kind in orders:
            ranked = sorted((item.key for item in decision.form.items), key=orders[decision.kind][decision.side].index)
            return {key: str(rank) for rank, key in enumerate(ranked, start=1)}
        wire = decision.form.sample(self.random)
        mine = {"submarines": self._announce, "shift losses": self._shift}.get(decision.kind)
        if mine and self.random.random() < 0.5:
            wire = mine(decision)
        cells = decision.read(wire).cells
        if decision.kind == "submarines":
            for key, places in cells.items():
                for place, count in places.items():
                    if place != "wait":
                        self.announced[decision.side].setdefault(int(place.removeprefix("CG")), {})[key] = count
        elif decision.kind == "shift losses":
            self.shifts.add(sum(isinstance(event, air.TorpedoesFired) for event in self.table.log) - 1)
        elif decision.kind == "submarine target":
            self._check_targets(decision)
        return wire

    def _announce(self, decision: Decide) -> Wire:
        """Any groups the rules let submarines attack; those that intercepted must attack, in battle they may wait."""
        alone = self.given["kind"] == "submarine attack"
        groups = self.given["fleets"][decision.side.enemy]["groups"]
        legal = [f"CG{group['number']}" for group in groups if alone or group["found"] or group["fought"]]
        choices = legal if alone else ["wait", *legal, *legal]
        told: Json = {}
        for item in decision.form.items:
            told[item.key] = dict(Counter(self.random.choice(choices) for _ in range(item.amount)))
        return told

    def _group(self, decision: Decide, side: Side) -> CombatGroup:
        return self.table.battle.fleets[side].group(int(decision.about.removeprefix("CG")))

    def _shift(self, decision: Decide) -> Wire:
        """Losses to any destroyers elsewhere that the rules name."""
        group = self._group(decision, decision.side)
        told = {"base": group.base, "origins": group.origins, "supply": group.supply}
        places, any_port = eligible_places(told)
        left = {
            f"{place}|{key}": count
            for place, counts in self.table.battle.fleets[decision.side].destroyers_elsewhere.items()
            for key, count in counts.items()
            if any_port or place in places
        }
        wire: dict[str, Counts] = {}
        for item in decision.form.items:
            for _ in range(item.amount):
                free = ["here", *(name for name, count in left.items() if count)]
                chosen = self.random.choice(free[-3:])
                wire.setdefault(item.key, {})[chosen] = wire.get(item.key, {}).get(chosen, 0) + 1
                if chosen != "here":
                    left[chosen] -= 1
        return wire

    def _check_targets(self, decision: Decide) -> None:
        """A submarine may choose among all ships afloat of the category it met."""
        group = self._group(decision, decision.side.enemy)
        met = next(e for e in reversed(self.table.log) if isinstance(e, air.SubmarineCategoryRolled))
        carriers = met.category == "fast carriers"
        ships = {ship.id for ship in group.ships if ship.is_carrier == carriers}
        assert {place.key for place in decision.form.places} == ships


# -- both resolvers on the same dice ------------------------------------------------------------------------------


def attack(random: Random, given: Json) -> tuple[Table, Notes, list[int]]:
    """Let the procedure make the attacks: the table, the decisions, and the dice."""
    table = table_for(given)
    notes = Notes(random, given, table)
    dice: list[int] = []

    async def attacks() -> None:
        await attack_with_submarines(table)
        submarines_go_home(table)

    runner = Runner(attacks())
    while not runner.over:
        due = runner.roll_due()
        if due:
            thrown = [random.randint(1, 6) for _ in range(due.dice)]
            dice += thrown
            runner.roll(thrown)
            continue
        for side in Side:
            decision = runner.decision_for(side)
            if decision:
                runner.answer(side, notes.answer(decision))
                break
    return table, notes, dice


def reference_input(given: Json, notes: Notes, dice: list[int], log: list[Any]) -> Json:
    """The situation and the decisions in the second resolver's words."""
    return {
        **{key: given[key] for key in ("kind", "theatre", "western_front")},
        "sides": [given["interceptor"].value, given["interceptor"].enemy.value],
        "fleets": {
            side.value: {
                **told,
                "announced": notes.announced[side],
                "submarine_order": notes.submarine_order[side],
                "loss_order": notes.loss_order[side],
            }
            for side, told in given["fleets"].items()
        },
        "targets": [e.target for e in log if isinstance(e, air.TorpedoesFired) and e.target != "light"],
        "shifts": {n: each["shifted"] for n, each in enumerate(steps(log)) if "shifted" in each},
        "stowing": stowing(log),
        "dice": dice,
    }


def steps(log: list[Any]) -> list[Json]:
    """The attacks of the procedure one by one, in the second resolver's words."""
    told: list[Json] = []
    for event in log:
        if isinstance(event, air.SubmarineCategoryRolled):
            told.append(
                {
                    "side": event.side.value,
                    "group": event.number,
                    "category dice": list(event.dice),
                    "category": event.category,
                }
            )
        elif isinstance(event, air.TorpedoesFired):
            lines: Counter[str] = Counter()
            for line in event.modifiers.lines:
                lines.update({RULES[line.rule]: line.amount} if line.rule in RULES else {})
            told[-1] |= {
                "lines": without_zeros(dict(lines)),
                "submarine": event.submarine,
                "target": event.target,
                "modifier": event.modifiers.total,
                "dice": list(event.dice),
                "hits": event.hits,
                "lost": event.submarine_lost,
            }
        elif isinstance(event, sea.ShipHit):
            told[-1]["fate"] = event.fate
        elif isinstance(event, sea.LightShipsHit):
            told[-1]["light"] = {"sunk": event.sunk, "damaged": event.damaged}
        elif isinstance(event, air.LossesShifted):
            told[-1]["shifted"] = {"saved": event.saved, "lost": event.lost}
    return told


def ends(table: Table, side: Side) -> Json:
    """What is left of one side."""
    fleet = table.battle.fleets[side]
    home: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
    for event in table.log:
        if isinstance(event, air.SubmarinesReturned) and event.side is side:
            home[event.inverted].update(event.submarines)
    return {
        "groups": {
            group.number: {
                "ships": {ship.id: (ship.damaged, ship.hits) for ship in group.ships},
                "light": group.light,
                "cargo": {unit.name: unit.needs for unit in group.cargo},
            }
            for group in fleet.groups
        },
        "cut": fleet.line_cut,
        "elsewhere": {place: counts for place, counts in fleet.destroyers_elsewhere.items() if counts},
        "lost": fleet.submarines_lost,
        "home": {inverted: dict(counts) for inverted, counts in home.items()},
    }


def expected_ends(expected: Json, given: Json, side: Side) -> Json:
    """The same as the second resolver has it; groups of which nothing is left are gone."""
    groups = expected["groups"][side.value]
    supply = {group["number"]: group["supply"] for group in given["fleets"][side]["groups"]}
    return {
        "groups": {
            number: {key: group[key] for key in ("ships", "light", "cargo")}
            for number, group in groups.items()
            if group["ships"] or group["light"] or (supply[number] and not group["cut"])
        },
        "cut": any(group["cut"] for group in groups.values()),
        "elsewhere": expected["elsewhere"][side.value],
        "lost": expected["lost"][side.value],
        "home": expected["home"][side.value],
    }


def compare(seed: int) -> Counter[str]:
    """Put a random situation through both resolvers, compare every step, and say which steps were reached."""
    random = Random(seed)
    given = random_situation(random)
    table, notes, dice = attack(random, given)
    expected = resolve(reference_input(given, notes, dice, table.log))
    for ours, theirs in zip(steps(table.log), expected["attacks"], strict=True):
        assert ours == theirs, f"seed {seed}"
    for side in Side:
        ours, theirs = ends(table, side), expected_ends(expected, given, side)
        for key in ours:
            assert ours[key] == theirs[key], f"seed {seed}: {side} {key}"
    assert expected["dice left"] == 0, f"seed {seed}"
    assert expected["may shift"] <= notes.shifts, f"seed {seed}: not asked whether to shift losses"
    reached = Counter(expected["reached"])
    if asks_the_public_question(given):
        ask_the_public_question(seed, given, notes, dice, expected)
        reached["asked in public"] += 1
    return reached


def asks_the_public_question(given: Json) -> bool:
    """Whether the public question can be asked of a situation: Axis submarines alone, one group, nothing earlier."""
    if given["kind"] != "submarine attack" or given["interceptor"] is not Side.AXIS:
        return False
    groups = given["fleets"][Side.ALLIES]["groups"]
    return len(groups) == 1 and not groups[0]["earlier"] and not groups[0]["origins"]


def ask_the_public_question(seed: int, given: Json, notes: Notes, dice: list[int], expected: Json) -> None:
    """The same attacks through the public question, with all decisions and dice given beforehand."""
    seas = {}
    for side, told in given["fleets"].items():
        seas[side] = {key: told[key] for key in ("research", "searching", "tactical", "codebreaking", "excess_asw")}
        seas[side] |= {"impaired": told["impaired_ships"], "destroyers_elsewhere": told["elsewhere"]}
    (group,) = given["fleets"][Side.ALLIES]["groups"]
    wanted = {
        "submarines": given["fleets"][Side.AXIS]["submarines"],
        "target": {key: value for key, value in group.items() if key not in ("origins", "earlier")},
        "attacker": seas[Side.AXIS],
        "defender": seas[Side.ALLIES],
        "theatre": given["theatre"],
        "western_front": given["western_front"],
    }
    told = api.call("submarine_attack", wanted, dice=dice, decisions=notes.script)
    attacks = expected["attacks"]
    assert told["categories"] == [each["category"] for each in attacks], f"seed {seed}"
    assert told["category_dice"] == [each["category dice"] for each in attacks], f"seed {seed}"
    for ours, theirs in zip(told["attacks"], attacks, strict=True):
        for key in ("submarine", "target", "modifier", "dice", "hits"):
            assert ours[key] == theirs[key], f"seed {seed}: {key}"
        assert ours["submarine_lost"] == theirs["lost"], f"seed {seed}"
    assert told["ships"] == {each["target"]: each["fate"] for each in attacks if "fate" in each}, f"seed {seed}"
    assert told["light"] == [each["light"] for each in attacks if "light" in each], f"seed {seed}"
    assert told["shifted"] == [each["shifted"] for each in attacks if "shifted" in each], f"seed {seed}"
    assert told["supply_line_cut"] == expected["groups"]["allies"][group["number"]]["cut"], f"seed {seed}"
    home = {each["inverted"]: each["submarines"] for each in told["returned"]}
    assert home == {key: counts for key, counts in expected["home"]["axis"].items() if counts}, f"seed {seed}"
    assert told["dice_used"] == len(dice), f"seed {seed}"


# -- the tests ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("batch", range(BATCHES))
def test_submarine_attacks_and_second_resolver_agree_step_by_step(batch: int) -> None:
    reached = compared(compare, range(batch * EACH, (batch + 1) * EACH))
    assert set(reached) >= COMMON, f"never reached: {COMMON - set(reached)}"


@pytest.mark.long
@pytest.mark.parametrize("part", range(4))
def test_submarine_attacks_and_second_resolver_agree_in_a_long_campaign(part: int) -> None:
    reached = compared(compare, range(1_000_000 + part * LONG, 1_000_000 + (part + 1) * LONG))
    assert set(reached) >= COMMON | RARE, f"never reached: {(COMMON | RARE) - set(reached)}"


def fleet(**told: Any) -> Json:
    """One side of which nothing but this is said."""
    numbers = {"searching": 0, "tactical": 0, "codebreaking": 0}
    empty: Json = {"submarines": {}, "announced": {}, "research": {}, "excess_asw": {}, "elsewhere": {}, "groups": []}
    orders: Json = {"impaired_ships": [], "submarine_order": [], "loss_order": []}
    return {**numbers, **empty, **orders, **told}


def worked_case(submarine: str, group: Json, dice: list[int], axis: Json | None = None, **allies: Any) -> Json:
    """One submarine on the light ships of a group outside battle, through the second resolver alone."""
    attacker = fleet(submarines={submarine: 1}, announced={1: {submarine: 1}}, submarine_order=[submarine])
    defender = fleet(groups=[{"number": 1, "ships": [], "cargo": [], **group}])
    stowed: list[Json] = allies.pop("stowing", [])
    return resolve(
        {
            "kind": "submarine attack",
            "theatre": "Pacific",
            "western_front": False,
            "sides": ["axis", "allies"],
            "fleets": {"axis": {**attacker, **(axis or {})}, "allies": {**defender, **allies}},
            "targets": [],
            "shifts": {},
            "stowing": stowed,
            "dice": dice,
        }
    )


def test_second_resolver_repeats_worked_cases() -> None:
    """NC-120, NC-124, NC-136 and NC-140 of the case file for naval combat."""
    light = {"United States/CA": 1, "United States/CA/damaged": 1, "United States/DD": 4}
    told = worked_case("Japan/SUB", {"light": light}, [4, 4], stowing=[{}])
    assert told["attacks"][0]["lines"] == {"nationality": 1, "destroyers": -1, "damaged or hampered": 1}
    assert (told["attacks"][0]["modifier"], told["attacks"][0]["hits"]) == (1, 3)
    assert told["groups"]["allies"][1]["light"] == {"United States/CA/damaged": 1, "United States/DD": 3}

    many = {"light": {"Britain/DD": 12}, "earlier": 3}
    told = worked_case("Germany/SUB/advanced", many, [1, 1], {"research": {"torpedo": 1}}, research={"ASW": 4})
    assert [(each["modifier"], each["hits"], each["lost"]) for each in told["attacks"]] == [(1, 0, False)]

    told = worked_case(
        "Japan/SUB", {"light": {"United States/DD": 1}}, [1, 1], excess_asw={"Pacific": 2, "Indian Ocean": 4}
    )
    assert told["attacks"][0]["lines"] == {"nationality": 1, "excess ASW": -2}

    carrier = {"nation": "United States", "kind": "CV", "size": 3}
    ships = [{"id": "full", "air": 3, **carrier}, {"id": "short", "air": 2, **carrier}]
    group = {"light": {"United States/CVE": 2}, "ships": ships}
    told = worked_case("Japan/SUB", group, [6, 1, 1], {"searching": 7}, searching=2, stowing=[{}])
    assert told["attacks"][0]["lines"]["air"] == 1


def test_excess_asw_of_japan_counts_in_the_pacific_box_only() -> None:
    """22.9415B names for Japan the Pacific box alone; the two boxes are combined for the Western Allies."""
    excess = {"Pacific": 2, "Indian Ocean": 4}
    assert api.call("excess_asw", {"excess": excess, "nation": "Japan"})["factors"] == 6
    assert api.call("excess_asw", {"excess": excess, "nation": "United States"})["factors"] == 2
