"""A user's file of better names."""

from pathlib import Path

import pytest

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.builders.sql.labels import Labels

SCHEMA = {"People": ["Name", "Nationality"], "company": ["Name", "Sales_in_Billion", "Owner_ID"]}


def write(folder: Path, text: str | bytes) -> Path:
    path = folder / "labels.toml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_labels_are_used_and_english_fills_the_gaps(tmp_path: Path) -> None:
    labels = Labels.load(
        write(
            tmp_path,
            '[tables]\npeople = "human being"\n\n[columns]\n'
            '"company.sales_in_billion" = " sales in billions of dollars "\n"company.Owner_ID" = "proprietor"\n',
        )
    )
    assert labels.noun("People") == "human being"
    assert labels.noun("company") == "company"
    assert labels.column("company", "Sales_in_Billion") == "sales in billions of dollars"
    assert labels.column("People", "Nationality") == "nationality"
    assert labels.role("company", "owner_id") == "proprietor"
    assert labels.role("project", "client_id") == "client"
    labels.check(SCHEMA)


def test_no_file_means_english() -> None:
    labels = Labels()
    assert (labels.noun("people"), labels.column("t", "START_DATE"), labels.role("t", "led_by")) == (
        "person",
        "start date",
        "leader",
    )
    labels.check(SCHEMA)


def test_a_column_without_letters_keeps_its_name() -> None:
    assert Labels().column("t", "%") == "%"


def test_an_empty_file_is_no_labels(tmp_path: Path) -> None:
    path = write(tmp_path, "")
    assert Labels.load(path) == Labels(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[tables", "not valid TOML: Expected ']' at the end of a table declaration (at end of document)"),
        (b"\xff\xfe", "the labels file cannot be read: it is not UTF-8 text"),
        ("[colums]", "unknown section [colums] (a labels file has [tables] and [columns]); did you mean 'columns'?"),
        ("title = 1", "unknown section [title] (a labels file has [tables] and [columns])"),
        ("zzz = 1", "unknown section [zzz] (a labels file has [tables] and [columns])"),
        ("tables = 3", "[tables] must be a table of labels, not an integer"),
        ("[tables]\na = true", '[tables] "a": the label must be a text, not a boolean'),
        ("[tables]\na = 2020-01-01", '[tables] "a": the label must be a text, not a date'),
        ("[tables]\na.b = 'x'", '[tables] "a": the label must be a text, not a table'),
        ("[tables]\na = ' '", "[tables] \"a\": the label must be words on one line, without brackets; it is ' '"),
        (
            "[columns]\n'a.b' = '[c]'",
            "[columns] \"a.b\": the label must be words on one line, without brackets; it is '[c]'",
        ),
        ("[tables]\na = 'x'\nA = 'y'", '[tables] "A": the same name as "a"; keep one of the two'),
        ("[columns]\nname = 'x'", '[columns] "name": write it as "table.column"'),
        ("[columns]\n'a.' = 'x'", '[columns] "a.": write it as "table.column"'),
        (
            "[columns]\ncompany.Name = 'x'",
            '[columns] "company": a column\'s key stands in quotes: "company.Name" = "words"',
        ),
    ],
)
def test_what_a_file_may_not_say(tmp_path: Path, text: str | bytes, message: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(BenchwrightError) as caught:
        Labels.load(path)
    assert str(caught.value) == f"{path}: {message}"


def test_a_missing_file(tmp_path: Path) -> None:
    path = tmp_path / "none.toml"
    with pytest.raises(BenchwrightError) as caught:
        Labels.load(path)
    assert str(caught.value) == f"{path}: there is no such labels file"


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(BenchwrightError) as caught:
        Labels.load(tmp_path)
    assert str(caught.value) == f"{tmp_path}: the labels file cannot be read: it is not a file"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[tables]\npeopel = 'x'", "[tables] \"peopel\": there is no table 'peopel'; did you mean 'People'?"),
        ("[tables]\nzzz = 'x'", "[tables] \"zzz\": there is no table 'zzz'"),
        (
            "[columns]\n'compny.Name' = 'x'",
            "[columns] \"compny.Name\": there is no table 'compny'; did you mean 'company'?",
        ),
        (
            "[columns]\n'COMPANY.sale_in_billion' = 'x'",
            "[columns] \"COMPANY.sale_in_billion\": table 'company' has no column 'sale_in_billion'; "
            "did you mean 'Sales_in_Billion'?",
        ),
    ],
)
def test_labels_that_the_schema_does_not_have(tmp_path: Path, text: str, message: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(BenchwrightError) as caught:
        Labels.load(path).check(SCHEMA)
    assert str(caught.value) == f"{path}: {message}"
