"""The chart in a real browser: by keyboard, mouse and wheel, wide and narrow, light and dark, under the server's own policy."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import pytest

from flagplot.scenarios.maps import load_map
from flagplot.web.limits import POLICY
from flagplot.web.map_drawing import draw
from flagplot.web.map_view import View
from tests.maps.test_drawing import CORAL_SEA
from tests.web.browsing import found_by_axe

STATIC = files("flagplot.web").joinpath("static")
KINDS = {"css": "text/css", "js": "text/javascript"}
SCRIPT = """import { openChart } from "/static/map.js";
const frame = document.querySelector(".map-frame");
window.chart = openChart(frame); window.told = [];
for (const name of ["hexchosen", "hexlooked"]) frame.addEventListener(name, (event) => window.told.push([name, event.detail.hex]));
"""


def opened(browser: Any, view: View, width: int = 1400, name: str = "pacific") -> tuple[Any, list[str]]:
    """A page with a chart on it, and what the browser complains of."""
    page = browser.new_page(viewport={"width": width, "height": 900})
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda said: troubles.append(said.text) if said.type == "error" else None)
    links = "".join(f'<link rel="stylesheet" href="/static/{sheet}.css">' for sheet in ("base", "map"))
    body = (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f'<link rel="icon" href="data:,"><title>Chart</title>{links}<script type="module" src="/page.js"></script>'
        f'<main><h1>Chart</h1><div class="map-frame" tabindex="0" role="region" aria-label="Chart">'
        f"{draw(load_map(name), view)}</div></main></html>"
    )

    def answer(route: Any) -> None:
        path = route.request.url.removeprefix("http://chart.test/")
        policy = {"content-security-policy": POLICY}
        if not path:
            route.fulfill(body=body, content_type="text/html", headers=policy)
        elif path == "page.js":
            route.fulfill(body=SCRIPT, content_type="text/javascript")
        else:
            text = STATIC.joinpath(path.removeprefix("static/")).read_text(encoding="utf-8")
            route.fulfill(body=text, content_type=KINDS[path.rpartition(".")[2]])

    page.route("**/*", answer)
    page.goto("http://chart.test/")
    page.wait_for_function("() => window.chart")
    return page, troubles


def view_box(page: Any) -> list[float]:
    return [float(word) for word in page.get_attribute("svg.map", "viewBox").split()]


def test_the_chart_works_by_keyboard(browser: Any) -> None:
    page, troubles = opened(browser, CORAL_SEA)
    page.focus("#hex-JJ26")
    for key in ("ArrowRight", "ArrowUp", "ArrowUp", "ArrowDown", "ArrowLeft", "Enter"):
        page.keyboard.press(key)
    looked = ["JJ27", "II27", "HH28", "II27", "II26"]
    assert page.evaluate("window.told") == [*(["hexlooked", hex] for hex in looked), ["hexchosen", "II26"]]
    assert page.evaluate("document.activeElement.id") == "hex-II26"
    assert page.locator("[role=button][tabindex='0']").count() == 1
    assert not troubles
    page.close()


def test_up_and_down_keep_to_one_column_and_lead_to_a_hex_beside(browser: Any) -> None:
    page, _ = opened(browser, CORAL_SEA)
    chart = load_map("pacific")
    addresses = sorted(chart.index)[::7]
    page.evaluate("import('/static/map.js').then((chart) => { window.beside = chart.beside; })")
    for key, across in (("ArrowUp", 0), ("ArrowDown", 0), ("ArrowLeft", -1), ("ArrowRight", 1)):
        found = page.evaluate("([all, key]) => all.map((each) => window.beside(each, key))", [addresses, key])
        for one, two in zip(addresses, found, strict=True):
            if two in chart.index:
                assert chart.index[two] in chart.around[chart.index[one]]
                assert chart.index[two] % chart.width - chart.index[one] % chart.width == across
    page.close()


def test_the_chart_zooms_and_moves_and_comes_back(browser: Any) -> None:
    page, troubles = opened(browser, View(interactive=True))
    whole = view_box(page)
    page.focus("#hex-Z31")
    page.keyboard.press("+")
    page.keyboard.press("+")
    near = view_box(page)
    assert near[2] == pytest.approx(whole[2] / 1.96, rel=0.01)
    page.mouse.move(700, 400)
    page.mouse.down()
    page.mouse.move(600, 350)
    page.mouse.up()
    moved = view_box(page)
    assert moved[0] > near[0] and moved[1] > near[1] and moved[2:] == near[2:]
    assert page.evaluate("window.told") == [], "a drag chooses nothing"
    page.mouse.wheel(0, -100)
    page.wait_for_function(f"() => document.querySelector('svg.map').viewBox.baseVal.width < {moved[2]} - 1")
    for _ in range(12):
        page.keyboard.press("+")
    assert view_box(page)[2] == pytest.approx(whole[2] / 8)
    page.keyboard.press("ArrowLeft")
    shown = view_box(page)
    x, y = (float(page.evaluate(f"document.activeElement.getAttribute('{name}')")) for name in ("x", "y"))
    assert shown[0] < x < shown[0] + shown[2] and shown[1] < y < shown[1] + shown[3], "the focus is never out of sight"
    page.keyboard.press("0")
    assert view_box(page) == pytest.approx(whole)
    assert not troubles
    page.close()


def test_a_click_chooses_the_hex_even_under_a_marker_or_a_path(browser: Any) -> None:
    page, troubles = opened(browser, CORAL_SEA)
    box = page.locator("#hex-HH28").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert page.evaluate("window.told").pop() == ["hexchosen", "HH28"]
    assert not troubles
    page.close()


@pytest.mark.parametrize("width", [1400, 390])
def test_the_page_does_not_scroll_sideways_names_can_be_read_and_axe_finds_nothing(browser: Any, width: int) -> None:
    for name, view in (("pacific", CORAL_SEA), ("europe", View(interactive=True))):
        page, troubles = opened(browser, view, width, name)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        heights = page.evaluate(
            "[...document.querySelectorAll('text.place')].map((each) => each.getBoundingClientRect().height)"
        )
        assert min(heights) >= 6.5
        for scheme, only in (("light", {}), ("dark", {"runOnly": ["color-contrast"]})):  # only colours are different
            page.emulate_media(color_scheme=scheme)
            sea, ink = page.evaluate(
                """[getComputedStyle(document.querySelector('.map .water')).fill,
                    getComputedStyle(document.querySelector('.map text.place')).fill]"""
            )
            assert sea != ink
            assert found_by_axe(page, **only) == []
        assert not troubles
        page.close()
