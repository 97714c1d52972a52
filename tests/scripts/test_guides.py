"""Every page of the documentation, followed to the letter in an empty folder: what it shows is what happens."""

import contextlib
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib import import_module
from pathlib import Path

import pytest
from built import Built, Said
from command_server import CommandServer
from guides import PAGES, Block, Reader, Server, blocks_of, commands_of
from support import ROOT, Run
from wikis import running

from benchwright.benchmarks.catalogue import load_spec
from benchwright.builders.wiki.own.encyclopedia import encyclopedia
from benchwright.scripts.servers.hub.server import Hub
from benchwright.scripts.servers.openai.server import OpenAIServer

KINDS = {"console", "python", "text", "sh", "toml", "json", "yaml", "bibtex", "perl"}


@contextlib.contextmanager
def _models(folder: Path) -> Iterator[str]:
    with OpenAIServer() as server:
        yield server.url


@contextlib.contextmanager
def _hub(folder: Path) -> Iterator[str]:
    with Hub(folder / "hub") as server:
        yield server.url


@contextlib.contextmanager
def _wiki(folder: Path) -> Iterator[str]:
    with running(folder / "wiki", "encyclopedia-100", encyclopedia(100)) as wiki:
        yield wiki.front.url


@contextlib.contextmanager
def _service(folder: Path) -> Iterator[str]:
    """The service of a page, on the port that it is told."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        port = found.getsockname()[1]
    process = subprocess.Popen([sys.executable, "service.py"], cwd=folder, env={**os.environ, "PORT": str(port)})
    try:
        while process.poll() is None:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.01)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


SERVERS: dict[str, tuple[str, Server]] = {
    "scripts/openai-server": ("http://127.0.0.1:8080/v1", _models),
    "scripts/hub": ("http://127.0.0.1:8090", _hub),
    "scripts/mediawiki": ("http://127.0.0.1:8095/w/", _wiki),
    "python": ("http://127.0.0.1:8000", _service),
}


SAME = "build-benchmark aurp --set size=paper --quiet"
"""What many pages begin with."""
STANDARD = "build-benchmark aurp"
"""What the page on Aurp builds, with all that the command says; others do so quietly."""


def _built_once(built: Built, run: Run, standard: Callable[[], Said]) -> Run:
    """Runs commands; what many pages build in the same words is built for the first of them, and copied for others."""

    def call(*typed: str, folder: Path, env: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
        words = " ".join(typed)
        has_settings = (folder / "benchwright.toml").exists() or env.keys() - {"HF_HUB_OFFLINE", "XDG_CACHE_HOME"}
        if has_settings or words not in (SAME, STANDARD, f"{STANDARD} --quiet"):
            return run(*typed, folder=folder, env=env)
        said = built.by_command("aurp-of-pages", run, *typed, env=env) if words == SAME else standard()
        if (said.folder / "releases").exists():
            shutil.copytree(said.folder / "releases", folder / "releases", dirs_exist_ok=True)
        stderr = said.done.stderr if words in (SAME, STANDARD) else ""
        return subprocess.CompletedProcess(typed, said.done.returncode, said.done.stdout, stderr)

    return call


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_page_does_what_it_shows(
    page: Path, built: Built, tmp_path: Path, command_server: CommandServer, request: pytest.FixtureRequest
) -> None:
    (tmp_path / "scripts").symlink_to(ROOT / "scripts")
    environment = {"HF_HUB_OFFLINE": "0", "XDG_CACHE_HOME": str(tmp_path / "cache")}
    run = _built_once(built, command_server.run, partial(request.getfixturevalue, "standard_aurp"))
    reader = Reader(tmp_path, run, SERVERS, environment)
    with reader.stack:
        for block in blocks_of(page):
            assert block.kind in KINDS, f"{block.place}: no block is of the kind {block.kind!r}"
            reader.follow(block)


@pytest.mark.parametrize(
    "block", [block for page in PAGES for block in blocks_of(page) if block.kind == "sh"], ids=lambda block: block.place
)
def test_what_is_not_run_is_possible(block: Block) -> None:
    """Commands that need an account or a network: they exist, with these options and parameters."""
    for line in block.text.replace("\\\n", " ").splitlines():
        command, *arguments = shlex.split(line, comments=True) or [""]
        if command in ("", "export", "hf", "pip", "git", "cd", ".", "python"):
            continue
        if command.startswith("scripts/"):
            assert shutil.which(ROOT / command), f"{block.place}: there is no {command}"
            continue
        main = import_module(f"benchwright.scripts.{command.replace('-', '_')}").main
        context = main.make_context(command, arguments)
        settings = context.params.get("settings") or {}
        if settings:
            spec = load_spec(context.params["benchmark"])
            assert settings.keys() <= spec.parameters.keys(), f"{block.place}: {sorted(settings)}"


def test_links_lead_somewhere() -> None:
    """Every link of a page to another file of the repository, and to a heading of it."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for target in re.findall(r"\]\((?!https?://)([^)\s]+)\)", text):
            path, _, heading = target.partition("#")
            file = (page.parent / path).resolve() if path else page
            assert file.exists(), f"{page.name}: {target}"
            if heading:
                assert heading in _anchors(file), f"{page.name}: {target}"


def _anchors(page: Path) -> set[str]:
    """The anchors that GitHub gives a page's headings."""
    prose = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    titles = re.findall(r"^#+ (.+)$", prose, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_console_blocks_have_commands() -> None:
    for page in PAGES:
        for block in blocks_of(page):
            if block.kind == "console":
                assert list(commands_of(block)), block.place
