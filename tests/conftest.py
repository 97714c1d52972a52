"""What tests share: the command line as users call it, a place for datasets' cache, small databases, and shared data."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support import COMPANY, SHARED, Run, make_sqlite


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The caches of the Hub and of datasets are a test's own, and nothing is fetched."""
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs a command of the package in a process of its own, in the test's folder."""

    def call(command: str, *arguments: object, **options: object) -> subprocess.CompletedProcess[str]:
        program = Path(sys.executable).with_name(command)
        environment = {**os.environ, **options.pop("env", {})}  # type: ignore[dict-item]
        return subprocess.run(
            [str(program), *map(str, arguments)],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
            **options,  # type: ignore[call-overload]
        )

    return call


@pytest.fixture
def shared() -> Path:
    """The folder of real data beside the repository."""
    if not SHARED.is_dir():
        pytest.skip("the folder ../shared/data with real data is not there")
    return SHARED


@pytest.fixture
def company(tmp_path: Path) -> Path:
    """A small database with a foreign key, an associative table and a self-reference."""
    return make_sqlite(tmp_path / "company.sqlite", COMPANY)
