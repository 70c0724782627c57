"""Makes cases/schema.json, and the list of questions in docs/cases.md, from the public API.

python tools/cases.py            write them
python tools/cases.py --check    say what has changed, and fail
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

from flagplot import api
from flagplot.api.cases import read_cases, schema

HOME = Path(__file__).parents[1]
SCHEMA = HOME / "cases" / "schema.json"
PAGE = HOME / "docs" / "cases.md"
BEGIN, END = "<!-- questions: made by tools/cases.py -->\n", "<!-- end of the questions -->\n"


def questions() -> str:
    """The questions that cases ask, with what each answers and how many cases ask it."""
    asked = Counter(case.call for case in read_cases(sorted((HOME / "cases").glob("*.jsonl"))).values())
    rows = [f"| `{name}` | {_about(name)} | {asked[name]} |" for name in sorted(asked)]
    return "\n".join(["| Question | What it answers | Cases |", "| --- | --- | --- |", *rows]) + "\n"


def _about(name: str) -> str:
    return str(api.describe(name)["help"]).split("\n\n")[0].replace("\n", " ").replace("|", "\\|")


def made() -> dict[Path, str]:
    """Each file as it ought to be."""
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return {
        SCHEMA: json.dumps(schema(), ensure_ascii=False, indent=1) + "\n",
        PAGE: f"{before}{BEGIN}\n{questions()}\n{END}{after}",
    }


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
