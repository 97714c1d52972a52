"""What is decided of an answer before anybody reads it closely: that there is none, or that it abstains."""

import re

from benchwright.benchmarks.metrics.answers import abstaining
from benchwright.benchmarks.metrics.answers.answer_text import read_answer_text
from benchwright.benchmarks.metrics.base import NO_ANSWER, NO_ANSWERS, Score
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.text.folding import LONGEST_ANSWER, fold
from benchwright.benchmarks.text.sentences import COUNTED
from benchwright.benchmarks.text.words import content_words, root
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
_FRAME = (
    "able access according afraid ai answer apologise apologize article ask assistant available base based "
    "certain confirm contain content context could current data database describe detail determine difficult "
    "directly disclose document enough excerpt explicit find found give given help however idea identify "
    "include indicate information insufficient know knowledge known language list locate material mention "
    "model necessary page passage please possible provide question record reference regarding related relevant "
    "reliable respond result retrieve retrieved say search snippet sorry source specific specify state "
    "sufficient supply sure tell text unable unclear unfortunately unknown unsure"
)
_FRAMED = frozenset(root(word) for word in _FRAME.split())
"""Roots of words with which one says that one does not know, and from where."""
_OWN_WORDS = 5
"""Words beside those and the question's that a sentence which only says that something is not known may have."""
SAYS_NOTHING = Score(0.0, "the answer abstains or is empty")
"""Of what an answer should say: nothing of it is said."""


def says_nothing(prediction: Prediction, question: str) -> bool:
    """Whether a prediction abstains, or its answer holds no letter and no figure; see `abstains`."""
    return abstains(prediction, question) or not any(map(str.isalnum, prediction.answer or ""))


def nothing_to_compare(question: Question, prediction: Prediction) -> Score | None:
    """The score by a metric of what the true answer says, where nothing can be compared with it; None where it can.

    Unscored where there is no true answer, or none of the system; 0 where the system says nothing.
    """
    if not question.answers:
        return NO_ANSWERS
    if prediction.answer is None and not prediction.abstained:
        return NO_ANSWER
    return SAYS_NOTHING if says_nothing(prediction, question.question) else None


def abstains(prediction: Prediction, question: str) -> bool:
    """Whether a prediction says that it abstains, or each sentence of its answer that something is not known.

    Args:
        prediction: whose answer is read.
        question: what was asked. A sentence that has six words or more of its own states something,
            though it may say "unable", as "Tanti was unable to defend his title, which the veteran Dean Ferris won".
    """
    answer = prediction.answer
    return prediction.abstained or (answer is not None and _says_that_it_does_not_know(answer, question))


def _says_that_it_does_not_know(answer: str, question: str) -> bool:
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
        or (said.abstains and _GOES_ON.search(each) is None and not _states_something(each, said.lowered, question))
        for each in sentences
    )


def _states_something(sentence: str, lowered: str, question: str) -> bool:
    """Whether a sentence that says that something is not known says more; in English, whose words are known here."""
    if abstaining.abstains(lowered):
        return False
    asked = {root(word) for word in content_words(fold(question))}
    return len({root(word) for word in content_words(fold(sentence))} - asked - _FRAMED) > _OWN_WORDS
