"""What the calculators of the strategic war are made of: fields in sections and rows, and how what is typed is read.

The law here: no rule. Whether a field matters is found out by asking the API with and without it, as far as a field can
matter only sometimes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from flagplot import api
from flagplot.core.errors import GameError, PlayerError

Typed = Mapping[str, str]
Values = tuple[tuple[str, str], ...]  # of a choice: what is sent, and its words


class Field(NamedTuple):
    """A question of the form."""

    name: str
    words: str
    rule: str = ""
    kind: str = "count"  # count, signed, tick, choose, pair, text
    most: int = 99
    values: Values = ()
    hint: str = ""
    wide: bool = False
    help: str = ""


class Section(NamedTuple):
    """Fields that stand together; a `fold` is closed until it is opened."""

    title: str
    fields: tuple[Field, ...]
    aside: str = ""
    fold: str = ""


class Rows(NamedTuple):
    """Things of which there may be several, each with the same fields, numbered from 1."""

    title: str
    one: str  # what one of them is called
    add: str
    fields: tuple[Field, ...]
    least: int
    most: int
    aside: str = ""
    after: int = 1  # the section they stand behind


class Calculator(NamedTuple):
    """A calculator: its page, its fields, what matters of them, and the question they make."""

    key: str
    tab: str
    title: str
    lead: str
    rule: str
    sections: tuple[Section, ...]
    rows: Rows | None
    start: Mapping[str, str]
    question: str
    matters: Callable[[Typed, int], frozenset[str]]
    asked: Callable[[Typed, int], dict[str, Any]]
    choices: Callable[[Typed], Mapping[str, Values]] = lambda typed: {}  # where a choice depends on another
    options: tuple[str, ...] = ()  # the rulings that can change an answer here

    def fields(self, rows: int) -> list[Field]:
        """Every field, those of rows with their number."""
        found = [field for section in self.sections for field in section.fields]
        if self.rows:
            found += [
                field._replace(name=f"{field.name}{number}")
                for number in range(1, rows + 1)
                for field in self.rows.fields
            ]
        return found


# -- reading ----------------------------------------------------------------------------------------


def count(typed: Typed, name: str, words: str, most: int = 99, least: int = 0) -> int:
    """A number of things; nothing typed is none."""
    text = typed.get(name, "") or "0"
    if not re.fullmatch(r"[0-9]{1,3}", text) or not least <= int(text) <= most:
        raise PlayerError(f"{words}: {text!r} will not do; give a whole number from {least} to {most}")
    return int(text)


def signed(typed: Typed, name: str, words: str) -> int | None:
    """A number with a sign, None if nothing is typed."""
    text = typed.get(name, "").replace("−", "-")
    if not text:
        return None
    if not re.fullmatch(r"[+-]?[0-9]{1,2}", text):
        raise PlayerError(f"{words}: {text!r} will not do; give a number from -99 to 99")
    return int(text)


def maybe(typed: Typed, name: str, words: str, most: int = 999) -> int | None:
    """A number, None if nothing is typed."""
    return count(typed, name, words, most) if typed.get(name) else None


def chosen(typed: Typed, field: Field) -> str:
    """One of the values of a field, the first unless another is said."""
    known = [value for value, _ in field.values]
    said = typed.get(field.name, known[0])
    if said not in known:
        raise PlayerError(f"{field.words}: there is no {said!r}; there are {', '.join(filter(None, known))}")
    return said


def dice_of(typed: Typed) -> list[int]:
    """Dice typed in a row, with or without anything between them."""
    text = typed.get("dice", "")
    wrong = re.search(r"[^1-6\s,;.+-]", text)
    if wrong:
        raise PlayerError(f"{wrong[0]!r} is not a die; each die is a number from 1 to 6, as in 4 3 5 2")
    return [int(pip) for pip in re.findall(r"[1-6]", text)]


def ask(question: str, asked: Mapping[str, Any]) -> Any:
    """The lines of a breakdown, or the words of a refusal."""
    try:
        return api.call(question, asked)
    except GameError as refused:
        return str(refused)


def either(names: Sequence[str]) -> str:
    """Names of which one is enough: a, b or c."""
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def dice_field(help: str) -> Field:
    """Where rolled dice are typed."""
    return Field("dice", "Dice, if you have rolled", kind="text", hint="none yet", wide=True, help=help)
