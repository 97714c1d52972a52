"""Asks real articles by rule, as a build does, and prints a sample of the questions for reading them one by one.

    python -m benchwright.scripts.measure.wikipedia_questions --half dev [--count 100] [--seed 1] [--random] [--json]

Rules are made over by what is read of one half of the articles, `dev`; the others, `a` and `b`, are there to measure
what came of it, and nobody reads them before. The articles are a file of JSON lines with `title` and `text`, which is
not part of this package: name it, or the folder that holds it in the environment variable BENCHWRIGHT_SHARED_DATA.
"""

import hashlib
import json
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

import click

from benchwright.builders.wiki.pages import Article, Page
from benchwright.builders.wiki.questions.article_questions import ArticleQuestion
from benchwright.builders.wiki.questions.fact_dates import is_after
from benchwright.builders.wiki.questions.questions_by_rule import ask_by_rule, choose, choose_of_each, counted
from benchwright.builders.wiki.text.page import read_article
from benchwright.builders.wikipedia.filters import filter_questions
from benchwright.builders.wikipedia.rows import as_question

CUTOFF = date(2021, 10, 1)
HALVES = {"dev": "01234567", "a": "89ab", "b": "cdef", "all": "0123456789abcdef"}
"""Part of the articles → the first hexadecimal digits of the sha256 of their titles."""
_VARIABLE = "BENCHWRIGHT_SHARED_DATA"
_FOLDER = Path(__file__).parents[2].parent / "shared" / "data"
_CREATED, _RANDOM = "wikipedia_created_after_2021-10.jsonl", "wikipedia_random_300.jsonl"


@dataclass(frozen=True)
class Asked:
    """What was asked of some articles."""

    articles: dict[int, Article]
    kept: tuple[ArticleQuestion, ...]
    """What the rules ask and the filters leave, at most so many of an article as were wanted."""
    own_checks: dict[str, int]
    """Reason → questions that the rules themselves rejected."""
    filters: dict[str, int]


def half_of(title: str) -> str:
    """The part that an article belongs to, by its title."""
    digit = hashlib.sha256(title.encode()).hexdigest()[0]
    return next(name for name, digits in HALVES.items() if digit in digits)


def read_articles(path: Path, half: str) -> dict[int, Article]:
    """The articles of a part, by their place in the file."""
    found: dict[int, Article] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
        row = json.loads(line)
        if half in ("all", half_of(row["title"])):
            created = str(row.get("created") or "")
            page = Page(number, row["title"], created, number + 1, created, "0" * 40, row["text"])
            found[number] = read_article(page)
    return found


def ask(articles: dict[int, Article], questions: int, seed: int) -> Asked:
    """Asks as a build does: the rules, a seeded order, the filters, and so many of each article."""
    asked: list[ArticleQuestion] = []
    rejected = []
    for article in articles.values():
        of_article = ask_by_rule(article)
        asked += choose(of_article.asked, len(of_article.asked), seed, after=CUTOFF)
        rejected += of_article.rejected
    filtered = filter_questions(articles, asked)
    kept = tuple(choose_of_each(filtered.kept, questions, seed, after=dict.fromkeys(articles, CUTOFF)))
    return Asked(articles, kept, counted(rejected), counted(filtered.rejected))


def described(articles: dict[int, Article], one: ArticleQuestion) -> dict[str, Any]:
    """A question as it is read: with its id in a release, its evidence and its article's title."""
    article = articles[one.page]
    row = as_question(one, article.page.title, "")
    return {
        "id": row.id,
        "question": one.question,
        "answer": one.answer,
        "fact_date": one.fact_date,
        "evidence": article.text[one.start : one.end],
        "title": article.page.title,
        "kind": one.answer_kind,
    }


def summary(asked: Asked) -> list[str]:
    """How many articles have a question, and of what kinds they are."""
    kinds = Counter(one.answer_kind for one in asked.kept)
    recent = sum(is_after(one.fact_date, CUTOFF) for one in asked.kept)
    lives = sum(one.question.endswith((" born?", " die?")) for one in asked.kept)
    return [
        f"articles {len(asked.articles)}, with a question {len({one.page for one in asked.kept})}",
        f"questions {len(asked.kept)}, of facts after {CUTOFF} {recent}",
        "kinds: " + ", ".join(f"{kind} {count}" for kind, count in kinds.most_common()) + f"; born or died: {lives}",
    ]


@click.command()
@click.option(
    "--articles", "path", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="A file of JSON lines."
)
@click.option("--half", type=click.Choice(sorted(HALVES)), default="dev", show_default=True)
@click.option("--random", "is_random", is_flag=True, help="The random articles of the folder instead of the new ones.")
@click.option("--questions", default=3, show_default=True, help="At most so many of an article.")
@click.option("--count", default=100, show_default=True, help="So many are printed; 0: none; -1: all.")
@click.option("--seed", default=1, show_default=True, help="Draws the questions and the sample.")
@click.option("--json", "as_json", is_flag=True, help="As JSON lines, with the questions' ids.")
@click.option("--reasons", is_flag=True, help="Say what was rejected, by reason.")
def main(
    path: Path | None, half: str, is_random: bool, questions: int, count: int, seed: int, as_json: bool, reasons: bool
) -> None:
    """Prints questions that the rules ask of real articles."""
    folder = Path(os.environ.get(_VARIABLE) or _FOLDER)
    path = path or folder / (_RANDOM if is_random else _CREATED)
    if not path.is_file():
        raise click.UsageError(f"{path.name} is not there: name it with --articles, or its folder in {_VARIABLE}")
    asked = ask(read_articles(path, half), questions, seed)
    rows = [described(asked.articles, one) for one in asked.kept]
    Random(seed).shuffle(rows)
    shown: Sequence[dict[str, Any]] = rows if count < 0 else rows[:count]
    if as_json:
        for row in shown:
            click.echo(json.dumps(row, ensure_ascii=False))
        return
    for line in summary(asked):
        click.echo(line)
    if reasons:
        for name, count_of in {**asked.own_checks, **asked.filters}.items():
            click.echo(f"  {count_of:6} {name}")
    for number, row in enumerate(shown, start=1):
        told = (
            row["question"],
            row["answer"],
            row["fact_date"] or "no date",
            row["evidence"].replace("\n", " "),
            row["title"],
        )
        click.echo(f"{number}. " + " | ".join((*told, row["kind"])))


if __name__ == "__main__":
    main()
