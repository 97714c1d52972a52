"""The templates of a release: read from its files, parsed where they are used, and what follows from each alone."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.sql import SqlTemplate
from benchwright.benchmarks.hashing import template_id, wording_id
from benchwright.builders.sql.proofs.filled import Pattern, sql_pattern, text_pattern
from benchwright.builders.sql.proofs.known_schema import KnownSchema
from benchwright.builders.sql.templates.files import KINDS_KEY, SQL_KEY, TEXT_KEY, read_kinds


@dataclass(frozen=True)
class Wording:
    """A wording of a template."""

    form: str
    id: str
    """The second half of its questions' ids."""
    pattern: Pattern


@dataclass(frozen=True)
class ReleaseTemplate:
    """A template as the files of a release have it."""

    id: str
    text: str
    pattern: Pattern
    wordings: tuple[Wording, ...]
    kind: str = ""
    """Where its file says of which kind it is."""

    def entity(self, values: Sequence[str]) -> str:
        """What its questions are about."""
        return self.pattern.entity(values, self.kind)

    def questions(self, group: str, values: Sequence[str]) -> dict[str, tuple[str, str]]:
        """All questions of a group: id → form and text."""
        return {f"{group}-{one.id}": (one.form, one.pattern.fill(values)) for one in self.wordings}


@dataclass(frozen=True)
class ReadTemplate:
    """What a template says once it is parsed."""

    sql: SqlTemplate
    hops: range
    """The hops that its questions may have."""
    booleans: Sequence[bool] | None


class ReleaseTemplates(Mapping[str, ReleaseTemplate]):
    """The templates of a release by their ids.

    Raises:
        BenchwrightError: a file is not in the format that GRAMMAR publishes.
    """

    def __init__(self, files: Mapping[str, Any], known: KnownSchema) -> None:
        self.known = known
        self._templates: dict[str, ReleaseTemplate] = {}
        self._read: dict[str, ReadTemplate | str] = {}
        for name, content in files.items():
            for template in _templates(name, content):
                self._templates[template.id] = template

    def __getitem__(self, key: str) -> ReleaseTemplate:
        return self._templates[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._templates)

    def __len__(self) -> int:
        return len(self._templates)

    def read(self, key: str) -> ReadTemplate | str:
        """What a template says, or why it cannot be parsed."""
        if key not in self._read:
            try:
                sql = self.known.parse(self[key].text, self[key].kind)
            except BenchwrightError as error:
                self._read[key] = str(error)
            else:
                self._read[key] = ReadTemplate(sql, self.known.hops(sql), self.known.booleans(sql))
        return self._read[key]


def _templates(name: str, content: Mapping[str, Any]) -> Iterator[ReleaseTemplate]:
    forms = {
        key.removeprefix(TEXT_KEY): _lists(name, key, value)
        for key, value in content.items()
        if key.startswith(TEXT_KEY)
    }
    kinds = template_kinds(name, content)
    for statements in _lists(name, SQL_KEY, content.get(SQL_KEY, {})).values():
        for sql in statements:
            pattern = sql_pattern(sql)
            wordings = tuple(
                Wording(form, wording_id(form, text), text_pattern(text, pattern.names))
                for form, texts in forms.items()
                for text in texts.get(sql, ())
            )
            yield ReleaseTemplate(template_id(sql), sql, pattern, wordings, kinds.get(sql, ""))


def template_kinds(name: str, content: Mapping[str, Any]) -> dict[str, str]:
    """SQL template → kind, of what a file of a release says.

    Raises:
        BenchwrightError: the file is not as it must be.
    """
    return read_kinds(_lists(name, KINDS_KEY, content.get(KINDS_KEY, {})), f"templates/{name}")


def _lists(name: str, key: str, value: Any) -> Mapping[str, list[str]]:
    """An object of lists of texts, if a file of templates has one at a key."""
    if isinstance(value, dict) and all(
        isinstance(texts, list) and all(isinstance(text, str) for text in texts) for texts in value.values()
    ):
        return value
    raise BenchwrightError(f"templates/{name} is not as it must be: {key} must have lists of texts")
