"""Replies by a script, or without one and without a model, so that what asks models can be tried by hand.

They are honest, deterministic, and fit for what was asked: a schema gets an instance that conforms to it, whose texts
hold the placeholders of the last message; a question below passages gets the sentence that shares most words with it;
a courtesy gets one in return; all else gets "I don't know." A schema of one switch is a decision: it is on, but after
a courtesy, or after an earlier answer that knows something. Texts that share words get vectors that are near.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from benchwright.scripts.servers.openai.decisions import COURTEOUS, is_courtesy, switch_of, turns_on

Reply = str | Mapping[str, Any] | Sequence[Any] | Callable[[Mapping[str, Any]], Any]
"""A text; a mapping with some of REPLY_KEYS and no other, or else the structured content; a list, one for each of n
choices (the last repeats); or a function of the request's body that returns one of these."""
Replies = Callable[[Mapping[str, Any]], Any] | Sequence[Any]
"""A function of the request's body; a list of rules (pattern searched in the messages' texts, reply), where a request
that fits none gets the stand-in's reply; or a list of replies used in turn, whose last one repeats."""
UNKNOWN = "I don't know."
OPENINGS = (
    "What is recorded for {}?",
    "Tell me what is known of {}.",
    "Which details are on file for {}?",
    "Look up the entry of {}.",
    "I am after the facts about {}.",
    "Do the documents mention anything of {}?",
    "Has somebody written down something on {}?",
    "My colleague wants to learn more about {}.",
    "Where stands {} according to the archive?",
    "How is {} described?",
    "Remind me of the situation with {}.",
    "Check {} against the register.",
    "It would help to understand {} better.",
    "Does our database cover {}?",
    "Summarise every note concerning {}.",
    "Anything worth knowing about {}?",
    "Read out the line on {}.",
    "Whatever was stated about {} is of interest.",
    "Could you clarify matters around {}?",
    "Explain the case of {}.",
)
"""Wordings of a question; {} is where the placeholders go."""
_ASIDES = ("", "This is for a report. ", "The meeting starts soon. ", "A customer called. ", "My notes are gone. ")
_PLACEHOLDER = re.compile(r"\[[A-Za-z][^\[\]\"\n]*\]")
_WORD = re.compile(r"\w+")
_END = re.compile(r"([.!?])[ \t]+")
"""Of a sentence; found twice as fast as by a pattern that looks back."""
_QUESTION = re.compile(r"\s*question\s*:", re.IGNORECASE)
_SMALL_WORDS = """
a an and are as at be by did do does for from has have how i in is it its me my of on or our question tell that the
their there this to was were what when where which who whom whose will with you your
"""
_STOP = frozenset(_SMALL_WORDS.split())
_DEPTH = 8
"""How deep a schema that refers to itself is unrolled."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a chat request asks the reply to be."""

    kind: Literal["text", "json_object", "json_schema", "tool"]
    schema: Mapping[str, Any] | None = None
    tool: str = ""
    """The name of the tool that would be called."""
    choice: Literal["auto", "required", "named"] = "auto"
    """How far a call of the tool is up to the model."""


def wanted(body: Mapping[str, Any]) -> Wanted:
    """What a chat request asks for: a forced tool before a response format, that before a tool that may be used."""
    tools, choice = body.get("tools") or [], body.get("tool_choice") or "auto"
    form: Any = body.get("response_format") or {"type": "text"}
    if tools and choice != "none" and (choice != "auto" or form["type"] == "text"):
        name = choice["function"]["name"] if isinstance(choice, Mapping) else tools[0]["function"]["name"]
        function = next(tool["function"] for tool in tools if tool["function"]["name"] == name)
        how = "named" if isinstance(choice, Mapping) else choice
        return Wanted("tool", function.get("parameters") or {"type": "object"}, name, how)
    if form["type"] == "json_schema":
        return Wanted("json_schema", form["json_schema"]["schema"])
    return Wanted("json_object") if form["type"] == "json_object" else Wanted("text")


def texts(body: Mapping[str, Any], role: str | None = None) -> list[str]:
    """The texts of a chat request's messages, of one role or all."""
    return [_text(message) for message in body["messages"] if role is None or message.get("role") == role]


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content") or ""
    return content if isinstance(content, str) else "\n".join(part.get("text", "") for part in content)


def reply(body: Mapping[str, Any]) -> Any:
    """The reply to a chat request: a text, or `{"content": …}` or `{"tool_arguments": …}` with an instance of the
    schema; with n > 1 a list of them, whose instances have different texts."""
    asked, user = wanted(body), (texts(body, "user") or [""])[-1]
    if asked.kind == "text" and (told := schema_told(user)):
        return {"content": instance(told, _answers(sentences(user)))}
    if asked.kind == "text":
        return (sentences(user) or [COURTEOUS if is_courtesy(user) else UNKNOWN])[0]
    if switch := switch_of(asked.schema or {}):
        is_on = turns_on(user, texts(body, "assistant"), UNKNOWN)
        return {"tool_arguments" if asked.kind == "tool" else "content": {switch: is_on}}
    placeholders = list(dict.fromkeys(_PLACEHOLDER.findall(user)))
    phrases = wordings(placeholders, user) if placeholders else _answers(sentences(user))
    items = 10 if placeholders else 3
    schema = asked.schema or {"type": "object", "properties": {"answer": {"type": "string"}}}
    key = "tool_arguments" if asked.kind == "tool" else "content"
    made = [{key: instance(schema, phrases, items)} for _ in range(body.get("n") or 1)]
    return made if len(made) > 1 else made[0]


def schema_told(message: str) -> Mapping[str, Any] | None:
    """The schema of an object that a message ends with, as it is told where nothing else asks for it."""
    last = message.rstrip().rpartition("\n")[2]
    try:
        told = json.loads(last)
    except ValueError:
        return None
    return told if isinstance(told, dict) and isinstance(told.get("properties"), dict) else None


def scripted(replies: Replies | None) -> Callable[[Mapping[str, Any]], Any]:
    """The function that replies come from; see Replies. Raises ValueError if it is an empty list or no such thing."""
    if replies is None or callable(replies):
        return replies or reply
    if not isinstance(replies, Sequence) or isinstance(replies, str) or not replies:
        raise ValueError("replies must be a function, or a list that is not empty of replies or of (pattern, reply)")
    if all(isinstance(rule, tuple) and len(rule) == 2 for rule in replies):
        rules = [(re.compile(pattern), one) for pattern, one in replies]

        def by_rule(body: Mapping[str, Any]) -> Any:
            said = "\n".join(texts(body))
            return _called(next((one for rule, one in rules if rule.search(said)), reply), body)

        return by_rule
    turns = itertools.chain(replies, itertools.repeat(replies[-1]))
    return lambda body: _called(next(turns), body)


def _called(one: Reply, body: Mapping[str, Any]) -> Any:
    return one(body) if callable(one) else one


def wordings(placeholders: Iterable[str], taken: str = "") -> Iterator[str]:
    """Endless distinct questions that hold every placeholder once, without those that occur in the text `taken`."""
    *others, last = placeholders
    phrase = f"{', '.join(others)} and {last}" if others else last
    spoken = (aside + opening.format(phrase) for aside, opening in itertools.product(_ASIDES, OPENINGS))
    numbered = (f"{OPENINGS[0].format(phrase)} (wording {number})" for number in itertools.count(1))
    return (wording for wording in itertools.chain(spoken, numbered) if wording not in taken)


def _answers(found: Iterable[str]) -> Iterator[str]:
    yield from found
    yield UNKNOWN
    yield from (f"{UNKNOWN} (text {number})" for number in itertools.count(2))


def sentences(message: str) -> list[str]:
    """The sentences above a message's question that share words with it, those that share most first.

    The question is the last line that begins with `Question:`, else the last line; a label such as `Answer:` is none.
    """
    lines = [line for line in message.splitlines() if line.strip()]
    while lines and lines[-1].rstrip().endswith(":") and len(lines[-1].split()) <= 3:
        lines.pop()
    if not lines:
        return []
    at = next((i for i in reversed(range(len(lines))) if _QUESTION.match(lines[i])), len(lines) - 1)
    question = content_words(lines[at])
    context = _END.sub(r"\1\n", "\n".join(lines[:at] + lines[at + 1 :]))
    found = [sentence for sentence in context.split("\n") if not sentence.endswith("?")]
    scored = [(len(question.intersection(_WORD.findall(sentence.lower()))), sentence.strip()) for sentence in found]
    return [sentence for shared, sentence in sorted(scored, key=lambda pair: -pair[0]) if shared]


def content_words(text: str) -> set[str]:
    """The words of a text in lower case, without those that every text has."""
    return set(_WORD.findall(text.lower())) - _STOP


def instance(schema: Mapping[str, Any], phrases: Iterator[str], items: int = 3) -> Any:
    """A value that conforms to a JSON schema; its texts are taken from `phrases`, one each.

    `items` is the length of arrays that do not say theirs. `pattern` is not honoured.
    """
    return _Maker(schema, phrases, items).make(schema, 0, 0)


@dataclass(frozen=True, slots=True)
class _Maker:
    root: Mapping[str, Any]
    phrases: Iterator[str]
    items: int

    def make(self, schema: Mapping[str, Any] | bool, place: int, depth: int) -> Any:
        """A value; `place` is its place in the array it is in, so that items differ."""
        schema = self._plain({} if isinstance(schema, bool) else schema, depth)
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return schema["enum"][place % len(schema["enum"])]
        kind = schema.get("type") or ("object" if "properties" in schema else "string")
        if isinstance(kind, list):
            kind = "null" if depth > _DEPTH and "null" in kind else next(k for k in (*kind, "null") if k != "null")
        match kind:
            case "object":
                required = schema.get("required", ())
                own = schema.get("properties", {}).items()
                return {k: self.make(v, place, depth + 1) for k, v in own if depth <= _DEPTH or k in required}
            case "array":
                return self._array(schema, depth)
            case "integer" | "number":
                return _number(schema, place, whole=kind == "integer")
            case "boolean":
                return place % 2 == 0
            case "null":
                return None
        return _string(schema, place, self.phrases)

    def _plain(self, schema: Mapping[str, Any], depth: int) -> Mapping[str, Any]:
        """Without references, alternatives and conjunctions."""
        while True:
            if "$ref" in schema:
                found: Any = self.root
                for step in schema["$ref"].removeprefix("#").strip("/").split("/"):
                    found = found[step] if step else found
                schema = {**found, **{key: value for key, value in schema.items() if key != "$ref"}}
            elif alternatives := schema.get("anyOf") or schema.get("oneOf"):
                nulls = [one for one in alternatives if one.get("type") == "null"]
                others = [one for one in alternatives if one not in nulls]
                chosen = nulls[0] if nulls and (depth > _DEPTH or not others) else others[0]
                schema = {**{k: v for k, v in schema.items() if k not in ("anyOf", "oneOf")}, **chosen}
            elif "allOf" in schema:
                merged = {key: value for key, value in schema.items() if key != "allOf"}
                for part in (self._plain(part, depth) for part in schema["allOf"]):
                    properties = {**merged.get("properties", {}), **part.get("properties", {})}
                    merged = {**merged, **part, **({"properties": properties} if properties else {})}
                schema = merged
            else:
                return schema

    def _array(self, schema: Mapping[str, Any], depth: int) -> list[Any]:
        if "prefixItems" in schema:
            return [self.make(item, place, depth + 1) for place, item in enumerate(schema["prefixItems"])]
        item, least = schema.get("items", {}), schema.get("minItems", 0)
        choices = len(self._plain(item, depth).get("enum", ())) if isinstance(item, Mapping) else 0
        length = min(choices or self.items, schema.get("maxItems", self.items)) if depth <= _DEPTH else 0
        length = least or length
        return [self.make(item, place, depth + 1) for place in range(length)]


def _number(schema: Mapping[str, Any], place: int, *, whole: bool) -> float:
    low = schema.get("minimum", schema.get("exclusiveMinimum"))
    high = schema.get("maximum", schema.get("exclusiveMaximum"))
    step = schema.get("multipleOf", 1 if whole else None)
    if low is not None and high is not None and step is None:
        return low + (high - low) * (place % 10 + 1) / 11
    step = step or 1
    above = "exclusiveMinimum" in schema and "minimum" not in schema
    below = "exclusiveMaximum" in schema and "maximum" not in schema
    last = None if high is None else (math.ceil(high / step) - 1 if below else math.floor(high / step))
    if low is not None:
        first = math.floor(low / step) + 1 if above else math.ceil(low / step)
    else:
        first = 1 if last is None or last >= 1 else last - 9
    return (first + (place if last is None else place % (last - first + 1))) * step


def _string(schema: Mapping[str, Any], place: int, phrases: Iterator[str]) -> str:
    formats = {
        "date": f"2024-01-{place % 28 + 1:02}",
        "date-time": f"2024-01-{place % 28 + 1:02}T12:00:00Z",
        "time": f"12:{place % 60:02}:00Z",
        "email": f"person{place + 1}@example.org",
        "uri": f"https://example.org/{place + 1}",
        "uuid": f"00000000-0000-4000-8000-{place + 1:012}",
    }
    text = formats.get(schema.get("format", "")) or next(phrases)
    while len(text) < schema.get("minLength", 0):
        text += f" {text}"
    return text[: schema.get("maxLength")]


def vector(text: str, dimensions: int) -> list[float]:
    """A unit vector of a text: the sum of its words' vectors, so that texts of the same words are near."""
    words: Collection[str] = content_words(text) or _WORD.findall(text.lower()) or [text]
    summed = [0.0] * dimensions
    touched = set()
    for word in words:
        for at, sign in _places(word):
            summed[at % dimensions] += sign
            touched.add(at % dimensions)
    length = math.sqrt(sum(summed[at] ** 2 for at in touched))
    if not length:  # the words cancel each other, as they can in few dimensions
        return [1.0, *summed[1:]]
    for at in touched:
        summed[at] /= length
    return summed


@lru_cache(maxsize=100_000)
def _places(word: str) -> tuple[tuple[int, float], ...]:
    """Where a word is in a vector, and with which sign: eight places by hash, so that two words hardly share one."""
    digest = hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=32).digest()
    numbers = (int.from_bytes(digest[i : i + 4], "little") for i in range(0, 32, 4))
    return tuple((number >> 1, 1.0 if number & 1 else -1.0) for number in numbers)


def to_json(value: Any) -> str:
    """A structured reply as the text a model would give."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
