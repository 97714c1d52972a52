"""Whether a wording asks for yes or no: `is X open?`, `X is open, right?`, `tell me whether X is open`."""

import re

from benchwright.benchmarks.data_files import read_words

_WORDS = read_words(__package__, "text_checks.toml", "words")
_ASKED = re.compile(
    r"\b(?:when|where|who|whose|whom|why|how|which|what|wh?ich|whats|wheres|whos|hows|whens)\b", re.IGNORECASE
)
_WHETHER = re.compile(r"\b(?:whether|if)\s+(?:or not\s+)?([\w\x00]+)(?:\s+([\w\x00]+))?", re.IGNORECASE)
_REQUEST = re.compile(
    r"\b(?:tell|know|give|get|find|say|look|remind|need|want|please|idea|clue|have|share|name|recall|remember|guess|"
    r"provide|show|hear|ask|spell|read|send|pass|let|wonder\w*|may i|can i|could i)\b",
    re.IGNORECASE,
)
_FINITE = re.compile(r"\b(?:is|was|are|were|does|did|has|had|will|can|isn't|wasn't|aren't|weren't)\b", re.IGNORECASE)
_CONFIRMED = re.compile(
    r"\b(?:confirm|check|verify|make sure|ensure|agree|true|the case|correct|right in thinking) that\b|"
    r",\s*(?:right|correct|true|yes|no|is it|isn['’]t it|was it|wasn['’]t it|does it|doesn['’]t it)\?\s*$",
    re.IGNORECASE,
)
_TELLING = re.compile(
    r"\b(?:tell|know|knows?|say|state|confirm|check|see|find out|ask|wonder|wondering|clarify|verify|"
    r"enquire|inquire|indicate|inform \w+|advise|determine|establish|learn)\s*$",
    re.IGNORECASE,
)
_SAID_BEFORE = re.compile(
    r"^(?:(?:hey|hi|hello|so|ok|okay|oh|well|and|but|um|sorry|please|quick question|excuse me|now)[,:!]?\s+)*",
    re.IGNORECASE,
)


def asked_for_yes_or_no(bare: str, form: str) -> str:
    """The words with which a wording asks for yes or no; nothing where it asks for something else.

    Args:
        bare: the wording, with NUL for placeholders.
        form: one of the six forms.
    """
    return _yes_or_no(bare, form) or _whether(bare) or _stated(bare, form) or _confirmed(bare, form)


def _stated(bare: str, form: str) -> str:
    """The verb with which a question states what is to be confirmed: `X has three wards?`."""
    if form not in ("interrogative", "casual") or not bare.rstrip().endswith("?"):
        return ""
    if _ASKED.search(bare) or _REQUEST.search(bare):
        return ""
    found = _FINITE.search(bare)
    return found[0] if found else ""


def _whether(bare: str) -> str:
    """The words with which a wording asks whether something is so, not whether somebody can tell."""
    for found in _WHETHER.finditer(bare):
        is_asked = _TELLING.search(bare[: found.start()])
        second = (found[2] or "").lower()
        is_told = found[1].lower() in _WORDS["asked_of"] and second not in ("is", "was", "are", "were", "has", "have")
        if is_asked and not is_told and not _ASKED.search(bare[found.end() :]):
            return found[0].replace("\x00", "…")
    return ""


def _confirmed(bare: str, form: str) -> str:
    """The words with which a wording wants something confirmed that it says itself."""
    found = _CONFIRMED.search(bare) if form != "long" else None
    if found is None or _ASKED.search(bare[: found.start()] if found[0].startswith(",") else bare[found.end() :]):
        return ""
    return found[0]


def _yes_or_no(bare: str, form: str) -> str:
    """The words with which a wording asks for yes or no; nothing where it asks for something else."""
    if form in ("long", "directive") or not bare.rstrip().endswith("?"):
        return ""
    text = _SAID_BEFORE.sub("", bare.strip())
    first, _, rest = text.partition(" ")
    if first.lower() not in _WORDS["auxiliaries"] or not rest:
        return ""
    second = rest.split()[0].lower().strip(",.?!")
    is_request = second in _WORDS["asked_of"]
    if is_request and second in ("there", "it") and not (_ASKED.search(rest) or _REQUEST.search(rest)):
        is_request = False
    return "" if is_request else f"{first} {rest.split()[0]}".replace("\x00", "…")
