"""Arrow's compute functions. pyarrow makes them when it is imported, so that no type checker knows them by name."""

from typing import Any

import pyarrow.compute

compute: Any = pyarrow.compute
