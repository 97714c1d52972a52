"""Pages of the staff directory, of clients, contacts, suppliers, offices and departments, and of the company."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from benchwright.benchmarks.types import Document
from benchwright.builders.aurp.cells import Cells
from benchwright.builders.aurp.document_ids import CONTACTS_ON_A_SHEET, ORGANISATION, page_id, sheet_id
from benchwright.builders.aurp.document_text import Fact, Filling, PlainText, StatedCell, Subject, Writer
from benchwright.builders.aurp.draws import Draw
from benchwright.builders.aurp.phrases import Phrase, arranged, banks, choose, interleaved
from benchwright.builders.aurp.world import BOARD, Row, is_gap

PAGES = "phrases_pages.toml"
_LISTED = 4
"""At most so many projects are listed on a page."""

Made = tuple[Document, list[StatedCell]]


@dataclass(frozen=True)
class Projects:
    """Which projects name an employee or a client, leaving out what no document states."""

    by: Mapping[str, Mapping[int, list[int]]] = field(default_factory=dict)

    @classmethod
    def of(cls, cells: Cells) -> "Projects":
        """Looks through all projects once."""
        world = cells.world
        by: dict[str, defaultdict[int, list[int]]] = {}
        for column in ("client_id", "director_id", "manager_id"):
            by[column] = defaultdict(list)
            for project in world.project:
                if not is_gap(world, cells.coverage, "project", project.id, column):
                    by[column][getattr(project, column)].append(project.id)
        return cls(by)


def employee_page(cells: Cells, key: int, projects: Projects) -> Made:
    """The page of one employee."""
    person = cells.world.employee[key - 1]
    draw = Draw("page", "employee", cells.world.names_seed, key)
    given, family = person.name.split(" ", 1)
    writer = Writer(draw, Subject(person.name, (draw.pick((given, family)),)))
    facts: dict[str, Filling] = {**cells.of("employee", key)}
    pages = banks(PAGES)
    _opening(writer, "employee", facts)
    telling = set(facts)
    sentences: list[Phrase] = []
    if key == 1 and "job_title" in facts:
        sentences.append(draw.pick(pages["employee.chief"].phrases))
        telling.discard("job_title")
        facts["chief_executive"] = cells.of("company", 1)["chief_executive"]
    supervisor = facts.get("supervisor")
    if isinstance(supervisor, Fact) and supervisor.value == BOARD:
        sentences.append(draw.pick(pages["employee.board"].phrases))
        telling.discard("supervisor")
    sentences += choose(pages["employee.facts"], telling, draw, writer.used)
    fillers = draw.shuffled(pages["employee.filler"].phrases)[: 2 + draw.below(2)]
    _write(writer, sentences, fillers, facts)
    for column, bank in (("director_id", "employee.directs"), ("manager_id", "employee.projects")):
        _list_projects(writer, cells, projects, column, key, person.name, bank)
    return _finish(writer, cells, "employee", key, "employee page", "Staff page")


def client_page(cells: Cells, key: int, projects: Projects) -> Made:
    """The page of one client."""
    client = cells.world.client[key - 1]
    draw = Draw("page", "client", cells.world.names_seed, key)
    writer = Writer(draw, Subject(client.name, ("the company",)))
    own = cells.of("client", key)
    related = cells.followed(own, "contact", "client_contact", ("job_title", "location"))
    facts: dict[str, Filling] = {**own, **related}
    pages = banks(PAGES)
    _opening(writer, "client", facts)
    sentences = choose(pages["client.facts"], own, draw, writer.used)
    if related and draw.chance(0.5):
        sentences.append(draw.pick(pages["client.related"].fitting(frozenset({*related, "contact"}))))
    fillers = draw.shuffled(pages["client.filler"].phrases)[: 2 + draw.below(3)]
    _write(writer, sentences, fillers, facts)
    _list_projects(writer, cells, projects, "client_id", key, client.name, "client.projects")
    return _finish(writer, cells, "client", key, "client page", "Client")


def simple_page(cells: Cells, table: str, key: int) -> Made:
    """The page of one supplier, office or department."""
    row = cells.world.rows(table)[key - 1]
    draw = Draw("page", table, cells.world.names_seed, key)
    again = {"supplier": ("the firm", "the supplier"), "office": ("the office",), "department": ("the department",)}
    writer = Writer(draw, Subject(row.name, again[table]))
    facts: dict[str, Filling] = {**cells.of(table, key)}
    pages = banks(PAGES)
    _opening(writer, table, facts)
    sentences = choose(pages[f"{table}.facts"], facts, draw, writer.used)
    fillers = draw.shuffled(pages[f"{table}.filler"].phrases)[: 2 + draw.below(2)]
    _write(writer, sentences, fillers, facts)
    titles = {"supplier": "Supplier sheet", "office": "Office", "department": "Department"}
    return _finish(writer, cells, table, key, f"{table} page", titles[table])


def contact_sheets(cells: Cells) -> Iterator[Made]:
    """The directory of the clients' contacts, several people to a sheet."""
    world = cells.world
    for number, first in enumerate(range(1, len(world.client_contact) + 1, CONTACTS_ON_A_SHEET), 1):
        keys = range(first, min(first + CONTACTS_ON_A_SHEET, len(world.client_contact) + 1))
        draw = Draw("page", "contacts", world.names_seed, number)
        writer = Writer(draw, Subject("", ("",)))
        pages = banks(PAGES)
        for key in keys:
            name = world.client_contact[key - 1].name
            writer.about(Subject(name, (draw.pick(name.split(" ")),)))
            writer.paragraph()
            facts: dict[str, Filling] = {**cells.of("client_contact", key)}
            _opening(writer, "contact", facts)
            filler = draw.pick(pages["contact.filler"].phrases)
            sentences = choose(pages["contact.facts"], facts, draw, writer.used)
            _write(writer, sentences, [filler], facts, breaks=False)
        metadata = {"kind": "contact directory", "date": "2026-01-12", "entity": None}
        document = writer.document(sheet_id(number), f"Client contacts, sheet {number}", metadata)
        yield document, writer.stated


def organisation_page(cells: Cells) -> Made:
    """The profile of the company, its departments and its offices."""
    world = cells.world
    draw = Draw("page", "organisation", world.names_seed)
    writer = Writer(draw, Subject("Aurp", ("the company", "the firm")))
    facts: dict[str, Filling] = {**cells.of("company", 1)}
    pages = banks(PAGES)
    writer.heading("Who we are")
    writer.paragraph()
    _opening(writer, "organisation", facts)
    sentences = choose(pages["organisation.facts"], facts, draw, writer.used)
    _write(writer, sentences, pages["organisation.filler"].phrases, facts, breaks=False)
    for heading, table, slot in (("Departments", "department", "sponsor"), ("Offices", "office", "location")):
        writer.heading(heading)
        writer.paragraph()
        if table == "department":
            writer.sentence(pages["organisation.sponsors"].phrases[0], {})
        for row in world.rows(table):
            stated = cells.of(table, row.id)
            if slot in stated:
                phrase = draw.pick(pages[f"organisation.{table}s"].phrases)
                writer.sentence(phrase, {slot: stated[slot], "other": PlainText(row.name)})
    metadata = {"kind": "organisation page", "date": "2026-01-12", "entity": "Aurp"}
    return writer.document(ORGANISATION, "Aurp: the company, its departments and its offices", metadata), writer.stated


def _opening(writer: Writer, bank: str, facts: Mapping[str, Filling]) -> None:
    phrases = banks(PAGES)[f"{bank}.opening"].phrases
    phrase = writer.draw.pick(phrases)
    while phrase.text in writer.used:
        phrase = writer.draw.pick(phrases)
    if len(phrases) > CONTACTS_ON_A_SHEET - 1:
        writer.used.add(phrase.text)
    writer.sentence(phrase, facts)


def _write(
    writer: Writer,
    told: Sequence[Phrase],
    spare: Sequence[Phrase],
    facts: Mapping[str, Filling],
    *,
    breaks: bool = True,
) -> None:
    """Sentences that state something and sentences that do not, in one paragraph or two."""
    draw = writer.draw
    sentences = interleaved(arranged(told, tuple(facts), draw, 3.0), spare, draw)
    cut = draw.between(2, len(sentences) - 2) if breaks and len(sentences) > 5 and draw.chance(0.6) else 0
    for position, phrase in enumerate(sentences):
        if cut and position == cut:
            writer.paragraph()
        writer.sentence(phrase, facts)


def _list_projects(
    writer: Writer, cells: Cells, projects: Projects, column: str, key: int, name: str, bank: str
) -> None:
    keys = projects.by[column].get(key, [])
    if not keys or not writer.draw.chance(0.8):
        return
    chosen = writer.draw.shuffled(keys)[:_LISTED]
    listed = [cells.world.project[number - 1].name for number in chosen]
    text = listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} and {listed[-1]}"
    facts = tuple(Fact("project", number, column, "reference", name) for number in chosen)
    writer.paragraph()
    phrase = writer.draw.pick(banks(PAGES)[bank].phrases)
    writer.sentence(phrase, {"self": PlainText(name, facts), "list": PlainText(text)})


def _finish(writer: Writer, cells: Cells, table: str, key: int, kind: str, title: str) -> Made:
    row: Row = cells.world.rows(table)[key - 1]
    metadata = {"kind": kind, "date": "2026-01-12", "entity": row.name}
    forms = (f"{title}: {row.name}", row.name, f"{row.name} ({title[0].lower()}{title[1:]})")
    document = writer.document(page_id(table, key), writer.draw.pick(forms), metadata)
    return document, writer.stated
