"""What standing orders may ask about: facts of a side's own picture, for a question as a whole and for each way to answer
it. Nothing a side was not told is in them.

Of an interception (22.14, 22.16, 22.17) there is an option for every force that may try, every target and every hex in
which it may be met: with the distance, the dice the force would roll alone (22.22), and the chance in per cent that they
reach the hex in round 1 (22.23). Of patrols that may support (22.163) there is one for each contact.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple, TypeAlias

from flagplot.core.asks import Decide
from flagplot.core.forms import PathForm, path_of
from flagplot.core.sides import Side
from flagplot.doctrine.chances import STAGE_LEVEL, aims_of, candidates, chance_in_round_one, dice_facts
from flagplot.doctrine.sight import group_named, sight
from flagplot.model.interception import Circumstances, Interceptor, Level, Target
from flagplot.model.operation import Leg, Operation
from flagplot.model.picture import Picture
from flagplot.play.decision_kinds import KINDS, LEVELS, OPERATIONS
from flagplot.rules.naval.interception import in_range, patrol_round
from flagplot.rules.naval.passage import FAR, distances, may_try
from flagplot.rules.naval.targets import HOLD, OF, Aim
from flagplot.rules.table import Ruleset

Known: TypeAlias = dict[str, int | str]

OTHERS, SOLE = "others", "sole"  # found out while an answer is worked out
OWN_GROUPS, ENEMY_GROUPS = "own groups", "enemy groups"
WORDS = ("target kind", "hex", "force", "activity", "phase")  # facts that are or are not some words
# What each fact says, those of an operation first.
MEANING = {
    "chance": "per cent to reach the hex in round 1, if the force went alone (22.23)",
    "dice": "dice the force would roll alone (22.22)",
    "distance": "hexes to the hex; of a path, its length",
    "arrives": "the round in which a patrol would support (22.163)",
    OTHERS: "forces these orders have sent against the same target already",
    "hex": "where the target would be met",
    "force": "task force, ships (outside one) or submarines",
    "target kind": "the activity announced, such as seaborne invasion; of those that intercept: interception",
    "target cargo": "1 if it carries cargo, else 0",
    "target task forces": "how many task forces it has",
    "going home": "1 if it is on its way home, else 0",
    "activity": "what your own ships are on, where they are asked for a path or whether they go on",
    "phase": "movement, combat or redeployment",
    SOLE: "1 if only one answer is legal, else 0",
    "round": "of the battle",
    "own guns": "your undamaged factors of capital ships, cruisers and destroyers",
    "enemy guns": "the enemy's, as far as you know or must guess",
    OWN_GROUPS: "your combat groups",
    ENEMY_GROUPS: "the enemy's",
    "own air": "your squadrons that can attack ships",
    "enemy air": "the enemy's, as far as you know",
    "group guns": "guns of the group that is asked about",
    "group carriers": "its carriers",
    "group laden": "1 if it carries cargo, else 0",
    "target guns": "guns of its target, where there is one",
}
FACTS = tuple(MEANING)
NUMBERS = tuple(fact for fact in FACTS if fact not in WORDS)  # facts compared with a number


class Option(NamedTuple):
    """One way in which something may be answered: which items go where, and the facts of that."""

    items: tuple[tuple[str, int], ...]
    place: str
    facts: Known

    def is_of(self, name: str) -> bool:
        """Whether it is about the force, port or station of this name."""
        return any(key == name or key.startswith(name + OF) for key, _ in self.items)

    @property
    def promise(self) -> tuple[int, int]:
        """The greater, the better: the chance, then the nearness."""
        chance, distance = self.facts.get("chance", 0), self.facts.get("distance", 0)
        return (chance, -distance) if isinstance(chance, int) and isinstance(distance, int) else (0, 0)


def facts(picture: Picture, decision: Decide) -> Known:
    """The facts of a question as a whole."""
    known: Known = {}
    operation = picture.operation
    if operation.phase:
        known["phase"] = operation.phase
    if KINDS[decision.kind].part == OPERATIONS and operation.waters is not None:
        legs = [leg for wave in operation.waves for leg in wave.legs if leg.id == decision.about]
        if legs:
            known["activity"] = legs[0].kind
            known["going home"] = int(legs[0].returning)
        elif decision.kind == "path":
            known["activity"] = "interception"
        if isinstance(decision.form, PathForm):
            known["distance"] = len(path_of(decision.form.places[0].key)) - 1
        return known
    battle = picture.battle
    if not battle.fleets:
        return known | {"round": battle.round}
    group = group_named(battle, decision.side, decision.about)
    known |= {name.replace("_", " "): value for name, value in sight(picture, group)._asdict().items()}
    for name, side in ((OWN_GROUPS, decision.side), (ENEMY_GROUPS, decision.side.enemy)):
        known[name] = len(battle.fleets[side].groups)
    return known


def options(rules: Ruleset, picture: Picture, decision: Decide) -> list[Option]:
    """The ways in which a question of an operation may be answered, each with its facts; none for other questions."""
    operation, side = picture.operation, decision.side
    if operation.waters is None:
        return []
    if decision.kind in LEVELS:
        level = Level(decision.kind)
        return [each for aim in aims_of(rules, operation, level) for each in _at(rules, operation, side, level, aim)]
    if decision.kind == "hex":
        level = STAGE_LEVEL[operation.wave.stage]
        aims = [aim for aim in aims_of(rules, operation, level) if aim.key == decision.about]
        offered = [place.key for place in decision.form.places]
        found = [each for aim in aims for each in _at(rules, operation, side, level, aim)]
        asked = decision.form.items[0].key  # submarines are asked for by their station, all others together
        boats = OF in asked
        return [
            each
            for each in found
            if each.facts["hex"] in offered and (each.is_of(asked) if boats else each.facts["force"] != BOATS)
        ]
    if decision.kind == "support":
        return list(_of_patrols(rules, operation, side, decision))
    if decision.kind == "demand":
        return [Option(((leg.id, 1),), "", of_leg(leg)) for leg in operation.wave.legs]
    return []


def of_leg(leg: Leg) -> Known:
    """What everybody knows of a voyage that was announced."""
    return {
        "target kind": leg.kind,
        "target task forces": leg.task_forces,
        "target cargo": int(leg.cargo),
        "going home": int(leg.returning),
    }


# -- interceptions --------------------------------------------------------------------------------

TASK_FORCE, SHIPS, BOATS = "task force", "ships", "submarines"


def _at(rules: Ruleset, operation: Operation, side: Side, level: Level, aim: Aim) -> Iterator[Option]:
    """Every force that may try for an aim, in every hex of it."""
    able = candidates(rules, operation, side, level, list(aim.hexes))
    _, stations = may_try(rules, operation, side, level, list(aim.hexes))
    places = {*(each.place for each in able), *(each.hex for each in stations)}
    near = {place: distances(operation.sea.seas, place) for place in sorted(places)}
    for hex in aim.hexes:
        target, about = dice_facts(rules, operation, side, level, aim, hex)
        for each in able:
            force = each.interceptor(near[each.place].get(hex, FAR))
            told = _told(rules, target, about, force, hex) | _aimed(operation, aim)
            told["force"] = TASK_FORCE if each.task_force else SHIPS
            yield Option(each.items, aim.key, told)
        for station in stations:
            force = Interceptor(station.station, near[station.hex].get(hex, FAR), "submarine")
            told = _told(rules, target, about, force, hex) | _aimed(operation, aim) | {"force": BOATS}
            for key, number in station.ready.items():
                yield Option(((station.station + OF + key, number),), aim.key, told)


def _told(rules: Ruleset, target: Target, about: Circumstances, force: Interceptor, hex: str) -> Known:
    dice = rules.interception_dice(rules, target, about, force).total
    chance = chance_in_round_one(rules, dice, force.distance, about.theatre)
    reached = in_range(rules, about.theatre, force.distance)
    return {"hex": hex, "distance": force.distance, "dice": max(0, dice) * reached, "chance": chance // 10}


def _aimed(operation: Operation, aim: Aim) -> Known:
    """What is known of a target: an activity, or forces that intercept."""
    if aim.legs:
        return of_leg(operation.wave.leg(aim.legs[0]))
    aimed = [
        each for each in operation.wave.tries if each.id in aim.met or (aim.contact and each.contact == aim.contact)
    ]
    task_forces = sum(each.kind == "TF" for each in aimed if each.status == "sailing")
    return {"target kind": "interception", "target task forces": task_forces, "target cargo": 0, "going home": 0}


def _of_patrols(rules: Ruleset, operation: Operation, side: Side, decision: Decide) -> Iterator[Option]:
    """Each patrol, and each contact it may support."""
    places = {force.id: force.place for force in operation.forces[side]}
    places |= {each.station + OF + key: each.hex for each in operation.boats.get(side, ()) for key in each.ready}
    contacts: Mapping[str, str] = {contact.id: contact.hex for contact in operation.wave.contacts}
    for item in decision.form.items:
        near = distances(operation.sea.seas, places[item.key])
        for place in decision.form.places_for(item):
            if place != HOLD and place not in decision.form.barred(item):
                distance = near.get(contacts[place], FAR)
                arrives = patrol_round(rules, operation.theatre, distance)
                told: Known = {"hex": contacts[place], "distance": distance, "arrives": arrives}
                told |= {"chance": 100 * (arrives == 1), "force": BOATS if OF in item.key else TASK_FORCE}
                yield Option(((item.key, item.amount),), place, told)
