"""Warplanner files: everything in one is placed or told, nothing is guessed, and a hostile one is refused in words."""

from __future__ import annotations

import os
import string
import time
import tomllib
from pathlib import Path
from random import Random

import pytest

from flagplot.core.errors import ScenarioError
from flagplot.scenarios import warplanner
from flagplot.scenarios.loader import parse_scenario
from flagplot.scenarios.ships import all_ships
from flagplot.scenarios.warplanner import MOST_BYTES, Contents, Place, as_told, force_of, read_file, ships_called
from tests.cli.conftest import Run, run
from tests.scenarios.warplanner_files import SMALL

__all__ = ["run"]
SCALE = int(os.environ.get("SCALE", "1"))


def refusal(text: str | bytes) -> ScenarioError:
    with pytest.raises(ScenarioError) as caught:
        read_file(text, "game.xml")
    return caught.value


def by_key(contents: Contents) -> dict[str, Place]:
    return {f"{place.side} {place.key}": place for place in contents.places}


# -- what is in a file --------------------------------------------------------------------------------


def test_units_are_found_where_they_are_with_their_ships_by_name() -> None:
    contents = read_file(SMALL, "game.xml")
    assert contents[:4] == ("A war of our own", "1941", "Spring", "3.1371")
    assert contents.countries["Germany"] == "axis" and contents.countries["Sweden"] == ""
    places = by_key(contents)
    assert list(places) == ["axis box 1/2", "axis hex 0/B20", "allies box 2/1", "allies hex 0/E24", "axis hex 1/K8", "axis hex 7/K8"]  # fmt: skip
    box = places["axis box 1/2"]
    assert box.ships == (("Bismarck", "Germany", "Bismarck"),)
    assert (box.light, box.factors, box.board) == ({"Germany": {"cruisers": 2, "destroyers": 2}}, 10, "")
    assert places["axis hex 0/B20"][5:] == ({}, {"Germany": 3}, {"Germany AAF": 2})
    fleet = places["allies hex 0/E24"]
    names = [name for name, _, _ in fleet.ships]
    assert names == ["Duke of York", "King George V", "Queen Elizabeth", "Royal Sovereign", "Ark Royal"]
    assert fleet.light == {
        "Britain": {"cruisers": 9, "destroyers": 8, "escort_carriers": 1, "transports": 2},
        "Greece": {"destroyers": 1},
    }
    assert (fleet.board, fleet.where) == ("Europe", "hex E24, Europe")
    assert (places["axis hex 1/K8"].board, places["axis hex 7/K8"].board) == ("Pacific", "")


def test_whatever_is_not_placed_is_told_with_its_line_and_reason() -> None:
    contents = read_file(SMALL, "game.xml")
    why = {(each.line, each.what): each.why for each in contents.unplaced}
    expected = {
        "bomber 1": "strategic warfare",
        "cruiser 3": "no whole number of ships",
        "battleship Hood 3": "in the file already, at line 22",
        "battleship Ajax 3": "no such ship is in our list",
        "battleship R 3": "she may be ",
        "battleship Repulse 9": "has 3 factors in our list, not 9",
        "destroyer many": "its size is 'many'",
        "asw 2": "excess_asw (22.9415)",
        "interceptor 2": "strategic warfare",
        "destroyer 1": "Peru is not a nation of the Naval Nationality Chart",
    }
    for what, words in expected.items():
        assert any(found == what and words in reason for (_, found), reason in why.items()), what
    lost = [reason for (_, what), reason in why.items() if what == "cruiser 2"]
    for words in ("place '4'", "says in no way we know", "in which hex", "in which box", "Sweden is neutral"):
        assert any(words in reason for reason in lost), words
    assert len(contents.unplaced) == len(expected) + len(lost)
    assert contents.elsewhere == {"in a shipyard": 1, "in a force pool": 1}
    assert contents.ignored == {"infantry": 1}
    assert all("Nobody" not in str(each) for each in (contents.unplaced, contents.places))


def test_every_counter_is_placed_told_or_counted_whatever_it_says() -> None:
    """No counter is dropped without a word: what comes out counts as many as went in."""
    random = Random(4)
    kinds = ["battleship", "carrier", "cruiser", "destroyer", "sub", "nas", "bomber", "infantry", "airbase", "", "asw"]
    for _ in range(60):
        units = [
            {
                "t": random.choice(kinds),
                "s": random.choice(["1", "2", "3", "4", "", "0", "x", "-1", "999"]),
                "n": random.choice(["Hood", "Bismarck", "R", "", "Ark Royal", "🚢"]),
                "l": random.choice(["1", "2", "3", "5", "9", ""]),
                "h": random.choice(["0/E24~1", "0/E24", "", "E24", "1/"]),
                "tfx": random.choice(["", "1"]),
            }
            for _ in range(random.randrange(30))
        ]
        rows = "".join("<u " + " ".join(f'{key}="{value}"' for key, value in unit.items()) + "/>" for unit in units)
        text = f'<game><countries><c name="Britain" coalition="allies"><units>{rows}</units></c></countries></game>'
        told = read_file(text, "f")
        placed = sum(len(place.ships) for place in told.places)
        markers = sum(unit["t"] == "airbase" for unit in units)
        counted = len(told.unplaced) + sum(told.elsewhere.values()) + sum(told.ignored.values()) + markers + placed
        rest = sum(unit["t"] in ("cruiser", "destroyer", "sub", "nas") for unit in units)
        assert counted <= len(units) <= counted + rest


@pytest.mark.parametrize(
    ("written", "nation", "size", "name"),
    [
        ("Dk of York", "Britain", 4, "Duke of York"),
        ("Kg George", "Britain", 4, "King George V"),
        ("Pr of Wales", "Britain", 4, "Prince of Wales"),
        ("Qu Elizabeth", "Britain", 3, "Queen Elizabeth"),
        ("R Sovereign", "Britain", 3, "Royal Sovereign"),
        ("HOOD", "Britain", 0, "Hood"),
    ],
)
def test_a_shortened_name_is_its_ships_and_no_others(written: str, nation: str, size: int, name: str) -> None:
    assert [ship.name for ship in ships_called(written, nation, size, carrier=False)] == [name]


def test_every_whole_name_is_found_and_no_name_finds_none() -> None:
    for ship in all_ships().values():
        assert ships_called(ship.name, ship.nation, ship.size, carrier=ship.is_carrier) == [ship]
    assert ships_called("", "Britain", 0, carrier=False) == []
    assert ships_called("of Wales", "Britain", 0, carrier=False) == []


def test_what_is_told_can_be_sent_and_is_one_force_for_each_place() -> None:
    contents = read_file(SMALL.encode(), "game.xml")
    told = as_told(contents)
    assert [place["nation"] for place in told["places"]][:4] == ["Germany", "Germany", "Britain", "Britain"]
    assert "not known from such a file" in told["unknown"]
    force = force_of(by_key(contents)["allies hex 0/E24"], "The fleet", "Britain")
    assert force["also"] == [{"nation": "Greece", "destroyers": 1}] and force["cruisers"] == 9
    assert force_of(by_key(contents)["axis hex 0/B20"], "Boats", "Germany") == {}


# -- hostile files ---------------------------------------------------------------------------------------

BOMB = '<?xml version="1.0"?><!DOCTYPE game [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><game title="&b;"/>'
OUTSIDE = '<!DOCTYPE game SYSTEM "file:///etc/passwd"><game/>'


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("", "game.xml, line 1", "no element found"),
        ("format = 1", "game.xml, line 1", "not XML as Warplanner writes it"),
        (BOMB, "game.xml, line 1", "DOCTYPE"),
        (OUTSIDE, "game.xml, line 1", "DOCTYPE"),
        ("<html><game/></html>", "game.xml, line 1", "begins with <html>"),
        ("<game>\n<countries>\n</game>", "game.xml, line 3", "mismatched tag"),
        ('<game>\n<c name="x" name="y"/></game>', "game.xml, line 2", "duplicate attribute"),
        ("<game>&nothing;</game>", "game.xml, line 1", "undefined entity"),
        ("<game>" + "<a>" * 41 + "</a>" * 41 + "</game>", "game.xml, line 1", "more than 40 deep"),
        ("<game>" + "<u/>" * 60_000 + "</game>", "game.xml, line 1", "more than 50000 elements"),
        ("<game>" + " " * MOST_BYTES + "</game>", "game.xml", "longer than 1024 KiB"),
        ("<game>" + "".join(f"<c name='{n}'/>" for n in range(301)) + "</game>", "game.xml, line 1", "more than 300 countries"),
        (b"<game title='\xff'/>", "game.xml", "not UTF-8"),
        ("<game title='\ud800'/>", "game.xml", "not UTF-8"),
        ("<game>\0</game>", "game.xml, line 1", "not well-formed"),
        (b'<?xml version="1.0" encoding="utf-16"?><game/>'.decode("utf-8").encode("utf-16"), "game.xml", "not UTF-8"),
        ('<game><c name="Britain" coalition="axis">' + "".join(f'<u t="sub" s="1" l="2" h="0/{n}"/>' for n in range(402)) + "</c></game>", "game.xml, line 1", "more than 400 places"),
    ],
)  # fmt: skip
def test_a_hostile_file_is_refused_with_what_and_where(text: str | bytes, place: str, words: str) -> None:
    began = time.process_time()
    found = refusal(text)
    assert (found.place, words in found.reason) == (place, True), found
    assert time.process_time() - began < 2


def test_texts_of_a_file_are_never_long_and_always_printable() -> None:
    text = SMALL.replace("A war of our own", "x" * 500 + "&#x202E;&#10;").replace('name="Peru"', f'name="{"P" * 300}"')
    contents = read_file(text, "game.xml")
    assert len(contents.title) == 80
    assert all(len(each.country) <= 80 and each.what.isprintable() for each in contents.unplaced)


def test_the_longest_files_are_read_or_refused_soon() -> None:
    names = "".join(f'<u t="battleship" n="R{n} of y {n}" s="3" l="2" h="0/{n % 390}"/>' for n in range(6_000))
    many = f'<game><c name="Britain" coalition="allies">{names}</c></game>'
    began = time.process_time()
    assert len(read_file(many, "f").unplaced) == 6_000
    assert "more than 6000 counters" in refusal(many.replace("</c>", "<u/></c>")).reason
    long = f'<game><c name="Britain" coalition="allies"><u t="battleship" n="{"R " * 500_000}" s="3" l="2" h="0/1"/></c></game>'
    assert len(read_file(long, "f").unplaced) == 1
    assert time.process_time() - began < 10  # a limit against hanging: each takes a fifth of a second


def mutated(text: str, random: Random) -> str | bytes:
    """A file with something done to it: signs, attributes, tags, pieces doubled, cut or moved, raw bytes."""
    raw = text
    for _ in range(random.choice((1, 1, 2, 5, 20))):
        at, to = sorted((random.randrange(len(raw) + 1), random.randrange(len(raw) + 1)))
        piece = raw[at : min(to, at + random.choice((1, 3, 40, 400)))]
        way = random.randrange(7)
        if way == 0:
            raw = raw[:at] + random.choice(string.printable + "\0\ud800é🚢\u202e") + raw[at + 1 :]
        elif way == 1:
            raw = raw[:at] + raw[at + len(piece) :]
        elif way == 2:
            raw = raw[:at] + piece * random.choice((2, 5)) + raw[at:]
        elif way == 3:
            raw = raw[:at] + random.choice(("<c>", "</c>", "<u/>", "<u l='2' t='sub' s='9'/>", "<!--", "]]>", "<![CDATA[", "&amp;", "&x;", "<?x?>", "<!DOCTYPE game>")) + raw[at:]  # fmt: skip
        elif way == 4:
            raw = raw.replace(random.choice(('s="4"', 'l="2"', 'l="5"', 't="cruiser"', 'coalition="axis"', "Hood", "0/E24")), random.choice(('s="-4"', 's="99999999999"', 'l=""', 't=""', 'coalition="?"', "", "/", "~", "²")))  # fmt: skip
        elif way == 5:
            raw = raw[:at]
        else:
            raw = raw[:at] + raw[at:to][::-1] + raw[to:]
        raw = raw[: 4 * len(text)] or " "
    if random.random() < 0.1:
        data = bytearray(raw.encode("utf-8", "surrogatepass"))
        for _ in range(3):
            data[random.randrange(len(data))] = random.randrange(256)
        return bytes(data)
    return raw


def campaign(seeds: range) -> None:
    read = 0
    for seed in seeds:
        text = mutated(SMALL, Random(seed))
        began = time.process_time()
        try:
            as_told(read_file(text, "game.xml"))
            read += 1
        except ScenarioError as refused:
            assert refused.reason and refused.place.startswith("game.xml"), seed
        assert time.process_time() - began < 1, (
            seed
        )  # the promise is a tenth of a second; a busy machine has a wide margin
    assert 0 < read < len(seeds)  # some are still read, some are not: the mutations reach both


def test_mutated_files_are_read_or_refused_in_words() -> None:
    campaign(range(8_000))


@pytest.mark.long
@pytest.mark.parametrize("batch", range(4))
def test_many_mutated_files_are_read_or_refused_in_words(batch: int) -> None:
    campaign(range(10_000 + batch * 100_000 * SCALE, 10_000 + (batch + 1) * 100_000 * SCALE))


# -- in the terminal -------------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "game.xml"
    path.write_text(SMALL)
    return str(path)


def test_the_terminal_lists_what_is_in_a_file(run: Run, file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flagplot.cli.warplanner.wants_json", lambda asked: asked)
    told = run("warplanner", file).output
    for words in (
        "A war of our own",
        "box 1/2",
        "hex 0/E24",
        "Not placed:",
        "line 38",
        "is not known from such a file",
    ):
        assert words in " ".join(told.split()), words
    empty = Path(file).with_name("empty.xml")
    empty.write_text("<game/>")
    assert "No ships, submarines or aircraft" in run("warplanner", str(empty)).output
    assert '"unplaced"' in run("warplanner", file, "--json").output


def test_the_terminal_writes_a_set_up_of_the_forces_that_meet(run: Run, file: str) -> None:
    words = [
        "warplanner",
        file,
        "--axis",
        "box 1/2",
        "--axis",
        "hex 0/B20",
        "--allies",
        "box 2/1",
        "--interceptor",
        "allies",
    ]
    printed = run(*words)
    assert printed.exit_code == 0, printed.output
    scenario = parse_scenario(printed.output, "battle.toml")
    assert [force.name for side in scenario.setup.sides.values() for force in side.forces] == [
        "Task force box 2, display 1",
        "Task force box 1, display 2",
    ]
    assert "add an [[axis.air_base]] with its distance" in printed.output  # the file does not say how far it is
    assert tomllib.loads(printed.output)["axis"]["submarines"] == {"Germany": 3}
    assert "is written" in run(*words, "--write", "battle.toml").output
    assert "could not be written" in run(*words, "--write", "battle.toml").output  # nothing is overwritten


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--axis", "box 1/2"], "a battle has two sides"),
        (["--axis", "box 1/2", "--allies", "hex 9"], "has nothing at 'hex 9'; there are box 2/1"),
        (["--axis", "box 1/2", "--allies", "box 2/1", "--interceptor", "axis"], "say --theatre Europe or Pacific"),
        (["--axis", "box 1/2", "--allies", "hex 0/E24"], "who intercepts is not in the file"),
        (["--write", "x.toml"], "say which places meet"),
        (["--axis", "hex 7/K8", "--allies", "hex 0/E24", "--interceptor", "axis"], "aircraft only"),
    ],
)
def test_the_terminal_asks_for_what_the_file_does_not_say(run: Run, file: str, words: list[str], why: str) -> None:
    told = run("warplanner", file, *words)
    assert told.exit_code == 2 and why in told.output


def test_the_terminal_refuses_what_is_no_file_of_warplanner(run: Run, tmp_path: Path) -> None:
    assert "there is no such file" in run("warplanner", "nothing.xml").output
    assert run("warplanner", str(tmp_path)).exit_code == 2
    (tmp_path / "bad.xml").write_text(BOMB)
    told = run("warplanner", str(tmp_path / "bad.xml"))
    assert told.exit_code == 2 and "DOCTYPE" in told.output and "line 1" in told.output


def test_limits_are_those_that_are_promised() -> None:
    assert (warplanner.MOST_BYTES, warplanner.MOST_DEPTH) == (2**20, 40)
