"""22.22, 22.24, 22.254, 22.9 in play: dice, who comes late, submarines and aircraft beside ships, Magic, new task forces."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from flagplot.core.asks import Decide
from flagplot.core.errors import IllegalChoice, ScenarioError
from flagplot.model.air_events import SubmarinesMustered, TorpedoesFired
from flagplot.model.events import RoundBegan
from flagplot.model.operation import NavalForce
from flagplot.model.operation_events import (
    ContactMade,
    TriesAnnounced,
    TriesSettled,
)
from flagplot.rules.naval.reconstitution import reconstitution_form
from flagplot.scenarios.ships import find_ship
from tests.rules.operation_table import (
    ALLIES,
    AXIS,
    CONVOY,
    GUNS,
    HOME,
    LANDS,
    SECOND,
    OperationTable,
    activity,
    air_base,
    all_withdraw,
    boats,
    dice_of,
    force,
    landing,
    port,
)

# -- dice -------------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.22F")
def test_ground_factors_count_once_however_many_voyages_bring_the_invasion() -> None:
    land = activity("Assault", "seaborne invasion", "s4", ground_factors=1)
    played = landing(
        [CONVOY, force("West", "Brest"), land],
        [HOME],
        {
            ("axis", "announce"): {"Convoy": "Assault", "West": "Assault"},
            ("allies", "interception"): [{"Home": "A1"}],
            ("allies", "hex"): "s4",
        },
    ).to_end()
    assert dice_of(played)["T1"] == {"22.22A": 2, "22.22E": 2, "22.22F": 1}


@pytest.mark.ledger("22.22K.1", "22.22K.2")
@pytest.mark.parametrize(("counted", "fewer"), [("by_hex", [-2, -2, -2]), ("by_force", [-1, 0, -1])])
def test_counters_cost_each_other_dice_by_the_hex_or_by_the_force_they_are_aimed_at(
    counted: str, fewer: list[int]
) -> None:
    """Three counters against two interceptors: two of them are aimed at the same one (IR-41, FP-88)."""
    cover = [force(name, "Brest", [ship]) for name, ship in (("A", "Scharnhorst"), ("B", "Gneisenau"), ("C", "Lutzow"))]
    played = landing(
        [CONVOY, *cover],
        [HOME, SECOND],
        {
            **LANDS,
            ("allies", "interception"): {"Home": "A1", "Second": "A1"},
            ("allies", "hex"): "s5",
            ("axis", "counter-interception"): {"A": "C1", "B": "C1", "C": "C1"},
        },
        {"Home": [6], "Second": [6]},
        {"counter_attempts_counted": counted},
    ).to_end()
    assert [dice_of(played)[id].get("22.22K", 0) for id in ("T3", "T4", "T5")] == fewer


@pytest.mark.ledger("22.22G")
def test_who_spots_one_of_the_forces_met_together_has_spotted_them_all() -> None:
    """One squadron reaches s1, which only the convoy passes, the other n8, which only the ships from Brest pass."""
    played = landing(
        [CONVOY, force("West", "Brest"), activity("Assault", "seaborne invasion", "s5")],
        [HOME, air_base("East", "s1", Britain_NAS=1), air_base("Far", "s8", Britain_NAS=1)],
        {
            ("axis", "announce"): {"Convoy": "Assault", "West": "Assault"},
            ("allies", "interception"): [{"Home": "A1"}],
            ("allies", "hex"): "s5",
        },
        air_range=1,
    ).to_end()
    assert dice_of(played)["T1"]["22.22G"] == 2


@pytest.mark.ledger("22.22G.2", "22.22G.2b")
def test_spotting_neither_inverts_nor_obliges_anybody_to_attack() -> None:
    played = landing(
        [CONVOY, GUNS],
        [HOME, SECOND, air_base("Field", "n4", Britain_NAS=2)],
        {
            ("axis", "announce"): {"Convoy": "Land", "Guns": "Shell"},
            ("allies", "interception"): [{"Home": "A1", "Second": "A1"}],
            ("allies", "hex"): "s6",
        },
        air_range=2,
    )
    before = played.operation.airfields
    played.to("air attacks")
    assert [lines["22.22G"] for lines in dice_of(played).values()] == [2, 2], "the same squadrons, for each attempt"
    assert played.operation.airfields == before
    played.game.submit(ALLIES, {})
    assert played.operation.wave.stage == "resolution" and played.operation.airfields == before


@pytest.mark.ledger("22.22E")
@pytest.mark.parametrize(("option", "dice"), [("all_together", 2), ("each_force", 1)])
def test_where_one_force_counts_the_counter_is_aimed_at_a_task_force(option: str, dice: int) -> None:
    loose = force("Cruisers", "Scapa", task_force=False, cruisers=2)
    played = landing(
        [CONVOY, force("Cover", "Kiel", ["Bismarck"])],
        [loose, HOME, SECOND],
        {
            **LANDS,
            ("allies", "interception"): [{"Cruisers|Britain/CA": {"A1": 2}, "Home": "A1", "Second": "A1"}],
            ("allies", "hex"): "s5",
            ("allies", "path"): ["n4 > n5 > s5", "n4 > n5 > s5", "n4 > n5 > s5"],
            ("axis", "counter-interception"): lambda asked: {"Cover": asked.form.places[2].key},
            ("axis", "hex"): "n5",
        },
        {"Home": [1], "Second": [1], "Ships from Scapa 3": [2]},
        {"countered_tf_count": option},
    ).to_end()
    (counter,) = [event for event in played.events(TriesAnnounced) if event.side is AXIS]
    assert dice_of(played)[counter.tries[0].id]["22.22E"] == dice


@pytest.mark.ledger("22.22E")
@pytest.mark.parametrize("option", ["all_together", "each_force"])
def test_in_the_interception_hex_only_those_count_who_reached_it(option: str) -> None:
    """Home, named first, comes late; Second is there."""
    played = landing(
        [CONVOY, force("Cover", "Brest", ["Scharnhorst"])],
        [port("Hull", "n12"), force("Home", "Hull", ["Hood"]), SECOND],
        {
            **LANDS,
            ("allies", "interception"): [{"Home": "A1", "Second": "A1"}],
            ("allies", "hex"): "s6",
            ("axis", "counter-interception"): [{"Cover": "C1"}],
        },
        {"Home": [2], "Second": [6]},
        {"countered_tf_count": option},
    ).to_end()
    (counter,) = [event for event in played.events(TriesAnnounced) if event.side is AXIS]
    assert dice_of(played)[counter.tries[0].id] == {"22.22C": 2, "22.22E": 1}


# -- late arrival -----------------------------------------------------------------------------------------


def after_the_second_round() -> Callable[[Decide], Any]:
    """An answer that stays for one round, and withdraws everything ever after."""
    stayed: list[Decide] = []

    def answer(decision: Decide) -> Any:
        stayed.append(decision)
        return decision.form.default if len(stayed) == 1 else all_withdraw(decision)

    return answer


def mustered_boats(played: OperationTable, side: Any) -> list[tuple[int, dict[str, int]]]:
    """By round: the submarines of a side that are in the battle."""
    found: list[tuple[int, dict[str, int]]] = []
    now = 1
    for event in played.game.events():
        if isinstance(event, RoundBegan):
            now = event.round
        if isinstance(event, SubmarinesMustered) and event.side is side:
            found.append((now, dict(event.submarines)))
    return found


@pytest.mark.ledger("22.24B", "22.911.1", "22.916A")
@pytest.mark.parametrize(("option", "expected"), [("yes", [(1, {}), (2, {"Britain/SUB": 1})]), ("no", [])])
def test_a_submarine_that_falls_short_joins_a_battle_of_ships_later(
    option: str, expected: list[tuple[int, dict[str, int]]]
) -> None:
    """Seven hexes and three reached: four short, so round two. Nobody withdraws after the first (AM-12)."""
    played = landing(
        [GUNS, force("Others", "Kiel")],
        [HOME, port("Hull", "n10"), boats("Hull", 1, "Britain")],
        {
            ("axis", "announce"): {"Guns": "Shell", "Others": "Shell"},
            ("allies", "interception"): [{"Home": "A1", "Hull|Britain/SUB": "A1"}],
            ("allies", "hex A1"): ["s4", "s4"],
            ("allies", "withdraw"): after_the_second_round(),
        },
        {"Home": [4], "Hull": [3]},
        {"failed_submarine_joins": option},
    ).to_end()
    assert mustered_boats(played, ALLIES) == expected


@pytest.mark.ledger("22.92.3")
def test_a_late_submarine_whose_battle_is_over_is_not_inverted() -> None:
    played = landing(
        [GUNS, force("Others", "Kiel")],
        [HOME, port("Hull", "n10"), boats("Hull", 1, "Britain")],
        {
            ("axis", "announce"): {"Guns": "Shell", "Others": "Shell"},
            ("allies", "interception"): [{"Home": "A1", "Hull|Britain/SUB": "A1"}],
            ("allies", "hex A1"): ["s4", "s4"],
            ("allies", "withdraw"): all_withdraw,
        },
        {"Home": [4], "Hull": [3]},
    ).to_end()
    (station,) = played.operation.boats[ALLIES]
    assert station.attempted == {"Britain/SUB": 1} and not station.inverted and not station.at_sea


@pytest.mark.ledger("22.163C", "22.163C.1", "22.916B")
def test_submarines_on_offensive_patrol_support_later_if_they_are_farther_off() -> None:
    """Seven hexes from the battle: round two."""
    watch = {"boats": {"at": "s11", "patrol": "offensive", "submarines": {"Germany": 1}}}
    played = landing(
        [GUNS, watch],
        [HOME],
        {
            ("axis", "announce"): {"Guns": "Shell"},
            ("allies", "interception"): [{"Home": "A1"}],
            ("allies", "hex A1"): "s4",
            ("axis", "support"): {"patrol in s11|Germany/SUB": "C1"},
            ("allies", "withdraw"): after_the_second_round(),
        },
        {"Home": [3]},
    ).to_end()
    assert mustered_boats(played, AXIS) == [(1, {}), (2, {"Germany/SUB": 1})]


def met_short_of_the_hex(
    late: list[dict[str, Any]], counter: str, dice: dict[str, list[int]], **more: Any
) -> OperationTable:
    """Home makes for the convoy in s5 by n6, of which it comes two hexes short; there Near meets it, and somebody late."""
    played = landing(
        [CONVOY, force("Near", "Brest", ["Scharnhorst"]), *late, air_base("Field", "n6", Germany_NAS=3)],
        [SECOND, port("Hull", "n10"), force("Home", "Hull", ["Hood", "Renown"])],
        {
            **LANDS,
            ("allies", "interception"): [{"Home": "A1", "Second": "A1"}],
            ("allies", "hex"): "s5",
            ("allies", "path T2"): ["n10 > n9 > n8 > n7 > n6 > n5 > s5"],
            ("axis", "counter-interception"): [{"Near": "meet T2", counter: "meet T2"}],
            ("axis", "hex"): "n6",
            **more.pop("answers", {}),
        },
        {"Second": [6], "Home": [2], **dice},
        **more,
    ).to_end()
    assert played.battles()[0] == "n6"
    return played


@pytest.mark.ledger("22.254A.1", "22.254B")
def test_rounds_in_which_nobody_has_come_are_not_fought() -> None:
    """Home has reached two of the four hexes to n6 and would come in round two, which is the first of the battle; so
    Late, seven hexes short and due in round three, is there in the second (IR-50)."""
    late = [port("Rear", "s15"), force("Late", "Rear", ["Gneisenau"])]
    assert met_short_of_the_hex(late, "Late", {"Near": [3], "Late": [3]}).mustered(0) == {
        "Home": ("interception", 1),
        "Near": ("counter-interception", 1),
        "Late": ("counter-interception", 2),
    }


@pytest.mark.ledger("22.254A.1", "22.254B", "22.252B.1")
def test_late_submarines_too_wait_for_no_round_that_is_not_fought() -> None:
    """As before, with a submarine for Late: twelve hexes and five reached, so round three, the second of the battle."""
    played = met_short_of_the_hex(
        [port("Rear", "s17"), boats("Rear", 1)],
        "Rear|Germany/SUB",
        {"Near": [4], "Rear": [5]},
        answers={("allies", "withdraw"): after_the_second_round()},
        length=20,
    )
    assert mustered_boats(played, AXIS)[:2] == [(1, {}), (2, {"Germany/SUB": 1})]


# -- submarines and aircraft ------------------------------------------------------------------------------


@pytest.mark.ledger("22.921")
def test_aircraft_attack_before_submarines_in_the_same_hex() -> None:
    played = landing(
        [CONVOY],
        [boats("Scapa", 1, "Britain"), air_base("Field", "s6", Britain_NAS=3)],
        {
            **LANDS,
            ("allies", "interception"): [{"Scapa|Britain/SUB": "A1"}],
            ("allies", "hex"): "s6",
            ("allies", "air attacks"): [{"A1 in s6": "attack"}],
        },
        {"Scapa": [6]},
    ).to_end()
    kinds = [(event.hex, event.kind) for event in played.events(ContactMade)]
    assert kinds == [("s6", "air attack"), ("s6", "submarine attack")]
    assert played.was_asked("axis", "order") == 0, "nobody may choose otherwise"


@pytest.mark.ledger("22.16", "22.916A", "22.911.1", "22.917")
def test_submarines_in_port_counter_intercept_in_the_hex() -> None:
    played = landing(
        [GUNS, boats("Brest", 1)],
        [HOME],
        {
            ("axis", "announce"): {"Guns": "Shell"},
            ("allies", "interception"): [{"Home": "A1"}],
            ("allies", "hex"): "s6",
            ("axis", "counter-interception"): [{"Brest|Germany/SUB": "C1"}],
            ("allies", "counter-counter-interception"): [{}],
        },
        {"Home": [5], "Brest": [2]},
    ).to_end()
    assert played.rolled["Brest"] == 2, "two in the interception hex and one TF, one fewer for a submarine"
    assert mustered_boats(played, AXIS)[0] == (1, {"Germany/SUB": 1})
    assert played.was_asked("allies", "counter-counter-interception") == 0, "nobody counters a submarine"


@pytest.mark.ledger("22.16", "22.916A", "22.92.1", "22.921", "22.13E")
def test_submarines_counter_intercept_on_the_way_in_a_hex_of_their_own() -> None:
    """They attack Home alone; what is left of her goes on to the battle."""
    played = landing(
        [GUNS, boats("Brest", 1), force("Cover", "Brest", ["Scharnhorst"]), air_base("Field", "n5", Germany_NAS=2)],
        [HOME],
        {
            ("axis", "announce"): {"Guns": "Shell"},
            ("allies", "interception"): [{"Home": "A1"}],
            ("allies", "hex"): "s6",
            ("allies", "path"): ["n4 > n5 > n6 > s6"],
            ("axis", "counter-interception"): [{"Brest|Germany/SUB": "meet T1", "Cover": "C1"}],
            ("axis", "hex"): "n5",
        },
        {"Home": [5], "Brest": [6], "Cover": [6]},
    ).to_end()
    fought = [(event.hex, event.kind, event.forces[ALLIES]) for event in played.events(ContactMade)]
    assert fought[:2] == [("n5", "submarine attack", ("Home",)), ("s6", "naval battle", ("Home",))]
    (station,) = played.operation.boats[AXIS]
    assert sum(station.inverted.values()) + sum(played.operation.boats_lost[AXIS].values()) == 1


@pytest.mark.ledger("22.92.3", "22.252B.2")
def test_a_submarine_that_counters_in_vain_has_tried() -> None:
    played = landing(
        [GUNS, boats("Brest", 1), air_base("Field", "n5", Germany_NAS=2)],
        [HOME],
        {
            ("axis", "announce"): {"Guns": "Shell"},
            ("allies", "interception"): [{"Home": "A1"}],
            ("allies", "hex"): "s6",
            ("allies", "path"): ["n4 > n5 > n6 > s6"],
            ("axis", "counter-interception"): [{"Brest|Germany/SUB": "meet T1"}],
            ("axis", "hex"): "n5",
        },
        {"Home": [5], "Brest": [2]},
    ).to_end()
    assert played.battles()[0] == "s6"
    (station,) = played.operation.boats[AXIS]
    assert station.attempted == {"Germany/SUB": 1}


@pytest.mark.ledger("22.26D", "22.26D.2", "22.26D.2b", "22.26D.3")
def test_ships_held_back_from_counter_combat_are_screened_not_gone() -> None:
    """Hood alone fights the counters. Renown and the destroyers are there all the same: the submarine may choose her, and
    six destroyers weigh two against its attack. Those held back go home as they came."""
    played = landing(
        [CONVOY, boats("Brest", 1), force("Cover", "Brest", ["Scharnhorst"]), air_base("Field", "n5", Germany_NAS=2)],
        [force("Home", "Scapa", ["Hood", "Renown"], destroyers=6)],
        {
            **LANDS,
            ("allies", "interception"): [{"Home": "A1"}],
            ("allies", "hex"): "s6",
            ("allies", "path"): ["n4 > n5 > n6 > s6"],
            ("axis", "counter-interception"): [{"Brest|Germany/SUB": "meet T1", "Cover": "meet T1"}],
            ("axis", "hex"): "n5",
            ("allies", "screen"): {"renown": "screen", "Britain/DD": "screen"},
            ("axis", "submarine target"): "renown",
            ("axis", "withdraw"): all_withdraw,
            ("allies", "activity"): "abort",
        },
        {"Home": [5], "Brest": [6], "Cover": [6]},
    )
    assert [place.key for place in played.to("submarine target").form.places] == ["hood", "renown"]
    played.to_end()
    (shot,) = played.events(TorpedoesFired)
    assert {line.rule: line.amount for line in shot.modifiers.lines}["22.9414"] == -2
    assert played.battles() == ["n5"]
    home = {ship.name: each.inverted for each in played.operation.forces[ALLIES] for ship in each.ships}
    assert home == {"Hood": True, "Renown": False}
    (destroyers,) = [each for each in played.operation.forces[ALLIES] if each.light]
    assert not destroyers.inverted and destroyers.harbour == "Scapa"


# -- Magic ------------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.22K.4")
def test_a_magic_interception_rolls_nothing_and_costs_others_nothing() -> None:
    americans = force("Fletcher", "Scapa", nation="United States", magic=2)
    played = landing(
        [GUNS, force("Others", "Kiel")],
        [HOME, americans],
        {
            ("axis", "announce"): {"Guns": "Shell", "Others": "Shell"},
            ("allies", "interception"): [{"Home": "A1", "Fletcher": "A1"}],
            ("allies", "hex"): "s4",
        },
        order_of_battle="hidden",
    )
    marker = next(each for each in played.game.picture(AXIS).operation.forces[ALLIES] if each.id == "Fletcher")
    assert marker.magic is None, "the enemy does not know of it"
    played.to_end()
    assert played.rolled == {"Home": 4}, "two for bombardment and two TFs, and no second attempt"
    settled = played.events(TriesSettled)[0]
    assert {each.force: each.round for each in settled.tries} == {"Home": 1, "Fletcher": 2}
    assert played.force("Fletcher").magic is None and played.force("Fletcher").attempted, "it is made once"


@pytest.mark.ledger("22.22K.4")
@pytest.mark.parametrize("given", [{"nation": "Britain"}, {"nation": "United States", "task_force": False}])
def test_only_american_task_forces_make_magic_interceptions(given: dict[str, Any]) -> None:
    with pytest.raises(ScenarioError, match=r"22\.22K"):
        landing([GUNS], [force("Fletcher", "Scapa", magic=1, **given)], {})


# -- task forces made up anew -----------------------------------------------------------------------------


@pytest.mark.ledger("22.14B.2")
def test_22_14B_a_port_may_form_as_many_task_forces_as_its_ships_can_fill() -> None:
    """Forty naval factors are four task forces of ten (FP-107); a destroyer fewer in one of them, and it is none."""
    fleet = force("Home", "Scapa", ["Hood", "Renown", "Repulse", "Rodney"], destroyers=7)
    names = [f"Scapa TF {number}" for number in (1, 2, 3, 4)]
    shared = {"Home": 7, **dict(zip(names, (7, 7, 6), strict=False))}
    played = landing(
        [GUNS, force("Others", "Kiel"), force("Third", "Kiel")],
        [fleet, force("More", "Scapa", destroyers=20, task_force=False)],
        {
            ("axis", "announce"): {"Guns": "Shell", "Others": "Shell", "Third": "Shell"},
            ("allies", "interception"): [{"task forces": "reconstitute"}],
            ("allies", "interception again"): dict.fromkeys(["Home", *names[:3]], "A1"),
            ("allies", "hex"): "s4",
            ("allies", "reconstitute"): {
                "Scapa|hood": "Home",
                **{f"Scapa|{ship}": name for ship, name in zip(("renown", "repulse", "rodney"), names, strict=False)},
                "Scapa|Britain/DD": shared,
            },
        },
    )
    form = played.to("reconstitute").form
    assert [place.key for place in form.places] == ["outside at Scapa", "Home", *names]
    answer = played.answers[("allies", "reconstitute")]
    with pytest.raises(IllegalChoice, match="20.16"):
        form.read({**answer, "Scapa|Britain/DD": {**shared, names[2]: 5, "outside at Scapa": 1}}, "22.14B")
    played.to_end()
    assert [each.force for each in played.events(TriesAnnounced)[0].tries] == ["Home", *names[:3]]
    assert played.rolled == {"Home": 2, "Scapa TF 1": 2, "Scapa TF 2": 2, "Scapa TF 3": 1}, "Rodney is slow"


@pytest.mark.ledger("22.14B.2", "22.16")
def test_inverted_ships_are_made_up_anew_apart_and_stay_inverted() -> None:
    played = landing(
        [
            CONVOY,
            force("Fresh", "Kiel", ["Bismarck"]),
            force("Tired", "Kiel", ["Tirpitz", "Scheer"], destroyers=14, inverted=True),
        ],
        [HOME],
        {
            **LANDS,
            ("allies", "interception"): [{"Home": "A1"}],
            ("allies", "hex"): "s5",
            ("axis", "counter-interception"): [{"task forces": "reconstitute"}],
            ("axis", "reconstitute"): {
                "Kiel|bismarck": "Fresh",
                "Kiel, inverted|tirpitz": "Tired",
                "Kiel, inverted|scheer": "Kiel, inverted TF 1",
                "Kiel, inverted|Germany/DD": {"Tired": 6, "Kiel, inverted TF 1": 8},
            },
        },
        {"Home": [6]},
        {"counter_interceptors_inverted": "allowed"},
    )
    form = played.to("reconstitute").form
    offered = {item.key: form.places_for(item) for item in form.items}
    assert offered["Kiel|bismarck"] == ("outside at Kiel", "Fresh")
    assert offered["Kiel, inverted|tirpitz"] == (
        "outside at Kiel, inverted",
        "Tired",
        "Kiel, inverted TF 1",
        "Kiel, inverted TF 2",
    )
    played.to("counter-interception")
    assert not played.force("Fresh").inverted
    assert played.force("Tired").inverted and played.force("Kiel, inverted TF 1").inverted


@pytest.mark.ledger("22.14B.2")
def test_a_task_force_that_losses_left_with_too_many_carriers_may_stay_as_it_is_but_take_no_more() -> None:
    """FP-81: six factors of carriers beside one of guns; the others there are as they should be."""
    carriers = tuple(map(find_ship, ("Akagi", "Kaga")))
    left = NavalForce(id="Left", place="Truk", harbour="Truk", ships=carriers, light={"Japan/DD": 1})
    sound = NavalForce(id="Sound", place="Truk", harbour="Truk", ships=(find_ship("Kongo"), find_ship("Soryu")))
    form = reconstitution_form([left, sound], ["Left", "Sound"], 25)
    form.read(form.default, "22.14B")
    kept = {key: dict(held) for key, held in form.default.items()}
    for changed in (
        {**kept, "Truk|soryu": {"Left": 1}},
        {**kept, "Truk|Japan/DD": {"Sound": 1}},
        {**kept, "Truk|kongo": {"Left": 1}},  # Soryu alone is more than half of hers
    ):
        with pytest.raises(IllegalChoice, match="half the factors"):
            form.read(changed, "22.14B")
    away = {"outside at Truk": 1}
    with pytest.raises(IllegalChoice, match="20.16"):
        form.read({**kept, "Truk|kaga": away}, "22.14B")  # seven factors are few enough (FP-107)
    form.read({**kept, "Truk|akagi": away, "Truk|kaga": away, "Truk|Japan/DD": away}, "22.14B")
