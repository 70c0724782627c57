"""What the web server does not do yet, test by test. Each is run all the same, and says so when it begins to pass."""

from __future__ import annotations

import pytest

QUICK = ("test_api.py", "test_seats.py", "test_bodies.py")  # the others are marked long for now: minutes, with browsers
KNOWN = {
    "test_nothing_acknowledged_is_lost_in_25_kills": "not seen to pass on a busy machine yet",
    "test_tables_are_made_or_not_whichever_call_fails[sqlite": "SQLite's tables are not made in one transaction yet",
    "test_a_server_killed_at_any_call_of_its_start": "SQLite's tables are not made in one transaction yet",
    "test_after_a_failed_commit_sqlite_is_opened_anew": "the writing connection is not opened anew after a failed commit yet",
    "test_the_description_says_how_a_refusal_looks": "the OpenAPI does not describe refusals yet",
    "test_str_7_there_are_no_metrics": "an unforeseen failure is not answered in words for every method yet",
    "test_a_full_disk_costs_service_and_no_game": "a full disk is not answered with 503 in every case yet",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "/web/" in item.nodeid and not any(name in item.nodeid for name in QUICK):
            item.add_marker(pytest.mark.long)
        for name, why in KNOWN.items():
            if name in item.nodeid:
                item.add_marker(pytest.mark.xfail(reason=why, strict=False))
