"""Sentences of a paragraph, as patterns read them."""

from benchwright.benchmarks.text.sentences import COUNTED


def first_sentence(text: str, start: int = 0) -> int:
    """Where the sentence ends that begins at `start`."""
    return next((start + end for end, _ in COUNTED.breaks(text[start:])), len(text))
