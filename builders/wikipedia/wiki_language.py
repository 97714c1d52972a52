"""The language of a wiki, and what is not done for one that the rules do not know: said before the harvest."""

import logging
from collections.abc import Mapping
from contextlib import suppress

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.naming import check_language
from benchwright.builders.wiki.questions.languages import LANGUAGES, primary
from benchwright.builders.wiki.text.page import languages_of_sections
from benchwright.builders.wikipedia.parameters import BuildParameters

log = logging.getLogger("benchwright")

_SECTIONS = "sections of references and links stay in the texts, but for those with an English heading"
_DATES = "dates in the texts are not read, but for years and dates in figures"
ENGLISH_ONLY = "the built-in reader does not try the questions: it reads English"


def tag_of(site: Mapping[str, str]) -> str | None:
    """What a wiki says that its language is, as a tag; None where it says nothing that is one."""
    said = site.get("language") or ""
    for tag in (said, said.partition("-")[0]):
        with suppress(BenchwrightError):
            return check_language(tag)
    return None


def decide_language(site: Mapping[str, str], parameters: BuildParameters) -> str:
    """The tag of the language that a build is in: what the wiki says, else what was asked for.

    Raises:
        UsageError: nobody says it, or rules shall do what they cannot do in this language.
    """
    tag = tag_of(site) or parameters.language
    if not tag:
        raise UsageError(
            f"{site.get('name') or 'the wiki'} does not say which language it is in: add --set language=de"
        )
    language = primary(tag)
    if language in LANGUAGES:
        return tag
    known = ", ".join(LANGUAGES)
    without = [
        what for what, model in (("asked_by", parameters.asker), ("classifier", parameters.classifier)) if model is None
    ]
    if without:
        raise UsageError(
            f"the wiki is written in {tag!r}, and rules know {known}: they can neither ask questions nor tell by dates "
            f"what is new; a model can: add --model writer=NAME"
            + (f", and leave out {' and '.join(f'{name}=rule' for name in without)}" if len(without) < 2 else "")
        )
    log.warning("the wiki is written in %r; not done for it: %s", tag, "; ".join(not_done(tag)))
    return tag


def not_done(tag: str) -> list[str]:
    """What is done with the texts of wikis in a known language, and not in this one."""
    language = primary(tag)
    found = [] if language in languages_of_sections() else [_SECTIONS]
    return found + ([] if language in LANGUAGES else [_DATES])
