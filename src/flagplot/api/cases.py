"""The conformance cases: situations with their dice and the answers the rules give, asked through the public API.

One JSON object a line; docs/cases.md describes the format, and cases/schema.json defines it, so that any other program can
run the same file. What is expected is a part of the answer: of an object the keys named, of a list every item, of
everything else all of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec

from flagplot.api import CALLS, call
from flagplot.api.calls import describe, schemas
from flagplot.core.errors import GameError, PlayerError
from flagplot.core.forms import Wire

DRAFT = "https://json-schema.org/draft/2020-12/schema"
MOST_BYTES = 16 * 1024 * 1024


class Case(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"with_": "with"}):
    """A line of a case file."""

    id: str
    edition: str
    options: dict[str, str]
    call: str
    with_: dict[str, Any]
    dice: list[int]
    decisions: list[tuple[str, str, Wire]]
    expect: dict[str, Any]
    rules: list[str]
    why: str


_case = msgspec.json.Decoder(Case)


def published() -> list[Path]:
    """The case files that come with the game: beside the package where it is installed, else in the repository."""
    for folder in (Path(str(files("flagplot"))) / "cases", Path(__file__).parents[3] / "cases"):
        if found := sorted(folder.glob("*.jsonl")):
            return found
    raise PlayerError("no cases came with this installation; name the files to run")


def read_cases(paths: Sequence[Path]) -> dict[str, Case]:
    """The cases in these files by their place, in order. A line that is no case, and an id used twice, are refused."""
    found: dict[str, Case] = {}
    places: dict[str, str] = {}
    for path in paths:
        for number, line in enumerate(_lines(path), start=1):
            place = f"{path}:{number}"
            try:
                case = _case.decode(line)
            except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as wrong:
                raise PlayerError(f"{place} is not a case: {wrong}; docs/cases.md says what a line holds") from None
            if case.id in places:
                raise PlayerError(f"{place}: the id {case.id!r} stands at {places[case.id]} already")
            found[place], places[case.id] = case, place
    return found


def _lines(path: Path) -> list[bytes]:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise PlayerError(f"{path} has more than {MOST_BYTES} bytes; give its cases in several files")
        return path.read_bytes().splitlines()
    except OSError as trouble:
        raise PlayerError(f"{path} could not be read: {trouble.strerror}") from None


def ask(case: Case) -> dict[str, Any]:
    """What the game answers."""
    return call(
        case.call, case.with_, dice=case.dice, decisions=case.decisions, edition=case.edition, options=case.options
    )


def differing(case: Case) -> list[str]:
    """In what the answer differs from the expected one, a sentence for each place. A refusal is an answer too."""
    try:
        given = ask(case)
    except GameError as refusal:
        if "refused" not in case.expect:
            return [f"the question is refused: {refusal}"]
        given = {"refused": True, "rule": getattr(refusal, "rule", "")}
    return differences(case.expect, given)


def differences(expected: Any, given: Any, at: str = "answer") -> list[str]:
    """Where an answer does not hold what was expected: an object that names something may hold more, a list holds as
    many, all else is equal."""
    if isinstance(expected, dict) and isinstance(given, dict) and expected:
        found = []
        for key, value in expected.items():
            if key in given:
                found += differences(value, given[key], f"{at}.{key}")
            else:
                found.append(f"{at} has no {key!r}")
        return found
    if isinstance(expected, list) and isinstance(given, list) and len(expected) == len(given):
        pairs = enumerate(zip(expected, given, strict=True))
        return [words for index, (one, other) in pairs for words in differences(one, other, f"{at}[{index}]")]
    same = type(expected) is type(given) and expected == given
    return [] if same else [f"{at} is {given!r}, expected {expected!r}"]


def schema() -> dict[str, Any]:
    """The JSON Schema of a line: the keys, and for each question what it is asked with and what that means."""
    asked, parts = schemas("#/$defs/{name}")
    text = {"type": "string", "minLength": 1}
    return {
        "$schema": DRAFT,
        "title": "A conformance case of the naval, air-naval and strategic warfare of A World at War",
        "description": "One line of a case file. docs/cases.md says what each key means.",
        "type": "object",
        "required": list(_KEYS),
        "additionalProperties": False,
        "properties": {
            "id": {**text, "description": "names the case; no other has the same"},
            "edition": {**text, "description": "the edition of the rules"},
            "options": {
                "type": "object",
                "additionalProperties": text,
                "description": "readings the case chooses: flagplot options explains them; the others are at their default",
            },
            "call": {"enum": sorted(CALLS), "description": "the question"},
            "with": {"type": "object", "description": "the situation the question is asked about"},
            "dice": {
                "type": "array",
                "items": {"type": "integer", "minimum": 1, "maximum": 6},
                "description": "dice in the order they are used",
            },
            "decisions": {
                "type": "array",
                "items": {
                    "type": "array",
                    "prefixItems": [{"enum": ["axis", "allies"]}, text, True],
                    "minItems": 3,
                    "maxItems": 3,
                },
                "description": "side, kind of decision, answer; a decision that is not named takes its default",
            },
            "expect": {
                "type": "object",
                "minProperties": 1,
                "description": "what the answer must hold: of an object the keys named, of a list every item, in order",
            },
            "rules": {
                "type": "array",
                "items": text,
                "minItems": 1,
                "description": "the rules and rulings it shows",
            },
            "why": {**text, "description": "how the answer follows from the rules"},
        },
        "allOf": [
            {
                "if": {"properties": {"call": {"const": name}}},
                "then": {"properties": {"with": {**asked[name], "description": describe(name)["help"]}}},
            }
            for name in sorted(asked)
        ],
        "$defs": dict(sorted(parts.items())),
    }


_KEYS = [field.encode_name for field in msgspec.structs.fields(Case) if field.required]
