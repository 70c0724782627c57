"""The worked cases, asked through the public API: one test for each line of the files beside this one and in `cases/`.

docs/cases.md says what a line looks like; README.md which worked cases are left out and why.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import msgspec
import pytest

from flagplot import api
from flagplot.api.cases import Case, ask, differences, differing, published, read_cases, schema
from flagplot.core.errors import PlayerError
from flagplot.core.rulebook import covers
from flagplot.editions.options import OPTIONS, Option
from tools.cases import HOME, made

WORKED = sorted(Path(__file__).parent.glob("*.jsonl"))
OURS = sorted((HOME / "cases").glob("*.jsonl"))
CASES = read_cases([*WORKED, *OURS])
FAULTS = jsonschema_rs.validator_for(schema())
KEYS = schema()["required"]

every_case = pytest.mark.parametrize("case", [pytest.param(case, id=case.id) for case in CASES.values()])


def altered(expected: Any) -> Iterator[Any]:
    """What is expected, with one value in it changed: as often as there are values."""
    if isinstance(expected, dict) and expected:
        for key, value in expected.items():
            yield from ({**expected, key: each} for each in altered(value))
    elif isinstance(expected, list) and expected:
        for index, value in enumerate(expected):
            yield from ([*expected[:index], each, *expected[index + 1 :]] for each in altered(value))
    elif type(expected) is bool:
        yield not expected
    elif isinstance(expected, int):
        yield expected + 1
    else:
        yield f"{expected}?"


@every_case
def test_the_case_is_answered_as_worked_and_any_other_answer_differs(case: Case) -> None:
    assert differing(case) == [], case.why
    if "refused" in case.expect:
        return
    answer = ask(case)
    assert json.loads(json.dumps(answer, allow_nan=False)) == answer
    assert all(differences(wrong, answer) for wrong in altered(case.expect))


@pytest.mark.parametrize("path", [*WORKED, *OURS], ids=lambda path: path.relative_to(HOME).as_posix())
def test_every_line_fits_the_schema_and_has_its_keys_in_order(path: Path) -> None:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        told = json.loads(line)
        assert list(told) == KEYS, f"{path.name}:{number}"
        assert [fault.message for fault in FAULTS.iter_errors(told)] == [], f"{path.name}:{number}"


READINGS = [(option, value) for option in OPTIONS.values() for value in option.values]


@pytest.mark.parametrize(("option", "value"), READINGS, ids=[f"{option.name}={value}" for option, value in READINGS])
def test_every_reading_of_every_option_has_a_published_case_that_no_other_reading_answers(
    option: Option, value: str
) -> None:
    """The case names the reading, belongs to an edition in which it counts, and turns red under all the others."""
    naming = [case for path, case in CASES.items() if not path.startswith(str(WORKED[0].parent))]
    naming = [case for case in naming if case.options == {option.name: value}]
    others = [each for each in option.values if each != value]
    assert any(
        all(differing(msgspec.structs.replace(case, options={option.name: other})) for other in others)
        for case in naming
        if option.edition in ("", case.edition)
    ), f"no case in cases/ tells {option.name}={value} from {', '.join(others)}"


def test_the_schema_and_the_list_of_questions_are_up_to_date() -> None:
    stale = [path.name for path, text in made().items() if path.read_text(encoding="utf-8") != text]
    assert not stale, f"{stale}: run python tools/cases.py"


@pytest.mark.parametrize(
    "wrong",
    [
        {"dice": [7]},
        {"dice": [True]},
        {"call": "tea"},
        {"with": {"tea": 1}},
        {"with": {"fleet": "many"}},
        {"decisions": [["axis", "evade"]]},
        {"decisions": [["neutral", "evade", 1]]},
        {"expect": {}},
        {"rules": []},
        {"why": ""},
        {"tea": 1},
    ],
    ids=str,
)
def test_the_schema_refuses_what_is_no_case(wrong: dict[str, Any]) -> None:
    case = {
        "id": "X",
        "edition": "current",
        "options": {},
        "call": "naval_attack",
        "with": {"fleet": 3},
        "dice": [1, 2],
    }
    case |= {"decisions": [], "expect": {"hits": 0}, "rules": ["22.55"], "why": "Because."}
    assert FAULTS.is_valid(case) and not FAULTS.is_valid(case | wrong)
    assert not FAULTS.is_valid({key: value for key, value in case.items() if key != "why"})


# -- how much is published ---------------------------------------------------------------------------------


def ledger() -> list[dict[str, str]]:
    with (HOME / "src" / "flagplot" / "data" / "ledger.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def in_area(rules: list[str], rows: list[str]) -> bool:
    """Whether a case shows something of these rows of the ledger."""
    return any(covers(rule, id) or covers(id, rule) for id in rows for rule in rules)


def test_the_rules_a_case_names_exist() -> None:
    rows = ledger()
    known = {row["id"] for row in rows} | {each for row in rows for each in row["needs"].split()}
    known |= {ruling["id"] for ruling in json.loads((HOME / "src/flagplot/data/rulings.json").read_text("utf-8"))}
    beginnings = {id[:length] for id in known for length in range(2, len(id) + 1)}
    unknown = {rule: case.id for case in read_cases(OURS).values() for rule in case.rules if rule not in beginnings}
    assert unknown == {}


AREAS = {
    "interception": 90,
    "combat": 150,
    "air": 130,
    "damage": 25,
    "strategic": 200,
    "charts": 50,
    "edition-2008": 75,
}


@pytest.mark.parametrize(("area", "least"), AREAS.items())
def test_every_area_of_the_ledger_has_cases(area: str, least: int) -> None:
    edition = "2008" if area == "edition-2008" else "current"
    rows = [row["id"] for row in ledger() if row["area"] == area and row["edition"] == edition]
    ours = [case.rules for case in read_cases(OURS).values() if case.edition == edition]
    named = {rule: in_area([rule], rows) for rules in ours for rule in rules}
    assert sum(any(named[rule] for rule in rules) for rules in ours) >= least


def test_at_least_four_hundred_cases_are_published() -> None:
    assert len(read_cases(OURS)) >= 400


def test_the_published_files_are_found_from_here() -> None:
    assert published() == OURS


def test_the_worked_cases_of_others_are_not_published_as_ours() -> None:
    assert not {case.id for case in read_cases(WORKED).values()} & {case.id for case in read_cases(OURS).values()}
    assert not {case.why for case in read_cases(WORKED).values()} & {case.why for case in read_cases(OURS).values()}


# -- comparing and refusing --------------------------------------------------------------------------------


def test_the_comparison_tells_what_differs() -> None:
    answer = {"a": {"b": 1, "c": [1, 2]}, "d": None}
    assert differences({"a": {"b": 1}, "d": None}, answer) == []
    assert differences({"a": {"b": 2}}, answer) == ["answer.a.b is 1, expected 2"]
    assert differences({"a": {"c": [1]}}, answer) == ["answer.a.c is [1, 2], expected [1]"]
    assert differences({"a": {"c": [1, 3]}}, answer) == ["answer.a.c[1] is 2, expected 3"]
    assert differences([{"b": 1}], [{"b": 1, "c": 2}]) == []
    assert differences({"a": {"x": 1}}, answer) == ["answer.a has no 'x'"]
    assert differences({"a": {"b": True}}, answer) == ["answer.a.b is 1, expected True"]
    assert differences({"d": {}}, answer) == ["answer.d is None, expected {}"]
    assert differences({"a": {}}, {"a": {"b": 1}}) == ["answer.a is {'b': 1}, expected {}"]


LINE = (
    '{"id": "A", "edition": "current", "options": {}, "call": "naval_attack", "with": {"fleet": 12}, "dice": [4, 3], '
    '"decisions": [], "expect": {"hits": 3}, "rules": ["22.55"], "why": "Row 10-12, column 7."}'
)


def test_a_refusal_is_an_answer_too(tmp_path: Path) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_text(LINE.replace('"fleet": 12', '"fleet": 0'))
    (case,) = read_cases([file]).values()
    assert differing(case)[0].startswith("the question is refused: ")
    file.write_text(LINE.replace('"fleet": 12', '"fleet": 0').replace('{"hits": 3}', '{"refused": true}'))
    (case,) = read_cases([file]).values()
    assert differing(case) == []
    file.write_text(LINE.replace('{"hits": 3}', '{"refused": true}'))
    (case,) = read_cases([file]).values()
    assert differing(case) == ["answer has no 'refused'"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[]", ":1 is not a case: Expected `object`, got `array`"),
        (LINE + "\n" + LINE, ":2: the id 'A' stands at"),
        (LINE + "\n\n", ":2 is not a case"),
        (LINE.replace('"why"', '"wherefore"'), "unknown field `wherefore`"),
        ("[" * 100_000, "is not a case"),
        ('{"id": "\ud800"}', "is not a case"),
    ],
)
def test_a_line_that_is_no_case_is_refused_with_its_place(tmp_path: Path, text: str, why: str) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(PlayerError) as refused:
        read_cases([file])
    assert why in str(refused.value) and str(file) in str(refused.value)


def test_a_file_that_is_not_there_or_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(PlayerError, match="could not be read"):
        read_cases([tmp_path / "none.jsonl"])
    file = tmp_path / "cases.jsonl"
    file.write_text(LINE)
    monkeypatch.setattr("flagplot.api.cases.MOST_BYTES", 10)
    with pytest.raises(PlayerError, match="more than 10 bytes"):
        read_cases([file])


def test_every_question_a_case_asks_is_described() -> None:
    assert all(api.describe(case.call)["help"] for case in CASES.values())
