"""Uploads over Xet: the real hf_xet of the client writes into a folder, the real hf_xet of this process reads it there.

Instead of a server's address the client is told `local://FOLDER`, which hf_xet 1.8 takes, though nothing documents it.
A commit names files by SHA-256; the shards in the folder say which of Xet's own hashes that is. What arrived is kept as
any LFS file, and is downloaded over HTTP. Client and Hub must share a disk.
"""

import secrets
import shutil
import struct
import time
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchwright.scripts.servers.hub.errors import Refused
from benchwright.scripts.servers.hub.http import Reply, Request, Routes, as_json
from benchwright.scripts.servers.hub.repository import Repository
from benchwright.scripts.servers.hub.routes import find

if TYPE_CHECKING:
    from benchwright.scripts.servers.hub.server import Hub

ROUTES = Routes()
_DAY = 86_400
_RECORD = 48
_ATTEMPTS = 5
_HAS_VERIFICATION, _HAS_SHA256 = 1 << 31, 1 << 30


@ROUTES.add("GET", "/api/{kinds}/{repo}/xet-write-token/{revision}")
def _write_token(hub: "Hub", request: Request) -> Reply:
    """Each token has a folder of its own: two processes cannot write into one."""
    repository = find(hub, request)
    hub.accounts.check_propose(request.caller, repository)
    if not hub.xet.is_on:
        raise Refused(404, "This Hub has no Xet: set HF_HUB_DISABLE_XET=1 before the client starts")
    folder = hub.xet.new_folder(repository)
    address, expires, token = f"local://{folder}", int(time.time()) + _DAY, "xet-token"
    reply = as_json({"casUrl": address, "exp": expires, "accessToken": token})
    names = {"X-Xet-Cas-Url": address, "X-Xet-Token-Expiration": str(expires), "X-Xet-Access-Token": token}
    reply.headers.update(names)
    return reply


class Xet:
    """The folders that clients write into."""

    def __init__(self, folder: Path, is_on: bool) -> None:
        self.is_on = is_on
        self._folder = folder.resolve()
        self.clear()

    def clear(self) -> None:
        """Forgets what no commit asked for."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def new_folder(self, repository: Repository) -> Path:
        """A new folder for uploads to a repository."""
        folder = self._of(repository) / secrets.token_hex(8)
        folder.mkdir(parents=True)
        return folder

    def _of(self, repository: Repository) -> Path:
        return self._folder / repository.kind / repository.id

    def receive(self, repository: Repository, sha256: str) -> bool:
        """Keeps what was uploaded as LFS objects of the repository; false where that one is not among it."""
        for folder in sorted(self._of(repository).glob("*")):
            files = {
                its: (xet_hash, size)
                for shard in sorted(folder.glob("xet/xorbs/shards/*.mdb"))
                for its, xet_hash, size in read_shard(shard.read_bytes())
                if its not in repository.lfs_objects
            }
            if sha256 in files:
                self._keep(repository, folder, files)
        return sha256 in repository.lfs_objects

    def _keep(self, repository: Repository, folder: Path, files: Mapping[str, tuple[str, int]]) -> None:
        for attempt in range(_ATTEMPTS):
            mirror = self._folder / "mirrors" / secrets.token_hex(8)
            try:
                _copy(folder, mirror)
                _download(mirror, files)
                for sha256 in files:
                    with (mirror / sha256).open("rb") as file:
                        if repository.blobs.write_as(sha256, file) is not None:
                            repository.keep_lfs_object(sha256)
                return
            except (RuntimeError, OSError):  # hf_xet's errors are RuntimeErrors: the client has just been writing there
                if attempt == _ATTEMPTS - 1:
                    raise
                time.sleep(0.2)
            finally:
                shutil.rmtree(mirror, ignore_errors=True)


def _copy(folder: Path, mirror: Path) -> None:
    """The same files at another place: the client may still hold the database open, which only one process can."""
    stored, copied = folder / "xet" / "xorbs", mirror / "xet" / "xorbs"
    for kind in ("shards", "xorbs"):
        (copied / kind).mkdir(parents=True)
        for path in (stored / kind).iterdir():
            (copied / kind / path.name).hardlink_to(path)
    for path in stored.glob("*.redb"):
        shutil.copy(path, copied)


def _download(folder: Path, files: Mapping[str, tuple[str, int]]) -> None:
    """Puts files together again, each under its SHA-256."""
    hf_xet: Any = import_module("hf_xet")  # it comes with the client
    expires = int(time.time()) + _DAY
    with hf_xet.XetSession().new_file_download_group(
        endpoint=f"local://{folder}", token="xet-token", token_expiry_unix_secs=expires
    ) as group:
        for sha256, (xet_hash, size) in files.items():
            group.start_download_file(hf_xet.XetFileInfo(xet_hash, size), str(folder / sha256))


def read_shard(shard: bytes) -> Iterator[tuple[str, str, int]]:
    """The files that a shard describes: SHA-256, Xet's hash, size.

    Records have 48 bytes. Behind a header comes, for each file, one with its hash, flags and the number of its
    segments; the segments, with their sizes; where the flags say so as many verifications; and one with the SHA-256. A
    hash of ones ends the list.
    """
    place = _RECORD
    while (name := shard[place : place + 32]) != b"\xff" * 32:
        flags, count = struct.unpack_from("<II", shard, place + 32)
        place += _RECORD
        size = sum(struct.unpack_from("<I", shard, place + _RECORD * number + 36)[0] for number in range(count))
        place += _RECORD * count * (2 if flags & _HAS_VERIFICATION else 1)
        if flags & _HAS_SHA256:
            yield _as_hex(shard[place : place + 32]), _as_hex(name), size
            place += _RECORD


def _as_hex(hash_: bytes) -> str:
    """Xet's hashes are written as four numbers."""
    return "".join(f"{number:016x}" for number in struct.unpack("<4Q", hash_))
