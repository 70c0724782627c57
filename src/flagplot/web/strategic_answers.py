"""How the calculators of the strategic war tell their answers: a headline, charts of chances, breakdowns, what dice gave.

The law here: everything told comes out of the answers of the public API.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from flagplot.api.chances import bands, exact
from flagplot.editions.current import ruleset
from flagplot.play.wording import counted, listed
from flagplot.web.calculator_page import percent
from flagplot.web.strategic_fields import either

Answer = Mapping[str, Any]


class Row(NamedTuple):
    """A number, or several together: its chance, the chance of so many or more, and the length of its bar."""

    label: str
    chance: str
    more: str
    width: float


class Chart(NamedTuple):
    """The chances of one number."""

    title: str
    rule: str
    average: str
    rows: tuple[Row, ...]
    whose: str  # own or foe: whose loss it is, in the eyes of the attacker
    fractions: tuple[tuple[int, str, str], ...]  # number, percent, fraction
    sure: int | None = None  # the number that comes whatever is rolled


class Breakdown(NamedTuple):
    """A sum line by line."""

    title: str
    total: str
    lines: Sequence[Sequence[Any]]  # rule, reason, amount
    note: str = ""


class View(NamedTuple):
    """An answer as the page shows it."""

    figure: str
    headline: str
    aside: str
    strip: str
    charts: tuple[Chart, ...]
    breakdowns: tuple[Breakdown, ...]
    notes: tuple[str, ...] = ()
    came: tuple[str, ...] = ()
    came_in_all: str = ""
    main: int = 1  # charts that stand first


def _average(quantity: Answer) -> str:
    number = quantity["expected"]
    return f"{number:.1f}" if number >= 10 else f"{number:.2f}" if number else "0"


def signed(amount: int) -> str:
    """An amount with its sign."""
    return f"+{amount}" if amount > 0 else f"−{-amount}" if amount else "0"


def chart(title: str, rule: str, quantity: Answer, whose: str) -> Chart:
    """The chances of a number as a chart."""
    chances = exact(quantity)
    rows = bands(chances)
    longest = max(here for _, here, _ in rows)
    return Chart(
        title,
        rule,
        _average(quantity),
        tuple(
            Row(label.replace("-", "–"), percent(here), percent(more), round(float(100 * here / longest), 2))
            for label, here, more in rows
        ),
        whose,
        tuple((number, percent(chance), str(chance)) for number, chance in chances.items()),
        next(iter(chances)) if len(chances) == 1 else None,
    )


def _roll(dice: Sequence[int], modifier: int, result: str) -> str:
    if not dice:
        return "no roll"
    sign = f" {'+' if modifier > 0 else '−'} {abs(modifier)}" if modifier else ""
    return f"{' + '.join(map(str, dice))}{sign} = {sum(dice) + modifier}, result {result}"


# -- submarines -------------------------------------------------------------------------------------


def submarines(answer: Answer, asked: Answer) -> View:
    """Submarine warfare in a box."""
    told = answer["quantities"]
    charts = [
        chart("Transports sunk", "24.64", told["transports_sunk"], "foe"),
        chart("Transports damaged", "24.631A", told["transports_damaged"], "foe"),
        chart("Submarines lost", "24.631B", told["submarines_eliminated"], "own"),
        chart("Submarines turned back", "24.631B", told["submarines_aborted"], "own"),
    ]
    for name, title in (("asw_lost", "ASW lost"), ("cves_lost", "CVEs lost")):
        if told[name]["expected"]:
            charts.append(chart(title, "24.631A", told[name], "foe"))
    notes = []
    wanted = asked["submarines"] + asked["advanced"]
    if answer["limit"] is not None and answer["limit"] < wanted:
        notes.append(f"No more than {answer['limit']} of {wanted} may fight in {asked['turn']} (25.13).")
    if answer["advanced"]:
        notes.append(
            f"Advanced submarines come last, on row {answer['advanced_row']}: no modifier, no answer, and each also sinks a "
            "transport (25.73)."
        )
    if not answer["asw"] and answer["submarines"]:
        notes.append("Without ASW nobody rolls against the submarines, and all get through (SR-04).")
    sunk, lost = told["transports_sunk"], told["submarines_eliminated"]
    fighting = answer["submarines"] + answer["advanced"] + (asked.get("other") or {}).get("submarines", 0)
    view = View(
        _average(sunk),
        "transports sunk on the average",
        f"{_average(told['transports_damaged'])} damaged; {_average(lost)} of {counted(fighting, 'submarine')} lost",
        f"{_average(sunk)} transports sunk, {_average(lost)} submarines lost · modifier {signed(answer['net_modifier'])}",
        tuple(charts),
        (
            Breakdown(
                "Net modifier",
                signed(answer["net_modifier"]),
                [(rule, _group_of(reason), amount) for rule, reason, amount in answer["lines"]],
                "Added to the submarines' roll, taken from the ASW's (24.622).",
            ),
        ),
        tuple(notes),
    )
    return _submarines_came(view, answer["resolved"]) if "resolved" in answer else view


def through(number: int) -> str:
    """How many submarines get through, in words."""
    return f"{number or 'None'} {'get' if number > 1 else 'gets'} through"


def _group_of(reason: str) -> str:
    """A port stands for its group: one of them is enough (25.723)."""
    groups = (group.ports for group in ruleset().submarine_warfare.ports)
    return next((either(ports) for ports in groups if ports[0] == reason), reason)


def _submarines_came(view: View, came: Answer) -> View:
    said = []
    for combat in came["combats"]:
        modifier = combat["modifier"]
        said.append(f"{combat['power']}: {_roll(combat['attacker_dice'], modifier, combat['attacker_result'])}.")
        if "defender_result" in combat:
            said.append(f"ASW: {_roll(combat['defender_dice'], -modifier, combat['defender_result'])}.")
            said.append(
                f"{through(combat['submarines_reaching_convoys'])}; besides the result "
                f"{counted(combat['additional_from_modifier'], 'transport')} for the modifier (24.64A), "
                f"{combat['additional_from_reaching'] or 'none'} for those that get through (24.64B)."
            )
        else:
            said.append(f"Each also sinks a transport: {combat['additional_from_reaching']} (25.73).")
    lost = [f"{counted(came['transports_sunk'], 'transport')} sunk", f"{came['transports_damaged'] or 'none'} damaged"]
    lost += [f"{came[name]} {words} lost" for name, words in (("asw_lost", "ASW"), ("cves_lost", "CVE")) if came[name]]
    lost.append(f"{counted(came['submarines_eliminated'], 'submarine')} lost")
    return view._replace(came=tuple(said), came_in_all=f"{', '.join(lost)}.")


# -- bombers ----------------------------------------------------------------------------------------

GROUPS = {
    "strategic_bombers": ("bomber", "bombers"),
    "bombing_aaf": ("AAF that bombs", "AAF that bomb"),
    "escort_aaf": ("AAF of escort", "AAF of escort"),
    "interceptors": ("interceptor", "interceptors"),
    "aaf": ("AAF", "AAF"),
    "jets": ("jet", "jets"),
}


def _units(groups: Mapping[str, int]) -> str:
    named = [(groups.get(group, 0), words) for group, words in GROUPS.items()]
    return listed([f"{count} {one if count == 1 else several}" for count, (one, several) in named if count], "nobody")


def bombing(answer: Answer, asked: Answer) -> View:
    """A bombing raid."""
    told = answer["quantities"]
    capped = "" if answer["value"] is None else f", {answer['value']} at most"
    charts = [chart(f"BRPs lost{capped}", "26.71A", told["brps_lost"], "foe")]
    if told["damage"] != told["brps_lost"]:
        charts.append(chart("Damage before the cap", "26.463", told["damage"], "foe"))
    if answer["air_combats"]:
        charts.append(chart("Bombers that arrive", "26.461", told["bombers_arriving"], "own"))
    charts.append(chart("Bombers lost", "26.464", told["bombers_eliminated"], "own"))
    charts.append(chart("Bombers turned back", "26.464", told["bombers_aborted"], "own"))
    if answer["air_combats"]:
        if any(answer["force"][group] for group in ("escort_aaf", "interceptors", "jets")):
            charts.append(chart("Escorts lost", "26.454", told["escorts_eliminated"], "own"))
        charts.append(chart("Defenders lost", "26.454", told["defenders_eliminated"], "foe"))
    if any(int(number) for number in told["markers"]["chances"]):
        charts.append(chart("Damage markers, unless the last is paid off", "26.72A", told["markers"], "foe"))
    charts.append(chart("Off the construction limit", "26.71B", told["construction_points"], "foe"))
    fire = _fire(answer)
    view = View(
        _average(told["brps_lost"]),
        "BRPs lost on the average",
        f"{_average(told['bombers_eliminated'])} of {counted(answer['bombers'], 'bomber')} lost; firestorm: {fire}",
        f"{_average(told['brps_lost'])} BRPs, {_average(told['bombers_eliminated'])} bombers lost · firestorm: {fire}",
        tuple(charts),
        _bombing_sums(answer),
        tuple(f"{why[0].upper()}{why[1:]} ({rule})." for rule, why in _bombing_notes(answer)),
    )
    return _bombing_came(view, answer) if "resolved" in answer else view


def _fire(answer: Answer) -> str:
    return "never" if answer["firestorm"]["exact"] == "0" else percent(Fraction(answer["firestorm"]["exact"]))


def _bombing_notes(answer: Answer) -> list[Sequence[str]]:
    notes = [*answer["notes"]]
    if answer["firestorm_why"]:
        rule, why = answer["firestorm_why"]
        notes.append((rule, f"no firestorm: {why}"))
    elif answer["firestorm"]["exact"] == "0":
        notes.append(("26.91", "no firestorm: the damage cannot be enough"))
    return notes


def _bombing_sums(answer: Answer) -> tuple[Breakdown, ...]:
    sums = []
    several = len(answer["air_combats"]) > 1
    for place, combat in enumerate(answer["air_combats"], start=1):
        which = f" {place}, if nothing is lost before it" if several else ""
        sums.append(
            Breakdown(
                f"Air combat{which}",
                signed(combat["net_modifier"]),
                combat["lines"],
                f"{_units(combat['engaged'])} engage (26.451B): row {combat['attacker_row']} against row "
                f"{combat['defender_row']}.",
            )
        )
    sums.append(Breakdown("Strength of the target", str(answer["strength"]), answer["strength_lines"]))
    sums.append(
        Breakdown(
            "Modifier of the bombers",
            signed(answer["net_modifier"]),
            answer["lines"],
            "Added to the bombers' roll, taken from the target's (24.622).",
        )
    )
    return tuple(sums)


def _bombing_came(view: View, answer: Answer) -> View:
    came = answer["resolved"]
    said = []
    for combat in came["air_combats"]:
        modifier = combat["modifier"]
        said.append(f"The raid: {_roll(combat['attacker_dice'], modifier, combat['attacker_result'])}.")
        said.append(f"The defenders: {_roll(combat['defender_dice'], -modifier, combat['defender_result'])}.")
        said.append(
            f"The raid loses {_units(combat['eliminated'])}, turned back: {_units(combat['aborted'])}; the defenders lose "
            f"{_units(combat['defenders_eliminated'])}."
        )
    if came["bombers_arriving"]:
        modifier = answer["net_modifier"]
        arrive = f"{counted(came['bombers_arriving'], 'bomber')} at the target"
        said.append(f"{arrive}: {_roll(came['attacker_dice'], modifier, came['attacker_result'])}.")
        said.append(f"The target: {_roll(came['defender_dice'], -modifier, came['defender_result'])}.")
    else:
        said.append("No bomber arrives.")
    markers = f", {counted(came['markers'], 'damage marker')}" if came["markers"] else ""
    fire = ", a firestorm" if came["firestorm"] else ""
    whole = (
        f"{came['brps_lost']} BRPs lost of {came['damage']} damage{markers}{fire}; "
        f"{counted(came['bombers_eliminated'], 'bomber')} lost, {came['bombers_aborted'] or 'none'} turned back."
    )
    return view._replace(came=tuple(said), came_in_all=whole)


# -- raiders ----------------------------------------------------------------------------------------


def raiders(answer: Answer, asked: Answer) -> View:
    """Raiding groups in an SW box."""
    told = answer["quantities"]
    groups = answer["groups"]
    charts = [
        chart(
            f"Ships that engage {group['name'] if len(groups) > 1 or asked['groups'][0]['name'] else 'the group'}",
            "21.5342",
            group["engaging"],
            "own",
        )
        for group in groups
    ]
    fires = asked["transports"] and any(group["factors"] for group in groups)
    if fires:
        charts.append(chart("Transports sunk by groups that nobody engages", "22.35E", told["transports_sunk"], "foe"))
    engaged = exact(told["groups_engaged"])
    free = 1 - engaged.get(len(groups), Fraction(0))
    sums = [
        Breakdown(f"The die against {group['name']}", signed(group["modifier"]), group["lines"]) for group in groups
    ]
    if fires:
        sums.append(Breakdown("Fire at transports", signed(answer["fire_modifier"]), answer["fire_lines"]))
    first = (
        f"The first ship is a {answer['first_hunter']}, a die for each further one" if answer["first_hunter"] else ""
    )
    kinds = "; ".join(f"{die}: {' or '.join(kinds)}" for die, kinds in answer["types"].items())
    notes = [f"{first or 'A die for each ship'}: {kinds} (21.5342)."]
    notes.append("A group that is met fights first (22.35); what it sinks after its battle is not counted here.")
    if fires:
        notes.append("Each hit is taken to sink a transport (SR-44): the rest of that rule is not held.")
    view = View(
        percent(free) if free else "No",
        "chance that nobody engages the group" if len(groups) == 1 else "chance that a group is free to attack",
        f"{_average(told['transports_sunk'])} transports sunk on the average by groups nobody engages" if fires else "",
        f"{percent(free) if free else 'No chance'} that {'it is' if len(groups) == 1 else 'one is'} not engaged · "
        + ", ".join(f"{group['name']}: die {signed(group['modifier'])}" for group in groups),
        tuple(charts),
        tuple(sums),
        tuple(notes),
        main=len(groups),
    )
    return _raiders_came(view, answer) if "resolved" in answer else view


def _raiders_came(view: View, answer: Answer) -> View:
    said = []
    for group in answer["resolved"]["groups"]:
        met = counted(group["ships_engaging"], "ship")
        called = f" of {group['ships_called']} called for" if group["ships_called"] != group["ships_engaging"] else ""
        meet = "meets" if group["ships_engaging"] == 1 else "meet"
        said.append(f"{group['name']}: {group['die']}, modified {group['modified_roll']}: {met}{called} {meet} it.")
        if group["fire_dice"]:
            hits = f"{counted(group['transports_sunk'], 'transport')} sunk"
            said.append(f"Its fire: {_roll(group['fire_dice'], answer['fire_modifier'], hits).replace('result ', '')}.")
    whole = f"{counted(answer['resolved']['transports_sunk'], 'transport')} sunk by groups that nobody met."
    return view._replace(came=tuple(said), came_in_all=whole)


VIEWS: Mapping[str, Callable[[Answer, Answer], View]] = {
    "submarines": submarines,
    "bombing": bombing,
    "raiders": raiders,
}
