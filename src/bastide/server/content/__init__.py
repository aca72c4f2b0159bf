"""What is the same for everybody: catalogue, lessons, puzzles, drawings, the built page."""
