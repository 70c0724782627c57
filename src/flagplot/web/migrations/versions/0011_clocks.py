"""Release clocks, answers that wait for theirs, and game clocks."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Games there are go on without a clock, and their orders answer after a while."""
    op.add_column("games", sa.Column("release", sa.String(8), nullable=False, server_default="live"))
    op.add_column("games", sa.Column("held", sa.LargeBinary))
    op.create_table(
        "clocks",
        sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("terms", sa.LargeBinary, nullable=False),
        sa.Column("state", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "server_time",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("ran", sa.Float, nullable=False),
        sa.Column("boot", sa.String(64), nullable=False),
        sa.Column("mono", sa.Float, nullable=False),
        sa.Column("wall", sa.Float, nullable=False),
        sa.Column("held_until", sa.Float, nullable=False, server_default="0"),
    )


def downgrade() -> None:
    """Take them away again."""
    op.drop_table("server_time")
    op.drop_table("clocks")
    op.drop_column("games", "held")
    op.drop_column("games", "release")
