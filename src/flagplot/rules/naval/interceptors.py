"""22.1 Interception: who may intercept and be intercepted, in which hexes, and whom an interception catches.

Everything here is a pure function of plain values. What our texts do not hold comes as data: straits, fortified ports,
ranges, combined escorts (IR-61).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from flagplot.core.rulebook import rule
from flagplot.model.interception import (
    NOT_INTERCEPTING_BOXES,
    Announced,
    Hunter,
    Level,
    Mover,
    Route,
    Spotter,
    Stage,
    Submarine,
    Target,
    Verdict,
    Voyage,
)
from flagplot.rules.naval.interception import in_range
from flagplot.rules.table import Ruleset

MOST_LOOSE_FACTORS = 9  # 22.14C
BRPS = 0  # that an interception costs, at any level (22.111)
ANGLO_FRENCH_NATIONS = ("Britain", "France")  # intercepted apart while they do not cooperate (22.141E)
SPOTTING_KINDS = ("search AAS", "land-based NAS", "AAF")  # an AAF gives one search AAS (23.132, IR-35)
RAIDER_PORTS = ("Bergen", "Scapa Flow")  # raiders from or to them are immune (22.11A)
NORWEGIAN_PORTS = ("Bergen", "Oslo", "Kiel")  # between the first and the others ships are immune off Norway (22.11A)

# -- who may be intercepted -----------------------------------------------------------------------


@rule("22.11A", "22.11C", "22.115", "22.917")
def immunity(mover: Mover) -> Verdict:
    """22.11A. Whether ships may not be intercepted at all; what holds off Norway only is another question."""
    raider = mover.activity == "raider"
    ends = (mover.origin, mover.destination)
    to_box = any(end.endswith("SW box") for end in ends)
    if mover.submarine:
        return Verdict(True, "22.11A", "submarines are never intercepted")
    if raider and any(port in ends for port in RAIDER_PORTS):
        return Verdict(True, "22.11A", "a raider from or to Bergen or Scapa Flow")
    if raider and mover.began_at_sea and mover.returning:
        return Verdict(True, "22.11A", "a raider that began the game at sea comes home")
    if mover.against_raiders and mover.destination.endswith("SW box"):
        return Verdict(True, "22.11A", "on the way to an SW box to engage raiders")
    if mover.asw and to_box:
        return Verdict(True, "22.11A", "ASW to or from an SW box")
    if mover.transports and to_box and not mover.axis and mover.nation != "Russia":
        return Verdict(True, "22.11A", "Western Allied transports to or from an SW box")
    if raider and not mover.returning and to_box:
        return Verdict(False, "22.11C", "a raider may be intercepted on the map on its way to an SW box")
    return Verdict(False, "22.11", "nothing makes it immune")


@rule("22.11A.6")
def immune_in_norway(mover: Mover) -> bool:
    """22.11A. Axis base changes and NRs between Bergen and Oslo or Kiel, in coastal hexes of Norway (IR-12)."""
    bergen, *others = NORWEGIAN_PORTS
    between = {mover.origin, mover.destination}
    moves = mover.activity in ("base change", "naval redeployment")
    return mover.axis and moves and between in [{bergen, port} for port in others]


@rule("22.13", "22.13A", "22.13B", "22.13C", "22.13D", "22.13F", "22.13G", "22.18C", "22.18D")
def intercepted_again(since: str, *, by_patrol: bool = False) -> Verdict:
    """22.13. Whether a force that was intercepted may be intercepted again, from what happened since.

    `since` is "" (nothing), "strait", "new activity", "combined", "detached", "returning", "displaced" or "escaping".
    """
    if since == "escaping" and by_patrol:
        return Verdict(False, "23.462C", "patrols do not intercept escaping ships")
    reasons = {
        "strait": ("22.13A", "it has passed a strait"),
        "new activity": ("22.13B", "it carries out another activity"),
        "combined": ("22.13C", "it has combined into a new force"),
        "detached": ("22.13D", "it has parted from the others and entered another hex"),
        "returning": ("22.13F", "it has completed or aborted its activity"),
        "displaced": ("22.13G", "it is displaced"),
        "escaping": ("22.13G", "it escapes"),
    }
    if since in reasons:
        number, why = reasons[since]
        return Verdict(True, number, why)
    return Verdict(False, "22.13", "it was intercepted on this route already")


@rule("22.13D", "22.18D")
def detachment_exposed(
    rules: Ruleset, parent: Sequence[str], detachment: Sequence[str], *, returning: bool = False
) -> bool:
    """22.13D. A part that splits off may be intercepted anew if it enters a hex the others do not (IR-21)."""
    if returning and not rules.readings.divided_return_needs_new_hex:
        return True
    return any(hex not in parent for hex in detachment)


# -- who may intercept ----------------------------------------------------------------------------


@rule(
    "22.11",
    "22.23T.10",
    "22.23T.16",
    "22.111",
    "22.112",
    "22.116",
    "22.13G",
    "22.14A.2",
    "22.14F",
    "22.163A",
    "22.27.3",
    "22.281",
    "22.911",
)
def may_intercept(
    rules: Ruleset, theatre: str, hunter: Hunter, level: Level = Level.INTERCEPTION, *, escaping: bool = False
) -> tuple[Verdict, ...]:
    """22.11. What bars ships from intercepting, each with its rule; nothing if they may. It costs no BRPs (22.111).

    Committed is a matter of the segment, attempted of the phase (IR-08); any attempt counts, whatever came of it
    (IR-16, IR-18). Offensive patrols are the moving side's: what they could meet, interceptors on their way back
    included, they would counter-intercept (22.27), and that they never do (IR-14).
    """
    barred = []

    def bar(holds: bool, number: str, why: str) -> None:
        if holds:
            barred.append(Verdict(False, number, why))

    must_be_uninverted = level is Level.INTERCEPTION or rules.readings.counter_interceptors_uninverted
    sheltered = hunter.submarine and hunter.port_fortified
    bar(not hunter.at_war, "22.112", "the countries are not at war")
    bar(hunter.inverted and must_be_uninverted, "22.11", "inverted")
    bar(hunter.committed, "22.11", "committed to another activity of this segment")
    bar(hunter.attempted, "22.116", "has attempted an interception in this phase")
    bar(hunter.box in NOT_INTERCEPTING_BOXES, "22.11B", f"based in the {hunter.box} box")
    idle_port = rules.readings.idle_ports_barred and not hunter.port_operational
    bar(idle_port and not sheltered, "22.11B", "in a port that is not operational")
    bar(hunter.patrol == "offensive", "22.11D", "an offensive patrol supports, it never rolls to intercept")
    bar(escaping and hunter.patrol != "", "23.462C", "patrols do not intercept escaping ships")
    bar(not in_range(rules, theatre, hunter.distance), "22.22", "out of range")
    return tuple(barred)


@rule("22.113")
def prevailing(nations: Sequence[str]) -> tuple[str, ...]:
    """22.113. Of nations that want the same target, those that may try: Russia gives way to the others (IR-15)."""
    others = any(nation not in ("", "Russia") for nation in nations)
    return tuple(nation for nation in nations if nation != "Russia" or not others)


@rule("22.113", "22.12", "22.13", "22.13A", "22.13E", "22.14A", "22.14B", "22.14C", "22.14D", "22.14E", "22.915")
def wrong_announcements(announced: Sequence[Announced], routes: Mapping[str, Route]) -> tuple[Verdict, ...]:
    """22.14A. What is wrong with the attempts announced together in one phase; nothing if all may be made.

    A unit has one target; from one port at most nine factors outside TFs go for one target, in one force (IR-25);
    surface forces against one target share a hex, each submarine may have its own (IR-23). Ships may always be kept
    back (22.14D). Where the route of a target is given, its hexes count, and each side of a strait is a target (22.13A).
    """
    wrong = []
    used: dict[str, str] = {}
    targets: dict[tuple[str, tuple[str, ...]], list[Announced]] = {}
    for each in announced:
        for unit in each.units:
            if unit in used:
                wrong.append(Verdict(False, "22.14A", f"{unit} intercepts twice, with {used[unit]} and with {each.id}"))
            used[unit] = each.id
        route = routes.get(each.target)
        side = next((row for row in interception_hexes(route) if each.hex in row), None) if route else ()
        if side is None:
            wrong.append(Verdict(False, "22.12", f"{each.target} may not be intercepted in {each.hex}"))
        else:
            targets.setdefault((each.target, side), []).append(each)
    for (target, _), group in targets.items():
        wrong += _wrong_together(target, group)
    return tuple(wrong)


@rule("22.113", "22.14C", "22.14E")
def _wrong_together(target: str, announced: Sequence[Announced]) -> list[Verdict]:
    """22.14E. What is wrong with attempts at one target."""
    wrong = []
    surface = [each for each in announced if each.kind != "submarine"]
    hexes = list(dict.fromkeys(each.hex for each in surface))
    if len(hexes) > 1:
        wrong.append(Verdict(False, "22.14E", f"{target} is to be intercepted in {' and in '.join(hexes)}"))
    ports = list(dict.fromkeys(each.port for each in surface if each.kind == "loose"))
    for port in ports:
        loose = [each for each in surface if each.kind == "loose" and each.port == port]
        factors = sum(each.factors for each in loose)
        if factors > MOST_LOOSE_FACTORS:
            wrong.append(Verdict(False, "22.14C", f"{factors} factors outside TFs from {port}, nine at most"))
        if len(loose) > 1:
            wrong.append(Verdict(False, "22.14C", f"the ships outside TFs at {port} are one force"))
    nations = [each.nation for each in announced]
    if len(prevailing(nations)) < len(nations):
        wrong.append(Verdict(False, "22.113", f"Russia leaves {target} to the Western Allies"))
    return wrong


# -- where ----------------------------------------------------------------------------------------


@rule("22.11A.6", "22.12", "22.13", "22.13A", "22.18", "22.18B")
def interception_hexes(route: Route) -> tuple[tuple[str, ...], ...]:
    """22.12. The hexes in which a voyage may be intercepted, one row for each side of a strait; one hex of each row.

    From port the hex of the port counts, from the sea only hexes newly entered (IR-22); the destination always does. A
    strait cuts the route between its two hexes (IR-20).
    """
    rows: list[list[str]] = [[]]
    previous = ""
    for index, hex in enumerate(route.hexes):
        if (previous, hex) in route.straits or (hex, previous) in route.straits:
            rows.append([])
        if not (index == 0 and route.at_sea) and hex not in route.immune:
            rows[-1].append(hex)
        previous = hex
    return tuple(tuple(row) for row in rows if row)


@rule("22.13", "22.13C", "22.13D")
def opportunities(stages: Sequence[Stage]) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    """22.13C. Of an activity sailed in stages, each force that may be intercepted, with the hexes to choose one from.

    Ships that join make a new force, which begins at sea where they met (FP-29). Those that wait in base to be picked
    up belong to no stage before.
    """
    return tuple((stage.ships, row) for stage in stages for row in interception_hexes(stage.route))


# -- whom it catches ------------------------------------------------------------------------------


@rule("22.141A", "22.162", "22.253")
def travel_together(rules: Ruleset, first: Sequence[str], second: Sequence[str], hex: str) -> bool:
    """22.141A. Whether two routes meet in a hex: both begin or both end in it, or run together (IR-19, FP-31)."""
    if hex not in first or hex not in second:
        return False
    if (first[0] == second[0] == hex) or (first[-1] == second[-1] == hex):
        return True
    steps = [step for step in pairwise(first) if hex in step]
    return rules.readings.shared_route_together and any(step in steps for step in pairwise(second))


@rule("22.141", "22.18C")
def caught_with(
    rules: Ruleset, target: Voyage, other: Voyage, hex: str, *, anglo_french_restrictions: bool = False
) -> Verdict:
    """22.141. Whether an interception of one activity in a hex catches another that passes through it (FP-32)."""
    kinds = (target.activity, other.activity)
    nations = {target.nation, other.nation}
    same_end = target.hexes[-1] == other.hexes[-1]
    combined = bool(target.combined) and target.combined == other.combined and same_end and kinds[0] == kinds[1]
    if not travel_together(rules, target.hexes, other.hexes, hex):
        if hex in other.hexes:
            return Verdict(False, "22.141A", "their paths only cross")
        return Verdict(False, "22.141", "it does not pass through the hex")
    if kinds == ("sea supply", "sea supply") and target.zone != other.zone:
        return Verdict(False, "22.141B", "supply lines to different zones")
    if "raider" in kinds:
        return Verdict(False, "22.141C", "raiders are intercepted separately")
    if ("sea escort" in kinds or "naval redeployment" in kinds) and not combined:
        return Verdict(False, "22.141D", "sea escorts and NRs are separate unless combined")
    if anglo_french_restrictions and nations == set(ANGLO_FRENCH_NATIONS):
        return Verdict(False, "22.141E", "Britain and France do not cooperate")
    return Verdict(True, "22.141D" if combined else "22.141", "in the hex at the same time")


@rule("22.141", "22.22E")
def caught_force(voyages: Sequence[Voyage], *, returning: bool = False, staying: bool = False) -> Target:
    """22.141. What is intercepted together is one force: its TFs together, cargo once (AM-22)."""
    return Target(
        tuple(dict.fromkeys(voyage.activity for voyage in voyages)),
        sum(voyage.task_forces for voyage in voyages),
        any(Target((voyage.activity,), cargo=voyage.cargo).carries_cargo for voyage in voyages),
        returning,
        staying,
    )


# -- who helps ------------------------------------------------------------------------------------


@rule("22.22G", "22.18F", "23.11A")
def spots(
    spotter: Spotter, route: Sequence[str], hex: str, *, nation: str = "", russo_allied_restrictions: bool = False
) -> Verdict:
    """22.22G. Whether an air unit spots a force on its route to the interception hex, or in it.

    Spotting inverts and commits nobody and counts for any number of attempts. Anglo-French limits do not matter,
    Russo-Allied ones do. On the way home only the route home counts (22.18F).
    """
    if spotter.kind not in SPOTTING_KINDS:
        return Verdict(False, "22.22G", "only search AAS and land-based NAS spot")
    strangers = (nation == "Russia") != (spotter.nation == "Russia")
    if russo_allied_restrictions and strangers:
        return Verdict(False, "22.22G", "Russia and its allies do not cooperate")
    if spotter.struck:
        return Verdict(True, "22.22G", "struck by the patrol, so it has spotted it")
    if spotter.inverted:
        return Verdict(False, "22.22G", "inverted")
    if not spotter.base_operational:
        return Verdict(False, "22.22G", "its base is not operational")
    if spotter.committed:
        return Verdict(False, "22.22G", "committed to something else")
    if hex not in route:
        return Verdict(False, "22.22G", "the interception hex is not on the route")
    way = route[: list(route).index(hex) + 1]
    if not any(each in spotter.reaches for each in way):
        return Verdict(False, "22.22G", "out of range of the hex and of the route to it")
    return Verdict(True, "22.22G", "spots")


@rule("22.22H", "22.23T.6")
def assisting_submarines(rules: Ruleset, submarines: Sequence[Submarine]) -> int:
    """22.22H. Submarine factors that help: on patrol or, where they count, uninverted in base, within three hexes (IR-37)."""
    in_base = rules.readings.submarines_in_base_help
    near = [each for each in submarines if each.distance <= rules.interception.submarine_range]
    return sum(each.factors for each in near if each.patrol or (in_base and not each.inverted))


# -- order ----------------------------------------------------------------------------------------

ORDER = (Level.INTERCEPTION, Level.COUNTER, Level.COUNTER_COUNTER)
MOVEMENT = ("patrol", "base change", "SW box redeployment")
MISSIONS = ("sea transport", "seaborne invasion", "shore bombardment", "fast carrier mission")
TOGETHER = ("sea supply", "raider", "naval redeployment", "sea escort")  # escorts go with NRs, as in 22.141D


@rule("22.11.2", "22.16", "22.161", "22.164", "22.17", "22.255")
def next_level(level: Level) -> Level | None:
    """22.164. What is announced and rolled next, before any battle of the level before; None after the last."""
    at = ORDER.index(level) + 1
    return ORDER[at] if at < len(ORDER) else None


@rule("22.11.2", "22.16", "22.164", "22.19")
def mover_rolls(level: Level) -> bool:
    """22.16. Whether the moving player is the one who rolls at this level; the other sets the order (22.19)."""
    return level is Level.COUNTER


@rule("22.15", "22.15A", "22.15B")
def announced_with(rules: Ruleset, first: str, second: str, *, same_phase: bool, same_turn: bool = True) -> bool:
    """22.15. Whether two activities must be announced together, before the defender decides about either.

    In one phase: patrols, base changes and redeployments to boxes; missions; and sea supply, raiders, NRs and sea
    escorts, which share the phase unless the players agree on the whole player turn (IR-65).
    """
    if first in TOGETHER and second in TOGETHER:
        return same_phase if rules.readings.announced_by == "phase" else same_turn
    return same_phase and any(first in kinds and second in kinds for kinds in (MOVEMENT, MISSIONS))


@rule("22.15C", "22.15D", "22.18A", "22.18E")
def goes_home(activity: str, *, forced: bool = False) -> str:
    """22.15C. When ships go home: at once (aborted, withdrawn, displaced), with the others, or when they will.

    Interceptions of them are announced only then (22.18A). A patrol may wait until all others are home (22.18E).
    """
    if forced:
        return "at once"
    return "when it will" if activity == "patrol" else "with the others"


@rule("22.131", "22.19A", "22.19B", "22.19C")
def steps_in_hex(*, activity_hex: bool) -> tuple[str, ...]:
    """22.19A. What happens in which order when a force is intercepted; its activity in that hex comes last (22.131)."""
    steps = ("the interceptors sail to the hex", "the intercepted force sails to the hex", "naval combat")
    return (*steps, "the activity") if activity_hex else (*steps, "the voyage goes on")


@rule("22.132")
def air_attack_allowed(hex: str, interception_hex: str, *, within_combat: bool) -> bool:
    """22.132. Air attacks in any hex of a route, but in the interception hex only within the naval combat."""
    return within_combat == (hex == interception_hex)
