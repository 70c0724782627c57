"""What would do instead of JSON that does not fit a question: the words, or the parameters, that it takes there."""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec
from msgspec.inspect import (
    CollectionType,
    DictType,
    EnumType,
    LiteralType,
    StructType,
    TupleType,
    Type,
    UnionType,
    type_info,
)

WRONG_WORD, UNKNOWN = "Invalid enum value", "Object contains unknown field"


def instead(complaint: str, request: type[msgspec.Struct]) -> str:
    """The end of a refusal: what may stand where the complaint points to; "" where that would not help."""
    place = re.search(r" - at `\$(.*)`$", complaint)
    kinds = _at(request, place[1] if place else "")
    found: list[str] = []
    if complaint.startswith(WRONG_WORD):
        found = [word for kind in kinds for word in _words(kind)]
    elif complaint.startswith(UNKNOWN):
        found = [field.encode_name for kind in kinds if isinstance(kind, StructType) for field in kind.fields]
    return f"; there {'are' if len(found) > 1 else 'is'} {', '.join(found)}" if found else ""


def _words(kind: Type) -> list[str]:
    if isinstance(kind, EnumType):
        return [str(each.value) for each in kind.cls]
    return [str(each) for each in kind.values] if isinstance(kind, LiteralType) else []


def _at(request: type[msgspec.Struct], path: str) -> list[Type]:
    """What the JSON may be at a path such as ".hexes[0].kind"."""
    here = [type_info(request)]
    for name in re.findall(r"\.(\w+)|\[", path):
        here = [each for kind in here for inner in _inside(kind, name) for each in _kinds(inner)]
    return here


def _kinds(kind: Type) -> tuple[Type, ...]:
    return kind.types if isinstance(kind, UnionType) else (kind,)


def _inside(kind: Type, name: str) -> Iterable[Type]:
    """What a field of this name, or without one any item, is."""
    if isinstance(kind, StructType):
        return [field.type for field in kind.fields if field.encode_name == name]
    if isinstance(kind, DictType):
        return [kind.value_type]
    if isinstance(kind, TupleType):
        return kind.item_types
    return [kind.item_type] if isinstance(kind, CollectionType) else []
