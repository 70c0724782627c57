"""Questions about force pools and the SW boxes (24.2 to 24.5, 25.1 to 25.3): building, deploying, transferring, duties."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from flagplot.api.calls import question
from flagplot.api.submarine_war import turn_of
from flagplot.api.sw_shapes import (
    FRONTS,
    PLACES,
    PlaceJson,
    PoliticsJson,
    UnitJson,
    box_called,
    few,
    kind_called,
    nation_spelled,
    owner_called,
    phase_called,
    place_spelled,
    player_turn_called,
    power_called,
    reasons,
    summed,
    told,
    year_called,
)
from flagplot.core.errors import PlayerError
from flagplot.model.interception import Verdict
from flagplot.model.strategic_war import (
    ASW,
    ATLANTIC,
    BOXES,
    BRITAIN,
    GERMANY,
    INTERCEPTOR,
    ITALY,
    PACIFIC,
    STRATEGIC_BOMBER,
    SUBMARINES,
    TRANSPORT,
    UNITED_STATES,
    WESTERN_ALLIES,
    BoxUnit,
    ForcePool,
    Place,
    PlayerTurn,
    Politics,
)
from flagplot.rules.strategic import box_duties as duties
from flagplot.rules.strategic import deployment, force_pools
from flagplot.rules.strategic import submarine_deployment as submarines
from flagplot.rules.table import Ruleset
from flagplot.tables.strategic_bombing import US_BOXES

OTHER_DUTIES = {
    "sea supply": duties.Duty.TRANSPORT_ACTIVITY,
    "oil shipment": duties.Duty.TRANSPORT_ACTIVITY,
    "naval mission": duties.Duty.TRANSPORT_ACTIVITY,
    "brp grant": duties.Duty.TRANSPORT_ACTIVITY,
    "shore bombardment": duties.Duty.INVASION_SUPPORT,
    "fast carrier mission": duties.Duty.INVASION_SUPPORT,
    "base change": duties.Duty.BASE_CHANGES,
    "redeployment": duties.Duty.BASE_CHANGES,
    "anti submarine warfare": duties.Duty.ANTI_SUBMARINE,
    "asw": duties.Duty.ANTI_SUBMARINE,
    "raider": duties.Duty.RAIDERS,
}

# -- force pools ----------------------------------------------------------------------------------------------


@question
def sw_starting_pools(*, rules: Ruleset, owner: str) -> dict[str, Any]:
    """The SW force pools a power, or the Western Allies together, begin the game with (24.31), and where it is said where."""
    power = owner_called(owner)
    pools = force_pools.starting_pools(rules, power)
    places = {
        BRITAIN: {ASW: f"{deployment.british_asw_begins_in()} SW box"},
        UNITED_STATES: {STRATEGIC_BOMBER: force_pools.american_bomber_begins_in()},
    }
    return {
        "pools": {kind: {"built": pool.built, "allowable": pool.allowable} for kind, pool in pools.items()},
        "begins_in": places.get(power, {}),
    }


@question
def sw_attribution(*, unit: str, produced: int, shares: dict[str, int]) -> dict[str, Any]:
    """Whether Western Allied production may be credited so (24.231, 24.233): to Britain, the U.S. or the Western Allies."""
    credited = summed((owner_called(owner), few(number, "factors")) for owner, number in shares.items())
    return told(force_pools.attribution(kind_called(unit), few(produced, "factors"), credited))


@question
def sw_production(
    *,
    rules: Ruleset,
    power: str,
    unit: str,
    years: list[int],
    theater: str = "Europe",
    bomber_results: int | None = None,
) -> dict[str, Any]:
    """Whether RPs may enlarge a force pool from the YSS of each year (24.21), and when the factors join it (24.22).

    The Western Allies have one pool of ASW and of transports (24.233); of other units say whose.
    """
    kind, owner = kind_called(unit), owner_called(power)
    if owner == WESTERN_ALLIES:
        if kind not in (ASW, TRANSPORT):
            raise PlayerError(f"24.231: Britain and the United States have a pool of {kind}s each; say whose it is")
        owner = UNITED_STATES
    where = _theater_called(theater)
    found = [
        force_pools.may_produce(rules, owner, kind, year_called(year), theater=where, bomber_results=bomber_results)
        for year in years
    ]
    return {
        "allowed": [verdict.holds for verdict in found],
        "reasons": [[verdict.rule, verdict.why] for verdict in found],
        "joins_after": force_pools.joins_pool_at(kind),
        "pool": force_pools.pool_of(owner, kind, where),
    }


def _theater_called(name: str) -> str:
    found = {"europe": force_pools.EUROPE, "european": force_pools.EUROPE, "pacific": force_pools.PACIFIC}
    theater = found.get(name.lower().strip())
    if theater is None:
        raise PlayerError(f"there is no theater {name[:40]!r}; there are Europe and Pacific")
    return theater


@question
def sw_bomber_parity(
    *, rules: Ruleset, pools: dict[str, int], added: dict[str, int], pacific_added: int = 0
) -> dict[str, Any]:
    """Whether European bomber additions keep the British and American pools equal (24.232D): by Britain and U.S."""

    def keyed(counts: dict[str, int]) -> dict[str, int]:
        names = summed((power_called(power), few(number, "strategic bombers")) for power, number in counts.items())
        strange = next((power for power in names if power not in (BRITAIN, UNITED_STATES)), None)
        if strange is not None:
            raise PlayerError(f"24.232: {strange} has no Western Allied strategic bombers")
        return {force_pools.pool_of(power, "strategic bomber"): number for power, number in names.items()}

    gains = {**keyed(added), force_pools.US_PACIFIC: few(pacific_added, "strategic bombers")}
    return told(force_pools.bombers_stay_equal(keyed(pools), gains))


@question
def bombers_serve(*, power: str, theater: str, built_for: str = "Europe", place: str = "") -> dict[str, Any]:
    """Whether Western Allied strategic bombers of a pool serve in a theater (24.232), American ones from a place (24.53).

    American ones are `built_for` Europe or for the Pacific; in a U.S. box they do nothing until they are in an SW box.
    """
    owner = power_called(power)
    if owner not in (BRITAIN, UNITED_STATES):
        raise PlayerError(f"24.232: {owner} has no Western Allied strategic bombers")
    pool = force_pools.pool_of(owner, STRATEGIC_BOMBER, _theater_called(built_for))
    found = force_pools.bombers_may_serve(pool, _theater_called(theater))
    if found.holds and owner == UNITED_STATES:
        found = force_pools.american_bombers_usable(place_spelled(place, US_BOXES))
    return told(found)


@question
def sw_construction(
    *,
    rules: Ruleset,
    units: dict[str, int],
    pools: dict[str, int] | None = None,
    brps_left: int | None = None,
    construction_limit_left: int | None = None,
    shipbuilding_left: int | None = None,
) -> dict[str, Any]:
    """What SW units cost (24.43), and what stands against building them: allowable builds (`pools`) and limits (24.22)."""
    wanted = summed((kind_called(kind), few(number, "factors")) for kind, number in units.items())
    if force_pools.ROCKETS in wanted:
        raise PlayerError("26.61: rockets are not bought: a research result lets bases be placed; ask rocket_bases")
    price = force_pools.cost(rules, wanted)
    allowable = wanted if pools is None else summed((kind_called(kind), number) for kind, number in pools.items())
    refused = force_pools.construction_refused(
        rules,
        wanted,
        {kind: ForcePool(0, few(number, "factors")) for kind, number in allowable.items()},
        force_pools.Limits(brps_left, construction_limit_left, shipbuilding_left),
    )
    return {
        "brps": price.brps,
        "shipbuilding": price.shipbuilding,
        "shipyard_capacity": price.shipyard_capacity,
        "allowed": not refused,
        "reasons": reasons(refused),
    }


@question
def sw_buildable(*, rules: Ruleset, wishes: list[list[str]], researched: bool = False) -> dict[str, Any]:
    """Whether each power may build the unit it wishes (24.41): rows of power and unit, all with the research or none."""
    found = []
    for wish in wishes:
        if len(wish) != 2:
            raise PlayerError('each wish is a power and a unit: ["Japan", "ASW"]')
        power, unit = wish
        found.append(force_pools.may_build(rules, power_called(power), kind_called(unit), researched=researched))
    return {
        "allowed": [verdict.holds for verdict in found],
        "reasons": [[verdict.rule, verdict.why] for verdict in found],
    }


# -- submarines -------------------------------------------------------------------------------------------------


@question
def submarines_enter(
    *,
    rules: Ruleset,
    nation: str,
    box: str,
    turn: str | None = None,
    year: int | None = None,
    submarines_available: int | None = None,
    in_box: int = 0,
    submarines_elsewhere: int = 0,
    axis_hold_suez: bool = False,
    suez_operational: bool = True,
    axis_hold_ethiopia: bool = False,
    politics: PoliticsJson | None = None,
) -> dict[str, Any]:
    """How many submarines may enter a box in the redeployment phase of a turn (25.13), and what bars them.

    At its end the box holds no more than may fight in the owner's next player turn (AM-03). Suez need not be
    operational to be passed, only to fight from (25.51A).
    """
    power, place = power_called(nation), box_called(box)
    opened = submarines.box_opened(
        rules,
        power,
        place,
        (politics or PoliticsJson()).politics(),
        axis_hold_suez=axis_hold_suez,
        axis_hold_ethiopia=axis_hold_ethiopia,
    )
    side = deployment.side_of(power)
    now = PlayerTurn(turn_of(rules, power, place, turn, year), side)
    room = submarines.room_in_box(rules, power, place, now, elsewhere=few(submarines_elsewhere, "submarines"))
    entering = max(0, room - few(in_box, "submarines"))
    if submarines_available is not None:
        entering = min(entering, few(submarines_available, "submarines"))
    return {
        "may_enter": entering if opened.holds else 0,
        "room": room,
        "may_fight_from_suez": axis_hold_suez and suez_operational,
        "reasons": reasons(() if opened.holds else (opened,)),
    }


@question
def submarine_redeployment(
    *, rules: Ruleset, redeployed_in: str, attacked_on_board: bool = False, to_box: bool = True
) -> dict[str, Any]:
    """How long submarines redeployed to or from an SW box stay inverted (25.121, 25.122), and when they first fight."""
    now = player_turn_called(redeployed_in)
    if not to_box:
        return {"inverted_through": str(submarines.inverted_on_leaving(now)), "first_sw": None}
    through = submarines.inverted_on_entering(now, attacked_on_map=attacked_on_board)
    return {
        "inverted_through": None if through is None else str(through),
        "first_sw": str(submarines.first_combat(now)),
    }


@question
def gibraltar_passage(
    *,
    rules: Ruleset,
    gibraltar: str,
    german_wish: int = 0,
    italian_wish: int = 0,
    western_allied_wish: int = 0,
    german_passed: int = 0,
    western_allied_passed: int = 0,
) -> dict[str, Any]:
    """How many submarine factors may pass Gibraltar this turn (25.15, 25.16), held by the Axis or Western Allies."""
    sides = {"Axis": True, WESTERN_ALLIES: False, GERMANY: True, ITALY: True, BRITAIN: False, UNITED_STATES: False}
    holder = place_spelled(nation_spelled(gibraltar), sides)
    if holder not in sides:
        raise PlayerError(
            f"{gibraltar[:40]!r} does not hold Gibraltar; the Axis or the Western Allies do, or a power of them"
        )
    held = sides[holder]

    def may(nation: str, wish: int, passed: int = 0) -> int:
        wanted = few(wish, "submarines")
        return submarines.past_gibraltar(rules, nation, wanted, axis_hold=held, passed=few(passed, "submarines"))

    return {
        "german": may("Germany", german_wish, german_passed),
        "italian": may(ITALY, italian_wish),
        "western_allied": may(BRITAIN, western_allied_wish, western_allied_passed),
    }


@question
def gibraltar_route(*, rules: Ruleset, start: PlaceJson, end: PlaceJson, in_range: bool = True) -> dict[str, Any]:
    """Whether German submarines may be redeployed past Gibraltar between two places (25.15)."""
    return told(submarines.gibraltar_route(start.place(), end.place(), in_range=in_range))


@question
def singapore_passage(*, nation: str, japan_holds: bool) -> dict[str, Any]:
    """Whether submarines of a nation may pass Singapore (25.91): not while the enemy controls it."""
    return told(submarines.past_singapore(power_called(nation), japan_holds=japan_holds))


# -- ASW and tension ----------------------------------------------------------------------------------------------


@question
def american_asw(
    *,
    rules: Ruleset,
    theater: str,
    american_built_asw: int,
    us_at_war: bool = False,
    usat: list[int] | None = None,
    usjt: list[int] | None = None,
    present: int = 0,
    entered_this_turn: int = 0,
) -> dict[str, Any]:
    """How many American-built ASW may be in the Atlantic box, or enter the Pacific one this turn, by tension (25.32)."""
    box = box_called(theater)
    if box not in (ATLANTIC, PACIFIC):
        raise PlayerError("25.32: tension opens the Atlantic and Pacific SW boxes; ask asw_entry of the Indian Ocean")
    built = few(american_built_asw, "ASW")
    levels = [few(level, "tension") for level in (usat if box == ATLANTIC else usjt) or [0]]
    found = []
    for level in levels:
        politics = Politics(usat=level, usjt=level, germany_us_war=us_at_war, japan_us_war=us_at_war)
        more = deployment.american_asw_may_enter(
            rules, box, politics, present=few(present, "ASW"), entered=few(entered_this_turn, "ASW")
        )
        found.append(built if more is None else min(built, more + present))
    return {"max_asw": found}


@question
def asw_entry(
    *,
    rules: Ruleset,
    box: str,
    british_built: int = 0,
    canadian_built: int = 0,
    american_built: int = 0,
    american_present: int = 0,
    american_entered: int = 0,
    politics: PoliticsJson | None = None,
) -> dict[str, Any]:
    """How many Western Allied ASW, by their yards, may enter a box this turn (25.22, 25.32)."""
    built_in = {
        BRITAIN: few(british_built, "ASW"),
        deployment.CANADA: few(canadian_built, "ASW"),
        UNITED_STATES: few(american_built, "ASW"),
    }
    number = deployment.asw_may_enter(
        rules,
        built_in,
        box_called(box),
        (politics or PoliticsJson()).politics(),
        present=few(american_present, "ASW"),
        entered=few(american_entered, "ASW"),
    )
    return {"may_enter": number}


@question
def asw_at(*, place: str) -> dict[str, Any]:
    """Whether ASW act where they are (25.21): in an SW box, given by its name, only; and what they are on the map."""
    in_box = place_spelled(place.lower().removesuffix("sw box"), BOXES) in BOXES
    operates = deployment.asw_operates(None if in_box else Place(place))
    return {"operates": operates, "attacked_as": None if in_box else deployment.asw_on_the_map_as()}


@question
def asw_yard(*, rules: Ruleset, source: str, yard: str) -> dict[str, Any]:
    """Whether ASW may be built in a country's shipyard (25.22): British or American allowable build, or production."""
    known = ("British allowable build", "American allowable build", "production")
    source = place_spelled(source, known)
    if source not in known:
        raise PlayerError(f"{source[:40]!r} is no source of ASW; there are {', '.join(known)}")
    country = deployment.CANADA if yard.lower() in ("canada", "canadian") else power_called(yard)
    return told(deployment.asw_may_be_built(source, country))


# -- deployment and duties ------------------------------------------------------------------------------------------


@question
def box_deployment(
    *,
    rules: Ruleset,
    unit: UnitJson,
    box: str,
    base: PlaceJson,
    phase: str,
    politics: PoliticsJson | None = None,
    axis_hold_suez: bool = False,
    axis_hold_ethiopia: bool = False,
) -> dict[str, Any]:
    """Whether a unit may go from a base to an SW box in a phase (25.31), and where it may be intercepted (25.33)."""
    sent, where = unit.unit(), box_called(box)
    place = _base(rules, sent, where, base)
    refused = deployment.deployment_refused(
        rules,
        sent,
        where,
        place,
        phase_called(phase),
        (politics or PoliticsJson()).politics(),
        axis_hold_suez=axis_hold_suez,
        axis_hold_ethiopia=axis_hold_ethiopia,
    )
    return {"allowed": not refused, "reasons": reasons(refused), **_exposed(sent, where, place)}


def _base(rules: Ruleset, unit: BoxUnit, box: str, base: PlaceJson) -> Place:
    """The base; one that the rules do not name must say its front or country where the answer hangs on it (25.31)."""
    if unit.kind in (STRATEGIC_BOMBER, INTERCEPTOR):
        raise PlayerError("26.22: air units are placed on fronts, not based in ports; ask may_be_placed_on_front")
    place = base.place()
    if not (place.front or place.country or place.name in PLACES):
        on_map = [replace(place, front=front) for front in FRONTS] + [replace(place, country=unit.nation)]
        if any(deployment.may_base(rules, unit, box, each).holds for each in on_map):
            known = deployment.may_base(rules, unit, box, place)
            raise PlayerError(
                f"{known.rule}: say the front or the country of {place.name[:40]!r}, such as western, Mediterranean or "
                f"Japan: {known.why}"
            )
    return place


def _exposed(unit: BoxUnit, box: str, place: Place) -> dict[str, Any]:
    found = duties.exposed(unit, box, place)
    if found is None:
        return {"intercepted": None}
    return {"intercepted": {"where": found.where, "by_air": found.by_air, "by_ships": found.by_ships}}


@question
def box_transfer(
    *,
    rules: Ruleset,
    unit: UnitJson,
    start: str,
    end: str,
    phase: str,
    politics: PoliticsJson | None = None,
    player_turn: str | None = None,
) -> dict[str, Any]:
    """Whether a unit may be transferred from one SW box to another (24.52), and from which player turn it acts there."""
    if box_called(start) == box_called(end):
        raise PlayerError(f"24.52: it is in the {box_called(end)} SW box already; say to which of the others it goes")
    refused = deployment.transfer_refused(
        rules,
        unit.unit(),
        box_called(start),
        box_called(end),
        phase_called(phase),
        (politics or PoliticsJson()).politics(),
    )
    done = deployment.transferred(player_turn_called(player_turn)) if player_turn is not None else None
    return {
        "allowed": not refused,
        "reasons": reasons(refused),
        "inverted": False,
        "may_be_intercepted": False,
        "usable_from": None if done is None else str(done.usable_from),
    }


@question
def box_withdrawal(
    *,
    rules: Ruleset,
    unit: UnitJson,
    box: str,
    base: PlaceJson,
    phase: str,
    player_turn: str,
    axis_hold_suez: bool = False,
) -> dict[str, Any]:
    """Whether a unit may leave an SW box for a base (25.37), how long it is inverted then (25.372, 25.122), and where it may
    be intercepted (25.33).

    `must` is said of a unit damaged in naval combat in the box, which leaves it in the combat phase (25.371). German
    submarines leave the Indian Ocean while the Axis hold Suez (SR-20). Japanese naval units that go to Japan or Truk in
    redeployment guard redeployments there.
    """
    leaving, where, now = unit.unit(), box_called(box), player_turn_called(player_turn)
    phase = phase_called(phase)
    place = _base(rules, leaving, where, base)
    refused = duties.withdrawal_refused(rules, leaving, where, place, phase, axis_hold_suez=axis_hold_suez)
    through = (
        submarines.inverted_on_leaving(now) if leaving.kind in SUBMARINES else duties.inverted_by_withdrawal(now, phase)
    )
    return {
        "allowed": not refused,
        "reasons": reasons(refused),
        "inverted_through": str(through),
        "must": duties.must_withdraw(leaving),
        "guards_redeployments_there": not refused and duties.guards_redeployment(leaving, place, place, phase),
        **_exposed(leaving, where, place),
    }


@question
def box_guards(*, activities: list[str], guards: dict[str, str]) -> dict[str, Any]:
    """Whether units in an SW box may guard activities of one kind going on at once as named (25.36): `guards` are units with
    what each guards, said before the enemy announces attacks."""
    return told(duties.guards_named(activities, guards))


@question
def box_duty(
    *,
    rules: Ruleset,
    unit: UnitJson,
    duty: str,
    redeployed: str | None = None,
    when: str | None = None,
    invasion_from: list[str] | None = None,
) -> dict[str, Any]:
    """Whether a naval unit in an SW box may do a duty (25.35), such as raider interception; any other it may not.

    `redeployed` and `when`: units that came inverted in one player turn idle through the next enemy one (25.34). What it
    guards inverts it only if it is damaged (25.36). "submarine losses": to bear those of an attack on the map (25.361).
    """
    serving = unit.unit()
    idle = None
    if redeployed is not None:
        idle = duties.idle_through(serving, player_turn_called(redeployed))
    if idle is not None and when is not None:
        serving = BoxUnit(serving.nation, serving.kind, not idle.before(player_turn_called(when)), serving.damaged)
    sought = _duty_called(duty)
    if duty.lower().strip() == "submarine losses":
        found = duties.absorbs_submarine_losses(serving)
    elif sought is None:
        known = ", ".join(duties.Duty)
        found = Verdict(False, "25.35", f"{duty[:40]!r} is no duty of naval units in an SW box; these are: {known}")
    else:
        found = duties.may_perform(serving, sought, invasion_from=[_origin(each) for each in invasion_from or ()])
    return {
        **told(found),
        "idle_through": None if idle is None else str(idle),
        "inverted_by_it": duties.inverted_by_duty(damaged=serving.damaged),
    }


def _duty_called(name: str) -> duties.Duty | None:
    """The duty of 25.35 that is meant, by its own words or by those of what belongs to it; None if it is none."""
    plain = " ".join(name.lower().replace("-", " ").replace("_", " ").split())
    known = {duty.replace("-", " "): duty for duty in duties.Duty} | OTHER_DUTIES
    return known.get(plain) or known.get(plain.removesuffix("s"))


def _origin(name: str) -> str:
    """Where an invasion comes from: a mapboard box as the rules spell it, with "box" or without; any other place as it is."""
    boxes = {box.lower().removesuffix(" box"): box for box in duties.INVASION_BOXES}
    return boxes.get(name.lower().strip().removesuffix(" box"), name)


@question
def transports_end_turn(
    *, rules: Ruleset, nation: str, transports: int, damaged: int = 0, box: str | None = None
) -> dict[str, Any]:
    """Whether transports may end the turn in an SW box, or outside them (25.37); `damaged` are those damaged this turn."""
    place = None if box is None else box_called(box)
    sound = few(transports, "transports") - few(damaged, "transports")
    if sound < 0:
        raise PlayerError(f"of {transports} transports {damaged} cannot be damaged")
    found = duties.turn_ends(BoxUnit(owner_called(nation), TRANSPORT, damaged=sound == 0), place)
    return told(found)
