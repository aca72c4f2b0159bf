"""One vector with a trail, regions that merge by declared laws, a board with its frontier. No game, no expansion."""
