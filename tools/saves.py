"""Records battles of the admiral against the admiral, one save for each scenario and some of 2008, for tests/saves.

    python tools/saves.py tests/saves/0.1.0

A release's saves are recorded once and kept for ever: later versions must load them, or stop at a named entry. So what
is there already is left alone, and only missing ones are recorded.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
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
from flagplot.scenarios.loader import Scenario, list_scenarios

OF_2008: dict[str, dict[str, str]] = {  # those also recorded by the rules of 2008, with options
    "ambush": {},
    "midway": {"deferred_strikes": "on"},
    "operation-malta": {"interception_dice_cap_2008": "8"},
    "three-groups": {"germany_drm_2008": "3", "evaded_engagement": "spent"},
}


def main(folder: Path) -> None:
    """One save and its result for each that has none yet."""
    folder.mkdir(parents=True, exist_ok=True)
    for scenario in list_scenarios():
        record(folder / f"{scenario.name}.flagplot", scenario, scenario.edition, {})
        if scenario.name in OF_2008:
            record(folder / f"{scenario.name}-of-2008.flagplot", scenario, "2008", OF_2008[scenario.name])


def record(path: Path, scenario: Scenario, edition: str, options: Mapping[str, str]) -> None:
    """Play a scenario to its end, and keep the save and the result."""
    if path.exists():
        return
    random = Random(path.stem)
    dice = ScriptedDice([random.randint(1, 6) for _ in range(20_000)])
    chosen = {**scenario.options, **options}
    game = Game.new(scenario.setup, scenario=scenario.name, edition=edition, options=chosen, dice=dice, key="5a" * 16)
    play_out(game, {side: AdmiralBot() for side in Side})
    save(game, path)
    outcome = {"events": len(game.events()), "check": game.table.check(), "result": result(game.battle)}
    text = msgspec.json.format(msgspec.json.encode(outcome), indent=1)
    path.with_suffix(".json").write_bytes(text + b"\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
