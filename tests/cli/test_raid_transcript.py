"""Air attacks outside naval combat in sentences."""

from __future__ import annotations

from flagplot.core.events import Event, Modifiers
from flagplot.core.sides import Audience, Side
from flagplot.model import air_events as air
from flagplot.model import events as ev
from flagplot.model.squadrons import Port
from flagplot.play.transcript import is_quiet, sentence
from flagplot.play.wording import Names

AXIS, ALLIES, EVERYONE = Side.AXIS, Side.ALLIES, Audience.EVERYONE
NAMES = {AXIS: "Japan", ALLIES: "Britain"}


def names(port: str = "") -> Names:
    known = Names()
    known.sides = dict(NAMES)
    known.port = port
    return known


def told(event: Event, port: str = "") -> str:
    return sentence(event, names(port))


def test_an_attack_on_passage_in_words() -> None:
    announced = air.AirAttackAnnounced(rule="23.23C", to=EVERYONE, side=AXIS)
    assert told(announced) == "Japan announces an air attack on Britain's force (23.23C)"
    drawn = air.SharersDrawn(rule="23.721", to=EVERYONE, side=AXIS, number=1, sharers=(1, 7), dice=(4,), found=7)
    assert told(drawn) == "CG1 and CG7 share the search number 1: 4, CG7 is found (23.721)"
    flying = {"Japan/NAS@Saigon": 2}
    declared = air.StrikeDeclared(rule="23.75", to=EVERYONE, side=AXIS, number=2, squadrons=flying)
    assert told(declared) == "Japan declares a strike on Britain's CG2 with 2 NAS from Saigon (23.75)"
    for lapsed, words in (
        (False, "Japan strikes Britain's CG2 with 2 NAS from Saigon (23.76)"),
        (True, "Britain's CG2 is gone: the strike with 2 NAS from Saigon goes home (23.76)"),
    ):
        flown = air.DeclaredStrikeFlown(rule="23.76", to=EVERYONE, side=AXIS, number=2, squadrons=flying, lapsed=lapsed)
        assert told(flown) == words


def test_a_port_in_words() -> None:
    assert told(air.PortListed(rule="23.4212", to=EVERYONE, port=Port("Haven"))) == "The port is Haven (23.4212)"
    large = air.PortListed(rule="23.4212", to=EVERYONE, port=Port("Kiel", 2, 1, 0, 1, 0, 1, 3))
    parts = "2 cities and ports, 1 flak factor, 1 objective, a fortification and at most 3 sorties"
    assert told(large) == f"The port is Kiel: {parts} (23.4212)"
    nothing = air.DeckAirShown(rule="23.411", to=EVERYONE, side=ALLIES, squadrons={})
    assert told(nothing) == "Aboard Britain's carriers in port: no naval air that can fly (23.411)"
    assert is_quiet(nothing)


def test_a_sortie_in_words() -> None:
    sortie = air.SortieAnnounced(
        rule="23.411", to=EVERYONE, side=AXIS, counterair={"Japan/NAS": 1}, ships={}, inverted_too=True
    )
    assert told(sortie, "Haven") == "Japan sends to Haven: against the aircraft, inverted ones too, 1 NAS (23.411)"
    fought = air.PortAirFought(
        rule="23.411",
        to=EVERYONE,
        side=AXIS,
        base="Haven",
        attackers={"Japan/NAS": 2},
        defenders={"Britain/AAF@Haven": 1},
        rows={AXIS: 0, ALLIES: 1},
        modifiers=Modifiers().plus("23.441A", "Japan", 1),
        dice={ALLIES: (3, 4)},
        eliminated={ALLIES: 1},
        aborted={ALLIES: 0},
    )
    assert told(fought, "Haven") == (
        "Over Haven Japan's 2 NAS meet 1 AAF. Japan does not counterair and does not roll; "
        "Britain on row 1: 3+4, −1 = 6, 1 eliminated (23.411)"
    )
    made = air.AirRecombined(
        rule="23.141A",
        to=EVERYONE,
        side=ALLIES,
        base="Haven",
        squadrons={"Britain/AAS/cover": 1},
        inverted={},
        factors={},
        inverted_factors={},
        lost={"Britain/AAS@Haven": 1},
    )
    assert told(made) == "At Haven Britain's 1 cover AAS becomes no factor; 1 AAS is left over and lost (23.141A)"


def test_what_bombs_do_in_port_in_words() -> None:
    for fate, words in (
        ("undamaged", "Hood takes 1 hit, no effect: in port they are made good at once (23.443B)"),
        ("damaged", "Hood takes 1 hit and is damaged (23.443B)"),
        ("sunk in port", "Hood takes 1 hit and sinks at her moorings (23.443B)"),
        ("destroyed", "Hood is destroyed (23.443B)"),
    ):
        hit = air.ShipHitInPort(
            rule="23.443B", to=EVERYONE, side=ALLIES, number=1, ship="hood", name="Hood", hits=1, fate=fate
        )
        assert told(hit) == words


def test_who_leaves_and_who_stays_inverted_in_words() -> None:
    inverted = air.PortAirInverted(
        rule="23.412A", to=EVERYONE, side=ALLIES, base="Haven", squadrons={"Britain/AAF@Haven": 2}
    )
    assert told(inverted) == "At Haven 2 AAF stay inverted for the rest of the player turn (23.412A)"
    gone = ev.Departed(rule="23.462", to=EVERYONE, side=ALLIES, whole=(1,), remains=())
    assert told(gone, "Haven") == "Britain's ships leave Haven, where no ship that is afloat stays (23.462)"
    some = ev.Departed(rule="23.462", to=EVERYONE, side=ALLIES, whole=(), remains=())
    assert told(some, "Haven") == "Britain's ships leave Haven, where others stay (23.462)"


def test_the_port_is_forgotten_when_the_next_battle_begins() -> None:
    known = names("Haven")
    joined = ev.BattleJoined(
        rule="22.31",
        to=EVERYONE,
        title="Another",
        theatre="Pacific",
        kind="naval battle",
        interceptor=AXIS,
        round=1,
        names=NAMES,
        tactical=dict.fromkeys(Side, 0),
        search_advantage=dict.fromkeys(Side, 0),
        aircraft=True,
        submarines=False,
        western_front=False,
        inputs="default",
    )
    known.learn(joined)
    assert known.group(ALLIES, 2) == "Britain's CG2"
