"""What docs/odds.md says is so: the numbers of a doctrine, and the belief that stands there."""

from __future__ import annotations

import re
from pathlib import Path

from flagplot.doctrine.doctrine import Doctrine
from flagplot.odds.beliefs import NATION, _read_group
from flagplot.scenarios.document import Document
from flagplot.web.odds_page import SECTIONS, WORDS

PAGE = (Path(__file__).parents[2] / "docs" / "odds.md").read_text("utf-8")


def test_the_numbers_of_a_doctrine_are_the_admirals() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \| .+ \|$", PAGE, re.MULTILINE)
    assert [(name, int(number)) for name, number in rows] == list(Doctrine()._asdict().items())


def test_every_number_of_a_doctrine_is_asked_for_on_the_pages_once() -> None:
    assert tuple(WORDS) == Doctrine._fields
    assert [name for _, names in SECTIONS for name in names] == list(Doctrine._fields)


def test_the_belief_on_the_page_can_be_read() -> None:
    text = PAGE.partition("```toml\n")[2].partition("```")[0]
    document = Document(text, "belief")
    groups = [_read_group(part, NATION["Pacific", "axis"]) for part in document.tables().parts("group")]
    assert [group.number for group in groups] == [3, 6]
    assert [(ship.name, ship.air) for ship in groups[0].ships] == [("Akagi", 3), ("Kaga", 2)]
    assert [item.name for item in groups[1].cargo] == ["landing force"]
