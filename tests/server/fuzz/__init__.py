"""Inputs that nobody meant: requests, messages, save files. A few in the tests, many by scripts/fuzz-server.

Whatever comes in, the server answers with a refusal or does what is asked. It has no fault, it does not hang, and no
game changes but by what its players may do.
"""
