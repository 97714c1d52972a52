"""Contrastive questions: those that say the same are marked alike, one in each of the same forms."""

from collections.abc import Iterator, Mapping
from typing import Any

from benchwright.benchmarks.releases.rows import read_metadata
from benchwright.builders.sql.filling.questions import CONTRAST


class ContrastCheck:
    """Looks at the marks of the questions of a release, template by template."""

    def __init__(self) -> None:
        self._marks: dict[tuple[str, str], str | None] = {}
        """Template and wording → its mark, as its first question has it."""

    def problem(self, template: str, row: Mapping[str, Any]) -> str | None:
        """What is wrong with a question's mark."""
        mark = read_metadata(row["metadata"]).get(CONTRAST)
        wording = f"{row['form']} {row['id'].partition('-')[2]}"
        first = self._marks.setdefault((template, wording), mark)
        return None if first == mark else "it is not paired as its wording is in other groups"

    def unbalanced(self) -> Iterator[str]:
        """Lines on the templates whose forms do not have the same number of paired wordings."""
        of_template: dict[str, dict[str, list[str]]] = {}
        for (template, wording), mark in self._marks.items():
            if mark is not None:
                of_template.setdefault(template, {}).setdefault(mark, []).append(wording.partition(" ")[0])
        for template, marks in of_template.items():
            sets = {tuple(sorted(forms)) for forms in marks.values()}
            forms = [form for one in sets for form in one]
            if len(forms) != len(set(forms)):
                yield f"the template {template}: its paired wordings are not one in each of the same forms"
