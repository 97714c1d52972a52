"""Starts a test Hub by hand, for trying out without an account."""

import argparse
import contextlib
import sys
import tempfile
from pathlib import Path

from benchwright.scripts.servers.by_hand import say, stopped_by_signals, why_it_cannot_start
from benchwright.scripts.servers.hub.server import USERS, Hub


def main(arguments: list[str] | None = None) -> int:
    """Runs until Ctrl-C: 0, or 1 where it cannot start."""
    parser = argparse.ArgumentParser(prog="scripts/hub", description=__doc__)
    parser.add_argument("--port", type=int, default=8090, help="where it listens; 8090 if not given")
    parser.add_argument(
        "--folder", type=Path, help="where everything lies, and is found again; a temporary one if not given"
    )
    parser.add_argument("--verbose", action="store_true", help="print each request")
    options = parser.parse_args(arguments)
    with contextlib.ExitStack() as stack:
        folder = options.folder or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="hub-")))
        try:
            hub = Hub(folder, port=options.port, log=say if options.verbose else None)
        except (OSError, OverflowError) as error:
            sys.stderr.write(f"error: {why_it_cannot_start(error, options.port)}\n")
            return 1
        with hub:
            stopped = stopped_by_signals()
            say(_welcome(hub, options.folder))
            stopped.wait()
    return 0


def _welcome(hub: Hub, folder: Path | None) -> str:
    (user, token), *_ = USERS.items()
    kept = f"kept in {folder}" if folder else "gone when it stops (keep it with --folder DIR)"
    people = "".join(f"  user {name}, token {its}\n" for name, its in USERS.items())
    return (
        f"A test Hub at {hub.url}, for this machine only; what it holds is {kept}.\n{people}"
        f"To use it as {user}, in another terminal:\n\n"
        f"  export HF_ENDPOINT={hub.url}\n  export HF_TOKEN={token}\n\nCtrl-C stops it."
    )


if __name__ == "__main__":
    sys.exit(main())
