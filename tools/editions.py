"""Makes docs/editions.md from the rulesets: the slots and the table cells in which the editions differ, side by side.

    python tools/editions.py            write it
    python tools/editions.py --check    say if it has changed, and fail

Nothing is written by hand but the sentences around the tables: an edition that fills a slot or changes a cell shows here by
itself, and so does a further edition.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from flagplot.editions.current import EDITIONS
from flagplot.rules.table import Ruleset

HOME = Path(__file__).parents[1]
sys.path[0] = str(HOME) if __name__ == "__main__" else sys.path[0]
from tools.situations import SITUATIONS, Situation, fought  # noqa: E402

PAGE = HOME / "docs" / "editions.md"
APART = ("edition", "options", "numbers")  # told otherwise than slot by slot
MISSING = "none"
NO_LIMIT = 999  # a number from here on stands for no limit

BEGINNING = """# Editions

Made by `tools/editions.py` from the rulesets: what the editions have differently, side by side. An edition is its tables,
its numbers and a slot for each procedure in which editions differ; no rule asks which edition it is. Choose one with
`edition = "2008"` in a scenario, `--edition 2008` in the terminal, on the set-up page, in the calculators and on the page
of odds; `flagplot call` takes `"edition"` beside a question. Whole battles are compiled for the current edition only: odds
of another are fought rule by rule, which is as right and takes longer, and a fleet combat of it is not counted exactly.
[rulings.md](rulings.md) says why something belongs to an edition, [cases.md](cases.md) has situations of each.
"""


# -- reading rulesets ----------------------------------------------------------------------------------------


def slots(rules: Ruleset) -> dict[str, Any]:
    """A ruleset's slots by name: procedures, tables and numbers."""
    return {each.name: getattr(rules, each.name) for each in fields(rules) if each.name not in APART}


def comments(kind: type) -> dict[str, str]:
    """What the source says beside each field of a class."""
    try:
        source = inspect.getsource(kind)
    except (OSError, TypeError):
        return {}
    return dict(re.findall(r"^    (\w+): .*?  # (.+)$", source, re.MULTILINE))


def cells(value: Any, at: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every single number, word or procedure inside a slot, with the way to it."""
    if is_dataclass(value) and not isinstance(value, type):
        for each in fields(value):
            yield from cells(getattr(value, each.name), (*at, each.name))
    elif isinstance(value, tuple) and hasattr(value, "_fields"):
        for name in value._fields:
            yield from cells(getattr(value, name), (*at, name))
    elif type(value).__module__.startswith("flagplot.tables"):
        for name, each in vars(value).items():
            if not name.startswith("_"):  # made from the others
                yield from cells(each, (*at, name))
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from cells(each, (*at, str(key)))
    elif isinstance(value, tuple | list | range):
        for number, each in enumerate(value, start=1):
            yield from cells(each, (*at, str(number)))
    else:
        yield at, value


def is_procedure(value: Any) -> bool:
    """Whether a slot holds something that is done, and not something that is looked up."""
    return inspect.isfunction(value) or inspect.iscoroutinefunction(value)


def differing(editions: Mapping[str, Ruleset]) -> dict[str, list[Any]]:
    """The slots in which editions differ, each with what every edition has in it."""
    held = {name: slots(rules) for name, rules in editions.items()}
    names = list(next(iter(held.values())))
    return {
        name: [each[name] for each in held.values()]
        for name in names
        if any(dict(cells(each[name])) != dict(cells(next(iter(held.values()))[name])) for each in held.values())
        or len({type(each[name]) for each in held.values()}) > 1
    }


# -- telling ------------------------------------------------------------------------------------------------


def words(name: str) -> str:
    """A name of the source as words."""
    return name.replace("_", " ")


def shown(value: Any) -> str:
    """A cell as one would write it."""
    if value is None:
        return MISSING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if is_procedure(value):
        return summary(value)
    return "no limit" if isinstance(value, int) and value >= NO_LIMIT else str(value)


def summary(procedure: Callable[..., Any]) -> str:
    """What a procedure does: the first sentence of its own words, with its rule."""
    text = " ".join((inspect.getdoc(procedure) or words(procedure.__name__)).split("\n\n")[0].split())
    return text.replace("|", "\\|")


def table(heading: list[str], rows: list[list[str]]) -> str:
    """A table of Markdown."""
    lines = [heading, ["---"] * len(heading), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def procedures(editions: Mapping[str, Ruleset], found: Mapping[str, list[Any]]) -> str:
    """The procedures in which editions differ."""
    notes = comments(Ruleset)
    rows = [
        [words(name), notes.get(name, ""), *map(shown, held)]
        for name, held in found.items()
        if all(map(is_procedure, held))
    ]
    return table(["Slot", "What it is", *map(titled, editions)], rows) if rows else "None."


def titled(edition: str) -> str:
    """An edition as a heading."""
    return "Current" if edition == "current" else edition


def difference(name: str, held: list[Any], editions: Mapping[str, Ruleset]) -> str:
    """A table or a set of numbers, cell by cell where editions differ."""
    every = [dict(cells(each)) for each in held]
    ways = list(dict.fromkeys(way for each in every for way in each))
    apart = [way for way in ways if len({repr(each.get(way)) for each in every}) > 1]
    notes = {key: note for each in held for key, note in comments(type(each)).items()}
    rows = [[_cell(way, notes), *(shown(each.get(way)) for each in every)] for way in apart]
    sources = "; ".join(dict.fromkeys(_source(each) for each in held if _source(each)))
    about = comments(Ruleset).get(name, "")
    heading = f"### {words(name)[0].upper()}{words(name)[1:]}" + (f" ({about})" if about else "")
    count = f"{len(apart)} of {len(ways)} cells differ." if len(ways) > 1 else ""
    parts = [heading, f"{sources}: {count}" if sources else count, table(["Cell", *map(titled, editions)], rows)]
    return "\n\n".join(part for part in parts if part)


def _cell(way: tuple[str, ...], notes: Mapping[str, str]) -> str:
    """The way to a cell, in words, with what the source says of it; of a row by rolls, the roll."""
    if not way:
        return "the number"
    note = notes.get(way[0], "")
    if rolls := re.match(r"for rolls (\d+)", note):
        return f"{words(way[0])} at a roll of {int(way[1]) + int(rolls[1]) - 1}"
    return ", ".join(map(words, way)) + (f" ({note})" if note else "")


def _source(value: Any) -> str:
    """The table a value is, as its module names it."""
    module = inspect.getmodule(type(value))
    if module is None or not module.__name__.startswith("flagplot.tables"):
        return ""
    text = " ".join((module.__doc__ or "").split("\n\n")[0].split())
    return re.split(r": |\. |\.$", text)[0]


def numbers(editions: Mapping[str, Ruleset]) -> str:
    """Rules that bear another number in an edition."""
    given = {name: dict(getattr(rules, "numbers", {})) for name, rules in editions.items()}
    every = list(dict.fromkeys(number for each in given.values() for number in each))
    rows = [[number, *(given[name].get(number, number) for name in editions if given[name])] for number in every]
    return table(["Now", *(titled(name) for name in editions if given[name])], rows) if rows else "None."


def situation(each: Situation, editions: Mapping[str, Ruleset]) -> str:
    """One situation, with what it comes to under each edition."""
    came = {name: fought(each, name) for name in editions}
    rows = [[_shown_of(way), *(came[name][way] for name in editions)] for way in each.show]
    dice = f" Dice: {', '.join(map(str, each.dice))}." if each.dice else ""
    return f"**{each.title}.**{dice} (`{each.call}`)\n\n{table(['', *map(titled, editions)], rows)}"


def _shown_of(way: str) -> str:
    steps = [f"no. {int(step) + 1}" if step.isdigit() else words(step) for step in way.split(".")]
    return ", ".join(step for step in steps if step not in ("forces", "sides"))


def page(editions: Mapping[str, Ruleset] = EDITIONS) -> str:
    """The whole document."""
    found = differing(editions)
    tables = [difference(name, held, editions) for name, held in found.items() if not all(map(is_procedure, held))]
    alike = [words(name) for name in slots(next(iter(editions.values()))) if name not in found]
    parts = [
        BEGINNING.strip(),
        f"There are {len(editions)} editions: {', '.join(editions)}." if len(editions) > 1 else "There is one edition.",
        "## Procedures",
        procedures(editions, found),
        "## Tables and numbers",
        *(tables or ["None."]),
        "## Twelve single steps under every edition",
        "The same forces and the same dice; [whole engagements and battles](editions-compared.md) have a page of their own. Where an edition needs fewer of them, the last are left over; where it asks for other\n"
        "decisions, they are as like as they can be.",
        *(situation(each, editions) for each in SITUATIONS),
        "## Rule numbers",
        "A game of an older edition shows the numbers that edition printed. These differ:",
        numbers(editions),
        "## The same in all editions",
        f"{', '.join(alike)}.",
    ]
    return "\n\n".join(parts) + "\n"


def main() -> int:
    """Write the document, or only say whether it is what the rulesets say."""
    if "--check" in sys.argv:
        stale = not PAGE.exists() or PAGE.read_text(encoding="utf-8") != page()
        if stale:
            print("docs/editions.md is not what the rulesets say: run python tools/editions.py")
        return int(stale)
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
