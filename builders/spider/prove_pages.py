"""Proves the pages of a release from the database, whoever wrote them: every fact that an answer needs is stated where
its evidence says, and no page says what is none of its row's."""

from collections.abc import Iterator, Sequence
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.manifest import Manifest
from benchwright.benchmarks.releases.proofs.base import Material
from benchwright.builders.spider.facts import FactKey, Way, needed_of, way_of
from benchwright.builders.spider.profiles import Profiles
from benchwright.builders.spider.reading import Strangers, find_facts, problems_of
from benchwright.builders.sql.proofs.rows import ProvenGroup, Rules
from benchwright.builders.sql.proofs.templates import ReleaseTemplates

FACTS, PAGES = "questions' facts, found on pages", "pages that state the facts of their row and no other"
_NO_DATABASE = "no database is there: name it with --database FILE"


class PagesCheck:
    """Looks at the evidence of groups, and then at all pages."""

    def __init__(self, material: Material, templates: ReleaseTemplates) -> None:
        self._material, self._found = material, material.found
        self._schema = templates.known.schema
        self._database = material.databases[0] if material.databases else None
        self._ways: dict[str, Way | str] = {}
        self._groups: list[tuple[str, Sequence[Any], tuple[tuple[FactKey, ...], ...]]] = []

    def problems(self, group: ProvenGroup) -> Iterator[tuple[str, str]]:
        """What a group's evidence lacks; where it stands is looked at once all groups went by."""
        if self._database is None or self._schema is None:
            self._found.leave(FACTS, 1, _NO_DATABASE)
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
            found = needed_of(self._database, sql, way, literals)
        except BenchwrightError as error:
            yield "evidence", str(error)
            return
        ways = tuple(tuple(key for key, _ in needs) for needs in found)
        self._groups.append((group.row["id"], group.row["evidence"] or (), ways))

    def finish(self) -> None:
        """Reads all pages."""
        if self._database is None or self._schema is None:
            return
        spans = self._read_pages()
        for question, evidence, ways in self._groups:
            facts: dict[int, list[tuple[str, int, int]]] = {}
            for item in evidence:
                facts.setdefault(item["fact"] or 0, []).append((item["document"], item["start"], item["end"]))
            stated = [facts[number] for number in sorted(facts)]
            if any([spans.get(key, []) for key in keys] == stated for keys in ways):
                self._found.proved[FACTS] += 1
            else:
                text = "its evidence is not where pages state what its SQL needs"
                self._found.problem("evidence", f"question {question}: {text}")

    def _read_pages(self) -> dict[FactKey, list[tuple[str, int, int]]]:
        assert self._database is not None and self._schema is not None
        material = self._material
        rows = {row["_id"]: row for split in material.splits("corpus") for row in material.rows("corpus", split)}
        maker = Profiles(self._database, self._schema)
        profiles = {profile.id: profile for profile in maker.of_pages(rows.keys())}
        strangers = Strangers()
        for profile in profiles.values():
            strangers.see(profile)
        spans: dict[FactKey, list[tuple[str, int, int]]] = {}
        for name, row in rows.items():
            profile = profiles.get(name)
            if profile is None or row["title"] != profile.name:
                self._found.problem("document", f"{name} ({row['title']!r:.80}) is the page of no row of the database")
                continue
            problems = problems_of(profile, row["text"] or "", strangers, may_lack_pairs=True)
            for problem in problems[:3]:
                self._found.problem("document", f"{name} ({profile.name}): {problem}")
            self._found.proved[PAGES] += not problems
            for key, places in find_facts(profile, row["text"] or "").items():
                spans.setdefault(key, []).extend((name, start, end) for start, end in places)
        return spans


def rules(manifest: Manifest) -> Rules:
    """What questions of a release must be."""
    return Rules(["answerable"], groups=[PagesCheck])
