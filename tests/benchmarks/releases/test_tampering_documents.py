"""What somebody changed in documents, evidence, qrels or answerability is found, also when it was sealed again."""

from pathlib import Path

import pytest
from built import Built
from tampering import RELEASES, Tampering, check_caught, raw_and_sealed
from tampering_documents import CASES

from benchwright.benchmarks.releases.proofs.beyond import beyond
from benchwright.benchmarks.releases.proofs.verify import verify_release
from benchwright.benchmarks.releases.rebuilt import REBUILT
from benchwright.builders.aurp.prove_questions import LIMITS


@pytest.mark.parametrize(("case", "sealed"), raw_and_sealed(CASES))
def test_it_is_caught(
    case: Tampering, sealed: bool, built: Built, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    check_caught(case, sealed, built, tmp_path, to_the_end=bool(request.config.getoption("--full")))


def test_what_reading_cannot_show_is_said(built: Built) -> None:
    release = RELEASES["aurp"](built)
    found = verify_release(release)
    assert found.problems == []
    assert set(LIMITS) <= set(beyond(release, found))
    found.proved[REBUILT] += 1
    assert set(LIMITS).isdisjoint(beyond(release, found)), "by rule the same documents come out again"
