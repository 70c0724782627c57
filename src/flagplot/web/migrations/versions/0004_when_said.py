"""When each note was said, so that spectators who see a game later read it later."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Those there are were said long ago."""
    op.add_column("notes", sa.Column("said", sa.Float, nullable=False, server_default="0"))


def downgrade() -> None:
    """Take it away again."""
    op.drop_column("notes", "said")
