"""Templates that one answer nearly always fits: who always says it would be right without knowing anything.

Where all groups are wanted the database counts all rows, which the build reads anyway; where a sample is, some fillings
are drawn of each template and counted here.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from benchwright.benchmarks.grounding.sql import SqlTemplate
from benchwright.builders.sql.filling.fill import Filler

LEAST = 20
"""Answers that a template must have before one of them is called usual."""
_AT_ONCE = 10_000
LEAST_SAME = 4
"""Answers of which none differs that make the only one usual: the state in which all eight employees live."""


@dataclass(frozen=True)
class Usual:
    """The commonest answer of a template."""

    answer: str | None
    """None where there is no answer."""
    times: int
    answers: int
    """How many were counted, those with the commonest one among them."""
    distinct: int
    """Answers that differ."""

    @property
    def share(self) -> float:
        """Of all answers; 0 where there are none."""
        return self.times / self.answers if self.answers else 0.0

    def is_above(self, share: float) -> bool:
        """Whether one answer has more than this share of enough answers."""
        return self.answers >= (LEAST_SAME if self.distinct == 1 else LEAST) and self.share > share


NOTHING = Usual(None, 0, 0, 0)


def usual_among(answers: Sequence[Sequence[str]]) -> Usual:
    """The commonest of some answers; nothing where there are none to be had."""
    counted = Counter(tuple(answer) for answer in answers if answer)
    if not counted:
        return NOTHING
    answer, times = min(counted.items(), key=lambda item: (-item[1], item[0]))
    return Usual(", ".join(answer), times, counted.total(), len(counted))


def usual_answer(filler: Filler, template: SqlTemplate) -> Usual:
    """The commonest answer of a template among all its rows; of a kind by name among its fillings; else nothing of one
    that counts.

    Raises:
        BenchwrightError: the database refuses the query.
    """
    if template.declared:
        parts = replace(filler, counts={}).fill(template, _AT_ONCE)
        return usual_among([answer for part in parts for answer in part.answers.to_pylist()])
    if template.aggregates:
        return NOTHING
    names = [f"answer_{number}" for number in range(len(template.selected_sql))]
    answers = ", ".join(f"{sql} AS {name}" for sql, name in zip(template.selected_sql, names, strict=True))
    known = [
        f"{sql} IS NOT NULL" for sql in (*(item.compared_sql for item in template.placeholders), *template.selected_sql)
    ]
    where = " AND ".join(f"({item})" for item in (*template.conditions_sql, *known))
    listed = ", ".join(names)
    counted = (
        f"SELECT {listed}, COUNT(*) AS times FROM (SELECT {answers} {template.source_sql} WHERE {where}) AS asked "
        f"GROUP BY {listed}"
    )
    [[rows, distinct]] = filler.database.all(f"SELECT SUM(times), COUNT(*) FROM ({counted}) AS counted")
    if not rows:
        return NOTHING
    [[*answer, times]] = filler.database.all(f"{counted} ORDER BY times DESC, {listed} LIMIT 1")
    return Usual(", ".join(map(str, answer)), int(times), int(rows), int(distinct))
