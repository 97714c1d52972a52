"""Cards of releases with pairs: what they load and of which types, that their commands work, what is said of labels."""

import json
import re
import shutil
from pathlib import Path

import pairs as made
import pytest
from built import Built
from card_cases import LIGHTS, card_of, wikieval, wikieval_labels
from click.testing import CliRunner
from datasets import Features, List, Value, load_dataset
from hub_cases import program, start_hub

from benchwright.benchmarks.releases.release import Release
from benchwright.cards.dataset.card import render_card, render_for
from benchwright.cards.dataset.pairs import pairs_of
from benchwright.cards.hub.publish import Target, publish
from benchwright.scripts.annotate import main as annotate
from benchwright.scripts.score_metric import main as score_metric

TEXT = Value("string")
PUBLISHED = {
    **dict.fromkeys(("question", "source", "answer", "ungrounded_answer", "poor_answer"), TEXT),
    **dict.fromkeys(("context_v1", "context_v2"), List(TEXT)),
}
"""The features of the published WikiEval, as its card has them."""
LOAD = """
import json, sys
from datasets import load_dataset
for config, streaming in json.loads(sys.argv[1]):
    rows = load_dataset("alice/wikieval", config, split="test", revision="v1.1.0", streaming=streaming)
    print(json.dumps([str(rows.features), list(rows)]))
"""


def rows(release: Release, config: str) -> list[dict[str, object]]:
    return [row for batch in release.batches(config, "test") for row in batch.to_pylist()]


def test_code_for_the_published_dataset_works(built: Built, tmp_path: Path) -> None:
    release = wikieval(built)
    for streaming in (False, True):
        place = str(release.folder)
        loaded = load_dataset(place, "pairs", split="test", streaming=streaming, cache_dir=str(tmp_path / "cache"))
        features = dict(loaded.features or {})
        assert features == {**PUBLISHED, "id": TEXT, "provenance": TEXT}
        assert list(loaded) == rows(release, "pairs")
        both = loaded.map(lambda row: {"both": "\n".join([*row["context_v1"], *row["context_v2"]])})
        assert next(iter(both))["both"].startswith(rows(release, "pairs")[0]["context_v1"][0][:20])  # type: ignore[index]


def test_pairs_and_labels_load_from_the_hub(built: Built, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    release = wikieval_labels(built)
    with start_hub(tmp_path, monkeypatch):
        publish(release, Target("alice/wikieval"), None)
        loaded = program(LOAD, json.dumps([["pairs", True], ["labels", False]]))
    pairs, labels = map(json.loads, loaded)
    assert pairs[1] == rows(release, "pairs")
    assert labels[1] == rows(release, "labels")
    assert labels[0] == str(
        Features(**dict.fromkeys(("pair_id", "dimension", "annotator", "choice"), TEXT), resolved=Value("bool"))
    )


def test_its_commands_work(built: Built, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    release = wikieval(built)
    shutil.copytree(release.folder, tmp_path / "releases/wikieval/1.0.0")
    monkeypatch.chdir(tmp_path)
    lines = {line.split()[0]: line.split()[1:] for line in re.findall(r"```sh\n(.+)\n```", card_of(release))}
    assert list(lines) == ["score-metric", "annotate", "score-system"]
    asked = lines["score-metric"][: lines["score-metric"].index("--model")]
    for command, typed in ((score_metric, asked), (annotate, lines["annotate"])):
        done = CliRunner().invoke(command, typed)
        assert done.exit_code == 0 and all(Path(line).is_file() for line in done.stdout.splitlines()), done.output
    assert [path.name for path in sorted(tmp_path.rglob("pairs-page-*.html"))] == [
        "pairs-page-1.html",
        "pairs-page-2.html",
    ]


def test_its_lines_name_the_repository(built: Built) -> None:
    card = render_for(wikieval(built), "alice/wikieval")
    for line in (
        'pairs = load_dataset("alice/wikieval", "pairs", split="test", revision="v1.0.0")',
        "score-metric alice/wikieval@1.0.0 faithfulness --model judge=NAME",
        "annotate alice/wikieval@1.0.0 --pages 2",
        "`annotate alice/wikieval@1.0.0 --merge FILES --next 1.1.0`",
    ):
        assert line in card
    assert "releases/wikieval" not in card


def test_labels_of_one_person_have_nobody_to_agree_with(tmp_path: Path) -> None:
    chosen = [made.label(row["id"], "faithfulness", "first") for row in made.pairs(7)]
    release = made.make_release(tmp_path, made.pairs(8), [*chosen, made.label("p-hale", "faithfulness", "tie")])
    found = pairs_of(release)
    assert found is not None and found.annotators == 1 and found.are_labelled
    faithfulness, relevance, _ = found.dimensions
    assert (faithfulness.pairs, relevance.pairs, relevance.least) == (7, 0, None)
    card = render_card(release.manifest, LIGHTS, release.folder)
    assert "\n1 person chose between the candidates, as 8 rows of `labels` say.\n" in card
    assert "\n| faithfulness | 7 | 0 | 1 | 0 | 0 | 0 |\n" in card
    assert "\n| faithfulness | nobody to compare | 0 | none | none |\n" in card
    assert "Of 7 decisions, each of a pair in a dimension, 100.0 % fell on" in card
    assert "\n| `provenance` |" not in card and "and `id` is added" in card


def test_texts_of_others_break_no_table(tmp_path: Path) -> None:
    bad = "a | b\n\n# Mine\n<script>x</script> `c` [d](http://x.example)"
    row = made.pair(
        "Orrin", 1850, question=bad, answer=bad, poor_answer=bad, context_v1=[bad], context_v2=[bad, "More " + bad]
    )
    release = made.make_release(tmp_path, [row])
    table = render_card(release.manifest, LIGHTS, release.folder).partition("### A pair\n\n")[2].partition("\n\n")[0]
    lines = table.splitlines()
    assert len(lines) == 8 and all(len(re.findall(r"(?<!\\)\|", line)) == 3 for line in lines)
    assert "<script>" not in table and r"\[d\](" in table
    assert lines[-1].startswith("| added in `context_v2` | More a")
