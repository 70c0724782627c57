"""Air strikes against a second resolver, written from the rules text alone in plain integers, on the same dice.

Random strikes are flown by the procedure, question by question; half of the answers are drawn from what the questions
offer, which the second resolver must find legal, half from what the rules allow, which the procedure must accept. The
decisions and dice then go through the public question as well.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from flagplot import api
from flagplot.core.asks import Decide
from flagplot.core.errors import PlayerError
from flagplot.core.forms import AtLeast, Wire
from flagplot.core.runner import Runner
from flagplot.core.sides import Audience, Side
from flagplot.editions.current import ruleset
from flagplot.model import air_events as air
from flagplot.model import events as sea
from flagplot.model.forces import Cargo, CombatGroup
from flagplot.model.squadrons import AirBase
from flagplot.model.state import Battle, Fleet
from flagplot.rules.air.strikes import air_strike
from flagplot.rules.table import Table
from tests.differential.random_forces import (
    BASES,
    NATIONS,
    Json,
    carrier_air,
    compared,
    merged,
    random_light,
    random_ships,
    random_squadrons,
    ship_of,
    stowing,
)
from tests.differential.reference_strike import (
    Counts,
    effect,
    less,
    may_strike_together,
    resolve,
    size_of,
    type_of,
    without_zeros,
)

BATCHES, EACH, LONG = 4, 550, 40_000
COMMON = {
    *(f"surprise {level}" for level in range(9)),
    *("patrol alone, bonus", "air combat without bonus", "more defenders than attackers", "kept out by surprise"),
    *("withheld", "withheld earlier", "second strike", "nobody left after air combat", "nobody left after air defense"),
    *("losses reach those that did not fight", "types equal in number", "squadrons of several bases in one type"),
    *("air defense level 0", "air defense level to 10", "air defense level over 10", "abort falls on kamikazes"),
    *("kamikaze draws a ship", "kamikaze draws light ships", "owner ranks ships before kamikazes"),
    *("naval air alone", "naval and other air", "other air", "squadrons without a target"),
    *(f"{state}ship {fate}" for state in ("", "hit ") for fate in ("missed", "hit", "damaged", "sunk")),
    *("damaged ship missed", "damaged ship sunk", "critical hit due", "group eliminated", "asked in public"),
    *("CA damaged", *(f"{form} sunk" for form in ("CA", "CA/damaged", "DD", "DD/loaded", "CVE", "TR", "TR/loaded"))),
}
RARE = {"over twenty defenders", "last ship stands in for light ships", "cargo lost", "cargo loaded", "cargo unloaded"}

# -- situations ----------------------------------------------------------------------------------------------


def random_strike(random: Random, side: Side, air_of: Json, surprise: bool) -> Counts:
    """A strike of legal size; one that is too large loses squadrons at random."""
    counts = carrier_air(random, side, random.choice([3, 6, 8]))
    if not surprise and random.random() < 0.75:
        if random.random() < 0.3:
            counts = {}
        counts |= random_squadrons(random, side, "attack", random.choice([1, 2, 4]))
    if side is Side.AXIS and not surprise and random.random() < 0.25:
        counts = {f"Japan/KAM@{base}": random.randrange(0, 5) for base in BASES[side]} | {"Japan/NAS": 1}
    counts = without_zeros(counts)
    while counts and not may_strike_together(counts, air_of):
        counts = less(counts, {random.choice(sorted(counts)): 1})
    return counts or {f"{NATIONS[side][0]}/NAS": random.randrange(1, 4)}


def random_situation(random: Random) -> Json:
    """A group at sea, what flies over it, and one or two strikes on it."""
    side = random.choice([Side.AXIS, Side.AXIS, Side.ALLIES])
    enemy = side.enemy
    huge = random.random() < 0.06
    light, cargo = ({}, []) if random.random() < 0.1 else random_light(random, enemy)
    number = random.randrange(8, 16) if huge else random.choice([0, 1, 2, 3, 4, 5])
    ships = random_ships(random, enemy, number)
    if not ships and not light:
        light = {f"{NATIONS[enemy][0]}/DD": 2}

    def shortages(mine: Side) -> list[str]:
        return [name for name in (*sorted(set(NATIONS[mine])), *BASES[mine]) if random.random() < 0.12]

    sides = {
        each: {"impaired_air": shortages(each), "winter_air": shortages(each) if random.random() < 0.2 else []}
        for each in Side
    }
    sides[enemy] |= {
        "impaired_ships": [name for name in sorted(set(NATIONS[enemy])) if random.random() < 0.12],
        "tactical": random.choice([0, 0, 0, 1]),
        "research": {"radar": random.choice([0, 0, 0, 1, 3]), "air defense": random.choice([0, 0, 1, 2, 4])},
    }
    surprises = [random.random() < 0.5, *([False] if random.random() < 0.35 else [])]
    crowd = random.random() < 0.04
    patrol = carrier_air(random, enemy, random.choice([0, 0, 1, 3]))
    cover = random_squadrons(random, enemy, "cover", 8 if crowd else random.choice([0, 0, 0, 1, 2]))
    return {
        "side": side,
        "sides": sides,
        "ships": ships,
        "light": light,
        "cargo": cargo,
        "found": random.choice([1, 1, 2, 2, 3, 4]),
        "patrol": without_zeros(patrol),
        "cover": without_zeros(cover),
        "strikes": [
            {"attackers": random_strike(random, side, sides[side], surprise), "surprise": surprise}
            for surprise in surprises
        ],
        "options": {"naval_air_bonus": random.random() > 0.08, "withheld_returns": random.random() < 0.08},
    }


def rule_options(given: Json) -> dict[str, str]:
    """The options in the words of the program."""
    options = {}
    if not given["options"]["naval_air_bonus"]:
        options["naval_air_bonus_at_sea"] = "off"
    if given["options"]["withheld_returns"]:
        options["withheld_air_returns"] = "yes"
    return options


def table_for(given: Json) -> Table:
    """The table with the group on it; nobody has struck yet."""
    side: Side = given["side"]
    group = CombatGroup(
        1,
        "CG1",
        tuple(ship_of(ship) for ship in given["ships"]),
        given["light"],
        tuple(Cargo(**unit) for unit in given["cargo"]),
        found=given["found"],
        patrol=given["patrol"],
        cover=given["cover"],
    )
    fleets = {}
    for each in Side:
        told = given["sides"][each]
        fleets[each] = Fleet(
            each.value,
            told.get("tactical", 0),
            impaired=tuple(told.get("impaired_ships", ())),
            impaired_air=tuple(told["impaired_air"]),
            winter_air=tuple(told["winter_air"]),
            research=told.get("research", {}),
            air_bases=tuple(AirBase(name) for name in BASES[each]),
            groups=(group,) if each is side.enemy else (),
        )
    return Table(ruleset(options=rule_options(given)), Battle(fleets=fleets, aircraft=True))


# -- answering -----------------------------------------------------------------------------------------------


class Notes:
    """Answers questions at random and writes the decisions down in the second resolver's words."""

    def __init__(self, random: Random, given: Json) -> None:
        self.random, self.given = random, given
        side: Side = given["side"]
        keys = {
            side: {key for strike in given["strikes"] for key in strike["attackers"]},
            side.enemy: {*given["patrol"], *given["cover"]},
        }
        self.owners = {
            each: {
                "type_order": self._mixed({type_of(key) for key in keys[each]}),
                "lost_first": self._mixed(keys[each]),
                "abort_first": self._mixed(keys[each]),
            }
            for each in Side
        }
        forms = [key.removesuffix("/damaged").removesuffix("/loaded") for key in given["light"]]
        self.loss_order = self._mixed({f"{key}{state}" for key in forms for state in ("", "/damaged", "/loaded")})
        self.kamikaze_order = self._mixed({ship["id"] for ship in given["ships"]})
        self.strikes: list[Json] = []
        self.scripts: list[list[Json]] = []  # the same as the public question takes them
        self.level = 0

    def _mixed(self, names: set[str]) -> list[str]:
        return self.random.sample(sorted(names), len(names))

    def begin(self, strike: Json) -> None:
        """A new strike."""
        more = {"engage": {}, "surprised": {}, "fight": {}, "targets": {}, "kamikazes": []}
        self.strikes.append({**strike, **more})
        self.scripts.append([])
        self.level = 0

    def answer(self, decision: Decide) -> Wire:
        """Answer a question and remember what was said."""
        wire = self._answer(decision)
        self.scripts[-1].append([decision.side.value, decision.kind, wire])
        return wire

    def _answer(self, decision: Decide) -> Wire:
        amounts = {item.key: item.amount for item in decision.form.items}
        owner = self.owners[decision.side]
        orders = {
            "air loss order": owner["type_order"],
            "loss order": self.loss_order,
            "kamikaze rank": self.kamikaze_order,
        }
        if decision.kind in orders:
            ranked = sorted(amounts, key=orders[decision.kind].index)
            return {key: str(rank) for rank, key in enumerate(ranked, start=1)}
        if decision.kind == "air losses":
            return self._losses(decision, amounts, owner)
        if decision.kind == "cargo":
            return decision.form.sample(self.random)  # what it came to is in the events
        wire = decision.form.sample(self.random)
        if self.random.random() < 0.5:
            wire = {"defend": self._defend, "fight": self._fight, "air targets": self._aim}[decision.kind](decision)
        cells = decision.read(wire).cells
        placed: dict[str, Counts] = {}
        for item, places in cells.items():
            for place, amount in places.items():
                placed.setdefault(place, {})[item] = amount
        strike = self.strikes[-1]
        if decision.kind == "defend":
            strike["engage"], strike["surprised"] = placed.get("engage", {}), placed.get("surprised", {})
        elif decision.kind == "fight":
            strike["fight"] = placed.get("fight", {})
        else:
            strike["targets"] = placed
        return wire

    def _draw(self, counts: Counts, number: int) -> Counts:
        """So many squadrons of these at random."""
        each = [key for key, count in counts.items() for _ in range(count)]
        return dict(Counter(self.random.sample(each, number)))

    def _defend(self, decision: Decide) -> Wire:
        """Any defenders the rules let engage: what surprise keeps out, then as many as the owner likes."""
        pool = {item.key: item.amount for item in decision.form.items}
        caught = self._draw(pool, min(effect(self.level, 4), size_of(pool)))
        free = less(pool, caught)
        engaged = self._draw(free, self.random.choice([size_of(free), self.random.randint(0, size_of(free))]))
        told = {key: {"engage": engaged.get(key, 0), "surprised": caught.get(key, 0)} for key in pool}
        return {
            key: {**without_zeros(told[key]), "hold": count - size_of(told[key])} if size_of(told[key]) else "hold"
            for key, count in pool.items()
        }

    def _fight(self, decision: Decide) -> Wire:
        """As many squadrons as defenders engage, any of them."""
        flying = {item.key: item.amount for item in decision.form.items}
        chosen = self._draw(flying, min(size_of(self.strikes[-1]["engage"]), size_of(flying)))
        return {key: {"fight": number} for key, number in chosen.items()}

    def _aim(self, decision: Decide) -> Wire:
        """Everything at one or two targets, as players do."""
        places = self.random.choices([place.key for place in decision.form.places if place.key != "none"], k=2)
        return {item.key: self.random.choice(places) for item in decision.form.items}

    @staticmethod
    def _losses(decision: Decide, amounts: Counts, owner: Json) -> Wire:
        """Which squadrons of a type are lost and which turn back: by their owner's two orders."""
        told: dict[str, Counts] = {key: {} for key in amounts}
        for place, order in (("lost", "lost_first"), ("aborts", "abort_first")):
            for limit in decision.form.limits:
                cells = [cell for cell in limit.cells if isinstance(limit, AtLeast) and cell[1] == place]
                need = limit.limit if cells else 0
                for key in sorted((cell[0] for cell in cells), key=owner[order].index):
                    part = min(need, amounts[key] - sum(told[key].values()))
                    told[key][place] = part
                    need -= part
        return {key: without_zeros(places) for key, places in told.items() if any(places.values())}


# -- both resolvers on the same dice ------------------------------------------------------------------------------


def fly(random: Random, given: Json) -> tuple[Table, Notes, list[list[Any]], list[int]]:
    """Let the procedure fly the strikes: the table, the decisions, the events of each strike, and the dice."""
    table = table_for(given)
    notes = Notes(random, given)
    dice: list[int] = []
    logs: list[list[Any]] = []
    for strike in given["strikes"]:
        if not table.battle.fleets[given["side"].enemy].groups:
            break
        notes.begin(strike)
        begun = len(table.log)
        table.record(
            air.StrikeAnnounced(
                rule="22.461",
                to=Audience.EVERYONE,
                side=given["side"],
                number=1,
                squadrons=strike["attackers"],
                surprise=strike["surprise"],
            )
        )
        runner = Runner(air_strike(table))
        while not runner.over:
            if table.battle.strike:
                notes.level = table.battle.strike.level
            due = runner.roll_due()
            if due:
                thrown = [random.randint(1, 6) for _ in range(due.dice)]
                dice += thrown
                runner.roll(thrown)
                continue
            asked = next(each for each in Side if runner.decision_for(each))
            decision = runner.decision_for(asked)
            assert decision
            if decision.kind == "air targets":
                (group,) = table.battle.fleets[given["side"].enemy].groups
                targets = {ship.id for ship in group.ships} | ({"light"} if group.light else set())
                assert {place.key for place in decision.form.places} == {*targets, "none"}
            runner.answer(asked, notes.answer(decision))
        logs.append(table.log[begun:])
        notes.strikes[-1]["kamikazes"] = [e.squadron for e in logs[-1] if isinstance(e, air.KamikazeTargetRolled)]
    return table, notes, logs, dice


def reference_input(given: Json, notes: Notes, dice: list[int], logs: list[list[Any]]) -> Json:
    """The situation and the decisions in the second resolver's words."""
    side: Side = given["side"]
    return {
        **{key: given[key] for key in ("ships", "light", "cargo", "found", "patrol", "cover", "options")},
        "attacker": {**given["sides"][side], **notes.owners[side]},
        "defender": {**given["sides"][side.enemy], **notes.owners[side.enemy]},
        "strikes": notes.strikes,
        "loss_order": notes.loss_order,
        "kamikaze_order": notes.kamikaze_order,
        "stowing": [each for log in logs for each in stowing(log)],
        "dice": dice,
    }


def steps(log: list[Any], side: Side) -> Json:
    """One strike of the procedure, step by step, in the second resolver's words."""
    enemy = side.enemy
    told: Json = {
        "attacks": [],
        "critical": [e.ship for e in log if isinstance(e, air.CriticalHitDue)],
        "drawn": [],
        "revealed": False,
    }
    guns = next((n for n, event in enumerate(log) if isinstance(event, air.AirDefenseRolled)), len(log))
    losses = [[e for e in part if isinstance(e, air.StrikersLost)] for part in (log[:guns], log[guns:])]
    told["engaged"] = merged([e for e in log if isinstance(e, air.DefendersEngaged)], "squadrons")
    for event in log:
        if isinstance(event, air.SurpriseRolled):
            told["surprise"] = {"die": event.dice[0], "level": event.level}
        elif isinstance(event, air.AirCombatJoined):
            told["air combat"] = {"fighting": event.fighting}
        elif isinstance(event, air.AirCombatFought):
            both = (side, enemy)
            told["air combat"] |= {
                "rows": tuple(event.rows[each] for each in both),
                "net": event.modifiers.total,
                "dice": tuple(list(event.dice[each]) for each in both),
                "results": tuple((event.eliminated[each], event.aborted[each]) for each in both),
                "defenders lost": merged([e for e in log if isinstance(e, air.DefendersLost)], "lost"),
                "lost": merged(losses[0], "lost"),
                "aborted": merged(losses[0], "aborted"),
            }
        elif isinstance(event, air.AirDefenseRolled):
            told["air defense"] = {
                "level": event.level,
                "dice": list(event.dice),
                "result": (event.eliminated, event.aborted),
                "lost": merged(losses[1], "lost"),
                "aborted": merged(losses[1], "aborted"),
            }
        elif isinstance(event, sea.GroupRevealed):
            told["revealed"] = True
        elif isinstance(event, air.KamikazeTargetRolled):
            told["drawn"].append((event.squadron, event.dice[0], event.target))
        elif isinstance(event, air.AirAttackRolled):
            told["attacks"].append(
                {
                    "target": event.target,
                    "squadrons": event.squadrons,
                    "modifier": event.modifiers.total,
                    "dice": list(event.dice),
                    "hits": event.hits,
                }
            )
        elif isinstance(event, sea.LightShipsHit):
            told["light"] = {"sunk": event.sunk, "damaged": event.damaged}
        elif isinstance(event, air.StrikeEnded):
            told["spent"] = event.spent
    return told


def compare_ends(seed: int, table: Table, given: Json, expected: Json) -> None:
    """What is left of both sides when the strikes are over."""
    side: Side = given["side"]
    mine, theirs = table.battle.fleets[side], table.battle.fleets[side.enemy]
    afloat = {ship.id: ship for group in theirs.groups for ship in group.ships}
    ships = {id: (False, ship.damaged, ship.hits) for id, ship in afloat.items()}
    assert ships == {id: ship for id, ship in expected["ships"].items() if not ship[0]}, f"seed {seed}"
    wings = Counter({"": 0})
    for ship in given["ships"]:
        if ship["id"] not in afloat:
            wings.update({f"{ship['nation']}/NAS": ship.get("air", 0)})
    gone = Counter(expected["defenders lost"]) + wings
    assert theirs.air_lost == without_zeros(dict(gone)), f"seed {seed}"
    assert (mine.air_lost, mine.aloft) == (expected["attackers lost"], expected["aloft"]), f"seed {seed}"
    if theirs.groups:
        (group,) = theirs.groups
        assert group.light == expected["light"], f"seed {seed}"
        assert {unit.name: unit.needs for unit in group.cargo} == expected["cargo"], f"seed {seed}"
        assert (group.patrol, group.cover) == (expected["patrol"], expected["cover"]), f"seed {seed}"
        assert group.withheld == expected["withheld"], f"seed {seed}"
    else:
        assert not expected["light"] and all(ship[0] for ship in expected["ships"].values()), f"seed {seed}"
        assert theirs.patrol_left == expected["patrol"], f"seed {seed}"


def compare(seed: int) -> Counter[str]:
    """Fly a random situation through both resolvers, compare every step, and say which steps were reached."""
    random = Random(seed)
    given = random_situation(random)
    table, notes, logs, dice = fly(random, given)
    reference = reference_input(given, notes, dice, logs)
    expected = resolve(reference)
    reached = Counter(expected["reached"])
    assert len(logs) == len(expected["strikes"]), f"seed {seed}"
    for log, strike in zip(logs, expected["strikes"], strict=True):
        ours = steps(log, given["side"])
        for step in sorted({*ours, *strike}):
            assert ours.get(step) == strike.get(step), f"seed {seed}: {step}"
    assert expected["dice left"] == 0, f"seed {seed}"
    compare_ends(seed, table, given, expected)
    if asks_the_public_question(given):
        ask_the_public_question(seed, given, notes, dice, expected)
        reached["asked in public"] += 1
    return reached


def asks_the_public_question(given: Json) -> bool:
    """Whether the public question can be asked of a situation: one strike by the Axis, no winter, no codebreaking."""
    winter = any(told["winter_air"] for told in given["sides"].values())
    return (
        given["side"] is Side.AXIS
        and len(given["strikes"]) == 1
        and not winter
        and not given["sides"][Side.ALLIES]["tactical"]
    )


def ask_the_public_question(seed: int, given: Json, notes: Notes, dice: list[int], expected: Json) -> None:
    """The same strike through the public question, with all decisions and dice given beforehand."""
    defender = given["sides"][Side.ALLIES]
    wanted = {
        "attackers": given["strikes"][0]["attackers"],
        "target": {key: given[key] for key in ("ships", "light", "cargo", "found", "patrol", "cover")},
        "surprise": given["strikes"][0]["surprise"],
        "research": defender["research"],
        "impaired": [*given["sides"][Side.AXIS]["impaired_air"], *defender["impaired_air"]],
        "impaired_ships": defender["impaired_ships"],
    }
    told = api.call("air_strike", wanted, dice=dice, decisions=notes.scripts[0], options=rule_options(given))
    (strike,) = expected["strikes"]
    surprise = strike.get("surprise")
    assert [each["level"] for each in told["surprise"]] == ([surprise["level"]] if surprise else []), f"seed {seed}"
    combat = strike.get("air combat")
    if combat:
        ours = told["air_combat"]
        assert (ours["rows"]["attacker"], ours["rows"]["defender"]) == combat["rows"], f"seed {seed}"
        assert (ours["attacker_drm"], ours["defender_drm"]) == (combat["net"], -combat["net"]), f"seed {seed}"
        assert ours["attackers_eliminated"] == combat["lost"], f"seed {seed}"
        assert ours["attackers_aborted"] == combat["aborted"], f"seed {seed}"
        assert ours["defenders_lost"] == combat["defenders lost"], f"seed {seed}"
    guns = [(each["level"], (each["eliminated"], each["aborted"])) for each in told["air_defense"]]
    defense = strike.get("air defense")
    assert guns == ([(defense["level"], defense["result"])] if defense else []), f"seed {seed}"
    for each, attack in zip(told["attacks"], strike["attacks"], strict=True):
        assert {key: each[key] for key in attack} == attack, f"seed {seed}"
    fates = {}
    for attack in strike["attacks"]:
        if attack["target"] != "light" and attack["hits"]:
            sunk, damaged, _ = expected["ships"][attack["target"]]
            fates[attack["target"]] = "sunk" if sunk else "damaged" if damaged else "hit"
    assert told["ships"] == fates, f"seed {seed}"
    assert told["light"] == ([strike["light"]] if "light" in strike else []), f"seed {seed}"
    assert [each["ship"] for each in told["critical_hits"]] == strike["critical"], f"seed {seed}"
    assert told["revealed"] == strike["revealed"], f"seed {seed}"
    assert told["dice_used"] == len(dice), f"seed {seed}"
    assert told["squadrons_lost"]["axis"] == expected["attackers lost"], f"seed {seed}"


# -- the tests ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("batch", range(BATCHES))
def test_strikes_and_second_resolver_agree_step_by_step(batch: int) -> None:
    reached = compared(compare, range(batch * EACH, (batch + 1) * EACH))
    assert set(reached) >= COMMON, f"never reached: {COMMON - set(reached)}"


@pytest.mark.long
@pytest.mark.parametrize("part", range(4))
def test_strikes_and_second_resolver_agree_in_a_long_campaign(part: int) -> None:
    reached = compared(compare, range(1_000_000 + part * LONG, 1_000_000 + (part + 1) * LONG))
    assert set(reached) >= COMMON | RARE, f"never reached: {(COMMON | RARE) - set(reached)}"


def test_both_resolvers_let_the_same_squadrons_fly_together() -> None:
    legal = 0
    for seed in range(600):
        random = Random(seed)
        side = random.choice(list(Side))
        counts = carrier_air(random, side, random.choice([2, 4, 8])) | random_squadrons(random, side, "attack", 3)
        counts = without_zeros(counts) or {"Japan/NAS": 1}
        short = [name for name in (*NATIONS[side], *BASES[side]) if random.random() < 0.15]
        may = may_strike_together(counts, {"impaired_air": short})
        told = api.call("strike_size", {"squadrons": counts, "impaired": short})
        assert told["legal"] == may, f"seed {seed}"
        legal += may
        if not may:
            target = {"light": {"Britain/DD": 1}}
            with pytest.raises(PlayerError):
                api.call("air_strike", {"attackers": counts, "target": target, "impaired": short}, dice=[1] * 20)
    assert 50 < legal < 550


def alone(key: str) -> Json:
    """One side with one type of squadrons."""
    return {"type_order": [type_of(key)], "lost_first": [key], "abort_first": [key]}


def test_second_resolver_repeats_a_worked_case_of_two_strikes() -> None:
    """AN23-035: four squadrons on patrol meet seven attackers, then the three left meet five."""
    japan, america = "Japan/NAS", "United States/NAS"
    strikes = [
        {"attackers": {japan: 7}, "surprise": False, "engage": {america: 4}, "surprised": {}, "fight": {japan: 4}},
        {"attackers": {japan: 5}, "surprise": False, "engage": {america: 3}, "surprised": {}, "fight": {japan: 3}},
    ]
    told = resolve(
        {
            "attacker": alone(japan),
            "defender": alone(america),
            "ships": [],
            "light": {"United States/TR": 1},
            "found": 2,
            "patrol": {america: 4},
            "cover": {},
            "loss_order": [],
            "kamikaze_order": [],
            "strikes": [{**strike, "targets": {"none": {japan: 3}}, "kamikazes": []} for strike in strikes],
            "dice": [4, 4, 3, 3, 2, 3, 5, 6],
        }
    )
    first, second = (strike["air combat"] for strike in told["strikes"])
    assert (first["rows"], first["results"]) == ((4, 4), ((1, 3), (1, 3)))
    assert (second["rows"], second["results"]) == ((3, 3), ((1, 1), (2, 4)))
    assert (told["patrol"], told["attackers lost"], told["aloft"]) == ({america: 2}, {japan: 3}, {japan: 9})


def test_the_owner_ranks_damaged_ships_before_kamikazes_whatever_their_hits() -> None:
    """17.475F knows of damage only, 22.93E of the charts orders undamaged ships by hits: damaged ones are equal."""
    ship = {"nation": "United States", "kind": "BB", "size": 4, "damaged": True}
    group = {"ships": [{"id": "one", **ship}, {"id": "two", "hits": 3, **ship}]}
    for order in (["one", "two"], ["two", "one"]):
        assert api.call("kamikaze_target", {"group": group, "order": order}, dice=[])["ranking"] == order
