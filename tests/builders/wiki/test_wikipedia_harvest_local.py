"""`scripts/mediawiki`, and the encyclopedia that it serves."""

import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from wikis import running

from benchwright.builders.wiki.own.encyclopedia import encyclopedia
from benchwright.scripts.servers.mediawiki.command import main
from benchwright.scripts.servers.mediawiki.wiki import Missing, find_code, free_port, temporary_home


def started(*arguments: object, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "benchwright.scripts.servers.mediawiki.command", *map(str, arguments)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        env={**os.environ, **environment},
    )  # fmt: skip


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the code; without PHP the test is skipped."""
    with running(tmp_path_factory.mktemp("wiki") / "w", "encyclopedia-100", encyclopedia(100)):
        yield temporary_home()


def test_the_encyclopedia_is_served_until_ctrl_c(home: Path) -> None:
    port = free_port()
    process = started("--port", port, "--articles", 30, "--folder", home)
    assert process.stdout
    lines = [process.stdout.readline() for _ in range(7)]
    assert lines[0] == f"Fictopedia, 30 articles, at http://127.0.0.1:{port}/w/index.php/Special:AllPages\n"
    assert lines[3] == (
        "  build-benchmark wikipedia --set cutoff=2021-10-01 --set contact=you@example.org "
        f"--set site=http://127.0.0.1:{port}/w/\n"
    )
    given = f"--set contact=you@example.org --set site=http://127.0.0.1:{port}/w/"
    assert lines[4] == f"  build-benchmark wikieval --set pages=10 {given}\n"
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/w/index.php/Velmar_observatory") as reply:
        assert "founded by" in reply.read().decode()
    second = started("--port", port, "--folder", home)
    assert second.communicate(timeout=60) == ("", f"error: port {port} is in use: name another with --port\n")
    assert second.returncode == 1
    os.killpg(process.pid, signal.SIGINT)
    assert process.communicate(timeout=60) == ("", "")
    assert process.returncode == 0


def test_ctrl_c_while_it_is_set_up(tmp_path: Path, home: Path) -> None:
    process = started("--port", free_port(), "--articles", 500, "--folder", tmp_path / "new")
    assert process.stderr
    assert process.stderr.readline() == "setting up MediaWiki …\n"
    os.killpg(process.pid, signal.SIGINT)
    assert process.communicate(timeout=60) == ("", "")
    assert process.returncode == 0


@pytest.mark.parametrize(
    "arguments", [["--port", "x"], ["--port", "0"], ["--articles", "-3"], ["--articles", "1000000"]]
)
def test_wrong_arguments(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as raised:
        main(arguments)
    assert raised.value.code == 2
    assert "give one from 1 to" in capsys.readouterr().err


def test_without_php_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Missing) as raised:
        find_code(tmp_path / "home", install=True)
    assert str(raised.value) == (
        "MediaWiki needs PHP: run `apt-get install --no-install-recommends "
        "php-cli php-sqlite3 php-mbstring php-xml php-intl` as root"
    )


def test_the_encyclopedia_is_always_the_same() -> None:
    first, again = encyclopedia(100), encyclopedia(100)
    assert first == again
    assert len(first) == len({page.title for page in first})
    assert [page.title for page in first if "Infobox" in page.title + page.revisions[-1].text][:4] == [
        "Template:Infobox thing", "Velmar observatory", "Ostrine lighthouse", "Karadell tramway",
    ]  # fmt: skip


@pytest.mark.parametrize("count", [1, 100, 2000])
def test_no_sentence_is_left_with_a_gap_and_no_link_without_an_end(count: int) -> None:
    pages = encyclopedia(count)
    titles = {page.title for page in pages}
    for page in pages:
        text = page.revisions[-1].text
        assert not re.search(r"(?<!\{)\{[a-z]+\d?\}(?!\})", text)
        if count >= 100 and page.revisions[0].text != text:
            assert set(re.findall(r"\[\[(?!Category:)([^\]|]+)", text)) <= titles
            assert len(text) > 1500
