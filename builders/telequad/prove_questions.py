"""Proves questions over documents from a release's files.

Each answer stands in its section where the config `squad` and the evidence say; what has no answer has none; rows of
tables say what their sections say; no document is in two splits.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from benchwright.benchmarks.grounding.evidence import plain
from benchwright.benchmarks.hashing import question_id, short_hash
from benchwright.benchmarks.releases.proofs.base import Material, Proof
from benchwright.benchmarks.releases.rows import read_metadata
from benchwright.benchmarks.types import FORMS_NOT_IN_SQUAD, MADE_NAME, NO_ANSWER
from benchwright.builders.telequad.passages import ROW_END, ROW_START, SECTION
from benchwright.builders.telequad.prove_rows import Corpus, read_corpus
from benchwright.builders.telequad.prove_squad import squad_problems
from benchwright.builders.telequad.rows import ASKS, CONTEXT, FILE, UNANSWERABLE, template_of
from benchwright.builders.telequad.split import TEST

ANSWERS = "answers that stand in their sections where squad and evidence say"
NONE = "questions without an answer, whose squad rows have none"
SPLIT = "documents that are in one split"
HOPS = "answers of several hops that stand where their evidence says"
MADE = "made names that stand nowhere in their document"
_NO_TEXT = (
    "their sections' texts are not in this release: join them with build-benchmark --from RELEASE --documents DIR"
)
LIMITS = (
    "that an answer's words answer the question that is asked of them",
    "that a document does not answer, in words of its own, what is said to have no answer",
)


def check(material: Material) -> None:
    """Looks at each question beside its row of the config `squad`, then at documents and splits."""
    corpus = read_corpus(material)
    is_published = not any(FILE in said for said in corpus.said.values())
    state = _State(material, corpus, is_published, splits={}, made={})
    for split in dict.fromkeys([*material.splits("questions"), *material.splits("squad")]):
        state.split(split)
    if not state.is_published:
        state.documents()
        corpus.check_rows(material.found)
        corpus.check_counts(material.release.manifest.checks, material.found)


@dataclass
class _State:
    material: Material
    corpus: Corpus
    is_published: bool
    splits: dict[str, set[str]]
    """File → the splits of its questions."""
    made: dict[str, dict[str, str]]
    """File → made name → a question that asks about it."""

    def split(self, split: str) -> None:
        """Both configs are in one order; a published question whose answer has no place is in `questions` alone."""
        squad = self.material.rows("squad", split)
        waiting = next(squad, None)
        for row in self.material.rows("questions", split):
            beside = waiting if waiting is not None and waiting["id"] == row["id"] else None
            if beside is not None:
                waiting = next(squad, None)
            problems = list(self._problems(split, row, beside))
            for text in problems:
                self.material.found.problem("squad", f"question {row['id']}: {text}")
        while waiting is not None:
            self.material.found.problem("squad", f"question {waiting['id']} of squad is not where questions have it")
            waiting = next(squad, None)

    def _problems(self, split: str, row: Mapping[str, Any], squad: Mapping[str, Any] | None) -> Iterator[str]:
        found, said = self.material.found, read_metadata(row["metadata"])
        context = str(said.get(CONTEXT))
        if context not in self.corpus.texts:
            yield f"its context {context} is not in the corpus"
            return
        if squad is None:
            yield from self._beside_squad(split, row, said, context)
            return
        if row["hops"] is not None and row["hops"] > 1:
            yield "squad has a row of it, whose one context does not tell what it is about"
        has_text = self.corpus.texts[context].text is not None
        problems = list(squad_problems(row, squad, context, self.corpus.texts[context]))
        if (row["answerability"] == UNANSWERABLE) != (row["kind"] == UNANSWERABLE):
            problems.append("its answerability and its kind do not go together")
        if not self.is_published:
            problems += self._of_documents(split, row, said, context)
            there = (squad["answers"] or {}).get("text") or ()
            lacked = [form for form in _forms(row) if form not in there]
            if list(said.get(FORMS_NOT_IN_SQUAD, ())) != lacked:
                problems.append("the forms that squad lacks are not those that it is said to lack")
        yield from problems
        if not has_text:
            found.leave(ANSWERS, 1, _NO_TEXT)
        elif not problems:
            found.proved[ANSWERS if row["answers"] else NONE] += 1

    def _beside_squad(self, split: str, row: Mapping[str, Any], said: Mapping[str, Any], context: str) -> Iterator[str]:
        """What is wrong with a question that squad has no row of."""
        if self.is_published:
            if not row["answers"] or row["evidence"]:
                yield "squad has no row of it in its place"
            return
        if row["hops"] == 1:
            yield "squad has no row of it in its place"
        problems = list(self._of_documents(split, row, said, context))
        text = self.corpus.texts[context].text
        if text is not None and not self._states(row, context, text):
            problems.append("its answer does not stand where its evidence says")
        yield from problems
        if text is None:
            self.material.found.leave(ANSWERS, 1, _NO_TEXT)
        elif not problems:
            self.material.found.proved[HOPS] += 1

    @staticmethod
    def _states(row: Mapping[str, Any], context: str, text: str) -> bool:
        """Whether evidence in the context has the answer in its words."""
        spans = [text[item["start"] : item["end"]] for item in row["evidence"] or () if item["document"] == context]
        return any(answer in span for answer in row["answers"] or () for span in spans)

    def _of_documents(self, split: str, row: Mapping[str, Any], said: Mapping[str, Any], context: str) -> Iterator[str]:
        """What only questions by rule over documents keep to."""
        file = self.corpus.file_of(context)
        if SECTION in self.corpus.said[context]:
            yield f"its context {context} is a row of a table, and not a section"
        if said.get(FILE) != file:
            yield f"it is said to be of {said.get(FILE)}, and its context is of {file}"
        if row["id"] != question_id(row["group"] or "", row["form"] or "", row["question"]):
            yield "its id is not that of its group, form and wording"
        if row["template"] != template_of(row["subset"] or "", str(said.get(ASKS) or "")):
            yield f"its template is not that of the pattern {row['subset']} and of what is asked"
        if (row["answerability"] == UNANSWERABLE) != (NO_ANSWER in said):
            yield "its answerability and why it has no answer do not go together"
        if said.get(NO_ANSWER) == MADE_NAME and row["entity"]:
            self.made.setdefault(file, {}).setdefault(row["entity"], row["id"])
        self.splits.setdefault(file, set()).add(split)
        yield from self._evidence_problems(row, context)

    def _evidence_problems(self, row: Mapping[str, Any], context: str) -> Iterator[str]:
        """Whether evidence is of the document that is asked about, and a row's beside the section's."""
        spans = row["evidence"] or []
        facts = len({item["fact"] or 0 for item in spans})
        if row["answers"] and facts != row["hops"]:
            yield f"it needs {row['hops']} facts, and its evidence is of {facts}"
        file = self.corpus.file_of(context)
        for item in spans:
            name = item["document"]
            if name in self.corpus.said and self.corpus.file_of(name) != file:
                yield f"its evidence is in {name}, of another document"
            of_row = self.corpus.said.get(name, {})
            if SECTION in of_row and not any(
                other["document"] == of_row[SECTION]
                and (other["fact"] or 0) == (item["fact"] or 0)
                and of_row[ROW_START] <= other["start"] < other["end"] <= of_row[ROW_END]
                for other in spans
            ):
                yield f"its evidence in the row {name} is not beside evidence in that row of its section"

    def documents(self) -> None:
        """Splits, contexts that training has from the test, and made names."""
        found = self.material.found
        for file, splits in self.splits.items():
            if len(splits) > 1:
                found.problem("split", f"questions of {file} are in the splits {' and '.join(sorted(splits))}")
            else:
                found.proved[SPLIT] += 1
        self._check_contexts()
        for file, names in self.made.items():
            texts = [f" {plain(text)} " for text in self.corpus.texts_of(file)]
            for name, question in names.items():
                if any(_stands(plain(name), text) for text in texts):
                    text = f"question {question}: {file} holds the name {name}, which is said to be made"
                    found.problem("unanswerable", text)
                elif texts:
                    found.proved[MADE] += 1

    def _check_contexts(self) -> None:
        """Whether a section that is trained on stands in a document of the test, word for word."""
        tested = {file for file, splits in self.splits.items() if TEST in splits}
        if len(tested) == len(self.splits):
            return
        texts = {_same(text) for file in tested for text in self.corpus.texts_of(file)}
        for split in self.material.splits("questions"):
            for row in self.material.rows("questions", split, ["id", "metadata"]) if split != TEST else ():
                context = self.corpus.texts.get(str(read_metadata(row["metadata"]).get(CONTEXT)))
                if context is not None and context.text is not None and _same(context.text) in texts:
                    text = f"the section of question {row['id']} of {split} stands in a document of the test"
                    self.material.found.problem("split", text)


def _forms(row: Mapping[str, Any]) -> list[str]:
    others = [form for many in row["aliases"] or () for form in many or ()]
    return [*(row["answers"] or ()), *others]


def _same(text: str) -> str:
    return short_hash([" ".join(text.split())])


def _stands(name: str, text: str) -> bool:
    """Whether a text holds a name as whole words."""
    at = text.find(name)
    while at >= 0:
        if not (text[at - 1].isalnum() or text[at + len(name)].isalnum()):
            return True
        at = text.find(name, at + 1)
    return False


PROOF = Proof(
    "questions over documents", "answers stand where they are said to, and no document is in two splits", 95,
    whole=check, limits=LIMITS,
)  # fmt: skip
