"""SQuAD 2.0's normalisation of answers and what it compares: one reading of the gold for exact match and F1.

Both metrics give what the reference gives, to the last bit: `normalize_answer`, `compute_exact` and `compute_f1` of
the evaluation script of SQuAD 2.0, which transformers below 5 has in `data/metrics/squad_metrics.py`.
"""

import functools
import re
import string
from collections.abc import Callable

from benchwright.benchmarks.metrics.base import NO_ANSWER, NO_ANSWERS, Rule, Score
from benchwright.benchmarks.metrics.batch import each_answer
from benchwright.benchmarks.metrics.overlap import accepted_forms
from benchwright.benchmarks.predictions import SAID_TO_ABSTAIN, Prediction
from benchwright.benchmarks.text.remembering import remembers
from benchwright.benchmarks.types import FORMS_NOT_IN_SQUAD, Question

UNANSWERABLE = "unanswerable"
CITATION = "Rajpurkar et al. 2018, Know What You Don't Know: Unanswerable Questions for SQuAD, section 4"
Words = tuple[str, ...]
_ARTICLES = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)


@remembers(characters=2_000_000)
def normal_words(text: str) -> Words:
    """The words of a text in small letters, without ASCII punctuation and then without articles.

    An article is one by its word boundaries, as in `off–the–shelf`, whose dashes are no ASCII punctuation: other than
    in `overlap.squad_tokens`, which compares whole words alone.
    """
    return tuple(_ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split())


@functools.lru_cache(maxsize=8192)
def _gold_words(forms: tuple[str, ...]) -> tuple[Words, ...]:
    found = dict.fromkeys(words for words in map(normal_words, forms) if words)
    return tuple(found) or ((),)


def _forms(question: Question) -> tuple[str, ...]:
    """The accepted forms, without those that the config `squad` lacks."""
    lacked = question.metadata.get(FORMS_NOT_IN_SQUAD)
    forms = tuple(accepted_forms(question))
    return tuple(form for form in forms if form not in lacked) if isinstance(lacked, list) else forms


def squad_rule(best: Callable[[Words, Words], float]) -> Rule:
    """Scores an answer by the gold answer that it is nearest to; of an unanswerable question, by the empty text.

    A prediction that says that it abstains is the empty text, as SQuAD's systems write it; a sentence that something
    is not known is an answer like any other. Accepted forms without a word are not compared, unless there is no other,
    nor are those that the config `squad` of the release lacks.

    Args:
        best: the score of the words of an answer, given those of a gold answer.
    """

    def score(question: Question, prediction: Prediction) -> Score:
        is_unanswerable = question.answerability == UNANSWERABLE
        if not question.answers and not is_unanswerable:
            return NO_ANSWERS
        if prediction.answer is None and not prediction.abstained:
            return NO_ANSWER
        words = () if prediction.abstained else normal_words(prediction.answer or "")
        gold = ((),) if is_unanswerable else _gold_words(_forms(question))
        return Score(float(max(best(words, each) for each in gold)), SAID_TO_ABSTAIN if prediction.abstained else None)

    return each_answer(score)
