"""A real browser for pages, and axe-core to look for what people cannot use."""

import shutil
import subprocess
import tarfile
from collections.abc import Iterator
from typing import Any

import pytest
from support import lacking

AXE = "4.14.1"


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """The program of a browser."""
    return shutil.which("chromium") or shutil.which("google-chrome") or lacking("no Chromium is installed")


@pytest.fixture(scope="module")
def chromium(chromium_path: str) -> Iterator[Any]:
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        lacking("playwright is not installed: pip install playwright")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium_path, args=["--no-sandbox"])
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
            lacking("npm is not installed")
        done = subprocess.run(
            ["npm", "pack", f"axe-core@{AXE}"], cwd=folder, capture_output=True, text=True, check=False
        )
        if done.returncode:
            lacking(f"npm cannot fetch axe-core: {done.stderr.strip()[-200:]}")
        with tarfile.open(folder / f"axe-core-{AXE}.tgz") as archive:
            archive.extract("package/axe.min.js", folder, filter="data")
    return path.read_text("utf-8")
