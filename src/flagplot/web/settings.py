"""What the host decides: where games are kept, under which address they are reached, how much is let in.

Everything comes from the environment or the command line; nothing is read from a request (trust.md, str-3).
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

KILOBYTE = 1024


@dataclass(frozen=True)
class Limits:
    """How much one request, one address and the whole server may ask for."""

    body_bytes: int = 256 * KILOBYTE
    body_seconds: float = 10.0
    json_depth: int = 40
    wrong_tokens_a_minute: int = 20
    requests_a_minute: int = 1200
    games_an_hour: int = 120
    streams: int = 2_000
    streams_a_seat: int = 8
    devices_a_seat: int = 12
    live_games: int = 500


@dataclass(frozen=True)
class Settings:
    """One server."""

    database_url: str = "sqlite:///flagplot.db"
    host: str = "127.0.0.1"
    port: int = 8000
    public_url: str = ""  # "" = http://host:port
    limits: Limits = field(default_factory=Limits)

    @property
    def address(self) -> str:
        """Where the server is reached, as links say it."""
        return self.public_url.rstrip("/") or f"http://{self.host}:{self.port}"

    @property
    def allowed_hosts(self) -> list[str]:
        """The names a request may be addressed to."""
        name = self.address.partition("://")[2].partition("/")[0]
        return [name.rpartition(":")[0] or name, "127.0.0.1", "localhost", self.host]

    @property
    def secure(self) -> bool:
        """Whether cookies are sent over TLS only."""
        return self.address.startswith("https://")


def from_environment(host: str = "127.0.0.1", port: int = 8000, database: Path | None = None) -> Settings:
    """The settings of this machine; the command line goes before the environment."""
    url = f"sqlite:///{database}" if database else os.environ.get("FLAGPLOT_DATABASE_URL", "sqlite:///flagplot.db")
    if url.startswith(("postgres://", "postgresql://")):
        url = "postgresql+psycopg://" + url.partition("://")[2]
    return Settings(url, host, port, os.environ.get("FLAGPLOT_PUBLIC_URL", ""))
