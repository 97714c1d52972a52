"""A fictional encyclopedia, of any size, from the sentences in the folder `encyclopedia`."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from benchwright.builders.wiki.own.export import Exported, Revision

FOLDER = Path(__file__).resolve().with_name("encyclopedia")
FIRST, LAST = datetime(2019, 1, 5, 12, tzinfo=UTC), datetime(2025, 10, 1, 12, tzinfo=UTC)
"""When the first and the last article are written."""
CUTOFF = datetime(2021, 10, 1, tzinfo=UTC)
"""Around which the encyclopedia is made: half of the newer articles are about newer things."""
_KEPT_NEW = 0.65
_DRAFTS = 17
"""Every so manieth article was begun as a draft."""
_SYLLABLES = (
    "ar",
    "bel",
    "cor",
    "dun",
    "el",
    "fen",
    "gar",
    "hol",
    "is",
    "kel",
    "lor",
    "mar",
    "nor",
    "os",
    "pel",
    "rin",
)


LANGUAGES = ("en", "de")
"""Languages that the encyclopedia is written in, each in a folder of its own but for English."""


@cache
def _data(name: str, language: str) -> dict[str, Any]:
    folder = FOLDER if language == "en" else FOLDER / language
    return tomllib.loads((folder / f"{name}.toml").read_text(encoding="utf-8"))


class Chance:
    """Draws that a seed decides, on every version of Python alike."""

    def __init__(self, seed: str) -> None:
        self._random = Random(seed)

    def between(self, low: int, high: int) -> int:
        """A whole number, both ends included."""
        return low + int(self._random.random() * (high - low + 1))

    def one(self, things: Sequence[Any]) -> Any:
        """One of some things."""
        return things[self.between(0, len(things) - 1)]

    def some(self, things: Sequence[Any], count: int) -> list[Any]:
        """Several of some things, no two the same."""
        left = list(things)
        return [left.pop(self.between(0, len(left) - 1)) for _ in range(count)]

    def share(self, wanted: float) -> bool:
        """True in that share of cases."""
        return self._random.random() < wanted


def encyclopedia(articles: int = 100, language: str = "en") -> list[Exported]:
    """The pages in the order of their creation: so many articles in a language, and what is not one."""
    titles = _titles(articles, language)
    span = (LAST - FIRST) / max(articles, 1)
    pages = [_article(title, kind, FIRST + span * i, i, titles, language) for i, (title, kind) in enumerate(titles)]
    pages += [_page(record, titles) for record in _data("pages", language)["page"]]
    return sorted([*pages, *_around(titles, span, language)], key=lambda page: page.revisions[0].time)


def _around(titles: list[tuple[str, str]], span: timedelta, language: str) -> list[Exported]:
    """What grows with an encyclopedia and is no article to ask about."""
    pages: list[Exported] = []
    for i, (title, kind) in enumerate(titles):
        for made in _data("frame", language)["around"]:
            if i % made["every"] == made["every"] - 2:
                fill = {"title": title, "kind": kind}
                text = made["text"].format_map(fill) + made.get("listed", "") * 60
                revision = Revision(FIRST + span * i + span / 2, text)
                pages.append(Exported(made["title"].format_map(fill), [revision], deleted=made.get("deleted", False)))
    return pages


def _titles(count: int, language: str) -> list[tuple[str, str]]:
    """Titles with their kinds."""
    articles, names = _data("articles", language), _data("names", language)
    kinds, places, special = list(articles), list(names["places"]), list(names["titles"])
    chance = Chance("places")
    while len(places) * len(kinds) < count * 1.2:
        name = "".join(chance.one(_SYLLABLES) for _ in range(3)).title()
        if name not in places:
            places.append(name)
    found: list[tuple[str, str]] = []
    for number in range(count):
        kind = kinds[number % len(kinds)]
        place = places[(number // len(kinds) + number) % len(places)]
        is_special = number % 11 == 7 and special
        person = Chance(f"person {number}")
        called = {"first": person.one(names["first"]), "last": person.one(names["last"])}
        title = articles[kind].get("title", "{place} {kind}").format(place=place, kind=kind, **called)
        found.append((special.pop(0) if is_special else title, kind))
    known: set[str] = set()
    for i, (title, kind) in enumerate(found):
        if title in known:
            found[i] = (f"{title} ({i})", kind)
        known.add(found[i][0])
    return found


def _another(titles: list[tuple[str, str]], number: int, chance: Chance) -> str:
    """The title of another article than that of a number; its own where there is none."""
    if len(titles) == 1:
        return chance.one([titles[0][0]])
    place = chance.between(0, len(titles) - 2)
    return titles[place + (place >= number)][0]


def _article(
    title: str, kind: str, created: datetime, number: int, titles: list[tuple[str, str]], language: str
) -> Exported:
    names, form, frame = (_data(name, language) for name in ("names", "articles", "frame"))
    form, chance = form[kind], Chance(f"article {title}")
    is_new = created > CUTOFF + timedelta(days=120) and chance.share(_KEPT_NEW)
    if is_new:
        begin = CUTOFF + timedelta(days=20)
        dates = sorted(begin + (created - begin) * (chance.between(0, 999) / 1000) for _ in range(6))
    else:
        year = chance.between(1882, 1990)
        dates = sorted(datetime(year, 1, 1, tzinfo=UTC) + timedelta(days=chance.between(0, 9000)) for _ in range(6))
    people = [f"{chance.one(names['first'])} {last}" for last in chance.some(names["last"], 3)]
    here = next((place for place in names["places"] if place in title), chance.one(names["places"]))
    fill = {
        "name": title,
        "place": here,
        "other": chance.one([place for place in names["places"] if place != here]),
        "river": chance.one(names["rivers"]),
        "link": _another(titles, number, chance),
        "category": form["category"],
        **{f"p{i + 1}": person for i, person in enumerate(people)},
        **{f"d{i + 1}": _written(date, frame) for i, date in enumerate(dates)},
        **{f"y{i + 1}": str(date.year) for i, date in enumerate(dates)},
        **{f"n{i + 1}": _number(chance.between(*span), frame) for i, span in enumerate(form["numbers"])},
    }
    further = Chance(f"further {title}")
    fill["region"] = further.one(names.get("regions", [""]))
    fill["born"] = _written(dates[0] - timedelta(days=further.between(7000, 10000)), frame)
    texts = [
        f"{' '.join(form['lead']).format_map(fill)}\n\n{frame['draft']}",
        _wikitext(form, fill, chance, frame),
    ]
    times = [created, created + timedelta(days=chance.between(1, 40), seconds=chance.between(1, 80000))]
    for _ in range(chance.between(0, 2)):
        times.append(times[-1] + timedelta(days=chance.between(1, 60), seconds=chance.between(1, 80000)))
        texts.append(texts[-1].replace(frame["again"], frame["note_again"] + frame["again"], 1))
    revisions = [Revision(time, text, f"Writer{number % 7}") for time, text in zip(times, texts, strict=True)]
    begun = f"Draft:{title}" if number % _DRAFTS == 16 else ""
    return Exported(title, revisions, begun=begun)


def _written(date: datetime, frame: dict[str, Any]) -> str:
    return frame["date"].format(day=date.day, month=frame["months"][date.month - 1], year=date.year)


def _number(number: int, frame: dict[str, Any]) -> str:
    return f"{number:,}".replace(",", frame["thousands"])


def _wikitext(form: dict[str, Any], fill: dict[str, str], chance: Chance, frame: dict[str, Any]) -> str:
    parts = [frame["infobox"].format_map(fill), _sentences(form["lead"], fill, chance, frame)]
    for heading, sentences in form["sections"].items():
        parts.append(f"== {heading} ==\n{_sentences(sentences, fill, chance, frame)}")
    year = int(fill["y6"])
    rows = "".join(
        f"|-\n| {year - i} || {_number(chance.between(120, 9000), frame)}\n" for i in range(chance.between(3, 6))
    )
    parts.append(frame["figures"].format_map({"rows": rows}))
    parts += [frame[name].format_map(fill) for name in ("further", "also", "references", "categories")]
    return "\n\n".join(parts)


def _sentences(sentences: list[str], fill: dict[str, str], chance: Chance, frame: dict[str, Any]) -> str:
    """A paragraph, with references behind some of its sentences."""
    written = []
    for sentence in sentences:
        has_note = chance.share(0.4)
        note = frame["note"].format_map({**fill, "page": chance.between(1, 40)}) if has_note else ""
        written.append(sentence.format_map(fill) + note)
    return " ".join(written)


def _page(record: dict[str, Any], titles: list[tuple[str, str]]) -> Exported:
    listed = "".join(f"\n* [[{title}]]" for title, kind in titles if kind == record.get("lists"))
    text = f"#REDIRECT [[{record['redirect']}]]" if "redirect" in record else record["text"].strip() + listed
    return Exported(
        record["title"],
        [Revision(record["created"].astimezone(UTC), text, "Writer1")],
        deleted=record.get("deleted", False),
        property=record.get("property", ""),
    )
