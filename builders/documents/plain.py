"""Text of a file in the encoding it has."""

from pathlib import Path

from benchwright.benchmarks.errors import BenchwrightError


def read_text(path: Path, otherwise: str = "cp1252") -> str:
    """A text file: UTF-8, UTF-16 with its mark, else the encoding named `otherwise`.

    Raises:
        BenchwrightError: it is no text.
    """
    data = path.read_bytes()
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        try:
            return data.decode("utf-16")
        except UnicodeDecodeError:
            raise BenchwrightError("it begins as UTF-16 and is none: save it as UTF-8") from None
    if b"\0" in data:
        raise BenchwrightError("it is no text: it has zero bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode(otherwise, errors="replace")
