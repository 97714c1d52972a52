"""Spans of OpenTelemetry as files hold them.

    OTLP as JSON      `resourceSpans` → `scopeSpans` → `spans`, as the collector's file exporter writes them, one object
                      a line, and as exporters send them
    as SDKs print     objects over several lines with `context.trace_id`, `parent_id`, `attributes`
    flat              objects with `trace_id` and `attributes`, or `attributes.NAME`, as tools export them

Of the attributes only those are kept that anything is read from: spans hold vectors, too.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from benchwright.benchmarks.data_files import read_toml

_BEGINS = 65_536
"""Bytes of a file by which it is decided whether it holds spans."""
_LONGEST = 2_000_000_000
"""Bytes of one object over several lines."""
_EVENTS = ("gen_ai.", "exception")
"""What the names of events begin with that are read."""


@dataclass(slots=True)
class Span:
    """One step of a trace."""

    trace: str
    id: str
    parent: str | None
    name: str
    place: str
    start: float | None = None
    """In seconds."""
    end: float | None = None
    attributes: dict[str, Any] = field(default_factory=dict)
    events: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    error: str | None = None
    """What the status says, where it is an error."""


@dataclass(frozen=True)
class Unreadable:
    """A place of a file that holds no span."""

    place: str
    problem: str


@cache
def attribute_names() -> Mapping[str, Sequence[str]]:
    """What is read → the attributes that say it, the surest first."""
    return read_toml(__package__, "attributes.toml")["names"]


@cache
def role_names() -> Mapping[str, Sequence[str]]:
    """The values of what says what a span is."""
    return read_toml(__package__, "attributes.toml")["roles"]


@cache
def _is_read(name: str) -> bool:
    """Whether anything is read from an attribute."""
    known = {each for names in attribute_names().values() for each in names} | {*role_names()["names"]}
    return name in known or any(name.startswith(f"{each}.") for each in known)


def holds_spans(path: Path) -> bool:
    """Whether a file begins as one of spans does."""
    try:
        with path.open("rb") as file:
            start = file.read(_BEGINS)
    except OSError:
        return False
    if not start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"{", b"[")):
        return False
    if any(name in start for name in (b'"resourceSpans"', b'"resource_spans"', b'"scopeSpans"')):
        return True
    return (
        any(name in start for name in (b'"trace_id"', b'"traceId"', b'"context.trace_id"')) and b"attributes" in start
    )


def read_spans(path: Path) -> Iterator[Span | Unreadable]:
    """The spans of a file, in its order, and what of it is none."""
    for place, value in _values(path):
        if isinstance(value, Unreadable):
            yield value
            continue
        spans = list(_spans_of(value, place))
        if spans:
            yield from spans
        elif not (isinstance(value, Mapping) and ({"resourceMetrics", "resourceLogs", "resourceSpans"} & value.keys())):
            yield Unreadable(place, "no spans: OTLP as JSON, or spans as an SDK prints them, are wanted")


def _values(path: Path) -> Iterator[tuple[str, Any]]:
    """The JSON values of a file, each in a line or over several whose last begins with a bracket."""
    parts: list[bytes] = []
    size = began = 0
    with path.open("rb") as file:
        for number, raw in enumerate(file, start=1):
            line = raw.removeprefix(b"\xef\xbb\xbf") if number == 1 else raw
            if parts and line[:1] in b"{[" and line[:1]:
                yield f"line {began}", Unreadable(f"line {began}", "not JSON: it may be cut off")
                parts, size = [], 0
            if not parts:
                if not line.strip() or line.strip() == b",":
                    continue
                began = number
                found = _parsed(line)
                if found is not _NONE:
                    yield f"line {began}", found
                    continue
                if line[:1] not in b"{[":
                    yield f"line {number}", Unreadable(f"line {number}", "not JSON")
                    continue
            parts.append(line)
            size += len(line)
            if len(parts) > 1 and line[:1] in b"}]" and line[:1]:
                found = _parsed(b"".join(parts))
                if found is not _NONE:
                    yield f"line {began}", found
                    parts, size = [], 0
            if size > _LONGEST:
                yield f"line {began}", Unreadable(f"line {began}", "an object that does not end")
                parts, size = [], 0
    if parts:
        yield f"line {began}", Unreadable(f"line {began}", "not JSON: it may be cut off")


_NONE = object()


def _parsed(text: bytes) -> Any:
    try:
        return json.loads(text.strip().rstrip(b",").decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return _NONE


def _get(value: Mapping[str, Any], *names: str) -> Any:
    return next((value[name] for name in names if value.get(name) is not None), None)


def _spans_of(value: Any, place: str) -> Iterator[Span]:
    if isinstance(value, list):
        for each in value:
            yield from _spans_of(each, place)
    if not isinstance(value, Mapping):
        return
    resources = _get(value, "resourceSpans", "resource_spans", "batches")
    if resources is None and _get(value, "scopeSpans", "scope_spans", "instrumentationLibrarySpans") is not None:
        resources = [value]
    if resources is None:
        span = _printed(value, place)
        if span is not None:
            yield span
        return
    for resource in resources if isinstance(resources, list) else ():
        scopes = _get(resource, "scopeSpans", "scope_spans", "instrumentationLibrarySpans") or ()
        for scope in scopes if isinstance(scopes, list) else ():
            for each in _get(scope, "spans") or ():
                span = _otlp(each, place) if isinstance(each, Mapping) else None
                if span is not None:
                    yield span


def _otlp(value: Mapping[str, Any], place: str) -> Span | None:
    """A span as OTLP has it: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding."""
    trace, name = _get(value, "traceId", "trace_id"), _get(value, "spanId", "span_id")
    if not isinstance(trace, str) or not isinstance(name, str):
        return None
    status = value.get("status") if isinstance(value.get("status"), Mapping) else {}
    assert isinstance(status, Mapping)
    is_error = status.get("code") in (2, "2", "STATUS_CODE_ERROR")
    return Span(
        trace,
        name,
        _get(value, "parentSpanId", "parent_span_id") or None,
        str(value.get("name") or ""),
        place,
        _nanoseconds(_get(value, "startTimeUnixNano", "start_time_unix_nano")),
        _nanoseconds(_get(value, "endTimeUnixNano", "end_time_unix_nano")),
        _otlp_attributes(value.get("attributes")),
        [
            (str(each.get("name")), _otlp_attributes(each.get("attributes"), is_event=True))
            for each in value.get("events") or ()
            if isinstance(each, Mapping) and str(each.get("name")).startswith(_EVENTS)
        ],
        str(status.get("message") or "the span's status is an error") if is_error else None,
    )


def _otlp_attributes(found: Any, *, is_event: bool = False) -> dict[str, Any]:
    if not isinstance(found, list):
        return {}
    return {
        str(each["key"]): _otlp_value(each.get("value"))
        for each in found
        if isinstance(each, Mapping) and "key" in each and (is_event or _is_read(str(each["key"])))
    }


def _otlp_value(value: Any) -> Any:
    """An AnyValue: `{"stringValue": "…"}`."""
    if not isinstance(value, Mapping) or not value:
        return None
    kind, held = next(iter(value.items()))
    kind = kind.replace("_", "").lower()
    if kind == "intvalue":
        return int(held) if isinstance(held, str) and held.lstrip("-").isdecimal() else held
    if kind in ("arrayvalue", "kvlistvalue"):
        values = held.get("values") if isinstance(held, Mapping) else None
        values = values if isinstance(values, list) else []
        if kind == "arrayvalue":
            return [_otlp_value(each) for each in values]
        return {
            str(each["key"]): _otlp_value(each.get("value"))
            for each in values
            if isinstance(each, Mapping) and "key" in each
        }
    return held


def _printed(value: Mapping[str, Any], place: str) -> Span | None:
    """A span as SDKs print it, or flat."""
    context = value.get("context")
    inner = context if isinstance(context, Mapping) else {}
    trace = _get(inner, "trace_id", "traceId") or _get(value, "trace_id", "traceId", "context.trace_id")
    name = _get(inner, "span_id", "spanId") or _get(value, "span_id", "spanId", "context.span_id", "id")
    if not isinstance(trace, str) or not isinstance(name, str):
        return None
    given = value.get("attributes")
    plain = given if isinstance(given, Mapping) else {}
    flat = {key.removeprefix("attributes."): held for key, held in value.items() if key.startswith("attributes.")}
    status = value.get("status")
    code = status.get("status_code", status.get("code")) if isinstance(status, Mapping) else value.get("status_code")
    message = status.get("description") if isinstance(status, Mapping) else value.get("status_message")
    return Span(
        trace,
        name,
        _get(value, "parent_id", "parentId", "parent_span_id", "parentSpanId") or None,
        str(value.get("name") or ""),
        place,
        _moment(_get(value, "start_time", "startTime")),
        _moment(_get(value, "end_time", "endTime")),
        {key: held for key, held in {**_dotted(plain), **flat}.items() if held is not None and _is_read(key)},
        [
            (str(each.get("name")), dict(held) if isinstance(held := each.get("attributes"), Mapping) else {})
            for each in value.get("events") or ()
            if isinstance(each, Mapping) and str(each.get("name")).startswith(_EVENTS)
        ],
        str(message or "the span's status is an error") if str(code).upper() in ("ERROR", "2") else None,
    )


def _dotted(plain: Mapping[str, Any]) -> dict[str, Any]:
    """Attributes by their dotted names; some tools nest them: `{"input": {"value": "…"}}`."""
    found: dict[str, Any] = {}
    waiting = [(str(key), held) for key, held in plain.items()]
    while waiting:
        key, held = waiting.pop()
        if isinstance(held, Mapping) and not _is_read(key):
            waiting += [(f"{key}.{inner}", each) for inner, each in held.items()]
        else:
            found[key] = held
    return found


def _nanoseconds(value: Any) -> float | None:
    try:
        seconds = int(value) / 1e9
    except (TypeError, ValueError):
        return None
    return seconds or None


def _moment(value: Any) -> float | None:
    """A time as text, or as a number of (nano)seconds."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value / 1e9 if value > 1e14 else value / 1e3 if value > 1e11 else float(value)
    try:
        return datetime.fromisoformat(str(value)).timestamp()
    except ValueError:
        return None
