"""The site of guides and reference is built without a warning, and has everything that there is on a page."""

import html
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from built import Built

import benchwright
from benchwright.__main__ import COMMANDS
from benchwright.benchmarks.catalogue import load_spec, spec_names
from benchwright.benchmarks.registry import find_all

Page = Callable[[str], str]


@pytest.fixture(scope="session")
def page(built: Built) -> Page:
    """The text of a page of the site."""

    def build(folder: Path) -> None:
        command = [sys.executable, "-m", "benchwright.scripts.maintain.site", str(folder)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, ""), done.stderr

    folder = built.folder("site", build)
    return lambda name: html.unescape(re.sub(r"<[^>]+>", "", (folder / f"{name}.html").read_text(encoding="utf-8")))


def test_every_command_and_option_is_on_a_page(page: Page) -> None:
    text = page("reference/commands")
    commands = find_all(COMMANDS)
    assert {"build-benchmark", "score-system"} <= commands.keys()
    for name, command in commands.items():
        assert f"{name} [OPTIONS]" in text, name
        for option in command.params:
            if isinstance(option, click.Option):
                assert option.opts[0] in text, f"{name} {option.opts[0]}"


def test_every_parameter_is_on_a_page(page: Page) -> None:
    text = page("reference/parameters")
    assert {"aurp", "grammar", "wikipedia"} <= set(spec_names())
    for name in spec_names():
        for parameter in load_spec(name).parameters.values():
            assert re.search(rf"^{parameter.name}$", text, re.MULTILINE), f"{name}: {parameter.name}"


def test_every_public_name_is_on_a_page(page: Page) -> None:
    text = page("reference/api")
    assert "score_system" in benchwright.__all__
    for name in benchwright.__all__:
        assert re.search(rf"\b{name}\b\s*(¶|#)", text), name


def test_the_pages_of_the_repository_are_there(page: Page) -> None:
    assert "One function" in page("cards/guides/score-your-system")
    assert "Where to add what" in page("CONTRIBUTING")
    assert "How far to trust it" in page("index")
