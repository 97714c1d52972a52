"""The GitHub Action: its steps in their order, with their conditions, as a runner does them; a cache is a folder here."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml
from guides import PAGES, blocks_of
from report_cases import make_release
from support import ROOT

from benchwright.benchmarks.types import Question

ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
SYSTEM = """
TOWNS = ("Oslo", "Perth", "Bergen", "Turin")

def answer(question):
    number = int(question.split()[-1].rstrip("?"))
    return "I don't know" if number < WORSE else TOWNS[number % 4]
"""
GROUPS = 60


@dataclass
class Runner:
    """A repository that is checked out, and the caches of its host."""

    folder: Path
    inputs: Mapping[str, str]
    github: Mapping[str, str]
    caches: Path
    outputs: dict[str, dict[str, str]] = field(default_factory=dict)
    said: str = ""

    def run(self, *, without: tuple[str, ...] = ("Install",)) -> int:
        """Does the steps until one fails, and returns how that ended."""
        for step in STEPS:
            if step["name"] in without or ("if" in step and not self._value(step["if"])):
                continue
            if "uses" in step:
                self._cache(step["uses"], {name: self._filled(text) for name, text in step["with"].items()})
            elif code := self._script(step):
                return code
        return 0

    def _script(self, step: Mapping[str, Any]) -> int:
        output = self.folder / "output"
        output.write_text("")
        environment = {
            **os.environ,
            **{name: self._filled(text) for name, text in step.get("env", {}).items()},
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "GITHUB_OUTPUT": str(output),
            "GITHUB_STEP_SUMMARY": str(self.folder / "step-summary.md"),
            "GITHUB_ACTION_PATH": str(ROOT),
        }
        assert step["shell"] == "bash"
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        done = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False)
        self.said += done.stdout + done.stderr
        if "id" in step:
            self.outputs[step["id"]] = dict(line.split("=", 1) for line in output.read_text().splitlines())
        return done.returncode

    def _cache(self, action: str, given: Mapping[str, str]) -> None:
        """Keeps a folder under a key, or brings back the newest whose key is the one, or begins with another."""
        path = self.folder / given["path"]
        if action == "actions/cache/save@v4":
            shutil.copytree(path, self.caches / given["key"])
            return
        assert action == "actions/cache/restore@v4"
        shutil.rmtree(path, ignore_errors=True)
        kept = [each for each in self.caches.iterdir() if each.name.startswith((given["key"], given["restore-keys"]))]
        if kept:
            shutil.copytree(max(kept, key=lambda each: each.stat().st_mtime), path)

    def _filled(self, text: str) -> str:
        return re.sub(r"\$\{\{ (.+?) \}\}", lambda found: str(self._value(found[1])), text)

    def _value(self, expression: str) -> Any:
        """What an expression of a workflow comes to."""
        text = expression.replace("&&", " and ").replace("||", " or ")
        return eval(re.sub(r"\b(inputs|github|steps)(\.\w+)+", lambda found: repr(self._named(found[0])), text))

    def _named(self, name: str) -> str:
        kind, *rest = name.split(".")
        if kind == "steps":
            return self.outputs.get(rest[0], {}).get(rest[2], "")
        return self.inputs[rest[0]] if kind == "inputs" else self.github[rest[0]]


def runner(folder: Path, event: str, worse: int = 0, **given: str) -> Runner:
    (folder / "my_rag.py").write_text(f"WORSE = {worse}\n{SYSTEM}")
    (folder / "caches").mkdir(exist_ok=True)
    defaults = {name: about.get("default", "") for name, about in ACTION["inputs"].items()}
    inputs = {**defaults, "release": "small", "system": "my_rag:answer", **given}
    assert inputs.keys() == defaults.keys()
    branch = {"base_ref": "main", "ref_name": "7/merge"} if event == "pull_request" else {"ref_name": "main"}
    github = {"event_name": event, "sha": f"{event}-{worse}", "base_ref": "", **branch}
    return Runner(folder, inputs, github, folder / "caches")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    towns = ("Oslo", "Perth", "Bergen", "Turin")
    questions = [
        Question(f"q{number}", f"Where is {number}?", (towns[number % 4],), answer_type="one", group=f"g{number}")
        for number in range(GROUPS)
    ]
    make_release(tmp_path / "releases" / "small" / "1.0.0", questions)
    return tmp_path


def test_it_fails_a_pull_request_only_where_a_loss_is_shown(checkout: Path) -> None:
    pushed = runner(checkout, "push")
    assert pushed.run() == 0, pushed.said
    assert [each.name for each in (checkout / "caches").iterdir()] == ["benchwright-system-main-push-0"]
    alike = runner(checkout, "pull_request", worse=1)
    assert alike.run() == 0, alike.said
    assert alike.outputs["compare"] == {"verdict": "inconclusive"}
    assert "## compare-systems: 1 inconclusive" in (checkout / "step-summary.md").read_text()
    worse = runner(checkout, "pull_request", worse=20, options="--limit 50 --wordings '1'")
    assert worse.run() == 3, worse.said
    assert worse.outputs["compare"] == {"verdict": "failed"}
    assert "failed" in worse.said and "over 50 groups; asked for is +0.0 points" in worse.said, worse.said


def test_where_nothing_is_kept_nothing_fails(checkout: Path) -> None:
    first = runner(checkout, "pull_request")
    first.outputs["score"] = {"run": ".benchwright/runs/small/1.0.0/system"}
    assert first.run(without=("Install", "Score")) == 0
    assert first.said.startswith("::notice::No run of the base branch is kept yet")
    assert first._filled(ACTION["outputs"]["verdict"]["value"]) == "none"


def test_what_cannot_be_scored_fails(checkout: Path) -> None:
    lost = runner(checkout, "push", system="no_such_module:answer")
    assert lost.run() == 1, lost.said
    assert lost.said.startswith("error: ") and list((checkout / "caches").iterdir()) == []


def test_the_workflow_of_the_guide_uses_it_as_it_is() -> None:
    page = next(page for page in PAGES if page.name == "test-your-rag.md")
    (workflow,) = (yaml.safe_load(block.text) for block in blocks_of(page) if block.kind == "yaml")
    (step,) = (each for each in workflow["jobs"]["score"]["steps"] if each["uses"].endswith("benchwright"))
    needed = {name for name, about in ACTION["inputs"].items() if about.get("required")}
    assert needed <= step["with"].keys() <= ACTION["inputs"].keys()
    assert workflow[True] == {"push": {"branches": ["main"]}, "pull_request": None}  # YAML reads `on` so
