"""Articles as documents and questions as rows of a release."""

from collections.abc import Iterator, Mapping
from datetime import date
from urllib.parse import quote

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.hashing import group_id, question_id
from benchwright.benchmarks.types import Document, Evidence, Question
from benchwright.builders.wiki.pages import Article, Page, Section
from benchwright.builders.wiki.questions.article_questions import ArticleQuestion
from benchwright.builders.wiki.questions.fact_dates import is_after
from benchwright.builders.wikipedia.sources import CREATED, POST_CUTOFF

NAME = "wikipedia"
TEMPLATE = "article"
"""Stands in ids where other builders have a template."""
_TOLD = {"id": int, "revision": int, "sha1": str, "created": str, "edited": str, "namesakes": list, "sections": list}
_GAP = "\n\n"
"""Between sections."""


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
            "namesakes": list(page.namesakes),
            "sections": [[section.start, section.level] for section in article.sections],
        },
    )


def read_document(row: Document) -> Article:
    """The article that a document is, without its wikitext, which no release holds.

    Raises:
        BenchwrightError: its metadata is not that of an article.
    """
    told = row.metadata
    types = {
        "id": int,
        "revision": int,
        "sha1": str,
        "created": str,
        "edited": str,
        "namesakes": list,
        "sections": list,
    }
    if any(type(told.get(name)) is not kind for name, kind in types.items()):
        raise BenchwrightError(f"{row.id} is no page: its metadata has not {', '.join(types)}")
    if not all(isinstance(title, str) for title in told["namesakes"]):
        raise BenchwrightError(f"{row.id} is no page: a namesake is no title")
    page = Page(
        told["id"], row.title, told["created"], told["revision"], told["edited"], told["sha1"], "",
        tuple(told["namesakes"]),
    )  # fmt: skip
    return Article(page, row.body, tuple(_sections(row)))


def _sections(row: Document) -> Iterator[Section]:
    """The sections of a document's text, of which its metadata tells where they begin, and their level."""
    told, text = row.metadata["sections"], row.body
    if not told or told[0] != [0, 0]:
        raise BenchwrightError(f"{row.id}: its sections do not begin with the introduction, [0, 0]")
    places = [[*one] if isinstance(one, list) else [] for one in told]
    if any(len(one) != 2 or any(type(number) is not int for number in one) for one in places):
        raise BenchwrightError(f"{row.id}: a section is no pair of a place and a level")
    ends = [place for place, _ in places[1:]] + [len(text) + len(_GAP)]
    for number, ((start, level), following) in enumerate(zip(places, ends, strict=True)):
        end = max(following - len(_GAP), 0)
        is_new = number > 0 and level > 0 and (start == 0 or text[start - len(_GAP) : start] == _GAP)
        if not (is_new or number == 0) or not start <= end:
            raise BenchwrightError(f"{row.id}: no section begins at {start}")
        yield Section(text[start:end].partition("\n")[0] if level else "", level, start, end)


def subset_of(asked: ArticleQuestion, of_article: str, cutoff: date) -> str:
    """The subset of a question: its article's, but `post_cutoff` only where its fact lies after the cutoff too."""
    is_kept = of_article != POST_CUTOFF or is_after(asked.fact_date, cutoff, asked.dated_by)
    return of_article if is_kept else CREATED


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
        fact_date=asked.fact_date,
        metadata={
            "by": asked.by,
            "dated_by": asked.dated_by,
            **({} if asked.happened is None else {"happened": asked.happened}),
        },
    )
