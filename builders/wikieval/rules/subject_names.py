"""How a question and its answer name the subject of a passage, at first and again."""

import re
from dataclasses import dataclass, replace

from benchwright.builders.wiki.questions.subjects import ArticleSubject

_ORDER_OF_NAMES = re.compile(
    r"\b(?:Chin|Taiwan|Hong Kong|Korea|Vietnam|Hungar|Iceland|Mongol|Burm|Cambod|Indones|Malay|Ethiop|Eritre|Thai|Tibet"
    r"|Tamil|Telugu|Malayalam|Kannada|Bhutan|Myanmar|Somali)",
)
"""Peoples of whom the last word of a name need not be the family's."""
_SHIPS = re.compile(
    r"\b(?:ship|boat|vessel|ferry|submarine|yacht|schooner|frigate|destroyer|cruiser|trawler|liner)s?\b"
)
_SHE = re.compile(r"(?:^|[.;] +)(?:She|Her)\b")


@dataclass(frozen=True, slots=True)
class SubjectNames:
    """The words for a subject."""

    name: str
    """In a question: "the film Gull"."""
    said: str
    """In a sentence that answers it."""
    again: str
    """As the subject of what follows: "it", "she", or a family name; nothing where the text tells none."""
    again_object: str
    again_own: str
    """"its", "her", "Moor's"."""
    is_plural: bool

    def own(self, what: str, *, follows: bool) -> str:
        """Something of the subject: "the tower of X"; in what follows "its tower"."""
        return f"{self.again_own} {what}" if follows else f"the {what} of {self.name}"


def with_a_name(subject: ArticleSubject) -> ArticleSubject:
    """A subject that its own page cannot tell apart, named by its title; a single word stays without a name.

    A question of a pair stands beside its passage, so a title of two words is enough.
    """
    names = tuple(dict.fromkeys(_without_its_own_place(name, subject.title) for name in subject.names))
    if names:
        return replace(subject, names=names)
    if " " not in subject.title or re.search(r"[–:(]", subject.title):
        return subject
    is_a_thing = not subject.is_person and subject.title.rpartition(" ")[2].islower()
    takes_article = is_a_thing and not subject.title.startswith(("The ", "A ", "An "))
    return replace(subject, names=(f"the {subject.title}" if takes_article else subject.title,), problem="")


def _without_its_own_place(name: str, title: str) -> str:
    """A name without a place that the title has already: "the Orlen lighthouse near Orlen"."""
    match = re.fullmatch(r"(?P<name>.+) (?:at|near|in|of) (?P<place>[A-Z].*)", name)
    if match is None or match["place"] not in title or not match["name"].endswith(title):
        return name
    return match["name"] if match["name"] != title or not title.rpartition(" ")[2].islower() else f"the {title}"


def name_subject(text: str, subject: ArticleSubject) -> SubjectNames | None:
    """The words for the subject of a text; None where it has no name that is said."""
    if not subject.names or " – " in subject.title:
        return None
    name = subject.title if subject.is_person and " " in subject.title else subject.names[0]
    said = subject.title if subject.is_person else name
    if subject.is_person:
        again, of_it, own = _of_a_person(text, subject.title)
    elif is_she(text):
        again, of_it, own = "it", "it", "its"
    elif subject.is_plural:
        again, of_it, own = "they", "them", "their"
    else:
        again, of_it, own = "it", "it", "its"
    return SubjectNames(name, said, again, of_it, own, subject.is_plural)


def is_she(text: str) -> bool:
    """Whether a text speaks of a ship as "she"."""
    return bool(_SHIPS.search(text[:300]) and _SHE.search(text))


def _of_a_person(text: str, title: str) -> tuple[str, str, str]:
    """The pronouns of a person; without them the family name; nothing where neither is told."""
    he, she = (len(re.findall(rf"\b(?:{words})\b", text)) for words in ("[Hh]e|[Hh]is", "[Ss]he|[Hh]er"))
    if he != she and min(he, she) * 3 <= max(he, she):
        return ("he", "him", "his") if he > she else ("she", "her", "her")
    first, _, family = title.rpartition(" ")
    is_family = first and len(family) > 2 and not re.search(r"\b(?:of|de|of the|Jr|Sr|[IVX]+)\b|,", title)
    if he or she or not is_family or _ORDER_OF_NAMES.search(text[:400]):
        return "", "", ""
    return family, family, f"{family}'s"
