"""Aircraft on land in an operation (23.141C, 23.16, 23.75, 23.752): sortie after sortie, and the end of the player turn."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from flagplot.core.errors import IllegalChoice
from flagplot.core.sides import Side
from flagplot.model import air_events as air
from flagplot.model.events import Searched
from flagplot.model.forces import Cargo
from flagplot.model.operation import NavalForce
from flagplot.model.operation_events import AirfieldsChanged, ContactEnded, ContactsSought, InterceptionRolled
from flagplot.model.squadrons import AirBase
from flagplot.rules.air.upkeep import served_so_far
from flagplot.rules.naval.parting import after_attack_form
from flagplot.scenarios.ships import find_ship
from tests.rules.operation_table import (
    ALLIES,
    AXIS,
    HOME,
    ONE,
    PORTS,
    SHIFT,
    OperationTable,
    activity,
    air_base,
    all_withdraw,
    force,
    port,
    sailing,
    setup,
)

NAS = "Britain/NAS@Field"
SEARCH = {("allies", "air search"): {NAS: {"search": 1}}}  # one die, which shows a 1
BOMB = {("allies", "strike"): {"target": "CG1", NAS: {"fly": 2}}}


def field(played: OperationTable, side: Side, name: str = "Field") -> AirBase:
    return next(each.base for each in played.operation.airfields[side] if each.base.name == name)


def attacks(*hexes: str, leg: str = "A1") -> dict[tuple[str, str], Any]:
    return {("allies", "air attacks"): [{f"{leg} in {hex}": "attack" for hex in hexes}]}


# -- the order of things ----------------------------------------------------------------------------------------


@pytest.mark.ledger("23.752C.1")
def test_air_attacks_begin_when_all_interceptions_and_counters_have_been_rolled() -> None:
    played = sailing(
        [ONE, force("Idle", "Brest", ["Scharnhorst", "Gneisenau"])],
        [HOME, air_base("Field", "n4", Britain_NAS=3)],
        {
            ("allies", "interception"): {"Home": "A1"},
            ("allies", "hex"): "s5",
            ("axis", "counter-interception"): {"Idle": "C1"},
            **attacks("s4"),
            **SEARCH,
        },
        {"Home": [6], "Idle": [6]},
    ).to_end()
    events = list(played.game.events())
    rolled = [index for index, event in enumerate(events) if isinstance(event, InterceptionRolled)]
    sought = [
        index
        for index, event in enumerate(events)
        if isinstance(event, ContactsSought) and any(contact.air for contact in event.contacts)
    ]
    begun = [index for index, event in enumerate(events) if isinstance(event, air.AirAttackAnnounced)]
    assert len(rolled) == 2 and len(sought) == len(begun) == 1
    assert max(rolled) < sought[0] < begun[0]
    assert played.battles() == ["s4", "s5"]


@pytest.mark.ledger("23.752C.2", "23.752B")
def test_the_moving_side_orders_air_attacks_on_its_activities_and_the_other_those_on_its_interceptors() -> None:
    allied = [HOME, air_base("Field", "n4", Britain_NAS=3)]
    both = sailing(
        [ONE, force("Two", "Brest"), activity("Back", "naval redeployment", "Kiel")],
        allied,
        {
            ("axis", "announce"): {"One": "Shift", "Two": "Back"},
            ("allies", "air attacks"): [{"A1 in s3": "attack", "A2 in s5": "attack"}],
            ("axis", "order"): ["C2"],
            **SEARCH,
            **BOMB,
        },
        air_range=2,
    ).to_end()
    assert both.was_asked("axis", "order") == 1 and not both.was_asked("allies", "order")
    assert both.battles() == ["s5", "s3"]
    flown = [event.squadrons for event in both.events(air.DeclaredStrikeFlown)]
    assert flown == [{NAS: 2}, {NAS: 2}], "the same squadrons attack both forces"
    hunters = sailing(
        [ONE, force("Two", "Kiel"), force("Three", "Kiel"), air_base("Field", "n3", Germany_NAS=2)],
        [HOME, force("Second", "Scapa", ["Repulse"])],
        {
            ("axis", "announce"): {"One": "Shift", "Two": "Shift", "Three": "Shift"},
            ("allies", "interception"): [{"Home": "A1", "Second": "A1"}],
            ("allies", "hex"): "s2",
            ("allies", "path"): ["n4 > n3 > n2 > s2", "n4 > s4 > s3 > s2"],
            ("axis", "air attacks"): [{"T1 in n3": "attack", "T2 in s3": "attack"}],
            ("allies", "order"): ["C3"],
            ("axis", "withdraw"): all_withdraw,
        },
        {"Home": [6], "Second": [6]},
    ).to_end()
    assert hunters.was_asked("allies", "order") == 1 and not hunters.was_asked("axis", "order")
    assert hunters.battles() == ["s3", "n3", "s2"]


@pytest.mark.ledger("23.752A.1", "23.752A.3", "23.752A.4", "23.752A.5")
def test_survivors_attack_in_one_hex_after_another_and_may_leave_one_out() -> None:
    played = sailing(
        [ONE],
        [air_base("Field", "n4", Britain_NAS=4)],
        {**attacks("s3", "s5"), **SEARCH, **BOMB},
        air_range=2,
    )
    form = played.to("air attacks").form
    assert [item.key for item in form.items] == ["A1 in s3", "A1 in s4", "A1 in s5"], "within two hexes"
    played.to_end()
    assert played.battles() == ["s3", "s5"]
    assert [sum(event.squadrons.values()) for event in played.events(air.DeclaredStrikeFlown)] == [2, 2]


class Sixes(OperationTable):
    """All dice of air defense show sixes."""

    def step(self) -> None:
        due = self.game.roll_due()
        if due and due.rule == "23.42":
            self.thrown.next = [6, 6]
            self.game.roll()
            return
        super().step()


@pytest.mark.ledger("23.752A.4", "23.161.1")
def test_what_was_shot_down_in_one_hex_is_missing_in_the_next() -> None:
    given = setup([*PORTS, SHIFT, ONE], [port("Scapa", "n4"), air_base("Field", "n4", Britain_NAS=3)], air_range=2)
    answers = {
        ("axis", "announce"): {"One": "Shift"},
        **attacks("s3", "s4", "s5"),
        **SEARCH,
        ("allies", "strike"): [
            {"target": "CG1", NAS: {"fly": 2}},
            lambda decision: {"target": "CG1", NAS: {"fly": 1}},
            lambda decision: {"target": "none"},
        ],
    }
    played = Sixes(given, answers)
    played.to_end()
    assert [event.eliminated for event in played.events(air.AirDefenseRolled)] == [1, 1], "1/1 at level 1"
    assert field(played, ALLIES).inverted == {"Britain/NAS": 1} and not field(played, ALLIES).squadrons
    flown = [sum(event.squadrons.values()) for event in played.events(air.DeclaredStrikeFlown)]
    assert flown == [2, 1], "of three one searches; one is lost in each hex"
    last = played.events(ContactEnded)[-1]
    assert last.outcome == "nobody was attacked" and len(played.events(Searched)) == 3


# -- the end of the redeployment phase and of the player turn ------------------------------------------------------


@pytest.mark.ledger("23.164.1", "23.161.1")
def test_of_squadrons_alike_those_that_acted_are_counted_once_however_often_they_act() -> None:
    assert served_so_far({}, {}, {"Britain/NAS": 2}) == {"Britain/NAS": 2}
    assert served_so_far({"Britain/NAS": 2}, {}, {"Britain/NAS": 3}) == {"Britain/NAS": 3}
    assert served_so_far({"Britain/NAS": 2}, {"Britain/NAS": 1}, {}) == {"Britain/NAS": 1}
    assert served_so_far({"Britain/NAS": 2}, {"Britain/NAS": 2}, {"Britain/AAS/cover": 1}) == {"Britain/AAS/cover": 1}


@pytest.mark.ledger("23.164.1", "23.752A.2", "23.23E")
def test_what_acted_at_sea_stays_uninverted_until_the_redeployment_phase_is_over() -> None:
    played = sailing(
        [ONE], [air_base("Field", "n4", Britain_NAS=4)], {**attacks("s3", "s4"), **SEARCH, **BOMB}, air_range=2
    )
    played.to("defend")
    while played.battles() == ["s3"]:
        played.step()
    before = field(played, ALLIES)
    assert (before.squadrons, before.used, before.inverted) == ({"Britain/NAS": 4}, {"Britain/NAS": 3}, {})
    played.to_end()
    after = field(played, ALLIES)
    assert (after.squadrons, after.inverted, after.used) == ({"Britain/NAS": 1}, {"Britain/NAS": 3}, {})
    assert [event.rule for event in played.events(AirfieldsChanged)][-1] == "23.164"


def test_before_the_redeployment_phase_nothing_is_inverted() -> None:
    patrol = activity("Watch", "patrol", "s8")
    given = setup(
        [*PORTS, patrol, ONE],
        [port("Scapa", "n4"), air_base("Field", "n4", Britain_NAS=4)],
        phases=("movement",),
        air_range=2,
    )
    played = OperationTable(given, {("axis", "announce"): {"One": "Watch"}, **attacks("s3"), **SEARCH, **BOMB})
    played.to_end()
    after = field(played, ALLIES)
    assert (after.squadrons, after.inverted, after.used) == ({"Britain/NAS": 4}, {}, {"Britain/NAS": 3})


@pytest.mark.ledger("23.141C", "23.144.1", "23.142B.2")
def test_at_the_end_of_the_player_turn_squadrons_become_factors_inverted_if_one_of_them_acted() -> None:
    played = sailing([ONE], [air_base("Field", "n4", Britain_AAF=2)], attacks("s4"), air_range=2).to_end()
    after = field(played, ALLIES)
    assert played.events(air.AirBrokenDown) and not after.squadrons and not after.inverted
    assert (after.factors, after.inverted_factors) == ({}, {"Britain/AAF": 2}), "two searched"


@pytest.mark.ledger("23.164.2")
def test_the_side_whose_player_turn_it_was_turns_its_aircraft_again() -> None:
    played = sailing(
        [ONE, air_base("Base", "s4", Germany_NAS=2)],
        [air_base("Field", "n4", Britain_NAS=2)],
        {**attacks("s4"), ("axis", "force cover"): {"Germany/NAS@Base": {"cover": 2}}},
    ).to_end()
    after = field(played, AXIS, "Base")
    assert (after.squadrons, after.inverted) == ({"Germany/NAS": 2}, {})
    assert [event.side for event in played.events(AirfieldsChanged) if event.rule == "23.164"] == [AXIS, AXIS]


@pytest.mark.ledger("22.463B.2")
def test_a_base_within_three_hexes_of_a_battle_is_there_to_land_on_though_its_aircraft_do_not_reach_so_far() -> None:
    played = sailing(
        [ONE],
        [HOME, air_base("Near", "n7", Britain_NAS=1), air_base("Far", "n9", Britain_NAS=1)],
        {("allies", "interception"): {"Home": "A1"}, ("allies", "hex"): "s5"},
        {"Home": [6]},
    ).to_end()
    listed = [event.air_bases for event in played.events(air.AirBasesListed) if event.side is ALLIES]
    assert [[(base.name, base.distance) for base in bases] for bases in listed] == [[("Near", 3)]]
    assert not played.was_asked("allies", "cover") and not played.was_asked("allies", "air search")


# -- damaged ships (23.443A) ----------------------------------------------------------------------------------------


class Hits(OperationTable):
    """All dice of air attacks show sixes."""

    def step(self) -> None:
        due = self.game.roll_due()
        if due and due.rule == "23.44":
            self.thrown.next = [6, 6]
            self.game.roll()
            return
        super().step()


SISTERS = force("One", "Kiel", ["Bismarck", "Tirpitz"], destroyers=6)


def struck(*also: dict[str, Any], answers: dict[tuple[str, str], Any] | None = None) -> Hits:
    """Two squadrons hit Bismarck in s3: 12 at no modifier on row 2 are three hits on a ship of four factors."""
    given = setup(
        [*PORTS, SHIFT, SISTERS, *also],
        [port("Scapa", "n4"), HOME, air_base("Field", "n4", Britain_NAS=3)],
        air_range=2,
    )
    told: dict[tuple[str, str], Any] = {
        ("axis", "announce"): {"One": "Shift"},
        **attacks("s3"),
        **SEARCH,
        ("allies", "strike"): [{"target": "CG1", NAS: {"fly": 2}}],
        ("allies", "air targets"): {NAS: "bismarck"},
    }
    return Hits(given, {**told, **(answers or {})})


@pytest.mark.ledger("23.443A.2")
def test_after_an_air_attack_damaged_ships_stay_or_go_home_alone_or_with_others() -> None:
    for leaves, home, on in (
        ({}, None, ("bismarck", "tirpitz")),
        ({"One|bismarck": "leaves"}, {}, ("tirpitz",)),
        ({"One|bismarck": "leaves", "One|Germany/DD": {"leaves": 2}}, {"Germany/DD": 2}, ("tirpitz",)),
    ):
        played = struck(answers={("axis", "abort"): leaves}).to_end()
        one = played.force("One")
        assert tuple(ship.id for ship in one.ships) == on and (one.harbour, one.inverted) == ("Brest", False)
        parted = [each for each in played.operation.forces[AXIS] if each.id != "One"]
        if home is None:
            assert not parted and one.ships[0].damaged
        else:
            (back,) = parted
            assert [ship.id for ship in back.ships] == ["bismarck"] and back.light == home
            assert (back.harbour, back.inverted, back.task_force) == ("Kiel", True, False)
            assert sum(one.light.values()) == 6 - sum(home.values())


@pytest.mark.ledger("23.443A.2", "22.18D")
def test_who_goes_home_damaged_may_be_intercepted_on_the_way() -> None:
    played = struck(
        answers={
            ("axis", "abort"): {"One|bismarck": "leaves"},
            ("allies", "interception"): lambda decision: (
                {"Home": "A2"} if any("A2" in place.key for place in decision.form.places) else {}
            ),
            ("allies", "hex"): "s1",
        },
    )
    played.dice = {"Home": [6]}
    played.to_end()
    assert played.battles() == ["s3", "s1"]
    (met,) = [each for each in played.mustered(1) if each not in ("Home", "One")]
    assert played.mustered(1)[met][1] == 1


def test_sound_ships_leave_only_with_damaged_ones_and_not_all_of_them() -> None:
    played = struck()
    form = played.to("abort", AXIS).form
    for wire, why in (
        ({"One|tirpitz": "leaves"}, "only to protect damaged ones"),
        ({"One|bismarck": "leaves", "One|tirpitz": "leaves", "One|Germany/DD": "leaves"}, "If nobody stays"),
    ):
        with pytest.raises(IllegalChoice, match=why):
            form.read(wire, "23.443A")
    assert form.read({"choice": "abort"}, "22.28A").place("choice") == "abort"
    whole = struck(answers={("axis", "abort"): {"choice": "abort"}}).to_end()
    assert whole.force("One").harbour == "Kiel" and whole.force("One").inverted


@pytest.mark.ledger("23.443A.2")
def test_ships_of_several_forces_go_home_together_and_a_force_may_leave_the_activity_whole() -> None:
    two = force("Two", "Kiel", ["Tirpitz"], destroyers=6)
    given = setup(
        [*PORTS, SHIFT, force("One", "Kiel", ["Bismarck"], destroyers=1), two],
        [port("Scapa", "n4"), air_base("Field", "n4", Britain_NAS=3)],
        air_range=2,
    )
    for leaving, back, on in (
        ({"Two|Germany/DD": {"leaves": 5}}, 6, 1),
        ({}, 1, 6),
    ):
        played = Hits(
            given,
            {
                ("axis", "announce"): {"One": "Shift", "Two": "Shift"},
                ("axis", "number"): {"One": "1", "Two": "2"},
                **attacks("s3"),
                **SEARCH,
                ("allies", "strike"): [{"target": "CG1", NAS: {"fly": 2}}],
                ("allies", "air targets"): {NAS: "bismarck"},
                ("axis", "abort"): {"One|bismarck": "leaves", "One|Germany/DD": "leaves", **leaving},
            },
        ).to_end()
        assert not played.has("One") and played.force("Two").harbour == "Brest"
        assert played.force("Two").light == {"Germany/DD": on}
        (home,) = [each for each in played.operation.forces[AXIS] if each.id != "Two"]
        assert home.light == {"Germany/DD": back} and home.harbour == "Kiel"
        assert home.task_force is (back == 6), "ten factors are a task force"


def test_ships_that_carry_something_stay_with_the_activity() -> None:
    hurt = replace(find_ship("Bismarck"), damaged=True)
    laden = NavalForce(
        id="One",
        place="s0",
        ships=(hurt,),
        light={"Germany/DD/loaded": 1, "Germany/DD": 1, "Germany/TR": 2, "Germany/CA/damaged": 1},
        cargo=(Cargo("a corps", 1), Cargo("stores", 2, "TR")),
    )
    keys = [item.key for item in after_attack_form([laden]).items]
    assert keys == ["choice", "One|bismarck", "One|Germany/DD", "One|Germany/CA/damaged"]
    empty = replace(laden, cargo=(), light={"Germany/TR": 2})
    assert [item.key for item in after_attack_form([empty]).items] == ["choice", "One|bismarck", "One|Germany/TR"]
    assert len(after_attack_form([replace(empty, ships=())]).items) == 1


# -- cover over several task forces (23.23D) -------------------------------------------------------------------------


@pytest.mark.ledger("23.23D.1", "23.23D.2", "23.23A")
def test_four_squadrons_over_three_task_forces_are_two_over_the_one_that_is_attacked() -> None:
    axis = [
        force("One", "Kiel", ["Bismarck", "Tirpitz"], destroyers=2),
        force("Two", "Kiel", ["Scharnhorst", "Gneisenau"], destroyers=4),
        force("Three", "Kiel", cruisers=4, destroyers=2),
        air_base("Base", "s3", Germany_NAS=4),
    ]
    together = {("axis", "announce"): {"One": "Shift", "Two": "Shift", "Three": "Shift"}}
    numbered = {("axis", "number"): {"One": "1", "Two": "2", "Three": "3"}}
    cover = {("axis", "force cover"): {"Germany/NAS@Base": {"cover": 4}}}
    one = sailing(
        axis,
        [air_base("Field", "n4", Britain_NAS=5)],
        {**together, **numbered, **cover, **attacks("s3"), **SEARCH, **BOMB},
        air_range=2,
    ).to_end()
    (covered,) = [event for event in one.events(air.CoverAssigned) if event.cover]
    assert covered.cover == {1: {"Germany/NAS@Base": 2}}
    (engaged,) = one.events(air.DefendersEngaged)
    assert engaged.squadrons == {"Germany/NAS@Base": 2}
    both = Found(
        one.game.header.setup,
        {
            **together,
            **numbered,
            **cover,
            **attacks("s3"),
            ("allies", "air search"): {NAS: {"search": 2}},
            ("allies", "strike"): [{"target": "CG1", NAS: {"fly": 2}}, {"target": "CG2", NAS: {"fly": 1}}],
            ("axis", "cover shares"): {"Germany/NAS@Base": {"CG1": 1, "CG2": 2}},
        },
    ).to_end()
    (covered,) = [event for event in both.events(air.CoverAssigned) if event.cover]
    assert covered.cover == {1: {"Germany/NAS@Base": 1}, 2: {"Germany/NAS@Base": 2}}, "their owner says which has more"


class Found(OperationTable):
    """Two search dice show 1 and 2."""

    def step(self) -> None:
        due = self.game.roll_due()
        if due and due.rule == "23.722":
            self.thrown.next = [1, 2]
            self.game.roll()
            return
        super().step()
