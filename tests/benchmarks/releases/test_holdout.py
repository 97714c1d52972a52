"""Held-out questions: what each half of a release holds, how it is split, what is refused, and that it goes on."""

import json
import shutil
from pathlib import Path

import pytest
from built import copy_release
from datasets import load_dataset
from holdouts import SECRET, SETTINGS, SHARE, build, rows
from support import Run

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.holdout import Holdout
from benchwright.benchmarks.releases.manifest import is_private
from benchwright.benchmarks.releases.readable_figures import FILE, read_readable, readable_text, without_said
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.readable.measure import measure_readable

HELD = Holdout("aurp", SHARE, SECRET)
HIDDEN = {
    "answers", "aliases", "answer_type", "answerability", "kind", "hops", "subset", "documents", "evidence", "sql",
}  # fmt: skip
COMMAND = [
    "aurp", "--holdout", "0.5", "--set", "size=10", "--set", "forms=short", "--set", "wordings=1", "--set", "groups=60",
]  # fmt: skip


def test_the_public_half_tells_no_answer(halves: tuple[Release, Release]) -> None:
    public, _ = halves
    held = rows(public, "heldout")
    for row in held:
        assert {name for name, value in row.items() if value in (None, [])} == HIDDEN, row
        assert list(json.loads(row["metadata"])) == ["commitment"]
    ids = {row["id"] for row in held}
    qrels = rows(public, "test", "qrels") + rows(public, "dev", "qrels")
    assert not ids & {row["query-id"] for row in qrels}
    assert "heldout" not in public.manifest.splits["qrels"]
    assert [(row["_id"], row["text"]) for row in rows(public, "heldout", "queries")] == [
        (row["id"], row["question"]) for row in held
    ]
    assert not public.databases()
    assert {path.split("/")[0] for path in public.manifest.files} == {
        "README.md", "corpus", "qrels", "queries", "questions", "readable.json", "templates",
    }  # fmt: skip


def test_what_a_reader_made_of_the_public_half_anybody_can_make(
    halves: tuple[Release, Release], tmp_path: Path
) -> None:
    """It is a function of what is public, so that nothing of the kept half can be told from it; and what the reader
    said is in no file, so that no value of the corpus is shown beside a question that it does not answer."""
    public, private = halves
    (alone := copy_release(public, tmp_path).folder).joinpath(FILE).unlink()
    again = measure_readable(Release.load(alone), "300")
    assert again is not None
    assert readable_text(without_said(again)) == (public.folder / FILE).read_text(encoding="utf-8")
    assert (again.asked.split, again.asked.of_groups) == ("test", len(_answerable(public)))
    assert {failure.id for failure in again.failures} <= {row["id"] for row in rows(public, "test")}
    assert {failure.said for failure in (read_readable(public.folder) or again).failures} == {None}
    assert not (private.folder / FILE).exists()


def _answerable(public: Release) -> set[str]:
    return {row["group"] for row in rows(public, "test") if row["answerability"] == "answerable" and row["documents"]}


def test_what_the_manifests_say(halves: tuple[Release, Release]) -> None:
    public, private = (half.manifest for half in halves)
    held = rows(halves[0], "heldout")
    groups = {split: {row["group"] for row in rows(halves[0], split)} for split in ("heldout", "test")}
    assert public.holdout == {
        "share": SHARE,
        "share_held_out": round(len(groups["heldout"]) / (len(groups["heldout"]) + len(groups["test"])), 4),
        "questions": len(held),
        "groups": len(groups["heldout"]),
        "groups_given_away": (public.holdout or {})["groups_given_away"],
        "groups_left_out": {"dev": len({row["group"] for row in rows(halves[1], "dev")})},
        "commitment": "SHA-256 of the salt (32 bytes) and [id, answers, aliases, answer_type, answerability] as compact "
        "JSON (UTF-8)",
        "private": "aurp-private",
        "recovered": (public.holdout or {})["recovered"],
    }
    assert private.holdout == {
        "share": SHARE,
        "public": "aurp",
        "public_content_hash": public.content_hash,
        "secret": SECRET.hex(),
    }
    assert (is_private(public), is_private(private)) == (False, True)
    assert public.seed is private.seed is None
    assert public.parameters["names_seed"] is private.parameters["names_seed"] is None
    assert (private.name, private.version) == ("aurp-private", "1.0.0")


def test_counts_are_each_halfs_own(halves: tuple[Release, Release]) -> None:
    public, private = halves
    for half, splits in ((public, ["test", "dev"]), (private, ["test", "dev"])):
        checks = half.manifest.checks
        groups = {split: {row["group"]: row["answerability"] for row in rows(half, split)} for split in splits}
        assert checks["sql_queries_per_split"] == {split: len(found) for split, found in groups.items()}
        for name, answerability in (("answerable_groups", "answerable"), ("gap_groups", "gap")):
            assert checks[name] == {split: list(groups[split].values()).count(answerability) for split in splits}
        assert sum(checks["text_queries"].values()) == half.manifest.rows["questions"]
        assert sum(checks["test_groups_per_hops"].values()) == len(groups["test"])


def test_the_halves_are_what_a_build_with_the_same_seeds_gives(halves: tuple[Release, Release], tmp_path: Path) -> None:
    public, private = halves
    whole = build(tmp_path, {**SETTINGS, "names_seed": str(HELD.seed("names_seed"))}, seed=HELD.seed())
    made = rows(whole, "test")
    held = [row["id"] for row in rows(public, "heldout")]
    assert held == [row["id"] for row in rows(private, "test")]
    asked = {*held, *(row["id"] for row in rows(public, "test"))}
    given_away = [row for row in made if row["id"] not in asked]
    assert {row["answerability"] for row in given_away} == {"gap"}
    assert len({row["group"] for row in given_away}) == (public.manifest.holdout or {})["groups_given_away"]
    assert rows(public, "test") == [row for row in made if row["id"] in asked - set(held)]
    withheld = {row["id"] for row in rows(private, "dev")}
    assert withheld and rows(public, "dev") == [row for row in rows(whole, "dev") if row["id"] not in withheld]
    kept = {row["id"]: row for split in ("test", "dev") for row in rows(private, split)}
    for row in made + rows(whole, "dev"):
        if row["id"] in kept:
            told = json.loads(kept[row["id"]].pop("metadata"))
            assert len(told.pop("salt")) == 64
            assert (kept[row["id"]], told) == (row, json.loads(row.pop("metadata")))
    for half in halves:
        assert rows(half, "corpus", "corpus") == rows(whole, "corpus", "corpus")
        assert half.templates() == whole.templates()
    assert [path.name for path in private.databases()] == ["aurp.sqlite"]


def test_the_templates_hold_no_value(halves: tuple[Release, Release]) -> None:
    public, private = halves
    text = json.dumps(public.templates(), ensure_ascii=False)
    held = rows(private, "test")
    answers = {answer for row in held for answer in row["answers"] if not answer.isdigit()}
    assert len(answers) > 80
    assert not [
        value for value in answers | {row["entity"] for row in held} if f'"{value}"' in text or f"'{value}'" in text
    ]


def test_the_same_command_twice_changes_nothing(run: Run, tmp_path: Path) -> None:
    assert run("build-benchmark", *COMMAND).returncode == 0
    before = {path: path.read_bytes() for path in (tmp_path / "releases").rglob("*") if path.is_file()}
    again = run("build-benchmark", *COMMAND)
    assert (again.returncode, again.stdout) == (0, "releases/aurp/1.0.0\n")
    assert "(unchanged, was there already)" in again.stderr
    assert again.stderr.endswith(" questions are in releases/aurp-private/1.0.0 alone\n")
    assert {path: path.read_bytes() for path in (tmp_path / "releases").rglob("*") if path.is_file()} == before
    proved = run("verify-benchmark", "aurp-private")
    assert proved.returncode == 0
    assert "commitments" in proved.stdout
    other = run("build-benchmark", *COMMAND[:2], "0.3", *COMMAND[3:])
    assert other.returncode == 1
    assert "is there with other content, and a version is never changed" in other.stderr
    shutil.rmtree(tmp_path / "releases" / "aurp-private")
    alone = run("build-benchmark", *COMMAND)
    assert alone.returncode == 1
    assert alone.stderr.startswith("error: releases/aurp/1.0.0 is there without its private half, whose secret")
    assert not list((tmp_path / "releases").rglob(".building*"))


def test_killed_between_the_halves_the_next_start_goes_on(run: Run, tmp_path: Path) -> None:
    code = f"""
import os, pathlib
rename, moved = pathlib.Path.rename, []
def once(self, target):
    if self.name.startswith(".building-"):
        if moved:
            os.kill(os.getpid(), 9)
        moved.append(self)
    return rename(self, target)
pathlib.Path.rename = once
from benchwright.scripts.build_benchmark import main
main({COMMAND!r})
"""
    killed = run("-c", code)
    assert killed.returncode == -9, killed
    private = Release.load(tmp_path / "releases/aurp-private/1.0.0").manifest
    assert not (tmp_path / "releases/aurp/1.0.0").exists()
    assert run("build-benchmark", *COMMAND).returncode == 0
    public = Release.load(tmp_path / "releases/aurp/1.0.0").manifest
    assert Release.load(tmp_path / "releases/aurp-private/1.0.0").manifest == private
    assert (private.holdout or {})["public_content_hash"] == public.content_hash
    assert run("verify-benchmark", "aurp-private").returncode == 0
    assert not list((tmp_path / "releases").rglob(".building*"))


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["aurp", "--holdout", "0"], 2, "--holdout 0 is not possible: give a share between 0 and 1, such as 0.5; or 1: all"),
        (["aurp", "--holdout", "1.1"], 2, "--holdout 1.1 is not possible: give a share between 0 and 1, such as 0.5; or 1: all"),
        (["aurp", "--holdout", "nan"], 2, "--holdout nan is not possible: give a share between 0 and 1, such as 0.5; or 1: all"),
        (["aurp", "--holdout", "0.5", "--seed", "0"], 2,
         "--seed cannot be chosen with --holdout: it must be secret; leave it out"),
        (["aurp", "--holdout", "0.5", "--set", "names_seed=0"], 2,
         "names_seed cannot be chosen with --holdout: it must be secret; leave it out of --set"),
        (["grammar", "--holdout", "0.5", "--set", "database=company.sqlite"], 2,
         "the records that GRAMMAR makes state every answer, and a corpus is public: with --holdout add "
         "--set documents=none"),
        (["grammar", "--holdout", "0.000001", "--set", "database=company.sqlite", "--set", "documents=none"], 1,
         "of 40 semantic groups of the split test 0 would be held out, and neither part may be empty: ask more groups, "
         "or choose another --holdout, of 1 for all"),
    ],
)  # fmt: skip
def test_what_is_refused(run: Run, company: Path, arguments: list[str], code: int, message: str) -> None:
    result = run("build-benchmark", *arguments)
    assert (result.returncode, result.stderr) == (code, f"error: {message}\n")
    assert not list(company.parent.rglob("manifest.json"))


def test_a_folder_that_is_no_private_half_is_left_alone(halves: tuple[Release, Release], tmp_path: Path) -> None:
    shutil.copytree(halves[0].folder, tmp_path / "aurp-private" / "1.0.0")
    with pytest.raises(BenchwrightError, match=r"aurp-private/1\.0\.0 is not the private half of aurp: choose"):
        build(tmp_path, holdout=SHARE)


def test_a_grammar_database_is_shipped_in_the_private_half_alone(run: Run, company: Path) -> None:
    arguments = ["database=company.sqlite", "documents=none", "ship=all"]
    settings = [part for item in arguments for part in ("--set", item)]
    assert run("build-benchmark", "grammar", "--holdout", "0.5", *settings).returncode == 0
    public, private = (
        Release.load(company.parent / "releases" / name / "1.0.0") for name in ("grammar", "grammar-private")
    )
    assert ([*public.databases()], len(private.databases())) == ([], 1)
    assert [half.manifest.sources[0]["rows_shipped"] for half in (public, private)] == ["none", "all"]
    for release in ("grammar", "grammar-private"):
        assert run("verify-benchmark", release).returncode == 0


@pytest.mark.parametrize(
    ("config", "split"), [("questions", "heldout"), ("queries", "heldout"), ("qrels", "test"), ("corpus", "corpus")]
)
def test_datasets_loads_the_public_half(halves: tuple[Release, Release], config: str, split: str) -> None:
    loaded = load_dataset(str(halves[0].folder), config, split=split)
    assert len(loaded) == halves[0].manifest.splits[config][split]
    if config == "questions":
        assert loaded[0]["question"] == rows(halves[0], "heldout")[0]["question"]
        assert {loaded[0][name] for name in HIDDEN} == {None}


def test_predictions_are_scored_on_the_private_half(run: Run, halves: tuple[Release, Release], tmp_path: Path) -> None:
    public, private = halves
    asked = run("score-system", public.folder, "keyword", "--split", "heldout", "--limit", "20")
    assert asked.returncode == 0, asked
    assert "Unscored by correct: the question has no gold answer (20)." in asked.stderr
    predictions = [{"id": row["id"], "answer": row["answers"][0]} for row in rows(private, "test")]
    (tmp_path / "mine.jsonl").write_text("".join(json.dumps(line) + "\n" for line in predictions))
    scored = run("score-system", private.folder, "mine.jsonl")
    assert scored.returncode == 0, scored
    report = json.loads((tmp_path / "runs/aurp-private/1.0.0/mine/report.json").read_text())
    assert report["metrics"]["correct"]["value"] == 1.0
