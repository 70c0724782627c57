"""What is wrong with a set-up is said where it stands, with its rule and what would do instead."""

from __future__ import annotations

import pytest

from tests.scenarios.texts import (
    ALLIED_FORCE,
    ALLIES,
    AXIS,
    AXIS_FORCE,
    BARE,
    HIDDEN,
    RAID,
    SEVEN_CARGOES,
    TOP,
    assert_refused,
    battle,
    force,
    without,
)

# (what is written, the key path that is named, the rule, words of the complaint)
REFUSALS: dict[str, tuple[str, str, str, str]] = {
    # the document
    "unknown key": (battle("theater = 'Pacific'\n"), "theater", "", "did you mean theatre?"),
    "unknown key of a side": (battle(axis_side="color = 'red'\n"), "axis.color", "", "here may stand name, nation"),
    "unknown key of a force": (battle(axis=force("destroyer = 3")), "axis.force[1].destroyer", "", "destroyers"),
    "unknown key of a ship": (
        battle(axis=force('ships = ["Kongo", { name = "Haruna", hit = 1 }]')),
        "axis.force[1].ships[2].hit",
        "",
        "did you mean hits?",
    ),
    "unknown key of a base": (
        battle(axis=AXIS_FORCE + '[[axis.base]]\nname = "Truk"\nrange = 3\n'),
        "axis.base[1].range",
        "",
        "here may stand name, distance",
    ),
    "unknown key of a cargo": (
        battle(axis=force('destroyers = 2\ncargo = [{ name = "a", need = 1 }]')),
        "axis.force[1].cargo[1].need",
        "",
        "did you mean needs?",
    ),
    "unknown key of other light ships": (
        battle(axis=force('destroyers = 2\nalso = [{ nation = "Germany", ships = 1 }]')),
        "axis.force[1].also[1].ships",
        "",
        "no such key",
    ),
    "unknown input": (battle("[inputs]\nluck = 1\n"), "inputs.luck", "", "no such key"),
    "no format": (without("format = 1\n"), "format", "", "format is missing; write format = 1"),
    "a format to come": (battle().replace("format = 1", "format = 2"), "format", "", "reads format 1"),
    "no title": (without('title = "A test"\n'), "title", "", "title is missing; write title = ..."),
    "empty title": (battle().replace('"A test"', '" "'), "title", "", "may not be empty"),
    "a side with an empty name": (battle(axis_side='name = ""\n'), "axis.name", "", "may not be empty"),
    "no side": (TOP + AXIS + AXIS_FORCE, "allies", "22.31", "add a table [allies]"),
    "a side that is no table": (TOP + "axis = 1\n" + ALLIES, "axis", "", "must be a table, not 1"),
    # shapes
    "number for a text": (battle().replace('"A test"', "7"), "title", "", "text in quotes, not 7"),
    "text for a number": (battle(axis=force('cruisers = "4"')), "axis.force[1].cruisers", "20.12", "whole number"),
    "true for a number": (battle(axis=force("cruisers = true")), "axis.force[1].cruisers", "20.12", "not true"),
    "a fraction of a ship": (battle(axis=force("cruisers = 1.5")), "axis.force[1].cruisers", "20.12", "not 1.5"),
    "number for a flag": (battle(axis=AXIS_FORCE + "inverted = 1"), "axis.force[1].inverted", "", "true or false"),
    "text for a list": (battle(axis=force('ships = "Kongo"')), "axis.force[1].ships", "", "a list, not 'Kongo'"),
    "a table for a list": (battle(axis="[axis.force]\nname = 'One'\n"), "axis.force", "", "a list, not a table"),
    "number for a ship": (battle(axis=force("ships = [4]")), "axis.force[1].ships[1]", "20.11", "name of a ship"),
    "text for a table": (battle(axis=force("also = ['Italy']")), "axis.force[1].also[1]", "", "must be a table"),
    "too many ships": (battle(axis=force(f"ships = {['Kongo'] * 100}")), "axis.force[1].ships", "", "at most 99"),
    "too long a name": (battle(axis=force("destroyers = 1", name="x" * 81)), "axis.force[1].name", "", "at most 80"),
    "unseen characters": (battle().replace("A test", "A\\u202Etest"), "title", "", "cannot be printed"),
    "negative number": (battle(axis=force("cruisers = -1")), "axis.force[1].cruisers", "20.12", "from 0 to 99"),
    "absurd number": (battle(axis=force("destroyers = 100")), "axis.force[1].destroyers", "20.12", "from 0 to 99"),
    "huge number": (battle(axis=force(f"destroyers = {10**30}")), "axis.force[1].destroyers", "20.12", "that number"),
    "no such round": (battle("round = 0\n"), "round", "22.41", "from 1 to 20"),
    "arrival before the battle": (
        battle(axis=AXIS_FORCE + "arrives = 0"),
        "axis.force[1].arrives",
        "22.24B",
        "1 to 20",
    ),
    # words
    "unknown theatre": (battle().replace("Pacific", "Atlantic"), "theatre", "22.63", "'Europe' or 'Pacific'"),
    "unknown kind": (battle("kind = 'air battle'\n"), "kind", "22.3", "did you mean naval battle"),
    "unknown interceptor": (battle().replace('"axis"', '"Japan"'), "interceptor", "22.11", "'axis' or 'allies'"),
    "unknown order of battle": (battle("order_of_battle = 'secret'\n"), "order_of_battle", "22.423B", "'open' or"),
    "unknown edition": (battle("edition = 'e1992'\n"), "edition", "", "it must be 'current'"),
    "unknown option": (battle("[options]\nluck = 'yes'\n"), "options.luck", "", "damaged_ship_sinks_on"),
    "unknown value of an option": (
        battle("[options]\nevaded_engagement = 'always'\n"),
        "options.evaded_engagement",
        "AM-11",
        "'retry' or 'spent'",
    ),
    "unknown nation of a side": (battle().replace('"Japan"', '"Japann"'), "axis.nation", "22.552A", "mean Japan?"),
    "unknown nation of light ships": (
        battle(axis=force('also = [{ nation = "Peru", destroyers = 1 }]')),
        "axis.force[1].also[1].nation",
        "22.552A",
        "'Peru' will not do here",
    ),
    "unknown nation of a ship": (
        battle(axis=force('ships = [{ name = "Kongo", nation = "Peru" }]')),
        "axis.force[1].ships[1].nation",
        "22.552A",
        "'Peru'",
    ),
    "unknown mission": (
        battle(axis=AXIS_FORCE + "mission = 'patrols'"),
        "axis.force[1].mission",
        "22.11",
        "did you mean patrol?",
    ),
    "unknown carrier of cargo": (
        battle(axis=force('destroyers = 2\ncargo = [{ name = "a", needs = 1, by = "CA" }]')),
        "axis.force[1].cargo[1].by",
        "22.82A",
        "'DD' or 'TR'",
    ),
    # inputs
    "tactical for nobody": (
        battle("[inputs]\ntactical = { japan = 1 }\n"),
        "inputs.tactical.japan",
        "",
        "axis, allies",
    ),
    "too much tactical": (battle("[inputs]\ntactical = { axis = 9 }\n"), "inputs.tactical.axis", "48.51B", "-5 to 5"),
    "search for nobody": (
        battle("[inputs]\nsearch_advantage = 'both'\n"),
        "inputs.search_advantage",
        "48.32B",
        "'axis', 'allies' or 'none'",
    ),
    "impaired stranger": (
        battle(axis_side='partial_supply_or_oil = ["Italy"]\n'),
        "axis.partial_supply_or_oil[1]",
        "22.552A",
        "Italy has no ships",
    ),
    "impaired twice": (
        battle(axis_side='partial_supply_or_oil = ["Japan", "Japan"]\n'),
        "axis.partial_supply_or_oil[2]",
        "22.552A",
        "twice",
    ),
    "impaired nobody": (
        battle(axis_side='partial_supply_or_oil = ["Nippon"]\n'),
        "axis.partial_supply_or_oil[1]",
        "22.552A",
        "'Nippon'",
    ),
    # ships
    "unknown ship": (
        battle(axis=force('ships = ["Kongo", "Haruma"]')),
        "axis.force[1].ships[2]",
        "20.11",
        "did you mean Haruna?",
    ),
    "unknown ship in a table": (
        battle(axis=force('ships = [{ name = "Kogno" }]')),
        "axis.force[1].ships[1].name",
        "20.11",
        "did you mean Kongo",
    ),
    "ship without a name": (battle(axis=force("ships = [{ hits = 1 }]")), "axis.force[1].ships[1].name", "", "missing"),
    "ship of another nation than said": (
        battle(axis=force('ships = [{ name = "Bismarck", nation = "Japan" }]')),
        "axis.force[1].ships[1].name",
        "20.11",
        "Bismarck is a ship of Germany, not of Japan",
    ),
    "a ship twice in a force": (
        battle(axis=force('ships = ["Kongo", "kongo"]')),
        "axis.force[1].ships[2]",
        "20.11",
        "Kongo already sails with One",
    ),
    "a ship twice in a side": (
        battle(axis=AXIS_FORCE + force('ships = ["Haruna", "Kongo"]', name="Other")),
        "axis.force[2].ships[2]",
        "20.11",
        "Kongo already sails with One",
    ),
    "a ship of the enemy's": (
        battle(allies=ALLIED_FORCE + force('ships = ["Haruna"]', "allies", "Other")),
        "allies.force[2].ships[1]",
        "22.112",
        "Haruna is a ship of Japan",
    ),
    "a ship on both sides": (
        battle(axis=force('ships = ["Hood"]'), allies=force('ships = ["Hood"]', "allies")),
        "allies.force[1].ships[1]",
        "22.112",
        "Hood is a ship of Britain",
    ),
    "light ships of the enemy's": (
        battle(
            allies=force(
                'destroyers = 1\nalso = [{ nation = "Britain", cruisers = 1 }, { nation = "Japan", cruisers = 1 }]',
                "allies",
            )
        ),
        "allies.force[1].also[2].nation",
        "22.112",
        "light ships of Japan",
    ),
    "a nation against itself": (
        battle().replace('"United States"', '"Japan"'),
        "allies.nation",
        "22.112",
        "Japan is on the other side",
    ),
    "hits that sank her": (
        battle(axis=force('ships = [{ name = "Kongo", hits = 3 }]')),
        "axis.force[1].ships[1].hits",
        "20.513",
        "3 hits have sunk her",
    ),
    "hits that damaged her": (
        battle(axis=force('ships = [{ name = "Kongo", hits = 2 }]')),
        "axis.force[1].ships[1].hits",
        "20.513",
        "write damaged = true",
    ),
    "damaged and hit": (
        battle(axis=force('ships = [{ name = "Kongo", hits = 1, damaged = true }]')),
        "axis.force[1].ships[1].hits",
        "20.513",
        "leave hits out",
    ),
    "negative hits": (
        battle(axis=force('ships = [{ name = "Kongo", hits = -1 }]')),
        "axis.force[1].ships[1].hits",
        "20.513",
        "from 0",
    ),
    "too many squadrons": (
        battle(axis=force('destroyers = 9\nships = [{ name = "Akagi", air = 4 }]')),
        "axis.force[1].ships[1].air",
        "20.3",
        "give at most 3",
    ),
    "a ship bound to stay that is not Japanese": (
        battle(allies=force('ships = [{ name = "Iowa", may_not_withdraw = true }]', "allies")),
        "allies.force[1].ships[1].may_not_withdraw",
        "33.61B",
        "only Japanese ships",
    ),
    "squadrons on a battlecruiser": (
        battle(axis=force('ships = [{ name = "Kongo", air = 1 }]')),
        "axis.force[1].ships[1].air",
        "20.3",
        "no carrier",
    ),
    # forces
    "a force without a name": (battle(axis="[[axis.force]]\ncruisers = 2\n"), "axis.force[1].name", "", "missing"),
    "a force without ships": (battle(axis=force("")), "axis.force[1]", "22.421", "has no ships"),
    "two forces of one name": (
        battle(axis=AXIS_FORCE + force("destroyers = 1")),
        "axis.force[2].name",
        "22.421",
        "two forces are called One",
    ),
    "a name with a meaning": (
        battle(axis=force("destroyers = 1", name="wait")),
        "axis.force[1].name",
        "22.421",
        "may not be called wait",
    ),
    "the name of a part": (
        battle(axis=force("destroyers = 1", name="One #2")),
        "axis.force[1].name",
        "22.421",
        "may not be called One #2",
    ),
    "the name of two others together": (
        battle(
            axis=force("destroyers = 1", name="A and B")
            + force("destroyers = 1\ntask_force = false", name="A")
            + force("destroyers = 1\ntask_force = false", name="B")
        ),
        "axis.force[1].name",
        "22.421",
        "as one group",
    ),
    "a task force too large": (
        battle(axis=force("cruisers = 10\ndestroyers = 6")),
        "axis.force[1]",
        "20.162",
        "at most 25 factors and One has 26",
    ),
    "too many carriers": (
        battle(axis=force('ships = ["Akagi", "Kaga"]\ndestroyers = 5')),
        "axis.force[1].ships",
        "20.162",
        "of 11 in One 6 are, and 5 may be",
    ),
    "too many ships outside task forces": (
        battle(axis=force("task_force = false\ncruisers = 13")),
        "axis.force[1]",
        "22.421A",
        "at most 25",
    ),
    "empty with cargo": (
        battle(axis=force('destroyers = 2\nsails_empty = true\ncargo = [{ name = "a", needs = 1 }]')),
        "axis.force[1].sails_empty",
        "22.552B",
        "does not sail empty",
    ),
    # cargo
    "too few destroyers": (
        battle(axis=force('destroyers = 2\ncargo = [{ name = "a", needs = 2 }, { name = "b", needs = 1 }]')),
        "axis.force[1].cargo",
        "22.82A",
        "needs 3 destroyers and the force has 2",
    ),
    "too few transports": (
        battle(axis=force('destroyers = 5\ncargo = [{ name = "a", needs = 2, by = "TR" }]')),
        "axis.force[1].cargo",
        "22.82A",
        "add 2 transports",
    ),
    "cargo that needs nothing": (
        battle(axis=force('destroyers = 2\ncargo = [{ name = "a", needs = 0 }]')),
        "axis.force[1].cargo[1].needs",
        "22.82A",
        "from 1 to 99",
    ),
    "two cargoes of one name": (
        battle(
            axis=force('destroyers = 2\ncargo = [{ name = "a", needs = 1 }]')
            + force('destroyers = 2\ncargo = [{ name = "b", needs = 1 }, { name = "a", needs = 1 }]', name="Other")
        ),
        "axis.force[2].cargo[2].name",
        "22.82A",
        "two cargoes",
    ),
    "cargo that cannot be one group": (
        battle(
            axis="".join(
                force(f'task_force = false\ndestroyers = 13\ncargo = [{{ name = "{name}", needs = 13 }}]', name=name)
                for name in ("A", "B")
            )
        ),
        "axis.force[2]",
        "22.421A",
        "26 destroyers are loaded",
    ),
    "seven cargo groups": (battle(axis=SEVEN_CARGOES), "axis.force[7]", "22.421C", "7 groups carry cargo"),
    # supply lines
    "two bare lines": (
        battle(allies=force(BARE, "allies") + force(BARE, "allies", "Other")),
        "allies.force[2].sea_supply",
        "22.141B",
        "one sea supply line",
    ),
    "a line that intercepts": (battle(axis=force(BARE)), "axis.force[1].sea_supply", "22.11", "cannot intercept"),
    # numbers
    "number seven": (battle(HIDDEN, AXIS_FORCE + "number = 7"), "axis.force[1].number", "22.423A", "from 0 to 6"),
    "number below": (battle(HIDDEN, AXIS_FORCE + "number = -1"), "axis.force[1].number", "22.423A", "from 0 to 6"),
    "a number twice": (
        battle(HIDDEN, AXIS_FORCE + "number = 2\n" + force("destroyers = 1\nnumber = 2", name="Other")),
        "axis.force[2].number",
        "22.423A",
        "number 2 is that of One",
    ),
    "some numbers": (
        battle(HIDDEN, AXIS_FORCE + "number = 2\n" + force("destroyers = 1", name="Other")),
        "axis.force[2].number",
        "22.423A",
        "Other has no number",
    ),
    "two numbers for one group": (
        battle(
            HIDDEN,
            force("destroyers = 1\ntask_force = false\nnumber = 1", name="A")
            + force("destroyers = 1\ntask_force = false\nnumber = 2", name="B"),
        ),
        "axis.force[2].number",
        "22.421A",
        "sail as one group",
    ),
    "a number before it comes": (
        battle(HIDDEN, AXIS_FORCE + force("destroyers = 1\narrives = 2\nnumber = 2", name="Other")),
        "axis.force[2].number",
        "22.425D",
        "when it joins",
    ),
    "numbers in the open": (battle("", AXIS_FORCE + "number = 1"), "axis.force[1].number", "22.423B", '"hidden"'),
    # presence
    "no forces": (battle(axis=""), "axis", "22.31", "add a [[axis.force]]"),
    "nobody there in time": (battle(axis=AXIS_FORCE + "arrives = 2"), "axis.force[1].arrives", "22.31", "in round 1"),
    "nobody there in a later round": (
        battle("round = 3\n", AXIS_FORCE + "arrives = 4"),
        "axis.force[1].arrives",
        "22.31",
        "in round 3",
    ),
    # bases
    "a base too near": (
        battle(axis=AXIS_FORCE + '[[axis.base]]\nname = "Truk"\ndistance = -1\n'),
        "axis.base[1].distance",
        "22.63",
        "from 0",
    ),
    "a base without distance": (
        battle(axis=AXIS_FORCE + '[[axis.base]]\nname = "Truk"\n'),
        "axis.base[1].distance",
        "",
        "missing",
    ),
    "a base twice": (
        battle(axis=AXIS_FORCE + '[[axis.base]]\nname = "Truk"\ndistance = 1\n' * 2),
        "axis.base[2].name",
        "22.63",
        "listed twice",
    ),
    "a base not listed": (
        battle(axis=AXIS_FORCE + 'base = "Rabaul"\n[[axis.base]]\nname = "Truk"\ndistance = 1\n'),
        "axis.force[1].base",
        "22.63",
        "Rabaul is not among the bases listed; name one of Truk",
    ),
    "no base where bases are listed": (
        battle(axis=AXIS_FORCE + '[[axis.base]]\nname = "Truk"\ndistance = 1\n'),
        "axis.force[1].base",
        "22.63",
        "no base of origin",
    ),
    # raiders
    "raiders in round two": (battle(RAID + "round = 2\n"), "round", "22.35D", "one round only"),
    "raiders nobody engages": (
        battle(RAID, allies=ALLIED_FORCE + "engaged = false"),
        "allies.force",
        "22.35A",
        "no force that is engaged",
    ),
    "raider combat without raiders": (battle(RAID, allies=""), "allies.force", "22.35A", "needs one on each side"),
    "hunters who stay away": (
        battle(RAID, AXIS_FORCE + force("destroyers = 1\nengaged = false", name="Other")),
        "axis.force[2].engaged",
        "22.35",
        "all engaged",
    ),
    "raiders who come late": (
        battle(RAID, allies=ALLIED_FORCE + "arrives = 2"),
        "allies.force[1].arrives",
        "22.35D",
        "nobody comes later",
    ),
    "raiders with cargo": (
        battle(RAID, allies=force('destroyers = 1\ncargo = [{ name = "a", needs = 1 }]', "allies")),
        "allies.force[1].cargo",
        "22.35A",
        "carry cargo",
    ),
    "raiders on sea supply": (
        battle(RAID, allies=force("destroyers = 1\nsea_supply = true", "allies")),
        "allies.force[1].sea_supply",
        "22.35A",
        "no supply line",
    ),
    "raiders with a number": (
        battle(RAID, allies=ALLIED_FORCE + "number = 1"),
        "allies.force[1].number",
        "22.35A",
        "needs no number",
    ),
    "a battle someone sits out": (
        battle(axis=AXIS_FORCE + "engaged = false"),
        "axis.force[1].engaged",
        "22.35",
        "raider",
    ),
}


@pytest.mark.parametrize(("text", "path", "rule", "words"), REFUSALS.values(), ids=REFUSALS)
def test_a_mistake_is_named_where_it_stands(text: str, path: str, rule: str, words: str) -> None:
    assert_refused(text, path, rule, words)
