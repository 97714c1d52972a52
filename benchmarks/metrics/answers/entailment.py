"""What the statements of a sentence come to as an answer to a question of yes or no."""

import re
from collections.abc import Iterator

from benchwright.benchmarks.metrics.answers.boolean_clause import meaning, read_clause
from benchwright.benchmarks.metrics.answers.boolean_question import Asked, is_denial, plain_words, positive, word_set

_ASIDE = re.compile(
    r"[(\[{][^()\[\]{}]*[)\]}]|, (?:which|who|whose|where|a|an|the|formerly|also|including|such as)\b[^,]*,"
)
_PARTS = re.compile(
    r"[;:]| -{1,2} |,? (?P<but>but(?! also))\b|, (?P<not>(?=not\b))"
    r"|,? (?:whereas|while|although|though|because|due to|owing to|thanks to|which|who|where|so that|so|, as)\b"
    r"(?! (?:well|as))"
    r"|,? and (?=(?:has|have|had|is|are|was|were|does|do|did|can|will|it|they|he|she|there|no|not)\b)"
)
_SOURCES = "documents? texts? contexts? passages? sources? reports? articles? survey manual records? it i which page"
_MORE_SOURCES = "excerpts? information database table section contract letter fact this"
_SAYING = re.compile(
    rf"^[^,.]{{0,60}}?\b(?:{'|'.join(f'{_SOURCES} {_MORE_SOURCES}'.split())})\b[^,.]{{0,30}}?"
    r"\b(?:says?|states?|shows?|indicates?|confirms?|mentions?|notes?|suggests?|believe|think|means?|explains?|is"
    r"|reports?|specif(?:y|ies)|clear|true) (?:clearly )?that "
)
_UNTRUE = re.compile(
    r"^(?:so )?(?:it|that)(?: is|'s)? (?:(?:also |simply |just )?(?:not|n't) (?:true|the case|correct|right|accurate)"
    r"|false|untrue|incorrect|wrong|inaccurate|a myth) that |^it (?:isn't|wasn't) (?:true|the case|correct|right) that "
)
_LONGEST = 1_000
"""Characters of a sentence that is read: a longer one is no statement but a heap of words."""
_LEADING = re.compile(
    r"^(?:according to|based on|as per|per|given|from|in|as of|under|on|at|after|with)\b[^,]{1,100}, |^[a-z]+ly, "
)


def without_source(sentence: str) -> str:
    """A sentence without the words in front that say where it stands or when: "according to the report, "."""
    return _LEADING.sub("", sentence, count=1)


def entailed(asked: Asked, sentence: str) -> bool | None:
    """What a lowered sentence says to a question: yes, no, or nothing."""
    if not asked.stems or len(sentence) > _LONGEST:
        return None
    sentence, is_untrue = sentence.strip(" .!\"'"), False
    while True:
        rest = without_source(sentence)
        if match := _UNTRUE.match(rest):
            is_untrue, rest = not is_untrue, rest[match.end() :]
        elif match := _SAYING.match(rest):
            if any(map(is_denial, plain_words(match.group()))):
                return None
            rest = rest[match.end() :]
        if rest == sentence:
            break
        sentence = rest
    found = {meant for meant in _clauses(asked, _ASIDE.sub(" ", sentence)) if meant is not None}
    return None if len(found) != 1 else found.pop() != is_untrue


def _clauses(asked: Asked, sentence: str) -> Iterator[bool | None]:
    """What each clause says; "not Y" and "but Y" have the subject and the verb of the clause before."""
    joints = list(_PARTS.finditer(sentence))
    starts, ends = [0, *(joint.end() for joint in joints)], [*(joint.start() for joint in joints), len(sentence)]
    names = ["", *(joint.lastgroup or "" for joint in joints)]
    before = ""
    for start, end, name in zip(starts, ends, names, strict=True):
        clause = sentence[start:end].strip(" ,")
        if clause:
            if not start or not _is_fragment(asked, clause):
                yield meaning(asked, clause)
            elif name and before:
                yield meaning(asked, f"{_beginning(asked, before)} {clause}")
            before = clause


def _is_fragment(asked: Asked, text: str) -> bool:
    """Whether a clause has no verb and no subject of its own."""
    tokens = read_clause(asked, text).tokens
    return not any(token.is_auxiliary or token.at == 0 or token.word in word_set("pronouns") for token in tokens)


def _beginning(asked: Asked, text: str) -> str:
    """The subject and the verb of a clause, without a denial."""
    clause = read_clause(asked, text)
    return " ".join(positive(token.word) for token in clause.tokens[: clause.verb + 1])
