"""Reference resolution of one fleet combat between two combat groups, to be compared with the program.

It is written from the rules (22.53 to 22.55 with 20.5) and their rulings alone and shares nothing with the program.
The numbers come from the second transcription of the tables. Every decision of the players and every pair of dice is
an input, so the result is fixed.

Conventions of the result: light ship kinds of which nothing is left are not listed; the roll of a shot is the sum of
dice and modifier before it is limited to 2..12; a ship that sinks keeps the damage mark it had before the sinking hits.
"""

from dataclasses import dataclass, field
from typing import Any

from tests.differential.reference_losses import (
    CAPITAL_KINDS,
    CARRIER_KINDS,
    FORMS_ABLE_TO_FIGHT,
    LIGHT,
    LIGHT_FORMS,
    Counts,
    Ship,
    add_counts,
    checked_counts,
    factors_of,
    form_of,
    hit_ship,
    light_losses,
    light_modifier,
    ship_modifier,
    table_hits,
    take_counts,
)


@dataclass
class Fire:
    """All fire of one side at one target in one step: it is resolved by a single roll."""

    factors: int = 0
    modifiers: list[int] = field(default_factory=list)

    def add(self, factors: int, modifier: int) -> None:
        """Let one more unit take part."""
        self.factors += factors
        self.modifiers.append(modifier)


Plan = dict[str, dict[str, Fire]]  # side, then target, then the fire at it


@dataclass
class Battle:
    """Where everything stands while the fleet combat is fought."""

    sides: list[str]
    ships: dict[str, Ship]
    ranks: dict[str, list[str]]  # unscreened capital ships of a side, highest first
    line: dict[str, Counts]  # unscreened, undamaged light ships
    hurt: dict[str, Counts]  # cruisers damaged by light fire: still unscreened
    screen: dict[str, Counts]  # screened light ships
    loss_order: dict[str, list[str]]
    hampered: dict[str, bool]
    tactical: dict[str, int]
    dice: list[list[int]]
    dice_used: int = 0
    shots: list[dict[str, Any]] = field(default_factory=list)

    def enemy(self, side: str) -> str:
        """Return the other side."""
        return self.sides[1] if side == self.sides[0] else self.sides[0]

    def ship_ids(self, side: str) -> list[str]:
        """Return the named ships of a side in the order they were given."""
        return [name for name, ship in self.ships.items() if ship["side"] == side]


# ---------------------------------------------------------------------------------------------- setting up


def read_ships(engagement: dict[str, Any]) -> dict[str, Ship]:
    """Copy the named ships of both sides, each with its side and whether it is screened."""
    ships: dict[str, Ship] = {}
    for side in engagement["sides"]:
        by_choice = engagement.get("screened", {}).get(side, {}).get("ships", [])
        for given in engagement["groups"][side].get("ships", []):
            name = given["id"]
            if name in ships or name == LIGHT:
                raise ValueError(f"The ship name {name} is used twice or is not allowed.")
            if given["kind"] not in CAPITAL_KINDS + CARRIER_KINDS:
                raise ValueError(f"{name} is of the unknown kind {given['kind']}.")
            ship = {"hits": 0, "damaged": False, **given, "side": side, "sunk": False}
            if not ship["damaged"] and ship["hits"] >= ship["size"] - 1:
                raise ValueError(f"{name} has hits enough to be damaged but is not marked as damaged.")
            ship["screened"] = ship["damaged"] or ship["kind"] in CARRIER_KINDS or name in by_choice
            ships[name] = ship
        for name in by_choice:
            if name not in ships or ships[name]["side"] != side:
                raise ValueError(f"{side} screens {name}, which is not in its group.")
    return ships


def read_light(engagement: dict[str, Any], side: str) -> tuple[Counts, Counts]:
    """Return the unscreened and the screened light ships of a side."""
    given: Counts = engagement["groups"][side].get("light", {})
    for key, count in given.items():
        if "/" not in key or form_of(key) not in LIGHT_FORMS or count < 0:
            raise ValueError(f"{side} lists {count} of {key}, which is no light ship.")
    chosen = engagement.get("screened", {}).get(side, {}).get("light", {})
    chosen = checked_counts(chosen, given, f"{side} screens light ships")
    line: Counts = {}
    screen: Counts = {}
    for key, count in given.items():
        screened = chosen.get(key, 0) if form_of(key) in FORMS_ABLE_TO_FIGHT else count
        if count > screened:
            line[key] = count - screened
        if screened:
            screen[key] = screened
    return line, screen


def ranked(ships: dict[str, Ship], side: str, owner_order: list[str]) -> list[str]:
    """Rank the unscreened capital ships: larger, faster, fewer hits, higher modifier, then the owner's order."""
    capital = [name for name, ship in ships.items() if ship["side"] == side and not ship["screened"]]
    for name in owner_order:
        if name not in ships or ships[name]["side"] != side:
            raise ValueError(f"{side} ranks {name}, which is not in its group.")
    order = owner_order + [name for name in capital if name not in owner_order]

    def rank(name: str) -> tuple[int, bool, int, int, int]:
        ship = ships[name]
        return (-ship["size"], not ship["fast"], ship["hits"], -ship_modifier(ship), order.index(name))

    return sorted(capital, key=rank)


def set_up(engagement: dict[str, Any]) -> Battle:
    """Read the whole input and divide both groups into capital, light and screened ships."""
    sides = list(engagement["sides"])
    ships = read_ships(engagement)
    light = {side: read_light(engagement, side) for side in sides}
    owner_order = engagement.get("rank_order", {})
    loss_order: dict[str, list[str]] = {}
    for side in sides:
        listed = list(engagement.get("loss_order", {}).get(side, []))
        all_keys = engagement["groups"][side].get("light", {})
        loss_order[side] = listed + [key for key in all_keys if key not in listed]
    return Battle(
        sides=sides,
        ships=ships,
        ranks={side: ranked(ships, side, list(owner_order.get(side, []))) for side in sides},
        line={side: light[side][0] for side in sides},
        hurt={side: {} for side in sides},
        screen={side: light[side][1] for side in sides},
        loss_order=loss_order,
        hampered={side: bool(engagement["groups"][side].get("hampered", False)) for side in sides},
        tactical={side: int(engagement["groups"][side].get("tactical", 0)) for side in sides},
        dice=engagement["dice"],
    )


# ---------------------------------------------------------------------------------------------- rolling and applying


def roll_once(battle: Battle, side: str, target: str, step: str, fire: Fire) -> int:
    """Roll for all fire of a side at one target, record the shot and return the hits."""
    enemy = battle.enemy(side)
    if target == LIGHT:
        group = battle.screen[enemy] if step.startswith("screened") else battle.line[enemy]
        target_modifier = min(light_modifier(key) for key in group)
    else:
        target_modifier = ship_modifier(battle.ships[target])
    modifier = min(fire.modifiers) + battle.tactical[side] - target_modifier - battle.tactical[enemy]
    modifier += int(battle.hampered[enemy]) - int(battle.hampered[side])
    if battle.dice_used >= len(battle.dice):
        raise ValueError(f"No dice are left for the fire of {side} at {target} ({step}).")
    dice = battle.dice[battle.dice_used]
    if len(dice) != 2 or not all(1 <= die <= 6 for die in dice):
        raise ValueError(f"{dice} is not a roll of two dice.")
    battle.dice_used += 1
    roll = sum(dice) + modifier
    hits = table_hits(fire.factors, roll)
    battle.shots.append(
        {
            "side": side,
            "target": target,
            "step": step,
            "factors": fire.factors,
            "modifier": modifier,
            "dice": list(dice),
            "roll": roll,
            "hits": hits,
        }
    )
    return hits


def apply_to_light(battle: Battle, side: str, step: str, hits: int) -> None:
    """Apply the hits of one roll to the light ships, or screened light ships, of a side."""
    group = battle.screen[side] if step.startswith("screened") else battle.line[side]
    sunk, damaged = light_losses(group, hits, battle.loss_order[side])
    take_counts(group, sunk)
    take_counts(group, damaged)
    marked = {f"{key}/damaged": count for key, count in damaged.items()}
    # A cruiser damaged by capital ships goes behind the screen; one damaged by light ships stays in front of it.
    add_counts(battle.hurt[side] if step == "light" else battle.screen[side], marked)


def fight_step(battle: Battle, step: str, plan: Plan) -> None:
    """Roll all fire of one step in the fixed order, then apply all of it together."""
    results: list[tuple[str, str, int]] = []
    for side in battle.sides:
        enemy = battle.enemy(side)
        named = battle.ship_ids(enemy) if step.startswith("screened") else battle.ranks[enemy]
        for target in [*named, LIGHT]:
            if target in plan[side]:
                results.append((enemy, target, roll_once(battle, side, target, step, plan[side][target])))
    for enemy, target, hits in results:
        if target == LIGHT:
            apply_to_light(battle, enemy, step, hits)
        else:
            hit_ship(battle.ships[target], hits)


def add_ship_fire(battle: Battle, plan: Plan, name: str, target: str) -> None:
    """Add the guns of a capital ship to the fire at a target."""
    ship = battle.ships[name]
    plan[ship["side"]].setdefault(target, Fire()).add(ship["size"], ship_modifier(ship))


def add_light_fire(plan: Plan, side: str, target: str, counts: Counts) -> None:
    """Add light ships to the fire at a target."""
    for key, count in counts.items():
        plan[side].setdefault(target, Fire()).add(factors_of({key: count}), light_modifier(key))


# ---------------------------------------------------------------------------------------------- the steps


def capital_step(battle: Battle, engagement: dict[str, Any]) -> list[str]:
    """Fight the capital ship fire; return the surplus ships that hold their fire."""
    first, second = battle.sides
    pairs = list(zip(battle.ranks[first], battle.ranks[second], strict=False))
    partner = {ship: other for pair in pairs for ship, other in (pair, pair[::-1])}
    surplus = [name for side in battle.sides for name in battle.ranks[side] if name not in partner]
    decisions = engagement.get("surplus_capital", {})
    for name in decisions:
        if name not in surplus:
            raise ValueError(f"{name} is no surplus capital ship and has no free choice of target.")

    target_of: dict[str, str] = {}
    holding: list[str] = []
    joined: dict[str, list[str]] = {name: [] for name in partner}
    for name in surplus:
        side = battle.ships[name]["side"]
        decision = decisions.get(name, "hold")
        if decision == "hold":
            holding.append(name)
        elif decision == LIGHT:
            if not battle.line[battle.enemy(side)]:
                raise ValueError(f"{name} fires at light ships, but the enemy has none in front of the screen.")
            target_of[name] = LIGHT
        elif isinstance(decision, dict) and "join" in decision:
            friend = decision["join"]
            if friend not in partner or battle.ships[friend]["side"] != side:
                raise ValueError(f"{name} joins {friend}, which is no friendly capital ship with an opponent.")
            target_of[name] = partner[friend]
            joined[partner[friend]].append(name)
        else:
            raise ValueError(f"{name} has the unknown decision {decision}.")

    replies = engagement.get("replies", {})
    for name in replies:
        if name not in partner:
            raise ValueError(f"{name} answers fire but is not paired with an enemy ship.")
    for name, opponent in partner.items():
        reply = replies.get(name, opponent)
        if reply != opponent and reply not in joined[name]:
            raise ValueError(f"{name} answers {reply}, which does not fire at it.")
        target_of[name] = reply

    plan: Plan = {side: {} for side in battle.sides}
    for name, target in target_of.items():
        add_ship_fire(battle, plan, name, target)
    fight_step(battle, "capital", plan)
    return holding


def check_light_on_capital(battle: Battle, enemy: str, capital_fire: dict[str, Counts]) -> None:
    """Check the targets of surplus light ships: all but one must face at least their own size in factors."""
    short = 0
    for target, counts in capital_fire.items():
        if target not in battle.ranks[enemy] or battle.ships[target]["sunk"]:
            raise ValueError(f"Light ships fire at {target}, which is no unscreened enemy capital ship afloat.")
        if factors_of(counts) < battle.ships[target]["size"]:
            short += 1
    if short > 1:
        raise ValueError("Light ships fire at a further capital ship before an earlier one faces its own size.")


def light_step(battle: Battle, engagement: dict[str, Any]) -> tuple[str, Counts]:
    """Fight the light ship fire; return the side with surplus light ships and those of them that may fire later."""
    factors = {side: factors_of(battle.line[side]) for side in battle.sides}
    decisions = engagement.get("surplus_light", {})
    surplus_side = ""
    for side in battle.sides:
        if factors[side] > 3 * factors[battle.enemy(side)]:
            surplus_side = side
    plan: Plan = {side: {} for side in battle.sides}
    free = {side: dict(battle.line[side]) for side in battle.sides}
    held: Counts = {}

    chosen: Counts = {}
    for counts in [*decisions.get("capital", {}).values(), decisions.get("hold", {})]:
        add_counts(chosen, counts)
    if any(chosen.values()) and not surplus_side:
        raise ValueError("Light ships choose their targets, but neither side has surplus light ships.")
    if surplus_side:
        enemy = battle.enemy(surplus_side)
        line = battle.line[surplus_side]
        chosen = checked_counts(chosen, line, f"{surplus_side} uses surplus light ships")
        surplus = factors[surplus_side] - 3 * factors[enemy]
        if factors_of(chosen) > surplus:
            raise ValueError(
                f"{factors_of(chosen)} light factors choose their targets, but only {surplus} are surplus."
            )
        capital_fire: dict[str, Counts] = {}
        for target, counts in decisions.get("capital", {}).items():
            counts = checked_counts(counts, line, f"Fire at {target}")
            if counts:
                capital_fire[target] = counts
        check_light_on_capital(battle, enemy, capital_fire)
        for target, counts in capital_fire.items():
            add_light_fire(plan, surplus_side, target, counts)
        held = checked_counts(decisions.get("hold", {}), line, "Held fire")
        take_counts(free[surplus_side], chosen)

    for side in battle.sides:
        if battle.line[battle.enemy(side)]:
            add_light_fire(plan, side, LIGHT, free[side])
    fight_step(battle, "light", plan)

    # Among like ships those that have fired are lost first; a cruiser that was only damaged may still fire.
    if surplus_side:
        for key in held:
            afloat = battle.line[surplus_side].get(key, 0) + battle.hurt[surplus_side].get(f"{key}/damaged", 0)
            held[key] = min(held[key], afloat)
    return surplus_side, held


def screened_target(battle: Battle, enemy: str, target: str, who: str) -> None:
    """Check that a target behind the screen is there."""
    if target == LIGHT:
        if not battle.screen[enemy]:
            raise ValueError(f"{who} fires at screened light ships, but there are none.")
    else:
        ship = battle.ships.get(target)
        if ship is None or ship["side"] != enemy or not ship["screened"] or ship["sunk"]:
            raise ValueError(f"{who} fires at {target}, which is no screened enemy ship afloat.")


def screened_steps(
    battle: Battle, engagement: dict[str, Any], holding: list[str], light_side: str, held: Counts
) -> dict[str, bool]:
    """Fight the held fire at screened ships, capital ships first; return which side was permitted to."""
    allowed: dict[str, bool] = {}
    for side in battle.sides:
        enemy = battle.enemy(side)
        capital_afloat = any(not battle.ships[name]["sunk"] for name in battle.ranks[enemy])
        allowed[side] = not capital_afloat and not battle.line[enemy] and not battle.hurt[enemy]

    plan: Plan = {side: {} for side in battle.sides}
    for name, target in engagement.get("screened_fire_capital", {}).items():
        if name not in holding or battle.ships[name]["sunk"]:
            raise ValueError(f"{name} fires at screened ships, but it is sunk or did not hold its fire.")
        side = battle.ships[name]["side"]
        if not allowed[side]:
            raise ValueError(f"{name} fires at screened ships while unscreened enemy ships are afloat.")
        screened_target(battle, battle.enemy(side), target, name)
        add_ship_fire(battle, plan, name, target)
    fight_step(battle, "screened capital", plan)

    plan = {side: {} for side in battle.sides}
    left = dict(held)
    for target, counts in engagement.get("screened_fire_light", {}).items():
        wanted: Counts = {}
        for key, count in counts.items():
            add_counts(wanted, {key.removesuffix("/damaged"): count})
        wanted = checked_counts(wanted, left, f"Light ships that held their fire at {target}")
        if not wanted:
            continue
        if not allowed[light_side]:
            raise ValueError("Light ships fire at screened ships while unscreened enemy ships are afloat.")
        screened_target(battle, battle.enemy(light_side), target, "A light ship")
        add_light_fire(plan, light_side, target, wanted)
        take_counts(left, wanted)
    fight_step(battle, "screened light", plan)
    return allowed


def resolve(engagement: dict[str, Any]) -> dict[str, Any]:
    """Resolve one fleet combat with the given decisions and dice."""
    battle = set_up(engagement)
    holding = capital_step(battle, engagement)
    light_side, held = light_step(battle, engagement)
    allowed = screened_steps(battle, engagement, holding, light_side, held)
    light: dict[str, Counts] = {}
    for side in battle.sides:
        light[side] = {}
        for part in (battle.line[side], battle.hurt[side], battle.screen[side]):
            add_counts(light[side], part)
    return {
        "shots": battle.shots,
        "ships": {
            name: {"hits": ship["hits"], "damaged": ship["damaged"], "sunk": ship["sunk"]}
            for name, ship in battle.ships.items()
        },
        "light": light,
        "dice_used": battle.dice_used,
        "screened_fire_allowed": allowed,
    }
