"""Batches that wait on disk until it is known where they go: written one by one, and read again in the same order."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
from pyarrow import ipc


class Spool:
    """Streams of batches in a folder, each under a name; whoever made the folder may delete it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._writers: dict[tuple[str, str], ipc.RecordBatchStreamWriter] = {}

    def add(self, name: tuple[str, str], batch: pa.RecordBatch) -> None:
        """Writes a batch at the end of a stream; all of a stream have the same columns."""
        if name not in self._writers:
            self.folder.mkdir(exist_ok=True)
            options = ipc.IpcWriteOptions(compression="lz4")
            place = str(self.folder / f"{len(self._writers)}.arrow")
            self._writers[name] = ipc.new_stream(place, batch.schema, options=options)
        self._writers[name].write_batch(batch)

    def names(self) -> list[tuple[str, str]]:
        """The streams, in the order in which they were begun."""
        return list(self._writers)

    def read(self, name: tuple[str, str]) -> Iterator[pa.RecordBatch]:
        """The batches of a stream; nothing can be added to it any more."""
        self._writers[name].close()
        number = list(self._writers).index(name)
        with pa.OSFile(str(self.folder / f"{number}.arrow")) as source, ipc.open_stream(source) as stream:
            yield from stream

    def delete(self) -> None:
        """Deletes all of it."""
        for writer in self._writers.values():
            writer.close()
        self._writers = {}
        shutil.rmtree(self.folder, ignore_errors=True)
