"""Measures the dump path: pages a second and peak memory of harvesting 20,000 pages from a dump and reading their text.

    python -m benchwright.scripts.measure.wikipedia [--quick]

The dump is made here, the same each time: articles of 3 to 6 kB with infobox, references, table, links and categories,
redirects and talk pages between them, and the log of their creation. What is measured runs in a process of its own, so
that its peak memory is its own.
"""

import bz2
import hashlib
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any
from xml.sax.saxutils import escape

import click

_CUTOFF = date(2023, 1, 1)
_FIRST = datetime(2019, 1, 1, tzinfo=UTC)
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_PLACES = ("Velmar", "Ostrine", "Karadell", "Bruntholm", "Sellisport", "Quenby Vale", "Tarrow", "Ilmarsk", "Dunvegal")
_THINGS = (
    "observatory",
    "lighthouse",
    "tramway",
    "football club",
    "opera",
    "storm of the century",
    "bridge",
    "festival",
)
_PEOPLE = ("Ada Nermin", "Tomas Okafor", "Ilse Brandt", "Mei Sorensen", "Jonah Reyes", "Petra Lindqvist", "Omar Hale")
_MONTHS = ("January", "March", "April", "June", "August", "September", "November", "December")
_SENTENCES = (
    "On {day} {month} {year}, '''{title}''' was visited by {visitors} people, more than the [[{place} {thing}]] saw.",
    "[[{person}]] wrote in {year} that “the {thing} of {place} has no equal”, a judgement that {other} did not share.",
    "The council of [[{place}|the town]] granted {number} crowns for its repair – the largest sum since {year}.",
    "After the [[{place} flood of {year}|flood]] it stood empty for {number} months, until {person} bought it.",
    "In ''The {thing}s of {place}'' ({year}), {other} describes how {number} masons built it in one summer.",
    "Its roof measures {{{{convert|{number}|m|ft}}}} and was renewed between {year} and {later}.",
    "A survey by the [[University of {place}]] found {visitors} objects, of which {number} were made before {year}.",
    "It closed on {{{{date|{year}-06-01}}}} and reopened {number} days later with {person} as its first director.",
)
_ROOT = (
    '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en">\n<siteinfo><sitename>'
    "Fictopedia</sitename><dbname>ficto</dbname><base>http://127.0.0.1/wiki/Main_Page</base><generator>MediaWiki 1.43.0"
    '</generator><case>first-letter</case><namespaces><namespace key="0" /><namespace key="1">Talk</namespace>'
    '<namespace key="2">User</namespace></namespaces></siteinfo>\n'
)


@click.command()
@click.option("--quick", is_flag=True, help="Small sizes, to see that the program works.")
def main(quick: bool) -> None:
    """Measure the dump path and print what was found."""
    count = 1_000 if quick else 20_000
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        entries, pages = make_dump(root, count)
        size = pages.stat().st_size
        packed = pages.with_name(f"{pages.name}.bz2")
        with pages.open("rb") as plain, bz2.open(packed, "wb") as file:
            shutil.copyfileobj(plain, file)
        click.echo(f"a dump of {count:,} articles, {size / 1e6:,.0f} MB, {size / count / 1e3:.1f} kB each")
        _say("harvested", count, _measured("harvest", entries, pages, count))
        _say("harvested and cleaned", count, _measured("clean", entries, pages, count))
        _say("harvested and cleaned, from bzip2", count, _measured("clean", entries, packed, count))
        _say("300 of them harvested", count, _measured("sample", entries, pages, count))
        _compare(entries, pages, count)
    titles = 50_000 if quick else 7_000_000
    told = _measured("titles", Path(), Path(), titles)
    click.echo(
        f"creation times of {titles:,} titles: {told['memory']:,.0f} MB at the most, {told['each'] * 1e6:.0f} µs a "
        f"title to put and {told['found'] * 1e6:.0f} µs to find"
    )


def make_dump(folder: Path, count: int) -> tuple[Path, Path]:
    """The log and the articles of a fictional wiki with so many articles, the same each time."""
    entries, pages = folder / "ficto-pages-logging.xml", folder / "ficto-pages-articles.xml"
    draw = Random(11)
    step = timedelta(days=6 * 365) / count
    number = 0
    with entries.open("w", encoding="utf-8") as creations, pages.open("w", encoding="utf-8") as articles:
        creations.write(_ROOT)
        articles.write(_ROOT)
        for place in range(count):
            for namespace, title, text in _pages(draw, place):
                number += 1
                time = f"{_FIRST + place * step:%Y-%m-%dT%H:%M:%SZ}"
                creations.write(
                    f"<logitem><id>{number}</id><timestamp>{time}</timestamp><contributor><username>Ada</username>"
                    "<id>7</id></contributor><comment>new</comment><type>create</type><action>create</action>"
                    f"<logtitle>{escape(title)}</logtitle><params>a:0:{{}}</params></logitem>\n"
                )
                articles.write(_page(number, namespace, title, time, text))
        creations.write("</mediawiki>\n")
        articles.write("</mediawiki>\n")
    return entries, pages


def _pages(draw: Random, place: int) -> Iterator[tuple[int, str, str]]:
    """An article, and with some of them a redirect or a talk page."""
    title = f"{_PLACES[place % 9]} {_THINGS[place // 9 % 8]} {place}"
    yield 0, title, _wikitext(draw, title)
    if place % 5 == 0:
        yield 0, f"The {title}", f"#REDIRECT [[{title}]]"
    if place % 7 == 0:
        yield 1, f"Talk:{title}", f"Is [[{title}]] real? ~~~~"


def _page(number: int, namespace: int, title: str, time: str, text: str) -> str:
    written = text.encode()
    redirect = '<redirect title="x" />' if text.startswith("#") else ""
    sha1 = _base36(int(hashlib.sha1(written, usedforsecurity=False).hexdigest(), 16))
    return (
        f"<page><title>{escape(title)}</title><ns>{namespace}</ns><id>{number}</id>{redirect}<revision><id>{number}</id>"
        f"<parentid>1</parentid><timestamp>{time}</timestamp><contributor><username>Ada</username><id>7</id></contributor>"
        f"<comment>new</comment><model>wikitext</model><format>text/x-wiki</format>"
        f'<text bytes="{len(written)}" sha1="{sha1}" xml:space="preserve">{escape(text)}</text><sha1>{sha1}</sha1>'
        "</revision></page>\n"
    )


def _base36(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
    return digits.rjust(31, "0")


def _pick(draw: Random, choices: Sequence[str]) -> str:
    return choices[int(draw.random() * len(choices))]


def _wikitext(draw: Random, title: str) -> str:
    """An article of 3 to 6 kB."""
    year = 1850 + int(draw.random() * 170)
    parts = [
        "{{Short description|A thing that is not}}\n{{Use dmy dates|date=May 2021}}\n{{Infobox building\n"
        f"| name = {title}\n| image = Thing.jpg\n| caption = In {year}\n| opened = {{{{Start date|{year}}}}}\n"
        f"| architect = [[{_pick(draw, _PEOPLE)}]]\n| location = [[{_pick(draw, _PLACES)}]], [[Nowhere]]\n"
        f"| visitors = {int(draw.random() * 9e5):,}<ref name=v />\n}}}}\n",
        _paragraph(draw, title, 3),
    ]
    for heading in ("History", "Building", "Reception")[: 2 + int(draw.random() * 2)]:
        parts += [f"== {heading} ==\n", _paragraph(draw, title, 3), _paragraph(draw, title, 2)]
    rows = "".join(
        f"|-\n| {year + number} || {int(draw.random() * 9e5):,} || [[{_pick(draw, _PEOPLE)}]]\n"
        for number in range(3 + int(draw.random() * 6))
    )
    parts.append(
        f'== Visitors ==\n{{| class="wikitable sortable"\n|+ By year\n! Year !! Visitors !! Director\n{rows}|}}\n\n'
    )
    parts.append(f"== See also ==\n* [[{_pick(draw, _PLACES)}]]\n* [[{_pick(draw, _THINGS)}|Another]]\n\n")
    parts.append("== References ==\n{{Reflist|30em}}\n\n{{Nowhere topics}}\n{{Authority control}}\n")
    parts += [f"[[Category:{_pick(draw, _THINGS)}s in {_pick(draw, _PLACES)}]]\n" for _ in range(4)]
    return "".join(parts)


def _paragraph(draw: Random, title: str, sentences: int) -> str:
    told: list[str] = []
    for _ in range(sentences):
        year = 1850 + int(draw.random() * 170)
        person = _pick(draw, _PEOPLE)
        told.append(
            _pick(draw, _SENTENCES).format(
                title=title, place=_pick(draw, _PLACES), thing=_pick(draw, _THINGS), person=person,
                other=_pick(draw, _PEOPLE), day=1 + int(draw.random() * 28), month=_pick(draw, _MONTHS), year=year,
                later=year + 5, number=2 + int(draw.random() * 300), visitors=f"{int(draw.random() * 9e5):,}",
            )
        )  # fmt: skip
        told.append(
            f"<ref>{{{{cite news |last={person.split()[-1]} |first={person[0]} |title=What stands in {year} |url="
            f"https://gazette.invalid/{year}/{int(draw.random() * 1e6)} |work=Gazette |date={year + 1}-05-02}}}}</ref> "
        )
    return "".join(told).strip() + "\n\n"


def _say(what: str, count: int, told: dict[str, float]) -> None:
    click.echo(
        f"{what}: {told['pages']:,.0f} pages, {told['seconds']:.1f} s ({told['processor']:.1f} s of processor), "
        f"{count / told['seconds']:,.0f} articles/s, {told['memory']:,.0f} MB at the most"
    )


def _measured(what: str, entries: Path, pages: Path, count: int) -> dict[str, float]:
    """What a process of its own found."""
    given = ", ".join(map(repr, (what, str(entries), str(pages), count)))
    code = f"from benchwright.scripts.measure.wikipedia import measure; measure({given})"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def measure(what: str, entries: str, pages: str, count: int) -> None:
    """Measures in this process, and prints figures as JSON."""
    told = _titles(count) if what == "titles" else _harvest(what, entries, pages, count)
    told["memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_024
    click.echo(json.dumps(told))


def _harvest(what: str, entries: str, pages: str, count: int) -> dict[str, Any]:
    from benchwright.builders.wiki.dumps.harvest import harvest_dump
    from benchwright.builders.wiki.text.page import read_article

    started, before = time.perf_counter(), time.process_time()
    haystack = 0 if what == "sample" else count
    found = harvest_dump(entries, pages, cutoff=_CUTOFF, articles=150, random=150, haystack=haystack, seed=1)
    wanted = [*found.created_after_cutoff, *found.random, *found.haystack]
    characters = sum(len(read_article(page).text) for page in wanted) if what == "clean" else 0
    seconds, processor = time.perf_counter() - started, time.process_time() - before
    return {"seconds": seconds, "processor": processor, "pages": len(wanted), "characters": characters}


def _titles(count: int) -> dict[str, Any]:
    from benchwright.builders.wiki.dumps.creation_log import Times

    times = Times()
    started = time.perf_counter()
    for number in range(count):
        times.put(f"Title of page {number}", 1_600_000_000 + number)
    each = (time.perf_counter() - started) / count
    started = time.perf_counter()
    asked = range(0, count, 97)
    wrong = sum(times.get(f"Title of page {number}") != 1_600_000_000 + number for number in asked)
    assert not wrong
    return {"each": each, "found": (time.perf_counter() - started) / len(asked)}


def _compare(entries: Path, pages: Path, count: int) -> None:
    """Reading alone, beside mwxml where it is installed."""
    from benchwright.builders.wiki.dumps.xml import Dump

    started = time.perf_counter()
    ours = sum(1 for _ in Dump(pages, "page").read())
    seconds = time.perf_counter() - started
    said = f"reading alone: {ours:,} pages, {seconds:.2f} s"
    try:
        import mwxml  # pyright: ignore[reportMissingImports]
    except ImportError:
        click.echo(f"{said} (mwxml is not installed: no comparison)")
        return
    started = time.perf_counter()
    with pages.open(encoding="utf-8") as file:
        theirs = sum(1 for page in mwxml.Dump.from_file(file) for _ in page)
    peer = time.perf_counter() - started
    assert theirs == ours
    click.echo(f"{said}; mwxml {peer:.2f} s, {peer / seconds:.1f} times ours")


if __name__ == "__main__":
    main()
