"""What is decided of an answer before anybody reads it closely: that there is none, or that it abstains."""

import re

from benchwright.benchmarks.metrics.answers.answer_text import read_answer_text
from benchwright.benchmarks.metrics.base import NO_ANSWER, NO_ANSWERS, Score
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.text.folding import LONGEST_ANSWER
from benchwright.benchmarks.text.sentences import COUNTED
from benchwright.benchmarks.types import Question

_GOES_ON = re.compile(
    r"(?<!sorry)(?<!sorry,)(?<!apologi[sz]e)(?<!apologi[sz]e,)\s(?:but|however|though|although)\b|;", re.IGNORECASE
)
"""After which a sentence that says that something is not known may say something else; not after an apology."""
_IDLE = re.compile(
    r"^(?:please (?:ask|check|consult|contact|let|provide|refer|rephrase|see|specify|try|visit)\b|let me know\b"
    r"|feel free\b|(?:i am |i'm )?(?:very )?sorry[.!]?$)|\?$",
    re.IGNORECASE,
)
"""A sentence that states nothing, such as a question back."""
SAYS_NOTHING = Score(0.0, "the answer abstains or is empty")
"""Of what an answer should say: nothing of it is said."""


def says_nothing(prediction: Prediction) -> bool:
    """Whether a prediction abstains, or its answer holds no letter and no figure."""
    return abstains(prediction) or not any(map(str.isalnum, prediction.answer or ""))


def nothing_to_compare(question: Question, prediction: Prediction) -> Score | None:
    """The score by a metric of what the true answer says, where nothing can be compared with it; None where it can.

    Unscored where there is no true answer, or none of the system; 0 where the system says nothing.
    """
    if not question.answers:
        return NO_ANSWERS
    if prediction.answer is None and not prediction.abstained:
        return NO_ANSWER
    return SAYS_NOTHING if says_nothing(prediction) else None


def abstains(prediction: Prediction) -> bool:
    """Whether a prediction says that it abstains, or each sentence of its answer that something is not known."""
    return prediction.abstained or (prediction.answer is not None and _says_that_it_does_not_know(prediction.answer))


def _says_that_it_does_not_know(answer: str) -> bool:
    if len(answer) > LONGEST_ANSWER:
        return False
    whole = read_answer_text(answer)
    if whole.says_nothing:
        return True
    if not whole.abstains:
        return False
    sentences = [answer[start:end] for start, end in COUNTED.spans(answer)]
    return all(
        _IDLE.search(each)
        or (said := read_answer_text(each)).says_nothing
        or (said.abstains and _GOES_ON.search(each) is None)
        for each in sentences
    )
