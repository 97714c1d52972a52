"""What a build proved, in words: the counts in a manifest's `checks` as rows of tables.

A spec's `[checks]` has the words. A count that has none is shown under its name.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from benchwright.benchmarks.catalogue import Spec
from benchwright.benchmarks.releases.readable_figures import CHECK

TITLES = {
    "proved": "Checked, and found right",
    "left out": "Left out, and why",
    "refused": "Proposed by a model, and refused",
    "counts": "Counts",
    "": "Also counted by the builder",
}
"""Part → title of its table, in the order of the card. A check of any other part is shown elsewhere on the card."""


@dataclass(frozen=True)
class Row:
    """A count: what of, and how many."""

    words: str
    value: str


def left_out(checks: Mapping[str, Any], spec: Spec) -> list[Row]:
    """What a build left out, as rows: nothing where everything is asked."""
    return proved(checks, spec, with_counts=False).get(TITLES["left out"], [])


def refused(checks: Mapping[str, Any], spec: Spec) -> list[Row]:
    """What a model proposed and was not used, by reason, as rows: nothing where no model wrote or all was used."""
    return proved(checks, spec, with_counts=False).get(TITLES["refused"], [])


def proved(checks: Mapping[str, Any], spec: Spec, *, with_counts: bool) -> dict[str, list[Row]]:
    """Title → rows of each table that has any.

    Args:
        checks: of the manifest.
        spec: has the words.
        with_counts: whether to show counts that the section of the builder's own shows in its tables.
    """
    known = spec.checks
    tables: dict[str, list[Row]] = {title: [] for part, title in TITLES.items() if with_counts or part != "counts"}
    for name, value in _in_order(checks, known):
        about = known.get(name, {})
        title = TITLES.get(about.get("part", ""))
        if title in tables and name != CHECK:  # which has a section of its own
            tables[title] += _rows(name, value, about)
    return {title: rows for title, rows in tables.items() if rows}


def _rows(name: str, value: Any, about: Mapping[str, Any]) -> list[Row]:
    """The rows of one check. Of what was left out, zeros are left out too."""
    is_zero_shown = about.get("part", "") not in ("left out", "refused")
    words = about.get("words", "" if about.get("entries") else name.replace("_", " "))
    if _is_ranking(value):
        return [Row(f"{words}: {name}", shown(count)) for name, count in value]
    if not isinstance(value, Mapping):
        return [Row(words, shown(value))] if value or is_zero_shown else []
    entries = about.get("entries", {})
    return [
        Row(": ".join(part for part in (words, str(entries.get(key, key))) if part), shown(count))
        for key, count in _in_order(value, entries)
        if count or is_zero_shown
    ]


def _is_ranking(value: Any) -> bool:
    """Whether a check is a list of names with their counts, whose order is the builder's."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(item, list) and [type(part) for part in item] == [str, int] for item in value)
    )


def _in_order(found: Mapping[str, Any], known: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Those that are known in the order of the words, then the others by name: a manifest that was read is sorted."""
    places = {name: place for place, name in enumerate(known)}
    return sorted(found.items(), key=lambda item: (places.get(item[0], len(places)), item[0]))


def shown(value: Any) -> str:
    """A value of any kind as a reader would write it."""
    if value is None:
        return "not known"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {shown(item)}" for key, item in sorted(value.items())) or "none"
    if isinstance(value, list | tuple):
        return ", ".join(map(shown, value)) or "none"
    return str(value)
