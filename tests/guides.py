"""Reads the pages of the documentation and does what they show, block by block, as a newcomer would.

A block of a page is one of these; an HTML comment before it says more:

- `console`: lines with `$ ` are typed into a shell; the others are what the terminal then shows, stdout and stderr
  together. A line `…` stands for any lines, and `…` in a line for any text.
- `console` after `<!-- another terminal -->`: a server, which keeps running for the rest of the page.
- `sh`: what cannot be run here, since it needs an account, a key or the real Wikipedia: its commands, options and
  parameters must exist.
- any language after `<!-- file: NAME -->`: is written to that file.
- `python`: is run in the page's folder; a `text` block right after it is what it prints.
"""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from support import ROOT

_BLOCK = re.compile(
    r"(?:<!-- (?P<note>[^>\n]*) -->\n\n)?^```(?P<kind>[\w-]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)

GUIDES = ROOT / "cards" / "guides"
PAGES = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(GUIDES.glob("*.md")))

Server = Callable[[Path], AbstractContextManager[str]]
"""Starts a server of a page in a folder; the context is its address."""


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    page: str
    line: int
    kind: str
    text: str
    note: str
    is_after_python: bool
    """Nothing but blank lines stands between it and a block of Python."""

    @property
    def file(self) -> str:
        """The file that it is written to, or an empty text."""
        return self.note.removeprefix("file: ") if self.note.startswith("file: ") else ""

    @property
    def place(self) -> str:
        """Where it is, for messages."""
        return f"{self.page}:{self.line}"


def blocks_of(page: Path) -> list[Block]:
    """The blocks of a page, from top to bottom."""
    text = page.read_text(encoding="utf-8")
    found: list[Block] = []
    end, last = 0, ""
    for match in _BLOCK.finditer(text):
        line = text.count("\n", 0, match.start("kind")) + 1
        after = last == "python" and not text[end : match.start()].strip()
        note = match["note"] or ""
        found.append(Block(page.name, line, match["kind"], match["text"], note, after))
        end, last = match.end(), match["kind"] if not note.startswith("file: ") else ""
    return found


def commands_of(block: Block) -> Iterator[tuple[str, str]]:
    """The commands of a console block, each with what it shows."""
    text = block.text.replace("\\\n", " ")
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        yield command.strip(), shown


def is_shown(shown: str, printed: str) -> bool:
    """Whether a terminal's text is what a page shows."""
    lines = [".*".join(map(re.escape, line.split("…"))) if line != "…" else None for line in shown.splitlines()]
    pattern = "".join(r"(?:[^\n]*\n)*" if line is None else line + r"[^\S\n]*\n" for line in lines)
    return re.fullmatch(pattern, printed) is not None


@dataclass
class Reader:
    """Somebody who follows a page to the letter in a folder of their own."""

    folder: Path
    run: Callable[..., subprocess.CompletedProcess[str]]
    """Runs a command of the package in a folder, or `-c CODE`: see `CommandServer.run`."""
    servers: Mapping[str, tuple[str, Server]] = field(default_factory=dict)
    """Command that starts it → the address that pages show, and how it is started here."""
    environment: dict[str, str] = field(default_factory=dict)
    addresses: dict[str, str] = field(default_factory=dict)
    """Address that pages show → the one it has here."""
    printed: str = ""
    """What the last block of Python printed."""
    stack: ExitStack = field(default_factory=ExitStack)

    def follow(self, block: Block) -> None:
        """Does what one block shows; raises AssertionError where something else happens."""
        if block.file:
            path = self.folder / block.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(self._here(block.text), encoding="utf-8")
        elif block.note == "another terminal":
            for command, _ in commands_of(block):
                self._start(command)
        elif block.kind == "console":
            for command, shown in commands_of(block):
                self._type(block, command, shown)
        elif block.kind == "python":
            result = self.run("-c", self._here(block.text), folder=self.folder, env=self.environment)
            assert result.returncode == 0, f"{block.place}: {result.stderr}"
            self.printed = result.stdout
        elif block.kind == "text" and block.is_after_python:
            assert is_shown(self._here(block.text), self.printed), f"{block.place} prints:\n{self.printed}"

    def _type(self, block: Block, command: str, shown: str) -> None:
        if match := re.fullmatch(r"export (\w+)=(\S+)", command):
            self.environment[match[1]] = self._here(match[2])
            return
        if command.startswith("pip install "):
            self._install(shlex.split(command)[2:])
            return
        words = shlex.split(self._here(command))
        is_ours = (Path(sys.executable).parent / words[0]).exists() and not words[0].startswith("python")
        typed = words if is_ours and not re.search(r"[|><;&*]", command) else None
        result = (
            self.run(*typed, folder=self.folder, env=self.environment) if typed else self._in_shell(self._here(command))
        )
        printed = result.stdout + result.stderr
        wanted = shown.startswith("error: ")
        assert (result.returncode != 0) == wanted, (
            f"{block.place}: `{command}` ends with {result.returncode}:\n{printed}"
        )
        assert is_shown(self._here(shown), printed), f"{block.place}: `{command}` shows:\n{printed}"

    def _install(self, arguments: list[str]) -> None:
        """Installs a reader's own package for this page alone, with no network, as pip does into an environment."""
        site = self.folder / "site-packages"
        offline = ["--quiet", "--no-build-isolation", "--no-deps", "--disable-pip-version-check", "--upgrade"]
        command = [sys.executable, "-m", "pip", "install", *offline, "--target", str(site), *arguments]
        subprocess.run(command, cwd=self.folder, check=True)
        self.environment["PYTHONPATH"] = os.pathsep.join([str(site), str(self.folder)])

    def _in_shell(self, command: str) -> subprocess.CompletedProcess[str]:
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        environment = {**os.environ, "PATH": path, **self.environment}
        return subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    def _start(self, command: str) -> None:
        shown, start = self.servers[shlex.split(command)[0]]
        self.addresses[shown] = self.stack.enter_context(start(self.folder))

    def _here(self, text: str) -> str:
        for shown, real in self.addresses.items():
            text = text.replace(shown, real)
        return text
