"""Builds with a model: what of its proposals was refused is kept, counted and held back; stops and kills."""

import json
import re
import signal
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from built import Built, wikipedia_release
from support import Run, Start
from wiki_writers import build_with, proposed, refused, reply

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.proofs.base import Verification
from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.rebuilt import REBUILT
from benchwright.benchmarks.releases.release import Release
from benchwright.builders.rebuild import Given, rebuild
from benchwright.cards.dataset.card import render_card
from benchwright.scripts.servers.openai.server import OpenAIServer


@pytest.fixture
def dumps(built: Built) -> Path:
    """The folder of the dumps of a small encyclopedia."""
    return wikipedia_release(built, questions=2).folder.parents[2] / "wiki-dumps"


def questions(release: Release, split: str = "test") -> list[dict[str, Any]]:
    return [row for batch in release.batches("questions", split) for row in batch.to_pylist()]


def test_what_was_refused_is_kept_and_counted(tmp_path: Path, dumps: Path) -> None:
    release = build_with(tmp_path, dumps)
    lines, checks = refused(release), release.manifest.checks
    assert list(lines[0]) == ["page", "title", "question", "answer", "quote", "happened", "reason", "round"]
    spoilt = [line for line in lines if line["reason"] == "the quote is not in the article"]
    assert spoilt and all(line["quote"].endswith(" Or so.") and line["round"] == 1 for line in spoilt)
    kept = {row["question"] for row in questions(release)}
    assert kept <= {line["question"] for line in spoilt}, "each was asked for again"
    counts = Counter(line["reason"] for line in lines)
    counts.subtract(checks["questions_filtered_out"])
    assert +counts == checks["questions_rejected_by_their_own_checks"]
    again = {line["page"] for line in lines if line["round"] == 1}
    assert checks["articles_asked_about_again"] == {
        "articles": len(again), "questions gained": checks["questions_asked"]}  # fmt: skip
    assert counts["no question proposed"] == sum(not line["question"] for line in lines) > 0
    found = verify_release(release)
    assert (found.problems, found.proved["files"]) == ([], len(release.manifest.files))
    assert "proposals/refused.jsonl" in release.manifest.files
    card = (release.folder / "README.md").read_text(encoding="utf-8")
    assert "the quote is not in the article" in card
    assert "proposals/refused.jsonl" in card


def test_what_is_refused_is_no_content(tmp_path: Path, dumps: Path) -> None:
    """The same questions, at once or after some that were refused, are the same benchmark."""

    def at_once(body: Mapping[str, Any]) -> Any:
        said = body["messages"][-1]["content"]
        return reply({"messages": [{"content": said.replace("\n\nWrite", "\n\nThese cannot be used.\nWrite")}]})

    one = build_with(tmp_path / "one", dumps, recent="false")
    two = build_with(tmp_path / "two", dumps, at_once, recent="false")
    assert one.manifest.content_hash == two.manifest.content_hash
    assert len(refused(two)) < len(refused(one))


def test_nothing_of_what_was_refused_is_in_the_public_half(tmp_path: Path, dumps: Path) -> None:
    """It tells answers of held-out questions: each question was proposed before, with a spoilt quote."""
    public = build_with(tmp_path, dumps, holdout=0.5)
    private = Release.load(tmp_path / "wikipedia-private" / public.manifest.version)
    held = {row["question"]: row["answers"] for row in questions(private)}
    given_away = {line["question"]: [line["answer"]] for line in refused(private) if line["question"] in held}
    assert given_away == held, "the attack is real"
    assert refused(public) == []
    assert not (public.folder / "proposals").exists()
    assert not any(path.startswith("proposals") for path in public.manifest.files)
    assert "questions_rejected_by_their_own_checks" not in public.manifest.checks
    assert "articles_asked_about_again" not in public.manifest.checks
    for half in (public, private):
        assert verify_release(half).problems == []


def test_as_many_articles_as_wanted_have_a_question(tmp_path: Path, dumps: Path) -> None:
    """With a model too, and it is asked about no more than that takes; what it proposed of all of them is kept."""
    asked: list[str] = []

    def every_second(body: Mapping[str, Any]) -> Any:
        said = body["messages"][-1]["content"]
        asked.append(said)
        title, _, text = said.removeprefix("Title: ").partition("\n")
        number = re.search(r"[A-Z][^.\n]*? (\d+) ([a-z]+)[^.\n]*\.", text)
        if number is None or len(title) % 2:
            return {"questions": []}
        question = f"How many {number[2]} has {title}: {number[0][:60]}?".replace(number[1], "so many")
        return {"questions": [proposed(question, number[1], number[0])]}

    release = build_with(tmp_path, dumps, every_second, articles="12", random="4", questions="1", with_question="true")
    checks = release.manifest.checks
    assert checks["articles_created_after_cutoff"] == {"asked for": 12, "accepted": 12, "with a question": 12}
    assert checks["articles_random"] == {"asked for": 4, "accepted": 4, "with a question": 4}
    assert len(questions(release)) == 16
    assert len(set(asked)) == len(asked), "nothing is asked for twice, however often articles are taken"
    titles = {said.partition("\n")[0].removeprefix("Title: ") for said in asked}
    assert 30 < len(titles) < 70, "of 100 articles"
    refused_of = {line["title"] for line in refused(release)}
    there = {row["title"] for batch in release.batches("corpus", "corpus") for row in batch.to_pylist()}
    assert refused_of - there, "also of articles that are left out"
    assert checks["pages_left_out"]["without a question"] > 10
    assert verify_release(release).problems == []


def test_it_is_built_again_from_the_replies_that_are_kept(tmp_path: Path, dumps: Path) -> None:
    release = build_with(tmp_path, dumps)
    found = Verification()
    given = {"dump": str(dumps / "dump.xml"), "dump_log": str(dumps / "log.xml")}
    rebuild(release, found, Given(given, render_card, cache=tmp_path / "replies.sqlite"))
    assert (found.problems, found.unchecked) == ([], {})
    assert found.proved[REBUILT] == 1


def test_a_model_that_gives_next_to_nothing_is_not_asked_for_ever(
    tmp_path: Path, dumps: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """With `with_question`, of a wiki that never ends: about 20 articles for each that is wanted, not about all."""
    titles = set[str]()

    def reply_once(body: Mapping[str, Any]) -> Any:
        titles.add(body["messages"][-1]["content"].partition("\n")[0])
        return {"questions": []}

    with pytest.raises(BenchwrightError, match="no question is left of what the model proposed"):
        build_with(tmp_path, dumps, reply_once, articles="2", random="0", with_question="true")
    assert len(titles) == 40 < 59
    assert "only 0 of 2 articles have a question: of 40 so few get one" in caplog.text


def test_a_model_that_gives_nothing(tmp_path: Path, dumps: Path) -> None:
    with pytest.raises(BenchwrightError) as caught:
        build_with(tmp_path, dumps, lambda body: {"questions": []})
    assert str(caught.value) == (
        "no question is left of what the model proposed (no question proposed: 80): name another model, or give more "
        "articles"
    )


def command(dumps: Path, server: OpenAIServer, *more: object) -> list[object]:
    given = {"dump": dumps / "dump.xml", "dump_log": dumps / "log.xml", "cutoff": "2021-10-01", "articles": 30}
    given |= {"random": 10, "questions": 3, "classifier": "rule"}
    settings = [part for name, value in given.items() for part in ("--set", f"{name}={value}")]
    return ["wikipedia", *settings, "--model", "writer=scripted", "--base-url", server.url, *more]


def test_a_build_that_is_stopped_or_killed_goes_on(tmp_path: Path, dumps: Path, run: Run, start: Start) -> None:
    env = {"OPENAI_API_KEY": "test", "XDG_CACHE_HOME": str(tmp_path / "cache")}
    with OpenAIServer(reply, latency=0.1) as server:
        estimated = run("build-benchmark", *command(dumps, server, "--estimate"), env=env)
        assert (estimated.returncode, server.calls) == (0, 0), estimated
        lines = estimated.stdout.splitlines()
        assert [line.partition(" of ")[0] for line in lines[:2]] == [
            "about questions: 40 calls", "about questions again: 40 calls"]  # fmt: skip
        stopped = run("build-benchmark", *command(dumps, server, "--max-calls", 9), env=env)
        assert (stopped.returncode, server.calls) == (1, 9), stopped
        process = start("build-benchmark", *command(dumps, server, "--at-once", 1), env=env)
        while server.calls < 30 and process.poll() is None:
            time.sleep(0.01)
        process.kill()
        assert process.wait() == -signal.SIGKILL
        assert not (tmp_path / "releases" / "wikipedia" / "1.0.0").exists()
        done = run("build-benchmark", *command(dumps, server), env=env)
        assert done.returncode == 0, done
        sent = Counter(json.dumps(each.body["messages"]) for each in server.requests)
    assert server.calls - len(sent) in (0, 1), "one may have been on its way when it was killed"
    assert sum("cannot be used" in said or "You have proposed none" in said for said in sent) == 40
    release = Release.load(tmp_path / "releases" / "wikipedia" / "1.0.0")
    whole = build_with(tmp_path / "whole", dumps)
    assert release.manifest.content_hash == whole.manifest.content_hash
    assert refused(release) == refused(whole)
