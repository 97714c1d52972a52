"""A folder of CSV files becomes a database: types, keys and references are found in the data."""

import json
from pathlib import Path

import pytest
from support import ROOT, Run

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.database import open_database
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.rows import load_questions
from benchwright.builders.sql.csv_folder import database_of_folder
from benchwright.builders.sql.reflection import reflect


def folder(tmp_path: Path, **files: str | bytes) -> Path:
    made = tmp_path / "csv"
    made.mkdir()
    for name, content in files.items():
        (made / f"{name}.csv").write_bytes(content if isinstance(content, bytes) else content.encode())
    return made


def test_the_library_of_the_quickstart(tmp_path: Path) -> None:
    database_of_folder(ROOT / "scripts" / "library", tmp_path / "l.sqlite")
    with open_database(f"sqlite:///{tmp_path / 'l.sqlite'}") as database:
        schema = reflect(database)
    assert {name: table.naming for name, table in schema.tables.items()} == {
        "authors": ("name",), "books": ("title",), "branches": ("name",), "holdings": (), "librarians": ("name",)}  # fmt: skip
    assert {
        (name, *key.columns, key.table, *key.targets)
        for name, table in schema.tables.items()
        for key in table.foreign_keys
    } == {
        ("books", "author_id", "authors", "author_id"),
        ("holdings", "book_id", "books", "book_id"),
        ("holdings", "branch_id", "branches", "branch_id"),
        ("librarians", "branch_id", "branches", "branch_id"),
    }
    assert [name for name, table in schema.tables.items() if table.associative] == ["holdings"]
    assert schema.tables["authors"].columns["date_of_birth"].kind == "date"
    assert schema.tables["holdings"].columns["copies"].kind == "number"


def references(tmp_path: Path, **files: str) -> set[str]:
    """What refers to what, of tables written with `; ` between their rows."""
    made = folder(tmp_path, **{name: text.replace("; ", "\n") + "\n" for name, text in files.items()})
    database_of_folder(made, tmp_path / "t.sqlite")
    with open_database(f"sqlite:///{tmp_path / 't.sqlite'}") as database:
        tables = reflect(database).tables
    return {
        f"{name}.{key.columns[0]} > {key.table}.{key.targets[0]}"
        for name, table in tables.items()
        for key in table.foreign_keys
    }


SHOP = {
    "customers": "id,name,city; 1,Ann,Rome; 2,Bob,Oslo; 3,Cid,Bern",
    "orders": "id,title,customer_id; 1,O-1,2; 2,O-2,1; 3,O-3,2",
}


def test_an_id_in_every_table_and_no_table_refers_to_itself(tmp_path: Path, run: Run) -> None:
    """`customer_id` was taken for the `id` of its own table: the customer of O-1 was O-2."""
    assert references(tmp_path, **SHOP) == {"orders.customer_id > customers.id"}
    assert run("build-benchmark", "grammar", "--set", f"database={tmp_path / 'csv'}", "--quiet").returncode == 0
    release = Release.load(tmp_path / "releases/grammar/1.0.0")
    found = {question.question: question.answers for question in load_questions(release, "test")}
    assert found["customer of order O-1"] == found["customer of order O-3"] == ("Bob",)
    assert found["city of customer of order O-2"] == ("Rome",)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param(
            {"employees": "id,name,manager_id,boss,parent_employee_id; 1,A,2,2,2; 2,B,2,2,2", "teams": "id,lead_id; 1,1"},
            set(), id="nothing says where a role leads"),
        pytest.param(
            {"employees": "id,employee_id,name; 1,2,A; 2,1,B"}, set(), id="two keys of one table"),
        pytest.param(
            {"stores": "id,name,employees,floor,level_id; 1,N,2,1,1; 2,S,3,2,1", "employees": "id,name,rank; 1,A,1; 2,B,2; 3,C,3",
             "medals": "rank,medal; 1,gold; 2,silver; 3,bronze", "floor": "id,colour; 1,red; 2,blue"},
            set(), id="counts and ranks are in every key"),
        pytest.param(
            {"Customer": "ID,FullName; 1,Ann; 2,Bob", "SalesOrder": "ID,CustomerID; 1,2; 2,2", "OrderLine": "ID,SalesOrderID,id_customer; 1,1,2; 2,2,2"},
            {"SalesOrder.CustomerID > Customer.ID", "OrderLine.SalesOrderID > SalesOrder.ID", "OrderLine.id_customer > Customer.ID"},
            id="camel case and singular tables"),
        pytest.param(
            {"Patients": "PatientId,WardId,doctorid; 1,1,1; 2,2,2; 3,2,1", "Wards": "Id,Name; 1,Red; 2,Blue", "Doctors": "id,name; 1,A; 2,B",
             "diagnoses": "diagnosis_id,patients_id; 1,1; 2,3"},
            {"Patients.WardId > Wards.Id", "Patients.doctorid > Doctors.id", "diagnoses.patients_id > Patients.PatientId"},
            id="hospital"),
        pytest.param(
            {"people": "id,name; 1,A; 2,B", "categories": "code,name; K,C; L,D", "visits": "id,person_id,category_code,category; 1,1,K,C; 2,1,L,C"},
            {"visits.person_id > people.id", "visits.category_code > categories.code", "visits.category > categories.name"},
            id="irregular plurals, codes and names"),
        pytest.param(
            {"clients": "cust_no,name; 100,A; 101,B", "books": "isbn,title; 9780000000001,A; 9780000000002,B",
             "orders": "order_id,cust_no,isbn; 1,100,9780000000001; 2,100,9780000000002"},
            {"orders.cust_no > clients.cust_no", "orders.isbn > books.isbn"}, id="keys of the same name"),
        pytest.param(
            {"cities": "name,country; Paris,FR; Bonn,DE", "airports": "country,name; FR,CDG; DE,BER"}, set(),
            id="words that tables share by chance"),
        pytest.param(
            {"customers": "customer_id,name; 1,A; 2,B", "orders": "customer_id,order_id; 1,10; 2,11", "loyalty": "customer_id,points; 1,5; 2,9"},
            {"orders.customer_id > customers.customer_id", "loyalty.customer_id > customers.customer_id"}, id="one row each"),
        pytest.param(
            {"customers": "id,customer_id,name; 1,1002,A; 2,1001,B", "orders": "id,customer_id; 1,1001; 2,1002"},
            {"orders.customer_id > customers.customer_id"}, id="a key of our own and theirs"),
        pytest.param(
            {"customers": "id,name; 1,A; 2,B", "orders": "id,customer_id; 1,1.0; 2,; 3,2.0"},
            {"orders.customer_id > customers.id"}, id="numbers as pandas writes them"),
        pytest.param(
            {"customers": "id,name; 1,A; 007,B", "orders": "id,customer_id; 1,1; 2,1", "calls": "id,customer_id; 1,7; 2,7"},
            {"orders.customer_id > customers.id"}, id="7 is not 007"),
    ],
)  # fmt: skip
def test_references_need_names_that_agree_and_values(tmp_path: Path, files: dict[str, str], expected: set[str]) -> None:
    assert references(tmp_path, **files) == expected


def test_what_is_not_taken_is_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    tables = {
        "customers": "id,name; 1,A; 2,B",
        "region": "id,name; 1,N",
        "regions": "id,name; 1,S",
        "empty": "id,customer_id; 1,",
    }
    orders = "id,customer_id,supplier_id,region_id,invoice_id; 1,1,5,1,7; 2,7,5,1,8"
    assert references(tmp_path, **tables, orders=orders) == set()
    assert caplog.messages == [
        "columns that are not followed, since names and values do not say where they lead: "
        "orders.customer_id (not all of its values are in customers), orders.supplier_id (no other table is called so), "
        "orders.region_id (it could be of region or regions); a schema file (--draft-schema FILE) can say it"
    ]


def test_what_is_taken_is_told_but_for_what_somebody_says(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    tables = {"customers": "id,name; 1,A; 2,B", "orders": "id,customer_id; 1,2; 2,1"}
    assert references(tmp_path, **tables) == {"orders.customer_id > customers.id"}
    assert caplog.messages == [
        "columns that are followed, by their names and values: orders.customer_id → customers.id"
    ]
    database_of_folder(tmp_path / "csv", tmp_path / "again.sqlite", ["orders.customer_id"])
    assert len(caplog.messages) == 1


def test_types_and_values(tmp_path: Path) -> None:
    text = '\ufeffname,n,r,b,d,code,note\r\n"A, ""B""",1,1.5,true,2020-02-29,007,"two\nlines"\r\nC,-2,3,FALSE,2021-01-01,008,\r\n\r\n'
    database_of_folder(folder(tmp_path, things=text), tmp_path / "t.sqlite")
    with open_database(f"sqlite:///{tmp_path / 't.sqlite'}") as database:
        rows = database.all("SELECT * FROM things")
        kinds = {name: column.kind for name, column in reflect(database).tables["things"].columns.items()}
    assert [tuple(row) for row in rows] == [
        ('A, "B"', 1, 1.5, 1, "2020-02-29", "007", "two\nlines"),
        ("C", -2, 3.0, 0, "2021-01-01", "008", None),
    ]
    assert kinds == {
        "name": "text", "n": "number", "r": "number", "b": "boolean", "d": "date", "code": "text", "note": "text"}  # fmt: skip


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("declared", [False, True])
def test_dialects(tmp_path: Path, delimiter: str, encoding: str, declared: bool) -> None:
    """What programs write that are set to other countries: decimal commas are texts, and quoted lines one value."""
    rows = ["name,price,note", 'Ä,"1,5","a;b|c\td"', '夜,"2,25","two\nlines"']
    text = "\r\n".join(rows) + "\r\n"
    if delimiter != ",":
        cells = (["name", "price", "note"], ["Ä", "1,5", '"a;b|c\td"'], ["夜", "2,25", '"two\nlines"'])
        text = "\r\n".join(delimiter.join(row) for row in cells) + "\r\n"
    text = f"sep={delimiter}\r\n{text}" if declared else text
    database_of_folder(folder(tmp_path, things=text.encode(encoding)), tmp_path / "t.sqlite")
    with open_database(f"sqlite:///{tmp_path / 't.sqlite'}") as database:
        found = [tuple(row) for row in database.all("SELECT * FROM things")]
    assert found == [("Ä", "1,5", "a;b|c\td"), ("夜", "2,25", "two\nlines")]


def test_a_benchmark_from_files_of_several_dialects(run: Run, tmp_path: Path) -> None:
    made = folder(tmp_path, client="id;name;city\n1;X, Y & Z;Rome\n2;Q;Oslo\n")
    (made / "project.tsv").write_text("id\tname\tclient_id\n1\tBridge; new\t2\n2\tRoad\t1\n", encoding="utf-16")
    assert run("build-benchmark", "grammar", "--set", f"database={made}", "--quiet").returncode == 0
    release = Release.load(tmp_path / "releases/grammar/1.0.0")
    found = {question.question: question.answers for question in load_questions(release, "test")}
    assert found["what about project Road's client?"] == ("X, Y & Z",)
    assert "proved: 6 SQL queries" in run("verify-benchmark", "grammar", "--database", str(made)).stdout


def test_names_refer_where_every_value_is_there(tmp_path: Path) -> None:
    made = folder(
        tmp_path, client="name,city\nX,Rome\nY,Oslo\n", project="name,client\nP,X\nQ,Y\n", other="name,client\nR,Z\n"
    )
    database_of_folder(made, tmp_path / "t.sqlite")
    with open_database(f"sqlite:///{tmp_path / 't.sqlite'}") as database:
        tables = reflect(database).tables
    assert [(key.columns, key.table, key.targets) for key in tables["project"].foreign_keys] == [
        (("client",), "client", ("name",))
    ]
    assert tables["other"].foreign_keys == ()


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "holds no *.csv, *.tsv or *.parquet file"),
        ({"a": ""}, "a.csv has no header: its first line must name every column"),
        ({"a": "x,\n1,2\n"}, "a.csv has no header"),
        ({"a": "x,X\n1,2\n"}, "a.csv, line 1: two columns have the same name"),
        ({"a": "x,y\n1,2\n1\n"}, "a.csv, line 3 has 1 values for 2 columns (separated by comma)"),
        ({"a": "x\ty\n1\t2\n1\n"}, "a.csv, line 3 has 1 values for 2 columns (separated by tab)"),
        ({"a": 'x;y\n"1\n2";3\n\n4\n'}, "a.csv, line 5 has 1 values for 2 columns (separated by semicolon)"),
        (
            {"a": b"x\nCaf\xe9\n"},
            "a.csv, line 2 is not UTF-8 text (its byte 0xe9 is 'é' in Windows-1252 and Latin-1): save it as CSV UTF-8",
        ),
        ({"a": "x,y\n1,2\n".encode("utf-16-le")}, "a.csv is not UTF-8 text (UTF-16 without a byte order mark?)"),
        ({"a": b"\xff\xfex\x00\n\x00\x00"}, "a.csv is not the UTF-16 text that its first bytes say"),
        ({"a": 'x\ny\n"open\nz\n'}, "a.csv, line 3 is no CSV: a quotation mark is never closed"),
        ({"a": 'x\n"b"c\n'}, "a.csv, line 2 is no CSV: "),
        ({"sqlite_a": "x\n1\n"}, "names of tables do not begin with sqlite_"),
        ({"a": "x\n1\n", "A": "x\n1\n"}, "would be one table"),
        ({"a": ",".join(f"c{i}" for i in range(3000)) + "\n"}, "no database can be made of the folder"),
    ],
)
def test_bad_files(tmp_path: Path, files: dict[str, str | bytes], message: str) -> None:
    with pytest.raises(BenchwrightError) as error:
        database_of_folder(folder(tmp_path, **files), tmp_path / "t.sqlite")
    assert message in str(error.value)


def test_a_benchmark_from_csv_files(run: Run, tmp_path: Path) -> None:
    made = folder(tmp_path, client="name,city\nX,Rome\nY,Oslo\n")
    assert run("build-benchmark", "grammar", "--set", f"database={made}", "--set", "ship=all").returncode == 0
    manifest = json.loads((tmp_path / "releases/grammar/1.0.0/manifest.json").read_text())
    assert manifest["sources"][0]["uri"] == "csv:csv"
    assert manifest["parameters"]["database"] == "csv"
    assert "proved: 2 SQL queries" in run("verify-benchmark", "grammar").stdout
    given = run("verify-benchmark", "grammar", "--database", str(made)).stdout
    assert "proved: 2 SQL queries" in given
    assert "proved: 1 source databases by their bytes" in given
