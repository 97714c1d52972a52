"""Files of a release's pairs for other programs in which people annotate: Label Studio and Argilla.

Which candidate is A depends on the program's name and the item, as on a page of ours, and stands nowhere in the files:
what comes back is read by `tool_exports`. Formats: Label Studio's tasks and labeling configuration, and the folder that
`argilla.Dataset.from_disk` reads (Argilla 2).
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal
from xml.sax.saxutils import quoteattr

from benchwright.benchmarks.annotations.items import Item, Work, in_order
from benchwright.benchmarks.annotations.pair_items import pair_work
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.text.slugs import slug

Format = Literal["label-studio", "argilla"]
FORMATS: tuple[Format, ...] = ("label-studio", "argilla")
BETTER, NOTE = "better", "note"
"""The controls: what is chosen, and what is written beside it."""
ANSWERS = ("A", "B", "tie")
"""What Argilla keeps of a choice, in the order of a page's choices."""
_NO_SOURCE = "(No source is needed for this question.)"


def write_import_files(release: Release, format: Format, folder: Path, people: int = 2) -> list[Path]:
    """Writes the files that a program imports.

    Args:
        release: with pairs.
        format: of which program.
        folder: where; files of this release that are there are written again.
        people: how many are to annotate each pair. Label Studio keeps this in the project's settings.

    Returns:
        the paths, what a person hands to the program first.

    Raises:
        BenchwrightError: the release has no pairs to choose from.
    """
    work = pair_work(release, format)
    folder.mkdir(parents=True, exist_ok=True)
    return _label_studio(work, folder) if format == "label-studio" else _argilla(work, folder, people)


def _label_studio(work: Work, folder: Path) -> list[Path]:
    tasks, config = folder / "pairs-label-studio.json", folder / "pairs-label-studio.xml"
    _write_list(({"data": _data(work, item)} for item in _ordered(work, "label-studio")), tasks)
    config.write_text(_config(work), encoding="utf-8")
    return [tasks, config]


def _config(work: Work) -> str:
    choices = "\n".join(
        f"    <Choice value={quoteattr(each.label)} hotkey={quoteattr(str(number))}/>"
        for number, each in enumerate(work.items[0].tasks[0].choices, start=1)
    )
    sides = "\n".join(
        f'    <View style="flex: 1">\n      <Header value="{letter}"/>\n'
        f'      <Text name="{name}" value="${name}"/>\n    </View>'
        for letter, name in (("A", "candidate_a"), ("B", "candidate_b"))
    )
    return f"""<View>
  <Header value="$ask"/>
  <Text name="question" value="$question"/>
  <Text name="source" value="$source"/>
  <View style="display: flex; gap: 1em">
{sides}
  </View>
  <Choices name="{BETTER}" toName="question" choice="single" showInline="true" required="true">
{choices}
  </Choices>
  <TextArea name="{NOTE}" toName="question" placeholder="A note, if you like" rows="2"/>
</View>
"""


def _argilla(work: Work, folder: Path, people: int) -> list[Path]:
    home = folder / "pairs-argilla"
    (home / ".argilla").mkdir(parents=True, exist_ok=True)
    _write_list((_record(work, item) for item in _ordered(work, "argilla")), home / "records.json")
    values = {"settings": _settings(work, people), "dataset": {"name": slug(f"{work.name} pairs", "pairs")}}
    for name, value in values.items():
        path = home / ".argilla" / f"{name}.json"
        path.write_text(json.dumps(value, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    return [home]


def _settings(work: Work, people: int) -> dict[str, Any]:
    """Fields, questions and metadata, as `argilla.Settings.to_json` writes them."""
    fields = [("ask", "Asked", True), ("question", "Question", True), ("source", "Source", False)]
    fields += [("candidate_a", "A", True), ("candidate_b", "B", True)]
    choices = work.items[0].tasks[0].choices
    options = [
        {"value": value, "text": choice.label, "description": None}
        for value, choice in zip(ANSWERS, choices, strict=True)
    ]
    return {
        "guidelines": "\n\n".join(f"**{title}.** {text}" for title, text in work.guide),
        "allow_extra_metadata": False,
        "fields": [
            {
                "name": name,
                "title": title,
                "required": is_required,
                "settings": {"type": "text", "use_markdown": False},
            }
            for name, title, is_required in fields
        ],
        "questions": [
            {
                "name": BETTER,
                "title": "Which one is better?",
                "required": True,
                "settings": {"type": "label_selection", "options": options, "visible_options": 3},
            },
            {
                "name": NOTE,
                "title": "A note, if you like",
                "required": False,
                "settings": {"type": "text", "use_markdown": False},
            },
        ],
        "vectors": [],
        "metadata": [
            {
                "name": name,
                "title": name,
                "settings": {"type": "terms", "values": None},
                "visible_for_annotators": False,
            }
            for name in ("pair_id", "dimension", "release", "work")
        ],
        "distribution": {"strategy": "overlap", "min_submitted": people},
        "mapping": None,
    }


def _record(work: Work, item: Item) -> dict[str, Any]:
    data = _data(work, item)
    metadata = {name: data.pop(name) for name in ("pair_id", "dimension", "release", "work")}
    return {"id": item.id, "fields": data, "metadata": metadata, "suggestions": {}, "responses": {}, "vectors": {}}


def _data(work: Work, item: Item) -> dict[str, str]:
    """What a task is of, and what a person reads."""
    (task,) = item.tasks
    texts: dict[str, list[str]] = {}
    for shown in item.texts:
        name = f"candidate_{shown.title.lower()}" if shown.role == "candidate" else shown.title.lower()
        texts.setdefault(name, []).append("".join(stretch for stretch, _ in shown.text))
    return {
        **task.line,
        "release": work.name,
        "work": work.hash,
        "ask": f"{task.topic}. {task.ask} {task.meaning}",
        "source": _NO_SOURCE,
        **{name: "\n\n".join(several) for name, several in texts.items()},
    }


def _ordered(work: Work, page: str) -> list[Item]:
    return in_order(work.items, page)


def _write_list(values: Iterable[Mapping[str, Any]], path: Path) -> None:
    """Writes a JSON array, one value a line, in one step."""
    part = path.with_name(f".{path.name}")
    with part.open("w", encoding="utf-8", errors="replace") as file:
        file.writelines(_lines(values))
    part.replace(path)


def _lines(values: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    before = "[\n"
    for value in values:
        yield before + json.dumps(value, ensure_ascii=False)
        before = ",\n"
    yield "\n]\n"
