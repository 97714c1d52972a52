"""Proves pairs from a release's files: that what was made to be the worse candidate is worse, as far as words can tell.

Each pair is held against its document and its question, and made again as far as these tell: see `prove_candidates` and
`prove_again`. Of candidates by a model the checks of the build are run again. Pairs of two runs are in `prove_runs`.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields

from benchwright.benchmarks.releases.pairs import WITHOUT_PREFERENCE
from benchwright.benchmarks.releases.proofs.base import Material, Proof
from benchwright.benchmarks.releases.rows import read_metadata, read_question
from benchwright.benchmarks.types import Question
from benchwright.builders.wikieval.material import Made, PairParts, Passage
from benchwright.builders.wikieval.models.asking import ROLE
from benchwright.builders.wikieval.proofs.prove_again import model_problems, rule_problems
from benchwright.builders.wikieval.proofs.prove_candidates import Asked, Provenance, Row, pair_problems, read_provenance
from benchwright.builders.wikieval.proofs.prove_counts import RowCounts
from benchwright.builders.wikieval.proofs.prove_pages import page_problems
from benchwright.builders.wikieval.proofs.prove_runs import check_run_pairs
from benchwright.builders.wikieval.rows import as_question, document_id

BY_MODEL = "candidates by a model"
AGAIN = "pairs that their documents give again"
NOT_AGAIN = "pairs by the rules of their builder"
_BY_MODEL = "what a model wrote is better or worse by its word and the checks of the build: let people label it"
LIMITS = (
    "that its documents are the texts that they name as their source",
    "that a swapped fact is false beyond its document",
    "that a sentence added to a context stands where the build found it, and does not answer in other words",
)


@dataclass(frozen=True, slots=True)
class _Build:
    """What a manifest says of the making of pairs."""

    seed: int | None
    is_known: bool
    """Whether this version of the builder made them."""
    models: frozenset[str]


def pairs_proof(version: str) -> Proof:
    """The proof that the builder registers, given its own version."""
    meaning = "of each pair the first context is its document, and by rule the worse candidate is worse"
    return Proof("pairs", meaning, 86, whole=lambda material: _check(material, version), limits=LIMITS)


def _check(material: Material, version: str) -> None:
    manifest, found = material.release.manifest, material.found
    if manifest.parameters.get("runs"):
        found.limits = [limit for limit in found.limits if limit not in LIMITS]
        check_run_pairs(material)
        return
    if WITHOUT_PREFERENCE in manifest.checks:
        found.counted.add(WITHOUT_PREFERENCE)
        text = f"checks.{WITHOUT_PREFERENCE} is of pairs of two runs, and these are made of passages"
        found.problem("count", text)
    models = frozenset(str(model.get("name")) for model in manifest.models if model.get("role") == ROLE)
    build = _Build(manifest.seed, manifest.builder_version == version, models)
    if not build.is_known:
        reason = f"version {manifest.builder_version} of the builder made them, and {version} is installed"
        found.leave(NOT_AGAIN, manifest.rows.get("pairs", 0), reason)
    passages = dict(_passages(material))
    counts = RowCounts()
    for split in material.splits("pairs"):
        asked = {row["id"]: read_question(row, {}) for row in material.rows("questions", split)}
        order: list[str] = []
        for row in material.rows("pairs", split):
            order.append(row["id"])
            question = asked.get(row["id"])
            _check_pair(material, build, row, question, passages, counts)
        for name in asked.keys() - {*order}:
            found.problem("pairs", f"question {name} has no pair")
        if {*order} == {*asked} and order != list(asked):
            found.problem("pairs", "pairs stand in another order than their questions")
    _check_whole(material, passages, counts, build)


def _check_pair(
    material: Material,
    build: _Build,
    row: Row,
    question: Question | None,
    passages: Mapping[str, Passage],
    counts: RowCounts,
) -> None:
    """Looks at one pair beside its question and its document."""
    found = material.found
    made, problem = read_provenance(row)
    if problem:
        found.problem("pairs", f"pair {row['id']}: {problem}")
        return
    counts.add(row, made, question)
    passage = passages.get(question.documents[0]) if question is not None and question.documents else None
    proved: Counter[str] = Counter()
    problems = list(pair_problems(row, made, _asked(question, passage), proved))
    problems += _maker_problems(made, build)
    if not problems and question is not None and passage is not None:
        problems += _question_problems(row, made, question, passage)
        if build.is_known:
            problems += _made_again(row, made, passage, build)
            proved[AGAIN] += 1
    for text in problems:
        found.problem("pairs", f"pair {row['id']}: {text}")
    if not problems:
        found.proved.update(proved)


def _asked(question: Question | None, passage: Passage | None) -> Asked | None:
    if question is None:
        return None
    text, source = (None, "") if passage is None else (passage.text, passage.source)
    return Asked(question.question, question.documents, text, source)


def _maker_problems(made: Provenance, build: _Build) -> Iterator[str]:
    """Where a pair is said to be by somebody else than the manifest says; rules may make what a model did not."""
    asker = made["question"]["how"]
    if made["answer"]["how"] != asker:
        yield f"its question is by {asker}, and its answer by {made['answer']['how']}"
    if asker == "rule" and build.models:
        yield f"its question is by rule, and the manifest says that {', '.join(sorted(build.models))} wrote it"
    for column, how in made.items():
        if how["how"] == "model" and how.get("model") not in build.models:
            yield f"{column} is by the model {how.get('model')!r}, which the manifest lacks"
        if how["how"] == "model" and asker == "rule":
            yield f"its question is by rule, and {column} by a model"


def _question_problems(row: Row, made: Provenance, question: Question, passage: Passage) -> Iterator[str]:
    """Where a question is not the one that a pair and its document give, ids among others."""
    if document_id(passage) != question.documents[0]:
        yield f"its document {question.documents[0]} has another id than what it says of itself gives"
    detail = {column: {key: value for key, value in made[column].items() if key != "how"} for column in _LEAST}
    asked, answer = (Made(row[column], made[column]["how"], detail[column]) for column in _LEAST)
    wanted = as_question(PairParts(passage, asked, answer))
    for one in fields(Question):
        if getattr(question, one.name) != getattr(wanted, one.name):
            yield f"by its pair the {one.name} of its question must be {getattr(wanted, one.name)!r:.120}"


_LEAST = ("question", "answer")


def _made_again(row: Row, made: Provenance, passage: Passage, build: _Build) -> Iterator[str]:
    again = model_problems if made["question"]["how"] == "model" else rule_problems
    if build.seed is not None:
        yield from again(row, made, passage, build.seed)


def _check_whole(material: Material, passages: Mapping[str, Passage], counts: RowCounts, build: _Build) -> None:
    """Looks at what pairs say together."""
    manifest, found = material.release.manifest, material.found
    if not counts.pairs:
        found.problem("pairs", "there are none")
    for text in counts.differences(manifest, found):
        found.problem("count", text)
    for name in passages.keys() - counts.documents:
        found.problem("pairs", f"the document {name} has no pair")
    if not manifest.parameters.get("documents"):
        for text in page_problems(passages.values(), str(manifest.parameters.get("since"))):
            found.problem("pairs", text)
    elif others := {each.source for each in passages.values()} - {str(each["uri"]) for each in manifest.sources}:
        found.problem("pairs", f"a document is of {min(others)!r}, which the manifest does not name as a source")
    if counts.by_model:
        found.leave(BY_MODEL, counts.by_model, _BY_MODEL)


def _passages(material: Material) -> Iterator[tuple[str, Passage]]:
    for row in material.rows("corpus", "corpus"):
        told = dict(read_metadata(row["metadata"]))
        yield row["_id"], Passage(row["title"] or "", row["text"] or "", str(told.pop("source", "")), metadata=told)
