"""The builder `wikipedia` from end to end: a real MediaWiki, a release, and the same release again."""

import json
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from support import Run, Start, in_full
from wikis import CONTACT, Running, running

from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.release import Release
from benchwright.builders.wiki.own.encyclopedia import encyclopedia
from benchwright.builders.wiki.own.export import read_articles, write_dumps
from benchwright.scripts.servers.mediawiki.front import Fault
from benchwright.scripts.servers.openai.server import OpenAIServer

SMALL = ("--set", "articles=40", "--set", "random=20", "--set", "haystack=20", "--set", "questions=3")


@pytest.fixture(scope="module")
def wiki(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("wikis") / "wiki", "encyclopedia-100", encyclopedia(100)) as found:
        yield found


@pytest.fixture
def build(run: Run, tmp_path: Path, wiki: Running) -> Any:
    """Builds from the wiki with a cache of the test's own."""
    environment = {"XDG_CACHE_HOME": str(tmp_path / "cache")}

    def call(*arguments: object) -> subprocess.CompletedProcess[str]:
        at = ("--set", f"site={wiki.front.url}", "--set", f"contact={CONTACT}", "--set", "requests_per_minute=100000")
        return run("build-benchmark", "wikipedia", *at, *arguments, env=environment)

    return call


def rows(folder: Path, config: str) -> list[dict[str, Any]]:
    return [row for path in sorted((folder / config).glob("*.parquet")) for row in pq.read_table(path).to_pylist()]


def test_a_release_and_the_same_again(build: Any, tmp_path: Path, wiki: Running, run: Run) -> None:
    built = build("--set", "cutoff=2021-10-01", *SMALL)
    assert (built.returncode, built.stdout) == (0, "releases/wikipedia/1.0.0\n"), built
    folder = tmp_path / "releases/wikipedia/1.0.0"
    release = Release.load(folder)
    checks = release.manifest.checks
    documents = {row["_id"]: row for row in rows(folder, "corpus")}
    assert len(documents) == 80
    parts = Counter(json.loads(row["metadata"])["harvested"] for row in documents.values())
    assert parts == {"created_after_cutoff": 40, "random": 20, "haystack": 20}
    for row in documents.values():
        found = json.loads(row["metadata"])
        assert (len(found["sha1"]), found["licence"]) == (40, "Creative Commons Attribution 4.0")
        assert found["authors"].endswith(f"?curid={found['id']}&action=history")
        if found["harvested"] == "created_after_cutoff":
            assert found["created"] >= "2021-10-01"
    questions = rows(folder, "questions")
    assert len(questions) == sum(checks["questions_per_subset"].values()) > 20
    assert {row["subset"] for row in questions} == {"random", "created_after_cutoff", "post_cutoff"}
    for row in questions:
        (span,) = row["evidence"]
        assert row["answers"][0] in documents[span["document"]]["text"][span["start"] : span["end"]]
        of_article = json.loads(documents[span["document"]]["metadata"])["subset"]
        is_after = row["fact_date"] is not None and row["fact_date"] >= "2021-10-01"
        assert row["subset"] == (of_article if of_article != "post_cutoff" or is_after else "created_after_cutoff")
    assert verify_release(release).problems == []
    assert CONTACT not in "".join(path.read_text() for path in (folder / "README.md", folder / "manifest.json"))
    asked = len(wiki.front.asked)
    again = build("--set", "pinned=wikipedia", "--name", "again")
    assert again.returncode == 0, again
    pinned = Release.load(tmp_path / "releases/again/1.0.0")
    assert pinned.manifest.content_hash == release.manifest.content_hash
    assert (pinned.manifest.parameters["cutoff"], pinned.manifest.parameters["questions"]) == ("2021-10-01", 3)
    proved = verify_release(pinned)
    assert (proved.problems, proved.proved["questions that the seed draws"]) == ([], len(questions))
    assert wiki.front.counts(asked) == {"about": 1, "pinned": 2}
    asked = len(wiki.front.asked)
    same = build("--set", "cutoff=2021-10-01", *SMALL)
    assert "unchanged, was there already" in same.stderr
    assert len(wiki.front.asked) == asked, "everything was kept"
    scored = run("score-system", "wikipedia", "bm25", "--metric", "correct", "--metric", "truthfulness", "-q")
    assert scored.returncode == 0, scored


def test_other_releases_are_found_where_releases_are_written(build: Any, tmp_path: Path) -> None:
    """The next version has newer pages only, and an older one is fetched again, in a folder that is not `releases`."""
    here = ("--set", "cutoff=2021-10-01", "--set", "articles=400", "--set", "random=0", "--output", "elsewhere")
    first = build(*here, "--set", "until=2022-07-01")
    assert first.returncode == 0, first
    second = build(*here, "--set", "newer_than=wikipedia", "--as-version", "2.0.0")
    assert second.returncode == 0, second
    folders = [tmp_path / "elsewhere/wikipedia" / version for version in ("1.0.0", "2.0.0")]
    times = [[json.loads(row["metadata"])["created"] for row in rows(folder, "corpus")] for folder in folders]
    assert max(times[0]) < "2022-07-01" and max(times[0])[:10] < min(times[1])[:10]
    again = build("--set", "pinned=elsewhere/wikipedia/1.0.0", "--name", "again", "--output", "elsewhere")
    newest = build("--set", "pinned=wikipedia", "--name", "newest", "--output", "elsewhere")
    assert (again.returncode, newest.returncode) == (0, 0), (again, newest)
    hashes = [
        Release.load(folder).manifest.content_hash
        for folder in (*folders, tmp_path / "elsewhere/again/1.0.0", tmp_path / "elsewhere/newest/1.0.0")
    ]
    assert hashes[2:] == hashes[:2]
    assert not (tmp_path / "releases").exists()
    missing = build("--set", "pinned=wikipedia")
    assert (missing.returncode, "there is no release 'wikipedia' in releases" in missing.stderr) == (1, True), missing


def test_stopped_and_gone_on_with(build: Any, start: Start, tmp_path: Path, wiki: Running) -> None:
    wiki.front.spoil = lambda asked: None
    slow: list[int] = []

    def wait(asked: Any) -> None:
        slow.append(1)
        time.sleep(0.15)

    wiki.front.before = wait
    before = len(wiki.front.asked)
    settings = ["cutoff=2021-10-01", f"site={wiki.front.url}", f"contact={CONTACT}", "requests_per_minute=100000"]
    settings += ["articles=40", "random=20", "haystack=20", "at_once=1"]
    arguments = [part for each in settings for part in ("--set", each)]
    process = start("build-benchmark", "wikipedia", *arguments, env={"XDG_CACHE_HOME": str(tmp_path / "cache")})
    while len(slow) < 12 and process.poll() is None:
        time.sleep(0.02)
    process.kill()
    assert process.wait() == -signal.SIGKILL
    wiki.front.before = lambda asked: None
    assert not (tmp_path / "releases/wikipedia/1.0.0").exists()
    time.sleep(0.5)
    first = [asked.query for asked in wiki.front.asked[before:]]
    middle = len(wiki.front.asked)
    done = build("--set", "cutoff=2021-10-01", *SMALL[:6], "--set", "at_once=1")
    assert done.returncode == 0, done
    second = [asked.query for asked in wiki.front.asked[middle:]]
    repeated = [query for query in second if query in first]
    assert len(repeated) <= 1, "what was on its way when it was killed may be asked again, nothing else"


def test_articles_with_a_question(build: Any, run: Run, tmp_path: Path, wiki: Running) -> None:
    """So many articles have a question as were wanted; the same pages are built again, from the wiki and from a dump."""
    wanted = ("--set", "cutoff=2021-10-01", "--set", "articles=15", "--set", "random=6", "--set", "with_question=true")
    built = build(*wanted, "--set", "haystack=5")
    assert built.returncode == 0, built
    manifest = Release.load(tmp_path / "releases/wikipedia/1.0.0").manifest
    for name, count in {"articles_created_after_cutoff": 15, "articles_random": 6}.items():
        assert manifest.checks[name] == {"asked for": count, "accepted": count, "with a question": count}
    assert (manifest.rows["corpus"], manifest.rows["questions"]) == (26, 21)
    assert manifest.checks["pages_left_out"]["without a question"] > 0
    assert verify_release(Release.load(tmp_path / "releases/wikipedia/1.0.0")).problems == []
    again = build("--set", "pinned=wikipedia", "--name", "again")
    assert again.returncode == 0, again
    assert Release.load(tmp_path / "releases/again/1.0.0").manifest.content_hash == manifest.content_hash
    asked = len(wiki.front.asked)
    own_cache = {"XDG_CACHE_HOME": str(tmp_path / "another cache")}
    proved = run("verify-benchmark", "wikipedia", "--rebuild", "--set", f"contact={CONTACT}", env=own_cache)
    assert (proved.returncode, "proved: 1 content hash, built again\n" in proved.stdout) == (0, True), proved
    assert wiki.front.counts(asked) == {"about": 1, "pinned": 1}, "the very revisions, not another harvest"
    write_dumps(encyclopedia(100), tmp_path)
    dump = ("--set", "dump=dump.xml", "--set", "dump_log=log.xml", "--name", "dumped")
    dumped = run("build-benchmark", "wikipedia", *wanted, *dump)
    assert dumped.returncode == 0, dumped
    assert Release.load(tmp_path / "releases/dumped/1.0.0").manifest.checks["articles_random"]["with a question"] == 6
    all_of_them = run(
        "build-benchmark", "wikipedia", *wanted, *dump[:-1], "all", "--set", "articles=300", "--set", "random=0"
    )
    assert all_of_them.returncode == 0, all_of_them
    there = Release.load(tmp_path / "releases/all/1.0.0").manifest.checks["articles_created_after_cutoff"]
    assert 15 < there["accepted"] == there["with a question"] < 300
    assert (
        f"only {there['accepted']} of 300 articles have a question: there are no more to ask about"
        in all_of_them.stderr
    )


def test_a_wiki_that_refuses_its_titles_is_built_from(build: Any, tmp_path: Path, wiki: Running) -> None:
    wiki.front.spoil = lambda asked: Fault("status", 403) if asked.query.get("list") == "allpages" else None
    try:
        built = build("--set", "cutoff=2021-10-01", *SMALL)
    finally:
        wiki.front.spoil = lambda asked: None
    assert built.returncode == 0, built
    assert "names are not looked for, as the wiki refuses it: " in built.stderr
    release = Release.load(tmp_path / "releases/wikipedia/1.0.0")
    names = release.manifest.checks["names_looked_for"]
    assert names["pages"] == 60 and 40 < names["not_looked_for"] <= 60 - names["shared"]
    card = (release.folder / "README.md").read_text(encoding="utf-8")
    assert f"For {names['not_looked_for']} the wiki did not let us look." in " ".join(card.split())
    assert verify_release(release).problems == []


def test_a_model_classifies_and_asks(build: Any, tmp_path: Path) -> None:
    def reply(body: Any) -> Any:
        said = body["messages"][-1]["content"]
        if "is_mostly_after_cutoff" in json.dumps(body):
            return {"reason": "It says so.", "is_mostly_after_cutoff": "202" in said}
        return {"questions": []}

    with OpenAIServer(reply) as server:
        models = ("--model", "writer=scripted", "--base-url", server.url)
        few = ("--set", "cutoff=2021-10-01", "--set", "articles=10", "--set", "random=5")
        estimated = build(*few, *models, "--estimate")
        assert (estimated.returncode, server.calls) == (0, 0), estimated
        told = [line.partition(" of scripted")[0] for line in estimated.stdout.splitlines()[:3]]
        assert told == ["about classifier: 10 calls", "about questions: 15 calls", "about questions again: 15 calls"]
        built = build(*few, *models, "--set", "asked_by=rule")
        assert (built.returncode, server.calls) == (0, 10), built
    checks = Release.load(tmp_path / "releases/wikipedia/1.0.0").manifest.checks
    assert checks["classified_by"] == "scripted"
    agreement = checks["agreement_of_dates_with_model"]
    assert sum(agreement[name] for name in ("both_yes", "both_no", "only_first", "only_second")) == 10


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ((), 2, "wikipedia needs cutoff: add --set cutoff=2021-10-01, or the name of a model"),
        (
            ("--set", "cutoff=2999-01-01"),
            2,
            "cutoff=2999-01-01 is in the future: nothing was written then; give a past date",
        ),
        (
            ("--set", "cutoff=gpt-4-0631"),
            2,
            "cutoff=gpt-4-0631 is neither a date, such as 2021-10-01, nor one of the models that are known by their exact "
            "names, such as gpt-4-0613, gpt-4-0125-preview, gpt-4-0314, gpt-4-1106-preview, gpt-4-1106-vision-preview, "
            "gpt-4-32k-0314: give the date, or a table of your own with --set cutoffs=FILE",
        ),
        (
            ("--set", "cutoff=2021-10-01", "--set", "until=2021-09-01"),
            2,
            "until=2021-09-01 is not after the cutoff 2021-10-01: give a later date",
        ),
        (
            ("--set", "cutoff=2021-10-01", "--set", "contact="),
            2,
            "wikipedia needs contact: add --set contact=YOUR-ADDRESS; whoever runs the wiki writes there if need be",
        ),
        (
            ("--set", "cutoff=2021-10-01", "--set", "drop_known=true", *SMALL),
            2,
            "drop_known=true needs a model to ask closed book: add --model system=NAME",
        ),
        (
            ("--set", "cutoff=2021-10-01", "--set", "asked_by=model"),
            2,
            "asked_by=model needs a model: add --model writer=NAME",
        ),
        (("--set", "pinned=nothing"), 1, "there is no release 'nothing' in releases: build it with build-benchmark"),
        (
            ("--set", "cutoff=2021-10-01", "--set", "dump_log=x.xml"),
            2,
            "dump_log goes with a dump of the articles: add --set dump=FILE",
        ),
    ],
)
def test_bad_input_is_one_line(build: Any, arguments: tuple[str, ...], code: int, message: str) -> None:
    result = build(*arguments)
    assert (result.returncode, result.stderr) == (code, f"error: {message}\n")


@pytest.mark.parametrize("part", [4, *in_full(1)])
def test_the_real_articles_of_the_shared_data(run: Run, tmp_path: Path, shared: Path, part: int) -> None:
    """Real articles with their real times of creation, imported into a MediaWiki and built from end to end.

    There are 818; each fourth, or each.
    """
    pages = read_articles(shared / "wikipedia_created_after_2021-10.jsonl")[::part]
    with running(tmp_path / "wiki", f"real-{part}", pages) as wiki:
        built = run(
            "build-benchmark", "wikipedia", "--set", "cutoff=2021-10-01", "--set", f"site={wiki.front.url}",
            "--set", f"contact={CONTACT}", "--set", "requests_per_minute=100000", "--set", f"articles={len(pages)}",
            "--set", "random=0", "--set", "shortest=0",
            env={"XDG_CACHE_HOME": str(tmp_path / "cache")},
        )  # fmt: skip
        asked = wiki.front.counts()
    assert built.returncode == 0, built
    checks = Release.load(tmp_path / "releases/wikipedia/1.0.0").manifest.checks
    accepted = sum(checks["articles_per_subset"].values())
    assert accepted > 0.86 * len(pages)
    assert verify_release(Release.load(tmp_path / "releases/wikipedia/1.0.0")).problems == []
    labels = [json.loads(line) for line in (shared / "wikipedia_created_after_2021-10.jsonl").read_text().splitlines()]
    said = {
        row["title"]: json.loads(row["metadata"])["subset"]
        for row in rows(tmp_path / "releases/wikipedia/1.0.0", "corpus")
    }
    both = [
        (said[each["title"]] == "post_cutoff", bool(each["post_cutoff"])) for each in labels if each["title"] in said
    ]
    assert sum(one == other for one, other in both) / len(both) > 0.9, "the dates agree with the labels of a model"
    once = asked["first"] + asked["about"] + asked["log"] + asked["revisions"]
    assert sum(asked.values()) - once <= 40 * accepted / 1000


def test_from_the_dumps_of_a_wiki(run: Run, tmp_path: Path) -> None:
    write_dumps(encyclopedia(100), tmp_path)
    built = run(
        "build-benchmark", "wikipedia", "--set", "cutoff=2021-10-01", "--set", "dump=dump.xml", "--set",
        "dump_log=log.xml", *SMALL,
    )  # fmt: skip
    assert built.returncode == 0, built
    manifest = Release.load(tmp_path / "releases/wikipedia/1.0.0").manifest
    assert manifest.rows["corpus"] == 80 and manifest.rows["questions"] > 20
    assert [source["uri"] for source in manifest.sources] == ["dump:dump.xml", "dump:log.xml"]
    assert all(len(source["sha256"]) == 64 for source in manifest.sources)
    checks = manifest.checks
    assert checks["articles_created_after_cutoff"]["asked for"] == 40
    assert sum(checks["facts_of_articles_created_after_cutoff"].values()) == sum(
        checks["questions_per_subset"][name] for name in ("post_cutoff", "created_after_cutoff")
    )
    cut = (tmp_path / "dump.xml").read_bytes()[:20_000]
    (tmp_path / "cut.xml").write_bytes(cut)
    broken = run("build-benchmark", "wikipedia", "--set", "cutoff=2021-10-01", "--set", "dump=cut.xml", "--name", "cut")
    assert broken.returncode == 1
    hint, error = broken.stderr.splitlines()
    assert hint == (
        "of 600 articles some 222 may get a question (rules ask only what is plainly stated): for 600 with one add "
        "--set with_question=true"
    )
    assert error.startswith("error: cut.xml is cut off")
