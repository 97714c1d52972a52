"""Traces as systems: tables, and spans of OpenTelemetry as its own SDK wrote them."""

import csv
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from make_spans import ASKED, write_spans
from support import ROOT

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.predictions import Context, Prediction, Usage
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.runs.plan import Options
from benchwright.benchmarks.runs.score_system import Scored, score_system
from benchwright.benchmarks.runs.store import stored_predictions
from benchwright.benchmarks.systems.opening import kind_of_system

SPANS = ROOT / "tests" / "cases" / "spans"
QUESTIONS = [question.question for question in ASKED]
Score = Callable[..., Scored]


@pytest.fixture
def score(release: Release, tmp_path: Path) -> Score:
    def call(file: Path, **options: Any) -> Scored:
        return score_system(release, str(file), output=tmp_path / "runs", name="it", options=Options(**options))

    return call


def said(scored: Scored) -> list[Prediction]:
    return list(stored_predictions(scored.folder / "predictions.jsonl"))


def table(path: Path, *rows: Sequence[str], delimiter: str = ",") -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, delimiter=delimiter).writerows(rows)
    return path


def test_a_table_of_traces(score: Score, tmp_path: Path) -> None:
    file = table(
        tmp_path / "my traces.tsv",
        ["User Query", "Generated Answer", "retrievedContexts", "context_ids", "latency_ms", "prompt_tokens", "user"],
        [QUESTIONS[0], "31 m", json.dumps(["one", "two"]), "gannet-rock; x", "1500", "12", "ann"],
        [f"  {QUESTIONS[1].upper()}", "31 m", "['three']", "y", "0,5", "", "ann"],
        [QUESTIONS[0], "30 m", "", "", "", "", "bob"],
        ["What is love?", "x", "", "", "", "", ""],
        [QUESTIONS[2], "", "", "", "", "", ""],
        [QUESTIONS[3], "24 m", "", "", "fast", "", ""],
        [],
        delimiter="\t",
    )
    scored = score(file)
    first, second, again, failed = said(scored)
    assert (first.id, first.answer, first.latency, first.usage) == (ASKED[0].id, "31 m", 1.5, Usage(input_tokens=12))
    assert first.contexts == (Context("gannet-rock", "one"), Context("x", "two"))
    assert (second.id, second.latency, second.contexts) == (ASKED[1].id, 0.0005, (Context("y", "three"),))
    assert (again.id, again.repeat, again.retrievals, again.contexts) == (ASKED[0].id, 1, 1, ())
    assert (failed.id, failed.error) == (ASKED[2].id, "no answer")
    assert scored.told == (
        "traces of a system that answered elsewhere: question: User Query, answer: Generated Answer, contexts: "
        "retrievedContexts, context_ids: context_ids, input_tokens: prompt_tokens, latency_ms: latency_ms; not read: user"
    )
    assert scored.warnings == (
        "my traces.tsv: 1 line of it is no prediction and was left out: line 7: latency_ms is no number: 'fast'",
        "my traces.tsv: 1 trace is of no question of the split and left out: line 5: “What is love?”",
    )
    assert (scored.counts.predictions, scored.counts.missing) == (4, 7)


def test_columns_as_they_are_said(score: Score, tmp_path: Path) -> None:
    rows = [["input", "a", "b", "context 2", "context 1"], [QUESTIONS[0], "31 m", "no", "second", "first"]]
    scored = score(table(tmp_path / "t.csv", *rows), columns="answer=a,contexts=")
    assert [(each.answer, each.contexts) for each in said(scored)] == [("31 m", ())]
    numbered = score(table(tmp_path / "u.csv", *rows), columns="answer=a", again=True)
    assert [context.text for context in said(numbered)[0].contexts] == ["first", "second"]


@pytest.mark.parametrize(
    ("header", "columns", "error", "message"),
    [
        ("question,answer", "anwer=x", UsageError, "columns: there is no 'anwer': did you mean answer?"),
        (
            "question,answer",
            "answer=anser",
            UsageError,
            "t.csv has no column 'anser', which is to be answer: did you mean answer?",
        ),
        (
            "question,text",
            None,
            BenchwrightError,
            "no column of t.csv is named as answers are: it has question, text; say which is what with --columns "
            "question=COLUMN,answer=COLUMN",
        ),
        ("", None, BenchwrightError, "t.csv holds no rows"),
        (
            "question,answer\nWho?,Me",
            None,
            BenchwrightError,
            "t.csv holds no prediction: none of its 1 traces asks a question of it; the first, line 2: “Who?”",
        ),
        (
            "question,answer",
            None,
            BenchwrightError,
            "t.csv holds no prediction: write one JSON object a line, with 'id' and 'answer'",
        ),
    ],
)
def test_tables_that_are_none(
    score: Score, tmp_path: Path, header: str, columns: str | None, error: type[Exception], message: str
) -> None:
    (tmp_path / "t.csv").write_text(header + "\n" if header else "")
    with pytest.raises(error) as raised:
        score(tmp_path / "t.csv", columns=columns)
    assert str(raised.value) == message


@pytest.mark.parametrize("name", ["otlp.jsonl", "console.json"])
def test_spans_as_the_sdk_writes_them(score: Score, name: str) -> None:
    check_spans(score(SPANS / name), name)


def test_spans_that_are_made_now(score: Score, tmp_path: Path) -> None:
    """Where `scripts/peers traces` has installed the SDK: it may write otherwise than when the samples were made."""
    pytest.importorskip("opentelemetry.sdk", reason="opentelemetry-sdk is not installed: scripts/peers traces")
    write_spans(tmp_path)
    for name in ("otlp.jsonl", "console.json"):
        check_spans(score(tmp_path / name, again=True), name)


def check_spans(scored: Scored, name: str) -> None:
    found = said(scored)
    by_key = {(each.id, each.repeat): each for each in found}
    assert list(by_key) == [
        (ASKED[place].id, repeat) for place, repeat in [(0, 0), (0, 1), *((n, 0) for n in range(2, 8))] if place != 1
    ]
    for repeat in (0, 1):
        chain = by_key[ASKED[0].id, repeat]
        assert chain.answer == f"31 metres, said {repeat + 1} times."
        assert chain.usage == Usage(input_tokens=11, output_tokens=5, calls=1, retrievals=1)
        assert [context.text for context in chain.contexts] == ["Its height is known.", "Nothing else is."]
        assert chain.latency is not None and 0 < chain.latency < 60
    for place in range(2, 7):
        agent = by_key[ASKED[place].id, 0]
        assert (agent.answer, agent.error) == ("18 metres", None)
        assert agent.usage == Usage(input_tokens=101, output_tokens=7, calls=1, retrievals=2)
        assert agent.contexts == (Context("old-hook", score=0.9), Context("mine", "A text of its own.", score=0.1))
    assert by_key[ASKED[7].id, 0].error == "the index is down"
    (warning,) = scored.warnings
    assert warning.startswith(f"{name}: 1 trace is of no question of the split and left out: line ")
    assert warning.endswith(": “Question: What is the meaning of life?”")
    assert (scored.counts.errors, scored.counts.missing) == (1, 3)


def otlp(*spans: Mapping[str, Any]) -> str:
    """Spans as an exporter sends them, each with its attributes as plain values."""

    def value(held: Any) -> Mapping[str, Any]:
        if isinstance(held, list):
            return {"arrayValue": {"values": [value(each) for each in held]}}
        if isinstance(held, dict):
            return {"kvlistValue": {"values": [{"key": key, "value": value(each)} for key, each in held.items()]}}
        return {"intValue": str(held)} if isinstance(held, int) else {"stringValue": held}

    listed = [
        {
            "traceId": "t",
            "spanId": str(number),
            "startTimeUnixNano": str(number * 10**9),
            "endTimeUnixNano": str((20 - number) * 10**9),
            **{key: held for key, held in span.items() if key != "attributes"},
            "attributes": [{"key": key, "value": value(held)} for key, held in span.get("attributes", {}).items()],
        }
        for number, span in enumerate(spans, 1)
    ]
    return json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": listed}]}]})


def test_structured_attributes_tools_rerankers_and_older_names(score: Score, tmp_path: Path) -> None:
    kind, question = "openinference.span.kind", QUESTIONS[0]
    documents = [{"id": "a", "score": 1}, {"id": "b", "score": 2}]
    spans = [
        {"attributes": {kind: "AGENT", "input.value": json.dumps({"messages": [{"content": question}]})}},
        {"parentSpanId": "1", "attributes": {kind: "RETRIEVER", "gen_ai.retrieval.documents": documents}},
        {
            "parentSpanId": "1",
            "attributes": {
                kind: "RERANKER",
                "reranker.output_documents.1.document.id": "a",
                "reranker.output_documents.0.document.id": "b",
                "reranker.output_documents.10.document.content": "c",
            },
        },
        {"parentSpanId": "1", "attributes": {kind: "TOOL", "output.value": '[{"text": "from a tool"}]'}},
        {
            "parentSpanId": "1",
            "attributes": {
                "llm.request.type": "chat",
                "gen_ai.completion.0.role": "assistant",
                "gen_ai.completion.0.content": "31 m",
                "gen_ai.usage.prompt_tokens": 3,
            },
        },
        {"parentSpanId": "1", "attributes": {kind: "EVALUATOR", "output.value": "bad", "llm.token_count.prompt": 99}},
    ]
    file = tmp_path / "spans.json"
    file.write_text(otlp(*spans))
    (found,) = said(score(file))
    assert (found.answer, found.latency, found.usage) == ("31 m", 18.0, Usage(input_tokens=3, calls=1, retrievals=1))
    assert found.contexts == (Context("b"), Context("a"), Context(text="c"))
    file.write_text(otlp(spans[0], spans[3], spans[4]))
    assert said(score(file, again=True))[0].contexts == (Context(text="from a tool"),)


def test_spans_that_are_broken(score: Score, tmp_path: Path) -> None:
    ask = {"attributes": {"input.value": QUESTIONS[0], "output.value": "31 m"}}
    loop = [{"parentSpanId": "2", **ask}, {"parentSpanId": "1"}, {"parentSpanId": "3"}]
    lines = [otlp(*loop), '{"resourceSpans": [{', "null", '{"resourceMetrics": []}', '{"traceId": 7, "attributes": {}}']
    file = tmp_path / "spans.jsonl"
    file.write_text("\n".join(lines))
    scored = score(file)
    assert [(each.id, each.answer) for each in said(scored)] == [(ASKED[0].id, "31 m")]
    assert scored.counts.bad_lines.count == 2  # the cut one takes the next line with it
    assert scored.counts.bad_lines.first[0] == "line 2: not JSON: it may be cut off"
    silent = otlp({"attributes": {"gen_ai.operation.name": "chat", "question.id": ASKED[0].id}})
    file.write_text(silent)
    with pytest.raises(BenchwrightError, match="the trace holds no answer: was content recorded"):
        score(file, again=True)


def test_which_files_are_traces(tmp_path: Path) -> None:
    names = {
        "a.csv": ("", "trace-file"),
        "b.jsonl": ('{"id": "x", "answer": "trace_id"}', "predictions-file"),
        "c.jsonl": (otlp(), "trace-file"),
        "d.json": ((SPANS / "console.json").read_text()[:2000], "trace-file"),
        "e.json": ("{}", None),
    }
    for name, (text, kind) in names.items():
        (tmp_path / name).write_text(text)
        assert getattr(kind_of_system(str(tmp_path / name)), "name", None) == kind, name
