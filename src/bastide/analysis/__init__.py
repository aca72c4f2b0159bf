"""What happened in a game and what it was worth: losses, turning points, fields, plots."""
