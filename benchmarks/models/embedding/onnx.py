"""An ONNX model of texts with its tokenizer: token vectors, and one vector made of them."""

import json
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from benchwright.benchmarks.models.responses import Vectors

Encode = Callable[[Sequence[str]], Vectors]
"""The vectors of some texts, one a row, of any length."""

_TOKENS = 512
"""That a text may have where nothing is said."""
_MOST_TOKENS = 1_000_000
"""A tokenizer says more than this where it knows no limit."""
_PLAIN = ("Transformer", "Pooling", "Normalize")
"""Modules of sentence-transformers that an ONNX model stands for, or that are computed here."""


def read_json(file: Path) -> dict[str, Any]:
    """The object in a file; empty where there is none."""
    try:
        read = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return read if isinstance(read, dict) else {}


def needs_library(folder: Path) -> bool:
    """Whether a model that sentence-transformers has saved has modules, or a pooling, that only it computes."""
    try:
        modules = json.loads((folder / "modules.json").read_text(encoding="utf-8"))
        names = {str(module["type"]).rpartition(".")[2] for module in modules}
    except (OSError, ValueError, TypeError, KeyError):
        return False
    return not names <= set(_PLAIN) or _pooling(folder) not in _POOLINGS


def _pooling(folder: Path) -> str:
    """How token vectors become one: the name, or the only flag that is set, in `1_Pooling/config.json`."""
    configured = read_json(folder / "1_Pooling" / "config.json")
    flags = [name.removeprefix("pooling_mode_") for name, is_set in configured.items() if is_set is True]
    found = (
        [configured["pooling_mode"]] if "pooling_mode" in configured else [f for f in flags if f != "include_prompt"]
    )
    return "+".join(map(str, found)).removesuffix("_tokens").removesuffix("_token") or "mean"


def _limit(folder: Path, tokenizer: Any) -> int:
    """The tokens that a text may have."""
    said = (
        read_json(folder / "sentence_bert_config.json").get("max_seq_length"),
        (tokenizer.truncation or {}).get("max_length"),
        read_json(folder / "tokenizer_config.json").get("model_max_length"),
    )
    return next((each for each in said if isinstance(each, int) and 0 < each < _MOST_TOKENS), _TOKENS)


def onnx_encoder(folder: Path, file: Path) -> Encode:
    """An ONNX model whose inputs are those of BERT and its kin.

    Raises:
        ImportError: onnxruntime or tokenizers is not installed.
    """
    onnxruntime: Any = import_module("onnxruntime")
    tokenizer: Any = import_module("tokenizers").Tokenizer.from_file(str(folder / "tokenizer.json"))
    limit, padding = _limit(folder, tokenizer), tokenizer.padding or {}
    tokenizer.enable_truncation(limit)
    tokenizer.enable_padding(pad_id=padding.get("pad_id", 0), pad_token=padding.get("pad_token", "[PAD]"))
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
    wanted = {each.name for each in session.get_inputs()}
    outputs = [each.name for each in session.get_outputs()]
    output = "sentence_embedding" if "sentence_embedding" in outputs else outputs[0]
    pool = _POOLINGS.get(_pooling(folder), _mean)

    def encode(texts: Sequence[str]) -> Vectors:
        encoded = tokenizer.encode_batch(list(texts))
        mask = np.array([each.attention_mask for each in encoded], dtype=np.int64)
        given = {
            "input_ids": np.array([each.ids for each in encoded], dtype=np.int64),
            "attention_mask": mask,
            "token_type_ids": np.array([each.type_ids for each in encoded], dtype=np.int64),
        }
        (found,) = session.run([output], {name: value for name, value in given.items() if name in wanted})
        return (found if found.ndim == 2 else pool(found, mask)).astype(np.float32)

    return encode


Tokens = npt.NDArray[np.float32]
"""Token vectors, of shape (texts, tokens, numbers)."""
Mask = npt.NDArray[np.int64]
"""1 where there is a token, 0 where a text is shorter."""


def _mean(tokens: Tokens, mask: Mask) -> npt.NDArray[Any]:
    return (tokens * mask[:, :, None]).sum(axis=1) / np.maximum(mask.sum(axis=1), 1)[:, None]


def _first(tokens: Tokens, mask: Mask) -> npt.NDArray[Any]:
    return tokens[:, 0]


def _largest(tokens: Tokens, mask: Mask) -> npt.NDArray[Any]:
    return np.where(mask[:, :, None] > 0, tokens, -np.inf).max(axis=1)


def _last(tokens: Tokens, mask: Mask) -> npt.NDArray[Any]:
    places = mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)
    return tokens[np.arange(len(tokens)), places]


_POOLINGS = {"mean": _mean, "cls": _first, "max": _largest, "lasttoken": _last}
