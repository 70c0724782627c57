"""Reference resolution of air strikes on one combat group at sea (23.76), to be compared with the program.

It is written from the rules (23.41 to 23.44, 23.73 to 23.76, 17.475F, 20.5, 22.82) and their rulings alone and shares
nothing with the program. The numbers come from the second transcription of the tables; losses of light ships are those
of the reference for fleet combat. Every decision of the players and every die is an input, so the result is fixed, and
a decision the rules forbid is refused with ValueError.

Conventions: squadrons are counts by key, "Nation/KIND", "Nation/KIND/state", with "@Base" for those ashore; dice lie in
one row and are taken from its front; dictionaries of results hold no zeros; levels below 0 are 0. Where the rules leave something to an owner
that has no bearing on anything else (which squadrons of one type are lost, which of the types equal in number comes
first, which destroyers take over cargo), his order is an input.
"""

from collections.abc import Iterable
from typing import Any

from tests.differential.reference_losses import (
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
from tests.tables.second_reading import NAVAL_ATTACK_AIR
from tests.tables.second_reading_air import (
    AIR_COMBAT,
    AIR_DEFENSE,
    AIR_DEFENSE_LEVEL,
    AIR_NATIONALITY,
    SURPRISE,
    SURPRISE_RADAR,
    SURPRISE_SEARCH,
    Cell,
)

Counts = dict[str, int]
Given = dict[str, Any]
KAMIKAZE = "KAM"
NO_TARGET = "none"


# ---------------------------------------------------------------------------------------------- small facts


def parts(key: str) -> tuple[str, str, str, str]:
    """Return nation, kind, state and base of a squadron key."""
    unit, _, base = key.partition("@")
    words = [*unit.split("/"), ""]
    return words[0], words[1], words[2], base


def type_of(key: str) -> str:
    """Return the type under which a squadron takes losses: nation, kind, and whether it is elite."""
    nation, kind, state, _ = parts(key)
    return f"{nation}/{kind}/elite" if state == "elite" else f"{nation}/{kind}"


def size_of(counts: Counts) -> int:
    """Return how many there are of everything together."""
    return sum(counts.values())


def without_zeros(counts: Counts) -> Counts:
    """Return the counts that are not zero."""
    return {key: count for key, count in counts.items() if count}


def less(counts: Counts, taken: Counts) -> Counts:
    """Return what is left of counts, after checking that so many were there."""
    for key, count in taken.items():
        if not 0 <= count <= counts.get(key, 0):
            raise ValueError(f"{count} of {key} were named, but there are {counts.get(key, 0)}.")
    return without_zeros({key: count - taken.get(key, 0) for key, count in counts.items()})


def air_drm(key: str, side: Given) -> int:
    """Return the Air Nationality DRM of a squadron (23.441A)."""
    nation, kind, state, base = parts(key)
    drm = AIR_NATIONALITY.get(nation, 0)
    if kind == "NAS" and nation == "Japan" and state == "elite":
        drm += 1
    if kind == "NAS" and nation == "Britain":
        drm -= 1
    for effect in ("impaired_air", "winter_air"):
        if {nation, base} & set(side.get(effect, ())):
            drm -= 1
    return drm


def lowest_air_drm(keys: Iterable[str], side: Given) -> int:
    """Return the DRM of squadrons together: the lowest of them (AN-16)."""
    return min(air_drm(key, side) for key in keys)


def naval_drm(nation: str, kind: str, size: int, side: Given) -> int:
    """Return the Naval Nationality DRM of a ship (22.552A), as tactical codebreaking and shortages change it."""
    short = int(nation in side.get("impaired_ships", ()))
    return nationality_modifier(nation, kind, size) - short + int(side.get("tactical", 0))


def light_drm(light: Counts, side: Given) -> int:
    """Return the Naval Nationality DRM of light ships as one body: the lowest of them (AN-27)."""
    return min(naval_drm(nation_of(key), form_of(key).split("/")[0], 0, side) for key in light)


def may_strike_together(attackers: Counts, side: Given) -> bool:
    """Return whether so many squadrons of such quality may fly in one strike (23.73)."""
    drms = sorted((air_drm(key, side) for key, count in attackers.items() for _ in range(count)), reverse=True)
    needed = [3] * 4 + [2] * 4 + [-9] * 4
    # The last four of twelve need three, the four before them two: so the best fly in the last places.
    return len(drms) <= 12 and all(drm >= need for drm, need in zip(drms, needed[12 - len(drms) :], strict=True))


def clamped(roll: int) -> int:
    """Return the index of the column for a modified roll of two dice."""
    return min(max(roll, 2), 12) - 2


def air_combat_result(row: int, roll: int) -> Cell:
    """Read the Air Combat Table; above twenty the rest is read with the same dice and added."""
    eliminated = aborted = 0
    while row > 0:
        cell = AIR_COMBAT[min(row, 20) - 1][1][clamped(roll)]
        eliminated, aborted, row = eliminated + cell[0], aborted + cell[1], row - 20
    return eliminated, aborted


def air_defense_result(level: int, roll: int) -> Cell:
    """Read the Air Defense Table; above ten the rest is read with the same dice and added."""
    eliminated = aborted = 0
    while level > 0:
        cell = AIR_DEFENSE[min(level, 10) - 1][1][clamped(roll)]
        eliminated, aborted, level = eliminated + cell[0], aborted + cell[1], level - 10
    return eliminated, aborted


def air_defense_level(ships: Iterable[Given], light: Counts, research: int, surprise: int) -> int:
    """Return the air defense level of a combat group (23.42): damaged ships count in full, transports not at all."""
    afloat = [ship for ship in ships if not ship["sunk"]]
    each = {"CA": 2, "DD": 1, "CVE": AIR_DEFENSE_LEVEL["naval factors of a CVE"], "TR": 0}
    factors = sum(ship["size"] for ship in afloat)
    factors += sum(each[form_of(key).split("/")[0]] * count for key, count in light.items())
    tens = AIR_DEFENSE_LEVEL["naval factors for one level"]
    level = (factors + tens - 1) // tens + research * AIR_DEFENSE_LEVEL["air defense research result"]
    level += sum(ship["kind"] == "BB" and ship["size"] == 5 for ship in afloat)
    level += sum(ship["kind"] == "CVB" for ship in afloat)
    return level + effect(surprise, 2)


def effect(surprise: int, column: int) -> Any:
    """Return one effect of a level of surprise: column 1 patrol bonus kept, 2 air defense, 3 attack rolls, 4 defenders
    kept out, 5 critical hits."""
    return SURPRISE[min(max(surprise, 0), 7)][column]


def surprise_level(die: int, found: int, radar: int) -> int:
    """Return the level of surprise (23.7412)."""
    return die + dict(SURPRISE_SEARCH)[min(max(found, 1), 4)] + radar * SURPRISE_RADAR


def attack_hits(squadrons: int, roll: int) -> int:
    """Read the column for air squadrons of the Naval Attack Table."""
    hits = 0
    while squadrons > 0:
        hits += NAVAL_ATTACK_AIR[min(squadrons, 20) - 1][1][clamped(roll)]
        squadrons -= 20
    return hits


# ---------------------------------------------------------------------------------------------- losses in the air


def rotate_losses(types: Counts, eliminated: int, aborted: int, order: list[str]) -> tuple[Counts, Counts]:
    """Share losses among types in turn, the most numerous first, then go on with the aborts (AN-19)."""
    turns = sorted(types, key=lambda name: (-types[name], order.index(name)))
    left, taken = dict(types), (Counts(), Counts())
    turn = 0
    for number in range(min(eliminated + aborted, size_of(types))):
        while left[turns[turn % len(turns)]] == 0:
            turn += 1
        name = turns[turn % len(turns)]
        add_counts(taken[0 if number < eliminated else 1], {name: 1})
        left[name] -= 1
        turn += 1
    return taken


def pick(counts: Counts, wanted: Counts, order: list[str]) -> Counts:
    """Return so many of each type, by key, in their owner's order."""
    need, picked = dict(wanted), Counts()
    for key in sorted(counts, key=order.index):
        part = min(counts[key], need.get(type_of(key), 0))
        picked[key] = part
        need[type_of(key)] = need.get(type_of(key), 0) - part
    return without_zeros(picked)


def air_losses(pool: Counts, eliminated: int, aborted: int, owner: Given, reached: set[str]) -> tuple[Counts, Counts]:
    """Return which squadrons of a pool are lost and which turn back; aborts that fall on kamikazes have no effect."""
    types = Counts()
    for key, count in pool.items():
        add_counts(types, {type_of(key): count})
    shares = rotate_losses(types, eliminated, aborted, owner["type_order"])
    lost = pick(pool, shares[0], owner["lost_first"])
    turned = pick(less(pool, lost), shares[1], owner["abort_first"])
    if rotate_losses(types, eliminated, aborted, owner["type_order"][::-1]) != shares:
        reached.add("types equal in number")
    if len(types) < len(pool) and (lost or turned):
        reached.add("squadrons of several bases in one type")
    if any(parts(key)[1] == KAMIKAZE for key in turned):
        reached.add("abort falls on kamikazes")
    return lost, {key: count for key, count in turned.items() if parts(key)[1] != KAMIKAZE}


# ---------------------------------------------------------------------------------------------- cargo


def settle_cargo(light: Counts, cargo: list[Given], told: Given) -> None:
    """Settle cargo after light ships were sunk (22.82A, RC-18, FP-06, FP-07); change light ships and cargo in place.

    What the destroyers and transports left cannot carry is lost, by its owner's choice but by no whole unit more than it
    must; unloaded destroyers take over the cargo of loaded ones that were sunk, so in the end as many are loaded as the
    cargo left needs. `told` says what is given up by name, and which destroyers are loaded and unloaded.
    """
    lost = dict(told.get("lost", {}))
    for kind in ("DD", "TR"):
        aboard = [unit for unit in cargo if unit["by"] == kind]
        capacity = sum(count for key, count in light.items() if form_of(key).split("/")[0] == kind)
        needs = sum(unit["needs"] for unit in aboard)
        gone = {unit["name"]: lost.pop(unit["name"]) for unit in aboard if unit["name"] in lost}
        if needs <= capacity and gone:
            raise ValueError(f"{gone} is given up, but there is room for all.")
        if needs > capacity:
            units = [1 if unit["divisible"] else unit["needs"] for unit in aboard]
            kept = needs - size_of(gone)
            if not capacity - max(units) < kept <= capacity:
                raise ValueError(f"Cargo that needs {kept} is kept, and there is room for {capacity}.")
        for unit in aboard:
            part = gone.get(unit["name"], 0)
            if part not in (0, unit["needs"]) and not (unit["divisible"] and 0 < part < unit["needs"]):
                raise ValueError(f"Of {unit['name']} {part} is given up.")
            unit["needs"] -= part
    if lost:
        raise ValueError(f"{lost} is given up, but nobody carries it.")
    for key, count in told.get("loaded", {}).items():
        take_counts(light, {key: count})
        add_counts(light, {f"{key}/loaded": count})
    for key, count in told.get("unloaded", {}).items():
        bare = key.removesuffix("/loaded")
        take_counts(light, {f"{bare}/loaded": count})
        add_counts(light, {bare: count})
    loaded = sum(count for key, count in light.items() if form_of(key) == "DD/loaded")
    needs = sum(unit["needs"] for unit in cargo if unit["by"] == "DD")
    if loaded != needs:
        raise ValueError(f"{loaded} destroyers are loaded, and their cargo needs {needs}.")
    cargo[:] = [unit for unit in cargo if unit["needs"]]


def hit_light_ships(light: Counts, hits: int, order: list[str]) -> tuple[Counts, Counts]:
    """Apply the hits of one roll to light ships in place; return what is sunk and which cruisers are damaged."""
    listed = [*order, *(key for key in light if key not in order)]
    sunk, damaged = light_losses(light, hits, listed)
    take_counts(light, sunk)
    take_counts(light, damaged)
    add_counts(light, {f"{key}/damaged": count for key, count in damaged.items()})
    return sunk, damaged


# ---------------------------------------------------------------------------------------------- kamikazes


def kamikaze_ranking(ships: list[Given], owner_order: list[str]) -> list[str]:
    """Rank the named ships before kamikazes (17.475F, AN-44, RC-06).

    Fast carriers by size; capital ships by size, the slower first; damaged ships first among equals, then those with
    more hits; the owner orders the rest.
    """

    def rank(ship: Given) -> tuple[bool, int, bool, bool, int, int]:
        carrier = ship["kind"] in CARRIER_KINDS
        hits = 0 if ship["damaged"] else -ship["hits"]
        place = owner_order.index(ship["id"])
        return (not carrier, -ship["size"], not carrier and ship["fast"], not ship["damaged"], hits, place)

    return [ship["id"] for ship in sorted((ship for ship in ships if not ship["sunk"]), key=rank)]


def kamikaze_target(ranking: list[str], light: Counts, die: int) -> str:
    """Return what one die falls upon: the ship of that rank; on a six, or beyond the last, light ships or the last."""
    stand_in = LIGHT if light else ranking[-1]
    return ranking[die - 1] if die < 6 and die <= len(ranking) else stand_in


# ---------------------------------------------------------------------------------------------- one strike


class Group:
    """The combat group that is struck, what flies over it, and the strikes on it."""

    def __init__(self, given: Given) -> None:
        self.attacker: Given = given["attacker"]
        self.defender: Given = given["defender"]
        self.found: int = given["found"]
        self.options: Given = given.get("options", {})
        self.ships: list[Given] = [{"hits": 0, "damaged": False, "sunk": False, **ship} for ship in given["ships"]]
        self.light: Counts = without_zeros(given["light"])
        self.cargo: list[Given] = [{"by": "DD", "divisible": False, **unit} for unit in given.get("cargo", [])]
        self.patrol: Counts = without_zeros(given["patrol"])
        self.cover: Counts = without_zeros(given["cover"])
        self.withheld: Counts = {}
        self.loss_order: list[str] = list(given["loss_order"])
        self.kamikaze_order: list[str] = list(given["kamikaze_order"])
        self.stowing: list[Given] = list(given.get("stowing", []))
        self.dice: list[int] = list(given["dice"])
        self.aloft: Counts = {}
        self.attackers_lost: Counts = {}
        self.defenders_lost: Counts = {}
        self.shown = False
        self.reached: set[str] = set()

    def roll(self, number: int) -> list[int]:
        """Take so many dice from the front of the row."""
        if len(self.dice) < number:
            raise ValueError(f"{number} dice are needed, {len(self.dice)} are left.")
        thrown, self.dice = self.dice[:number], self.dice[number:]
        return thrown

    @property
    def afloat(self) -> bool:
        """Whether anything is left of the group."""
        return bool(self.light) or any(not ship["sunk"] for ship in self.ships)

    def ship(self, name: str) -> Given:
        """Return a ship of the group."""
        return next(ship for ship in self.ships if ship["id"] == name)


def defend(group: Group, strike: Given, surprise: int) -> tuple[Counts, bool]:
    """Return the defenders that engage, and whether all of them fly patrol; the others stay out (23.415A, E, AN-20)."""
    pool = dict(group.patrol)
    add_counts(pool, group.cover)
    pool = less(pool, group.withheld)
    group.reached |= {"withheld earlier"} if group.withheld else set()
    engaged = without_zeros(strike["engage"])
    caught = without_zeros(strike["surprised"])
    if size_of(caught) != min(effect(surprise, 4), size_of(pool)):
        raise ValueError(f"Surprise {surprise} keeps {size_of(caught)} of {size_of(pool)} defenders out.")
    held = less(less(pool, engaged), caught)
    group.reached |= {"kept out by surprise"} if caught else set()
    group.reached |= {"withheld"} if held else set()
    if not group.options.get("withheld_returns", False):
        add_counts(group.withheld, held)
    return engaged, not any(key in group.cover for key in engaged)


def fight(group: Group, strike: Given, flying: Counts, surprise: int, told: Given) -> Counts:
    """Fight the defenders that engage and return the attackers that go on (23.415, 23.416)."""
    engaged, only_patrol = defend(group, strike, surprise)
    told["engaged"] = engaged
    if not engaged:
        return flying
    meeting = min(size_of(engaged), size_of(flying))
    fighting = without_zeros(strike["fight"]) if meeting < size_of(flying) else dict(flying)
    others = less(flying, fighting)
    if size_of(fighting) != meeting:
        raise ValueError(f"{size_of(fighting)} squadrons meet the defenders where {meeting} must.")
    net = lowest_air_drm(fighting, group.attacker) - lowest_air_drm(engaged, group.defender)
    net -= int(only_patrol and effect(surprise, 1))
    group.reached.add("patrol alone, bonus" if only_patrol and effect(surprise, 1) else "air combat without bonus")
    attacker_dice, defender_dice = group.roll(2), group.roll(2)
    scored = air_combat_result(meeting, sum(attacker_dice) + net)
    suffered = air_combat_result(size_of(engaged), sum(defender_dice) - net)

    down, _ = air_losses(engaged, scored[0], 0, group.defender, group.reached)
    for over in (group.patrol, group.cover):
        take_counts(over, {key: count for key, count in down.items() if key in over})
    add_counts(group.defenders_lost, down)

    lost, aborted = air_losses(fighting, *suffered, group.attacker, group.reached)
    first = min(suffered[0], meeting)
    turned = min(suffered[1], meeting - first)
    spilled = (suffered[0] - first, suffered[1] - turned)
    more_lost, more_aborted = air_losses(others, *spilled, group.attacker, group.reached)
    add_counts(lost, more_lost)
    add_counts(aborted, more_aborted)
    group.reached |= {"losses reach those that did not fight"} if more_lost or more_aborted else set()
    group.reached |= {"more defenders than attackers"} if size_of(engaged) > meeting else set()
    group.reached |= {"over twenty defenders"} if size_of(engaged) > 20 else set()
    told["air combat"] = {
        "fighting": fighting,
        "rows": (meeting, size_of(engaged)),
        "net": net,
        "dice": (attacker_dice, defender_dice),
        "results": (scored, suffered),
        "defenders lost": down,
        "lost": lost,
        "aborted": aborted,
    }
    return turn_back(group, flying, lost, aborted)


def turn_back(group: Group, flying: Counts, lost: Counts, aborted: Counts) -> Counts:
    """Take away squadrons that are lost or turn back; those from carriers that turn back stay aloft."""
    add_counts(group.attackers_lost, lost)
    add_counts(group.aloft, {key: count for key, count in aborted.items() if not parts(key)[3]})
    return less(less(flying, lost), aborted)


def pass_the_guns(group: Group, flying: Counts, surprise: int, told: Given) -> Counts:
    """Roll for air defense and return the attackers that come through (23.42)."""
    research = group.defender.get("research", {}).get("air defense", 0)
    level = max(0, air_defense_level(group.ships, group.light, research, surprise))
    group.reached.add(f"air defense level {'0' if not level else 'to 10' if level <= 10 else 'over 10'}")
    dice = group.roll(2) if level else []
    result = air_defense_result(level, sum(dice))
    lost, aborted = air_losses(flying, *result, group.attacker, group.reached)
    told["air defense"] = {"level": level, "dice": dice, "result": result, "lost": lost, "aborted": aborted}
    return turn_back(group, flying, lost, aborted)


def aim(group: Group, strike: Given, flying: Counts, told: Given) -> dict[str, Counts]:
    """Return what attacks each target: squadrons as their owner says, kamikazes by lot (23.43, 23.76C, FP-17)."""
    kamikazes = {key: count for key, count in flying.items() if parts(key)[1] == KAMIKAZE}
    aimed: dict[str, Counts] = {}
    left = less(flying, kamikazes)
    for target, counts in strike["targets"].items():
        left = less(left, counts)
        add_counts(aimed.setdefault(target, {}), without_zeros(counts))
    if left:
        raise ValueError(f"{left} are given no target, not even none.")
    group.reached |= {"squadrons without a target"} if aimed.pop(NO_TARGET, None) else set()
    for target in aimed:
        if not group.light if target == LIGHT else group.ship(target)["sunk"]:
            raise ValueError(f"{target} is attacked, but it is not afloat.")
    ranking = kamikaze_ranking(group.ships, group.kamikaze_order)
    for key in strike["kamikazes"]:
        kamikazes = less(kamikazes, {key: 1})
        (die,) = group.roll(1)
        target = kamikaze_target(ranking, group.light, die)
        add_counts(aimed.setdefault(target, {}), {key: 1})
        told["drawn"].append((key, die, target))
        group.reached.add(f"kamikaze draws {'light ships' if target == LIGHT else 'a ship'}")
        group.reached |= {"last ship stands in for light ships"} if die > len(ranking) and not group.light else set()
        if ranking != kamikaze_ranking(group.ships, group.kamikaze_order[::-1]):
            group.reached.add("owner ranks ships before kamikazes")
    if kamikazes:
        raise ValueError(f"{kamikazes} drew no target.")
    return {target: counts for target, counts in aimed.items() if counts}


def attack(group: Group, target: str, counts: Counts, surprise: int, told: Given) -> None:
    """Make the attack roll at one target and apply it (23.44, 20.5)."""
    ship = None if target == LIGHT else group.ship(target)
    modifier = lowest_air_drm(counts, group.attacker) + effect(surprise, 3)
    if ship:
        modifier -= naval_drm(ship["nation"], ship["kind"], ship["size"], group.defender)
    else:
        modifier -= light_drm(group.light, group.defender)
    naval = all(parts(key)[1] == "NAS" for key in counts)
    group.reached.add("naval air alone" if naval else "naval and other air" if "NAS" in str(counts) else "other air")
    modifier += int(naval and group.options.get("naval_air_bonus", True))
    dice = group.roll(2)
    hits = attack_hits(size_of(counts), sum(dice) + modifier)
    told["attacks"].append({"target": target, "squadrons": counts, "modifier": modifier, "dice": dice, "hits": hits})
    if ship:
        was_damaged, had_hits = ship["damaged"], ship["hits"]
        hit_ship(ship, hits)
        fate = "sunk" if ship["sunk"] else "missed" if not hits else "damaged" if ship["damaged"] else "hit"
        state = "damaged " if was_damaged else "hit " if had_hits else ""
        group.reached.add(f"{state}ship {fate}")
        if effect(surprise, 5) and ship["damaged"] and not was_damaged and not ship["sunk"]:
            told["critical"].append(target)
            group.reached.add("critical hit due")
    elif hits:
        sunk, damaged = hit_light_ships(group.light, hits, group.loss_order)
        told["light"] = {"sunk": sunk, "damaged": damaged}
        group.reached |= {f"{form_of(key)} sunk" for key in sunk} | {"CA damaged" for _ in damaged}
        stowed = group.stowing.pop(0) if group.stowing else {}
        group.reached |= {f"cargo {word}" for word, counts in stowed.items() if counts}
        settle_cargo(group.light, group.cargo, stowed)


def strike_once(group: Group, strike: Given) -> Given:
    """Resolve one strike (23.76)."""
    flying = without_zeros(strike["attackers"])
    if not may_strike_together(flying, group.attacker):
        raise ValueError(f"{flying} may not fly in one strike.")
    told: Given = {"attacks": [], "critical": [], "drawn": [], "spent": {}, "revealed": False}
    surprise = 0
    if strike["surprise"]:
        if any(parts(key)[3] for key in flying):
            raise ValueError("Land-based air takes part in a surprise strike.")
        (die,) = group.roll(1)
        surprise = max(0, surprise_level(die, group.found, group.defender.get("research", {}).get("radar", 0)))
        group.reached.add(f"surprise {surprise}")
        told["surprise"] = {"die": die, "level": surprise}
    flying = fight(group, strike, flying, surprise, told)
    if not flying:
        group.reached.add("nobody left after air combat")
        return told
    flying = pass_the_guns(group, flying, surprise, told)
    if not flying:
        group.reached.add("nobody left after air defense")
        return told
    told["revealed"] = not group.shown
    group.shown = True
    aimed = aim(group, strike, flying, told)
    for target in [*(ship["id"] for ship in group.ships), LIGHT]:
        if target in aimed:
            attack(group, target, aimed[target], surprise, told)
    spent = {key: count for key, count in flying.items() if parts(key)[1] == KAMIKAZE}
    add_counts(group.attackers_lost, spent)
    add_counts(group.aloft, {key: count for key, count in flying.items() if not parts(key)[3]})
    told["spent"] = spent
    return told


def resolve(given: Given) -> Given:
    """Resolve one strike after another on a combat group, as long as anything of it is afloat."""
    group = Group(given)
    told: list[Given] = []
    for number, strike in enumerate(given["strikes"]):
        if strike["surprise"] and number:
            raise ValueError("Only the first strike on a group may be a surprise.")
        if group.afloat:
            told.append(strike_once(group, strike))
            group.reached |= {"second strike"} if number else set()
    group.reached |= set() if group.afloat else {"group eliminated"}
    if group.stowing:
        raise ValueError("Cargo is moved without losses.")
    return {
        "strikes": told,
        "ships": {ship["id"]: (ship["sunk"], ship["damaged"], ship["hits"]) for ship in group.ships},
        "light": group.light,
        "cargo": {unit["name"]: unit["needs"] for unit in group.cargo},
        "patrol": group.patrol,
        "cover": group.cover,
        "withheld": group.withheld,
        "aloft": group.aloft,
        "attackers lost": group.attackers_lost,
        "defenders lost": group.defenders_lost,
        "dice left": len(group.dice),
        "reached": group.reached,
    }
