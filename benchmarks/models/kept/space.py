"""Room on the disk: a request is sent only if its reply can be kept beside those that are on their way."""

import asyncio
import os
import resource
from collections.abc import Callable
from pathlib import Path

from benchwright.benchmarks.errors import StopError

_CALL = 40 * 1024
"""Bytes that a call may take besides the body of its reply: changed pages of claims, tries and the log."""
_BYTES_OF_TOKEN = 12
_SPARE, _SHARE = 16 * 1024 * 1024, 4
"""Bytes that are left free for what else is written, at most; and the share of a small disk."""
_LOOKED = 0.02


class Space:
    """The room for replies in one file. Belongs to one event loop."""

    def __init__(self, path: Path, shrink: Callable[[], None]) -> None:
        """Begins.

        Args:
            path: the file of kept replies.
            shrink: makes what lies beside it as small as can be.
        """
        self._shrink = shrink
        self._path, self._log = path, path.with_name(f"{path.name}-wal")
        self._held = 0
        """Bytes set aside for replies on their way."""
        self._largest = 0
        """Bytes of a reply, so far."""

    async def hold(self, output: int) -> int:
        """Sets bytes aside for a reply of so many tokens, to be given back with `free`; waits for those on their way.

        Raises:
            StopError: it would not fit even if nothing else was on its way.
        """
        wanted = _CALL + 2 * max(self._largest, output * _BYTES_OF_TOKEN)
        is_shrunk = False
        while True:
            room, spare = self._room()
            if self._held + wanted + spare <= room:
                break
            if not self._held and not is_shrunk:
                await asyncio.to_thread(self._shrink)
                is_shrunk = True
                continue
            if not self._held:
                raise StopError(
                    f"the disk is nearly full under the kept replies {self._path} ({room / 1e6:,.1f} MB are free): "
                    "free some space and start again"
                )
            await asyncio.sleep(_LOOKED)
        self._held += wanted
        return wanted

    def free(self, held: int, size: int = 0) -> None:
        """Gives back what was set aside; `size` is that of the body, where one came."""
        self._held -= held
        self._largest = max(self._largest, size)

    def _room(self) -> tuple[int, int]:
        """Bytes that may be written, and those of them that are spared."""
        limit, _ = resource.getrlimit(resource.RLIMIT_FSIZE)
        try:
            disk = os.statvfs(self._path)
            room, spare = disk.f_bavail * disk.f_frsize, disk.f_blocks * disk.f_frsize // _SHARE
            if limit != resource.RLIM_INFINITY:
                written = max(path.stat().st_size for path in (self._path, self._log) if path.exists())
                room, spare = min(room, limit - written), min(spare, limit // _SHARE)
        except OSError:
            return _SPARE * 2, 0  # nothing is known of it: what cannot be kept says so itself
        return room, min(_SPARE, spare)
