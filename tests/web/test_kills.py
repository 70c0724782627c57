"""The process is killed and the disk is full: nothing acknowledged is lost, nothing counts twice.

A decision is killed with both kinds of database; what else is killed is tried with PostgreSQL in the long run.
"""

from __future__ import annotations

import os
import random
import resource
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from flagplot.core.tape import Answered
from flagplot.web.database import METADATA
from tests.web.databases import KINDS, ready_database
from tests.web.history import (
    History,
    Player,
    assert_kept,
    ended,
    look,
    started,
    stored,
    take_seats,
    wait_for_answers,
)
from tests.web.server import (
    Lost,
    NotStarted,
    Server,
    Sitting,
    Table,
    decision_id,
    new_game,
    people_at,
    play_on,
    seated,
    serving,
)

SCALE = int(os.environ.get("SCALE", "1"))
PLAYERS = ("axis", "allies")


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.long)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return ready_database(request.param, tmp_path)


# -- kill -9 under load --------------------------------------------------------------------------------------


def players_at(
    history: History, port: Callable[[], int], tables: list[Table], seed: int, chains_of_games: int = 4
) -> list[Player]:
    """Two players for each of some chains of games, and a second device at one seat of each."""
    chains = [tables[number::chains_of_games] for number in range(chains_of_games)]
    return [
        Player(history, port, seat, chain, seed * 100 + number, undo=0.05)
        for number, (chain, seat) in enumerate((chain, seat) for chain in chains for seat in (*PLAYERS, "axis"))
    ]


def killed_under_load(
    url: str, folder: Path, kills: int, seed: int, chains_of_games: int = 4, most_answers: int = 9
) -> History:
    """A server is killed after some answers and a moment, in the midst of others, and started again."""
    chance, history = random.Random(seed), History()
    with serving(url, folder) as server:
        tables = take_seats(server.client(), 3 * chains_of_games)
        players = started(players_at(history, lambda: server.port, tables, seed, chains_of_games))
        for _ in range(kills):
            wait_for_answers(history, chance.randint(0, most_answers))
            time.sleep(chance.uniform(0.0, 0.1))
            server.kill()
            server.start()
        wait_for_answers(history, 10)
        ended(players)
        assert "Traceback" not in server.log()
    return history


def test_nothing_acknowledged_is_lost_in_25_kills_under_load(tmp_path: Path) -> None:
    url = ready_database("sqlite", tmp_path)
    history = killed_under_load(url, tmp_path, 25, seed=1, chains_of_games=2, most_answers=5)
    assert history.acked > 50 and history.unknown() > 25
    assert_kept(history, url)


@pytest.mark.long
@pytest.mark.parametrize("batch", range(12 * SCALE))
def test_nothing_acknowledged_is_lost_in_300_kills_under_load(tmp_path: Path, batch: int) -> None:
    url = ready_database("sqlite", tmp_path)
    history = killed_under_load(url, tmp_path, 25, seed=1_000 + batch)
    assert_kept(history, url)


@pytest.mark.long
@pytest.mark.parametrize("batch", range(4 * SCALE))
def test_nothing_acknowledged_is_lost_on_postgresql_in_100_kills_under_load(tmp_path: Path, batch: int) -> None:
    url = ready_database("postgresql", tmp_path)
    history = killed_under_load(url, tmp_path, 25, seed=2_000 + batch)
    assert_kept(history, url)


# -- killed at a point ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("url", KINDS, indirect=True)
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_decision_killed_at_its_commit_counts_once_or_not_at_all(url: str, tmp_path: Path, when: str) -> None:
    with serving(url, tmp_path) as server:
        table = seated(server.client(), "coral-sea")
        play_on(people_at(server.client(), table), 4)
        for deed in ("answer", "undo"):
            server.stop()
            server.start(die=when)
            people = people_at(server.client(), table)
            seat = next(each for each in PLAYERS if people[each].view()["question"])
            if deed == "undo":
                seat = next(line.who for line in reversed(stored(url)[table.game].lines) if isinstance(line, Answered))
            question, id = people[seat].view()["question"], decision_id()
            kept = stored(url)[table.game]

            def send(who: Sitting, deed: str = deed, id: str = id, question: Any = question) -> Any:
                return who.answer(id, question) if deed == "answer" else who.undo(id)

            with pytest.raises(Lost):
                send(people[seat])
            server.wait()
            now = stored(url)[table.game]
            assert (id in now.answered) == (when == "after")
            assert (now.lines == kept.lines) == (when == "before")
            server.start()
            people = people_at(server.client(), table)
            first = send(people[seat])
            assert first.status == 200 and first.body["ok"], first
            assert send(people[seat]).body == first.body
            assert stored(url)[table.game].of_decision.count(id) >= 1


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_game_killed_at_its_making_is_there_or_not(url: str, tmp_path: Path, when: str) -> None:
    with serving(url, tmp_path) as server:
        server.stop()
        server.start(die=when)
        with pytest.raises(Lost):
            new_game(server.client())
        server.wait()
        assert len(stored(url)) == (when == "after")
        server.start()
        seated(server.client())
    assert_kept(History(), url)


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_claim_killed_at_its_commit_leaves_a_seat_that_can_be_had(url: str, tmp_path: Path, when: str) -> None:
    """A claim whose answer was lost has used the invitation; the host can give the seat again."""
    with serving(url, tmp_path) as server:
        game, invitations = new_game(server.client())
        host = server.client().post("/api/claim", {"token": invitations["host"]}).body["token"]
        server.stop()
        server.start(die=when)
        with pytest.raises(Lost):
            server.client().post("/api/claim", {"token": invitations["axis"]})
        server.wait()
        server.start()
        again = server.client().post("/api/claim", {"token": invitations["axis"]})
        assert again.status == (200 if when == "before" else 404)
        if again.status == 404:
            link = server.client(host).post(f"/api/games/{game}/reseat", {"name": "axis"}).body["invitation"]
            again = server.client().post("/api/claim", {"token": link.partition("#")[2]})
        assert again.status == 200
        assert server.client(again.body["token"]).get(f"/api/games/{game}").body["seat"] == "axis"


def test_a_server_killed_at_any_call_of_its_start_starts_the_next_time(tmp_path: Path) -> None:
    """As long as no table is made, the next one starts with the same file, and comes one call further."""
    path = tmp_path / "games.db"
    server = Server(f"sqlite:///{path}", tmp_path)
    begun = 0
    for number in range(1, 90):
        try:
            server.start(die=f"call {number}")
        except NotStarted:
            assert server.exit_code() == -9
        else:
            break  # the start needs no more calls
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as looking:  # and leaves the log as it is
            there = {name for (name,) in looking.execute("select name from sqlite_master where type = 'table'")}
        assert not there or there > set(METADATA.tables)
        if there:
            begun += 1
            server.start()
            seated(server.client())
            server.kill()
            for each in tmp_path.glob("games.db*"):
                each.unlink()
    server.kill()
    server.start()
    seated(server.client())
    server.kill()
    assert 15 < number < 80 and begun


# -- a full disk -------------------------------------------------------------------------------------------------------


def fill(server: Server, most: int | None) -> None:
    """From now on no file of this process may become longer than this; None lifts the limit."""
    limit = resource.RLIM_INFINITY if most is None else most
    resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))


def played_on_a_full_disk(folder: Path, levels: int, games: int, seed: int) -> History:
    chance, history = random.Random(seed), History()
    with serving(ready_database("sqlite", folder), folder) as server:
        for number in range(levels):
            tables = take_seats(server.client(), games)
            players = players_at(history, lambda: server.port, tables, chance.randrange(1_000))
            started(players)
            wait_for_answers(history, 10)
            size = (folder / "games.db-wal").stat().st_size
            # At the lowest levels nothing can be written; above, the log may begin anew and fit for a while.
            most = [0, size, 4096, size // 2, size + 4096, size + 40_000][number % 6]
            fill(server, most)
            until = time.monotonic() + (5.0 if most <= 4096 else 0.7)
            refused = None
            while refused is None and time.monotonic() < until:
                told = server.client().post("/api/games", {"scenario": "coral-sea", "axis": "person"})
                refused = told if told.status == 503 else None
            if refused is not None:
                assert refused.headers["retry-after"] and refused.body["refused"]
            assert refused is not None or most > 4096
            shown = look(history, server.client(tables[0].tokens["axis"]), tables[0].game, "axis")
            assert shown is not None, "looking works on a full disk"
            fill(server, None)
            healed = time.monotonic()
            while server.client().post("/api/games", {"scenario": "coral-sea", "axis": "person"}).status != 201:
                assert time.monotonic() < healed + 5.0, "it recovers by itself"
                time.sleep(0.05)
            wait_for_answers(history, 5)
            ended(players)
        assert "Traceback" not in server.log()
    return history


def test_a_full_disk_costs_service_and_no_game(tmp_path: Path) -> None:
    history = played_on_a_full_disk(tmp_path, levels=4, games=4, seed=3)
    assert history.acked > 20
    assert_kept(history, f"sqlite:///{tmp_path / 'games.db'}")


@pytest.mark.long
def test_a_full_disk_costs_service_and_no_game_at_fifty_levels(tmp_path: Path) -> None:
    history = played_on_a_full_disk(tmp_path, levels=50 * SCALE, games=20, seed=4)
    assert_kept(history, f"sqlite:///{tmp_path / 'games.db'}")
