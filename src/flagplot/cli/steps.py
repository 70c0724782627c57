"""`flagplot strike`, `engage` and `submarine`: one step without a game, from typed forces and dice.

The law here: a command reads what is typed, asks the public API one question and tells the answer. It knows no rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from flagplot.api.calls import Decision
from flagplot.cli.aimed import NOTHING, choose, place, read_aims
from flagplot.cli.command_options import Edition, Json, More, Option, Rules, a_number, rules_chosen
from flagplot.cli.page import Page
from flagplot.cli.step_dice import ENOUGH, Step, Thrown, ask, resolve, the_dice
from flagplot.cli.step_pages import engagement_page, squadrons, strike_page, submarine_page
from flagplot.cli.terminal import console, print_json, wants_json
from flagplot.cli.typed import (
    Ships,
    Squadrons,
    nation_called,
    nations,
    number,
    read_ships,
    read_squadrons,
    read_submarines,
)
from flagplot.core.errors import PlayerError
from flagplot.core.sides import Side
from flagplot.model.forces import LIGHT
from flagplot.model.ships import CARRIER_KINDS, minus, plus
from flagplot.model.squadrons import squadron, total
from flagplot.play.wording import listed, submarine_parts
from flagplot.scenarios.air import BOXES

MOST_FACTORS = 99

Dice = Annotated[
    str | None,
    typer.Option("--dice", metavar="DICE...", help="The dice in their order: 4 3 5 2. Without them they are rolled."),
]
Seed = Annotated[
    str | None, typer.Option("--seed", metavar="WORD", help="Roll the same dice each time for the same word.")
]


def _nation(help: str) -> Any:
    return typer.Option(metavar="NATION", help=help, show_default=False)


def _force(help: str) -> Any:
    return typer.Option(metavar="FORCE", help=help, show_default=False)


def _begin(title: str, *sentences: tuple[str, str], step: Step) -> Page:
    page = Page(console())
    page.heading(title)
    for text, style in sentences:
        page.say(text, style)
    page.facts(step.assumed)
    page.say(step.rules.words, style="quiet")
    return page


# -- an air strike --------------------------------------------------------------------------------


def strike(
    attackers: Annotated[str, _force('Squadrons that strike: "8 elite Japan NAS, 3 attack AAS from Rabaul".')],
    target: Annotated[str, _force('Ships that are struck: "Enterprise, Hiryu (damaged), 4 US CA, 3 DD".')],
    patrol: Annotated[str | None, _force('Combat air patrol over them: "2 US NAS".')] = None,
    cover: Annotated[str | None, _force('Land-based air cover over them: "2 UK AAS from Malta".')] = None,
    at: Annotated[
        str | None,
        typer.Option(
            "--at",
            "--targets",
            metavar="TARGETS",
            help='What is attacked, and by how many: "Enterprise=5, light ships=rest".',
            show_default="the first ship",
        ),
    ] = None,
    surprise: Annotated[bool, typer.Option("--surprise", help="It is a surprise strike.")] = False,
    results: Annotated[str | None, a_number("Search results on the group; 1 unless said.")] = None,
    radar: Annotated[str | None, a_number("The defender's radar results; 0 unless said.")] = None,
    air_defense: Annotated[str | None, a_number("The defender's air defense results; 0 unless said.")] = None,
    engaged: Annotated[
        str | None, _force("Defenders that engage; as many as may unless said; none is allowed.")
    ] = None,
    fighting: Annotated[str | None, _force("Attackers that meet them; the first named unless said.")] = None,
    nation: Annotated[str | None, _nation("The nation of light ships of no stated nation.")] = None,
    impaired: Annotated[str | None, _nation("Nations whose air lacks supply or oil.")] = None,
    winter: Annotated[str | None, _nation("Nations whose air is under a winter effect of 8 or more.")] = None,
    impaired_ships: Annotated[str | None, _nation("Nations whose ships lack supply or oil.")] = None,
    edition: Edition = "current",
    option: Option = None,
    dice: Dice = None,
    more: More = None,
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Resolve one air strike on a group at sea, without a game (23.76).

    When fewer squadrons come through than --at gives out, the targets named first are filled first.

    [bold]flagplot strike --attackers "8 elite Japan NAS" --target "Enterprise, Yorktown, 4 CA, 3 DD" --patrol "2 US NAS"
    --at "Enterprise=5, Yorktown=3" --dice 4 3 5 2 6 1 4 4 5 3[/bold]

    [bold]flagplot strike --attackers "4 US NAS" --target "Akagi, Kaga, 2 DD" --surprise --results 2 --seed midway[/bold]
    """
    thrown, rules = the_dice(dice, more, seed), rules_chosen(edition, option)
    ships = read_ships(target, "--target", nation_called(nation, "--nation") if nation is not None else None)
    flying = read_squadrons(attackers, "--attackers", role="attack")
    over = _defenders(patrol, cover, ships)
    pool = plus(over["patrol"].counts, over["cover"].counts)
    asked: dict[str, Any] = {
        "attackers": flying.counts,
        "target": ships.json(
            found=number(results, "--results", 6, 1) if results is not None else 1,
            patrol=over["patrol"].counts,
            cover=over["cover"].counts,
        ),
        "surprise": surprise,
        "research": {"radar": number(radar, "--radar"), "air defense": number(air_defense, "--air-defense")},
        "impaired": nations(impaired, "--impaired"),
        "winter": nations(winter, "--winter"),
        "impaired_ships": nations(impaired_ships, "--impaired-ships"),
    }
    if engaged is not None:
        asked["engaged"] = choose(engaged, "--engaged", pool, "the defenders")
    if fighting is not None:
        asked["fighting"] = choose(fighting, "--fighting", flying.counts, "the attackers")
    assumed = [*ships.assumed, *flying.assumed, *over["patrol"].assumed, *over["cover"].assumed]
    assumed += _strike_defaults(asked, ships, results, radar, air_defense, at)
    if impaired is None and impaired_ships is None:
        assumed.append("nobody lacks supply or oil")
    step = resolve("air_strike", asked, thrown, assumed, rules, _aim(at, asked, ships, thrown, rules, assumed))
    if wants_json(json):
        print_json(step.json)
        return
    above = [
        f"{name}: {squadrons(each.counts)}." for name, each in (("Patrol", over["patrol"]), ("Cover", over["cover"]))
    ]
    opening = [(f"{squadrons(flying.counts)} strike {ships.words}.", "own"), (" ".join(above), "foe")]
    page = _begin("Air strike (23.76)", *opening, step=step)
    strike_page(page, asked, ships, step)
    page.dice(step.used, step.unused, step.how)


def _defenders(patrol: str | None, cover: str | None, ships: Ships) -> dict[str, Squadrons]:
    return {
        "patrol": read_squadrons(patrol, "--patrol", role="cover", nation=ships.nation)
        if patrol is not None
        else Squadrons({}),
        "cover": read_squadrons(cover, "--cover", role="cover", nation=ships.nation, ashore=True)
        if cover is not None
        else Squadrons({}),
    }


def _strike_defaults(
    asked: Mapping[str, Any],
    ships: Ships,
    results: str | None,
    radar: str | None,
    air_defense: str | None,
    at: str | None,
) -> list[str]:
    """What was not said of a strike."""
    target = asked["target"]
    guarded = bool(target.get("patrol") or target.get("cover"))
    aimed = any(squadron(key).kind != "KAM" for key in asked["attackers"])
    said = [
        (not asked["surprise"], "no surprise"),
        (asked["surprise"] and results is None, "the group was found once"),
        (asked["surprise"] and radar is None, "no radar"),
        (air_defense is None, "no air defense research"),
        (not guarded, "nothing flies over the ships"),
        (guarded and "engaged" not in asked, "as many defenders as may engage"),
        (guarded and "fighting" not in asked, "the attackers named first meet them"),
        (at is None and aimed, f"all attack {next(iter(ships.names.values()), 'the light ships')}"),
    ]
    return [text for holds, text in said if holds]


def _aim(
    at: str | None, asked: Mapping[str, Any], ships: Ships, thrown: Thrown, rules: Rules, assumed: list[str]
) -> list[Decision]:
    """What the squadrons that come through attack. Who does is asked of the API first; kamikazes are not aimed."""
    if at is None:
        return []
    aims = read_aims(at, "--at", ships)
    planned = {key: n for key, n in asked["attackers"].items() if squadron(key).kind != "KAM"}
    if not planned:
        raise PlayerError("--at decides nothing: kamikazes fall where their dice say (17.475F); leave it out")
    place(aims, planned, "--at")
    tried = ask("air_strike", asked, [*thrown.dice, *[1] * ENOUGH], rules)
    through = planned
    for toll in tried["lost"]:
        through = minus(through, plus(toll["lost"], toll["aborted"]))
    if not through:
        return []
    placed = place(aims, through)
    if total(through) < total(planned):
        order = [aim.target for aim in aims] + [NOTHING]
        given = {at: sum(each.get(at, 0) for each in placed.values()) for at in order}
        names = {**ships.names, LIGHT: "the light ships", NOTHING: "nothing"}
        told = listed([f"{n} {'attack' if n > 1 else 'attacks'} {names[at]}" for at, n in given.items() if n])
        assumed.append(f"of the {total(through)} that come through {told}")
    return [("axis", "air targets", placed)]


# -- fleet combat ---------------------------------------------------------------------------------


def engage(
    axis: Annotated[str, _force('The Axis group: "Bismarck, 1 CA".')],
    allies: Annotated[str, _force('The Allied group: "Hood, Prince of Wales (1 hit), 2 UK CA, 6 DD".')],
    interceptor: Annotated[
        Side | None, typer.Option(help="The side that intercepts; its shots are rolled first.", show_default="axis")
    ] = None,
    tactical_axis: Annotated[str | None, a_number("The Axis' tactical codebreaking; 0 unless said.")] = None,
    tactical_allies: Annotated[str | None, a_number("The Allies' tactical codebreaking; 0 unless said.")] = None,
    screen_axis: Annotated[str | None, _force("Axis ships put behind the screen; none unless said.")] = None,
    screen_allies: Annotated[str | None, _force("Allied ships put behind the screen; none unless said.")] = None,
    hampered_axis: Annotated[bool, typer.Option("--hampered-axis", help="The Axis group is hampered.")] = False,
    hampered_allies: Annotated[bool, typer.Option("--hampered-allies", help="The Allied group is hampered.")] = False,
    nation_axis: Annotated[str | None, _nation("The nation of Axis light ships of no stated nation.")] = None,
    nation_allies: Annotated[str | None, _nation("And of Allied ones.")] = None,
    impaired_axis: Annotated[str | None, _nation("Axis nations whose ships lack supply or oil.")] = None,
    impaired_allies: Annotated[str | None, _nation("Allied nations whose ships lack supply or oil.")] = None,
    edition: Edition = "current",
    option: Option = None,
    dice: Dice = None,
    more: More = None,
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Resolve one fleet combat between two groups, without a game (22.53).

    Choices that are not offered here, such as where surplus ships fire, are made as the game would by itself;
    [bold]flagplot call fleet_combat_result[/bold] takes them all.

    [bold]flagplot engage --axis "Bismarck, 1 CA" --allies "Hood, Prince of Wales" --dice 4 3 5 2[/bold]

    [bold]flagplot engage --axis "Scharnhorst" --allies "Duke of York, 3 CA, 9 DD" --interceptor allies --seed 7[/bold]
    """
    thrown, rules = the_dice(dice, more, seed), rules_chosen(edition, option)
    said_nations = {"axis": nation_axis, "allies": nation_allies}
    groups = {
        side: read_ships(text, f"--{side}", nation_called(said, f"--nation-{side}") if said is not None else None)
        for (side, said), text in zip(said_nations.items(), (axis, allies), strict=True)
    }
    twice = [name for id, name in groups["axis"].names.items() if id in groups["allies"].names]
    if twice:
        raise PlayerError(f"{listed(twice)} cannot fight on both sides; leave one of them out")
    tactical = {"axis": tactical_axis, "allies": tactical_allies}
    asked = {
        "axis": groups["axis"].json(hampered=hampered_axis),
        "allies": groups["allies"].json(hampered=hampered_allies),
        "interceptor": (interceptor or Side.AXIS).value,
        "tactical": {side: number(text, f"--tactical-{side}") for side, text in tactical.items()},
        "impaired": {
            "axis": nations(impaired_axis, "--impaired-axis"),
            "allies": nations(impaired_allies, "--impaired-allies"),
        },
    }
    screened = {"axis": screen_axis, "allies": screen_allies}
    decisions = [
        decision
        for side, text in screened.items()
        if text is not None
        for decision in _screen(text, side, groups[side])
    ]
    assumed = [*groups["axis"].assumed, *groups["allies"].assumed]
    assumed += _nobody("no {} tactical codebreaking", tactical) + _nobody("no {} ship is screened by choice", screened)
    if impaired_axis is None and impaired_allies is None:
        assumed.append("nobody lacks supply or oil")
    if interceptor is None:
        assumed.append("the Axis intercepts")
    assumed.append("other choices are the usual ones")
    step = resolve("fleet_combat_result", asked, thrown, assumed, rules, decisions)
    if wants_json(json):
        print_json(step.json)
        return
    opening = [(f"{side.title()}: {groups[side].words}.", "own" if side == "axis" else "foe") for side in groups]
    page = _begin("Fleet combat (22.53)", *opening, step=step)
    engagement_page(page, groups, step)
    page.dice(step.used, step.unused, step.how)


def _nobody(text: str, said: Mapping[str, str | None]) -> list[str]:
    """A sentence about the sides that said nothing, one for both where neither did."""
    silent = [adjective for side, adjective in (("axis", "Axis"), ("allies", "Allied")) if said[side] is None]
    return [text.replace("{} ", "")] if len(silent) == 2 else [text.format(adjective) for adjective in silent]


def _screen(text: str, side: str, group: Ships) -> list[Decision]:
    """Ships put behind the screen, all of them of the group."""
    option = f"--screen-{side}"
    behind = read_ships(text, option, group.nation)
    strangers = [name for id, name in behind.names.items() if id not in group.names]
    if strangers or minus(behind.light, group.light):
        raise PlayerError(f"{option}: {behind.words} are not all there; the group is {group.words}")
    answer: dict[str, Any] = dict.fromkeys(behind.names, "screen")
    return [(side, "screen", {**answer, **{key: {"screen": n} for key, n in behind.light.items()}})]


# -- submarines -----------------------------------------------------------------------------------


def submarine(
    submarines: Annotated[str, _force('Submarine factors: "2 Japan", "1 advanced Germany".')],
    target: Annotated[str, _force('The group attacked: "Wasp (2 NAS), 2 CA, 3 DD".')],
    torpedo: Annotated[str | None, a_number("The attacker's torpedo results; 0 unless said.")] = None,
    asw: Annotated[str | None, a_number("The defender's ASW results; 0 unless said.")] = None,
    searching: Annotated[str | None, a_number("The attacker's searching squadrons; 0 unless said.")] = None,
    enemy_searching: Annotated[str | None, a_number("The defender's searching squadrons; 0 unless said.")] = None,
    excess_asw: Annotated[str | None, a_number("The defender's excess ASW; 0 unless said.")] = None,
    codebreaking: Annotated[str | None, a_number("The attacker's submarine codebreaking, from -1 to 1.")] = None,
    tactical: Annotated[str | None, a_number("The attacker's tactical codebreaking; 0 unless said.")] = None,
    enemy_tactical: Annotated[str | None, a_number("The defender's tactical codebreaking; 0 unless said.")] = None,
    advanced: Annotated[bool, typer.Option("--advanced", help="All submarines are advanced.")] = False,
    hampered: Annotated[bool, typer.Option("--hampered", help="The group is hampered.")] = False,
    theatre: Annotated[str, typer.Option(help="Europe or Pacific: where excess ASW is counted.")] = "Pacific",
    western_front: Annotated[
        bool, typer.Option("--western-front", help="Europe: in a hex of the western front.")
    ] = False,
    nation: Annotated[str | None, _nation("The nation of light ships of no stated nation.")] = None,
    impaired: Annotated[str | None, _nation("Nations whose submarines lack supply or oil.")] = None,
    impaired_ships: Annotated[str | None, _nation("Nations whose ships lack supply or oil.")] = None,
    edition: Edition = "current",
    option: Option = None,
    dice: Dice = None,
    more: More = None,
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Resolve submarine attacks on a group outside naval combat, without a game (22.921).

    Of ships of one category the one named first is attacked.

    [bold]flagplot submarine --submarines "2 Japan" --target "Wasp, 2 CA, 3 DD" --torpedo 1 --asw 2 --dice 1 6 4 5 4 4[/bold]

    [bold]flagplot submarine --submarines "3 Germany" --target "Barham (1 hit), 4 UK DD" --seed 7[/bold]
    """
    thrown, rules = the_dice(dice, more, seed), rules_chosen(edition, option)
    ships = read_ships(target, "--target", nation_called(nation, "--nation") if nation is not None else None)
    attacking = read_submarines(submarines, "--submarines", advanced=advanced)
    where = {place.lower(): place for place in BOXES.values()}.get(theatre.strip().lower())
    if where is None:
        raise PlayerError(f"there is no theatre {theatre[:40]!r}; there are {listed(sorted(set(BOXES.values())))}")
    box = next(name for name, theatre_of in BOXES.items() if theatre_of == where)
    asked = {
        "submarines": attacking,
        "target": ships.json(hampered=hampered),
        "attacker": {
            "research": {"torpedo": number(torpedo, "--torpedo")},
            "searching": number(searching, "--searching", MOST_FACTORS),
            "tactical": number(tactical, "--tactical"),
            "codebreaking": number(codebreaking, "--codebreaking", 1, -1),
            "impaired": nations(impaired, "--impaired"),
        },
        "defender": {
            "research": {"ASW": number(asw, "--asw")},
            "searching": number(enemy_searching, "--enemy-searching", MOST_FACTORS),
            "tactical": number(enemy_tactical, "--enemy-tactical"),
            "excess_asw": {box: number(excess_asw, "--excess-asw", MOST_FACTORS)},
            "impaired": nations(impaired_ships, "--impaired-ships"),
        },
        "theatre": where,
        "western_front": western_front,
    }
    told = {
        "torpedo research": torpedo,
        "ASW research": asw,
        "searching squadrons": searching,
        "enemy searching squadrons": enemy_searching,
        "excess ASW": excess_asw,
        "codebreaking": codebreaking or tactical or enemy_tactical,
    }
    silent = [name for name, text in told.items() if text is None]
    assumed = [*ships.assumed, *([f"no {listed(silent).replace(' and ', ' or ')}"] if silent else [])]
    carriers = [ship["name"] for ship in ships.ships if ship["kind"] in CARRIER_KINDS and "air" not in ship]
    assumed += [f"all squadrons are aboard {listed(carriers)}"] if carriers else []
    assumed += ["the group is not hampered"] * (not hampered) + [f"the theatre is {where}"]
    if impaired is None and impaired_ships is None:
        assumed.append("nobody lacks supply or oil")
    step = resolve("submarine_attack", asked, thrown, assumed, rules)
    if wants_json(json):
        print_json(step.json)
        return
    parts = submarine_parts(attacking, nations=True)
    page = _begin(
        f"Submarine attack ({rules.number('22.921')})", (f"{listed(parts)} against {ships.words}.", "own"), step=step
    )
    submarine_page(page, ships, step)
    page.dice(step.used, step.unused, step.how)
