"""The documents of Aurp: what they state, what they keep silent about, and how varied they are."""

import hashlib
import itertools
import re
import tracemalloc
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import pytest
from support import in_full

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.types import Document
from benchwright.builders.aurp.cells import slot_of
from benchwright.builders.aurp.document_text import StatedCell, article
from benchwright.builders.aurp.documents import documents, gap_cells
from benchwright.builders.aurp.generate import make_world
from benchwright.builders.aurp.phrases import FREE, banks, parse
from benchwright.builders.aurp.prove_documents import Checker, ProofCounts
from benchwright.builders.aurp.read_values import find, read
from benchwright.builders.aurp.schema import STANDARD, Column, Kind
from benchwright.builders.aurp.styles import written_forms
from benchwright.builders.aurp.world import World

Made = list[tuple[Document, tuple[StatedCell, ...]]]
SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")


@pytest.fixture(scope="module")
def world() -> World:
    return make_world()


@pytest.fixture(scope="module")
def made(world: World) -> Made:
    return list(documents(world))


def test_counts(world: World, made: Made) -> None:
    assert Counter(document.metadata["kind"] for document, _ in made) == {
        "organisation page": 1,
        "office page": 10,
        "department page": 14,
        "employee page": 150,
        "client page": 40,
        "contact directory": 7,
        "supplier page": 30,
        "project report": 176,
        "package register": 120,
    }
    assert len({document.id for document, _ in made}) == len(made) == 548
    assert len(list(gap_cells(world))) == 590


def check(world: World, made: Iterable[tuple[Document, Sequence[StatedCell]]], coverage: float) -> ProofCounts:
    """What the documents of a world prove."""
    checker = Checker(world, coverage)
    for document, stated in made:
        checker.see(document, stated)
    return checker.finish()


def test_quality_of_the_standard_world(world: World, made: Made) -> None:
    quality = check(world, made, 0.9)
    assert (quality.documents, quality.stated_cells, quality.gap_cells) == (548, 5578, 590)
    assert quality.superseded_spans == 100
    assert quality.gap_documents > 2_000
    cells = sum(
        getattr(row, column.name) is not None
        for table in STANDARD.tables
        for row in world.rows(table.name)
        for column in table.columns
        if column.kind not in ("key", "name")
    )
    assert quality.stated_cells + quality.gap_cells == cells


@pytest.mark.parametrize(("size", "names_seed"), [("paper", 0), ("paper", 3), (10, 1), (40, 2), *in_full((200, 2))])
def test_quality_of_other_worlds(size: str | int, names_seed: int) -> None:
    world = make_world(size, seed=names_seed, names_seed=names_seed)
    assert check(world, documents(world, 0.8), 0.8).gap_cells > 5


@pytest.mark.parametrize("coverage", [0.0, 1.0])
def test_nothing_and_everything_can_be_covered(coverage: float) -> None:
    world = make_world(20)
    quality = check(world, documents(world, coverage), coverage)
    always_stated = 6 + len(world.work_package) + 1
    assert quality.gap_cells == 0 if coverage else quality.stated_cells == always_stated


def test_every_span_is_the_smallest_that_states_the_value(made: Made) -> None:
    for document, stated in made:
        for one in stated:
            assert document.body[one.start : one.end] == one.value_text
            assert one.value_text == one.value_text.strip(" .,;:")


def test_no_mark_of_a_template_is_left(made: Made) -> None:
    for document, _ in made:
        text = re.sub(r"^[#-].*$", "", document.body, flags=re.MULTILINE)
        assert not re.search(r"[\[\]{}|]|a\(n\)|  |\s[.,;]|\.\.| an? an? |None", text), document.id


def test_who_is_asked_about_is_named_where_the_facts_are(world: World, made: Made) -> None:
    for document, stated in made:
        for one in stated:
            assert world.rows(one.table)[int(one.key) - 1].name in document.body


def test_same_seeds_same_documents(made: Made) -> None:
    def fingerprint(some: Iterator[tuple[Document, tuple[StatedCell, ...]]] | Made) -> str:
        return hashlib.sha256(repr([(d.id, d.title, d.text, d.metadata, s) for d, s in some]).encode()).hexdigest()

    assert fingerprint(documents(make_world())) == fingerprint(made)


def test_another_seed_keeps_the_documents_and_the_gaps(world: World, made: Made) -> None:
    other = make_world(seed=5)
    assert list(gap_cells(other)) == list(gap_cells(world))
    assert [document.id for document, _ in documents(other)] == [document.id for document, _ in made]
    assert sum(one.text == two.text for (one, _), (two, _) in zip(documents(other), made, strict=True)) == 0


def test_superseded_values_are_followed_by_the_current_ones(world: World, made: Made) -> None:
    gaps = set(gap_cells(world))
    by_id = {document.id: (document, stated) for document, stated in made}
    revised = [old for old in world.superseded if ("project", old.key, old.column) not in gaps]
    assert len(revised) == 50
    for old in revised:
        first, second = (by_id[f"project-report-{old.key:04d}-{number}"] for number in (1, 2))
        assert re.search("supersede|replace|revised|changed|no longer", first[0].body.split("\n\n")[0])
        assert first[0].metadata["date"] < second[0].metadata["date"]
        mine = [
            one.superseded for one in second[1] if (one.table, one.key, one.column) == ("project", old.key, old.column)
        ]
        assert set(mine) == {True, False}
        assert all(one.superseded for one in first[1] if (one.table, one.column) == ("project", old.column))


@pytest.mark.parametrize("projects", [150, *in_full(800)])
def test_reports_have_200_to_400_words(made: Made, projects: int) -> None:
    for world_documents in (made, documents(make_world(projects, names_seed=4))):
        for document, _ in world_documents:
            if document.metadata["kind"] == "project report":
                assert 200 <= len(document.body.split()) <= 400, document.id


def masked(document: Document, stated: tuple[StatedCell, ...], world: World) -> list[str]:
    """The document's sentences with names and values taken out."""
    text = document.body
    for one in sorted(stated, key=lambda one: -one.start):
        text = text[: one.start] + "_" + text[one.end :]
    for name in (document.metadata["entity"], *(document.metadata["entity"] or "").split()):
        text = text.replace(name, "_") if name else text
    return [
        sentence for sentence in SENTENCE_END.split(text) if len(sentence) > 3 and sentence.endswith((".", "!", "?"))
    ]


def test_census_of_styles(world: World, made: Made) -> None:
    openings: Counter[str] = Counter()
    sentences: Counter[str] = Counter()
    for document, stated in made:
        found = masked(document, stated, world)
        if document.metadata["kind"] == "project report":
            noted = re.search("supersede|replace|revised|changed|no longer", found[0])
            openings[found[2 if noted and "Superseded in part." in found[0] else 1 if noted else 0]] += 1
        sentences.update(set(found))
    assert openings.total() == 176
    assert openings.most_common(1)[0][1] / openings.total() < 0.08
    assert sentences.most_common(1)[0][1] / len(made) < 0.05
    assert len(sentences) > 1_500


def test_dates_money_and_units_come_in_several_styles(made: Made) -> None:
    shapes: dict[str, set[str]] = {}
    for _, stated in made:
        for one in stated:
            shapes.setdefault(one.column, set()).add(re.sub(r"[A-Z][a-z]+", "M", re.sub(r"\d+", "9", one.value_text)))
    assert len(shapes["start_on"]) >= 6
    assert len(shapes["budget_usd"]) >= 8
    assert {"9 m", "9 metres"} <= shapes["longest_span_m"]
    assert {"9 years", "9-year"} <= shapes["design_life_years"]


def test_facts_are_spread_and_sometimes_stated_twice(made: Made) -> None:
    places: dict[tuple[str, int | str, str], set[str]] = {}
    for document, stated in made:
        for one in stated:
            places.setdefault((one.table, one.key, one.column), set()).add(document.id)
    assert sum(len(ids) > 1 for ids in places.values()) > 500


def test_a_leak_is_found_and_named(world: World, made: Made) -> None:
    gap = next((key, column) for table, key, column in gap_cells(world) if (table, column) == ("project", "budget_usd"))
    project = world.project[int(gap[0]) - 1]
    document, stated = next(one for one in made if one[0].id == f"project-report-{project.id:04d}-1")
    leak = f"The budget is US${project.budget_usd / 1e6:g} million."
    with pytest.raises(BenchwrightError) as caught:
        Checker(world, 0.9).see(replace(document, text=f"{document.text} {leak}"), stated)
    where = f"document project-report-{project.id:04d}-1"
    assert str(caught.value) == f"{where} gives away the known gap project {project.id}, budget_usd: {leak!r}"


def test_a_wrong_span_is_found_and_named(world: World, made: Made) -> None:
    document, stated = next(one for one in made if one[0].id == "office-0001")
    wrong = replace(stated[0], start=stated[0].start + 1, value_text=stated[0].value_text[1:])
    with pytest.raises(BenchwrightError, match=r"^document office-0001: .* does not say what office 1, "):
        Checker(world, 0.9).see(document, [wrong])


def test_a_silent_document_is_found_and_named(world: World, made: Made) -> None:
    silent = [(document, stated) for document, stated in made if document.id != "supplier-0004"]
    with pytest.raises(BenchwrightError) as caught:
        check(world, silent, 0.9)
    assert str(caught.value) == "no document states supplier 4, location, and it is not a known gap"


@pytest.mark.parametrize("coverage", [-0.1, 1.5])
def test_coverage_is_a_share(world: World, coverage: float) -> None:
    with pytest.raises(BenchwrightError) as caught:
        next(iter(documents(world, coverage)))
    assert str(caught.value) == f"coverage={coverage}: give the share of facts that documents state, from 0 to 1"


@pytest.mark.parametrize(
    ("kind", "value", "unit"),
    [
        ("date", "2022-09-01", None),
        ("date", "2013-11-22", None),
        ("money", 4_200_000, None),
        ("money", 12_500_000, None),
        ("money", 988_000, None),
        ("quantity", 1_250, "m3"),
        ("quantity", 84, "m"),
        ("quantity", 779, "m2"),
        ("quantity", 30, "days"),
        ("count", 11, None),
        ("count", 1_320, None),
        ("year", 1987, None),
    ],
)
def test_every_written_form_reads_back(kind: Kind, value: str | int, unit: str | None) -> None:
    forms = written_forms(kind, value, unit)
    assert len(forms) >= (1 if kind == "year" else 2) or value == 1_320
    for form in forms:
        assert read(kind, form.replace(",", "") if "-" in form and kind == "quantity" else form, unit) == str(value), (
            form
        )


def test_other_numbers_are_not_mistaken() -> None:
    text = "Call +999 122 3623 about 40 tonnes for $4.2 million by 1 September 2022."
    assert [found[2] for found in find("money", text)] == ["4200000"]
    assert [found[2] for found in find("date", text)] == ["2022-09-01"]
    assert [found[2] for found in find("quantity", text, "t")] == ["40"]


def test_every_column_can_be_told_alone() -> None:
    pages, report = banks("phrases_pages.toml"), banks("phrases_report.toml")
    told = {
        "project": [bank for name, bank in report.items() if name.split(".")[0] not in ("opening", "line", "related")],
        "work_package": [pages["package.facts"]],
        "client_contact": [pages["contact.facts"]],
        "company": [pages["organisation.facts"]],
    }
    for table in STANDARD.tables:
        for column in table.columns:
            if column.kind in ("key", "name") or column.name == "project_id":
                continue
            alone = told.get(table.name) or [pages[f"{table.name}.facts"]]
            slot = slot_of(column.name)
            assert sum(p.slots == {slot} for bank in alone for p in bank.phrases) >= 2, (table.name, column.name)


def test_fillers_state_nothing() -> None:
    for name, bank in banks("phrases_filler.toml").items():
        for phrase in bank.phrases:
            assert phrase.slots == frozenset(), (name, phrase.text)
            assert not re.search(r"\d|\$", phrase.text), phrase.text
    assert "P" in FREE


def test_brackets_must_match() -> None:
    with pytest.raises(ValueError, match="unmatched bracket in phrase: a \\[b"):
        parse("a [b")


@pytest.mark.parametrize(
    ("following", "expected"),
    [
        ("engineer", "an"),
        ("MEng in Civil Engineering", "an"),
        ("BSc", "a"),
        ("80-year", "an"),
        ("18-month", "an"),
        ("120-year", "a"),
        ("university", "a"),
        ("hospital wing", "a"),
        ("MBA", "an"),
        ("BIM coordinator", "a"),
    ],
)
def test_articles(following: str, expected: str) -> None:
    assert article(following) == expected


def test_documents_come_one_at_a_time() -> None:
    """All 600 kept would take 2 MB."""
    assert list(documents(make_world(10))), "what is read once is read"
    world = make_world(200)
    tracemalloc.start()
    for _ in itertools.islice(documents(world), 600):
        continue
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1_000_000


def test_unit_of_a_column_is_known() -> None:
    quantities = [column for table in STANDARD.tables for column in table.columns if column.kind == "quantity"]
    assert {column.unit for column in quantities} == {"m", "m2", "m3", "t", "days", "years"}
    assert all(isinstance(column, Column) for column in quantities)
