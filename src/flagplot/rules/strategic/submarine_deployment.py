"""25.1 Submarines between the map and the SW boxes: when, from where, how many, and how long they stay inverted.

Control of the Suez canal, Ethiopia, Gibraltar and Singapore, and ranges on the map (21.3612), are inputs.
"""

from __future__ import annotations

from flagplot.core.rulebook import rule
from flagplot.model.interception import Verdict
from flagplot.model.strategic_war import (
    ASW,
    ATLANTIC,
    AXIS_POWERS,
    GERMANY,
    INDIAN_OCEAN,
    ITALY,
    JAPAN,
    SUBMARINES,
    BoxUnit,
    Place,
    PlayerTurn,
    Politics,
)
from flagplot.rules.strategic.submarine_warfare import serves_in
from flagplot.rules.table import Ruleset

ATLANTIC_BOX = "Atlantic SW box"


@rule("25.11")
def may_serve(kind: str) -> tuple[str, ...]:
    """25.11. Where units of a kind may serve: submarines on the map and in the SW boxes, ASW in the boxes alone."""
    return ("SW box",) if kind == ASW else ("map", "SW box")


@rule("25.12.1", "25.12.2", "25.31.2")
def submarines_may_move(phase: str) -> Verdict:
    """25.12. Submarines enter and leave SW boxes in the redeployment phase, any number of them, and in no other."""
    return Verdict(phase == "redeployment", "25.12", "submarines enter or leave an SW box in redeployment only")


@rule("25.121")
def inverted_on_entering(now: PlayerTurn, *, attacked_on_map: bool) -> PlayerTurn | None:
    """25.121. Through which player turn submarines that go to a box stay inverted; None if they did not attack."""
    return now.following if attacked_on_map else None


@rule("25.122")
def inverted_on_leaving(now: PlayerTurn) -> PlayerTurn:
    """25.122. Through which player turn submarines that come back to the map stay inverted, fought or not."""
    return now.following


@rule("25.13", "25.121")
def first_combat(entered: PlayerTurn) -> PlayerTurn:
    """25.13. In which player turn submarines first fight in a box: the first they begin there."""
    return entered.next_own


@rule("25.13A.3", "25.13C.2", "25.13E.2")
def room_in_box(rules: Ruleset, nation: str, box: str, now: PlayerTurn, *, elsewhere: int = 0) -> int:
    """25.13. How many submarines a box may hold at the end of redeployment: as many as may fight next time (AM-03).

    `elsewhere` are Japanese ones in the other box. The rest must serve on the map, German ones also in the other box.
    """
    limit = rules.submarine_limits.limit(nation, box, now.next_own.turn)
    return max(0, limit - (elsewhere if nation == JAPAN else 0))


@rule("25.13A.4", "25.13C.3", "25.13C.4", "25.13E.3", "25.81", "25.91.1", "25.13")
def box_opened(
    rules: Ruleset,
    nation: str,
    box: str,
    politics: Politics,
    *,
    axis_hold_suez: bool = False,
    axis_hold_ethiopia: bool = False,
) -> Verdict:
    """25.13. Whether a nation's submarines may enter a box yet: tension and war, for Germans Suez and Ethiopia."""
    serves = serves_in(nation, box)
    if not serves.holds or (nation, box) == (GERMANY, ATLANTIC):
        return serves
    if nation == GERMANY:
        held = axis_hold_suez and axis_hold_ethiopia
        return Verdict(held, "25.13A", "the Axis must control the Suez canal and Ethiopia")
    if box == INDIAN_OCEAN:
        return Verdict(politics.japan_britain_war, "25.81", "not before war between Japan and Britain")
    opened = politics.japan_us_war or politics.usjt >= rules.sw_boxes.usjt
    return Verdict(opened, "25.91", f"not before war between Japan and the U.S. or USJT {rules.sw_boxes.usjt}")


# -- straits ------------------------------------------------------------------------------------------


@rule("25.15", "25.151", "25.16")
def past_gibraltar(rules: Ruleset, nation: str, wanted: int, *, axis_hold: bool, passed: int = 0) -> int:
    """25.15. How many more submarine factors may pass Gibraltar this turn, `passed` having done so (SR-21).

    Past an enemy Gibraltar one a turn for Germany, and for the Western Allies together, all routes counted; Italians
    none.
    """
    axis = nation in AXIS_POWERS
    if axis == axis_hold:
        return wanted
    if nation == ITALY:
        return 0
    return max(0, min(wanted, rules.sw_boxes.past_gibraltar - passed))


@rule("25.15A", "25.15B")
def gibraltar_route(start: Place, end: Place, *, in_range: bool = True) -> Verdict:
    """25.15. Whether a German NR past Gibraltar follows one of its two routes; range counts between ports only."""
    mediterranean = [place for place in (start, end) if place.front == "Mediterranean"]
    other = next((place for place in (start, end) if place.front != "Mediterranean"), None)
    if len(mediterranean) != 1 or other is None:
        return Verdict(False, "25.15", "one end is a Mediterranean port")
    if other.name == ATLANTIC_BOX:
        return Verdict(True, "25.15B", "between the Atlantic SW box and a Mediterranean port, at any range")
    if other.front == "western":
        return Verdict(in_range, "25.15A", "between a western front port and a Mediterranean port, within range")
    return Verdict(False, "25.15", "the other end is a western front port or the Atlantic SW box")


@rule("25.91.3")
def past_singapore(nation: str, *, japan_holds: bool) -> Verdict:
    """25.91. Submarines may not pass Singapore while the enemy controls it."""
    return Verdict((nation in AXIS_POWERS) == japan_holds, "25.91", "submarines do not pass an enemy Singapore")


@rule("25.91.2")
def may_attack_from_the_map(unit: BoxUnit) -> bool:
    """25.91. Submarines based on the map may attack enemy naval units (22.9), on both sides."""
    return unit.kind in SUBMARINES
