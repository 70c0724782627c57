"""The tables and steps of a battle once more, written down from the text of the rules (20.5, 22.5, 22.9, 23.4, 23.7) and the
rulings on it, for comparison: nothing of the program is used here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

TWO_DICE = [one + two for one in range(1, 7) for two in range(1, 7)]
_ATTACK = """
1:0:0 0 0 0 0 0 1 1 1 1 1|2:0:0 0 0 0 0 1 1 1 1 1 2|3:1:0 0 0 0 1 1 1 1 1 2 2|4:0:0 0 0 1 1 1 1 1 2 2 3
6:2:0 0 1 1 1 1 2 2 2 3 3|9:3:1 1 1 1 2 2 2 3 3 3 4|12:4:1 1 2 2 2 3 3 3 4 4 5|15:5:2 2 2 3 3 3 4 4 5 5 6
18:6:2 2 3 3 3 4 4 5 5 6 6|21:7:2 3 3 3 4 4 5 5 6 6 7|24:8:3 3 3 4 4 5 5 6 6 7 7|27:9:3 3 4 4 5 5 6 6 7 7 8
30:10:3 4 4 5 5 6 6 7 7 8 8|33:11:4 4 5 5 6 6 7 7 8 8 9|36:12:4 5 5 6 6 7 7 8 8 9 9|39:13:5 5 6 6 7 7 8 8 9 9 10
42:14:5 6 6 7 7 8 8 9 9 10 10|45:15:6 6 7 7 8 8 9 9 10 10 11|48:16:6 7 7 8 8 9 9 10 10 11 11
51:17:7 7 8 8 9 9 10 10 11 11 12|54:18:7 8 8 9 9 10 10 11 11 12 12|57:19:8 8 9 9 10 10 11 11 12 12 13
60:20:8 9 9 10 10 11 11 12 12 13 13
"""  # fleet factors up to, air squadrons, hits of 2 to 12
ATTACK = [
    (int(factors), int(squadrons), [int(hits) for hits in row.split()])
    for factors, squadrons, row in (line.split(":") for line in _ATTACK.replace("\n", "|").split("|") if line)
]
AIR_COMBAT = {  # eliminated and aborted, of 2 to 12
    1: "0/0 0/0 0/1 0/1 1/0 1/0 1/1 1/1 1/2 1/2 1/3",
    2: "0/1 0/1 1/0 1/0 1/1 1/1 1/2 1/2 1/3 1/3 2/2",
    3: "1/0 1/0 1/1 1/1 1/2 1/2 1/3 1/3 2/2 2/3 2/4",
}
AIR_DEFENSE = "0/0 0/0 0/0 0/0 0/0 0/1 0/1 1/0 1/0 1/1 1/1"  # at level 1


def column(roll: int) -> int:
    """The column of a roll, from 2 to 12 and more."""
    return max(2, min(12, roll)) - 2


def hits(number: int, roll: int, *, air: bool = False) -> int:
    """Hits on the Naval Attack Table; beyond its last row that row and the one for the rest (RC-19)."""
    most = 20 if air else 60
    if number > most:
        return hits(most, roll, air=air) + hits(number - most, roll, air=air)
    row = next(row for factors, squadrons, row in ATTACK if (squadrons == number if air else factors >= number))
    return row[column(roll)]


def pair(row: str, roll: int) -> tuple[int, int]:
    """Eliminated and aborted."""
    eliminated, aborted = row.split()[column(roll)].split("/")
    return int(eliminated), int(aborted)


class Named(NamedTuple):
    """A named ship: her size, hits and whether she is damaged or sunk."""

    size: int
    hits: int = 0
    damaged: bool = False
    sunk: bool = False

    def hit(self, number: int) -> Named:
        """20.513, 20.522: damaged one hit short of her size; one hit more sinks her, whenever she was damaged (RC-10)."""
        if not number or self.sunk:
            return self
        total = self.hits + number
        if self.damaged or total >= self.size:
            return Named(self.size, total, self.damaged, True)
        return Named(self.size, total, total >= self.size - 1)

    @property
    def fate(self) -> str:
        """In a word."""
        return "sunk" if self.sunk else "damaged" if self.damaged else "hit" if self.hits else "sound"


class _Turns:
    """19.6, 20.57: the largest first, then the next, round and round; equals in the order given."""

    def __init__(self, sizes: Mapping[str, int]) -> None:
        self.order = sorted(sizes, key=lambda key: -sizes[key])
        self.at = 0

    def next(self, left: Mapping[str, int]) -> str:
        while True:
            key = self.order[self.at % len(self.order)]
            self.at += 1
            if left.get(key, 0):
                return key


def _by(counts: Mapping[str, int], part: int) -> Counter[str]:
    """Counts by nation (0), or by the rest of the key (1)."""
    found: Counter[str] = Counter()
    for key, number in counts.items():
        if number:
            found[key.split("/", 1)[part]] += number
    return found


def light_left(counts: Mapping[str, int], number: int) -> dict[str, int]:
    """What so many hits of one roll leave of light ships (20.532, 20.551, 20.57; RC-11, RC-12)."""
    sound = {key: n for key, n in counts.items() if key.endswith("/CA")}
    damaged = {key: n for key, n in counts.items() if key.endswith("/CA/damaged")}
    single = {key: n for key, n in counts.items() if "/CA" not in key}
    nations = _Turns(_by({**sound, **damaged}, 0))
    types = _Turns(_by(single, 1))
    within = {kind: _Turns({k: n for k, n in single.items() if k.split("/", 1)[1] == kind}) for kind in _by(single, 1)}
    on_cruisers = on_others = factors_sunk = 0
    opened = ""
    for _ in range(number):
        cruisers = bool(opened) or any(sound.values()) or any(damaged.values())
        others = any(single.values())
        if others and (not cruisers or (on_others < on_cruisers and on_others + 1 <= factors_sunk)):
            on_others += 1
            single[within[types.next(_by(single, 1))].next(single)] -= 1
        elif opened:
            on_cruisers, factors_sunk, opened = on_cruisers + 1, factors_sunk + 2, ""
        elif any(sound.values()):
            on_cruisers += 1
            opened = nations.next(_by(sound, 0))
            sound[f"{opened}/CA"] -= 1
        elif cruisers:
            on_cruisers, factors_sunk = on_cruisers + 1, factors_sunk + 2
            damaged[f"{nations.next(_by(damaged, 0))}/CA/damaged"] -= 1
    if opened:
        damaged[f"{opened}/CA/damaged"] = damaged.get(f"{opened}/CA/damaged", 0) + 1
    order = [*counts, *(f"{key}/damaged" for key in counts if key.endswith("/CA"))]
    left = {**sound, **damaged, **single}
    return {key: left[key] for key in dict.fromkeys(order) if left.get(key)}


def volley(
    fires: Sequence[tuple[int, int, str, bool]], ships: Mapping[str, Named], light: Mapping[str, int]
) -> Counter[tuple[tuple[tuple[str, Named], ...], tuple[tuple[str, int], ...]]]:
    """The ways, of 36 for each fire, to what is left: named ships, and light ships in the order they were given in."""
    states = Counter({(tuple(ships.items()), tuple(light.items())): 1})
    for number, modifier, target, air in fires:
        after: Counter[tuple[tuple[tuple[str, Named], ...], tuple[tuple[str, int], ...]]] = Counter()
        for (named, counts), ways in states.items():
            for roll in TWO_DICE:
                scored = hits(number, roll + modifier, air=air)
                if target == "light":
                    after[named, tuple(light_left(dict(counts), scored).items())] += ways
                else:
                    struck = tuple((id, ship.hit(scored) if id == target else ship) for id, ship in named)
                    after[struck, counts] += ways
        states = after
    return states


class Duellist(NamedTuple):
    """A carrier of three factors by herself: her Air and Naval Nationality DRMs, her radar, and how many fly patrol."""

    air: int
    naval: int
    radar: int
    patrol: int


State = tuple[int, Named, int, Named]  # squadrons and carrier of either side


def struck(
    attacker: Duellist, defender: Duellist, flying: int, patrol: int, ship: Named, results: int, surprise: bool
) -> Counter[tuple[int, int, Named]]:
    """23.76. One strike on a carrier that is alone: how likely so many come home, so many patrols are left, and the carrier
    is so."""
    found: Counter[tuple[int, int, Named]] = Counter()
    levels = [die + min(2, results - 1) - defender.radar if surprise else 0 for die in range(1, 7)]
    for level in levels:
        engaged = max(0, patrol - (0 if level < 4 else min(level, 7) - 3))
        fights: Counter[tuple[int, int, int]] = Counter()  # left, through, patrols left
        if engaged:
            meeting = min(engaged, flying)
            net = attacker.air - defender.air - (1 if level < 1 else 0)  # 23.415D
            for mine in TWO_DICE:
                shot = min(engaged, pair(AIR_COMBAT[meeting], mine + net)[0])
                for theirs in TWO_DICE:
                    lost, back = pair(AIR_COMBAT[engaged], theirs - net)
                    left = flying - min(lost, flying)
                    fights[left, left - min(back, left), patrol - shot] += 1
        else:
            fights[flying, flying, patrol] = 36 * 36
        for (left, through, patrols), ways in fights.items():
            guns: Counter[tuple[int, int]] = Counter()
            for roll in TWO_DICE:  # three factors make a level of one, less one from surprise of two on
                lost, back = pair(AIR_DEFENSE, roll) if through and level < 2 else (0, 0)
                after = through - min(lost, through)
                guns[left - min(lost, through), after - min(back, after)] += 1
            for (home, bombing), more in guns.items():
                modifier = attacker.air + 1 + (level >= 3) - defender.naval
                for roll in TWO_DICE:
                    hit = hits(bombing, roll + modifier, air=True) if bombing else 0
                    found[home, patrols, ship.hit(hit)] += ways * more
    return found
