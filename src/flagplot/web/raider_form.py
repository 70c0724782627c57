"""What the calculator of raiders asks (21.53), and the question it makes for the API."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from flagplot.api.raider_odds import MOST_GROUPS, hunters_called
from flagplot.model.strategic_war import (
    GERMANY,
    ITALY,
    JAPAN,
    PACIFIC,
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
    signed,
)
from flagplot.web.submarine_form import BOX

RAIDERS = Field("nation", "Whose raiders", "21.5342", "choose", values=tuple((n, n) for n in (GERMANY, ITALY, JAPAN)))
RAIDING = (
    Section(
        "Who raids where",
        (
            BOX._replace(rule="21.5342"),
            RAIDERS,
            Field("transports", "Transports in the box", "21.5362", most=999),
            Field("singapore", "Based in Singapore", "21.5342", "tick"),
            Field("southern_edge", "Went off the southern edge", "21.5342", "tick"),
        ),
    ),
    Section(
        "What the defender has",
        (
            Field("air_range", "Air range results", "21.5342", most=3),
            Field("cves", "CVEs, uninverted", "21.5342"),
            Field("squadrons", "Search squadrons beside the box", "21.5342"),
            Field("enemy_cards", "Codebreaking cards against raiders", "21.5342"),
            Field("cards", "And for the raiders", "21.5342"),
            Field("us_war", "The U.S. is at war with Germany", "21.5342", "tick"),
            Field(
                "hunters",
                "Ships there, in the order you would send them",
                "25.363",
                "text",
                hint="all that is called for; or: 3 cruisers, 1 5-factor BB, 1 CV",
                wide=True,
            ),
        ),
    ),
    Section(
        "",
        (
            Field("drm", "Naval Nationality DRM, raiders", "22.552A", "signed", hint="as on the chart"),
            Field("enemy_drm", "Naval Nationality DRM, transports", "22.552A", "signed", hint="as on the chart"),
        ),
        fold="Nationality other than the chart's",
    ),
    Section(
        "",
        (dice_field("For each group its die; type dice, if ships are listed; two for its fire, if nobody meets it."),),
    ),
)
GROUPS = Rows(
    "Raiding groups",
    "Group",
    "Add a group",
    (
        Field("ships", "Ships", "21.5342", "choose", values=(("1", "1"), ("2", "2"), ("3", "3 or more"))),
        Field("factors", "Fire factors", "21.5362", most=60),
        Field("name", "Name, if you like", "", "text", wide=True),
    ),
    1,
    MOST_GROUPS,
    "in the order they are resolved",
)
RAIDING_FIELDS = {field.name: field for section in RAIDING for field in section.fields}
RAIDING_PROBES: dict[str, dict[str, Any]] = {
    "air_range": {"defender_air_range": 1},
    "cves": {"cves": 99},
    "squadrons": {"search_squadrons": 99},
    "us_war": {"us_at_war_with_germany": True},
    "singapore": {"from_singapore": True},
    "southern_edge": {"off_southern_edge": True, "search_squadrons": 99},
    "cards": {"cards": 1},
}


def raiders_matter(typed: Typed, rows: int) -> frozenset[str]:
    """The fields that can change the answer."""
    box, nation = chosen(typed, BOX), chosen(typed, RAIDERS)
    edge = bool(typed.get("southern_edge")) and (box, nation) == (PACIFIC, JAPAN)
    found = {"box", "nation", "transports", "hunters", "dice"} | _die_changed_by(box, nation, edge)
    found |= {"enemy_cards"} if "cards" in found else set()
    fire = bool(typed.get("transports", "").strip("0"))
    found |= {"drm", "enemy_drm"} if fire else set()
    for number in range(1, rows + 1):
        found |= {f"ships{number}", f"name{number}"} | ({f"factors{number}"} if fire else set())
    return frozenset(found)


@lru_cache(maxsize=64)
def _die_changed_by(box: str, nation: str, edge: bool) -> frozenset[str]:
    asked: dict[str, Any] = {"box": box, "nation": nation, "groups": [{}], "off_southern_edge": edge}
    plain = ask("raider_odds", asked)
    found = set()
    for name, more in RAIDING_PROBES.items():
        told = ask("raider_odds", {**asked, **more})
        changed = not isinstance(told, str) and told["groups"][0]["lines"] != plain["groups"][0]["lines"]
        if changed or (edge and name == "southern_edge"):
            found.add(name)
    return frozenset(found)


def raiders_asked(typed: Typed, rows: int) -> dict[str, Any]:
    """The question of the API."""

    def number(name: str) -> int:
        return count(typed, name, RAIDING_FIELDS[name].words, RAIDING_FIELDS[name].most)

    hunters = typed.get("hunters", "").strip()
    ships = GROUPS.fields[0]
    return {
        "box": chosen(typed, BOX),
        "nation": chosen(typed, RAIDERS),
        "transports": number("transports"),
        "defender_air_range": number("air_range"),
        "cves": number("cves"),
        "search_squadrons": number("squadrons"),
        "us_at_war_with_germany": bool(typed.get("us_war")),
        "from_singapore": bool(typed.get("singapore")),
        "off_southern_edge": bool(typed.get("southern_edge")),
        "cards": number("cards"),
        "defender_cards": number("enemy_cards"),
        "hunters": hunters_called(hunters) if hunters else None,
        "raiders_drm": signed(typed, "drm", RAIDING_FIELDS["drm"].words),
        "transports_drm": signed(typed, "enemy_drm", RAIDING_FIELDS["enemy_drm"].words),
        "groups": [
            {
                "name": typed.get(f"name{index}", "")[:40],
                "ships": int(chosen(typed, ships._replace(name=f"ships{index}"))),
                "factors": count(typed, f"factors{index}", f"Group {index}, fire factors", 60),
            }
            for index in range(1, rows + 1)
        ],
    }


CALCULATOR = Calculator(
    "raiders",
    "Raiders",
    "Who meets the raiders?",
    "Raiding groups in an SW box: how many ships meet each, and the transports sunk by those nobody meets.",
    "21.5342",
    RAIDING,
    GROUPS,
    {"transports": "35", "ships1": "2", "factors1": "8"},
    "raider_odds",
    raiders_matter,
    raiders_asked,
    options=("raider_defenders", "germany_drm_2008"),
)
