"""The words and rulings that pages show are those of the documents."""

from __future__ import annotations

import json

from tools.glossary import HOME, made, rules


def test_the_packaged_glossary_and_rulings_are_what_the_documents_say() -> None:
    stale = [str(path.relative_to(HOME)) for path, text in made().items() if path.read_text(encoding="utf-8") != text]
    assert not stale, f"{stale} differ from docs: run python tools/glossary.py"


def test_no_word_and_no_ruling_of_the_documents_is_lost() -> None:
    words, rulings = (json.loads(text) for text in made().values())
    page = (HOME / "docs" / "glossary.md").read_text(encoding="utf-8")
    assert len(words) == sum(line.startswith("| ") and "---" not in line for line in page.splitlines()) - 1
    page = (HOME / "docs" / "rulings.md").read_text(encoding="utf-8")
    assert len(rulings) == len({each["id"] for each in rulings}) == page.count("\n- **") > 250
    assert all(each["text"] for each in rulings)


def test_the_rules_a_ruling_is_about_are_read_with_their_ranges() -> None:
    assert rules("22.54E-G, 23.443-444") == ["22.54E", "22.54F", "22.54G", "23.443", "23.444"]
    assert rules("22.11, 22.21-22.23") == ["22.11", "22.21", "22.22", "22.23"]
    assert rules("20.551 missing, 22.22A, D") == ["20.551", "22.22A", "22.22D"]
    assert rules("the charts") == []
