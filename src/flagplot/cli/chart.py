"""What stands on the table, drawn from one chair: header and track, combat chart, status board, lines of battle.

Everything here is handed a battle as an audience knows it, and draws that. `chair` is the side that looks, None for a
spectator or a referee.
"""

from __future__ import annotations

from collections.abc import Iterable

from rich import box
from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from flagplot.cli.air_chart import air_rows, deck, losses, over_group, several_nations
from flagplot.cli.terminal import Flow
from flagplot.core.sides import Side
from flagplot.model.forces import CombatGroup, Line
from flagplot.model.ships import Ship
from flagplot.model.squadrons import Strike
from flagplot.model.state import Battle, Fleet
from flagplot.play.transcript import disclosed
from flagplot.play.wording import TIMES, light_parts, squadron_parts
from flagplot.rules.naval.combat_groups import is_fast

MOST_NUMBERS = 6  # on the chart; a force attacked by submarines alone may have more groups (22.93A)
WIDE = 110  # from here on chart and status board stand side by side
CHART_WIDTH = 68
TRACK = {
    "formation": "Groups",
    "counterair": "Counterair",
    "carrier air": "Carriers",
    "air cover": "Cover",
    "search": "Search",
    "disclosure": "Disclosure",
    "air strikes": "Strikes",
    "fleet combat": "Fleet combat",
    "submarines": "Submarines",
    "withdrawal": "Withdrawal",
    "reinforcement": "Reinforcement",
}
SHORT_TRACKS = {
    "raider combat": {"formation": "Raider combat"},
    "submarine attack": {"formation": "Submarine attack"},
    "air attack": {key: TRACK[key] for key in ("formation", "air cover", "search", "disclosure", "air strikes")},
    "port attack": {"formation": "Port", "sortie": "Sortie", "escape": "Escape"},
}
NOT_SHIPS = {"light": "the light ships", "supply line": "the sea supply line"}  # as targets of a strike
AFTER = {"return": "Return to base", "over": "Over"}


# -- header and track ---------------------------------------------------------------------------


def header(battle: Battle, chair: Side | None, facts: Iterable[str], seat: str = "") -> Flow:
    """The title, and what the game is played with."""
    you = seat or (f"you are {battle.fleets[chair].name}" if chair else "")
    pieces = [
        Text(battle.title, style="heading"),
        Text(f"· {'sortie' if battle.kind == 'port attack' else 'round'} {battle.round}"),
    ]
    pieces += [Text(f"· {fact}", style="quiet") for fact in (you, *facts) if fact]
    return Flow(pieces, gap=1)


def track(battle: Battle) -> Flow:
    """The segments of the round in order: those past, the one we are in, those to come."""
    shown = SHORT_TRACKS.get(battle.kind, TRACK)
    if battle.segment not in shown:
        shown = {**shown, battle.segment: AFTER.get(battle.segment, battle.segment)}
    now = list(shown).index(battle.segment)
    words = []
    for index, label in enumerate(shown.values()):
        style = "own.mark" if index == now else "rule" if index < now else "quiet"
        words.append(Text(f"[{label}]" if index == now else label, style=style))
    return Flow(words)


# -- ships -----------------------------------------------------------------------------------------


def pips(ship: Ship, *, own: bool = False) -> Text:
    """A ship with her size as pips, hits crossed out, and the squadrons aboard: Hood BC ✕●●, Akagi CV ●●● ✈✈✈ elite."""
    hits = min(ship.hits, ship.size)
    text = Text.assemble(f"{ship.name} ", (f"{ship.kind} ", "quiet"), ("✕" * hits, "foe"), "●" * (ship.size - hits))
    if ship.damaged:
        text.append(" damaged", style="foe")
    aircraft = deck(ship, own=own)
    return Text.assemble(text, " ", aircraft) if aircraft else text


def contents(group: CombatGroup, *before: Text, own: bool = False) -> Flow:
    """The ships of a group, with aircraft and cargo."""
    parts = [pips(ship, own=own) for ship in group.ships]
    parts += [Text(part) for part in light_parts(group.light)]
    parts += [Text(f"{item.name} ({item.needs} {item.by})", style="rule") for item in group.cargo]
    if group.supply:
        parts.append(Text("sea supply line", style="rule"))
    return Flow([*before, *(parts or [Text("no ships", style="quiet")])])


# -- the Naval Combat Chart ---------------------------------------------------------------------------


def combat_chart(battle: Battle, chair: Side | None) -> Panel:
    """The chart in the middle of the table: numbers 1 to 6, hidden and found, own groups on the left."""
    own = chair or Side.AXIS
    table = Table(box=box.SIMPLE_HEAD, expand=True, padding=0, show_edge=False)
    for side, order in ((own, ("hidden", "found")), (own.enemy, ("found", "hidden"))):
        name = battle.fleets[side].name
        style = "own" if side is own else "foe"
        for heading in order:
            table.add_column(Text(f"{name}\n{heading}", style=style), ratio=1, justify="center")
        if side is own:
            table.add_column("no.", width=3, justify="center")
    last = max((group.number for fleet in battle.fleets.values() for group in fleet.groups), default=0)
    for number in range(1, max(MOST_NUMBERS, last) + 1):
        mine, theirs = _marker(battle, own, number, "own"), _marker(battle, own.enemy, number, "foe")
        active = number <= battle.round and battle.segment != "over"
        middle = Text(f"[{number}]" if active else f"{number}", style="rule.mark" if active else "quiet")
        found = [bool(group and group.found) for group in (_at(battle, own, number), _at(battle, own.enemy, number))]
        table.add_row(
            *((Text(), mine) if found[0] else (mine, Text())),
            middle,
            *((theirs, Text()) if found[1] else (Text(), theirs)),
        )
    legend = Text("[n] active this round, the others distant", style="quiet", justify="center")
    return _panel("Naval Combat Chart", Group(table, legend))


def _at(battle: Battle, side: Side, number: int) -> CombatGroup | None:
    return next((group for group in battle.fleets[side].groups if group.number == number), None)


def _marker(battle: Battle, side: Side, number: int, style: str) -> Text:
    group = _at(battle, side, number)
    if group is None:
        return Text()
    text = Text(f"CG{number}", style=f"{style}.mark")
    if not group.hidden:
        text.append(f" {group.factors} factors", style=style)
    elif group.disclosed:
        said = group.disclosed
        speed = "" if said.steps else f", {'fast' if said.fast else 'slow'}"
        text.append(f" {'<10' if said.under_ten else '10+'}{speed}", style=style)
    else:
        text.append(" unknown", style=style)
    if group.found:
        text.append(f"\nfound {TIMES.get(group.found, str(group.found))}", style="quiet")
    elif group.revealed:
        text.append("\nrevealed", style="quiet")
    return text


# -- status board and what is known of the enemy --------------------------------------------------------


def status_board(battle: Battle, side: Side) -> Panel:
    """A side's own groups, with what the enemy knows of each."""
    fleet = battle.fleets[side]
    nations = several_nations(fleet)
    rows: list[RenderableType] = []
    for group in fleet.groups:
        state = ["active" if battle.active(group) else "distant", "fast" if is_fast(group) else "slow"]
        rows.append(_group_rows(f"CG{group.number}", group, state, _known_to_enemy(group), nations))
    for group in fleet.pending:
        late = f"from round {group.arrives}" if group.arrives > battle.round else "waits"
        rows.append(_group_rows("pending", group, [late, "fast" if is_fast(group) else "slow"]))
    rows += [_group_rows("left behind", group, ["leaves when the round ends"]) for group in fleet.detached]
    if not fleet.groups and not fleet.pending and not fleet.withdrawn:
        for force in fleet.forces:
            late = f"  from round {force.arrives}" if force.arrives > 1 else ""
            group = CombatGroup(0, force.name, force.ships, force.light, force.cargo, force.supply)
            rows += [Text.assemble((force.name, "heading"), (late, "quiet")), _indented(contents(group, own=True))]
    rows += [*air_rows(fleet), *_aftermath(fleet)]
    return _panel(f"{fleet.name}: status board", Group(*rows) if rows else Text("no ships", style="quiet"))


def _group_rows(tag: str, group: CombatGroup, state: Iterable[str], known: str = "", nations: bool = False) -> Group:
    head = Text.assemble((tag, "own.mark"), f" {group.name}", (f"  {' · '.join(state)}", "quiet"))
    lines: list[RenderableType] = [head, _indented(contents(group, own=True))]
    lines += _flying(group, nations)
    if known:
        lines.append(_indented(Text(known, style="quiet")))
    return Group(*lines)


def _flying(group: CombatGroup, nations: bool) -> list[RenderableType]:
    flying = over_group(group, nations)
    return [_indented(flying)] if flying.pieces else []


def _known_to_enemy(group: CombatGroup) -> str:
    if group.revealed:
        return "the enemy knows its ships"
    if group.disclosed:
        return f"the enemy knows: {disclosed(group.disclosed)}"
    return "hidden"


def enemy_board(battle: Battle, side: Side, title: str = "what is known") -> Panel:
    """What an audience knows of a side that is not its own."""
    fleet = battle.fleets[side]
    nations = several_nations(fleet)
    rows: list[RenderableType] = []
    dark = [f"CG{group.number}" for group in fleet.groups if group.hidden and not group.disclosed]
    if dark:
        rows.append(Text.assemble((", ".join(dark), "foe.mark"), ("  nothing is known", "quiet")))
    for group in fleet.groups:
        state = "active" if battle.active(group) else "distant"
        if not group.hidden:
            state += " · revealed" if group.revealed else ""
            rows += [
                Text.assemble((f"CG{group.number}", "foe.mark"), (f"  {state}", "quiet")),
                _indented(contents(group)),
            ]
        elif group.disclosed:
            state += f" · found {TIMES.get(group.found, f'{group.found} times')}: "
            said = disclosed(group.disclosed)
            rows.append(Text.assemble((f"CG{group.number}", "foe.mark"), (f"  {state}", "quiet"), said))
        rows += _flying(group, nations)
    for group in fleet.pending:
        rows += [Text.assemble(("pending", "foe.mark"), f" {group.name}"), _indented(contents(group))]
    rows += [*air_rows(fleet), *_aftermath(fleet)]
    if fleet.forces and any(group.hidden for group in fleet.groups):
        brings = "; ".join(
            f"{force.name}: {', '.join(_force_parts(force.ships, force.light))}" for force in fleet.forces
        )
        rows.append(Text(f"Order of battle: {brings}", style="quiet"))
    elif fleet.forces and not fleet.groups:
        for force in fleet.forces:
            rows.append(Text.assemble((force.name, "foe"), f"  {', '.join(_force_parts(force.ships, force.light))}"))
    return _panel(f"{fleet.name}: {title}", Group(*rows) if rows else Text("nothing yet", style="quiet"))


def _force_parts(ships: Iterable[Ship], counts: dict[str, int]) -> list[str]:
    return [ship.name for ship in ships] + light_parts(counts)


def _aftermath(fleet: Fleet) -> list[RenderableType]:
    rows: list[RenderableType] = []
    if fleet.withdrawn and not fleet.returned:
        for group in fleet.withdrawn:
            rows.append(contents(group, Text(f"{group.name} left:", style="quiet")))
    for home in fleet.returned:
        where = f"to {home.base}, " if home.base else ""
        state = "inverted" if home.inverted else "not inverted"
        rows.append(contents(home.group, Text(f"{where}{state}:", style="quiet")))
    sunk = [ship.name for ship in fleet.sunk] + light_parts(fleet.sunk_light)
    if sunk:
        rows.append(Text.assemble(("✕ sunk  ", "foe"), ", ".join(sunk)))
    if fleet.cargo_lost:
        rows.append(Text.assemble(("✕ cargo lost  ", "foe"), ", ".join(dict.fromkeys(fleet.cargo_lost))))
    return [*rows, *losses(fleet)]


# -- the line of battle ----------------------------------------------------------------------------------


def line_of_battle(battle: Battle, chair: Side | None) -> Panel | None:
    """The two groups now fighting: ranks side by side, light ships, what is screened. None if nobody fights."""
    if battle.fighting is None:
        return None
    own = chair or Side.AXIS
    table = Table(box=box.SIMPLE_HEAD, expand=True, padding=(0, 1), show_edge=False)
    groups: dict[Side, CombatGroup] = {}
    table.add_column("", width=8)
    for side in (own, own.enemy):
        groups[side] = battle.fleets[side].group(battle.fighting.number(side))
        style = "own" if side is own else "foe"
        table.add_column(Text(f"{battle.fleets[side].name} CG{groups[side].number}", style=style), ratio=1)
    lines = [battle.lines.get(side) for side in (own, own.enemy)]
    if any(line is None for line in lines):
        table.add_row("", *(_as_known(groups[side]) for side in (own, own.enemy)))
        return _panel("Fleet combat", table)
    ranks = [_ranked(groups[side], line) for side, line in zip((own, own.enemy), lines, strict=True) if line]
    for rank in range(max(len(ranked) for ranked in ranks)):
        table.add_row(f"rank {rank + 1}", *(ranked[rank] if rank < len(ranked) else Text() for ranked in ranks))
    for label, field in (("light", "light"), ("screened", "screened_light")):
        cells = [_behind(groups[side], line, field) for side, line in zip((own, own.enemy), lines, strict=True) if line]
        if any(cell.pieces for cell in cells):
            table.add_row(Text(label, style="quiet"), *cells)
    return _panel("Fleet combat", table)


def _as_known(group: CombatGroup) -> RenderableType:
    if not group.hidden:
        return contents(group)
    return Text(disclosed(group.disclosed) if group.disclosed else "unknown", style="quiet")


def _ranked(group: CombatGroup, line: Line) -> list[Text]:
    ranked = []
    for id in line.capital:
        ship = next((ship for ship in group.ships if ship.id == id), None)
        text = pips(ship) if ship else Text("✕ sunk", style="foe")
        ranked.append(Text.assemble(text, (" holds fire", "quiet")) if ship and id in line.held else text)
    return ranked


def _behind(group: CombatGroup, line: Line, field: str) -> Flow:
    ships = [ship for ship in group.ships if ship.id in line.screened] if field == "screened_light" else []
    parts = [pips(ship) for ship in ships]
    parts += [Text(part) for part in light_parts(getattr(line, field))]
    if field == "light" and line.held_light:
        parts.append(Text(f"({', '.join(light_parts(line.held_light))} hold fire)", style="quiet"))
    return Flow(parts)


# -- an air strike -------------------------------------------------------------------------------------------


def air_strike(battle: Battle, chair: Side | None) -> Panel | None:
    """The strike under way: what is left of it, what defends the group, and the group as it is known. None if none is."""
    strike = battle.strike
    if strike is None:
        return None
    side = Side(strike.side)
    fleet, enemy = battle.fleets[side], battle.fleets[side.enemy]
    style, other = ("foe", "own") if side is not (chair or Side.AXIS) else ("own", "foe")
    group = enemy.group(strike.number)
    level = f"surprise, level {strike.level}" if strike.level else "surprise" if strike.surprise else ""
    flying = squadron_parts(strike.squadrons, nations=several_nations(fleet))
    place = f"at {battle.port.name}" if battle.port else f"CG{group.number}"
    head = Text.assemble((fleet.name, f"{style}.mark"), " strikes ", (f"{enemy.name} {place}", f"{other}.mark"))
    rows: list[RenderableType] = [
        Flow([head, Text(level, style="rule")]),
        _indented(Flow([Text(part) for part in flying] or [Text("nothing is left of it", style="quiet")])),
        *_aimed(group, strike, several_nations(fleet)),
        Text(place, style=f"{other}.mark"),
        _indented(_as_known(group)),
        *_flying(group, several_nations(enemy)),
    ]
    return _panel("Air strike", Group(*rows))


def _aimed(group: CombatGroup, strike: Strike, nations: bool) -> list[RenderableType]:
    """What is still to be attacked by whom."""
    ships = {ship.id: ship.name for ship in group.ships}
    pieces = [
        Text.assemble((f"at {ships.get(target, NOT_SHIPS.get(target, target))} ", "quiet"), ", ".join(parts))
        for target, counts in strike.targets.items()
        if (parts := squadron_parts(counts, nations=nations))
    ]
    return [_indented(Flow(pieces))] if pieces else []


# -- the whole table ---------------------------------------------------------------------------------------


def whole_table(out: Console, battle: Battle, chair: Side | None) -> None:
    """Chart, status board and what is known: side by side where there is room, else one below the other."""
    own = chair or Side.AXIS
    fighting = line_of_battle(battle, chair) or air_strike(battle, chair)
    left = [fighting] if fighting else []
    if battle.kind not in ("raider combat", "port attack") and any(fleet.groups for fleet in battle.fleets.values()):
        left.insert(0, combat_chart(battle, chair))
    right = [status_board(battle, own) if chair else enemy_board(battle, own), enemy_board(battle, own.enemy)]
    if out.width >= WIDE and left:
        both = Table.grid(padding=(0, 1), expand=True)
        both.add_column(width=CHART_WIDTH)
        both.add_column(ratio=1)
        both.add_row(Group(*left), Group(*right))
        out.print(both)
        return
    for part in (*left, *right):
        out.print(part)


def _indented(text: RenderableType) -> Table:
    grid = Table.grid()
    grid.add_column(width=2)
    grid.add_column()
    grid.add_row("", text)
    return grid


def _panel(title: str, body: RenderableType) -> Panel:
    return Panel(body, title=Text(title, style="heading"), title_align="left", border_style="quiet", padding=(0, 1))
