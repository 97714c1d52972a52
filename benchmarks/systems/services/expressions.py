"""Where answer, contexts and usage stand in the reply of a service: JMESPath expressions (jmespath.org)."""

import json
import logging
import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError, StopError, UsageError
from benchwright.benchmarks.models.responses import shown
from benchwright.benchmarks.systems.messages import message_text
from benchwright.benchmarks.systems.services.bodies import Events
from benchwright.benchmarks.systems.services.description import Places

log = logging.getLogger("benchwright")

MISSES = 3
"""Replies in which an expression must have found nothing before something is said of it."""
_USAGE = ("input_tokens", "output_tokens", "calls", "retrievals")
_NUMBERS = ("cost", "latency")


class Expression:
    """One expression of a file: says when it never finds anything."""

    def __init__(self, text: str, where: str) -> None:
        """Compiles it.

        Args:
            text: the expression.
            where: the file and the key, for messages.

        Raises:
            UsageError: it is none.
        """
        import jmespath
        from jmespath.exceptions import JMESPathError

        self.text, self.where = text, where
        self._first: Any = None
        self._misses, self._has_found = 0, False
        try:
            self._compiled = jmespath.compile(text)
        except JMESPathError as error:
            said = str(error).splitlines()[0].rstrip(":. ")
            raise UsageError(f"{where} = {text!r} is no JMESPath expression: {said}; see jmespath.org") from None

    def find(self, reply: Any) -> Any:
        """What it finds in a reply; None where that is nothing.

        Raises:
            BenchwrightError: it cannot be used on such a reply.
        """
        from jmespath.exceptions import JMESPathError

        try:
            found = self._compiled.search(reply.events if isinstance(reply, Events) else reply)
        except (JMESPathError, RecursionError) as error:
            raise BenchwrightError(
                f"{self.where} = {self.text!r} fails on its reply: {shown(str(error))}; "
                f"the reply was {shown_value(reply)}"
            ) from None
        if found is not None and not (isinstance(reply, Events) and found == []):
            self._has_found, self._first = True, None
            return found
        if not self._has_found:
            self._misses += 1
            self._first = reply if self._misses == 1 else self._first
        return None

    @property
    def is_futile(self) -> bool:
        """Whether it has found nothing in any of the first replies, just now for the last of them."""
        return not self._has_found and self._misses == MISSES

    @property
    def never_found(self) -> str | None:
        """That it has found nothing yet, with the first reply; None where it has."""
        if self._has_found or not self._misses:
            return None
        return f"{self.where} = {self.text!r} finds nothing; the first reply was {shown_value(self._first)}"


@dataclass(frozen=True)
class Reader:
    """Reads the replies of a service."""

    expressions: Mapping[str, Expression]
    """Field of `Places` → its expression."""

    @classmethod
    def of(cls, places: Places, where: str) -> "Reader":
        """The reader of a description.

        Raises:
            UsageError: an expression is none.
        """
        texts = {each.name: getattr(places, each.name) for each in fields(places)}
        return cls({name: Expression(text, f"{where}.{name}") for name, text in texts.items() if text is not None})

    def read(self, reply: Any) -> dict[str, Any]:
        """The fields of a prediction.

        Raises:
            BenchwrightError: the service says that it failed, or there is no answer where one is looked for.
            StopError: there was none in any of the first replies.
        """
        error = self._found("error", reply)
        if error:
            raise BenchwrightError(
                f"the service said: {shown(error if isinstance(error, str) else shown_value(error))}"
            )
        fields: dict[str, Any] = {"abstained": bool(self._found("abstained", reply))}
        answer = self.expressions["answer"].find(reply)
        fields["answer"] = None if answer is None else answer_text(answer)
        if answer is None and not fields["abstained"]:
            raise self._missed()
        if "contexts" in self.expressions:
            found = self.contexts(reply)
            if found is not None:
                fields["contexts"] = found
        usage = {name: count for name in _USAGE if (count := _count(self._found(name, reply))) is not None}
        if fields.get("contexts") == []:
            usage.setdefault("retrievals", 1)  # it looked, and found nothing
        numbers = {name: number for name in _NUMBERS if (number := _number(self._found(name, reply))) is not None}
        return {**fields, **numbers, **({"usage": usage} if usage else {})}

    def contexts(self, reply: Any) -> list[Any] | None:
        """The contexts, None where the reply does not say any; warns where no reply ever does."""
        expression = self.expressions["contexts"]
        found = expression.find(reply)
        if found is None:
            if expression.is_futile:
                log.warning("%s: so far it hands in no contexts", expression.never_found)
            return None
        return [_context(each) for each in (found if isinstance(found, list) else [found])]

    def _found(self, name: str, reply: Any) -> Any:
        expression = self.expressions.get(name)
        return None if expression is None else expression.find(reply)

    def _missed(self) -> BenchwrightError:
        expression = self.expressions["answer"]
        said = expression.never_found or f"{expression.where} = {expression.text!r} finds nothing in its reply"
        if expression.is_futile:
            return StopError(f"{said}; correct the expression, and start it again")
        return BenchwrightError(said)


def answer_text(found: Any) -> str:
    """What an expression found, as an answer: the texts of a list are joined."""
    if isinstance(found, str):
        return found
    if isinstance(found, list):
        return "".join(answer_text(each) for each in found if each is not None)
    text = message_text(found) if isinstance(found, Mapping) else None
    return text if text is not None else json.dumps(found, ensure_ascii=False)


def _context(found: Any) -> Any:
    """A context with a number for its score, whatever it was written as."""
    if not isinstance(found, dict):
        return found if isinstance(found, str) else answer_text(found)
    return {**found, "score": _number(found["score"])} if "score" in found else found


def _count(value: Any) -> int | None:
    number = _number(value)
    return None if number is None or number < 0 else int(number)


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def shown_value(value: Any) -> str:
    """A reply short enough for a message."""
    plain = value.events if isinstance(value, Events) else value
    return shown(plain if isinstance(plain, str) else json.dumps(plain, ensure_ascii=False)[:2000])
