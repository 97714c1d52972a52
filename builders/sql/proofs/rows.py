"""Every question of a release with templates, group by group: what follows from its SQL and its template."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Protocol

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.execution import Executed, execute, other_answers
from benchwright.benchmarks.grounding.sql import SqlTemplate
from benchwright.benchmarks.grounding.values import NO, YES
from benchwright.benchmarks.hashing import group_id
from benchwright.benchmarks.releases.manifest import Manifest, is_private
from benchwright.benchmarks.releases.proofs.base import CheckRows, Material, Proof
from benchwright.benchmarks.releases.proofs.sql import NO_DATABASE, NO_SQL
from benchwright.benchmarks.releases.rows import read_metadata
from benchwright.benchmarks.types import NO_ANSWER, NO_ANSWER_SORTS
from benchwright.builders.sql.filling.questions import CONTRAST
from benchwright.builders.sql.kinds import answerability_of
from benchwright.builders.sql.proofs.contrast import ContrastCheck
from benchwright.builders.sql.proofs.held_out import HeldOutGroups
from benchwright.builders.sql.proofs.known_schema import known_schema
from benchwright.builders.sql.proofs.no_answer import possible_sorts
from benchwright.builders.sql.proofs.ranked import place_problem
from benchwright.builders.sql.proofs.templates import ReadTemplate, ReleaseTemplate, ReleaseTemplates
from benchwright.builders.sql.schema import DatabaseSchema

FOLLOWS = "semantic groups that follow from SQL and templates"
_ALIKE = ("answerability", "documents", "evidence")
"""What no SQL tells, and what is the same in all questions of a group."""
_COLUMNS = ("answers", "aliases", "answer_type", "entity", "kind", "hops", "subset", *_ALIKE)
_values_of = itemgetter(*_COLUMNS)


@dataclass(frozen=True)
class ProvenGroup:
    """What is known of a semantic group."""

    split: str
    template: ReleaseTemplate
    read: ReadTemplate | None
    """None where the template cannot be parsed."""
    values: Sequence[str]
    """The texts of its values, by the template's placeholders."""
    id: str
    answers: Sequence[str]
    """By its SQL where it could be executed, else as its first question has them."""
    row: Mapping[str, Any]
    """Its first question."""


class GroupCheck(Protocol):
    """What only one builder knows of its groups."""

    def problems(self, group: ProvenGroup) -> Iterator[tuple[str, str]]:
        """Kind and text of whatever is wrong with a group."""
        ...

    def finish(self) -> None:
        """Once all groups went by."""
        ...


@dataclass(frozen=True)
class Told:
    """What a release says where its aliases are looked at."""

    schema: DatabaseSchema | None
    """Of a database that is there."""
    aliases: Sequence[Sequence[str]]
    """Of the group's first question."""


@dataclass(frozen=True)
class Rules:
    """What a builder adds to its SQL and templates."""

    answerability: Sequence[str]
    """What its questions may be."""
    aliases: Callable[[SqlTemplate, Sequence[str], Told], Sequence[Sequence[str]]] | None = None
    """The other accepted forms of answers, by the same function that the build calls; None: there are none. Raises
    ValueError or BenchwrightError where no question of the template has such an answer."""
    has_metadata: bool = False
    """Whether its questions have metadata."""
    has_subsets: bool = False
    """Whether its questions are of subsets; of which, the builder proves."""
    schema: DatabaseSchema | None = None
    """Of a builder that always asks the same tables."""
    groups: Sequence[Callable[[Material, ReleaseTemplates], GroupCheck]] = ()
    """What else is looked at."""


def sql_proof(rules: Callable[[Manifest], Rules]) -> Proof:
    """The proof that a builder registers, given what its rules are for a release."""

    def of(material: Material) -> _Groups:
        if "sql" not in material.kept:
            material.kept["sql"] = _Groups(material, rules(material.release.manifest))
        return material.kept["sql"]

    def rows(material: Material) -> CheckRows:
        return CheckRows(of(material).row, of(material).finish)

    meaning = "every question is what its SQL, its template and the database give"
    return Proof("sql", meaning, 35, rows, lambda material: of(material).held_out.row)


class _Groups:
    """Looks at questions in stored order, where those of a group follow each other."""

    def __init__(self, material: Material, rules: Rules) -> None:
        self._material, self._found, self._rules = material, material.found, rules
        manifest = material.release.manifest
        self._builder, self._private = manifest.builder, is_private(manifest)
        self._known = known_schema(material, rules.schema)
        self._templates = ReleaseTemplates(material.release.templates(), self._known)
        self._own = [check(material, self._templates) for check in rules.groups]
        self.held_out = HeldOutGroups(self._builder, self._templates, self._found)
        self._contrast = ContrastCheck()
        self._asked: set[str] = set()
        self._hops: dict[str, int] = {}
        self._types: dict[str, str] = {}
        self._refused: set[str] = set()
        self._begin_nothing()
        if not self._templates:
            self._found.problem("templates", f"there are none, and the questions of {self._builder} come from some")

    def row(self, split: str, row: Mapping[str, Any]) -> None:
        """Looks at one question."""
        if not row["sql"]:
            self._found.problem("sql", f"question {row['id']}: {NO_SQL}")
            return
        key = split, row["sql"], row["template"]
        if key != self._key:
            self._close()
            self._begin(key, row)
        self._rows += 1
        problem = self._broken or self._problem_of_wording(row)
        if problem:
            self._note("id", row, problem)
            if self._broken:
                return
        else:
            self._found.proved["ids and wordings"] += 1
        if _values_of(row) != self._wanted:
            self._compare(row)
        if row["answerability"] == "unanswerable" and not self._rules.has_metadata:
            self._compare_sort(row)
        if row.get("fact_date") is not None:
            self._note("column", row, "it has a fact_date, and its builder writes none")
        if row["metadata"] is not None and not self._rules.has_metadata and not self._may_have_metadata(row):
            self._note("column", row, "it has metadata, and its builder writes none")
        if problem := self._contrast.problem(row["template"], row):
            self._note("column", row, problem)

    def finish(self) -> None:
        """Notes what was not asked."""
        self._close()
        self.held_out.finish()
        for check in self._own:
            check.finish()
        for problem in self._contrast.unbalanced():
            self._found.problem("templates", problem)
        silent = set(self._templates) - self._asked - self.held_out.templates
        if silent and self._material.release.manifest.holdout is not None:
            self._found.leave("templates that nothing here asks", len(silent), "the other half may ask them")
            return
        for name in sorted(silent):
            self._found.problem(
                "templates", f"no question comes from the template {name}: {self._templates[name].text}"
            )

    def _begin_nothing(self) -> None:
        self._key: tuple[str, str, str | None] | None = None
        self._broken, self._group, self._rows, self._wrong = "", "", 0, 0
        self._questions: Mapping[str, tuple[str, str]] = {}
        self._wanted: tuple[Any, ...] = ()
        self._executed: Executed | None = None
        self._loose_hops = False
        self._sorts: Sequence[str] = NO_ANSWER_SORTS

    def _begin(self, key: tuple[str, str, str | None], row: Mapping[str, Any]) -> None:
        """Finds out what all questions of a group must be, from the first."""
        self._begin_nothing()
        self._key = key
        template = self._templates.get(row["template"])
        values = template.pattern.values(row["sql"]) if template is not None else None
        if template is None or not values:
            self._broken = "its SQL is not its template with values filled in"
            if template is None:
                self._broken = f"its template {row['template']} is in no file of templates"
            executed = self._execute(row, None)
            if executed is not None and not executed.are(row["answers"] or []):
                self._note("sql", row, other_answers(executed.answers, row["answers"] or []))
            return
        self._asked.add(template.id)
        self._group = group_id(self._builder, template.id, values)
        self._questions = template.questions(self._group, values)
        read = self._templates.read(template.id)
        if isinstance(read, str):
            self._refuse(template.id, read)
            read = None
        self._executed = self._execute(row, read)
        wanted = self._expected(row, template, read, values)
        self._wanted = _values_of(wanted)
        if read is not None and wanted["answerability"] == "unanswerable":
            literals = template.pattern.literals(row["sql"]) or ()
            self._sorts = possible_sorts(self._material.databases, read.sql, literals)
        group = ProvenGroup(key[0], template, read, values, self._group, wanted["answers"], row)
        for check in self._own:
            for kind, text in check.problems(group):
                self._note(kind, row, text)

    def _close(self) -> None:
        """Notes whether a group has all its questions."""
        if self._key is None or self._broken:
            return
        if self._rows != len(self._questions):
            text = f"of {self._group} {self._rows} questions are there, and its template gives {len(self._questions)}"
            self._found.problem("group", text)
        elif not self._wrong:
            self._found.proved[FOLLOWS] += 1
        if self._loose_hops:
            self._found.leave("hops", self._rows, self._known.reason)

    def _problem_of_wording(self, row: Mapping[str, Any]) -> str | None:
        if row["group"] != self._group:
            return "its group is not the hash of its template and the values in its SQL"
        asked = row["form"], row["question"]
        if self._questions.get(row["id"]) == asked:
            return None
        if asked in self._questions.values():
            return "its id is not the hash of its group, form and wording"
        return f"its text is no {row['form']} wording of its template with the values in its SQL"

    def _execute(self, row: Mapping[str, Any], read: ReadTemplate | None) -> Executed | None:
        """What the query returns; where there are several databases, in the one that agrees."""
        databases = self._material.databases
        if not databases:
            self._found.leave("SQL queries", 1, NO_DATABASE)
            return None
        answers = row["answers"] or []
        booleans = read.booleans if read else None
        if booleans is None:
            booleans = [value in (YES, NO) for value in answers]
        found: list[Executed] = []
        said: list[str] = []
        for database in databases:
            try:
                found.append(execute(database, row["sql"], booleans))
            except BenchwrightError as error:
                said.append(str(error))
                continue
            if found[-1].are(answers):
                if (
                    read is not None
                    and read.sql.ranked
                    and (why := place_problem(database, row["sql"], read.sql.ranked))
                ):
                    self._note("sql", row, why)
                else:
                    self._found.proved["SQL queries"] += 1
                return found[-1]
        if not found:
            self._note("sql", row, said[0])
            return None
        return found[0]

    def _expected(
        self, row: Mapping[str, Any], template: ReleaseTemplate, read: ReadTemplate | None, values: Sequence[str]
    ) -> dict[str, Any]:
        executed, answers = self._executed, list(row["answers"] or [])
        if executed is not None and not executed.are(answers):
            answers = list(executed.answers)
        wanted = {name: row.get(name) for name in _COLUMNS}
        wanted |= {"answers": answers, "entity": template.entity(values)}
        if not self._rules.has_subsets:
            wanted["subset"] = None
        own = answerability_of(template.kind)
        if own != "answerable":
            wanted["answerability"] = own
        elif row["answerability"] not in self._rules.answerability:
            wanted["answerability"] = " or ".join(self._rules.answerability)
        if read is None:
            return wanted
        wanted["kind"] = read.sql.kind
        wanted["hops"] = self._expected_hops(row, template, read)
        wanted["answer_type"] = executed.answer_type if executed else self._expected_type(row, template, read)
        if own == "unanswerable":
            wanted["answer_type"] = "none"
        wanted["aliases"] = [[] for _ in answers]
        told = Told(self._known.schema, row["aliases"] or [])
        try:
            if self._rules.aliases is not None:
                wanted["aliases"] = [list(forms) for forms in self._rules.aliases(read.sql, answers, told)]
        except (ValueError, OverflowError, BenchwrightError) as error:
            self._note("answer", row, f"its template has no such answer: {error}")
        return wanted

    def _expected_hops(self, row: Mapping[str, Any], template: ReleaseTemplate, read: ReadTemplate) -> int:
        """Where its tables' keys are not known, those of the template's first question, within what is possible."""
        if len(read.hops) == 1:
            return read.hops[0]
        self._loose_hops = True
        return self._hops.setdefault(template.id, row["hops"] if row["hops"] in read.hops else read.hops[-1])

    def _expected_type(self, row: Mapping[str, Any], template: ReleaseTemplate, read: ReadTemplate) -> str:
        answers = row["answers"] or []
        if len(answers) != 1:
            return "set"
        if read.booleans is not None:
            return "boolean" if list(read.booleans) == [True] else "one"
        is_boolean = row["answer_type"] == "boolean" and answers[0] in (YES, NO) and not read.sql.aggregates
        return self._types.setdefault(template.id, "boolean" if is_boolean else "one")

    def _compare(self, row: Mapping[str, Any]) -> None:
        """Notes which columns are not as they must be."""
        for name, wanted, there in zip(_COLUMNS, self._wanted, _values_of(row), strict=True):
            if there == wanted:
                continue
            if name == "answers" and self._executed is not None:
                self._note("sql", row, other_answers(self._executed.answers, there or []))
            elif name in _ALIKE and wanted not in (None, " or ".join(self._rules.answerability)):
                self._note("group", row, f"its {name} is not that of the questions before it of its group")
            else:
                self._note("column", row, f"its {name} is {_shown(there)}, and must be {_shown(wanted)}")

    def _compare_sort(self, row: Mapping[str, Any]) -> None:
        """Notes where metadata does not say why a question has no answer."""
        told = read_metadata(row["metadata"]).get(NO_ANSWER)
        if told not in self._sorts:
            must = " or ".join(self._sorts)
            self._note("column", row, f"its metadata says {told} of why it has no answer, and must say {must}")

    def _note(self, kind: str, row: Mapping[str, Any], text: str) -> None:
        self._wrong += 1
        self._found.problem(kind, f"question {row['id']}: {text}")

    def _refuse(self, template: str, why: str) -> None:
        """Notes once that a template cannot be read: wrong where the schema is known."""
        if template in self._refused:
            return
        self._refused.add(template)
        if self._known.schema is not None:
            self._found.problem("templates", why)
        else:
            self._found.leave("templates that cannot be read without the database", 1, self._known.reason)

    def _may_have_metadata(self, row: Mapping[str, Any]) -> bool:
        """Whether metadata is the salt of a private half, the mark of a contrastive question, and why there is no
        answer, or some of them."""
        allowed = {CONTRAST, "salt"} if self._private else {CONTRAST}
        allowed |= {NO_ANSWER} if row["answerability"] == "unanswerable" else set()
        return bool(found := set(read_metadata(row["metadata"]))) and found <= allowed


def _shown(value: Any) -> str:
    return f"{value!r:.100}"
