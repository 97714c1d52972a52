"""Who words a template: the file that has texts for it, a model where one writes, or rules."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.sql import SqlTemplate
from benchwright.benchmarks.models.client import Client
from benchwright.builders.base import Progress
from benchwright.builders.sql.schema import DatabaseSchema
from benchwright.builders.sql.templates.files import TemplateFile, check_texts
from benchwright.builders.sql.templates.proposals import RejectedProposal
from benchwright.builders.sql.vocabulary import Vocabulary
from benchwright.builders.sql.wording.by_model import WordingTask, write_wordings
from benchwright.builders.sql.wording.by_rule import write
from benchwright.builders.sql.wording.meaning import Meaning
from benchwright.builders.sql.wording.template_meaning import read_meaning

NO_WORDING = "the model gave no usable wording"
Texts = Mapping[str, Sequence[str]]
"""Form → wordings."""


class Worder:
    """Words templates: from the file where it has texts, else by a model where one writes, else by rule."""

    def __init__(
        self,
        schema: DatabaseSchema,
        vocabulary: Vocabulary,
        forms: Sequence[str],
        given: TemplateFile | None,
        parameters: Mapping[str, Any],
        client: Client | None,
        vary: bool = False,
    ) -> None:
        self.vary = vary
        self.schema, self.vocabulary, self.forms, self.given, self.client = schema, vocabulary, forms, given, client
        self.wanted: int = parameters["wordings"]
        self.limit = None if parameters["balanced"] == "false" else self.wanted
        self.templates: list[SqlTemplate] = []
        self.texts: dict[str, dict[str, Sequence[str]]] = {}
        """Template's id → form → wordings."""
        self.by_rule: dict[str, set[str]] = {}
        self.by_model: dict[str, set[str]] = {}
        self.anew: list[tuple[str, str, Sequence[str]]] = []
        """Place, form and wordings of the templates that a file words in part, and rules wherever it does not."""
        self.tasks: list[WordingTask] = []

    def take(self, template: SqlTemplate, meaning: Meaning | None = None) -> None:
        """Words a template in every form, or notes that the model is to be asked.

        Args:
            template: the template.
            meaning: what it asks, where its kind says it; None: it is read from the template.

        Raises:
            BenchwrightError: a file lacks its texts and nothing else can word it, or they cannot be used.
        """
        self.templates.append(template)
        texts = self.texts.setdefault(template.id, {})
        meaning = meaning or read_meaning(template, self.schema, self.vocabulary)
        for form in self.forms:
            own = self.given.texts.get(form, {}).get(template.text) if self.given else None
            if self.given and own:
                check_texts(template, form, own, self.given.places[template.text])
                texts[form] = own
            elif self.client is not None:
                self._want(template, form, meaning)
            elif meaning is not None:
                texts[form] = write(meaning, form, self.limit, template.id if self.vary else "")
                if self.given and self._lacks(template, form):
                    self.anew.append((f"{self.given.places[template.text]} has none", form, texts[form]))
                self.by_rule.setdefault(template.id, set()).add(form)
            elif self.given:
                raise BenchwrightError(
                    f"{self.given.places[template.text]} has no {form} texts, and goes beyond what the built-in writer "
                    f"words: add them under text_templates_{form}, or name a model with --model writer=NAME"
                )

    def _lacks(self, template: SqlTemplate, form: str) -> bool:
        """Whether a file words others in this form and not this one, without saying so by an empty list."""
        return (
            self.given is not None
            and bool(self.given.texts.get(form))
            and (form, template.text) not in self.given.emptied
        )

    def _want(self, template: SqlTemplate, form: str, meaning: Meaning | None) -> None:
        self.tasks.append(WordingTask.of(template, form, self.wanted, self.schema, self.vocabulary, meaning))
        self.by_model.setdefault(template.id, set()).add(form)

    def ask(self, progress: Progress) -> list[RejectedProposal]:
        """Asks the model for what was noted; returns what of its replies is not used."""
        if self.client is None or not self.tasks:
            return []
        found, rejected = write_wordings(self.client, self.tasks, progress)
        for (key, form), wordings in found.items():
            if wordings:
                self.texts[key][form] = wordings
        return rejected

    def worded(self, left_out: Counter[str]) -> list[tuple[SqlTemplate, Texts]]:
        """The templates that have wordings in every form; the others are counted."""
        found: list[tuple[SqlTemplate, Texts]] = []
        for template in self.templates:
            texts = self.texts[template.id]
            if len(texts) == len(self.forms):
                found.append((template, {form: texts[form] for form in self.forms}))
            else:
                left_out[NO_WORDING if self.client is not None else "cannot be worded"] += 1
        return found

    def count_too_few(self, found: Sequence[tuple[SqlTemplate, Texts]]) -> int:
        """Templates and forms that the model worded less often than was wanted."""
        return sum(1 for texts in self._modelled(found) if len(texts) < self.wanted)

    def _modelled(self, found: Sequence[tuple[SqlTemplate, Texts]]) -> list[Sequence[str]]:
        """The wordings of each template and form that the model worded."""
        return [
            texts[form]
            for template, texts in found
            for form in self.forms
            if form in self.by_model.get(template.id, ())
        ]
