"""Brings a database up to date (Alembic): all missing steps in one transaction, so that an interrupted one leaves nothing."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import text

from flagplot.web.database import Database

ONE_AT_A_TIME = 0x466C6167  # any number that all workers know


def migrate(database: Database, to: str = "head") -> None:
    """Make every step that is still missing."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    with database.write() as connection:
        if not database.sqlite:  # several workers may start at the same moment; SQLite lets one in by itself
            connection.execute(text("set local lock_timeout = '60s'"))
            connection.execute(text(f"select pg_advisory_xact_lock({ONE_AT_A_TIME})"))
        config.attributes["connection"] = connection
        command.upgrade(config, to)
