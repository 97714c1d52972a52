"""Evidence and contexts of a question, as blocks."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from benchwright.benchmarks.reports.answers.shown_texts import ShownContext, ShownEvidence
from benchwright.benchmarks.reports.blocks import Block, Details, Inline, Span, Text, cut, foreign, soft


class Answered(Protocol):
    """What was answered from contexts, of which the first few are shown."""

    @property
    def contexts(self) -> Sequence[ShownContext]:
        """The first few."""
        ...

    @property
    def more_contexts(self) -> int:
        """How many more there are."""
        ...

    @property
    def evidence_in_more(self) -> bool:
        """Whether those hold evidence."""
        ...

    @property
    def shows_retrieval(self) -> bool:
        """Where there are no contexts: none were found; else none were handed in."""
        ...


def evidence_shown(item: ShownEvidence) -> Inline:
    """The stretch of a document that states a fact, marked in what stands around it."""
    source = Span(f" {cut(item.document, 80)}", "soft", foreign=True)
    if item.text is None:
        return soft("the corpus does not hold it"), source
    marked = Span(item.text, "mark", foreign=True)
    return foreign(item.before or ""), marked, foreign(item.after or ""), source


def contexts_shown(answer: Answered, *, folded: bool = False) -> Iterator[Block]:
    """Each context by its id, with whether it holds evidence; texts are folded away but for those that do.

    `folded`: those too.
    """
    for number, context in enumerate(answer.contexts, start=1):
        label: list[str | Span] = [f"{number}. "]
        if context.id is not None:
            label.append(foreign(context.id, 120))
        if context.holds_evidence is not None:
            held = (
                Span("holds evidence", "pill", "good")
                if context.holds_evidence
                else Span("no evidence", "pill", "quiet")
            )
            label += [" ", held]
        if context.text is None:
            yield Text((*label, soft(" given by its id alone")), "small")
        else:
            text = Text((foreign(context.text, 760),))
            yield Details(tuple(label), (text,), not folded and bool(context.holds_evidence))
    if not answer.contexts:
        yield Text("none were found" if answer.shows_retrieval else "handed in none", "soft")
    if answer.more_contexts:
        among = "; evidence is among them" if answer.evidence_in_more else ""
        yield Text(f"{answer.more_contexts} more{among}", "small")
