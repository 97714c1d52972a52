"""What changed from one version to another, by ids, and which number the new one must have."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hub_cases import CARD, make_release
from lighthouses import GAP, questions
from support import Run

from benchwright.benchmarks.releases.diff import Change, compare
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.types import Question

MAJOR = "lights 1.0.0 → lights 1.1.0: a major version, for questions, answers or documents changed or went"
MINOR = "lights 1.0.0 → lights 1.1.0: a minor version, for something was added and nothing changed"
PATCH = "lights 1.0.0 → lights 1.1.0: a patch, for only the card or metadata changed"
NONE = "lights 1.0.0 → lights 1.1.0: nothing changed"
ROWS = "the content hash changed: other columns, other configs, or the order of rows"
PLAIN = "# lights\n"


@pytest.fixture
def old(tmp_path: Path) -> Release:
    return make_release(tmp_path, card=PLAIN)


def ids(release: Release) -> list[str]:
    return [row["id"] for batch in release.batches("questions", "test", ["id"]) for row in batch.to_pylist()]


def first_with(values: dict[str, Any]) -> Callable[[Question], Question]:
    """Gives the first question, the short one of Gannet Rock, other values."""

    def change(question: Question) -> Question:
        is_first = (question.entity, question.form) == ("Gannet Rock", "short")
        return replace(question, **values) if is_first else question

    return change


def changed(tmp_path: Path, **options: Any) -> Release:
    return make_release(tmp_path, "1.1.0", **{"card": PLAIN, **options})


def test_nothing(old: Release, tmp_path: Path) -> None:
    found = compare(old, changed(tmp_path))
    assert (found.kind, found.lines()) == ("none", [NONE])
    assert found.questions.is_none and found.documents == Change() and not found.is_other_content


@pytest.mark.parametrize(
    "values",
    [
        {"question": "how high is it"},
        {"answers": ("30 metres",), "group": None},
        {"aliases": (("31 m", "31m"),)},
        {"answer_type": "set"},
        {"answerability": "gap", "documents": (), "evidence": ()},
        {"documents": (), "evidence": ()},
        {"evidence": ()},
    ],
    ids=lambda values: next(iter(values)),
)
def test_a_question_that_changed(old: Release, tmp_path: Path, values: dict[str, Any]) -> None:
    found = compare(old, changed(tmp_path, change=first_with(values)))
    assert found.questions == Change(changed=(ids(old)[0],))
    assert (found.kind, found.lines()) == ("major", [MAJOR, f"1 questions changed: {ids(old)[0]}"])


@pytest.mark.parametrize(
    "values",
    [{"hops": 2}, {"group": "other"}, {"metadata": {"a": 1}}],
    ids=lambda values: next(iter(values)),
)
def test_another_column(old: Release, tmp_path: Path, values: dict[str, Any]) -> None:
    found = compare(old, changed(tmp_path, change=first_with(values)))
    assert (found.kind, found.lines()) == ("patch", [PATCH, ROWS])


def test_questions_added(old: Release, tmp_path: Path) -> None:
    also = questions(GAP, 55, gap=True)
    found = compare(old, changed(tmp_path, also=also))
    new = [question.id for question in also]
    assert found.questions == Change(added=tuple(new))
    assert (found.kind, found.lines()) == ("minor", [MINOR, f"2 questions added: {new[0]}, {new[1]}"])
    back = compare(changed(tmp_path / "b", also=also), old)
    assert (back.kind, back.questions) == ("major", Change(removed=tuple(new)))
    assert back.lines()[1:] == [f"2 questions removed: {new[0]}, {new[1]}"]


def test_a_question_in_another_split(tmp_path: Path) -> None:
    moved = questions(GAP, 55, gap=True)
    found = compare(make_release(tmp_path, card=PLAIN, also=moved), changed(tmp_path, dev=moved))
    assert (found.kind, found.questions) == ("major", Change(changed=tuple(each.id for each in moved)))


def test_documents(old: Release, tmp_path: Path) -> None:
    taller = compare(old, changed(tmp_path, taller=1))
    documents = ("gannet-rock", "sable-point", "old-hook", "cape-farrow")
    assert taller.documents == Change(changed=documents)
    names = ids(old)
    assert (taller.kind, taller.lines(shown=2)) == (
        "major",
        [
            MAJOR,
            f"8 questions changed: {names[0]}, {names[1]} and 6 more",
            "4 documents changed: gannet-rock, sable-point and 2 more",
        ],
    )
    assert taller.lines()[1] == f"8 questions changed: {', '.join(names[:5])} and 3 more"


def test_files(old: Release, tmp_path: Path) -> None:
    card = compare(old, changed(tmp_path, card=CARD))
    assert (card.kind, card.lines()) == ("patch", [PATCH, "1 files changed: README.md"])
    more = compare(old, changed(tmp_path / "b", extra={"notes/a.txt": b"a"}))
    assert (more.kind, more.lines()) == ("patch", [PATCH, "1 files added: notes/a.txt"])


def test_the_command(old: Release, tmp_path: Path, run: Run) -> None:
    new = changed(tmp_path, taller=1, card=CARD)
    said = run("publish-benchmark", new.folder, "--diff", old.folder)
    assert (said.returncode, said.stderr) == (0, "")
    names = ids(old)
    assert said.stdout.splitlines() == [
        MAJOR,
        f"8 questions changed: {', '.join(names[:5])} and 3 more",
        "4 documents changed: gannet-rock, sable-point, old-hook, cape-farrow",
        "1 files changed: README.md",
    ]
    by_name = run("publish-benchmark", "lights@1.1.0", "--diff", "lights@1.0.0", "--releases", tmp_path)
    assert by_name.stdout == said.stdout
    absent = run("publish-benchmark", new.folder, "--diff", "none")
    assert (absent.returncode, absent.stderr) == (
        1,
        "error: there is no release 'none' in releases: build it with build-benchmark\n",
    )
