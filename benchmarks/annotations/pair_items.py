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
    "faithfulness": "Which answer says only what the source says?",
    "answer_relevance": "Which answer speaks to the question, to all of it and to nothing else?",
    "context_relevance": "Which context holds what the question needs, and little else?",
}
GUIDE: tuple[tuple[str, str], ...] = (
    (
        "What to do",
        "You read a question and two candidates, A and B, which stand in a drawn order. Say which one is better in "
        "what you are asked for, and in that alone. What you know of the subject does not count: hold the candidates "
        "against what you are shown. Where you see no difference, say so; a note may say why.",
    ),
    (
        "Faithfulness",
        "What an answer claims can be concluded from the source. A claim that is true in the world and not in the "
        "source makes an answer less faithful. How well it answers is another matter.",
    ),
    (
        "Answer relevance",
        "An answer does what the question asks for, and all of it. Parts that are left out, repetitions, and what was "
        "not asked for make it less relevant. Whether it is true is another matter.",
    ),
    (
        "Context relevance",
        "A context has what is needed to answer the question and as little else as may be. Sentences that do not help "
        "to answer make it less relevant.",
    ),
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
        page: its name, on which depends which candidate stands on the left.
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
                groups[item.id] = pair.id
    if not items:
        raise BenchwrightError(f"no pair of {name} has two answers or contexts: there is nothing to choose between")
    return Work("release", name, name, manifest.content_hash[:16], tuple(items), groups, guide=GUIDE)


def _item(pair: Pair, dimension: Dimension, page: str, has_texts: bool) -> Item:
    name = item_id(dimension, pair.id)
    choices = choices_of_pair(page, name)
    columns = dict(zip(_SIDES, COLUMNS[dimension], strict=True))
    task = Task(dimension, _ASKED[dimension], choices, {"pair_id": pair.id, "dimension": dimension})
    if not has_texts:
        return Item(name, (task,))
    texts = [Shown("Question", "question", ((pair.question, False),))]
    if dimension == "faithfulness":
        texts += [Shown("Source", "context", ((each.text or "", False),)) for each in read_beside(pair)]
    texts += [
        Shown(letter, "candidate", ((_text(getattr(pair, columns[choice.name])), False),))
        for choice, letter in zip(choices, LETTERS, strict=False)
    ]
    return Item(name, (task,), tuple(texts))


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


def _text(value: str | tuple[str, ...]) -> str:
    return value if isinstance(value, str) else "\n\n".join(value)
