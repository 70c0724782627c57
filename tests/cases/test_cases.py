"""The worked cases, asked through the public API: one test for each line of each file beside this one.

README.md says what a line looks like, and which cases are left out and why.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from flagplot import api

KEYS = {
    "id": str,
    "edition": str,
    "options": dict,
    "call": str,
    "with": dict,
    "dice": list,
    "decisions": list,
    "expect": dict,
    "rules": list,
    "why": str,
}
CASES: list[tuple[str, dict[str, Any]]] = [
    (f"{file.name}:{number}", json.loads(line))
    for file in sorted(Path(__file__).parent.glob("*.jsonl"))
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1)
]


def name_of(where: str, case: dict[str, Any]) -> str:
    return str(case.get("id", where))


every_line = pytest.mark.parametrize(
    ("where", "case"), [pytest.param(where, case, id=name_of(where, case)) for where, case in CASES]
)
every_case = pytest.mark.parametrize("case", [pytest.param(case, id=name_of(where, case)) for where, case in CASES])


def ask(case: dict[str, Any]) -> dict[str, Any]:
    return api.call(
        case["call"],
        case["with"],
        dice=case["dice"],
        decisions=case["decisions"],
        edition=case["edition"],
        options=case["options"],
    )


def differences(expected: Any, answer: Any, at: str = "answer") -> list[str]:
    """Where an answer does not hold what was expected: objects may hold more, everything else must be equal."""
    if isinstance(expected, dict) and isinstance(answer, dict):
        found = []
        for key, value in expected.items():
            if key in answer:
                found += differences(value, answer[key], f"{at}.{key}")
            else:
                found.append(f"{at} has no {key!r}")
        return found
    same = type(expected) is type(answer) and expected == answer
    return [] if same else [f"{at} is {answer!r}, expected {expected!r}"]


def empty_objects(expected: Any) -> bool:
    """Whether something is expected of which any answer would do: an object without keys."""
    return isinstance(expected, dict) and (not expected or any(map(empty_objects, expected.values())))


@every_line
def test_a_line_has_the_agreed_shape(where: str, case: dict[str, Any]) -> None:
    assert list(case) == list(KEYS), where
    wrong = [key for key, kind in KEYS.items() if type(case[key]) is not kind]
    assert not wrong, f"{where}: of another kind than agreed: {wrong}"
    assert case["call"] in api.CALLS
    assert case["rules"] and case["why"] and not empty_objects(case["expect"])
    assert all(isinstance(rule, str) for rule in case["rules"])
    assert all(type(die) is int and 1 <= die <= 6 for die in case["dice"])
    for side, kind, _ in case["decisions"]:
        assert side in ("axis", "allies") and isinstance(kind, str)


@every_case
def test_the_case_is_answered_as_worked(case: dict[str, Any]) -> None:
    assert differences(case["expect"], ask(case)) == [], case["why"]


@every_case
def test_the_answer_is_json(case: dict[str, Any]) -> None:
    answer = ask(case)
    assert json.loads(json.dumps(answer, allow_nan=False)) == answer


def test_no_two_cases_share_an_id() -> None:
    ids = [case["id"] for _, case in CASES]
    assert len(ids) == len(set(ids))


def test_the_comparison_tells_what_differs() -> None:
    answer = {"a": {"b": 1, "c": [1, 2]}, "d": None}
    assert differences({"a": {"b": 1}, "d": None}, answer) == []
    assert differences({"a": {"b": 2}}, answer) == ["answer.a.b is 1, expected 2"]
    assert differences({"a": {"c": [1]}}, answer) == ["answer.a.c is [1, 2], expected [1]"]
    assert differences({"a": {"x": 1}}, answer) == ["answer.a has no 'x'"]
    assert differences({"a": {"b": True}}, answer) == ["answer.a.b is 1, expected True"]
    assert differences({"d": {}}, answer) == ["answer.d is None, expected {}"]
