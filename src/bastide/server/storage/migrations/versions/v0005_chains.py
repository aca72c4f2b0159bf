"""A seat's part in the draws may be the end of a hash chain, which is longer than entropy."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Widens the column."""
    with op.batch_alter_table("seats") as seats:
        seats.alter_column("entropy", type_=sa.String(80))
