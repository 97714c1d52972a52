"""What is known of the languages of wikis, a file of words and rules for each: `de.toml`, `en.toml`, …"""

import functools
import re
from collections.abc import Mapping
from typing import Any

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.text.sentences import NEW_SENTENCE, PROSE, Splitter, ending_dot

LANGUAGES = ("de", "en", "es", "fr", "ja")
"""Languages whose dates, sentences and questions the rules know."""


def primary(tag: str) -> str:
    """The language of a tag: `pt` of `pt-BR`."""
    return tag.partition("-")[0].lower()


def read_language(language: str) -> Mapping[str, Any]:
    """The words and rules of a language; raises KeyError for one that is not known."""
    if language not in LANGUAGES:
        raise KeyError(language)
    return read_toml(__package__, f"{language}.toml")


@functools.cache
def _common() -> re.Pattern[str]:
    return re.compile("|".join(read_language(language)["life"]["common"] for language in LANGUAGES))


def is_common(question: str) -> bool:
    """Whether a question asks what could be asked of anybody: when or where somebody was born or died."""
    return _common().search(question) is not None


@functools.cache
def sentences_of(language: str) -> Splitter:
    """Where the sentences of a text in a language end; of English and of one that is not known as in any prose."""
    told = read_language(language).get("sentences") if language in LANGUAGES else None
    if told is None:
        return PROSE
    if "marks" in told:
        return Splitter(marks="[.!?]", begins=NEW_SENTENCE, always=told["marks"])
    numbered = [rf"\b\d{{{digits}}}" for digits in (1, 2)] if told["numbered"] else []
    return Splitter(rf"(?:{ending_dot(told['abbreviations'], before=['[A-Z]', *numbered])}|[!?])")
