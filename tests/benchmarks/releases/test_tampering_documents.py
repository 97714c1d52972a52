"""What somebody changed in documents, evidence, qrels or answerability is found, also when it was sealed again."""

from pathlib import Path

import pytest
from built import Built
from tampering import Tampering, check_caught, raw_and_sealed
from tampering_documents import CASES


@pytest.mark.parametrize(("case", "sealed"), raw_and_sealed(CASES))
def test_it_is_caught(case: Tampering, sealed: bool, built: Built, tmp_path: Path) -> None:
    check_caught(case, sealed, built, tmp_path)
