"""Routes of git LFS: what to upload where, the uploads, whole or in parts, and their verification."""

import contextlib
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchwright.scripts.servers.hub.blobs import PIECE, copy
from benchwright.scripts.servers.hub.errors import Refused
from benchwright.scripts.servers.hub.http import Reply, Request, Routes, as_json
from benchwright.scripts.servers.hub.repository import Repository
from benchwright.scripts.servers.hub.routes import find, prefix_of

if TYPE_CHECKING:
    from benchwright.scripts.servers.hub.server import Hub

ROUTES = Routes()


@dataclass(frozen=True)
class Upload:
    """A promise that a content may be uploaded: whoever has its address needs no token, as with the Hub's storage."""

    repository: Repository
    sha256: str
    size: int
    folder: Path
    """Where its parts lie."""


@ROUTES.add("POST", "/{prefix}{repo}/info/lfs/objects/batch")
def _batch(hub: "Hub", request: Request) -> Reply:
    """Who may open pull requests may upload: where the files go is known only with the commit."""
    repository = find(hub, request)
    hub.accounts.check_propose(request.caller, repository)
    asked = request.json()
    if asked.get("operation") != "upload":
        raise Refused(400, "Only uploads: files are downloaded at resolve/REVISION/PATH")
    objects = [_object(hub, repository, item["oid"], item["size"]) for item in asked.get("objects", [])]
    reply = as_json({"transfer": "basic", "objects": objects, "hash_algo": "sha256"})
    reply.headers["Content-Type"] = "application/vnd.git-lfs+json"
    return reply


def _object(hub: "Hub", repository: Repository, sha256: str, size: int) -> dict[str, Any]:
    """What is to do for a content; nothing where it is here already."""
    found: dict[str, Any] = {"oid": sha256, "size": size}
    if sha256 in repository.lfs_objects:
        return found
    key = secrets.token_hex(16)
    upload = Upload(repository, sha256, size, hub.store.blobs.temporary())
    hub.uploads[key] = upload  # pyright: ignore[reportArgumentType]  (the same class, by two paths)
    address, header = f"{hub.url}/lfs/{sha256}/{key}", {}
    if hub.part_size and size > hub.part_size:
        count = -(-size // hub.part_size)
        header = {"chunk_size": str(hub.part_size)}
        header.update({str(part): f"{address}/{part}" for part in range(1, count + 1)})
        address += "/complete"
    verify = f"{hub.url}/{prefix_of(repository)}{repository.id}.git/info/lfs/objects/verify"
    return {**found, "actions": {"upload": {"href": address, "header": header}, "verify": {"href": verify}}}


def _promise(hub: "Hub", request: Request) -> Upload:
    upload = hub.uploads.get(request.parts["key"])
    if upload is None:
        raise Refused(403, "Nothing was promised at this address")
    return upload  # pyright: ignore[reportReturnType]  (the same class, by two paths)


@ROUTES.add("PUT", "/lfs/{sha256}/{key}")
def _put(hub: "Hub", request: Request) -> Reply:
    upload = _promise(hub, request)
    _keep(hub, upload, request.body)
    return Reply(headers={"ETag": f'"{upload.sha256}"'})


@ROUTES.add("PUT", "/lfs/{sha256}/{key}/{part}")
def _put_part(hub: "Hub", request: Request) -> Reply:
    upload = _promise(hub, request)
    upload.folder.mkdir(exist_ok=True)
    with (upload.folder / str(int(request.parts["part"]))).open("wb") as file:
        sha256, _ = copy(request.body, file)
    return Reply(headers={"ETag": f'"{sha256}"'})


@ROUTES.add("POST", "/lfs/{sha256}/{key}/complete")
def _complete(hub: "Hub", request: Request) -> Reply:
    upload, asked = _promise(hub, request), request.json()
    paths = [upload.folder / str(part["partNumber"]) for part in asked.get("parts", [])]
    if not all(path.is_file() for path in paths):
        raise Refused(400, "A part is missing")
    _keep(hub, upload, _Joined(paths))
    for path in paths:
        path.unlink()
    with contextlib.suppress(OSError):
        upload.folder.rmdir()
    return as_json({})


class _Joined:
    """Files read one after another."""

    def __init__(self, paths: list[Path]) -> None:
        self._pieces = self._all(paths)

    def read(self, size: int = -1, /) -> bytes:
        return next(self._pieces, b"")

    def _all(self, paths: list[Path]) -> Iterator[bytes]:
        for path in paths:
            with path.open("rb") as file:
                while piece := file.read(PIECE):
                    yield piece


def _keep(hub: "Hub", upload: Upload, source: Any) -> None:
    size = hub.store.blobs.write_as(upload.sha256, source)
    if size is None:
        raise Refused(400, f"What was uploaded has not the SHA-256 {upload.sha256}")
    if size != upload.size:
        raise Refused(400, f"{upload.sha256} has {size} bytes, not {upload.size}")
    upload.repository.keep_lfs_object(upload.sha256)


@ROUTES.add("POST", "/{prefix}{repo}/info/lfs/objects/verify")
def _verify(hub: "Hub", request: Request) -> Reply:
    repository = find(hub, request)
    hub.accounts.check_propose(request.caller, repository)
    asked = request.json()
    sha256 = str(asked.get("oid"))
    if sha256 not in repository.lfs_objects:
        raise Refused(404, f"{sha256} was not uploaded")
    if repository.blobs.path(sha256).stat().st_size != asked.get("size"):
        raise Refused(422, f"{sha256} has not {asked.get('size')} bytes")
    return as_json({})
