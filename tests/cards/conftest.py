"""A real browser for pages, and axe-core to look for what people cannot use."""

import os
import shutil
import subprocess
import tarfile
from collections.abc import Iterator
from typing import Any

import pytest

AXE = "4.14.1"
BROWSER = shutil.which("chromium") or shutil.which("google-chrome")


def _missing(what: str) -> None:
    """Skips, or fails where servers and browsers must be there."""
    (pytest.fail if os.environ.get("BENCHWRIGHT_REQUIRE_SERVERS") else pytest.skip)(what)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    if BROWSER is None:
        _missing("no Chromium is installed")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        _missing("playwright is not installed: pip install playwright")
        raise
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def axe(pytestconfig: pytest.Config) -> str:
    """The program of axe-core, which npm fetches once."""
    assert pytestconfig.cache is not None
    folder = pytestconfig.cache.mkdir(f"axe-core-{AXE}")
    path = folder / "package" / "axe.min.js"
    if not path.exists():
        if shutil.which("npm") is None:
            _missing("npm is not installed")
        done = subprocess.run(
            ["npm", "pack", f"axe-core@{AXE}"], cwd=folder, capture_output=True, text=True, check=False
        )
        if done.returncode:
            _missing(f"npm cannot fetch axe-core: {done.stderr.strip()[-200:]}")
        with tarfile.open(folder / f"axe-core-{AXE}.tgz") as archive:
            archive.extract("package/axe.min.js", folder, filter="data")
    return path.read_text("utf-8")
