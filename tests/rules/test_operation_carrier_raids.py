"""23.46, 23.61 in play: within an operation carriers attack enemy bases from their patrol hex and their mission hex."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from flagplot.cli.operation_chart import at_sea
from flagplot.core.errors import IllegalChoice
from flagplot.model.air_events import PortAirEnded, SortieAnnounced
from flagplot.model.operation_events import (
    InterceptionDiceCounted,
    RaidBegan,
    RaidEnded,
    RaidsAnnounced,
    SunkInPort,
    TriesAnnounced,
)
from flagplot.play.report import report
from flagplot.play.transcript import transcript
from flagplot.rules.naval.attempts import _struck
from flagplot.web.operation_view import operation_part
from tests.rules.operation_table import (
    ALLIES,
    AXIS,
    OperationTable,
    activity,
    air_base,
    all_withdraw,
    dice_of,
    force,
    port,
    setup,
)

CARRIERS = force("Fleet", "Scapa", ["Victorious", "Formidable"], destroyers=6)
TARANTO = [port("Taranto", "s8", sorties=1), force("Moored", "Taranto", ["Bismarck", "Tirpitz"], destroyers=3)]
REFUGE = port("Naples", "s15")
RAID = activity("Judgement", "fast carrier mission", "n6")


def everything(place: str) -> Any:
    """An answer that sends all squadrons one way."""
    return lambda decision: {
        item.key: place if place in decision.form.places_for(item) else decision.form.places_for(item)[0]
        for item in decision.form.items
    }


def table(
    allies: list[dict[str, Any]],
    axis: list[dict[str, Any]],
    answers: dict[tuple[str, str], Any],
    phases: tuple[str, ...] = ("combat",),
    dice: dict[str, list[int]] | None = None,
    **more: Any,
) -> OperationTable:
    """The British move, from Scapa in s0; the target is Taranto in s8."""
    given = setup(axis, [port("Scapa", "s0"), *allies], phases=phases, mover="allies", **more)
    return OperationTable(given, answers, dice or {})


def mission(more: dict[tuple[str, str], Any], axis: list[dict[str, Any]] | None = None, **extra: Any) -> OperationTable:
    """A fast carrier mission to n6, three hexes from Taranto."""
    answers = {
        ("allies", "announce"): {"Fleet": "Judgement"},
        ("allies", "carrier raid"): {"Fleet": "Taranto"},
        ("allies", "sortie"): everything("ships"),
        **more,
    }
    allies = [CARRIERS, RAID, *extra.pop("allies", [])]
    return table(allies, axis if axis is not None else [*TARANTO, REFUGE], answers, **extra)


# -- from the mission hex -------------------------------------------------------------------------------


def aboard(played: OperationTable, id: str) -> int:
    return sum(ship.air for ship in played.force(id).ships)


@pytest.mark.ledger("23.61", "23.61B")
def test_a_fast_carrier_mission_attacks_a_port_from_its_mission_hex_and_goes_home() -> None:
    """Two dice of air defense show two in all, at level four: one squadron of the four is lost."""
    played = mission({})
    assert aboard(played, "Fleet") == 4
    played.to_end()
    (began,) = played.events(RaidBegan)
    assert (began.raid.hex, began.raid.target, began.raid.occasion) == ("n6", "Taranto", "mission hex")
    assert began.forces == {ALLIES: ("Fleet",), AXIS: ("Moored",)}
    (sortie,) = played.events(SortieAnnounced)
    assert (sortie.counterair, sortie.ships) == ({}, {"Britain/NAS": 4})
    assert (played.force("Fleet").harbour, played.force("Fleet").inverted, aboard(played, "Fleet")) == (
        "Scapa",
        False,
        3,
    )
    moored = played.force("Moored")
    assert (moored.harbour, [ship.id for ship in moored.ships], moored.light) == (
        "Taranto",
        ["bismarck", "tirpitz"],
        {"Germany/DD": 3},
    )
    told = "\n".join(transcript(played.game.events()))
    assert "Britain's carriers attack Taranto from n6 (Fleet)" in told
    assert "Britain's carriers in n6 attack Taranto, where Moored lie" in told


@pytest.mark.ledger("23.61", "23.61B")
def test_only_a_carrier_mission_attacks_bases_or_one_combined_with_another_mission() -> None:
    for extra, asked in (({}, 0), ({"carrier_mission": True}, 1)):
        shelling = activity("Shell", "shore bombardment", "n6", **extra)
        played = table([CARRIERS, shelling], [*TARANTO, REFUGE], {("allies", "announce"): {"Fleet": "Shell"}}).to_end()
        assert played.was_asked("allies", "carrier raid") == asked


@pytest.mark.ledger("23.61B", "22.131")
def test_a_mission_that_was_stopped_attacks_nothing() -> None:
    played = mission(
        {
            ("axis", "interception"): [{"Moored": "A1"}],
            ("axis", "hex"): "n6",
            ("allies", "withdraw"): all_withdraw,
            ("axis", "withdraw"): lambda decision: decision.form.default,
        },
        dice={"Moored": [4]},
    ).to_end()
    assert played.battles() == ["n6"] and not played.was_asked("allies", "carrier raid")


@pytest.mark.ledger("23.61")
def test_bases_out_of_reach_are_not_attacked() -> None:
    far = [port("Taranto", "s10"), force("Moored", "Taranto")]
    assert not mission({}, far).to_end().was_asked("allies", "carrier raid")
    played = mission({}, [*far, port("Bari", "s8"), force("Others", "Bari")])
    form = played.to("carrier raid").form
    assert {place: limit.rule for place, limit in form.barred(form.items[0]).items()} == {"Taranto": "23.61"}
    with pytest.raises(IllegalChoice, match="23.61: Taranto is out of reach of its carriers, which fly 3 hexes"):
        played.game.submit(ALLIES, {"Fleet": "Taranto"})


@pytest.mark.ledger("23.61", "23.63")
def test_carriers_need_not_attack_and_empty_bases_are_no_targets() -> None:
    played = mission({("allies", "carrier raid"): {}}).to_end()
    assert played.was_asked("allies", "carrier raid") == 1 and not played.events(RaidBegan)
    assert "Britain's carriers attack no bases" in "\n".join(transcript(played.game.events()))
    assert not mission({}, [port("Taranto", "s8")]).to_end().was_asked("allies", "carrier raid")


@pytest.mark.ledger("23.61")
def test_who_has_no_carriers_is_asked_too_where_that_is_his_secret() -> None:
    ships = [force("Fleet", "Scapa", ["Hood"]), RAID]
    answers = {("allies", "announce"): {"Fleet": "Judgement"}, ("allies", "carrier raid"): {"Fleet": "Taranto"}}
    played = table(ships, [*TARANTO, REFUGE], answers, order_of_battle="hidden").to_end()
    assert played.was_asked("allies", "carrier raid") == 1
    assert [event.outcome for event in played.events(RaidEnded)] == ["the attacker flies no further sortie (23.54)"]


# -- from the patrol hex --------------------------------------------------------------------------------

WATCH = force("Watch", "Scapa", ["Victorious", "Formidable"], destroyers=6, at="n6", patrol="offensive")


@pytest.mark.ledger("23.61", "23.61A")
def test_patrols_attack_bases_from_their_patrol_hex_before_missions_are_announced() -> None:
    played = table(
        [WATCH],
        [*TARANTO, REFUGE],
        {("allies", "carrier raid"): {"Watch": "Taranto"}, ("allies", "sortie"): everything("ships")},
    ).to_end()
    kinds = [kind for side, kind, _ in played.asked if side == "allies"]
    assert kinds.index("carrier raid") < kinds.index("sortie") < kinds.index("announce")
    (began,) = played.events(RaidBegan)
    assert (began.raid.occasion, began.forces[AXIS]) == ("patrol hex", ("Moored",))
    assert (played.force("Watch").place, played.force("Watch").patrol) == ("n6", "offensive")
    assert aboard(played, "Watch") == 3


@pytest.mark.ledger("23.61A")
@pytest.mark.parametrize(("patrol", "phase"), [("defensive", "combat"), ("offensive", "movement")])
def test_no_other_patrol_and_no_other_phase(patrol: str, phase: str) -> None:
    """Attacks on ships in bases belong to the combat phase (23.51), offensive patrols to the moving side."""
    watch = force("Watch", "Scapa", ["Victorious"], destroyers=6, at="n6", patrol=patrol)
    played = table([watch], [*TARANTO, REFUGE], {}, phases=(phase,)).to_end()
    assert not played.was_asked("allies", "carrier raid")


@pytest.mark.ledger("23.61", "23.54.2")
def test_forces_in_one_hex_attack_together_and_those_elsewhere_by_themselves() -> None:
    more = [
        force("Second", "Scapa", ["Illustrious"], destroyers=4, at="n6", patrol="offensive"),
        force("Third", "Scapa", ["Indomitable"], destroyers=4, at="s6", patrol="offensive"),
    ]
    axis = [port("Taranto", "s8"), air_base("Grottaglie", "s8", Germany_NAS=1), REFUGE]
    played = table(
        [WATCH, *more],
        axis,
        {
            ("allies", "carrier raid"): {"Watch": "Grottaglie", "Second": "Grottaglie", "Third": "Grottaglie"},
            ("allies", "sortie"): everything("counterair"),
        },
        dice={"23.411": [12, 2]},
    ).to_end()
    (announced,) = played.events(RaidsAnnounced)
    assert [(raid.hex, raid.forces) for raid in announced.raids] == [("n6", ("Watch", "Second")), ("s6", ("Third",))]
    assert len(played.events(RaidBegan)) == 1, "the first attack left nothing for the second"
    assert [event.outcome for event in played.events(RaidEnded)] == [
        "nothing is left to attack at Grottaglie (23.54)",
        "nothing is left to attack there",
    ]
    assert not played.operation.airfields[AXIS][0].base.squadrons


# -- on the way -----------------------------------------------------------------------------------------


def patrol(axis: list[dict[str, Any]], more: dict[tuple[str, str], Any] | None = None, **extra: Any) -> OperationTable:
    """A patrol sails from s0 to s9."""
    return table(
        [CARRIERS, activity("Watch", "patrol", "s9")],
        axis,
        {("allies", "announce"): {"Fleet": "Watch"}, **(more or {})},
        phases=("movement",),
        **extra,
    )


FIELD = [port("Bari", "n4"), force("Moored", "Bari"), air_base("Bari", "n4", Germany_NAS=2)]


@pytest.mark.ledger("23.61A")
def test_on_its_way_to_its_patrol_hex_a_patrol_attacks_aircraft_and_no_ships() -> None:
    played = patrol(
        [*FIELD, REFUGE], {("allies", "carrier raid"): {"Fleet": "Bari"}, ("allies", "sortie"): everything("ships")}
    )
    played.answers[("allies", "sortie")] = everything("counterair")
    played.to_end()
    (began,) = played.events(RaidBegan)
    assert (began.raid.hex, began.raid.occasion) == ("s4", "on the way to its patrol hex")
    assert began.forces == {ALLIES: ("Fleet",), AXIS: ()}, "ships in port are not attacked"
    sortie = played.events(SortieAnnounced)[0]
    assert (sortie.counterair, sortie.ships) == ({"Britain/NAS": 4}, {})
    assert (played.force("Fleet").place, played.force("Fleet").patrol) == ("s9", "offensive")


@pytest.mark.ledger("23.61A")
def test_ports_without_aircraft_are_passed_by() -> None:
    ships_only = [port("Bari", "n4"), force("Moored", "Bari")]
    assert not patrol([*ships_only, REFUGE]).to_end().was_asked("allies", "carrier raid")


@pytest.mark.ledger("23.61A")
def test_nothing_is_attacked_from_hexes_beyond_those_where_the_patrol_is_met() -> None:
    """Bari is reached from s1 on; who intercepts in s1 keeps the patrol from coming there before."""
    met = {("axis", "interception"): [{"Moored": "A1"}], ("axis", "hex"): "s1"}
    played = patrol(
        [port("Bari", "n6"), force("Moored", "Bari"), air_base("Bari", "n6", Germany_NAS=2)], met, dice={"Moored": [6]}
    )
    assert not played.to_end().was_asked("allies", "carrier raid")


@pytest.mark.ledger("23.61A")
def test_the_shortest_way_counts_where_nobody_asked_for_the_path() -> None:
    """Home waives the path of the patrol and asks for that of another voyage."""
    given = setup(
        [*FIELD, REFUGE],
        [
            port("Scapa", "s0"),
            CARRIERS,
            force("Others", "Scapa"),
            activity("Watch", "patrol", "s9"),
            activity("Look", "patrol", "n1"),
        ],
        phases=("movement",),
        mover="allies",
    )
    played = OperationTable(
        given,
        {
            ("allies", "announce"): {"Fleet": "Watch", "Others": "Look"},
            ("axis", "demand"): {"A1": "waive"},
        },
    )
    assert [item.key for item in played.to("carrier raid").form.items] == ["Fleet"]


# -- what becomes of those in port ----------------------------------------------------------------------


@pytest.mark.ledger("23.462A", "23.46A", "22.13G")
def test_ships_flee_to_the_nearest_port_out_of_reach_and_may_be_intercepted() -> None:
    axis = [
        port("Taranto", "s8", sorties=2),
        force("Moored", "Taranto", ["Bismarck", "Tirpitz"], destroyers=3),
        port("Bari", "s7"),
        port("Barletta", "s13", invaded=True),
        REFUGE,
    ]
    patrols = force("Watch", "Scapa", ["Repulse"], at="n5", patrol="offensive")
    played = table(
        [CARRIERS, RAID, patrols, force("Home", "Scapa", ["Hood"])],
        axis,
        {
            ("allies", "announce"): {"Fleet": "Judgement"},
            ("allies", "carrier raid"): {"Fleet": "Taranto"},
            ("allies", "sortie"): [everything("ships"), {}],
            ("axis", "escape"): {"tirpitz": "sea Naples", "Germany/DD": {"sea Naples": 2}},
        },
        dice={"Home": [12]},
    )
    form = played.to("escape").form
    (tirpitz,) = [item for item in form.items if item.key == "tirpitz"]
    assert form.places_for(tirpitz) == ("stay", "sea Naples"), (
        "Bari is nearer, but within reach of a patrol, and Barletta invaded"
    )
    asked = played.to("interception", ALLIES)
    assert [item.key for item in asked.form.items] == ["Home", "task forces"], "no patrol may"
    played.to_end()
    stayed = played.force("Moored")
    fled = next(force for force in played.operation.forces[AXIS] if force.id != "Moored")
    assert (stayed.harbour, [ship.id for ship in stayed.ships], stayed.light) == (
        "Taranto",
        ["bismarck"],
        {"Germany/DD": 1},
    )
    assert (fled.harbour, [ship.id for ship in fled.ships], fled.light) == ("Naples", ["tirpitz"], {"Germany/DD": 2})
    (leg,) = [leg for leg in played.operation.ended if leg.side is AXIS]
    assert (leg.kind, leg.start, leg.end) == ("escape", "s8", "s15")


@pytest.mark.ledger("22.12A", "22.13G", "23.462B")
def test_22_12A_ships_that_flee_begin_in_port_and_may_be_met_and_attacked_in_its_hex() -> None:
    """They enter the water of their base hex first; ships on their way home from the sea have been there (22.12B)."""
    played = mission(
        {
            ("axis", "escape"): [{"tirpitz": "sea Naples"}],
            ("allies", "interception"): [{"Home": "A2"}],
            ("allies", "air attacks"): {},
            ("axis", "withdraw"): all_withdraw,
        },
        allies=[force("Home", "Scapa", ["Hood", "Renown"]), air_base("Malta", "n8", Britain_NAS=2)],
        dice={"Home": [6]},
    )
    hexes = [place.key for place in played.to("hex", ALLIES).form.places]
    assert hexes == [f"s{number}" for number in range(8, 16)]
    played.answers[("allies", "hex")] = "s9"
    assert played.to("air attacks", ALLIES).form.items[0].key == "A2 in s8"


@pytest.mark.ledger("23.462C")
def test_patrols_do_not_intercept_ships_that_flee() -> None:
    guard = force("Guard", "Scapa", ["Repulse"], at="n9", patrol="defensive")
    played = table(
        [CARRIERS, RAID, guard],
        [port("Taranto", "s8", sorties=2), force("Moored", "Taranto"), REFUGE],
        {
            ("allies", "announce"): {"Fleet": "Judgement"},
            ("allies", "carrier raid"): {"Fleet": "Taranto"},
            ("allies", "sortie"): [everything("ships"), {}],
            ("axis", "escape"): {"Germany/DD": "sea Naples"},
        },
    )
    form = played.to("interception", ALLIES).form
    (item,) = [item for item in form.items if item.key == "Guard"]
    assert {limit.rule for limit in form.barred(item).values()} == {"23.462C"}


@pytest.mark.ledger("23.461A", "23.461B")
def test_aircraft_flee_to_a_base_that_was_not_attacked() -> None:
    axis = [
        port("Taranto", "s8"),
        air_base("Taranto", "s8", Germany_NAS=2),
        air_base("Lecce", "s12"),
        air_base("Brindisi", "s11"),
        REFUGE,
    ]
    played = mission(
        {
            ("allies", "sortie"): [everything("counterair"), {}],
            ("axis", "escape"): {"Germany/NAS@Taranto": "air Lecce"},
        },
        axis,
    ).to_end()
    bases = {field.base.name: field.base for field in played.operation.airfields[AXIS]}
    (fought,) = played.events(PortAirEnded)
    left = 2 - sum(fought.base_lost.values())
    assert left and bases["Taranto"].squadrons == {} and bases["Lecce"].inverted == {"Germany/NAS": left}


@pytest.mark.ledger("23.443B.1")
def test_ships_sunk_in_port_stay_there_and_are_told_of() -> None:
    played = mission(
        {("allies", "air targets"): lambda decision: {item.key: "scheer" for item in decision.form.items}},
        [port("Taranto", "s8", sorties=1), force("Moored", "Taranto", ["Scheer"], destroyers=1), REFUGE],
        dice={"23.44": [12]},
    ).to_end()
    (sunk,) = played.events(SunkInPort)
    assert [ship.id for ship in sunk.ships] == ["scheer"] and sunk.port == "Taranto"
    assert [ship.id for ship in played.operation.hulks[AXIS]] == ["scheer"]
    assert played.force("Moored").ships == ()
    told = report(played.game)
    assert f"- Sunk in port, where they stay: {sunk.ships[0].name}" in told and "- Sunk: nothing" in told


@pytest.mark.ledger("23.61B", "23.63")
def test_what_lies_inverted_or_laden_in_port_stays_so() -> None:
    corps = [{"name": "a corps", "needs": 3, "by": "TR"}]
    axis = [
        port("Taranto", "s8", sorties=1),
        force("Tired", "Taranto", ["Scheer"], destroyers=2, inverted=True),
        force("Convoy", "Taranto", task_force=False, transports=3, destroyers=1, cargo=corps),
        REFUGE,
    ]
    played = mission({("allies", "air targets"): lambda decision: {i.key: "scheer" for i in decision.form.items}}, axis)
    played.to_end()
    tired, convoy = played.force("Tired"), played.force("Convoy")
    assert tired.inverted and tired.task_force and [ship.id for ship in tired.ships] == ["scheer"]
    assert not convoy.inverted and not convoy.task_force and [item.name for item in convoy.cargo] == ["a corps"]


@pytest.mark.ledger("23.462A", "22.82B")
def test_cargo_goes_with_the_ships_that_can_carry_it() -> None:
    corps = [{"name": "a corps", "needs": 1, "by": "TR"}]
    convoy = force("Convoy", "Taranto", task_force=False, transports=5, destroyers=2, cargo=corps)
    played = mission(
        {("axis", "escape"): {"Germany/TR": "sea Naples"}, ("allies", "sortie"): [everything("ships"), {}]},
        [port("Taranto", "s8"), convoy, REFUGE],
    ).to_end()
    stayed = played.force("Convoy")
    (fled,) = [force for force in played.operation.forces[AXIS] if force.id != "Convoy"]
    assert (stayed.harbour, stayed.cargo) == ("Taranto", ())
    assert (fled.harbour, [item.name for item in fled.cargo]) == ("Naples", ["a corps"])


# -- what is shown ---------------------------------------------------------------------------------------


def test_while_a_base_is_attacked_the_battle_is_shown_and_not_the_sea() -> None:
    played = mission({})
    played.to("carrier raid")
    assert at_sea(played.operation) and not played.operation.fought
    played.to("sortie")
    assert played.operation.fought == "Taranto" and not at_sea(played.operation)
    part = operation_part(played.game.picture(ALLIES).operation, ALLIES, [])
    assert part is not None
    assert part["fighting"] == {"id": "Taranto", "hex": "n6", "forces": {"axis": ["Moored"], "allies": ["Fleet"]}}
    assert played.to_end().operation.fought == ""


# -- what was attacked has spotted ----------------------------------------------------------------------


def spotted(aircraft: dict[str, Any], attack: bool, **answers: Any) -> tuple[OperationTable, int]:
    """A patrol sails from s6 to s9, past an air base in n5 whose aircraft reach one hex, and is met in s9; with what the
    aircraft add to the dice."""
    given = setup(
        [
            port("Bari", "n8"),
            force("Moored", "Bari", ["Bismarck", "Tirpitz"]),
            {"air_base": {"name": "Field", "hex": "n5", **aircraft}},
        ],
        [port("Scapa", "s6"), CARRIERS, activity("Watch", "patrol", "s9")],
        phases=("movement",),
        mover="allies",
    )
    played = OperationTable(
        given,
        {
            ("allies", "announce"): {"Fleet": "Watch"},
            ("axis", "interception"): [{"Moored": "A1"}],
            ("axis", "hex"): "s9",
            ("allies", "carrier raid"): {"Fleet": "Field"} if attack else {},
            ("allies", "sortie"): [everything("counterair")],
            ("allies", "withdraw"): all_withdraw,
            ("axis", "withdraw"): lambda decision: decision.form.default,
            **{("allies", key): value for key, value in answers.items()},
        },
        {"23.411": [12, 2]},
    ).to_end()
    return played, dice_of(played)["T1"].get("22.22G", 0)


@pytest.mark.ledger("22.22G.3")
def test_22_22G_aircraft_that_a_patrol_attacks_on_its_way_have_spotted_it_even_if_they_are_gone() -> None:
    """The base is out of range of the whole way for its own aircraft, and within reach of the carriers in s7."""
    assert spotted({"aircraft": {"Germany NAS": 2}}, False)[1] == 0
    played, dice = spotted({"aircraft": {"Germany NAS": 2}}, True)
    assert dice == 2
    events = list(played.game.events())
    kinds = [type(event) for event in events]
    order = [kinds.index(kind) for kind in (TriesAnnounced, RaidBegan, RaidEnded, InterceptionDiceCounted)]
    assert order == sorted(order), "announced, attacked, and only then rolled for"
    assert not played.operation.airfields[AXIS][0].base.squadrons, "none of them is left"


@pytest.mark.ledger("22.22G.3", "23.413")
def test_22_22G_inverted_aircraft_have_spotted_a_patrol_if_it_attacked_them() -> None:
    inverted = {"aircraft": {"Germany NAS": 1}, "inverted": {"Germany AAF": 1}}

    def both(decision: Any) -> Any:
        return {**everything("counterair")(decision), "inverted aircraft": "attack"}

    assert spotted(inverted, True)[1] == 1, "those that are left alone have seen nothing"
    assert spotted(inverted, True, sortie=[both])[1] == 2, "one NAS, and of the AAF its search squadron"


@pytest.mark.ledger("22.22G.3", "22.18F.2")
def test_22_22G_what_was_attacked_on_the_way_out_adds_nothing_on_the_way_home() -> None:
    played, _ = spotted({"aircraft": {"Germany NAS": 2}}, True)
    leg = played.operation.ended[0]
    assert _struck(played.operation, [replace(leg, returning=False)]) == {"Germany/NAS@Field": 2}
    assert _struck(played.operation, [replace(leg, returning=True)]) == {}
