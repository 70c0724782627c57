"""A club evening on loopback: many battles at once on one server, and what each costs it.

    python -m bench.load [--battles 200] [--decisions 40]

A real server process is started with a fresh SQLite file; eight clients play both sides of every battle through the
API, as bots do, with the answer each form holds ready. Then the same is played by one client beside thousands of
finished games, to see that they cost nothing. Everything ends by itself within a few minutes.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import secrets
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

CLIENTS = 8
SCENARIO = "midway"
FINISHED = 20_000
SERVE = """
import sys
import uvicorn
from flagplot.web.app import make_app
from flagplot.web.settings import Limits, Settings
port = int(sys.argv[2])
open_to_all = Limits(requests_a_minute=10**9, games_an_hour=10**9, wrong_tokens_a_minute=10**9)
uvicorn.run(make_app(Settings(sys.argv[1], port=port, limits=open_to_all)), port=port, log_level="error")
"""


class Client:
    """One connection that speaks JSON."""

    def __init__(self, port: int) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def ask(self, method: str, path: str, body: object = None, token: str = "") -> Any:
        """The answer; anything but success ends the measurement."""
        headers = {"content-type": "application/json", "authorization": f"Bearer {token}"} if token else {}
        if not token:
            headers = {"content-type": "application/json", "sec-fetch-site": "same-origin"}
        self.connection.request(method, path, json.dumps(body) if body is not None else None, headers)
        answer = self.connection.getresponse()
        told = answer.read()
        if answer.status >= 400:
            raise RuntimeError(f"{method} {path.partition('?')[0]}: {answer.status} {told[:200]!r}")
        return json.loads(told)


class Sides:
    """A battle with a bot on both sides, played from outside."""

    def __init__(self, client: Client) -> None:
        made = client.ask("POST", "/api/games", {"scenario": SCENARIO, "axis": "person", "allies": "person"})
        self.game: str = made["game"]
        self.tokens: dict[str, str] = {}
        for side in ("axis", "allies"):
            token = made["invitations"][side].partition("#")[2]
            self.tokens[side] = client.ask("POST", "/api/claim", {"token": token})["token"]

    def play(self, client: Client, decisions: int) -> list[float]:
        """So many decisions, and the seconds each took from sending to its answer."""
        times: list[float] = []
        while len(times) < decisions:
            before = len(times)
            for token in self.tokens.values():
                seen = client.ask("GET", f"/api/games/{self.game}?log_from=1000000", token=token)
                asked = seen["question"]
                if asked is None or len(times) >= decisions:
                    continue
                answer = {"id": secrets.token_hex(8), "question": asked["number"], "answer": asked["form"]["default"]}
                start = time.perf_counter()
                client.ask("POST", f"/api/games/{self.game}/answers", answer, token=token)
                times.append(time.perf_counter() - start)
            if len(times) == before:
                break  # over
        return times


@contextlib.contextmanager
def serving(database: Path) -> Iterator[tuple[int, int]]:
    """A server of our own: its port and its process id."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    process = subprocess.Popen([sys.executable, "-c", SERVE, f"sqlite:///{database}", str(port)])
    try:
        for _ in range(600):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(0.05)
        yield port, process.pid
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


def resident(pid: int) -> int:
    """Bytes a process holds in memory."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) * 1024
    raise RuntimeError("no VmRSS")


def percentile(times: list[float], share: float) -> float:
    """Milliseconds below which this share of the times lies."""
    ordered = sorted(times)
    return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def evening(folder: Path, battles: int, decisions: int) -> dict[str, float]:
    """All battles at once on one worker."""
    with serving(folder / "evening.db") as (port, pid):
        warm = Client(port)
        Sides(warm).play(warm, decisions)
        before = resident(pid)
        clients = [Client(port) for _ in range(CLIENTS)]
        with ThreadPoolExecutor(CLIENTS) as pool:
            shares = [list(range(number, battles, CLIENTS)) for number in range(CLIENTS)]
            made = pool.map(lambda pair: [Sides(pair[0]) for _ in pair[1]], zip(clients, shares, strict=True))
            tables = list(made)
            new = resident(pid)

            def play(pair: tuple[Client, list[Sides]]) -> list[float]:
                times: list[float] = []
                for _ in range(decisions):  # in turn, so that all battles are live all the time
                    for sides in pair[1]:
                        times += sides.play(pair[0], 1)
                return times

            start = time.perf_counter()
            times = [each for found in pool.map(play, zip(clients, tables, strict=True)) for each in found]
            took = time.perf_counter() - start
        return {
            "live_battles": battles,
            "decisions": len(times),
            "decisions_a_second": round(len(times) / took),
            "decision_median_ms": round(percentile(times, 0.5), 1),
            "decision_p99_ms": round(percentile(times, 0.99), 1),
            "new_battle_kilobytes": round((new - before) / battles / 1000),
            "live_battle_kilobytes": round((resident(pid) - before) / battles / 1000),
        }


def beside_finished_games(folder: Path) -> dict[str, float]:
    """The cost of a decision beside many finished games, over its cost beside none."""
    with serving(folder / "few.db") as (port, _):
        client = Client(port)
        sides = Sides(client)
        while len(sides.play(client, 10)) == 10:
            pass  # one game to its end, to be copied
    shutil.copy(folder / "few.db", folder / "many.db")
    with contextlib.closing(sqlite3.connect(folder / "many.db")) as database, database:
        columns = [row[1] for row in database.execute("pragma table_info(games)") if row[1] != "id"]
        names = ", ".join(columns)
        of_journal = ", ".join(row[1] for row in database.execute("pragma table_info(journal)") if row[1] != "game")
        for number in range(FINISHED):
            id = f"copy-{number}"
            database.execute(f"insert into games (id, {names}) select ?, {names} from games limit 1", (id,))
            database.execute(
                f"insert into journal (game, {of_journal}) select ?, {of_journal} from journal where game = ?",
                (id, sides.game),
            )
    medians = {}
    for name in ("few", "many"):
        with serving(folder / f"{name}.db") as (port, _):
            client = Client(port)
            times = [each for _ in range(12) for each in Sides(client).play(client, 25)]
            medians[name] = percentile(times, 0.5)
    return {
        "finished_games": FINISHED,
        "decision_beside_them_over_without": round(medians["many"] / medians["few"], 2),
    }


def main() -> None:
    """Measure and print, as a table and as one line of JSON."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--battles", type=int, default=200)
    asked.add_argument("--decisions", type=int, default=40)
    given = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = evening(Path(folder), given.battles, given.decisions) | beside_finished_games(Path(folder))
    for name, value in figures.items():
        print(f"{name.replace('_', ' '):<36}{value:>12}")
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
