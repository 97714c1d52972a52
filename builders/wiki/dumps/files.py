"""The files of a dump: found, put in order, and unpacked piece by piece.

7z is unpacked by the program of that name, through a pipe: py7zr, the library for it, gives whole files and no stream.
"""

import bz2
import glob
import gzip
import lzma
import re
import shutil
import subprocess
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from benchwright.benchmarks.errors import BenchwrightError

_PIECE = 1 << 20
_OPENERS = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ": lzma.open}
"""How a file begins → what unpacks it."""
_SEVEN = b"7z\xbc\xaf\x27\x1c"
_SEVENS = ("7zz", "7z", "7zr", "7za")
"""Programs that unpack it."""
_UNREADABLE = {b"PK\x03\x04": "zip", b"\x28\xb5\x2f\xfd": "zstd"}
_AGAIN = "fetch it again"


def find_parts(path: Path | str) -> list[Path]:
    """The files of a dump: one, all of a folder with `.xml` in their names, or those of a pattern, 2 before 10.

    Raises BenchwrightError where there are none.
    """
    given = Path(path)
    if given.is_file():
        return [given]
    if given.is_dir():
        parts = [each for each in given.iterdir() if ".xml" in each.name.lower() and each.is_file()]
        if not parts:
            raise BenchwrightError(f"the folder {given} holds no part of a dump: their names have .xml in them")
    else:
        # Path.glob refuses patterns that are absolute
        parts = [Path(each) for each in glob.glob(str(path)) if Path(each).is_file()]  # noqa: PTH207
        if not parts:
            raise BenchwrightError(f"there is no dump {path}: give a file, a folder of parts or a pattern")
    return sorted(parts, key=_place)


def _place(path: Path) -> list[tuple[int, str]]:
    """Numbers in a name as numbers."""
    return [(int(part), "") if part.isdecimal() else (0, part) for part in re.split(r"(\d+)", path.name)]


def read_pieces(path: Path) -> Iterator[bytes]:
    """A file's bytes, unpacked if it is gzip, bzip2, xz or 7z, in pieces of bounded size.

    Raises BenchwrightError where it cannot be read or ends too early.
    """
    try:
        if _beginning(path).startswith(_SEVEN):
            yield from _seven(path)
            return
        with _open(path) as file:
            while piece := file.read(_PIECE):
                yield piece
    except EOFError as error:
        raise BenchwrightError(f"{path} is cut off: {_AGAIN}") from error
    except (zlib.error, lzma.LZMAError, gzip.BadGzipFile) as error:
        raise BenchwrightError(f"{path} is damaged ({error}): {_AGAIN}") from error
    except OSError as error:
        # bz2 says so of damaged data, without a number
        what = f"cannot be read: {error.strerror}" if error.errno else f"is damaged ({error}): {_AGAIN}"
        raise BenchwrightError(f"{path} {what}") from error


def _beginning(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(8)


def _open(path: Path) -> IO[bytes]:
    start = _beginning(path)
    for sign, name in _UNREADABLE.items():
        if start.startswith(sign):
            raise BenchwrightError(f"{path} is packed with {name}: unpack it, or fetch the .bz2 or .gz one")
    opener = next((opener for sign, opener in _OPENERS.items() if start.startswith(sign)), None)
    return opener(path, "rb") if opener else path.open("rb")


def _seven(path: Path) -> Iterator[bytes]:
    """What a 7z archive holds, through a pipe: a piece is held at a time, and what the program needs to unpack."""
    program = next((found for name in _SEVENS if (found := shutil.which(name))), None)
    if program is None:
        raise BenchwrightError(
            f"{path} is packed with 7z, and none of {', '.join(_SEVENS)} is installed: install the package 7zip, or "
            "fetch the .bz2 or .gz one"
        )
    with tempfile.TemporaryFile() as said:
        command = [program, "x", "-so", "-bd", "-y", "-p", "--", str(path.absolute())]
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=said, bufsize=0)
        assert process.stdout is not None
        try:
            while piece := process.stdout.read(_PIECE):
                yield piece
            code = process.wait()
        finally:
            process.stdout.close()
            process.kill()
            process.wait()
        if code:
            said.seek(0)
            lines = said.read(100_000).decode(errors="replace").splitlines()
            why = next((line for line in lines if " " in line and not line.endswith(str(path.absolute()))), "")
            if "password" in why:
                raise BenchwrightError(f"{path} is locked with a password: unpack it")
            raise BenchwrightError(f"{path} is damaged ({why[:100] or f'its program ends with {code}'}): {_AGAIN}")
