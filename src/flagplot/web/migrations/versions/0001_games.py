"""Games, journals, decisions, seats, devices, notes and shared set-ups."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "games",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("header", sa.LargeBinary, nullable=False),
        sa.Column("title", sa.String(200), nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("lines", sa.Integer, nullable=False),
        sa.Column("players", sa.String(200), nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("spectators", sa.Boolean, nullable=False),
        sa.Column("over", sa.Boolean, nullable=False),
        sa.Column("closed", sa.String(200), nullable=False),
    )
    op.create_table(
        "journal",
        sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("n", sa.Integer, primary_key=True),
        sa.Column("line", sa.LargeBinary, nullable=False),
        sa.Column("decision", sa.String(64)),
        sa.UniqueConstraint("game", "decision", "n", name="journal_decision"),
    )
    op.create_table(
        "decisions",
        sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("seat", sa.String(16), nullable=False),
        sa.Column("reply", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "seats",
        sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("seat", sa.String(16), primary_key=True),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("invitation", sa.String(64)),
        sa.Column("recovery", sa.String(64)),
        sa.Column("claimed", sa.Float),
    )
    op.create_table(
        "devices",
        sa.Column("token", sa.String(64), primary_key=True),
        sa.Column("id", sa.String(16), nullable=False, unique=True),
        sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), nullable=False),
        sa.Column("seat", sa.String(16), nullable=False),
        sa.Column("label", sa.String(60), nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("revoked", sa.Boolean, nullable=False),
    )
    op.create_table(
        "notes",
        sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("n", sa.Integer, primary_key=True),
        sa.Column("at", sa.Integer, nullable=False),
        sa.Column("seat", sa.String(16), nullable=False),
        sa.Column("text", sa.String(500), nullable=False),
    )
    op.create_table(
        "setups",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("text", sa.LargeBinary, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
    )


def downgrade() -> None:
    """Drop them again."""
    for name in ("setups", "notes", "devices", "seats", "decisions", "journal", "games"):
        op.drop_table(name)
