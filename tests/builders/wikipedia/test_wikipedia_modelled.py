"""Questions by a model: which of its proposals are used, and why the others are not, over real HTTP."""

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.settings import Endpoint, ModelSettings
from benchwright.builders.wiki.pages import Article, Page
from benchwright.builders.wiki.text.page import read_article
from benchwright.builders.wikipedia.questions_by_model import (
    Proposal,
    answer_kind,
    ask_by_model,
    find_quote,
    names_subject,
    read_proposals,
)
from benchwright.builders.wikipedia.questions_by_rule import ArticleQuestion, RejectedQuestion
from benchwright.scripts.servers.openai.server import OpenAIServer

CUTOFF = date(2021, 10, 1)
TEXT = (
    "The Quiet Tide is a film by Ada Moor. It was shot on Sula in 2020.\nIt earned $12 million in 2022. Ben Tal cut it."
)


def article(text: str = TEXT, title: str = "The Quiet Tide", number: int = 5) -> Article:
    return read_article(Page(number, title, "2023-01-01T00:00:00Z", 1, "2023-01-01T00:00:00Z", "0" * 40, text))


def proposed(question: str, answer: str, quote: str, is_recent: bool = False) -> Proposal:
    return Proposal(question, answer, quote, is_recent)


SHOT = proposed("On which island was The Quiet Tide shot?", "Sula", "It was shot on Sula in 2020.")


def test_what_is_used() -> None:
    found = read_proposals(
        article(),
        [
            SHOT,
            proposed("How much did The Quiet Tide earn?", "$12 million.", "  It earned\n$12  million in 2022. ", True),
        ],
        3,
        "stand-in",
        CUTOFF,
    )
    assert found.rejected == ()
    assert found.asked == (
        ArticleQuestion(
            5,
            "On which island was The Quiet Tide shot?",
            "Sula",
            (),
            "name",
            38,
            66,
            "stand-in",
            "2020-01-01/2020-12-31",
            "sentence",
        ),
        ArticleQuestion(
            5,
            "How much did The Quiet Tide earn?",
            "$12 million",
            (),
            "number",
            67,
            97,
            "stand-in",
            "2022-01-01/2022-12-31",
            "sentence",
        ),
    )
    assert TEXT[38:66] == SHOT.quote


@pytest.mark.parametrize(
    ("proposal", "reason"),
    [
        (proposed("", "Sula", "x"), "it is empty"),
        (proposed("Who cut The Quiet Tide?", "Ben Tal", "Ben Tal edited it."), "the quote is not in the article"),
        (proposed("Who cut The Quiet Tide?", "Cy Orr", "Ben Tal cut it."), "the answer is not in the quote"),
        (proposed("Did Ben Tal cut The Quiet Tide?", "Ben Tal", "Ben Tal cut it."), "the answer is in the question"),
        (proposed("Who cut this film?", "Ben Tal", "Ben Tal cut it."), "the question does not name its subject"),
        (proposed("On what island was The Quiet Tide shot?", "Sula", "It was shot on Sula in 2020."), "it is asked already"),
        (proposed("In what year was The Quiet Tide in production?", "2020", "shot on Sula in 2020"), "another question has the same evidence"),
        (proposed("What is The Quiet Tide?", "It was shot on Sula in 2020. It earned $12 million in 2022. Ben Tal", TEXT[38:]), "the answer is too long"),
    ],
)  # fmt: skip
def test_what_is_not_used(proposal: Proposal, reason: str) -> None:
    found = read_proposals(article(), [SHOT, proposal], 3, "stand-in", CUTOFF)
    assert (len(found.asked), [one.reason for one in found.rejected]) == (1, [reason])


def test_more_than_was_asked_for() -> None:
    cut = proposed("Who cut The Quiet Tide?", "Ben Tal", "Ben Tal cut it.")
    found = read_proposals(article(), [SHOT, cut], 1, "stand-in")
    assert found.rejected == (
        RejectedQuestion(5, "Who cut The Quiet Tide?", "Ben Tal", "it is more than was asked for"),
    )
    assert found.asked[0].fact_date == "2020-01-01/2020-12-31"


def test_its_parts() -> None:
    assert find_quote("a “b c” d", '"b c"') == (3, 6)
    assert find_quote("a b.", "b…") == (2, 3)
    assert (find_quote("abc", ""), find_quote("abc", "…"), find_quote("a+b", "a+b")) == (None, None, (0, 3))
    assert names_subject("Where was Moor born?", "Ada Moor (director)")
    assert not names_subject("Where was he born?", "Ada Moor")
    assert not names_subject("Where?", "日本")
    assert [answer_kind(answer) for answer in ("3 May 2020", "2020", "12", "$5 million", "Sula")] == [
        "date", "date", "number", "number", "name"]  # fmt: skip


def test_over_http(tmp_path: Path) -> None:
    def reply(body: Mapping[str, Any]) -> Any:
        if any("Title: Odd" in message["content"] for message in body["messages"]):
            return "no"
        return {"questions": [{"question": SHOT.question, "answer": "Sula", "quote": SHOT.quote, "is_recent": True}]}

    with OpenAIServer(reply) as server:
        settings = ModelSettings({"writer": Endpoint("stand-in", server.url)}, cache=tmp_path / "replies.sqlite")
        with Client(settings) as client:
            articles = [article(), article("Odd.", "Odd", 6)]
            found = list(ask_by_model(client, articles, 2, cutoff=CUTOFF, recent=True))
            plain = list(ask_by_model(client, articles[:1], 1))
    assert [each.page.id for each, _ in found] == [5, 6]
    assert found[0][1].asked == (
        ArticleQuestion(
            5,
            "On which island was The Quiet Tide shot?",
            "Sula",
            (),
            "name",
            38,
            66,
            "stand-in",
            "2020-01-01/2020-12-31",
            "sentence",
        ),
    )
    assert found[1][1].rejected == (RejectedQuestion(6, "", "", "no usable reply: invalid reply"),)
    assert plain[0][1].asked[0].fact_date == "2020-01-01/2020-12-31"
    shown = {each.body["messages"][-1]["content"] for each in server.requests if each.body["temperature"] == 1.0}
    assert (
        f"Title: The Quiet Tide\n{TEXT}\n\nDate: 1 October 2021\nAt least one question must be about something that "
        "happened after this date.\nWrite 2 questions."
    ) in shown
    assert f"Title: The Quiet Tide\n{TEXT}\n\nWrite 1 question." in shown
