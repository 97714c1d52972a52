"""BEIR's folders (Thakur et al., 2021): corpus.jsonl, queries.jsonl and qrels/SPLIT.tsv."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.text.csv_files import read_csv_file
from benchwright.builders.tabular.files import JSON, open_files, source_of
from benchwright.builders.tabular.tables import Row, Source, Table

FORM = "beir"
QUERIES, CORPUS, QRELS = "queries.jsonl", "corpus.jsonl", "qrels"
PREFERRED = ("test", "validation", "dev")
_HEADER = ("query-id", "corpus-id", "score")


def is_beir(folder: Path) -> bool:
    """Whether a folder is BEIR's."""
    return (folder / QUERIES).is_file() and (folder / CORPUS).is_file()


def open_beir(folder: Path, split: str) -> Source:
    """The queries, documents and qrels of a split.

    Raises:
        BenchwrightError: a file is missing.
    """
    for name in (QUERIES, CORPUS):
        if not (folder / name).is_file():
            raise BenchwrightError(f"{folder} is no folder of BEIR: it holds no {name}")
    found = {path.stem: path for path in sorted((folder / QRELS).glob("*.tsv"))}
    chosen = choose_split(split, tuple(found), f"{folder / QRELS}")
    return Source(
        "BEIR",
        open_files([folder / QUERIES], JSON),
        open_files([folder / CORPUS], JSON),
        _open_qrels(found[chosen]),
        {"split": chosen},
    )


def choose_split(given: str, there: tuple[str, ...], where: str) -> str:
    """The split that is read: the one that is given, else test, validation or dev, else the only one.

    Raises:
        BenchwrightError: there is none, or several and none of these.
    """
    if given in there:
        return given
    if not there:
        raise BenchwrightError(f"{where} holds no split")
    if given:
        raise BenchwrightError(f"{where} has no split {given!r}: there are {', '.join(there)}")
    found = next((name for name in PREFERRED if name in there), there[0] if len(there) == 1 else None)
    if found is None:
        raise BenchwrightError(f"{where} has several splits: add --set split=…, one of {', '.join(there)}")
    return found


def _open_qrels(path: Path) -> Table:
    """A file of three columns with a header, or of TREC's four without."""

    def read(wanted: Any) -> Iterator[Row]:
        for line, cells in read_csv_file(path).rows():
            parts = cells if len(cells) > 1 else cells[0].split()
            if line == 1 and not parts[-1].strip().lstrip("-").isdecimal():
                continue
            if len(parts) not in (3, 4):
                raise BenchwrightError(
                    f"{path}, line {line} has {len(parts)} values, and a qrel has query, document, score"
                )
            yield Row(f"{path.name}, line {line}", dict(zip(_HEADER, (parts[0], *parts[-2:]), strict=True)))

    return Table(path.name, _HEADER, read, (source_of(path, FORM),))


def read_qrels(table: Table) -> tuple[dict[str, list[str]], int]:
    """Query → the documents that answer it, whatever their grade, in order; and how many have a grade above 1.

    Raises:
        BenchwrightError: a score is no number.
    """
    found: dict[str, dict[str, None]] = {}
    graded = 0
    for row in table.read(_HEADER):
        query, document, score = (row.cells.get(name) for name in _HEADER)
        try:
            grade = float(score)  # pyright: ignore[reportArgumentType]
        except (TypeError, ValueError):
            raise BenchwrightError(f"{row.place}: the score {score!r} is no number") from None
        if grade > 0:
            found.setdefault(str(query), {})[str(document)] = None
            graded += grade > 1
    return {query: list(documents) for query, documents in found.items()}, graded


def is_qrels(columns: Mapping[str, Any] | tuple[str, ...]) -> bool:
    """Whether a table's columns are those of qrels."""
    return set(_HEADER) <= set(columns)
