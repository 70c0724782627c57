"""23.41, 23.5, 23.6: aircraft against ships and aircraft in port, by sorties of land-based air or of carriers.

Each sortie is divided between the aircraft in the port and its ships. Where naval air takes part on either side army air
fights as squadrons, otherwise as factors; factors that go for ships stay factors unless air combat reaches them (AN-05).
Aircraft at other bases take no part (23.414). All ships in port are one body, and so are the carriers that attack them.
A sortie is a segment and a round; after each the owner may send ships and aircraft away (escape.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from flagplot.core.asks import Decide, Roll
from flagplot.core.forms import Answer, AtMost, Form, Item, Limit, Place, Wire
from flagplot.core.rulebook import rule
from flagplot.core.sides import Audience, Side, only
from flagplot.model.air_events import (
    AirRecombined,
    DeckAirShown,
    DecksFilled,
    PortAirEnded,
    PortAirFought,
    PortAirInverted,
    SortieAnnounced,
    StrikeFlown,
)
from flagplot.model.air_fold import INVERTED
from flagplot.model.events import BattleEnded, GroupsFormed, MarkersPlaced, RoundBegan, SegmentBegan
from flagplot.model.ships import minus, plus
from flagplot.model.squadrons import (
    FACTORS,
    ROLES,
    AirBase,
    Counts,
    Port,
    at_base,
    broken_down,
    of_base,
    squadron,
    squadron_key,
    squadron_label,
    told,
    total,
)
from flagplot.model.state import Fleet
from flagplot.rules.air.combat import modifiers_between
from flagplot.rules.air.conversion import port_raiders, recombine
from flagplot.rules.air.cover import within_reach
from flagplot.rules.air.landing import land
from flagplot.rules.air.losses import Toll, take_air_losses
from flagplot.rules.air.patrol import break_down, deck_item, decks, from_decks, together
from flagplot.rules.air.strikes import press_home
from flagplot.rules.naval.raiders import single_group
from flagplot.rules.table import Table
from flagplot.tables.results import Result

COUNTERAIR, SHIPS, STAY = "counterair", "ships", "stay"
INVERTED_TOO = "inverted aircraft"
OFFERED_SORTIES = 2  # a form offers another sortie as its default so often
OCCASIONS = {  # of carrier attacks on bases: whether ships in port may be attacked as well as aircraft
    "patrol hex": True,
    "mission hex": True,
    "on the way to its patrol hex": False,
    "naval combat": False,
}
COMBAT_PHASE = ("counterair", "attack in port", "interception")  # what comes first, as far as aircraft are concerned

# -- who may attack what ---------------------------------------------------------------------------


@rule("23.61", "23.61A", "23.61B", "23.61C", "23.62")
def carriers_may_attack_base(occasion: str, *, ships: bool) -> bool:
    """23.61. Whether carriers may attack an enemy base, its ships if `ships`, otherwise its aircraft: from their patrol or
    mission hex both, on the way to a patrol hex and in naval combat aircraft only, and at no other time."""
    return occasion in OCCASIONS and (OCCASIONS[occasion] or not ships)


@rule("23.51", "23.51.1", "23.51.2")
def in_order_of_the_combat_phase(events: Sequence[str]) -> list[str]:
    """23.51. What happens in a combat phase in its order: counterair, then land-based air against ships in bases, and only
    then interceptions, by which time ships of a base that was attacked have suffered what they suffer."""
    for event in events:
        if event not in COMBAT_PHASE:
            raise ValueError(f"{event!r} has no place in this order; there are {', '.join(COMBAT_PHASE)}")
    return sorted(events, key=COMBAT_PHASE.index)


@rule("23.51", "23.51.3")
def may_raid_together(land_based: bool, carrier_based: bool) -> bool:
    """23.51. Land-based and carrier-based air never attack one base together."""
    return not (land_based and carrier_based)


@rule("23.43C", "23.43D", "23.43D.1", "23.43D.2")
def may_be_bombed_in_port(place: str, *, submarines: bool = False) -> bool:
    """23.43D. Whether naval units there can be attacked by aircraft in port: in port and waiting for repair they can,
    submarines excepted, which are attacked on patrol alone (23.43C); under construction or repair only strategic bombing
    reaches them."""
    return place in ("port", "waiting for repair") and not submarines


@rule("23.21.2")
def may_be_covered(*, in_port: bool) -> bool:
    """23.21. Whether ships may have air cover: never in port."""
    return not in_port


@rule("23.152B", "23.152C")
def spread_form(squadrons: Counts, bases: Mapping[str, Counts]) -> Form:
    """23.152B. Which bases army squadrons counterair that were broken down for it: any that holds naval air, each squadron by
    itself, and none stays behind."""
    open_to = [name for name, counts in bases.items() if any(squadron(key).kind == "NAS" for key in counts)]
    items = tuple(Item(key, squadron_label(key), number) for key, number in squadrons.items())
    places = tuple(Place(name, f"counterairs {name}") for name in open_to)
    return Form(items, places, default={item.key: name for name in open_to[:1] for item in items})


def airfield(fleet: Fleet, port: Port) -> AirBase:
    """The aircraft in the port's own hex; none, if no base of that name is listed."""
    return next((base for base in fleet.air_bases if base.name == port.name), AirBase(port.name))


@rule("23.414", "23.413", "23.411")
def port_defenders(fleet: Fleet, port: Port, *, inverted_too: bool) -> dict[str, int]:
    """23.414. The aircraft that defend a port: those based in its hex and aboard sound carriers there, nobody else's;
    inverted ones only if they are attacked (23.413)."""
    base = airfield(fleet, port)
    defenders = plus(at_base(plus(base.factors, base.squadrons), base.name), fleet.deck_air)
    if inverted_too:
        defenders = plus(defenders, at_base(plus(base.inverted_factors, base.inverted), base.name + INVERTED))
    return told(defenders)


@rule("23.131A", "23.141A.2", "23.152A")
def fights_in_squadrons(raiders: Counts, defenders: Counts, *, first: bool) -> bool:
    """23.131A. Whether air combat over a port is in squadrons: with naval air on either side, or where army air has been
    broken down for an earlier sortie, for it is never put together between rounds."""
    units = [squadron(key) for key in (*raiders, *defenders)]
    return any(unit.kind == "NAS" or (not first and unit.state in ROLES) for unit in units)


# -- the sortie ----------------------------------------------------------------------------------------


def _raiders(fleet: Fleet, sortie: int) -> Iterator[tuple[str, str, str, int]]:
    """Everything that could attack: item, label, squadron key, number. Army squadrons are left from an earlier sortie."""
    kinds = ("AAF", "NAS", "KAM") if sortie == 1 else ("AAF", "AAS", "NAS", "KAM")
    for group, ship, key, number in decks(fleet):
        yield deck_item(ship, key), f"CG{group.number} {ship.name}: {squadron_label(key)}", key, number
    for base in fleet.air_bases:
        if within_reach(fleet, base):
            for key, number in (*base.factors.items(), *base.squadrons.items()):
                if squadron(key).kind in kinds:
                    at = f"{key}@{base.name}"
                    yield at, squadron_label(at), key, number


def _tasks(key: str, *, aircraft: bool, ships: bool) -> tuple[str, ...]:
    """23.11F. What an air unit may do against a port: army squadrons attack no ships there, kamikazes nothing else."""
    kind = squadron(key).kind
    tasks = [STAY]
    tasks += [COUNTERAIR] if aircraft and kind != "KAM" else []
    tasks += [SHIPS] if ships and kind != "AAS" else []
    return tuple(tasks)


@rule("23.411", "23.411A", "23.411B", "23.411C", "23.413", "23.52", "23.63", "23.11F", "23.152B")
def sortie_form(fleet: Fleet, enemy: Fleet, port: Port, sortie: int) -> Form:
    """23.411. For each air unit: against the aircraft in the port, against its ships, or neither; no limit of size."""
    awake = port_defenders(enemy, port, inverted_too=False)
    asleep = minus(port_defenders(enemy, port, inverted_too=True), awake)
    units = [
        Item(item, label, number, _tasks(key, aircraft=bool(awake or asleep), ships=bool(enemy.groups)))
        for item, label, key, number in _raiders(fleet, sortie)
    ]
    places = [
        Place(STAY, "stays"),
        Place(COUNTERAIR, f"attacks the aircraft at {port.name}"),
        Place(SHIPS, f"attacks the ships at {port.name}"),
    ]
    items, limits = list(units), list[Limit]()
    if awake and asleep:
        places += [Place("leave", "are left alone"), Place("attack", "are attacked too")]
        items.append(Item(INVERTED_TOO, f"Inverted aircraft at {port.name}", 1, ("leave", "attack")))
        flying = tuple((unit.key, COUNTERAIR, -1) for unit in units)
        why = "Inverted aircraft are attacked only if somebody attacks aircraft."
        limits.append(AtMost(((INVERTED_TOO, "attack", 1), *flying), 0, "23.413", why))
    default = _offered(units, total(awake)) if sortie <= OFFERED_SORTIES else {}
    return Form(tuple(items), tuple(places), tuple(limits), default=default)


def _offered(units: Sequence[Item], defenders: int) -> dict[str, Wire]:
    """Everything flies: a third at most against the aircraft, no more than there are, the rest against the ships."""
    fighters = min(defenders, sum(unit.amount for unit in units) // 3)
    told: dict[str, Wire] = {}
    for unit in units:
        fighting = min(fighters, unit.amount) if COUNTERAIR in unit.places else 0
        fighters -= fighting
        rest = SHIPS if SHIPS in unit.places else STAY
        told[unit.key] = {COUNTERAIR: fighting, rest: unit.amount - fighting} if fighting else {rest: unit.amount}
    return told


def _sent(answer: Answer, place: str) -> dict[str, int]:
    """What an answer sends somewhere, by squadron keys without decks."""
    ashore = {item: number for item, number in answer.held_by(place).items() if "|" not in item}
    return told(plus(together(from_decks(answer, place)), ashore))


@rule("23.51", "23.52", "23.61", "23.63", "23.71")
def ready_port(table: Table) -> None:
    """23.52. All ships in the port are one body, and so are the carriers that attack it; aircraft aboard are shown."""
    for side in table.battle.sides:
        forces = table.fleet(side).forces
        groups = (single_group(forces, defends=False),) if forces else ()
        table.record(GroupsFormed(rule="23.52", to=only(side), side=side, groups=groups, pending=(), home=()))
    for side in table.battle.sides:
        numbers = table.fleet(side).numbers
        table.record(MarkersPlaced(rule="23.52", to=Audience.EVERYONE, side=side, numbers=numbers))
    table.record(RoundBegan(rule="23.52", to=Audience.EVERYONE, round=1))
    table.record(SegmentBegan(rule="23.52", to=Audience.EVERYONE, segment="sortie"))


@rule("23.411.2")
def show_deck_air(table: Table) -> None:
    """23.411. Naval air aboard carriers in the port is shown when the attack is announced, and whenever that changes."""
    owner = table.battle.interceptor.enemy
    aboard: dict[str, int] = {}
    for _, _, key, number in decks(table.fleet(owner)):
        aboard = plus(aboard, {key: number})
    if table.battle.round == 1 or aboard != table.fleet(owner).deck_air:
        table.record(DeckAirShown(rule="23.411", to=Audience.EVERYONE, side=owner, squadrons=told(aboard)))


@rule("23.52", "23.53", "23.54", "23.63", "23.411")
async def fly_sortie(table: Table) -> None:
    """23.54. One more sortie: against aircraft, against ships, or both; or the attack is over."""
    side = table.battle.interceptor
    port = port_of(table)
    show_deck_air(table)
    enemy = table.fleet(side.enemy)
    if not enemy.groups and not port_defenders(enemy, port, inverted_too=True):
        end_attack(table, f"nothing is left to attack at {port.name} (23.54)")
        return
    form = sortie_form(table.fleet(side), enemy, port, table.battle.round)
    question = f"Sortie {table.battle.round} against {port.name}: what attacks the aircraft there, what the ships?"
    answer = await Decide(side, "23.411", "sortie", question, form)
    if not answer.held_by(COUNTERAIR) and not answer.held_by(SHIPS):
        end_attack(table, "the attacker flies no further sortie (23.54)")
        return
    announce_sortie(table, answer)
    await fight_over_port(table)
    if table.battle.strike is not None:
        await press_home(table)
    if table.fleet(side).aloft:
        await land(table)
    table.record(SegmentBegan(rule="23.46", to=Audience.EVERYONE, segment="escape"))


def port_of(table: Table) -> Port:
    """The port under attack."""
    assert table.battle.port is not None, "no port is under attack"
    return table.battle.port


def announce_sortie(table: Table, answer: Answer) -> None:
    """The sortie its owner asked for."""
    leaving = from_decks(answer, COUNTERAIR)
    for ship, counts in from_decks(answer, SHIPS).items():
        leaving[ship] = plus(leaving.get(ship, {}), counts)
    side = table.battle.interceptor
    table.record(StrikeFlown(rule="23.411", to=only(side), side=side, decks=leaving))
    too = answer.amount(INVERTED_TOO, "attack") > 0
    launch_sortie(table, _sent(answer, COUNTERAIR), _sent(answer, SHIPS), inverted_too=too)


@rule("23.411", "23.413", "23.131A", "23.152A", "23.141A.2", "23.133")
def launch_sortie(table: Table, against_air: Counts, against_ships: Counts, *, inverted_too: bool) -> None:
    """23.411. The sortie takes off; army air that fights with or against naval air is broken down first (23.131A).

    Who attacks aircraft that are all inverted attacks these.
    """
    side = table.battle.interceptor
    owner, port = side.enemy, port_of(table)
    enemy = table.fleet(owner)
    too = bool(against_air) and (inverted_too or not port_defenders(enemy, port, inverted_too=False))
    defenders = port_defenders(enemy, port, inverted_too=too)
    if fights_in_squadrons(plus(against_air, against_ships), defenders, first=table.battle.round == 1):
        against_air = _broken_down(table, side, against_air)
        if any(base.name == port.name for base in enemy.air_bases):
            break_down(table, owner, port.name, too)
    else:
        put_together(table, owner, airfield(enemy, port), inverted_too=too)
    table.record(
        SortieAnnounced(
            rule="23.411",
            to=Audience.EVERYONE,
            side=side,
            counterair=told(against_air),
            ships=told(against_ships),
            inverted_too=too,
        )
    )


def _broken_down(table: Table, side: Side, counts: Counts) -> dict[str, int]:
    """These units with army factors broken down, three squadrons each."""
    whole = {key: number for key, number in counts.items() if squadron(key).kind == "AAF"}
    made: dict[str, int] = {}
    for base in table.fleet(side).air_bases:
        mine = of_base(whole, base.name)
        if mine:
            break_down(table, side, base.name, False, mine)
            made = plus(made, at_base(broken_down(mine), base.name))
    return plus(minus(counts, whole), made)


@rule("23.141A.2", "23.144")
def put_together(table: Table, side: Side, base: AirBase, *, inverted_too: bool) -> None:
    """23.141A. Army squadrons that are attacked in their base without naval air on either side become factors first."""
    kinds = {made: kind for kind, made in FACTORS.items()}
    sleepers = base.inverted if inverted_too else {}
    owners = dict.fromkeys(
        (squadron(key).nation, squadron(key).kind) for key in (*base.squadrons, *sleepers) if _army(key)
    )
    for nation, kind in owners:
        awake = {key: n for key, n in base.squadrons.items() if squadron(key)[:2] == (nation, kind)}
        asleep = {key: n for key, n in sleepers.items() if squadron(key)[:2] == (nation, kind)}
        roles = {squadron(key).state: number for key, number in awake.items()}
        made = recombine(roles, {squadron(key).state: number for key, number in asleep.items()})
        factor = squadron_key(nation, kinds[kind])
        table.record(
            AirRecombined(
                rule="23.141A",
                to=Audience.EVERYONE,
                side=side,
                base=base.name,
                squadrons=told(awake),
                inverted=told(asleep),
                factors=plus({}, {factor: made.uninverted}),
                inverted_factors=plus({}, {factor: made.inverted}),
                lost=plus({}, {squadron_key(nation, kind, "", base.name): made.remnants}),
            )
        )


def _army(key: str) -> bool:
    return squadron(key).kind in FACTORS.values()


# -- air combat over the port ----------------------------------------------------------------------------


class PortToll(NamedTuple):
    """What the defenders' result takes from a sortie."""

    lost: dict[str, int]
    aborted: dict[str, int]
    back: dict[str, int]  # counterair neither lost nor turned back
    going_on: dict[str, int]  # against the ships


@rule("23.411A", "23.411B", "23.411C", "23.412", "23.413", "23.414", "23.55", "23.65", "19.2")
async def fight_over_port(table: Table) -> None:
    """23.412. One round of air combat: those sent against aircraft meet all defenders; if nobody was, the defenders that
    are not inverted roll alone. What those sent cannot bear falls on those that go for the ships."""
    battle, port = table.battle, port_of(table)
    side = battle.interceptor
    owner = side.enemy
    fighting = battle.raid.squadrons if battle.raid else {}
    bombing = battle.strike.squadrons if battle.strike else {}
    too = battle.raid is not None and battle.raid.inverted_too
    defenders = port_defenders(table.fleet(owner), port, inverted_too=too)
    if not defenders:
        return
    facing = fighting or bombing
    squadrons = fights_in_squadrons(plus(fighting, bombing), defenders, first=battle.round == 1)
    modifiers = modifiers_between(table, side, facing, defenders, whole=not squadrons)
    rows = {side: total(fighting), owner: total(defenders)}
    dice, results = {}, {}
    for who, net in ((side, modifiers.total), (owner, -modifiers.total)):
        if rows[who]:
            dice[who] = await Roll(2, "23.411", who, f"{table.fleet(who).name} fights over {port.name}")
            results[who] = table.rules.air_combat.result(rows[who], sum(dice[who]) + net)
    table.record(
        PortAirFought(
            rule="23.411",
            to=Audience.EVERYONE,
            side=side,
            base=port.name,
            attackers=told(facing),
            defenders=defenders,
            rows=rows,
            modifiers=modifiers,
            dice=dice,
            eliminated={who: results[who].eliminated for who in results},
            aborted={who: results[who].aborted for who in results},
        )
    )
    whole = {key: number for key, number in bombing.items() if squadrons and squadron(key).kind == "AAF"}
    toll = await _raiders_suffer(table, fighting, bombing, whole, results[owner])
    suffered = Toll({}, {})
    if side in results:
        suffered = await take_air_losses(owner, defenders, *results[side], f"At {port.name}")
        await _empty_decks(table, owner, suffered.lost)
    table.record(
        PortAirEnded(
            rule="23.412",
            to=Audience.EVERYONE,
            side=side,
            base=port.name,
            lost=told(toll.lost),
            aborted=told(toll.aborted),
            back=told(toll.back),
            going_on=told(toll.going_on),
            base_lost=told(suffered.lost),
            base_aborted=told(suffered.aborted),
        )
    )


@rule("23.412B", "23.131A", "23.144.2")
async def _raiders_suffer(table: Table, fighting: Counts, bombing: Counts, whole: Counts, result: Result) -> PortToll:
    """23.412B. Those sent against aircraft suffer first, then those that go for the ships. In a combat of squadrons, army
    factors among these are broken down as far as it takes to bear it; what is left of such a factor goes home (AN-05)."""
    side, port = table.battle.interceptor, port_of(table)
    first = await take_air_losses(side, fighting, *result, f"Over {port.name}")
    back = minus(minus(fighting, first.lost), first.aborted)
    eliminated, aborted = result.eliminated - total(first.lost), result.aborted - total(first.aborted) - first.ignored
    exposed = plus(minus(bombing, whole), {_as_squadrons(key): 3 * number for key, number in whole.items()})
    second = await take_air_losses(side, exposed, eliminated, aborted, f"Bound for the ships at {port.name}")
    lost, turned = dict(second.lost), dict(second.aborted)
    going_on = minus(minus(minus(bombing, whole), lost), turned)
    for key, number in whole.items():
        struck = port_raiders(number, lost.pop(_as_squadrons(key), 0), turned.pop(_as_squadrons(key), 0))
        nation, _, _, base = squadron(key)
        broken = number - struck.factors
        if broken:
            break_down(table, side, base, False, {squadron_key(nation, "AAF"): broken})
        gone = struck.squadrons_lost
        for role in reversed(ROLES):  # which of them makes no difference any more: they go home and are put together
            lost = plus(lost, {squadron_key(nation, "AAS", role, base): min(gone, broken)})
            turned = plus(turned, {squadron_key(nation, "AAS", role, base): broken - min(gone, broken)})
            gone -= min(gone, broken)
        going_on = plus(going_on, {key: struck.factors})
    return PortToll(plus(first.lost, lost), plus(first.aborted, turned), back, going_on)


def _as_squadrons(key: str) -> str:
    """An army factor's key as that of its squadrons, whatever their roles."""
    nation, _, _, base = squadron(key)
    return squadron_key(nation, "AAS", "", base)


@rule("23.412A", "23.154")
def deck_losses_form(fleet: Fleet, lost: Counts) -> Form:
    """23.412A. From which carriers in port the naval air is missing that was lost; a damaged one's did not fight."""
    aboard = [(ship, key, number) for _, ship, key, number in decks(fleet) if key in lost]
    items = tuple(Item(key, f"lost: {squadron_label(key)}", number) for key, number in lost.items())
    places = {ship.id: Place(ship.id, f"is missing from {ship.name}") for ship, _, _ in aboard}
    limits: list[Limit] = []
    default: dict[str, dict[str, int]] = {key: {} for key in lost}
    left = dict(lost)
    for ship, key, number in aboard:
        limits.append(AtMost(((key, ship.id, 1),), number, "23.412", f"{ship.name} has {number} of these aboard."))
        taken = min(left[key], number)
        left[key] -= taken
        default[key][ship.id] = taken
    for ship_id in places:
        barred = tuple((key, ship_id, 1) for key in lost if (ship_id, key) not in [(s.id, k) for s, k, _ in aboard])
        limits.append(AtMost(barred, 0, "23.412", "She has none of these aboard."))
    return Form(items, tuple(places.values()), tuple(limits), default=default)


@rule("23.412A")
async def _empty_decks(table: Table, owner: Side, lost: Counts) -> None:
    """23.412A. Naval air of carriers in port was lost, which everyone knows: its owner says from which decks."""
    missing = {key: number for key, number in lost.items() if not squadron(key).base}
    if missing:
        form = deck_losses_form(table.fleet(owner), missing)
        question = "Naval air aboard your carriers in port was lost: from which?"
        answer = await Decide(owner, "23.412", "deck losses", question, form)
        left: dict[str, dict[str, int]] = {}
        for key, placed in answer.cells.items():
            for ship, number in placed.items():
                left[ship] = plus(left.get(ship, {}), {key: number})
        table.record(DecksFilled(rule="23.412", to=only(owner), side=owner, left=left, decks={}))


# -- the end --------------------------------------------------------------------------------------------------


@rule("23.412A.1", "23.412A.2", "23.54")
def inverted_when_it_ends(aborted: Sequence[Mapping[str, int]]) -> dict[str, int]:
    """23.412A. Of the defending aircraft turned back in each sortie, those that are inverted when the attack is over: only
    the last sortie's. The others have taken part again."""
    return dict(aborted[-1]) if aborted else {}


@rule("23.412A.2", "23.54", "23.462B", "23.462C")
def end_attack(table: Table, why: str) -> None:
    """23.412A. The attack is over: what its last sortie turned back is inverted; who fled may or may not be followed."""
    side, port = table.battle.interceptor, port_of(table)
    owner = table.fleet(side.enemy)
    base = airfield(owner, port)
    there = plus(base.factors, base.squadrons)
    last = {key: min(number, there.get(key, 0)) for key, number in base.aborted.items()}
    inverted = inverted_when_it_ends([plus(at_base(plus({}, last), base.name), owner.grounded)])
    if inverted:
        table.record(
            PortAirInverted(
                rule="23.412A", to=Audience.EVERYONE, side=side.enemy, base=base.name, squadrons=told(inverted)
            )
        )
    reasons = [why]
    if owner.withdrawn:
        ashore = not table.fleet(side).groups
        follow = "land-based air that attacked may follow ships that fled, and nothing else (23.462B)"
        reasons.append(follow if ashore else "a patrol may neither intercept nor attack ships that fled (23.462C)")
    table.record(BattleEnded(rule="23.54", to=Audience.EVERYONE, reasons=tuple(reasons), losers=(), victor=None))
    table.record(SegmentBegan(rule="23.54", to=Audience.EVERYONE, segment="over"))
