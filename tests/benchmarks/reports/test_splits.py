"""Where losses begin: as sure as groups of questions make it, however often each was asked."""

import numpy as np
import pytest

from benchwright.benchmarks.reports.failures.splits import best_split


@pytest.mark.parametrize(("groups", "is_found"), [(46, False), (460, True)])
def test_how_sure_a_place_is_groups_decide(groups: int, is_found: bool) -> None:
    times = 12  # four wordings, three repeats: answered alike
    place = (np.arange(groups) % 7 + 1).astype(np.float64)
    is_lost = (place < 7) & (np.arange(groups) % 2 == 0)
    clusters = np.repeat(np.arange(groups), times)
    found = best_split(np.repeat(place, times), np.repeat(is_lost, times), clusters)
    assert (found is not None) == is_found
    if found is not None:
        assert found.at == 6 and not found.is_after and found.near == 0
        assert best_split(place, is_lost, np.arange(groups)) is not None
