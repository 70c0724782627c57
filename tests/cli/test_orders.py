"""Standing orders in the terminal: `flagplot play --orders`, what is shown of them, and how they are paused."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from flagplot.play.saves import load
from flagplot.play.standing_orders import read_orders
from tests.cli.conftest import Run

PAGE = Path(__file__).parents[2] / "docs" / "standing-orders.md"
DEFAULTS = [""] * 400


def example() -> str:
    """The file that the page shows."""
    found = re.search(r"```orders\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert found
    return found[1]


def test_the_example_of_the_page_runs_as_it_stands(run: Run) -> None:
    Path("my.orders").write_text(example())
    result = run("play", "operation-malta", "--side", "allies", "--orders", "my.orders", lines=DEFAULTS)
    assert result.exit_code == 0, result.output
    assert re.search(r"The (battle|operation) is over", result.output)
    lines = {int(line) for line in re.findall(r"Answered by standing order, line (\d+): ", result.output)}
    known = {order.line for order in read_orders(example())}
    assert len(lines) >= 4 and lines <= known


def test_every_line_of_orders_on_the_page_can_be_read() -> None:
    text = PAGE.read_text("utf-8")
    assert read_orders(example())
    for line in re.findall(r"^\| `([^`|]+: [^`|]+)` \|", text, re.MULTILINE):
        assert len(read_orders(line)) == 1, line


def test_what_orders_answer_is_shown_with_its_line_and_is_in_the_save(run: Run) -> None:
    Path("my.orders").write_text("# mine\nnumber: default\nscreen: line\n")
    result = run("play", "--orders", "my.orders", "--save", "a.flagplot", lines=DEFAULTS)
    assert result.exit_code == 0
    assert "Number your combat groups. (22.423) Answered by standing order, line 2: number: default." in result.output
    assert "line 3: screen: line. Answer: all: " in result.output
    assert "Number your combat groups.\n" not in result.output  # it was not asked
    assert load(Path("a.flagplot")).over


def test_programs_are_told_the_lines_too(run: Run) -> None:
    Path("my.orders").write_text("number: default\n")
    lines = [
        json.loads(line)
        for line in run("play", "--orders", "my.orders", "--json", lines=["orders"]).output.splitlines()
    ]
    (told,) = [line for line in lines if line["type"] == "answered" and "standing_orders" in line]
    assert told["kind"] == "number" and told["standing_orders"] == [{"line": 1, "order": "number: default"}]
    (shown,) = [line for line in lines if line["type"] == "orders"]
    assert shown == {"type": "orders", "paused": False, "orders": [{"line": 1, "order": "number: default"}]}


def test_what_is_taken_back_is_not_answered_again_until_orders_are_resumed(run: Run) -> None:
    Path("my.orders").write_text("number: default\n")
    typed = ["undo agreed", "1=2, 2=4", "orders on", *DEFAULTS]
    output = run("play", "--orders", "my.orders", lines=typed).output
    assert output.count("line 1: number: default. Answer") == 1
    assert "Your standing orders are paused" in output and "from the next question on" in output
    assert "Number your combat groups.\n" in output  # now it is asked
    assert "The battle is over." in output.partition("from the next question on")[2]


def test_orders_are_shown_and_paused_by_a_command(run: Run) -> None:
    output = run("play", "--orders", "battle", lines=["orders", "orders off", "orders sideways"]).output
    assert "number: doctrine" in output and "Type orders off to pause them" in output
    assert "Type orders on to resume them" in output
    assert "Refused. Type orders, orders on or orders off." in output
    assert "Refused. You have no standing orders" in run("play", lines=["orders"]).output


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("number: default\nevade: maybe\n", "my.orders, line 2: "),
        ("nmber: default\n", "did you mean number"),
    ],
)
def test_orders_that_cannot_be_read_are_refused_before_the_game(run: Run, text: str, why: str) -> None:
    Path("my.orders").write_text(text)
    result = run("play", "--orders", "my.orders")
    assert result.exit_code != 0 and why in " ".join(result.output.split())


def test_a_file_that_is_not_there_or_no_text_is_refused(run: Run) -> None:
    result = run("play", "--orders", "nothing.orders")
    assert result.exit_code != 0
    assert "examples by name: battle, operation" in " ".join(result.output.split())
    Path("odd.orders").write_bytes(b"\xff\xfe\x00")
    assert "not text" in " ".join(run("play", "--orders", "odd.orders").output.split())


def test_orders_are_one_sides(run: Run) -> None:
    result = run("play", "--orders", "battle", "--side", "both")
    assert "one side's" in " ".join(result.output.split())


def test_the_help_teaches_them(run: Run) -> None:
    text = " ".join(run("play", "--help").output.split())
    assert "--orders" in text and "docs/standing-orders.md" in text
