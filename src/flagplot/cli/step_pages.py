"""A strike, a fleet combat or a submarine attack told to people: step by step, each roll with its lines.

The law here: everything told comes out of the answers of the public API; nothing is worked out again but which dice of
the row fell where, by the order the API states.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from flagplot import api
from flagplot.cli.command_options import Rules
from flagplot.cli.page import Page
from flagplot.cli.step_dice import Step
from flagplot.cli.typed import Ships
from flagplot.core.sides import Side
from flagplot.model.forces import LIGHT
from flagplot.model.ships import light, minus, plus
from flagplot.model.squadrons import squadron
from flagplot.play.wording import (
    agreeing,
    counted,
    light_parts,
    listed,
    rolled,
    squadron_parts,
    submarine_parts,
)

Answer = dict[str, Any]

FATES = {"hit": "is hit", "damaged": "is damaged", "sunk": "is sunk"}
ATTACKING = {"axis": "The ships of the Axis attack", "allies": "The ships of the Allies attack"}
SIDE_STYLES = {"axis": "own", "allies": "foe"}


def squadrons(counts: dict[str, int]) -> str:
    """Squadrons in words, with their nations."""
    return listed(squadron_parts(counts, nations=True), "no squadrons")


def _roll(dice: Sequence[int], modifier: int, hits: int) -> str:
    return f"{rolled(dice, modifier)}: {counted(hits, 'hit')}"


# -- an air strike --------------------------------------------------------------------------------


def strike_page(page: Page, asked: Answer, ships: Ships, step: Step) -> None:
    """A whole strike: surprise, air combat, air defense, attacks, what came of it."""
    answer, dice = step.answer, step.used
    target = asked["target"]
    for rolled_once in answer["surprise"]:
        _surprise(page, rolled_once, step.rules)
    flying = dict(asked["attackers"])
    taken = list(answer["lost"])
    fought = answer["air_combat"]
    after = sum(len(rolled_once["dice"]) for rolled_once in answer["surprise"])
    pool = plus(target.get("patrol", {}), target.get("cover", {}))
    if "rows" in fought:
        page.heading("Air combat (23.415)")
        # What the defenders' dice took is the first thing the strike lost, if they took anything.
        toll = taken.pop(0) if fought["defender_result"] != "0" and taken else {}
        _air_combat(page, fought, toll, dice[after : after + 4])
        flying = _left(flying, toll)
    elif pool:
        page.heading("Air combat (23.415)")
        page.say("None of the defenders engages.", "foe")
    for shot in answer["air_defense"]:
        page.heading("Air defense (23.421)")
        toll = taken.pop(0) if shot["eliminated"] + shot["aborted"] and taken else {}
        _air_defense(page, shot, toll)
        flying = _left(flying, toll)
    page.heading("Air attacks (23.44)")
    after += 4 * ("rows" in fought) + sum(len(shot["dice"]) for shot in answer["air_defense"])
    _attacks(page, ships, answer, flying, dice[after:])
    page.heading("Outcome")
    for sentence in _fates(ships, answer):
        page.say(sentence, "foe")
    for due in answer["critical_hits"]:
        page.say(
            f"A critical hit roll is due on {ships.names[due['ship']]} (20.524), taken as: {due['outcome']}.", "foe"
        )
    page.say(f"The attackers lose {squadrons(answer['squadrons_lost'][Side.AXIS])}.", "own")
    page.say(f"The defenders lose {squadrons(fought['defenders_lost'])}.", "foe")
    aboard = minus(answer["squadrons_lost"][Side.ALLIES], fought["defenders_lost"])
    if aboard:
        page.say(f"{squadrons(aboard)} went down with their carrier.", "foe")


def _left(flying: dict[str, int], toll: Answer) -> dict[str, int]:
    return minus(flying, plus(toll.get("lost", {}), toll.get("aborted", {})))


def _surprise(page: Page, told: Answer, rules: Rules) -> None:
    page.heading(f"Surprise ({rules.number('23.7412')})")
    page.lines(told["lines"])
    effects = api.call("surprise_effects", {"level": told["level"]}, **rules.beside)["effects"]
    page.say(f"{rolled(told['dice'], told['total'])}: level {told['level']}, {listed(effects, 'no effect')}.", "own")


def _air_combat(page: Page, told: Answer, toll: Answer, dice: Sequence[int]) -> None:
    page.say(f"{squadrons(told['fighting'])} against {squadrons(told['defenders'])}.")
    page.lines(told["lines"])
    rows = told["rows"]
    both = (
        ("Attackers", "own", "attacker", dice[:2], told["attacker_drm"]),
        ("Defenders", "foe", "defender", dice[2:], told["defender_drm"]),
    )
    for name, style, who, thrown, drm in both:
        row = f"row {rows[who]}"
        page.say(f"{name}, {row}: {rolled(thrown, drm)}: {_result(told[f'{who}_result'])}.", style)
    page.say(_toll(toll), "own")
    page.say(f"The defenders lose {squadrons(told['defenders_lost'])}.", "foe")


def _result(text: str) -> str:
    """An air result: 1/2 is one eliminated and two aborted."""
    eliminated, _, aborted = text.partition("/")
    return f"{eliminated or '0'} eliminated, {aborted or '0'} aborted"


def _toll(toll: Answer) -> str:
    turned = squadron_parts(toll.get("aborted", {}), nations=True)
    back = f"; {listed(turned)} {agreeing(turned, 'turns', 'turn')} back" if turned else ""
    return f"The strike loses {squadrons(toll.get('lost', {}))}{back}."


def _air_defense(page: Page, told: Answer, toll: Answer) -> None:
    page.lines(told["lines"])
    if not told["dice"]:
        page.say(f"Level {told['level']}: the ships do not shoot.", "foe")
        return
    result = f"{told['eliminated']} eliminated, {told['aborted']} aborted"
    page.say(f"Level {told['level']}: {rolled(told['dice'])}: {result}.", "foe")
    page.say(_toll(toll), "own")


def _attacks(page: Page, ships: Ships, answer: Answer, flying: dict[str, int], dice: Sequence[int]) -> None:
    if not flying:
        page.say("No squadron comes through to the ships.", "own")
        return
    falling = {key: number for key, number in flying.items() if squadron(key).kind == "KAM"}
    if falling:
        thrown = ", ".join(map(str, dice[: sum(falling.values())]))
        parts = squadron_parts(falling, nations=True)
        verb = agreeing(parts, "falls where its die says", "fall where their dice say")
        page.say(f"{listed(parts)} {verb}: {thrown} (17.475F).", "own")
    light_hits = iter(answer["light"])
    attacking: dict[str, int] = {}
    for attack in answer["attacks"]:
        attacking = plus(attacking, attack["squadrons"])
        target = attack["target"]
        parts = squadron_parts(attack["squadrons"], nations=True)
        name = ships.names.get(target) or ("the light ships" if target == LIGHT else "the sea supply line")
        page.say(f"{listed(parts)} {agreeing(parts, 'attacks', 'attack')} {name}.", "own")
        page.lines(attack["lines"])
        fate = ""
        if attack["hits"] and target in ships.names:
            fate = f" {name} {FATES[answer['ships'][target]]}."
        elif attack["hits"] and target == LIGHT:
            fate = f" {_light_fate([next(light_hits)])}."
        page.say(f"{_roll(attack['dice'], attack['modifier'], attack['hits'])}.{fate}", "own")
    idle = minus(flying, attacking)
    if idle:
        parts = squadron_parts(idle, nations=True)
        page.say(f"{listed(parts)} {agreeing(parts, 'attacks', 'attack')} nothing.", "own")


def _light_fate(losses: Iterable[Answer]) -> str:
    """What became of light ships, all rolls together."""
    sunk: dict[str, int] = {}
    damaged: dict[str, int] = {}
    for loss in losses:
        sunk, damaged = plus(sunk, loss["sunk"]), plus(damaged, loss["damaged"])
    parts = []
    for counts, fate in ((sunk, "sunk"), (damaged, "damaged")):
        told = light_parts(counts)
        if told:
            parts.append(f"{listed(told)} {agreeing(told, 'is', 'are')} {fate}")
    return "; ".join(parts) or "No light ship suffers"


def _fates(ships: Ships, answer: Answer) -> list[str]:
    """What became of the ships attacked, in sentences."""
    told = [f"{ships.names[id]} {FATES[fate]}." for id, fate in answer["ships"].items()]
    if answer["light"]:
        told.append(f"{_light_fate(answer['light'])}.")
    return told or ["No ship is hit."]


# -- fleet combat ---------------------------------------------------------------------------------


def engagement_page(page: Page, groups: dict[str, Ships], step: Step) -> None:
    """A whole fleet combat: the lines, who attacks where an edition has an attacker, every shot, what is left."""
    answer = step.answer
    names = groups["axis"].names | groups["allies"].names
    page.heading("Lines of battle (22.54A)")
    for side, style in SIDE_STYLES.items():
        if answer["attacker"] == side:  # his ships stand in no order: they aim at the ranks of the others
            page.say(f"{ATTACKING[side]} and aim first; the others answer (22.54).", style)
            continue
        ranked = [names[id] for id in answer["ranks"].get(side, ())]
        page.say(f"{side.title()}: {', '.join(ranked) or 'no capital ship in the line'}.", style)
    page.heading("Fire (22.55)")
    for shot in answer["shots"]:
        style = SIDE_STYLES[shot["side"]]
        parts = [names[id] for id in shot["ships"]] + light_parts(shot["light"])
        behind = "screened " if shot["screened"] else ""
        target = f"the {behind}light ships" if shot["target"] == LIGHT else behind + names[shot["target"]]
        verb = agreeing(parts, "fires", "fire")
        page.say(f"{listed(parts)} {verb} at {target}: {counted(shot['factors'], 'factor')}.", style)
        page.lines(shot["lines"])
        page.say(f"{_roll(shot['dice'], shot['modifier'], shot['hits'])}.", style)
    if not answer["shots"]:
        page.say("Nobody fires.")
    page.heading("Outcome")
    for side, style in SIDE_STYLES.items():
        page.say(f"{side.title()}: {_condition(groups[side], answer['sides'][side])}.", style)
    lost = [f"{side.title()} {answer['sides'][side]['factors_sunk']}" for side in SIDE_STYLES]
    hurt = [f"{side.title()} {answer['sides'][side]['factors_damaged']}" for side in SIDE_STYLES]
    page.say(f"Factors sunk: {', '.join(lost)}. Factors damaged: {', '.join(hurt)}.")


def _condition(group: Ships, told: Answer) -> str:
    """Every ship of a group in a word, then its light ships."""
    parts = []
    for id, name in group.names.items():
        ship = told["ships"][id]
        hits = counted(ship["hits"], "hit") if ship["hits"] else "unhurt"
        parts.append(f"{name} {ship['status'] if ship['status'] != 'undamaged' else hits}")
    sunk = light_parts(told["sunk_light"])
    parts += [f"{listed(sunk)} sunk"] if sunk else []
    afloat = light_parts(told["light"])
    parts += [f"{listed(afloat)} afloat"] if afloat else []
    return "; ".join(parts)


# -- submarines -----------------------------------------------------------------------------------


def submarine_page(page: Page, ships: Ships, step: Step) -> None:
    """Submarine attacks, one by one, and what came of them."""
    answer, dice = step.answer, step.used
    attacks = answer["attacks"]
    # Two dice an attack; the others chose a category, from the first attack until only one category was left.
    choosing = len(dice) - 2 * len(attacks)
    at = 0
    ranks = answer["ranked"]  # an edition has categories, or one die for what is attacked
    for index, attack in enumerate(attacks, start=1):
        nation, _, state = light(attack["submarine"])
        chosen = ships.names.get(attack["target"])
        page.heading(f"Attack {index} (22.94)")
        die = f"on a {dice[at]}" if index <= choosing else "without a die"
        who = " ".join(word for word in ("The", state, nation, "submarine") if word)
        if ranks:
            rolled_for = ranks[index - 1]["dice"]
            die = f"on a {rolled_for[0]}" if rolled_for else "without a die"
            page.say(f"{who} attacks {chosen or 'the light ships'} {die} (22.93E).", "own")
        else:
            category = answer["categories"][index - 1]
            page.say(
                f"{who} meets the {category} {die} (22.93E)" + (f" and attacks {chosen}." if chosen else "."), "own"
            )
        at += 3 if index <= choosing else 2
        page.lines(attack["lines"])
        lost = " The submarine is lost." if attack["submarine_lost"] else ""
        page.say(f"{_roll(attack['dice'], attack['modifier'], attack['hits'])}.{lost}", "own")
    page.heading("Outcome")
    for sentence in _fates(ships, answer):
        page.say(sentence, "foe")
    for home in answer["returned"]:
        parts = submarine_parts(home["submarines"], nations=True)
        state = "inverted" if home["inverted"] else "not inverted"
        page.say(f"{listed(parts)} {agreeing(parts, 'goes', 'go')} home, {state}: {home['why']}.", "own")
