"""What a server of several processes needs besides: news through Redis, bots in workers. Not imported without Redis."""
