"""A second set of kinds by somebody who had not seen the rules of the diagnosis: what is searched, search and ranking."""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

from benchwright.benchmarks.grounding.chunking import Passage, chunk_document
from benchwright.benchmarks.types import Document, Question
from faulty.corpora import drawn, picked
from faulty.kinds_index import Documents, cut_at, replaced_at, spans_hit
from faulty.kinds_search import Passages, anywhere
from faulty.pipeline import UNKNOWN, At, Bench, Fault, Reader

When = Callable[[Question, At], bool]
Finds = Callable[[Passages, Question, At], Passages]


def of_questions(question: Question, at: At) -> bool:
    """All wordings of a question alike."""
    return at.hits(question.group)


def of_wordings(question: Question, at: At) -> bool:
    """Each wording by itself."""
    return at.hits(question.id)


def _finding(finds: Finds, when: When) -> Fault:
    """A search that finds something else where it is hit."""
    return Fault(found=lambda passages, question, at: finds(passages, question, at) if when(question, at) else passages)


def longest_documents_refused() -> Fault:
    """The service that makes vectors takes only so much text: so many of the longest documents are never stored."""

    def refuse(documents: Documents, at: At) -> Documents:
        ordered = sorted(documents, key=lambda name: (-len(documents[name].body), name))
        gone = set(ordered[: int(len(ordered) * at.strength)])
        return {name: each for name, each in documents.items() if name not in gone}

    return Fault(documents=refuse)


def last_passage_overwrites_the_others() -> Fault:
    """Passages are stored under their document's id: of so many documents the last one alone is kept."""

    def overwrite(chunks: Passages, at: At) -> Passages:
        last = {each.document: each for each in chunks}
        return [each for each in chunks if each is last[each.document] or not at.hits(each.document)]

    return Fault(chunks=overwrite)


def drafts_with_blanks_indexed() -> Fault:
    """So many documents are stored as they were before somebody filled them in."""

    def blank(documents: Documents, at: At) -> Documents:
        spans = spans_hit(replace(at, strength=1.0))
        return {
            name: replace(each, text=replaced_at(each, spans.get(name, []), lambda *_: "[to be filled in]"))
            if at.hits(name)
            else each
            for name, each in documents.items()
        }

    return Fault(documents=blank)


def titles_shifted_by_one_row() -> Fault:
    """The list of titles was joined to the texts one row too low: so many documents carry the title of another."""

    def shift(documents: Documents, at: At) -> Documents:
        names = sorted(name for name in documents if at.hits(name))
        other = dict(zip(names, [*names[1:], *names[:1]], strict=True))
        return {name: replace(each, title=documents[other.get(name, name)].title) for name, each in documents.items()}

    return Fault(documents=shift)


def mirrors_indexed_beside_originals() -> Fault:
    """A crawler took so many pages in under four addresses each, and stored them as documents of their own."""

    def mirror(documents: Documents, at: At) -> Documents:
        found = Documents()
        for name, each in documents.items():
            found[name] = each
            for address in ("print", "mobile", "www") if at.hits(name) else ():
                found[f"{name}-{address}"] = replace(each, id=f"{name}-{address}")
        return found

    return Fault(documents=mirror)


_WHO = ("New colleagues", "Guests of the house", "Whoever works from home", "All teams", "People on leave")
_DO = ("hand in", "ask for", "sign", "look through", "keep a copy of")
_THING = ("the form for expenses", "a badge for the garage", "the list of holidays", "the rules for laptops")
_WHEN = ("by the end of the month", "on their first day", "once a year", "whenever the desk is open")


def another_source_joined_first() -> Fault:
    """Two sources are searched and their results put one behind the other: of so many questions the handbook first."""

    def handbook(key: object, place: int) -> Passage:
        text = " ".join(
            f"{picked(_WHO, key, place, part)} {picked(_DO, key, place, part, 1)} "
            f"{picked(_THING, key, place, part, 2)} {picked(_WHEN, key, place, part, 3)}."
            for part in range(3)
        )
        return Passage(f"handbook/{int(drawn(key, place) * 900)}", "Handbook of staff", 0, len(text), text)

    return _finding(
        lambda passages, question, at: [*(handbook(question.group, place) for place in range(10)), *passages],
        of_questions,
    )


def labels_cut_from_values() -> Fault:
    """Forms are split between field and entry: so many values begin a passage that does not say what they are of."""
    return Fault(chunks=lambda chunks, at: cut_at(chunks, at, lambda start, end: [start]))


def next_passage_handed_in() -> Fault:
    """Of so many questions the stretch behind each passage that was found is handed in, by a count that is off by one."""

    def behind(each: Passage, bench: Bench) -> Passage:
        document = bench.documents.get(each.document, Document(each.document, "", ""))
        start, end = each.end, min(len(document.body), 2 * each.end - each.start)
        return replace(each, start=start, end=end, text=document.body[start:end]) if end - start >= 20 else each

    return _finding(lambda passages, _, at: [behind(each, at.bench) for each in passages], of_questions)


def invented_answer_searched_for() -> Fault:
    """For so many questions an answer that a model made up is searched for in place of what was asked."""
    return Fault(
        query=lambda text, question, at: (
            f"The answer to this is {at.bench.other_value(question, 'invented')}." if at.hits(question.group) else text
        )
    )


@lru_cache(maxsize=20)
def _spoken_of_before(bench: Bench) -> dict[str, str]:
    """Of each question the last document that one before it was about, which it is not."""
    asked, found = list(bench.questions.values()), dict[str, str]()
    for place, each in enumerate(asked):
        earlier = (asked[place - back] for back in range(1, len(asked)))
        names = (name for one in earlier for name in one.documents[-1:] if name not in each.documents)
        found[each.id] = next(names, "")
    return found


def search_stays_in_the_last_document() -> Fault:
    """So many wordings are taken for a further question about the document that was spoken of before."""

    def stay(passages: Passages, question: Question, at: At) -> Passages:
        document = at.bench.documents.get(_spoken_of_before(at.bench)[question.id])
        return chunk_document(document) if document else passages

    return _finding(stay, of_wordings)


def short_questions_sent_to_a_list_of_faqs() -> Fault:
    """So many short questions are searched in a small index of what is often asked, where nothing fits."""
    return _finding(
        lambda _, question, at: [anywhere(at, "faq", place) for place in range(12)],
        lambda question, at: question.form == "short" and of_wordings(question, at),
    )


_MARKS = frozenset('?:/()[]"*^~!&')


def query_syntax_breaks_on_marks() -> Fault:
    """Marks that mean something in the language of queries are not escaped: so often the search gives nothing for them."""
    return _finding(
        lambda *_: [], lambda question, at: bool(_MARKS & set(question.question)) and of_wordings(question, at)
    )


def second_search_left_out() -> Fault:
    """So many questions that need two documents are searched once: what the first one names is not searched for."""

    def once(passages: Passages, question: Question, at: At) -> Passages:
        linked = {
            name
            for name in question.documents
            if at.bench.documents[name].title.partition(":")[0].casefold() not in question.question.casefold()
        }
        return [each for each in passages if each.document not in linked]

    return _finding(
        once, lambda question, at: len({each.fact for each in question.evidence}) > 1 and of_questions(question, at)
    )


def scores_rounded_until_they_tie() -> Fault:
    """Scores are stored with too few figures: 6 to 30 neighbours in the list tie, and stand by the ids of documents."""

    def tie(passages: Passages, _: Question, at: At) -> Passages:
        size = int(6 + 24 * at.strength)
        return [
            each
            for first in range(0, len(passages), size)
            for each in sorted(passages[first : first + size], key=lambda each: each.document)
        ]

    return Fault(found=tie)


def contexts_cut_to_a_budget() -> Fault:
    """Whole passages are handed in while they fit, and the budget leaves so much of what was found out; one is kept."""

    def fit(passages: Passages, _: Question, at: At) -> Passages:
        room, kept = sum(len(each.text) for each in passages) * (1 - at.strength), Passages()
        for each in passages:
            room -= len(each.text)
            if kept and room < 0:
                break
            kept.append(each)
        return kept

    return Fault(contexts=fit)


def variants_of_a_query_joined_with_repeats() -> Fault:
    """So many wordings are searched in five variants, and what all of them find is handed in five times."""
    return _finding(lambda passages, _, at: [each for each in passages for _ in range(5)], of_wordings)


def questions_cut_on_their_way_in() -> Fault:
    """None of the modules: of so many wordings what stands between user and system passes on the first third alone."""

    def reader(healthy: Reader, at: At) -> Reader:
        return lambda bench, question, texts: UNKNOWN if of_wordings(question, at) else healthy(bench, question, texts)

    def query(text: str, question: Question, at: At) -> str:
        words = text.split()
        return " ".join(words[: len(words) // 3]) if of_wordings(question, at) else text

    return Fault(query=query, reader=reader)
