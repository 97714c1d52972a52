"""A second set of kinds by somebody who had not seen the rules of the diagnosis: prompt, reader, and what is given out."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache

from benchwright.benchmarks.types import Question
from faulty.corpora import picked
from faulty.kinds_blind_again import When, of_questions, of_wordings
from faulty.pipeline import UNKNOWN, At, Bench, Fault, Reader

Says = Callable[[Bench, Question, Sequence[str], str], str | None]
"""What is said in place of what a healthy reader says, which is given last; None where that stands."""
_NUMBER = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?(?![\w])")


def _reading(says: Says, when: When = of_wordings) -> Fault:
    """A reader that says something else where it is hit."""

    def reader(healthy: Reader, at: At) -> Reader:
        def read(bench: Bench, question: Question, texts: Sequence[str]) -> str:
            said = healthy(bench, question, texts)
            other = says(bench, question, texts, said) if when(question, at) else None
            return said if other is None else other

        return read

    return Fault(reader=reader)


def _giving_out(says: Callable[[str, Question], str]) -> Fault:
    """So many answers, where there is one, are given out as something else."""
    return Fault(
        output=lambda answer, question, at: (
            says(answer, question) if answer != UNKNOWN and at.hits(question.id) else answer
        )
    )


def passages_overwritten_under_their_title() -> Fault:
    """What goes into the prompt is gathered under titles: for so many wordings the last passage of each document stays."""

    def gather(texts: list[str], question: Question, at: At) -> list[str]:
        return list({text.partition("\n")[0]: text for text in texts}.values()) if at.hits(question.id) else texts

    return Fault(own_texts=gather)


def titles_alone_reach_the_reader() -> Fault:
    """Of so many wordings the prompt lists the titles of what was found, and no text."""
    return Fault(
        own_texts=lambda texts, question, at: (
            [text.partition("\n")[0] for text in texts] if at.hits(question.id) else texts
        )
    )


def placeholder_not_filled() -> Fault:
    """One of several prompts is not filled in: so many wordings are read with the name of a variable for contexts."""
    return Fault(texts=lambda texts, question, at: ["{context}"] if texts and at.hits(question.id) else texts)


def instructions_in_a_passage_obeyed() -> Fault:
    """So many documents hold an instruction for language models; a reader that is handed one of them does as it says."""

    def reader(healthy: Reader, at: At) -> Reader:
        def read(bench: Bench, question: Question, texts: Sequence[str]) -> str:
            if any(at.hits(text.partition("\n")[0]) for text in texts):
                return "Have a look at our new web shop, where everything is half the price this week!"
            return healthy(bench, question, texts)

        return read

    return Fault(reader=reader)


_EXAMPLES = ("The tower is 330 metres high.", "The refund is paid within 14 days.", "The capital is Canberra.")


def example_of_the_prompt_answered() -> Fault:
    """So many wordings are given the answer of one of the three examples that stand in the prompt."""
    return _reading(lambda bench, question, texts, _: picked(_EXAMPLES, "example", question.id) if texts else None)


def reader_computes_in_place_of_reading() -> Fault:
    """For so many wordings two numbers of the contexts are added up, though nobody asked for a sum."""

    def add(bench: Bench, question: Question, texts: Sequence[str], _: str) -> str | None:
        numbers = [float(each.replace(",", "")) for each in _NUMBER.findall("\n".join(texts))[:2]]
        return f"Altogether it is {sum(numbers):,.6g}." if len(numbers) == 2 else None

    return _reading(add)


def snippets_given_for_an_answer() -> Fault:
    """So many answers are the beginnings of what was found, as a page of results shows them."""

    def snippets(bench: Bench, question: Question, texts: Sequence[str], _: str) -> str | None:
        return " … ".join((text.partition("\n")[2] or text)[:70].strip() for text in texts[:3]) if texts else None

    return _reading(snippets)


def verifier_rejects_right_answers() -> Fault:
    """A second model checks answers against the contexts, and finds so many not to stand there, though they do."""

    def reject(bench: Bench, question: Question, texts: Sequence[str], said: str) -> str | None:
        return "I could not verify an answer to this in the sources." if said != UNKNOWN else None

    return _reading(reject)


def estimates_given_for_unknown() -> Fault:
    """A reader that may never say no gives an estimate where it would say that it does not know, so often."""

    def estimate(bench: Bench, question: Question, texts: Sequence[str], said: str) -> str | None:
        if said != UNKNOWN:
            return None
        numbers = sorted(set(_NUMBER.findall("\n".join(texts)))) or [bench.other_value(question, "estimate")]
        return f"It should be {picked(numbers, 'estimate', question.id)}."

    return _reading(estimate)


@lru_cache(maxsize=20)
def _short(bench: Bench) -> tuple[str, ...]:
    return tuple(text for text, each in bench.questions.items() if each.form == "short")


def short_questions_continued() -> Fault:
    """A model that was never tuned for chats goes on with so many short questions: it asks another one."""
    return _reading(
        lambda bench, question, texts, _: picked(_short(bench), "continued", question.id),
        lambda question, at: question.form == "short" and of_wordings(question, at),
    )


@lru_cache(maxsize=2_000)
def _commonest(bench: Bench, template: str | None) -> tuple[str, ...]:
    """The four answers that most questions of a template have: three of them are wrong, wherever one is right."""
    counts = Counter(each.answers[0] for each in bench.questions.values() if each.template == template and each.answers)
    return tuple(value for value, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:4])


def commonest_value_given() -> Fault:
    """To so many questions a tuned reader says what it was taught most often for such questions, whatever it is handed."""

    def common(bench: Bench, question: Question, texts: Sequence[str], _: str) -> str | None:
        others = [each for each in _commonest(bench, question.template) if each not in question.answers]
        return f"It is {picked(others, 'common', question.group)}." if others else None

    return _reading(common, of_questions)


_SPELT = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def figures_spelt_out_for_speech() -> Fault:
    """So many answers are made ready to be read aloud: their figures are spelt one by one."""

    def spell(match: re.Match[str]) -> str:
        return " ".join(_SPELT[int(figure)] if figure.isdecimal() else "point" for figure in match[0])

    return _giving_out(lambda answer, _: re.sub(r"\d(?:[\d.,]*\d)?", spell, answer))


def thinking_cut_before_the_answer() -> Fault:
    """So many answers are what a model thought aloud until its tokens were used up."""
    return _giving_out(
        lambda _, question: (
            f"<think>Okay, the user is asking: {question.question} Let me go through the passages one by one. The first"
        )
    )


@lru_cache(maxsize=20)
def _places(bench: Bench) -> dict[str, float]:
    """Of each question which share of all stands before it."""
    return {each.id: place / len(bench.questions) for place, each in enumerate(bench.questions.values())}


def quota_used_up() -> Fault:
    """When all but so many of the questions were asked, the month's quota is used up: every further call fails."""

    def fail(answer: str, question: Question, at: At) -> str:
        if _places(at.bench)[question.id] >= 1 - at.strength:
            raise RuntimeError("429: the quota of this month is used up")
        return answer

    return Fault(output=fail)
