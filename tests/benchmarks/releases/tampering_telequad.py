"""Tamperings with questions over documents: answers, contexts, splits, rows of tables, and what has no answer."""

from collections.abc import Callable
from typing import Any

from tampering import Copy, Row, Tampering

from benchwright.benchmarks.releases.rows import read_metadata
from benchwright.benchmarks.schemas import json_text

TELEQUAD, PUBLISHED = "telequad", "telequad, published"
Edit = Callable[[Row, Row], object]
"""Given a question and its row of squad."""


def both(where: Callable[[Row], bool], edit: Edit) -> Callable[[Copy], object]:
    """A change of the first semantic group of the test split that is such a one, and of its rows of squad, if any."""

    def change(copy: Copy) -> None:
        questions, squad = copy.read("questions"), copy.read("squad")
        chosen = next(row["group"] for row in questions if where(row))
        beside = {row["id"]: row for row in squad}
        for question in questions:
            if question["group"] == chosen:
                edit(question, beside.get(question["id"], {}))
        copy.write("questions", questions)
        copy.write("squad", squad)

    return change


def is_answered(row: Row) -> bool:
    return bool(row["answers"]) and row["hops"] != 2


def is_unanswerable(row: Row) -> bool:
    return row["answerability"] == "unanswerable"


def is_in_table(row: Row) -> bool:
    return any("-" in each for each in row["documents"])


def has_other_forms(row: Row) -> bool:
    return bool(read_metadata(row["metadata"]).get("not_in_squad"))


def has_two_hops(row: Row) -> bool:
    return row["hops"] == 2


def without_first_fact(question: Row, squad: Row) -> None:
    """The clause that refers to the other is not needed any more."""
    evidence = [{**item, "fact": 0} for item in question["evidence"] if item["fact"] == 1]
    question.update(evidence=evidence, documents=list(dict.fromkeys(item["document"] for item in evidence)))


def place(question: Row, squad: Row, start: int, text: str) -> None:
    squad["answers"] = {"text": [text], "answer_start": [start]}


def shift_squad(question: Row, squad: Row) -> None:
    """One character further on: the words are another's."""
    start = squad["answers"]["answer_start"][0] + 1
    place(question, squad, start, squad["context"][start : start + len(squad["answers"]["text"][0])])


def shift_start(question: Row, squad: Row) -> None:
    answers = squad["answers"]
    squad["answers"] = {**answers, "answer_start": [start + 1 for start in answers["answer_start"]]}


def other_words(question: Row, squad: Row) -> None:
    """The first words of the section, in both configs, with evidence there: all fits but the question."""
    words = squad["context"].split("\n")[0][:40].strip()
    place(question, squad, 0, words)
    span = {"document": read_metadata(question["metadata"])["context"], "start": 0, "end": len(words), "fact": 0}
    question.update(answers=[words], aliases=[[]], evidence=[span], documents=[span["document"]])
    said(question, not_in_squad=None)


def said(row: Row, **values: Any) -> None:
    """Changes the metadata of a row."""
    found = {**read_metadata(row["metadata"]), **values}
    row["metadata"] = json_text({key: value for key, value in found.items() if value is not None})


def answered(question: Row, squad: Row) -> None:
    """The first word of the section answers what has no answer."""
    word = squad["context"].split()[0]
    start = squad["context"].index(word)
    place(question, squad, start, word)
    span = {
        "document": read_metadata(question["metadata"])["context"], "start": start, "end": start + len(word), "fact": 0
    }  # fmt: skip
    question.update(
        answers=[word], aliases=[[]], answer_type="one", answerability="answerable", evidence=[span],
        documents=[span["document"]],
    )  # fmt: skip


def without_answer(question: Row, squad: Row) -> None:
    squad["answers"] = {"text": [], "answer_start": []}
    question.update(answers=[], aliases=[], answer_type="none", answerability="unanswerable", evidence=[], documents=[])


def other_context(copy: Copy) -> None:
    """Two rows of squad have each other's context."""

    def swap(rows: list[Row]) -> None:
        other = next(row for row in rows if row["context"] != rows[0]["context"])
        rows[0]["context"], other["context"] = other["context"], rows[0]["context"]

    copy.rows("squad", swap)


def moved(copy: Copy) -> None:
    """The last question of training that squad has is in the test, with its row of squad."""
    name = copy.read("squad", "train")[-1]["id"]
    for config in ("questions", "squad"):
        train, test = copy.read(config, "train"), copy.read(config)
        copy.write(config, [*test, *(row for row in train if row["id"] == name)])
        copy.write(config, [row for row in train if row["id"] != name], "train")


def same_section(copy: Copy) -> None:
    """A document of the test has a section of training, word for word."""
    question = copy.read("questions", "train")[0]
    name = read_metadata(question["metadata"])["context"]
    tested = read_metadata(copy.read("questions")[0]["metadata"])["file"]

    def add(rows: list[Row]) -> None:
        row = dict(next(row for row in rows if row["_id"] == name))
        said(row, file=tested)
        rows.append({**row, "_id": "0" * 16})

    copy.rows("corpus", add)


def made_name_told(copy: Copy) -> None:
    """A section of the document holds a name that is said to be made."""
    row = next(row for row in copy.read("questions") if read_metadata(row["metadata"]).get("no_answer") == "made_name")
    file = read_metadata(row["metadata"])["file"]
    used = {read_metadata(each["metadata"])["context"] for each in copy.read("questions")}

    def add(rows: list[Row]) -> None:
        other = next(
            each
            for each in rows
            if each["_id"] not in used and "-" not in each["_id"] and read_metadata(each["metadata"])["file"] == file
        )
        tell(other, f"{other['text']}\n\n{row['entity']}: as agreed.")

    copy.rows("corpus", add)


def tell(row: Row, text: str) -> None:
    """Gives a document another text, with its hash and length."""
    from benchwright.benchmarks.releases.offsets import text_facts

    row["text"] = text
    said(row, **text_facts(text))


def row_of_table(edit: Callable[[str], str]) -> Callable[[Copy], object]:
    """Another text of the first row of a table."""

    def change(copy: Copy) -> None:
        named = {name for row in copy.read("questions") for name in row["documents"]}
        copy.rows(
            "corpus",
            lambda rows: tell(
                found := next(row for row in rows if "-" in row["_id"] and row["_id"] not in named), edit(found["text"])
            ),
        )

    return change


def other_row(copy: Copy) -> None:
    """Evidence in the row of a table is in the same row of another document's corpus."""
    rows = [row for row in copy.read("corpus") if "-" in row["_id"]]

    def change(question: Row, squad: Row) -> None:
        wrong = next(name for name in question["documents"] if "-" in name)
        answer = question["answers"][0]
        other = next(
            row
            for row in rows
            if row["_id"] != wrong and row["_id"] not in question["documents"] and f" {answer}" in row["text"]
        )
        start = other["text"].index(f" {answer}") + 1
        named = {"document": other["_id"], "start": start, "end": start + len(answer)}
        question["evidence"] = [
            {**each, **named} if each["document"] == wrong else each for each in question["evidence"]
        ]
        question["documents"] = [other["_id"] if name == wrong else name for name in question["documents"]]

    both(lambda row: is_in_table(row) and row["answers"][0] in ("1", "2", "3", "mandatory", "yes"), change)(copy)


def reworded(question: Row, squad: Row) -> None:
    """It asks something else, in both configs, under its id."""
    question["question"] = squad["question"] = "What is stated here?"


def lacks_its_answer(question: Row, squad: Row) -> None:
    said(question, not_in_squad=question["answers"])


CASES = [
    Tampering("other words as the answer in squad", TELEQUAD, both(is_answered, shift_squad), "squad: question "),
    Tampering("an offset in squad one further on", TELEQUAD, both(is_answered, shift_start), "squad: question .* does not stand at"),
    Tampering("another answer in squad and questions", TELEQUAD, both(is_answered, other_words), "rebuild: ", needs="rebuild"),
    Tampering("a form that squad has, said to be lacking", TELEQUAD, both(is_answered, lacks_its_answer), "squad: question .* the forms that squad lacks"),
    Tampering("a form that squad lacks, not said", TELEQUAD, both(has_other_forms, lambda question, squad: said(question, not_in_squad=None)), "squad: question .* the forms that squad lacks"),
    Tampering("contexts of two questions swapped", TELEQUAD, other_context, "squad: question .* its context in squad is not the text"),
    Tampering("another section as the context of both", TELEQUAD, both(is_answered, lambda question, squad: said(question, context="0" * 16)), "squad: question .* its context 0+ is not in the corpus"),
    Tampering("a question of training in the test", TELEQUAD, moved, "split: questions of .* are in the splits"),
    Tampering("a section of training in a document of the test", TELEQUAD, same_section, "split: the section of question .* of train stands in"),
    Tampering("an answer to what has none", TELEQUAD, both(is_unanswerable, answered), "squad: question .* its answerability and "),
    Tampering("an answer in squad alone to what has none", TELEQUAD, both(is_unanswerable, lambda question, squad: place(question, squad, 0, squad["context"][:5])), "squad: question .* it has no answer, and squad has one"),
    Tampering("a made name that the document holds", TELEQUAD, made_name_told, "unanswerable: question .* holds the name"),
    Tampering("two hops with one fact", TELEQUAD, both(has_two_hops, without_first_fact), "squad: question .* it needs 2 facts"),
    Tampering("an answer taken away", TELEQUAD, both(is_answered, without_answer), "squad: question .* its answerability and "),
    Tampering("an answer taken away in squad alone", TELEQUAD, both(is_answered, lambda question, squad: squad.update(answers={"text": [], "answer_start": []})), "squad: question .* it has an answer, and squad has none"),
    Tampering("published: an offset in squad one further on", PUBLISHED, both(is_answered, shift_start), "squad: question .* does not stand at"),
    Tampering("published: another answer in squad alone", PUBLISHED, both(is_answered, shift_squad), "squad: question "),
    Tampering("published: an answer to what is impossible", PUBLISHED, both(is_unanswerable, answered), "squad: question .* its answerability and "),
    Tampering("published: another context", PUBLISHED, lambda copy: copy.rows("squad", lambda rows: rows[0].update(context="The AMF pages.")), "squad: question .* its context in squad is not the text"),
    Tampering("published: a row of squad less", PUBLISHED, lambda copy: copy.rows("squad", lambda rows: rows.pop(0)), "squad: question .* squad has no row of it"),
    Tampering("a row of squad less", TELEQUAD, lambda copy: copy.rows("squad", lambda rows: rows.pop(0)), "squad: question .* squad has no row of it"),
    Tampering("rows of squad in another order", TELEQUAD, lambda copy: copy.rows("squad", lambda rows: rows.reverse()), "squad: question "),
    Tampering("a row of squad more", TELEQUAD, lambda copy: copy.rows("squad", lambda rows: rows.append({**rows[-1], "id": "more"})), "squad: question more of squad"),
    Tampering("other words in squad", TELEQUAD, lambda copy: copy.rows("squad", lambda rows: rows[0].update(question="What is stated here?")), "squad: question .* asks it in other words"),
    Tampering("other words in both", TELEQUAD, both(is_answered, reworded), "squad: question .* its id is not that of"),
    Tampering("another value in a row of a table", TELEQUAD, row_of_table(lambda text: f"{text[:-1]}4711"), "row: document "),
    Tampering("a row of a table with a word more", TELEQUAD, row_of_table(lambda text: f"{text} 4711"), "row: document .* it says '4711'"),
    Tampering("another file of a question", TELEQUAD, both(is_answered, lambda question, squad: said(question, file="another.docx")), "squad: question .* it is said to be of another.docx"),
    Tampering("evidence in a row of another table", TELEQUAD, other_row, "squad: question .* its evidence in the row"),
]  # fmt: skip
