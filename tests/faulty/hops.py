"""A fourth healthy pipeline, for questions that need two documents: what the first names is searched for as well."""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from report_cases import make_release

from benchwright.benchmarks.grounding.chunking import Passage
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.rows import load_documents, load_questions
from benchwright.benchmarks.types import Question
from faulty.corpora import GAPS, some
from faulty.pipeline import DEPTH, Search, Stack, simulated_reader
from faulty.stacks import MakeSearch, bench_of, bm25, narrowed, sentences

_DRAWN = 1_600


def two_steps(make: MakeSearch) -> MakeSearch:
    """A search that asks again, with the names of the documents that its three best passages mention."""

    def make_both(passages: Sequence[Passage]) -> Search:
        search = lru_cache(maxsize=5_000)(make(passages))
        titles = tuple({each.title.partition(":")[0] for each in passages} - {""})

        @lru_cache(maxsize=5_000)
        def named(place: int) -> tuple[str, ...]:
            here = passages[place]
            return tuple(name for name in titles if name in here.text and not here.title.startswith(name))

        def both(query: str) -> Sequence[int]:
            first = search(query)
            names = dict.fromkeys(name for place in first[:3] for name in named(place) if name not in query)
            lists = [list(first)]
            for name in itertools.islice(names, 4):
                again = search(f"{name} {query}")
                lists.append([place for place in again if passages[place].title.startswith(name)][:3])
            mixed = itertools.chain.from_iterable(itertools.zip_longest(*lists))
            return list(dict.fromkeys(place for place in mixed if place is not None))[:DEPTH]

        return both

    return make_both


def hops(root: Path, aurp: Release) -> Release:
    """Questions of Aurp that need two facts of two documents, over all its documents."""
    taken, asked, gaps = set[tuple[str, str]](), list[Question](), list[Question]()
    for each in load_questions(aurp, "test"):
        key = (each.group or "", each.form or "")
        facts = {item.fact: item.document for item in each.evidence}
        is_wanted = len(set(facts.values())) > 1 if each.evidence else each.answerability == "gap"
        if (each.hops or 1) > 1 and key not in taken and is_wanted:
            taken.add(key)
            (asked if each.evidence else gaps).append(replace(each, metadata={}))
    return make_release(root / "hops", [*some(asked, _DRAWN), *some(gaps, GAPS)], load_documents(aurp).values())


def on_hops(release: Release) -> Stack:
    """Two searches with BM25 over sentences of Aurp, and a reader that needs both facts."""
    reader = simulated_reader(0.15, 0.03, ("{value}", "The answer is {value}."))
    return Stack("hops", bench_of(release), sentences(60), two_steps(bm25), reader, k=8, hands_in="id")


HOPS: dict[str, Callable[[Release], Stack]] = {"hops": on_hops}
"""The stack that only the blind trial has."""


def hops_bench(root: Path) -> tuple[Release, Stack]:
    """The stack with its release; what was built in `root` for the others is there."""
    folder = root / "narrow" / "hops"
    if not folder.exists():
        (manifest,) = (root / "built").rglob("manifest.json")
        narrowed(hops(root, Release.load(manifest.parent)), folder, on_hops)
    release = Release.load(folder)
    return release, on_hops(release)
