"""Reference resolution of one round of submarine attacks (22.92 to 22.94), to be compared with the program.

It is written from the rules and their rulings (RC-70 to RC-76, FP-21, FP-24) alone and shares nothing with the program.
The numbers come from the second transcription of the tables; damage to ships is that of the other reference resolvers.
Every decision of the players and every die is an input, so the result is fixed, and a decision the rules forbid is
refused with ValueError.

Conventions: submarines are counts by key, "Nation/SUB" or "Nation/SUB/advanced"; dice lie in one row and are taken from
its front. The intercepting side comes first, its attacks group by group in the order of their numbers, and the
submarines of one group in their owner's order. Choices that are made in the course of the attacks are given as lists,
one entry for each occasion (a target in its category, cargo), or by the number of the attack (destroyers elsewhere that
are lost instead).
"""

from typing import Any

from tests.differential.reference_losses import (
    CAPITAL_KINDS,
    CARRIER_KINDS,
    LIGHT,
    add_counts,
    form_of,
    hit_ship,
    light_losses,
    nation_of,
    nationality_modifier,
    take_counts,
)
from tests.differential.reference_strike import light_drm, naval_drm, settle_cargo, size_of, without_zeros
from tests.tables.second_reading_air import SUBMARINE_ATTACK, SUBMARINE_LIMITS

Counts = dict[str, int]
Given = dict[str, Any]
CATEGORIES = ("fast carriers", "capital ships", "light ships")
SW_BOXES = ("Atlantic", "Pacific", "Indian Ocean")
FULL_AIR = {"CVL": 2, "CV": 3, "CVB": 4}
NOTHING: Counts = {}


# ---------------------------------------------------------------------------------------------- small facts


def limited(amount: int, most: int) -> int:
    """Return an amount, not above and not below what is allowed."""
    return max(-most, min(most, amount))


def attack_result(roll: int) -> tuple[int, bool]:
    """Read the Submarine Attack Table: hits, and whether the submarine is lost (RC-71)."""
    _, hits, lost = SUBMARINE_ATTACK[min(max(roll, 2), 10) - 2]
    return hits, lost


def category_met(present: list[str], die: int) -> str:
    """Return the category that a die meets among two or three (22.93E)."""
    return present[(die - 1) * len(present) // 6]


def afloat(group: Given) -> list[Given]:
    """Return the named ships of a group that are afloat."""
    return [ship for ship in group["ships"] if not ship["sunk"]]


def categories(group: Given) -> list[str]:
    """Return the categories of ships a group holds, the higher first."""
    kinds = {ship["kind"] for ship in afloat(group)}
    there = (kinds & set(CARRIER_KINDS), kinds & set(CAPITAL_KINDS), group["light"])
    return [name for name, some in zip(CATEGORIES, there, strict=True) if some]


def number_of(light: Counts, kind: str) -> int:
    """Return how many light ships of a kind there are, whatever their state."""
    return sum(count for key, count in light.items() if form_of(key).split("/")[0] == kind)


def hampered(group: Given) -> bool:
    """Return whether a group is carrying out a naval activity that reduces its effectiveness (22.9417B)."""
    return bool(group["cargo"]) or group["supply"] or group["hampered"]


def excess_asw(excess: Counts, nation: str, axis_attacks: bool, theatre: str, western_front: bool) -> int:
    """Return the excess ASW factors that bear on an attack by submarines of a nation (22.9415B, RC-77)."""
    boxes: tuple[str, ...] = ()
    if theatre == "Europe":
        boxes = ("Atlantic",) if axis_attacks and western_front else ()
    elif nation == "Japan":
        boxes = ("Pacific", "Indian Ocean")
    elif nation == "United States":
        boxes = ("Pacific",)
    return sum(max(0, excess.get(box, 0)) for box in boxes)


def may_be_attacked(kind: str, group: Given) -> bool:
    """Return whether submarines may attack a group (22.93B): in battle it must be found or have fought."""
    return kind == "submarine attack" or bool(group["found"]) or group["fought"]


def modifier_lines(key: str, group: Given, target: str, given: Given, side: str, enemy: str) -> dict[str, int]:
    """Return the modifiers of one attack, each within its own limit (22.941, RC-70)."""
    mine, theirs = given["fleets"][side], given["fleets"][enemy]
    nation = nation_of(key)
    italic, three = SUBMARINE_LIMITS["italic"], SUBMARINE_LIMITS["units for one"]
    drm = nationality_modifier(nation, "SUBMARINE") - int(nation in mine["impaired_ships"]) + mine["tactical"]
    if target == LIGHT:
        drm -= light_drm(group["light"], theirs)
        damaged = any(form_of(name) == "CA/damaged" for name in group["light"])
    else:
        ship = next(ship for ship in group["ships"] if ship["id"] == target)
        drm -= naval_drm(ship["nation"], ship["kind"], ship["size"], theirs)
        damaged = ship["damaged"]
    watch = theirs["searching"] + number_of(group["light"], "CVE")
    for ship in afloat(group):
        full = ship["kind"] in FULL_AIR and not ship["damaged"] and ship["air"] >= FULL_AIR[ship["kind"]]
        watch += int(full)
    axis = side == "axis"
    asw = excess_asw(theirs["excess_asw"], nation, axis, given["theatre"], given["western_front"])
    return {
        "nationality": drm,
        "research": limited(mine["research"].get("torpedo", 0) - theirs["research"].get("ASW", 0), italic),
        "air": limited(mine["searching"] // three - watch // three, italic),
        "destroyers": limited(-(number_of(group["light"], "DD") // three), italic),
        "excess ASW": limited(-(asw // three), italic),
        "earlier attacks": -group["earlier"],
        "damaged or hampered": int(damaged or hampered(group)),
        "codebreaking": limited(mine["codebreaking"] - theirs["codebreaking"], 1),
    }


# ---------------------------------------------------------------------------------------------- one attack


class Sea:
    """Where everything stands while submarines attack."""

    def __init__(self, given: Given) -> None:
        self.given = given
        self.dice: list[int] = list(given["dice"])
        self.targets: list[str] = list(given["targets"])
        self.shifts: dict[int, Given] = dict(given["shifts"])
        self.may_shift: set[int] = set()
        self.stowing: list[Given] = list(given["stowing"])
        self.groups: dict[str, list[Given]] = {}
        self.elsewhere: dict[str, dict[str, Counts]] = {}
        for side, fleet in given["fleets"].items():
            self.groups[side] = []
            for group in fleet["groups"]:
                fresh = {"supply": False, "hampered": False, "found": 0, "fought": False, "earlier": 0, "cut": False}
                copy = {**fresh, "origins": [], "base": "", **group, "light": without_zeros(group["light"])}
                blank = {"hits": 0, "damaged": False, "sunk": False, "air": 0}
                copy["ships"] = [{**blank, **ship} for ship in group["ships"]]
                copy["cargo"] = [{"by": "DD", "divisible": False, **unit} for unit in group["cargo"]]
                self.groups[side].append(copy)
            self.elsewhere[side] = {place: dict(counts) for place, counts in fleet["elsewhere"].items()}
        self.lost: dict[str, Counts] = {side: {} for side in given["sides"]}
        self.home: dict[str, dict[bool, Counts]] = {side: {True: {}, False: {}} for side in given["sides"]}
        self.attacks: list[Given] = []
        self.reached: set[str] = set()

    def roll(self, number: int) -> list[int]:
        """Take so many dice from the front of the row."""
        if len(self.dice) < number:
            raise ValueError(f"{number} dice are needed, {len(self.dice)} are left.")
        thrown, self.dice = self.dice[:number], self.dice[number:]
        return thrown


def choose_target(sea: Sea, group: Given, told: Given) -> str:
    """Return what a submarine attacks: a category by lot, in it a ship of the attacker's choice (22.93E)."""
    present = categories(group)
    told["category dice"] = sea.roll(1) if len(present) > 1 else []
    category = category_met(present, told["category dice"][0]) if told["category dice"] else present[0]
    told["category"] = category
    sea.reached.add(f"{category} of {len(present)}")
    if category == "light ships":
        return LIGHT
    kinds = CARRIER_KINDS if category == "fast carriers" else CAPITAL_KINDS
    ships = [ship["id"] for ship in afloat(group) if ship["kind"] in kinds]
    target = sea.targets.pop(0)
    if target not in ships:
        raise ValueError(f"{target} is attacked, but the {category} are {ships}.")
    if len(ships) > 1:
        sea.reached.add("choice among ships")
    return target


def eligible_places(group: Given) -> tuple[set[str], bool]:
    """Return the places whose destroyers may be lost instead, and whether any named port will do (22.9432, FP-24)."""
    return {group["base"], *group["origins"], *SW_BOXES} - {""}, group["supply"]


def shift_losses(sea: Sea, enemy: str, group: Given, sunk: Counts, told: Given) -> Counts:
    """Return which of the destroyers hit are saved because destroyers elsewhere are lost (22.9432, RC-75)."""
    hit = {key: count for key, count in sunk.items() if form_of(key) in ("DD", "DD/loaded")}
    places, any_port = eligible_places(group)
    there = {
        place: counts
        for place, counts in sea.elsewhere[enemy].items()
        if size_of(counts) and (any_port or place in places)
    }
    if not hit or not there:
        return {}
    sea.reached.add("losses may be shifted")
    sea.may_shift.add(len(sea.attacks))
    shift = sea.shifts.pop(len(sea.attacks), {"saved": {}, "lost": {}})
    saved, lost = without_zeros(shift["saved"]), shift["lost"]
    taken = sum(size_of(counts) for counts in lost.values())
    if taken != size_of(saved) or any(count > hit.get(key, 0) for key, count in saved.items()):
        raise ValueError(f"{saved} of {hit} are saved, and {taken} destroyers are lost elsewhere.")
    for place, counts in lost.items():
        for key, count in counts.items():
            if count > there.get(place, {}).get(key, 0):
                raise ValueError(f"{count} of {key} are lost at {place}, where they are not.")
        take_counts(sea.elsewhere[enemy][place], counts)
    if saved:
        sea.reached.add("losses shifted" if size_of(saved) == size_of(hit) else "losses shifted in part")
        told["shifted"] = {"saved": saved, "lost": lost}
    return saved


def hit_light(sea: Sea, enemy: str, group: Given, hits: int, told: Given) -> None:
    """Apply hits to the light ships of a group, and see what becomes of destroyers and cargo."""
    order = sea.given["fleets"][enemy]["loss_order"]
    listed = [*order, *(key for key in group["light"] if key not in order)]
    sunk, damaged = light_losses(group["light"], hits, listed)
    take_counts(sunk, shift_losses(sea, enemy, group, sunk, told))
    take_counts(group["light"], sunk)
    take_counts(group["light"], damaged)
    add_counts(group["light"], {f"{key}/damaged": count for key, count in damaged.items()})
    told["light"] = {"sunk": sunk, "damaged": damaged}
    sea.reached |= {f"{form_of(key)} sunk" for key in sunk} | {"CA damaged" for _ in damaged}
    stowed = sea.stowing.pop(0)
    sea.reached |= {f"cargo {word}" for word, counts in stowed.items() if counts}
    settle_cargo(group["light"], group["cargo"], stowed)


def attack_once(sea: Sea, side: str, enemy: str, group: Given, key: str) -> bool:
    """Make one attack; return whether there was anything left to attack."""
    if not categories(group):
        if not group["supply"] or group["cut"]:
            sea.reached.add("target gone")
            return False
        group["cut"] = True  # a bare supply line is disrupted without dice (22.9434)
        sea.reached.add("supply line cut")
        add_counts(sea.home[side][True], {key: 1})
        return True
    told: Given = {"side": side, "group": group["number"], "submarine": key}
    target = choose_target(sea, group, told)
    lines = modifier_lines(key, group, target, sea.given, side, enemy)
    overall = SUBMARINE_LIMITS["overall"]
    modifier = limited(sum(lines.values()), overall)
    if key.endswith("/advanced"):
        lines, modifier = {}, SUBMARINE_LIMITS["advanced"]
        sea.reached.add("advanced submarine")
    told["lines"] = without_zeros(lines)
    sea.reached |= {f"{name} {limited(amount, 4):+}" for name, amount in lines.items() if amount}
    sea.reached |= {"overall limit"} if abs(sum(lines.values())) > overall else set()
    dice = sea.roll(2)
    hits, lost = attack_result(sum(dice) + modifier)
    told |= {"target": target, "modifier": modifier, "dice": dice, "hits": hits, "lost": lost}
    group["earlier"] += 1
    add_counts(sea.lost[side] if lost else sea.home[side][True], {key: 1})
    sea.reached |= {"submarine lost"} if lost else {f"{hits} hits"}
    if target == LIGHT and hits:
        hit_light(sea, enemy, group, hits, told)
    elif hits:
        ship = next(ship for ship in group["ships"] if ship["id"] == target)
        state = "damaged " if ship["damaged"] else ""
        hit_ship(ship, hits)
        fate = "sunk" if ship["sunk"] else "damaged" if ship["damaged"] else "hit"
        told["fate"] = fate
        sea.reached.add(f"{state}ship {fate}")
    sea.attacks.append(told)
    return True


# ---------------------------------------------------------------------------------------------- the round


def announce(sea: Sea, side: str, enemy: str) -> dict[int, Counts]:
    """Return the attacks a side announces by group, after checking them (22.92, 22.93A, B); others go home."""
    fleet = sea.given["fleets"][side]
    kind = sea.given["kind"]
    legal = {group["number"] for group in sea.groups[enemy] if may_be_attacked(kind, group)}
    waiting = without_zeros(fleet["submarines"])
    attacks: dict[int, Counts] = {}
    for number, counts in sorted(fleet["announced"].items()):
        counts = without_zeros(counts)
        if counts and number not in legal:
            raise ValueError(f"CG{number} is attacked, but {legal} may be.")
        for key, count in counts.items():
            if count > waiting.get(key, 0):
                raise ValueError(f"{count} of {key} attack CG{number}, but {waiting} are left.")
        take_counts(waiting, counts)
        attacks[number] = counts
    if waiting and legal and kind == "submarine attack":
        raise ValueError(f"{waiting} wait, but submarines that intercepted must attack.")
    # One that had a target and let it pass has been used, one that had none has not (RC-74).
    add_counts(sea.home[side][bool(legal)], waiting)
    if waiting:
        sea.reached.add("waited with a target" if legal else "waited without a target")
    return attacks


def resolve(given: Given) -> Given:
    """Resolve all submarine attacks of one round."""
    sea = Sea(given)
    first, second = given["sides"]
    plans = {side: announce(sea, side, enemy) for side, enemy in ((first, second), (second, first))}
    for side, enemy in ((first, second), (second, first)):
        for number, counts in plans[side].items():
            group = next(group for group in sea.groups[enemy] if group["number"] == number)
            order = given["fleets"][side]["submarine_order"]
            if len(counts) > 1:
                sea.reached.add("owner's order of submarines")
            for key in sorted(counts, key=order.index):
                for _ in range(counts[key]):
                    if not attack_once(sea, side, enemy, group, key):
                        add_counts(sea.home[side][False], {key: 1})
    for what, left in (("targets", sea.targets), ("shifts", sea.shifts), ("stowing", sea.stowing)):
        if left:
            raise ValueError(f"These {what} were chosen and not needed: {left}.")
    return {
        "attacks": sea.attacks,
        "groups": {
            side: {
                group["number"]: {
                    "ships": {s["id"]: (s["damaged"], s["hits"]) for s in group["ships"] if not s["sunk"]},
                    "light": group["light"],
                    "cargo": {unit["name"]: unit["needs"] for unit in group["cargo"]},
                    "cut": group["cut"],
                }
                for group in groups
            }
            for side, groups in sea.groups.items()
        },
        "elsewhere": {
            side: {place: without_zeros(counts) for place, counts in places.items() if size_of(counts)}
            for side, places in sea.elsewhere.items()
        },
        "lost": sea.lost,
        "home": sea.home,
        "dice left": len(sea.dice),
        "may shift": sea.may_shift,
        "reached": sea.reached,
    }
