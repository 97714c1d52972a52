"""An embedding model in a folder of one's own: ONNX with its tokenizer, or what sentence-transformers has saved.

How token vectors become one (the mean, or the first), how long a text may be and what is put before a question or a
passage is read from the files that sentence-transformers writes beside a model; without them it is the mean, 512 tokens
and nothing.
"""

import hashlib
import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.models.responses import Vectors

_ONNX = ("model.onnx", "onnx/model.onnx")
_SAVED = "modules.json"
_WEIGHTS = (".onnx", ".safetensors", ".bin", ".data")
_CONFIGURED = (_SAVED, "config_sentence_transformers.json", "1_Pooling/config.json", "tokenizer.json")
_BATCH = 32
"""Texts that a model is given at once."""
_TOKENS = 512
_QUESTION, _PASSAGE = ("query",), ("document", "passage", "corpus")
"""What sentence-transformers calls the texts that are put before questions and before passages."""

Encode = Callable[[Sequence[str]], Vectors]


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
    if _onnx_file(folder) is None and not (folder / _SAVED).is_file():
        raise UsageError(
            f"--model embedder={name}: the folder holds no embedding model: there must be {_ONNX[0]} with "
            f"tokenizer.json, or {_SAVED}, as sentence-transformers saves it"
        )
    return folder


@cache
def folder_hash(folder: Path) -> str:
    """The SHA-256 of what its vectors depend on: its weights, its tokenizer and how they are used."""
    whole = hashlib.sha256()
    for file in sorted(file for file in folder.rglob("*") if file.is_file()):
        name = file.relative_to(folder).as_posix()
        if file.suffix in _WEIGHTS or name in _CONFIGURED:
            with file.open("rb") as opened:
                whole.update(f"{name}\0{hashlib.file_digest(opened, 'sha256').hexdigest()}\n".encode())
    return whole.hexdigest()


def open_folder(folder: Path) -> EmbeddingFolder:
    """The model of a folder.

    Raises:
        BenchwrightError: what reads it is not installed, or it cannot be read.
    """
    prompts = {key: str(text) for key, text in (_json(folder / _CONFIGURED[1]).get("prompts") or {}).items() if text}
    onnx = _onnx_file(folder)
    try:
        if onnx is not None and (folder / "tokenizer.json").is_file():
            return EmbeddingFolder(_onnx_encoder(folder, onnx), prompts)
        return EmbeddingFolder(_saved_encoder(folder), prompts)
    except ImportError as error:
        extra = "onnx" if onnx is not None else "sentence-transformers"
        raise BenchwrightError(
            f"{folder.name} needs {error.name}, which is not installed: pip install 'benchwright[{extra}]'"
        ) from None
    except BenchwrightError:
        raise
    except Exception as error:
        said = " ".join(str(error).split())
        raise BenchwrightError(f"the embedding model in {folder} cannot be read: {said:.300}") from None


def _onnx_file(folder: Path) -> Path | None:
    return next((folder / name for name in _ONNX if (folder / name).is_file()), None)


def _json(file: Path) -> dict[str, Any]:
    try:
        read = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return read if isinstance(read, dict) else {}


def _saved_encoder(folder: Path) -> Encode:
    """What sentence-transformers has saved."""
    model: Any = import_module("sentence_transformers").SentenceTransformer(
        str(folder), device="cpu", local_files_only=True
    )

    def encode(texts: Sequence[str]) -> Vectors:
        return np.asarray(model.encode(list(texts), prompt="", batch_size=_BATCH, show_progress_bar=False), np.float32)

    return encode


def _onnx_encoder(folder: Path, file: Path) -> Encode:
    """An ONNX model whose inputs are those of BERT and its kin."""
    onnxruntime: Any = import_module("onnxruntime")
    tokenizer: Any = import_module("tokenizers").Tokenizer.from_file(str(folder / "tokenizer.json"))
    configured = _json(folder / "sentence_bert_config.json").get("max_seq_length")
    limit = configured or (tokenizer.truncation or {}).get("max_length") or _TOKENS
    tokenizer.enable_truncation(limit)
    padding = tokenizer.padding or {}
    tokenizer.enable_padding(pad_id=padding.get("pad_id", 0), pad_token=padding.get("pad_token", "[PAD]"))
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
    wanted = {each.name for each in session.get_inputs()}
    outputs = [each.name for each in session.get_outputs()]
    output = "sentence_embedding" if "sentence_embedding" in outputs else outputs[0]
    takes_first = bool(_json(folder / _CONFIGURED[2]).get("pooling_mode_cls_token"))

    def encode(texts: Sequence[str]) -> Vectors:
        encoded = tokenizer.encode_batch(list(texts))
        mask = np.array([each.attention_mask for each in encoded], dtype=np.int64)
        given = {
            "input_ids": np.array([each.ids for each in encoded], dtype=np.int64),
            "attention_mask": mask,
            "token_type_ids": np.array([each.type_ids for each in encoded], dtype=np.int64),
        }
        (found,) = session.run([output], {name: value for name, value in given.items() if name in wanted})
        if found.ndim == 2:
            return found.astype(np.float32)
        if takes_first:
            return found[:, 0].astype(np.float32)
        weights = mask[:, :, None]
        return ((found * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1)).astype(np.float32)

    return encode
