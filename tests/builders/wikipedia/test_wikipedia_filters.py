"""Which questions stay: what gives itself away, repeats, cannot be answered or is known is left out and counted."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.settings import Endpoint, ModelSettings
from benchwright.builders.wiki.pages import Article, Page
from benchwright.builders.wiki.questions.article_questions import ArticleQuestion
from benchwright.builders.wiki.text.page import read_article
from benchwright.builders.wikipedia.filters import Filtered, filter_questions, is_repeat
from benchwright.scripts.servers.openai.server import OpenAIServer

TEXT = "Vik Mill is a mill. It was founded in 1903 by Ada Moor. Its owner is Ben Tal. It was closed in 1950."


def article(number: int, text: str = TEXT, title: str = "Vik Mill") -> Article:
    return read_article(Page(number, title, "2023-01-01T00:00:00Z", 1, "2023-01-01T00:00:00Z", "0" * 40, text))


ARTICLES: Mapping[int, Article] = {
    1: article(1),
    2: article(2, "Holm Mill is a mill. It was closed in 1950.", "Holm Mill"),
}


def asked(question: str, answer: str, holding: str, page: int = 1) -> ArticleQuestion:
    start = ARTICLES[page].text.index(holding)
    return ArticleQuestion(page, question, answer, (), "name", start, start + len(holding), "rule")


FOUNDED = asked("When was Vik Mill founded?", "1903", "It was founded in 1903")
OWNER = asked("Who is the owner of Vik Mill?", "Ben Tal", "Its owner is Ben Tal.")


def reasons(found: Filtered) -> list[tuple[str, str]]:
    return [(one.question, one.reason) for one in found.rejected]


def test_without_a_model() -> None:
    questions = [
        FOUNDED,
        asked("Is Ben Tal the owner of Vik Mill?", "Ben Tal", "Its owner is Ben Tal."),
        OWNER,
        asked("When was Vik Mill founded", "1903", "It was founded in 1903"),
        asked("Who founded Vik Mill?", "Ada Moor", "founded in 1903 by Ada Moor"),
        asked("Who wrecked the roof of Vik Mill?", "1950", "It was closed in 1950."),
    ]
    found = filter_questions(ARTICLES, questions)
    assert found.kept == (FOUNDED, OWNER)
    assert reasons(found) == [
        ("Is Ben Tal the owner of Vik Mill?", "the answer is in the question"),
        ("When was Vik Mill founded", "it repeats another question"),
        ("Who founded Vik Mill?", "another question has the same evidence"),
        ("Who wrecked the roof of Vik Mill?", "the built-in reader does not find the answer in its passage"),
    ]
    assert found.checks() == {
        "questions_kept": 2,
        "questions_filtered_out": {
            "another question has the same evidence": 1,
            "it repeats another question": 1,
            "the answer is in the question": 1,
            "the built-in reader does not find the answer in its passage": 1,
        },
        "answerable_from_the_article": {"by": "built-in reader", "right": 2, "of": 3, "share": 0.6667},
    }
    assert filter_questions(ARTICLES, []).checks()["answerable_from_the_article"]["share"] is None


def test_the_built_in_reader_does_not_judge_a_model() -> None:
    question = replace(asked("Who wrecked the roof of Vik Mill?", "1950", "It was closed in 1950."), by="a-model")
    found = filter_questions(ARTICLES, [question])
    assert (found.kept, found.tried, found.checks()["answerable_from_the_article"]["share"]) == ((question,), 0, None)


def test_repeats() -> None:
    assert is_repeat("On which island is Vik Mill?", "Sula", "On what island is Vik Mill?", "Sula", "Vik Mill")
    assert not is_repeat("When was Vik Mill founded?", "1903", "When was Vik Mill closed?", "1950", "Vik Mill")
    both = [
        asked("When was Vik Mill closed?", "1950", "It was closed in 1950."),
        asked("When was Holm Mill closed?", "1950", "It was closed in 1950.", 2),
    ]
    assert filter_questions(ARTICLES, both).kept == tuple(both)


def test_with_a_model(tmp_path: Path) -> None:
    def reply(body: Mapping[str, Any]) -> Any:
        text = body["messages"][-1]["content"]
        if text.startswith("[1] Vik Mill\n"):
            return {"founded": "1903", "owner": "Ben Tal"}.get(
                text.rpartition("Question: ")[2].split()[-1][:-1], "Ben Tal"
            )
        return "In 1903" if "founded" in text else "I don't know"

    closed = asked("When was Vik Mill closed?", "1950", "It was closed in 1950.")
    with OpenAIServer(reply) as server:
        settings = ModelSettings({"system": Endpoint("stand-in", server.url)}, cache=tmp_path / "replies.sqlite")
        with Client(settings) as client:
            found = filter_questions(ARTICLES, [FOUNDED, OWNER, closed], client=client)
            assert found.kept == (FOUNDED, OWNER)
            assert reasons(found) == [(closed.question, "a model that has the article does not answer it rightly")]
            harder = filter_questions(ARTICLES, [FOUNDED, OWNER, closed], client=client, drop_known=True)
    assert harder.kept == (OWNER,)
    assert reasons(harder)[1] == (FOUNDED.question, "a model answers it without the article")
    assert (harder.by, harder.answered, harder.tried) == ("stand-in", 2, 3)
    assert server.calls == 3 + 2


def test_no_reply(tmp_path: Path) -> None:
    with OpenAIServer(lambda body: "") as server:
        settings = ModelSettings({"system": Endpoint("stand-in", server.url)}, cache=tmp_path / "replies.sqlite")
        with Client(settings) as client:
            found = filter_questions(ARTICLES, [OWNER], client=client)
    assert reasons(found) == [(OWNER.question, "the model gave no usable reply")]


def test_known_questions_need_a_model(tmp_path: Path) -> None:
    message = "drop_known=true needs a model to ask closed book: add --model system=NAME"
    with pytest.raises(UsageError, match=message):
        filter_questions(ARTICLES, [FOUNDED], drop_known=True)
    settings = ModelSettings({"writer": Endpoint("stand-in")}, cache=tmp_path / "replies.sqlite")
    with Client(settings) as client, pytest.raises(UsageError, match=message):
        filter_questions(ARTICLES, [FOUNDED], client=client, drop_known=True)
