"""A real MediaWiki on this machine: Debian's package, unpacked beside the system, SQLite, and PHP's own web server."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchwright.builders.wiki.own.export import Exported, forget_creations, mend_log, write_export

ROOT = Path(__file__).resolve().parents[3]
HOME = ROOT / ".mediawiki"
"""Where `scripts/mediawiki` keeps everything."""
PACKAGES = ("mediawiki", "mediawiki-classes")
PHP_PACKAGES = ("php-cli", "php-sqlite3", "php-mbstring", "php-xml", "php-intl")
_EXTENSIONS = ("pdo_sqlite", "mbstring", "xml", "intl")
_MAIN_PAGES = ("Main Page", "Hauptseite")
"""What an installer makes a page of, by the language of the wiki."""
_RECIPE = 2
"""How a wiki is made of its pages: those kept in another way are made again."""
_WORKERS = 4
_PATIENCE = 30.0
"""Seconds until a server must answer."""
_SETTINGS = """
wfLoadExtension( 'ParserFunctions' ); wfLoadExtension( 'Cite' ); wfLoadSkin( 'Vector' );
$wgDefaultSkin = 'vector';
$wgExtraNamespaces[118] = 'Draft'; $wgExtraNamespaces[119] = 'Draft_talk';
$wgRightsText = 'Creative Commons Attribution 4.0'; $wgRightsUrl = 'https://creativecommons.org/licenses/by/4.0/';
$wgJobRunRate = 0;
$wgCacheDirectory = __DIR__ . '/cache'; $wgUploadDirectory = __DIR__ . '/images';
$wgGroupPermissions['*']['read'] = !getenv( 'MW_CLOSED' );
$wgGroupPermissions['*']['edit'] = false; $wgGroupPermissions['*']['createaccount'] = false;
$wgDBservers = [ [ 'type' => 'sqlite', 'dbname' => 'wiki', 'host' => '', 'user' => '', 'password' => '',
  'dbDirectory' => $wgSQLiteDataDir, 'flags' => DBO_DEFAULT, 'load' => 1, 'variables' => [ 'synchronous' => 'OFF' ] ] ];
$wgJobTypeConf['default']['server']['variables']['synchronous'] = 'OFF';
"""


class Missing(Exception):
    """What is needed to run a MediaWiki is not on this machine: what, and how to get it."""


def find_code(home: Path, install: bool = False) -> Path:
    """The folder of MediaWiki's code, unpacked once into `home`; `install` may install PHP, as root."""
    code = home / "code"
    home.mkdir(parents=True, exist_ok=True)
    with locked(home / "code.lock"):
        _check_php(install)
        if not (code / "api.php").is_file():
            _unpack(code)
    return code


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """One process at a time."""
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def make_wiki(code: Path, folder: Path, pages: Sequence[Exported], language: str = "en") -> None:
    """A finished wiki in a folder, which can be copied and served on any port."""
    for part in ("data", "images", "cache", "htdocs"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    _php(
        code, None, "install", "--quiet", "--dbtype=sqlite", "--dbname=wiki", f"--dbpath={folder / 'data'}",
        f"--confpath={folder}", "--server=http://127.0.0.1:8095", "--scriptpath=/w", f"--lang={language}", "--skins=",
        "--pass=correct-horse-battery", "Fictopedia", "Admin",
    )  # fmt: skip
    settings = (folder / "LocalSettings.php").read_text(encoding="utf-8")
    settings = settings.replace(f'"{folder / "data"}"', "__DIR__ . '/data'").replace(
        '$wgServer = "http://127.0.0.1:8095";', "$wgServer = 'http://127.0.0.1:' . ( getenv( 'MW_PORT' ) ?: 8095 );"
    )
    (folder / "LocalSettings.php").write_text(settings + _SETTINGS, encoding="utf-8")
    add_pages(code, folder, pages)
    _php(code, folder, "rebuildrecentchanges", "--from=20010101000000", "--to=20990101000000")
    # The first request would build the cache of texts, in each copy again
    with serving(code, folder):
        pass


def add_pages(code: Path, folder: Path, pages: Sequence[Exported]) -> None:
    """Imports pages with the times of their revisions, and their entries in the log."""
    export = folder / "import.xml"
    write_export(pages, export)
    # Link tables are rebuilt afterwards, which is six times as fast
    _php(code, folder, "importDump", "--no-local-users", "--no-updates", "--quiet", str(export))
    export.unlink()
    _php(code, folder, "refreshLinks", "--quiet")
    mend_log(folder / "data" / "wiki.sqlite", pages)
    # An installer's page would be one that was created after the cutoff, from the next day on
    forget_creations(folder / "data" / "wiki.sqlite", _MAIN_PAGES)
    delete_pages(code, folder, [*_MAIN_PAGES, *(page.title for page in pages if page.deleted)])
    _php(code, folder, "initSiteStats", "--update")


def delete_pages(code: Path, folder: Path, titles: Sequence[str]) -> None:
    """Deletes pages as an administrator does, with an entry in the log."""
    _batch(code, folder, "deleteBatch", titles)


def move_pages(code: Path, folder: Path, moves: Sequence[tuple[str, str]]) -> None:
    """Renames pages, leaving no redirect behind."""
    _batch(code, folder, "moveBatch", ["|".join(move) for move in moves], "--noredirects")


def edit_page(code: Path, folder: Path, title: str, text: str) -> None:
    """Saves a new revision of a page."""
    _php(code, folder, "edit", "--user=Admin", title, given=text)


def dump_wiki(code: Path, folder: Path, into: Path) -> tuple[Path, Path]:
    """Dumps of a wiki as its own script writes them: of all its pages' last revisions, and of its log."""
    pages, log = into / "pages.xml", into / "log.xml"
    _php(code, folder, "dumpBackup", "--current", "--quiet", f"--output=file:{pages}")
    _php(code, folder, "dumpBackup", "--logs", "--quiet", f"--output=file:{log}")
    return pages, log


def cached_wiki(home: Path, name: str, pages: Sequence[Exported], language: str = "en") -> Path:
    """A finished wiki of these pages, made once on this machine: to be copied, not to be served."""
    code = find_code(home)
    written = json.dumps([asdict(page) for page in pages], default=str)
    key = hashlib.sha256((f"{_RECIPE}{_SETTINGS}{language}{written}").encode()).hexdigest()[:16]
    folder = home / f"{name}-{key}"
    with locked(home / f"{name}.lock"):
        if not (folder / "finished").exists():
            shutil.rmtree(folder, ignore_errors=True)
            make_wiki(code, folder, pages, language)
            (folder / "finished").touch()
    return folder


def temporary_home() -> Path:
    """Where tests keep code and finished wikis, shared by all their processes and by later runs."""
    return Path(tempfile.gettempdir()) / f"benchwright-mediawiki-{os.getuid()}"


@contextlib.contextmanager
def serving(code: Path, folder: Path, port: int = 0, environment: Mapping[str, str] | None = None) -> Iterator[str]:
    """Serves a wiki while the context lasts: the address of the folder of its `api.php`."""
    port = port or free_port()
    entry = folder / "htdocs" / "w"
    if not entry.is_symlink() or entry.readlink() != code:
        entry.unlink(missing_ok=True)
        entry.symlink_to(code)
    with (folder / "http.log").open("wb") as log:
        server = subprocess.Popen(
            [
                "php", "-q", *_compiled(code), "-d", "opcache.max_accelerated_files=20000",
                "-S", f"127.0.0.1:{port}", "-t", "htdocs",
            ],
            cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
            env={
                **os.environ, "MW_CONFIG_FILE": str(folder / "LocalSettings.php"), "MW_PORT": str(port),
                "PHP_CLI_SERVER_WORKERS": str(_WORKERS), **(environment or {}),
            },
        )  # fmt: skip
    address = f"http://127.0.0.1:{port}/w/"
    try:
        _wait(address, server, folder / "http.log")
        yield address
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(server.pid, signal.SIGTERM)
        server.wait()


def free_port() -> int:
    """A port that nobody uses at this moment."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


def _wait(address: str, server: subprocess.Popen[bytes], log: Path) -> None:
    ends = time.monotonic() + _PATIENCE
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    while time.monotonic() < ends and server.poll() is None:
        try:
            with opener.open(f"{address}api.php?action=query&meta=siteinfo&format=json", timeout=_PATIENCE) as reply:
                reply.read()
            return
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError(f"MediaWiki does not start: {log.read_text(errors='replace')[-500:]}")


def _check_php(install: bool) -> None:
    lacking = _lacking()
    if lacking and install and os.getuid() == 0 and shutil.which("apt-get"):
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        _run(["apt-get", "update", "-qq"], env=environment)
        _run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", *PHP_PACKAGES], env=environment)
        lacking = _lacking()
    if lacking:
        raise Missing(
            f"MediaWiki needs {lacking}: run `apt-get install --no-install-recommends {' '.join(PHP_PACKAGES)}` as root"
        )


def _lacking() -> str:
    if not shutil.which("php"):
        return "PHP"
    modules = subprocess.run(["php", "-m"], capture_output=True, text=True, check=False).stdout.lower().split()
    missing = [name for name in _EXTENSIONS if name not in modules]
    return f"PHP's {', '.join(missing)}" if missing else ""


def _unpack(code: Path) -> None:
    """Debian's packages without installing them, which would bring a web server along."""
    for tool in ("apt-get", "dpkg"):
        if not shutil.which(tool):
            raise Missing(f"MediaWiki's code comes from Debian's packages, and {tool} is not here")
    with tempfile.TemporaryDirectory(dir=code.parent) as name:
        folder = Path(name)
        folder.chmod(0o777)  # apt-get downloads as a user of its own
        _download(folder)
        for package in sorted(folder.glob("*.deb")):
            _run(["dpkg", "-x", str(package), "unpacked"], cwd=folder)
        found = folder / "unpacked" / "usr" / "share" / "mediawiki"
        for link in ("extensions", "config", "images", "LocalSettings.php"):  # they lead into the system
            (found / link).unlink(missing_ok=True)
        (found / "extensions-core").rename(found / "extensions")
        (found / "images").mkdir()
        shutil.rmtree(code, ignore_errors=True)
        found.rename(code)


def _download(folder: Path) -> None:
    """Gets the packages; root may get the lists of packages first, where they are missing or old."""
    wanted = ["apt-get", "download", "-qq", *PACKAGES]
    if os.getuid() == 0 and subprocess.run(wanted, cwd=folder, capture_output=True, check=False).returncode:
        _run(["apt-get", "update", "-qq"])
    if len(list(folder.glob("*.deb"))) < len(PACKAGES):
        _run(wanted, cwd=folder)


def _batch(code: Path, folder: Path, script: str, lines: Sequence[str], *options: str) -> None:
    listed = folder / "batch.txt"
    listed.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    _php(code, folder, script, *options, str(listed))
    listed.unlink()


def _php(code: Path, folder: Path | None, script: str, *arguments: str, given: str | None = None) -> None:
    """Runs one of MediaWiki's maintenance scripts."""
    settings = {"MW_CONFIG_FILE": str(folder / "LocalSettings.php")} if folder else {}
    command = ["php", *_compiled(code), str(code / "maintenance" / f"{script}.php"), *arguments]
    _run(command, env={**os.environ, **settings}, given=given)


def _compiled(code: Path) -> list[str]:
    """Options of PHP by which each process takes what another has compiled: a start takes a third of the time."""
    folder = code.parent / "compiled"
    folder.mkdir(exist_ok=True)
    return ["-d", "opcache.enable_cli=1", "-d", f'opcache.file_cache="{folder}"']


def _run(command: list[str], given: str | None = None, **options: Any) -> None:
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", input=given or "",
        check=False, **options,
    )  # fmt: skip
    if done.returncode:
        last = " ".join(done.stdout.split())[-400:]
        failure = Missing if command[0] in ("apt-get", "dpkg") else RuntimeError
        raise failure(f"`{' '.join(command[:3])}` failed: {last}")
