"""Two scripted models, of which one knows what is older than the cutoff, and a judge."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.rows import load_questions
from benchwright.benchmarks.types import Question

KNOWS, FORGETS, JUDGE = "knows-the-old", "knows-nothing", "strict-judge"
UNKNOWN, WRONG = "I don't know.", "A guess"
_ASKED = re.compile(
    r"Question:\n<text \w+>\n(?P<question>.*)\n</text \w+>\n\n"
    r"The chatbot's answer:\n<text (?P<mark>\w+)>\n(?P<answer>(?:.|\n)*)\n</text (?P=mark)>\n"
)


class Scripted:
    """Replies of both models and of the judge, which counts what each was asked.

    KNOWS knows the facts from before the cutoff and not those after it; FORGETS guesses at random articles and knows
    nothing. Both find every answer in an article that they are given. The judge gives 5 and 5 for a gold answer, 1 and
    1 for not knowing, 2 and 4 for what is wrong.
    """

    def __init__(self, questions: Sequence[Question]) -> None:
        self.by_text = {question.question: question for question in questions}
        self.asked = Counter[tuple[str, str]]()
        """Model and `closed`, `article` or `grades` → calls."""
        self.knows = {KNOWS}
        self.refused: set[str] = set()
        """Questions whose answers the judge will not grade."""

    def __call__(self, body: Mapping[str, Any]) -> Any:
        model, said = body["model"], body["messages"][-1]["content"]
        if model == JUDGE:
            self.asked[model, "grades"] += 1
            match = _ASKED.search(said)
            assert match is not None
            question = self.by_text[match["question"]]
            return {"refusal": "no"} if question.id in self.refused else self.grades(question, match["answer"].strip())
        is_closed = said in self.by_text
        self.asked[model, "closed" if is_closed else "article"] += 1
        question = self.by_text[said if is_closed else said.rpartition("Question: ")[2].strip()]
        if not is_closed or (model in self.knows and question.subset != "post_cutoff"):
            return question.answers[0]
        return WRONG if model == FORGETS and question.subset == "random" else UNKNOWN

    @staticmethod
    def grades(question: Question, answer: str) -> Mapping[str, Any]:
        truth, relevance = (5, 5) if answer in question.answers else (1, 1) if answer == UNKNOWN else (2, 4)
        return {"reason": "as the article says", "truthfulness": truth, "relevance": relevance}


def scripted(release: Release) -> Scripted:
    """The models of a release's questions."""
    return Scripted(load_questions(release, "test"))
