"""SQuAD's nested JSON (Rajpurkar et al., 2016, 2018) question by question: what every builder that reads it shares."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError

Refuse = Callable[[str], None]
"""Told where a part of a file is not of SQuAD's shape; raises, or notes it, and the other parts are read."""


@dataclass(frozen=True, slots=True)
class SquadQuestion:
    """A question as a file has it, with all keys of what it stands in."""

    number: int
    """Among the questions of the file, from 1."""
    article: Mapping[str, Any]
    paragraph: Mapping[str, Any]
    question: Mapping[str, Any]

    @property
    def is_impossible(self) -> bool:
        """Whether it is said to have no answer, whatever stands in `answers`; `"False"` as a text is no."""
        said = self.question.get("is_impossible")
        return said.strip().lower() == "true" if isinstance(said, str) else bool(said)


def articles_of(found: Any) -> Sequence[Any] | None:
    """The articles of a JSON text; None where it is no SQuAD, by the first article."""
    data = found.get("data") if isinstance(found, dict) else None
    is_one = isinstance(data, list) and data and isinstance(data[0], dict) and "paragraphs" in data[0]
    return data if is_one else None


def refuse(said: str) -> None:
    """Refuses a file for a part that is not of SQuAD's shape.

    Raises:
        BenchwrightError: always.
    """
    raise BenchwrightError(said)


def squad_questions(articles: Sequence[Any], name: str, refused: Refuse = refuse) -> Iterator[SquadQuestion]:
    """The questions of the articles of the file of a name."""
    number = 0
    for place, article in enumerate(articles, 1):
        where = f"{name}, article {place}"
        paragraphs = article.get("paragraphs") if isinstance(article, dict) else None
        if not isinstance(paragraphs, list):
            refused(f"{where} has no list of paragraphs")
            continue
        for part, paragraph in enumerate(paragraphs, 1):
            questions = paragraph.get("qas") if isinstance(paragraph, dict) else None
            if not isinstance(questions, list) or not all(isinstance(each, dict) for each in questions):
                refused(f"{where}, paragraph {part} has no list of questions, qas")
                continue
            for question in questions:
                number += 1
                yield SquadQuestion(number, article, paragraph, question)
