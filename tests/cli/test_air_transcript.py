"""Aircraft and submarines in words: each event by hand, and a strike in the order it happens."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.core.events import Event, Modifiers
from flagplot.model import air_events as air
from flagplot.model import events as ev
from flagplot.model.forces import CombatGroup, Force
from flagplot.model.ships import Ship
from flagplot.model.squadrons import AirBase, Counterair
from flagplot.play.transcript import sentence, transcript
from flagplot.play.wording import Names, agreeing, rolled, squadron_parts, submarine_parts
from tests.cli.air_story import (
    AKAGI,
    ALLIES,
    DUE,
    ELITE,
    ENTERPRISE,
    EVERYONE,
    JAPAN,
    NOTHING,
    joined,
    of,
    strike,
    told,
    torpedoes,
)

# -- words ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ({"Japan/NAS/elite": 4}, ["4 elite NAS"]),
        ({"Japan/AAS/attack@Rabaul": 2}, ["2 attack AAS from Rabaul"]),
        ({"Japan/AAS/attack@Rabaul": 2, "Japan/NAS@Rabaul": 1}, ["2 attack AAS", "1 NAS from Rabaul"]),
        (
            {"Japan/NAS": 1, "Japan/NAS@Rabaul": 1, "Japan/AAS/cover@Buin": 1},
            ["1 NAS", "1 NAS from Rabaul", "1 cover AAS from Buin"],
        ),
        ({"Japan/KAM@Kanoya": 1}, ["1 kamikaze squadron from Kanoya"]),
        ({"Germany/JET": 3}, ["3 jet squadrons"]),
        ({"Germany/ATR": 1}, ["1 air transport squadron"]),
        ({"Germany/AAS/attack@Catania (inverted)": 1}, ["1 inverted attack AAS from Catania"]),
        ({}, []),
        ({"Japan/NAS": 0}, []),
    ],
)
def test_squadrons_in_words(counts: dict[str, int], words: list[str]) -> None:
    assert squadron_parts(counts) == words


def test_a_nation_is_named_where_asked_and_factors_are_not_squadrons() -> None:
    both = {"Japan/NAS/elite": 1, "Germany/AAS/attack": 1}
    assert squadron_parts(both, nations=True) == ["1 elite Japan NAS", "1 Germany attack AAS"]
    assert squadron_parts({"Germany/AAF": 2, "Germany/JET": 1, "Germany/ATR": 2}, factors=True) == [
        "2 AAF",
        "1 jet factor",
        "2 air transport factors",
    ]


def test_submarines_in_words() -> None:
    assert submarine_parts({"Germany/SUB": 1, "Germany/SUB/advanced": 2}) == ["1 submarine", "2 advanced submarines"]
    assert submarine_parts({"Italy/SUB": 2}, nations=True) == ["2 Italy submarines"]


def test_dice_add_up_on_the_page() -> None:
    assert [rolled((4, 3)), rolled((4, 3), 2), rolled((1, 1), -4)] == ["4+3 = 7", "4+3, +2 = 9", "1+1, −4 = −2"]
    assert [rolled((5,)), rolled((5,), 1)] == ["5", "5, +1 = 6"]


def test_one_squadron_flies_and_several_fly() -> None:
    assert agreeing(["1 NAS"], "flies", "fly") == "flies"
    assert agreeing(["2 NAS"], "flies", "fly") == "fly"
    assert agreeing(["1 NAS", "1 attack AAS"], "flies", "fly") == "fly"


def test_nations_are_named_as_soon_as_a_side_has_several() -> None:
    victorious = Ship("victorious", "Victorious", "Britain", "CV", 2)
    shown = [
        ev.GroupRevealed(rule="22.4", to=EVERYONE, side=ALLIES, group=CombatGroup(1, ships=(ship,)))
        for ship in (ENTERPRISE, victorious)
    ]
    strike = of(air.StrikeAnnounced, ALLIES, number=2, squadrons={"Britain/NAS": 2}, surprise=False)
    assert told(strike, shown[0]).endswith("with 2 Britain NAS")  # a second nation, heard of only now
    assert told(strike, shown[1]).endswith("with 2 NAS")
    assert told(strike, *shown).endswith("with 2 Britain NAS")
    bases = of(air.AirBasesListed, ALLIES, **{**NOTHING, "air_bases": (AirBase("Yontan", factors={"China/AAF": 1}),)})
    assert told(strike, bases, shown[1]).endswith("with 2 Britain NAS")


# -- setting up ----------------------------------------------------------------------------------------


def test_air_bases_and_inputs_are_listed() -> None:
    rabaul = AirBase("Rabaul", 4, factors={"Japan/AAF": 2}, squadrons={"Japan/NAS": 1}, inverted={"Japan/NAS": 1})
    buin = AirBase("Buin", 1, operational=False)
    event = of(
        air.AirBasesListed,
        air_bases=(rabaul, buin),
        air_range=5,
        carrier_range=0,
        impaired_air=("Japan",),
        winter_air=("Russia",),
        research={"radar": 2, "torpedo": 0},
        submarine_codebreaking=1,
        excess_asw={"Pacific": 6},
    )
    assert told(event) == (
        "Japan's air bases: Rabaul (4 hexes) with 2 AAF, 1 NAS and 1 NAS inverted; "
        "Buin (1 hex, not operational) with no aircraft. Aircraft reach 5 hexes. "
        "Air in partial supply or short of oil: Japan. Air under a winter effect: Russia. Research: radar 2. "
        "Submarine codebreaking +1. Excess ASW: Pacific +6"
    )
    assert told(of(air.AirBasesListed, **NOTHING)) == "Japan has no air base"


def test_submarines_and_destroyers_elsewhere_are_told() -> None:
    assert told(of(air.SubmarinesMustered, submarines={"Japan/SUB": 3})) == "Japan brings 3 submarines"
    assert told(of(air.SubmarinesMustered, submarines={})) == "Japan brings no submarines"
    places = {"Truk": {"Japan/DD": 2}, "Kure": {}}
    event = of(air.DestroyersElsewhereListed, places=places)
    assert told(event) == "May take Japan's losses to submarines: 2 DD at Truk"


def test_a_submarine_attack_outside_battle_is_introduced_as_one() -> None:
    text = sentence(joined(kind="submarine attack", title="Palawan"))
    assert text == "Palawan (Pacific): United States sends submarines against Japan (22.31)"


def test_naval_air_is_told_with_the_ships_that_carry_it() -> None:
    mustered = ev.FleetMustered(
        rule="22.421",
        to=EVERYONE,
        side=JAPAN,
        forces=(Force("Kido Butai", (AKAGI,)), Force("Akagi", (AKAGI,))),
        impaired=(),
    )
    assert sentence(mustered, Names([joined()])) == (
        "Japan brings Kido Butai (Akagi, 3 elite NAS aboard); Akagi (3 elite NAS aboard) (22.421)"
    )


# -- patrol, counterair, cover, search -----------------------------------------------------------------------

DECKS = {"akagi": {"Japan/NAS/elite": 2}, "kaga": {"Japan/NAS/elite": 1}}


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (
            of(air.PatrolsFlown, patrols={1: DECKS, 3: {"zuiho": {"Japan/NAS": 1}}}),
            "Japan flies patrol over CG1 with 2 elite NAS from Akagi and 1 elite NAS from Kaga; "
            "over CG3 with 1 NAS from Zuiho",
        ),
        (of(air.PatrolsFlown, patrols={}), "Japan flies no patrol"),
        (
            of(air.CounterairFlown, decks=DECKS),
            "Japan launches 2 elite NAS from Akagi and 1 elite NAS from Kaga against air bases",
        ),
        (
            of(
                air.CounterairsAnnounced,
                counterairs=(
                    Counterair("axis", "Midway", ELITE),
                    Counterair("axis", "Kure Atoll", {"Japan/NAS": 1}, inverted_too=True),
                ),
            ),
            "Japan counterairs Midway with 4 elite NAS; Kure Atoll with 1 NAS, its inverted aircraft too",
        ),
        (
            of(air.AirBrokenDown, base="Rabaul", factors={"Japan/AAF": 2}, inverted_factors={"Japan/AAF": 1}),
            "At Rabaul Japan's 2 AAF and 1 AAF inverted become three squadrons each",
        ),
        (
            of(air.AirBrokenDown, base="Rabaul", factors={"Japan/AAF": 1}, inverted_factors={}),
            "At Rabaul Japan's 1 AAF becomes three squadrons",
        ),
        (of(air.StrikeForcesReady, squadrons=ELITE), "Japan has 4 elite NAS free to strike"),
        (
            of(air.CoverAssigned, cover={1: {"Japan/AAS/cover@Rabaul": 2}, 2: {"Japan/NAS@Buin": 1}}),
            "Japan covers CG1 with 2 cover AAS from Rabaul; CG2 with 1 NAS from Buin",
        ),
        (
            of(air.CoverAnnounced, squadrons={"Japan/AAS/cover@Rabaul": 2}),
            "Japan flies cover with 2 cover AAS from Rabaul",
        ),
        (of(air.CoverAnnounced, squadrons={}), "Japan flies no cover"),
        (
            of(air.AirSearchAssigned, squadrons={"Japan/AAS/search@Rabaul": 1}),
            "Japan sends out to search 1 search AAS from Rabaul",
        ),
    ],
)
def test_what_flies_before_the_strikes(event: Event, text: str) -> None:
    assert told(event) == text


def test_a_counterair_shows_both_rolls_with_opposite_modifiers() -> None:
    event = of(
        air.CounterairFought,
        base="Midway",
        attackers=ELITE,
        defenders={"United States/AAS/attack@Midway": 2, "United States/AAS/cover@Midway (inverted)": 1},
        modifiers=DUE,
        dice={JAPAN: (4, 3), ALLIES: (2, 1)},
        eliminated={JAPAN: 2, ALLIES: 0},
        aborted={JAPAN: 1, ALLIES: 0},
    )
    assert told(event) == (
        "Over Midway Japan's 4 elite NAS meet 2 attack AAS and 1 inverted cover AAS. "
        "Japan on row 4: 4+3, +1 = 8, 2 eliminated, 1 aborted; United States on row 3: 2+1, −1 = 2, no effect"
    )


def test_the_end_of_a_counterair() -> None:
    ended = of(
        air.CounterairEnded,
        base="Midway",
        lost={"Japan/NAS/elite": 1},
        aborted={"Japan/NAS/elite": 1},
        back={"Japan/NAS/elite": 2},
        base_lost={"United States/AAS/cover@Midway (inverted)": 1},
        base_aborted={"United States/AAS/attack@Midway": 2},
    )
    assert told(ended) == (
        "Over Midway Japan loses 1 elite NAS; 1 elite NAS turns back; 2 elite NAS may still strike; "
        "United States loses 1 inverted cover AAS; 2 attack AAS sit the round out"
    )
    nobody: dict[str, Any] = {"lost": {}, "aborted": {}, "base_lost": {}, "base_aborted": {}}
    alone = of(air.CounterairEnded, base="Midway", back=ELITE, **nobody)
    assert told(alone) == "Over Midway Japan loses nothing; 4 elite NAS may still strike"


# -- one strike ----------------------------------------------------------------------------------------------


def test_a_strike_reads_in_the_order_it_happens() -> None:
    lines = [line.removesuffix(" (23.1)") for line in transcript([joined(), *strike()])[1:]]
    assert lines == [
        "Japan may strike first: 2 search results against 1",
        "Japan launches 3 elite NAS from Akagi",
        "Japan strikes United States' CG2 with 6 elite NAS, by surprise",
        "Japan's surprise: 3, +1 = 4, level 4: no bonus for patrols, air defense level −1, attack rolls +1 and "
        "1 defending squadron fewer",
        "1 cover AAS from Midway covers United States' CG2",
        "United States holds 1 NAS over CG2 back for the round",
        "Over United States' CG2 Japan's 2 elite NAS fight United States' 1 NAS and 1 cover AAS from Midway",
        "Air combat. Japan on row 2: 6+4, +1 = 11, 1 eliminated, 3 aborted; "
        "United States on row 2: 1+2, −1 = 2, 1 aborted",
        "1 elite NAS turns back",
        "Over CG2 United States loses 1 NAS",
        "United States' CG2 has air defense level 1: 19 naval factors +2, surprise −1",
        "Air defense of United States' CG2 at level 1: 5+5 = 10, 1 eliminated",
        "The strike loses 1 elite NAS",
        "United States' CG2 is revealed: Enterprise, 3 NAS aboard",
        "Japan aims: 3 elite NAS at Enterprise; 1 elite NAS at United States' light ships",
        "3 elite NAS attack Enterprise: 4+3, +1 = 8, 2 hits",
        "Enterprise takes 2 hits and is damaged",
        "1 elite NAS attacks United States' light ships: 2+2 = 4, no hits",
        "The strike on United States' CG2 is over; 4 elite NAS fly home",
    ]


@pytest.mark.parametrize(
    ("level", "effects"),
    [
        (0, "no surprise"),
        (1, "level 1: no bonus for patrols"),
        (3, "level 3: no bonus for patrols, air defense level −1 and attack rolls +1"),
        (
            7,
            "level 7: no bonus for patrols, air defense level −1, attack rolls +1, 4 defending squadrons fewer and "
            "a critical hit roll for each ship damaged",
        ),
    ],
)
def test_the_level_of_surprise_and_what_it_does(level: int, effects: str) -> None:
    event = of(air.SurpriseRolled, number=2, dice=(5,), modifiers=Modifiers(), level=level)
    assert told(event) == f"Japan's surprise: 5, {effects}"


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (
            of(air.StrikeOrderSet, sides=(ALLIES, JAPAN), results={JAPAN: 2, ALLIES: 2}),
            "United States may strike first as the intercepting side: both have 2 search results",
        ),
        (of(air.StrikeFlown, decks={}), "Japan launches nothing from its carriers"),
        (
            of(air.StrikeAnnounced, number=5, squadrons={"Japan/AAS/attack@Rabaul": 2}, surprise=False),
            "Japan strikes United States' CG5 with 2 attack AAS from Rabaul",
        ),
        (of(air.StrikesEnded), "Japan flies no more strikes this round"),
        (of(air.CoverRevealed, number=1, cover={}), "No land-based air covers Japan's CG1"),
        (of(air.StrikersLost, number=1, lost={}, aborted={}), "The strike loses nothing"),
        (
            of(air.StrikersLost, number=1, lost={"Japan/NAS": 1}, aborted={"Japan/NAS": 2}),
            "The strike loses 1 NAS; 2 NAS turn back",
        ),
        (of(air.AirDefenseCounted, number=1, level=Modifiers()), "Japan's CG1 has air defense level 0"),
        (
            of(air.AirDefenseRolled, number=1, level=0, dice=(), eliminated=0, aborted=0),
            "Japan's CG1 puts up no air defense",
        ),
        (
            of(air.AirDefenseRolled, number=1, level=3, dice=(1, 1), eliminated=0, aborted=0),
            "Air defense of Japan's CG1 at level 3: 1+1 = 2, no effect",
        ),
        (of(air.AirTargetsChosen, number=1, targets={}), "Japan attacks nothing"),
        (
            of(air.AirTargetsChosen, number=1, targets={"supply line": {"Japan/NAS": 2}}),
            "Japan aims: 2 NAS at the sea supply line",
        ),
        (
            of(air.KamikazeTargetRolled, number=1, squadron="Japan/KAM@Kanoya", dice=(2,), target="enterprise"),
            "1 kamikaze squadron from Kanoya rolls 2 and falls upon Enterprise",
        ),
        (
            of(air.CriticalHitDue, number=1, ship="akagi", name="Akagi", outcome="no further effect"),
            "A critical hit roll is due on Akagi, taken as: no further effect",
        ),
        (
            of(air.StrikeEnded, number=1, spent={"Japan/KAM@Kanoya": 2}),
            "The strike on United States' CG1 is over; 2 kamikaze squadrons from Kanoya are spent",
        ),
        (
            of(air.DecksFilled, left={"kaga": {"Japan/NAS": 2}}, decks={"akagi": {"Japan/NAS": 2}, "soryu": ELITE}),
            "Japan's naval air lands: 2 NAS on Akagi and 4 elite NAS on Soryu; "
            "driven off damaged carriers: 2 NAS from Kaga",
        ),
        (
            of(air.AirLanded, ashore={"Japan/NAS@Rabaul": 1}, lost={"Japan/NAS/elite": 2}),
            "Japan's naval air is down: ashore and inverted 1 NAS at Rabaul; lost for want of a place 2 elite NAS",
        ),
        (of(air.AirLanded, ashore={}, lost={}), "Japan's naval air is down"),
        (
            of(air.AirStatusDecided, base="Rabaul", inverted={"Japan/AAS/attack": 2}),
            "At Rabaul 2 attack AAS stay inverted for the rest of the player turn",
        ),
    ],
)
def test_other_things_that_happen_in_a_strike(event: Event, text: str) -> None:
    assert told(event) == text


def test_a_ship_sunk_by_a_critical_hit_alone_takes_no_hits() -> None:
    event = ev.ShipHit(
        rule="20.524", to=EVERYONE, side=JAPAN, number=1, ship="akagi", name="Akagi", hits=0, fate="sunk"
    )
    assert sentence(event) == "Akagi sinks (20.524)"


# -- submarines ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (of(air.SubmarinesHeld, submarines={"Japan/SUB": 2}), "Japan's 2 submarines had a target and wait"),
        (
            of(air.SubmarineAttacked, number=2, submarine="Japan/SUB"),
            "Japan's submarine attacks United States' CG2",
        ),
        (
            of(air.SubmarineAttacked, number=2, submarine="Germany/SUB/advanced"),
            "Japan's advanced submarine attacks United States' CG2",
        ),
        (
            of(air.SubmarineCategoryRolled, number=2, dice=(4,), category="capital ships"),
            "It rolls 4 and meets the capital ships",
        ),
        (
            of(air.SubmarineCategoryRolled, number=2, dice=(), category="light ships"),
            "It meets the light ships, for there is nothing else",
        ),
        (torpedoes(), "Torpedoes at Enterprise: 5+5, −2 = 8, 2 hits"),
        (
            torpedoes(target="light", name="the light ships", dice=(1, 2), roll=1, hits=0, submarine_lost=True),
            "Torpedoes at United States' light ships: 1+2, −2 = 1, no hits; the submarine is lost",
        ),
        (
            of(
                air.LossesShifted,
                number=1,
                saved={"Japan/DD": 2},
                lost={"Truk": {"Japan/DD": 1}, "Kure": {"Japan/DD": 1}},
            ),
            "In place of 2 DD of Japan's CG1, 1 DD at Truk and 1 DD at Kure are lost",
        ),
    ],
)
def test_submarines_are_told(event: Event, text: str) -> None:
    assert told(event) == text


def test_submarines_that_go_home_say_why_and_cite_their_rule_once() -> None:
    event = of(air.SubmarinesReturned, submarines={"Japan/SUB": 1}, inverted=True, why="attacked (22.92)")
    assert sentence(event) == "1 submarine goes home, inverted: attacked (22.92)"
