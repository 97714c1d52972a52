"""The checker by rule for kinds beside lookups: takes the operation off a wording, and holds what is left against the
lookup that is left of its template."""

import itertools
import re

from benchwright.benchmarks.grounding.sql import PLACEHOLDER
from benchwright.builders.sql.wording import english
from benchwright.builders.sql.wording.asking import evidence_of
from benchwright.builders.sql.wording.kinds.claims import premise_problem, without_claim
from benchwright.builders.sql.wording.kinds.extremes import without_extreme
from benchwright.builders.sql.wording.kinds.operations import patterns, without_harmless, without_operation
from benchwright.builders.sql.wording.kinds.sense import KindSense
from benchwright.builders.sql.wording.kinds.thresholds import marked, taken_off
from benchwright.builders.sql.wording.lexicon import PLACE, own_words, tokens
from benchwright.builders.sql.wording.text_checks import Problem
from benchwright.builders.sql.wording.twin import twin_problem


def kind_problem(sense: KindSense, wording: str, form: str) -> Problem | None:
    """Why a wording does not ask for what a template of a kind selects; None where nothing speaks against it.

    Args:
        sense: what the template asks.
        wording: with its placeholders.
        form: one of the six forms.
    """
    if rival := next(
        (one for one in sense.rivals if re.search(rf"\b{re.escape(one)}\b", wording, re.IGNORECASE)), None
    ):
        return Problem("names something else", rival)
    if sense.kind == "yes_no":
        text, problem = without_claim(sense, wording, form)
        return problem or twin_problem(sense.plain, text, form)
    if sense.kind == "unanswerable":
        doubted = None if sense.plain.is_truth else premise_problem(wording)
        return doubted or twin_problem(sense.plain, wording, form)
    if problem := _beside(sense, wording):
        return problem
    text = wording
    for placeholder, before, said in sense.placed:
        text = re.sub(rf"{before}(?={re.escape(placeholder)})", said, text, flags=re.IGNORECASE)
    if sense.threshold is not None:
        text, problem = marked(text, sense.threshold)
        if problem is None:
            text, problem = taken_off(text, sense.threshold, is_time=sense.is_time)
        if problem is not None:
            return problem
    if sense.kind == "list" and (problem := _is_one(sense, text)):
        return problem
    text, problem = without_operation(sense, text)
    if problem is None:
        text, problem = without_extreme(sense, text)
    if problem is not None:
        return problem
    text = without_harmless(sense, text)
    if sense.measured is not None:
        there = tokens(PLACEHOLDER.sub(f" {PLACE} ", text))
        if not evidence_of(sense.measured, there, form):
            return Problem("does not compare what the SQL template compares", sense.measure)
    return twin_problem(sense.plain, " ".join(text.split()), form)


def _beside(sense: KindSense, wording: str) -> Problem | None:
    """Whether a wording asks for what is given, or guesses at an answer."""
    if found := re.search(r",\s*(?:is|are|was|were) (?:it|they|that)\b", wording, re.IGNORECASE):
        return Problem("can be answered with yes or no", found[0].lstrip(", "))
    there = tokens(PLACEHOLDER.sub(f" {PLACE} ", wording))
    known = sense.rows | sense.plain.asked | own_words(sense.measure)
    for word, following in itertools.pairwise(there):
        if word in ("which", "what") and following in sense.plain.given_nouns - known:
            return Problem("asks for another thing", following)
    return None


def without_figures(sense: KindSense, text: str) -> str:
    """A wording with a placeholder in place of each figure that its template has, for checks that allow none."""
    if sense.threshold is not None:
        text, _ = marked(text, sense.threshold)
        return re.sub(r"[\x01\x02]", "[figure.figure]", text)
    return patterns("operations", "rounding")[0].sub(" to two decimals", text) if sense.kind == "average" else text


def _is_one(sense: KindSense, text: str) -> Problem | None:
    """Whether a wording asks for one of several, or does not say that it asks for all."""
    bare = re.sub(r"\[[^\[\]]*\]|\b(?:every(?: single)?|each) one\b", " ", text).lower()
    nouns = "|".join(map(re.escape, sorted({sense.noun, sense.noun.rpartition(" ")[2]})))
    for pattern in patterns("single", "one"):
        found = re.search(pattern.pattern.replace("~", f"(?:{nouns})"), bare, re.IGNORECASE)
        if found is not None:
            return Problem("asks for one of several", found[0])
    plurals = {english.plural(sense.noun), english.plural(sense.noun.rpartition(" ")[2])}
    is_many = any(re.search(rf"\b{re.escape(one)}\b", bare) for one in plurals)
    if not is_many and not any(one.search(bare) for one in patterns("single", "many")):
        return Problem("does not ask for all of them")
    return None
