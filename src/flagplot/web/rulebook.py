"""The rulebook for readers: what a rule says in our words, how far it is carried out, which rulings and functions bear on it.

Everything is read from the data that comes with the package: the ledger, its state, the rulings and the glossary, both
of them copies of documents (tools/glossary.py).
"""

from __future__ import annotations

import csv
import importlib
import inspect
import io
import json
import pkgutil
import re
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any

from markupsafe import Markup, escape

from flagplot.core.errors import UnknownName
from flagplot.core.rulebook import INDEX, carriers_of, covers

EDITION = "current"  # the edition whose rows the status file speaks of first
MOST_ROWS = 80  # beyond this a page lists the rules inside instead
MOST_FOUND = 60
STATUSES = {
    "done": "carried out, and proven by tests",
    "input": "depends on a rule we do not hold: its value is entered",
    "partial": "carried out in part",
    "later": "not built yet",
    "missing": "not built, or not proven by a test",
    "commentary": "a comment: there is nothing to carry out",
    "reference": "points to another rule: there is nothing to carry out",
    "example": "an example: there is nothing to carry out",
}
CHAPTERS = {
    "17": "Kamikazes",
    "20": "Damage to ships",
    "21": "Raiders",
    "22": "Naval interception and combat",
    "23": "Air-naval operations",
    "24": "Strategic warfare",
    "25": "Submarine warfare",
    "26": "Strategic bombing",
    "27": "Building, repairing and raising ships",
    "40": "Murmansk convoys",
    "ARE": "Chart: air range",
    "CET": "Chart: escort carriers",
}
NUMBER = re.compile(r"(?:\d\d\.\d+|ARE|CET)(?:[A-Z]{1,2}(?=[.\W]|$)|[A-Z](?=\d))?(?:\d+)?")
CITED = re.compile(r"\b(?P<rule>[1-4]\d\.\d+[A-Z]?\d*)\b|\b(?P<ruling>(?:RC|AM|FP|AN|IR|SR)-\d\d)\b|`(?P<code>[^`]*)`")


@cache
def rows() -> list[dict[str, str]]:
    """The ledger: one row for each thing the rules say."""
    return list(csv.DictReader(io.StringIO(_data("ledger.csv"))))


@cache
def glossary() -> dict[str, str]:
    """Words and their meaning, in the order of the alphabet."""
    return {entry["word"]: entry["meaning"] for entry in json.loads(_data("glossary.json"))}


@cache
def rulings() -> dict[str, dict[str, Any]]:
    """Our decisions where the rules are unclear, by their id."""
    return {ruling["id"]: ruling for ruling in json.loads(_data("rulings.json"))}


@cache
def numbers() -> list[str]:
    """The rule numbers of the current edition, in the order of the rulebook: 22.54, 22.54A, 22.541."""
    known = {number_of(row["id"]) for row in rows() if row["edition"] == EDITION}
    return sorted(known, key=lambda number: [(character.isdigit(), character) for character in number])


def number_of(row: str) -> str:
    """The rule a row of the ledger belongs to: 22.451D.1.1 is a row of 22.451D."""
    found = NUMBER.match(row)
    return found[0] if found else row


def chapter_of(number: str) -> str:
    """The chapter a rule stands in."""
    return re.split(r"[.\d]", number)[0] or number[:2]


def find(rule: str) -> dict[str, Any]:
    """All that is known of a rule; UnknownName if nothing is."""
    _import_rules()
    wanted = rule.strip().upper().rstrip(".")
    told = [_row(row) for row in rows() if _within(wanted, row["id"])]
    inside = [function for number in INDEX if _within(wanted, number) for function in INDEX[number]]
    functions = list(dict.fromkeys([*inside, *carriers_of(wanted)]))
    if not told and not functions:
        raise UnknownName(f"there is no rule {rule.strip()[:40]!r} in the ledger; try 22.54B or 20.513")
    whole = len(told) <= MOST_ROWS  # a chapter is too much for one page: it lists its rules
    return {
        "rule": wanted,
        "chapter": CHAPTERS.get(chapter_of(wanted), ""),
        "rows": [row for row in told if row["edition"] == EDITION] if whole else [],
        "elsewhere": [row for row in told if row["edition"] != EDITION] if whole else [],
        "count": len(told),
        "states": _states([row for row in told if row["edition"] == EDITION]),
        "inside": [number for number in numbers() if number != wanted and _within(wanted, number)],
        "functions": [_function(function) for function in functions] if whole else [],
        "rulings": _rulings(wanted, functions) if whole else [],
        **_neighbours(wanted),
    }


@cache
def is_held(number: str) -> bool:
    """Whether the ledger knows a rule, in whatever edition, or a function carries it out."""
    _import_rules()
    known = [*numbers(), *dict.fromkeys(number_of(row["id"]) for row in rows() if row["edition"] != EDITION)]
    return number in INDEX or any(covers(number, each) or covers(each, number) for each in known)


def search(words: str) -> list[dict[str, Any]]:
    """Rows that hold all of these words."""
    wanted = words.casefold().split()[:6]
    if not wanted:
        return []
    fitting = (row for row in rows() if all(word in row["summary"].casefold() for word in wanted))
    return [_row(row) for row, _ in zip(fitting, range(MOST_FOUND), strict=False)]


def chapters() -> list[dict[str, Any]]:
    """The chapters of the ledger with their rules, and how many rows there are and are done."""
    told: dict[str, dict[str, Any]] = {}
    for row in rows():
        if row["edition"] != EDITION:
            continue
        key = chapter_of(row["id"])
        entry = told.setdefault(key, {"key": key, "title": CHAPTERS.get(key, ""), "rows": 0, "done": 0, "headings": []})
        entry["rows"] += 1
        entry["done"] += _row(row)["status"] in ("done", "input", "commentary", "reference", "example")
        heading = re.match(r"\d\d\.\d", row["id"])
        if heading and heading[0] not in entry["headings"]:
            entry["headings"].append(heading[0])
    return sorted(told.values(), key=lambda entry: entry["key"])


def linked(text: str) -> Markup:
    """A sentence of ours, with rule numbers and rulings as links."""
    parts: list[str | Markup] = []
    end = 0
    for cited in CITED.finditer(text):
        parts.append(escape(text[end : cited.start()]))
        if cited["rule"] and not is_held(cited["rule"]):
            parts.append(Markup('<span class="rule">{0}</span>').format(cited["rule"]))
        elif cited["rule"]:
            parts.append(Markup('<a class="rule" href="/rules/{0}">{0}</a>').format(cited["rule"]))
        elif cited["ruling"]:
            parts.append(Markup('<a class="rule" href="/rulings/{0}">{0}</a>').format(cited["ruling"]))
        else:
            parts.append(Markup("<code>{0}</code>").format(cited["code"]))
        end = cited.end()
    return Markup("").join([*parts, escape(text[end:])])


# -- inside ---------------------------------------------------------------------------------------


def _data(name: str) -> str:
    return (files("flagplot") / "data" / name).read_text("utf-8")


@cache
def _statuses() -> dict[str, dict[str, Any]]:
    recorded = json.loads(_data("ledger_status.json"))
    return {EDITION: recorded["rows"], **recorded["editions"]}


@cache
def _import_rules() -> None:
    """Import every module of the rules, so that the index is full."""
    package = importlib.import_module("flagplot.rules")
    for module in pkgutil.walk_packages(package.__path__, "flagplot.rules."):
        importlib.import_module(module.name)


def _row(row: dict[str, str]) -> dict[str, Any]:
    known = _statuses().get(row["edition"], {}).get(row["id"], {})
    status = str(known.get("status", "missing"))
    return {
        **{key: row[key] for key in ("id", "edition", "area", "kind", "summary")},
        "rule": number_of(row["id"]),
        "status": status,
        "means": STATUSES.get(status, status),
        "tests": [str(test).partition("::")[2] or str(test) for test in known.get("tests", [])],
        "why": str(known.get("why", "")),
    }


def _states(told: list[dict[str, Any]]) -> dict[str, int]:
    counts = dict.fromkeys(STATUSES, 0)
    for row in told:
        counts[row["status"]] = counts.get(row["status"], 0) + 1
    return {status: count for status, count in counts.items() if count}


def _function(function: Callable[..., Any]) -> dict[str, Any]:
    summary = (inspect.getdoc(function) or "").split("\n\n")[0].replace("\n", " ")
    return {
        "name": function.__name__,
        "module": function.__module__,
        "rules": [number for number in INDEX if function in INDEX[number]],
        "summary": summary,
    }


def _rulings(wanted: str, functions: list[Callable[..., Any]]) -> list[dict[str, Any]]:
    """Rulings that name a rule, one inside it or one around it, and those its functions cite."""
    cited = {match["ruling"] for one in functions for match in CITED.finditer(inspect.getdoc(one) or "")}
    return [
        ruling
        for id, ruling in rulings().items()
        if id in cited or any(_within(wanted, rule) or covers(rule, wanted) for rule in ruling["rules"])
    ]


def _within(wanted: str, number: str) -> bool:
    """Whether a rule is the one wanted or inside it; a heading such as 22.5 stands for all of 22.51 to 22.56."""
    if re.fullmatch(r"\d\d\.\d", wanted):
        return number.startswith(wanted)
    return bool(wanted) and covers(wanted, number)


def _neighbours(wanted: str) -> dict[str, Any]:
    """The rules before and after, and the headings a rule stands under."""
    around = [wanted[:length] for length in range(2, len(wanted)) if wanted[length - 1] != "."]
    above = [number for number in around if "." in number and any(row["id"].startswith(number) for row in rows())]
    known = numbers()
    here = [index for index, number in enumerate(known) if _within(wanted, number)]
    before = known[here[0] - 1] if here and here[0] > 0 else ""
    after = known[here[-1] + 1] if here and here[-1] + 1 < len(known) else ""
    return {"above": above, "before": before, "after": after}
