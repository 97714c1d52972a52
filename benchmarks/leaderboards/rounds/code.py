"""The hash of the program that builds an edition: of every file of its package that decides what is built.

No model writes a part of an edition, so that prompts are left out."""

import hashlib
from functools import cache
from pathlib import Path

_FOLDERS = ("benchmarks", "builders")
_ENDINGS = (".py", ".toml")


@cache
def code_hash() -> str:
    """SHA-256 of the lines `SHA256  PATH` of the files of `benchmarks/` and `builders/`, by path, with Unix line ends.

    The same for every installation of the same version, wherever it lies.
    """
    root = Path(__file__).parents[3]
    found = sorted(
        (path.relative_to(root).as_posix(), path)
        for folder in _FOLDERS
        for path in (root / folder).rglob("*")
        if path.suffix in _ENDINGS and "__pycache__" not in path.parts and path.is_file()
    )
    lines = (f"{_sha256(path)}  {name}\n" for name, path in found)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes().replace(b"\r\n", b"\n")).hexdigest()
