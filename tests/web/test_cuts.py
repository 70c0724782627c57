"""The connection to PostgreSQL is lost at COMMIT: before it was heard, or after it was carried out and before its reply."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.cuts import AFTER, BEFORE, Way
from tests.web.databases import cluster
from tests.web.history import History, assert_kept, ended, started, stored, take_seats, wait_for_answers
from tests.web.server import Server, decision_id, new_game, people_at, seated
from tests.web.test_kills import players_at

SCALE = int(os.environ.get("SCALE", "1"))
PLAYERS = ("axis", "allies")


@pytest.fixture
def way() -> Iterator[Way]:
    made = Way(cluster())
    yield made
    made.close()


@pytest.fixture
def server(way: Way, tmp_path: Path) -> Iterator[Server]:
    """A server whose way to its database can be cut."""
    running = Server(way.url(way.cluster.ready_database()), tmp_path).start()
    yield running
    running.kill()
    assert "Traceback" not in running.log()


@pytest.mark.parametrize("when", [BEFORE, AFTER])
def test_a_decision_whose_commit_is_cut_counts_once(way: Way, server: Server, when: str) -> None:
    table = seated(server.client(), "coral-sea")
    people = people_at(server.client(), table)
    for number in range(10):
        seat = next(each for each in PLAYERS if people[each].view()["question"])
        question, id = people[seat].view()["question"], decision_id()
        way.cut(when)
        told = people[seat].answer(id, question)
        assert told.status == 503 and told.headers["retry-after"] and told.body["refused"]
        assert way.cuts == number + 1
        kept = stored(server.url, table.game)[table.game]
        assert (id in kept.answered) == (when == AFTER)
        for _ in range(2):
            again = people[seat].answer(id, question)
            assert again.status == 200 and again.body["ok"], again
        now = stored(server.url, table.game)[table.game]
        assert id in now.answered
        assert len(set(filter(None, now.of_decision))) == number + 1
    assert_kept(History(), server.url)


@pytest.mark.parametrize("when", [BEFORE, AFTER])
def test_a_game_or_a_claim_whose_commit_is_cut_is_there_or_not(way: Way, server: Server, when: str) -> None:
    made = 0
    while True:
        way.cut(when)
        told = server.client().post("/api/games", {"scenario": "coral-sea", "axis": "person", "allies": "person"})
        if told.status != 201:
            break
        made += 1  # a commit of the server's own was cut, soon after its start
        assert made < 3
    assert told.status == 503 and told.headers["retry-after"]
    assert len(stored(server.url)) == made + (when == AFTER)
    _, invitations = new_game(server.client(), "coral-sea")
    way.cut(when)
    assert server.client().post("/api/claim", {"token": invitations["axis"]}).status == 503
    again = server.client().post("/api/claim", {"token": invitations["axis"]})
    assert again.status == (404 if when == AFTER else 200)
    assert_kept(History(), server.url)


def cut_at_commit(way: Way, server: Server, cuts: int, seed: int) -> History:
    chance, history = random.Random(seed), History()
    for begin in range(0, cuts, 25):
        players = started(players_at(history, lambda: server.port, take_seats(server.client(), 8), seed + begin))
        for _ in range(min(25, cuts - begin)):
            way.cut(chance.choice([BEFORE, AFTER]))
            until = time.monotonic() + 10
            while way.due and time.monotonic() < until:
                time.sleep(0.002)
            assert not way.due, "nothing was committed for ten seconds"
            wait_for_answers(history, chance.randrange(3))
        wait_for_answers(history, 5)
        ended(players)
    assert way.cuts >= cuts
    return history


def test_10_cuts_at_commit_under_load_cost_service_and_no_game(way: Way, server: Server) -> None:
    history = cut_at_commit(way, server, 10, seed=1)
    assert history.acked > 4
    assert_kept(history, server.url)


@pytest.mark.long
def test_200_cuts_at_commit_under_load_cost_service_and_no_game(way: Way, server: Server) -> None:
    history = cut_at_commit(way, server, 200 * SCALE, seed=2)
    assert_kept(history, server.url)
