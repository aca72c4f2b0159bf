"""Waymarks: roads with a waymark score more."""
