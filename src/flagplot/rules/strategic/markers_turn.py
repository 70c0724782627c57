"""26.8, 26.95: markers that leave at the end of a player turn: one damage marker a faction, one firestorm a side."""

from __future__ import annotations

from msgspec.structs import replace

from flagplot.core.asks import Decide
from flagplot.core.forms import pick
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience
from flagplot.model.strategic_bombing import Facility
from flagplot.model.war import TargetHex, War, faction_of, side_of
from flagplot.model.war_events import MarkersRemoved
from flagplot.rules.strategic.bombing_effects import facility_state, firestorm_markers_due, may_remove_damage_marker
from flagplot.rules.strategic.bombing_flights import holder_of
from flagplot.rules.table import Ruleset, Table


@rule("26.81", "26.82", "26.95")
async def remove_markers(table: Table) -> None:
    """26.81. The moving side takes markers off: of each faction one damage marker, and one firestorm marker in all."""
    damaged = damaged_facilities(table.rules, table.war)
    for faction in dict.fromkeys(faction_of(holder_of(target)) for target, _ in damaged.values()):
        mine = [key for key, (target, _) in damaged.items() if faction_of(holder_of(target)) == faction]
        key = await _chosen(table, "26.81", "damage marker", f"Which damage marker of {faction} is removed?", mine)
        chosen, facility = damaged[key]
        less = replace(facility, markers=facility.markers - 1)
        industry = tuple(less if each is facility else each for each in chosen.industry)
        _remove(table, "26.81", chosen.with_industry(industry))
    burnt = burnt_targets(table.war)
    if burnt:
        names = [target.name for target in burnt]
        name = await _chosen(table, "26.95", "firestorm marker", "Which firestorm marker is removed?", names)
        chosen = table.war.targets[name]
        left = list(chosen.markers)
        left.remove("firestorm")
        _remove(table, "26.95", replace(chosen, markers=tuple(left)))


@rule("26.81A", "26.73")
def damaged_facilities(rules: Ruleset, war: War) -> dict[str, tuple[TargetHex, Facility]]:
    """26.81A. Where the moving side may take a damage marker off, by target or, of several in a hex, by name. All bombing is
    done in the enemy's player turns, and who holds a hex changes between player turns only; a plant that is destroyed has
    nothing to repair."""
    allowed = may_remove_damage_marker(held_all_turn=True, inflicted_this_player_turn=False).holds
    return {
        f"{target.name}: {each.name or each.kind}" if len(target.industry) > 1 else target.name: (target, each)
        for target in war.targets.values()
        if side_of(holder_of(target)) is war.now.side
        for each in target.industry
        if facility_state(rules, each) == "damaged" and allowed
    }


@rule("26.82", "26.83", "26.95")
def burnt_targets(war: War) -> list[TargetHex]:
    """26.95. Firestorm markers of the moving side that may leave: those of the oldest year that is two years past."""
    due = [
        target
        for target in war.targets.values()
        if side_of(holder_of(target)) is war.now.side
        and "firestorm" in target.markers
        and firestorm_markers_due(target.burnt[-1], war.now.turn.year)
    ]
    oldest = min((target.burnt[-1] for target in due), default=0)
    return [target for target in due if target.burnt[-1] == oldest]


async def _chosen(table: Table, number: str, kind: str, question: str, names: list[str]) -> str:
    """26.81A. One of these: the owner says which, if there are several."""
    if len(names) == 1:
        return names[0]
    form = pick({name: name for name in names}, names[0])
    return (await Decide(table.war.now.side, number, kind, question, form)).choice


def _remove(table: Table, number: str, target: TargetHex) -> None:
    table.record(MarkersRemoved(rule=number, to=Audience.EVERYONE, side=table.war.now.side, targets=(target,)))
