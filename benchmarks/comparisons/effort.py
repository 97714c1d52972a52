"""What each run took, as its own report counted it: tokens in and out, calls, retrievals, US dollars, time."""

import json
from dataclasses import dataclass

from benchwright.benchmarks.comparisons.compared import ComparedRun
from benchwright.benchmarks.records import problem_of
from benchwright.benchmarks.reports.report import REPORT
from benchwright.benchmarks.reports.sections.cost import Cost

MOST_RUNS = 50
"""Of more runs nothing is read."""


@dataclass(frozen=True, slots=True)
class Effort:
    """What one run took."""

    run: str
    cost: Cost | None
    reason: str | None
    """Why nothing is known."""


def efforts_of(runs: tuple[ComparedRun, ...]) -> tuple[Effort, ...]:
    """What each run took, in the order given; none of very many runs."""
    return tuple(_effort(run) for run in runs) if len(runs) <= MOST_RUNS else ()


def _effort(run: ComparedRun) -> Effort:
    from pydantic import TypeAdapter, ValidationError

    path = run.folder / REPORT
    try:
        said = json.loads(path.read_bytes())
        return Effort(run.name, TypeAdapter(Cost).validate_python(said["cost"]), None)
    except FileNotFoundError:
        return Effort(run.name, None, f"there is no {REPORT}: score the system again")
    except ValidationError as error:
        return Effort(run.name, None, f"{REPORT}: {problem_of(error)}: score the system again")
    except (OSError, ValueError, KeyError, TypeError):
        return Effort(run.name, None, f"{REPORT} cannot be read: score the system again")
