"""Files beside a release that somebody made to do harm: predictions, judgments, kept replies, settings, data."""

import gzip
import os
import sqlite3
from pathlib import Path

from hostile_releases import DEEP, Make, Table, edit, fifo, link

from benchwright.benchmarks.remote.response_store import ResponseStore


def other(script: str) -> Make:
    """A SQLite file of somebody else."""

    def make(folder: Path) -> None:
        with sqlite3.connect(folder / "replies.sqlite") as connection:
            connection.executescript(script)
        connection.close()

    return make


def cut(name: str) -> Make:
    """Kept replies, of which the second half of the file is missing."""

    def make(folder: Path) -> None:
        store = ResponseStore(folder / name, elsewhere="")
        store.put([(bytes([number]) * 32, "m", "p", "x" * 4_000) for number in range(20)])
        store.close()
        os.truncate(folder / name, (folder / name).stat().st_size // 2)

    return make


LINE = '{"id": "%s", "answer": "x"}\n'
PREDICTIONS: Table = {
    "p_deep": (edit("p.jsonl", DEEP + "\n"), "it is one JSON array"),
    "p_nan": (edit("p.jsonl", '{"id": "a", "answer": NaN}\n'), "no 'answer'"),
    "p_nul": (edit("p.jsonl", b"\0" * 1_000 + b"\n"), "it is UTF-16"),
    "p_binary": (edit("p.jsonl", b"\xff\xfe\xfa\n"), "it is UTF-16"),
    "p_list": (edit("p.jsonl", "[1, 2]\n"), "it is one JSON array"),
    "p_number": (edit("p.jsonl", "7\n"), "is another value"),
    "p_html": (edit("p.jsonl", "<html>\n"), "not JSON"),
    "p_empty": (edit("p.jsonl", ""), "holds no prediction"),
    "p_unknown_ids": (edit("p.jsonl", LINE % "../../x"), r"no question '\.\./\.\./x' in the split"),
    "p_ansi_id": (edit("p.jsonl", LINE % "\\u001b[31mred"), r"no question '\\x1b\[31mred' in the split"),
    "p_surrogate_id": (edit("p.jsonl", LINE % "\\ud800"), r"no question '\?' in the split"),
    "p_no_id": (edit("p.jsonl", '{"answer": "x"}\n'), "no 'id'"),
    "p_types": (edit("p.jsonl", '{"id": 7, "answer": {"a": []}}\n'), "'answer' must be a string"),
    "p_gz": (edit("p.jsonl", gzip.compress(b"x" * 10_000_000)), "holds no prediction"),
    "p_long_line": (edit("p.jsonl", '{"id": "' + "x" * 5_000_000 + '", "answer": "x"}\n'), "no question 'x"),
    "p_pipe": (fifo("p.jsonl"), "there is no file of predictions"),
    "p_folder": (lambda folder: (folder / "p.jsonl").mkdir(), "predictions"),
    "p_missing": (lambda folder: None, "there is no file of predictions"),
}
REPLIES: Table = {
    "replies_pipe": (fifo("replies.sqlite"), "it is not a file"),
    "replies_folder": (lambda folder: (folder / "replies.sqlite").mkdir(), "it is not a file"),
    "replies_bytes": (edit("replies.sqlite", b"\xff\xfe\xfa" * 2_000), "are damaged or no such file"),
    "replies_text": (edit("replies.sqlite", "no database"), "are damaged or no such file"),
    "replies_cut": (cut("replies.sqlite"), "are damaged or no such file"),
    "replies_other": (other("CREATE TABLE replies (a, b)"), "are damaged or no such file"),
    "replies_view": (
        other("CREATE VIEW replies AS SELECT 1 AS key, 2 AS model, 3 AS prompt, zeroblob(900000000) AS body"),
        "are damaged or no such file",
    ),
    "replies_numbers": (
        other("CREATE TABLE replies (key, model, prompt, body); INSERT INTO replies VALUES (1, 2, 3, 4)"),
        "a reply of m is not among those kept",
    ),
    "replies_devzero": (link("replies.sqlite", "/dev/zero"), "it is not a file"),
    "replies_none": (edit("replies.sqlite", ""), "a reply of m is not among those kept"),
}
"""Files of kept replies, where nothing else may be asked."""
SCHEMAS: Table = {
    "schema_pipe": (fifo("given"), "schema file cannot be read: it is not a file"),
    "schema_devzero": (link("given", "/dev/zero"), "schema file cannot be read: it is not a file"),
    "schema_deep": (edit("given", "a = " + "[" * 100_000), "not valid TOML: maximum recursion"),
    "schema_binary": (edit("given", b"\xff\xfe"), "it is not UTF-8 text"),
    "schema_html": (edit("given", "<html>"), "not valid TOML"),
    "schema_types": (
        edit("given", "[table.people]\ncalled = 7"),
        "called: must be a text in quotes, not a whole number",
    ),
    "schema_ansi": (edit("given", '[table.people]\ncalled = "\\u001b[31mred"'), "it is .\\[31mred"),
    "schema_labels": (edit("given", "[tables]\nperson = 'one'"), "this is a file of labels"),
    "schema_none": (lambda folder: None, "there is no such schema file"),
}
TEMPLATES: Table = {
    "given_pipe": (fifo("given"), "is not a file: give a file of templates"),
    "given_devzero": (link("given", "/dev/zero"), "is not a file: give a file of templates"),
    "given_deep": (edit("given", DEEP), "nested too deeply"),
    "given_binary": (edit("given", b"\xff\xfe"), "is not UTF-8 text"),
    "given_list": (edit("given", "[]"), "must be an object"),
    "given_types": (edit("given", '{"sql": 7}'), "'sql' is none of sql_templates"),
    "given_none": (lambda folder: None, "there is no file of templates"),
}
"""Schema files and files of templates that a build is given."""
SETTINGS: Table = {
    "toml_none": (edit("benchwright.toml", "= ="), "cannot be read: Invalid statement"),
    "toml_deep": (edit("benchwright.toml", "a = " + "[" * 100_000), "cannot be read: maximum recursion"),
    "toml_binary": (edit("benchwright.toml", b"\xff\xfe"), "cannot be read: 'utf-8' codec"),
    "toml_unknown": (edit("benchwright.toml", "[verify-benchmark]\nevil = 1"), "has no option 'evil'"),
}
DATA: Table = {
    "csv_none": (lambda folder: (folder / "data").mkdir(), r"holds no \*\.csv, \*\.tsv or \*\.parquet file"),
    "csv_empty": (edit("data/a.csv", ""), "has no header"),
    "csv_binary": (edit("data/a.csv", os.urandom(10_000)), "is not UTF-8 text"),
    "csv_nul": (edit("data/a.csv", b"id,name\n1,\0\n"), "no template can be made"),
    "csv_twice": (edit("data/a.csv", "id,id\n1,2\n"), "two columns have the same name"),
    "csv_ragged": (edit("data/a.csv", "id,name\n1\n1,2,3,4\n"), "line 2 has 1 values for 2 columns"),
    "csv_long": (edit("data/a.csv", "id,name\n1," + "x" * 5_000_000 + "\n"), "no template can be made"),
    "csv_pipe": (lambda folder: ((folder / "data").mkdir(), os.mkfifo(folder / "data" / "a.csv")), "is not a file"),
    "db_is_text": (edit("data", "no database"), "is damaged or is no SQLite database"),
}
