"""`system.yaml`: what it may say, and what is refused with which reason."""

import pytest

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.leaderboards.system_file import (
    SystemFile,
    SystemModel,
    read_system_file,
    slug_of,
    system_text,
)

LEAST = "name: My RAG\nauthors: [Ada]\nopenness: closed\nretriever: bm25\n"
WHOLE = SystemFile(
    name="No. 1.0",
    authors=("Ada Moor", "علی‌رضا"),
    openness="open weights",
    retriever="bm25, then a re-ranker",
    models=(SystemModel("answers", "gpt-4o"), SystemModel("embeds", "e5")),
    licence="apache-2.0",
    link="https://example.org/a?b=c",
    organisation="Halden: Marine #2",
    builders_took_part=True,
    description="Two lines,\nof which this is one.",
)


def test_what_is_written_is_read() -> None:
    assert read_system_file(system_text(WHOLE).encode()) == WHOLE
    least = read_system_file(LEAST.encode())
    assert least == SystemFile("My RAG", ("Ada",), "closed", "bm25")
    assert system_text(least) == (
        "name: My RAG\nauthors:\n- Ada\nopenness: closed\nretriever: bm25\nmodels: []\nlicence: unknown\n"
        "builders_took_part: false\nformat: 1\n"
    )


def test_scalars_are_texts() -> None:
    read = read_system_file(b"name: no\nauthors: 007\nopenness: closed\nretriever: 2026-01-01\nmodels: [1.0]\n")
    assert (read.name, read.authors, read.retriever) == ("no", ("007",), "2026-01-01")
    assert read.models == (SystemModel("answers", "1.0"),)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "must hold keys and values"),
        ("- a", "must hold keys and values"),
        ("name: x", "does not say authors and openness and retriever"),
        (LEAST + "score: 1", "has a key 'score': the keys are name, authors"),
        (LEAST + "name: Another", "'name' stands twice"),
        (LEAST + "format: 2", "is of the format '2'"),
        (LEAST + "link: http://example.org", "'link' must be an address such as https://"),
        (LEAST + "link: javascript:alert(1)", "'link' must be"),
        (LEAST + "link: https://user:pw@example.org", "'link' must be"),
        (LEAST + "link: 'https://example.org/\"><script>'", "'link' must be"),
        (LEAST + "builders_took_part: perhaps", "must be yes or no"),
        (LEAST + "models: [{role: a}]", "needs a 'role' and a 'name'"),
        (LEAST + "description: [a, b]", "'description' must be a text"),
        (LEAST.replace("closed", "free"), "'openness' must be one of 'open source', 'open weights', 'closed'"),
        (LEAST.replace("My RAG", "x" * 81), "'name' has 81 characters, and may have 80"),
        (LEAST.replace("My RAG", '"a\\u202Eb"'), "holds the character U+202E"),
        (LEAST.replace("My RAG", '"a\\u200Db"'), "holds the character U+200D"),
        (LEAST.replace("My RAG", '"a\\x1b[2J"'), "holds the character U+001B"),
        (LEAST.replace("My RAG", "'---'"), "no letter and no digit"),
        (LEAST.replace("My RAG", "!!python/object/apply:os.system [ls]"), "line 1, has a tag (!)"),
        (LEAST.replace("My RAG", "! x"), "has a tag (!)"),
        (LEAST.replace("My RAG", "&a x"), "line 1, has an anchor"),
        (LEAST + "a: &a [x]\nb: [*a, *a]", "has an anchor"),
        (LEAST + "description: " + "[" * 40 + "]" * 40, "is nested deeper than 8"),
        (LEAST.replace("[Ada]", "\n" + "- a\n" * 6_000), "has 6,000 entries, and may have 100"),
        (LEAST + "--- \na: b", "begins a second document"),
        (LEAST + "authors: [" + "a," * 40_000 + "]", "and may have 64,000"),
        (LEAST + "\tx: [", "line 5 is no plain YAML"),
        (LEAST + "? [a]\n: b", "found unhashable key"),
    ],
)
def test_what_is_refused(text: str, said: str) -> None:
    with pytest.raises(BenchwrightError) as caught:
        read_system_file(text.encode())
    assert said in str(caught.value)
    assert str(caught.value).isprintable()


def test_what_is_no_text() -> None:
    with pytest.raises(BenchwrightError, match=r"system\.yaml is not in UTF-8"):
        read_system_file(b"name: \xff")
    with pytest.raises(BenchwrightError, match="is no plain YAML"):
        read_system_file(b"name: a\x00b")


@pytest.mark.parametrize(
    ("name", "slug"),
    [("My RAG", "my-rag"), ("Über_RAG v1.0!", "uber_rag-v1.0"), ("../etc", "etc"), ("検索", None), ("a..b", "a.b")],
)
def test_slugs(name: str, slug: str | None) -> None:
    assert slug_of(name) == slug


def test_long_name_has_a_short_slug() -> None:
    assert slug_of("a" * 63 + " b") == "a" * 63
