"""Wikis in other languages: their dates, sections and questions by rule, and what is said where rules do not know one."""

import tomllib
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from benchwright.builders.wiki.pages import Article, Page
from benchwright.builders.wiki.questions.dates import find_dates
from benchwright.builders.wiki.questions.languages import LANGUAGES, sentences_of
from benchwright.builders.wiki.questions.questions_by_rule import ask_by_rule
from benchwright.builders.wiki.text.page import read_article
from benchwright.builders.wikipedia.classifier import classify_by_dates

CUTOFF = date(2021, 10, 1)


def article(text: str, title: str, language: str) -> Article:
    page = Page(1, title, "2023-01-01T00:00:00Z", 1, "2023-01-01T00:00:00Z", "0" * 40, text)
    return read_article(page, language)


def asked(text: str, title: str, language: str) -> list[tuple[str, str]]:
    return [(one.question, one.answer) for one in ask_by_rule(article(text, title, language), language).asked]


@pytest.mark.parametrize(
    ("language", "text", "found"),
    [
        ("de", "am 12. März 2022", ("12. März 2022", "2022-03-12", "2022-03-12")),
        ("de", "vom 12. bis 14. Jänner 2022", ("12. bis 14. Jänner 2022", "2022-01-12", "2022-01-12")),
        ("de", "am 3.11.2022", ("3.11.2022", "2022-11-03", "2022-11-03")),
        ("de", "im März 2022", ("März 2022", "2022-03-01", "2022-03-31")),
        ("de", "Ende 2022", ("Ende 2022", "2022-09-01", "2022-12-31")),
        ("de", "in der Saison 2021/22", ("2021/22", "2021-01-01", "2022-12-31")),
        ("de", "in den 1990er Jahren", ("1990er Jahren", "1990-01-01", "1999-12-31")),
        ("de", "im 19. Jahrhundert", ("19. Jahrhundert", "1801-01-01", "1900-12-31")),
        ("de", "Sie starb 1999.", ("1999", "1999-01-01", "1999-12-31")),
        ("de", "mit 2022 Einwohnern", None),
        ("de", "am 31. Juni 2022", None),
        ("fr", "le 1er mai 2022", ("1er mai 2022", "2022-05-01", "2022-05-01")),
        ("fr", "en août 2022", ("août 2022", "2022-08-01", "2022-08-31")),
        ("fr", "les années 1990", ("années 1990", "1990-01-01", "1999-12-31")),
        ("fr", "au XIXe siècle", ("XIXe siècle", "1801-01-01", "1900-12-31")),
        ("fr", "2022 habitants", None),
        ("es", "el 12 de marzo de 2022", ("12 de marzo de 2022", "2022-03-12", "2022-03-12")),
        ("es", "en marzo de 2022", ("marzo de 2022", "2022-03-01", "2022-03-31")),
        ("es", "a finales de 2022", ("finales de 2022", "2022-09-01", "2022-12-31")),
        ("es", "el siglo XIX", ("siglo XIX", "1801-01-01", "1900-12-31")),
        ("ja", "彼は2022年3月12日に", ("2022年3月12日", "2022-03-12", "2022-03-12")),
        ("ja", "2022年（令和4年）3月12日", ("2022年（令和4年）3月12日", "2022-03-12", "2022-03-12")),
        ("ja", "2022年3月", ("2022年3月", "2022-03-01", "2022-03-31")),
        ("ja", "2022年に", ("2022年", "2022-01-01", "2022-12-31")),
        ("ja", "1990年代", ("1990年代", "1990-01-01", "1999-12-31")),
        ("ja", "19世紀", ("19世紀", "1801-01-01", "1900-12-31")),
        ("ja", "1200年間", None),
        ("it", "il 12 marzo 2022", ("2022", "2022-01-01", "2022-12-31")),
    ],
)  # fmt: skip
def test_dates_as_a_language_writes_them(language: str, text: str, found: tuple[str, str, str] | None) -> None:
    dates = find_dates(text, language)
    assert [(text[one.start : one.end], str(one.first), str(one.last)) for one in dates] == ([found] if found else [])


def test_sentences_do_not_end_with_the_number_of_a_day() -> None:
    text = "Sie öffnete am 12. März 2022 z. B. für Dr. Ost. Danach schloss sie."
    spans = sentences_of("de").spans(text)
    assert [text[start:end] for start, end in spans] == [text[:47], "Danach schloss sie."]


GERMAN = """{{Infobox Sternwarte|Ort=Velmar|Baujahr=2022}}
Die '''Sternwarte Velmar''' ist eine Sternwarte im Landkreis Ostrin.<ref>Gazette</ref> Sie wurde am 3. Mai 2022 eröffnet.

== Bau ==
[[Datei:Kuppel.jpg|mini|Die Kuppel]]
Die Sternwarte Velmar wurde von der Architektin Mira Holm entworfen.

== Weblinks ==
* [http://example.org Seite]

== Einzelnachweise ==
<references />
[[Kategorie:Sternwarte]]"""


def test_sections_of_references_are_left_out_by_language() -> None:
    german = article(GERMAN, "Sternwarte Velmar", "de")
    assert [section.heading for section in german.sections] == ["", "Bau"]
    assert "Kuppel" not in german.text
    assert "Kategorie" not in german.text
    assert "Seite" not in german.text
    literature = (
        "'''Velmar''' ist ein Land.\n\n== Kultur ==\nVieles.\n\n=== Literatur ===\nRomane.\n\n== Literatur ==\nBuch."
    )
    assert [one.heading for one in article(literature, "Velmar", "de").sections] == ["", "Kultur", "Literatur"]
    assert article("Text.\n\n== References ==\nBook.", "Text", "de").text == "Text."


def test_births_and_deaths_date_no_other_fact() -> None:
    for language, text, title in (
        ("de", "'''Paul Orme''' (geboren 1950 in Velmar; gestorben am 3. Mai 2022) war ein norwegischer Architekt.", "Paul Orme"),
        ("fr", "'''Paul Orme''', né en 1950 à Velmar et mort le 3 mai 2022, est un architecte norvégien.", "Paul Orme"),
        ("es", "'''Paul Orme''' (Velmar, 1950-Tarrow, 3 de mayo de 2022) fue un arquitecto noruego.", "Paul Orme"),
        ("ja", "'''波多野凪'''（はたの なぎ、1950年 - 2022年5月3日）は、星見県出身の歌手。", "波多野凪"),
    ):  # fmt: skip
        found = ask_by_rule(article(text, title, language), language).asked
        assert [one.fact_date for one in found if one.answer_kind == "place"] in ([None], [None, None]), language
        assert [one.fact_date for one in found if one.answer_kind == "date"][-1] == "2022-05-03"


def test_four_quotes_hold_an_apostrophe() -> None:
    assert article("L''''Est''' et '''''elle'''''.", "Est", "fr").text == "L'Est et elle."


def test_the_dates_classify_an_article() -> None:
    old = article("Velmar ist ein Dorf. Es wurde 1201 gegründet. Die Kirche steht seit 1904.", "Velmar", "de")
    assert classify_by_dates(article(GERMAN, "Sternwarte Velmar", "de"), CUTOFF, "de").is_recent
    assert not classify_by_dates(old, CUTOFF, "de").is_recent
    person = article("Mira Holm (* 3. Mai 2022 in Velmar) ist eine Person. Sie kam 1999.", "Mira Holm", "de")
    assert classify_by_dates(person, CUTOFF, "de").share == 0.0


def test_german_questions() -> None:
    assert asked(GERMAN, "Sternwarte Velmar", "de") == [
        ("In welchem Landkreis liegt die Sternwarte Velmar?", "Ostrin"),
        ("Wann wurde die Sternwarte Velmar eröffnet?", "3. Mai 2022"),
        ("Von wem wurde die Sternwarte Velmar entworfen?", "Mira Holm"),
    ]
    person = "'''Karl Johann Ost''' (* 3. Mai 1901 in [[Velmar]]; † um 1950) war ein österreichischer Maler."
    assert asked(person, "Karl Ost (Maler)", "de") == [
        ("Wann wurde der österreichische Maler Karl Ost geboren?", "3. Mai 1901"),
        ("Wo wurde der österreichische Maler Karl Ost geboren?", "Velmar"),
    ]
    film = "'''Das Licht''' ist ein Spielfilm der Regisseurin Mira Holm aus dem Jahr 2022. Der Film hatte am 3. Mai 2022 Premiere."
    assert asked(film, "Das Licht (Film)", "de") == [
        ("Wer führte bei dem Spielfilm „Das Licht“ Regie?", "Mira Holm"),
        ("Aus welchem Jahr stammt der Spielfilm „Das Licht“?", "2022"),
        ("Wann hatte der Spielfilm „Das Licht“ Premiere?", "3. Mai 2022"),
    ]


ARTICLES = tomllib.loads(Path(__file__).with_name("first_sentences.toml").read_text(encoding="utf-8"))["article"]


@pytest.mark.parametrize("told", ARTICLES, ids=lambda told: f"{told['language']}-{told['title']}")
def test_what_is_asked_of_a_first_sentence(told: dict[str, Any]) -> None:
    assert asked(told["text"], told["title"], told["language"]) == [(one, two) for one, two in told["asked"]]


def test_there_are_thirty_of_each_language() -> None:
    assert {language: min(count, 30) for language, count in Counter(one["language"] for one in ARTICLES).items()} == {
        "de": 30, "es": 30, "fr": 30, "ja": 30
    }  # fmt: skip
    assert sum(not one["asked"] for one in ARTICLES) > 20


def test_what_does_not_tell_its_subject_apart_is_not_asked() -> None:
    text = "'''Karl Ost''' (* 3. Mai 1901 in Velmar) war ein österreichischer Maler."
    assert asked(text, "Karl Ost (Politiker)", "de") == []
    assert asked("'''Karl Ost''' (* 3. Mai 1901 in Velmar) lebte in Tarrow.", "Karl Ost", "de") == []


def test_aliases_are_written_as_everywhere() -> None:
    text = "'''Velmar''' ist eine Gemeinde mit 2.304 Einwohnern. Die Gemeinde wurde am 1. März 1990 gegründet."
    found = ask_by_rule(article(text, "Velmar", "de"), "de").asked
    assert [(one.answer, one.aliases) for one in found] == [
        ("2.304", ("2304", "2,304")), ("1. März 1990", ("1990-03-01",))
    ]  # fmt: skip


HOSTILE = [
    "", "{{}}", "'''" * 3000, "(" * 5000, "X (" + "a(" * 3000, "X ist " + "ein " * 9000, "X ist eine A" + "a " * 200 + ", die 1 " * 40,
    "X（" + "、" * 300 + "は、" + "の" * 300, "Xは、" + "ああした" * 90 + "の" * 60, "X est une " + "a-b " * 95, "X es un " + "a de " * 75,
    "X" + " A" * 190 + " ist eine Stadt.", "12. " * 3000, "2022年" * 3000, "\x00\ue001" * 50, "[" * 50 + " ist eine Stadt.",
]  # fmt: skip
TITLES = ["", "()", "X (", "(Film)", "[" * 50, "\\", "a" * 300, "C++", "A.B*", "（）", "X (Film) (2022)", "{X}", "X\nY"]


@pytest.mark.parametrize("language", ["de", "es", "fr", "ja", "it"])
def test_hostile_articles(language: str) -> None:
    for title in TITLES:
        text = f"'''{title}''' ist eine Stadt. {title} est une ville. {title}は、町。"
        for asked_about in (
            article(text, title, language),
            *(article(hostile, title or "X", language) for hostile in HOSTILE),
        ):
            for one in ask_by_rule(asked_about, language).asked:
                assert one.answer in asked_about.text[one.start : one.end]
                assert "{" not in one.question and "\n" not in one.question


def test_a_language_that_no_rule_knows() -> None:
    assert "it" not in LANGUAGES
    found = ask_by_rule(article("Velmar è un comune.", "Velmar", "it"), "it")
    assert [one.reason for one in found.rejected] == ["the rules do not know the language of the article"]
