"""What is decided of an answer before anybody reads it closely: that there is none, or that it abstains."""

import re

from benchwright.benchmarks.metrics.answers.answer_text import read_answer_text
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.text.folding import LONGEST_ANSWER
from benchwright.benchmarks.text.sentences import PROSE

_GOES_ON = re.compile(r"\b(?:but|however|though|although|still|yet)\b|;", re.IGNORECASE)
"""After which a sentence that says that something is not known may say something else."""


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
    sentences = [answer[start:end] for start, end in PROSE.spans(answer)]
    return all(
        (said := read_answer_text(each)).says_nothing or (said.abstains and _GOES_ON.search(each) is None)
        for each in sentences
    )
