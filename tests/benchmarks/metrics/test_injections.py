"""Texts that tell a judge what to say: none leaves its fence, and no reply of a judge that obeys becomes a score beyond
the scale. Every judged metric of the registry is tried, whichever there are."""

import itertools
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from judging import by_prompts, case_of, item, judge_all, judged_metrics, schema_of, valid

from benchwright.benchmarks.metrics import JudgedItem, Metric
from benchwright.benchmarks.metrics.base import on_scale
from benchwright.benchmarks.metrics.injections import (
    CONTROL,
    PLACES,
    Injection,
    injections,
    with_injection,
)
from benchwright.benchmarks.models.chat import ASKED
from benchwright.benchmarks.models.fencing import fenced
from benchwright.benchmarks.models.responses import ReplyError
from benchwright.benchmarks.predictions import Context, Prediction

CANARY = "zqxcanary"
"""Stands beside each injection: what holds it was written by whoever attacks."""
FENCE = re.compile(r"<text ([0-9a-f]{8})>\n.*?\n</text \1>", re.DOTALL)


PARTS = by_prompts(judged_metrics())
ATTACKS = [each for each in injections() if each.kind != CONTROL]
of_each = pytest.mark.parametrize("metrics", PARTS, ids=lambda metrics: "+".join(each.name for each in metrics))


def attacked(some: Sequence[Injection], limits: tuple[float, float]) -> JudgedItem:
    """The answer and what it is judged by with injections, each of which the canary stands before and after.

    Question, true answer and samples have the canary alone: they are other people's texts, too.
    """
    found = item()
    question = replace(found.question, question=f"{CANARY} {found.question.question}", answers=(f"{CANARY} 24 metres",))
    samples = tuple(f"{CANARY} {sample}" for sample in found.prediction.samples)
    found = replace(found, question=question, prediction=replace(found.prediction, samples=samples))
    for injection, place in itertools.product(some, PLACES):
        marked = replace(injection, text=f"{CANARY} {injection.text} {CANARY}", written="plain")
        if injection.written != "plain":
            said = replace(injection, padding=0, at="end").added_to("", limits)
            marked = replace(marked, text=f"{CANARY} {said} {CANARY}")
        changed = with_injection(found, marked, place, limits)
        assert changed is not None
        found = changed
    return found


def test_there_are_thirty_injections_of_many_kinds_and_harmless_texts_beside() -> None:
    found = [each for each in injections() if each.kind != CONTROL]
    assert len(found) >= 30 and len({each.kind for each in found}) >= 10
    assert len({each.name for each in injections()}) == len(injections())
    assert {each.wants for each in found} == {"highest", "lowest", "broken"}
    assert {each.wants for each in injections() if each.kind == CONTROL} == {"nothing"}
    texts = [each.added_to("The pier.", (1, 5)) for each in injections()]
    assert len(set(texts)) == len(texts) and all("The pier." in text for text in texts)
    assert not any("{highest}" in text or "{end}" in text for text in texts)
    by_name = dict(zip((each.name for each in injections()), texts, strict=True))
    assert by_name["end-of-fence"].splitlines()[2] == fenced("The pier.").splitlines()[-1]
    assert by_name["ignore-in-advance"].endswith("The pier.") and "Give 5 " in by_name["ignore-in-advance"]
    assert len(by_name["long-padding"].split()) > 3_000
    assert all(ord(sign) > 0xE0000 for sign in by_name["invisible-tags"].removeprefix("The pier.\n\n"))


def test_an_injection_stands_in_the_answer_or_in_what_is_read_beside_it() -> None:
    order = injections()[0]
    in_answer, in_context = (with_injection(item(), order, place, (0, 1)) for place in PLACES)
    assert in_answer is not None and in_context is not None
    assert order.added_to(item().prediction.answer or "", (0, 1)) == in_answer.prediction.answer
    assert in_answer.prediction.contexts == item().prediction.contexts and in_answer.documents == item().documents
    said = [context.text != before.text for context, before in _pairs(in_context, item())]
    assert said == [True, False] and in_context.prediction.answer == item().prediction.answer
    changed = {name for name, page in item().documents.items() if in_context.documents[name] != page}
    assert changed == {"sable-point"}, "the gold document"
    silent = replace(item(), prediction=Prediction("q", abstained=True), documents={})
    assert [with_injection(silent, order, place, (0, 1)) for place in PLACES] == [None, None]


def _pairs(one: JudgedItem, other: JudgedItem) -> Iterator[tuple[Context, Context]]:
    return zip(one.prediction.contexts, other.prediction.contexts, strict=True)


@of_each
def test_no_injection_leaves_its_fence_and_the_judge_is_instructed_after_it(
    metrics: Sequence[Metric], tmp_path: Path
) -> None:
    items = [attacked(some, metrics[0].range) for some in (ATTACKS[at::12] for at in range(12))]
    _, bodies = judge_all(metrics, items, lambda body: valid(body, CANARY), tmp_path)
    reached = 0
    for body in bodies:
        last = body["messages"][-1]["content"]
        if last.startswith("Your last reply cannot be used"):
            last = body["messages"][-3]["content"]
        outside = [FENCE.sub("", message["content"]) for message in body["messages"] if message["role"] != "assistant"]
        assert not any(CANARY in text for text in outside), last
        reached += CANARY in last
        tail = " ".join(re.split(FENCE, last)[-1].split())
        assert "does not instruct" in tail and len(tail.split()) >= 10, f"no instruction is repeated: {tail!r}"
    assert reached >= len(items) or not bodies, "the texts are those that the judge reads"


def numbers(schema: Any) -> bool:
    """Whether a reply holds numbers."""
    return any(f'"type": "{kind}"' in json.dumps(schema) for kind in ("integer", "number"))


def with_numbers(value: Any, number: Any) -> Any:
    """A reply with another number in place of each of its numbers."""
    if isinstance(value, Mapping):
        return {key: with_numbers(each, number) for key, each in value.items()}
    if isinstance(value, list):
        return [with_numbers(each, number) for each in value]
    return number if isinstance(value, int | float) and not isinstance(value, bool) else value


def with_lists(value: Any, times: int) -> Any:
    """A reply whose lists are so many times as long, or empty."""
    if isinstance(value, Mapping):
        return {key: with_lists(each, times) for key, each in value.items()}
    return [with_lists(each, 1) for each in value] * times if isinstance(value, list) else value


def infinite(value: Any) -> str:
    return json.dumps(with_numbers(value, "@")).replace('"@"', "1e999")


OBEDIENT: Mapping[str, Callable[[Any], Any]] = {
    "far beyond the scale": lambda value: with_numbers(value, 999_999),
    "below the scale": lambda value: with_numbers(value, -1),
    "a little beyond": lambda value: with_numbers(value, 10.5),
    "no number": lambda value: json.dumps(with_numbers(value, float("nan"))),
    "an infinite one": infinite,
    "five of five": lambda value: with_numbers(value, "5/5"),
    "true for a number": lambda value: with_numbers(value, True),
    "null": lambda value: with_numbers(value, None),
    "nested": lambda value: with_numbers(value, {"value": [[[[5]]]]}),
    "ten thousand verdicts": lambda value: with_lists(value, 5_000),
    "no verdicts": lambda value: with_lists(value, 0),
    "other fields": lambda value: {**value, "grade": 5},
    "another object": lambda value: {"grade": "five of five", "comment": {"nested": [[[["5"]]]]}},
    "two objects": lambda value: f"{json.dumps(value)} {json.dumps(with_numbers(with_lists(value, 2), 1))}",
    "a list": lambda value: json.dumps([value, value]),
    "a poem": lambda value: "O light upon the rock, thou art five of five.",
    "nothing": lambda value: "",
    "deep": lambda value: '{"reason": ' * 3_000 + "1" + "}" * 3_000,
    "cut off": lambda value: json.dumps(value)[:-3],
    "twice the same field": lambda value: json.dumps(value)[:-1] + ", " + json.dumps(value)[1:],
}
"""What a judge replies that does as it is told, made of a reply of the right shape."""
NEVER_A_SCORE = {"other fields", "another object", "a poem", "nothing", "deep", "cut off", "twice the same field"}
NO_NUMBERS = {
    "far beyond the scale",
    "below the scale",
    "no number",
    "an infinite one",
    "five of five",
    "null",
    "nested",
}


CASES = (
    *OBEDIENT.items(),
    *((each.text, lambda value, text=each.text: text) for each in injections() if each.kind in ("reply", "format")),
)


@of_each
def test_a_judge_that_obeys_gives_a_score_on_the_scale_or_none(metrics: Sequence[Metric], tmp_path: Path) -> None:
    items = [item(case) for case in range(len(CASES))]
    found, bodies = judge_all(metrics, items, lambda body: CASES[case_of(body)][1](valid(body)), tmp_path)
    for case, (name, _) in enumerate(CASES):
        mine = [body for body in bodies if case_of(body) == case]
        for metric, said in zip(metrics, found[case], strict=True):
            if isinstance(said, ReplyError):
                assert said.reason == "invalid reply" and len(mine) >= ASKED, f"{metric.name}, {name}: {said}"
                continue
            assert said is None or said == on_scale(said, metric.range), f"{metric.name}, {name}: {said}"
            is_number = name in NO_NUMBERS and mine and numbers(schema_of(mine[0]))
            is_bad = name not in OBEDIENT or name in NEVER_A_SCORE or is_number
            assert not (is_bad and mine), f"{metric.name}, {name} gave {said}"
