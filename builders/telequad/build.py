"""The builder `telequad`: documents → sections → questions with exact answers, or a published file as it stands."""

import logging
import tempfile
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.hashing import rank
from benchwright.benchmarks.releases.offsets import OFFSETS, PARAMETER
from benchwright.benchmarks.releases.writer import ReleaseWriter
from benchwright.benchmarks.types import Question
from benchwright.builders.base import BuildRequest
from benchwright.builders.telequad.asked_by import RULE, patterns_of, writer_of
from benchwright.builders.telequad.asking import Found, ask_all, parse_patterns
from benchwright.builders.telequad.choosing import choose_and_split, quotas_of
from benchwright.builders.telequad.offsets import QUOTED, most_quoted
from benchwright.builders.telequad.passages import passages
from benchwright.builders.telequad.published import read_published
from benchwright.builders.telequad.published_rows import NOT_IN_SQUAD, write_published
from benchwright.builders.telequad.questions.by_model import PROMPT, ROLE
from benchwright.builders.telequad.questions.proposals import PATTERN
from benchwright.builders.telequad.questions.wordings import FORMS
from benchwright.builders.telequad.reading import ReadDocuments, read_all
from benchwright.builders.telequad.rows import Wordings, question_rows
from benchwright.builders.telequad.source import Source, open_source
from benchwright.builders.telequad.split import TEST, TRAIN, test_first
from benchwright.builders.telequad.triplets.write import TripletWriter

VERSION = "1.0.0"
_NAMED = 100
"""Files that were not read and stand in the manifest."""
_AT_ONCE = 10_000_000
"""Characters of contexts that are held before they are written: each question has its own copy."""
log = logging.getLogger("benchwright")


def build(request: BuildRequest, writer: ReleaseWriter) -> None:
    """Builds from what `request.parameters` names as `source`: see `benchmarks/specs/telequad.toml`."""
    parameters = request.parameters
    with open_source(parameters["source"], parameters["source_licence"], writer.folder) as source:
        if source.is_published:
            if parameters[PARAMETER] == OFFSETS:
                raise UsageError(
                    f"{source.path.name} is a published file, whose questions are its text: leave out "
                    f"{PARAMETER}={OFFSETS}, which is for documents"
                )
            if parameters["asked_by"] != RULE:
                raise UsageError(f"asked_by={parameters['asked_by']}: a published file has its questions; leave it out")
            _from_published(source, request, writer)
        else:
            _from_documents(source, request, writer)


def check_holdout(parameters: Mapping[str, Any]) -> None:
    """Raises UsageError: the public documents would state every answer that is to be held out."""
    raise UsageError("the sections of telequad state every answer, and a corpus is public: build it without --holdout")


def _from_published(source: Source, request: BuildRequest, writer: ReleaseWriter) -> None:
    """Writes the questions of a published file, or a seeded sample of them, in its order."""
    request.progress("the published file", 0, 0)
    published = read_published(source.path, repair=request.parameters["repair"])
    if told := published.faults.told():
        log.warning("wrong in %s: %s", source.path.name, "; ".join(told))
    wanted = request.parameters["questions"]
    if wanted and wanted < len(published.questions):
        ranked = sorted(published.questions, key=lambda each: rank(request.seed, "telequad published", each.id))
        kept = {each.id for each in ranked[:wanted]}
        published = replace(published, questions=tuple(each for each in published.questions if each.id in kept))
    write_published(published, writer, request.parameters["negatives"], request.progress)
    writer.sources.append(source.record(source.path.name))
    writer.texts |= {"questions": {"given": len(published.questions)}}


def _from_documents(source: Source, request: BuildRequest, writer: ReleaseWriter) -> None:
    parameters = request.parameters
    forms, client = _parse_forms(parameters["forms"]), writer_of(request)
    parse_patterns(parameters["patterns"])
    with tempfile.TemporaryDirectory(prefix=".waiting-", dir=writer.folder) as folder:
        read = read_all(source.path, Path(folder), request.progress)
        patterns, model = patterns_of(request, read, client)
        quotas = quotas_of(parameters)
        quoted = most_quoted(parameters)
        found = ask_all(read, patterns, Path(folder), request.progress, quotas, request.seed, quoted)
        if not found.candidates:
            raise BenchwrightError(
                f"no document of {source.path} states anything that the patterns ask about ({', '.join(patterns)})"
            )
        chosen, splits = choose_and_split(read, found, quotas, parameters["train"], request.seed)
        wordings = Wordings(forms, parameters["wordings"], request.seed)
        counts = _write(read, found, chosen, splits, wordings, request, writer)
        writer.sources.extend(source.record(each.name) for each in read.documents)
        writer.parameters[QUOTED] = quoted
    _note(writer, read, found, counts, splits)
    writer.texts["documents"] = {"rule" if source.is_own else "given": counts["sections"] + counts["rows"]}
    if client is not None and model is not None:
        writer.checks |= model.checks()
        writer.models += client.described(ROLE, [PROMPT])


def _parse_forms(text: str) -> tuple[str, ...]:
    """Raises UsageError where there is no such form."""
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    for name in names:
        if name not in FORMS:
            raise UsageError(f"forms={text}: there is no form {name!r}: choose from {', '.join(FORMS)}")
    return names or FORMS


def _write(
    read: ReadDocuments,
    found: Found,
    chosen: Collection[str],
    splits: Mapping[str, str],
    wordings: Wordings,
    request: BuildRequest,
    writer: ReleaseWriter,
) -> Counter[str]:
    """Writes documents and questions, the test split's first, one document in memory at a time. Returns counts."""
    counts: Counter[str] = Counter()
    triplets = TripletWriter(writer, request.parameters["negatives"])
    order = test_first([each.name for each in read.documents], splits)
    for done, place in enumerate(order):
        request.progress("rows", done, len(order))
        specification = read.specification(place)
        split = splits[specification.name]
        made = passages(specification, with_rows=request.parameters["rows"])
        writer.documents(made.in_order())
        counts["sections"] += len(made.sections)
        counts["rows"] += sum(map(len, made.rows))
        questions: list[Question] = []
        waiting: list[dict[str, Any]] = []
        for group, asked in found.groups(place, chosen):
            counts[split] += 1
            for question, row in question_rows(specification, made, group, asked, wordings):
                questions.append(question)
                waiting += [row] if row is not None else []
            if sum(len(row["context"]) for row in waiting) > _AT_ONCE:
                writer.rows("squad", waiting, split)
                waiting = []
        writer.questions(questions, split)
        writer.rows("squad", waiting, split)
        triplets.add(made.in_order(), questions, split)
        counts["by a model"] += sum(question.subset == PATTERN for question in questions)
        counts["questions"] += len(questions)
        counts["two hops"] += sum(question.hops != 1 for question in questions)
    triplets.finish()
    request.progress("rows", len(order), len(order))
    return counts


def _note(
    writer: ReleaseWriter, read: ReadDocuments, found: Found, counts: Counter[str], splits: Mapping[str, str]
) -> None:
    """What the manifest says of it."""
    refused = list(read.refused.items())
    by_model = counts["by a model"]
    who = {"rule": counts["questions"] - by_model, "model": by_model}
    writer.texts |= {"questions": {name: count for name, count in who.items() if count}}
    writer.checks |= {
        "documents_read": len(read.documents),
        "documents_per_split": dict(Counter(splits.values())),
        "documents_not_read": dict(Counter(reason for _, reason in refused)),
        "files_not_read": dict(refused[:_NAMED]),
        "not_in_sections": dict(read.not_read),
        "corpus_of": {"sections": counts["sections"], "rows": counts["rows"]},
        "groups_asked": {split: counts[split] for split in (TEST, TRAIN) if counts[split]},
        "groups_found": dict(found.given),
        NOT_IN_SQUAD: counts["two hops"],
        "groups_left_out": {why: count for why, count in found.left_out.items() if count},
    }
