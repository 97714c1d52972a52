"""What a company calls the documents: URIs in all their forms, files of them, templates."""

from pathlib import Path

import pytest
from lighthouses import HEIGHTS, lighthouse

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.grounding.uris import UriMap, read_uris

CORPUS = {(page := lighthouse(name, height)).id: page for name, height in HEIGHTS.items()}


@pytest.mark.parametrize(
    ("uri", "document"),
    [
        ("https://wiki.example/Gannet_Rock", "gannet-rock"),
        ("http://WIKI.example:80/Gannet_Rock/", "gannet-rock"),
        ("https://wiki.example/%47annet%5FRock#height", "gannet-rock"),
        ("https://wiki.example/Gannet_Rock?utm_source=mail", "gannet-rock"),
        ("https://wiki.example/page?lang=en&id=7", "old-hook"),
        ("https://wiki.example/page?id=8&lang=en", "sable-point"),
        ("https://wiki.example/page?id=9", None),
        ("https://wiki.example/page", None),
        ("https://xn--bcher-kva.example/a", "cape-farrow"),
        ("HTTPS://BÜCHER.example/a", "cape-farrow"),
        ("chunk-17", "sable-point"),
        ("C:\\wiki\\hook.docx", "old-hook"),
        ("file:///wiki/Gannet%20Rock.md", "gannet-rock"),
        ("https://wiki.example/gannet_rock", None),
        ("http://[no address", None),
        ("http://wiki.example:port/", None),
        ("", None),
    ],
)
def test_uris_mean_documents(uri: str, document: str | None) -> None:
    given = {
        "https://wiki.example/Gannet_Rock": "gannet-rock",
        "https://wiki.example/page?id=7&lang=en": "old-hook",
        "https://wiki.example/page?id=8&lang=en": "sable-point",
        "https://bücher.example/a": "cape-farrow",
        "chunk-17": "sable-point",
        "C:/wiki/hook.docx": "old-hook",
        "file:///wiki/Gannet Rock.md": "gannet-rock",
    }
    assert read_uris(given, CORPUS).document_of(uri, CORPUS) == document
    assert UriMap().document_of(uri, CORPUS) is None


@pytest.mark.parametrize(
    ("template", "uri", "document"),
    [
        ("https://wiki.example/{id}.html", "http://Wiki.Example/gannet%2Drock.html?v=2#top", "gannet-rock"),
        ("https://wiki.example/{id}.html", "https://wiki.example/gannet-rock", None),
        ("https://wiki.example/{id}.html", "https://wiki.example/nobody.html", None),
        ("https://wiki.example/view?page={id}", "https://wiki.example/view?page=old-hook", "old-hook"),
        ("s3://pages/{id}/{id}.txt", "s3://pages/old-hook/old-hook.txt", "old-hook"),
        ("s3://pages/{id}/{id}.txt", "s3://pages/old-hook/sable-point.txt", None),
        ("/data/{id}.md", "/data/old-hook.md", "old-hook"),
        ("kb:{id}", "kb:old-hook#3", "old-hook"),
    ],
)
def test_a_template_means_the_documents_of_the_corpus(template: str, uri: str, document: str | None) -> None:
    assert read_uris(template, CORPUS).document_of(uri, CORPUS) == document


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("map.csv", "uri,document\nu1,gannet-rock\nu2,old-hook\n"),
        ("map.csv", "\ufeffDocument ID;note;URL\ngannet-rock;x;u1\n\nold-hook;;u2\n"),
        ("map.txt", "u1\tgannet-rock\nu2\told-hook\nu3\tnobody\n"),
        ("map.csv", "u1,gannet-rock,x\nu2,old-hook\n"),
        ("map.csv", "key,document\nu1,gannet-rock\nu2,old-hook\n"),
        ("map.jsonl", '{"uri": "u1", "document": "gannet-rock"}\n\n{"url": "u2", "id": "old-hook"}\n'),
        ("map.json", '{"u1": "gannet-rock", "u2": "old-hook"}'),
    ],
)
def test_files_of_uris(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    found = read_uris(tmp_path / name, CORPUS)
    assert (dict(found.documents), found.unknown) == ({"u1": "gannet-rock", "u2": "old-hook"}, text.count("nobody"))


def test_a_table_is_read_as_other_tables_are(tmp_path: Path) -> None:
    (tmp_path / "map.csv").write_text("sep=|\nuri|document\nu1|gannet-rock\n", encoding="utf-16")
    assert dict(read_uris(tmp_path / "map.csv", CORPUS).documents) == {"u1": "gannet-rock"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("uri,document\nu1\n", "map.csv, line 2: it needs a URI and a document's id: write them in two columns"),
        ("u1,gannet-rock\nu1,old-hook\n", "map.csv, line 2: 'u1' is 'old-hook' here and 'gannet-rock' before: keep one of them"),
        ("u1,x\nu2,y\n", "map.csv: none of its 2 lines names a document of the corpus, the first 'x'; their ids are such as "
         "'gannet-rock'"),
        ("", "map.csv: it holds no URI; their ids are such as 'gannet-rock'"),
        ('{"uri": "u1"}\n{"uri": "u2"}\n', "map.csv, line 1: it needs both of a URI and a document: write "
         '{"uri": …, "document": …}'),
        ('{"uri": "u1", "document": "gannet-rock"}\nu2\n', 'map.csv, line 2: not JSON: write {"uri": …, "document": …}'),
        ('{"u1": "\udcff"}', "map.csv: not UTF-8 at byte 9: save the file as UTF-8"),
        ("u1,gannet-rock\n\"u2,old-hook\n", "map.csv, line 2 is no CSV: a quotation mark is never closed"),
        ("u1,\udcff", "map.csv, line 1 is not UTF-8 text (its byte 0xff is 'ÿ' in Windows-1252 and Latin-1): save it as CSV UTF-8"),
    ],
)  # fmt: skip
def test_bad_files_of_uris(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "map.csv").write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(BenchwrightError) as raised:
        read_uris(tmp_path / "map.csv", CORPUS)
    assert str(raised.value).removeprefix(f"{tmp_path}/") == message


def test_what_is_neither_file_nor_template() -> None:
    with pytest.raises(UsageError, match=r"gone.csv is no file, and no template: .* with \{id\} in place of the id"):
        read_uris("gone.csv", CORPUS)
