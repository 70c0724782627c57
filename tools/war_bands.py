"""Wars between two admirals against bands from history: which hold, year by year.

A band says between what a figure of the game should lie at the end of a year if the timetable, the rules and the admirals
together resemble the war that was. The bands were derived from the sources named with them, in units of the game: one
transport of the Western Allies for about 600,000 gross tons, one of Japan's for about 300,000, one German submarine factor
for about 25 operational boats, and German BRPs lost to bombing in the same proportion to about 200 a year as output lost.
"""

from __future__ import annotations

import argparse
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


def one_war() -> War:
    """A whole war between two admirals."""
    game = Game.new(load_scenario("war").setup)
    admiral = AdmiralBot()
    game.advance()
    while not game.over:
        side = next(side for side in Side if game.decision(side))
        decision = game.decision(side)
        assert decision is not None
        game.submit(side, admiral.choose(game.picture(side), decision))
        game.advance()
    return game.table.war


def main() -> None:
    """Play, and print each band with the mean of all wars and whether it lies inside."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wars", type=int, default=20)
    wars = [one_war() for _ in range(parser.parse_args().wars)]
    print(f"| {'figure':32} | year | band    | mean  | holds |\n| {'-' * 32} | ---- | ------- | ----- | ----- |")
    for band in BANDS:
        mean = sum(figure(war, band.what, band.year) for war in wars) / len(wars)
        holds = "yes" if band.least <= mean <= band.most else "no"
        print(f"| {band.what:32} | {band.year} | {f'{band.least} to {band.most}':7} | {mean:5.1f} | {holds:5} |")


if __name__ == "__main__":
    main()
