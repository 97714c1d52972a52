"""What reports say of pipelines in which one module is broken on purpose: a few here, all with `python -m faulty.table`."""

from collections.abc import Callable

import pytest

from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.diagnosis import modules
from benchwright.benchmarks.reports.sections.diagnosis import DiagnosisFigures, diagnosis_figures
from faulty.corpora import tracks
from faulty.draw import held_out, kinds
from faulty.stacks import narrowed, on_tracks
from faulty.trial import Variant, fault_of, run_of

Said = Callable[[str, float], DiagnosisFigures]


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> Said:
    """What a report says of a kind of faults at a strength; of no kind of the healthy pipeline."""
    root = tmp_path_factory.mktemp("faults")
    stack = narrowed(tracks(root), root / "narrow", on_tracks, groups=50)
    release = Release.load(root / "narrow")

    def of(kind: str, strength: float) -> DiagnosisFigures:
        variant = Variant(((kind, strength),)) if kind else Variant(label="healthy")
        return diagnosis_figures(run_of(release, stack, variant, root / "runs", full=bool(strength)))

    return of


def test_every_kind_is_made_and_expects_modules_that_there_are() -> None:
    assert len(kinds()) == 53 and len(held_out()) == 27
    for kind in kinds():
        assert {*kind.own, *kind.full} <= modules().keys() and len(kind.strengths) == 3
        assert fault_of(kind.name).__class__.__name__ == "Fault"


def test_nothing_is_named_of_a_healthy_pipeline(said: Said) -> None:
    healthy = said("", 0.0)
    assert healthy.modules == () and healthy.reason is not None and healthy.basis == ("own",)
    assert healthy.looked_at == 100 and healthy.lost < 10


@pytest.mark.parametrize(
    ("kind", "strength", "module"),
    [
        ("corpus_lacks_documents", 0.45, "missing"),
        ("documents_cut_at_import", 0.55, "parts"),
        ("ranking_reversed", 0.6, "ranking"),
        ("casing_lost_in_query", 0.8, "search"),
        ("passages_cut_in_the_prompt", 0.6, "passing"),
        ("reader_too_shy", 0.5, "shy"),
    ],
)
def test_the_module_that_is_broken_is_named_first(said: Said, kind: str, strength: float, module: str) -> None:
    found = said(kind, strength)
    assert found.modules[0].key == module and found.modules[0].confidence == "clear"
    assert found.modules[0].share.low is not None and found.modules[0].share.low > 0.2
