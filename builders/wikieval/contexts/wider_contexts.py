"""Contexts that are wider than they need be: other sentences among those of a passage (Es et al. 2024, section 4).

They are from pages that link to its page, or from sections of documents beside it; by rule, where these have too few,
from pages that it links to and from other pages of the build. None tells what is asked for, so that the context is less
relevant to its question by construction; what a model writes instead is held against the same rules.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from benchwright.benchmarks.hashing import rank
from benchwright.benchmarks.text.sentences import COUNTED
from benchwright.builders.wiki.questions.dates import find_dates
from benchwright.builders.wikieval.contexts.leaning import is_joined, leans
from benchwright.builders.wikieval.contexts.wider_sentences import sentence_problem
from benchwright.builders.wikieval.material import How, MadeContext, Neighbour, Origin, PairParts, Passage

NEAR: tuple[Origin, ...] = ("linking page", "same document", "other document")
"""Whose sentences are taken as far as they are wanted."""
FAR: tuple[Origin, ...] = ("linked page", "other page")
"""Whose sentences fill a context up to the fewest, the first of them before the others."""
FEWEST, _MOST = 3, 6
"""Sentences that widen a context."""
BY_MODEL = "model"


def sentences_wanted(passage: Passage) -> int:
    """How many sentences widen a passage: as many as it has, from 3 to 6."""
    return min(_MOST, max(FEWEST, len(COUNTED.spans(passage.text))))


def widen(
    passage: Passage,
    question: str,
    told: Collection[str],
    seed: int,
    *,
    origins: Sequence[Origin] = (*NEAR, *FAR),
    others: Iterable[Neighbour] = (),
) -> MadeContext | None:
    """A passage with sentences of its neighbours among its own; None where none of them fits.

    Of each origin those that name the passage's subject come first. The detail has `added`, the places of the other
    sentences in the context counted from 0, `from`, where each of these is from, and `sentences`, how many there are.

    Args:
        passage: whose neighbours are looked at.
        question: that the sentences are of no use for.
        told: what they must not tell: the values of the facts that are asked, or the answer as a whole.
        seed: decides which are taken, and where they stand.
        origins: whose sentences may be taken, in their order.
        others: further neighbours, such as sentences of other pages.
    """
    taken: list[Neighbour] = []
    texts: list[str] = []
    for one in _ordered([*passage.neighbours, *others], origins, passage, seed):
        is_near = one.origin in NEAR and not is_older(one, passage)
        if len(texts) >= (sentences_wanted(passage) if is_near else FEWEST):
            continue
        sentences = tuple(" ".join(each.split()) for each in one.sentences)
        if is_joined(sentences[0]) or not set(texts).isdisjoint(sentences):
            continue
        if any(sentence_problem(each, told, question, passage) for each in sentences):
            continue
        taken.append(one)
        texts += sentences
    rows = [one.as_row() for one in taken]
    runs = [tuple(" ".join(each.split()) for each in one.sentences) for one in taken]
    return mix(passage, runs, seed, "rule", {}, rows) if taken else None


def _ordered(found: Iterable[Neighbour], origins: Sequence[Origin], passage: Passage, seed: int) -> list[Neighbour]:
    def place(one: Neighbour) -> tuple[bool, int, bool, bytes]:
        far = FAR.index(one.origin) + 1 if one.origin in FAR else 0
        return is_older(one, passage), far, not one.names_it, rank(seed, "wikieval", passage.source, *one.sentences)

    return sorted((one for one in dict.fromkeys(found) if one.origin in origins), key=place)


def is_older(one: Neighbour, passage: Passage) -> bool:
    """Whether a sentence names a page's subject and tells of times before all that the page tells of: it may mean
    another one of its name, and is taken last."""
    dates = find_dates(one.sentences[-1]) if one.names_it else []
    begins = min((dated.first for dated in find_dates(passage.text)), default=date.min)
    return bool(dates) and max(dated.last for dated in dates) < begins


def mix(
    passage: Passage,
    runs: Sequence[Sequence[str]],
    seed: int,
    how: How,
    detail: Mapping[str, Any],
    rows: Sequence[Mapping[str, Any]] = (),
) -> MadeContext:
    """The sentences of a passage in their order with others among them, its first one first: it says what all is about.

    None stands before one of the passage that leans on those before it: another sentence before "It was …" would change
    what that says.

    Args:
        passage: whose sentences stay as they are.
        runs: the others; those of a run stay together.
        seed: decides where they stand.
        how: who made them.
        detail: what else makes the preference known.
        rows: for each run where it is from.
    """
    own = [passage.text[slice(*span)] for span in COUNTED.spans(passage.text)]
    after: list[list[int]] = [[] for _ in own]
    known = f"{passage.title} {passage.text}"
    places = [at for at in range(len(own)) if at + 1 == len(own) or not leans(own[at + 1], known)]
    for number, run in enumerate(runs):
        place = min(places, key=lambda at: rank(seed, "wikieval", passage.source, *run, at))
        after[place].append(number)
    texts: list[str] = []
    added: list[int] = []
    sources: list[Mapping[str, Any]] = []
    for sentence, numbers in zip(own, after, strict=True):
        texts.append(sentence)
        for number in numbers:
            added += range(len(texts), len(texts) + len(runs[number]))
            texts += runs[number]
            sources += [rows[number]] * len(runs[number]) if rows else []
    told = {"from": sources} if rows else {}
    return MadeContext(tuple(texts), how, {**detail, "added": added, **told, "sentences": len(texts)})


def count_origins(pairs: Iterable[PairParts]) -> dict[str, int]:
    """Where the sentences that widen contexts are from → how many."""
    counts = Counter[str]()
    for context in (parts.context_v2 for parts in pairs):
        if context is not None and context.how == "model":
            counts[BY_MODEL] += len(context.detail["added"])
        elif context is not None:
            counts.update(row["from"] for row in context.detail["from"])
    return dict(sorted(counts.items()))
