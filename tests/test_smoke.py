"""The whole way once, as a user goes it: build, prove, score, report."""

import json
from pathlib import Path

from support import Run


def test_build_prove_score_report(run_program: Run, company: Path, tmp_path: Path) -> None:
    database = f"sqlite:///{company}"
    built = run_program("build-benchmark", "grammar", "--name", "firm", "--set", f"database={database}")
    assert (built.returncode, built.stdout) == (0, "releases/firm/1.0.0\n"), built.stderr
    proved = run_program("verify-benchmark", "firm", "--database", database)
    assert proved.returncode == 0, proved.stdout
    assert "SQL queries" in proved.stdout
    (tmp_path / "mine.py").write_text("def answer(question):\n    return 'Oslo'\n")
    for system, folder in (("bm25", "bm25"), ("mine:answer", "mine")):
        scored = run_program("score-system", "firm", system)
        assert (scored.returncode, scored.stdout) == (0, f"runs/firm/1.0.0/{folder}\n"), scored.stderr
        report = json.loads((tmp_path / "runs" / "firm" / "1.0.0" / folder / "report.json").read_text())
        assert report["metrics"]["correct"]["scored"] > 0
        assert (tmp_path / "runs" / "firm" / "1.0.0" / folder / "report.html").stat().st_size > 10_000
