"""The objects of LangChain, LlamaIndex and Haystack themselves, where `scripts/peers frameworks` has installed them."""

import importlib
import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from lighthouses import HEIGHTS, lighthouse, make_release

from benchwright.benchmarks.runs.plan import Options
from benchwright.benchmarks.runs.score_system import Scored, score_system
from benchwright.benchmarks.runs.store import stored_predictions

PAGES = [lighthouse(name, height) for name, height in HEIGHTS.items()]
SAID = "It is 31 metres tall."


def installed(module: str, package: str) -> Any:
    """A module of a framework; without it the test is skipped, and says which package it wants."""
    if os.environ.get("BENCHWRIGHT_REQUIRE_FRAMEWORKS"):
        return importlib.import_module(module)
    return pytest.importorskip(module, reason=f"{package} is not installed: scripts/peers frameworks")


def score(target: Any, tmp_path: Path) -> Scored:
    release = make_release(tmp_path / "releases")
    return score_system(release, target, output=tmp_path / "runs", name="it", options=Options())


def check(target: Any, tmp_path: Path, *, contexts: int, matched: int, answer: str = SAID) -> None:
    """Each question got the answer and so many contexts, of which so many were matched to the corpus by id."""
    scored = score(target, tmp_path)
    assert (scored.counts.predictions, scored.counts.errors, scored.counts.cut) == (10, 0, 0)
    found = list(stored_predictions(scored.folder / "predictions.jsonl"))
    assert {each.answer for each in found} == {answer}
    assert [len(each.contexts) for each in found] == [contexts] * 10
    assert all(context.text for each in found for context in each.contexts)
    assert (scored.counts.contexts.id, scored.counts.contexts.foreign) == (10 * matched, 0)


@pytest.fixture
def langchain() -> dict[str, Any]:
    """A retriever, a prompt, a model that says one thing, and chains of them."""
    documents, retrievers, runnables, prompts, models = (
        installed(f"langchain_core.{name}", "langchain-core")
        for name in ("documents", "retrievers", "runnables", "prompts", "language_models")
    )
    pages = [documents.Document(page_content=page.body, metadata={"source": f"/data/{page.id}.txt"}) for page in PAGES]

    class Pages(retrievers.BaseRetriever):
        def _get_relevant_documents(self, query: str, *, run_manager: Any = None) -> list[Any]:
            return pages[:2]

    prompt = prompts.ChatPromptTemplate.from_template("Answer {input} from {context}")
    model = models.FakeListChatModel(responses=[SAID])
    found = runnables.RunnablePassthrough.assign(context=(lambda given: given["input"]) | Pages())
    return {
        "retriever": Pages(),
        "model": model,
        "retrieval": found.assign(answer=prompt | model),
        "plain": {"context": Pages(), "input": runnables.RunnablePassthrough()} | prompt | model,
        "failing": found.assign(answer=prompt | runnables.RunnableLambda(lambda given: 1 / 0)),
    }


def test_a_chain_of_langchain(langchain: dict[str, Any], tmp_path: Path) -> None:
    chain = langchain["retrieval"]

    def stream(question: str) -> Iterator[Any]:
        yield from chain.stream({"input": question})

    async def later(question: str) -> AsyncIterator[Any]:
        async for chunk in chain.astream({"input": question}):
            yield chunk

    ways: list[Any] = [chain, lambda question: chain.invoke({"input": question}), stream, later]
    for number, way in enumerate(ways):
        check(way, tmp_path / str(number), contexts=2, matched=2)


def test_a_model_of_langchain(langchain: dict[str, Any], tmp_path: Path) -> None:
    model = langchain["model"]

    async def later(question: str) -> Any:
        return model.astream(question)

    for number, way in enumerate([langchain["plain"], model, model.stream, later]):
        check(way, tmp_path / str(number), contexts=0, matched=0)


def test_a_retriever_of_langchain(langchain: dict[str, Any], tmp_path: Path) -> None:
    class Rag:
        def retrieve(self, question: str, k: int) -> Any:
            return langchain["retriever"].invoke(question)

        def answer(self, question: str) -> Any:
            return langchain["model"].invoke(question)

    check(Rag(), tmp_path, contexts=2, matched=2)


def test_a_failing_chain_of_langchain(langchain: dict[str, Any], tmp_path: Path) -> None:
    from benchwright.benchmarks.errors import BenchwrightError

    with pytest.raises(BenchwrightError, match="at each of its first 5 questions, in the same way: ZeroDivisionError"):
        score(langchain["failing"], tmp_path)


@pytest.fixture
def llama_index() -> Any:
    """An index of the pages, without a network: the model repeats itself, all embeddings are alike."""
    core = installed("llama_index.core", "llama-index-core")
    embeddings, llms = core.MockEmbedding(embed_dim=4), installed("llama_index.core.llms", "llama-index-core")
    pages = [core.Document(text=page.body, id_=page.id) for page in PAGES]
    index = core.VectorStoreIndex.from_documents(pages, embed_model=embeddings)
    return lambda **options: index.as_query_engine(llm=llms.MockLLM(max_tokens=3), similarity_top_k=2, **options)


def test_a_query_engine_of_llama_index(llama_index: Any, tmp_path: Path) -> None:
    engine, streaming = llama_index(), llama_index(streaming=True)
    asynchronous = llama_index(streaming=True, use_async=True)

    async def later(question: str) -> Any:
        return await asynchronous.aquery(question)

    for number, way in enumerate([engine, engine.query, streaming, later]):
        check(way, tmp_path / str(number), contexts=2, matched=2, answer="text text text")


def test_nodes_of_llama_index(llama_index: Any, tmp_path: Path) -> None:
    class Rag:
        def __init__(self) -> None:
            self.engine = llama_index()

        def retrieve(self, question: str, k: int) -> Any:
            return self.engine.retriever.retrieve(question)

        def answer(self, question: str) -> str:
            return SAID

    check(Rag(), tmp_path, contexts=2, matched=2)


def test_a_pipeline_of_haystack(tmp_path: Path) -> None:
    haystack = installed("haystack", "haystack-ai")
    answers = installed("haystack.components.builders", "haystack-ai")
    memory = installed("haystack.document_stores.in_memory", "haystack-ai")
    retrieval = installed("haystack.components.retrievers.in_memory", "haystack-ai")
    messages = installed("haystack.dataclasses", "haystack-ai")
    store = memory.InMemoryDocumentStore()
    store.write_documents([haystack.Document(content=page.body, meta={"source_id": page.id}) for page in PAGES])

    class Model:
        def run(self, query: str) -> dict[str, Any]:
            return {"replies": [messages.ChatMessage.from_assistant(SAID)]}

    Model.run.__annotations__["query"] = str
    haystack.component.output_types(replies=list[messages.ChatMessage])(Model.run)
    pipeline = haystack.Pipeline()
    pipeline.add_component("retriever", retrieval.InMemoryBM25Retriever(store, top_k=2))
    pipeline.add_component("model", haystack.component(Model)())
    pipeline.add_component("builder", answers.AnswerBuilder())
    pipeline.connect("retriever", "builder.documents")
    pipeline.connect("model.replies", "builder.replies")

    def run(question: str) -> Any:
        given = {"query": question}
        return pipeline.run({"retriever": given, "model": given, "builder": given})

    check(run, tmp_path, contexts=2, matched=2)
    check(lambda question: run(question)["builder"]["answers"][0], tmp_path / "one", contexts=2, matched=2)

    def parts(question: str) -> Any:
        given = {"query": question}
        wanted = {"retriever", "model"}
        shown = pipeline.run({"retriever": given, "model": given, "builder": given}, include_outputs_from=wanted)
        return {name: shown[name] for name in wanted}

    check(parts, tmp_path / "parts", contexts=2, matched=2)


def test_completions_of_openai(tmp_path: Path) -> None:
    """The package is a dependency of ours: its own types."""
    from openai.types.chat import ChatCompletion, ChatCompletionChunk

    base = {"id": "1", "created": 1, "model": "m"}
    message = {"role": "assistant", "content": SAID}
    whole = ChatCompletion.model_validate(
        {**base, "object": "chat.completion", "choices": [{"index": 0, "finish_reason": "stop", "message": message}]}
    )
    chunks = [
        ChatCompletionChunk.model_validate(
            {**base, "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"content": part}}]}
        )
        for part in ("It is ", None, "31 metres tall.")
    ]
    check(lambda question: whole, tmp_path, contexts=0, matched=0)
    check(lambda question: iter(chunks), tmp_path / "stream", contexts=0, matched=0)
