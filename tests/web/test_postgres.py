"""PostgreSQL: two workers never both accept, each sees what the other did, and a lost connection costs service only."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.web.databases import Cluster, cluster
from tests.web.history import (
    History,
    Player,
    as_numbers,
    assert_kept,
    ended,
    started,
    stored,
    take_seats,
    wait_for_answers,
)
from tests.web.server import Lost, Reply, Server, Sitting, Table, decision_id, people_at, play_on, seated

SCALE = int(os.environ.get("SCALE", "1"))
PLAYERS = ("axis", "allies")


@pytest.fixture
def postgres() -> Cluster:
    return cluster()


@pytest.fixture
def workers(postgres: Cluster, tmp_path: Path) -> Iterator[list[Server]]:
    """Two servers with one database, both new, started at the same moment."""
    url = postgres.ready_database()
    pair = [Server(url, tmp_path), Server(url, tmp_path)]
    try:
        for each in pair:
            each.launch()
        for each in pair:
            each.ready()
        yield pair
    finally:
        for each in pair:
            each.resume()
            each.kill()


def assert_quiet(workers: list[Server]) -> None:
    for each in workers:
        assert "Traceback" not in each.log()


def at_both(workers: list[Server], table: Table) -> list[dict[str, Sitting]]:
    """Everybody at a table, once through each worker."""
    return [people_at(each.client(), table) for each in workers]


# -- two workers ---------------------------------------------------------------------------------------------


def test_four_workers_can_start_at_the_same_moment_on_an_empty_database(postgres: Cluster, tmp_path: Path) -> None:
    for _ in range(2):
        url = postgres.database()
        four = [Server(url, tmp_path) for _ in range(4)]
        for each in four:
            each.launch()
        try:
            for each in four:
                each.ready()
        finally:
            for each in four:
                each.kill()


def contested(workers: list[Server], decisions: int, seed: int) -> None:
    """Every decision is sent eight times in parallel over both workers: one is accepted, and both show it.

    The first game is played to its end; of the others only the beginning, which a worker reads again in less time."""
    chance, made, most = random.Random(seed), 0, decisions
    with ThreadPoolExecutor(8) as pool:
        while made < decisions:
            table = seated(workers[0].client(), "denmark-strait")
            lookers = at_both(workers, table)
            senders = [people_at(workers[n % 2].client(), table) for n in range(8)]
            shown = {seat: lookers[chance.randrange(2)][seat].view() for seat in PLAYERS}
            until = min(made + most, decisions)
            while made < until and not shown["axis"]["over"]:
                for seat in PLAYERS:
                    if (question := shown[seat]["question"]) is not None and made < decisions:
                        made += 1
                        accepted = sent_at_once(pool, [each[seat] for each in senders], question, made % 5 == 0)
                        for looker in chance.sample(lookers, 2):
                            shown[seat] = looker[seat].view()
                            assert as_numbers(shown[seat]["version"]) >= as_numbers(accepted), "a worker shows the past"
                    else:
                        shown[seat] = lookers[chance.randrange(2)][seat].view()
            most = 30


def sent_at_once(pool: ThreadPoolExecutor, senders: list[Sitting], question: Any, same: bool) -> str:
    """A decision sent by all at once: with one id it is one decision, else one of them is. The version after it."""
    one_id, together = decision_id() if same else "", threading.Barrier(len(senders))

    def send(sender: Sitting) -> Reply:
        together.wait()
        return sender.answer(one_id, question)

    told = list(pool.map(send, senders))
    if same:
        assert {each.status for each in told} == {200}, told
        assert all(each.body == told[0].body for each in told)
    else:
        assert sorted(each.status for each in told) == [200] + [409] * (len(senders) - 1), told
    version: str = next(each.body["version"] for each in told if each.status == 200)
    return version


def test_two_workers_never_both_accept_in_250_contested_decisions(workers: list[Server]) -> None:
    contested(workers, 250, seed=1)
    assert_kept(History(), workers[0].url)
    assert_quiet(workers)


@pytest.mark.long
def test_two_workers_never_both_accept_in_5000_contested_decisions(workers: list[Server]) -> None:
    contested(workers, 5_000 * SCALE, seed=2)
    assert_kept(History(), workers[0].url)
    assert_quiet(workers)


def test_each_worker_shows_and_continues_what_the_other_did(workers: list[Server]) -> None:
    people = at_both(workers, seated(workers[0].client(), "midway"))
    shown = {seat: people[0][seat].view() for seat in PLAYERS}
    for number in range(30):
        one, other = people[number % 2], people[1 - number % 2]
        asked = next(seat for seat in PLAYERS if shown[seat]["question"])
        assert one[asked].answer(question=shown[asked]["question"]).status == 200
        shown = {seat: one[seat].view() for seat in PLAYERS}
        assert shown == {seat: other[seat].view() for seat in PLAYERS}


def test_a_game_closed_at_one_worker_is_closed_at_the_other(workers: list[Server]) -> None:
    people = at_both(workers, seated(workers[0].client(), "coral-sea"))
    question = people[1]["axis"].view()["question"]
    assert people[0]["host"].close("late").status == 200
    assert people[1]["axis"].answer(question=question).status == 409
    assert "late" in people[1]["axis"].view()["closed"]


def test_a_take_back_is_asked_at_one_worker_and_granted_at_the_other(workers: list[Server]) -> None:
    people = at_both(workers, seated(workers[0].client(), "coral-sea"))
    play_on(people[0], 30)
    for _ in range(60):
        asks = next(seat for seat in PLAYERS if people[0][seat].view()["question"])
        people[0][asks].answer()
        told = people[0][asks].undo().body
        if told.get("asked"):
            break
        if told.get("ok"):
            people[0][asks].answer()
    else:
        raise AssertionError("nothing needed to be granted")
    grants = "allies" if asks == "axis" else "axis"
    assert people[1][grants].view()["takeback"] == "enemy"
    assert people[1][grants].undo(agree=True).body["ok"]
    assert people[0][asks].view()["takeback"] == ""


def test_a_stream_at_one_worker_hears_of_a_decision_at_the_other(workers: list[Server]) -> None:
    table = seated(workers[0].client(), "coral-sea")
    people = at_both(workers, table)
    client = people[1]["axis"].client
    seen = people[1]["axis"].view()["version"]
    heard: list[float] = []

    def listen() -> None:
        import http.client

        connection = http.client.HTTPConnection("127.0.0.1", client.port, timeout=20)
        connection.request(
            "GET", f"{table.path}/stream?seen={seen}", headers={"authorization": f"Bearer {client.token}"}
        )
        answer = connection.getresponse()
        while line := answer.readline():
            if line.startswith(b"event: changed"):
                heard.append(time.monotonic())
                break
        connection.close()

    listening = threading.Thread(target=listen, daemon=True)
    listening.start()
    time.sleep(0.5)
    play_on(people[0], 2)
    decided = time.monotonic()
    listening.join(20)
    assert heard, "the stream never heard of it"
    assert heard[0] - decided < 5.0


# -- a worker that stands still ---------------------------------------------------------------------------------------


def test_a_worker_that_was_paused_in_the_middle_of_a_decision_does_not_overwrite_the_other(
    workers: list[Server],
) -> None:
    chance = random.Random(5)
    table = seated(workers[0].client(), "midway")
    people = at_both(workers, table)
    ids = []
    for _ in range(3):
        seat = next(each for each in PLAYERS if people[1][each].view()["question"])
        question = people[1][seat].view()["question"]
        mine, theirs = decision_id(), decision_id()
        outcome: dict[str, int] = {}

        def late(id: str = mine, seat: str = seat, question: Any = question, outcome: dict[str, int] = outcome) -> None:
            outcome["late"] = people[0][seat].answer(id, question).status

        sending = threading.Thread(target=late)
        sending.start()
        time.sleep(chance.uniform(0.0, 0.01))
        workers[0].pause()
        going_on = threading.Timer(chance.uniform(1.0, 1.2), workers[0].resume)
        going_on.start()
        while True:
            told = people[1][seat].answer(theirs, question)
            if told.status != 503:
                break
        going_on.join()
        sending.join()
        assert sorted([outcome["late"], told.status]) == [200, 409]
        ids.append((mine, theirs))
        play_on(people[1], 2)
    kept = stored(workers[0].url)[table.game]
    assert all((mine in kept.answered) != (theirs in kept.answered) for mine, theirs in ids)
    assert_kept(History(), workers[0].url)


@pytest.mark.long
def test_a_game_that_is_locked_is_answered_with_a_sentence_and_harms_no_other(workers: list[Server]) -> None:
    tables = [seated(workers[0].client(), "midway") for _ in range(2)]
    stuck, free = (people_at(workers[0].client(), table) for table in tables)
    host = workers[0].url.partition("host=")[2]
    name = workers[0].url.partition("@/")[2].partition("?")[0]
    seat = next(each for each in PLAYERS if stuck[each].view()["question"])
    with psycopg.connect(host=host, user="postgres", dbname=name) as holding:
        holding.execute("select * from games where id = %s for update", (tables[0].game,))
        with ThreadPoolExecutor(1) as pool:
            stuck[seat].client.patience = 12.0
            waiting = pool.submit(stuck[seat].answer)
            time.sleep(0.3)
            play_on(free, 5)
            try:
                told = waiting.result()
            except Lost:
                raise AssertionError("the request hangs for as long as somebody holds the game") from None
        assert told.status == 503 and told.headers["retry-after"]
        holding.rollback()
    assert stuck[seat].answer().status == 200


# -- lost connections -----------------------------------------------------------------------------------------------------


def players_over(workers: list[Server], history: History, tables: list[Table], seed: int) -> list[Player]:
    chance = random.Random(seed)

    def port() -> int:
        return chance.choice(workers).port

    chains = [tables[number::3] for number in range(3)]
    made = [
        Player(history, port, seat, chain, seed * 100 + number, undo=0.05)
        for number, (chain, seat) in enumerate((chain, seat) for chain in chains for seat in (*PLAYERS, "allies"))
    ]
    return started(made)


def recovered(worker: Server, table: Table, within: float) -> None:
    """It serves again, by itself and soon."""
    until = time.monotonic() + within
    somebody = people_at(worker.client(), table)["axis"]
    while True:
        try:
            told = somebody.client.get(table.path)
            if told.status == 200:
                return
            assert told.status == 503 and told.headers["retry-after"], told
        except Lost:
            pass
        assert time.monotonic() < until, "it does not recover"
        time.sleep(0.05)


def cut_under_load(postgres: Cluster, workers: list[Server], cuts: int, seed: int) -> History:
    chance, history = random.Random(seed), History()
    for begin in range(0, cuts, 40):
        tables = take_seats(workers[0].client(), 9)
        players = players_over(workers, history, tables, seed + begin)
        for _ in range(min(40, cuts - begin)):
            wait_for_answers(history, chance.randrange(6))
            time.sleep(chance.uniform(0.0, 0.1))
            until = time.monotonic() + 10
            while not postgres.cut(workers[0].url):  # they may just all have been cut
                assert time.monotonic() < until, "nobody is connected"
                time.sleep(0.01)
        for worker in workers:
            recovered(worker, tables[0], within=5.0)
        ended(players)
    return history


def test_connections_cut_under_load_cost_service_and_no_game(postgres: Cluster, workers: list[Server]) -> None:
    history = cut_under_load(postgres, workers, 6, seed=1)
    assert history.acked > 12
    assert_kept(history, workers[0].url)
    assert_quiet(workers)


@pytest.mark.long
def test_300_cuts_under_load_cost_service_and_no_game(postgres: Cluster, workers: list[Server]) -> None:
    history = cut_under_load(postgres, workers, 300 * SCALE, seed=2)
    assert_kept(history, workers[0].url)
    assert_quiet(workers)


def crash_under_load(postgres: Cluster, workers: list[Server], crashes: int, seed: int) -> History:
    chance, history = random.Random(seed), History()
    for number in range(crashes):
        tables = take_seats(workers[0].client(), 3)
        players = players_over(workers, history, tables, seed + number)
        wait_for_answers(history, 8 + chance.randrange(8))
        postgres.stop(signal.SIGQUIT)
        try:
            told = people_at(workers[0].client(), tables[0])["axis"].client.get(tables[0].path)
            assert told.status == 503 and told.headers["retry-after"] and told.body["refused"]
            told = workers[0].client().post("/api/games", {"scenario": "coral-sea"})
            assert told.status == 503 and told.headers["retry-after"] and told.body["refused"]
            time.sleep(0.3)
        finally:
            postgres.start()
        for worker in workers:
            recovered(worker, tables[0], within=5.0)
        wait_for_answers(history, 8)
        ended(players)
    return history


def test_a_database_that_crashes_under_load_costs_service_and_no_game(postgres: Cluster, workers: list[Server]) -> None:
    history = crash_under_load(postgres, workers, 1, seed=1)
    assert history.acked > 10
    assert_kept(history, workers[0].url)
    assert_quiet(workers)


@pytest.mark.long
def test_50_crashes_of_the_database_cost_service_and_no_game(postgres: Cluster, workers: list[Server]) -> None:
    history = crash_under_load(postgres, workers, 50 * SCALE, seed=2)
    assert_kept(history, workers[0].url)
    assert_quiet(workers)


# -- killed workers --------------------------------------------------------------------------------------------------------


def killed_over_two(workers: list[Server], kills: int, seed: int) -> History:
    chance, history = random.Random(seed), History()
    for begin in range(0, kills, 25):
        players = players_over(workers, history, take_seats(workers[0].client(), 9), seed + begin)
        for _ in range(min(25, kills - begin)):
            wait_for_answers(history, chance.randrange(8))
            time.sleep(chance.uniform(0.0, 0.1))
            dying = chance.choice([workers, workers[:1], workers[1:]])
            for each in dying:
                each.kill()
            for each in dying:
                each.launch()
            for each in dying:
                each.ready()
        ended(players)
    return history


def test_nothing_acknowledged_is_lost_when_workers_are_killed_under_load(workers: list[Server]) -> None:
    history = killed_over_two(workers, 4, seed=1)
    assert history.acked > 8
    assert_kept(history, workers[0].url)


@pytest.mark.long
def test_nothing_acknowledged_is_lost_when_workers_are_killed_300_times_under_load(workers: list[Server]) -> None:
    history = killed_over_two(workers, 300 * SCALE, seed=2)
    assert_kept(history, workers[0].url)
