"""What a system is really given in each condition, and which it cannot be put in."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from lighthouses import make_release

from benchwright.benchmarks.grounding.stating import StatingDocuments
from benchwright.benchmarks.predictions import CONDITIONS, Prediction
from benchwright.benchmarks.releases.rows import load_documents, load_questions
from benchwright.benchmarks.runs.workers import Worker, ask_all
from benchwright.benchmarks.systems.base import Attempt, Opening, System, UnsupportedError
from benchwright.benchmarks.systems.calling import titled
from benchwright.benchmarks.systems.conditions import attempt_of, gold_passages
from benchwright.benchmarks.systems.opening import open_given
from benchwright.benchmarks.types import Document, Question

Texts = Sequence[str] | None


@pytest.fixture
def corpus(tmp_path: Path) -> tuple[Question, dict[str, Document]]:
    """The first question, about Gannet Rock, and all documents."""
    release = make_release(tmp_path)
    return load_questions(release, "test")[0], load_documents(release)


def ask(given: Any, corpus: tuple[Question, dict[str, Document]], condition: str, k: int = 2) -> Prediction:
    question, documents = corpus
    system = open_given(given, Opening(k))
    answer = system.prepare(documents)
    attempt = attempt_of(question, condition, 0, documents)
    (prediction,) = ask_all(answer, [attempt], worker=Worker(), is_async=system.is_async)
    return prediction


class Recorder:
    """Answers what it was given, and retrieves whole documents in the order of the corpus."""

    def __init__(self) -> None:
        self.given: list[Texts] = []
        self.asked_for: list[int] = []
        self.texts: dict[str, str] = {}

    def index(self, documents: Sequence[dict[str, str]]) -> None:
        self.texts = {each["id"]: each["text"] for each in documents}

    def retrieve(self, question: str, k: int) -> list[dict[str, str]]:
        self.asked_for.append(k)
        return [{"id": f"own-{name}", "text": text} for name, text in list(self.texts.items())[:k]]

    def answer(self, question: str, *, contexts: Texts = ("NOT PASSED",)) -> str:
        self.given.append(contexts)
        return "x"


class LaterRecorder(Recorder):
    """The same, asynchronous throughout."""

    async def retrieve(self, question: str, k: int) -> list[dict[str, str]]:  # pyright: ignore
        await asyncio.sleep(0)
        return super().retrieve(question, k)

    async def answer(self, question: str, *, contexts: Texts = ("NOT PASSED",)) -> str:  # pyright: ignore
        await asyncio.sleep(0)
        return super().answer(question, contexts=contexts)


@pytest.mark.parametrize("kind", [Recorder, LaterRecorder])
def test_an_object_is_given_what_each_condition_says(
    kind: type[Recorder], corpus: tuple[Question, dict[str, Document]]
) -> None:
    question, documents = corpus
    gold = gold_passages(question, documents)
    others = [document.text for name, document in documents.items() if name != "gannet-rock"]
    expected = {"own": None, "closed": [], "gold": [titled(each) for each in gold], "without-gold": others[:2]}
    assert expected["gold"] == [f"Gannet Rock\n{documents['gannet-rock'].text}"]
    for condition in CONDITIONS:
        system = kind()
        prediction = ask(system, corpus, condition)
        assert system.given == [expected[condition]], condition
        assert prediction.key == (question.id, condition, 0)
        ids = [context.id for context in prediction.contexts]
        assert (
            ids
            == {
                "own": ["own-gannet-rock", "own-sable-point"],
                "closed": [],
                "gold": ["gannet-rock"],
                "without-gold": ["own-sable-point", "own-old-hook"],
            }[condition]
        )
        assert prediction.retrievals == int(condition in ("own", "without-gold"))
        assert system.asked_for == {"own": [2], "without-gold": [2, 4]}.get(condition, [])


def test_functions_are_given_contexts_too(corpus: tuple[Question, dict[str, Document]]) -> None:
    given: list[Texts] = []

    def answer(question: str, *, contexts: Texts = ("NOT PASSED",)) -> str:
        given.append(contexts)
        return "x"

    async def later(question: str, contexts: Texts = ("NOT PASSED",)) -> str:
        return answer(question, contexts=contexts)

    gold = [titled(each) for each in gold_passages(*corpus)]
    functions: list[Callable[..., str | Awaitable[str]]] = [answer, later]
    for function in functions:
        given.clear()
        for condition in ("own", "closed", "gold"):
            ask(function, corpus, condition)
        assert given == [None, [], gold]
        assert open_given(function, Opening()).unsupported == {"without-gold": "it has no retrieve(question, k)"}


def test_contexts_that_an_answer_names_itself_stay(corpus: tuple[Question, dict[str, Document]]) -> None:
    def answer(question: str, *, contexts: Texts = None) -> dict[str, Any]:
        return {"answer": "x", "contexts": ["my own"], "usage": {"retrievals": 3}}

    prediction = ask(answer, corpus, "gold")
    assert [context.text for context in prediction.contexts] == ["my own"] and prediction.retrievals == 3


def test_what_takes_no_contexts_has_its_own_condition_only() -> None:
    def answer(question: str) -> str:
        return "x"

    system = open_given(answer, Opening())
    assert system.conditions == ("own",)
    assert set(system.unsupported.values()) == {"its answer() takes no contexts"}
    assert system.reference.endswith("test_what_takes_no_contexts_has_its_own_condition_only.answer")


def test_a_question_without_gold_documents(corpus: tuple[Question, dict[str, Document]]) -> None:
    _, documents = corpus
    bare, gone = Question("q", "?"), Question("q", "?", documents=("gone",))
    assert attempt_of(bare, "closed", 0, documents) == Attempt(bare, "closed", 0, ())
    for condition in ("gold", "without-gold"):
        with pytest.raises(UnsupportedError, match=r"^unsupported: the question has no gold documents$"):
            attempt_of(bare, condition, 0, documents)
    with pytest.raises(UnsupportedError, match=r"^unsupported: the corpus does not hold the gold documents$"):
        attempt_of(gone, "gold", 0, documents)
    assert attempt_of(gone, "without-gold", 0, documents).without == {"gone"}


class WithForeign(Recorder):
    """Retrieves a note of its own first, which is in no corpus."""

    def retrieve(self, question: str, k: int) -> list[dict[str, str]]:
        note = {"id": "note", "text": "From the notes: Gannet Rock is 31 metres high, Sable Point is not."}
        return [note, *super().retrieve(question, k)][:k]


def test_a_context_from_elsewhere_that_states_it_is_left_out_too(corpus: tuple[Question, dict[str, Document]]) -> None:
    question, documents = corpus
    system, stating = WithForeign(), StatingDocuments(documents, [question])
    opened = open_given(system, Opening(2))
    attempt = attempt_of(question, "without-gold", 0, documents, stating)
    answer = opened.prepare(documents)
    (prediction,) = ask_all(answer, [attempt], worker=Worker(), is_async=opened.is_async)
    assert [context.id for context in prediction.contexts] == ["own-sable-point", "own-old-hook"]


def baseline(name: str, k: int = 2) -> System:
    return open_given(name, Opening(k))


@pytest.mark.parametrize("name", ["bm25", "keyword"])
def test_a_retriever_reads_on_where_gold_documents_are_left_out(
    name: str, corpus: tuple[Question, dict[str, Document]]
) -> None:
    own, without = (ask(name, corpus, condition) for condition in ("own", "without-gold"))
    assert own.contexts[0].id == "gannet-rock" and len(own.contexts) == 2
    assert len(without.contexts) == 2 and "gannet-rock" not in {context.id for context in without.contexts}
    assert own.contexts[1] == without.contexts[0]


def test_baselines_in_the_conditions_that_make_sense(corpus: tuple[Question, dict[str, Document]]) -> None:
    assert {name: baseline(name).conditions for name in ("closed-book", "oracle", "gold-documents", "bm25")} == {
        "closed-book": ("own", "closed"),
        "oracle": ("own", "closed", "gold"),
        "gold-documents": ("own", "closed", "gold"),
        "bm25": CONDITIONS,
    }
    answers = {condition: ask("bm25", corpus, condition).answer for condition in CONDITIONS}
    assert answers["closed"] == "I don't know." and "31" in (answers["own"] or "") and "31" in (answers["gold"] or "")
    assert "31" not in (answers["without-gold"] or "")
    oracle = ask("oracle", corpus, "own")
    assert ask("bm25", corpus, "gold").contexts == oracle.contexts
    assert (oracle.retrievals, ask("bm25", corpus, "gold").retrievals) == (1, 0)
