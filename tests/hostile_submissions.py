"""Submissions that are broken or meant to harm: what is done to a right one, and the reason that it is refused for."""

import json
import os
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from benchwright.benchmarks.leaderboards.predictions_table import SCHEMA
from benchwright.benchmarks.leaderboards.receive import Changed

Twist = Callable[[Path], object]

SCRIPTS = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</script><svg onload=alert(1)>",
    "javascript:alert(1)",
    "[click](javascript:alert(1))",
    "![x](https://example.org/seen.png)",
    "{{ 7 * 7 }} {% raw %}",
    "\u202egar-ym",
    "\x1b]0;title\x07\x1b[31mred",
    "@everyone |||| ```\n# heading",
    "=cmd|' /C calc'!A0",
    "a\u200bb\u2066c\u2069",
)
"""Texts that must do nothing wherever they are shown."""


@dataclass(frozen=True)
class Hostile:
    """One case."""

    what: str
    twist: Twist
    """Changes a folder that holds a right submission."""
    reason: str
    """Stands in the reason for which it is refused."""


def _edit(name: str, **changes: Any) -> Twist:
    """Other values in a JSON file; a dotted key goes into what it names."""

    def twist(folder: Path) -> None:
        values = json.loads((folder / name).read_text())
        for key, value in changes.items():
            *path, last = key.split("__")
            there = values
            for part in path:
                there = there[part.replace("_at_", "@")]
            there[last] = value
        (folder / name).write_text(json.dumps(values))

    return twist


def _write(name: str, content: bytes | str) -> Twist:
    data = content.encode() if isinstance(content, str) else content
    return lambda folder: (folder / name).write_bytes(data)


def _system(text: str, **changes: str) -> Twist:
    """A system.yaml with further lines, or with other values."""
    said = {"name": "My RAG", "authors": "[Ann]", "openness": "closed", "retriever": "bm25", **changes}
    return _write("system.yaml", "".join(f"{key}: {value}\n" for key, value in said.items()) + text)


def _rows(change: Callable[[list[dict[str, Any]]], object], schema: pa.Schema = SCHEMA) -> Twist:
    """Other rows of predictions."""

    def twist(folder: Path) -> None:
        path = folder / "predictions.parquet"
        rows = pq.read_table(path).to_pylist()
        change(rows)
        pq.write_table(pa.Table.from_pylist(rows, schema=schema), path)

    return twist


def _first(**values: Any) -> Twist:
    """Other values in the first row."""
    return _rows(lambda rows: rows[0].update(values))


def _table(make: Callable[[], pa.Table], **options: Any) -> Twist:
    return lambda folder: pq.write_table(make(), folder / "predictions.parquet", **options)


def _footer(change: Callable[[bytes], bytes]) -> Twist:
    """Another footer of the Parquet file, which is longer or shorter than it was."""

    def twist(folder: Path) -> None:
        path = folder / "predictions.parquet"
        data = path.read_bytes()
        length = struct.unpack("<I", data[-8:-4])[0]
        footer = change(data[-8 - length : -8])
        path.write_bytes(data[: -8 - length] + footer + struct.pack("<I", len(footer)) + b"PAR1")

    return twist


def _link(name: str, target: str) -> Twist:
    def twist(folder: Path) -> None:
        (folder / name).unlink(missing_ok=True)
        (folder / name).symlink_to(target)

    return twist


def _pipe(folder: Path) -> None:
    (folder / "report.json").unlink()
    os.mkfifo(folder / "report.json")


def _bomb() -> pa.Table:
    """15 kB that unfold to gigabytes: one text, a hundred thousand times."""
    same = pa.DictionaryArray.from_arrays(pa.nulls(100_000, pa.int32()).fill_null(0), ["x" * 100_000])
    return pa.table({"id": same, "answer": same})


def _claim(metric: str, **values: Any) -> Twist:
    def twist(folder: Path) -> None:
        report = json.loads((folder / "report.json").read_text())
        report["metrics"][metric].update(values)
        (folder / "report.json").write_text(json.dumps(report))

    return twist


def _claims(change: Callable[[dict[str, Any]], object]) -> Twist:
    def twist(folder: Path) -> None:
        report = json.loads((folder / "report.json").read_text())
        change(report)
        (folder / "report.json").write_text(json.dumps(report))

    return twist


def _all(*twists: Twist) -> Twist:
    def twist(folder: Path) -> None:
        for each in twists:
            each(folder)

    return twist


def _lines(*lines: bytes) -> Twist:
    """Predictions as lines of JSON in the place of the table."""

    def twist(folder: Path) -> None:
        (folder / "predictions.parquet").unlink()
        (folder / "predictions.jsonl").write_bytes(b"".join(line + b"\n" for line in lines))

    return twist


def _judgment(**values: Any) -> Twist:
    line = {"id": "halden-0", "metric": "correct", "value": 1, "judge": {"kind": "model", "name": "m"}, **values}
    return _write("judgments.jsonl", json.dumps(line) + "\n")


def _long_yaml(text: str) -> Twist:
    return _write("system.yaml", text)


def _without_contexts(folder: Path) -> None:
    path = folder / "predictions.parquet"
    pq.write_table(pq.read_table(path).drop_columns(["contexts"]), path)


def _unsupported(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        row.update(answer=None, abstained=False, contexts=None, error="unsupported: it is not asked")


_RIGHT = {"id": "halden-0", "answer": "Oslo"}

HOSTILE: Sequence[Hostile] = (
    # files
    Hostile("a file that does not belong", _write("evil.py", "import os"), '"evil.py" does not belong'),
    Hostile("a workflow", _write("workflow.yml", "on: push"), '"workflow.yml" does not belong'),
    Hostile("a web page", _write("index.html", "<script>"), '"index.html" does not belong'),
    Hostile("a pickle", _write("predictions.pkl", b"\x80\x04"), '"predictions.pkl" does not belong'),
    Hostile("a name that turns round", _write("a\u202egnp.x", "x"), '"a�gnp.x" does not belong'),
    Hostile("a folder", lambda folder: (folder / "more").mkdir(), '"more" is no file'),
    Hostile("a link to a secret", _link("run.json", "/etc/passwd"), '"run.json" is no file'),
    Hostile("a link that goes up", _link("report.json", "../run/report.json"), '"report.json" is no file'),
    Hostile("a link to itself", _link("report.json", "report.json"), '"report.json" is no file'),
    Hostile("a device", _link("report.json", "/dev/zero"), '"report.json" is no file'),
    Hostile("a pipe that never ends", _pipe, '"report.json" is no file'),
    Hostile("no system.yaml", lambda folder: (folder / "system.yaml").unlink(), "system.yaml is missing"),
    Hostile("no run.json", lambda folder: (folder / "run.json").unlink(), "run.json is missing"),
    Hostile("no report.json", lambda folder: (folder / "report.json").unlink(), "report.json is missing"),
    Hostile(
        "no predictions", lambda folder: (folder / "predictions.parquet").unlink(), "predictions.parquet is missing"
    ),
    Hostile("two files of predictions", _write("predictions.jsonl", json.dumps(_RIGHT)), "are both there"),
    Hostile("an empty file", _write("report.json", b""), "report.json is empty"),
    Hostile("a huge system.yaml", _write("system.yaml", b"a" * 200_000), "system.yaml has 200,000 bytes"),
    Hostile("a huge run.json", _write("run.json", b" " * 1_000_001), "run.json has 1,000,001 bytes"),
    Hostile("held-out answers of none", _write("heldout.parquet", b"PAR1"), "the release has no held-out questions"),
    # system.yaml
    Hostile("a YAML tag", _system("description: !!python/object/apply:os.system ['id']\n"), "system.yaml"),
    Hostile("a YAML tag of our own", _system("description: !exec id\n"), "system.yaml"),
    Hostile("a billion laughs", _long_yaml("a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nname: *c\n"), "system.yaml"),
    Hostile("YAML nested deeply", _long_yaml("name: " + "[" * 30_000), "system.yaml"),
    Hostile("YAML nested in blocks", _long_yaml("".join(" " * n + "a:\n" for n in range(300))), "system.yaml"),
    Hostile("many documents", _system("---\nname: Other\n"), "system.yaml"),
    Hostile("a key twice", _system("name: Other\n"), "system.yaml"),
    Hostile("an unknown key", _system("on: push\n"), "system.yaml"),
    Hostile("no YAML", _long_yaml("name: 'unfinished\n"), "system.yaml"),
    Hostile("not UTF-8", _write("system.yaml", b"name: \xff\xfe\n"), "UTF-8"),
    Hostile("a list in the place of a name", _system("", name="[a, b]"), "system.yaml"),
    Hostile("a name of 10,000 signs", _system("", name="x" * 10_000), "system.yaml"),
    Hostile("a name that turns round", _system("", name='"\\u202egar-ym"'), "system.yaml"),
    Hostile("a name that steers a terminal", _system("", name='"\\e[31mred"'), "system.yaml"),
    Hostile("a name of nothing", _system("", name='"..."'), "system.yaml"),
    Hostile("a script as link", _system("link: 'javascript:alert(1)'\n"), "system.yaml"),
    Hostile("a link with a token", _system("link: 'https://ann:secret@example.org'\n"), "system.yaml"),
    # run.json and report.json
    Hostile("run.json is no JSON", _write("run.json", "{"), "run.json is not that of a run"),
    Hostile("JSON nested deeply", _write("report.json", b"[" * 1_000_000), "report.json is no report"),
    Hostile("run.json nested deeply", _write("run.json", b'{"a":' * 100_000), "run.json is not that of a run"),
    Hostile("a number of a million digits", _write("report.json", b'{"metrics": ' + b"9" * 1_000_000), "report.json"),
    Hostile("another benchmark", _edit("run.json", benchmark="other"), "run.json is of other 1.0.0"),
    Hostile("another version", _edit("report.json", version="2.0.0"), "report.json is of small 2.0.0"),
    Hostile("other content", _edit("run.json", content_hash="0" * 64), "run.json is of other content"),
    Hostile("another split", _edit("run.json", questions__split="dev"), 'run.json is of the split "dev"'),
    Hostile("a sample of less than none", _edit("run.json", questions__limit=-1), "asks nothing"),
    Hostile("a sample of nowhere", _edit("run.json", questions__subsets=["x" * 500]), "no question of the subset"),
    Hostile(
        "a claim that is too good", _claim("correct", value=0.99), "correct: the report claims 0.99, the predictions"
    ),
    Hostile("a claim a little too good", _claim("correct", value=7 / 11 + 2e-9), "correct: the report claims"),
    Hostile(
        "a claim of more questions", _claim("correct", total=1_000), "11 scored of 1,000, the predictions give 11 of 12"
    ),
    Hostile("a claim that is NaN", _claim("correct", value=float("nan")), "report.json is no report"),
    Hostile("a claim that is infinite", _claim("mrr", value=float("inf")), "report.json is no report"),
    Hostile("a claim that is a text", _claim("mrr", value="<b>1</b>"), "report.json is no report"),
    Hostile(
        "a claim off the scale", _all(_without_contexts, _claim("mrr", value=7.5)), "mrr: the report claims 7.5, and"
    ),
    Hostile(
        "a claim of more than was asked",
        _all(_without_contexts, _claim("mrr", scored=900, total=1_000)),
        "mrr: the report claims a total of 1,000, and there are 12",
    ),
    Hostile(
        "a claim of more than all",
        _all(_without_contexts, _claim("mrr", scored=13)),
        "mrr: the report claims 0.75 of 13 scored of 12",
    ),
    Hostile("a claim of nothing", _claim("mrr", value=None), "the report claims nothing, the predictions give"),
    Hostile(
        "figures of another version of us",
        _all(_claim("mrr", value=0.1), _edit("report.json", scoring__benchwright="9.9.9")),
        "it was scored with benchwright 9.9.9: score it again with",
    ),
    Hostile(
        "a metric of its own",
        _claims(lambda report: report["metrics"].update({"best<script>": report["metrics"]["mrr"]})),
        'the metric "best<script>", which nobody here can compute',
    ),
    Hostile(
        "a metric that takes for ever",
        _claims(lambda report: report["metrics"].update({"ndcg@999999": report["metrics"]["mrr"]})),
        "cut-offs go up to 1,000",
    ),
    Hostile(
        "a thousand metrics",
        _claims(lambda report: report["metrics"].update({f"hit@{k}": report["metrics"]["mrr"] for k in range(1, 999)})),
        "metrics, and may have 60",
    ),
    Hostile(
        "a judge's figure without verdicts",
        _claims(
            lambda report: report["metrics"].update(
                {"faithfulness": {"value": 1, "scored": 9, "total": 9, "judges": {"m": 9}}}
            )
        ),
        "faithfulness is claimed, and the submission holds nothing that gives it",
    ),
    # predictions
    Hostile(
        "predictions that are no Parquet",
        _write("predictions.parquet", b"PAR1 but no more PAR1"),
        "predictions.parquet",
    ),
    Hostile("a cut file", lambda folder: os.truncate(folder / "predictions.parquet", 1_000), "predictions.parquet"),
    Hostile("an empty table", _rows(lambda rows: rows.clear()), "holds no prediction"),
    Hostile("a bomb", _table(_bomb), "unfold to"),
    Hostile("a footer of nothing", _footer(lambda footer: b""), "predictions.parquet"),
    Hostile("a footer of noise", _footer(lambda footer: bytes(reversed(footer))), "predictions.parquet"),
    Hostile("10^9 declared rows", lambda folder: _declare_rows(folder / "predictions.parquet"), "predictions.parquet"),
    Hostile(
        "a column of another type", _table(lambda: pa.table({"id": [1.5], "answer": ["x"]})), "predictions.parquet"
    ),
    Hostile("a column that is not ours", _table(lambda: pa.table({"id": ["halden-0"], "exec": ["id"]})), "'exec'"),
    Hostile("no column of ids", _table(lambda: pa.table({"answer": ["x"]})), "no column 'id'"),
    Hostile("a column twice", lambda folder: _twice(folder / "predictions.parquet"), "predictions.parquet"),
    Hostile("an id of nobody", _first(id="../../etc/passwd"), 'no question "../../etc/passwd" in the split test'),
    Hostile("no id", _first(id=None), "row 1"),
    Hostile("another version's ids", _first(id="aurp-2"), 'no question "aurp-2"'),
    Hostile("an answer twice", _rows(lambda rows: rows.append(rows[0])), 'a second prediction for "halden-0"'),
    Hostile("an unknown condition", _first(condition="cheating"), 'there is no condition "cheating"'),
    Hostile(
        "answers in another condition alone",
        _rows(lambda rows: [row.update(condition="gold") for row in rows]),
        "no prediction in the condition own",
    ),
    Hostile("systems that were never asked", _rows(_unsupported), "no prediction in the condition own"),
    Hostile("a repeat of a billion", _first(repeat=10**9), "repeat 1000000000"),
    Hostile("a repeat below 0", _first(repeat=-1), "'repeat' must be a whole number from 0"),
    Hostile("costs that are NaN", _first(cost=float("nan")), "'cost' must be a finite number"),
    Hostile("a latency that is infinite", _first(latency=float("inf")), "'latency' must be a finite number"),
    Hostile("no answer at all", _first(answer=None, abstained=None, error=None), "no 'answer'"),
    Hostile(
        "contexts that end before they begin",
        _first(contexts=[{"id": "d1", "start": 9, "end": 1}]),
        "'end' (1) comes before 'start' (9)",
    ),
    Hostile("a context of nothing", _first(contexts=[{"score": 1.0}]), "none of 'id', 'uri' and 'text'"),
    Hostile("a prediction of 9 MB", _first(answer="x" * 9_000_000), "the prediction has"),
    Hostile("lines that are no JSON", _lines(b"{'id': 1}"), "predictions.jsonl, row 1: not JSON"),
    Hostile("a line nested deeply", _lines(b'{"id":"halden-0","answer":' + b"[" * 100_000), "row 1"),
    Hostile("a line of 9 MB", _lines(b'"' + b"x" * 9_000_000), "a line of more than 8,000,000 bytes"),
    Hostile("NaN in a line", _lines(b'{"id":"halden-0","answer":"x","cost":NaN}'), "row 1"),
    Hostile("zero bytes", _lines(b"\0" * 100), "row 1"),
    # judgments
    Hostile("verdicts that are no JSON", _write("judgments.jsonl", "<script>\n"), "judgments.jsonl, line 1"),
    Hostile("a verdict on nobody", _judgment(id="other"), "no question 'other'"),
    Hostile("a verdict off the scale", _judgment(value=7), "correct goes from 0 to 1"),
    Hostile("a verdict by no metric", _judgment(metric="best"), "no metric 'best'"),
    Hostile("a judge whose name turns round", _judgment(judge={"name": "\u202egar"}), 'names a judge "�gar"'),
    Hostile("a judge of 9,000 signs", _judgment(judge={"name": "x" * 9_000}), "names a judge"),
    Hostile("a verdict on another repeat", _judgment(repeat=40), "of which the run has no prediction"),
    Hostile("a verdict that its report does not know", _judgment(id="quay-0"), "correct: the report claims"),
)


def _declare_rows(path: Path) -> None:
    """A file whose footer says that it has 10^9 rows."""
    pq.write_table(pa.table({"id": pa.array(["halden-0"] * 77), "answer": pa.array(["x"] * 77)}), path)
    data = bytearray(path.read_bytes())
    length = struct.unpack("<I", data[-8:-4])[0]
    footer = bytes(data[-8 - length : -8])
    many = _varint(2 * 10**9)
    footer = footer.replace(_varint(2 * 77), many)
    path.write_bytes(bytes(data[: -8 - length]) + footer + struct.pack("<I", len(footer)) + b"PAR1")


def _varint(number: int) -> bytes:
    found = bytearray()
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes([*found, number])


def _twice(path: Path) -> None:
    pq.write_table(pa.table([pa.array(["halden-0"]), pa.array(["x"])], names=["id", "id"]), path)


def _changed(*paths: str, **more: Any) -> list[Changed]:
    return [Changed(path, 100, **more) for path in paths]


_HOME = "submissions/small/1.0.0/my-rag"
_WHOLE = [f"{_HOME}/{name}" for name in ("system.yaml", "run.json", "report.json", "predictions.parquet")]

PATHS: Mapping[str, tuple[list[Changed], str]] = {
    "nothing": ([], "it changes nothing"),
    "the card": (_changed(*_WHOLE, "README.md"), 'it changes "README.md"'),
    "a workflow": (_changed(*_WHOLE, ".github/workflows/run.yml"), 'it changes ".github/workflows/run.yml"'),
    "the board": (_changed("leaderboard.yaml"), 'it changes "leaderboard.yaml"'),
    "a verdict": (_changed(*_WHOLE, "verdicts/small/1.0.0/my-rag.json"), 'it changes "verdicts/small'),
    "the results": (_changed("results/results.parquet"), 'it changes "results/results.parquet"'),
    "the page": (_changed(*_WHOLE, "index.html"), 'it changes "index.html"'),
    "attributes of git": (_changed(*_WHOLE, ".gitattributes"), 'it changes ".gitattributes"'),
    "a path that goes up": (_changed("submissions/small/1.0.0/../../../leaderboard.yaml"), "it changes"),
    "a version that goes up": (_changed("submissions/small/../my-rag/system.yaml"), '".." is not a version'),
    "a name that goes up": (_changed("submissions/small/1.0.0/../system.yaml"), '".." cannot be a system\'s name'),
    "an absolute path": (_changed("/etc/passwd"), 'it changes "/etc/passwd"'),
    "a path of Windows": (_changed("submissions\\small\\1.0.0\\my-rag\\system.yaml"), "it changes"),
    "an empty part": (_changed("submissions/small/1.0.0//system.yaml"), "cannot be a system's name"),
    "a deeper path": (_changed(f"{_HOME}/more/system.yaml"), "it changes"),
    "a path that turns round": (_changed(f"{_HOME}\u202e/system.yaml"), "cannot be a system's name"),
    "a path of two lines": (_changed("README.md\n@everyone"), 'it changes "README.md�@everyone"'),
    "a path of 100,000 signs": (_changed("x" * 100_000), "…"),
    "capitals": (_changed("submissions/small/1.0.0/My-RAG/system.yaml"), "cannot be a system's name"),
    "letters of another script": (_changed("submissions/small/1.0.0/му-rag/system.yaml"), "cannot be a system's name"),
    "a name of 65 signs": (_changed(f"submissions/small/1.0.0/{'x' * 65}/system.yaml"), "cannot be a system's name"),
    "a version of two numbers": (_changed("submissions/small/1.0/my-rag/system.yaml"), '"1.0" is not a version'),
    "two submissions": (_changed(*_WHOLE, f"{_HOME}-2/system.yaml"), "open a pull request for each"),
    "another's submission too": (_changed(*_WHOLE, "submissions/small/1.0.0/theirs/run.json"), "for each"),
    "another benchmark": (_changed("submissions/large/1.0.0/my-rag/system.yaml"), '"large" is not ranked here'),
    "another version": (_changed("submissions/small/9.0.0/my-rag/system.yaml"), "small 9.0.0 is not ranked here"),
    "a link": (_changed(*_WHOLE[:3]) + _changed(_WHOLE[3], is_file=False), "is not a file"),
    "deleting": (_changed(*_WHOLE, is_deleted=True), "it deletes small/1.0.0/my-rag"),
    "a file too many": (_changed(*_WHOLE, f"{_HOME}/setup.py"), '"setup.py" does not belong'),
    "a terabyte": ([*_changed(*_WHOLE[:3]), Changed(_WHOLE[3], 10**12)], "predictions.parquet has 1,000,000,000,000"),
    "an empty file": ([*_changed(*_WHOLE[:3]), Changed(_WHOLE[3], 0)], "predictions.parquet is empty"),
    "half of it": (_changed(*_WHOLE[:2]), "report.json is missing"),
    "a hundred thousand files": (_changed(*(f"{_HOME}/{n}" for n in range(2_000))), "it changes 2,000 files"),
}
"""Paths that a pull request changes → the reason that it is refused for, before anything is downloaded."""
