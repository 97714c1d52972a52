"""Templates that one answer nearly always fits: who always says it would be right without knowing anything.

The database counts. Where all groups are wanted it counts all rows, which the build reads anyway; where a sample is,
the first ones alone, so that the count costs no more than the sample.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from benchwright.builders.sql.filling.fill import Filler
from benchwright.builders.sql.filling.questions import WordedTemplate

LEAST = 20
"""Answers that a template must have before one of them is called usual."""
LEAST_SAME = 4
"""Answers of which none differs that make the only one usual: the state in which all eight employees live."""
COUNTED = 100_000
"""Rows that are counted for a sample."""

log = logging.getLogger("benchwright")


@dataclass(frozen=True)
class Usual:
    """The commonest answer of a template."""

    answer: Any
    """None where there is no answer."""
    times: int
    answers: int
    """Rows with an answer, those with the commonest one among them."""
    distinct: int
    """Answers that differ."""

    @property
    def share(self) -> float:
        """Of all answers; 0 where there are none."""
        return self.times / self.answers if self.answers else 0.0


def usual_answer(filler: Filler, worded: WordedTemplate, limit: int = 0) -> Usual:
    """The commonest answer of a template, among its first `limit` rows (0: all); nothing of one that counts or selects
    several columns.

    Raises:
        BenchwrightError: the database refuses the query.
    """
    template = worded.sql
    if template.aggregates or len(template.selected_sql) != 1:
        return Usual(None, 0, 0, 0)
    answer = template.selected_sql[0]
    known = [f"{item.compared_sql} IS NOT NULL" for item in template.placeholders]
    where = " AND ".join(f"({item})" for item in (*template.conditions_sql, *known, f"{answer} IS NOT NULL"))
    rows = f"SELECT {answer} AS answer {template.source_sql} WHERE {where}" + (f" LIMIT {limit}" if limit else "")
    counted = f"SELECT answer, COUNT(*) AS times FROM ({rows}) AS asked GROUP BY answer"
    [[answers, distinct]] = filler.database.all(f"SELECT SUM(times), COUNT(*) FROM ({counted}) AS counted")
    if not answers:
        return Usual(None, 0, 0, 0)
    [[value, times]] = filler.database.all(f"{counted} ORDER BY times DESC, answer LIMIT 1")
    return Usual(value, int(times), int(answers), int(distinct))


def without_usual(
    filler: Filler, templates: Sequence[WordedTemplate], share: float, limit: int
) -> tuple[WordedTemplate, ...]:
    """The templates of which no answer has more than this share; the others are named in the log."""
    kept = []
    for worded in templates:
        usual = usual_answer(filler, worded, limit)
        least = LEAST_SAME if usual.distinct == 1 else LEAST
        if usual.answers >= least and usual.share > share:
            said = "left out: %.0f %% of its %d answers are %s: %s"
            log.info(said, 100 * usual.share, usual.answers, str(usual.answer)[:60], worded.sql.text)
        else:
            kept.append(worded)
    return tuple(kept)
