"""Tamperings with releases of articles: a table for `tampering.check_caught`."""

from collections.abc import Callable
from typing import Any

from tampering import Copy, Row, Tampering

from benchwright.benchmarks.releases.rows import read_metadata
from benchwright.benchmarks.schemas import json_text

WIKI, MODEL = "wikipedia", "wikipedia by a model"


def question(**new: Any) -> Callable[[Copy], object]:
    """Other values of the first question."""
    return lambda copy: copy.rows("questions", lambda rows: rows[0].update(new))


def told(row: Row, **new: Any) -> None:
    row.update(metadata=json_text({**read_metadata(row["metadata"]), **new}))


def says(**new: Any) -> Callable[[Copy], object]:
    """Other metadata of the first question."""
    return lambda copy: copy.rows("questions", lambda rows: told(rows[0], **new))


def of_subset(row: Row, name: str) -> bool:
    return read_metadata(row["metadata"])["subset"] == name


def article(where: str, **new: Any) -> Callable[[Copy], object]:
    """Other metadata of the first article of a subset."""

    def edit(rows: list[Row]) -> None:
        told(next(row for row in rows if of_subset(row, where)), **new)

    return lambda copy: copy.rows("corpus", edit)


def asked_about(copy: Copy) -> tuple[Row, str]:
    """The first question, and the id of its article."""
    row = copy.read("questions")[0]
    return row, row["documents"][0]


def elsewhere(copy: Copy) -> None:
    """The evidence's sentence once more at the article's end, and the evidence there."""
    row, name = asked_about(copy)
    (span,) = row["evidence"]
    at: dict[str, int] = {}

    def add(page: Row) -> None:
        at["start"] = len(page["text"]) + 2
        page["text"] += "\n\n" + page["text"][span["start"] : span["end"]]

    copy.each("corpus", add, lambda page: page["_id"] == name)
    start, length = at["start"], span["end"] - span["start"]
    question(evidence=[{**span, "start": start, "end": start + length}])(copy)


def wider(copy: Copy) -> None:
    """One sign more before the evidence's sentence, or after it."""
    row, _ = asked_about(copy)
    (span,) = row["evidence"]
    question(evidence=[{**span, "start": span["start"], "end": span["end"] + 1}])(copy)


def swapped_subset(copy: Copy) -> None:
    """An article that is after the cutoff is said not to be, and so are its questions."""
    row = next(row for row in copy.read("questions") if row["subset"] == "post_cutoff")
    (name,) = row["documents"]
    copy.each("corpus", lambda page: told(page, subset="created_after_cutoff"), lambda page: page["_id"] == name)
    copy.each(
        "questions", lambda row: row.update(subset="created_after_cutoff"), lambda row: row["documents"] == [name]
    )


def newer(copy: Copy) -> None:
    """A question of an article that tells of old things is said to ask for something new."""

    def edit(rows: list[Row]) -> None:
        next(row for row in rows if row["subset"] == "created_after_cutoff").update(subset="post_cutoff")

    copy.rows("questions", edit)


def cut(copy: Copy) -> None:
    """The last article without its end."""

    def edit(rows: list[Row]) -> None:
        rows[-1].update(text=rows[-1]["text"][:500])
        told(rows[-1], sections=[[0, 0]])

    copy.rows("corpus", edit)


def reworded_text(copy: Copy) -> None:
    """Other words in the sentence before the answer."""
    row, name = asked_about(copy)
    (span,) = row["evidence"]

    def edit(page: Row) -> None:
        said = page["text"][span["start"] : span["end"]]
        first, _, rest = said.partition(" ")
        changed = "X" * len(first) + " " + rest
        page["text"] = page["text"].replace(said, changed)

    copy.each("corpus", edit, lambda page: page["_id"] == name)


def parameter(name: str, value: Any) -> Callable[[Copy], object]:
    return lambda copy: copy.manifest(lambda manifest: manifest["parameters"].update({name: value}))


def swapped_titles(copy: Copy) -> None:
    """Two articles that were asked about change their titles."""
    one, two = list(dict.fromkeys(row["documents"][0] for row in copy.read("questions")))[:2]
    titles = {row["_id"]: row["title"] for row in copy.read("corpus")}
    other = {one: titles[two], two: titles[one]}
    copy.each("corpus", lambda row: row.update(title=other[row["_id"]]), lambda row: row["_id"] in other)


def another_name(copy: Copy) -> None:
    """A question is asked of an article that it is not about."""
    rows = copy.read("questions")
    other = next(row for row in rows if row["documents"] != rows[0]["documents"])
    question(documents=other["documents"], evidence=other["evidence"])(copy)


def by_model(where: str, **new: Any) -> Callable[[Copy], object]:
    """Other metadata of the first question whose date was read there."""

    def edit(rows: list[Row]) -> None:
        told(next(row for row in rows if read_metadata(row["metadata"])["dated_by"] == where), **new)

    return lambda copy: copy.rows("questions", edit)


def claimed(**new: Any) -> Callable[[Copy], object]:
    """Other values of the first question that a model alone dates."""

    def edit(rows: list[Row]) -> None:
        next(row for row in rows if read_metadata(row["metadata"])["dated_by"] == "model").update(new)

    return lambda copy: copy.rows("questions", edit)


def namesakes(*qualifiers: str, where: str = "random") -> Callable[[Copy], object]:
    """Other namesakes of the first article of a subset, which do share its name."""

    def edit(rows: list[Row]) -> None:
        row = next(row for row in rows if of_subset(row, where))
        told(row, namesakes=[f"{row['title']} ({qualifier})" for qualifier in qualifiers])

    return lambda copy: copy.rows("corpus", edit)


def own_namesake(copy: Copy) -> None:
    """An article is told to share its name with itself."""
    copy.rows("corpus", lambda rows: told(rows[0], namesakes=[rows[0]["title"]]))


def shared_in_the_corpus(copy: Copy) -> None:
    """An article of the haystack gets the name of one that is asked about, which does not name it."""

    def edit(rows: list[Row]) -> None:
        asked = next(
            row for row in rows if of_subset(row, "random") and not read_metadata(row["metadata"])["namesakes"]
        )
        next(row for row in rows if of_subset(row, "haystack")).update(title=f"{asked['title']} (ship)")

    copy.rows("corpus", edit)


def without_what_tells_apart(copy: Copy) -> None:
    """A question about something that shares its name, without the words that say which one."""

    def edit(row: Row) -> None:
        row.update(question=row["question"].replace(" at the river's mouth", ""))

    copy.each("questions", edit, lambda row: "at the river's mouth" in row["question"])


def refused(edit: Callable[[list[str]], object]) -> Callable[[Copy], object]:
    """Other lines of the file of refused proposals."""

    def change(copy: Copy) -> None:
        path = copy.folder / "proposals" / "refused.jsonl"
        lines = path.read_text(encoding="utf-8").splitlines()
        edit(lines)
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")

    return change


def twice(copy: Copy) -> None:
    """Two articles are the same revision."""
    rows = copy.read("corpus")
    revision = read_metadata(rows[0]["metadata"])["revision"]
    copy.rows("corpus", lambda rows: told(rows[1], revision=revision))


CASES = [
    Tampering("an answer", WIKI, question(answers=["1066"]), "question: .* by its article and its rule its answers must be "),
    Tampering("an alias more", WIKI, question(aliases=[["anything"]]), "question: .* by its article and its rule its aliases must be "),
    Tampering("a question reworded", WIKI, question(question="When did all of this begin?"), "question: .* no rule asks this"),
    Tampering("another kind", WIKI, question(kind="person of note"), "question: .* by its article and its rule its kind must be "),
    Tampering("said to be unanswerable", WIKI, question(answerability="unanswerable"), "question: .* by its article and its rule its answerability must be "),
    Tampering("evidence to the same text elsewhere", WIKI, elsewhere, "question: .* by its article and its rule its evidence must be "),
    Tampering("evidence with a sign more", WIKI, wider, "question: .* by its article and its rule its evidence must be "),
    Tampering("evidence of another article", WIKI, another_name, "question: .* no rule asks this"),
    Tampering("a question in another subset", WIKI, question(subset="random"), "question: .* by its article and its rule its subset must be "),
    Tampering("an article and its questions in another subset", WIKI, swapped_subset, "article: page-.* is not in post_cutoff, against the dates"),
    Tampering("another date of a fact", WIKI, question(fact_date="2023-05-06"), "question: .* by its article and its rule its fact_date must be "),
    Tampering("an old fact in post_cutoff", WIKI, newer, "question: .* by its article and its rule its subset must be 'created_after_cutoff'"),
    Tampering("a fact dated by something else", WIKI, says(dated_by="section"), "question: .* by its article and its rule its metadata must be "),
    Tampering("more facts after the cutoff", WIKI, lambda copy: copy.manifest(lambda manifest: manifest["checks"]["facts_of_articles_created_after_cutoff"].update(after=99)), "count: checks.facts_of_articles_created_after_cutoff is "),
    Tampering("more articles with a question", WIKI, lambda copy: copy.manifest(lambda manifest: manifest["checks"]["articles_random"].update({"with a question": 99})), "count: checks.articles_random is "),
    Tampering("a namesake left out that the corpus has", WIKI, shared_in_the_corpus, "article: .* of the corpus shares its name"),
    Tampering("a namesake of another name", WIKI, article("random", namesakes=["Elsewhere (town)"]), "article: .* 'Elsewhere .town.' is no other page that shares its name"),
    Tampering("its own title as a namesake", WIKI, own_namesake, "article: .* is no other page that shares its name"),
    Tampering("namesakes out of order", WIKI, namesakes("z", "a"), "article: .* its namesakes are not sorted"),
    Tampering("a namesake twice", WIKI, namesakes("a", "a"), "article: .* its namesakes are not sorted, each once"),
    Tampering("too many namesakes", WIKI, namesakes(*(f"{number:02}" for number in range(21))), "article: .* it has 21 namesakes"),
    Tampering("namesakes of what is only searched in", WIKI, namesakes("a", where="haystack"), "article: .* it has namesakes, and is only searched in"),
    Tampering("a namesake that is no title", WIKI, article("random", namesakes=[7]), "article: .* a namesake is no title"),
    Tampering("more names that are shared", WIKI, lambda copy: copy.manifest(lambda manifest: manifest["checks"]["names_looked_for"].update(shared=60)), "count: checks.names_looked_for is "),
    Tampering("names that are shared by other ways", WIKI, lambda copy: copy.manifest(lambda manifest: manifest["checks"]["names_looked_for"].update(by_wiki=60)), "count: checks.names_looked_for: "),
    Tampering("a section that is none", WIKI, article("random", sections=[[0, 0], [9, 2]]), "article: .* no section begins at 9"),
    Tampering("no sections", WIKI, article("random", sections=[]), "article: .* its sections do not begin with the introduction"),
    Tampering("a model claimed that the manifest has not", WIKI, says(by="a-model"), "question: .* it is said to be by 'a-model'"),
    Tampering("a sentence of an article", WIKI, reworded_text, "question: |article: "),
    Tampering("an article cut", WIKI, cut, "article: .* it has 500 characters"),
    Tampering("created before the cutoff", WIKI, article("created_after_cutoff", created="2020-02-03T04:05:06Z"), "article: .* before the cutoff 2021-10-01"),
    Tampering("created after it was edited", WIKI, article("random", created="2399-02-03T04:05:06Z"), "article: .* it was created on 2399-02-03, after the revision"),
    Tampering("created at no time", WIKI, article("post_cutoff", created="yesterday"), "article: .* it has no times"),
    Tampering("a later cutoff", WIKI, parameter("cutoff", "2023-01-01"), "article: .* before the cutoff 2023-01-01"),
    Tampering("harvested as something else", WIKI, article("random", harvested="haystack"), "article: .* it was harvested as 'haystack' and is in the subset 'random'"),
    Tampering("another page", WIKI, article("haystack", id=7_000_001), "article: .* by its metadata it is page-7000001"),
    Tampering("one revision twice", WIKI, twice, "article: .* its revision .* is that of page-"),
    Tampering("authors of another page", WIKI, article("haystack", authors="http://127.0.0.1/w/index.php?curid=1&action=history"), "article: .* its metadata is not what"),
    Tampering("another licence", WIKI, article("haystack", licence="CC0"), "article: .* its metadata is not what"),
    Tampering("titles swapped", WIKI, swapped_titles, "question: "),
    Tampering("a question left out", WIKI, lambda copy: copy.rows("questions", lambda rows: rows.pop(3)), "question: .* is missing, which the seed draws"),
    Tampering("fewer questions wanted", WIKI, parameter("questions", 1), "question: .* is none that the seed draws"),
    Tampering("a model's question by another model", MODEL, says(by="another"), "question: .* it is said to be by 'another'"),
    Tampering("a model's question said to be by a rule", MODEL, says(by="rule"), "question: .* the manifest says that scripted asked"),
    Tampering("a model's question without its subject", MODEL, question(question="When did that begin to be done?"), "question: .* the question does not name its subject"),
    Tampering("a model's answer that no quote has", MODEL, question(answers=["1066"]), "question: .* the answer is not in the quote"),
    Tampering("a model's quote elsewhere", MODEL, elsewhere, "question: .* the quote is not in the article"),
    Tampering("an alias of a model's answer", MODEL, question(aliases=[["long ago"]]), "question: .* by its article and its rule its aliases must be "),
    Tampering("a date that the model did not say", MODEL, by_model("answer", happened="1401"), "question: .* its date is not that of the quote"),
    Tampering("a model's date that is none", MODEL, by_model("answer", happened="soon"), "question: .* its date is none"),
    Tampering("a model's word on the date left out", MODEL, by_model("answer", happened=None), "question: .* it does not tell what the model said of its date"),
    Tampering("a model that said no date", MODEL, by_model("answer", happened=""), "question: .* by its article and its rule its fact_date must be None"),
    Tampering("a model's date that its article does not name", MODEL, by_model("model", happened="2399"), "question: .* by its article and its rule its fact_date must be None"),
    Tampering("a model's date that the rules have read", MODEL, by_model("model", dated_by="sentence"), "question: .* by its article and its rule its metadata must be "),
    Tampering("a fact after the cutoff by a model's word", MODEL, claimed(subset="post_cutoff"), "question: .* by its article and its rule its subset must be "),
    Tampering("another date of a fact than the model said", MODEL, claimed(fact_date="2023-05-06"), "question: .* by its article and its rule its fact_date must be "),
    Tampering("a model's question about one of two of a name", MODEL, without_what_tells_apart, "question: .* its name is shared, and nothing tells it apart"),
    Tampering("a refused proposal left out", MODEL, refused(lambda lines: lines.pop()), "count: checks.questions_rejected_by_their_own_checks is "),
    Tampering("all refused proposals left out", MODEL, lambda copy: (copy.folder / "proposals" / "refused.jsonl").unlink(), "count: checks.questions_rejected_by_their_own_checks is "),
    Tampering("a refused proposal that is none", MODEL, refused(lambda lines: lines.append("[" * 40_000)), "count: proposals/refused.jsonl, line .*: it is no refused proposal"),
    Tampering("a model's question of another kind", MODEL, question(kind="number"), "question: .* by its article and its rule its kind must be "),
]  # fmt: skip
