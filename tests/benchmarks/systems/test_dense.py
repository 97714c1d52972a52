"""Dense retrieval: recursive chunks, vectors of an endpoint and of a folder, the file they are kept in, exact cosine."""

import asyncio
import inspect
import itertools
import threading
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from embedding_models import mean_of, save_onnx, write
from lighthouses import make_release
from model_clients import new_client

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.grounding.recursive_chunking import chunk_recursively, recursive_spans
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.embedding.folder import folder_hash, open_folder
from benchwright.benchmarks.models.settings import ModelSettings, read_settings
from benchwright.benchmarks.releases.rows import load_documents
from benchwright.benchmarks.runs.plan import Options
from benchwright.benchmarks.runs.score_system import score_system
from benchwright.benchmarks.systems.base import Attempt, Opening
from benchwright.benchmarks.systems.hashed_words import hash_words
from benchwright.benchmarks.systems.opening import open_system
from benchwright.benchmarks.systems.vector_file import file_of, open_vectors
from benchwright.benchmarks.types import Document, Question
from benchwright.scripts.servers.openai.server import OpenAIServer


@pytest.mark.parametrize(
    ("text", "characters", "overlap", "chunks"),
    [
        ("", 10, 3, []),
        (" \n\n ", 10, 3, []),
        ("one two", 10, 3, ["one two"]),
        ("first part\n\nsecond part", 12, 0, ["first part", "second part"]),
        ("a b c d e f", 6, 2, ["a b c", "c d e", "e f"]),
        ("a b c d e f", 5, 2, ["a b c", "c d", "d e", "e f"]),
        ("abcdefghij", 4, 1, ["abcd", "defg", "ghij"]),
        ("one\ntwo three four\n\nfive", 10, 3, ["one", "two three", "four", "five"]),
        ("überlänge wörter", 7, 0, ["überlän", "ge", "wörter"]),
    ],
)
def test_recursive_chunks(text: str, characters: int, overlap: int, chunks: list[str]) -> None:
    assert [text[start:end] for start, end in recursive_spans(text, characters, overlap)] == chunks


def test_chunks_of_documents_keep_their_offsets_and_their_title() -> None:
    text = "The keeper speaks of the sea. " * 200 + "\n\nAnd of the light."
    passages = chunk_recursively([Document("d", "Sea", text), Document("e", "Empty", None)])
    assert len(passages) == 8
    assert {each.document for each in passages} == {"d"} and {each.title for each in passages} == {"Sea"}
    assert all(text[each.start : each.end] == each.text for each in passages)
    assert max(len(each.text) for each in passages) == 1023
    overlaps = [one.end - other.start for one, other in itertools.pairwise(passages)]
    assert max(overlaps) == 46


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Document]:
    return load_documents(make_release(tmp_path_factory.mktemp("releases")))


def found(
    name: str, question: str, corpus: dict[str, Document], opening: Opening, **attempt: Any
) -> list[tuple[Any, Any]]:
    """Ids and scores of what is read for a question."""
    answer: Any = open_system(name, opening).prepare(corpus)(Attempt(Question("q", question), **attempt))
    answer = asyncio.run(answer) if inspect.iscoroutine(answer) else answer
    return [(each.id, each.score) for each in answer.contexts]


def test_hashed_words_stand_in_for_a_model(corpus: dict[str, Document]) -> None:
    near = found("dense", "How high is Sable Point?", corpus, Opening(2))
    assert near == [("sable-point", 0.3558), ("cape-farrow", -0.0298)]
    assert found("naive-rag", "tall Old Hook", corpus, Opening(9))[0][0] == "old-hook"
    assert len(found("dense", "xyzzy", corpus, Opening(9))) == 4
    assert found("dense", "of the?", corpus, Opening(9)) == []
    kept = found("dense", "Sable Point", corpus, Opening(9), without=frozenset({"sable-point"}))
    assert sorted(name for name, _ in kept) == ["cape-farrow", "gannet-rock", "old-hook"]
    assert found("dense", "Sable Point", {}, Opening(3)) == []


def test_what_each_says_of_itself() -> None:
    dense, naive = (open_system(name, Opening(5)) for name in ("dense", "naive-rag"))
    assert dense.description == (
        "takes the 5 passages nearest to the question by the cosine of vectors of hashed words, built in and no model; "
        "the built-in extractive reader, a program of rules and no language model, answers from it"
    )
    assert naive.description.startswith(
        "cuts documents recursively into chunks of at most 1,024 characters with 48 of overlap, puts the title before each"
    )
    assert dict(naive.settings) == {
        "reader": "extractive",
        "k": 5,
        "chunk_characters": 1024,
        "chunk_overlap": 48,
        "embedder": "hashed words",
    }


def test_an_endpoint_makes_the_vectors_once(tmp_path: Path, corpus: dict[str, Document]) -> None:
    release = make_release(tmp_path / "releases")
    with OpenAIServer() as server:
        for start, expected in enumerate((1, None)):
            with new_client(server.url, tmp_path / "cache", model="m") as client:
                scored = score_system(
                    release, "naive-rag", output=tmp_path / f"runs{start}", options=Options(k=1), client=client
                )
                assert scored.folder.name == "naive-rag-m-m"
                calls = {step: costs.calls for (step, _), costs in client.ledger.by_step.items()}
                assert calls.get("vectors of passages") == expected, "a second start reads them from their file"
                assert client.ledger.by_step["vectors of questions", "embedder"].reused == 10 * start
        given = [request.body["input"] for request in server.requests if request.path.endswith("/embeddings")]
        texts = sorted(corpus[name].title + "\n" + corpus[name].body for name in corpus)
        assert sorted(given[0]) == texts, "the title stands before every chunk"
        assert len(list((tmp_path / "vectors").iterdir())) == 1


def test_what_an_estimate_counts(tmp_path: Path, corpus: dict[str, Document]) -> None:
    with new_client("http://127.0.0.1:9/v1", tmp_path / "cache", estimate=True) as client:
        assert len(found("dense", "Sable Point", corpus, Opening(2, client))) == 2
        calls = {
            step: (costs.calls, costs.input_tokens > 10) for (step, _), costs in client.expected_ledger.by_step.items()
        }
        assert calls == {"vectors of passages": (1, True), "vectors of questions": (1, False), "answers": (1, True)}


def test_an_endpoint_that_gives_no_vectors(tmp_path: Path, corpus: dict[str, Document]) -> None:
    with (
        OpenAIServer(models=["other"]) as server,
        new_client(server.url, tmp_path / "cache") as client,
        pytest.raises(BenchwrightError, match="The model `m` does not exist"),
    ):
        open_system("dense", Opening(2, client)).prepare(corpus)


def test_an_estimate_leaves_no_gap_in_the_file(tmp_path: Path) -> None:
    """Of three batches the first and the last are kept replies: what is written must stand in its place."""
    told = {f"d{place}": Document(f"d{place}", "", f"tower{place} of stone") for place in range(520)}
    texts = [document.body for document in told.values()]
    with OpenAIServer() as server:
        with new_client(server.url, tmp_path / "cache") as client:
            for batch in (texts[:256], texts[512:]):
                asyncio.run(client.embed("embedder", batch, step="before"))
        with new_client(server.url, tmp_path / "cache", estimate=True) as client:
            assert len(found("dense", "tower515", told, Opening(1, client))) == 1
            assert client.expected_ledger.by_step["vectors of passages", "embedder"].calls == 1
        with new_client(server.url, tmp_path / "cache") as client:
            assert [found("dense", f"tower{place}", told, Opening(1, client))[0][0] for place in (3, 300, 515)] == [
                "d3",
                "d300",
                "d515",
            ]
            asked = client.ledger.by_step["vectors of passages", "embedder"].calls
        with new_client(server.url, tmp_path / "cache", fresh=True) as client:
            found("dense", "tower3", told, Opening(1, client))
            assert (asked, client.ledger.by_step["vectors of passages", "embedder"].calls) == (1, 3), "--no-cache"


def rows(first: int, last: int) -> np.ndarray:
    return np.eye(8, dtype=np.float32)[first:last]


def test_a_file_of_vectors_goes_on_where_it_stopped(tmp_path: Path) -> None:
    texts = [f"text {number}" for number in range(8)]
    path = file_of(tmp_path / "new", "a model", texts)
    asked: list[list[str]] = []

    def embed(wanted: Iterator[str], stop: int = 8) -> Iterator[np.ndarray]:
        left = list(wanted)
        asked.append(left)
        for start in range(8 - len(left), 8, 2):
            if start >= stop:
                raise KeyboardInterrupt
            yield rows(start, start + 2)

    with pytest.raises(KeyboardInterrupt):
        open_vectors(path, texts, lambda wanted: embed(iter(wanted), stop=4))
    with path.open("ab") as file:
        file.write(b"half a row")
    assert np.array_equal(open_vectors(path, texts, lambda wanted: embed(iter(wanted))).rows, rows(0, 8))
    assert [len(each) for each in asked] == [8, 4]
    whole = open_vectors(path, texts, lambda wanted: pytest.fail("they are there"))
    assert whole.similar(rows(3, 4)[0]).tolist() == [0, 0, 0, 1, 0, 0, 0, 0]
    with pytest.raises(BenchwrightError, match="gave 3 numbers for a question and 8 for a passage"):
        whole.similar(np.zeros(3, dtype=np.float32))
    path.write_bytes(b"something else")
    assert len(open_vectors(path, texts, lambda wanted: embed(iter(wanted))).rows) == 8
    others = {
        file_of(tmp_path, "a model", texts[:7]),
        file_of(tmp_path, "b", texts),
        file_of(tmp_path, "a model", texts),
    }
    assert len(others) == 3


def test_two_commands_make_the_same_vectors_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    asked: list[int] = []
    second = threading.Thread(
        target=lambda: open_vectors(tmp_path / "v", ["x"], lambda texts: iter([asked.append(2) or rows(1, 2)]))
    )

    def embed(texts: Iterable[str]) -> Iterator[np.ndarray]:
        second.start()
        while "waiting for them" not in caplog.text and second.is_alive():
            second.join(timeout=0.01)
        asked.append(1)
        yield rows(0, 1)

    assert np.array_equal(open_vectors(tmp_path / "v", ["x"], embed).rows, rows(0, 1))
    second.join(timeout=60)
    assert asked == [1], "the second finds what the first has made"
    assert "another command is making vectors of the same passages: waiting for them" in caplog.text


def test_vectors_that_are_not_alike(tmp_path: Path) -> None:
    with pytest.raises(BenchwrightError, match="gave 4 numbers for a text and 8 before"):
        open_vectors(tmp_path / "a", ["x", "y"], lambda texts: iter([rows(0, 1), np.eye(4, dtype=np.float32)[:1]]))
    with pytest.raises(BenchwrightError, match="gave 1 vectors for 2 texts"):
        open_vectors(tmp_path / "b", ["x", "y"], lambda texts: iter([rows(0, 1)]))
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(BenchwrightError, match=r"the vectors cannot be kept in .*: "):
        open_vectors(tmp_path / "file" / "c", ["x"], lambda texts: iter([rows(0, 1)]))


def test_hashed_words_know_words_and_nothing_else() -> None:
    same, turned, other, none = hash_words(["two grey towers", "towers, grey: two", "a fish", "of the"])
    assert np.array_equal(same, turned)
    assert abs(float(same @ other)) < 0.2
    assert not none.any() and abs(float(same @ same) - 1) < 1e-6


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for module in ("onnx", "onnxruntime", "tokenizers"):
        pytest.importorskip(module, reason=f"{module} is not installed: pip install -e '.[dev]'")
    return tmp_path / "model"


def test_a_model_in_a_folder_by_the_mean(folder: Path) -> None:
    words = save_onnx(folder)
    texts = ["Sable Point height", "rock", "who knows this"]
    expected = np.stack([mean_of(words, text) for text in texts])
    assert np.abs(open_folder(folder).embed(texts) - expected).max() < 1e-6, "however long the others of a batch are"
    assert open_folder(folder).embed([]).shape == (0, 0)


def test_a_model_in_a_folder_as_it_is_configured(folder: Path) -> None:
    words = save_onnx(folder, pooling="cls_token", prompts={"query": "query ", "document": "rock "})
    first = words[2] / np.linalg.norm(words[2])
    assert np.abs(open_folder(folder).embed(["Sable"]) - first).max() < 1e-6
    words = save_onnx(folder, pooling="mean_tokens")
    opened = open_folder(folder)
    assert np.abs(opened.embed(["sable"]) - mean_of(words, "rock sable")).max() < 1e-6
    assert np.abs(opened.embed(["sable"], is_question=True) - mean_of(words, "query sable")).max() < 1e-6
    write(folder / "sentence_bert_config.json", {"max_seq_length": 4})
    short = open_folder(folder).embed(["point height metres"], is_question=True)
    assert np.abs(short - mean_of(words, "query point")).max() < 1e-6


@pytest.mark.parametrize(
    ("configured", "chosen"),
    [
        ({"pooling_mode": "max"}, lambda tokens: tokens.max(axis=0)),
        ({"pooling_mode": "lasttoken", "include_prompt": True}, lambda tokens: tokens[-1]),
        ({"pooling_mode_cls_token": False, "pooling_mode_max_tokens": True}, lambda tokens: tokens.max(axis=0)),
        ({"word_embedding_dimension": 16}, lambda tokens: tokens.mean(axis=0)),
    ],
)
def test_how_token_vectors_become_one(configured: dict[str, Any], chosen: Any, folder: Path) -> None:
    words = save_onnx(folder)
    write(folder / "1_Pooling" / "config.json", configured)
    expected = chosen(words[[2, 4, 5, 3]])
    embedded = open_folder(folder).embed(["Sable Point", "a text that is longer than the other"])
    assert np.abs(embedded[0] - expected / np.linalg.norm(expected)).max() < 1e-6


@pytest.mark.skipif(find_spec("sentence_transformers") is not None, reason="sentence-transformers is installed")
@pytest.mark.parametrize(("module", "pooling"), [("models.Dense", "mean"), ("models.Pooling", "weightedmean")])
def test_what_only_sentence_transformers_computes_is_left_to_it(module: str, pooling: str, folder: Path) -> None:
    save_onnx(folder)
    write(
        folder / "modules.json", [{"type": f"sentence_transformers.{name}"} for name in ("models.Transformer", module)]
    )
    write(folder / "1_Pooling" / "config.json", {"pooling_mode": pooling})
    says = (
        r"model needs sentence_transformers, which is not installed: pip install 'benchwright\[sentence-transformers\]'"
    )
    with pytest.raises(BenchwrightError, match=says):
        open_folder(folder)


def test_another_model_in_the_folder_is_another(folder: Path) -> None:
    save_onnx(folder)
    before = folder_hash(folder)
    write(folder / "1_Pooling" / "config.json", {"pooling_mode": "max"})
    assert folder_hash(folder) != before
    (folder / "README.md").write_text("words about it")
    assert folder_hash(folder) == folder_hash(folder) != before


def test_a_folder_answers_for_dense(folder: Path, tmp_path: Path) -> None:
    words = save_onnx(folder)
    settings = read_settings([f"embedder={folder}"], environment={}, cache=tmp_path / "cache")
    with Client(settings) as client:
        release = make_release(tmp_path / "releases")
        scored = score_system(release, "dense", output=tmp_path / "runs", options=Options(k=2), client=client)
        assert (scored.folder.name, scored.counts.errors) == ("dense-model", 0)
        system = open_system("dense", Opening(1, client))
        assert (system.settings["embedder"], len(system.settings["embedder_sha256"])) == ("model", 64)
        texts = [f"{each.title} {each.body}" for each in load_documents(release).values()]
        cosines = [float(mean_of(words, "gannet rock") @ mean_of(words, spaced(text))) for text in texts]
        (name, score), *_ = found("dense", "Gannet Rock", load_documents(release), Opening(1, client))
        assert (name, score) == (list(load_documents(release))[int(np.argmax(cosines))], round(max(cosines), 4))


def spaced(text: str) -> str:
    """With spaces around marks, which are words to the tokenizer."""
    return text.replace(".", " . ")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("./nowhere", "--model embedder=./nowhere: there is no such folder"),
        (
            "half",
            "--model embedder=half: the folder holds no embedding model: there must be model.onnx with tokenizer.json",
        ),
        (
            "empty",
            "--model embedder=empty: the folder holds no embedding model: there must be model.onnx with tokenizer.json",
        ),
    ],
)
def test_folders_that_are_none(name: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "half").mkdir()
    (tmp_path / "half" / "model.onnx").touch()
    with pytest.raises(UsageError, match=message):
        read_settings([f"embedder={name}"], environment={})
    there = read_settings(["embedder=empty"], ["embedder=http://127.0.0.1:9/v1"], environment={})
    assert there.endpoints["embedder"].folder is None, "an address says that it is a name"


def test_a_folder_that_cannot_be_read(folder: Path) -> None:
    save_onnx(folder)
    (folder / "model.onnx").write_bytes(b"no model")
    with pytest.raises(BenchwrightError, match=r"the embedding model in .*model cannot be read: "):
        open_folder(folder)
    with Client(ModelSettings(read_settings([f"embedder={folder}"], environment={}).endpoints, max_cost=1.0)):
        pass  # it costs nothing, and needs no price
