"""SQL templates: what is accepted and what it means, what is refused and why."""

from pathlib import Path

import pytest
from support import COMPANY, ROOT, make_sqlite

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.database import open_database
from benchwright.benchmarks.grounding.sql import ColumnOf, parse_template
from benchwright.builders.sql.reflection import reflect
from benchwright.builders.sql.templates.enumeration import enumerate_templates
from benchwright.builders.sql.vocabulary import Vocabulary
from benchwright.builders.sql.wording.template_meaning import count_hops, read_meaning

SCHEMA = {
    "company": ["Company_ID", "Name", "Industry"],
    "people": ["People_ID", "Name", "Age"],
    "employment": ["Company_ID", "People_ID", "Year_working"],
}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "it has 0 statements and must be one SELECT"),
        ("SELECT 1; SELECT 2", "it has 2 statements and must be one SELECT"),
        ("SELECT Industry FROM company WHERE Name = '[company.Name]'; DROP TABLE company", "it has 2 statements"),
        ("DELETE FROM company", "it is DELETE and must be one SELECT"),
        ("UPDATE company SET Name = '[company.Name]'", "it is UPDATE and must be one SELECT"),
        ("PRAGMA table_info(company)", "it is PRAGMA and must be one SELECT"),
        ("SELECT Age FROM people UNION SELECT Industry FROM company", "it is UNION and must be one SELECT"),
        ("WITH x AS (SELECT 1) SELECT * FROM x", "WITH cannot be filled: use SELECT, FROM, JOIN and WHERE"),
        ("SELECT Age FROM people WHERE Name = '[people.Name]' LIMIT 1", "LIMIT cannot be filled"),
        ("SELECT Age INTO x FROM people WHERE Name = '[people.Name]'", "INTO cannot be filled"),
        ("SELECT * FROM company WHERE Name = '[company.Name]'", "it selects *: name the columns"),
        ("SELECT Name FROM company WHERE Name = '[company.Name]'", "it selects Name, which its own condition compares"),
        ("SELECT Indutry FROM company WHERE Name = '[company.Name]'", "there is no column Indutry (did you mean Industry?)"),
        ("SELECT Age FROM peple WHERE Name = '[people.Name]'", "there is no table peple (did you mean people?)"),
        ("SELECT Age FROM people WHERE Name = '[people.Nam]'", "there is no column people.Nam (did you mean Name?)"),
        ("SELECT Age FROM people WHERE Name = '[person.Name]'", "there is no table person"),
        ("SELECT x.Age FROM people WHERE Name = '[people.Name]'", "there is no table x in FROM"),
        ("SELECT Age FROM people, company WHERE Name = '[people.Name]'", "the column Name is in several tables: write TABLE.Name"),
        ("SELECT Age FROM people", "its WHERE compares no column with a placeholder such as '[company.Name]'"),
        ("SELECT Age FROM people WHERE Name > '[people.Name]'", "Name > '[people.Name]' cannot be filled"),
        ("SELECT Age FROM people WHERE Name = '[people.Name]' OR Age = 1", "Name = '[people.Name]' OR Age = 1 cannot be filled: write column = '[table.column]', with AND"),
        ("SELECT '[people.Name]' FROM people WHERE Name = '[people.Name]'", "a placeholder stands outside its WHERE"),
        ("SELECT load_extension('x') FROM people WHERE Name = '[people.Name]'", "it calls load_extension, whose value cannot be proved"),
        ("SELECT random() FROM people WHERE Name = '[people.Name]'", "it calls rand, whose value cannot be proved"),
        ("SELECT Age, COUNT(*) FROM people WHERE Name = '[people.Name]'", "it selects a plain column beside a function over many rows"),
        ("SELECT FROM WHERE", "it cannot be parsed"),
    ],
)  # fmt: skip
def test_refused(text: str, why: str) -> None:
    with pytest.raises(BenchwrightError) as error:
        parse_template(text, SCHEMA, "sqlite")
    assert str(error.value).startswith(f"the SQL template is refused, {why}")
    assert "\n" not in str(error.value)


def test_names_are_resolved() -> None:
    template = parse_template(
        "SELECT e.year_working FROM employment e JOIN COMPANY c ON e.Company_ID = c.Company_ID "
        "JOIN people p USING (People_ID) WHERE c.Name = '[Company.name]' AND p.Name = [people.Name];",
        SCHEMA,
        "sqlite",
    )
    assert template.tables == {"e": "employment", "c": "company", "p": "people"}
    assert template.projections == (ColumnOf("e", "employment", "Year_working"),)
    assert [(item.table, item.column) for item in template.placeholders] == [("company", "Name"), ("people", "Name")]
    assert template.joins == (
        (ColumnOf("e", "employment", "Company_ID"), ColumnOf("c", "company", "Company_ID")),
        (ColumnOf("p", "people", "People_ID"), ColumnOf("e", "employment", "People_ID")),
    )
    assert template.plain
    pieces, cuts = template.pieces
    assert cuts == (0, 1)
    assert pieces[1:] == (" AND p.Name = ", ";")


def test_templates_of_a_small_schema(tmp_path: Path) -> None:
    """All templates, with their hops: a lookup is 1, a foreign key adds 1, an associative table adds none."""
    with open_database(f"sqlite:///{make_sqlite(tmp_path / 'c.sqlite', COMPANY)}") as database:
        schema = reflect(database)
    found = []
    for sql in enumerate_templates(schema):
        template = parse_template(sql, schema.names, "sqlite")
        assert read_meaning(template, schema, Vocabulary()) is not None
        found.append(f"{count_hops(template, schema)} {sql}")
    assert found == GOLDEN.read_text().splitlines()
    assert len(set(found)) == len(found)


def test_a_limit_takes_templates_in_turn(tmp_path: Path) -> None:
    with open_database(f"sqlite:///{make_sqlite(tmp_path / 'c.sqlite', COMPANY)}") as database:
        schema = reflect(database)
    some = enumerate_templates(schema, limit=5)
    assert len(some) == 5
    assert {sql.split(" FROM ")[1].split()[0] for sql in some} == {"company", "employment", "person", "project"}
    assert all(" JOIN " not in sql for sql in enumerate_templates(schema, hops=1) if "FROM employment" not in sql)


GOLDEN = ROOT / "tests" / "golden" / "templates_of_company.txt"
