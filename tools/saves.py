"""Records battles of the admiral against the admiral, one save for each scenario, for tests/saves.

    python tools/saves.py tests/saves/0.1.0

A release's saves are recorded once and kept for ever: later versions must load them, or stop at a named entry. So what
is there already is left alone, and only missing ones are recorded.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import msgspec

from flagplot.api.battles import result
from flagplot.bots.admiral import AdmiralBot
from flagplot.bots.bot import play_out
from flagplot.core.dice import ScriptedDice
from flagplot.core.sides import Side
from flagplot.play.game import Game
from flagplot.play.saves import save
from flagplot.scenarios.loader import list_scenarios


def main(folder: Path) -> None:
    """One save and its result for each scenario that has none yet."""
    folder.mkdir(parents=True, exist_ok=True)
    for scenario in list_scenarios():
        if (folder / f"{scenario.name}.flagplot").exists():
            continue
        random = Random(scenario.name)
        dice = ScriptedDice([random.randint(1, 6) for _ in range(20_000)])
        game = Game.new(scenario.setup, scenario=scenario.name, options=scenario.options, dice=dice, key="5a" * 16)
        play_out(game, {side: AdmiralBot() for side in Side})
        save(game, folder / f"{scenario.name}.flagplot")
        outcome = {"events": len(game.events()), "check": game.table.check(), "result": result(game.battle)}
        text = msgspec.json.format(msgspec.json.encode(outcome), indent=1)
        (folder / f"{scenario.name}.json").write_bytes(text + b"\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
