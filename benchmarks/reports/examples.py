"""The texts that a report shows: questions, answers, gold, contexts and evidence of few questions, cut to a length."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa

from benchwright.benchmarks.arrow import compute as pc
from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.metrics.evidence_recall import holds
from benchwright.benchmarks.predictions import Context, prediction_from
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.columns import RunData
from benchwright.benchmarks.reports.groups import Group
from benchwright.benchmarks.reports.prediction_facts import PredictionFacts
from benchwright.benchmarks.runs.run import PREDICTIONS
from benchwright.benchmarks.schemas import DEFAULT_CONFIG
from benchwright.benchmarks.types import Evidence

QUESTIONS_SHOWN = 4
CONTEXTS_SHOWN = 3
EVIDENCE_SHOWN = 3
AROUND = 90
"""Characters of a document that are shown before and after evidence."""
ANSWER_LENGTH = 600
CONTEXT_LENGTH = 700
_COLUMNS = ["id", "question", "answers", "form", "evidence"]


def cut(text: str, limit: int) -> str:
    """A text of at most so many characters, with a note of how many were left out."""
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text) - limit:,} more characters)"


def members_shown(group: Group, limit: int = QUESTIONS_SHOWN) -> list[int]:
    """The questions of a group that are shown, spread over it: of a non-robust group wrong ones and right ones."""
    wrong, right = (
        [place for place, outcome in zip(group.members, group.outcomes, strict=True) if outcome == wanted]
        for wanted in (False, True)
    )
    kept_right = min(len(right), max(limit // 2, limit - len(wrong)))
    return _spread(wrong, limit - kept_right) + _spread(right, kept_right)


def _spread(places: Sequence[int], limit: int) -> list[int]:
    """So many of the places, evenly spaced."""
    count = min(limit, len(places))
    return [places[number * len(places) // count] for number in range(count)]


def question_rows(run: RunData, places: Iterable[int]) -> dict[int, dict[str, Any]]:
    """The release's rows of questions, by their place in the run."""
    wanted = pa.array([run.questions.ids[place] for place in places], pa.string())
    found: dict[int, dict[str, Any]] = {}
    for split in run.release.manifest.splits.get(DEFAULT_CONFIG, {}) if len(wanted) else ():
        for batch in run.release.batches(DEFAULT_CONFIG, split, _COLUMNS):
            for row in batch.filter(pc.is_in(batch.column("id"), value_set=wanted)).to_pylist():
                found[run.questions.index[row["id"]]] = row
    return found


def evidence_texts(release: Release, rows: Iterable[dict[str, Any]]) -> dict[Evidence, tuple[str, str, str]]:
    """Of each evidence of the rows that the corpus holds: what stands before it, its text, what stands after it."""
    wanted: dict[str, set[Evidence]] = {}
    for row in rows:
        for item in evidence_of(row):
            wanted.setdefault(item.document, set()).add(item)
    found: dict[Evidence, tuple[str, str, str]] = {}
    ids = pa.array(sorted(wanted), pa.string())
    for split in release.manifest.splits.get("corpus", {}) if wanted else ():
        for batch in release.batches("corpus", split, ["_id", "text"]):
            for row in batch.filter(pc.is_in(batch.column("_id"), value_set=ids)).to_pylist():
                found |= {item: _around(row["text"] or "", item) for item in wanted[row["_id"]]}
    return found


def _around(text: str, item: Evidence) -> tuple[str, str, str]:
    start, end = max(0, item.start - AROUND), item.end + AROUND
    before, after = text[start : item.start], text[item.end : end]
    return ("…" if start else "") + before, text[item.start : item.end], after + ("…" if end < len(text) else "")


def evidence_of(row: dict[str, Any]) -> list[Evidence]:
    """The evidence of a row of `questions`."""
    return [Evidence(item["document"], item["start"], item["end"], item["fact"] or 0) for item in row["evidence"] or ()]


def _shown_prediction(
    run: RunData, facts: PredictionFacts, place: int, evidence: dict[Evidence, str]
) -> dict[str, Any]:
    """Answer and contexts of a question, cut; each context with whether it holds any evidence, None where unknown."""
    offset = facts.offsets.get(place)
    if offset is None:
        return {"answer": None, "error": "no prediction", "contexts": [], "more_contexts": 0}
    with (run.folder / PREDICTIONS).open("rb") as file:
        file.seek(offset)
        line = file.readline()
    try:
        prediction = prediction_from(json.loads(line), PREDICTIONS)
    except BenchwrightError as error:
        return {"answer": None, "error": cut(str(error), 300), "contexts": [], "more_contexts": 0}
    contexts = prediction.contexts
    return {
        "answer": None if prediction.answer is None else cut(prediction.answer, ANSWER_LENGTH),
        "error": None if prediction.error is None else cut(prediction.error, 300),
        "contexts": [_shown_context(context, evidence) for context in contexts[:CONTEXTS_SHOWN]],
        "more_contexts": max(0, len(contexts) - CONTEXTS_SHOWN),
        "evidence_in_more": any(
            holds(context, *item) for context in contexts[CONTEXTS_SHOWN:] for item in evidence.items()
        ),
    }


def _shown_context(context: Context, evidence: dict[Evidence, str]) -> dict[str, Any]:
    return {
        "id": None if context.id is None else cut(context.id, 120),
        "text": None if context.text is None else cut(context.text, CONTEXT_LENGTH),
        "holds_evidence": any(holds(context, item, text) for item, text in evidence.items()) if evidence else None,
    }


def worst_section(
    run: RunData, facts: PredictionFacts, groups: Sequence[Group], outcomes: Mapping[int, str]
) -> list[dict[str, Any]]:
    """The worst groups with questions, answers, gold, evidence and contexts; `outcomes` is by question."""
    shown = {group.code: members_shown(group) for group in groups}
    rows = question_rows(run, [place for places in shown.values() for place in places])
    texts = evidence_texts(run.release, rows.values())
    reasons = _reasons(run)
    found = []
    for group in groups:
        places = [place for place in shown[group.code] if place in rows]
        found.append(
            {
                "group": _name(run, group),
                "tag": group.tag,
                "correct": sum(group.outcomes),
                "total": len(group.outcomes),
                "template": _value(run, "template", group.members[0]),
                "hops": _value(run, "hops", group.members[0]),
                "kind": _value(run, "kind", group.members[0]),
                "gold": [cut(text, 200) for text in rows[places[0]]["answers"] or ()] if places else [],
                "evidence": _evidence(rows[places[0]], texts) if places else [],
                "questions": [
                    {
                        "id": run.questions.ids[place],
                        "question": cut(rows[place]["question"] or "", ANSWER_LENGTH),
                        "form": rows[place]["form"],
                        "outcome": outcomes[place],
                        "reason": reasons.get(place),
                    }
                    | _shown_prediction(run, facts, place, _texts_of(rows[place], texts))
                    for place in places
                ],
                "more_questions": len(group.members) - len(places),
            }
        )
    return found


def _texts_of(row: dict[str, Any], texts: dict[Evidence, tuple[str, str, str]]) -> dict[Evidence, str]:
    return {item: texts[item][1] for item in evidence_of(row) if item in texts}


def _evidence(row: dict[str, Any], texts: dict[Evidence, tuple[str, str, str]]) -> list[dict[str, Any]]:
    """Of each fact the first evidence."""
    first: dict[int, Evidence] = {}
    for item in evidence_of(row):
        first.setdefault(item.fact, item)
    return [_shown_evidence(item, texts.get(item)) for _, item in sorted(first.items())[:EVIDENCE_SHOWN]]


def _shown_evidence(item: Evidence, texts: tuple[str, str, str] | None) -> dict[str, Any]:
    before, text, after = texts or (None, None, None)
    shown = None if text is None else cut(text, 400)
    return {"document": item.document, "fact": item.fact, "before": before, "text": shown, "after": after}


def _name(run: RunData, group: Group) -> str:
    names = run.questions.columns["group"].names
    return names[group.code] if group.code < len(names) else run.questions.ids[group.members[0]]


def _value(run: RunData, name: str, place: int) -> str | None:
    column = run.questions.columns[name]
    return column.names[column.codes[place]] if column.codes[place] >= 0 else None


def _reasons(run: RunData) -> dict[int, str]:
    """Question → the reason that `correct` gave for its first answer."""
    scores = run.scores
    rows = scores.rows("correct", run.condition)
    rows = rows[scores.reason.codes[rows] >= 0]
    found: dict[int, str] = {}
    for row in rows:
        found.setdefault(int(scores.question[row]), cut(scores.reason.names[scores.reason.codes[row]], 300))
    return found


def add_texts(run: RunData, facts: PredictionFacts, rows: list[dict[str, Any]], guesses: list[dict[str, Any]]) -> None:
    """Gives the rows of the picture an example of their wording, and lucky guesses their texts, in place."""
    found = question_rows(run, [*(row["question"] for row in rows), *(guess["question"] for guess in guesses)])
    for row in rows:
        place = row.pop("question")
        row["example"] = cut(found[place]["question"] or "", 200) if place in found else None
    for guess in guesses:
        place = guess["question"]
        row = found.get(place, {"question": "", "answers": [], "form": None})
        guess |= {
            "id": run.questions.ids[place],
            "question": cut(row["question"] or "", ANSWER_LENGTH),
            "form": row["form"],
            "gold": [cut(text, 200) for text in row["answers"] or ()],
            "answer": _shown_prediction(run, facts, place, {})["answer"],
        }
