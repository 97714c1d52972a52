"""SQuAD's nested JSON (Rajpurkar et al., 2016, 2018) as rows: a question, its passage and where answers stand."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.builders.tabular.files import read_json, source_of
from benchwright.builders.tabular.tables import Row, Table

FORM = "squad"
COLUMNS = ("id", "title", "context", "question", "answers", "is_impossible")


def is_squad(path: Path) -> bool:
    """Whether a JSON file is SQuAD's, by its first article."""
    with path.open("rb") as file:
        return b'"paragraphs"' in file.read(1 << 20) and _articles(read_json(path)) is not None


def open_squad(path: Path) -> Table:
    """The questions of a file of SQuAD 1.1 or 2.0. A question that is said to be impossible has no answers.

    Raises:
        BenchwrightError: it is no such file.
    """
    articles = _articles(read_json(path))
    if articles is None:
        raise BenchwrightError(f"{path} is no SQuAD: it must have data, a list of articles with paragraphs")

    def read(wanted: Sequence[str]) -> Iterator[Row]:
        number = 0
        for place, article in enumerate(articles, 1):
            for paragraph, question in _questions(article, f"{path.name}, article {place}"):
                number += 1
                yield Row(f"{path.name}, question {number}", _cells(article, paragraph, question))

    return Table(path.name, COLUMNS, read, (source_of(path, FORM),))


def _articles(found: Any) -> Sequence[Any] | None:
    data = found.get("data") if isinstance(found, dict) else None
    is_one = isinstance(data, list) and data and isinstance(data[0], dict) and "paragraphs" in data[0]
    return data if is_one else None


def _questions(article: Any, where: str) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    paragraphs = article.get("paragraphs") if isinstance(article, dict) else None
    if not isinstance(paragraphs, list):
        raise BenchwrightError(f"{where} has no list of paragraphs")
    for number, paragraph in enumerate(paragraphs, 1):
        questions = paragraph.get("qas") if isinstance(paragraph, dict) else None
        if not isinstance(questions, list) or not all(isinstance(each, dict) for each in questions):
            raise BenchwrightError(f"{where}, paragraph {number} has no list of questions, qas")
        for question in questions:
            yield paragraph, question


def _cells(article: Any, paragraph: Mapping[str, Any], question: Mapping[str, Any]) -> dict[str, Any]:
    is_impossible = bool(question.get("is_impossible"))
    return {
        "id": question.get("id"),
        "title": article.get("title"),
        "context": paragraph.get("context"),
        "question": question.get("question"),
        "answers": [] if is_impossible else question.get("answers") or [],
        "is_impossible": is_impossible,
    }
