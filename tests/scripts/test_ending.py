"""How commands end that are cut short: a closed pipe without a word, Ctrl-C with one line, and nothing half-written."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hostile_hub import hostile_hub
from hub_cases import make_release
from support import COMPANY, Start, in_full, make_sqlite

ENDLESS = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
STOPPED = "error: stopped; nothing half-made is left, start it again with the same command\n"
TO_A_PIPE = [
    ("verify-benchmark", "{release}"),
    ("publish-benchmark", "{release}", "--dry-run"),
    ("score-system", "{release}", "keyword", "-q"),
    ("build-benchmark", "grammar", "--set", "database=company.sqlite", "-q"),
    ("benchwright", "verify-benchmark", "{release}"),
    ("build-benchmark", "--help"),
    ("benchwright", "--version"),
]


@pytest.mark.parametrize("arguments", [*TO_A_PIPE, *in_full((("plot-cutoff", "--help"),))], ids=" ".join)
def test_a_closed_pipe_ends_a_command_without_a_word(arguments: tuple[str, ...], tmp_path: Path) -> None:
    release = make_release(tmp_path / "built").folder
    make_sqlite(tmp_path / "company.sqlite", COMPANY)
    command, *rest = (part.format(release=release) for part in arguments)
    read, write = os.pipe()
    os.close(read)
    program = str(Path(sys.executable).with_name(command))
    ended = subprocess.run(
        [program, *rest], cwd=tmp_path, stdout=write, stderr=subprocess.PIPE, text=True, timeout=300, check=False
    )
    os.close(write)
    is_shown_by_click = rest[-1].startswith("--") and rest[-1] != "--dry-run"
    assert (ended.returncode, ended.stderr) == (1 if is_shown_by_click else 141, "")


def test_another_closed_pipe_is_named(tmp_path: Path) -> None:
    """A system's pipe, say: the output is read."""
    code = (
        "from benchwright.scripts.options.common import errors_in_one_line\n"
        "with errors_in_one_line(): raise BrokenPipeError(32, 'Broken pipe', 'its/pipe')"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (1, "error: Broken pipe its/pipe\n")


def test_ctrl_c_while_a_release_is_fetched(start: Start, tmp_path: Path) -> None:
    good = make_release(tmp_path / "built").folder
    with hostile_hub(good, {"/corpus/": lambda answer: answer.endless(ENDLESS, b"1\r\nx\r\n", 0.02)}) as hub:
        env = {"HF_ENDPOINT": hub.url, "HF_HUB_OFFLINE": "0", "HF_TOKEN": "hf_x"}
        process = start("verify-benchmark", "alice/evil", env=env)
        while not hub.sent and process.poll() is None:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        assert (process.communicate(60), process.wait()) == (("", STOPPED), 130)
    kept = list((tmp_path / "hf" / "assets").rglob("*"))
    assert not [path for path in kept if ".parts-" in str(path)]
    assert not [path for path in kept if path.name.startswith("corpus-")]
