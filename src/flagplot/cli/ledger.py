"""The rulebook seen from the ledger: what a rule says, who carries it out, which tests prove it, what is still missing."""

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
from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from flagplot.cli.command_options import Json
from flagplot.cli.terminal import console, print_json, wants_json
from flagplot.core.errors import UnknownName
from flagplot.core.rulebook import INDEX, carriers_of, covers

NO_BEHAVIOUR = ("commentary", "reference", "example")
STATUSES = ("done", "input", "partial", "missing")
RULING = re.compile(r"\b(?:RC|AM|FP|AN|IR)-\d+\b")
PROVEN_EDITION = "current"  # the edition whose rows the status file speaks of


@cache
def rows() -> list[dict[str, str]]:
    """The ledger: one row for each thing the rules say."""
    text = (files("flagplot") / "data" / "ledger.csv").read_text("utf-8")
    return list(csv.DictReader(io.StringIO(text)))


@cache
def statuses() -> dict[str, dict[str, Any]]:
    """By edition, what is known of each row: status, tests, why. Empty if nothing was recorded."""
    file = files("flagplot") / "data" / "ledger_status.json"
    if not file.is_file():
        return {}
    recorded = json.loads(file.read_text("utf-8"))
    return {PROVEN_EDITION: recorded["rows"], **recorded["editions"]}


def status_of(row: dict[str, str]) -> dict[str, Any]:
    """A row's status, with the tests that claim it."""
    found = statuses().get(row["edition"], {}).get(row["id"], {})
    status = found.get("status", "missing")
    return {
        "status": status,
        "tests": found.get("tests", []),
        "why": found.get("why", ""),
    }


def import_rules() -> None:
    """Import every module of the rules, so that the index is full."""
    package = importlib.import_module("flagplot.rules")
    for module in pkgutil.walk_packages(package.__path__, "flagplot.rules."):
        importlib.import_module(module.name)


# -- where -------------------------------------------------------------------------------------


def find(rule: str) -> dict[str, Any]:
    """All that is known of a rule: ledger rows, functions, tests, rulings."""
    import_rules()
    wanted = rule.strip().upper().rstrip(".")
    found = [row for row in rows() if covers(wanted, row["id"])] if wanted else []
    inside = [function for number in INDEX if covers(wanted, number) for function in INDEX[number]] if wanted else []
    functions = list(dict.fromkeys([*inside, *carriers_of(wanted)]))
    if not found and "." in wanted:  # 22.5 stands for all of 22.51 to 22.56
        found = [row for row in rows() if row["id"].startswith(wanted)]
    if not found and not functions:
        raise UnknownName(f"there is no rule {rule.strip()[:40]!r} in the ledger; try 22.54B or 20.513")
    documents = " ".join(inspect.getdoc(function) or "" for function in functions)
    rulings = sorted(set(RULING.findall(documents)), key=lambda name: (name[:2], int(name[3:])))
    return {
        "rule": wanted,
        "rows": [
            {**{key: row[key] for key in ("id", "edition", "area", "kind", "summary")}, **status_of(row)}
            for row in found
        ],
        "functions": [_function(function) for function in functions],
        "rulings": rulings,
    }


def _function(function: Callable[..., Any]) -> dict[str, Any]:
    lines, start = inspect.getsourcelines(function)
    offset = next((index for index, line in enumerate(lines) if re.match(r"\s*(async )?def ", line)), 0)
    summary = (inspect.getdoc(function) or "").split("\n\n")[0].replace("\n", " ")
    numbers = [number for number in INDEX if function in INDEX[number]]
    place = f"{_short(Path(inspect.getfile(function)))}:{start + offset}"
    return {"name": function.__name__, "place": place, "rules": numbers, "summary": summary}


def _short(path: Path) -> str:
    """A path as one would type it from here, or from the folder the package lies in."""
    for base in (Path.cwd(), Path(__file__).parents[2]):
        if path.is_relative_to(base):
            return path.relative_to(base).as_posix()
    return path.as_posix()


def show(out: Console, found: dict[str, Any], *, brief: bool = False) -> None:
    """What `find` found, for people; in brief, without tests and functions."""
    for row in found["rows"]:
        edition = "" if row["edition"] == PROVEN_EDITION else f" ({row['edition']})"
        style = "good" if row["status"] in ("done", "input") else "foe"
        out.print(
            Text.assemble(
                (row["id"], "rule"), (f"{edition}  {row['area']}, {row['kind']}  ", "quiet"), (row["status"], style)
            )
        )
        out.print(Padding.indent(Text(row["summary"]), 2))
        for line in (*(() if brief else row["tests"]), row["why"]):
            if line:
                out.print(Padding.indent(Text(line, style="quiet"), 2))
    functions = [] if brief else found["functions"]
    if functions:
        out.print(Text("\nCarried out by", style="heading"))
    for function in functions:
        out.print(
            Text.assemble((function["name"], "own"), f"  {function['place']}  ", (", ".join(function["rules"]), "rule"))
        )
        out.print(Padding.indent(Text(function["summary"], style="quiet"), 2))
    if found["rulings"]:
        out.print(Text.assemble(("\nRulings  ", "heading"), ", ".join(found["rulings"])))


def where(
    rule: Annotated[str, typer.Argument(help="A rule number, such as 22.54B or 20.513.")],
    json: Json = False,
) -> None:
    """Say what a rule is about, which function carries it out, which tests prove it, and which rulings bear on it.

    [bold]flagplot where 22.54B[/bold]
    """
    found = find(rule)
    if wants_json(json):
        print_json(found)
    else:
        show(console(), found)


# -- coverage ---------------------------------------------------------------------------------------


def tally() -> dict[str, dict[str, int]]:
    """By area, how many rows state behaviour, and how many of them are done, inputs, partial or missing."""
    areas: dict[str, dict[str, int]] = {}
    for row in rows():
        if row["kind"] not in NO_BEHAVIOUR:
            counts = areas.setdefault(row["area"], dict.fromkeys(("total", *STATUSES), 0))
            counts["total"] += 1
            status = status_of(row)["status"]
            counts[status if status in STATUSES else "missing"] += 1  # what comes later is missing today
    return areas


def coverage(json: Json = False) -> None:
    """Count the rules that are carried out, area by area.

    Rows of the ledger that state behaviour are counted. An input is a value from a rule we do not hold.

    [bold]flagplot coverage[/bold]
    """
    areas = tally()
    if wants_json(json):
        print_json({"areas": areas})
        return
    table = Table(box=box.SIMPLE_HEAD)
    for heading in ("area", "total", *STATUSES):
        table.add_column(heading, justify="left" if heading == "area" else "right")
    for area, counts in areas.items():
        table.add_row(area, *(str(counts[key]) for key in ("total", *STATUSES)))
    console().print(table)
