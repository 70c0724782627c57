"""The API against its own description: whatever fits the description, and what does not, gets a documented answer.

Requests are made from the OpenAPI by schemathesis, some for a game in which the sender sits, some for none; a bounded
number for each address, the same in every run. Streams do not end, and are tested elsewhere.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from random import Random

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import Failure, FailureGroup
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from starlette.exceptions import HTTPException

from flagplot.web.hall import Hall
from tests.web.visitors import ADDRESS, Server, Visitor, play_on, serving

SCALE = int(os.environ.get("SCALE", "1"))
EXAMPLES = 3  # for each address, once as described and once not
CHECKS = (not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("schemathesis")) as running:
        yield running


def try_out(
    operation: schemathesis.APIOperation, mode: GenerationMode, server: Server, seats: list[Visitor], examples: int
) -> int:
    """Send what was made for one address, and look at every answer; how many there were."""
    tried = 0

    @settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def each(case: schemathesis.Case) -> None:
        nonlocal tried
        tried += 1
        chance = Random(repr((case.path, case.path_parameters, case.body)))
        seat = chance.choice(seats)
        if "game" in case.path_parameters and chance.random() < 0.7:
            case.path_parameters["game"] = seat.game
        known = not operation.path.endswith(("/close", "/signout", "/revoke-others"))  # the game is still needed
        how = chance.choices(("program", "browser", "stranger"), (4, 4, 2))[0] if known else "stranger"
        headers = {"authorization": f"Bearer {seat.token}"} if how == "program" else {"origin": ADDRESS}
        client = seat.client if how == "browser" else server.visitor().client
        request = case.as_transport_kwargs(headers=headers, base_url=ADDRESS)
        answer = client.request(**request, follow_redirects=False)
        try:
            case.validate_response(answer, checks=list(CHECKS))
        except FailureGroup as group:
            for failure in group.exceptions:
                failure.add_note(f"{answer.status_code} to {case.as_curl_command()[:300]}")
            raise

    each()
    return tried


def all_tried(server: Server, examples: int, only: str = "") -> list[str]:
    """Everything that was answered otherwise than the description says; if only one address is tried, there."""
    schema = schemathesis.openapi.from_dict(server.app.openapi())
    under_way, finished = (
        server.seated(scenario="river-plate", spectators=True, referee=True, spectator_delay=delay) for delay in (0, 5)
    )
    play_on(finished)
    seats = [under_way["axis"], under_way["host"], under_way["referee"], finished["allies"]]
    found: list[str] = []
    tried = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for each in schema.get_all_operations():
            operation = each.ok()
            if operation.path.endswith("/stream") or only not in ("", operation.path):
                continue
            for mode in GenerationMode.POSITIVE, GenerationMode.NEGATIVE:
                try:
                    tried += try_out(operation, mode, server, seats, examples)
                except Unsatisfiable:
                    continue  # nothing can be wrong about an address without parts and body
                except (FailureGroup, Failure) as failure:
                    group = failure.exceptions if isinstance(failure, FailureGroup) else [failure]
                    found += ["\n".join([f"{operation.label}: {one}", *getattr(one, "__notes__", ())]) for one in group]
    assert tried > 30 * examples or only
    return found


def test_every_answer_is_one_the_description_knows(server: Server) -> None:
    wrong = all_tried(server, EXAMPLES)
    assert wrong == [], "\n\n".join(wrong)


@pytest.mark.long
def test_every_one_of_many_answers_is_one_the_description_knows(server: Server) -> None:
    wrong = all_tried(server, 60 * SCALE)
    assert wrong == [], "\n\n".join(wrong)


def test_an_answer_the_description_does_not_know_is_found(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: a refusal with another status, and one without words."""
    monkeypatch.setattr(Hall, "listed", lambda hall: (_ for _ in ()).throw(HTTPException(418, "a teapot")))
    assert any("418" in each for each in all_tried(server, 1, only="/api/games"))
