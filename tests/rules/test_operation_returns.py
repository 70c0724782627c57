"""22.15, 22.26D, 22.27, 22.28, 22.281, 22.282, 22.63, 22.81 in play: what is announced, who aborts, who goes home when."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from flagplot.core.errors import IllegalChoice, ScenarioError
from flagplot.core.sides import Audience
from flagplot.model.operation_events import (
    ActivitiesContinue,
    ContactMade,
    ForcesPlaced,
    MissionsAnnounced,
    WaveAnnounced,
    ZonesClosed,
)
from flagplot.rules.naval.activities import arrived
from tests.rules.operation_table import (
    ALLIES,
    AXIS,
    CORPS,
    HOME,
    OperationTable,
    activity,
    air_base,
    all_withdraw,
    boats,
    combat,
    force,
    port,
)


def voyages(played: OperationTable) -> list[list[tuple[tuple[str, ...], str, str]]]:
    return [[(leg.forces, leg.start, leg.end) for leg in event.legs] for event in played.events(WaveAnnounced)]


# -- announcing --------------------------------------------------------------------------------------


@pytest.mark.ledger("22.15A.2", "22.13C.2")
@pytest.mark.parametrize("extra", [{"meet": "n5"}, {"calls": ["Brest"]}])
def test_the_destination_and_all_that_is_aboard_are_announced_before_the_first_part_is_sailed(extra: Any) -> None:
    played = combat(
        [
            force("Escort", "Kiel"),
            force("Convoy", "Brest", destroyers=4, cargo=CORPS),
            activity("Land", "seaborne invasion", "s12", **extra),
        ],
        [HOME],
        {("axis", "announce"): {"Escort": "Land", "Convoy": "Land"}},
        order_of_battle="hidden",
    )
    played.to("demand", ALLIES)
    (told,) = played.events(MissionsAnnounced)
    assert told.to is Audience.EVERYONE
    (mission,) = told.missions
    assert (mission.name, mission.kind, mission.destination) == ("Land", "seaborne invasion", "s12")
    assert mission.forces == ("Escort", "Convoy"), "those who wait to be joined too"
    assert mission.aboard == ("a corps",)
    assert played.game.picture(ALLIES).operation.missions == (mission,)
    assert all(leg.bound_for == "s12" for leg in played.operation.wave.legs)
    assert "bound for s12" in played.to("demand", ALLIES).form.items[0].label
    assert all(event.to is Audience.AXIS for event in played.events(ActivitiesContinue))


@pytest.mark.ledger("22.15A.1", "22.15B")
def test_where_nobody_sails_nothing_is_announced() -> None:
    played = combat([force("One", "Kiel"), activity("Land", "sea transport", "s8")], [HOME], {}).to_end()
    assert not played.events(MissionsAnnounced) and not played.events(WaveAnnounced)


@pytest.mark.ledger("22.74")
def test_inverted_ships_may_be_redeployed_and_nothing_else() -> None:
    fleet = [
        force("One", "Kiel", inverted=True),
        force("Two", "Kiel"),
        activity("Shift", "naval redeployment", "Brest"),
        activity("Guard", "sea escort", "Brest"),
    ]
    played = combat(fleet, [HOME], {}, phases=("redeployment",))
    form = played.to("announce").form
    assert [item.key for item in form.items] == ["One", "Two"]
    assert form.barred(form.items[0])["Guard"].rule == "22.74" and "Shift" not in form.barred(form.items[0])
    before = list(played.game.events())
    with pytest.raises(IllegalChoice, match=r"22\.74: Inverted ships may only be redeployed"):
        played.game.submit(AXIS, {"One": "Guard"})
    assert played.game.events() == before
    played.game.submit(AXIS, {"One": "Shift"})
    played.to_end()
    assert (played.force("One").harbour, played.force("One").inverted) == ("Brest", True)
    other = combat([*fleet[:2], activity("Shell", "shore bombardment", "s6")], [HOME], {})
    assert [item.key for item in other.to("announce").form.items] == ["Two"]


@pytest.mark.ledger("22.74", "22.13C.2")
def test_inverted_ships_wait_in_port_for_others_to_be_redeployed_with() -> None:
    played = combat(
        [
            force("One", "Kiel"),
            force("Two", "Brest", inverted=True),
            port("Lorient", "s12"),
            activity("Shift", "naval redeployment", "Lorient", calls=["Brest"]),
        ],
        [HOME],
        {("axis", "announce"): {"One": "Shift", "Two": "Shift"}},
        phases=("redeployment",),
    ).to_end()
    assert [played.force(name).harbour for name in ("One", "Two")] == ["Lorient", "Lorient"]


# -- going home --------------------------------------------------------------------------------------


@pytest.mark.ledger("22.15C.1", "22.18A")
def test_who_is_done_waits_for_those_who_have_yet_to_sail_on_from_their_meeting() -> None:
    played = combat(
        [
            force("A", "Kiel"),
            force("B", "Brest"),
            force("C", "Kiel"),
            activity("Land", "sea transport", "s6", meet="n3"),
            activity("Shell", "shore bombardment", "s2"),
        ],
        [HOME],
        {("axis", "announce"): {"A": "Land", "B": "Land", "C": "Shell"}},
    ).to_end()
    _, on, home = voyages(played)
    assert on == [(("A", "B"), "n3", "s6")], "the bombardment is over and its ships are still at sea"
    assert home == [(("A",), "s6", "s0"), (("B",), "s6", "s8"), (("C",), "s2", "s0")]
    asked = [kind for side, kind, _ in played.asked if side == "allies"]
    assert asked == ["demand", "interception"] * 3, "returns are not intercepted before the ships return (22.18A)"


@pytest.mark.ledger("22.15D", "22.15C.1")
def test_who_aborts_does_not_wait_for_the_others() -> None:
    played = combat(
        [
            port("Bergen", "n6"),
            force("A", "Bergen"),
            force("B", "Brest"),
            force("C", "Kiel"),
            activity("Land", "sea transport", "s6", meet="n3"),
            activity("Shell", "shore bombardment", "s2"),
        ],
        [HOME],
        {
            ("axis", "announce"): {"A": "Land", "B": "Land", "C": "Shell"},
            ("allies", "interception"): [{"Home": "A3"}],
            ("allies", "hex"): "s2",
            ("axis", "withdraw"): all_withdraw,
        },
        dice={"Home": [6]},
    ).to_end()
    back = [index for index, wave in enumerate(voyages(played)) if any(forces == ("C",) for forces, _, _ in wave)]
    together = [index for index, wave in enumerate(voyages(played)) if any(len(forces) == 2 for forces, _, _ in wave)]
    assert back[1] < together[0]


@pytest.mark.ledger("22.63", "22.63B", "23.444")
def test_a_call_on_the_way_is_not_the_base_ships_return_to() -> None:
    played = combat(
        [
            force("A", "Kiel", ["Bismarck"]),
            force("B", "Brest"),
            activity("Shell", "shore bombardment", "s12", calls=["Brest"]),
        ],
        [HOME],
        {("axis", "announce"): {"A": "Shell", "B": "Shell"}},
    )
    played.to("interception", ALLIES)
    leg = played.operation.wave.legs[0]
    hurt = replace(played.force("A"), ships=(replace(played.force("A").ships[0], hits=2),))
    called = arrived(played.operation, leg, hurt)
    assert (called.harbour, called.base, called.ships[0].hits) == ("Brest", "Kiel", 2)
    played.to_end()
    assert (played.force("A").harbour, played.force("B").harbour) == ("Kiel", "Brest")


@pytest.mark.ledger("22.281.2", "22.28B.1")
@pytest.mark.parametrize("extra", [{"meet": "n7"}, {"calls": ["Brest"]}])
def test_who_aborts_because_a_partner_failed_is_inverted_too(extra: Any) -> None:
    played = combat(
        [
            force("A", "Kiel", destroyers=2),
            force("B", "Brest"),
            port("Bergen", "s2"),
            force("C", "Bergen"),
            activity("Shell", "shore bombardment", "s12", **extra),
        ],
        [HOME],
        {
            ("axis", "announce"): {"A": "Shell", "B": "Shell", "C": "Shell"},
            ("allies", "interception"): [{"Home": "A1"}],
            ("allies", "hex"): "s0",
            ("axis", "withdraw"): all_withdraw,
            ("axis", "partner"): "abort",
        },
        dice={"Home": [12]},
    ).to_end()
    assert played.was_asked("axis", "partner") == 1
    for name, base in (("A", "Kiel"), ("B", "Brest"), ("C", "Bergen")):
        assert (played.force(name).harbour, played.force(name).inverted) == (base, True), name


@pytest.mark.ledger("22.27.2", "22.27.1")
def test_interceptors_that_met_nobody_and_win_on_their_way_home_are_inverted() -> None:
    played = combat(
        [
            force("A", "Kiel"),
            force("Reserve", "Brest", destroyers=2),
            activity("Land", "seaborne invasion", "s6"),
        ],
        [port("Hull", "n15"), HOME, force("Far", "Hull", ["Repulse", "Valiant"])],
        {
            ("axis", "announce"): {"A": "Land"},
            ("allies", "interception"): [{"Home": "A1", "Far": "A1"}],
            ("allies", "hex"): "s6",
            ("axis", "interception"): lambda d: (
                {"Reserve": next(place.key for place in d.form.places if place.label.startswith("A3: Far"))}
                if any("Far" in place.label for place in d.form.places)
                else {}
            ),
            ("axis", "hex"): "s8",
            ("axis", "withdraw"): all_withdraw,
            ("allies", "withdraw"): {},
        },
        dice={"Home": [6], "Far": [2], "Reserve": [6]},
    ).to_end()
    met = [event.forces for event in played.events(ContactMade)]
    assert {AXIS: ("Reserve",), ALLIES: ("Far",)} in met, met
    assert (played.force("Far").harbour, played.force("Far").inverted) == ("Hull", True)


# -- transports ----------------------------------------------------------------------------------------

FEED = activity("Feed", "sea supply", "Brest", zone="France", returns=False)


def after_abort(convoy: dict[str, Any], answers: dict[tuple[str, str], Any] | None = None, **more: Any) -> Any:
    """What may serve France once a convoy to it was beaten: by force, the rule that bars it."""
    played = combat(
        [
            convoy,
            activity("Land", "sea transport", "s8", zone="France", **more),
            FEED,
            force("Carriers", "Kiel", transports=2),
            force("Escorts", "Kiel"),
        ],
        [HOME],
        {
            ("axis", "announce combat"): {"Convoy": "Land"},
            ("allies", "interception"): [{"Home": "A1"}],
            ("allies", "hex"): "s4",
            ("axis", "withdraw"): all_withdraw,
            **(answers or {}),
        },
        dice={"Home": [6]},
        phases=("combat", "redeployment"),
    )
    played.to("announce")
    played.step()
    form = played.to("announce").form
    closed = played.events(ZonesClosed)
    assert all(event.to is Audience.AXIS for event in closed)
    bars = {item.key: form.barred(item).get("Feed") for item in form.items}
    return len(closed), {name: bar and bar.rule for name, bar in bars.items() if name != "Convoy"}


@pytest.mark.ledger("22.282.1", "22.282.2")
def test_after_an_abort_with_transports_no_transports_serve_that_zone() -> None:
    convoy = force("Convoy", "Kiel", ["Scharnhorst"], transports=2)
    assert after_abort(convoy) == (1, {"Carriers": "22.282", "Escorts": None}), "destroyers are no transports"


@pytest.mark.ledger("22.282.2")
def test_an_abort_without_transports_closes_no_zone() -> None:
    convoy = force("Convoy", "Kiel", ["Scharnhorst"], destroyers=4, cargo=CORPS)
    assert after_abort(convoy) == (0, {"Carriers": None, "Escorts": None})


# -- counters ------------------------------------------------------------------------------------------


@pytest.mark.ledger("22.81C", "22.81A")
def test_with_the_intercepted_force_gone_its_helpers_have_no_mission_to_adopt() -> None:
    played = combat(
        [
            force("Raft", "Kiel", destroyers=1),
            force("Cover", "Brest", ["Bismarck", "Tirpitz"]),
            activity("Shell", "shore bombardment", "n8"),
        ],
        [HOME],
        {
            ("axis", "announce"): {"Raft": "Shell"},
            ("allies", "interception"): [{"Home": "A1"}],
            ("allies", "hex"): "s4",
            ("axis", "counter-interception"): {"Cover": "C1"},
            ("axis", "withdraw"): [{"CG1:Germany/DD": "withdraw"}],
            ("allies", "withdraw"): all_withdraw,
        },
        dice={"Home": [6], "Cover": [12]},
    ).to_end()
    assert set(played.mustered()) == {"Raft", "Cover", "Home"}
    (out,) = [leg for leg in played.operation.ended if not leg.returning]
    assert out.status == "aborted" and out.forces == ("Raft",)
    assert (played.force("Cover").harbour, played.force("Cover").inverted) == ("Brest", True)


@pytest.mark.ledger("22.81B", "22.254D")
@pytest.mark.parametrize("beaten", [True, False])
def test_a_defensive_patrol_is_back_on_patrol_after_a_battle_on_its_way(beaten: bool) -> None:
    played = combat(
        [
            force("A", "Kiel"),
            port("Bergen", "s3"),
            force("B", "Bergen", ["Bismarck"]),
            activity("Land", "seaborne invasion", "s6"),
        ],
        [force("Guard", "Scapa", ["Hood"], at="n3", patrol="defensive")],
        {
            ("axis", "announce"): {"A": "Land"},
            ("allies", "interception"): [{"Guard": "A1"}],
            ("allies", "hex"): "s6",
            ("allies", "path T1"): "n3 > n4 > n5 > n6 > s6",
            ("axis", "counter-interception"): {"B": "meet T1"},
            ("axis", "hex"): "n4",
            ("axis", "withdraw"): {} if beaten else all_withdraw,
            ("allies", "withdraw"): all_withdraw if beaten else {},
            ("allies", "activity"): "abort",
        },
        dice={"Guard": [6], "B": [6]},
    ).to_end()
    assert played.battles() == ["n4"]
    guard = played.force("Guard")
    assert (guard.place, guard.patrol, guard.inverted) == ("n3", "defensive", False)


@pytest.mark.ledger("22.26D", "22.26D.1", "22.26D.2b", "22.26B")
def test_held_back_in_counter_combat_and_never_meeting_its_target_ships_stay_uninverted() -> None:
    """Hood alone fires on the counter-interceptors; submarines make the convoy abort before she meets it."""
    played = combat(
        [
            force("A", "Kiel"),
            port("Bergen", "n2"),
            force("B", "Bergen", destroyers=2),
            activity("Land", "seaborne invasion", "s6"),
        ],
        [HOME, boats("Scapa", 1, "Britain")],
        {
            ("axis", "announce"): {"A": "Land"},
            ("allies", "interception"): [{"Home": "A1", "Scapa|Britain/SUB": "A1"}],
            ("allies", "hex"): ["s2", "s1"],
            ("allies", "path T1"): "n4 > n3 > n2 > s2",
            ("axis", "counter-interception"): {"B": "meet T1"},
            ("axis", "hex"): "n3",
            ("allies", "screen CG1"): {"renown": "screen"},
            ("axis", "withdraw"): all_withdraw,
            ("allies", "withdraw"): {},
            ("axis", "abort"): "abort",
        },
        dice={"Home": [12], "B": [6], "Scapa": [6]},
    ).to_end()
    assert played.battles() == ["n3", "s1"], "the convoy goes home before Hood comes to s2"
    fleet = {each.ships[0].name: each for each in played.operation.forces[ALLIES]}
    assert {name: (each.harbour, each.inverted) for name, each in fleet.items()} == {
        "Hood": ("Scapa", True),
        "Renown": ("Scapa", False),
    }
    assert all(each.fought == () for each in fleet.values())


@pytest.mark.ledger("22.26D.4", "22.26")
def test_held_back_in_counter_combat_ships_that_then_meet_their_target_are_inverted() -> None:
    played = combat(
        [
            force("A", "Kiel"),
            port("Bergen", "n2"),
            force("B", "Bergen", destroyers=2),
            activity("Land", "seaborne invasion", "s6"),
        ],
        [HOME],
        {
            ("axis", "announce"): {"A": "Land"},
            ("allies", "interception"): [{"Home": "A1"}],
            ("allies", "hex"): "s2",
            ("allies", "path T1"): "n4 > n3 > n2 > s2",
            ("axis", "counter-interception"): {"B": "meet T1"},
            ("axis", "hex"): "n3",
            ("allies", "screen CG1"): {"renown": "screen"},
            ("axis", "withdraw"): all_withdraw,
            ("allies", "withdraw"): {},
        },
        dice={"Home": [12], "B": [6]},
    ).to_end()
    on_its_way = [event.forces[0].fought for event in played.events(ForcesPlaced) if event.forces[0].fought]
    assert on_its_way and set(on_its_way) == {("hood",)}
    assert played.battles() == ["n3", "s2"]
    (home,) = played.operation.forces[ALLIES]
    assert (home.id, len(home.ships), home.inverted) == ("Home", 2, True)


# -- return voyages as they were on the way out -----------------------------------------------------------


@pytest.mark.ledger("22.141D.1", "22.141D.2", "22.18C")
@pytest.mark.parametrize(("combined", "legs"), [("", 2), ("together", 1)])
def test_redeployments_come_back_as_apart_or_combined_as_they_sailed(combined: str, legs: int) -> None:
    extra = {"combined": combined} if combined else {}
    played = combat(
        [
            force("A", "Kiel"),
            force("B", "Kiel"),
            activity("One", "naval redeployment", "Brest", **extra),
            activity("Two", "naval redeployment", "Brest", **extra),
        ],
        [HOME, force("Second", "Scapa", ["Repulse"])],
        {
            ("axis", "announce"): {"A": "One", "B": "Two"},
            ("allies", "interception"): [{"Home": "A1", "Second": "A2" if not combined else "hold"}],
            ("allies", "hex"): "s4",
            ("axis", "withdraw"): all_withdraw,
        },
        dice={"Home": [6], "Second": [6]},
        phases=("redeployment",),
    ).to_end()
    home = [leg for event in played.events(WaveAnnounced) for leg in event.legs if leg.returning and leg.side is AXIS]
    assert len(home) == legs and {leg.combined for leg in home} == {combined}


@pytest.mark.ledger("22.141B")
def test_supply_lines_keep_their_zone_on_the_way_home() -> None:
    played = combat(
        [
            force("A", "Kiel"),
            force("B", "Kiel"),
            activity("North", "sea supply", "s6", zone="Norway"),
            activity("South", "sea supply", "s6", zone="France"),
        ],
        [HOME],
        {("axis", "announce"): {"A": "North", "B": "South"}},
        phases=("redeployment",),
    ).to_end()
    home = [leg for event in played.events(WaveAnnounced) for leg in event.legs if leg.returning]
    assert [(leg.forces, leg.zone) for leg in home] == [(("A",), "Norway"), (("B",), "France")]


# -- interceptors under air attack -------------------------------------------------------------------------


@pytest.mark.ledger("22.28A", "22.27.2")
@pytest.mark.parametrize("choice", ["go on", "abort"])
def test_interceptors_attacked_from_the_air_on_their_way_may_give_up(choice: str) -> None:
    played = combat(
        [
            force("A", "Kiel", ["Bismarck"]),
            activity("Land", "seaborne invasion", "s6"),
            air_base("Field", "n5", Germany_NAS=3),
        ],
        [HOME],
        {
            ("axis", "announce"): {"A": "Land"},
            ("allies", "interception"): [{"Home": "A1"}],
            ("allies", "hex"): "s6",
            ("allies", "path T1"): "n4 > n5 > n6 > s6",
            ("axis", "air attacks"): [{"T1 in n5": "attack"}],
            ("axis", "air search"): [{"Germany/NAS@Field": {"search": 1}}],
            ("axis", "strike"): [{"target": "CG1", "Germany/NAS@Field": {"fly": 2}}],
            ("allies", "abort"): choice,
        },
        dice={"Home": [12]},
        air_range=1,
    ).to_end()
    assert [about for side, kind, about in played.asked if (side, kind) == ("allies", "abort")] == ["T1"]
    assert ("s6" in played.battles()) == (choice == "go on")
    assert (played.force("Home").harbour, played.force("Home").inverted) == ("Scapa", choice == "go on")


# -- displaced ships ----------------------------------------------------------------------------------------


@pytest.mark.ledger("22.13G", "22.15D")
def test_displaced_ships_go_home_at_once_and_may_be_intercepted() -> None:
    played = combat(
        [force("A", "Kiel"), port("Bergen", "s3"), force("B", "Bergen", ["Bismarck"])],
        [force("Refugees", "Scapa", at="s7", displaced=True)],
        {("axis", "interception"): [{"B": "A1"}], ("axis", "hex"): "s4", ("allies", "withdraw"): all_withdraw},
        dice={"B": [6]},
    ).to_end()
    (leg,) = played.events(WaveAnnounced)[0].legs
    assert (leg.kind, leg.returning, leg.start, leg.harbour) == ("displacement", True, "s7", "Scapa")
    assert played.battles() == ["s4"]


@pytest.mark.parametrize(
    "extra", [{"displaced": True}, {"displaced": True, "at": "s7", "patrol": "offensive"}, {"at": "s7"}]
)
def test_displaced_ships_are_at_sea_and_on_no_patrol(extra: Any) -> None:
    with pytest.raises(ScenarioError, match=r"displaced"):
        combat([force("A", "Kiel")], [force("Refugees", "Scapa", **extra)], {})


# -- whose flag a marker shows ---------------------------------------------------------------------------------


def test_the_flag_of_a_marker_does_not_tell_what_is_in_it() -> None:
    """22.423B. A force sails under the flag its marker shows, not that of its first ship."""
    mixed = [{"nation": "Italy", "destroyers": 4}]
    for extra, flag in (({}, "Germany"), ({"nation": "Italy"}, "Italy")):
        played = combat(
            [
                {"force": {"name": "A", "base": "Kiel", "also": mixed, **extra}},
                activity("Shell", "shore bombardment", "s6"),
            ],
            [HOME],
            {("axis", "announce"): {"A": "Shell"}},
            order_of_battle="hidden",
        )
        played.to("demand")
        assert played.operation.wave.legs[0].nation == flag
        assert played.game.picture(ALLIES).operation.force(AXIS, "A").nation == flag
