"""A held-out question of a public half is a wording of its template, as far as its public columns tell."""

from collections.abc import Mapping
from typing import Any

from benchwright.benchmarks.hashing import group_id
from benchwright.benchmarks.releases.proofs.base import Verification
from benchwright.builders.sql.proofs.templates import ReleaseTemplates


class HeldOutGroups:
    """Looks at the questions that are held out, in stored order."""

    def __init__(self, builder: str, templates: ReleaseTemplates, found: Verification) -> None:
        self._builder, self._templates, self._found = builder, templates, found
        self.templates: set[str] = set()
        """Those that held-out questions come from."""
        self._of_wording: dict[str, list[str]] = {}
        for template in templates.values():
            for wording in template.wordings:
                self._of_wording.setdefault(wording.id, []).append(template.id)
        self._group: str | None = None
        self._rows, self._wanted = 0, 0

    def row(self, split: str, row: Mapping[str, Any]) -> None:
        """Looks at one question."""
        group, _, wording = (row["id"] or "").partition("-")
        templates = [name for name in self._of_wording.get(wording, ()) if row["template"] in (None, name)]
        problem = self._problem(group, templates, row)
        if problem:
            self._found.problem("id", f"question {row['id']}: {problem}")
            return
        if group != self._group:
            self.finish()
            self._group, self._wanted = group, len(self._templates[templates[0]].wordings)
        self._rows += 1
        self.templates.update(templates)
        self._found.proved["ids and wordings"] += 1

    def finish(self) -> None:
        """Notes whether a group has all its questions."""
        if self._group is not None and self._rows != self._wanted:
            text = f"of {self._group} {self._rows} questions are held out, and its template gives {self._wanted}"
            self._found.problem("group", text)
        self._group, self._rows = None, 0

    def _problem(self, group: str, templates: list[str], row: Mapping[str, Any]) -> str | None:
        """What is wrong with a question; its template may be one of several that have the same wording."""
        if not templates:
            return "its id is not the hash of its group, form and wording"
        if row["group"] not in (None, group):
            return f"its group is {row['group']}, and its id is of another"
        if any(self._is_question_of(name, group, row) for name in templates):
            return None
        return "its text is no wording of its template with its entity"

    def _is_question_of(self, name: str, group: str, row: Mapping[str, Any]) -> bool:
        template = self._templates[name]
        if len(template.pattern.names) != 1 or row["entity"] is None:
            return True  # its values are not told
        if group_id(self._builder, name, [row["entity"]]) != group:
            return False
        form, text = template.questions(group, [row["entity"]]).get(row["id"], ("", ""))
        return (row["form"] or form, row["question"]) == (form, text)
