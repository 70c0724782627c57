"""Standing orders of each seat, beside the journal."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make their table."""
    op.create_table(
        "standing_orders",
        sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("seat", sa.String(16), primary_key=True),
        sa.Column("text", sa.LargeBinary, nullable=False),
        sa.Column("paused", sa.String(200), nullable=False),
        sa.Column("given", sa.LargeBinary, nullable=False),
    )


def downgrade() -> None:
    """Drop it again."""
    op.drop_table("standing_orders")
