"""The predictions of a submission scored as those of a run: what its figures are, whatever it claims."""

import shutil
from collections.abc import Collection, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from benchwright.benchmarks.arrow import compute as pc
from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.leaderboards.claims import Claims, differences
from benchwright.benchmarks.leaderboards.layout import HELDOUT, JUDGMENTS, PREDICTIONS
from benchwright.benchmarks.leaderboards.limits import predictions_file
from benchwright.benchmarks.leaderboards.refusal import RefusedError, plain, quoted
from benchwright.benchmarks.leaderboards.unpack import Unpacked, unpack_predictions
from benchwright.benchmarks.leaderboards.verdict import Costs, Figure, Part, figure_name, told
from benchwright.benchmarks.metrics import find_metric
from benchwright.benchmarks.predictions import OWN
from benchwright.benchmarks.progress import silent
from benchwright.benchmarks.releases import release as releases
from benchwright.benchmarks.releases.release import TEST, Release
from benchwright.benchmarks.releases.rows import ReleaseSplit
from benchwright.benchmarks.reports.answers.outcomes import attempt_outcomes
from benchwright.benchmarks.reports.columns import load_run
from benchwright.benchmarks.reports.metrics.figures import MetricFigure, Metrics, headline_metrics
from benchwright.benchmarks.runs import run as runs
from benchwright.benchmarks.runs.plan import Options, Plan, plan_run
from benchwright.benchmarks.runs.run import Run, RunQuestions, RunSystem, ScoringBasis, hold_run
from benchwright.benchmarks.runs.score import metrics_that_fit, score_held_run
from benchwright.benchmarks.runs.store import PredictionStore

_CUT_OFF = 5
"""Of metrics that nobody names."""
_LONGEST_JUDGE = 200


@dataclass(frozen=True)
class SubmissionToScore:
    """What is scored."""

    folder: Path
    claims: Claims
    metrics: tuple[str, ...]
    """That are computed beside those that fit the release."""
    rooms: Path
    """Where what is unpacked lies."""
    versions: tuple[Release, ...] = ()
    """Other versions of the release: an id of theirs is named so."""
    must_agree: bool = True
    """Whether it is refused where its report has other figures."""
    ranks: str = "correct"
    """The metric of the ranking: of held-out questions no figure by another is told."""


@dataclass(frozen=True)
class ScoredPart:
    """A part as it was scored."""

    part: Part
    scores: Path | None
    """By rule, and below by judges where there are any; None: nobody could."""
    costs: Costs = field(default_factory=Costs)
    has_contexts: bool = False
    answers: Mapping[str, str] = field(default_factory=dict)
    """See `Unpacked`."""


def score_open(submission: SubmissionToScore, split: ReleaseSplit) -> ScoredPart:
    """Scores the open questions and holds the figures against the report.

    Raises:
        RefusedError: they are others, or the predictions are not as they must be. BenchwrightError: a file cannot be
            read.
    """
    claims, folder = submission.claims, submission.rooms / "open"
    plan = _plan(split.release, claims.run.questions)
    run = _fresh_run(split.release, claims.run)
    unpacked = _unpack(submission, PREDICTIONS, folder, split)
    states = unpacked.states(question.id for question in plan.questions)
    if not states:
        raise RefusedError("it has no prediction in the condition own for any question that its run asked")
    with hold_run(folder), closing(PredictionStore(folder / runs.PREDICTIONS, unpacked.lines)) as store:
        names = tuple(dict.fromkeys([*metrics_that_fit(plan, _CUT_OFF, None, store), *submission.metrics]))
        options = Options(metrics=names)
        score_held_run(folder, run, store, plan, options, None, silent)
        data = load_run(split.release, folder)
        computed = headline_metrics(data)
        judged = _judged(submission, run, store, plan, options)
    unchecked = frozenset() if unpacked.has_contexts else _of_retrieval(claims)
    found = differences(claims, computed if judged is None else judged, unchecked, version("benchwright"))
    if found and submission.must_agree:
        raise RefusedError(*found)
    outcomes = attempt_outcomes(data)
    part = _part(
        TEST,
        states,
        len(split.ids),
        int(outcomes.abstained[outcomes.first].sum()),
        _figures(claims, computed, judged or {}, unchecked),
    )
    scores = folder / runs.SCORES
    if judged is not None:
        _add_judged(scores, submission.rooms / "judged" / runs.SCORES)
    return ScoredPart(part, scores, unpacked.costs, unpacked.has_contexts, unpacked.answers)


def score_heldout(submission: SubmissionToScore, release: Release, private: Release | None) -> ScoredPart | None:
    """Scores the answers to held-out questions with the private half; None where the release has no such questions.

    Raises:
        RefusedError: the answers are not there, or not as they must be. One to every question has to be there, be it an
            abstention: the figure of a single answer says whether it is right.
    """
    source = predictions_file(submission.folder, HELDOUT)
    if releases.HELDOUT not in release.manifest.splits.get("questions", {}):
        if source is not None:
            raise RefusedError(f"{source.name} is there, and the release has no held-out questions: leave it out")
        return None
    if source is None:
        raise RefusedError(
            "the answers to the held-out questions are missing: score the system with --split heldout too, and submit "
            "it again"
        )
    folder, public = submission.rooms / "heldout", ReleaseSplit(release, releases.HELDOUT)
    unpacked = _unpack(submission, HELDOUT, folder, public)
    states = unpacked.states(public.ids)
    if len(states) < len(public.ids) and TEST in release.manifest.splits.get("questions", {}):  # no edition of a round
        raise RefusedError(
            f"it answers {len(states):,} of {len(public.ids):,} held-out questions: hand in a prediction for each, "
            "abstentions and failures too, since figures of a few would tell their answers"
        )
    if private is None:
        return ScoredPart(_part(releases.HELDOUT, states, len(public.ids), unpacked.abstained, {}), None)
    split = ReleaseSplit(private, TEST)
    plan = Plan(split, split.questions, (OWN,))
    run = _fresh_run(private, replace(submission.claims.run, questions=RunQuestions(TEST, len(split.ids))))
    try:
        with hold_run(folder), closing(PredictionStore(folder / runs.PREDICTIONS, unpacked.lines)) as store:
            names = dict.fromkeys(
                [*metrics_that_fit(plan, _CUT_OFF, None, store), *submission.metrics, submission.ranks]
            )
            score_held_run(folder, run, store, plan, Options(metrics=tuple(names)), None, silent)
            data = load_run(private, folder)
    except Exception as error:  # its words could hold what the private half says
        if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno is not None):
            raise
        raise RefusedError(f"its answers to held-out questions cannot be scored ({type(error).__name__})") from error
    outcomes = attempt_outcomes(data)
    abstained = int(outcomes.abstained[outcomes.first].sum())
    computed = headline_metrics(data)
    figures = {name: _told(_figure(computed[name], None)) for name in computed if name == submission.ranks}
    part = _part(releases.HELDOUT, states, len(public.ids), abstained, figures)
    return ScoredPart(part, folder / runs.SCORES, unpacked.costs, unpacked.has_contexts, unpacked.answers)


def _unpack(submission: SubmissionToScore, part: str, folder: Path, split: ReleaseSplit) -> Unpacked:
    """The predictions of a part, in the folder of a run."""
    source = predictions_file(submission.folder, part)
    if source is None:
        raise RefusedError(f"{part}.parquet is missing")
    folder.mkdir()

    def elsewhere(name: str) -> str | None:
        if (found := split.split_of(name)) is not None:
            return f"the split {found}"
        for each in submission.versions:
            if ReleaseSplit(each, "").split_of(name) is not None:
                return f"{each.manifest.name} {each.manifest.version}"
        return None

    return unpack_predictions(source, folder / runs.PREDICTIONS, split.ids, split.where, elsewhere)


def _plan(release: Release, asked: RunQuestions) -> Plan:
    """The questions that the run says it asked: all, or its sample.

    Raises:
        BenchwrightError: no question can be asked so.
    """
    options = Options(limit=asked.limit, subsets=asked.subsets[:100], wordings=asked.wordings, seed=asked.seed or 0)
    return plan_run(release, options)


def _fresh_run(release: Release, said: Run) -> Run:
    """A run of our own: of the submitter's run it has what was asked, and whose verdicts are taken."""
    manifest, asked = release.manifest, said.questions
    return Run(
        benchmark=manifest.name,
        version=manifest.version,
        content_hash=manifest.content_hash,
        system=RunSystem("submission", "submission", ""),
        questions=RunQuestions(
            split=TEST,
            count=asked.count,
            limit=asked.limit,
            seed=asked.seed,
            wordings=asked.wordings,
            groups=asked.groups,
            subsets=asked.subsets,
        ),
        scoring=ScoringBasis(judges=said.scoring.judges),
    )


def _judged(
    submission: SubmissionToScore, run: Run, store: PredictionStore, plan: Plan, options: Options
) -> Metrics | None:
    """The figures with the verdicts that were handed in, as the submitter's report has them; None without any."""
    source = submission.folder / JUDGMENTS
    if not source.is_file():
        return None
    folder = submission.rooms / "judged"
    folder.mkdir()
    shutil.copyfile(source, folder / runs.JUDGMENTS)
    judged = score_held_run(folder, run, store, plan, options, None, silent).run
    for judge in {judge for judges in judged.scoring.judges.values() for judge in judges}:
        if judge != plain(judge, _LONGEST_JUDGE):
            raise RefusedError(f"{JUDGMENTS} names a judge {quoted(judge)}: a name has {_LONGEST_JUDGE} plain signs")
    return headline_metrics(load_run(plan.split.release, folder))


def _of_retrieval(claims: Claims) -> frozenset[str]:
    """The claimed metrics that contexts are needed for."""
    found = set()
    for name, claim in claims.metrics.items():
        try:
            if not claim.is_judged and "contexts" in find_metric(name).needs:
                found.add(name)
        except BenchwrightError:
            continue
    return frozenset(found)


def _figures(claims: Claims, computed: Metrics, judged: Metrics, unchecked: Collection[str]) -> dict[str, Figure]:
    """All figures by name: what was computed, what could not be, and what was judged."""
    found = {}
    for name, figure in computed.items():
        claim = claims.metrics.get(name)
        if name in unchecked and claim is not None and claim.scored:
            found[name] = Figure(claim.value, None, None, claim.scored, claim.total, "claimed", claim.value)
        else:
            found[name] = _figure(figure, claim.value if claim is not None and not claim.is_judged else None)
    for name, figure in judged.items():
        if figure.judges:
            judge = " + ".join(figure.judges)
            claim = claims.metrics.get(name)
            shown = _figure(figure, claim.value if claim is not None else None)
            found[figure_name(name, judge)] = replace(shown, mark="claimed", judge=judge)
    return {name: figure for name, figure in found.items() if figure.total}


def _figure(figure: MetricFigure, claimed: float | None) -> Figure:
    return Figure(figure.value, figure.low, figure.high, figure.scored, figure.total, "verified", claimed)


def _told(figure: Figure) -> Figure:
    """A figure of held-out questions as it is told."""
    return replace(figure, value=told(figure.value), low=told(figure.low), high=told(figure.high))


def _part(split: str, states: Mapping[str, str], questions: int, abstained: int, figures: Mapping[str, Figure]) -> Part:
    answered = sum(state == "answered" for state in states.values())
    failed = len(states) - answered
    return Part(split, questions, answered, abstained, failed, questions - answered - failed, figures)


def _add_judged(scores: Path, judged: Path) -> None:
    """Puts the scores that somebody judged below those by rule."""
    table = pq.read_table(judged)
    both = pa.concat_tables([pq.read_table(scores), table.filter(pc.is_valid(table.column("judge")))])
    pq.write_table(both, scores, compression="zstd")
