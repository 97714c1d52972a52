"""Gold nuggets: what an answer to a question must say, and what it may say, known from the question itself.

In the RAG track of TREC people or models find the nuggets of a topic (Pradeep et al. 2024). Here they are known:
the elements of the gold answer and the facts that it needs. Vital is what is asked for: each required element, one for
a single answer, each member of a set, yes or no. Okay is a fact on the way there, such as who the supervisor is where
the supervisor's department is asked for: a good answer need not say it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from benchwright.benchmarks.metrics.evidence_recall import states
from benchwright.benchmarks.metrics.steps.true_answers import with_forms
from benchwright.benchmarks.types import Document, Evidence, Question

Importance = Literal["vital", "okay"]
Support = Literal["full", "partial", "none"]
"""How far an answer says a nugget."""
CREDIT: Mapping[Support, float] = {"full": 1.0, "partial": 0.5, "none": 0.0}
WEIGHT: Mapping[Importance, float] = {"vital": 1.0, "okay": 0.5}
MOST = 30
"""Nuggets of a question, as TREC has at most; the vital ones are the first."""
_AROUND = 150
"""Characters on each side of a fact's evidence that a judge is shown."""


@dataclass(frozen=True, slots=True)
class Nugget:
    """One thing that an answer must or may say."""

    text: str
    """As a person or a model reads it."""
    importance: Importance
    forms: tuple[str, ...]
    """The value and other forms of it, of which an answer gives one."""


def nuggets_of(question: Question, documents: Mapping[str, Document]) -> tuple[Nugget, ...]:
    """The nuggets of a question, the vital ones first; none where it has no gold answer.

    A fact whose evidence states an element of the answer is no nugget of its own, nor one that the question itself
    states, nor one whose text the corpus does not hold.

    Args:
        question: with its gold answer and its evidence.
        documents: the corpus by id.
    """
    if not question.answers or question.answer_type == "none" or question.answerability == "unanswerable":
        return ()
    aliases = (*question.aliases, *((),) * (len(question.answers) - len(question.aliases)))
    pairs = list(dict.fromkeys(zip(question.answers, aliases, strict=False)))
    vital = [Nugget(with_forms(value, others), "vital", (value, *others)) for value, others in pairs]
    return tuple([*vital, *_facts(question, vital, documents)][: max(MOST, len(vital))])


def _facts(question: Question, vital: Sequence[Nugget], documents: Mapping[str, Document]) -> list[Nugget]:
    """The okay nuggets."""
    facts: dict[int, list[Evidence]] = {}
    for evidence in question.evidence:
        facts.setdefault(evidence.fact, []).append(evidence)
    found: dict[tuple[str, ...], Nugget] = {}
    answers = [form for nugget in vital for form in nugget.forms]
    for _, alternatives in sorted(facts.items()):
        texts = {each: text for each in alternatives if (text := _text(each, documents))}
        forms = tuple(dict.fromkeys(texts.values()))
        if not forms or any(states(text, form) or states(form, text) for text in forms for form in answers):
            continue
        if any(states(question.question, text) for text in forms):
            continue
        found.setdefault(forms, Nugget(_shown(next(iter(texts)), documents), "okay", forms))
    return list(found.values())


def _text(evidence: Evidence, documents: Mapping[str, Document]) -> str:
    document = documents.get(evidence.document)
    return "" if document is None else " ".join(document.body[evidence.start : evidence.end].split())


def _shown(evidence: Evidence, documents: Mapping[str, Document]) -> str:
    """What evidence says, with the words around it where it is a short value."""
    text, body = _text(evidence, documents), documents[evidence.document].body
    if len(text) > _AROUND:
        return text
    before = " ".join(body[max(0, evidence.start - _AROUND) : evidence.start].split())
    after = " ".join(body[evidence.end : evidence.end + _AROUND].split())
    return f"{text} (in: … {before} {text} {after} …)"


def strict_recall(nuggets: Sequence[Nugget], supports: Sequence[Support]) -> float:
    """The share of the vital nuggets that are fully said, from 0 to 1; what is said in part counts as not said.

    "Vital strict" of Pradeep et al. 2024 (arXiv 2411.09607) and of nuggetizer.

    Raises:
        ZeroDivisionError: there is no vital nugget.
    """
    vital = [support for nugget, support in zip(nuggets, supports, strict=True) if nugget.importance == "vital"]
    return sum(support == "full" for support in vital) / len(vital)


def weighted_recall(nuggets: Sequence[Nugget], supports: Sequence[Support]) -> float:
    """The credit of all nuggets by their weights, from 0 to 1: vital 1, okay 0.5; said in part 0.5.

    "Weighted" of Pradeep et al. 2024 (arXiv 2411.09607).

    Raises:
        ZeroDivisionError: there is no nugget.
    """
    weights = [WEIGHT[nugget.importance] for nugget in nuggets]
    credit = sum(weight * CREDIT[support] for weight, support in zip(weights, supports, strict=True))
    return credit / sum(weights)


def strict_line(nuggets: Sequence[Nugget], supports: Sequence[Support]) -> str:
    """The strict recall in words: what counted, and what is missing."""
    vital = [pair for pair in zip(nuggets, supports, strict=True) if pair[0].importance == "vital"]
    said = sum(support == "full" for _, support in vital)
    missing = [nugget.forms[0] for nugget, support in vital if support != "full"]
    lacking = f"; not stated: {_listed(missing)}" if missing else ""
    return f"{said} of {len(vital)} needed nuggets stated = {said / len(vital):.3g}{lacking}"


def weighted_line(nuggets: Sequence[Nugget], supports: Sequence[Support]) -> str:
    """The weighted recall in words."""
    weights = [WEIGHT[nugget.importance] for nugget in nuggets]
    credit = sum(weight * CREDIT[support] for weight, support in zip(weights, supports, strict=True))
    vital = sum(nugget.importance == "vital" for nugget in nuggets)
    return (
        f"credit {credit:g} of {sum(weights):g} for {vital} needed and {len(nuggets) - vital} further nuggets "
        f"= {credit / sum(weights):.3g}"
    )


def _listed(values: Sequence[str], most: int = 3) -> str:
    more = f" and {len(values) - most} more" if len(values) > most else ""
    return ", ".join(value[:60] for value in values[:most]) + more
