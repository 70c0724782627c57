"""Odds off the request path: questions wait here, are fought in a process of their own, and are looked at by polling.

The law here: the server's own process fights nothing. Each question gets short turns, the one that has had least goes first,
so that a first answer comes at once however many wait. A question nobody has looked at for five seconds gets no more
turns; what it has is kept for a minute. Whoever asks another question gives up his last one. A question is known by what
its asker knows: nothing of it, nor when it is begun anew, depends on what the enemy keeps to himself (trust.md, decision 5).
"""

from __future__ import annotations

import atexit
import multiprocessing
import threading
import time
from collections.abc import Hashable
from hashlib import blake2b
from multiprocessing.connection import Connection
from typing import NamedTuple

from flagplot.odds.sampling import MOST_BATTLES
from flagplot.web.odds_worker import Question, Turn, work

LOOKED_AT = 5.0  # seconds after which a question nobody looks at is stopped
KEPT = 60.0  # and after which it is forgotten
PLACES = 8  # questions being fought or waiting
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

    def __init__(self, number: int, asker: Hashable, question: Question, mark: str) -> None:
        self.number = number
        self.asker = asker
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

    def __init__(self, workers: int = 1, *, most: int = MOST_BATTLES, seconds: float = 30.0) -> None:
        self.workers = workers
        self.most = most
        self.seconds = seconds
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
        self, key: Hashable, asker: Hashable, question: Question | None, *, mark: object = "", places: int = PLACES
    ) -> Looked:
        """Look at a question; a new one is begun if there is room."""
        now = time.monotonic()
        with self.changed:
            self._forget(now)
            job = self.jobs.get(key)
            active = [each for each in self.jobs.values() if each.active(now) and each.asker != asker]
            if (job is None or not job.last) and len(active) >= places:
                return Looked("busy", job.answer if job else b"", BUSY)
            for each in self.jobs.values():
                each.given_up |= each.asker == asker and each is not job
            if job is None:
                if question is None:  # forgotten since it was last looked at: the next look puts it again
                    return Looked("running")
                self._numbers += 1
                job = self.jobs[key] = Job(self._numbers, asker, question, marked(mark))
            job.looked, job.given_up = now, False
            if not job.last:
                self._begin()
                self.changed.notify_all()
                self.changed.wait_for(lambda: bool(job.answer or job.last or self.ended.is_set()), FIRST_WAIT)
            return _looked(job)

    def _begin(self) -> None:
        """Start the workers, at the first question."""
        if not self.lanes and not self.ended.is_set():
            self.lanes = [Lane(self) for _ in range(max(1, self.workers))]
            atexit.register(self.end)

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
            ready = [job for job in self.jobs.values() if job.active(now) and job.lane in (None, lane)]
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

    def __init__(self, jobs: OddsJobs) -> None:
        self.jobs = jobs
        self.gone: list[int] = []
        self.pipe: Connection | None = None
        self.process: multiprocessing.process.BaseProcess | None = None
        self.thread = threading.Thread(target=self._run, name="odds", daemon=True)
        self.thread.start()

    def _run(self) -> None:
        while not self.jobs.ended.is_set():
            job = self.jobs.next_for(self)
            if job is None:
                continue
            begun = time.monotonic()
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

    def _worker(self) -> Connection:
        """The way to the worker, which is started if there is none."""
        if self.pipe is None:
            context = multiprocessing.get_context("spawn")
            self.pipe, theirs = context.Pipe()
            self.process = context.Process(target=work, args=(theirs,), name="flagplot odds")
            self.process.start()
            theirs.close()
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
