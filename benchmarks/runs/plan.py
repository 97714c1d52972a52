"""What is to be asked of a system: which questions of a release, under which conditions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.predictions import CONDITIONS, OWN, Key
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.rows import ReleaseSplit
from benchwright.benchmarks.releases.sample import count_groups, sample_questions
from benchwright.benchmarks.runs.run import Run, RunQuestions, RunSystem, library_versions
from benchwright.benchmarks.systems.base import System
from benchwright.benchmarks.types import Question


@dataclass(frozen=True)
class Options:
    """How a system is scored."""

    split: str = "test"
    k: int = 5
    """Contexts that are read and looked at."""
    conditions: tuple[str, ...] = (OWN,)
    metrics: tuple[str, ...] = ()
    """Names; none: all that the release has what is needed for."""
    limit: int | None = None
    """A seeded sample of so many questions at the most, of whole semantic groups."""
    subsets: tuple[str, ...] = ()
    """Only questions of these parts of the benchmark, before any sample; none: all."""
    wordings: int | None = None
    """Of a group in each form at the most; None: as `sample_questions` says."""
    seed: int = 0
    repeat: int = 1
    """Times that each question is asked, in each condition."""
    samples: int = 0
    """Further answers to each question that are asked for, beside the answer."""
    repeat_judge: int = 1
    """Times that a model judges each answer; the first time counts."""
    probe: bool = False
    """Whether the search is probed where contexts lack evidence; see `probes`."""
    timeout: float = 60.0
    """Seconds that an answer may take."""
    retries: int = 3
    """Times that a request to a service is sent again, at most, where it fails."""
    workers: int | None = None
    """Questions asked at once; None: as the system says."""
    uris: str | Path | Mapping[str, str] | None = None
    """Which document a URI means: see `read_uris`; None: as an earlier start said."""
    judgments: Path | None = None
    """Verdicts made elsewhere."""
    again: bool = False
    """Forget an earlier run of the same name."""
    with_smalltalk: bool = False
    """Ask small talk and generic questions beside the benchmark's; no figure of the benchmark counts them."""
    columns: str | None = None
    """Which column of a table of traces is what: `question=Prompt,answer=Reply`; None: guessed by their names."""

    def __post_init__(self) -> None:
        if not self.conditions:
            raise UsageError(f"no condition is named: choose from {', '.join(CONDITIONS)}")
        for condition in self.conditions:
            if condition not in CONDITIONS:
                raise UsageError(f"there is no condition {condition!r}: choose from {', '.join(CONDITIONS)}")
        for name, number in (
            ("limit", self.limit),
            ("wordings", self.wordings),
            ("repeat", self.repeat),
            ("repeat_judge", self.repeat_judge),
        ):
            if number is not None and number < 1:
                raise UsageError(f"{name}={number} asks nothing: give 1 or more")

    @property
    def is_sampled(self) -> bool:
        """Whether a part of the questions is asked."""
        return self.limit is not None or self.wordings is not None


@dataclass(frozen=True)
class Plan:
    """The questions of a run and the attempts that they are asked in."""

    split: ReleaseSplit
    questions: Sequence[Question]
    conditions: tuple[str, ...]
    repeat: int = 1
    """Times that each is asked."""

    @property
    def keys(self) -> list[Key]:
        """Of all attempts: repeat by repeat, in each condition by condition, the questions in the release's order."""
        return [
            (question.id, condition, repeat)
            for repeat in range(self.repeat)
            for condition in self.conditions
            for question in self.questions
        ]


def plan_run(release: Release, options: Options) -> Plan:
    """What the options ask of a release.

    Raises:
        UsageError: the split has no question of a subset.
        BenchwrightError: the release has no such split.
    """
    split = ReleaseSplit(release, options.split)
    asked = of_subsets(split, options.subsets)
    questions = sample_questions(asked, options.limit, options.wordings, options.seed)
    return Plan(split, questions, options.conditions, options.repeat)


def of_subsets(split: ReleaseSplit, subsets: Sequence[str]) -> list[Question]:
    """The questions of some subsets, all where none is named. Raises UsageError where there is none of one of them."""
    if not subsets:
        return split.questions
    there = sorted({question.subset for question in split.questions if question.subset})
    for name in subsets:
        if name not in there:
            known = f"there are {', '.join(there)}" if there else "its questions are of no subset"
            raise UsageError(f"{split.where} has no question of the subset {name!r}: {known}")
    return [question for question in split.questions if question.subset in subsets]


def run_of(system: System, plan: Plan, options: Options) -> Run:
    """What run.json says of a run before its first answer."""
    manifest = plan.split.release.manifest
    return Run(
        benchmark=manifest.name,
        version=manifest.version,
        content_hash=manifest.content_hash,
        system=RunSystem(
            name=system.name,
            kind=system.kind,
            reference=system.reference,
            description=system.description,
            builtin=system.is_builtin,
            settings=dict(system.settings),
            source=system.source,
        ),
        questions=RunQuestions(
            split=options.split,
            limit=options.limit,
            subsets=tuple(sorted(set(options.subsets))),
            wordings=options.wordings,
            seed=options.seed if options.is_sampled else None,
            count=len(plan.questions),
            groups=count_groups(plan.questions),
            repeats=options.repeat,
        ),
        libraries=library_versions(),
    )
