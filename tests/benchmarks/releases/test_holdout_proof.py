"""Commitments: anybody can compute them, and `verify-benchmark` names each answer that was changed or told."""

import hashlib
import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from holdouts import load_halves, rows

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.hashing import wording_id
from benchwright.benchmarks.releases.commitments import commitment
from benchwright.benchmarks.releases.manifest import list_files
from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.schemas import QUESTIONS


@pytest.fixture
def copies(halves: tuple[Release, Release], tmp_path: Path) -> tuple[Release, Release]:
    """Both halves, to spoil."""
    root = Path(shutil.copytree(halves[0].folder.parent.parent, tmp_path / "copies"))
    return load_halves(root)


def change(release: Release, split: str, **values: Any) -> dict[str, Any]:
    """Changes the first question of a split, and every hash that can be made to fit."""
    path = release.shards("questions", split)[0]
    table = pq.read_table(path).to_pylist()
    table[0].update(values)
    pq.write_table(pa.Table.from_pylist(table, schema=QUESTIONS.resolve(())), path)
    refit(release)
    return table[0]


def refit(release: Release, **values: Any) -> Release:
    fitted = replace(release.manifest, content_hash=release.content_hash(), files=list_files(release.folder), **values)
    (release.folder / "manifest.json").write_text(fitted.to_json())
    return Release.load(release.folder)


def test_a_commitment_is_what_anybody_computes(halves: tuple[Release, Release]) -> None:
    public, private = halves
    promised = {row["id"]: json.loads(row["metadata"])["commitment"] for row in rows(public, "heldout")}
    for row in rows(private, "test"):
        salt = bytes.fromhex(json.loads(row["metadata"])["salt"])
        answer = [row["id"], row["answers"], row["aliases"], row["answer_type"], row["answerability"]]
        text = json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
        assert hashlib.sha256(salt + text.encode("utf-8")).hexdigest() == promised.pop(row["id"])
    assert not promised
    row = {"id": "q1", "answers": ["Café"], "aliases": None, "answer_type": "one", "answerability": None}
    expected = hashlib.sha256(bytes(32) + '["q1",["Café"],[],"one",null]'.encode()).hexdigest()
    assert commitment(row, bytes(32)) == expected


def silent_templates(release: Release) -> int:
    """How many templates no question of a half comes from, by the wordings in its questions' ids."""
    asked = {
        row["id"].partition("-")[2] for split in release.manifest.splits["questions"] for row in rows(release, split)
    }
    wordings: dict[str, set[str]] = {}
    for content in release.templates().values():
        for key, texts in content.items():
            if key.startswith("text_templates_"):
                for sql, some in texts.items():
                    form = key.removeprefix("text_templates_")
                    wordings.setdefault(sql, set()).update(wording_id(form, text) for text in some)
    return sum(not ids & asked for ids in wordings.values())


def test_both_halves_are_proved(halves: tuple[Release, Release], tmp_path: Path) -> None:
    public, private = halves
    count, left = public.manifest.splits["questions"]["heldout"], public.manifest.checks["sql_queries_per_split"]
    silent = "templates that nothing here asks"
    found = verify_release(public)
    assert found.problems == []
    assert found.proved["held-out questions without their answers"] == count
    assert silent_templates(public) > 0
    assert dict(found.unchecked) == {
        "SQL queries": sum(left.values()),  # there is no database, which would answer what is held out
        "documents, for what they state": public.manifest.rows["corpus"],
        silent: silent_templates(public),
    }
    found = verify_release(private)
    expected = {silent: silent_templates(private)} if silent_templates(private) else {}
    assert (found.problems, dict(found.unchecked), found.proved["commitments"]) == ([], expected, count)
    alone = Release.load(Path(shutil.copytree(private.folder, tmp_path / "alone" / "1.0.0")))
    assert dict(verify_release(alone).unchecked) == expected | {
        "commitments": count,
        "open semantic groups that need no held-out cell": private.manifest.rows["cells"],
    }
    assert verify_release(alone, public=public).proved["commitments"] == count
    with pytest.raises(BenchwrightError, match=r"is not the public half of aurp-private 1\.0\.0"):
        verify_release(alone, public=private)
    with pytest.raises(BenchwrightError, match="is not the private half of a release: leave out --public"):
        verify_release(public, public=public)


@pytest.mark.parametrize(
    "values",
    [{"answers": ["Bergen"]}, {"aliases": [["Bergen"]]}, {"answerability": "unanswerable"}, {"answer_type": "set"}],
)
def test_a_changed_answer_is_named(copies: tuple[Release, Release], values: dict[str, Any]) -> None:
    row = change(copies[1], "test", **values)
    found = [text for text in verify_release(Release.load(copies[1].folder)).problems if text.startswith("commitment")]
    assert found == [
        f"commitment: question {row['id']}: its answer is not the one that the public release is committed to"
    ]


def test_another_salt_and_another_question_are_named(copies: tuple[Release, Release]) -> None:
    public, private = copies
    row = change(private, "test", metadata=json.dumps({"salt": bytes(32).hex()}))
    assert f"commitment: question {row['id']}: its answer is not the one that the public release is committed to" in (
        verify_release(Release.load(private.folder)).problems
    )
    change(private, "test", metadata=None)
    assert f"commitment: question {row['id']}: its metadata has no salt" in verify_release(private).problems
    change(public, "heldout", id="other")
    problems = verify_release(private).problems
    assert f"commitment: question {row['id']}: the public release does not hold it out" in problems
    assert "commitment: question other: the public release holds it out, and it is not in the private one" in problems


def test_a_public_half_that_tells_is_named(copies: tuple[Release, Release]) -> None:
    public, private = copies
    row = change(public, "heldout", answers=["Oslo"])
    told = f"holdout: question {row['id']}: it is held out, and its answers can be read"
    assert verify_release(Release.load(public.folder)).problems == [told]
    change(public, "heldout", answers=None, metadata=json.dumps({"commitment": "0" * 64, "salt": "1"}))
    assert verify_release(Release.load(public.folder)).problems == [
        f"holdout: question {row['id']}: it is held out, and its metadata is not a commitment alone"
    ]
    shutil.copytree(private.folder / "database", public.folder / "database")
    spoilt = refit(public, seed=3, parameters={**public.manifest.parameters, "names_seed": 4})
    assert [text for text in verify_release(spoilt).problems if "can be made again" in text or "database" in text] == [
        "holdout: manifest.json tells the seed, from which the held-out answers can be made again",
        "holdout: manifest.json tells the names_seed, from which the held-out answers can be made again",
        "holdout: database/aurp.sqlite answers the held-out questions",
    ]
