"""What a line that a program printed is: an answer, what it says of itself, or something else that it prints."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

ACCEPTS = "accepts"
"""The key of what a program says that it can do."""
_ANSWERS = {"answer", "abstained", "contexts", "result", "output"}
"""Keys that make an object an answer where no id says so."""
_LOGS = {"level", "severity", "msg", "message", "logger", "time", "timestamp", "ts"}
"""Keys of the lines of programs that log as JSON."""


@dataclass(frozen=True, slots=True)
class Line:
    """A JSON object that a program printed."""

    fields: Mapping[str, Any]
    id: str | None
    """The request that it says to answer."""

    @property
    def is_hello(self) -> bool:
        """Whether the program says what it can do."""
        return isinstance(self.fields.get(ACCEPTS), list)

    @property
    def looks_like_answer(self) -> bool:
        """Whether it would be an answer if it named no request."""
        names = self.fields.keys()
        return bool(names & _ANSWERS) or ("error" in names and not names & _LOGS)


def read_line(line: bytes) -> Line | None:
    """A line as a JSON object; None where it is none, as what libraries print between answers."""
    line = line.strip()
    if not line.startswith(b"{"):
        return None
    try:
        found = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    name = found.get("id")
    return Line(found, None if name is None else str(name))
