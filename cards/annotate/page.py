"""A page on which a person judges: all items as data within it, one drawn at a time, verdicts kept in the browser.

Texts become text nodes, and a browser may run no script and no style but ours, by their hashes. What the page saves is
read by `benchmarks.annotations.exports`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from markupsafe import Markup

from benchwright.benchmarks.annotations.items import Choice, Item, Shown, Task, Work
from benchwright.benchmarks.reports.format import number_of
from benchwright.cards.blocks.foreign_text import readable
from benchwright.cards.blocks.page_parts import page_part, page_template, policy_hash, script_json

_SCRIPTS = (
    "leaderboard/elements.js",
    *(f"annotate/{name}.js" for name in ("state", "texts", "tasks", "files", "page")),
)
"""In their order; they share one function."""
_HERE = "<!-- items -->"
_SETTLING = (
    "What the others said stands above the choices. What you choose, best after a talk with them, counts instead."
)
_SPARE_KEYS = "xtyz"
"""For choices for which there is no digit."""


@dataclass(frozen=True, slots=True)
class Page:
    """One person's page."""

    name: str
    """`sample-1-ada`: verdicts come back with it, and it keeps pages apart in one browser."""
    annotator: str | None = None
    """Whose it is; None: the page asks."""
    is_final: bool = False
    """Whether what is said on it resolves what others are divided about."""
    seed: int = 0
    """Of its order, and of who stands on which side."""

    @property
    def drawn_by(self) -> str:
        """What its order and sides are drawn from."""
        return f"{self.name} {self.seed}" if self.seed else self.name


def write_page(path: Path, work: Work, items: Sequence[Item], page: Page) -> int:
    """Writes a page, in one step.

    Args:
        path: of the file.
        work: what the items are of.
        items: with their texts, in the order of the page.
        page: whose it is.

    Returns:
        its size in bytes.
    """
    before, after = _frame(work, items, page).split(_HERE)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}")
    with part.open("w", encoding="utf-8", errors="replace") as file:
        file.write(before)
        for item in items:
            file.write(
                f'<script type="application/json" data-item>{script_json(_item(item), is_ascii=True)}</script>\n'
            )
        file.write(after)
    part.replace(path)
    return path.stat().st_size


def _frame(work: Work, items: Sequence[Item], page: Page) -> str:
    """The page without its items."""
    style = f"{page_part('report.css')}\n{page_part('annotate/page.css')}"
    script = "\n".join(["(() => {", '"use strict";', *map(page_part, _SCRIPTS), "})();"])
    return page_template("annotate/page.html.jinja").render(
        title=readable(f"{'Settle' if page.is_final else 'Judge'} {work.title}"),
        style=Markup(style),
        style_hash=policy_hash(style),
        script=Markup(script),
        script_hash=policy_hash(script),
        head=Markup(script_json(_head(work, items, page), is_ascii=True)),
        guide=work.guide,
        made_by=_version(),
    )


def _head(work: Work, items: Sequence[Item], page: Page) -> dict[str, Any]:
    """What is known before an item is drawn."""
    noun = "choice" if work.kind == "release" else "answer"
    of = number_of(len(items), noun)
    return {
        "work": {"kind": work.kind, "name": work.name, "hash": work.hash},
        "what": readable(of if work.name == work.title else f"{work.name}, {of}"),
        "noun": noun,
        "page": page.name,
        "file": page.name,
        "annotator": page.annotator,
        "isFinal": page.is_final,
        "notes": [readable(note) for note in (*work.notes, *((_SETTLING,) if page.is_final else ()))],
        "items": [
            {
                "id": item.id,
                "tasks": [task.id for task in item.tasks],
                "steps": [task.id for task in item.tasks if task.step is not None],
            }
            for item in items
        ],
    }


def _item(item: Item) -> dict[str, Any]:
    return {
        "tasks": [_task(task) for task in item.tasks],
        "texts": [_shown(each) for each in item.texts],
    }


def _task(task: Task) -> dict[str, Any]:
    """A task. Its line goes back as it is, whatever its ids hold."""
    keys = keys_of(task.choices)
    choices = [
        {"name": each.name, "label": each.label, "value": each.value, "tone": each.tone, "key": key}
        for each, key in zip(task.choices, keys, strict=True)
    ]
    said = [readable(each) for each in task.said]
    values: dict[str, Any] = {"id": task.id, "ask": readable(task.ask), "choices": choices, "said": said}
    values |= {"topic": readable(task.topic), "meaning": readable(task.meaning)}
    values["line"] = dict(task.line)
    if (step := task.step) is not None:
        values["step"] = {
            "title": readable(step.title),
            "metrics": [readable(each) for each in step.metrics],
            "judge": readable(step.judge),
            "lines": [readable(each) for each in step.lines],
            "columns": [readable(each) for each in step.columns],
            "rows": [[readable(cell) for cell in row] for row in step.rows],
            "outcomes": [readable(each) for each in step.outcomes],
            "moreRows": step.more_rows,
        }
    return values


def keys_of(choices: Sequence[Choice]) -> list[str]:
    """The key of each choice: a grade's own digit, else the next digit from 1 that is free, else a letter."""
    own = {each.name for each in choices if re.fullmatch(r"\d", each.name)}
    free = iter([key for key in (*map(str, range(1, 10)), "0", *_SPARE_KEYS) if key not in own])
    return [each.name if each.name in own else next(free) for each in choices]


def _shown(shown: Shown) -> dict[str, Any]:
    """A text as its stretches, evidence in a list of its own."""
    return {
        "title": readable(shown.title),
        "role": shown.role,
        "text": [[readable(said)] if is_evidence else readable(said) for said, is_evidence in shown.text],
        "note": readable(shown.note),
        "tone": shown.tone,
    }


def _version() -> str:
    try:
        return version("benchwright")
    except PackageNotFoundError:
        return ""
