"""Secrets at rest: where notices go is sealed with a key that is not in the database (trust.md, link-4).

The key is a file: named by FLAGPLOT_KEY_FILE, or made beside an SQLite database. Without it a stolen database or backup
tells nobody's mail address and opens nobody's channel. HMAC-SHA-256 as key stream and as seal, each with a key of its own.
"""

from __future__ import annotations

import hmac
import os
import secrets
from hashlib import sha256
from pathlib import Path

NONCE, TAG = 16, 32


class Unsealable(ValueError):
    """Not sealed with this key, or altered."""


class Sealer:
    """Seals and opens with one key."""

    def __init__(self, key: bytes) -> None:
        self._stream = hmac.digest(key, b"flagplot stream", sha256)
        self._seal = hmac.digest(key, b"flagplot seal", sha256)

    def seal(self, text: str, about: str) -> bytes:
        """A text that only this key opens, and only for what it is about."""
        nonce, plain = secrets.token_bytes(NONCE), text.encode()
        hidden = self._with_stream(nonce, plain)
        return nonce + hidden + self._tag(nonce + hidden, about)

    def open(self, sealed: bytes, about: str) -> str:
        """The text again."""
        body, tag = sealed[:-TAG], sealed[-TAG:]
        if len(sealed) < NONCE + TAG or not hmac.compare_digest(tag, self._tag(body, about)):
            raise Unsealable
        return self._with_stream(body[:NONCE], body[NONCE:]).decode()

    def mark(self, text: str) -> bytes:
        """Something that only who has the key can know of a text."""
        return self._tag(b"mark", text)

    def _tag(self, body: bytes, about: str) -> bytes:
        return hmac.digest(self._seal, len(about).to_bytes(4) + about.encode() + body, sha256)

    def _with_stream(self, nonce: bytes, text: bytes) -> bytes:
        blocks = range(-(-len(text) // TAG))
        stream = b"".join(hmac.digest(self._stream, nonce + block.to_bytes(8), sha256) for block in blocks)
        return bytes(one ^ other for one, other in zip(text, stream, strict=False))


def sealer_from(file: str) -> Sealer | None:
    """The sealer with the key in a file, which is made if there is none; None if no file is named."""
    if not file:
        return None
    path = Path(file)
    try:
        made = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return Sealer(path.read_bytes())
    with os.fdopen(made, "wb") as out:
        key = secrets.token_bytes(32)
        out.write(key)
        out.flush()
        os.fsync(out.fileno())
    return Sealer(key)
