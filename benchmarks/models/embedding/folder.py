"""An embedding model in a folder of one's own: ONNX with its tokenizer, or what sentence-transformers has saved.

How token vectors become one, how long a text may be and what is put before a question or a passage is read from the
files that sentence-transformers writes beside a model; without them it is the mean, 512 tokens and nothing.
"""

import hashlib
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.models.embedding.onnx import Encode, needs_library, onnx_encoder, read_json
from benchwright.benchmarks.models.responses import Vectors

_ONNX = ("model.onnx", "onnx/model.onnx")
_SAVED = "modules.json"
_TOKENIZER = "tokenizer.json"
_PROMPTS = "config_sentence_transformers.json"
_KEPT = (".onnx", ".safetensors", ".bin", ".data", ".onnx_data", ".json", ".txt", ".model")
"""Files that vectors depend on: weights, how they are used, and the tokenizer's words."""
_BATCH = 32
"""Texts that a model is given at once."""
_QUESTION, _PASSAGE = ("query",), ("document", "passage", "corpus")
"""What sentence-transformers calls the texts that are put before questions and before passages."""


@dataclass(frozen=True)
class EmbeddingFolder:
    """A model in a folder, loaded. One text at a time may be in it, whoever asks."""

    encode: Encode
    prompts: Mapping[str, str] = field(default_factory=dict)
    """What is put before a question (`query`) and before a passage (`document`)."""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def embed(self, texts: Sequence[str], *, is_question: bool = False) -> Vectors:
        """The vectors of some texts, one a row, of length 1."""
        before = next(
            (self.prompts[name] for name in (_QUESTION if is_question else _PASSAGE) if name in self.prompts), ""
        )
        rows: list[Vectors] = []
        with self.lock:
            for start in range(0, len(texts), _BATCH):
                rows.append(self.encode([before + text for text in texts[start : start + _BATCH]]))
        return unit_length(np.concatenate(rows)) if rows else np.zeros((0, 0), dtype=np.float32)


def unit_length(vectors: np.ndarray) -> Vectors:
    """Rows of length 1; a row of nothing stays one."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)


def is_folder(name: str) -> bool:
    """Whether a model's name means a folder of this machine: it is one, or is written as one."""
    return name.startswith(("./", "../", "/", "~")) or Path(name).is_dir()


def checked_folder(name: str) -> Path:
    """The folder of a name.

    Raises:
        UsageError: there is none, or it holds no embedding model.
    """
    folder = Path(name).expanduser()
    if not folder.is_dir():
        raise UsageError(f"--model embedder={name}: there is no such folder")
    if onnx_file(folder) is None and not (folder / _SAVED).is_file():
        raise UsageError(
            f"--model embedder={name}: the folder holds no embedding model: there must be {_ONNX[0]} with "
            f"{_TOKENIZER}, or {_SAVED}, as sentence-transformers saves it"
        )
    return folder


def folder_hash(folder: Path) -> str:
    """The SHA-256 of what its vectors depend on: its weights, its tokenizer and how they are used."""
    files = sorted(file for file in folder.rglob("*") if file.is_file() and file.suffix in _KEPT)
    return _hash_of(folder, tuple((file.relative_to(folder).as_posix(), *_stamp(file)) for file in files))


def _stamp(file: Path) -> tuple[int, int]:
    found = file.stat()
    return found.st_size, found.st_mtime_ns


@lru_cache(maxsize=16)
def _hash_of(folder: Path, files: tuple[tuple[str, int, int], ...]) -> str:
    whole = hashlib.sha256()
    for name, *_ in files:
        with (folder / name).open("rb") as opened:
            whole.update(f"{name}\0{hashlib.file_digest(opened, 'sha256').hexdigest()}\n".encode())
    return whole.hexdigest()


def open_folder(folder: Path) -> EmbeddingFolder:
    """The model of a folder.

    Raises:
        BenchwrightError: what reads it is not installed, or it cannot be read.
    """
    prompts = {key: str(text) for key, text in (read_json(folder / _PROMPTS).get("prompts") or {}).items() if text}
    onnx, is_saved = onnx_file(folder), (folder / _SAVED).is_file()
    try:
        if onnx is not None and not (is_saved and needs_library(folder)):
            try:
                return EmbeddingFolder(onnx_encoder(folder, onnx), prompts)
            except ImportError:
                if not is_saved or find_spec("sentence_transformers") is None:
                    raise
        return EmbeddingFolder(_saved_encoder(folder), prompts)
    except ImportError as error:
        extra = "sentence-transformers" if error.name == "sentence_transformers" else "onnx"
        raise BenchwrightError(
            f"{folder.name} needs {error.name}, which is not installed: pip install 'benchwright[{extra}]'"
        ) from None
    except Exception as error:
        said = " ".join(str(error).split())
        raise BenchwrightError(f"the embedding model in {folder} cannot be read: {said:.300}") from None


def onnx_file(folder: Path) -> Path | None:
    """An ONNX model that has its tokenizer beside it."""
    if not (folder / _TOKENIZER).is_file():
        return None
    return next((folder / name for name in _ONNX if (folder / name).is_file()), None)


def _saved_encoder(folder: Path) -> Encode:
    """What sentence-transformers has saved."""
    model: Any = import_module("sentence_transformers").SentenceTransformer(
        str(folder), device="cpu", local_files_only=True
    )

    def encode(texts: Sequence[str]) -> Vectors:
        return np.asarray(model.encode(list(texts), prompt="", batch_size=_BATCH, show_progress_bar=False), np.float32)

    return encode
