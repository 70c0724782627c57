"""Kernels with a fault planted in them: one text of one file is replaced by another before it is loaded."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType
from typing import Any, NamedTuple

from flagplot.odds.jit import load

PACKAGE = "flagplot.odds"


class Fault(NamedTuple):
    """What is changed, in which file of flagplot/odds; the text stands there just once."""

    module: str
    right: str
    wrong: str


def named(fault: Fault) -> str:
    """What a test of this fault is called."""
    return f"{fault.module}: {fault.right.strip()[:40]}"


class _Altered(SourceFileLoader):
    def __init__(self, name: str, path: str, fault: Fault) -> None:
        super().__init__(name, path)
        self.fault = fault

    def get_code(self, fullname: str) -> CodeType:
        source = self.get_data(self.path).decode()
        assert source.count(self.fault.right) == 1, (
            f"{self.fault.right!r} stands {source.count(self.fault.right)} times"
        )
        return compile(source.replace(self.fault.right, self.fault.wrong), self.path, "exec")


class _Finder(MetaPathFinder):
    def __init__(self, fault: Fault) -> None:
        self.fault = fault

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> ModuleSpec | None:
        if fullname != f"{PACKAGE}.{self.fault.module}":
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        assert spec is not None and spec.origin is not None
        spec.loader = _Altered(fullname, spec.origin, self.fault)
        return spec


@contextmanager
def planted(fault: Fault, module: str = "kernel_battle") -> Iterator[ModuleType]:
    """The whole battle, or another of the kernels, as plain Python, with this fault in it."""
    finder = _Finder(fault)
    sys.meta_path.insert(0, finder)
    try:
        yield load((module,))[module]
    finally:
        sys.meta_path.remove(finder)
