"""Three benchmarks to break pipelines on: questions of Aurp, and two written here from sample databases.

Each has 300 groups that its documents answer and 40 that they do not, each asked in a short and a long wording.
"""

import hashlib
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from film_rental import make_film_rental
from music_shop import make_music_shop
from report_cases import make_release

from benchwright.benchmarks.hashing import group_id, question_id, template_id
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.rows import load_documents, load_questions
from benchwright.benchmarks.types import Document, Evidence, Question

GROUPS, GAPS = 300, 40
_DRAWN = 480
"""Groups of which GROUPS are kept: those that a healthy pipeline finds."""
_LONG = (
    "I have been putting together a longer note for a colleague who is away until next week, and before I send it off I "
    "would be glad if somebody could tell me what the {asked} of {name} is."
)
_FILLERS = (
    "Whoever wants to know more may ask at the desk.", "The file was looked through twice and put in order.",
    "Several letters about it have been kept.", "Nothing else of note was written down that year.",
    "A copy of this page hangs in the corridor.", "People who know it well speak of it with warmth.",
    "The entry was checked against the older list.", "It is often asked for on rainy days.",
    "There were plans for more, which came to nothing.", "Opinions on it differ, as they do on most things.",
    "Somebody once drew a small picture of it.", "The spelling of names follows the records.",
    "It has been mentioned in the weekly letter.", "A few remarks in pencil can no longer be read.",
    "The next review is due when there is time.", "No complaint has ever been handed in.",
    "The shelf where it stood has been moved.", "It is not the first of its kind, and not the last.",
    "Those who were there remember a long evening.", "The paper on which it stood has yellowed.",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Attribute:
    """Something that documents say of their subject."""

    name: str
    says: tuple[str, ...]
    """Sentences, with `{name}` and `{value}`."""


_FILM = (
    Attribute("year of release", ("{name} was released in {value}.", "The year of release is {value}.")),
    Attribute("running time", ("{name} has a running time of {value}.", "The running time is {value}.")),
    Attribute("replacement cost", ("The replacement cost of {name} is {value}.", "Its replacement cost is {value}.")),
    Attribute("leading actor", ("The leading actor of {name} is {value}.", "The leading actor is {value}.")),
    Attribute(
        "place of the story", ("The place of the story of {name} is {value}.", "The place of the story is {value}.")
    ),
)
_TRACK = (
    Attribute("album", ("The album of {name} is {value}.", "The album is {value}.")),
    Attribute("artist", ("The artist of {name} is {value}.", "Its artist is {value}.")),
    Attribute("size of the file", ("The size of the file of {name} is {value}.", "The size of the file is {value}.")),
    Attribute("length", ("{name} has a length of {value}.", "The length is {value}.")),
)


def drawn(*parts: object) -> float:
    """A number from 0 to 1, from the hash of some parts."""
    text = "\x1f".join(map(str, parts)).encode()
    return int.from_bytes(hashlib.sha256(text).digest()[:6]) / 2**48


def picked(things: Sequence[str], *parts: object) -> str:
    """One of several, by hash."""
    return things[int(drawn(*parts) * len(things))]


def _films(folder: Path) -> Iterator[tuple[str, dict[str, str]]]:
    with sqlite3.connect(make_film_rental(folder / "films.sqlite")) as database:
        rows = database.execute(
            "SELECT film.title, release_year, length, replacement_cost, description, min(first_name || ' ' || last_name) "
            "FROM film JOIN film_actor USING (film_id) JOIN actor USING (actor_id) GROUP BY film_id"
        )
        for title, year, length, cost, story, actor in rows:
            place = story.partition(" before the winter")[0].rpartition(" in ")[2]
            yield (
                title,
                {
                    "year of release": year,
                    "running time": f"{length} minutes",
                    "replacement cost": f"{cost} US dollars",
                    "leading actor": actor,
                    "place of the story": place,
                },
            )


def _tracks(folder: Path) -> Iterator[tuple[str, dict[str, str]]]:
    with sqlite3.connect(make_music_shop(folder / "shop.sqlite")) as database:
        rows = database.execute(
            'SELECT min("Track"."Name"), min("Title"), min("Artist"."Name"), min("Bytes"), min("Milliseconds") FROM "Track" '
            'JOIN "Album" USING ("AlbumId") JOIN "Artist" USING ("ArtistId") GROUP BY "AlbumId", "TrackId" % 3'
        )
        for name, album, artist, size, length in rows:
            yield (
                name,
                {
                    "album": album,
                    "artist": artist,
                    "size of the file": f"{size // 1000:,} kilobytes",
                    "length": f"{length // 1000} seconds",
                },
            )


def _document(
    number: int, prefix: str, name: str, said: dict[str, str], attributes: Sequence[Attribute], size: int
) -> Document:
    """A page of so many sentences, some of them about its subject."""
    order = sorted(range(size), key=lambda place: drawn("order", name, place))
    sentences = {
        place: picked(each.says, "says", name, each.name).format(name=name, value=said[each.name])
        for place, each in zip(order, (each for each in attributes if each.name in said), strict=False)
    }
    texts = [sentences.get(place) or picked(_FILLERS, "filler", name, place) for place in range(size)]
    half = size // 2
    return Document(f"{prefix}-{number:04d}", name, f"{' '.join(texts[:half])}\n\n{' '.join(texts[half:])}")


def _questions(bench: str, document: Document, attribute: Attribute, value: str, *, gap: bool) -> Iterator[Question]:
    template = template_id(attribute.name)
    group = group_id(bench, template, [document.title])
    start = -1 if gap else document.body.index(value)
    for form, wording in (("short", "what is the {asked} of {name}?"), ("long", _LONG)):
        text = wording.format(asked=attribute.name, name=document.title)
        yield Question(
            id=question_id(group, form, text),
            question=text,
            answers=(value,),
            answer_type="one",
            answerability="gap" if gap else "answerable",
            group=group,
            form=form,
            template=template,
            entity=document.title,
            kind="lookup",
            hops=1,
            documents=() if gap else (document.id,),
            evidence=() if gap else (Evidence(document.id, start, start + len(value)),),
        )


def _written(
    root: Path, bench: str, rows: Iterator[tuple[str, dict[str, str]]], attributes: Sequence[Attribute], size: int
) -> Release:
    """A benchmark about the rows of a database: a document each."""
    documents, asked, gaps = list[Document](), list[Question](), list[Question]()
    seen = set[str]()
    for number, (name, said) in enumerate(rows):
        if name in seen:
            continue
        seen.add(name)
        hidden = {each.name for each in attributes if drawn("hidden", bench, name, each.name) < 0.06}
        document = _document(
            number, bench, name, {key: said[key] for key in said if key not in hidden}, attributes, size
        )
        documents.append(document)
        for each in attributes:
            (gaps if each.name in hidden else asked).extend(
                _questions(bench, document, each, said[each.name], gap=each.name in hidden)
            )
    return make_release(root / bench, [*some(asked, _DRAWN), *some(gaps, GAPS)], documents)


def some(questions: Sequence[Question], groups: int) -> list[Question]:
    """The questions of so many groups, drawn by hash."""
    names = sorted({each.group or "" for each in questions}, key=lambda name: drawn("group", name))[:groups]
    kept = set(names)
    return [each for each in questions if each.group in kept]


def films(root: Path) -> Release:
    """Films, a page of about 1,700 characters each."""
    return _written(root, "films", _films(root), _FILM, 36)


def tracks(root: Path) -> Release:
    """Pieces of music, a page of about 600 characters each."""
    return _written(root, "tracks", _tracks(root), _TRACK, 14)


def aurp_questions(root: Path, aurp: Release) -> Release:
    """Lookups in one step of Aurp, over all its documents."""
    taken, asked, gaps = set[tuple[str, str]](), list[Question](), list[Question]()
    for each in load_questions(aurp, "test"):
        key = (each.group or "", each.form or "")
        if each.hops == 1 and key not in taken and (each.evidence or each.answerability == "gap"):
            taken.add(key)
            (asked if each.evidence else gaps).append(replace(each, metadata={}))
    return make_release(root / "aurp", [*some(asked, _DRAWN), *some(gaps, GAPS)], load_documents(aurp).values())
