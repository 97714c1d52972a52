"""The text of Wikipedia's pages: what markup becomes, where sections lie, and that nothing broken stops it."""

import random
import time

import pytest
from support import in_full
from wikis import as_page

from benchwright.builders.wiki.pages import Section
from benchwright.builders.wiki.text.page import read_article

FILM = """{{Short description|2023 film}}
{{Use dmy dates|date=May 2023}}
{{Infobox film
| name           = The Quiet Tide
| image          = The Quiet Tide poster.jpg
| director       = [[Ada Moor]]
| producer       = {{Plainlist|
* [[Ben Tal]]
* Cy Orr
}}
| writer         = {{ubl|Ada Moor|Dee Fane<ref name="credits">{{cite web |title=Credits |url=https://example.org}}</ref>}}
| released       = {{Film date|df=y|2023|2|18|[[Berlin]]|2023|5|4|Norway}}
| runtime        = 104 minutes<!-- checked -->
| budget         = {{US$|4.2 million}}
}}

'''''The Quiet Tide''''' ({{langx|no|Det stille tidevannet}}) is a 2023 Norwegian [[drama film]] directed by [[Ada Moor]].<ref name="credits" /> It is set {{convert|12|km|mi|abbr=on}} off the coast.<ref>{{cite news |title=X}}</ref>

== Production ==
{{main|Another page}}
[[File:Picture.jpg|thumb|A view of the [[harbour]] in [[Oslo]]]]
Filming began in '''Oslo''' on 3 August 2021.{{citation needed|date=May 2023}}

* [[Eva Lund]] as Marit
* [[Finn Gray (actor)|Finn Gray]] as Jonas<ref>{{cite web}}</ref>

=== Awards ===
{| class="wikitable sortable"
|+ Prizes
|-
! scope="col" | Year !! Award
! Result
|-
| rowspan="2" | 2023 || [[Amanda Award]] || {{won}}
|-
| [[Kanon Award|Kanon]] || {{nom}}
|}

== References ==
{{reflist}}

=== Books ===
* A book

== External links ==
* {{official website|https://example.org}}

{{authority control}}
[[Category:2023 films]]
"""
TEXT = """The Quiet Tide (Norwegian: Det stille tidevannet) is a 2023 Norwegian drama film directed by Ada Moor. It is set 12 km off the coast.

Directed by: Ada Moor
Produced by: Ben Tal, Cy Orr
Written by: Ada Moor, Dee Fane
Release date: 18 February 2023 (Berlin), 4 May 2023 (Norway)
Running time: 104 minutes
Budget: US$4.2 million

Production
Filming began in Oslo on 3 August 2021.

- Eva Lund as Marit
- Finn Gray as Jonas

Awards
Prizes
Year: 2023; Award: Amanda Award; Result: Won
Year: 2023; Award: Kanon; Result: Nominated"""


def text_of(wikitext: str) -> str:
    return read_article(as_page(wikitext)).text


def test_an_article() -> None:
    article = read_article(as_page(FILM, "The Quiet Tide"))
    assert article.text == TEXT
    assert article.sections == (
        Section("", 0, 0, 326),
        Section("Production", 2, 328, 420),
        Section("Awards", 3, 422, 524),
    )
    assert article.introduction == TEXT[:326]
    assert article.text[article.sections[2].start :].startswith("Awards\nPrizes\n")
    assert read_article(as_page(FILM, "The Quiet Tide")) == article


@pytest.mark.parametrize(
    ("wikitext", "text"),
    [
        ("{{convert|5|-|7|km|mi}}, {{convert|3|to|4|sqmi}}, {{cvt|9|ft}}", "5–7 km, 3 to 4 square miles, 9 feet"),
        ("{{birth date and age|1990|5|3|df=y}} / {{start date|2022}} / {{start date|2022|3}}", "3 May 1990 / 2022 / March 2022"),
        ("{{death date and age|2012|6|27|1924|6|21}}; {{end date|3 May 2020}}", "June 27, 2012; 3 May 2020"),
        ("{{start and end dates|2020|1|2|2021|3|4}}", "January 2, 2020 to March 4, 2021"),
        ("{{lang|fr|bon}} {{nowrap|a b}} {{lang-de|Haus}} {{transl|ru|Moskva}}", "bon a b German: Haus Moskva"),
        ("{{flag|NOR}}, {{flag|GER}}, {{flagicon|FRA}} {{flag|Peru}}", "Norway, Germany, Peru"),
        ("a{{spaced ndash}}b{{!}}c {{as of|2020|5}} {{frac|1|2}} {{circa|1900}}", "a – b|c As of May 2020 1/2 c. 1900"),
        ("{{height|m=1.85}} {{formatnum:12345}} {{PAGENAME}} {{ship|RMS|Titanic}}", "1.85 m 12345 My Title RMS Titanic"),
        ("{{hlist|a|b}} {{ubl|c|[[d]]}} {{sortname|Ada|Moor}}", "a, b c, d Ada Moor"),
        ("a {{whatever|b|{{nested|{{more}}}}}} c {{#if:x|y|z}}d", "a c yd"),
        ("({{IPA|x}}; born 1990) and ({{IPA|y}}) end {{efn|n}}.", "(born 1990) and end."),
        ("A [[File:x.jpg|thumb|A [[b]] c]] D [[Category:X]][[:Category:Y]] [[de:Foo]]", "A D Category:Y"),
        ("[[Datei:x.jpg|mini]][[w:Foo|bar]] [[Foo (town)|]] [http://x.org label] [http://x.org]", "bar Foo label"),
        ("<nowiki>[[x]] {{y}}</nowiki> <math>x^{2}</math> a<br/>b <small>c</small>", "[[x]] {{y}} x^{2} a\nb c"),
        ("* one\n** two\n# three\n; term : def\n: indented\n----\n__NOTOC__", "- one\n- two\n- three\nterm: def\nindented"),
        ("&amp; &lt;ref&gt; a<!-- c --> b<!-- open\nnext", "& <ref> a b\nnext"),
        ("{{Track listing|headline=Side A|title1=One|length1=3:20|title2=Two}}", "Side A\n1. One (3:20)\n2. Two"),
        ("{|\n! Born\n| 1990\n|-\n! Died\n| 2000<br>Oslo\n|}", "Born: 1990\nDied: 2000, Oslo"),
        ("{|\n| a || b\n|-\n| style=\"x\" | c || d\n|}", "a; b\nc; d"),
        ("{|\n! Year !! colspan=2 | Result\n|-\n| 2020 || a || b\n|-\n! colspan=3 | Part two\n|-\n| 2021 || c || –\n|}", "Year: 2020; Result: a; Result: b\nPart two\nYear: 2021; Result: c"),
        ("{{Infobox football biography\n| name = Ben\n| years1 = 2019–2021\n| clubs1 = [[Vik FK|Vik]]\n| goals1 = 4\n| years2 = 2021–\n| clubs2 = Holm\n}}\n'''Ben''' is.", "Ben is.\n\nYears: 2019–2021; Clubs: Vik; Goals: 4\nYears: 2021–; Clubs: Holm"),
        ("{{Infobox settlement\n| official_name = Vik\n| settlement_type = [[Town]]\n| subdivision_type = Country\n| subdivision_name = {{flag|NOR}}\n| subdivision_type1 = County\n| subdivision_name1 = Holm\n| leader_title1 = Mayor\n| leader_name1 = Ada Moor\n| population_total = 1,204\n| image_map1 = x.png\n}}", "Official name: Vik\nCountry: Norway\nCounty: Holm\nMayor: Ada Moor\nPopulation: 1,204"),
        ("{{Infobox\n| title = X\n| label1 = Built\n| data1 = 1903<br>1950\n| label2 = Owner\n| data2 = Ben\n}}", "Built: 1903, 1950\nOwner: Ben"),
        ("'''日本''' (にほん) は国です。\n== 歴史 ==\n古い。\n== Empty ==\n== Сюжет ==\nтекст", "日本 (にほん) は国です。\n\n歴史\n古い。\n\nСюжет\nтекст"),
        ("== Notes ==\nx\n=== y ===\nz\n== Kept ==\nt", "Kept\nt"),
        ("== A ==\n=== B ===\nt", "A\n\nB\nt"),
        ("", ""),
    ],
)  # fmt: skip
def test_what_markup_becomes(wikitext: str, text: str) -> None:
    assert text_of(wikitext) == text


@pytest.mark.parametrize(
    ("wikitext", "text"),
    [
        (
            "{{Infobox x\n|a = b\n'''Open''' is a thing.\n\nSecond.\n\n== H ==\ntext",
            "Open is a thing.\n\nSecond.\n\nH\ntext",
        ),
        (
            "Text {{cite web | open\n\nnext {{convert|5|km}} stays.\n== H ==\nmore",
            "Text\n\nnext 5 km stays.\n\nH\nmore",
        ),
        ("{|\n! A !! B\n|-\n| 1 || 2\n\nparagraph\n== H ==\nmore", "A: 1; B: 2\n\nparagraph\n\nH\nmore"),
        ("<ref>open\n\nText. <ref name=a>x</ref> more <ref name=b /> end", "open\n\nText. more end"),
        ("a [[open b [[closed]] c\nd ]] e }} f |} g", "a open b closed c\nd e f g"),
        ("{{a|[[b}} c ''d''' {{{e|f}}} {{{g}}}", "c d f"),
    ],
)
def test_what_is_broken(wikitext: str, text: str) -> None:
    assert text_of(wikitext) == text


PIECES = [
    "{{", "}}", "[[", "]]", "|", "'''", "<ref>", "</ref>", "<!--", "-->", "=", "a", "Ж", "*", "{{Infobox", "<nowiki>",
    "</nowiki>", "{{convert|", "5|km", "{{start date|", "2020", "&amp;", "( ;", "\n{|", "\n|}", "\n|-", "\n!", "\n==", "\n", " x ",
]  # fmt: skip


def test_nothing_stops_it() -> None:
    draw = random.Random(5)
    for _ in range(2_000):
        wikitext = "".join(PIECES[int(draw.random() * len(PIECES))] for _ in range(int(draw.random() * 60)))
        article = read_article(as_page(wikitext))
        assert article.sections[0].start == 0
        assert article.sections[-1].end == len(article.text)
        assert all(article.text.startswith(section.heading, section.start) for section in article.sections)
        if "<nowiki>" not in wikitext:
            assert not any(mark in article.text for mark in ("{{", "}}", "[[", "]]", "{|", "|}"))


@pytest.mark.parametrize(
    "piece",
    [
        "{{", "[[", "<ref>", "\n{|\n| a || b", "= a =", "( ; ", "'''a",
        *in_full("{{a|", "<!--", "[http://x y ", "<a ", "{{{a|", "}}", " ", "\n|}"),
    ],
)  # fmt: skip
def test_two_megabytes_take_bounded_time(piece: str) -> None:
    wikitext = piece * (2_000_000 // len(piece))
    before = time.process_time()
    read_article(as_page(wikitext))
    assert time.process_time() - before < 20
