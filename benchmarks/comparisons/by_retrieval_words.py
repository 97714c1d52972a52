"""Tables 1 to 4 of the paper on RAG metrics in the telecom domain, for any runs, in words and blocks."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from benchwright.benchmarks.comparisons.believed import BelievedRun
from benchwright.benchmarks.comparisons.by_retrieval import (
    NOT_SCORED,
    ByRetrieval,
    MetricsOfRun,
    RunAgainstBaseline,
)
from benchwright.benchmarks.comparisons.by_retrieval_tables import (
    ALIKE,
    MOST,
    NAME,
    TOO_FEW,
    Row,
    narrow_against,
    narrow_split,
    wide_against,
    wide_split,
    words,
)
from benchwright.benchmarks.comparisons.retriever_blocks import difference_blocks
from benchwright.benchmarks.comparisons.retrievers import RetrieverOfRun
from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.judgments import COMPUTED
from benchwright.benchmarks.metrics import find_metric
from benchwright.benchmarks.reports.blocks import (
    Block,
    Column,
    Inline,
    Listing,
    Section,
    Table,
    Text,
    foreign,
    missing,
    soft,
)
from benchwright.benchmarks.reports.format import NONE, count, figure, number_of, p_value, percent, reasons
from benchwright.benchmarks.reports.metrics.retriever_accuracy import CUTS
from benchwright.benchmarks.reports.metrics.scale import ABOVE, BELOW
from benchwright.benchmarks.reports.sections.retriever import what_counts
from benchwright.benchmarks.statistics.reliability import LEAST_CLUSTERS, Proportion

_LEVEL = 0.05
METHOD_SPLIT = (
    "Both tests are one-sided, that a metric is larger where retrieval was right. Welch's t-test, as papers test, "
    "takes answers of one semantic group to be independent; the test by group does not, is corrected for the number of "
    f"metrics (Holm), and takes {LEAST_CLUSTERS} groups in each part. “{TOO_FEW}”: there are fewer, or for a t-test "
    f"fewer than two answers; “{ALIKE}”: no score differs within either part. Standard deviations are of n - 1."
)
METHOD_AGAINST = (
    "Each system retrieves rightly for other questions, so the t-test, two-sided as in the paper, is of different "
    "answers. Beside it stands the mean difference over the questions that belong to the part in both runs, by sign "
    "flips of whole semantic groups, corrected for the number of tests of a run (Holm)."
)
METHOD_BELIEVED = (
    f"High is above {ABOVE:g} of a metric's range, low below {BELOW:g}; a score just there is neither. Right when high "
    "is equation 1 of the paper, P(right | high), and wrong when low is equation 2, P(wrong | low); “both” is of "
    "answers whose scores are high, or low, by both. Intervals are by semantic group, as is p: two-sided, by "
    "permutation, corrected for the number of tests (Holm)."
)


def by_retrieval_sections(found: ByRetrieval) -> tuple[Section, ...]:
    """A section for each table, with what a terminal shows of it."""
    notes = [Text(foreign(f"{note[:1].upper()}{note[1:]}.", 400), "notice") for note in found.notes]
    made = (
        ("retrievers", "Table 1: retrievers", [*notes, *_table1(found)], None),
        ("metrics", "Table 2: metrics by retrieval", _table2(found, wide_split), _table2(found, narrow_split)),
        ("baseline", "Table 3: against a baseline", _table3(found, wide_against), _table3(found, narrow_against)),
        ("people", "Table 4: beside people", _table4(found), None),
    )
    sections = []
    for name, title, content, brief in made:
        blocks = (*content, *_beyond(found))
        shown = blocks if brief is None else (*brief, *_beyond(found))
        sections.append(Section(name, title, blocks, (Text(title, "heading"), *shown)))
    return tuple(sections)


def _beyond(found: ByRetrieval) -> Iterator[Block]:
    if len(found.runs) > MOST:
        yield Text(f"The first {MOST} of {count(len(found.runs))} runs are shown; the JSON has all.", "small")


def _of_runs(said: Mapping[str, str], before: str = "") -> Iterator[Text]:
    """What is said of runs, once of all that it is said of: run → a text."""
    for why, runs in _by_text(said).items():
        yield Text((before, foreign(", ".join(runs), 200), ": ", foreign(why, 400), "."), "missing")


def _by_text(said: Mapping[str, str]) -> dict[str, list[str]]:
    """What is said → of whom, in the order of first appearance."""
    found: dict[str, list[str]] = {}
    for name, text in said.items():
        found.setdefault(text, []).append(name)
    return found


def _table1(found: ByRetrieval) -> Iterator[Block]:
    """The accuracy of each retriever, and tests of differences."""
    retrievers = found.retrievers
    shown = retrievers.runs[:MOST]
    for said in dict.fromkeys(what_counts(each.accuracy.by) for each in shown if each.accuracy is not None):
        yield Text(f"{said}, of the answers that show what was retrieved.", "soft")
    cuts = [k for k in CUTS if any(at.k == k for each in shown if each.accuracy is not None for at in each.accuracy.at)]
    if cuts:
        columns = (Column("run", "left"), *(Column(f"k = {k}") for k in cuts), Column("answers"))
        rows = tuple(_accuracy_row(each, cuts) for each in shown)
        yield Table("Retriever accuracy, with intervals of 95 %", columns, rows, "fit")
    yield from _of_runs({each.run: f"not available: {each.reason}" for each in shown if each.reason is not None})
    if retrievers.compared is not None:
        number = number_of(retrievers.compared.questions, "question")
        yield Text(f"Tests are over {number}, of which every run that is tested shows what was retrieved.", "small")
        yield from difference_blocks(retrievers.compared)
        if any(each.p_t is None for each in retrievers.compared.differences):
            yield Text(f"Where the t-test has no p ({NONE}), all groups differ by the same, or none does.", "small")
    yield from _of_runs({each.run: each.untested for each in shown if each.untested is not None}, "Not tested: ")


def _accuracy_row(each: RetrieverOfRun, cuts: Sequence[int]) -> Row:
    if each.accuracy is None:
        return foreign(each.run, NAME), NONE
    at = {one.k: one for one in each.accuracy.at}
    cells = (_with_limits(at[k].value, at[k].low, at[k].high) if k in at else NONE for k in cuts)
    return foreign(each.run, NAME), *cells, count(each.accuracy.questions)


def _with_limits(value: float | None, low: float | None, high: float | None) -> str:
    """`69.1 % (65.5 to 72.4)`."""
    if low is None or high is None:
        return percent(value)
    return f"{percent(value)} ({100 * low:.1f} to {100 * high:.1f})"


def _table2(found: ByRetrieval, table: Callable[[ByRetrieval], Table]) -> Iterator[Block]:
    """Of each run the means of both parts and both tests, in a layout."""
    shown = found.by_retrieval[:MOST]
    yield from (Text(sentence) for each in shown if (sentence := _larger(each)) is not None)
    is_any = any(each.split.metrics for each in shown)
    if is_any:
        yield table(found)
    by = dict.fromkeys(each.split.by for each in shown if each.split.by is not None)
    if by:
        said = " is at its highest. Known gaps and unanswerable questions are left out."
        yield Text(("Retrieval is right when ", foreign(" or ".join(by), 200), said), "small")
    yield from _of_runs({each.run: each.split.reason for each in shown if each.split.reason is not None})
    yield from _lacking(found, shown)
    for said, runs in _by_text({each.run: said for each in shown if (said := _who_judged(each))}).items():
        yield Text(("Scores of ", foreign(", ".join(runs), 200), ": ", foreign(said, 400), "."), "small")
    if is_any:
        yield Text(METHOD_SPLIT, "small")


def _larger(each: MetricsOfRun) -> Inline | None:
    """How many metrics are larger where retrieval was right, by either test."""
    tested = [one for one in each.split.metrics.values() if one.p_t is not None or one.p is not None]
    if not tested:
        return None
    by_t = sum(one.p_t is not None and one.p_t < _LEVEL for one in tested)
    by_group = sum(one.p_corrected is not None and one.p_corrected < _LEVEL for one in tested)
    said = f": larger where retrieval was right, at p < {_LEVEL:g}: {by_t} of {number_of(len(tested), 'metric')}"
    return foreign(each.run, NAME), f"{said} by the t-test, and {by_group} by semantic group, corrected."


def _lacking(found: ByRetrieval, shown: Sequence[MetricsOfRun]) -> Iterator[Block]:
    """What has no score, and how to get it; and which parts are empty."""
    said: dict[str, list[str]] = {}
    for each in shown:
        for text in _lacks(each):
            said.setdefault(text, []).append(each.run)
    if said:
        yield Listing(tuple((foreign(", ".join(runs), 200), ": ", foreign(text, 400)) for text, runs in said.items()))
    names = [name for name in found.metrics if any(name in each.lacking for each in shown)]
    if names:
        by_rule = [name for name in names if _has_rule(name)]
        models = [f"{' '.join(name for name in names if name not in by_rule)} --model judge=NAME"]
        asked = [*([" ".join(by_rule)] if by_rule else []), *(models if len(by_rule) < len(names) else [])]
        how = ", and ".join(f"score-metric RUN {each}" for each in asked)
        yield Text(f"What has no score is unknown, and not 0. To score it: {how}.", "missing")


def _has_rule(name: str) -> bool:
    try:
        return find_metric(name).rule is not None
    except BenchwrightError:  # a name that only judgments have
        return False


def _lacks(each: MetricsOfRun) -> Iterator[str]:
    split = each.split
    if split.reason is None and not (split.right and split.wrong):
        which, other = ("right", "wrong") if split.right else ("wrong", "right")
        number = number_of(split.right + split.wrong, "answer")
        yield f"retrieval was {which} for all of {number}, and {other} for none."
    if split.reason is None and split.unscored:
        number = number_of(split.unscored, "answer")
        yield f"{number} left out, as nothing says whether retrieval was right."
    for why, names in _by_text(each.lacking).items():
        because = "" if why == NOT_SCORED else f": {why}"
        yield f"{', '.join(names)} {'is' if len(names) == 1 else 'are'} not scored{because}."
    for why, names in _by_text({name: reasons(said) for name, said in each.unscored.items()}).items():
        yield f"some answers have no {', '.join(names)}: {why}."


def _who_judged(each: MetricsOfRun) -> str:
    """Who gave the scores of which metrics."""
    by: dict[str, list[str]] = {}
    for metric, said in each.judges.items():
        by.setdefault(" and ".join(said), []).append(metric)
    return "; ".join(
        f"{who if COMPUTED in who else f'judged by {who}'}: {', '.join(metrics)}" for who, metrics in by.items()
    )


def _table3(found: ByRetrieval, table: Callable[[ByRetrieval], Table | None]) -> Iterator[Block]:
    """Of each run what differs from the baseline, in a layout."""
    if not found.against:
        yield missing("not available because there is one run: --baseline RUN names what it is held against")
        return
    made = table(found)
    if made is not None:
        yield made
    yield from _of_runs({each.run: why for each in found.against[:MOST] if (why := _not_compared(each))})
    if made is not None:
        yield Text(METHOD_AGAINST, "small")


def _not_compared(each: RunAgainstBaseline) -> str:
    """What of a run is not held against the baseline, and why."""
    lacking = [f"{' and '.join(names)}: {why}" for why, names in _by_text(each.lacking).items()]
    apart = [f"right and wrong retrieval are {each.reason}"] if each.reason is not None and each.differences else []
    return "; ".join([*apart, *lacking])


def _table4(found: ByRetrieval) -> Iterator[Block]:
    """Of each run how often high scores are right and low ones wrong."""
    shown = found.believed[:MOST]
    judged = [each for each in shown if each.reason is None]
    if judged:
        heads = [*map(words, found.pair), *(["both"] if len(found.pair) > 1 else [])]
        columns = (Column("run", "left"), Column("", "left"), *map(Column, heads))
        rows = tuple(row for each in judged for row in _believed_rows(each, found))
        caption = "How often high scores are right, and low ones wrong, by what people said"
        yield Table(caption, columns, rows, "fit")
        yield Listing(tuple(_judged(each) for each in judged))
    lacking = {each.run: "; ".join(dict.fromkeys(one.reason for one in each.metrics if one.reason)) for each in judged}
    yield from _of_runs({run: why for run, why in lacking.items() if why})
    yield from _of_runs({each.run: each.reason for each in shown if each.reason is not None})
    if judged:
        yield Text(METHOD_BELIEVED, "small")


def _judged(each: BelievedRun) -> Inline:
    who = ", ".join(f"{name} ({number:,})" for name, number in each.judges.items())
    divided = f"; {number_of(each.divided, 'answer')} more left out, as people are divided" if each.divided else ""
    said = f": {number_of(each.answers, 'answer')} judged, {count(each.right)} right{divided}; "
    unread = f"; {', '.join(each.unread)} beside it not read: --human names it" if each.unread else ""
    return foreign(each.run, NAME), said, foreign(f"{who}, {each.source}{unread}", 300), "."


def _believed_rows(each: BelievedRun, found: ByRetrieval) -> Iterator[Row]:
    said = [one.concordance for one in each.metrics]
    yield foreign(each.run, NAME), "right when high", *(_share(one and one.right) for one in said)
    yield from _p_row(each, found, [one.p_right for one in each.metrics])
    yield "", "wrong when low", *(_share(one and one.wrong) for one in said)
    yield from _p_row(each, found, [one.p_wrong for one in each.metrics])


def _p_row(each: BelievedRun, found: ByRetrieval, values: Sequence[float | None]) -> Iterator[Row]:
    if any(value is not None for value in values):
        yield "", (soft("p against "), foreign(found.baseline, NAME)), *map(p_value, values)


def _share(found: Proportion | None) -> str:
    """`0.87 (0.80 to 0.92) of 112`: a share, its interval by semantic group, and what it is of."""
    if found is None:
        return NONE
    if found.value is None:
        return "no answer"
    limits = "" if found.low is None or found.high is None else f" ({found.low:.2f} to {found.high:.2f})"
    return f"{figure(found.value, 2)}{limits} of {count(found.total)}"
