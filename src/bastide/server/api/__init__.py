"""What comes in and what goes out: HTTP, the WebSocket, the messages of both, what a client may ask for."""
