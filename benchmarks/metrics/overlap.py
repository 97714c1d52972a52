"""Words of an answer and of a gold answer's accepted forms; a form that cannot win is not looked at."""

import functools
import string
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from benchwright.benchmarks.text.remembering import remembers
from benchwright.benchmarks.types import Question

Words = tuple[str, ...]
_PUNCTUATION = str.maketrans("", "", string.punctuation)
_FORMS = 16
_ARTICLES = frozenset(("a", "an", "the"))


def squad_tokens(text: str) -> list[str]:
    """A text's words in lower case, without ASCII punctuation and articles (SQuAD's evaluation script)."""
    return [word for word in text.lower().translate(_PUNCTUATION).split() if word not in _ARTICLES]


def accepted_forms(question: Question) -> Iterator[str]:
    """The gold answer as one text in each accepted form: of a set, its elements joined by commas.

    Each alias of an element is put beside the first form of the others.
    """
    return _forms(question.answers, question.aliases)


def some_forms(question: Question) -> tuple[list[str], str | None]:
    """The first 16 accepted forms of a gold answer, each once, and what is left out, for the reason of a score."""
    forms = list(dict.fromkeys(islice(accepted_forms(question), _FORMS + 1)))
    left_out = f"the first {_FORMS} accepted forms were compared" if len(forms) > _FORMS else None
    return forms[:_FORMS], left_out


def _forms(answers: tuple[str, ...], aliases: tuple[tuple[str, ...], ...]) -> Iterator[str]:
    yield ", ".join(answers)
    for index, others in enumerate(aliases[: len(answers)]):
        for alias in others:
            yield ", ".join((*answers[:index], alias, *answers[index + 1 :]))


@dataclass(frozen=True, slots=True)
class GoldForms:
    """The words of the accepted forms of a gold answer."""

    forms: frozenset[Words]
    vocabulary: frozenset[str]
    by_length: tuple[tuple[int, tuple[Words, ...]], ...]
    """Those with any word."""

    @classmethod
    def of(cls, forms: Iterable[Words]) -> "GoldForms":
        """Prepares forms."""
        distinct = dict.fromkeys(forms)
        by_length: dict[int, list[Words]] = {}
        for form in distinct:
            by_length.setdefault(len(form), []).append(form)
        lengths = tuple((length, tuple(same)) for length, same in by_length.items() if length)
        return cls(frozenset(distinct), frozenset(word for form in distinct for word in form), lengths)

    def best(self, answer: Words, shared: Callable[[Words, Words], int]) -> float:
        """The most that 2 shared / (words of the answer + words of the form) is for any form; without words 0.

        Args:
            answer: its words.
            shared: how many words an answer and a form share, as often as they stand: at most as many as the answer
                has of the vocabulary.
        """
        known = sum([word in self.vocabulary for word in answer])
        best = 0.0
        for length, forms in self.by_length if known else ():
            whole = len(answer) + length
            most = 2 * min(known, length) / whole
            for form in forms:
                if best >= most:
                    break
                best = max(best, 2 * shared(answer, form) / whole)
        return best


@functools.lru_cache(maxsize=8192)
def _gold_forms(answers: Words, aliases: tuple[Words, ...], words_of: Callable[[str], Sequence[str]]) -> GoldForms:
    return GoldForms.of(tuple(words_of(form)) for form in _forms(answers, aliases))


def gold_forms(question: Question, words_of: Callable[[str], Sequence[str]] = squad_tokens) -> GoldForms:
    """The words of every accepted form, as a function splits texts."""
    return _gold_forms(question.answers, question.aliases, words_of)


@remembers(characters=2_000_000)
def answer_tokens(answer: str) -> Words:
    """The words of an answer; kept for the metrics that score the same answers next."""
    return tuple(squad_tokens(answer))


def shared_words(answer: Words, gold: Words) -> int:
    """How many words two texts share, each as often as both have it."""
    if len(gold) == 1:
        return 1 if gold[0] in answer else 0
    # Of few words, counting each that both have is faster than a Counter.
    return sum([min(gold.count(word), answer.count(word)) for word in set(gold).intersection(answer)])
