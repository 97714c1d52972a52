"""Passages of a user's own documents, and the sentences beside them."""

import logging
from itertools import islice
from pathlib import Path

import pytest

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.builders.wikieval.material import Passage
from benchwright.builders.wikieval.sources import from_documents
from benchwright.builders.wikieval.sources.document_passages import BROKEN, LONGEST, SHORT, full_sentences
from benchwright.builders.wikieval.sources.from_documents import TWICE, UNASKED, ReadFolder, document_passages

HANDBOOK = """# Staff handbook

## 1 Leave

### 1.1 Holidays

Each employee has 28 days of leave in a year. Leave is asked for
in the portal at least two weeks before it begins. Up to five days may be kept until March of the next year.

- Five days
- Ten days

The following applies:

### 1.2 Sick leave

Whoever is ill tells the team lead before ten in the morning. A doctor's note is needed from the fourth day on.
The insurer pays from the seventh week, and the company tells the insurer by itself.

### 1.3 Parental leave

See the portal for all of it.
"""
TRAVEL = """# Travel

Trips of more than one day need the consent of the head of the department. Trains are booked in second class, and
flights only where a train takes more than six hours. Leave may be added to a trip at the employee's own expense.
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "handbook.md").write_text(HANDBOOK, encoding="utf-8")
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "travel.md").write_text(TRAVEL, encoding="utf-8")
    return tmp_path


def passages(folder: Path, seed: int = 0, together: int = 4_000_000) -> tuple[list[Passage], ReadFolder]:
    read = ReadFolder(folder)
    return list(document_passages(read, seed, together=together)), read


def test_sections_become_passages(folder: Path) -> None:
    found, read = passages(folder)
    by_title = {passage.title: passage for passage in found}
    assert sorted(by_title) == [
        "Staff handbook > Leave > Holidays",
        "Staff handbook > Leave > Sick leave",
        "Travel",
    ]
    holidays = by_title["Staff handbook > Leave > Holidays"]
    assert holidays.text == (
        "Each employee has 28 days of leave in a year. Leave is asked for in the portal at least two weeks before it "
        "begins. Up to five days may be kept until March of the next year."
    )
    assert (holidays.source, holidays.metadata["clause"], holidays.metadata["part"]) == ("handbook.md", "1.1", 1)
    assert by_title["Travel"].source == "deep/travel.md"
    assert sorted(read.documents) == ["deep/travel.md", "handbook.md"]
    assert read.left_out == {BROKEN: 1, SHORT: 1}


def test_neighbours_are_of_sisters_and_of_other_documents(folder: Path) -> None:
    found, _ = passages(folder)
    holidays = next(passage for passage in found if passage.title.endswith("Holidays"))
    assert [one.sentences[0] for one in holidays.neighbours[:3]] == [
        "Whoever is ill tells the team lead before ten in the morning.",
        "Trips of more than one day need the consent of the head of the department.",
        "A doctor's note is needed from the fourth day on.",
    ]
    assert [one.origin for one in holidays.neighbours[:3]] == ["same document", "other document", "same document"]
    assert not {one.sentences[0] for one in holidays.neighbours} & set(full_sentences(holidays.text))


def test_what_says_nearly_the_same_is_no_neighbour(folder: Path) -> None:
    old = HANDBOOK.replace("28 days", "27 days").replace("Staff handbook", "Old handbook")
    (folder / "old.md").write_text(old, encoding="utf-8")
    found, read = passages(folder)
    holidays = [passage for passage in found if passage.title.endswith("Holidays")]
    assert len(holidays) == 2
    for passage in holidays:
        assert passage.neighbours
        assert not any("days of leave in a year" in one.sentences[0] for one in passage.neighbours)
    assert read.left_out[TWICE] == 1  # sick leave, which both have word for word
    assert len([passage for passage in found if passage.title.endswith("Sick leave")]) == 1


def test_what_ends_the_titles_of_several_documents_is_not_said(tmp_path: Path) -> None:
    for name in ("Trams", "Depots"):
        body = TRAVEL.replace("# Travel", f"# {name} | The Depot Manual").replace("Trains", name)
        (tmp_path / f"{name}.md").write_text(body, encoding="utf-8")
    assert sorted(passage.title for passage in passages(tmp_path)[0]) == ["Depots", "Trams"]


def test_passages_that_nothing_is_asked_of_are_counted(folder: Path) -> None:
    read = ReadFolder(folder)
    found = list(document_passages(read, 0, is_asked=lambda passage: "Travel" in passage.title))
    assert [passage.title for passage in found] == ["Travel"] and found[0].neighbours
    assert read.left_out[UNASKED] == 2


def test_the_order_is_the_seeds_and_takes_documents_in_turn(folder: Path) -> None:
    first, again = passages(folder)[0], passages(folder)[0]
    assert first == again
    assert {passage.source for passage in first[:2]} == {"handbook.md", "deep/travel.md"}
    orders = {tuple(passage.title for passage in passages(folder, seed)[0]) for seed in range(8)}
    assert len(orders) > 1


def test_a_build_that_has_enough_leaves_the_other_files_alone(folder: Path) -> None:
    for number in range(20):
        text = TRAVEL.replace("Trains", f"Trains of line {number}")
        (folder / f"travel-{number}.md").write_text(text, encoding="utf-8")
    read = ReadFolder(folder)
    assert len(list(islice(document_passages(read, 0, together=500), 2))) == 2
    assert len(read.documents) == 3


def test_a_long_section_is_cut_between_sentences(tmp_path: Path) -> None:
    sentences = [f"Line {number} of the depot leaves from platform {number} at noon." for number in range(60)]
    (tmp_path / "lines.md").write_text("# Lines\n\n" + " ".join(sentences), encoding="utf-8")
    found, _ = passages(tmp_path)
    found.sort(key=lambda passage: passage.metadata["part"])
    assert [passage.metadata["part"] for passage in found] == [1, 2, 3]
    assert all(len(passage.text.split()) <= LONGEST for passage in found)
    assert " ".join(passage.text for passage in found) == " ".join(sentences)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The tank holds 4.5 litres. It is cleaned by Dr. Berg each week.", 2),
        ("The tank\nholds four litres.", 1),
        ("The following applies:", 0),
        ("The tank holds four litres. and then it", 0),
        ("Yes. The tank holds four litres.", 2),
        ("Figure 3.", 0),
        ("„Der Tank fasst vier Liter.“ Er wird jede Woche gereinigt.", 1),
        ("Der Tank fasst vier Liter. Er wird z. B. am Montag gereinigt.", 2),
        ("水槽は四リットル入る。毎週洗う。", 2),
        ("", 0),
    ],
)
def test_full_sentences(text: str, expected: int) -> None:
    assert len(full_sentences(text)) == expected


def test_files_that_cannot_be_read_are_named_and_the_others_go_on(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (folder / "plan.xlsx").write_bytes(b"PK")
    with caplog.at_level(logging.WARNING, "benchwright"):
        found, read = passages(folder)
    assert len(found) == 3
    assert caplog.messages == ["not read: plan.xlsx (there is no reader for .xlsx)"]
    assert read.refused == {"plan.xlsx": "there is no reader for .xlsx"}


def test_what_gives_no_passage_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is not there"):
        passages(tmp_path / "nowhere")
    with pytest.raises(UsageError, match="has no files"):
        passages(tmp_path)
    (tmp_path / "short.md").write_text("# Title\n\nThe following applies:\n", encoding="utf-8")
    with pytest.raises(BenchwrightError, match=r"no document of .* has a passage to ask about \(paragraphs that .*: 1"):
        passages(tmp_path)
    (tmp_path / "short.md").rename(tmp_path / "short.xyz")
    with pytest.raises(BenchwrightError, match=r"no file of .* can be read: short.xyz"):
        passages(tmp_path)


def test_one_passage_alone_has_no_neighbours(tmp_path: Path) -> None:
    (tmp_path / "travel.md").write_text(TRAVEL, encoding="utf-8")
    found, _ = passages(tmp_path)
    assert [passage.neighbours for passage in found] == [()]


def test_neighbours_are_bounded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(from_documents, "NEIGHBOURS", 2)
    assert [len(passage.neighbours) for passage in passages(folder)[0]] == [2, 2, 2]
