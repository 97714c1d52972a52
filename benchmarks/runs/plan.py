"""What is to be asked of a system: which questions of a release, under which conditions."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.predictions import CONDITIONS, OWN, Key
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.rows import ReleaseSplit, sample_questions
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
    """A seeded sample of so many questions."""
    seed: int = 0
    timeout: float = 60.0
    """Seconds that an answer may take."""
    workers: int | None = None
    """Questions asked at once; None: as the system says."""
    judgments: Path | None = None
    """Verdicts made elsewhere."""
    again: bool = False
    """Forget an earlier run of the same name."""

    def __post_init__(self) -> None:
        if not self.conditions:
            raise UsageError(f"no condition is named: choose from {', '.join(CONDITIONS)}")
        for condition in self.conditions:
            if condition not in CONDITIONS:
                raise UsageError(f"there is no condition {condition!r}: choose from {', '.join(CONDITIONS)}")


@dataclass(frozen=True)
class Plan:
    """The questions of a run and the attempts that they are asked in."""

    split: ReleaseSplit
    questions: Sequence[Question]
    conditions: tuple[str, ...]

    @property
    def keys(self) -> list[Key]:
        """Of all attempts: condition by condition, the questions in the release's order."""
        return [(question.id, condition, 0) for condition in self.conditions for question in self.questions]


def plan_run(release: Release, options: Options) -> Plan:
    """What the options ask of a release.

    Raises:
        BenchwrightError: the release has no such split.
    """
    split = ReleaseSplit(release, options.split)
    return Plan(split, sample_questions(split.questions, options.limit, options.seed), options.conditions)


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
            seed=options.seed if options.limit is not None else None,
            count=len(plan.questions),
        ),
        libraries=library_versions(),
    )
