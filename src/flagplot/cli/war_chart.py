"""The strategic war as it stands on the table, drawn from one chair: turn and stage, SW boxes, fronts, targets, purses.

Everything in it lies open, so both sides see the same; `chair` only says which side is one's own. The war so far is a
table of figures, a line for each turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rich import box
from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from flagplot.cli.terminal import Flow
from flagplot.core.sides import Side
from flagplot.model.strategic_war import BOXES, INTERCEPTOR, STRATEGIC_BOMBER
from flagplot.model.war import AAF, JET, KINDS, STAGES, War, kind_of, power_of, side_of
from flagplot.play.war_transcript import STAGES as TITLES
from flagplot.play.wording import listed

IN_THE_AIR = (STRATEGIC_BOMBER, INTERCEPTOR, AAF, JET)
MOST_ROWS = 8  # turns of the war so far, the last ones
SHORT = {
    "construction": "Construction",
    "submarines": "Submarines",
    "bombing": "Bombing",
    "effects": "Effects",
    "end": "End",
}


def at_war(war: War) -> bool:
    """Whether the table shows the strategic war."""
    return bool(war.names)


def war_header(war: War, chair: Side | None, facts: Iterable[str], seat: str = "") -> Flow:
    """The title, the player turn, and what the game is played with."""
    you = seat or (f"you are {war.names[chair]}" if chair else "")
    now = f"over, {war.last}" if war.over else f"{war.now}, to {war.last}"
    pieces = [Text(war.title, style="heading"), Text(f"· {now}", style="rule")]
    pieces += [Text(f"· {fact}", style="quiet") for fact in (you, *facts) if fact]
    return Flow(pieces, gap=1)


def war_stages(war: War) -> Flow:
    """The stages of the player turn, and where we are in it."""
    shown = [stage for stage in STAGES if stage in TITLES]
    now = shown.index(war.stage) if war.stage in shown else -1
    words = []
    for index, stage in enumerate(shown):
        label = SHORT.get(stage, TITLES[stage])
        style = "own.mark" if index == now else "rule" if index < now else "quiet"
        words.append(Text(f"[{label}]" if index == now else label, style=style))
    return Flow(words)


def whole_war(out: Console, war: War, chair: Side | None, *, so_far: bool = True) -> None:
    """What stands where, what can be bombed, what each power can spend, and how the war has gone `so_far`."""
    own = chair or Side.AXIS
    out.print(_at_sea(war, own))
    out.print(_in_the_air(war, own))
    out.print(_money(war, own))
    if war.chart and so_far:
        out.print(_so_far(war))


def _side(name: str) -> Side:
    return side_of(power_of(name).split(",")[0])


def units(war: War, place: str, side: Side, kinds: Iterable[str]) -> list[str]:
    """The units of a side in a place, in words: how many, and how many of them may do nothing yet."""
    here, ready, wanted = war.places.get(place, {}), war.ready(place), tuple(kinds)
    found = []
    for name in sorted(here, key=lambda name: KINDS.index(kind_of(name))):
        number = here[name]
        if not number or kind_of(name) not in wanted or _side(name) is not side:
            continue
        idle = number - ready.get(name, 0)
        until = listed([str(each) for each in dict.fromkeys(_waits(war, place, name))], "")
        found.append(f"{number} {name}" + (f" ({idle} idle until {until})" if idle else ""))
    return found


def _waits(war: War, place: str, name: str) -> list[str]:
    return [
        str(each.until) for each in war.idle if (each.place, each.unit) == (place, name) and war.now.before(each.until)
    ]


def _table(war: War, own: Side, first: str, *others: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, expand=True, padding=(0, 1), show_edge=False)
    table.add_column(first)
    for side, style in ((own, "own"), (own.enemy, "foe")):
        table.add_column(Text(war.names[side], style=style), ratio=2)
    for heading in others:
        table.add_column(heading)
    return table


def _at_sea(war: War, own: Side) -> Panel:
    ships = tuple(kind for kind in KINDS if kind not in IN_THE_AIR)
    table = _table(war, own, "")
    for place in (*BOXES, *(place for place in war.places if place not in BOXES)):
        rows = [units(war, place, side, ships) for side in (own, own.enemy)]
        if any(rows) or place in BOXES:
            name = f"{place} SW box" if place in BOXES else place
            table.add_row(Text(name, style="rule"), *(", ".join(row) or "–" for row in rows))
    return _panel("At sea: SW boxes and ports", table)


def _in_the_air(war: War, own: Side) -> Panel:
    table = _table(war, own, "")
    for place in war.places:
        rows = [units(war, place, side, IN_THE_AIR) for side in (own, own.enemy)]
        if any(rows):
            name = f"{place} front" if place in BOXES else place
            table.add_row(Text(name, style="rule"), *(", ".join(row) or "–" for row in rows))
    parts: list[RenderableType] = [table]
    for target in war.targets.values():
        holder = target.target.controller or target.target.country
        mine = side_of(holder) is own
        marks = target.all_markers
        far = [f"{who} {hexes}" for who, hexes in target.distances.items() if who != holder]
        text = Text.assemble(
            (f"◎ {target.name}", "own.mark" if mine else "foe.mark"), f" {holder}, {target.value} BRPs"
        )
        text.append(f" · hexes: {', '.join(far)}" if far else "", style="quiet")
        text.append(f" · ✕ {listed(marks)}" if marks else "", style="foe")
        parts.append(text)
    return _panel("In the air: fronts and targets", Group(*parts))


def _money(war: War, own: Side) -> Panel:
    table = Table(box=box.SIMPLE_HEAD, expand=True, padding=(0, 1), show_edge=False)
    for heading in ("", "BRPs", "construction", "shipbuilding", "may yet be built"):
        table.add_column(heading)
    for power, purse in war.purses.items():
        limit = war.limits.get(power, purse)
        pools = war.pools.get(power, {})
        left = [f"{pool.allowable} {kind}" for kind, pool in pools.items() if pool.allowable]
        table.add_row(
            Text(power, style="own.mark" if side_of(power) is own else "foe.mark"),
            str(purse.brps),
            f"{purse.construction} of {limit.construction}",
            f"{purse.shipbuilding} of {limit.shipbuilding}",
            ", ".join(left) or "–",
        )
    for owner, pools in war.pools.items():
        left = [f"{pool.allowable} {kind}" for kind, pool in pools.items() if pool.allowable]
        if owner not in war.purses and left:
            style = "own.mark" if side_of(owner.split(",")[0]) is own else "foe.mark"
            table.add_row(Text(owner, style=style), "", "", "", ", ".join(left))
    return _panel("Purses and force pools", table)


def _so_far(war: War) -> Panel:
    table = Table(box=box.SIMPLE_HEAD, expand=True, padding=(0, 1), show_edge=False)
    for heading in ("turn", "transports", "submarines", "BRPs", "lost in the turn"):
        table.add_column(heading)
    for row in war.chart[-MOST_ROWS:]:
        counts = (row.transports, row.submarines, row.brps, row.sunk)
        table.add_row(Text(str(row.turn), style="rule"), *(_counts(each) for each in counts))
    return _panel("The war so far", table)


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {number}" for name, number in counts.items() if number) or "–"


def _panel(title: str, body: RenderableType) -> Panel:
    return Panel(body, title=Text(title, style="heading"), title_align="left", border_style="quiet", padding=(0, 1))
