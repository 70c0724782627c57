"""What the tests of single steps share: forces as typed, and how a step is run."""

from __future__ import annotations

import json
from typing import Any

from tests.cli.conftest import Run

MIDWAY = ["--attackers", "8 elite Japan NAS", "--target", "Enterprise, Yorktown, 4 CA, 3 DD", "--patrol", "2 US NAS"]
STRAIT = ["--axis", "Bismarck, 1 CA", "--allies", "Hood, Prince of Wales"]
WASP = ["--submarines", "2 Japan", "--target", "Wasp, 2 CA, 3 DD", "--torpedo", "1", "--asw", "2"]
STRIKE_DICE = ["4", "3", "5", "2", "6", "1", "4", "4"]


def ship(id: str, nation: str, kind: str, size: int, **more: Any) -> dict[str, Any]:
    name = id.replace("-", " ").title().replace(" Of ", " of ")
    state = {"hits": 0, "damaged": False, **more}
    return {"id": id, "name": name, "nation": nation, "kind": kind, "size": size, "fast": True, **state}


def resolved(run: Run, *words: str) -> dict[str, Any]:
    result = run(*words)
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert isinstance(found, dict)
    return found


def refusal(run: Run, *words: str) -> str:
    result = run(*words)
    assert result.exit_code == 2 and isinstance(result.exception, SystemExit), result.output
    (line,) = result.stderr.splitlines()
    assert line.startswith("flagplot: ") and not result.stdout
    return line.removeprefix("flagplot: ")
