"""Commitments: what a public release says of an answer that it holds back, so that nobody can change or guess it.

A commitment is the SHA-256 of a salt and the answer. The public release holds the commitments, in the `metadata` of
the split `heldout`; the private one holds the answers, and the salts in `metadata`. Of a row of the private release
that was revealed, anybody can compute the commitment again, with nothing but Python:

    import hashlib, json

    def commitment(row):
        salt = bytes.fromhex(json.loads(row["metadata"])["salt"])
        answer = [row["id"], row["answers"], row["aliases"], row["answer_type"], row["answerability"]]
        text = json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(salt + text.encode("utf-8")).hexdigest()

The text is a JSON array without spaces, as JavaScript's `JSON.stringify` writes it too; a list that is missing is
empty, a text that is missing is null. The salt has 32 bytes, always, so no two answers share an encoding.

Everything that must be secret comes from one 256-bit secret by HMAC-SHA256 (`derive`): the seeds of the build, the
salts, and which groups are held out. A salt that is revealed says nothing of the secret, nor of another salt.
"""

import hashlib
import hmac
import json
from collections.abc import Mapping
from typing import Any

SCHEME = "SHA-256 of the salt (32 bytes) and [id, answers, aliases, answer_type, answerability] as compact JSON (UTF-8)"
"""What the manifest of a public release says of its commitments."""
COMMITTED = ("id", "answers", "aliases", "answer_type", "answerability")
"""The columns that a commitment binds, in their order."""
PUBLIC_COLUMNS = ("id", "question", "group", "form", "template", "entity")
"""The columns of a held-out question that are public, beside `metadata` with its commitment."""
SECRET_BYTES = 32


def is_seed(parameter: str) -> bool:
    """Whether a builder's parameter is a seed, by its name: where questions are held out it is secret."""
    return parameter == "seed" or parameter.endswith("_seed")


def derive(secret: bytes, purpose: str, value: str = "") -> bytes:
    """32 bytes that only the secret gives: HMAC-SHA256 of the purpose, a zero byte and the value."""
    return hmac.digest(secret, f"{purpose}\0{value}".encode(), "sha256")


def salt_of(secret: bytes, question: str) -> bytes:
    """The salt of a question's commitment, by the question's id."""
    return derive(secret, "salt", question)


def commitment(row: Mapping[str, Any], salt: bytes) -> str:
    """The commitment of a row of `questions`, 64 hexadecimal digits. See the top of this file."""
    answer = [
        row["id"],
        row["answers"] or [],
        [others or [] for others in row["aliases"] or []],
        row["answer_type"],
        row["answerability"],
    ]
    text = json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(salt + text.encode("utf-8")).hexdigest()
