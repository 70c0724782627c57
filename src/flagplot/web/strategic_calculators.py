"""The calculators of the strategic war, for people in a campaign: submarines (25), bombing (26), raiders (21.53).

The law here: no rule. Every number comes from the public API; a question that changes nothing is not put; the address of
a page holds all answers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import urlencode

from fastapi import APIRouter, FastAPI, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from flagplot import api
from flagplot.core.errors import GameError
from flagplot.editions.current import EDITIONS
from flagplot.editions.options import OPTIONS
from flagplot.web import bombing_form, raider_form, rulebook, submarine_form
from flagplot.web.chosen_rules import ChosenRules, editions_agree, read, that_matter
from flagplot.web.pages import page
from flagplot.web.strategic_answers import VIEWS, signed
from flagplot.web.strategic_fields import Calculator, Field, dice_of

LONGEST = 120  # letters of an answer
CALCULATORS = {each.CALCULATOR.key: each.CALCULATOR for each in (submarine_form, bombing_form, raider_form)}

router = APIRouter()


class Shown(NamedTuple):
    """A field as the page shows it: what it says now, and whether it is put."""

    field: Field
    value: str
    shown: bool


@router.get("/strategic", include_in_schema=False)
def first() -> RedirectResponse:
    """The first of them."""
    return RedirectResponse(f"/strategic/{next(iter(CALCULATORS))}")


@router.get("/strategic/{key}", include_in_schema=False)
def calculator(key: str, request: Request) -> HTMLResponse:
    """A calculator: the questions that matter, and the answer to what its address says."""
    if key not in CALCULATORS:
        raise HTTPException(404, "there is no such calculator")
    typed = {name: value.strip()[:LONGEST] for name, value in request.query_params.items()}
    known = _known(CALCULATORS[key], typed or dict(CALCULATORS[key].start))
    return page("strategic.html", **_facts(key, tuple(sorted(known[0].items())), known[1]))


def _known(made: Calculator, typed: dict[str, str]) -> tuple[dict[str, str], int]:
    """What was typed of what is asked, rows numbered from 1, one added or removed where that was asked; and how many."""
    once = {field.name for field in made.fields(0)} | {"edition", *made.options}
    found = {name: value for name, value in typed.items() if name in once and value}
    if made.rows is None:
        return found, 0
    parts = {field.name for field in made.rows.fields}
    pattern = re.compile(f"({'|'.join(sorted(parts))})([1-9])")
    numbers = sorted({int(match[2]) for name in typed if (match := pattern.fullmatch(name))})
    left = [number for number in numbers if typed.get("remove") != str(number)][: made.rows.most]
    if len(left) < made.rows.least:
        left = numbers[: made.rows.least] or [1]
    for index, number in enumerate(left, start=1):
        for part in parts:
            if typed.get(f"{part}{number}"):
                found[f"{part}{index}"] = typed[f"{part}{number}"]
    more = bool(typed.get("add")) and len(left) < made.rows.most
    return found, len(left) + more


@lru_cache(maxsize=512)
def _facts(key: str, typed: tuple[tuple[str, str], ...], rows: int) -> dict[str, Any]:
    """Everything the page shows."""
    made = CALCULATORS[key]
    said = dict(typed)
    facts: dict[str, Any] = {
        "made": made,
        "tabs": list(CALCULATORS.values()),
        "linked": rulebook.linked,
        "signed": signed,
        "refused": "",
        "dice_refused": "",
        "view": None,
        "address": "",
        "full": made.rows is not None and rows >= made.rows.most,
        "editions": tuple(EDITIONS),
        "rules": ChosenRules(),
        "agree": False,
        "options": [],
    }
    everything = frozenset(field.name for field in made.fields(rows))
    try:
        facts["rules"] = rules = read(said, made.options)
        matters = made.matters(said, rows)
    except GameError as refused:
        return facts | _form(made, said, rows, everything) | {"refused": str(refused)}
    for name, values in made.choices(said).items():
        if said.get(name) not in [value for value, _ in values]:
            said.pop(name, None)  # another choice has made it impossible
    facts |= _form(made, said, rows, matters)
    counting = {name: value for name, value in said.items() if name in matters}
    try:
        asked = made.asked(counting, rows)
        answer = api.call(made.question, asked, **rules.beside)
    except GameError as refused:
        return facts | {"refused": str(refused)}
    facts |= {"view": VIEWS[key](answer, asked), "address": _address(made, counting | rules.said, rows)}
    facts |= _bearing(made, asked, rules)
    try:
        dice = dice_of(counting)
        if dice:
            facts["view"] = VIEWS[key](api.call(made.question, asked, dice=dice, **rules.beside), asked)
    except GameError as refused:
        facts["dice_refused"] = str(refused)
    return facts


def _bearing(made: Calculator, asked: dict[str, Any], rules: ChosenRules) -> dict[str, Any]:
    """Which rulings bear on an answer, and whether the editions agree about it."""

    def ask(by: ChosenRules) -> Any:
        return api.call(made.question, asked, **by.beside)

    names = that_matter(rules, made.options, ask)
    shown = [(OPTIONS[name], rules.options.get(name, OPTIONS[name].default)) for name in names]
    return {"options": shown, "agree": editions_agree(rules, ask)}


def _form(made: Calculator, said: Mapping[str, str], rows: int, matters: frozenset[str]) -> dict[str, Any]:
    """The fields with what they say, section by section and row by row."""
    try:
        choices = made.choices(said)
    except GameError:
        choices = {}

    def shown(field: Field) -> Shown:
        field = field._replace(values=choices.get(field.name, field.values))
        return Shown(field, said.get(field.name, ""), field.name in matters)

    sections = [(section, [shown(field) for field in section.fields]) for section in made.sections]
    numbered = []
    if made.rows:
        for number in range(1, rows + 1):
            fields = [field._replace(name=f"{field.name}{number}") for field in made.rows.fields]
            numbered.append([shown(field) for field in fields])
    return {"sections": sections, "numbered": numbered}


def _address(made: Calculator, said: Mapping[str, str], rows: int) -> str:
    """The shortest address that says all this; an empty row is said by its first field."""
    names = [field.name for field in made.fields(rows)] + ["edition", *made.options]
    words = {name: said[name] for name in names if said.get(name)}
    if made.rows:
        for number in range(1, rows + 1):
            if not any(f"{field.name}{number}" in words for field in made.rows.fields):
                words[f"{made.rows.fields[0].name}{number}"] = ""
    return f"/strategic/{made.key}?{urlencode(words)}"


def mount(app: FastAPI) -> None:
    """Add the calculators to the application."""
    app.include_router(router)
