"""Ordinary prose is read for the facts of its row: ten pages that are right are taken, ten with one wrong thing are not."""

from collections.abc import Mapping

import prose
import pytest

from benchwright.benchmarks.grounding.database import open_database
from benchwright.builders.spider.pages_by_model import as_held, wrong_with
from benchwright.builders.spider.profile import Profile
from benchwright.builders.spider.profiles import Profiles
from benchwright.builders.spider.source import write_own
from benchwright.builders.spider.strangers import Strangers
from benchwright.builders.sql.reflection import reflect

COMPANIES = ["Ardmoor Energy", "Belcastra Bank", "Glenhallow Foods", "Pellworm Shipping", "Dellbrook Stores"]
PEOPLE = ["Elena Quist", "Celia Varga", "Hugo Tavares", "Ines Caldwell", "Dorian Achterberg"]
Read = tuple[Mapping[str, Profile], Strangers]


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Read:
    """The profiles of our own companies and people, with who works where on the page of the person."""
    path = tmp_path_factory.mktemp("prose") / "companies.sqlite"
    write_own(path)
    with open_database(f"sqlite:///{path}") as database:
        schema = reflect(database)
        pages = [profile.id for profile in Profiles(database, schema).make((), (), 0, 0) if profile.noun != "company"]
        people = list(Profiles(database, schema).of_pages(pages))
        found = {profile.name: profile for profile in Profiles(database, schema).make((), (), 0, 0)}
    found |= {profile.name: profile for profile in people}
    companies = {
        name: Profile(one.row, one.noun, one.name, tuple(fact for fact in one.facts if fact.sort == "cell"))
        for name, one in found.items()
        if one.noun == "company"
    }
    found |= companies
    strangers = Strangers()
    for profile in found.values():
        strangers.see(profile)
    return found, strangers


def values(profile: Profile, known: Mapping[str, Profile]) -> dict[str, str]:
    """What a page of prose says of a row, and something that is another row's."""
    cells = {fact.label: fact.value for fact in profile.facts if fact.sort == "cell"}
    if profile.noun == "company":
        assets = f"{float(cells['assets']):,}"
        industry = cells["industry"][0].lower() + cells["industry"][1:]
        return {
            "name": profile.name, "hq": cells["headquarters"], "industry_low": industry, "sales": cells["sales"],
            "profits": cells["profits"], "assets": assets, "value": cells["market value"],
            "other_industry": "banking" if industry != "banking" else "insurance",
        }  # fmt: skip
    pair = next(fact for fact in profile.facts if fact.sort == "pair" and fact.key[2])
    others = [fact for one in known.values() if one.noun == profile.noun for fact in one.facts if fact.sort == "cell"]
    other = {fact.label: fact.value for fact in others if fact.value != cells.get(fact.label)}
    return {
        "name": profile.name, "age": cells["age"], "nationality": cells["nationality"],
        "college": cells["graduation college"], "years": pair.value,
        "employer": next(name for name in pair.names if name != profile.name), "other_employer": "Quarrington Oil",
        "other_college": other["graduation college"], "other_nationality": other["nationality"],
    }  # fmt: skip


def problems(rows: Read, name: str, page: str) -> list[str]:
    """What is wrong with a page of prose about a row."""
    found, strangers = rows
    profile = found[name]
    return wrong_with(profile, as_held(profile, page.format(**values(profile, found))), strangers)


@pytest.mark.parametrize(("names", "pages"), [(COMPANIES, prose.COMPANIES), (PEOPLE, prose.PEOPLE)])
def test_good_prose_is_taken(rows: Read, names: list[str], pages: list[str]) -> None:
    for number, name in enumerate(names):
        for page in (pages[number], pages[(number + 1) % len(pages)]):
            assert problems(rows, name, page) == []


@pytest.mark.parametrize(
    ("names", "pages", "wrong"),
    [(COMPANIES, prose.COMPANIES, prose.WRONG_COMPANIES), (PEOPLE, prose.PEOPLE, prose.WRONG_PEOPLE)],
)
def test_one_wrong_thing_is_named(
    rows: Read, names: list[str], pages: list[str], wrong: list[tuple[int, str, str, str]]
) -> None:
    for number, right, instead, said in wrong:
        assert right in pages[number]
        found = problems(rows, names[number], pages[number].replace(right, instead))
        assert any(said in problem for problem in found), (instead, found)
