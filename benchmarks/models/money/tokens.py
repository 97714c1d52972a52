"""How many tokens texts are, about: for limits, and for what a run would cost.

The count goes by kinds of characters. It is fitted to two vocabularies of OpenAI, cl100k and o200k, half each, and over
all texts of a kind (those that it was fitted to) it is off by so much of the tokens of each:

| texts | cl100k | o200k |
|---|---|---|
| documents and questions of Aurp, requests with five passages, prompts, Markdown, Python | -2 to +4 % | -2 to +4 % |
| orders and replies as JSON, schemas | -5 to +1 % | -4 to +3 % |
| German, French | -13, -6 % | +9, +10 % |
| Chinese, Russian | -21 % | +19, +35 % |
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchwright.benchmarks.models.responses import Tokens

_OF_MESSAGE = 4
"""Tokens around each message."""
_ROOM = 1.1
"""Times the count, where it stands for money that is spent."""
_ASKING = ("response_format", "tools", "functions")
"""Parts of a request, beside its messages, that are counted."""


def _classes(is_coarse: bool) -> bytes:
    """For each byte of UTF-8 the byte of its kind; coarsely there are letters and others."""
    kinds = bytearray()
    for code in range(256):
        letter = chr(code)
        if code < 128 and letter.isalpha():
            kind = "a" if is_coarse or letter.islower() else "A"
        elif is_coarse:
            kind = " "
        elif code < 128:
            kind = "0" if letter.isdigit() else "n" if letter == "\n" else " " if letter.isspace() or code == 0 else "p"
        else:  # inside of a letter; the first byte of an accented one, of another alphabet's, of a sign such as Chinese
            kind = " " if code < 0xC0 else "e" if code < 0xD0 else "g" if code < 0xE0 else "z"
        kinds.append(ord(kind))
    return bytes(kinds)


_COARSE, _FINE = _classes(True), _classes(False)


def _count(text: str) -> float:
    raw = b" " + text.encode("utf-8", "replace")
    words, fine = raw.translate(_COARSE).count, raw.translate(_FINE).count
    return (
        0.94 * words(b" a") + 0.57 * words(b"a" * 7) + 0.71 * words(b"a" * 11)
        + 0.35 * fine(b"A") - 0.55 * fine(b"AA") + 1.05 * fine(b"0")
        + 0.77 * fine(b"p") - 0.6 * fine(b"pp") + 0.5 * fine(b"n") - 0.8 * fine(b"nn")
        + 0.95 * fine(b"e") + 0.4 * fine(b"g") + 0.98 * fine(b"z")
    )  # fmt: skip


def count_text(text: str) -> int:
    """About how many tokens a text is."""
    return max(1, round(_count(text))) if text else 0


def count_tokens(texts: Sequence[str]) -> int:
    """About how many tokens some messages are, with what stands around each."""
    return sum(count_text(text) + _OF_MESSAGE for text in texts)


def count_request(body: Mapping[str, Any]) -> int:
    """About how many tokens of input a request for a completion is, with the schema that its reply must fit."""
    said = count_tokens([message["content"] for message in body["messages"]])
    return said + sum(count_text(json.dumps(body[name], ensure_ascii=False)) for name in _ASKING if name in body)


def guess_tokens(expected: Tokens, body: Any) -> Tokens:
    """What a reply has used whose endpoint did not count it, with some room: as much as its texts are, or what was
    expected.
    """
    given = max(expected.output, sum(map(count_text, _said(body))))
    return Tokens(round(_ROOM * expected.input), round(_ROOM * given), calls=1)


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
