"""What the last start of a command has no usable reply to, so that the next start can say what it asks again."""

import asyncio
import hashlib
from collections import Counter
from collections.abc import Mapping
from typing import Literal

from benchwright.benchmarks.remote.response_store import ResponseStore

TABLES = """
CREATE TABLE IF NOT EXISTS left_over (
    command BLOB, item BLOB, reason TEXT NOT NULL, PRIMARY KEY (command, item)
) WITHOUT ROWID;
"""
Reason = Literal["unusable", "no reply"]


class LeftOver:
    """The items of one command that have no usable reply. Belongs to one event loop."""

    def __init__(self, store: ResponseStore, command: str) -> None:
        """Reads what there is.

        Args:
            store: where it is kept.
            command: names what is made, the same in each start; only its hash is kept. Empty: nothing is noted.

        Raises:
            StopError: it cannot be read.
        """
        self._store, self.is_noted = store, bool(command)
        self._command = hashlib.sha256(command.encode("utf-8", "surrogatepass")).digest()
        rows = store.read("SELECT item, reason FROM left_over WHERE command = ?", (self._command,)) if command else []
        self._reasons: dict[bytes, str] = dict(rows)
        self._changed: dict[bytes, Reason | None] = {}
        self._touched: set[bytes] = set()

    @property
    def has_changed(self) -> bool:
        """Whether there is something to be kept."""
        return bool(self._changed)

    @property
    def told(self) -> str | None:
        """What is asked again, in words; None where nothing is."""
        counts = Counter(self._reasons.values())
        unusable, lost = counts["unusable"], counts["no reply"]
        parts = [
            f"{unusable:,} unusable {'reply' if unusable == 1 else 'replies'}" if unusable else "",
            f"{lost:,} {'request' if lost == 1 else 'requests'} without a reply" if lost else "",
        ]
        said = " and ".join(part for part in parts if part)
        return f"{said} {'is' if unusable + lost == 1 else 'are'} asked again" if said else None

    def ended(self, item: bytes, reason: Reason | None) -> None:
        """Notes how an item ended: why it has no usable reply, or that it has one."""
        self._touched.add(item)
        if self.is_noted and self._reasons.get(item) != reason:
            self._changed[item] = reason
            if reason is None:
                self._reasons.pop(item, None)
            else:
                self._reasons[item] = reason

    def forget_untouched(self) -> None:
        """Drops what a start that has come to its end did not ask for: it is no longer wanted."""
        for item in self._reasons.keys() - self._touched:
            self.ended(item, None)

    async def save_soon(self) -> None:
        """Keeps what has changed, so that a process that is killed leaves it, too.

        Raises:
            StopError: it cannot be kept; the next `save` tries again.
        """
        while self._changed:
            changed, self._changed = self._changed, {}
            try:
                await asyncio.to_thread(self._write, changed)
            except BaseException:
                self._changed = {**changed, **self._changed}
                raise

    def save(self) -> None:
        """Keeps what has changed.

        Raises:
            StopError: it cannot be kept.
        """
        if self._changed:
            changed, self._changed = self._changed, {}
            self._write(changed)

    def _write(self, changed: Mapping[bytes, Reason | None]) -> None:
        with self._store.transaction() as writer:
            writer.executemany(
                "DELETE FROM left_over WHERE command = ? AND item = ?", [(self._command, item) for item in changed]
            )
            writer.executemany(
                "INSERT INTO left_over VALUES (?, ?, ?)",
                [(self._command, item, reason) for item, reason in changed.items() if reason is not None],
            )
