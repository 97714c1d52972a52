"""What the world sees of a benchmark: its dataset card."""
