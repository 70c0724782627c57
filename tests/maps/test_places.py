"""The maps that come with the game are good for the operations they were made for."""

from __future__ import annotations

import pytest

from flagplot.model import maps
from flagplot.model.maps import Map, Place, Terrain
from flagplot.scenarios.maps import load_map, map_names

EUROPE, PACIFIC = load_map("europe"), load_map("pacific")
CORAL_SEA = (
    "Truk",
    "Rabaul",
    "Lae",
    "Port Moresby",
    "Cairns",
    "Townsville",
    "Guadalcanal",
    "Noumea",
    "Bougainville",
    "Manus",
)
MIDWAY = ("Tokyo", "Wake", "Midway", "Pearl Harbor")
RENDEZVOUS = ("Manila", "Okinawa", "Tokyo")
MALTA = (
    "Malta",
    "Gibraltar",
    "Alexandria",
    "Taranto",
    "Naples",
    "Palermo",
    "Syracuse",
    "Tripoli",
    "Tunis",
    "Suda Bay",
    "Toulon",
)
NORWEGIAN_SEA = (
    "Scapa Flow",
    "Bergen",
    "Trondheim",
    "Narvik",
    "Kiel",
    "Wilhelmshaven",
    "Oslo",
    "Reykjavik",
    "Rosyth",
    "Brest",
)


def place(chart: Map, name: str) -> Place:
    return chart.names[name.casefold()]


@pytest.mark.parametrize(
    ("chart", "names"),
    [(PACIFIC, CORAL_SEA), (PACIFIC, MIDWAY), (PACIFIC, RENDEZVOUS), (EUROPE, MALTA), (EUROPE, NORWEGIAN_SEA)],
)
def test_every_place_of_an_operation_is_on_the_map_and_reached_by_sea_from_the_others(
    chart: Map, names: tuple[str, ...]
) -> None:
    first, *others = [place(chart, name).hex for name in names]
    assert all(maps.sea_path(chart, first, other) for other in others)


@pytest.mark.parametrize("name", map_names())
def test_every_port_lies_on_water_and_is_reached_from_every_other(name: str) -> None:
    chart = load_map(name)
    ports = [place.hex for place in chart.places if place.is_port]
    assert all(maps.terrain(chart, port) is Terrain.COAST for port in ports)
    reached = maps.sea_reach(chart, ports[0], 999)
    assert [port for port in ports if port not in reached] == []


@pytest.mark.parametrize("name", map_names())
def test_no_two_ports_share_a_hex_and_islands_have_water_around_them(name: str) -> None:
    chart = load_map(name)
    ports = [place.hex for place in chart.places if place.is_port]
    assert len(set(ports)) == len(ports)
    for each in chart.places:
        if each.island:
            assert maps.terrain(chart, each.hex) is Terrain.COAST, each
            beside = [maps.terrain(chart, other) for other in maps.neighbours(chart, each.hex)]
            assert Terrain.LAND not in beside, each


# Straight distances that public sources give for the board (shared notes, "Map"), and the address in the rules.
@pytest.mark.parametrize(
    ("one", "two", "hexes"),
    [
        ("Truk", "Rabaul", 6),
        ("Noumea", "Guadalcanal", 6),
        ("Noumea", "Port Moresby", 10),
        ("Townsville", "Port Moresby", 5),
        ("Truk", "Guadalcanal", 8),
        ("Midway", "Pearl Harbor", 8),
        ("Tokyo", "Midway", 17),
    ],
)
def test_distances_in_the_pacific_are_those_of_the_board(one: str, two: str, hexes: int) -> None:
    assert maps.distance(place(PACIFIC, one).hex, place(PACIFIC, two).hex) == hexes


def test_singapore_has_the_address_the_rules_give_it() -> None:
    assert place(PACIFIC, "Singapore").hex == "EE11"


def test_the_invasion_of_port_moresby_sails_around_new_guinea() -> None:
    path = maps.sea_path(PACIFIC, place(PACIFIC, "Rabaul").hex, place(PACIFIC, "Port Moresby").hex)
    assert path and maps.length(path) > maps.distance(path[0], path[-1])


def test_hexes_in_europe_are_smaller_than_in_the_pacific() -> None:
    # Both are about 2,000 km: Gibraltar to Malta, and Midway to Pearl Harbor.
    assert maps.distance(place(EUROPE, "Gibraltar").hex, place(EUROPE, "Malta").hex) >= 2 * maps.distance(
        place(PACIFIC, "Midway").hex, place(PACIFIC, "Pearl Harbor").hex
    )


def test_the_norwegian_north_sea_coast_is_coast_from_bergen_to_kristiansand() -> None:
    (coast,) = [region for region in EUROPE.regions if region.name == "Norwegian North Sea coast"]
    assert {place(EUROPE, name).hex for name in ("Bergen", "Stavanger", "Kristiansand")} <= set(coast.hexes)
    assert all(maps.terrain(EUROPE, each) is Terrain.COAST for each in coast.hexes)


@pytest.mark.parametrize("name", map_names())
def test_water_that_ships_cannot_reach_is_entered_from_a_box(name: str) -> None:
    chart = load_map(name)
    reached = set(maps.sea_reach(chart, next(place.hex for place in chart.places if place.is_port), 999))
    entries = {entry for box in chart.boxes for entry in box.entries}
    for address in chart.index:
        if maps.terrain(chart, address) is not Terrain.LAND and address not in reached:
            assert entries & set(maps.sea_reach(chart, address, 999)), address
