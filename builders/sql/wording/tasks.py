"""What a model is to word: an SQL template in one form, and what its wordings are checked against.

The model is given the SQL template and what its tables and columns are called; of the database's rows, nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from benchwright.benchmarks.grounding.sql import SqlTemplate
from benchwright.builders.sql.joins import role_of
from benchwright.builders.sql.schema import DatabaseSchema
from benchwright.builders.sql.vocabulary import Vocabulary
from benchwright.builders.sql.wording import english
from benchwright.builders.sql.wording.checks import WordingChecker, names_in
from benchwright.builders.sql.wording.forms.form import Form, as_form
from benchwright.builders.sql.wording.kinds.sense import PLAIN, asked_of, kind_sense_of
from benchwright.builders.sql.wording.meaning import Meaning
from benchwright.builders.sql.wording.round_trip import CHECK_KIND_PROMPT, CHECK_PROMPT, alternatives
from benchwright.builders.sql.wording.sense import sense_of

TEXT_PROMPT, KIND_PROMPT = "write_text_templates", "write_kind_texts"
"""Of lookups, and of other kinds."""
PAIR_PROMPT = "rewrite_wordings"


@dataclass(frozen=True)
class WordingTask:
    """What is to be worded, and how."""

    template: SqlTemplate
    form: Form
    names: Sequence[str]
    """Lines that say what the tables and columns of the template are called."""
    checker: WordingChecker
    others: tuple[SqlTemplate, ...] = ()
    """SQL templates that a checker may take a wording for."""
    other_names: Sequence[str] = ()
    """Lines that say what their tables and columns are called, and those of the template."""
    dialect: str = ""
    """In which the SQL templates are written."""
    originals: tuple[str, ...] = ()
    """Wordings in another form, of which each is to have a counterpart; none: wordings are to be made from nothing."""
    shown: SqlTemplate | None = None
    """What a model is shown of the template, where that is less."""
    places: dict[str, int] = field(default_factory=dict)
    """A wording that was proposed → the place of its original."""

    @property
    def counterparts(self) -> dict[int, str]:
        """Place of an original → the wording that was kept for it."""
        return {self.places[text]: text for text in self.checker.kept if text in self.places}

    @property
    def asked(self) -> SqlTemplate:
        """The template as models are shown it."""
        return self.shown or self.template

    @property
    def prompt(self) -> str:
        """What the writer is asked with."""
        if self.originals:
            return PAIR_PROMPT
        return TEXT_PROMPT if self.checker.of_kind is None else KIND_PROMPT

    @property
    def check_prompt(self) -> str:
        """What the checker is asked with."""
        return CHECK_PROMPT if self.checker.of_kind is None else CHECK_KIND_PROMPT

    @classmethod
    def of(
        cls,
        template: SqlTemplate,
        form: Form | str,
        wanted: int,
        schema: DatabaseSchema,
        vocabulary: Vocabulary,
        meaning: Meaning | None,
        originals: Sequence[str] = (),
    ) -> "WordingTask":
        """The task of wording a template `wanted` times in a form, or of putting each of some wordings into it."""
        form = as_form(form)
        words = names_in(template, vocabulary, meaning)
        shown = asked_of(template, schema)
        others = alternatives(shown, schema)
        is_plain = template.declared in PLAIN
        lines = {line: None for one in (shown, *others) for line in describe(one, schema, vocabulary)}
        return cls(
            template,
            form,
            describe(template, schema, vocabulary),
            WordingChecker(
                template,
                form.checked_as,
                words,
                len(originals) or wanted,
                sense_of(template, schema, vocabulary) if is_plain else None,
                None if is_plain else kind_sense_of(template, meaning, schema, vocabulary),
            ),
            others,
            sorted(lines),
            schema.dialect,
            tuple(originals),
            shown,
        )


def describe(template: SqlTemplate, schema: DatabaseSchema, vocabulary: Vocabulary) -> list[str]:
    """What the tables, columns and foreign keys of a template are called, a line each."""
    lines = {
        f"{table}: each row is {english.with_article(vocabulary.noun(table))}": None
        for table in template.tables.values()
    }
    for item in sorted(template.columns, key=lambda item: (item.table, item.column)):
        table = schema.tables[item.table]
        key = next((key for key in table.foreign_keys if item.column in key.columns), None)
        if key is not None:
            role = role_of(key, item.table, vocabulary)
            lines[f"{item.table}.{item.column}: refers to {key.table}, as {role}"] = None
        elif table.columns[item.column].worth_asking or table.names_row(item.column):
            kind = table.columns[item.column].kind
            lines[f"{item.table}.{item.column}: {vocabulary.column(item.table, item.column)} ({kind})"] = None
    return list(lines)


def is_for_a_model(
    template: SqlTemplate, meaning: Meaning | None, schema: DatabaseSchema, vocabulary: Vocabulary
) -> bool:
    """Whether a model may word a template: where no rule reads it, nothing tells whether a wording asks the same."""
    return template.declared in PLAIN or kind_sense_of(template, meaning, schema, vocabulary) is not None
