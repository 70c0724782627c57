"""The swap test for pages and answers beside those of a battle: operations, mustering, spectators who see it later.

Two games that differ in one thing that an audience was not told: all it receives is the same.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import flagplot.web.delayed as delayed_module
from tests.web.visitors import Server, Visitor, serving


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path) as served:
        yield served


# -- what is said, seen later -----------------------------------------------------------------------------------------


def later(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """From now on it is so much later."""
    now = time.time
    monkeypatch.setattr(delayed_module.time, "time", lambda: now() + seconds)


def watched(watching: Visitor) -> list[bytes]:
    pages = [f"/games/{watching.game}", f"/games/{watching.game}/board"]
    return [watching.get(path).content for path in (watching.at(), *pages)]


def test_spectators_who_see_later_read_later_what_is_said_though_nothing_public_has_happened_since(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = server.seated(scenario="three-groups", spectators=True, spectator_delay=5)
    watching = server.visitor()
    watching.game = people["axis"].game
    later(monkeypatch, 600)  # all that has happened is old
    before = watched(watching)
    asked = next(people[side] for side in ("axis", "allies") if people[side].view()["question"])
    public = people["host"].view()["version"]
    said = asked.answer(asked.view()["question"]["form"]["default"], say="we are sinking")
    assert said.status_code == 200
    assert people["host"].view()["version"] == public, "what was answered is secret"
    assert [note["text"] for note in people["host"].view()["notes"]] == ["we are sinking"]
    assert watched(watching) == before
    later(monkeypatch, 301)
    assert [note["text"] for note in watching.view()["notes"]] == ["we are sinking"]
