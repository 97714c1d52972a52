"""`verify-benchmark --rebuild`: what is genuine is the same again; what differs is named; what cannot be said is not."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from built import Built, copy_release
from card_cases import aurp_by_model
from support import COMPANY, ROOT, Run, make_sqlite
from tampering import Copy, copy_of

from benchwright.benchmarks.releases.derive import derive
from benchwright.benchmarks.releases.proofs.base import Verification
from benchwright.benchmarks.releases.readable_figures import CHECK
from benchwright.benchmarks.releases.readable_figures import FILE as READABLE
from benchwright.benchmarks.releases.release import Release
from benchwright.builders.base import build_release
from benchwright.builders.rebuild import ADDED, Given, rebuild
from benchwright.cards.dataset.card import render_card

AGAIN = "content hash, built again"
COUNTED = "counts of checks and texts, built again"
FILES = "files with the same bytes, built again"


def rebuilt(release: Release, database: object = None, public: Release | None = None, **given: object) -> Verification:
    found = Verification()
    said = {name: str(value) for name, value in given.items()}
    place = None if database is None else f"sqlite:///{database}"
    rebuild(Release.load(release.folder), found, Given(said, render_card, public=public, database=place))
    return found


@pytest.mark.parametrize(
    "given",
    [
        {"seed": 0, "size": "paper"},
        {"seed": 7, "size": "paper", "forms": "casual,long"},
        {"seed": 3, "size": 10, "coverage": 0.5, "groups": 0, "wordings": 2},
    ],
)
def test_aurp_is_the_same_again(built: Built, given: dict[str, Any]) -> None:
    release = built.release("aurp", **given)
    found = rebuilt(release)
    assert (found.problems, dict(found.unchecked)) == ([], {})
    assert found.proved[AGAIN] == 1
    assert found.proved[COUNTED] == len({*release.manifest.checks} - {CHECK}) + len(release.manifest.texts)
    assert found.proved[FILES] == len({*release.manifest.files} - {"README.md", READABLE})


def test_both_halves_are_the_same_again(halves: tuple[Release, Release]) -> None:
    public, private = halves
    found = rebuilt(private)
    assert (found.problems, dict(found.unchecked), found.proved[AGAIN]) == ([], {}, 2)
    alone = rebuilt(public)
    assert (alone.problems, dict(alone.proved)) == ([], {})
    assert (
        alone.reasons[AGAIN]
        == "what it was drawn with is secret: whoever has aurp-private rebuilds that, which makes both"
    )


def test_another_secret_is_named(built: Built, tmp_path: Path) -> None:
    copy = copy_of("private", built, tmp_path)
    copy.manifest(lambda content: content["holdout"].update(secret="00" * 32))
    found = rebuilt(copy.release).problems
    assert any(text.startswith("rebuild: ") for text in found)
    assert any(text.startswith("rebuild: aurp: ") for text in found), "the public half beside it differs too"


def company(built: Built, tmp_path: Path, **given: object) -> tuple[Release, Path]:
    """A release from a database that is not shipped, and the database."""
    database = make_sqlite(tmp_path / "company.sqlite", COMPANY)
    said = {"database": str(database), **{name: str(value) for name, value in given.items()}}
    return build_release("grammar", said, render_card, output=tmp_path / "releases")[0], database


def test_grammar_wants_its_database(built: Built, tmp_path: Path) -> None:
    release, database = company(built, tmp_path)
    found = rebuilt(release)
    assert (found.problems, dict(found.proved)) == ([], {})
    assert found.reasons[AGAIN] == (
        "of database its manifest tells the last part alone: add --set database=…/company.sqlite"
    )
    assert rebuilt(release, database).proved[AGAIN] == 1


def test_another_database_proves_nothing(built: Built, tmp_path: Path) -> None:
    release, _ = company(built, tmp_path)
    other = make_sqlite(tmp_path / "other.sqlite", COMPANY.replace("'Perth'", "'Bergen'"))
    found = rebuilt(release, other)
    assert (found.problems, found.proved[AGAIN]) == ([], 0)
    assert found.reasons[AGAIN].startswith(
        "sqlite:///other.sqlite is not the file that the manifest names: it has another SHA-256"
    )


def test_templates_of_a_file_are_not_vouched_for(built: Built, tmp_path: Path) -> None:
    made, database = company(built, tmp_path)
    given = tmp_path / "given.json"
    shutil.copy(made.folder / "templates" / "grammar.json", given)
    release = build_release(
        "grammar", {"database": str(database), "templates": str(given)}, render_card, output=tmp_path / "given"
    )[0]
    assert rebuilt(release, database).reasons[AGAIN].endswith("add --set templates=…/given.json")
    assert rebuilt(release, database, templates=given).proved[AGAIN] == 1
    content = json.loads(given.read_text())
    sql = next(iter(content["text_templates_short"]))
    content["text_templates_short"][sql][0] += " now"
    given.write_text(json.dumps(content))
    found = rebuilt(release, database, templates=given)
    assert found.problems == []
    assert found.reasons[AGAIN].startswith("the manifest has no hash of what templates names")


def test_what_models_wrote_is_built_from_their_kept_replies(built: Built, tmp_path: Path) -> None:
    release = aurp_by_model(built)
    cache = Path(shutil.copy(release.folder.parents[1] / "replies.sqlite", tmp_path))
    found, without = Verification(), Verification()
    rebuild(release, found, Given({}, render_card, cache=cache))
    assert (found.problems, dict(found.unchecked), found.proved[AGAIN]) == ([], {}, 1)
    rebuild(release, without, Given({}, render_card, cache=tmp_path / "none.sqlite"))
    assert (without.problems, dict(without.proved)) == ([], {})
    assert "--replay: a reply of scribe is not among those kept in " in without.reasons[AGAIN]


def test_a_csv_folder(built: Built) -> None:
    library = str(ROOT / "scripts" / "library")
    release = built.release("grammar", name="library", database=library)
    again = Verification()
    rebuild(release, again, Given({"database": library}, render_card))
    assert (again.problems, again.proved[AGAIN], dict(again.unchecked)) == ([], 1, {})


def test_a_derived_release(built: Built, tmp_path: Path) -> None:
    parent = copy_release(built.release("aurp", size="paper", seed=0), tmp_path)
    pairs = [{"id": "p1", "question": "q", "source": "s", "answer": "a", "ungrounded_answer": "u", "poor_answer": "p"}]
    child = derive(
        parent, "1.1.0", {"pairs": {"test": pairs}}, tmp_path, render_card=lambda manifest, folder: "A card.\n"
    )
    again = rebuilt(child)
    assert (again.problems, again.proved[AGAIN], dict(again.unchecked)) == ([], 1, {ADDED: 1})
    Copy(child.folder).manifest(lambda content: content["parent"].update(content_hash="0" * 64))
    assert rebuilt(child).reasons[AGAIN] == (
        "it was derived from aurp 1.0.0: rebuild that, and read what was added with --diff"
    )


@pytest.mark.parametrize(
    ("edit", "reason"),
    [
        (lambda m: m.update(builder_version="9.0.0"), "aurp 1.0.0 was built by version 9.0.0 of its builder, and "),
        (lambda m: m.update(builder="nobody"), "the builder nobody is not installed: "),
        (lambda m: m["parameters"].update(colour="red"), "aurp has no parameter 'colour'"),
        (lambda m: m["parameters"].update(coverage=7), "coverage=7 is out of range"),
    ],
)
def test_what_cannot_be_built_here(
    built: Built, tmp_path: Path, edit: Callable[[dict[str, Any]], object], reason: str
) -> None:
    copy = Copy(copy_release(built.release("aurp", size="paper", seed=0), tmp_path).folder)
    copy.manifest(edit)
    found = rebuilt(copy.release)
    assert (found.problems, dict(found.proved)) == ([], {})
    assert found.reasons[AGAIN].startswith(reason)


def test_the_command_leaves_nothing_behind(
    run: Run, built: Built, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    release = copy_release(built.release("aurp", size="paper", seed=0), tmp_path / "releases")
    before = sorted(tmp_path.rglob("*"))
    temporary = tmp_path.parent / f"{tmp_path.name}-tmp"
    temporary.mkdir()
    found = run("verify-benchmark", "aurp", "--rebuild", env={"TMPDIR": str(temporary)})
    assert (found.returncode, "proved: 1 content hash, built again" in found.stdout) == (0, True), found
    assert [path.name for path in temporary.glob("benchwright-*")] == []
    assert sorted(path for path in tmp_path.rglob("*") if "hf" not in path.parts) == before
    Copy(release.folder).manifest(lambda content: content.update(seed=1))
    other = run("verify-benchmark", "aurp", "--rebuild")
    assert other.returncode == 1
    assert "wrong: rebuild: questions (test): " in other.stdout
    unused = run("verify-benchmark", "aurp", "--set", "size=10")
    assert (unused.returncode, unused.stderr) == (
        2, "error: --set says what a release is built again from: add --rebuild\n"
    )  # fmt: skip
