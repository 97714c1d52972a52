"""Proves the pages of a release from the database, whoever wrote them: every fact that an answer needs is stated where
its evidence says, and no page says what is none of its row's."""

from collections.abc import Iterator, Sequence
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.manifest import Manifest
from benchwright.benchmarks.releases.proofs.base import Material
from benchwright.builders.spider.absent import Absence, Silence, absence_of
from benchwright.builders.spider.facts import FactKey
from benchwright.builders.spider.needs import MOST, needed_of
from benchwright.builders.spider.profile import Profile
from benchwright.builders.spider.profiles import Profiles
from benchwright.builders.spider.reading import Reading
from benchwright.builders.spider.strangers import Strangers
from benchwright.builders.spider.ways import Way, way_of
from benchwright.builders.sql.kinds import answerability_of
from benchwright.builders.sql.proofs.rows import ProvenGroup, Rules
from benchwright.builders.sql.proofs.templates import ReleaseTemplates

FACTS, PAGES = "questions' facts, found on pages", "pages that state the facts of their row and no other"
GAPS = "known gaps that no page closes"
ABSENT = "questions without an answer, of which pages say nothing"
_NO_GAP = "is said to be a gap, and pages state all that it needs"
_NO_DATABASE = "no database is shipped: name the original with --database FILE"
_CLOSED = f"{_NO_DATABASE}, whose names are replaced once more, or build the release again with --rebuild"

Spans = dict[FactKey, list[tuple[str, int, int]]]
"""Fact → the places where pages state it."""


class PagesCheck:
    """Looks at the evidence of groups, and then at all pages."""

    def __init__(self, material: Material, templates: ReleaseTemplates) -> None:
        self._material, self._found = material, material.found
        self._schema = templates.known.schema
        self._database = material.databases[0] if material.databases else None
        self._ways: dict[str, Way | str] = {}
        self._groups: list[tuple[str, str, Sequence[Any], tuple[tuple[FactKey, ...], ...]]] = []
        self._absent: list[tuple[str, Absence]] = []

    def problems(self, group: ProvenGroup) -> Iterator[tuple[str, str]]:
        """What a group's evidence lacks; where it stands is looked at once all groups went by."""
        if self._database is None or self._schema is None:
            is_closed = self._material.release.manifest.parameters.get("names") == "closed"
            self._found.leave(FACTS, 1, _CLOSED if is_closed else _NO_DATABASE)
            return
        if group.read is None:
            return
        sql = group.read.sql
        if sql.id not in self._ways:
            self._ways[sql.id] = way_of(sql, self._schema)
        way = self._ways[sql.id]
        if isinstance(way, str):
            yield "evidence", f"no page states what its template needs: {way}"
            return
        literals = group.template.pattern.literals(group.row["sql"])
        if literals is None:
            return
        try:
            self._look(group, way, literals)
        except BenchwrightError as error:
            yield "evidence", str(error)

    def _look(self, group: ProvenGroup, way: Way, literals: Sequence[str]) -> None:
        assert self._database is not None and group.read is not None
        question = group.row["id"]
        if answerability_of(group.read.sql.declared) == "unanswerable":
            self._absent.append((question, absence_of(self._database, group.read.sql, way, literals)))
            return
        found = needed_of(self._database, group.read.sql, way, literals)
        ways = tuple(tuple(key for key, _ in needs) for needs in found)
        self._groups.append((question, group.row["answerability"], group.row["evidence"] or (), ways))

    def finish(self) -> None:
        """Reads all pages."""
        if self._database is None or self._schema is None:
            return
        pages, strangers, spans = self._read_pages()
        for question, answerability, evidence, ways in self._groups:
            if any(len(keys) > MOST for keys in ways) or not any(ways):
                self._found.problem("evidence", f"question {question}: it needs no fact, or more than {MOST}")
                continue
            stated = [[spans[key] for key in keys] for keys in ways if all(key in spans for key in keys)]
            if answerability == "gap":
                if stated:
                    self._found.problem("evidence", f"question {question} {_NO_GAP}")
                else:
                    self._found.proved[GAPS] += 1
                continue
            facts: dict[int, list[tuple[str, int, int]]] = {}
            for item in evidence:
                facts.setdefault(item["fact"] or 0, []).append((item["document"], item["start"], item["end"]))
            if [facts[number] for number in sorted(facts)] in stated:
                self._found.proved[FACTS] += 1
            else:
                text = "its evidence is not where pages state what its SQL needs"
                self._found.problem("evidence", f"question {question}: {text}")
        silence = Silence(pages, spans, strangers, self._schema.vocabulary)
        for question, absence in self._absent:
            problem = silence.problem(absence)
            if problem:
                self._found.problem("evidence", f"question {question} is said to have no answer: {problem}")
            self._found.proved[ABSENT] += not problem

    def _read_pages(
        self,
    ) -> tuple[dict[str, tuple[Profile, str]], Strangers, dict[FactKey, list[tuple[str, int, int]]]]:
        assert self._database is not None and self._schema is not None
        material = self._material
        rows = {row["_id"]: row for split in material.splits("corpus") for row in material.rows("corpus", split)}
        maker = Profiles(self._database, self._schema)
        profiles = {profile.id: profile for profile in maker.of_pages(rows.keys())}
        strangers = Strangers()
        for profile in profiles.values():
            strangers.see(profile)
        spans: Spans = {}
        pages: dict[str, tuple[Profile, str]] = {}
        for name, row in rows.items():
            profile = profiles.get(name)
            if profile is None or row["title"] != profile.name:
                self._found.problem("document", f"{name} ({row['title']!r:.80}) is the page of no row of the database")
                continue
            pages[name] = profile, row["text"] or ""
            read = Reading(profile, row["text"] or "")
            problems = read.problems(strangers, may_lack_pairs=True)
            for problem in problems[:3]:
                self._found.problem("document", f"{name} ({profile.name}): {problem}")
            self._found.proved[PAGES] += not problems
            for key, places in read.facts.items():
                spans.setdefault(key, []).extend((name, start, end) for start, end in places)
        return pages, strangers, spans


def rules(manifest: Manifest) -> Rules:
    """What questions of a release must be."""
    return Rules(["answerable", "gap"], groups=[PagesCheck])
