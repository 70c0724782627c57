"""`flagplot serve`: the web server, on this machine only unless the host says otherwise.

What trust.md asks of whoever starts it stands here: one process for an SQLite file (decision 1), forwarded headers not
believed (decision 11), no query and no token in the log (log-1), streams ended soon after the signal to stop.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import flagplot
from flagplot.core.errors import GameError
from flagplot.core.sides import Side
from flagplot.scenarios.loader import shipped_scenario

if TYPE_CHECKING:
    from fastapi import FastAPI

    from flagplot.web.settings import Settings

PORT = 8000
PORTS_TRIED = 20  # for a ready battle, if nobody has named a port
READY = "midway"
GRACE = 3  # seconds for what is under way when the server stops; streams are told before, or cut after it
OPEN_FILES = 8_192
SYNC = {"0": "off", "1": "normal", "2": "full", "3": "extra"}
WILDCARDS = ("0.0.0.0", "::", "")
ANY_TOKEN = re.compile(r"[A-Za-z0-9_-]{40,}|(?:[2-9A-Z]{5}-){3}[2-9A-Z]{5}")  # tokens, their hashes, recovery codes
HOST_OF_WORKERS, PORT_OF_WORKERS = "FLAGPLOT_HOST", "FLAGPLOT_PORT"


class CannotServe(GameError):
    """The server cannot be started like this."""


def serve(
    host: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int | None, typer.Option(min=0, max=65535, help="0 = any.", show_default=str(PORT))] = None,
    database: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Where games are kept.", show_default="FLAGPLOT_DATABASE_URL, or flagplot.db"
        ),
    ] = None,
    ready_battle: Annotated[
        bool, typer.Option("--ready-battle", help=f"Make a battle ({READY}) against the admiral: you have the allies.")
    ] = False,
    open_page: Annotated[
        bool | None,
        typer.Option("--open/--no-open", help="Open a browser, if there is one.", show_default="with --ready-battle"),
    ] = None,
    log: Annotated[
        bool | None, typer.Option(help="A line for every request.", show_default="without --ready-battle")
    ] = None,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Processes; more than one need PostgreSQL.")] = 1,
) -> None:
    """Play in the browser: start the web server.

    It is reached from this machine only, until you name another address with --host. Then say with FLAGPLOT_PUBLIC_URL
    under which address it is reached, and put a proxy with TLS before it.

    [bold]flagplot serve --ready-battle[/bold] has a battle ready for you.
    """
    try:
        from flagplot.web.settings import from_environment
    except ImportError as missing:
        raise CannotServe(f"the web server is not installed: {missing.name} is missing") from missing
    settings = from_environment(host, PORT if port is None else port, database)
    _refuse_unreachable(settings)
    _refuse_several(settings, workers)
    tries = PORTS_TRIED if ready_battle and port is None else 1
    with _alone_with(settings), _bound(host, settings.port, tries) as listening:
        settings = replace(settings, port=listening.getsockname()[1])
        app = _application(settings)
        link = _ready_link(app, settings) if ready_battle else ""
        page = link or settings.address
        wanted = ready_battle if open_page is None else open_page
        told = [*_told(app, settings), *([f"Your battle is ready: {link}"] if link else []), "Stop it with Ctrl+C."]

        def started() -> None:
            for line in told:
                typer.echo(line)
            sys.stdout.flush()
            if wanted and _has_browser():
                threading.Thread(target=webbrowser.open, args=(page,), daemon=True).start()

        _more_files()
        _run(app, settings, listening, workers, logged=not ready_battle if log is None else log, started=started)


# -- may it be started ----------------------------------------------------------------------------------


def _refuse_unreachable(settings: Settings) -> None:
    if settings.host in WILDCARDS and not settings.public_url:
        raise CannotServe(
            f"at {settings.host or 'every address'} others can reach this server, but not under a name it knows: say which"
            " in FLAGPLOT_PUBLIC_URL, for example https://flagplot.example"
        )


def _refuse_several(settings: Settings, workers: int) -> None:
    if workers > 1 and settings.database_url.startswith("sqlite"):
        raise CannotServe(
            f"SQLite is written by one process only, not by {workers}: for several workers set FLAGPLOT_DATABASE_URL to a"
            " PostgreSQL database"
        )


@contextmanager
def _alone_with(settings: Settings) -> Iterator[None]:
    """Two servers on one SQLite file would be two writers."""
    path = settings.database_url.partition("sqlite:///")[2]
    if not path or path == ":memory:":
        yield
        return
    try:
        import fcntl
    except ImportError:  # Windows: its file locks would hinder backups
        yield
        return
    try:
        lock = Path(f"{path}.lock").open("w")  # noqa: SIM115 (held as long as the server runs)
    except OSError as trouble:
        raise CannotServe(f"games cannot be kept in {path}: {trouble.strerror}") from trouble
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise CannotServe(f"another server has {path} open: SQLite is written by one process only") from None
        yield


@contextmanager
def _bound(host: str, port: int, tries: int) -> Iterator[socket.socket]:
    """A socket at this port, or at the first free one after it."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    last = min(port + tries, 65536)
    for number in range(port, last):
        made = socket.socket(family)
        with made:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                made.bind((host, number))
            except OSError as trouble:
                if number + 1 < last:
                    continue
                raise CannotServe(
                    f"port {port} of {host} cannot be had ({trouble.strerror}): name another with --port"
                ) from None
            made.set_inheritable(True)
            yield made
            return


def _application(settings: Settings) -> FastAPI:
    from sqlalchemy.exc import SQLAlchemyError

    from flagplot.web.app import make_app

    try:
        return make_app(settings)
    except SQLAlchemyError as trouble:
        why = str(getattr(trouble, "orig", "") or trouble).splitlines()[0]
        raise CannotServe(f"the database cannot be used: {why}") from trouble


# -- what is said -------------------------------------------------------------------------------------------


def _told(app: FastAPI, settings: Settings) -> list[str]:
    facts = app.state.hall.database.facts()
    kept = f"{facts['database']} {facts['version']}"
    if "journal" in facts:
        path = settings.database_url.partition("sqlite:///")[2]
        kept = f"{path} ({kept}, journal {facts['journal']}, sync {SYNC.get(facts['sync'], facts['sync'])})"
    return [f"Flagplot {flagplot.__version__} is at {settings.address}", f"Games are kept in {kept}"]


def _ready_link(app: FastAPI, settings: Settings) -> str:
    """A battle against the admiral, and the invitation that one click accepts."""
    scenario = shipped_scenario(READY)
    created = app.state.hall.create(
        scenario.setup,
        scenario=scenario.name,
        edition=scenario.edition,
        options=scenario.options,
        players={Side.AXIS: "admiral", Side.ALLIES: "person"},
    )
    return f"{settings.address}/join#{created.invitations['allies']}"


def _has_browser() -> bool:
    """Whether a page would open in a window; a browser in this terminal would be in the way."""
    if sys.platform.startswith(("linux", "freebsd")) and not ({"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys()):
        return False
    with suppress(webbrowser.Error):
        return webbrowser.get() is not None
    return False


class Discreet(logging.Filter):
    """Takes queries, tokens and recovery codes out of every line, and leaves out what is no news: streams cut at the end."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Clean a record."""
        if record.exc_info and isinstance(record.exc_info[1], asyncio.CancelledError):
            return False
        if record.name == "uvicorn.error" and "graceful shutdown exceeded" in str(record.msg):
            return False
        if record.name == "uvicorn.access" and isinstance(record.args, tuple) and len(record.args) == 5:
            client, method, path, version, status = record.args
            record.args = (client, method, ANY_TOKEN.sub("***", str(path).partition("?")[0]), version, status)
            return True
        record.msg, record.args = ANY_TOKEN.sub("***", record.getMessage()), None
        if record.exc_info:
            record.exc_text = ANY_TOKEN.sub("***", logging.Formatter().formatException(record.exc_info))
        return True


def _logging(logged: bool) -> dict[str, Any]:
    streams = {"errors": "ext://sys.stderr", "requests": "ext://sys.stdout"}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"discreet": {"()": "flagplot.cli.serve.Discreet"}},
        "formatters": {
            "errors": {"format": "%(asctime)s %(levelname)s %(message)s"},
            "requests": {
                "()": "uvicorn.logging.AccessFormatter",
                "fmt": "%(asctime)s %(client_addr)s %(request_line)s %(status_code)s",
                "use_colors": False,
            },
        },
        "handlers": {
            name: {"class": "logging.StreamHandler", "formatter": name, "filters": ["discreet"], "stream": stream}
            for name, stream in streams.items()
        },
        "loggers": {
            "uvicorn.error": {"handlers": ["errors"], "level": "WARNING", "propagate": False},
            "uvicorn.access": {
                "handlers": ["requests"],
                "level": "INFO" if logged else "CRITICAL",
                "propagate": False,
            },
        },
        "root": {"handlers": ["errors"], "level": "WARNING"},
    }


# -- running ----------------------------------------------------------------------------------------------------


def _run(
    app: FastAPI,
    settings: Settings,
    listening: socket.socket,
    workers: int,
    *,
    logged: bool,
    started: Callable[[], None],
) -> None:
    import uvicorn

    options: dict[str, Any] = {
        "proxy_headers": False,
        "server_header": False,
        "ws": "none",
        "log_config": _logging(logged),
        "access_log": logged,
        "timeout_graceful_shutdown": GRACE,
        "limit_concurrency": settings.limits.streams + 1_000,
    }
    if workers > 1:
        from uvicorn.supervisors import Multiprocess

        app.state.hall.database.close()  # every worker opens its own
        os.environ |= {
            "FLAGPLOT_DATABASE_URL": settings.database_url,
            HOST_OF_WORKERS: settings.host,
            PORT_OF_WORKERS: str(settings.port),
        }
        config = uvicorn.Config("flagplot.cli.serve:application_of_worker", factory=True, workers=workers, **options)
        listening.listen(2_048)  # whoever comes before the workers are there waits for them
        started()
        Multiprocess(config, sockets=[listening]).run()
        return

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            started()

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            app.state.streams.end()
            await super().shutdown(sockets)

    # The server puts these back when it has stopped, and raises the signal again: then the command ends as it should.
    signal.signal(signal.SIGTERM, _stopped)
    signal.signal(signal.SIGINT, _stopped)
    Server(uvicorn.Config(app, **options)).run(sockets=[listening])


def _stopped(number: int, frame: object) -> None:
    raise SystemExit(0)


def application_of_worker() -> FastAPI:
    """The application in one of several workers; the command has left its settings in the environment."""
    from flagplot.web.settings import from_environment

    return _application(from_environment(os.environ[HOST_OF_WORKERS], int(os.environ[PORT_OF_WORKERS])))


def _more_files() -> None:
    """Every stream holds a file open, and the usual limit is low."""
    try:
        import resource
    except ImportError:  # Windows
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OPEN_FILES if hard == resource.RLIM_INFINITY else min(OPEN_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
