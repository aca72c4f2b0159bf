"""Calls to people who are away (Web Push)."""
