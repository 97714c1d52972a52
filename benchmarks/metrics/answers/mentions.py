"""The values that an answer names."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchwright.benchmarks.metrics.answers import cues
from benchwright.benchmarks.metrics.answers.gold import Element
from benchwright.benchmarks.metrics.answers.judged_answer import JudgedAnswer
from benchwright.benchmarks.metrics.answers.values import Hit, scan, word_lists
from benchwright.benchmarks.text import countries
from benchwright.benchmarks.text.dates import covers
from benchwright.benchmarks.text.folding import value_words, words
from benchwright.benchmarks.text.numbers import Number, same_value, scale_of, unit_of
from benchwright.benchmarks.text.times import find_times
from benchwright.benchmarks.text.variants import variant

_FOLLOWING = word_lists("numbers")["following"]
"""Words after a number that are not what it counts."""
_TIMES = word_lists("asks")["date"]
_NEAR = 40
"""Characters after a number in which the word for what it counts is looked for."""
_LARGE = 10_000
"""From here on a gold number may be rounded."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A value, named at a place of an answer."""

    start: int
    end: int
    keys: frozenset[str]
    sort: str
    """text, name, people, place, date or number."""
    is_gold: bool
    words: tuple[str, ...] = ()
    """How it is worded, where that is a text."""


def _changed(answer: JudgedAnswer, hit: Hit, start: int, end: int) -> bool:
    """Whether the words around make another value of it: "Senior" before a title, "State" after a college's town."""
    lists, lowered = word_lists("changes"), answer.lowered
    if _has_other_ending(answer, hit) or _goes_on_in_figures(lowered, start, end):
        return True
    country = hit.form.sort != "text"
    small = answer.text[start].islower()
    if hit.first and lowered[answer.spans[hit.first - 1][1] : start] in (" ", "-"):
        previous = answer.words[hit.first - 1]
        is_name = small or answer.is_capital(answer.spans[hit.first - 1][0])
        if (
            is_name
            and previous in lists["before"]
            and (not country or previous == "new" or hit.form.words[0][:7] == "america")
        ):
            return True
    if country:
        return False
    if (lowered[end : end + 1] == "-" and lowered[end + 1 : end + 2].isalpha()) or (
        start > 1 and lowered[start - 1] == "-" and lowered[start - 2].isalpha()
    ):
        return True
    rest = lowered[end:]
    if rest[:1] == " " and (small or answer.is_capital(min(end + 1, len(lowered) - 1))):
        after = rest[1:]
        if any(after.startswith(word) and not after[len(word) : len(word) + 1].isalpha() for word in lists["after"]):
            return True
    return _in_school(answer, hit, lists["schools"])


def _goes_on_in_figures(lowered: str, start: int, end: int) -> bool:
    """Whether what was found is a part of a longer figure: 15:00 in 15:00:30."""
    before, after = lowered[max(0, start - 2) : start + 1], lowered[end - 1 : end + 2]
    return any(
        len(part) == 3 and part[1] == ":" and part[0].isdigit() and part[2].isdigit() for part in (before, after)
    )


def _has_other_ending(answer: JudgedAnswer, hit: Hit) -> bool:
    """Whether "II" follows where the gold answer has "III" or "Jr."."""
    ranks = word_lists("names")["name_ranks"]
    if hit.last >= len(answer.words) or answer.words[hit.last] not in ranks:
        return False
    endings = [value_words(each.item[0])[-1:] for each in answer.gold.elements if each.key in hit.form.keys]
    return any(ending and ending[0] in ranks and ending[0] != answer.words[hit.last] for ending in endings)


def _in_school(answer: JudgedAnswer, hit: Hit, schools: frozenset[str]) -> bool:
    """Whether capital words lead from the hit to "University": "Northeastern" in "Northeastern Illinois University"."""
    for position in range(hit.last, min(hit.last + 3, len(answer.words))):
        start, before = answer.spans[position][0], answer.spans[position - 1][1]
        if answer.text[before:start] != " " or answer.text[start].islower():
            return False
        if answer.words[position] in schools:
            return position > hit.last
    return False


def _in_another_place(answer: JudgedAnswer, hit: Hit, end: int) -> bool:
    """Whether a state or country follows that is not the gold answer's: "Portland, Maine" for "Portland, Oregon"."""
    if answer.lowered[end : end + 2] != ", " or hit.last >= len(answer.words):
        return False
    for element in answer.gold.elements:
        if element.key in hit.form.keys and "," in element.item[0]:
            wanted = [value_words(part) for part in element.item[0].split(",")[1:]]
            for length in (3, 2, 1):
                following = tuple(answer.words[hit.last : hit.last + length])
                start, last = answer.spans[hit.last]
                code = length == 1 and last - start <= 3
                if countries.is_wider_place(following) and not (code and not answer.text[start:last].isupper()):
                    return not any(countries.may_be_same(following, part) for part in wanted)
    return False


def _inside_a_name(answer: JudgedAnswer, hit: Hit) -> bool:
    """Whether a single word is only part of a longer name: "Design" in "Design Manager"."""
    if hit.last - hit.first != 1 or not answer.has_capitals:
        return False
    lists = word_lists("names")
    for neighbour, gap in ((hit.first - 1, (hit.first - 1, hit.first)), (hit.last, (hit.last - 1, hit.last))):
        if not 0 <= neighbour < len(answer.words):
            continue
        between = answer.text[answer.spans[gap[0]][1] : answer.spans[gap[1]][0]]
        start, word = answer.spans[neighbour][0], answer.words[neighbour]
        starts = any(first <= start and not answer.text[first:start].strip(" \"'(") for first in answer.sentences)
        if between == " " and answer.text[start].isupper() and word not in lists["sorts"] and not starts:
            return True
    return False


def is_meant(answer: JudgedAnswer, hit: Hit) -> bool:
    """Whether the words found are this value: its case is right and it is not part of another name."""
    start, end = answer.spans[hit.first][0], answer.spans[hit.last - 1][1]
    form = hit.form
    if form.exact and answer.text[start:end] != form.exact:
        return False
    if form.capital and not answer.is_capital(start):
        return False
    return not _changed(answer, hit, start, end) and not _in_another_place(answer, hit, end)


def as_mention(answer: JudgedAnswer, hit: Hit) -> Mention:
    """A hit with its place."""
    start, end = answer.spans[hit.first][0], answer.spans[hit.last - 1][1]
    words = tuple(answer.words[hit.first : hit.last])
    return Mention(start, end, hit.form.keys, hit.form.sort, bool(hit.form.keys & answer.gold.keys), words)


def _text_mentions(answer: JudgedAnswer) -> list[Mention]:
    hits = scan(answer.words, *answer.indexes)
    return [
        as_mention(answer, hit)
        for hit in hits
        if is_meant(answer, hit)
        and (hit.form.keys & answer.gold.keys or hit.form.sort != "text" or not _inside_a_name(answer, hit))
    ]


def date_mentions(answer: JudgedAnswer) -> list[Mention]:
    """The dates that are gold, at least as exactly, or those of other values."""
    found = []
    for date in answer.answer_text.dates:
        keys = {
            element.key
            for element in answer.gold.elements
            if any(covers(day, wanted) for day in date.readings for wanted in element.dates)
        }
        if keys and _has_other_time(answer, keys):
            continue
        gold = bool(keys)
        keys |= {answer.values.dates[day] for day in date.readings if not gold and day in answer.values.dates}
        if not keys:
            continue
        bounded = cues.has("bound", answer.lowered[max(0, date.start - 30) : date.start])
        if not (gold and bounded):
            found.append(Mention(date.start, date.end, frozenset(keys), "date", gold))
    return found


def _has_other_time(answer: JudgedAnswer, keys: set[str]) -> bool:
    """Whether an answer has times of day, and none of them is that of the gold date, which has one."""
    wanted = [time for each in answer.gold.elements if each.key in keys for time in find_times(each.item[0].lower())]
    stated = find_times(answer.lowered) if wanted else []
    return bool(stated) and not any(time.is_same(other) for time in stated for other in wanted)


def _wanted_units(answer: JudgedAnswer) -> dict[str, float]:
    """The units that the gold answer or the question names: dimension and factor."""
    named = {
        number.dimension: number.factor
        for element in answer.gold.elements
        for number in element.numbers
        if number.dimension
    }
    return named or answer.question_text.units


def _equals(number: Number, element: Element, wanted: dict[str, float], answer: JudgedAnswer) -> bool:
    for gold in _comparable(number, element):
        factor = gold.factor if gold.dimension else wanted.get(number.dimension, number.factor)
        if gold.dimension and number.dimension and gold.dimension != number.dimension:
            continue
        stated = number.value * number.factor / factor if number.dimension else number.value
        readings = [stated]
        if number.scale and scale_of(number.scale) in [scale_of(word) for word in answer.question_text.words]:
            readings.append(number.unscaled)
        readings += [number.value * 1e6] if number.is_m and not gold.dimension else []
        if any(same_value(each, gold.value) for each in readings):
            return True
        if 2 <= number.digits < gold.digits and _is_approximate(answer, number):
            return any(_rounds(gold.value, each, number.digits) for each in readings)
        if answer.is_open and _is_rounded(number, gold, readings):
            return True
    return False


def _comparable(number: Number, element: Element) -> Sequence[Number]:
    """Of a gold value's forms those that a number can be compared with: 0.15 % is not 0.15 where that is also 15 %, and
    4 euros are not 4 where that is also 4 dollars."""
    same = [gold for gold in element.numbers if gold.dimension == number.dimension]
    if same:
        return same
    has_unit = any(gold.dimension and not gold.is_m for gold in element.numbers)
    return () if number.dimension and not number.is_m and has_unit else element.numbers


def _is_rounded(number: Number, gold: Number, readings: list[float]) -> bool:
    """Whether a gold number, large or a fraction, is the stated one, rounded; or one is the other in another unit."""
    if gold.dimension and number.dimension and number.factor != gold.factor:
        converted = gold.value * gold.factor / number.factor
        if number.digits > 1 and _rounds(converted, number.value, number.digits):
            return True
    elif gold.value < _LARGE and gold.value.is_integer():
        return False
    return 2 <= gold.digits < number.digits and any(_rounds(each, gold.value, gold.digits) for each in readings if each)


def _is_approximate(answer: JudgedAnswer, number: Number) -> bool:
    return cues.has("approximate", answer.lowered[max(0, number.start - 30) : number.start])


def _rounds(value: float, stated: float, digits: int) -> bool:
    return same_value(float(f"{value:.{digits - 1}e}"), stated)


def _is_range(lowered: str, number: Number) -> bool:
    after = lowered[number.end : number.end + 8]
    before = lowered[max(0, number.start - 24) : number.start]
    figure = any(character.isdigit() for character in after)
    if figure and after.lstrip()[:2] in ("to", "or") and after.lstrip()[2:3] == " ":
        return True
    if lowered[number.start : number.end + 1].find("+") > 0 or (after[:1] == "-" and after[1:2].isdigit()):
        return True
    words_before = before.split()
    return len(words_before) > 1 and words_before[-1] in ("to", "or") and words_before[-2][-1:].isdigit()


def _numbers_asked_for(answer: JudgedAnswer, wanted: dict[str, float]) -> list[Number]:
    """Of an answer's numbers those with a wanted unit, or else those that count nothing but what was asked.

    The only number of an answer is meant, whatever it counts, where the gold answer has no unit: 81 workers are 81. A
    number that the question has after the same word ("season 7") is not an answer.
    """
    numbers = [number for number in answer.answer_text.numbers if not _repeats_question(answer, number)]
    asked = answer.question_text.counted
    with_unit = [number for number in numbers if number.dimension in wanted]
    if with_unit:
        exact = [number for number in with_unit if unit_of(asked) == (number.dimension, number.factor)]
        return exact or with_unit
    wants_unit = any(number.dimension for each in answer.gold.elements for number in each.numbers)
    if len(numbers) == 1 and not wants_unit:
        return numbers
    if answer.is_open:
        counted = [number for number in numbers if asked and asked in _words_after(answer, number)]
        return [each for each in numbers if each in counted or each.noun in ("", *_FOLLOWING)] if counted else numbers
    bare = [
        each for each in numbers if not each.noun or each.noun in _FOLLOWING or each.noun in answer.question_text.words
    ]
    return bare or ([] if wants_unit else numbers[:1])


def _repeats_question(answer: JudgedAnswer, number: Number) -> bool:
    """Whether the same word stands before the number in the question: "in season 7"."""
    before = answer.lowered[: number.start].rsplit(maxsplit=1)[-1:]
    stated = answer.lowered[number.start : number.end]
    return bool(before) and before[0].isalpha() and f" {before[0]} {stated} " in f" {answer.question_text.lowered} "


def _words_after(answer: JudgedAnswer, number: Number) -> set[str]:
    if answer.lowered[number.end : number.end + 1] == "-":
        return set()
    return {variant(word) for word in words(answer.lowered[number.end : number.end + _NEAR])[:3]}


def _year_mentions(answer: JudgedAnswer) -> Iterator[Mention]:
    """The years of dates, where the gold answer is a year."""
    for date in answer.answer_text.dates:
        year = float(date.readings[0][0])
        keys = {
            element.key
            for element in answer.gold.elements
            if any(number.value == year and not number.dimension for number in element.numbers)
        }
        if keys:
            yield Mention(date.start, date.end, frozenset(keys), "number", True)
        elif year in answer.values.numbers:
            yield Mention(date.start, date.end, frozenset({answer.values.numbers[year]}), "number", False)


def _asks_for_year(answer: JudgedAnswer) -> bool:
    golds = [number for element in answer.gold.elements for number in element.numbers]
    years = bool(golds) and all(1000 <= each.value < 2200 and each.value.is_integer() for each in golds)
    return years and not _TIMES.isdisjoint(answer.question_text.words)


def number_mentions(answer: JudgedAnswer) -> list[Mention]:
    """The numbers that are gold or other values; where a year is asked for, those of dates too."""
    found = list(_year_mentions(answer)) if answer.answer_text.dates and _asks_for_year(answer) else []
    # Without a unit in the answer, those of the question make no difference: it need not be read.
    wanted = _wanted_units(answer) if any(number.dimension for number in answer.answer_text.numbers) else {}
    for number in _numbers_asked_for(answer, wanted):
        keys = {element.key for element in answer.gold.elements if _equals(number, element, wanted, answer)}
        if keys:
            if (answer.is_open or not _is_bound(answer, number)) and not (number.value == 1 and number.noun == "of"):
                found.append(Mention(number.start, number.end, frozenset(keys), "number", True))
        elif (key := answer.values.of_number(number)) is not None:
            found.append(Mention(number.start, number.end, frozenset({key}), "number", False))
    return found


def _is_bound(answer: JudgedAnswer, number: Number) -> bool:
    """Whether a number is an end of a range, or only what the value is more or less than."""
    undated = answer.answer_text.undated
    return _is_range(undated, number) or cues.has("bound", undated[max(0, number.start - 30) : number.start])


def find_mentions(answer: JudgedAnswer) -> list[Mention]:
    """The gold values and the values they could be confused with that an answer names, in order."""
    values = answer.values
    gold = values if answer.is_covered else answer.gold.values
    found = _text_mentions(answer) if gold.index or values.index else []
    has_dates, has_numbers = bool(gold.dates or values.dates), bool(gold.numbers or values.numbers)
    found += date_mentions(answer) if has_dates else []
    found += number_mentions(answer) if has_numbers else []
    return sorted(_outermost(found), key=lambda mention: mention.start) if len(found) > 1 else found


def _outermost(found: Sequence[Mention]) -> list[Mention]:
    """Mentions without those of other values that are a part of the gold answer's words: 8 in "8 to 10 octets"."""
    wholes = [mention for mention in found if mention.is_gold and mention.sort == "text"]
    return [
        each
        for each in found
        if each.is_gold or not any(whole.start <= each.start and each.end <= whole.end for whole in wholes)
    ]
