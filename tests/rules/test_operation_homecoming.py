"""22.26, 22.28, 22.8, 22.92, 23.75 in play: what battles and attacks leave behind, and how it gets home."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from flagplot.core.sides import Side
from flagplot.editions.current import ruleset
from flagplot.model.operation import NavalForce, Operation
from flagplot.model.operation_events import ContactEnded, PatrolsSupport, WaveAnnounced
from flagplot.model.ships import Ship
from flagplot.rules.naval.activities import arrived
from flagplot.rules.naval.homecoming import After, withheld
from flagplot.rules.naval.passage import routes, shortest, spotters
from flagplot.rules.table import Table
from flagplot.scenarios.ships import find_ship
from tests.rules.operation_table import (
    ALLIES,
    AXIS,
    CORPS,
    HOME,
    ONE,
    OperationTable,
    activity,
    air_base,
    all_withdraw,
    boats,
    combat,
    force,
    port,
    setup,
)

CONVOY = force("Convoy", "Kiel", ["Scharnhorst"], destroyers=4, cargo=CORPS)
LAND = activity("Land", "sea transport", "s8", zone="France")


@pytest.mark.ledger("22.131", "23.444", "22.15A.2")
def test_cargo_is_landed_and_ships_come_home_empty() -> None:
    played = combat([CONVOY, LAND], [HOME], {("axis", "announce"): {"Convoy": "Land"}}).to_end()
    convoy = played.force("Convoy")
    assert convoy.harbour == "Kiel" and not convoy.cargo and convoy.light == {"Germany/DD": 4}
    out, home = (event.legs[0] for event in played.events(WaveAnnounced))
    assert out.aboard == ("a corps",) and out.cargo and home.cargo, "the dice for cargo hold for the voyage home"


@pytest.mark.ledger("22.63B", "22.82A", "22.281.2")
def test_a_beaten_convoy_brings_its_cargo_back_and_its_escort_may_go_elsewhere() -> None:
    played = combat(
        [CONVOY, LAND],
        [HOME],
        {
            ("axis", "announce"): {"Convoy": "Land"},
            ("allies", "interception"): {"Home": "A1"},
            ("allies", "hex"): "s4",
            ("axis", "withdraw"): all_withdraw,
            ("axis", "return"): lambda d: {i.key: "Kiel" if "cargo" in i.key else "Brest" for i in d.form.items},
        },
        dice={"Home": [6]},
    ).to_end()
    fleet = {each.harbour: each for each in played.operation.forces[AXIS]}
    assert [ship.name for ship in fleet["Brest"].ships] == ["Scharnhorst"]
    assert fleet["Kiel"].cargo and fleet["Kiel"].light == {"Germany/DD/loaded": 2}
    assert all(each.inverted for each in fleet.values())


@pytest.mark.ledger("22.24B.3", "22.921", "22.26B")
def test_if_the_surface_force_is_stopped_the_submarines_attack_alone() -> None:
    played = combat(
        [
            ONE,
            force("Two", "Kiel"),
            force("Three", "Kiel"),
            port("Bergen", "s6"),
            force("Cover", "Bergen", ["Scharnhorst"]),
            activity("Go", "shore bombardment", "n8"),
        ],
        [HOME, port("Far", "n15"), force("Late", "Far", ["Repulse"]), boats("Scapa", 1, "Britain")],
        {
            ("axis", "announce"): {"One": "Go", "Two": "Go", "Three": "Go"},
            ("allies", "interception"): [{"Home": "A1", "Late": "A1", "Scapa|Britain/SUB": "A1"}],
            ("allies", "hex A1"): ["s2", "s2"],
            ("allies", "path T1"): "n4 > n3 > n2 > s2",
            ("allies", "path T2"): " > ".join(["n15", *(f"s{n}" for n in range(15, 1, -1))]),
            ("axis", "counter-interception"): {"Cover": "meet T1"},
            ("axis", "hex"): "n3",
        },
        dice={"Home": [12], "Late": [12], "Scapa": [9], "Cover": [6]},
    ).to_end()
    assert played.battles()[:2] == ["n3", "s2"]
    assert set(played.mustered(1)) == {"One", "Two", "Three"}, "nobody else is there (IR-47)"
    assert (played.force("Late").harbour, played.force("Late").inverted) == ("Far", False)


@pytest.mark.ledger("22.163E", "22.161B.1")
def test_a_patrol_on_its_way_to_a_battle_that_never_comes_is_back_on_patrol() -> None:
    played = combat(
        [
            ONE,
            port("Bergen", "s6"),
            force("Cover", "Bergen", ["Scharnhorst"]),
            force("Watch", "Kiel", at="s1", patrol="offensive"),
            activity("Go", "shore bombardment", "n8"),
        ],
        [HOME],
        {
            ("axis", "announce"): {"One": "Go"},
            ("allies", "interception"): [{"Home": "A1"}],
            ("allies", "hex A1"): "s2",
            ("allies", "path T1"): "n4 > n3 > n2 > s2",
            ("axis", "support"): [{"Watch": "C1"}],
            ("axis", "counter-interception"): {"Cover": "meet T1"},
            ("axis", "hex"): "n3",
        },
        dice={"Home": [12], "Cover": [6]},
    ).to_end()
    assert played.battles() == ["n3"]
    assert (played.force("Watch").place, played.force("Watch").patrol) == ("s1", "offensive")


@pytest.mark.ledger("22.132A")
def test_a_sortie_finds_nobody_where_the_ships_never_came() -> None:
    played = combat(
        [ONE, activity("Go", "shore bombardment", "n8")],
        [HOME, air_base("Field", "s6", Britain_NAS=1)],
        {
            ("axis", "announce"): {"One": "Go"},
            ("allies", "interception"): {"Home": "A1"},
            ("allies", "hex"): "s2",
            ("allies", "air attacks"): [{"A1 in s6": "attack"}],
            ("axis", "withdraw"): all_withdraw,
        },
        dice={"Home": [6]},
    ).to_end()
    assert "no ships came there" in [event.outcome for event in played.events(ContactEnded)]


@pytest.mark.ledger("22.916B", "22.163", "22.163B", "22.163E")
def test_submarines_on_offensive_patrol_support_within_three_hexes() -> None:
    watch = {"boats": {"at": "s6", "patrol": "offensive", "submarines": {"Germany": 1}}}
    distant = {"boats": {"at": "s14", "patrol": "offensive", "submarines": {"Germany": 1}}}
    played = combat(
        [ONE, watch, distant, activity("Go", "shore bombardment", "n8")],
        [HOME],
        {
            ("axis", "announce"): {"One": "Go"},
            ("allies", "interception"): {"Home": "A1"},
            ("allies", "hex"): "s4",
            ("axis", "support"): {"patrol in s6|Germany/SUB": "C1"},
            ("allies", "number"): {"Home": "6"},
        },
        dice={"Home": [6]},
    )
    form = played.to("support").form
    far = next(item for item in form.items if item.key.startswith("patrol in s14"))
    assert not form.barred(far), "it might come later (22.163C)"
    played.to_end()
    assert [len(event.tries) for event in played.events(PatrolsSupport)] == [1, 1]
    near, _ = played.operation.boats[AXIS]
    assert near.ready == {"Germany/SUB": 1}, "it had no target and is back on patrol"


def test_patrols_may_stay_where_they_are() -> None:
    """22.163: support is an offer."""
    played = combat(
        [
            ONE,
            force("Watch", "Kiel", ["Scharnhorst"], at="s6", patrol="offensive"),
            activity("Go", "shore bombardment", "n8"),
        ],
        [HOME],
        {
            ("axis", "announce"): {"One": "Go"},
            ("allies", "interception"): {"Home": "A1"},
            ("allies", "hex"): "s4",
        },
        dice={"Home": [6]},
    ).to_end()
    assert played.was_asked("axis", "support") == 1 and not played.events(PatrolsSupport)


@pytest.mark.ledger("22.28A", "22.281.2")
def test_only_a_force_that_was_attacked_may_abort() -> None:
    played = combat(
        [
            ONE,
            force("Two", "Brest"),
            activity("Go", "shore bombardment", "n8"),
            activity("Back", "shore bombardment", "n0"),
        ],
        [boats("Scapa", 2, "Britain"), air_base("Eyes", "n4", Britain_NAS=3)],
        {
            ("axis", "announce"): {"One": "Go", "Two": "Back"},
            ("allies", "interception"): [{"Scapa|Britain/SUB": {"A1": 2}}],
            ("allies", "hex"): "s4",
            ("axis", "abort"): "abort",
        },
        dice={"Scapa": [9, 9]},
        air_range=3,
    ).to_end()
    assert [about for _, kind, about in played.asked if kind == "abort"] == ["A1"]
    assert played.force("One").inverted and not played.force("Two").inverted


@pytest.mark.ledger("22.15D", "22.18A", "22.62", "22.281.1")
def test_who_aborts_goes_home_at_once_and_may_be_intercepted_by_those_who_have_not_tried() -> None:
    played = combat(
        [
            ONE,
            force("Two", "Brest"),
            activity("Go", "shore bombardment", "n8"),
            activity("Back", "shore bombardment", "n0"),
        ],
        [HOME, force("Second", "Scapa", ["Repulse"]), force("Third", "Scapa", ["Warspite"])],
        {
            ("axis", "announce"): {"One": "Go", "Two": "Back"},
            ("allies", "interception"): [
                {"Home": "A1", "Second": "A2"},
                lambda d: {"Third": d.form.places[1].key},
            ],
            ("allies", "hex"): ["s4", "s5", "s2"],
            ("axis", "order"): "C1",
            ("axis", "withdraw"): all_withdraw,
        },
        dice={"Home": [6], "Second": [6], "Third": [6]},
    )
    played.to("order")
    form = played.to("interception", ALLIES).form
    assert [item.key for item in form.items] == ["Third", "task forces"], "the others have tried"
    played.to_end()
    assert played.battles()[0] == "s4" and "s5" in played.battles()
    homeward = [leg.forces for event in played.events(WaveAnnounced) for leg in event.legs if leg.returning]
    assert homeward.index(("One",)) < homeward.index(("Two",))


@pytest.mark.ledger("22.27.1", "22.115", "22.18")
def test_interceptors_going_home_may_be_intercepted_in_turn() -> None:
    played = combat(
        [
            ONE,
            port("Bergen", "n2"),
            force("Cover", "Bergen", ["Scharnhorst"]),
            activity("Go", "shore bombardment", "n8"),
        ],
        [HOME],
        {
            ("axis", "announce"): {"One": "Go"},
            ("allies", "interception"): [{"Home": "A1"}],
            ("allies", "hex"): "s3",
            ("axis", "interception"): [lambda d: {"Cover": d.form.places[1].key}],
            ("axis", "hex"): "s4",
        },
        dice={"Home": [6], "Cover": [5]},
    ).to_end()
    assert played.battles() == ["s3", "s4"]
    assert played.mustered(1) == {"Home": ("interception", 1), "Cover": ("interception", 1)}
    assert (played.force("Home").harbour, played.force("Cover").harbour) == ("Scapa", "Bergen")


@pytest.mark.ledger("22.11.3", "22.11.2")
def test_ships_on_another_activity_do_not_counter_intercept() -> None:
    played = combat(
        [
            ONE,
            force("Two", "Brest"),
            force("Idle", "Brest"),
            activity("Go", "shore bombardment", "n8"),
            activity("Back", "shore bombardment", "n0"),
        ],
        [HOME],
        {
            ("axis", "announce"): {"One": "Go", "Two": "Back"},
            ("allies", "interception"): {"Home": "A1"},
            ("allies", "hex"): "s4",
        },
        dice={"Home": [6]},
    )
    assert [item.key for item in played.to("counter-interception").form.items] == ["Idle", "task forces"]


# -- the situation of 23.161 --------------------------------------------------------------------------


@pytest.mark.ledger("22.19", "22.161B.1", "22.132A")
def test_two_fleets_intercept_an_invasion_one_is_met_on_its_way_and_the_air_attacks_the_other() -> None:
    played = OperationTable(
        setup(
            [
                port("Taranto", "s8"),
                port("Palermo", "s6"),
                force("Invaders", "Palermo", cruisers=2, destroyers=4, cargo=CORPS),
                force("Fleet", "Taranto", ["Scharnhorst", "Gneisenau"]),
                activity("Malta", "seaborne invasion", "n7", ground_factors=2),
                air_base("Sicily", "s7", Germany_NAS=3),
            ],
            [
                port("Gibraltar", "n0"),
                port("Alexandria", "n15"),
                force("Force H", "Gibraltar", ["Renown"]),
                force("Mediterranean Fleet", "Alexandria", ["Warspite", "Valiant"]),
            ],
            phases=("combat",),
            air_range=3,
        ),
        {
            ("axis", "announce"): {"Invaders": "Malta"},
            ("allies", "interception"): {"Force H": "A1", "Mediterranean Fleet": "A1"},
            ("allies", "hex"): "n7",
            ("axis", "counter-interception"): {"Fleet": "meet T1"},
            ("axis", "hex"): "n5",
            ("axis", "air attacks"): [{"T2 in n9": "attack", "T2 in n8": "attack"}],
            ("allies", "order"): ["C3"],
        },
        {"Force H": [7], "Mediterranean Fleet": [8], "Fleet": [6]},
    ).to_end()
    assert played.rolled == {"Force H": 4, "Mediterranean Fleet": 3, "Fleet": 4}, (
        "cargo 2, a TF, two ground factors, a second attempt; and slow Warspite; a TF spotted by three squadrons"
    )
    assert played.battles()[:4] == ["n9", "n5", "n8", "n7"] or played.battles()[:4] == ["n9", "n8", "n5", "n7"]
    assert played.mustered(3)["Mediterranean Fleet"] == ("interception", 1)


# -- pure facts -----------------------------------------------------------------------------------------


@pytest.mark.ledger("22.26D", "22.26D.2b", "22.26D.3")
def test_of_a_counter_intercepted_force_what_did_not_fire_stays_uninverted() -> None:
    hood, renown = find_ship("Hood"), replace(find_ship("Renown"), damaged=True)
    rodney = find_ship("Rodney")
    table = Table(ruleset(), operation=Operation(names={AXIS: "Germany", ALLIES: "Britain"}))
    table.operation = replace(
        table.operation, forces={AXIS: (), ALLIES: ()}, fired={ALLIES: ("hood", "Britain/DD")}, open=True
    )
    whole = NavalForce(
        id="Home",
        place="s3",
        ships=(hood, renown, rodney),
        light={"Britain/CA": 1, "Britain/DD": 2, "Britain/CA/damaged": 1},
        inverted=True,
    )
    fought, spared = (each.force for each in withheld(table, ALLIES, [After(whole, False, True)]))
    assert fought.ships == (hood, renown) and fought.light == {"Britain/DD": 2, "Britain/CA/damaged": 1}
    assert spared.ships == (rodney,) and spared.light == {"Britain/CA": 1} and spared.id == "Britain squadron 1"
    assert fought.inverted and not spared.inverted
    assert withheld(table, ALLIES, [After(fought, False, True)]) == [After(fought, False, True)]
    (idle,) = withheld(table, ALLIES, [After(replace(spared, inverted=True), False, True)])
    assert idle.force == spared


@pytest.mark.ledger("23.444")
def test_hits_that_did_no_damage_are_gone_in_port() -> None:
    hurt = replace(find_ship("Bismarck"), hits=2)
    given = combat([ONE, LAND], [HOME], {("axis", "announce"): {"One": "Land"}})
    given.to("demand")
    leg = replace(given.operation.wave.legs[0], harbour="Brest", kind="naval redeployment")
    sea = replace(leg, harbour="")
    ship: Ship
    (ship,) = arrived(given.operation, leg, NavalForce(id="One", place="s0", ships=(hurt,))).ships
    assert ship.hits == 0
    (ship,) = arrived(given.operation, sea, NavalForce(id="One", place="s0", ships=(hurt,))).ships
    assert ship.hits == 2


def test_paths_worth_offering() -> None:
    ring = {"a": ("b", "d"), "b": ("a", "c"), "c": ("b", "d"), "d": ("a", "c"), "x": ()}
    assert routes(ring, "a", "c") == [("a", "b", "c"), ("a", "d", "c")]
    assert routes(ring, "a", "x") == [] and shortest(ring, "a", "x") == ()
    assert routes(ring, "a", "c", 1) == []


@pytest.mark.ledger("22.22G")
def test_search_squadrons_naval_air_and_factors_spot() -> None:
    aircraft = {"Britain_search_AAS": 1, "Britain_attack_AAS": 2, "Britain_NAS": 1, "Britain_AAF": 1}
    played = combat([ONE, LAND], [HOME, air_base("Field", "n4", **aircraft)], {("axis", "announce"): {"One": "Land"}})
    played.to("interception")
    path = played.operation.wave.legs[0].path
    assert spotters(played.operation, Side.ALLIES, path, "s4") == 3
    assert spotters(played.operation, Side.ALLIES, path, "s2") == 0, "out of range of the route to it"
