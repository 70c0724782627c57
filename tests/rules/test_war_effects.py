"""26.7 to 26.9, 26.76: what bombing does in the strategic war, and how its markers leave, worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.model.strategic_bombing import RocketBase
from flagplot.model.war_events import (
    BombingTold,
    MarkersRemoved,
    RaidBombed,
    YardsAdvanced,
)
from tests.rules.war_table import BASES, ESSEN, WarTable, items, refusal, setup, target

# -- effects ------------------------------------------------------------------------------------------


def big_raid(*targets: dict[str, Any], begin: str = "Spring 1942", end: str = "", **keys: Any) -> WarTable:
    """Twenty British bombers over the first target."""
    start = {
        "at": f"Axis {begin}",
        "targets": list(targets),
        "air_bases": BASES,
        "brps": {"Germany": keys.pop("brps", 90)},
    }
    name = targets[0]["target"]["name"]
    first = (f"Allied {begin}", "strategic bombing")
    return WarTable(
        setup(
            start,
            *keys.pop("rows", ()),
            places={"western": {"Britain strategic bomber": keys.pop("number", 20)}},
            begin=begin,
            end=end,
        ),
        {first: {"Britain strategic bomber, western": name}, "strategic bombing": {}, **keys.pop("answers", {})},
        keys.pop("dice", {"bombers over": 7, "the defences": 2}),
    )


@pytest.mark.ledger("26.71A.1", "26.71A.2", "26.91", "26.82", "26.95", "26.92B")
def test_a_firestorm_and_the_end_of_its_marker() -> None:
    table = big_raid(ESSEN, end="Summer 1944")
    war = table.at("Axis Summer 1942")
    (bombs,) = table.events(RaidBombed)
    assert bombs.damage == 5 * 3 + 9 + 3 * 19, "twenty on 7: 5/9; five on 2: 0/1"
    assert table.events(BombingTold)[0].brps == {"Germany": 20}
    assert (war.targets["Essen"].markers, war.targets["Essen"].burnt) == (("firestorm",), (1942,))
    (removed,) = table.events(MarkersRemoved)
    assert removed.rule == "26.95" and not removed.targets[0].markers
    assert table.at("Axis Spring 1944").targets["Essen"].markers == ("firestorm",)
    assert table.at("Allied Spring 1944").targets["Essen"].markers == ()


@pytest.mark.ledger("26.95")
def test_of_two_firestorms_of_one_year_the_owner_says_which_marker_goes_first() -> None:
    marked = [
        target(name, "Germany", objective=True, markers=["firestorm"], burnt=[year])
        for name, year in (("Essen", 1942), ("Berlin", 1942), ("Leipzig", 1941))
    ]
    start = {"at": "Axis Spring 1944", "targets": marked}
    table = WarTable(setup(start, begin="Spring 1944", end="Fall 1944"), {"firestorm marker": "Berlin"}).to_end()
    gone = [event.targets[0].name for event in table.events(MarkersRemoved)]
    assert gone == ["Leipzig", "Berlin", "Essen"]


@pytest.mark.ledger("26.82", "26.73", "26.62C")
def test_a_dispatch_about_a_target_leaves_its_markers_alone() -> None:
    facility = {"kind": "oil center", "markers": 2, "production": 3}
    marked = {**ESSEN, "markers": ["firestorm"], "burnt": [1944], "facility": facility}
    again = {**ESSEN, "value": 30, "facility": {"kind": "oil center", "production": 3}}
    table = WarTable(
        setup(
            {"at": "Allied Spring 1944", "targets": [marked]},
            {"at": "Allied Summer 1944", "targets": [again]},
            {"at": "Allied Fall 1944", "targets": [{**again, "markers": ["atomic"]}]},
            {"at": "Allied Winter 1944", "targets": [ESSEN]},
            begin="Spring 1944",
            end="Winter 1944",
        )
    )
    summer = table.at("Axis Fall 1944").targets["Essen"]
    assert (summer.markers, summer.burnt, summer.value) == (("firestorm",), (1944,), 30)
    assert summer.facility is not None and summer.facility.markers == 1, "one was removed in the Axis player turn"
    assert table.at("Axis Winter 1944").targets["Essen"].markers == ("atomic",)
    assert table.war.targets["Essen"].facility is None and table.war.targets["Essen"].markers == ("atomic",)


@pytest.mark.ledger("26.62C")
def test_a_dispatch_does_not_bring_an_eliminated_base_back() -> None:
    from flagplot.core.sides import Audience
    from flagplot.model.war import Dispatch, War
    from flagplot.model.war_events import DispatchReceived
    from flagplot.model.war_fold import apply_war

    one, two = RocketBase("one", range=4), RocketBase("two", range=4)
    war = War(rocket_bases={"Germany": (RocketBase("two", damaged=True, range=4),)}, lost_bases={"Germany": (one,)})
    row = Dispatch(at=war.now, rocket_bases={"Germany": (one, two)})
    after = apply_war(war, DispatchReceived(rule="24.12", to=Audience.EVERYONE, dispatch=row))
    assert after.rocket_bases == {"Germany": (RocketBase("two", damaged=True, range=4),)}


@pytest.mark.ledger("26.32.1", "26.32.2")
def test_a_secondary_target_burns_and_costs_nothing() -> None:
    aachen = target("Aachen", "Germany", value=5, adjacent=["Essen"], distances={"Britain": 4})
    struck = {**ESSEN, "markers": ["firestorm"], "burnt": [1942]}
    table = big_raid(aachen, struck).to_end()
    (told,) = table.events(BombingTold)
    assert told.brps == {} and told.targets[0].markers == ("firestorm",)
    unstruck = big_raid(aachen, ESSEN)
    assert items(unstruck.to("strategic bombing"))["Britain strategic bomber, western"] == ("stay", "Essen")


@pytest.mark.ledger("26.72A", "26.72C", "26.72D.1", "26.72D.2", "26.72E", "26.73", "26.74")
@pytest.mark.ledger("26.81A.1", "26.81A.2", "26.81B")
@pytest.mark.parametrize("pays", [True, False])
def test_an_oil_plant_its_markers_and_emergency_repair(pays: bool) -> None:
    plant = target(
        "Leuna",
        "Germany",
        kind="synthetic oil plant",
        value=0,
        defences={"flak": 2},
        distances={"Britain": 4},
        facility={"kind": "synthetic oil plant"},
    )
    table = big_raid(
        plant,
        number=3,
        end="Summer 1942",
        dice={"bombers over": 7, "the defences": 12},
        answers={"emergency repair": "pay" if pays else "leave"},
    )
    war = table.at("Axis Summer 1942")
    (bombs,) = table.events(RaidBombed)
    assert bombs.damage == 2, "three on 7: 0/2; two on 12: 1/2, none gets through"
    facility = war.targets["Leuna"].facility
    assert facility is not None and facility.markers == (0 if pays else 1)
    assert war.purses["Germany"].brps == (88 if pays else 90)
    removed = [event.rule for event in table.events(MarkersRemoved)]
    assert removed == ([] if pays else ["26.81"])


@pytest.mark.ledger("26.73", "26.81A.1")
def test_one_damage_marker_a_turn_is_removed_and_a_destroyed_plant_stays_so() -> None:
    def oil(name: str, markers: int, kind: str = "oil center") -> dict[str, Any]:
        return target(name, "Germany", kind=kind, value=0, facility={"kind": kind, "markers": markers, "production": 3})

    start = {
        "at": "Axis Spring 1944",
        "targets": [oil("Ploesti", 2), oil("Baku", 1), oil("Leuna", 2, "synthetic oil plant")],
    }
    table = WarTable(setup(start, begin="Spring 1944", end="Fall 1944"), {"damage marker": "Baku"}).to_end()
    assert [event.targets[0].name for event in table.events(MarkersRemoved)] == ["Baku", "Ploesti", "Ploesti"]
    leuna = table.war.targets["Leuna"].facility
    assert leuna is not None and leuna.markers == 2


@pytest.mark.ledger("26.72D.3", "26.71")
@pytest.mark.parametrize("pays", [True, False])
def test_emergency_repair_without_BRPs_is_deficit_spending(pays: bool) -> None:
    """One bomber on 7 does nothing but the three for getting through: they may be paid although nothing is there."""
    plant = target(
        "Leuna",
        "Germany",
        kind="synthetic oil plant",
        value=0,
        defences={},
        distances={"Britain": 4},
        facility={"kind": "synthetic oil plant"},
    )
    more = {"at": "Axis Summer 1942", "brps": {"Germany": 5}}
    answers = {"emergency repair": "pay" if pays else "leave"}
    table = big_raid(plant, number=1, brps=0, rows=[more], end="Summer 1942", answers=answers)
    war = table.at("Axis Summer 1942")
    assert table.events(RaidBombed)[0].damage == 3
    assert war.purses["Germany"].brps == (-3 if pays else 0)
    facility = war.targets["Leuna"].facility
    assert facility is not None and facility.markers == (0 if pays else 1)
    assert table.war.purses["Germany"].brps == (2 if pays else 5), "income makes good what is owed first"


@pytest.mark.ledger("26.71", "26.75.3", "26.71A.1")
def test_losses_beyond_what_a_power_has_are_owed_and_nothing_is_built_on_credit() -> None:
    start = {"at": "Axis Spring 1942", "brps": {"Germany": 4}, "construction": {"Germany": 20}}
    start |= {"shipbuilding": {"Germany": 9}, "targets": [ESSEN], "air_bases": BASES}
    given = setup(
        start,
        {"at": "Axis Fall 1942", "brps": {"Germany": 30}},
        places={"western": {"Britain strategic bomber": 20}},
        pools={"Britain": {"strategic bomber": (20, 0)}, "Germany": {"interceptor": (0, 9)}},
        end="Fall 1942",
    )
    raid = {("Allied Spring 1942", "strategic bombing"): {"Britain strategic bomber, western": "Essen"}}
    table = WarTable(given, {**raid, "strategic bombing": {}}, {"bombers over": 7, "the defences": 2})
    assert table.at("Axis Summer 1942").purses["Germany"].brps == 4 - 20
    asked = [turn for turn, kind in table.asked if kind == "SW construction"]
    assert asked == ["Axis Spring 1942", "Axis Fall 1942"], "not while it owes BRPs"
    assert table.war.purses["Germany"].brps == 14


@pytest.mark.ledger("26.72B", "26.72A", "26.74", "26.81A.1")
def test_the_attacker_says_which_industry_in_a_hex_is_damaged_and_the_owner_what_is_repaired() -> None:
    """Fourteen are a marker for ten, and one for the four that are not paid."""
    plants = [
        {"kind": "synthetic oil plant", "name": "Leuna"},
        {"kind": "oil center", "name": "Nienhagen", "production": 3},
    ]
    essen = {**ESSEN, "facility": plants[0], "facilities": plants[1:]}
    table = big_raid(essen, number=4, dice={"bombers over": 9, "the defences": 2}, end="Summer 1942")
    decision = table.to("damaged industry")
    damage = table.events(RaidBombed)[0].damage
    assert damage == 3 + 2 + 3 * 3, "four on 9: 1/2; five on 2: 0/1, three get through"
    assert decision.side.name == "ALLIES" and decision.form.items[0].amount == 2
    assert refusal(decision, {"markers": {"Leuna": 2, "Nienhagen": 1}}) != ""
    table.answers["damaged industry"] = {"markers": {"Leuna": 1, "Nienhagen": 1}}
    asked = table.to("damage marker")
    assert [place.key for place in asked.form.places] == ["Essen: Leuna", "Essen: Nienhagen"]
    table.answers["damage marker"] = "Essen: Nienhagen"
    table.to_end()
    assert [each.markers for each in table.war.targets["Essen"].industry] == [1, 0]


@pytest.mark.ledger("26.72B", "26.74", "26.73")
def test_industry_takes_no_more_markers_than_it_can_and_where_all_of_it_does_nobody_is_asked() -> None:
    plants = [
        {"kind": "oil center", "name": "one", "production": 1},
        {"kind": "oil center", "name": "two", "production": 3},
    ]
    essen = {**ESSEN, "facilities": plants}
    decision = big_raid(essen, number=4, dice={"bombers over": 9, "the defences": 2}).to("damaged industry")
    assert refusal(decision, {"markers": {"one": 2}}) == "26.74"
    assert refusal(decision, {"markers": {"one": 1}}) == "", "he may assign fewer"
    assert decision.form.default == {"markers": {"one": 1, "two": 1}}
    three = [{"kind": "oil center", "name": "dry", "production": 0}, *plants]
    decision = big_raid({**ESSEN, "facilities": three}, number=4, dice={"bombers over": 9, "the defences": 2}).to(
        "damaged industry"
    )
    assert decision.form.default == {"markers": {"one": 1, "two": 1}}, "what produces nothing takes none"
    alone = big_raid({**ESSEN, "facilities": plants[1:]}, number=4, dice={"bombers over": 9, "the defences": 2})
    alone.to_end()
    assert "damaged industry" not in alone.kinds(), "there is no choice"
    assert [each.markers for each in alone.war.targets["Essen"].industry] == [2]
    table = big_raid(essen).to_end()
    assert "damaged industry" not in table.kinds()
    assert [each.markers for each in table.war.targets["Essen"].industry] == [1, 3]
    assert table.war.targets["Essen"].all_markers == ("firestorm", *["damage"] * 4)


@pytest.mark.ledger("26.75.1", "26.75.2", "26.75.3")
@pytest.mark.parametrize("choice", ["lose the BRPs", "eliminate the IC"])
def test_russia_may_give_up_a_bombed_IC(choice: str) -> None:
    gorki = target("Gorki", "Russia", "eastern", 8, ic=True, ic_loss=15, defences={}, distances={"Germany": 3})
    start = {"at": "Axis Spring 1943", "targets": [gorki], "air_bases": {"eastern": ["Germany"]}}
    start |= {"brps": {"Russia": 50}, "construction": {"Russia": 9}}
    table = WarTable(
        setup(start, places={"eastern": {"Germany AAF": 12}}, begin="Spring 1943"),
        {"strategic bombing": {"Germany AAF, eastern": "Gorki"}, "bombed IC": choice},
        {"4 bombers": 7},
    )
    war = table.at("Allied Spring 1943")
    assert table.events(RaidBombed)[0].damage == 3 + 1 + 3 * 4, "four on 7: 1/1, and all get through"
    kept = choice == "lose the BRPs"
    assert (war.purses["Russia"].brps, "Gorki" in war.targets) == ((42, True) if kept else (35, False))
    assert war.purses["Russia"].construction == (7 if kept else 9)


@pytest.mark.ledger("26.91", "26.92A", "26.75.2", "26.95", "26.72A")
@pytest.mark.parametrize("industry", [False, True])
def test_an_IC_that_is_given_up_burns_all_the_same(industry: bool) -> None:
    """Twelve bombers on 7: 2/7, and all get through: 49, more than the 25 of a firestorm."""
    gorki = target("Gorki", "Russia", "eastern", 8, ic=True, ic_loss=15, defences={}, distances={"Germany": 3})
    gorki |= {"facility": {"kind": "oil center", "production": 1}} if industry else {}
    start = {"at": "Axis Spring 1943", "targets": [gorki], "brps": {"Russia": 50}}
    table = WarTable(
        setup(start, places={"eastern": {"Germany AAF": 36}}, begin="Spring 1943", end="Spring 1945"),
        {
            ("Axis Spring 1943", "strategic bombing"): {"Germany AAF, eastern": "Gorki"},
            "strategic bombing": {},
            "bombed IC": "eliminate the IC",
        },
        {"12 bombers": 7},
    )
    war = table.at("Allied Spring 1943")
    assert table.events(RaidBombed)[0].damage == 2 * 3 + 7 + 3 * 12
    gorki_now = war.targets["Gorki"]
    assert (gorki_now.markers, gorki_now.burnt, gorki_now.target.ic) == (("firestorm",), (1943,), False)
    assert war.purses["Russia"].brps == 50 - 15
    assert "damage" in gorki_now.all_markers if industry else gorki_now.all_markers == ("firestorm",)
    assert table.kinds().count("strategic bombing") == 1, "what is left is no target"
    assert table.war.targets["Gorki"].markers == (), "from Spring 1945 on the marker may leave"


@pytest.mark.ledger("26.33.1", "26.75.2")
def test_news_of_an_atomic_attack_on_an_IC_that_was_given_up_changes_nothing() -> None:
    gorki = target("Gorki", "Russia", "eastern", 8, ic=True, ic_loss=15, defences={}, distances={"Germany": 3})
    start = {"at": "Axis Spring 1943", "targets": [gorki]}
    later = {"at": "Axis Summer 1943", "atomic": {"Gorki": "Germany"}}
    table = WarTable(
        setup(start, later, places={"eastern": {"Germany AAF": 12}}, begin="Spring 1943", end="Summer 1943"),
        {"strategic bombing": {"Germany AAF, eastern": "Gorki"}, "bombed IC": "eliminate the IC"},
        {"4 bombers": 7},
    ).to_end()
    assert table.war.targets == {}


# -- yards --------------------------------------------------------------------------------------------

KIEL_YARD = target(
    "Kiel", "Germany", kind="shipyard", value=0, defences={"cities_or_ports": 2, "anchors": 1}, distances={"Britain": 4}
)
GNEISENAU = {"name": "Gneisenau", "power": "Germany", "yard": "Kiel", "size": 3, "row": 1, "column": 2}


@pytest.mark.ledger("26.76.1", "26.76.2", "26.761-EX", "26.761A", "26.761B", "26.761C.1", "26.761E", "26.31H.1")
def test_the_Gneisenau_at_Kiel() -> None:
    """The example of 26.761: three bombers, 9 for a 1/1 and 4 for a 1/1, one gets through: 2/1, five columns."""
    table = big_raid(
        KIEL_YARD,
        number=3,
        end="Fall 1942",
        rows=[{"at": "Allied Spring 1942", "yards": [GNEISENAU]}],
        dice={"bombers over Kiel": 9, "the defences of Kiel": 4},
    )
    war = table.at("Axis Summer 1942")
    (ship,) = war.yards
    assert (ship.row, ship.column) == (2, 3)
    assert table.events(BombingTold)[0].brps == {}
    assert table.at("Axis Fall 1942").yards == (ship,)


@pytest.mark.ledger("26.76.3", "26.761D", "27.721.N1")
def test_the_bombing_player_chooses_the_ship_and_ships_are_launched_in_their_season() -> None:
    small = {**GNEISENAU, "name": "Z 30", "size": 1, "column": 0}
    british = {"name": "Duke of York", "power": "Britain", "yard": "Clyde", "size": 4, "row": 2, "column": 0}
    table = big_raid(
        KIEL_YARD,
        number=3,
        end="Winter 1942",
        rows=[{"at": "Allied Spring 1942", "yards": [GNEISENAU, small, british]}],
        dice={"bombers over Kiel": 9, "the defences of Kiel": 4},
        answers={"ships in a yard": {"1/0": "Z 30", "0/1": "Z 30"}},
    )
    war = table.at("Axis Summer 1942")
    assert [ship.name for ship in war.yards] == ["Gneisenau", "Duke of York"]
    assert war.yards[1].row == 1, "a row lower in the spring construction of its owner"
    assert table.events(BombingTold)[0].sunk_in_yard == ("Z 30",)
    assert [event.launched for event in table.events(YardsAdvanced)] == [(), ("Gneisenau",)]


@pytest.mark.ledger("26.31H.1", "26.76.1")
def test_an_empty_yard_is_no_target_and_a_miss_moves_nothing() -> None:
    assert "strategic bombing" not in big_raid(KIEL_YARD).to_end().kinds()
    table = big_raid(
        KIEL_YARD,
        number=1,
        rows=[{"at": "Allied Spring 1942", "yards": [GNEISENAU]}],
        dice={"bombers over": 2, "the defences": 12},
    ).to_end()
    assert table.war.yards[0].column == 2


@pytest.mark.ledger("26.33.1", "26.83", "26.92B")
def test_an_atomic_attack_leaves_its_marker_for_ever() -> None:
    tokyo = target("Tokyo", "Japan", "Pacific", key_economic_area=True)
    start = {"at": "Allied Summer 1945", "targets": [tokyo], "atomic": {"Tokyo": "United States"}}
    table = WarTable(setup(start, begin="Summer 1945", end="Winter 1946")).to_end()
    assert table.war.targets["Tokyo"].markers == ("atomic",)
