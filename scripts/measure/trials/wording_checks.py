"""The checks of wordings on their trial corpus: by rule alone, and with a model as checker on top."""

from collections.abc import Sequence

from benchwright.benchmarks.grounding.sql import SqlTemplate, parse_template
from benchwright.benchmarks.models.client import Client
from benchwright.builders.sql.wording.round_trip import CHECKER, Check, read_back
from benchwright.builders.sql.wording.tasks import WordingTask
from benchwright.builders.sql.wording.template_meaning import read_meaning
from benchwright.scripts.measure.trials.verdicts import Verdict
from benchwright.scripts.measure.trials.wordings import WordingCase, trial_schema, wording_cases


def wording_verdicts(client: Client | None, cases: Sequence[WordingCase] | None = None) -> list[Verdict]:
    """What the checks say of each wording, each as if it were the first of its template.

    Args:
        client: asks the model in the role of the checker about those that rules accept; None: rules alone decide.
        cases: those that are checked; None: all.

    Raises:
        StopError: a limit of the run is reached.
    """
    cases = wording_cases() if cases is None else cases
    tasks = [_task(case) for case in cases]
    problems = [task.checker.check(case.wording) for task, case in zip(tasks, cases, strict=True)]
    if client is not None and client.has(CHECKER):
        places = [place for place, problem in enumerate(problems) if problem is None]
        checks = [
            Check.of(
                cases[place].wording,
                tasks[place].template,
                [other.text.rstrip("; ") for other in tasks[place].others],
                tasks[place].other_names,
                tasks[place].dialect,
            )
            for place in places
        ]
        for place, (_, problem) in zip(places, read_back(client, checks, lambda done: None), strict=True):
            problems[place] = problem
    return [
        Verdict(case.id, case.part, case.is_good, case.fault, f"{problem.reason} {problem.detail}" if problem else "")
        for case, problem in zip(cases, problems, strict=True)
    ]


def _task(case: WordingCase) -> WordingTask:
    schema = trial_schema(case.schema)
    template: SqlTemplate = parse_template(case.sql, schema.names, schema.dialect)
    meaning = read_meaning(template, schema, schema.vocabulary)
    return WordingTask.of(template, case.form, 1, schema, schema.vocabulary, meaning)
