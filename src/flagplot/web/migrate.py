"""Brings a database up to date, step by step (Alembic). A step that is interrupted is made again or not at all."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config

from flagplot.web.database import Database


def migrate(database: Database, to: str = "head") -> None:
    """Make every step that is still missing."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    with database.write() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, to)
