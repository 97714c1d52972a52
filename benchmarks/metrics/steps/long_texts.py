"""Texts that are too long for a judge to read whole: their beginning is read, which the reason of the score says."""

from collections.abc import Sequence

LONGEST = 60_000
"""Characters of one text that a judge reads, or of all contexts together."""
SAMPLES = 20_000
"""Characters of each of several answers that are compared."""


def beginning(text: str, what: str, most: int = LONGEST) -> tuple[str, str | None]:
    """A text as far as it is read, and what is said of the rest; None where there is none.

    Args:
        text: that is shown to a judge.
        what: it is, in words: "the answer".
        most: characters of it that are read.
    """
    if len(text) <= most:
        return text, None
    return f"{text[:most]} […]", f"the first {most:,} of {len(text):,} characters of {what} were read"


def together(texts: Sequence[str], what: str, most: int = LONGEST) -> tuple[list[str], str | None]:
    """Texts as far as they are read one after the other, and what is said of the rest; None where there is none.

    Args:
        texts: that are shown to a judge: the first ones are read whole, and of the last of these its beginning.
        what: they are, in words: "the contexts".
        most: characters of all of them that are read.
    """
    read, room = list[str](), most
    for text in texts:
        if room > 0:
            read.append(text[:room])
        room -= len(text)
    return read, f"the first {most:,} of {most - room:,} characters of {what} were read" if room < 0 else None


def with_notes(reason: str | None, *notes: str | None) -> str | None:
    """A reason with what was not read."""
    return "; ".join(each.rstrip() for each in (reason, *notes) if each) or None
