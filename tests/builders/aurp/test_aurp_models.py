"""Aurp's documents by a language model: what is asked, what is refused and asked for anew, and what proves the rest."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from aurp_writers import FIRST, SETTINGS, build, model, order_of, prose, settings, written
from built import Built
from support import Run

from benchwright.benchmarks.errors import StopError, UsageError
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.money.costs import Estimated
from benchwright.benchmarks.models.settings import Endpoint, ModelSettings
from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.release import Release
from benchwright.builders.aurp.documents import gap_cells
from benchwright.builders.aurp.generate import make_world
from benchwright.scripts.build_benchmark import _show
from benchwright.scripts.servers.openai.server import OpenAIServer

DOCUMENTS = 92
"""Documents at size 10."""


@dataclass
class Made:
    """A release by the scripted model, and how it came about."""

    release: Release
    cache: Path
    server: OpenAIServer
    calls: int
    ledger: list[Mapping[str, Any]] = field(default_factory=list)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Made]:
    root = tmp_path_factory.mktemp("model")
    with OpenAIServer(model) as server:
        with Client(settings(server.url, root / "replies.sqlite")) as client:
            release = build(root / "a", client, documents="model")
            ledger = client.ledger.rows()
        yield Made(release, root / "replies.sqlite", server, server.calls, list(ledger))


@pytest.fixture(scope="module")
def by_rule(built: Built) -> Release:
    return built.release("aurp", **SETTINGS)


def rows(release: Release, config: str) -> list[dict[str, Any]]:
    return [
        row
        for split in release.manifest.splits[config]
        for batch in release.batches(config, split)
        for row in batch.to_pylist()
    ]


def corpus(release: Release) -> dict[str, dict[str, Any]]:
    return {row["_id"]: {**row, "metadata": json.loads(row["metadata"])} for row in rows(release, "corpus")}


def test_counts(made: Made) -> None:
    checks = made.release.manifest.checks
    assert checks["documents_by_model"] == 82
    assert checks["documents_by_rule"] == {"after 3 attempts": 6, "refusal": 4}
    assert checks["attempts_per_document_by_model"] == {"1": 74, "2": 8, "3": 0}
    assert checks["problems_in_attempts"] == {
        "fact not found": 6, "fact not asserted": 0, "note not found": 0, "too long or empty": 0, "known gap stated": 5,
        "known gap hinted at": 0, "contradiction": 0, "other fact": 0, "other name": 0, "other figure": 18,
        "relative time": 0, "markup, another language or words to the reader": 0,
    }  # fmt: skip
    assert checks["documents_checked"]["documents"] == DOCUMENTS
    assert made.calls == 74 + 8 * 2 + 6 * 3 + 4
    assert [(row["step"], row["role"], row["calls"], row["refused"]) for row in made.ledger] == [
        ("documents", "writer", made.calls, 4)
    ]


def test_each_document_says_who_wrote_it(made: Made) -> None:
    said = {name: row["metadata"] for name, row in corpus(made.release).items()}
    kinds = Counter((one["kind"], one["writer"], one.get("attempts"), one.get("reason")) for one in said.values())
    assert kinds == {
        ("organisation page", "model", 1, None): 1,
        ("office page", "model", 2, None): 3,
        ("department page", "model", 1, None): 9,
        ("department page", "model", 2, None): 5,
        ("employee page", "model", 1, None): 40,
        ("client page", "rule", None, "refusal"): 4,
        ("contact directory", "model", 1, None): 1,
        ("supplier page", "rule", None, "after 3 attempts"): 6,
        ("project report", "model", 1, None): 13,
        ("package register", "model", 1, None): 10,
    }


def test_the_same_questions_with_the_same_facts(made: Made, by_rule: Release) -> None:
    ours, theirs = rows(made.release, "questions"), rows(by_rule, "questions")
    assert len(ours) == len(theirs) > 300
    for one, other in zip(ours, theirs, strict=True):
        assert {**one, "documents": [], "evidence": []} == {**other, "documents": [], "evidence": []}
        assert {(e["document"], e["fact"]) for e in one["evidence"]} == {
            (e["document"], e["fact"]) for e in other["evidence"]
        }
    assert made.release.templates() == by_rule.templates()
    stated, as_by_rule = (r.manifest.checks["documents_checked"] for r in (made.release, by_rule))
    for name in ("documents", "facts stated", "known gaps", "spans that state what is superseded"):
        assert stated[name] == as_by_rule[name], name


def test_only_texts_by_the_model_are_other_texts(made: Made, by_rule: Release) -> None:
    ours, theirs = corpus(made.release), corpus(by_rule)
    assert list(ours) == list(theirs)
    for name, row in ours.items():
        assert row["title"] == theirs[name]["title"]
        assert (row["text"] == theirs[name]["text"]) == (row["metadata"]["writer"] == "rule")
        assert set(theirs[name]["metadata"]) == {"kind", "date", "entity"}


def test_every_fact_has_its_span_and_verification_proves_it(made: Made) -> None:
    texts = {name: row["text"] for name, row in corpus(made.release).items()}
    answerable = gaps = 0
    for row in rows(made.release, "questions"):
        facts = json.loads(row["metadata"])["facts"]
        if row["answerability"] == "gap":
            gaps += 1
            assert not row["evidence"]
            continue
        answerable += 1
        assert {item["fact"] for item in row["evidence"]} == set(range(len(facts)))
        spans = [texts[e["document"]][e["start"] : e["end"]] for e in row["evidence"] if e["fact"] == len(facts) - 1]
        forms = {form.casefold() for form in (*row["answers"], *row["aliases"][0])}
        assert {span.casefold() for span in spans} <= forms
    assert (answerable, gaps) == (774, 103)
    found = verify_release(made.release)
    assert found.problems == []
    assert dict(found.unchecked) == {}


def test_gaps_are_in_no_text(made: Made) -> None:
    world = make_world(10)
    told = [order_of(request.body)["must_not_say"] for request in made.server.requests]
    assert sum(bool(one) for one in told) > 20
    texts = corpus(made.release)
    for table, key, column in gap_cells(world):
        if (table, column) == ("project", "budget_usd"):
            project = world.project[int(key) - 1]
            text = texts[f"project-report-{key:04d}-1"]["text"]
            assert f"{project.budget_usd:,}" not in text
            assert f"{project.budget_usd / 1e6:g} million" not in text


def test_what_is_asked_anew(made: Made) -> None:
    second = [request.body for request in made.server.requests if len(request.body["messages"]) == FIRST + 2]
    assert len(second) == 3 + 5 + 2 * 6
    office = next(body for body in second if "one office" in order_of(body)["document"])
    order, said = order_of(office), office["messages"][FIRST + 1]["content"]
    fact = order["facts"][0]
    assert said.startswith(
        "This document cannot be used yet:\n- f1 is not stated: say in a sentence of its own that the "
    )
    assert f"the {fact['what']} of {fact['of']} is {fact['value']}, with that name and that value" in said
    assert json.loads(office["messages"][FIRST]["content"])["paragraphs"] == written(order, without=2)["paragraphs"]
    department = next(body for body in second if "one department" in order_of(body)["document"])
    gap = order_of(department)["must_not_say"][0]
    said = department["messages"][FIRST + 1]["content"]
    assert f"- it must not state the {gap['what']} of {gap['of']}, not even in passing: '{gap['value']}'" in said
    suppliers = [
        body["messages"][FIRST + 1]["content"] for body in second if "one supplier" in order_of(body)["document"]
    ]
    assert all(
        "- it holds a figure that no fact of the order gives: '4711', leave it out" in said for said in suppliers
    )
    assert sum("This is the last time that you are asked." in said for said in suppliers) == 6


def test_manifest_and_card(made: Made, by_rule: Release) -> None:
    models = made.release.manifest.models
    assert [(one["role"], one["name"], one["prompt"]) for one in models] == [
        ("writer", "scribe", "aurp_document"),
        ("writer", "scribe", "aurp_document_again"),
    ]
    card = " ".join((made.release.folder / "README.md").read_text(encoding="utf-8").replace("> ", "").split())
    assert "**Documents written by a language model.** 82 of the 92 documents were written by `scribe`" in card
    assert "because the model gave no text that could be used: 6 after 3 attempts, 4 refusal." in card
    assert "made by rule.**" not in card
    assert by_rule.manifest.models == []
    assert "**Documents made by rule.** The 92 documents" in (by_rule.folder / "README.md").read_text(encoding="utf-8")


def test_kept_replies_give_the_same_release(made: Made, tmp_path: Path) -> None:
    nobody = settings(made.server.url, made.cache, replay=True)
    before = made.server.calls
    with Client(nobody) as client:
        again = build(tmp_path, client, documents="model")
        assert client.ledger.calls == 0
        row = client.ledger.rows()[0]
        assert row["kept"] == made.calls - 4  # the four refusals are no replies that can be used
    assert made.server.calls == before
    assert again.manifest.content_hash == made.release.manifest.content_hash
    assert again.manifest.to_json() == made.release.manifest.to_json()


def test_a_version_that_is_there_is_not_paid_for_again(made: Made, tmp_path: Path) -> None:
    """Some replies could not be used and would be asked for anew: the content would be another one."""
    calls, place = made.server.calls, made.release.folder.parents[1]
    with Client(settings(made.server.url, made.cache)) as client:
        with pytest.raises(StopError) as stopped:
            build(place, client, documents="model")
        assert str(stopped.value) == (
            f"{made.release.folder} is there, and a model would be asked anew: other replies would make other content, and "
            "a version is never changed; build it as the next one with --as-version 2.0.0 (or 1.1.0 where questions were "
            "only added), or under another --name"
        )
    assert made.server.calls == calls


def test_an_estimate_builds_nothing(tmp_path: Path) -> None:
    with OpenAIServer(model) as server, Client(settings(server.url, tmp_path / "r.sqlite", estimate=True)) as client:
        with pytest.raises(Estimated):
            build(tmp_path / "out", client, documents="model")
        row = client.expected_ledger.rows()[0]
    assert server.calls == 0
    attempts = 1.3 * DOCUMENTS  # as the head of the prompt says
    assert row["calls"] == round(attempts)
    written = row["output_tokens"]
    assert isinstance(written, int) and 150 * attempts < written < 700 * attempts, "as long as the orders say"
    assert not list((tmp_path / "out").rglob("*.parquet"))


def test_a_stopped_build_goes_on_without_asking_twice(made: Made, tmp_path: Path) -> None:
    with OpenAIServer(model) as server:
        limited = Client(settings(server.url, tmp_path / "r.sqlite", max_calls=40))
        with limited as client, pytest.raises(StopError, match=r"stopped at --max-calls 40: all replies are kept"):
            build(tmp_path / "out", client, documents="model")
        assert server.calls == 40
        assert not list((tmp_path / "out").rglob("*.parquet"))
        with Client(settings(server.url, tmp_path / "r.sqlite")) as client:
            release = build(tmp_path / "out", client, documents="model")
        assert server.calls == made.calls
    assert release.manifest.content_hash == made.release.manifest.content_hash


def test_a_model_must_be_asked_for_and_named(made: Made, by_rule: Release, tmp_path: Path, run: Run) -> None:
    with pytest.raises(UsageError) as caught:
        build(tmp_path, documents="model")
    assert str(caught.value) == "documents=model needs a model that writes them: add --model writer=NAME"
    before = made.server.calls
    with Client(settings(made.server.url, tmp_path / "r.sqlite")) as client:
        assert build(tmp_path, client).manifest.content_hash == by_rule.manifest.content_hash
    assert made.server.calls == before
    result = run("build-benchmark", "aurp", "--set", "size=10", "--set", "documents=people")
    assert result.returncode == 2
    assert result.stderr.strip().endswith("documents=people is not possible: choose from rule, model")


def test_what_the_command_ends_with(made: Made, capsys: pytest.CaptureFixture[str]) -> None:
    _show(made.release, True, False)
    said = capsys.readouterr().err.splitlines()
    assert "refused documents, each time for: other figure 18, fact not found 6, known gap stated 5" in said
    assert "10 of 92 documents are by rule: the model gave no text for them that could be used" in said


def test_the_papers_world(tmp_path: Path) -> None:
    with (
        OpenAIServer(lambda body: written(order_of(body))) as server,
        Client(settings(server.url, tmp_path / "r")) as client,
    ):
        release = build(tmp_path, client, documents="model", size="paper")
    checks = release.manifest.checks
    assert (checks["documents_by_model"], checks["documents_by_rule"]) == (server.calls, {"after 3 attempts": 0})
    assert (checks["sql_queries"], checks["gap_groups"]) == (157, {"test": 13})
    assert verify_release(release).problems == []


def test_a_writer_of_ordinary_prose_is_asked_once(tmp_path: Path) -> None:
    with OpenAIServer(prose) as server, Client(settings(server.url, tmp_path / "r.sqlite")) as client:
        checks = build(tmp_path / "out", client, documents="model", groups=40).manifest.checks
    assert (server.calls, checks["documents_by_model"]) == (DOCUMENTS, DOCUMENTS)


def test_a_checker_reads_what_rules_accept(tmp_path: Path) -> None:
    """One that finds nothing in suppliers' pages, and elsewhere all that is written as the writer writes."""
    order = re.compile(r"^- (.+?) (has|had formerly), as its (.+?), (.+)\.$", re.MULTILINE)

    def both(body: Mapping[str, Any]) -> Any:
        if not body["messages"][0]["content"].startswith("You read a document"):
            return written(order_of(body))
        text = body["messages"][-1]["content"]
        if "Supplier" in text.partition("\n")[0] or "insurance cover" in text:
            return {"statements": []}
        told = order.findall(text.replace("\n  ", "\n"))
        status = {"has": "holds", "had formerly": "formerly"}
        return {
            "statements": [
                {"of": of, "what": what, "value": value, "status": status[how]} for of, how, what, value in told
            ]
        }

    roles = {"writer": Endpoint("scribe", "", rates=(1.0, 2.0)), "checker": Endpoint("reader", "", rates=(1.0, 2.0))}
    with OpenAIServer(both) as server:
        given = {role: replace(one, base_url=server.url) for role, one in roles.items()}
        with Client(ModelSettings(given, cache=tmp_path / "r.sqlite")) as client:
            release = build(tmp_path / "out", client, documents="model", groups=40)
            calls = {row["role"]: row["calls"] for row in client.ledger.rows()}
    checks = release.manifest.checks
    assert checks["documents_by_rule"] == {"after 3 attempts": 6}
    assert checks["documents_by_model"] == DOCUMENTS - 6
    assert calls == {"writer": DOCUMENTS + 6 * 2, "checker": DOCUMENTS - 6 + 6}
    assert checks["problems_in_attempts"]["checker: fact not read"] > 6 * 3
    assert [(one["role"], one["prompt"]) for one in release.manifest.models][2:] == [("checker", "aurp_document_read")]
    card = (release.folder / "README.md").read_text(encoding="utf-8")
    assert "`reader`" in card
