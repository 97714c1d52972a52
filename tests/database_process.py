"""A program that runs a database server for tests, without root's rights, in bounded memory, for as long as it is asked to.

    python database_process.py FOLDER MEMORY SIGNAL PROGRAM …

It ends the server with the signal, and removes the folder, as soon as its standard input ends: so also where the tests
are killed. It ends itself when the server does, with its code.
"""

import os
import resource
import shutil
import subprocess
import sys
import threading
from pathlib import Path

_PATIENCE = 20.0
"""Seconds for the server to end by itself."""


def main() -> int:
    folder, memory, stopping, *command = sys.argv[1:]
    if os.getuid() == 0:
        shutil.chown(folder, "nobody")

    def bounded() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (int(memory), int(memory)))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    with Path(folder, "log").open("wb") as log:
        # PostgreSQL refuses to be root's
        rights = {"user": "nobody", "group": "nogroup", "extra_groups": ()} if os.getuid() == 0 else {}
        server = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log, preexec_fn=bounded, **rights
        )

    asked = threading.Event()

    def end() -> None:
        while os.read(0, 1024):
            pass
        asked.set()
        server.send_signal(int(stopping))
        try:
            server.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            server.kill()

    threading.Thread(target=end, daemon=True).start()
    code = server.wait()
    if asked.is_set():
        shutil.rmtree(folder, ignore_errors=True)
    return code


if __name__ == "__main__":
    raise SystemExit(main())
