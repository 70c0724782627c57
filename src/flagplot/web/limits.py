"""What is let in: bodies by bytes, depth and seconds, requests by number, writes only from our own pages.

An unsafe request must come from our own site: Origin, or Sec-Fetch-Site, has to say so; without either it needs a bearer
token and no cookie (trust.md, str-2). Every answer says that it may not be kept, framed, sniffed or referred to.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import time
import traceback
from collections import OrderedDict
from collections.abc import MutableMapping
from itertools import accumulate
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from flagplot.web.settings import Settings, host_in

JOIN = "/join"  # the one address that takes a form, so that joining needs no script
FORM = "application/x-www-form-urlencoded"
NO_BRACKETS = bytes(byte for byte in range(256) if byte not in b"[]{}")
STEP = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
SAFE = ("GET", "HEAD", "OPTIONS")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
ANSWERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "permissions-policy": "interest-cohort=()",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
OVER_TLS = {"strict-transport-security": "max-age=31536000"}


IMPORTS = ("/api/warplanner",)  # where files of other programs are read
TURN_FILES = "/turn-file"  # how the addresses end that take turn files


class Buckets:
    """So many a minute for each address; old addresses are forgotten."""

    def __init__(self, most: int, seconds: float = 60.0, addresses: int = 10_000) -> None:
        self.most = most
        self.seconds = seconds
        self.addresses = addresses
        self._taken: OrderedDict[str, tuple[float, float]] = OrderedDict()  # address -> left, when

    def take(self, address: str, cost: float = 1.0) -> float:
        """Take one; 0 if there was one, else the seconds until there is."""
        now = time.monotonic()
        left, when = self._taken.pop(address, (float(self.most), now))
        left = min(float(self.most), left + (now - when) * self.most / self.seconds)
        wait = 0.0 if left >= cost else (cost - left) * self.seconds / self.most
        self._taken[address] = (left - cost if not wait else left, now)
        while len(self._taken) > self.addresses:
            self._taken.popitem(last=False)
        return wait


class Guard:
    """The first thing every request meets."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.settings = settings
        self.requests = Buckets(settings.limits.requests_a_minute)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or say why not."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun = False
        guarded = _with_headers(send, scope, secure=self.settings.secure)

        async def answer(message: Message) -> None:
            nonlocal begun
            begun = True
            await guarded(message)

        try:
            await self._let_through(scope, receive, answer)
        except Exception as error:
            number = report_error(error)
            if begun:
                raise  # half an answer cannot be mended
            await refused(500, f"something went wrong here, and was noted as number {number}; nothing was changed")(
                scope, receive, guarded
            )

    async def _let_through(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        refusal = self._refusal(scope, headers)
        if refusal is None and scope["method"] not in SAFE:
            most = self._most(scope)
            body, refusal = await self._body(receive, headers, most, form=scope["path"] == JOIN)
            receive = _once(body, receive)
        await (refusal or self.app)(scope, receive, send)

    def _refusal(self, scope: Scope, headers: Headers) -> JSONResponse | None:
        wait = self.requests.take(address_of(scope))
        if wait:
            return refused(
                429, "too many requests from your address: wait a little", {"retry-after": str(int(wait) + 1)}
            )
        if host_in(headers.get("host", "")) not in self.settings.allowed_hosts:
            return refused(421, "this server is not reached under that name")
        if scope["method"] in SAFE:
            return None
        if not _from_our_site(headers, self.settings):
            return refused(403, "this request does not come from one of our own pages")
        length = headers.get("content-length")
        if length is not None and not (length.isascii() and length.isdecimal()):
            return refused(400, "the length of the request is no number")
        if int(length or 0) > self._most(scope):
            return refused(413, f"a request has at most {self._most(scope)} bytes")
        if headers.get("content-encoding", "identity") != "identity":
            return refused(415, "send plain JSON, not packed")
        return None

    def _most(self, scope: Scope) -> int:
        """How many bytes a request may have: more only where a file is read."""
        limits = self.settings.limits
        files = scope["path"] in IMPORTS or scope["path"].endswith(TURN_FILES)
        return limits.import_bytes if files else limits.body_bytes

    async def _body(
        self, receive: Receive, headers: Headers, most: int, *, form: bool
    ) -> tuple[bytes, JSONResponse | None]:
        """The whole body, or why it is not taken: too long, too slow, nested too deeply, or no plain JSON."""
        limits = self.settings.limits
        until = time.monotonic() + limits.body_seconds
        body = b""
        while True:
            try:
                message = await asyncio.wait_for(receive(), max(0.01, until - time.monotonic()))
            except TimeoutError:
                return b"", refused(408, f"a request arrives within {limits.body_seconds:.0f} seconds")
            if message["type"] == "http.disconnect":
                return b"", refused(400, "the request was cut short")
            body += message.get("body", b"")
            if len(body) > most:
                return b"", refused(413, f"a request has at most {most} bytes")
            if not message.get("more_body", False):
                break
        kind = headers.get("content-type", "").partition(";")[0].strip()
        if form:
            return (body, None) if kind == FORM else (b"", refused(415, "this address takes a form, and nothing else"))
        if body and kind != "application/json":
            return b"", refused(415, "send JSON: content-type application/json")
        if depth_of(body) > limits.json_depth:
            return b"", refused(422, f"JSON is nested at most {limits.json_depth} deep")
        try:
            json.loads(body or b"{}", object_pairs_hook=_once_each, parse_constant=_no_constant)
        except ValueError as wrong:
            return b"", refused(422, f"this is not JSON as we take it: {wrong}")
        if b"\\u0000" in body or b"\x00" in body:
            return b"", refused(422, "text may not hold a null character")
        return body, None


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key is said twice")
    return found


def _no_constant(word: str) -> None:
    raise ValueError(f"{word} is no number")


def _once(body: bytes, receive: Receive) -> Receive:
    """A body that has been read already, then whatever comes after it."""
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def depth_of(body: bytes) -> int:
    """How deeply brackets are nested in JSON, strings aside."""
    plain = body.replace(b"\\\\", b"").replace(b'\\"', b"")  # no escaped backslash, then no escaped quote
    brackets = b"".join(plain.split(b'"')[::2]).translate(None, NO_BRACKETS)
    return max(accumulate(map(STEP.__getitem__, brackets)), default=0)


def report_error(error: Exception) -> str:
    """Note an error that was not foreseen, where it happened and of what kind, under a number that can be told to anybody.

    What it says is left out: it may hold what somebody sent (trust.md, log-1).
    """
    number = secrets.token_hex(4)
    where = "".join(traceback.format_tb(error.__traceback__))
    logging.getLogger("uvicorn.error").error("error %s: %s\n%s", number, type(error).__qualname__, where)
    return number


def address_of(scope: MutableMapping[str, Any]) -> str:
    """Who asks. Forwarded headers are not believed (trust.md, decision 11)."""
    client = scope.get("client")
    return str(client[0]) if client else "unknown"


def _from_our_site(headers: Headers, settings: Settings) -> bool:
    if headers.get("authorization", "").lower().startswith("bearer ") and "cookie" not in headers:
        return True
    origin = headers.get("origin")
    if origin:
        return origin in settings.origins
    return headers.get("sec-fetch-site") == "same-origin"


def refused(status: int, why: str, headers: dict[str, str] | None = None) -> JSONResponse:
    """A refusal in a sentence."""
    return JSONResponse({"refused": why}, status, headers=headers)


def _with_headers(send: Send, scope: Scope, *, secure: bool) -> Send:
    answers = ANSWERS | (OVER_TLS if secure else {})

    async def wrapped(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in answers.items():
                headers.setdefault(name, value)
            if not scope["path"].startswith("/static/"):
                headers["cache-control"] = "no-store"
                headers["vary"] = "Cookie"
        await send(message)

    return wrapped
