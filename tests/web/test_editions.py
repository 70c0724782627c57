"""The edition on the web: chosen when a game is made, told on its page, and with the numbers its rules have."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.web.browsing import application
from tests.web.visitors import TestClient

ADDRESS = "http://127.0.0.1:8000"
OURS = {"origin": ADDRESS}


def made(client: TestClient, **wanted: Any) -> Any:
    body = {"scenario": "three-groups", "axis": "person", "allies": "admiral", **wanted}
    return client.post("/api/games", json=body, headers=OURS)


def test_a_game_by_the_rules_of_2008_tells_its_edition_and_its_numbers(tmp_path: Path) -> None:
    with TestClient(application(tmp_path), base_url=ADDRESS) as client:
        game = made(client, edition="2008").json()
        link = game["invitations"]["axis"]
        client.post("/api/claim", json={"token": link.partition("#")[2]}, headers=OURS)
        view = client.get(f"/api/games/{game['game']}").json()
        assert view["edition"] == "2008"
        rules = {each["key"]: each["rule"] for each in view["track"]}
        assert (rules["fleet combat"], rules["submarines"], rules["withdrawal"]) == ("22.41I", "22.41J", "22.41K")
        page = client.get(f"/games/{game['game']}").text
        assert "edition <b>2008</b>" in page


def test_the_scenario_decides_unless_another_is_asked_for(tmp_path: Path) -> None:
    with TestClient(application(tmp_path), base_url=ADDRESS) as client:
        assert made(client).status_code == 201
        refused = made(client, edition="1999")
        assert refused.status_code in (400, 422)
        assert "there is no edition '1999'" in refused.text
        assert "<option>2008</option>" in client.get("/new").text
