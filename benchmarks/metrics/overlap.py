"""Words of an answer and of a gold answer, as SQuAD's evaluation compares them."""

import functools
import string
from collections.abc import Iterator

from benchwright.benchmarks.types import Question

_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLES = frozenset(("a", "an", "the"))


def squad_tokens(text: str) -> list[str]:
    """A text's words in lower case, without ASCII punctuation and articles (SQuAD's evaluation script)."""
    return [word for word in text.lower().translate(_PUNCTUATION).split() if word not in _ARTICLES]


def accepted_forms(question: Question) -> Iterator[str]:
    """The gold answer as one text in each accepted form: of a set, its elements joined by commas.

    Each alias of an element is put beside the first form of the others.
    """
    return _forms(question.answers, question.aliases)


def _forms(answers: tuple[str, ...], aliases: tuple[tuple[str, ...], ...]) -> Iterator[str]:
    yield ", ".join(answers)
    for index, others in enumerate(aliases[: len(answers)]):
        for alias in others:
            yield ", ".join((*answers[:index], alias, *answers[index + 1 :]))


@functools.lru_cache(maxsize=100_000)
def _gold_tokens(answers: tuple[str, ...], aliases: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
    return tuple(dict.fromkeys(tuple(squad_tokens(form)) for form in _forms(answers, aliases)))


def gold_tokens(question: Question) -> tuple[tuple[str, ...], ...]:
    """The words of every accepted form."""
    return _gold_tokens(question.answers, question.aliases)


@functools.lru_cache(maxsize=1024)
def answer_tokens(answer: str) -> tuple[str, ...]:
    """The words of an answer; kept for the metrics that score the same answer next."""
    return tuple(squad_tokens(answer))


def f1(answer: tuple[str, ...], gold: tuple[str, ...]) -> float:
    """The harmonic mean of precision and recall of the words, each as often as it stands; of two empty texts 1."""
    if not answer or not gold:
        return float(answer == gold)
    if len(gold) == 1:
        shared = 1 if gold[0] in answer else 0
    else:
        # Of few words, counting each that both have is faster than a Counter.
        shared = sum([min(gold.count(word), answer.count(word)) for word in set(gold).intersection(answer)])
    return 2 * shared / (len(answer) + len(gold))
