"""A list that only grows, and whose older part can be put away in little room.

A live game on a server would otherwise hold every event and every answer as objects for as long as it is played; they
are looked at rarely (a page's log, an undo, the end). Nothing is packed until `pack` is called, so that bots and
replays, which have no use for it, do not pay.
"""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar, overload

T = TypeVar("T")

FEW = 16  # so many are not worth packing
FASTEST = 1  # of zlib's levels


class Packed(Sequence[T]):
    """A sequence to append to. Slices of it are plain lists."""

    __slots__ = ("_away", "_chunks", "_open")

    def __init__(self, items: Iterable[T] = ()) -> None:
        self._chunks: list[bytes] = []
        self._away = 0  # how many are packed
        self._open = list(items)

    def append(self, item: T) -> None:
        """Add one at the end."""
        self._open.append(item)

    def pack(self) -> None:
        """Put away what is open, unless it is little."""
        if len(self._open) > FEW:
            self._chunks.append(zlib.compress(pickle.dumps(self._open), FASTEST))
            self._away += len(self._open)
            self._open = []

    def __len__(self) -> int:
        return self._away + len(self._open)

    def __iter__(self) -> Iterator[T]:
        for chunk in self._chunks:
            yield from pickle.loads(zlib.decompress(chunk))
        yield from self._open

    @overload
    def __getitem__(self, index: int) -> T: ...

    @overload
    def __getitem__(self, index: slice) -> list[T]: ...

    def __getitem__(self, index: int | slice) -> T | list[T]:
        if isinstance(index, slice):
            start, stop, step = index.indices(len(self))
            if start >= self._away and step == 1:
                return self._open[start - self._away : max(stop - self._away, 0)]
            return list(self)[index]
        wanted = index + len(self) if index < 0 else index
        if wanted >= self._away:
            return self._open[wanted - self._away]
        if wanted < 0:
            raise IndexError(index)
        return next(islice(self, wanted, None))

    def __repr__(self) -> str:
        return f"Packed({list(self)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Packed | list) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]
