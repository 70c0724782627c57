"""Where things stand in a TOML text: the line of every key, and how deep it is nested.

The law here: this is no second TOML parser. `tomllib` alone says what a text means and whether it is valid; this reads
the same text only as far as needed to name a line, and to refuse, before tomllib meets them, depth (it recurses) and mass.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

Path: TypeAlias = tuple[str | int, ...]  # keys, and places in lists counted from 0

TOKEN = re.compile(
    r"""
      (?P<comment> \#[^\n]* )
    | (?P<string>  \"\"\" (?s:\\.|[^\\])*? \"{3,5} | ''' (?s:.)*? '{3,5}
                 | "(?!\"\") (?:\\.|[^"\\\n])* " | '(?!'') [^'\n]* ' )
    | (?P<open>    \"\"\" | ''' )
    | (?P<newline> \n\s* )
    | (?P<mark>    [\[\]{}=,.] )
    | (?P<bare>    [^\s\#"'\[\]{}=,.]+ )
    | (?P<stray>   ["'] )
    """,
    re.VERBOSE,
)


class Token(NamedTuple):
    """A piece of the text, and the line it begins on."""

    kind: str
    text: str
    line: int


def tokens(text: str) -> Iterator[Token]:
    """The pieces of a text. Ends at a string that is never closed: nothing after it has a meaning."""
    line = 1
    for match in TOKEN.finditer(text):
        kind = str(match.lastgroup)
        if kind == "open":
            return
        if kind != "comment":
            yield Token(kind, match.group(), line)
        line += match.group().count("\n")


def first_excess(text: str, most_depth: int, most_pieces: int) -> tuple[int, str]:
    """The first line on which a text goes too deep, or on which it has too many pieces, and which; 0 if none.

    Brackets have depth, and so have the parts of one dotted key. Comments are no pieces.
    """
    depth = dots = 0
    for count, (kind, piece, line) in enumerate(tokens(text), start=1):
        if piece in ("[", "{"):
            depth += 1
        elif piece in ("]", "}"):
            depth = max(0, depth - 1)
        dots = dots + 1 if piece == "." else 0 if kind in ("mark", "newline") else dots
        if depth > most_depth or dots >= most_depth:
            return line, "depth"
        if count > most_pieces:
            return line, "pieces"
    return 0, ""


def lines(text: str) -> dict[Path, int]:
    """The line of every key, table and list item of a valid text."""
    return _Walk(text).lines


class _Walk:
    """One pass over the tokens of a valid text. Where it loses its way it stops, and later keys have no line."""

    def __init__(self, text: str) -> None:
        self.tokens = list(tokens(text))
        self.next = 0
        self.lines: dict[Path, int] = {}
        self.lists: dict[Path, int] = {}  # how many tables each list of tables has so far
        try:
            self._document()
        except IndexError:
            return

    def _document(self) -> None:
        table: Path = ()
        while self.next < len(self.tokens):
            token = self._peek()
            if token.text == "[":
                table = self._header()
            elif token.kind in ("bare", "string"):
                self._pair(table)
            else:
                self.next += 1

    def _peek(self) -> Token:
        return self.tokens[self.next]

    def _take(self) -> Token:
        self.next += 1
        return self.tokens[self.next - 1]

    def _header(self) -> Path:
        """[a.b] or [[a.b]]: the table that the keys below belong to."""
        line = self._take().line
        repeated = self._peek().text == "["
        self.next += repeated
        keys = self._key()
        self.next += 1 + repeated
        path: Path = ()
        for key in keys[:-1]:
            path = (*path, key)
            self.lines.setdefault(path, line)
            if path in self.lists:
                path = (*path, self.lists[path] - 1)
        path = (*path, keys[-1])
        self.lines.setdefault(path, line)
        if repeated:
            self.lists[path] = self.lists.get(path, 0) + 1
            path = (*path, self.lists[path] - 1)
        self.lines[path] = line
        return path

    def _key(self) -> list[str]:
        keys = [self._take().text.strip("\"'")]
        while self._peek().text == ".":
            self.next += 1
            keys.append(self._take().text.strip("\"'"))
        return keys

    def _pair(self, table: Path) -> None:
        line = self._peek().line
        path = table
        for key in self._key():
            path = (*path, key)
            self.lines.setdefault(path, line)
        self.next += 1  # =
        self._value(path)

    def _value(self, path: Path) -> None:
        opening = self._peek().text
        if opening == "[":
            self._items(path)
        elif opening == "{":
            self.next += 1
            while self._peek().text != "}":
                if self._peek().kind in ("bare", "string"):
                    self._pair(path)
                else:
                    self.next += 1
            self.next += 1
        else:
            while self._peek().kind != "newline" and self._peek().text not in (",", "]", "}"):
                self.next += 1

    def _items(self, path: Path) -> None:
        self.next += 1
        index = 0
        while self._peek().text != "]":
            if self._peek().kind == "newline" or self._peek().text == ",":
                self.next += 1
                continue
            self.lines[(*path, index)] = self._peek().line
            self._value((*path, index))
            index += 1
        self.next += 1
