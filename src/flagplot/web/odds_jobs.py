"""Odds off the request path: questions wait here, are fought in a process of their own, and are looked at by polling.

The law here: the server's own process fights nothing. Each question gets short turns, the one that has had least goes first,
so that a first answer comes at once however many wait. Whoever closes his page says so, and a question nobody has looked
at for five seconds gets no more turns; what it has is kept for a minute. Whoever asks another question gives up his last
one. A question is known by what its asker knows: nothing of it, nor when it is begun anew, depends on what the enemy keeps
to himself (trust.md, decision 5). Enemies share no process and no places: nobody learns from waiting that the other side
reckons.
"""

from __future__ import annotations

import atexit
import multiprocessing
import threading
import time
from collections.abc import Hashable
from contextlib import suppress
from hashlib import blake2b
from multiprocessing.connection import Connection
from typing import NamedTuple

from flagplot.odds.sampling import MOST_BATTLES
from flagplot.web.odds_worker import Question, Turn, work

LOOKED_AT = 5.0  # seconds after which a question nobody looks at is stopped
KEPT = 60.0  # and after which it is forgotten
PLACES = 8  # questions being fought or waiting, of those who share a process
IDLE = 300.0  # seconds after which a process that nobody asked anything ends
TURN = 0.25  # seconds
FIRST_WAIT = 0.4  # seconds a first look waits for a first answer
PATIENCE = 120.0  # seconds after which a worker that says nothing is given up
BUSY = "many odds are being fought here just now: ask again in a moment"


class Looked(NamedTuple):
    """A question as it stands: `running`, `done`, `busy` or `none`; the answer so far as JSON, or why there is none; and a
    mark by which two looks at the same question are known."""

    state: str
    answer: bytes = b""
    why: str = ""
    mark: str = ""


class Job:
    """One question."""

    def __init__(self, number: int, asker: Hashable, question: Question, mark: str, whose: str = "") -> None:
        self.number = number
        self.asker = asker
        self.whose = whose  # who shares a process with it
        self.mark = mark
        self.question: Question | None = question  # until the worker has it
        self.lane: Lane | None = None
        self.looked = time.monotonic()
        self.had = 0.0  # seconds of turns
        self.answer = b""
        self.last = False
        self.refused = ""
        self.given_up = False  # by its asker, who asks something else

    def active(self, now: float) -> bool:
        """Whether it is still to be fought."""
        return not self.last and not self.given_up and now - self.looked < LOOKED_AT


class OddsJobs:
    """All questions of one server."""

    def __init__(
        self, workers: int = 1, *, early: bool = False, most: int = MOST_BATTLES, seconds: float = 30.0
    ) -> None:
        self.workers = workers
        self.early = early  # whether a process is there before anything is asked
        self.most = most
        self.seconds = seconds
        self.pairs: int | None = None  # how often each pair of choices is fought for advice; None = often
        self.jobs: dict[Hashable, Job] = {}
        self.changed = threading.Condition()
        self.lanes: list[Lane] = []
        self.ended = threading.Event()
        self._numbers = 0

    def knows(self, key: Hashable) -> bool:
        """Whether a question need not be put again."""
        with self.changed:
            return key in self.jobs

    def ask(
        self,
        key: Hashable,
        asker: Hashable,
        question: Question | None,
        *,
        whose: str = "",
        mark: object = "",
        places: int = PLACES,
    ) -> Looked:
        """Look at a question; a new one is begun if there is room. `whose` names those who share a process."""
        now = time.monotonic()
        with self.changed:
            self._forget(now)
            job = self.jobs.get(key)
            others = [each for each in self.jobs.values() if each.whose == whose and each.asker != asker]
            if (job is None or not job.last) and sum(each.active(now) for each in others) >= places:
                return Looked("busy", job.answer if job else b"", BUSY)
            self._give_up(asker, job)
            if job is None:
                if question is None:  # forgotten since it was last looked at: the next look puts it again
                    return Looked("running")
                self._numbers += 1
                job = self.jobs[key] = Job(self._numbers, asker, question, marked(mark), whose)
            job.looked, job.given_up = now, False
            if not job.last:
                self._begin(whose)
                self.changed.notify_all()
                self.changed.wait_for(lambda: bool(job.answer or job.last or self.ended.is_set()), FIRST_WAIT)
            return _looked(job)

    def stop(self, asker: Hashable) -> None:
        """Somebody has gone, or wants to know no more: his question gets no more turns. What it has is kept."""
        with self.changed:
            self._give_up(asker, None)

    def warm(self, whose: str = "") -> None:
        """A page that may ask is open: let a process be there, if the host wants that."""
        if self.early and self.workers:
            with self.changed:
                self._begin(whose)

    def _give_up(self, asker: Hashable, but: Job | None) -> None:
        for each in self.jobs.values():
            each.given_up |= each.asker == asker and each is not but

    def _begin(self, whose: str) -> None:
        """Start the workers of those who share them, unless they are there."""
        if self.ended.is_set() or any(lane.whose == whose for lane in self.lanes):
            return
        if not self.lanes:
            atexit.register(self.end)
        self.lanes += [Lane(self, whose) for _ in range(max(1, self.workers))]

    def left(self, lane: Lane) -> bool:
        """A lane nobody has asked anything for long goes, unless something has just come."""
        with self.changed:
            now = time.monotonic()
            if any(job.active(now) and job.whose == lane.whose for job in self.jobs.values()):
                return False
            self.lanes = [each for each in self.lanes if each is not lane]
            return True

    def _forget(self, now: float) -> None:
        for key in [key for key, job in self.jobs.items() if now - job.looked > KEPT]:
            job = self.jobs.pop(key)
            if job.lane is not None:
                job.lane.gone.append(job.number)

    def next_for(self, lane: Lane) -> Job | None:
        """The question whose turn it is: the one that has had least. Waits a second for one."""
        with self.changed:
            now = time.monotonic()
            self._forget(now)
            mine = [job for job in self.jobs.values() if job.whose == lane.whose and job.lane in (None, lane)]
            ready = [job for job in mine if job.active(now)]
            job = min(ready, key=lambda job: (job.had, job.number), default=None)
            if job is None:
                self.changed.wait(1.0)
            else:
                job.lane = lane
            return job

    def end(self) -> None:
        """End the workers; nothing is fought after this."""
        with self.changed:
            self.ended.set()
            lanes, self.lanes = self.lanes, []
            self.changed.notify_all()
        for lane in lanes:
            lane.end()
        if lanes:
            atexit.unregister(self.end)


class Lane:
    """One worker process, and the thread that gives it turns."""

    def __init__(self, jobs: OddsJobs, whose: str = "") -> None:
        self.jobs = jobs
        self.whose = whose
        self.gone: list[int] = []
        self.pipe: Connection | None = None
        self.process: multiprocessing.process.BaseProcess | None = None
        self.thread = threading.Thread(target=self._run, name="odds", daemon=True)
        self.thread.start()

    def _run(self) -> None:
        asked = time.monotonic()
        with suppress(OSError):  # it is tried again when something is asked
            self._worker()
        while not self.jobs.ended.is_set():
            job = self.jobs.next_for(self)
            begun = time.monotonic()
            if job is None:
                if begun - asked > IDLE and self.jobs.left(self):
                    self._let_go()
                    return
                continue
            asked = begun
            try:
                pipe = self._worker()
                gone, self.gone = tuple(self.gone), []
                pipe.send(Turn(gone, job.number, job.question, TURN))
                if not pipe.poll(PATIENCE):
                    raise TimeoutError
                answer, last, refused = pipe.recv()
            except (EOFError, OSError):  # the worker has died, or says nothing
                if self.jobs.ended.is_set():
                    return
                self._lost()
                answer, last, refused = b"", True, "the process that fights odds was lost: ask again"
            with self.jobs.changed:
                job.question = None
                job.answer, job.last, job.refused = answer or job.answer, last, refused
                job.had += time.monotonic() - begun
                self.jobs.changed.notify_all()
        self._let_go()  # a process that was only just being started

    def _worker(self) -> Connection:
        """The way to the worker, which is started if there is none."""
        if self.pipe is None:
            context = multiprocessing.get_context("spawn")
            ours, theirs = context.Pipe()
            process = context.Process(target=work, args=(theirs,), name="flagplot odds")
            process.start()
            theirs.close()
            self.pipe, self.process = ours, process  # when it runs: whoever ends it may come at any time
        return self.pipe

    def _lost(self) -> None:
        """Let go of a worker; what it was fighting is put anew when it is next asked for."""
        self._let_go()
        with self.jobs.changed:
            for key in [key for key, job in self.jobs.jobs.items() if job.lane is self and not job.last]:
                del self.jobs.jobs[key]

    def _let_go(self) -> None:
        pipe, process = self.pipe, self.process
        self.pipe = self.process = None
        if pipe is not None:
            pipe.close()
        if process is not None:
            process.kill()
            process.join(5)

    def end(self) -> None:
        """Stop at once."""
        if self.process is not None:
            self.process.kill()  # the thread finds its pipe closed
        self.thread.join(5)
        self._let_go()


def marked(what: object) -> str:
    """A short mark of what is asked."""
    return blake2b(repr(what).encode(), digest_size=6).hexdigest()


def _looked(job: Job) -> Looked:
    if job.refused:
        return Looked("none", b"", job.refused, job.mark)
    return Looked("done" if job.last else "running", job.answer, "", job.mark)
