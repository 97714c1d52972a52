"""What a reader said of Wikipedia's questions: every page that tells a figure of it tells the one of the verdicts."""

from pathlib import Path

from benchwright.scripts.maintain.questions_read import HALVES, VERDICTS, questions_read

ROOT = Path(__file__).resolve().parents[2]
ROWS = questions_read("wikipedia")


def kept(half: str) -> tuple[int, int]:
    """Questions that were kept, and all that were read."""
    verdicts = [row["verdict"] for row in ROWS if row["half"] == half]
    return verdicts.count("kept"), len(verdicts)


def test_the_verdicts_are_whole() -> None:
    assert {row["half"] for row in ROWS} == set(HALVES) and {row["verdict"] for row in ROWS} <= set(VERDICTS)
    assert {row["fact_date"] for row in ROWS} == {"right", "wrong", "none"}
    assert len({row["id"] for row in ROWS}) == len(ROWS)
    assert all(set(row) == {"id", "half", "kind", "verdict", "fact_date"} for row in ROWS), "no text of the articles"


def test_figures_are_those_of_the_verdicts() -> None:
    (last, of_last), (first, of_first) = kept("unread"), kept("first")
    assert last >= 0.9 * of_last
    dated = [row["fact_date"] for row in ROWS if row["fact_date"] != "none"]
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    assert f"Of {of_last} questions that rules made from real Wikipedia articles" in readme
    assert f"as reader kept {last}; of {of_first} read before that by others, {first}" in readme
    assert f"Of {len(dated)} dates of facts {dated.count('right')} were right." in readme
    card = (ROOT / "cards/templates/card/builders/wikipedia.md.jinja").read_text(encoding="utf-8")
    assert f"Of {len(dated)} such dates" in card and f"{dated.count('right')} were right" in card
    spec = (ROOT / "benchmarks/specs/wikipedia.toml").read_text(encoding="utf-8")
    assert f"of {of_last} English ones" in spec and f"as reader kept {last}." in spec
