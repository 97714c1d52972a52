"""Questions by a model: which of its proposals are used, why the others are not, and what it is told, over real HTTP."""

from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from wiki_writers import proposed

from benchwright.benchmarks.errors import StopError
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.money.costs import Estimated
from benchwright.benchmarks.models.settings import Endpoint, ModelSettings
from benchwright.builders.wiki.pages import Article, Page
from benchwright.builders.wiki.questions.article_questions import ArticleQuestion
from benchwright.builders.wiki.text.page import read_article
from benchwright.builders.wikipedia.proposals import (
    Proposal,
    RefusedProposal,
    answer_kind,
    find_quote,
    names_subject,
    read_proposals,
    tells_apart,
)
from benchwright.builders.wikipedia.questions_by_model import ModelledQuestions, ask_by_model, count_again
from benchwright.scripts.servers.openai.server import OpenAIServer

CUTOFF = date(2021, 10, 1)
TEXT = (
    "The Quiet Tide is a film by Ada Moor. It was shot on Sula in 2020.\nIt earned $12 million in 2022. Ben Tal cut it."
)
SHOT = Proposal("On which island was The Quiet Tide shot?", "Sula", "It was shot on Sula in 2020.", "2020")
CUT = Proposal("Who cut The Quiet Tide?", "Ben Tal", "Ben Tal cut it.", "")
ON_SULA = ArticleQuestion(
    5, SHOT.question, "Sula", (), "name", 38, 66, "stand-in", "2020-01-01/2020-12-31", "sentence", "2020"
)


def article(text: str = TEXT, title: str = "The Quiet Tide", number: int = 5, **more: Any) -> Article:
    return read_article(Page(number, title, "2023-01-01T00:00:00Z", 1, "2023-01-01T00:00:00Z", "0" * 40, text, **more))


def test_what_is_used() -> None:
    earned = Proposal(
        "How much did The Quiet Tide earn?", "$12 million.", "  It earned\n$12  million in 2022. ", "2022-05"
    )
    asked, refused = read_proposals(article(), [SHOT, earned], 3, "stand-in")
    assert refused == []
    found = ArticleQuestion(
        5, "How much did The Quiet Tide earn?", "$12 million", (), "number", 67, 97, "stand-in",
        "2022-01-01/2022-12-31", "sentence", "2022-05",
    )  # fmt: skip
    assert asked == [ON_SULA, found]
    assert TEXT[38:66] == SHOT.quote


@pytest.mark.parametrize(
    ("proposal", "reason"),
    [
        (Proposal("", "Sula", "x", ""), "it is empty"),
        (Proposal("Who cut The \x1b[31mQuiet Tide?", "Ben Tal", "Ben Tal cut it.", ""), "it has signs that nobody sees"),
        (Proposal("Did Be\u200bn Ta\u00adl cut The Quiet Tide?", "Ben Tal", "Ben Tal cut it.", ""), "it has signs that nobody sees"),
        (Proposal("Did \uff22\uff45\uff4e Tal cut The Quiet Tide?", "Ben Tal", "Ben Tal cut it.", ""), "the answer is in the question"),
        (Proposal("Who cut The Quiet Tide?", "Ben Tal", "Ben Tal edited it.", ""), "the quote is not in the article"),
        (Proposal("Who cut The Quiet Tide?", "Ben Tal", "Ben Tal cut it. " * 100, ""), "the quote is too long"),
        (Proposal("Who cut The Quiet Tide?", "Cy Orr", "Ben Tal cut it.", ""), "the answer is not in the quote"),
        (Proposal("What is The Quiet Tide?", "i", "i", ""), "the quote stands there more than once"),
        (Proposal("Who cut The Quiet Tide" + "?" * 300, "Ben Tal", "Ben Tal cut it.", ""), "the question is too long"),
        (Proposal("Did Ben Tal cut The Quiet Tide?", "Ben Tal", "Ben Tal cut it.", ""), "the answer is in the question"),
        (Proposal("What is Tide like?", "Quiet", "The Quiet Tide is a film", ""), "the subject's name tells the answer"),
        (Proposal("Who cut this film?", "Ben Tal", "Ben Tal cut it.", ""), "the question does not name its subject"),
        (Proposal("On what island was The Quiet Tide shot?", "Sula", "It was shot on Sula in 2020.", ""), "it is asked already"),
        (Proposal("In what year was The Quiet Tide in production?", "2020", "shot on Sula in 2020", ""), "another question has the same evidence"),
        (Proposal("What is The Quiet Tide?", "It was shot on Sula in 2020. It earned $12 million in 2022. Ben Tal", TEXT[38:], ""), "the answer is too long"),
        (Proposal("How much did The Quiet Tide earn?", "$12 million", "It earned $12 million in 2022.", "soon"), "its date is none"),
        (Proposal("How much did The Quiet Tide earn?", "$12 million", "It earned $12 million in 2022.", "2023"), "its date is not that of the quote"),
    ],
)  # fmt: skip
def test_what_is_not_used(proposal: Proposal, reason: str) -> None:
    asked, refused = read_proposals(article(), [SHOT, proposal], 3, "stand-in")
    assert (len(asked), [one.reason for one in refused]) == (1, [reason])


def test_more_than_was_asked_for() -> None:
    asked, refused = read_proposals(article(), [SHOT, CUT], 1, "stand-in")
    assert (asked, refused) == (
        [ON_SULA],
        [RefusedProposal(5, CUT.question, "Ben Tal", "it is more than was asked for", CUT.quote, "", 1)],
    )


def test_a_name_that_is_shared() -> None:
    namesakes = ("Ada Moor", "Ada Moor (engineer)", "Ada Moor (footballer, born 1980)")
    text = "Ada Moor (born 4 May 1993) is a Norrish footballer and potter from Holm. She was born in Sula."
    moor = article(text, "Ada Moor (footballer, born 1993)", namesakes=namesakes)
    questions = {
        "Where was Ada Moor born?": False,
        "Where was the footballer Ada Moor born?": False,
        "Where was the footballer Ada Moor (born 1993) born?": True,
        "Where was the potter Ada Moor born?": True,
        "Where was Ada Moor of Holm born?": True,
    }
    assert {question: tells_apart(question, moor) for question in questions} == questions
    bare = Proposal("Where was Ada Moor born?", "Sula", "She was born in Sula.", "")
    asked, refused = read_proposals(moor, [bare], 1, "stand-in")
    assert (asked, refused[0].reason) == ([], "its name is shared, and nothing tells it apart")
    alone = article(text, "Ada Moor (footballer, born 1993)")
    assert read_proposals(alone, [bare], 1, "stand-in")[1] == []


def test_its_parts() -> None:
    assert find_quote("a “b c” d", '"b c"') == (3, 6)
    assert find_quote("a b.", "b…") == (2, 3)
    assert (find_quote("abc", ""), find_quote("abc", "…"), find_quote("a+b", "a+b")) == (None, None, (0, 3))
    assert names_subject("Where was Moor born?", "Ada Moor (director)")
    assert names_subject("静かな潮はどこで撮影されましたか", "静かな潮 (映画)")
    assert not names_subject("Where was he born?", "Ada Moor")
    assert not names_subject("Where?", "日本")
    kinds = {
        "3 May 2020": "date",
        "2020": "date",
        "12": "number",
        "$5 million": "number",
        "Sula": "name",
        "2021": "number",
    }
    assert {answer: answer_kind(answer, "In 2020 it had 2021 seats.") for answer in kinds} == kinds


@pytest.fixture
def asking(tmp_path: Path) -> Any:
    """Asks a scripted model about articles: what was found, and what it was sent."""

    def call(
        reply: Callable[[Mapping[str, Any]], Any], articles: list[Article], count: int, **options: Any
    ) -> tuple[list[ModelledQuestions], list[str]]:
        with OpenAIServer(reply) as server:
            settings = ModelSettings({"writer": Endpoint("stand-in", server.url)}, cache=tmp_path / "replies.sqlite")
            with Client(settings) as client:
                found = list(ask_by_model(client, articles, count, **options))
        assert [each.page.id for each, _ in found] == [each.page.id for each in articles]
        return [each for _, each in found], [each.body["messages"][-1]["content"] for each in server.requests]

    return call


def given(*proposals: Proposal) -> dict[str, Any]:
    return {"questions": [proposed(one.question, one.answer, one.quote, one.happened) for one in proposals]}


def is_again(body: Mapping[str, Any]) -> bool:
    said = body["messages"][-1]["content"]
    return "cannot be used" in said or "You have proposed none" in said


def test_asked_again_once_with_the_reasons(asking: Any) -> None:
    wrong = Proposal("Who cut The Quiet Tide?", "Ben {{ Tal }}", "Ben Tal edited it.", "")
    replies = {False: given(SHOT, wrong, CUT), True: given(CUT)}
    (found,), sent = asking(lambda body: replies[is_again(body)], [article()], 3, after={5: CUTOFF})
    assert [one.question for one in found.asked] == [SHOT.question, CUT.question]
    assert (found.first, found.is_asked_again) == (2, True)
    refused = RefusedProposal(5, wrong.question, wrong.answer, "the quote is not in the article", wrong.quote, "", 1)
    assert found.rejected[0] == refused
    assert [(one.reason, one.round) for one in found.rejected[1:]] == [("it is asked already", 2)]
    order = f"Title: The Quiet Tide\n{TEXT}\n\nAsk first for what happened after 1 October 2021, from sentences that say when.\n"
    assert sent == [
        order + "Write 3 questions.",
        order + "These are used already. Ask for something else, from other sentences:\n"
        "- On which island was The Quiet Tide shot?\n- Who cut The Quiet Tide?\n"
        "These cannot be used. Do better:\n- Who cut The Quiet Tide? Ben {{ Tal }}\n"
        "  Reason: the quote is not in the article\nWrite 1 question.",
    ]  # fmt: skip


def test_what_is_gained_by_asking_again_is_counted(asking: Any) -> None:
    def reply(body: Mapping[str, Any]) -> Any:
        said = body["messages"][-1]["content"]
        if "Title: Enough" in said:
            return given(Proposal("Who cut Enough?", "Ben Tal", "Ben Tal cut it.", ""))
        if "Title: Silent" in said:
            return given()
        return given(CUT) if is_again(body) else given()

    articles = [article(), article(title="Enough", number=6), article(title="Silent", number=7)]
    found, sent = asking(reply, articles, 1)
    assert [len(one.asked) for one in found] == [1, 1, 0]
    assert [[(one.reason, one.round) for one in each.rejected] for each in found] == [
        [("no question proposed", 1)],
        [],
        [("no question proposed", 1), ("no question proposed", 2)],
    ]
    assert count_again(found) == {"articles": 2, "questions gained": 1}
    assert len(sent) == 5
    asked_again = "You have proposed none so far: ask for whatever the article states plainly.\nWrite 1 question."
    assert sum(one.endswith(asked_again) for one in sent) == 2


def test_fewer_without_a_fault_are_not_asked_for_again(asking: Any) -> None:
    (found,), sent = asking(lambda body: given(SHOT), [article()], 3)
    assert (len(found.asked), found.rejected, found.is_asked_again, len(sent)) == (1, (), False, 1)
    (found,), sent = asking(lambda body: given(SHOT, CUT), [article(number=8)], 1)
    assert ([one.reason for one in found.rejected], len(sent)) == (["it is more than was asked for"], 1)


def test_what_the_prompt_says_of_names_and_language(asking: Any) -> None:
    moor = article("Ada Moor is a potter from Holm.", "Ada Moor", namesakes=("Ada Moor (engineer)", "Ada Moor (ship)"))
    _, sent = asking(lambda body: given(CUT), [moor], 1, language="de")
    assert sent[0].endswith(
        "Other pages with this name: Ada Moor (engineer); Ada Moor (ship)\n"
        "Language: write questions and answers in the language of the article, `de`.\nWrite 1 question."
    )


def test_replies_that_are_none(asking: Any) -> None:
    def reply(body: Mapping[str, Any]) -> Any:
        said = str(body["messages"])
        if "Title: Refused" in said:
            return {"refusal": "I would rather not."}
        if "Title: Later" in said:
            return {"refusal": "Not again."} if "the quote is not" in said else given(Proposal("Who?", "x", "z", ""))
        return "no JSON" if "Title: Odd" in said else {"questions": [{"question": 5}]}

    titles = ("Refused", "Odd", "Wrong", "Later")
    found, _ = asking(reply, [article(title=title, number=place) for place, title in enumerate(titles)], 2)
    assert [[(one.question, one.reason, one.round) for one in each.rejected] for each in found] == [
        [("I would rather not.", "no usable reply: refusal", 1)],
        [("no JSON", "no usable reply: invalid reply", 1)],
        [('{"questions": [{"question": 5}]}', "no usable reply: invalid reply", 1)],
        [("Who?", "the quote is not in the article", 1), ("Not again.", "no usable reply: refusal", 2)],
    ]
    assert not any(one.asked for one in found)


def test_a_hostile_model(asking: Any) -> None:
    flood = given(
        *[Proposal(f"Who cut The Quiet Tide {number}?", "{{ 7 * 7 }}", "{x}", "") for number in range(10_000)]
    )
    long = given(Proposal("Q" * 1_000_000, "{%", "a " * 500_000, "9" * 100_000), CUT)
    (found,), sent = asking(lambda body: long if is_again(body) else flood, [article()], 2)
    assert [one.question for one in found.asked] == [CUT.question]
    assert [one.reason for one in found.rejected[:51]] == ["the quote is not in the article"] * 50 + [
        "a reply of more than 50 proposals: the rest is not read"
    ]
    (last,) = found.rejected[51:]
    assert (last.reason, len(last.question), len(last.quote), len(last.happened)) == (
        "the quote is too long", 1_000, 1_000, 1_000)  # fmt: skip
    assert sent[1].count("Reason: ") == 20
    assert "{{ 7 * 7 }}" in sent[1]
    assert len(sent[1]) < 5_000


def test_what_an_estimate_says(tmp_path: Path) -> None:
    """Of an article that nothing is known of, both calls; of one whose first reply is kept, what it needs."""
    articles = [article(), article(title="Silent", number=7)]
    with OpenAIServer(lambda body: given()) as server:
        endpoints = {"writer": Endpoint("stand-in", server.url)}
        cache = tmp_path / "replies.sqlite"
        with Client(ModelSettings(endpoints, cache=cache, estimate=True)) as client:
            with pytest.raises(Estimated):
                list(ask_by_model(client, articles, 1))
            told = {step: costs.calls for (step, _), costs in client.expected_ledger.by_step.items()}
        assert (told, server.calls) == ({"questions": 2, "questions again": 2}, 0)
        with Client(ModelSettings(endpoints, cache=cache, max_calls=2)) as client, pytest.raises(StopError):
            list(ask_by_model(client, articles, 1))
        with Client(ModelSettings(endpoints, cache=cache)) as client:
            assert len(list(ask_by_model(client, articles, 1))) == 2
        assert server.calls == 4, "what came before the stop was kept, and nothing is asked for twice"
