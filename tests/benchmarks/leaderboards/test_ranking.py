"""Systems ranked: who is separated from whom, who stands apart and why, and what never stands in one table."""

import random
from dataclasses import replace
from pathlib import Path

import pytest
from boards import BOARD, GROUPS, board_release, entry_of, marks_of, score_rows, write_scores_file

from benchwright.benchmarks.leaderboards.board import BoardBenchmark
from benchwright.benchmarks.leaderboards.entries import Entry, PartQuestions, Parts, parts_of
from benchwright.benchmarks.leaderboards.ranking import make_standings
from benchwright.benchmarks.leaderboards.standings import Standing, Table, table_figure
from benchwright.benchmarks.leaderboards.verdict import Costs, Figure, figure_name

KEY = ("firms", "1.0.0")


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Parts:
    return parts_of(board_release(tmp_path_factory.mktemp("releases")))


def tables_of(entries: list[Entry], parts: Parts, **more: object) -> tuple[Table, ...]:
    board = replace(BOARD, benchmarks={"firms": replace(BOARD.benchmarks["firms"], **more)})
    return make_standings("somebody/board", board, entries, {KEY: parts}).tables


def shown(table: Table) -> list[tuple[str, float | None, tuple[int, int] | None, str | None]]:
    return [
        (each.verdict.system, None if each.value is None else round(each.value, 4), each.ranks, each.apart)
        for each in table.standings
    ]


def named(table: Table, slug: str) -> Standing:
    return next(each for each in table.standings if each.verdict.system == slug)


def right(groups: int) -> str:
    """The first groups right, the others wrong."""
    return marks_of("11" * groups + "0")


def test_what_is_separated_has_ranks_of_its_own_and_a_copy_is_never_separated(parts: Parts, tmp_path: Path) -> None:
    entries = [
        entry_of(tmp_path, slug, right(groups))
        for slug, groups in (("best", 55), ("copy", 55), ("near", 53), ("middle", 30), ("last", 5))
    ]
    (table,) = tables_of(entries, parts)
    assert shown(table) == [
        ("best", 0.9167, (1, 3), None),
        ("copy", 0.9167, (1, 3), None),
        ("near", 0.8833, (1, 3), None),
        ("middle", 0.5, (4, 4), None),
        ("last", 0.0833, (5, 5), None),
    ]
    assert table.separated == ((3, 4), (3, 4), (3, 4), (0, 1, 2, 4), (0, 1, 2, 3))
    assert (table.questions, table.groups, table.note) == (2 * GROUPS, GROUPS, "")
    best = table.standings[0]
    assert best.low is not None and best.high is not None
    assert (round(best.low, 3), round(best.high, 3)) == (0.817, 0.967)


def test_the_order_of_submissions_changes_nothing(parts: Parts, tmp_path: Path) -> None:
    draw = random.Random(0)
    marks = [
        "".join(mark * 2 for mark in draw.choices("10?", (share, 1 - share, 0.01), k=GROUPS))
        for share in (0.9, 0.85, 0.6, 0.55, 0.5, 0.2)
    ]
    entries = [entry_of(tmp_path, f"system-{number}", each) for number, each in enumerate(marks)]
    first = tables_of(entries, parts)
    for _ in range(3):
        draw.shuffle(entries)
        assert tables_of(entries, parts) == first


def test_what_is_drawn_contradicts_nothing(parts: Parts, tmp_path: Path) -> None:
    draw = random.Random(1)
    entries = [
        entry_of(
            tmp_path,
            f"system-{number:02}",
            "".join(2 * ("1" if draw.random() < number / 24 else "0") for _ in range(GROUPS)),
        )
        for number in range(25)
    ]
    (table,) = tables_of(entries, parts)
    values = [each.value or 0.0 for each in table.standings]
    ranks = [each.ranks or (0, 0) for each in table.standings]
    assert values == sorted(values, reverse=True)
    better = {(one, two) for one, others in enumerate(table.separated) for two in others if values[one] > values[two]}
    assert len(better) > 100
    assert all((two in table.separated[one]) == (one in table.separated[two]) for one in range(25) for two in range(25))
    assert all((one, three) in better for one, two in better for other, three in better if two == other)
    for place, (low, high) in enumerate(ranks):
        assert low == 1 + sum(two == place for _, two in better)
        assert high == 25 - sum(one == place for one, _ in better)
        assert low <= place + 1 <= high


def test_copies_are_never_separated_whatever_they_left_undecided(parts: Parts, tmp_path: Path) -> None:
    draw = random.Random(2)
    entries = []
    for number in range(8):
        marks = draw.choices("10f", (number, 8 - number, 1), k=2 * GROUPS)
        marks[draw.randrange(len(marks))] = "?"
        entries += [entry_of(tmp_path, f"{name}-{number}", "".join(marks)) for name in ("copy", "system")]
    (table,) = tables_of(entries, parts)
    places = {each.verdict.system: place for place, each in enumerate(table.standings)}
    for number in range(8):
        one, two = places[f"system-{number}"], places[f"copy-{number}"]
        assert table.standings[one].ranks == table.standings[two].ranks
        assert table.separated[one] == table.separated[two] and one not in table.separated[two]
    assert len(set(table.separated)) > 4


def test_an_error_of_the_system_counts_as_wrong_and_abstaining_as_the_metric_says(parts: Parts, tmp_path: Path) -> None:
    entries = [
        entry_of(tmp_path, "honest", right(40)),
        entry_of(tmp_path, "fails", "11" * 40 + "f"),
        entry_of(tmp_path, "declines", "11" * 40 + "a"),
    ]
    (table,) = tables_of(entries, parts)
    assert shown(table) == [(slug, 0.6667, (1, 3), None) for slug in ("declines", "fails", "honest")]
    assert named(table, "fails").verdict.parts[0].failed == 40
    assert named(table, "declines").verdict.parts[0].abstained == 40


def test_who_leaves_questions_out_is_ranked_apart_with_its_coverage(parts: Parts, tmp_path: Path) -> None:
    (table,) = tables_of([entry_of(tmp_path, "whole", right(40)), entry_of(tmp_path, "picky", "1" * 60 + "m")], parts)
    assert shown(table) == [
        ("whole", 0.6667, (1, 1), None),
        ("picky", 1.0, None, "answers 60 of 120 questions"),
    ]
    assert [each.coverage for each in table.standings] == [1.0, 0.5]
    assert table.separated == ((),)


def test_what_is_undecided_separates_nobody_and_much_of_it_stands_apart(parts: Parts, tmp_path: Path) -> None:
    best = entry_of(tmp_path, "best", right(40))
    (table,) = tables_of([best, entry_of(tmp_path, "wrong", right(33))], parts)
    assert [each.ranks for each in table.standings] == [(1, 1), (2, 2)]
    unsure, vague = "11" * 33 + "0" * 52, "11" * 33 + "0" * 50
    entries = [best, entry_of(tmp_path, "unsure", unsure + "??"), entry_of(tmp_path, "vague", vague + "????")]
    (table,) = tables_of(entries, parts)
    assert shown(table) == [
        ("best", 0.6667, (1, 2), None),
        ("unsure", 0.55, (1, 2), None),
        ("vague", 0.55, None, "4 answers could not be decided"),
    ]
    assert [each.undecided for each in table.standings] == [0, 2, 4]


def test_judges_never_stand_in_one_table(parts: Parts, tmp_path: Path) -> None:
    entries = [
        entry_of(tmp_path, "by-rule", right(40)),
        entry_of(tmp_path, "by-wise", marks_of("j" * 80 + "0")),
        entry_of(tmp_path, "by-wiser", marks_of("k" * 120)),
        entry_of(tmp_path, "by-wise-alone", marks_of("j")),
    ]
    tables = tables_of(entries, parts)
    assert [(table.judge, [each.verdict.system for each in table.standings]) for table in tables] == [
        (None, ["by-rule"]),
        ("model wise 1", ["by-wise-alone"]),
        ("model wise 1 + rules", ["by-wise"]),
        ("model wiser 2", ["by-wiser"]),
    ]
    tables = tables_of(entries, parts, judges={"correct": "model wiser 2"})
    assert [(table.judge, table.standings[0].apart) for table in tables] == [
        (None, None),
        ("model wiser 2", None),
        ("model wise 1", "judged by model wise 1, not by model wiser 2"),
        ("model wise 1 + rules", "judged by model wise 1 + rules, not by model wiser 2"),
    ]


def test_who_was_judged_is_ranked_by_rules_too(parts: Parts, tmp_path: Path) -> None:
    entry = entry_of(tmp_path, "both", right(30))
    verdicts = [row for row in score_rows(marks_of("j" * 80 + "0")) if row[-1] is not None]
    write_scores_file(entry.scores["test"], [*score_rows(right(30)), *verdicts])
    (part,) = entry.verdict.parts
    judged = Figure(0.7, None, None, 120, 120, "claimed", judge="model wise 1")
    part = replace(part, figures={**part.figures, figure_name("correct", "model wise 1"): judged})
    entry = replace(entry, verdict=replace(entry.verdict, parts=(part,)))
    tables = tables_of([entry, entry_of(tmp_path, "plain", right(30))], parts)
    assert [(table.judge, shown(table)) for table in tables] == [
        (None, [("both", 0.5, (1, 2), None), ("plain", 0.5, (1, 2), None)]),
        ("model wise 1 + rules", [("both", 0.6667, (1, 1), None)]),
    ]
    assert [table_figure(table, table.standings[0]) for table in tables] == [part.figures["correct"], judged]


def test_what_is_only_claimed_has_no_rank(parts: Parts, tmp_path: Path) -> None:
    entry = entry_of(tmp_path, "private", "1")
    (part,) = entry.verdict.parts
    claimed = replace(part, figures={"correct": replace(part.figures["correct"], value=0.9, mark="claimed")})
    entry = replace(entry, verdict=replace(entry.verdict, parts=(claimed,)))
    (table,) = tables_of([entry], parts)
    apart = "as its submitter says: without contexts nobody can compute it again"
    assert shown(table) == [("private", 0.9, None, apart)]


def test_what_a_question_lacks_is_left_out_for_all_unless_a_judge_says_so(parts: Parts, tmp_path: Path) -> None:
    (table,) = tables_of([entry_of(tmp_path, "one", "gg" + "11" * 59), entry_of(tmp_path, "two", "0")], parts)
    assert (table.questions, table.groups) == (118, 59)
    assert table.note == "2 questions that correct cannot score are left out for all."
    (table,) = tables_of([entry_of(tmp_path, "sly", "GG" + "j" * 118)], parts)
    assert (table.questions, named(table, "sly").undecided) == (120, 2)


def test_known_gaps_do_not_rank(tmp_path: Path) -> None:
    parts = parts_of(board_release(tmp_path, gaps=10))
    (table,) = tables_of([entry_of(tmp_path, "one", right(50))], parts)
    assert (table.questions, shown(table)) == (100, [("one", 1.0, (1, 1), None)])
    assert table.note == "20 questions without an answer in the documents do not count in correct."


def test_versions_never_stand_in_one_table_and_the_newest_is_first(parts: Parts, tmp_path: Path) -> None:
    entries = [
        entry_of(tmp_path, "old", right(40)),
        entry_of(tmp_path, "new", right(30), version="1.10.0"),
        replace(
            entry_of(tmp_path, "refused", right(60)),
            verdict=replace(entry_of(tmp_path, "refused", "1").verdict, accepted=False),
        ),
    ]
    found = make_standings(
        "somebody/board", BOARD, entries, {KEY: parts, ("firms", "1.10.0"): parts, ("firms", "1.9.0"): parts}
    )
    assert [(table.version, [each.verdict.system for each in table.standings]) for table in found.tables] == [
        ("1.10.0", ["new"]),
        ("1.9.0", []),
        ("1.0.0", ["old"]),
    ]
    assert tables_of(entries, parts, versions=("2.0.0",)) == ()


def test_repeats_are_averaged(parts: Parts, tmp_path: Path) -> None:
    entry = entry_of(tmp_path, "twice", "1")
    rows = [*score_rows(marks_of("1")), *score_rows(marks_of("10" + "f"), repeat=1)]
    write_scores_file(entry.scores["test"], rows)
    (table,) = tables_of([entry], parts)
    assert table.standings[0].value == pytest.approx((1 + 119 * 0.5) / 120)


def test_submissions_without_scores_of_their_own_stand_apart(parts: Parts, tmp_path: Path) -> None:
    lost = replace(entry_of(tmp_path, "lost", right(40)), scores={})
    unscored = entry_of(tmp_path, "unscored", "1")
    write_scores_file(unscored.scores["test"], score_rows(marks_of("1"), "exact_match"))
    (table,) = tables_of([lost, unscored], parts)
    assert shown(table) == [
        ("unscored", 1.0, None, "correct could not be computed from what was handed in"),
        ("lost", 0.6667, None, "its scores are not here"),
    ]


def test_texts_that_rules_wrote_are_noted(parts: Parts, tmp_path: Path) -> None:
    (table,) = tables_of([entry_of(tmp_path, "one", "10", built_in_texts=("wordings", "documents"))], parts)
    assert table.note == "Built-in: rules wrote the wordings and documents of this benchmark, for trying things out."


def test_scores_by_other_versions_are_noted(parts: Parts, tmp_path: Path) -> None:
    entries = [entry_of(tmp_path, "one", "1"), entry_of(tmp_path, "two", "1", scored_by="0.9.0")]
    (table,) = tables_of(entries, parts)
    assert table.note == "Scored by different versions of benchwright (0.9.0 and 1.0.0): publish-leaderboard --rescore."


def test_held_out_questions_are_not_ranked_before_they_are_scored(parts: Parts, tmp_path: Path) -> None:
    there = parts["test"]
    held = {**parts, "heldout": PartQuestions(there.release, "heldout", there.questions, has_gold=False)}
    entry = entry_of(tmp_path, "one", "1", split="heldout")
    table = tables_of([entry], held)[1]
    apart = "the answers to these questions are not public, and were not scored yet"
    assert (table.part, shown(table)) == ("heldout", [("one", None, None, apart)])
    scored = replace(entry, scores={"heldout": entry.scores["test"]})
    table = tables_of([scored], {**parts, "heldout": there})[1]
    assert shown(table) == [("one", 1.0, (1, 1), None)]


def test_the_frontier_is_of_the_ranked(parts: Parts, tmp_path: Path) -> None:
    entries = [
        entry_of(tmp_path, "dear", right(50), costs=Costs(cost=1.0, input_tokens=10)),
        entry_of(tmp_path, "cheap", right(20), costs=Costs(cost=0.1, input_tokens=5, output_tokens=6)),
        entry_of(tmp_path, "as-cheap", right(20), costs=Costs(cost=0.1)),
        entry_of(tmp_path, "beaten", right(20), costs=Costs(cost=0.2)),
        entry_of(tmp_path, "silent", right(10)),
        entry_of(tmp_path, "useless", "0", costs=Costs(cost=0.01)),
        entry_of(tmp_path, "picky", "1" * 60 + "m", costs=Costs(cost=0.0)),
    ]
    (table,) = tables_of(entries, parts)
    assert {each.verdict.system: dict(each.is_on_frontier) for each in table.standings} == {
        "dear": {"tokens": True, "cost": True},
        "cheap": {"tokens": False, "cost": True},
        "as-cheap": {"cost": True},
        "beaten": {"cost": False},
        "silent": {},
        "useless": {"cost": False},
        "picky": {"cost": False},
    }


def test_the_metric_is_the_boards_else_the_benchmarks(parts: Parts, tmp_path: Path) -> None:
    board = replace(BOARD, benchmarks={"firms": BoardBenchmark("somebody/firms")})
    found = make_standings("somebody/board", board, [entry_of(tmp_path, "one", "1")], {KEY: parts})
    assert found.tables[0].metric == "correct"
