"""By conditions: the published decision table, totals, chance, and what single questions need."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from report_cases import Case, make_release, make_run, repeated
from support import ROOT

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.predictions import Context, Prediction
from benchwright.benchmarks.reports.answers.every import run_answers
from benchwright.benchmarks.reports.columns import load_run
from benchwright.benchmarks.reports.failures import decisions
from benchwright.benchmarks.reports.failures.chance import closed_chance
from benchwright.benchmarks.reports.failures.decisions import (
    FACTS,
    answer_decisions,
    decide,
    decision_texts,
    others_allowed,
    question_decisions,
    table_rows,
)
from benchwright.benchmarks.reports.failures.totals import condition_totals
from benchwright.benchmarks.reports.report import Report
from benchwright.benchmarks.types import Document, Evidence, Question
from benchwright.cards.report.markdown import markdown_report
from benchwright.cards.report.page import render_report
from benchwright.cards.report.terminal import terminal_table

STATES = {
    "documents": ("states", "lack it"),
    "own": ("right", "not right", "varies"),
    "closed": ("from memory", "by chance", "not right", "unknown", "varies"),
    "gold": ("right", "not right", "unknown", "varies"),
    "contexts": ("held", "lacked", "unknown", "varies"),
}
FIRMS = 24
NAMES = (
    "Alder Birch Cedar Dogwood Elm Fir Gorse Hazel Iris Juniper Kale Larch Maple Nettle Oak Pine Quince Rowan Sorrel "
    "Thyme Umber Violet Willow Yew"
)
TOWNS = [f"Port {name}" for name in NAMES.split()]
METRICS = ("correct", "evidence_recall@2", "recall@2")


def town(number: int) -> str:
    return TOWNS[number % len(TOWNS)]


DOCUMENTS = tuple(
    Document(f"d{number}", f"Firm {number}", f"Firm {number} sits in {town(number)}.") for number in range(FIRMS)
)


def question(number: int, wording: int = 0, **more: object) -> Question:
    """The town of a firm; those from 20 on are known gaps."""
    is_gap, name = number >= 20, f"d{number}"
    start = DOCUMENTS[number].body.index(town(number))
    fields: dict[str, object] = {
        "answers": (town(number),),
        "answer_type": "one",
        "answerability": "gap" if is_gap else "answerable",
        "documents": () if is_gap else (name,),
        "evidence": () if is_gap else (Evidence(name, start, start + len(town(number))),),
    }
    fields |= {"group": f"g{number}", "form": "short", "template": "town", **more}
    asked = f"In which town is firm {number}, wording {wording}?"
    return Question(id=f"q{number}-{wording}", question=asked, **fields)  # pyright: ignore


def said(number: int, right: bool, condition: str, *, held: bool | None = None, wording: int = 0) -> Prediction:
    """A right or a wrong answer; its contexts hold the evidence, lack it, or are not handed in."""
    shown = {True: number, False: (number + 1) % FIRMS}
    contexts = () if held is None else (Context(f"d{shown[held]}", DOCUMENTS[shown[held]].body),)
    answer = town(number) if right else town(number + 1)
    return Prediction(f"q{number}-{wording}", answer, condition=condition, contexts=contexts)


OUTCOMES = {
    # firms → right in own, closed, gold; whether its own contexts held the evidence; what is decided
    range(5): (True, False, True, True, "right"),
    range(5, 8): (True, True, True, True, "memory"),
    range(8, 12): (False, False, True, False, "retrieval"),
    range(12, 14): (False, False, True, True, "distracted"),
    range(14, 16): (False, False, False, True, "language-model"),
    range(16, 17): (False, False, False, False, "both"),
    range(17, 18): (True, False, True, False, "undetermined"),
    range(18, 19): (False, False, True, None, "undetermined"),
    range(19, 20): (False, False, False, None, "language-model"),
    range(20, 22): (False, False, None, False, "knowledge-gap"),
    range(22, 23): (True, True, None, False, "memory"),
    range(23, 24): (True, False, None, False, "undetermined"),
}
KEYS = [
    "right", "memory", "knowledge-gap", "retrieval", "distracted", "language-model", "both", "undetermined",
]  # fmt: skip


def predictions() -> Iterator[Prediction]:
    for firms, (own, closed, gold, held, _) in OUTCOMES.items():
        for number in firms:
            yield said(number, own, "own", held=held)
            yield said(number, closed, "closed")
            if gold is not None:
                yield said(number, gold, "gold", held=True)


def run_of(folder: Path, made: Sequence[Prediction], questions: Sequence[Question] | None = None) -> Case:
    asked = questions or [question(number) for number in range(FIRMS)]
    return make_run(make_release(folder / "release", asked, DOCUMENTS), folder / "run", made, METRICS)


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    return run_of(tmp_path_factory.mktemp("decisions"), list(predictions()))


@pytest.fixture(scope="module")
def report(case: Case) -> Report:
    return case.made()


def published_table() -> list[str]:
    """The table as Markdown lines, as the guide has it."""
    names = {each.key: each.name for each in decision_texts()}
    heads: dict[str, str] = {
        "documents": "the documents",
        "own": "own contexts",
        "closed": "closed book",
        "gold": "gold passages",
        "contexts": "its contexts",
    }
    lines = [f"| {' | '.join(heads.values())} | decision |", "|" + "---|" * (len(FACTS) + 1)]
    for row in table_rows():
        cells = [row.facts.get(name, "") for name in FACTS]
        decided = f"**{names[row.decision]}**" + (f": {row.why}" if row.why else "")
        lines.append(f"| {' | '.join(cells)} | {decided} |")
    return lines


def test_the_guide_shows_the_table_that_decides() -> None:
    guide = (ROOT / "cards" / "guides" / "score-your-system.md").read_text()
    assert "\n".join(published_table()) in guide
    assert [each.key for each in decision_texts()] == KEYS
    for row in table_rows():
        assert row.decision in KEYS and bool(row.why) == bool(row.learn) == (row.decision == "undetermined")
        assert all(state in STATES[name] for name, state in row.facts.items())
    for row in read_toml(decisions.__package__, "decisions.toml")["rows"]:
        assert set(row) <= {*FACTS, "decision", "why", "learn"}


def test_the_first_row_that_fits_decides_and_one_always_does() -> None:
    every = list(product(*(STATES[name] for name in FACTS)))
    columns = {
        name: np.array(values, dtype=object) for name, values in zip(FACTS, zip(*every, strict=True), strict=True)
    }
    found = decide(columns)
    assert (found >= 0).all()
    for state, row in zip(every, found.tolist(), strict=True):
        facts: dict[str, str] = dict(zip(FACTS, state, strict=True))
        fits = [
            place
            for place, each in enumerate(table_rows())
            if all(facts[name] == is_ for name, is_ in each.facts.items())
        ]
        assert row == fits[0]
    last = len(table_rows()) - 1
    assert all("varies" in every[place] for place in np.flatnonzero(found == last))


def test_each_answer_has_the_decision_of_the_table(case: Case) -> None:
    run = load_run(case.release, case.folder)
    found = answer_decisions(run)
    expected = [decision for firms, (*_, decision) in OUTCOMES.items() for _ in firms]
    names = [decision_texts()[code].key for code in found.code]
    assert dict(zip((run.questions.ids[place] for place in found.question), names, strict=True)) == {
        f"q{number}-0": decision for number, decision in enumerate(expected)
    }
    whys = {row.why: number for row, number in found.undetermined}
    assert list(whys.values()) == [1, 1, 1] and any("retrieval failure, or distracted" in why for why in whys)


def test_shares_add_up_over_all_that_has_an_answer(report: Report) -> None:
    found = report.attribution
    assert (found.kind, found.why_observational) == ("by conditions", None)
    assert found.answers is not None and found.answers.total == FIRMS and found.questions is None
    wrong = report.conditions["gold"].outcomes
    assert (wrong.correct, wrong.wrong, wrong.unscored, wrong.total) == (16, 4, 0, 20)
    counts = {each.key: each.share.count for each in found.answers.decisions}
    assert counts == dict(zip(KEYS, (5, 4, 2, 4, 2, 3, 1, 3), strict=True))
    assert sum(each.share.value or 0 for each in found.answers.decisions) == pytest.approx(1)
    assert all(
        each.share.low is not None and each.share.low <= (each.share.value or 0) <= (each.share.high or 0)
        for each in found.answers.decisions
    )


def test_totals_are_paired_differences_over_the_headlines_questions(report: Report) -> None:
    totals = {each.key: each for each in report.attribution.totals}
    assert list(totals) == ["reader", "retrieval", "contexts"]
    found = totals["retrieval"]
    assert (found.first, found.second, found.questions, found.won, found.lost) == ("gold", "own", 20, 7, 0)
    assert (found.first_value, found.second_value, found.value) == pytest.approx((0.8, 0.45, 0.35))
    assert found.separated and found.low is not None and 0 < found.low < 0.35 < (found.high or 0)
    assert totals["reader"].value == pytest.approx(0.2) and totals["contexts"].value == pytest.approx(0.3)
    lost = 1 - found.second_value
    assert totals["reader"].value + found.value == pytest.approx(lost)  # over the same questions they add up


def test_what_is_shown_says_that_single_answers_are_noisy(report: Report) -> None:
    page, terminal = render_report(report), terminal_table(report)
    text = markdown_report(report)
    for shown in (page, text):
        assert "These are single answers, run-to-run noise included." in shown
        assert "to say what a single question fails of, score with --repeat 3 or more" in shown
    assert "retrieval failure" in page and "lost by retrieval" in text and "+35.0" in text
    assert "by conditions" in terminal and "16.7 %" in terminal


def test_single_questions_have_a_cause_where_repeats_agree(tmp_path: Path) -> None:
    made = list(predictions())
    made += repeated(made, repeat=1) + repeated(made, repeat=2)
    flips = {"q8-0": ("own", 1), "q0-0": ("closed", 2), "q12-0": ("gold", 0)}
    for place, each in enumerate(made):
        number = int(each.id.split("-")[0][1:])
        if flips.get(each.id) == (each.condition, each.repeat):
            other = town(number) if each.answer != town(number) else town(number + 2)
            made[place] = Prediction(
                each.id, other, condition=each.condition, repeat=each.repeat, contexts=each.contexts
            )
    case = run_of(tmp_path, made)
    run = load_run(case.release, case.folder)
    assert len(answer_decisions(run).question) == 3 * FIRMS
    found = question_decisions(run)
    assert found is not None and len(found.question) == FIRMS
    names = {
        run.questions.ids[place]: decision_texts()[code].key
        for place, code in zip(found.question, found.code, strict=True)
    }
    assert (names["q8-0"], names["q12-0"], names["q9-0"], names["q13-0"]) == (
        "undetermined", "undetermined", "retrieval", "distracted"
    )  # fmt: skip
    assert names["q0-0"] == "right" and names["q6-0"] == "memory"  # q0 is right alone in one of three repeats
    assert "what decides differs from one repeat to the next" in {row.why for row, _ in found.undetermined}
    report = case.made()
    assert report.attribution.questions is not None and report.attribution.questions.total == FIRMS
    assert "asked 3 times or more in each condition" in markdown_report(report)
    facet = next(each for each in run_answers(run).facets if each.key == "decision")
    assert {each.value: each.count for each in facet.values} == {
        each.key: 3 * each.share.count for each in report.attribution.questions.decisions if each.share.count
    }
    assert '<a href="#questions?decision=retrieval">' in render_report(report)
    assert [others_allowed(repeats) for repeats in range(1, 11)] == [-1, -1, 0, 0, 0, 1, 1, 1, 2, 2]
    for name, kept in (
        ("two", [each for each in made if each.repeat < 2]),
        ("gold-once", [each for each in made if each.condition != "gold" or each.repeat == 0]),
    ):
        seldom = run_of(tmp_path / name, [each for each in kept if int(each.id.split("-")[0][1:]) < 20])
        assert question_decisions(load_run(seldom.release, seldom.folder)) is None


def test_what_is_right_by_chance_is_no_memory(tmp_path: Path) -> None:
    """Yes to each of 24 yes/no questions of which 18 are yes; and 6 of 12 names known by heart"""

    def asked(number: int) -> list[Question]:
        gold = "yes" if number % 4 else "no"
        boolean = question(
            number,
            1,
            answers=(gold,),
            answer_type="boolean",
            group=f"b{number}",
            template="is",
            documents=(),
            evidence=(),
        )
        return [question(number), boolean]

    questions = [each for number in range(20) for each in asked(number)]
    made = []
    for number in range(20):
        made += [said(number, True, "own", held=True), said(number, True, "gold", held=True)]
        made += [said(number, number < 6, "closed")]
        made += [Prediction(f"q{number}-1", "Yes.", condition=condition) for condition in ("own", "closed")]
    case = run_of(tmp_path, made, questions)
    run = load_run(case.release, case.folder)
    pools = {pool.name: pool for pool in closed_chance(run).pools}
    assert list(pools) == ["is", "town"]
    assert (pools["is"].chance, pools["is"].groups, pools["is"].right, pools["is"].is_above) == (0.75, 20, 15.0, False)
    assert (pools["town"].right, pools["town"].is_above) == (6.0, True) and pools["town"].chance == pytest.approx(0.05)
    assert pools["town"].p == pytest.approx(2 * 0.000329, rel=1e-2)  # Holm, of two
    names = Counter(decision_texts()[code].key for code in answer_decisions(run).code)
    assert names == {"right": 14 + 15, "memory": 6, "undetermined": 5}
    known = case.made().attribution.closed_book
    assert known is not None and (known.from_memory, known.pools, known.pools_above) == (6, 2, 1)
    assert (known.right, known.by_chance) == pytest.approx((21 / 40, (15 + 1) / 40))


def test_small_templates_of_much_the_same_chance_are_tested_together(tmp_path: Path) -> None:
    """Four templates of five groups with an answer each; the model knows twelve of twenty alone, and abstains once."""
    made = []
    for number in range(20):
        made += [said(number, True, "own", held=True), said(number, number < 12, "closed")]
    made[-1] = Prediction("q19-0", None, abstained=True, condition="closed")
    questions = [question(number, template=f"t{number % 4}") for number in range(20)]
    case = run_of(tmp_path, made, questions)
    found = closed_chance(load_run(case.release, case.folder))
    (pool,) = found.pools
    assert (pool.name, pool.groups, pool.right, pool.is_above) == ("chance up to 35 %", 19, 12.0, True)
    assert pool.chance == pytest.approx(0.2) and pool.p == pytest.approx(4.979e-5, rel=1e-3)
    share = 12 / 19
    known = (share - 0.2) / 0.8
    assert pool.lucky == pytest.approx((1 - known) * 0.2 / share)
    assert found.is_above.all() and found.values == pytest.approx(np.full(20, 0.2))
    assert "12 questions, some 2 of them by luck" in markdown_report(case.made())


def test_attribution_is_observational_where_nothing_was_replaced(tmp_path: Path) -> None:
    own = [each for each in predictions() if each.condition == "own"]
    report = run_of(tmp_path / "own", own).made()
    why = "the system was not asked in the condition gold: add --conditions own,closed,gold,without-gold"
    assert (report.attribution.kind, report.attribution.why_observational) == ("observational", why)
    assert report.attribution.answers is None and report.attribution.totals == ()
    assert f"Nothing was decided by conditions: {why}." in markdown_report(report).replace("\\", "")
    refused = [
        Prediction(each.id, None, condition="gold", error="unsupported: its answer() takes no contexts") for each in own
    ]
    report = run_of(tmp_path / "refused", [*own, *refused]).made()
    assert report.attribution.kind == "observational"
    assert report.attribution.why_observational == (
        "the system cannot be put in the condition gold: its answer() takes no contexts"
    )


def test_totals_without_gold_say_what_the_documents_bring(tmp_path: Path) -> None:
    made = [*predictions(), *(said(number, number < 2, "without-gold", held=False) for number in range(20))]
    case = run_of(tmp_path, made)
    totals = {each.key: each for each in condition_totals(load_run(case.release, case.folder))}
    assert totals["evidence"].value == pytest.approx(0.45 - 0.1) and totals["others"].value == pytest.approx(0.1 - 0.15)


def test_of_what_was_not_seen_there_is_no_share(tmp_path: Path) -> None:
    """Neither closed book nor any contexts: memory, retrieval failure, distracted and both failed are not known."""
    made = [said(number, number < 9, "own") for number in range(20)]
    made += [said(number, number < 15, "gold", held=True) for number in range(20)]
    report = run_of(tmp_path, made, [question(number) for number in range(20)]).made()
    found = report.attribution.answers
    assert found is not None
    shares = {each.key: (each.share.value, each.share.count) for each in found.decisions}
    assert shares == {
        "right": (0.45, 9), "memory": (None, 0), "knowledge-gap": (0.0, 0), "retrieval": (None, 0),
        "distracted": (None, 0), "language-model": (0.25, 5), "both": (None, 0), "undetermined": (0.3, 6),
    }  # fmt: skip
    text = markdown_report(report)
    assert "more often than by chance: not known, as nothing was judged closed book | – | – | – | – |" in text
    assert "gold passages: not known, as nothing says what its own contexts held | – | – | – | – |" in text


def test_nobody_is_wrong_and_no_contexts_are_shown(tmp_path: Path) -> None:
    """That no search failed was seen: every answer is right."""
    made = [said(number, True, condition) for number in range(20) for condition in ("own", "closed", "gold")]
    report = run_of(tmp_path, made, [question(number) for number in range(20)]).made()
    found = report.attribution.answers
    assert found is not None
    assert {each.key: each.share.value for each in found.decisions} == {
        "right": 0.0, "memory": 1.0, "knowledge-gap": 0.0, "retrieval": 0.0,
        "distracted": 0.0, "language-model": 0.0, "both": 0.0, "undetermined": 0.0,
    }  # fmt: skip


def test_where_nothing_is_known_by_heart(tmp_path: Path) -> None:
    made = [said(number, number == 1, condition) for number in range(20) for condition in ("own", "closed")]
    text = markdown_report(run_of(tmp_path, made, [question(number) for number in range(20)]).made())
    assert "none has more right than by chance (Holm): nothing counts as known." in text
