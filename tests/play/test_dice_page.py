"""docs/dice.md is enough to verify dice by: its vectors, its recordings in tests/dice, what it says of the form of a file and
of closed games, held against our verifier and against the one that was written from it (trust.md, promise 14)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from flagplot.core.errors import SaveError
from flagplot.core.sides import SIDES
from flagplot.core.tape import Line, Rolled
from flagplot.play import saves
from flagplot.play.dice_proof import examine, found_in_dice
from flagplot.play.fair_dice import Halves, Terms, bound_share
from flagplot.play.game import Header
from tests.play import second_verifier as second
from tests.play.dice_recordings import FOLDER, TAMPERED
from tests.play.fair_games import lines_of, packed, saved, written
from tests.web.visitors import new_id, play_on, serving

HOME = Path(__file__).parents[2]
PAGE = (HOME / "docs" / "dice.md").read_text()
EXPECTED: dict[str, dict[str, Any]] = json.loads((FOLDER / "expected.json").read_text())
AGAIN = "if the rules of its scenario changed, run python -m tests.play.dice_recordings"


def file(name: str) -> bytes:
    return (FOLDER / f"{name}.flagplot").read_bytes()


def ours(data: bytes, start: str = "", end: str = "", halves: Halves | None = None) -> str:
    """Our verdict in the words of the page."""
    proof = examine(saves.parse(data), start=start, end=end, halves=halves)
    return "tampered" if proof.findings else "proven" if proof.proven else "unproven"


# -- vectors ----------------------------------------------------------------------------------------------


def test_the_second_verifier_uses_nothing_of_ours_and_gives_the_vectors_of_the_page() -> None:
    source = Path(second.__file__).read_text()
    assert not re.search(r"^\s*(from|import) (flagplot|tests|msgspec)", source, re.MULTILINE)
    game, half, share = "example-game", (bytes(range(32)), b"\xa5" * 32), (b"\x11" * 32, b"\x22" * 32)
    secret = second.secret_of(*half)
    hashes = {
        "host": second.host_hash(game, secret),
        "axis": second.half_hash(game, "axis", half[0]),
        "allies": second.half_hash(game, "allies", half[1]),
        "edition": second.edition_hash(game, secret, "current"),
        "options": second.options_hash(game, secret, {"b": "two", "a": "one"}),
        "setup": second.setup_hash(game, secret, "0f" * 16, "00112233445566778899aabbccddeeff"),
    }
    bound = [second.share_hash(game, side, each) for side, each in zip(SIDES, share, strict=True)]
    key = second.dice_key(game, secret, "current", *share)
    text = re.search(r"^fingerprint of the set-up (.*)\n +which is written (.*)\n +(\w+)$", PAGE, re.MULTILINE)
    assert text
    setup = json.loads(text[1])
    body = b'{"flagplot":1}\n'
    closing = second.written({"line": "end", "lines": 0, "sum": second.closing_sum("0f" * 16, body)})
    for vector in (
        second.frame("ab", b"\x01\x02\x03", 7).hex(),
        f"S        {secret.hex()}",
        *(f"{name:<8} {each}" for name, each in hashes.items()),
        *bound,
        f"key      {key.hex()}",
        second.block_of(key, 0, 0).hex(),
        " ".join(str(second.die_of(key, draw)) for draw in range(20)),
        f"thrown away): {second.die_of(key, 45)}      draw 1000: {second.die_of(key, 1000)}",
        f"draw 1000000: {second.die_of(key, 1_000_000)}",
        second.start_code(game, hashes, *bound),
        second.line_sum(game, secret, b'{"line":"example"}'),
        second.end_code(body),
        closing.decode(),
    ):
        assert vector in PAGE
    assert json.dumps(setup, sort_keys=True, separators=(",", ":"), ensure_ascii=False) == text[2]
    assert second.fingerprint_of(setup) == text[3]


# -- recordings ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EXPECTED)
def test_the_recordings_of_the_page_have_the_verdicts_it_says(name: str) -> None:
    wanted, data = EXPECTED[name], (FOLDER / name).read_bytes()
    assert re.search(rf"^\|.*`{name.partition('.')[0]}`.*\|$", PAGE, re.MULTILINE)
    codes = wanted.get("start", ""), wanted.get("end", "")
    assert ours(data) == ours(data, *codes) == wanted["verdict"], AGAIN
    assert second.verdict(data) == second.verdict(data, *codes) == wanted["verdict"]
    assert {each.check for each in second.verify(data)} >= set(wanted.get("checks", ()))
    if "halves" in wanted:
        assert ours(data, halves=Halves(*map(bytes.fromhex, wanted["halves"]))) == "proven"
        assert second.verdict(data, halves=wanted["halves"]) == "proven"


def test_the_page_names_every_recording_and_no_other() -> None:
    assert {each.name for each in FOLDER.iterdir()} == {*EXPECTED, "expected.json"}
    assert set(TAMPERED) == {name.partition(".")[0] for name in EXPECTED if EXPECTED[name]["verdict"] == "tampered"}


def test_a_file_of_another_game_is_found_by_the_codes_and_by_nothing_else() -> None:
    kept, data = EXPECTED["closed.flagplot"], file("proven")
    for code in ({"start": kept["start"]}, {"end": kept["end"]}):
        assert ours(data) == second.verdict(data) == "proven"
        assert ours(data, **code) == second.verdict(data, **code) == "tampered"
        assert {each.check for each in second.verify(data, **code)} == {9}


def test_codes_may_be_typed_in_any_way_but_not_for_a_file_that_has_none() -> None:
    kept = EXPECTED["proven.flagplot"]
    codes = kept["start"].upper().replace("-", " "), kept["end"].replace("-", ":")
    assert ours(file("proven"), *codes) == second.verdict(file("proven"), *codes) == "proven"
    assert ours(file("unopened"), end="0000") == second.verdict(file("unopened"), end="0000") == "tampered"


def test_halves_that_are_given_must_fit_also_where_the_secret_is_open() -> None:
    wrong, data = Halves(b"\x01" * 32, b"\x02" * 32), file("proven")
    assert ours(data, halves=wrong) == "tampered"
    assert second.verdict(data, halves=(wrong.axis.hex(), wrong.allies.hex())) == "tampered"


def test_a_recording_read_and_written_again_is_the_same_to_the_byte() -> None:
    """Otherwise the sums and the end code of games that have ended would no longer fit what is downloaded."""
    for name in ("proven", "closed", "server-shares", "unopened"):
        assert saves.dump(saves.read(file(name))) == file(name), AGAIN


def test_dice_whose_shares_the_server_drew_are_not_called_proven() -> None:
    proof = examine(saves.parse(file("server-shares")))
    assert (proof.findings, proof.proven) == ([], False)
    assert "the server drew both shares" in proof.words


# -- form ---------------------------------------------------------------------------------------------------


def test_the_page_names_every_field_and_every_kind_of_line() -> None:
    told = PAGE[PAGE.index("**Header.**") : PAGE.index("**Fingerprint")]
    for name in (*Header.__struct_fields__, *Terms.__struct_fields__):
        assert f"`{name}`" in told
    assert set(Header.__struct_fields__) == second.HEADER_FIELDS
    kinds = {each.__struct_config__.tag: each.__struct_fields__ for each in Line.__args__}
    assert set(kinds) == {*second.DICE_LINES, *second.OTHER_LINES}
    for kind, fields in second.DICE_LINES.items():
        assert {"line", *kinds[kind]} == fields
        shown = re.search(rf'`\{{"line":"{kind}".*?\}}`', PAGE)
        assert shown
        assert all(f'"{name}":' in shown[0] for name in fields)
    for kind in second.OTHER_LINES:
        assert f"`{kind}`" in PAGE


Change = Callable[[list[bytes]], None]


def at(number: int, old: bytes, new: bytes) -> Change:
    """Something else in a line of the file."""

    def change(lines: list[bytes]) -> None:
        assert old in lines[number - 1]
        lines[number - 1] = lines[number - 1].replace(old, new, 1)

    return change


ROLL = 18  # the first roll of `proven`


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (at(ROLL, b'"draw":0', b'"draw":0,"draw":0'), "form of a recording"),
        (at(ROLL, b'"draw":0', b'"draw": 0'), "form of a recording"),
        (at(ROLL, b'"draw":0', b'"draw":-0'), "form of a recording"),
        (at(ROLL, b"axis", b"a\\u0078is"), "form of a recording"),
        (at(ROLL, b"}", b"}\r"), "form of a recording"),
        (at(8, b'"answer":{', b'"answer":{"a":1.5,"a":1.5'), "form of a recording"),
        (at(8, b'"answer":{', b'"answer":{"a":1.5'), "form of a recording"),
        (at(1, b'"setup":{', b'"setup":{"more":1,'), "the set-up is not the one"),
        (at(1, b'"setup_hash":', b'"setup_hash":"0","setup_hash":'), "form of a recording"),
        (at(1, b'"solitaire":false,', b""), "solitaire is missing from the header"),
        (at(1, b'"key":"', b'"key":"00'), "the key of the recording is not"),
        (at(1, b'"host":"', b'"host":"0'), "(host) is not 64"),
        (at(2, b'"by":"page"', b'"by":"friend"'), "neither a page nor the server"),
        (at(2, b'"commitment":"', b'"commitment":"0'), "commitment of axis is not 64"),
        (at(24, b'"over"', b'"soon"'), "ended by 'soon'"),
        (lambda lines: lines.insert(4, lines[3]), "after both sides were bound"),
        (lambda lines: lines.insert(5, lines[3]), "after one was opened"),
        (lambda lines: lines.insert(8, packed({"line": "typed", "who": "axis", "dice": [1]})), "dice are typed"),
        (
            lambda lines: lines.insert(8, packed({"line": "link", "who": "axis", "link": "0" * 64})),
            "a link is released",
        ),
    ],
)
def test_what_two_readers_could_read_differently_and_what_comes_too_late_is_named(change: Change, says: str) -> None:
    lines = lines_of(file("proven"))
    change(lines)
    data = written(lines, closing=True, sums=True)
    found = found_in_dice(saves.parse(data))
    assert any(says in each for each in found), found
    assert second.verify(data)


def test_of_many_lines_in_odd_form_a_few_are_named() -> None:
    found = found_in_dice(saves.parse(file("proven").replace(b"\n", b" \n")))
    assert sum("is not in the form" in each for each in found) == 5
    assert any("24 lines in all are not in the form" in each for each in found)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"{}\n",
        file("proven")[:-1],
        file("proven") + b"\n",
        file("proven").replace(b"\n", b"\r\n"),
        b"\xef\xbb\xbf" + file("proven"),
        file("proven").replace(b'{"flagplot":1', b'{"flagplot":2', 1),
        b"".join(file("proven").splitlines(keepends=True)[:-1]),
        file("proven").replace(b'"line":"undo"', b'"line":"sigh"', 1),
    ],
)
def test_what_is_no_recording_of_this_format_is_refused_by_both(data: bytes) -> None:
    assert second.verify(data)
    with suppress(SaveError):
        assert found_in_dice(saves.parse(data))


@cache
def tried() -> tuple[bytes, ...]:
    return file("proven"), file("closed"), saved("river-plate", 1)


UNREAD = ("engine", "scenario", "solitaire", "people", "setup", "flagplot")  # those of which the page asks nothing
ODD: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    1,
    2**70,
    "",
    "x",
    "0" * 64,
    "A" * 64,
    [],
    [1],
    ["a"],
    {},
    {"a": "b"},
    "é",
    "over",
)


def odd_values(times: int, seed: int) -> dict[bool, int]:
    """Whatever is put into whatever field of the lines about dice, sums made to fit: both refuse it, or neither does."""
    chance, seen = Random(seed), {True: 0, False: 0}
    for _ in range(times):
        lines = lines_of(chance.choice(tried()))
        numbers = [
            n for n, line in enumerate(lines) if n == 0 or re.match(rb'{"line":"(commit|open|roll|reveal)"', line)
        ]
        number = chance.choice(numbers)
        line = json.loads(lines[number])
        inside = line["fair"] if number == 0 and chance.random() < 0.5 else line
        name = chance.choice([each for each in inside if each not in UNREAD])
        if chance.random() < 0.1:
            del inside[name]
        else:
            inside[name] = chance.choice(ODD)
        if chance.random() < 0.1:
            inside["more"] = chance.choice(ODD)
        lines[number] = packed(line)
        try:
            data = written(lines, closing=True, sums=chance.random() < 0.9)
        except (
            TypeError,
            ValueError,
            KeyError,
            AttributeError,
            OverflowError,
        ):  # no key or no secret to make sums with
            continue
        try:
            refused = bool(found_in_dice(saves.parse(data)))
        except SaveError:
            refused = True
        assert refused == bool(second.verify(data)), (number, name, inside.get(name), second.verify(data))
        seen[refused] += 1
    return seen


def test_odd_values_are_refused_by_both_verifiers_or_by_neither() -> None:
    seen = odd_values(300, 1)
    assert seen[True] > 150


@pytest.mark.long
def test_many_odd_values_are_refused_by_both_verifiers_or_by_neither() -> None:
    odd_values(10_000, 2)


# -- closed games ---------------------------------------------------------------------------------------------


def test_the_dice_of_a_closed_game_are_verified_by_what_the_page_says_of_them(tmp_path: Path) -> None:
    shares = {"axis": "11" * 32, "allies": "22" * 32}
    with serving(tmp_path) as server:
        people = server.seated(scenario="denmark-strait", dice="fair")
        axis = people["axis"]
        for seat, share in shares.items():
            made = bound_share(seat, axis.game, bytes.fromhex(share))
            people[seat].post(axis.at("/dice/commit"), {"id": new_id(), "commitment": made})
        start = axis.view()["dice"]["start"]
        for seat, share in shares.items():
            people[seat].post(axis.at("/dice/open"), {"id": new_id(), "share": share})
        while not any(isinstance(line, Rolled) for line in server.hall.game(axis.game).game.journal):
            assert play_on(people, most=1)
        settled = axis.get(axis.at("/dice")).json()
        halves = {seat: people[seat].view()["dice"]["half"] for seat in SIDES}
        assert axis.post(axis.at("/close"), {"why": "enough"}).json()["ok"]
        told = people["allies"].get(axis.at("/dice")).json()
        assert axis.get(axis.at("/download")).headers["content-disposition"].endswith('"view.json"')
    assert set(settled) == {"edition", "fair", "commitments", "drawn_by", "shares"}
    assert settled["shares"] == shares  # what players need, with their halves, if the host vanishes
    assert settled["fair"]["game"] == axis.game
    assert told == settled | {"halves": halves, "rolls": told["rolls"]}
    first = told["rolls"][0]
    assert second.verify_told(told, start) == []
    for name, wrong in (
        ("halves", halves | {"axis": "00" * 32}),
        ("shares", shares | {"axis": "00" * 32}),
        ("edition", "another"),
        ("rolls", [first | {"draw": 1}]),
        ("rolls", [first | {"dice": [first["dice"][0] % 6 + 1, *first["dice"][1:]]}]),
    ):
        assert second.verify_told(told | {name: wrong}), name
    assert second.verify_told(told, "0" * 32)


# -- the page says what is true -----------------------------------------------------------------------------


def test_both_pages_say_what_shares_of_the_server_are_worth() -> None:
    template = (HOME / "src/flagplot/web/templates/battle_dice.html").read_text()
    for text in (PAGE, template):
        assert "drew both" in text
