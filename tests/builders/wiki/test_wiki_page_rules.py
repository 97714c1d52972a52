"""Which pages are articles: the same title and text have the same fate by a wiki's API and by its dumps."""

from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from wikis import running

from benchwright.builders.wiki.dumps.harvest import harvest_dump
from benchwright.builders.wiki.page_rules import (
    DISAMBIGUATION,
    LIST,
    REDIRECT,
    SHORT,
    is_disambiguation_page,
    is_list,
    why_no_article,
)
from benchwright.builders.wiki.pages import Page
from benchwright.scripts.servers.mediawiki.export import Exported, Revision, write_dumps

LONG = "The mill of Orrin stands by the river, and it was built by hand. " * 20
FATES: dict[str, tuple[str, str | None]] = {
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
    assert why_no_article(page, 1000, is_disambiguation=True) == DISAMBIGUATION
    assert why_no_article(page, len(LONG)) == SHORT, "the space at its end is no text"
    assert why_no_article(page, len(LONG) - 1) is None


def test_titles_and_texts() -> None:
    assert is_disambiguation_page("A (Disambiguation)", "") and not is_disambiguation_page("Disambiguation", "")
    assert is_list("Timeline of towers") and not is_list("The list of towers")


def test_the_same_fate_by_api_and_by_dump(tmp_path: Path) -> None:
    pages = [Exported(title, [Revision(datetime(2022, 1, 1, tzinfo=UTC), text)]) for title, (text, _) in FATES.items()]
    with running(tmp_path / "wiki", "rules", pages) as wiki:
        by_api = wiki.harvest(tmp_path / "store")
    dump, log = write_dumps(pages, tmp_path)
    by_dump = harvest_dump(log, dump, cutoff=date(2021, 10, 1), articles=1000, random=0)
    articles = {title for title, (_, fate) in FATES.items() if fate is None}
    assert {page.title for page in by_api.created_after_cutoff} == articles
    assert {page.title for page in by_dump.created_after_cutoff} == articles
    assert by_api.left_out == by_dump.left_out == {"disambiguation": 14, "list": 11, "redirect": 2, "short": 2}
