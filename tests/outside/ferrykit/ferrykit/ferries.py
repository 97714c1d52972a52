"""A builder: when ferries leave, from a table."""

from benchwright.benchmarks.hashing import group_id, question_id, template_id
from benchwright.benchmarks.releases.writer import ReleaseWriter
from benchwright.benchmarks.types import Document, Evidence, Question
from benchwright.builders.base import BuildRequest

VERSION = "1.0.0"
DEPARTURES = {"Skarvik": "06:40", "Tornes": "07:15", "Lundby": "09:05"}
WORDING = "When does the first ferry leave {}?"


def build(request: BuildRequest, writer: ReleaseWriter) -> None:
    """Writes a document, a question and a row of the timetable for each harbour."""
    chosen = list(DEPARTURES.items())[: request.parameters["harbours"]]
    for name, time in chosen:
        text = f"The first ferry leaves {name} at {time}, and the last one at 21:00. It does not wait."
        start, template = text.index(time), template_id(WORDING)
        group = group_id("ferries", template, [name])
        writer.documents([Document(name.lower(), name, text)])
        writer.questions(
            [
                Question(
                    id=question_id(group, "short", WORDING),
                    question=WORDING.format(name),
                    answers=(time,),
                    answer_type="one",
                    answerability="answerable",
                    group=group,
                    form="short",
                    template=template,
                    entity=name,
                    kind="lookup",
                    hops=1,
                    documents=(name.lower(),),
                    evidence=(Evidence(name.lower(), start, start + len(time)),),
                )
            ]
        )
    writer.rows("timetable", [{"harbour": name, "departure": time} for name, time in chosen])
