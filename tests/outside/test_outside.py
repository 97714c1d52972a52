"""A package of somebody else's adds one of everything; another one is broken in every way and stops nothing.

Both are installed by pip, as users do it, beside this package and not into its environment.
"""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from support import Run

from benchwright.scripts.servers.openai.server import OpenAIServer

HERE = Path(__file__).parent
KINDS = {
    "benchmark": "aurp",
    "config": "corpus",
    "proof": "groups",
    "metric": "correct",
    "kind of systems": "python-object",
    "section": "outcomes",
    "command": "build-benchmark",
}
"""What can be added → a name that is taken."""


def install(packages: list[str], place: Path) -> Mapping[str, str]:
    """Installs packages of this folder; what is returned is the environment in which they are found."""
    sources = [shutil.copytree(HERE / package, place / "sources" / package) for package in packages]
    options = ["--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check", "-q"]
    subprocess.run(
        [sys.executable, "-m", "pip", "install", *options, "--target", place / "site", *sources],
        check=True,
        capture_output=True,
    )
    return {"PYTHONPATH": str(place / "site")}


@pytest.fixture(scope="module")
def ferries(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """The environment in which `ferrykit` is installed."""
    return install(["ferrykit"], tmp_path_factory.mktemp("outside"))


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """The environment in which `ferrykit` and `brokenkit` are."""
    return install(["ferrykit", "brokenkit"], tmp_path_factory.mktemp("broken"))


def test_one_of_everything(run: Run, ferries: Mapping[str, str], tmp_path: Path) -> None:
    """A builder with its config and proof, a metric, a kind of systems, a section and a command."""
    built = run("build-benchmark", "ferries", env=ferries)
    assert (built.returncode, built.stdout) == (0, "releases/ferries/1.0.0\n"), built
    assert "3 timetable" in built.stderr
    proved = run("benchwright", "verify-benchmark", "ferries", env=ferries)
    assert (proved.returncode, proved.stderr) == (0, ""), proved
    assert "proved: 3 departures\n" in proved.stdout
    assert run("benchwright", "count-words", "ferries", env=ferries).stdout == "21\n"
    shown = run("benchwright", "--help", env=ferries).stdout
    assert shown.endswith("  count-words          Count the words of a release's questions.\n")

    scored = run("score-system", "ferries", "parrot:Thanks", env=ferries)
    assert (scored.returncode, scored.stdout) == (0, "runs/ferries/1.0.0/parrot-thanks\n"), scored
    assert re.search(r"Ferries\n(.*\n)?.*Answers of ferries.* 3", scored.stderr), scored.stderr
    folder = tmp_path / "runs/ferries/1.0.0/parrot-thanks"
    report = json.loads((folder / "report.json").read_text())
    assert (report["metrics"]["politeness"]["value"], report["metrics"]["politeness"]["scored"]) == (1.0, 3)
    assert next(iter(report["metrics"])) == "politeness", "the spec's primary metric leads"
    assert report["system"]["kind"] == "Parrot"
    assert [section["title"] for section in report["sections"] if section["id"] == "lengths"] == ["Ferries"]
    page = (folder / "report.html").read_text()
    assert "Answers of ferries" in page
    assert "politeness" in page


def test_a_judged_metric_of_anothers_asks_with_a_prompt_of_its_own(
    run: Run, ferries: Mapping[str, str], tmp_path: Path
) -> None:
    assert run("build-benchmark", "ferries", env=ferries).returncode == 0
    with OpenAIServer(lambda body: {"reason": "It is short.", "grade": 2}) as server:
        models = ["--model", "judge=scripted", "--base-url", server.url, "--cache", tmp_path / "replies.sqlite"]
        scored = run("score-system", "ferries", "parrot:Hi", "--metric", "warmth", *models, env=ferries)
    assert scored.returncode == 0, scored
    assert server.requests[0].body["messages"][1]["content"].startswith("The answer: Hi: When does")
    folder = tmp_path / "runs/ferries/1.0.0" / scored.stdout.strip().rpartition("/")[2]
    judged = [json.loads(line) for line in (folder / "judgments.jsonl").read_text().splitlines()]
    assert [(line["metric"], line["value"], line["reason"]) for line in judged] == [("warmth", 2.0, "It is short.")] * 3


def test_a_proof_of_anothers_finds_what_is_wrong(run: Run, ferries: Mapping[str, str], tmp_path: Path) -> None:
    site = tmp_path / "site"
    shutil.copytree(ferries["PYTHONPATH"], site)
    source = site / "ferrykit/ferries.py"
    source.write_text(source.read_text().replace('"departure": time}', '"departure": time[::-1]}'))
    env = {"PYTHONPATH": str(site)}
    built = run("build-benchmark", "ferries", env=env)
    verified = run("verify-benchmark", "ferries", env=env) if built.returncode == 0 else built
    assert verified.returncode == 1
    assert "has an answer that is in no timetable" in verified.stdout + verified.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["build-benchmark", "feries"], "there is no benchmark 'feries': did you mean ferries?"),
        (["build-benchmark", "ferries", "--set", "harbours=9"], "harbours=9 is out of range: give a number from 1 to 3"),
        (["score-system", "ferries", "parot:Hi"], "the system parot:Hi cannot be imported: "),
        (["score-system", "ferries", "closed-book", "--metric", "politenes"], "no metric 'politenes': did you mean politeness?"),
        (["benchwright", "count-word", "ferries"], "no command 'count-word': did you mean count-words?"),
    ],
)  # fmt: skip
def test_its_names_are_known_to_messages(
    run: Run, ferries: Mapping[str, str], arguments: list[str], message: str
) -> None:
    if arguments[0] == "score-system":
        run("build-benchmark", "ferries", "-q", env=ferries)
    result = run(*arguments, env=ferries)
    assert result.returncode in (1, 2)
    assert result.stderr.startswith(f"error: {message}")


def test_without_the_package_a_release_of_its_can_be_read(run: Run, ferries: Mapping[str, str]) -> None:
    assert run("build-benchmark", "ferries", env=ferries).returncode == 0
    verified = run("verify-benchmark", "ferries")
    assert verified.returncode == 0, verified
    assert "proved: 1 content hash\n" in verified.stdout
    assert "departures" not in verified.stdout
    assert [line for line in verified.stdout.splitlines() if line.startswith("not checked")] == [
        "not checked: 1 card (the builder ferries is not installed, whose spec the card tells)",
        "not checked: 3 questions by the rules of their builder "
        "(the builder ferries is not installed: install the package that it comes from)",
    ]
    assert run("score-system", "ferries", "keyword").returncode == 0


def test_broken_plugins_are_named_and_stop_nothing(run: Run, broken: Mapping[str, str]) -> None:
    """Of every kind: one that is not there, one that ends the program, one of the wrong type, one whose name is taken."""
    built = run("build-benchmark", "ferries", env=broken)
    assert (built.returncode, built.stdout) == (0, "releases/ferries/1.0.0\n"), built
    proved = run("verify-benchmark", "ferries", env=broken)
    assert (proved.returncode, "proved: 3 departures" in proved.stdout) == (0, True), proved
    scored = run("score-system", "ferries", "parrot:Thanks", env=broken)
    assert scored.returncode == 0, scored
    shown = run("benchwright", "--help", env=broken)
    assert "count-words" in shown.stdout
    assert "number" not in shown.stdout
    said = [built.stderr, proved.stderr, scored.stderr, shown.stderr]
    for kind in ("metric", "kind of systems", "section"):
        assert_named(kind, scored.stderr)
    assert_named("proof", proved.stderr)
    assert_named("command", shown.stderr)
    assert not [line for text in said for line in text.splitlines() if "Traceback" in line]


def assert_named(kind: str, said: str) -> None:
    """Each of the four is named once."""
    start = f"warning: {kind} "
    lines = [line for line in said.splitlines() if line.startswith(start)]
    taken = f"'{KINDS[kind]}' (brokenkit:NUMBER of package brokenkit) is left out: there is another of that name: rename its entry point"
    assert sorted(line.removeprefix(start) for line in lines) == sorted(
        [
            "'absent' (brokenkit_nothing:ITEM of package brokenkit) is left out: "
            "ModuleNotFoundError(\"No module named 'brokenkit_nothing'\")",
            "'fails' (brokenkit_fails:ITEM of package brokenkit) is left out: "
            "SystemExit('a plug-in that ends the program')",
            next(line for line in lines if "number" in line).removeprefix(start),
            taken,
        ]
    )


@pytest.mark.parametrize("name", ["absent", "fails", "number"])
def test_a_broken_one_that_is_asked_for_says_why(run: Run, broken: Mapping[str, str], name: str) -> None:
    for arguments, kind in (
        (["benchwright", name], "command"),
        (["score-system", "ferries", "keyword", "--metric", name], "metric"),
    ):
        if kind == "metric":
            run("build-benchmark", "ferries", "-q", env=broken)
        result = run(*arguments, env=broken)
        assert result.returncode == 1
        assert f"error: no {kind} '{name}': brokenkit" in result.stderr
        assert result.stderr.count(f"no {kind} '{name}'") == 1
