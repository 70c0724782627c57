"""What one question of the public API takes, told to people: its help, its parameters, and an example that can be asked.

The example is one of the published cases: its answer follows from the rules, not from this program.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from typing import Any

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from flagplot import api
from flagplot.api.cases import published, read_cases
from flagplot.cli.terminal import console, print_json, wants_json

WORDS = {"integer": "number", "number": "number", "string": "text", "boolean": "true or false", "object": "object"}


def describe_question(name: str) -> None:
    """Print what a question takes; piped, the JSON schema of it."""
    about = api.describe(name)
    example = _example(name)
    if wants_json(False):
        print_json({**about, "example": example})
        return
    out = console()
    for paragraph in about["help"].split("\n\n"):
        out.print(Text(" ".join(paragraph.split())))
        out.print()
    parts: dict[str, Any] = about["with"]["$defs"]
    for title in _reached(parts, name):
        if title != name:
            meant = " ".join(parts[title].get("description", "").split())
            out.print(Text.assemble((_word(title), "heading"), f": {meant}"))
        out.print(Padding.indent(_parameters(parts[title], parts), 2))
        out.print()
    if example:
        out.print(Text("For example:", "quiet"))
        asked = shlex.quote(json.dumps(example, ensure_ascii=False))
        out.print(Text(f"flagplot call {name} {asked}"), soft_wrap=True)


def _example(name: str) -> dict[str, Any] | None:
    """How the shortest published case of a question is asked, of those that are answered, by the current edition if there is
    one; None if there is no case."""
    cases = [
        case
        for case in read_cases(published()).values()
        if case.call == name and not case.options and "refused" not in case.expect
    ]
    if not cases:
        return None
    case = min(cases, key=lambda each: (each.edition != "current", len(json.dumps(each.with_)) + len(each.dice)))
    beside = {"dice": case.dice, "decisions": case.decisions}
    edition = {} if case.edition == "current" else {"edition": case.edition}
    return {"with": case.with_, **{key: value for key, value in beside.items() if value}, **edition}


def _parameters(part: Mapping[str, Any], parts: Mapping[str, Any]) -> Table:
    table = Table.grid(padding=(0, 2))
    for name, schema in part["properties"].items():
        given = schema.get("default")
        tells = isinstance(given, int) or bool(given)  # that nothing is taken need not be said
        unsaid = f"{json.dumps(given, ensure_ascii=False)} unless said" if tells else ""
        told = "needed" if name in part["required"] else unsaid
        table.add_row(Text(name, "own"), _kind(schema, parts), Text(told, "quiet"))
    return table


def _kind(schema: Mapping[str, Any], parts: Mapping[str, Any]) -> str:
    """What may stand somewhere, in a few words."""
    if "$ref" in schema:
        title = _title(schema)
        return _kind(parts[title], parts) if "enum" in parts[title] else _word(title)
    if "anyOf" in schema:
        return " or ".join(_kind(each, parts) for each in schema["anyOf"] if each.get("type") != "null")
    if "enum" in schema:
        return " or ".join(json.dumps(each, ensure_ascii=False) for each in schema["enum"])
    if "prefixItems" in schema:
        return f"list: {', '.join(_kind(each, parts) for each in schema['prefixItems'])}"
    if "items" in schema:
        return f"list, each: {_kind(schema['items'], parts)}"
    if "additionalProperties" in schema:
        return f"object, by name: {_kind(schema['additionalProperties'], parts)}"
    return WORDS.get(schema.get("type", ""), "anything")


def _title(schema: Mapping[str, Any]) -> str:
    return str(schema["$ref"]).rsplit("/", 1)[-1]


def _word(title: str) -> str:
    return title.removesuffix("Json")


def _reached(parts: Mapping[str, Any], name: str) -> list[str]:
    """A question, and the kinds of object in what it takes, as they are met."""
    met = [name]
    for title in met:  # grows meanwhile
        inner = dict.fromkeys(_inside(parts[title]))
        met += [each for each in inner if each not in met and "properties" in parts[each]]
    return met


def _inside(schema: Any) -> list[str]:
    if isinstance(schema, dict):
        here = [_title(schema)] if "$ref" in schema else []
        return here + [each for key, value in schema.items() if key != "default" for each in _inside(value)]
    return [each for value in schema for each in _inside(value)] if isinstance(schema, list) else []
