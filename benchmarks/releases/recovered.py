"""How many held-out answers come out again from the public half: computed for each release when it is built.

Three programs answer every held-out group, or an even sample of them, and an answer counts where it is exactly the one
that is held out, or an alias of it:

- the best guess: the most frequent open answer of the template;
- the open answers: what `guessing.py` makes of all of them, without a document;
- reading: the builder's own reader, which knows how the documents are made, and guesses where they say nothing.

Known gaps are counted apart: no document states them. The public half says shares alone, in hundredths.
"""

from collections.abc import Callable, Mapping, Sequence

from benchwright.benchmarks.hashing import rank
from benchwright.benchmarks.releases.guessing import Answer, Fact, Guesser, facts, open_facts
from benchwright.benchmarks.releases.release import TEST, Release

MOST = 3_000
"""Groups that are tried."""
GAP = "gap"

ReadAnswers = Callable[[Release, Sequence[Fact]], Mapping[str, Answer]]
"""Given the public half and held-out groups without their answers: group → what its documents say; where they say
nothing, the group is missing."""
Shares = Mapping[str, float]
"""`answerable` and `gap` → share that is right; what there is none of is missing."""


def recovered(public: Release, private: Release, read: ReadAnswers | None) -> dict[str, Shares]:
    """Program → the shares that it gets right.

    Args:
        public: the public half.
        private: the other one.
        read: the builder's reader, where it has one.
    """
    truth = {fact.group: fact for fact in facts(private, TEST)}
    chosen = sorted(truth, key=lambda group: rank("recovered", group))[:MOST]
    asked = [Fact(group, truth[group].template, truth[group].entity) for group in chosen]
    accepted, kinds = _accepted(private, set(chosen))
    guesser = Guesser(open_facts(public))
    guesses = {fact.group: guesser.guess(fact) for fact in asked}
    found: dict[str, Mapping[str, Answer]] = {
        "best_guess": {fact.group: guesser.best_guess(fact.template) for fact in asked},
        "open_answers": guesses,
    }
    if read is not None and public.manifest.rows.get("corpus"):
        found["reading"] = {**guesses, **read(public, asked)}
    return {
        program: {
            kind: round(sum(_is_right(answers[group], accepted[group]) for group in of) / len(of), 2)
            for kind, of in kinds.items()
        }
        for program, answers in found.items()
    }


def _accepted(private: Release, chosen: set[str]) -> tuple[dict[str, list[set[str]]], dict[str, list[str]]]:
    """Group → for each part of its answer what is right; and answerability → groups."""
    accepted: dict[str, list[set[str]]] = {}
    kinds: dict[str, list[str]] = {}
    columns = ["id", "group", "answers", "aliases", "answerability"]
    for batch in private.batches("questions", TEST, columns):
        for row in batch.to_pylist():
            group = row["group"] or row["id"]
            if group in chosen and group not in accepted:
                aliases = row["aliases"] or [[] for _ in row["answers"]]
                parts = zip(row["answers"], aliases, strict=True)
                accepted[group] = [{answer.casefold(), *(one.casefold() for one in others)} for answer, others in parts]
                kinds.setdefault(GAP if row["answerability"] == GAP else "answerable", []).append(group)
    return accepted, {kind: kinds[kind] for kind in sorted(kinds)}


def _is_right(answer: Answer, accepted: Sequence[set[str]]) -> bool:
    return len(answer) == len(accepted) and all(
        part.casefold() in right for part, right in zip(answer, accepted, strict=True)
    )
