"""Odds as people use them: who wins, what becomes of each ship, what it costs, and one sentence to paste.

The law here: nothing is said that was not counted, and every chance comes with its interval. Plain values only, so that
an answer can be written as JSON, drawn, or put on a page as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from flagplot.core.sides import Side
from flagplot.doctrine.doctrine import Doctrine
from flagplot.editions.current import CURRENT
from flagplot.model.ships import KIND_NAMES, light
from flagplot.odds.outcomes import FACTORS_SUNK, SUNK, Column, price, ship_named
from flagplot.odds.tally import Chance, Tally
from flagplot.odds.worlds import World
from flagplot.play.wording import does, percent

FATES = ("untouched", "hit", "damaged", "sunk")
GROUPS = ("whole", "hurt", "gone")
BANDS = 8  # rows and columns of the table of both sides' losses
LOSSES = (FACTORS_SUNK, "factors damaged", "squadrons lost", "submarines lost", "cargo lost", "cargo through")
SELDOM = 0.005  # battles that nobody wins are not worth a word below that


def told(chance: Chance) -> dict[str, float]:
    """A chance with its interval."""
    return {"chance": round(chance.value, 6), "low": round(chance.low, 6), "high": round(chance.high, 6)}


def answer(world: World, tally: Tally, **about: Any) -> dict[str, Any]:
    """All that was counted. `about` says how: the seed, what fought the battles, why it ended."""
    columns = tally.columns
    nobody = tally.chance(columns.index("victor"), 0)
    rounds = columns.index("rounds")
    found: dict[str, Any] = {
        "title": world.battle.title,
        "kind": world.battle.kind,
        "decisive": columns.decisive,
        "battles": tally.battles,
        "width": round(tally.width, 6),
        "broken_off": tally.endless,
        **about,
        "win": {**{side.value: told(tally.victory(side)) for side in Side}, "nobody": told(nobody)},
        "rounds": {
            "average": round(tally.mean(rounds), 4),
            "chances": {
                str(value): told(tally.chance(rounds, value))
                for value, times in enumerate(tally.times(rounds))
                if times
            },
        },
        "sides": {side.value: _side(world, tally, side) for side in Side},
        "joint": _joint(tally),
    }
    found["sentence"] = sentence(found)
    return found


def _side(world: World, tally: Tally, side: Side) -> dict[str, Any]:
    columns = tally.columns
    ships = []
    for index, column in columns.of("ship", side):
        ship = ship_named(world, side, column.name)
        fates = {fate: told(tally.chance(index, value)) for value, fate in enumerate(FATES)}
        ships.append({"id": ship.id, "name": ship.name, "kind": KIND_NAMES[ship.kind], "factors": ship.size, **fates})
    groups = [
        {"name": column.name, **{fate: told(tally.chance(index, value)) for value, fate in enumerate(GROUPS)}}
        for index, column in columns.of("group", side)
    ]
    return {
        "name": world.battle.fleets[side].name,
        "price": price(world.battle, side),
        "losses": {what: _amount(tally, columns.index(what, side)) for what in LOSSES},
        "supply line cut": told(tally.chance(columns.index("supply line cut", side), 1))
        if columns.columns[columns.index("supply line cut", side)].most
        else None,
        "ships": ships,
        "groups": groups,
        "light": [
            {"unit": _light_name(column.name), "of": column.most, "sunk": _amount(tally, index)}
            for index, column in columns.of("light sunk", side)
        ],
        "squadrons": [
            {"unit": column.name, "of": column.most, "lost": _amount(tally, index)}
            for index, column in columns.of("squadrons of a type lost", side)
        ],
    }


def _light_name(key: str) -> str:
    return f"{light(key).nation} {light(key).kind}"


def _amount(tally: Tally, index: int) -> dict[str, Any]:
    """A number: how much there was, the average, and the chances of one or more, two or more and so on."""
    curve = tally.at_least(index)[1:]
    while curve and not curve[-1].value:
        curve.pop()
    return {
        "of": tally.columns.columns[index].most,
        "average": round(tally.mean(index), 4),
        "at_least": [told(chance) for chance in curve],
    }


def _joint(tally: Tally) -> dict[str, Any]:
    """What one side pays against what the other pays, in bands: factors sunk, or what an attack is made with."""
    edges = []
    for axis, index in enumerate(tally.lost):
        seen = [value for value, times in enumerate(tally.joint.sum(axis=1 - axis)) if times]
        edges.append(_bands(max(seen, default=0), tally.columns.columns[index]))
    rows = [
        [round(float(tally.joint[a0 : a1 + 1, b0 : b1 + 1].sum() / max(1, tally.battles)), 6) for b0, b1 in edges[1]]
        for a0, a1 in edges[0]
    ]
    return {side.value: [_band(*band) for band in edges[at]] for at, side in enumerate(Side)} | {"chances": rows}


def _bands(largest: int, column: Column) -> list[tuple[int, int]]:
    """From nothing to the largest number seen, nothing by itself."""
    width = max(1, -(-largest // (BANDS - 1)))
    return [(0, 0), *((low, min(low + width - 1, column.most)) for low in range(1, largest + 1, width))]


def _band(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}–{high}"


def digits_for(interval: Mapping[str, float]) -> int:
    """How many digits of a percentage an interval allows."""
    width = interval["high"] - interval["low"]
    return 0 if width > 0.01 else 1 if width > 0.001 else 2


def in_percent(chance: Mapping[str, float]) -> str:
    """A chance with as many digits as its interval allows; never and always have none."""
    return percent(chance["chance"], 0 if chance["chance"] in (0, 1) else digits_for(chance))


def interval_words(chance: Mapping[str, float]) -> str:
    """Its interval: 58 to 66."""
    digits = digits_for(chance)
    return f"{100 * chance['low']:.{digits}f} to {100 * chance['high']:.{digits}f}"


def sure_to(chances: Iterable[Mapping[str, float]]) -> float:
    """The half of the widest of these intervals: so sure are all of them, or surer."""
    return max(((each["high"] - each["low"]) / 2 for each in chances), default=0.0)


def sentence(found: Mapping[str, Any]) -> str:
    """One sentence fit for pasting: who wins, what it costs, how sure that is, and under which conditions."""
    parts = []
    for side in Side:
        win, told_side = found["win"][side.value], found["sides"][side.value]
        name, cost = told_side["name"], _cost(told_side)
        lost = does(name, "lose").removeprefix(f"{name} ")
        won = f"{does(name, 'win')} {in_percent(win)} ({interval_words(win)}) and" if found["decisive"] else name
        parts.append(f"{won} {lost} {cost}")
    nobody = found["win"]["nobody"]
    if found["decisive"] and nobody["chance"] >= SELDOM:
        parts.append(f"nobody wins {in_percent(nobody)}")
    battles = f"{found['battles']:,} battle{'s' if found['battles'] > 1 else ''}"
    return f"{found['title']}: {'; '.join(parts)}, over {battles}{_conditions(found)}{_likely(found)}."


def _cost(side: Mapping[str, Any]) -> str:
    """What a side loses on the average; what it loses at all is not rounded to nothing."""
    average, what = side["losses"][side["price"]]["average"], side["price"].split()[0]
    return f"{'under 0.1' if 0 < average < 0.05 else f'{average:.1f}'} {what}"


def _conditions(found: Mapping[str, Any]) -> str:
    """What whoever reads the sentence elsewhere must know: whose knowledge it is from, and what was changed."""
    told = []
    if found.get("side"):
        told.append(f"as {does(found['sides'][found['side']]['name'], 'know')} it")
    if found.get("edition", CURRENT.edition) != CURRENT.edition:
        told.append(f"edition {found['edition']}")
    if found.get("options"):
        told.append("with other rulings")
    labels = {line["key"]: line["label"] for line in found.get("lines", ())}
    told += [f"without {labels[key]}" for key in found.get("left_out", ())]
    if any(numbers != Doctrine()._asdict() for numbers in found.get("doctrines", {}).values()):
        told.append("by other doctrines than the admiral's")
    return "".join(f", {each}" for each in told)


def _likely(found: Mapping[str, Any]) -> str:
    """The ship most likely to be sunk, if any is at all likely."""
    ships: Sequence[dict[str, Any]] = [ship for side in Side for ship in found["sides"][side.value]["ships"]]
    worst = max(ships, key=lambda ship: ship[FATES[SUNK]]["chance"], default=None)
    if worst is None or worst[FATES[SUNK]]["chance"] < 0.05:
        return ""
    return f"; {worst['name']} is sunk in {percent(worst[FATES[SUNK]]['chance'])}"
