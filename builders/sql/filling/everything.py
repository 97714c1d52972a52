"""All fillings of templates, in parts of which each is small enough to be written at once."""

from collections.abc import Iterator, Sequence

from benchwright.benchmarks.releases.budget import BATCH_ROWS
from benchwright.builders.sql.filling.fill import Filler
from benchwright.builders.sql.filling.fillings import Fillings
from benchwright.builders.sql.filling.questions import WordedTemplate
from benchwright.builders.sql.filling.usual import Usual, usual_answer


class Everything:
    """All groups of templates."""

    undrawn: frozenset[str] = frozenset()
    coverage = None

    def __init__(self, filler: Filler) -> None:
        self._filler = filler

    def look(self, templates: Sequence[WordedTemplate]) -> Iterator[tuple[WordedTemplate, Usual]]:
        """What the answers of templates are like: the database counts them all."""
        for worded in templates:
            yield worded, usual_answer(self._filler, worded.sql)

    def fill(self, templates: Sequence[WordedTemplate]) -> Iterator[tuple[WordedTemplate, Fillings]]:
        """All fillings, in the order of the templates."""
        for worded in templates:
            self._filler.counts.pop(worded.sql.id, None)
            for fillings in self._filler.fill(worded.sql, max(1, BATCH_ROWS // len(worded.wordings))):
                yield worded, fillings
