"""Where an answer gives a gold answer in other words: names in part, phrases in another order and inflection.

Tried where nothing but the gold answer is looked for (no template tells what it could be confused with), and only for
elements that are not found as they are worded.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from benchwright.benchmarks.metrics.answers.answer_words import AnswerWords
from benchwright.benchmarks.metrics.answers.figures import figures_in, is_less_exact
from benchwright.benchmarks.metrics.answers.gold import Element
from benchwright.benchmarks.metrics.answers.gold_words import GoldWords, alternatives, gold_words
from benchwright.benchmarks.metrics.answers.judged_answer import JudgedAnswer
from benchwright.benchmarks.metrics.answers.mentions import Mention
from benchwright.benchmarks.metrics.answers.names import initials, is_person_named
from benchwright.benchmarks.metrics.answers.values import word_lists
from benchwright.benchmarks.text.folding import value_words
from benchwright.benchmarks.text.words import STOP_WORDS

_SPREAD = 4
"""Words of an answer, for each of a wording, among which they are looked for."""
_SHORT_PHRASE, _PHRASE = 0.75, 0.6
"""Of the words of a phrase (up to three, or more), those that an answer must give; words with a capital count twice."""
_SHORT_ANSWER = 0.5
"""The same, of an answer that is nothing but words of the phrase."""
_MOST_WORDINGS = 60
"""Accepted forms of an element that are looked for in other words."""
_TELLING_WORDINGS = 5
"""The first of them, which tell whether the element is a list, and whether an answer may paraphrase it."""
_LONG = 6
"""Letters from which two words may be one."""


@dataclass(frozen=True, slots=True)
class OtherWords:
    """What was found of gold elements in other words."""

    mentions: tuple[Mention, ...]
    is_undecided: bool
    """Some element may have been paraphrased: no rule can tell."""


def in_other_words(answer: JudgedAnswer, words: AnswerWords, missing: Iterable[Element]) -> OtherWords:
    """Mentions of the elements that an answer does not name as they are worded."""
    mentions: list[Mention] = []
    undecided = False
    for element in missing:
        wordings = (element.item[0], *element.item[1])[:_MOST_WORDINGS]
        if figures := figures_in(answer, element.key, wordings):
            mentions += figures
            continue
        is_list = any(len(gold_words(wording)) > 1 for wording in wordings[:_TELLING_WORDINGS] if "/" not in wording)
        if not is_list:
            wordings = tuple(each for wording in wordings for each in alternatives(wording))
        spans = None
        for place, wording in enumerate(wordings):
            parts = gold_words(wording) if not place or words.may_hold(wording) else ()
            spans = _all_parts(words, parts, is_first=not place) if parts else None
            spans = spans or _divided_otherwise(answer, wording) or initials(answer, wording)
            if spans is not None:
                break
        if spans is not None:
            mentions += [_mention(answer, element.key, *span) for span in spans]
        else:
            undecided |= is_less_exact(answer, element)
            undecided |= any(_may_be_paraphrased(words, wording) for wording in wordings[:_TELLING_WORDINGS])
    return OtherWords(tuple(sorted(mentions, key=lambda each: each.start)), undecided)


def _divided_otherwise(answer: JudgedAnswer, wording: str) -> list[tuple[int, int]] | None:
    """The same letters as one word or as two: "thighbone", "clown fish"."""
    joined = "".join(value_words(wording))
    if len(joined) < _LONG:
        return None
    if joined in answer.words:
        place = answer.words.index(joined)
        return [(place, place + 1)]
    pairs = zip(answer.words, answer.words[1:], strict=False)
    return next(([(place, place + 2)] for place, pair in enumerate(pairs) if "".join(pair) == joined), None)


def _mention(answer: JudgedAnswer, key: str, first: int, last: int) -> Mention:
    start, end = answer.spans[first][0], answer.spans[last - 1][1]
    return Mention(start, end, frozenset({key}), "text", True, tuple(answer.words[first:last]))


def _all_parts(words: AnswerWords, parts: tuple[GoldWords, ...], *, is_first: bool) -> list[tuple[int, int]] | None:
    """A stretch of the answer's words for each part, or None where one is missing."""
    found = []
    for part in parts:
        span = next(_spans(words, part, is_alone=is_first and len(parts) == 1), None)
        if span is None:
            return None
        found.append(span)
    return found


def _spans(words: AnswerWords, gold: GoldWords, *, is_alone: bool) -> Iterator[tuple[int, int]]:
    """Stretches of the answer's words that give a gold wording."""
    last = gold.words[-1]
    if gold.sort == "name" and len(gold.words) > 1 and not last[0].isdigit() and last not in words.asked:
        yield from _named(words, gold)
    needed = _needed(words, gold)
    if not needed:
        return
    size = len(needed)
    spread = size + 2 if gold.sort == "name" else 2 * size + 2 if size <= 3 else _SPREAD * size
    yield from _covered(words, gold, needed, spread)
    if not is_alone:
        return
    if gold.sort == "name" and len(needed) > 1 and words.asks_for_team and words.answer.has_capitals:
        yield from _team(words, needed)
    if words.own and len(words.own) <= max(2, len(needed)):
        yield from _only_words_of(words, gold, needed)


def _needed(words: AnswerWords, gold: GoldWords) -> list[str]:
    """The words of a wording that the question does not have, without those that tell its sort.

    Where that would leave little of a phrase ("its own account"), all words are.
    """
    every = list(dict.fromkeys(gold.words))
    own = [form for form in every if form not in words.asked]
    named = [form for form in own if form not in word_lists("names")["generic"]]
    if gold.sort == "phrase" and 2 * len(named) <= len(every) and gold.capital.isdisjoint(named):
        return every if own else []
    return named or own


def _share_given(gold: GoldWords, needed: Sequence[str], given: Collection[str]) -> float:
    weights = {form: 2 if form in gold.capital else 1 for form in needed}
    return sum(weights[form] for form in given) / sum(weights.values())


def _share_wanted(gold: GoldWords, needed: Sequence[str]) -> float:
    return 1.0 if gold.sort == "name" else _SHORT_PHRASE if len(needed) <= 3 else _PHRASE


def _named(words: AnswerWords, gold: GoldWords) -> Iterator[tuple[int, int]]:
    """A person by the last name, with other given names or none."""
    answer = words.answer
    for place in words.find(gold.words[-1]):
        word = words.meaning[place]
        first = is_person_named(answer, word.first, gold.given)
        if first is not None:
            yield first, word.last


def _team(words: AnswerWords, needed: list[str]) -> Iterator[tuple[int, int]]:
    """A team by its place: all but the last word, with no other name after it."""
    answer = words.answer
    if not all(form.isalpha() for form in needed):
        return
    for place in words.find(needed[0]):
        last = place + len(needed) - 1
        if [word.form for word in words.meaning[place:last]] != needed[:-1]:
            continue
        first, end = words.meaning[place].first, words.meaning[last - 1].last
        after = answer.text[answer.spans[end - 1][1] :][:2]
        if answer.is_capital(answer.spans[first][0]) and not (after[:1] == " " and after[1:].isupper()):
            yield first, end


def _covered(words: AnswerWords, gold: GoldWords, needed: list[str], spread: int) -> Iterator[tuple[int, int]]:
    """The shortest stretch that has enough of the words, and all numbers."""
    found = {form: words.find(form) for form in needed}
    present = [form for form in needed if found[form]]
    enough = _share_given(gold, needed, present) >= _share_wanted(gold, needed)
    if not enough or any(form[0].isdigit() and not found[form] for form in needed):
        return
    places = sorted((place, form) for form in present for place in found[form])
    best: tuple[int, int] | None = None
    for begin, (start, _) in enumerate(places):
        seen: set[str] = set()
        for place, form in places[begin:]:
            if place - start >= spread:
                break
            seen.add(form)
            if len(seen) == len(present):
                if best is None or place - start < best[1] - best[0]:
                    best = start, place
                break
    if best is not None:
        yield words.meaning[best[0]].first, words.meaning[best[1]].last


def _only_words_of(words: AnswerWords, gold: GoldWords, needed: list[str]) -> Iterator[tuple[int, int]]:
    """The whole answer, where it says nothing but words of the gold answer, the numbers and the first of a name."""
    said = {word.form for word in words.own}
    if not said <= set(needed) or len(said) < _SHORT_ANSWER * len(needed) or not gold.numerals <= said | words.asked:
        return
    if gold.sort == "name" and needed[0] not in said:
        return
    yield words.own[0].first, words.own[-1].last


def _may_be_paraphrased(words: AnswerWords, wording: str) -> bool:
    """Whether the answer may mean the same in words that no rule knows.

    Of a phrase it has some words and all numbers, of a list half; of "within", a function word alone, nothing is known.
    """
    parts = gold_words(wording)
    if not parts:
        return wording.islower() and all(len(word) > 1 and word in STOP_WORDS for word in value_words(wording))
    gold, *others = parts
    if others:
        found = [part for part in parts if any(words.find(form) for form in part.words)]
        return any(part.sort == "phrase" for part in parts) and 2 * len(found) >= len(parts)
    needed = [form for form in dict.fromkeys(gold.words) if form not in words.asked]
    given = [form for form in needed if words.find(form)]
    if gold.sort != "phrase" or len(needed) < 2 or not given:
        return False
    return gold.numerals.issubset([*given, *words.asked])
