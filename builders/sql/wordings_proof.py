"""Whether questions are what their templates, filled with the values in their SQL, give: text, group and id."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.sql import IN_SQL, PLACEHOLDER
from benchwright.benchmarks.grounding.values import NO, YES, to_text
from benchwright.benchmarks.hashing import group_id, question_id, template_id
from benchwright.benchmarks.releases.proofs.base import CheckRow, Material, Proof

_LITERAL = r"('(?:[^']|'')*'|[-+.\w]+)"


@dataclass(frozen=True)
class _Template:
    pattern: re.Pattern[str]
    """Matches the executed SQL; its groups are the literals."""
    names: tuple[str, ...]
    """What each group stands for, `table.column`."""
    texts: Mapping[str, tuple[str, ...]]
    """Form → wordings."""


@dataclass
class WordingCheck:
    """The templates of a release, to check its questions against.

    Raises:
        BenchwrightError: a file is not in the format that GRAMMAR publishes.
    """

    builder: str
    files: Mapping[str, Any]
    """File name → content, in the format that GRAMMAR publishes."""
    _templates: dict[str, _Template] = field(default_factory=dict)
    _group: tuple[str, str, dict[tuple[str, str], str]] | None = None

    def __post_init__(self) -> None:
        for name, content in self.files.items():
            forms = {
                key.removeprefix("text_templates_"): _lists(name, key, value)
                for key, value in content.items()
                if key.startswith("text_")
            }
            for statements in _lists(name, "sql_templates", content.get("sql_templates", {})).values():
                for sql in statements:
                    texts = {form: tuple(value.get(sql, ())) for form, value in forms.items()}
                    self._templates[template_id(sql)] = _template(sql, texts)

    def covers(self, row: Mapping[str, Any]) -> bool:
        """Whether the row's template is known, so that its id can be computed again."""
        return bool(row["sql"]) and row["template"] in self._templates

    def problem(self, row: Mapping[str, Any]) -> str | None:
        """What is wrong with a row's question, group or id; None where they are what the templates give."""
        if not row["sql"] or not self._templates:
            return None
        if row["template"] not in self._templates:
            return f"its template {row['template']} is in no file of templates"
        if self._group is None or self._group[0] != row["sql"]:
            self._group = (row["sql"], *self._fill(row))
        _, group, ids = self._group
        if not group:
            return "its SQL is not its template with values filled in"
        if row["group"] != group:
            return "its group is not the hash of its template and the values in its SQL"
        expected = ids.get((row["form"], row["question"]))
        if expected is None:
            return f"its text is no {row['form']} wording of its template with the values in its SQL"
        return None if row["id"] == expected else "its id is not the hash of its group, form and wording"

    def _fill(self, row: Mapping[str, Any]) -> tuple[str, dict[tuple[str, str], str]]:
        """The group of a row's SQL, and its questions: form and text → id."""
        template = self._templates[row["template"]]
        match = template.pattern.fullmatch(row["sql"])
        if match is None:
            return "", {}
        values: dict[str, str] = {}
        for name, literal in zip(template.names, match.groups(), strict=True):
            if values.setdefault(name, _value(literal)) != _value(literal):
                return "", {}
        group = group_id(self.builder, row["template"], list(values.values()))
        return group, {
            (form, _filled(text, values)): question_id(group, form, text)
            for form, texts in template.texts.items()
            for text in texts
        }


def _lists(name: str, key: str, value: Any) -> Mapping[str, list[str]]:
    """An object of lists of texts, if a file of templates has one at a key."""
    if isinstance(value, dict) and all(
        isinstance(texts, list) and all(isinstance(text, str) for text in texts) for texts in value.values()
    ):
        return value
    raise BenchwrightError(f"templates/{name} is not as it must be: {key} must have lists of texts")


def _template(sql: str, texts: Mapping[str, tuple[str, ...]]) -> _Template:
    names, pattern, last = [], "", 0
    for match in IN_SQL.finditer(sql):
        pattern += re.escape(sql[last : match.start()]) + _LITERAL
        names.append(f"{match.group(1) or match.group(3)}.{match.group(2) or match.group(4)}".lower())
        last = match.end()
    return _Template(re.compile(pattern + re.escape(sql[last:]), re.DOTALL), tuple(names), texts)


def _value(literal: str) -> str:
    """The text that a literal stands for in questions."""
    if literal.startswith("'"):
        return literal[1:-1].replace("''", "'")
    if literal in ("TRUE", "FALSE"):
        return YES if literal == "TRUE" else NO
    try:
        return to_text(int(literal))
    except ValueError:
        try:
            return to_text(float(literal))
        except ValueError:
            return literal


def _filled(text: str, values: Mapping[str, str]) -> str:
    return PLACEHOLDER.sub(lambda match: values.get(f"{match.group(1)}.{match.group(2)}".lower(), match.group(0)), text)


def _rows(material: Material) -> CheckRow:
    release, found = material.release, material.found
    wordings = WordingCheck(release.manifest.builder, release.templates())

    def check(split: str, row: Mapping[str, Any]) -> None:
        text = wordings.problem(row)
        if text:
            found.problem("id", f"question {row['id']}: {text}")
        elif wordings.covers(row):
            found.proved["ids and wordings"] += 1

    return check


PROOF = Proof("wordings", "every question is what its template and the values in its SQL give", 35, _rows)
"""Registered by the builders that fill templates."""
