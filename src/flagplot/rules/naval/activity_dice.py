"""22.23 as the charts have it: interception dice by what is intercepted, with modifiers."""

from __future__ import annotations

from flagplot.core.events import Modifiers
from flagplot.core.rulebook import rule
from flagplot.model.interception import INVADING, Circumstances, Interceptor, Target
from flagplot.rules.naval.interception import counters_where_it_counts, has_codebreaking, limited, several
from flagplot.rules.table import Ruleset
from flagplot.tables.activity_dice import ActivityDiceTable


@rule("22.23T.1", "22.23T.2", "22.23T.3", "22.23T.4")
def activity_line(chart: ActivityDiceTable, target: Target) -> tuple[str, int]:
    """22.23. What is intercepted and its dice. Ships on their way home count as that, raiders as raiders still; of several
    activities caught together the one with most dice counts (FP-94)."""
    if target.staying:
        return "the patrol tries to stay in its patrol hex", chart.staying_patrol
    if target.returning and "raider" not in target.activities:
        return "ships on their way back to base", chart.returning
    kind = max(target.activities, key=lambda kind: chart.dice[kind])
    return kind, chart.dice[kind]


@rule(
    "22.23T.1",
    "22.23T.2",
    "22.23T.3",
    "22.23T.4",
    "22.23T.5",
    "22.23T.6",
    "22.23T.7",
    "22.23T.8",
    "22.23T.9",
    "22.23T.10",
    "22.23T.11",
    "22.23T.12",
    "22.23T.13",
    "22.23T.14",
    "22.231A",
    "22.231B",
    "22.231C",
    "22.231D",
    "22.231E",
    "22.231F",
    "22.232A",
    "22.232B",
    "22.232C",
    "22.232D",
)
def dice_by_activity(rules: Ruleset, target: Target, about: Circumstances, force: Interceptor) -> Modifiers:
    """22.23. The dice a force rolls: those of the activity, what helps from outside, what hampers the force, what the
    target is."""
    chart = rules.interception
    assert isinstance(chart, ActivityDiceTable), "this slot goes with the table by activity"
    what, number = activity_line(chart, target)
    dice = Modifiers().plus("22.23", what, number)
    if not target.returning or rules.readings.spotting_home:
        air, most = about.spotters, chart.most_squadrons
        dice = limited(dice, "22.231A", several(air, "squadron") + " spotting", air, most, chart.per_squadron)
    boats, most = about.submarines, chart.most_submarines
    dice = limited(dice, "22.231B", several(boats, "submarine") + " on patrol near", boats, most, chart.per_submarine)
    dice = dice.plus("22.231C", "codebreaking", int(has_codebreaking(about)) * chart.codebreaking)
    if target.in_invasion_hex and not target.returning and any(kind in INVADING for kind in target.activities):
        dice = dice.plus("22.231D", "invades or bombards in this hex", chart.in_invasion_hex)
    if counters_where_it_counts(about):
        dice = dice.plus("22.231E", f"{about.level} in the {about.place}", chart.countered_in_hex)
    if target.against_us_transport:
        dice = dice.plus("22.231F", "it intercepts transports from a U.S. box", chart.from_us_box)
    if force.slow and not force.carrier:
        dice = dice.plus("22.232A", "slow ships, and no fully operational fast carrier", chart.slow)
    if not force.surface:
        dice = dice.plus("22.232B", "a submarine intercepts", chart.submarine)
    elif not force.port_operational:
        dice = dice.plus("22.232C", "based in a port that is not operational", chart.port_not_operational)
    if target.factors is not None and target.factors < chart.small_under:
        dice = dice.plus("22.232D", "fewer than ten naval factors", chart.small_target)
    if chart.most_dice is not None:
        dice = dice.at_most(chart.most_dice, "22.23", f"never more than {chart.most_dice}")
    return dice
