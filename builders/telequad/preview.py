"""What would be asked of documents, before anything is built: how many groups of which pattern, and examples."""

import tempfile
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.reports.blocks import Block, Column, Table, Text, foreign
from benchwright.benchmarks.reports.format import count, number_of
from benchwright.builders.base import BuildRequest
from benchwright.builders.telequad.asking import Found, ask_all, parse_patterns
from benchwright.builders.telequad.choosing import choose_and_split, quotas_of
from benchwright.builders.telequad.offsets import most_quoted
from benchwright.builders.telequad.reading import ReadDocuments, read_all
from benchwright.builders.telequad.source import open_source

_EXAMPLES = 2
"""Of each pattern."""
_LONGEST = 120
_DOCUMENTS = 30


def preview(request: BuildRequest) -> Sequence[Block]:
    """Blocks that show what rules would ask of the documents; a model is not asked. See `preview` in
    `builders/base.py`."""
    parameters = request.parameters
    patterns = parse_patterns(parameters["patterns"])
    with (
        tempfile.TemporaryDirectory(prefix="benchwright-telequad-") as folder,
        open_source(parameters["source"], parameters["source_licence"], Path(folder)) as source,
    ):
        if source.is_published:
            raise UsageError(f"{source.path.name} is a published file, which is taken as it is: leave out --preview")
        waiting = Path(folder) / "waiting"
        waiting.mkdir()
        read = read_all(source.path, waiting, request.progress)
        quotas, quoted = quotas_of(parameters), most_quoted(parameters)
        found = ask_all(read, patterns, waiting, request.progress, quotas, request.seed, quoted)
        if not found.candidates:
            raise BenchwrightError(f"no document of {source.path} states anything that the patterns ask about")
        chosen, splits = choose_and_split(read, found, quotas, parameters["train"], request.seed)
        return [
            Text(f"{number_of(len(chosen), 'semantic group')} of {number_of(len(splits), 'document')} would be asked."),
            _documents(read, found, chosen, splits),
            _patterns(found, chosen),
            _examples(read, found, chosen),
            *_left_out(read, found),
        ]


def _documents(read: ReadDocuments, found: Found, chosen: Collection[str], splits: Mapping[str, str]) -> Table:
    """The first documents: what questions call them, and how many groups each gives."""
    groups = Counter(each.document for each in found.candidates if each.group in chosen)
    rows = []
    for place, each in enumerate(read.documents[:_DOCUMENTS]):
        said = foreign(each.name, _LONGEST), foreign(read.called[each.name], _LONGEST)
        rows.append((*said, splits[each.name], count(groups[place])))
    columns = (Column("file", "left"), Column("called", "left"), Column("split", "left"), Column("groups"))
    return Table("Documents", columns, tuple(rows))


def _patterns(found: Found, chosen: Collection[str]) -> Table:
    asked = Counter(each.pattern for each in found.candidates if each.group in chosen)
    rows = tuple((name, count(number), count(asked[name])) for name, number in found.given.items())
    return Table("What they state", (Column("pattern", "left"), Column("groups found"), Column("asked")), rows)


def _examples(read: ReadDocuments, found: Found, chosen: Collection[str]) -> Table:
    """The first groups of each pattern, in their first wording."""
    shown: Counter[str] = Counter()
    rows = []
    for place in range(len(read.documents)):
        texts = [section.text for section in read.sections(place)]
        for _, asked in found.groups(place, chosen):
            if shown[asked.pattern] == _EXAMPLES:
                continue
            shown[asked.pattern] += 1
            answer = [texts[asked.context][span.start : span.end] for span in asked.answers[:1]]
            wording = next(text for texts in asked.wordings.values() for text in texts)
            said = (foreign(wording, _LONGEST), foreign(answer[0] if answer else "(unanswerable)", _LONGEST))
            rows.append((asked.pattern, *said))
        if all(shown[name] == _EXAMPLES for name in found.given):
            break
    columns = tuple(Column(name, "left") for name in ("pattern", "question", "answer"))
    in_order = sorted(rows, key=lambda row: list(found.given).index(row[0]))
    return Table("For example", columns, tuple(in_order))


def _left_out(read: ReadDocuments, found: Found) -> Iterator[Block]:
    rows = [(foreign(name, _LONGEST), foreign(why, _LONGEST)) for name, why in list(read.refused.items())[:_DOCUMENTS]]
    if rows:
        yield Table("Files that cannot be read", (Column("file", "left"), Column("why", "left")), tuple(rows))
    counts = [(foreign(why, _LONGEST), count(number)) for why, number in found.left_out.items() if number]
    if counts:
        yield Table("Semantic groups left out", (Column("why", "left"), Column("how many")), tuple(counts))
