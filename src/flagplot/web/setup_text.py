"""Changes to a set-up's text, made by the set-up page. The text is the truth; nothing else is kept.

The laws here:

1. A change touches the lines it is about and no others: comments, order and layout stay as their author left them.
2. Every change is proven before it is given back: the new text, read by tomllib, is the old one with that change and no
   other. Where the text is laid out in a way that cannot be changed so, it is refused and left alone.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any, NamedTuple

from flagplot.core.errors import PlayerError
from flagplot.scenarios import operations
from flagplot.scenarios.air import AIR_BASE_KEYS, PORT_KEYS, SIDE_KEYS
from flagplot.scenarios.document import Document
from flagplot.scenarios.forces import FORCE_KEYS
from flagplot.scenarios.loader import TOP_KEYS
from flagplot.scenarios.places import TOKEN, Path
from flagplot.web.setup_outline import MOST_ITEMS, MOST_NUMBER, PLACE

WIDTH = 110  # a list that is longer stands one item to a line
DEEPEST = 5

# Where a new key stands among the others of its table.
ORDER: tuple[str, ...] = (
    *TOP_KEYS,
    *("mover", "phases", "map", "margin", "places"),
    *("name", "nation", "partial_supply_or_oil"),
    *SIDE_KEYS,
    "hex",
    *AIR_BASE_KEYS,
    *("at", "patrol"),
    *FORCE_KEYS,
    *PORT_KEYS,
    *operations.HARBOUR_KEYS,
    *operations.ACTIVITY_KEYS,
)

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_MISSING: Any = object()


class Change(NamedTuple):
    """A value to be put at a place; None takes away what is there. A place past the end of a list adds to it."""

    path: Path
    value: Any


def changed(text: str, changes: Sequence[Change]) -> str:
    """The text with these changes, one after another."""
    for change in changes:
        text = _changed(text.replace("\r\n", "\n"), change)
    return text


def _changed(text: str, change: Change) -> str:
    tables = Document(text, PLACE).tables().values
    wanted = _applied(tables, change)
    written = Layout(text).written(change.path, wanted)
    try:
        now = tomllib.loads(written)
    except (ValueError, RecursionError):
        now = {}
    if _without_empty(now) != _without_empty(wanted):
        raise PlayerError(
            "the text is laid out in a way that cannot be changed from here without spoiling it; change it in the text"
        )
    return written


def _applied(tables: Mapping[str, Any], change: Change) -> dict[str, Any]:
    """The tables with the change made."""
    whole: Any = deepcopy(tables)
    at = whole
    for key, below in zip(change.path, change.path[1:], strict=False):
        empty: Any = [] if isinstance(below, int) else {}
        if isinstance(at, dict) and isinstance(key, str):
            at = at.setdefault(key, empty)
        elif isinstance(at, list) and isinstance(key, int):
            if key >= len(at):
                at.append(empty)
            at = at[min(key, len(at) - 1)]
        else:
            raise PlayerError("there is no such place in the text; look at it again")
    key = change.path[-1]
    if isinstance(at, dict) and isinstance(key, str):
        if change.value is None:
            at.pop(key, None)
        else:
            at[key] = change.value
    elif isinstance(at, list) and isinstance(key, int):
        at[key : key + 1] = [] if change.value is None else [change.value]
    else:
        raise PlayerError("there is no such place in the text; look at it again")
    return dict(whole)


def _without_empty(value: Any) -> Any:
    """A value without empty tables and lists: whether they are written makes no difference to a set-up."""
    if isinstance(value, dict):
        bare = {key: _without_empty(each) for key, each in value.items()}
        return {key: each for key, each in bare.items() if each != {} and each != []}
    if isinstance(value, list):
        return [_without_empty(each) for each in value]
    return value


def _at(tables: Any, path: Path) -> Any:
    """What stands at a place, or _MISSING."""
    for key in path:
        if isinstance(tables, list):
            tables = tables[key] if isinstance(key, int) and key < len(tables) else _MISSING
        else:
            tables = tables.get(key, _MISSING) if isinstance(tables, dict) else _MISSING
    return tables


# -- writing values ----------------------------------------------------------------------------------


def written_value(value: Any, indent: int = 0, depth: int = 0) -> str:
    """A value as TOML: on one line, or, if a list is too long for that, one item to a line."""
    if depth > DEEPEST:
        raise PlayerError("a set-up is not nested as deep as that")
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, int) and abs(value) <= MOST_NUMBER:
        return str(value)
    if isinstance(value, dict) and len(value) <= MOST_ITEMS:
        pairs = [f"{_key(key)} = {written_value(each, 0, depth + 1)}" for key, each in value.items()]
        return f"{{ {', '.join(pairs)} }}" if pairs else "{}"
    if isinstance(value, list) and len(value) <= MOST_ITEMS:
        items = [written_value(each, 0, depth + 1) for each in value]
        line = f"[{', '.join(items)}]"
        if depth or indent + len(line) <= WIDTH:
            return line
        return "[\n" + "".join(f"    {item},\n" for item in items) + "]"
    raise PlayerError("a set-up holds texts, whole numbers, true and false, lists and tables, and not too many of them")


def _quoted(text: str) -> str:
    if any(ord(sign) < 32 or ord(sign) == 127 or 0xD800 <= ord(sign) <= 0xDFFF for sign in text):
        raise PlayerError("a text in a set-up stands on one line and holds only characters that can be seen")
    return json.dumps(text, ensure_ascii=False)


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _quoted(key)


def _pair(key: str, value: Any) -> str:
    return f"{_key(key)} = {written_value(value, len(_key(key)) + 3)}"


# -- the layout of a text ------------------------------------------------------------------------------


class Pair(NamedTuple):
    """A key and its value at the level of a table: where the key begins, and from where to where the value goes."""

    start: int
    value: int
    end: int


class Block(NamedTuple):
    """A table with a header, from the comment above it to the next one's."""

    path: Path
    start: int
    header_end: int
    end: int


class _Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


class Layout:
    """Where the tables and keys of a valid text stand, by character."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.pairs: dict[Path, Pair] = {}
        self.blocks: list[Block] = []
        self._tokens = [
            _Token(str(match.lastgroup), match.group(), match.start(), match.end())
            for match in TOKEN.finditer(text)
            if match.lastgroup != "comment"
        ]
        self._next = 0
        self._read()

    def _read(self) -> None:
        headers: list[tuple[Path, int, int]] = [((), 0, 0)]
        counted: dict[Path, int] = {}
        while self._next < len(self._tokens):
            token = self._tokens[self._next]
            if token.kind == "newline":
                self._next += 1
            elif token.text == "[":
                path = self._header(counted)
                headers.append((path, self._with_comment(token.start), self._line_end(token.start)))
            else:
                self._pair(headers[-1][0])
        ends = [start for _, start, _ in headers[1:]] + [len(self.text)]
        self.blocks = [
            Block(path, start, header_end, end) for (path, start, header_end), end in zip(headers, ends, strict=True)
        ]

    def _line_tokens(self) -> list[_Token]:
        """The tokens up to the end of this statement; brackets may hold several lines."""
        depth, first = 0, self._next
        while self._next < len(self._tokens):
            token = self._tokens[self._next]
            if token.kind == "newline" and depth <= 0:
                break
            depth += (token.text in ("[", "{")) - (token.text in ("]", "}"))
            self._next += 1
        return [token for token in self._tokens[first : self._next] if token.kind != "newline"]

    def _header(self, counted: dict[Path, int]) -> Path:
        tokens = self._line_tokens()
        keys = [token.text.strip("\"'") for token in tokens if token.kind in ("bare", "string")]
        path: Path = ()
        for key in keys[:-1]:
            path = (*path, key)
            if path in counted:
                path = (*path, counted[path] - 1)
        path = (*path, keys[-1])
        if tokens[1].text == "[":
            counted[path] = counted.get(path, 0) + 1
            path = (*path, counted[path] - 1)
        return path

    def _pair(self, table: Path) -> None:
        tokens = self._line_tokens()
        equals = next((n for n, token in enumerate(tokens) if token.text == "="), None)
        if equals is None or equals + 1 >= len(tokens):
            self._next += not tokens
            return
        keys = [token.text.strip("\"'") for token in tokens[:equals] if token.kind in ("bare", "string")]
        self.pairs[(*table, *keys)] = Pair(tokens[0].start, tokens[equals + 1].start, tokens[-1].end)

    def _line_start(self, place: int) -> int:
        return self.text.rfind("\n", 0, place) + 1

    def _line_end(self, place: int) -> int:
        """Past the newline that ends the line of this place."""
        end = self.text.find("\n", place)
        return len(self.text) if end < 0 else end + 1

    def _with_comment(self, place: int) -> int:
        """Where the comment begins that stands directly above the line of this place."""
        start = self._line_start(place)
        while start and self.text[self._line_start(start - 1) : start].lstrip().startswith("#"):
            start = self._line_start(start - 1)
        return start

    # -- changes -----------------------------------------------------------------------------------

    def written(self, path: Path, wanted: Mapping[str, Any]) -> str:
        """The text with what `wanted` has at this place."""
        for length in range(len(path), 0, -1):
            pair = self.pairs.get(path[:length])
            if pair is not None:
                return self._rewrite(pair, path[:length], _at(wanted, path[:length]))
        value = _at(wanted, path)
        if any(block.path == path for block in self.blocks):
            return self._cut(path)
        if isinstance(path[-1], int):
            listed = [block.path for block in self.blocks if block.path[:-1] == path[:-1]]
            if value is not _MISSING and (listed or len(path) == 3) and isinstance(value, dict):
                return self._new_block(path[:-1], value, repeated=True)
        return self._new_pair(path, wanted)

    def _splice(self, start: int, end: int, new: str) -> str:
        return self.text[:start] + new + self.text[end:]

    def _rewrite(self, pair: Pair, path: Path, value: Any) -> str:
        if value is _MISSING or value in ([], {}):
            return self._splice(self._line_start(pair.start), self._line_end(pair.end), "")
        new = written_value(value, pair.value - pair.start)
        inside = self.text[pair.value : pair.end]
        comments = [match.group() for match in TOKEN.finditer(inside) if match.lastgroup == "comment"]
        above = "".join(f"{comment}\n" for comment in comments)
        return self._splice(pair.start, pair.end, above + self.text[pair.start : pair.value] + new)

    def _cut(self, path: Path) -> str:
        gone = [block for block in self.blocks if block.path[: len(path)] == path]
        return self._splice(gone[0].start, gone[-1].end, "")

    def _new_block(self, path: Path, values: Mapping[str, Any], *, repeated: bool) -> str:
        """A table with its header: after the last of its list, else after the last of its side."""
        name = ".".join(_key(str(key)) for key in path)
        header = f"[[{name}]]" if repeated else f"[{name}]"
        lines = [header, *(_pair(key, value) for key, value in values.items())]
        kin = [block for block in self.blocks if block.path[: len(path)] == path]
        kin = kin or [block for block in self.blocks if block.path[: len(path) - 1] == path[:-1]]
        if len(path) == 1:
            kin = self.blocks[:1]
        end = kin[-1].end if kin else len(self.text)
        before = self.text[:end].rstrip("\n")
        after = self.text[end:].lstrip("\n")
        return "\n\n".join(part for part in (before, "\n".join(lines), after) if part).rstrip("\n") + "\n"

    def _new_pair(self, path: Path, wanted: Mapping[str, Any]) -> str:
        """A key that is not there yet, in the nearest table that is."""
        near = max((block for block in self.blocks if path[: len(block.path)] == block.path), key=lambda b: len(b.path))
        key, whole = path[len(near.path)], _at(wanted, path[: len(near.path) + 1])
        if whole is _MISSING or whole in ([], {}):
            return self.text  # what is not there need not be taken away
        if not near.path and isinstance(whole, dict):
            return self._new_block((key,), whole, repeated=False)
        own = [found for found in self.pairs if found[:-1] == near.path]
        earlier = [found for found in own if _rank(str(found[-1])) <= _rank(str(key))]
        place = self._line_end(self.pairs[earlier[-1]].end) if earlier else near.header_end
        new = _pair(str(key), whole) + "\n"
        if place and self.text[place - 1] != "\n":
            new = "\n" + new
        return self._splice(place, place, new)


def _rank(key: str) -> int:
    return ORDER.index(key) if key in ORDER else len(ORDER)
