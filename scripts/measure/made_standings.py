"""A leaderboard of made-up systems: for measuring and testing what draws one. Nothing in it was scored."""

import math
import random
from dataclasses import replace

from benchwright.benchmarks.leaderboards.board import Board, BoardBenchmark
from benchwright.benchmarks.leaderboards.details import Slice, SystemDetails, WorstGroup
from benchwright.benchmarks.leaderboards.frontier import COST_COLUMNS
from benchwright.benchmarks.leaderboards.layout import Place
from benchwright.benchmarks.leaderboards.standings import Move, Standing, Standings, Table
from benchwright.benchmarks.leaderboards.system_file import OPENNESS, SystemFile, SystemModel
from benchwright.benchmarks.leaderboards.verdict import Costs, Figure, Part, Verdict

_FORMS = ("casual", "directive", "formal", "interrogative", "long", "short")
_WORDS = (
    "amber",
    "birch",
    "cedar",
    "delta",
    "ember",
    "fjord",
    "grove",
    "heron",
    "inlet",
    "juniper",
    "kestrel",
    "larch",
)
_METRICS = (
    "correct",
    "exact_match",
    "contains",
    "token_f1",
    "evidence_recall",
    "ndcg_at_10",
    "abstention",
    "citations",
)
_QUESTIONS, _GROUPS = 4_000, 800
_HALF = 0.018
"""Of an interval; two systems whose values differ by more than three of it are separated."""


def made_standings(
    systems: int, older: int | None = None, seed: int = 1
) -> tuple[Standings, dict[Place, SystemDetails]]:
    """Two versions of one benchmark, open and held-out questions, with so many systems in all.

    Args:
        systems: How many.
        older: Those of the older version; None: a fourth.
        seed: Of what is drawn.
    """
    draw = random.Random(seed)
    older = systems // 4 if older is None else older
    tables, details = [], {}
    for version, number in (("1.1.0", systems - older), ("1.0.0", older)):
        made = [_system(draw, version, at) for at in range(number)]
        tables += [_table(draw, version, part, made) for part in ("test", "heldout") if made]
        details |= {Place("aurp", version, one.verdict.system): _details(draw, one) for one in made}
    board = Board("RAG on Aurp", {"aurp": BoardBenchmark("example/aurp")}, ("keeper",), "keeper@example.org")
    return Standings("example/rag-leaderboard", board, tuple(tables), "0.1.0", _moves(tables)), details


def _system(draw: random.Random, version: str, at: int) -> Standing:
    name = f"{draw.choice(_WORDS)} {draw.choice(_WORDS)} {at}"
    asks = draw.random() < 0.9
    system = SystemFile(
        name=name.title(),
        authors=(f"Author {at}", "Someone Else"),
        openness=draw.choice(OPENNESS),
        retriever=draw.choice(("BM25", "dense, 768 dimensions", "BM25 and a re-ranker", "none")),
        models=(SystemModel("answers", f"{draw.choice(_WORDS)}-{draw.choice((3, 8, 32, 70))}b"),) if asks else (),
        licence="Apache-2.0",
        link=f"https://example.org/{at}",
        organisation=f"{draw.choice(_WORDS).title()} Labs" if draw.random() < 0.5 else None,
        builders_took_part=draw.random() < 0.02,
        description="Retrieves passages, orders them anew, and asks a model to answer from the first five.",
    )
    answered = _QUESTIONS if draw.random() < 0.94 else draw.randrange(2_000, 3_990)
    parts = tuple(
        Part(split, asked, said, said // draw.randrange(8, 30), draw.randrange(0, 40), asked - said, {})
        for split, asked, said in (("test", _QUESTIONS, answered), ("heldout", 1_000, answered // 4))
    )
    verdict = Verdict(
        "aurp", version, name.replace(" ", "-"), "0" * 64, f"user-{draw.randrange(200)}", at + 1, f"{at:040x}",
        f"2026-11-{1 + at % 28:02}T12:00:00Z", True, is_organisers=draw.random() < 0.04, parts=parts,
        flags=("Its answers are those of another submission.",) if draw.random() < 0.01 else (),
        has_contexts=draw.random() < 0.8, scored_by="0.1.0",
    )  # fmt: skip
    value = min(0.97, max(0.02, draw.gauss(0.55, 0.18)))
    costs = _costs(draw, value) if asks else Costs(latency=draw.lognormvariate(-4, 0.5))
    apart = None if answered == _QUESTIONS else f"it answered {100 * answered / _QUESTIONS:.1f} % of the questions"
    return Standing(
        system, verdict, value, value - _HALF, value + _HALF, None, apart, answered / _QUESTIONS, {}, costs, {}
    )


def _costs(draw: random.Random, value: float) -> Costs:
    dollars = math.exp(draw.gauss(-7 + 4 * value, 0.9)) if draw.random() < 0.8 else None
    return Costs(
        round(draw.lognormvariate(7, 0.6)),
        round(draw.lognormvariate(4, 0.6)),
        dollars,
        draw.lognormvariate(0.4, 0.7),
        draw.choice((1, 1, 3)),
    )


def _table(draw: random.Random, version: str, part: str, made: list[Standing]) -> Table:
    shift = 0.0 if part == "test" else -0.02
    found = [_moved(draw, one, shift) for one in made]
    ranked = sorted((one for one in found if one.apart is None), key=lambda one: -(one.value or 0))
    values = [one.value or 0.0 for one in ranked]
    separated = [[at for at, each in enumerate(values) if abs(each - own) > 3 * _HALF] for own in values]
    ranked = [
        replace(
            one,
            ranks=(1 + sum(at < place for at in others), len(values) - sum(at > place for at in others)),
            is_on_frontier={name: _is_best(ranked, one, name) for name in COST_COLUMNS},
        )
        for place, (one, others) in enumerate(zip(ranked, separated, strict=True))
    ]
    apart = [one for one in found if one.apart is not None]
    asked, groups = (_QUESTIONS, _GROUPS) if part == "test" else (1_000, 200)
    return Table(
        "aurp", version, part, "correct", None, True, asked, groups, (*ranked, *apart), tuple(map(tuple, separated))
    )


def _moved(draw: random.Random, one: Standing, shift: float) -> Standing:
    value = min(0.98, max(0.01, (one.value or 0) + shift + (draw.gauss(0, 0.01) if shift else 0)))
    half = _HALF * (2 if shift else 1)
    low, high = max(0.0, value - half), min(1.0, value + half)
    figures = {
        name: Figure(
            value * (1 - place / 20), low * (1 - place / 20), high * (1 - place / 20), 4_000, 4_000, "verified", value
        )
        for place, name in enumerate(_METRICS)
    }
    return replace(one, value=value, low=low, high=high, figures=figures)


def _is_best(ranked: list[Standing], one: Standing, cost: str) -> bool:
    paid = COST_COLUMNS[cost](one.costs)
    return paid is not None and not any(
        (other_paid := COST_COLUMNS[cost](other.costs)) is not None
        and other_paid <= paid
        and (other.value or 0) >= (one.value or 0)
        for other in ranked
        if other is not one
    )


def _details(draw: random.Random, one: Standing) -> SystemDetails:
    """Texts as long as they are kept at most, as good as random, so that packing gains little."""
    value = one.value or 0.0
    columns = (
        ("form", _FORMS),
        ("kind", ("lookup", "count", "compare", "list")),
        ("hops", ("1", "2", "3")),
        ("answerability", ("answerable", "gap")),
    )
    slices = tuple(
        Slice(
            column,
            each,
            4_000 // len(values),
            mean := min(1.0, max(0.0, draw.gauss(value, 0.08))),
            max(0.0, mean - 0.04),
            min(1.0, mean + 0.04),
        )
        for column, values in columns
        for each in values
    )
    worst = tuple(
        WorstGroup(
            0.0 if at < 4 else 0.25,
            6,
            f"{_sentence(draw, 14)}?",
            _sentence(draw, 3),
            _sentence(draw, 12) if at % 3 else None,
        )
        for at in range(6)
    )
    return SystemDetails("correct", slices, worst, _GROUPS, round(_GROUPS * (1 - value) / 2))


def _sentence(draw: random.Random, words: int) -> str:
    return " ".join(f"{draw.choice(_WORDS)}{draw.randrange(1000)}" for _ in range(words)).capitalize()


def _moves(tables: list[Table]) -> tuple[Move, ...]:
    if not tables:
        return ()
    first = tables[0].standings
    return tuple(
        Move(
            "2026-11-20T09:00:00Z",
            "aurp",
            one.verdict.version,
            "test",
            "correct",
            one.verdict.system,
            (one.value or 0) - 0.01,
            one.value,
            (3, 9),
            one.ranks,
            "correct 3 reads numbers in words",
        )
        for one in first[:5]
    )
