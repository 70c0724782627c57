"""Draws docs/terminal.svg: what a player sees, from a real run of the program in a pseudo-terminal.

python tools/picture.py
"""

from __future__ import annotations

import io
import os
import pty
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

HOME = Path(__file__).parents[1]
DICE = "5 2 3 6 4 5 5 6 3 2 4 3 3"
ANSWERS = ["", "", "2"]
COLUMNS, LINES = 104, 62


def screen() -> str:
    """Everything the terminal shows, colours included, for a few answers to the default battle."""
    with tempfile.TemporaryDirectory() as folder:
        dice = Path(folder) / "dice.txt"
        dice.write_text(DICE + "\n")
        main, side = pty.openpty()
        command = [
            str(Path(sys.executable).with_name("flagplot")),
            "play",
            "denmark-strait",
            "--dice",
            f"script:{dice}",
        ]
        environment = {**os.environ, "COLUMNS": str(COLUMNS), "LINES": str(LINES), "TERM": "xterm-256color"}
        with subprocess.Popen(command, stdin=side, stdout=side, stderr=side, cwd=folder, env=environment) as process:
            os.close(side)
            os.write(main, ("\n".join([*ANSWERS, "quit"]) + "\n").encode())
            shown = io.BytesIO()
            while True:
                try:
                    chunk = os.read(main, 65536)
                except OSError:  # the program has ended and with it the terminal
                    break
                if not chunk:
                    break
                shown.write(chunk)
            process.wait(timeout=30)
        os.close(main)
    return shown.getvalue().decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")


def main() -> None:
    """Draw the last screenful before the player leaves."""
    lines = screen().split("\n")
    end = max(index for index, line in enumerate(lines) if "›" in line)
    picture = "\n".join(lines[max(0, end - LINES + 1) : end + 1])
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True)
    console.print(Text.from_ansi(picture.removesuffix("quit")))
    drawn = console.export_svg(title="flagplot play denmark-strait")
    drawn = re.sub(r"@font-face \{.*?\}\s*", "", drawn, flags=re.DOTALL)  # nothing is fetched from elsewhere
    (HOME / "docs" / "terminal.svg").write_text(re.sub(r"\s*<!--.*?-->", "", drawn), encoding="utf-8")


if __name__ == "__main__":
    main()
