"""Whether a wording that a model proposes can be used: its placeholders, length and form, what else it says, and by
rule whether it asks for what its SQL template asks for."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from benchwright.benchmarks.grounding.sql import PLACEHOLDER, SqlTemplate
from benchwright.builders.sql.vocabulary import Vocabulary
from benchwright.builders.sql.wording.by_rule import LONG_DISTANCE, LONG_WORDS, count_words
from benchwright.builders.sql.wording.kinds.sense import KindSense
from benchwright.builders.sql.wording.kinds.twin import kind_problem, without_figures
from benchwright.builders.sql.wording.meaning import Meaning
from benchwright.builders.sql.wording.sense import Sense
from benchwright.builders.sql.wording.skeleton import distance, mask, skeleton, words_of
from benchwright.builders.sql.wording.text_checks import Problem, text_problems
from benchwright.builders.sql.wording.twin import twin_problem

SHORT_WORDS, SHORT_MORE, SHORT_OF_KIND = 9, 3, 8
"""The most words of a short wording on one table, and more for each further one, and where something is reckoned, which
takes words for a figure, an end or how it is rounded; what a table or column is called counts as one word. GRAMMAR's
Appendix C wants fragments and gives no number: this is what the longest ones of the built-in writer take."""
OTHER_WORDS, LONGEST_WORDS = 60, 120
"""The most words of a wording of another form, and of a long one."""
MOST_SIGNS, LONGEST_WORD = 2_000, 60
"""The most characters of a wording, and of one of its words."""
SURPLUS = "is more than was asked for"

_SQL = re.compile(r"""\b(?:SELECT|WHERE|JOIN|INNER|DISTINCT|FROM)\b|(?:=|(?<!\w)[<>])\s*['"‘“]?\[|```""")
_MARKS = re.compile(r"\x00[CP]\x00")


@dataclass
class WordingChecker:
    """Checks the wordings of one SQL template in one form, one after the other; keeps those that can be used."""

    template: SqlTemplate
    form: str
    words: frozenset[str]
    """What the tables and columns are called."""
    wanted: int
    sense: Sense | None = None
    """What the template asks, for the checker by rule; None of a template that it does not read."""
    of_kind: KindSense | None = None
    """The same of a template of a kind beside lookups."""
    kept: list[str] = field(default_factory=list)
    read: set[str] = field(default_factory=set)
    """Wordings that a model read back."""
    _skeletons: list[tuple[str, ...]] = field(default_factory=list)

    @property
    def missing(self) -> int:
        """How many wordings are still wanted."""
        return self.wanted - len(self.kept)

    def add(self, wording: str) -> Problem | None:
        """Keeps a wording, or says why not."""
        problem = self.check(wording)
        if problem is None:
            self.keep(wording)
        return problem

    def check(self, wording: str) -> Problem | None:
        """Why a wording cannot be used beside those that are kept."""
        return next(self._problems(wording), None)

    def keep(self, wording: str) -> None:
        """Keeps a wording that was checked."""
        text = " ".join(wording.split())
        self.kept.append(text)
        self._skeletons.append(skeleton(text, self.words))

    def _problems(self, wording: str) -> Iterator[Problem]:
        if not wording.strip():
            yield Problem("is empty")
        if len(wording) > MOST_SIGNS or max(map(len, PLACEHOLDER.sub("", wording).split()), default=0) > LONGEST_WORD:
            yield Problem("is too long", f"at most {MOST_SIGNS:,} characters, and {LONGEST_WORD} in a word")
            return  # what follows takes long to read such a text
        if len(wording.strip().splitlines()) > 1:
            yield Problem("has a line break")
        text = " ".join(wording.split())
        if not text.isprintable():
            yield Problem("has a character that cannot be shown")
        yield from self._placeholders(text)
        if _SQL.search(text):
            yield Problem("holds SQL")
        yield from self._identifiers(text)
        yield from self._length(text)
        if self.form == "interrogative" and not text.endswith("?"):
            yield Problem("is no question")
        is_truth = self._asks_truth
        if self.form == "directive" and text.endswith("?") and not (is_truth and ":" in text):
            yield Problem("is a question")
        shown = without_figures(self.of_kind, text) if self.of_kind else text
        yield from text_problems(shown, self.form, self.words, is_truth=is_truth)
        if (problem := self._twin(text)) is not None:
            yield problem
        yield from self._likeness(text)
        if not self.missing:
            yield Problem(SURPLUS)

    @property
    def _asks_truth(self) -> bool:
        """Whether yes or no is what is asked for."""
        if self.of_kind is not None:
            return self.of_kind.kind == "yes_no" or self.of_kind.plain.is_truth
        return self.sense is not None and self.sense.is_truth

    def _twin(self, text: str) -> Problem | None:
        """What the checker by rule finds."""
        if self.of_kind is not None:
            return kind_problem(self.of_kind, text, self.form)
        return self.sense and twin_problem(self.sense, text, self.form)

    def _placeholders(self, text: str) -> Iterator[Problem]:
        there = Counter((table.lower(), column.lower()) for table, column in PLACEHOLDER.findall(text))
        for item in self.template.placeholders:
            count = there.pop((item.table.lower(), item.column.lower()), 0)
            if not count:
                yield Problem("lacks a placeholder", item.text)
            if count > 1:
                yield Problem("has a placeholder twice", item.text)
        for table, column in there:
            yield Problem("has a placeholder of something else", f"[{table}.{column}]")
        if re.search(r"[\[\]]", PLACEHOLDER.sub("", text)):
            yield Problem("has brackets that are no placeholder")

    def _identifiers(self, text: str) -> Iterator[Problem]:
        """Names that only the database uses: with an underscore or a capital inside, or `table.column`."""
        outside = PLACEHOLDER.sub(" ", text)
        for item in sorted(self.template.columns, key=lambda item: (item.table, item.column)):
            for name in (f"{item.table}.{item.column}", item.table, item.column):
                odd = re.search(r"[_.]|[a-z][A-Z]", name) and name not in self.words
                if odd and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", outside):
                    yield Problem("names a table or column as the database does", name)

    def _length(self, text: str) -> Iterator[Problem]:
        if not re.search(r"[^\W\d_]", PLACEHOLDER.sub("", text)):
            yield Problem("says nothing beside its placeholders")
        count, (least, most) = self._count(text), limits(self.template, self.form)
        if count < least:
            yield Problem("is too short", f"{count} words, at least {least}")
        if count > most:
            yield Problem("is too long", f"{count} words, at most {most}")

    def _count(self, text: str) -> int:
        if self.form != "short":
            return count_words(text)
        return len(re.findall(r"\w+(?:['’.-]\w+)*", re.sub(r" ['’]s\b", "", _MARKS.sub("x", mask(text, self.words)))))

    def _likeness(self, text: str) -> Iterator[Problem]:
        own = skeleton(text, self.words)
        for other, there in zip(self.kept, self._skeletons, strict=True):
            far = distance(own, there)
            if own == there or (self.form == "long" and far < LONG_DISTANCE):
                yield Problem("is like another", other)


def limits(template: SqlTemplate, form: str) -> tuple[int, int]:
    """The least and the most words of a wording."""
    if form == "long":
        return LONG_WORDS, LONGEST_WORDS
    more = SHORT_OF_KIND if template.declared not in ("", "lookup", "filter") else 0
    return 1, SHORT_WORDS + SHORT_MORE * (len(template.tables) - 1) + more if form == "short" else OTHER_WORDS


def names_in(template: SqlTemplate, vocabulary: Vocabulary, meaning: Meaning | None) -> frozenset[str]:
    """What the tables and columns of a template are called."""

    def found() -> Iterable[str]:
        for table in template.tables.values():
            yield vocabulary.noun(table)
        for item in template.columns:
            yield vocabulary.column(item.table, item.column)
            yield vocabulary.role(item.table, item.column)

    return frozenset(found()) | (words_of(meaning) if meaning else frozenset())
