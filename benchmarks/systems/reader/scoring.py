"""How well a value of a sentence fits a question: the words around it, its kind, and the names nearby."""

from collections.abc import Mapping, Sequence

from benchwright.benchmarks.grounding.chunking import Passage
from benchwright.benchmarks.systems.reader.kinds import is_role
from benchwright.benchmarks.systems.reader.parsed_question import Asked, Want
from benchwright.benchmarks.systems.reader.passages import Sentence, Value, read_passage, roots
from benchwright.benchmarks.systems.reader.vocabulary import listed
from benchwright.benchmarks.text.words import root

_WORD_WEIGHT = 2.0
"""What it counts that a sentence has a word of what is asked, or one that says the same."""
_NAMED_HERE, _NAMED_ABOVE, _NAMED_AROUND, _TITLED = 8.0, 6.0, 9.0, 5.0
"""What it counts that a sentence, one before it, its passage, or its document's title names what is asked about."""
_TITLE_HOLDS = 1.0
"""How near a name of the title is to every sentence."""
_OWN = 0.3
"""What it counts besides that it has the very word."""
_NEAR = 20
"""Characters between a value and a word at which the word counts half for it."""
_BETWEEN = 0.6
"""What remains of it where another value of the kind, or an "and", stands between them."""
_STRAY, _LABEL = 0.4, 1.0
"""What it costs that a label has a word that nobody asked for, and counts that it has none."""
_UNIT, _SORT, _LONG_NAME = 1.0, 1.5, 0.6
"""What it counts that a number has the unit asked for, "X is a Y" tells what sort X is, a name has several words."""
_SAYS_IT = 1.5
"""What it counts that a name has the word that is asked for: "Nobel Prize" is a prize."""
_MEASURE, _NO_MEASURE = 1.0, 3.0
"""What it counts that a number measures what is asked for, and costs that it measures something else."""
_NAMED_SORT, _OTHER_SORT = 0.7, 3.0
"""The same of names: that they name a person, an organisation, a building."""
_ODD = 1.0
"""What it costs to be hardly a value of the kind."""
_SURE_KINDS = ("place",)
"""Kinds of which a value is an answer even where no word of its sentence says so."""
_TEXTUAL = ("name", "place", "phrase", "sort", "role")
_NAME_ROOT = frozenset((root("name"),))


def rarity(names: frozenset[str], passages: Sequence[Passage]) -> dict[str, float]:
    """How much each word of a name tells: less, the more sentences have it."""
    counts = dict.fromkeys(names, 0)
    for passage in passages:
        for sentence in read_passage(passage):
            for name in names & sentence.words:
                counts[name] += 1
    weights = {name: max(count, 1) ** -0.5 for name, count in counts.items()}
    total = sum(weights.values())
    return {name: weight / total for name, weight in weights.items()}


def named(names: Mapping[str, float], sentence: Sentence) -> float:
    """How much of the names a sentence and its surroundings have."""
    total = 0.0
    for name, weight in names.items():
        if name in sentence.around:
            near = max(sentence.above.get(name, 0.0), _TITLE_HOLDS if name in sentence.title else 0.0)
            here = _NAMED_HERE if name in sentence.words else _NAMED_ABOVE * near
            total += weight * (_NAMED_AROUND + here + (_TITLED if name in sentence.title else 0.0))
    return total


def _fit(want: Want, sentence: Sentence, value: Value) -> tuple[float, bool]:
    """How well the words around a value say that it is what is asked for, and whether any does."""
    total, is_said = 0.0, False
    for group, weight in want.groups:
        if not group.isdisjoint(value.implied) or (value.span.unit and not group.isdisjoint(value.roots)):
            total += weight * (_WORD_WEIGHT + 1.0)
            is_said = is_said or weight == 1.0
        elif not group.isdisjoint(sentence.words):
            is_own = not want.own.isdisjoint(group & sentence.words)
            total += weight * (_WORD_WEIGHT + _nearness(group, sentence, value) + (_OWN if is_own else 0.0))
            is_said = is_said or weight == 1.0
    return total, is_said


def _nearness(group: frozenset[str], sentence: Sentence, value: Value) -> float:
    span, best = value.span, 0.0
    for word, start, end in sentence.places:
        if word in group and not span.start <= start < span.end:
            near = _NEAR / (_NEAR + max(span.start - end, start - span.end, 0))
            if near > best:
                first, last = (end, span.start) if end <= span.start else (span.end, start)
                between = " and " in sentence.text[first:last] or any(
                    each.span.kind == span.kind and first <= each.span.start and each.span.end <= last
                    for each in sentence.values
                )
                best = max(best, near * _BETWEEN if between else near)
    return best


def _suits(want: Want, value: Value, names: frozenset[str]) -> float:
    """How well a value itself is of the sort that is asked for."""
    span, total = value.span, value.standing
    if span.kind == "sort" and want.is_sort and "role" not in want.kinds:
        total += _SORT
    if span.kind == "name":
        total += _LONG_NAME if " " in span.text else 0.0
        total += 0.0 if value.roots.isdisjoint(want.own) else _SAYS_IT
    if want.named and value.named:
        total += _NAMED_SORT if want.named == value.named else -_OTHER_SORT
    if want.unit and span.unit == want.unit:
        total += _UNIT
    if want.measure and value.measure:
        total += _MEASURE if want.measure == value.measure else -_NO_MEASURE
    total -= _ODD * _oddness(want, value)
    if span.label is not None:
        known = _NAME_ROOT.union(*(group for group, _ in want.groups))
        stray = len(roots(span.label) - known - names)
        total += -_STRAY * stray if stray else _LABEL
    return total


def _oddness(want: Want, value: Value) -> float:
    """How little a value looks like one: a number in words, a phrase with figures, a name where none is asked."""
    kind, text = value.span.kind, value.span.text
    if kind == "number":
        return 0.0 if value.has_figures else 1.0
    if kind not in ("phrase", "sort"):
        return 0.0
    odd = 2.0 if value.has_figures else 0.0
    if value.span.label is not None:
        return odd
    odd += 2.0 if "name" not in want.kinds and text[:1].isupper() else 0.0
    odd += 1.5 if want.kinds.get("role", 0.0) > 1.0 and not is_role(text) else 0.0
    odd += 3.0 if not want.is_sort and not value.roots.isdisjoint(want.own) else 0.0
    odd += 0.7 if text.endswith("ing") and kind == "sort" and " " not in text else 0.0
    odd += 4.0 if text in listed("things") else 0.0
    return odd + (1.0 if any(not group.isdisjoint(value.roots) for group, _ in want.groups) else 0.0)


def _repeats(asked: Asked, want: Want, value: Value, names: frozenset[str]) -> bool:
    """Whether a value only repeats the question, or names what is asked about."""
    span = value.span
    if span.kind == "sort" and want.is_sort and "role" not in want.kinds:
        return value.roots <= names | want.own
    if span.kind in _TEXTUAL and span.label is None:
        if not value.roots or not value.roots.isdisjoint(names) or value.roots <= asked.said:
            return True
        return span.kind in ("phrase", "sort") and value.roots <= want.own
    return span.kind == "name" and value.roots <= names


def _may_answer(asked: Asked, want: Want, names: frozenset[str], value: Value) -> bool:
    """Whether a value is of a kind that is asked for, and no repetition."""
    kind = "phrase" if value.span.kind == "sort" else value.span.kind
    return want.kinds.get(kind, 0.0) > 0.0 and not _repeats(asked, want, value, names)


def best_of(asked: Asked, want: Want, names: frozenset[str], sentence: Sentence) -> tuple[float, Value] | None:
    """The value of a sentence that is asked for, and how well it fits; none where nothing says that it is."""
    best: tuple[float, Value] | None = None
    is_here = want.named is not None and names <= sentence.words
    is_told = want.is_sort and not names.isdisjoint(sentence.words)
    is_spoken_of = any(not group.isdisjoint(sentence.cues) for group, _ in want.groups)
    if not (is_spoken_of or is_told or is_here or any(kind in want.kinds for kind in _SURE_KINDS)):
        return None
    lists = {each.span.list for each in sentence.values if each.span.list >= 0 and not each.roots.isdisjoint(names)}
    beside = [(each.span.start, each.span.end) for each in sentence.values if each.span.list in lists]
    for value in sentence.values:
        span = value.span
        if span.list in lists or not _may_answer(asked, want, names, value):
            continue
        if span.kind == "phrase" and any(start < span.end and span.start < end for start, end in beside):
            continue
        fit, is_said = _fit(want, sentence, value)
        is_sure = span.kind in _SURE_KINDS or (is_told and span.kind == "sort")
        if not (is_said or is_sure or (is_here and want.named == value.named)):
            continue
        weight = want.kinds["phrase" if span.kind == "sort" else span.kind] + fit + _suits(want, value, names)
        if best is None or weight > best[0] + 1e-9:
            best = (weight, value)
    return best
