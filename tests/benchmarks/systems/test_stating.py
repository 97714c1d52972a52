"""Documents that state a needed fact and that no release names are found, whatever they write it like."""

from pathlib import Path

import pytest
from lighthouses import make_release

from benchwright.benchmarks.grounding.stating import StatingDocuments, states_any
from benchwright.benchmarks.releases.rows import load_documents, load_questions
from benchwright.benchmarks.systems.conditions import attempt_of, needed_documents
from benchwright.benchmarks.types import Document, Evidence, Question

REPORT = Document("report", "Report on Hollow Bridge", "Work has begun. The main contractor is Cleis Brothers.")
FIRM = Document("firm", "Cleis Brothers", "A firm of masons. Its approval must be renewed by August 21st, 2028.")
NOISE = Document("noise", "Weather", "It rained on 21 August 2028, and the masons slept.")


def span(document: Document, text: str, fact: int = 0) -> Evidence:
    start = document.body.index(text)
    return Evidence(document.id, start, start + len(text), fact)


HOPS = Question(
    "q",
    "Until when is the main contractor of Hollow Bridge approved?",
    answers=("2028-08-21",),
    answer_type="one",
    entity="Hollow Bridge",
    documents=("report", "firm"),
    evidence=(span(REPORT, "Cleis Brothers"), span(FIRM, "August 21st, 2028", 1)),
)


def found(question: Question, *more: Document) -> set[str]:
    documents = {each.id: each for each in (REPORT, FIRM, NOISE, *more)}
    return set(StatingDocuments(documents, [question]).of(question)) - needed_documents(question)


@pytest.mark.parametrize(
    ("title", "text", "is_found"),
    [
        ("Copy", REPORT.body.replace("The main", "Of Hollow Bridge the main"), True),  # the first fact, elsewhere
        ("Firms", "CLEIS BROTHERS – approved up to 21.08.2028", True),  # the second, the date in another style
        ("Cleis Brothers: file", "Renewal due 2028-08-21.", True),  # what it is about stands in the title
        ("Firms", "Cleis Brothers, approved up to 22 August 2028", False),
        ("Firms", "Cleis Brothers" + " and others" * 200 + ", 21 August 2028", False),  # far from each other
        ("Bridges", "Hollow Bridge was built by Mason & Sons.", False),
        ("Firms", "Cleis Brothers are masons.", False),
    ],
)
def test_a_document_that_states_any_step(title: str, text: str, is_found: bool) -> None:
    assert found(HOPS, Document("other", title, text)) == ({"other"} if is_found else set())
    documents = {each.id: each for each in (REPORT, FIRM, NOISE)}
    facts = StatingDocuments(documents, [HOPS]).facts_of(HOPS)
    assert states_any(text, facts, title) is is_found  # also of a text that is in no corpus


def test_numbers_count_in_any_style_and_names_within_names_do_not() -> None:
    budget = Document("budget", "Old Quay", "Old Quay rests on a budget of 64.1 million US dollars.")
    asked = Question(
        "q", "What is the budget of Old Quay?", ("64100000",), answer_type="one", entity="Old Quay",
        documents=("budget",), evidence=(span(budget, "64.1 million US dollars"),),
    )  # fmt: skip
    other = Document("list", "Budgets", "New Quay $5 million; Old Quay: $64,100,000.")
    wrong = Document("wrong", "Budgets", "New Quay: 64.1 metres. Old Quay: $64.2 million.")
    assert found(asked, budget, other, wrong) == {"list"}
    packages = Document("packages", "Grosil Point, packages", "The packages of Grosil Point: Grosil Point Drainage.")
    inside = Question(
        "q", "Which project has Grosil Point Drainage?", ("Grosil Point",), answer_type="one",
        entity="Grosil Point Drainage", documents=("packages",), evidence=(span(packages, "Grosil Point"),),
    )  # fmt: skip
    named = Document("named", "Crews", "Grosil Point Drainage has a crew of 20.")
    assert found(inside, packages, named) == set()


def test_a_question_without_an_entity_by_the_words_that_it_shares() -> None:
    page = Document("page", "Harald Skov", "Harald Skov is a painter. He was born in Aarhus in 1961.")
    asked = Question("q", "In which city was the painter Harald Skov born?", ("Aarhus",), answer_type="one",
                     documents=("page",), evidence=(span(page, "Aarhus"),))  # fmt: skip
    again = Document("again", "Painters", "Skov, Harald: a painter, born 1961 in Aarhus.")
    others = Document("others", "Aarhus", "Aarhus is a city where many painters live.")
    assert found(asked, page, again, others) == {"again"}
    bare = Question("q", asked.question, ("Aarhus",), answer_type="one", documents=("page",))
    assert found(bare, page, again, others) == {"again"}  # documents without evidence: the answers are looked for
    boolean = Question("q", "Was Harald Skov a painter?", ("yes",), answer_type="boolean", documents=("page",))
    assert found(boolean, page, Document("yes", "Yes", "Yes, Harald Skov was a painter.")) == set()


def test_without_gold_leaves_out_what_the_release_does_not_name(tmp_path: Path) -> None:
    release = make_release(tmp_path)
    question, documents = load_questions(release, "test")[0], load_documents(release)
    documents["list"] = Document("list", "Heights", "Sable Point: 24 m. Gannet Rock: 31 m. Old Hook: 18 m.")
    stating = StatingDocuments(documents, [question])
    attempt = attempt_of(question, "without-gold", 0, documents, stating)
    assert attempt.without == {"gannet-rock", "list"}
    assert attempt_of(question, "without-gold", 0, documents).without == {"gannet-rock"}
