"""Whether an answer agrees with all further answers to its question that were sampled from the same system."""

from dataclasses import dataclass

from benchwright.benchmarks.metrics.base import NO_ANSWER, JudgedItem, Metric, Score, each, unscored
from benchwright.benchmarks.metrics.steps.answers import says_nothing
from benchwright.benchmarks.metrics.steps.long_texts import SAMPLES, beginning, with_notes
from benchwright.benchmarks.metrics.steps.numbered import one_on_each
from benchwright.benchmarks.metrics.steps.same_answer import same_by_words
from benchwright.benchmarks.metrics.tools import Tools
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.types import Question

PROMPT = "judge_same_answers"
NO_SAMPLES = unscored("there are no samples: ask for further answers with score-system --samples 4")
ABSTAINED = unscored("the system abstained: there is no answer to compare samples with")


@dataclass(frozen=True)
class SameVerdict:
    """What the judge says of one sample."""

    number: int
    """The sample's, from 1."""
    reason: str
    same: bool
    """Whether it answers the question as the answer does."""


@dataclass(frozen=True)
class SameVerdicts:
    """What the judge replies: a verdict on each sample."""

    verdicts: list[SameVerdict]


async def judge(item: JudgedItem, tools: Tools) -> Score:
    """1 where the answer and each sample answer the question with the same meaning, else 0; all samples in one call.

    The share of samples that do stands in the trace, as the step "share of samples that agree".
    """
    prediction = item.prediction
    lacking = _lacking(item.question, prediction)
    if lacking is not None or prediction.answer is None:
        return lacking or NO_ANSWER
    answer, cut = beginning(prediction.answer, "the answer", SAMPLES)
    read = [beginning(text, f"sample {number}", SAMPLES) for number, text in enumerate(prediction.samples, start=1)]
    values = {"question": item.question.question, "answer": answer, "samples": [text for text, _ in read]}
    count = len(read)
    imagined = SameVerdicts([SameVerdict(number, "", True) for number in range(1, count + 1)])
    reply = await tools.ask(PROMPT, values, reply=one_on_each(SameVerdicts, count, "samples"), imagined=imagined)
    same = sum(verdict.same for verdict in reply.verdicts)

    async def share() -> float:
        return same / count

    verdicts = sorted(reply.verdicts, key=lambda each: each.number)
    await tools.step("share of samples that agree", {"verdicts": [each.same for each in verdicts]}, share)
    return Score(float(same == count), with_notes(_said(same, count), cut, *(note for _, note in read)))


def score(question: Question, prediction: Prediction) -> Score:
    """The twin by rule: whether the figures and words of all samples agree with the answer's."""
    lacking = _lacking(question, prediction)
    if lacking is not None or prediction.answer is None:
        return lacking or NO_ANSWER
    answer = prediction.answer
    same = sum(same_by_words(question.question, answer, sample) for sample in prediction.samples)
    count = len(prediction.samples)
    return Score(float(same == count), f"by rule, by words and figures: {_said(same, count)}")


def _lacking(question: Question, prediction: Prediction) -> Score | None:
    """Why there is nothing to compare; None where there is."""
    if prediction.answer is None and not prediction.abstained:
        return NO_ANSWER
    if says_nothing(prediction, question.question):
        return ABSTAINED
    return None if prediction.samples else NO_SAMPLES


def _said(same: int, count: int) -> str:
    return f"{same} of {count} sample{'s' if count > 1 else ''} agree{'s' if count == 1 else ''} with the answer"


METRIC = Metric(
    name="selfcheck",
    meaning="further answers of the same system to the question all agree with the answer",
    formula="1 if the answer and each sample answer the question with the same meaning, else 0; one call a question",
    citation="GRAMMAR (Li et al. 2024, first version), section 4.1 and appendix G, after SelfCheckGPT (Manakul et al. "
    "2023)",
    needs=frozenset({"answer", "samples", "judge"}),
    rule=each(score),
    judged=judge,
    uses=(PROMPT,),
    order=70,
)
