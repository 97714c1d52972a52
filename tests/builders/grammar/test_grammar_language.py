"""A benchmark in another language than English: its templates say the words, its card and reports say the language."""

import json
from pathlib import Path

import pytest
from report_cases import make_run
from support import make_sqlite

from benchwright.benchmarks.catalogue import load_spec, spec_names
from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.naming import check_language
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.rows import load_questions
from benchwright.builders.base import build_release
from benchwright.cards.dataset.card import render_card
from benchwright.cards.report.markdown import markdown_report
from benchwright.cards.report.terminal import terminal_table

NOTE = "Its language is pt-BR, and the rules of `correct` read English: they may misread numbers, dates, denials and hedges"
SQL = "SELECT author FROM books WHERE title = '[books.title]';"
TEMPLATES = {
    "sql_templates": {"('books',)": [SQL]},
    "text_templates_short": {SQL: ["autor de [books.title]?", "quem escreveu [books.title]?"]},
}


def build(folder: Path, **settings: str) -> Release:
    database = make_sqlite(
        folder / "books.sqlite",
        "CREATE TABLE books (title TEXT, author TEXT);"
        "INSERT INTO books VALUES ('Dom Casmurro', 'Machado de Assis'), ('Iracema', 'Alencar')",
    )
    texts = {"database": str(database), "forms": "short", **settings}
    return build_release("grammar", texts, render_card, output=folder / "releases", name="livros")[0]


def portuguese(folder: Path, language: str = "pt-BR") -> Release:
    file = folder / "templates.json"
    file.write_text(json.dumps(TEMPLATES), encoding="utf-8")
    return build(folder, templates=str(file), language=language)


def test_card_and_report_say_the_language(tmp_path: Path) -> None:
    release = portuguese(tmp_path)
    card = (release.folder / "README.md").read_text("utf-8")
    assert "\nlanguage:\n- pt\nlanguage_bcp47:\n- pt-BR\n" in card
    assert "Its language is `pt-BR`. The rules of the metric `correct` read English" in card
    questions = load_questions(release, "test")
    assert {question.question for question in questions} >= {"autor de Iracema?"}
    predictions = [Prediction(question.id, "Não sei.") for question in questions[:1]]
    predictions += [Prediction(question.id, question.answers[0]) for question in questions[1:]]
    report = make_run(release, tmp_path / "run", predictions, ("correct",)).made()
    assert report.language == "pt-BR"
    assert (report.outcomes.headline.correct, report.outcomes.headline.abstained) == (len(questions) - 1, 1)
    assert NOTE in " ".join(terminal_table(report).split())
    assert NOTE in markdown_report(report).replace("\\", "")


def test_of_english_nothing_is_said(tmp_path: Path) -> None:
    release = portuguese(tmp_path, "en")
    card = (release.folder / "README.md").read_text("utf-8")
    assert "\nlanguage:\n- en\nmultilinguality" in card and "read English" not in card
    predictions = [Prediction(question.id, "Alencar") for question in load_questions(release, "test")]
    report = make_run(release, tmp_path / "run", predictions, ("correct",)).made()
    assert report.language == "en"
    assert "read English" not in terminal_table(report)


def test_without_templates_questions_are_english(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"^language=de goes with --set templates=FILE: without one, questions are"):
        build(tmp_path, language="de")


@pytest.mark.parametrize("tag", ["", "German", "DE", "de_DE", "e", "../x", "pt-br"])
def test_what_is_no_tag_of_a_language_is_refused(tag: str) -> None:
    with pytest.raises(BenchwrightError, match="is not the tag of a language: use one such as en, de or pt-BR"):
        check_language(tag)


def test_every_spec_says_its_language_and_a_parameter_goes_before_it() -> None:
    assert {name: load_spec(name).language for name in spec_names()} == dict.fromkeys(spec_names(), "en")
    wikipedia = load_spec("wikipedia")
    assert [wikipedia.language_of({"language": given}) for given in ("fr", "simple", "")] == ["fr", "en", "en"]
