"""Tables to play at in the browser: HTTP and WebSocket, storage, bots. docs/protocol.md is its contract.

`bastide.server.app.create_app` makes a server. Nothing is imported here: the processes in which bots think need little.
"""
