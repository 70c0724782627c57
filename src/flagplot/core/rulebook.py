"""The index from rule numbers to the functions that carry them out.

`@rule("22.54B")` marks a function and adds nothing at run time. The index answers `flagplot where 22.54B`, and the
tests use it to prove that a ledger row is carried out by the function of its number.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

INDEX: dict[str, list[Callable[..., Any]]] = {}


def rule(*numbers: str) -> Callable[[Function], Function]:
    """Mark the function that carries out these rules."""

    def mark(function: Function) -> Function:
        for number in numbers:
            INDEX.setdefault(number, []).append(function)
        return function

    return mark


def covers(number: str, row: str) -> bool:
    """Whether a function marked with this number may carry a ledger row: the same rule, or one inside it."""
    if row == number:
        return True
    return row.startswith(number) and not row[len(number)].isdigit()


def carriers_of(row: str) -> list[Callable[..., Any]]:
    """The functions marked for a rule or ledger row, the most exact number first."""
    found: list[Callable[..., Any]] = []
    for number in sorted(INDEX, key=len, reverse=True):
        if covers(number, row):
            found.extend(function for function in INDEX[number] if function not in found)
    return found
