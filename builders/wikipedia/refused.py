"""The proposals of a model that were refused, kept in the release with their reasons: `proposals/refused.jsonl`.

One JSON object a line: page, title, question, answer, quote, happened, reason, round. It is a file of the release, with
its hash in the manifest, but no content: the same questions, whatever else was proposed, are the same benchmark. Of a
build with held-out questions only the private half has it: what was refused may repeat what is held out, or its answer.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

import jsonlines

from benchwright.builders.wiki.pages import Article
from benchwright.builders.wiki.questions.article_questions import RejectedQuestion
from benchwright.builders.wikipedia.proposals import RefusedProposal
from benchwright.builders.wikipedia.questions_by_model import ModelledQuestions

REFUSED = "proposals/refused.jsonl"


def refused_by_filters(
    articles: Mapping[int, Article], found: Iterable[ModelledQuestions], rejected: Iterable[RejectedQuestion]
) -> list[RefusedProposal]:
    """Proposals that passed their own checks, and that the filters left out.

    Args:
        articles: page id → article.
        found: what a model proposed.
        rejected: what the filters left out.
    """
    rounds = {
        (one.page, one.question): (one, 1 if place < each.first else 2)
        for each in found
        for place, one in enumerate(each.asked)
    }
    refused = []
    for out in rejected:
        one, number = rounds[out.page, out.question]
        quote = articles[one.page].text[one.start : one.end]
        refused.append(
            RefusedProposal(one.page, one.question, one.answer, out.reason, quote, one.happened or "", number)
        )
    return refused


def save_refused(folder: Path, refused: Iterable[RefusedProposal], articles: Mapping[int, Article]) -> None:
    """Writes them, one a line; nothing where there are none.

    Args:
        folder: of the release; of its private half where questions are held out.
        refused: in the order in which they are written.
        articles: page id → article.
    """
    lines = [
        {
            "page": one.page,
            "title": articles[one.page].page.title,
            "question": one.question,
            "answer": one.answer,
            "quote": one.quote,
            "happened": one.happened,
            "reason": one.reason,
            "round": one.round,
        }
        for one in refused
    ]
    if not lines:
        return
    path = folder / REFUSED
    path.parent.mkdir(exist_ok=True)
    with path.open("w", encoding="utf-8", errors="backslashreplace") as file:
        jsonlines.Writer(file).write_all(lines)
