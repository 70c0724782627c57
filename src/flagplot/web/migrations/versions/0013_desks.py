"""What lies on the desk of each seat, and what each of its devices has seen."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make their tables."""
    op.create_table(
        "desks",
        sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("seat", sa.String(16), primary_key=True),
        sa.Column("notepad", sa.LargeBinary, nullable=False),
        sa.Column("ahead", sa.LargeBinary, nullable=False),
        sa.Column("draft", sa.LargeBinary, nullable=False),
        sa.Column("remind", sa.Float),
        sa.Column("reminded", sa.Boolean, nullable=False, server_default=sa.false()),
    )
    op.create_table(
        "looks",
        sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("seat", sa.String(16), primary_key=True),
        sa.Column("device", sa.String(16), primary_key=True),
        sa.Column("told", sa.Integer, nullable=False),
        sa.Column("mark", sa.String(32), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )


def downgrade() -> None:
    """Drop them again."""
    op.drop_table("looks")
    op.drop_table("desks")
