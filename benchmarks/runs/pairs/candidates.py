"""The candidates of a pair as predictions, so that any metric can score them."""

from collections.abc import Iterator, Mapping, Sequence

from benchwright.benchmarks.hashing import rank
from benchwright.benchmarks.metrics import JudgedItem, Metric, PairItem
from benchwright.benchmarks.predictions import Context, Prediction
from benchwright.benchmarks.releases.pairs import COLUMNS, LabelledPair, LabelledPairs, Pair
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.rows import load_documents, load_questions
from benchwright.benchmarks.runs.judge import JudgeTask
from benchwright.benchmarks.schemas import QUESTIONS
from benchwright.benchmarks.types import Dimension, Document, Question

_ANSWER, _CONTEXTS = "answer", "contexts"
BEFORE = " before "
"""In the name of an order, between the candidate that is shown first and the other."""


class PairsOfRelease:
    """The pairs of a release as questions and predictions.

    The question of a pair is the release's of the same id and text, whose gold answers metrics may then use, else one
    without gold.
    """

    def __init__(self, release: Release, found: LabelledPairs) -> None:
        self.release, self.found = release, found
        there = self._there(release, found)
        self.questions: Mapping[str, Question] = {
            pair.id: there.get((pair.id, pair.question)) or Question(pair.id, pair.question) for pair in found.pairs
        }
        needed = any(each.documents for each in self.questions.values())
        self.documents: Mapping[str, Document] = load_documents(release) if needed else {}

    @staticmethod
    def _there(release: Release, found: LabelledPairs) -> dict[tuple[str, str], Question]:
        if found.split not in release.manifest.splits.get(QUESTIONS.name, {}):
            return {}
        return {(each.id, each.question): each for each in load_questions(release, found.split)}

    def item(self, pair: Pair, column: str) -> JudgedItem:
        """A candidate as a judge may see it."""
        return JudgedItem(self.questions[pair.id], candidate_of(pair, column), self.documents)

    def shown(self, each: LabelledPair, order: str) -> PairItem:
        """Both candidates of a labelled pair, in an order."""
        first, second = (candidate_of(each.pair, column) for column in order.split(BEFORE))
        return PairItem(each.dimension, self.questions[each.pair.id], first, second, self.documents)

    def asked(self, metrics: Sequence[Metric]) -> Iterator[JudgeTask]:
        """What is to be asked so that metrics can be held against what people chose, candidate by candidate.

        A task's `candidate` is a column, or an order of two: `answer before poor_answer`.

        A metric of a dimension is asked of that dimension's pairs alone, and none of pairs that people did not choose
        from or of which a candidate is empty.
        """
        single: dict[tuple[str, str], tuple[Pair, dict[str, Metric]]] = {}
        for each in decided(self.found):
            if lacking(each) is not None:
                continue
            mine = [metric for metric in metrics if fits(metric, each.dimension)]
            for column in COLUMNS[each.dimension]:
                _, wanted = single.setdefault((each.pair.id, column), (each.pair, {}))
                wanted.update((metric.name, metric) for metric in mine if metric.compared is None)
            compared = tuple(metric for metric in mine if metric.compared is not None)
            for order in orders(each) if compared else ():
                yield JudgeTask(self.shown(each, order), compared, candidate=order)
        for (_, column), (pair, wanted) in single.items():
            if wanted:
                yield JudgeTask(self.item(pair, column), tuple(wanted.values()), candidate=column)


def decided(found: LabelledPairs) -> list[LabelledPair]:
    """Those of which people chose one candidate."""
    return [each for each in found.labelled if each.choice in ("first", "second")]


def fits(metric: Metric, dimension: Dimension) -> bool:
    """Whether a metric is tried on the pairs of a dimension: its own, or where it has none those that differ in what it
    reads. A metric of answers alone would call any two contexts alike, and one of contexts any two answers.
    """
    if metric.dimension is not None:
        return metric.dimension == dimension
    read = metric.needs & {"answer", "contexts"}
    return not read or (_CONTEXTS if dimension == "context_relevance" else _ANSWER) in read


def lacking(each: LabelledPair) -> str | None:
    """Which candidate is empty, in words; None where both can be read."""
    return next((f"{name} is empty" for name in COLUMNS[each.dimension] if each.pair.lacks(name)), None)


def candidate_of(pair: Pair, column: str) -> Prediction:
    """A candidate as a prediction: an answer with what it is held against, or contexts with the answer."""
    if column.startswith("context"):
        return Prediction(pair.id, pair.answer or None, contexts=_contexts(getattr(pair, column)))
    return Prediction(pair.id, getattr(pair, column), contexts=read_beside(pair))


def read_beside(pair: Pair) -> tuple[Context, ...]:
    """What answers are held against: the source, where it holds a text.

    Where it is shorter than the passages of `context_v1`, which were taken from it, it is a title or an address: then
    these are.
    """
    passages = [each for each in pair.context_v1 if each.strip()]
    if len(pair.source.strip()) >= max(1, sum(map(len, passages))):
        return _contexts((pair.source,))
    return _contexts(passages or (pair.source,))


def _contexts(texts: Sequence[str]) -> tuple[Context, ...]:
    return tuple(Context(text=text) for text in texts if text.strip())


def orders(each: LabelledPair) -> tuple[str, str]:
    """The two orders of a pair: the one that is asked for where one alone is, and the other.

    Which that is is drawn by the pair and the dimension, for the first candidate of a release is mostly the better one:
    a judge that chooses whatever stands first would be right throughout.
    """
    first, second = COLUMNS[each.dimension]
    pair = [f"{first}{BEFORE}{second}", f"{second}{BEFORE}{first}"]
    if rank("order", each.pair.id, each.dimension)[0] % 2:
        pair.reverse()
    return pair[0], pair[1]
