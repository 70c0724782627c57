"""A question asked with what it does not know says what it does."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from flagplot import api
from flagplot.api.refusals import instead
from flagplot.core.errors import PlayerError

CITY = {"name": "Berlin", "country": "Germany"}


@pytest.mark.parametrize(
    ("question", "asked", "told"),
    [
        ("may_be_bombed", {"target": {**CITY, "kind": "village"}}, "there are city, box, shipyard"),
        ("may_be_bombed", {"target": CITY, "by": "kites"}, "there are bombers, flying bombs, rockets"),
        ("damage_marker_shares", {"damage": 1, "shares": [], "facilities": [{"kind": "mine"}]}, "oil center"),
        ("industrial_damage", {"damage": 1, "facility": {"kind": "mine"}}, "synthetic oil plant"),
        ("bombing_modifier", {"distance": 1, "theater": "Europe"}, "there are distance, theatre, air_range"),
        ("bombing_odds", {"nation": "Japan", "distance": 1, "meetings": [{"zeros": 1}]}, "interceptors, aaf, jets"),
    ],
)
def test_what_would_do_is_named(question: str, asked: dict[str, Any], told: str) -> None:
    with pytest.raises(PlayerError, match=told):
        api.call(question, asked)


@pytest.mark.parametrize("asked", [{}, {"distance": "far"}])
def test_what_is_lacking_or_of_another_kind_is_said_and_where_to_look(asked: dict[str, Any]) -> None:
    with pytest.raises(PlayerError, match="distance`; flagplot call bombing_modifier --describe says what it takes$"):
        api.call("bombing_modifier", asked)


class Inner(msgspec.Struct, forbid_unknown_fields=True):
    one: int = 0


class Outer(msgspec.Struct, forbid_unknown_fields=True):
    by_name: dict[str, Inner] = {}
    pair: tuple[int, Inner] = (0, Inner())


@pytest.mark.parametrize("asked", [{"by_name": {"a": {"two": 2}}}, {"pair": [1, {"two": 2}]}])
def test_the_place_of_the_mistake_is_found_in_objects_and_lists(asked: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.convert(asked, Outer)
    assert instead(str(caught.value), Outer) == "; there is one"
