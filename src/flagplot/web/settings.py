"""What the host decides: where games are kept, under which address they are reached, how much is let in.

Everything comes from the environment or the command line; nothing is read from a request (trust.md, str-3).
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from flagplot.core.errors import PlayerError

KILOBYTE = 1024
MOST_ODDS_WORKERS = 64
HERE = ("127.0.0.1", "localhost", "::1")  # this machine, by the names it has for itself


@dataclass(frozen=True)
class Limits:
    """How much one request, one address and the whole server may ask for."""

    body_bytes: int = 256 * KILOBYTE
    import_bytes: int = 1024 * KILOBYTE
    body_seconds: float = 10.0
    json_depth: int = 40
    wrong_tokens_a_minute: int = 20
    requests_a_minute: int = 1200
    games_an_hour: int = 120
    streams: int = 2_000
    streams_a_seat: int = 8
    streams_an_address: int = 400  # a proxy is one address
    devices_a_seat: int = 12
    live_games: int = 500
    open_games: int = 20_000
    takebacks_a_minute: int = 6  # asked of the enemy, by one side of one game


@dataclass(frozen=True)
class Settings:
    """One server."""

    database_url: str = "sqlite:///flagplot.db"
    host: str = "127.0.0.1"
    port: int = 8000
    public_url: str = ""  # "" = http://host:port
    limits: Limits = field(default_factory=Limits)
    odds_workers: int = 1  # processes that fight odds; 0 = no odds on this server
    smtp_url: str = field(default="", repr=False)  # smtp://user:password@name:port, or smtps://; "" = no mail
    mail_from: str = ""
    outbound: str = ""  # name:port of what may be called though it is not public, with commas between
    key_file: str = ""  # "" = beside an SQLite database

    @property
    def address(self) -> str:
        """Where the server is reached, as links say it."""
        name = f"[{self.host}]" if ":" in self.host else self.host  # an IPv6 address stands in brackets
        return self.public_url.rstrip("/") or f"http://{name}:{self.port}"

    @property
    def allowed_hosts(self) -> list[str]:
        """The names a request may be addressed to."""
        return [host_in(urlsplit(self.address).netloc), *HERE, self.host]

    @property
    def origins(self) -> list[str]:
        """Where our own pages come from, as browsers say it: without the port that goes without saying."""
        scheme, netloc, *_ = urlsplit(self.address)
        usual = {"http": ":80", "https": ":443"}.get(scheme, "")
        ours = [f"{scheme}://{netloc.lower().removesuffix(usual)}"]
        if not self.public_url:
            ours += [f"http://{f'[{name}]' if ':' in name else name}:{self.port}" for name in HERE]
        return ours

    @property
    def secure(self) -> bool:
        """Whether cookies are sent over TLS only."""
        return self.address.startswith("https://")


def host_in(said: str) -> str:
    """The host in a Host header or an address, without its port; "" if it is none. IPv6 addresses stand in brackets."""
    found = re.fullmatch(r"(?:\[([0-9A-Fa-f:.]+)\]|([^\[\]:@/]+))(?::\d{1,5})?", said)
    return (found[1] or found[2]).lower() if found else ""


def from_environment(host: str = "127.0.0.1", port: int = 8000, database: Path | None = None) -> Settings:
    """The settings of this machine; the command line goes before the environment."""
    url = f"sqlite:///{database}" if database else os.environ.get("FLAGPLOT_DATABASE_URL", "sqlite:///flagplot.db")
    if url.startswith(("postgres://", "postgresql://")):
        url = "postgresql+psycopg://" + url.partition("://")[2]
    workers = os.environ.get("FLAGPLOT_ODDS_WORKERS", "1")
    if not (workers.isascii() and workers.isdecimal() and int(workers) <= MOST_ODDS_WORKERS):
        raise PlayerError(f"FLAGPLOT_ODDS_WORKERS is a number from 0 (no odds) to {MOST_ODDS_WORKERS}, not {workers!r}")
    return Settings(
        url,
        host,
        port,
        os.environ.get("FLAGPLOT_PUBLIC_URL", ""),
        odds_workers=int(workers),
        smtp_url=os.environ.get("FLAGPLOT_SMTP_URL", ""),
        mail_from=os.environ.get("FLAGPLOT_MAIL_FROM", ""),
        outbound=os.environ.get("FLAGPLOT_OUTBOUND", ""),
        key_file=os.environ.get("FLAGPLOT_KEY_FILE", ""),
    )
