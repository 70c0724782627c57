"""The page that sets both editions side by side is what they do."""

from __future__ import annotations

from tools.editions_compared import EDITIONS, PAGE, SITUATIONS, meet, page


def test_the_page_of_both_editions_is_what_they_do() -> None:
    fresh = page()
    assert PAGE.read_text(encoding="utf-8") == fresh, "run python tools/editions_compared.py and look at the difference"
    assert len(SITUATIONS) == 12 and all(f"## {n}. {each.title}" in fresh for n, each in enumerate(SITUATIONS, start=1))


def test_both_editions_use_the_same_dice() -> None:
    for situation in SITUATIONS:
        if not situation.scenario:
            rows = [meet(situation, edition)[1].rolled for edition in EDITIONS]
            for side in rows[0]:
                both = min(len(row[side]) for row in rows)
                assert rows[0][side][:both] == rows[1][side][:both]
