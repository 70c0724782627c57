"""docs/editions.md is what the rulesets say, and grows with them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from flagplot.editions.current import CURRENT, EDITIONS
from flagplot.rules.table import Table
from tools.editions import PAGE, cells, differing, page, slots
from tools.situations import SITUATIONS, fought


async def another_fleet_combat(table: Table) -> None:
    """22.54. Nobody fires."""


def test_the_page_is_what_the_rulesets_say() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run python tools/editions.py"


def test_a_cell_and_a_slot_that_an_edition_changes_show_by_themselves() -> None:
    of_tea = replace(CURRENT, edition="tea", search=CURRENT.search._replace(per_round=7), most_groups=9)
    of_tea = replace(of_tea, fleet_combat=another_fleet_combat)
    found = differing({"current": CURRENT, "tea": of_tea})
    assert list(found) == ["search", "most_groups", "fleet_combat"]
    names = {"current": CURRENT, "2008": of_tea}  # the situations are fought under editions there are
    text = page(names)
    assert "| per round | 1 | 7 |" in text and "1 of " in text and "| the number | 6 | 9 |" in text
    assert "22.54. Nobody fires." in text


def test_one_edition_alone_differs_in_nothing() -> None:
    text = page({"current": CURRENT})
    assert "There is one edition." in text and differing({"current": CURRENT}) == {}


@pytest.mark.parametrize("edition", [name for name in EDITIONS if name != "current"])
def test_every_slot_in_which_an_edition_differs_is_on_the_page(edition: str) -> None:
    text = PAGE.read_text(encoding="utf-8")
    found = differing({"current": CURRENT, edition: EDITIONS[edition]})
    assert found and set(found) <= set(slots(CURRENT))
    assert all(name.replace("_", " ") in text.lower() for name in found)


def test_every_cell_of_a_table_is_reached() -> None:
    assert len(dict(cells(CURRENT.sw_combat))) >= 330 and len(dict(cells(CURRENT.interception))) >= 19
    assert not [name for name, held in slots(CURRENT).items() if " object at " in repr([*dict(cells(held)).values()])]


def test_twelve_situations_come_to_something_else_in_at_least_one_edition() -> None:
    assert len(SITUATIONS) == 12
    for situation in SITUATIONS:
        came = [fought(situation, edition) for edition in EDITIONS]
        assert len(EDITIONS) == 1 or any(each != came[0] for each in came), situation.title
