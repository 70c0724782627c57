"""Any scenario as a PettingZoo environment (agents in turn, AEC): two sides, hidden information, dice, long games.

The law here: an agent is shown what its side knows (its Picture) and nothing else, and answers with the number of a line
in a menu of legal answers. Line 0 is the default a person is offered, line 1 the admiral's answer. Where all legal
answers fit on the menu they are all on it; where they do not, the rest is a sample drawn by the seed. A battle is worth
+1 to the side that wins it and -1 to the one that loses it, nothing to both if nobody does; an operation as much as all the
battles fought in it, each when it ends. (The rules know no winner of an operation or a war.)

    from flagplot.env import environment
    env = environment.env("denmark-strait")
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, over, cut, info = env.last()
        env.step(None if over or cut else 1)    # as the admiral would
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from random import Random
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from flagplot.bots.admiral import AdmiralBot
from flagplot.core.asks import Decide
from flagplot.core.forms import Answer, Form, PathForm, Wire, holds
from flagplot.core.sides import SIDES, Side
from flagplot.doctrine.sight import deck_air, guns, known_deck_air, known_guns, shore_air
from flagplot.model.events import BattleEnded
from flagplot.model.forces import CombatGroup
from flagplot.model.picture import Picture
from flagplot.model.state import SEGMENTS
from flagplot.odds.philox import PhiloxDice
from flagplot.play.decision_kinds import KINDS
from flagplot.play.game import Game
from flagplot.play.transcript import transcript
from flagplot.scenarios.loader import load_scenario

MENU = 16  # lines
PLACES = 12  # places a line is described by: how much it puts into each
GROUPS = 6  # groups a side is described by
MOST_INPUTS = 20_000  # answers and rolls; then the game is cut short
MOST_LOOKED_AT = 400  # answers looked at to find out whether all fit on the menu
OWN = 9  # facts of an own group
FOE = 8  # of an enemy group
WHOLE = 10  # of the battle as a whole
FACTS = WHOLE + GROUPS * (OWN + FOE)
LARGEST = 10_000
KIND_NUMBERS = {kind: number for number, kind in enumerate(KINDS, start=1)}
SEGMENT_NUMBERS = {segment: number for number, segment in enumerate(SEGMENTS)}


def env(scenario: str = "denmark-strait", **options: Any) -> AECEnv[str, Any, int]:
    """An environment with the guards PettingZoo recommends."""
    guarded: AECEnv[str, Any, int] = BattleEnv(scenario, **options)
    guarded = wrappers.TerminateIllegalWrapper(guarded, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(guarded)


class BattleEnv(AECEnv[str, Any, int]):
    """One scenario. `render_mode="ansi"` gives the log of what happened, as everyone was told."""

    metadata: Mapping[str, Any] = {
        "name": "flagplot_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(self, scenario: str = "denmark-strait", *, render_mode: str | None = None) -> None:
        super().__init__()
        self.scenario = load_scenario(scenario)
        self.render_mode = render_mode
        self.possible_agents = [side.value for side in Side]
        observed = spaces.Dict(
            {
                "observation": spaces.Box(-LARGEST, LARGEST, (FACTS,), np.int32),
                "menu": spaces.Box(-1, LARGEST, (MENU, PLACES), np.int32),
                "action_mask": spaces.Box(0, 1, (MENU,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, observed)
        self.action_spaces: dict[str, spaces.Space[Any]] = {
            agent: spaces.Discrete(MENU) for agent in self.possible_agents
        }
        self.admiral = AdmiralBot()
        self.seed = 0

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent is shown."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The lines of the menu."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game. The same seed, the same dice and menus."""
        self.seed = self.seed + 1 if seed is None else seed
        dice = PhiloxDice(self.seed & (2**64 - 1), 0)
        found = self.scenario
        self.game = Game.new(
            found.setup, scenario=found.name, edition=found.edition, options=found.options, dice=dice, key="00" * 16
        )
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._menu: list[Wire] = []
        self._read = 0  # events looked at
        self._go_on()
        self._accumulate_rewards()

    def _go_on(self) -> None:
        """Roll what is due and give what was won; then whoever is asked is next, or all is over."""
        while self.game.roll_due():
            self.game.roll()
        self._reward()
        asked = [side for side in Side if self.game.decision(side)]
        if self.game.over or not asked:
            self.terminations = dict.fromkeys(self.agents, True)
        elif len(self.game.runner.tape) >= MOST_INPUTS:
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = asked[0].value
            decision = self.game.decision(asked[0])
            assert decision is not None
            self._menu = menu(self.game.picture(asked[0]), decision, self.admiral, self.seed)
            self.infos[self.agent_selection] = {
                "kind": decision.kind,
                "rule": decision.rule,
                "question": decision.question,
                "answers": self._menu,
            }

    def _reward(self) -> None:
        """What was won and lost in battles that have ended since."""
        events = self.game.picture(None).events
        for event in events[self._read :]:
            if isinstance(event, BattleEnded) and event.victor is not None:
                for agent in self.agents:
                    self.rewards[agent] += 1.0 if event.victor is SIDES[agent] else -1.0
        self._read = len(events)

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """What an agent's side knows; the menu is shown to the one that is asked."""
        side = SIDES[agent]
        mask = np.zeros(MENU, np.int8)
        table = np.full((MENU, PLACES), -1, np.int32)
        decision = self.game.decision(side)
        if agent == self.agent_selection and decision is not None and not self.terminations[agent]:
            mask[: len(self._menu)] = 1
            for row, wire in enumerate(self._menu):
                table[row] = described(decision, wire)
        return {"observation": facts(self.game.picture(side), decision), "menu": table, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Answer with a line of the menu."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None or not 0 <= action < len(self._menu):
            raise ValueError(f"the menu has lines 0 to {len(self._menu) - 1}; there is no line {action}")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.game.submit(SIDES[agent], self._menu[action])
        self._go_on()
        self._accumulate_rewards()

    def render(self) -> str | None:
        """What everyone was told, a line each."""
        if self.render_mode is None:
            return None
        return "\n".join(transcript(self.game.picture(None).events))

    def close(self) -> None:
        """Nothing is held open."""


# -- the menu ---------------------------------------------------------------------------------------


def menu(picture: Picture, decision: Decide, admiral: AdmiralBot, seed: int) -> list[Wire]:
    """Legal answers to choose from: the default, the admiral's, then all others or a sample."""
    form = decision.form
    lines: list[Answer] = []
    for wire in (form.default, admiral.choose(picture, decision)):
        lines.append(decision.read(wire))
    for answer in _others(form, decision, seed, len(picture.events)):
        if answer not in lines[: 1 if lines[0] == lines[1] else 2]:
            lines.append(answer)
        if len(lines) == MENU:
            break
    return [form.wire(answer) if not isinstance(form, PathForm) else answer.cells for answer in lines]


def _others(form: Form, decision: Decide, seed: int, moment: int) -> Iterator[Answer]:
    """All legal answers if they are few; else different ones drawn by chance."""
    if not isinstance(form, PathForm):
        few: list[Answer] = []
        looked = 0
        for cells in islice(form.every(), MOST_LOOKED_AT):
            looked += 1
            if all(holds(limit, cells) for limit in form.limits):
                few.append(Answer({key: dict(places) for key, places in cells.items()}))
        if looked < MOST_LOOKED_AT and len(few) <= MENU:
            yield from few
            return
    random = Random(f"{seed} {moment} {decision.tag}")
    drawn: list[Answer] = []
    for _ in range(2 * MENU):
        answer = decision.read(form.sample(random))
        if answer not in drawn:
            drawn.append(answer)
            yield answer


def described(decision: Decide, wire: Wire) -> NDArray[np.int32]:
    """A line of the menu as numbers: how much it puts into each place, in the order of the form."""
    row = np.zeros(PLACES, np.int32)
    places = {place.key: index for index, place in enumerate(decision.form.places[:PLACES])}
    for placed in decision.read(wire).cells.values():
        for place, amount in placed.items():
            if place in places:
                row[places[place]] += amount
    return row


# -- what is shown -----------------------------------------------------------------------------------


def facts(picture: Picture, decision: Decide | None) -> NDArray[np.int32]:
    """What a side knows, as numbers: of the battle as a whole, then of its own groups, then of the enemy's."""
    side = picture.side or Side.AXIS
    battle = picture.battle
    own, foe = battle.fleets.get(side), battle.fleets.get(side.enemy)
    found = [
        KIND_NUMBERS.get(decision.kind, 0) if decision else 0,
        SEGMENT_NUMBERS.get(battle.segment, 0),
        battle.round,
        int(battle.interceptor is side),
    ]
    if own is None or foe is None:
        return np.array(found + [0] * (FACTS - len(found)), np.int32)
    found += [
        shore_air(own),
        shore_air(foe),
        sum(own.submarines.values()),
        own.search_advantage,
        own.tactical,
        foe.tactical,
    ]
    for group in _padded(own.groups):
        found += [0] * OWN if group is None else _own(group)
    for group in _padded(foe.groups):
        found += [0] * FOE if group is None else _foe(group)
    return np.clip(np.array(found, np.int32), -LARGEST, LARGEST)


def _padded(groups: tuple[CombatGroup, ...]) -> list[CombatGroup | None]:
    return [*groups[:GROUPS], *([None] * (GROUPS - len(groups[:GROUPS])))]


def _own(group: CombatGroup) -> list[int]:
    return [
        group.number,
        guns(group),
        group.factors,
        group.undamaged_factors,
        group.fast_carriers,
        deck_air(group),
        int(group.encumbered),
        group.found,
        int(group.attacked),
    ]


def _foe(group: CombatGroup) -> list[int]:
    told = group.disclosed
    carriers = told.fast_carriers if group.hidden and told else group.fast_carriers
    return [
        group.number,
        int(group.hidden),
        known_guns(group),
        known_deck_air(group),
        carriers,
        int(group.encumbered or bool(told and told.cargo)),
        group.found,
        int(group.attacked),
    ]
