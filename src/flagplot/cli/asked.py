"""What was asked of a table, and the shape of an answer: the JSON, the headings, the lines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flagplot.core.errors import PlayerError, UnknownName
from flagplot.editions.current import ruleset
from flagplot.rules.table import Ruleset

COLUMNS = range(2, 13)

Asked = Mapping[str, Any]
Shown = tuple[Any, tuple[str, ...], list[list[Any]]]


def rules_of(asked: Asked) -> Ruleset:
    """The edition, with its options, whose table is asked for."""
    return ruleset(*asked["rules"])


def number(asked: Asked, key: str, what: str) -> int | None:
    """The number given under this option, or None; anything else is refused."""
    text = asked[key]
    if text is None:
        return None
    try:
        return int(text)
    except ValueError:
        raise PlayerError(f"{text[:40]!r} is not a number of {what}") from None


def listed_nation(nation: str, nations: Mapping[str, int]) -> str:
    """The nation as the chart spells it, whatever its capitals."""
    known = {name.lower(): name for name in nations}
    if nation.lower() not in known:
        raise UnknownName(f"the chart does not list {nation[:40]!r}; it lists {', '.join(nations)}; others have 0")
    return known[nation.lower()]
