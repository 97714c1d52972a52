"""Identities that do not change with a library's version: ids of questions, and the content hash of a release."""

import hashlib
import json
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pyarrow as pa

from benchwright.benchmarks.arrow import compute as pc


def short_hash(parts: Iterable[str], size: int = 8) -> str:
    """A BLAKE2b hash of texts as `2 * size` hexadecimal digits. Each part is hashed with its length before it."""
    digest = hashlib.blake2b(digest_size=size)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.hexdigest()


def rank(*parts: object, joined_by: str | None = None, algorithm: Literal["blake2b", "sha256"] = "blake2b") -> bytes:
    """The place of something in a seeded order: sorted by it, any first part of a collection is a uniform sample of it.

    The bytes that are hashed are part of what a seed means, so orders that releases were drawn with keep theirs.

    Args:
        parts: the seed, what the order is for, and what is ranked; as texts.
        joined_by: what stands between the parts; None: each part has its length before it, so that no two lists of
            parts give the same bytes.
        algorithm: 8 bytes of BLAKE2b, or SHA-256.
    """
    if joined_by is None:
        return bytes.fromhex(short_hash(map(str, parts)))
    data = joined_by.join(map(str, parts)).encode("utf-8", "surrogatepass")
    return hashlib.sha256(data).digest() if algorithm == "sha256" else hashlib.blake2b(data, digest_size=8).digest()


def template_id(text: str) -> str:
    """The id of a template: a hash of our own text (12 hexadecimal digits)."""
    return short_hash([text], 6)


def group_id(builder: str, template: str, filling: Sequence[str]) -> str:
    """The id of a semantic group: a hash of the builder's name, the template's id and the values that fill it."""
    return short_hash([builder, template, *filling])


def wording_id(form: str, wording: str) -> str:
    """The second half of a question's id: a hash of the form and of the wording before it is filled."""
    return short_hash([form, wording], 4)


def question_id(group: str, form: str, wording: str) -> str:
    """A question's id: its group's id, a hyphen, and the hash of form and wording. The answer has no part in it."""
    return f"{group}-{wording_id(form, wording)}"


def file_sha256(path: Path) -> str:
    """The SHA-256 of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class ColumnHash:
    """The running hash of one column's logical values: chunk sizes, encodings and library versions do not matter.

    Two streams are hashed. *Shape*: for every value a little-endian int32: -1 for null; else the number of UTF-8 bytes
    of a text, the number of items of a list, 0 for anything else. *Values*: the UTF-8 bytes of texts, numbers as
    little-endian int64 or float64, booleans as one byte. The items of a list and the fields of a struct are columns of
    their own, over the values that are not null.
    """

    def __init__(self, kind: pa.DataType) -> None:
        self.kind = kind
        self.shape, self.values = hashlib.sha256(), hashlib.sha256()
        self.children: list[ColumnHash] = []
        if pa.types.is_list(kind) or pa.types.is_large_list(kind):
            self.children = [ColumnHash(kind.value_type)]
        elif pa.types.is_struct(kind):
            self.children = [ColumnHash(kind.field(i).type) for i in range(kind.num_fields)]

    def update(self, array: pa.Array) -> None:
        """Takes in the next values of the column."""
        if pa.types.is_dictionary(array.type):
            array = array.dictionary_decode()
        kind = self.kind
        if pa.types.is_string(kind) or pa.types.is_large_string(kind):
            self._shape(array, pc.binary_length(array))
            self.values.update(_text_bytes(array))
        elif pa.types.is_list(kind) or pa.types.is_large_list(kind):
            self._shape(array, pc.list_value_length(array))
            self.children[0].update(array.flatten())
        else:
            self._shape(array, None)
            present = array.drop_null() if array.null_count else array
            if pa.types.is_struct(kind):
                for child, values in zip(self.children, present.flatten(), strict=True):
                    child.update(values)
            elif len(present):
                width = "u1" if pa.types.is_boolean(kind) else "<f8" if pa.types.is_floating(kind) else "<i8"
                self.values.update(present.to_numpy(zero_copy_only=False).astype(width).tobytes())

    def _shape(self, array: pa.Array, sizes: pa.Array | None) -> None:
        if sizes is None:
            shape = np.where(array.is_null().to_numpy(zero_copy_only=False), -1, 0)
        else:
            shape = (sizes.fill_null(-1) if sizes.null_count else sizes).to_numpy(zero_copy_only=False)
        self.shape.update(shape.astype("<i4").tobytes())

    def digest(self) -> list[Any]:
        """Name of the kind of values, hash of the shape, hash of the values, and the same of the columns inside."""
        return [
            _kind_name(self.kind),
            self.shape.hexdigest(),
            self.values.hexdigest(),
            [c.digest() for c in self.children],
        ]


def _kind_name(kind: pa.DataType) -> str:
    if pa.types.is_struct(kind):
        return "struct:" + ",".join(kind.field(i).name for i in range(kind.num_fields))
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return "list"
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return "text"
    if pa.types.is_boolean(kind):
        return "boolean"
    return "float" if pa.types.is_floating(kind) else "integer"


def _text_bytes(array: pa.Array) -> memoryview:
    """The UTF-8 bytes of all texts of an array, one after the other, without a copy where there is no null."""
    if array.null_count:
        array = array.drop_null()
    if len(array) == 0:
        return memoryview(b"")
    wide = pa.types.is_large_string(array.type)
    _, offsets, data = array.buffers()
    edges = np.frombuffer(offsets, dtype="<i8" if wide else "<i4")
    first, last = int(edges[array.offset]), int(edges[array.offset + len(array)])
    return memoryview(data)[first:last] if last > first else memoryview(b"")


class ContentHash:
    """The content hash of a release: SHA-256 over the column hashes of every config and split, the rows of the shipped
    databases and the templates. See `ColumnHash` for the encoding; the order of rows is part of it."""

    def __init__(self) -> None:
        self._columns: dict[tuple[str, str, str], ColumnHash] = {}
        self._others: dict[str, str] = {}

    def update(self, config: str, split: str, batch: pa.RecordBatch, schema: pa.Schema) -> None:
        """Takes in the next rows of a split. The types of the schema count, not the batch's."""
        for field in schema:
            key = (config, split, field.name)
            if key not in self._columns:
                self._columns[key] = ColumnHash(field.type)
            self._columns[key].update(batch.column(field.name))

    def add(self, name: str, digest: str) -> None:
        """Takes in the digest of something that is no config, such as `database/aurp.sqlite`."""
        self._others[name] = digest

    def hexdigest(self, without: Collection[str] = ()) -> str:
        """The content hash, 64 hexadecimal digits; of all configs but some."""
        columns = [[*key, column.digest()] for key, column in sorted(self._columns.items()) if key[0] not in without]
        text = json.dumps([columns, sorted(self._others.items())], separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()


def json_digest(value: Any) -> str:
    """SHA-256 of a JSON value in a canonical form: sorted keys, no spaces, UTF-8."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def hash_texts(array: pa.Array) -> np.ndarray:
    """A hash of 64 bits of each text of an array, for finding what is equal; 0 for null.

    It is for use within a process: what is written uses `short_hash`. Texts of up to 128 bytes are hashed all at once,
    20 to 40 times faster than one by one.
    """
    if pa.types.is_dictionary(array.type):
        hashed = np.append(hash_texts(array.dictionary), np.uint64(0))
        return hashed[array.indices.fill_null(len(hashed) - 1).to_numpy(zero_copy_only=False)]
    if not len(array):
        return np.zeros(0, dtype=np.uint64)
    lengths = pc.binary_length(array).fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
    is_long = lengths > _LONGEST_MIXED
    if is_long.any():
        hashed = np.zeros(len(array), dtype=np.uint64)
        hashed[is_long] = [int(short_hash([text.as_py()]), 16) for text in array.filter(pa.array(is_long))]
        hashed[~is_long] = hash_texts(array.filter(pa.array(~is_long)))
        return hashed
    longest = int(lengths.max())
    width = -(-max(longest, 1) // 8) * 8
    padded = np.zeros((len(lengths), width), dtype=np.uint8)
    data = np.frombuffer(_text_bytes(array), dtype=np.uint8)
    if lengths.min() == longest:
        padded[:, :longest] = data.reshape(len(lengths), longest)
    else:
        padded[np.arange(width) < lengths[:, None]] = data
    hashed = _mix(padded.view(np.uint64), lengths)
    if array.null_count:
        hashed[array.is_null().to_numpy(zero_copy_only=False)] = 0
    return hashed


_LONGEST_MIXED = 128


def _mix(words: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Each row of 64-bit words as one: multiplied, shifted and added up as in the finaliser of MurmurHash3.

    Words beyond a row's length in bytes do not count: a text has one hash, whatever stands beside it.
    """
    hashed = lengths.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(1)
    shortest = int(lengths.min())
    for column in range(words.shape[1]):
        mixed = hashed ^ words[:, column]
        mixed ^= mixed >> np.uint64(33)
        mixed *= np.uint64(0xFF51AFD7ED558CCD)
        mixed ^= mixed >> np.uint64(33)
        mixed *= np.uint64(0xC4CEB9FE1A85EC53)
        hashed = mixed if 8 * column < shortest else np.where(lengths > 8 * column, mixed, hashed)
    return hashed ^ (hashed >> np.uint64(33))
