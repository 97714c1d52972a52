"""Pages from a wiki's dumps: which ones, with which creation, what is left out, and what a broken dump says."""

import bz2
import gzip
import hashlib
import json
import lzma
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import pytest
from support import in_full

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.builders.wiki.dumps.creation_log import Times, TitleFilter, seconds, written
from benchwright.builders.wiki.dumps.files import find_parts
from benchwright.builders.wiki.dumps.harvest import harvest_dump
from benchwright.builders.wiki.dumps.sample import FirstBySeed, PackedPage, doubted
from benchwright.builders.wiki.pages import Harvest, Page

CUTOFF = date(2023, 1, 1)
PROSE = "The mill of Orrin stands by the river – it was built by hand. "
LONG = PROSE * 20
ALL: dict[str, Any] = {"cutoff": CUTOFF, "articles": 100, "random": 0, "haystack": 100}


def root(*parts: str, version: str = "0.11", name: str = "orrin") -> str:
    namespaces = "".join(
        f'<namespace key="{key}">{space}</namespace>'
        for key, space in ((0, ""), (1, "Talk"), (2, "User"), (10, "Template"), (118, "Draft"))
    )
    return (
        f'<mediawiki xmlns="http://www.mediawiki.org/xml/export-{version}/" version="{version}" xml:lang="en"><siteinfo>'
        f"<sitename>Orrinpedia</sitename><dbname>{name}</dbname><base>https://orrin.test/w/index.php/Main_Page</base>"
        f"<generator>MediaWiki 1.43.0</generator><namespaces>{namespaces}</namespaces></siteinfo>\n"
        + "\n".join(parts) + "\n</mediawiki>\n"
    )  # fmt: skip


def base36(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return digits.rjust(31, "0")


def sha1(text: str) -> str:
    return hashlib.sha1(text.encode()).hexdigest()


def revision(
    number: int, time: str, text: str = LONG, *, parent: int = 1, model: str = "wikitext", given: str | None = None,
    text_element: str | None = None,
) -> str:  # fmt: skip
    digest = base36(int(sha1(text), 16)) if given is None else given
    element = text_element or f'<text bytes="{len(text.encode())}" xml:space="preserve">{escape(text)}</text>'
    parentid = f"<parentid>{parent}</parentid>" if parent else ""
    return (
        f"<revision><id>{number}</id>{parentid}<timestamp>{time}</timestamp><contributor><username>Ada</username><id>99"
        f"</id></contributor><model>{model}</model><format>text/x-wiki</format>{element}<sha1>{digest}</sha1></revision>"
    )


def page(number: int, title: str, *revisions: str, namespace: int = 0, redirect: bool = False) -> str:
    made = revisions or (revision(1000 + number, "2025-06-01T00:00:00Z"),)
    sign = '<redirect title="Elsewhere" />' if redirect else ""
    return f"<page><title>{escape(title)}</title><ns>{namespace}</ns><id>{number}</id>{sign}{''.join(made)}</page>"


def entry(time: str, title: str, kind: str = "create/create", parameters: str = "a:0:{}", who: str = "") -> str:
    type_, action = kind.split("/")
    contributor = who or "<contributor><username>Ada</username><id>99</id></contributor>"
    return (
        f"<logitem><id>1</id><timestamp>{time}</timestamp>{contributor}<type>{type_}</type><action>{action}</action>"
        f'<logtitle>{escape(title)}</logtitle><params xml:space="preserve">{escape(parameters)}</params></logitem>'
    )


def move(time: str, source: str, target: str, *, is_bare: bool = False) -> str:
    size = len(target.encode())
    parameters = f'a:2:{{s:9:"4::target";s:{size}:"{target}";s:10:"5::noredir";s:1:"{int(is_bare)}";}}'
    return entry(time, source, "move/move", parameters)


Make = Callable[..., Path]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Writes a dump with these parts."""

    def write(name: str, *parts: str, **settings: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(root(*parts, **settings), encoding="utf-8")
        return path

    return write


def both(make: Make, entries: Sequence[str], pages: Sequence[str], **settings: Any) -> Harvest:
    return harvest_dump(make("log.xml", *entries), make("pages.xml", *pages), **{**ALL, **settings})


def created(harvest: Harvest) -> dict[str, str]:
    return {each.title: each.created for each in harvest.created_after_cutoff}


def old(harvest: Harvest) -> dict[str, str]:
    return {each.title: each.created for each in (*harvest.random, *harvest.haystack)}


def test_every_page_is_taken_or_counted(make: Make) -> None:
    short = "Too short."
    pages = [
        page(1, "Orrin mill"),
        page(2, "Old weir"),
        page(3, "Talk:Orrin mill", namespace=1),
        page(4, "The mill", redirect=True),
        page(5, "Mills", revision(5, "2024-01-01T00:00:00Z", "#redirect [[Orrin mill]]")),
        page(6, "Orrin (disambiguation)"),
        page(7, "Weir", revision(7, "2024-01-01T00:00:00Z", LONG + "{{disambiguation}}")),
        page(8, "List of mills"),
        page(9, "Stub", revision(9, "2024-01-01T00:00:00Z", short)),
        page(10, "Filled", revision(10, "2024-01-01T00:00:00Z", f"{short}<!-- {LONG} -->")),
        page(11, "Data", revision(11, "2024-01-01T00:00:00Z", model="json")),
        page(12, "Removed", revision(12, "2024-01-01T00:00:00Z", text_element='<text deleted="deleted" bytes="9" />')),
        page(13, "Lost", revision(13, "2024-01-01T00:00:00Z", text_element='<text bytes="4000" />')),
        page(14, "Changed", revision(14, "2024-01-01T00:00:00Z", given=base36(12345))),
        page(15, "Unhashed", revision(15, "2024-01-01T00:00:00Z", given="")),
    ]
    entries = [entry("2022-01-01T00:00:00Z", "Old weir"), entry("2023-05-04T11:22:33Z", "Orrin mill")]
    found = both(make, [*entries, entry("2022-02-02T00:00:00Z", "Unhashed")], pages)
    assert found.left_out == {
        "damaged": 1, "disambiguation": 2, "hidden": 1, "list": 1, "not an article": 1, "not wikitext": 1, "redirect": 2,
        "short": 2, "without text": 1,
    }  # fmt: skip
    assert found.checks == {"articles": 3, "created after the cutoff": 1, "created by the log": 3, "sha1 verified": 2}
    assert found.created_after_cutoff == (
        Page(1, "Orrin mill", "2023-05-04T11:22:33Z", 1001, "2025-06-01T00:00:00Z", sha1(LONG), LONG),
    )
    assert old(found) == {"Old weir": "2022-01-01T00:00:00Z", "Unhashed": "2022-02-02T00:00:00Z"}
    assert found.requests == 0


def test_a_dump_tells_of_its_wiki(make: Make) -> None:
    found = both(make, [entry("2023-05-04T11:22:33Z", "Orrin mill")], [page(1, "Orrin mill")])
    assert found.site == {
        "name": "Orrinpedia", "server": "https://orrin.test", "language": "en", "licence": "", "licence_url": "",
        "generator": "MediaWiki 1.43.0", "history": "https://orrin.test/w/index.php?curid={id}&action=history",
        "address": "https://orrin.test/w/",
    }  # fmt: skip


def test_the_licence_of_wikipedia_is_known(make: Make) -> None:
    pages = make("pages.xml", page(1, "Orrin mill"))
    pages.write_text(pages.read_text().replace("orrin.test/w/index.php/", "en.wikipedia.org/wiki/"), encoding="utf-8")
    site = harvest_dump(make("log.xml", entry("2023-05-04T11:22:33Z", "Orrin mill")), pages, **ALL).site
    assert site["licence"] == "Creative Commons Attribution-Share Alike 4.0"
    assert site["history"] == "https://en.wikipedia.org/w/index.php?curid={id}&action=history"


@pytest.mark.parametrize(
    ("entries", "time"),
    [
        pytest.param(
            [entry("2023-02-01T00:00:00Z", "Draft:Mill"), move("2024-02-01T00:00:00Z", "Draft:Mill", "Mill")],
            "2023-02-01T00:00:00Z",
            id="draft",
        ),
        pytest.param(
            [
                entry("2023-02-01T00:00:00Z", "User:Ada/mill"),
                move("2023-03-01T00:00:00Z", "User:Ada/mill", "Draft:“Mill”;s:3:x"),
                move("2023-04-01T00:00:00Z", "Draft:“Mill”;s:3:x", "Mill"),
            ],
            "2023-02-01T00:00:00Z",
            id="moved twice",
        ),
        pytest.param(
            [
                entry("2023-02-01T00:00:00Z", "Draft:Mill"),
                entry("2023-02-02T00:00:00Z", "Draft:Mill", "move/move_redir", "Mill\n1"),
            ],
            "2023-02-01T00:00:00Z",
            id="written as before 2012",
        ),
        pytest.param(
            [
                entry("2023-02-01T00:00:00Z", "User:Ada/draft"),
                move("2023-03-01T00:00:00Z", "User:Ada/draft", "Weir"),
                move("2023-04-01T00:00:00Z", "User:Ada/draft", "Mill"),
            ],
            "2023-03-01T00:00:00Z",
            id="written over the redirect that a move left",
        ),
        pytest.param(
            [
                entry("2023-01-01T00:00:00Z", "Mill"),
                entry("2023-02-01T00:00:00Z", "Mill", "delete/delete"),
                entry("2023-03-01T00:00:00Z", "Mill"),
            ],
            "2023-03-01T00:00:00Z",
            id="deleted and begun again",
        ),
        pytest.param(
            [entry("2023-02-01T00:00:00Z", "Mill", who="<contributor><username>Imported&gt;Ada</username><id /></contributor>")],
            "2023-02-01T00:00:00Z",
            id="imported",
        ),
    ],
)  # fmt: skip
def test_moves_keep_the_time_of_creation(make: Make, entries: list[str], time: str) -> None:
    assert created(both(make, entries, [page(1, "Mill")])) == {"Mill": time}


def test_a_page_under_the_title_of_another_is_not_taken_for_it(make: Make) -> None:
    entries = [
        entry("2020-01-01T00:00:00Z", "Mill"),
        entry("2020-01-01T00:00:00Z", "Weir"),
        move("2023-02-01T00:00:00Z", "Mill", "Mill (Orrin)", is_bare=True),
        # The page that this one moves away from its title is older than the log: nothing is known of Mill
        move("2023-03-01T00:00:00Z", "Grist mill", "Mill"),
        entry("2023-04-01T00:00:00Z", "New weir"),
    ]
    found = both(make, entries, [page(1, "Mill"), page(2, "Mill (Orrin)"), page(3, "New weir")])
    assert created(found) == {"New weir": "2023-04-01T00:00:00Z"}
    assert old(found) == {"Mill": "", "Mill (Orrin)": "2020-01-01T00:00:00Z"}
    assert found.checks["of unknown creation"] == 1


def test_a_page_that_was_edited_before_its_creation_is_of_unknown_age(make: Make) -> None:
    pages = [page(1, "Mill", revision(5, "2023-01-31T00:00:00Z")), page(2, "Weir")]
    found = both(
        make,
        [entry("2022-01-01T00:00:00Z", "Orrin"), *(entry("2023-02-01T00:00:00Z", each) for each in ("Mill", "Weir"))],
        pages,
    )
    assert (created(found), old(found)) == ({"Weir": "2023-02-01T00:00:00Z"}, {"Mill": ""})
    assert found.checks["older than the log says"] == 1


def test_the_end_is_exclusive_and_the_cutoff_is_not(make: Make) -> None:
    times = {
        "a": "2022-12-31T23:59:59Z",
        "b": "2023-01-01T00:00:00Z",
        "c": "2023-12-31T23:59:59Z",
        "d": "2024-01-01T00:00:00Z",
    }
    entries = [entry(time, f"Mill {name}") for name, time in times.items()]
    pages = [page(number, f"Mill {name}") for number, name in enumerate(times, 1)]
    found = both(make, entries, pages, until=date(2024, 1, 1))
    assert sorted(created(found)) == ["Mill b", "Mill c"]
    assert sorted(old(found)) == ["Mill a", "Mill d"]
    moment = datetime(2023, 1, 1, 0, 0, 1, tzinfo=UTC)
    assert sorted(created(both(make, entries, pages, cutoff=moment))) == ["Mill c", "Mill d"]


def test_of_a_whole_history_the_last_revision_is_taken_and_the_first_dates_the_page(make: Make) -> None:
    revisions = [
        revision(11, "2023-03-01T00:00:00Z", "The first words.", parent=0),
        revision(13, "2023-05-01T00:00:00Z", LONG + "The last words."),
        revision(12, "2023-04-01T00:00:00Z", "Words between."),
    ]
    pages = make(
        "pages.xml", page(1, "Mill", *revisions), page(2, "Weir", revision(20, "2021-01-01T00:00:00Z", parent=0))
    )
    for found in (
        harvest_dump(None, pages, **ALL),
        harvest_dump(make("log.xml", entry("2019-01-01T00:00:00Z", "X")), pages, **ALL),
    ):
        (mill,) = found.created_after_cutoff
        assert (mill.created, mill.revision, mill.edited) == ("2023-03-01T00:00:00Z", 13, "2023-05-01T00:00:00Z")
        assert mill.wikitext.endswith("The last words.")
        assert old(found) == {"Weir": "2021-01-01T00:00:00Z"}


def test_only_the_texts_of_the_main_slot_and_ids_of_revisions_are_read(make: Make) -> None:
    other = "<content><role>other</role><model>json</model><text bytes='5'>{...}</text></content>"
    made = revision(7, "2024-01-01T00:00:00Z", given=base36(99)).replace(
        "<text ", f'<text sha1="{base36(int(sha1(LONG), 16))}" '
    )
    made = made.replace("<sha1>", f"{other}<sha1>")
    (mill,) = both(make, [entry("2023-02-01T00:00:00Z", "Mill")], [page(1, "Mill", made)]).created_after_cutoff
    assert (mill.revision, mill.sha1, mill.wikitext) == (7, sha1(LONG), LONG)


def test_a_history_that_is_cut_dates_what_is_older_than_the_cutoff(make: Make) -> None:
    """A revision of 2004 whose parent is not in the dump proves that its page is old; one of 2024 proves nothing."""
    pages = [
        page(1, "Mill", revision(11, "2023-03-01T00:00:00Z", parent=0), revision(12, "2023-04-01T00:00:00Z")),
        page(2, "Weir", revision(20, "2004-01-01T00:00:00Z", parent=99_999), revision(21, "2024-01-01T00:00:00Z")),
        page(3, "Lock", revision(30, "2024-01-01T00:00:00Z", parent=99_998)),
    ]
    found = harvest_dump(None, make("pages.xml", *pages), **ALL)
    assert created(found) == {"Mill": "2023-03-01T00:00:00Z"}
    assert old(found) == {"Weir": ""}
    assert found.left_out == {"creation not proved": 1}
    assert found.checks == {
        "articles": 2, "created after the cutoff": 1, "older than the cutoff by a revision": 1, "sha1 verified": 2,
    }  # fmt: skip
    # A log that reaches back to the cutoff would tell of it if it were new
    log = make("log.xml", entry("2022-01-01T00:00:00Z", "X"), entry("2023-03-01T00:00:00Z", "Mill"))
    found = harvest_dump(log, make("pages.xml", *pages), **ALL)
    assert (old(found), found.left_out) == ({"Weir": "", "Lock": ""}, {})
    assert found.checks["of unknown creation"] == 1


def many(count: int) -> tuple[list[str], list[str]]:
    """A page a day, of which the last 40 % were created after the cutoff."""
    start = int(datetime(2023, 1, 1, tzinfo=UTC).timestamp()) - int(count * 0.6) * 86_400
    entries = [entry(written(start + number * 86_400), f"Mill {number}") for number in range(count)]
    return entries, [page(number + 1, f"Mill {number}") for number in range(count)]


def ids(pages: Sequence[Page]) -> list[int]:
    return [each.id for each in pages]


def in_order(name: str, numbers: Iterable[int]) -> list[int]:
    return sorted(numbers, key=lambda number: hashlib.sha256(f"{name}:{number}".encode()).hexdigest())


def test_samples_are_disjoint_seeded_and_the_same_in_any_order(make: Make) -> None:
    entries, pages = many(200)
    sizes = {"articles": 10, "random": 15, "haystack": 20}
    found = both(make, entries, pages, seed=3, **sizes)
    after = in_order("3:created", range(121, 201))[:10]
    assert ids(found.created_after_cutoff) == after == [194, 143, 154, 123, 158, 171, 192, 177, 165, 138]
    others = [number for number in in_order("3:random", range(1, 201)) if number not in after]
    assert (ids(found.random), ids(found.haystack)) == (others[:15], others[15:35])
    every = ids((*found.created_after_cutoff, *found.random, *found.haystack))
    assert (len(every), len(set(every))) == (45, 45)
    assert found.checks["created after the cutoff"] == 80
    assert both(make, entries, pages[::-1], seed=3, **sizes) == found
    assert ids(both(make, entries, pages, seed=4, **sizes).random) != ids(found.random)
    assert ids(both(make, entries, pages, seed=3, articles=5, random=0, haystack=0).created_after_cutoff) == every[:5]


def test_samples_are_uniform() -> None:
    drawn: Counter[int] = Counter()
    for seed in range(400):
        first = FirstBySeed(5, seed, "random")
        for number in range(50):
            page = Page(number, "", "", 1, "", "", "")
            if (place := first.place(page)) is not None:
                first.add(place, page)
        drawn.update(each.id for each in first.pages())
    # 2,000 draws of 50 pages, 40 expected of each: chi-square with 49 degrees of freedom, its 99.9 % quantile is 85.4
    assert sum(drawn.values()) == 2_000
    assert sum((drawn[number] - 40) ** 2 / 40 for number in range(50)) < 85.4


def test_pages_whose_ids_deny_their_age_are_left_out(make: Make) -> None:
    entries, pages = many(100)
    # An old page came to bear the title of a new one after the pages were dumped
    pages[0] = page(1, "Mill 80")
    pages[80] = page(81, "Mill 80 (old)")
    found = both(make, entries, pages)
    assert found.left_out == {"out of the order of ids": 1}
    assert 1 not in ids((*found.created_after_cutoff, *found.haystack))
    assert len(found.created_after_cutoff) == 39


def test_where_ids_say_nothing_of_age_no_page_is_doubted() -> None:
    pages = [Page(number, "", f"{2000 + number * 7 % 40}", 1, "", "", "") for number in range(40)]
    assert doubted(pages) == set()
    grown = [Page(number, "", f"{2000 + number}", 1, "", "", "") for number in range(40)]
    assert doubted([*grown, Page(3_000, "", "2005", 1, "", "", "")]) == {3_000}
    assert doubted([]) == set()


def test_a_rule_of_the_caller_is_asked(make: Make) -> None:
    entries, pages = many(20)
    found = both(make, entries, pages, accept=lambda each: "odd" if each.id % 2 else None)
    assert all(each.id % 2 == 0 for each in (*found.created_after_cutoff, *found.haystack))
    assert found.left_out == {"odd": 10}


def test_a_packed_page_is_a_page() -> None:
    fields = (1, "Mill", "2023", 2, "2024", "ab", LONG)
    assert (PackedPage(*fields), hash(PackedPage(*fields))) == (Page(*fields), hash(Page(*fields)))
    assert PackedPage(*fields) != Page(*fields[:-1], "other")


@pytest.mark.parametrize(("ending", "pack"), [("gz", gzip.compress), ("bz2", bz2.compress), ("xz", lzma.compress)])
def test_packed_dumps(make: Make, tmp_path: Path, ending: str, pack: Callable[[bytes], bytes]) -> None:
    entries, pages = many(30)
    paths = [make("log.xml", *entries), make("pages.xml", *pages)]
    packed = [tmp_path / f"{path.name}.{ending}" for path in paths]
    for path, into in zip(paths, packed, strict=True):
        half = len(path.read_bytes()) // 2
        # Two streams one after the other, as in Wikipedia's own dumps
        into.write_bytes(pack(path.read_bytes()[:half]) + pack(path.read_bytes()[half:]))
    assert harvest_dump(*packed, **ALL) == harvest_dump(*paths, **ALL)
    packed[1].write_bytes(packed[1].read_bytes()[:-20])
    with pytest.raises(BenchwrightError) as caught:
        harvest_dump(*packed, **ALL)
    assert str(caught.value) == f"{packed[1]} is cut off: fetch it again"


@pytest.mark.parametrize("ending", ["gz", "bz2", "xz"])
def test_damaged_packed_dumps(make: Make, tmp_path: Path, ending: str) -> None:
    entries, pages = many(30)
    pack = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}[ending]
    path = tmp_path / f"pages.xml.{ending}"
    content = bytearray(pack(make("pages.xml", *pages).read_bytes()))
    content[60:90] = bytes(30)
    path.write_bytes(content)
    with pytest.raises(BenchwrightError, match=rf"^{path} is damaged \(.*\): fetch it again$"):
        harvest_dump(make("log.xml", *entries), path, **ALL)


def seven(*arguments: str | Path) -> None:
    program = next((found for name in ("7zz", "7z", "7zr", "7za") if (found := shutil.which(name))), None)
    if program is None:
        pytest.skip("no program that packs 7z is installed")
    subprocess.run([program, *map(str, arguments)], check=True, capture_output=True, stdin=subprocess.DEVNULL)


def test_dumps_in_7z(make: Make, tmp_path: Path) -> None:
    entries, pages = many(300)
    paths = [make("log.xml", *entries), make("-pages @1.xml", *pages)]
    packed = [tmp_path / f"{path.name}.7z" for path in paths]
    for path, into in zip(paths, packed, strict=True):
        seven("a", "--", into, path)
    assert harvest_dump(*packed, **ALL) == harvest_dump(*paths, **ALL)
    whole = packed[1].read_bytes()
    for content in (whole[:-20], whole[:200] + bytes(40) + whole[240:]):
        packed[1].write_bytes(content)
        with pytest.raises(BenchwrightError, match=rf"^{packed[1]} is damaged \(.+\): fetch it again$") as caught:
            harvest_dump(*packed, **ALL)
        assert "\n" not in str(caught.value)
    seven("a", "-psecret", "-mhe=on", tmp_path / "locked.7z", paths[1])
    with pytest.raises(BenchwrightError, match=r"locked.7z is locked with a password: unpack it$"):
        harvest_dump(paths[0], tmp_path / "locked.7z", **ALL)


def test_7z_without_its_program(make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "pages.xml.7z"
    path.write_bytes(b"7z\xbc\xaf\x27\x1c" + bytes(100))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert message(make("log.xml", *many(3)[0]), path) == (
        "pages.xml.7z is packed with 7z, and none of 7zz, 7z, 7zr, 7za is installed: install the package 7zip, or fetch the "
        ".bz2 or .gz one"
    )


def test_parts_of_a_dump(make: Make, tmp_path: Path) -> None:
    entries, pages = many(30)
    whole = both(make, entries, pages)
    for number in range(3):
        make(f"parts/pages-articles{9 + number}.xml-p1", *pages[number * 10 : number * 10 + 10])
        make(f"logs/log{9 + number}.xml", *entries[number * 10 : number * 10 + 10])
    (tmp_path / "parts" / "index.txt").write_text("not a part")
    assert [path.name[14:16] for path in find_parts(tmp_path / "parts")] == ["9.", "10", "11"]
    for articles in (tmp_path / "parts", tmp_path / "parts" / "*articles*"):
        assert harvest_dump(tmp_path / "logs", articles, **ALL) == whole
    make("parts/pages-articles.xml", *pages)
    assert message(tmp_path / "logs", tmp_path / "parts") == (
        "page 1 (Mill 0) is in the dump twice: give its parts, or the whole, but not both"
    )


def message(entries: Path | None, pages: Path, **settings: Any) -> str:
    with pytest.raises(BenchwrightError) as caught:
        harvest_dump(entries, pages, **{**ALL, **settings})
    assert "\n" not in str(caught.value)
    return str(caught.value).replace(f"{pages.parent}/", "")


def test_what_a_wrong_dump_says(make: Make, tmp_path: Path) -> None:
    log, pages = make("log.xml", entry("2023-02-01T00:00:00Z", "Mill")), make("pages.xml", page(1, "Mill"))
    give = "give the file of a MediaWiki's dump that is called"
    assert message(pages, log) == (
        "pages.xml holds pages where log entries are wanted: "
        f"{give} pages-logging, and check that the two are not swapped"
    )
    assert message(log, log) == (
        "log.xml holds log entries where pages are wanted: "
        f"{give} pages-articles, and check that the two are not swapped"
    )

    def bad(content: str | bytes) -> str:
        path = tmp_path / "bad.xml"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return message(log, path)

    text = pages.read_text(encoding="utf-8")
    assert bad("hello") == f"bad.xml is not XML (syntax error, line 1): {give} pages-articles"
    assert bad("") == f"bad.xml is not XML (no element found, line 1): {give} pages-articles"
    assert bad("<html></html>") == f"bad.xml is not a dump of a MediaWiki but <html>: {give} pages-articles"
    assert (
        bad(f"<!DOCTYPE x [<!ENTITY a 'b'>]>{text}") == f"bad.xml is not a dump of a MediaWiki: {give} pages-articles"
    )
    assert bad(text[:-40]) == "bad.xml is cut off (no element found, line 2): fetch it again"
    assert bad(text.replace("</title>", "</tit>")) == "bad.xml is damaged (mismatched tag, line 2): fetch it again"
    assert bad(text.replace("<ns>0</ns>", "")) == "bad.xml is damaged (a page without ns, line 2): fetch it again"
    assert bad(text.replace("<id>1</id>", "<id>one</id>")) == (
        "bad.xml is damaged (a page with the number 'one', line 2): fetch it again"
    )
    assert bad(text.replace("2025-06-01T", "June")) == (
        "bad.xml is damaged (a page with the time 'June00:00:00Z', line 2): fetch it again"
    )
    assert bad(text.replace('version="0.11"', 'version="0.5"')) == (
        "bad.xml is written in export format 0.5, and only 0.10 and 0.11 can be read: fetch a dump of a newer date"
    )
    assert bad(b"PK\x03\x04") == "bad.xml is packed with zip: unpack it, or fetch the .bz2 or .gz one"
    assert bad(root()) == "bad.xml holds no pages: give the pages-articles of a wiki"
    stub = revision(5, "2023-02-01T00:00:00Z", text_element='<text bytes="4000" />')
    assert bad(root(page(1, "Mill", stub))) == "bad.xml has pages without their text: give pages-articles, not stubs"
    assert bad(root(page(1, "Mill"), name="other")) == (
        "log.xml is of the wiki orrin and bad.xml of other: give two dumps of one wiki"
    )
    assert (
        message(log, tmp_path / "none.xml") == "there is no dump none.xml: give a file, a folder of parts or a pattern"
    )
    assert (
        message(make("empty.xml"), pages) == "empty.xml holds no log entries: give the pages-logging of the same wiki"
    )


def test_what_a_dump_without_the_wanted_pages_says(make: Make) -> None:
    log = make("log.xml", entry("2022-02-01T00:00:00Z", "Mill"))
    pages = make("pages.xml", page(1, "Mill"), page(2, "The mill", redirect=True))
    assert message(log, pages) == (
        "of 2 pages in pages.xml no article was created from 2023-01-01T00:00:00Z to 2100-01-01T00:00:00Z (1 are older or "
        "newer; left out: 1 redirect): give an earlier cutoff, or a newer dump"
    )
    late = make("late.xml", entry("2023-02-01T00:00:00Z", "Weir"))
    wanted = "give a later cutoff, or a dump with all revisions (pages-meta-history) as the articles"
    assert message(late, pages) == (
        f"the log begins only at 2023-02-01T00:00:00Z, and when 1 articles were created is unknown: {wanted}"
    )
    assert message(None, pages) == f"the log knows no creations, and when 1 articles were created is unknown: {wanted}"
    assert old(harvest_dump(None, pages, cutoff=CUTOFF, articles=0, random=1)) == {"Mill": ""}


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"cutoff": date(2999, 1, 1)}, "the cutoff 2999-01-01 is in the future: no page is newer"),
        ({"until": CUTOFF}, "no page can be newer than 2023-01-01 and older than 2023-01-01: give a later until"),
        ({"random": -1}, "articles, random, haystack and minimum must not be negative"),
        ({"articles": 0, "haystack": 0}, "no page is asked for: give articles, random or haystack"),
    ],
)
def test_what_cannot_be_meant(tmp_path: Path, settings: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError) as caught:
        harvest_dump(tmp_path / "a", tmp_path / "b", **{**ALL, **settings})
    assert str(caught.value) == said


def test_times_of_many_titles_survive_being_put_into_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchwright.builders.wiki.dumps.creation_log._RECENT", 50)
    monkeypatch.setattr("benchwright.builders.wiki.dumps.creation_log._JOINED", 400)
    times, known = Times(), dict[str, int]()
    for number in range(3_000):
        title = f"Mill {number * 7 % 1_000}"
        known[title] = number + 1
        times.put(title, number + 1)
    assert {title: times.get(title) for title in known} == known
    assert times.get("Weir") == 0


def test_titles_that_can_become_articles() -> None:
    kept = TitleFilter({0: "", 1: "Talk", 2: "User", 6: "File", 118: "Draft", 119: "Draft talk"})
    titles = ("Mill", "Mill: a story", "User:Ada", "Draft:Mill", "Talk:Mill", "File:Mill", "Draft talk:Mill")
    assert [title for title in titles if kept(title)] == ["Mill", "Mill: a story", "User:Ada", "Draft:Mill"]
    assert written(seconds("2023-05-04T11:22:33Z")) == "2023-05-04T11:22:33Z"


def test_progress_is_told(make: Make) -> None:
    told: list[tuple[str, int, int]] = []
    both(make, *many(5), progress=lambda *what: told.append(what))
    assert told == [("entries of the log", 5, 5), ("pages of the dump", 5, 5)]


@pytest.mark.parametrize("count", [4_000, *in_full(20_000)])
def test_many_pages_in_bounded_memory(count: int) -> None:
    code = (
        "import tempfile, pathlib, subprocess, sys, json; from benchwright.scripts.measure.wikipedia import make_dump, _measured\n"
        "with tempfile.TemporaryDirectory() as folder:\n"
        "    print(json.dumps(_measured('harvest', *make_dump(pathlib.Path(folder), COUNT), COUNT)))"
    )
    code = code.replace("COUNT", str(count))
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    told = json.loads(done.stdout)
    assert told["pages"] == count
    assert 20 < told["memory"] < 300
