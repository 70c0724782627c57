"""What tests of compiled battles share."""

from __future__ import annotations

from types import ModuleType

import pytest

from flagplot.odds.jit import load


@pytest.fixture(scope="module")
def plain() -> ModuleType:
    """The kernels as plain Python."""
    return load(("kernel_battle",))["kernel_battle"]
