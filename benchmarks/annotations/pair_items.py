"""What people are asked about the pairs of a release: in each dimension, which of two answers or contexts is better.

The dimensions, and who is compared with whom, are those of WikiEval (Es et al. 2024, section 4). What people are told
of a dimension is in our own words.
"""

from collections.abc import Mapping

from benchwright.benchmarks.annotations.items import Choice, Item, Shown, Task, Work
from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.hashing import rank
from benchwright.benchmarks.releases.pairs import COLUMNS, Pair, pairs_in
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.runs.pairs.candidates import read_beside
from benchwright.benchmarks.types import DIMENSIONS, Dimension

_ASKED: Mapping[Dimension, str] = {
    "faithfulness": "Which answer keeps more to what the source says?",
    "answer_relevance": "Which answer does more of what the question asks, and less of anything else?",
    "context_relevance": "Which context has what the question needs, and less of anything else?",
}
_MEANING: Mapping[Dimension, tuple[str, str]] = {
    "faithfulness": (
        "Faithfulness",
        "What an answer claims can be concluded from the source. A claim that is true in the world and not in the "
        "source makes an answer less faithful. How well it answers is another matter.",
    ),
    "answer_relevance": (
        "Answer relevance",
        "An answer does directly what the question asks for, and all of it. Parts that are left out, repetitions, and "
        "what was not asked for make it less relevant. Whether it is true is another matter.",
    ),
    "context_relevance": (
        "Context relevance",
        "A context has what is needed to answer the question and as little else as may be. Sentences that do not help "
        "to answer make it less relevant.",
    ),
}
"""What a dimension is called, and what it stands for (Es et al. 2024, section 3), in our own words."""
GUIDE: tuple[tuple[str, str], ...] = (
    (
        "What to do",
        "You read a question and two candidates, A and B, which stand in a drawn order. Say which one is better in "
        "what you are asked for, and in that alone. What you know of the subject does not count: hold the candidates "
        "against what you are shown. Where you see no difference, say so; a note may say why.",
    ),
    *_MEANING.values(),
)
"""What people are told before they begin, in our own words."""
_SIDES, TIE = ("first", "second"), "tie"
"""What may be chosen."""
LETTERS = "AB"
"""What a page calls the candidates, from the left."""


def pair_work(release: Release, page: str = "", *, has_texts: bool = True) -> Work:
    """The pairs of a release as items, one for each dimension of which both candidates are there.

    Args:
        release: with the config `pairs`.
        page: its name, and the seed where there is one: on these depends which candidate stands on the left.
        has_texts: False: only the tasks, to check what was said.

    Raises:
        BenchwrightError: the release has no pairs to choose from.
    """
    manifest = release.manifest
    name = f"{manifest.name} {manifest.version}"
    _, pairs = pairs_in(release)
    items, groups = [], {}
    for dimension in DIMENSIONS:
        for pair in pairs:
            if not any(pair.lacks(column) for column in COLUMNS[dimension]):
                item = _item(pair, dimension, page, has_texts)
                items.append(item)
                groups[item.id] = " ".join(pair.question.casefold().split())
    if not items:
        raise BenchwrightError(f"no pair of {name} has two answers or contexts: there is nothing to choose between")
    return Work("release", name, name, manifest.content_hash[:16], tuple(items), groups, guide=GUIDE)


def _item(pair: Pair, dimension: Dimension, page: str, has_texts: bool) -> Item:
    name = item_id(dimension, pair.id)
    choices = choices_of_pair(page, name)
    columns = dict(zip(_SIDES, COLUMNS[dimension], strict=True))
    topic, meaning = _MEANING[dimension]
    line = {"pair_id": pair.id, "dimension": dimension}
    task = Task(dimension, _ASKED[dimension], choices, line, topic=topic, meaning=meaning)
    if not has_texts:
        return Item(name, (task,), about=pair.question)
    texts = [Shown("Question", "question", ((pair.question, False),))]
    if dimension == "faithfulness":
        texts += [Shown("Source", "context", ((each.text or "", False),)) for each in read_beside(pair)]
    candidates = [getattr(pair, columns[choice.name]) for choice in choices if choice.name in columns]
    gap = "\n\n" if all(len(each) > 1 for each in candidates) else " "  # else gaps tell which one was widened
    texts += [
        Shown(letter, "candidate", ((each if isinstance(each, str) else gap.join(each), False),))
        for each, letter in zip(candidates, LETTERS, strict=True)
    ]
    return Item(name, (task,), tuple(texts), pair.question)


def choices_of_pair(page: str, item: str) -> tuple[Choice, ...]:
    """What may be said of a pair in one dimension, as a page shows it: that A is better, that B is, or neither.

    Args:
        page: its name, on which depends which candidate is A.
        item: its id.
    """
    sides = list(_SIDES)
    if rank("annotate", "sides", page, item)[0] % 2:
        sides.reverse()
    return (
        *(Choice(side, f"{letter} is better", side) for side, letter in zip(sides, LETTERS, strict=True)),
        Choice(TIE, "No difference", TIE),
    )


def item_id(dimension: str, pair: str) -> str:
    """What the item of a pair in a dimension is called."""
    return f"{dimension} {pair}"
