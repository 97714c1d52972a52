"""The questions of a build with the places where pages state what they need, and the counts of the manifest."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.execution import difference
from benchwright.benchmarks.releases.writer import ReleaseWriter
from benchwright.benchmarks.schemas import EVIDENCE, json_text
from benchwright.benchmarks.types import NO_ANSWER
from benchwright.builders.base import BuildRequest
from benchwright.builders.spider.absent import Silence
from benchwright.builders.spider.asking import Asked, Part
from benchwright.builders.spider.facts import Need
from benchwright.builders.spider.make_pages import Pages
from benchwright.builders.spider.reading import LONGEST, SHORTEST, words_in
from benchwright.builders.sql.filling.questions import WordedTemplate, group_ids, question_rows
from benchwright.builders.sql.vocabulary import Vocabulary

_EXECUTED_AGAIN = 3
"""Queries of each template that are executed once more on their own."""


@dataclass
class Written:
    """What became of groups."""

    used: dict[str, WordedTemplate] = field(default_factory=dict)
    """Template's id → the templates that gave questions."""
    groups: Counter[str] = field(default_factory=Counter)
    """Template's id → its semantic groups."""
    gaps: int = 0
    """Groups of which no page states all that the answer needs."""
    not_silent: Counter[str] = field(default_factory=Counter)
    """Why questions without an answer are not asked → groups."""
    executed: Counter[str] = field(default_factory=Counter)
    """Template's id → queries that were executed once more."""


def write_questions(
    name: str, request: BuildRequest, writer: ReleaseWriter, asked: Asked, made: Pages, vocabulary: Vocabulary
) -> Written:
    """Writes all questions. A known gap is one that needs a fact which no page states.

    Args:
        name: of the builder, which ids are made from.
        request: is told how many questions there are.
        writer: takes them.
        asked: what is asked.
        made: the pages.
        vocabulary: what columns are called.
    """
    found = Written()
    silence = Silence(made.pages, made.spans, made.strangers, vocabulary)
    done = 0
    for part in asked.parts:
        places, own = _without_answer(part, silence, found) if part.absences else _answerable(part, made, found)
        if not places:
            continue
        worded, fillings = part.worded, part.fillings.take(places)
        rows = question_rows(worded, fillings, group_ids(name, worded.sql, fillings), own)
        while found.executed[worded.sql.id] < min(_EXECUTED_AGAIN, len(fillings)):
            _execute_again(asked, worded, rows, found.executed[worded.sql.id] * len(worded.wordings))
            found.executed[worded.sql.id] += 1
        found.used[worded.sql.id] = worded
        found.groups[worded.sql.id] += len(fillings)
        writer.questions(rows)
        done += rows.num_rows
        request.progress("questions", done, 0)
    return found


def _answerable(part: Part, made: Pages, found: Written) -> tuple[list[int], dict[str, pa.Array]]:
    """All fillings of a part, with documents and evidence of those whose every fact pages state."""
    chosen = [_stated(needs, made) for needs in part.needs]
    found.gaps += chosen.count(None)
    evidence = [[] if needs is None else _evidence(needs, made) for needs in chosen]
    documents = [list(dict.fromkeys(item["document"] for item in items)) for items in evidence]
    own = {
        "answerability": pa.array(["gap" if needs is None else "answerable" for needs in chosen]),
        "documents": pa.array(documents, pa.list_(pa.string())),
        "evidence": pa.array(evidence, pa.list_(EVIDENCE)),
    }
    return list(range(len(chosen))), own


def _without_answer(part: Part, silence: Silence, found: Written) -> tuple[list[int], dict[str, pa.Array]]:
    problems = [silence.problem(absence) for absence in part.absences]
    found.not_silent.update(problem for problem in problems if problem)
    places = [place for place, problem in enumerate(problems) if not problem]
    sorts = [part.fillings.sorts[place] for place in places]
    own = {
        "answerability": pa.array(["unanswerable"] * len(places)),
        "metadata": pa.array([json_text({NO_ANSWER: sort}) for sort in sorts], pa.string()),
    }
    return places, own


def _stated(ways: Sequence[tuple[Need, ...]], made: Pages) -> tuple[Need, ...] | None:
    """The first way to an answer of which pages state every fact."""
    return next((needs for needs in ways if all(key in made.spans for key, _ in needs)), None)


def _evidence(needs: Sequence[Need], made: Pages) -> list[dict[str, Any]]:
    return [
        {"document": document, "start": start, "end": end, "fact": number}
        for number, (key, _) in enumerate(needs)
        for document, start, end in made.spans[key]
    ]


def _execute_again(asked: Asked, worded: WordedTemplate, rows: Any, number: int) -> None:
    sql, answers = rows.column("sql")[number].as_py(), rows.column("answers")[number].as_py()
    wrong = difference(asked.filler.database, sql, answers, asked.filler.holds_booleans(worded.sql))
    if wrong:
        raise BenchwrightError(f"a query gives another answer when it is executed on its own ({wrong}): {sql[:300]}")


def checks_of(asked: Asked, made: Pages, written: Written, forms: Sequence[str]) -> dict[str, Any]:
    """The counts of a build, for its manifest."""
    used, groups = written.used.values(), written.groups
    filled = [asked.filler.counts[worded.sql.id] for worded in asked.prepared.worded]
    per_form = {form: {w.sql.id: sum(1 for f, _ in w.wordings if f == form) for w in used} for form in forms}
    words = [words_in(text) for _, text in made.pages.values()]
    others = {
        "too few rows": sum(item.few for item in filled),
        "too few or too many for a list": sum(item.unlisted for item in filled),
        "no other value to ask about": sum(item.undenied for item in filled),
        **asked.unasked,
        **written.not_silent,
    }
    return {
        "sql_templates": len(used),
        "text_templates": {form: sum(sizes.values()) for form, sizes in per_form.items()},
        "sql_queries": groups.total(),
        "text_queries": {
            form: sum(groups[key] * size for key, size in sizes.items()) for form, sizes in per_form.items()
        },
        "one_answer_per_filling": groups.total(),
        "executed_again": written.executed.total(),
        "text_templates_by_rule": asked.prepared.count_by_rule(list(used)),
        "text_templates_by_model": asked.prepared.count_by_model(list(used)),
        "sql_templates_by_model": 0,
        "fillings_left_out": {
            "answer is NULL or blank": sum(item.null for item in filled),
            "several answers": sum(item.several for item in filled),
            "several rows bear the name": sum(item.shared for item in filled),
            "blank value": sum(item.blank for item in filled),
            "no text can show it": sum(item.unshown for item in filled),
            "no result": sum(item.empty for item in filled),
            **{reason: count for reason, count in others.items() if count},
        },
        "sql_templates_left_out": {
            **asked.prepared.left_out,
            "no filling has one answer": len(asked.prepared.worded) - len(used) - asked.undrawn,
            "no group was drawn": asked.undrawn,
        },
        **_kinds(asked, written),
        **({"known_gaps": written.gaps} if written.gaps else {}),
        "pages_checked": {
            "pages": len(made.pages),
            "facts": sum(len(profile.facts) for profile, _ in made.pages.values()),
            "words": sum(words),
            f"pages of {SHORTEST} to {LONGEST} words": sum(SHORTEST <= count <= LONGEST for count in words),
        },
        "pages_left_out": dict(sorted(made.left_out.items())),
        "values_not_told": dict(sorted(made.untold.items())),
        **asked.prepared.checks_of_texts,
    }


def _kinds(asked: Asked, written: Written) -> dict[str, Any]:
    """Groups of each kind, and the kinds that give none; nothing where lookups alone are asked."""
    groups: Counter[str] = Counter()
    for key, worded in written.used.items():
        groups[worded.kind] += written.groups[key]
    without = {kind: 1 for kind in asked.kinds if not groups[kind]}
    found = {"groups_per_kind": dict(groups)} if any(one.sql.declared for one in written.used.values()) else {}
    return {**found, **({"kinds_left_out": without} if without else {})}
