"""`system.yaml`: what a submitter says of a system. Nobody but the submitter vouches for it."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal, get_args
from urllib.parse import urlsplit

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.leaderboards.layout import SYSTEM
from benchwright.benchmarks.leaderboards.plain_yaml import read_plain, write_plain

Openness = Literal["open source", "open weights", "closed"]
"""Code and models are public; the models are; neither, or in part."""
OPENNESS: tuple[Openness, ...] = get_args(Openness)
FORMAT = 1
MAX_BYTES = 64_000


@dataclass(frozen=True)
class SystemModel:
    """A model that a system asks."""

    role: str
    """What for: `answers`, `embeds`, `re-ranks`, …"""
    name: str


@dataclass(frozen=True)
class SystemFile:
    """What `system.yaml` says."""

    name: str
    """As it is shown."""
    authors: tuple[str, ...]
    openness: Openness
    retriever: str
    """In words; "none" where nothing is retrieved."""
    models: tuple[SystemModel, ...] = ()
    """None: it asks no model."""
    licence: str = "unknown"
    """Of the system."""
    link: str | None = None
    """https: a paper, a repository, a product."""
    organisation: str | None = None
    builders_took_part: bool = False
    """Whether who built the benchmark had part in the system."""
    description: str = ""
    format: int = FORMAT


_KNOWN = tuple(each.name for each in fields(SystemFile))
REQUIRED = ("name", "authors", "openness", "retriever")
_LONGEST = {"name": 80, "retriever": 200, "licence": 80, "link": 300, "organisation": 120, "description": 2_000}
"""Characters."""
_AUTHOR, _ROLE, _MODEL = 120, 40, 160
_AUTHORS, _MODELS = 100, 30
_JOINERS = "\u200c\u200d"
"""Marks between letters that some scripts need; not in a system's name, where nobody would see them."""
_YES = {"true": True, "yes": True, "false": False, "no": False}
_SLUG = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")


def slug_of(name: str) -> str | None:
    """A system's name as it stands in paths and addresses; None where nothing of it is left: `My RAG` is my-rag."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"\.{2,}", ".", re.sub(r"[^a-z0-9._]+", "-", plain)).strip("._-")[:64].rstrip("._-")
    return slug if is_slug(slug) else None


def is_slug(text: str) -> bool:
    """Whether a text may be a system's name in paths."""
    return _SLUG.fullmatch(text) is not None and ".." not in text


def read_system_file(data: bytes, name: str = "system.yaml") -> SystemFile:
    """What a `system.yaml` says, of which nothing is believed.

    Raises:
        BenchwrightError: it is not as it must be; names the field.
    """
    return system_file(read_plain(data, name, MAX_BYTES, only_texts=True), name)


def system_file(values: Any, name: str = "system.yaml") -> SystemFile:
    """A system from the values of a `system.yaml`: texts, lists of texts, mappings.

    Raises:
        BenchwrightError: they are not as they must be; names the field.
    """
    if not isinstance(values, Mapping):
        raise BenchwrightError(f"{name} must hold keys and values, such as 'name: My system'")
    unknown = next((key for key in values if key not in _KNOWN), None)
    if unknown is not None:
        raise BenchwrightError(f"{name} has a key {str(unknown)[:40]!r}: the keys are {', '.join(_KNOWN)}")
    said = {key: value for key, value in values.items() if value not in (None, "", [], ())}
    missing = [key for key in REQUIRED if key not in said]
    if missing:
        raise BenchwrightError(f"{name} does not say {' and '.join(missing)}")
    if str(said.get("format", FORMAT)) != str(FORMAT):
        raise BenchwrightError(f"{name} is of the format {str(said['format'])[:20]!r}: this program reads {FORMAT}")
    texts = {key: _text(said[key], key, most, name) for key, most in _LONGEST.items() if key in said}
    return SystemFile(
        name=_name(texts["name"], name),
        authors=tuple(_text(each, "authors", _AUTHOR, name) for each in _list(said, "authors", _AUTHORS, name)),
        openness=_openness(said["openness"], name),
        retriever=texts["retriever"],
        models=tuple(_model(each, name) for each in _list(said, "models", _MODELS, name)),
        licence=texts.get("licence", "unknown"),
        link=_link(texts["link"], name) if "link" in texts else None,
        organisation=texts.get("organisation"),
        builders_took_part=_yes(said.get("builders_took_part", False), name),
        description=texts.get("description", ""),
    )


def system_text(system: SystemFile) -> str:
    """A system as the text of `system.yaml`."""
    models = [{"role": each.role, "name": each.name} for each in system.models]
    values: dict[str, Any] = {key: getattr(system, key) for key in _KNOWN}
    values |= {"authors": list(system.authors), "models": models}
    always = (*REQUIRED, "models", "builders_took_part", "format")
    said = {key: value for key, value in values.items() if key in always or value}
    return write_plain(said, width=100)


def parse_model(text: str) -> dict[str, str]:
    """A model as it stands on a command line, `answers=gpt-4o`; without a role it answers."""
    role, equals, model = text.partition("=")
    return {"role": role.strip(), "name": model.strip()} if equals else {"role": "answers", "name": text.strip()}


def _text(value: Any, key: str, most: int, name: str) -> str:
    """A text of one line, but for the description, of which nothing is hidden and nothing steers what shows it."""
    if not isinstance(value, str):
        raise BenchwrightError(f"{name}: {key!r} must be a text")
    text = unicodedata.normalize("NFC", value).replace("\r\n", "\n").strip()
    allowed = ("" if key == "name" else _JOINERS) + ("\n" if key == "description" else "")
    odd = next((each for each in text if not each.isprintable() and each not in allowed), None)
    if odd is not None:
        raise BenchwrightError(f"{name}: {key!r} holds the character U+{ord(odd):04X}, which nobody sees: take it out")
    if not text:
        raise BenchwrightError(f"{name}: {key!r} is empty")
    if len(text) > most:
        raise BenchwrightError(f"{name}: {key!r} has {len(text):,} characters, and may have {most:,}: shorten it")
    return text


def _name(text: str, name: str) -> str:
    if not any(each.isalnum() for each in text):
        raise BenchwrightError(f"{name}: 'name' has no letter and no digit")
    return text


def _list(said: Mapping[str, Any], key: str, most: int, name: str) -> Sequence[Any]:
    value = said.get(key, ())
    if isinstance(value, str) or not isinstance(value, Sequence):
        value = [value]
    if len(value) > most:
        raise BenchwrightError(f"{name}: {key!r} has {len(value):,} entries, and may have {most}")
    return value


def _openness(value: Any, name: str) -> Openness:
    for each in OPENNESS:
        if each == value:
            return each
    raise BenchwrightError(f"{name}: 'openness' must be one of {', '.join(map(repr, OPENNESS))}")


def _model(value: Any, name: str) -> SystemModel:
    if isinstance(value, str):
        value = parse_model(value)
    if not isinstance(value, Mapping) or set(value) != {"role", "name"}:
        raise BenchwrightError(f"{name}: each of 'models' needs a 'role' and a 'name', such as answers and gpt-4o")
    return SystemModel(_text(value["role"], "models", _ROLE, name), _text(value["name"], "models", _MODEL, name))


def _link(text: str, name: str) -> str:
    try:
        parts = urlsplit(text)
        is_right = parts.scheme == "https" and "." in (parts.hostname or "") and parts.username is None
    except ValueError:
        is_right = False
    if not is_right or re.search(r"""[\s"'<>`\\]""", text):
        raise BenchwrightError(f"{name}: 'link' must be an address such as https://example.org/paper")
    return text


def _yes(value: Any, name: str) -> bool:
    found = value if isinstance(value, bool) else _YES.get(str(value).lower())
    if found is None:
        raise BenchwrightError(f"{name}: 'builders_took_part' must be yes or no")
    return found


def told_system(folder: Path, file: Path | None = None) -> dict[str, Any]:
    """What was said of a run's system before, in `system.yaml` beside it or in another file; empty where nothing was.

    Raises:
        BenchwrightError: the file is not there, or is not plain YAML.
    """
    path = file or folder / SYSTEM
    if file is None and not path.is_file():
        return {}
    try:
        values = read_plain(path.read_bytes(), str(path), MAX_BYTES, only_texts=True)
    except OSError as error:
        raise BenchwrightError(f"{path} cannot be read: {error.strerror}") from None
    if values is not None and not isinstance(values, dict):
        raise BenchwrightError(f"{path} must hold keys and values, such as 'name: My system'")
    return values or {}


def keep_system(folder: Path, system: SystemFile) -> None:
    """Writes `system.yaml` beside a run, in one step, where it does not say the same already."""
    text, path = system_text(system), folder / SYSTEM
    if path.is_file() and path.read_bytes() == text.encode():
        return
    part = folder / f".{SYSTEM}"
    part.write_text(text, encoding="utf-8")
    part.replace(path)
