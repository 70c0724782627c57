"""An update of the tables loses no game: it is made as a whole or not at all, and what was stored before is played on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import Column, ForeignKey, MetaData, Table, inspect, text

import flagplot.web.migrate
from flagplot.web.backup import backup, restore, verify
from flagplot.web.database import GAMES, JOURNAL, METADATA, Database
from flagplot.web.migrate import migrate
from tests.web.databases import KINDS, new_database, ready_database
from tests.web.faults import WAYS, Faults, at_least
from tests.web.history import stored
from tests.web.server import NotStarted, Server, seated
from tests.web.test_backup import small

FIRST = "0001"


def as_first_released(kind: str, folder: Path) -> Database:
    """A database with two games in progress and the tables of the first release."""
    folder.mkdir()
    database = small(ready_database(kind, folder), decisions=4)
    config = Config()
    config.set_main_option("script_location", str(Path(flagplot.web.migrate.__file__).parent / "migrations"))
    with database.write() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, FIRST)
    return database


def tables(database: Database) -> dict[str, set[str]]:
    with database.write() as connection:
        return {
            name: {column["name"] for column in columns}
            for (_, name), columns in inspect(connection).get_multi_columns().items()
            if name != "alembic_version"
        }


NOW = {name: {column.name for column in table.columns} for name, table in METADATA.tables.items()}


def kept(database: Database) -> list[Any]:
    """What the games of a database are, at whichever step it is."""
    with database.write() as connection:
        wanted = (
            "select id, header, lines, players, over, closed from games order by id",
            "select game, n, line, decision from journal order by game, n",
            "select game, id, seat, reply from decisions order by game, id",
        )
        return [tuple(row) for sql in wanted for row in connection.execute(text(sql))]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", KINDS)
def test_an_update_is_made_or_not_whichever_call_fails(kind: str, way: str, tmp_path: Path) -> None:
    """As long as nothing is made, the next one goes on with the same database, and comes one call further."""
    database = as_first_released(kind, tmp_path / "0")
    before, old = kept(database), tables(database)
    assert old != NOW and "musters" not in old
    number, more = 0, True
    while more:
        number += 1
        database.close()
        database = Database(database.url.render_as_string(hide_password=False))
        faults = Faults(database)
        faults.arm(number, way)
        try:
            migrate(database)
        except Exception:
            assert faults.failed
        more = faults.made >= number
        faults.heal()
        now = tables(database)
        assert now in (old, NOW), f"call {number}, {way}: the update was made by half"
        assert kept(database) == before
        if now == NOW:
            migrate(database)
            assert tables(database) == NOW
            assert kept(database) == before and verify(database).faults == []
            database.close()
            database = as_first_released(kind, tmp_path / str(number))
            before = kept(database)
    assert now == NOW and number > at_least(8, way)
    database.close()


def test_the_tables_are_as_the_source_describes_them(tmp_path: Path) -> None:
    """Whoever changes a table without a step that changes it is told so."""
    for kind in KINDS:
        database = Database(new_database(kind, tmp_path))
        migrate(database)
        assert tables(database) == NOW
        with database.write() as connection:
            looking = inspect(connection)
            for name, table in METADATA.tables.items():
                assert looking.get_pk_constraint(name)["constrained_columns"] == [c.name for c in table.primary_key]
                nullable = {column["name"]: column["nullable"] for column in looking.get_columns(name)}
                assert nullable == {column.name: bool(column.nullable) for column in table.columns}
        database.close()


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_a_server_killed_at_any_call_of_an_update_starts_the_next_time(kind: str, tmp_path: Path) -> None:
    killed = 0
    for number in range(1, 90):
        folder = tmp_path / str(number)
        database = as_first_released(kind, folder)
        before = kept(database)
        database.close()
        server = Server(database.url.render_as_string(hide_password=False), folder)
        try:
            server.start(die=f"call {number}")
        except NotStarted:
            assert server.exit_code() == -9
            killed += 1
            assert kept(database) == before
        else:
            break  # the start needs no more calls
        finally:
            server.kill()
            server.start()
            seated(server.client())
            server.kill()
        assert verify(database).faults == [] and len(stored(server.url)) == 3
        database.close()
    assert 5 < killed < 80


def test_a_backup_of_the_first_release_is_restored_and_brought_up_to_date(tmp_path: Path) -> None:
    database = as_first_released("sqlite", tmp_path / "old")
    before = kept(database)
    path = tmp_path / "old.backup"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("flagplot.web.backup.METADATA", _of_first_release())
        backup(database, path)
    database.close()
    target = Database(new_database("sqlite", tmp_path))
    assert restore(target, path).games == 2
    assert tables(target) == NOW and kept(target) == before and verify(target).faults == []
    with target.read() as connection:
        assert set(connection.execute(GAMES.select()).mappings().all()[0]) == NOW["games"]
        assert {row["at"] for row in connection.execute(JOURNAL.select()).mappings()} == {0.0}
    target.close()


def _of_first_release() -> MetaData:
    """The tables as that release knew them."""
    new = {"stage", "template", "spectator_delay", "wants_back", "proposal", "odds", "release", "held"}
    later = ("musters", "standing_orders", "dice", "clocks", "server_time", "notices", "outbox", "desks", "looks")
    made = MetaData()
    for table in METADATA.sorted_tables:
        if table.name not in later:
            left_out = {"games": new, "journal": {"at"}, "notes": {"said"}}.get(table.name, set())
            columns = [
                Column(
                    each.name,
                    each.type,
                    *(ForeignKey("games.id") for _ in each.foreign_keys),
                    primary_key=each.primary_key,
                )
                for each in table.columns
                if each.name not in left_out
            ]
            Table(table.name, made, *columns)
    return made
