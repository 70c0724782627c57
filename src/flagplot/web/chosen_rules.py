"""The rules a calculator goes by: an edition and options, as a page's address says them and as the page shows them.

The law here: no rule. Which options bear on an answer is found out by asking for it with and without them; what changes
nothing is not put.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from flagplot.core.errors import GameError, PlayerError
from flagplot.editions.current import EDITIONS, ruleset
from flagplot.editions.options import OPTIONS
from flagplot.play.report import rules_in_words

CURRENT = next(iter(EDITIONS))


class ChosenRules(NamedTuple):
    """An edition, and the options that are not at their default."""

    edition: str = CURRENT
    options: Mapping[str, str] = {}

    @property
    def beside(self) -> dict[str, Any]:
        """As the public API takes it beside a question."""
        return {"edition": self.edition, "options": dict(self.options)}

    @property
    def words(self) -> str:
        """As the page says it."""
        return rules_in_words(self.edition, self.options)

    @property
    def said(self) -> dict[str, str]:
        """What an address says of it: nothing, if all is as usual."""
        return ({"edition": self.edition} if self.edition != CURRENT else {}) | dict(self.options)

    def number(self, current: str) -> str:
        """What a rule of the current edition is numbered in this one."""
        return ruleset(self.edition).number(current)


def read(typed: Mapping[str, str], names: Sequence[str]) -> ChosenRules:
    """The edition and those of these options that were typed; what does not exist is refused."""
    edition = typed.get("edition") or CURRENT
    if edition not in EDITIONS:
        raise PlayerError(f"there is no edition {edition!r}; there are {', '.join(EDITIONS)}")
    chosen = {name: typed[name] for name in names if typed.get(name)}
    ruleset(edition, chosen)  # a value that is none is refused
    return ChosenRules(edition, {name: value for name, value in chosen.items() if value != OPTIONS[name].default})


Ask = Callable[[ChosenRules], Any]


def that_matter(rules: ChosenRules, names: Sequence[str], ask: Ask) -> tuple[str, ...]:
    """The options that would change the answer, and those that were chosen."""
    now = _answer(ask, rules)
    return tuple(
        name
        for name in names
        if name in rules.options
        or any(
            _answer(ask, rules._replace(options={**rules.options, name: value})) != now
            for value in list(OPTIONS[name].values)[1:]
        )
    )


def editions_agree(rules: ChosenRules, ask: Ask) -> bool:
    """Whether every edition gives the same answer, apart from options."""
    answers = [_answer(ask, rules._replace(edition=edition)) for edition in EDITIONS]
    return all(each == answers[0] for each in answers)


def _answer(ask: Ask, rules: ChosenRules) -> str:
    try:
        return repr(ask(rules))
    except GameError as refused:
        return str(refused)
