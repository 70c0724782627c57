"""A set-up as it was written: its text, its tables, and what is said when something in it will not do.

The laws of reading a set-up:

1. Whatever comes in, only ScenarioError comes out.
2. Every complaint names the file, the line where it can be found, the key path (places in lists counted from 1), the
   rule that is broken if there is one, and what would do instead.
3. Nothing is guessed and nothing is ignored: a key nobody reads is a mistake, never a comment.
4. Size and depth are measured before the text is parsed.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterable
from typing import Any, NoReturn

from flagplot.core.errors import ScenarioError
from flagplot.scenarios.places import Path, first_excess, lines
from flagplot.scenarios.ships import suggestions

MOST_BYTES = 256 * 1024
MOST_DEPTH = 20
MOST_PIECES = 20_000  # names, values and signs; a battle with everything in it has under a thousand
LONGEST_NAME = 80
LONGEST_TEXT = 1_000

_MISSING: Any = object()
_TOML_LINE = re.compile(r" \(at line (\d+), column \d+\)$")


def path_text(path: Path) -> str:
    """A key path as it is shown: axis.force[2].ships[1]."""
    text = ""
    for key in path:
        text += f"[{key + 1}]" if isinstance(key, int) else f".{key}" if text else key
    return text


def shown(value: object) -> str:
    """A value as a complaint quotes it, never long."""
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) and abs(value) > 10**12:
        return "that number"
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= LONGEST_NAME else text[: LONGEST_NAME - 3] + "..."


class Document:
    """The text of one set-up and where it came from."""

    def __init__(self, text: str | bytes, place: str) -> None:
        self.place = place
        self.text = self._decoded(text)
        self._lines: dict[Path, int] | None = None

    def _decoded(self, text: str | bytes) -> str:
        """The text, if it is short enough and is text at all."""
        try:
            raw = text.encode() if isinstance(text, str) else text
            if len(raw) > MOST_BYTES:
                reason = f"the set-up is longer than {MOST_BYTES // 1024} KiB; no battle needs that much"
                raise ScenarioError(self.place, "", reason)
            whole = raw.decode().removeprefix("\ufeff").replace("\r\n", "\n")
        except UnicodeError as mistake:
            raise ScenarioError(self.place, "", "this is not UTF-8 text; save it as UTF-8") from mistake
        if "\0" in whole:
            line = whole[: whole.index("\0")].count("\n") + 1
            self._refuse_line(line, "there is a NUL character here; a set-up is plain text")
        return whole

    def tables(self) -> Part:
        """The whole document, parsed."""
        line, excess = first_excess(self.text, MOST_DEPTH, MOST_PIECES)
        if excess == "depth":
            self._refuse_line(line, f"this is nested more than {MOST_DEPTH} deep; a set-up needs four levels")
        if excess:
            self._refuse_line(line, f"there are more than {MOST_PIECES} names, values and signs; a set-up needs fewer")
        try:
            return Part(self, (), tomllib.loads(self.text))
        except (ValueError, RecursionError) as mistake:
            found = _TOML_LINE.search(str(mistake))
            reason = f"this is not valid TOML: {_TOML_LINE.sub('', str(mistake))}"
            if found:
                self._refuse_line(int(found.group(1)), reason)
            raise ScenarioError(self.place, "", reason) from mistake

    def _refuse_line(self, line: int, reason: str) -> NoReturn:
        raise ScenarioError(f"{self.place}, line {line}", "", reason)

    def where(self, path: Path) -> str:
        """File, line and key path. A key that is missing has the line of the table it is missing from."""
        if self._lines is None:
            self._lines = lines(self.text)
        parts = [self.place]
        for length in range(len(path), 0, -1):
            if path[:length] in self._lines:
                parts.append(f"line {self._lines[path[:length]]}")
                break
        if path:
            parts.append(path_text(path))
        return ", ".join(parts)


class Part:
    """One table of a document. Each key is read with the shape its value must have."""

    def __init__(self, document: Document, path: Path, values: dict[str, Any]) -> None:
        self.document = document
        self.path = path
        self.values = values

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def refuse(self, key: str | Path, rule: str, reason: str) -> NoReturn:
        """Stop at a key of this table, or at the table itself for ""."""
        below: Path = key if isinstance(key, tuple) else (key,) if key else ()
        raise ScenarioError(self.document.where((*self.path, *below)), rule, reason)

    def only(self, *known: str) -> None:
        """Refuse every key but these."""
        for key in self.values:
            if key not in known:
                near = suggestions(key, known) or f"here may stand {', '.join(known)}"
                self.refuse(key, "", f"there is no such key; {near}")

    # -- values --------------------------------------------------------------------------------

    def _value(self, key: str, default: Any) -> Any:
        if key in self.values:
            return self.values[key]
        if default is _MISSING:
            self.refuse(key, "", f"{key} is missing; write {key} = ...")
        return default

    def text(self, key: str, default: str = _MISSING, longest: int = LONGEST_NAME) -> str:
        """A text on one line, without characters that cannot be seen."""
        return self.checked_text((key,), self._value(key, default), longest)

    def checked_text(self, key: Path, value: object, longest: int = LONGEST_NAME) -> str:
        """A value as a text."""
        if not isinstance(value, str):
            self.refuse(key, "", f"this must be a text in quotes, not {shown(value)}")
        text = " ".join(value.split())
        if len(text) > longest:
            self.refuse(key, "", f"this text is too long; at most {longest} characters will do")
        if not text.isprintable():
            self.refuse(key, "", "this text holds characters that cannot be printed")
        return text

    def name(self, key: str, default: str = _MISSING) -> str:
        """A text that is not empty."""
        text = self.text(key, default)
        if not text:
            self.refuse(key, "", "a name may not be empty")
        return text

    def number(self, key: str, least: int, most: int, default: int = _MISSING, rule: str = "") -> int:
        """A whole number from `least` to `most`."""
        value = self._value(key, default)
        if type(value) is not int:
            self.refuse(key, rule, f"this must be a whole number from {least} to {most}, not {shown(value)}")
        if not least <= value <= most:
            self.refuse(key, rule, f"{shown(value)} will not do here; it must be from {least} to {most}")
        return value

    def flag(self, key: str, default: bool = False) -> bool:
        """True or false."""
        value = self._value(key, default)
        if not isinstance(value, bool):
            self.refuse(key, "", f"this must be true or false, not {shown(value)}")
        return value

    def one_of(self, key: str, choices: Collection[str], default: str = _MISSING, rule: str = "") -> str:
        """One of a few words."""
        return self.checked_choice((key,), self._value(key, default), choices, rule)

    def checked_choice(self, key: Path, value: object, choices: Collection[str], rule: str = "") -> str:
        """A value as one of a few words."""
        if not isinstance(value, str) or value not in choices:
            near = suggestions(value, choices) if isinstance(value, str) else ""
            self.refuse(key, rule, f"{shown(value)} will not do here; {near or 'it must be ' + _or(choices)}")
        return value

    # -- tables and lists --------------------------------------------------------------------------

    def part(self, key: str) -> Part:
        """A table below this one; an empty one if it is not there."""
        return self.checked_part((key,), self._value(key, {}))

    def checked_part(self, key: Path, value: object) -> Part:
        """A value as a table."""
        if not isinstance(value, dict):
            self.refuse(key, "", f"this must be a table, not {shown(value)}")
        return Part(self.document, (*self.path, *key), value)

    def items(self, key: str, most: int = 99) -> list[tuple[Path, Any]]:
        """A list, each item with its place."""
        value = self._value(key, [])
        if not isinstance(value, list):
            self.refuse(key, "", f"this must be a list, not {shown(value)}")
        if len(value) > most:
            self.refuse(key, "", f"there are {len(value)} of these; at most {most} will do")
        return [((key, index), item) for index, item in enumerate(value)]

    def parts(self, key: str, most: int = 99) -> list[Part]:
        """A list of tables."""
        return [self.checked_part(place, item) for place, item in self.items(key, most)]


def _or(words: Iterable[str]) -> str:
    *others, last = map(shown, words)
    return f"{', '.join(others)} or {last}" if others else last
