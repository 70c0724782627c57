"""22.921, 22.93A Submarines attack a force where no naval combat takes place.

The force forms combat groups, as many as it likes; submarines choose among their numbers without any search; all their
attacks count as one round (22.9416C, RC-76). Both sides' land-based air may search first, the attacker's choice first
(22.9413C).
"""

from __future__ import annotations

from flagplot.core.asks import Decide
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience
from flagplot.model.air_events import AirSearchAssigned
from flagplot.model.events import BattleEnded, RoundBegan, SegmentBegan
from flagplot.model.squadrons import told
from flagplot.rules.air.cover import air_search_form, any_land_based, break_down_army_air
from flagplot.rules.naval.combat_groups import form_combat_groups
from flagplot.rules.naval.submarines import attack_with_submarines, submarines_go_home
from flagplot.rules.table import Table


@rule("22.9413", "23.11B", "23.131D")
async def search_for_submarines(table: Table) -> None:
    """22.9413. The attacker assigns land-based air to search, then the defender, knowing it."""
    if not any_land_based(table.battle):
        return
    for side in table.battle.sides:
        await break_down_army_air(table, [side])
        question = "Which land-based squadrons search where the submarines attack?"
        form = air_search_form(table.fleet(side))
        answer = await Decide(side, "22.9413", "air search", question, form)
        searching = answer.held_by("search")
        if searching:
            table.record(AirSearchAssigned(rule="22.9413", to=Audience.EVERYONE, side=side, squadrons=told(searching)))


@rule("22.92", "22.921", "22.93A", "22.9416")
async def submarine_ambush(table: Table) -> None:
    """22.921. Groups are formed, aircraft search, every submarine attacks, and all is over."""
    await form_combat_groups(table)
    table.record(RoundBegan(rule="22.9416", to=Audience.EVERYONE, round=1))
    await search_for_submarines(table)
    await attack_with_submarines(table)
    reasons = (f"the submarine attacks are over ({table.rules.number('22.921')})",)
    table.record(BattleEnded(rule="22.921", to=Audience.EVERYONE, reasons=reasons, losers=(), victor=None))
    table.rules.end_of_fighting(table)
    submarines_go_home(table)
    table.record(SegmentBegan(rule="22.921", to=Audience.EVERYONE, segment="over"))
