"""Kinds of faults by somebody who had not seen the rules of the diagnosis: prompt, reader, and what is given out."""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from benchwright.benchmarks.grounding.chunking import Passage
from benchwright.benchmarks.systems.calling import titled
from benchwright.benchmarks.types import Question
from faulty.corpora import picked
from faulty.pipeline import UNKNOWN, At, Bench, Fault, Reader, names


def middle_of_the_prompt_dropped() -> Fault:
    """What does not fit is taken from the middle of all that was put together: so much of it."""

    def drop(texts: list[str], question: Question, at: At) -> list[str]:
        joined = "\n\n".join(texts)
        kept = int(len(joined) * (1 - at.strength) / 2)
        return [joined[:kept], joined[len(joined) - kept :]] if kept else []

    return Fault(texts=drop)


def question_cut_in_the_prompt() -> Fault:
    """Of so many long questions the reader is shown the beginning alone, and asks what is wanted."""

    def reader(healthy: Reader, at: At) -> Reader:
        def read(bench: Bench, question: Question, texts: Sequence[str]) -> str:
            if question.form == "long" and at.hits(question.id):
                return "Of course, I am glad to help. What would you like to know?"
            return healthy(bench, question, texts)

        return read

    return Fault(reader=reader)


def last_context_only_is_read() -> Fault:
    """Of so many wordings the reader takes in what stands last in the prompt alone."""
    return Fault(texts=lambda texts, question, at: texts[-1:] if at.hits(question.id) else texts)


def titles_left_out_of_the_prompt() -> Fault:
    """In so many calls the passages that were found are put into the prompt without their titles."""

    def bare(texts: list[str], question: Question, at: At) -> list[str]:
        return [text.partition("\n")[2] or text for text in texts] if at.hits(question.id) else texts

    return Fault(own_texts=bare)


def redaction_too_wide() -> Fault:
    """A filter for personal data blackens the value in whatever so many prompts hold."""

    def blacken(texts: list[str], question: Question, at: At) -> list[str]:
        if not at.hits(question.id):
            return texts
        return [text.replace(at.bench.stated(question), "[REDACTED]") for text in texts]

    return Fault(texts=blacken)


def _said_instead(says: Callable[[str, Question, At], str]) -> Fault:
    """So many answers, where there is one, are another."""
    return Fault(
        output=lambda answer, question, at: (
            says(answer, question, at) if answer != UNKNOWN and at.hits(question.id) else answer
        )
    )


def reader_rounds_numbers() -> Fault:
    """In so many answers numbers are rounded to their first figure."""

    def rounded(match: re.Match[str]) -> str:
        number = float(match[0].replace(",", ""))
        return f"{float(f'{number:.0e}'):,.0f}"

    return _said_instead(lambda answer, question, at: re.sub(r"\d[\d,]*(?:\.\d+)?", rounded, answer))


def reader_answers_with_the_name_asked_about() -> Fault:
    """So many answers are the name that stands in the question."""
    return _said_instead(lambda answer, question, at: f"It is {question.entity}.")


def reader_says_yes() -> Fault:
    """So many answers are as if it had been asked whether."""
    return _said_instead(lambda answer, question, at: "Yes.")


_VALUE = re.compile(r"\d[\d.,]*\d(?: [a-z]+)?|(?<=[a-z] )[A-Z]\w+ [A-Z]\w+")


def reader_takes_another_attribute() -> Fault:
    """So many answers are something else that the right page says of what was asked about."""

    def reader(healthy: Reader, at: At) -> Reader:
        def read(bench: Bench, question: Question, texts: Sequence[str]) -> str:
            said = healthy(bench, question, texts)
            if said == UNKNOWN or not at.hits(question.id) or not question.documents:
                return said
            page, stated = bench.documents[question.documents[-1]], bench.stated(question)
            there = [match[0] for text in texts if names(page, text) for match in _VALUE.finditer(text)]
            others = [each for each in there if each not in stated and stated not in each and each not in page.title]
            return f"It is {picked(others, 'attribute', question.id)}." if others else said

        return read

    return Fault(reader=reader)


@lru_cache(maxsize=20)
def _first_of_key(bench: Bench) -> dict[str, str]:
    found = dict[str, str]()
    for text, each in bench.questions.items():
        if each.evidence:
            found.setdefault(text[:28], bench.stated(each))
    return found


def answers_cached_under_a_cut_question() -> Fault:
    """So often an answer is taken from a cache, which knows questions by their first 28 characters."""

    def cached(answer: str, question: Question, at: At) -> str:
        return _first_of_key(at.bench).get(question.question[:28], answer) if at.hits(question.id) else answer

    return Fault(output=cached)


@lru_cache(maxsize=20)
def _five_on(bench: Bench) -> dict[str, Question]:
    asked = list(bench.questions.values())
    return {each.id: asked[(place + 5) % len(asked)] for place, each in enumerate(asked)}


def answers_swapped_in_a_batch() -> Fault:
    """So many answers are those to another question of the same batch."""

    def swapped(answer: str, question: Question, at: At) -> str:
        if not at.hits(question.id):
            return answer
        other = _five_on(at.bench)[question.id]
        return at.bench.stated(other) if other.evidence else UNKNOWN

    return Fault(output=swapped)


def guard_refuses_before_searching() -> Fault:
    """Questions about so many names are refused by their first letters, before anything is searched."""

    def is_refused(question: Question, at: At) -> bool:
        return at.hits((question.entity or "")[:2].casefold())

    def reader(healthy: Reader, at: At) -> Reader:
        def read(bench: Bench, question: Question, texts: Sequence[str]) -> str:
            return (
                "I am sorry, but I cannot talk about this topic."
                if is_refused(question, at)
                else healthy(bench, question, texts)
            )

        return read

    return Fault(
        contexts=lambda passages, question, at: [] if is_refused(question, at) else passages,
        reader=reader,
    )


def figures_stripped_from_answers() -> Fault:
    """A clean-up takes the figures out of so many answers."""
    return _said_instead(lambda answer, question, at: re.sub(r"\d", "", answer))


def object_printed_for_answer() -> Fault:
    """In place of so many answers stands the name of the thing that held it."""
    return _said_instead(lambda answer, question, at: "[object Object]")


def failures_told_as_answers() -> Fault:
    """So many calls fail, and what the user is told about it is handed out as the answer."""
    return Fault(
        output=lambda answer, question, at: (
            "Sorry, something went wrong. Please try again later." if at.hits(question.id) else answer
        )
    )


def contexts_of_another_question_logged() -> Fault:
    """None of the modules: so often other contexts are shown than were read; and four in ten answers are from memory."""
    read: dict[str, list[str]] = {}

    def shown(passages: list[Passage], question: Question, at: At) -> list[Passage]:
        read[question.id] = list(map(titled, passages))
        if not at.hits(question.id):
            return passages
        documents = [
            at.bench.documents[picked(list(at.bench.documents), "log", question.id, place)]
            for place in range(len(passages))
        ]
        return [Passage(each.id, each.title, 0, 300, each.body[:300]) for each in documents]

    def said(answer: str, question: Question, at: At) -> str:
        by_heart = answer != UNKNOWN and At("by heart", 0.4, at.bench).hits(question.id)
        return f"It is {at.bench.other_value(question, 'memory')}." if by_heart else answer

    return Fault(contexts=shown, own_texts=lambda texts, question, at: read.get(question.id, texts), output=said)
