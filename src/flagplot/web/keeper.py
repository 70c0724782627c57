"""What a server does by itself, by the clock: standing orders whose delay is over, envelopes at the quarter hour, clocks.

One thread, beside the requests. What fails is tried again a second later; nothing here harms a game.
"""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from sqlalchemy.exc import SQLAlchemyError

from flagplot.web.limits import report_error

if TYPE_CHECKING:
    from flagplot.web.hall import Hall

EVERY = 0.5  # seconds


class Keeper:
    """Looks at the clock for a hall."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self._ending = threading.Event()
        self._thread: threading.Thread | None = None

    def begin(self) -> None:
        """Look at the clock from now on."""
        self._ending.clear()
        self._thread = threading.Thread(target=self._go_on, name="keeper", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """No longer."""
        self._ending.set()
        if self._thread is not None:
            self._thread.join(10)

    def _go_on(self) -> None:
        with suppress(SQLAlchemyError):
            self.hall.standing.begin()
        while not self._ending.wait(EVERY):
            self.step()

    def step(self) -> None:
        """Do all that is due now."""
        for each in (self.hall.standing.step, self.hall.release.step, self.hall.clocks.step):
            try:
                each()
            except SQLAlchemyError:  # no database just now
                continue
            except Exception as trouble:
                report_error(trouble)
