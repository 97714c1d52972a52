"""A command with canaries in its environment, and all that it said, wrote and was called, searched for them."""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from urllib.parse import quote

from command_server import CommandServer
from databases import PASSWORD, USER

HF, OPENAI = "hf_canaryCANARYcanaryCANARYcanary12", "sk-canary-0123456789abcdefghij"
WRONG = "canary-wrong"
HOME = "canary-home"


class Outcome:
    """What a command said, and what it and its children were called while they ran."""

    def __init__(
        self, server: CommandServer | None, folder: Path, command: str, *arguments: str, **environment: str
    ) -> None:
        """Runs it, as a fork of the server or, without one, in an interpreter of its own."""
        home = folder / HOME
        home.mkdir(exist_ok=True)
        temporary = folder / "tmp"
        temporary.mkdir(exist_ok=True)
        own = {
            "HOME": str(home), "HF_TOKEN": HF, "OPENAI_API_KEY": OPENAI, "TMPDIR": str(temporary),
            "HF_HOME": str(folder / "hf"), "CANARY_PASSWORD": PASSWORD, **environment,
        }  # fmt: skip
        if server is None:
            program = [str(Path(sys.executable).with_name(command)), *arguments, "-v"]
            process = subprocess.Popen(
                program,
                cwd=folder,
                env={**os.environ, **own},
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
        else:
            process = server.start(command, *arguments, "-v", folder=folder, env=own)
        self.lines: set[bytes] = set()
        ended = threading.Event()
        watcher = threading.Thread(target=self._watch, args=(process.pid, ended))
        watcher.start()
        stdout, stderr = process.communicate(timeout=300)
        ended.set()
        watcher.join()
        self.code, self.folder = process.returncode, folder
        self.stdout, self.stderr = stdout.encode(), stderr.encode()
        self.said = self.stdout + self.stderr

    def _watch(self, pid: int, ended: threading.Event) -> None:
        """Command lines of the process and of what it started."""
        while not ended.wait(0.05):
            for path in Path("/proc").glob("[0-9]*"):
                try:
                    parent = int((path / "stat").read_text().rpartition(")")[2].split()[1])
                    if int(path.name) == pid or parent == pid:
                        self.lines.add((path / "cmdline").read_bytes())
                except (OSError, ValueError):
                    continue

    def found(self) -> list[str]:
        """Where a canary stands."""
        secrets = (PASSWORD, quote(PASSWORD, safe=""), quote(PASSWORD), HF, OPENAI, WRONG)
        canaries = {text.encode() for text in (*secrets, *(json.dumps(text)[1:-1] for text in secrets))}
        named = {*canaries, USER.encode()}
        texts = {"stderr": (self.stderr, {*named, HOME.encode()}), "stdout": (self.stdout, named)}
        texts |= {repr(line): (line, canaries) for line in self.lines}
        for path in self.folder.rglob("*"):
            if path.is_file() and path.suffix != ".py":
                texts[str(path)] = (path.read_bytes(), {*named, HOME.encode()})
        return [f"{place}: {text!r}" for place, (content, all_) in texts.items() for text in all_ if text in content]
