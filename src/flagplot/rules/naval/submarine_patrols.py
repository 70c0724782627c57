"""22.913, 23.43C: submarine patrols that stay at sea in the enemy's player turn come under attack from the air.

What such an attack does is 21.4184C, which we do not hold: nothing by default, or as it is entered. A set-up lists the
patrols that stayed among the submarines of the side that does not move.
"""

from __future__ import annotations

from msgspec.structs import replace

from flagplot.core.asks import Decide
from flagplot.core.forms import Form, Item, Place, pick
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience
from flagplot.model.events import InputTaken
from flagplot.model.operation import Boats, Operation
from flagplot.model.operation_events import BoatsPlaced
from flagplot.model.ships import light, minus
from flagplot.rules.naval.passage import air_reach
from flagplot.rules.table import Table

ASK = "ask"


@rule("22.913.3", "23.43C")
def exposed_patrols(operation: Operation) -> list[Boats]:
    """22.913. Submarine patrols that have stayed at sea for the enemy's player turn, within reach of aircraft of his on land.
    In their own player turn submarines are not attacked from the air (23.43C)."""
    mover = operation.sea.mover
    stayed = [each for each in operation.boats[mover.enemy] if each.patrol and each.ready]
    return [each for each in stayed if air_reach(operation, mover, [each.hex])]


@rule("22.913.3", "23.43C")
async def attack_patrols(table: Table, inputs: str) -> None:
    """22.913. Air attacks on submarine patrols that stayed: no effect, unless the game asks for it. Then their owner enters
    what was lost and the other side confirms it; if it does not, he is asked again."""
    side = table.operation.sea.mover.enemy
    for each in exposed_patrols(table.operation):
        lost: dict[str, int] = {}
        while inputs == ASK:
            items = tuple(Item(key, f"submarines of {light(key).nation}", n) for key, n in each.ready.items())
            form = Form(items, (Place("stay", "stay on patrol"), Place("lost", "are lost")), rest="stay")
            question = f"Air attacks on your submarines on {each.station} (21.4184C, your own rulebook): what is lost?"
            lost = (await Decide(side, "21.4184C", "submarine patrol", question, form, each.station)).held_by("lost")
            said = f"What air attacks did to submarines on {each.station} is entered as: {_words(lost)}. Is that right?"
            agreed = pick({"yes": "it is right", "no": "it is wrong: ask again"}, "yes")
            if (await Decide(side.enemy, "21.4184C", "confirm input", said, agreed)).choice == "yes":
                break
        what = f"air attacks on submarines on {each.station}"
        table.record(InputTaken(rule="21.4184C", to=Audience.EVERYONE, what=what, value=_words(lost)))
        if lost:
            left = replace(each, ready=minus(each.ready, lost))
            table.record(BoatsPlaced(rule="21.4184C", to=Audience.EVERYONE, side=side, boats=(left,), lost=lost))


def _words(lost: dict[str, int]) -> str:
    return ", ".join(f"{number} of {light(key).nation} lost" for key, number in lost.items()) or "no effect"
