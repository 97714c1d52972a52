"""Answers and where they stand are proved: a forger who seals everything again is caught."""

from pathlib import Path

import pytest
import tampering_telequad
from built import Built
from tampering import Tampering, check_caught, raw_and_sealed


@pytest.mark.parametrize(("case", "sealed"), raw_and_sealed(tampering_telequad.CASES))
def test_it_is_caught(
    case: Tampering, sealed: bool, built: Built, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    check_caught(case, sealed, built, tmp_path, to_the_end=bool(request.config.getoption("--full")))
