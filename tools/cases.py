"""Makes cases/schema.json, and the lists of questions and of options in docs/cases.md, from the public API.

python tools/cases.py            write them
python tools/cases.py --check    say what has changed, and fail
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from flagplot import api
from flagplot.api.cases import read_cases, schema
from flagplot.editions.options import OPTIONS

REFUSAL = ("refused", "rule")  # what a case expects where the rules forbid what is asked
HOME = Path(__file__).parents[1]
SCHEMA = HOME / "cases" / "schema.json"
PAGE = HOME / "docs" / "cases.md"
QUESTIONS = ("<!-- questions: made by tools/cases.py -->\n", "<!-- end of the questions -->\n")
CHOICES = ("<!-- options: made by tools/cases.py -->\n", "<!-- end of the options -->\n")


def questions() -> str:
    """The questions that cases ask, with what each answers and how many cases ask it."""
    cases = list(read_cases(sorted((HOME / "cases").glob("*.jsonl"))).values())
    asked = Counter(case.call for case in cases)
    held: dict[str, dict[str, None]] = {}
    for case in cases:
        held.setdefault(case.call, {}).update(dict.fromkeys(key for key in case.expect if key not in REFUSAL))
    rows = [f"| `{name}` | {_about(name)} | {_keys(held[name])} | {asked[name]} |" for name in sorted(asked)]
    head = ["| Question | What it answers | What cases expect of the answer | Cases |", "| --- | --- | --- | --- |"]
    return "\n".join([*head, *rows]) + "\n"


def _keys(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def options() -> str:
    """The options with their readings, the usual one first, and how many cases choose each."""
    cases = read_cases(sorted((HOME / "cases").glob("*.jsonl"))).values()
    chosen = Counter(each for case in cases for each in case.options.items())
    rows = []
    for option in OPTIONS.values():
        only = f" Only in edition {option.edition}." if option.edition else ""
        readings = "; ".join(
            f"`{value}`: {words} ({chosen[option.name, value]})" for value, words in option.readings.items()
        )
        about = f"{option.about[0].upper()}{option.about[1:]}.{only}"
        rows.append(f"| `{option.name}` | {option.rule} | {option.ruling} | {about} | {readings} |")
    head = ["| Option | Rule | Ruling | What it is about | Readings (cases) |", "| --- | --- | --- | --- | --- |"]
    return "\n".join([*head, *rows]) + "\n"


def _about(name: str) -> str:
    return str(api.describe(name)["help"]).split("\n\n")[0].replace("\n", " ").replace("|", "\\|")


def made() -> dict[Path, str]:
    """Each file as it ought to be."""
    page = PAGE.read_text(encoding="utf-8")
    for (begin, end), told in ((QUESTIONS, questions()), (CHOICES, options())):
        before, _, rest = page.partition(begin)
        _, _, after = rest.partition(end)
        page = f"{before}{begin}\n{told}\n{end}{after}"
    return {SCHEMA: json.dumps(schema(), ensure_ascii=False, indent=1) + "\n", PAGE: page}


def main() -> int:
    """Write what has changed, or only say so."""
    stale = [path for path, text in made().items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    if "--check" in sys.argv:
        for path in stale:
            print(f"{path.relative_to(HOME)} is not what the questions of the API say: run python tools/cases.py")
        return bool(stale)
    for path in stale:
        path.write_text(made()[path], encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
