"""What the fields of a manifest may hold, beyond their types: names, versions, paths, counts, hashes.

A manifest comes from strangers, and its names become folders, its paths files that are read and pushed, its texts lines
on a terminal. What is not allowed here is refused before anything else of a release is read, and never written.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.naming import check_name, check_version
from benchwright.benchmarks.releases.configs import may_hold

ROWS = 10**12
"""Rows that a split may have."""
BYTES = 2**50
"""Bytes that a file may have."""
TEXT = 1_000
"""Characters that a name, a path or another short text may have."""
SEED = 2**256
"""Seeds are between this and its negative."""
WRITERS = ("rule", "model", "given", "fallback")
"""Who may have written a text; see `Manifest.texts`."""
_HASH = re.compile(r"[0-9a-f]{64}")
_WORD = re.compile(r"[a-z][a-z0-9_]{0,89}")
_BUILDER = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,88}[A-Za-z0-9])?")
_DRIVE = re.compile(r"[A-Za-z]:")

Check = Callable[[str, Any], None]
"""Given a field's name and its value: raises BenchwrightError, with that name, where it may not be so."""


def check_values(fields: Mapping[str, Any]) -> None:
    """Looks at the fields of a manifest, whose types are right.

    Args:
        fields: every field of `Manifest` by name.

    Raises:
        BenchwrightError: one holds what it must not; the text begins with its name.
    """
    for name, check in _CHECKS.items():
        check(name, fields[name])
    for name, check in _OR_NULL.items():
        if fields[name] is not None:
            check(name, fields[name])
    for config in {*fields["rows"], *fields["splits"]}:
        if not may_hold(config, fields["builder"]):
            raise _error("splits", f"{config!r} is no config that {fields['builder']} makes: install a newer version")


def _error(field: str, what: str) -> BenchwrightError:
    return BenchwrightError(f"{field}: {what}")


def _short(value: object) -> str:
    said = repr(value)
    return said if len(said) <= 80 else f"{said[:77]}..."


def _text(field: str, value: Any) -> None:
    """A text of one line."""
    if not isinstance(value, str):
        raise _error(field, f"must be a text, and is {_short(value)}")
    if len(value) > TEXT:
        raise _error(field, f"has {len(value):,} characters, and {TEXT:,} at most are allowed")
    if not value.isprintable():
        raise _error(field, f"{_short(value)} has characters that cannot be printed")


def _matching(pattern: re.Pattern[str], wanted: str) -> Check:
    def check(field: str, value: Any) -> None:
        if not isinstance(value, str) or not pattern.fullmatch(value):
            raise _error(field, f"{_short(value)} is not {wanted}")

    return check


_hash = _matching(_HASH, "a SHA-256 hash of 64 hexadecimal digits")
_word = _matching(_WORD, "a name of lower-case letters, digits and '_'")
_builder = _matching(_BUILDER, "the name of a builder")


def _named(check: Callable[[str], str]) -> Check:
    """A check of `naming`, which knows no field."""

    def named(field: str, value: Any) -> None:
        _text(field, value)
        try:
            check(value)
        except BenchwrightError as error:
            raise _error(field, str(error)) from None

    return named


def _version_of_three(text: str) -> str:
    if len(text) > 30 or not text.isascii():
        raise BenchwrightError(f"{_short(text)} is not a version: use three numbers, such as 1.0.0")
    return check_version(text)


_name, _version = _named(check_name), _named(_version_of_three)


def _number(field: str, value: Any, least: int, most: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool):
        raise _error(field, f"must be a whole number, and is {_short(value)}")
    if not least <= value <= most:
        raise _error(field, f"{_short(value)} is out of range")


def _seed(field: str, value: Any) -> None:
    _number(field, value, -SEED, SEED)


def _rows(field: str, value: Any) -> None:
    _number(field, value, 0, ROWS)


def _count(field: str, value: Mapping[str, Any]) -> None:
    for key, number in value.items():
        _word(field, key)
        _rows(f"{field}.{key}", number)


def _splits(field: str, value: Mapping[str, Mapping[str, Any]]) -> None:
    for config, splits in value.items():
        _word(field, config)
        _count(f"{field}.{config}", splits)


def _files(field: str, value: Mapping[str, Mapping[str, Any]]) -> None:
    for path, facts in value.items():
        _path(field, path)
        _keys(f"{field}.{path}", facts, ("sha256", "bytes"))
        _hash(f"{field}.{path}.sha256", facts["sha256"])
        _number(f"{field}.{path}.bytes", facts["bytes"], 0, BYTES)


def _path(field: str, path: str) -> None:
    _text(field, path)
    if not is_path(path):
        raise _error(field, f"{_short(path)} is not the path of a file in the release's folder")


def is_path(path: str) -> bool:
    """Whether it is the path of a file that a manifest may name: one that stays in the release's folder on every
    system, is not hidden, and is not the manifest itself."""
    if len(path) > TEXT or not path.isprintable() or "\\" in path or _DRIVE.match(path) or path == "manifest.json":
        return False
    return not any(not part or part.startswith(".") for part in path.split("/"))


def _records(required: Sequence[str]) -> Check:
    """A list of objects whose values are texts, numbers, truth values or null, some of them texts for certain."""

    def check(field: str, value: Sequence[Mapping[str, Any]]) -> None:
        for number, record in enumerate(value):
            place = f"{field}.{number}"
            for key in required:
                if not isinstance(record.get(key), str):
                    raise _error(f"{place}.{key}", f"must be a text, and is {_short(record.get(key))}")
            for key, one in record.items():
                _text(place, key)
                if one is not None and not isinstance(one, str | int | float):
                    raise _error(f"{place}.{key}", f"must be a text, a number or null, and is {_short(one)}")
                if isinstance(one, str) and len(one) > TEXT:
                    raise _error(f"{place}.{key}", f"has {len(one):,} characters, and {TEXT:,} at most are allowed")
            for key in _TEXTS_OF_RECORDS & record.keys():
                if not isinstance(record[key], str | None):
                    raise _error(f"{place}.{key}", f"must be a text or null, and is {_short(record[key])}")

    return check


_TEXTS_OF_RECORDS = {"revision", "sha256", "licence", "rows_shipped", "prompt", "prompt_sha256"}


def _texts(field: str, value: Mapping[str, Mapping[str, Any]]) -> None:
    for sort, who in value.items():
        _text(field, sort)
        for writer, number in who.items():
            if writer not in WRITERS:
                raise _error(f"{field}.{sort}", f"{_short(writer)} is none of {', '.join(WRITERS)}")
            _rows(f"{field}.{sort}.{writer}", number)


def _keys(field: str, value: Mapping[str, Any], wanted: Sequence[str]) -> None:
    for key in wanted:
        if key not in value:
            raise _error(field, f"lacks {key}")
    for key in value:
        if key not in wanted:
            raise _error(field, f"has an unknown key {_short(key)}")


def _check_each(field: str, value: Mapping[str, Any], checks: Mapping[str, Check]) -> None:
    _keys(field, value, tuple(checks))
    for key, check in checks.items():
        check(f"{field}.{key}", value[key])


def _share(field: str, value: Any) -> None:
    if not isinstance(value, float) or not 0 < value <= 1:
        raise _error(field, f"{_short(value)} is not a share above 0 and up to 1")


def _holdout(field: str, value: Mapping[str, Any]) -> None:
    if "secret" in value or "public" in value:
        _check_each(field, value, _PRIVATE)
    else:
        known = _PUBLIC if _BY_CELLS.keys() & value.keys() else _BY_GROUPS
        _check_each(field, value, {name: check for name, check in known.items() if name in value or name not in _NEWER})


def _recovered(field: str, value: Mapping[str, Any]) -> None:
    for program, shares in value.items():
        _word(field, program)
        if not isinstance(shares, Mapping):
            raise _error(f"{field}.{program}", f"must be an object, and is {_short(shares)}")
        for kind, share in shares.items():
            if kind not in ("answerable", "gap") or not isinstance(share, float) or not 0 <= share <= 1:
                raise _error(f"{field}.{program}", f"{_short(kind)}: {_short(share)} is not a share from 0 to 1")


def _parent(field: str, value: Mapping[str, Any]) -> None:
    _check_each(field, value, {"name": _name, "version": _version, "content_hash": _hash})


_BY_GROUPS: Mapping[str, Check] = {
    "share": _share,
    "questions": _rows,
    "groups": _rows,
    "commitment": _text,
    "private": _name,
}
"""Of a public release from before cells were drawn."""
_BY_CELLS: Mapping[str, Check] = {
    "share_held_out": _share,
    "groups_left_out": _count,
    "groups_given_away": _rows,
    "recovered": _recovered,
}
_NEWER = frozenset({"groups_given_away", "recovered"})
"""What the first of these releases lack."""
_PUBLIC: Mapping[str, Check] = {**_BY_GROUPS, **_BY_CELLS}
_PRIVATE: Mapping[str, Check] = {
    "share": _share,
    "public": _name,
    "public_content_hash": _hash,
    "secret": _matching(_HASH, "a secret of 64 hexadecimal digits"),
}
_CHECKS: Mapping[str, Check] = {
    "name": _name,
    "version": _version,
    "builder": _builder,
    "builder_version": _text,
    "canary": _text,
    "content_hash": _hash,
    "rows": _count,
    "splits": _splits,
    "files": _files,
    "sources": _records(["uri"]),
    "models": _records(["role", "name"]),
    "texts": _texts,
}
_OR_NULL: Mapping[str, Check] = {"seed": _seed, "holdout": _holdout, "parent": _parent}
