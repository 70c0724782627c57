"""An agent of your own against the admiral, in any scenario: `python examples/agent.py calabria 20`.

The agent here is a simple one: it takes a line of the menu by chance, but never one that leaves the fight. Replace
`choose` by something that learns.
"""

from __future__ import annotations

import sys
from random import Random

import numpy as np

from flagplot.env import environment

ADMIRAL = 1  # his line of the menu


def choose(observation: dict[str, np.ndarray], info: dict[str, object], random: Random) -> int:
    """A line of the menu."""
    if info["kind"] in ("withdraw", "evade"):
        return 0
    return random.choice(np.flatnonzero(observation["action_mask"]).tolist())


def main(scenario: str = "calabria", games: str = "10") -> None:
    """Play, and say how it went."""
    env = environment.env(scenario)
    random = Random(1)
    won = dict.fromkeys(("agent", "admiral", "nobody"), 0)
    for game in range(int(games)):
        mine = env.possible_agents[game % 2] if env.possible_agents else "axis"  # both sides in turn
        env.reset(seed=game)
        given = 0.0
        for name in env.agent_iter():
            observation, reward, over, cut, info = env.last()
            given += reward if name == mine else 0
            if over or cut:
                env.step(None)
            else:
                env.step(choose(observation, info, random) if name == mine else ADMIRAL)
        won["agent" if given > 0 else "admiral" if given < 0 else "nobody"] += 1
    sys.stdout.write(f"{scenario}, {games} games: {', '.join(f'{name} {times}' for name, times in won.items())}\n")


if __name__ == "__main__":
    main(*sys.argv[1:3])
