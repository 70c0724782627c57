"""Sides that muster apart: what the host has settled, what each side writes of its own, and how the two become a set-up.

The laws here:

1. A side's own text holds its own table and nothing else; the host has settled the rest, the names and nations too, and
   in an operation the sea and the ports.
2. Whether it will do is said by the same loader as for any set-up, from this side's text and what everyone knows. The
   other side's text is never looked at: a stand-in takes its place, so no refusal can tell anything of it.
3. Two texts that will do, each by itself, always make one battle. What could clash is settled beforehand (22.112: which
   nations each side may have) or does no harm (18.11, 22.421: air bases, and in an operation forces and activities, that
   would share a name with something of the other side are told apart by their side).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import msgspec

from flagplot.core.errors import EngineError, ScenarioError
from flagplot.core.sides import SIDES
from flagplot.editions.current import ruleset
from flagplot.scenarios import operations
from flagplot.scenarios.air import ADVANCED, AIR_NATIONS, Claim
from flagplot.scenarios.checks import check_allowed
from flagplot.scenarios.document import LONGEST_NAME, Document, Part
from flagplot.scenarios.forces import ReadSide, read_side
from flagplot.scenarios.loader import Scenario, read_scenario
from flagplot.scenarios.places import lines
from flagplot.scenarios.ships import find_ship
from flagplot.web.setup_outline import PLACE, outline, told_of
from flagplot.web.setup_text import Change, changed

SETTLED = ("name", "nation")  # of a side, by the host
SETTLED_IN_OPERATIONS = (*SETTLED, "port")
FROM_THE_AIR = ("air attack", "port attack")
AXIS_NATIONS = ("Germany", "Italy", "Japan", "Rumania", "Finland")  # unless the set-up has them on the other side
NO_TEXT = Document("", PLACE)


class Template(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A battle whose sides still muster: everything in it that is settled."""

    scenario: str
    tables: dict[str, Any]  # the set-up without its sides
    sides: dict[str, dict[str, Any]]  # name and nation of a person's side; the whole of a bot's
    people: list[str]
    nations: dict[str, list[str]]  # those a side may have
    dice: str = "system"

    def edition(self) -> str:
        """The edition the battle is played by."""
        return str(self.tables.get("edition", "current"))


_template = msgspec.json.Decoder(Template)


def stored(template: Template) -> bytes:
    """A template as it is stored."""
    return msgspec.json.encode(template)


def restored(data: bytes) -> Template:
    """A template from where it was stored."""
    return _template.decode(data)


# -- what the host settles -----------------------------------------------------------------------------


def settled_keys(tables: Mapping[str, Any]) -> tuple[str, ...]:
    """What the host settles of each side's table."""
    return SETTLED_IN_OPERATIONS if tables.get("kind") == "operation" else SETTLED


def with_stand_ins(tables: Mapping[str, Any], people: Collection[str]) -> dict[str, Any]:
    """The tables of a set-up, the sides that will muster having a stand-in, and the order of battle hidden."""
    settled = {**tables, "order_of_battle": "hidden"}
    for side in people:
        told = settled.get(side)
        if isinstance(told, dict):
            public = {key: told[key] for key in settled_keys(tables) if key in told}
            settled[side] = _stand_in(side, public, settled)
    return settled


def _stand_in(side: str, public: Mapping[str, Any], tables: Mapping[str, Any]) -> dict[str, Any]:
    """The least that a side can have in a battle of this kind, under no name that the other side might choose."""
    if tables.get("kind") == "operation":
        return dict(public)
    attacks = tables.get("interceptor") == side
    if tables.get("kind") == "submarine attack" and attacks:
        return {**public, "submarines": {public.get("nation", ""): 1}}
    if tables.get("kind") in FROM_THE_AIR and attacks:
        name = _unlike("Field", _names(tables.get(SIDES[side].enemy.value), "air_base"))
        field = {"name": name, "distance": 0, "aircraft": {f"{public.get('nation', '')} AAF": 1}}
        return {**public, "air_base": [field]}
    return {**public, "force": [{"name": "a force", "destroyers": 1}]}


def _names(table: Any, key: str) -> list[str]:
    """The names in a list of tables, as far as they are any."""
    listed = table.get(key) if isinstance(table, dict) else None
    found = [each.get("name") for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
    return [_plain(name) for name in found if isinstance(name, str)]


def _unlike(word: str, taken: Collection[str]) -> str:
    """A name that is not taken."""
    return next(name for n in range(len(taken) + 1) if (name := f"{word} {n}") not in taken)


def check_settled(text: str, people: Collection[str]) -> Scenario:
    """The set-up with stand-ins for the sides that will muster: whether what the host settles will do."""
    document = Document(text, PLACE)
    whole = document.tables()
    if whole.values.get("kind") == "war":
        whole.refuse(
            "kind", "", "everything in the strategic war lies open, so nobody musters in private; leave that out"
        )
    return read_scenario(Part(document, (), with_stand_ins(document.tables().values, people)), PLACE)


def template_of(text: str, people: Collection[str], name: str) -> tuple[Template, dict[str, str]]:
    """A battle for sides that muster: what is settled, and the text each of them begins with, which the host wrote."""
    scenario = check_settled(text, people)
    tables = Document(text, PLACE).tables().values
    top = {key: value for key, value in tables.items() if key not in SIDES}
    sides = {}
    for side in SIDES:
        settled = {key: tables[side][key] for key in settled_keys(tables) if key in tables[side]}
        settled["name"] = scenario.setup.public.names[SIDES[side]]
        sides[side] = settled if side in people else {**tables[side], **settled}
    template = Template(
        scenario=name or scenario.setup.public.title,
        tables={**top, "order_of_battle": "hidden"},
        sides=sides,
        people=list(people),
        nations=nations_of(tables),
    )
    title, keys = scenario.setup.public.title, settled_keys(tables)
    return template, {side: first_text(side, tables[side], title, keys) for side in people}


def nations_of(tables: Mapping[str, Any]) -> dict[str, list[str]]:
    """22.112. The nations each side may have: its own, those it has in the host's text, and else as they stood in the war."""
    told = outline(tables, {})["sides"]
    own = {side: str(tables[side]["nation"]) for side in SIDES}
    named = {side: _named(told[side]) for side in SIDES}
    result: dict[str, list[str]] = {side: [] for side in SIDES}
    for nation in AIR_NATIONS:
        by_name = [side for side in SIDES if nation in named[side]]
        usual = "axis" if nation in AXIS_NATIONS else "allies"
        whose = next((side for side in SIDES if own[side] == nation), by_name[0] if len(by_name) == 1 else usual)
        result[whose].append(nation)
    return result


def _named(told: Mapping[str, Any]) -> set[str]:
    """The nations whose units the outline of a side names."""
    ships = {ship["nation"] for force in told["forces"] for ship in force["ships"]}
    also = {other["nation"] for force in told["forces"] for other in (force, *force["also"]) if other["nation"]}
    stations = [told["submarines"], *(each["submarines"] for each in told["boats"])]
    boats = {label.removesuffix(ADVANCED) for station in stations for label in station}
    labels = [label for base in told["air_bases"] for key in ("aircraft", "inverted") for label in base[key]]
    flying = {nation for nation in AIR_NATIONS for label in labels if label.startswith(f"{nation} ")}
    return ships | also | boats | flying


def first_text(side: str, table: Mapping[str, Any], title: str, settled: Collection[str] = SETTLED) -> str:
    """What a side begins with: its table as the host wrote it, what is settled left out."""
    text = f"# Your own side of: {_plain(title)}\n\n[{side}]\n"
    for key, value in table.items():
        if key in settled:
            continue
        if isinstance(value, list) and value and all(isinstance(each, dict) for each in value):
            text = changed(text, [Change((side, key, n), each) for n, each in enumerate(value)])
        else:
            text = changed(text, [Change((side, key), value)])
    return text


# -- what a side writes ----------------------------------------------------------------------------------


def check_own(template: Template, side: str, text: str) -> None:
    """Refuse a side's own text unless it will do, whatever the other side brings."""
    document = Document(text, PLACE)
    own = own_table(document.tables(), side, settled_keys(template.tables))
    top = Part(document, (), merged(template, side, own))
    most = ruleset(template.edition(), template.tables.get("options")).most_groups
    if template.tables.get("kind") == "operation":
        read_scenario(top, PLACE)
        check_allowed(_as_in_a_battle(top.part(side), side, most), template.nations[side])
        return
    check_allowed(read_side(top.part(side), SIDES[side], most), template.nations[side])
    read_scenario(top, PLACE)


def _as_in_a_battle(part: Part, side: str, most: int) -> ReadSide:
    """A side of an operation that will do, read as the side of a battle: whose units it has."""
    values = _but(part.values, "port", "boats", "activity")
    forces = values.get("force", [])
    values["force"] = [_but(each, *operations.OF_AN_OPERATION) for each in forces]
    values["air_base"] = [{**_but(each, "hex"), "distance": 0} for each in values.get("air_base", [])]
    read = read_side(Part(part.document, part.path, values), SIDES[side], most)
    flags = [
        Claim(("force", n, "nation"), each["nation"], "ships") for n, each in enumerate(forces) if "nation" in each
    ]
    boats = [
        Claim(("boats", n, "submarines", label), label.removesuffix(ADVANCED), "submarines")
        for n, each in enumerate(part.values.get("boats", []))
        for label in each.get("submarines", {})
    ]
    return read._replace(claims=(*read.claims, *flags, *boats))


def _but(table: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in table.items() if key not in keys}


def own_table(top: Part, side: str, settled: Collection[str] = SETTLED) -> dict[str, Any]:
    """A side's own table, if the text holds nothing else."""
    for key in top.values:
        if key != side:
            top.refuse(key, "", f"this text holds your own side and nothing else, in [{side}]; leave this out")
    own = top.part(side)
    for key in settled:
        if key in own:
            what, it = ("ports", "them") if key == "port" else (key, "it")
            own.refuse(key, "", f"the host has settled the {what} of this side; leave {it} out")
    return own.values


def merged(template: Template, side: str, own: Mapping[str, Any]) -> dict[str, Any]:
    """The whole set-up as this side may know it: what is settled, its own table, a stand-in for the other."""
    other = SIDES[side].enemy.value
    tables = {**template.tables, side: {**template.sides[side], **own}}
    public = {key: template.sides[other][key] for key in settled_keys(tables) if key in template.sides[other]}
    return {**tables, other: _stand_in(other, public, tables)}


def read_own(template: Template, side: str, text: str) -> dict[str, Any]:
    """A side's text as the page shows it: whether it will do, if not where and why, and what is in it."""
    told = told_of(text, lambda: check_own(template, side, text))
    try:
        own = Document(text, PLACE).tables().values.get(side, {})
    except ScenarioError:
        return {**told, "outline": None}
    tables = merged(template, side, own if isinstance(own, dict) else {})
    drawn = outline(tables, lines(text))
    other = SIDES[side].enemy.value
    drawn["sides"][other] |= {"forces": [], "submarines": {}, "air_bases": [], "line": 0}  # a stand-in is not shown
    return {**told, "outline": drawn}


# -- the battle --------------------------------------------------------------------------------------------


def scenario_of(template: Template, texts: Mapping[str, str]) -> Scenario:
    """The battle, when everybody is ready."""
    tables = dict(template.tables)
    for side in SIDES:
        tables[side] = dict(template.sides[side])
        if side in template.people:
            tables[side] |= Document(texts[side], PLACE).tables().values[side]
    try:
        return read_scenario(Part(NO_TEXT, (), _told_apart(tables)), template.scenario)
    except ScenarioError as clash:
        raise EngineError(f"two musters that would do by themselves clash: {clash}") from clash


def _told_apart(tables: dict[str, Any]) -> dict[str, Any]:
    """18.11, 22.421. What both sides call by one name bears its side beside it: air bases and, in an operation, forces. Both lie
    on the board. Nothing is renamed for what is not seen there, ships and activities: that would tell of them."""
    bases = {side: set(_names(tables[side], "air_base")) for side in SIDES}
    forces: dict[str, set[str]] = {side: set() for side in SIDES}
    if tables.get("kind") == "operation":
        forces = {side: set(_names(tables[side], "force")) for side in SIDES}
    result = dict(tables)
    for side in SIDES:
        enemy = SIDES[side].enemy.value
        fields = _renamed(bases[side] & bases[enemy], side, bases[side] | bases[enemy])
        clashing = forces[side] & forces[enemy]
        units = _renamed(clashing, side, {*_called(tables[side]), *forces[enemy]}) if clashing else {}
        if fields or units:
            result[side] = _with_names(tables[side], fields, units)
    return result


def _called(table: Mapping[str, Any]) -> Iterable[str]:
    """What the forces, activities and ships of a side are called; two ships never bear one name (20.11)."""
    yield from _names(table, "force")
    yield from _names(table, "activity")
    for force in table.get("force", []):
        for item in force.get("ships", []):
            told = {"name": item} if isinstance(item, str) else item
            yield find_ship(_plain(told["name"]), told.get("nation", force.get("nation", table["nation"]))).id


def _renamed(clashing: Iterable[str], side: str, taken: set[str]) -> dict[str, str]:
    new: dict[str, str] = {}
    for name in sorted(clashing):
        new[name] = _with_side(name, side, taken | set(new.values()))
    return new


def _with_names(table: Mapping[str, Any], fields: Mapping[str, str], units: Mapping[str, str]) -> dict[str, Any]:
    """A side's table with other names for some air bases and forces, wherever they are named."""
    result = dict(table)
    for key, new in (("air_base", fields), ("force", units), ("activity", {})):
        if key in table:
            result[key] = [{**each, "name": new.get(_plain(each["name"]), each["name"])} for each in table[key]]
    for key in ("impaired_air", "winter_air"):
        if key in table:
            result[key] = [fields.get(_plain(each), each) for each in table[key]]
    for activity in result.get("activity", []):
        if "forces" in activity:
            activity["forces"] = [units.get(_plain(each), each) for each in activity["forces"]]
    return result


def _plain(name: str) -> str:
    return " ".join(name.split())


def _with_side(name: str, side: str, taken: Collection[str]) -> str:
    """A name with its side beside it, and a number if that is taken too."""
    for mark in (f" ({side.capitalize()})", *(f" ({side.capitalize()} {n})" for n in range(2, 1000))):
        if (given := name[: LONGEST_NAME - len(mark)] + mark) not in taken:
            return given
    raise EngineError("there are not so many air bases")
