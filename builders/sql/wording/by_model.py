"""Text templates by a model: for each SQL template and form some wordings, checked; asked for again where some fail."""

import copy
from collections.abc import Awaitable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.money.costs import Estimated
from benchwright.benchmarks.models.responses import Reply, ReplyError
from benchwright.builders.base import Progress
from benchwright.builders.sql.templates.proposals import REPEATED, ROUNDS, WRITER, RejectedProposal, ask_all, unusable
from benchwright.builders.sql.wording.checks import SURPLUS, limits
from benchwright.builders.sql.wording.round_trip import CHECKER, Check, read_back
from benchwright.builders.sql.wording.tasks import KIND_PROMPT, WordingTask
from benchwright.builders.sql.wording.text_checks import Problem

STEP = "text templates"
_TEMPERATURE = 0.8
_USUAL = "What is the first of the two names under which the one called so is known here?"
"""As long as wordings mostly are: read by a checker, in an estimate."""


@dataclass(frozen=True)
class Wordings:
    """The shape of a reply."""

    wordings: tuple[str, ...]


@dataclass(frozen=True)
class Rewritten:
    """A wording in another form."""

    number: int
    """Of its original, from 1."""
    wording: str


@dataclass(frozen=True)
class Rewritings:
    """The shape of a reply that puts wordings into another form."""

    rewritten: tuple[Rewritten, ...]


_Answer = Reply[Wordings] | Reply[Rewritings] | ReplyError


def write_wordings(
    client: Client, tasks: Sequence[WordingTask], progress: Progress
) -> tuple[dict[tuple[str, str], tuple[str, ...]], list[RejectedProposal]]:
    """Asks for the wordings of all tasks, up to three times for what is missing.

    Args:
        client: asks the model of the role `writer`.
        tasks: templates and forms, each once.
        progress: told how many replies there are.

    Returns:
        Template's id and form → the wordings that passed, as many as were wanted or fewer; and what was rejected.

    Raises:
        StopError: nothing that follows would go better; the replies that came are kept.
        Estimated: nothing is to be asked.
    """
    rejected: dict[int, list[RejectedProposal]] = {number: [] for number in range(len(tasks))}
    for number in range(1, ROUNDS + 1):
        again = [(place, task) for place, task in enumerate(tasks) if task.checker.missing]

        def ask(
            item: tuple[int, WordingTask], number: int = number
        ) -> Awaitable[Reply[Wordings]] | Awaitable[Reply[Rewritings]]:
            return _ask(client, item[1], rejected[item[0]], number)

        what = "wordings" if number == 1 else f"wordings, round {number}"
        total = len(again)
        proposed: dict[int, list[str]] = {}
        replies: list[tuple[tuple[int, WordingTask], _Answer]] = []
        try:
            ask_all(client, again, ask, lambda done, what=what, total=total: progress(what, done, total), replies)
        except Estimated:
            for (place, task), reply in replies:
                if isinstance(reply, Reply):
                    proposed[place], _ = _take(task, reply, number)
            with suppress(Estimated):
                _prove(client, tasks, proposed, number, progress)
            _estimate_reading(client, [task for place, task in again if place not in proposed])
            raise
        for (place, task), reply in replies:
            proposed[place], bad = _take(task, reply, number)
            rejected[place] += bad
        for place, bad in _prove(client, tasks, proposed, number, progress).items():
            rejected[place] += bad
    found = {(task.template.id, task.form.name): tuple(task.checker.kept) for task in tasks}
    return found, [item for part in rejected.values() for item in part]


def _ask(
    client: Client, task: WordingTask, rejected: Sequence[RejectedProposal], number: int
) -> Awaitable[Reply[Wordings]] | Awaitable[Reply[Rewritings]]:
    least, most = limits(task.template, task.form.checked_as)
    texts = [item.text for item in task.template.placeholders]
    if task.originals:
        there = task.counterparts
        messages = client.prompt(task.prompt).fill(
            sql=task.asked.text,
            form=task.form.name,
            instruction=task.form.instructed(", ".join(texts), task.checker.missing, least, most),
            originals=[(place + 1, text) for place, text in enumerate(task.originals) if place not in there],
            names=task.names,
            placeholders=texts,
            kept=task.checker.kept,
            rejected=told(rejected),
        )
        return client.chat(WRITER, messages, step=STEP, reply=Rewritings, repeat=number - 1, temperature=_TEMPERATURE)
    messages = client.prompt(task.prompt).fill(
        **({"kind": task.template.kind} if task.prompt == KIND_PROMPT else {}),
        sql=task.asked.text,
        form=task.form.name,
        like=task.form.base,
        instruction=task.form.instructed(", ".join(texts), task.checker.missing, least, most),
        count=task.checker.missing,
        names=task.names,
        placeholders=texts,
        least=least,
        most=most,
        kept=task.checker.kept,
        rejected=told(rejected),
    )
    return client.chat(WRITER, messages, step=STEP, reply=Wordings, repeat=number - 1, temperature=_TEMPERATURE)


def told(rejected: Sequence[RejectedProposal]) -> list[dict[str, str]]:
    """What the writer is told of wordings that are not used: each once, with why, and what to do about it."""
    advice = read_toml(__package__, "advice.toml")
    last = {item.text: item for item in rejected if item.is_proposal and item.reason != SURPLUS}
    return [
        {"text": item.text, "why": f"{item.why}: {advice[item.reason]}" if item.reason in advice else item.why}
        for item in list(last.values())[-REPEATED:]
    ]


def _take(task: WordingTask, reply: _Answer, number: int) -> tuple[list[str], list[RejectedProposal]]:
    """The wordings of a reply that rules find nothing wrong with, and the others."""
    about, form = task.template.text, task.form.name
    if isinstance(reply, ReplyError):
        return [], [unusable("text", about, form, number, reply)]
    trial = copy.deepcopy(task.checker)
    good: list[str] = []
    rejected = []
    taken = set(task.counterparts)
    for place, text in _proposed(reply):
        problem = None if place is None else _of_original(task, place, text, taken)
        problem = problem or trial.add(text)
        if problem:
            rejected.append(RejectedProposal("text", about, form, number, text, problem.reason, problem.detail))
            continue
        good.append(text)
        if place is not None:
            taken.add(place)
            task.places[" ".join(text.split())] = place
    return good, rejected


def _proposed(reply: Reply[Wordings] | Reply[Rewritings]) -> list[tuple[int | None, str]]:
    """What a reply proposes, each with the place of its original where there is one."""
    if isinstance(reply.value, Wordings):
        return [(None, text) for text in reply.value.wordings]
    return [(item.number - 1, item.wording) for item in reply.value.rewritten]


def _of_original(task: WordingTask, place: int, text: str, taken: Collection[int]) -> Problem | None:
    """Why a wording cannot be the counterpart of an original."""
    if not 0 <= place < len(task.originals):
        return Problem("is of no original", f"there is no original {place + 1}")
    if place in taken:
        return Problem(SURPLUS, f"original {place + 1} has one")
    said = " ".join(text.split()).lower()
    if any(said == original.lower() for original in task.originals):
        return Problem("is an original, word for word")
    return None


def _prove(
    client: Client,
    tasks: Sequence[WordingTask],
    proposed: Mapping[int, Sequence[str]],
    number: int,
    progress: Progress,
) -> dict[int, list[RejectedProposal]]:
    """Keeps the wordings that the checker reads as their SQL templates, or all where there is no checker."""
    if not client.has(CHECKER):
        for place, texts in proposed.items():
            for text in texts:
                tasks[place].checker.keep(text)
        return {}
    asked = [
        (
            place,
            text,
            Check.of(
                " ".join(text.split()),
                tasks[place].asked,
                _texts(tasks[place]),
                tasks[place].other_names,
                tasks[place].dialect,
                tasks[place].check_prompt,
            ),
        )
        for place, texts in proposed.items()
        for text in texts
    ]
    total = len(asked)
    read = read_back(client, [check for _, _, check in asked], lambda done: progress("wordings read", done, total))
    rejected: dict[int, list[RejectedProposal]] = {}
    for (place, text, _), (_, problem) in zip(asked, read, strict=True):
        task = tasks[place]
        task.checker.read.add(text)
        if problem is None:
            task.checker.keep(text)
        else:
            about = RejectedProposal(
                "text", task.template.text, task.form.name, number, text, problem.reason, problem.detail
            )
            rejected.setdefault(place, []).append(about)
    return rejected


def _estimate_reading(client: Client, tasks: Sequence[WordingTask]) -> None:
    """Counts what the checker would be asked about wordings that are not there yet: of each task what it lacks."""
    if not client.has(CHECKER):
        return
    client.imagine()
    checks = [
        Check.of(
            f"{_USUAL} ({task.form.name if task.originals else ''}{place} {number})",
            task.asked,
            _texts(task),
            task.other_names,
            task.dialect,
            task.check_prompt,
        )
        for place, task in enumerate(tasks)
        for number in range(task.checker.missing)
    ]
    with suppress(Estimated):
        read_back(client, checks, lambda done: None)


def _texts(task: WordingTask) -> list[str]:
    return [other.text.rstrip("; ") for other in task.others]
