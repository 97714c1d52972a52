"""Writes spans as OpenTelemetry's own SDK prints and encodes them: `python make_spans.py FOLDER`.

It runs where `scripts/peers traces` has installed the SDK and LangChain with OpenInference's instrumentation. What it
wrote once lies in `tests/cases/spans`, so that the readers are tested without them, too.
"""

# pyright: reportMissingImports=false

import base64
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lighthouses import HEIGHTS, questions

ASKED = [question for name, height in HEIGHTS.items() for question in questions(name, height)]


def write_spans(folder: Path) -> None:
    """Writes `console.json` and `otlp.jsonl`: the same traces, of a LangChain chain and of a system of one's own."""
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import ConsoleSpanExporter, SimpleSpanProcessor

    provider = TracerProvider()
    with (folder / "console.json").open("w") as console, (folder / "otlp.jsonl").open("w") as lines:
        provider.add_span_processor(SimpleSpanProcessor(ConsoleSpanExporter(out=console)))
        provider.add_span_processor(SimpleSpanProcessor(_otlp_exporter(lines)))
        _langchain(provider)
        _own(provider.get_tracer("my-rag"))
        provider.shutdown()


def _otlp_exporter(file: Any) -> Any:
    """Writes a line for each export, as the collector's file exporter does: with ids in hexadecimal digits."""
    from google.protobuf.json_format import MessageToDict
    from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
    from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult

    class Exporter(SpanExporter):
        def export(self, spans: Any) -> Any:
            file.write(json.dumps(_with_hex(MessageToDict(encode_spans(spans)))) + "\n")
            return SpanExportResult.SUCCESS

    return Exporter()


def _with_hex(value: Any, key: str = "") -> Any:
    if isinstance(value, dict):
        return {name: _with_hex(held, name) for name, held in value.items()}
    if isinstance(value, list):
        return [_with_hex(each) for each in value]
    return base64.b64decode(value).hex() if key in ("traceId", "spanId", "parentSpanId") else value


def _langchain(provider: Any) -> None:
    """A chain that retrieves, asks and parses: the first question, twice."""
    from langchain_core.documents import Document
    from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
    from langchain_core.messages import AIMessage
    from langchain_core.output_parsers import StrOutputParser
    from langchain_core.prompts import ChatPromptTemplate
    from langchain_core.retrievers import BaseRetriever
    from langchain_core.runnables import RunnablePassthrough
    from openinference.instrumentation.langchain import LangChainInstrumentor

    class Retriever(BaseRetriever):
        def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Any]:
            return [
                Document(page_content="Its height is known.", metadata={"source": "docs/gannet-rock.txt"}, id="c1"),
                Document(page_content="Nothing else is."),
            ]

    LangChainInstrumentor().instrument(tracer_provider=provider)
    usage = {"input_tokens": 11, "output_tokens": 5, "total_tokens": 16}
    replies = [AIMessage(content=f"31 metres, said {number} times.", usage_metadata=usage) for number in (1, 2)]
    prompt = ChatPromptTemplate.from_template("Answer from:\n{context}\nQuestion: {question}")
    model = GenericFakeChatModel(messages=iter(replies))
    given = {"context": Retriever(), "question": RunnablePassthrough()}
    chain = given | prompt | model | StrOutputParser()
    for _ in replies:
        chain.invoke(ASKED[0].question)
    LangChainInstrumentor().uninstrument()


def _own(tracer: Any) -> None:
    """Spans by the GenAI conventions: by id, by the last line of a prompt, three in one trace, one that failed."""
    from opentelemetry.trace import StatusCode

    _agent(tracer, "a question that was rewritten", {"benchwright.question.id": ASKED[2].id})
    _agent(tracer, ASKED[3].question, {})
    _agent(tracer, "What is the meaning of life?", {})
    with tracer.start_as_current_span("a batch"):
        for question in ASKED[4:7]:
            _agent(tracer, question.question, {})
    with tracer.start_as_current_span("ask", attributes={"input.value": ASKED[7].question}) as span:
        span.add_event("exception", {"exception.type": "ConnectionError", "exception.message": "the index is down"})
        span.set_status(StatusCode.ERROR, "ConnectionError")


def _agent(tracer: Any, question: str, attributes: Mapping[str, str]) -> None:
    found = [{"id": "old-hook", "score": 0.9}, {"id": "mine", "score": 0.1, "content": "A text of its own."}]
    asked = [{"type": "text", "content": f"Read this:\nsome text\n\nQuestion: {question}"}]
    said = [{"type": "text", "content": "18 metres"}]
    agent = {"gen_ai.operation.name": "invoke_agent", "gen_ai.usage.input_tokens": 101, **attributes}
    search = {
        "gen_ai.operation.name": "retrieval",
        "gen_ai.retrieval.query.text": "words to search for",
        "gen_ai.retrieval.documents": json.dumps(found),
    }
    chat = {
        "gen_ai.operation.name": "chat",
        "gen_ai.usage.input_tokens": 101,
        "gen_ai.usage.output_tokens": 7,
        "gen_ai.input.messages": json.dumps([{"role": "user", "parts": asked}]),
        "gen_ai.output.messages": json.dumps([{"role": "assistant", "parts": said, "finish_reason": "stop"}]),
    }
    with tracer.start_as_current_span("invoke_agent", attributes=agent):
        for name, each in (("retrieval", search), ("retrieval", search), ("chat", chat)):
            tracer.start_span(name, attributes=each).end()


if __name__ == "__main__":
    write_spans(Path(sys.argv[1]))
