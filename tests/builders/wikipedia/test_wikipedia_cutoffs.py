"""The cutoffs of models: exact names, each with who says so, and a table of a user's own."""

import tomllib
from datetime import date
from importlib.resources import files
from pathlib import Path

import pytest
from built import Built, wikipedia_release

from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.builders.wikipedia.cutoffs import known_cutoffs, read_cutoff, read_own_cutoffs

TABLE = files("benchwright.builders.wikipedia") / "cutoffs.toml"


def test_every_model_has_a_date_and_a_source() -> None:
    known = known_cutoffs()
    assert len(known) == 97
    assert all(day < date(2026, 11, 1) and len(source) > 20 for day, source in known.values())
    assert known["gpt-4-0613"] == (
        date(2021, 10, 1),
        "September 2021: Dataset creation and boolean agent RAG, section III-A",
    )
    assert read_cutoff("GPT-4o-2024-08-06")[0] == date(2023, 11, 1)
    assert read_cutoff("claude-haiku-4-5")[0] == date(2025, 8, 1), "the later of two dates that are said"
    assert read_cutoff("meta-llama/Llama-3.1-8B-Instruct")[0] == date(2024, 1, 1)


@pytest.mark.parametrize(
    "name",
    [
        "gpt-4o", "gpt-4", "gpt-4-0631", "gpt-4-061", "gpt-4-06133", "gpt-4-0613-eu", "gpt4-0613", "claude-3-opus", "claude",
        "llama-3", "llama-3.1-9b", "o1", "o3", "", "gemini-2.5", "2021-1-1", "2021", "text-davinci-004",
    ],
)  # fmt: skip
def test_no_name_is_taken_for_another(name: str) -> None:
    with pytest.raises(UsageError) as raised:
        read_cutoff(name)
    assert "did you mean" not in str(raised.value)
    assert "known by their exact names" in str(raised.value)


def test_no_prefix_or_change_of_a_name_is_known() -> None:
    """Of each name: a letter less, a letter more, and without what stands after its last hyphen."""
    listed = {
        name
        for entry in tomllib.loads(TABLE.read_text(encoding="utf-8")).items()
        for name in (entry[0], *entry[1].get("aliases", ()))
    }
    names = {name.lower() for name in listed}
    assert names == set(known_cutoffs())
    for name in names:
        for other in (name[:-1], name + "x", name.rpartition("-")[0], name + "-2099-01-01"):
            if other and other not in names:
                with pytest.raises(UsageError):
                    read_cutoff(other)


def test_a_table_of_ones_own(built: Built, tmp_path: Path) -> None:
    table = tmp_path / "own.toml"
    table.write_text('[our-model]\ncutoff = 2021-10-01\nsource = "our training log"\naliases = ["our-model-v1"]\n')
    assert read_own_cutoffs(table) == {
        "our-model": (date(2021, 10, 1), "our training log"), "our-model-v1": (date(2021, 10, 1), "our training log")
    }  # fmt: skip
    release = wikipedia_release(built, cutoffs=table, cutoff="our-model-v1")
    manifest = release.manifest
    assert (manifest.parameters["cutoff"], manifest.parameters["cutoffs"]) == ("2021-10-01", "")
    assert manifest.checks["cutoff_source"] == "our-model-v1: our training log"
    assert str(tmp_path) not in (release.folder / "manifest.json").read_text()
    assert verify_release(release).problems == []
    same = wikipedia_release(built)
    assert same.manifest.content_hash == manifest.content_hash


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[a", "is no table of models"),
        ("a = 1", "[a] must hold cutoff, source"),
        ("[a]\ncutoff = 2021-10-01", "[a] needs a source of one line"),
        ('[a]\ncutoff = "2021-10-01"\nsource = "x"', "[a] has no date"),
        ('[a]\ncutoff = 2021-10-01T00:00:00Z\nsource = "x"', "[a] has no date"),
        ('[a]\ncutoff = 2199-10-01\nsource = "x"', "in the future"),
        ('[a]\ncutoff = 2021-10-01\nsource = "x"\ndate = 1', "[a] must hold cutoff, source"),
        ('[a]\ncutoff = 2021-10-01\nsource = "x"\naliases = "b"', "[a] has aliases that are no list of names"),
        ('[a]\ncutoff = 2021-10-01\nsource = "x"\naliases = ["A"]', "A is listed twice"),
        ('[a]\ncutoff = 2021-10-01\nsource = "https://me:secret@host.org"', "would show a password or a token"),
        ('[a]\ncutoff = 2021-10-01\nsource = "one\\ntwo"', "[a] needs a source of one line"),
    ],
)
def test_a_table_that_is_not_in_order(tmp_path: Path, text: str, problem: str) -> None:
    table = tmp_path / "own.toml"
    table.write_text(text)
    with pytest.raises(UsageError) as raised:
        read_own_cutoffs(table)
    assert problem in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_table_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        read_own_cutoffs(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="cannot be read: it is no text"):
        read_own_cutoffs(tmp_path / "latin.toml")
