"""Stored tables of each release, one folder for each: later programs must be able to play on with all of them."""
