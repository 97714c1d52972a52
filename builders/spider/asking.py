"""What is asked of a database: templates whose answers pages can state, filled, and the facts that these need."""

import logging
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.database import Database
from benchwright.benchmarks.grounding.sql import PLACEHOLDER
from benchwright.benchmarks.grounding.values import literal_array
from benchwright.builders.base import BuildRequest
from benchwright.builders.spider.absent import Absence, absence_of
from benchwright.builders.spider.facts import Need
from benchwright.builders.spider.needs import MOST, needed
from benchwright.builders.spider.ways import Way, way_of
from benchwright.builders.sql.filling.everything import Everything
from benchwright.builders.sql.filling.fill import Filler
from benchwright.builders.sql.filling.fillings import Fillings
from benchwright.builders.sql.filling.questions import WordedTemplate
from benchwright.builders.sql.filling.sample import Sample
from benchwright.builders.sql.filling.told import is_told, without_told
from benchwright.builders.sql.kinds import answerability_of, parse_kinds
from benchwright.builders.sql.schema import DatabaseSchema
from benchwright.builders.sql.templates.prepare import TemplateSet, prepare_templates
from benchwright.builders.sql.wording.forms.form import Form

USUAL = "one answer is nearly always right"
NOTHING_STATED = "no page states that there are none"
TOLD = "the question tells the answer"
UNSHOWN = "a value holds a sign that no query can"
TOO_MANY = f"the answer needs more than {MOST} facts"

log = logging.getLogger("benchwright")


@dataclass(frozen=True)
class Part:
    """Some fillings of a template, with what their answers need."""

    worded: WordedTemplate
    fillings: Fillings
    needs: Sequence[Sequence[tuple[Need, ...]]]
    """For each filling the facts, in each way that leads to the answer; nothing of what has none."""
    absences: Sequence[Absence] = ()
    """Of a kind without answers, for each filling why it has none."""

    def all_needs(self) -> Iterator[Need]:
        """The facts that pages may have to state."""
        for absence in self.absences:
            yield from (*absence.blank, *absence.denied)
        for ways in self.needs:
            for way in ways:
                yield from way


@dataclass(frozen=True)
class Asked:
    """All that is asked."""

    filler: Filler
    prepared: TemplateSet
    parts: Sequence[Part]
    undrawn: int
    """Templates of which a sample drew nothing."""
    unasked: Mapping[str, int]
    """Why fillings are not asked → how many."""
    kinds: Sequence[str]
    """Those that are wanted."""


def ask(
    database: Database,
    schema: DatabaseSchema,
    forms: Sequence[Form],
    parameters: Mapping[str, Any],
    request: BuildRequest,
) -> Asked:
    """Makes templates, leaves out those that no page could answer and those that nobody should be asked, and fills the
    others.

    Raises:
        BenchwrightError: nothing is left to ask.
    """
    kinds = parse_kinds(parameters["kinds"])
    settings = {**parameters, "several": "refuse", "sql": "rule"}
    prepared = prepare_templates(
        database,
        schema,
        schema.vocabulary,
        forms,
        settings,
        client=request.client,
        progress=request.progress,
        seed=request.seed,
    )
    left: Counter[str] = Counter()
    ways: dict[str, Way] = {}
    for worded in prepared.worded:
        way = way_of(worded.sql, schema)
        if isinstance(way, str):
            left[way] += 1
            log.info("left out: %s: %s", way, worded.sql.text)
        else:
            ways[worded.sql.id] = way
    filler = Filler(database, "refuse", schema.booleans, schema.nearly_unique)
    can = tuple(worded for worded in prepared.worded if worded.sql.id in ways)
    if not can:
        raise BenchwrightError(f"pages can answer no template: {'; '.join(left)}")
    kept, told = without_told(filler, can)
    groups = parameters["groups"]
    source = Sample(filler, groups, request.seed, request.progress) if groups else Everything(filler)
    usual = [worded for worded, one in source.look(kept) if one.is_above(parameters["commonest"])]
    left.update(told)
    left.update([USUAL] * len(usual))
    names = {worded.sql.id for worded in usual}
    kept = tuple(worded for worded in kept if worded.sql.id not in names)
    if not kept:
        raise BenchwrightError(f"nobody would ask any template: {'; '.join(left)}; try --set commonest=1")
    unasked: Counter[str] = Counter()
    parts = [
        part
        for worded, fillings in source.fill(kept)
        for part in _part(database, worded, fillings, ways[worded.sql.id], unasked)
    ]
    total = Counter(prepared.left_out) + left
    prepared = replace(prepared, worded=kept, left_out=dict(total))
    return Asked(filler, prepared, parts, len(source.undrawn), unasked, kinds)


def _part(
    database: Database, worded: WordedTemplate, fillings: Fillings, way: Way, unasked: Counter[str]
) -> Iterator[Part]:
    """Fillings with what they need, without those that cannot be asked."""
    if answerability_of(worded.sql.declared) != "answerable":
        columns = zip(fillings.values, fillings.texts, strict=True)
        rows = zip(*(literal_array(values, texts).to_pylist() for values, texts in columns), strict=True)
        yield Part(worded, fillings, (), [absence_of(database, worded.sql, way, row) for row in rows])
        return
    needs = needed(database, worded.sql, way, fillings)
    places = _untold(worded, fillings)
    unasked[TOLD] += len(fillings) - len(places)
    can = [place for place in places if not any("\0" in texts[place].as_py() for texts in fillings.texts)]
    unasked[UNSHOWN] += len(places) - len(can)
    places = can
    if way.needs_all:
        counts = [len(ways[0]) for ways in needs]
        unasked[NOTHING_STATED] += counts.count(0)
        unasked[TOO_MANY] += sum(count > MOST for count in counts)
        places = [place for place in places if 0 < counts[place] <= MOST]
    if places:
        yield Part(worded, fillings.take(places), [needs[place] for place in places])


def _untold(worded: WordedTemplate, fillings: Fillings) -> list[int]:
    """The fillings whose answer does not stand in their questions: the bank of China is in China. Yes and no do not."""
    if "boolean" in fillings.answer_types:
        return list(range(len(fillings)))
    own = [PLACEHOLDER.sub(" ", text) for _, text in worded.wordings]
    given = zip(*(texts.to_pylist() for texts in fillings.texts), strict=True)
    return [
        place
        for place, (answers, values) in enumerate(zip(fillings.answers.to_pylist(), given, strict=True))
        if not is_told(answers, values) and not any(is_told(answers, [text]) for text in own)
    ]
