"""`verify-benchmark` names each single thing that is spoilt, even where all the hashes around it were made to fit."""

import json
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from built import Built, company_release, copy_release
from support import Run

from benchwright.benchmarks.registry import find
from benchwright.benchmarks.releases.manifest import list_files
from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.schemas import CONFIG_KIND


@pytest.fixture
def release(built: Built, tmp_path: Path) -> Release:
    """A release with documents, evidence, qrels, templates and a database: a copy to spoil."""
    return copy_release(company_release(built, ship="all", forms="short"), tmp_path)


def problems(release: Release) -> list[str]:
    return verify_release(Release.load(release.folder)).problems


def change(release: Release, config: str, work: Callable[[list[dict[str, Any]]], object]) -> None:
    """Changes rows of a config, and every hash that can be made to fit."""
    split = "corpus" if config == "corpus" else "test"
    path = release.shards(config, split)[0]
    rows = pq.read_table(path).to_pylist()
    work(rows)
    pq.write_table(pa.Table.from_pylist(rows, schema=find(CONFIG_KIND, config).resolve(rows[0])), path)
    refit(release)


def refit(release: Release) -> None:
    fitted = replace(release.manifest, content_hash=release.content_hash(), files=list_files(release.folder))
    (release.folder / "manifest.json").write_text(fitted.to_json())


def test_what_is_whole_is_proved(release: Release) -> None:
    found = verify_release(release)
    assert found.problems == []
    assert dict(found.unchecked) == {}
    rows, groups = release.manifest.rows, release.manifest.checks["sql_queries"]
    assert dict(found.proved) == {
        "files": 8,
        "evidence spans": rows["questions"],
        "ids and wordings": rows["questions"],
        "SQL queries": groups,
        "semantic groups that follow from SQL and templates": groups,
        "records": groups,
        "queries": rows["questions"],
        "qrels": rows["questions"],
        "unique ids": rows["questions"],
        "content hash": 1,
        "templates of which no filling is missing": release.manifest.checks["sql_templates"],
        "splits": 4,
        "counts of the manifest": 8,
    }
    assert found.told == {
        "executed_again", "fillings_left_out", "gold_documents_read", "sql_templates_by_model", "sql_templates_left_out",
        "text_templates_by_model", "text_templates_by_rule", "texts_in_other_forms", "texts_unused_for_balance",
    }  # fmt: skip


def test_a_byte(release: Release) -> None:
    path = release.folder / "README.md"
    path.write_bytes(path.read_bytes()[:-1] + b"!")
    assert problems(release) == ["file: README.md has changed: its bytes are not those that the manifest names"]


def test_a_missing_file_and_one_too_many(release: Release) -> None:
    (release.folder / "README.md").unlink()
    (release.folder / "notes.txt").write_text("x")
    (release.folder / ".gitattributes").write_text("the Hub adds it")
    for name in (".evil", "corpus/.evil", ".git/config", ".cache/huggingface/x.lock", ".cache/other", ".DS_Store"):
        (release.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (release.folder / name).write_text("x")
    assert problems(release) == [
        "file: README.md is missing",
        "file: .cache/other is not in manifest.json",
        "file: .evil is not in manifest.json",
        "file: corpus/.evil is not in manifest.json",
        "file: notes.txt is not in manifest.json",
    ]


def test_a_file_that_no_proof_knows_is_said_to_be_unread(release: Release) -> None:
    (release.folder / "notes.txt").write_text("x")
    refit(release)
    found = verify_release(Release.load(release.folder))
    assert (found.problems, dict(found.unchecked)) == ([], {"files of another kind": 1})
    assert found.reasons["files of another kind"].endswith("only that they are as they were: notes.txt")


def test_a_hash(release: Release) -> None:
    path = release.folder / "manifest.json"
    path.write_text(path.read_text().replace(release.manifest.content_hash, "0" * 64))
    assert problems(release) == ["content hash: the rows, templates or databases are not those that the manifest names"]


def test_a_row_without_its_hash(release: Release) -> None:
    manifest = (release.folder / "manifest.json").read_text()
    change(release, "corpus", lambda rows: rows[0].update(title="other"))
    (release.folder / "manifest.json").write_text(manifest)
    row = question(release, 0)
    assert problems(release) == [
        "file: corpus/corpus-00000-of-00001.parquet has changed: its bytes are not those that the manifest names",
        f"document: question {row['id']}: its record {row['documents'][0]} must have the title company "
        f"{row['entity']!r} alone",
        "content hash: the rows, templates or databases are not those that the manifest names",
    ]


def question(release: Release, number: int) -> dict[str, Any]:
    return next(release.batches("questions", "test")).slice(number, 1).to_pylist()[0]


def test_an_answer(release: Release) -> None:
    row = question(release, 3)
    change(release, "questions", lambda rows: rows[3].update(answers=["Bergen"]))
    span = row["answers"][0].lower()
    assert problems(release) == [
        f"sql: question {row['id']}: the query returns {row['answers'][0]!r}, the release says 'Bergen'",
        f"evidence: question {row['id']}: no evidence states the answer 'Bergen': {span!r}",
        f"group: question {row['id']} has other answers than the questions before it of its group {row['group']}",
    ]
    change(release, "questions", lambda rows: [item.update(answers=["Bergen"], evidence=[]) for item in rows[:10]])
    ids = [question(release, number)["id"] for number in range(10)]
    assert problems(release) == [
        f"evidence: question {ids[0]}: its evidence is not where its record states its answers",
        *(f"sql: question {name}: the query returns {row['answers'][0]!r}, the release says 'Bergen'" for name in ids),
    ]


def test_an_evidence_span(release: Release) -> None:
    row = question(release, 3)
    span = row["evidence"][0]

    def move(by: int) -> None:
        change(release, "questions", lambda rows: rows[3].update(evidence=[{**span, "start": span["start"] + by}]))

    other = f"group: question {row['id']}: its evidence is not that of the questions before it of its group"
    answer = row["answers"][0]
    move(2)
    assert problems(release) == [
        other,
        f"evidence: question {row['id']}: no evidence states the answer {answer!r}: {answer[2:].lower()!r}",
    ]
    change(release, "questions", lambda rows: rows[3].update(evidence=[{**span, "end": 10_000}]))
    outside = f"{span['document']}[{span['start']}:10000] is outside the document, which has {span['end']} characters"
    assert problems(release) == [other, f"evidence: question {row['id']}: its evidence {outside}"]


def test_a_document(release: Release) -> None:
    name = question(release, 0)["documents"][0]
    change(release, "corpus", lambda rows: rows.pop([row["_id"] for row in rows].index(name)))
    found = problems(release)
    assert f"document: question {question(release, 0)['id']} names {name}, which is not in the corpus" in found
    assert any(text.startswith("rows: corpus has ") for text in found)


def test_a_qrel(release: Release) -> None:
    row = question(release, 0)
    change(release, "qrels", lambda rows: rows[0].update({"corpus-id": "record-0"}))
    assert problems(release) == [
        f"qrel: there is {row['id']} → record-0 where the questions say {row['id']} → {row['documents'][0]}"
    ]
    change(release, "qrels", lambda rows: rows[0].update({"corpus-id": row["documents"][0], "score": 2}))
    assert problems(release)[0].startswith(f"qrel: there is {row['id']} → {row['documents'][0]} with score 2 where")


def test_a_query(release: Release) -> None:
    change(release, "queries", lambda rows: rows[0].update(text="Something else?"))
    assert problems(release) == [f"query: {question(release, 0)['id']} is not the question of the same row"]


def test_an_sql(release: Release) -> None:
    rows = next(release.batches("questions", "test")).to_pylist()
    other = next(row["sql"] for row in rows if row["template"] == rows[0]["template"] and row["sql"] != rows[0]["sql"])
    change(release, "questions", lambda rows: rows[0].update(sql=other))
    found, name = problems(release), rows[0]["id"]
    assert [text.partition(":")[0] for text in found[:7]] == [
        "document", "document", "evidence", "id", "sql", "column", "group",
    ]  # fmt: skip
    assert found[3] == f"id: question {name}: its group is not the hash of its template and the values in its SQL"
    assert found[4].startswith(f"sql: question {name}: the query returns ")
    assert found[5].startswith(f"column: question {name}: its entity is {rows[0]['entity']!r}, and must be ")


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM company",
        "SELECT 1; SELECT 2",
        "PRAGMA table_info(company)",
        "ATTACH 'x' AS y",
        "SELECT name FROM nothing",
    ],
)
def test_a_hostile_sql(release: Release, sql: str) -> None:
    change(release, "questions", lambda rows: rows[0].update(sql=sql))
    row = question(release, 0)
    found = problems(release)
    assert found[0].startswith(
        f"sql: question {row['id']}: the database sqlite:///grammar.sqlite answers with an error"
    )
    assert found[1:] == [
        f"id: question {row['id']}: its SQL is not its template with values filled in",
        f"group: of {row['group']} 9 questions are there, and its template gives 10",
    ]


def test_a_query_that_never_ends(release: Release, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchwright.benchmarks.grounding.checking.SECONDS", 0.2)
    endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT COUNT(*) FROM c"
    change(release, "questions", lambda rows: rows[0].update(sql=endless))
    assert any("interrupted" in text for text in problems(release))


def test_an_id(release: Release) -> None:
    row = question(release, 0)
    spoilt = row["id"][:-1] + ("0" if row["id"][-1] != "0" else "1")
    change(release, "questions", lambda rows: rows[0].update(id=spoilt))
    assert problems(release)[0] == f"id: question {spoilt}: its id is not the hash of its group, form and wording"
    twin = question(release, 1)["id"]
    change(release, "questions", lambda rows: rows[0].update(id=twin))
    assert problems(release).count(f"id: question {twin} is there more than once") == 2


def test_a_wording(release: Release) -> None:
    row = question(release, 0)
    change(release, "questions", lambda rows: rows[0].update(question="What is it?"))
    assert problems(release)[0] == (
        f"id: question {row['id']}: its text is no short wording of its template with the values in its SQL"
    )


def test_a_database(release: Release) -> None:
    connection = sqlite3.connect(release.databases()[0])
    connection.execute("UPDATE company SET headquarters = 'Bergen' WHERE name = 'Halden Marine'")
    connection.commit()
    connection.close()
    found = problems(release)
    assert found[0].startswith("file: database/grammar.sqlite has changed")
    assert any("the query returns 'Bergen', the release says 'Oslo'" in text for text in found)
    assert any(text.startswith("content hash: ") for text in found)


def test_a_file_that_is_no_parquet(release: Release) -> None:
    release.shards("questions", "test")[0].write_bytes(b"PAR1 but not really")
    found = problems(release)
    assert found[0].startswith("file: questions/test-00000-of-00001.parquet has changed")
    assert found[1].startswith("unreadable: ")


def test_many_problems_are_counted(release: Release) -> None:
    change(release, "queries", lambda rows: [row.update(text="?") for row in rows])
    found = problems(release)
    assert len(found) == 21
    assert found[-1] == f"query: {release.manifest.rows['queries'] - 20} more"


def test_the_command(run: Run, company: Path) -> None:
    build = ["grammar", "--name", "one", "--set", "database=company.sqlite"]
    assert run("build-benchmark", *build).returncode == 0
    plain = run("verify-benchmark", "one")
    assert plain.returncode == 0
    assert (
        "not checked: 40 SQL queries (no database is shipped: name it with --database URL|FILE|FOLDER)" in plain.stdout
    )
    proved = run("verify-benchmark", "releases/one/1.0.0", "--database", "sqlite:///company.sqlite")
    assert proved.returncode == 0
    assert "proved: 40 SQL queries" in proved.stdout
    assert "proved: 1 source databases by their bytes" in proved.stdout
    assert "not checked" not in proved.stdout
    assert run("verify-benchmark", "one", "--database", "company.sqlite").stdout == proved.stdout
    with sqlite3.connect(company) as connection:
        connection.execute("CREATE TABLE more (x)")
    other = run("verify-benchmark", "one", "--database", "company.sqlite")
    assert other.returncode == 0
    assert "not checked: 1 source databases by their bytes (the file that is given is not the one" in other.stdout
    manifest = company.parent / "releases/one/1.0.0/manifest.json"
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "rows": {}}))
    spoilt = run("verify-benchmark", "one")
    assert spoilt.returncode == 1
    assert "wrong: rows: questions has 800 rows, manifest.json says None" in spoilt.stdout
    missing = run("verify-benchmark", "two")
    assert (missing.returncode, missing.stderr) == (
        1, "error: there is no release 'two' in releases: build it with build-benchmark\n"
    )  # fmt: skip
