"""What one trace says, and which question of a release it is of."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from benchwright.benchmarks.predictions import OWN
from benchwright.benchmarks.systems.base import ReadLine
from benchwright.benchmarks.text.folding import fold
from benchwright.benchmarks.types import Question

_SHOWN = 80
_LINES = 2_000
"""Of a prompt that are looked at for a question, from its end."""
_LEAD = re.compile(r"[^:]{1,40}:\s+(?=\S)")
"""What stands before a question in a prompt: `Question: `."""
_EDGES = " \t\r\n\"'`*.?!¿¡:"


@dataclass(frozen=True)
class Trace:
    """What a system did for one question."""

    place: str
    """Where it stands in the file, for messages: `line 7`."""
    fields: Mapping[str, Any]
    """Of a prediction."""
    id: str | None = None
    """The question's, where it is said."""
    texts: tuple[str, ...] = ()
    """Where the question may stand, the surest first; also whole prompts."""
    problem: str | None = None
    """Why it is none."""


@dataclass
class QuestionIndex:
    """The questions of a split by id and by wording."""

    questions: Iterable[Question]
    _ids: set[str] = field(default_factory=set)
    _exact: dict[str, list[str]] = field(default_factory=dict)
    _folded: dict[str, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for question in self.questions:
            self._ids.add(question.id)
            self._exact.setdefault(question.question.strip(), []).append(question.id)
            self._folded.setdefault(_plain(question.question), []).append(question.id)

    def whole(self, name: str | None, texts: Iterable[str]) -> tuple[str, ...]:
        """The questions of an id, else of the first text that is one: several where they share a wording."""
        if name is not None and name in self._ids:
            return (name,)
        return next((found for text in texts if (found := self._of(text))), ())

    def within(self, texts: Iterable[str]) -> tuple[str, ...]:
        """The questions that stand as a line in the first text that holds some; none where those differ."""
        for text in texts:
            found = {names for line in _lines(text) if (names := self._of(line))}
            if found:
                return found.pop() if len(found) == 1 else ()
        return ()

    def _of(self, text: str) -> tuple[str, ...]:
        exact = self._exact.get(text.strip())
        if exact is not None:
            return tuple(exact)
        near = self._folded.get(_plain(text), ())
        return tuple(near) if len(near) == 1 else ()


def _plain(text: str) -> str:
    return " ".join(fold(text).casefold().split()).strip(_EDGES)


def _lines(text: str) -> Iterator[str]:
    if len(text) > 1_000_000:
        text = text[-1_000_000:]
    for line in text.splitlines()[: -_LINES - 1 : -1]:
        yield line
        lead = _LEAD.match(line)
        if lead is not None:
            yield line[lead.end() :]


def as_lines(traces: Iterable[Trace], index: QuestionIndex) -> Iterator[ReadLine]:
    """Traces as lines of predictions; several of one question are its repeats, in their order."""
    repeats: Counter[tuple[str, str]] = Counter()
    for trace in traces:
        if trace.problem is not None:
            yield ReadLine(trace.place, problem=trace.problem)
            continue
        names = index.whole(trace.id, trace.texts) or index.within(trace.texts)
        if not names:
            yield ReadLine(trace.place, unmatched=_what(trace))
        for name in names:
            condition = trace.fields.get("condition") or OWN
            fields = {**trace.fields, "id": name}
            if fields.get("repeat") is None:
                fields["repeat"] = repeats[name, condition]
                repeats[name, condition] += 1
            yield ReadLine(trace.place, json.dumps(fields, ensure_ascii=False).encode("utf-8", "replace"))


def _what(trace: Trace) -> str:
    text = next((text.strip().splitlines()[-1].strip() for text in trace.texts if text.strip()), None)
    if text is None:
        return "it says no question" if trace.id is None else f"the id {trace.id[:_SHOWN]!r}"
    return f"“{text if len(text) <= _SHOWN else text[:_SHOWN] + '…'}”"
