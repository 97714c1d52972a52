"""What several tests need and nobody changes, made once a session: by the first that asks, behind a lock for the others.

The workers of pytest-xdist share the folder. A test that changes a release changes a copy of it.
"""

import hashlib
import json
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

from filelock import FileLock
from support import COMPANY, make_sqlite

from benchwright.benchmarks.releases.release import Release
from benchwright.builders.base import build_release
from benchwright.builders.wiki.own.encyclopedia import encyclopedia
from benchwright.builders.wiki.own.export import write_dumps
from benchwright.cards.dataset.card import render_card


@dataclass(frozen=True)
class Said:
    """What a command made in a folder, and said."""

    folder: Path
    done: CompletedProcess[str]

    @property
    def release(self) -> Release:
        """The one release that it built."""
        return only_release(self.folder / "releases")


@dataclass(frozen=True)
class Built:
    """The session's folder of what was made once."""

    root: Path

    def folder(self, name: str, make: Callable[[Path], object]) -> Path:
        """The folder of this name, filled by `make` if it is not there yet."""
        target, unfinished = self.root / name, self.root / f"{name}.unfinished"
        with FileLock(self.root / f"{name}.lock"):
            if not target.exists():
                shutil.rmtree(unfinished, ignore_errors=True)
                unfinished.mkdir()
                make(unfinished)
                unfinished.rename(target)
        return target

    def by_command(self, name: str, run: Callable[..., CompletedProcess[str]], *typed: str, **options: Any) -> Said:
        """What a command of the package makes in the folder of this name, and says."""

        def make(root: Path) -> None:
            done = run(*typed, folder=root, **options)
            (root / "said.json").write_text(json.dumps([done.returncode, done.stdout, done.stderr]))

        made = self.folder(name, make)
        return Said(made, CompletedProcess(typed, *json.loads((made / "said.json").read_text())))

    def release(self, benchmark: str, *, seed: int | None = None, name: str | None = None, **settings: Any) -> Release:
        """A build of a benchmark with these parameters."""
        given = {key: str(value) for key, value in settings.items()}
        key = hashlib.sha256(json.dumps([seed, name, sorted(given.items())]).encode()).hexdigest()[:12]

        def build(root: Path) -> None:
            build_release(benchmark, given, render_card, output=root, name=name, seed=seed)

        return only_release(self.folder(f"{benchmark}-{key}", build))


def company_release(built: Built, **settings: Any) -> Release:
    """GRAMMAR from the small database of companies, with these parameters."""
    database = built.folder("company", lambda root: make_sqlite(root / "company.sqlite", COMPANY)) / "company.sqlite"
    return built.release("grammar", database=database, **settings)


def wikipedia_release(built: Built, **settings: Any) -> Release:
    """The benchmark of a wiki from the dumps of a small encyclopedia."""
    dumps = built.folder("wiki-dumps", lambda root: write_dumps(encyclopedia(100), root))
    of_wiki = {"dump": dumps / "dump.xml", "dump_log": dumps / "log.xml", "cutoff": "2021-10-01"}
    return built.release("wikipedia", **{**of_wiki, "articles": 40, "random": 20, "haystack": 20, **settings})


def only_release(folder: Path) -> Release:
    """The one release in a folder of releases."""
    (manifest,) = folder.rglob("manifest.json")
    return Release.load(manifest.parent)


def copy_release(release: Release, root: Path) -> Release:
    """A copy to change, as NAME/VERSION in a folder of releases."""
    manifest = release.manifest
    return Release.load(Path(shutil.copytree(release.folder, root / manifest.name / manifest.version)))


def session_folder(base: Path, worker: str) -> Path:
    """A folder that all workers of a session have in common, given pytest's base folder of one of them."""
    folder = (base.parent if re.fullmatch(r"gw\d+", worker) else base) / "built"
    folder.mkdir(exist_ok=True)
    return folder
