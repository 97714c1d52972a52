"""Which titles share a name, and which pages the notes at the top of an article name."""

import pytest

from benchwright.builders.wiki.hatnotes import disambiguation_of, is_called_disambiguation, named_in_hatnotes
from benchwright.builders.wiki.names import MOST, SharedNames, base_name, name_key, shares_name
from benchwright.builders.wiki.pages import Page


def page(title: str, wikitext: str = "") -> Page:
    return Page(1, title, "", 1, "", "", wikitext)


@pytest.mark.parametrize(
    ("title", "base"),
    [
        ("Orla Venn (footballer, born 1993)", "Orla Venn"),
        ("Orla Venn", "Orla Venn"),
        ("(I Can't Get No) Bread", "(I Can't Get No) Bread"),
        ("(all of it)", "(all of it)"),
        ("Venn (film (short))", "Venn"),
        ("ヴェン（小説）", "ヴェン"),
        ("Venn (a) (b)", "Venn (a)"),
        ("Venn)", "Venn)"),
        ("", ""),
    ],
)
def test_the_name_of_a_title(title: str, base: str) -> None:
    assert base_name(title) == base


@pytest.mark.parametrize(
    ("title", "other"),
    [
        ("Orla Venn", "Orla Venn (footballer)"),
        ("Orla Venn (footballer)", "Orla Venn"),
        ("Orla Venn (footballer)", "Orla Venn (disambiguation)"),
        ("Orla Venn", "Orla Venn, 3rd Baron Tarrow"),
        ("Tarrow", "Tarrow, Ohio"),
        ("Orla Venn", "Orla J. Venn"),
        ("Orla Venn", "Orla J. K. Venn (engineer)"),
        ("Orla Venn", "Orla J.K. Venn"),
        ("Orla Öst", "Orla Å.-J. Öst"),
        ("Orla Venn", "Orla Venn Jr."),
        ("Orla Venn", "Orla Venn, Jr."),
        ("Orla Venn", "Orla Venn Sr"),
        ("Örla Vénn", "Orla Venn (poet)"),
        ("ORLA venn", "Orla Venn"),
        ("Orla-Venn", "Orla Venn"),
        ("O'Tarrow", "O’Tarrow (band)"),
        ("Łowicz", "Lowicz (ship)"),
        ("Help!", "Help"),
        ("エース", "エース（漫画）"),
        ("🜂", "🜂 (sign)"),
        ("!!!", "!!! (album)"),
        ("iPond", "IPond"),
    ],
)
def test_names_that_are_shared(title: str, other: str) -> None:
    assert shares_name(title, other)


@pytest.mark.parametrize(
    ("title", "other"),
    [
        ("Orla Venn", "Orla Venn"),
        ("Orla Venn", "Orla Vennison"),
        ("Orla Venn", "Venn"),
        ("Tarrow, Ohio", "Tarrow"),
        ("Tarrow, Ohio", "Tarrow, Kent"),
        ("Orla J. Venn", "Orla Venn"),
        ("Venn", "Venn Street"),
        ("C", "C++"),
        ("C++", "C#"),
        ("バラ", "ハラ"),
        ("Orla Venn", ""),
        ("", "Orla Venn"),
        ("1915 Tarrow season", "1915 Tarrow F.C. season"),
        ("Venn Tarrow Mills", "Venn v. Tarrow Mills"),
        ("Venn Tarrow", "Venn v. Tarrow"),
        ("Orla Venn II", "Orla Venn"),
        ("Orla Venn", "Orla Venn II"),
    ],
)
def test_names_that_are_not_shared(title: str, other: str) -> None:
    assert not shares_name(title, other)


def test_the_short_cut_for_plain_titles_gives_the_same() -> None:
    for title in ("Orla Venn", "Orla Venn Jr", "2021 in Tarrow", "ABC 9"):
        assert name_key(title) == name_key(f"{title}!")
        assert shares_name(title, f"{title} (x)") and shares_name(f"{title} (x)", title)


def test_of_many_namesakes_those_of_the_corpus_come_first() -> None:
    names = SharedNames([page("Venn")], ["Venn (zoologist)", "Venn (youth)"])
    for number in range(30):
        names.tell(f"Venn ({number:02})")
    names.tell("Venn (00)")
    names.tell("Tarrow (00)")
    found = names.of("Venn")
    assert len(found) == MOST == 20
    assert found == (*(f"Venn ({number:02})" for number in range(18)), "Venn (youth)", "Venn (zoologist)")
    assert names.named([page("Venn")])[0].namesakes == found


def test_two_pages_that_are_asked_about_name_each_other() -> None:
    one, two, three = page("Venn (singer)"), page("Venn (ship)"), page("Tarrow")
    names = SharedNames([one, two, three])
    assert [each.namesakes for each in names.named([one, two, three])] == [("Venn (ship)",), ("Venn (singer)",), ()]
    assert names.alone == ["Tarrow"]
    assert names.counts({}) == {"pages": 3, "shared": 2, "by_hatnote": 0, "by_corpus": 2, "by_wiki": 0}
    assert names.counts({"Venn (ship)": {"Venn (singer)"}})["by_hatnote"] == 1


@pytest.mark.parametrize(
    ("title", "language", "wikitext", "named"),
    [
        ("Venn", "en", "{{About|the singer|the ship|Venn (ship)|the river|Tarrow}}\nText", {"Venn (ship)"}),
        ("Venn", "en", "{{about|the singer}}", {"Venn (disambiguation)"}),
        ("Venn (ship)", "en", "{{other ships|Venn}}", {"Venn"}),
        ("Venn", "en", "{{Other_uses}}", {"Venn (disambiguation)"}),
        ("Venn", "en", "{{For|the ship|Venn (ship)#Fate{{!}}it}}", {"Venn (ship)"}),
        ("Venn", "en", "{{hatnote|Not [[:Venn_(ship)|the ship]], see [[Tarrow]].}}", {"Venn (ship)"}),
        ("Venn", "en", "{{distinguish|Ven|Vénn|text=nothing}}", {"Vénn"}),
        ("Venn", "en", "{{Redirect|Tarrow|the town|Tarrow (town)}}", set()),
        ("Venn", "en", "Text.\n== Later ==\n{{about|x||Venn (ship)}}", set()),
        ("Venn", "en", "{{aboutness|x||Venn (ship)}} {{about|x||Venn (ship)", set()),
        ("Venn", "de", "{{Begriffsklärungshinweis}}", {"Venn (Begriffsklärung)"}),
        ("Venn", "de", "{{Dieser Artikel|behandelt ein Schiff, zum Fluss siehe [[Venn (Fluss)]].}}", {"Venn (Fluss)"}),
        ("Venn", "fr", "{{Voir homonymes|Venn}}", {"Venn (homonymie)"}),
        ("Venn", "es", "{{otros usos|Venn (desambiguación)}}", {"Venn (desambiguación)"}),
        ("ヴェン", "ja", "{{混同|ヴェン (船)}}", {"ヴェン (船)"}),
        ("ヴェン", "ja", "{{Otheruses|人物}}", {"ヴェン (曖昧さ回避)"}),
        ("Venn", "xx", "{{Otros usos|Venn (nave)}}", {"Venn (nave)"}),
    ],
)
def test_notes_at_the_top_name_other_pages(title: str, language: str, wikitext: str, named: set[str]) -> None:
    assert named_in_hatnotes(page(title, wikitext), language) == named


@pytest.mark.parametrize("part", ["(", "()", "(a", " ", ",", "A. ", " Jr", "é ", "（"])
def test_a_title_that_is_none_has_no_parts(part: str) -> None:
    title = part * 300_000 + "x"
    assert base_name(title) == title
    assert not shares_name("Venn", title) and not shares_name(title, "Venn")


def test_a_hostile_top_names_nothing() -> None:
    for wikitext in (
        "{{about|" * 50_000,
        "{{about|{{x}}" * 50_000,
        "{{about" + "|" * 200_000,
        "{{about|" + "[[" * 100_000,
    ):
        assert named_in_hatnotes(page("Venn", wikitext), "en") == set()


def test_pages_that_tell_others_apart_by_title() -> None:
    assert disambiguation_of("Venn (ship)", "en") == "Venn (disambiguation)"
    assert is_called_disambiguation("Venn (Begriffsklärung)")
    assert not is_called_disambiguation("Venn (ship)")
