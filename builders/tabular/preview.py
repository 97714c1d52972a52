"""What would be asked of a source, before anything is built: which column is what, examples, and what is left out."""

from collections import Counter
from collections.abc import Iterator, Sequence

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.reports.blocks import Block, Column, Table, Text, foreign
from benchwright.benchmarks.reports.format import count, number_of
from benchwright.benchmarks.types import Question
from benchwright.builders.base import BuildRequest
from benchwright.builders.tabular.build import nothing_asked, sampled
from benchwright.builders.tabular.ready import Ready, get_ready
from benchwright.builders.tabular.rows import SORTS, sort_of

_EXAMPLES = 8
_COLUMNS = 30
_LONGEST = 120
"""Characters of a text that are shown."""


def preview(request: BuildRequest) -> Sequence[Block]:
    """Blocks that show what `build` would ask, from all rows. See `preview` in `builders/base.py`."""
    ready = get_ready(request, lambda documents: None)
    examples: list[Question] = []
    sorts: Counter[str] = Counter()
    for question in sampled(ready, request):
        ready.documents.flush()
        sorts[sort_of(question)] += 1
        if len(examples) < _EXAMPLES:
            examples.append(question)
    if not examples:
        raise BenchwrightError(nothing_asked(ready))
    return [_summary(ready, sorts), _columns(ready), _examples(examples), *_left_out(ready)]


def _summary(ready: Ready, sorts: Counter[str]) -> Text:
    parts = [f"{count(sorts[sort])} {sort.replace('_', ' ')}" for sort in SORTS if sorts[sort]]
    asked = f"{number_of(sorts.total(), 'question')} of {number_of(ready.reader.count, 'row')} would be asked"
    return Text(f"{asked} ({', '.join(parts)}), with {number_of(ready.documents.count, 'document')}.")


def _columns(ready: Ready) -> Table:
    """Which column is what."""
    columns = ready.columns
    rows = [
        (what, foreign(column, _LONGEST), "guessed by its name" if what in columns.guessed else "said")
        for what, column in columns.told().items()
    ]
    rows += [("not read", foreign(column, _LONGEST), "") for column in columns.unread[:_COLUMNS]]
    names = ("what", "column", "how it is known")
    return Table(f"Columns ({ready.source.form})", tuple(Column(name, "left") for name in names), tuple(rows))


def _examples(questions: Sequence[Question]) -> Table:
    """The first questions."""
    rows = [
        (
            foreign(each.question, _LONGEST),
            foreign(_gold(each), _LONGEST),
            count(len(each.documents)),
            count(len(each.evidence)),
        )
        for each in questions
    ]
    columns = (Column("for example", "left"), Column("answer", "left"), Column("documents"), Column("evidence"))
    return Table("The first questions", columns, tuple(rows))


def _gold(question: Question) -> str:
    """What is right, as people write it."""
    if question.answerability == "unanswerable":
        return "(unanswerable)"
    others = [" or ".join([answer, *forms]) for answer, forms in zip(question.answers, question.aliases, strict=True)]
    return "; ".join(others) or "(not known)"


def _left_out(ready: Ready) -> Iterator[Block]:
    """What would not be asked or used, why, and where the first of it is."""
    left_out = ready.reader.left_out
    counts = (*left_out.rows.most_common(), *left_out.details.most_common())
    rows = [
        (foreign(reason, _LONGEST), count(number), foreign(", ".join(left_out.places[reason]), _LONGEST))
        for reason, number in counts
    ]
    if rows:
        columns = (Column("left out", "left"), Column("how many"), Column("the first", "left"))
        yield Table("Left out, and why", columns, tuple(rows))
