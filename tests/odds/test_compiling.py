"""Compiling out of sight: whatever becomes of it, or of what it keeps on disk, battles end as they do by the procedures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from flagplot.odds import compiling, jit, kernels, native, sampling
from flagplot.odds.compiling import CHECK, LAST, CannotCompile
from flagplot.odds.jit import Words, load, segment
from flagplot.odds.sampling import USUAL, Batch, admirals, fight_either, fight_plainly, sample
from flagplot.odds.worlds import World, formed
from flagplot.scenarios.loader import load_scenario


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where compiled code is kept, in this test."""
    monkeypatch.setattr(compiling, "folder", lambda: tmp_path)
    return tmp_path


@pytest.fixture
def no_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that cannot be made: what should hold it is a file."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr(compiling, "folder", jit.cache_folder)
    return tmp_path


def strait() -> World:
    scenario = load_scenario("denmark-strait")
    return formed(scenario.setup, admirals(USUAL), options=scenario.options)


def kept_by_numba(folder: Path, content: bytes = b"compiled") -> Path:
    """A file as Numba has them."""
    path = folder / "odds_1" / "kernel_strikes.nbc"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)
    return path


def test_ready_is_what_numba_keeps_of_these_files_as_it_was_left(folder: Path) -> None:
    """Numba compiles anew where the same files lie elsewhere, and nobody is to wait for that."""
    path = kept_by_numba(folder)
    assert not compiling.ready()
    for files, ready in (("elsewhere", False), (compiling._files(), True)):
        (folder / compiling.MARK).write_text(json.dumps({"files": files, "kept": compiling._kept()}))
        assert compiling.ready() == ready
    path.write_bytes(b"compil")
    assert not compiling.ready()
    (folder / compiling.MARK).write_text("half wri")
    assert not compiling.ready()


# -- no room for compiled code ----------------------------------------------------------------------------


def test_without_room_for_compiled_code_the_procedures_fight(no_room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FLAGPLOT_COMPILE", raising=False)
    monkeypatch.setattr(sampling, "at_hand", lambda: False)
    asked: dict[str, Any] = {"seed": 4, "width": 1e-6, "most": 20}
    without, plainly = (list(sample(strait(), engine=engine, **asked))[-1] for engine in ("auto", "procedures"))
    assert without.tally.battles == 20
    assert np.array_equal(without.tally.counts, plainly.tally.counts)


def test_who_asks_for_compiled_battles_where_they_cannot_be_kept_is_told(no_room: Path) -> None:
    kernels.kernel.cache_clear()
    with pytest.raises(CannotCompile, match="cannot be kept in .*: Not a directory; the procedures fight the same"):
        list(sample(strait(), most=20, engine="compiled"))


def test_a_worker_that_cannot_have_the_kernels_fights_by_the_procedures(no_room: Path) -> None:
    kernels.kernel.cache_clear()
    batch = Batch(strait(), USUAL, 4, 8, 5)
    assert np.array_equal(fight_either(batch).counts, fight_plainly(batch).counts)


def test_kernels_are_never_kept_beside_their_sources(no_room: Path) -> None:
    """Numba would do that where it finds no room, and take what it finds there for that of other tables."""

    def nothing(s: Words, c: Words) -> None:
        pass

    with pytest.raises(RuntimeError, match="cannot cache"):
        segment(nothing)
    assert not list(Path(__file__).parent.glob("__pycache__/*nothing*"))


def test_whoever_has_no_home_keeps_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(jit.Path, "home", homeless)
    with pytest.raises(OSError, match="Not a directory"):
        jit.cache_folder().mkdir(parents=True)


# -- pieces that fail -------------------------------------------------------------------------------------


class Pieces:
    """Stands for the processes that compile: notes their names, and fails as told."""

    def __init__(self, *failing: int) -> None:
        self.asked: list[str] = []
        self.failing = failing

    def __call__(self, name: str) -> float:
        self.asked.append(name)
        if len(self.asked) in self.failing:
            raise CannotCompile(name)
        return 100.0 + len(self.asked)


ALL = len(compiling.PARTS) + len(compiling.WHOLE)


@pytest.fixture(autouse=True)
def one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "AT_ONCE", 1)


def test_every_piece_is_compiled_then_all_are_checked(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pieces = Pieces()
    monkeypatch.setattr(compiling, "_piece", pieces)
    assert compiling.compile_all()["megabytes"] == 100 + ALL + 1
    assert pieces.asked == [*compiling.PARTS, *compiling.WHOLE, CHECK]
    assert compiling.ready()
    compiling.compile_all()
    assert len(pieces.asked) == ALL + 1  # once is enough


def test_what_numba_keeps_and_cannot_read_is_compiled_anew(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = kept_by_numba(folder)
    pieces = Pieces(1)
    monkeypatch.setattr(compiling, "_piece", pieces)
    compiling.compile_all()
    assert not path.exists()
    assert pieces.asked[-ALL - 1 :] == [*compiling.PARTS, *compiling.WHOLE, CHECK]
    assert compiling.ready()


def test_what_cannot_be_compiled_from_nothing_is_not_ready(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "_piece", Pieces(ALL))
    with pytest.raises(CannotCompile, match=LAST):
        compiling.compile_all()
    assert not compiling.ready()


def test_machine_code_that_fights_otherwise_is_forgotten_and_battles_are_called_through_numba(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    about = folder / f"battles-{native.processor()}.{native.NEW}"
    about.write_text("{}")
    pieces = Pieces(ALL + 1)
    monkeypatch.setattr(compiling, "_piece", pieces)
    compiling.compile_all()
    assert pieces.asked[-2:] == [CHECK, CHECK]
    assert not about.exists()
    assert compiling.ready() and not native.is_kept(folder)


def test_why_a_piece_failed_is_said() -> None:
    with pytest.raises(CannotCompile, match=r"\(kernel_of_nothing\): ModuleNotFoundError: .*kernel_of_nothing"):
        compiling._piece("kernel_of_nothing")


@pytest.mark.parametrize("right", [True, False])
def test_code_is_approved_when_it_fights_as_the_procedures_do(
    folder: Path, monkeypatch: pytest.MonkeyPatch, right: bool
) -> None:
    by_python = load(("kernel_outcome",))["kernel_outcome"].fight_many

    def fights(before: Words, s: Words, c: Words, plan: Words, rows: Words, *numbers: int) -> None:
        by_python(before, s, c, plan, rows, *numbers)
        rows[-1] += not right

    approved: list[Path] = []
    monkeypatch.setattr(native, "loaded", lambda where, ending: fights)
    monkeypatch.setattr(native, "approve", approved.append)
    monkeypatch.setattr(compiling, "CHECKED", ("denmark-strait",))
    monkeypatch.setattr(compiling, "CHECKS", 3)
    if right:
        compiling.check()
        assert approved == [folder]
    else:
        with pytest.raises(SystemExit, match="denmark-strait otherwise"):
            compiling.check()
        assert not approved
