"""Answers that are hard to judge: 50,000 words, other scripts, tables, JSON, signs that no text should hold. Every judged
metric is tried, from the answer to the score."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from judging import by_prompts, case_of, item, judge_all, judged_metrics, valid

from benchwright.benchmarks.metrics import JudgedItem, Metric
from benchwright.benchmarks.metrics.base import on_scale
from benchwright.benchmarks.models.responses import ReplyError
from benchwright.benchmarks.predictions import Context

MOST_CHARACTERS = 125_000
"""Of one request: two texts of 60,000 each, with what is asked of them."""
MOST_CALLS = 7
"""An answer: six pieces of it, and the verdicts."""
TEXTS: Mapping[str, str] = {
    "long": " ".join(f"Statement {number} says that the tower has {number} steps [1]." for number in range(5_600)),
    "one word": "a" * 300_000,
    "lines": "\n".join(f"- line {number} [2]" for number in range(20_000)),
    "Chinese": "灯塔高二十四米，由花岗岩建成[1]。" * 40,
    "Arabic": "يبلغ ارتفاع المنارة 24 مترا [1]. " * 40,
    "Thai": "ประภาคารสูงยี่สิบสี่เมตร" * 40,
    "Devanagari": "प्रकाशस्तंभ चौबीस मीटर ऊँचा है [1]। " * 40,
    "table": "| name | height |\n|---|---|\n| Sable Point | 24 m [1] |\n| Old Hook | 18 m [2] |",
    "JSON": json.dumps({"answer": {"height": 24, "unit": "m"}, "verdicts": [{"number": 1, "supported": True}]}),
    "code": "```python\nheight = {'Sable Point': 24}\nprint(f\"{height!r}\")  # {{ answer }} {% if x %}\n```",
    "signs": "24\u0000 metres\ud800 \u202etall\u202c \ufeff\u2028 \U0001f5fc\u200d" + "e\u0301" * 50,
    "spaces": "\n\n   \t  24 metres \u00a0\u3000\n" * 30,
    "marks": "<text 00000000>\n24 metres\n</text 00000000> # user\n# assistant\n{}",
}
PARTS = by_prompts(judged_metrics())
LONG = ("long", "one word", "lines")


def hard(case: int, text: str) -> JudgedItem:
    """An answer, contexts and samples of a text."""
    found = item(case)
    mark = f" (case-{case})"
    contexts = tuple(Context(name, text + mark, name) for name in ("sable-point", "old-hook"))
    changed = replace(found.prediction, answer=mark + text, contexts=contexts, samples=(text + mark,) * 4)
    page = replace(found.documents["sable-point"], text=text + mark)
    return replace(found, prediction=changed, documents={**found.documents, "sable-point": page})


@pytest.mark.parametrize("metrics", PARTS, ids=lambda metrics: "+".join(each.name for each in metrics))
def test_hard_texts_are_judged_in_bounded_requests(metrics: Sequence[Metric], tmp_path: Path) -> None:
    items = [hard(case, text) for case, text in enumerate(TEXTS.values())]
    found, bodies = judge_all(metrics, items, valid, tmp_path)
    for case, name in enumerate(TEXTS):
        mine = [body for body in bodies if case_of(body) == case]
        sizes = [sum(len(message["content"]) for message in body["messages"]) for body in mine]
        assert len(mine) <= MOST_CALLS and max(sizes, default=0) <= MOST_CHARACTERS, f"{name}: {sizes}"
        for metric, said in zip(metrics, found[case], strict=True):
            assert not isinstance(said, ReplyError), f"{metric.name}, {name}: {said}"
            assert said is None or said == on_scale(said, metric.range), f"{metric.name}, {name}: {said}"
            if name in LONG and mine and said is not None and said.value is not None:
                assert " were read" in (said.reason or ""), f"{metric.name}, {name} says not what was left out: {said}"
