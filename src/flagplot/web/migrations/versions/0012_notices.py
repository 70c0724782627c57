"""Where seats want to be told that something waits for them, and what is still to be sent."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nobody is told of anything yet."""
    op.create_table(
        "notices",
        sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("seat", sa.String(16), primary_key=True),
        sa.Column("kind", sa.String(8), primary_key=True),
        sa.Column("target", sa.LargeBinary, nullable=False),
        sa.Column("off", sa.String(200), nullable=False, server_default=""),
        sa.Column("told_of", sa.Integer, nullable=False, server_default="-1"),
        sa.Column("failures", sa.Integer, nullable=False, server_default="0"),
        sa.Column("error", sa.String(200), nullable=False, server_default=""),
        sa.Column("error_at", sa.Float),
        sa.Column("sent_at", sa.Float),
    )
    op.create_table(
        "outbox",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), nullable=False),
        sa.Column("seat", sa.String(16), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("question", sa.Integer, nullable=False),
        sa.Column("due", sa.Float, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False, server_default="0"),
    )


def downgrade() -> None:
    """Take them away again."""
    op.drop_table("outbox")
    op.drop_table("notices")
