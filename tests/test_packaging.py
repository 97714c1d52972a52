"""The wheel holds every module and every data file, and nothing outside `benchwright`; a checker sees its types."""

import ast
import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from built import Built
from support import ROOT

FOLDERS = ("benchmarks", "builders", "cards", "scripts")
DATA = {".toml", ".json", ".jinja", ".md", ".js", ".css"}
GUIDES = "benchwright/cards/guides/"
"""The documentation is read in the repository or as a site: no command needs it."""
USER = '''
"""A file of a user's own."""

from collections.abc import Iterator

import benchwright
from benchwright import BenchwrightError, Metric, Prediction, Question, Release, Report, Run, Score, System


class Rag:
    def answer(self, question: str) -> str:
        return question.upper()


async def later(question: str) -> dict[str, object]:
    return {"answer": question}


def use() -> Iterator[Prediction]:
    release: Release = benchwright.build_release("aurp", {"coverage": 0.5}, seed=3)
    release = benchwright.load_release("aurp")
    problems: list[str] = benchwright.verify_release(release).problems
    rag: System = Rag()
    run: Run = benchwright.score_system(release, rag, limit=10)
    run = benchwright.score_system("aurp", later, conditions=["own", "closed"], metrics=["correct"])
    run = benchwright.read_run("aurp/rag")
    report: Report = run.report
    print(report.metrics, run.folder.name, run.scores, problems)
    try:
        benchwright.register("command", "x", object())
    except BenchwrightError as error:
        print(error)
    yield from run.predictions()


def length(question: Question, prediction: Prediction) -> Score:
    return Score(float(len(prediction.answer or "")), question.id)


def name(metric: Metric) -> str:
    return metric.name
'''


def _clone(folder: Path) -> None:
    """A clone of the repository with what is not committed yet, the wheel that is built from it, and what is in that."""
    copy = folder / "source"
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
    code = f"import setuptools.build_meta as b; b.build_wheel({str(folder)!r})"
    subprocess.run([sys.executable, "-c", code], cwd=copy, check=True, capture_output=True)
    zipfile.ZipFile(next(folder.glob("*.whl"))).extractall(folder / "site")


@pytest.fixture(scope="module")
def clone(built: Built) -> Path:
    """The folder with `source`, the wheel, and `site`, where it is unpacked and compiled once for all who start it."""
    return built.folder("wheel", _clone)


@pytest.fixture(scope="module")
def wheel(clone: Path) -> Path:
    """The wheel."""
    return next(clone.glob("*.whl"))


def test_what_readers_of_documents_import_is_declared() -> None:
    """Each library is a dependency, and that of the extra `documents` is imported where a PDF is read only."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    names = packages_distributions()
    found: dict[str, set[str]] = {}
    for path in (ROOT / "builders" / "documents").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            module = node.names[0].name if isinstance(node, ast.Import) else getattr(node, "module", None) or ""
            top = module.split(".")[0]
            if top and top != "benchwright" and top not in sys.stdlib_module_names:
                found.setdefault(names[top][0].lower(), set()).add(path.name)
    declared = {re.split(r"[^\w.-]", each)[0] for each in project["dependencies"]}
    assert found.keys() - declared == {"pypdf"} and found["pypdf"] == {"pdf.py"}
    assert [re.split(r"[^\w.-]", each)[0] for each in project["optional-dependencies"]["documents"]] == ["pypdf"]
    assert {"lxml", "markdown-it-py"} <= found.keys() and "python-docx" in declared


def test_wheel_is_complete(clone: Path, wheel: Path) -> None:
    source = clone / "source"
    names = set(zipfile.ZipFile(wheel).namelist())
    wanted = {
        f"benchwright/{path.relative_to(source).as_posix()}".replace("/scripts/api/", "/")
        for folder in FOLDERS
        for path in (source / folder).rglob("*")
        if path.suffix == ".py" or path.name == "py.typed" or path.suffix in DATA
    }
    assert "benchwright/py.typed" in wanted
    wanted = {name for name in wanted if not name.startswith(GUIDES)}
    assert wanted <= names, sorted(wanted - names)
    assert {name.split("/")[0] for name in names} == {"benchwright", "benchwright-0.1.0.dist-info"}


@pytest.mark.parametrize("server", ["hub", "openai", "mediawiki"])
def test_servers_start_from_the_wheel(clone: Path, server: str) -> None:
    """With nothing of the repository: their code is the wheel's, and so are the sentences of the encyclopedia."""
    module = f"benchwright.scripts.servers.{server}.command"
    code = f"import {module} as it; print(it.__file__)"
    if server == "mediawiki":
        code += "; from benchwright.builders.wiki.own.encyclopedia import encyclopedia; encyclopedia(30)"
    environment = {**os.environ, "PYTHONPATH": str(clone / "site")}
    for arguments in (["-c", code], ["-m", module, "--help"]):
        done = subprocess.run(
            [sys.executable, "-P", *arguments], env=environment, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith((str(clone / "site"), "usage: ", "Usage: "))


def test_strict_types_of_a_users_file(wheel: Path, tmp_path: Path) -> None:
    """In an environment where the wheel is installed beside what it needs."""
    place = tmp_path / "venv"
    venv.create(place)
    packages = place / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"
    zipfile.ZipFile(wheel).extractall(packages)
    (packages / "beside.pth").write_text(sysconfig.get_path("purelib") + "\n")
    (tmp_path / "mypy.ini").write_text("[mypy]\n[mypy-openai.*,datasets.*,huggingface_hub.*]\nfollow_imports = skip\n")
    (tmp_path / "use.py").write_text(USER)
    (tmp_path / "wrong.py").write_text("import benchwright\nbenchwright.load_release(3)\nbenchwright.nothing()\n")
    command = [sys.executable, "-m", "mypy", "--strict", "--python-executable", str(place / "bin" / "python")]
    environment = {name: value for name, value in os.environ.items() if name != "MYPYPATH"}
    result = subprocess.run(
        [*command, "use.py", "wrong.py"], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert result.stdout.splitlines() == [
        'wrong.py:2: error: Argument 1 to "load_release" has incompatible type "int"; expected "str | Path"  [arg-type]',
        'wrong.py:3: error: Module has no attribute "nothing"  [attr-defined]',
        "Found 2 errors in 1 file (checked 2 source files)",
    ], result
