"""Project reports and registers of work packages."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import cache
from typing import Any

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.types import Document
from benchwright.builders.aurp.cells import Cells
from benchwright.builders.aurp.document_ids import register_id, report_id
from benchwright.builders.aurp.document_text import Fact, Filling, PlainText, StatedCell, Subject, Writer, long_date
from benchwright.builders.aurp.draws import Draw
from benchwright.builders.aurp.generate import working_day
from benchwright.builders.aurp.phrases import Phrase, arranged, banks, choose, interleaved, merged
from benchwright.builders.aurp.world import Project, WorkPackage, World

REPORT, FILLER, PAGES = "phrases_report.toml", "phrases_filler.toml", "phrases_pages.toml"
AGAIN = ("the project", "the scheme", "the job", "the project")
WORDS = (248, 335)
"""About how many words a report should come to."""
_SHORTEST = 205
_CALLED = {"end": "completion date", "budget": "budget", "manager": "name of the project manager"}

Made = tuple[Document, list[StatedCell]]


@cache
def _layouts() -> dict[str, Any]:
    return read_toml(__package__, "layouts.toml")


@cache
def _group_banks(group: str) -> tuple[str, ...]:
    return tuple(name for name in banks(REPORT) if name.startswith(f"{group}."))


@cache
def _group_slots(groups: tuple[str, ...]) -> frozenset[str]:
    bank = merged(REPORT, tuple(name for group in groups for name in _group_banks(group)))
    return frozenset(slot for phrase in bank.phrases for slot in phrase.slots)


def report_days(project: Project, earlier_end: str | None, draw: Draw) -> tuple[str, str]:
    """When the first and the second report of a project are written: after its start, before any of its ends."""
    start = date.fromisoformat(project.start_on).toordinal()
    end = min(date.fromisoformat(day).toordinal() for day in (project.end_on, earlier_end or project.end_on))
    length = end - start
    return (
        working_day(start + int(length * (0.2 + 0.25 * draw.random()))),
        working_day(start + int(length * (0.6 + 0.25 * draw.random()))),
    )


def days_of(project: Project, superseded: Mapping[str, Fact], draw: Draw) -> tuple[str, str]:
    """The days of a project's reports, given what has been revised; they are the first that is drawn."""
    old_end = superseded.get("end")
    return report_days(project, str(old_end.value) if old_end else None, draw)


def second_day(world: World, project: Project, superseded: Mapping[str, Fact]) -> str:
    """The day of the report that supersedes what the first one says."""
    return days_of(project, superseded, reports_draw(world, project))[1]


def reports_draw(world: World, project: Project) -> Draw:
    """What decides when and how often a project is reported on."""
    return Draw("reports", world.names_seed, project.id)


def project_reports(cells: Cells, project: Project, superseded: dict[str, Fact]) -> Iterator[Made]:
    """One report of a project, or two where something has been revised or the project is followed more closely."""
    draw = reports_draw(cells.world, project)
    facts = cells.of("project", project.id)
    related = {
        **cells.followed(facts, "client", "client", ("industry", "location")),
        **cells.followed(facts, "director", "employee", ("job_title", "office")),
        **cells.followed(facts, "manager", "employee", ("job_title", "department")),
        **cells.followed(facts, "contractor", "supplier", ("location",)),
    }
    days = days_of(project, superseded, draw)
    twice = draw.chance(0.2) or bool(superseded)
    if not twice:
        yield _report(cells, project, 1, days[draw.below(2)], facts, {}, related, "")
        return
    first, second = dict(superseded), {f"old.{slot}": fact for slot, fact in superseded.items()}
    for slot, fact in facts.items():
        where = draw.random()
        if slot not in superseded and where < 0.65:
            first[slot] = fact
        if slot in superseded or where >= 0.35:
            second[slot] = fact
    yield _report(cells, project, 1, days[0], first, {}, related, days[1])
    yield _report(cells, project, 2, days[1], second, second, related, "")


def _report(
    cells: Cells,
    project: Project,
    number: int,
    day: str,
    facts: dict[str, Fact],
    revised: dict[str, Fact],
    related: dict[str, Fact],
    later: str,
) -> Made:
    """`revised`: facts with what they were before; `later`: the day of the report that supersedes facts of this one."""
    draw = Draw("report", cells.world.names_seed, project.id, number)
    writer = Writer(draw, Subject(project.name, AGAIN))
    fillings: dict[str, Filling] = {**facts, **related, "date": PlainText(long_date(later)) if later else PlainText("")}
    title = _title(project, day, draw)
    old = [slot for slot, fact in facts.items() if fact.superseded and "." not in slot]
    if old:
        called = " and the ".join(_CALLED[slot] for slot in old)
        note = draw.pick(banks(REPORT)["revision.note"].phrases)
        writer.sentence(note, {**fillings, "column": PlainText(called)})
        writer.paragraph()
    remaining = set(facts)
    opening = _opening(remaining - {slot[4:] for slot in revised if slot.startswith("old.")}, draw)
    writer.sentence(opening, fillings)
    remaining -= opening.slots
    layout = draw.pick(_layouts()["report"])["sections"]
    if draw.chance(0.3):
        remaining -= _key_lines(writer, fillings, remaining)
    known = {slot for slot, fact in facts.items() if not fact.superseded}
    extra = _related({slot: fact for slot, fact in related.items() if slot.split(".")[0] in known}, draw)
    _sections(writer, layout, remaining, fillings, extra)
    kind = {"kind": "project report", "date": day, "entity": project.name}
    return writer.document(report_id(project.id, number), title, kind), writer.stated


def _title(project: Project, day: str, draw: Draw) -> str:
    forms = (
        f"{project.name}: progress report, {long_date(day)}",
        f"Progress report on {project.name}, {long_date(day)}",
        f"{project.name}, report of {long_date(day)}",
        f"Project report: {project.name}, {long_date(day)}",
    )
    return draw.pick(forms)


def _opening(slots: set[str], draw: Draw) -> Phrase:
    known = banks(REPORT)
    fitting = known["opening"].fitting(frozenset(slots))
    always = [phrase for phrase in known["opening"].phrases if not phrase.slots] + list(known["opening_plain"].phrases)
    return draw.pick([*fitting, *always])


def _related(related: dict[str, Fact], draw: Draw) -> list[Phrase]:
    whole = {slot.split(".")[0] for slot in related}
    fitting = banks(REPORT)["related.about"].fitting(frozenset({*related, *whole}))
    fitting = [phrase for phrase in fitting if any("." in slot for slot in phrase.slots)]
    return [draw.pick(fitting)] if fitting and draw.chance(0.6) else []


def _key_lines(writer: Writer, fillings: dict[str, Filling], slots: set[str]) -> frozenset[str]:
    """A short list of facts, one a line; returns the slots it states."""
    draw = writer.draw
    plain = sorted(slot for slot in slots if "." not in slot and f"old.{slot}" not in slots)
    chosen = frozenset(draw.shuffled(plain)[: 3 + draw.below(3)])
    mark = draw.pick(("", "", "- ", "* "))
    writer.paragraph()
    for position, phrase in enumerate(choose(banks(REPORT)["line.keys"], chosen, draw, writer.used)):
        if position:
            writer.line()
        writer.marked_line(mark, phrase, fillings)
    return chosen


def _sections(
    writer: Writer, layout: Sequence[dict[str, Any]], slots: set[str], fillings: dict[str, Filling], extra: list[Phrase]
) -> None:
    draw = writer.draw
    told: list[list[Phrase]] = []
    layout = [one for one in layout if not one["facts"] or slots & _group_slots(tuple(one["facts"]))]
    for section in layout:
        groups = tuple(section["facts"])
        bank = merged(REPORT, tuple(name for group in groups for name in _group_banks(group)))
        told.append(choose(bank, slots & _group_slots(groups), draw, writer.used))
    for phrase in extra:
        group = "overview" if "client" in phrase.slots or "client.industry" in phrase.slots else "people"
        for section, phrases in zip(layout, told, strict=True):
            if group in section["facts"]:
                phrases.append(phrase)
    have = writer.words() + sum(phrase.words for section in told for phrase in section) + 2 * len(layout)
    wanted = max(len(layout), round((draw.between(*WORDS) - have) / 13))
    fillers = [0] * len(layout)
    for position in range(min(wanted, 4 * len(layout))):
        fillers[position if position < len(layout) else draw.below(len(layout))] += 1
    mark = draw.pick(_layouts()["heading_marks"])
    for number, (section, phrases) in enumerate(zip(layout, told, strict=True), 1):
        heading = draw.pick(section["headings"])
        writer.heading(mark.replace("{n}", str(number)).replace("{upper}", heading.upper()).replace("{}", heading))
        writer.paragraph()
        spare = merged(FILLER, tuple(section["fillers"]))
        _passage(writer, phrases, [_fresh(spare.phrases, writer) for _ in range(fillers[number - 1])], fillings)
    while writer.words() < _SHORTEST:
        writer.sentence(_fresh(merged(FILLER, ("next", "risks")).phrases, writer), fillings)


def _fresh(phrases: Sequence[Phrase], writer: Writer) -> Phrase:
    phrase = writer.draw.pick(phrases)
    while phrase.text in writer.used:
        phrase = writer.draw.pick(phrases)
    writer.used.add(phrase.text)
    return phrase


def _passage(writer: Writer, facts: list[Phrase], fillers: list[Phrase], fillings: dict[str, Filling]) -> None:
    """Sentences of both sorts, mixed, in one paragraph or two."""
    draw = writer.draw
    sentences = interleaved(arranged(facts, tuple(fillings), draw, 5.0), fillers, draw)
    cut = draw.between(2, len(sentences) - 2) if len(sentences) > 4 and draw.chance(0.5) else 0
    for position, phrase in enumerate(sentences):
        if cut and position == cut:
            writer.paragraph()
        led = position and "," not in phrase.text and phrase.slots and draw.chance(0.1)
        lead = draw.pick(banks(FILLER)["lead_in"].phrases).text if led else ""
        writer.sentence(phrase, fillings, lead)


def package_register(cells: Cells, project: Project, packages: Sequence[WorkPackage]) -> Made:
    """One sheet on the work packages of a project."""
    draw = Draw("register", cells.world.names_seed, project.id)
    writer = Writer(draw, Subject(project.name, AGAIN))
    owners = tuple(Fact("work_package", package.id, "project_id", "reference", project.name) for package in packages)
    pages = banks(PAGES)
    writer.sentence(draw.pick(pages["package.register"].phrases), {"project": PlainText(project.name, owners)})
    spare = pages["package.filler"].phrases
    for package in packages:
        writer.about(Subject(package.name, ("the package", "this package", "it")))
        facts: dict[str, Filling] = {**cells.of("work_package", package.id)}
        facts.pop("project", None)
        writer.paragraph()
        writer.sentence(_fresh(pages["package.opening"].phrases, writer), facts)
        chosen = choose(pages["package.facts"], facts, draw, writer.used)
        fillers = [_fresh(spare, writer)] if draw.chance(0.6) else []
        for phrase in [*arranged(chosen, ("supplier", "value", "start", "end", "crew", "lead"), draw, 3.0), *fillers]:
            writer.sentence(phrase, facts)
    title = draw.pick(
        (f"Works packages of {project.name}", f"{project.name}: package register", f"{project.name}, packages let")
    )
    kind = {"kind": "package register", "date": report_days(project, None, draw)[0], "entity": project.name}
    return writer.document(register_id(project.id), title, kind), writer.stated
