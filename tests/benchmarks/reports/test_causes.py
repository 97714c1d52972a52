"""What to fix: each lost answer has one cause, advice stands only where the data carry it, slices are tested."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from report_cases import PREDICTIONS_MADE, Case, make_release, make_run

from benchwright.benchmarks.metrics.answers import judge
from benchwright.benchmarks.metrics.answers.judge import AnswerJudgment
from benchwright.benchmarks.predictions import Context, Prediction
from benchwright.benchmarks.reports.failures.causes import cause_texts, reason_texts
from benchwright.benchmarks.reports.sections.causes import CauseFigures
from benchwright.benchmarks.statistics.tests import part_is_larger
from benchwright.benchmarks.types import Document, Evidence, Question
from benchwright.cards.report.markdown import markdown_report
from benchwright.cards.report.page import render_report
from benchwright.cards.report.terminal import terminal_table

TOWNS = ("Oslo", "Perth", "Bergen", "Lima", "Turin")
PADDING = "The weather was fine that day, and nothing else is to be said about this place in the long report."
DOCUMENTS = tuple(
    Document(f"d{number}-{part}", f"Firm {number}", f"{PADDING} The {part} of firm {number} is in {town}. {PADDING}")
    for number in range(60)
    for part, town in (("yard", TOWNS[number % 5]), ("bank", TOWNS[(number + 1) % 5]))
)
BY_ID = {document.id: document for document in DOCUMENTS}


def passage(document: str, with_evidence: bool = True) -> Context:
    """The first half of a document, or all of it."""
    text = BY_ID[document].body
    return Context(document, text if with_evidence else PADDING, start=0, end=len(text if with_evidence else PADDING))


def question(number: int, facts: int = 1, **more: Any) -> Question:
    """A question for the bank's town of a firm, by way of its yard where it needs two facts."""
    names = (f"d{number}-bank", f"d{number}-yard")[:facts]
    towns = (TOWNS[(number + 1) % 5], TOWNS[number % 5])
    evidence = tuple(
        Evidence(name, (at := BY_ID[name].body.index(town)), at + len(town), fact)
        for fact, (name, town) in enumerate(zip(names, towns, strict=False))
    )
    made = Question(
        id=f"q{number}",
        question=f"In which town is the bank of firm {number}?",
        answers=(towns[0],),
        answer_type="one",
        group=f"g{number}",
        form="short",
        template="bank",
        hops=facts,
        answerability="answerable",
        documents=names,
        evidence=evidence,
    )
    return replace(made, **more)


def run_of(
    folder: Path, questions: Sequence[Question], predictions: Sequence[Prediction], metrics: Sequence[str] | None = None
) -> Case:
    release = make_release(folder / "release", questions, DOCUMENTS)
    names = metrics or ("correct", "evidence_recall@2", "recall@2")
    return make_run(release, folder / "run", predictions, names)


def counts(figures: CauseFigures) -> dict[str, int]:
    return {cause.key: cause.count for cause in figures.causes}


def other_town(number: int) -> str:
    return TOWNS[(number + 3) % 5]


def contexts_for(kind: str, number: int) -> tuple[Context, ...]:
    """What a system may hand in for a question of two facts."""
    bank, yard, other = f"d{number}-bank", f"d{number}-yard", f"d{(number + 7) % 60}-yard"
    return {
        "all": (passage(bank), passage(yard)),
        "low": (passage(bank), passage(other), passage(yard)),
        "near": (passage(bank), passage(yard, with_evidence=False)),
        "part": (passage(bank), passage(other)),
        "none": (passage(other),),
        "foreign": (Context("blog-1", "Quite another text, of which the corpus has not a single run of six words."),),
        "nothing": (),
    }[kind]


def test_each_lost_answer_has_the_one_cause_that_fits(tmp_path: Path) -> None:
    kinds = ("all", "low", "near", "part", "none", "foreign", "nothing")
    questions = [question(number, 2) for number in range(28)]
    said = [
        Prediction(
            each.id, "I don't know." if number >= 14 else other_town(number), contexts=contexts_for(kind, number)
        )
        for number, (each, kind) in enumerate(zip(questions, kinds * 4, strict=True))
    ]
    report = run_of(tmp_path, questions, said).made()
    figures = report.causes
    assert (figures.lost, figures.judged, figures.metric) == (28, 28, "evidence_recall@2")
    assert counts(figures) == {
        "ranked-low": 4, "passage-missed": 4, "in-part": 4, "not-found": 4, "foreign": 4, "no-contexts": 4,
        "misread": 2, "unused": 2,
    }  # fmt: skip
    assert sum(cause.count for cause in figures.causes) == figures.lost
    part = next(cause for cause in figures.causes if cause.key == "in-part")
    assert part.says == "had only a part of the evidence in the first two contexts"
    assert part.share == pytest.approx(4 / 28) and part.low is not None and part.low < 4 / 28
    assert part.share_of_all == pytest.approx(4 / 28)
    assert [cause.advice is None for cause in figures.causes] == [True] * 8  # of four groups and fewer
    page = render_report(report)
    assert "#questions?cause=in-part" in page and "#questions?cause=unused" in page


def test_the_largest_causes_stand_first_with_advice(tmp_path: Path) -> None:
    questions = [question(number, 2 if number % 2 else 1) for number in range(60)]
    said = []
    for number, each in enumerate(questions):
        kind, answer = ("part", other_town(number)) if number % 2 else ("all", each.answers[0])
        if number in range(0, 24, 2):
            answer = other_town(number)
        said.append(Prediction(each.id, answer, contexts=contexts_for(kind, number)))
    report = run_of(tmp_path, questions, said).made()
    first, second = report.causes.causes
    assert (first.key, first.count, second.key, second.count, report.causes.lost) == ("in-part", 30, "misread", 12, 42)
    assert first.low is not None and first.high is not None and first.low < 30 / 42 < first.high
    assert [(each.dimension, each.value, each.count, each.total) for each in first.slices] == [("hops", "2", 30, 30)]
    assert first.slices[0].share_of_rest == 0 and first.slices[0].p_corrected < 0.001
    assert first.advice is not None and "follow links" in first.advice
    assert second.reasons == {"names another value": 12}
    said_so = "30 of 42 lost answers had only a part of the evidence in the first two contexts (71.4 %, "
    assert said_so in " ".join(terminal_table(report).split())
    text = markdown_report(report)
    assert (
        "More often with questions of 2 hops: 30 of 30 answers (100.0 %, 87.8 to 100.0); of the others 0.0 %." in text
    )
    assert "12 name another value (often that of a similar name, or an older one)" in text
    page = render_report(report)
    assert '<a href="#questions?cause=in-part&amp;hops=2">30</a> of 30 answers' in page


def test_few_lost_answers_carry_no_advice(tmp_path: Path) -> None:
    questions = [question(number) for number in range(40)]
    said = [
        Prediction(each.id, other_town(number) if number < 7 else each.answers[0], contexts=contexts_for("all", number))
        for number, each in enumerate(questions)
    ]
    figures = run_of(tmp_path, questions, said).made().causes
    assert figures.reason == "7 answers were lost, of 7 groups: too few to say what is behind them"
    assert [(cause.advice, cause.low, cause.count) for cause in figures.causes] == [(None, None, 7)]


def test_many_answers_of_few_groups_carry_none_either(tmp_path: Path) -> None:
    questions = [question(number % 3, id=f"q{number}") for number in range(40)]
    said = [Prediction(each.id, other_town(number % 3)) for number, each in enumerate(questions)]
    figures = run_of(tmp_path, questions, said).made().causes
    assert figures.reason == "40 answers were lost, of 3 groups: too few to say what is behind them"


def test_without_contexts_it_says_what_to_hand_in(tmp_path: Path) -> None:
    questions = [question(number) for number in range(40)]
    said = [
        Prediction(each.id, other_town(number) if number % 2 else "I don't know.")
        for number, each in enumerate(questions)
    ]
    report = run_of(tmp_path, questions, said).made()
    assert counts(report.causes) == {"unseen-abstained": 20, "unseen-wrong": 20}
    assert [cause.advice for cause in report.causes.causes] == [None, None]
    assert report.causes.missing is not None
    assert report.causes.missing.startswith("the system handed in no contexts, so that")
    for drawn in (terminal_table(report), render_report(report)):
        assert "hand in what it answered from" in " ".join(drawn.split())


def test_where_a_release_names_documents_alone_they_are_what_counts(tmp_path: Path) -> None:
    questions = [question(number, evidence=()) for number in range(40)]
    said = [
        Prediction(each.id, other_town(number), contexts=contexts_for("none" if number % 2 else "near", number))
        for number, each in enumerate(questions)
    ]
    figures = run_of(tmp_path, questions, said).made().causes
    assert (figures.metric, counts(figures)) == ("recall@2", {"misread": 20, "not-found": 20})
    told = {cause.key: cause.says for cause in figures.causes}
    assert told["not-found"] == "had no document that states the answer among the first two contexts"


def test_neither_evidence_nor_documents(tmp_path: Path) -> None:
    questions = [question(number, evidence=(), documents=()) for number in range(40)]
    said = [
        Prediction(each.id, other_town(number), contexts=contexts_for("all", number))
        for number, each in enumerate(questions)
    ]
    figures = run_of(tmp_path, questions, said).made().causes
    assert counts(figures) == {"unseen-wrong": 40}
    assert figures.missing is not None and figures.missing.startswith("the release's questions name neither evidence")


def test_evidence_that_was_not_scored(tmp_path: Path) -> None:
    questions = [question(number) for number in range(40)]
    said = [
        Prediction(each.id, other_town(number), contexts=contexts_for("all", number))
        for number, each in enumerate(questions)
    ]
    figures = run_of(tmp_path, questions, said, ("correct",)).made().causes
    assert figures.missing is not None and "with --metric evidence_recall@5" in figures.missing


def test_a_system_that_fails_is_said_first_and_is_not_counted_as_lost(tmp_path: Path) -> None:
    questions = [question(number) for number in range(20)]
    said = [Prediction(each.id, None, error="ConnectionError: refused") for each in questions]
    report = run_of(tmp_path, questions, said).made()
    figures = report.causes
    assert (figures.lost, figures.causes, figures.reason) == (0, (), "no answer was judged by `correct`")
    assert [(each.key, each.count, each.total) for each in figures.beside] == [("failed", 20, 20)]
    for drawn in (render_report(report), terminal_table(report), markdown_report(report)):
        assert "20 of 20 questions have no answer" in drawn and "ConnectionError: refused" in drawn


def test_where_only_known_gaps_were_asked(tmp_path: Path) -> None:
    """They were judged, and none could be lost."""
    questions = [replace(question(number), answerability="gap", documents=(), evidence=()) for number in range(4)]
    report = run_of(tmp_path, questions, [Prediction(each.id, "Atlantis") for each in questions]).made()
    wanted = "no answer to a question that the documents answer was judged"
    assert (report.causes.lost, report.causes.reason) == (0, wanted)
    assert f"Causes are not available because {wanted}." in markdown_report(report)


def test_answers_without_a_source_are_counted_beside(tmp_path: Path) -> None:
    case = make_run(make_release(tmp_path / "release"), tmp_path / "run", PREDICTIONS_MADE)
    figures = case.made().causes
    assert [(each.key, each.count, each.total) for each in figures.beside] == [("failed", 1, 18), ("made-up", 3, 6)]
    assert (figures.lost, figures.groups, figures.judged) == (4, 2, 11)
    assert counts(figures) == {"not-found": 2, "misread": 1, "no-contexts": 1}


def test_a_run_that_is_not_judged_has_a_list_and_no_causes(tmp_path: Path) -> None:
    questions = [question(number) for number in range(3)]
    said = [Prediction(each.id, each.answers[0]) for each in questions]
    case = run_of(tmp_path, questions, said, ("exact_match",))
    html = case.page().read_text("utf-8")
    assert "Causes are not available because no answer was judged by `correct`." in html
    assert '<option value="unscored">unscored (3)</option>' in html


def test_a_difference_that_is_certain_and_small_is_not_shown(tmp_path: Path) -> None:
    """40 groups are lost, and of 20 others one of ten short wordings: 70 % of the short ones, 67 % of the long ones."""
    questions, said = [], []
    for number in range(60):
        for wording in range(20):
            form, is_lost = ("short", "long")[wording % 2], number < 40 or wording == 0
            questions.append(question(number, id=f"q{number}-{wording}", form=form))
            answer, kind = (other_town(number), "none") if is_lost else (questions[-1].answers[0], "all")
            said.append(Prediction(questions[-1].id, answer, contexts=contexts_for(kind, number)))
    lost = np.array([float(each.answer != asked.answers[0]) for each, asked in zip(said, questions, strict=True)])
    short = np.array([each.form == "short" for each in questions])
    assert (part_is_larger(lost, np.arange(60).repeat(20), short) or 1) < 0.001
    (cause,) = run_of(tmp_path, questions, said).made().causes.causes
    assert (cause.key, cause.count, cause.low, cause.slices) == ("not-found", 820, None, ())


def test_no_lost_answers(tmp_path: Path) -> None:
    questions = [question(number) for number in range(3)]
    said = [Prediction(each.id, each.answers[0], contexts=contexts_for("all", n)) for n, each in enumerate(questions)]
    report = run_of(tmp_path, questions, said).made()
    assert report.causes.reason == "no answer was lost" and report.causes.causes == ()
    assert "Causes are not available because no answer was lost." in render_report(report)


def test_every_reason_that_is_explained_is_one_that_correct_gives() -> None:
    given = {each.reason for each in vars(judge).values() if isinstance(each, AnswerJudgment)}
    assert set(reason_texts()) <= given
    keys = [each.key for each in cause_texts()]
    assert len(keys) == len(set(keys)) == 13


def test_a_part_is_larger() -> None:
    clusters = np.arange(100).repeat(2)
    values, inside = np.zeros(200), clusters < 30
    values[inside] = 1.0
    values[100:110] = 1.0
    assert (part_is_larger(values, clusters, inside) or 1) < 1e-6
    assert (part_is_larger(values, clusters, ~inside) or 0) > 0.999
    assert part_is_larger(values, clusters, np.zeros(200, bool)) is None
    assert part_is_larger(np.ones(200), clusters, inside) == 1.0
    assert part_is_larger(np.full(200, 2 / 3), clusters, inside) == 1.0
    with pytest.raises(ValueError, match="200 values, 200 clusters and 3 marks"):
        part_is_larger(values, clusters, inside[:3])


def test_where_nothing_differs_a_difference_is_found_in_few_of_many_draws() -> None:
    draw, found = np.random.default_rng(7), 0
    clusters = np.arange(120).repeat(4)
    for _ in range(500):
        values = (draw.random(480) < draw.beta(0.6, 1.4, size=120)[clusters]).astype(float)
        p = part_is_larger(values, clusters, clusters < 30)
        found += p is not None and p < 0.05
    assert 0.01 * 500 <= found <= 0.07 * 500
