"""A whole list that is asked for, as noun phrases: the names of the projects of client X."""

from collections.abc import Mapping

from benchwright.builders.sql.wording import english
from benchwright.builders.sql.wording.many import many_slots
from benchwright.builders.sql.wording.meaning import Many, Meaning


def list_slots(meaning: Meaning, many: Many) -> Mapping[str, str]:
    """The slots of frames for a meaning that asks for all rows that belong to a thing."""
    slots = many_slots(meaning, many)
    is_people = english.question_word(english.value_kind(many.noun), many.noun) == "who"
    target, bare = f"the {many.asked} of the {slots['rows']}", f"{many.asked} of {slots['rows_bare']}"
    return {
        **slots,
        "which": "who" if is_people else "which",
        "which_are": f"who are the {slots['rows']}" if is_people else f"which {slots['rows']} are there",
        "is": "are",
        "whs": "what are",
        "they": "they",
        "fact_is": "are",
        "it": "them",
        **dict.fromkeys(("target", "named", "fact", "fact_named"), target),
        **dict.fromkeys(("t", "f"), bare),
    }
