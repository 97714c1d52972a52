"""SQuAD's two parts in a report."""

import json
from pathlib import Path

from report_cases import make_release

from benchwright.benchmarks.releases.rows import load_questions
from benchwright.benchmarks.reports.columns import load_run
from benchwright.benchmarks.reports.section import Content
from benchwright.benchmarks.reports.sections.squad import SECTION, squad_parts
from benchwright.benchmarks.runs.plan import Options
from benchwright.benchmarks.runs.score_system import score_system


def test_questions_with_and_without_an_answer_are_told_apart(tmp_path: Path) -> None:
    release = make_release(tmp_path / "release")
    asked = load_questions(release, "test")
    lines = [
        json.dumps({"id": each.id, "answer": each.answers[0] if each.answers else "Oslo", "contexts": []})
        for each in asked
    ]
    (tmp_path / "said.jsonl").write_text("\n".join(lines))
    options = Options(metrics=("squad_exact_match", "squad_f1"))
    folder = score_system(release, str(tmp_path / "said.jsonl"), output=tmp_path / "runs", options=options).folder
    run = load_run(release, folder)
    without = sum(each.answerability == "unanswerable" for each in asked)
    scored = sum(bool(each.answers) or each.answerability == "unanswerable" for each in asked)
    parts = squad_parts(run)
    assert {name: (each["squad_f1"].value, each["squad_f1"].scored) for name, each in parts.items()} == {
        "all": ((scored - without) / scored, scored),
        "HasAns": (1.0, scored - without),
        "NoAns": (0.0, without),
    }
    content = SECTION.compute(run)
    assert SECTION.applies(run) and isinstance(content, Content)
    assert [row[:3] for row in content.blocks[0].rows][1:3] == [  # type: ignore[union-attr]
        ("exact match", "HasAns", "100.0 %"),
        ("exact match", "NoAns", "0.0 %"),
    ]
