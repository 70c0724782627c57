"""The admiral: a readable doctrine. He numbers his groups with the guns in front and the carriers behind, screens the
valuable, concentrates his fire, takes no fight he does not want, and goes home when he should."""

from __future__ import annotations

from collections.abc import Callable

from flagplot.core.asks import Decide
from flagplot.core.errors import IllegalChoice
from flagplot.core.forms import Wire
from flagplot.core.sides import Side
from flagplot.doctrine import policies
from flagplot.doctrine.sight import group_named, guns, sight
from flagplot.model.forces import CombatGroup
from flagplot.model.picture import Picture
from flagplot.model.ships import Ship, light


class AdmiralBot:
    """Plays the doctrine; where it has nothing to say, the form's default."""

    name = "admiral"

    def choose(self, picture: Picture, decision: Decide) -> Wire:
        """The admiral's answer; the default where the doctrine is silent or its answer would not do."""
        wish = WISHES.get(decision.kind)
        if wish is None:
            return decision.form.default
        answer = wish(picture, decision)
        try:
            decision.read(answer)
        except IllegalChoice:
            return decision.form.default
        return answer


def _number(picture: Picture, decision: Decide) -> Wire:
    """Guns in front; carriers and cargo far behind; whoever must wait is the weakest."""
    side = decision.side
    forces = {force.name: force for force in picture.battle.fleets[side].forces}
    ranks: dict[str, int] = {}
    for item in decision.form.items:
        force = forces.get(item.key)
        group = CombatGroup(0)
        if force:
            group = CombatGroup(0, force.name, force.ships, force.light, force.cargo, force.supply)
        ranks[item.key] = policies.group_number_rank(sight(picture, group))
    front = sorted((name for name in ranks if ranks[name] < 0), key=lambda name: ranks[name])
    back = sorted((name for name in ranks if ranks[name] >= 0), key=lambda name: -ranks[name])
    told = {name: str(number) for number, name in enumerate(front, start=1)}
    told |= {name: str(6 - index) for index, name in enumerate(back)}
    return told


def _screen(picture: Picture, decision: Decide) -> Wire:
    """Screen escort carriers, and capital ships that one more hit would cripple."""
    group = group_named(picture.battle, decision.side, decision.about)
    if group is None:
        return {}
    told: dict[str, str] = {key: "screen" for key in group.light if light(key).kind == "CVE"}
    line = [ship for ship in group.ships if ship.is_capital and not ship.damaged]
    for ship in sorted(line, key=lambda ship: -ship.hits):
        held = sum(ship.id in told for ship in line)
        if policies.screens_capital_ship(ship.hits, ship.size, len(line) - held):
            told[ship.id] = "screen"
    others = guns(group) - sum(ship.size for ship in line if ship.id in told)
    return told if others > 0 else {}


def _enemy_ships(picture: Picture, side: Side) -> dict[str, Ship]:
    return {ship.id: ship for group in picture.battle.fleets[side.enemy].groups for ship in group.ships}


def _surplus_capital(picture: Picture, decision: Decide) -> Wire:
    """All join the friend whose opponent is nearest to sinking; with no opponents, fire at the light ships."""
    lines = picture.battle.lines
    mine, theirs = lines[decision.side].capital, lines[decision.side.enemy].capital
    foes = _enemy_ships(picture, decision.side)
    friends = [(friend, foes[foe]) for friend, foe in zip(mine, theirs, strict=False) if foe in foes]
    place = "hold"
    if friends:
        place, _ = max(friends, key=lambda pair: policies.target_worth(pair[1].size, pair[1].hits, pair[1].damaged))
    elif any(place.key == "light" for place in decision.form.places):
        place = "light"
    return {item.key: place for item in decision.form.items}


def _surplus_light(picture: Picture, decision: Decide) -> Wire:
    """Surplus destroyers go for the capital ship nearest to sinking; without one they hold for the screen."""
    foes = _enemy_ships(picture, decision.side)
    targets = [foes[place.key] for place in decision.form.places if place.key in foes]
    place = "hold"
    if targets:
        worth = {ship.id: policies.target_worth(ship.size, ship.hits, ship.damaged) for ship in targets}
        place = max(worth, key=lambda id: worth[id])
    told: dict[str, dict[str, int]] = {}
    for item in decision.form.items:
        for amount in range(item.amount, 0, -1):
            trial = {**told, item.key: {place: amount}}
            if _legal(decision, trial):
                told = trial
                break
    return told


def _legal(decision: Decide, wire: Wire) -> bool:
    try:
        decision.read(wire)
    except IllegalChoice:
        return False
    return True


def _screened_fire(picture: Picture, decision: Decide) -> Wire:
    """Everybody fires at the largest ship behind the screen, carriers first; else at the light ships."""
    foes = _enemy_ships(picture, decision.side)
    targets = [foes[place.key] for place in decision.form.places if place.key in foes]
    place = decision.form.places[-1].key
    if targets:
        place = max(targets, key=lambda ship: (ship.is_carrier, ship.damaged, ship.hits, ship.size)).id
    return {item.key: place for item in decision.form.items}


def _engage(picture: Picture, decision: Decide) -> Wire:
    """Seek the weakest enemy group that the guns can master."""
    group = group_named(picture.battle, decision.side, decision.about)
    offered = decision.form.items[0].places
    best, best_guns = "none", 0
    for target in picture.battle.fleets[decision.side.enemy].groups:
        name = f"CG{target.number}"
        view = sight(picture, group, target)
        if name in offered and policies.engages(view) and (best == "none" or view.target_guns < best_guns):
            if _legal(decision, {"target": name}):
                best, best_guns = name, view.target_guns
    return {"target": best}


def _evade(picture: Picture, decision: Decide) -> Wire:
    """Slip away from a stronger enemy, but not if that means abandoning ships."""
    group = group_named(picture.battle, decision.side, decision.about)
    seekers = [
        engagement
        for engagement in picture.battle.engagements
        if f"CG{engagement.number(decision.side)}" == decision.about and engagement.initiator != decision.side
    ]
    if group is None or not seekers:
        return "fight"
    enemy = picture.battle.fleets[decision.side.enemy].group(seekers[0].number(decision.side.enemy))
    return {"choice": "evade" if policies.evades(sight(picture, group, enemy)) else "fight"}


def _withdraw(picture: Picture, decision: Decide) -> Wire:
    """Go home with everything when the odds are bad; otherwise send damaged ships away from groups that fought."""
    if policies.withdraws(sight(picture)):
        closed = {item.key: decision.form.barred(item) for item in decision.form.items}
        return {item.key: "withdraw" for item in decision.form.items if "withdraw" not in closed[item.key]}
    told: dict[str, str] = {}
    for group in picture.battle.fleets[decision.side].groups:
        if group.attacked:
            told |= {f"CG{group.number}:{ship.id}": "withdraw" for ship in group.ships if ship.damaged}
            told |= {f"CG{group.number}:{key}": "withdraw" for key in group.light if light(key).state == "damaged"}
    return told


def _reinforce(picture: Picture, decision: Decide) -> Wire:
    """Everybody who can joins: guns at the lowest free number, carriers and cargo at the highest."""
    pending = {group.name: group for group in picture.battle.fleets[decision.side].pending}
    free = [place.key for place in decision.form.places if place.key != "wait"]
    told: dict[str, str] = {}
    for item in decision.form.items:
        group = pending.get(item.key)
        if free and group:
            last = policies.group_number_rank(sight(picture, group)) >= 0
            trial = {**told, item.key: free[-1] if last else free[0]}
            if _legal(decision, trial):
                told = trial
                free.remove(told[item.key])
    return told


WISHES: dict[str, Callable[[Picture, Decide], Wire]] = {
    "number": _number,
    "screen": _screen,
    "surplus capital": _surplus_capital,
    "surplus light": _surplus_light,
    "screened fire capital": _screened_fire,
    "screened fire light": _screened_fire,
    "engage": _engage,
    "evade": _evade,
    "withdraw": _withdraw,
    "reinforce": _reinforce,
}
