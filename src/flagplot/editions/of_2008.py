"""The edition of 2008: what the charts and the changes of 2008 say otherwise than the current rules (RC-01).

Whatever 2008 does not tell us is taken from the current edition; so are the naval attack table and the nationality chart,
which neither text of that date holds (AM-28).
"""

from __future__ import annotations

from dataclasses import replace

from flagplot.rules.naval.activity_dice import dice_by_activity
from flagplot.rules.naval.fleet_combat_2008 import fleet_combat_of_2008
from flagplot.rules.naval.ranked_targets import target_by_rank
from flagplot.rules.naval.recombining import regroup_and_reinforce
from flagplot.rules.naval.repairs import repair_at_sea
from flagplot.rules.naval.search import disclosure_by_steps, search_dice_of_all_groups
from flagplot.rules.table import Ruleset
from flagplot.tables import search, submarine_attack, surprise
from flagplot.tables.activity_dice import ActivityDiceTable

# The numbers under which 2008 has rules that bear another one now. Where it uses one of ours for something else and we do
# not know its own, the heading above it stands: 22.423 is there what groups do between rounds, 22.463 surprise, and 23.75
# the choice of targets.
NUMBERS = {
    "22.21": "22.23",
    "22.22": "22.23",
    "22.22A": "22.23",  # the dice of an activity
    "22.22B": "22.23",
    "22.22C": "22.231E",  # and what modifies them
    "22.22G": "22.231A",
    "22.22H": "22.231B",
    "22.22I": "22.231C",
    "22.22J": "22.232A",
    "22.35": "22.372",  # raiders
    "22.35A": "22.372",
    "22.35B": "22.372",
    "22.35C": "22.372",
    "22.35D": "22.372",
    "22.35E": "22.372",
    "22.423": "22.41A",  # groups get their numbers
    "22.423A": "22.41A",
    "22.423B": "22.421",  # in secret
    "22.452": "22.45",
    "22.452B": "22.45",
    "22.451": "22.45",
    "22.41H": "22.41I",  # fleet combat
    "22.41I": "22.41J",  # submarine attacks
    "22.54H": "22.54G",  # after fleet combat
    "22.411A": "22.41K",  # withdrawal
    "22.411B": "22.421C",
    "22.463": "22.46",  # landing after strikes
    "22.921": "22.92C",
    "22.93": "22.66",
    "22.9419": "22.9418",
    "23.43": "23.75",
    "23.75": "23.7",  # strikes on ships under way
    "23.75A": "23.7",
    "23.752A": "23.7",
    "23.74121": "22.463",
    "23.7412": "22.463",
}


def of_2008(current: Ruleset) -> Ruleset:
    """The current edition with the tables and procedures of 2008 in its slots."""
    return replace(
        current,
        edition="2008",
        interception=ActivityDiceTable(),
        interception_dice=dice_by_activity,
        search=search.OF_2008,
        search_dice=search_dice_of_all_groups,
        disclosure=disclosure_by_steps,
        surprise=surprise.OF_2008,
        submarine=submarine_attack.OF_2008,
        submarine_target=target_by_rank,
        withdrawal_needs_combat=True,
        between_rounds=regroup_and_reinforce,
        end_of_fighting=repair_at_sea,
        readings=current.readings._replace(
            idle_ports_barred=False,
            submarines_in_base_help=False,
            patrols_come_late=False,
            held_back_if_succeeded=True,
        ),
        numbers=NUMBERS,
        borrowed=(("22.55", "the Naval Attack Table"), ("22.552A", "the Naval Nationality Chart")),
        fleet_combat=fleet_combat_of_2008,
    )
