"""The questions about exact chances: what they tell, what they add up to, and what they refuse."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from flagplot import api
from flagplot.api.air_odds import admirals_aim
from flagplot.api.chances import exact
from flagplot.core.errors import PlayerError
from flagplot.editions.current import ruleset
from flagplot.model.forces import CombatGroup
from flagplot.model.ships import Ship

Json = dict[str, Any]
KGV = {"id": "KGV", "nation": "Britain", "kind": "BB", "size": 4}
BISMARCK = {"id": "Bismarck", "nation": "Germany", "kind": "BB", "size": 5}
AKAGI = {"id": "Akagi", "nation": "Japan", "kind": "CV"}


def whole(told: Json) -> bool:
    return sum(exact(told).values()) == 1


def of_words(told: Json) -> dict[str, Fraction]:
    return {word: Fraction(each["exact"]) for word, each in told.items()}


def test_a_volley_with_its_modifier_line_by_line() -> None:
    """Bismarck against King George V: five factors, a five-factor battleship's bonus, and Germany's equals Britain's."""
    told = api.call(
        "volley_odds",
        {
            "fires": [{"firing": {"ships": [BISMARCK]}, "target": "KGV"}, {"factors": 6, "modifier": -1}],
            "ships": [KGV],
            "light": {"Britain/CA": 1, "Britain/DD": 2},
        },
    )
    shot = told["fires"][0]
    assert shot["factors"] == 5 and shot["modifier"] == sum(line[2] for line in shot["lines"])
    asked = api.call("fire_modifier", {"firing": {"ships": [BISMARCK]}, "target": {"ships": [KGV]}})
    assert shot["modifier"] == asked["modifier"] == 1
    assert whole(told["hits"]["KGV"]) and whole(told["total_hits"]) and whole(told["factors_sunk"])
    fates = of_words(told["ships"]["KGV"])
    # Five factors with +1: a throw of 10 or more scores three hits, which damage her; none scores four.
    assert sum(fates.values()) == 1 and fates["damaged"] == Fraction(6, 36) and "sunk" not in fates
    assert sum(Fraction(each["exact"]) for each in told["light"]["outcomes"]) == 1


@pytest.mark.parametrize(
    ("name", "wanted", "why"),
    [
        ("volley_odds", {"fires": []}, "number of fires"),
        ("volley_odds", {"fires": [{"factors": 0}], "light": {"/DD": 1}}, "number of factors"),
        ("volley_odds", {"fires": [{"factors": 3}]}, "there is no 'light' to fire at"),
        ("volley_odds", {"fires": [{"firing": {"ships": [KGV]}, "target": "Hood"}], "ships": [KGV]}, "must be there"),
        ("volley_odds", {"fires": [{"factors": 3, "target": "KGV"}], "ships": [{**KGV, "hits": -1}]}, "0 to 3 hits"),
        ("volley_odds", {"fires": [{"factors": 3, "target": "KGV"}], "ships": [{**KGV, "hits": 4}]}, "0 to 3 hits"),
        ("volley_odds", {"fires": [{"factors": 3, "target": "KGV"}], "ships": [KGV, KGV]}, "more than one target"),
        ("volley_odds", {"fires": [{"factors": 3}], "ships": [{**KGV, "id": "light"}]}, "more than one target"),
        (
            "volley_odds",
            {"fires": [{"firing": {"ships": [BISMARCK]}, "air": True, "target": "KGV"}], "ships": [KGV]},
            "for aircraft",
        ),
        ("surprise_odds", {"results": 0}, "search results"),
        ("surprise_odds", {"radar": -1}, "radar results"),
        ("air_combat_odds", {"attackers": {"Japan/NAS": 1}, "surprise_level": -1}, "level of surprise"),
        ("air_defense_odds", {"attackers": {"Japan/NAS": 1}, "group": {}, "research": -1}, "air defense results"),
        ("strike_odds", {"attackers": {"Japan/NAS": 1}, "target": {}}, "nothing in this group"),
        (
            "strike_odds",
            {"attackers": {"Japan/NAS": 1}, "target": {"ships": [KGV]}, "research": {"radar": -1}},
            "radar results",
        ),
        ("search_odds", {"search_dice": 99, "groups": [1]}, "search dice"),
        ("search_odds", {"search_dice": 1, "groups": [7]}, "from 1 to 6"),
        ("search_odds", {"search_dice": 1, "groups": [1, 1]}, "the same number"),
        ("submarine_attack_odds", {"submarines": {"Japan/DD": 1}, "target": {"ships": [KGV]}}, "no submarines"),
        ("submarine_attack_odds", {"submarines": {}, "target": {"ships": [KGV]}}, "number of submarines"),
        ("submarine_attack_odds", {"submarines": {"Japan/SUB": 1}, "target": {}}, "nothing in this group"),
        ("strike_odds", {"attackers": {}, "target": {"ships": [KGV]}}, "number of squadrons"),
        (
            "strike_odds",
            {"attackers": {"Japan/NAS@Truk": 1}, "target": {"ships": [KGV]}, "surprise": True},
            "23.7411A",
        ),
        (
            "engagement_odds",
            {"axis": {"ships": [BISMARCK]}, "allies": {"ships": [KGV]}, "states": 0},
            "number of states",
        ),
        ("engagement_odds", {"axis": {"ships": [BISMARCK]}, "allies": {"ships": [KGV]}, "seconds": 0}, "seconds"),
        ("engagement_odds", {"axis": {"ships": [BISMARCK]}, "allies": {"ships": [KGV]}, "least": 1}, "least chance"),
        ("engagement_odds", {"axis": {"ships": [BISMARCK]}, "allies": {}}, "need ships"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(name: str, wanted: Json, why: str) -> None:
    with pytest.raises(PlayerError, match=why):
        api.call(name, wanted)


def test_search_tells_each_group_and_who_strikes_first() -> None:
    told = api.call(
        "search_odds", {"search_dice": 2, "groups": [2, 5], "enemy_dice": 0, "own_groups": 3, "intercepting": False}
    )
    assert told["groups"]["5"]["found"]["exact"] == "11/36" and whole(told["groups_found"]) and whole(told["results"])
    assert told["results"]["exact"] == "2/3"
    # Ties go to the other side, which intercepts: one result or two are needed.
    assert told["strikes_first"]["exact"] == "5/9"
    assert "strikes_first" not in api.call("search_odds", {"search_dice": 2, "groups": [2]})
    assert sum(Fraction(each["exact"]) for each in told["both"]) == 1


def test_surprise_is_told_with_its_effects() -> None:
    told = api.call("surprise_odds", {"results": 1, "radar": 2})
    assert told["level"]["chances"]["0"]["exact"] == "1/3"
    assert exact(told["effects"]["patrol_bonus_lost"])[1] == Fraction(4, 6)


def test_air_combat_and_air_defense_are_told_alike() -> None:
    fought = api.call("air_combat_odds", {"attackers": {"Japan/NAS": 3}, "patrol": {"United States/NAS": 2}})
    shot = api.call("air_defense_odds", {"attackers": {"Japan/NAS": 3}, "group": {"ships": [KGV]}})
    assert shot["level"] == 1 and exact(shot["lost"])[1] == Fraction(10, 36)  # a throw of 9 or more
    assert all(whole(fought[name]) and whole(shot[name]) for name in ("through", "lost", "aborted", "defenders_lost"))


def test_a_strike_by_the_admiral_goes_where_it_is_worth_most() -> None:
    target = {"ships": [KGV, AKAGI], "light": {"Japan/DD": 2}}
    told = {
        aim: api.call("strike_odds", {"attackers": {"United States/NAS": 6}, "target": target, "aim": aim})
        for aim in ("admiral", "first")
    }
    assert list(told["first"]["hits"]) == ["KGV"] and "Akagi" in told["admiral"]["hits"]
    for each in told.values():
        assert whole(each["factors_sunk"]) and sum(of_words(each["ships"]["Akagi"]).values()) == 1
        assert sum(Fraction(one["exact"]) for one in each["exchange"]) == 1


def test_the_admirals_aim_uses_every_squadron() -> None:
    group = CombatGroup(3, ships=(Ship("A", "A", "Japan", "CV", 3),), light={"Japan/DD": 1})
    aimed = admirals_aim(ruleset(), group, {"United States/NAS": 5})
    assert sum(sum(counts.values()) for counts in aimed.values()) == 5


def test_submarines_tell_what_both_sides_lose() -> None:
    told = api.call(
        "submarine_attack_odds",
        {"submarines": {"Germany/SUB": 2}, "target": {"ships": [KGV], "light": {"Britain/DD": 2}}},
    )
    assert whole(told["submarines_lost"]) and whole(told["factors_sunk"]) and told["supply_line_cut"]["exact"] == "0"
    assert sum(Fraction(each["exact"]) for each in told["exchange"]) == 1


def test_an_engagement_tells_its_budget_and_what_it_used() -> None:
    wanted = {"axis": {"ships": [BISMARCK]}, "allies": {"ships": [KGV]}}
    told = api.call("engagement_odds", wanted)
    assert told["exact"] and told["unresolved"]["exact"] == "0" and told["used"]["stopped"] == ""
    assert sum(of_words(told["victor"]).values()) == 1
    assert told["sides"]["allies"]["ships"]["KGV"]["sunk"] > told["sides"]["axis"]["ships"]["Bismarck"]["sunk"]
    less = api.call("engagement_odds", {**wanted, "states": 5})
    assert not less["exact"] and less["used"]["stopped"] == "states" and less["budget"]["states"] == 5
    assert sum(of_words(less["victor"]).values()) + Fraction(less["unresolved"]["exact"]) == 1
    first = api.call("engagement_odds", {**wanted, "rounds": 1})
    assert first["victor"]["still fighting"]["chance"] > 0.5 and first["used"]["rounds"] == 1


@pytest.mark.parametrize(
    ("name", "spelled", "otherwise"),
    [
        (
            "submarine_attack_odds",
            {
                "submarines": {"United States/SUB": 2},
                "target": {"light": {"Japan/DD": 2}},
                "defender": {"research": {"ASW": 2}, "impaired": ["Japan"]},
            },
            {
                "submarines": {"U.S./SUB": 2},
                "target": {"light": {"japan/DD": 2}},
                "defender": {"research": {"asw": 2}, "impaired": ["japan"]},
            },
        ),
        (
            "strike_odds",
            {
                "attackers": {"United States/NAS": 4},
                "target": {"ships": [AKAGI], "patrol": {"Japan/NAS": 1}},
                "surprise": True,
                "research": {"radar": 1},
                "impaired": ["United States"],
                "impaired_ships": ["Japan"],
            },
            {
                "attackers": {"U.S./NAS": 4},
                "target": {"ships": [AKAGI], "patrol": {"japan/NAS": 1}},
                "surprise": True,
                "research": {"Radar": 1},
                "impaired": ["us"],
                "impaired_ships": ["japan"],
            },
        ),
        (
            "air_combat_odds",
            {"attackers": {"United States/NAS": 4}, "patrol": {"Japan/NAS": 3}, "winter": ["United States"]},
            {"attackers": {"U.S./NAS": 4}, "patrol": {"japan/NAS": 3}, "winter": ["U.S."]},
        ),
    ],
)
def test_nations_and_research_are_known_whatever_their_capitals(name: str, spelled: Json, otherwise: Json) -> None:
    """Whoever writes U.S. has the modifiers of the United States (22.552A, 23.441A), not those of an unknown nation."""
    assert api.call(name, otherwise) == api.call(name, spelled)


@pytest.mark.ledger("23.441A")
def test_the_air_nationality_chart_knows_the_united_states_by_short_names() -> None:
    """Two on the chart; one less in winter."""
    assert api.call("air_nationality_drm", {"nation": "U.S."})["drm"] == 2
    told = api.call("strike_size", {"squadrons": {"U.S./NAS": 8}, "winter": ["us"]})
    assert told["drms"] == {"United States/NAS": 1} and told["most"] == 4
    toll = api.call(
        "air_loss_shares",
        {"squadrons": {"U.S./NAS": 2, "Britain/NAS": 2}, "eliminated": 1, "aborted": 0, "order": ["us/NAS"]},
    )
    assert toll["lost"] == {"United States/NAS": 1}
