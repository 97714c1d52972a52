"""Scoring a system against a release: asks what is not answered yet, then scores everything that is."""

import functools
from collections.abc import Awaitable, Callable, Iterable
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from pathlib import Path

from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.grounding.uris import UriMap, read_uris
from benchwright.benchmarks.metrics.registry import find_metric
from benchwright.benchmarks.metrics.tools import JUDGE
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.money.costs import Estimated
from benchwright.benchmarks.naming import check_name
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.progress import Progress, silent, timed
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.runs.ask import Asked, ask_missing, estimate
from benchwright.benchmarks.runs.further_answers import estimate_samples, prepared_once, sample_answers, samples_of
from benchwright.benchmarks.runs.import_predictions import check_origin, complete, corrects, take_over
from benchwright.benchmarks.runs.judge import estimate_judging
from benchwright.benchmarks.runs.plan import Options, Plan, plan_run, run_of
from benchwright.benchmarks.runs.probes import PROBES, probe_run
from benchwright.benchmarks.runs.run import PREDICTIONS, BadLines, Run, RunCounts, open_run, run_folder
from benchwright.benchmarks.runs.score import check_metrics, judged_metrics, read_given_judgments, score_held_run
from benchwright.benchmarks.runs.smalltalk import SmalltalkStore
from benchwright.benchmarks.runs.store import PredictionStore
from benchwright.benchmarks.runs.uri_file import keep_uris
from benchwright.benchmarks.runs.workers import Worker
from benchwright.benchmarks.systems.base import Opening, RagSystem, Reply, System
from benchwright.benchmarks.systems.opening import open_given

_DEFAULTS = Options()


@dataclass(frozen=True)
class Scored:
    """A run, and what was done for it just now."""

    folder: Path
    asked: int
    """Answers that were got now."""
    reused: int
    """Answers that were there already."""
    is_rescored: bool
    """False where the scores were up to date."""
    counts: RunCounts
    warnings: tuple[str, ...] = ()
    is_file: bool = False
    """The predictions were made elsewhere."""
    beside: int = 0
    """Of the answers got now, those in the condition without-gold for which documents were left out that state a needed
    fact and that the release does not name."""
    smalltalk: tuple[int, int] | None = None
    """Answers to small talk, and failures; None where it was not asked."""
    sampled: str | None = None
    """What came of asking for samples, where that was wanted."""
    told: str = ""
    """How the file was read, where there is more than one way."""
    ruled: tuple[str, ...] = ()
    """Metrics that a model grades, graded by rules since there is none."""

    @property
    def summary(self) -> list[str]:
        """What was done, and what is missing, foreign or cut, as lines."""
        done = "scored" if self.is_rescored else "the scores were up to date"
        counts, contexts = self.counts, self.counts.contexts
        lines = [f"{self.asked:,} answers asked, {self.reused:,} answers reused; {done}"]
        if self.told:
            lines.insert(0, self.told)
        if self.smalltalk is not None:
            answers, failed = self.smalltalk
            again = f", {failed:,} failed: the same command asks them again" if failed else ""
            lines.append(f"small talk: {answers:,} answers{again}; in no figure of the benchmark")
        if self.sampled is not None:
            lines.append(self.sampled)
        if counts.missing:
            lines.append(f"{counts.missing:,} questions have no prediction: unscored")
        if counts.errors:
            again = "correct the file and give it again" if self.is_file else "the same command asks them again"
            lines.append(f"{counts.errors:,} errors of the system: unscored where an answer is needed; {again}")
        if counts.unsupported:
            lines.append(f"{counts.unsupported:,} attempts are unsupported, by the system or the question: unscored")
        if self.beside:
            lines.append(
                f"without-gold: for {self.beside:,} answers, documents that state what is needed were left out beside "
                "those that the release names"
            )
        for role in ("judge", "embedder"):
            if ruled := [name for name in self.ruled if find_metric(name).role == role]:
                lines.append(
                    f"{', '.join(ruled)}: graded by rules, to try things out; a model grades with --model {role}=NAME"
                )
        if counts.cut_off_told:
            lines.append(counts.cut_off_told)
        if counts.cut:
            lines.append(f"{counts.cut:,} answers were cut: too long")
        if contexts.foreign or contexts.text or contexts.uri:
            by_uri = f"{contexts.uri:,} by URI, " if contexts.uri else ""
            lines.append(
                f"contexts: {contexts.id:,} matched by id, {by_uri}{contexts.text:,} by text, "
                f"{contexts.foreign:,} foreign"
            )
        return lines


def score_system(
    release: Release,
    given: str | RagSystem | Callable[..., Reply | Awaitable[Reply]],
    *,
    output: Path,
    name: str | None = None,
    options: Options = _DEFAULTS,
    client: Client | None = None,
    progress: Progress = silent,
) -> Scored:
    """Asks a system a release's questions and scores its answers, going on where an earlier start stopped.

    The run lies in OUTPUT/NAME/VERSION/SYSTEM. See `benchmarks/runs/run.py` for its files. With a client that has a
    model for the role `system`, the baselines answer with it.

    Args:
        release: what is asked.
        given: who is asked: a reference, as on the command line, or a function or an object; see `RagSystem`.
        output: the folder of runs.
        name: the run's; none: the system's.
        options: what is asked, and how.
        client: asks models, where one is named.
        progress: is told how far it is.

    Raises:
        UsageError: there is no such system, or it is a file, which cannot be asked repeatedly.
        BenchwrightError: the system cannot be made; its first answers all failed in the same way, or it gave none at
            all; its predictions, the judgments, the map or the metrics are not as they must be; or the folder holds
            another run.
    """
    check_metrics(options.metrics)
    if options.repeat_judge > 1 and (client is None or not client.has(JUDGE)):
        raise UsageError("--repeat-judge is about a model that judges: name one with --model judge=NAME")
    with timed("questions read"):
        plan = plan_run(release, options)
    uris = None if options.uris is None else read_uris(options.uris, plan.split.documents)
    remarks: list[str] = []
    with ExitStack() as stack:
        worker = Worker()
        stack.callback(worker.end)
        opening = Opening(
            options.k, client, options.timeout, options.retries, options.workers, uris=uris, columns=options.columns
        )
        system = worker.call(lambda: open_given(given, opening))
        stack.callback(lambda: remarks.extend(system.close()))
        scored = _score_opened(_Opened(system, worker, plan, uris, options, client, progress), output, name)
    return replace(scored, warnings=(*scored.warnings, *remarks))


@dataclass(frozen=True)
class _Opened:
    """A system that is open, and what is wanted of it."""

    system: System
    worker: Worker
    """Where it is asked."""
    plan: Plan
    uris: UriMap | None
    options: Options
    client: Client | None
    progress: Progress


def _score_opened(opened: _Opened, output: Path, name: str | None) -> Scored:
    """Asks and scores a system that is open; see `score_system`."""
    system, plan, options, progress = opened.system, opened.plan, opened.options, opened.progress
    if system.predictions is not None:
        _check_of_file(system, options)
    wanted = run_of(system, plan, options)
    if options.judgments is not None:
        read_given_judgments(options.judgments, plan)  # before anything is asked
    folder = run_folder(output, plan.split.release, check_name(name or system.name, "run"))
    if options.samples:
        system = prepared_once(system)
        opened = replace(opened, system=system)
    path, source, client = folder / PREDICTIONS, system.predictions, opened.client
    if client is not None and client.settings.estimate:
        predictions: Iterable[Prediction] = estimate(path, plan, system, opened.worker, options, progress)
        if options.samples:
            predictions = estimate_samples(predictions, plan, system, opened.worker, options)
        estimate_judging(client, plan, judged_metrics(plan, options, client), predictions, options.repeat_judge)
        raise Estimated
    if source is not None:
        check_origin(source, plan.split.release.manifest, folder)
    correction = None if source is None else functools.partial(corrects, source, path, plan, system.read)
    with open_run(folder, wanted, again=options.again, corrects=correction) as run, ExitStack() as stack:
        warnings = _changes(run, wanted)
        if opened.uris is not None:
            keep_uris(folder, opened.uris)
            warnings += _unknown(opened.uris)
        small = stack.enter_context(closing(SmalltalkStore(folder))) if options.with_smalltalk else None
        with timed("answers got"):
            run, store, asked = _answers(opened, run, wanted, folder, small, stack)
        sampled = None
        if options.samples:
            with timed("samples got"):
                sampled = sample_answers(store, plan, system, opened.worker, options, progress)
            run = replace(run, samples=samples_of(system, options))
        if options.again:
            (folder / PROBES).unlink(missing_ok=True)
        if options.probe:
            with timed("searches probed"):
                warnings += probe_run(folder / PROBES, store, plan, system, opened.worker, options, progress)
        with timed("answers scored"):
            scored = score_held_run(folder, run, store, plan, options, client, progress)
    return Scored(
        folder=folder,
        asked=asked.asked,
        reused=asked.reused,
        is_rescored=scored.is_rescored,
        counts=scored.run.counts,
        warnings=(*warnings, *_of_file(scored.run)),
        is_file=source is not None,
        beside=asked.beside,
        smalltalk=None if small is None else small.counts,
        told=system.description if system.read is not None else "",
        sampled=None if sampled is None else sampled.told,
        ruled=_graded_by_rules(scored.run),
    )


def _graded_by_rules(run: Run) -> tuple[str, ...]:
    metrics = [find_metric(name) for name in run.scoring.metrics if name not in run.scoring.judges]
    return tuple(metric.name for metric in metrics if metric.judged is not None and metric.rule is not None)


def _check_of_file(system: System, options: Options) -> None:
    """Raises UsageError where more is wanted of a file of predictions than it can give."""
    if options.repeat > 1:
        raise UsageError(
            f"{system.reference} cannot be asked again: give further answers to a question in the file, each with its "
            "number from 0 in 'repeat', and leave out --repeat"
        )
    if options.samples:
        raise UsageError(
            f"{system.reference} cannot be asked again: give further answers to a question in 'samples' of its line, "
            "and leave out --samples"
        )
    if options.with_smalltalk:
        raise UsageError(f"{system.reference} cannot be asked anything: leave out --with-smalltalk")


def _answers(
    opened: _Opened, run: Run, wanted: Run, folder: Path, small: SmalltalkStore | None, stack: ExitStack
) -> tuple[Run, PredictionStore, Asked]:
    """The run with its answers: from the system, or taken over from its file. The stack closes where they lie."""
    system, plan, path = opened.system, opened.plan, folder / PREDICTIONS
    if system.predictions is None:
        store = stack.enter_context(closing(PredictionStore(path)))
        return run, store, ask_missing(store, plan, system, opened.worker, opened.options, opened.progress, small)
    run, lines = take_over(system.predictions, folder, path, run, wanted, plan, system.read)
    store = stack.enter_context(closing(PredictionStore(path, lines)))
    return run, store, complete(store, plan, system.predictions.name)


def _of_file(run: Run) -> tuple[str, ...]:
    """What is said of a file whose lines or traces were not all taken over."""
    counts, file = run.counts, run.system.reference
    bad = (_left_out(file, counts.bad_lines),) if counts.bad_lines.count else ()
    return (*bad, _not_matched(file, counts.unmatched)) if counts.unmatched.count else bad


def _unknown(uris: UriMap) -> tuple[str, ...]:
    """Says which entries of a map say nothing of the corpus."""
    if not uris.unknown:
        return ()
    total = uris.unknown + len(uris.documents)
    return (f"{uris.unknown:,} of the {total:,} entries of the map name no document of the corpus: they are left out",)


def _left_out(file: str, bad: BadLines) -> str:
    """Says which lines of a file are no predictions."""
    shown = "; ".join(reason.rstrip(".") for reason in bad.first)
    more = f"; and {bad.count - len(bad.first):,} more" if bad.count > len(bad.first) else ""
    lines = (
        "1 line of it is no prediction and was"
        if bad.count == 1
        else f"{bad.count:,} lines of it are no predictions and were"
    )
    return f"{file}: {lines} left out: {shown}{more}"


def _not_matched(file: str, unmatched: BadLines) -> str:
    """Says which traces are of no question."""
    traces = "1 trace is" if unmatched.count == 1 else f"{unmatched.count:,} traces are"
    more = f"; and {unmatched.count - len(unmatched.first):,} more" if unmatched.count > len(unmatched.first) else ""
    return f"{file}: {traces} of no question of the split and left out: {'; '.join(unmatched.first)}{more}"


def _changes(run: Run, wanted: Run) -> tuple[str, ...]:
    if run.system.source == wanted.system.source:
        return ()
    return (f"the file of {run.system.reference} has changed since its first answers: --again asks all anew",)
