"""The key under which a reply is cached."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from benchwright.benchmarks.models.settings import Endpoint


def request_key(endpoint: Endpoint, path: str, request: Mapping[str, Any]) -> bytes:
    """The SHA-256 of everything that a reply depends on; of the endpoint's key, nothing."""
    whole = {"url": endpoint.address + path, "model": endpoint.model, **request}
    text = json.dumps(whole, ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=list)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
