"""What is sent to a service, with placeholders: `{question}`, `{contexts}`, `{context}`, `{k}`, `{uuid}`; `${NAME}`."""

import os
import re
import uuid
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.secrecy import HIDDEN, keep_secret, without_secrets

CONTEXTS, CONTEXT = "{contexts}", "{context}"
_PLACEHOLDER = re.compile(r"\{(question|contexts|context|k|uuid)\}")
_VARIABLE = re.compile(r"\$\{([A-Za-z_]\w*)\}")
_SECRET_NAME = re.compile(r"(?i)(.*_)?(token|key|apikey|password|passwd|pwd|secret|credentials?)$")
_LEFT_OUT = object()


def filled(template: Any, question: str, contexts: Sequence[str] | None, k: int) -> Any:
    """A template with its values.

    A text that is a placeholder and nothing else becomes the value itself, so that `"{contexts}"` is a list; where
    there are no contexts to give, what it stands for is left out. A list of one item that holds `{context}` has it once
    for each context.
    """
    values = {"question": question, "contexts": contexts, "k": k, "uuid": str(uuid.uuid4())}
    found = _filled(template, values)
    return None if found is _LEFT_OUT else found


def filled_address(url: str, question: str, k: int) -> str:
    """An address with its values, escaped as addresses need it."""
    values = {"question": question, "k": k, "uuid": uuid.uuid4()}
    return _PLACEHOLDER.sub(lambda found: quote(str(values.get(found[1], "")), safe="", errors="replace"), url)


def _filled(template: Any, values: Mapping[str, Any]) -> Any:
    if isinstance(template, str):
        whole = _PLACEHOLDER.fullmatch(template)
        if whole is None:
            return _PLACEHOLDER.sub(lambda found: _text(values.get(found[1])), template)
        value = values.get(whole[1])
        return _LEFT_OUT if value is None else value
    if isinstance(template, Mapping):
        items = {name: _filled(each, values) for name, each in template.items()}
        return {name: each for name, each in items.items() if each is not _LEFT_OUT}
    if isinstance(template, list):
        if len(template) == 1 and mentions(template, CONTEXT):
            given = values["contexts"]
            return _LEFT_OUT if given is None else [_filled(template[0], {**values, "context": text}) for text in given]
        return [each for part in template if (each := _filled(part, values)) is not _LEFT_OUT]
    return template


def _text(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else str(value) if isinstance(value, int) else "\n\n".join(value)


def mentions(template: Any, placeholder: str) -> bool:
    """Whether a placeholder stands anywhere in a template."""
    if isinstance(template, str):
        return placeholder in template
    parts = template.values() if isinstance(template, Mapping) else template if isinstance(template, list) else ()
    return any(mentions(part, placeholder) for part in parts)


def with_variables(template: Any, where: str, *, is_open: bool = False) -> Any:
    """A template in which `${NAME}` is the value of the environment variable; no message shows it from now on.

    Args:
        template: texts, in tables and lists.
        where: for messages.
        is_open: only variables that are called as secrets are hold one: the name of a team may stand in an answer.

    Raises:
        UsageError: there is no such variable.
    """
    if isinstance(template, Mapping):
        return {name: with_variables(each, f"{where}.{name}", is_open=is_open) for name, each in template.items()}
    if isinstance(template, list):
        return [with_variables(each, where, is_open=is_open) for each in template]
    if not isinstance(template, str):
        return template

    def value(found: re.Match[str]) -> str:
        name = found[1]
        text = os.environ.get(name)
        if not text:
            raise UsageError(f"{where} wants ${{{name}}}: set the environment variable {name}")
        if not is_open or _SECRET_NAME.match(name):
            keep_secret(text)
        return text

    return _VARIABLE.sub(value, template)


def checked_headers(headers: Mapping[str, str], where: str) -> dict[str, str]:
    """Headers that can be sent. What stands in one that is called as secrets are is never shown.

    Raises:
        UsageError: a name or a value holds a line break or the like.
    """
    for name, value in headers.items():
        if not re.fullmatch(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", name) or re.search(r"[\x00-\x08\x0a-\x1f\x7f]", value):
            raise UsageError(f"{where}: {name!r} cannot be sent: it holds characters that no header has")
        if _SECRET_NAME.match(name.replace("-", "_")) or name.lower() in ("authorization", "cookie"):
            keep_secret(value)
    return dict(headers)


def shown_address(url: str) -> str:
    """An address as it may be stored: without the values of parameters that are called as secrets are."""

    def hidden(found: re.Match[str]) -> str:
        if not _SECRET_NAME.match(found[1].replace("-", "_")) or _VARIABLE.fullmatch(found[2]):
            return found[0]
        keep_secret(found[2])
        return f"{found[1]}={HIDDEN}"

    return without_secrets(re.sub(r"(?<=[?&])([^=&#]+)=([^&#]+)", hidden, url))


def secrets_of(template: Any, *, is_open: bool = False) -> set[str]:
    """The values of the variables that a template names; `is_open` as for `with_variables`."""
    if isinstance(template, str):
        names = [name for name in _VARIABLE.findall(template) if not is_open or _SECRET_NAME.match(name)]
        return {os.environ.get(name, "") for name in names} - {""}
    parts = template.values() if isinstance(template, Mapping) else template if isinstance(template, list) else ()
    return set[str]().union(*(secrets_of(part, is_open=is_open) for part in parts))
