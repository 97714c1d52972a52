"""Systems as they are given: what is found by its signature, what a reply becomes, what cannot be asked."""

import itertools
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from lighthouses import make_release
from support import ROOT

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.grounding.chunking import chunk_document
from benchwright.benchmarks.grounding.matching import CorpusMatcher
from benchwright.benchmarks.metrics import ReleaseData, evidence_recall
from benchwright.benchmarks.predictions import Context, Prediction
from benchwright.benchmarks.registry import names
from benchwright.benchmarks.releases.rows import load_documents, load_questions
from benchwright.benchmarks.systems.base import Opening, System
from benchwright.benchmarks.systems.baseline import BASELINES
from benchwright.benchmarks.systems.conditions import gold_passages
from benchwright.benchmarks.systems.opening import kind_of_system, models_of, open_system
from benchwright.benchmarks.systems.replies import to_prediction
from benchwright.benchmarks.text.sentences import PROSE
from benchwright.benchmarks.types import Document, Evidence, Question

FORMS = (
    "command:PROGRAM, http://ADDRESS, openai:MODEL, openai-rag:MODEL, FILE.csv, FILE.toml, FILE.jsonl, "
    "module:object or one of " + ", ".join(names(BASELINES))
)


@pytest.fixture(autouse=True)
def _toys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "tests" / "toy_systems")
    monkeypatch.syspath_prepend(str(ROOT / "tests" / "toy_systems"))


def opened(reference: str, k: int = 5) -> System:
    return open_system(reference, Opening(k))


@pytest.mark.parametrize(
    ("name", "accepts", "is_async", "slug"),
    [
        ("answer", [], False, "toys"),
        ("later", [], True, "toys-later"),
        ("Rag", ["contexts", "index", "retrieve"], False, "toys"),
        ("Rag.answer", None, False, ""),
    ],
)
def test_what_a_signature_says(name: str, accepts: list[str] | None, is_async: bool, slug: str) -> None:
    if accepts is None:
        with pytest.raises(BenchwrightError, match=r"it must take one argument, answer\(question\)"):
            opened(f"toys:{name}", 5)
        return
    system = opened(f"toys:{name}", 5)
    assert (system.settings["accepts"], system.is_async, system.name) == (accepts, is_async, slug)
    assert system.source is not None and len(system.source) == 64


def test_settings_of_an_object_and_k_are_kept() -> None:
    settings = opened("toys:Rag", 3).settings
    assert settings == {
        "accepts": ["contexts", "index", "retrieve"],
        "k": 3,
        "own": {"model": "none", "temperature": 0},
    }


@pytest.mark.parametrize(
    ("reference", "error", "message"),
    [
        ("bm52", UsageError, "there is no system 'bm52': did you mean bm25?"),
        ("oracel", UsageError, "there is no system 'oracel': did you mean oracle?"),
        ("gpt", UsageError, f"there is no system 'gpt': give {FORMS}"),
        ("toys.py", UsageError, "there is no system 'toys.py': name the function too, as toys:answer"),
        (
            "my.json",
            UsageError,
            "there is no system 'my.json': predictions are one JSON object a line, in a file named FILE.jsonl",
        ),
        (
            "localhost:8000/ask",
            UsageError,
            "there is no system 'localhost:8000/ask': write http://localhost:8000/ask for a service",
        ),
        (
            "http://:80",
            UsageError,
            "the system 'http://:80' is not the address of a service: give one such as http://127.0.0.1:8000/ask",
        ),
        (
            "openai:gpt",
            UsageError,
            "the system 'openai:gpt' needs a client: name the model with --model system=NAME",
        ),
        (
            "toy:answer",
            BenchwrightError,
            "the system toy:answer cannot be imported: No module named 'toy'; did you mean toys?",
        ),
        (
            "zzz:answer",
            BenchwrightError,
            f"the system zzz:answer cannot be imported: No module named 'zzz'; it must be installed or in "
            f"{ROOT}/tests/toy_systems",
        ),
        (
            "toys:anser",
            BenchwrightError,
            "the system toys:anser cannot be imported: toys has no 'anser'; did you mean answer?",
        ),
        (
            "toys:NUMBER",
            BenchwrightError,
            "the system toys:NUMBER cannot be asked: it is an object of type int; name a function answer(question), "
            "an object that has one, or one of LangChain, LlamaIndex or Haystack",
        ),
        (
            "toys:two",
            BenchwrightError,
            "the system toys:two cannot be asked: missing a required argument: 'more'; it must take one argument, "
            "answer(question)",
        ),
        (
            "toys:Needy",
            BenchwrightError,
            "the system toys:Needy cannot be made: TypeError: Needy.__init__() missing 1 required positional argument: "
            "'key'; name an object, or a class that needs no arguments",
        ),
        (
            "broken:answer",
            BenchwrightError,
            "the system broken:answer cannot be imported: ZeroDivisionError: division by zero",
        ),
    ],
)
def test_what_cannot_be_asked(reference: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as raised:
        opened(reference)
    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("reference", "kind"),
    [
        ("their.jsonl", "predictions-file"),
        ("a/b.JSONL", "predictions-file"),
        ("a:b.jsonl", "predictions-file"),
        ("bm25", "baseline"),
        ("openai:gpt", "openai"),
        ("openai-rag:gpt", "openai-rag"),
        ("a.b:c.d", "python-object"),
        ("http://x/y.jsonl", "http"),
        ("my/rag.TOML", "http-description"),
        ("bm52", None),
    ],
)
def test_the_kind_of_a_reference(reference: str, kind: str | None) -> None:
    assert getattr(kind_of_system(reference), "name", None) == kind


def test_the_models_that_a_reference_names() -> None:
    assert models_of("openai:gpt-4o") == ("system=gpt-4o",)
    assert models_of("bm25") == models_of("nothing") == ()


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("x", Prediction("q", "x")),
        ({"answer": "x", "id": "other", "condition": "oracle", "repeat": 4}, Prediction("q", "x")),
        (Prediction("other", "x", cost=1.0), Prediction("q", "x", cost=1.0)),
        ({"abstained": True}, Prediction("q", None, abstained=True)),
        (
            {
                "answer": "x",
                "contexts": ("t", {"id": "d", "score": np.float32(0.5)}, {"id": "e", "start": np.int64(1)}),
            },
            Prediction("q", "x", contexts=(Context(text="t"), Context(id="d", score=0.5), Context(id="e", start=1))),
        ),
        ("a\ud800b", Prediction("q", "a?b")),
    ],
)
def test_replies(reply: object, expected: Prediction) -> None:
    assert to_prediction(reply, "q") == expected


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (None, "returned nothing"),
        (7, "returned an object of type int: it must be a text, a dict with 'answer', or a Prediction"),
        (
            {},
            "returned a prediction: no 'answer': every prediction needs 'id' and 'answer' (or 'abstained': true, or an 'error').",
        ),
        ({"answer": 7}, "returned a prediction: 'answer' must be a string, and is 7"),
        (
            {"answer": "x", "contexts": [{"score": 1}]},
            "returned a prediction, context 1 has none of 'id', 'uri' and 'text': give one of them.",
        ),
        ({"answer": {1, 2}}, "returned what is no JSON: an object of type set"),
        (
            {"answer": float("nan")},
            "returned a prediction: no 'answer': every prediction needs 'id' and 'answer' (or "
            "'abstained': true, or an 'error').",
        ),
    ],
)
def test_replies_that_are_none(reply: object, message: str) -> None:
    with pytest.raises(BenchwrightError) as raised:
        to_prediction(reply, "q")
    assert str(raised.value) == message


def test_what_is_too_long_is_cut_and_said() -> None:
    prediction = to_prediction({"answer": "x" * 10_000_000, "contexts": [{"text": "y" * 900_000}] * 3}, "q")
    assert prediction.answer is not None and len(prediction.answer) == 100_000
    assert len(prediction.contexts) == 2
    assert prediction.error == (
        "the answer was cut: 10,000,000 characters, 100,000 are kept; contexts were left out: 2 of 3 are kept"
    )


def test_passages_hold_every_word_in_order_with_their_offsets() -> None:
    text = "Dr. Moor came.  She left.\n\n- Title: Engineer\n- Age: 41\n\n" + "word " * 250 + "end. Ünïcode 🗼 stays."
    document = Document("d", "D", text)
    passages = chunk_document(document, 40)
    assert all(each.text == text[each.start : each.end] for each in passages)
    assert [word for each in passages for word in each.text.split()] == text.split()
    assert all(len(each.text.split()) <= 40 for each in passages)
    assert [first.end <= second.start for first, second in itertools.pairwise(passages)] == [True] * (len(passages) - 1)
    assert chunk_document(Document("e", "E", " \n ")) == []


def test_sentences() -> None:
    text = "One is 1.5 m. Two? “Three!” Four\n- five: 5"
    assert [text[start:end] for start, end in PROSE.spans(text)] == [
        "One is 1.5 m.",
        "Two?",
        "“Three!”",
        "Four",
        "- five: 5",
    ]


CORPUS = {
    "a": Document(
        "a",
        "A",
        "The harbour wall was finished in 1931 by two brothers who had never built one before. It still stands today.",
    ),
    "b": Document(
        "b",
        "B",
        "The harbour master keeps a list of ships that call in winter, and he reads it aloud on Sundays to whoever comes.",
    ),
}


@pytest.mark.parametrize(
    ("context", "document", "start"),
    [
        (Context(id="a"), "a", None),
        (Context(id="a", text="It still stands today."), "a", 86),
        (Context(id="a", text="not in it"), "a", None),
        (Context(id="chunk-1", text="he reads it aloud on Sundays to whoever comes."), "b", 66),
        (
            Context(text="B\nThe  harbour master keeps a list of ships that call in winter, and he reads it aloud"),
            "b",
            0,
        ),
        (
            Context(
                id="chunk-2",
                text="Nothing of this stands in any document of the corpus, however long one looks for it.",
            ),
            None,
            None,
        ),
        (Context(id="chunk-3"), None, None),
        (Context(text="1931"), None, None),
    ],
)
def test_contexts_are_matched(context: Context, document: str | None, start: int | None) -> None:
    matcher = CorpusMatcher(CORPUS)
    (found,) = matcher.match([context])
    assert (found.document, found.start) == (document, start)
    if start is not None:
        assert CORPUS["a" if document == "a" else "b"].body[start : found.end].rstrip() in (context.text or "").replace(
            "  ", " "
        )
    how = "foreign" if document is None else "id" if context.id == document else "text"
    assert matcher.counts == {how: 1}


def test_gold_passages_hold_the_evidence(tmp_path: Path) -> None:
    release = make_release(tmp_path)
    documents = load_documents(release)
    for question in load_questions(release, "test"):
        passages = gold_passages(question, documents)
        assert bool(passages) == bool(question.evidence)
        for passage, evidence in zip(passages, question.evidence, strict=True):
            assert passage.start <= evidence.start and evidence.end <= passage.end
    across = Question("q", "?", evidence=(Evidence("a", 0, 100),))
    assert gold_passages(across, CORPUS)[0].text == CORPUS["a"].text
    whole = Question("q", "?", documents=("b", "gone"))
    assert [passage.text for passage in gold_passages(whole, CORPUS)] == [CORPUS["b"].text]


def test_a_matched_passage_of_another_document_does_not_hold_the_evidence() -> None:
    question = Question("q", "?", evidence=(Evidence("a", 33, 37),))
    rule = evidence_recall.at(5).rule
    assert rule is not None

    def value_of(context: Context) -> float | None:
        scores = rule(ReleaseData((question,), CORPUS))
        return scores([question], [Prediction("q", "x", contexts=(context,))])[0].value

    same, other = Context(id="a", text=CORPUS["a"].body[:60]), Context(id="b", text=CORPUS["b"].body[:60])
    assert CORPUS["a"].body[33:37] == "1931"
    for context, value in ((same, 1.0), (other, 0.0), (replace(other, text="b, in 1931"), 1.0)):
        (matched,) = CorpusMatcher(CORPUS).match([context])
        assert value_of(matched) == value
    decoy = {
        **CORPUS,
        "c": Document("c", "C", "Some other wall of the same year, 1931, is told of here and nowhere else."),
    }
    (matched,) = CorpusMatcher(decoy).match([Context(id="c", text=decoy["c"].text)])
    assert matched.start == 0
    assert value_of(matched) == 0.0


@pytest.mark.parametrize("prefix", ["openai:", "openai-rag:"])
def test_a_model_without_a_name_is_refused(prefix: str) -> None:
    with pytest.raises(UsageError) as error:
        models_of(prefix)
    assert str(error.value) == f"{prefix} names no model: write {prefix}MODEL"


def test_a_json_file_that_is_none_of_ours_is_told_what_it_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my.json").write_text('{"a": 1}')
    with pytest.raises(UsageError) as error:
        open_system("my.json", Opening(5))
    assert str(error.value) == (
        "there is no system 'my.json': it holds no traces of OpenTelemetry; predictions are one JSON object a line, in a "
        "file named FILE.jsonl"
    )
