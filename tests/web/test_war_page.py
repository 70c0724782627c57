"""The strategic war on its page: one full turn between two browsers, the view and its figures by hand, odds, charts, replay."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from markupsafe import Markup

from flagplot.core.forms import AtMost, Form, Item, Place
from flagplot.core.sides import Side
from flagplot.play.game import Game
from flagplot.scenarios.loader import parse_scenario, shipped_scenario
from flagplot.web import war_charts
from flagplot.web.hall import LiveGame
from flagplot.web.lobby_page import battles
from flagplot.web.replays import board_at, replay_of
from flagplot.web.views import form, view
from tests.properties.random_battles import KEY, SeededDice
from tests.web.browsing import fine
from tests.web.test_battle_page import Seat, Server, assert_fits_a_phone

MOST_COMMITS = 40
WAR = """
format = 1
title = "One turn of 1943"
kind = "war"
from = "Fall 1943"
to = "Fall 1943"
[axis]
name = "Germany and Japan"
[allies]
name = "The Western Allies"
[start]
[start.places]
Atlantic = { "Germany submarine" = 12, "Britain ASW" = 9, "United States ASW" = 3, "Western Allies transport" = 40, "Britain CVE" = 2 }
Pacific = { "Japan transport" = 18, "Japan ASW" = 2, "United States submarine" = 3 }
"in port" = { "Germany submarine" = 3, "Western Allies transport" = 14 }
western = { "Britain strategic bomber" = 8, "Germany interceptor" = 4, "Britain AAF" = 6 }
[start.pools.Germany]
submarine = { built = 15, allowable = 4 }
interceptor = { built = 4, allowable = 3 }
"advanced submarine" = { built = 0, allowable = 2 }
[start.pools.Japan]
transport = { built = 18, allowable = 6 }
ASW = { built = 2, allowable = 1 }
[start.pools.Britain]
"strategic bomber" = { built = 8, allowable = 2 }
[start.pools."United States"]
submarine = { built = 3, allowable = 2 }
[start.pools."Western Allies"]
ASW = { built = 12, allowable = 0 }
transport = { built = 54, allowable = 20 }
[[dispatch]]
at = "Axis Fall 1943"
headline = "The third winter of the war draws near."
brps = { Germany = 15, Japan = 9 }
construction = { Germany = 12, Japan = 9 }
shipbuilding = { Germany = 3, Japan = 2 }
politics = { germany_us_war = true, japan_us_war = true, japan_britain_war = true }
air_bases = { western = ["Britain", "Germany", "United States"], Pacific = ["Japan"] }
ports = [
    { name = "Kiel", holder = "Germany", front = "western" },
    { name = "Brest", holder = "Germany", front = "western" },
    { name = "Tokyo", holder = "Japan", front = "Pacific" },
    { name = "Scapa Flow", holder = "Britain", front = "western" },
    { name = "Pearl Harbor", holder = "United States", front = "Pacific" },
]
[[dispatch]]
at = "Allied Fall 1943"
brps = { Britain = 12, "United States" = 36 }
construction = { Britain = 15, "United States" = 40 }
shipbuilding = { Britain = 4, "United States" = 12 }
research = { "Western Allies" = { air_range = 2, bombers = 2 } }
targets = [
    { target = { name = "Essen", country = "Germany", objective = true, key_economic_area = true }, front = "western", value = 20, defences = { flak = 2, objectives = 1, cities_or_ports = 1 }, distances = { Britain = 5, Germany = 0 } },
]
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    made = Server(tmp_path_factory.mktemp("war"))
    made.begin()
    yield made
    made.end()


# -- in the browser -----------------------------------------------------------------------------------


def kind_of(seat: Seat) -> str:
    return (seat.question or {}).get("kind", "")


def words(seat: Seat, where: str) -> str:
    return " ".join(seat.page.inner_text(where).split())


def legal(seat: Seat) -> None:
    seat.until(lambda: seat.page.inner_text("#verdict") == "Legal.")


def build(axis: Seat) -> None:
    """Numbers by stepper, by field and by key; limits that count along; a refusal with its rule."""
    page = axis.page
    assert "Axis Fall 1943" in words(axis, "#part-head") and "your player turn" in words(axis, "#part-head")
    assert "Construction" in page.inner_text("#part-head .track .now")
    assert words(axis, "#part-boxes .station >> nth=0").startswith("Atlantic Germany and Japan 12 submarine Germany")
    assert "40 transport Western Allies" in words(axis, "#part-boxes")
    group = page.locator("#form .of-group[aria-label=Germany]")
    one = group.locator(".item", has_text="submarine")
    assert one.locator(".most").inner_text() == "of 3"  # the shipbuilding points allow no more
    one.locator("button[aria-label^='one more']").click()
    one.locator("input").press("ArrowUp")
    assert one.locator("input").input_value() == "2"
    assert "Germany has 15 BRPs to spend. 6 of 15" in words(axis, "#limits")
    other = group.locator(".item", has_text="interceptor")
    other.locator("button", has_text="all").click()
    axis.until(lambda: "✕" in page.inner_text("#verdict"))
    assert "may spend 12 BRPs on construction" in page.inner_text("#verdict") and "24.22" in page.inner_text("#verdict")
    assert "✕ 15 of 12" in words(axis, "#limits")
    other.locator("input").fill("2")
    other.locator("input").press("Tab")
    legal(axis)
    fine(page, "the war, building")
    axis.commit()


def hunt(axis: Seat) -> None:
    """What the submarines may be expected to do changes with their number."""
    page = axis.page
    assert "Submarines" in page.inner_text("#part-head .track .now")
    before = words(axis, "#odds")
    assert "Atlantic 11 against 12 ASW, 40 transports" in before and "net modifier" in before
    stepper = page.locator("#form .item.counted")
    stepper.locator("input").fill("40")
    stepper.locator("input").press("Tab")
    assert stepper.locator("input").input_value() == "12"  # there are no more
    axis.until(lambda: "at most 11 of Germany's submarines" in page.inner_text("#verdict"))
    assert "25.13" in page.inner_text("#verdict") and "✕ 12 of 11" in words(axis, "#limits")
    stepper.locator("button[aria-label^='five fewer']").click()
    axis.until(lambda: "Atlantic 7 against 12 ASW" in words(axis, "#odds"))
    assert (
        words(axis, "#odds").split("transports sunk ")[1].split()[0] != before.split("transports sunk ")[1].split()[0]
    )
    page.click("#odds summary >> nth=0")
    assert re.search(r"25\.6\d?", page.inner_text("#odds .ledger"))
    page.click("#reset")
    assert stepper.locator("input").input_value() == "11"
    legal(axis)
    axis.commit()
    ledger = words(axis, "#part-ledger")
    assert "Atlantic: submarines of Germany" in ledger and "11 submarine factors against 12 ASW" in ledger
    assert "reads" in ledger and "Atlantic: what it cost" in ledger
    page.click("#part-ledger .fought summary >> nth=0")
    assert page.locator("#part-ledger .fought .ledger a.rule").count() >= 1
    fine(page, "the ledger of the war")


def sail(allies: Seat) -> None:
    """Fourteen transports in port, some of them to sea: a field for each place, the rest stays."""
    page = allies.page
    stack = page.locator("#form .of-group[aria-label='In port'] .item").first
    stack.locator("button[aria-label^='five more'][aria-label$='Atlantic SW box']").click()
    stack.locator("input").first.press("PageUp")
    assert stack.locator("input").first.input_value() == "10" and "in port: 4" in stack.inner_text()
    legal(allies)
    allies.commit()


def bomb(allies: Seat) -> None:
    page = allies.page
    assert "Nothing: nobody is sent." in words(allies, "#odds")
    item = page.locator("#form .item", has_text="Britain strategic bomber").first
    item.locator("button", has_text="all").first.click()
    allies.until(lambda: "Essen, Britain 8 bombing factors" in words(allies, "#odds"))
    assert "If nobody meets the raid in the air." in words(allies, "#odds")
    assert "Essen Germany, western" in words(allies, "#part-targets") and "20 BRPs" in words(allies, "#part-targets")
    legal(allies)
    allies.commit()


def defend(axis: Seat) -> None:
    assert axis.page.locator("#form .item", has_text="Germany interceptor").count() == 1
    axis.page.locator("#form button", has_text="all").first.click()
    legal(axis)
    axis.commit()


def test_two_people_play_a_turn_of_the_war_and_watch_it_again(server: Server, browser: Any) -> None:
    game = server.new_game(scenario="", text=WAR, axis="person", allies="person", order_of_battle="")
    both = axis, allies = Seat(browser, server, game, "axis"), Seat(browser, server, game, "allies")
    acts: dict[tuple[str, str], Callable[[Seat], None]] = {
        ("axis", "SW construction"): build,
        ("axis", "submarine warfare"): hunt,
        ("allies", "SW movement"): sail,
        ("allies", "strategic bombing"): bomb,
        ("axis", "air defense of targets"): defend,
    }
    done: set[tuple[str, str]] = set()
    commits = 0
    while not axis.over:
        assert commits < MOST_COMMITS
        for name, seat in (("axis", axis), ("allies", allies)):
            if seat.question is None:
                continue
            now = (name, kind_of(seat))
            if now in acts and now not in done:
                done.add(now)
                acts[now](seat)
            else:
                seat.commit()
            commits += 1
        axis.until(lambda: any(seat.question for seat in both) or all(seat.over for seat in both))
    assert done == set(acts)
    told = words(axis, "#part-over")
    assert "The war is over" in told and "Lost since the beginning" in told
    assert "Essen: raid of Britain" in words(axis, "#part-ledger")
    assert axis.page.locator("#part-charts svg.war-chart").count() == 3
    assert "Fall 1943" in words(axis, "#part-charts .figures >> nth=0")
    axis.context.grant_permissions(["clipboard-read", "clipboard-write"])
    axis.page.click("[data-act=copy-report]")
    axis.until(lambda: "The report is copied" in axis.page.inner_text("#say"))
    assert "One turn of 1943" in axis.page.evaluate("navigator.clipboard.readText()")
    watch_again(allies)
    for seat in both:
        seat.close()


def watch_again(allies: Seat) -> None:
    page = allies.page
    page.click("#part-over a.main")
    page.wait_for_selector("#log li.here")
    allies.until(lambda: page.locator("#sea #part-boxes").count() == 1)
    assert not page.locator("#naval-chart").is_visible() and not page.locator("#boards").is_visible()
    assert "12 submarine Germany" in words(allies, "#sea #part-boxes")
    page.click("#log a:has-text('roll')")
    allies.until(lambda: "Submarines" in page.inner_text("#sea-track .now"))
    allies.until(lambda: "Atlantic: submarines of Germany" in page.inner_text("#sea #part-ledger"))
    page.click("[data-by=round][data-way='1']")
    allies.until(lambda: "Allied Fall 1943" in page.inner_text("#log li.here"))
    assert_fits_a_phone(page)


def test_a_war_is_set_up_as_text_and_its_card_says_what_it_is(server: Server, browser: Any) -> None:
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    page, troubles = context.new_page(), list[str]()
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.goto(f"{server.address}/")
    card = page.locator("article", has=page.locator("#card-war"))
    assert "Fall 1939 to Winter 1946 · everything lies open" in card.inner_text()
    card.get_by_role("link").click()
    page.wait_for_selector("#verdict:has-text('can be played')")
    for hidden in ("#interceptor", "#kind", "#theatre", "#fleets", "#ship-search", "#order_of_battle", "#muster"):
        assert not page.locator(hidden).is_visible(), hidden
    assert page.locator("#text").is_visible() and "strategic war" in page.inner_text("main")
    fine(page, "the set-up of a war")
    page.click("#rulings summary")
    assert (
        page.locator("h3[data-rulings=war]").is_visible()
        and not page.locator("h3[data-rulings=operations]").is_visible()
    )
    page.locator("#scenario").select_option("river-plate")
    page.wait_for_selector("#verdict:has-text('Plate')")
    for shown in ("#interceptor", "#kind", "#theatre", "#ship-search", "#order_of_battle"):
        assert page.locator(shown).is_visible(), shown
    assert troubles == []
    context.close()


# -- the view -----------------------------------------------------------------------------------------


def started(text: str = WAR, seed: int = 5) -> LiveGame:
    game = Game.new(parse_scenario(text, "war.toml").setup, dice=SeededDice(Random(seed)), key=KEY)
    game.advance()
    return LiveGame("game", game, dict.fromkeys(Side, "person"), 0, "")


def until(live: LiveGame, side: Side, kind: str, **answers: Any) -> dict[str, Any]:
    """Answer as proposed until a side is asked this; its view."""
    for _ in range(200):
        for each in Side:
            decision = live.game.decision(each)
            if decision is None:
                continue
            if (each, decision.kind) == (side, kind):
                return view(live, side)
            live.game.submit(each, answers.get(decision.kind.replace(" ", "_"), decision.form.default))
            live.game.advance()
            break
    raise AssertionError(kind)


def row(part: dict[str, Any], side: str, unit: str) -> dict[str, Any]:
    found: dict[str, Any] = next(each for each in part["sides"][side] if each["unit"] == unit)
    return found


def test_the_view_says_what_stands_where() -> None:
    told = view(started(), Side.AXIS)
    war = told["war"]
    assert told["title"] == "One turn of 1943"
    assert told["names"] == {"axis": "Germany and Japan", "allies": "The Western Allies"}
    assert war["turn"]["now"] == "Axis Fall 1943" and (war["turn"]["number"], war["turn"]["of"]) == (1, 1)
    assert [each["name"] for each in war["boxes"]] == ["Atlantic", "Indian Ocean", "Pacific"]
    assert row(war["boxes"][0], "axis", "Germany submarine")["number"] == 12
    assert row(war["boxes"][0], "allies", "Britain CVE")["ready"] == 2
    fronts = {each["name"]: each for each in war["fronts"]}
    assert row(fronts["western"], "axis", "Germany interceptor")["number"] == 4
    assert fronts["western"]["bases"] == ["Britain", "Germany", "United States"]
    assert not fronts["Pacific"]["served"]  # the transports there are in the SW box of the same name
    assert {each["name"]: each["brps"] for each in war["powers"]}["Germany"] == 15
    pools = {each["owner"]: {kind["kind"]: kind for kind in each["kinds"]} for each in war["pools"]}
    assert pools["Germany"]["submarine"] == {"kind": "submarine", "built": 15, "allowable": 4}
    assert war["politics"][0]["text"] == "Germany and the United States are at war"
    assert {each["name"] for each in war["ports"] if each["side"] == "axis"} == {"Kiel", "Brest", "Tokyo"}
    assert war["chart"]["turns"] == ["Fall 1943"] and war["chart"]["running"]
    assert war["chart"]["transports"][0] == {"name": "Western Allies", "side": "allies", "values": [54]}


def test_everyone_is_shown_the_same_war() -> None:
    live = started()
    until(live, Side.ALLIES, "SW movement")
    shown = [view(live, side)["war"] for side in (*Side, None)]
    assert shown[0] == shown[1] == shown[2] == view(live, None, sees_all=True)["war"]


def test_a_battle_has_no_war() -> None:
    game = Game.new(shipped_scenario("river-plate").setup, dice=SeededDice(Random(1)), key=KEY)
    game.advance()
    live = LiveGame("game", game, dict.fromkeys(Side, "person"), 0, "")
    assert view(live, Side.AXIS)["war"] is None


def test_the_ledger_adds_up_and_damaged_transports_are_idle() -> None:
    live = started()
    told = until(live, Side.ALLIES, "SW construction")
    axis = next(each for each in told["war"]["ledger"] if each["when"] == "Axis Fall 1943")
    combat = axis["combats"][0]
    assert combat["title"] == "Atlantic: submarines of Germany" and combat["side"] == "axis"
    (fought,) = combat["rounds"]
    assert sum(amount for _, _, amount in fought["lines"]) == fought["total"]
    for roll, sign in zip(fought["rolls"], (1, -1), strict=True):
        assert roll["total"] == sum(roll["dice"]) + sign * fought["total"] and re.fullmatch(r"\d+/\d+", roll["result"])
    port = next(each for each in told["war"]["elsewhere"] if each["name"] == "in port")
    transports = row(port, "allies", "Western Allies transport")
    damaged = sum(each["number"] for each in transports["idle"])
    assert transports["ready"] + damaged == transports["number"]
    assert damaged > 0 and transports["idle"][0]["until"].startswith(("Axis", "Allied"))


def test_the_question_is_grouped_and_limits_count() -> None:
    live = started()
    asked = view(live, Side.AXIS)["question"]
    items = {item["key"]: item for item in asked["form"]["items"]}
    assert items["Germany: submarine"]["group"] == "Germany"
    assert items["Germany: submarine"]["label"] == "Germany submarine, 3 BRPs each"
    spend = next(limit for limit in asked["form"]["limits"] if "Germany has 15 BRPs" in limit["why"])
    assert spend["sum"]["limit"] == 15 and ["Germany: submarine", "build", 3] in spend["sum"]["cells"]
    asked = until(live, Side.ALLIES, "SW movement")["question"]
    assert {item["group"] for item in asked["form"]["items"]} == {"Atlantic", "In port"}
    assert all("SW box" not in item["label"] for item in asked["form"]["items"])


def test_what_is_to_be_expected_is_the_mean_of_all_rolls() -> None:
    """Two dice against two dice, all 1296 of them, through the rules themselves."""
    from flagplot.model.strategic_war import Combat, Shipping
    from flagplot.rules.strategic.submarine_warfare import losses, strike

    live = started()
    asked = until(live, Side.AXIS, "submarine warfare")["question"]
    (box,) = asked["chances"]["war"]
    rules, net = live.game.table.rules, box["modifiers"][0]["total"]
    faces = [one + two for one in range(1, 7) for two in range(1, 7)]
    sunk = [
        losses(Shipping(40, 12, 2), [strike(rules, Combat(11, 12, net, mine, theirs))]).sunk
        for mine in faces
        for theirs in faces
    ]
    assert dict(map(tuple, box["rows"]))["transports sunk"] == f"{sum(sunk) / len(sunk):.1f}"


def test_the_replay_knows_turn_and_stage() -> None:
    live = started()
    until(live, Side.ALLIES, "SW construction")
    steps = replay_of(live.game, Side.AXIS, everything=False)["steps"]
    at = next(step["n"] for step in steps if step["kind"] == "SubmarineWarfareRolled")
    assert (steps[at]["phase"], steps[at]["stage"]) == ("Axis Fall 1943", "submarines")
    board = board_at(live.game, Side.AXIS, at, everything=False)
    assert board["war"]["stage"] == "submarines" and board["names"]["axis"] == "Germany and Japan"
    assert len(board["war"]["ledger"][0]["combats"]) == 1  # the losses are told by the step after it


def test_the_lobby_has_a_card_for_the_war() -> None:
    (group,) = [group for group in battles() if group["heading"].startswith("The strategic war")]
    assert [card["operation"] for card in group["cards"]] == ["Fall 1939 to Winter 1946"]


def test_a_question_whose_proposal_breaks_a_limit_is_shown_with_the_rule() -> None:
    limit = AtMost((("boats", "sea", 1),), 3, "25.13", "At most 3 may be at sea.")
    places = (Place("sea", "at sea"), Place("port", "in port"))
    told = form(Form((Item("boats", "boats", 4),), places, (limit,), default={"boats": "sea"}))
    assert told["default"] == {"boats": {"sea": 4}}
    assert told["refused"] == {"rule": "25.13", "why": "At most 3 may be at sea."}
    assert told["limits"][0]["sum"] == {"cells": [["boats", "sea", 1]], "limit": 3, "most": True}


def test_a_limit_that_weighs_one_thing_against_another_has_no_sum_to_show() -> None:
    limit = AtMost((("squadrons", "fly", 1), ("strike", "CG1", -12)), 0, "22.462A", "Squadrons that fly need a target.")
    items = (Item("squadrons", "squadrons", 4, ("stay", "fly")), Item("strike", "the strike", 1, ("none", "CG1")))
    places = tuple(Place(key, key) for key in ("stay", "fly", "none", "CG1"))
    default = {"squadrons": "stay", "strike": "none"}
    told = form(Form(items, places, (limit,), default=default))
    assert told["limits"] == [{"rule": "22.462A", "why": "Squadrons that fly need a target.", "sum": None}]


# -- charts ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("most", "marks"),
    [(0, [0, 1]), (3, [0, 1, 2, 3]), (15, [0, 5, 10, 15]), (41, [0, 20, 40, 60])],
)
def test_ticks_are_round_numbers_up_to_the_most(most: int, marks: list[int]) -> None:
    found = war_charts.ticks(most)
    assert found == marks and found[-1] >= most


def test_ticks_go_below_nought_where_BRPs_are_owed() -> None:
    assert war_charts.ticks(15, -31) == [-40, -20, 0, 20]
    series = [{"name": "Germany", "side": "axis", "values": [9, -31]}]
    drawn = str(war_charts.drawing("BRPs", "BRPs by power", ["Spring 1944", "Summer 1944"], series, "axis"))
    assert ">-40</text>" in drawn and "-31 Germany" in drawn


def test_names_at_the_ends_of_lines_never_touch() -> None:
    heights = war_charts.spread([190.0, 189.0, 190.0, 20.0, 21.0])
    apart = sorted(heights)
    assert all(two - one >= war_charts.LINE - 0.1 for one, two in pairwise(apart))
    assert max(heights) <= war_charts.HEIGHT - war_charts.BOTTOM


def test_a_chart_has_a_line_a_mark_and_a_table_for_each_power_and_no_style() -> None:
    turns = [f"{season} {year}" for year in (1940, 1941) for season in ("Spring", "Summer", "Fall", "Winter")]
    series = [
        {"name": "Germany", "side": "axis", "values": [4, 5, 6, 7, 8, 9, 10, 11]},
        {"name": "<United States>", "side": "allies", "values": [2] * 8},
    ]
    told = {"turns": turns, "running": True, "transports": [], "submarines": series, "brps": series}
    transports, submarines, _ = war_charts.charts({"chart": told}, "axis")
    assert transports["svg"] == "" and submarines["names"] == ["Germany", "<United States>"]
    svg = submarines["svg"]
    assert isinstance(svg, Markup) and "style=" not in svg and "<United" not in svg
    assert svg.count("<polyline") == 2 and 'stroke-dasharray="7 3"' in svg and "mark square" in svg
    assert submarines["rows"][0] == {"turn": "Winter 1941", "now": True, "values": [11, 2]}
    assert [name for _, name in war_charts.years(turns, lambda index: index * 20)] == ["1940", "1941"]
