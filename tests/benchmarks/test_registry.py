"""The registry: ours by module, others' by entry point, and from a running program; what is broken is named and left out."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchwright.benchmarks import registry
from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.registry import Kind, find, find_all, instance_of, names, register

MODULES = {
    "colours/__init__.py": "",
    "colours/_hidden.py": "raise RuntimeError('never imported')",
    "colours/dark_red.py": "SHADE = 'dark-red'",
    "colours/greens.py": "SHADE = ('lime', 'olive')",
    "colours/tools.py": "",
    "paints/__init__.py": "",
    "paints/broken.py": "import no_such_module",
    "paints/numeric.py": "SHADE = 7",
    "paints/pink.py": "SHADE = 'pink'",
    "plugin.py": "MAUVE, SEVEN, LIME = 'mauve', 7, 'lime'",
    "ends.py": "import sys; sys.exit(3)",
}
POINTS = """
[benchwright.colours]
mauve = plugin:MAUVE
seven = plugin:SEVEN
lime = plugin:LIME
absent = plugin:ABSENT
ends = ends
teal = plugin:MAUVE
"""


@pytest.fixture
def plugins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Packages of modules and an installed distribution `paintbox` with entry points."""
    for name, text in MODULES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    (tmp_path / "paintbox-1.dist-info").mkdir()
    (tmp_path / "paintbox-1.dist-info/METADATA").write_text("Metadata-Version: 2.1\nName: paintbox\nVersion: 1\n")
    (tmp_path / "paintbox-1.dist-info/entry_points.txt").write_text(POINTS)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(registry, "_states", {})
    registry._entry_points.cache_clear()
    yield
    registry._entry_points.cache_clear()
    for name in [name for name in sys.modules if name.partition(".")[0] in ("colours", "paints", "plugin", "ends")]:
        del sys.modules[name]


def colours(package: str = "colours") -> Kind[str]:
    return Kind(
        "colour",
        "benchwright.colours",
        instance_of(str),
        package=package,
        attribute="SHADE",
        name_of=lambda shade: shade,
    )


def shades() -> Kind[str]:
    """Named by their modules: only what is asked for is imported."""
    return Kind("shade", "benchwright.shades", instance_of(str), package="paints", attribute="SHADE")


WARNINGS = {
    "warning: colour 'seven' (plugin:SEVEN of package paintbox) is left out: it is of type int, not str",
    "warning: colour 'absent' (plugin:ABSENT of package paintbox) is left out: "
    "AttributeError(\"module 'plugin' has no attribute 'ABSENT'\")",
    "warning: colour 'ends' (ends of package paintbox) is left out: SystemExit(3)",
    "warning: colour 'teal' (plugin:MAUVE of package paintbox) is left out: it calls itself 'mauve': name its entry point so",
    "warning: colour 'lime' (plugin:LIME of package paintbox) is left out: there is another of that name: rename its entry point",
}


@pytest.mark.usefixtures("plugins")
def test_all_are_found_and_what_is_broken_is_named_once(caplog: pytest.LogCaptureFixture) -> None:
    kind = colours()
    assert dict(find_all(kind)) == {"dark-red": "dark-red", "lime": "lime", "olive": "olive", "mauve": "mauve"}
    assert find_all(kind) == find_all(colours())
    assert {record.getMessage() for record in caplog.records} == WARNINGS
    assert len(caplog.records) == len(WARNINGS)


@pytest.mark.usefixtures("plugins")
def test_finding_one_imports_no_other_plugin(caplog: pytest.LogCaptureFixture) -> None:
    assert find(colours(), "olive") == "olive"
    assert "plugin" not in sys.modules
    assert find(colours(), "mauve") == "mauve"
    assert "ends" not in sys.modules
    assert [record.getMessage() for record in caplog.records if "LIME" not in record.getMessage()] == []


@pytest.mark.usefixtures("plugins")
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("oliv", "no colour 'oliv': did you mean olive?"),
        ("xyz", "no colour 'xyz': there are dark-red, lime, olive, absent, ends, mauve, seven, teal"),
        (
            "seven",
            "no colour 'seven': plugin:SEVEN of package paintbox cannot be used: it is of type int, not str",
        ),
    ],
)
def test_a_name_that_is_not_there(name: str, message: str, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(BenchwrightError) as error:
        find(colours(), name)
    assert str(error.value) == message
    assert isinstance(error.value, UsageError) == (name != "seven")
    assert name not in [record.args[1] for record in caplog.records if isinstance(record.args, tuple)]


@pytest.mark.usefixtures("plugins")
def test_named_by_modules_only_the_one_asked_for_is_imported(caplog: pytest.LogCaptureFixture) -> None:
    kind = shades()
    assert names(kind) == ["broken", "numeric", "pink"]
    assert find(kind, "pink") == "pink"
    assert "paints.numeric" not in sys.modules
    assert caplog.records == []
    assert dict(find_all(kind)) == {"pink": "pink"}
    assert [record.getMessage() for record in caplog.records] == [
        "warning: shade 'broken' (paints.broken) is left out: ModuleNotFoundError(\"No module named 'no_such_module'\")",
        "warning: shade 'numeric' (paints.numeric) is left out: it is of type int, not str",
    ]
    assert names(kind) == ["pink"]


@pytest.mark.usefixtures("plugins")
def test_registering() -> None:
    kind = colours()
    assert register(kind, "puce", "puce") == "puce"
    assert register(kind, "puce", "Puce") == "Puce"
    assert find(kind, "puce") == "Puce"
    assert list(find_all(kind)) == ["dark-red", "lime", "olive", "mauve", "puce"]
    with pytest.raises(
        UsageError, match=r"^colour 'lime' cannot be registered: there is one of that name; choose anot"
    ):
        register(kind, "lime", "lime")
    with pytest.raises(UsageError, match=r"^colour 'ecru' cannot be registered: it is of type int, not str$"):
        register(kind, "ecru", 3)
    assert "ecru" not in find_all(kind)
