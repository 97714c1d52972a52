"""What tests of systems share: a small release, and a service over real HTTP."""

from collections.abc import Iterator

import pytest
from lighthouses import make_release
from services import Service, serving

from benchwright.benchmarks.releases.release import Release


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    """A release of lighthouses, as it is built."""
    return make_release(tmp_path_factory.mktemp("releases"))


@pytest.fixture(scope="module")
def server() -> Iterator[Service]:
    """A service that says nothing, until a test lets it respond."""
    with serving(lambda asked: b"") as service:
        yield service
