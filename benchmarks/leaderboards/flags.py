"""What readers should know of a submission that is right by its figures: signs that its answers were not found.

A flag is no proof, and nothing is refused for it: it says what was counted.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from benchwright.benchmarks.leaderboards.layout import Place
from benchwright.benchmarks.leaderboards.verdict import Verdict
from benchwright.benchmarks.types import Question

SKETCH = 256
"""Hashes that a sketch has at the most: a share is then told to about 3 points."""
MOST_OF_ANSWER = 2_000
"""Characters of an answer that are held against others."""
_FEWEST = 20
_VERBATIM, _GAPS, _ALIKE, _OTHER = 0.95, 0.25, 0.95, 0.5
_USUAL = 0.01
"""An answer that is given to a larger share of all questions is a phrase, and tells nothing of where it is from."""
_JOINS = (", ", "; ", " and ", "\n", ",", " | ")

MOST_SENT = 10
"""Sets of answers to the held-out questions of a version that a submitter hands in without a maintainer's looking at
it: the figures of each tell a little of the answers."""
_SENT, _BEFORE = "sets of answers to held-out questions", "of an earlier revision:"

Answers = Mapping[str, str]
"""Question → what was answered, as far as it is looked at; without abstentions."""


def find_flags(
    questions: Sequence[Question],
    answers: Answers,
    sketch: Sequence[str],
    place: Place,
    others: Iterable[Verdict],
    versions: Mapping[str, Mapping[str, tuple[str, ...]]],
) -> Iterator[str]:
    """The flags of a submission.

    Args:
        questions: the open ones.
        answers: its answers to them.
        sketch: see `sketch_of`.
        place: where it is to stand.
        others: the verdicts of other submissions.
        versions: another version → question → its gold answers there.
    """
    yield from _copied(questions, answers)
    yield from _before(place, others)
    yield from _of_another_version(questions, answers, versions)
    yield from _alike(place, sketch, others)


def heldout_sent(verdict: Verdict, place: Place, others: Iterable[Verdict]) -> tuple[int, list[str]]:
    """Of how many revisions of a system answers to held-out questions were scored with this one, and what is to be said
    where its submitter sent many such sets of answers to this version."""
    of_place, of_user = 1, 1
    for other in others:
        if (other.benchmark, other.version) == (place.benchmark, place.version):
            of_place += other.heldout_sent if other.system == place.system else 0
            of_user += other.heldout_sent if other.submitter == verdict.submitter else 0
    if of_user <= MOST_SENT or verdict.is_organisers:
        return of_place, []
    return of_place, [f"its submitter sent {of_user:,} {_SENT}: the figures of each tell a little of them"]


def _before(place: Place, others: Iterable[Verdict]) -> Iterator[str]:
    """What was to be said of the revision that this one takes the place of."""
    for other in others:
        if Place(other.benchmark, other.version, other.system) == place:
            said = (flag for flag in other.flags if _SENT not in flag)
            yield from (flag if flag.startswith(_BEFORE) else f"{_BEFORE} {flag}" for flag in said)


def _copied(questions: Sequence[Question], answers: Answers) -> Iterator[str]:
    """Whether the gold answers stand there letter for letter, also where no document states them."""
    for answerability, least, where in (
        ("answerable", _VERBATIM, "questions that the documents answer"),
        ("gap", _GAPS, "known gaps, which no document answers"),
    ):
        asked = [each for each in questions if each.answerability == answerability and _tells(each)]
        said = sum(is_verbatim(each.answers, answers.get(each.id)) for each in asked)
        if len(asked) >= _FEWEST and said >= least * len(asked):
            yield f"gives the gold answer letter for letter to {said:,} of {len(asked):,} {where}"


def _tells(question: Question) -> bool:
    """Whether its gold answer is not said by chance: yes and no are."""
    return bool(question.answers) and question.answer_type != "boolean"


def _of_another_version(
    questions: Sequence[Question], answers: Answers, versions: Mapping[str, Mapping[str, tuple[str, ...]]]
) -> Iterator[str]:
    for version, gold in versions.items():
        changed = [each for each in questions if _tells(each) and gold.get(each.id, each.answers) != each.answers]
        said = sum(
            is_verbatim(gold[each.id], answers.get(each.id)) and not is_verbatim(each.answers, answers.get(each.id))
            for each in changed
        )
        if len(changed) >= _FEWEST and said >= _OTHER * len(changed):
            yield (
                f"gives the gold answer of version {version} to {said:,} of {len(changed):,} questions whose answer is "
                "another now"
            )


def _alike(place: Place, sketch: Sequence[str], others: Iterable[Verdict]) -> Iterator[str]:
    for other in others:
        there = Place(other.benchmark, other.version, other.system)
        if there == place or (there.benchmark, there.version) != (place.benchmark, place.version):
            continue
        share = alike(sketch, other.sketch)
        if share is not None and share >= _ALIKE:
            whose = f"{other.system} ({other.submitter})"
            yield f"{share:.0%} of its answers that are not the gold ones are those of {whose}"


def is_verbatim(gold: Sequence[str], answer: str | None) -> bool:
    """Whether an answer is the gold one letter for letter: all of its elements, in their order."""
    if answer is None or not gold:
        return False
    said = answer.strip().removesuffix(".")
    return any(said == join.join(gold) for join in (_JOINS if len(gold) > 1 else ("",)))


def sketch_of(questions: Sequence[Question], answers: Answers) -> tuple[str, ...]:
    """The least hashes of a submission's answers that are neither gold nor phrases; none of too few.

    Two submissions have the same share of their sketches in common as of their answers (Broder 1997, "On the
    resemblance and containment of documents").
    """
    usual = max(_USUAL * len(questions), 2)
    phrases = {text for text, count in Counter(map(_folded, answers.values())).items() if count > usual}
    hashes = set()
    for each in questions:
        answer = answers.get(each.id)
        if answer is None or is_verbatim(each.answers, answer) or (text := _folded(answer)) in phrases:
            continue
        hashes.add(hashlib.sha256(f"{each.id}\n{text}".encode("utf-8", "replace")).hexdigest()[:16])
    return tuple(sorted(hashes)[:SKETCH]) if len(hashes) >= _FEWEST else ()


def alike(one: Sequence[str], other: Sequence[str]) -> float | None:
    """The share of answers that two submissions have in common, from their sketches; None where one has none."""
    if not one or not other:
        return None
    both = sorted({*one, *other})[: max(len(one), len(other))]
    return sum(each in set(one) and each in set(other) for each in both) / len(both)


def _folded(answer: str) -> str:
    return " ".join(answer.casefold().split())
