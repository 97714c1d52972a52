"""What somebody changed in pairs, in what is said of them, or in labels is found, also when it was sealed again."""

from pathlib import Path

import pytest
from built import Built
from tampering import RELEASES, Tampering, check_caught, raw_and_sealed
from tampering_wikieval import CASES

from benchwright.benchmarks.releases.proofs.verify import verify_release


@pytest.mark.parametrize(("case", "sealed"), raw_and_sealed(CASES))
def test_it_is_caught(
    case: Tampering, sealed: bool, built: Built, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    check_caught(case, sealed, built, tmp_path, to_the_end=bool(request.config.getoption("--full")))


@pytest.mark.parametrize("name", [name for name in RELEASES if name.startswith("wikieval")])
def test_what_nobody_changed_is_proved(name: str, built: Built) -> None:
    assert verify_release(RELEASES[name](built)).problems == []
