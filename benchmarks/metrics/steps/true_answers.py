"""The true answer as a judge is shown it: the same in each prompt that holds it, and in each nugget."""

from collections.abc import Iterable

from benchwright.benchmarks.types import Question

FORMS = 8
"""Further accepted forms of an element that a judge is shown."""


def true_answer(question: Question) -> str:
    """The gold answer: a line for each required element, with its first other accepted forms."""
    aliases = (*question.aliases, *((),) * (len(question.answers) - len(question.aliases)))
    lines = [with_forms(answer, forms) for answer, forms in zip(question.answers, aliases, strict=False)]
    return lines[0] if len(lines) == 1 else "\n".join(f"- {line}" for line in lines)


def with_forms(value: str, forms: Iterable[str]) -> str:
    """A value with its first 8 other forms, "Oslo (or: Kristiania; Christiania)": not those in other capitals alone."""
    others: dict[str, str] = {}
    for each in forms:
        others.setdefault(each.casefold(), each)
    others.pop(value.casefold(), None)
    return f"{value} (or: {'; '.join([*others.values()][:FORMS])})" if others else value
