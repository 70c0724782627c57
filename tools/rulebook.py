"""Makes docs/rulebook.md and src/flagplot/data/ledger_status.json from the ledger, the notes and the tests.

    python tools/rulebook.py            write them, after a whole run of the tests
    python tools/rulebook.py --check    say what has changed, and fail

A row is done only if a test that claims it passed and called a function marked with its number (tests/conftest.py).
"""

from __future__ import annotations

import csv
import fnmatch
import json
import sys
import tomllib
from collections import Counter
from pathlib import Path

HOME = Path(__file__).parents[1]
DATA = HOME / "src" / "flagplot" / "data"
STATUS = DATA / "ledger_status.json"
PAGE = HOME / "docs" / "rulebook.md"
PROOFS = HOME / "build" / "ledger-proofs.json"
NO_BEHAVIOUR = ("commentary", "reference", "example")
WORDS = ("done", "input", "partial", "later", "missing")


def ledger() -> list[dict[str, str]]:
    with (DATA / "ledger.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def note_for(row: dict[str, str], notes: list[dict[str, object]]) -> dict[str, object] | None:
    for note in notes:
        if note.get("edition", "current") == row["edition"]:
            for pattern in note["rows"]:  # type: ignore[attr-defined]
                if pattern == f"area:{row['area']}" or fnmatch.fnmatchcase(row["id"], pattern):
                    return note
    return None


def statuses() -> dict[str, dict[str, dict[str, object]]]:
    """By edition and row: status, tests, reason."""
    notes = tomllib.loads((DATA / "ledger_notes.toml").read_text(encoding="utf-8"))["note"]
    proven: dict[str, list[str]] = json.loads(PROOFS.read_text(encoding="utf-8"))["proven"]
    found: dict[str, dict[str, dict[str, object]]] = {}
    for row in ledger():
        note = note_for(row, notes)
        tests = proven.get(row["id"] if row["edition"] == "current" else f"{row['id']} of {row['edition']}", [])
        status, why = ("done", "") if tests else ("missing", "no test proves it")
        if row["kind"] in NO_BEHAVIOUR:
            status, why = row["kind"], ""
        elif note and (note["status"] in ("input", "partial") or not tests):
            status, why = str(note["status"]), str(note["why"])
            if status == "input" and not tests:
                status, why = "partial", f"{why}; no test proves it"
            elif status == "partial" and not tests:
                status = "later"
        found.setdefault(row["edition"], {})[row["id"]] = {"status": status, "tests": tests, "why": why}
    return found


def page(found: dict[str, dict[str, dict[str, object]]]) -> str:
    rows = ledger()
    lines = [
        "# The rulebook, row by row",
        "",
        "Made by `tools/rulebook.py` from the ledger, the index of `@rule` functions and the tests; checked by `make",
        "test`. A row is *done* if a test claims it, passes, and calls a function marked with its number; an *input*",
        "depends on a section we do not hold and is entered, with the default given; *later* says what it waits for.",
        "Rows that state no behaviour (commentary, reference, example) are not counted.",
        "",
        "| edition | area | rows | done | input | partial | later | missing |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    areas: dict[tuple[str, str], Counter[str]] = {}
    for row in rows:
        if row["kind"] not in NO_BEHAVIOUR:
            status = str(found[row["edition"]][row["id"]]["status"])
            areas.setdefault((row["edition"], row["area"]), Counter())[status] += 1
    for (edition, area), count in areas.items():
        cells = " | ".join(str(count[word]) for word in WORDS)
        lines.append(f"| {edition} | {area} | {sum(count.values())} | {cells} |")
    for edition, area in areas:
        lines += [
            "",
            f"## {area}, {edition}",
            "",
            "| row | rule in short | status | where it is shown |",
            "| --- | --- | --- | --- |",
        ]
        for row in rows:
            if (row["edition"], row["area"]) == (edition, area) and row["kind"] not in NO_BEHAVIOUR:
                entry = found[edition][row["id"]]
                tests = entry["tests"]
                shown = "; ".join(str(test).split("::")[-1] for test in tests[:2]) if isinstance(tests, list) else ""
                text = row["summary"].replace("|", "/")
                lines.append(f"| {row['id']} | {text} | {entry['status']} | {shown or entry['why']} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    found = statuses()
    status = json.dumps(
        {"rows": found["current"], "editions": {k: v for k, v in found.items() if k != "current"}}, indent=1
    )
    fresh = {STATUS: status + "\n", PAGE: page(found)}
    if "--check" not in sys.argv:
        for path, text in fresh.items():
            path.write_text(text, encoding="utf-8")
        return 0
    stale = [path for path, text in fresh.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    for path in stale:
        print(f"{path.relative_to(HOME)} is not what the tests show; run `make rulebook` and look at the difference")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
