"""Alembic's scripts; `bastide.server.storage.store` runs them when the server starts."""
