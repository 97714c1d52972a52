"""What is asked of a database: templates whose answers pages can state, filled, and the facts that these need."""

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.grounding.database import Database
from benchwright.builders.base import BuildRequest
from benchwright.builders.spider.facts import Need, Way, needed, way_of
from benchwright.builders.sql.filling.everything import Everything
from benchwright.builders.sql.filling.fill import Filler
from benchwright.builders.sql.filling.fillings import Fillings
from benchwright.builders.sql.filling.questions import WordedTemplate
from benchwright.builders.sql.filling.sample import Sample
from benchwright.builders.sql.filling.told import without_told
from benchwright.builders.sql.schema import DatabaseSchema
from benchwright.builders.sql.templates.prepare import TemplateSet, prepare_templates
from benchwright.builders.sql.wording.forms.form import Form

USUAL = "one answer is nearly always right"

log = logging.getLogger("benchwright")


@dataclass(frozen=True)
class Part:
    """Some fillings of a template, with what their answers need."""

    worded: WordedTemplate
    fillings: Fillings
    needs: Sequence[Sequence[tuple[Need, ...]]]
    """For each filling the facts, in each way that leads to the answer."""


@dataclass(frozen=True)
class Asked:
    """All that is asked."""

    filler: Filler
    prepared: TemplateSet
    parts: Sequence[Part]
    undrawn: int
    """Templates of which a sample drew nothing."""


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
    parts = [
        Part(worded, fillings, needed(database, worded.sql, ways[worded.sql.id], fillings))
        for worded, fillings in source.fill(kept)
    ]
    total = Counter(prepared.left_out) + left
    return Asked(filler, replace(prepared, worded=kept, left_out=dict(total)), parts, len(source.undrawn))
