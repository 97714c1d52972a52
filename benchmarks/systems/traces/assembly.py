"""The spans of a question as one trace: which spans belong together, and what they say as a whole."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchwright.benchmarks.systems.frameworks import plain_contexts
from benchwright.benchmarks.systems.traces.attributes import (
    MODEL,
    OTHER,
    RERANKING,
    RETRIEVAL,
    TOOL,
    answer_in,
    count_in,
    documents_in,
    questions_in,
    role_of,
    said,
    tool_documents,
)
from benchwright.benchmarks.systems.traces.spans import Span, Unreadable
from benchwright.benchmarks.systems.traces.trace import QuestionIndex, Trace

_NO_ANSWER = (
    "the trace holds no answer: was content recorded? (OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true, or "
    "what your instrumentation calls it)"
)
Names = tuple[str, ...]


@dataclass
class _Tree:
    """The spans of a trace."""

    roots: list[Span]
    children: dict[str, list[Span]]
    order: list[Span]
    """Each after its parent."""

    def under(self, tops: Iterable[Span]) -> list[Span]:
        """Some spans and all below them, by their start."""
        found: list[Span] = []
        waiting = list(tops)
        while waiting:
            span = waiting.pop()
            found.append(span)
            waiting += self.children.get(span.id, ())
        return sorted(found, key=lambda span: (span.start is None, span.start or 0.0))


@dataclass
class _Part:
    """Spans of one question: those on top, in the order of the file."""

    names: Names
    tops: list[Span] = field(default_factory=list)
    is_answered: bool = False


def assembled(found: Iterable[Span | Unreadable], index: QuestionIndex) -> Iterator[Trace]:
    """The traces of the questions that spans are of.

    A span whose attributes name a question is of that question with all below it; of the others, a whole trace is of a
    question where only that one stands in it.

    Args:
        found: the spans of a file.
        index: the questions.
    """
    traces: dict[str, list[Span]] = {}
    for each in found:
        if isinstance(each, Unreadable):
            yield Trace(each.place, {}, problem=each.problem)
        else:
            traces.setdefault(each.trace, []).append(each)
    for spans in sorted(traces.values(), key=lambda spans: min((each.start or 0.0) for each in spans)):
        yield from _traces(spans, index)


def _tree(spans: Sequence[Span]) -> _Tree:
    by_id = {span.id: span for span in spans}
    children: dict[str, list[Span]] = {}
    for span in by_id.values():
        if span.parent in by_id and span.parent != span.id:
            children.setdefault(span.parent or "", []).append(span)
    roots = [span for span in by_id.values() if span.parent not in by_id or span.parent == span.id]
    order: list[Span] = []
    waiting, seen = list(roots), set[str]()
    left = iter(by_id.values())
    while len(seen) < len(by_id):
        if not waiting:  # only spans that are each other's parents are left
            waiting = [next(span for span in left if span.id not in seen)]
            roots += waiting
        span = waiting.pop()
        if span.id not in seen:
            seen.add(span.id)
            order.append(span)
            waiting += children.get(span.id, ())
    places = {span.id: place for place, span in enumerate(order)}
    forward = {name: [each for each in below if places[each.id] > places[name]] for name, below in children.items()}
    return _Tree(roots, forward, order)


def _traces(spans: Sequence[Span], index: QuestionIndex) -> Iterator[Trace]:
    tree = _tree(spans)
    own = {span.id: index.whole(_id(span), questions_in(span)) for span in tree.order}
    if not any(own.values()):
        own = {span.id: index.within(questions_in(span)) for span in tree.order}
    parts = list(_parts(tree, own, index))
    if not parts:
        texts = [text for span in tree.order for text in questions_in(span)[:1]]
        name = next((name for span in tree.order if (name := _id(span)) is not None), None)
        yield Trace(tree.order[0].place, {}, name, tuple(texts[:1]))
    for part in parts:
        for name in part.names:
            yield Trace(part.tops[0].place, _fields(tree, part), name)


def _id(span: Span) -> str | None:
    value = said(span, "id")
    return None if value is None else str(value)


def _parts(tree: _Tree, own: dict[str, Names], index: QuestionIndex) -> Iterator[_Part]:
    """The spans of each question; several parts of one question where each has an answer."""
    below: dict[str, set[Names]] = {}
    for span in reversed(tree.order):
        mine = own[span.id]
        below[span.id] = {mine} if mine else set().union(*(below[each.id] for each in tree.children.get(span.id, ())))
    everything: set[Names] = set().union(*(below[root.id] for root in tree.roots))
    if len(everything) == 1:
        yield _Part(everything.pop(), list(tree.roots))
        return
    open_parts: dict[Names, _Part] = {}
    waiting = list(reversed(tree.roots))
    while waiting:
        span = waiting.pop()
        names = below[span.id]
        found = next(iter(names)) if len(names) == 1 else ()
        if not names:
            found = next((hit for each in tree.under([span]) if (hit := index.within(questions_in(each)))), ())
        if len(names) > 1:
            waiting += reversed(tree.children.get(span.id, []))
            continue
        if not found:
            continue
        is_answered = any(_is_answer(each) for each in tree.under([span]))
        part = open_parts.get(found)
        if part is not None and part.is_answered and is_answered:
            yield open_parts.pop(found)
            part = None
        part = open_parts.setdefault(found, part or _Part(found))
        part.tops.append(span)
        part.is_answered |= is_answered
    yield from open_parts.values()


def _is_answer(span: Span) -> bool:
    return role_of(span) not in (RETRIEVAL, RERANKING, TOOL, OTHER) and answer_in(span)[0] is not None


def _fields(tree: _Tree, part: _Part) -> dict[str, Any]:
    """What the spans of a question say as a prediction."""
    spans = tree.under(part.tops)
    answer, shown = _answer(part.tops, spans)
    fields: dict[str, Any] = {}
    for what in ("condition", "repeat"):
        value = next((value for span in spans if (value := said(span, what)) is not None), None)
        if value is not None:
            fields[what] = value
    searches = [span for span in spans if role_of(span) == RETRIEVAL]
    contexts = _contexts(spans, searches) or list(shown)
    if answer is not None:
        fields["answer"] = answer
    else:
        errors = [
            str(said(span, "error") or span.error) for span in spans if span.error or said(span, "error") is not None
        ]
        fields["error"] = errors[-1] if errors else _NO_ANSWER  # the innermost, where it was raised
    if contexts:
        fields["contexts"] = plain_contexts(contexts)
    fields["usage"] = _usage(tree, spans, len(searches), has_contexts=bool(contexts))
    costs = [
        cost for span in spans if isinstance(cost := said(span, "cost"), int | float) and not isinstance(cost, bool)
    ]
    if costs:
        fields["cost"] = float(sum(costs))
    starts = [span.start for span in part.tops if span.start is not None]
    ends = [span.end for span in part.tops if span.end is not None]
    if starts and ends and max(ends) >= min(starts):
        fields["latency"] = round(max(ends) - min(starts), 4)
    return fields


def _answer(tops: Sequence[Span], spans: Sequence[Span]) -> tuple[str | None, Sequence[Any]]:
    """What is said on top, else by the model that ended last, else by anything else."""
    whole = [span for span in tops if role_of(span) is None]
    models = [span for span in spans if role_of(span) == MODEL]
    others = [span for span in spans if role_of(span) is None]
    for span in (*whole, *_by_end(models), *_by_end(others)):
        found = answer_in(span)
        if found[0] is not None:
            return found
    return None, ()


def _by_end(spans: Iterable[Span]) -> list[Span]:
    """Those that ended last first."""
    return sorted(spans, key=lambda span: span.end or span.start or 0.0, reverse=True)


def _contexts(spans: Sequence[Span], searches: Sequence[Span]) -> list[Any]:
    """What was re-ranked last, else all that was found, each once, else what tools found."""
    ranked = [found for span in spans if role_of(span) == RERANKING and (found := documents_in(span))]
    if ranked:
        return ranked[-1]
    found = [each for span in searches for each in documents_in(span)]
    found = found or [each for span in spans if role_of(span) == TOOL for each in tool_documents(span)]
    kept: dict[str, Any] = {}
    for each in found:
        kept.setdefault(repr((each.get("id"), each.get("content"), each.get("text"))), each)
    return list(kept.values())


def _usage(tree: _Tree, spans: Sequence[Span], searches: int, *, has_contexts: bool) -> dict[str, int]:
    """Tokens and calls of models; a span that adds up those below it is not counted besides them."""
    counted = [
        span
        for span in spans
        if role_of(span) != OTHER and (count_in(span, "input_tokens"), count_in(span, "output_tokens")) != (None, None)
    ]
    ids = {span.id for span in counted}
    sums = {span.id for span in counted if any(each.id in ids for each in tree.under(tree.children.get(span.id, ())))}
    leaves = [span for span in counted if span.id not in sums]
    silent = [span for span in spans if role_of(span) == MODEL and span.id not in ids]
    usage = {
        "input_tokens": sum(count_in(span, "input_tokens") or 0 for span in leaves),
        "output_tokens": sum(count_in(span, "output_tokens") or 0 for span in leaves),
        "calls": len(leaves) + len(silent),
    }
    if searches or has_contexts:
        usage["retrievals"] = max(1, searches)
    return usage
