"""The objects of LangChain, LlamaIndex and Haystack themselves, where `scripts/peers frameworks` has installed them."""

import importlib
import itertools
import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from lighthouses import HEIGHTS, lighthouse, make_release
from support import ROOT
from typing_extensions import TypedDict

from benchwright.benchmarks.releases.rows import load_questions
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
        "prompt": prompt,
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

    for number, way in enumerate([langchain["plain"].invoke, model, model.stream, later]):
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


def usage_of(target: Any, tmp_path: Path) -> tuple[int, int, int, int | None]:
    """Calls, tokens in and out, and retrievals of the first answer, after all were checked."""
    found = next(stored_predictions(score(target, tmp_path).folder / "predictions.jsonl"))
    return found.usage.calls, found.usage.input_tokens, found.usage.output_tokens, found.usage.retrievals


def test_a_chain_of_langchain_whose_retriever_is_seen_at_work(langchain: dict[str, Any], tmp_path: Path) -> None:
    """The chain returns a message alone: what was retrieved is known from callbacks."""
    runnables = installed("langchain_core.runnables", "langchain-core")
    messages, models = (
        installed(f"langchain_core.{name}", "langchain-core") for name in ("messages", "language_models")
    )
    counted = messages.AIMessage(SAID, usage_metadata={"input_tokens": 70, "output_tokens": 5, "total_tokens": 75})
    model = models.GenericFakeChatModel(messages=iter([counted] * 30))
    chain = {"context": langchain["retriever"], "input": runnables.RunnablePassthrough()} | langchain["prompt"] | model
    check(chain, tmp_path, contexts=2, matched=2)
    assert usage_of(chain, tmp_path / "usage") == (1, 70, 5, 1)
    pages = langchain["retriever"]

    class Best(type(pages)):
        """Keeps the first of what another one finds: that one's are not what is read."""

        def _get_relevant_documents(self, query: str, *, run_manager: Any = None) -> list[Any]:
            return pages.invoke(query, config={"callbacks": run_manager.get_child()})[:1]

    inner = {"context": Best(), "input": runnables.RunnablePassthrough()} | langchain["prompt"] | langchain["model"]
    check(inner, tmp_path / "inner", contexts=1, matched=1)


def test_asynchronous_parts_of_langchain(langchain: dict[str, Any], tmp_path: Path) -> None:
    runnables = installed("langchain_core.runnables", "langchain-core")

    async def say(given: Any) -> str:
        return SAID

    chain = {"context": langchain["retriever"], "input": runnables.RunnablePassthrough()} | runnables.RunnableLambda(
        say
    )
    check(chain, tmp_path, contexts=2, matched=2)
    check(chain.ainvoke, tmp_path / "async", contexts=0, matched=0)


def test_a_conversation_of_langchain_begins_empty(langchain: dict[str, Any], tmp_path: Path) -> None:
    prompts = installed("langchain_core.prompts", "langchain-core")
    lines = [prompts.MessagesPlaceholder("chat_history"), ("human", "{input}")]
    check(prompts.ChatPromptTemplate.from_messages(lines) | langchain["model"], tmp_path, contexts=0, matched=0)


def test_graphs_of_langgraph(langchain: dict[str, Any], tmp_path: Path) -> None:
    graphs = installed("langgraph.graph", "langgraph")

    class State(TypedDict):
        question: str
        context: list[Any]
        answer: str

    async def read(state: State) -> dict[str, Any]:
        return {"answer": (await langchain["model"].ainvoke(state["question"])).content}

    graph = graphs.StateGraph(State)
    graph.add_node("find", lambda state: {"context": langchain["retriever"].invoke(state["question"])})
    graph.add_node("read", read)
    graph.add_edge(graphs.START, "find")
    graph.add_edge("find", "read")
    check(graph.compile(), tmp_path, contexts=2, matched=2)

    def talk(state: Any) -> dict[str, Any]:
        langchain["retriever"].invoke(state["messages"][-1].content)
        return {"messages": [langchain["model"].invoke(state["messages"])]}

    talking = graphs.StateGraph(graphs.MessagesState)
    talking.add_node("talk", talk)
    talking.add_edge(graphs.START, "talk")
    check(talking.compile(), tmp_path / "messages", contexts=2, matched=2)


@pytest.fixture
def llama_index() -> Any:
    """An index of the pages, without a network: the model repeats itself, all embeddings are alike."""
    core = installed("llama_index.core", "llama-index-core")
    embeddings, llms = core.MockEmbedding(embed_dim=4), installed("llama_index.core.llms", "llama-index-core")
    pages = [core.Document(text=page.body, id_=page.id) for page in PAGES]
    index = core.VectorStoreIndex.from_documents(pages, embed_model=embeddings)

    def make(is_index: bool = False, **options: Any) -> Any:
        if is_index:
            return index
        return index.as_query_engine(llm=llms.MockLLM(max_tokens=3), similarity_top_k=2, **options)

    return make


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


def test_a_chat_engine_of_llama_index(llama_index: Any, tmp_path: Path) -> None:
    llms = installed("llama_index.core.llms", "llama-index-core")
    index = llama_index(is_index=True)
    engine = index.as_chat_engine(chat_mode="context", llm=llms.MockLLM(max_tokens=3), similarity_top_k=2)
    scored = score(engine, tmp_path)
    found = list(stored_predictions(scored.folder / "predictions.jsonl"))
    assert scored.counts.errors == 0
    assert [len(each.contexts) for each in found] == [2] * 10
    assert scored.counts.contexts.id == 20
    questions = {each.id: each.question for each in load_questions(make_release(tmp_path / "again"), "test")}
    for said in found:  # the model repeats what it is given: of other questions there is nothing in it
        assert not [other for name, other in questions.items() if name != said.id and other in (said.answer or "")]


def test_a_workflow_of_llama_index(llama_index: Any, tmp_path: Path) -> None:
    workflows = installed("llama_index.core.workflow", "llama-index-core")
    engine = llama_index()

    class Asking(workflows.StartEvent):
        query: str

    async def plain(self: Any, event: Any) -> Any:
        nodes = await engine.retriever.aretrieve(event.get("query"))
        return workflows.StopEvent(result=SAID if nodes else "")

    async def typed(self: Any, event: Any) -> Any:
        return workflows.StopEvent(result=await engine.aquery(event.query))

    plain.__annotations__.update(event=workflows.StartEvent, **{"return": workflows.StopEvent})
    typed.__annotations__.update(event=Asking, **{"return": workflows.StopEvent})
    plain.__qualname__, typed.__qualname__ = "Flow.plain", "Flow.typed"  # what a class would have called them
    flows = [type("Flow", (workflows.Workflow,), {"ask": workflows.step(each)}) for each in (plain, typed)]
    check(flows[0](), tmp_path, contexts=2, matched=2)
    check(flows[1](), tmp_path / "typed", contexts=2, matched=2, answer="text text text")


def test_an_agent_of_llama_index(llama_index: Any, tmp_path: Path) -> None:
    """It looks once, with a tool, and then answers."""
    agents = installed("llama_index.core.agent.workflow", "llama-index-core")
    llms, tools = (installed(f"llama_index.core.{name}", "llama-index-core") for name in ("llms", "tools"))
    steps = itertools.cycle(
        ['Thought: I must look.\nAction: find\nAction Input: {"input": "height"}', f"Thought: I know.\nAnswer: {SAID}"]
    )

    class Model(llms.CustomLLM):
        @property
        def metadata(self) -> Any:
            return llms.LLMMetadata()

        def complete(self, prompt: str, **_: Any) -> Any:
            return llms.CompletionResponse(text=next(steps))

        def stream_complete(self, prompt: str, **_: Any) -> Any:
            yield llms.CompletionResponse(text=(said := next(steps)), delta=said)

    find = tools.QueryEngineTool.from_defaults(llama_index(), name="find", description="finds pages")
    agent = agents.ReActAgent(tools=[find], llm=Model(), streaming=False)
    scored = score_system(
        make_release(tmp_path / "releases"), agent, output=tmp_path / "runs", name="it", options=Options(workers=1)
    )
    found = list(stored_predictions(scored.folder / "predictions.jsonl"))
    assert {(each.answer, len(each.contexts), each.usage.retrievals) for each in found} == {(SAID, 2, 1)}
    assert scored.counts.contexts.id == 20


def test_an_engine_of_llama_index_that_hides_its_nodes(llama_index: Any, tmp_path: Path) -> None:
    engines = installed("llama_index.core.query_engine", "llama-index-core")
    retriever = llama_index().retriever

    class Silent(engines.CustomQueryEngine):
        def custom_query(self, query_str: str) -> str:
            return SAID if retriever.retrieve(query_str) else ""

    check(Silent(), tmp_path, contexts=2, matched=2)


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


@pytest.fixture
def haystack() -> dict[str, Any]:
    """A pipeline that finds, ranks, fills a prompt and has a model answer; and its parts."""
    module = installed("haystack", "haystack-ai")
    builders = installed("haystack.components.builders", "haystack-ai")
    memory = installed("haystack.document_stores.in_memory", "haystack-ai")
    retrieval = installed("haystack.components.retrievers.in_memory", "haystack-ai")
    messages = installed("haystack.dataclasses", "haystack-ai")
    store = memory.InMemoryDocumentStore()
    store.write_documents([module.Document(content=page.body, meta={"source_id": page.id}) for page in PAGES])

    class Model:
        def run(self, messages: Any) -> dict[str, Any]:
            meta = {"usage": {"prompt_tokens": 70, "completion_tokens": 5}}
            return {"replies": [chat_message.from_assistant(SAID, meta=meta)]}

    class First:
        def run(self, documents: Any) -> dict[str, Any]:
            return {"documents": documents[:1]}

    chat_message = messages.ChatMessage
    Model.run.__annotations__["messages"] = list[chat_message]
    First.run.__annotations__["documents"] = list[module.Document]
    module.component.output_types(replies=list[chat_message])(Model.run)
    module.component.output_types(documents=list[module.Document])(First.run)
    pipeline = module.Pipeline()
    prompt = [chat_message.from_user("{{question}} {% for each in documents %}{{each.content}}{% endfor %}")]
    parts = {
        "model": module.component(Model)(),
        "prompt": builders.ChatPromptBuilder(prompt),
        "ranker": module.component(First)(),
        "retriever": retrieval.InMemoryBM25Retriever(store, top_k=2),
    }
    for name, part in parts.items():
        pipeline.add_component(name, part)
    pipeline.connect("retriever.documents", "ranker.documents")
    pipeline.connect("ranker.documents", "prompt.documents")
    pipeline.connect("prompt.prompt", "model.messages")
    return {"module": module, "pipeline": pipeline, "builders": builders, **parts}


def test_a_pipeline_of_haystack_as_it_is(haystack: dict[str, Any], tmp_path: Path) -> None:
    check(haystack["pipeline"], tmp_path, contexts=1, matched=1)  # what the ranker kept
    assert usage_of(haystack["pipeline"], tmp_path / "usage")[1:3] == (70, 5)


def test_a_pipeline_of_haystack_with_a_builder_of_answers(haystack: dict[str, Any], tmp_path: Path) -> None:
    pipeline = haystack["pipeline"]
    pipeline.add_component("answers", haystack["builders"].AnswerBuilder())
    pipeline.connect("retriever.documents", "answers.documents")
    pipeline.connect("model.replies", "answers.replies")
    check(pipeline, tmp_path, contexts=2, matched=2)


def test_a_pipeline_of_haystack_as_one_component(haystack: dict[str, Any], tmp_path: Path) -> None:
    component = haystack["module"].SuperComponent(
        haystack["pipeline"], input_mapping={"query": ["retriever.query", "prompt.question"]},
        output_mapping={"model.replies": "replies"},
    )  # fmt: skip
    check(component, tmp_path, contexts=0, matched=0)


def test_a_pipeline_of_haystack_that_wants_more(haystack: dict[str, Any], tmp_path: Path) -> None:
    from benchwright.benchmarks.errors import BenchwrightError

    pipeline = haystack["module"].Pipeline()
    pipeline.add_component("answers", haystack["builders"].AnswerBuilder())
    with pytest.raises(BenchwrightError, match=r"its run\(\) wants answers.replies, which takes no question"):
        score(pipeline, tmp_path)


@pytest.mark.parametrize(
    ("file", "name", "package"),
    [
        ("my_chain.py", "chain", "langchain-core"),
        ("my_engine.py", "engine", "llama-index-core"),
        ("my_pipeline.py", "pipeline", "haystack-ai"),
    ],
)
def test_the_examples_of_the_guide(
    file: str, name: str, package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed(
        {"haystack-ai": "haystack"}.get(package, package.replace("-", "_").replace("_index_", "_index.")), package
    )
    page = (ROOT / "cards" / "guides" / "plug-in.md").read_text()
    example = page.split(f"<!-- file: {file} -->\n\n```python\n")[1].split("\n```")[0]
    (tmp_path / file).write_text(example)
    monkeypatch.syspath_prepend(str(tmp_path))
    scored = score(f"{file.removesuffix('.py')}:{name}", tmp_path)
    assert (scored.counts.predictions, scored.counts.errors, scored.counts.contexts.id) == (10, 0, 0)
    assert scored.counts.contexts.foreign >= 5  # keyword search finds none for some questions


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
