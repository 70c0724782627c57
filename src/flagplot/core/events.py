"""What happened, under which rule, and who is told.

An event names its audience; there is no default. A secret is never stripped from a public event: the owner is told one
thing and everyone another, as two events, just as a player arranges his own board and then places a marker on the
shared chart.

A breakdown is a value: lines of (rule, reason, amount) whose sum is the total. Limits are lines too. The same type
counts dice, factors and die roll modifiers, so one widget, one sentence and one JSON shape show every breakdown.
"""

from __future__ import annotations

import msgspec

from flagplot.core.sides import Audience


class Modifier(msgspec.Struct, frozen=True, array_like=True):
    """One line of a breakdown."""

    rule: str
    reason: str
    amount: int


class Modifiers(msgspec.Struct, frozen=True):
    """A breakdown whose lines always add up to the total, limits included."""

    lines: tuple[Modifier, ...] = ()

    @property
    def total(self) -> int:
        """What the lines add up to."""
        total = 0
        for line in self.lines:
            total += line.amount
        return total

    def plus(self, rule: str, reason: str, amount: int) -> Modifiers:
        """With one more line, unless it changes nothing."""
        if amount == 0:
            return self
        return Modifiers((*self.lines, Modifier(rule, reason, amount)))

    def at_most(self, limit: int, rule: str, reason: str) -> Modifiers:
        """The total cut down to the limit; the cut is itself a line."""
        return self.plus(rule, reason, min(0, limit - self.total))

    def at_least(self, limit: int, rule: str, reason: str) -> Modifiers:
        """The total raised to the limit; the rise is itself a line."""
        return self.plus(rule, reason, max(0, limit - self.total))


class Event(msgspec.Struct, frozen=True, tag_field="event", tag=True, kw_only=True):
    """Something that happened, under a rule, told to an audience."""

    rule: str
    to: Audience
