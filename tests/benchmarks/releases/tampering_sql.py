"""Tamperings with what follows from SQL, templates and the database."""

import json
from collections.abc import Callable
from typing import Any

from tampering import Copy, Row, Tampering

from benchwright.benchmarks.hashing import template_id

AURP, COMPANY, BARE = "aurp", "company", "company, nothing shipped"


def each(split: str | None = None, **values: Any) -> Callable[[Copy], object]:
    """The same values in every row."""
    return lambda copy: copy.each("questions", lambda row: row.update(values), split=split)


def first(**values: Any) -> Callable[[Copy], object]:
    """Values in the rows of the first group."""

    def edit(rows: list[Row]) -> None:
        for row in rows:
            if row["group"] == rows[0]["group"]:
                row.update(values)

    return lambda copy: copy.rows("questions", edit)


def of_rows(change: Callable[[Row], object]) -> Callable[[Copy], object]:
    """A change of every row."""
    return lambda copy: copy.each("questions", change)


def without_template(copy: Copy) -> None:
    """All questions of one template are gone."""

    def edit(rows: list[Row]) -> None:
        gone = rows[0]["template"]
        rows[:] = [row for row in rows if row["template"] != gone]

    copy.rows("questions", edit)


def without_groups(copy: Copy) -> None:
    """Of the first template only one group is left, and its record: nothing that is there is wrong."""

    def edit(rows: list[Row]) -> None:
        first, kept = rows[0]["template"], rows[0]["group"]
        assert any(row["template"] == first and row["group"] != kept for row in rows)
        rows[:] = [row for row in rows if row["template"] != first or row["group"] == kept]

    copy.rows("questions", edit)
    left = {name for row in copy.read("questions") for name in row["documents"]}
    copy.rows("corpus", lambda rows: rows.__setitem__(slice(None), [row for row in rows if row["_id"] in left]))


def without_all_of_template(copy: Copy) -> None:
    """A template is gone with its questions and their records, from the files of templates too."""
    gone = copy.read("questions")[0]["template"]
    copy.rows("questions", lambda rows: rows.__setitem__(slice(None), [row for row in rows if row["template"] != gone]))
    left = {name for row in copy.read("questions") for name in row["documents"]}
    copy.rows("corpus", lambda rows: rows.__setitem__(slice(None), [row for row in rows if row["_id"] in left]))

    def edit(content: dict[str, Any]) -> None:
        content["sql_templates"] = {
            tables: [sql for sql in statements if template_id(sql) != gone]
            for tables, statements in content["sql_templates"].items()
        }

    copy.json("templates/grammar.json", edit)


def swapped_splits(copy: Copy) -> None:
    """A group of `dev` stands in `test`."""
    dev = copy.read("questions", "dev")
    moved = [row for row in dev if row["group"] == dev[0]["group"]]
    copy.write("questions", [row for row in dev if row["group"] != dev[0]["group"]], "dev")
    copy.rows("questions", lambda rows: rows.extend(moved))


def all_wrong(row: Row) -> None:
    """An answer without the SQL that refutes it."""
    row.update(sql=None, answers=["wrong"], aliases=[[]])


def one_more_alias(row: Row) -> None:
    """Something else is accepted too."""
    row.update(aliases=[[*forms, "42"] for forms in row["aliases"]])


def without_aliases(row: Row) -> None:
    """Forms that documents have are no longer accepted."""
    row.update(aliases=[[] for _ in row["answers"]])


def other_wording(copy: Copy) -> None:
    """A template is worded in another way, in its file alone."""

    def edit(content: Any) -> None:
        texts = content["text_templates_short"]
        name = next(iter(texts))
        texts[name][0] = f"Say, {texts[name][0]}"

    copy.json("templates/aurp.json", edit)


def without_templates(copy: Copy) -> None:
    """There is no file of templates."""
    for path in (copy.folder / "templates").iterdir():
        path.unlink()


def other_sql(row: Row) -> None:
    """A query that returns the same."""
    row.update(sql=row["sql"].rstrip(";") + " AND 1 = 1;")


def edited_record(copy: Copy) -> None:
    """A record contradicts its question beside what it must say."""
    copy.each("corpus", lambda row: row.update(text=row["text"] + "\nThis is wrong."))


def stray_document(copy: Copy) -> None:
    """A document that no question explains."""
    copy.rows("corpus", lambda rows: rows.insert(0, {**rows[0], "_id": "record-stray", "text": "Ada Moor is Danish."}))


def other_title(copy: Copy) -> None:
    """Records have other titles."""
    copy.each("corpus", lambda row: row.update(title="note"))


def other_words(copy: Copy) -> None:
    """Records call a column something else."""
    copy.each("corpus", lambda row: row.update(text=row["text"].replace("company", "firm")))


def shorter_evidence(row: Row) -> None:
    """Evidence that begins one line earlier and still states its answer."""
    row.update(evidence=[{**span, "start": 0} for span in row["evidence"]])


def other_database(copy: Copy) -> None:
    """The database holds something else where a question asks."""
    copy.sql("UPDATE company SET headquarters = 'Bergen'")


def as_set(row: Row) -> None:
    """One answer twice, as a set."""
    row.update(answers=row["answers"] * 2, aliases=row["aliases"] * 2, answer_type="set")


CASES = [
    Tampering("all answers wrong and the SQL removed", AURP, of_rows(all_wrong), "sql: question .* has no SQL"),
    Tampering("SQL removed from all rows", AURP, each(sql=None), "sql: question .* has no SQL"),
    Tampering("SQL removed from one group", COMPANY, first(sql=None), "sql: question .* has no SQL"),
    Tampering(
        "an answer and its aliases, of a whole group",
        AURP,
        first(answers=["Bergen"], aliases=[["at Bergen"]]),
        "sql: question .* the query returns ",
    ),
    Tampering("an extra alias for every answer", AURP, of_rows(one_more_alias), "column: question .* its aliases "),
    Tampering("aliases removed", AURP, of_rows(without_aliases), "column: question .* its aliases "),
    Tampering("an alias in GRAMMAR", BARE, of_rows(one_more_alias), "column: question .* its aliases "),
    Tampering("an answer twice, as a set", COMPANY, of_rows(as_set), "sql: question |column: question "),
    Tampering("another type of answer", AURP, each(answer_type="set"), "column: question .* its answer_type "),
    Tampering("yes or no", BARE, each(answer_type="boolean"), "column: question .* its answer_type "),
    Tampering("hops of all rows", AURP, each(hops=1), "column: question .* its hops "),
    Tampering("hops with the database", COMPANY, each(hops=1), "column: question .* its hops "),
    Tampering("impossible hops without a database", BARE, each(hops=9), "column: question .* its hops "),
    Tampering("kind", AURP, each(kind="aggregate"), "column: question .* its kind "),
    Tampering("kind without a database", BARE, each(kind="compare"), "column: question .* its kind "),
    Tampering("subset", AURP, each(subset="hard"), "column: question .* its subset "),
    Tampering("entity", AURP, each(entity="Nobody"), "column: question .* its entity "),
    Tampering("entity without a database", BARE, first(entity="Nobody"), "column: question .* its entity "),
    Tampering(
        "unanswerable",
        AURP,
        each(answerability="unanswerable", documents=[], evidence=[]),
        "column: question .* its answerability ",
    ),
    Tampering(
        "gaps in GRAMMAR",
        BARE,
        each(answerability="gap", documents=[], evidence=[]),
        "column: question .* its answerability ",
    ),
    Tampering(
        "one wording of a group becomes a gap",
        AURP,
        lambda copy: copy.rows(
            "questions",
            lambda rows: rows[1].update(
                answerability="gap" if rows[0]["answerability"] == "answerable" else "answerable",
                documents=[],
                evidence=[],
            ),
        ),
        "group: question .* its answerability ",
    ),
    Tampering("metadata in GRAMMAR", BARE, each(metadata=json.dumps({"a": 1})), "column: question .* has metadata"),
    Tampering("a group", AURP, first(group="0" * 16), "id: question .* its group "),
    Tampering("a form", AURP, first(form="long"), "id: question "),
    Tampering("a template", AURP, first(template="0" * 12), "id: question .* is in no file of templates"),
    Tampering("a text", AURP, first(question="What is it?"), "id: question "),
    Tampering(
        "an id",
        BARE,
        lambda copy: copy.rows("questions", lambda rows: rows[0].update(id=rows[0]["group"] + "-" + "0" * 8)),
        "id: question .* its id is not the hash",
    ),
    Tampering("another SQL that returns the same", AURP, of_rows(other_sql), "id: question .* its SQL is not its"),
    Tampering("rows of one template removed", AURP, without_template, "templates: no question comes from"),
    Tampering("a template removed everywhere", COMPANY, without_all_of_template, "templates: .* comes from .* SELECT "),
    Tampering(
        "groups of a template removed", COMPANY, without_groups, "fillings: of the template .* 1 groups are asked"
    ),
    Tampering(
        "a wording removed",
        AURP,
        lambda copy: copy.rows("questions", lambda rows: rows.pop(0)),
        "group: of .* are there",
    ),
    Tampering(
        "all wordings of one form removed",
        BARE,
        lambda copy: copy.rows("questions", lambda rows: rows.__setitem__(slice(None), rows[::2])),
        "group: of .* are there",
    ),
    Tampering("a template worded anew in its file", AURP, other_wording, "id: question "),
    Tampering("no templates at all", AURP, without_templates, "templates: there are none"),
    Tampering("dev in test", AURP, swapped_splits, "split: question "),
    Tampering("a database that says something else", COMPANY, other_database, "sql: question .* the query returns "),
    Tampering("a line appended to every record", BARE, edited_record, "document: question .* its record "),
    Tampering("a document that nobody asks about", BARE, stray_document, "document: record-stray is no record"),
    Tampering("titles of records", BARE, other_title, "document: question .* must have the title"),
    Tampering("words of records", BARE, other_words, "document: question .* its record "),
    Tampering("evidence of a record", BARE, of_rows(shorter_evidence), "evidence: question .* its evidence "),
    Tampering(
        "no documents, where there are records",
        BARE,
        each(documents=[], evidence=[]),
        "document: question .* its documents ",
    ),
    Tampering(
        "a held-out question reworded",
        "public",
        lambda copy: copy.rows("questions", lambda rows: rows[0].update(question="What is it?"), "heldout"),
        "id: question .* is no wording",
    ),
    Tampering(
        "a held-out question removed",
        "public",
        lambda copy: copy.rows("questions", lambda rows: rows.pop(0), "heldout"),
        "group: of .* are held out",
    ),
    Tampering("hops of an open half", "public", each(hops=3), "column: question .* its hops "),
    Tampering("an alias in an open half", "public", of_rows(one_more_alias), "column: question .* its aliases "),
    Tampering("kind in the private half", "private", each(kind="compare"), "column: question .* its kind "),
]
