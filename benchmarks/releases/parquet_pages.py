"""What the pages of a Parquet file unfold to, read from their headers: nothing is decompressed.

A file's footer can say anything, and decoders believe the headers of pages, so these are what is added up. A header is
a struct of Thrift's compact protocol (apache/parquet-format, `PageHeader`).
"""

import mmap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet as pq

_SIZE, _STORED, _DATA, _DICTIONARY, _DATA_V2 = 2, 3, 5, 7, 8
"""Fields of a `PageHeader`: bytes after and before decompression, and the header of each sort of page."""
_VALUES = 1
"""The field `num_values` of the headers of data pages."""
_ENCODING = {_DATA: 2, _DATA_V2: 4}
_DELTA_BYTE_ARRAY = 7
"""An encoding in which a text names how much of the one before it it begins with."""
_DEEPEST = 4
_LONGEST_NUMBER = 10

Fields = dict[int, "int | Fields"]


@dataclass(frozen=True)
class Chunk:
    """A column within a row group, as its pages say."""

    path: str
    """`evidence.list.element.document`"""
    values: int
    """How many it has, nulls and the items of lists counted."""
    unfolded: int
    """Bytes after decompression; a text that a dictionary holds counts once."""
    largest_page: int
    """Bytes after decompression."""
    has_dictionary: bool
    is_text: bool
    repeats_text: bool
    """Whether a value may be as long as a page though it takes a few bytes of it, and a dictionary does not show it."""


def read_chunks(path: Path, footer: pq.FileMetaData, columns: frozenset[str]) -> list[list[Chunk]]:
    """Per row group the chunks of some columns of a file.

    Args:
        path: the file.
        footer: its footer.
        columns: names of columns, each with all that is nested in it.

    Raises:
        ValueError: a header is not one, or leaves its file. OSError: the file cannot be read.
    """
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        return [
            [
                _chunk(data, column)
                for column in map(group.column, range(group.num_columns))
                if column.path_in_schema.split(".")[0] in columns
            ]
            for group in map(footer.row_group, range(footer.num_row_groups))
        ]


def _chunk(data: mmap.mmap, column: pq.ColumnChunkMetaData) -> Chunk:
    values = unfolded = largest = 0
    has_dictionary = has_delta = False
    for header in _headers(data, column):
        size = _number(header, _SIZE)
        unfolded, largest = unfolded + size, max(largest, size)
        has_dictionary |= _DICTIONARY in header
        has_delta |= _encoding(header) == _DELTA_BYTE_ARRAY
        values += _values(header)
    is_text = column.physical_type == "BYTE_ARRAY"
    repeats = has_delta or (has_dictionary and column.physical_type == "FIXED_LEN_BYTE_ARRAY")
    return Chunk(column.path_in_schema, values, unfolded, largest, has_dictionary, is_text, repeats)


def _headers(data: mmap.mmap, column: pq.ColumnChunkMetaData) -> Iterator[Fields]:
    """The headers of a chunk's pages, as far as a decoder goes: until it has the values that the footer names."""
    at = column.data_page_offset
    if column.dictionary_page_offset:
        at = min(at, column.dictionary_page_offset)
    end, seen = at + column.total_compressed_size, 0
    if at < 0 or end > len(data):
        raise ValueError(f"the column {column.path_in_schema} leaves the file")
    while at < end and seen < column.num_values:
        header, at = _struct(data, at, 1)
        yield header
        stored = _number(header, _STORED)
        if stored < 0 or _number(header, _SIZE) < 0:
            raise ValueError(f"a page of the column {column.path_in_schema} has a negative size")
        at += stored
        seen += _values(header)


def _values(header: Fields) -> int:
    inner = header.get(_DATA) or header.get(_DATA_V2)
    return max(_number(inner, _VALUES), 0) if isinstance(inner, dict) else 0


def _encoding(header: Fields) -> "int | Fields | None":
    for kind, field in _ENCODING.items():
        inner = header.get(kind)
        if isinstance(inner, dict):
            return inner.get(field)
    return None


def _number(fields: Fields, field: int) -> int:
    value = fields.get(field)
    if not isinstance(value, int):
        raise ValueError("a page has no header")
    return value


def _struct(data: mmap.mmap, at: int, depth: int) -> tuple[Fields, int]:
    """A struct's fields by their numbers, and where it ends; texts are passed over."""
    fields: Fields = {}
    number = 0
    while (byte := _byte(data, at)) != 0:
        at += 1
        if byte >> 4:
            number += byte >> 4
        else:
            number, at = _integer(data, at)
        kind = byte & 15
        if kind in (1, 2):
            fields[number] = int(kind == 1)
        elif kind in (4, 5, 6):
            fields[number], at = _integer(data, at)
        elif kind in (3, 7):
            at += 1 if kind == 3 else 8
        elif kind == 8:
            length, at = _varint(data, at)
            at += length
        elif kind == 12 and depth < _DEEPEST:
            fields[number], at = _struct(data, at, depth + 1)
        else:
            raise ValueError("a page has no header")
    return fields, at + 1


def _integer(data: mmap.mmap, at: int) -> tuple[int, int]:
    value, at = _varint(data, at)
    return (value >> 1) ^ -(value & 1), at


def _varint(data: mmap.mmap, at: int) -> tuple[int, int]:
    value = 0
    for place in range(_LONGEST_NUMBER):
        byte = _byte(data, at + place)
        value |= (byte & 127) << 7 * place
        if byte < 128:
            return value, at + place + 1
    raise ValueError("a page has no header")


def _byte(data: mmap.mmap, at: int) -> int:
    if at >= len(data):
        raise ValueError("a page leaves the file")
    return data[at]
