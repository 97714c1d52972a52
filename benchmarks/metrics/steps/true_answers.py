"""The true answer as a judge is shown it: the same in each prompt that holds it."""

from benchwright.benchmarks.types import Question

FORMS = 8
"""Further accepted forms of an element that a judge is shown."""


def true_answer(question: Question) -> str:
    """The gold answer: a line for each required element, with its first other accepted forms."""
    aliases = (*question.aliases, *((),) * (len(question.answers) - len(question.aliases)))
    lines = [
        f"{answer} (or: {'; '.join(others[:FORMS])})"
        if (others := [each for each in forms if each != answer])
        else answer
        for answer, forms in zip(question.answers, aliases, strict=False)
    ]
    return lines[0] if len(lines) == 1 else "\n".join(f"- {line}" for line in lines)
