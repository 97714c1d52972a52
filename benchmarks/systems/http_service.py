"""`http://…` and `https://…`: a service that takes a question and returns a prediction; `FILE.toml`: any other one."""

import functools
import re
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.predictions import CLOSED, GOLD, WITHOUT_GOLD
from benchwright.benchmarks.secrecy import private_values
from benchwright.benchmarks.systems.base import Opening, System, SystemKind
from benchwright.benchmarks.systems.calling import Callables, prepare, prepare_search
from benchwright.benchmarks.systems.services.connection import Connection
from benchwright.benchmarks.systems.services.description import Description, Search, checked_url, read_description
from benchwright.benchmarks.systems.services.expressions import Expression, Reader
from benchwright.benchmarks.systems.services.service import Service, Template
from benchwright.benchmarks.systems.services.templates import (
    CONTEXT,
    CONTEXTS,
    checked_headers,
    mentions,
    secrets_of,
    shown_address,
    with_variables,
)
from benchwright.benchmarks.text.slugs import slug

_CHAT = "/chat/completions"
WORKERS = 8
"""Questions that a service is asked at once where nothing is said."""
_PREFIXES = ("http://", "https://")


def open_address(reference: str, opening: Opening) -> System:
    """The service at an address: a POST of `{"question": …, "contexts": …}` gets a prediction.

    Raises:
        UsageError: it is no address, holds a password, or is that of an OpenAI-compatible endpoint.
    """
    url = checked_url(reference, f"the system {shown_address(reference)!r}")
    parts = urlsplit(url)
    if parts.path.rstrip("/").endswith(_CHAT):
        base = shown_address(url).rstrip("/").removesuffix(_CHAT)
        raise UsageError(f"{base}{_CHAT} takes messages, not a question: give openai-rag:MODEL --base-url {base}")
    service = Service(
        Connection(opening.timeout, opening.retries, opening.workers or WORKERS),
        Template("POST", url, request={"question": "{question}", "contexts": None}),
        opening.k,
        Template("POST", url, request={"question": "{question}", "contexts": CONTEXTS}),
    )
    return _system(
        service,
        opening,
        name=slug(f"{parts.hostname}-{parts.port or ''}-{parts.path}", "service", keeps="."),
        reference=shown_address(reference),
        settings={"url": shown_address(url)},
        unsupported={WITHOUT_GOLD: "an address alone has no retrieve: describe the service in a FILE.toml"},
        workers=WORKERS,
    )


def open_described(reference: str, opening: Opening) -> System:
    """The service that a file describes.

    Raises:
        BenchwrightError: there is no such file.
        UsageError: it does not describe a service: it is no TOML, has unknown keys, an expression or address is none,
            a variable of the environment is missing.
    """
    path = Path(reference)
    described = read_description(path)
    asking, secrets = _template(described, described, path)
    takes = mentions(described.sent, CONTEXTS) or mentions(described.sent, CONTEXT)
    searching = None
    if described.retrieve is not None:
        template, more = _template(described.retrieve, described, path)
        secrets |= more
        searching = template, Expression(described.retrieve.contexts, f"{path.name}: retrieve.contexts")
    workers = described.workers or WORKERS
    service = Service(
        Connection(
            opening.timeout if described.timeout is None else described.timeout,
            opening.retries if described.retries is None else described.retries,
            opening.workers or workers,
        ),
        asking,
        opening.k,
        asking if takes else None,
        None if described.reply is None else Reader.of(described.reply, f"{path.name}: reply"),
        is_described=True,
        searching=searching,
        secrets=frozenset(secrets),
    )
    no_contexts: dict[str, str] = dict.fromkeys((CLOSED, GOLD, WITHOUT_GOLD), f"{path.name} sends no {CONTEXTS}")
    no_search = {WITHOUT_GOLD: f"{path.name} has no [retrieve]"}
    return _system(
        service,
        opening,
        name=slug(path.stem, "service"),
        reference=path.name,
        settings={**_settings(described), **({"k": opening.k} if mentions(described.sent, "{k}") else {})},
        unsupported=no_contexts if not takes else no_search if searching is None else {},
        workers=workers,
    )


def _template(part: Description | Search, whole: Description, path: Path) -> tuple[Template, set[str]]:
    """A request of a file, with the values of its variables, and those that are secret."""
    where = f"{path.name}: {'' if part is whole else 'retrieve.'}"
    headers = dict(whole.headers if part.headers is None else part.headers)
    body = part.request is not None or part.form is not None
    template = Template(
        (part.method or ("POST" if body else "GET")).upper(),
        checked_url(with_variables(part.url, f"{where}url", is_open=True), f"{where}url"),
        checked_headers(with_variables(headers, f"{where}headers"), f"{where}headers"),
        with_variables(dict(part.parameters), f"{where}parameters", is_open=True),
        with_variables(part.request, f"{where}request", is_open=True),
        with_variables(part.form, f"{where}form", is_open=True),
    )
    if not template.method.isalpha():
        raise UsageError(f"{where}method = {template.method!r} is none: give POST or GET")
    if not mentions([part.url, headers, part.parameters, part.request, part.form], "{question}"):
        raise UsageError(f'{where.rstrip(": .")}: the question is not sent: write "{{question}}" where it belongs')
    rest = [part.url, dict(part.parameters), part.request, part.form]
    return template, secrets_of(headers) | secrets_of(rest, is_open=True)


def _settings(described: Description) -> dict[str, Any]:
    """What the answers depend on, for run.json: with the names of variables, not their values."""
    fields = asdict(described)
    for name in ("timeout", "retries", "workers"):
        del fields[name]
    for part in (fields, fields["retrieve"] or {}):
        part.update({name: shown_address(part[name]) for name in ("url",) if name in part})
    return private_values(_without_nothing(fields))


def _without_nothing(values: Mapping[str, Any]) -> dict[str, Any]:
    """Tables without what is not said."""
    plain = {name: _without_nothing(each) if isinstance(each, Mapping) else each for name, each in values.items()}
    return {name: each for name, each in plain.items() if each not in (None, {})}


def _system(
    service: Service,
    opening: Opening,
    *,
    name: str,
    reference: str,
    settings: Mapping[str, Any],
    unsupported: Mapping[str, str],
    workers: int,
) -> System:
    retrieve = service.retrieve if service.searching is not None else None
    called = Callables(reference, service.answer, retrieve, None, service.giving is not None, is_async=True)
    return System(
        name=name,
        kind="HTTP service",
        reference=reference,
        description=f"{reference}, asked over HTTP",
        prepare=functools.partial(prepare, called, opening),
        search=None if retrieve is None else functools.partial(prepare_search, called, opening),
        settings={**settings, **({"k": opening.k} if retrieve is not None else {})},
        unsupported=unsupported,
        is_async=True,
        workers=workers,
        keeps_time=True,
        close=service.close,
    )


def _hint(reference: str) -> str | None:
    """An address whose beginning is missing."""
    is_address = re.fullmatch(r"(localhost|[\w-]+(\.[\w-]+)+)(:\d+)?(/\S*)?", reference) and re.search(
        r":\d|/", reference
    )
    return f"write http://{reference} for a service" if is_address and not Path(reference).exists() else None


KIND = (
    SystemKind(
        name="http",
        matches=lambda reference: reference.lower().startswith(_PREFIXES),
        open=open_address,
        order=20,
        form="http://ADDRESS",
        hint=_hint,
    ),
    SystemKind(
        name="http-description",
        matches=lambda reference: reference.lower().endswith(".toml") and "://" not in reference,
        open=open_described,
        order=30,
        form="FILE.toml",
    ),
)
