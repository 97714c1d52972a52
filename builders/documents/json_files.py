"""A whole JSON file, and what to say of one that cannot be read."""

import json
from pathlib import Path
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError

_LARGEST = 1_000_000_000


def read_json(path: Path) -> Any:
    """A whole JSON text.

    Raises:
        BenchwrightError: it is none, or is too large to be held at once.
    """
    if path.stat().st_size > _LARGEST:
        raise BenchwrightError(f"{path} is larger than {_LARGEST / 1e9:g} GB: write one JSON object a line, .jsonl")
    try:
        return json.loads(path.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError as error:
        raise BenchwrightError(f"{path} {why_not_utf8(path, error)}") from None
    except json.JSONDecodeError as error:
        raise BenchwrightError(f"{path}, line {error.lineno} is no JSON: {error.msg}") from None
    except RecursionError:
        raise BenchwrightError(f"{path} is no JSON that can be read: it is nested too deeply") from None


def why_not_utf8(path: Path, error: UnicodeDecodeError) -> str:
    """What a file's bytes look like instead, and what to do."""
    with path.open("rb") as file:
        is_wide = file.read(2) in (b"\xff\xfe", b"\xfe\xff")
    if is_wide:
        return "is not UTF-8 text (its first bytes say UTF-16): save it as UTF-8"
    wrong = error.object[error.start]
    meant = bytes([wrong]).decode("cp1252", errors="replace")
    return f"is not UTF-8 text (its byte 0x{wrong:02x} is {meant!r} in Windows-1252): save it as UTF-8"
