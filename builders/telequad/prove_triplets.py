"""Proves triplets: the positive answers its question, no negative does, and all are texts of the split's documents."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from benchwright.benchmarks.grounding.evidence import plain, states
from benchwright.benchmarks.releases.proofs.base import Material, Proof
from benchwright.benchmarks.releases.rows import read_metadata, read_question
from benchwright.benchmarks.schemas import TRIPLETS
from benchwright.benchmarks.text.remembering import remembers
from benchwright.benchmarks.types import Question
from benchwright.builders.telequad.triplets.contains import Said
from benchwright.builders.telequad.triplets.mine import LEFT_OUT, NEGATIVES
from benchwright.builders.telequad.triplets.passages import SORTS, Passage, passage_of, sort_of
from benchwright.builders.telequad.triplets.sought import statements_of

ROWS = "triplets: the positive states the answer, no negative does, and all are texts of the corpus"
COUNTS = "counts of triplets"
_NO_TEXTS = (
    "texts of documents are not here: join the release with them, build-benchmark --from RELEASE --documents DIR"
)


def check(material: Material) -> None:
    """Looks at each row of the config `triplets`, and counts them again."""
    splits = material.splits(TRIPLETS.name)
    if not splits:
        return
    if any(each.text is None for each in material.texts.values()):
        found = sum(1 for split in splits for _ in material.rows(TRIPLETS.name, split))
        material.found.leave(ROWS, found, _NO_TEXTS)
        return
    known = _read(material)
    rows, sorts = set[tuple[str, str]](), Counter[str](dict.fromkeys(SORTS, 0))
    answered = set[str]()
    for split in splits:
        for number, row in enumerate(material.rows(TRIPLETS.name, split), 1):
            problems = list(known.problems(split, row, rows, sorts, answered))
            for problem in problems[:3]:
                material.found.problem("triplet", f"{split} row {number} ({row['anchor'] or ''!r:.100}): {problem}")
            material.found.proved[ROWS] += not problems
    _compare(material, NEGATIVES, dict(sorts))
    left_out = material.release.manifest.checks.get(LEFT_OUT)
    if isinstance(left_out, Mapping):
        own = len(known.groups - answered)
        _note(material, LEFT_OUT, sum(left_out.values()), own)


@dataclass
class _Known:
    """What a release says of its texts and questions."""

    passages: dict[str, Passage] = field(default_factory=dict)
    by_text: dict[str, list[Passage]] = field(default_factory=dict)
    asked: dict[tuple[str, str], list[Question]] = field(default_factory=dict)
    """Split and wording → the questions with an answer that are asked so."""
    groups: set[str] = field(default_factory=set)
    splits: dict[str, set[str]] = field(default_factory=dict)
    """File → the splits of the questions about it."""

    def problems(
        self, split: str, row: Mapping[str, Any], rows: set[tuple[str, str]], sorts: Counter[str], answered: set[str]
    ) -> Iterator[str]:
        """What is wrong with a row. Takes a right one into the counts."""
        anchor, positive = row["anchor"] or "", row["positive"] or ""
        negatives = [text or "" for name, text in row.items() if name not in ("anchor", "positive")]
        questions = self.asked.get((split, anchor), [])
        if not questions:
            yield "its anchor is no question of the split that has an answer"
            return
        if (anchor, positive) in rows:
            yield "its anchor stands with its positive before"
        rows.add((anchor, positive))
        about = [(each, found) for each in questions if (found := self._stating(each, positive)) is not None]
        if not about:
            yield "its positive is no text of the corpus in which evidence of the question states the answer"
            return
        question, own = about[0]
        answered.update(each.group or each.id for each, _ in about)
        if len({plain(text) for text in (positive, *negatives)}) <= len(negatives):
            yield "a text is there twice"
        for number, text in enumerate(negatives, 1):
            problem = self._negative_problem(split, question, own, text)
            if problem:
                yield f"negative_{number} {problem}"
            else:
                sorts[self._sort(own, text)] += 1

    def _stating(self, question: Question, text: str) -> Passage | None:
        """The passage of a text in which the question's evidence states the answer."""
        forms = [*question.answers, *(each for more in question.aliases for each in more)]
        for passage in self.by_text.get(text, ()):
            for each in question.evidence:
                if each.document == passage.id and states([plain(text[each.start : each.end])], forms):
                    return passage
        return None

    def _negative_problem(self, split: str, question: Question, own: Passage, text: str) -> str:
        found = self.by_text.get(text)
        if not found:
            return "is no text of the corpus"
        stating = {*question.documents, *(each.document for each in question.evidence)}
        if any(passage.id in stating for passage in found):
            return "is a text that states what the question needs"
        if not any(split in self.splits.get(passage.file, {split}) for passage in found):
            return "is of a document of another split"
        said = _said(text)
        if any(each.is_in(said) for each in statements_of(question, self.passages, _said(own.text))):
            return "says the answer"
        return ""

    def _sort(self, positive: Passage, text: str) -> str:
        """How a negative stands to the positive: of texts that are there more than once, as the nearest does."""
        return min((sort_of(positive, passage) for passage in self.by_text[text]), key=SORTS.index)


@remembers(characters=10_000_000)
def _said(text: str) -> Said:
    return Said(text)


def _read(material: Material) -> _Known:
    known = _Known()
    for split in material.splits("corpus"):
        for row in material.rows("corpus", split, ["_id", "title", "metadata"]):
            text = material.texts[row["_id"]].text or ""
            passage = passage_of(row["_id"], row["title"] or "", text, read_metadata(row["metadata"]))
            known.passages[passage.id] = passage
            known.by_text.setdefault(text, []).append(passage)
    shared: dict[str, str] = {}
    for split in material.splits("questions"):
        for row in material.rows("questions", split):
            question = read_question(row, shared)
            for name in question.documents:
                if name in known.passages:
                    known.splits.setdefault(known.passages[name].file, set()).add(split)
            if question.answerability == "answerable" and question.answers:
                known.asked.setdefault((split, question.question), []).append(question)
                known.groups.add(question.group or question.id)
    return known


def _compare(material: Material, name: str, own: Any) -> None:
    claimed = material.release.manifest.checks.get(name)
    if claimed is not None:
        _note(material, name, claimed, own)


def _note(material: Material, name: str, claimed: Any, own: Any) -> None:
    material.found.counted.add(name)
    if claimed == own:
        material.found.proved[COUNTS] += 1
    else:
        material.found.problem("count", f"checks.{name} is {claimed!r:.200}, and counted it is {own!r:.200}")


PROOF = Proof(
    "triplets",
    "of each triplet the positive states the answer of its question, and no negative does",
    85,
    whole=check,
    limits=["that a negative does not say the answer in words that neither it nor its aliases have"],
)
