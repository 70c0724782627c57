"""The limits of forms of the strategic war: every answer is taken or refused as the rule says (24.4, 25.1, 26.3, 26.6)."""

from __future__ import annotations

import pytest

from flagplot.core.sides import Side
from flagplot.editions.current import ruleset
from flagplot.model.forces import Force
from flagplot.model.ships import Ship
from flagplot.model.strategic_bombing import BombingTarget, RocketBase
from flagplot.model.strategic_war import ForcePool, Politics, Turn
from flagplot.model.war import MEDITERRANEAN, Convoys, Levels, PlayerTurn, Port, Purse, TargetHex, War
from flagplot.rules.strategic.atomic_turn import atomic_form
from flagplot.rules.strategic.bombing_flights import Raid
from flagplot.rules.strategic.bombing_turn import raids_form
from flagplot.rules.strategic.construction_turn import construction_form
from flagplot.rules.strategic.deployment_turn import deployment_form
from flagplot.rules.strategic.murmansk_turn import convoy_form
from flagplot.rules.strategic.rocket_bases_turn import bases_form
from flagplot.rules.strategic.rockets_turn import salvos_form
from flagplot.rules.strategic.submarine_turn import fighting_form
from tests.rules.legal_answers import Amount, check

RULES = ruleset()
AXIS, ALLIES = Side.AXIS, Side.ALLIES
AT_WAR = Politics(
    germany_us_war=True, japan_us_war=True, japan_britain_war=True, germany_russia_war=True, usat=50, usjt=50
)


def now(year: int, season: int, side: Side) -> PlayerTurn:
    return PlayerTurn(Turn(year, season), side)


def city(name: str, country: str, front: str, **keys: object) -> TargetHex:
    return TargetHex(BombingTarget(name, country, objective=True), front, 20, **keys)  # type: ignore[arg-type]


# -- construction ------------------------------------------------------------------------------------------------------


@pytest.mark.ledger("24.43.1", "24.22.2")
@pytest.mark.parametrize(
    "purse", [Purse(12, 30, 30), Purse(30, 12, 30), Purse(30, 30, 2), Purse(30, 30, 30), Purse(14, 30, 30)]
)
def test_units_are_built_within_pools_brps_construction_and_shipbuilding(purse: Purse) -> None:
    """Three BRPs a factor; submarines and ASW take a shipbuilding point each, interceptors none."""
    pools = {"Japan": {"submarine": ForcePool(1, 3), "ASW": ForcePool(0, 2), "interceptor": ForcePool(0, 2)}}
    war = War(now=now(1943, 0, AXIS), purses={"Japan": purse}, pools=pools)
    form = construction_form(RULES, war)
    keys = {kind: next(item.key for item in form.items if f" {kind}" in item.key) for kind in pools["Japan"]}
    most = {item.key: item.amount for item in form.items}
    wanted = {"submarine": 3, "ASW": 2, "interceptor": 2}
    for kind, key in keys.items():
        yards = purse.shipbuilding if kind != "interceptor" else 99
        assert most[key] == min(wanted[kind], purse.brps // 3, purse.construction // 3, yards)
    if purse == Purse(30, 30, 30):
        return  # nothing stops anybody: a form that takes everything

    def allowed(amount: Amount) -> bool:
        built = {kind: amount(key, "build") for kind, key in keys.items()}
        spent = 3 * sum(built.values())
        ships = built["submarine"] + built["ASW"]
        return spent <= min(purse.brps, purse.construction) and ships <= purse.shipbuilding

    check(form, allowed)


@pytest.mark.ledger("25.22B", "25.22C")
def test_western_allied_asw_of_one_power_are_not_built_in_the_others_yards() -> None:
    """The pool of six has two of either power's. British yards build no more than four in all, two of them afloat."""
    war = War(
        now=now(1942, 0, ALLIES),
        purses={"Britain": Purse(30, 30, 30), "United States": Purse(30, 30, 30)},
        pools={"Western Allies": {"ASW": ForcePool(3, 3)}},
        places={"Atlantic": {"Britain ASW": 2}, "in port": {"Britain ASW": 1, "United States ASW": 0}},
    )
    form = construction_form(RULES, war)
    british, american = (
        next(item.key for item in form.items if power in item.key) for power in ("Britain", "United States")
    )

    def allowed(amount: Amount) -> bool:
        mine, theirs = amount(british, "build"), amount(american, "build")
        return mine <= 1 and theirs <= 4 and mine + theirs <= 3

    check(form, allowed)


@pytest.mark.ledger("25.22C")
def test_a_power_with_more_asw_afloat_than_its_share_builds_none() -> None:
    """The pool of four has two of the U.S.; three British ones are afloat, one more than Britain's share."""
    war = War(
        now=now(1942, 0, ALLIES),
        purses={"Britain": Purse(30, 30, 30), "United States": Purse(30, 30, 30)},
        pools={"Western Allies": {"ASW": ForcePool(3, 1)}},
        places={"Atlantic": {"Britain ASW": 3}},
    )
    form = construction_form(RULES, war)
    british, american = (
        next(item.key for item in form.items if power in item.key) for power in ("Britain", "United States")
    )
    check(form, lambda amount: not amount(british, "build") and amount(american, "build") <= 1)


# -- submarines --------------------------------------------------------------------------------------------------------


@pytest.mark.ledger("25.13A.3")
def test_after_redeployment_no_box_holds_more_german_submarines_than_may_fight_there_next_turn() -> None:
    """In Spring 1942 six may fight in the Atlantic, next turn too. Four are there, two of them advanced."""
    war = War(
        now=now(1942, 0, AXIS),
        places={
            "Atlantic": {"Germany submarine": 2, "Germany advanced submarine": 2},
            "in port": {"Germany submarine": 4},
        },
        ports={"Kiel": Port("Kiel", "Germany", front="western")},
        politics=AT_WAR,
    )
    form = deployment_form(RULES, war, "redeployment")
    keys = [item.key for item in form.items]

    def allowed(amount: Amount) -> bool:
        return sum(amount(key, "Atlantic") for key in keys) <= 6

    check(form, allowed)


@pytest.mark.ledger("25.13C.2")
def test_japanese_submarines_have_one_limit_for_both_boxes() -> None:
    """In Winter 1943, and next turn three in all."""
    war = War(
        now=now(1943, 3, AXIS),
        places={
            "Pacific": {"Japan submarine": 1},
            "Indian Ocean": {"Japan submarine": 1},
            "in port": {"Japan submarine": 2},
        },
        ports={
            "Tokyo": Port("Tokyo", "Japan", front="Pacific"),
            "Singapore": Port("Singapore", "Japan", front="Southeast Asian"),
        },
        politics=AT_WAR,
    )
    form = deployment_form(RULES, war, "redeployment")
    keys = [item.key for item in form.items]

    def allowed(amount: Amount) -> bool:
        return sum(amount(key, box) for key in keys for box in ("Pacific", "Indian Ocean")) <= 3

    check(form, allowed)


@pytest.mark.ledger("25.13A.3")
def test_what_a_set_up_put_into_a_box_beyond_the_limit_goes_as_far_as_it_can() -> None:
    """In Spring 1940 two may fight in the Atlantic, and next turn too; there are three."""
    war = War(
        now=now(1940, 0, AXIS),
        places={"Atlantic": {"Germany submarine": 3}, "in port": {"Germany submarine": 1}},
        ports={"Kiel": Port("Kiel", "Germany", front="western")},
    )
    form = deployment_form(RULES, war, "redeployment")
    assert form.default == {"Germany submarine, Atlantic": {"in port": 1}}
    keys = [item.key for item in form.items]
    check(form, lambda amount: sum(amount(key, "Atlantic") for key in keys) <= 2)


@pytest.mark.ledger("25.15A", "25.15B")
def test_one_german_submarine_passes_an_enemy_gibraltar_in_a_turn() -> None:
    war = War(
        now=now(1942, 3, AXIS),
        places={
            "Atlantic": {"Germany submarine": 1},
            "in port": {"Germany submarine": 1},
            MEDITERRANEAN: {"Germany submarine": 2},
        },
        ports={
            "Kiel": Port("Kiel", "Germany", front="western"),
            "Naples": Port("Naples", "Italy", front="Mediterranean"),
            "Gibraltar": Port("Gibraltar", "Britain", front="western"),
        },
        politics=AT_WAR,
    )
    form = deployment_form(RULES, war, "redeployment")
    inside = f"Germany submarine, {MEDITERRANEAN}"
    outside = ("Germany submarine, Atlantic", "Germany submarine, in port")

    def allowed(amount: Amount) -> bool:
        passing = sum(amount(inside, end) for end in ("Atlantic", "in port"))
        passing += sum(amount(key, MEDITERRANEAN) for key in outside)
        return passing <= 1

    check(form, allowed)


@pytest.mark.ledger("25.32A.1", "25.32A.2")
@pytest.mark.parametrize(("usat", "most"), [(25, 1), (34, 1), (35, 2)])
def test_tension_lets_one_or_two_american_asw_into_the_atlantic(usat: int, most: int) -> None:
    war = War(
        now=now(1941, 0, ALLIES), places={"in port": {"United States ASW": 3}}, politics=Politics(usat=usat, usjt=10)
    )
    form = deployment_form(RULES, war, "redeployment")
    key = "United States ASW, in port"
    check(form, lambda amount: amount(key, "Atlantic") <= most)


@pytest.mark.ledger("25.13A.2")
def test_no_more_submarines_fight_than_the_limit_of_their_box_advanced_ones_counting_one() -> None:
    """Fall 1940: three."""
    war = War(
        now=now(1940, 2, AXIS),
        places={"Atlantic": {"Germany submarine": 3, "Germany advanced submarine": 2, "Western Allies transport": 5}},
        ports={"Brest": Port("Brest", "Germany", front="western")},
        politics=AT_WAR,
    )
    form = fighting_form(RULES, war)
    keys = [item.key for item in form.items]
    assert len(keys) == 2
    check(form, lambda amount: sum(amount(key, "fight") for key in keys) <= 3)


# -- bombing -----------------------------------------------------------------------------------------------------------


@pytest.mark.ledger("26.13.1")
def test_a_bomber_force_needs_a_bomber_or_three_factors_of_army_air() -> None:
    war = War(
        now=now(1943, 0, ALLIES),
        places={"western": {"Britain strategic bomber": 2, "Britain AAF": 4, "Britain interceptor": 1}},
        targets={"Essen": city("Essen", "Germany", "western", distances={"Britain": 3})},
        politics=AT_WAR,
    )
    form = raids_form(RULES, war)
    bomber, army, fighter = (
        next(item.key for item in form.items if kind in item.key) for kind in ("strategic bomber", "AAF", "interceptor")
    )

    def allowed(amount: Amount) -> bool:
        others = amount(army, "Essen") + amount(fighter, "Essen")
        return not others or amount(bomber, "Essen") > 0 or amount(army, "Essen") >= 3

    check(form, allowed)


def test_the_interceptors_of_one_power_do_not_escort_the_bombers_of_another() -> None:
    war = War(
        now=now(1943, 0, ALLIES),
        places={"western": {"Britain strategic bomber": 1, "United States interceptor": 1, "Britain interceptor": 1}},
        targets={"Essen": city("Essen", "Germany", "western", distances={"Britain": 3, "United States": 3})},
        politics=AT_WAR,
    )
    form = raids_form(RULES, war)
    bomber, american, british = (
        next(item.key for item in form.items if name in item.key)
        for name in ("strategic bomber", "United States interceptor", "Britain interceptor")
    )

    def allowed(amount: Amount) -> bool:
        return not amount(american, "Essen") and amount(british, "Essen") <= amount(bomber, "Essen")

    check(form, allowed)


@pytest.mark.ledger("26.663")
def test_where_more_opposed_flying_bombs_than_are_left_nobody_escorts() -> None:
    war = War(
        now=now(1943, 0, ALLIES),
        places={"western": {"Britain strategic bomber": 1, "Britain interceptor": 2}},
        targets={"Essen": city("Essen", "Germany", "western", distances={"Britain": 3})},
        politics=AT_WAR,
        no_escort={"Britain interceptor, western": 3},
    )
    form = raids_form(RULES, war)
    check(form, lambda amount: not amount("Britain interceptor, western", "Essen"))


@pytest.mark.ledger("26.52", "26.663")
def test_ten_japanese_factors_bomb_at_most_and_who_opposed_flying_bombs_does_not_escort() -> None:
    war = War(
        now=now(1943, 0, AXIS),
        places={"Asian": {"Japan AAF": 12, "Japan interceptor": 3}},
        targets={"Chungking": city("Chungking", "China", "Asian", distances={"Japan": 2})},
        politics=AT_WAR,
        no_escort={"Japan interceptor, Asian": 2},
    )
    form = raids_form(RULES, war)
    army, fighter = (next(item.key for item in form.items if kind in item.key) for kind in ("AAF", "interceptor"))
    assert fighter in war.no_escort

    def allowed(amount: Amount) -> bool:
        flying, escort = amount(army, "Chungking"), amount(fighter, "Chungking")
        return flying <= 10 and escort <= 1 and (flying >= 3 or not flying + escort)

    check(form, allowed)


@pytest.mark.ledger("26.33.1")
def test_one_atomic_bomb_goes_with_a_raid() -> None:
    target = {name: city(name, "Japan", "Pacific") for name in ("Tokyo", "Osaka")}
    war = War(now=now(1945, 2, ALLIES), atomic_bombs={"United States": 3}, targets=target)
    raids = [
        Raid("United States", name, "Pacific", {"United States, Pacific strategic bomber, Pacific": 2})
        for name in target
    ]
    form = atomic_form(war, raids)
    check(form, lambda amount: all(amount("United States", raid.name) <= 1 for raid in raids))


# -- rockets -----------------------------------------------------------------------------------------------------------


def rockets(**keys: object) -> War:
    return War(now=now(1944, 3, AXIS), politics=AT_WAR, research={"Germany": Levels(rockets=11)}, **keys)  # type: ignore[arg-type]


@pytest.mark.ledger("26.63B.1", "26.63B.2")
@pytest.mark.parametrize(("bases", "most"), [(2, 1), (3, 2), (4, 2)])
def test_half_the_bases_fire_flying_bombs_and_half_rockets_the_odd_one_either(bases: int, most: int) -> None:
    target = city("London", "Britain", "western", distances={"Germany": 2})
    mine = tuple(RocketBase(f"Base {number}", range=4) for number in range(bases))
    form = salvos_form(RULES, rockets(rocket_bases={"Germany": mine}, targets={"London": target}))
    flying, fired = (
        next(place.key for place in form.places if place.key.startswith(kind)) for kind in ("flying bombs", "rockets")
    )
    keys = [item.key for item in form.items]
    assert len(keys) == bases

    def allowed(amount: Amount) -> bool:
        return all(sum(amount(key, place) for key in keys) <= most for place in (flying, fired))

    check(form, allowed)


@pytest.mark.ledger("26.67")
def test_atomic_rockets_are_rockets_and_no_more_than_there_are_bombs() -> None:
    target = city("London", "Britain", "western", distances={"Germany": 3})
    mine = tuple(RocketBase(f"Base {number}", range=4) for number in range(5))
    war = War(
        now=now(1944, 3, AXIS),
        politics=AT_WAR,
        research={"Germany": Levels(rockets=12)},
        rocket_bases={"Germany": mine},
        targets={"London": target},
        atomic_bombs={"Germany": 2},
    )
    form = salvos_form(RULES, war)
    atomic = next(place.key for place in form.places if place.key.startswith("atomic"))
    flying, fired = (
        next(place.key for place in form.places if place.key.startswith(kind)) for kind in ("flying bombs", "rockets")
    )
    keys = [item.key for item in form.items]

    def allowed(amount: Amount) -> bool:
        flown, shot, bombs = (sum(amount(key, place) for key in keys) for place in (flying, fired, atomic))
        return flown <= 3 and shot + bombs <= 3 and bombs <= 2

    check(form, allowed)


@pytest.mark.ledger("26.61A")
def test_a_new_base_is_placed_one_is_moved_and_no_two_lie_in_one_place() -> None:
    mine = (RocketBase("Brest"), RocketBase("Calais"))
    sites = tuple(RocketBase(name) for name in ("Brest", "Calais", "Lille", "Ghent"))
    form = bases_form(RULES, rockets(rocket_bases={"Germany": mine}, rocket_sites={"Germany": sites}), "Germany")
    keys = [item.key for item in form.items]
    assert keys == ["new base", "Brest", "Calais"]

    def allowed(amount: Amount) -> bool:
        places = [name for name in ("Lille", "Ghent") for key in keys if amount(key, name)]
        moved = sum(amount(key, name) for key in ("Brest", "Calais") for name in ("Lille", "Ghent"))
        return len(set(places)) == len(places) and moved <= 1

    check(form, allowed)


# -- Murmansk ----------------------------------------------------------------------------------------------------------


def test_a_convoy_has_a_transport_for_ten_brps_and_a_destroyer_for_three() -> None:
    """FP-76. One transport; four destroyers, and a cruiser that sails only with a convoy."""
    escort = Force("Escort", (Ship("Belfast", "Belfast", "Britain", "BC", 2),), {"Britain/DD": 4})
    war = War(
        now=now(1942, 1, ALLIES),
        places={"Atlantic": {"Western Allies transport": 1}},
        murmansk=Convoys(brps=12, escort=escort),
    )
    form = convoy_form(war)

    def allowed(amount: Amount) -> bool:
        brps, destroyers = amount("BRPs", "sail"), amount("Britain/DD", "sail")
        others = destroyers + amount("Belfast", "sail")
        return brps <= 10 and brps <= 3 * destroyers and (brps > 0 or not others)

    check(form, allowed)
