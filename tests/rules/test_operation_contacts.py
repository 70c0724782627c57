"""22.12-22.16 in play: who is met where, in one hex or in several, by whom and in which order."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.core.errors import IllegalChoice, ScenarioError
from flagplot.model.interception import Level
from flagplot.model.operation import Operation
from flagplot.model.operation_events import (
    ContactMade,
    ContactsSought,
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
    BOTH,
    CONVOY,
    GUNS,
    HOME,
    LANDS,
    PORTS,
    SCAPA,
    SECOND,
    SHELL,
    OperationTable,
    activity,
    air_base,
    all_withdraw,
    boats,
    contacts,
    dice_of,
    force,
    landing,
    port,
    setup,
)
from tests.rules.random_operations import random_operation_game

# -- what is caught -------------------------------------------------------------------------------------


@pytest.mark.ledger("22.141", "22.12.1")
def test_who_passes_the_hex_is_caught_whether_his_path_was_asked_for_or_not() -> None:
    played = landing(
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
    played = landing(
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
    played = landing(
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
    played = landing(
        [CONVOY],
        [boats("Scapa", 3, "Britain")],
        {
            **LANDS,
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
    played = landing([CONVOY, italians], [HOME], BOTH, inputs=peace)
    form = played.to("interception").form
    (home,) = [item for item in form.items if item.key == "Home"]
    assert {place: limit.rule for place, limit in form.barred(home).items()} == {"A2": "22.112"}
    alone = landing(
        [italians], [HOME, boats("Scapa", 1, "Britain")], {("axis", "announce"): {"Guns": "Shell"}}, inputs=peace
    )
    assert alone.to_end().was_asked("allies", "interception") == 0


@pytest.mark.ledger("22.112")
@pytest.mark.parametrize(("french_port", "asked"), [("n2", 1), ("n22", 0)])
def test_who_has_no_war_with_those_on_their_way_does_not_counter_them(french_port: str, asked: int) -> None:
    """A1 and A2 are one target in s1. Italy, at peace with Britain, counters if the French, who cannot reach it from n22,
    are on their way there too."""
    played = landing(
        [
            *(CONVOY, GUNS, force("Italians", "Kiel", nation="Italy")),
            *(port("Deep", "s12"), activity("Raid", "shore bombardment", "s12")),
        ],
        [HOME, port("Hull", french_port), force("French", "Hull", nation="France")],
        {
            ("axis", "announce"): {"Convoy": "Land", "Guns": "Raid"},
            ("allies", "interception"): [{"Home": "A1", "French": "A2"}],
            ("allies", "hex"): "s1",
        },
        {"Home": [8], "French": [8]},
        theatre="Pacific",
        length=24,
        inputs={"at_peace": [["Britain", "Italy"]]},
    ).to_end()
    assert played.was_asked("axis", "counter-interception") == asked


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
        landing([GUNS], [HOME], {}, inputs=inputs)


@pytest.mark.ledger("22.113")
def test_russia_leaves_a_target_to_the_western_allies() -> None:
    russians = force("Red", "Scapa", nation="Russia")
    played = landing([CONVOY, GUNS], [HOME, russians], {**BOTH, ("allies", "hex"): "s5"}, {"Home": [6], "Red": [6]})
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
    played = landing(
        [CONVOY],
        [HOME, air_base("Field", "n4", **{f"{nation}_NAS": 2})],
        {**LANDS, ("allies", "interception"): [{"Home": "A1"}], ("allies", "hex"): "s4"},
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
    played = landing(
        [CONVOY, force("Cover", "Kiel", ["Bismarck"])],
        [watch, HOME],
        {
            **LANDS,
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
TO_S5 = {**LANDS, ("allies", "hex"): "s5"}


@pytest.mark.ledger("22.14E", "22.13", "22.16")
def test_an_interceptor_is_countered_in_one_hex_only() -> None:
    played = landing(COVERS, [HOME], {**TO_S5, ("allies", "interception"): [{"Home": "A1"}]}, {"Home": [6]})
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
    played = landing(
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
    played = landing(
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
    played = landing(
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
    played = landing(
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
    played = landing([CONVOY, GUNS], loose, answers)
    played.to("interception")
    played.game.submit(
        ALLIES, {"Loose|Britain/DD": {"A1": 5, "A2": 2}, "More|Britain/CA": {"A2": 2}, "More|hood": "A1"}
    )
    asked = played.to("loose ships")
    assert asked.form.default == {"Loose|Britain/DD": {"go": 7}, "More|hood": {"go": 0}, "More|Britain/CA": {"go": 1}}
    with pytest.raises(IllegalChoice) as refusal:
        played.game.submit(ALLIES, {"Loose|Britain/DD": {"go": 7}, "More|hood": "go"})
    assert "22.14C" in str(refusal.value)
    asked.form.read({"Loose|Britain/DD": {"go": 1}, "More|hood": "hold", "More|Britain/CA": "hold"}, "22.14C")
    with pytest.raises(IllegalChoice):
        asked.form.read({item.key: "hold" for item in asked.form.items}, "22.14C")  # they were named for it
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
    played = landing(
        [CONVOY, GUNS],
        [loose],
        {**BOTH, ("allies", "interception"): [{"Loose|Britain/DD": {"A1": 5, "A2": 4}}], ("allies", "hex"): "s5"},
    ).to_end()
    assert played.was_asked("allies", "loose ships") == 0
    (attempt,) = played.events(TriesAnnounced)[0].tries
    assert dice_of(played)[attempt.id] == {"22.22A": 2, "22.22D": 1, "22.22E": 2}, "no second attempt, so no K"


# -- in which order -----------------------------------------------------------------------------------------


@pytest.mark.ledger("22.161", "22.164A.1", "22.164B", "22.164C", "22.111")
def test_all_three_levels_are_announced_and_rolled_before_anybody_fights_and_nobody_pays_for_it() -> None:
    played = landing(
        [CONVOY, force("Cover", "Brest", ["Scharnhorst"])],
        [HOME, SECOND],
        {
            **LANDS,
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
