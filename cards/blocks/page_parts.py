"""What pages of HTML are put together from: files of `templates`, their hashes, and data within a page."""

import base64
import hashlib
import json
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any


def page_part(name: str) -> str:
    """A file under `templates`: style, script or the page itself."""
    return (files("benchwright.cards") / "templates" / name).read_text(encoding="utf-8").strip()


@cache
def page_template(name: str, **filters: Callable[..., object]) -> Any:
    """A page under `templates`, compiled once: whatever it is rendered with is escaped, and what is not there an error.

    Args:
        name: its file.
        filters: functions that it calls by these names.
    """
    from jinja2 import Environment, StrictUndefined

    environment = Environment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=True)
    environment.filters |= filters
    return environment.from_string(page_part(name))


def policy_hash(text: str) -> str:
    """What a Content-Security-Policy names an element's text by."""
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def script_json(value: object, *, is_ascii: bool = False) -> str:
    """JSON that may stand in an element `script`: it holds none of `<`, `>` and `&`.

    Args:
        value: what is written.
        is_ascii: other letters are escaped, so that half of a surrogate pair stays what it is.
    """
    text = json.dumps(value, ensure_ascii=is_ascii, allow_nan=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text
