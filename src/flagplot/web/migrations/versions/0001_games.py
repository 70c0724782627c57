"""Games, journals, decisions, seats, devices, notes and shared set-ups."""

from __future__ import annotations

from alembic import op

from flagplot.web.database import METADATA

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make all tables."""
    METADATA.create_all(op.get_bind())


def downgrade() -> None:
    """Drop them again."""
    METADATA.drop_all(op.get_bind())
