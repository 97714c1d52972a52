"""Tamperings with documents, evidence, qrels and answerability of a release."""

import sqlite3
from collections.abc import Callable

from tampering import Copy, Row, Tampering

from benchwright.benchmarks.releases.rows import read_metadata
from benchwright.benchmarks.schemas import json_text

REPORT = "project-report-0004-1"


def is_answerable(row: Row) -> bool:
    return row["answerability"] == "answerable"


def is_gap(row: Row) -> bool:
    return row["answerability"] == "gap"


def has_hops(row: Row) -> bool:
    return is_answerable(row) and row["hops"] > 1


def text(copy: Copy, edit: Callable[[str], str], where: Callable[[Row], bool]) -> None:
    """Changes texts of documents."""
    copy.each("corpus", lambda row: row.update(text=edit(row["text"])), where)


def append(line: str, document: str = REPORT) -> Callable[[Copy], object]:
    return lambda copy: text(copy, lambda old: f"{old}\n\n{line}", lambda row: row["_id"] == document)


def gap_of(copy: Copy, column: str) -> tuple[str, str, str]:
    """A known gap of one hop in a column: the fact, who it is about, and its value."""
    for split in ("test", "dev"):
        for row in copy.read("questions", split):
            (fact, *others) = read_metadata(row["metadata"])["facts"]
            if is_gap(row) and not others and fact.endswith(f", {column}"):
                return fact, row["entity"], row["answers"][0]
    raise AssertionError(f"no known gap of {column}")


def give_away(column: str, sentence: str, document: str = "organisation") -> Callable[[Copy], object]:
    """Appends a sentence that states a known gap."""

    def edit(copy: Copy) -> None:
        _, name, said = gap_of(copy, column)
        append(sentence.format(name=name, value=said), document)(copy)

    return edit


def first(where: Callable[[Row], bool], **new: object) -> Callable[[Copy], object]:
    """Changes the first question that is such a one."""
    return lambda copy: copy.rows("questions", lambda rows: next(row for row in rows if where(row)).update(new))


def group(where: Callable[[Row], bool], edit: Callable[[Row], object]) -> Callable[[Copy], object]:
    """Changes all questions of the first group whose questions are such ones."""

    def change(rows: list[Row]) -> None:
        chosen = next(row for row in rows if where(row))["group"]
        for row in rows:
            if row["group"] == chosen:
                edit(row)

    return lambda copy: copy.rows("questions", change)


def all_rows(where: Callable[[Row], bool], edit: Callable[[Row], object]) -> Callable[[Copy], object]:
    return lambda copy: copy.each("questions", edit, where)


def into_gap(row: Row) -> None:
    facts = read_metadata(row["metadata"])["facts"]
    told = json_text({"facts": facts, "not_stated": [len(facts) - 1]})
    row.update(answerability="gap", documents=[], evidence=[], metadata=told)


def into_answerable(row: Row) -> None:
    facts = read_metadata(row["metadata"])["facts"]
    row.update(answerability="answerable", metadata=json_text({"facts": facts}))


def without_first_hop(row: Row) -> None:
    evidence = [item for item in row["evidence"] if item["fact"]]
    row.update(evidence=evidence, documents=list(dict.fromkeys(item["document"] for item in evidence)))


def renumbered(row: Row) -> None:
    without_first_hop(row)
    for item in row["evidence"]:
        item["fact"] = 0


def drop_document(name: str) -> Callable[[Copy], object]:
    """Deletes a document, with all that names it."""

    def edit(copy: Copy) -> None:
        copy.rows("corpus", lambda rows: rows.__delitem__(next(n for n, row in enumerate(rows) if row["_id"] == name)))
        for split in ("test", "dev"):
            copy.each("questions", lambda row: without(row, name), split=split)

    return edit


def without(row: Row, document: str) -> None:
    row["documents"] = [name for name in row["documents"] if name != document]
    row["evidence"] = [item for item in row["evidence"] if item["document"] != document]


def swap(column: str, one: str, other: str) -> Callable[[Copy], object]:
    def change(rows: list[Row]) -> None:
        two = {row["_id"]: row for row in rows if row["_id"] in (one, other)}
        two[one][column], two[other][column] = two[other][column], two[one][column]

    return lambda copy: copy.rows("corpus", change)


def elsewhere(copy: Copy) -> None:
    """Moves the evidence of a fact to the same words appended to a document that says nothing of it."""
    row = next(row for row in copy.read("questions") if is_answerable(row) and row["hops"] == 1)
    said, fact = row["answers"][0], read_metadata(row["metadata"])["facts"]
    at: dict[str, int] = {}

    def add(row: Row) -> None:
        at["start"] = len(row["text"]) + 14
        row["text"] += f"\n\nSome words: {said}"

    copy.each("corpus", add, lambda row: row["_id"] == "organisation")
    place = {"document": "organisation", "start": at["start"], "end": at["start"] + len(said), "fact": 0}
    for split in ("test", "dev"):
        copy.each(
            "questions",
            lambda row: (
                row.update(documents=["organisation"], evidence=[place])
                if read_metadata(row["metadata"])["facts"] == fact
                else None
            ),
            split=split,
        )


def metadata(name: str, new: object) -> Callable[[Row], object]:
    return lambda row: row.update(metadata=json_text({**read_metadata(row["metadata"]), name: new}))


def entity_of(copy: Copy, document: str) -> str:
    (row,) = (row for row in copy.read("corpus") if row["_id"] == document)
    return read_metadata(row["metadata"])["entity"]


def in_another(sentence: str) -> Callable[[Copy], object]:
    """Says something of the report's project on the company's own page."""
    return lambda copy: append(sentence.format(entity_of(copy, REPORT)), "organisation")(copy)


def another(column: str, sentence: str) -> Callable[[Copy], object]:
    """Says something of the report's project that holds of another one: what its report does not hold."""

    def edit(copy: Copy) -> None:
        target = {"manager_id": "(SELECT name FROM employee WHERE id = manager_id)"}.get(column, column)
        connection = sqlite3.connect(copy.release.databases()[0])
        values = [value for (value,) in connection.execute(f"SELECT {target} FROM project ORDER BY id")]
        connection.close()
        (row,) = (row for row in copy.read("corpus") if row["_id"] == REPORT)
        append(sentence.format(next(value for value in values if value not in row["text"])))(copy)

    return edit


def second_reports_deleted(copy: Copy) -> None:
    """What first reports call superseded is stated nowhere any more."""
    copy.write("corpus", [row for row in copy.read("corpus") if not row["_id"].endswith("-2")])


def excused(copy: Copy) -> None:
    """Another budget, said to be superseded, in the report of a project that has no later one."""
    rows = copy.read("corpus")
    names = {row["_id"] for row in rows}
    reports = [name for name in sorted(names) if name.startswith("project-report-") and name.endswith("-1")]
    alone = next(name for name in reports if f"{name[:-1]}2" not in names)
    line = "The budget is $1.01 million.\n\nA report of 3 May 2031 supersedes the budget given here."
    append(line, alone)(copy)


def with_an_alternative(copy: Copy) -> None:
    """Another span that is said to state the last fact, beside the true one."""

    def edit(row: Row) -> None:
        first, last = row["evidence"][0], row["evidence"][-1]
        row["evidence"] = [*row["evidence"], {**first, "fact": last["fact"]}]

    copy.each("questions", edit, lambda row: has_hops(row) and row["evidence"][-1]["fact"] > 0)


def is_count(row: Row) -> bool:
    return is_answerable(row) and row["kind"] == "count" and int(row["answers"][0]) > 1


def one_row_less(row: Row) -> None:
    """Leaves out the last of the facts that were counted, wherever the question speaks of them."""
    facts = read_metadata(row["metadata"])["facts"][:-1]
    evidence = [item for item in row["evidence"] if item["fact"] < len(facts)]
    documents = list(dict.fromkeys(item["document"] for item in evidence))
    row.update(evidence=evidence, documents=documents, metadata=json_text({"facts": facts}))


def counted_otherwise(row: Row) -> None:
    one_row_less(row)
    row.update(answers=[str(int(row["answers"][0]) - 1)])


def made_name_told(copy: Copy) -> None:
    """Says something of a name that a question without an answer asks about."""
    names = {row["entity"] for row in copy.read("questions") if row["kind"] == "unanswerable"}
    texts = " ".join(f"{row['title']} {row['text']}" for row in copy.read("corpus"))
    append(f"So much for {min(name for name in names if name not in texts)}.", "organisation")(copy)


def of(name: str) -> Callable[[Row], bool]:
    return lambda row: row["_id"] == name


CASES = [
    Tampering("a group made a known gap", "aurp", group(is_answerable, into_gap), "facts: |gap: "),
    Tampering("a group of hops made a known gap", "aurp", group(has_hops, into_gap), "facts: |gap: "),
    Tampering("all made known gaps", "aurp", all_rows(is_answerable, into_gap), "gap: "),
    Tampering("a known gap that names no fact", "aurp", first(is_answerable, answerability="gap", documents=[], evidence=[]), "facts: question "),
    Tampering("a known gap made answerable", "aurp", group(is_gap, into_answerable), "facts: question .* there is no evidence of "),
    Tampering("all known gaps made answerable", "aurp", all_rows(is_gap, into_answerable), "facts: question "),
    Tampering("an answerable question made unanswerable", "aurp", first(is_answerable, answerability="unanswerable", documents=[], evidence=[]), "facts: question .* neither answerable"),
    Tampering("evidence of the first hop dropped", "aurp", all_rows(has_hops, lambda row: row.update(evidence=[item for item in row["evidence"] if item["fact"]])), "facts: question .* there is no evidence of "),
    Tampering("multi-hop reduced to its last hop", "aurp", all_rows(has_hops, without_first_hop), "facts: question .* there is no evidence of "),
    Tampering("multi-hop reduced and renumbered", "aurp", all_rows(has_hops, renumbered), "facts: question "),
    Tampering("all evidence dropped", "aurp", all_rows(is_answerable, lambda row: row.update(evidence=[])), "facts: question .* there is no evidence of "),
    Tampering("a document more than the evidence has", "aurp", first(is_answerable, documents=["organisation", "client-0001"]), "facts: question .* its documents are not those of its evidence|evidence: "),
    Tampering("evidence moved to the same words elsewhere", "aurp", elsewhere, "statement: organisation"),
    Tampering("an alias more", "aurp", first(is_answerable, aliases=[["anything"]]), "facts: question .* its aliases"),
    Tampering("a fact renamed in metadata", "aurp", first(is_answerable, metadata='{"facts":["client 1, industry"]}'), "facts: question "),
    Tampering("a line that contradicts a budget", "aurp", append("The budget is $1.01 million."), "contradiction: project-report-0004-1 contradicts project 4, budget_usd"),
    Tampering("a line that contradicts a date", "aurp", append("Work started on 3 May 1999."), "contradiction: project-report-0004-1 contradicts project 4, start_on"),
    Tampering("a line that contradicts a quantity", "aurp", append("The longest span is 7,777 m."), "contradiction: project-report-0004-1 contradicts project 4, longest_span_m"),
    Tampering("a line that contradicts a frame", "aurp", another("frame", "The frame is in {}."), "contradiction: project-report-0004-1 contradicts project 4, frame"),
    Tampering("a line that contradicts a manager", "aurp", another("manager_id", "{} manages the project."), "contradiction: project-report-0004-1 contradicts project 4, manager_id"),
    Tampering("a budget that nothing supersedes", "aurp", excused, "contradiction: project-report-.*-1 contradicts project .*, budget_usd"),
    Tampering("all second reports deleted", "aurp", second_reports_deleted, "contradiction: project-report-.*-1 contradicts project "),
    Tampering("a span more for the last fact", "aurp", with_an_alternative, "evidence: question .* in each span of a fact"),
    Tampering("a line in another document", "aurp", in_another("The budget of {} is $1.01 million."), "contradiction: organisation contradicts project 4, budget_usd"),
    Tampering("a known gap given away: a date", "aurp with many gaps", give_away("hired_on", "{name} was hired on {value}."), "gap: organisation states employee "),
    Tampering("a known gap given away: an office", "aurp with many gaps", give_away("office_id", "{name} works from {value}."), "gap: organisation states "),
    Tampering("a line in every document", "aurp", lambda copy: text(copy, lambda old: f"{old}\n\nThe budget is $1.01 million.", lambda row: True), "contradiction: "),
    Tampering("a count without the evidence of one row", "aurp with kinds", group(is_count, lambda row: row.update(evidence=[item for item in row["evidence"] if item["fact"]])), "facts: question .* there is no evidence of "),
    Tampering("a count that leaves a row out", "aurp with kinds", group(is_count, one_row_less), "facts: question .* its metadata is not what its SQL needs"),
    Tampering("a count of a row less", "aurp with kinds", group(is_count, counted_otherwise), "sql: question "),
    Tampering("a name that is nowhere", "aurp with kinds", made_name_told, "absent: organisation names "),
    Tampering("a lookup made unanswerable", "aurp with kinds", group(lambda row: is_answerable(row) and row["kind"] == "lookup", lambda row: row.update(answerability="unanswerable", answers=[], aliases=[], answer_type="none", documents=[], evidence=[], metadata='{"facts":[]}')), "facts: |sql: "),
    Tampering("a yes made a no", "aurp with kinds", group(lambda row: row["answers"] == ["yes"], lambda row: row.update(answers=["no"])), "sql: question "),
    Tampering("a no that needs another fact", "aurp with kinds", group(lambda row: row["answers"] == ["no"] and is_answerable(row), lambda row: row.update(metadata='{"facts":["client 1, industry"]}')), "facts: question .* its metadata is not what its SQL needs"),
    Tampering("a count made a known gap", "aurp with kinds", group(is_count, into_gap), "facts: |gap: "),
    Tampering("a title of another document", "aurp", swap("title", "client-0001", "client-0002"), "document: client-0001 is of "),
    Tampering("metadata of another document", "aurp", swap("metadata", "client-0001", "client-0002"), "document: client-000"),
    Tampering("a text of another document", "aurp", swap("text", "client-0001", "client-0002"), "evidence: |statement: "),
    Tampering("a document deleted", "aurp", drop_document("employee-0003"), "document: employee-0003 is missing"),
    Tampering("a document of its own", "aurp", lambda copy: copy.rows("corpus", lambda rows: rows.append({**rows[-1], "_id": "memo-1"})), "document: memo-1 is none"),
    Tampering("another day of a report", "aurp", lambda copy: copy.each("corpus", metadata("date", "2001-02-03"), of(REPORT)), "document: project-report-0004-1 is of "),
    Tampering("a document said to be by a model", "aurp", lambda copy: copy.each("corpus", metadata("writer", "model"), of(REPORT)), "document: project-report-0004-1 says that a model wrote it"),
]  # fmt: skip
