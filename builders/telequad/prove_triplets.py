"""Proves triplets: the positive answers its question, no negative does, and all are texts of the split's documents."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from benchwright.benchmarks.grounding.evidence import plain, states
from benchwright.benchmarks.releases.offsets import SHA256, text_facts
from benchwright.benchmarks.releases.proofs.base import Material, Proof
from benchwright.benchmarks.releases.rows import read_metadata, read_question
from benchwright.benchmarks.schemas import TRIPLET_DOCUMENTS, TRIPLETS
from benchwright.benchmarks.text.remembering import remembers
from benchwright.benchmarks.types import Question
from benchwright.builders.telequad.triplets.contains import Answer, Bridge, Said
from benchwright.builders.telequad.triplets.mine import LEFT_OUT, NEGATIVES
from benchwright.builders.telequad.triplets.passages import SORTS, Passage, passage_of, sort_of
from benchwright.builders.telequad.triplets.sought import statements_of, stating_ids

ROWS = "triplets: the positive states the answer, no negative does, and all are texts of the corpus"
COUNTS = "counts of triplets"
NAMED = "triplets that name documents: evidence is in the positive's, and in no negative's"
_NO_TEXTS = "texts of documents are not here: join them, build-benchmark --from RELEASE --documents DIR"


def check(material: Material) -> None:
    """Looks at each row of the config `triplets`, and counts them again; in a release of offsets at the documents that
    rows name."""
    if material.splits(TRIPLETS.name):
        _check_texts(material, _read(material))
    elif material.splits(TRIPLET_DOCUMENTS.name):
        _check_documents(material, _read(material))


def _check_texts(material: Material, known: "_Known") -> None:
    rows, sorts = set[tuple[str, str]](), Counter[str](dict.fromkeys(SORTS, 0))
    answered = set[str]()
    for split in material.splits(TRIPLETS.name):
        for number, row in enumerate(material.rows(TRIPLETS.name, split), 1):
            _note_row(material, split, number, row, list(known.problems(split, row, rows, sorts, answered)), ROWS)
    _compare(material, NEGATIVES, dict(sorts))
    left_out = material.release.manifest.checks.get(LEFT_OUT)
    if isinstance(left_out, Mapping):
        _note(material, LEFT_OUT, sum(left_out.values()), len(known.groups - answered))


def _check_documents(material: Material, known: "_Known") -> None:
    count = 0
    for split in material.splits(TRIPLET_DOCUMENTS.name):
        for number, row in enumerate(material.rows(TRIPLET_DOCUMENTS.name, split), 1):
            count += 1
            _note_row(material, split, number, row, list(known.problems_of_names(split, row)), NAMED)
    material.found.leave(ROWS, count, _NO_TEXTS)


def _note_row(
    material: Material, split: str, number: int, row: Mapping[str, Any], problems: Sequence[str], what: str
) -> None:
    for problem in problems[:3]:
        material.found.problem("triplet", f"{split} row {number} ({row['anchor'] or ''!r:.100}): {problem}")
    material.found.proved[what] += not problems


@dataclass
class _Known:
    """What a release says of its texts and questions."""

    passages: dict[str, Passage] = field(default_factory=dict)
    by_text: dict[str, list[Passage]] = field(default_factory=dict)
    by_sha256: dict[str, list[Passage]] = field(default_factory=dict)
    """Of documents whose text is not here."""
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
        stating = frozenset().union(*map(stating_ids, questions))
        statements = statements_of(question, self.passages, _said(own.text))
        for number, text in enumerate(negatives, 1):
            problem = self._negative_problem(split, stating, statements, text)
            if problem:
                yield f"negative_{number} {problem}"
            else:
                sorts[self._sort(own, text)] += 1

    def problems_of_names(self, split: str, row: Mapping[str, Any]) -> Iterator[str]:
        """What is wrong with a row of names of documents, as far as these tell."""
        questions = self.asked.get((split, row["anchor"] or ""), [])
        about = [each for each in questions if any(one.document == row["positive"] for one in each.evidence)]
        if not about:
            yield "its anchor is no question of the split with evidence in its positive"
            return
        negatives = [name for column, name in row.items() if column not in ("anchor", "positive")]
        if len({row["positive"], *negatives}) <= len(negatives):
            yield "a document is there twice"
        for number, name in enumerate(negatives, 1):
            if any(name in stating_ids(each) for each in questions):
                yield f"negative_{number} is a text that states what the question needs"
            elif name in self.passages and split not in self.splits.get(self.passages[name].file, {split}):
                yield f"negative_{number} is of a document of another split"

    def _of_text(self, text: str) -> list[Passage]:
        """The passages that have a text: one that is not here is known by its SHA-256."""
        found = self.by_text.get(text)
        if found is None and self.by_sha256:
            sha256 = str(text_facts(text)[SHA256])
            found = [replace(passage, text=text) for passage in self.by_sha256.get(sha256, ())]
        return found or []

    def _stating(self, question: Question, text: str) -> Passage | None:
        """The passage of a text in which the question's evidence states the answer."""
        forms = [*question.answers, *(each for more in question.aliases for each in more)]
        for passage in self._of_text(text):
            for each in question.evidence:
                if each.document == passage.id and states([plain(text[each.start : each.end])], forms):
                    return passage
        return None

    def _negative_problem(
        self, split: str, stating: frozenset[str], statements: Sequence[Answer | Bridge], text: str
    ) -> str:
        found = self._of_text(text)
        if not found:
            return "is no text of the corpus"
        if any(passage.id in stating for passage in found):
            return "is a text that states what the question needs"
        if not any(split in self.splits.get(passage.file, {split}) for passage in found):
            return "is of a document of another split"
        said = _said(text)
        if any(each.is_in(said) for each in statements):
            return "says the answer"
        return ""

    def _sort(self, positive: Passage, text: str) -> str:
        """How a negative stands to the positive: of texts that are there more than once, as the nearest does."""
        return min((sort_of(positive, passage) for passage in self._of_text(text)), key=lambda sort: SORTS.index(sort))


@remembers(characters=10_000_000)
def _said(text: str) -> Said:
    return Said(text)


def _read(material: Material) -> _Known:
    known = _Known()
    for split in material.splits("corpus"):
        for row in material.rows("corpus", split, ["_id", "title", "metadata"]):
            text, metadata = material.texts[row["_id"]].text, read_metadata(row["metadata"])
            passage = passage_of(row["_id"], row["title"] or "", text or "", metadata)
            known.passages[passage.id] = passage
            if text is None:
                known.by_sha256.setdefault(str(metadata.get(SHA256)), []).append(passage)
            else:
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
