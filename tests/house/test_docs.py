"""What the documents say of the code is so."""

from __future__ import annotations

import re
from pathlib import Path

from flagplot.core.rulebook import INDEX
from flagplot.editions.options import OPTIONS
from flagplot.rules.table import __doc__ as laws

HOME = Path(__file__).parents[2]


def test_the_options_that_can_be_chosen_are_the_ones_the_rulings_page_says() -> None:
    page = (HOME / "docs" / "rulings.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)`.*?\| (.*?) \| `(\w+)` \| .*? \| (today|later) \|$", page, re.MULTILINE)
    today = {name: (re.findall(r"`(\w+)`", values), default) for name, values, default, when in rows if when == "today"}
    assert today == {name: (list(option.values), option.default) for name, option in OPTIONS.items()}


def test_every_ruling_the_code_cites_is_on_the_rulings_page() -> None:
    page = (HOME / "docs" / "rulings.md").read_text(encoding="utf-8")
    cited = set()
    for path in (HOME / "src").rglob("*.py"):
        cited |= set(re.findall(r"\b(?:RC|AM|FP|IR|AN|SR)-\d\d\b", path.read_text(encoding="utf-8")))
    assert cited
    assert sorted(ruling for ruling in cited if f"**{ruling}**" not in page) == []


def test_links_between_documents_lead_somewhere() -> None:
    for page in [HOME / "README.md", HOME / "CONTRIBUTING.md", *(HOME / "docs").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_nine_laws_stand_at_the_top_of_the_table() -> None:
    assert laws and [int(number) for number in re.findall(r"^(\d)\. ", laws, re.MULTILINE)] == list(range(1, 10))


def test_rule_numbers_are_written_as_the_rulebook_does() -> None:
    for number in INDEX:
        assert re.fullmatch(r"(\d\d\.\d+[A-Z]*(-[ab])?|ARE|CET)(\.[A-Zmn\d]+)*", number), (
            number
        )  # two charts have no number
