"""What is wrong with aircraft and submarines in a set-up is said where it stands."""

from __future__ import annotations

import pytest

from flagplot.scenarios.loader import parse_scenario
from tests.scenarios.texts import (
    ALLIED_FORCE,
    AMBUSH,
    AXIS_FORCE,
    HIDDEN,
    RAID,
    air_base,
    assert_refused,
    battle,
    force,
)

SUBMARINES = "submarines = { Japan = 1 }\n"
EUROPE = battle().replace('"Pacific"', '"Europe"')


def ship(body: str, side: str = "axis") -> str:
    text = force(f"destroyers = 9\nships = [{{ {body} }}]", side)
    return battle(axis=text) if side == "axis" else battle(allies=text)


def based(body: str, more: str = "") -> str:
    return battle(axis=AXIS_FORCE + air_base(body) + more)


def axis(side: str) -> str:
    return battle(axis_side=side + "\n")


def ambush(allies: str = ALLIED_FORCE, ours: str = "", top: str = "", side: str = SUBMARINES, theirs: str = "") -> str:
    return battle(AMBUSH + top, ours, allies, axis_side=side, allied_side=theirs)


# (what is written, the key path that is named, the rule, words of the complaint)
REFUSALS: dict[str, tuple[str, str, str, str]] = {
    # aboard
    "elite squadrons that are not Japanese": (
        ship('name = "Essex", elite = 1', "allies"),
        "allies.force[1].ships[1].elite",
        "17.3",
        "only Japan has elite naval air",
    ),
    "more elite squadrons than squadrons": (
        ship('name = "Akagi", air = 1, elite = 2'),
        "axis.force[1].ships[1].elite",
        "17.3",
        "has 1 squadrons aboard, so 2 cannot be elite",
    ),
    "elite squadrons on a battlecruiser": (
        ship('name = "Kongo", elite = 1'),
        "axis.force[1].ships[1].elite",
        "17.3",
        "has 0 squadrons",
    ),
    "elite squadrons on a damaged carrier": (
        ship('name = "Akagi", damaged = true, elite = 3'),
        "axis.force[1].ships[1].elite",
        "17.3",
        "or more air",
    ),
    "fewer than no elite squadrons": (
        ship('name = "Akagi", elite = -1'),
        "axis.force[1].ships[1].elite",
        "17.3",
        "from 0 to 99",
    ),
    "too many squadrons on a damaged carrier": (
        ship('name = "Akagi", damaged = true, air = 4'),
        "axis.force[1].ships[1].air",
        "20.3",
        "give at most 3",
    ),
    # ashore
    "unknown key of an air base": (based("size = 3"), "axis.air_base[1].size", "", "here may stand name, distance"),
    "an air base without a name": (
        battle(axis=AXIS_FORCE + "[[axis.air_base]]\ndistance = 1\n"),
        "axis.air_base[1].name",
        "",
        "missing",
    ),
    "an air base without distance": (
        battle(axis=AXIS_FORCE + '[[axis.air_base]]\nname = "Truk"\n'),
        "axis.air_base[1].distance",
        "",
        "missing",
    ),
    "an air base nowhere": (
        battle(axis=AXIS_FORCE + air_base("", distance=-1)),
        "axis.air_base[1].distance",
        "22.442A",
        "from 0 to 99",
    ),
    "an air base without room": (based("capacity = -1"), "axis.air_base[1].capacity", "18.11", "from 0 to 99"),
    "an air base half operational": (based("operational = 1"), "axis.air_base[1].operational", "", "true or false"),
    "an air base that is no table": (axis('air_base = ["Truk"]'), "axis.air_base[1]", "", "must be a table"),
    "an air base twice": (
        battle(axis=AXIS_FORCE + air_base("") * 2),
        "axis.air_base[2].name",
        "18.11",
        "Truk is listed twice",
    ),
    "an air base of both sides": (
        battle(axis=AXIS_FORCE + air_base(""), allies=ALLIED_FORCE + air_base("", "allies")),
        "allies.air_base[1].name",
        "18.11",
        "air base of the other side",
    ),
    "an air base written small": (
        battle(axis=AXIS_FORCE + air_base("", name="truk")),
        "axis.air_base[1].name",
        "",
        "must have a capital letter",
    ),
    "an air base with a sign": (
        battle(axis=AXIS_FORCE + air_base("", name="Truk@Lae")),
        "axis.air_base[1].name",
        "",
        "@ and | have a meaning",
    ),
    "aircraft that are a number": (based("aircraft = 3"), "axis.air_base[1].aircraft", "", "must be a table, not 3"),
    "aircraft of no nation": (
        based('aircraft = { "AAF" = 1 }'),
        "axis.air_base[1].aircraft.AAF",
        "17.1",
        "did you mean Japan AAF",
    ),
    "aircraft of no kind": (
        based('aircraft = { "Japan" = 1 }'),
        "axis.air_base[1].aircraft.Japan",
        "17.1",
        "did you mean Japan AAF",
    ),
    "aircraft that do not exist": (
        based('aircraft = { "Japan AAF" = 1, "Japan AAS" = 1 }'),
        "axis.air_base[1].aircraft.Japan AAS",
        "17.1",
        "did you mean Japan search AAS or Japan cover AAS",
    ),
    "aircraft of a nation that has none": (
        based('inverted = { "Peru AAF" = 1 }'),
        "axis.air_base[1].inverted.Peru AAF",
        "17.1",
        "there are no such air units",
    ),
    "aircraft that mean nothing": (
        based('aircraft = { "zzz" = 1 }'),
        "axis.air_base[1].aircraft.zzz",
        "17.1",
        "write a nation and one of AAF, search AAS",
    ),
    "a fraction of a squadron": (
        based('aircraft = { "Japan NAS" = 0.5 }'),
        "axis.air_base[1].aircraft.Japan NAS",
        "18.11",
        "not 0.5",
    ),
    "kamikazes that are not Japanese": (
        based('aircraft = { "Germany KAM" = 1 }'),
        "axis.air_base[1].aircraft.Germany KAM",
        "17.4",
        "only Japan has kamikazes",
    ),
    "elite squadrons ashore that are not Japanese": (
        based('inverted = { "Germany elite NAS" = 1 }'),
        "axis.air_base[1].inverted.Germany elite NAS",
        "17.3",
        "only Japan has elite naval air",
    ),
    "more aircraft than there is room for": (
        based('aircraft = { "Japan AAF" = 5, "Japan NAS" = 1 }'),
        "axis.air_base[1].aircraft",
        "18.11",
        "room for 15 squadrons, three to a factor, and 16 are based there",
    ),
    "more inverted aircraft than there is room for": (
        based('inverted = { "Japan JET" = 1, "Japan NAS" = 1 }\ncapacity = 3'),
        "axis.air_base[1].inverted",
        "18.11",
        "room for 3 squadrons, three to a factor, and 4 are based there",
    ),
    "aircraft of the enemy's": (
        battle(axis=AXIS_FORCE + air_base('aircraft = { "Japan AAF" = 1, "United States AAF" = 1 }')),
        "axis.air_base[1].aircraft.United States AAF",
        "22.112",
        "aircraft of United States, which fights on the other side",
    ),
    "aircraft of a nation whose ships are the enemy's": (
        battle(
            axis=AXIS_FORCE + air_base('inverted = { "Britain NAS" = 1 }'), allies=force('ships = ["Hood"]', "allies")
        ),
        "axis.air_base[1].inverted.Britain NAS",
        "22.112",
        "leave them out",
    ),
    "aircraft of one nation on both sides": (
        battle(
            axis=AXIS_FORCE + air_base('aircraft = { "Finland AAF" = 1 }'),
            allies=ALLIED_FORCE + air_base('aircraft = { "Finland AAF" = 1 }', "allies", "Lae"),
        ),
        "allies.air_base[1].aircraft.Finland AAF",
        "22.112",
        "aircraft of Finland",
    ),
    # inputs
    "inputs that are a word": (battle('inputs = "ask"\n'), "inputs", "", "must be a table, not 'ask'"),
    "rules not held": (
        battle('[inputs]\nrules_not_held = "never"\n'),
        "inputs.rules_not_held",
        "20.524",
        "'default' or 'ask'",
    ),
    "a western front in the Pacific": (battle("western_front = true\n"), "western_front", "22.9415B", "is in Europe"),
    "a western front that is a number": (battle("western_front = 1\n"), "western_front", "", "true or false"),
    "research into nothing": (axis("research = { sonar = 1 }"), "axis.research.sonar", "", "radar, air defense"),
    "too much research": (axis("research = { radar = 10 }"), "axis.research.radar", "41", "from 0 to 9"),
    "research undone": (axis('research = { "air defense" = -1 }'), "axis.research.air defense", "41", "from 0 to 9"),
    "impaired aircraft of nobody": (axis('impaired_air = ["Nippon"]'), "axis.impaired_air[1]", "23.441A", "'Nippon'"),
    "impaired aircraft of a stranger": (
        axis('impaired_air = ["Japan", "Italy"]'),
        "axis.impaired_air[2]",
        "23.441A",
        "Italy has neither ships nor aircraft",
    ),
    "winter for the enemy": (axis('winter_air = ["United States"]'), "axis.winter_air[1]", "23.441A", "leave it out"),
    "winter twice": (axis('winter_air = ["Japan", "Japan"]'), "axis.winter_air[2]", "23.441A", "twice"),
    "aircraft that reach too far": (axis("air_range = 100"), "axis.air_range", "22.442A", "from 0 to 99"),
    "too much codebreaking": (
        axis("submarine_codebreaking = 2"),
        "axis.submarine_codebreaking",
        "48.41B",
        "from -1 to 1",
    ),
    "ASW in no box": (axis("excess_asw = { Arctic = 1 }"), "axis.excess_asw.Arctic", "", "Atlantic, Pacific, Indian"),
    "too little ASW": (axis("excess_asw = { Pacific = -1 }"), "axis.excess_asw.Pacific", "22.9415", "from 0 to 99"),
    "Atlantic ASW in the Pacific": (
        battle(allied_side="excess_asw = { Atlantic = 1 }\n"),
        "allies.excess_asw.Atlantic",
        "22.9415B",
        "name Pacific or Indian Ocean",
    ),
    "Pacific ASW in Europe": (
        EUROPE.replace("[allies]\n", "[allies]\nexcess_asw = { Pacific = 1 }\n"),
        "allies.excess_asw.Pacific",
        "22.9415B",
        "or name Atlantic",
    ),
    "Axis ASW in the Atlantic": (
        EUROPE.replace("[axis]\n", "[axis]\nexcess_asw = { Atlantic = 1 }\n"),
        "axis.excess_asw.Atlantic",
        "22.9415B",
        "only the Western Allies",
    ),
    "Japanese ASW in the Indian Ocean": (
        axis('excess_asw = { Pacific = 1, "Indian Ocean" = 1 }'),
        "axis.excess_asw.Indian Ocean",
        "22.9415B",
        "only the Western Allies",
    ),
    # submarines
    "submarines by number": (axis("submarines = 2"), "axis.submarines", "", "must be a table, not 2"),
    "submarines of nobody": (axis("submarines = { Japann = 1 }"), "axis.submarines.Japann", "22.911", "mean Japan?"),
    "a negative submarine": (axis("submarines = { Japan = -1 }"), "axis.submarines.Japan", "22.911", "from 0 to 99"),
    "advanced submarines of Japan": (
        axis('submarines = { "Japan advanced" = 1 }'),
        "axis.submarines.Japan advanced",
        "22.941",
        "only Germany and Italy have advanced submarines; write Japan",
    ),
    "advanced submarines of nobody": (
        axis('submarines = { "Nippon advanced" = 1 }'),
        "axis.submarines.Nippon advanced",
        "22.911",
        "'Nippon' will not do here",
    ),
    "submarines of the enemy's": (
        axis('submarines = { Japan = 1, "United States" = 1 }'),
        "axis.submarines.United States",
        "22.112",
        "submarines of United States",
    ),
    "destroyers elsewhere without a nation": (
        axis("destroyers_elsewhere = { Pacific = 2 }"),
        "axis.destroyers_elsewhere.Pacific",
        "",
        "must be a table, not 2",
    ),
    "destroyers elsewhere of nobody": (
        axis("destroyers_elsewhere = { Pacific = { Peru = 2 } }"),
        "axis.destroyers_elsewhere.Pacific.Peru",
        "22.9432",
        "'Peru'",
    ),
    "destroyers elsewhere that are a fleet": (
        axis("destroyers_elsewhere = { Pacific = { Japan = 100 } }"),
        "axis.destroyers_elsewhere.Pacific.Japan",
        "22.9432",
        "from 0 to 99",
    ),
    "destroyers elsewhere of the enemy's": (
        axis('destroyers_elsewhere = { Pacific = { "United States" = 1 } }'),
        "axis.destroyers_elsewhere.Pacific.United States",
        "22.112",
        "destroyers of United States",
    ),
    "destroyers nowhere": (
        axis('destroyers_elsewhere = { "" = { Japan = 1 } }'),
        "axis.destroyers_elsewhere",
        "",
        "must have a capital letter",
    ),
    "destroyers at a place written small": (
        axis("destroyers_elsewhere = { here = { Japan = 1 } }"),
        "axis.destroyers_elsewhere.here",
        "",
        "must have a capital letter",
    ),
    "destroyers at a place with a sign": (
        axis('destroyers_elsewhere = { "A|B" = { Japan = 1 } }'),
        "axis.destroyers_elsewhere.A|B",
        "",
        "@ and | have a meaning",
    ),
    "destroyers at a place with too long a name": (
        axis(f"destroyers_elsewhere = {{ {'X' * 81} = {{ Japan = 1 }} }}"),
        f"axis.destroyers_elsewhere.{'X' * 81}",
        "",
        "at most 80",
    ),
    "destroyers where nobody came from": (
        battle(
            axis=AXIS_FORCE + 'base = "Truk"',
            axis_side="destroyers_elsewhere = { Truk = { Japan = 1 }, Yap = { Japan = 1 } }\n",
        ),
        "axis.destroyers_elsewhere.Yap",
        "22.9432",
        "name one of Truk, Atlantic, Pacific, Indian Ocean",
    ),
    # raiders
    "raiders with submarines": (
        battle(RAID, axis_side=SUBMARINES),
        "axis.submarines",
        "22.911",
        "do not join in raider combat",
    ),
    "raiders under land-based air": (
        battle(RAID, allies=ALLIED_FORCE + air_base("", "allies")),
        "allies.air_base",
        "22.35C",
        "leave air bases out",
    ),
    # submarines alone
    "an ambush without submarines": (ambush(side=""), "axis.submarines", "22.921", 'submarines = { "Japan" = 1 }'),
    "an ambush with no submarine left": (
        ambush(side="submarines = { Japan = 0 }\n"),
        "axis.submarines",
        "22.921",
        "intercepts with submarines and has none",
    ),
    "an ambush by ships": (ambush(ours=AXIS_FORCE), "axis.force[1]", "22.921", 'set kind = "naval battle"'),
    "an ambush of nobody": (ambush(""), "allies", "22.93A", "add a [[allies.force]]"),
    "an ambush of submarines": (
        ambush(theirs='submarines = { "United States" = 1 }\n'),
        "allies.submarines",
        "22.921",
        "only the side that intercepts",
    ),
    "an ambush in a later round": (ambush(top="round = 2\n"), "round", "22.9416C", "are one round"),
    "an ambush of those who come later": (
        ambush(ALLIED_FORCE + "arrives = 2\n"),
        "allies.force[1].arrives",
        "22.9416C",
        "nobody comes later",
    ),
    "an ambush of numbers": (
        ambush(ALLIED_FORCE + "number = 1\n", top=HIDDEN),
        "allies.force[1].number",
        "22.93A",
        "numbered when the submarines attack",
    ),
    "an ambush someone sits out": (
        ambush(ALLIED_FORCE + "engaged = false\n"),
        "allies.force[1].engaged",
        "22.35",
        "only raiders",
    ),
    "an ambush of too large a group": (
        ambush(force("task_force = false\ncruisers = 13", "allies")),
        "allies.force[1]",
        "22.421A",
        "at most 25",
    ),
}


@pytest.mark.parametrize(("text", "path", "rule", "words"), REFUSALS.values(), ids=REFUSALS)
def test_a_mistake_is_named_where_it_stands(text: str, path: str, rule: str, words: str) -> None:
    assert_refused(text, path, rule, words)


def test_what_was_not_built_once_is_read_now() -> None:
    text = battle(axis=AXIS_FORCE + air_base('aircraft = { "Japan AAF" = 1 }'), axis_side=SUBMARINES)
    assert parse_scenario(text, "test.toml").setup.public.submarines
