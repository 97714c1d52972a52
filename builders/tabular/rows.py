"""Rows of a source as questions with their passages; what is left out is counted, with its reason and places."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.evidence import plain, states
from benchwright.benchmarks.hashing import group_id, question_id
from benchwright.benchmarks.text.cells import (
    LONGEST_DOCUMENT,
    UnreadableCell,
    as_boolean,
    number_of,
    parallel_texts,
    question_of,
    spans_of,
    text_of,
    texts_of,
    truth_of,
    valued,
)
from benchwright.benchmarks.types import Answerability, AnswerType, Document, Evidence, Question
from benchwright.builders.tabular.columns import Columns
from benchwright.builders.tabular.documents import Documents, metadata_of, passage_id
from benchwright.builders.tabular.left_out import LeftOut
from benchwright.builders.tabular.tables import Row, Table

NAME = "tabular"
_ID = "\0id "
"""Before an id that stands for its question: no question begins so."""
REPEATED, CONTRADICTED = "asked before, with the same answer", "asked before, with another answer"
NO_QREL = "no qrel of this split names it"


SORTS = ("with_answers", "without_answers", "unanswerable")


def sort_of(question: Question) -> str:
    """What is known of a question's answer: one of SORTS."""
    if question.answerability == "unanswerable":
        return "unanswerable"
    return "with_answers" if question.answers else "without_answers"


@dataclass(frozen=True, slots=True)
class Gold:
    """What a source says of the answer."""

    answers: tuple[str, ...] = ()
    aliases: tuple[tuple[str, ...], ...] = ()
    type: AnswerType = "none"
    answerability: Answerability | None = None
    spans: tuple[tuple[int, int], ...] = ()
    """Start and end of each answer in the one passage, as the source has them."""

    @property
    def forms(self) -> frozenset[str]:
        """All that is right."""
        return frozenset([*self.answers, *(form for others in self.aliases for form in others)])

    def is_same(self, other: "Gold") -> bool:
        """Whether the same is right."""
        return self.forms == other.forms and self.answerability == other.answerability

    def like(self, other: "Gold") -> "Gold":
        """The same answer in the same order, where another row says that it stands."""
        return replace(self, spans=other.spans)


@dataclass(frozen=True, slots=True)
class _Before:
    """A question that was read."""

    place: str
    question: str
    gold: int
    documents: tuple[str, ...]


class Reader:
    """Makes questions of rows."""

    def __init__(
        self,
        columns: Columns,
        documents: Documents,
        qrels: Mapping[str, Sequence[str]] | None,
        *,
        any_is_right: bool,
        separator: str,
    ) -> None:
        """
        Args:
            columns: of the table.
            documents: where passages go, and which there are.
            qrels: which documents answer which question; None: the source has none.
            any_is_right: of several answers one is enough.
            separator: between several in a cell.
        """
        self.left_out = LeftOut()
        self.count = 0
        self._columns, self._documents, self._qrels = columns, documents, qrels
        self._any, self._separator = any_is_right, separator
        self._before: dict[str, _Before] = {}
        self._groups: dict[str, tuple[str, Gold]] = {}
        self._wordings: dict[str, Gold] = {}

    def read(self, table: Table) -> Iterator[Question]:
        """The questions of a table, in its order. Their passages are written on the way.

        Raises:
            BenchwrightError: two rows have one id, or a group has two answers.
        """
        for row in table.read(self._columns.wanted(table.columns)):
            self.count += 1
            try:
                question = self._question(row)
            except UnreadableCell as error:
                self.left_out.row(str(error), row.place)
                continue
            if question is not None:
                yield question

    def _question(self, row: Row) -> Question | None:
        """A row as a question; None where it is left out."""
        cell = self._cell(row)
        text = question_of(cell("question"))
        given = text_of(cell("id"), "its id")
        if self._qrels is not None and given not in self._qrels:
            self.left_out.row(NO_QREL, row.place)
            return None
        passages = self._passages(row)
        gold = self._gold(row)
        form = text_of(cell("form"), "its form") or None
        facts: dict[str, Any] = {
            name: text_of(cell(name), f"its {name}") or None for name in ("kind", "subset", "entity", "group")
        }
        hops, metadata = number_of(cell("hops"), "its hops"), metadata_of(row.cells, self._columns)
        named = self._named(row, given, passages)  # all cells were read: from here on the row is asked, or repeated
        key = self._key(row.place, given, text, gold, named)
        if key is None:
            return None
        for passage in passages:
            self._documents.add(passage, row.place)
        if facts["group"]:
            gold, group = self._of_group(row.place, facts["group"], gold), group_id(NAME, "group", [facts["group"]])
        else:
            key, gold = self._asked_again(key, [text, *named], gold) if given else (key, gold)
            group = group_id(NAME, "question", key)
        is_impossible = gold.answerability == "unanswerable"
        return Question(
            id=given or question_id(group, form or "", text if len(key) == 1 else "\0".join(key)),
            question=text,
            answers=gold.answers,
            aliases=gold.aliases,
            answer_type=gold.type,
            answerability=gold.answerability,
            group=group,
            form=form,
            entity=facts["entity"],
            kind=facts["kind"],
            hops=hops,
            subset=facts["subset"],
            documents=() if is_impossible else named,
            evidence=() if is_impossible else self._evidence(row.place, gold, passages),
            metadata=metadata,
        )

    def _cell(self, row: Row) -> Any:
        return lambda what: self._columns.get(row.cells, what)

    def _gold(self, row: Row) -> Gold:
        """What the row says of its answer."""
        cell = self._cell(row)
        value, listed = valued(cell("answer"))
        spanned = spans_of(value, "its answer")
        impossible = truth_of(cell("unanswerable"), "whether it is unanswerable")
        if impossible is None:
            possible = truth_of(cell("answerable"), "whether it is answerable")
            impossible = None if possible is None else not possible
        if spanned is not None:
            texts, starts = spanned
            answers = list(dict.fromkeys(text for text in (text_of(each, "its answer") for each in texts) if text))
            impossible = not answers if impossible is None else impossible
            spans = tuple((start, start + len(text)) for text, start in zip(texts, starts, strict=True))
        else:
            answers, spans = texts_of(value, "its answer", self._separator), ()
        if impossible:
            if answers:
                raise UnreadableCell("it is said to be unanswerable and has an answer")
            return Gold(answerability="unanswerable")
        if not answers:
            return Gold()
        boolean = as_boolean(answers)
        if boolean is not None:
            return Gold((boolean,), ((),), "boolean", "answerable")
        others = self._aliases(cell("aliases") if listed is None else listed, answers)
        if self._any or len(answers) == 1:
            first, *rest = answers
            forms = dict.fromkeys([*rest, *(form for each in others for form in each)])
            return Gold((first,), (tuple(form for form in forms if form != first),), "one", "answerable", spans)
        return Gold(tuple(answers), others, "set", "answerable", spans)

    def _aliases(self, value: Any, answers: Sequence[str]) -> tuple[tuple[str, ...], ...]:
        """Other forms of each answer: a list for each, where there are so many lists, else all of the only answer."""
        what = "its aliases"
        if isinstance(value, list | tuple) and value and all(isinstance(each, list | tuple) for each in value):
            if len(value) != len(answers):
                raise UnreadableCell(f"{what} are for {len(value)} answers, and it has {len(answers)}")
            return tuple(tuple(texts_of(list(each), what)) for each in value)
        found = tuple(texts_of(value, what, self._separator))
        if found and len(answers) > 1 and not self._any:
            raise UnreadableCell(f"{what} do not say which of its {len(answers)} answers they are of")
        return (found, *((),) * (len(answers) - 1))

    def _passages(self, row: Row) -> list[Document]:
        """The texts that stand beside a question, as documents."""
        cell = self._cell(row)
        texts = [text for text in self._whole_texts(cell("contexts")) if text.strip()]
        if not texts:
            return []
        titles = parallel_texts(cell("title"), "its title", LONGEST_DOCUMENT)
        titles = titles if len(titles) == len(texts) else titles[:1] * len(texts)
        ids = (
            parallel_texts(cell("documents"), "its documents", LONGEST_DOCUMENT)
            if "documents" in self._columns.of
            else []
        )
        if ids and len(ids) != len(texts):
            raise UnreadableCell(f"it names {len(ids)} documents and has {len(texts)} texts")
        ids = ids or [passage_id(title, text) for title, text in zip(titles, texts, strict=True)]
        found = [Document(*each) for each in zip(ids, titles, texts, strict=True)]
        return list({document.id: document for document in found}.values())

    def _whole_texts(self, value: Any) -> list[str]:
        """Texts of passages as they stand: places of answers count from their first character."""
        if isinstance(value, str) and not value.strip().startswith("["):
            text_of(value, "its context", LONGEST_DOCUMENT)
            return [value]
        return texts_of(value, "its contexts", most=LONGEST_DOCUMENT)

    def _named(self, row: Row, given: str, passages: Sequence[Document]) -> tuple[str, ...]:
        """Ids of the documents that a question names and that there are."""
        if passages:
            return tuple(document.id for document in passages)
        if self._qrels is not None:
            wanted = self._qrels[given]
        elif "documents" in self._columns.of:
            wanted = texts_of(self._cell(row)("documents"), "its documents", self._separator)
        else:
            return ()
        found = tuple(name for name in wanted if self._documents.has(name))
        if len(found) < len(wanted):
            self.left_out.detail("names of documents that the corpus has not", row.place, len(wanted) - len(found))
        return found

    def _key(self, place: str, given: str, text: str, gold: Gold, documents: tuple[str, ...]) -> list[str] | None:
        """What makes the question itself, for its ids; None where it was asked before."""
        now = _Before(place, text, hash((gold.forms, gold.answerability)), documents)
        key = [f"{_ID}{given}"] if given else [text]
        before = self._before.setdefault(key[0], now)
        if before is now:
            return key
        if given and (before.question, before.gold, before.documents) != (text, now.gold, documents):
            raise BenchwrightError(
                f"{place}: its id {given!r} is that of {before.place} already: make ids unique, or leave them out with "
                "--set columns=id= (they are then made from the questions)"
            )
        if not given and before.documents != documents:
            key = [text, *documents]
            before = self._before.setdefault("\0".join(key), now)
            if before is now:
                return key
        self.left_out.row(REPEATED if before.gold == now.gold else CONTRADICTED, place)
        return None

    def _asked_again(self, own: list[str], wording: list[str], gold: Gold) -> tuple[list[str], Gold]:
        """What makes the group of a question that has an id of its own: its wording and documents, so that what several
        ask in the same words is one group; its id where the answer is another than before."""
        known = self._wordings.setdefault("\0".join(wording), gold)
        return (wording, known.like(gold)) if known.is_same(gold) else (own, gold)

    def _of_group(self, place: str, group: str | None, gold: Gold) -> Gold:
        """The answer as the first of a group has it.

        Raises:
            BenchwrightError: it is another.
        """
        if group is None:
            return gold
        first, known = self._groups.setdefault(group, (place, gold))
        if not known.is_same(gold):
            raise BenchwrightError(
                f"{place}: its group {group!r} has another answer in {first}: all questions of a group mean the same; "
                "leave the column out with --set columns=group="
            )
        return known.like(gold)

    def _evidence(self, place: str, gold: Gold, passages: Sequence[Document]) -> tuple[Evidence, ...]:
        """Where the source says that the answers stand, as far as they do; nothing where an answer stands nowhere."""
        if not gold.spans or len(passages) != 1:
            return ()
        document, text = passages[0], passages[0].body
        right = [
            (start, end)
            for start, end in dict.fromkeys(gold.spans)
            if 0 <= start < end <= len(text) and states([plain(text[start:end])], sorted(gold.forms))
        ]
        if len(right) < len(set(gold.spans)):
            self.left_out.detail("places where the answer does not stand", place, len(set(gold.spans)) - len(right))
        spans = [plain(text[start:end]) for start, end in right]
        whole = all(states(spans, [answer, *others]) for answer, others in zip(gold.answers, gold.aliases, strict=True))
        return tuple(Evidence(document.id, start, end) for start, end in right) if right and whole else ()
