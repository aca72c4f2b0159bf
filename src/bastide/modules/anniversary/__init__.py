"""Anniversary tiles."""
