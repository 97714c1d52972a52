"""Figures of baselines on a card are those that `score-system` gives, and a file of strangers is read strictly."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from built import copy_release
from support import COMPANY, make_sqlite

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.baseline_figures import (
    FILE,
    MAX_BYTES,
    Asked,
    BaselineFigures,
    TemplateFigures,
    baselines_text,
    read_baselines,
)
from benchwright.benchmarks.releases.manifest import CARD, list_files, write_manifest
from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.baselines import LIMIT, SYSTEMS, WORDINGS, measure_baselines
from benchwright.benchmarks.reports.report import make_report
from benchwright.benchmarks.runs.plan import Options, plan_run
from benchwright.benchmarks.runs.score_system import score_system
from benchwright.builders.base import build_release
from benchwright.builders.rebuild import Given, rebuild
from benchwright.cards.dataset.card import is_rendered_here, render_card, render_for

SMALL = {"size": "10", "groups": "80", "wordings": "2"}


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return build_release("aurp", SMALL, render_card, output=tmp_path_factory.mktemp("plain"))[0]


@pytest.fixture(scope="module")
def measured(plain: Release, tmp_path_factory: pytest.TempPathFactory) -> Release:
    return with_figures(copy_release(plain, tmp_path_factory.mktemp("measured")), measure_baselines(plain))


def with_figures(release: Release, figures: BaselineFigures) -> Release:
    """The release, in its folder, as it stands in a repository that it was pushed to."""
    (release.folder / FILE).write_text(baselines_text(figures), encoding="utf-8")
    (release.folder / CARD).write_text(render_for(release, "alice/aurp"), encoding="utf-8")
    write_manifest(release.folder, replace(release.manifest, files=list_files(release.folder)))
    return Release.load(release.folder)


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


def test_the_same_release_has_the_same(plain: Release, measured: Release) -> None:
    assert measure_baselines(plain) == read_baselines(measured.folder)
    assert "They are scored when this is published" in render_for(plain, None)
    assert "None was scored" in render_for(plain, "alice/aurp")


def test_built_again_they_are_asked_again(measured: Release, tmp_path: Path) -> None:
    found = verify_release(measured)
    rebuild(measured, found, Given({}, render_card))
    assert (found.problems, found.proved["figures of baselines, asked again"]) == ([], 4)
    assert not any("baselines" in reason for reason in found.reasons.values() if reason in found.unchecked)
    assert "figures of baselines" not in found.unchecked
    figures = read_baselines(measured.folder)
    assert figures is not None
    better = replace(figures.baselines[2], value=0.99, high=1.0)
    changed = replace(figures, baselines=(*figures.baselines[:2], better, *figures.baselines[3:]))
    forged = with_figures(copy_release(measured, tmp_path), changed)
    found = verify_release(forged)
    rebuild(forged, found, Given({}, render_card))
    assert found.unchecked["figures of baselines"] == 4
    assert "asked again they are others" in found.reasons["figures of baselines"]


def test_the_card_shows_them(measured: Release) -> None:
    card = render_for(measured, "alice/aurp")
    bm25 = next(one for one in (read_baselines(measured.folder) or pytest.fail()).baselines if one.system == "bm25")
    shown = [f"{100 * each:.1f}" for each in (bm25.value or 0, bm25.low or 0, bm25.high or 0)]
    assert f"| `bm25` | {shown[0]} | {shown[1]} to {shown[2]} | {bm25.scored:,} |" in card
    assert "`score-system alice/aurp@1.0.0 bm25 --limit 2000 --wordings 1`" in card
    assert "The intervals are Wilson's by semantic group, and speak of this benchmark." in card
    assert "The hardest templates for bm25 (5 of " in card
    assert is_rendered_here(measured)


def test_one_group_has_no_interval_on_the_card(measured: Release, tmp_path: Path) -> None:
    figures = read_baselines(measured.folder)
    assert figures is not None
    alone = tuple(replace(one, low=None, high=None) for one in figures.baselines)
    card = render_for(with_figures(copy_release(measured, tmp_path), replace(figures, baselines=alone)), "alice/aurp")
    assert card.count("none: one group") == 4


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
    release = build_release("grammar", given, render_card, output=tmp_path / "made")[0]
    figures = measure_baselines(release)
    closed, *others = figures.baselines
    assert (closed.system, closed.value) == ("closed-book", 0.0)
    assert [one.value for one in others] == [None, None, None]
    assert {one.reason for one in others} == {"the release has no documents"}
    assert str(tmp_path) not in baselines_text(figures)
    assert "| `bm25` | not scored | the release has no documents | 0 |" in render_for(release, None, figures)


def test_what_a_public_half_shows_is_of_its_own_answers(tmp_path: Path) -> None:
    public = build_release("aurp", SMALL, render_card, output=tmp_path, holdout=0.5)[0]
    figures = measure_baselines(public)
    rows = {
        split: [row for batch in public.batches("questions", split) for row in batch.to_pylist()]
        for split in public.manifest.splits["questions"]
    }
    assert rows["heldout"]
    known = {row["question"] for row in rows["test"]}
    assert {each.question for each in figures.templates} <= known
    assert figures.asked.groups <= len({row["group"] for row in rows["test"]})
    assert {one.total for one in figures.baselines} == {
        sum(row["answerability"] == "answerable" for row in rows["test"] if row["id"] in asked_ids(public))
    }


def asked_ids(release: Release) -> set[str]:
    return {question.id for question in plan_run(release, Options(limit=LIMIT, wordings=WORDINGS)).questions}


def test_the_largest_can_be_read(tmp_path: Path) -> None:
    text = "\U0001f4a1" * 200
    one = TemplateFigures(text, text, 1, dict.fromkeys(SYSTEMS, 0.3333))
    figures = BaselineFigures(Asked("test", LIMIT, WORDINGS, LIMIT, LIMIT), (), (one,) * LIMIT)
    (tmp_path / FILE).write_text(baselines_text(figures), encoding="utf-8")
    assert (tmp_path / FILE).stat().st_size <= MAX_BYTES
    assert read_baselines(tmp_path) == figures


HOSTILE = "</details><script>x</script>|![a](http://evil.example/x.png)\n# Head`"


def test_hostile_texts_stay_texts(measured: Release, tmp_path: Path) -> None:
    figures = read_baselines(measured.folder)
    assert figures is not None
    changed = BaselineFigures(
        replace(figures.asked, split=HOSTILE),
        tuple(
            replace(one, system=HOSTILE, **({} if n else {"value": None, "reason": HOSTILE}))
            for n, one in enumerate(figures.baselines)
        ),
        tuple(replace(each, question=HOSTILE) for each in figures.templates),
    )
    card = render_for(measured, None, changed)
    section = card[card.index("## Baselines") : card.index("## Whether the documents state")]
    assert "evil.example" in section
    outside = re.sub(r"(`+)[^`\n]*\1", "", section)
    assert "<script" not in outside and "![a](" not in outside
    assert section.count("\n#") == 0 and section.count("</details>") == section.count("<details>") == 2
    rows = [line.replace(r"\|", "").count("|") for line in section.splitlines() if line.startswith("| ")]
    assert len(rows) == 5 + 12 and set(rows) <= {4, 5}


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
