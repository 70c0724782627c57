"""40.451, 20.512D: Murmansk convoys in the war: what sails, who attacks it in which order, and what arrives."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.core.sides import Audience, Side
from flagplot.model.air_events import AirBasesListed, TorpedoesFired
from flagplot.model.events import BattleJoined, FleetMustered, HitsRepaired
from flagplot.model.war_events import ConvoyIntercepted, ConvoyOver, ConvoySailed, ConvoyStalked, DispatchReceived
from flagplot.model.war_fold import apply_war
from flagplot.rules.strategic.murmansk import submarines_that_may_attack, transports_for
from tests.rules.war_table import ALLIES, AXIS, KIEL, SCAPA, WAR, WarTable, items, refusal, setup

HOME_FLEET = {"name": "Home Fleet", "nation": "Britain", "base": "Scapa Flow", "destroyers": 5}
DUKE = {**HOME_FLEET, "ships": ["Duke of York"]}
NORTH = {"name": "Northern squadron", "nation": "Germany", "ships": ["Scharnhorst"]}
ATLANTIC = {"Western Allies transport": 20}
TURN = "Allied Spring 1942"


def leaves(side: Side) -> Any:
    """A side that leaves naval combat after its first round."""
    return lambda decision: {item.key: "withdraw" for item in decision.form.items} if decision.side is side else {}


def arctic(
    *later: dict[str, Any], murmansk: Any = None, places: Any = None, answers: Any = None, dice: Any = None, **keys: Any
) -> WarTable:
    start = {"at": "Axis Spring 1942", "politics": WAR, "ports": [KIEL, SCAPA]}
    start |= {"murmansk": murmansk or {"brps": 15, "escort": DUKE}, **keys.pop("more", {})}
    sailing = {"BRPs": {"sail": 15}, "Britain/DD": {"sail": 5}, "duke-of-york": "sail"}
    given = {"submarine warfare": {}, "Murmansk convoy": sailing, "withdraw": leaves(AXIS), **(answers or {})}
    return WarTable(setup(start, *later, places=places or {"Atlantic": ATLANTIC}, **keys), given, dice)


# -- what sails -------------------------------------------------------------------------------------


@pytest.mark.ledger("40.451")
@pytest.mark.parametrize(
    ("politics", "murmansk", "transports", "asked"),
    [
        (WAR, {"brps": 15, "escort": DUKE}, 20, True),
        ({**WAR, "germany_russia_war": False}, {"brps": 15, "escort": DUKE}, 20, False),
        (WAR, {"brps": 0, "escort": DUKE}, 20, False),
        (WAR, {"brps": 15}, 20, False),
        (WAR, {"brps": 15, "escort": {**DUKE, "inverted": True}}, 20, False),
        (WAR, {"brps": 15, "escort": DUKE}, 0, False),
    ],
)
def test_a_convoy_needs_war_in_Russia_something_to_bring_a_transport_and_a_destroyer(
    politics: Any, murmansk: Any, transports: int, asked: bool
) -> None:
    boxes = {"Atlantic": {"Western Allies transport": transports}} if transports else {"Pacific": ATLANTIC}
    table = arctic(murmansk=murmansk, places=boxes, answers={"Murmansk convoy": {}}, more={"politics": politics})
    table.to_end()
    assert [when for when, kind in table.asked if kind == "Murmansk convoy"] == ([TURN] if asked else [])
    assert not table.events(ConvoySailed)


@pytest.mark.ledger("40.451")
def test_ten_BRPs_to_a_transport_and_three_to_a_destroyer() -> None:
    decision = arctic(places={"Atlantic": {"Western Allies transport": 1}}).to("Murmansk convoy")
    assert decision.side is ALLIES
    destroyers = {"Britain/DD": {"sail": 5}}
    assert refusal(decision, {"BRPs": {"sail": 11}, **destroyers}) == "40.451", "one transport carries ten"
    assert refusal(decision, {"BRPs": {"sail": 10}, "Britain/DD": {"sail": 3}}) == "40.451", "three guard nine"
    assert refusal(decision, {"BRPs": {"sail": 10}, "Britain/DD": {"sail": 4}}) == ""
    assert refusal(decision, {"duke-of-york": "sail"}) == "40.451", "she does not sail alone"
    assert [transports_for(brps) for brps in (1, 10, 11, 20)] == [1, 1, 2, 2]
    (sailed,) = arctic().to_end().events(ConvoySailed)
    assert sailed.convoy.light == {"Britain/TR": 2, "Britain/DD": 5}
    assert [cargo.name for cargo in sailed.convoy.cargo] == ["load 1 of 10 BRPs", "load 2 of 5 BRPs"]
    assert sailed.to is Audience.EVERYONE


@pytest.mark.ledger("40.451")
def test_what_nobody_attacks_arrives() -> None:
    table = arctic().to_end()
    (over,) = table.events(ConvoyOver)
    assert (over.sent, over.arrived, over.turned_back, over.losses) == (15, 15, False, ())
    assert table.war.convoys == {"sent": 15, "arrived": 15} and table.war.convoy is None
    assert not table.events(ConvoyIntercepted) and not table.events(BattleJoined)
    assert table.war.present("Atlantic", "Western Allies transport") == 20


# -- the order of attacks -----------------------------------------------------------------------------

BOX = {"Atlantic": {**ATLANTIC, "Germany submarine": 6}, "Murmansk box": {"Germany AAF": 3}}
ALL = {"Germany AAF": {"first sortie": 2, "second sortie": 1}, "scharnhorst": "intercept"}
NORTHERN = {"brps": 15, "escort": DUKE, "ships": NORTH}


@pytest.mark.ledger("40.451", "40.451A", "40.451A.1", "40.451A.2", "40.451B.1", "40.451C.1", "40.451D.1")
def test_air_sorties_then_ships_then_submarines_and_nobody_rolls_to_intercept() -> None:
    table = arctic(murmansk=NORTHERN, places=BOX, answers={"Murmansk interception": ALL})
    assert items(table.to("Murmansk interception")) == {
        "Germany AAF": ("stay", "first sortie", "second sortie", "third sortie"),
        "scharnhorst": ("stay", "intercept"),
    }
    assert table.to("Murmansk submarines").side is AXIS
    battles = [event.kind for event in table.events(BattleJoined)]
    assert battles == ["air attack", "air attack", "naval battle"], "submarines are asked for last"
    table.to_end()
    assert [event.kind for event in table.events(BattleJoined)][3:] == ["submarine attack"]
    assert {event.interceptor for event in table.events(BattleJoined)} == {AXIS}
    (met,) = table.events(ConvoyIntercepted)
    assert (met.sorties, met.ships, met.within) == ((2, 1), ("Scharnhorst",), False)
    assert not any("intercept" in why for why in table.rolled)
    factors = [base.factors for event in table.events(AirBasesListed) for base in event.air_bases]
    assert factors == [{"Germany/AAF": 2}, {"Germany/AAF": 1}]


@pytest.mark.ledger("40.451B.2", "40.451B")
def test_Germany_may_make_air_attacks_part_of_naval_combat() -> None:
    answers = {"Murmansk interception": ALL, "Murmansk air attacks": "within"}
    table = arctic(murmansk=NORTHERN, places=BOX, answers=answers).to_end()
    assert [event.kind for event in table.events(BattleJoined)] == ["naval battle", "submarine attack"]
    assert [base.factors for event in table.events(AirBasesListed) for base in event.air_bases] == [{"Germany/AAF": 3}]
    assert table.events(ConvoyIntercepted)[0].sorties == (3,)
    alone = arctic(murmansk=NORTHERN, places=BOX, answers={"Murmansk interception": {"Germany AAF": "first sortie"}})
    assert "Murmansk air attacks" not in alone.to_end().kinds(), "without ships there is no naval combat"
    ships = arctic(murmansk=NORTHERN, places=BOX, answers={"Murmansk interception": {"scharnhorst": "intercept"}})
    assert "Murmansk air attacks" not in ships.to_end().kinds()


@pytest.mark.ledger("40.451B.1", "20.512D.2", "20.512D")
def test_hits_of_one_sortie_are_repaired_before_the_next() -> None:
    """One attack squadron on 12: two hits, of three that damage a ship of four factors. Twice that does not add up."""
    answers = {"Murmansk interception": {"Germany AAF": {"first sortie": 1, "second sortie": 1}}}
    dice = {"searches": 1, "squadrons attack Duke of York": 12, "air defense": 2}
    answers["number"] = lambda decision: _numbers(decision)
    table = arctic(
        places={"Atlantic": ATLANTIC, "Murmansk box": {"Germany AAF": 2}}, answers=answers, dice=dice
    ).to_end()
    assert sum("squadrons attack Duke of York" in why for why in table.rolled) == 2
    assert [(event.rule, event.ships) for event in table.events(HitsRepaired)] == [("40.451B", ("duke-of-york",))] * 2
    second = [event for event in table.events(FleetMustered) if event.side is ALLIES][1]
    (duke,) = (ship for force in second.forces for ship in force.ships)
    assert (duke.hits, duke.damaged) == (0, False)
    assert [ship.id for ship in table.war.murmansk.escort.ships] == ["duke-of-york"]


def _numbers(decision: Any) -> Any:
    """The escort is group 1, so that searching aircraft find it on a one."""
    order = sorted((item.key for item in decision.form.items), key=lambda key: "Home" not in key)
    return {key: str(number) for number, key in enumerate(order, 1)}


@pytest.mark.ledger("40.451D.2", "20.512D")
@pytest.mark.parametrize(("boats", "damaged"), [(1, False), (2, True)])
def test_hits_of_all_submarines_add_up(boats: int, damaged: bool) -> None:
    """Each submarine on a modified nine or ten: three or four hits are too many, so two on a modified seven or eight."""
    murmansk = {"brps": 3, "escort": {**DUKE, "destroyers": 1}, "submarines": boats}
    sailing = {"BRPs": {"sail": 3}, "Britain/DD": {"sail": 1}, "duke-of-york": "sail"}
    answers = {"Murmansk convoy": sailing, "submarines": lambda decision: _at_the_escort(decision), "number": _numbers}
    table = arctic(
        murmansk=murmansk,
        places={"Atlantic": {**ATLANTIC, "Germany submarine": 6}},
        answers=answers,
        dice={"a submarine attacks Duke of York": 7},
    ).to_end()
    fired = table.events(TorpedoesFired)
    assert [(event.name, event.hits) for event in fired] == [("Duke of York", 2)] * boats
    assert table.events(ConvoyStalked)[0].submarines == boats
    left = [ship.id for ship in table.war.murmansk.escort.ships]
    assert left == ([] if damaged else ["duke-of-york"]), "damaged ships go to the yards"
    repaired = [event.rule for event in table.events(HitsRepaired)]
    assert repaired == ([] if damaged else ["40.451D"])


def _at_the_escort(decision: Any) -> Any:
    return {item.key: "CG1" for item in decision.form.items}


@pytest.mark.ledger("40.451D.1")
def test_how_many_submarines_may_attack() -> None:
    assert [submarines_that_may_attack(number) for number in (0, 1, 10, 11, 21)] == [0, 1, 1, 2, 3]
    assert submarines_that_may_attack(6, 3) == 3 and submarines_that_may_attack(2, 3) == 2
    boxes = {"Atlantic": {**ATLANTIC, "Germany submarine": 6}}
    table = arctic(places=boxes, answers={"Murmansk submarines": {}})
    assert table.to("Murmansk submarines").form.items[0].amount == 1
    table.to_end()
    assert not table.events(ConvoyStalked) and table.war.convoys["arrived"] == 15


@pytest.mark.ledger("22.9415B.1")
def test_excess_ASW_of_the_Atlantic_does_not_help_a_convoy() -> None:
    boxes = {"Atlantic": {**ATLANTIC, "Germany submarine": 1, "Britain ASW": 9}}
    table = arctic(places=boxes).to_end()
    (fired,) = table.events(TorpedoesFired)
    assert "22.9415" not in {line.rule for line in fired.modifiers.lines}


# -- what it costs ------------------------------------------------------------------------------------


@pytest.mark.ledger("40.451", "22.82A")
def test_what_sunken_transports_carried_does_not_arrive() -> None:
    """A convoy of a transport and two destroyers under a submarine on 12: four hits sink all of it."""
    murmansk = {"brps": 6, "escort": {**HOME_FLEET, "destroyers": 2}}
    table = arctic(
        murmansk=murmansk,
        places={"Atlantic": {**ATLANTIC, "Germany submarine": 1}},
        answers={"Murmansk convoy": {"BRPs": {"sail": 6}, "Britain/DD": {"sail": 2}}},
        dice={"a submarine attacks": 12},
    ).to_end()
    (over,) = table.events(ConvoyOver)
    assert (over.sent, over.arrived) == (6, 0)
    assert table.war.present("Atlantic", "Western Allies transport") == 19
    assert table.war.pools["Western Allies"]["transport"].allowable == 1, "it may be built again"
    assert table.war.murmansk.escort.light == {}
    assert table.war.convoys == {"sent": 6}


@pytest.mark.ledger("40.451D.1", "22.94")
def test_a_submarine_lost_at_a_convoy_is_gone_from_the_Atlantic() -> None:
    boxes = {"Atlantic": {**ATLANTIC, "Germany submarine": 1}}
    more = {"research": {"Western Allies": {"asw": 2}}}  # +1 for Germans, +1 against cargo, -1 for destroyers, -2
    table = arctic(places=boxes, dice={"a submarine attacks": 2}, more=more).to_end()
    assert table.war.present("Atlantic", "Germany submarine") == 0
    assert table.war.lost == {"Germany submarine": 1}


@pytest.mark.ledger("40.451B", "23.141C", "23.142A")
@pytest.mark.parametrize(("factors", "left"), [(1, 1), (2, 1)])
def test_aircraft_shot_down_are_gone_from_the_box(factors: int, left: int) -> None:
    """The attack squadrons are shot down. Two squadrons still make a factor, and four make no second one."""
    fleet = {**DUKE, "ships": ["Duke of York", "Anson", "Howe"], "cruisers": 5}
    ships = dict.fromkeys(("duke-of-york", "anson", "howe"), "sail")
    sailing = {"BRPs": {"sail": 15}, "Britain/DD": {"sail": 5}, "Britain/CA": {"sail": 5}, **ships}
    answers = {"Murmansk convoy": sailing, "Murmansk interception": {"Germany AAF": "first sortie"}}
    answers |= {"number": _numbers, "air search": _one_searches}
    dice = {"searches": 1, "air defense": 12}
    boxes = {"Atlantic": ATLANTIC, "Murmansk box": {"Germany AAF": factors}}
    table = arctic(murmansk={"brps": 15, "escort": fleet}, places=boxes, answers=answers, dice=dice).to_end()
    assert not any("squadrons attack" in why for why in table.rolled), "nobody got through"
    assert table.war.present("Murmansk box", "Germany AAF") == left


def _one_searches(decision: Any) -> Any:
    return {item.key: {"search": 1} for item in decision.form.items}


@pytest.mark.ledger("40.451C", "22.81A")
def test_a_convoy_that_leaves_naval_combat_turns_back_with_all_it_has() -> None:
    answers = {
        "Murmansk interception": {"scharnhorst": "intercept"},
        "withdraw": leaves(ALLIES),
    }
    table = arctic(murmansk=NORTHERN, answers=answers).to_end()
    (over,) = table.events(ConvoyOver)
    assert over.turned_back and over.arrived == 0
    assert "the convoy turns back".capitalize() in _words(over)


def _words(over: ConvoyOver) -> str:
    from flagplot.play.war_transcript import WAR_SENTENCES

    return WAR_SENTENCES[ConvoyOver](over, None)  # type: ignore[arg-type]


@pytest.mark.ledger("40.451C.2", "40.451C")
def test_ships_sunk_at_a_convoy_never_come_back() -> None:
    """Scharnhorst alone against a battleship that hits with every salvo."""
    answers = {"Murmansk interception": {"scharnhorst": "intercept"}, "number": _numbers, "Murmansk submarines": {}}
    dice = {"fire at Scharnhorst": 12, "searches": 1}
    table = arctic(murmansk=NORTHERN, answers=answers, dice=dice).to_end()
    (over,) = table.events(ConvoyOver)
    assert over.sunk == ("scharnhorst",) and table.war.sunk_ships == ("scharnhorst",)
    assert table.war.murmansk.ships.ships == ()
    row = next(row for row in table.war.timetable if row.murmansk)
    again = apply_war(table.war, DispatchReceived(rule="24.12", to=Audience.EVERYONE, dispatch=row))
    assert again.murmansk.ships.ships == () and [ship.id for ship in again.murmansk.escort.ships] == ["duke-of-york"]


@pytest.mark.ledger("40.451")
def test_nothing_attacks_a_convoy_of_which_nothing_is_left() -> None:
    """A transport and a destroyer are gone after the first sortie; ships and submarines find nobody."""
    murmansk = {"brps": 3, "escort": {**HOME_FLEET, "destroyers": 1}, "ships": NORTH}
    answers = {
        "Murmansk convoy": {"BRPs": {"sail": 3}, "Britain/DD": {"sail": 1}},
        "Murmansk interception": {
            "Germany AAF": {"first sortie": 3, "second sortie": 1},
            "scharnhorst": "intercept",
        },
        "number": _numbers,
    }
    boxes = {"Atlantic": {**ATLANTIC, "Germany submarine": 3}, "Murmansk box": {"Germany AAF": 4}}
    dice = {"searches": 1, "air defense": 2, "squadrons attack": 12}
    answers["air search"] = _one_searches
    table = arctic(murmansk=murmansk, places=boxes, answers=answers, dice=dice).to_end()
    assert [event.kind for event in table.events(BattleJoined)] == ["air attack"]
    assert table.events(ConvoyOver)[0].arrived == 0 and "Murmansk submarines" not in table.kinds()


@pytest.mark.ledger("40.451D.1", "40.451")
def test_submarines_attack_the_escort_of_a_convoy_that_is_sunk() -> None:
    ships = dict.fromkeys(("duke-of-york", "anson", "howe"), "sail")
    answers = {
        "Murmansk convoy": {"BRPs": {"sail": 3}, "Britain/DD": {"sail": 1}, **ships},
        "Murmansk interception": {"Germany AAF": "first sortie"},
        "number": lambda decision: {item.key: "1" if item.key == "Convoy" else "2" for item in decision.form.items},
        "air search": _one_searches,
    }
    boxes = {"Atlantic": {**ATLANTIC, "Germany submarine": 3}, "Murmansk box": {"Germany AAF": 3}}
    dice = {"searches": 1, "air defense": 2, "squadrons attack": 12, "a submarine attacks": 3}
    escort = {**DUKE, "ships": ["Duke of York", "Anson", "Howe"], "destroyers": 1}
    table = arctic(murmansk={"brps": 3, "escort": escort}, places=boxes, answers=answers, dice=dice).to_end()
    mustered = [event.forces for event in table.events(FleetMustered) if event.side is ALLIES]
    assert [[force.name for force in forces] for forces in mustered] == [["Convoy", "Home Fleet"], ["Home Fleet"]]
    assert table.events(ConvoyOver)[0].arrived == 0


@pytest.mark.ledger("40.451A.1")
def test_who_stays_in_the_box_does_not_attack() -> None:
    table = arctic(murmansk=NORTHERN, places=BOX, answers={"Murmansk submarines": {}}).to_end()
    (met,) = table.events(ConvoyIntercepted)
    assert (met.sorties, met.ships) == ((), ()) and not table.events(BattleJoined)


@pytest.mark.ledger("40.451A.1", "22.11.1")
def test_inverted_ships_in_the_box_do_not_intercept() -> None:
    idle = {**NORTHERN, "ships": {**NORTH, "inverted": True}}
    named = [item.key for item in arctic(murmansk=idle, places=BOX).to("Murmansk interception").form.items]
    assert named == ["Germany AAF"], "aircraft may all the same"


@pytest.mark.ledger("40.451", "22.552A.2")
def test_cruisers_and_escort_carriers_go_along_and_want_of_oil_is_felt() -> None:
    escort = {**DUKE, "cruisers": 2, "escort_carriers": 1}
    sailing = {"BRPs": {"sail": 3}, "Britain/DD": {"sail": 1}, "Britain/CA": {"sail": 1}, "Britain/CVE": {"sail": 1}}
    table = arctic(
        murmansk={"brps": 3, "escort": escort},
        places={"Atlantic": {**ATLANTIC, "Germany submarine": 1}},
        answers={"Murmansk convoy": sailing},
        more={"impaired": ["Britain"], "research": {"Germany": {"torpedo": 1}}},
    ).to_end()
    mustered = next(event for event in table.events(FleetMustered) if event.side is ALLIES)
    assert [(force.name, force.light) for force in mustered.forces] == [
        ("Convoy", {"Britain/TR": 1, "Britain/DD": 1}),
        ("Home Fleet", {"Britain/CA": 1, "Britain/CVE": 1}),
    ]
    assert mustered.impaired == ("Britain",)
    (listed,) = (event for event in table.events(AirBasesListed) if event.side is AXIS)
    assert listed.research == {"torpedo": 1}
