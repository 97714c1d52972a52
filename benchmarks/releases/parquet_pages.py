"""What the pages of a Parquet file unfold to, read from their headers: nothing is decompressed.

A file's footer can say anything, and decoders believe the headers of pages, so these are what is added up. A header is
a struct of Thrift's compact protocol (apache/parquet-format, `PageHeader`).
"""

import mmap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import pyarrow.parquet as pq

_SIZE, _STORED, _DATA, _DICTIONARY, _DATA_V2 = 2, 3, 5, 7, 8
"""Fields of a `PageHeader`: bytes after and before decompression, and the header of each sort of page."""
_ROW_GROUPS, _GROUP_COLUMNS, _GROUP_ROWS, _CHUNK_FILE, _CHUNK_META = 4, 1, 3, 1, 3
_META_VALUES, _META_STORED, _META_DATA, _META_DICTIONARY = 5, 7, 9, 11
"""Fields of `FileMetaData`, `RowGroup`, `ColumnChunk` and `ColumnMetaData`."""
_VALUES = 1
"""The field `num_values` of the headers of data pages."""
_ENCODING = {_DATA: 2, _DATA_V2: 4}
_DELTA_BYTE_ARRAY = 7
"""An encoding in which a text names how much of the one before it it begins with."""
_DEEPEST = 12
_LONGEST_NUMBER = 10
_KEPT_LENGTH = 100_000
"""Bytes of a footer that is kept."""

Bytes = bytes | mmap.mmap
Fields = dict[int, "Value"]
Value = int | bytes | list["Value"] | Fields


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

    @property
    def is_coded(self) -> bool:
        """Whether its texts can be read as places in a dictionary."""
        return self.has_dictionary and self.is_text


@dataclass(frozen=True)
class RowGroup:
    """Rows of a file that are stored together."""

    rows: int
    chunks: Sequence[Chunk]


def read_row_groups(path: Path, schema: pq.ParquetSchema, columns: frozenset[str]) -> list[RowGroup]:
    """What a file's row groups unfold to.

    What the footer says of row groups is read here too: pyarrow 26 ends the process, which nobody can catch, where it
    is odd. The names and kinds of columns are those of the schema, as for a decoder.

    Args:
        path: the file.
        schema: its schema.
        columns: names of columns, each with all that is nested in it.

    Raises:
        ValueError: a header is not one, or leaves its file. OSError: the file cannot be read.
    """
    leaves = [(schema.column(place).path, schema.column(place).physical_type) for place in range(len(schema))]
    wanted = [place for place, (name, _) in enumerate(leaves) if name.split(".")[0] in columns]
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        found = []
        for group in _structs(_footer(data), _ROW_GROUPS):
            said = list(_structs(group, _GROUP_COLUMNS))
            if len(said) != len(leaves):
                raise ValueError("a row group has not the columns of its file")
            chunks = [_chunk(data, said[place], *leaves[place]) for place in wanted]
            found.append(RowGroup(_number(group, _GROUP_ROWS), chunks))
        return found


def _footer(data: mmap.mmap) -> Fields:
    length = int.from_bytes(data[-8:-4], "little")
    if data[-4:] != b"PAR1" or length > len(data) - 12:
        raise ValueError("it is not Parquet")
    start = len(data) - 8 - length
    return _kept_footer(data[start:]) if length < _KEPT_LENGTH else _struct(data, start, 1)[0]


@lru_cache(maxsize=64)
def _kept_footer(content: bytes) -> Fields:
    """The fields of a footer by its bytes: proofs read a file many times, and taking its footer apart is slow."""
    return _struct(content, 0, 1)[0]


def _chunk(data: mmap.mmap, said: Fields, path: str, kind: str) -> Chunk:
    values = unfolded = largest = 0
    has_dictionary = has_delta = False
    for header in _headers(data, said, path):
        size = _number(header, _SIZE)
        unfolded, largest = unfolded + size, max(largest, size)
        has_dictionary |= _DICTIONARY in header
        has_delta |= _encoding(header) == _DELTA_BYTE_ARRAY
        values += _values(header)
    is_text = kind == "BYTE_ARRAY"
    repeats = has_delta or (has_dictionary and kind == "FIXED_LEN_BYTE_ARRAY")
    return Chunk(path, values, unfolded, largest, has_dictionary, is_text, repeats)


def _headers(data: mmap.mmap, said: Fields, path: str) -> Iterator[Fields]:
    """The headers of a chunk's pages, as far as a decoder goes: until it has the values that the footer names."""
    facts = said.get(_CHUNK_META)
    if not isinstance(facts, dict) or _CHUNK_FILE in said:
        raise ValueError(f"the column {path} is not described in the footer")
    at, dictionary = _number(facts, _META_DATA), facts.get(_META_DICTIONARY)
    if isinstance(dictionary, int) and dictionary > 0:
        at = min(at, dictionary)
    end, values, seen = at + _number(facts, _META_STORED), _number(facts, _META_VALUES), 0
    if at < 0 or end > len(data):
        raise ValueError(f"the column {path} leaves the file")
    while at < end and seen < values:
        header, at = _struct(data, at, 1)
        yield header
        stored = _number(header, _STORED)
        if stored < 0 or _number(header, _SIZE) < 0:
            raise ValueError(f"a page of the column {path} has a negative size")
        at += stored
        seen += _values(header)


def _values(header: Fields) -> int:
    inner = header.get(_DATA) or header.get(_DATA_V2)
    return max(_number(inner, _VALUES), 0) if isinstance(inner, dict) else 0


def _encoding(header: Fields) -> Value | None:
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


def _structs(fields: Fields, field: int) -> Iterator[Fields]:
    value = fields.get(field)
    for each in value if isinstance(value, list) else ():
        if not isinstance(each, dict):
            raise ValueError("its footer is none")
        yield each


def _struct(data: Bytes, at: int, depth: int) -> tuple[Fields, int]:
    """A struct's fields by their numbers, and where it ends."""
    fields: Fields = {}
    number = 0
    while (byte := _byte(data, at)) != 0:
        at += 1
        if byte >> 4:
            number += byte >> 4
        else:
            number, at = _integer(data, at)
        kind = byte & 15
        if kind == 5 or kind == 6:  # as most are
            fields[number], at = _integer(data, at)
        elif kind in (1, 2):
            fields[number] = int(kind == 1)
        else:
            fields[number], at = _value(data, at, kind, depth)
    return fields, at + 1


def _value(data: Bytes, at: int, kind: int, depth: int) -> tuple[Value, int]:
    """A value of a kind of Thrift's: booleans of lists and bytes, numbers, doubles, texts, lists, structs."""
    if kind in (1, 2, 3):
        return _byte(data, at), at + 1
    if kind in (4, 5, 6):
        return _integer(data, at)
    if kind == 7:
        return 0, at + 8
    if kind == 8:
        length, at = _varint(data, at)
        return data[at : at + length], at + length
    if kind in (9, 10) and depth < _DEEPEST:
        head, at = _byte(data, at), at + 1
        count = head >> 4
        if count == 15:
            count, at = _varint(data, at)
        items: list[Value] = []
        for _ in range(count):
            item, at = _value(data, at, head & 15, depth + 1)
            items.append(item)
        return items, at
    if kind == 12 and depth < _DEEPEST:
        return _struct(data, at, depth + 1)
    raise ValueError("a header is none")


def _integer(data: Bytes, at: int) -> tuple[int, int]:
    value, at = _varint(data, at)
    return (value >> 1) ^ -(value & 1), at


def _varint(data: Bytes, at: int) -> tuple[int, int]:
    value = _byte(data, at)
    if value < 128:  # as nearly all are
        return value, at + 1
    value &= 127
    for place in range(1, _LONGEST_NUMBER):
        byte = _byte(data, at + place)
        value |= (byte & 127) << 7 * place
        if byte < 128:
            return value, at + place + 1
    raise ValueError("a page has no header")


def _byte(data: Bytes, at: int) -> int:
    try:
        return data[at]
    except IndexError:
        raise ValueError("a page leaves the file") from None
