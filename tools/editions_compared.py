"""Makes docs/editions-compared.md: twelve situations fought under both editions with the same dice, side by side.

    python tools/editions_compared.py            write the page
    python tools/editions_compared.py --check    say whether it has changed, and fail

Each side has a row of dice of its own, drawn from the situation's name and number, and rolls from it whatever it is asked to roll:
the first dice it needs are the first of the row in either edition. Both sides are played by admirals, but for what a
situation has them decide.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from flagplot.bots.admiral import AdmiralBot
from flagplot.core.events import Event
from flagplot.core.runner import Runner
from flagplot.core.sides import Side
from flagplot.editions.current import ruleset
from flagplot.model.events import (
    AttackerNamed,
    CargoLost,
    Fired,
    FireReserved,
    GroupRevealed,
    LightShipsHit,
    ShipHit,
    TargetsChosen,
)
from flagplot.model.forces import CombatGroup, Engagement
from flagplot.model.picture import Picture
from flagplot.model.state import Battle, Fleet
from flagplot.play.game import Game
from flagplot.play.report import results
from flagplot.play.transcript import is_quiet, sentence
from flagplot.play.wording import Names
from flagplot.rules.naval.fleet_combat import engage
from flagplot.rules.table import Table
from flagplot.scenarios.loader import parse_scenario, shipped_scenario

HOME = Path(__file__).parents[1]
PAGE = HOME / "docs" / "editions-compared.md"
EDITIONS = ("current", "2008")
MOST_INPUTS = 20_000
LOSSES = ("- Sunk", "- Damaged", "- Cargo lost", "- Hits", "- Squadrons lost", "- Submarines lost")
NOTHING = (": none", ": nothing")
AIMS = (AttackerNamed, TargetsChosen, FireReserved)
EFFECTS = (ShipHit, LightShipsHit, CargoLost)


class Situation(NamedTuple):
    """Two groups that meet, or a battle that comes with the game."""

    title: str
    about: str
    scenario: str = ""  # its name; "" = two groups, as below
    axis: str = ""
    allies: str = ""
    nations: tuple[str, str] = ("Germany", "Britain")
    row: int = 1  # which row of dice: one in which the difference shows
    tells: tuple[str, ...] = ()  # of a battle that comes with the game: events told beside its results
    decided: Mapping[str, Mapping[tuple[str, str], Any]] = {}  # by edition: side, kind of question, answer


SITUATIONS = (
    Situation(
        "Two lines of equal length",
        "Now ranks pair off. In 2008 Britain, which intercepts, attacks and masses both ships on the larger; whoever is"
        " not fired at chooses freely.",
        row=20,
        axis='ships = ["Bismarck", "Scharnhorst"]',
        allies='ships = ["King George V", "Renown"]',
        decided={"2008": {("allies", "heavy targets"): {"king-george-v": "bismarck", "renown": "bismarck"}}},
    ),
    Situation(
        "Three small ships against two large",
        "Now the third may join a friend against Warspite. In 2008 the longer line attacks, and two of two factors must cover"
        " Rodney's four before anybody may look at Warspite.",
        row=21,
        axis='ships = ["Graf Spee", "Scheer", "Deutschland"]',
        allies='ships = ["Rodney", "Warspite"]',
        decided={
            "current": {("axis", "surplus capital"): {"deutschland": "scheer"}},
            "2008": {
                ("axis", "heavy targets"): {"graf-spee": "rodney", "scheer": "rodney", "deutschland": "warspite"},
            },
        },
    ),
    Situation(
        "A ship too large to cover",
        "Now Repulse fires at Yamato and Renown at Kongo. In 2008 Yamato must face five factors before anybody may fire at"
        " Kongo, who therefore chooses her own target.",
        row=24,
        axis='ships = ["Yamato", "Kongo"]\ndestroyers = 3',
        allies='ships = ["Repulse", "Renown", "Hood"]\ndestroyers = 2',
        nations=("Japan", "Britain"),
        decided={
            "2008": {("allies", "heavy targets"): {"repulse": "yamato", "renown": "yamato", "hood": "yamato"}},
        },
    ),
    Situation(
        "Destroyers to spare",
        "Against one destroyer all but three are surplus. Now the first heavy ship must face as many as her size before a second"
        " is fired at; in 2008 they are divided as their owner likes.",
        row=24,
        axis="destroyers = 12",
        allies='ships = ["Prince of Wales", "Repulse"]\ndestroyers = 1',
        decided={
            "current": {("axis", "surplus light"): {"Germany/DD": {"prince-of-wales": 4, "repulse": 2}}},
            "2008": {("axis", "surplus light"): {"Germany/DD": {"prince-of-wales": 3, "repulse": 3}}},
        },
    ),
    Situation(
        "A carrier behind a thin screen",
        "Heavy and light ships both fire at the carrier: two rolls now, one roll for all of them in 2008.",
        row=16,
        axis='ships = ["Scharnhorst", "Gneisenau"]\ndestroyers = 6',
        allies='ships = ["Ark Royal"]\ndestroyers = 1',
        decided={
            "current": {
                ("axis", "surplus capital"): {"scharnhorst": "light", "gneisenau": "hold"},
                ("axis", "screened fire capital"): {"gneisenau": "ark-royal"},
                ("axis", "surplus light"): {"Germany/DD": {"hold": 6}},
                ("axis", "screened fire light"): {"Germany/DD": "ark-royal"},
            },
            "2008": {
                ("axis", "heavy targets"): {"scharnhorst": "light", "gneisenau": "ark-royal"},
                ("axis", "surplus light"): {"Germany/DD": {"hold": 6}},
                ("axis", "screened fire light"): {"Germany/DD": "ark-royal"},
            },
        },
    ),
    Situation(
        "A convoy and its cruisers",
        "A ship that holds her fire chooses her target behind the screen when it is open; in 2008 she has named it with the"
        " first targets, and fires at the transports although a damaged battleship lies beside them.",
        row=12,
        axis='ships = ["Bismarck", "Scharnhorst", "Gneisenau"]',
        allies='ships = [{ name = "Malaya", damaged = true }]\ncruisers = 1\ntransports = 3',
        decided={
            "current": {
                ("axis", "surplus capital"): {"bismarck": "light", "scharnhorst": "hold", "gneisenau": "hold"},
                ("axis", "screened fire capital"): {"scharnhorst": "malaya", "gneisenau": "light"},
            },
            "2008": {
                ("axis", "heavy targets"): {
                    "bismarck": "light",
                    "scharnhorst": "screened light",
                    "gneisenau": "screened light",
                },
            },
        },
    ),
    Situation("Denmark Strait", "Guns alone, with a fleet that comes too late.", "denmark-strait"),
    Situation("River Plate", "A raider and its hunters: one round, no search.", "river-plate"),
    Situation("Guadalcanal", "Several groups at night, found or not.", "guadalcanal"),
    Situation(
        "Midway",
        "Carriers: search, surprise, strikes.",
        "midway",
        tells=("Searched", "SurpriseRolled", "StrikeAnnounced"),
    ),
    Situation(
        "Palawan Passage",
        "Submarines against a fleet on its way, outside naval combat.",
        "ambush",
        tells=("SubmarineCategoryRolled", "SubmarineTargetRolled", "TorpedoesFired"),
    ),
    Situation(
        "The road to Malta",
        "An operation: who intercepts whom, with how many dice.",
        "operation-malta",
        tells=("InterceptionDiceCounted", "InterceptionRolled"),
    ),
)


class Rows:
    """A row of dice for each side, the same in every edition."""

    name = "script"

    def __init__(self, situation: Situation) -> None:
        self.rows = {side: Random(f"{situation.title} {situation.row} {side}") for side in Side}
        self.rolled: dict[Side, list[int]] = {side: [] for side in Side}
        self.side = Side.AXIS

    def dice(self, count: int, draw: int) -> list[int]:
        """The next dice of the side whose turn it is."""
        made = [self.rows[self.side].randint(1, 6) for _ in range(count)]
        self.rolled[self.side] += made
        return made


def scenario_text(situation: Situation) -> str:
    """Two groups that meet, as a set-up."""
    lines = ["format = 1", 'title = "A meeting"', 'theatre = "Europe"', 'interceptor = "allies"']
    for side, nation, force in zip(Side, situation.nations, (situation.axis, situation.allies), strict=True):
        lines += [f"[{side}]", f'name = "{nation}"', f'nation = "{nation}"']
        lines += [f"[[{side}.force]]", 'name = "The group"', 'mission = "patrol"', "task_force = false", force]
    return "\n".join(lines) + "\n"


def meet(situation: Situation, edition: str) -> tuple[list[Event], Rows]:
    """Two groups fight one fleet combat."""
    setup = parse_scenario(scenario_text(situation), situation.title).setup
    fleets = {}
    for side in Side:
        (force,) = setup.sides[side].forces
        group = CombatGroup(1, force.name, force.ships, force.light, force.cargo)
        fleets[side] = Fleet(setup.public.names[side], groups=(group,))
    table = Table(ruleset(edition), Battle(interceptor=setup.public.interceptor, fleets=fleets))
    runner = Runner(engage(table, Engagement(1, 1)))
    rows, admiral = Rows(situation), AdmiralBot()
    decided = dict(situation.decided.get(edition, {}))
    while not runner.over:
        due = runner.roll_due()
        if due is not None:
            rows.side = due.side
            runner.roll(rows.dice(due.dice, 0))
            continue
        for side in Side:
            question = runner.decision_for(side)
            if question is not None:
                picture = Picture(side, edition)
                picture.battle = table.battle
                given = decided.pop((side.value, question.kind), None)
                runner.answer(side, admiral.choose(picture, question) if given is None else given)
    if decided:
        raise ValueError(f"{situation.title}, {edition}: nobody asked for {list(decided)}")
    return list(table.log), rows


def fight(situation: Situation, edition: str) -> list[Event]:
    """A battle that comes with the game, played by two admirals."""
    found = shipped_scenario(situation.scenario)
    rows, admiral = Rows(situation), AdmiralBot()
    game = Game.new(found.setup, scenario=found.name, edition=edition, options=found.options, dice=rows, key="00" * 16)
    while not game.over:
        due = game.roll_due()
        if due is not None:
            rows.side = due.side
            game.roll()
            continue
        side = next(side for side in Side if game.decision(side))
        decision = game.decision(side)
        assert decision is not None and len(game.runner.tape) < MOST_INPUTS
        game.submit(side, admiral.choose(game.picture(side), decision))
    return list(game.events())


# -- the page --------------------------------------------------------------------------------------------


def told(situation: Situation, events: Sequence[Event], kinds: tuple[type[Event], ...]) -> list[str]:
    """The sentences of these kinds of events."""
    names = Names()
    if not situation.scenario:
        names.sides = dict(zip(Side, situation.nations, strict=True))
    lines = []
    for event in events:
        text = sentence(event, names)
        wanted = isinstance(event, kinds) or type(event).__name__ in situation.tells
        if wanted and text and not is_quiet(event):
            lines.append(text)
    return lines


def table(rows: Sequence[tuple[str, Mapping[str, Sequence[str]]]]) -> list[str]:
    """A table with a column for each edition."""
    lines = [f"| | {' | '.join(EDITIONS)} |", f"| --- |{' --- |' * len(EDITIONS)}"]
    for heading, cells in rows:
        texts = ["<br>".join(cells[edition]).replace("|", "/") or "nothing" for edition in EDITIONS]
        lines.append(f"| {heading} | {' | '.join(texts)} |")
    return lines


def meeting(situation: Situation) -> list[str]:
    """A fleet combat in both editions."""
    fought = {edition: meet(situation, edition) for edition in EDITIONS}
    names = dict(zip(Side, situation.nations, strict=True))
    dice = [
        f"{names[side]} {' '.join(map(str, max((rows.rolled[side] for _, rows in fought.values()), key=len))) or 'none'}"
        for side in Side
    ]
    shown = {
        heading: {edition: told(situation, events, kinds) for edition, (events, _) in fought.items()}
        for heading, kinds in (("targets", AIMS), ("fire", (Fired,)), ("effects", EFFECTS))
    }
    groups = told(situation, fought["current"][0], (GroupRevealed,))
    return [f"Dice: {'; '.join(dice)}.", "", *(f"- {line}" for line in groups), "", *table(list(shown.items()))]


def battle(situation: Situation) -> list[str]:
    """A battle that comes with the game, in both editions."""
    fought = {edition: fight(situation, edition) for edition in EDITIONS}
    lines: dict[str, dict[str, list[str]]] = {}
    if situation.tells:
        lines["dice"] = {edition: told(situation, events, ()) for edition, events in fought.items()}
    lines["result"] = {}
    for edition, events in fought.items():
        rounds = sum(type(event).__name__ == "RoundBegan" for event in events)
        first, *sides = results(events)
        lines["result"][edition] = [first, f"Rounds of battle: {rounds}."]
        for part in sides:
            name, *items = [line for line in part.splitlines() if line]
            kept = [item.removeprefix("- ") for item in items if item.startswith(LOSSES)]
            lines.setdefault(name.rstrip(":"), {})[edition] = [line for line in kept if not line.endswith(NOTHING)]
    for cells in lines.values():
        for edition in EDITIONS:
            cells.setdefault(edition, [])
    return table(list(lines.items()))


def page() -> str:
    """The whole page."""
    lines = [
        "# The same situations in both editions",
        "",
        "Made by `tools/editions_compared.py`, checked by the tests. Twelve situations, each fought under the current edition",
        "and under that of 2008 with the same dice: each side has a row of dice of its own and uses it up in order, whatever",
        "it rolls for. Both sides are played by the admiral ([doctrine](doctrine.md)), but for what the situation has them",
        "decide. The dice of the first six were picked among random ones so that the difference shows; so they say nothing of",
        "how often it does. The readings on which both editions rest are in the [rulings](rulings.md).",
    ]
    for number, situation in enumerate(SITUATIONS, start=1):
        lines += ["", f"## {number}. {situation.title}", "", situation.about, ""]
        lines += battle(situation) if situation.scenario else meeting(situation)
    return "\n".join(lines) + "\n"


def main() -> int:
    fresh = page()
    if "--check" not in sys.argv:
        PAGE.write_text(fresh, encoding="utf-8")
        return 0
    if PAGE.exists() and PAGE.read_text(encoding="utf-8") == fresh:
        return 0
    print(f"{PAGE.relative_to(HOME)} is not what the editions do now; run python tools/editions_compared.py and look")
    return 1


if __name__ == "__main__":
    sys.exit(main())
