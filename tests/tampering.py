"""Releases that somebody tampered with, as tables of cases: an edit of a copy, then left raw or sealed again.

A table is a list of `Tampering`; a test file of its own runs it, each case twice:

    CASES = [
        Tampering(
            "an answer", "aurp",
            lambda copy: copy.rows("questions", lambda rows: rows[3].update(answers=["Bergen"])),
            "sql: question ",
        ),
    ]

    @pytest.mark.parametrize(("case", "sealed"), raw_and_sealed(CASES))
    def test_it_is_caught(case: Tampering, sealed: bool, built: Built, tmp_path: Path) -> None:
        check_caught(case, sealed, built, tmp_path)

*Raw*: only the edit is done, and some line must say what is wrong, mostly that of the file's bytes. *Sealed*: as a
forger would do it with our code in hand: the counts of rows, the card, the list of files and the content hash are made
to fit, and the line that the case names must come up.
"""

import json
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import holdouts
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import wiki_writers
import wikieval_releases
from built import Built, company_release, copy_release, wikipedia_release

from benchwright.benchmarks.catalogue import load_spec
from benchwright.benchmarks.releases.manifest import CARD, list_files, write_manifest
from benchwright.benchmarks.releases.proofs import counts, files, halves, queries_qrels, verify
from benchwright.benchmarks.releases.proofs.base import Material, Verification
from benchwright.benchmarks.releases.proofs.commitments import public_half
from benchwright.benchmarks.releases.proofs.verify import run, verify_release
from benchwright.benchmarks.releases.release import Release
from benchwright.builders.rebuild import Given, rebuild
from benchwright.cards.dataset import prove_card
from benchwright.cards.dataset.card import render_card, repository_of

Row = dict[str, Any]

FEW = {**holdouts.SETTINGS, "groups": "100"}
"""Parameters of the halves that are tampered with."""


def _published(built: Built) -> Release:
    """Questions of a published SQuAD-style file, one without an answer."""

    def write(root: Path) -> None:
        asked = [
            {"id": f"q{at}", "question": f"What stands at {at}?", "answers": [{"text": text, "answer_start": at}]}
            for text, at in (("AMF", 4), ("pages", 8), ("UE", 18))
        ]
        asked.append({"id": "none", "question": "Why?", "answers": [], "is_impossible": True})
        paragraphs = [{"context": "The AMF pages the UE.", "qas": asked}]
        (root / "published.json").write_text(json.dumps({"data": [{"title": "T", "paragraphs": paragraphs}]}))

    return built.release("telequad", source=built.folder("telequad-published", write) / "published.json")


RELEASES: Mapping[str, Callable[[Built], Release]] = {
    "aurp": lambda built: built.release("aurp", size=10, wordings=2, groups=80),
    "aurp with many gaps": lambda built: built.release("aurp", size=10, wordings=2, groups=250),
    "aurp with kinds": lambda built: built.release(
        "aurp", size=10, wordings=1, forms="short", groups=200, kinds="lookup,count,yes_no,unanswerable"
    ),
    "round": lambda built: built.release("aurp", seed=2**255, size=10, wordings=1, names_of=0, names_seed=2**254),
    "company": lambda built: company_release(built, ship="all", forms="short"),
    "spider": lambda built: built.release(
        "spider", wordings=1, forms="short", groups=150, kinds="lookup,count,list,yes_no,unanswerable"
    ),
    "telequad": lambda built: built.release("telequad", groups=90, wordings=1),
    "telequad, published": _published,
    "wikipedia": lambda built: wikipedia_release(built, questions=2),
    "wikipedia by a model": wiki_writers.build,
    "wikieval": wikieval_releases.own,
    "wikieval, labelled": wikieval_releases.labelled,
    "wikieval by a model": wikieval_releases.of_model,
    "wikieval of documents": wikieval_releases.of_documents,
    "wikieval of runs": wikieval_releases.of_runs,
    "company, nothing shipped": lambda built: company_release(built, forms="short"),
}
"""What a case may name as its release, beside `public` and `private`: the halves of a small Aurp, in one folder."""

_LATE = {
    "count": counts.PROOF,
    "rows": counts.PROOF,
    "card": prove_card.PROOF,
    "half": halves.PROOF,
    "qrel": queries_qrels.PROOF,
    "query": queries_qrels.PROOF,
}
"""Kind of problem → the proof that finds it after the rows."""


@dataclass(frozen=True)
class Tampering:
    """A case."""

    name: str
    release: str
    """One of RELEASES, `public` or `private`."""
    edit: Callable[["Copy"], object]
    wrong: str
    """A regular expression that a problem begins with, once all is sealed again: "sql: question "."""
    needs: str = ""
    """What finds it once it was sealed: nothing but the files, or `rebuild`: then verifying alone finds nothing wrong, so
    that the table says what only building it again proves."""
    raw: str = ""
    """The same for what comes up raw; empty: any problem will do."""
    follow: bool = True
    """Whether sealing makes `queries` and `qrels` follow from `questions` again."""
    card: bool = True
    """Whether sealing writes the card anew."""
    rows: bool = True
    """Whether sealing makes the counts of rows and splits fit."""


@dataclass
class Copy:
    """A copy of a release, to be tampered with."""

    folder: Path
    beside: Mapping[str, "Copy"] = field(default_factory=dict)
    """The halves: `public` and `private`."""

    @property
    def release(self) -> Release:
        """As it is now."""
        return Release.load(self.folder)

    def read(self, config: str, split: str | None = None) -> list[Row]:
        """The rows of a split, `test` where none is given, or the config's own."""
        split = split or _split(config)
        return [row for batch in self.release.batches(config, split) for row in batch.to_pylist()]

    def write(self, config: str, rows: Iterable[Row], split: str | None = None) -> None:
        """Puts rows in the place of those of a split; one that gets none is gone."""
        split, release = split or _split(config), self.release
        schema, footer = release.schema(config), None
        for path in release.shards(config, split):
            footer = pq.read_schema(path).metadata  # with the canary
            path.unlink()
        table = pa.Table.from_pylist(list(rows), schema=schema).replace_schema_metadata(footer)
        if table.num_rows:
            (self.folder / config).mkdir(exist_ok=True)
            pq.write_table(table, self.folder / config / f"{split}-00000-of-00001.parquet")

    def rows(self, config: str, edit: Callable[[list[Row]], object], split: str | None = None) -> None:
        """Changes the rows of a split in place: their values, their order, how many there are."""
        rows = self.read(config, split)
        edit(rows)
        self.write(config, rows, split)

    def each(
        self,
        config: str,
        edit: Callable[[Row], object],
        where: Callable[[Row], bool] = lambda row: True,
        split: str | None = None,
    ) -> int:
        """Changes every row of a split for which `where` holds. Returns how many; fails the test where none does."""
        rows = self.read(config, split)
        chosen = [row for row in rows if where(row)]
        assert chosen, "no row is such a one"
        for row in chosen:
            edit(row)
        self.write(config, rows, split)
        return len(chosen)

    def json(self, path: str, edit: Callable[[Any], object]) -> None:
        """Changes a JSON file in place: `templates/aurp.json`, or `manifest.json`, without a look at what it says."""
        target = self.folder / path
        content = json.loads(target.read_text(encoding="utf-8"))
        edit(content)
        target.write_text(json.dumps(content, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")

    def manifest(self, edit: Callable[[dict[str, Any]], object]) -> None:
        """Changes the manifest in place."""
        self.json("manifest.json", edit)

    def text(self, path: str, edit: Callable[[str], str]) -> None:
        """Changes a text file, such as the card; what sealing writes anew is written over it: see `kept`."""
        target = self.folder / path
        target.write_text(edit(target.read_text(encoding="utf-8")), encoding="utf-8")

    def sql(self, script: str) -> None:
        """Changes the shipped database."""
        (path,) = self.release.databases()
        connection = sqlite3.connect(path)
        try:
            connection.executescript(script)
            connection.commit()
        finally:
            connection.close()

    def seal(self, *, follow: bool = True, card: bool = True, rows: bool = True) -> None:
        """Makes everything fit again that our own code can make fit."""
        if rows:
            self._recount()  # rows beyond those that the manifest tells would not be read
        if follow:
            self._follow()
        if rows:
            self._recount()
        manifest = self.release.manifest
        manifest = replace(manifest, content_hash=Release(self.folder, manifest).content_hash())
        if card:
            before = (self.folder / CARD).read_text(encoding="utf-8")
            text = render_card(manifest, load_spec(manifest.builder), self.folder, repository_of(before))
            (self.folder / CARD).write_text(text, encoding="utf-8")
        write_manifest(self.folder, replace(manifest, files=list_files(self.folder)))

    def _recount(self) -> None:
        """Makes the counts of rows and splits fit."""
        release = self.release
        splits = _counted(release)
        totals = {config: sum(splits.get(config, {}).values()) for config in {**release.manifest.rows, **splits}}
        write_manifest(self.folder, replace(release.manifest, splits=splits, rows=totals))

    def _follow(self) -> None:
        """Makes `queries` and `qrels` say what `questions` says."""
        for split in [
            path.name.partition("-")[0] for path in sorted((self.folder / "questions").glob("*-of-*.parquet"))
        ]:
            rows = self.read("questions", split)
            self.write("queries", [{"_id": row["id"], "text": row["question"]} for row in rows], split)
            qrels = [
                {"query-id": row["id"], "corpus-id": name, "score": 1}
                for row in rows
                for name in row["documents"] or ()
            ]
            self.write("qrels", qrels, split)


def raw_and_sealed(cases: Iterable[Tampering]) -> list[Any]:
    """Each case twice, for `parametrize(("case", "sealed"), …)`."""
    return [
        pytest.param(case, sealed, id=f"{case.name} ({'sealed' if sealed else 'raw'})")
        for case in cases
        for sealed in (False, True)
    ]


def copy_of(name: str, built: Built, root: Path) -> Copy:
    """A copy of one of RELEASES, or of the halves."""
    if name not in ("public", "private"):
        release = RELEASES[name](built)
        beside = release.folder.parents[2]
        if not (beside / "runs").is_dir():
            return Copy(copy_release(release, root).folder)
        shutil.copytree(beside, root, dirs_exist_ok=True)  # with the runs that it was made of
        return Copy(root / release.folder.relative_to(beside))
    halves = built.folder("few-halves", lambda folder: holdouts.build_halves(folder, settings=FEW))
    shutil.copytree(halves, root, dirs_exist_ok=True)
    both: dict[str, Copy] = {}
    for half, release in zip(("public", "private"), holdouts.load_halves(root), strict=True):
        both[half] = Copy(release.folder, both)
    return both[name]


def check_caught(case: Tampering, sealed: bool, built: Built, root: Path, *, to_the_end: bool = False) -> None:
    """Tampers with a copy, verifies it, and fails where what the case names does not come up."""
    copy = copy_of(case.release, built, root)
    case.edit(copy)
    if sealed:
        copy.seal(follow=case.follow, card=case.card, rows=case.rows)
    wanted = case.wrong if sealed else case.raw
    found = [] if sealed or case.raw else _found_by_bytes(copy.release)
    if not found and case.needs != "rebuild" and not to_the_end:
        found = _found_until(wanted, copy.release)
    elif not found:
        found = verify_release(copy.release, more=[prove_card.PROOF]).problems
    if case.needs == "rebuild" and (sealed or not found):
        assert found == [], "the files alone show it: the table must not say that it takes a rebuild"
        again = Verification()
        rebuild(copy.release, again, Given({}, render_card))
        found, wanted = again.problems, case.wrong
    assert any(re.match(wanted, text) for text in found), f"{wanted!r} is none of {found[:5]}"


class _CameUpError(Exception):
    """What was looked for came up."""


@dataclass
class _Until(Verification):
    """Ends verifying with the problem that is looked for."""

    wanted: str = ""

    def problem(self, kind: str, text: str) -> None:
        super().problem(kind, text)
        if re.match(self.wanted, f"{kind}: {text}"):
            raise _CameUpError


def _found_until(wanted: str, release: Release) -> list[str]:
    """What verifying finds until it finds what is wanted. A proof that comes late and whose problem it is runs first."""
    alone, found = _Until(wanted=wanted), _Until(wanted=wanted)
    try:
        proof = _LATE.get(wanted.partition(":")[0])
        if proof is not None:
            run([proof], Material(release, alone, public_half(release, None)))
        with patch.object(verify, "Verification", return_value=found):
            verify_release(release, more=[prove_card.PROOF])
    except _CameUpError:
        return alone.problems + found.problems
    return found.problems


def _found_by_bytes(release: Release) -> list[str]:
    """What one proof finds, which verifying runs too: the others cost a hundred times as much."""
    found = Verification()
    run([files.PROOF], Material(release, found))
    return found.problems


def _split(config: str) -> str:
    return config if config == "corpus" else "test"


def _counted(release: Release) -> dict[str, dict[str, int]]:
    """Config → split → rows, of the files that are there: in the manifest's order, then what is new."""
    found: dict[str, dict[str, int]] = {}
    configs = [*release.manifest.splits, *sorted(path.name for path in release.folder.iterdir() if path.is_dir())]
    for config in dict.fromkeys(configs):
        known = list(release.manifest.splits.get(config, {}))
        there = sorted({path.name.partition("-")[0] for path in (release.folder / config).glob("*-of-*.parquet")})
        for split in dict.fromkeys([*known, *there]):
            shards = release.shards(config, split)
            if shards:
                found.setdefault(config, {})[split] = sum(pq.read_metadata(path).num_rows for path in shards)
    return found
