"""Thoughts that models write before their answer, told apart from it: in fields of their own, or marked in the text."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

FIELDS = ("reasoning_content", "reasoning")
"""Of a message: DeepSeek, llama.cpp and LiteLLM say the first, vLLM, Ollama and OpenRouter the second."""
_NAMES = "think|thinking|thought|thoughts|reasoning|seed:think"
_OPENING = re.compile(rf"\s*(?:<(?P<name>{_NAMES})>|\[(?P<square>THINK)\]|<\|channel>thought\b)", re.IGNORECASE)
_LONE = re.compile(r"</think(?:ing)?>|\[/THINK\]", re.IGNORECASE)
"""The end of thoughts whose beginning stood in the prompt."""
_QUOTES = "`'\""
_CHANNEL = re.compile(
    r"<\|channel\|>\s*(?P<name>\w+)(?:(?!<\|message\|>).)*<\|message\|>"
    r"(?P<text>.*?)(?=<\|(?:end|return|call|start|channel)\|>|\Z)",
    re.DOTALL,
)
"""A message of gpt-oss, as its template has it."""
_BARE = re.compile(r"\Aanalysis(?=\S)(?P<thoughts>.*?)assistantfinal(?P<answer>.*)\Z", re.DOTALL)
"""The same, by a server that has taken the marks out."""


@dataclass(frozen=True, slots=True)
class Thought:
    """A text, taken apart."""

    answer: str
    thinking: str = ""
    is_open: bool = False
    """It ends within the thoughts: there is no answer."""


def apart(text: str) -> Thought:
    """The answer of a text, and the thoughts before it."""
    if "<|channel|>" in text:
        return _by_channel(text)
    if bare := _BARE.match(text):
        return Thought(bare["answer"].strip(), bare["thoughts"].strip())
    thoughts: list[str] = []
    while opening := _OPENING.match(text):
        ends = _end_of(opening).search(text, opening.end())
        inside = text[opening.end() : ends.start() if ends else len(text)]
        thoughts.append(_OPENING.sub("", inside))
        if ends is None:
            return Thought("", _joined(thoughts), is_open=True)
        text = text[ends.end() :]
    while (lone := _lone_end(text)) is not None:
        thoughts.append(text[: lone.start()])
        text = text[lone.end() :]
    return Thought(text.strip() if thoughts else text, _joined(thoughts))


def said_beside(message: Mapping[str, Any]) -> str:
    """The thoughts that a message has in a field of their own."""
    found = [message[name] for name in FIELDS if isinstance(message.get(name), str)]
    content = message.get("content")
    for part in content if isinstance(content, list) else ():  # as Mistral gives them
        inner = part.get("thinking") if isinstance(part, Mapping) else None
        for each in inner if isinstance(inner, list) else [inner]:
            text = each.get("text") if isinstance(each, Mapping) else each
            if isinstance(text, str):
                found.append(text)
    return _joined(list(dict.fromkeys(found)))


def _end_of(opening: re.Match[str]) -> re.Pattern[str]:
    if opening["name"]:
        return re.compile(re.escape(f"</{opening['name']}>"), re.IGNORECASE)
    return re.compile(r"\[/THINK\]", re.IGNORECASE) if opening["square"] else re.compile(r"<channel\|>")


def _lone_end(text: str) -> re.Match[str] | None:
    """The end of thoughts without their beginning; not one that is quoted, or a part of JSON."""
    for found in _LONE.finditer(text):
        around = text[max(0, found.start() - 1) : found.start()], text[found.end() : found.end() + 1]
        if not (around[0] and around[1] and all(mark in _QUOTES for mark in around)):
            return None if _is_json(text) else found
    return None


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _by_channel(text: str) -> Thought:
    parts: dict[bool, list[str]] = {True: [], False: []}
    before = text[: text.index("<|channel|>")].replace("<|start|>assistant", "")
    for found in _CHANNEL.finditer(text):
        parts[found["name"].lower() == "final"].append(found["text"])
    answer = "".join(parts[True]).strip()
    return Thought(answer, _joined([before, *parts[False]]), is_open=not parts[True])


def _joined(thoughts: list[str]) -> str:
    return "\n\n".join(stripped for thought in thoughts if (stripped := thought.strip()))
