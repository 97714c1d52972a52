"""Proves pairs from a release's files: that what was made to be the worse candidate is worse, as far as words can tell.

By rule, the answer's facts stand in the source and those that were put in their place do not, what was left out is not
in the incomplete answer, and the wider context is the first one with sentences that state nothing that is asked for. Of
candidates by a model only the contexts, the source and the ids are proved.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchwright.benchmarks.grounding.evidence import plain, states
from benchwright.benchmarks.releases.pairs import WITHOUT_PREFERENCE
from benchwright.benchmarks.releases.proofs.base import Material, Proof
from benchwright.benchmarks.releases.rows import read_metadata

GROUNDED = "answers whose facts their source states"
SWAPPED = "ungrounded answers whose facts their source does not state"
INCOMPLETE = "incomplete answers that leave a fact out"
WIDENED = "second contexts that are the first one with other sentences"
SOURCE = "pairs whose first context is their document"
BY_MODEL = "candidates by a model"
OF_RUNS = "pairs of two runs"
_BY_MODEL = "what a model wrote is better or worse by its word and the checks of the build: let people label it"
_OF_RUNS = "neither of two systems was made to be the better one: let people label them"
_HOW = ("rule", "model")
_CANDIDATES = ("question", "answer", "ungrounded_answer", "poor_answer", "context_v2")
_LEAST = ("question", "answer")
"""What a pair has at least."""
PROVENANCE = "provenance"

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Asked:
    """What `questions` and the corpus say of the question of a pair."""

    question: str
    documents: tuple[str, ...]
    text: str | None
    """Of its document; None where the release has no such document."""
    source: str


def check(material: Material) -> None:
    """Looks at each pair beside its question and its document."""
    found = material.found
    if claimed := material.release.manifest.checks.get(WITHOUT_PREFERENCE):
        found.counted.add(WITHOUT_PREFERENCE)
        count = sum(1 for split in material.splits("pairs") for _ in material.rows("pairs", split, ["id"]))
        if count != claimed:
            found.problem("count", f"checks.{WITHOUT_PREFERENCE} is {claimed!r:.80}, and counted it is {count:,}")
        found.leave(OF_RUNS, count, _OF_RUNS)
        return
    by_model: Counter[str] = Counter()
    sources = {row["_id"]: read_metadata(row["metadata"]).get("source") for row in _documents(material)}
    models = {str(model.get("name")) for model in material.release.manifest.models}
    for split in material.splits("pairs"):
        asked = {row["id"]: _asked(material, row, sources) for row in material.rows("questions", split)}
        for row in material.rows("pairs", split):
            pair = row["id"]
            made, problem = read_provenance(row)
            if problem:
                found.problem("pairs", f"pair {pair}: {problem}")
                continue
            proved: Counter[str] = Counter()
            problems = list(pair_problems(row, made, asked.pop(pair, None), proved))
            for column, how in made.items():
                if how["how"] == "model":
                    by_model[column] += 1
                    if how.get("model") not in models:
                        problems.append(f"{column} is by the model {how.get('model')!r}, which the manifest lacks")
            for text in problems:
                found.problem("pairs", f"pair {pair}: {text}")
            if not problems:
                found.proved.update(proved)
        for name in asked:
            found.problem("pairs", f"question {name} has no pair")
    if by_model:
        found.leave(BY_MODEL, by_model.total(), _BY_MODEL)


def read_provenance(row: Row) -> tuple[Mapping[str, Mapping[str, Any]], str]:
    """Column → how it was made, of a row of `pairs`; and what is wrong with it, nothing where it is right."""
    try:
        made = json.loads(row.get(PROVENANCE) or "")
    except ValueError:
        return {}, "its provenance is no JSON"
    if not isinstance(made, dict) or not all(isinstance(each, dict) for each in made.values()):
        return {}, "its provenance is no table of columns"
    for column in _CANDIDATES:
        value = row[column]
        there = bool("".join(value or ()).strip())
        if there != (column in made):
            return {}, f"{column} is {'there' if there else 'empty'}, and its provenance says otherwise"
        if not there and column in _LEAST:
            return {}, f"it has no {column}"
    for column, how in made.items():
        if column not in _CANDIDATES:
            return {}, f"its provenance tells of {column!r}, which pairs do not have"
        if how.get("how") not in _HOW:
            return {}, f"how {column} was made is {how.get('how')!r}, and not one of {', '.join(_HOW)}"
    return made, ""


def pair_problems(
    row: Row, made: Mapping[str, Mapping[str, Any]], asked: Asked | None, proved: Counter[str]
) -> Iterator[str]:
    """What is wrong with a pair.

    Args:
        row: of `pairs`.
        made: its provenance.
        asked: its question; None where the release has none.
        proved: counts what was found right.
    """
    yield from _source_problems(row, asked)
    proved[SOURCE] += 1
    source = plain(" ".join(row["context_v1"] or ()))
    values, problem = _facts(made)
    if problem:
        yield problem
        return
    if values:
        yield from _answer_problems(row, source, values)
        proved[GROUNDED] += 1
    if _is_by_rule(made, "ungrounded_answer"):
        yield from _swap_problems(row, source, list(values.values()), made["ungrounded_answer"].get("swapped"))
        proved[SWAPPED] += 1
    if _is_by_rule(made, "poor_answer"):
        yield from _left_out_problems(row, values, made["poor_answer"])
        proved[INCOMPLETE] += 1
    if "context_v2" in made:
        yield from _context_problems(row, source, list(values.values()), made["context_v2"].get("added"))
        proved[WIDENED] += 1


def _source_problems(row: Row, asked: Asked | None) -> Iterator[str]:
    if asked is None:
        yield "there is no question with its id"
        return
    if asked.question != row["question"]:
        yield "its question is not the one that questions have"
    if len(asked.documents) != 1:
        yield f"its question has {len(asked.documents)} documents, and not one"
    elif asked.text is None:
        yield f"its document {asked.documents[0]} is not in the corpus"
    else:
        if list(row["context_v1"] or ()) != [asked.text]:
            yield "context_v1 is not the text of its document"
        if row["source"] != asked.source:
            yield f"its source is {row['source']!r}, and its document's is {asked.source!r}"


def _facts(made: Mapping[str, Mapping[str, Any]]) -> tuple[dict[str, str], str]:
    """What asks for each fact → its value; and what is wrong. An answer by a model has no facts."""
    if not _is_by_rule(made, "answer"):
        return {}, ""
    facts = made["answer"].get("facts")
    if not _are_rows(facts, ("question", "value")) or not facts:
        return {}, "its provenance does not tell the facts of its answer"
    if _is_by_rule(made, "question") and made["question"].get("facts") != facts:
        return {}, "its question and its answer are said to be of other facts"
    return {fact["question"]: fact["value"] for fact in facts}, ""


def _answer_problems(row: Row, source: str, values: Mapping[str, str]) -> Iterator[str]:
    for value in values.values():
        if not states([plain(row["answer"])], [value]):
            yield f"its answer does not state {value!r}"
        if not states([source], [value]):
            yield f"its source does not state {value!r}"


def _swap_problems(row: Row, source: str, values: Sequence[str], swapped: Any) -> Iterator[str]:
    is_told = _are_rows(swapped, ("from", "to")) and bool(swapped)
    if not is_told or (values and [each["from"] for each in swapped] != values):  # a model's answer tells no values
        yield "what is swapped is not what its answer states"
        return
    for each in swapped:
        if states([source], [each["to"]]):
            yield f"its source states {each['to']!r}, which stands in the ungrounded answer for {each['from']!r}"
    if row["ungrounded_answer"] not in _swaps(row["answer"], [(each["from"], each["to"]) for each in swapped]):
        yield "the ungrounded answer is not the answer with its facts swapped"


def _swaps(answer: str, pairs: Sequence[tuple[str, str]]) -> set[str]:
    """An answer with each value swapped at one of the places where it stands, for each way to do so."""
    marks = {f"\0{number}\0": to for number, (_, to) in enumerate(pairs)}
    found = {answer}
    for mark, (value, _) in zip(marks, pairs, strict=True):
        found = {
            text[: match.start()] + mark + text[match.end() :]
            for text in found
            for match in re.finditer(re.escape(value), text)
        }
    for mark, to in marks.items():
        found = {text.replace(mark, to) for text in found}
    return found - {answer}


def _left_out_problems(row: Row, values: Mapping[str, str], detail: Mapping[str, Any]) -> Iterator[str]:
    left, kept = detail.get("left_out"), detail.get("kept")
    if not values:  # the answer is a model's
        if not isinstance(left, str) or not states([plain(row["answer"])], [left]):
            yield "what its incomplete answer is said to leave out is not in its answer"
        elif states([plain(row["poor_answer"])], [left]):
            yield f"its incomplete answer states {left!r}, which it is said to leave out"
        return
    if not isinstance(left, list) or not isinstance(kept, list) or not left or {*left, *kept} != {*values}:
        yield "what its incomplete answer leaves out and keeps is not what is asked"
        return
    said = [plain(row["poor_answer"])]
    for question in left:
        if states(said, [values[question]]):
            yield f"its incomplete answer states {values[question]!r}, which it is said to leave out"
    for question in kept:
        if question in left or not states(said, [values[question]]):
            yield f"its incomplete answer does not state {values[question]!r}, which it is said to keep"


def _context_problems(row: Row, source: str, values: Sequence[str], added: Any) -> Iterator[str]:
    texts = list(row["context_v2"])
    if not isinstance(added, list) or not added:
        yield "what was added to context_v2 is not told"
        return
    if all(type(place) is int and 0 <= place < len(texts) for place in added) and len({*added}) == len(added):
        new = [texts[place] for place in added]
        rest = plain(" ".join(text for place, text in enumerate(texts) if place not in set(added)))
    elif all(isinstance(text, str) for text in added):
        new, rest = added, f" {plain(' '.join(texts))} "
        for text in new:
            before, there, after = rest.partition(f" {plain(text)} ")
            rest = f"{before} {after}" if there else ""
        rest = rest.strip()
    else:
        yield "what was added to context_v2 is not in it"
        return
    if rest != source:
        yield "context_v2 without what was added is not context_v1"
    for text in new:
        if not plain(text) or plain(text) in source:
            yield f"{text!r:.80} was added to context_v2, and context_v1 has it"
        elif value := next((value for value in values if states([plain(text)], [value])), None):
            yield f"{text!r:.80} was added to context_v2, and states {value!r}"


def _is_by_rule(made: Mapping[str, Mapping[str, Any]], column: str) -> bool:
    return column in made and made[column]["how"] == "rule"


def _are_rows(value: Any, keys: Sequence[str]) -> bool:
    return isinstance(value, list) and all(
        isinstance(each, dict) and all(isinstance(each.get(key), str) and each[key] for key in keys) for each in value
    )


def _documents(material: Material) -> Iterator[Row]:
    for split in material.splits("corpus"):
        yield from material.rows("corpus", split, ["_id", "metadata"])


def _asked(material: Material, row: Row, sources: Mapping[str, Any]) -> Asked:
    documents = tuple(row["documents"] or ())
    first = documents[0] if documents else ""
    text = material.texts[first].text if first in material.texts else None
    return Asked(row["question"], documents, text, str(sources.get(first)))


PROOF = Proof(
    "pairs",
    "of each pair the first context is its document, and by rule the worse candidate is worse",
    86,
    whole=check,
    limits=[
        "that the answer's words answer the question that is asked of them",
        "that a swapped fact is false beyond its source",
        "that a sentence added to a context does not answer in other words",
    ],
)
