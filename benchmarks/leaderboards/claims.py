"""What a submission claims: run.json and report.json, read as a stranger's and held against what was computed."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Required

from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypedDict

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.leaderboards.layout import REPORT, RUN, Place
from benchwright.benchmarks.leaderboards.limits import LARGEST_CUT_OFF, MOST_METRICS
from benchwright.benchmarks.leaderboards.refusal import RefusedError, plain, quoted
from benchwright.benchmarks.metrics import find_metric
from benchwright.benchmarks.predictions import Count, Finite
from benchwright.benchmarks.releases.manifest import Manifest
from benchwright.benchmarks.reports.blocks import Range
from benchwright.benchmarks.reports.metrics.figures import MetricFigure, Metrics, metric_sense
from benchwright.benchmarks.runs.run import Run
from benchwright.benchmarks.validation import in_one_line

TOLERANCE = 1e-9
_SHOWN = 5
"""Differing figures that are named."""


class _Metric(TypedDict, total=False):
    value: Required[Finite | None]
    scored: Required[Count]
    total: Required[Count]
    judges: Mapping[str, int]


class _Scoring(TypedDict, total=False):
    benchwright: str
    metrics: list[str]


class _Report(TypedDict):
    benchmark: str
    version: str
    content_hash: str
    condition: str
    scoring: _Scoring
    metrics: dict[str, _Metric]


@dataclass(frozen=True)
class Claim:
    """What a report says of a metric."""

    value: float | None
    scored: int
    total: int
    is_judged: bool


@dataclass(frozen=True)
class Claims:
    """What a submission says of itself."""

    run: Run
    metrics: Mapping[str, Claim]
    scored_by: str
    """The version of benchwright."""


@cache
def _adapter() -> TypeAdapter[_Report]:
    return TypeAdapter(_Report)


def read_claims(folder: Path, place: Place, manifest: Manifest) -> Claims:
    """Reads run.json and report.json.

    Raises:
        BenchwrightError: one cannot be read. RefusedError: it is of another release, or claims what cannot be computed.
    """
    try:
        run = TypeAdapter(Run).validate_json((folder / RUN).read_bytes())
    except ValidationError as error:
        raise RefusedError(f"{RUN} is not that of a run: {plain(in_one_line(error), 200)}") from None
    try:
        report = _adapter().validate_json((folder / REPORT).read_bytes())
    except ValidationError as error:
        raise RefusedError(f"{REPORT} is no report: {plain(in_one_line(error), 200)}") from None
    for name, said in ((RUN, run), (REPORT, report)):
        there = said if isinstance(said, dict) else vars(said)
        _check_release(name, there["benchmark"], there["version"], there["content_hash"], place, manifest)
    if run.questions.split != "test":
        raise RefusedError(f"{RUN} is of the split {quoted(run.questions.split)}, and a submission is of test")
    if len(report["metrics"]) > MOST_METRICS:
        raise RefusedError(f"{REPORT} has {len(report['metrics']):,} metrics, and may have {MOST_METRICS}")
    metrics = {
        name: Claim(each["value"], each["scored"], each["total"], bool(each.get("judges")))
        for name, each in report["metrics"].items()
    }
    return Claims(run, metrics, plain(report["scoring"].get("benchwright", "")))


def _check_release(name: str, benchmark: str, version: str, content: str, place: Place, manifest: Manifest) -> None:
    if (benchmark, version) != (place.benchmark, place.version):
        raise RefusedError(
            f"{name} is of {plain(benchmark)} {plain(version)}, and the submission of {place.benchmark} {place.version}"
        )
    if content != manifest.content_hash:
        raise RefusedError(
            f"{name} is of other content of {manifest.name} {manifest.version} ({plain(content[:12])}…, not "
            f"{manifest.content_hash[:12]}…): score the system against the published release"
        )


def rule_metrics(claims: Claims, must_exist: bool = True) -> list[str]:
    """The claimed metrics that rules compute.

    Args:
        claims: what is claimed.
        must_exist: whether one that nobody here can compute is refused; else it is left out.

    Raises:
        RefusedError: there is no metric of a name, or its cut-off is too high.
    """
    found = []
    for name, claim in claims.metrics.items():
        try:
            metric = find_metric(name)
        except BenchwrightError:
            if claim.is_judged or not must_exist:
                continue
            raise RefusedError(f"{REPORT} has the metric {quoted(name)}, which nobody here can compute") from None
        cut = name.partition("@")[2]
        if cut.isdecimal() and int(cut) > LARGEST_CUT_OFF:
            raise RefusedError(f"{REPORT} has {plain(name)}: cut-offs go up to {LARGEST_CUT_OFF:,}")
        is_said_only = claim.is_judged and name not in claims.run.scoring.metrics  # verdicts that were handed in
        if metric.rule is not None and metric.unit == "prediction" and not is_said_only:
            found.append(name)
    return found


def differences(claims: Claims, computed: Metrics, unchecked: frozenset[str], made_by: str) -> list[str]:
    """Where what is claimed is not what was computed, in words.

    Args:
        claims: what is claimed.
        computed: the same figures, computed again as the submitter must have.
        unchecked: metrics that could not be computed again.
        made_by: the version of benchwright that computed them.
    """
    found = []
    for name, claim in claims.metrics.items():
        figure = computed.get(name)
        if figure is None and claim.scored == 0 and claim.value is None:
            continue
        if name in unchecked:
            what = _impossible(claim, figure, metric_sense(name)[1])
            found += [f"{plain(name)}: {what}"] if what is not None else []
            continue
        if figure is None:
            found.append(f"{plain(name)} is claimed, and the submission holds nothing that gives it")
        elif (what := _difference(claim, figure)) is not None:
            found.append(f"{name}: {what}")
    if not found:
        return []
    more = f" (and {len(found) - _SHOWN:,} more figures)" if len(found) > _SHOWN else ""
    shown = found[:_SHOWN]
    if claims.scored_by != made_by:
        again = (
            f"it was scored with benchwright {claims.scored_by or 'of no known version'}: score it again with {made_by}"
        )
        return [*shown[:-1], f"{shown[-1]}{more}; {again}"]
    return [*shown[:-1], f"{shown[-1]}{more}"]


def _impossible(claim: Claim, figure: MetricFigure | None, limits: Range) -> str | None:
    """Why a figure that cannot be computed again is none all the same."""
    if (claim.value is None) != (claim.scored == 0) or claim.scored > claim.total:
        return f"the report claims {_number(claim.value)} of {claim.scored:,} scored of {claim.total:,}"
    if claim.value is not None and not limits[0] <= claim.value <= limits[1]:
        return f"the report claims {_number(claim.value)}, and it goes from {limits[0]:g} to {limits[1]:g}"
    if figure is not None and claim.total != figure.total:
        return f"the report claims a total of {claim.total:,}, and there are {figure.total:,}"
    return None


def _difference(claim: Claim, figure: MetricFigure) -> str | None:
    if (claim.value is None) != (figure.value is None):
        return f"the report claims {_number(claim.value)}, the predictions give {_number(figure.value)}"
    if claim.value is not None and figure.value is not None and abs(claim.value - figure.value) > TOLERANCE:
        said, found = _number(claim.value, figure.value), _number(figure.value, claim.value)
        return f"the report claims {said}, the predictions give {found}"
    if (claim.scored, claim.total) != (figure.scored, figure.total):
        return (
            f"the report claims {claim.scored:,} scored of {claim.total:,}, the predictions give {figure.scored:,} of "
            f"{figure.total:,}"
        )
    return None


def _number(value: float | None, other: float | None = None) -> str:
    """A figure with as many decimals as tell it from the other."""
    if value is None:
        return "nothing"
    short = f"{value:.4g}"
    return repr(value) if other is not None and short == f"{other:.4g}" else short
