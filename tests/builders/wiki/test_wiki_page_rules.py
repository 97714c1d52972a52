"""Which pages are articles: the same title and text have the same fate by a wiki's API and by its dumps."""

import re
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from wikis import CUTOFF, running

from benchwright.builders.wiki import page_rules
from benchwright.builders.wiki.dumps.harvest import harvest_dump, judge
from benchwright.builders.wiki.dumps.xml import Dump, RawPage
from benchwright.builders.wiki.own.export import Exported, Revision
from benchwright.builders.wiki.page_rules import (
    DISAMBIGUATION,
    LIST,
    REDIRECT,
    SHORT,
    YEAR,
    MarkingTemplates,
    is_disambiguation_page,
    is_list,
    why_no_article,
)
from benchwright.builders.wiki.pages import Page
from benchwright.builders.wiki.site.cached_wiki import CachedWiki, open_store
from benchwright.builders.wiki.site.fetch_pages import PageFetcher
from benchwright.builders.wiki.site.harvest import HarvestRequest, harvest
from benchwright.scripts.servers.mediawiki.wiki import dump_wiki

LONG = "The mill of Orrin stands by the river, and it was built by hand. " * 20
SAYS = "'''Weir''' may refer to:\n\n" + "* [[Weir (town)]], a town by the river, which is longer than the others\n" * 20
WORDS: dict[str | None, str] = {
    LIST: """
        Ada Moor discography; The Mills singles discography; Ada Moor filmography; Ada Moor videography
        Ada Moor bibliography; Ben Tal on screen and stage; Ada Moor awards and nominations; Discography of Ada Moor
        Bibliography of Orrin; List of mills (A–M); Chronology of mills
        Liste der Mühlen; Liste von Mühlen in Norwegen; Ada Moor/Diskografie; Diskografie der Mühlen; Nekrolog 2021
        Nekrolog 1. Quartal 2021
        Liste des moulins; Liste de moulins de Norvège; Liste d'orrins; Discographie d'Ada Moor; Filmographie de Ben Tal
        Décès en mai 2021
        Anexo:Molinos de Noruega; Lista de molinos; Discografía de Ada Moor; Fallecidos en 2021
        水車一覧; 水車小屋の一覧; アダの作品一覧; アダのディスコグラフィ; 訃報 2021年5月
    """,
    YEAR: """
        1987; 12; AD 12; 44 BC; 1990s; 90s BC; 21st century; 2nd century BC; 1st millennium; 2021 in film; 1990s in music
        21st century in literature; 2021 in Norway; May 2023; May 5
        44 v. Chr.; 1990er; 1990er-Jahre; 21. Jahrhundert; Filmjahr 2021; 5. Mai
        1987 au cinéma; 1987 en Norvège; Années 1990; XXIe siècle; XXIe siècle en littérature; 44 av. J.-C.; 5 mai; Mai 2023
        Años 1990; Siglo XXI; Cine en 2021; 5 de mayo; Mayo de 2023
        1987年; 1987年の映画; 1990年代; 21世紀; 紀元前44年; 5月5日; 2021年5月
    """,
    DISAMBIGUATION: """
        Orrin (name); Orrin (family name); Orrin (Begriffsklärung); Orrin (Familienname); Orrin (Vorname)
        Orrin (homonymie); Orrin (patronyme); Orrin (prénom); Orrin (desambiguación); Orrin (apellido)
        オリン (曖昧さ回避); オリン（曖昧さ回避）; オリン (人名)
    """,
    None: """
        1917 (2019 film); 1989 (album); 1999 (song); 1984 (novel); 1989 (Ada's version); 2012 (video game); 1000 (number)
        The Wish List; The List of Ada Moor; List of a Lifetime; List of Mills (film); A-List; Listening; Blacklist of Orrin
        Listed; Lister of Orrin; The Outline of History; Timeline (novel); Index Orrinum; Glossary; Discography
        Discography: The Hits; Annotated bibliography; 20th Century; 20th Century Mills; 21st Century Girl; 90s Girl
        1999 World Mill Cup; 2021 Orrin flood; May Day; May 1968 in Orrin's streets; 5 Mayors
        Deaths of Orrin; Death in Orrin; Birth of a Mill; Orrin (film); Names; Award; Orrin Awards; Stage and screen
        Schindlers Liste; Die Liste; Listenhund; Jahr 2021; Neues Jahrhundert; 1. Mai-Fest; Das 21. Jahrhundert
        La Liste de Moor; Années folles; Les Années 1990; Le Siècle; Liste rouge; 1987, l'année du moulin
        La lista de Moor; Lista de espera (película); Siglo de Oro; Cine mudo; Anexos
        1973年のピンボール; 1984年 (小説); 一覧表示; 水車年; 二十一世紀少年; 5月の朝; 一覧性のある水車
    """,
}
"""Why pages are left out → titles of pages that hold a long text."""
FATES: dict[str, tuple[str, str | None]] = {
    **{title.strip(): (LONG, fate) for fate, told in WORDS.items() for title in re.split("[;\n]", told) if title.strip()},
    "Weir (a)": (SAYS, DISAMBIGUATION),
    "Weir (b)": ("{{Wiktionary}}\n" + SAYS.replace("may refer to", "can also refer to"), DISAMBIGUATION),
    "Weir (c)": (SAYS.replace("may refer to", "steht für"), DISAMBIGUATION),
    "Weir (d)": (SAYS.replace("may refer to", "peut désigner "), DISAMBIGUATION),
    "Weir (e)": (SAYS.replace("may refer to", "puede referirse a"), DISAMBIGUATION),
    "Weir (f)": (SAYS.replace(" may refer to:", "は、以下のものがある。"), DISAMBIGUATION),
    "Weir (g)": (SAYS.replace(" may refer to:", " is a name. Notable people with the surname include:"), DISAMBIGUATION),
    "Weir (h)": (SAYS + LONG.replace(". ", ".\n") * 2, None),
    "Weir (i)": (LONG + " It may refer to:\n* a mill\n", None),
    "Moor (a)": (LONG + "{{Begriffsklärung}}", DISAMBIGUATION),
    "Moor (b)": (LONG + "{{Homonymie de patronyme}}", DISAMBIGUATION),
    "Moor (c)": (LONG + "{{Desambiguación}}", DISAMBIGUATION),
    "Moor (d)": (LONG + "{{aimai}}", DISAMBIGUATION),
    "Moor (e)": (LONG + "{{人名の曖昧さ回避}}", DISAMBIGUATION),
    "Moor (f)": (LONG + "[[Kategorie:Begriffsklärung]]", DISAMBIGUATION),
    "Moor (g)": (LONG + "[[Category:English-language surnames|Moor]]", DISAMBIGUATION),
    "Moor (h)": (LONG + "{{Voir homonymes|Moor}}{{Begriffsklärungshinweis}}{{Otheruses|Moor}}{{Otros usos|x}}", None),
    "Moor (i)": (LONG + "<!-- {{disambiguation}} --><nowiki>{{disambig}}</nowiki>", None),
    "Moor (j)": (LONG + "[[Category:People with Norwegian surnames in Orrin]]", None),
    "Filled up too": (f"Eine Mühle. [[Kategorie:{LONG}]] [[Datei:x.jpg|mini|{LONG}]]", SHORT),
    "Orrin mill": (LONG, None),
    "Deaths in May 2023": (LONG, LIST),
    "Births in Orrin": (LONG, LIST),
    "Deaths of the river": (LONG, None),
    "Bridges of Oslo (list)": (LONG, LIST),
    "List of mills": (LONG, LIST),
    "Lists of lists": (LONG, LIST),
    "Index of mills": (LONG, LIST),
    "Indices of mills": (LONG, LIST),
    "Index to the mills": (LONG, LIST),
    "Outline of milling": (LONG, LIST),
    "Timeline of milling": (LONG, LIST),
    "Glossaries of milling": (LONG, LIST),
    "Listed building": (LONG, None),
    "Indexing of mills": (LONG, None),
    "Mill (disambiguation)": (LONG, DISAMBIGUATION),
    "Weir": (LONG + "{{disambiguation}}", DISAMBIGUATION),
    "Weirs": (LONG + "{{Disambiguation page|geo}}", DISAMBIGUATION),
    "Orrin (dab)": (LONG + "{{dab}}", DISAMBIGUATION),
    "John Orrin": (LONG + "{{hndis|Orrin, John}}", DISAMBIGUATION),
    "Orrin Street": (LONG + "{{ place_name disambiguation }}", DISAMBIGUATION),
    "Orrin station": (LONG + "{{Station disambiguation}}", DISAMBIGUATION),
    "Old mills": (LONG + "{{disambiguation cleanup}}", DISAMBIGUATION),
    "Orrin (surname)": (LONG + "{{surname|Orrin}}", DISAMBIGUATION),
    "Orrin (given name)": (LONG + "{{Given name}}", DISAMBIGUATION),
    "Orrin-class ships": (LONG + "{{Set index article}}", DISAMBIGUATION),
    "HMS Orrin": (LONG + "{{Ship index}}", DISAMBIGUATION),
    "Mount Orrin": (LONG + "{{mountainindex}}", DISAMBIGUATION),
    "Mills of old": (LONG + "[[Category:All disambiguation pages]]", DISAMBIGUATION),
    "Named mill": ("{{about|the mill||Mill (disambiguation)}} " + LONG + "{{surname-stub}}", None),
    "The mill": ("#REDIRECT [[Orrin mill]]", REDIRECT),
    "Die Mühle": (" #weiterleitung: [[Orrin mill]] " + LONG, REDIRECT),
    "Not a redirect": ("A redirect: #REDIRECT [[Orrin mill]]. " + LONG, None),
    "Stub": ("It is a mill.", SHORT),
    "Filled up": (f"It is a mill.<!-- {LONG} --><ref>{LONG}</ref>", SHORT),
}  # fmt: skip
"""Title → its text, and why it is left out."""


@pytest.mark.parametrize("title", FATES)
def test_a_page_by_itself(title: str) -> None:
    text, fate = FATES[title]
    assert why_no_article(Page(1, title, "", 1, "", "", text), 1000) == fate


def test_what_a_wiki_says_itself_counts() -> None:
    page = Page(1, "Orrin mill", "", 1, "", "", LONG)
    assert why_no_article(page, 1000, is_redirect=True) == REDIRECT
    assert why_no_article(page, len(LONG)) == SHORT, "the space at its end is no text"
    assert why_no_article(page, len(LONG) - 1) is None


def test_titles_and_texts() -> None:
    assert is_disambiguation_page("A (Disambiguation)", "") and not is_disambiguation_page("Disambiguation", "")
    assert is_list("Timeline of towers") and not is_list("The list of towers")


SIGNPOST = "{{Signpost|Orrin}}"
OWN = {
    "Template:Signpost": "A sign.<includeonly>__DISAMBIG__</includeonly>",
    "Template:Way sign": "#REDIRECT [[Template:Signpost]]",
    "Template:Mill": "A mill.<noinclude>It has no __DISAMBIG__ of its own.</noinclude>",
    "Template:Outer sign": "{{Signpost}}",
}
MARKED: dict[str, tuple[str, str | None, str | None]] = {
    "Ways": (LONG + SIGNPOST, DISAMBIGUATION, DISAMBIGUATION),
    "Old ways": (LONG + "{{ way_sign }}", DISAMBIGUATION, DISAMBIGUATION),
    "Short way": ("A way." + SIGNPOST, SHORT, SHORT),
    "List of ways": (LONG + SIGNPOST, LIST, LIST),
    "Way odd": (LONG + SIGNPOST, "odd", "odd"),
    "New ways": (LONG + "{{Outer sign}}", DISAMBIGUATION, None),
}
"""Pages that the wiki marks itself: text, fate by the API, and by a dump. The last is the case in which they differ."""


def accept(page: Page) -> str | None:
    """A rule of whoever harvests."""
    return "odd" if page.title.endswith(" odd") else None


def fates_by_dump(raw: Sequence[RawPage]) -> dict[str, str | None]:
    """Title → why a page is left out of a dump."""
    marking, found = MarkingTemplates(), dict[str, str | None]()
    for page in raw:
        if page.namespace == 10:
            marking.look_at(page.title, page.revision.text or "")
    for page in raw:
        judged = judge(page, 1000)
        if not isinstance(judged, str):
            judged = accept(judged) or (DISAMBIGUATION if marking.mark(judged.wikitext) else judged)
        found[page.title] = judged if isinstance(judged, str) else None
    return found


def test_the_same_fate_by_api_and_by_dump_page_by_page(tmp_path: Path) -> None:
    """A real wiki's API, and its dump as its own script writes it: each page, and why it is left out."""
    time = datetime(2022, 1, 1, tzinfo=UTC)
    texts = {title: text for title, (text, _) in FATES.items()} | {"Orrin wheel": LONG + "{{Mill}}"} | OWN
    pages = [Exported(title, [Revision(time, text)]) for title, text in texts.items()]
    pages += [Exported(title, [Revision(time, MARKED[title][0])], property="disambiguation") for title in MARKED]
    with running(tmp_path / "wiki", "fates", pages) as wiki:
        dump, log = dump_wiki(wiki.code, wiki.folder, tmp_path)
        raw = [page for page in Dump(dump, "page").read() if isinstance(page, RawPage)]
        request = HarvestRequest(CUTOFF, articles=10_000, random=0)
        by_api = harvest(wiki.open(), request, open_store(tmp_path / "store"), accept=accept)
        fetcher = PageFetcher(CachedWiki(wiki.open(), open_store(tmp_path / "fates"), {}), accept=accept)
        verdicts = fetcher.fetch([page.id for page in raw])
    api = {
        page.title: verdict if isinstance(verdict, str) else None for page, verdict in zip(raw, verdicts, strict=True)
    }
    dumped = fates_by_dump(raw)
    own = dict.fromkeys(OWN, "not an article")
    expected = {title: fate for title, (_, fate) in FATES.items()} | {"Orrin wheel": None, **own}
    assert api == expected | {title: fate for title, (_, fate, _) in MARKED.items()}
    assert dumped == expected | {title: fate for title, (_, _, fate) in MARKED.items()}
    assert [title for title in api if api[title] != dumped[title]] == ["New ways"]
    by_dump = harvest_dump(log, dump, cutoff=CUTOFF.date(), articles=10_000, random=0, accept=accept)
    for harvested, fates in ((by_api, api), (by_dump, dumped)):
        assert {page.title for page in harvested.created_after_cutoff} == {each for each in fates if not fates[each]}
        counts = Counter(fate for title, fate in fates.items() if fate and (harvested is by_dump or title not in OWN))
        assert harvested.left_out == dict(sorted(counts.items()))
    assert f"Of the {len(api) - len(OWN)} pages that the tests" in (page_rules.__doc__ or "")
