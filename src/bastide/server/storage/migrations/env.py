"""Runs the migrations on the connection that `bastide.server.storage.store` hands over."""

from __future__ import annotations

from alembic import context

from bastide.server.storage.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,  # SQLite cannot alter a column in place
)
with context.begin_transaction():
    context.run_migrations()
