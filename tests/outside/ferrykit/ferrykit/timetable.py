"""A config: the timetable that the questions were made of."""

import pyarrow as pa

from benchwright.benchmarks.schemas import ConfigSchema

CONFIG = ConfigSchema(
    "timetable",
    pa.schema([("harbour", pa.string()), ("departure", pa.string())]),
    "first departures",
    id="harbour",
)
