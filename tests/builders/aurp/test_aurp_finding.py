"""What counts as a statement of a fact in a text by somebody else, and what such a text must not hold."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from benchwright.benchmarks.types import Document
from benchwright.builders.aurp.cells import Cells
from benchwright.builders.aurp.document_plan import Plan, make_plan
from benchwright.builders.aurp.document_text import StatedCell
from benchwright.builders.aurp.documents import documents, gap_cells, shown_in
from benchwright.builders.aurp.documents_by_model import Written, read_reply, tidied
from benchwright.builders.aurp.documents_reports import Made
from benchwright.builders.aurp.find_facts import FactFinder
from benchwright.builders.aurp.find_forbidden import Problem, _in_words
from benchwright.builders.aurp.generate import make_world
from benchwright.builders.aurp.prove_documents import Checker, WronglyStated
from benchwright.builders.aurp.world import World

Check = Callable[..., tuple[Made, list[Problem]]]


@pytest.fixture(scope="module")
def world() -> World:
    return make_world()


@pytest.fixture(scope="module")
def plans(world: World) -> dict[str, Plan]:
    cells = Cells(world, 0.9)
    superseded = cells.superseded()
    return {one.id: make_plan(cells, superseded, one, stated) for one, stated in documents(world)}


@pytest.fixture(scope="module")
def small() -> dict[str, Plan]:
    """The plans of the world of ten projects."""
    cells = Cells(make_world(10), 0.9)
    superseded = cells.superseded()
    return {one.id: make_plan(cells, superseded, one, stated) for one, stated in documents(cells.world)}


@pytest.fixture
def check(small: dict[str, Plan]) -> Check:
    def call(name: str, *paragraphs: str) -> tuple[Made, list[Problem]]:
        world = make_world(10)
        return read_reply(small[name], Written(paragraphs), Checker(world, 0.9), shown_in(world))

    return call


def found(made: Made) -> dict[str, list[str]]:
    """Column → the stretches that state it."""
    places: dict[str, list[str]] = {}
    for one in made[1]:
        assert made[0].body[one.start : one.end] == one.value_text
        places.setdefault(f"{one.column}{' before' if one.superseded else ''}", []).append(one.value_text)
    return places


def sorts(problems: Sequence[Problem]) -> list[str]:
    return [sort for sort, _ in problems]


def test_it_finds_by_itself_what_rules_have_written(plans: dict[str, Plan]) -> None:
    """What two values of a sort in one sentence leave open is not guessed."""
    facts = missed = strange = 0
    for plan in plans.values():
        spans = {(one.table, one.key, one.column, one.start, one.end) for one in plan.stated}
        for one, places in FactFinder(plan, plan.document.body).stated():
            facts += 1
            missed += not places
            cell = (one.fact.table, one.fact.key, one.fact.column)
            strange += sum((*cell, *place) not in spans for place in places)
    assert (facts, missed, strange) == (6271, 60, 21)


def report(small: dict[str, Plan]) -> str:
    """The facts of a report in sentences of their own, and what the order asks for beside them."""
    plan = small["project-report-0002-2"]
    return " ".join(f"The {one.label} {'was formerly' if one.is_replaced else 'is'} {one.shown}." for one in plan.facts)


def test_a_good_text(check: Check, small: dict[str, Plan]) -> None:
    made, problems = check("project-report-0002-2", report(small))
    assert problems == []
    places = found(made)
    assert places["budget_usd"] == ["$32.3 million"]
    assert places["budget_usd before"] == ["$36.2 million"]
    assert len(made[1]) == len(small["project-report-0002-2"].facts)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "The budget was cut from $36.2 million to $32.3 million.",
            {"budget_usd before": ["$36.2 million"], "budget_usd": ["$32.3 million"]},
        ),
        (
            "The former budget of $36.2 million is replaced: the budget is now $32.3 million.",
            {"budget_usd before": ["$36.2 million"], "budget_usd": ["$32.3 million"]},
        ),
        ("The budget is now $32.3 million.", {"budget_usd": ["$32.3 million"]}),
        ("The former budget was $32.3 million.", {}),
        ("It stands at $32.3 million.", {}),
        ("The budget is $32.4 million.", {}),
        ("The project manager, Quaten Krotundi, is new.", {"manager_id": ["Quaten Krotundi"]}),
        ("Quaten Krotundi follows Lentine Dredemark as project manager.", {}),
        ("The longest span: 55\u00a0m.", {"longest_span_m": ["55 m"]}),
        ("A span that is fifty-five metres long.", {}),
        ("**Peak workforce:** 94", {"peak_workforce": ["94"]}),
        ("Steel comes to 94 tonnes.", {}),
    ],
)
def test_what_states_a_fact(check: Check, text: str, expected: dict[str, list[str]]) -> None:
    made, _ = check("project-report-0002-2", text)
    assert found(made) == expected


def test_the_row_that_a_sentence_is_about(check: Check, small: dict[str, Plan]) -> None:
    first, second = (name for name in small["contacts-0001"].subjects[:2])
    mixed = f"{first} has a post. {second} is found in Antwerp, Belgium, as a Capital Programme Manager."
    assert found(check("contacts-0001", mixed)[0]) == {}
    right = f"{first} is met on Tuesday afternoons.\n{second} came later."
    assert found(check("contacts-0001", right)[0]) == {}, "nothing says that this is the time to call"
    right = f"## {first}\n\nBest reached on Tuesday afternoons, in Antwerp, Belgium."
    assert found(check("contacts-0001", right)[0]) == {
        "reachable": ["Tuesday afternoons"],
        "location": ["Antwerp, Belgium"],
    }


def test_an_earlier_report_needs_its_note(check: Check, small: dict[str, Plan]) -> None:
    plan = small["project-report-0002-1"]
    facts = " ".join(f"The {one.label} is {one.shown}." for one in plan.facts)
    assert sorts(check(plan.document.id, facts)[1]) == ["note not found"]
    half = "The report of 8 June 2022 supersedes the budget given here."
    assert sorts(check(plan.document.id, half, facts)[1]) == ["note not found"]
    whole = "The budget and the name of the project manager are superseded by the report of June 8, 2022."
    made, problems = check(plan.document.id, whole, facts)
    assert problems == []
    assert {one.column for one in made[1] if one.superseded} == {"budget_usd", "manager_id"}


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ("The site is in Penang, Malaysia.", ["known gap stated"]),
        ("Penang is hot at this time of the year.", ["known gap stated"]),
        ("It stands on piled rafts.", ["known gap stated"]),
        ("All should be over by 28 December 2022.", ["known gap stated"]),
        ("Nothing more happens after 2022-12-28.", ["known gap stated"]),
        ("All should be over by the end of 2022.", ["known gap hinted at", "other figure"]),
        ("The crew had 17 helmets.", ["other figure"]),
        ("Its sister, New Granlow Row, goes well.", ["other name"]),
        ("Disira Obalurra came to visit.", ["other name"]),
        ("This is as of 8 June 2022. The crew had no helmets.", []),
        ("2. Outlook\nThe weather was kind to all of us.", []),
        ("Aurp has had nothing but kind words.", []),
        ("", []),
    ],
)
def test_what_a_text_must_not_hold(check: Check, small: dict[str, Plan], more: str, expected: list[str]) -> None:
    assert sorts(check("project-report-0002-2", report(small), more)[1]) == expected


@pytest.mark.parametrize(
    "said", ["Sixteen metres is a long way.", "A sixteen-metre span.", "It spans 16 m.", "16 metres!"]
)
def test_a_gap_in_words(check: Check, small: dict[str, Plan], said: str) -> None:
    plan = small["project-report-0001-1"]
    assert [(gap.label, gap.value) for gap in plan.gaps] == [("longest span", 16)]
    facts = " ".join(f"{one.subject} has as its {one.label} {one.shown}." for one in plan.facts)
    assert sorts(check(plan.document.id, facts)[1]) == []
    assert sorts(check(plan.document.id, facts, said)[1]) == ["known gap stated"]


def test_numbers_in_words() -> None:
    assert _in_words("quantity", 10, "days") == ("ten days", "ten-day")
    assert _in_words("count", 9, None) == ()
    assert _in_words("count", 142, None) == ("one hundred and forty-two", "one hundred forty-two")
    assert _in_words("year", 1987, None) == ("nineteen eighty-seven",)
    assert _in_words("money", 4_200_000, None) == ("four point two million", "four million, two hundred thousand")


def test_a_gap_of_another_row_is_found_by_the_proof_of_the_release(world: World, plans: dict[str, Plan]) -> None:
    """A client's gap that a project report gives away, though no order names it: neither figure nor name gives it away."""
    checker, show = Checker(world, 0.9), shown_in(world)
    plan = next(
        plan
        for plan in plans.values()
        if plan.document.metadata["kind"] == "project report"
        and any(one.fact.column == "client_id" and _industry_is_gap(world, str(one.fact.value)) for one in plan.facts)
    )
    name = next(str(one.fact.value) for one in plan.facts if one.fact.column == "client_id")
    industry = next(client.industry for client in world.client if client.name == name)
    leak = f"The industry of {name} is {industry}."
    facts = [f"{one.subject} has as its {one.label} {one.shown}." for one in plan.facts]
    clean = read_reply(plan, Written(tuple(facts)), checker, show)[1]
    assert clean == []
    problems = read_reply(plan, Written((*facts, leak)), checker, show)[1]
    assert sorts(problems) == ["other fact"]
    assert repr(industry) in problems[0][1]
    with pytest.raises(WronglyStated, match="gives away the known gap"):
        checker.see(replace(plan.document, text=leak), [])


def _industry_is_gap(world: World, client: str) -> bool:
    key = next(one.id for one in world.client if one.name == client)
    return ("client", key, "industry") in set(gap_cells(world))


def test_texts_without_end_are_refused(check: Check, small: dict[str, Plan]) -> None:
    assert "too long or empty" in sorts(check("project-report-0002-2")[1])
    assert sorts(check("project-report-0002-2", report(small), "So it goes. " * 400)[1]) == ["too long or empty"]


def test_tidied() -> None:
    assert tidied(" **Cafe\u0301**\u00a0 Nord\u2011Ost \r\n\n  - one ") == "Café Nord-Ost\n- one"


def test_plans_and_documents_are_the_same_cells(plans: dict[str, Plan]) -> None:
    for plan in plans.values():
        cells = {(one.fact.table, one.fact.key, one.fact.column, one.fact.superseded) for one in plan.facts}
        assert cells == {(one.table, one.key, one.column, one.superseded) for one in plan.stated}
        assert not {(gap.label, gap.subject) for gap in plan.gaps} & {(one.label, one.subject) for one in plan.facts}
        assert isinstance(plan.document, Document)
        assert all(isinstance(one, StatedCell) for one in plan.stated)
