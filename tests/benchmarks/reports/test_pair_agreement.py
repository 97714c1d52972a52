"""Agreement with people on pairs by hand: preferences, ties, what is unscored, both protocols, clusters, Table 1."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from built import Built
from pairs import label, make_release, pairs

from benchwright.benchmarks.metrics import Metric, Score, find_metric
from benchwright.benchmarks.metrics.base import each, unscored
from benchwright.benchmarks.releases.pairs import COLUMNS, Choice, LabelledPair, LabelledPairs, Pair
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.blocks import Details, Listing, Table
from benchwright.benchmarks.reports.pairs.agreement import PairAgreement, PairRatings, rate_pairs
from benchwright.benchmarks.reports.pairs.blocks import brief, parts_of, table_one
from benchwright.benchmarks.runs.pairs.candidates import PairsOfRelease, orders
from benchwright.benchmarks.runs.pairs.scoring import CandidateScore
from benchwright.benchmarks.types import Dimension

F: Choice = "first"
S: Choice = "second"
T: Choice = "tie"
NONE = None
WEIGHT = Metric("weight", "of a test", "none", "nobody", frozenset({"answer"}), rule=each(lambda *_: Score(1.0)))
LIGHTNESS = replace(WEIGHT, name="lightness", higher_is_better=False)
RANKING = find_metric("gpt_ranking_faithfulness")
Values = Sequence[tuple[float | str | None, float | str | None]]


BOTH = replace(WEIGHT, needs=frozenset({"answer", "contexts"}))


def firsts(number: int) -> list[Choice | None]:
    """People chose the first candidate each time."""
    return ["first"] * number


@pytest.fixture(scope="session")
def release(built: Built) -> Release:
    """Pairs without labels."""
    return Release.load(built.folder("pairs", lambda folder: _make(folder)) / "mills/1.0.0")


def _make(folder: Path) -> None:
    make_release(folder, pairs())


@dataclass(frozen=True)
class Said:
    """Pairs that people chose from, in one dimension."""

    release: Release
    choices: Sequence[Choice | None]
    dimension: Dimension = "faithfulness"
    questions: Sequence[str] = ()

    @property
    def pairs(self) -> PairsOfRelease:
        """With a question for each, unless some are shared."""
        rows = [
            Pair(f"p{place}", self.questions[place] if self.questions else f"Question {place}?", "s", "a", "u", "p",
                 ("c",), ("d",))
            for place in range(len(self.choices))
        ]  # fmt: skip
        labelled = [LabelledPair(pair, self.dimension, choice) for pair, choice in zip(rows, self.choices, strict=True)]
        return PairsOfRelease(self.release, LabelledPairs("test", rows, labelled, "labels", {}))

    def rate(self, metric: Metric, values: Values, coin: int | None = None) -> PairRatings:
        """A metric that gave both candidates, or both orders, these values, or why it gave none."""
        found = self.pairs
        scores = {}
        for one, said in zip(found.found.labelled, values, strict=True):
            names = COLUMNS[self.dimension] if metric.compared is None else orders(one)
            for name, value in zip(names, said, strict=True):
                if value is not None:
                    score = unscored(value) if isinstance(value, str) else Score(float(value))
                    scores[metric.name, one.pair.id, name] = CandidateScore(score, "m")
        return rate_pairs(found, [metric], scores, coin)

    def cell(self, metric: Metric, values: Values, coin: int | None = None, row: int = 0) -> PairAgreement:
        """The figure of the dimension."""
        return self.rate(metric, values, coin).rows[row].cells[self.dimension]


def figures(cell: PairAgreement) -> tuple[float | None, int, int, int]:
    return (None if cell.value is None else round(cell.value, 4), cell.agreed, cell.ties, len(cell.against))


@pytest.mark.parametrize(
    ("choices", "values", "expected"),
    [
        ([F, F, F, F], [(1, 0), (0.9, 0.1), (0.6, 0.5), (0, 1)], (0.75, 3, 0, 1)),
        ([F, F], [(1, 0), (1, 0)], (1.0, 2, 0, 0)),
        ([S, S], [(1, 0), (1, 0)], (0.0, 0, 0, 2)),
        ([F, S, F, S], [(1, 0), (0, 1), (0, 1), (1, 0)], (0.5, 2, 0, 2)),
        ([F, F, F, F], [(1, 1), (0, 0), (0.5, 0.5), (1, 0)], (0.625, 1, 3, 0)),
        ([S, S, S], [(0.2, 0.2), (0, 1), (1, 0)], (0.5, 1, 1, 1)),
        ([F], [(0.3, 0.1 + 0.2)], (0.5, 0, 1, 0)),
        ([F, T, NONE, S], [(1, 0), (1, 0), (1, 0), (0, 1)], (1.0, 2, 0, 0)),
        ([F, F, F], [(1, 0), ("no statement", 1), (1, "no statement")], (1.0, 1, 0, 0)),
        ([F, F], [("a", 1), (None, 0)], (None, 0, 0, 0)),
        ([F] * 9 + [S], [(1, 0)] * 10, (0.9, 9, 0, 1)),
        ([F, F, F, F, F], [(1, 0), (1, 0), (1, 0), (1, 1), (0, 1)], (0.7, 3, 1, 1)),
    ],
)
def test_agreement_by_hand(
    release: Release, choices: Sequence[Choice | None], values: Values, expected: tuple[float | None, int, int, int]
) -> None:
    cell = Said(release, choices).cell(WEIGHT, values)
    assert figures(cell) == expected
    assert cell.pairs == expected[1] + expected[2] + expected[3]
    turned = Said(release, choices).cell(LIGHTNESS, values)
    assert (turned.agreed, turned.ties, len(turned.against)) == (expected[3], expected[2], expected[1])


def test_what_is_unscored_is_listed_by_reason_and_not_wrong(release: Release) -> None:
    values: Values = [(1, 0), ("it says nothing", 1), (1, "it says nothing"), (None, 1), ("it says nothing", 0)]
    cell = Said(release, firsts(5)).cell(WEIGHT, values)
    assert (cell.value, cell.pairs) == (1.0, 1)
    assert cell.unscored == {
        "answer: it says nothing": 2,
        "ungrounded_answer: it says nothing": 1,
        "answer: it was not judged": 1,
    }
    assert cell.judges == {"m": 6}


def test_a_candidate_that_is_empty_is_unscored(release: Release) -> None:
    said = Said(release, firsts(2), "context_relevance")
    found = said.pairs.found
    empty = replace(found.labelled[1], pair=replace(found.pairs[1], context_v2=(" ", "")))
    pairs_of = PairsOfRelease(release, replace(found, labelled=[found.labelled[0], empty]))
    scores = {
        (BOTH.name, pair, column): CandidateScore(Score(float(column == "context_v1")), "m")
        for pair in ("p0", "p1")
        for column in ("context_v1", "context_v2")
    }
    assert not rate_pairs(pairs_of, [WEIGHT], {}).rows, "it reads no contexts"
    cell = rate_pairs(pairs_of, [BOTH], scores).rows[0].cells["context_relevance"]
    assert (cell.pairs, cell.unscored) == (1, {"context_v2 is empty": 1})
    assert [task.key[0] for task in pairs_of.asked([BOTH])] == ["p0", "p0"], "nothing is asked of it"


def test_a_coin_breaks_ties_the_same_each_time(release: Release) -> None:
    said = Said(release, firsts(40))
    ties: Values = [(1, 1)] * 40
    half, one, other = (said.cell(WEIGHT, ties, coin) for coin in (None, 1, 2))
    assert half.value == 0.5 and half.ties == one.ties == 40
    assert one == said.cell(WEIGHT, ties, 1) and one.value is not None and 0.25 < one.value < 0.75
    assert {round(40 * (said.cell(WEIGHT, ties, seed).value or 0), 6) % 1 for seed in range(5)} == {0.0}
    drawn = [said.cell(WEIGHT, ties, seed).value for seed in range(20)]
    assert len(set(drawn)) > 3 and other.value in drawn
    settled: Values = [(1, 0)] * 40
    assert said.cell(WEIGHT, settled, 1) == said.cell(WEIGHT, settled)


def test_intervals_are_of_questions_not_of_pairs(release: Release) -> None:
    choices, values = firsts(12), [(1, 0)] * 9 + [(0, 1)] * 3
    alone = Said(release, choices).cell(WEIGHT, values)
    shared = Said(release, choices, questions=[f"Question {place // 3}? " for place in range(12)]).cell(WEIGHT, values)
    one = Said(release, choices, questions=["Which?", " which? "] * 6).cell(WEIGHT, values)
    assert alone.value == shared.value == one.value == 0.75
    assert alone.low is not None and shared.low is not None and alone.high is not None and shared.high is not None
    assert shared.high - shared.low > alone.high - alone.low > 0.3
    assert (one.low, one.high) == (None, None), "one question cannot tell"


@pytest.mark.parametrize(
    ("choices", "chosen", "one", "both"),
    [
        ([F, F, F, F], "aaaa", (1.0, 4, 0, 0), (1.0, 4, 0, 0)),
        ([S, S, F, F], "aaaa", (0.5, 2, 0, 2), (0.5, 2, 0, 2)),
        ([F, S], "ab", (1.0, 2, 0, 0), (1.0, 2, 0, 0)),
        ([F, F, F], "abb", (0.3333, 1, 0, 2), (0.3333, 1, 0, 2)),
        ([F] * 8, "1" * 8, None, (0.5, 0, 8, 0)),
        ([F] * 8, "2" * 8, None, (0.5, 0, 8, 0)),
        ([F, S, F, S], "1111", None, (0.5, 0, 4, 0)),
        ([F, F, F, F], "aa12", None, (0.75, 2, 2, 0)),
        ([F, F, F, F], "ab1b", None, (0.375, 1, 1, 2)),
        ([S, S, S], "b21", None, (0.6667, 1, 2, 0)),
        ([F, S, F, S, F], "ba12a", None, (0.4, 1, 2, 2)),
    ],
)
def test_both_protocols_by_hand(
    release: Release, choices: Sequence[Choice], chosen: str, one: tuple[float, int, int, int] | None,
    both: tuple[float, int, int, int],
) -> None:  # fmt: skip
    """Of each pair the judge chooses one candidate in both orders, a or b, or what is shown first or second."""
    said = Said(release, choices)
    values: list[tuple[float, float]] = []
    for each_pair, way in zip(said.pairs.found.labelled, chosen, strict=True):
        starts = [float(order.startswith("answer ")) for order in orders(each_pair)]
        ways = {"a": starts, "b": [1 - start for start in starts], "1": [1.0, 1.0], "2": [0.0, 0.0]}
        values.append((ways[way][0], ways[way][1]))
    rated = said.rate(RANKING, values)
    assert [row.protocol for row in rated.rows] == ["one order", "both orders"]
    cells = [row.cells["faithfulness"] for row in rated.rows]
    assert figures(cells[1]) == both
    if one is not None:
        assert figures(cells[0]) == one
    else:
        assert cells[0].ties == 0, "in one order there is no tie"
    (place,) = rated.position
    by_place = chosen.count("1") + chosen.count("2")
    assert place.first.value == pytest.approx(sum({"1": 2, "2": 0}.get(way, 1) for way in chosen) / 2 / len(chosen))
    assert place.inconsistent.value == pytest.approx(by_place / len(chosen))
    assert place.inconsistent.total == len(choices) and place.first.total == 2 * len(choices)


def test_one_order_alone_is_used_where_the_other_has_no_reply(release: Release) -> None:
    said = Said(release, firsts(3))
    values: list[tuple[float | str, float | str]] = []
    for each_pair in said.pairs.found.labelled:
        right = float(orders(each_pair)[0].startswith("answer "))
        values.append((right, 1 - right))
    values[1] = values[1][0], "refusal: no"
    values[2] = "refusal: no", values[2][1]
    rated = said.rate(RANKING, values)
    one, both = (row.cells["faithfulness"] for row in rated.rows)
    assert (one.value, one.pairs, one.unscored) == (1.0, 2, {"refusal: no": 1})
    assert (both.value, both.pairs, both.unscored) == (1.0, 1, {"refusal: no": 2})
    assert rated.position[0].inconsistent.total == 1


def test_the_order_that_is_shown_alone_is_drawn_for_each_pair(release: Release) -> None:
    drawn = [orders(each_pair) for each_pair in Said(release, firsts(200)).pairs.found.labelled]
    starts = sum(order.startswith("answer ") for order, _ in drawn)
    assert 70 < starts < 130 and all({*both} == {*drawn[0]} for both in drawn)


def test_metrics_of_a_dimension_are_tried_on_it_alone_and_share_a_row(release: Release) -> None:
    rows = [
        LabelledPair(pair, dimension, "first")
        for dimension in COLUMNS
        for pair in Said(release, firsts(2)).pairs.found.pairs
    ]
    found = replace(Said(release, firsts(2)).pairs.found, labelled=rows)
    pairs_of = PairsOfRelease(release, found)
    names = ("faithfulness", "answer_relevance", "context_relevance")
    metrics = [BOTH, *(replace(WEIGHT, name=name) for name in names),
               *(find_metric(f"{kind}_{name}") for name in names for kind in ("gpt_score", "gpt_ranking"))]  # fmt: skip
    rated = rate_pairs(pairs_of, metrics, {})
    assert [(row.name, row.protocol, [cell.metric for cell in row.cells.values()]) for row in rated.rows] == [
        ("weight", "scores", ["weight"] * 3),
        ("ragas", "scores", list(names)),
        ("gpt_score", "scores", [f"gpt_score_{name}" for name in names]),
        ("gpt_ranking", "one order", [f"gpt_ranking_{name}" for name in names]),
        ("gpt_ranking", "both orders", [f"gpt_ranking_{name}" for name in names]),
    ]
    asked = [(task.candidate, [metric.name for metric in task.metrics]) for task in pairs_of.asked(metrics[1:])]
    of_one = [each_asked for place, each_asked in enumerate(asked) if asked.index(each_asked) == place]
    assert (
        "answer",
        ["faithfulness", "gpt_score_faithfulness", "answer_relevance", "gpt_score_answer_relevance"],
    ) in of_one
    assert ("context_v2", ["context_relevance", "gpt_score_context_relevance"]) in of_one
    assert ("answer before poor_answer", ["gpt_ranking_answer_relevance"]) in of_one
    assert len(asked) == 2 * (5 + 6)


def test_people_among_themselves_by_hand(tmp_path: Path) -> None:
    rows = pairs(10)
    given = [
        label(row["id"], "faithfulness", "second" if place == 9 else "first", "Ann") for place, row in enumerate(rows)
    ]
    given += [
        label(row["id"], "faithfulness", "second" if place > 7 else "first", "Ben") for place, row in enumerate(rows)
    ]
    given.append(label(rows[8]["id"], "faithfulness", "first", None, resolved=True))
    from benchwright.benchmarks.releases.pairs import read_pairs

    release = make_release(tmp_path, rows, given)
    found = PairsOfRelease(release, read_pairs(release))
    said = rate_pairs(found, [WEIGHT], {}).labels["faithfulness"]
    assert (said.first, said.second, said.divided, said.resolved) == (9, 1, 0, 1)
    among = said.agreement
    assert (among.same.count, among.same.total, among.share) == (9, 10, pytest.approx(0.9))
    assert among.kappa is not None and among.kappa.value == pytest.approx((0.9 - 0.74) / (1 - 0.74))
    assert among.kappa_unordered is not None and among.kappa_unordered.value == pytest.approx((0.9 - 0.5) / 0.5)
    assert said.annotators == {"Ann": 10, "Ben": 10}


def cells_of(table: Table) -> list[list[str]]:
    def text(cell: object) -> str:
        return "".join(map(text, cell)) if isinstance(cell, tuple) else getattr(cell, "text", str(cell))

    return [[text(cell) for cell in row] for row in table.rows]


def test_table_one_has_metrics_in_rows_and_dimensions_in_columns(release: Release) -> None:
    rated = Said(release, firsts(4)).rate(RANKING, [(1, 1)] * 4)
    table = table_one(rated)
    assert [column.name for column in table.columns] == ["metric", "faithfulness", "scored by"]
    assert [row[0] for row in cells_of(table)] == ["gpt_ranking, one order", "gpt_ranking, both orders"]
    assert cells_of(table)[1][1].startswith("0.50 (0.") and cells_of(table)[1][2] == "m"
    assert [part.id for part in parts_of(rated)] == ["agreement", "chance", "counts", "against", "position", "people"]
    said: Mapping[str, object] = {part.id: part.blocks[0] for part in parts_of(rated)}
    counts, position = said["counts"], said["position"]
    assert isinstance(counts, Table) and isinstance(position, Table)
    assert cells_of(counts)[1][:5] == ["gpt_ranking, both orders", "faithfulness", "4", "0", "4"]
    assert cells_of(position)[0][1].startswith("100.0 %") and cells_of(position)[0][2].startswith("100.0 %")
    assert any(isinstance(block, Table) for block in brief(rated))
    wrong = Said(release, firsts(30)).rate(WEIGHT, [(0, 1)] * 30)
    (listed,) = next(part.blocks for part in parts_of(wrong) if part.id == "against")
    assert isinstance(listed, Details) and isinstance(listed.blocks[0], Listing) and len(listed.blocks[0].items) == 20
    assert wrong.questions["p29"] == "Question 29?"
    nothing = Said(release, [F, T, NONE]).rate(WEIGHT, [("why not", 1), (1, 0), (1, 0)])
    assert cells_of(table_one(nothing))[0] == ["weight", "–", "m"]
