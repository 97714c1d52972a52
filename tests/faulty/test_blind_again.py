"""Each kind of the second blind set breaks something, and its healthy pipelines lose nothing; no report is asked."""

from collections.abc import Iterator
from functools import cache

import pytest

from benchwright.benchmarks.types import Document, Evidence, Question
from faulty.blind_again import AGAIN
from faulty.hops import two_steps
from faulty.pipeline import Bench, Pipeline, Stack, simulated_reader
from faulty.stacks import keyword_then_titles, sentences
from faulty.trial import Variant, broken

_PLACES = ("Aland", "Brevik", "Calder", "Dunmore", "Eskdale", "Farsund", "Glenavon", "Hollis")
_FIRST = ("Harbour", "Lantern", "Meadow", "Orchard", "Quarry", "Saddle", "Timber", "Willow")


def _asked(name: str, group: str, asked: str, value: str, *evidence: Evidence, gap: bool = False) -> Iterator[Question]:
    long = f"Before I send this off, could somebody tell me what the {asked} of {name} is."
    for form, text in (("short", f"what is the {asked} of {name}?"), ("long", long)):
        yield Question(
            id=f"{group}-{form}",
            question=text,
            answers=(value,),
            answerability="gap" if gap else "answerable",
            group=group,
            form=form,
            template=asked,
            entity=name,
            hops=len(evidence),
            documents=tuple(each.document for each in evidence),
            evidence=evidence,
        )


@cache
def _stack() -> Stack:
    """Pages about 32 houses and those who keep them, a few sentences each."""
    documents, questions = dict[str, Document](), list[Question]()
    for number in range(32):
        house, keeper = f"{_FIRST[number % 8]} House {_PLACES[number // 4]}", f"Keeper{number:02d} Moor"
        height, year = f"{40 + number}.5 metres", f"{1900 + number % 8}"
        told = " ".join(f"A note of no weight is kept here as number {each}." for each in range(number % 5 + 2))
        body = f"The height of {house} is {height}. {told} The keeper of {house} is {keeper}. {told}"
        page = f"{told} The year of birth of {keeper} is {year}. {told} {keeper} likes to walk."
        documents[f"h{number:02d}"] = Document(f"h{number:02d}", house, body)
        documents[f"p{number:02d}"] = Document(f"p{number:02d}", keeper, page)
        high = Evidence(f"h{number:02d}", body.index(height), body.index(height) + len(height))
        kept = Evidence(f"h{number:02d}", body.index(keeper), body.index(keeper) + len(keeper))
        born = Evidence(f"p{number:02d}", page.index(year), page.index(year) + len(year), 1)
        questions += _asked(house, f"height-{number}", "height", height, high)
        questions += _asked(keeper, f"birth-{number}", "year of birth", year, born)
        if number % 4 == 0:
            questions += _asked(house, f"colour-{number}", "colour", f"shade {number}", gap=True)
        else:
            questions += _asked(f"the keeper of {house}", f"kept-{number}", "year of birth", year, kept, born)

    bench = Bench(documents, {each.question: each for each in questions})
    reader = simulated_reader(0.1, 0.02, ("{value}", "It is {value}."))
    return Stack("small", bench, sentences(16), two_steps(keyword_then_titles), reader, k=5)


def _replies(pipeline: Pipeline) -> list[str]:
    bench = pipeline.stack.bench
    pipeline.index([{"id": each.id, "title": each.title, "text": each.body} for each in bench.documents.values()])
    found = list[str]()
    for text in bench.questions:
        try:
            found.append(str(pipeline.answer(text)))
        except RuntimeError as error:
            found.append(str(error))
    return found


@cache
def _healthy_replies() -> list[str]:
    return _replies(Pipeline(_stack()))


def _changed(name: str, strength: float) -> int:
    replies = _replies(broken(_stack(), Variant(((name, strength),))))
    return sum(one != other for one, other in zip(replies, _healthy_replies(), strict=True))


@pytest.mark.parametrize("name", [each.name for each in (*AGAIN.kinds(), *AGAIN.others())])
def test_every_kind_changes_answers_or_contexts_and_the_more_so_the_stronger(name: str) -> None:
    kind = next(each for each in (*AGAIN.kinds(), *AGAIN.others()) if each.name == name)
    weak, _, strong = kind.strengths
    assert 0 < _changed(name, strong) >= _changed(name, weak)


def test_healthy_pipelines_lose_no_answer() -> None:
    bench = _stack().bench
    asked = {text: each for text, each in bench.questions.items() if each.evidence}

    def right(stack: Stack) -> int:
        pipeline = Pipeline(stack)
        _replies(pipeline)
        return sum(each.answers[0] in pipeline.answer(text)["answer"] for text, each in asked.items())

    at_least = right(_stack()) - 3
    assert all(right(each) >= at_least for _, each in AGAIN.variants("blind-again-healthy", _stack()))


def test_all_of_the_set_can_be_made() -> None:
    sizes = {sort: len(list(AGAIN.variants(sort, _stack()))) for sort in AGAIN.sorts}
    assert sizes == {"blind-again-healthy": 6, "blind-again": 90, "blind-again-other": 2, "blind-again-pair": 6}
    made = [each for sort in AGAIN.sorts for each, _ in AGAIN.variants(sort, _stack())]
    assert len({each.name for each in made}) == len(made)
    for each in made:
        broken(_stack(), each)
