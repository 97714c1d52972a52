"""Which runs a cutoff's figure is drawn from, asked for it or given; whose they are, and what each read."""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.money.costs import Estimated
from benchwright.benchmarks.predictions import CLOSED, GOLD, OWN
from benchwright.benchmarks.progress import Progress, silent
from benchwright.benchmarks.registry import find, names
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.columns import RunData, load_run
from benchwright.benchmarks.reports.cutoffs.differences import NOTHING
from benchwright.benchmarks.runs.plan import Options, Plan, plan_run
from benchwright.benchmarks.runs.run import Run, RunSystem, read_run
from benchwright.benchmarks.runs.score_system import score_system
from benchwright.benchmarks.systems.baseline import BASELINES
from benchwright.benchmarks.systems.language_model import ROLE
from benchwright.benchmarks.systems.openai_model import PREFIX
from benchwright.benchmarks.text.slugs import slug

RANDOM, CREATED, POST_CUTOFF = "random", "created_after_cutoff", "post_cutoff"
SUBSETS = (RANDOM, CREATED, POST_CUTOFF)
GRADES = ("truthfulness", "relevance")
CLOSED_BOOK, GOLD_DOCUMENTS, ORACLE = "closed-book", "gold-documents", "oracle"
ARTICLE, PASSAGES = "the article", "the gold passages"
READER, _READER = "built-in reader", "built-in-reader"
_LONGEST = 50
"""Characters of a name in a file's."""


@dataclass(frozen=True)
class Answered:
    """The answers of a run in one condition."""

    run: RunData
    condition: str
    given: str
    """What was read: NOTHING, ARTICLE or PASSAGES."""


@dataclass(frozen=True)
class ModelRuns:
    """What one model answered, closed book and with the article."""

    name: str
    is_built_in: bool
    """The built-in reader, which is no model."""
    closed: Answered | None
    article: Answered | None

    @property
    def runs(self) -> list[Answered]:
        """Those that there are."""
        return [each for each in (self.closed, self.article) if each is not None]


def file_name(text: str) -> str:
    """A model's name as a part of a file's; where letters of it cannot stand there, with a hash that tells it apart."""
    if text == READER:
        return _READER
    plain = slug(text, "model", keeps="._-").replace("..", "-")[:_LONGEST].strip("._-")
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return plain if plain == text and plain != _READER else f"{plain}-{digest}"


def ask_runs(
    release: Release,
    output: Path,
    client: Client | None,
    *,
    name: str | None = None,
    limit: int | None = None,
    again: bool = False,
    progress: Progress = silent,
) -> list[Path]:
    """Asks what a figure uses and is not answered yet, and gives the folders of the runs.

    Closed book are asked the questions of the three subsets, and with their article those of them that are of
    POST_CUTOFF; nothing else is asked or judged.

    Args:
        release: has the subsets.
        output: the folder of runs.
        client: answers with the role `system` and grades with `judge`, where it has them; else rules do.
        name: what the runs' names begin with; none: `cutoff`, and the model's name at the end.
        limit: a seeded sample of so many questions at the most.
        again: forget the earlier runs.
        progress: is told how far it is.

    Raises:
        BenchwrightError: the release has no questions of POST_CUTOFF, or a run fails.
        Estimated: nothing was to be asked, only estimated.
    """
    there = _subsets(release)
    options = Options(limit=limit, subsets=there, metrics=GRADES, again=again)
    recent = sum(question.subset == POST_CUTOFF for question in plan_run(release, options).questions)
    wanted = [(CLOSED_BOOK, options)]
    if recent:
        of_recent = replace(options, subsets=(POST_CUTOFF,), limit=None if limit is None else recent)
        wanted.append((GOLD_DOCUMENTS, of_recent))
    folders, estimated = [], None
    for system, each in wanted:
        try:
            run = score_system(
                release,
                system,
                output=output,
                name=_run_name(system, name, client),
                options=each,
                client=client,
                progress=progress,
            )
            folders.append(run.folder)
        except Estimated as error:
            estimated = error
    if estimated is not None:
        raise estimated
    return folders


def _run_name(system: str, name: str | None, client: Client | None) -> str:
    if name is not None:
        return f"{name}-{system}"
    model = client.settings.endpoints[ROLE].model if client is not None and client.has(ROLE) else None
    return f"cutoff-{system}" if model is None else f"cutoff-{system}-{file_name(model)}"


def _subsets(release: Release) -> tuple[str, ...]:
    """Those of SUBSETS that the release has questions of. Raises BenchwrightError where POST_CUTOFF is not of them."""
    plan: Plan = plan_run(release, Options())
    there = {question.subset for question in plan.questions}
    check_subsets(release, there)
    return tuple(name for name in SUBSETS if name in there)


def check_subsets(release: Release, there: set[str | None]) -> None:
    """Raises BenchwrightError where a release's questions are not of what the figure compares."""
    manifest = release.manifest
    if POST_CUTOFF not in there:
        raise BenchwrightError(
            f"{manifest.name} {manifest.version} has no questions of the subset {POST_CUTOFF}: "
            "the figure is of a release that build-benchmark wikipedia made"
        )


def read_models(release: Release, folders: Sequence[Path]) -> list[ModelRuns]:
    """The runs of folders by model, in the order in which the models are met first.

    Runs are of one model where their settings name the same one at the same address; runs of other systems where
    they have the same reference. What a run was given stands in its conditions (`closed`, `gold`), else in its system:
    `closed-book` and `openai:MODEL` read nothing, `gold-documents` reads the article, `oracle` its gold passages.

    Raises:
        UsageError: a run is given twice, or two are the same of one model.
        BenchwrightError: a run is of another release, was not graded, or answers neither closed book nor with the
            article.
    """
    if len({folder.resolve() for folder in folders}) < len(folders):
        counted = Counter(folder.resolve() for folder in folders)
        twice = next(folder for folder in folders if counted[folder.resolve()] > 1)
        raise UsageError(f"the run {twice} is given twice: name it once")
    settings = _one_release(release, folders)
    found: dict[object, dict[str, Answered]] = {}
    for folder in folders:
        slots = found.setdefault(_identity(settings[folder].system), {})
        for slot, answered in _answered(load_run(release, folder), settings[folder]).items():
            if slot in slots:
                what = "closed-book runs" if slot == NOTHING else "runs with the article"
                other = slots[slot].run.folder
                raise UsageError(
                    f"{other} and {folder} are both {what} of {_name(settings[folder].system)}: give one of them"
                )
            slots[slot] = answered
    models = [
        ModelRuns(_name(system), system.builtin, slots.get(NOTHING), slots.get(ARTICLE))
        for slots in found.values()
        for system in [next(iter(slots.values())).run.settings.system]
    ]
    counted = Counter(model.name for model in models)
    return [
        replace(each, name=f"{each.name} ({each.runs[0].run.folder.name})") if counted[each.name] > 1 else each
        for each in models
    ]


def _one_release(release: Release, folders: Sequence[Path]) -> dict[Path, Run]:
    """What each run's run.json says. Raises BenchwrightError where not all are of the release, or of one split."""
    found: dict[Path, Run] = {}
    for folder in folders:
        run = read_run(folder)
        if run is None:
            raise BenchwrightError(f"{folder} is not a run: it has no run.json")
        found[folder] = run
    manifest = release.manifest
    is_of = {folder: run.content_hash == manifest.content_hash for folder, run in found.items()}
    for folder, run in found.items():
        if not is_of[folder]:
            other = next((each for each in folders if is_of[each]), None)
            raise BenchwrightError(
                f"{folder} is a run on {_release(run.benchmark, run.version, run.content_hash)}, "
                f"{'not' if other is None else f'and {other} is one'} on "
                f"{_release(manifest.name, manifest.version, manifest.content_hash)}: "
                "a figure is of one release; give runs of the same one"
            )
    splits = {run.questions.split for run in found.values()}
    if len(splits) > 1:
        raise BenchwrightError(f"the runs are of the splits {' and '.join(sorted(splits))}: give runs of one split")
    return found


def _release(name: str, version: str, content_hash: str) -> str:
    return f"{name} {version} (content {content_hash[:12]}…)"


def _identity(system: RunSystem) -> object:
    if "model" in system.settings:
        return str(system.settings["model"]), str(system.settings.get("base_url", ""))
    return READER if system.builtin else ("system", system.reference)


def _name(system: RunSystem) -> str:
    if "model" in system.settings:
        return str(system.settings["model"])
    return READER if system.builtin else system.name


def _answered(run: RunData, settings: Run) -> Mapping[str, Answered]:
    """NOTHING and ARTICLE → the answers of a run that were given that. Raises BenchwrightError where there are none."""
    there = set(run.condition.names)
    found: dict[str, Answered] = {}
    if CLOSED in there:
        found[NOTHING] = Answered(run, CLOSED, NOTHING)
    elif OWN in there and _reads_nothing(settings.system.reference):
        found[NOTHING] = Answered(run, OWN, NOTHING)
    if OWN in there and settings.system.reference == GOLD_DOCUMENTS:
        found[ARTICLE] = Answered(run, OWN, ARTICLE)
    elif GOLD in there or (OWN in there and settings.system.reference == ORACLE):
        found[ARTICLE] = Answered(run, GOLD if GOLD in there else OWN, PASSAGES)
    if not found:
        raise BenchwrightError(
            f"{run.folder} answers neither closed book nor with the article ({settings.system.reference}, "
            f"{', '.join(sorted(there)) or 'no condition'}): give runs of closed-book, openai:MODEL or gold-documents, "
            "or score it with --conditions closed,gold"
        )
    lacking = [name for name in GRADES if not any(len(run.rows(name, each.condition)) for each in found.values())]
    if lacking:
        again = " ".join(f"--metric {name}" for name in GRADES)
        raise BenchwrightError(
            f"{run.folder} has no grades of {' and '.join(lacking)}: score it again with {again} and --model judge=NAME"
        )
    return found


def _reads_nothing(reference: str) -> bool:
    return reference.startswith(PREFIX) or (reference in names(BASELINES) and find(BASELINES, reference).is_closed_book)
