"""Coverage: which groups the corpus can answer, which the system answered, and gaps that were answered by luck."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from benchwright.benchmarks.reports.answers.outcomes import judged_questions
from benchwright.benchmarks.reports.answers.shown_texts import QuestionTexts, question_texts, shown_prediction
from benchwright.benchmarks.reports.blocks import (
    Block,
    Cell,
    Column,
    Definition,
    Definitions,
    Details,
    Inline,
    Table,
    Text,
    foreign,
    missing,
    soft,
)
from benchwright.benchmarks.reports.columns import Questions, RunData
from benchwright.benchmarks.reports.format import NONE, count, interval, of, percent
from benchwright.benchmarks.reports.groups import Group, all_groups, collect, judged_wordings, unavailable
from benchwright.benchmarks.reports.section import Content, ReportSection, per_run
from benchwright.benchmarks.reports.share import DrawnShare, Share, drawn_share, share, share_of

GUESSES_SHOWN = 200
NO_GAPS = "the run has no known gap that was judged"


@dataclass(frozen=True, slots=True)
class LuckyGuess:
    """A group of known gaps that was guessed right, with its first question that was."""

    id: str
    question: str
    form: str | None
    gold: tuple[str, ...]
    answer: str | None
    chance: float | None
    """1 / (different gold answers of the template); null where there is no template."""
    correct: int
    """Of the group's wordings."""
    total: int


@dataclass(frozen=True, slots=True)
class LuckyGuesses:
    """Known gaps that were answered rightly though no document states the answer, compared with chance."""

    correct: DrawnShare
    expected_by_chance: Share
    """What picking one of the template's answers at random would get right."""
    groups: int
    """Groups that were guessed right for some wording."""
    total_groups: int
    shown: tuple[LuckyGuess, ...]
    omitted: int
    reason: str | None


@dataclass(frozen=True, slots=True)
class CoverageFigures:
    """True coverage where the release knows it, beside the share of groups with any right answer; lucky guesses."""

    reason: str | None
    competent: DrawnShare | None
    """Groups of which some wording was answered rightly."""
    true: Share | None
    """Groups whose answer the corpus states, of those that have an answer."""
    gaps: LuckyGuesses


@per_run
def coverage_figures(run: RunData) -> CoverageFigures:
    """What the corpus can answer, and what was answered."""
    reason = unavailable(run)
    groups = all_groups(run)
    competent = true = None
    if not reason:
        answered = np.array([any(group.outcomes) for group in groups], dtype=bool)
        competent = drawn_share(answered, np.arange(len(groups)), "no group was judged")
        true = _true_coverage(run, [group.members[0] for group in groups])
    return CoverageFigures(reason, competent, true, _lucky_guesses(run))


def _true_coverage(run: RunData, firsts: list[int]) -> Share:
    if not run.release.manifest.rows.get("corpus"):
        return Share(None, 0, 0, "the release has no documents: which answers a system's own state is not known")
    known = {"answerable": True, "gap": False}
    stated = [known[name] for place in firsts if (name := run.questions.answerability.at(place)) in known]
    return share_of(stated, "the release does not say which questions are answerable")


def _lucky_guesses(run: RunData) -> LuckyGuesses:
    questions, correct = run.questions, judged_questions(run)
    gaps = np.flatnonzero(questions.answerability.where("gap")).tolist()
    judged, clusters = [place for place in gaps if place in correct], questions.clusters
    guessed = [
        group for group in collect(questions, {place: correct[place] for place in judged}) if any(group.outcomes)
    ]
    chances = {place: _chance(questions, place) for place in judged}
    known = [chance for chance in chances.values() if chance is not None]
    unknown = (
        NO_GAPS if not judged else None if known else "the release's questions have no templates: chance is not known"
    )
    return LuckyGuesses(
        correct=drawn_share(np.array([correct[place] for place in judged], dtype=bool), clusters[judged], NO_GAPS),
        expected_by_chance=share(sum(known), len(known), unknown),
        groups=len(guessed),
        total_groups=len({int(clusters[place]) for place in judged}),
        shown=tuple(_with_texts(run, guessed[:GUESSES_SHOWN], chances)),
        omitted=max(0, len(guessed) - GUESSES_SHOWN),
        reason=None if judged else NO_GAPS,
    )


def _chance(questions: Questions, place: int) -> float | None:
    answers = questions.distinct_answers.get(int(questions.template.codes[place]))
    return 1 / answers if answers else None


def _with_texts(run: RunData, guessed: list[Group], chances: dict[int, float | None]) -> Iterator[LuckyGuess]:
    firsts = [group.members[group.outcomes.index(True)] for group in guessed]
    texts = question_texts(run, firsts)
    for group, place in zip(guessed, firsts, strict=True):
        row = texts.get(place, QuestionTexts("", None, (), ()))
        yield LuckyGuess(
            id=run.questions.ids[place],
            question=row.question,
            form=row.form,
            gold=row.gold,
            answer=shown_prediction(run, place, {}).answer,
            chance=chances[place],
            correct=sum(group.outcomes),
            total=len(group.outcomes),
        )


def compute(run: RunData) -> Content:
    """Both coverages, and the lucky guesses."""
    figures, blocks = coverage_figures(run), list[Block]()
    if figures.competent is None or figures.true is None:
        blocks.append(missing(figures.reason or ""))
    else:
        stated: Inline = soft(f"not known: {figures.true.reason}")
        if figures.true.value is not None:
            stated = (percent(figures.true.value), soft(f" of groups: {of(figures.true)}, as the release knows"))
        competent = figures.competent
        limits = "" if competent.low is None else f" ({interval(competent.low, competent.high)})"
        asked = f"{limits} of groups for at least one wording, judged in {judged_wordings(run)}"
        answered = soft(f"{asked}: {of(competent)}")
        items = (
            Definition("The corpus can answer", stated),
            Definition("The system answered", (percent(figures.competent.value), answered)),
        )
        blocks.append(Definitions(items))
    blocks.append(Text("Known gaps answered all the same", "heading"))
    return Content([*blocks, *_guess_blocks(figures.gaps)], ())


def _guess_blocks(gaps: LuckyGuesses) -> Iterator[Block]:
    if gaps.reason:
        yield missing(f"not available because {gaps.reason}")
        return
    right, chance = gaps.correct, gaps.expected_by_chance
    by_chance = f"Chance: {chance.reason}."
    if chance.value is not None:
        by_chance = (
            f"Picking any answer of the template at random would get {percent(chance.value)} right ({of(chance)})."
        )
    yield Text(
        f"{count(right.count)} of {count(right.total)} gap questions ({_shown(right)}) were answered rightly "
        f"though no document states the answer. {by_chance}"
    )
    if gaps.shown:
        summary = f"The lucky guesses, by group: {count(gaps.groups)} of {count(gaps.total_groups)} gap groups"
        note = soft(f" – {count(gaps.omitted)} of them are not shown" if gaps.omitted else "")
        columns = (
            Column("a question of the group that was guessed"),
            Column("gold", "left"),
            Column("answer", "left"),
            Column("guessed"),
            Column("chance"),
        )
        table = Table("Lucky guesses", columns, tuple(_guess_row(guess) for guess in gaps.shown), "wide")
        yield Details((summary, note), (table,))


def _shown(share: DrawnShare) -> str:
    """A share with its interval."""
    return percent(share.value) + ("" if share.low is None else f", {interval(share.low, share.high)}")


def _guess_row(guess: LuckyGuess) -> tuple[Cell, ...]:
    return (
        foreign(guess.question, 240),
        foreign("; ".join(guess.gold), 120),
        NONE if guess.answer is None else foreign(guess.answer, 160),
        f"{count(guess.correct)} of {count(guess.total)}",
        percent(guess.chance),
    )


SECTION = ReportSection("coverage", "Coverage", compute, order=40)
