"""The admiral's carriers attack a base where there is something to be had and fewer fighters than they are."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.bots.admiral import AdmiralBot
from flagplot.doctrine import operations as doctrine
from tests.rules.operation_table import ALLIES, OperationTable, air_base, force, port, setup

WATCH = force("Watch", "Scapa", ["Victorious", "Formidable"], destroyers=6, at="n6", patrol="offensive")
GUNS = force("Guns", "Scapa", ["Hood"], destroyers=6, at="n6", patrol="offensive")
MOORED = [port("Taranto", "s8"), force("Moored", "Taranto", ["Bismarck"], destroyers=3)]


def wish(axis: list[dict[str, Any]], hidden: bool = False) -> Any:
    order = "hidden" if hidden else "open"
    given = setup(axis, [port("Scapa", "s0"), WATCH, GUNS], ("combat",), mover="allies", order_of_battle=order)
    played = OperationTable(given)
    decision = played.to("carrier raid", ALLIES)
    return AdmiralBot().choose(played.game.picture(ALLIES), decision)


@pytest.mark.parametrize("hidden", [False, True])
def test_ships_in_port_are_attacked_and_those_without_carriers_are_left_out(hidden: bool) -> None:
    assert wish(MOORED, hidden) == {"Watch": "Taranto"}


def test_where_fighters_are_as_many_as_they_they_stay_away() -> None:
    assert not wish([*MOORED, air_base("Taranto", "s8", Germany_NAS=4)])
    assert wish([*MOORED, air_base("Taranto", "s8", Germany_NAS=3)]) == {"Watch": "Taranto"}


def test_of_two_bases_the_richer_is_chosen() -> None:
    assert wish([*MOORED, port("Bari", "s7"), force("Few", "Bari", destroyers=1)]) == {"Watch": "Taranto"}


def test_the_worth_of_a_raid() -> None:
    assert [doctrine.raid_worth(4, defenders, 10) for defenders in (0, 3, 4)] == [10, 13, 0]
