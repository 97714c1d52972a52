"""SQuAD's nested JSON (Rajpurkar et al., 2016, 2018) as rows: a question, its passage and where answers stand."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.builders.documents.json_files import read_json
from benchwright.builders.documents.squad_files import SquadQuestion, articles_of, squad_questions
from benchwright.builders.tabular.files import source_of
from benchwright.builders.tabular.tables import Row, Table

FORM = "squad"
COLUMNS = ("id", "title", "context", "question", "answers", "is_impossible")


def is_squad(path: Path) -> bool:
    """Whether a JSON file is SQuAD's, by its first article."""
    with path.open("rb") as file:
        return b'"paragraphs"' in file.read(1 << 20) and articles_of(read_json(path)) is not None


def open_squad(path: Path) -> Table:
    """The questions of a file of SQuAD 1.1 or 2.0. A question that is said to be impossible has no answers.

    Raises:
        BenchwrightError: it is no such file.
    """
    articles = articles_of(read_json(path))
    if articles is None:
        raise BenchwrightError(f"{path} is no SQuAD: it must have data, a list of articles with paragraphs")

    def read(wanted: Sequence[str]) -> Iterator[Row]:
        for each in squad_questions(articles, path.name):
            yield Row(f"{path.name}, question {each.number}", _cells(each))

    return Table(path.name, COLUMNS, read, (source_of(path, FORM),))


def _cells(each: SquadQuestion) -> dict[str, Any]:
    question = each.question
    return {
        "id": question.get("id"),
        "title": each.article.get("title"),
        "context": each.paragraph.get("context"),
        "question": question.get("question"),
        "answers": [] if each.is_impossible else question.get("answers") or [],
        "is_impossible": each.is_impossible,
    }
