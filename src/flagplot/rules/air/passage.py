"""23.23, 23.34, 23.7: land-based air against a naval force on passage, in one hex and outside naval combat.

The attack is announced; then the owner forms and numbers his groups, puts up cover over the whole force and patrols over
groups, and only then is he searched for. All strikes of the sortie are declared before the first is flown, for the owner
may choose which of the groups attacked have the larger shares of cover (23.23D). A sortie may have several strikes, each
squadron flying once (AN-33). Each segment is a boundary, and so is each strike.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from flagplot.core.asks import Decide, Roll
from flagplot.core.forms import AtLeast, AtMost, Form, Item, Limit, Place
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience, Side, only
from flagplot.model.air_events import (
    AirAttackAnnounced,
    AirSearchAssigned,
    CoverAnnounced,
    CoverAssigned,
    DeclaredStrikeFlown,
    SharersDrawn,
    StrikeDeclared,
)
from flagplot.model.events import BattleEnded, RoundBegan, SearchCounted, Searched, SegmentBegan, StepBegan
from flagplot.model.squadrons import Counts, squadron_label, told, total
from flagplot.model.state import SEGMENTS, Battle, Fleet
from flagplot.rules.air.cover import STAY, air_search_form, available, break_down_army_air
from flagplot.rules.air.landing import land
from flagplot.rules.air.patrol import fly_patrols, patrol_form
from flagplot.rules.air.strikes import TARGET, air_strike, may_be_struck, strike_form
from flagplot.rules.naval.combat_groups import form_combat_groups
from flagplot.rules.naval.search import disclose, public_lines
from flagplot.rules.table import Ruleset, Table

NUMBERS = 6  # that a search die can show
COVER = "cover"
ELSEWHERE = "elsewhere"


@rule("23.75A", "23.75A.2", "23.75A.3")
def may_be_attacked_at_sea(unit: str, *, in_patrol_hex: bool = False, to_or_from_port: bool = False) -> bool:
    """23.75A. Whether naval units on the move can be attacked by land-based air: submarines only in a patrol hex (20.77),
    and neither ASW nor Western Allied transports on their way to or from port (20.6321). "transports" are those."""
    if unit == "submarines":
        return in_patrol_hex
    return not (unit in ("transports", "ASW") and to_or_from_port)


def _begin(table: Table, segment: str, under: str = "") -> None:
    table.record(SegmentBegan(rule=under or SEGMENTS[segment][0], to=Audience.EVERYONE, segment=segment))


# -- the announcement, groups, cover and patrols --------------------------------------------------


@rule("23.23A", "23.23C", "23.71A", "23.721A", "23.752A", "23.752C.1")
async def announce_attack(table: Table) -> None:
    """23.71A. The attack is announced; the force forms groups and numbers them anew for this hex (AM-27)."""
    table.record(AirAttackAnnounced(rule="23.23C", to=Audience.EVERYONE, side=table.battle.interceptor))
    await form_combat_groups(table)
    table.record(RoundBegan(rule="23.752A", to=Audience.EVERYONE, round=1))
    _begin(table, "air cover", "23.23")


@rule("23.23", "23.11D")
def force_cover_form(fleet: Fleet) -> Form:
    """23.23. Which cover squadrons and land-based naval air protect the force as a whole; all that can, unless said."""
    items = tuple(Item(key, squadron_label(key), number) for key, number in available(fleet, "cover"))
    places = (Place(STAY, "stays at its base"), Place(COVER, "covers the force"))
    return Form(items, places, rest=STAY, default={item.key: COVER for item in items})


@rule("23.23A", "23.23B", "23.23C", "23.34A", "23.34B", "23.31", "23.32", "23.33", "23.131C", "23.22")
async def protect(table: Table) -> None:
    """23.23. Before anybody searches, the owner says what covers the force and what patrols over which group.

    How much covers is announced; patrols are his secret. He is asked whatever he has.
    """
    owner = table.battle.interceptor.enemy
    await break_down_army_air(table, [owner])
    question = "An air attack is announced: which land-based squadrons cover the force?"
    answer = await Decide(owner, "23.23", "force cover", question, force_cover_form(table.fleet(owner)))
    flying = told(answer.held_by(COVER))
    table.record(CoverAnnounced(rule="23.23C", to=Audience.EVERYONE, side=owner, squadrons=flying))
    question = "Which naval air flies patrol over its own group?"
    answer = await Decide(owner, "23.34", "patrol", question, patrol_form(table.fleet(owner), ()))
    fly_patrols(table, owner, answer, "23.34B")
    _begin(table, "search", "23.72")


# -- search -----------------------------------------------------------------------------------------


@rule("23.721A", "23.71A")
def groups_numbered(numbers: Iterable[int], die: int) -> tuple[int, ...]:
    """23.721A. The groups that bear a search number. Beyond six they share numbers, evenly spread (AN-34)."""
    return tuple(number for number in numbers if (number - 1) % NUMBERS + 1 == die)


@rule("23.72", "23.721B", "23.722", "23.722A", "23.722B", "23.723", "23.11B", "23.131D")
async def search_for_force(table: Table) -> None:
    """23.72. The attacker's land-based air searches: a die for each squadron, three at most, and codebreaking."""
    side = table.battle.interceptor
    await break_down_army_air(table, [side])
    question = "Which land-based squadrons search? Each adds a die, three at most."
    answer = await Decide(side, "23.722A", "air search", question, air_search_form(table.fleet(side)))
    searching = told(answer.held_by("search"))
    table.record(AirSearchAssigned(rule="23.722A", to=Audience.EVERYONE, side=side, squadrons=searching))
    fleet, rules = table.fleet(side), table.rules
    dice = rules.search_dice(
        rules.search, table.battle, (), squadrons=fleet.searching, codebreaking=fleet.search_advantage
    )
    table.record(SearchCounted(rule="23.722", to=only(side), side=side, dice=dice))
    rolled: tuple[int, ...] = ()
    if dice.total:
        rolled = await Roll(dice.total, "23.722", side, f"{fleet.name} searches")
    results: dict[int, int] = {}
    for die in rolled:
        bearers = groups_numbered(table.fleet(side.enemy).numbers, die)
        if bearers:
            found = bearers[0] if len(bearers) == 1 else await _draw(table, die, bearers)
            results[found] = results.get(found, 0) + 1
    table.record(
        Searched(
            rule="23.723",
            to=Audience.EVERYONE,
            side=side,
            count=dice.total,
            public=public_lines(rules.search, dice),
            dice=rolled,
            results=dict(sorted(results.items())),
        )
    )
    _begin(table, "disclosure", "23.723B")


@rule("23.721B")
async def _draw(table: Table, number: int, sharers: Sequence[int]) -> int:
    """23.721B. Of groups that share a number one is found, by lot; a die that favours one of them is rolled again."""
    side = table.battle.interceptor
    each = NUMBERS // len(sharers)
    dice = await Roll(1, "23.721", side, f"which of the groups numbered {number}")
    while dice[0] > each * len(sharers):
        dice = await Roll(1, "23.721", side, f"which of the groups numbered {number}, again")
    found = sharers[(dice[0] - 1) // each]
    table.record(
        SharersDrawn(
            rule="23.721",
            to=Audience.EVERYONE,
            side=side,
            number=number,
            sharers=tuple(sharers),
            dice=dice,
            found=found,
        )
    )
    return found


@rule("23.723B")
def disclose_force(table: Table) -> None:
    """23.723B. The owner of a group that was found says what he must of it."""
    disclose(table)
    _begin(table, "air strikes", "23.75")


# -- strikes ---------------------------------------------------------------------------------------------


@rule("23.74A", "23.75B", "23.75C", "23.75D", "23.73", "23.752A.1")
def sortie_strike_form(rules: Ruleset, battle: Battle) -> Form:
    """23.75. One strike of the sortie: land-based air alone, for carriers strike at sea in naval combat only."""
    side = battle.interceptor
    targets = [group for group in battle.fleets[side.enemy].groups if may_be_struck(group)]
    return strike_form(rules, replace(battle.fleets[side], groups=()), targets)


@rule("23.75", "23.752A", "23.752B", "23.752D", "23.723C", "23.23D", "23.131E")
async def declare_strikes(table: Table) -> None:
    """23.752A. The attacker declares one more strike of his only sortie in this hex, or that he is done.

    He is asked as long as a group may still be struck. Then the owner settles the shares of cover.
    """
    side = table.battle.interceptor
    if any(may_be_struck(group) for group in table.fleet(side.enemy).groups):
        await break_down_army_air(table, [side])
        form = sortie_strike_form(table.rules, table.battle)
        question = (
            "An air strike: on which group, and with which squadrons? All are declared before the first is flown."
        )
        answer = await Decide(side, table.rules.number("23.75"), "strike", question, form)
        if answer.place(TARGET) != "none":
            number = int(answer.place(TARGET).removeprefix("CG"))
            flying = told(answer.held_by("fly"))
            table.record(StrikeDeclared(rule="23.75", to=Audience.EVERYONE, side=side, number=number, squadrons=flying))
            return
    await share_cover(table)
    table.record(StepBegan(rule="23.76", to=Audience.EVERYONE, step="strikes"))


class Shares(NamedTuple):
    """Cover squadrons over each group that is attacked, and how many of these groups have one more."""

    each: int
    larger: int


@rule("23.23D")
def cover_shares(squadrons: int, groups: int, attacked: int) -> Shares:
    """23.23D. Cover over a force is shared equally among all its groups; groups that are attacked come first for the
    squadrons that are left over (AN-11)."""
    return Shares(squadrons // groups, min(squadrons % groups, attacked))


@rule("23.23D.2")
def cover_shares_form(cover: Counts, groups: int, attacked: Mapping[int, int]) -> Form:
    """23.23D. Which squadrons of the cover are over which attacked group, given the squadrons that attack each; by default
    the first have the larger shares."""
    shares = cover_shares(total(cover), groups, len(attacked))
    names = [f"CG{number}" for number in attacked]
    items = tuple(Item(key, squadron_label(key), number) for key, number in cover.items())
    limits: list[Limit] = []
    for name in names:
        cells = tuple((item.key, name, 1) for item in items)
        most = shares.each + (shares.larger > 0)
        limits.append(AtLeast(cells, shares.each, "23.23D", f"At least {shares.each} squadrons cover {name}."))
        limits.append(AtMost(cells, most, "23.23D", f"At most {most} squadrons cover {name}."))
    together = tuple((item.key, name, 1) for item in items for name in names)
    number = shares.each * len(names) + shares.larger
    why = f"Of the cover {number} squadrons are over the groups that are attacked."
    limits += [AtMost(together, number, "23.23D", why), AtLeast(together, number, "23.23D", why)]
    calls = [name for index, name in enumerate(names) for _ in range(shares.each + (index < shares.larger))]
    default: dict[str, dict[str, int]] = {}
    for item in items:
        mine, calls = calls[: item.amount], calls[item.amount :]
        default[item.key] = {name: mine.count(name) for name in names if name in mine}
    places = [Place(ELSEWHERE, "is over groups that are not attacked")]
    places += [Place(f"CG{n}", f"covers CG{n}, which {size} squadrons attack") for n, size in attacked.items()]
    return Form(items, tuple(places), tuple(limits), rest=ELSEWHERE, default=default)


@rule("23.23D", "23.23D.1", "23.23D.2")
async def share_cover(table: Table) -> None:
    """23.23D. The strikes are declared: the owner says which of the groups attacked have more of the cover.

    He is asked if cover flies and anything is attacked, which everyone knows.
    """
    owner = table.battle.interceptor.enemy
    fleet = table.fleet(owner)
    sizes: dict[int, int] = {}
    for strike in table.battle.declared:
        sizes[strike.number] = sizes.get(strike.number, 0) + total(strike.squadrons)
    if not sizes or not fleet.cover:
        return
    attacked = {number: sizes[number] for number in sorted(sizes, key=lambda number: (-sizes[number], number))}
    question = "Which of the squadrons that cover the force are over which of the groups that are attacked?"
    form = cover_shares_form(fleet.cover, len(fleet.groups), attacked)
    answer = await Decide(owner, "23.23D", "cover shares", question, form)
    cover = {number: held for number in attacked if (held := answer.held_by(f"CG{number}"))}
    table.record(CoverAssigned(rule="23.23D", to=only(owner), side=owner, cover=cover))


@rule("23.75", "23.76-a", "23.71B")
async def fly_declared(table: Table) -> None:
    """23.76. The next of the strikes declared; one whose target is gone goes home."""
    strike = table.battle.declared[0]
    side = Side(strike.side)
    lapsed = strike.number not in table.fleet(side.enemy).numbers
    table.record(
        DeclaredStrikeFlown(
            rule="23.76",
            to=Audience.EVERYONE,
            side=side,
            number=strike.number,
            squadrons=strike.squadrons,
            lapsed=lapsed,
        )
    )
    if not lapsed:
        await air_strike(table)


# -- afterwards ----------------------------------------------------------------------------------------------


@rule("22.28A", "23.23E", "23.34C", "23.752A.2", "23.76-b")
def after_the_sortie(name: str, *, attacked: bool, afloat: bool, number: str = "23.752A") -> tuple[str, ...]:
    """23.23E. What follows for the force: it is destroyed; or it goes on, and if it was attacked it may abort (22.28A).

    Air attacks stop an activity only by leaving too few ships for it; that is for the activity's own rule to judge.
    """
    over = f"the only air sortie in this hex is over; what attacked goes home uninverted ({number})"
    if not afloat:
        return over, f"nothing is left of {name}'s force (23.23E)"
    if attacked:
        return over, f"{name} goes on if enough ships for its activity are left (23.76), or aborts it (22.28A)"
    return over, f"{name} was not attacked and goes on (23.23E)"


@rule("23.23E", "23.34C", "23.752A")
async def end_sortie(table: Table) -> None:
    """23.752A. All aircraft go home, those of the attacker uninverted; the force sails on, aborts, or is gone."""
    await land(table)
    table.rules.end_of_fighting(table)
    battle = table.battle
    fleet = table.fleet(battle.interceptor.enemy)
    reasons = after_the_sortie(
        fleet.name,
        attacked=table.fleet(battle.interceptor).strikes > 0,
        afloat=bool(fleet.groups),
        number=table.rules.number("23.752A"),
    )
    table.record(BattleEnded(rule="23.752A", to=Audience.EVERYONE, reasons=reasons, losers=(), victor=None))
    _begin(table, "over", "23.23E")


@rule("23.75", "23.752A", "23.76-a")
async def air_strikes_on_force(table: Table) -> None:
    """23.752A. One sortie: strikes are declared, then flown one by one, each from the state alone; then it is over."""
    battle = table.battle
    if battle.step != "strikes":
        await declare_strikes(table)
    elif battle.declared:
        await fly_declared(table)
    else:
        await end_sortie(table)


# The segments of an air attack on a force on passage.
PASSAGE: dict[str, Callable[[Table], Awaitable[None] | None]] = {
    "formation": announce_attack,
    "air cover": protect,
    "search": search_for_force,
    "disclosure": disclose_force,
    "air strikes": air_strikes_on_force,
}
