"""The pages of a build: profiles, who writes them, and what a reading of each finds."""

import logging
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from benchwright.benchmarks.grounding.database import Database
from benchwright.benchmarks.types import Document
from benchwright.builders.base import BuildRequest
from benchwright.builders.spider.asking import Asked
from benchwright.builders.spider.facts import FactKey, Row, has_pages
from benchwright.builders.spider.pages import RuleWriter
from benchwright.builders.spider.pages_by_model import ModelPages
from benchwright.builders.spider.profile import Profile
from benchwright.builders.spider.profiles import Profiles
from benchwright.builders.spider.reading import Reading
from benchwright.builders.spider.strangers import Strangers
from benchwright.builders.sql.schema import DatabaseSchema

log = logging.getLogger("benchwright")


@dataclass
class Pages:
    """The pages, and where they state what."""

    pages: dict[str, tuple[Profile, str]] = field(default_factory=dict)
    """Document → its profile and text."""
    spans: dict[FactKey, list[tuple[str, int, int]]] = field(default_factory=dict)
    """Fact → the places where pages state it."""
    strangers: Strangers = field(default_factory=Strangers)
    left_out: Counter[str] = field(default_factory=Counter)
    untold: Counter[str] = field(default_factory=Counter)
    model: ModelPages | None = None
    """Who wrote them, where rules did not."""

    def documents(self) -> Iterator[Document]:
        """As a corpus holds them."""
        for name, (profile, text) in self.pages.items():
            yield Document(name, profile.name, text)


def make_pages(database: Database, schema: DatabaseSchema, asked: Asked, request: BuildRequest) -> Pages:
    """Writes a page of each row that questions need, and of others up to a number, and reads it."""
    keys: set[FactKey] = set()
    rows: dict[Row, None] = {}
    for key, owners in (need for part in asked.parts for need in part.all_needs()):
        keys.add(key)
        rows |= {row: None for row in owners if has_pages(schema.tables[row[0]])}
    maker = Profiles(database, schema)
    profiles = list(maker.make(keys, rows, request.parameters["pages"], request.seed))
    strangers = Strangers()
    for profile in profiles:
        strangers.see(profile)
    rule = RuleWriter(request.seed, strangers)
    made = Pages(strangers=strangers, left_out=maker.left_out, untold=maker.untold)
    if request.parameters["documents"] == "model" and request.client is not None:
        made.model = ModelPages(request.client, strangers, rule)
    written = made.model.write(profiles) if made.model else ((profile, rule.write(profile)) for profile in profiles)
    for number, (profile, text) in enumerate(written, 1):
        read = Reading(profile, text)
        problems = read.problems(strangers)
        if problems:
            made.left_out["what it would say cannot be told apart"] += 1
            log.info("no page is written of %s: %s", profile.name, problems[0])
            continue
        made.pages[profile.id] = profile, text
        for key, spans in read.facts.items():
            made.spans.setdefault(key, []).extend((profile.id, start, end) for start, end in spans)
        if made.model or not number % 50:
            request.progress("pages", number, len(profiles))
    for reason, count in made.left_out.items():
        log.warning("%d named rows have no page: %s", count, reason)
    return made
