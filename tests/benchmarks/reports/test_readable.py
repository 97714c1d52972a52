"""A reader is given the gold documents: the share is recounted by hand, each fault is found, a forged one is caught."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import lighthouses
import pytest
from built import Built, copy_release
from model_clients import KEY
from support import Run

from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.grounding.chunking import Passage
from benchwright.benchmarks.metrics.base import Score
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.money.costs import Estimated
from benchwright.benchmarks.models.settings import Endpoint, ModelSettings
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.releases.manifest import CARD, list_files, write_manifest
from benchwright.benchmarks.releases.proofs.base import Verification
from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.readable_figures import CHECK, FILE, Readable, read_readable, readable_text
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.readable.asked import Item, draw, parse_wanted
from benchwright.benchmarks.reports.readable.faults import fault_of
from benchwright.benchmarks.reports.readable.measure import measure_readable
from benchwright.benchmarks.reports.readable.prove_readable import JUDGED, PROOF, PROVED
from benchwright.benchmarks.types import Evidence, Question
from benchwright.builders.base import build_release
from benchwright.cards.dataset.card import render_card, render_for
from benchwright.scripts.servers.openai.server import OpenAIServer

PIER = "Sable Pier is open from 8 am on weekdays. Its ticket office sells 40 seats a day. Its keeper is Ada Moor."
QUESTIONS = (
    ("right", "Who is the keeper of Sable Pier?", "Ada Moor"),
    ("silent", "Who is the owner of Sable Pier?", "Ines Vale"),
    ("told", "Which pier is Sable Pier?", "Sable Pier"),
    ("twin", "How wide is it?", "8 am"),
    ("twin-too", "How wide is it?", "40 seats"),
    ("figure", "Is Sable Pier open on weekdays?", "yes"),
    ("boolean", "Does Tom Reed own Dell Mill?", "no"),
)
FAULTS = {
    "silent": ("not stated", "Ines Vale is in none of its 1 documents"),
    "told": ("question odd", "it has its own answer in it: Sable Pier"),
    "twin": ("question odd", "the same words are asked with another answer, too: 40 seats"),
    "twin-too": ("question odd", "the same words are asked with another answer, too: 8 am"),
    "figure": ("cannot be judged", "not understood"),
    "boolean": ("must be worked out", "yes or no"),
}


@pytest.fixture(scope="module")
def pier(tmp_path_factory: pytest.TempPathFactory) -> Release:
    """A benchmark of somebody's own questions, good and bad."""
    folder = tmp_path_factory.mktemp("pier")
    source = folder / "pier.jsonl"
    rows = [
        {"id": name, "question": question, "answer": answer, "title": "Sable Pier", "context": PIER}
        for name, question, answer in QUESTIONS
    ]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return build_release("tabular", {"source": str(source)}, render_card, output=folder, name="pier")[0]


def found_in(release: Release) -> Readable:
    found = read_readable(release.folder)
    assert found is not None
    return found


def verified(release: Release) -> Verification:
    return verify_release(release, more=[PROOF])


def sealed(release: Release, root: Path, change: Callable[[Readable], Readable], **counts: Any) -> Release:
    """A copy with another file, whose counts, card and hashes are made anew for it."""
    copy = copy_release(release, root)
    said = change(found_in(copy))
    (copy.folder / FILE).write_text(readable_text(said), encoding="utf-8")
    checks = {**copy.manifest.checks, CHECK: {**said.counts, **counts}}
    copy = Release(copy.folder, replace(copy.manifest, checks=checks))
    (copy.folder / CARD).write_text(render_for(copy, None), encoding="utf-8")
    write_manifest(copy.folder, replace(copy.manifest, files=list_files(copy.folder)))
    return Release.load(copy.folder)


def test_each_fault_is_found_and_told(pier: Release) -> None:
    found = found_in(pier)
    assert (found.reader.kind, found.right, found.scored, found.value) == ("rule", 1, 6, 0.1667)
    ids = {row["question"] + row["answers"][0]: name for name, *_ in QUESTIONS for row in [_row(name)]}
    assert {ids[each.question + each.answers[0]]: (each.fault, each.why) for each in found.failures} == FAULTS
    assert found.faults == {"not stated": 1, "question odd": 3, "must be worked out": 1, "cannot be judged": 1}
    assert pier.manifest.checks[CHECK] == found.counts
    card = (pier.folder / CARD).read_text(encoding="utf-8")
    assert "It answered 16.7 % right" in card
    assert "Of the 5 answers that are not right, 4 point to the benchmark" in card
    assert "tell of the reader: 1 must be worked out from what is stated, which it is hardly made for, and 0 it" in card
    assert "1 more could not be judged, and are in no share" in card
    assert "| Who is the owner of Sable Pier? | Ines Vale |" in card
    assert verified(pier).proved[PROVED] == 7


def _row(name: str) -> Mapping[str, Any]:
    return next({"question": question, "answers": [answer]} for each, question, answer in QUESTIONS if each == name)


TEXT = "Ada runs Sable Pier. Bo runs Marl Pier. In all 2 piers are run."


@pytest.mark.parametrize(
    ("kind", "answers", "spans", "fault", "why"),
    [
        ("list", ("Ada", "Bo"), (0, 21, 0), "must be worked out", "list, from 3 facts"),
        ("list", ("Ada", "Cy"), (0, 21, 0), "not stated", "Cy is in none of its 1 documents"),
        ("maximum", ("Marl Pier",), (0, 21), "must be worked out", "maximum, from 2 facts"),
        ("maximum", ("Thorn Pier",), (0, 21), "not stated", "Thorn Pier is in none of its 1 documents"),
        ("count", ("7",), (0, 21), "must be worked out", "count, from 2 facts"),
        ("count", ("2",), (40,), "reader's miss", "it took something else"),
        ("lookup", ("Bo",), (0, 21), "reader's miss", "it took something else"),
    ],
)
def test_what_must_be_worked_out_stands_apart(
    kind: str, answers: tuple[str, ...], spans: tuple[int, ...], fault: str, why: str
) -> None:
    evidence = tuple(Evidence("d", start, start + 20, fact) for fact, start in enumerate(spans))
    question = Question("q", "Who?", answers, (), "one", "answerable", kind=kind, documents=("d",), evidence=evidence)
    item = Item(question, (Passage("d", "Piers", 0, len(TEXT), TEXT),))
    assert fault_of(item, Prediction("q", "no"), Score(0.0, "", "wrong"), {}) == (fault, why)


def test_the_share_is_that_of_one_wording_a_group_or_of_all(built: Built) -> None:
    release = built.release("aurp", size="paper")
    one, every = draw(release, "40"), draw(release, "all")
    assert one is not None
    assert every is not None
    assert (one.asked.questions, one.asked.groups, one.asked.of_groups) == (40, 40, 144)
    assert (every.asked.questions, every.asked.groups) == (864, 144)
    more = draw(release, "60")
    assert more is not None
    assert {item.question.id for item in one.items} < {item.question.id for item in more.items}
    assert all(item.question.answerability == "answerable" for item in every.items)
    assert {passage.document for passage in one.items[0].passages} == set(one.items[0].question.documents)
    assert draw(release, "none") is None


def test_the_interval_counts_groups_not_wordings(tmp_path: Path) -> None:
    found = measure_readable(lighthouses.make_release(tmp_path), "all")
    assert found is not None
    assert (found.asked.questions, found.asked.groups, found.right, found.value) == (8, 4, 8, 1.0)
    one = measure_readable(lighthouses.make_release(tmp_path / "again"), "300")
    assert one is not None
    assert (one.asked.questions, one.low, one.high) == (4, found.low, found.high)
    assert found.low is not None
    assert found.low < 0.5


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", "300"),
        ("0", "none"),
        ("007", "7"),
        ("ALL", "all"),
        ("none", "none"),
        ("-1", None),
        ("1e3", None),
        ("٣", None),
    ],
)
def test_how_many_are_wanted(text: str, wanted: str | None) -> None:
    if wanted is None:
        with pytest.raises(UsageError, match=r"give a number of semantic groups, all, or none"):
            parse_wanted(text)
    else:
        assert parse_wanted(text) == wanted


def test_nothing_is_read_where_it_is_not_wanted_or_there_is_nothing(built: Built, tmp_path: Path) -> None:
    given = {"size": "paper", "readable": "none"}
    release = build_release("aurp", given, render_card, output=tmp_path)[0]
    assert (read_readable(release.folder), release.manifest.parameters["readable"]) == (None, "none")
    assert release.manifest.content_hash == built.release("aurp", size="paper").manifest.content_hash
    assert CHECK not in release.manifest.checks
    assert "No reader was given the gold documents" in (release.folder / CARD).read_text(encoding="utf-8")
    assert verified(release).problems == []


FORGED = {
    "the share": lambda said: replace(said, value=0.99),
    "right": lambda said: replace(said, right=said.scored, value=1.0, faults={}, failures=()),
    "an interval": lambda said: replace(said, low=0.01),
    "a failure left out": lambda said: replace(said, failures=said.failures[1:]),
    "a fault": lambda said: replace(said, faults={"reader's miss": sum(said.faults.values())}),
    "fewer groups": lambda said: replace(said, asked=replace(said.asked, wanted="2")),
    "nothing to ask": lambda said: replace(said, asked=replace(said.asked, wanted="none")),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_figure_is_caught(name: str, pier: Release, tmp_path: Path) -> None:
    problems = verified(sealed(pier, tmp_path, FORGED[name])).problems
    assert problems
    assert all(problem.startswith("readable: readable.json") for problem in problems), problems


def test_what_else_may_be_wrong_is_said(pier: Release, tmp_path: Path) -> None:
    told = sealed(pier, tmp_path / "counts", lambda said: said, share=0.5)
    assert verified(told).problems == [
        "readable: the manifest's checks tell of gold_documents_read share 0.5, and read again it is 0.1667"
    ]
    other = sealed(pier, tmp_path / "version", lambda said: replace(said, reader=replace(said.reader, version="9.9")))
    found = verified(other)
    assert (found.problems, found.unchecked[PROVED]) == ([], 7)
    assert found.reasons[PROVED].startswith("benchwright 9.9 read and judged them")
    gone = copy_release(pier, tmp_path / "gone")
    (gone.folder / FILE).unlink()
    assert "readable: the manifest's checks tell gold_documents_read, and there is no readable.json" in (
        verified(gone).problems
    )


def reading(server: OpenAIServer, cache: Path, **settings: Any) -> Client:
    return Client(ModelSettings({"reader": Endpoint("m", server.url, KEY)}, cache=cache, **settings))


def test_a_model_reads_and_its_answers_are_judged_again(pier: Release, tmp_path: Path) -> None:
    replies = {question: answer for _, question, answer in QUESTIONS if answer != "no"}
    with OpenAIServer(lambda body: replies.get(_asked(body), "no")) as server:
        with reading(server, tmp_path / "cache") as client:
            source = {"source": str(pier.folder.parents[1] / "pier.jsonl")}
            release = build_release("tabular", source, render_card, output=tmp_path, name="read", client=client)[0]
        assert len(server.requests) == 6, "of two questions with the same words one request is sent"
        with reading(server, tmp_path / "cache", replay=True) as client:
            assert measure_readable(release, "300", client) == found_in(release)
    found = found_in(release)
    assert (found.reader.kind, found.reader.name, found.scored) == ("model", "m", 7)
    assert release.manifest.content_hash == pier.manifest.content_hash
    proof = verified(release)
    assert (proof.problems, proof.proved[JUDGED]) == ([], 7)
    assert "that m said it" in proof.reasons["what a model answered from the gold documents"]
    forged = sealed(release, tmp_path / "forged", lambda said: replace(said, right=7, value=1.0))
    assert verified(forged).problems
    right = next(iter(found.right_answers))
    lacking = {name: said for name, said in found.right_answers.items() if name != right}
    less = sealed(release, tmp_path / "less", lambda said: replace(said, right_answers=lacking))
    assert verified(less).problems == [f"readable: readable.json: it has no answer to the question {right}"]


def test_an_estimate_asks_nothing_and_leaves_nothing(pier: Release, tmp_path: Path) -> None:
    source = {"source": str(pier.folder.parents[1] / "pier.jsonl")}
    with OpenAIServer() as server, reading(server, tmp_path / "cache", estimate=True) as client:
        with pytest.raises(Estimated):
            build_release("tabular", source, render_card, output=tmp_path / "made", name="read", client=client)
        assert "gold documents read" in "\n".join(client.estimated())
    assert server.requests == []
    assert not list((tmp_path / "made").rglob("manifest.json"))


def _asked(body: Mapping[str, Any]) -> str:
    return str(body["messages"][-1]["content"]).rpartition("Question: ")[2].strip()


def test_the_command_reads_a_release_made_elsewhere(pier: Release, run: Run) -> None:
    done = run("verify-benchmark", pier.folder, "--readable")
    assert done.returncode == 0, done
    assert "gold documents read by built-in reader, 7 of 7 groups of test: 1 of 6 are right (16.7 %" in done.stdout
    assert "not stated: 1 (" in done.stdout
    assert "Who is the owner of Sable Pier? → Ines Vale; it said:" in done.stdout
    done = run("verify-benchmark", pier.folder, "--model", "reader=m")
    assert (done.returncode, "add --readable" in done.stderr) == (2, True)
