"""How a refusal is said, and which there are: the same sentence for a person and for a program, with the status that fits."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ConfigDict
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException

from flagplot.core.errors import (
    EngineError,
    GameError,
    IllegalChoice,
    PlayerError,
    StaleRequest,
    TapeError,
    UnknownName,
)
from flagplot.play.standing_orders import OrdersRefused
from flagplot.web import seats
from flagplot.web.hall import GameClosed, Unavailable, UnknownGame
from flagplot.web.limits import JOIN, refused
from flagplot.web.pages import page

UNREACHABLE = "the database cannot be reached just now: please try again"


class Refusal(BaseModel):
    """Why not, in a sentence; for an illegal answer also the rule that forbids it and what may be done instead."""

    model_config = ConfigDict(extra="allow")

    refused: str
    rule: str = ""
    reason: str = ""
    instead: str = ""


# What any address may answer, and what those that take a body or a game may answer besides.
EVERYWHERE = {
    404: "Unknown, or not yours: the two look alike",
    405: "Not asked for in this way",
    421: "This server is not reached under that name",
    422: "Refused, with the rule where a rule decides",
    429: "Too often: Retry-After says when again",
    500: "Our mistake; it has a number by which the host finds it",
    503: "The database cannot be reached or written just now: Retry-After says when again",
}
WITH_A_BODY = {
    400: "Nothing that can be read",
    403: "Not from one of our own pages, and without a bearer token",
    408: "Too slow",
    413: "Too long",
    415: "Neither JSON nor plain",
}
OF_A_GAME = {409: "Too late, too early, or the game is over"}
NO_ROOM = {507: "This server has no room for more"}


def describe(app: FastAPI) -> None:
    """Let the OpenAPI description say what every address may answer, and how a browser with several seats says which."""
    plain = app.openapi

    def described() -> dict[str, Any]:
        if app.openapi_schema is None:
            told = plain()
            told["components"].setdefault("schemas", {})["Refusal"] = Refusal.model_json_schema()
            for path, methods in told["paths"].items():
                for method, operation in methods.items():
                    _complete(path, method, operation)
        return app.openapi_schema or {}

    app.openapi = described  # type: ignore[method-assign]


def _complete(path: str, method: str, operation: dict[str, Any]) -> None:
    words = EVERYWHERE | (WITH_A_BODY if method != "get" else {})
    if "{game}" in path:
        words = words | OF_A_GAME
        operation.setdefault("parameters", []).append(AS)
    if method == "post" and path in ("/api/games", "/api/setups", "/api/games/{game}/fork"):
        words = words | NO_ROOM | OF_A_GAME
    content: dict[str, Any] = {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}}
    if path == JOIN:  # the one address that people without scripts use: refused in a page
        content["text/html"] = {"schema": {"type": "string"}}
    for status, said in words.items():
        operation["responses"][str(status)] = {"description": said, "content": content}


AS = {
    "name": "as",
    "in": "query",
    "required": False,
    "description": "Which of the seats this browser holds is speaking; without it the first of this order. "
    "A bearer token always speaks for its own seat.",
    "schema": {"type": "string", "enum": ["axis", "allies", "referee", "host", "spectator"]},
}


def refuse_in_words(app: FastAPI) -> None:
    """Answer every error that is foreseen with a sentence; those that are not are the Guard's (limits.py)."""
    for error in (PlayerError, GameError):
        app.add_exception_handler(error, refusal_of)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(SQLAlchemyError, _unavailable)


def refusal_of(request: Request, error: Exception) -> JSONResponse:
    """What is answered to an error of a player, or of a game."""
    status = 422
    if isinstance(error, UnknownGame | seats.Refused | UnknownName):
        status = 404
    elif isinstance(error, StaleRequest | GameClosed):
        status = 409
    elif isinstance(error, Unavailable):
        return refused(503, str(error), {"retry-after": "2"})
    elif isinstance(error, EngineError | TapeError):
        raise error  # not foreseen, and it may say what is on the tape: the Guard gives it a number
    told: dict[str, Any] = {"refused": str(error)}
    if isinstance(error, IllegalChoice):
        told |= {"rule": error.rule, "reason": error.reason, "instead": error.instead}
    if isinstance(error, OrdersRefused):
        told["line"] = error.line
    return JSONResponse(told, status)


def _invalid(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"][1:]) or "the body"
    return refused(422, f"{where}: {first['msg'].lower()}")


def _unavailable(request: Request, error: Exception) -> JSONResponse:
    return refused(503, UNREACHABLE, {"retry-after": "2"})


def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 404 and _a_page_was_wanted(request):
        missing = page("nowhere.html")
        missing.status_code = 404
        return missing
    return refused(error.status_code, str(error.detail).lower(), dict(error.headers or {}) or None)


def _a_page_was_wanted(request: Request) -> bool:
    """Whether a person opened this address: a mistyped link is answered in a page, a program in JSON."""
    return not request.url.path.startswith(("/api/", "/static/")) and "text/html" in request.headers.get("accept", "")
