"""Layers point one way: scripts → builders, cards → benchmarks."""

import ast
from pathlib import Path

import pytest
from support import ROOT

ALLOWED = {
    "benchmarks": {"benchmarks"},
    "builders": {"builders", "benchmarks"},
    "cards": {"cards", "benchmarks"},
    "scripts": {"scripts", "builders", "cards", "benchmarks"},
}
FILES = sorted(path for folder in ALLOWED for path in (ROOT / folder).rglob("*.py"))


def imported(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            names.add(node.module or "")
    return names


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_imports_point_one_way(path: Path) -> None:
    layer = path.relative_to(ROOT).parts[0]
    for name in imported(path):
        if name.startswith("benchwright."):
            assert name.split(".")[1] in ALLOWED[layer], f"{path} imports {name}"


def test_every_layer_was_looked_at() -> None:
    assert {path.relative_to(ROOT).parts[0] for path in FILES} == set(ALLOWED)


def test_one_package_talks_to_models() -> None:
    users = {
        path.relative_to(ROOT).as_posix()
        for path in FILES
        if {name.split(".")[0] for name in imported(path)} & {"openai", "httpx2", "genai_prices"}
    }
    measured = {"scripts/measure/models.py"}  # which times the bare SDK beside our client
    assert users - measured == {"benchmarks/models/costs.py", "benchmarks/models/transport.py"}
