"""A report over lists and questions without an answer, worked out by hand."""

import pytest
from report_cases import Case, make_release, make_run

from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.types import Question

LISTS = [
    Question(
        f"list-{number}",
        f"Which crew sailed on ship {number}?",
        answers=("Ada", "Ben", "Cleo"),
        answer_type="set",
        answerability="answerable",
        group=f"list {number}",
        kind="list",
        template="crew",
    )
    for number in range(30)
]
LOOKUPS = [
    Question(
        f"lookup-{number}",
        f"Who was captain of ship {number}?",
        answers=(f"Captain{number}",),
        answer_type="one",
        answerability="answerable",
        group=f"lookup {number}",
        kind="lookup",
        template="captain",
    )
    for number in range(30)
]
NOBODY = [
    Question(
        f"no-{n}",
        f"Who built ship X{n}?",
        answer_type="none",
        answerability="unanswerable",
        group=f"no {n}",
        kind="unanswerable",
        metadata={"no_answer": "made_name" if n % 2 else "null"} if n < 3 else {},
    )
    for n in range(4)
]
PREDICTIONS = [
    *(Prediction(each.id, "Ada, Ben and Dora" if n % 5 else "Ada, Ben and Cleo") for n, each in enumerate(LISTS)),
    *(Prediction(each.id, each.answers[0]) for each in LOOKUPS),
    Prediction("no-0", "There is no ship called X0."),
    Prediction("no-1", "No such ship exists."),
    Prediction("no-2", None, abstained=True),
    Prediction("no-3", "Ada built it."),
]


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    folder = tmp_path_factory.mktemp("kinds")
    release = make_release(folder / "release", [*LISTS, *LOOKUPS, *NOBODY])
    return make_run(release, folder / "run", PREDICTIONS, ("correct", "list_recall", "list_precision", "list_complete"))


def test_lists_are_shown_by_kind(case: Case) -> None:
    found = {each["value"]: each["metrics"] for each in case.report()["slices"]["kind"]["values"]}
    shares = {name: round(found["list"][f"list_{name}"]["value"], 3) for name in ("recall", "precision", "complete")}
    assert shares == {"recall": 0.733, "precision": 0.733, "complete": 0.2}  # 24 with 2 of 3, 6 whole
    assert found["lookup"]["list_recall"]["value"] is None and found["lookup"]["correct"]["value"] == 1
    page = case.page().read_text(encoding="utf-8")
    assert all(name in page for name in ("list_recall", "list_precision", "list_complete"))


def test_the_headline_says_how_often_it_abstained_rightly_and_invented(case: Case) -> None:
    abstention = case.report()["outcomes"]["abstention"]
    assert (abstention["recall"]["count"], abstention["recall"]["total"]) == (3, 4)
    page = case.page().read_text(encoding="utf-8")
    assert (
        "Abstained rightly" in page
        and "3 of 4 known gaps and unanswerable questions · 1 answer invented or guessed" in page
    )


def test_what_is_hard_is_said(case: Case) -> None:
    page = case.page().read_text(encoding="utf-8")
    assert "Where fewer answers are right than elsewhere" in page
    assert "kind" in page and "24 of 30" in page and "80.0 %" in page


def test_abstaining_is_shown_by_why_there_is_no_answer(case: Case) -> None:
    found = case.report()["outcomes"]["abstained_by_sort"]
    assert {sort: (each["count"], each["total"]) for sort, each in found.items()} == {
        "made_name": (1, 1),
        "null": (2, 2),
    }
    page = case.page().read_text(encoding="utf-8")
    assert "Questions without an answer" in page and "a name that nothing has" in page
    assert "a false premise" not in page
