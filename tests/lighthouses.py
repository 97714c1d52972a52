"""A small release with documents, for tests of systems and runs: four lighthouses, a gap, and a second split."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from benchwright.benchmarks.hashing import group_id, question_id, template_id
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.writer import ReleaseWriter
from benchwright.benchmarks.types import Document, Evidence, Question

HEIGHTS = {"Gannet Rock": 31, "Sable Point": 24, "Old Hook": 18, "Cape Farrow": 42}
WORDINGS = {"short": "height of {}", "long": "Could somebody tell me, for the report, how tall the lighthouse {} is?"}
GAP = "Mirror Island"
TEMPLATE = template_id("height")


def lighthouse(name: str, height: int) -> Document:
    """A page about a lighthouse."""
    text = (
        f"{name} was built of granite by a family of masons. The light is seen from afar on clear nights.\n\n"
        f"{name} has a height of {height} metres. Its keeper lives in the village and rows over every week."
    )
    return Document(name.lower().replace(" ", "-"), name, text)


def questions(name: str, height: int, *, gap: bool = False) -> list[Question]:
    """The height of a lighthouse, asked in two forms."""
    group, document = group_id("lights", TEMPLATE, [name]), lighthouse(name, height)
    start = document.body.index(f"{height} metres")
    evidence = Evidence(document.id, start, start + len(f"{height} metres"))
    return [
        Question(
            id=question_id(group, form, wording),
            question=wording.format(name),
            answers=(f"{height} metres",),
            aliases=((f"{height} m",),),
            answer_type="one",
            answerability="gap" if gap else "answerable",
            group=group,
            form=form,
            template=TEMPLATE,
            entity=name,
            kind="lookup",
            hops=1,
            documents=() if gap else (document.id,),
            evidence=() if gap else (evidence,),
        )
        for form, wording in WORDINGS.items()
    ]


def make_release(root: Path, *, version: str = "1.0.0", taller: int = 0, more: Sequence[Document] = ()) -> Release:
    """The release `lights` in root/lights/VERSION: 10 questions of the split test, 2 of dev, 4 documents and more."""
    folder = root / "lights" / version
    folder.mkdir(parents=True)
    writer = ReleaseWriter(folder)
    for name, height in HEIGHTS.items():
        writer.documents([lighthouse(name, height + taller)])
        writer.questions(questions(name, height + taller))
    writer.documents(list(more))
    writer.questions(questions(GAP, 55, gap=True))
    first = lighthouse(next(iter(HEIGHTS)), 0).id  # the corpus has no page about Dev Head
    writer.questions([replace(one, documents=(first,), evidence=()) for one in questions("Dev Head", 12)], split="dev")
    facts = {"builder": "lights", "builder_version": "1.0.0", "parameters": {}, "seed": 0, "canary": "none"}
    writer.seal(writer.finish(name="lights", version=version, **facts), "# card\n")
    return Release.load(folder)
