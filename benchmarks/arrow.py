"""What we set right of Arrow: its compute functions, and its memory."""

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
