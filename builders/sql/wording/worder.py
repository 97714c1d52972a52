"""Who words a template: the file that has texts for it, a model where one writes, or rules."""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.grounding.sql import SqlTemplate
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.money.costs import Estimated
from benchwright.builders.base import Progress
from benchwright.builders.sql.schema import DatabaseSchema
from benchwright.builders.sql.templates.files import TemplateFile, check_texts
from benchwright.builders.sql.templates.proposals import RejectedProposal
from benchwright.builders.sql.vocabulary import Vocabulary
from benchwright.builders.sql.wording.by_model import write_wordings
from benchwright.builders.sql.wording.by_rule import write
from benchwright.builders.sql.wording.checks import names_in
from benchwright.builders.sql.wording.forms.derive import Derived, derive
from benchwright.builders.sql.wording.forms.form import Form, as_form
from benchwright.builders.sql.wording.forms.pairing import pair_texts
from benchwright.builders.sql.wording.meaning import Meaning
from benchwright.builders.sql.wording.tasks import WordingTask, is_for_a_model
from benchwright.builders.sql.wording.template_meaning import read_meaning

NO_WORDING = "the model gave no usable wording"
UNCHANGED = "the rule of a form changes none of its wordings"
Texts = Mapping[str, Sequence[str]]
"""Form → wordings."""


@dataclass
class _Family:
    """Forms whose texts are made of the same ones for a template."""

    template: SqlTemplate
    base: str
    meaning: Meaning | None
    forms: list[Form] = field(default_factory=list)


class Worder:
    """Words templates: from the file where it has texts, else by a model where one writes, else by rule.

    A form with a rule is made from the texts of its base where rules write, and wherever the rule misspells: what a
    model wrote was then checked before. Where a model writes and the base of a form that is not built in is asked too,
    the model puts each of the base's wordings into that form, so that they are pairs.
    """

    def __init__(
        self,
        schema: DatabaseSchema,
        vocabulary: Vocabulary,
        forms: Sequence[Form | str],
        given: TemplateFile | None,
        parameters: Mapping[str, Any],
        client: Client | None,
        vary: bool = False,
    ) -> None:
        self.vary = vary
        self.schema, self.vocabulary, self.given, self.client = schema, vocabulary, given, client
        self.forms = {form.name: form for form in map(as_form, forms)}
        self.wanted: int = parameters["wordings"]
        self.limit = None if parameters["balanced"] == "false" else self.wanted
        self.is_aligned = parameters["balanced"] != "false"
        self.templates: list[SqlTemplate] = []
        self.unread: dict[str, str] = {}
        """Id of a SQL template that a model could word and no rule could read, which rules word → its kind."""
        self._for_a_model: set[str] = set()
        self.texts: dict[str, dict[str, Sequence[str]]] = {}
        """Template's id → form → wordings."""
        self.by_rule: dict[str, set[str]] = {}
        self.by_model: dict[str, set[str]] = {}
        self.anew: list[tuple[str, str, Sequence[str]]] = []
        """Place, form and wordings of the templates that a file words in part, and rules wherever it does not."""
        self.tasks: list[WordingTask] = []
        self.derived: dict[str, Counter[str]] = {}
        """Form → what became of the texts that its rule was given, where it was no new text."""
        self.contrast: dict[str, dict[tuple[str, str], str]] = {}
        """Template's id → form and text → the id of the wording that it and its counterparts in other forms say."""
        self._unchanged: set[str] = set()
        """Templates of whose wordings the rule of a form made nothing new."""
        self._rewritten: dict[tuple[str, str], dict[str, dict[int, str]]] = {}
        """Template's id and base → form → place of a wording of the base → what a model made of it."""
        self._families: dict[tuple[str, str], _Family] = {}

    def take(self, template: SqlTemplate, meaning: Meaning | None = None) -> None:
        """Words a template in every form, or notes that the model is to be asked.

        Args:
            template: the template.
            meaning: what it asks, where its kind says it; None: it is read from the template.

        Raises:
            BenchwrightError: a file lacks its texts and nothing else can word it, or they cannot be used.
            UsageError: only a model can word a form, and none is named.
        """
        self.templates.append(template)
        texts = self.texts.setdefault(template.id, {})
        meaning = meaning or read_meaning(template, self.schema, self.vocabulary)
        if self.client is not None and is_for_a_model(template, meaning, self.schema, self.vocabulary):
            self._for_a_model.add(template.id)
        for name, form in self.forms.items():
            own = self.given.texts.get(name, {}).get(template.text) if self.given else None
            if self.given and own:
                check_texts(template, name, own, self.given.places[template.text])
                texts[name] = own
            elif self._is_rewritten(template, form):
                self._family(template, form, meaning)
                self.by_model.setdefault(template.id, set()).add(form.name)
            elif self._is_derived(template, form):
                self._derive_later(template, form, meaning)
            elif template.id in self._for_a_model:
                self._want(template, form, meaning)
            elif self.client is not None and not form.is_built_in:
                raise UsageError(
                    f"the form {name} has no rule ({form.place}), and rules alone word {template.text}: add a [[rule]] "
                    f"to the file, or leave out the kind {template.kind}"
                )
            elif not form.is_built_in:
                raise UsageError(
                    f"the form {name} has no rule ({form.place}), and only a model can write it: name one with --model "
                    "writer=NAME, or add a [[rule]] to the file"
                )
            elif meaning is not None:
                if self.client is not None:
                    self.unread[template.id] = template.kind
                texts[name] = self._write(template, name, meaning, self.limit)
                if self.given and self._lacks(template, name):
                    self.anew.append((f"{self.given.places[template.text]} has none", name, texts[name]))
                self.by_rule.setdefault(template.id, set()).add(name)
            elif self.given:
                raise BenchwrightError(
                    f"{self.given.places[template.text]} has no {name} texts, and goes beyond what the built-in writer "
                    f"words: add them under text_templates_{name}, or name a model with --model writer=NAME"
                )

    def _write(self, template: SqlTemplate, form: str, meaning: Meaning, limit: int | None) -> tuple[str, ...]:
        return write(meaning, form, limit, template.id if self.vary else "")

    def _is_rewritten(self, template: SqlTemplate, form: Form) -> bool:
        """Whether a model is to put the wordings of a form's base into the form."""
        is_hypothesis = not form.is_built_in and not form.misspells
        return template.id in self._for_a_model and is_hypothesis and form.base in self.forms

    def _is_derived(self, template: SqlTemplate, form: Form) -> bool:
        """Whether a form's texts are made by its rule."""
        return bool(form.steps) and (form.misspells or template.id not in self._for_a_model)

    def _family(self, template: SqlTemplate, form: Form, meaning: Meaning | None) -> None:
        """Notes that a form's texts are made from those of its base."""
        family = self._families.setdefault((template.id, form.base), _Family(template, form.base, meaning))
        family.forms.append(form)

    def _derive_later(self, template: SqlTemplate, form: Form, meaning: Meaning | None) -> None:
        """Notes what a form's texts are to be made from."""
        is_asked = form.base in self.forms
        if not is_asked and template.id in self._for_a_model:
            self._want(template, form, meaning)
        elif not is_asked and meaning is None:
            return
        else:
            self.by_rule.setdefault(template.id, set()).add(form.name)
        self._family(template, form, meaning)

    def _derive(self) -> None:
        """Makes the texts that follow from others."""
        for family in self._families.values():
            self._derive_family(family)
        self._families.clear()

    def _derive_family(self, family: _Family) -> None:
        texts, key = self.texts[family.template.id], family.template.id
        words = names_in(family.template, self.vocabulary, family.meaning)
        rewritten = self._rewritten.get((key, family.base), {})
        modelled = [
            form
            for form in family.forms
            if form.name in self.by_model.get(key, ()) and not self._is_rewritten(family.template, form)
        ]
        for form in modelled:
            found = self._note(form, derive(form, texts.pop(form.name, ()), words, misspelling_only=True))
            if found.texts:
                texts[form.name] = found.texts
        if modelled:
            return
        base, is_rule = self._base_texts(family)
        made = {
            form: Derived(rewritten.get(form.name, {}), {})
            if self._is_rewritten(family.template, form)
            else self._note(form, derive(form, base, words))
            for form in family.forms
        }
        is_asked = family.base in self.forms
        is_model = is_asked and not is_rule and family.base in self.by_model.get(key, ())
        if is_model:
            self.by_rule.setdefault(key, set()).difference_update(form.name for form in family.forms)
            self.by_model[key] |= {form.name for form in family.forms}
        paired = pair_texts(
            family.base,
            base,
            made,
            is_asked=is_asked,
            is_aligned=self.is_aligned and (is_rule or is_model),  # a file's texts are all asked
            limit=self.limit,
        )
        texts |= paired.texts
        self.contrast.setdefault(key, {}).update(paired.said)
        for name in [name for name in (family.base, *(form.name for form in made)) if not texts.get(name, True)]:
            del texts[name]
            if base and not rewritten:
                self._unchanged.add(key)

    def _base_texts(self, family: "_Family") -> tuple[Sequence[str], bool]:
        """The texts that rules start from, and whether the built-in writer wrote them: then more of them, for some may
        have no counterpart."""
        key = family.template.id
        is_asked = family.base in self.forms
        if family.meaning is not None and (not is_asked or family.base in self.by_rule.get(key, ())):
            return self._write(family.template, family.base, family.meaning, None), True
        return self.texts[key].get(family.base, ()), False

    def _note(self, form: Form, found: Derived) -> Derived:
        self.derived.setdefault(form.name, Counter()).update(found.left_out)
        return found

    def _lacks(self, template: SqlTemplate, form: str) -> bool:
        """Whether a file words others in this form and not this one, without saying so by an empty list."""
        return (
            self.given is not None
            and bool(self.given.texts.get(form))
            and (form, template.text) not in self.given.emptied
        )

    def _want(self, template: SqlTemplate, form: Form, meaning: Meaning | None) -> None:
        self.tasks.append(self._task(template, form, meaning))
        self.by_model.setdefault(template.id, set()).add(form.name)

    def _task(
        self, template: SqlTemplate, form: Form, meaning: Meaning | None, originals: Sequence[str] = ()
    ) -> WordingTask:
        return WordingTask.of(template, form, self.wanted, self.schema, self.vocabulary, meaning, originals)

    def ask(self, progress: Progress) -> list[RejectedProposal]:
        """Asks the model for what was noted; returns what of its replies is not used."""
        if self.client is None or not (self.tasks or self._families):
            return []
        try:
            found, rejected = write_wordings(self.client, self.tasks, progress)
        except Estimated:
            self.client.imagine()
            with suppress(Estimated):
                write_wordings(self.client, self._pairs(is_imagined=True), progress)
            raise
        for (key, form), wordings in found.items():
            if wordings:
                self.texts[key][form] = wordings
        pairs = self._pairs()
        self.tasks += pairs
        _, of_pairs = write_wordings(self.client, pairs, progress)
        for task in pairs:
            of_base = self._rewritten.setdefault((task.template.id, task.form.base), {})
            of_base[task.form.name] = task.counterparts
        return [*rejected, *of_pairs]

    def _pairs(self, *, is_imagined: bool = False) -> list[WordingTask]:
        """The wordings that a model is to put into another form, where there are some."""
        found = []
        for family in self._families.values():
            base = self.texts[family.template.id].get(family.base, ())
            if is_imagined and not base:
                base = [f"{family.base} {number}" for number in range(self.wanted)]
            for form in family.forms:
                if base and self._is_rewritten(family.template, form):
                    found.append(self._task(family.template, form, family.meaning, base))
        return found

    @property
    def prompts(self) -> tuple[str, ...]:
        """The prompts that the writer was asked with."""
        return tuple(dict.fromkeys(task.prompt for task in self.tasks))

    @property
    def check_prompts(self) -> tuple[str, ...]:
        """The prompts that wordings are read back with, where a model does."""
        return tuple(dict.fromkeys(task.check_prompt for task in self.tasks))

    def worded(self, left_out: Counter[str]) -> list[tuple[SqlTemplate, Texts]]:
        """The templates that have wordings in every form; the others are counted."""
        self._derive()
        found: list[tuple[SqlTemplate, Texts]] = []
        for template in self.templates:
            texts = self.texts[template.id]
            if len(texts) == len(self.forms):
                found.append((template, {form: texts[form] for form in self.forms}))
            else:
                why = NO_WORDING if self.client is not None else "cannot be worded"
                left_out[UNCHANGED if template.id in self._unchanged else why] += 1
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
