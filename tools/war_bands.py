"""Wars between two admirals against bands from history: which hold, year by year.

A band says between what a figure of the game should lie at the end of a year if the timetable, the rules and the admirals
together resemble the war that was. The bands were derived from the sources named with them, in units of the game: one
transport of the Western Allies for about 600,000 gross tons, one of Japan's for about 300,000, one German submarine factor
for about 25 operational boats, and German BRPs lost to bombing in the same proportion to about 200 a year as output lost.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from flagplot.bots.admiral import AdmiralBot
from flagplot.core.sides import Side
from flagplot.model.war import War
from flagplot.play.game import Game
from flagplot.scenarios.loader import load_scenario


class Band(NamedTuple):
    """Least and most at the end of a year, what of, and where the figure comes from."""

    what: str
    year: int
    least: int
    most: int
    source: str


SHIPPING = "British-controlled and American merchant tonnage, from the British official history of merchant shipping"
JAPANESE = "Japanese merchant tonnage, from the U.S. Strategic Bombing Survey of the war against transportation"
BOATS = "operational boats, from the war diary of the commander of submarines"
OUTPUT = "share of output lost, from the U.S. Strategic Bombing Survey of the German economy"
BANDS = (
    Band("Western Allied transports", 1940, 28, 42, SHIPPING),
    Band("Western Allied transports", 1941, 24, 42, SHIPPING),
    Band("Western Allied transports", 1942, 20, 42, SHIPPING),
    Band("Western Allied transports", 1943, 22, 50, SHIPPING),
    Band("Western Allied transports", 1944, 28, 65, SHIPPING),
    Band("Japanese transports", 1942, 17, 20, JAPANESE),
    Band("Japanese transports", 1943, 13, 18, JAPANESE),
    Band("Japanese transports", 1944, 6, 12, JAPANESE),
    Band("German submarines", 1939, 1, 3, BOATS),
    Band("German submarines", 1940, 1, 4, BOATS),
    Band("German submarines", 1941, 3, 6, BOATS),
    Band("German submarines", 1942, 6, 11, BOATS),
    Band("German submarines", 1943, 5, 12, BOATS),
    Band("German submarines", 1944, 4, 14, BOATS),
    Band("German BRPs bombed in the year", 1942, 0, 12, OUTPUT),
    Band("German BRPs bombed in the year", 1943, 5, 30, OUTPUT),
    Band("German BRPs bombed in the year", 1944, 15, 60, OUTPUT),
)


def figure(war: War, what: str, year: int) -> int:
    """A figure of the chart: as it stands at the end of a year, or added up over it."""
    rows = [row for row in war.chart if row.turn.year == year]
    match what:
        case "Western Allied transports":
            return rows[-1].transports.get("Western Allies", 0)
        case "Japanese transports":
            return rows[-1].transports.get("Japan", 0)
        case "German submarines":
            return rows[-1].submarines.get("Germany", 0)
    return sum(row.bombed.get("Germany", 0) for row in rows)


class SeededDice:
    """Dice from a seed."""

    name = "script"

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def dice(self, count: int, draw: int) -> list[int]:
        """So many dice."""
        return [self.random.randint(1, 6) for _ in range(count)]


def one_war(seed: int) -> War:
    """A whole war between two admirals, on dice from a seed."""
    game = Game.new(load_scenario("war").setup, dice=SeededDice(seed), key="00" * 16)
    admiral = AdmiralBot()
    game.advance()
    while not game.over:
        side = next(side for side in Side if game.decision(side))
        decision = game.decision(side)
        assert decision is not None
        game.submit(side, admiral.choose(game.picture(side), decision))
        game.advance()
    return game.table.war


def table(wars: Sequence[War]) -> list[str]:
    """Each band with the mean of all wars, the least and the most of any, and whether the mean lies inside."""
    lines = [
        f"| {'figure':30} | year | band     | mean | least to most | holds |",
        f"| {'-' * 30} | ---- | -------- | ---- | ------------- | ----- |",
    ]
    for band in BANDS:
        found = [figure(war, band.what, band.year) for war in wars]
        mean = sum(found) / len(found)
        holds = "yes" if band.least <= mean <= band.most else "no"
        limits, reached = f"{band.least} to {band.most}", f"{min(found)} to {max(found)}"
        lines.append(f"| {band.what:30} | {band.year} | {limits:8} | {mean:4.1f} | {reached:13} | {holds:5} |")
    return lines


def page(wars: Sequence[War]) -> str:
    """docs/war.md."""
    rows = table(wars)
    missed = sum(row.endswith("| no    |") for row in rows)
    verdict = "All of them hold." if not missed else f"{len(BANDS) - missed} of {len(BANDS)} hold, {missed} do not."
    sources = [f"- {what}: {source}" for what, source in dict.fromkeys((band.what, band.source) for band in BANDS)]
    return "\n".join(
        [
            "# The war against history",
            "",
            f"Written by `python tools/war_bands.py --wars {len(wars)} --page docs/war.md`, which plays the scenario `war` that often",
            "between two admirals, on dice from the seeds 0, 1, 2 and so on, and compares figures of the chart at the end of a year",
            "with bands from history. A band holds if the mean of all wars lies inside; single wars may lie outside.",
            "",
            verdict,
            "",
            *rows,
            "",
            "Where the bands come from, in units of the game as the head of `tools/war_bands.py` says:",
            "",
            *sources,
            "",
            "The bands have not been changed since they were written down. What reaches the war from outside (BRPs, production,",
            "research, ports) has: it is the timetable `ours`, made to fit the course of the war in broad strokes, and Japanese",
            "shipbuilding of 1944 was raised in it after wars had been played. So the bands say whether rules, admirals and timetable",
            "together resemble the war, not whether the rules alone do. There are no bands after 1944, and from Fall 1945 to Winter",
            "1946 there is no history either: the timetable carries the war on as if both sides had held out.",
            "",
        ]
    )


def main() -> None:
    """Play, and print each band; write the page if asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wars", type=int, default=20)
    parser.add_argument("--page", type=Path, help="write the page of the documentation to this file")
    told = parser.parse_args()
    wars = [one_war(seed) for seed in range(told.wars)]
    print("\n".join(table(wars)))
    if told.page:
        told.page.write_text(page(wars), "utf-8")


if __name__ == "__main__":
    main()
