"""Sides that muster apart: what the host has settled, what each side writes of its own, and how the two become a set-up.

The laws here:

1. A side's own text holds its own table and nothing else; the host has settled the rest, the names and nations too.
2. Whether it will do is said by the same loader as for any set-up, from this side's text and what everyone knows. The
   other side's text is never looked at: a stand-in takes its place, so no refusal can tell anything of it.
3. Two texts that will do, each by itself, always make one battle. What could clash is settled beforehand (22.112: which
   nations each side may have) or does no harm (18.11: air bases of one name on both sides are told apart by their side).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import msgspec

from flagplot.core.errors import EngineError, ScenarioError
from flagplot.core.sides import SIDES
from flagplot.editions.current import ruleset
from flagplot.scenarios.air import ADVANCED, AIR_NATIONS
from flagplot.scenarios.checks import check_allowed
from flagplot.scenarios.document import LONGEST_NAME, Document, Part
from flagplot.scenarios.forces import read_side
from flagplot.scenarios.loader import Scenario, read_scenario
from flagplot.scenarios.places import lines
from flagplot.web.setup_outline import PLACE, outline, told_of
from flagplot.web.setup_text import Change, changed

SETTLED = ("name", "nation")  # of a side, by the host
AXIS_NATIONS = ("Germany", "Italy", "Japan", "Rumania", "Finland")  # unless the set-up has them on the other side
NO_TEXT = Document("", PLACE)


class Template(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A battle whose sides still muster: everything in it that is settled."""

    scenario: str
    tables: dict[str, Any]  # the set-up without its sides
    sides: dict[str, dict[str, Any]]  # name and nation of a person's side; the whole of a bot's
    people: list[str]
    nations: dict[str, list[str]]  # those a side may have

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


def with_stand_ins(tables: Mapping[str, Any], people: Collection[str]) -> dict[str, Any]:
    """The tables of a set-up, the sides that will muster having a stand-in, and the order of battle hidden."""
    settled = {**tables, "order_of_battle": "hidden"}
    for side in people:
        told = settled.get(side)
        if isinstance(told, dict):
            public = {key: told[key] for key in SETTLED if key in told}
            settled[side] = _stand_in(side, public, settled)
    return settled


def _stand_in(side: str, public: Mapping[str, Any], tables: Mapping[str, Any]) -> dict[str, Any]:
    """The least that a side can have in a battle of this kind."""
    if tables.get("kind") == "submarine attack" and tables.get("interceptor") == side:
        return {**public, "submarines": {public.get("nation", ""): 1}}
    return {**public, "force": [{"name": "a force", "destroyers": 1}]}


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
        settled = {"name": scenario.setup.public.names[SIDES[side]], "nation": tables[side]["nation"]}
        sides[side] = settled if side in people else {**tables[side], **settled}
    template = Template(
        scenario=name or scenario.setup.public.title,
        tables={**top, "order_of_battle": "hidden"},
        sides=sides,
        people=list(people),
        nations=nations_of(tables),
    )
    return template, {side: first_text(side, tables[side], scenario.setup.public.title) for side in people}


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
    also = {other["nation"] for force in told["forces"] for other in force["also"]}
    boats = {label.removesuffix(ADVANCED) for label in told["submarines"]}
    labels = [label for base in told["air_bases"] for key in ("aircraft", "inverted") for label in base[key]]
    flying = {nation for nation in AIR_NATIONS for label in labels if label.startswith(f"{nation} ")}
    return ships | also | boats | flying


def first_text(side: str, table: Mapping[str, Any], title: str) -> str:
    """What a side begins with: its table as the host wrote it, name and nation left out."""
    text = f"# Your own side of: {_plain(title)}\n\n[{side}]\n"
    for key, value in table.items():
        if key in SETTLED:
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
    top = Part(document, (), merged(template, side, own_table(document.tables(), side)))
    most = ruleset(template.edition(), template.tables.get("options")).most_groups
    check_allowed(read_side(top.part(side), SIDES[side], most), template.nations[side])
    read_scenario(top, PLACE)


def own_table(top: Part, side: str) -> dict[str, Any]:
    """A side's own table, if the text holds nothing else."""
    for key in top.values:
        if key != side:
            top.refuse(key, "", f"this text holds your own side and nothing else, in [{side}]; leave this out")
    own = top.part(side)
    for key in SETTLED:
        if key in own:
            own.refuse(key, "", f"the host has settled the {key} of this side; leave it out")
    return own.values


def merged(template: Template, side: str, own: Mapping[str, Any]) -> dict[str, Any]:
    """The whole set-up as this side may know it: what is settled, its own table, a stand-in for the other."""
    other = SIDES[side].enemy.value
    tables = {**template.tables, side: {**template.sides[side], **own}}
    public = {key: template.sides[other][key] for key in SETTLED}
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
    drawn["sides"][other] |= {"forces": [], "submarines": {}, "line": 0}  # a stand-in is not shown
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
    """18.11. Air bases that both sides call by one name bear their side beside it."""
    bases = {side: tables[side].get("air_base", []) for side in SIDES}
    names = {side: {_plain(base["name"]) for base in bases[side]} for side in SIDES}
    both, result = names["axis"] & names["allies"], dict(tables)
    if not both:
        return result
    for side in SIDES:
        taken = names["axis"] | names["allies"]
        new = {}
        for name in sorted(both):
            new[name] = _with_side(name, side, taken)
            taken.add(new[name])
        told = [{**base, "name": new.get(_plain(base["name"]), base["name"])} for base in bases[side]]
        result[side] = {**tables[side], "air_base": told}
        for key in ("impaired_air", "winter_air"):
            if key in tables[side]:
                result[side][key] = [new.get(each, each) for each in tables[side][key]]
    return result


def _plain(name: str) -> str:
    return " ".join(name.split())


def _with_side(name: str, side: str, taken: Collection[str]) -> str:
    """A name with its side beside it, and a number if that is taken too."""
    for mark in (f" ({side.capitalize()})", *(f" ({side.capitalize()} {n})" for n in range(2, 1000))):
        if (given := name[: LONGEST_NAME - len(mark)] + mark) not in taken:
            return given
    raise EngineError("there are not so many air bases")
