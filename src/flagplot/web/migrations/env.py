"""How Alembic reaches the database: through the connection it is handed, whose transaction holds every step."""

from __future__ import annotations

from alembic import context

from flagplot.web.database import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA, transactional_ddl=True)
with context.begin_transaction():
    context.run_migrations()
