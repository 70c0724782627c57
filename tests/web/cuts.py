"""A way to PostgreSQL that can be cut at a moment of our choosing: just before COMMIT arrives, or just before its reply."""

from __future__ import annotations

import contextlib
import socket
import tempfile
import threading
from pathlib import Path

from tests.web.databases import Cluster

BEFORE, AFTER = "before", "after"  # COMMIT was never heard; or it was carried out and its reply never came


class Way:
    """A socket that leads to a PostgreSQL, message by message. To the server behind it, it looks like the real one."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self.folder = tempfile.mkdtemp(prefix="flagplot-way-")
        self._there = str(next(cluster.folder.glob(".s.PGSQL.*[0-9]")))
        self._here = str(Path(self.folder) / Path(self._there).name)
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(self._here)
        self._listening.listen(64)
        self._lock = threading.Lock()
        self._next = ""
        self.cuts = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def url(self, url: str) -> str:
        """The same database, on this way."""
        return url.replace(f"host={self.cluster.folder}", f"host={self.folder}")

    def cut(self, when: str) -> None:
        """The next COMMIT that comes along is lost, or its reply is."""
        with self._lock:
            self._next = when

    @property
    def due(self) -> bool:
        """Whether a cut is still to come."""
        return bool(self._next)

    def close(self) -> None:
        """No more."""
        self._listening.close()
        Path(self._here).unlink(missing_ok=True)
        Path(self.folder).rmdir()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listening.accept()
                threading.Thread(target=self._carry, args=(near,), daemon=True).start()

    def _carry(self, near: socket.socket) -> None:
        far = socket.socket(socket.AF_UNIX)
        deaf = threading.Event()  # what comes back is no longer passed on
        try:
            far.connect(self._there)
            threading.Thread(target=self._back, args=(far, near, deaf), daemon=True).start()
            while data := near.recv(65536):
                when = self._taken() if b"COMMIT\0" in data else ""  # the whole word: another is "READ COMMITTED"
                if when:
                    deaf.set()
                    if when == AFTER:
                        far.sendall(data)
                        self._replied.wait(5)
                    return
                far.sendall(data)
        except OSError:
            pass  # one of the two has hung up
        finally:
            for each in (near, far):
                with contextlib.suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)
                each.close()

    def _taken(self) -> str:
        with self._lock:
            when, self._next = self._next, ""
            self.cuts += bool(when)
            self._replied = threading.Event()
            return when

    def _back(self, far: socket.socket, near: socket.socket, deaf: threading.Event) -> None:
        with contextlib.suppress(OSError):
            while data := far.recv(65536):
                if deaf.is_set():
                    self._replied.set()
                    return
                near.sendall(data)
