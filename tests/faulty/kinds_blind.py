"""Kinds of faults by somebody who had not seen the rules of the diagnosis: what is searched, how it is split, search, ranking."""

import re
from dataclasses import replace
from functools import lru_cache

from benchwright.benchmarks.grounding.chunking import Passage
from benchwright.benchmarks.text.words import content_words
from benchwright.benchmarks.types import Document, Question
from faulty.corpora import drawn, picked
from faulty.kinds_index import Documents, replaced_at, spans_hit
from faulty.kinds_search import Passages, anywhere
from faulty.pipeline import At, Bench, Fault

_HEAD = (
    "Confidential, for internal use. Printed from the store of documents; a printed copy is not kept up to date. "
    "Whoever finds this page is asked to hand it in at the front desk. "
)


def near_equals_thrown_away() -> Fault:
    """A de-duplication that is too eager: so many documents are taken for copies of one beside them."""

    def lack(documents: Documents, at: At) -> Documents:
        ordered, words = sorted(documents), {name: set(content_words(each.body)) for name, each in documents.items()}
        likeness = dict[str, float]()
        for place, name in enumerate(ordered):
            mine = words[name]
            likeness[name] = max(
                (
                    len(mine & words[one]) / max(1, len(mine | words[one]))
                    for one in ordered[max(0, place - 20) : place]
                ),
                default=0.0,
            )
        gone = set(sorted(ordered, key=lambda name: -likeness[name])[: int(len(ordered) * at.strength)])
        return {name: each for name, each in documents.items() if name not in gone}

    return Fault(documents=lack)


def boilerplate_in_every_passage() -> Fault:
    """The page's head is put into each passage, which keeps its size: so much of what it held has no room."""

    def fill(each: Passage, at: At) -> Passage:
        room = int(len(each.text) * (1 - at.strength))
        head = (_HEAD * (1 + len(each.text) // len(_HEAD)))[: len(each.text) - room]
        return replace(each, end=each.start + room, text=f"{head} {each.text[:room]}")

    return Fault(chunks=lambda chunks, at: [fill(each, at) for each in chunks])


def windows_leave_gaps() -> Fault:
    """Windows of 300 characters are moved on by more than their size: so much of each document is in none."""

    def cut(chunks: Passages, at: At) -> Passages:
        found, step = Passages(), int(300 / (1 - at.strength))
        for name in dict.fromkeys(each.document for each in chunks):
            document = at.bench.documents[name]
            for start in range(0, len(document.body), step):
                text = document.body[start : start + 300]
                found.append(Passage(name, document.title, start, start + len(text), text))
        return found

    return Fault(chunks=cut)


def columns_torn_apart() -> Fault:
    """A parser reads by columns: so many values stand at the end of their document, away from what they are of."""

    def tear(documents: Documents, at: At) -> Documents:
        spans, found = spans_hit(at), Documents()
        for name, each in documents.items():
            torn = [each.body[start:end] for start, end, _ in spans.get(name, [])]
            body = replaced_at(each, spans.get(name, []), lambda *_: "")
            found[name] = replace(each, text=f"{body}\n\n{' '.join(torn)}" if torn else each.text)
        return found

    return Fault(documents=tear)


def figures_rounded_at_import() -> Fault:
    """In so many documents numbers are stored as rounded ones, as by a column of too small a type."""

    def rounded(match: re.Match[str]) -> str:
        digits = match[0]
        return digits[0] + "0" * (len(digits) - 1) if len(digits) > 1 else digits

    return Fault(
        documents=lambda documents, at: {
            name: replace(each, text=re.sub(r"\d+", rounded, each.body)) if at.hits(name) else each
            for name, each in documents.items()
        }
    )


def letters_spaced_out() -> Fault:
    """A parser of PDF puts a space after each letter, in so many documents."""

    def space(each: Document) -> Document:
        return replace(each, text="\n\n".join(" ".join(part) for part in each.body.split("\n\n")))

    return Fault(
        documents=lambda documents, at: {
            name: space(each) if at.hits(name) else each for name, each in documents.items()
        }
    )


def documents_run_into_one_another() -> Fault:
    """Where one file ends is overlooked: so many documents stand under the id and the title of the one before."""

    def join(documents: Documents, at: At) -> Documents:
        found, last = Documents(), ""
        for name, each in documents.items():
            if last and at.hits(name):
                found[last] = replace(found[last], text=f"{found[last].text}\n\n{each.body}")
            else:
                found[name], last = each, name
        return found

    return Fault(documents=join)


def old_versions_beside_new() -> Fault:
    """Of so many documents an older version with other values was left in the index, under an id of its own."""

    def add(documents: Documents, at: At) -> Documents:
        spans, found = spans_hit(replace(at, strength=1.0)), Documents()
        for name, each in documents.items():
            if at.hits(name):
                text = replaced_at(each, spans.get(name, []), lambda _, other: other)
                found[f"{name}-v1"] = replace(each, id=f"{name}-v1", text=text)
            found[name] = each
        return found

    return Fault(documents=add)


def titles_lost_from_passages() -> Fault:
    """The passages of so many documents do not say which document they are from."""
    return Fault(
        chunks=lambda chunks, at: [replace(each, title="") if at.hits(each.document) else each for each in chunks]
    )


def one_shard_down() -> Fault:
    """So many passages lie on a part of the index that does not answer."""
    return Fault(chunks=lambda chunks, at: [each for each in chunks if not at.hits((each.document, each.start))])


def summaries_handed_in() -> Fault:
    """For so many wordings the beginnings of the documents are handed in, in place of the passages that were found."""

    def heads(passages: Passages, question: Question, at: At) -> Passages:
        if not at.hits(question.id):
            return passages
        found = Passages()
        for name in dict.fromkeys(each.document for each in passages):
            document = at.bench.documents[name]
            text = document.body[:160]
            found.append(Passage(name, document.title, 0, len(text), text))
        return found

    return Fault(found=heads)


def endings_cut_by_another_stemmer() -> Fault:
    """The query goes through the analyser of another language: so many of its words lose their ending."""

    def cut(text: str, question: Question, at: At) -> str:
        return re.sub(r"\w{4,}", lambda word: word[0][:-2] + "ql" if at.hits(word[0].casefold()) else word[0], text)

    return Fault(query=cut)


@lru_cache(maxsize=500)
def _entities(bench: Bench, template: str | None) -> tuple[str, ...]:
    return tuple(sorted({each.entity or "" for each in bench.questions.values() if each.template == template}))


def names_rewritten_to_another() -> Fault:
    """A list of aliases is wrong: in the query so many names are replaced by another."""

    def swap(text: str, question: Question, at: At) -> str:
        if not question.entity or not at.hits(question.entity):
            return text
        others = [each for each in _entities(at.bench, question.template) if each != question.entity] or ["the other"]
        return text.replace(question.entity, picked(others, "alias", question.entity))

    return Fault(query=swap)


def history_mixed_into_the_query() -> Fault:
    """In so many calls the query begins with two earlier questions of the conversation."""

    def mix(text: str, question: Question, at: At) -> str:
        if not at.hits(question.id):
            return text
        asked = list(at.bench.questions)
        return " ".join([picked(asked, "before", question.id), picked(asked, "first", question.id), text])

    return Fault(query=mix)


def nearest_neighbours_overlooked() -> Fault:
    """An index searched too shortly: of each question so many of the nearest passages are overlooked."""
    return Fault(
        found=lambda passages, question, at: [
            each for each in passages if not at.hits((question.group, each.document, each.start))
        ]
    )


def newest_first() -> Fault:
    """New documents are put before old ones, the more so the stronger, whatever was asked."""

    def order(passages: Passages, question: Question, at: At) -> Passages:
        age = {each.document: drawn("date", each.document) * 60 * at.strength for each in passages}
        places = sorted(range(len(passages)), key=lambda place: place + age[passages[place].document])
        return [passages[place] for place in places]

    return Fault(found=order)


def diversity_too_strong() -> Fault:
    """After the first, passages are taken that are as different as can be from those taken: that matters so much."""

    def spread(passages: Passages, question: Question, at: At) -> Passages:
        titles = {each.document: set(content_words(each.title)) for each in passages}
        left, taken = list(range(min(30, len(passages)))), list[int]()

        def worth(place: int) -> float:
            mine = passages[place].document
            near = max((_likeness(titles, mine, passages[one].document) for one in taken), default=0.0)
            return (1 - at.strength) * (1 - place / 30) - at.strength * near

        while left and len(taken) < 10:
            taken.append(max(left, key=worth))
            left.remove(taken[-1])
        return [passages[place] for place in [*taken, *left]] + passages[30:]

    return Fault(found=spread)


def _likeness(titles: dict[str, set[str]], one: str, other: str) -> float:
    if one == other:
        return 1.0
    return 0.9 * len(titles[one] & titles[other]) / max(1, len(titles[one] | titles[other]))


def date_filter_too_narrow() -> Fault:
    """Whatever is asked, a filter by date leaves so many of the documents out."""
    return Fault(found=lambda passages, question, at: [each for each in passages if not at.hits(each.document)])


def permissions_checked_after_the_cut() -> Fault:
    """Of the first five passages those of so many documents may not be seen, and no others take their places."""
    return Fault(found=lambda passages, question, at: [each for each in passages[:5] if not at.hits(each.document)])


def query_ends_at_the_first_comma() -> Fault:
    """Of so many questions only what stands before the first comma is searched for."""
    return Fault(query=lambda text, question, at: text.partition(",")[0] if at.hits(question.id) else text)


def router_takes_long_questions_for_small_talk() -> Fault:
    """For so many long questions nothing is searched, as they sound like conversation."""
    return Fault(
        found=lambda passages, question, at: [] if question.form == "long" and at.hits(question.id) else passages
    )


def second_list_outvotes_the_first() -> Fault:
    """A second search that finds nothing of use comes first where two are joined, for so many wordings."""

    def joined(passages: Passages, question: Question, at: At) -> Passages:
        if not at.hits(question.id):
            return passages
        return [*(anywhere(at, question.id, place) for place in range(8)), *passages]

    return Fault(found=joined)


def titles_alone_ranked() -> Fault:
    """A re-ranker sees the titles of the first 24 candidates and not their text, for so many wordings."""

    def ranked(passages: Passages, question: Question, at: At) -> Passages:
        if not at.hits(question.id):
            return passages
        asked = set(content_words(question.question))
        titles = {each.document: len(asked & set(content_words(each.title))) for each in passages[:24]}
        tied = [
            (-titles[each.document], drawn("tie", question.id, each.document, each.start)) for each in passages[:24]
        ]
        order = sorted(range(len(tied)), key=lambda place: tied[place])
        return [*(passages[place] for place in order), *passages[24:]]

    return Fault(found=ranked)
