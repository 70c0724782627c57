"""Maps of counts in the state of a compiled battle: the dicts of the procedures, in the order of the dicts (20.57, FP-07).

At `at` stands the number of entries, then pairs (what, number). See kernel_layout.py.
"""

from __future__ import annotations

from flagplot.odds.jit import Words, jit


@jit
def held(s: Words, at: int, what: int) -> int:
    """How many there are of one thing: `counts.get(what, 0)`."""
    for i in range(s[at]):
        if s[at + 1 + 2 * i] == what:
            return int(s[at + 2 + 2 * i])
    return 0


@jit
def put(s: Words, at: int, what: int, number: int) -> None:
    """`plus` with one entry: what is new comes last."""
    if number == 0:
        return
    entries = s[at]
    for i in range(entries):
        if s[at + 1 + 2 * i] == what:
            s[at + 2 + 2 * i] += number
            return
    s[at + 1 + 2 * entries] = what
    s[at + 2 + 2 * entries] = number
    s[at] = entries + 1


@jit
def add(s: Words, at: int, what: int, number: int) -> None:
    """`put` of what is not there yet."""
    if number != 0:
        entries = s[at]
        s[at + 1 + 2 * entries] = what
        s[at + 2 + 2 * entries] = number
        s[at] = entries + 1


@jit
def take_at(s: Words, at: int, i: int, number: int) -> None:
    """`take` of the entry in place i."""
    left = s[at + 2 + 2 * i] - number
    if left > 0:
        s[at + 2 + 2 * i] = left
        return
    entries = s[at] - 1
    for j in range(i, entries):
        s[at + 1 + 2 * j] = s[at + 3 + 2 * j]
        s[at + 2 + 2 * j] = s[at + 4 + 2 * j]
    s[at] = entries


@jit
def take(s: Words, at: int, what: int, number: int) -> None:
    """`minus` with one entry: never below nothing, and what is used up is gone."""
    entries = s[at]
    for i in range(entries):
        if s[at + 1 + 2 * i] == what:
            take_at(s, at, i, number)
            return


@jit
def total(s: Words, at: int) -> int:
    """All together."""
    amount = 0
    for i in range(s[at]):
        amount += s[at + 2 + 2 * i]
    return amount


@jit
def copy_map(s: Words, at: int, to: int) -> None:
    """The same entries in another place."""
    for i in range(1 + 2 * s[at]):
        s[to + i] = s[at + i]


@jit
def put_all(s: Words, at: int, more: int) -> None:
    """`plus`: the entries of the map at `more` into the one at `at`."""
    for i in range(s[more]):
        put(s, at, s[more + 1 + 2 * i], s[more + 2 + 2 * i])


@jit
def take_all(s: Words, at: int, less: int) -> None:
    """`minus`: the entries of the map at `less` out of the one at `at`."""
    for i in range(s[less]):
        take(s, at, s[less + 1 + 2 * i], s[less + 2 + 2 * i])


@jit
def sort_map(s: Words, at: int) -> None:
    """Entries in the order of what they are: as everyone is told them."""
    for i in range(1, s[at]):
        what, number = s[at + 1 + 2 * i], s[at + 2 + 2 * i]
        j = i - 1
        while j >= 0 and s[at + 1 + 2 * j] > what:
            s[at + 3 + 2 * j] = s[at + 1 + 2 * j]
            s[at + 4 + 2 * j] = s[at + 2 + 2 * j]
            j -= 1
        s[at + 3 + 2 * j] = what
        s[at + 4 + 2 * j] = number
