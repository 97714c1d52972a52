"""What is tried blind a second time: kinds of `blind_again.toml`, and what else `blind.py` has, each by new examples.

`faulty.table --blind-again` runs it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from benchwright.benchmarks.grounding.chunking import Passage
from benchwright.benchmarks.types import Document, Question
from faulty.blind_trial import Trial, a_little_of
from faulty.draw import blind_again, others_again
from faulty.pipeline import UNKNOWN, Bench, Reader, Search, Stack, simulated_reader
from faulty.stacks import MakeSearch

_PAIRS = (
    ("longest_documents_refused", 0.3, "thinking_cut_before_the_answer", 0.35),
    ("invented_answer_searched_for", 0.35, "verifier_rejects_right_answers", 0.35),
    ("drafts_with_blanks_indexed", 0.35, "query_syntax_breaks_on_marks", 0.5),
    ("scores_rounded_until_they_tie", 0.8, "example_of_the_prompt_answered", 0.35),
    ("search_stays_in_the_last_document", 0.3, "titles_alone_reach_the_reader", 0.4),
    ("quota_used_up", 0.3, "commonest_value_given", 0.35),
)
"""Two modules broken at once."""
_SEVEN = (
    "longest_documents_refused",
    "drafts_with_blanks_indexed",
    "invented_answer_searched_for",
    "placeholder_not_filled",
    "snippets_given_for_an_answer",
    "reader_computes_in_place_of_reading",
    "thinking_cut_before_the_answer",
)
"""The greatest of them costs as little as the others."""
_SAYS = (
    "Answer: {value}\nSources: [1], [2]",
    "- **{value}** [1]",
    "As far as the pages at hand go, this is {value} (see the first of them).",
)
_SAYS_NOT = "I'm sorry, but the documents I was given do not contain this information."


def _healthy(stack: Stack) -> Iterator[Stack]:
    """The same pipeline with other parts, none of which loses an answer that the pipeline as it is gives.

    The contexts are the same or more, in another order or with more around them, and the readers read all of them.
    """
    yield replace(stack, hands_in="capitals", k=stack.k + 2)
    yield replace(stack, hands_in="header")
    yield replace(stack, k=20, reader=simulated_reader(0.04, 0.02, ("{value}.", "The answer: {value}.")))
    yield replace(stack, make_search=partial(_in_order_of_pages, stack.make_search, stack.k), hands_in="text")
    yield replace(stack, reader=_says_no_at_length(simulated_reader(0.1, 0.02, _SAYS)))
    yield replace(stack, chunk=partial(_with_surroundings, stack.chunk), k=stack.k + 5)


def _in_order_of_pages(make: MakeSearch, k: int, passages: Sequence[Passage]) -> Search:
    """The best k, in the order in which they stand in the documents."""
    search = make(passages)

    def ordered(query: str) -> Sequence[int]:
        found = list(search(query))
        return [*sorted(found[:k]), *found[k:]]

    return ordered


def _says_no_at_length(reader: Reader) -> Reader:
    def read(bench: Bench, question: Question, texts: Sequence[str]) -> str:
        said = reader(bench, question, texts)
        return _SAYS_NOT if said == UNKNOWN else said

    return read


def _with_surroundings(chunk: Callable[[Document], list[Passage]], document: Document) -> list[Passage]:
    """The passages, each with up to 150 characters before and after it, as of a search for sentences in windows."""
    body, found = document.body, list[Passage]()
    for each in chunk(document):
        start, end = max(0, each.start - 150), min(len(body), each.end + 150)
        found.append(replace(each, start=start, end=end, text=body[start:end]))
    return found


AGAIN = Trial(
    "blind-again",
    blind_again,
    others_again,
    (a_little_of(_SEVEN, 0.08, "a-little-of-much"),),
    _healthy,
    _PAIRS,
)
