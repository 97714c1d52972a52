"""Judges of a release's pairs: each judgment is written as it arrives, and nothing is judged twice."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import jsonlines

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.judgments import Judge, Judgment, judgment_line, stored_judgments
from benchwright.benchmarks.metrics import Metric
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.money.costs import Estimated
from benchwright.benchmarks.models.responses import ReplyError
from benchwright.benchmarks.progress import Progress, silent
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.runs.judge import JudgeTask, drop_cut_line, is_judged, judge_one, judges_of
from benchwright.benchmarks.runs.pairs.candidates import PairsOfRelease
from benchwright.benchmarks.runs.run import JUDGMENTS, RUN, hold_run
from benchwright.benchmarks.runs.score import write_judgments

OF = "pairs.json"
"""In the folder: which release its judgments are of."""


def judge_pairs(
    pairs: PairsOfRelease,
    metrics: Sequence[Metric],
    folder: Path,
    client: Client | None = None,
    progress: Progress = silent,
) -> list[Judgment]:
    """Has the candidates of a release's pairs judged by the metrics that a model judges.

    What this judge has judged before is not asked again, but for what its model gave no usable reply to.

    Args:
        pairs: the release's.
        metrics: those that a model judges among them are judged.
        folder: of the judgments, which is made where it is not there.
        client: judges; None: nothing is judged. With `estimate` set nothing is written.
        progress: is told how many candidates are judged.

    Returns:
        All judgments by this client's models, earlier ones too.

    Raises:
        Estimated: nothing was asked, as was wanted; the client's ledger has what it would take.
        UsageError: a model is named and none of the metrics is for it, or only a model can judge one of them.
        BenchwrightError: the folder is of another release, or another process writes to it.
        StopError: a limit is reached, or the model cannot be asked.
    """
    judged = [metric for metric in metrics if client is not None and is_judged(client, metric)]
    _refuse(metrics, judged, client)
    if client is None or not judged:
        return []
    judges, path = judges_of(client, judged), folder / JUDGMENTS
    _check_folder(folder, pairs.release)
    if client.settings.estimate:
        tasks = _tasks(pairs, judged, _kept(path, judges, client))
        for _ in client.each(tasks, lambda task: judge_one(client, task, judges)):
            pass
        raise Estimated
    folder.mkdir(parents=True, exist_ok=True)
    made: list[Judgment] = []
    with hold_run(folder, "name another folder with --output"):
        _claim(folder, pairs.release)
        kept = _kept(path, judges, client)
        tasks = _tasks(pairs, judged, kept)
        with path.open("a", encoding="utf-8") as file:
            writer = jsonlines.Writer(file, flush=True)  # pyright: ignore[reportCallIssue]
            for done, (_, result) in enumerate(
                client.each(tasks, lambda task: judge_one(client, task, judges)), start=1
            ):
                for judgment in () if isinstance(result, ReplyError) else result:
                    if judgment.trace:
                        writer.write(judgment_line(judgment))
                    made.append(judgment)
                progress("candidates judged", done, len(tasks))
    return [*kept, *made]


def _refuse(metrics: Sequence[Metric], judged: Sequence[Metric], client: Client | None) -> None:
    for metric in metrics:
        if metric.rule is None and metric not in judged:
            raise UsageError(f"{metric.name} is judged by a model: name one with --model {metric.role}=NAME")
    if client is not None and not judged:
        names = ", ".join(metric.name for metric in metrics)
        raise UsageError(f"{names}: no model judges that; name a metric that a model judges, or leave out --model")


def _kept(path: Path, judges: Mapping[str, Judge], client: Client) -> list[Judgment]:
    """What these judges have judged already; what they gave no usable reply to is dropped, for it is asked again."""
    if not path.is_file():
        return []
    writes = not (client.settings.estimate or client.settings.replay)
    if not client.settings.estimate:
        drop_cut_line(path)
    there = list(stored_judgments(path))
    if writes:
        usable = [each for each in there if not (each.is_without_reply and each.judge == judges.get(each.metric))]
        if len(usable) < len(there):
            write_judgments(path, usable)
        there = usable
    return [each for each in there if each.judge == judges.get(each.metric)]


def _tasks(pairs: PairsOfRelease, metrics: Sequence[Metric], kept: Sequence[Judgment]) -> list[JudgeTask]:
    """What is still to be asked."""
    there = {(each.id, each.candidate, each.metric) for each in kept}
    return [
        replace(each, metrics=missing)
        for each in pairs.asked(metrics)
        if (missing := tuple(one for one in each.metrics if (each.key[0], each.candidate, one.name) not in there))
    ]


def _check_folder(folder: Path, release: Release) -> None:
    """Raises where a folder belongs to something else."""
    if (folder / RUN).is_file():
        raise BenchwrightError(f"{folder} is a run: name another folder for what is judged of pairs, with --output")
    path = folder / OF
    if not path.is_file():
        return
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        said = None
    if said != _facts(release):
        raise BenchwrightError(
            f"{folder} holds judgments of other pairs than those of {release.manifest.name} "
            f"{release.manifest.version}: move it away, or name another folder with --output"
        )


def _claim(folder: Path, release: Release) -> None:
    """Writes down which release the judgments of a folder are of."""
    path = folder / OF
    if not path.is_file():
        part = path.with_name(f".{path.name}")
        part.write_text(json.dumps(_facts(release), indent=1) + "\n", encoding="utf-8")
        part.replace(path)


def _facts(release: Release) -> dict[str, str]:
    manifest = release.manifest
    return {"benchmark": manifest.name, "version": manifest.version, "content_hash": manifest.content_hash}
