"""What happened in a game as text: records, their replay, the board drawn in letters, other programs' saves."""
