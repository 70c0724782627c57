"""What the calculator of bombing raids asks (26), and the question it makes for the API."""

from __future__ import annotations

from typing import Any

from flagplot.api.bombing_odds import ELSEWHERE, MOST_MEETINGS, RUSSIAN_IC, aimed_at, target_names
from flagplot.core.errors import PlayerError
from flagplot.editions.current import ruleset
from flagplot.model.strategic_war import (
    MAJOR_POWERS,
)
from flagplot.web.strategic_fields import (
    Calculator,
    Field,
    Rows,
    Section,
    Typed,
    ask,
    chosen,
    count,
    dice_field,
    maybe,
    signed,
)

WITH_SECONDARY = ("Germany", "Britain", "Japan")  # 26.32


def _target_labels() -> tuple[tuple[str, str], ...]:
    words = {"German objective": "an objective hex in Germany", RUSSIAN_IC: "a Russian IC", ELSEWHERE: "something else"}
    return tuple((name, words.get(name, name)) for name in target_names(ruleset()))


NATIONS = ("Britain", "United States", "Germany", "Italy", "Japan", "Russia", "France")
RAIDER = Field("nation", "Whose raid", "26.41", "choose", values=tuple((name, name) for name in NATIONS))
THEATRE = Field("theatre", "Theatre", "", "pair", values=(("Europe", "Europe"), ("Pacific", "Pacific")))
TARGET = Field("target", "Target", "26.31", "choose", values=_target_labels())
COUNTRY = Field("country", "Whose it is", "26.31", "choose", values=tuple((name, name) for name in MAJOR_POWERS))
FORTS = Field(
    "forts", "Fortification", "26.461A", "choose", values=(("", "none"), ("1", "fortification"), ("2", "fortress"))
)
DEFENDER = Field(
    "defender", "Whose defenders", "26.441", "choose", values=(("", "the owner's"), *((n, n) for n in MAJOR_POWERS))
)
DEFENCES = {
    "city": "cities_or_ports",
    "flak": "flak",
    "airbase": "airbases",
    "objective": "objectives",
    "anchor": "anchors",
}
BOMBING = (
    Section(
        "The raid",
        (
            THEATRE,
            RAIDER,
            Field("bombers", "Strategic bombers", "26.11", most=60),
            Field("aaf", "AAF: a third bombs", "26.42", most=60),
            Field("interceptors", "Interceptors as escort", "26.43", most=60),
            Field("jets", "Jets as escort", "26.43", most=60),
            Field("distance", "Hexes to the target", "26.421"),
            Field("air_range", "Air range results", "26.421", most=3),
            Field("bomber_results", "Bomber results", "26.461B", most=9, hint="1"),
        ),
    ),
    Section(
        "The target",
        (
            TARGET,
            COUNTRY,
            Field("value", "Economic value", "26.71A", most=999, hint="no cap"),
            Field("russian_base", "Russia's BRP base", "26.71A", most=999),
            Field("city", "Cities or ports", "26.461A", hint="0"),
            Field("objective", "Objectives", "26.461A"),
            Field("flak", "Flak factors", "26.461A"),
            Field("airbase", "Airbases", "26.461A"),
            Field("anchor", "Anchors", "26.461A"),
            FORTS,
            Field("air_defense", "Air defense results", "26.461B", most=9),
            Field("radar", "Radar results, defender", "26.453", most=9),
            Field("already", "Damage there earlier this turn", "26.51", most=999),
            Field("burnt", "Firestorm or atomic marker there", "26.92B", "tick"),
            Field("secondary", "A secondary target", "26.32", "tick"),
        ),
        aside="a city that is a port counts once",
    ),
    Section(
        "",
        (
            DEFENDER,
            Field("impaired", "Raid: partial supply or oil", "26.453", "tick"),
            Field("enemy_impaired", "Defenders: partial supply or oil", "26.453", "tick"),
            Field("winter", "Raid: winter effect of 8 or more", "26.453", "tick"),
            Field("enemy_winter", "Defenders: winter effect of 8 or more", "26.453", "tick"),
            Field("drm", "Air Nationality DRM, raid", "26.453", "signed", hint="as on the chart"),
            Field("enemy_drm", "Air Nationality DRM, defenders", "26.453", "signed", hint="as on the chart"),
        ),
        fold="Nationality, supply and winter in the air",
    ),
    Section(
        "",
        (
            dice_field(
                "In each meeting two for the raid and two for the defenders; then two for the bombers, two for the target."
            ),
        ),
    ),
)
MEETINGS = Rows(
    "Who meets it",
    "Meeting",
    "Add a meeting",
    (
        Field("met_interceptors", "Interceptors", "26.443", most=60),
        Field("met_aaf", "AAF", "26.443", most=60),
        Field("met_jets", "Jets", "26.443", most=60),
        Field("unescorted", "escorts have turned back", "26.43", "tick"),
    ),
    0,
    MOST_MEETINGS,
    "once on each front it crosses (26.442)",
    2,
)
BOMBING_FIELDS = {field.name: field for section in BOMBING for field in section.fields}


def bombing_matters(typed: Typed, rows: int) -> frozenset[str]:
    """The fields that can change the answer."""
    target = chosen(typed, TARGET)
    aim = aimed_at(ruleset(), target, chosen(typed, COUNTRY))
    found = {"theatre", "nation", "bombers", "aaf", "interceptors", "jets", "distance", "air_range", "bomber_results"}
    found |= {"target", "already", "dice"}
    found |= {"country"} if target == ELSEWHERE else set()
    found |= {"value", *DEFENCES, "forts"} if not aim.box else set()
    found |= {"russian_base"} if aim.box == "Urals box" else set()
    plain = {"distance": 0, "country": aim.country}
    if ask("bombing_modifier", plain) != ask("bombing_modifier", {**plain, "air_defense": 1}):
        found.add("air_defense")
    hex = {"name": aim.name, "country": aim.country, "city": not aim.box, "ic": aim.ic}
    if ask("firestorms", {"hexes": [hex], "damage": {"bombers": 999}})["firestorm"][0]:
        found.add("burnt")
    if target == ELSEWHERE and aim.country in WITH_SECONDARY:
        found.add("secondary")
    if rows:
        found |= {"defender", "radar", "drm", "enemy_drm", "impaired", "enemy_impaired", "winter", "enemy_winter"}
    escorted = any(typed.get(name) for name in ("aaf", "interceptors", "jets"))
    for number in range(1, rows + 1):
        found |= {f"met_{name}{number}" for name in ("interceptors", "aaf", "jets")}
        found |= {f"unescorted{number}"} if escorted else set()
    return frozenset(found)


def bombing_asked(typed: Typed, rows: int) -> dict[str, Any]:
    """The question of the API."""

    def number(name: str) -> int:
        return count(typed, name, BOMBING_FIELDS[name].words, BOMBING_FIELDS[name].most)

    names = ("bombers", "aaf", "interceptors", "jets", "air_range", "air_defense", "radar", "already")
    target = chosen(typed, TARGET)
    if not typed.get("distance"):
        raise PlayerError("say how many hexes off the target is (26.421)")
    asked: dict[str, Any] = {
        "nation": chosen(typed, RAIDER),
        "theatre": chosen(typed, THEATRE),
        "distance": number("distance"),
        "target": "" if target == ELSEWHERE else target,
        "country": chosen(typed, COUNTRY) if target == ELSEWHERE else "",
        "bomber_results": number("bomber_results") if typed.get("bomber_results") else 1,
        "value": maybe(typed, "value", BOMBING_FIELDS["value"].words),
        "defences": {field: number(name) for name, field in DEFENCES.items()},
        "burnt": bool(typed.get("burnt")),
        "secondary": bool(typed.get("secondary")) and "secondary" in bombing_matters(typed, rows),
        "russian_base": maybe(typed, "russian_base", BOMBING_FIELDS["russian_base"].words),
        "defender": chosen(typed, DEFENDER),
        "attacker_drm": signed(typed, "drm", BOMBING_FIELDS["drm"].words),
        "defender_drm": signed(typed, "enemy_drm", BOMBING_FIELDS["enemy_drm"].words),
        "attacker_impaired": bool(typed.get("impaired")),
        "defender_impaired": bool(typed.get("enemy_impaired")),
        "attacker_winter": bool(typed.get("winter")),
        "defender_winter": bool(typed.get("enemy_winter")),
        "meetings": [_meeting(typed, index) for index in range(1, rows + 1)],
        **{name: number(name) for name in names},
    }
    asked["defences"]["fortification"] = int(chosen(typed, FORTS) or 0)
    return asked


def _meeting(typed: Typed, index: int) -> dict[str, Any]:
    counts = {
        name: count(typed, f"met_{name}{index}", f"Meeting {index}, {words}", 60)
        for name, words in (("interceptors", "interceptors"), ("aaf", "AAF"), ("jets", "jets"))
    }
    return {**counts, "escorted": not typed.get(f"unescorted{index}")}


CALCULATOR = Calculator(
    "bombing",
    "Bombing",
    "What will the raid cost them, and you?",
    "A bombing raid from take-off to BRPs: air combat on its way, the target, and the exact chance of each loss.",
    "26",
    BOMBING,
    MEETINGS,
    {
        "bombers": "6",
        "distance": "6",
        "air_range": "1",
        "city": "1",
        "objective": "1",
        "flak": "2",
        "value": "25",
        "met_interceptors1": "2",
    },
    "bombing_odds",
    bombing_matters,
    bombing_asked,
    options=("jet_modifier", "firestorm_counts"),
)
