"""The recorded random sample: who is drawn how often, that it can be drawn again, and that a change is noticed."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from report_cases import DOCUMENTS, PREDICTIONS_MADE, QUESTIONS, Case, make_release, make_run

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.reports.columns import RunData, in_condition, load_run
from benchwright.benchmarks.reports.metrics.human_sample import (
    check_sample,
    draw_answers,
    draw_sample,
    drawn_of_same,
    read_samples,
    write_sample,
)

SIZES = {"one": 1, "two": 2, "four": 4, "six": 6}
"""Wordings of each semantic group; three more questions have no group."""


@pytest.fixture(scope="module")
def sized(tmp_path_factory: pytest.TempPathFactory) -> Release:
    first = QUESTIONS[0]
    questions = [
        replace(first, id=f"{group}-{number}", group=group) for group, size in SIZES.items() for number in range(size)
    ]
    questions += [replace(first, id=f"alone-{number}", group=None) for number in range(3)]
    return make_release(tmp_path_factory.mktemp("sized") / "release", questions, DOCUMENTS)


@pytest.fixture(scope="module")
def of_sizes(sized: Release, tmp_path_factory: pytest.TempPathFactory) -> RunData:
    return loaded(made(sized, tmp_path_factory.mktemp("run") / "run"))


def made(release: Release, folder: Path, **changes: str) -> Case:
    """A run that answers "Oslo" but where the changes say so."""
    ids = [f"{group}-{number}" for group, size in SIZES.items() for number in range(size)]
    ids += [f"alone-{number}" for number in range(3)]
    predictions = [Prediction(each, changes.get(each.replace("-", "_"), "Oslo")) for each in ids]
    return make_run(release, folder, predictions)


def loaded(case: Case) -> RunData:
    return load_run(case.release, case.folder)


MEMBERS = {("group", group): [(f"{group}-{number}", 0) for number in range(size)] for group, size in SIZES.items()} | {
    ("question", f"alone-{number}"): [(f"alone-{number}", 0)] for number in range(3)
}


def test_each_answer_is_drawn_as_often_as_its_probability_says() -> None:
    """Over 3,500 seeds: each of 7 groups alike, and each answer of a group alike; 4.5 standard errors off at most.

    All 35 subsets of three groups have one chance, whatever their sizes: chi-square of 34 degrees of freedom, one in a
    thousand.
    """
    times, seen, together = 3_500, Counter[str](), Counter[frozenset[tuple[str, str]]]()
    probabilities: dict[str, float] = {}
    for seed in range(times):
        drawn = draw_answers(MEMBERS, 3, seed)
        together[frozenset(unit for unit, _, _ in drawn)] += 1
        for _, key, probability in drawn:
            seen[key[0]] += 1
            probabilities[key[0]] = probability
    expected = {f"{group}-{number}": 3 / 7 / size for group, size in SIZES.items() for number in range(size)}
    assert probabilities == pytest.approx(expected | {f"alone-{number}": 3 / 7 for number in range(3)})
    for name, probability in probabilities.items():
        error = (probability * (1 - probability) / times) ** 0.5
        assert abs(seen[name] / times - probability) < 4.5 * error, name
    assert len(together) == 35
    assert sum((count - 100) ** 2 / 100 for count in together.values()) < 65.2


def test_one_answer_a_group_and_smaller_samples_begin_larger_ones(of_sizes: RunData) -> None:
    small, large, whole = (draw_sample(of_sizes, size, 5) for size in (2, 5, 90))
    assert [each.key for each in large.answers[:2]] == [each.key for each in small.answers]
    assert large == draw_sample(of_sizes, 5, 5) != draw_sample(of_sizes, 5, 6)
    assert len(whole.answers) == whole.drawn_from.groups == 7, "all groups, where more are asked for"
    groups = [each.group or each.id for each in whole.answers]
    assert len(set(groups)) == 7
    assert sum(1 / each.probability for each in whole.answers) == whole.drawn_from.answers == 16


def test_only_answers_to_the_headlines_questions_in_the_condition_shown(tmp_path: Path) -> None:
    """No known gap, no unanswerable question, no failure; what abstained is an answer. Repeats are answers, too."""
    release = make_release(tmp_path / "release")
    others = [replace(each, condition="gold", repeat=0) for each in PREDICTIONS_MADE[:2]]
    again = [replace(each, repeat=1) for each in PREDICTIONS_MADE[:2]]
    unsupported = Prediction("halden-2", None, repeat=1, error="unsupported: no")
    run = loaded(make_run(release, tmp_path / "run", [*PREDICTIONS_MADE, *others, *again, unsupported]))
    found = draw_sample(run, 99)
    assert (found.drawn_from.groups, found.drawn_from.answers) == (3, 4 + 4 + 3 + 2)
    assert {each.group for each in found.answers} == {"halden", "brightwater", "quay"}
    drawn = [draw_sample(run, 99, seed) for seed in range(60)]
    keys = {each.key for sample in drawn for each in sample.answers}
    assert len(keys) == 13 and ("quay-3", 0) not in keys and ("halden-0", 1) in keys
    by_group = {each.group: each.probability for each in found.answers}
    assert by_group == {"halden": 1 / 6, "brightwater": 1 / 4, "quay": 1 / 3}
    gold = draw_sample(in_condition(run, "gold"), 99)
    assert (gold.drawn_from.condition, gold.drawn_from.answers, gold.answers[0].condition) == ("gold", 2, "gold")


def test_samples_are_kept_and_counted(sized: Release, tmp_path: Path) -> None:
    case = made(sized, tmp_path / "run")
    run = loaded(case)
    assert read_samples(case.folder) == {}
    first, second = draw_sample(run, 3), draw_sample(run, 3, seed=1)
    names = [write_sample(case.folder, each) for each in (first, second, first)]
    assert names == ["sample-1", "sample-2", "sample-1"], "the same sample is one"
    assert read_samples(case.folder) == {"sample-1": first, "sample-2": second}
    assert drawn_of_same(read_samples(case.folder), first) == ["sample-1", "sample-2"]
    (case.folder / "samples" / "sample-10.json").write_text((case.folder / "samples" / "sample-2.json").read_text())
    assert list(read_samples(case.folder)) == ["sample-1", "sample-2", "sample-10"]
    assert write_sample(case.folder, draw_sample(run, 4)) == "sample-11"
    for name, sample in read_samples(case.folder).items():
        check_sample(run, name, sample)


@pytest.mark.parametrize("changed", ["answer", "contexts", "fewer"])
def test_answers_that_changed_since_are_noticed(sized: Release, tmp_path: Path, changed: str) -> None:
    sample = draw_sample(loaded(made(sized, tmp_path / "before")), 3)
    path = made(sized, tmp_path / "after").folder / "predictions.jsonl"
    lines = path.read_text().splitlines()
    line = json.loads(lines[0])
    if changed == "answer":
        lines[0] = json.dumps({**line, "answer": "Perth"})
    elif changed == "contexts":
        lines[0] = json.dumps({**line, "contexts": [{"id": "d1"}]})
    else:
        del lines[0]
    path.write_text("".join(f"{each}\n" for each in lines))
    with pytest.raises(BenchwrightError, match="the answers of after are others than those that sample-1 was drawn"):
        check_sample(load_run(sized, path.parent), "sample-1", sample)


def test_the_order_of_answers_in_the_file_does_not_matter(sized: Release, tmp_path: Path, of_sizes: RunData) -> None:
    case = made(sized, tmp_path / "run")
    path = case.folder / "predictions.jsonl"
    path.write_text("".join(reversed(path.read_text().splitlines(keepends=True))))
    assert draw_sample(loaded(case), 4) == draw_sample(of_sizes, 4)


@pytest.mark.parametrize("edit", ["probability", "answer", "order", "seed", "fewer"])
def test_a_sample_that_was_edited_is_refused(of_sizes: RunData, edit: str) -> None:
    sample = draw_sample(of_sizes, 4)
    first, *rest = sample.answers
    changed = {
        "probability": replace(sample, answers=(replace(first, probability=first.probability / 2), *rest)),
        "answer": replace(sample, answers=(replace(first, id="alone-0" if first.id != "alone-0" else "one-0"), *rest)),
        "order": replace(sample, answers=(*rest, first)),
        "seed": replace(sample, seed=77),
        "fewer": replace(sample, answers=tuple(rest)),
    }[edit]
    with pytest.raises(BenchwrightError, match=r"sample-1 of run is not the sample that its seed, \d+, draws"):
        check_sample(of_sizes, "sample-1", changed)


def test_bad_samples_and_bad_use(sized: Release, tmp_path: Path) -> None:
    case = made(sized, tmp_path / "run")
    run = loaded(case)
    with pytest.raises(UsageError, match="a sample of 0 groups holds no answer"):
        draw_sample(run, 0)
    write_sample(case.folder, draw_sample(run, 3))
    path = case.folder / "samples" / "sample-1.json"
    text = path.read_text()
    for bad, message in (
        (text[:-20], "cannot be read as a sample"),
        (text.replace('"seed": 0', '"seed": "0"'), "cannot be read as a sample"),
        (text.replace('"format": 1', '"format": 2'), "has the format 2, and this version reads 1"),
    ):
        path.write_text(bad)
        with pytest.raises(BenchwrightError, match=message):
            read_samples(case.folder)
    (case.folder / "predictions.jsonl").unlink()
    with pytest.raises(BenchwrightError, match="there are no answers to draw from"):
        draw_sample(run, 3)


def test_answers_in_other_scripts_and_broken_text_have_a_hash(sized: Release, tmp_path: Path) -> None:
    case = made(sized, tmp_path / "run", one_0="日本 \ud83d", two_0="", four_1="‮x")
    again = made(sized, tmp_path / "again", one_0="日本", two_0="", four_1="‮x")
    one, other = (draw_sample(loaded(each), 3).drawn_from for each in (case, again))
    assert one.sha256 != other.sha256
