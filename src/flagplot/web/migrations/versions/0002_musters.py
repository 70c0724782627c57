"""Sides that muster in private, delayed spectators, requests that outlive the process, when each line was stored."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add what is new to games and journals, and the table of musters."""
    for column in (
        sa.Column("stage", sa.String(16), nullable=False, server_default="playing"),
        sa.Column("template", sa.LargeBinary),
        sa.Column("spectator_delay", sa.Integer, nullable=False, server_default="0"),
        sa.Column("wants_back", sa.String(16), nullable=False, server_default=""),
        sa.Column("proposal", sa.LargeBinary),
    ):
        op.add_column("games", column)
    op.add_column("journal", sa.Column("at", sa.Float, nullable=False, server_default="0"))
    op.create_table(
        "musters",
        sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("seat", sa.String(16), primary_key=True),
        sa.Column("text", sa.LargeBinary, nullable=False),
        sa.Column("ready", sa.Boolean, nullable=False),
    )


def downgrade() -> None:
    """Take them away again."""
    op.drop_table("musters")
    op.drop_column("journal", "at")
    for name in ("proposal", "wants_back", "spectator_delay", "template", "stage"):
        op.drop_column("games", name)
