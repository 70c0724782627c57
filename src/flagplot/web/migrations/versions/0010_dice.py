"""What the host of a game with fair dice is bound to, beside the journal."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make their table."""
    op.create_table(
        "dice",
        sa.Column("game", sa.String(32), primary_key=True),
        sa.Column("secrets", sa.LargeBinary, nullable=False),
        sa.Column("bound", sa.String(64), nullable=False),
        sa.Column("made", sa.Float, nullable=False),
    )


def downgrade() -> None:
    """Drop it again."""
    op.drop_table("dice")
