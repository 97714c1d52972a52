"""The built-in writer of pages: a lead, sections, and the facts of a row spread over them among sentences that state no
fact of any column (GRAMMAR, appendix H.2: knowledge is sparse). It is for trying things out; a model writes better."""

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.grounding.values import NO, YES
from benchwright.benchmarks.hashing import rank
from benchwright.builders.spider.profile import Fact, Profile, called
from benchwright.builders.spider.reading import LONGEST, SHORTEST, as_page, words_in
from benchwright.builders.spider.strangers import Strangers
from benchwright.builders.sql.wording import english

_MORE = 120
"""Words above the shortest among which the length of a page is drawn."""
_FACTS_IN_PARAGRAPH = 2
_FIGURE = re.compile(r"\d[\d.,]*")
_LEAST_BETWEEN = 60
"""Words of sentences without facts, on a page that is long without them."""


@cache
def phrases() -> dict[str, Any]:
    """`pages.toml`."""
    return read_toml(__package__, "pages.toml")


@dataclass(frozen=True)
class RuleWriter:
    """Writes pages by rule."""

    seed: int
    strangers: Strangers
    """Sentences that hold a name or a value of the database are not used."""

    @cached_property
    def _fillers(self) -> Set[str]:
        """The sentences without facts that can be used."""
        return {text for text in phrases()["page"]["fillers"] if not self.strangers.touch(text)}

    def write(self, profile: Profile) -> str:
        """The page of a row."""
        draw = _Draw(self.seed, profile.id)
        facts = draw.shuffled(self._sentences(profile, draw), "facts")
        count = max(4, -(-len(facts) // _FACTS_IN_PARAGRAPH))
        paragraphs: list[list[str]] = [facts[number::count] for number in range(count)]
        page = phrases()["page"]
        own = called(profile.name, profile.noun)
        given = {"name": own, "noun": profile.noun, "a_noun": english.with_article(profile.noun)}
        leads = page["leads" if own == profile.name else "numbered"]
        lead = _capital(draw.pick(leads, "lead").format(**given), profile.noun)
        fillers = [text.format(**given) for text in draw.shuffled(page["fillers"], "fillers") if text in self._fillers]
        wanted = SHORTEST + 10 + int(draw.share("length") * _MORE)
        written = words_in(lead) + sum(words_in(text) for text in facts) + 2 * count
        wanted = max(wanted, min(LONGEST, written + _LEAST_BETWEEN))
        opening = [lead]
        for number, filler in enumerate(fillers):
            if written >= wanted or (number and written + words_in(filler) > LONGEST):
                break
            place = number % (count + 1)
            if place == 0:
                opening.append(filler)
            else:
                paragraph = paragraphs[place - 1]
                paragraph.insert(int(draw.share("place", number) * (len(paragraph) + 1)), filler)
            written += words_in(filler)
        headings = draw.shuffled(page["headings"], "headings")
        parts = [" ".join(opening)]
        for number, paragraph in enumerate(part for part in paragraphs if part):
            text = " ".join(paragraph)
            is_first = number % 2 == 0 and number // 2 < len(headings)
            parts.append(f"== {headings[number // 2]} ==\n{text}" if is_first else text)
        return as_page(parts)

    def _sentences(self, profile: Profile, draw: "_Draw") -> list[str]:
        return [
            _capital(_sentence(profile, fact, number, draw), profile.noun, *fact.nouns)
            for number, fact in enumerate(profile.facts)
        ]


def _sentence(profile: Profile, fact: Fact, number: int, draw: "_Draw") -> str:
    sentence = _framed(profile, fact, number, draw)
    return sentence[:-1] if sentence.endswith("..") else sentence  # 722 DaVinci Blvd.


def _framed(profile: Profile, fact: Fact, number: int, draw: "_Draw") -> str:
    value = f"{fact.value} {fact.scale}" if fact.scale else fact.value
    given = {"label": fact.label, "value": value, "be": english.be(english.is_plural(fact.label))}
    if fact.sort == "cell":
        texts = phrases()["cells"]
        kind = "truths" if fact.value in (YES, NO) else "frames" if _is_figure(fact) else "texts"
        subject = texts["subject"][0 if number == 0 else int(2 * draw.share("subject", number))]
        shown = subject.format(name=called(profile.name, profile.noun), noun=profile.noun)
        return draw.pick(texts[kind], "frame", number).format(subject=shown, **given)
    if fact.sort == "link":
        own = called(fact.names[0], profile.noun)
        return draw.pick(phrases()["links"]["frames"], "frame", number).format(other=own, **given)
    given |= {"tie": fact.tie, "a_tie": english.with_article(fact.tie)}
    nouns = fact.nouns or ("", "")
    if not fact.key[2]:
        given["value"] = called(fact.value, nouns[1])
        return draw.pick(phrases()["pairs"]["frames"], "frame", number).format(
            other=called(fact.names[0], nouns[0]), **given
        )
    other, second = map(called, fact.names, nouns)
    return draw.pick(phrases()["pairs"]["cells"], "frame", number).format(other=other, second=second, **given)


def _is_figure(fact: Fact) -> bool:
    """Whether a value is a figure, and no date, address or code."""
    is_code = fact.label.casefold().rpartition(" ")[2] in ("code", "number")
    return bool(_FIGURE.fullmatch(fact.value)) and not is_code


def _capital(sentence: str, *nouns: str) -> str:
    """A sentence that begins with our own words begins with a capital; names stay as they are."""
    is_own = sentence.startswith("the ") or any(re.match(rf"{re.escape(noun)} [\W\d]", sentence) for noun in nouns)
    return sentence[0].upper() + sentence[1:] if is_own else sentence


@dataclass(frozen=True)
class _Draw:
    """What is drawn for one page."""

    seed: int
    page: str

    def share(self, *what: object) -> float:
        return int.from_bytes(rank("page", self.seed, self.page, *what)) / 2**64

    def pick(self, items: Sequence[str], *what: object) -> str:
        return items[int(self.share(*what) * len(items))]

    def shuffled(self, items: Sequence[str], what: str) -> list[str]:
        order = sorted(range(len(items)), key=lambda number: (rank("page", self.seed, self.page, what, number), number))
        return [items[number] for number in order]
