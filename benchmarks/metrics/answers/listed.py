"""Which elements of a list an answer names, and what it names besides, as far as that can be told."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from benchwright.benchmarks.metrics.answers.answer_text import read_answer_text
from benchwright.benchmarks.metrics.answers.assertion import belongs_elsewhere, in_question, restates, statuses_of
from benchwright.benchmarks.metrics.answers.judged_answer import Asked, JudgedAnswer, beside
from benchwright.benchmarks.metrics.answers.list_parts import MOST, ListParts, Table, is_refusing, list_parts
from benchwright.benchmarks.metrics.answers.mentions import Mention, find_mentions
from benchwright.benchmarks.metrics.answers.stated import stated_elements
from benchwright.benchmarks.metrics.answers.values import word_lists
from benchwright.benchmarks.text.folding import value_words
from benchwright.benchmarks.text.numbers import NUMBER_WORDS
from benchwright.benchmarks.text.sentences import COUNTED

_HEAD = re.compile(r"\s*(?:[:(,|=]|\s[-–—]+\s).*", re.DOTALL)
"""What follows the name at the beginning of an item."""
_COARSE, _FINE = (
    re.compile(r"\s*;\s*(?:and\s+)?"),
    re.compile(r"\s*(?:,(?!\d{3}\b)(?:\s*(?:and|or)\b)?|\band\b|\bor\b|/)\s*"),
)
_EXCLUDED = re.compile(
    r"[^.;]{0,80}?\b(?:excluded|omitted|left out|ruled out|not (?:included|counted|listed|among|part)"
    r"|does(?: not|n't) (?:belong|count|qualify)|instead(?! of))\b",
    re.IGNORECASE,
)
"""After a name that is given only to say that it is no element."""
_CONTRAST = re.compile(r",\s*(?:on the other hand|however|by contrast|in contrast|instead|meanwhile|though)\b")
_REST = re.compile(
    r"\b(?:others?|more|rest|remaining|remainder|additional|further|complete|full|entire|exhaustive|all)\b",
    re.IGNORECASE,
)
_PARENTHESIS = re.compile(r"\([^()]*\)")
_LEAD = re.compile(
    r".*(?::|\b(?:is|are|was|were|include|includes|including|included|namely|consists? of|made up of))\s+"
)
_MORE_WORDS = 4
"""Words that a name which is none of the gold ones may have more than the longest of those."""
_FEWEST_WORDS = 8
_PIECE = 10_000
"""Characters of a sentence that are read together."""


@dataclass(frozen=True, slots=True)
class ListedElements:
    """How an answer stands to a list."""

    named: frozenset[str]
    """Keys of the elements (see `Gold`) that it asserts."""
    missing: tuple[str, ...]
    """The others of the gold elements."""
    others: tuple[str, ...]
    """What it names besides, each once, as it is worded there."""
    is_undecided: bool
    """A missing element may be there in words that no rule knows, or by a part of its name."""


def listed_elements(answer: str, asked: Asked) -> ListedElements:
    """What an answer names of a list and besides it.

    An element counts in any accepted form, wherever the answer asserts it. Besides it counts what the answer asserts of
    the template's other values, and what stands where an element would: as a bullet, a cell of the column that holds
    the elements, a text of a JSON list, or between commas and "and" in a sentence that lists elements. What is denied,
    the question's own words and longer prose are none. Of more than 400,000 characters the first are read, and of more
    than 5,000 items.

    Args:
        answer: what the system said.
        asked: the question, its list and the values that could be confused with its elements.
    """
    parts = list_parts(answer)
    named, undecided, others = set[str](), False, dict[tuple[str, ...], str]()
    if prose := "\n".join(parts.prose):
        stated = stated_elements(_without_rest(prose), asked)
        named |= {key for key, how in stated.found.items() if how == "full"}
        undecided = bool(stated.undecided)
        for sentence in _sentences(parts):
            for other in islice(_in_sentence(sentence, asked), max(0, MOST - len(others))):
                found = _item(other, asked)
                others |= {value_words(other): other} if found is None else {}
                named |= found or set()
    for items in (parts.items, *(_column(table, asked) for table in parts.tables)):
        for item in items:
            found = _item(item, asked)
            if found is None:
                other = _head(item, asked)
                others |= {value_words(other): other} if other else {}
            else:
                named |= found
    missing_words = [value_words(each.item[0]) for each in asked.gold.elements if each.key not in named]
    partly = {words for words in others if any(set(words) < set(whole) for whole in missing_words)}
    named_words = [set(value_words(each.item[0])) for each in asked.gold.elements if each.key in named]
    again = {words for words in others if any(set(words) <= element for element in named_words)}
    others = {words: other for words, other in others.items() if words not in partly | again}
    missing = tuple(dict.fromkeys(each.item[0] for each in asked.gold.elements if each.key not in named))
    return ListedElements(frozenset(named), missing, tuple(others.values()), bool(missing and (undecided or partly)))


def _without_rest(prose: str) -> str:
    """A text without sentences that only say that the rest of a list is not known, for the others stand."""
    if not _REST.search(prose):
        return prose
    sentences = [prose[start:end] for start, end in COUNTED.spans(prose)]
    kept = [each for each in sentences if not (_REST.search(each) and read_answer_text(each).abstains)]
    return "\n".join(kept) or prose


def _sentences(parts: ListParts) -> Iterator[str]:
    for text in parts.prose:
        for start, end in COUNTED.spans(text):
            while end - start > _PIECE:
                cut = max(text.rfind(",", start, start + _PIECE), text.rfind(" ", start, start + _PIECE))
                cut = cut + 1 if cut > start else start + _PIECE
                yield text[start:cut]
                start = cut
            yield text[start:end]


def _column(table: Table, asked: Asked) -> tuple[str, ...]:
    """The column of a table that holds most elements; of equal ones the first. What may be its head is no element.

    Of one row alone, all cells where several are elements: a list with bars between.
    """
    cells = tuple(column[0] for column in table.columns if len(column) == 1)
    if len(cells) == len(table.columns) and sum(bool(_item(cell, asked)) for cell in cells) > 1:
        return cells
    found = max(table.columns, key=lambda column: sum(bool(_item(cell, asked)) for cell in column), default=())
    return found[1:] if table.may_have_head and len(found) > 1 and not _item(found[0], asked) else found


def _item(item: str, asked: Asked) -> set[str] | None:
    """The elements that an item names: none where it only denies or hedges them; None where it names something else."""
    found = stated_elements(item, asked).found
    if all(how == "none" for how in found.values()):
        return set() if is_refusing(item) or read_answer_text(item).abstains else None
    return {key for key, how in found.items() if how == "full"}


def _head(item: str, asked: Asked) -> str:
    """The name with which an item that names no element begins; empty where it is none."""
    name = _HEAD.sub("", item.strip(" *_`\"'")).strip(" *_`\"'.")
    words = value_words(name)
    return name if words and len(words) <= _most_words(asked) and not _is_asked(words, asked) else ""


def _most_words(asked: Asked) -> int:
    longest = max((len(value_words(each.item[0])) for each in asked.gold.elements), default=1)
    return max(_FEWEST_WORDS, longest + _MORE_WORDS)


def _is_asked(words: Sequence[str], asked: Asked) -> bool:
    """Whether a name is made of the question's words."""
    question = value_words(asked.question)
    return set(words) <= {*question, *word_lists("names")["sorts"]}


def _in_sentence(sentence: str, asked: Asked) -> Iterator[str]:
    """What a sentence names besides the gold elements."""
    judged = beside(read_answer_text(sentence), asked)
    if judged.abstains or sentence.endswith("?"):
        return
    mentions = [each for each in find_mentions(judged) if not (each.is_gold and restates(judged, each))]
    gold = [each for each in mentions if each.is_gold]
    for mention, status in zip(mentions, statuses_of(judged, mentions), strict=True):
        is_elsewhere = belongs_elsewhere(judged, mention, gold) if gold else in_question(judged, mention)
        is_out = _EXCLUDED.match(judged.text, mention.end) is not None
        if not mention.is_gold and status == "asserted" and not is_elsewhere and not is_out:
            yield judged.text[mention.start : mention.end]
    yield from _between_commas(judged, mentions, gold)


def _between_commas(judged: JudgedAnswer, mentions: Sequence[Mention], gold: Sequence[Mention]) -> Iterator[str]:
    """Names that stand in a row with the elements of a list, or, where there are none, in a list's place."""
    text = _masked(judged.text, mentions)
    asked_words = {*judged.question_text.words, *word_lists("names")["sorts"], *word_lists("lists")["beside"]}
    parts = list(_split(text))
    is_bare = all(_is_short(text[start:end]) for start, end in parts)
    if not (is_bare or gold or _LEAD.match(text)) or (len(parts) < 2 and gold):
        return
    for number, (start, end) in enumerate(parts):
        if is_refusing(text[start:end]):
            return
        if any(start <= each.start < end for each in mentions) or _CONTRAST.search(text[start:end]):
            continue
        name = _name(text[start:end], judged, is_whole=is_bare or number > 0)
        words = value_words(name)
        if _is_idle(words, judged):
            continue
        if words and not asked_words.issuperset(words) and len(words) <= _most_words_of(judged):
            yield name


def _is_idle(words: Sequence[str], judged: JudgedAnswer) -> bool:
    """Whether words name nothing where a list is announced or broken off; numbers do so in a list that has none."""
    idle = word_lists("lists")["idle"]
    has_figures = any(any(map(str.isdigit, each.item[0])) for each in judged.gold.elements)
    return all(word in idle or (not has_figures and (word.isdigit() or word in NUMBER_WORDS)) for word in words)


def _masked(text: str, mentions: Sequence[Mention]) -> str:
    """A text of the same length whose parentheses are blank and whose values hold no separator."""
    text = _PARENTHESIS.sub(lambda match: " " * len(match.group()), text)
    for each in mentions:
        text = text[: each.start] + "X" * (each.end - each.start) + text[each.end :]
    return text


def _split(text: str) -> Iterator[tuple[int, int]]:
    separator = _COARSE if ";" in text.rstrip("; .") else _FINE
    start = 0
    for match in separator.finditer(text):
        if text[start : match.start()].strip():
            yield start, match.start()
        start = match.end()
    if text[start:].strip(" ."):
        yield start, len(text)


def _is_short(part: str) -> bool:
    words = part.split()
    return len(words) <= _MORE_WORDS and words[0].lower() not in word_lists("lists")["beside"]


def _most_words_of(judged: JudgedAnswer) -> int:
    return max(_MORE_WORDS, *(len(value_words(each.item[0])) + 2 for each in judged.gold.elements))


def _name(part: str, judged: JudgedAnswer, *, is_whole: bool) -> str:
    """The name that a part of a sentence is, the whole part or its end; empty where it is none."""
    leading = _LEAD.match(part)
    part = (part[leading.end() :] if leading else part).strip(" .\"'!")
    if any(each.dates or each.numbers for each in judged.gold.elements):
        return part if _is_figure(part) else ""
    words, beside_lists = part.split(), word_lists("lists")["beside"]
    if not words or words[0].lower() in beside_lists:
        return ""
    if judged.text == judged.lowered or all(each.item[0][:1].islower() for each in judged.gold.elements):
        is_name = len(words) <= _MORE_WORDS and beside_lists.isdisjoint(map(str.lower, words))
        return part if is_name and (leading or is_whole) else ""
    run = _capitals(words)
    if run or is_whole:
        return " ".join(words[:run])
    back = _capitals(words[::-1])
    before = words[-back - 1].lower() if back < len(words) else ""
    return " ".join(words[len(words) - back :]) if back and before not in beside_lists else ""


def _is_figure(part: str) -> bool:
    read = read_answer_text(part)
    found = [*read.dates, *read.numbers]
    return bool(found) and all(word.isdigit() or not word.isalpha() or read.dates for word in read.words[:4])


def _capitals(words: Sequence[str]) -> int:
    """How many words from the first on are a name in capitals."""
    count, connecting = 0, word_lists("names")["particles"] | word_lists("names")["joining"]
    for number, word in enumerate(words):
        if word[0].isupper() or word[0].isdigit():
            count = number + 1
        elif word not in connecting or not number:
            break
    return count
