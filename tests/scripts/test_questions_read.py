"""What a reader said of questions by rule: every page that tells a figure of it tells the one of the verdicts."""

from pathlib import Path

from benchwright.scripts.maintain.questions_read import HALVES, VERDICTS, questions_read
from benchwright.scripts.measure import wikipedia_questions

ROOT = Path(__file__).resolve().parents[2]
ROWS = questions_read("wikipedia")


def kept(half: str) -> tuple[int, int]:
    """Questions that were kept, and all that were read."""
    verdicts = [row["verdict"] for row in ROWS if row["half"] == half]
    return verdicts.count("kept"), len(verdicts)


def test_the_verdicts_are_whole() -> None:
    assert {row["half"] for row in ROWS} == set(HALVES)
    assert {row["verdict"] for row in ROWS} <= set(VERDICTS["wikipedia"])
    assert {row["fact_date"] for row in ROWS} == {"right", "wrong", "none"}
    assert len({row["id"] for row in ROWS}) == len(ROWS)
    assert all(set(row) == {"id", "half", "kind", "verdict", "fact_date"} for row in ROWS), "no text of the articles"


def test_figures_are_those_of_the_verdicts() -> None:
    last, of_last = kept("unread")
    assert last >= 0.9 * of_last
    dated = [row["fact_date"] for row in ROWS if row["fact_date"] != "none"]
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    assert f"Of {of_last} questions that rules made from real Wikipedia articles" in readme
    assert f"as reader kept {last} ([all](cards/guides/wikipedia.md#" in readme
    card = (ROOT / "cards/templates/card/builders/wikipedia.md.jinja").read_text(encoding="utf-8")
    assert f"Of {len(dated)} such dates" in card and f"{dated.count('right')} were right" in card
    spec = (ROOT / "benchmarks/specs/wikipedia.toml").read_text(encoding="utf-8")
    assert f"of {of_last} English ones" in spec and f"as reader kept {last}." in spec


def test_rules_ask_today_what_was_read(shared: Path) -> None:
    """Rules that ask something else need another reading, and other figures on every page."""
    asked: set[str] = set()
    for name in ("wikipedia_created_after_2021-10.jsonl", "wikipedia_random_300.jsonl"):
        for half in ("a", "b"):
            articles = wikipedia_questions.read_articles(shared / name, half)
            found = wikipedia_questions.ask(articles, questions=8, seed=14)
            asked |= {wikipedia_questions.described(articles, one)["id"] for one in found.kept}
    read = [row["id"] for row in ROWS if row["half"] == "unread"]
    assert (len(asked & set(read)), len(read)) == (52, 54)
    guide = (ROOT / "cards/guides/wikipedia.md").read_text(encoding="utf-8")
    assert "rules ask 52 of the 54 today" in guide


def test_databases_that_were_read() -> None:
    """A hundred questions of each of three databases: no text of other people's rows, and the README tells the figures."""
    rows = questions_read("databases")
    assert all(set(row) <= {"database", "seed", "id", "verdict", "reason", "question", "answer"} for row in rows)
    assert not [row for row in rows if row["database"] == "Northwind" and "question" in row]
    counts = {
        name: [row["verdict"] for row in rows if row["database"] == name]
        for name in ("Northwind", "music shop", "film rental")
    }
    assert all(len(those) == 100 and set(those) <= set(VERDICTS["databases"]) for those in counts.values())
    kept = {name: those.count("kept") for name, those in counts.items()}
    assert min(kept.values()) >= 85
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    figures = "{Northwind}, {music shop} and {film rental}".format_map(kept)
    assert "Northwind, a music shop and a film rental, a language model that had mended the rules" in readme
    assert f"kept {figures} ([all](cards/guides/build-from-your-database.md#" in readme
