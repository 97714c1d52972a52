"""Cells of tables by row and column: which are asked, what rows and columns are called, and merged cells."""

from pathlib import Path

import pytest
from asking_specifications import answers, check, specification

from benchwright.builders.documents.folder import read_documents
from benchwright.builders.documents.sections import sections
from benchwright.builders.documents.tree import Document
from benchwright.builders.telequad.own.data import NAMES
from benchwright.builders.telequad.own.write import write_specifications
from benchwright.builders.telequad.questions.asked import Specification
from benchwright.builders.telequad.questions.cells import cells
from benchwright.builders.telequad.questions.tables import grids

TIMERS = """# 8 Timers

| Timer | Default value (ms) | Start | Clause |
|---|---|---|---|
| T101 | 500 | request sent | 5.2 |
| T102 | 1400 | inquiry sent | 5.3 |
"""
VALUES = """# 7 Cause

| Value | Name | Meaning |
|---|---|---|
| 0 | cell full | the cell has no room |
| 1 | no channel | - |
| 2 | reserved | reserved |
"""
PAIRS = """# 9 Limits

| Class | Condition | Access time (ms) |
|---|---|---|
| S1 | calm | 176 |
| S1 | rough | 261 |
| S2 | calm | 429 |
| S2 | rough | 566 |
"""
CASES = [
    ("by name", TIMERS, {
        ("T101", "Default value (ms)"): "500", ("T101", "Start"): "request sent",
        ("T102", "Default value (ms)"): "1400", ("T102", "Start"): "inquiry sent"}),
    ("by name beside a code", VALUES, {
        ("cell full", "Value"): "0", ("cell full", "Meaning"): "the cell has no room", ("no channel", "Value"): "1"}),
    ("by two columns", PAIRS, {
        ("S1, calm", "Access time (ms)"): "176", ("S1, rough", "Access time (ms)"): "261",
        ("S2, calm", "Access time (ms)"): "429", ("S2, rough", "Access time (ms)"): "566"}),
    ("a row whose key repeats", TIMERS + "| T103 | 60 | start | 5.4 |\n| T104 | 70 | end | 5.4 |\n| T102 | 9 | - | - |\n", {
        ("T101", "Default value (ms)"): "500", ("T101", "Start"): "request sent",
        ("T103", "Default value (ms)"): "60", ("T103", "Start"): "start",
        ("T104", "Default value (ms)"): "70", ("T104", "Start"): "end"}),
    ("by letters", "# 4 Lamps\n\n| Class | Colour |\n|---|---|\n| A | white |\n| B | red |\n", {
        ("A", "Colour"): "white", ("B", "Colour"): "red"}),
    ("notes of cells and headers", "# 5 Classes\n\n| BQI | Budget (NOTE 3) | Kind |\n|---|---|---|\n"
     "| X1 (NOTE 2) | 100 ms (NOTE 11, NOTE 13) | GBR NOTE 1 |\n| X2 | 50 ms | NOTE 4 |\n", {
         ("X1", "Budget"): "100 ms", ("X1", "Kind"): "GBR", ("X2", "Budget"): "50 ms"}),
    ("names beside codes that are not all there", "# 8 Request\n\n| IEI | Information Element | Length |\n|---|---|---|\n"
     "| | Header type | 1/2 |\n| 2C | Last area | 4-74 |\n| 5- | Old area | 7 |\n", {
         ("Header type", "Length"): "1/2", ("Last area", "IEI"): "2C", ("Last area", "Length"): "4-74",
         ("Old area", "IEI"): "5-", ("Old area", "Length"): "7"}),
    ("a history", "# B Change history\n\n" + VALUES.split("\n\n", 1)[1], {}),
    ("a table of changes", "# 5 Events\n\n| Version | Changes |\n|---|---|\n| v1.0 | made |\n| v2.0 | mended |\n", {}),
    ("abbreviations", "# 3 Abbreviations\n\n| Short | Full |\n|---|---|\n| PT | Pilot Tone |\n| QP | Quiet Period |\n", {}),
    ("a single row", "# 8 Timers\n\n| Timer | Value |\n|---|---|\n| T101 | 500 |\n", {}),
    ("marks", "# 6 Support\n\n| Feature | Linux | Tier |\n|---|---|---|\n| alpha | yes | x |\n| beta | no | M |\n", {}),
    ("one value for all rows", "# 6 Parts\n\n| Part | Level |\n|---|---|\n| alpha | 3 |\n| beta | 3 |\n| gamma | 3 |\n", {}),
    ("references", "# 6 Parts\n\n| Part | Origin |\n|---|---|\n| alpha | see clause 7 |\n| beta | Table 5-1 |\n", {}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_what_is_asked(tmp_path: Path, text: str, expected: dict[tuple[str, str], str]) -> None:
    given = specification(tmp_path, text)
    found = {}
    for asked in cells(given):
        check(asked, given)
        span = asked.answers[0]
        key = (str(asked.metadata["row"]), str(asked.metadata["column"]))
        found[key] = given.sections[asked.context].text[span.start : span.end]
    assert found == expected


def test_wordings_name_table_row_and_column(tmp_path: Path) -> None:
    first, second, *_ = cells(specification(tmp_path, TIMERS))
    table = 'the table in the section "Timers"'
    assert (
        first.wordings["interrogative"][0]
        == f"What is the default value in ms of timer T101 according to {table} of ZZZ 1.234?"
    )
    assert first.aliases == ("500 ms",)
    assert second.wordings["interrogative"][0] == f'What does {table} of ZZZ 1.234 give under "Start" for timer T101?'
    pairs = list(cells(specification(tmp_path, PAIRS)))
    assert 'for class S1 and the condition "calm"' in pairs[0].wordings["short"][0]


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Specification:
    folder = tmp_path_factory.mktemp("own")
    write_specifications(folder, NAMES[:1])
    document = next(iter(read_documents(folder)))
    assert isinstance(document, Document)
    return Specification(document.name, "LCS 21.104", tuple(sections(document)))


def test_tables_of_a_specification(own: Specification) -> None:
    """Captions name tables; merged headers, merged rows and a column of units are read."""
    found = {grid.called: grid for grid in grids(own)}
    assert 'table "Change history"' not in found
    ranges = found['table "Ranges of timers"']
    assert [column.name for column in ranges.columns] == [
        "timer",
        "minimum value",
        "maximum value",
        "unit",
        "default value",
    ]
    points = found['table "Reference points"']
    assert [column.header for column in points.columns] == ["Reference point", "", "", "Carries"]
    timers = found['table "Timers of the Link Control Protocol"']
    assert timers.row_called(timers.rows[0]) == "timer T102"
    messages = found['table "Message types"']
    assert messages.row_called(messages.rows[0]) == 'the message "LINK REQUEST"'
    assert [column.header for column in messages.columns] == ["Value", "Message", "From", "To"]


def test_no_two_cells_are_asked_in_the_same_words(own: Specification) -> None:
    asked = list(cells(own))
    assert len(asked) > 250
    for each in asked:
        check(each, own)
    wordings = [wording for each in asked for form in each.wordings.values() for wording in form]
    assert len(wordings) == len(set(wordings))
    entities = answers(lambda given: (each for each in asked if each.metadata["table"] == "Table 8.3-1: Counters"
                                      and each.metadata["column"] == "Maximum value"), own)  # fmt: skip
    assert entities == {"N101": "6", "N102": "2", "N103": "1", "N104": "4", "N105": "3", "N106": "2"}


def test_tables_with_the_same_caption_are_told_apart_by_number(tmp_path: Path) -> None:
    table = "<tr><th>Part</th><th>Level</th></tr><tr><td>alpha</td><td>3</td></tr><tr><td>beta</td><td>4</td></tr>"
    text = "".join(
        f"<h1>{place} Values</h1><table><caption>Table {place}-1: Levels</caption>{table}</table>" for place in (4, 5)
    )
    assert [grid.called for grid in grids(specification(tmp_path, text, ".html"))] == ["table 4-1", "table 5-1"]
    text = f"<h1>Values</h1><table>{table}</table><table>{table}</table>"
    assert [*grids(specification(tmp_path, text, ".html"))] == []


@pytest.mark.parametrize(
    ("header", "name", "unit"),
    [
        ("Length (octets)", "length", "octets"),
        ("Delay [ms]", "delay", "ms"),
        ("Period (s)", "period", "s"),
        ("Period(in ms)", "period", "ms"),
        ("Period(s)", "period(s)", ""),
        ("Load (c=128)", "load (c=128)", ""),
        ("Range (from the node)", "range (from the node)", ""),
    ],
)
def test_units_of_headers(tmp_path: Path, header: str, name: str, unit: str) -> None:
    text = f"# 7 Values\n\n| Part | {header} |\n|---|---|\n| X1 | 3 |\n| X2 | 4 |\n\nThis is c, s, from the node.\n"
    (grid,) = grids(specification(tmp_path, text))
    assert (grid.columns[1].name, grid.columns[1].unit) == (name, unit)


def test_a_header_that_says_name_is_of_what_it_names(tmp_path: Path) -> None:
    text = "# 7 Profile\n\n| Attribute name | Data type |\n|---|---|\n| beatTimer | integer |\n| nodeId | string |\n"
    first, _ = cells(specification(tmp_path, text))
    assert first.wordings["short"][0].startswith("data type of attribute beatTimer, ")


def test_a_header_that_is_no_noun_is_quoted(tmp_path: Path) -> None:
    text = "# 8 Runs\n\n| Part | What was run in the test | Maximum gap |\n|---|---|---|\n| X1 | idle | 3 |\n| X2 | full | 4 |\n"
    first, second, *_ = cells(specification(tmp_path, text))
    assert 'give under "What was run in the test" for part X1?' in first.wordings["interrogative"][0]
    assert second.wordings["interrogative"][0].startswith("What is the maximum gap of part X1 according to")


def test_a_paragraph_above_a_table_can_be_its_caption(tmp_path: Path) -> None:
    table = "| Class | Colour |\n|---|---|\n| A | white |\n| B | red |\n\n"
    text = f"# 4 Lamps\n\nTable 1 — Classes\n\n{table}Table 2 shows more.\n\n{table}"
    assert [grid.called for grid in grids(specification(tmp_path, text))] == ['table "Classes"']


def test_cells_merged_across_columns_are_not_asked(tmp_path: Path) -> None:
    text = (
        "<h1>Values</h1><table><tr><th>Part</th><th>Level</th><th>Class</th></tr>"
        "<tr><td>alpha</td><td colspan=2>not fitted</td></tr><tr><td>beta</td><td>4</td><td>upper</td></tr>"
        "<tr><td colspan=3>Other parts</td></tr><tr><td>gamma</td><td rowspan=2>7</td><td>lower</td></tr>"
        "<tr><td>delta</td><td>middle</td></tr></table>"
    )
    given = specification(tmp_path, text, ".html")
    found = [(each.metadata["row"], each.metadata["column"]) for each in cells(given)]
    assert found == [
        *(("beta", "Level"), ("beta", "Class"), ("gamma", "Level"), ("gamma", "Class")),
        *(("delta", "Level"), ("delta", "Class")),
    ]


DRAWN = """
   +======+==========+===========================+
   | Type | Name     | Purpose                   |
   +======+==========+===========================+
   | 0x00 | PADDING  | fills a packet up         |
   +------+----------+---------------------------+
   | 0x01 | PING     | asks for an answer from   |
   |      |          | the other endpoint        |
   +------+----------+---------------------------+

                 Table 3: Frame Types
"""
LINES = """
   +-----------+---------+
   | Setting   | Default |
   +-----------+---------+
   | MAX_DATA  | 65535   |
   | MAX_PATHS | 4       |
   +-----------+---------+
"""
BITS = """
    0                   1
   +-+-+-+-+-+-+-+-+-+-+
   |   Type    |  Flag |
   +-+-+-+-+-+-+-+-+-+-+
"""
CROOKED = """
   +-------+------+
   | Node  | Port |
   +---+----------+
   | A | 12       |
   +-------+------+
"""


@pytest.mark.parametrize(
    ("drawn", "called", "expected"),
    [
        (DRAWN, 'table "Frame Types"', {("PADDING", "Type"): "0x00", ("PADDING", "Purpose"): "fills a packet up",
                                        ("PING", "Type"): "0x01"}),
        (LINES, 'table in the section "Values"', {("MAX_DATA", "Default"): "65535", ("MAX_PATHS", "Default"): "4"}),
        (BITS, "", {}),
        (CROOKED, "", {}),
    ],
)  # fmt: skip
def test_tables_drawn_in_characters(
    tmp_path: Path, drawn: str, called: str, expected: dict[tuple[str, str], str]
) -> None:
    given = specification(tmp_path, f"1.  Scope\n\n   Text.\n\n2.  Values\n\n   The values are:\n{drawn}", ".txt")
    assert [grid.called for grid in grids(given)] == ([called] if called else [])
    found = {}
    for asked in cells(given):
        check(asked, given)
        span = asked.answers[0]
        key = (str(asked.metadata["row"]), str(asked.metadata["column"]))
        found[key] = given.sections[asked.context].text[span.start : span.end]
    assert found == expected
