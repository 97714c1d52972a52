"""`import benchwright`: what it gives, and that it leaves the process as it was."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lighthouses import make_release
from support import ROOT

import benchwright
from benchwright.benchmarks.errors import BenchwrightError, UsageError

PROCESS = """
import json, logging, signal, sys, warnings

def state():
    arrow = sys.modules.get("pyarrow")
    return {
        "path": list(sys.path),
        "handlers": [repr(each) for each in (*logging.getLogger().handlers, *logging.getLogger("benchwright").handlers)],
        "levels": [logging.getLogger().level, logging.getLogger("benchwright").level],
        "filters": [repr(each) for each in warnings.filters],
        "signals": [repr(signal.getsignal(number)) for number in signal.valid_signals()],
        "streams": [id(sys.stdout), id(sys.stderr)],
        "excepthook": id(sys.excepthook),
        "pool": arrow.default_memory_pool().backend_name if arrow else None,
    }
"""


def in_a_process(code: str, folder: Path) -> dict[str, list[str]]:
    done = subprocess.run(
        [sys.executable, "-c", PROCESS + code], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_importing_changes_nothing(tmp_path: Path) -> None:
    found = in_a_process(
        "before, modules = state(), set(sys.modules)\n"
        "import benchwright\n"
        "assert dir(benchwright) and benchwright.__all__\n"
        "print(json.dumps({'changed': [key for key, value in state().items() if value != before[key]],\n"
        "                  'new': sorted(set(sys.modules) - modules)}))",
        tmp_path,
    )
    assert found["changed"] == []
    assert {name.partition(".")[0] for name in found["new"]} <= {"benchwright", "typing", "_typing", "collections"}
    assert [name for name in found["new"] if name.startswith("benchwright")] == ["benchwright"]


def test_building_and_scoring_leave_the_process_as_it_was(company: Path, tmp_path: Path) -> None:
    found = in_a_process(
        "import pyarrow, pyarrow.parquet, openai, numpy, datasets, scipy.stats\n"
        "before = state()\n"
        "import benchwright\n"
        "release = benchwright.build_release('grammar', {'database': 'company.sqlite', 'forms': 'short'})\n"
        "said = []\n"
        "def answer(question):\n"
        "    said.append(sys.stdout is sys.__stdout__)\n"
        "    return 'Oslo'\n"
        "run = benchwright.score_system(release, answer)\n"
        "assert all(said) and said\n"
        "after = state()\n"
        "print(json.dumps({'changed': [key for key, value in after.items() if value != before[key]]}))",
        tmp_path,
    )
    assert found == {"changed": []}


def test_what_it_gives_is_sorted_and_there() -> None:
    assert benchwright.__all__ == sorted(benchwright.__all__)
    for name in benchwright.__all__:
        assert getattr(benchwright, name).__doc__, name
    with pytest.raises(AttributeError, match="module 'benchwright' has no attribute 'load_realease'"):
        benchwright.load_realease  # type: ignore[attr-defined]  # noqa: B018


def test_from_a_release_to_a_report(tmp_path: Path) -> None:
    built = make_release(tmp_path / "releases")
    release = benchwright.load_release(built.manifest.name, releases=tmp_path / "releases")
    assert release == built
    assert benchwright.verify_release(release).problems == []
    run = benchwright.score_system(release, "oracle", runs=tmp_path / "runs")
    assert run.folder == tmp_path / "runs" / built.manifest.name / built.manifest.version / "oracle"
    assert (run.report.metrics["correct"].value, run.report.metrics["correct"].total) == (1.0, 8)
    assert run.page.is_file()
    assert "<strong>lights 1.0.0 · oracle (baseline) · 10 questions</strong>" in run._repr_html_()
    assert run.report._repr_html_() == run._repr_html_()
    assert run.report.to_markdown().startswith("# lights 1.0.0 · oracle (baseline) · 10 questions\n")
    correct = [row for row in run.scores.to_pylist() if row["metric"] == "correct"]
    assert len(correct) == len(list(run.predictions())) == built.manifest.splits["questions"]["test"]
    for reference in (f"{built.manifest.name}/oracle", f"{built.manifest.name}/{built.manifest.version}/oracle"):
        assert benchwright.read_run(reference, runs=tmp_path / "runs") == run
    assert benchwright.read_run(run.folder) == run
    with pytest.raises(BenchwrightError, match=r"^there is no run 'lights/none' in .*: name a folder or NAME"):
        benchwright.read_run("lights/none", runs=tmp_path / "runs")


class Shout:
    """A system that answers with what it was asked."""

    def answer(self, question: str) -> str:
        return question.upper()


async def whisper(question: str) -> dict[str, object]:
    await asyncio.sleep(0)
    return {"answer": question.lower()}


@pytest.mark.parametrize("system", [Shout(), whisper, lambda question: question.upper()])
def test_systems_within_a_running_event_loop(system: Callable[..., str], tmp_path: Path) -> None:
    """As in a notebook."""
    release = make_release(tmp_path / "releases")

    async def cell() -> benchwright.Run:
        return benchwright.score_system(release, system, runs=tmp_path / "runs", name="mine")

    answers = [each.answer for each in asyncio.run(cell()).predictions()]
    assert len(answers) == release.manifest.splits["questions"]["test"]
    assert all(text and (text.isupper() or text.islower()) for text in answers)


def test_a_call_says_how_far_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    release, told = make_release(tmp_path / "releases"), list[tuple[str, int, int]]()
    total = release.manifest.splits["questions"]["test"]

    def score(**options: Any) -> str:
        capsys.readouterr()
        benchwright.score_system(release, lambda question: "Oslo", runs=tmp_path, name="mine", again=True, **options)
        return capsys.readouterr().err

    assert score() == ""
    assert score(progress=lambda *said: told.append(said)) == ""
    assert [said for said in told if said[0] == "questions asked"] == [
        ("questions asked", done, total) for done in range(total + 1)
    ]
    said = score(progress=True)
    assert said.startswith("\rquestions asked: 0 of ") and said.endswith("\n") and said.count("\n") == 1
    assert f"\rquestions asked: {total} of {total}" in said


def test_a_second_call_asks_what_is_missing_only(tmp_path: Path) -> None:
    release = make_release(tmp_path / "releases")
    asked: list[str] = []

    def answer(question: str) -> str:
        asked.append(question)
        return "Gannet Rock"

    for _ in range(2):
        benchwright.score_system(release, answer, runs=tmp_path / "runs", name="gannet")
    assert len(asked) == release.manifest.splits["questions"]["test"]
    with pytest.raises(
        UsageError, match=r"there is no condition 'golden': choose from own, closed, gold, without-gold"
    ):
        benchwright.score_system(release, answer, runs=tmp_path / "runs", conditions=["golden"])


def test_registering_from_python(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"^there is no kind 'metrics': choose from builder, "):
        benchwright.register("metrics", "length", object())
    with pytest.raises(UsageError, match=r"^command 'shout' cannot be registered: it is of type object, not Command$"):
        benchwright.register("command", "shout", object())


def test_checkers_see_what_users_import() -> None:
    """`.typing/benchwright` has a link to each file of `scripts/api`."""
    linked = {path.name: path.resolve() for path in (ROOT / ".typing/benchwright").iterdir() if path.is_file()}
    assert linked == {path.name: path for path in (ROOT / "scripts/api").iterdir() if path.is_file()}
