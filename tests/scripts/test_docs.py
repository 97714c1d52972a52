"""The documentation: its generated parts are up to date, what it names exists, and the builder that it shows works."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from guides import GUIDES, PAGES, blocks_of
from support import ROOT, Run

from benchwright.scripts.maintain.picture import PICTURE
from benchwright.scripts.maintain.reference import with_reference


def test_generated_parts_are_up_to_date() -> None:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        assert with_reference(text) == text, "run: python -m benchwright.scripts.maintain.reference"


def test_the_readme_is_short() -> None:
    assert (ROOT / "README.md").stat().st_size <= 11_500
    assert 10_000 < PICTURE.stat().st_size < 150_000


def test_the_last_lines_of_the_quickstart_are_shown() -> None:
    script = (ROOT / "scripts" / "quickstart").read_text(encoding="utf-8")
    (last,) = re.findall(r"^cat <<TXT\n\n(.*?)^TXT$", script, re.MULTILINE | re.DOTALL)
    (shown,) = [block.text for block in blocks_of(ROOT / "README.md") if block.note.startswith("the last lines")]
    assert shown == last.replace("$SECONDS", "…")


def test_scripts_that_are_named_exist() -> None:
    text = re.sub(r"\]\([^)]*\)", "", "\n".join(page.read_text(encoding="utf-8") for page in PAGES))
    shell = set(re.findall(r"(?<![\w/])scripts/[a-z-]+(?![\w/.])", text))
    assert "scripts/quickstart" in shell
    for name in shell:
        assert (ROOT / name).is_dir() or os.access(ROOT / name, os.X_OK), name
    for name in set(re.findall(r"python -m (benchwright[\w.]+)", text)):
        shown = subprocess.run([sys.executable, "-m", name, "--help"], capture_output=True, check=False)
        assert shown.returncode == 0, name


def test_files_that_are_named_exist() -> None:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for name in set(re.findall(r"`((?:benchmarks|builders|cards|scripts|tests)/[\w./-]*)`", text)):
            if "NAME" not in name:
                assert (ROOT / name).exists(), f"{page.name}: {name}"


@pytest.fixture
def package(tmp_path: Path) -> dict[str, str]:
    """The package that the guide makes, installed: found by its entry points."""
    site = tmp_path / "site"
    site.mkdir()
    for block in blocks_of(GUIDES / "extend.md"):
        if block.file:
            (site / block.file).write_text(block.text)
    points = tomllib.loads((site / "pyproject.toml").read_text())["project"]["entry-points"]
    lines = [f"[{group}]\n" + "".join(f"{k} = {v}\n" for k, v in found.items()) for group, found in points.items()]
    info = site / "lighthouse_kit-1.0.dist-info"
    info.mkdir()
    (info / "entry_points.txt").write_text("".join(lines))
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: lighthouse-kit\nVersion: 1.0\n")
    return {"PYTHONPATH": str(site)}


def test_a_builder_of_another_package(run: Run, tmp_path: Path, package: dict[str, str]) -> None:
    built = run("build-benchmark", "lighthouse", "--set", "lighthouses=2", env=package)
    assert (built.returncode, built.stdout) == (0, "releases/lighthouse/1.0.0\n"), built
    assert "2 corpus, 4 qrels, 4 queries, 4 questions" in built.stderr or "4 questions" in built.stderr
    proved = run("verify-benchmark", "lighthouse", env=package)
    assert "proved: 4 evidence spans" in proved.stdout
    assert proved.returncode == 0
    card = (tmp_path / "releases/lighthouse/1.0.0/README.md").read_text()
    assert "| short | How tall is the lighthouse Gannet Rock? | 31 metres |" in card
    wrong = run("build-benchmark", "lighthouse", "--set", "lighthouses=9", env=package)
    assert wrong.stderr == "error: lighthouses=9 is out of range: give a number from 1 to 3\n"
    near = run("build-benchmark", "lighthose", env=package)
    assert near.stderr == "error: there is no benchmark 'lighthose': did you mean lighthouse?\n"


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        (
            "lighthouse.py",
            "VERSION = 1\n",
            "no benchmark 'lighthouse': lighthouse of package lighthouse-kit cannot be used: it must be a module with VERSION, a text, and build(request, writer)",
        ),
        (
            "lighthouse.py",
            "import nothing_there\n",
            "no benchmark 'lighthouse': lighthouse of package lighthouse-kit cannot be used: ModuleNotFoundError(\"No module named 'nothing_there'\")",
        ),
        ("lighthouse.toml", "title = 1", "lighthouse.toml is not as it must be: "),
        (
            "lighthouse.py",
            'VERSION = "1"\ndef build(request, writer): pass\n',
            "the build made no question: nothing is published",
        ),
    ],
)
def test_a_broken_builder_is_one_line(
    run: Run, tmp_path: Path, package: dict[str, str], file: str, content: str, message: str
) -> None:
    (tmp_path / "site" / file).write_text(content)
    result = run("build-benchmark", "lighthouse", env=package)
    assert result.returncode == 1
    assert result.stderr.startswith("error: ")
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("line", "instead", "message"),
    [
        ('question_id(group, "short", wording)', '"same-id"', "id: question same-id is there more than once (6 such)"),
        (
            "start + len(answer))",
            "start + 1000)",
            "evidence: question bef02eb32a5fdc10-f37c9a7e: its evidence gannet-rock[40:1040] is outside the document, "
            "which has 55 characters (6 such)",
        ),
        (
            "documents=(document,)",
            'documents=("elsewhere",)',
            "document: question bef02eb32a5fdc10-f37c9a7e names elsewhere, which is not in the corpus (6 such); "
            "12 problems in all",
        ),
    ],
)
def test_a_release_that_does_not_hold_is_not_built(
    run: Run, tmp_path: Path, package: dict[str, str], line: str, instead: str, message: str
) -> None:
    module = tmp_path / "site" / "lighthouse.py"
    text = module.read_text()
    assert line in text
    module.write_text(text.replace(line, instead))
    result = run("build-benchmark", "lighthouse", env=package)
    assert result.returncode == 1
    assert result.stderr == f"error: lighthouse is not built, for its rows do not hold: {message}\n"
    assert not list(tmp_path.glob("releases/*/*"))
