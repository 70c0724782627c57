"""What the calculator of submarine warfare asks (25), and the question it makes for the API."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from flagplot.editions.current import ruleset
from flagplot.model.strategic_war import (
    ATLANTIC,
    BOXES,
    GERMANY,
    INDIAN_OCEAN,
    JAPAN,
    PACIFIC,
    UNITED_STATES,
    Turn,
)
from flagplot.web.strategic_fields import (
    Calculator,
    Field,
    Section,
    Typed,
    Values,
    ask,
    chosen,
    count,
    dice_field,
    either,
    signed,
)

FIRST_TURN, LAST_TURN = Turn(1939, 2), Turn(1946, 3)


def _turns() -> tuple[tuple[str, str], ...]:
    turns = [FIRST_TURN]
    while turns[-1] < LAST_TURN:
        turns.append(turns[-1].following)
    return (("", "any: no limit"), *((str(each), str(each)) for each in turns))


BOX = Field("box", "SW box", "25.13", "choose", values=tuple((box, box) for box in BOXES))
ATTACKER = Field(
    "nation", "Whose submarines", "25.13", "choose", values=tuple((n, n) for n in (GERMANY, JAPAN, UNITED_STATES))
)
TURN = Field("turn", "Turn", "25.13", "choose", values=_turns())
US_WAR = Field(
    "us_war",
    "Germany and the U.S. at war",
    "25.66",
    "choose",
    values=(("", "no"), ("1", "first Axis combat phase"), ("2", "second Axis combat phase"), ("3", "third or later")),
)
PORTS = tuple(
    (f"port_{group}", ports, rule)
    for group, (ports, rule) in enumerate((each.ports, each.rule) for each in ruleset().submarine_warfare.ports)
)
USUAL = {ATLANTIC: GERMANY, INDIAN_OCEAN: JAPAN, PACIFIC: UNITED_STATES}
SUBMARINE_COUNTS = {
    "torpedo": ("torpedo_attacker", 9),
    "asw_research": ("asw_defender", 9),
    "air_range": ("air_range_attacker", 3),
    "enemy_air_range": ("air_range_defender", 3),
}
SUBMARINES = (
    Section(
        "Who fights where",
        (
            BOX,
            ATTACKER,
            Field("submarines", "Submarines that fight", "25.41"),
            Field("advanced", "Advanced submarines besides", "25.73"),
            TURN,
            Field("elsewhere", "Fighting in the other box", "25.13C"),
        ),
    ),
    Section(
        "What they meet",
        (
            Field("transports", "Transports", "24.631A", most=999),
            Field("asw", "ASW against them", "25.42"),
            Field("cves", "CVEs, uninverted", "25.64"),
            Field("inverted", "CVEs, inverted", "25.362"),
        ),
    ),
    Section(
        "What modifies it",
        (
            Field("torpedo", "Torpedo research, attacker", "25.622", most=9, hint="0; Japan 1"),
            Field("asw_research", "ASW research, defender", "25.622", most=9),
            Field("air_range", "Air range results, attacker", "25.623", most=3),
            Field("enemy_air_range", "Air range results, defender", "25.623", most=3),
            Field("cards", "Codebreaking cards for submarines", "25.672"),
            Field("enemy_cards", "And against them", "25.672"),
            US_WAR,
            Field("us_back", "The U.S. has come back to the war", "25.66B", "tick"),
            Field("ireland", "Diplomatic result for Ireland", "25.725", "signed", hint="none"),
            *(Field(name, either(ports), rule, "tick", wide=len(ports) > 1) for name, ports, rule in PORTS),
        ),
        aside="ports: held and fully supplied",
    ),
    Section(
        "",
        (
            Field("others", "Submarines of the other power", "25.82"),
            Field("others_asw", "ASW against those", "25.82"),
            Field("others_modifier", "Their net modifier", "25.82", "signed", hint="0"),
        ),
        fold="Germans and Japanese attack at once",
    ),
    Section(
        "",
        (
            Field("drm", "Naval Nationality DRM, submarines", "25.621", "signed", hint="as on the chart"),
            Field("enemy_drm", "Naval Nationality DRM, defender", "25.621", "signed", hint="as on the chart"),
        ),
        fold="Nationality other than the chart's",
    ),
    Section("", (dice_field("Two for the submarines, two for the ASW; two more for advanced submarines."),)),
)
SUBMARINE_FIELDS = {field.name: field for section in SUBMARINES for field in section.fields}


@lru_cache(maxsize=16)
def _attackers(box: str) -> tuple[str, ...]:
    """Whose submarines may fight in a box, the usual one first."""
    able = [nation for nation, _ in ATTACKER.values if not isinstance(ask("submarine_odds", _bare(box, nation)), str)]
    return tuple(sorted(able, key=lambda nation: nation != USUAL[box]))


def _bare(box: str, nation: str) -> dict[str, Any]:
    return {"box": box, "attacker": nation, "submarines": 0, "asw": 0, "transports": 0}


def attacker_of(typed: Typed) -> str:
    """Whose submarines: as said where they may fight there, else the usual ones."""
    able = _attackers(chosen(typed, BOX))
    said = chosen(typed, ATTACKER)
    return said if said in able else able[0]


def attackers(typed: Typed) -> dict[str, Values]:
    """The choice of attackers in a box."""
    return {"nation": tuple((nation, nation) for nation in _attackers(chosen(typed, BOX)))}


@lru_cache(maxsize=64)
def _modifies(box: str, nation: str) -> frozenset[str]:
    """Which fields can change the modifier of this attacker in this box."""
    asked = {"box": box, "attacker": nation}
    probes: dict[str, dict[str, Any]] = {name: {field: 2} for name, (field, _) in SUBMARINE_COUNTS.items()}
    probes |= {name: {"ports_controlled_and_fully_supplied": [ports[0]]} for name, ports, _ in PORTS}
    probes |= {"us_war": {"axis_combat_phases_since_war_began": 1}, "ireland": {"ireland_result": 99}}
    probes |= {
        "cves": {"uninverted_cves": 99, "cves_of": "defender"},
        "cards": {"codebreaking_cards": {"submarine": 1}},
    }
    plain = ask("sw_modifier", asked)
    return frozenset(name for name, more in probes.items() if ask("sw_modifier", {**asked, **more}) != plain)


def submarines_matter(typed: Typed, rows: int) -> frozenset[str]:
    """The fields that can change the answer."""
    box, nation = chosen(typed, BOX), attacker_of(typed)
    found = set(_modifies(box, nation))
    found |= {
        "box",
        "submarines",
        "turn",
        "transports",
        "asw",
        "inverted",
        "cves",
        "dice",
        "drm",
        "enemy_drm",
    }
    found |= {"nation"} if len(_attackers(box)) > 1 else set()
    found |= {"enemy_cards"} if "cards" in found else set()
    found |= {"advanced"} if nation == GERMANY else set()
    found |= {"elsewhere"} if nation == JAPAN and typed.get("turn") else set()
    found |= {"others", "others_asw", "others_modifier"} if box == INDIAN_OCEAN else set()
    if "us_war" in found and typed.get("us_war") in ("1", "2"):
        found.add("us_back")
    return frozenset(found)


def submarines_asked(typed: Typed, rows: int) -> dict[str, Any]:
    """The question of the API."""

    def number(name: str) -> int:
        return count(typed, name, SUBMARINE_FIELDS[name].words, SUBMARINE_FIELDS[name].most)

    asked: dict[str, Any] = {
        "box": chosen(typed, BOX),
        "attacker": attacker_of(typed),
        "submarines": number("submarines"),
        "advanced": number("advanced"),
        "turn": chosen(typed, TURN) or None,
        "submarines_elsewhere": number("elsewhere"),
        "transports": number("transports"),
        "asw": number("asw"),
        "uninverted_cves": number("cves"),
        "cves_of": "defender",
        "inverted_cves": number("inverted"),
        "codebreaking_cards": {"submarine": number("cards"), "asw": number("enemy_cards")},
        "axis_combat_phases_since_war_began": int(chosen(typed, US_WAR) or 0) or None,
        "us_reentry": bool(typed.get("us_back")),
        "ireland_result": signed(typed, "ireland", SUBMARINE_FIELDS["ireland"].words),
        "ports_controlled_and_fully_supplied": [ports[0] for name, ports, _ in PORTS if typed.get(name)],
        "naval_drm_attacker": signed(typed, "drm", SUBMARINE_FIELDS["drm"].words),
        "naval_drm_defender": signed(typed, "enemy_drm", SUBMARINE_FIELDS["enemy_drm"].words),
        **{field: number(name) for name, (field, _) in SUBMARINE_COUNTS.items()},
    }
    if not typed.get("torpedo"):
        asked["torpedo_attacker"] = None  # as at the start (25.632)
    if typed.get("others"):
        asked["other"] = {
            "submarines": number("others"),
            "asw": number("others_asw"),
            "net_modifier": signed(typed, "others_modifier", SUBMARINE_FIELDS["others_modifier"].words) or 0,
        }
    return asked


CALCULATOR = Calculator(
    "submarines",
    "Submarines",
    "What will the submarines sink?",
    "Submarine warfare on your own board: every modifier with its rule, and the exact chance of each loss.",
    "25",
    SUBMARINES,
    None,
    {"submarines": "6", "transports": "35", "asw": "3", "us_war": "3", "port_0": "1"},
    "submarine_odds",
    submarines_matter,
    submarines_asked,
    attackers,
    options=("damaged_transports_leave", "germany_drm_2008"),
)
