"""Makes src/flagplot/data/glossary.json and rulings.json from docs/glossary.md and docs/rulings.md, for the pages of the server.

    python tools/glossary.py            write them
    python tools/glossary.py --check    say what has changed, and fail

The documents are the source: change them, then run this.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

HOME = Path(__file__).parents[1]
DATA = HOME / "src" / "flagplot" / "data"
WORD = re.compile(r"^\| (?!Word \|)([^|-][^|]*) \| (.*) \|$", re.MULTILINE)
RULING = re.compile(r"^- \*\*([A-Z]{2}-\d+)\*\* (?:\[[HML]\] )?(?:\(([^)]*)\) )?(.*)$")
RULE = re.compile(r"(\d\d\.\d+)([A-Z]?)(\d*)(?:-(?:(\d\d\.)?(\d+)|([A-Z]))(?![\dA-Za-z]))?((?:, [A-Z])*)(?![a-z])")


def glossary(page: str) -> list[dict[str, str]]:
    """Words and their meaning, in the order of the page."""
    return [{"word": word.strip(), "meaning": meaning.strip()} for word, meaning in WORD.findall(page)]


def rulings(page: str) -> list[dict[str, Any]]:
    """Rulings: which rules they are about, and what they say, paragraph by paragraph; what is set in columns stays so."""
    found: list[dict[str, Any]] = []
    inside = False
    for line in page.splitlines():
        first = RULING.match(line)
        if first:
            id, about, text = first.groups()
            found.append({"id": id, "about": about or "", "rules": rules(about or ""), "lines": [text]})
            inside = True
        elif inside and (not line or line.startswith("  ")):
            found[-1]["lines"].append(line)
        else:
            inside = False
    return [{**{key: each[key] for key in ("id", "about", "rules")}, "text": _blocks(each["lines"])} for each in found]


def rules(about: str) -> list[str]:
    """The rule numbers a ruling is about: "22.54E-G, 23.443-444" names five."""
    named: list[str] = []
    for base, letter, tail, chapter, last, last_letter, more in RULE.findall(about):
        first = f"{base}{letter}{tail}"
        named.append(first)
        if last_letter and letter and not tail:
            named += [f"{base}{chr(code)}" for code in range(ord(letter) + 1, ord(last_letter) + 1)]
        elif last and not letter:
            head, digits = base.split(".")
            end = last if chapter else digits[: len(digits) - len(last)] + last
            if len(end) == len(digits):
                named += [f"{head}.{number}" for number in range(int(digits) + 1, int(end) + 1)]
        named += [f"{base}{extra}" for extra in re.findall(r"[A-Z]", more)]
    return list(dict.fromkeys(named))


def _blocks(lines: list[str]) -> list[dict[str, str]]:
    """Paragraphs; an option of the game, and what stands between fences or in a table, apart."""
    blocks: list[dict[str, str]] = []
    fenced = False
    for line in lines:
        bare = line.strip()
        if bare.startswith("```"):
            fenced = not fenced
            if fenced:
                blocks.append({"kind": "columns", "text": ""})
            continue
        if fenced or bare.startswith("|"):
            if not fenced and blocks[-1]["kind"] != "columns":
                blocks.append({"kind": "columns", "text": ""})
            blocks[-1]["text"] += ("\n" if blocks[-1]["text"] else "") + (line[4:] if fenced else bare)
        elif bare.startswith("`Option:"):
            blocks.append({"kind": "option", "text": bare.replace("`", "")})
        elif not bare:
            blocks.append({"kind": "text", "text": ""})
        else:
            if not blocks or blocks[-1]["kind"] == "columns":
                blocks.append({"kind": "text", "text": ""})
            blocks[-1]["text"] += (" " if blocks[-1]["text"] else "") + bare.replace("`", "")
    return [block for block in blocks if block["text"]]


def made() -> dict[Path, str]:
    """Both files as they should be."""
    words = glossary((HOME / "docs" / "glossary.md").read_text(encoding="utf-8"))
    decided = rulings((HOME / "docs" / "rulings.md").read_text(encoding="utf-8"))
    return {
        DATA / name: json.dumps(value, indent=1, ensure_ascii=False) + "\n"
        for name, value in (("glossary.json", words), ("rulings.json", decided))
    }


def main() -> int:
    """Write the files, or say which are out of date."""
    stale = [path for path, text in made().items() if not path.is_file() or path.read_text(encoding="utf-8") != text]
    if "--check" in sys.argv:
        for path in stale:
            print(f"{path.relative_to(HOME)} is not what the documents say: run python tools/glossary.py")
        return 1 if stale else 0
    for path, text in made().items():
        path.write_text(text, encoding="utf-8")
    print(f"{len(stale)} file(s) changed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
