"""What a card says of people and terms: as it was stated, and where it was not, that it was not."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from built import Built, company_release
from card_cases import CASES, GOLDEN, LIGHTS, aurp, library, wikipedia
from support import make_sqlite

from benchwright.benchmarks.catalogue import load_spec
from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.personal_data import is_named
from benchwright.benchmarks.releases.release import Release
from benchwright.builders.base import build_release
from benchwright.cards.dataset.card import is_rendered_here, render_card, render_for
from benchwright.cards.dataset.personal_data import columns_of_people

STATED = {
    "creators": "Ada <i>Lovelace; Bob {the} Builder",
    "maintainer": "Ada Lovelace <ada@lights.test>",
    "maintenance": "Looked after until 2030.",
    "errata": "https://lights.test/errata?a=b@c",
    "year": "2026",
    "licence": "cc-by-4.0",
    "personal_data": "Names of *keepers*, who agreed.",
}


def parts(card: str) -> dict[str, str]:
    """Title of a section → its text."""
    return {part.partition("\n")[0]: part.partition("\n")[2].strip() for part in card.split("\n## ")[1:]}


def header(card: str) -> dict[str, Any]:
    return yaml.safe_load(card.split("\n---\n")[0].removeprefix("---\n"))


def build(root: Path, **settings: str) -> Release:
    root.mkdir(exist_ok=True)
    database = make_sqlite(
        root / "keepers.sqlite",
        """
        CREATE TABLE keepers (full_name TEXT PRIMARY KEY, e_mail TEXT, homeTown TEXT, salary REAL);
        CREATE TABLE boats (name TEXT PRIMARY KEY, speed REAL);
        INSERT INTO keepers VALUES ('Ida Lewis', 'ida@x.test', 'Newport', 750), ('Grace D', 'g@x.test', 'Bamburgh', 20);
        INSERT INTO boats VALUES ('Rescue', 7), ('Tern', 5);
        """,
    )
    given = {"database": str(database), "forms": "short", "wordings": "2", **settings}
    return build_release("grammar", given, render_card, output=root / "releases", name="keepers")[0]


def test_what_was_stated_is_shown_as_it_is(tmp_path: Path) -> None:
    release = build(tmp_path, **STATED)
    assert {name: release.manifest.parameters[name] for name in STATED} == {**STATED, "year": 2026}
    card = render_for(release, "alice/keepers")
    said = parts(card)
    assert said["Who answers for it"].splitlines() == [
        "- Creators: Ada &lt;i&gt;Lovelace, Bob {the} Builder",
        "- Contact: Ada Lovelace &lt;ada@lights.test&gt;",
        "- Maintenance: Looked after until 2030.",
        "- Errata: https://lights.test/errata?a=b@c",
    ]
    assert said["Licence"].startswith("The data are under `cc-by-4.0`.\n")
    assert said["Personal data"].startswith("Stated by who made it: Names of \\*keepers\\*, who agreed.\n")
    assert header(card)["license"] == "cc-by-4.0"
    assert said["Citation"].partition("\n```\n")[0].splitlines() == [
        "```bibtex",
        "@misc{keepers_1_0_0,",
        "  title = {{keepers: GRAMMAR questions from a SQL database}},",
        "  author = {{Ada <i>Lovelace} and {Bob  the  Builder}},",
        "  year = {2026},",
        "  version = {1.0.0},",
        "  howpublished = {Hugging Face Hub, dataset alice/keepers, tag v1.0.0},",
        f"  note = {{content hash {release.manifest.content_hash}}}",
        "}",
    ]
    assert "No year was stated" not in card
    assert "`creators`" not in card, "it has its own place"


def test_what_nobody_stated_is_not_made_up(tmp_path: Path) -> None:
    release = build(tmp_path)
    assert not set(STATED) & set(release.manifest.parameters)
    said = parts(render_for(release, None))
    assert said["Who answers for it"].splitlines() == [
        f"- {what}: not stated" for what in ("Creators", "Contact", "Maintenance", "Errata")
    ]
    assert said["Licence"].startswith(
        "**Unknown.** The sources state no licence, and nobody stated one for this benchmark."
    )
    assert "author" not in said["Citation"].partition("The method:")[0]
    assert "\nNo year was stated, and a release has no time stamps.\n" in said["Citation"]


def test_it_changes_no_content(tmp_path: Path) -> None:
    plain, stated = build(tmp_path / "a"), build(tmp_path / "b", **STATED)
    assert plain.manifest.content_hash == stated.manifest.content_hash


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"licence": "mine"}, "licence=mine is none that the Hub has a name for: "),
        ({"creators": "a\nb"}, "creators must be one line of at most 1,000 characters for the card"),
        ({"errata": "x" * 1001}, "errata must be one line of at most 1,000 characters for the card"),
        ({"year": "10000"}, "year=10000 is out of range: give a number from 0 to 9999"),
        ({"creator": "Ada"}, "grammar has no parameter 'creator': did you mean creators?"),
    ],
)
def test_what_cannot_be_stated(tmp_path: Path, settings: dict[str, str], said: str) -> None:
    with pytest.raises(UsageError) as caught:
        build(tmp_path, **settings)
    assert str(caught.value).startswith(said)


@pytest.mark.parametrize(
    ("ship", "columns", "named"),
    [
        ("none", 7, ["keepers.full_name", "keepers.e_mail", "keepers.salary"]),
        ("all", 7, ["keepers.full_name", "keepers.e_mail", "keepers.salary"]),
    ],
)
def test_columns_that_may_be_about_people(tmp_path: Path, ship: str, columns: int, named: list[str]) -> None:
    release = build(tmp_path, ship=ship)
    found = columns_of_people(release)
    there = {name for names in found.found.values() for name in names}
    assert {"keepers.e_mail", "keepers.salary"} <= there
    assert found.found["e-mail addresses"] == ["keepers.e_mail"]
    said = parts(render_for(release, None))["Personal data"]
    assert "\n- e-mail addresses: `keepers.e_mail`\n" in said
    assert ("**all of it**: every row of every table" in said) == (ship == "all")
    assert "Whoever publishes it is responsible." in said
    assert is_rendered_here(release)


def test_columns_of_what_is_shipped_alone(built: Built, tmp_path: Path) -> None:
    """Columns that no query reads are in a database that was shipped whole."""
    release = company_release(built, ship="all")
    assert columns_of_people(release).count > columns_of_people(company_release(built)).count


@pytest.mark.parametrize(
    ("column", "word", "wanted"),
    [
        ("t.e_mail", "email", True), ("EMail", "email", True), ("contactEmail", "email", True), ("t.firstName", "firstname", True),
        ("first_name", "firstname", True), ("LASTNAME", "lastname", True), ("page", "age", False), ("age", "age", True),
        ("storage", "age", False), ("t.mailing", "mail", False), ("Geburtsdatum", "geburtsdatum", True), ("phone.name", "phone", False),
    ],
)  # fmt: skip
def test_names_of_columns(column: str, word: str, wanted: bool) -> None:
    assert is_named(column, [word]) is wanted


def test_language_and_licence_are_what_the_wiki_says(built: Built) -> None:
    release = wikipedia(built)
    spec = load_spec("wikipedia")
    for language, licence, wanted in (
        ("de", "Creative Commons Attribution-Share Alike 4.0", ("de", "cc-by-sa-4.0")),
        ("de", None, ("de", "unknown")),
        (None, "house rules", ("en", "other")),
    ):
        sources = [{"uri": "https://x.test", "licence": licence, "language": language}]
        card = render_card(replace(release.manifest, sources=sources), spec, release.folder)
        data = header(card)
        assert (data["language"], data["license"]) == ([wanted[0]], wanted[1])
        assert ("Its language is `de`" in card) == (wanted[0] == "de")
        assert ("**Unknown.**" in card) == (wanted[1] == "unknown")
        assert data.get("license_name") == ("house rules" if wanted[1] == "other" else None)


def test_who_wrote_the_texts(built: Built) -> None:
    release = library(built)
    for texts, wanted in (
        ({"wordings": {"given": 3, "model": 1}, "documents": {"rule": 0}}, ["machine-generated", "other"]),
        ({}, None),
    ):
        card = render_card(replace(release.manifest, texts=texts), load_spec("grammar"), release.folder)
        assert header(card).get("language_creators") == wanted
    plain = header((GOLDEN / "card_of_lights.md").read_text(encoding="utf-8"))
    assert not {"annotations_creators", "language_creators", "source_datasets", "task_ids"} & plain.keys()
    assert header((GOLDEN / "card_of_wikipedia.md").read_text(encoding="utf-8"))["language_creators"] == [
        "found",
        "machine-generated",
    ]


def test_aurp_has_nobody_in_it(built: Built) -> None:
    assert parts(render_for(aurp(built), None))["Personal data"].startswith(
        "None. Every person, company and address is invented"
    )
    assert LIGHTS.personal_data == ""
    assert (
        parts((GOLDEN / "card_of_lights.md").read_text(encoding="utf-8"))["Personal data"] == "Its spec does not say."
    )


@pytest.mark.parametrize("name", CASES)
def test_numbers_are_written_one_way(name: str) -> None:
    """Thousands have separators, and a space stands before %: in everything but YAML, code, links and quoted questions."""
    text = (GOLDEN / f"card_of_{name}.md").read_text(encoding="utf-8").split("\n---\n", 1)[1]
    text = re.sub(r"```.*?```|<details>.*?</details>|<code>.*?</code>|`[^`]*`", "", text, flags=re.DOTALL).partition(
        "## Examples"
    )
    shown = text[0] + text[2].partition("\n## ")[2]
    assert re.findall(r"(?<![\d.,-])\d{5,}", shown) == []
    assert [year for year in re.findall(r"(?<![\d.,-])\d{4}(?![\d-])", shown) if not 1400 <= int(year) <= 2100] == []
    assert re.findall(r"\d%", shown) == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("errata", "https://ada:sesame42@lights.test/errata"),
        ("maintainer", "Ada, https://ada:sesame42@lights.test"),
        ("maintenance", "ask with hf_abcdefghijklmnopqrstuvwxyz"),
        ("personal_data", "see postgresql://ada:sesame42@lights.test/db?password=sesame42"),
        ("creators", "Ada; password=sesame42"),
    ],
)
def test_a_password_is_not_shown(tmp_path: Path, name: str, value: str) -> None:
    with pytest.raises(UsageError, match=f"^{name} would show a password or a token on the card") as error:
        build(tmp_path, **{name: value})
    assert "sesame42" not in str(error.value) and "hf_abc" not in str(error.value)
    assert not (tmp_path / "releases").exists() or not list((tmp_path / "releases").glob("*/*"))


def test_hostile_names_of_columns_stay_names(tmp_path: Path) -> None:
    """Of a database whose columns are named by somebody who would like to write on the page."""
    hostile = ("name|<script>x</script>", "e-mail`![a](http://evil.test/x.png)`", "city</details>\n# Head")
    named = ", ".join(f'"{name}"' for name in hostile)
    rows = ", ".join(f"('Ada {n}', 'a{n}@x.test', 'Town {n}')" for n in range(8))
    script = f"CREATE TABLE people (id INTEGER PRIMARY KEY, {named}); INSERT INTO people ({named}) VALUES {rows};"
    database = make_sqlite(tmp_path / "hostile.sqlite", script)
    given = {"database": str(database), "forms": "short", "wordings": "1"}
    for ship in ("touched", "all"):
        root = tmp_path / ship
        release = build_release("grammar", {**given, "ship": ship}, render_card, output=root, name="people")[0]
        page = render_for(release, "alice/people").split("\n---\n", 1)[1]
        unfenced = re.sub(r"(?ms)^(`{3,})[^\n]*\n.*?^\1$", "", page)
        outside = re.sub(r"(`+)[^\n]*?\1(?!`)", "", unfenced)
        assert "<script" not in outside and "![a](" not in outside
        assert "\n# Head" not in unfenced
        assert unfenced.count("<details>") == len(re.findall(r"^</details>", unfenced, re.MULTILINE))
