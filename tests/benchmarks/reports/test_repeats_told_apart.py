"""Noise from run to run and from wording, told apart where each question was asked repeatedly; and what n = 1 says."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from report_cases import Case, make_release, make_run

from benchwright.benchmarks.predictions import Context, Prediction
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.statistics.consistency import disagreement_of_two_members
from benchwright.benchmarks.types import Question
from benchwright.cards.report.markdown import markdown_report
from benchwright.cards.report.terminal import terminal_table

Outcomes = Sequence[Sequence[Sequence[int]]]
"""Of groups the wordings, of each its answers: 1 is right."""
MIXED: Outcomes = (((1, 1, 1), (1, 1, 0)), ((0, 0, 0), (0, 1, 0)), ((1, 1, 1), (0, 0, 0)), ((1, 1, 1), (1, 1, 1)))


def release_of(outcomes: Outcomes, folder: Path) -> Release:
    questions = [
        Question(f"{group}-{wording}", f"Wording {wording} of {group}?", ("Oslo",), answer_type="one", group=f"g{group}",
                 answerability="answerable")
        for group, wordings in enumerate(outcomes)
        for wording in range(len(wordings))
    ]  # fmt: skip
    return make_release(folder, questions, ())


def answers(outcomes: Outcomes, repeats: int = 3) -> list[Prediction]:
    contexts = (Context(text="Somebody wrote this, and nobody of the corpus did."),)
    return [
        Prediction(f"{group}-{wording}", "Oslo" if right else "Perth", repeat=repeat, contexts=contexts)
        for group, wordings in enumerate(outcomes)
        for wording, tries in enumerate(wordings)
        for repeat, right in enumerate(tries[:repeats])
    ]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("repeats")


@pytest.fixture(scope="module")
def release(folder: Path) -> Release:
    return release_of(MIXED, folder / "release")


@pytest.fixture(scope="module")
def thrice(release: Release, folder: Path) -> Case:
    return make_run(release, folder / "thrice", answers(MIXED), metrics=("correct",))


@pytest.fixture(scope="module")
def once(release: Release, folder: Path) -> Case:
    return make_run(release, folder / "once", answers(MIXED, 1), metrics=("correct",))


def test_both_noises_and_what_they_are_of(thrice: Case) -> None:
    """By hand: of 8 wordings two have answers 2 to 1, of which two agree in a third of the pairs."""
    found = thrice.report()["repeats"]
    assert (found["repeats"], found["reason"], found["questions"], found["unsteady"]) == (3, None, 8, 2)
    assert found["agreement"]["value"] == pytest.approx((6 + 2 / 3) / 8)
    assert found["wordings_disagree"]["value"] == pytest.approx((1 / 3 + 1 / 3 + 1 + 0) / 4)
    assert found["from_run_to_run"]["value"] == pytest.approx((1 / 3 + 1 / 3 + 0 + 0) / 4)
    assert found["from_wording"]["value"] == pytest.approx(1 / 4)
    assert found["tags"] == {"gap": 1, "non-robust": 1, "robust": 2}


def test_it_is_said_on_the_page_and_in_a_terminal(thrice: Case) -> None:
    report = thrice.made()
    part = markdown_report(report).partition("## From run to run")[2].partition("\n## ")[0]
    assert "Each question was asked 3 times. **Two answers to the same question agree in 83.3 % (" in part
    assert "2 of 8 questions were answered rightly in some repeats, and in others not." in part
    assert "in 16.7 % two answers to one wording would, too; the wording accounts for 25.0 % (" in part
    assert "That wordings matter at all is not shown" in part
    assert "| more than half of its answers | 1 | 1 | 2 |" in part
    assert "the wording accounts for 25.0 %" in " ".join(terminal_table(report).split())
    text = markdown_report(report)
    assert "Each question was asked 3 times: means are of all answers, groups and wordings of the first ones." in text
    assert "of the first ones; how all of them agree stands under" in text.partition("## Consistency")[2]
    assert "asked once" not in text


def test_questions_that_were_not_all_asked_as_often(release: Release, folder: Path) -> None:
    uneven = [each for each in answers(MIXED) if each.repeat == 0 or each.id in ("0-0", "0-1")]
    text = markdown_report(make_run(release, folder / "uneven", uneven, metrics=("correct",)).made())
    assert "Questions were asked up to 3 times: means are of all answers" in text
    part = text.partition("## From run to run")[2].partition("\n## ")[0]
    assert "Questions were asked up to 3 times. **Two answers to the same question agree in 66.7 %**" in part
    assert "1 of 2 questions were answered rightly in some repeats" in part and "Each question was asked" not in text


def test_asked_once_differences_include_those_from_run_to_run(once: Case) -> None:
    report = once.made()
    text = markdown_report(report)
    said = "What differs between wordings includes what differs from run to run (--repeat 3 tells them apart)"
    assert report.repeats.reason is not None
    assert report.repeats.reason.endswith(said[0].lower() + said[1:])
    for heading, wanted in (
        ("Headline", "non-robust and disagreeing wordings include noise from run to run"),
        ("Consistency", "includes what differs from run to run (--repeat 3 tells them apart)"),
        (
            "Semantic groups",
            "non-robust: some were, others were not (which includes noise from run to run: each was asked once)",
        ),
        ("Where the noise comes from", "no question was answered twice (--repeat 2, or"),
    ):
        assert wanted in text.partition(f"## {heading}\n")[2].partition("\n## ")[0], heading
    assert "include noise from run to run" in " ".join(terminal_table(report).split())


def test_of_the_built_in_reader_nothing_is_said(release: Release, folder: Path) -> None:
    """It says the same to the same question."""
    text = markdown_report(make_run(release, folder / "reader", answers(MIXED, 1), ("correct",), builtin=True).made())
    assert "run to run" not in text


def test_shares_of_matched_and_foreign_contexts(release: Release, folder: Path, once: Case) -> None:
    report = once.report()
    assert report["contexts"]["total"] == report["contexts"]["foreign"]["total"] == 0  # this run has no counts
    from benchwright.benchmarks.runs.score import score_run

    score_run(release, once.folder, metrics=("correct",))
    made = once.made()
    assert (made.contexts.total, made.contexts.foreign.value, made.contexts.id.count) == (8, 1.0, 0)
    text = markdown_report(made).partition("## Contexts")[2]
    assert "Of 8 contexts 0.0 % are of the corpus, 100.0 % are foreign" in text
    assert "name their addresses with --map" in text
    assert "100.0 % are foreign" in " ".join(terminal_table(made).split())


def test_disagreement_is_estimated_without_bias() -> None:
    """Over many draws the means are those of the chances that they were drawn from, however few the repeats are."""
    assert disagreement_of_two_members([0.5]) is None
    assert disagreement_of_two_members([1.0, 0.0, 0.0]) == pytest.approx(2 / 3)
    generator, chances = np.random.default_rng(0), np.array([0.9, 0.6, 0.2])
    drawn = generator.binomial(2, chances, size=(20_000, 3)) / 2
    mean = np.array([disagreement_of_two_members(each) for each in drawn.tolist()], dtype=float).mean()
    pairs = [(0.9, 0.6), (0.9, 0.2), (0.6, 0.2)]
    assert mean == pytest.approx(np.mean([p * (1 - q) + q * (1 - p) for p, q in pairs]), abs=0.005)
