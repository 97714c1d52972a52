"""Builds from wikis in other languages: a real MediaWiki in German, dumps in German and in a language that no rule knows."""

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from support import Run
from wiki_writers import reply
from wikis import CONTACT, Running, running

from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.release import Release
from benchwright.builders.wiki.dumps.harvest import describe_dump
from benchwright.builders.wiki.own.encyclopedia import encyclopedia
from benchwright.builders.wiki.own.export import write_dumps
from benchwright.scripts.servers.openai.server import OpenAIServer

GERMAN = re.compile(r"(?:Wann|Wo|Wer|Von wem|Nach wem|Wie viele|Wie hoch|Wie lang|In welche[mr]|Aus welchem) .*\?")
ASKED = ("--set", "cutoff=2021-10-01", "--set", "articles=30", "--set", "random=10", "--set", "questions=2")


@pytest.fixture(scope="module")
def wiki(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    pages = encyclopedia(60, "de")
    with running(tmp_path_factory.mktemp("wikis") / "wiki", "encyclopedia-de-60", pages, "de") as found:
        yield found


@pytest.fixture
def build(run: Run, tmp_path: Path) -> Any:
    environment = {"XDG_CACHE_HOME": str(tmp_path / "cache")}

    def call(*arguments: object) -> subprocess.CompletedProcess[str]:
        at = ("--set", f"contact={CONTACT}", "--set", "requests_per_minute=100000")
        return run("build-benchmark", "wikipedia", *at, *arguments, env=environment)

    return call


def questions(folder: Path) -> list[dict[str, Any]]:
    return [row for path in sorted((folder / "questions").glob("*.parquet")) for row in pq.read_table(path).to_pylist()]


def check_german(folder: Path, least: int) -> Release:
    """A release of the German encyclopedia: what it asks, and what it and its card say of its language."""
    release, rows = Release.load(folder), questions(folder)
    assert len(rows) >= least
    assert [row["question"] for row in rows if not GERMAN.fullmatch(row["question"])] == []
    texts = {
        row["_id"]: row["text"] for path in (folder / "corpus").glob("*") for row in pq.read_table(path).to_pylist()
    }
    assert not any("Weblinks" in text or "Einzelnachweise" in text or "Kategorie:" in text for text in texts.values())
    assert {row["subset"] for row in rows} == {"post_cutoff", "created_after_cutoff", "random"}
    assert all(row["fact_date"] >= "2021-10-01" for row in rows if row["subset"] == "post_cutoff")
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert "\nlanguage:\n- de\n" in card
    assert "Its language is `de`" in card
    assert "the built-in reader does not try the questions: it reads English" in card
    assert release.manifest.parameters["language"] == "de"
    assert release.manifest.checks["answerable_from_the_article"] == {
        "by": "nobody",
        "right": 0,
        "of": 0,
        "share": None,
    }
    proved = verify_release(release)
    assert proved.problems == []
    assert proved.proved["questions that follow from their articles"] == len(rows)
    assert proved.proved["questions that the seed draws"] == len(rows)
    assert proved.proved["subsets of articles by the dates in them"] == 30
    return release


def test_a_wiki_in_german(build: Any, run: Run, tmp_path: Path, wiki: Running) -> None:
    first = len(wiki.front.asked)
    built = build("--set", f"site={wiki.front.url}", *ASKED)
    assert built.returncode == 0, built
    assert wiki.front.counts(first)["about"] == 1, "what the wiki is was asked once"
    folder = tmp_path / "releases/wikipedia/1.0.0"
    manifest = check_german(folder, 30).manifest
    assert manifest.parameters["site"] == wiki.front.url
    (source,) = manifest.sources
    assert (source["uri"], source["language"]) == (wiki.front.url, "de")
    assert source["licence"] == "Creative Commons Attribution 4.0"
    assert f"source: `{wiki.front.url}`" in (folder / "README.md").read_text(encoding="utf-8")
    again = build("--set", "pinned=wikipedia", "--name", "again")
    assert again.returncode == 0, again
    pinned = Release.load(tmp_path / "releases/again/1.0.0").manifest
    assert pinned.content_hash == manifest.content_hash
    assert pinned.parameters["site"] == wiki.front.url
    contact = ("--set", f"contact={CONTACT}", "--set", "requests_per_minute=100000")
    rebuilt = run(
        "verify-benchmark", "wikipedia", "--rebuild", *contact, env={"XDG_CACHE_HOME": str(tmp_path / "cache")}
    )
    assert (rebuilt.returncode, "1 content hash, built again" in rebuilt.stdout) == (0, True), rebuilt
    scored = run("score-system", "wikipedia", "bm25", "--limit", "5", "--metric", "correct")
    assert scored.returncode == 0, scored
    said = "Its language is de, and the rules of `correct` read English, as does the built-in reader that answered"
    assert said in " ".join(scored.stderr.split())


def test_another_language_than_was_asked_for(build: Any, tmp_path: Path, wiki: Running) -> None:
    first = len(wiki.front.asked)
    refused = build("--set", f"site={wiki.front.url}", "--set", "language=en", *ASKED)
    assert refused.returncode == 1
    assert f"{wiki.front.url} is written in 'de', not 'en'" in refused.stderr
    assert wiki.front.counts(first) == {"about": 1}, "nothing was fetched"
    assert not (tmp_path / "releases/wikipedia/1.0.0").exists()


@pytest.mark.parametrize(
    "site",
    [
        "http://me:canary-secret@127.0.0.1:9/w/",
        "me:canary-secret@wiki.test",
        "/home/canary-secret/wiki",
        "C:\\canary-secret",
    ],
)
def test_no_password_and_no_path_is_taken(build: Any, tmp_path: Path, site: str) -> None:
    refused = build("--set", f"site={site}", *ASKED)
    assert refused.returncode != 0
    assert "Traceback" not in refused.stderr
    if "@" in site:
        assert "canary-secret" not in refused.stderr + refused.stdout
    assert not (tmp_path / "releases/wikipedia/1.0.0").exists()


def test_a_dump_in_german(build: Any, run: Run, tmp_path: Path) -> None:
    write_dumps(encyclopedia(60, "de"), tmp_path, "de")
    built = build("--set", "dump=dump.xml", "--set", "dump_log=log.xml", *ASKED)
    assert built.returncode == 0, built
    manifest = check_german(tmp_path / "releases/wikipedia/1.0.0", 30).manifest
    assert manifest.parameters["site"] == "", "this dump does not say whose it is"
    assert [source["uri"] for source in manifest.sources] == ["dump:dump.xml", "dump:log.xml"]
    refused = build("--set", "dump=dump.xml", "--set", "dump_log=log.xml", "--set", "language=fr", *ASKED)
    assert (refused.returncode, "Fictopedia is written in 'de', not 'fr'" in refused.stderr) == (1, True), refused


def test_a_language_that_no_rule_knows(build: Any, tmp_path: Path) -> None:
    """It is said before the harvest; a model classifies and asks."""
    write_dumps(encyclopedia(60), tmp_path, "it")
    of_dump = ("--set", "dump=dump.xml", "--set", "dump_log=log.xml", *ASKED)
    refused = build(*of_dump)
    (line,) = refused.stderr.splitlines()
    assert refused.returncode == 2
    assert line == (
        "error: the wiki is written in 'it', and rules know de, en, es, fr, ja: they can neither ask questions nor tell by "
        "dates what is new; a model can: add --model writer=NAME"
    )

    def answers(body: Any) -> Any:
        if "is_mostly_after_cutoff" in json.dumps(body):
            return {"reason": "It says so.", "is_mostly_after_cutoff": True}
        return reply(body)

    with OpenAIServer(answers) as server:
        model = ("--model", "writer=scripted", "--base-url", f"writer={server.url}")
        mixed = build(*of_dump, *model, "--set", "classifier=rule")
        assert (mixed.returncode, "leave out classifier=rule" in mixed.stderr) == (2, True), mixed
        built = build(*of_dump, *model)
    assert built.returncode == 0, built
    assert "the wiki is written in 'it'; not done for it: sections of references and links stay" in built.stderr
    release = Release.load(tmp_path / "releases/wikipedia/1.0.0")
    assert release.manifest.parameters["language"] == "it"
    assert len(release.manifest.checks["not_done_for_the_language"]) == 3
    card = (release.folder / "README.md").read_text(encoding="utf-8")
    assert "\nlanguage:\n- it\n" in card
    assert "dates in the texts are not read, but for years and dates in figures" in card
    assert verify_release(release).problems == []


def test_a_dump_tells_no_path_and_no_password(tmp_path: Path) -> None:
    dump, _ = write_dumps(encyclopedia(5), tmp_path)
    text = dump.read_text(encoding="utf-8")
    told = {
        "file:///home/canary/wiki/Main": ("", ""),
        "/home/canary/wiki": ("", ""),
        "https://me:canary@wiki.test/w/index.php/Main": ("https://wiki.test", "https://wiki.test/w/"),
        "https://wiki.test/wiki/Main": ("https://wiki.test", "https://wiki.test/w/"),
    }
    for base, (server, address) in told.items():
        dump.write_text(text.replace("</sitename>", f"</sitename><base>{base}</base>", 1), encoding="utf-8")
        site = describe_dump(dump)
        assert (site["server"], site["address"]) == (server, address), base
        assert "canary" not in json.dumps(site)
