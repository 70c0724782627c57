"""Help: how a battle is played here, the words of the game, the rules in our own words, and a tutorial."""

from __future__ import annotations

import re
from typing import Annotated, Any

from fastapi import APIRouter, FastAPI, Path, Query
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from flagplot.core.errors import UnknownName
from flagplot.model.state import SEGMENTS
from flagplot.web import rulebook, tutorial
from flagplot.web.pages import page

Number = Annotated[str, Path(max_length=40)]
Asked = Annotated[str, Query(max_length=80)]
# What happens in each segment, in a sentence. The rule that says so stands beside it on the page.
IN_SHORT = {
    "formation": "Task forces become combat groups, at most six a side, and each gets a number from 1 to 6 of its own.",
    "counterair": "Carrier squadrons fly patrol over their own group, or attack enemy air bases within reach.",
    "carrier air": "Carrier squadrons that did not go on patrol are ready to strike.",
    "air cover": "Squadrons ashore may protect one group each. That they fly is announced; over which group is secret.",
    "search": "Each side counts its search dice and rolls them. A die that shows the number of an enemy group finds it.",
    "disclosure": "Of a found group its owner says four things: under ten factors or not, fast carriers, speed, cargo.",
    "air strikes": "One strike for each search result against a group. A side of which nothing was found may surprise.",
    "fleet combat": "Active groups pair off and fight; a fast one left over may go for a distant group that was found.",
    "submarines": "Submarines attack groups that were found, or that have fought.",
    "withdrawal": "Each side may send home some of its ships, all, or none. Who withdraws them all has lost.",
    "reinforcement": "Groups that came late or had to wait join, each with a number that is free. A new round begins.",
    "return": "When the battle has ended, ships go to their bases, and it is settled what becomes of their missions.",
    "over": "The report says who has won, and what to carry back to the campaign.",
    "sortie": "Of an attack on a port: aircraft go for the aircraft there, for the ships, or some for each.",
    "escape": "After a sortie aircraft and ships may leave the port that was attacked.",
}

router = APIRouter()


@router.get("/help", include_in_schema=False)
def help_page() -> HTMLResponse:
    """How a battle is played here."""
    segments = [(rule, title, IN_SHORT[key]) for key, (rule, title) in SEGMENTS.items()]
    return page("help.html", segments=segments, linked=rulebook.linked)


@router.get("/glossary", include_in_schema=False)
def glossary_page() -> HTMLResponse:
    """The words of the game."""
    words = [{"word": word, "id": slug(word), "meaning": meaning} for word, meaning in rulebook.glossary().items()]
    letters: dict[str, list[dict[str, str]]] = {}
    for each in sorted(words, key=lambda entry: entry["word"].casefold()):
        letters.setdefault(each["word"][0].upper(), []).append(each)
    return page("glossary.html", letters=letters, linked=rulebook.linked)


@router.get("/rules", include_in_schema=False)
def rules_page(find: Asked = "") -> Response:
    """The chapters; or, where something is looked for, the rule of that number or the rules with those words."""
    wanted = find.strip()
    if re.fullmatch(r"\d\d(\.\w[\w.-]*)?", wanted):
        return RedirectResponse(f"/rules/{wanted.upper()}", 303)
    if re.fullmatch(r"[A-Za-z]{2}-\d\d", wanted):
        return RedirectResponse(f"/rulings/{wanted.upper()}", 303)
    found = rulebook.search(wanted)
    facts: dict[str, Any] = {"kind": "chapters", "chapters": rulebook.chapters(), "find": wanted, "found": found}
    return page("rule.html", **facts, linked=rulebook.linked, most=rulebook.MOST_FOUND)


@router.get("/rules/{number}", include_in_schema=False)
def rule_page(number: Number) -> HTMLResponse:
    """A rule in our own words, what is done of it, and what bears on it."""
    try:
        found = rulebook.find(number)
    except UnknownName:
        return _unknown(number)
    return page("rule.html", kind="rule", **found, linked=rulebook.linked)


@router.get("/rulings/{id}", include_in_schema=False)
def ruling_page(id: Number) -> HTMLResponse:
    """One of our rulings."""
    ruling = rulebook.rulings().get(id.upper())
    if ruling is None:
        return _unknown(id)
    return page("rule.html", kind="ruling", ruling=ruling, linked=rulebook.linked)


@router.get("/tutorial", include_in_schema=False)
def tutorial_page() -> HTMLResponse:
    """The printed example of 22.524, to be walked through."""
    return page("tutorial.html", steps=len(tutorial.steps()))


@router.get("/api/glossary")
def words() -> dict[str, str]:
    """The words of the game and their meaning, a line each."""
    return rulebook.glossary()


@router.get("/api/tutorial")
def walk() -> dict[str, Any]:
    """The tutorial: what is told and asked at each step, and the board as it then is."""
    return {"title": tutorial.TITLE, "names": tutorial.NAMES, "steps": tutorial.steps()}


def slug(word: str) -> str:
    """A word as the name of a place on a page."""
    return re.sub(r"[^a-z0-9]+", "-", word.casefold()).strip("-")


def _unknown(wanted: str) -> HTMLResponse:
    told = page("rule.html", kind="unknown", wanted=wanted[:40], chapters=rulebook.chapters())
    told.status_code = 404
    return told


def mount(app: FastAPI) -> None:
    """Add help to the application."""
    app.include_router(router)
