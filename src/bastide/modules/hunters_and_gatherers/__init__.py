"""Hunters and Gatherers."""
