"""What somebody changed in manifest, card, files, splits or configs of a release is found, also when it was sealed."""

from pathlib import Path

import pytest
import tampering_documents
import tampering_spider
import tampering_sql
import tampering_telequad
import tampering_wikieval
import tampering_wikipedia
from built import Built
from support import ROOT
from tampering import Tampering, check_caught, raw_and_sealed
from tampering_release import CASES


@pytest.mark.parametrize(("case", "sealed"), raw_and_sealed(CASES))
def test_it_is_caught(
    case: Tampering, sealed: bool, built: Built, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    check_caught(case, sealed, built, tmp_path, to_the_end=bool(request.config.getoption("--full")))


def test_the_tables_have_as_many_as_the_pages_say() -> None:
    cases = [
        *CASES,
        *tampering_sql.CASES,
        *tampering_documents.CASES,
        *tampering_wikipedia.CASES,
        *tampering_spider.CASES,
        *tampering_telequad.CASES,
        *tampering_wikieval.CASES,
    ]
    rebuilt = sum(case.needs == "rebuild" for case in cases)
    assert len({(case.release, case.name) for case in cases}) == len(cases)
    for page in ("README.md", "cards/guides/prove-a-release.md"):
        text = " ".join((ROOT / page).read_text(encoding="utf-8").split())
        assert f"Of {len(cases)} ways to tamper with a release" in text
        assert f"names {len(cases) - rebuilt} from the files, `--rebuild` the other {rebuilt}" in text
