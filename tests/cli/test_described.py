"""`flagplot call NAME --describe`: what a question takes, and an example that is answered as it stands."""

from __future__ import annotations

import json
import shlex
from io import StringIO

import pytest
from rich.console import Console

from flagplot import api
from flagplot.cli import described
from tests.cli.conftest import Run


@pytest.fixture
def on_paper(monkeypatch: pytest.MonkeyPatch) -> Console:
    """A terminal whose lines can be read."""
    paper = Console(record=True, width=100, file=StringIO())
    monkeypatch.setattr(described, "console", lambda: paper)
    monkeypatch.setattr(described, "wants_json", lambda asked: asked)
    return paper


def test_parameters_and_the_objects_in_them_are_listed(on_paper: Console) -> None:
    described.describe_question("box_deployment")
    told = [line.split() for line in on_paper.export_text().splitlines()]
    assert ["unit", "Unit", "needed"] in told
    assert ["axis_hold_suez", "true", "or", "false", "false", "unless", "said"] in told
    assert any(line[:1] == ["Unit:"] for line in told)  # what a Unit is
    assert ["nation", "text", "needed"] in told


def test_words_that_may_be_chosen_are_listed(on_paper: Console) -> None:
    described.describe_question("may_be_bombed")
    assert '"bombers" or "flying bombs"' in on_paper.export_text()


def test_every_question_is_described_and_its_example_is_answered(on_paper: Console) -> None:
    with_example = 0
    for name in api.CALLS:
        described.describe_question(name)
        last = on_paper.export_text().rstrip().rsplit("\n", 1)[-1]
        if last.startswith(f"flagplot call {name} "):
            asked = json.loads(shlex.split(last)[-1])
            assert api.call(name, asked.pop("with"), **asked)
            with_example += 1
    assert with_example > 0.8 * len(api.CALLS)


def test_piped_it_is_the_schema_with_the_example(run: Run) -> None:
    told = json.loads(run("call", "naval_attack", "--describe").stdout)
    assert told["with"]["$defs"]["naval_attack"]["properties"].keys() == {"fleet", "air", "modifier", "roll"}
    assert set(told["example"]) >= {"with"}
