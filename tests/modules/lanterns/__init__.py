"""A module of every kind of thing: what the broken ones of test_check.py are made from."""
