"""What of questions looks like personal data: a reason to read them before they are published, and no more."""

import json
import re
from collections import Counter
from collections.abc import Iterator

from benchwright.benchmarks.personal_data import is_named, sorts_of_personal_data
from benchwright.benchmarks.types import Question

_FORMS = {
    "e-mail addresses": re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){0,8}\.[A-Za-z]{2,}"),
    "telephone numbers": re.compile(r"(?<![\w+])\+\d{1,3}[ (/.-]?(?:\(?\d{1,5}\)?[ ./-]?){2,6}\d(?!\w)"),
    "bank accounts": re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,4})?\b"),
}


def sorts_in(question: Question) -> Iterator[str]:
    """The sorts that a question, its answers and what is kept of its row look like they hold."""
    aliases = (form for forms in question.aliases for form in forms)
    text = "\n".join([question.question, *question.answers, *aliases])
    if question.metadata:
        text += "\n" + json.dumps(question.metadata, ensure_ascii=False)
    for sort, form in _FORMS.items():
        if form.search(text):
            yield sort


def sorts_of_columns(columns: tuple[str, ...]) -> dict[str, list[str]]:
    """Sort of personal data → the columns whose names say that they hold it."""
    found = {
        sort: [column for column in columns if is_named(column, words)]
        for sort, words in sorts_of_personal_data().items()
    }
    return {sort: named for sort, named in found.items() if named}


def told(texts: Counter[str], columns: dict[str, list[str]]) -> str:
    """What was found, for people; empty where nothing was."""
    parts = [f"{count:,} hold {sort}" for sort, count in sorted(texts.items())]
    kept = [f"{', '.join(named)} ({sort})" for sort, named in columns.items()]
    return "; ".join([*parts, *([f"columns that are kept: {', '.join(kept)}"] if kept else [])])
