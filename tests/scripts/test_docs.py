"""The README: every command is in it, its generated parts are up to date, and what it shows works as it is written."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from support import ROOT, Run

from benchwright.scripts.maintain.reference import COMMANDS, with_reference
from benchwright.scripts.servers.hub.server import Hub
from benchwright.scripts.servers.openai.server import OpenAIServer

README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w*)\n(.*?)```", README, re.DOTALL)


def test_generated_parts_are_up_to_date() -> None:
    assert with_reference(README) == README, "run: python -m benchwright.scripts.maintain.reference"


def test_every_command_is_documented() -> None:
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    assert sorted(scripts) == sorted(COMMANDS)


def test_console_blocks_print_what_they_show(run: Run, tmp_path: Path) -> None:
    """The page from top to bottom, with its local servers on ports of their own."""
    (tmp_path / "scripts").symlink_to(ROOT / "scripts")
    shown = [block for kind, block in BLOCKS if kind == "console"]
    assert len(shown) == 8
    (tmp_path / "my_rag.py").write_text(block("python", "def answer"))
    with OpenAIServer() as models, Hub(tmp_path / "hub") as hub:
        places = {"http://127.0.0.1:8080/v1": models.url, "http://127.0.0.1:8090": hub.url}
        environment: dict[str, str] = {"HF_HUB_OFFLINE": "0", "XDG_CACHE_HOME": str(tmp_path / "cache")}
        for name, value in re.findall(r"^export (\w+)=(\S+)$", README, re.MULTILINE):
            if value != "…":
                environment[name] = places.get(str(value), str(value))
        assert environment.keys() >= {"OPENAI_BASE_URL", "HF_ENDPOINT", "HF_TOKEN"}
        for example in shown:
            first, _, expected = example.partition("\n")
            result = run(*first.removeprefix("$ ").split(), env=environment)
            for place, url in places.items():
                expected = expected.replace(place, url)
            assert (result.returncode, result.stdout) == (0, expected), result
        loaded = [block for kind, block in BLOCKS if kind == "python" and "load_dataset" in block]
        printed = [
            subprocess.run(
                [sys.executable, "-c", code],
                cwd=tmp_path,
                env={**os.environ, **environment},
                capture_output=True,
                text=True,
                check=True,
            ).stdout
            for code in loaded
        ]
        assert models.calls == 200 and not hub.errors
    assert printed == ["what about client Alvent International's location? ['Cluj-Napoca, Romania']\n", "39600\n"]


def test_scripts_that_are_named_exist() -> None:
    for name in re.findall(r"^scripts/[\w-]+$", README, re.MULTILINE):
        assert os.access(ROOT / name, os.X_OK), name
    for name in re.findall(r"python -m (benchwright[\w.]+)", README):
        assert (
            subprocess.run([sys.executable, "-m", name, "--help"], capture_output=True, check=False).returncode == 0
        ), name


def block(kind: str, part: str) -> str:
    (found,) = [text for language, text in BLOCKS if language == kind and part in text]
    return found


@pytest.fixture
def package(tmp_path: Path) -> dict[str, str]:
    """The README's own builder, installed as another package is: found by its entry point."""
    made = tmp_path / "site"
    (made / "lighthouse-1.0.dist-info").mkdir(parents=True)
    (made / "lighthouse.py").write_text(block("python", "HEIGHTS"))
    (made / "lighthouse.toml").write_text(block("toml", "Lighthouses"))
    points = tomllib.loads(block("toml", "entry-points"))["project"]["entry-points"]
    lines = [f"[{group}]\n" + "".join(f"{k} = {v}\n" for k, v in found.items()) for group, found in points.items()]
    (made / "lighthouse-1.0.dist-info" / "entry_points.txt").write_text("".join(lines))
    (made / "lighthouse-1.0.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: lighthouse\nVersion: 1.0\n"
    )
    return {"PYTHONPATH": str(made)}


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
            "no benchmark 'lighthouse': lighthouse of package lighthouse cannot be used: it must be a module with VERSION, a text, and build(request, writer)",
        ),
        (
            "lighthouse.py",
            "import nothing_there\n",
            "no benchmark 'lighthouse': lighthouse of package lighthouse cannot be used: ModuleNotFoundError(\"No module named 'nothing_there'\")",
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
