"""What we set right of Arrow: its compute functions, its memory, and its start."""

import sys
from typing import Any

import pyarrow as pa
import pyarrow.compute

compute: Any = pyarrow.compute
"""pyarrow makes its compute functions when it is imported, so that no type checker knows them by name."""


def give_memory_back() -> None:
    """Lets Arrow give freed memory back to the system, for this process: its default pool keeps it. For programs of our
    own that write whole releases; a library leaves the process as it is."""
    if "jemalloc" in pa.supported_memory_backends():
        pa.set_memory_pool(pa.jemalloc_memory_pool())


def release_unused() -> None:
    """Lets Arrow's pool give back what was freed just now: it would keep what a table took."""
    pa.default_memory_pool().release_unused()


class _NoPandas:
    """Refuses to import pandas."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name == "pandas":
            raise ModuleNotFoundError(name=name)


def start_without_pandas() -> None:
    """Spares this process half a second: at the first array that is made of a list, Arrow imports pandas to ask whether
    the list is one of pandas' own. For programs of our own in which nothing is; `to_pandas` still imports it."""
    if "pandas" in sys.modules:
        return
    refusing: Any = _NoPandas()
    sys.meta_path.insert(0, refusing)
    try:
        pa.array([0])
    finally:
        sys.meta_path.remove(refusing)
