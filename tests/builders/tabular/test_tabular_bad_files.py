"""Files that are not what they seem: each fault in one line with its place, whatever is sound is read."""

import json
from pathlib import Path

import pytest

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.release import Release
from benchwright.builders.base import build_release
from benchwright.cards.dataset.card import render_card


def build(folder: Path, source: str | Path, **settings: str) -> Release:
    texts = {"source": str(source), **settings}
    return build_release("tabular", texts, render_card, output=folder / "releases")[0]


REFUSED = [
    ("a.csv", b"", "a.csv has no header: its first line must name its columns"),
    ("a.csv", b"question,answer\n", "a.csv holds no rows"),
    ("a.csv", b"question,answer\nWho?,Ada,Eve\n", "a.csv, line 2 has 3 values for 2 columns (separated by comma)"),
    ("a.csv", b'question,answer\n"Who?,Ada\n', "a.csv, line 2 is no CSV: a quotation mark is never closed"),
    ("a.csv", b"question,question\nWho?,Ada\n", "a.csv, line 1: two columns have the name 'question'"),
    ("a.csv", b"question,answer\nWer f\xfchrt?,Ada\n", "line 2 is not UTF-8 text (its byte 0xfc is 'ü' in Windows-1252"),
    ("a.csv", b"utterance,reply\nWho?,Ada\n", "no column of a.csv is named as questions are: it has utterance, reply"),
    ("a.csv", b"question,answer\n,Ada\n", "no row of a.csv (1 read) is a question that can be asked: its question is empty: a.csv"),
    ("a.csv", b"question,doc_ids\nWho?,d1\n", "the column 'doc_ids' names documents, and there are none: add --set corpus"),
    ("a.jsonl", b"", "a.jsonl holds no rows: write one JSON object a line"),
    ("a.jsonl", b'{"question": "Who?"}\n[1]\n', "a.jsonl, line 2 is no JSON object but [1]"),
    ("a.jsonl", b'{"question": "Who?"}\n{"question": \n', "a.jsonl, line 2 is no JSON (Expecting value, column"),
    ("a.jsonl", b'{"question": "Wer f\xfchrt?"}\n', "a.jsonl, line 1 is not UTF-8 text (its byte 0xfc is 'ü'"),
    ("a.jsonl", '{"question": "Who?"}\n'.encode("utf-16"), "(its first bytes say UTF-16): save it as UTF-8"),
    ("a.jsonl", b"[" * 100_000 + b"\n", "a.jsonl, line 1 is nested too deeply"),
    ("a.json", b'{"question": "Who?"}', "a.json is no list of objects: write [{…}, …]"),
    ("a.json", b'[{"question": "Who?"}, 7]', "a.json, item 2 is no object but 7"),
    ("a.json", b'[{"question": "Who?"},\n}]', "a.json, line 2 is no JSON: "),
    ("a.json", b'{"data": [{"title": "", "paragraphs": [{"context": "x"}]}]}', "paragraph 1 has no list of questions, qas"),
    ("a.parquet", b"PAR1 and more", "a.parquet is no Parquet file: "),
    ("a.doc", b"Who?", "the name of FOLDER/a.doc does not tell how to read it"),
    ("a.txt", b"Who?\nWer f\xfchrt?", "a.txt, line 2 is not UTF-8 text (its byte 0xfc is 'ü' in Windows-1252)"),
    ("a.csv.gz", b"x", "a.csv.gz is packed: unpack it first"),
    (
        "a.jsonl",
        b'{"question": "Who?", "id": 1}\n{"question": "When?", "id": "1"}\n',
        "a.jsonl, line 2: its id '1' is that of a.jsonl, line 1 already: make ids unique",
    ),
    (
        "a.jsonl",
        b'{"question": "Who?", "group": 1, "answer": "A"}\n{"question": "When?", "group": 1, "answer": "B"}\n',
        "a.jsonl, line 2: its group '1' has another answer in a.jsonl, line 1",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("name", "content", "says"), REFUSED)
def test_a_fault_is_named_in_a_line(name: str, content: bytes, says: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    settings = {"columns": "documents=doc_ids"} if b"doc_ids" in content else {}
    with pytest.raises(BenchwrightError) as caught:
        build(tmp_path, tmp_path / name, **settings)
    assert says.replace("FOLDER", str(tmp_path)) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"columns": "qustion=q"}, "columns: there is no 'qustion': did you mean question?"),
        ({"columns": "question"}, "columns: 'question' is no pair: write question=COLUMN,answer=COLUMN"),
        ({"columns": "question=Frge"}, "a.csv has no column 'Frge', which is to be question: did you mean Frage?"),
        ({"columns": '{"question": 7}'}, "every value of the JSON object must be the name of a column"),
        ({"columns": "question=Frage,question=a"}, "columns: question is named twice: name one column"),
        ({"columns": "question=Frage,corpus.text=x"}, "columns names columns of a corpus, and there is none"),
        ({"split": "dev"}, "split is for datasets on the Hub and BEIR: leave it out"),
        ({"format": "beir"}, "a.csv is no folder: BEIR's is one with corpus.jsonl, queries.jsonl and qrels"),
        ({"corpus": "none"}, "there is no file or folder none of documents"),
        ({"source": "none.csv"}, "there is no file or folder none.csv: check the path, or write hf:NAMESPACE/NAME"),
        ({"source": "/dev/null"}, "/dev/null is neither a file nor a folder: it is read more than once, so save it as"),
        ({"source": "hf:alice"}, "hf:alice names no dataset: give hf:NAMESPACE/NAME"),
        ({"language": "German"}, "'German' is not the tag of a language"),
    ],
)
def test_what_cannot_be_meant_is_refused(settings: dict[str, str], says: str, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("Frage,a\nWer?,Ada\n", "utf-8")
    with pytest.raises(BenchwrightError) as caught:
        build(tmp_path, **{"source": str(tmp_path / "a.csv"), **settings})  # pyright: ignore[reportArgumentType]
    assert says in str(caught.value)


def test_cells_of_all_kinds_and_sizes(tmp_path: Path) -> None:
    rows = [
        {"question": "How large?", "answer": 10**7, "context": "y z " * 2_600_000},
        {"question": "What?", "answer": "x" * 10_000_000},
        {"question": 7},
        {"question": ["Who?"]},
        {"question": "\ud800?"},
        {"question": "Which?", "answer": {"a": 1}},
        {"question": "When?", "answer": float("nan"), "is_impossible": None},
        {"question": "Why?", "answer": "So", "is_impossible": True},
    ]
    (tmp_path / "a.json").write_text(json.dumps(rows), "utf-8")
    release = build(tmp_path, tmp_path / "a.json")
    assert release.manifest.checks["rows_left_out"] == {
        "it is said to be unanswerable and has an answer": 1,
        "its answer has more than 20,000 characters": 1,
        "its answer is no text but an object with a: name a field of it, as COLUMN.FIELD": 1,
        "its question holds half of a character (a surrogate alone)": 1,
        "its question is no text but a list": 1,
        "its question is no text but of the sort int": 1,
    }
    assert release.manifest.rows["questions"] == 2


def test_a_column_that_only_later_rows_have_and_very_many_columns(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    rows = [{"question": f"Query {n}?", **({"gold": "A"} if n == 300 else {})} for n in range(301)]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    release = build(tmp_path, tmp_path / "a.jsonl", columns="answer=gold")
    assert release.manifest.checks["questions_with_answers"] == 1
    wide = {"question": "Who?", **{f"c{n}" + "x" * 500: n for n in range(5_000)}}
    (tmp_path / "b.jsonl").write_text(json.dumps(wide), "utf-8")
    release = build_release("tabular", {"source": str(tmp_path / "b.jsonl")}, render_card, output=tmp_path / "b")[0]
    assert len(release.manifest.checks["columns_not_read"]) == 100
    assert caplog.messages[-1].endswith(" and 4988 more") and len(caplog.messages[-1]) < 1_200


def test_a_corpus_of_any_table(tmp_path: Path) -> None:
    (tmp_path / "docs.csv").write_text("ref,body\nd1,Ada runs it.\n", "utf-8")
    (tmp_path / "q.csv").write_text("question,answer,documents\nWho?,Ada,d1|d1\n", "utf-8")
    settings = {"corpus": str(tmp_path / "docs.csv"), "separator": "|"}
    with pytest.raises(BenchwrightError, match=r"docs\.csv has no column 'none', which is to be id: it has ref, body"):
        build(tmp_path, tmp_path / "q.csv", **settings, columns="corpus.id=none")
    release = build(tmp_path, tmp_path / "q.csv", **settings, columns="corpus.id=ref")
    assert (release.manifest.rows["corpus"], release.manifest.rows["qrels"]) == (1, 1)
    assert [source["uri"] for source in release.manifest.sources] == ["csv:q.csv", "csv:docs.csv"]
    (tmp_path / "docs.csv").write_text("ref,body\nd1,Ada runs it.\nd1,Eve runs it.\n", "utf-8")
    with pytest.raises(BenchwrightError, match="d1"):
        build_release(
            "tabular",
            {"source": str(tmp_path / "q.csv"), **settings, "columns": "corpus.id=ref"},
            render_card,
            output=tmp_path / "twice",
        )
