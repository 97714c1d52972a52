"""Two questions in one: "When was the bridge opened, and how long is it?"."""

import re

from benchwright.benchmarks.systems.reader.question import LONGEST, names_of

_ASKING = r"(?:who|whom|whose|what|which|when|where|how)\b"
_TWO = re.compile(
    rf"(?P<first>(?=.*?\b{_ASKING})[^?;]+), and (?P<second>(?:[a-z]+ ){{0,2}}{_ASKING}[^?;]+)\?",
    re.IGNORECASE | re.DOTALL,
)
_OWNER = re.compile(r"\b(?:its|his|their)\b|\bher(?= [a-z])")
_SUBJECT = re.compile(r"\b(?:it|he|she|they|him|her|them)\b")


def split_question(question: str) -> tuple[str, str] | None:
    """The two questions of one, the second with the name that its pronoun stands for; None where it is one."""
    match = _TWO.fullmatch(question.strip()[:LONGEST])
    if match is None:
        return None
    first, second = match["first"], match["second"]
    names = [name[0] for name in names_of(f"{first}?")]
    if names and not names_of(f"and {second}"):
        name = max(names, key=len)
        second = _SUBJECT.sub(name, _OWNER.sub(f"{name}'s", second, count=1), count=1)
    return f"{first}?", f"{second[:1].upper()}{second[1:]}?"
