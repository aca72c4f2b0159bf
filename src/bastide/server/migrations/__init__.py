"""Alembic's scripts; `bastide.server.store` runs them when the server starts."""
