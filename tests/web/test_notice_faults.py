"""Calls to the database fail while notices are kept, written down and sent: a notice is there with its decision or not at all,
and what is there is sent, at most once too often (trust.md, promise 4)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, insert, select
from sqlalchemy.exc import SQLAlchemyError

from flagplot.core.errors import GameError
from flagplot.core.sides import Side
from flagplot.web.database import NOTICES, OUTBOX, Database
from flagplot.web.notices import GAPS, GAVE_UP, HOOK, REMINDED
from tests.web.databases import KINDS, ready_database
from tests.web.faults import UNHEARD, WAYS, Faults, at_least
from tests.web.history import stored
from tests.web.test_notices import Canary, canary, hook_of, outbox
from tests.web.timing import begun, by_hand, hall_at

__all__ = ["canary"]


class Trying:
    """A hall whose database can be made to fail, where notices go to a canary."""

    def __init__(self, kind: str, folder: Path, canary: Canary) -> None:
        self.url, listed = hook_of(canary)
        where = ready_database(kind, folder)
        self.hall, self.clock = hall_at(where, key_file=str(folder / "key"), outbound=listed)
        self.notices = self.hall.release.notices
        self.looking = Database(where)
        self.faults = Faults(self.hall.database)

    def rows(self, table: Any) -> list[dict[str, Any]]:
        """What is stored, seen by somebody whose calls do not fail."""
        with self.looking.read() as connection:
            return [dict(row) for row in connection.execute(select(table)).mappings().all()]

    def at_every_call(self, way: str, least: int, deed: Callable[[], object], check: Callable[[bool], None]) -> None:
        """Let the first call of a deed fail, then the second, and so on; whether it seemed to be done is checked."""
        for number in range(1, 80):
            self.faults.arm(number, way)
            try:
                deed()
                done = True
            except (GameError, SQLAlchemyError):  # all that the postman and the pages expect
                assert self.faults.failed
                done = False
            reached = self.faults.made >= number
            self.faults.heal()
            check(done)
            if not reached:
                assert done and number > at_least(least, way)
                return
        raise AssertionError("there is no end of calls")

    def close(self) -> None:
        """All connections."""
        self.looking.close()
        self.hall.database.close()


@pytest.fixture
def trying(request: pytest.FixtureRequest, tmp_path: Path, canary: Canary) -> Any:
    made = Trying(request.param, tmp_path, canary)
    yield made
    made.close()


on_both = pytest.mark.parametrize(("trying", "way"), [(k, way) for k in KINDS for way in WAYS], indirect=["trying"])


@on_both
def test_what_is_in_the_outbox_is_sent_whichever_call_fails(trying: Trying, way: str, canary: Canary) -> None:
    id = begun(trying.hall, scenario="coral-sea")
    trying.notices.keep(id, "axis", HOOK, trying.url)
    before = 0

    def due() -> None:
        row = {"game": id, "seat": "axis", "kind": HOOK, "question": REMINDED, "due": trying.clock.time()}
        with trying.looking.write() as connection:
            connection.execute(insert(OUTBOX).values(id=str(len(canary.sent)), tries=0, **row))

    def check(done: bool) -> None:
        nonlocal before
        trying.clock.pass_by(GAPS[-1] + 1)
        trying.notices.step()
        assert trying.rows(OUTBOX) == []
        assert canary.calls - before in ((1,) if done else (1, 2))
        assert trying.rows(NOTICES)[0]["failures"] == 0
        before = canary.calls
        due()

    due()
    trying.at_every_call(way, 4, trying.notices.step, check)


@on_both
def test_a_notice_is_written_with_its_decision_or_not_at_all_whichever_call_fails(trying: Trying, way: str) -> None:
    made: dict[str, Any] = {}

    def begin() -> None:
        made["id"] = begun(trying.hall, scenario="coral-sea")
        trying.notices.keep(made["id"], "axis", HOOK, trying.url)
        by_hand(trying.hall, made["id"], Side.AXIS)
        made["lines"] = len(stored(trying.looking, made["id"])[made["id"]].lines)

    def check(done: bool) -> None:
        lines = len(stored(trying.looking, made["id"])[made["id"]].lines)
        queued = [row["game"] for row in trying.rows(OUTBOX)].count(made["id"])
        assert (lines > made["lines"]) == (queued == 1)
        if way != UNHEARD:
            assert done == (queued == 1)
        begin()

    begin()
    trying.at_every_call(way, 4, lambda: by_hand(trying.hall, made["id"], Side.ALLIES), check)


@on_both
def test_an_address_is_kept_switched_on_and_forgotten_or_not_whichever_call_fails(trying: Trying, way: str) -> None:
    id = begun(trying.hall, scenario="coral-sea")
    trying.notices.keep(id, "axis", HOOK, trying.url)
    (on,) = trying.rows(NOTICES)
    off = on | {"off": GAVE_UP, "failures": 3}

    def set_to(*rows: dict[str, Any]) -> None:
        with trying.looking.write() as connection:
            connection.execute(delete(NOTICES))
            for row in rows:
                connection.execute(insert(NOTICES).values(**row))

    deeds: list[tuple[list[dict[str, Any]], list[str], Callable[[], object]]] = [
        ([], [""], lambda: trying.notices.keep(id, "axis", HOOK, trying.url)),
        ([off], [""], lambda: trying.notices.switch_on(id, "axis", HOOK)),
        ([on], [], lambda: trying.notices.remove(id, "axis", HOOK)),
    ]
    for before, after, deed in deeds:

        def check(done: bool, before: Any = before, after: Any = after) -> None:
            is_done = [row["off"] for row in trying.rows(NOTICES)] == after
            assert is_done if done else trying.rows(NOTICES) == before or (is_done and way == UNHEARD)
            set_to(*before)

        set_to(*before)
        trying.at_every_call(way, 2, deed, check)
    assert outbox(trying.hall) == []
