"""What is asserted: by a sentence, by the text around it, and as a model in the role of checker reads it."""

from dataclasses import replace

import pytest

from benchwright.builders.aurp.asserted import taken_back, unasserted
from benchwright.builders.aurp.documents import documents
from benchwright.builders.aurp.documents_checker import Reading, Statement, compared
from benchwright.builders.aurp.generate import make_world
from benchwright.builders.aurp.prove_documents import Checker, WronglyStated
from benchwright.scripts.measure.trials.statement_checks import statement_verdicts
from benchwright.scripts.measure.trials.statements import Case, fill


@pytest.mark.parametrize(
    ("said", "sort"),
    [
        ("The client is X.", None),
        ("The client is not X.", "denied"),
        ("X isn't the client.", "denied"),
        ("X may be the client.", "doubted"),
        ("The weather may turn, the client is X.", None),
        ("Rumour has it that the client is X.", "hearsay"),
        ("X was considered as a client.", "planned"),
        ("Unless it rains, the client is X.", "conditional"),
        ("If you ask, the client is X.", None),
        ("Is X the client?", "question"),
        ("The former client is X.", "former"),
        ("Not only the client is X.", None),
        ("X is the client and has never been late.", None),
    ],
)
def test_what_a_sentence_asserts(said: str, sort: str | None) -> None:
    at = said.index("X")
    found = unasserted(said, (0, len(said)), (at, at + 1))
    assert (found and found[0]) == sort


@pytest.mark.parametrize(
    ("text", "is_refused"),
    [
        ("{project.manager_id} is the project manager of {project}.", False),
        ("{project.manager_id} serves as the project manager of {project} and could talk about it for ever.", False),
        ("With {project.manager_id} as project manager, {project} is in good hands.", False),
        ("{project.manager_id} covets the post of project manager of {project}.", True),
        ("The next project manager of {project} is {project.manager_id}.", True),
        ("The former project manager of {project}, {project.manager_id}, sends regards.", True),
        ("{project.manager_id} is the project manager of {project}, or so we think.", True),
        ("Until the reshuffle, {project.manager_id} was the project manager of {project}.", True),
        ("The hope is that {project.manager_id} is the project manager of {project}.", True),
        ("{project.manager_id} is the project manager of {project} when business is good.", True),
        ("{project.manager_id} is the project manager of {project}. Its client is a bank.", True),
        ("{project.manager_id} is the project manager of {project}. Its roof has timber beams.", True),
        ("{project.manager_id} is the project manager of {project}. The budget is nobody else's business.", True),
        ("| Project | Project manager |\n|---|---|\n| {project} | {project.manager_id} |", False),
    ],
)
def test_what_may_stand_around_a_fact_and_beside_it(text: str, is_refused: bool) -> None:
    (verdict,) = statement_verdicts(None, [Case("x3", "before", ("project.manager_id",), text, True)])
    assert bool(verdict.why) is is_refused


def test_a_name_is_followed_by_the_title_of_whom_it_names() -> None:
    text = "{employee}, {employee.job_title}, likes tea."
    (verdict,) = statement_verdicts(None, [Case("x4", "before", ("employee.job_title",), text, True)])
    assert verdict.why == ""


def test_what_a_text_takes_back() -> None:
    assert taken_back("The client is X. None of this is true.") == "None of this is true"
    assert taken_back("The client is X. None of us was late.") is None


def test_a_release_whose_text_denies_its_fact_is_not_proved() -> None:
    world = make_world(10)
    document, stated = next(
        (document, stated) for document, stated in documents(world) if document.metadata["kind"] == "office page"
    )
    one = next(one for one in stated if one.column == "location")
    lead = "It is not true that the location is "
    denied = replace(document, text=lead + one.value_text)
    moved = replace(one, start=len(lead), end=len(lead) + len(one.value_text))
    plain = replace(document, text=f"The location is {one.value_text}")
    cut = len("It is not true that the") - len("The")
    Checker(world, 0.9).see(plain, [replace(moved, start=moved.start - cut, end=moved.end - cut)])
    with pytest.raises(WronglyStated, match="does not clearly state office"):
        Checker(world, 0.9).see(denied, [moved])


def test_what_a_checker_reads_is_compared_with_the_order() -> None:
    filled = fill(Case("x2", "before", ("project.start_on", "project.client_id"), "{project}", True))
    project = str(filled.plan.main)
    start, client = filled.plan.facts
    truly = (
        Statement(project, "start date", start.shown, "holds"),
        Statement(project, "Client", client.shown.upper(), "holds"),
    )
    assert list(compared(filled.plan, Reading(truly))) == []
    other = Statement(project, "design life", "40 years", "holds")
    doubted = replace(truly[0], status="open")
    sorts = [sort for sort, _ in compared(filled.plan, Reading((doubted, other)))]
    assert sorts == ["checker: fact not asserted", "checker: fact not read", "checker: other fact"]
    assert list(compared(filled.plan, Reading((*truly, replace(other, status="open"))))) == []
    assert list(compared(filled.plan, Reading((*truly, replace(other, of="Somebody else"))))) == []
