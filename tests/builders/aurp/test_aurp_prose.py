"""Documents as a fluent writer gives them: ordinary prose passes all checks, and so does the prompt's demonstration."""

import json
from dataclasses import replace

import pytest

from benchwright.benchmarks.models.prompts import load_prompt
from benchwright.builders.aurp.cells import Cells
from benchwright.builders.aurp.document_plan import Plan, make_plan
from benchwright.builders.aurp.documents import documents, shown_in
from benchwright.builders.aurp.documents_by_model import Written, read_reply
from benchwright.builders.aurp.find_forbidden import Problem
from benchwright.builders.aurp.generate import make_world
from benchwright.builders.aurp.prove_documents import Checker
from benchwright.builders.aurp.world import World


@pytest.fixture(scope="module")
def world() -> World:
    return make_world(10)


@pytest.fixture(scope="module")
def plans(world: World) -> dict[str, Plan]:
    cells = Cells(world, 0.9)
    superseded = cells.superseded()
    return {one.title: make_plan(cells, superseded, one, stated) for one, stated in documents(world)}


def problems(world: World, plan: Plan, *paragraphs: str) -> list[Problem]:
    return read_reply(plan, Written(paragraphs), Checker(world, 0.9), shown_in(world))[1]


DOCUMENTS = {
    "Wothlow Exchange (office)": [
        "## Location",
        "Wothlow Exchange is situated in Antwerp, Belgium. The office was opened on 10 June 2008.",
        "## Premises",
        "The floor area amounts to 895 square metres. The premises provide 88 desks.",
        "## Responsibility",
        "Kamis Cleikette is the steward of Wothlow Exchange and is to be consulted on all matters concerning "
        "the building.",
    ],
    "Tall Buildings": [
        "Welcome to Tall Buildings, where the lifts matter more than elsewhere. The department sits in "
        "Vunobwick Chambers and is sponsored by Kamis Cleikette, who is the person to impress. The annual "
        "budget of $9.66 million sounds generous until somebody wants to build something tall.",
    ],
    "Staff page: Trelune Letorn": [
        "Trelune Letorn is a Graduate Engineer in Geotechnics and has been with us since 25 March 2012. Trelune"
        " holds an MSc in Construction Management and specialises in temporary stability, so if something has "
        "to stand only for a while, this is the right person to ask.",
        "- Office: Wothlow Exchange\n- Supervisor: Krietos Piltevin\n- Telephone extension: 2110",
        "New colleagues are welcome to drop by with questions; there is usually tea, and there are no stupid "
        "questions before lunch.",
    ],
    "Vesorra Collective (client)": [
        "Vesorra Collective is in aviation, which explains why nobody there is ever on the ground. The company "
        "was founded in 1910 and is based in Valencia, Spain. It has been our client since 5 August 2002.",
        "The person to call is Bethio Tamuld, Company Secretary at Vesorra Collective; on our side the account "
        "manager is Bodune Tivimek.",
        "- Payment term: 75 days\n- Framework agreement ceiling: $43.8 million\n- Projects: Crabetava Gate "
        "South, Crabetava Gate North, Scedande Quay and New Granlow Row, all commissioned by Vesorra Collective",
        "Anyone who joins the team should read the framework agreement before promising anything.",
    ],
    "Client contacts, sheet 1": [
        "## Kruvine Prisatz",
        "Kruvine Prisatz holds the position of Capital Programme Manager and is based in Antwerp, Belgium. The "
        "telephone number is +999 122 3623; calls are preferred on Tuesday afternoons.",
        "## Bethio Tamuld",
        "Bethio Tamuld is Company Secretary and is located in Curitiba, Brazil. Bethio Tamuld can be reached by"
        " telephone at +999 102 1367, preferably on Monday mornings.",
        "## Kamis Emoyan",
        "Kamis Emoyan serves as Property Counsel in Dunedin, New Zealand. The preferred calling time is "
        "Wednesday mornings.",
        "## Staulos Clabossa",
        "Staulos Clabossa is Chief Engineer, based in Lisbon, Portugal, and prefers to be called on weekdays "
        "before nine.",
    ],
    "Progress report on Middle Neisholt Fields, 17 December 2021": [
        "NOTE: What this report says of the budget and the project manager has been superseded by the report of"
        " 8 June 2022.",
        "Work on Middle Neisholt Fields started on 8 July 2021. The project is led from Vunobwick Chambers. "
        "Lentine Dredemark is the project manager. Kamis Cleikette is the project director. The budget is $36.2"
        " million.",
        "The site is tidy. The ground has behaved well so far, and the crews have settled in. At its peak the "
        "workforce numbers 94. The structure is designed for a life of 40 years.",
        "Deliveries have been punctual. Communication between office and site is good. Safety remains the first"
        " item of every meeting. The team is asked to keep records complete and to report problems early.",
    ],
    "Works packages of Middle Neisholt Fields": [
        "Middle Neisholt Fields Monitoring is a work package of the project Middle Neisholt Fields. Its value "
        "is $5.8 million. It starts on 10 September 2021 and ends on 7 June 2022. It is led by Quaris "
        "Drothovar, and its crew consists of 37 people.",
        "Middle Neisholt Fields Finishes is part of the same project, Middle Neisholt Fields. The supplier is "
        "Pradokum & Edoloyan. The package is valued at $4.74 million and began on 28 March 2022. A crew of 8 "
        "works under the lead of Kruvine Closell.",
        "Middle Neisholt Fields Drainage likewise belongs to the project Middle Neisholt Fields. Vorex & "
        "Crebatick is the supplier, and the package is worth $6.28 million. Work commenced on 2 September 2021 "
        "and concludes on 6 June 2022. The lead is Scemira Katonde, with a crew of 18.",
    ],
}
"""A document's title → paragraphs that somebody wrote to its order, who did not tune them to the checks."""


@pytest.mark.parametrize("title", DOCUMENTS)
def test_prose_to_an_order_passes(world: World, plans: dict[str, Plan], title: str) -> None:
    assert problems(world, plans[title], *DOCUMENTS[title]) == []


def test_the_prompts_own_demonstration_would_pass(world: World, plans: dict[str, Plan]) -> None:
    """With the names and values of somebody in the world."""
    _, asked, said, _ = load_prompt("aurp_document").fill(order="").messages
    order, text = json.loads(asked["content"]), " ".join(json.loads(said["content"])["paragraphs"])
    plan = plans["Staff page: Trelune Letorn"]
    facts = {one.label: one for one in plan.facts if one.label in ("office", "hiring date")}
    for fact in order["facts"]:
        assert fact["value"] in text
        text = text.replace(fact["of"], plan.document.metadata["entity"]).replace(
            fact["value"], facts[fact["what"]].shown
        )
    assert problems(world, replace(plan, facts=tuple(facts.values())), text) == []
