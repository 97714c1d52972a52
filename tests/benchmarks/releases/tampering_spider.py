"""Tamperings with pages of a database's rows, and with what says where they state what."""

from collections.abc import Callable

from tampering import Copy, Row, Tampering

SPIDER = "spider"


def into_gap(row: Row) -> None:
    """Said to be stated nowhere."""
    row.update(answerability="gap", documents=[], evidence=[])


def group(where: Callable[[Row], bool], edit: Callable[[Row], object]) -> Callable[[Copy], object]:
    """A change of all questions of the first group that is such a one."""

    def change(copy: Copy) -> None:
        chosen = next(row["group"] for row in copy.read("questions") if where(row))
        copy.each("questions", edit, lambda row: row["group"] == chosen)

    return change


def is_lookup(row: Row) -> bool:
    return row["kind"] == "lookup" and row["hops"] == 1


def is_count(row: Row) -> bool:
    return row["kind"] == "count" and int(row["answers"][0]) > 1


def is_list(row: Row) -> bool:
    return row["kind"] == "list"


def has_hops(row: Row) -> bool:
    return row["kind"] == "lookup" and row["hops"] == 2


def without_last_fact(row: Row) -> None:
    """One fact less."""
    last = max(item["fact"] for item in row["evidence"])
    evidence = [item for item in row["evidence"] if item["fact"] < last]
    row.update(evidence=evidence, documents=list(dict.fromkeys(item["document"] for item in evidence)))


def one_less(row: Row) -> None:
    """The count, too."""
    without_last_fact(row)
    row.update(answers=[str(int(row["answers"][0]) - 1)])


def shifted(row: Row) -> None:
    """Evidence that holds more than the value."""
    row.update(evidence=[{**item, "start": item["start"] - 1} for item in row["evidence"]])


def page(name: str, edit: Callable[[str], str]) -> Callable[[Copy], object]:
    """A change of the text of one page."""
    return lambda copy: copy.each(
        "corpus", lambda row: row.update(text=edit(row["text"])), lambda row: row["title"] == name
    )


def says(name: str, sentence: str) -> Callable[[Copy], object]:
    """A sentence at the end of a page, where no evidence moves."""
    return page(name, lambda text: f"{text} {sentence}")


def swapped_pages(copy: Copy) -> None:
    """Two pages have each other's text."""
    rows = copy.read("corpus")
    one, other = rows[0]["text"], rows[1]["text"]
    copy.rows("corpus", lambda rows: (rows[0].update(text=other), rows[1].update(text=one)))


def made_name_told(copy: Copy) -> None:
    """Says something of a name that a question without an answer asks about."""
    name = next(row["entity"] for row in copy.read("questions") if row["kind"] == "unanswerable")
    says("Inverlock Steel", f"Some speak of {name} as well.")(copy)


CASES = [
    Tampering("a count without one of its facts", SPIDER, group(is_count, without_last_fact), "evidence: question .* its evidence is not where"),
    Tampering("a count of one less", SPIDER, group(is_count, one_less), "sql: question .* the query returns "),
    Tampering("a list without one of its facts", SPIDER, group(is_list, without_last_fact), "evidence: question .* its evidence is not where"),
    Tampering("two hops with one fact", SPIDER, group(has_hops, without_last_fact), "evidence: question .* its evidence is not where"),
    Tampering("evidence one sign longer", SPIDER, group(is_lookup, shifted), "evidence: question .* its evidence is not where"),
    Tampering("a lookup made a known gap", SPIDER, group(is_lookup, into_gap), "evidence: question .* is said to be a gap, and pages state all"),
    Tampering("a count made a known gap", SPIDER, group(is_count, into_gap), "evidence: question .* is said to be a gap, and pages state all"),
    Tampering("a lookup made unanswerable", SPIDER, group(is_lookup, lambda row: row.update(answerability="unanswerable", answers=[], aliases=[], answer_type="none", documents=[], evidence=[])), "sql: question |column: question "),
    Tampering("a yes made a no", SPIDER, group(lambda row: row["answers"] == ["yes"], lambda row: row.update(answers=["no"])), "sql: question "),
    Tampering("a name that is nowhere", SPIDER, made_name_told, "evidence: question .* is said to have no answer: a page holds a name that nothing has"),
    Tampering("a figure that is in no fact", SPIDER, says("Inverlock Steel", "It has 4711 employees."), "document: page-.* it holds the number 4711"),
    Tampering("a row that no fact speaks of", SPIDER, says("Inverlock Steel", "It competes with Pellworm Shipping."), "document: page-.* it names Pellworm Shipping"),
    Tampering("another value of a column", SPIDER, says("Inverlock Steel", "The industry is given as Banking elsewhere."), "document: page-.* it says Banking where the industry of Inverlock Steel is Materials"),
    Tampering("a fact taken back", SPIDER, says("Inverlock Steel", "The industry is not Materials."), "document: page-.* it takes back or doubts a fact"),
    Tampering("a fact deleted", SPIDER, page("Inverlock Steel", lambda text: text.replace("33.1", "some")), "document: page-.* it does not state that the sales"),
    Tampering("texts of two pages swapped", SPIDER, swapped_pages, "document: page-|evidence: "),
    Tampering("another title", SPIDER, lambda copy: copy.each("corpus", lambda row: row.update(title="Inverlock"), lambda row: row["title"] == "Inverlock Steel"), "document: page-.* is the page of no row"),
    Tampering("a page of nothing", SPIDER, lambda copy: copy.rows("corpus", lambda rows: rows.append({**rows[-1], "_id": "page-0"})), "document: page-0 .* is the page of no row"),
    Tampering("another value in the database", SPIDER, lambda copy: copy.sql("UPDATE company SET Industry = 'Tailoring' WHERE Name = 'Inverlock Steel'"), "sql: question |document: page-"),
]  # fmt: skip
