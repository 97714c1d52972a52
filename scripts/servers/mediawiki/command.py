"""Serves a MediaWiki with a fictional encyclopedia, for trying out what is built from a wiki."""

import argparse
import contextlib
import errno
import shutil
import signal
import socket
import sys
import threading
from pathlib import Path

from benchwright.builders.wiki.own.encyclopedia import LANGUAGES, encyclopedia
from benchwright.scripts.servers.mediawiki.wiki import HOME, Missing, cached_wiki, find_code, serving

_MOST = 20_000


def main(arguments: list[str] | None = None) -> int:
    """Runs until Ctrl-C: 0, or 1 where it cannot start."""
    parser = argparse.ArgumentParser(prog="scripts/mediawiki", description=__doc__)
    parser.add_argument("--port", type=_port, default=8095, help="where it listens [8095]")
    parser.add_argument("--articles", type=_count, default=100, help="articles of the encyclopedia [100]")
    parser.add_argument("--language", choices=LANGUAGES, default="en", help="what they are written in [en]")
    parser.add_argument(
        "--folder", type=Path, default=HOME, help="where code and wikis are kept, some 300 MB [.mediawiki]"
    )
    options = parser.parse_args(arguments)
    stopped = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: _stop(stopped))
    try:
        _check_port(options.port)
        home = options.folder.resolve()
        _say("setting up MediaWiki …" if not (home / "code").exists() else "", sys.stderr)
        code = find_code(home, install=True)
        pages = encyclopedia(options.articles, options.language)
        finished = cached_wiki(home, f"fictopedia-{options.language}-{options.articles}", pages, options.language)
        folder = home / f"served-{options.port}"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(finished, folder, symlinks=True)
        with serving(code, folder, options.port) as address:
            _say(_welcome(address, options.articles, options.language), sys.stdout)
            stopped.wait()
    except KeyboardInterrupt:
        return 0
    except (Missing, OSError) as error:
        _say(f"error: {error}", sys.stderr)
        return 1
    return 0


def _stop(stopped: threading.Event) -> None:
    """Ends the serving, or whatever is done before it."""
    if stopped.is_set():
        return
    stopped.set()
    if not _serving.is_set():
        raise KeyboardInterrupt


_serving = threading.Event()


def _check_port(port: int) -> None:
    """Raises Missing where somebody listens already."""
    try:
        with contextlib.closing(socket.create_server(("127.0.0.1", port))):
            pass
    except OSError as error:
        in_use = error.errno == errno.EADDRINUSE
        raise Missing(
            f"port {port} is in use: name another with --port" if in_use else f"port {port}: {error.strerror}"
        ) from None


def _welcome(address: str, articles: int, language: str) -> str:
    _serving.set()
    given = f"--set contact=you@example.org --set site={address}"
    pairs = f"  build-benchmark wikieval --set pages=10 {given}\n" if language == "en" else ""
    return (
        f"Fictopedia, {articles} articles, at {address}index.php/Special:AllPages\n"
        "To build from it, in another terminal:\n\n"
        f"  build-benchmark wikipedia --set cutoff=2021-10-01 {given}\n{pairs}\n"
        "Ctrl-C stops it."
    )


def _port(text: str) -> int:
    if not (text.isdecimal() and 0 < int(text) < 65536):
        raise argparse.ArgumentTypeError(f"{text} is no port: give one from 1 to 65535")
    return int(text)


def _count(text: str) -> int:
    if not (text.isdecimal() and 0 < int(text) <= _MOST):
        raise argparse.ArgumentTypeError(f"{text} is no number of articles: give one from 1 to {_MOST}")
    return int(text)


def _say(text: str, stream: object) -> None:
    if text:
        print(text, file=stream, flush=True)  # type: ignore[call-overload]


if __name__ == "__main__":
    sys.exit(main())
