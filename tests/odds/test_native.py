"""Machine code that is kept fights as Numba's own does, is relied on when it has been approved, and is that of these sources."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from flagplot.odds import compiling, native

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
    tried = native.loaded(tmp_path, new=True)
    native.approve(tmp_path)
    assert native.is_kept(tmp_path)
    row = np.arange(5, dtype=np.int32)
    for kernel in (tried, native.loaded(tmp_path), kernels.added):
        to = np.ones(5, np.int32)
        kernel(row, to, -(2**31) + 7)
        assert list(to) == [1 + (each * (7 - 2**31) + 2**31) % 2**32 - 2**31 for each in range(5)]


def test_rows_that_are_not_such_rows_are_refused(kernels: Any, tmp_path: Path) -> None:
    native.keep(kernels.added, tmp_path)
    kernel = native.loaded(tmp_path, new=True)
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


def test_ready_is_code_of_these_sources_or_what_numba_keeps_of_these_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Numba compiles anew where the same files lie elsewhere, and nobody is to wait for that."""
    monkeypatch.setattr(compiling, "folder", lambda: tmp_path)
    assert not compiling.ready()
    for files, ready in (("elsewhere", False), (compiling._files(), True)):
        (tmp_path / compiling.MARK).write_text(json.dumps({"seconds": 1, "megabytes": 1, "files": files}))
        assert compiling.ready() == ready
    (tmp_path / compiling.MARK).write_text("half wri")
    assert not compiling.ready()
    (tmp_path / f"battles-{native.processor()}.json").write_text("{}")
    assert compiling.ready()
