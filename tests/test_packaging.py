"""The wheel holds every module and every data file, and nothing outside `benchwright`."""

import subprocess
import sys
import zipfile
from pathlib import Path

from support import ROOT

FOLDERS = ("benchmarks", "builders", "cards", "scripts")
DATA = {".toml", ".json", ".jinja", ".md"}
GUIDES = "benchwright/cards/guides/"
"""The documentation is read in the repository or as a site: no command needs it."""


def test_wheel_is_complete(tmp_path: Path) -> None:
    code = f"import setuptools.build_meta as b; b.build_wheel({str(tmp_path)!r})"
    copy = tmp_path / "source"
    subprocess.run(["git", "clone", "-q", "--no-hardlinks", str(ROOT), str(copy)], check=True)
    for name in subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines():
        source, target = ROOT / name, copy / name
        if source.is_file() and not source.is_symlink():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(source.read_bytes())
    subprocess.run([sys.executable, "-c", code], cwd=copy, check=True, capture_output=True)
    names = set(zipfile.ZipFile(next(tmp_path.glob("*.whl"))).namelist())
    wanted = {
        f"benchwright/{path.relative_to(copy).as_posix()}".replace("/scripts/api/", "/")
        for folder in FOLDERS
        for path in (copy / folder).rglob("*")
        if path.suffix == ".py" or path.name == "py.typed" or path.suffix in DATA
    }
    wanted = {name for name in wanted if not name.startswith(GUIDES)}
    assert wanted <= names, sorted(wanted - names)
    assert {name.split("/")[0] for name in names} == {"benchwright", "benchwright-0.1.0.dist-info"}
