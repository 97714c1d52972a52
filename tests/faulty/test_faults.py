"""What reports say of pipelines in which one module is broken on purpose: a few here, all with `python -m faulty.table`."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from report_cases import QUESTIONS, make_release, make_run
from support import ROOT

from benchwright.benchmarks.predictions import Context, Prediction
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.diagnosis import modules, published_table
from benchwright.benchmarks.reports.sections.diagnosis import DiagnosisFigures, diagnosis_figures
from faulty.corpora import tracks
from faulty.draw import held_out, kinds
from faulty.stacks import narrowed, on_tracks
from faulty.trial import Variant, fault_of, run_of

Said = Callable[..., DiagnosisFigures]


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> Said:
    """What a report says of a kind of faults at a strength, of none of the healthy pipeline; with all conditions or not."""
    root = tmp_path_factory.mktemp("faults")
    stack = narrowed(tracks(root), root / "narrow", on_tracks, groups=50)
    release = Release.load(root / "narrow")

    def of(kind: str, strength: float, *, full: bool = False) -> DiagnosisFigures:
        variant = Variant(((kind, strength),)) if kind else Variant(label="healthy")
        return diagnosis_figures(run_of(release, stack, variant, root / "runs", full=full))

    return of


def test_every_kind_is_made_and_expects_modules_that_there_are() -> None:
    assert len(kinds()) == 53 and len(held_out()) == 27
    for kind in kinds():
        assert {*kind.own, *kind.full} <= modules().keys() and len(kind.strengths) == 3
        assert fault_of(kind.name).__class__.__name__ == "Fault"


def test_the_guide_has_the_table_of_modules() -> None:
    guide = (ROOT / "cards" / "guides" / "score-your-system.md").read_text("utf-8")
    assert "\n".join(published_table()) in guide and len(published_table()) == 2 + len(modules())


def test_nothing_is_named_of_a_healthy_pipeline(said: Said) -> None:
    healthy = said("", 0.0)
    assert healthy.modules == () and healthy.reason is not None and healthy.basis == ("own",)
    assert healthy.looked_at == 100 and healthy.lost < 10


@pytest.mark.parametrize(
    ("kind", "strength", "module"),
    [("corpus_lacks_documents", 0.45, "missing"), ("ranking_reversed", 0.6, "ranking")],
)
def test_probes_tell_more(said: Said, kind: str, strength: float, module: str) -> None:
    found = said(kind, strength, full=True)
    assert found.modules[0].key == module and found.modules[0].confidence == "clear"
    assert found.basis == ("own", "conditions", "probes") and found.learn == ()
    assert found.modules[0].share.low is not None and found.modules[0].share.low > 0.2


@pytest.mark.parametrize(
    ("kind", "strength", "module", "confidence"),
    [
        ("documents_cut_at_import", 0.55, "parts", "clear"),
        ("passages_cut_in_the_prompt", 0.6, "passing", "clear"),
        ("threshold_too_strict", 0.5, "empty", "clear"),
        ("output_cut", 0.5, "output", "clear"),
    ],
)
def test_the_module_that_is_broken_is_named_first(
    said: Said, kind: str, strength: float, module: str, confidence: str
) -> None:
    found = said(kind, strength)
    assert (found.modules[0].key, found.modules[0].confidence) == (module, confidence)
    assert found.modules[0].share.low is not None and found.modules[0].share.low > 0.2


def test_what_looks_the_same_is_said_with_what_would_tell(said: Said) -> None:
    found = said("casing_lost_in_query", 0.8)
    assert (found.modules[0].key, found.modules[0].confidence) == ("retrieval", "likely") and found.learn[0].startswith(
        "--probe asks the search for more"
    )
    shy = said("reader_too_shy", 0.5)
    assert (shy.modules[0].key, shy.modules[0].confidence) == ("shy", "likely")
    assert shy.learn[0].startswith("--conditions own,closed,gold,without-gold")


def test_without_evidence_in_the_release_nothing_is_named(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    asked = [replace(each, evidence=()) for each in QUESTIONS if each.documents]
    release = make_release(tmp_path / "small", asked)
    case = make_run(release, tmp_path / "runs" / "my-rag", [Prediction(each.id, "Nowhere") for each in asked])
    found = case.made().diagnosis
    assert found.modules == () and found.counts == {"unseen": 12}
    assert found.reason == "the release marks no evidence, by which contexts and answers could be told apart"


@pytest.mark.parametrize(
    ("text", "module"),
    [
        ("nother thing altogether", "chunking"),
        ("The committee moved the meeting to the second of May and wrote a letter about the broken boiler.", "foreign"),
    ],
)
def test_pieces_too_short_to_be_known_are_not_called_foreign(tmp_path: Path, text: str, module: str) -> None:
    (tmp_path / "runs").mkdir()
    asked = [each for each in QUESTIONS if each.documents]
    release = make_release(tmp_path / "small", asked)
    contexts = tuple(Context(text=f"{text} {place}") for place in range(3))
    said = [Prediction(each.id, "Nowhere", contexts=contexts) for each in asked]
    found = make_run(release, tmp_path / "runs" / "my-rag", said).made().diagnosis
    assert [each.key for each in found.modules] == [module]
    assert any("hand in documents' ids" in note for note in found.modules[0].evidence) == (module == "chunking")
