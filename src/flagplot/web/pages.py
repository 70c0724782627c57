"""The pages: rendered here, shown to each seat from its own view."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import HTMLResponse
from fastapi.staticfiles import StaticFiles
from jinja2 import Environment, FileSystemLoader, select_autoescape

HERE = Path(__file__).parent
TEMPLATES = Environment(loader=FileSystemLoader(HERE / "templates"), autoescape=select_autoescape(default=True))


def page(name: str, **facts: object) -> HTMLResponse:
    """A page from its template."""
    return HTMLResponse(TEMPLATES.get_template(name).render(**facts))


def mount_pages(app: FastAPI) -> None:
    """Add the pages and what they need to the application."""
    from flagplot.web import (  # they use `page`
        battle_page,
        calculator_page,
        dice_page,
        help_page,
        lobby_page,
        muster,
        notices_page,
        odds_page,
        orders_page,
        post,
        replay_page,
        seats_page,
        strategic_calculators,
    )

    app.mount("/static", StaticFiles(directory=HERE / "static"), name="static")
    for each in (
        lobby_page,
        seats_page,
        muster,
        battle_page,
        dice_page,
        orders_page,
        notices_page,
        post,
        replay_page,
        help_page,
        calculator_page,
        strategic_calculators,
        odds_page,
    ):
        each.mount(app)
