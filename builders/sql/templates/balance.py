"""As many wordings for each template in each form, so that every group weighs the same."""

import logging
from collections.abc import Sequence

from benchwright.benchmarks.grounding.sql import SqlTemplate
from benchwright.builders.sql.templates.files import TemplateFile
from benchwright.builders.sql.wording.worder import Texts

log = logging.getLogger("benchwright")


def is_balanced(wanted: str, given: TemplateFile | None, forms: Sequence[str]) -> bool:
    """Whether all groups are to have the same number of wordings: those of a file are taken as they are."""
    if wanted == "auto":
        return given is None or not any(given.texts.get(form) for form in forms)
    return wanted == "true"


def balance(found: Sequence[tuple[SqlTemplate, Texts]]) -> list[tuple[SqlTemplate, Texts]]:
    """The templates with as many wordings in each form as the one that has the fewest."""
    least = min(len(texts) for _, wordings in found for texts in wordings.values())
    return [(template, {form: texts[:least] for form, texts in wordings.items()}) for template, wordings in found]


def cut_texts(
    found: Sequence[tuple[SqlTemplate, Texts]], balanced: Sequence[tuple[SqlTemplate, Texts]]
) -> dict[str, int]:
    """Template's id → how many of its wordings are cut, where any are."""
    cut = {
        one.id: _count_texts(before) - _count_texts(after)
        for (one, before), (_, after) in zip(found, balanced, strict=True)
    }
    return {key: count for key, count in cut.items() if count}


def _count_texts(wordings: Texts) -> int:
    return sum(map(len, wordings.values()))


def tell_of_balance(found: Sequence[tuple[SqlTemplate, Texts]], cut: int, wanted: str) -> None:
    """Which template has the fewest wordings, and what that does to the others."""
    counts = [(len(texts), form, template.text) for template, wordings in found for form, texts in wordings.items()]
    least, form, sql = min(counts, key=lambda item: item[0])
    most = max(count for count, _, _ in counts)
    if cut:
        rule = "auto (true, unless a file words the templates)" if wanted == "auto" else wanted
        log.warning(
            "%d wordings are not used: balanced=%s cuts every SQL template to the %d wordings of the one with the "
            "fewest (%s: %s); --set balanced=false keeps them",
            cut, rule, least, form, sql,
        )  # fmt: skip
    elif least < most and wanted == "auto":
        log.warning(
            "SQL templates have %d (%s: %s) to %d wordings in a form: balanced=auto takes those of a file as they are; "
            "--set balanced=true cuts all to %d",
            least, form, sql, most, least,
        )  # fmt: skip
