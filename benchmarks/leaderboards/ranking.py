"""The ranking: one table for each version, part and judge of a benchmark, by its primary metric.

entries       what is ranked                 part_scores   one submission's values, question by question
separation    who is better than whom        frontier      who is best for what it costs
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version as installed

import numpy as np
import pyarrow as pa

from benchwright.benchmarks.leaderboards.board import Board, BoardBenchmark
from benchwright.benchmarks.leaderboards.entries import Entry, PartQuestions, Parts
from benchwright.benchmarks.leaderboards.frontier import with_frontier
from benchwright.benchmarks.leaderboards.part_scores import PartScores, read_part_scores
from benchwright.benchmarks.leaderboards.separation import separate
from benchwright.benchmarks.leaderboards.standings import Move, Standing, Standings, Table
from benchwright.benchmarks.leaderboards.verdict import Part, told
from benchwright.benchmarks.naming import version_key
from benchwright.benchmarks.progress import Progress, silent
from benchwright.benchmarks.releases.release import HELDOUT
from benchwright.benchmarks.reports.columns import Bools, Questions
from benchwright.benchmarks.reports.format import number_of
from benchwright.benchmarks.reports.metrics.figures import metric_sense
from benchwright.benchmarks.reports.noise.spread import Spread, spread_of
from benchwright.benchmarks.runs.score import primary_metric
from benchwright.benchmarks.statistics.intervals import Sample

MOST_UNDECIDED = 0.02
"""The share of the questions whose answers may be undecided; with more, a system is ranked apart."""
NOT_SCORED_YET = "the answers to these questions are not public, and were not scored yet"
NO_SCORES = "its scores are not here"
AS_CLAIMED = "as its submitter says: without contexts nobody can compute it again"


@dataclass(frozen=True)
class _Candidate:
    """A submission in one part."""

    entry: Entry
    part: Part | None
    scores: PartScores | None
    apart: str | None
    """Why it cannot be ranked with the others."""

    @property
    def judge(self) -> str | None:
        """Who judged, as far as it is known."""
        return self.scores.judge if self.scores is not None else None


def make_standings(
    repository: str,
    board: Board,
    entries: Sequence[Entry],
    releases: Mapping[tuple[str, str], Parts],
    *,
    moves: Sequence[Move] = (),
    progress: Progress = silent,
) -> Standings:
    """Ranks the accepted submissions of a leaderboard. In which order they are given changes nothing.

    500 systems of 40,000 questions take less than a minute and 1 GB on one processor.

    Args:
        repository: the leaderboard's, on the Hub.
        board: what it ranks.
        entries: its submissions; those that were not accepted are left out.
        releases: (benchmark, version) → its parts, as `parts_of` gives them.
        moves: who moved and why, the newest first.
        progress: is told of what is read and tested.

    Raises:
        BenchwrightError: a file of scores cannot be read.
    """
    tables: list[Table] = []
    known = {*releases, *((each.verdict.benchmark, each.verdict.version) for each in entries if each.verdict.accepted)}
    order = {name: place for place, name in enumerate(board.benchmarks)}
    for benchmark, version in sorted(
        known, key=lambda key: (order.get(key[0], len(order)), key[0], *(-number for number in version_key(key[1])))
    ):
        asked = board.benchmarks.get(benchmark, BoardBenchmark(""))
        if asked.versions and version not in asked.versions:
            continue
        own = [
            each
            for each in sorted(entries, key=lambda each: each.verdict.system)
            if each.verdict.accepted and (each.verdict.benchmark, each.verdict.version) == (benchmark, version)
        ]
        for name, part in releases.get((benchmark, version), {}).items():
            tables += rank_part(benchmark, version, name, part, own, asked, progress=progress)
    return Standings(repository, board, tuple(tables), installed("benchwright"), tuple(moves))


def rank_part(
    benchmark: str,
    version: str,
    name: str,
    part: PartQuestions,
    entries: Sequence[Entry],
    asked: BoardBenchmark,
    *,
    progress: Progress = silent,
) -> list[Table]:
    """The tables of one part: one for each judge, since verdicts of different judges cannot be held against each other.

    Args:
        benchmark: its name.
        version: which is ranked.
        name: of the part: `test`, `heldout`, in a round `fresh`.
        part: its questions.
        entries: accepted submissions to this version.
        asked: what the leaderboard says of the benchmark.
        progress: is told of what is read and tested.
    """
    metric = asked.metric or primary_metric(part.release) or "correct"
    ids = pa.array(part.questions.ids, pa.string())
    found: list[_Candidate] = []
    for number, entry in enumerate(sorted(entries, key=lambda each: each.verdict.system), start=1):
        if any(each.split == name for each in entry.verdict.parts) or name in entry.scores:
            found += _candidates(entry, name, part, metric, ids)
        progress(f"{benchmark} {version} {name}: scores read", number, len(entries))
    wanted = asked.judges.get(metric)
    judges = sorted(
        {each.judge for each in found if each.judge is not None}, key=lambda judge: (judge != wanted, judge)
    )
    # a submission without scores of its own has no judge: it stands in the table of rules, else in the first
    has_rules = not judges or any(each.scores is not None and each.judge is None for each in found)
    groups: list[str | None] = [*([None] if has_rules else []), *judges]
    tables = []
    for place, judge in enumerate(groups):
        own = [each for each in found if each.judge == judge and each.scores is not None]
        own += [each for each in found if each.scores is None] if not place else []
        if judge is not None and wanted is not None and judge != wanted:
            own = [replace(each, apart=each.apart or f"judged by {judge}, not by {wanted}") for each in own]
        tables.append(_table(benchmark, version, name, part, metric, judge, own, progress))
    return tables


def _candidates(entry: Entry, name: str, part: PartQuestions, metric: str, ids: pa.Array) -> list[_Candidate]:
    """A submission by rules, and with a judge's verdicts where there are any; with why it may not be ranked."""
    facts = next((each for each in entry.verdict.parts if each.split == name), None)
    figure = facts.figures.get(metric) if facts is not None else None
    if not part.has_gold:
        return [_Candidate(entry, facts, None, NOT_SCORED_YET)]
    if figure is not None and figure.mark == "claimed" and figure.judge is None:
        return [_Candidate(entry, facts, None, AS_CLAIMED)]
    if name not in entry.scores or not entry.scores[name].is_file():
        return [_Candidate(entry, facts, None, NO_SCORES)]
    found = read_part_scores(entry.scores[name], ids, metric)
    if not found:
        return [_Candidate(entry, facts, None, f"{metric} could not be computed from what was handed in")]
    return [_Candidate(entry, facts, scores, _apart(facts, part, scores)) for scores in found]


def _apart(facts: Part | None, part: PartQuestions, scores: PartScores) -> str | None:
    """Why a submission with scores may not be ranked with the others; None where it may."""
    size = len(part.questions.ids)
    missing = size - int((scores.is_answered | scores.lacking).sum())
    missing = max(missing, facts.missing if facts is not None else 0)
    if missing:
        return f"answers {size - missing:,} of {number_of(size, 'question')}"
    counted = part.questions.headline & ~scores.lacking
    undecided = int((scores.undecided & counted).sum())
    if undecided > MOST_UNDECIDED * int(counted.sum()):
        return f"{number_of(undecided, 'answer')} could not be decided"
    return None


def _table(
    benchmark: str,
    version: str,
    name: str,
    part: PartQuestions,
    metric: str,
    judge: str | None,
    candidates: Sequence[_Candidate],
    progress: Progress,
) -> Table:
    """One table: the ranked by value, then those apart."""
    questions = part.questions
    higher, scale = metric_sense(metric)
    lacking = np.zeros(len(questions.ids), dtype=bool)
    for each in candidates:
        if each.scores is not None:
            lacking |= each.scores.lacking
    base = questions.headline & ~lacking
    apart = [_standing(each, part, metric, base, None) for each in candidates if each.apart is not None]
    ranked = [each for each in candidates if each.apart is None]
    of_ranked = _ranked(ranked, questions, base, metric, progress)
    placed = [
        (_standing(each, part, metric, base, ranks), separated)
        for each, (ranks, separated) in zip(ranked, of_ranked, strict=True)
    ]
    order = sorted(range(len(placed)), key=lambda at: (_worse(placed[at][0].value, higher), _slug(placed[at][0])))
    new = {at: place for place, at in enumerate(order)}
    standings = [
        *(placed[at][0] for at in order),
        *sorted(apart, key=lambda each: (_worse(each.value, higher), _slug(each))),
    ]
    return Table(
        benchmark=benchmark,
        version=version,
        part=name,
        metric=metric,
        judge=judge,
        higher_is_better=higher,
        questions=int(base.sum()),
        groups=len(np.unique(questions.clusters[base])),
        standings=tuple(with_frontier(standings, higher_is_better=higher, worst=scale[0] if higher else scale[1])),
        separated=tuple(tuple(sorted(new[other] for other in placed[at][1])) for at in order),
        note=_note(part, metric, candidates, questions.headline, lacking),
    )


def _slug(standing: Standing) -> str:
    return standing.verdict.system


def _worse(value: float | None, higher: bool) -> float:
    """What values are sorted by: none comes last."""
    if value is None:
        return float("inf")
    return -value if higher else value


def _ranked(
    candidates: Sequence[_Candidate], questions: Questions, base: Bools, metric: str, progress: Progress
) -> list[tuple[tuple[int, int], tuple[int, ...]]]:
    """Of each system its ranks, and those from which it is separated."""
    scores = [each.scores for each in candidates if each.scores is not None]
    if not scores:
        return []
    higher, scale = metric_sense(metric)
    found = separate(scores, base, questions.clusters, limits=scale, higher_is_better=higher, progress=progress)
    return list(zip(found.ranks, found.separated, strict=True))


def _standing(
    candidate: _Candidate, part: PartQuestions, metric: str, base: Bools, ranks: tuple[int, int] | None
) -> Standing:
    """A system in the table, with the value that its place comes from."""
    entry, facts, scores = candidate.entry, candidate.part, candidate.scores
    figures = facts.figures if facts is not None else {}
    total = len(part.questions.ids)
    answered = total - facts.missing if facts is not None else int(scores.is_answered.sum()) if scores else 0
    value = low = high = None
    undecided = 0
    if scores is not None:
        surely, at_best = _spreads(scores, part.questions, base & scores.is_answered, metric)
        value = surely.value
        ends = [end for each in (surely, at_best) for end in (each.low, each.high) if end is not None]
        low, high = (min(ends), max(ends)) if ends else (None, None)
        undecided = int((scores.undecided & base).sum())
    elif part.has_gold and metric in figures:
        value, low, high = figures[metric].value, figures[metric].low, figures[metric].high
    if facts is not None and facts.split == HELDOUT:
        value, low, high = told(value), told(low), told(high)
    return Standing(
        system=entry.system,
        verdict=entry.verdict,
        value=value,
        low=low,
        high=high,
        ranks=ranks,
        apart=candidate.apart,
        coverage=answered / total if total else 0.0,
        is_on_frontier={},
        costs=entry.verdict.costs,
        figures=figures,
        undecided=undecided,
    )


def _spreads(scores: PartScores, questions: Questions, counted: Bools, metric: str) -> tuple[Spread, Spread]:
    """The mean with its interval, what is undecided as the worst value and as the best."""
    _, scale = metric_sense(metric)
    clusters = questions.clusters[counted]
    surely = spread_of(Sample(scores.surely[counted].astype(float), clusters), scale)
    if not (scores.undecided & counted).any():
        return surely, surely
    return surely, spread_of(Sample(scores.at_best[counted].astype(float), clusters), scale)


def _note(part: PartQuestions, metric: str, candidates: Sequence[_Candidate], headline: Bools, lacking: Bools) -> str:
    """What a reader of the table should know."""
    if not part.has_gold:
        return f"{NOT_SCORED_YET}: the leaderboard's maintainers do that with the benchmark's private half."
    said = []
    texts = candidates[0].entry.verdict.built_in_texts if candidates else ()
    if texts:
        said.append(f"Built-in: rules wrote the {' and '.join(texts)} of this benchmark, for trying things out.")
    unasked = len(headline) - int(headline.sum())
    if unasked:
        said.append(f"{number_of(unasked, 'question')} without an answer in the documents do not count in {metric}.")
    left_out = int((lacking & headline).sum())
    if left_out:
        said.append(f"{number_of(left_out, 'question')} that {metric} cannot score are left out for all.")
    versions = Counter(each.entry.verdict.scored_by for each in candidates if each.scores is not None)
    if len(versions) > 1:
        named = " and ".join(sorted(name or "an unknown one" for name in versions))
        said.append(f"Scored by different versions of benchwright ({named}): publish-leaderboard --rescore.")
    return " ".join(said)
