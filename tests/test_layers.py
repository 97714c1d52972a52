"""Imports point one way: between the folders, between the floors of `benchmarks/`, and builders never at each other."""

import ast
import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from built import Built
from support import ROOT

MAY_IMPORT = {
    "benchmarks": {"benchmarks"},
    "builders": {"builders", "benchmarks"},
    "cards": {"cards", "benchmarks"},
    "scripts": {"scripts", "builders", "cards", "benchmarks"},
}
FLOORS = (
    {
        "errors",
        "naming",
        "licences",
        "secrecy",
        "lazy",
        "collector",
        "data_files",
        "personal_data",
        "arrow",
        "progress",
        "text",
        "statistics",
    },
    {
        "types",
        "schemas",
        "hashing",
        "predictions",
        "prediction_fields",
        "judgments",
        "records",
        "validation",
        "registry",
        "catalogue",
    },
    {"models", "grounding", "remote"},
    {"releases"},
    {"metrics"},
    {"systems"},
    {"runs"},
    {"reports"},
    {"annotations", "comparisons"},
    {"leaderboards"},
)
"""The rooms of `benchmarks/`, from the ground up: an import goes down or stays on its floor."""
SHARED_BY_BUILDERS = {"base", "sql", "wiki", "documents"}
FILES = sorted(path for folder in MAY_IMPORT for path in (ROOT / folder).rglob("*.py"))


def name_of(path: Path) -> str:
    """The module of a file: `benchwright.benchmarks.types`."""
    parts = list(path.relative_to(ROOT).with_suffix("").parts)
    if parts[:2] == ["scripts", "api"]:
        parts[:2] = []
    return ".".join(["benchwright", *(part for part in parts if part != "__init__")])


MODULES = {name_of(path) for path in FILES}


@pytest.fixture(scope="module", autouse=True)
def _all_imported(built: Built) -> None:
    """Reads all files once for all tests."""

    def read(folder: Path) -> None:
        found = {str(path): sorted(read_imports(path)) for path in FILES}
        (folder / "imports.json").write_text(json.dumps(found))

    found = json.loads((built.folder("imports", read) / "imports.json").read_text())
    IMPORTS.update({Path(path): frozenset(names) for path, names in found.items()})


IMPORTS: dict[Path, frozenset[str]] = {}
"""File → every module that it imports."""


def read_imports(path: Path) -> frozenset[str]:
    """Every module that a file imports, wherever in it; of `from package import module` the module."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            module = node.module or ""
            within = {f"{module}.{alias.name}" for alias in node.names} & MODULES
            names |= within
            if len(within) < len(node.names):
                names.add(module)
    return frozenset(names)


def arrows() -> Iterator[tuple[Path, list[str], list[str]]]:
    """File, its module's parts and the imported module's parts, both without `benchwright`."""
    for path in FILES:
        for name in IMPORTS[path]:
            if name.startswith("benchwright."):
                yield path, name_of(path).split(".")[1:], name.split(".")[1:]


def folder_of(target: list[str]) -> str:
    """The folder of an imported module: what is none of the four is `import benchwright` itself, in `scripts/api`."""
    return target[0] if target[0] in MAY_IMPORT else "scripts"


@cache
def floor_of(room: str) -> int:
    """The floor of a room of `benchmarks/`."""
    return next(number for number, rooms in enumerate(FLOORS) if room in rooms)


@pytest.mark.parametrize("folder", MAY_IMPORT)
def test_folders_point_one_way(folder: str) -> None:
    upward = [
        f"{path.relative_to(ROOT)} imports {'.'.join(target)}"
        for path, _, target in arrows()
        if path.is_relative_to(ROOT / folder) and folder_of(target) not in MAY_IMPORT[folder]
    ]
    assert upward == []


def test_every_room_has_one_floor() -> None:
    rooms = {
        path.relative_to(ROOT / "benchmarks").parts[0].removesuffix(".py")
        for path in FILES
        if path.is_relative_to(ROOT / "benchmarks")
    }
    assert Counter(room for floor in FLOORS for room in floor) == Counter(rooms - {"__init__"})


def test_floors_point_down() -> None:
    upward = [
        f"{path.relative_to(ROOT)} imports {'.'.join(target)}"
        for path, own, target in arrows()
        if own[:1] == ["benchmarks"] == target[:1] and len(own) > 1 and len(target) > 1
        if floor_of(target[1]) > floor_of(own[1])
    ]
    assert upward == []


def test_rooms_of_a_floor_form_no_circle() -> None:
    reached: dict[str, set[str]] = {}
    for _, own, target in arrows():
        if own[:1] == ["benchmarks"] == target[:1] and len(own) > 1 and len(target) > 1 and own[1] != target[1]:
            reached.setdefault(own[1], set()).add(target[1])
    left = {room for floor in FLOORS for room in floor}
    while True:
        free = {room for room in left if not reached.get(room, set()) & left}
        if not free:
            break
        left -= free
    assert left == set(), "these import each other"


def test_builders_do_not_import_each_other() -> None:
    across = [
        f"{path.relative_to(ROOT)} imports {'.'.join(target)}"
        for path, own, target in arrows()
        if own[:1] == ["builders"] == target[:1] and len(own) > 1 and len(target) > 1
        if target[1] not in {own[1], *SHARED_BY_BUILDERS}
    ]
    assert across == []


def test_what_draws_cards_knows_no_card() -> None:
    upward = [
        f"{path.relative_to(ROOT)} imports {'.'.join(target)}"
        for path, own, target in arrows()
        if own[:2] == ["cards", "blocks"] and target[0] == "cards" and target[1] != "blocks"
    ]
    assert upward == []


def test_commands_do_not_import_each_other() -> None:
    """They share `options/`, which knows none of them."""
    across = [
        f"{path.relative_to(ROOT)} imports {'.'.join(target)}"
        for path, own, target in arrows()
        if own[:1] == ["scripts"] == target[:1] and own != target
        if (len(own) == 2 or own[1] == "options") and target[1] != "options"
    ]
    assert across == []


def test_every_layer_was_looked_at() -> None:
    assert {path.relative_to(ROOT).parts[0] for path in FILES} == set(MAY_IMPORT)


def test_one_package_talks_to_models() -> None:
    users = {
        path.relative_to(ROOT).as_posix()
        for path in FILES
        if {name.split(".")[0] for name in IMPORTS[path]} & {"openai", "httpx2", "genai_prices"}
    }
    measured = {"scripts/measure/models.py"}  # which times the bare SDK beside our client
    talking = (
        "endpoint/bounded",
        "endpoint/connecting",
        "endpoint/connection_errors",
        "endpoint/transport",
        "money/costs",
    )
    assert users - measured == {f"benchmarks/models/{name}.py" for name in talking}
