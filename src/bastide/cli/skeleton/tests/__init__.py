"""Tests of Waymarks."""
