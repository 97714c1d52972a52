"""Releases of pairs that people chose from, for tests: twelve questions about mills, two annotators, and judges."""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from support import TOY_FACTS

from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.writer import ReleaseWriter
from benchwright.benchmarks.types import DIMENSIONS, Question

MILLS = ("Orrin", "Brede", "Caldy", "Dunmore", "Esk", "Farley", "Girvan", "Hale", "Inver", "Jura", "Kerse", "Lorne")


def pair(name: str, year: int, **changes: Any) -> dict[str, Any]:
    """A row of `pairs`."""
    source = f"The mill at {name} was built in {year} by Ada Brandt. It is driven by the river. It has four floors."
    return {
        "id": f"p-{name.lower()}",
        "question": f"When was the mill at {name} built?",
        "source": source,
        "answer": f"The mill at {name} was built in {year}.",
        "ungrounded_answer": f"The mill at {name} was built in {year + 40} by monks of Selby.",
        "poor_answer": "Mills are important buildings with a long history.",
        "context_v1": [f"The mill at {name} was built in {year} by Ada Brandt."],
        "context_v2": [source, "Rivers are streams of water. They flow to the sea."],
        **changes,
    }


def pairs(count: int = len(MILLS)) -> list[dict[str, Any]]:
    """Rows of `pairs`."""
    return [pair(name, 1850 + 7 * place) for place, name in enumerate(MILLS[:count])]


def label(
    name: str, dimension: str, choice: str, annotator: str | None = "Ann", *, resolved: bool = False
) -> dict[str, Any]:
    """A row of `labels`."""
    named = {"pair_id": name, "dimension": dimension, "annotator": annotator}
    return {**named, "choice": choice, "resolved": resolved}


def labels(rows: Iterable[Mapping[str, Any]], second: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Rows of `labels`: Ann and Ben choose the first candidate throughout, but the second of some pairs."""
    return [
        label(row["id"], dimension, "second" if row["id"] in second else "first", annotator)
        for row in rows
        for dimension in DIMENSIONS
        for annotator in ("Ann", "Ben")
    ]


def make_release(
    root: Path,
    rows: Sequence[Mapping[str, Any]],
    given: Sequence[Mapping[str, Any]] = (),
    *,
    name: str = "mills",
    questions: Sequence[Question] = (),
    split: str = "test",
) -> Release:
    """The release root/NAME/1.0.0 of pairs, with their labels if there are any."""
    folder = root / name / "1.0.0"
    folder.mkdir(parents=True)
    writer = ReleaseWriter(folder)
    writer.questions(questions or [Question("q", "When was the mill at Selby built?")])
    writer.rows("pairs", rows, split)
    if given:
        writer.rows("labels", given, split)
    writer.seal(writer.finish(**{**TOY_FACTS, "name": name}), "# card\n")
    return Release.load(folder)


def is_choice(body: Mapping[str, Any]) -> bool:
    """Whether a judge is asked to choose between two."""
    return "You compare" in body["messages"][0]["content"]


def always(place: int) -> Callable[[Any], Any]:
    """A judge that chooses whatever is shown at a place, and scores everything alike."""
    return lambda body: {"reason": "So it is.", "better": place} if is_choice(body) else {"reason": "So.", "score": 5}


def knowing(body: Any) -> dict[str, Any]:
    """A judge that knows which candidates were made to be the better ones."""
    text = body["messages"][-1]["content"]
    if not is_choice(body):
        return {"reason": "I know it.", "score": 2 if _is_worse(text) else 9}
    first, second = re.split(r"\n(?:Answer 2|Set 2, passage 1):\n", text, maxsplit=1)
    first = re.split(r"\n(?:Answer 1|Set 1, passage 1):\n", first, maxsplit=1)[1]
    assert _is_worse(first) != _is_worse(second), text
    return {"reason": "I know it.", "better": 2 if _is_worse(first) else 1}


def _is_worse(text: str) -> bool:
    return any(said in text for said in ("monks of Selby", "a long history", "Rivers are streams"))


def judgments(folder: Path) -> list[dict[str, Any]]:
    """What a folder's judgments say."""
    return [json.loads(line) for line in (folder / "judgments.jsonl").read_text().splitlines()]
