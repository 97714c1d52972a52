"""A model writes the pages, each from its profile, and a program reads every one: all facts are there, nothing that
belongs to no fact, 200 to 400 words (GRAMMAR, appendix H.2). What is wrong is told to the model, which writes anew."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.models.prompts import Messages
from benchwright.benchmarks.models.responses import ReplyError
from benchwright.builders.spider.pages import RuleWriter
from benchwright.builders.spider.profile import Profile
from benchwright.builders.spider.reading import LONGEST, SHORTEST, Reading, as_page, words_in
from benchwright.builders.spider.strangers import Strangers
from benchwright.builders.sql.wording import english

ROLE, STEP = "writer", "pages"
PROMPTS = ("spider_page", "spider_page_again")
ATTEMPTS = 3
"""Replies of one page, before it is left to rules."""
GIVEN_UP = f"after {ATTEMPTS} attempts"
TEMPERATURE = 0.7
_GROUPED = re.compile(r"(?<![\w.,])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w]|[.,]\d)")


@dataclass(frozen=True)
class Written:
    """A page as a model gives it."""

    paragraphs: tuple[str, ...]


@dataclass
class ModelPages:
    """Writes pages; counts what happens."""

    client: Client
    strangers: Strangers
    rule: RuleWriter
    """Writes what the model does not."""
    attempts: Counter[int] = field(default_factory=Counter)
    """Replies that it took → pages."""
    by_rule: Counter[str] = field(default_factory=Counter)
    """Why a page was written by rule → pages."""
    refused: int = 0
    """Replies in which something was wrong."""

    def write(self, profiles: Sequence[Profile]) -> Iterator[tuple[Profile, str]]:
        """The pages of some rows, in their order.

        Raises:
            StopError: a limit of the client is reached.
            Estimated: after the last page, where nothing is to be asked.
        """
        for profile, result in self.client.each(profiles, self._page, must_answer=True):
            if isinstance(result, ReplyError):
                self.by_rule[result.reason] += 1
                yield profile, self.rule.write(profile)
                continue
            attempt, text = result
            if attempt:
                self.attempts[attempt] += 1
            else:
                self.by_rule[GIVEN_UP] += 1
            yield profile, text or self.rule.write(profile)

    async def _page(self, profile: Profile) -> tuple[int, str]:
        """The number of the reply that can be used, and its text; 0 where none can be."""
        asked = self.client.prompt(PROMPTS[0]).fill(
            name=profile.name, noun=english.with_article(profile.noun), profile=profile.text
        )
        messages = asked
        for attempt in range(1, ATTEMPTS + 1):
            reply = await self.client.chat(
                ROLE, messages, step=STEP, reply=Written, temperature=TEMPERATURE, repeat=attempt - 1
            )
            text = as_page([" ".join(paragraph.split()) for paragraph in reply.value.paragraphs if paragraph.strip()])
            text = as_held(profile, text)
            problems = wrong_with(profile, text, self.strangers)
            if not problems:
                return attempt, text
            self.refused += 1
            messages = self._again(asked, reply.text, problems)
        return 0, ""

    def _again(self, asked: Messages, said: str, problems: Sequence[str]) -> Messages:
        """The order, the last reply and what is wrong with it."""
        more = self.client.prompt(PROMPTS[1]).fill(problems=problems)
        return replace(more, messages=(*asked.messages, {"role": "assistant", "content": said}, *more.messages))

    def checks(self) -> dict[str, Any]:
        """The counts, for the manifest."""
        return {
            "pages_by_model": {str(number): self.attempts[number] for number in range(1, ATTEMPTS + 1)},
            "pages_by_rule": {reason: self.by_rule[reason] for reason in sorted({GIVEN_UP, *self.by_rule})},
            "pages_of_model_refused": self.refused,
        }

    def described(self) -> list[dict[str, str | None]]:
        """What the manifest says of the model."""
        return self.client.described(ROLE, PROMPTS)


def as_held(profile: Profile, text: str) -> str:
    """A page with the figures of its row as the database has them: 2550 where a model wrote 2,550. What answers are
    compared with must stand in the text."""
    held = {fact.value for fact in profile.facts}
    return _GROUPED.sub(lambda match: plain if (plain := match[0].replace(",", "")) in held else match[0], text)


def wrong_with(profile: Profile, text: str, strangers: Strangers) -> list[str]:
    """What is wrong with a page of a model."""
    count, problems = words_in(text), Reading(profile, text).problems(strangers)
    if not SHORTEST <= count <= LONGEST:
        problems.append(f"it has {count:,} words: write {SHORTEST} to {LONGEST}")
    return problems
