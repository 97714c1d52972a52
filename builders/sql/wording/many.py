"""What is asked of many rows as noun phrases: the number of orders of customer X, the order with most freight."""

from collections.abc import Mapping

from benchwright.builders.sql.wording import english
from benchwright.builders.sql.wording.meaning import Entity, Many, Meaning
from benchwright.builders.sql.wording.nouns import Style, entity_phrase


def many_slots(meaning: Meaning, many: Many) -> Mapping[str, str]:
    """The slots of frames for a meaning that reckons over many rows."""
    asked = meaning.asked[0]
    is_searched = asked.naming
    plural = english.plural(many.noun)
    wh = english.question_word(english.value_kind(many.noun), many.noun) if is_searched else "what"

    def rows(style: Style) -> str:
        return _rows(many, plural, meaning.of, style)

    def target(style: Style) -> str:
        article = "" if style == "bare" else "the "
        if is_searched:
            return f"{article}{_rows(many, many.noun, meaning.of, style, many.asked)}"
        between = "of" if many.asked == "number" else "among" if style == "bare" else "among the"
        return f"{article}{many.asked} {between} {rows(style)}"

    return {
        "noun": many.noun,
        "nouns": plural,
        "asked": many.asked,
        "rows": rows("plain"),
        "rows_bare": rows("bare"),
        "wh": wh,
        "is": "is",
        "whs": f"{wh}'s",
        "they": "it",
        "fact_is": "is",
        "it": "it",
        "name": "name",
        "target": target("plain"),
        "named": target("named"),
        "t": target("bare"),
        "fact": f"the name of {target('plain')}" if is_searched else target("plain"),
        "fact_named": f"the name of {target('named')}" if is_searched else target("named"),
        "f": f"name of {target('bare')}" if is_searched else target("bare"),
    }


def _rows(many: Many, noun: str, owner: Entity, style: Style, by: str = "") -> str:
    """The rows, in one number, with what they belong to and what else holds of them."""
    known = "with " + english.join(list(many.conditions)) if many.conditions else ""
    whose = entity_phrase(owner, style)
    belonging = f"whose {many.role} is {whose}" if many.role else f"of {whose}"
    parts = [noun, known, belonging, by] if many.role else [noun, belonging, known, by]
    return " ".join(part for part in parts if part)
