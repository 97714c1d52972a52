"""Texts of a form made by its rule from texts of another: pairs that differ in the form's criterion alone."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from benchwright.benchmarks.grounding.sql import PLACEHOLDER
from benchwright.builders.sql.wording.forms.form import Form
from benchwright.builders.sql.wording.forms.operations import MISSPELLING, Text

SAME = "its rule left a text as it was"
UNFIT = "its rule has no step for a text"
REPEATED = "its rule made a text that was there"


@dataclass(frozen=True)
class Derived:
    """What a rule made of some texts."""

    texts_by_place: Mapping[int, str]
    """Place of a text that it was given → what it made of it."""
    left_out: Mapping[str, int]
    """Reason → texts of which there is none."""

    @property
    def texts(self) -> tuple[str, ...]:
        """What it made."""
        return tuple(self.texts_by_place.values())


def derive(form: Form, texts: Sequence[str], words: Collection[str], *, misspelling_only: bool = False) -> Derived:
    """Texts of a form by its rule, each unlike what it was made from and unlike the others.

    Args:
        form: with a rule.
        texts: of one SQL template, in the form's base or, with `misspelling_only`, in the form itself.
        words: what its tables and columns are called.
        misspelling_only: only what leaves words that are none: a model wrote the rest.
    """
    steps = [step for name, step in form.steps if name in MISSPELLING or not misspelling_only]
    known: set[str] = set()
    made: dict[int, str] = {}
    left_out: Counter[str] = Counter()
    for place, text in enumerate(texts):
        found: str | None = text
        for step in steps:
            if found is not None:
                found = step(Text(found, place, form.name, frozenset(words)))
        if not found or not PLACEHOLDER.sub("", found).strip():
            left_out[UNFIT] += 1
        elif found == text:
            left_out[SAME] += 1
        elif found.lower() in known:
            left_out[REPEATED] += 1
        else:
            known.add(found.lower())
            made[place] = found
    return Derived(made, left_out)
