"""What reports say of pipelines in which one module is broken on purpose: a few here, all with `python -m faulty.table`."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from report_cases import QUESTIONS, make_release, make_run
from support import ROOT

from benchwright.benchmarks.predictions import Context, Prediction
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.answers.signs import Sign
from benchwright.benchmarks.reports.answers.words import is_rounded, plain
from benchwright.benchmarks.reports.failures.diagnosis import NEVER_CLEAR, modules
from benchwright.benchmarks.reports.failures.lost_answers import LostAnswers, first_module
from benchwright.benchmarks.reports.failures.lost_to_reading import tell_readings
from benchwright.benchmarks.reports.failures.lost_to_search import tell_misses
from benchwright.benchmarks.reports.sections.diagnosis import DiagnosisFigures, diagnosis_figures
from faulty.corpora import tracks
from faulty.draw import blind, held_out, kinds, others
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
    assert len(kinds()) == 53 and len(held_out()) == 27 and len({*kinds(), *blind(), *others()}) == 53 + 38 + 1
    for kind in (*kinds(), *blind(), *others()):
        assert {*kind.own, *kind.full} <= modules().keys() and len(kind.strengths) == 3
        assert fault_of(kind.name).__class__.__name__ == "Fault"


def published_table() -> list[str]:
    """The modules and what they are told from, as Markdown lines, as the guide has them."""
    rows = [f"| {each.part} | **{each.name}** | {each.told} |" for each in modules().values()]
    return ["| step | module | told from |", "|---|---|---|", *rows]


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
        ("passages_cut_in_the_prompt", 0.6, "passing", "likely"),
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


def told(signs: Sequence[Sign], answers: Sequence[str] = ()) -> LostAnswers:
    """Lost answers, each of a group of its own, with the module that each is given."""
    golds = [(answers[place] if answers else "",) for place in range(len(signs))]
    first = [first_module(sign) for sign in signs]
    case = LostAnswers(signs, np.arange(len(signs)), [None] * len(signs), golds, {}, {}, first, {})
    tell_misses(case)
    tell_readings(case)
    return case


@pytest.mark.parametrize("of_one_fact", [0, 30])
def test_that_links_are_not_followed_is_told_beside_questions_of_one_fact(of_one_fact: int) -> None:
    """Whatever breaks a search leaves one of several facts."""
    lost = [
        Sign(n, 0, "wrong", ("a",), ("b",), shows=True, count=3, distinct=3, length=300, facts=2, facts_held=1)
        for n in range(30)
    ]
    right = [
        Sign(30 + n, 0, "correct", ("a",), ("a",), shows=True, count=3, length=300, facts=1) for n in range(of_one_fact)
    ]
    assert told([*lost, *right]).module[:30] == ["steps" if of_one_fact else "retrieval"] * 30


def held(number: int, outcome: str, said: str = "", words: Sequence[str] = ()) -> Sign:
    """An answer whose contexts held the evidence."""
    return Sign(
        number, 0, outcome, ("a",), ("a",), shows=True, count=1, length=300, facts=1, facts_held=1, is_held=True,
        rank=1, said=said, words=frozenset(words),
    )  # fmt: skip


def test_one_reply_to_different_questions_is_no_answer_of_a_reader() -> None:
    golds = [f"Person {number}" for number in range(40)]
    case = told([held(number, "wrong", "[object Object]") for number in range(40)], golds)
    assert case.module == ["canned"] * 40
    assert case.notes["canned"] == ["40 different questions got the reply “[object Object]”"]
    assert told([held(number, "wrong", "[object Object]") for number in range(14)], golds).module == ["ignores"] * 14
    assert told([held(number, "wrong", "Yes") for number in range(40)], ["no"] * 40).module == ["ignores"] * 40
    numbers = [str(number) for number in range(1_990, 2_030)]
    assert told([held(number, "wrong", "2000") for number in range(40)], numbers).module == ["ignores"] * 40


def test_a_word_in_place_of_values_is_what_is_given_out() -> None:
    right = [held(100 + number, "correct", words=("the", "manager", "is", "ada")) for number in range(60)]
    wrong = [held(number, "wrong", f"{number} is redacted", ("redacted", f"w{number}")) for number in range(40)]
    case = told([*wrong, *right])
    assert case.module[:40] == ["output"] * 40
    assert case.notes["output"] == ["“redacted” stands in 100.0 % of these answers, and in 0.0 % of right ones"]
    usual = [held(100 + number, "correct", words=("redacted",)) for number in range(60)]
    assert told([*wrong, *usual]).module[:40] == ["ignores"] * 40


@pytest.mark.parametrize(
    ("answer", "gold", "near"),
    [
        ("About 1,200 people", "1234", True), ("1,000", "1,234", True), ("0.8", "0.76", True), ("1234", "1234", False),
        ("1,300", "1234", False), ("1200", "Ada", False), ("It was 2020", "2019", True), ("2018", "2019", False),
    ],
)  # fmt: skip
def test_numbers_that_are_rounded(answer: str, gold: str, near: bool) -> None:
    assert is_rounded(answer, gold, set()) is near
    assert not is_rounded(answer, gold, set(plain(answer).split()))


def test_what_another_module_looks_like_is_never_clear() -> None:
    assert set(NEVER_CLEAR) < set(modules())
