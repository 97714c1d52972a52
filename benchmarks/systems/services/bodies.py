"""What a service sent back: JSON, a text, or a stream of events."""

import codecs
import json
from dataclasses import dataclass
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.models.responses import encodable, shown
from benchwright.benchmarks.remote.events import looks_like_events, server_sent


@dataclass(frozen=True)
class Events:
    """A stream, whole: of server-sent events, or of JSON lines."""

    events: list[Any]
    """Objects, lists or texts. An event that has a name bears it under the key `event`."""


def read_body(body: bytes, content_type: str) -> Any:
    """What a body says: a JSON value, `Events`, or a text.

    Raises:
        BenchwrightError: it is empty, a page, or JSON that is cut off.
    """
    kind = content_type.partition(";")[0].strip().lower()
    text = decoded(body, content_type)
    if not text.strip():
        raise BenchwrightError("returned an empty body")
    if kind == "text/event-stream":
        return Events([_event(*each) for each in server_sent(text)])
    value, problem = _json(text)
    if problem is None:
        return Events([value]) if _is_lines(kind) else value
    if looks_like_events(text) and (events := [_event(*each) for each in server_sent(text)]):
        return Events(events)
    if (lines := _lines(text)) is not None:
        return Events(lines)
    if "html" in kind or text.lstrip()[:9].lower().startswith(("<!doctype", "<html")):
        raise BenchwrightError(f"returned a page (HTML), no answer: {shown(text)}")
    if "json" in kind or text.lstrip()[:1] in ("{", "["):
        raise BenchwrightError(f"returned what is no JSON ({problem}): {shown(text)}")
    return text


def decoded(body: bytes, content_type: str = "") -> str:
    """The text of a body, in the charset that its type names; else in UTF-8, or in UTF-16 where JSON is."""
    _, _, rest = content_type.lower().partition("charset=")
    charset = rest.partition(";")[0].strip(" \"'") or json.detect_encoding(body[:8])
    try:
        codecs.lookup(charset)
    except LookupError:
        charset = "utf-8"
    return body.decode(charset, "replace").removeprefix("\ufeff")


def _is_lines(kind: str) -> bool:
    return any(name in kind for name in ("ndjson", "jsonl", "json-lines", "stream+json"))


def _json(text: str) -> tuple[Any, str | None]:
    """The JSON value of a text, or why it is none."""
    try:
        return json.loads(text, strict=False), None  # a line break in a text is a frequent slip
    except json.JSONDecodeError as error:
        return None, f"{error.msg} at character {error.pos + 1}"
    except RecursionError:
        return None, "nested too deeply"
    except ValueError as error:  # a whole number of thousands of digits
        return None, str(error).partition(";")[0]


def _lines(text: str) -> list[Any] | None:
    """The objects of JSON lines; None where a line is another thing."""
    found = []
    for line in text.splitlines():
        if line.strip():
            value, problem = _json(line)
            if problem is not None or not isinstance(value, dict | list | str):
                return None
            found.append(value)
    return found if len(found) > 1 else None


def _event(name: str, data: str) -> Any:
    value, problem = _json(data)
    if problem is not None or not isinstance(value, dict | list | str):
        value = encodable(data)
    if not name or name == "message":
        return value
    return {"event": name, **value} if isinstance(value, dict) else {"event": name, "data": value}
