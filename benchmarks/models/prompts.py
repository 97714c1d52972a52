"""Prompts are files: Markdown with a heading for each message, filled by jinja2, with a hash that names the version.

    +++
    output_tokens = 40
    +++
    # system
    …
    # user
    …{{ question }}…

`# user` and `# assistant` before the last `# user` are a demonstration. The head is for estimates, and no part of what
the hash names: `output_tokens` is what a reply takes about, `second_attempts` how many further requests follow one on
average since a reply did not pass its checks; the prompt of such further ones `follows` the name of the first. A prompt
of this package is `benchmarks/prompts/NAME.md` or `builders/prompts/NAME.md`; one of another package is called
`PACKAGE:NAME` and is its `prompts/NAME.md`. Texts of others are put in as `{{ answer | fenced }}`: see `fencing`.
"""

import hashlib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.models.fencing import fenced
from benchwright.benchmarks.models.responses import encodable

FOLDERS = ("benchmarks", "builders")
_PARTS = re.compile(r"\A\+\+\+\n(?P<head>.*?)\n\+\+\+\n(?P<body>.*)\Z", re.DOTALL)
_HEADING = re.compile(r"^# (system|user|assistant)[ \t]*$", re.MULTILINE)


@dataclass(frozen=True)
class Messages:
    """A prompt with its values filled in: what is sent."""

    prompt: str
    """The prompt's name."""
    sha256: str
    """Of the prompt without its head, before it was filled."""
    messages: tuple[Mapping[str, str], ...]
    """`role` and `content` each."""
    output_tokens: int
    """What a reply takes about."""
    second_attempts: float = 0.0
    """Further requests for one, on average, about."""


@dataclass(frozen=True)
class Prompt:
    """A prompt: a template for each of its messages."""

    name: str
    sha256: str
    parts: tuple[tuple[str, Any], ...]
    """Role and jinja2 template of each message."""
    output_tokens: int
    second_attempts: float = 0.0
    follows: str | None = None
    """The prompt of the requests that this one is further to."""

    def fill(self, **values: Any) -> Messages:
        """The messages with their values.

        Raises:
            BenchwrightError: the prompt uses a value that there is not.
        """
        from jinja2 import TemplateError

        try:
            texts = [(role, encodable(part.render(values).strip())) for role, part in self.parts]
        except (TemplateError, ArithmeticError, LookupError, TypeError, ValueError) as error:
            raise BenchwrightError(f"the prompt {self.name} cannot be filled: {error}") from None
        filled = tuple({"role": role, "content": text} for role, text in texts)
        return Messages(self.name, self.sha256, filled, self.output_tokens, self.second_attempts)


@cache
def load_prompt(name: str, overrides: Path | None = None) -> Prompt:
    """The prompt of a name: `NAME.md` in the folder of overrides, else our own, or another package's `PACKAGE:NAME`.

    Raises:
        BenchwrightError: there is none, or it is not as it must be.
    """
    own = overrides / f"{name}.md" if overrides else None
    if own is not None and own.is_file():
        try:
            return _parse(name, str(own), own.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            raise BenchwrightError(f"the prompt {own} cannot be read: {error}") from None
    package, colon, stem = name.rpartition(":")
    for folder in (package,) if colon else FOLDERS:
        try:
            file = files(folder if colon else f"benchwright.{folder}") / "prompts" / f"{stem}.md"
        except ModuleNotFoundError:
            continue
        if file.is_file():
            return _parse(name, f"{folder}/prompts/{stem}.md", file.read_text(encoding="utf-8"))
    raise BenchwrightError(f"there is no prompt {name!r}")


def prompt_names() -> list[str]:
    """The names of all our own prompts."""
    return sorted(
        item.name.removesuffix(".md")
        for folder in FOLDERS
        if (home := files(f"benchwright.{folder}") / "prompts").is_dir()
        for item in home.iterdir()
        if item.name.endswith(".md")
    )


@cache
def followers(name: str) -> tuple[str, ...]:
    """The names of our own prompts that follow another."""
    return tuple(each for each in prompt_names() if load_prompt(each).follows == name)


def check_overrides(folder: Path) -> None:
    """Checks that a folder of overrides holds prompts that are used, and that they can be read.

    Raises:
        UsageError: it is no folder, or holds a prompt of a name that there is not.
        BenchwrightError: a prompt is not as it must be.
    """
    if not folder.is_dir():
        raise UsageError(f"--prompts {folder}: there is no such folder")
    for path in sorted(folder.glob("*.md")):
        if path.stem not in prompt_names():
            raise UsageError(f"{path}: there is no prompt of that name: choose from {', '.join(prompt_names())}")
        load_prompt(path.stem, folder)


def _parse(name: str, place: str, text: str) -> Prompt:
    from jinja2 import Environment, StrictUndefined, TemplateSyntaxError

    split = _PARTS.match(text)
    body = split["body"] if split else text
    try:
        head = tomllib.loads(split["head"]) if split else {}
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BenchwrightError(f"the prompt {place}: the lines between +++ are not TOML: {error}") from None
    before, *pieces = _HEADING.split(body)
    roles, texts = pieces[0::2], pieces[1::2]
    output_tokens = head.get("output_tokens", 200)
    if not isinstance(output_tokens, int) or output_tokens < 1:
        raise BenchwrightError(f"the prompt {place}: output_tokens must be a whole number above 0")
    second_attempts = head.get("second_attempts", 0.0)
    if not isinstance(second_attempts, int | float) or not 0 <= second_attempts < 100:
        raise BenchwrightError(f"the prompt {place}: second_attempts must be a number from 0")
    follows = head.get("follows")
    if follows is not None and not isinstance(follows, str):
        raise BenchwrightError(f"the prompt {place}: follows must be the name of a prompt")
    if roles and before.strip():
        raise BenchwrightError(f"the prompt {place}: its first part has no heading, such as '# system'")
    if not roles or roles[-1] != "user":
        raise BenchwrightError(f"the prompt {place} must end with a part under the heading '# user'")
    environment = Environment(undefined=StrictUndefined, autoescape=False, trim_blocks=True, lstrip_blocks=True)
    environment.filters["fenced"] = fenced
    try:
        parts = tuple((role, environment.from_string(part)) for role, part in zip(roles, texts, strict=True))
    except TemplateSyntaxError as error:
        raise BenchwrightError(f"the prompt {place} cannot be read: {error}") from None
    sha256 = hashlib.sha256(body.encode()).hexdigest()
    return Prompt(name, sha256, parts, output_tokens, float(second_attempts), follows)
