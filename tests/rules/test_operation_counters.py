"""22.16, 22.25 in play: counters in the interception hex and before it, and counters to them."""

from __future__ import annotations

import pytest

from flagplot.model.operation_events import TriesAnnounced, WaveAnnounced
from tests.rules.operation_table import HOME, HUNT, ONE, all_withdraw, force, port, sailing

COUNTERED = [ONE, port("Bergen", "s6"), force("Cover", "Bergen", ["Scharnhorst"])]


@pytest.mark.ledger("22.161A.1", "22.16", "22.251", "22.164B", "22.81C", "22.22C")
def test_a_counter_in_the_interception_hex_is_one_battle_and_adopts_the_mission() -> None:
    played = sailing(
        COUNTERED,
        [HOME],
        {**HUNT, ("axis", "counter-interception"): {"Cover": "C1"}, ("allies", "withdraw"): all_withdraw},
        {"Home": [1], "Cover": [3]},
    ).to_end()
    assert played.battles() == ["s4"] and played.rolled["Cover"] == 3, "two in the hex, one TF"
    assert played.mustered()["Cover"] == ("counter-interception", 1)
    assert played.force("Cover").harbour == "Brest", "it goes on with the redeployment"


@pytest.mark.ledger("22.252A.1", "22.252A.2")
def test_a_counter_that_fails_in_the_hex_comes_later() -> None:
    far = [ONE, port("Bergen", "s14"), force("Cover", "Bergen", ["Scharnhorst"])]
    played = sailing(
        far,
        [HOME],
        {**HUNT, ("axis", "counter-interception"): {"Cover": "C1"}, ("allies", "withdraw"): all_withdraw},
        {"Home": [1], "Cover": [6]},
    ).to_end()
    assert played.mustered()["Cover"] == ("counter-interception", 2), "ten hexes, six reached"
    assert (played.force("Cover").harbour, played.force("Cover").inverted) == ("Bergen", False)


MEET = {("axis", "counter-interception"): {"Cover": "meet T1"}, ("axis", "hex meet T1"): "n4"}
NEAR = [ONE, port("Bergen", "s5"), force("Cover", "Bergen", ["Scharnhorst"])]
TOWARDS = {("allies", "interception"): {"Home": "A1"}, ("allies", "hex"): "s3"}


@pytest.mark.ledger("22.161B.1", "22.161B.2", "22.254E", "22.164B", "22.33.1", "22.33.2")
@pytest.mark.parametrize("choice", ["go on", "abort"])
def test_interceptors_that_beat_their_counters_go_on_or_go_home(choice: str) -> None:
    played = sailing(
        NEAR,
        [HOME],
        {
            **TOWARDS,
            **MEET,
            ("axis", "withdraw"): all_withdraw,
            ("allies", "activity"): choice,
        },
        {"Home": [6], "Cover": [6]},
    ).to_end()
    assert played.mustered(0) == {"Cover": ("counter-interception", 1), "Home": ("interception", 1)}
    assert played.battles() == (["n4", "s3"] if choice == "go on" else ["n4"])
    assert played.force("Cover").inverted
    assert played.force("One").harbour == ("Kiel" if choice == "go on" else "Brest")


@pytest.mark.ledger("22.161B.1", "22.254D", "22.26D.3")
def test_interceptors_beaten_by_their_counters_never_reach_their_target() -> None:
    played = sailing(
        NEAR,
        [HOME],
        {**TOWARDS, **MEET, ("allies", "withdraw"): all_withdraw},
        {"Home": [6], "Cover": [6]},
    ).to_end()
    assert played.battles() == ["n4"]
    assert played.force("One").harbour == "Brest"
    assert played.force("Home").harbour == "Scapa"


@pytest.mark.ledger("22.26D", "22.26D.2b")
def test_ships_that_did_not_fire_in_counter_combat_are_not_inverted() -> None:
    """Nobody is found, nobody fires: all dice show ones and the groups are far apart."""
    played = sailing(
        NEAR,
        [HOME],
        {
            **TOWARDS,
            **MEET,
            ("allies", "number"): {"Home": "6"},
            ("allies", "withdraw"): all_withdraw,
        },
        {"Home": [6], "Cover": [6]},
    ).to_end()
    assert not played.force("Home").inverted


@pytest.mark.ledger("22.252B.2", "22.252B.1")
def test_counters_that_all_fail_before_the_hex_have_sailed_and_go_back() -> None:
    far = [ONE, port("Bergen", "s14"), force("Cover", "Bergen", ["Scharnhorst"])]
    played = sailing(
        far, [HOME], {**TOWARDS, **MEET, ("allies", "withdraw"): all_withdraw}, {"Home": [6], "Cover": [1]}
    ).to_end()
    assert played.battles() == ["s3"]
    homeward = [leg for event in played.events(WaveAnnounced) for leg in event.legs if "Cover" in leg.forces]
    assert [(leg.returning, leg.start, leg.end) for leg in homeward] == [(True, "s13", "s14")], "one hex (FP-109)"
    assert not played.force("Cover").inverted


@pytest.mark.ledger("22.162", "22.254", "22.254A.1", "22.254B", "22.254C", "22.254D")
def test_interceptors_on_one_path_are_countered_together() -> None:
    allies = [HOME, force("Second", "Scapa", ["Repulse"]), force("Third", "Scapa", ["Rodney"])]
    axis = [*NEAR, force("Two", "Kiel"), force("Three", "Kiel"), force("Four", "Kiel"), force("Five", "Kiel")]
    played = sailing(
        axis,
        allies,
        {
            ("axis", "announce"): dict.fromkeys(("One", "Two", "Three", "Four", "Five"), "Shift"),
            ("allies", "interception"): {"Home": "A1", "Second": "A1", "Third": "A1"},
            ("allies", "hex"): "s3",
            ("allies", "path"): ["n4 > n3 > s3", "n4 > n3 > s3", "n4 > n3 > s3"],
            ("axis", "counter-interception"): {"Cover": "meet T1, T2, T3"},
            ("axis", "hex"): "n3",
            ("allies", "withdraw"): all_withdraw,
        },
        {"Home": [6], "Second": [6], "Third": [2], "Cover": [12]},
    ).to_end()
    assert played.rolled["Cover"] == 3, "a die for each TF met"
    assert set(played.mustered(0)) == {"Cover", "Home", "Second", "Third"}
    assert played.battles() == ["n3"], "all of them are beaten"


@pytest.mark.ledger("22.253", "22.254F")
def test_interceptors_on_different_paths_are_countered_separately() -> None:
    allies = [HOME, force("Second", "Scapa", ["Repulse"])]
    played = sailing(
        [*NEAR, force("Two", "Kiel"), force("Three", "Kiel")],
        allies,
        {
            ("axis", "announce"): dict.fromkeys(("One", "Two", "Three"), "Shift"),
            ("allies", "interception"): {"Home": "A1", "Second": "A1"},
            ("allies", "hex"): "s3",
            ("allies", "path"): ["n4 > n3 > s3", "n4 > s4 > s3"],
        },
        {"Home": [6], "Second": [6]},
    )
    form = played.to("counter-interception").form
    assert [place.key for place in form.places] == ["hold", "C1", "meet T1", "meet T2", "as they are", "reconstitute"]
    played.answers |= {("axis", "counter-interception"): {"Cover": "meet T2"}, ("axis", "hex"): "s4"}
    played.dice["Cover"] = [1]
    played.to_end()
    assert set(played.mustered(0)) == {"Cover", "Second"}, "the other may not help"


@pytest.mark.ledger("22.164C", "22.255", "22.17", "22.11.2", "22.81D", "22.22C")
def test_a_counter_counter_interception_in_the_counter_hex() -> None:
    played = sailing(
        NEAR,
        [HOME, force("Second", "Scapa", ["Repulse"])],
        {
            **TOWARDS,
            **MEET,
            ("allies", "counter-counter-interception"): {"Second": "C2"},
            ("axis", "withdraw"): all_withdraw,
        },
        {"Home": [6], "Cover": [6], "Second": [6]},
    ).to_end()
    assert played.rolled["Second"] == 3, "two in the counter-interception hex, one TF"
    assert set(played.mustered(0)) == {"Cover", "Home", "Second"}
    assert set(played.mustered(1)) == {"One", "Home", "Second"}, "it adopts the interception"
    assert played.was_asked("axis", "counter-interception") == 1


@pytest.mark.ledger("22.164C", "22.252B.2", "22.27.1")
def test_who_failed_to_counter_goes_home_when_every_level_has_been_announced() -> None:
    axis = [ONE, force("Two", "Kiel"), force("Three", "Kiel"), port("Bergen", "n2"), port("Narvik", "s14")]
    axis += [force("Near", "Bergen", ["Gneisenau"]), force("Far", "Narvik", ["Scharnhorst"])]
    played = sailing(
        axis,
        [HOME, force("Second", "Scapa", ["Repulse"]), force("Third", "Scapa", ["Howe"])],
        {
            ("axis", "announce"): dict.fromkeys(("One", "Two", "Three"), "Shift"),
            ("allies", "interception"): [{"Home": "A1", "Second": "A1"}],
            ("allies", "hex"): ["s3"],
            ("allies", "path"): ["n4 > n3 > s3", "n4 > s4 > s3"],
            ("axis", "counter-interception"): {"Near": "meet T1", "Far": "meet T2"},
            ("axis", "hex meet T1"): "n3",
            ("axis", "hex meet T2"): "s4",
            ("allies", "counter-counter-interception"): {"Third": "C2"},
        },
        {"Home": [6], "Second": [6], "Near": [1], "Far": [1], "Third": [6]},
    )
    played.to_end()
    announced = [each for each in played.events(TriesAnnounced) if each.level == "counter-counter-interception"]
    homeward = [
        each for each in played.events(WaveAnnounced) if "Far" in [id for leg in each.legs for id in leg.forces]
    ]
    assert len(announced) == len(homeward) == 1
    log = list(played.game.events())
    assert log.index(announced[0]) < log.index(homeward[0])
    assert (played.force("Far").harbour, played.force("Far").inverted) == ("Narvik", False)


IN_THE_HEX = {**HUNT, ("axis", "counter-interception"): {"Cover": "C1"}, ("allies", "withdraw"): all_withdraw}


@pytest.mark.ledger("22.112", "22.255")
def test_at_a_counter_only_those_at_war_with_it_may_go_whoever_of_their_side_is_there() -> None:
    soviets = [port("Murmansk", "n6"), force("Soviets", "Murmansk", nation="Russia")]
    second = force("Second", "Scapa", ["Repulse"])
    for peace, may in (([], True), ([["Russia", "Germany"]], False)):
        played = sailing(
            COUNTERED, [HOME, second, *soviets], IN_THE_HEX, {"Home": [2], "Cover": [3]}, inputs={"at_peace": peace}
        )
        form = played.to("counter-counter-interception").form
        soviet = [item for item in form.items if item.key == "Soviets"]
        assert bool(soviet and "C1" not in form.barred(soviet[0])) is may


@pytest.mark.ledger("22.14B.2", "22.255")
def test_ships_whose_attempt_was_void_may_be_in_another_task_force_when_counters_are_countered() -> None:
    slow = force("Slow", "Scapa", ["Nelson", "Rodney"])  # no die is left for it (22.24C)
    played = sailing(
        [ONE, *COUNTERED[1:]],
        [HOME, slow],
        {
            **IN_THE_HEX,
            ("allies", "interception"): {"Home": "A1", "Slow": "A1"},
            ("allies", "counter-counter-interception"): [{"task forces": "reconstitute"}],
            ("allies", "reconstitute"): {"Scapa|nelson": "outside at Scapa", "Scapa|rodney": "outside at Scapa"},
            ("allies", "counter-counter-interception again"): {},
        },
        {"Home": [1], "Cover": [3]},
    ).to_end()
    assert not played.has("Slow")
    assert played.was_asked("allies", "counter-counter-interception") == 2
