"""Draws that nobody can choose, and their proof (docs/fair-draws.md)."""
