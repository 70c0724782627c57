"""`flagplot cases`: what differs is printed, and turns the command red."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from flagplot.api.cases import published
from flagplot.cli import cases as command
from tests.cli.conftest import Run

COMBAT = next(path for path in published() if path.name == "22-combat.jsonl")


@pytest.fixture
def altered(tmp_path: Path) -> Path:
    """The first twenty published cases, one of them with a wrong answer."""
    lines = COMBAT.read_text("utf-8").splitlines()[:20]
    wrong = json.loads(lines[7])
    wrong["expect"]["modifier"] += 1
    lines[7] = json.dumps(wrong)
    file = tmp_path / "altered.jsonl"
    file.write_text("\n".join(lines) + "\n", "utf-8")
    return file


def test_all_published_cases_are_answered_as_written(run: Run) -> None:
    done = run("cases")
    told = json.loads(done.stdout)
    assert done.exit_code == 0 and told["cases"] >= 400 and told["wrong"] == []
    assert [Path(path) for path in told["files"]] == published()


def test_a_wrong_answer_in_a_case_turns_the_command_red(
    run: Run, altered: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = run("cases", str(altered))
    (wrong,) = json.loads(done.stdout)["wrong"]
    assert done.exit_code == 1 and wrong["place"] == f"{altered}:8"
    assert wrong["differs"][0].startswith("answer.modifier is ") and wrong["rules"] and wrong["why"]
    monkeypatch.setattr(command, "wants_json", lambda asked: asked)
    shown = run("cases", str(altered))
    said = " ".join(shown.stdout.split())
    assert shown.exit_code == 1 and "✕ 1 of 20 cases is answered otherwise" in said
    assert wrong["id"] in said and "answer.modifier is" in said and wrong["why"] in said


def test_cases_that_all_agree_say_so(run: Run, altered: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    altered.write_text(COMBAT.read_text("utf-8").splitlines()[0])
    monkeypatch.setattr(command, "wants_json", lambda asked: asked)
    done = run("cases", str(altered))
    assert done.exit_code == 0 and done.stdout == "✓ 1 case: all are answered as written.\n"


def test_a_file_that_is_none_is_refused_in_a_sentence(run: Run, tmp_path: Path) -> None:
    done = run("cases", str(tmp_path / "none.jsonl"))
    assert done.exit_code == 2 and done.stderr.startswith("flagplot: ") and "could not be read" in done.stderr
    file = tmp_path / "some.jsonl"
    file.write_text("tea\n")
    done = run("cases", str(file))
    assert done.exit_code == 2 and f"{file}:1 is not a case" in done.stderr


def test_an_installation_without_cases_says_so(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("flagplot.api.cases.files", lambda package: tmp_path)
    monkeypatch.setattr("flagplot.api.cases.__file__", str(tmp_path / "a" / "b" / "c" / "cases.py"))
    done = run("cases")
    assert done.exit_code == 2 and "no cases came with this installation" in done.stderr


def test_the_cases_are_in_the_package_that_is_installed(tmp_path: Path) -> None:
    pytest.importorskip("hatchling")
    build = "import sys, hatchling.build; print(hatchling.build.build_wheel(sys.argv[1]))"
    home = Path(__file__).parents[2]
    made = subprocess.run(
        [sys.executable, "-c", build, tmp_path], cwd=home, capture_output=True, text=True, timeout=120
    )
    wheel = tmp_path / made.stdout.split()[-1]
    with zipfile.ZipFile(wheel) as package:
        inside = {Path(name).name for name in package.namelist() if name.startswith("flagplot/cases/")}
        package.extractall(tmp_path / "installed")
    installed = tmp_path / "installed" / "flagplot" / "cases"
    assert inside == {"schema.json", *(path.name for path in published())}
    ask = "from flagplot.api.cases import published; print(*published(), sep='\\n')"
    elsewhere = {**os.environ, "PYTHONPATH": str(tmp_path / "installed")}
    words = [sys.executable, "-c", ask]
    done = subprocess.run(words, cwd=tmp_path, env=elsewhere, capture_output=True, text=True, timeout=120)
    found = done.stdout.split()
    assert len(found) == len(published()) and all(Path(each).parent == installed for each in found)
