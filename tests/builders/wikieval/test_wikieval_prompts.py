"""The prompts that pairs are made with: what they demonstrate keeps the rules that replies are held against."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from benchwright.benchmarks.models.prompts import load_prompt
from benchwright.builders.wikieval.contexts.wider_sentences import new_sentence_problem
from benchwright.builders.wikieval.material import Passage
from benchwright.builders.wikieval.models import candidate_checks as checks
from benchwright.builders.wikieval.models.asking import prompt_of
from benchwright.builders.wikieval.models.by_model import STEPS

VALUES = {"title": "T", "text": "A text.", "question": "Q?", "answer": "An answer.", "count": 3, "refused": []}


def demonstrations(step: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """What is shown and what is replied, of each demonstration of a prompt."""
    said = [message["content"] for message in load_prompt(prompt_of(step)).fill(**VALUES).messages]
    yield from ((shown, json.loads(reply)) for shown, reply in zip(said[1:-1:2], said[2::2], strict=True))


def passages() -> list[Passage]:
    found = []
    for shown, _ in demonstrations("question"):
        title, text = re.search(r"Title: (.*)", shown), re.search(r"<text \w+>\n(.*)\n</text", shown)
        assert title and text
        found.append(Passage(title[1], text[1], "x"))
    return found


@pytest.mark.parametrize("place", [0, 1])
def test_demonstrations_keep_the_rules(place: int) -> None:
    told = {step: list(demonstrations(step)) for step in STEPS}
    assert {len(each) for each in told.values()} == {2}
    passage = passages()[place]
    replies = {step: each[place][1] for step, each in told.items()}
    question, answer = replies["question"]["question"], replies["answer"]["answer"]
    assert checks.question_problem(question, passage) == ""
    assert checks.answer_problem(answer, question, passage) == ""
    assert checks.ungrounded_problem(replies["ungrounded"]["answer"], answer, question, passage) == ""
    poor = replies["incomplete"]
    assert checks.incomplete_problem(poor["answer"], poor["left_out"], answer, question, passage) == ""
    sentences = replies["widened"]["sentences"]
    assert [new_sentence_problem(each, [answer], question, passage) for each in sentences] == [""] * 3
    for step in ("answer", "ungrounded", "incomplete", "widened"):
        assert question in told[step][place][0], f"the demonstration of {step} asks something else"
    assert answer in told["incomplete"][place][0]


def test_what_was_refused_stands_below_what_is_asked() -> None:
    refused = [{"text": "Who?", "reason": "it is too short"}]
    for step in STEPS:
        name = prompt_of(step)
        first, again = (load_prompt(name).fill(**{**VALUES, "refused": each}).messages for each in ([], refused))
        assert first[:-1] == again[:-1], "what is the same for all comes first, and endpoints may keep it"
        has_reason = "- Who?\n  Reason: it is too short" in again[-1]["content"]
        assert has_reason == (step != "answer") and again[-1]["content"].startswith(first[-1]["content"])
