"""Objects of frameworks as answers: classes of the same shape as theirs; the packages' own are in the tests of peers."""

import asyncio
import dataclasses
import uuid
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace as Shape
from typing import Any

import pytest
from lighthouses import make_release

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.predictions import Context, Prediction, Usage
from benchwright.benchmarks.releases.rows import load_documents, load_questions
from benchwright.benchmarks.systems.base import Attempt, Opening
from benchwright.benchmarks.systems.conditions import attempt_of
from benchwright.benchmarks.systems.opening import open_given
from benchwright.benchmarks.systems.replies import to_contexts, to_prediction


def document(text: str, name: str | int | None = None, **metadata: Any) -> Shape:
    """LangChain's."""
    return Shape(page_content=text, id=name, metadata=metadata)


def node(text: str, score: float | None = None, source: str | None = None, **metadata: Any) -> Shape:
    """LlamaIndex's NodeWithScore."""
    inner = Shape(node_id="n1", ref_doc_id=source, metadata=metadata, get_content=lambda: text)
    return Shape(node=inner, score=score, metadata=metadata)


def haystack(text: str | None, name: str, score: float | None = None, **meta: Any) -> Shape:
    """Haystack's Document."""
    return Shape(content=text, id=name, score=score, meta=meta)


def chunk(text: str | None) -> Shape:
    """A chunk of the openai package."""
    return Shape(choices=[Shape(delta=Shape(content=text))] if text != "" else [])


@dataclass
class Reply:
    answer: Any
    contexts: list[Any] = field(default_factory=list)
    note: object = None


ANSWER, READ = "31 metres", (Context(id="d", text="t"),)
TEXT_ONLY = (Context(text="t"),)
ARTIFACT = Shape(type="tool", content="…", artifact=[document("t", "d")])


@pytest.mark.parametrize(
    ("reply", "answer", "contexts"),
    [
        pytest.param(Shape(content=ANSWER), ANSWER, (), id="message"),
        pytest.param(Shape(content=[{"type": "text", "text": "31 "}, "metres"]), ANSWER, (), id="blocks"),
        pytest.param(Shape(text=ANSWER, meta={}), ANSWER, (), id="Haystack's message"),
        pytest.param(Shape(choices=[Shape(message=Shape(content=ANSWER))]), ANSWER, (), id="completion"),
        pytest.param({"choices": [{"message": {"content": ANSWER}}]}, ANSWER, (), id="completion as a dict"),
        pytest.param(Shape(output_text=ANSWER, output=[]), ANSWER, (), id="OpenAI's response"),
        pytest.param({"role": "assistant", "content": ANSWER}, ANSWER, (), id="message as a dict"),
        pytest.param({"input": "q", "context": [document("t", "d")], "answer": ANSWER}, ANSWER, READ, id="retrieval chain"),
        pytest.param({"query": "q", "result": ANSWER, "source_documents": [document("t")]}, ANSWER, TEXT_ONLY, id="RetrievalQA"),
        pytest.param({"input": "q", "output": ANSWER}, ANSWER, (), id="agent"),
        pytest.param({"question": "q", "context": "t", "answer": Shape(content=ANSWER)}, ANSWER, (), id="text as context"),
        pytest.param({"messages": [Shape(content="q"), ARTIFACT, Shape(content=ANSWER)]}, ANSWER, READ, id="graph"),
        pytest.param(Shape(response=ANSWER, source_nodes=[node("t", source="d")], metadata={}), ANSWER,
                     (Context(id="n1", text="t"),), id="LlamaIndex's Response"),
        pytest.param(Shape(message=Shape(content=ANSWER), delta=None), ANSWER, (), id="ChatResponse"),
        pytest.param(Shape(data=ANSWER, documents=[haystack("t", "d")], query="q", meta={}), ANSWER, READ, id="GeneratedAnswer"),
        pytest.param(Shape(data=ANSWER, document=haystack("t", "d"), score=0.5), ANSWER, READ, id="ExtractedAnswer"),
        pytest.param({"builder": {"answers": [Shape(data=ANSWER, documents=[haystack("t", "d")])]}}, ANSWER, READ, id="pipeline"),
        pytest.param({"retriever": {"documents": [haystack("u", "e")]}, "ranker": {"documents": [haystack("t", "d")]},
                      "llm": {"replies": [Shape(text=ANSWER)], "meta": [{}]}}, ANSWER, READ, id="pipeline of replies"),
        pytest.param(Reply(ANSWER, [document("t", "d")], object()), ANSWER, READ, id="dataclass"),
        pytest.param(Reply(Shape(content=ANSWER)), ANSWER, (), id="dataclass of a message"),
        pytest.param({"answer": ANSWER, "contexts": [("t", 1)], "run": object()}, ANSWER,
                     (Context(text="t", score=1.0),), id="scored texts"),
        pytest.param(iter(["31 ", "metres"]), ANSWER, (), id="generator"),
        pytest.param((Shape(content=each) for each in ("31 ", "", "metres")), ANSWER, (), id="chunks of LangChain"),
        pytest.param(map(chunk, ("31 ", None, "metres", "")), ANSWER, (), id="chunks of openai"),
        pytest.param(iter([Shape(delta="31 ", message=Shape(content="31 ")), Shape(delta="metres",
                     message=Shape(content=ANSWER))]), ANSWER, (), id="chunks of LlamaIndex"),
        pytest.param(iter([Shape(type="response.created", response=1), Shape(type="response.output_text.delta", delta=ANSWER),
                     Shape(type="response.output_text.done", text=ANSWER)]), ANSWER, (), id="events of OpenAI"),
        pytest.param(iter([{"input": "q"}, {"context": [document("t", "d")]}, {"answer": "31 "}, {"answer": "metres"}]),
                     ANSWER, READ, id="chunks of a chain"),
        pytest.param(iter([(Shape(content=ANSWER), {"node": 1})]), ANSWER, (), id="chunks of a graph"),
        pytest.param({"answer": iter(["31 ", "metres"]), "contexts": ["t"]}, ANSWER, TEXT_ONLY, id="generator in a dict"),
        pytest.param(Shape(response=None, response_gen=iter(["31 ", "metres"]), source_nodes=[]), ANSWER, (), id="StreamingResponse"),
    ],
)  # fmt: skip
def test_answers_and_what_they_were_read_from(reply: object, answer: str, contexts: tuple[Context, ...]) -> None:
    prediction = to_prediction(reply, "q")
    assert (prediction.answer, prediction.contexts, prediction.error) == (answer, contexts, None)


@pytest.mark.parametrize(
    ("found", "context"),
    [
        (document("t", "chunk-1", source="/data/gannet-rock.md"), Context(id="gannet-rock", text="t")),
        (document("t", None, doc_id="gannet-rock", id="chunk-7"), Context(id="gannet-rock", text="t")),
        (document("t", None, source="https://wiki/old"), Context(id="https://wiki/old", text="t")),
        (document("t"), Context(text="t")),
        (document("t", 7), Context(id="7", text="t")),
        ((document("t", "a"), 0.5), Context(id="a", text="t", score=0.5)),
        (node("t", 0.5, "gannet-rock"), Context(id="gannet-rock", text="t", score=0.5)),
        (node("t", None, None, file_name="gannet-rock.txt"), Context(id="gannet-rock", text="t")),
        (haystack("t", "abc", 2.0, source_id="gannet-rock"), Context(id="gannet-rock", text="t", score=2.0)),
        (haystack(None, "abc"), Context(id="abc")),
        ({"page_content": "t", "metadata": {"id": 7}}, Context(id="7", text="t")),
        ({"_id": "gannet-rock", "title": "G", "text": "t"}, Context(id="gannet-rock", text="t")),
        ({"id": 7, "text": "t", "start": 1, "end": 2, "score": float("nan")}, Context("7", "t", None, 1, 2)),
        (uuid_ := {"id": uuid.UUID(int=7), "text": "t"}, Context(id=str(uuid_["id"]), text="t")),
        (Context(id="a", text="t"), Context(id="a", text="t")),
    ],
)
def test_contexts_and_the_id_that_names_a_document(found: Any, context: Context) -> None:
    assert to_contexts([found], {"gannet-rock"}) == (context,)


def test_tokens_of_a_message() -> None:
    said = Shape(content="x", usage_metadata={"input_tokens": 7, "output_tokens": 2})
    assert to_prediction(said, "q").usage == Usage(7, 2)
    completion = Shape(choices=[Shape(message=Shape(content="x"))], usage=Shape(prompt_tokens=5, completion_tokens=1))
    assert to_prediction(completion, "q").usage == Usage(5, 1)
    assert to_prediction({"answer": said, "usage": {"calls": 3}}, "q").usage == Usage(calls=3)


def test_what_was_looked_for_and_not_found_is_a_retrieval() -> None:
    assert to_prediction({"answer": "x", "context": []}, "q").retrievals == 1
    assert to_prediction({"answer": "x"}, "q").retrievals == 0


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (["x"], "returned an object of type list: it must be a text, a dict with 'answer', or a Prediction"),
        ([document("t")], "returned an object of type list: it must be a text, a dict with 'answer', or a Prediction"),
        (Shape(status_code=500, text="{}"), "returned an object of type SimpleNamespace: it must be a text, a dict "
         "with 'answer', or a Prediction"),
        (iter([object()]), "returned a stream with an object of type object: it must be of texts"),
        ({"retriever": {"documents": []}}, "returned a prediction: no 'answer': every prediction needs 'id' and 'answer' "
         "(or 'abstained': true, or an 'error')."),
        ({"answer": "x", "contexts": [object()]}, "returned what is no JSON: an object of type object"),
    ],
)  # fmt: skip
def test_what_is_no_answer(reply: object, message: str) -> None:
    with pytest.raises(BenchwrightError) as raised:
        to_prediction(reply, "q")
    assert str(raised.value) == message


def test_a_stream_without_end_is_cut() -> None:
    def endless() -> Iterator[str]:
        while True:
            yield "x" * 1000

    prediction = to_prediction(endless(), "q")
    assert prediction.answer == "x" * 100_000
    assert prediction.error == "the answer was cut: 1,001,000 characters, 100,000 are kept"


def ask(target: Any, tmp_path: Path, condition: str = "own") -> Prediction:
    """What a system answers to the first question of the lighthouses."""
    release = make_release(tmp_path / "releases")
    documents = load_documents(release)
    system = open_given(target, Opening(5))
    attempt: Attempt = attempt_of(load_questions(release, "test")[0], condition, 0, documents)
    reply: Any = system.prepare(documents)(attempt)
    return to_prediction(asyncio.run(reply) if system.is_async else reply, "q")


async def streamed(question: str) -> AsyncIterator[str]:
    for word in ("31 ", "metres"):
        await asyncio.sleep(0)
        yield word


async def later(question: str) -> Any:
    return streamed(question)


async def with_contexts(question: str) -> Any:
    return {"answer": streamed(question), "contexts": [document("t", "a", source="gannet-rock.md")]}


async def engine_stream(question: str) -> Any:
    return Shape(response_gen=streamed(question), source_nodes=[node("t", 0.5, "gannet-rock")])


class Synchronous:
    def answer(self, question: str) -> Any:
        return streamed(question)


@pytest.mark.parametrize("target", [streamed, later, with_contexts, engine_stream, Synchronous()])
def test_asynchronous_streams(target: Any, tmp_path: Path) -> None:
    prediction = ask(target, tmp_path)
    assert prediction.answer == ANSWER
    assert [each.id for each in prediction.contexts] == ["gannet-rock"] * (target in (with_contexts, engine_stream))


class Chain:
    """A chain of LangChain that says which keys it wants."""

    def __init__(self, *wanted: str) -> None:
        self.wanted = wanted

    def get_input_jsonschema(self) -> dict[str, Any]:
        return {"type": "object", "required": list(self.wanted)} if self.wanted else {"type": "string"}

    def invoke(self, given: Any) -> Any:
        if "question" not in self.wanted:
            return Shape(content=given)
        assert set(given) == set(self.wanted)
        return Shape(content=given["question"])

    def retrieve(self, query: str) -> None:
        raise AssertionError("is another function than ours")


class Engine:
    """A query engine of LlamaIndex."""

    def query(self, question: str) -> Any:
        return Shape(response=question, source_nodes=[node("t", 1.0, "gannet-rock")])

    def retrieve(self, bundle: Any) -> None:
        raise AssertionError("is another function than ours")


class Pipeline:
    """A pipeline of Haystack, with its open inputs."""

    def __init__(self, inputs: dict[str, Any]) -> None:
        self.inputs = lambda: inputs
        self.outputs = lambda **options: {"find": {"documents": {}}, "writer": {"replies": {}}}
        self.graph = Shape(nodes=["find", "writer"])

    def run(self, data: dict[str, Any], include_outputs_from: set[str]) -> dict[str, Any]:
        assert include_outputs_from == {"find"}
        answer = [data["writer"]["question"]]
        return {"writer": {"replies": answer}, "find": {"documents": [haystack("t", "gannet-rock")]}}


QUESTION_TWICE = {
    "find": {"query": {"type": str, "is_mandatory": True}, "top_k": {"type": int, "is_mandatory": False}},
    "writer": {"question": {"type": Any, "is_mandatory": False}, "text": {"type": str, "is_mandatory": False}},
}


class Chat:
    """A chat engine of LlamaIndex."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def reset(self) -> None:
        self.said.clear()

    def chat(self, message: str) -> Any:
        self.said.append(message)
        return Shape(response=" ".join(self.said), source_nodes=[node("t", 1.0, "gannet-rock")])


class Later:
    """A query engine that has nothing else."""

    async def aquery(self, question: str) -> Any:
        return Shape(response=question, source_nodes=[node("t", 1.0, "gannet-rock")])


class LaterChain:
    """A chain that has nothing else."""

    async def ainvoke(self, question: str) -> Any:
        await asyncio.sleep(0)
        return {"result": question, "source_documents": [document("t", "gannet-rock")]}


class Runner:
    def run(self, task: str) -> None:
        raise AssertionError("is no question")


class Own:
    """Can be called; what else it has is its own business."""

    def __call__(self, question: str) -> str:
        return question

    def query(self, sql: str) -> None:
        raise AssertionError("is no question")

    invoke = run = query


WITH_CONTEXTS = (Engine, Pipeline, Chat, Later, LaterChain)


@pytest.mark.parametrize(
    "target",
    [
        Chain(), Chain("question"), Chain("root"), Chain("chat_history", "question"), Engine(), Own(), Chat(), Later(), LaterChain(),
        Pipeline(QUESTION_TWICE),
    ],
)  # fmt: skip
def test_chains_and_engines_are_asked_as_they_are(target: Any, tmp_path: Path) -> None:
    prediction = ask(target, tmp_path)
    assert prediction.answer == "height of Gannet Rock"
    assert [each.id for each in prediction.contexts] == ["gannet-rock"] * isinstance(target, WITH_CONTEXTS)
    if not isinstance(target, Own):
        assert open_given(target, Opening(5)).unsupported["gold"].endswith(" takes no contexts")


def test_a_chat_engine_forgets(tmp_path: Path) -> None:
    chat = Chat()
    assert [ask(chat, tmp_path / str(number)).answer for number in range(2)] == ["height of Gannet Rock"] * 2


@pytest.mark.parametrize(
    ("target", "message"),
    [
        (Chain("question", "tone"), "its invoke() wants question and tone; name a function answer(question) that "
         "calls it with them and returns its result"),
        (Runner(), "its run() is of no framework that is known; name a function answer(question) that calls it and "
         "returns its result"),
        (Pipeline({"loader": {"sources": {"type": list, "is_mandatory": True}}, "find": {"query": {"type": str}}}),
         "its run() wants loader.sources, which takes no question; name a function answer(question) that calls it with "
         "them and returns its result"),
        (Pipeline({"find": {"top_k": {"type": int}}}), "its run() has no input that takes a question, but find.top_k; name "
         "a function answer(question) that calls it with them and returns its result"),
        (Shape(), "it is an object of type SimpleNamespace; name a function answer(question), an object that has one, or one of LangChain, "
         "LlamaIndex or Haystack"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked_as_it_is(target: Any, message: str) -> None:
    with pytest.raises(BenchwrightError) as raised:
        open_given(target, Opening(5))
    assert str(raised.value).partition(" cannot be asked: ")[2] == message


class Finder:
    """Retrieves nothing."""

    def retrieve(self, question: str, k: int) -> list[Any]:
        return []

    def answer(self, question: str, *, contexts: list[str] | None = None) -> str:
        return "x"


class Guarded(Finder):
    """Finds a page when it is asked to, and may not read it for its own answers."""

    def retrieve(self, question: str, k: int) -> list[Any]:
        return ["A page."]

    def answer(self, question: str, *, contexts: list[str] | None = None) -> Any:
        return {"answer": "x", "contexts": [], "usage": {"retrievals": 1}}


def test_an_answer_that_says_it_was_read_from_nothing_is_believed(tmp_path: Path) -> None:
    own = ask(Guarded(), tmp_path)
    assert own.contexts == () and own.retrievals == 1
    assert len(ask(Guarded(), tmp_path / "without", "without-gold").contexts) == 1


def test_a_search_that_finds_nothing_is_a_retrieval(tmp_path: Path) -> None:
    assert ask(Finder(), tmp_path).retrievals == 1
    assert ask(Finder(), tmp_path / "gold", "gold").retrievals == 0
    assert ask(Finder(), tmp_path / "closed", "closed").retrievals == 0
    assert ask(Finder(), tmp_path / "without", "without-gold").retrievals == 1


def test_our_own_types_stay_as_they_are() -> None:
    full = Prediction("q", "x", samples=("a",), contexts=(Context("d", "t", None, 0, 1, 0.5),), usage=Usage(1, 2, 3, 4))
    assert to_prediction(full, "q") == full
    assert to_prediction(dataclasses.asdict(full), "q") == full
