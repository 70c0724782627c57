"""Whether the players of a game may ask for odds."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Games made before give them."""
    op.add_column("games", sa.Column("odds", sa.Boolean, nullable=False, server_default=sa.true()))


def downgrade() -> None:
    """Take the column away again."""
    op.drop_column("games", "odds")
