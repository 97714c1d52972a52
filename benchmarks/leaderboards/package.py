"""The files of a submission: what a run says, without what is nobody's business.

Of run.json, the references, settings and versions of this machine are left out; of report.json all but the figures; of
judgments what judges were asked. A path in a context's id keeps its last part alone, and what a map says of a company's
own names is put in their place, so that the map stays here.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import jsonlines

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.uris import UriMap
from benchwright.benchmarks.hashing import file_sha256
from benchwright.benchmarks.judgments import judgment_line
from benchwright.benchmarks.leaderboards.check_run import Checked, CheckedRun
from benchwright.benchmarks.leaderboards.layout import (
    HELDOUT,
    JUDGMENTS,
    PREDICTIONS,
    REPORT,
    RUN,
    SYSTEM,
    Place,
)
from benchwright.benchmarks.leaderboards.predictions_table import write_predictions_table
from benchwright.benchmarks.leaderboards.system_file import SystemFile, is_slug, slug_of, system_text
from benchwright.benchmarks.predictions import Context, Prediction
from benchwright.benchmarks.records import as_json
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.report import read_report
from benchwright.benchmarks.runs.run import PREDICTIONS as PREDICTION_LINES
from benchwright.benchmarks.runs.run import BadLines, RunSystem
from benchwright.benchmarks.runs.store import stored_predictions
from benchwright.benchmarks.runs.uri_file import kept_uris
from benchwright.benchmarks.secrecy import private, secret_finder

CHOICE = "submission.json"
"""Beside a run: what its submitter chose."""
_FIGURE = ("value", "low", "high", "scored", "total", "groups", "higher_is_better", "judges")
"""What report.json keeps of a metric."""
_IDENTITY = ("benchmark", "version", "content_hash", "language", "condition", "questions", "headline_questions")
_SIGNED = re.compile(
    r"(?i)([?&;#](?:[\w-]*(?:token|signature|secret|password|passwd|credential)|sig|pwd|auth|(?:api|access)[-_]?key)=)"
    r"[^&;#]+"
)
"""Of an address, what lets its reader in."""
_PATH = re.compile(r"(?i)(?:file:|/|~|\.{1,2}[/\\]|[a-z]:[/\\]|\\\\)")
_HOSTS = 5
"""Hosts that a note names."""


@dataclass(frozen=True)
class Package:
    """A submission, on disk."""

    place: Place
    folder: Path
    """Holds exactly its files."""
    system: SystemFile
    notes: tuple[str, ...]
    """What the submitter should know of it."""
    first: str
    """The first prediction, as JSON."""

    @property
    def files(self) -> Mapping[str, Path]:
        """Each file by its name in the repository."""
        return {f"{self.place.folder}/{path.name}": path for path in sorted(self.folder.iterdir())}


def sends_contexts(folder: Path, said: bool | None) -> bool:
    """Whether the contexts of a run are sent: as is said now, which is kept beside the run, else as was said before.

    What was kept back once is so not sent by the same command without its option.
    """
    path = folder / CHOICE
    if said is None:
        try:
            return bool(json.loads(path.read_bytes())["contexts"])
        except (OSError, ValueError, KeyError, TypeError):
            return True
    _write_json(path, {"contexts": said})
    return said


def place_of(release: Release, system: SystemFile, run_name: str) -> Place:
    """Where a system stands on a leaderboard: by its name, else, where that has none of our letters, by its run's.

    Raises:
        BenchwrightError: neither can be part of a path.
    """
    slug = slug_of(system.name) or run_name
    if not is_slug(slug):
        raise BenchwrightError(
            f"{system.name!r} cannot be part of a path: give a name with a-z or 0-9 in it, or name the run so"
        )
    return Place(release.manifest.name, release.manifest.version, slug)


def write_package(checked: Checked, system: SystemFile, folder: Path, *, with_contexts: bool = True) -> Package:
    """Writes the files of a submission.

    The same run and system give the same bytes.

    Args:
        checked: what is submitted.
        system: what its submitter says of it.
        folder: an empty folder.
        with_contexts: whether the contexts are shown.

    Raises:
        BenchwrightError: something holds a key or token, or cannot be written.
    """
    main = checked.main
    place = place_of(main.release, system, main.folder.name)
    text = system_text(system)
    if secret_finder()(text):
        raise BenchwrightError(f"{SYSTEM} holds what looks like a key or token: take it out")
    (folder / SYSTEM).write_text(text, encoding="utf-8")
    told = _Told()
    for run in (main, checked.heldout):
        if run is not None:
            part = HELDOUT if run.run.questions.split == HELDOUT else PREDICTIONS
            shown = _shown_predictions(run, told, with_contexts)
            write_predictions_table(folder / f"{part}.parquet", shown, with_contexts=with_contexts)
    _write_judgments(main, folder / JUDGMENTS, told, with_contexts)
    _write_json(folder / RUN, _run(main, place, folder))
    if main.run.questions.split != HELDOUT:  # without gold there is nothing to claim
        _write_json(folder / REPORT, _claims(main))
    return Package(place, folder, system, (*checked.notes, *told.notes(with_contexts)), told.first)


@dataclass
class _Told:
    """What is noticed while a submission is written."""

    first: str = ""
    hosts: Counter[str] = field(default_factory=Counter)
    """Of the URIs that contexts name → how many do."""
    holds_secret: Callable[[str], bool] = field(default_factory=secret_finder)

    def refuse_secret(self, text: str, where: str, *which: str) -> None:
        """Raises BenchwrightError where a text holds a secret."""
        if self.holds_secret(text):
            place = " ".join((where, *map(repr, which)))
            raise BenchwrightError(f"{place} holds what looks like a key or token: take it out of the predictions")

    def notes(self, with_contexts: bool) -> tuple[str, ...]:
        """What the submitter should know."""
        if not with_contexts:
            return ("without contexts, retrieval figures are shown as claimed: nobody can compute them again",)
        if not self.hosts:
            return ()
        named = ", ".join(name for name, _ in self.hosts.most_common(_HOSTS))
        more = f" and {len(self.hosts) - _HOSTS:,} more" if len(self.hosts) > _HOSTS else ""
        return (f"contexts name addresses at {named}{more}: --no-contexts keeps all contexts back",)


def _shown_predictions(checked: CheckedRun, told: _Told, with_contexts: bool) -> Iterator[Prediction]:
    """The predictions of a run as anybody may see them.

    Raises:
        BenchwrightError: one holds a key or token.
    """
    names = _Names(_corpus_ids(checked.release), kept_uris(checked.folder)) if with_contexts else None
    for prediction in stored_predictions(checked.folder / PREDICTION_LINES):
        if prediction.id not in checked.plan.split.ids:
            continue
        for text in (prediction.answer or "", *prediction.samples):
            told.refuse_secret(text, "the answer to", prediction.id)
        contexts = () if names is None else tuple(_shown_context(each, names, told) for each in prediction.contexts)
        error = private(prediction.error) if prediction.error else prediction.error
        shown = replace(prediction, contexts=contexts, error=error)
        if not told.first:
            told.first = json.dumps(_without_nothing(asdict(shown)), ensure_ascii=False, indent=2)
        yield shown


def _without_nothing(values: Any) -> Any:
    if isinstance(values, Mapping):
        return {name: _without_nothing(each) for name, each in values.items() if each not in (None, (), [], {})}
    return [_without_nothing(each) for each in values] if isinstance(values, list | tuple) else values


@dataclass
class _Names:
    """What contexts are called, as anybody may see it."""

    documents: frozenset[str]
    uris: UriMap | None
    _shown: dict[tuple[str | None, str | None], tuple[str | None, str | None]] = field(default_factory=dict)
    _looked_at: set[int] = field(default_factory=set)
    """Hashes of texts without a secret."""

    def shown(self, name: str | None, uri: str | None) -> tuple[str | None, str | None]:
        """A context's id and URI: by them it is matched to the same document, without the map."""
        if name in self.documents:
            return name, _public(uri)
        key = name, uri
        if key not in self._shown:
            self._shown[key] = self._as_public(name, uri)
        return self._shown[key]

    def is_new(self, text: str) -> bool:
        """Whether a text was not looked at before."""
        if (hashed := hash(text)) in self._looked_at:
            return False
        self._looked_at.add(hashed)
        return True

    def _as_public(self, name: str | None, uri: str | None) -> tuple[str | None, str | None]:
        for each in (uri, name):
            if each is None:
                continue
            if each in self.documents:
                return _public(name), each
            if self.uris is not None and (document := self.uris.document_of(each, self.documents)) is not None:
                return _public(name), document if document in self.documents else _public(uri)
        return _public(name), _public(uri)


def _public(name: str | None) -> str | None:
    """An id or a URI without the folders of this machine, keys and passwords."""
    if name is None:
        return None
    shown = _SIGNED.sub(r"\1…", private(name)) if "://" in name else private(name)
    if not _PATH.match(shown):
        return shown
    return "…/" + re.split(r"[/\\]", shown.rstrip("/\\"))[-1]


def _shown_context(context: Context, names: _Names, told: _Told) -> Context:
    name, uri = names.shown(context.id, context.uri)
    if uri is not None and "://" in uri:
        told.hosts[_host(uri)] += 1
    if context.text is not None and names.is_new(context.text):
        told.refuse_secret(context.text, "a context", name or uri or "")
    if (name, uri) == (context.id, context.uri):
        return context
    return replace(context, id=name, uri=uri)


def _host(uri: str) -> str:
    try:
        return urlsplit(uri).hostname or "?"
    except ValueError:
        return "?"


def _corpus_ids(release: Release) -> frozenset[str]:
    return frozenset(
        name
        for split in release.manifest.splits.get("corpus", {})
        for batch in release.batches("corpus", split, ["_id"])
        for name in batch.column("_id").to_pylist()
    )


def _write_judgments(checked: CheckedRun, path: Path, told: _Told, with_contexts: bool) -> None:
    """Who judged what how: without the replies of models, which quote contexts; without reasons too where these are
    kept back."""
    if not checked.judgments:
        return
    with path.open("w", encoding="utf-8") as file, jsonlines.Writer(file) as writer:
        for each in checked.judgments:
            reason = private(each.reason) if each.reason and with_contexts else None
            told.refuse_secret(reason or "", "a judgment of", each.id)
            writer.write(judgment_line(replace(each, trace={}, reason=reason)))


def _run(checked: CheckedRun, place: Place, folder: Path) -> Any:
    """run.json without what this machine and its settings are."""
    run, judged = checked.run, folder / JUDGMENTS
    counts = replace(
        run.counts, bad_lines=BadLines(run.counts.bad_lines.count), unmatched=BadLines(run.counts.unmatched.count)
    )
    scoring = replace(run.scoring, uris=None, judgments=file_sha256(judged) if judged.is_file() else None)
    system = RunSystem(place.system, "", "", run.system.kind, run.system.builtin)
    libraries = {name: run.libraries[name] for name in ("benchwright",) if name in run.libraries}
    return as_json(replace(run, system=system, counts=counts, scoring=scoring, libraries=libraries))


def _claims(checked: CheckedRun) -> Any:
    """The figures of report.json."""
    report = read_report(checked.folder)
    found = {name: as_json(getattr(report, name)) for name in _IDENTITY}
    scoring = as_json(report.scoring)
    found["scoring"] = {name: scoring[name] for name in ("benchwright", "metrics", "primary", "judges")}
    found["metrics"] = {
        name: {each: as_json(getattr(figure, each)) for each in _FIGURE} for name, figure in report.metrics.items()
    }
    found["outcomes"] = as_json(report.outcomes.headline)
    return found


def _write_json(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False) + "\n", encoding="utf-8")
