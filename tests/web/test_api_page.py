"""The bot on docs/api.md plays a battle to its end, as it stands there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.web.databases import ready_database
from tests.web.server import serving

PAGE = Path(__file__).parents[2] / "docs" / "api.md"


def test_the_bot_on_the_page_plays_to_the_end(tmp_path: Path) -> None:
    program = PAGE.read_text().partition("```python\n")[2].partition("```")[0]
    with serving(ready_database("sqlite", tmp_path), tmp_path) as server:
        environment = {**os.environ, "FLAGPLOT_SERVER": f"http://127.0.0.1:{server.port}"}
        bot = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=120, check=False
        )
    assert bot.returncode == 0, bot.stderr
    assert bot.stdout.splitlines()[-1].endswith("has won")
    assert "round 1: " in bot.stdout
