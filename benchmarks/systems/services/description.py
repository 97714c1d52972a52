"""`FILE.toml`: a service that is there already, described: what it is sent, and where things stand in its reply.

url = "https://rag.example.com/api/ask"
headers = {Authorization = "Bearer ${RAG_TOKEN}"}
request = {query = "{question}", top_k = 5}

[reply]
answer = "data.answer"
contexts = "data.sources[].{id: doc_id, text: snippet, score: score}"
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import urlsplit

from pydantic import ConfigDict, TypeAdapter, ValidationError

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.validation import in_one_line

_STRICT = ConfigDict(extra="forbid")


@dataclass(frozen=True)
class Places:
    """Where things stand in a reply: JMESPath expressions."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    answer: str
    contexts: str | None = None
    """A list, the best first: of texts, or of objects with `id`, `uri`, `text`, `score`, `start`, `end`."""
    abstained: str | None = None
    """What is true, or not empty, where the service says that it does not know."""
    error: str | None = None
    """What is there, and not empty, where the service failed; it may be a message."""
    input_tokens: str | None = None
    output_tokens: str | None = None
    calls: str | None = None
    retrievals: str | None = None
    cost: str | None = None
    """US dollars."""
    latency: str | None = None
    """Seconds; without it they are measured."""


@dataclass(frozen=True)
class Search:
    """Another address, where the service only retrieves; what is not said here is as in the file's head."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    url: str
    contexts: str
    """As in `Places`."""
    method: str | None = None
    headers: Mapping[str, str] | None = None
    parameters: Mapping[str, str | int | float | bool] = field(default_factory=dict)
    request: Any = None
    form: Mapping[str, str | int | float | bool] | None = None


@dataclass(frozen=True)
class Description:
    """A service: what is sent, and what is read of its reply."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    url: str
    reply: Places | None = None
    """None: the reply is read as that of a service at an address is, or of an OpenAI-compatible endpoint."""
    method: str | None = None
    """None: POST where there is a `request` or a `form`, else GET."""
    headers: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, str | int | float | bool] = field(default_factory=dict)
    """What is added to the address after `?`."""
    request: Any = None
    """The body, sent as JSON."""
    form: Mapping[str, str | int | float | bool] | None = None
    """The body, sent as a form is."""
    retrieve: Search | None = None
    timeout: float | None = None
    retries: int | None = None
    workers: int | None = None

    @property
    def sent(self) -> Any:
        """All that may have placeholders."""
        return [self.url, dict(self.headers), dict(self.parameters), self.request, self.form]


_KNOWN = {
    "": [each.name for each in fields(Description)],
    "reply": [each.name for each in fields(Places)],
    "retrieve": [each.name for each in fields(Search)],
}


def read_description(path: Path) -> Description:
    """The description that a file holds.

    Raises:
        BenchwrightError: there is no such file, or it cannot be read.
        UsageError: it is no TOML, has an unknown key or lacks one, or a value is not as it must be.
    """
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise BenchwrightError(f"there is no file {path}, which would describe a service: check the path") from None
    except OSError as error:
        raise BenchwrightError(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:  # of TOML or of UTF-8
        raise UsageError(f"{path} is no TOML: {error}") from None
    try:
        description = TypeAdapter(Description).validate_python(values)
    except ValidationError as error:
        raise UsageError(f"{path}: {in_one_line(error, _KNOWN)}") from None
    for name, part in (("", description), ("retrieve: ", description.retrieve)):
        if part is not None and part.request is not None and part.form is not None:
            raise UsageError(f"{path}: {name}request and form are both the body: leave one out")
    for name, number, least in (
        ("timeout", description.timeout, 0.001),
        ("retries", description.retries, 0),
        ("workers", description.workers, 1),
    ):
        if number is not None and number < least:
            raise UsageError(f"{path}: {name} = {number}: give {least} or more")
    return description


def checked_url(url: str, where: str) -> str:
    """An address that can be asked.

    Raises:
        UsageError: it is none, or it holds a password, which would be shown.
    """
    try:
        parts = urlsplit(url)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # of a port that is none, or half an IPv6 address
        parts, is_address = None, False
    if parts is None or not is_address or any(character.isspace() for character in url):
        raise UsageError(f"{where} is not the address of a service: give one such as http://127.0.0.1:8000/ask")
    if parts.username is not None:
        raise UsageError(
            f"{where} holds a name or a password: write a header in a FILE.toml, as "
            'Authorization = "Basic ${NAME}", and put the value in the environment variable NAME'
        )
    return url
