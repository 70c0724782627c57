"""An operation as it stands on the table, drawn from one chair: phase and stage, who is where, who is under way.

Everything here is handed an operation as an audience knows it, and draws that: of an enemy task force a marker and its
place. `chair` is the side that looks, None for a spectator or a referee.
"""

from __future__ import annotations

from collections.abc import Iterable

from rich import box
from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from flagplot.cli.chart import contents
from flagplot.cli.terminal import Flow
from flagplot.core.sides import Side
from flagplot.model.forces import CombatGroup
from flagplot.model.operation import Airfield, Boats, Leg, NavalForce, Operation, Try
from flagplot.play.wording import base_contents, light_parts, squadron_parts

STAGES = {
    "paths": "Paths",
    "interceptions": "Interceptions",
    "counters": "Counters",
    "counter-counters": "Counter-counters",
    "air": "Air attacks",
    "resolution": "Battles",
    "completion": "Voyages end",
}


def at_sea(operation: Operation) -> bool:
    """Whether the table shows the sea now: there is one, and no battle is being fought on it."""
    return operation.waters is not None and not operation.fought


def operation_header(operation: Operation, chair: Side | None, facts: Iterable[str], seat: str = "") -> Flow:
    """The title, the phase, and what the game is played with."""
    you = seat or (f"you are {operation.names[chair]}" if chair else "")
    phase = "over" if operation.over else f"{operation.phase} phase" if operation.phase else "before the first phase"
    pieces = [Text(operation.title, style="heading"), Text(f"· {phase}")]
    pieces += [Text(f"· {fact}", style="quiet") for fact in (you, *facts) if fact]
    return Flow(pieces, gap=1)


def stages(operation: Operation) -> Flow:
    """What a group of voyages goes through, and where we are in it."""
    stage = operation.wave.stage if operation.waves else "announce"
    shown = {"announce": "Announcement", **STAGES}
    now = list(shown).index(stage) if stage in shown else 0
    words = []
    for index, label in enumerate(shown.values()):
        style = "own.mark" if index == now else "rule" if index < now else "quiet"
        words.append(Text(f"[{label}]" if index == now else label, style=style))
    return Flow(words)


def whole_sea(out: Console, operation: Operation, chair: Side | None) -> None:
    """What each side has where."""
    own = chair or Side.AXIS
    for side in (own, own.enemy):
        out.print(_board(operation, side, own=side is chair))


def _where(operation: Operation, hex: str) -> str:
    """A hex, with the name of the port in it."""
    for side in Side:
        for harbour in operation.sea.harbours[side]:
            if harbour.hex == hex:
                return harbour.name if harbour.name == hex else f"{harbour.name} ({hex})"
    return hex


# -- voyages ----------------------------------------------------------------------------------------


def under_way(operation: Operation, chair: Side | None) -> Panel:
    """Who sails, from where to where, and who tries to meet him."""
    wave, own = operation.wave, chair or Side.AXIS
    table = Table(box=box.SIMPLE_HEAD, expand=True, padding=(0, 1), show_edge=False)
    for heading in ("", "what", "from and to"):
        table.add_column(heading)
    for leg in wave.legs:
        style = "own" if leg.side is own else "foe"
        table.add_row(Text(leg.id, style=f"{style}.mark"), _leg_what(leg), _leg_way(operation, leg))
    for each in (*wave.tries, *wave.supports):
        style = "own" if each.side is own else "foe"
        way = Text(f"to {_where(operation, each.hex)}" if each.hex else "", style="")
        if each.distance > 0:
            way.append(f", {each.distance} hexes", style="quiet")
        table.add_row(Text(each.id, style=f"{style}.mark"), _try_what(each), way)
    return _panel(f"Under way: {operation.names[wave.side]} sails", table)


def _leg_what(leg: Leg) -> Text:
    what = "home" if leg.returning else leg.kind
    told = Text.assemble((f"{what}: ", "rule"), ", ".join(leg.forces))
    if leg.aboard:
        told.append(f", with {', '.join(leg.aboard)}", style="quiet")
    if leg.status != "under way":
        told.append(f" · {leg.status}", style="quiet")
    return told


def _leg_way(operation: Operation, leg: Leg) -> Text:
    way = Text(f"{_where(operation, leg.start)} → {_where(operation, leg.end)}")
    if leg.path:
        way.append(f", {len(leg.path) - 1} hexes", style="quiet")
    return way


def _try_what(each: Try) -> Text:
    who = f"a submarine of {each.force}" if each.boat else each.force
    state = f"arrives in round {each.round}" if each.round and each.status == "sailing" else each.status
    return Text.assemble((f"{each.level}: ", "rule"), who, (f" · {state}", "quiet"))


# -- boards -----------------------------------------------------------------------------------------


def _board(operation: Operation, side: Side, *, own: bool) -> Panel:
    rows: list[RenderableType] = []
    for force in operation.forces.get(side, ()):
        rows += _force(operation, force, own=own)
    boats = [_boats(each) for each in operation.boats.get(side, ())]
    rows += [Text.assemble(("submarines  ", "quiet"), "; ".join(boats))] if boats else []
    rows += [_field(each) for each in operation.airfields.get(side, ())]
    sunk = [ship.name for ship in operation.sunk.get(side, ())] + light_parts(operation.sunk_light.get(side, {}))
    if sunk:
        rows.append(Text.assemble(("✕ sunk  ", "foe"), ", ".join(sunk)))
    title = "your side" if own else "what is known"
    return _panel(f"{operation.names[side]}: {title}", Group(*rows) if rows else Text("nothing", style="quiet"))


def _force(operation: Operation, force: NavalForce, *, own: bool) -> list[RenderableType]:
    where = f"in {force.harbour}" if force.harbour else f"at sea in {_where(operation, force.place)}"
    state = [
        f"on {force.patrol} patrol in {_where(operation, force.place)}" if force.patrol else where,
        *(["task force"] if force.task_force else []),
        *(["inverted"] if force.inverted else []),
    ]
    style = "own.mark" if own else "foe.mark"
    head = Text.assemble((force.id, style), (f"  {' · '.join(state)}", "quiet"))
    if force.hidden:
        return [head]
    group = CombatGroup(0, force.id, force.ships, force.light, force.cargo)
    grid = Table.grid()
    grid.add_column(width=2)
    grid.add_column()
    grid.add_row("", contents(group, own=own))
    return [head, grid]


def _boats(boats: Boats) -> str:
    counts = {"ready": boats.ready, "have tried": boats.attempted, "at sea": boats.at_sea, "inverted": boats.inverted}
    parts = [f"{sum(each.values())} {word}" for word, each in counts.items() if each]
    return f"{boats.station} {', '.join(parts) or 'none'}"


def _field(field: Airfield) -> Text:
    parts = [
        part + (" inverted" if inverted else "")
        for counts, factors, inverted in base_contents(field.base)
        for part in squadron_parts(counts, nations=True, factors=factors)
    ]
    where = "" if field.hex == field.base.name else f" ({field.hex})"
    return Text.assemble(("air base  ", "quiet"), f"{field.base.name}{where}: {', '.join(parts) or 'no aircraft'}")


def _panel(title: str, body: RenderableType) -> Panel:
    return Panel(body, title=Text(title, style="heading"), title_align="left", border_style="quiet", padding=(0, 1))
