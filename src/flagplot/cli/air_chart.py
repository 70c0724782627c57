"""Aircraft and submarines as they stand on the table, for chart.py: decks, what flies over groups, bases, submarines.

Nothing is shown but what the battle handed over holds. What stands at land bases is open to everyone (FP-14).
"""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from flagplot.cli.terminal import Flow
from flagplot.model.forces import CombatGroup
from flagplot.model.ships import Counts, Ship, plus
from flagplot.model.squadrons import AirBase, squadron
from flagplot.model.state import Fleet
from flagplot.play.air_transcript import squadrons_lost
from flagplot.play.wording import agreeing, base_contents, hexes, nations_of, squadron_parts, submarine_parts

SQUADRON = "✈"
NO_SQUADRON = "·"


# -- what a side has --------------------------------------------------------------------------------


def several_nations(fleet: Fleet) -> bool:
    """Whether a side's aircraft, as far as they are known, are of more than one nation."""
    return len(nations_of(key for counts in _all_aircraft(fleet) for key in counts)) > 1


def _all_aircraft(fleet: Fleet) -> Iterator[Counts]:
    yield from (fleet.ready, fleet.aloft, fleet.air_lost)
    for base in fleet.air_bases:
        yield from (counts for counts, _, _ in base_contents(base))
    for group in (*fleet.groups, *fleet.pending):
        yield from (group.patrol, group.cover, *(ship.wing for ship in group.ships))


# -- carriers and what flies over a group --------------------------------------------------------------


def deck(ship: Ship, *, own: bool = False) -> Text:
    """The squadrons aboard a carrier, one sign each, the elite ones named; on one's own, empty places too."""
    elite = sum(number for key, number in ship.wing.items() if squadron(key).state == "elite")
    style = "own" if own else ""
    parts = [Text.assemble((SQUADRON * elite, style), (" elite", "rule"))] if elite else []
    empty = NO_SQUADRON * max(0, ship.size - ship.air) if own and ship.is_carrier and not ship.damaged else ""
    if empty and not ship.air:
        return Text("empty deck", style="quiet")
    rest = Text.assemble((SQUADRON * (ship.air - elite), style), (empty, "quiet"))
    return Text(" ").join([*parts, rest] if rest else parts)


def over_group(group: CombatGroup, nations: bool) -> Flow:
    """Patrol and cover over a group, as far as they are known."""
    roles = (("patrol", group.patrol), ("cover", group.cover), ("held back", group.withheld))
    pieces = [
        Text.assemble((f"{SQUADRON} {role} ", "rule"), ", ".join(squadron_parts(counts, nations=nations)))
        for role, counts in roles
        if counts
    ]
    return Flow(pieces)


# -- land bases and submarines -----------------------------------------------------------------------------


def _base_row(fleet: Fleet, base: AirBase, nations: bool) -> tuple[Text, Flow]:
    facts = [hexes(base.distance)] if base.distance else []
    facts += ["out of reach"] if fleet.air_range and base.distance > fleet.air_range else []
    facts += [] if base.operational else ["not operational"]
    head = Text.assemble((base.name, "heading"), (f" {', '.join(facts)}", "quiet") if facts else "")
    pieces: list[Text] = []
    for counts, factors, inverted in base_contents(base):
        for key, number in counts.items():
            (part,) = squadron_parts({key: number}, nations=nations, factors=factors)
            used = 0 if factors or inverted else min(number, base.used.get(key, 0))
            state = " inverted" if inverted else " used" if used == number else f" ({used} used)" if used else ""
            pieces.append(Text.assemble((part, "quiet" if inverted or used == number else ""), (state, "quiet")))
    return head, Flow(pieces or [Text("no aircraft", style="quiet")])


def air_rows(fleet: Fleet) -> list[RenderableType]:
    """A side's land bases with what is at them, its naval air in the air, and its submarines."""
    nations = several_nations(fleet)
    rows: list[RenderableType] = []
    if fleet.air_bases:
        bases = Table.grid(padding=(0, 2))
        for base in fleet.air_bases:
            bases.add_row(*_base_row(fleet, base, nations))
        rows.append(bases)
    for label, counts in (("back from counterair", fleet.ready), ("in the air, to land", fleet.aloft)):
        if counts:
            parts = ", ".join(squadron_parts(counts, nations=nations))
            rows.append(Flow([Text.assemble((f"{SQUADRON} {label}  ", "rule"), parts)]))
    left, spent = (
        submarine_parts(counts, nations=_several(counts)) for counts in (fleet.submarines, fleet.submarines_spent)
    )
    pieces = [Text(f"{', '.join(left)} left")] if left else []
    pieces += [Text(f"{', '.join(spent)} {agreeing(spent, 'has', 'have')} attacked", style="quiet")] if spent else []
    return [*rows, Flow(pieces)] if pieces else rows


def _several(counts: Counts) -> bool:
    return len(nations_of(counts)) > 1


def losses(fleet: Fleet) -> list[Text]:
    """Squadrons and submarines a side has lost, wherever they came from."""
    air: dict[str, int] = {}
    for key, number in squadrons_lost(fleet).items():
        air = plus(air, {key.partition("@")[0]: number})
    rows = [
        ("✕ squadrons lost  ", squadron_parts(air, nations=several_nations(fleet) or _several(air))),
        (
            "✕ submarines lost  ",
            submarine_parts(fleet.submarines_lost, nations=_several(fleet.submarines_lost)),
        ),
    ]
    return [Text.assemble((label, "foe"), ", ".join(parts)) for label, parts in rows if parts]
