"""Machine code that is kept does what Numba's own does, and is relied on when it has been approved and is whole."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from flagplot.odds import native

KERNEL = """
from numba import njit

@njit("void(int32[::1], int32[::1], int64)", cache=True, nogil=True, error_model="numpy", _nrt=False)
def added(row, to, number):
    for index in range(len(row)):
        to[index] += row[index] * number

@njit("void(float64[::1])", cache=True)
def halved(row):
    row[0] /= 2
"""


@pytest.fixture
def kernels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A kernel that can be kept, and one that cannot."""
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "cache"), raising=False)
    path = tmp_path / "small_kernels.py"
    path.write_text(KERNEL)
    spec = importlib.util.spec_from_file_location("small_kernels", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_kept_code_does_what_the_kernel_does(kernels: Any, tmp_path: Path) -> None:
    assert native.keep(kernels.added, tmp_path)
    assert not native.is_kept(tmp_path)  # nobody has tried it yet
    tried = native.loaded(tmp_path, native.NEW)
    native.approve(tmp_path)
    assert native.is_kept(tmp_path)
    row = np.arange(5, dtype=np.int32)
    for kernel in (tried, native.loaded(tmp_path), kernels.added):
        assert kernel is not None
        to = np.ones(5, np.int32)
        kernel(row, to, -(2**31) + 7)
        assert list(to) == [1 + (each * (7 - 2**31) + 2**31) % 2**32 - 2**31 for each in range(5)]


def test_rows_that_are_not_such_rows_are_refused(kernels: Any, tmp_path: Path) -> None:
    native.keep(kernels.added, tmp_path)
    kernel = native.loaded(tmp_path, native.NEW)
    assert kernel is not None
    row = np.zeros(4, np.int32)
    for wrong in (row.astype(np.int64), row[::2], row.reshape(2, 2)):
        with pytest.raises(TypeError, match="32-bit"):
            kernel(wrong, row, 1)
    with pytest.raises(ValueError, match="argument"):
        kernel(row, row)


def test_what_is_not_as_we_know_it_is_not_kept(kernels: Any, tmp_path: Path) -> None:
    assert not native.keep(kernels.halved, tmp_path)
    assert not native.keep(len, tmp_path)
    assert not list(tmp_path.glob("battles-*"))


def cut_short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-40])


def altered(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[:900] + bytes([content[900] ^ 1]) + content[901:])


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def of_another_kind(path: Path) -> None:
    path.write_text("[1, 2]")


@pytest.mark.parametrize(
    ("ending", "damage"),
    [
        *(("o", damage) for damage in (cut_short, altered, emptied, Path.unlink)),
        *(("json", damage) for damage in (cut_short, emptied, of_another_kind, Path.unlink)),
    ],
)
def test_code_that_is_not_what_was_approved_is_not_called(
    kernels: Any, tmp_path: Path, ending: str, damage: Callable[[Path], None]
) -> None:
    """As after a power cut, or on a disk that fails: called, it would crash or fight other battles."""
    native.keep(kernels.added, tmp_path)
    native.approve(tmp_path)
    damage(tmp_path / f"battles-{native.processor()}.{ending}")
    assert not native.is_kept(tmp_path)
    assert native.loaded(tmp_path) is None


def test_code_that_takes_the_place_of_other_code_must_be_approved_itself(kernels: Any, tmp_path: Path) -> None:
    native.keep(kernels.added, tmp_path)
    native.approve(tmp_path)
    code = tmp_path / f"battles-{native.processor()}.o"
    code.write_bytes(code.read_bytes() + b"newer")
    assert native.loaded(tmp_path) is None


def test_code_that_is_forgotten_is_not_kept(kernels: Any, tmp_path: Path) -> None:
    native.keep(kernels.added, tmp_path)
    native.forget(tmp_path)
    assert native.loaded(tmp_path, native.NEW) is None
    native.keep(kernels.added, tmp_path)
    native.approve(tmp_path)
    native.forget(tmp_path)
    assert not native.is_kept(tmp_path)
