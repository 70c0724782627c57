"""A second verifier of fair dice, written from docs/dice.md and docs/save-format.md alone: nothing of ours is used here.

It makes the checks 1 to 7 and 9 of that page; the rules, which check 8 needs, it does not know. Of each trouble it says
the check and the line.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any, NamedTuple

V = "flagplot-dice-1"
SIDES = ("axis", "allies")


class Trouble(NamedTuple):
    check: int
    line: int
    what: str


def frame(*parts: str | bytes | int) -> bytes:
    out = b""
    for part in parts:
        if isinstance(part, str):
            part = part.encode("utf-8")
        elif isinstance(part, int):
            part = part.to_bytes(8, "big")
        out += len(part).to_bytes(4, "big") + part
    return out


def h(*parts: str | bytes | int) -> str:
    return hashlib.sha256(frame(*parts)).hexdigest()


def mac(key: bytes, *parts: str | bytes | int) -> bytes:
    return hmac.new(key, frame(*parts), hashlib.sha256).digest()


def die_of(key: bytes, draw: int) -> int:
    block = 0
    while True:
        below = [byte for byte in mac(key, "game", draw, block) if byte < 252]
        if below:
            return below[0] % 6 + 1
        block += 1


def groups(digits: str) -> str:
    return "-".join(digits[n : n + 4] for n in range(0, 32, 4))


def secret_bytes(digits: Any) -> bytes:
    """A secret of 32 bytes; b"" if it is none."""
    try:
        found = bytes.fromhex(digits)
    except (TypeError, ValueError):
        return b""
    return found if len(found) == 32 and digits == found.hex() else b""


def verify(data: bytes, start: str = "", end: str = "") -> list[Trouble]:
    *raw, closing_line = data.rstrip(b"\n").split(b"\n")
    body = data[: len(data) - len(closing_line) - 1]
    header, closing = json.loads(raw[0]), json.loads(closing_line)
    lines = [(number, json.loads(line)) for number, line in enumerate(raw[1:], 2)]
    fair, found = header["fair"], []
    game = fair["game"]

    # 1. the closing line
    try:
        total = hashlib.blake2b(body, digest_size=16, key=bytes.fromhex(header["key"])).hexdigest()
    except ValueError:
        total = ""
    if closing["lines"] != len(lines) or closing["sum"] != total:
        found.append(Trouble(1, len(raw) + 1, "closing line"))

    # 2. the secret
    reveals = [(number, line) for number, line in lines if line["line"] == "reveal"]
    if len(reveals) != 1 or reveals[-1] != lines[-1]:
        found.append(Trouble(2, len(raw), "reveal"))
        if not reveals:
            return found
    at, reveal = reveals[-1]
    halves = [secret_bytes(reveal[side]) for side in SIDES]
    if not all(halves):
        return [*found, Trouble(2, at, "a half is no half")]
    for side, half in zip(SIDES, halves, strict=True):
        if h(V, f"half {side}", game, half) != fair[side]:
            found.append(Trouble(2, at, f"half {side}"))
    secret = bytes(one ^ two for one, two in zip(*halves, strict=True))
    if h(V, "host", game, secret) != fair["host"]:
        return [*found, Trouble(2, at, "host")]

    # 3. what is played
    pairs = [part for name in sorted(header["options"]) for part in (name, header["options"][name])]
    setup = json.dumps(header["setup"], sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    fingerprint = hashlib.blake2b(setup, digest_size=16).hexdigest()
    edition_fits = h(V, "edition", game, secret, header["edition"]) == fair["edition"]
    if not edition_fits:
        found.append(Trouble(3, 1, "edition"))
    if h(V, "options", game, secret, *pairs) != fair["options"]:
        found.append(Trouble(3, 1, "options"))
    if h(V, "setup", game, secret, header["key"], fingerprint) != fair["setup"]:
        found.append(Trouble(3, 1, "setup"))

    # 4. shares
    bound: dict[str, str] = {}
    shares: dict[str, bytes] = {}
    shares_fit = True
    rolled = False
    for number, line in lines:
        if line["line"] in ("commit", "open") and line["who"] not in SIDES:
            found.append(Trouble(4, number, "nobody's"))
        elif line["line"] == "commit":
            if shares:
                found.append(Trouble(4, number, "commit after open"))
            bound[line["who"]] = line["commitment"]
        elif line["line"] == "open":
            share = secret_bytes(line["share"])
            if len(bound) < 2 or line["who"] in shares:
                found.append(Trouble(4, number, "open out of order"))
            if h(V, f"share {line['who']}", game, share) != bound.get(line["who"]):
                found.append(Trouble(4, number, "share"))
                shares_fit = False
            shares[line["who"]] = share
        elif line["line"] == "roll" and not rolled:
            rolled = True
            if set(shares) != set(SIDES):
                found.append(Trouble(4, number, "roll before shares"))
    if set(bound) == set(SIDES) and bound["axis"] == bound["allies"]:
        found.append(Trouble(4, 0, "copied"))

    # 5. draws
    drawn = 0
    for number, line in lines:
        if line["line"] == "roll":
            if line["source"] != "fair" or line["draw"] != drawn:
                found.append(Trouble(5, number, "draws"))
            drawn = line["draw"] + len(line["dice"])
    if reveal["draws"] != drawn:
        found.append(Trouble(5, at, "number of draws"))

    # 6. dice
    if set(shares) == set(SIDES) and all(shares.values()) and shares_fit and edition_fits:
        key = mac(secret, V, "key", game, header["edition"], secret, shares["axis"], shares["allies"])
        for number, line in lines:
            if line["line"] == "roll" and line["dice"] != [
                die_of(key, line["draw"] + n) for n in range(len(line["dice"]))
            ]:
                found.append(Trouble(6, number, "die"))

    # 7. sums
    sums = [mac(secret, V, "line", game, line).hex()[:8] for line in raw[: at - 1]]
    if sums != reveal["sums"]:
        first = next((n for n, (one, two) in enumerate(zip(sums, reveal["sums"], strict=False)) if one != two), None)
        found.append(Trouble(7, (min(len(sums), len(reveal["sums"])) if first is None else first) + 1, "sums"))

    # 9. codes
    told = [fair[name] for name in ("host", "axis", "allies", "edition", "options", "setup")]
    if start and start != groups(h(V, "start", game, *told, bound.get("axis", ""), bound.get("allies", ""))[:32]):
        found.append(Trouble(9, 0, "start code"))
    if end and end != groups(h(V, "end", body)[:32]):
        found.append(Trouble(9, 0, "end code"))
    return found
