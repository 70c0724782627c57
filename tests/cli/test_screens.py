"""What a person sees: the command under a terminal of its own, on a telephone, at 80 and at 120 columns."""

from __future__ import annotations

import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
PROMPT = "›"


class Terminal:
    """A process that believes it talks to a person."""

    def __init__(self, folder: Path, columns: int, words: list[str]) -> None:
        self.main, other = pty.openpty()
        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        environment = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "LINES", "NO_COLOR")}
        self.process = subprocess.Popen(
            [str(Path(sys.executable).with_name("flagplot")), *words],
            stdin=other,
            stdout=other,
            stderr=other,
            cwd=folder,
            env={**environment, "TERM": "xterm-256color"},
            start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a test run in the background ignores it
        )
        os.close(other)
        self.seen = ""
        self.decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")  # a read may end inside a character

    def read(self, until: str = PROMPT, seconds: float = 30) -> str:
        """What appears until this text, or the end."""
        text, end = "", time.monotonic() + seconds
        while until not in ESCAPES.sub("", text) and time.monotonic() < end:
            if select.select([self.main], [], [], 0.2)[0]:
                try:
                    data = os.read(self.main, 65536)
                except OSError:
                    break
                if not data:
                    break
                text += self.decoder.decode(data)
        self.seen += text
        return text

    def type(self, line: str) -> None:
        os.write(self.main, f"{line}\r".encode())

    def interrupt(self) -> None:
        for _ in range(3):  # who sees nothing happen presses it again
            time.sleep(0.5)  # nobody presses Ctrl-C in the same instant as the prompt appears
            self.process.send_signal(signal.SIGINT)
            self.read(until="\0", seconds=3)
            if self.process.poll() is not None:
                return

    def close(self) -> int:
        self.read(until="\0")  # to the end
        try:
            return self.process.wait(timeout=10)
        finally:
            if self.process.poll() is None:
                self.process.kill()
            os.close(self.main)


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[type]:
    """Starts the command in a terminal."""
    opened: list[Terminal] = []

    class Here(Terminal):
        def __init__(self, columns: int, *words: str) -> None:
            super().__init__(tmp_path, columns, list(words))
            opened.append(self)

    yield Here
    for each in opened:
        if each.process.poll() is None:
            each.process.kill()
            each.process.wait()


@pytest.mark.parametrize(
    ("name", "columns"),
    [
        ("denmark-strait", 80),
        ("six-groups", 40),
        ("midway", 120),
        *(pytest.param("denmark-strait", columns, marks=pytest.mark.long) for columns in (40, 120)),
        *(pytest.param("six-groups", columns, marks=pytest.mark.long) for columns in (80, 120)),
        *(pytest.param("midway", columns, marks=pytest.mark.long) for columns in (40, 80)),
    ],
)
def test_no_line_is_wider_than_the_terminal(terminal: type, name: str, columns: int) -> None:
    screen = terminal(columns, "play", name)
    screen.read()
    for line in ["", "", "chart", "log", "rule 22.54B", "help"]:
        screen.type(line)
        screen.read()
    screen.type("quit")
    assert screen.close() == 0
    for line in ESCAPES.sub("", screen.seen).replace("\r", "").split("\n"):
        assert len(line) <= columns, line


def test_chart_and_board_stand_side_by_side_where_there_is_room(terminal: type) -> None:
    for columns, beside in ((120, True), (80, False)):
        screen = terminal(columns, "play")
        screen.read()
        screen.type("")
        screen.read()
        screen.type("chart")
        screen.read()
        text = ESCAPES.sub("", screen.seen)
        assert bool(re.search(r"Naval Combat Chart ─+╮ ╭─ Britain: status board", text)) == beside
        assert "\x1b[" in screen.seen
        screen.type("quit")
        screen.close()


def test_ctrl_c_ends_tidily(terminal: type, tmp_path: Path) -> None:
    screen = terminal(80, "play")
    screen.read()
    screen.type("")
    screen.read()
    screen.interrupt()
    assert screen.close() == 130
    assert "Traceback" not in screen.seen
    assert "Saved to denmark-strait.flagplot." in ESCAPES.sub("", screen.seen)
    assert (tmp_path / "denmark-strait.flagplot").exists()


def test_two_at_one_keyboard_hand_over_and_see_no_secrets(terminal: type) -> None:
    screen = terminal(100, "play", "--side", "both")
    first = screen.read("press Enter")
    assert "Hand over to Germany" in ESCAPES.sub("", first)
    screen.type("")
    axis = screen.read("Germany ›")
    assert "Bismarck" in axis and "Hood" not in axis
    screen.type("")
    between = screen.read("press Enter")
    assert "Hand over to Britain" in ESCAPES.sub("", between)
    screen.type("")
    allies = screen.read("Britain ›")
    assert "\x1b[3J" in allies  # what was scrolled away is gone, too
    assert "Hood" in allies and "Bismarck" not in allies
    screen.type("quit")
    screen.close()


def test_a_finished_battle_can_be_kept(terminal: type, tmp_path: Path) -> None:
    screen = terminal(100, "play", "river-plate", "--side", "axis")
    while "To keep this battle" not in ESCAPES.sub("", screen.read()):
        screen.type("")
    screen.type("plate.flagplot")
    assert screen.close() == 0
    assert (tmp_path / "plate.flagplot").exists()


def test_a_replay_step_by_step(terminal: type, finished: Path) -> None:
    screen = terminal(100, "replay", str(finished), "--step")
    screen.read()
    screen.type("")
    screen.read()
    screen.type("q")
    assert screen.close() == 0
    assert screen.seen.count("Enter goes on") == 2


@pytest.mark.parametrize(
    "words",
    [
        ("scenarios",),
        ("options",),
        ("table",),
        ("table", "naval-attack"),
        ("where", "22.54B"),
        ("coverage",),
        ("call",),
    ],
)
def test_listings_are_tables_for_people(terminal: type, words: tuple[str, ...]) -> None:
    screen = terminal(100, *words)
    assert screen.close() == 0
    assert not ESCAPES.sub("", screen.seen).lstrip().startswith(("{", "["))


def test_verify_speaks_to_people(terminal: type, finished: Path) -> None:
    screen = terminal(100, "verify", str(finished))
    assert screen.close() == 0
    assert "entries, all agree" in ESCAPES.sub("", screen.seen)
    finished.write_bytes(finished.read_bytes()[:-30])
    screen = terminal(100, "verify", str(finished))
    assert screen.close() == 1
    assert "It does not verify." in ESCAPES.sub("", screen.seen)


def test_hidden_boards_are_cleared_before_dice_that_everybody_watches(terminal: type) -> None:
    screen = terminal(100, "play", "denmark-strait", "--side", "both", "--dice", "typed")
    handed = 0
    while "Roll 1 die" not in (
        shown := ESCAPES.sub("", screen.read(until=" ", seconds=10) + screen.read(until="~", seconds=0.4))
    ):
        handed += shown.count("Then press Enter.")  # each in turn is handed the keyboard, and takes what is offered
        screen.type("")
        assert handed < 40
    assert handed > 4, "who has nothing to decide is asked all the same: not being asked would tell"
    since_cleared = ESCAPES.sub("", screen.seen.rpartition("\x1b[3J")[2])
    assert "Roll 1 die" in since_cleared and "everybody may look" in since_cleared
    assert "Hood" in screen.seen and "Hood" not in since_cleared
