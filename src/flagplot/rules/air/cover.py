"""22.34, 22.442, 23.2 Land-based air in a naval battle: who may take part, air cover, air search.

Each squadron has one role a round (23.161). The number on cover is announced; over which group stays secret until that
group is struck (AN-12). What stands at a base is open to everyone (FP-14).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flagplot.core.asks import Decide
from flagplot.core.forms import Answer, Form, Item, Place
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience, Side, only
from flagplot.model.air_events import AirSearchAssigned, CoverAnnounced, CoverAssigned
from flagplot.model.ships import plus
from flagplot.model.squadrons import AirBase, squadron, squadron_key, squadron_label, told, total
from flagplot.model.state import Battle, Fleet
from flagplot.rules.air.patrol import break_down
from flagplot.rules.naval.combat_groups import both
from flagplot.rules.table import Table

STAY = "base"


@rule("22.442", "23.161.1", "23.75A.1")
def within_reach(fleet: Fleet, base: AirBase) -> bool:
    """22.442. Whether a base's air may take part: an operational base within range (air range is an input)."""
    return base.operational and (not fleet.air_range or base.distance <= fleet.air_range)


@rule("23.11", "23.151", "22.341", "22.342", "23.75D", "22.41D", "22.4422A", "23.161.2")
def may_fly(key: str, role: str) -> bool:
    """23.11. Whether a land-based squadron may search, cover or attack: army squadrons only in their own role, naval
    air in any, kamikazes attack; jets and air transports in none (FP-16)."""
    _, kind, state, _ = squadron(key)
    if kind == "AAS":
        return state == role
    return kind == "NAS" or (kind == "KAM" and role == "attack")


def available(fleet: Fleet, role: str) -> Iterator[tuple[str, int]]:
    """Land-based squadrons free for a role this round, by keys with bases."""
    for base in fleet.air_bases:
        if within_reach(fleet, base):
            for key, number in base.free.items():
                if may_fly(key, role):
                    nation, kind, state, _ = squadron(key)
                    yield squadron_key(nation, kind, state, base.name), number


def any_land_based(battle: Battle) -> bool:
    """Whether either side has air within reach: everyone can see that."""
    return any(
        within_reach(fleet, base) and (base.factors or base.squadrons)
        for fleet in battle.fleets.values()
        for base in fleet.air_bases
    )


# -- breaking down ---------------------------------------------------------------------------


@rule("23.131", "23.163", "22.343")
def break_down_form(fleet: Fleet) -> Form:
    """23.131. How many army air factors of each base become squadrons: one each to search, cover and attack."""
    items = tuple(
        Item(f"{key}@{base.name}", f"{squadron(key).nation} {squadron(key).kind} at {base.name}", number)
        for base in fleet.air_bases
        if within_reach(fleet, base)
        for key, number in base.factors.items()
        if squadron(key).kind == "AAF"
    )
    places = (Place("keep", "stays as it is"), Place("break", "becomes three squadrons"))
    return Form(items, places, rest="keep", default={item.key: "break" for item in items})


@rule("22.343", "23.131C", "23.131D", "23.131E", "23.133")
async def break_down_army_air(table: Table, sides: Sequence[Side]) -> None:
    """22.343. Army air takes part as squadrons: each of these sides that has any says how much of it is broken down."""
    question = "Which army air factors are broken down into squadrons for this battle?"
    forms = {side: form for side in sides if (form := break_down_form(table.fleet(side))).items}
    answers: dict[Side, Answer] = {}
    if len(forms) == 2:
        answers = await both(table, "23.131", "break down", question, forms)
    for side, form in forms.items():
        if side not in answers:
            answers[side] = await Decide(side, "23.131", "break down", question, form)
        broken = answers[side].held_by("break")
        for base in table.fleet(side).air_bases:
            mine = {key.partition("@")[0]: n for key, n in broken.items() if key.endswith(f"@{base.name}")}
            if mine:
                break_down(table, side, base.name, False, mine)


# -- cover --------------------------------------------------------------------------------------


@rule("22.4421", "22.41D", "23.11D", "23.24")
def cover_form(fleet: Fleet) -> Form:
    """22.4421. Which cover squadrons and land-based naval air protect which group."""
    items = tuple(Item(key, squadron_label(key), number) for key, number in available(fleet, "cover"))
    places = [Place(STAY, "stays at its base")]
    places += [Place(f"CG{group.number}", f"covers CG{group.number}, {group.name}") for group in fleet.groups]
    return Form(items, tuple(places), rest=STAY)


@rule("22.41D", "22.4421", "23.21", "23.22", "23.24")
async def assign_cover(table: Table) -> None:
    """22.4421. Both sides in secret assign air cover to their groups, and announce how much flies."""
    forms = {side: cover_form(table.fleet(side)) for side in Side}
    question = "Which land-based squadrons fly cover, and over which group?"
    answers = await both(table, "22.4421", "cover", question, forms)
    for side in table.battle.sides:
        numbers = table.fleet(side).numbers
        cover = {number: held for number in numbers if (held := answers[side].held_by(f"CG{number}"))}
        flying: dict[str, int] = {}
        for squadrons in cover.values():
            flying = plus(flying, squadrons)
        table.record(CoverAssigned(rule="22.4421A", to=only(side), side=side, cover=cover))
        table.record(CoverAnnounced(rule="22.4421B", to=Audience.EVERYONE, side=side, squadrons=told(flying)))


# -- search -----------------------------------------------------------------------------------------


@rule("22.4422", "23.11B", "23.722A")
def air_search_form(fleet: Fleet) -> Form:
    """22.4422. Which search squadrons and land-based naval air search: each adds a die, three at most."""
    items = tuple(Item(key, squadron_label(key), number) for key, number in available(fleet, "search"))
    default: dict[str, dict[str, int]] = {}
    wanted = 3
    for item in items:
        if squadron(item.key).kind == "AAS" and wanted:
            default[item.key] = {"search": min(wanted, item.amount)}
            wanted -= min(wanted, item.amount)
    places = (Place(STAY, "stays at its base"), Place("search", "searches"))
    return Form(items, places, rest=STAY, default=default)


@rule("22.4422", "22.41E", "23.131D")
async def assign_air_search(table: Table) -> None:
    """22.4422. Land-based air that does not fly cover may search; what searches may not attack this round."""
    if not any_land_based(table.battle):
        return
    await break_down_army_air(table, table.battle.sides)  # 23.131D: what was left whole may still be wanted
    forms = {side: air_search_form(table.fleet(side)) for side in Side}
    question = "Which land-based squadrons search? Each adds a die, three at most."
    answers = await both(table, "22.4422", "air search", question, forms)
    for side in table.battle.sides:
        searching = answers[side].held_by("search")
        if total(searching):
            table.record(AirSearchAssigned(rule="22.4422", to=Audience.EVERYONE, side=side, squadrons=told(searching)))


@rule("22.41D", "22.44")
async def air_cover_segment(table: Table) -> None:
    """22.41D. Army air is broken down, and land-based air assigned to cover."""
    await break_down_army_air(table, table.battle.sides)
    await assign_cover(table)
