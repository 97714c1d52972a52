"""The dataset card: golden files, and what it says of a release, however the release came about."""

import json
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import lighthouses
import pytest
from built import Built
from card_cases import CASES, GOLDEN, LIGHTS, aurp, card_of, lights, without_sizes

from benchwright.benchmarks import registry
from benchwright.benchmarks.catalogue import BUILDERS, load_spec
from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.registry import register
from benchwright.benchmarks.releases.manifest import Manifest
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.schemas import QUESTIONS
from benchwright.cards.dataset.card import render_card, texts_made
from benchwright.cards.dataset.checks import Row, proved
from benchwright.cards.dataset.counts import count_questions


@pytest.fixture(scope="module")
def small(built: Built) -> Release:
    return aurp(built)


@pytest.fixture
def plain(tmp_path: Path) -> Release:
    return lighthouses.make_release(tmp_path)


@pytest.mark.parametrize("name", CASES)
def test_the_whole_card(name: str, built: Built) -> None:
    golden = GOLDEN / f"card_of_{name}.md"
    card = without_sizes(card_of(CASES[name](built)))
    assert card == golden.read_text(encoding="utf-8"), "if the change is meant: python tests/card_cases.py"


def test_every_golden_file_is_tested() -> None:
    found = {path.name for path in GOLDEN.glob("card_of_*.md")} - {"card_of_aurp_parts.md"}
    assert found == {f"card_of_{name}.md" for name in CASES}


@pytest.mark.parametrize("name", CASES)
def test_a_manifest_that_was_read_gives_the_same_card(name: str, built: Built) -> None:
    """So that a card can be made anew for a release that is there: JSON sorts the keys of a manifest."""
    release = CASES[name](built)
    spec = LIGHTS if name == "lights" else load_spec(release.manifest.builder)
    read = json.loads(release.manifest.to_json())
    assert render_card(Manifest(**read), spec, release.folder) == card_of(release)


def test_what_is_counted_from_rows_is_what_the_builder_counted(small: Release) -> None:
    checks, counts = small.manifest.checks, count_questions(small)
    assert {one.split: one.groups for one in counts.splits} == checks["sql_queries_per_split"]
    assert {one.split: len(one.templates) for one in counts.splits} == checks["sql_templates_per_split"]
    assert {one.split: one.answerability["answerable"] for one in counts.splits} == checks["answerable_groups"]
    assert {one.split: one.answerability["gap"] for one in counts.splits} == checks["gap_groups"]
    assert counts.test is not None
    assert {str(hops): count for hops, count in counts.test.hops.items()} == checks["test_groups_per_hops"]
    assert round(counts.detectable or 0, 4) == checks["minimum_detectable_difference"]
    assert counts.forms == checks["text_queries"]
    assert {one.split: one.questions for one in counts.splits} == small.manifest.splits["questions"]


def test_groups_over_several_batches_and_questions_without_one(plain: Release, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = count_questions(plain)
    monkeypatch.setattr("benchwright.benchmarks.releases.budget.BATCH_ROWS", 3)
    assert count_questions(plain) == whole
    assert [(one.split, one.questions, one.groups) for one in whole.splits] == [("test", 10, 5), ("dev", 2, 1)]
    assert whole.splits[0].answerability == {"answerable": 4, "gap": 1}
    import pyarrow.parquet as pq

    path = plain.shards("questions", "test")[0]
    table = pq.read_table(path)
    pq.write_table(table.set_column(6, "group", [[None] * len(table)]), path)
    assert count_questions(plain).splits[0].groups == 10


def test_checks_in_words() -> None:
    checks = {
        "one_answer_per_filling": 1234,
        "executed_again": 0,
        "sql_templates": 7,
        "answerable_groups": {"test": 5},
        "fillings_left_out": {"several answers": 45, "no result": 0, "it rained": 1},
        "share_read_aloud": 0.25,
        "wet": False,
        "by_keeper": {"Ada": 1, "Ben": 0},
    }
    words = {
        **load_spec("grammar").checks,
        "share_read_aloud": {"part": "proved", "words": "Share that was read aloud"},
    }
    found = proved(checks, replace(LIGHTS, checks=words), with_counts=False)
    assert found == {
        "Checked, and found right": [
            Row("SQL queries that returned an answer which can be asked for; each is a semantic group", "1,234"),
            Row(
                "Queries that were executed once more, one by one with their values written out, and returned the same",
                "0",
            ),
            Row("Share that was read aloud", "0.25"),
        ],
        "Left out, and why": [
            Row("Combinations of values that are not asked: the query returns several answers", "45"),
            Row("Combinations of values that are not asked: it rained", "1"),
        ],
        "Also counted by the builder": [Row("by keeper: Ada", "1"), Row("by keeper: Ben", "0"), Row("wet", "no")],
    }
    counts = replace(LIGHTS, checks=load_spec("grammar").checks)
    assert proved(checks, counts, with_counts=True)["Counts"] == [Row("SQL templates", "7")]


@pytest.mark.parametrize("name", ["aurp", "aurp_by_model", "library"])
def test_every_check_of_our_builders_has_words(name: str, built: Built) -> None:
    release = CASES[name](built)
    spec = load_spec(release.manifest.builder)
    assert "Also counted by the builder" not in proved(release.manifest.checks, spec, with_counts=True)


def test_who_wrote_what(plain: Release) -> None:
    assert texts_made(plain.manifest) == []
    texts = {
        "documents": {"model": 3, "fallback": 1},
        "summaries": {"rule": 2, "model": 0},
        "wordings": {"given": 3, "model": 12, "rule": 5},
        "SQL templates": {"given": 4},
    }
    models = [{"role": "writer", "name": "scribe"}, {"role": "judge", "name": "judy"}]
    given = replace(plain.manifest, texts=texts, models=models, parameters={"templates": "mine.json"})
    file = "people or a program, in the file given as `templates`"
    assert [(one.what, one.count, one.by) for one in texts_made(given)] == [
        ("SQL templates", 4, file),
        ("wordings (text templates)", 5, "rules"),
        ("wordings (text templates)", 12, "`scribe`"),
        ("wordings (text templates)", 3, file),
        ("documents", 3, "`scribe`"),
        ("documents", 1, "rules, because the model gave no text that could be used"),
        ("summaries", 2, "rules"),
    ]
    assert given.built_in_texts == ["wordings", "documents", "summaries"]


def test_many_sources_fold_away(plain: Release) -> None:
    sources = [{"uri": f"file-{number}.md", "sha256": "0" * 64} for number in range(23)]
    card = render_card(replace(plain.manifest, sources=sources), LIGHTS, plain.folder)
    shown, _, folded = card.partition("- and 3 more sources, listed at the end\n")
    assert (shown.count("\n- source: `file-"), folded.count("\n- `file-")) == (20, 3)
    assert "<summary>The other sources (3)</summary>" in folded
    assert "more sources" not in render_card(replace(plain.manifest, sources=sources[:20]), LIGHTS, plain.folder)


def test_versions_newest_first_up_to_this_one(plain: Release) -> None:
    history = {"1.0.0": "First.", "1.10.0": "Tenth.", "1.9.0": "Ninth.", "2.0.0": "All new."}
    spec = replace(LIGHTS, history=history)
    card = render_card(replace(plain.manifest, version="1.11.0"), spec, plain.folder)
    assert "\n- **1.10.0** Tenth.\n- **1.9.0** Ninth.\n- **1.0.0** First.\n- **1.11.0** Not described.\n\nThis" in card
    assert "All new" not in card
    other = render_card(replace(plain.manifest, name="mine"), spec, plain.folder)
    assert "First." not in other
    with pytest.raises(BenchwrightError, match=r"'1\.1' is not a version"):
        replace(LIGHTS, history={"1.1": "x"})


def test_a_section_of_another_packages_own(plain: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lights_of_others.py").write_text("VERSION = '1'\n\ndef build(request, writer): ...\n")
    own = '{% extends "card.md.jinja" %}\n{% block counts %}\nLamps: {{ checks.lamps | shown }}.\n\n{% endblock %}\n'
    (tmp_path / "lights.md.jinja").write_text(own)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(registry, "_states", {})
    register(BUILDERS, "lights", import_module("lights_of_others"))
    card = render_card(replace(plain.manifest, checks={"lamps": {"lit": 3}}), LIGHTS, plain.folder)
    assert "\nLamps: lit 3.\n\n**Known gaps.**" in card
    (tmp_path / "lights.md.jinja").unlink()
    assert "Lamps:" not in render_card(plain.manifest, LIGHTS, plain.folder)


def test_the_columns_are_explained() -> None:
    text = (GOLDEN / "card_of_lights.md").read_text(encoding="utf-8")
    table = text.partition("### Columns of `questions`")[2].partition("\n## ")[0]
    named = [
        name.strip(" `")
        for line in table.splitlines()
        if line.startswith("| `")
        for name in line[2:].partition("|")[0].split(",")
    ]
    assert named == QUESTIONS.resolve(()).names


def test_held_out_answers_and_secrets_are_on_no_card(halves: tuple[Release, Release]) -> None:
    public, private = halves
    section = private.manifest.holdout or {}
    assert section["secret"] not in card_of(public) + card_of(private)
    kept = [row for batch in private.batches("questions", "test") for row in batch.to_pylist()]
    shown = card_of(public).partition("## Examples")[2].partition("\n## ")[0]
    assert shown
    assert not [row["id"] for row in kept if row["question"] in shown]
    assert "## Examples" not in card_of(private)
    notice = card_of(private).index("\n> ## PRIVATE: never make this repository public\n")
    assert notice < card_of(private).index("\n## ")
    assert "viewer: false" in card_of(private)
    assert "viewer" not in card_of(public).partition("\n---\n")[0]


def test_the_card_of_a_foreign_builder_has_all_sections(built: Built) -> None:
    titles = [line for line in card_of(lights(built)).splitlines() if line.startswith("## ")]
    assert titles == [
        f"## {title}"
        for title in (
            "What it measures", "Use it", "Contents", "Questions", "Examples", "Baselines",
            "Whether the documents state the answers", "How it was made", "What the build proved", "Intended use", "Limits", "Personal data", "Versions", "Who answers for it", "Licence", "Citation", "Canary",
        )
    ]  # fmt: skip
