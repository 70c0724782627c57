"""Where odds are fought: a process of its own beside the server, which fights a little of one question after the other.

The law here: it is told questions and turns and tells answers, nothing else. It holds no game, no database and no socket of
the server's; when its pipe is closed it ends.
"""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, Future
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from flagplot.api.battle_advice import advise
from flagplot.api.battle_odds import odds
from flagplot.core.errors import GameError
from flagplot.core.sides import Side
from flagplot.doctrine.doctrine import Doctrine
from flagplot.odds.beliefs import Belief
from flagplot.odds.sampling import uncounted
from flagplot.odds.worlds import World

LATER = 5  # how much we give way to the server: pages before odds


class Advice(NamedTuple):
    """On whose choice, of which kind, advice is asked for, what counts, how often each pair is fought at most, and what
    stands beside each choice."""

    side: Side
    kind: str
    value: str
    battles: int | None = None
    beside: tuple[dict[str, Any], ...] = ()


class Question(NamedTuple):
    """Whose odds are asked for: a world as somebody knows it, and how far to go. With `advice`, what to choose in it; `side`
    is who knows it so."""

    world: World
    belief: Belief
    doctrines: Mapping[Side, Doctrine]
    leave_out: tuple[str, ...]
    seed: int
    width: float
    most: int
    seconds: float
    advice: Advice | None = None
    side: Side | None = None


class Turn(NamedTuple):
    """One turn: questions nobody asks any longer, the one that is fought now (with its question the first time), and for
    how many seconds."""

    gone: tuple[int, ...]
    number: int
    question: Question | None
    seconds: float


class Told(NamedTuple):
    """What a turn came to: the answer so far as JSON, whether it is the last, or why there is none."""

    answer: bytes
    last: bool
    refused: str = ""


class _Later(Future[Any]):
    """What is fought only when somebody wants to know."""

    def __init__(self, work: Callable[[], Any]) -> None:
        super().__init__()
        self.work = work

    def result(self, timeout: float | None = None) -> Any:
        """Fight it now."""
        return self.work()


class Lazily(Executor):
    """Nothing is fought ahead: a question that waits for its next turn costs nothing."""

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        """Keep it for later."""
        return _Later(lambda: function(*arguments, **named))


class Run:
    """A question that is being fought."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.left = question.seconds
        self.steps = self._advice(question.advice) if question.advice else self._steps()

    def _advice(self, asked: Advice) -> Iterator[dict[str, Any]]:
        question = self.question
        side, kind, value, battles, beside = asked
        yield from advise(
            question.world,
            side,
            kind,
            belief=question.belief,
            doctrines=question.doctrines,
            value=value,
            battles=battles,
            seed=question.seed,
            beside=beside,
        )

    def _steps(self) -> Iterator[dict[str, Any]]:
        world, belief, doctrines, leave_out, seed, width, most, _, _, side = self.question
        yield from odds(
            world,
            side=side,
            belief=belief,
            doctrines=doctrines,
            leave_out=leave_out,
            seed=seed,
            width=width,
            most=most,
            executor=Lazily(),
            workers=1,
        )

    def turn(self, seconds: float) -> Told:
        """Fight for a while. The first turn ends with the first answer."""
        begun = time.monotonic()
        until = begun + (0.0 if self.left == self.question.seconds else min(seconds, self.left))
        answer: dict[str, Any] = {}
        first = True
        while first or time.monotonic() < until:
            following = next(self.steps, None)
            if following is None:
                break
            answer, first = following, False
            if answer["last"]:
                return _told(answer, last=True)
        self.left -= time.monotonic() - begun
        if self.left <= 0:
            why = f"{self.question.seconds:.0f} seconds were fought, the longest a question may take here"
            answer["why"] = f"{why}{uncounted(answer.get('broken_off', 0))}"
            return _told(answer, last=True)
        return _told(answer | {"why": ""}, last=False)


def _told(answer: dict[str, Any], *, last: bool) -> Told:
    return Told(json.dumps(answer | {"last": last}).encode(), last)


def work(pipe: Connection) -> None:
    """Take turns until the server goes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Control-C at a terminal is for the server, which ends us
    with suppress(OSError):
        os.nice(LATER)
    runs: dict[int, Run] = {}
    while True:
        try:
            gone, number, question, seconds = pipe.recv()
        except (EOFError, OSError):
            return
        for each in gone:
            runs.pop(each, None)
        if question is not None:
            runs[number] = Run(question)
        try:
            told = runs[number].turn(seconds)
        except GameError as refusal:
            told = Told(b"", True, str(refusal))
        except Exception as error:
            from flagplot.web.limits import report_error  # with all that serves pages

            told = Told(b"", True, f"something went wrong here, and was noted as number {report_error(error)}")
        if told.last:
            runs.pop(number, None)
        try:
            pipe.send(told)
        except OSError:
            return
