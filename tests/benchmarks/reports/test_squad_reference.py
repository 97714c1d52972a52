"""A whole report's exact match and F1 beside the reference's evaluation of the same answers.

`WHOLE` is what transformers 4.57.1 printed of those cases of `tests/cases/squad.jsonl` that a file can hold (an empty
text stands nowhere in a context); where `scripts/peers squad` has installed it,
it is computed again.
"""

import json
import subprocess
from pathlib import Path

import pytest
from support import ROOT

from benchwright.benchmarks.reports.columns import load_run
from benchwright.benchmarks.reports.sections.squad import squad_parts
from benchwright.benchmarks.runs.score_system import score_system
from benchwright.builders.base import build_release

LINES = [json.loads(line) for line in (ROOT / "tests/cases/squad.jsonl").read_text("utf-8").splitlines()]
CASES = [each for each in LINES if all(each["answers"])]
PYTHON = ROOT / ".peers" / "squad" / "bin" / "python"
WHOLE = {
    "all": (20.37037037037037, 37.34918373807262, 54),
    "HasAns": (20.512820512820515, 44.021946714254405, 39),
    "NoAns": (20.0, 20.0, 15),
}
"""Part → exact match and F1 in percent, and questions."""


def test_a_report_has_the_references_figures(tmp_path: Path) -> None:
    source = tmp_path / "published.json"
    source.write_text(json.dumps({"version": "v2.0", "data": [{"title": "cases", "paragraphs": _paragraphs()}]}))
    release, _ = build_release("telequad", {"source": str(source)}, lambda *_: "", output=tmp_path / "releases")
    said = tmp_path / "said.jsonl"
    said.write_text("\n".join(json.dumps({"id": each["id"], "answer": each["prediction"]}) for each in CASES))
    run = load_run(release, score_system(release, str(said), output=tmp_path / "runs").folder)
    found = {part: (each["squad_exact_match"], each["squad_f1"]) for part, each in squad_parts(run).items()}
    assert {part: (exact.scored, f1.scored) for part, (exact, f1) in found.items()} == {
        part: (count, count) for part, (_, _, count) in WHOLE.items()
    }
    for part, (exact, f1) in found.items():
        assert exact.value is not None and f1.value is not None
        assert (exact.value * 100, f1.value * 100) == pytest.approx(WHOLE[part][:2], rel=1e-12)


@pytest.mark.skipif(not PYTHON.exists(), reason="transformers is not installed: scripts/peers squad")
def test_the_figures_are_the_references() -> None:
    script = ROOT / "tests" / "squad_scores.py"
    done = subprocess.run([PYTHON, script], input=json.dumps(CASES), capture_output=True, text=True, check=True)
    whole = json.loads(done.stdout)["whole"]
    assert {
        part: tuple(whole[f"{prefix}{name}"] for name in ("exact", "f1", "total"))
        for part, prefix in {"all": "", "HasAns": "HasAns_", "NoAns": "NoAns_"}.items()
    } == WHOLE


def _paragraphs() -> list[dict[str, object]]:
    """A paragraph a case: its context is its answers, one after the other."""
    made = []
    for each in CASES:
        context, answers = f"Of {each['id']} is said:", []
        for text in each["answers"]:
            answers.append({"text": text, "answer_start": len(context) + 1})
            context = f"{context} {text}"
        asked = {"id": each["id"], "question": f"What of {each['id']}?", "answers": answers}
        made.append({"context": context, "qas": [asked | {"is_impossible": not answers}]})
    return made
