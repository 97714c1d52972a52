"""The program that prints what rules ask of articles, for reading: halves, numbered lines, JSON, what is not there."""

import json
from pathlib import Path

from click.testing import CliRunner

from benchwright.scripts.measure.wikipedia_questions import half_of, main, read_articles

TITLES = ("Ada Moor", "Ben Tal", "Cy Orr", "Dee Fane", "Eva Holm", "Fay Vik", "Gil Hart", "Hal Reyes")


def write(folder: Path) -> Path:
    rows = [
        {"title": title, "text": f"{title} (born 3 May 19{60 + number}) is a Norwegian painter."}
        for number, title in enumerate(TITLES)
    ]
    path = folder / "articles.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, list(arguments))
    return result.exit_code, result.output


def test_halves_part_the_articles(tmp_path: Path) -> None:
    path = write(tmp_path)
    halves = {half: {each.page.title for each in read_articles(path, half).values()} for half in ("dev", "a", "b")}
    assert sorted(title for titles in halves.values() for title in titles) == sorted(TITLES)
    assert all(half_of(title) == half for half, titles in halves.items() for title in titles)
    assert set(read_articles(path, "all")) == set(range(len(TITLES)))


def test_questions_are_printed_for_reading(tmp_path: Path) -> None:
    path = write(tmp_path)
    code, said = run("--articles", str(path), "--half", "all", "--count", "1", "--reasons")
    lines = said.splitlines()
    assert (code, lines[:3]) == (
        0,
        [
            "articles 8, with a question 8",
            "questions 8, of facts after 2021-10-01 0",
            "kinds: date 8; born or died: 8",
        ],
    )
    assert lines[-1].startswith("1. When was the Norwegian painter ")
    code, said = run("--articles", str(path), "--half", "all", "--count", "-1", "--json")
    rows = [json.loads(line) for line in said.splitlines()]
    assert (code, len(rows), len({row["id"] for row in rows})) == (0, 8, 8)
    of_ada = next(row for row in rows if row["title"] == "Ada Moor")
    assert of_ada == {
        "id": of_ada["id"],
        "question": "When was the Norwegian painter Ada Moor born?",
        "answer": "3 May 1960",
        "fact_date": "1960-05-03",
        "evidence": "Ada Moor (born 3 May 1960) is a Norwegian painter.",
        "title": "Ada Moor",
        "kind": "date",
    }
    assert run("--articles", str(path), "--half", "all", "--count", "-1", "--json")[1] == said


def test_articles_that_are_not_there_are_named(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, [], env={"BENCHWRIGHT_SHARED_DATA": str(tmp_path)})
    assert result.exit_code == 2
    assert "wikipedia_created_after_2021-10.jsonl is not there: name it with --articles" in result.output
