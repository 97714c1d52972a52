"""Pairs of a release: sides by hash, choices in three dimensions, labels that come of them and are read as such."""

import json
from pathlib import Path

import pairs as made
import pytest
from annotated import Choose, saved_lines, write_lines
from click.testing import CliRunner, Result

from benchwright.benchmarks.annotations.agreement import agreement_on_pairs
from benchwright.benchmarks.annotations.exports import label_lines, read_export
from benchwright.benchmarks.annotations.merge import merge
from benchwright.benchmarks.annotations.pair_items import pair_work
from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.pairs import read_pairs
from benchwright.benchmarks.releases.release import Release
from benchwright.scripts.annotate import main

ROWS = [*made.pairs(4), made.pair("Moor", 1900, poor_answer=None, context_v2=[""])]
"""The last one can be chosen from in one dimension only."""


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return made.make_release(tmp_path_factory.mktemp("pairs"), ROWS)


def first_but(*others: str) -> Choose:
    """Chooses the first candidate, but the second in the items named."""
    return lambda item, task: "second" if item.id in others else "first"


def test_a_choice_for_each_dimension_that_has_both(release: Release) -> None:
    work = pair_work(release, "pairs-ada")
    assert (work.kind, work.name, len(work.items), len(work.hash)) == ("release", "mills 1.0.0", 4 * 3 + 1, 16)
    item = next(each for each in work.items if each.id == "faithfulness p-orrin")
    assert [each.role for each in item.texts] == ["question", "context", "candidate", "candidate"]
    (task,) = item.tasks
    assert task.line == {"pair_id": "p-orrin", "dimension": "faithfulness"}
    assert [each.label for each in task.choices] == ["A is better", "B is better", "No difference"]
    said = {each.title: each.text[0][0] for each in item.texts[2:]}
    by_name = {each.name: each.label[0] for each in task.choices[:2]}
    assert said[by_name["first"]] == "The mill at Orrin was built in 1850."
    assert said[by_name["second"]].endswith("monks of Selby.")


def test_sides_differ_by_page_and_tell_nothing(release: Release) -> None:
    def sides(page: str) -> list[str]:
        return [item.tasks[0].choices[0].name for item in pair_work(release, page, has_texts=False).items]

    assert sides("pairs-ada") == sides("pairs-ada") != sides("pairs-ben")
    assert {"first", "second"} == set(sides("pairs-ada"))


def test_another_seed_is_another_order_and_other_sides(release: Release, tmp_path: Path) -> None:
    """What comes back names the candidate, so that the file of either page is read alike."""

    def drawn(*arguments: str) -> tuple[list[str], list[str]]:
        result = annotate(release, tmp_path, "--pages", "1", *arguments)
        text = Path(result.stdout.strip()).read_text("utf-8")
        found = [json.loads(each.split("</script>")[0]) for each in text.split("data-item>")[1:]]
        tasks = [each["tasks"][0] for each in found]
        return [task["line"]["pair_id"] for task in tasks], sorted(
            f"{task['line']} {task['choices'][0]['name']}" for task in tasks
        )

    zero, one = drawn(), drawn("--seed", "1")
    assert zero == drawn("--seed", "0") and one == drawn("--seed", "1")
    assert zero[0] != one[0] and zero[1] != one[1]


def test_gaps_do_not_tell_which_context_was_widened(tmp_path: Path) -> None:
    """One passage beside three is read as one text each; several beside several keep their gaps."""

    def shown(first: list[str]) -> set[str]:
        row = {**ROWS[0], "context_v1": first, "context_v2": ["a", "b", "c"]}
        work = pair_work(made.make_release(tmp_path / str(len(first)), [row]))
        item = next(each for each in work.items if each.id.startswith("context_relevance"))
        return {each.text[0][0] for each in item.texts if each.role == "candidate"}

    assert shown(["a b"]) == {"a b", "a b c"}
    assert shown(["a", "b"]) == {"a\n\nb", "a\n\nb\n\nc"}


def annotate(release: Release, runs: Path, *arguments: str | Path) -> Result:
    roots = ("--releases", release.folder.parent.parent, "--runs", runs)
    return CliRunner().invoke(main, [str(each) for each in ("mills", *arguments, *roots)])


def test_two_annotators_and_what_they_settle_become_labels(release: Release, tmp_path: Path) -> None:
    result = annotate(release, tmp_path, "--pages", "2")
    folder = tmp_path / "mills" / "1.0.0" / "pairs"
    paths = [folder / "annotate" / f"pairs-page-{number}.html" for number in (1, 2)]
    assert (result.exit_code, result.stdout.split()) == (0, [str(path) for path in paths]), result.output
    assert "13 choices of 5 pairs; 13 questions a page" in result.stderr and "true answers" not in result.stderr
    work = pair_work(release)
    ada = write_lines(tmp_path / "ada.jsonl", saved_lines(work, "Ada", first_but()))
    ben = write_lines(tmp_path / "ben.jsonl", saved_lines(work, "Ben", first_but("answer_relevance p-brede")))
    merged = annotate(release, tmp_path, "--merge", ada, ben, "--resolve")
    labels = folder / "labels.jsonl"
    resolving = [folder / "annotate" / f"pairs-resolve.{suffix}" for suffix in ("html", "jsonl")]
    assert merged.stdout.split() == [str(labels), *map(str, resolving)], merged.output
    assert "- When was the mill at Brede built? p-brede (answer_relevance): Ada first, Ben second" in merged.stderr
    only = lambda item, task: "tie" if item.id == "answer_relevance p-brede" else None  # noqa: E731
    dee = write_lines(tmp_path / "dee.jsonl", saved_lines(work, "Dee", only, page="pairs-resolve", final=True))
    assert "12 agreed, 1 resolved; 0 open." in annotate(release, tmp_path, "--merge", dee).stderr
    rows = [json.loads(line) for line in labels.read_text().splitlines()]
    columns = ("pair_id", "dimension", "annotator", "choice", "resolved")
    given = [{name: row[name] for name in columns} for row in rows]
    assert len(given) == 27 and [row for row in given if row["resolved"]] == [
        {"pair_id": "p-brede", "dimension": "answer_relevance", "annotator": "Dee", "choice": "tie", "resolved": True}
    ]  # fmt: skip
    labelled = read_pairs(made.make_release(tmp_path / "labelled", ROWS, given)).labelled
    by_key = {(each.dimension, each.pair.id): each for each in labelled}
    assert by_key["answer_relevance", "p-brede"].choice == "tie"
    assert by_key["answer_relevance", "p-brede"].votes == {"Ada": "first", "Ben": "second"}
    assert by_key["faithfulness", "p-orrin"].choice == "first"
    from_file = read_pairs(release, labels)
    assert from_file.source == "file" and not from_file.left_out
    assert [(each.choice, each.votes) for each in from_file.labelled] == [
        (each.choice, each.votes) for each in labelled
    ]


def test_agreement_in_each_dimension(release: Release, tmp_path: Path) -> None:
    work = pair_work(release)
    exports = []
    for name, others in (("Ada", ["faithfulness p-orrin"]), ("Ben", ["faithfulness p-orrin", "faithfulness p-brede"])):
        path = write_lines(tmp_path / f"{name}.jsonl", saved_lines(work, name, first_but(*others)))
        exports.append(read_export(name, label_lines(path), work))
    found = {each.dimension: each for each in agreement_on_pairs(merge(work, exports))}
    assert list(found) == ["faithfulness", "answer_relevance", "context_relevance"]
    first = found["faithfulness"]
    assert first.names == ("Ada", "Ben") and (first.agreement.same.count, first.agreement.same.total) == (4, 5)
    assert first.agreement.kappa is not None and first.agreement.kappa.value == pytest.approx((0.8 - 0.56) / 0.44)
    assert found["answer_relevance"].agreement.share == 1 and found["answer_relevance"].agreement.kappa is None


def test_agreement_of_three_by_hand(release: Release, tmp_path: Path) -> None:
    """Cy says of one pair of five what the others do not, and of another nothing."""
    work = pair_work(release)
    others: dict[str, dict[str, str | None]] = {
        "Ada": {}, "Ben": {}, "Cy": {"faithfulness p-orrin": "tie", "faithfulness p-brede": None}
    }  # fmt: skip
    exports = []
    for name, differs in others.items():
        lines = saved_lines(work, name, lambda item, task, differs=differs: differs.get(item.id, "first"))
        path = write_lines(tmp_path / f"{name}.jsonl", [each for each in lines if each["dimension"] == "faithfulness"])
        exports.append(read_export(name, label_lines(path), work))
    found = {each.names: each.agreement for each in agreement_on_pairs(merge(work, exports))}
    assert list(found) == [("Ada", "Ben"), ("Ada", "Cy"), ("Ben", "Cy"), ()]
    assert [each.same.total for each in found.values()] == [5, 4, 4, 5]
    every = found[()]
    assert every.people == 3 and (every.same.count, every.same.total) == (4, 5)
    observed, tie = (4 + 1 / 3) / 5, (1 / 3) / 5  # one of the three twos of one pair agrees; ties are a third of it
    assert every.share == pytest.approx(observed)
    assert every.kappa is not None and every.kappa_unordered is not None
    assert every.kappa.value == pytest.approx(1 - (1 - observed) / (1 - tie**2 - (1 - tie) ** 2))
    assert every.kappa_unordered.value == pytest.approx(1 - (1 - observed) / (1 - tie**2 - (1 - tie) ** 2 / 2))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"pair_id": "p-nobody"}, "p-nobody faithfulness was not asked in mills 1.0.0"),
        ({"choice": "both"}, "it says 'both' of p-orrin faithfulness, and that first was chosen"),
        ({"choice": 7}, "choice: input should be a valid string"),
        ({"annotator": ""}, "nobody is named who said it"),
        ({"trace": {}}, "line 2 has the trace of a page, unlike the lines before it: was the page or its file edited"),
        ({"trace": {"choice": "first"}}, "no trace.work"),
        ({"trace": {"work": "0" * 16}}, "not of mills 1.0.0 .*: name the version that it is of, as NAME@VERSION"),
    ],
)
def test_a_label_that_was_not_asked_for(release: Release, tmp_path: Path, change: dict, message: str) -> None:
    work = pair_work(release, has_texts=False)
    lines = saved_lines(work, "Ada", first_but())
    path = write_lines(tmp_path / "a.jsonl", [{**lines[0], **change}, *lines[1:]])
    with pytest.raises(BenchwrightError, match=message):
        read_export("a.jsonl", label_lines(path), work)


def test_a_release_without_pairs_and_options_of_runs(release: Release, tmp_path: Path) -> None:
    other = made.make_release(tmp_path, [], name="bare")
    with pytest.raises(BenchwrightError, match=r"bare 1.0.0 holds no pairs"):
        pair_work(other)
    result = annotate(release, tmp_path, "--metric", "correct")
    assert (result.exit_code, "--metric and --condition are of runs" in result.output) == (2, True)
    result = annotate(release, tmp_path, "--sample", "2")
    assert (result.exit_code, "people are asked about all of its pairs" in result.output) == (2, True)
    result = annotate(release, tmp_path, "--format", "argilla", "--seed", "2")
    assert (result.exit_code, "--format takes no --seed" in result.output) == (2, True)
