"""Our metrics beside those of ragas 0.4.3, where `scripts/peers ragas` has installed it.

Both get the same statements and verdicts from one server over real HTTP. Where they differ on purpose stands in a table
of its own, and what each of them gives is tested.
"""

import json
import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import pytest
import ragas_scores
from judged_items import Judging, judging
from pytest import approx
from support import ROOT

from benchwright.benchmarks.metrics import find_metric
from benchwright.benchmarks.predictions import Context, Prediction
from benchwright.benchmarks.types import Question
from benchwright.scripts.servers.openai.server import OpenAIServer

PYTHON = ROOT / ".peers" / "ragas" / "bin" / "python"
pytestmark = pytest.mark.skipif(
    not PYTHON.exists() and not os.environ.get("BENCHWRIGHT_REQUIRE_RAGAS"),
    reason="ragas is not installed: scripts/peers ragas",
)
_NUMBERS = count()


@dataclass(frozen=True)
class Said:
    """What a judge says of a prediction, whoever asks."""

    supported: Sequence[int] = ()
    """Of each statement of the answer whether the contexts support it."""
    facts: tuple[int, int, int] = (0, 0, 0)
    """Statements of answer and true answer, of the answer alone, of the true answer alone."""
    angles: Sequence[int] = (0, 0, 0)
    """Of the questions that the answer would answer; that of the question is 0."""
    noncommittal: int = 0
    """What ragas alone asks for."""
    without: int = 0
    """Verdicts that are left out."""
    twice: int = 0
    """Of the statements, the first so many that are listed again."""


class Case:
    """A prediction and what is said of it. All its texts have its number, and what is embedded the angle of its vector."""

    def __init__(
        self,
        metric: str,
        said: Said,
        *,
        answer: str = "It is so",
        at: int = 60,
        contexts: int = 1,
        form_at: int | None = None,
    ) -> None:
        mark = f"case-{next(_NUMBERS)}-"
        self.mark, self.metric, self.said = mark, metric, said
        self.question, self.answer = f"What of {mark}? @0", f"{answer}. {mark} @{at}"
        self.reference, self.contexts = f"The truth of {mark} @0", [f"Found for {mark}."] * contexts
        self.forms = () if form_at is None else (f"Another form of {mark} @{form_at}",)

    @property
    def asked(self) -> dict[str, Any]:
        """What ragas is given."""
        names = ("metric", "question", "answer", "reference", "contexts")
        return {name: getattr(self, name) for name in names}


def names(prefix: str, number: int) -> list[str]:
    return [f"{prefix} {place}." for place in range(number)]


def to_ragas(case: Case, prompt: str, asked: dict[str, Any]) -> Any:
    """The reply to a request of ragas, as its schemas want it."""
    said = case.said
    both, answer, truth = (names(*pair) for pair in zip(("Both", "Answer", "Truth"), said.facts, strict=True))
    if '"noncommittal"' in prompt:
        return [{"question": f"Q? @{angle}", "noncommittal": said.noncommittal} for angle in said.angles]
    if '"TP"' in prompt:
        parts = {"TP": both, "FP": answer, "FN": truth}
        return {kind: [{"statement": each, "reason": "!"} for each in texts] for kind, texts in parts.items()}
    if '"verdict"' in prompt:
        right = dict(zip(names("S", len(said.supported)), said.supported, strict=True)) | dict.fromkeys(both, 1)
        given = asked["statements"][: len(asked["statements"]) - said.without]
        return {"statements": [{"statement": each, "reason": "!", "verdict": right.get(each, 0)} for each in given]}
    of_answer = case.answer in (asked.get("response"), asked.get("answer"))
    if '"claims"' in prompt:
        return {"claims": [*both, *(answer if of_answer else truth)]}
    if case.metric == "faithfulness":
        listed = names("S", len(said.supported))
        return {"statements": [*listed, *listed[: said.twice]]}
    return {"statements": [*both, *(answer if of_answer else truth)]}


def to_us(case: Case, shape: str) -> Any:
    """The reply to a request of ours."""
    said = case.said
    verdicts = [
        {"number": place, "explanation": "!", "supported": bool(each)} for place, each in enumerate(said.supported, 1)
    ]
    kinds = [kind for kind, number in zip(("both", "answer", "truth"), said.facts, strict=True) for _ in range(number)]
    statements = [f"{each} {case.mark}" for each in names("S", len(said.supported))]
    return {
        "statements": {"statements": [*statements, *statements[: said.twice]]},
        "verdicts": {"verdicts": verdicts[: len(verdicts) - said.without]},
        "questions": {"questions": [f"Q? @{angle}" for angle in said.angles]},
        "facts": {"statements": [{"statement": "S.", "explanation": "!", "made_by": kind} for kind in kinds]},
    }[shape]


FACTS = [(1, 0, 0), (2, 0, 1), (0, 1, 1), (0, 2, 1), (1, 0, 1), (1, 1, 0), (1, 1, 1), (3, 1, 2), (5, 5, 0), (2, 7, 3)]
SUPPORTED = [
    (1,),
    (0,),
    (0, 0, 0),
    (1, 1),
    (1, 1, 1),
    (1, 0),
    (1, 0, 1),
    (1, 0, 0, 0, 1, 1, 0),
    (1,) * 30 + (0,),
    (0, 1),
]
ANGLES = [(0, 0, 0), (60, 60, 60), (0, 60, 90), (30, 45, 10), (80, 85, 90)]
SAME = [
    *(Case("faithfulness", Said(supported)) for supported in SUPPORTED),
    *(
        Case(metric, Said(facts=facts))
        for facts in FACTS
        for metric in ("facts in answer_correctness", "answer_correctness")
    ),
    *(Case("factual_correctness", Said(facts=facts)) for facts in FACTS),
    *(Case("answer_relevance", Said(angles=angles)) for angles in ANGLES),
    *(Case("answer_similarity", Said(), at=at) for at in (0, 30, 60, 75, 90)),
]
"""Where the papers' formulas leave no choice."""

REFUSAL = "I don't know"
DIFFERENT: list[tuple[str, Case, float | None, float | None, str]] = [
    ("a verdict is left out: the others are divided by their number; here the reply is asked for anew",
     Case("faithfulness", Said((1, 0, 0), without=1)), 1 / 2, None, "invalid reply: "),
    ("a statement that is listed twice counts twice; here once",
     Case("faithfulness", Said((1, 0), twice=1)), 2 / 3, 1 / 2, "1 of 2 statements supported"),
    ("a refusal: what it says of the contexts is verified; here it makes no statement",
     Case("faithfulness", Said((1,)), answer=REFUSAL), 1.0, None, "the answer makes no statement"),
    ("no contexts: the judge is shown none; here nobody knows what was retrieved",
     Case("faithfulness", Said((1, 0)), contexts=0), 1 / 2, None, "handed in no contexts"),
    ("no statement on either side: right; here an answer that says nothing is wrong",
     Case("facts in answer_correctness", Said(), answer=REFUSAL), 1.0, 0.0, "the answer abstains or is empty"),
    ("a refusal: how near its words are still counts a quarter; here it says nothing",
     Case("answer_correctness", Said(facts=(0, 0, 1)), answer=REFUSAL), 0.125, 0.0, "the answer abstains or is empty"),
    ("rounded to two digits, of which a mean is made; here not",
     Case("factual_correctness", Said(facts=(2, 0, 1))), 0.8, 0.8, "TP 2, FP 0, FN 1"),
    ("rounded to two digits, of which a mean is made; here not",
     Case("factual_correctness", Said(facts=(1, 0, 1))), 0.67, 2 / 3, "TP 1, FP 0, FN 1"),
    ("cosines below 0 are taken as they are; here as 0",
     Case("answer_relevance", Said(angles=(180, 180, 180))), -1.0, 0.0, "3 questions; 3 of 3 cosines below 0 count as 0"),
    ("cosines below 0 are taken as they are; here as 0",
     Case("answer_relevance", Said(angles=(120, 0, 0))), 1 / 2, 2 / 3, "3 questions; 1 of 3 cosines below 0 count as 0"),
    ("noncommittal in all three: 0; here the judge is not asked, and a refusal that the rules know is 0",
     Case("answer_relevance", Said(noncommittal=1)), 0.0, 1.0, "3 questions"),
    ("cosines below 0 are taken as they are; here as 0",
     Case("answer_similarity", Said(), at=180), -1.0, 0.0, "1 of 1 cosines below 0 count as 0"),
    ("one true answer; here the nearest of its accepted forms counts",
     Case("answer_similarity", Said(), form_at=60), 1 / 2, 1.0, "the nearest of 2 accepted forms"),
]  # fmt: skip
"""In words; the case; what ragas gives; what we give and how our reason begins."""
CASES = {case.mark: case for case in (*SAME, *(row[1] for row in DIFFERENT))}


@pytest.fixture(scope="module")
def theirs() -> dict[str, float | None]:
    """What ragas gives, by the mark of each case."""

    def reply(body: Any) -> Any:
        prompt = body["messages"][-1]["content"]
        asked = json.loads(prompt[prompt.rindex("\ninput: ") + 8 : prompt.rindex("\nOutput:")])
        found = re.search(r"case-\d+-", json.dumps(asked))
        return to_ragas(CASES[found[0]] if found else without_contexts, prompt, asked)

    without_contexts = next(case for case in CASES.values() if not case.contexts)
    with OpenAIServer(reply) as server:
        done = subprocess.run(
            [str(PYTHON), ragas_scores.__file__, server.url],
            input=json.dumps([case.asked for case in CASES.values()]),
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    return dict(zip(CASES, json.loads(done.stdout), strict=True))


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, tuple[float | None, str]]]:
    """What we give, and why."""

    def reply(body: Any) -> Any:
        text = body["messages"][-1]["content"]
        if text.startswith("Your last reply cannot be used"):
            text = body["messages"][-3]["content"]
        (mark,) = set(re.findall(r"case-\d+-", text))
        return to_us(CASES[mark], body["response_format"]["json_schema"]["name"])

    with judging(tmp_path_factory.mktemp("judge"), reply, roles=("judge", "embedder")) as judge:
        judge.server.vector_for = ragas_scores.vector
        yield {mark: score(judge, case) for mark, case in CASES.items()}


def score(judge: Judging, case: Case) -> tuple[float | None, str]:
    question = Question("q", case.question, (case.reference,), (case.forms,), "one")
    prediction = Prediction("q", case.answer, contexts=tuple(Context(None, text) for text in case.contexts))
    found, _ = judge.judge(find_metric(case.metric.replace("facts in answer_", "factual_")), question, prediction)
    return found.value, found.reason or ""


@pytest.mark.parametrize("case", SAME, ids=lambda case: f"{case.mark}{case.metric}")
def test_the_same_statements_and_verdicts_give_the_same(
    case: Case, theirs: dict[str, float | None], ours: dict[str, tuple[float | None, str]]
) -> None:
    given, (value, _) = theirs[case.mark], ours[case.mark]
    assert value is not None
    assert given == approx(round(value, 2) if case.metric == "factual_correctness" else value, abs=1e-6)


@pytest.mark.parametrize(("why", "case", "of_ragas", "of_us", "reason"), DIFFERENT)
def test_where_we_differ_on_purpose(
    why: str,
    case: Case,
    of_ragas: float | None,
    of_us: float | None,
    reason: str,
    theirs: dict[str, float | None],
    ours: dict[str, tuple[float | None, str]],
) -> None:
    assert theirs[case.mark] == (None if of_ragas is None else approx(of_ragas, abs=1e-6)), why
    value, said = ours[case.mark]
    assert value == (None if of_us is None else approx(of_us, abs=1e-6)), why
    assert said.startswith(reason), said


def test_the_guide_lists_the_differences() -> None:
    guide = (ROOT / "cards/guides/judged-metrics.md").read_text(encoding="utf-8")
    part = " ".join(guide[guide.index("## Beside ragas") :].split())
    for words in (
        "a verdict is missing",
        "listed twice",
        "refusal",
        "no contexts",
        "rounds to two digits",
        "below 0",
        "noncommittal",
    ):
        assert words in part, words
