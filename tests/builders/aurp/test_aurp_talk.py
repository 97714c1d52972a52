"""What a document may say around its facts: of the day and the mood, and of nothing that a file would hold."""

import pytest

from benchwright.builders.aurp.documents import shown_in
from benchwright.builders.aurp.documents_by_model import Written, read_reply
from benchwright.builders.aurp.prove_documents import Checker
from benchwright.scripts.measure.trials.statements import Case, fill, trial_world

LEAD = "{work_package.lead_id} leads {work_package}."


def sorts(text: str, *facts: str) -> set[str]:
    """The sorts of what is wrong with a text to an order of some facts."""
    filled, world = fill(Case("talk", "before", facts, text, True)), trial_world()
    checker = Checker(world, 1.0, filled.gaps)
    _, problems = read_reply(filled.plan, Written(tuple(filled.text.split("\n\n"))), checker, shown_in(world))
    return {sort for sort, _ in problems}


@pytest.mark.parametrize(
    "talk",
    [
        "The sun came out as soon as the speeches were over.", "The kettle is on most of the time.",
        "She has a good ear for a problem and a kind word for everybody.", "It is a good neighbour.",
        "The mud on the boots tells its own story.", "Calls are answered without delay.",
        "The work was a pleasure to see.", "They work well together, and the coffee is good.",
    ],
)  # fmt: skip
def test_talk_of_the_day_may_stand(talk: str) -> None:
    assert sorts(f"{LEAD} {talk}", "work_package.lead_id") == set()


@pytest.mark.parametrize(
    "talk",
    [
        "It stood still for a while because of a lawsuit.", "The first delivery was faulty.", "She is a keen sailor.",
        "She is on parental leave.", "It was sold to a group that is listed on the stock exchange.",
        "It is the smallest package of all.", "It has a garden on the roof.", "There was a strike.",
    ],
)  # fmt: skip
def test_talk_tells_no_matter_of_record(talk: str) -> None:
    assert sorts(f"{LEAD} {talk}", "work_package.lead_id") == {"other fact"}


@pytest.mark.parametrize("talk", ["It is a package without a lead.", "The post of lead is vacant.", "It has no lead."])
def test_talk_takes_no_fact_away(talk: str) -> None:
    assert sorts(f"{LEAD} {talk}", "work_package.lead_id") == {"contradiction"}


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("The client has its seat in {project.location}.", ["project.location"]),
        ("{project.director_id} is the deputy of the project director.", ["project.director_id"]),
        ("{project} has {project.peak_workforce} people on site on an average day.", ["project.peak_workforce"]),
        ("The design life is up to {project.design_life_years}.", ["project.design_life_years"]),
        ("{employee} supervises {employee.supervisor_id}.", ["employee.supervisor_id"]),
        ("A budget of {project.budget_usd} is being talked about.", ["project.budget_usd"]),
        ("The client of {project} is **{project.client_id}**.", ["project.client_id"]),
    ],
)
def test_a_sentence_about_something_else_states_nothing(text: str, facts: list[str]) -> None:
    assert sorts(text, *facts)


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("The budget is {project.budget_usd}. Before the revision it was {project.budget_usd:former}.",
         ["project.budget_usd", "project.budget_usd:former"]),
        ("If a lamp is broken, tell the steward, {office.steward_id}.", ["office.steward_id"]),
        ("Nobody who was there will forget how the work began on {project.start_on}.", ["project.start_on"]),
        ("{office}, where there is room to think, has {office.desks} desks.", ["office.desks"]),
        ("The client is {project.client_id}. Its contact person is {project.client_id.contact_id}.",
         ["project.client_id", "project.client_id.contact_id"]),
    ],
)  # fmt: skip
def test_plain_sentences_of_other_shapes_are_read(text: str, facts: list[str]) -> None:
    assert sorts(text, *facts) == set()
