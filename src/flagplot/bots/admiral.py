"""The admiral: a readable doctrine. He numbers his groups with the guns in front and the carriers behind, screens the
valuable, concentrates his fire, takes no fight he does not want, and goes home when he should."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from flagplot.bots.bot import rules_of
from flagplot.bots.flying import FLYING, legal, small_strike, spread_targets
from flagplot.bots.heavy_fire import answering_fire, heavy_targets
from flagplot.bots.operations import OPERATION_PARTS, OPERATIONS
from flagplot.bots.war import WAR
from flagplot.core.asks import Decide
from flagplot.core.errors import IllegalChoice
from flagplot.core.forms import Wire
from flagplot.core.sides import Side
from flagplot.doctrine import policies
from flagplot.doctrine.doctrine import Doctrine
from flagplot.doctrine.sight import ADMIRAL, group_named, sight
from flagplot.model.forces import CombatGroup
from flagplot.model.picture import Picture
from flagplot.model.ships import Ship, light
from flagplot.rules.naval.gunnery import Crew, nationality_drm
from flagplot.tables.naval_nationality import NavalNationality

WAITS = "wait"  # in place of a number


class AdmiralBot:
    """Plays the doctrine; where it has nothing to say, the form's default.

    `without` names parts of the doctrine he leaves out, to see what each is worth: see PARTS, and OPERATION_PARTS.
    `doctrine` are the numbers he goes by.
    """

    name = "admiral"

    def __init__(self, without: Iterable[str] = (), doctrine: Doctrine = ADMIRAL) -> None:
        left_out = list(without)
        battle = dict(BATTLE)
        for part in left_out:
            battle |= PARTS.get(part, {})
        self.doctrine = doctrine
        self.wishes: dict[str, Callable[[Picture, Decide], Wire]] = {
            kind: _by(wish, doctrine) for kind, wish in battle.items()
        }
        self.wishes |= OPERATIONS | WAR
        for part in left_out:
            self.wishes |= {} if part in PARTS else OPERATION_PARTS[part]

    def choose(self, picture: Picture, decision: Decide) -> Wire:
        """The admiral's answer; the default where the doctrine is silent or its answer would not do."""
        wish = self.wishes.get(decision.kind)
        if wish is None:
            return decision.form.default
        answer = wish(picture, decision)
        try:
            decision.read(answer)
        except IllegalChoice:
            return decision.form.default
        return answer


def _by(wish: Callable[[Picture, Decide, Doctrine], Wire], doctrine: Doctrine) -> Callable[[Picture, Decide], Wire]:
    return lambda picture, decision: wish(picture, decision, doctrine)


def _number(picture: Picture, decision: Decide, doctrine: Doctrine) -> Wire:
    """Guns in front; cargo last; carriers behind the guns with a number left above them to slip away to, if one is left at
    all. Of more groups than there are numbers those with the fewest guns wait, carriers and cargo after them."""
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
    numbers = [place.key for place in decision.form.places if place.key != WAITS]
    spared = [*front[::-1], *back[::-1]][: max(0, len(ranks) - len(numbers))]  # the weakest guns
    told = dict.fromkeys(spared, WAITS)
    front, back = ([name for name in names if name not in told] for names in (front, back))
    told |= dict(zip(front, numbers, strict=False))
    free = numbers[::-1]
    if back and ranks[back[0]] < policies.LADEN and len(front) + len(back) < len(numbers):
        free = [*free[1:], free[0]]
    told |= dict(zip(back, free, strict=False))
    return told


def _screen(picture: Picture, decision: Decide, doctrine: Doctrine) -> Wire:
    """Screen what drags the others down: escort carriers, and a few light ships of a weaker navy (22.552A)."""
    group = group_named(picture.battle, decision.side, decision.about)
    if group is None:
        return {}
    chart = rules_of(picture).nationality
    drms = {key: _drm(chart, key) for key in group.light if light(key).kind in ("CA", "DD") and not light(key).state}
    told = {key: "screen" for key in group.light if light(key).kind == "CVE"} if drms else {}
    best = max(drms.values(), default=0)
    factors = {key: light(key).factors * group.light[key] for key in drms}
    weaker = [key for key, drm in drms.items() if drm < best]
    if policies.screens_weaker(sum(factors[key] for key in weaker), sum(factors.values()), doctrine):
        told |= dict.fromkeys(weaker, "screen")
    return told


def _drm(chart: NavalNationality, key: str) -> int:
    nation, kind, _ = light(key)
    return nationality_drm(chart, Crew(nation, kind))


def _enemy_ships(picture: Picture, side: Side) -> dict[str, Ship]:
    return {ship.id: ship for group in picture.battle.fleets[side.enemy].groups for ship in group.ships}


def _surplus_capital(picture: Picture, decision: Decide, doctrine: Doctrine) -> Wire:
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


def _surplus_light(picture: Picture, decision: Decide, doctrine: Doctrine) -> Wire:
    """Light ships fire at light ships as long as these can absorb it; then at the capital ship nearest to sinking;
    without one they hold for the screen."""
    line = picture.battle.lines[decision.side.enemy].light
    firing = sum(item.amount for item in decision.form.items)
    if policies.light_ships_worth_firing_at(firing, sum(line.values()), doctrine):
        return decision.form.default
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
            if legal(decision, trial):
                told = trial
                break
    return told


def _screened_worth(ship: Ship) -> int:
    return policies.screened_worth(ship.is_carrier, ship.damaged, ship.hits, ship.size)


def _screened_fire(picture: Picture, decision: Decide, doctrine: Doctrine) -> Wire:
    """Everybody fires at the largest ship behind the screen, carriers first; else at the light ships."""
    foes = _enemy_ships(picture, decision.side)
    targets = [foes[place.key] for place in decision.form.places if place.key in foes]
    place = decision.form.places[-1].key
    if targets:
        place = max(targets, key=_screened_worth).id
    return {item.key: place for item in decision.form.items}


def _engage(picture: Picture, decision: Decide, doctrine: Doctrine) -> Wire:
    """Seek the weakest enemy group that the guns can master."""
    group = group_named(picture.battle, decision.side, decision.about)
    offered = decision.form.items[0].places
    best, best_guns = "none", 0
    for target in picture.battle.fleets[decision.side.enemy].groups:
        name = f"CG{target.number}"
        view = sight(picture, group, target, doctrine)
        if name in offered and policies.engages(view, doctrine) and (best == "none" or view.target_guns < best_guns):
            if legal(decision, {"target": name}):
                best, best_guns = name, view.target_guns
    return {"target": best}


def _evade(picture: Picture, decision: Decide, doctrine: Doctrine) -> Wire:
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
    return {"choice": "evade" if policies.evades(sight(picture, group, enemy, doctrine), doctrine) else "fight"}


def _withdraw(picture: Picture, decision: Decide, doctrine: Doctrine) -> Wire:
    """Go home with everything when the odds are bad; otherwise send damaged ships away from groups that fought."""
    if policies.withdraws(sight(picture, doctrine=doctrine), doctrine):
        closed = {item.key: decision.form.barred(item) for item in decision.form.items}
        return {item.key: "withdraw" for item in decision.form.items if "withdraw" not in closed[item.key]}
    return damaged_leave(picture, decision)


def damaged_leave(picture: Picture, decision: Decide) -> dict[str, str]:
    """A withdrawal of damaged ships only, from groups that fought."""
    told: dict[str, str] = {}
    for group in picture.battle.fleets[decision.side].groups:
        if group.attacked:
            told |= {f"CG{group.number}:{ship.id}": "withdraw" for ship in group.ships if ship.damaged}
            told |= {f"CG{group.number}:{key}": "withdraw" for key in group.light if light(key).state == "damaged"}
    return told


def _reinforce(picture: Picture, decision: Decide, doctrine: Doctrine) -> Wire:
    """Everybody who can joins: guns at the lowest free number, carriers and cargo at the highest."""
    pending = {group.name: group for group in picture.battle.fleets[decision.side].pending}
    free = [place.key for place in decision.form.places if place.key != "wait"]
    told: dict[str, str] = {}
    for item in decision.form.items:
        group = pending.get(item.key)
        if free and group:
            last = policies.group_number_rank(sight(picture, group)) >= 0
            trial = {**told, item.key: free[-1] if last else free[0]}
            if legal(decision, trial):
                told = trial
                free.remove(told[item.key])
    return told


# What he wishes in a battle, by his doctrine; in operations and in the war he has none to choose from.
BATTLE: dict[str, Callable[[Picture, Decide, Doctrine], Wire]] = {
    "number": _number,
    "screen": _screen,
    "surplus capital": _surplus_capital,
    "heavy targets": heavy_targets,
    "answering fire": answering_fire,
    "surplus light": _surplus_light,
    "screened fire capital": _screened_fire,
    "screened fire light": _screened_fire,
    "engage": _engage,
    "evade": _evade,
    "withdraw": _withdraw,
    "reinforce": _reinforce,
    **FLYING,
}


def _as_offered(picture: Picture, decision: Decide, doctrine: Doctrine) -> Wire:
    return decision.form.default


def _spread(picture: Picture, decision: Decide, doctrine: Doctrine) -> Wire:
    """One ship after the other joins the next friend."""
    friends = [place.key for place in decision.form.places if place.key not in ("hold", "light")]
    if not friends:
        return decision.form.default
    return {item.key: friends[index % len(friends)] for index, item in enumerate(decision.form.items)}


def _nothing(picture: Picture, decision: Decide, doctrine: Doctrine) -> Wire:
    return {}


# What an admiral does who lacks a part of the doctrine, by kind of decision.
PARTS: dict[str, dict[str, Callable[[Picture, Decide, Doctrine], Wire]]] = {
    "screening": {"screen": _as_offered},
    "concentration": {
        "surplus capital": _spread,
        "heavy targets": _as_offered,
        "strike": small_strike,
        "air targets": spread_targets,
    },
    "evasion": {"evade": _as_offered},
    "patrol": {"patrol": _nothing},
    "cover": {"cover": _nothing},
}
