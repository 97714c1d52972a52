"""Whole builds: of our own encyclopedia, of a user's documents by a model over HTTP, and of two runs."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from built import Built
from report_cases import make_release, make_run
from wikieval_releases import TEXT, WRITES

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.settings import Endpoint, ModelSettings
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.releases.pairs import WITHOUT_PREFERENCE, read_pairs
from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.release import Release
from benchwright.builders.base import build_release
from benchwright.builders.wikieval import PROOFS
from benchwright.builders.wikieval.making import NO_QUESTION
from benchwright.builders.wikieval.models.candidate_checks import NOT_IN_TEXT
from benchwright.builders.wikieval.sources.introductions import span_stating
from benchwright.cards.dataset.card import render_card
from benchwright.scripts.servers.openai.server import OpenAIServer

PUBLISHED = ("question", "source", "answer", "ungrounded_answer", "poor_answer", "context_v1", "context_v2")
"""The columns of the published WikiEval, the dataset card's, in its words."""


def rows(release: Release, config: str = "pairs") -> list[dict[str, Any]]:
    return [row for batch in release.batches(config, "test") for row in batch.to_pylist()]


@pytest.fixture(scope="session")
def own(built: Built) -> Release:
    """Twelve pairs of our own encyclopedia."""
    return built.release("wikieval", pages=12)


def test_a_build_needs_no_path_and_no_network(own: Release) -> None:
    assert own.manifest.rows == {"corpus": 12, "pairs": 12, "qrels": 12, "queries": 12, "questions": 12}
    assert own.manifest.texts == {"questions": {"rule": 12}, "documents": {"rule": 12}}
    assert own.manifest.checks["pairs_per_dimension"]["faithfulness"] == 12
    made = own.manifest.checks["candidates_made"]
    assert made["context_v2 by rule"] + made.get("no context_v2", 0) == 12


def test_pairs_have_the_published_columns_an_id_and_how_they_were_made(own: Release) -> None:
    pairs, questions = rows(own), rows(own, "questions")
    assert tuple(pairs[0]) == ("id", *PUBLISHED, "provenance")
    assert [pair["id"] for pair in pairs] == [question["id"] for question in questions]
    for pair, question in zip(pairs, questions, strict=True):
        made = json.loads(pair["provenance"])
        assert {each["how"] for each in made.values()} == {"rule"}
        assert [fact["value"] for fact in made["answer"]["facts"]] == question["answers"]
        places = [re.fullmatch(r"(?:from|between) (.+) (?:to|and) (.+)", value) for value in question["answers"]]
        assert question["aliases"] == [[" and ".join(each.groups())] if each else [] for each in places]
        text = pair["context_v1"][0]
        stated = [text[span["start"] : span["end"]] for span in question["evidence"]]
        assert all(value in sentence for value, sentence in zip(question["answers"], stated, strict=True))
        assert [span["fact"] for span in question["evidence"]] == list(range(question["hops"]))
        assert (question["form"], question["kind"], question["hops"]) == ("interrogative", "lookup", 2)


def test_evidence_is_the_sentence_that_is_asked_for() -> None:
    text = "The bridge opened in 2012 with 3 lanes. It has 12 spans. Its 12 wardens live there."
    asked = {
        "How many spans does it have?": "It has 12 spans.",
        "How many wardens live there?": "Its 12 wardens live there.",
    }
    for question, sentence in asked.items():
        assert text[slice(*span_stating(text, "12", question) or ())] == sentence
    assert span_stating(text, "20", "When did it open?") is None and span_stating(text, "", "When?") is None


def test_what_is_better_is_known_by_construction(own: Release) -> None:
    found = read_pairs(own)
    assert found.source == "columns"
    assert {each.choice for each in found.labelled} == {"first"}


def test_all_of_it_is_proved(own: Release) -> None:
    assert [proof.name for proof in PROOFS] == ["pairs"]
    found = verify_release(own)
    assert found.problems == []
    assert found.proved["pairs whose first context is their document"] == 12


def by_model(folder: Path, answer: str, **settings: str) -> Release:
    """A build of one document by a model that answers so."""

    def reply(body: Mapping[str, Any]) -> Any:
        said = body["messages"][0]["content"]
        (opening,) = [each for each in WRITES if said.startswith(each)]
        return {"answer": answer} if opening == "You answer a question from a text" and answer else WRITES[opening]

    documents = folder / "documents"
    documents.mkdir()
    (documents / "halden.md").write_text(f"# Halden Lights\n\n{TEXT}\n", encoding="utf-8")
    given = {"documents": str(documents), "documents_licence": "cc-by-4.0", "pages": "1", **settings}
    with OpenAIServer(reply) as server:
        models = ModelSettings({"writer": Endpoint("stand-in", server.url)}, cache=folder / "replies.sqlite")
        with Client(models) as client:
            return build_release("wikieval", given, render_card, output=folder / "releases", client=client)[0]


def test_a_model_makes_pairs_of_documents(tmp_path: Path) -> None:
    release = by_model(tmp_path, "")
    (pair,) = rows(release)
    assert (pair["source"], pair["context_v1"]) == ("halden.md", [TEXT])
    assert {each["how"] for each in json.loads(pair["provenance"]).values()} == {"model"}
    assert rows(release, "questions")[0]["answers"] == ["Mira Sand opened the first Halden Lights on 4 May 2022."]
    assert {each["role"] for each in release.manifest.models} == {"writer"}
    assert release.manifest.sources[0]["licence"] == "cc-by-4.0"
    assert verify_release(release).problems == []


def test_where_nothing_of_a_model_can_be_used_it_says_why(tmp_path: Path) -> None:
    refused = f"question: {NOT_IN_TEXT}: 2"
    said = f"no pair came of 1 passages ({NO_QUESTION}: 1; {refused}): give others, or more, or another model"
    with pytest.raises(BenchwrightError, match=f"^{re.escape(said)}$"):
        by_model(tmp_path, "Jon Berg opened it on 17 March 2021.")


def test_two_runs_become_pairs(tmp_path: Path) -> None:
    small = make_release(tmp_path / "releases/small/1.0.0")
    for name, answer in (("one", "Oslo"), ("other", "Perth")):
        make_run(small, tmp_path / "runs/small/1.0.0" / name, [Prediction("halden-0", answer)], metrics=(), name=name)
    given = {"runs": "small/one,small/other"}
    release, _ = build_release("wikieval", given, render_card, output=tmp_path / "releases", name="ours")
    assert [(pair["answer"], pair["poor_answer"]) for pair in rows(release)] == [("Oslo", "Perth")]
    assert release.manifest.checks[WITHOUT_PREFERENCE] == 1
    assert verify_release(release).problems == []


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (
            {"pages": "2001"},
            "pages=2001 is more than our own encyclopedia is made for, 2,000: give fewer, or documents, a dump or a wiki",
        ),
        ({"asked_by": "model"}, "asked_by=model needs a model: add --model writer=NAME"),
        (
            {"runs": "a,b", "asked_by": "model"},
            "pairs of two runs are what their systems said, and no model is asked: leave out asked_by",
        ),
        ({"runs": "a,b", "dump": "x"}, "the pairs come from two runs or from passages: leave out runs or dump"),
        ({"documents": "a", "site": "b"}, "passages come from documents or from a wiki: leave out documents or site"),
    ],
)
def test_what_cannot_be_meant(tmp_path: Path, settings: dict[str, str], said: str) -> None:
    with pytest.raises(UsageError, match=f"^{re.escape(said)}$"):
        build_release("wikieval", settings, render_card, output=tmp_path)


def test_nothing_is_held_out(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"^the pairs of wikieval hold every answer"):
        build_release("wikieval", {}, render_card, output=tmp_path, holdout=0.2)


def test_the_card_says_how_candidates_were_made(own: Release, tmp_path: Path) -> None:
    card = (own.folder / "README.md").read_text(encoding="utf-8")
    assert "| `ungrounded_answer` | 12 | 0 | 0 |" in card
    assert "| faithfulness | `answer` | `ungrounded_answer` | 12 |" in card
    assert "None. The pages are about things and people that a program invented" in card
    by_its_model = (by_model(tmp_path, "").folder / "README.md").read_text(encoding="utf-8")
    assert "| `context_v2` | 0 | 1 | 0 |" in by_its_model
    assert "a worse answer may say false things" in by_its_model
    assert "By rule:" in card and "A model was asked for" not in card and " of pages that link to the page" in card
    assert "By rule:" not in by_its_model and "A model was asked for" in by_its_model
    assert "sections of documents" in by_its_model and "link to the page" not in by_its_model
