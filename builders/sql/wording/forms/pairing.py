"""Which texts of several forms belong together: what rules or a model made of the same text of a base."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchwright.benchmarks.hashing import wording_id
from benchwright.builders.sql.wording.forms.derive import Derived
from benchwright.builders.sql.wording.forms.form import Form


@dataclass(frozen=True)
class Paired:
    """The texts of some forms, and which of them say the same."""

    texts: Mapping[str, Sequence[str]]
    """Form → its texts; of the base only where it is asked and cut to those with counterparts."""
    said: Mapping[tuple[str, str], str]
    """Form and text → the id of the wording that it and its counterparts in other forms say."""


def pair_texts(
    base: str,
    base_texts: Sequence[str],
    made: Mapping[Form, Derived],
    *,
    is_asked: bool,
    is_aligned: bool,
    limit: int | None,
) -> Paired:
    """The texts of a base and of the forms that are made of it.

    Args:
        base: the form.
        base_texts: its texts.
        made: form → what was made of them.
        is_asked: whether the base is asked, too.
        is_aligned: whether only those texts are asked that have a counterpart in each of the forms.
        limit: the most texts of a form; None: all.
    """
    forms = len(made) + is_asked
    paired = sorted(set(range(len(base_texts))).intersection(*(found.texts_by_place for found in made.values())))
    is_cut = is_aligned and forms > 1
    places = paired[:limit] if is_cut else range(len(base_texts))
    texts: dict[str, Sequence[str]] = {}
    if is_asked and is_cut:
        texts[base] = [base_texts[place] for place in places]
    ids = [wording_id(base, text) for text in base_texts]
    said = {(base, base_texts[place]): ids[place] for place in paired} if is_asked else {}
    for form, found in made.items():
        kept = [(place, found.texts_by_place[place]) for place in places if place in found.texts_by_place][:limit]
        texts[form.name] = [text for _, text in kept]
        if forms > 1:
            said |= {(form.name, text): ids[place] for place, text in kept if place in paired}
    return Paired(texts, said)
