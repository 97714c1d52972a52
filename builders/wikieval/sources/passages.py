"""Where the passages of a build come from: pages of a wiki, or a user's own documents."""

from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.hashing import file_sha256
from benchwright.benchmarks.releases.writer import AS_QUESTIONS
from benchwright.builders.base import BuildRequest
from benchwright.builders.wikieval.material import FoundPassages
from benchwright.builders.wikieval.sections.questions import section_facts
from benchwright.builders.wikieval.sources.from_documents import ReadFolder, document_passages
from benchwright.builders.wikieval.sources.pages import POOL, find_pages

_OF_PAGES = ("site", "dump", "dump_log")


def find_passages(request: BuildRequest, *, by_rule: bool) -> FoundPassages:
    """The passages that pairs may be made of, in their order: three for each pair that is wanted, as far as there are.

    Args:
        request: names where they are.
        by_rule: whether rules ask: passages of documents of which they find nothing to ask are left out.

    Raises:
        UsageError: parameters exclude each other, or cannot be meant.
        BenchwrightError: the wiki, the dump or the documents cannot be read, or hold no passage.
    """
    place = request.parameters["documents"]
    if not place:
        return find_pages(request)
    for name in _OF_PAGES:
        if request.parameters[name]:
            raise UsageError(f"passages come from documents or from a wiki: leave out documents or {name}")
    folder = ReadFolder(Path(place).expanduser())
    wanted = POOL * request.parameters["pages"]
    is_asked = (lambda passage: bool(section_facts(passage))) if by_rule else (lambda passage: True)
    found = document_passages(folder, request.seed, request.progress, is_asked=is_asked)
    passages = list(islice(found, wanted))
    licence = request.parameters["documents_licence"] or None
    checks = {
        "pages_found": len(passages),
        "documents_not_read": len(folder.refused),
        "parts_of_documents_left_out": dict(sorted(folder.left_out.items())),
    }
    return FoundPassages(passages, [_file(folder.source, name, licence) for name in folder.documents], checks)


def _file(source: Path, name: str, licence: str | None) -> Mapping[str, Any]:
    path = source / name if source.is_dir() else source
    told = {"uri": name, "revision": None, "sha256": file_sha256(path), "licence": licence}
    return {**told, "rows_shipped": AS_QUESTIONS}
