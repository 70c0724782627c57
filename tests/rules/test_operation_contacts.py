"""22.12-22.16, 22.22, 22.9 in play: who is met where, in one hex or in several, and by whom."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from flagplot.core.asks import Decide
from flagplot.core.errors import IllegalChoice, ScenarioError
from flagplot.model.air_events import SubmarinesMustered, TorpedoesFired
from flagplot.model.events import RoundBegan
from flagplot.model.interception import Level
from flagplot.model.operation import Operation
from flagplot.model.operation_events import (
    ContactMade,
    ContactsSought,
    InterceptionDiceCounted,
    InterceptionRolled,
    PathGiven,
    TriesAnnounced,
    TriesSettled,
)
from flagplot.model.operation_fold import apply_operation
from flagplot.rules.naval.passage import rows_of
from tests.rules.operation_table import (
    ALLIES,
    AXIS,
    OperationTable,
    activity,
    air_base,
    all_withdraw,
    boats,
    force,
    port,
    setup,
)
from tests.rules.random_operations import random_operation_game

PORTS = [port("Kiel", "s0"), port("Brest", "s8")]
SCAPA = [port("Scapa", "n4")]
LAND = activity("Land", "seaborne invasion", "s6")
SHELL = activity("Shell", "shore bombardment", "s6")
CONVOY, GUNS = force("Convoy", "Kiel"), force("Guns", "Kiel", ["Bismarck", "Tirpitz"])
HOME, SECOND = force("Home", "Scapa", ["Hood", "Renown"]), force("Second", "Scapa", ["Repulse"])
BOTH = {("axis", "announce"): {"Convoy": "Land", "Guns": "Shell"}}
ONE = {("axis", "announce"): {"Convoy": "Land"}}


def table(
    axis: list[dict[str, Any]],
    allies: list[dict[str, Any]],
    answers: dict[tuple[str, str], Any],
    dice: dict[str, list[int]] | None = None,
    options: dict[str, str] | None = None,
    **more: Any,
) -> OperationTable:
    """A combat phase: the convoy lands in s6, or guns shell it, or both; everything else as said."""
    given = setup([*PORTS, LAND, SHELL, *axis], [*SCAPA, *allies], **{"phases": ("combat",), **more})
    return OperationTable(given, answers, dice or {}, options)


def contacts(played: OperationTable) -> list[tuple[str, tuple[str, ...]]]:
    """The hexes in which somebody seeks a contact, with the voyages caught there."""
    return [(each.hex, each.legs) for event in played.events(ContactsSought) for each in event.contacts]


def dice_of(played: OperationTable) -> dict[str, dict[str, int]]:
    """By attempt: the amounts of each rule in its dice."""
    return {
        event.attempt: {line.rule: line.amount for line in event.dice.lines}
        for event in played.events(InterceptionDiceCounted)
    }


# -- what is caught -------------------------------------------------------------------------------------


@pytest.mark.ledger("22.141", "22.12.1")
def test_who_passes_the_hex_is_caught_whether_his_path_was_asked_for_or_not() -> None:
    played = table(
        [CONVOY, GUNS],
        [HOME],
        {
            **BOTH,
            ("allies", "demand"): [{"A1": "demand", "A2": "waive"}],
            ("allies", "interception"): [{"Home": "A1"}],
            ("allies", "hex"): "s6",
        },
        {"Home": [6]},
    ).to_end()
    assert contacts(played)[0] == ("s6", ("A1", "A2"))
    assert played.events(ContactMade)[0].forces[AXIS] == ("Convoy", "Guns")
    shown = [event.leg for event in played.events(PathGiven) if event.to == "everyone"]
    assert shown[:2] == ["A1", "A2"], "and then everyone knows its path"


@pytest.mark.ledger("22.13A")
def test_who_is_taken_beyond_a_strait_is_still_caught_on_this_side() -> None:
    played = table(
        [CONVOY, GUNS],
        [HOME, SECOND],
        {
            **BOTH,
            ("allies", "interception"): [{"Home": "A1/2", "Second": "A2/1"}],
            ("allies", "hex A1/2"): "s5",
            ("allies", "hex A2/1"): "s2",
        },
        {"Home": [6], "Second": [6]},
        straits=[["s3", "s4"]],
    ).to_end()
    assert contacts(played)[:2] == [("s5", ("A1", "A2")), ("s2", ("A2", "A1"))]


@pytest.mark.ledger("22.13E", "22.915.2")
def test_ships_choose_their_hex_whatever_submarines_have_chosen() -> None:
    submarine = "Scapa|Britain/SUB"
    played = table(
        [CONVOY, GUNS],
        [HOME, boats("Scapa", 1, "Britain")],
        {
            **BOTH,
            ("allies", "interception"): [{"Home": "A2", submarine: "A1"}],
            ("allies", "hex A2"): "s5",
            ("allies", "hex A1"): "s1",
        },
        {"Home": [6], "Scapa": [6]},
    ).to_end()
    assert contacts(played)[:2] == [("s5", ("A2", "A1")), ("s1", ("A1", "A2"))]
    announced = played.events(TriesAnnounced)[0]
    assert [(each.kind, each.hex) for each in announced.tries] == [("TF", "s5"), ("submarine", "s1")]


@pytest.mark.ledger("22.915.2", "22.13E")
def test_submarines_of_one_port_may_go_to_different_hexes() -> None:
    played = table(
        [CONVOY],
        [boats("Scapa", 3, "Britain")],
        {
            **ONE,
            ("allies", "interception"): [{"Scapa|Britain/SUB": {"A1": 3}}],
            ("allies", "hex"): {"Scapa|Britain/SUB": {"s4": 1, "s5": 2}},
        },
        {"Scapa": [6, 6, 6]},
    ).to_end()
    assert [each.hex for each in played.events(TriesAnnounced)[0].tries] == ["s4", "s5", "s5"]
    assert played.battles() == ["s4", "s5"]


@pytest.mark.ledger("22.141E")
@pytest.mark.parametrize(
    ("restrictions", "caught"), [([], ("A1", "A2")), (["Anglo-French"], ("A1",)), (["Russo-Allied"], ("A1", "A2"))]
)
def test_british_and_french_ships_are_caught_apart_while_they_do_not_cooperate(
    restrictions: list[str], caught: tuple[str, ...]
) -> None:
    played = OperationTable(
        setup(
            [port("Kiel", "s5"), force("One", "Kiel", ["Bismarck"])],
            [
                *SCAPA,
                force("Home", "Scapa", ["Hood"]),
                force("Fleet", "Scapa", nation="France"),
                activity("North", "shore bombardment", "n9"),
                activity("Far", "shore bombardment", "n8"),
            ],
            mover="allies",
            phases=("combat",),
            inputs={"restrictions": restrictions},
        ),
        {
            ("allies", "announce"): {"Home": "North", "Fleet": "Far"},
            ("axis", "interception"): [{"One": "A1"}],
            ("axis", "hex"): "n6",
        },
    ).to_end()
    assert contacts(played)[0] == ("n6", caught)


# -- who may not ----------------------------------------------------------------------------------------


@pytest.mark.ledger("22.112")
def test_without_a_war_nobody_intercepts() -> None:
    italians = force("Guns", "Kiel", nation="Italy")
    peace = {"at_peace": [["Britain", "Italy"]]}
    played = table([CONVOY, italians], [HOME], BOTH, inputs=peace)
    form = played.to("interception").form
    (home,) = [item for item in form.items if item.key == "Home"]
    assert {place: limit.rule for place, limit in form.barred(home).items()} == {"A2": "22.112"}
    alone = table(
        [italians], [HOME, boats("Scapa", 1, "Britain")], {("axis", "announce"): {"Guns": "Shell"}}, inputs=peace
    )
    assert alone.to_end().was_asked("allies", "interception") == 0


@pytest.mark.parametrize(
    ("inputs", "rule"),
    [
        ({"at_peace": [["Britain"]]}, "22.112"),
        ({"at_peace": ["Britain"]}, "22.112"),
        ({"at_peace": [["Britain", "Ruritania"]]}, "22.112"),
        ({"restrictions": ["Franco-Italian"]}, "53.253"),
    ],
)
def test_wars_and_restrictions_that_nobody_knows_are_refused(inputs: dict[str, Any], rule: str) -> None:
    with pytest.raises(ScenarioError, match=rule):
        table([GUNS], [HOME], {}, inputs=inputs)


@pytest.mark.ledger("22.113")
def test_russia_leaves_a_target_to_the_western_allies() -> None:
    russians = force("Red", "Scapa", nation="Russia")
    played = table([CONVOY, GUNS], [HOME, russians], {**BOTH, ("allies", "hex"): "s5"}, {"Home": [6], "Red": [6]})
    played.to("interception")
    with pytest.raises(IllegalChoice) as refusal:
        played.game.submit(ALLIES, {"Home": "A1", "Red": "A1"})
    assert "22.113" in str(refusal.value)
    played.game.submit(ALLIES, {"Home": "A1", "Red": "A2"})
    played.to_end()
    (announced,) = [event for event in played.events(TriesAnnounced) if event.side is ALLIES][:1]
    assert [each.force for each in announced.tries] == ["Home"], "both voyages are one target in s5"
    assert played.rolled == {"Home": 4} and not played.force("Red").attempted, "nor does it cost a die (IR-15)"


@pytest.mark.ledger("22.22G.4b", "22.22G.4")
@pytest.mark.parametrize(
    ("nation", "restrictions", "spotting"),
    [
        ("Russia", [], 2),
        ("Russia", ["Russo-Allied"], 0),
        ("France", ["Russo-Allied", "Anglo-French"], 2),
        ("Britain", ["Russo-Allied"], 2),
    ],
)
def test_russian_air_does_not_spot_for_allies_it_does_not_cooperate_with(
    nation: str, restrictions: list[str], spotting: int
) -> None:
    played = table(
        [CONVOY],
        [HOME, air_base("Field", "n4", **{f"{nation}_NAS": 2})],
        {**ONE, ("allies", "interception"): [{"Home": "A1"}], ("allies", "hex"): "s4"},
        air_range=2,
        inputs={"restrictions": restrictions},
    ).to_end()
    assert dice_of(played)["T1"].get("22.22G", 0) == spotting


@pytest.mark.ledger("22.11A.3", "22.11A.4", "22.11A.5")
@pytest.mark.parametrize(
    ("purpose", "nation", "asked"),
    [
        ("", "Britain", 1),
        ("ASW", "Britain", 0),
        ("transports", "Britain", 0),
        ("transports", "Russia", 1),
        ("against raiders", "Britain", 0),
    ],
)
def test_who_sails_to_a_box_for_these_purposes_is_immune(purpose: str, nation: str, asked: int) -> None:
    out = activity("Out", "SW box redeployment", "Atlantic", **({"purpose": purpose} if purpose else {}))
    played = OperationTable(
        setup(
            [port("Kiel", "s5"), force("One", "Kiel", ["Bismarck"])],
            [*SCAPA, port("Atlantic", "n9", box="SW"), force("Group", "Scapa", nation=nation), out],
            mover="allies",
            phases=("movement",),
        ),
        {("allies", "announce"): {"Group": "Out"}},
    ).to_end()
    assert played.was_asked("axis", "interception") == asked


@pytest.mark.ledger("22.12B.2", "22.12A")
def test_a_patrol_is_not_countered_in_the_hex_it_leaves() -> None:
    watch = force("Watch", "Scapa", ["Repulse"], at="n3", patrol="defensive")
    played = table(
        [CONVOY, force("Cover", "Kiel", ["Bismarck"])],
        [watch, HOME],
        {
            **ONE,
            ("allies", "interception"): [{"Watch": "A1", "Home": "A1"}],
            ("allies", "hex"): "s5",
            ("allies", "path T1"): ["n3 > n4 > n5 > s5"],
            ("allies", "path T2"): ["n4 > n5 > s5"],
            ("axis", "counter-interception"): [{"Cover": "meet T1, T2"}],
        },
        {"Watch": [6], "Home": [6]},
    )
    form = played.to("hex", AXIS).form
    assert [place.key for place in form.places] == ["n4", "n5"]
    played.answers[("axis", "hex")] = "n4"
    played.to("path", AXIS)
    assert played.operation.wave.contacts[-1].met == ("T1", "T2"), "Home leaves n4 from port, so she is met there"


# -- one hex for one target -----------------------------------------------------------------------------

COVERS = [CONVOY, force("B", "Kiel"), force("C", "Kiel")]
TO_S5 = {**ONE, ("allies", "hex"): "s5"}


@pytest.mark.ledger("22.14E", "22.13", "22.16")
def test_an_interceptor_is_countered_in_one_hex_only() -> None:
    played = table(COVERS, [HOME], {**TO_S5, ("allies", "interception"): [{"Home": "A1"}]}, {"Home": [6]})
    played.to("counter-interception")
    with pytest.raises(IllegalChoice) as refusal:
        played.game.submit(AXIS, {"B": "meet T1", "C": "C1"})
    assert "22.14E" in str(refusal.value)
    played.game.submit(AXIS, {"B": "C1", "C": "C1"})


@pytest.mark.ledger("22.14E", "22.253", "22.16")
@pytest.mark.parametrize(
    ("more", "met", "expected"),
    [
        ({}, ("T1",), {"B": "s5", "C": "n4"}),
        ({"D": "meet T2"}, ("T1",), {"B": "s5", "C": "n4", "D": "s5"}),
        ({"B": "hold"}, ("T1", "T2"), {"C": "n4"}),
        ({"B": "hold", "D": "meet T2"}, ("T1", "T2"), {"C": "n4", "D": "n4"}),
    ],
)
def test_no_interceptor_is_met_in_two_hexes(
    more: dict[str, str], met: tuple[str, ...], expected: dict[str, str]
) -> None:
    """T1 and T2 part where they lie, in n4, where both are met together. Who joins the battle in s5 counters both; then
    one of them may be met on its way, but not the other too: those sent against it have to go to s5."""
    played = table(
        [*COVERS, force("D", "Kiel")],
        [HOME, SECOND],
        {
            **TO_S5,
            ("allies", "interception"): [{"Home": "A1", "Second": "A1"}],
            ("allies", "path T1"): ["n4 > n5 > s5"],
            ("allies", "path T2"): ["n4 > s4 > s5"],
            ("axis", "counter-interception"): [{"B": "C1", "C": "meet T1", **more}],
        },
        {"Home": [6], "Second": [6]},
    )
    assert [place.key for place in played.to("hex", AXIS).form.places] == ["n4", "n5"]
    played.answers[("axis", "hex")] = "n4"
    played.to_end()
    assert played.was_asked("axis", "hex") == 1
    assert next(event.contacts[0].met for event in played.events(ContactsSought) if event.side is AXIS) == met
    (announced,) = [event for event in played.events(TriesAnnounced) if event.side is AXIS][:1]
    assert {each.force: each.hex for each in announced.tries} == expected


@pytest.mark.ledger("22.13", "22.162", "22.16")
def test_an_interceptor_that_is_met_farther_on_is_not_met_before() -> None:
    """T1 is met in n5. In n4, which both leave, only T2 is left to be met."""
    played = table(
        COVERS,
        [HOME, SECOND],
        {
            **TO_S5,
            ("allies", "interception"): [{"Home": "A1", "Second": "A1"}],
            ("allies", "path T1"): ["n4 > n5 > s5"],
            ("allies", "path T2"): ["n4 > s4 > s5"],
            ("axis", "counter-interception"): [{"B": "meet T1", "C": "meet T2"}],
            ("axis", "hex meet T1"): "n5",
            ("axis", "hex meet T2"): "n4",
        },
        {"Home": [6], "Second": [6]},
    ).to_end()
    met = [(event.contacts[0].hex, event.contacts[0].met) for event in played.events(ContactsSought)]
    assert met[1:3] == [("n5", ("T1",)), ("n4", ("T2",))]


@pytest.mark.ledger("22.14E", "22.22")
def test_who_cannot_reach_the_hex_others_have_chosen_does_not_try() -> None:
    """Twenty hexes are the most in the Pacific: A1 and A2 are one target in s1, and Far is 22 hexes from there."""
    played = table(
        [CONVOY, GUNS, port("Deep", "s12"), activity("Raid", "shore bombardment", "s12")],
        [HOME, port("Hull", "n22"), force("Far", "Hull", ["Repulse"])],
        {
            ("axis", "announce"): {"Convoy": "Land", "Guns": "Raid"},
            ("allies", "interception"): [{"Home": "A1", "Far": "A2"}],
            ("allies", "hex"): "s1",
        },
        {"Home": [8]},
        theatre="Pacific",
        length=24,
    ).to_end()
    settled = played.events(TriesSettled)[0]
    assert [(each.force, each.status) for each in settled.tries] == [("Home", "sailing"), ("Far", "void")]
    assert "Far" not in played.rolled and not played.force("Far").attempted


@pytest.mark.ledger("22.22", "22.21T.17")
def test_nobody_goes_for_a_target_that_is_all_out_of_range() -> None:
    """From n22 the nearest hex of A2 is s1, 22 hexes away, the nearest of A1 s8, 15 hexes."""
    played = table(
        [CONVOY, activity("Hop", "seaborne invasion", "s1"), force("West", "Brest")],
        [port("Hull", "n22"), force("Far", "Hull", ["Repulse"]), boats("Hull", 1, "Britain")],
        {("axis", "announce"): {"Convoy": "Hop", "West": "Shell"}},
        theatre="Pacific",
        length=24,
    )
    form = played.to("interception").form
    for item in form.items[:2]:
        assert {place: limit.rule for place, limit in form.barred(item).items()} == {"A2": "22.22"}


# -- ships outside task forces --------------------------------------------------------------------------


@pytest.mark.ledger("22.14C.1")
def test_nine_factors_of_a_port_go_for_what_is_met_together_in_one_force() -> None:
    loose = [
        force("Loose", "Scapa", destroyers=12, task_force=False),
        force("More", "Scapa", ["Hood"], task_force=False, cruisers=3),
    ]
    answers = {**BOTH, ("allies", "hex"): "s5"}
    played = table([CONVOY, GUNS], loose, answers)
    played.to("interception")
    played.game.submit(
        ALLIES, {"Loose|Britain/DD": {"A1": 5, "A2": 2}, "More|Britain/CA": {"A2": 2}, "More|hood": "A1"}
    )
    asked = played.to("loose ships")
    assert asked.form.default == {"Loose|Britain/DD": {"go": 7}, "More|hood": {"go": 0}, "More|Britain/CA": {"go": 1}}
    with pytest.raises(IllegalChoice) as refusal:
        played.game.submit(ALLIES, {"Loose|Britain/DD": {"go": 7}, "More|hood": "go"})
    assert "22.14C" in str(refusal.value)
    played.game.submit(ALLIES, {"Loose|Britain/DD": {"go": 6}, "More|hood": "go"})
    played.to("path", ALLIES)
    (going,) = [each for each in played.operation.forces[ALLIES] if each.id not in ("Loose", "More")]
    assert (going.factors, going.light, [ship.name for ship in going.ships]) == (9, {"Britain/DD": 6}, ["Hood"])
    assert played.force("Loose").light == {"Britain/DD": 6} and played.force("More").light == {"Britain/CA": 3}
    played.to_end()
    assert len(played.events(TriesAnnounced)[0].tries) == 1


@pytest.mark.ledger("22.14C.1")
def test_up_to_nine_factors_for_two_voyages_met_together_are_one_attempt() -> None:
    loose = force("Loose", "Scapa", destroyers=9, task_force=False)
    played = table(
        [CONVOY, GUNS],
        [loose],
        {**BOTH, ("allies", "interception"): [{"Loose|Britain/DD": {"A1": 5, "A2": 4}}], ("allies", "hex"): "s5"},
    ).to_end()
    assert played.was_asked("allies", "loose ships") == 0
    (attempt,) = played.events(TriesAnnounced)[0].tries
    assert dice_of(played)[attempt.id] == {"22.22A": 2, "22.22D": 1, "22.22E": 2}, "no second attempt, so no K"


# -- dice -------------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.22F")
def test_ground_factors_count_once_however_many_voyages_bring_the_invasion() -> None:
    land = activity("Assault", "seaborne invasion", "s4", ground_factors=1)
    played = table(
        [CONVOY, force("West", "Brest"), land],
        [HOME],
        {
            ("axis", "announce"): {"Convoy": "Assault", "West": "Assault"},
            ("allies", "interception"): [{"Home": "A1"}],
            ("allies", "hex"): "s4",
        },
    ).to_end()
    assert dice_of(played)["T1"] == {"22.22A": 2, "22.22E": 2, "22.22F": 1}


@pytest.mark.ledger("22.22G")
def test_who_spots_one_of_the_forces_met_together_has_spotted_them_all() -> None:
    """One squadron reaches s1, which only the convoy passes, the other n8, which only the ships from Brest pass."""
    played = table(
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
    played = table(
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
    played = table(
        [CONVOY, force("Cover", "Kiel", ["Bismarck"])],
        [loose, HOME, SECOND],
        {
            **ONE,
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
    played = table(
        [CONVOY, force("Cover", "Brest", ["Scharnhorst"])],
        [port("Hull", "n12"), force("Home", "Hull", ["Hood"]), SECOND],
        {
            **ONE,
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
    played = table(
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
    played = table(
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
    played = table(
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


@pytest.mark.ledger("22.254A.1", "22.254B")
def test_rounds_in_which_nobody_has_come_are_not_fought() -> None:
    """Home has reached two of the four hexes to n6 and would come in round two, which is the first of the battle; so
    Late, seven hexes short and due in round three, is there in the second (IR-50)."""
    played = table(
        [
            CONVOY,
            port("Rear", "s15"),
            force("Near", "Brest", ["Scharnhorst"]),
            force("Late", "Rear", ["Gneisenau"]),
            air_base("Field", "n6", Germany_NAS=3),
        ],
        [SECOND, port("Hull", "n10"), force("Home", "Hull", ["Hood", "Renown"])],
        {
            **ONE,
            ("allies", "interception"): [{"Home": "A1", "Second": "A1"}],
            ("allies", "hex"): "s5",
            ("allies", "path T2"): ["n10 > n9 > n8 > n7 > n6 > n5 > s5"],
            ("axis", "counter-interception"): [{"Near": "meet T2", "Late": "meet T2"}],
            ("axis", "hex"): "n6",
        },
        {"Second": [6], "Home": [2], "Near": [3], "Late": [3]},
    ).to_end()
    assert played.battles()[0] == "n6"
    assert played.mustered(0) == {
        "Home": ("interception", 1),
        "Near": ("counter-interception", 1),
        "Late": ("counter-interception", 2),
    }


@pytest.mark.ledger("22.254A.1", "22.254B", "22.252B.1")
def test_late_submarines_too_wait_for_no_round_that_is_not_fought() -> None:
    """As before, with a submarine for Late: twelve hexes and five reached, so round three, the second of the battle."""
    played = table(
        [
            CONVOY,
            port("Rear", "s17"),
            force("Near", "Brest", ["Scharnhorst"]),
            boats("Rear", 1),
            air_base("Field", "n6", Germany_NAS=3),
        ],
        [SECOND, port("Hull", "n10"), force("Home", "Hull", ["Hood", "Renown"])],
        {
            **ONE,
            ("allies", "interception"): [{"Home": "A1", "Second": "A1"}],
            ("allies", "hex"): "s5",
            ("allies", "path T2"): ["n10 > n9 > n8 > n7 > n6 > n5 > s5"],
            ("axis", "counter-interception"): [{"Near": "meet T2", "Rear|Germany/SUB": "meet T2"}],
            ("axis", "hex"): "n6",
            ("allies", "withdraw"): after_the_second_round(),
        },
        {"Second": [6], "Home": [2], "Near": [4], "Rear": [5]},
        length=20,
    ).to_end()
    assert played.battles()[0] == "n6"
    assert mustered_boats(played, AXIS)[:2] == [(1, {}), (2, {"Germany/SUB": 1})]


# -- submarines and aircraft ------------------------------------------------------------------------------


@pytest.mark.ledger("22.921")
def test_aircraft_attack_before_submarines_in_the_same_hex() -> None:
    played = table(
        [CONVOY],
        [boats("Scapa", 1, "Britain"), air_base("Field", "s6", Britain_NAS=3)],
        {
            **ONE,
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
    played = table(
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
    played = table(
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
    played = table(
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
    played = table(
        [CONVOY, boats("Brest", 1), force("Cover", "Brest", ["Scharnhorst"]), air_base("Field", "n5", Germany_NAS=2)],
        [force("Home", "Scapa", ["Hood", "Renown"], destroyers=6)],
        {
            **ONE,
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
    played = table(
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
        table([GUNS], [force("Fletcher", "Scapa", magic=1, **given)], {})


# -- task forces made up anew -----------------------------------------------------------------------------


@pytest.mark.ledger("22.14B.2")
def test_a_port_may_form_as_many_task_forces_as_it_has_ships() -> None:
    fleet = force("Home", "Scapa", ["Hood", "Renown", "Repulse", "Rodney"])
    names = [f"Scapa TF {number}" for number in (1, 2, 3)]
    played = table(
        [GUNS, force("Others", "Kiel"), force("Third", "Kiel")],
        [fleet],
        {
            ("axis", "announce"): {"Guns": "Shell", "Others": "Shell", "Third": "Shell"},
            ("allies", "interception"): [{"task forces": "reconstitute"}],
            ("allies", "interception again"): dict.fromkeys(["Home", *names], "A1"),
            ("allies", "hex"): "s4",
            ("allies", "reconstitute"): {
                "Scapa|hood": "Home",
                **{f"Scapa|{ship}": name for ship, name in zip(("renown", "repulse", "rodney"), names, strict=True)},
            },
        },
    )
    form = played.to("reconstitute").form
    assert [place.key for place in form.places] == ["outside at Scapa", "Home", *names]
    played.to_end()
    assert [each.force for each in played.events(TriesAnnounced)[0].tries] == ["Home", *names]
    assert played.rolled == {"Home": 2, "Scapa TF 1": 2, "Scapa TF 2": 2, "Scapa TF 3": 1}, "Rodney is slow"


@pytest.mark.ledger("22.14B.2", "22.16")
def test_inverted_ships_are_made_up_anew_apart_and_stay_inverted() -> None:
    played = table(
        [CONVOY, force("Fresh", "Kiel", ["Bismarck"]), force("Tired", "Kiel", ["Tirpitz", "Scheer"], inverted=True)],
        [HOME],
        {
            **ONE,
            ("allies", "interception"): [{"Home": "A1"}],
            ("allies", "hex"): "s5",
            ("axis", "counter-interception"): [{"task forces": "reconstitute"}],
            ("axis", "reconstitute"): {
                "Kiel|bismarck": "Fresh",
                "Kiel, inverted|tirpitz": "Tired",
                "Kiel, inverted|scheer": "Kiel, inverted TF 1",
            },
        },
        {"Home": [6]},
        {"counter_interceptors_inverted": "allowed"},
    )
    form = played.to("reconstitute").form
    offered = {item.key: form.places_for(item) for item in form.items}
    assert offered["Kiel|bismarck"] == ("outside at Kiel", "Fresh")
    assert offered["Kiel, inverted|tirpitz"] == ("outside at Kiel, inverted", "Tired", "Kiel, inverted TF 1")
    played.to("counter-interception")
    assert not played.force("Fresh").inverted
    assert played.force("Tired").inverted and played.force("Kiel, inverted TF 1").inverted


# -- in which order -----------------------------------------------------------------------------------------


@pytest.mark.ledger("22.161", "22.164A.1", "22.164B", "22.164C", "22.111")
def test_all_three_levels_are_announced_and_rolled_before_anybody_fights_and_nobody_pays_for_it() -> None:
    played = table(
        [CONVOY, force("Cover", "Brest", ["Scharnhorst"])],
        [HOME, SECOND],
        {
            **ONE,
            ("allies", "interception"): [{"Home": "A1"}],
            ("allies", "hex"): "s6",
            ("axis", "counter-interception"): [{"Cover": "C1"}],
            ("allies", "counter-counter-interception"): [{"Second": "C1"}],
        },
        {"Home": [6], "Cover": [6], "Second": [6]},
    ).to_end()
    order = [
        (type(event).__name__, getattr(event, "level", ""))
        for event in played.game.events()
        if isinstance(event, TriesAnnounced | InterceptionRolled | ContactMade)
    ]
    assert order[:7] == [
        ("TriesAnnounced", "interception"),
        ("InterceptionRolled", ""),
        ("TriesAnnounced", "counter-interception"),
        ("InterceptionRolled", ""),
        ("TriesAnnounced", "counter-counter-interception"),
        ("InterceptionRolled", ""),
        ("ContactMade", ""),
    ]
    asked = {kind for _, kind, _ in played.asked}
    assert not [kind for kind in asked if "BRP" in kind or "pay" in kind]
    assert played.mustered(0)["Second"] == ("counter-counter-interception", 1)


@pytest.mark.ledger("22.164A.2", "22.18A")
def test_a_patrol_is_intercepted_on_its_way_and_returning_ships_only_when_they_return() -> None:
    played = OperationTable(
        setup(
            [*PORTS, GUNS, force("Watch", "Kiel"), activity("Guard", "patrol", "s3"), SHELL],
            [*SCAPA, HOME, SECOND],
            phases=("movement", "combat"),
        ),
        {
            ("axis", "announce"): [{"Watch": "Guard"}, {"Guns": "Shell"}],
            ("allies", "interception"): [{"Home": "A1"}, {}, {"Second": "A4"}],
            ("allies", "hex"): ["s1", "s5"],
            ("allies", "withdraw"): all_withdraw,
        },
        {"Home": [5], "Second": [6]},
    )
    form = played.to("interception").form
    assert "A1" in [place.key for place in form.places]
    played.step()
    assert [place.key for place in played.to("hex").form.places] == ["s0", "s1", "s2", "s3"]
    played.to("announce")
    assert played.battles() == ["s1"], "on the way to its patrol hex"
    outward = played.to("interception").form
    assert [place.label for place in outward.places if "going home" in place.label] == []
    played.step()
    homeward = played.to("interception").form
    assert [place.key for place in homeward.places if "going home" in place.label] == ["A4"]
    assert not [leg for leg in played.operation.wave.legs if not leg.returning]
    played.to_end()
    assert played.battles() == ["s1", "s5"]


# -- whatever is played -------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(40))
def test_in_any_operation_nobody_is_met_by_ships_in_two_hexes(seed: int) -> None:
    """22.13, 22.14C, 22.14E, 22.16: one hex for a voyage on each side of a strait; one for an interceptor, unless those
    who counter others in its battle meet it there as well; from a port one force of nine factors outside task forces."""
    operation = Operation()
    for event in random_operation_game(seed).events():
        operation = apply_operation(operation, event)
        if not isinstance(event, TriesAnnounced):
            continue
        wave = operation.wave
        ships = [each for each in event.tries if not each.boat]
        sought = [contact for contact in wave.contacts if contact.id in [each.contact for each in ships]]
        if event.level is Level.INTERCEPTION:
            for leg in wave.legs:
                for row in rows_of(operation, leg):
                    assert len({each.hex for each in sought if leg.id in each.legs and each.hex in row}) <= 1
        met = [id for contact in sought if contact.level is event.level for id in contact.met]
        assert len(met) == len(set(met))
        for contact in sought:
            bound = [each.id for each in wave.tries if each.contact == contact.id and each not in event.tries]
            countered = [each for each in wave.tries if each.id in bound and each.side is not event.side]
            under_way = {each.id for each in countered if each.status == "sailing" and not each.boat}
            assert not under_way or not under_way <= set(met)
            loose = [each.force for each in ships if each.kind == "loose" and each.contact == contact.id]
            forces = [operation.force(event.side, id) for id in loose]
            assert len({force.harbour or force.place for force in forces}) == len(forces)
            assert all(force.factors <= 9 for force in forces)
