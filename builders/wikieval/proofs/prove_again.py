"""Asks a pair's document again: by rule the same facts give the same texts; what a model wrote passes the same checks.

The functions are those of the build. What other documents have a part in is taken as told: what stands in the place of
facts, and which sentences were added to a context.
"""

from collections.abc import Iterator, Sequence

from benchwright.builders.wikieval.contexts.wider_sentences import new_sentence_problem, sentence_problem
from benchwright.builders.wikieval.material import Made, Passage
from benchwright.builders.wikieval.models import candidate_checks as checks
from benchwright.builders.wikieval.models import fallbacks
from benchwright.builders.wikieval.proofs.prove_candidates import Provenance, Row, is_by_rule
from benchwright.builders.wikieval.rules.facts import Asked, Fact
from benchwright.builders.wikieval.rules.incomplete import make_incomplete
from benchwright.builders.wikieval.rules.questions import ask, find_facts
from benchwright.builders.wikieval.rules.ungrounded import swapped_answer
from benchwright.builders.wikieval.sections import candidates
from benchwright.builders.wikieval.sections.questions import ask_section, section_facts
from benchwright.builders.wikieval.sources.from_documents import CLAUSE


def rule_problems(row: Row, made: Provenance, passage: Passage, seed: int) -> Iterator[str]:
    """Where a pair by rule is not what the rules make of its document and the facts that its provenance names."""
    told = made["answer"]["facts"]
    known = {(fact.question, fact.value): fact for fact in _facts(passage)}
    named = [known[key] for each in told if (key := (each["question"], each["value"])) in known]
    if [fact.as_row() for fact in named] != told:
        yield "the facts that its provenance names are not those that the rules find in its document"
        return
    asked, reason = (ask_section if _is_section(passage) else ask)(passage, named, seed)
    if asked is None or [fact.as_row() for fact in asked.facts] != told:
        yield f"the rules do not ask for its facts so: {reason or 'their order is another'}"
        return
    for column, text in (("question", asked.question.text), ("answer", asked.answer.text)):
        if row[column] != text:
            yield f"its {column} is {row[column]!r:.120}, and by its facts it is {text!r:.120}"
    if "ungrounded_answer" in made:
        values = [each["to"] for each in made["ungrounded_answer"]["swapped"]]
        yield from _differs("ungrounded answer", row["ungrounded_answer"], _swapped(asked, passage, values))
    is_section = _is_section(passage)
    poor = candidates.cut_short(asked, passage, seed) if is_section else make_incomplete(asked, seed)
    yield from _differs("incomplete answer", row["poor_answer"], _text(poor))
    yield from _context_problems(row, made, passage, [fact.value for fact in asked.facts])


def model_problems(row: Row, made: Provenance, passage: Passage, seed: int) -> Iterator[str]:
    """Why the build would not have used what a model wrote of a pair, and what rules make of the model's answer."""
    question, answer = row["question"], row["answer"]
    found = {
        "question": checks.question_problem(question, passage),
        "answer": checks.answer_problem(answer, question, passage),
    }
    if is_by_rule(made, "ungrounded_answer"):
        swapped = fallbacks.swap_facts(question, answer, passage, seed)
        yield from _differs("ungrounded answer", row["ungrounded_answer"], _text(swapped))
    elif "ungrounded_answer" in made:
        candidate = row["ungrounded_answer"]
        found["ungrounded answer"] = checks.ungrounded_problem(candidate, answer, question, passage)
    if is_by_rule(made, "poor_answer"):
        poor = fallbacks.cut_short(question, answer, passage, seed)
        yield from _differs("incomplete answer", row["poor_answer"], _text(poor))
    elif "poor_answer" in made:
        left = str(made["poor_answer"].get("left_out") or "")
        found["incomplete answer"] = checks.incomplete_problem(row["poor_answer"], left, answer, question, passage)
    yield from (f"its {what} could not be used: {problem}" for what, problem in found.items() if problem)
    yield from _context_problems(row, made, passage, [answer])


def _differs(what: str, said: str, wanted: str) -> Iterator[str]:
    if said != wanted:
        yield f"its {what} is {said!r:.120}, and by the rules it is {wanted!r:.120}"


def _text(made: Made | None) -> str:
    return "" if made is None else made.text


def _is_section(passage: Passage) -> bool:
    return CLAUSE in passage.metadata


def _facts(passage: Passage) -> Sequence[Fact]:
    if _is_section(passage):
        return section_facts(passage)
    return find_facts(passage, passage.metadata.get("namesakes", ()))[0]


def _swapped(asked: Asked, passage: Passage, values: Sequence[str]) -> str:
    if _is_section(passage):
        return candidates.swapped_section(asked, values)
    return swapped_answer(asked, values) or ""


def _context_problems(row: Row, made: Provenance, passage: Passage, told: Sequence[str]) -> Iterator[str]:
    """Why the build would not have added a sentence to a context."""
    if "context_v2" not in made:
        return
    check = sentence_problem if is_by_rule(made, "context_v2") else new_sentence_problem
    for place in made["context_v2"]["added"]:
        text = row["context_v2"][place]
        if problem := check(text, told, row["question"], passage):
            yield f"{text!r:.80} was added to context_v2, and could not be used: {problem}"
