"""What nobody may read: keys, tokens, passwords, and where the user's home is.

Every line that a command prints or logs goes through here, and so does every message of a system or a driver that is
kept. Known are the values of environment variables that hold such things, what `keep_secret` was told of, and what
looks like one: `user:password@` in a URL, `password=…`, `Bearer …`, and tokens by their first letters.
"""

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus, unquote

HIDDEN = "[hidden]"
_SHORTEST = 4
"""Characters. Hiding a shorter word would hide it wherever it stands."""
_LONG = 16
_NAMES = re.compile(r"(?i)(HF_TOKEN|HUGGING_?FACE_(HUB_)?TOKEN|OPENAI_API_KEY.*|PGPASSWORD|MYSQL_PWD)")
_LIKELY_NAMES = re.compile(r"(?i).+_(TOKEN|API_?KEY|PASSWORD|PASSWD|SECRET|ACCESS_KEY|DATABASE_URL)")
_SECRET_KEY = re.compile(
    r"(?i)(.*[_\-.])?(token|api[_-]?key|apikey|key|password|passwd|pwd|secret|authorization|credentials?|cookie)"
)
_TOKEN_SIGNS = ("hf_", "sk-", "ghp_", "gho_", "xoxb-", "xoxp-")
_TOKEN = re.compile(rf"\b({'|'.join(_TOKEN_SIGNS)})[\w-]{{16,}}")
_LOOKS_SECRET = (
    (re.compile(r"(?<=://)[^\s/@:]*:\S*@"), "…@"),
    (
        re.compile(r"(?i)(?<![A-Za-z])((?:\w*_)?(?:password|passwd|pwd|api[_-]?key|secret)\s*=\s*)[^\s&;,)]+"),
        rf"\1{HIDDEN}",
    ),
    (re.compile(r"(?i)\b(Bearer|Basic)\s+[\w.~+/=-]{8,}"), rf"\1 {HIDDEN}"),
    (_TOKEN, HIDDEN),
)
_OPTION = re.compile(
    r"""(?<![^\s'"?&;,{])(?P<name>(?:-{1,2}[A-Za-z][\w.-]*(?=[\s=])|[A-Za-z][\w.-]*(?=['"]?\s*[=:](?!//))))"""
    r"""(?P<between>['"]?\s*[=:](?!//)\s*|\s+)(?P<quote>['"]?)"""
    r"""(?P<value>(?<=')[^']+|(?<=")[^"]+|(?<=:\s)[^'"]+|[^\s'"&;]+)"""
)
"""An option and its value, a variable and its value, a header and its, within a command line."""
_KEPT: dict[str, str] = {}


def keep_secret(secret: str, shown: str = HIDDEN) -> None:
    """From now on this is shown as `shown` only, however it is escaped. What is shorter than four letters stays."""
    for form in (
        secret,
        unquote(secret),
        quote(secret, safe=""),
        quote(secret),
        quote_plus(secret),
        repr(secret)[1:-1],
    ):
        if len(form) >= _SHORTEST:
            _KEPT[form] = shown


def keep_arguments(arguments: Iterable[str]) -> None:
    """Keeps the passwords of all URLs on a command line secret, whichever argument they stand in."""
    for argument in arguments:
        for user in re.findall(r"://(\S.*)@", argument):
            keep_secret(user.partition(":")[2], "[password]")
        for value in re.findall(r"(?i)[?&][a-z_]*(?:password|passwd|pwd)=([^&#\s]+)", argument):
            keep_secret(value, "[password]")


def hide_options(arguments: Sequence[str]) -> list[str]:
    """The arguments of a program without its secrets, which are kept from now on: those of `--api-key X`, `--token=X`,
    `TOKEN=X`, `X-Api-Key: X`, also within an argument that is a command line itself, as of `sh -c`."""
    shown: list[str] = []
    names_secret = False
    for argument in arguments:
        if names_secret and not argument.startswith("-"):
            shown.append(_hide_value(argument))
        else:
            shown.append(_OPTION.sub(_hide_option, argument))
        names_secret = argument.startswith("-") and _SECRET_KEY.fullmatch(argument.lstrip("-")) is not None
    return shown


def _hide_option(found: re.Match[str]) -> str:
    name, between, quote_sign, value = found["name"], found["between"], found["quote"], found["value"]
    if _SECRET_KEY.fullmatch(name.lstrip("-")) is None:
        return found[0]
    return f"{name}{between}{quote_sign}{_hide_value(value)}"


def _hide_value(value: str) -> str:
    if "$" in value or value.startswith("-"):  # a variable, which is none itself; another option
        return value
    if len(value) >= 2 * _SHORTEST:
        keep_secret(value)
    return HIDDEN


def without_secrets(text: str) -> str:
    """A text without keys, tokens and passwords."""
    known = _known(tuple(os.environ.items()))
    secrets = {**known, **_KEPT}
    if secrets and any(secret in text for secret in secrets):
        text = _pattern(tuple(sorted(secrets, key=len, reverse=True))).sub(lambda found: secrets[found.group()], text)
    for looks, shown in _LOOKS_SECRET:
        text = looks.sub(shown, text)
    return text


def secret_finder() -> Callable[[str], bool]:
    """Whether a text holds a key, token or password that is known now, or what is written as tokens are.

    For many texts that must not be changed, but only refused. `password=…`, which a document may say, is none.
    """
    known = {**_known(tuple(os.environ.items())), **_KEPT}
    pattern = _pattern(tuple(sorted(known, key=len, reverse=True))) if known else None

    def holds_secret(text: str) -> bool:
        if pattern is not None and any(secret in text for secret in known) and pattern.search(text):
            return True
        return any(sign in text for sign in _TOKEN_SIGNS) and _TOKEN.search(text) is not None

    return holds_secret


def private(text: str) -> str:
    """A text without keys, tokens and passwords, in which the user's home is `~`."""
    text = without_secrets(text)
    given = os.environ.get("HOME") or str(Path.home())
    for home in dict.fromkeys((given, os.path.realpath(given))):
        if len(home) > 1 and home in text:
            text = re.sub(rf"(?<![\w.~-]){re.escape(home.rstrip('/'))}(?![\w.-])", "~", text)
    return text


def is_secret_name(name: str) -> bool:
    """Whether a setting of such a name holds a key, token or password."""
    return _SECRET_KEY.fullmatch(name) is not None


def private_values(values: Mapping[str, Any]) -> dict[str, Any]:
    """Settings that somebody's object declares, fit to be kept: no value whose key is that of a secret, no home."""
    return {
        key: HIDDEN if _SECRET_KEY.fullmatch(key) and isinstance(value, str) and value else _private_value(value)
        for key, value in values.items()
    }


def _private_value(value: Any) -> Any:
    if isinstance(value, Mapping):
        return private_values({str(key): item for key, item in value.items()})
    if isinstance(value, list | tuple):
        return [_private_value(item) for item in value]
    return private(value) if isinstance(value, str) else value


@lru_cache(maxsize=8)
def _known(environment: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """Secrets of the environment."""
    return {
        value: HIDDEN
        for name, value in environment
        if (_NAMES.fullmatch(name) and len(value) >= 2 * _SHORTEST)
        or (_LIKELY_NAMES.fullmatch(name) and len(value) >= _LONG)
    }


@lru_cache(maxsize=8)
def _pattern(secrets: tuple[str, ...]) -> re.Pattern[str]:
    """All of them, the longest first; what begins or ends as a word does is one."""
    return re.compile(
        "|".join(
            (r"(?<!\w)" if secret[0].isalnum() else "")
            + re.escape(secret)
            + (r"(?!\w)" if secret[-1].isalnum() else "")
            for secret in secrets
        )
    )
