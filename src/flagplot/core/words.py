"""Words that players write: capitals, hyphens and plurals do not matter."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum


def plain(text: str) -> str:
    """The letters and figures of a word, small."""
    return re.sub(r"[^a-z0-9]", "", text.lower())


class Word(StrEnum):
    """One of a few words, for which another spelling, the plural, or another name will do as well."""

    @classmethod
    def other_names(cls) -> Mapping[str, str]:
        """Other names, in plain letters, and the words they stand for."""
        return {}

    @classmethod
    def _missing_(cls, value: object) -> Word | None:
        written = plain(str(value))
        wanted = plain(cls.other_names().get(written, written))
        return next((each for each in cls if wanted in (plain(each), f"{plain(each)}s")), None)
