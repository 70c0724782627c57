"""Ships and their losses for the reference resolvers: light ships by key, modifiers, and what hits do (20.5, 22.55).

Written from the rules and their rulings alone; it shares nothing with the program. The numbers come from the second
transcription of the tables.
"""

from typing import Any

from tests.tables.second_reading import NATIONALITY, NATIONALITY_MODIFIERS, NAVAL_ATTACK_FLEET

CAPITAL_KINDS = ("BB", "BC", "PB")
CARRIER_KINDS = ("CVL", "CV", "CVB")
LIGHT_FORMS = ("CA", "CA/damaged", "DD", "DD/loaded", "CVE", "TR", "TR/loaded")
FORMS_ABLE_TO_FIGHT = ("CA", "DD", "CVE")
LIGHT = "light"

Counts = dict[str, int]
Ship = dict[str, Any]


# ---------------------------------------------------------------------------------------------- small facts


def nation_of(key: str) -> str:
    """Return the nation of a light key."""
    return key.split("/", 1)[0]


def form_of(key: str) -> str:
    """Return kind and condition of a light key, for example DD or CA/damaged."""
    return key.split("/", 1)[1]


def factors_of(counts: Counts) -> int:
    """Return the fleet factors of unscreened light ships: cruisers two, the others one."""
    return sum(count * (2 if form_of(key).startswith("CA") else 1) for key, count in counts.items())


def nationality_modifier(nation: str, kind: str, size: int = 0) -> int:
    """Return the naval nationality modifier of one unit with the changes the chart makes for its kind."""
    total = NATIONALITY.get(nation, 0)
    for _, amount, condition in NATIONALITY_MODIFIERS:
        if "states" in condition or kind not in condition["kinds"]:
            continue
        if "nations" in condition and nation not in condition["nations"]:
            continue
        if "size" in condition and size != condition["size"]:
            continue
        total += amount
    return total


def ship_modifier(ship: Ship) -> int:
    """Return the modifier of a named ship, lack of oil or supply included."""
    penalty: int = ship.get("drm_penalty", 0)
    return nationality_modifier(ship["nation"], ship["kind"], ship["size"]) - penalty


def light_modifier(key: str) -> int:
    """Return the modifier of a light ship."""
    return nationality_modifier(nation_of(key), form_of(key).split("/")[0])


def table_hits(factors: int, roll: int) -> int:
    """Read the fleet columns of the Naval Attack Table; above 60 factors several rows are added."""
    column = min(max(roll, 2), 12) - 2
    hits = 0
    while factors > 60:
        hits += NAVAL_ATTACK_FLEET[-1][2][column]
        factors -= 60
    for lowest, highest, results in NAVAL_ATTACK_FLEET:
        if lowest <= factors <= highest:
            hits += results[column]
    return hits


def checked_counts(given: Counts, available: Counts, what: str) -> Counts:
    """Return the given counts without zeros, after checking that so many ships are there."""
    for key, count in given.items():
        if count < 0 or count > available.get(key, 0):
            raise ValueError(f"{what}: {count} of {key} were named but {available.get(key, 0)} can take part.")
    return {key: count for key, count in given.items() if count > 0}


def add_counts(total: Counts, more: Counts) -> None:
    """Add counts to a total in place."""
    for key, count in more.items():
        total[key] = total.get(key, 0) + count


def take_counts(total: Counts, less: Counts) -> None:
    """Take counts from a total in place and drop what is used up."""
    for key, count in less.items():
        total[key] -= count
        if total[key] == 0:
            del total[key]


# ---------------------------------------------------------------------------------------------- losses


def hit_ship(ship: Ship, hits: int) -> None:
    """Apply the hits of one roll to a named ship at sea."""
    if ship["sunk"] or hits == 0:
        return
    if ship["damaged"]:
        ship["sunk"] = True
        return
    ship["hits"] += hits
    if ship["hits"] >= ship["size"]:
        ship["sunk"] = True
    elif ship["hits"] >= ship["size"] - 1:
        ship["damaged"] = True


def split_hits(sound: int, damaged: int, singles: int, hits: int) -> tuple[list[str], int]:
    """Split the hits of one roll on a light group between cruisers and one-factor ships.

    The first result lists what happens to cruisers in order ("open" a sound cruiser with a first hit, "sink open",
    "sink damaged"), the second is the number of one-factor ships sunk.
    """
    events: list[str] = []
    cruiser_hits = single_losses = cruiser_factors_sunk = 0
    is_open = False
    for _ in range(hits):
        cruisers_left = sound > 0 or damaged > 0 or is_open
        within_proviso = single_losses < cruiser_hits and single_losses + 1 <= cruiser_factors_sunk
        if single_losses < singles and (not cruisers_left or within_proviso):
            single_losses += 1
        elif cruisers_left:
            cruiser_hits += 1
            if is_open:
                events.append("sink open")
                is_open = False
                cruiser_factors_sunk += 2
            elif sound > 0:
                events.append("open")
                sound -= 1
                is_open = True
            else:
                events.append("sink damaged")
                damaged -= 1
                cruiser_factors_sunk += 2
    return events, single_losses


def rotate(counts: Counts, place: dict[str, int], losses: int) -> Counts:
    """Share losses one at a time in turn, the most numerous first, equal ones by place, skipping what is used up."""
    order = sorted(counts, key=lambda name: (-counts[name], place[name]))
    taken = dict.fromkeys(order, 0)
    while losses > 0 and any(taken[name] < counts[name] for name in order):
        for name in order:
            if losses > 0 and taken[name] < counts[name]:
                taken[name] += 1
                losses -= 1
    return taken


def loss_type(key: str) -> str:
    """Return the type under which a one-factor ship shares losses."""
    return {
        "DD/loaded": "loaded destroyers",
        "DD": "destroyers",
        "CVE": "escort carriers",
        "TR": "transports",
        "TR/loaded": "transports",
    }[form_of(key)]


def place_in(order: list[str], key: str) -> int:
    """Return the place of a key in the owner's order; a damaged cruiser not listed stands with the sound ones."""
    for candidate in (key, key.removesuffix("/damaged")):
        if candidate in order:
            return order.index(candidate)
    return len(order)


def share_single_losses(singles: Counts, losses: int, order: list[str]) -> Counts:
    """Share losses of one-factor ships among types, within a type among nations."""
    by_type: dict[str, dict[str, list[str]]] = {}
    for key in sorted(singles, key=lambda name: place_in(order, name)):
        by_type.setdefault(loss_type(key), {}).setdefault(nation_of(key), []).append(key)
    type_counts = {
        name: sum(singles[key] for keys in nations.values() for key in keys) for name, nations in by_type.items()
    }
    sunk: Counts = {}
    by_place = {name: place for place, name in enumerate(by_type)}
    for type_name, type_losses in rotate(type_counts, by_place, losses).items():
        nations = by_type[type_name]
        nation_counts = {nation: sum(singles[key] for key in keys) for nation, keys in nations.items()}
        nation_place = {nation: place for place, nation in enumerate(nations)}
        for nation, nation_losses in rotate(nation_counts, nation_place, type_losses).items():
            for key in nations[nation]:
                part = min(nation_losses, singles[key])
                nation_losses -= part
                if part:
                    sunk[key] = part
    return sunk


def light_losses(group: Counts, hits: int, order: list[str]) -> tuple[Counts, Counts]:
    """Return what one roll sinks in a light group, and which sound cruisers it leaves damaged, both by key."""
    singles = {key: count for key, count in group.items() if not form_of(key).startswith("CA")}
    cruisers = {key: count for key, count in group.items() if form_of(key).startswith("CA")}
    sound = {nation_of(key): count for key, count in cruisers.items() if form_of(key) == "CA"}
    damaged = {nation_of(key): count for key, count in cruisers.items() if form_of(key) == "CA/damaged"}
    events, single_losses = split_hits(sum(sound.values()), sum(damaged.values()), sum(singles.values()), hits)

    nations = {nation_of(key) for key in cruisers}
    first_place = {
        nation: min(place_in(order, key) for key in cruisers if nation_of(key) == nation) for nation in nations
    }
    turn_order = sorted(
        nations, key=lambda nation: (-sound.get(nation, 0) - damaged.get(nation, 0), first_place[nation], nation)
    )
    turn = 0

    def next_nation(pool: Counts) -> str:
        nonlocal turn
        while pool.get(turn_order[turn % len(turn_order)], 0) == 0:
            turn += 1
        nation = turn_order[turn % len(turn_order)]
        turn += 1
        pool[nation] -= 1
        return nation

    sunk = share_single_losses(singles, single_losses, order)
    open_nation = ""
    for event in events:
        if event == "open":
            open_nation = next_nation(sound)
        elif event == "sink open":
            add_counts(sunk, {f"{open_nation}/CA": 1})
            open_nation = ""
        else:
            add_counts(sunk, {f"{next_nation(damaged)}/CA/damaged": 1})
    return sunk, ({f"{open_nation}/CA": 1} if open_nation else {})
