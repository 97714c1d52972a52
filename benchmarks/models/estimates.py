"""How many tokens texts are, about: for limits, and for what a run would cost."""

from collections.abc import Iterator, Sequence
from typing import Any

from benchwright.benchmarks.models.responses import Tokens


def count_tokens(texts: Sequence[str]) -> int:
    """About how many tokens some English texts are: a quarter of their characters. Only for limits and estimates."""
    return sum(len(text) for text in texts) // 4 + 4 * len(texts)


def guess_tokens(expected: Tokens, body: Any) -> Tokens:
    """What a reply has used whose endpoint did not count it: as much as its texts are, or what was expected."""
    return Tokens(expected.input, max(expected.output, count_tokens(list(_said(body)))), calls=1)


def _said(body: Any) -> Iterator[str]:
    """All that the choices of a completion say, and what a model thought before."""
    choices = body.get("choices") if isinstance(body, dict) else None
    for choice in choices if isinstance(choices, list) else ():
        message = choice.get("message") if isinstance(choice, dict) else None
        if not isinstance(message, dict):
            continue
        called = message.get("tool_calls")
        functions = [call.get("function") for call in called or () if isinstance(call, dict)]
        said = [message.get("content"), message.get("reasoning_content"), message.get("reasoning")]
        said += [function.get("arguments") for function in functions if isinstance(function, dict)]
        yield from (text for text in said if isinstance(text, str))
