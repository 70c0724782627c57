"""Strategic warfare a second time, written from the text of 24 to 26 alone in plain integers; no rule code is used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.tables.second_reading_strategic import AIR_RANGE, CARRIER_EFFECTS, EXCESS_RANGE, SW_COMBAT

ROWS = [line.split()[-11:] for line in SW_COMBAT.strip().splitlines()]
NAVAL = {"Germany": 3, "Japan": 3, "United States": 2, "Britain": 2}  # of submarines, and of those against them
AIR = {"Germany": 2, "Italy": 1, "Japan": 2, "Britain": 2, "United States": 2, "Russia": 1}
BAY = {"Brest", "Lorient", "St. Nazaire", "La Rochelle"}
IBERIA = {"La Coruna", "Vigo", "Lisbon", "Cadiz"}
SOUTH_SEAS = {"Townsville", "Noumea", "Suva", "Pearl Harbor"}
ATTACKING = ("interceptors", "escort_aaf", "jets", "bombing_aaf", "strategic_bombers")  # 26.454, where sizes are equal
DEFENDING = ("interceptors", "aaf", "jets")


def table(factors: int, roll: int) -> tuple[int, int]:
    """24.62."""
    before = after = 0
    while factors > 0:
        cell = ROWS[min(30, factors) - 1][max(2, min(12, roll)) - 2].split("/")
        before, after, factors = before + int(cell[0]), after + int((*cell, "0")[1]), factors - 30
    return before, after


def submarine_modifier(
    power: str,
    box: str,
    *,
    mine: Mapping[str, int],
    theirs: Mapping[str, int],
    carriers: int,
    ports: set[str],
    war_phase: int | None,
    ireland: int | None,
    cards: tuple[int, int],
) -> int:
    """25.6."""
    defender = "Japan" if power == "United States" else "Britain"
    total = NAVAL[power] - NAVAL[defender] + mine["torpedo"] - theirs["asw"] + mine["air_range"] - theirs["air_range"]
    total += [row for row in CARRIER_EFFECTS if row[0] <= carriers][-1][1 if box == "Atlantic" else 3]
    if box == "Atlantic":
        total += 2 * bool(ports & BAY) + bool(ports & IBERIA) + ("Gibraltar" in ports) + ((ireland or 0) >= 7)
        total += 1 + {1: 2, 2: 1}.get(war_phase, 0) if war_phase else 0
    total += (box, power) == ("Indian Ocean", "Japan") and "Colombo" in ports
    total += (box, power) == ("Pacific", "Japan") and bool(ports & SOUTH_SEAS)
    total += 2 * ((box, power) == ("Pacific", "United States") and "Manila" in ports)
    return total + (cards[0] > cards[1]) - (cards[0] < cards[1])


def through(factors: int, against: int, modifier: int, attack: int, defense: int) -> tuple[tuple[int, int], ...]:
    """24.631, 24.632. The attacker's result; those eliminated and those turned back; additional losses by 24.64 or 24.65."""
    sunk, back = table(against, defense - modifier)
    sunk = min(sunk, factors)
    back = min(back, factors - sunk)
    reaching = factors - sunk - back
    more = min(max(modifier, 0), factors), max(0, reaching - max(-modifier, 0))
    return table(factors, attack + modifier), (sunk, back), more


def toll(transports: int, asw: int, carriers: int, first: int, second: int, more: int) -> tuple[int, ...]:
    """24.631A, 24.64C. Transports sunk, damaged and whole; ASW and CVEs lost."""
    whole = transports - min(first, transports)
    over = max(0, first - transports)
    damaged = min(second, whole)
    whole -= damaged
    sunk = min(more, whole)
    sunk_damaged = min(more - sunk, damaged)
    escorts = min(over, asw)
    left = whole - sunk
    return (
        transports - left - damaged + sunk_damaged,
        damaged - sunk_damaged,
        left,
        escorts,
        min(over - escorts, carriers),
    )


def shared(sizes: Mapping[str, int], order: Sequence[str], eliminated: int, turned_back: int) -> list[dict[str, int]]:
    """26.454. One of each group in turn, the largest first."""
    ranked = sorted((group for group in order if group in sizes), key=lambda group: -sizes[group])
    left = dict(sizes)
    taken: list[str] = []
    while len(taken) < min(eliminated + turned_back, sum(sizes.values())):
        for group in ranked:
            if left[group]:
                left[group] -= 1
                taken.append(group)
    parts = taken[:eliminated], taken[eliminated : eliminated + turned_back]
    return [{group: part.count(group) for group in sizes} for part in parts]


def bomber_modifier(theatre: str, air_range: int, distance: int, bombers: int, air_defense: int) -> int:
    """26.461B."""
    reach = AIR_RANGE[air_range][1 if theatre == "Europe" else 3]
    excess = max(0, reach - distance) // EXCESS_RANGE[theatre]
    return max(0, bombers - 1) + min(excess, bombers) - air_defense


def strength(kind: str, defences: Mapping[str, int]) -> int:
    """26.461A, 26.462."""
    if kind == "box":
        return 3
    singles = ("flak", "airbases", "objectives", "anchors", "fortification")
    return sum(defences[each] for each in singles) + 2 * defences["cities_or_ports"]


def flying_bombs(salvos: int, relative: int, radar: int, air_defense: int, stopped: int) -> int:
    """26.651A, 26.661."""
    return max(0, salvos * max(0, 10 - radar + relative - air_defense) - stopped)


def capped(value: int, damage: Mapping[str, int]) -> dict[str, int]:
    """26.71A. BRPs lost, bombers' first."""
    lost = {}
    for source in ("bombers", "flying bombs", "rockets"):
        lost[source] = min(value, damage.get(source, 0))
        value -= lost[source]
    return lost


def yard(column: int, row: int, columns: int, season: int) -> tuple[int, int]:
    """26.761C. Where an Axis ship stands after so many columns."""
    for _ in range(columns):
        row += column == season
        column = (column + 1) % 4
    return column, row
