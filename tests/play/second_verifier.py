"""A second verifier of fair dice, written from docs/dice.md alone: nothing of ours is used here.

Law: `verify` gives an empty list only when checks 1 to 7 of the page hold, and check 9 for every code it was given. Check
8 needs the rules and is not done here. A file that is not understood is never proven. No content makes it raise; only a
path that cannot be read does (`OSError`).
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, TypeGuard

V = "flagplot-dice-1"
SIDES = ("axis", "allies")
HASHES = ("host", "axis", "allies", "edition", "options", "setup")
NAMES = {"axis": "Axis", "allies": "the Allies"}
MOST_BYTES = 16 * 1024 * 1024
MOST_DRAWS = 2**40  # a game has far fewer; a number beyond is no number to reckon with
HEADER = ("flagplot", "engine", "scenario", "edition", "options", "dice", "solitaire", "people", "fair", "key", "setup")
HEADER_FIELDS = {*HEADER, "setup_hash"}
DICE_LINES = {
    "commit": {"line", "who", "commitment", "by"},
    "open": {"line", "who", "share"},
    "roll": {"line", "tag", "source", "draw", "dice", "check"},
    "reveal": {"line", "ended", "axis", "allies", "draws", "check", "sums"},
    "typed": {"line", "who", "dice"},
    "link": {"line", "who", "link"},
}
OTHER_LINES = ("answer", "undo", "amend")

Part = str | bytes | int


class Trouble(NamedTuple):
    """What does not fit: the check of the page, the line of the file (0: none in particular), and words."""

    check: int
    line: int
    what: str


# --- bytes ------------------------------------------------------------------------------------------------------------


def frame(*parts: Part) -> bytes:
    """The parts in a row, each after its length in four bytes; text is UTF-8, a number is eight bytes."""
    row = bytearray()
    for part in parts:
        if isinstance(part, str):
            data = part.encode("utf-8")
        elif isinstance(part, bytes):
            data = part
        else:
            data = part.to_bytes(8, "big")
        row += len(data).to_bytes(4, "big") + data
    return bytes(row)


def sha(*parts: Part) -> str:
    """SHA-256 of the frame of V and the parts, in small hexadecimal letters."""
    return hashlib.sha256(frame(V, *parts)).hexdigest()


def mac(key: bytes, message: bytes) -> bytes:
    """HMAC-SHA-256, as 32 bytes."""
    return hmac.new(key, message, hashlib.sha256).digest()


def secret_of(one: bytes, other: bytes) -> bytes:
    """S: one half XOR the other; both have 32 bytes."""
    return bytes(a ^ b for a, b in zip(one, other, strict=True))


def host_hash(game: str, secret: bytes) -> str:
    """What binds the host to S."""
    return sha("host", game, secret)


def half_hash(game: str, side: str, half: bytes) -> str:
    """What binds the host to the half of a side."""
    return sha(f"half {side}", game, half)


def edition_hash(game: str, secret: bytes, edition: str) -> str:
    """What binds the host to the edition."""
    return sha("edition", game, secret, edition)


def options_hash(game: str, secret: bytes, options: dict[str, str]) -> str:
    """What binds the host to the options, whatever order they are given in."""
    row: list[str] = []
    for name in sorted(options):
        row += [name, options[name]]
    return sha("options", game, secret, *row)


def setup_hash(game: str, secret: bytes, key: str, fingerprint: str) -> str:
    """What binds the host to the set-up and the key of the recording, both as text."""
    return sha("setup", game, secret, key, fingerprint)


def share_hash(game: str, side: str, share: bytes) -> str:
    """The commitment of a side to its share."""
    return sha(f"share {side}", game, share)


def dice_key(game: str, secret: bytes, edition: str, axis: bytes, allies: bytes) -> bytes:
    """The key of the dice, from S and the two shares, as 32 bytes."""
    return mac(secret, frame(V, "key", game, edition, secret, axis, allies))


def block_of(key: bytes, draw: int, number: int) -> bytes:
    """Block `number` of a draw."""
    return mac(key, frame("game", draw, number))


def die_of(key: bytes, draw: int) -> int:
    """The die of a draw: its first byte below 252, mod 6, plus 1; it depends on nothing but key and draw."""
    number = 0
    while True:
        for byte in block_of(key, draw, number):
            if byte < 252:
                return byte % 6 + 1
        number += 1


def start_code(game: str, hashes: dict[str, str], axis: str, allies: str) -> str:
    """The start code, 32 digits in groups of four, from the hashes of the header and the two commitments."""
    return grouped(sha("start", game, *(hashes[name] for name in HASHES), axis, allies)[:32])


def end_code(body: bytes) -> str:
    """The end code, 32 digits in groups of four, of every byte before the closing line."""
    return grouped(sha("end", body)[:32])


def line_sum(game: str, secret: bytes, line: bytes) -> str:
    """The sum of a line (without its line feed)."""
    return mac(secret, frame(V, "line", game, line)).hex()[:8]


def closing_sum(key: str, body: bytes) -> str:
    """The sum in the closing line; `key` is that of the header, 32 digits."""
    return hashlib.blake2b(body, digest_size=16, key=bytes.fromhex(key)).hexdigest()


def written(value: Any) -> bytes:
    """A JSON value in the one form of a recording."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode("utf-8")


def fingerprint_of(setup: Any) -> str:
    """BLAKE2b with 16 bytes over the set-up in the form of a recording, its keys sorted."""
    text = json.dumps(setup, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.blake2b(text.encode("utf-8"), digest_size=16).hexdigest()


def grouped(digits: str) -> str:
    """Digits in groups of four with hyphens between."""
    return "-".join(digits[i : i + 4] for i in range(0, len(digits), 4))


def plain(code: str) -> str:
    """A code as a person typed it: capitals, and whatever is neither letter nor digit, do not matter."""
    return "".join(letter for letter in code.lower() if letter.isalnum())


# --- reading ----------------------------------------------------------------------------------------------------------


@dataclass
class Recording:
    """A file taken apart: `lines` are all before the closing line, without line feed; `values` are those, read."""

    body: bytes = b""
    closing: bytes = b""
    lines: list[bytes] = field(default_factory=list)
    values: list[dict[str, Any]] = field(default_factory=list)

    def journal(self, *kinds: str) -> Iterator[tuple[int, dict[str, Any]]]:
        """Journal lines of these kinds, in order, each with its number in the file (the header is line 1)."""
        for number, value in enumerate(self.values[1:], start=2):
            if value.get("line") in kinds:
                yield number, value


def refuse(word: str) -> NoReturn:
    """No fraction, exponent, NaN or Infinity stands in a recording."""
    raise ValueError(f"{word} is no whole number")


def value_of(row: bytes) -> tuple[dict[str, Any], str]:
    """A line as an object, and what is wrong with its form. A key that is there twice is gone when it is written again."""
    try:
        value = json.loads(row.decode("utf-8"), parse_float=refuse, parse_constant=refuse)
        if not isinstance(value, dict):
            return {}, "it is not a JSON object"
        return value, "" if written(value) == row else "it is not in the form of a recording"
    except (ValueError, RecursionError) as error:
        return {}, f"it cannot be read: {error}"


def read(data: bytes) -> tuple[Recording, list[Trouble]]:
    """The file taken apart, and what is wrong with its form and its closing line: check 1."""
    found = []
    if len(data) > MOST_BYTES:
        return Recording(), [Trouble(1, 0, "the file is too long")]
    if not data.endswith(b"\n"):
        found.append(Trouble(1, 0, "the last line has no line feed"))
    rows = data.removesuffix(b"\n").split(b"\n")
    recording = Recording(closing=rows[-1], lines=rows[:-1])
    recording.body = b"".join(row + b"\n" for row in recording.lines)
    if not data.startswith(b'{"flagplot":1,'):
        found.append(Trouble(1, 1, "it does not begin like a recording of format 1"))
    for number, row in enumerate(recording.lines, start=1):
        value, wrong = value_of(row)
        if wrong:
            found.append(Trouble(1, number, wrong))
        elif number == 1:
            if set(value) != HEADER_FIELDS:
                found.append(Trouble(1, 1, "the header lacks fields, or has others"))
        elif value.get("line") not in (*DICE_LINES, *OTHER_LINES):
            found.append(Trouble(1, number, f"there is no line of the kind {value.get('line')!r}"))
        elif value["line"] in DICE_LINES and set(value) != DICE_LINES[value["line"]]:
            found.append(Trouble(1, number, "the line lacks fields, or has others"))
        recording.values.append(value)
    return recording, found + check_closing(recording)


def check_closing(recording: Recording) -> list[Trouble]:
    """Check 1: the closing line has the number of journal lines and the sum of all bytes before it."""
    last = len(recording.lines) + 1
    key = recording.values[0].get("key") if recording.values else None
    if not isinstance(key, str) or not re.fullmatch(r"[0-9a-f]{32}", key):
        return [Trouble(1, 1, "the key of the recording is not 32 hexadecimal digits")]
    wanted = {"line": "end", "lines": last - 2, "sum": closing_sum(key, recording.body)}
    return [] if recording.closing == written(wanted) else [Trouble(1, last, "the closing line does not fit the file")]


def bytes_of(value: Any) -> bytes | None:
    """32 bytes written as 64 small hexadecimal digits; None for anything else."""
    if isinstance(value, str) and re.fullmatch(r"[0-9a-f]{64}", value):
        return bytes.fromhex(value)
    return None


def is_number(value: Any) -> TypeGuard[int]:
    """A whole number; true and false are none."""
    return type(value) is int


def is_text(value: Any) -> TypeGuard[str]:
    """Text that has UTF-8 bytes (half of a surrogate pair has none)."""
    return isinstance(value, str) and not re.search("[\ud800-\udfff]", value)


# --- checks -----------------------------------------------------------------------------------------------------------


def verify(
    source: str | Path | bytes, start: str = "", end: str = "", halves: tuple[str, str] | None = None
) -> list[Trouble]:
    """What does not fit in a recording with fair dice; empty when nothing is wrong with it (see `verdict`).

    `start` and `end` are the codes a player kept. `halves` are those the players kept, Axis first: with them the dice of a
    file without `reveal` can be proven, save for its sums and the number of its draws.
    """
    data = source if isinstance(source, bytes) else Path(source).read_bytes()
    recording, found = read(data)
    if not recording.values:
        return found
    header = recording.values[0]
    if header.get("dice") != "fair":
        return [*found, Trouble(1, 1, "this is not a game with fair dice")]
    hashes, game, wrong = check_header(header)
    found += wrong
    found += [
        Trouble(5, number, f"`{line['line']}` in a game of fair dice")
        for number, line in recording.journal("typed", "link")
    ]

    last, shares, wrong = check_shares(recording, game)
    found += wrong
    reveal, wrong = find_reveal(recording)
    found += wrong
    secret, wrong = check_secret(game, hashes, reveal, halves, len(recording.lines))
    found += wrong
    if secret is not None:
        found += check_bound(header, game, hashes, secret)

    key = None
    edition = header.get("edition")
    if secret is not None and is_text(edition) and shares["axis"] is not None and shares["allies"] is not None:
        key = dice_key(game, secret, edition, shares["axis"], shares["allies"])
    found += check_rolls(recording, key, reveal)
    if secret is not None and reveal is not None:
        found += check_sums(recording, game, secret, reveal)

    known_start = known_end = ""
    if hashes is not None and last["axis"] is not None and last["allies"] is not None:
        known_start = start_code(game, hashes, last["axis"], last["allies"])
    if reveal is not None:
        known_end = end_code(recording.body)
    return found + check_codes(("start", start, known_start), ("end", end, known_end))


def verdict(source: str | Path | bytes, start: str = "", end: str = "", halves: tuple[str, str] | None = None) -> str:
    """`tampered`, `unproven` or `proven`, as the page has it."""
    data = source if isinstance(source, bytes) else Path(source).read_bytes()
    if verify(data, start, end, halves):
        return "tampered"
    recording, _ = read(data)
    opened = halves is not None or any(recording.journal("reveal"))
    drawn = {line["who"]: line["by"] for _, line in recording.journal("commit")}
    return "proven" if opened and drawn != dict.fromkeys(SIDES, "server") else "unproven"


def check_header(header: dict[str, Any]) -> tuple[dict[str, str] | None, str, list[Trouble]]:
    """The hashes of the header (None unless all are there in their form), the name of the game, and what is wrong."""
    fair = header.get("fair")
    if not isinstance(fair, dict) or set(fair) != {"game", *HASHES}:
        return None, "", [Trouble(1, 1, "the header has no `fair`, or not as it must be")]
    if not is_text(fair["game"]):
        return None, "", [Trouble(1, 1, "the header does not name the game in `fair.game`")]
    wrong = [name for name in HASHES if bytes_of(fair[name]) is None]
    found = [Trouble(1, 1, f"there is no hash in `fair.{name}`") for name in wrong]
    return None if wrong else {name: fair[name] for name in HASHES}, fair["game"], found


def check_shares(
    recording: Recording, game: str
) -> tuple[dict[str, str | None], dict[str, bytes | None], list[Trouble]]:
    """Check 4: the last commitment of each side, the share each side opened, and what is wrong with them."""
    last: dict[str, str | None] = dict.fromkeys(SIDES)
    shares: dict[str, bytes | None] = dict.fromkeys(SIDES)
    opened: dict[str, int] = {}
    rolled = False
    found = []
    for number, line in recording.journal("commit", "open", "roll"):
        kind, who = line["line"], line.get("who")
        if kind == "roll":
            if len(opened) < 2 and not rolled:
                found.append(Trouble(4, number, "a roll before both shares were opened"))
            rolled = True
        elif who not in SIDES:
            found.append(Trouble(4, number, f"`{kind}` by {who!r}, who is neither side"))
        elif kind == "commit":
            if None not in last.values():
                found.append(Trouble(4, number, f"{NAMES[who]} committed after both sides were bound"))
            if opened:
                found.append(Trouble(4, number, f"{NAMES[who]} committed after a share was opened"))
            if line.get("by") not in ("page", "server"):
                found.append(Trouble(4, number, "it is not said who drew the share"))
            if bytes_of(line.get("commitment")) is None:
                found.append(Trouble(4, number, "the commitment is not a hash"))
                last[who] = None
            else:
                last[who] = line["commitment"]
        else:
            if None in last.values():
                found.append(Trouble(4, number, "a share was opened before both sides had committed"))
            if who in opened:
                found.append(Trouble(4, number, f"{NAMES[who]} opened a share twice"))
                continue
            opened[who] = number
            shares[who] = bytes_of(line.get("share"))
            if shares[who] is None:
                found.append(Trouble(4, number, "the share is not 32 bytes"))
    for side, number in opened.items():
        share = shares[side]
        if share is not None and last[side] is not None and share_hash(game, side, share) != last[side]:
            found.append(Trouble(4, number, f"the share of {NAMES[side]} does not fit its commitment"))
    if last["axis"] is not None and last["axis"] == last["allies"]:
        found.append(Trouble(4, 0, "the two commitments are the same"))
    return last, shares, found


def find_reveal(recording: Recording) -> tuple[dict[str, Any] | None, list[Trouble]]:
    """Check 2, first part: the `reveal` line, of which there is at most one, and nothing but the closing line after it."""
    reveals = list(recording.journal("reveal"))
    if not reveals:
        return None, []
    number, reveal = reveals[-1]
    found = []
    if len(reveals) > 1:
        found.append(Trouble(2, number, "there is more than one `reveal` line"))
    if number != len(recording.lines):
        found.append(Trouble(2, number, "`reveal` is not the last line of the journal"))
    if reveal.get("ended") not in ("over", "closed"):
        found.append(Trouble(2, number, "`ended` is neither over nor closed"))
    if not is_text(reveal.get("check")):
        found.append(Trouble(2, number, "`check` is not text"))
    return reveal, found


def check_secret(
    game: str,
    hashes: dict[str, str] | None,
    reveal: dict[str, Any] | None,
    halves: Sequence[str] | None,
    number: int,
) -> tuple[bytes | None, list[Trouble]]:
    """Check 2, second part: S, or None unless both halves fit their hashes and S fits `host`; `number` is reveal's line."""
    if hashes is None or (reveal is None and halves is None):
        return None, []
    found = []
    where = 1 if reveal is None else number
    known: list[bytes] = []
    for place, side in enumerate(SIDES):
        texts = {}
        if reveal is not None:
            texts["the half"] = reveal.get(side)
        if halves is not None:
            texts["the given half"] = halves[place]
        for what, text in texts.items():
            half = bytes_of(text)
            if half is None:
                found.append(Trouble(2, where, f"{what} of {NAMES[side]} is not 32 bytes"))
            elif half_hash(game, side, half) != hashes[side]:
                found.append(Trouble(2, where, f"{what} of {NAMES[side]} does not fit its hash"))
            elif len(known) == place:
                known.append(half)
    if len(known) < 2:
        return None, found
    secret = secret_of(*known)
    if host_hash(game, secret) != hashes["host"]:
        return None, [*found, Trouble(2, where, "the secret does not fit the hash of the host")]
    return secret, found


def check_bound(header: dict[str, Any], game: str, hashes: dict[str, str] | None, secret: bytes) -> list[Trouble]:
    """Check 3: edition, options and set-up are those the host bound itself to."""
    if hashes is None:
        return []
    found = []
    edition = header.get("edition")
    if not is_text(edition):
        found.append(Trouble(3, 1, "the header has no edition"))
    elif edition_hash(game, secret, edition) != hashes["edition"]:
        found.append(Trouble(3, 1, "the edition does not fit its hash"))

    options = header.get("options")
    if not isinstance(options, dict) or not all(is_text(part) for pair in options.items() for part in pair):
        found.append(Trouble(3, 1, "the header has no options, or some are not text"))
    elif options_hash(game, secret, options) != hashes["options"]:
        found.append(Trouble(3, 1, "the options do not fit their hash"))

    key, told = header.get("key"), header.get("setup_hash")
    if "setup" not in header or not is_text(key) or not is_text(told):
        return [*found, Trouble(3, 1, "the header lacks `setup`, `setup_hash` or `key`")]
    try:
        fingerprint = fingerprint_of(header["setup"])
    except (ValueError, RecursionError) as error:
        return [*found, Trouble(3, 1, f"the set-up has no fingerprint: {error}")]
    if fingerprint != told:
        found.append(Trouble(3, 1, "the set-up does not fit its fingerprint `setup_hash`"))
    if setup_hash(game, secret, key, fingerprint) != hashes["setup"]:
        found.append(Trouble(3, 1, "the set-up, or the key of the recording, does not fit its hash"))
    return found


def check_rolls(recording: Recording, key: bytes | None, reveal: dict[str, Any] | None) -> list[Trouble]:
    """Checks 5 and 6: draws in a row from 0, every die the one its draw gives (if the key is known), and `draws`."""
    found = []
    due = 0
    for number, line in recording.journal("roll"):
        if line.get("source") != "fair":
            found.append(Trouble(5, number, f"a roll whose source is {line.get('source')!r}, not fair"))
        if not is_text(line.get("tag")) or not is_text(line.get("check")):
            found.append(Trouble(1, number, "`tag` or `check` of a roll is not text"))
        draw, dice = line.get("draw"), line.get("dice")
        if not is_number(draw) or not isinstance(dice, list) or not all(is_number(die) for die in dice):
            found.append(Trouble(5, number, "a roll without the number of its draw, or without dice"))
            continue
        if draw != due:
            found.append(Trouble(5, number, f"draw {draw} where draw {due} is due"))
        elif key is not None:
            for place, die in enumerate(dice):
                if (right := die_of(key, draw + place)) != die:
                    found.append(Trouble(6, number, f"draw {draw + place} is {right}, not {die}"))
        due = (draw if 0 <= draw < MOST_DRAWS else due) + len(dice)
    if reveal is not None and (not is_number(reveal.get("draws")) or reveal["draws"] != due):
        found.append(Trouble(5, len(recording.lines), f"{due} dice are drawn, `draws` says {reveal.get('draws')!r}"))
    return found


def check_sums(recording: Recording, game: str, secret: bytes, reveal: dict[str, Any]) -> list[Trouble]:
    """Check 7: the sums of all lines before `reveal`; if they do not fit, which lines were tampered with."""
    told = reveal.get("sums")
    if not isinstance(told, list) or not all(isinstance(s, str) for s in told):
        return [Trouble(7, len(recording.lines), "`reveal` has no sums")]
    place = max(i for i, value in enumerate(recording.values) if value is reveal)
    have = [line_sum(game, secret, line) for line in recording.lines[:place]]
    if told == have:
        return []
    steps = [s for s in SequenceMatcher(None, told, have, autojunk=False).get_opcodes() if s[0] != "equal"]
    lacking = {i for _, a, b, _, _ in steps for i in range(a, b)}
    extra = {j for _, _, _, a, b in steps for j in range(a, b)}
    found = []
    origin: dict[str, list[int]] = {}
    for i in sorted(lacking, reverse=True):
        origin.setdefault(told[i], []).append(i)
    for j in sorted(extra):
        if origin.get(have[j]):
            i = origin[have[j]].pop()
            lacking.discard(i)
            extra.discard(j)
            found.append(Trouble(7, j + 1, f"it was moved: it was line {i + 1}"))
    for _, a, b, c, d in steps:
        gone = [i for i in range(a, b) if i in lacking]
        new = [j for j in range(c, d) if j in extra]
        both = min(len(gone), len(new))
        found += [Trouble(7, j + 1, "it was altered") for j in new[:both]]
        found += [Trouble(7, j + 1, "it was added") for j in new[both:]]
        found += [Trouble(7, i + 1, "what stood here was dropped") for i in gone[both:]]
    return found


def check_codes(*codes: tuple[str, str, str]) -> list[Trouble]:
    """Check 9: the codes that were given are those of the file."""
    return [
        Trouble(9, 0, f"the {name} code of the file is {known or 'missing'}")
        for name, given, known in codes
        if given and plain(given) != plain(known)
    ]


def verify_told(told: dict[str, Any], start: str = "") -> list[Trouble]:
    """What does not fit in what `/api/games/GAME/dice` says of a game that was closed: checks 2 to 6 as far as they go."""
    hashes, game, found = check_header({"fair": told["fair"]})
    shares = {side: bytes_of(told["shares"].get(side)) for side in SIDES}
    for side in SIDES:
        share, commitment = shares[side], told["commitments"].get(side)
        if share is None and told["rolls"]:
            found.append(Trouble(4, 0, f"the share of {NAMES[side]} was never opened, and dice were rolled"))
        if share is not None and share_hash(game, side, share) != commitment:
            found.append(Trouble(4, 0, f"the share of {NAMES[side]} does not fit its commitment"))
    secret, wrong = check_secret(game, hashes, told["halves"], None, 0)
    found += wrong
    key = None
    if hashes is not None and secret is not None:
        if edition_hash(game, secret, told["edition"]) != hashes["edition"]:
            found.append(Trouble(3, 0, "the edition does not fit its hash"))
        if shares["axis"] is not None and shares["allies"] is not None:
            key = dice_key(game, secret, told["edition"], shares["axis"], shares["allies"])
    rolls = [{"line": "roll", "tag": "", "source": "fair", "check": "", **roll} for roll in told["rolls"]]
    found += check_rolls(Recording(values=[{}, *rolls]), key, None)
    known = ""
    if hashes is not None and set(told["commitments"]) == set(SIDES):
        known = start_code(game, hashes, told["commitments"]["axis"], told["commitments"]["allies"])
    return found + check_codes(("start", start, known))


if __name__ == "__main__":
    said = [f"check {each.check}, line {each.line}: {each.what}" for each in verify(sys.argv[1], *sys.argv[2:4])]
    said.append(f"{verdict(sys.argv[1], *sys.argv[2:4])} (check 8, the rules played again, is not done here)")
    sys.stdout.write("\n".join(said) + "\n")
