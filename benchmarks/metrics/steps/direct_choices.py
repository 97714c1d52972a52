"""A judge's own choice between two candidates: GPT Ranking of RAGAS (Es et al. 2024, section 5), a baseline.

The judge is told what the dimension means, is shown both candidates and says which is the better one. It may not say
that they are alike: the paper's does not, and where both orders are asked, two replies that contradict each other say
it. As in `direct_scores` it says why first, is shown a demonstration, and of faithfulness sees the question too.
"""

from dataclasses import dataclass

from benchwright.benchmarks.metrics.base import Metric, PairItem, Score
from benchwright.benchmarks.metrics.steps.contexts import context_texts, without_texts
from benchwright.benchmarks.metrics.steps.direct_scores import without_answer
from benchwright.benchmarks.metrics.steps.long_texts import beginning, with_notes
from benchwright.benchmarks.metrics.steps.whole_numbers import OneOrTwo
from benchwright.benchmarks.metrics.tools import Tools
from benchwright.benchmarks.types import Dimension

CITATION = "RAGAS (Es et al. 2024), section 5, 'GPT Ranking'"


@dataclass(frozen=True)
class DirectChoice:
    """What the judge replies: why, in a sentence, then which candidate is better, as they were numbered."""

    reason: str
    better: OneOrTwo


def direct_choice(dimension: Dimension, meaning: str) -> Metric:
    """The metric `gpt_ranking_DIMENSION`: one call for each order in which a pair is shown, two in all."""
    prompt = f"judge_choose_{dimension}"

    async def choose(item: PairItem, tools: Tools) -> Score:
        values: dict[str, object] = {"question": item.question.question}
        notes: list[str | None] = []
        for number, prediction in enumerate((item.first, item.second), start=1):
            if dimension != "context_relevance":
                if (lacking := without_answer(prediction)) is not None:
                    return lacking
                values[f"answer_{number}"], note = beginning(prediction.answer or "", f"answer {number}")
                notes.append(note)
            if dimension == "answer_relevance" or (dimension == "faithfulness" and number == 2):
                continue  # both answers are held against the same passages
            contexts = context_texts(prediction, item.documents)
            if (said := without_texts(prediction, contexts)) is not None:
                return Score(None, said.reason)
            values["contexts" if dimension == "faithfulness" else f"contexts_{number}"] = contexts.texts
            notes.append(contexts.note)
        found = await tools.ask(prompt, values, reply=DirectChoice)
        return Score(float(found.better == 1), with_notes(found.reason, *notes))

    return Metric(
        name=f"gpt_ranking_{dimension}",
        meaning=meaning,
        formula="1 if the judge chooses the first of two candidates, 0 if the second; two calls a pair, one an order",
        citation=CITATION,
        needs=frozenset({"judge", "pairs"}),
        uses=(prompt,),
        unit="pair",
        order=91,
        by_default=False,
        compared=choose,
    )
