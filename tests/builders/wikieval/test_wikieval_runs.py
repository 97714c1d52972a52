"""Pairs from two runs on one benchmark: who stands where, what is left out, and that people must choose first."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import pytest
from annotated import saved_lines, write_lines
from click.testing import CliRunner, Result
from pairs import label
from report_cases import DOCUMENTS, make_release, make_run

from benchwright.benchmarks.annotations.pair_items import pair_work
from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.predictions import Context, Prediction
from benchwright.benchmarks.releases.derive import derive
from benchwright.benchmarks.releases.manifest import is_private, write_manifest
from benchwright.benchmarks.releases.pairs import Pair, pairs_in, read_pairs
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.releases.rows import load_questions
from benchwright.benchmarks.releases.writer import ReleaseWriter
from benchwright.benchmarks.runs.pairs.candidates import PairsOfRelease, read_beside
from benchwright.builders.base import BuildRequest
from benchwright.builders.wikieval.from_runs import write_run_pairs
from benchwright.cards.hub.publish import holds_source_data
from benchwright.scripts.annotate import main as annotate
from benchwright.scripts.build_benchmark import main as build_benchmark
from benchwright.scripts.score_metric import main as score_metric
from benchwright.scripts.verify_benchmark import main as verify_benchmark

HALDEN, BRIGHTWATER, QUAY = (document.text or "" for document in DOCUMENTS)
_D1, _D2, _D3 = (Context(id=document.id) for document in DOCUMENTS)
ONE = [
    Prediction("halden-0", "Oslo", contexts=(replace(_D1, text=HALDEN), _D1, _D2)),
    Prediction("brightwater-1", "It is in Perth.", contexts=(_D2,)),
    Prediction("quay-0", "Ada Moor", contexts=(_D3, _D1)),
    Prediction("quay-1", "Ada Moor", contexts=(_D3,), condition="gold"),
    Prediction("corvane-0", "Bergen"),
    Prediction("corvane-2", None, error="TimeoutError: no answer within 60 s"),
    Prediction("nobody-0", None, abstained=True),
]
OTHER = [
    Prediction("halden-0", "In Perth.", contexts=(Context(id="mine", text="Halden sails."),)),
    Prediction("brightwater-1", "It is in  Perth. ", contexts=(_D1, _D2)),
    Prediction("quay-0", "Ben Tal", contexts=(_D1, _D3)),
    Prediction("corvane-0", "Oslo"),
    Prediction("corvane-2", "Oslo"),
    Prediction("nobody-0", "Oslo"),
]
WRITTEN = ("halden-0", "brightwater-1", "quay-0", "corvane-0")


@pytest.fixture(scope="session")
def there(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the release `small` and two runs on it."""
    root = tmp_path_factory.mktemp("two-runs")
    release = make_release(root / "releases/small/1.0.0")
    for name, predictions in (("one", ONE), ("other", OTHER)):
        make_run(release, root / "runs/small/1.0.0" / name, predictions, metrics=(), name=name)
    return root


def build(root: Path, runs: str = "small/one,small/other", seed: int = 0, pages: int = 50) -> Release:
    """The release of pairs, in ROOT/releases/NAME/1.0.0."""
    folder = root / "releases/ours/1.0.0"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    writer = ReleaseWriter(folder)
    parameters: dict[str, Any] = {"runs": runs, "pages": pages}
    try:
        write_run_pairs(BuildRequest("ours", parameters, seed, releases=root / "releases"), writer)
    except BaseException:
        writer.abandon()
        raise
    facts = {"builder": "test", "builder_version": "1", "parameters": {}, "seed": seed, "canary": "c"}
    writer.seal(writer.finish(name="ours", version="1.0.0", **facts), "# card\n")
    return Release.load(folder)


@pytest.fixture(scope="session")
def built_once(there: Path) -> Release:
    """Of both runs."""
    return build(there)


def pair_of(release: Release, name: str) -> Pair:
    """A pair by its question's id."""
    return next(each for each in pairs_in(release)[1] if each.id == name)


def test_each_run_has_its_side(built_once: Release) -> None:
    assert tuple(pair.id for pair in pairs_in(built_once)[1]) == WRITTEN
    halden = pair_of(built_once, "halden-0")
    assert (halden.answer, halden.ungrounded_answer, halden.poor_answer) == ("Oslo", "In Perth.", "In Perth.")
    assert halden.context_v1 == (HALDEN, BRIGHTWATER) and halden.context_v2 == ("Halden sails.",)
    assert halden.source == f"{HALDEN}\n\n{BRIGHTWATER}\n\nHalden sails."
    assert [each.text for each in read_beside(halden)] == [halden.source], "both are held against the same"
    assert [(each["uri"], each["side"]) for each in built_once.manifest.sources] == [
        ("run:small/1.0.0/one", "first"),
        ("run:small/1.0.0/other", "second"),
    ]
    (batch,) = built_once.batches("pairs", "test", ["provenance"])
    said = json.loads(batch.column("provenance")[0].as_py())
    assert said["poor_answer"] == {"how": "run", "side": "second", "system": "other"}
    assert {column: made["system"] for column, made in said.items()} == {
        "answer": "one", "context_v1": "one", "ungrounded_answer": "other", "poor_answer": "other",
        "context_v2": "other",
    }  # fmt: skip
    question = load_questions(built_once, "test")[0]
    assert (question.id, question.answers, question.documents, question.evidence) == ("halden-0", ("Oslo",), (), ())
    assert dict(question.metadata) == {"first": "one", "second": "other"}


def test_what_gives_nothing_to_choose_is_left_out_by_dimension(built_once: Release) -> None:
    alike, ordered, closed = (pair_of(built_once, name) for name in WRITTEN[1:])
    assert (alike.answer, alike.ungrounded_answer, alike.poor_answer) == ("It is in Perth.", "", "")
    assert alike.context_v2 == (HALDEN, BRIGHTWATER)
    assert ordered.context_v2 == () and ordered.ungrounded_answer == "Ben Tal", "the same passages in another order"
    assert (closed.source, closed.ungrounded_answer, closed.poor_answer) == ("", "", "Oslo")
    assert built_once.manifest.checks["pairs_without_preference"] == 4
    assert built_once.manifest.checks["run_pairs_left_out"] == {
        "contexts of which one run has none": 2,
        "questions that one run alone replied to": 1,
        "answers that are the same in both runs": 1,
        "contexts that are the same in both runs": 1,
        "answers that no faithfulness is asked of: neither run has a context to hold them against": 1,
        "answers of which one run has none": 1,
    }
    asked = [item.id for item in pair_work(built_once).items]
    assert asked == [
        "faithfulness halden-0", "faithfulness quay-0",
        "answer_relevance halden-0", "answer_relevance quay-0", "answer_relevance corvane-0",
        "context_relevance halden-0", "context_relevance brightwater-1",
    ]  # fmt: skip


def test_no_metric_is_held_against_pairs_that_people_did_not_choose_from(built_once: Release, there: Path) -> None:
    with pytest.raises(BenchwrightError, match="neither candidate of a pair was made to be the better one"):
        read_pairs(built_once)
    roots = ("--releases", str(there / "releases"), "--runs", str(there / "runs"))
    refused = CliRunner().invoke(score_metric, ["ours", "rouge_l", *roots])
    assert refused.exit_code == 1 and "annotate ours@1.0.0 --pages 2" in refused.stderr
    assert len(refused.stderr.splitlines()) == 1
    file = there / "labels.jsonl"
    file.write_text(json.dumps(label("halden-0", "answer_relevance", "first")) + "\n")
    assert read_pairs(built_once, file).source == "file"


def test_labels_are_of_the_sides(built_once: Release, tmp_path: Path) -> None:
    given = [label(name, "answer_relevance", "second") for name in ("halden-0", "quay-0")]
    derived = derive(built_once, "1.1.0", {"labels": {"test": given}}, tmp_path, render_card=lambda *_: "# card\n")
    found = read_pairs(derived)
    assert found.source == "labels" and [each.choice for each in found.labelled] == ["second", "second"]
    assert PairsOfRelease(derived, found).questions["halden-0"].answers == ("Oslo",), "gold of the same question"


def test_the_command_builds_them_and_they_verify(there: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(there / "runs", tmp_path / "runs")
    shutil.copytree(there / "releases/small", tmp_path / "releases/small")
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(build_benchmark, ["wikieval", "--set", "runs=small/one,small/other"])
    assert done.exit_code == 0, done.output
    assert done.stdout.splitlines()[0] == "releases/wikieval/1.0.0"
    assert tuple(pair.id for pair in pairs_in(Release.load(tmp_path / "releases/wikieval/1.0.0"))[1]) == WRITTEN
    card = (tmp_path / "releases/wikieval/1.0.0/README.md").read_text()
    assert "| Pairs of which neither candidate was made to be the better one | 4 |" in card
    assert "run:small/1.0.0/other" in card and str(tmp_path) not in card
    verified = CliRunner().invoke(verify_benchmark, ["wikieval"])
    assert verified.exit_code == 0 and "not checked: 4 pairs of two runs" in verified.stdout, verified.output


def test_from_two_runs_to_the_agreement_of_a_metric(
    there: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ada and Ben choose on their pages and differ once, Dee settles it; labels go into 1.1.0, and metrics meet them."""
    shutil.copytree(there / "runs", tmp_path / "runs")
    shutil.copytree(there / "releases/small", tmp_path / "releases/small")
    monkeypatch.chdir(tmp_path)

    def run(command: click.Command, *arguments: str) -> Result:
        done = CliRunner().invoke(command, arguments)
        assert done.exit_code == 0, done.output
        return done

    run(build_benchmark, "wikieval", "--set", "runs=small/one,small/other")
    pages = run(annotate, "wikieval", "--pages", "2", "--annotators", "Ada,Ben")
    assert [Path(each).name for each in pages.stdout.split()] == ["pairs-ada.html", "pairs-ben.html"]
    assert "7 choices of 4 pairs" in pages.stderr
    work = pair_work(Release.load(tmp_path / "releases/wikieval/1.0.0"))
    divided = "faithfulness quay-0"
    saved = {
        name: saved_lines(work, name, lambda item, task, differs=differs: "second" if item.id == differs else "first")
        for name, differs in (("Ada", ""), ("Ben", divided))
    }
    files = [str(write_lines(tmp_path / f"{name}.jsonl", lines)) for name, lines in saved.items()]
    merged = run(annotate, "wikieval", "--merge", *files, "--resolve")
    assert "6 agreed, 1 divided; 0 open." in merged.stderr and "(faithfulness): Ada first, Ben second" in merged.stderr
    settled = saved_lines(
        work, "Dee", lambda item, task: "first" if item.id == divided else None, page="pairs-resolve", final=True
    )
    dee = str(write_lines(tmp_path / "dee.jsonl", settled))
    labelled = run(annotate, "wikieval", "--merge", dee, "--next", "1.1.0")
    assert "6 agreed, 1 resolved; 0 open." in labelled.stderr and "releases/wikieval/1.1.0" in labelled.stdout
    assert [(each.choice, each.dimension) for each in read_pairs(Release.load(Path("releases/wikieval/1.1.0"))).labelled] == [
        *[("first", "faithfulness")] * 2, *[("first", "answer_relevance")] * 3, *[("first", "context_relevance")] * 2,
    ]  # fmt: skip
    table = run(score_metric, "wikieval", "rouge_l").output
    assert "Held against what 2 annotators chose: pairs with a choice 2 in faithfulness, 3 in answer" in table
    assert "rouge_l" in table and "people, kappa" in table


def test_as_many_as_are_wanted_by_the_seed(there: Path, tmp_path: Path) -> None:
    shutil.copytree(there, tmp_path, dirs_exist_ok=True)
    drawn = {tuple(pair.id for pair in pairs_in(build(tmp_path, seed=seed, pages=2))[1]) for seed in range(6)}
    assert all(len(each) <= 2 for each in drawn) and len(drawn) > 1
    assert build(tmp_path, pages=2).manifest.content_hash == build(tmp_path, pages=2).manifest.content_hash


@pytest.mark.parametrize(
    ("runs", "kind", "said"),
    [
        ("small/one", UsageError, "runs=small/one: name two runs of one benchmark"),
        ("small/one,small/one", UsageError, "this is one run twice"),
        ("small/one,small/other,small/third", UsageError, "name two runs of one benchmark"),
        ("small/one,small/nobody", BenchwrightError, "there is no run 'small/nobody'"),
        ("small/one,small/empty", BenchwrightError, "empty has no predictions.jsonl"),
        ("small/one,elsewhere/there", BenchwrightError, "there is a run on elsewhere 1.0.0"),
        ("small/one,small/same", BenchwrightError, "one and same give no pair to choose from (answers that are"),
    ],
)
def test_bad_uses(there: Path, tmp_path: Path, runs: str, kind: type[Exception], said: str) -> None:
    shutil.copytree(there, tmp_path, dirs_exist_ok=True)
    release = Release.load(tmp_path / "releases/small/1.0.0")
    own = tmp_path / "runs/small/1.0.0"
    make_run(release, own / "same", ONE, metrics=(), name="same")
    make_run(release, own / "empty", ONE, metrics=(), name="empty")
    (own / "empty/predictions.jsonl").unlink()
    other = tmp_path / "runs/elsewhere/1.0.0/there"
    make_run(release, other, ONE, metrics=(), name="there")
    facts = json.loads((other / "run.json").read_text())
    (other / "run.json").write_text(json.dumps({**facts, "benchmark": "elsewhere", "content_hash": "0" * 64}))
    with pytest.raises(kind) as raised:
        build(tmp_path, runs)
    assert said in str(raised.value) and "\n" not in str(raised.value)


def test_held_out_answers_get_into_no_pair(there: Path, tmp_path: Path) -> None:
    shutil.copytree(there, tmp_path, dirs_exist_ok=True)
    folder = tmp_path / "releases/small/1.0.0"
    manifest = Release.load(folder).manifest
    holdout = {"public": "small", "share": 0.5, "secret": "00" * 32}
    holdout["public_content_hash"] = "0" * 64
    write_manifest(folder, replace(manifest, holdout=holdout))
    assert is_private(Release.load(folder).manifest)
    with pytest.raises(BenchwrightError, match=r"^small holds answers that are held out, .*: name runs of small$"):
        build(tmp_path)
    write_manifest(folder, manifest)
    for name in ("one", "other"):
        path = tmp_path / "runs/small/1.0.0" / name / "run.json"
        told = json.loads(path.read_text())
        told["questions"]["split"] = "heldout"
        path.write_text(json.dumps(told))
    with pytest.raises(BenchwrightError, match=r"^one and other are runs of questions whose answers are held out"):
        build(tmp_path)


def test_pairs_of_a_benchmark_that_holds_source_data_hold_it_too(
    built_once: Release, there: Path, tmp_path: Path
) -> None:
    assert not holds_source_data(built_once.manifest)
    shutil.copytree(there, tmp_path, dirs_exist_ok=True)
    folder = tmp_path / "releases/small/1.0.0"
    source = {
        "uri": "specification.docx",
        "revision": None,
        "sha256": None,
        "licence": None,
        "rows_shipped": "questions",
    }
    write_manifest(folder, replace(Release.load(folder).manifest, sources=[source]))
    assert holds_source_data(build(tmp_path).manifest)
