"""Templates of Wikipedia's pages: what parts their arguments, what no list knows, and what is counted as left out."""

import time

import pytest
from wikis import as_page

from benchwright.benchmarks.catalogue import load_spec
from benchwright.builders.wiki.text.left_out import count_templates
from benchwright.builders.wiki.text.page import read_article
from benchwright.cards.dataset.checks import left_out


def text_of(wikitext: str) -> str:
    return read_article(as_page(wikitext)).text


@pytest.mark.parametrize(
    ("wikitext", "text"),
    [
        ("{{nowrap|[[E=MC² (album)|E=MC²]]}} is an album.", "E=MC² is an album."),
        ("{{nowrap|[[E=MC²]]}} is an album.", "E=MC² is an album."),
        ("{{math|''x'' {{=}} 1}} and {{math|1=y = 2}}", "x = 1 and y = 2"),
        ("{{nowrap|a <nowiki>b=c|d</nowiki> e}}", "a b=c|d e"),
        ("{{small|<!-- x=1 | y -->fine}}", "fine"),
        ("{{nowrap|{{convert|5|km|mi}} {{nowrap|[[a|b{{!}}c]]}}}}", "5 km b|c"),
        ("{{lang|fr|{{nowrap|[[Oui|oui=non]]}}}}", "oui=non"),
        ("[[Ada Moor{{!}}Ada]] and [[Vik]]", "Ada and Vik"),
        ("{{hlist|[[a=b]]|[[File:x.jpg|thumb|c=d]]e}}", "a=b, e"),
        ("{{nowrap|\n{| \n! A !! B\n|-\n| 1=2 || [[c|d]]\n|}\n}}", "A: 1=2; B: d"),
        ("{|\n! A !! B\n|-\n| {{nowrap|x{{!}}y}} || {{ubl|a|b}}\n|}", "A: x|y; B: a, b"),
        ("{|\n! A !! B\n|-\n| x<br>y || {{plainlist|\n* a\n* b\n}} || z\n|}", "A: x, y; B: a, b; z"),
        ("{|\n! Peak<br>position !! B\n|-\n| 1 || 2\n|}", "Peak position: 1; B: 2"),
    ],
)  # fmt: skip
def test_what_parts_arguments(wikitext: str, text: str) -> None:
    assert text_of(wikitext) == text


@pytest.mark.parametrize(
    ("wikitext", "text"),
    [
        ("{{#if:{{{x|}}}|yes|not so}}, {{#if: |a|b}}, {{#if:{{nowrap|c}}|d}}", "not so, b, d"),
        ("{{#ifeq:a|a|same|other}} {{#ifeq:01|1|same|other}} {{#ifeq:a|b|same|other}}", "same same other"),
        ("{{#switch: b | a = one | b | c = two | #default = three}}", "two"),
        ("{{#switch:z|a=1|#default=2|b=3}} {{#switch:z|a=1|9}} {{#switch:z|a=1}}", "2 9"),
        ("{{#switch:{{nowrap|[[a=b]]}}|a=no|{{nowrap|[[a=b]]}}=yes}}", "yes"),
        ("{{#iferror:x|wrong|right}} {{#iferror:x}} {{#dateformat:2020-05-04|mdy}}", "right x 2020-05-04"),
        ("{{ucfirst:ada}} {{uc:abc}} {{LC:ABC}} {{lcfirst:AB}} {{formatnum:12345.6}}", "Ada ABC abc aB 12345.6"),
        ("{{plural:1|mill|mills}} {{plural:2|mill|mills}}", "mill mills"),
        ("{{Template:nowrap|kept}} {{subst:nowrap|too}}", "kept too"),
        ("a {{#expr:1+2}} {{#time:Y|now}} {{#ifexist:Ada|x|y}} {{#invoke:Foo|bar|baz}} b", "a b"),
    ],
)  # fmt: skip
def test_parser_functions_that_the_text_decides(wikitext: str, text: str) -> None:
    assert text_of(wikitext) == text


SQUAD = """{{fs start}}
{{fs player|no=1|pos=GK|name=[[Ben Tal]]|nat=NOR}}
{{Fs player| no=7 | nat=Peru | pos=FW | name=[[Cy Orr (footballer)|Cy Orr]] | other={{small|on loan from [[Vik FK]]}} }}
{{fs end}}"""
NATIONAL = """{{nat fs g start|background=#0a0}}
{{nat fs g player|no=2|pos=DF|name=[[Dee Fane]]|age={{birth date and age2|2019|6|7|1994|1|30}}|caps=12|goals=1|club=[[Holm]]|clubnat=SWE}}
{{nat fs end}}"""
EPISODES = """{{Episode table |background=#123456 |overall=5 |title=25 |episodes=
{{Episode list
 |EpisodeNumber=1
 |Title=[[Pilot (X)|Pilot]]
 |WrittenBy={{StoryTeleplay|s=Ben Tal|t=Cy Orr}}
 |OriginalAirDate={{Start date|2021|3|4}}
 |Viewers=1.24<ref>{{cite web|url=http://x.test}}</ref>
 |ShortSummary=Marit returns to Oslo and finds the mill closed. Jonas tells her why.
 |LineColor=123456
}}
{{Episode list/sublist|List of X episodes|EpisodeNumber=2|Title=The Tide|ShortSummary=The tide rises.|LineColor=123456}}
}}"""
ELECTION = """{{Election box begin |title=2021 election: Vik<ref>x</ref>}}
{{Election box candidate with party link |party=Labour |candidate=[[Ada Moor]] |votes=12,345 |percentage=54.3 |change={{increase}} 2.1}}
{{Election box majority|votes=2,469|percentage=10.9}}
{{Election box hold with party link|winner=Labour|loser=|swing=+1.6}}
{{Election box end}}"""
MATCH = """{{football box
|date=5 May 2020
|team1={{fb-rt|NOR}}
|score=2–1
|report=[http://x.test Report]
|team2={{fb|SWE}}
|goals1=[[Ada Moor|Moor]] {{goal|12||90+1}}
|goals2=Lind {{goal|77|pen.}}
|stadium=[[Ullevaal]], Oslo
|attendance=21,304
|bg=#fff
|stack=yes
}}"""
STANDINGS = """{{#invoke:Sports table|main|style=WDL
|source=[http://x.test X] |team1=VIK |team2=HOL |name_VIK=[[Vik FK]] |name_HOL=[[Holm IF]]
|win_VIK=3|draw_VIK=1|loss_VIK=0 |win_HOL=0|draw_HOL=1|loss_HOL=3}}"""
BRACKET = """{{4TeamBracket
| RD1 = Semi-finals
| RD1-seed1 = 1 | RD1-team1 = {{fb|NOR}} | RD1-score1 = '''2'''
| RD1-team2 = {{fb|SWE}} | RD1-score2 = 1
}}"""
RATINGS = "{{Album ratings|MC = 78/100|rev1 = [[AllMusic]]|rev1score = {{rating|4|5}}|rev2 = Mojo|rev2score = 8/10|noprose=yes}}"
CHARTS = """{| class="wikitable"
! Chart !! Peak
|-
{{album chart|Norway|3|artist=The Mills|album=Low Water|rowheader=true|access-date=1 May 2021}}
|-
| Finland || 5
|}"""


@pytest.mark.parametrize(
    ("wikitext", "text"),
    [
        (SQUAD, "No.: 1; Position: goalkeeper; Name: Ben Tal; Country: Norway\nNo.: 7; Country: Peru; Position: forward; Name: Cy Orr; Also: on loan from Vik FK"),
        (NATIONAL, "No.: 2; Position: defender; Name: Dee Fane; Age: January 30, 1994; Caps: 12; Goals: 1; Club: Holm; Country of the club: Sweden"),
        (EPISODES, "Episode: 1; Title: Pilot; Written by: story by: Ben Tal, teleplay by: Cy Orr; First aired: March 4, 2021; Viewers: 1.24\nMarit returns to Oslo and finds the mill closed. Jonas tells her why.\nEpisode: 2; Title: The Tide; Summary: The tide rises."),
        (ELECTION, "Title: 2021 election: Vik\nParty: Labour; Candidate: Ada Moor; Votes: 12,345; Percentage: 54.3; Change: 2.1\nMajority; Votes: 2,469; Percentage: 10.9\nHold; Winner: Labour; Swing: +1.6"),
        (MATCH, "Match: Norway 2–1 Sweden; Date: 5 May 2020; Goals of Norway: Moor 12', 90+1'; Goals of Sweden: Lind 77' (pen.); Stadium: Ullevaal, Oslo; Attendance: 21,304"),
        (STANDINGS, "Name: Vik FK; Won: 3; Drawn: 1; Lost: 0\nName: Holm IF; Won: 0; Drawn: 1; Lost: 3"),
        (BRACKET, "Rd 1: Semi-finals\nSemi-finals; Seed: 1; Team: Norway; Score: 2\nSemi-finals; Team: Sweden; Score: 1"),
        (RATINGS, "Metacritic: 78/100\nReview: AllMusic; Score: 4/5\nReview: Mojo; Score: 8/10"),
        (CHARTS, "Chart: Norway; Peak position: 3\nChart: Finland; Peak: 5"),
        ("{{cast listing|\n* [[Eva Lund]] as Marit\n* Finn Gray as Jonas\n}}", "- Eva Lund as Marit\n- Finn Gray as Jonas"),
        ("{{historical populations|1900|1,204|1950|2,400|align=right}}", "Population in 1900: 1,204; Population in 1950: 2,400"),
        ("{{succession box|before=Ben Tal|title=Mayor of Vik|years=2001–2005|after=Cy Orr}}", "Preceded by: Ben Tal; Title: Mayor of Vik; Years: 2001–2005; Succeeded by: Cy Orr"),
        ("{{TennisMatch2|date=2 July 2021|player1=[[Ada Moor]]|score=6–4, 7–5|player2=[[Eva Lund]]|RD=yes}}", "Match: Ada Moor 6–4, 7–5 Eva Lund; Date: 2 July 2021"),
        ("Text.\n{{Quotation2|The mill was never a mill at all.|Ada}}\nMore.", "Text.\nThe mill was never a mill at all.\nMore."),
        ("It is {{clarify span|text=half true|date=May 2020}} and {{some span|with four real words}}.", "It is half true and with four real words."),
        ("{{Text box|width=300px|bgcolor=#fff|title=A box|text=The mill stands.|id=Q12345|logo=A b.svg|link=http://x.test/a}}", "The mill stands."),
        ("It has {{fs player|no=1|name=Ben Tal}} in it.", "It has in it."),
        ("{{Some banner|date=May 2023|reason=This should be written in another way altogether}}\nText.", "Text."),
        ("{{Unknown box|name=Ben|colour=red|width=30px|image=A b.jpg|state=collapsed|url=http://x.test|show=yes}}", ""),
    ],
)  # fmt: skip
def test_templates_that_no_list_knows(wikitext: str, text: str) -> None:
    assert text_of(wikitext) == text


@pytest.mark.parametrize(
    ("wikitext", "text"),
    [
        ("{{Infobox person|spouse = {{marriage|Bob Ray|2001|2010|end=div}}{{marriage|[[Cy Orr]]|12 May 2012|2019|end=d.}}\n}}A.", "A.\n\nSpouse: Bob Ray (married 2001; divorced 2010), Cy Orr (married 12 May 2012; widowed 2019)"),
        ("{{Infobox person|spouse = {{marriage|Dan|2020}}<br>{{marriage|Eva|1990|1999}}}}A.", "A.\n\nSpouse: Dan (married 2020), Eva (married 1990–1999)"),
        ("{{Infobox album|label = [[Sony Music|Sony]]|length = {{duration|m=41|s=2}}|prev_title = Ebb|cover=x.jpg}}A.", "A.\n\nLabel: Sony\nLength: 41:02\nPrevious: Ebb"),
        ("{{Infobox|label1 = Built|data1 = 1903|label2 = Nothing}}A.", "A.\n\nBuilt: 1903"),
        ("{|{{Infobox ship begin}}\n{{Infobox ship career|Ship builder=[[Vik Yard]]|Ship fate=Sunk}}\n|}\nA ship.", "A ship.\n\nShip builder: Vik Yard\nShip fate: Sunk"),
        ("{{stack|\n{{Infobox book|author=[[Ada Moor]]}}\n}}\nA book.", "A book.\n\nAuthor: Ada Moor"),
        ("{{Infobox Film\n| 監督 = [[アダ]]\n| 画像 = x\n| 公開 = 2021年\n}}\n映画。", "映画。\n\n監督: アダ\n公開: 2021年"),
        ("{{Track listing|title1=Ebb|length1=3:20|writer1=Moor|title2=Flow|note2=live|extra_column=Producer|extra2=Tal}}", "1. Ebb (3:20); writer: Moor\n2. Flow (live); Producer: Tal"),
        ("({{zh|s=维克|p=Wéikè}}; {{IPA|x}}) {{nihongo|Vik|ヴィーク|Vīku}} {{lang-en-short|River}}", "(Chinese: 维克, Wéikè) Vik (ヴィーク, Vīku) English: River"),
        ("{|\n! Who !! colspan=2 | Season\n|-\n| Ada || {{CMain}} || {{CRecurring|Guest}}\n|-\n| Ben || colspan=\"2\" {{won}}\n|}", "Who: Ada; Season: Main; Season: Guest\nWho: Ben; Season: Won"),
        ("{{Infobox station|line = {{rwa|Vik Line}}|opened = {{vgrelease|NA|5 June 2021|EU|6 June 2021}}}}A.", "A.\n\nLine: Vik Line\nOpened: 5 June 2021 (NA), 6 June 2021 (EU)"),
        ("Vik (Norwegian: Vik, {{IPA|x}}; born 1990), {{\"|So it is.}} {{sort|Moor|Ada Moor}} 5{{e|6}} {{gaps|12|345}}", "Vik (Norwegian: Vik; born 1990), \"So it is.\" Ada Moor 5×10^6 12345"),
        ("{{age|1990|5|3|2020|5|2}} {{age|1990|5|3}} {{resize|90%|small}} {{chem|H|2|O}} {{date|5|mai|2021}}", "29 small H2O 5 mai 2021"),
    ],
)  # fmt: skip
def test_infoboxes_and_ways_of_writing(wikitext: str, text: str) -> None:
    assert text_of(wikitext) == text


def test_what_is_left_out_is_counted_by_template() -> None:
    article = read_article(
        as_page(
            "{{Skyscraper|Oslo|Tall one}} {{Skyscraper|Bergen}} {{cite web|title=Mills}} {{<b>|Oslo}} {{Infobox a|caption=In Oslo|"
            "image=x.jpg}} {{Text box|title=A box|text=The mill stands.|width=30px}}{{nowrap|kept}}"
        )
    )
    assert dict(article.left_out) == {
        "infobox a": len("In Oslo"),
        "notes, links and upkeep": len("Mills"),
        "other templates": len("Oslo"),
        "skyscraper": len("OsloTall oneBergen"),
        "text box": len("A box"),
    }


def test_the_worst_templates_are_named_and_the_rest_is_summed() -> None:
    articles = [read_article(as_page(f"Text {{{{odd {number}|{'a' * number}}}}}")) for number in range(1, 26)]
    articles += [read_article(as_page("Text {{odd 1|aaaaaaaaaaaaaaaaaaaaaaaaaaaaa}} {{efn|note}}"))]
    found = count_templates(articles)
    assert found["templates_left_out"][:3] == [["odd 1", 30], ["odd 25", 25], ["odd 24", 24]]
    assert found["templates_left_out"][20:] == [["other templates", 6 + 5 + 4 + 3 + 2]]
    assert found["characters_of_texts"] == {
        "of the articles": 26 * 4, "left out of templates": sum(range(1, 26)) + 29, "left out of notes, links and upkeep": 4,
    }  # fmt: skip
    assert count_templates([])["templates_left_out"] == []


def test_the_card_names_the_worst_templates_first() -> None:
    checks = count_templates([read_article(as_page("{{odd|Oslo and Vik}} {{more odd|Oslo}} {{a_b|Bergen now}}"))])
    assert [(row.words.partition(": ")[2], row.value) for row in left_out(checks, load_spec("wikipedia"))] == [
        ("odd", "12"), ("a b", "10"), ("more odd", "4"),
    ]  # fmt: skip


HOSTILE = {
    "open": lambda n: "{{x|" * n,
    "links": lambda n: "[[" * n,
    "pipes": lambda n: "{{x" + "|" * n + "}}",
    "names": lambda n: "{{x" + "".join(f"|a{i}=bc de|b{i}=fg" for i in range(n // 10)) + "}}",
    "nested": lambda n: "{{x|one two three four " * 10_000 + "w " * n + "}}" * 10_000,
    "deep and repeated": lambda n: ("{{x|one two three four " * 50 + "}}" * 50 + "\n") * (n // 500),
    "empty": lambda n: "{{x}}" * n,
    "equals": lambda n: "{{nowrap|" + "{{nowrap|a{{=}}b}}" * (n // 5) + "}}",
    "key": lambda n: "{{x|" + "k" * n + "=v}}",
    "style": lambda n: "{{x|a=" + "b:" * n + "}}",
    "records": lambda n: "{{fs player|no=1|name=Ben Tal}} \n\n " * (n // 10),
    "rows": lambda n: "{|\n" + "{{single chart|UK|5}}\n" * (n // 10) + "|}",
    "boxes": lambda n: "{|\n" + "{{infobox x|a=b}}\n" * (n // 10),
    "cases": lambda n: "{{#switch:zz" + "|a=b" * n + "}}",
    "commas": lambda n: "(a" + ",;" * n + ")",
    "marks": lambda n: "\ue003\ue001\ue016" * n,
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_templates_take_bounded_time(kind: str) -> None:
    """Each takes less than two seconds where time grows with the length, and minutes where it grows with its square."""
    wikitext = HOSTILE[kind](100_000)
    before = time.process_time()
    read_article(as_page(wikitext))
    assert time.process_time() - before < 20
