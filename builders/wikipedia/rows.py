"""Articles as documents and questions as rows of a release."""

from collections.abc import Mapping
from urllib.parse import quote

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.hashing import group_id, question_id
from benchwright.benchmarks.types import Document, Evidence, Question
from benchwright.builders.wiki.pages import Article, Page
from benchwright.builders.wikipedia.questions_by_rule import ArticleQuestion

NAME = "wikipedia"
TEMPLATE = "article"
"""Stands in ids where other builders have a template."""


def document_id(page: int) -> str:
    """The corpus id of a page."""
    return f"page-{page}"


def as_document(article: Article, harvested: str, subset: str, site: Mapping[str, str]) -> Document:
    """An article with all that is needed to fetch the same revision again, and to name its authors."""
    page = article.page
    return Document(
        document_id(page.id),
        page.title,
        article.text,
        {
            "id": page.id,
            "revision": page.revision,
            "sha1": page.sha1,
            "created": page.created,
            "edited": page.edited,
            "harvested": harvested,
            "subset": subset,
            "authors": site.get("history", "").replace("{id}", quote(str(page.id))),
            "licence": site.get("licence", ""),
        },
    )


def read_page(row: Document) -> Page:
    """The page that a document says that it is, without its wikitext, which no release holds.

    Raises:
        BenchwrightError: its metadata is not that of a page.
    """
    told = row.metadata
    types = {"id": int, "revision": int, "sha1": str, "created": str, "edited": str}
    if any(type(told.get(name)) is not kind for name, kind in types.items()):
        raise BenchwrightError(f"{row.id} is no page: its metadata has not {', '.join(types)}")
    return Page(told["id"], row.title, told["created"], told["revision"], told["edited"], told["sha1"], "")


def as_question(asked: ArticleQuestion, title: str, subset: str) -> Question:
    """A question with its answer and its evidence. Its meaning is its own: each is a semantic group of one."""
    group = group_id(NAME, TEMPLATE, [str(asked.page), asked.question])
    return Question(
        id=question_id(group, "", asked.question),
        question=asked.question,
        answers=(asked.answer,),
        aliases=(asked.aliases,),
        answer_type="one",
        answerability="answerable",
        group=group,
        entity=title,
        kind=asked.answer_kind,
        hops=1,
        subset=subset,
        documents=(document_id(asked.page),),
        evidence=(Evidence(document_id(asked.page), asked.start, asked.end),),
        metadata={"by": asked.by, "recent": asked.recent},
    )
