"""23 through the public API: what the worked cases do not ask, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot import api
from flagplot.core.errors import IllegalChoice, PlayerError

US = "United States"
MALTA = {"name": "Malta", "anchors": 1, "flak": 1}
IN_MALTA = {"ships": [{"id": "warspite", "nation": "Britain", "kind": "BB", "size": 3}], "light": {"Britain/DD": 4}}


def ask(name: str, *, dice: tuple[int, ...] = (), edition: str | None = None, **with_: Any) -> dict[str, Any]:
    return api.call(name, with_, dice=list(dice), edition=edition)


# -- who does what ----------------------------------------------------------------------------------


@pytest.mark.ledger("23.11A.1", "23.11B", "23.11C", "23.11D", "23.11E", "23.11F", "23.151")
def test_each_kind_of_air_unit_has_its_activities() -> None:
    assert ask("air_employment")["activities"] == {
        "search AAS": ["spot", "search"],
        "cover AAS": ["cover"],
        "attack AAS": ["attack at sea"],
        "AAF": ["attack in port"],
        "NAS": ["spot", "search", "cover", "attack at sea", "attack in port"],
        "carrier NAS": ["combat air patrol", "attack at sea", "attack in port"],
        "kamikaze": ["attack at sea", "attack in port"],
    }
    assert list(ask("air_employment", units=["AAF"])["activities"]) == ["AAF"]


@pytest.mark.ledger("23.33.1", "23.36")
def test_damaged_carriers_and_escort_carriers_add_nothing_to_a_patrol() -> None:
    carriers = [
        {"id": "sound", "nation": US, "kind": "CV", "size": 3},
        {"id": "small", "nation": US, "kind": "CVL", "size": 2},
        {"id": "hurt", "nation": US, "kind": "CV", "size": 3, "damaged": True},
    ]
    group = {"ships": carriers, "light": {f"{US}/CVE": 3}}
    assert ask("patrol_limit", groups={"1": group, "2": 3})["most"] == {"1": 2, "2": 1}
    flying = {**group, "ships": [{**carriers[0], "air": 1}, carriers[1]], "patrol": {f"{US}/NAS": 2}}
    assert ask("patrol_limit", groups={"1": flying})["most"] == {"1": 2}
    with pytest.raises(PlayerError, match="naval air"):
        ask("patrol_limit", groups={"1": -1})


@pytest.mark.ledger("22.433", "22.441", "23.33.2", "23.74D.1")
def test_naval_air_back_from_counterair_may_strike_and_what_turned_back_may_not() -> None:
    told = ask("carrier_air", aboard=10, patrol=4, counterair=5, lost=1, aborted=2, struck=1)
    assert told == {"most_on_patrol": 4, "may_counterair": 6, "may_strike": 2}
    group = {"ships": [{"nation": "Japan", "kind": "CV"}, {"nation": "Japan", "kind": "CV", "damaged": True}]}
    assert ask("carrier_air", aboard=group)["may_strike"] == 3


@pytest.mark.parametrize(
    ("wrong", "rule"),
    [
        ({"patrol": 3}, "23.33"),
        ({"patrol": 2, "counterair": 5}, "22.431"),
        ({"counterair": 2, "lost": 1, "aborted": 2}, "22.433"),
        ({"patrol": 2, "struck": 5}, "22.441"),
        ({"struck": -1}, "22.431"),
    ],
)
def test_more_naval_air_than_there_is_does_nothing(wrong: dict[str, int], rule: str) -> None:
    with pytest.raises(PlayerError, match=rule):
        ask("carrier_air", aboard=6, **wrong)


@pytest.mark.ledger("22.434", "22.442C")
def test_land_based_air_turned_back_by_counterair_sits_out_that_round_only() -> None:
    later = [{"activity": "cover", "occasion": "round 1"}, {"activity": "cover", "occasion": "round 2"}]
    told = ask("air_unit_uses", later=later, turned_back=["round 1"])
    assert told["legal"] == [False, True]
    assert told["later"][0]["rule"] == "22.442C"


@pytest.mark.ledger("23.11F", "23.462B")
def test_an_army_squadron_attacks_no_ships_in_port_but_may_have_done_so_in_its_factor() -> None:
    told = ask("air_unit_uses", unit="attack AAS", later=[{"activity": "attack in port"}, {"activity": "counterair"}])
    assert told["legal"] == [False, True]
    assert told["later"][0]["rule"] == "23.11F"
    raided = [{"activity": "attack in port"}]
    chase = [{"activity": "attack at sea", "fleeing": True}]
    assert ask("air_unit_uses", unit="attack AAS", uses=raided, later=chase)["legal"] == [True]
    assert ask("air_unit_uses", unit="NAS", later=raided)["legal"] == [True]


@pytest.mark.ledger("23.43C", "23.43D.1", "23.43D.2", "23.75A.2", "23.75A.3")
def test_which_naval_units_aircraft_attack_at_all() -> None:
    def may(**said: Any) -> bool:
        return bool(ask("open_to_air_attack", **said)["may"])

    assert may() and may(place="port") and may(place="waiting for repair")
    assert not may(place="under repair") and not may(place="under construction")
    assert not may(unit="submarines") and may(unit="submarines", in_patrol_hex=True)
    assert not may(unit="submarines", place="port")
    assert may(unit="transports") and not may(unit="transports", to_or_from_port=True)
    assert not may(unit="ASW", to_or_from_port=True)


@pytest.mark.ledger("23.62")
def test_carriers_busy_with_another_activity_attack_no_base_and_no_other_word_will_do() -> None:
    assert not ask("carrier_raid", occasion="another activity", ships=False)["legal"]
    with pytest.raises(PlayerError, match="carrier_raid"):
        ask("carrier_raid", occasion="in its patrol hex")


# -- strikes ----------------------------------------------------------------------------------------


@pytest.mark.ledger("23.73.4", "23.73.4.1", "23.73.4.2", "23.73.4.3")
@pytest.mark.parametrize(
    ("squadrons", "most"),
    [
        ({"Japan/NAS/elite": 7, "Japan/AAS/attack@Rabaul": 6, "Rumania/AAS/attack@Constanta": 3}, 12),
        ({"Japan/NAS/elite": 1, "Japan/AAS/attack@Rabaul": 9, "Rumania/AAS/attack@Constanta": 3}, 9),
        ({"Italy/AAS/attack@Cagliari": 9}, 4),
        ({"Germany/AAS/attack@Catania": 2, "Italy/AAS/attack@Cagliari": 9}, 6),
        ({"Japan/NAS/elite": 14}, 12),
        ({"Britain/NAS": 2}, 2),
    ],
)
def test_the_largest_strike_of_these_squadrons(squadrons: dict[str, int], most: int) -> None:
    assert ask("strike_size", squadrons=squadrons)["most"] == most


@pytest.mark.ledger("23.441A.T7")
def test_a_winter_effect_of_eight_costs_one_in_air_combat_and_in_the_attack() -> None:
    flying = {"Germany/AAS/attack@Bardufoss": 3}
    cold = {"winter": ["Germany"]}
    cover = {"Britain/AAS/cover@Sumburgh": 2}
    assert ask("air_combat", attackers=flying, cover=cover, **cold, dice=(3, 4, 3, 4))["attacker_drm"] == -1
    assert ask("air_combat", attackers=flying, cover=cover, winter=["Sumburgh"], dice=(3, 4, 3, 4))["attacker_drm"] == 1
    target = {"light": {"Britain/DD": 3}}
    assert ask("air_attack", attackers=flying, target=target, **cold, dice=(3, 4))["net_drm"] == -1
    both = ask("air_attack", attackers=flying, target=target, **cold, impaired=["Bardufoss"], dice=(3, 4))
    assert both["net_drm"] == -2
    assert ask("air_strike", attackers=flying, target=target, **cold, dice=(1, 1, 3, 4))["attacks"][0]["modifier"] == -1
    with pytest.raises(PlayerError, match=r"23\.73"):
        ask("air_strike", attackers={"Germany/AAS/attack@Bardufoss": 5}, target=target, **cold, dice=(1, 1, 3, 4))
    surely = {"attackers": flying, "target": {**target, "cover": cover}, "surprise": False}
    mean = [ask("strike_odds", **surely, **told)["hits"]["light"]["expected"] for told in ({}, cold)]
    assert mean[1] < mean[0]
    lost = [ask("air_combat_odds", attackers=flying, cover=cover, **told)["lost"]["expected"] for told in ({}, cold)]
    assert lost[1] > lost[0]
    raid = {"ships": {"Germany/AAF@Bardufoss": 4}, "defenders": {"Britain/AAF": 2}}
    assert ask("port_air_combat", **raid, **cold, dice=(3, 4))["attacker_drm"] == -1


@pytest.mark.ledger("23.441B")
def test_the_enemys_tactical_codebreaking_counts_in_a_whole_strike_as_in_one_roll() -> None:
    strike = {"attackers": {f"{US}/NAS": 3}, "target": {"light": {"Japan/DD": 3}}, "enemy_tactical": 1}
    assert ask("air_strike", **strike, dice=(1, 1, 3, 4))["attacks"][0]["modifier"] == -1
    assert ask("air_attack", **strike, dice=(3, 4))["net_drm"] == -1


@pytest.mark.ledger("23.424-b")
@pytest.mark.parametrize(
    ("on_passage", "dice", "shown"),
    [
        (False, (1, 1, 3, 4), "the group"),
        (True, (1, 1, 3, 4), "the whole force"),
        (True, (6, 6), "nothing"),  # 1/1 at level 1: nobody is left
    ],
)
def test_what_a_strike_gets_to_see(on_passage: bool, dice: tuple[int, ...], shown: str) -> None:
    strike = {"attackers": {"Germany/AAS/attack@Catania": 2}, "target": {"light": {"Britain/DD": 3}}}
    assert ask("air_strike", **strike, on_passage=on_passage, dice=dice)["shown"] == shown


@pytest.mark.ledger("23.74A")
def test_carriers_do_not_strike_ships_on_passage() -> None:
    with pytest.raises(PlayerError, match=r"23\.74A"):
        ask("air_strike", attackers={f"{US}/NAS": 2}, target={"light": {"Japan/DD": 3}}, on_passage=True)


@pytest.mark.ledger("23.4211D.3")
def test_submarines_never_shoot_at_aircraft() -> None:
    assert ask("air_defense_level", group={}, research=2)["rolls"]
    assert not ask("air_defense_level", group={}, research=2, submarines=True)["rolls"]


@pytest.mark.ledger("23.44T.res4", "23.45")
def test_an_attack_on_light_ships_tells_what_they_lose() -> None:
    light = {f"{US}/CA": 2, f"{US}/DD": 3, f"{US}/DD/loaded": 3}
    told = ask("air_attack", attackers={"Japan/NAS": 4}, target={"light": light}, dice=(3, 4))  # 8 on row 4: three hits
    assert (told["hits"], told["sunk"], told["damaged"]) == (3, {f"{US}/CA": 1, f"{US}/DD": 1}, {})
    order = [f"{US}/DD/loaded", f"{US}/DD"]
    told = ask("air_attack", attackers={"Japan/NAS": 4}, target={"light": light}, order=order, dice=(3, 4))
    assert told["sunk"] == {f"{US}/CA": 1, f"{US}/DD/loaded": 1}


@pytest.mark.ledger("23.752D")
def test_a_bare_supply_line_is_attacked_without_anybody_aboard() -> None:
    told = ask("air_attack", attackers={"Britain/AAS/attack@Malta": 2}, target={"supply": True}, dice=(2, 4))
    assert (told["net_drm"], told["hits"]) == (2, 2)  # 8 on row 2
    for target in ({}, {"supply": True, "light": {"Italy/DD": 1}, "ships": [{"kind": "BB", "size": 3}]}):
        with pytest.raises(PlayerError, match="target"):
            ask("air_attack", attackers={"Britain/AAS/attack@Malta": 2}, target=target, dice=(2, 4))


@pytest.mark.ledger("22.463C")
def test_naval_air_aboard_a_carrier_that_was_just_damaged_must_find_another_deck() -> None:
    decks = {"A": {"capacity": 3, "aboard": 2, "damaged": True}, "B": {"capacity": 3, "aboard": 2}}
    assert ask("landing_places", decks=decks)["decks"] == {}
    decks["A"]["newly"] = True
    told = ask("landing_places", decks=decks)
    assert (told["decks"], told["lost"]) == ({"B": 1}, 1)


@pytest.mark.ledger("23.71A", "23.721B")
def test_beyond_six_groups_a_die_finds_one_of_those_that_share_its_number() -> None:
    told = ask("search_results", numbers=[1, 2, 3, 4, 5, 6, 1], dice=(1, 2))
    assert (told["results"], told["shared"]) == ({"1": 1, "2": 1}, {"1": 2})


@pytest.mark.ledger("23.722A", "23.722B")
def test_outside_naval_combat_only_squadrons_and_codebreaking_search() -> None:
    assert ask("search_dice", squadrons=5, codebreaking=1)["dice"] == 4
    assert ask("search_dice", squadrons=1, codebreaking=-1)["dice"] == 0


# -- ports ------------------------------------------------------------------------------------------


@pytest.mark.ledger("23.411C", "23.412B.1", "23.421.2", "23.423.1", "23.53.1", "23.53.2", "23.424-b")
def test_a_whole_sortie_of_army_air_against_ships_in_port() -> None:
    """Row 1 at 8 is 1/1: three of five go on. Level 2 + 1 + 1 + 1 is 5, and 2 is 1/0: two attack, 8 on row 2 is 2 hits."""
    raid: dict[str, Any] = {"port": MALTA, "group": IN_MALTA, "ships": {"Germany/AAF@Catania": 5}}
    told = ask("port_sortie", **raid, defenders={"Britain/AAF": 1}, dice=(4, 4, 1, 1, 4, 4))
    assert told["air_combat"]["going_on"] == {"Germany/AAF@Catania": 3}
    assert (told["air_defense"][0]["level"], told["lost"][0]["lost"]) == (5, {"Germany/AAF@Catania": 1})
    assert (told["attacks"][0]["hits"], told["ships"]) == (2, {"warspite": "damaged"})
    assert (told["revealed"], told["dice_used"]) == (True, 6)
    beaten = ask("port_sortie", **raid, defenders={"Britain/AAF": 1}, dice=(4, 4, 3, 4))  # 7 on row 5 is 2/1
    assert (beaten["revealed"], beaten["ships"], beaten["attacks"]) == (False, {}, [])


@pytest.mark.ledger("23.411A.2", "23.413")
def test_a_sortie_against_aircraft_alone_meets_no_guns_and_inverted_aircraft_leave_one_against_ships_alone() -> None:
    only_air = {"counterair": {"Germany/AAF@Catania": 2}, "ships": {}, "defenders": {"Britain/AAF": 1}}
    told = ask("port_sortie", port=MALTA, group=IN_MALTA, **only_air, dice=(3, 4, 3, 4))
    assert (told["air_defense"], told["dice_used"]) == ([], 4)
    asleep = {"ships": {"Germany/AAF@Catania": 2}, "inverted": {"Britain/AAF": 4}}
    told = ask("port_sortie", port=MALTA, group=IN_MALTA, **asleep, dice=(1, 1, 3, 4))
    assert (told["air_combat"]["fought"], told["dice_used"]) == (False, 4)  # level 5 at 2 leaves one factor


@pytest.mark.ledger("23.11F", "23.51.3")
@pytest.mark.parametrize(
    ("ships", "rule"),
    [
        ({"Germany/AAS/attack@Catania": 3}, r"23\.11F"),
        ({"Germany/AAF": 2}, "base"),
        ({"Germany/AAF@Catania": 2, "Germany/NAS": 1}, r"23\.51"),
    ],
)
def test_who_may_not_fly_against_a_port(ships: dict[str, int], rule: str) -> None:
    with pytest.raises(PlayerError, match=rule):
        ask("port_sortie", port=MALTA, group=IN_MALTA, ships=ships, dice=(1, 1, 3, 4))
    with pytest.raises(PlayerError, match=rule):
        ask("port_air_combat", ships=ships, defenders={"Britain/AAF": 1}, dice=(3, 4))


@pytest.mark.ledger("23.423.4", "23.53.3")
def test_factors_and_naval_air_share_the_losses_of_a_raid_as_one_unit_each() -> None:
    squadrons = {"Germany/AAF@Catania": 5, "Germany/NAS@Catania": 3}
    told = ask("air_loss_shares", squadrons=squadrons, eliminated=2, aborted=1)
    assert told["lost"] == {"Germany/AAF": 1, "Germany/NAS": 1}
    assert told["aborted"] == {"Germany/AAF": 1}


@pytest.mark.ledger("23.461A", "23.462A")
def test_where_one_flees_to_is_out_of_enemy_air_range_and_was_not_attacked() -> None:
    bases = {
        "Kavieng": {"distance": 2, "in_enemy_air_range": True},
        "Lae": {"distance": 3, "able": False},
        "Truk": {"distance": 6},
        "Palau": 12,
    }
    airfields = {"Buka": {"room": 3, "attacked": True}, "Gasmata": {"room": 3, "in_staging_range": False}, "Manus": 1}
    told = ask("escape_places", bases=bases, airfields=airfields)
    assert (told["ships"], told["aircraft"]) == (["Truk"], ["Manus"])


# -- damage and between rounds, by edition ----------------------------------------------------------


@pytest.mark.ledger("23.443A.3", "23.444")
def test_hits_stay_from_hex_to_hex_until_a_ship_is_in_port() -> None:
    assert ask("named_ship", size=4, results=[1, 2], fighting_over_after=[1])["after"] == ["undamaged", "damaged"]
    assert ask("named_ship", size=4, results=[2, 2], in_port_after=[1])["hits"] == [0, 2]
    assert ask("named_ship", size=4, results=[3, 1], in_port_after=[1])["after"] == ["damaged", "sunk"]


@pytest.mark.ledger("20.512A.2", "20.512B", edition="2008")
def test_in_2008_hits_are_repaired_before_a_ship_leaves_the_hex() -> None:
    told = ask("named_ship", size=4, results=[1, 2], fighting_over_after=[1], edition="2008")
    assert (told["after"], told["hits"]) == (["undamaged", "undamaged"], [0, 2])
    assert ask("named_ship", size=4, results=[3, 1], fighting_over_after=[1], edition="2008")["after"][-1] == "sunk"


SIX = [{"number": number, "light": {"Japan/DD": 2}} for number in range(1, 7)]
SEVENTH = {"name": "the seventh", "light": {"Japan/DD": 2}}
BETWEEN = {"groups": SIX, "waiting": [SEVENTH], "fought": [[2, 1], [3, 1], [4, 2]]}


@pytest.mark.ledger("22.54G.3", "22.54G.4", "22.421C.3.1", edition="2008")
def test_in_2008_groups_that_met_one_enemy_may_merge_which_makes_room() -> None:
    told = ask("between_rounds", **BETWEEN, edition="2008")
    assert (told["may_merge"], told["may_join"], told["may_renumber"]) == ([[2, 3]], [], True)
    merged = api.call(
        "between_rounds",
        BETWEEN,
        decisions=[("axis", "recombine", {"CG3:Japan/DD": "CG2"}), ("axis", "reinforce", {"the seventh": "3"})],
        edition="2008",
    )
    assert merged["may_join"] == ["the seventh"]
    assert [group["name"] for group in merged["groups"] if group["number"] == 3] == ["the seventh"]


@pytest.mark.ledger("22.424", "22.426", "22.421C.3")
def test_now_groups_neither_merge_nor_change_numbers_and_one_that_waits_needs_a_place() -> None:
    told = ask("between_rounds", **BETWEEN)
    assert (told["may_merge"], told["may_join"], told["may_renumber"]) == ([], [], False)
    assert ask("between_rounds", **{**BETWEEN, "groups": SIX[:5]})["may_join"] == ["the seventh"]
    for kind, answer in (("recombine", {"CG3:Japan/DD": "CG2"}), ("renumber", {"CG1": "2"})):
        with pytest.raises(PlayerError, match="nobody asked"):
            api.call("between_rounds", BETWEEN, decisions=[("axis", kind, answer)])


# -- squadrons named in part ---------------------------------------------------------------------------


@pytest.mark.ledger("23.415A.1", "23.415B.1")
def test_squadrons_that_engage_are_named_with_their_base_or_without() -> None:
    attackers, over = {f"{US}/NAS": 6}, {"patrol": {"Japan/NAS": 2}, "cover": {"Japan/NAS@Rabaul": 2}}
    for engaged, patrol, cover in (({"Japan/NAS": 1}, 1, 0), ({"Japan/NAS": 3}, 2, 1), ({"Japan/NAS@Rabaul": 2}, 0, 2)):
        told = ask("air_combat", attackers=attackers, engaged=engaged, dice=(1, 1, 1, 1), **over)
        expected = {"Japan/NAS": patrol, "Japan/NAS@Rabaul": cover}
        assert told["defenders"] == {key: number for key, number in expected.items() if number}
        assert told["attacker_drm"] == (0 if cover else -1)  # cover beside it takes the patrol's advantage (23.415D)
    with pytest.raises(PlayerError, match=r"Japan/AAS/cover.*Japan/NAS@Rabaul"):
        ask("air_combat", attackers=attackers, engaged={"Japan/AAS/cover": 1}, dice=(1, 1, 1, 1), **over)


@pytest.mark.ledger("23.415B.2", "23.415B.3")
def test_who_must_fight_may_be_named_and_no_more_than_the_defenders_are() -> None:
    few = {"attackers": {f"{US}/NAS": 2}, "fighting": {f"{US}/NAS": 2}}
    for patrol in ({"engaged": {"Japan/NAS": 3}}, {}):
        told = ask("air_combat", patrol={"Japan/NAS": 3}, dice=(1, 1, 1, 1), **few, **patrol)
        assert told["rows"] == {"attacker": 2, "defender": 3}
    with pytest.raises(PlayerError, match="Exactly 1 squadron meets the defenders"):
        ask("air_combat", patrol={"Japan/NAS": 1}, dice=(1, 1, 1, 1), **few)


# -- words -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "written", "meant"),
    [
        ("protection", {"unit": "Shore NAS", "task": "air cover"}, {"unit": "NAS", "task": "cover"}),
        (
            "protection",
            {"unit": "carrier-based NAS", "task": "CAP"},
            {"unit": "carrier NAS", "task": "combat air patrol"},
        ),
        ("carrier_raid", {"occasion": "Naval battle"}, {"occasion": "naval combat"}),
        ("carrier_raid", {"occasion": "fast carrier mission"}, {"occasion": "mission hex"}),
        ("open_to_air_attack", {"unit": "submarine", "place": "in port"}, {"unit": "submarines", "place": "port"}),
        (
            "combat_phase",
            {"events": ["Port attack", "counterair missions"]},
            {"events": ["attack in port", "counterair"]},
        ),
        ("break_down_air", {"factors": 1, "activity": "Air cover"}, {"factors": 1, "activity": "cover"}),
        ("air_nationality_drm", {"nation": "UK", "kind": "naval air"}, {"nation": "Britain", "kind": "NAS"}),
        (
            "air_unit_uses",
            {"unit": "land-based NAS", "uses": [{"activity": "air cover"}], "later": [{"activity": "DAS"}]},
            {"unit": "NAS", "uses": [{"activity": "cover"}], "later": [{"activity": "defensive air support"}]},
        ),
    ],
)
def test_other_names_mean_what_players_mean_by_them(name: str, written: dict[str, Any], meant: dict[str, Any]) -> None:
    assert api.call(name, written) == api.call(name, meant)


def test_a_unit_nobody_knows_is_refused_and_not_merely_forbidden() -> None:
    with pytest.raises(PlayerError, match="'balloon'.*; there are search AAS"):
        ask("protection", unit="balloon", task="cover")


@pytest.mark.parametrize(
    ("name", "with_", "reason"),
    [
        ("air_combat", {"attackers": {}, "patrol": {"Japan/NAS": 1}}, "give the squadrons that attack"),
        ("air_combat", {"attackers": {f"{US}/NAS": 1}, "patrol": {"Japan/NAS": 1000}}, "1000 are no squadrons"),
        ("port_air_combat", {"defenders": {"Italy/AAF": 2}}, "give what attacks"),
        ("counterair_in_battle", {"squadrons": {"Japan/NAS": 3}, "defenders": {}}, "aircraft at the base"),
        (
            "counterair_in_battle",
            {"squadrons": {"Japan/NAS@Truk": 3}, "defenders": {f"{US}/AAF": 1}},
            "naval air of carriers counterairs",
        ),
        (
            "air_strike",
            {"attackers": {"Japan/NAS": 1}, "target": IN_MALTA, "research": {"radar": 1000}},
            "1000 radar results cannot be",
        ),
        ("air_defense_level", {"group": {"ships": [{"id": "a/b", "size": 3}]}}, "cannot be the id of a ship"),
    ],
)
def test_nobody_nobody_to_attack_and_numbers_mistyped_are_refused(
    name: str, with_: dict[str, Any], reason: str
) -> None:
    with pytest.raises(PlayerError, match=reason):
        api.call(name, with_, dice=[3, 3, 3, 3])


@pytest.mark.ledger("23.413", "22.432")
def test_who_counterairs_a_base_where_all_are_inverted_attacks_these() -> None:
    told = ask(
        "counterair_in_battle", squadrons={"Japan/NAS": 3}, defenders={}, inverted={f"{US}/AAF": 1}, dice=(1, 1, 1, 1)
    )
    assert told["rows"] == {"attacker": 3, "defender": 3}


@pytest.mark.ledger("23.441A.T7")
def test_winter_counts_in_counterair_too() -> None:
    asked = {"squadrons": {"Japan/NAS": 3}, "defenders": {f"{US}/AAF": 1}, "dice": (1, 1, 1, 1)}
    assert [ask("counterair_in_battle", **asked, winter=who)["attacker_drm"] for who in ([], ["U.S."], ["Japan"])] == [
        0,
        1,
        -1,
    ]


@pytest.mark.ledger("23.11D")
@pytest.mark.parametrize("question", ["air_combat", "air_combat_odds"])
def test_jets_fly_no_cover_over_ships(question: str) -> None:
    asked = {"attackers": {"Japan/NAS": 2}, "cover": {"United States/JET/cover@Guam": 1}}
    with pytest.raises(IllegalChoice, match="may not fly air cover") as refused:
        api.call(question, asked, dice=[3, 4, 3, 4])
    assert refused.value.rule == "23.11D"
