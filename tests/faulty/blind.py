"""What is tried blind: kinds of `blind.toml`, healthy pipelines in other settings, pairs, and faults of no module.

`faulty.table --blind` runs it. There is a second set, in `blind_again.py`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from report_cases import make_release

from benchwright.benchmarks.grounding.chunking import Passage
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.rows import load_documents, load_questions
from faulty.blind_trial import Trial, a_little_of
from faulty.draw import blind, others
from faulty.hops import two_steps
from faulty.pipeline import At, Search, Stack, simulated_reader
from faulty.stacks import MakeSearch, bm25, by_characters, hashed_vectors, keyword_then_titles, sentences
from faulty.trial import Variant

PAIRS = (
    ("near_equals_thrown_away", 0.3, "figures_stripped_from_answers", 0.5),
    ("names_rewritten_to_another", 0.3, "reader_says_yes", 0.4),
    ("newest_first", 0.7, "failures_told_as_answers", 0.35),
    ("figures_rounded_at_import", 0.5, "router_takes_long_questions_for_small_talk", 0.5),
    ("summaries_handed_in", 0.4, "reader_answers_with_the_name_asked_about", 0.35),
    ("middle_of_the_prompt_dropped", 0.6, "date_filter_too_narrow", 0.35),
)
"""Two modules broken at once."""
_SEVEN = (
    "corpus_lacks_documents",
    "columns_torn_apart",
    "names_rewritten_to_another",
    "search_fails_in_silence",
    "reader_too_shy",
    "reader_takes_another_value",
    "object_printed_for_answer",
)
WRONG_LABELS = "wrong-labels"
"""The benchmark's fault: of four in ten groups the answer that is held to be right is that of another."""


def _healthy(stack: Stack) -> Iterator[Stack]:
    """The same pipeline with other parts, each of them fine."""
    of = two_steps if stack.name == "hops" else (lambda make: make)
    yield replace(stack, chunk=by_characters(700, 350), k=stack.k + 4)
    yield replace(stack, make_search=partial(_worst_first, stack.make_search, stack.k))
    yield replace(stack, make_search=of(partial(_fused, bm25, hashed_vectors)), k=stack.k + 2)
    yield replace(stack, chunk=sentences(40), make_search=of(bm25), k=10)
    polite = (
        "Thank you for your question! According to page [1], it is {value}. Is there anything else you wish to know?",
        "Based on what I was given [1][2], the short answer would be: **{value}**.",
    )
    yield replace(stack, reader=simulated_reader(0.15, 0.03, polite))
    yield replace(stack, chunk=sentences(150), make_search=of(keyword_then_titles), k=6, hands_in="id")


def _worst_first(make: MakeSearch, k: int, passages: Sequence[Passage]) -> Search:
    """The best k as they are, the best of them last, for readers that heed most what they read last."""
    search = make(passages)
    return lambda query: [*list(search(query))[:k][::-1], *list(search(query))[k:]]


def _fused(one: MakeSearch, other: MakeSearch, passages: Sequence[Passage]) -> Search:
    """Two searches, joined by the places that a passage has in them."""
    both = one(passages), other(passages)

    def search(query: str) -> Sequence[int]:
        scores: dict[int, float] = {}
        for each in both:
            for place, passage in enumerate(each(query)):
                scores[passage] = scores.get(passage, 0.0) + 1 / (60 + place)
        return sorted(scores, key=lambda passage: -scores[passage])[:60]

    return search


def with_wrong_labels(release: Release, stack: Stack, folder: Path) -> Release:
    """The release with other answers for four in ten groups; its documents and evidence are as they were."""
    if folder.exists():
        return Release.load(folder)
    at = At(WRONG_LABELS, 0.4, stack.bench)
    asked = [
        replace(each, answers=(stack.bench.other_value(each, "label"),), aliases=())
        if each.evidence and at.hits(each.group)
        else each
        for each in load_questions(release, "test")
    ]
    return make_release(folder, asked, load_documents(release).values())


FIRST = Trial(
    "blind",
    blind,
    others,
    (Variant(label=WRONG_LABELS), a_little_of(_SEVEN, 0.09, "a-little-of-all")),
    _healthy,
    PAIRS,
)
