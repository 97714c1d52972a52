"""A form: a named linguistic criterion that wordings meet, built in or from a file of TOML.

    name = "typos"
    instruction = "As people type in a hurry into a search box. Copy {placeholders} letter by letter."
    from = "short"

    [[rule]]
    typos = 2

The instruction is for the model that writes; of the rule, each entry is one step (`operations.py`), which the built-in
writer takes with the wordings of the form that `from` names.
"""

import hashlib
import re
import stat
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Formatter
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.builders.sql.wording.by_rule import FORMS
from benchwright.builders.sql.wording.forms.operations import MISSPELLING, Step, read_step

LARGEST = 65_536
"""The most bytes of a form's file."""
_KEYS = ("name", "instruction", "from", "rule")
_SLOTS = ("placeholders", "count", "least", "most")
"""What an instruction may hold in braces; the first one it must."""
_STEPS = 20
"""The most steps of a rule."""
_LONGEST_NAME = 40
_USUAL = "interrogative"
"""The form that a rule starts from where a file does not say."""

ANY = "any"
"""Checked as no form in particular."""


@dataclass(frozen=True)
class Form:
    """A criterion that wordings meet."""

    name: str
    base: str
    """The built-in form that its rule starts from."""
    instruction: str = ""
    """What a model is told, with slots in braces; "" of a built-in form, which the prompt describes."""
    steps: tuple[tuple[str, Step], ...] = ()
    """Of its rule: name and what it does."""
    place: str = ""
    """Its file, for messages."""
    sha256: str = ""
    """Of its file."""

    @property
    def is_built_in(self) -> bool:
        """Whether it is one of the six that the writer has frames for."""
        return not self.instruction

    @property
    def checked_as(self) -> str:
        """The form whose checks a model's wordings pass. A hypothesis may turn questions into requests, and requests
        into questions: of such ones only that is checked which holds for any form."""
        return self.base if self.is_built_in or self.base not in ("interrogative", "directive") else ANY

    @property
    def misspells(self) -> bool:
        """Whether its rule leaves words that are none."""
        return any(name in MISSPELLING for name, _ in self.steps)

    @property
    def described(self) -> dict[str, str]:
        """What a manifest tells of it."""
        steps = ", ".join(name for name, _ in self.steps)
        told = {"instruction": " ".join(self.instruction.split()), "from": self.base, "sha256": self.sha256}
        return {**told, **({"rule": steps} if steps else {})}

    def instructed(self, placeholders: str, count: int, least: int, most: int) -> str:
        """The instruction with its slots filled."""
        return self.instruction.format(placeholders=placeholders, count=count, least=least, most=most).strip()


def as_form(form: Form | str) -> Form:
    """A form, of which a built-in one may be given by its name.

    Raises:
        BenchwrightError: no built-in one is called so.
    """
    if isinstance(form, Form):
        return form
    if form not in FORMS:
        raise BenchwrightError(f"there is no form {form!r}; the forms are {', '.join(FORMS)}")
    return Form(form, form)


def read_form(content: bytes, place: str) -> Form:
    """The form of a file.

    Raises:
        BenchwrightError: it is not as it must be; the message names the place.
    """
    found = _toml(content, place)
    for key in found:
        if key not in _KEYS:
            raise BenchwrightError(f"{place}: a form has no {key!r}: it has {', '.join(_KEYS)}")
    name, base = found.get("name"), found.get("from", _USUAL)
    if not isinstance(name, str) or not re.fullmatch(r"[a-z_]{1,40}", name):
        raise BenchwrightError(
            f"{place}: name must be 1 to {_LONGEST_NAME} of the letters a to z and '_', and is {name!r:.60}"
            if "name" in found
            else f'{place} lacks name: add a line such as name = "typos"'
        )
    if base not in FORMS:
        raise BenchwrightError(f"{place}: from must be a built-in form ({', '.join(FORMS)}), and is {base!r:.60}")
    instruction = _instruction(found, place)
    return Form(
        name, base, instruction, _steps(found.get("rule", []), place), place, hashlib.sha256(content).hexdigest()
    )


def read_form_file(path: Path) -> Form:
    """The form of a file. Raises BenchwrightError where it cannot be read, or is not as it must be."""
    try:
        about = path.stat()
        if not stat.S_ISREG(about.st_mode):
            raise BenchwrightError(f"{path} is no file that could hold a form")
        size = about.st_size
        if size > LARGEST:
            raise BenchwrightError(f"{path} has {size:,} bytes, and a form's file has at most {LARGEST:,}")
        content = path.read_bytes()
    except FileNotFoundError:
        raise BenchwrightError(f"there is no file of a form {path}") from None
    except OSError as error:
        raise BenchwrightError(f"{path} cannot be read: {error.strerror}") from None
    return read_form(content, str(path))


def _toml(content: bytes, place: str) -> Mapping[str, Any]:
    if not content.strip():
        raise BenchwrightError(f"{place} is empty: a form has a name and an instruction")
    try:
        return tomllib.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise BenchwrightError(f"{place} is not UTF-8 text") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BenchwrightError(f"{place} is not TOML: {error}") from None


def _instruction(found: Mapping[str, Any], place: str) -> str:
    """The instruction, whose slots are known and hold the placeholders."""
    text = found.get("instruction")
    if not isinstance(text, str) or not text.strip():
        raise BenchwrightError(
            f'{place} lacks an instruction: say how the model is to write, as in instruction = "As in a letter. Copy '
            '{placeholders} letter by letter."'
        )
    try:
        slots = [
            slot + (f"!{conversion}" if conversion else "") + (f":{spec}" if spec else "")
            for _, slot, spec, conversion in Formatter().parse(text)
            if slot is not None
        ]
        odd = next((slot for slot in slots if slot not in _SLOTS), None)
        if odd is None:
            text.format(**dict.fromkeys(_SLOTS, ""))
    except (ValueError, LookupError) as error:
        raise BenchwrightError(f"{place}: instruction: {error}; write {{{{ and }}}} for braces") from None
    if odd is not None:
        known = ", ".join(f"{{{slot}}}" for slot in _SLOTS)
        raise BenchwrightError(f"{place}: instruction has {{{odd}}}, which is none of {known}")
    if _SLOTS[0] not in slots:
        raise BenchwrightError(
            f"{place}: instruction lacks {{{_SLOTS[0]}}}: say what is to be done with them, as in Copy {{{_SLOTS[0]}}} "
            "letter by letter."
        )
    return text


def _steps(rule: Any, place: str) -> tuple[tuple[str, Step], ...]:
    if not isinstance(rule, list) or not all(isinstance(entry, dict) for entry in rule) or len(rule) > _STEPS:
        raise BenchwrightError(f"{place}: a rule is up to {_STEPS} entries [[rule]], each with one step")
    steps = []
    for number, entry in enumerate(rule, 1):
        if len(entry) != 1:
            raise BenchwrightError(f"{place}: [[rule]] {number} must have one step, and has {len(entry)}")
        ((name, value),) = entry.items()
        try:
            steps.append((name, read_step(name, value)))
        except BenchwrightError as error:
            raise BenchwrightError(f"{place}: [[rule]] {number}: {error}") from None
    return tuple(steps)
