"""Why a question has no answer: a name that nothing has, a fact that is not there, or a false premise; and whether
pages bear that out. The build and the proof of a release call the same."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from benchwright.benchmarks.grounding.database import Database
from benchwright.benchmarks.grounding.sql import SqlTemplate
from benchwright.benchmarks.grounding.sqlite_file import quoted
from benchwright.benchmarks.text.folding import fold
from benchwright.builders.spider.facts import FactKey, Need
from benchwright.builders.spider.needs import facts_of, rows_looked_at
from benchwright.builders.spider.profile import Profile, page_id
from benchwright.builders.spider.reading import Reading
from benchwright.builders.spider.strangers import Strangers
from benchwright.builders.spider.ways import Way
from benchwright.builders.sql.proofs.filled import literal_text
from benchwright.builders.sql.vocabulary import Vocabulary

Pages = Mapping[str, tuple[Profile, str]]
"""Document → the profile of its row, and its text."""


@dataclass(frozen=True)
class Absence:
    """Why a question has no answer: one of these has something."""

    names: tuple[str, ...] = ()
    """What is called so is nowhere in the database."""
    blank: tuple[Need, ...] = ()
    """Facts that hold nothing."""
    denied: tuple[Need, ...] = ()
    """Facts that say something else than the question takes for granted."""

    def __bool__(self) -> bool:
        return bool(self.names or self.blank or self.denied)


def absence_of(database: Database, template: SqlTemplate, way: Way, literals: Sequence[str]) -> Absence:
    """Why a question of a template of the kind `unanswerable` has no answer.

    Args:
        database: what is asked.
        template: of that kind.
        way: which facts its rows have; see `way_of`.
        literals: SQL of the value of each placeholder, in the template's order.

    Raises:
        BenchwrightError: the database refuses a query.
    """
    tables: dict[str, list[tuple[str, str]]] = {}
    for item, literal in zip(template.placeholders, literals, strict=True):
        tables.setdefault(item.table, []).append((item.column, literal))
    unknown = []
    for table, known in tables.items():
        equal = " AND ".join(f"{quoted(column)} = {literal}" for column, literal in known)
        if not database.all(f"SELECT 1 FROM {quoted(table)} WHERE {equal} LIMIT 1"):
            unknown.append(" ".join(literal_text(literal) for _, literal in known))
    if unknown:
        return Absence(names=tuple(unknown))
    facts = [fact for row in rows_looked_at(database, template, way, literals) for fact in facts_of(way, row)]
    if len(way.given) == len(template.placeholders):
        return Absence(blank=tuple(dict.fromkeys(need for need, is_held in facts if not is_held)))
    return Absence(denied=tuple(dict.fromkeys(need for need, _ in facts if need[0][0] != "cell")))


@dataclass
class Silence:
    """Looks whether pages bear out that a question has no answer."""

    pages: Pages
    stated: Iterable[FactKey]
    """The facts that pages state."""
    strangers: Strangers
    vocabulary: Vocabulary

    def __post_init__(self) -> None:
        self._texts = {name: fold(f"{profile.name}\n{text}").casefold() for name, (profile, text) in self.pages.items()}
        self._stated = frozenset(self.stated)

    def problem(self, absence: Absence) -> str:
        """What pages say all the same; nothing where they bear it out."""
        if not absence:
            return "nothing shows that it has no answer"
        for name in absence.names:
            said = fold(name).casefold()
            if any(said in text for text in self._texts.values()):
                return "a page holds a name that nothing has"
        for (_, table, column, *_), rows in absence.blank:
            label = self.vocabulary.column(table, column)
            for row in rows:
                profile, text = self.pages.get(page_id(row), (None, ""))
                if profile is not None and Reading(profile, text).gives_a_value(label, self.strangers):
                    return "a page gives a value that is not there"
        if absence.denied and not any(key in self._stated for key, _ in absence.denied):
            return "no page denies what the question takes for granted"
        return ""
