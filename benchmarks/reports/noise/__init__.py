"""Intervals of a run, where its noise comes from, and what differences it can show."""
