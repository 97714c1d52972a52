"""Figures of baselines on a card are those that `score-system` gives, and a file of strangers is read strictly."""

import json
from pathlib import Path

import pytest
from built import copy_release
from support import COMPANY, make_sqlite

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.baseline_figures import FILE, read_baselines
from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.baselines import LIMIT, WORDINGS, measure_baselines
from benchwright.benchmarks.reports.report import make_report
from benchwright.benchmarks.runs.plan import Options
from benchwright.benchmarks.runs.score_system import score_system
from benchwright.builders.base import build_release
from benchwright.cards.dataset.card import is_rendered_here, render_card, render_for

SMALL = {"size": "10", "groups": "120", "wordings": "2"}


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Release:
    root = tmp_path_factory.mktemp("measured")
    return build_release("aurp", SMALL, render_card, output=root, measure=measure_baselines)[0]


def test_they_are_those_of_score_system(measured: Release, tmp_path: Path) -> None:
    figures = read_baselines(measured.folder)
    assert figures is not None
    assert [one.system for one in figures.baselines] == ["closed-book", "keyword", "bm25", "oracle"]
    options = Options(limit=LIMIT, wordings=WORDINGS)
    for one in figures.baselines:
        folder = score_system(measured, one.system, output=tmp_path, options=options).folder
        again = make_report(measured, folder).metrics["correct"]
        assert again.value is not None and again.low is not None and again.high is not None
        assert (one.value, one.low, one.high) == (round(again.value, 4), round(again.low, 4), round(again.high, 4))
        assert (one.scored, one.total) == (again.scored, again.total)
    values = {one.system: one.value or 0 for one in figures.baselines}
    assert values["closed-book"] == 0 < values["keyword"] < values["bm25"] < values["oracle"]


def test_the_content_is_as_without_them(measured: Release, tmp_path: Path) -> None:
    plain = build_release("aurp", SMALL, render_card, output=tmp_path)[0]
    assert plain.manifest.content_hash == measured.manifest.content_hash
    assert set(measured.manifest.files) - set(plain.manifest.files) == {FILE}
    assert "No baseline was scored when this was built" in render_for(plain, None)
    again = build_release("aurp", SMALL, render_card, output=tmp_path / "b", measure=measure_baselines)[0]
    assert again.manifest == measured.manifest, "the same figures, and the same card"


def test_the_card_shows_them(measured: Release) -> None:
    card = render_for(measured, "alice/aurp")
    bm25 = next(one for one in (read_baselines(measured.folder) or pytest.fail()).baselines if one.system == "bm25")
    shown = [f"{100 * each:.1f}" for each in (bm25.value or 0, bm25.low or 0, bm25.high or 0)]
    assert f"| `bm25` | {shown[0]} | {shown[1]} to {shown[2]} | {bm25.scored:,} |" in card
    assert "`score-system alice/aurp@1.0.0 bm25 --limit 2000 --wordings 1`" in card
    assert "The hardest templates for bm25 (5 of " in card
    assert is_rendered_here(measured)


def test_a_proof_leaves_them(measured: Release) -> None:
    found = verify_release(measured)
    assert (found.problems, found.unchecked["figures of baselines"]) == ([], 4)


def test_templates_in_order(measured: Release) -> None:
    figures = read_baselines(measured.folder)
    assert figures is not None
    hardest, easiest = figures.hardest_first("bm25"), figures.easiest_first("bm25")
    assert len(hardest) == len(easiest) > 10
    shares = [each.correct["bm25"] for each in hardest]
    assert shares == sorted(shares) and shares[0] < shares[-1]
    assert [each.correct["bm25"] for each in easiest] == shares[::-1]
    assert all(each.groups and each.question for each in hardest)


def test_where_there_are_no_documents(tmp_path: Path) -> None:
    given = {"database": str(make_sqlite(tmp_path / "company.sqlite", COMPANY)), "documents": "none", "wordings": "1"}
    release = build_release("grammar", given, render_card, output=tmp_path / "made", measure=measure_baselines)[0]
    figures = read_baselines(release.folder)
    assert figures is not None
    closed, *others = figures.baselines
    assert (closed.system, closed.value) == ("closed-book", 0.0)
    assert [one.value for one in others] == [None, None, None]
    assert {one.reason for one in others} == {"the release has no documents"}
    assert str(tmp_path) not in (release.folder / FILE).read_text(encoding="utf-8")
    assert "| `bm25` | not scored |" in render_for(release, None)


@pytest.mark.parametrize(
    "change",
    [
        {"asked": None},
        {"more": 1},
        {"baselines": [{"system": "x", "value": 2.0, "low": 0.0, "high": 1.0, "scored": 1, "total": 1}]},
        {"baselines": [{"system": "x", "value": True, "low": 0.0, "high": 1.0, "scored": 1, "total": 1}]},
        {"templates": [{"template": "t" * 2000, "question": "", "groups": 1, "correct": {}}]},
        {"templates": {}},
    ],
)
def test_a_file_that_is_not_as_it_must_be(measured: Release, tmp_path: Path, change: dict[str, object]) -> None:
    copy = copy_release(measured, tmp_path)
    path = copy.folder / FILE
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    with pytest.raises(BenchwrightError, match=r"baselines\.json is not as it must be: "):
        read_baselines(copy.folder)
    assert any("baselines.json is not as it must be" in problem for problem in verify_release(copy).problems)
    path.write_text("[" * 100_000)
    with pytest.raises(BenchwrightError, match=r"baselines\.json (cannot be read|is not as it must be)"):
        read_baselines(copy.folder)
