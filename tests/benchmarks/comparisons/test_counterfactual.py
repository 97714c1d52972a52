"""What a system knows by heart: two releases that ask the same and have other answers."""

from dataclasses import replace
from pathlib import Path

import pytest
from report_cases import give_judge, make_release, make_run

from benchwright.benchmarks.comparisons.counterfactual import Counterfactual, compare_seeds
from benchwright.benchmarks.comparisons.counterfactual_words import counterfactual_blocks, sentence
from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.predictions import Prediction
from benchwright.benchmarks.releases.release import Release
from benchwright.benchmarks.runs.run import SCORES, read_run, write_run
from benchwright.benchmarks.types import Question
from benchwright.cards.blocks import markdown

GROUPS, SAME = 30, 4
TOWNS = ("Oslo", "Perth", "Bergen", "Turin", "Cadiz", "Lagos", "Quito")


def town(group: int, seed: int) -> str:
    """A group's answer: of the last four the same in both releases."""
    return TOWNS[(group + (seed if group < GROUPS - SAME else 0)) % len(TOWNS)]


def questions(seed: int) -> list[Question]:
    """Two wordings of each group, and a known gap."""
    return [
        Question(id=f"q{group}-{each}", question=f"Where is number {group}, {each}?", answers=(town(group, seed),),
                 answer_type="one", group=f"g{group}", template="t", answerability="gap" if group == 0 else "answerable")
        for group in range(GROUPS) for each in range(2)
    ]  # fmt: skip


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> tuple[Release, Release]:
    folder = tmp_path_factory.mktemp("seeds")
    published, fresh = (make_release(folder / str(seed) / "small", questions(seed), seed=seed) for seed in (0, 1))
    return published, fresh


@pytest.fixture(scope="module")
def runs(releases: tuple[Release, Release], tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, Path]]:
    """Of a system that reads, and of one that tells the published answer of every second group; each on both."""
    folder, found = tmp_path_factory.mktemp("runs"), {}
    for name in ("reads", "remembers"):
        pair = []
        for seed, release in enumerate(releases):
            said = [
                Prediction(
                    question.id,
                    town(int(question.id[1:-2]), 0 if name == "remembers" and int(question.id[1:-2]) % 2 else seed),
                )
                for question in questions(seed)
            ]
            pair.append(make_run(release, folder / str(seed) / name, said, ("correct", "exact_match")).folder)
        found[name] = tuple(pair)
    return found


def found(
    releases: tuple[Release, Release], folders: tuple[Path, Path], metrics: tuple[str, ...] = ()
) -> Counterfactual:
    return compare_seeds(releases, folders, metrics=metrics)


def test_a_system_that_remembers(releases: tuple[Release, Release], runs: dict[str, tuple[Path, Path]]) -> None:
    """Of 29 groups that can be answered 25 changed; the odd ones of these, 13, are answered from memory."""
    seen = found(releases, runs["remembers"])
    gap = seen.metrics["correct"]
    assert (seen.questions, seen.changed, seen.condition) == (58, 50, "own")
    assert list(seen.metrics) == ["correct"]
    assert gap.every is not None and gap.changed is not None and gap.unchanged is not None
    assert (gap.every.published, gap.every.fresh, gap.every.groups) == (1.0, pytest.approx(16 / 29), 29)
    assert (gap.changed.value, gap.changed.questions) == (pytest.approx(13 / 25), 50)
    assert (gap.unchanged.value, gap.unchanged.groups, gap.unchanged.separated) == (0.0, 4, False)
    assert gap.every.separated and gap.every.low > 0.2 and gap.every.p < 0.001
    assert seen.old_answers is not None
    assert (seen.old_answers.remembered, seen.old_answers.by_chance) == (pytest.approx(13 / 25), 0.0)
    assert seen.old_answers.separated
    assert (seen.published.run, seen.fresh.run) == ("0/remembers", "1/remembers")
    assert (seen.published.seed, seen.fresh.seed) == (0, 1)
    assert seen.notes == ()
    assert sentence(seen).startswith(
        "A memorisation gap: correct is 44.8 points higher on the published release than on the fresh one (95 % "
    )
    drawn = markdown.draw(counterfactual_blocks(seen))
    assert "52.0 % are right in the published release; the other way round, where nothing can be remembered, 0.0 %" in (
        drawn
    )
    rows = [line.split(" | ") for line in drawn.splitlines() if line.startswith("| correct")]
    assert [row[1] for row in rows] == ["all", "with another answer", "with the same answer"]
    assert [row[6] for row in rows] == ["&lt; 0.001", "–", "–"]


def test_a_system_that_reads(releases: tuple[Release, Release], runs: dict[str, tuple[Path, Path]]) -> None:
    seen = found(releases, runs["reads"], ("exact_match", "correct"))
    gap = seen.metrics["exact_match"].every
    assert list(seen.metrics) == ["exact_match", "correct"]
    assert gap is not None
    assert (gap.value, gap.separated) == (0.0, False)
    assert gap.low < 0 < gap.high  # nothing seen in 29 groups is no proof
    assert sentence(seen).startswith("No memorisation gap is seen: exact_match is the same to 0.0 points on")
    assert "not separated; a gap of up to " in sentence(seen)


def test_what_is_unscored_is_named(
    releases: tuple[Release, Release], runs: dict[str, tuple[Path, Path]], tmp_path: Path
) -> None:
    said = [Prediction("q1-0", "Perth"), Prediction("q1-1", None, error="TimeoutError"), Prediction("q2-0", "Bergen")]
    part = make_run(releases[0], tmp_path / "part", said, ("correct",)).folder
    seen = compare_seeds(releases, (part, runs["reads"][1]))
    reasons = seen.metrics["correct"].unscored["part"]
    assert dict(reasons) == {"no prediction": 55, "the system gave no answer": 1}
    assert "part: correct is unscored for 56 questions: no prediction (55)" in markdown.draw(
        counterfactual_blocks(seen)
    )
    lonely = make_run(releases[0], tmp_path / "lonely", said[:1], ("correct",)).folder
    alone = compare_seeds(releases, (lonely, runs["reads"][1]))
    assert alone.metrics["correct"].every is None
    assert sentence(alone).startswith("No memorisation gap can be told: correct has scores in both runs of fewer than")


def test_runs_that_only_a_folder_far_above_tells_apart(releases: tuple[Release, Release], tmp_path: Path) -> None:
    said = [Prediction("q1-0", "Perth"), Prediction("q1-1", "Bergen")]
    base, fresh = (
        make_run(release, tmp_path / root / "aurp" / "1.0.0" / "bm25", said[:number], ("correct",)).folder
        for number, (root, release) in enumerate(zip(("base", "fresh"), releases, strict=True), 1)
    )
    seen = compare_seeds(releases, (base, fresh))
    assert (seen.published.run, seen.fresh.run) == ("base/aurp/1.0.0/bm25", "fresh/aurp/1.0.0/bm25")
    assert {name: dict(why) for name, why in seen.metrics["correct"].unscored.items()} == {
        "base/aurp/1.0.0/bm25": {"no prediction": 57},
        "fresh/aurp/1.0.0/bm25": {"no prediction": 56},
    }


def test_what_is_no_counterfactual_is_refused(
    releases: tuple[Release, Release], runs: dict[str, tuple[Path, Path]], tmp_path: Path
) -> None:
    one, two = runs["reads"][0], runs["remembers"][0]
    with pytest.raises(BenchwrightError, match=r"reads and .*remembers are both on small 1.0.0 \(content \w{12}…\): "):
        compare_seeds((releases[0], releases[0]), (one, two))
    fewer = make_release(tmp_path / "fewer" / "small", questions(1)[:-2], seed=1)
    other = make_run(fewer, tmp_path / "other", [Prediction("q1-0", "x")], ("correct",)).folder
    message = r"small 1.0.0 \(content \w{12}…\) and small 1.0.0 \(.*\) do not ask the same \(2 questions only in the first, 0 "
    with pytest.raises(BenchwrightError, match=message):
        compare_seeds((releases[0], fewer), (one, other))
    with pytest.raises(UsageError, match="reads has no metric 'mrr': there is correct, exact_match"):
        compare_seeds(releases, runs["reads"], metrics=["mrr"])
    with pytest.raises(UsageError, match="reads has no condition 'closed': there is own"):
        compare_seeds(releases, runs["reads"], condition="closed")
    with pytest.raises(BenchwrightError, match=f"no {SCORES}"):
        (tmp_path / "none").mkdir()
        settings = read_run(one)
        assert settings is not None
        write_run(tmp_path / "none", settings)
        compare_seeds(releases, (tmp_path / "none", runs["reads"][1]))


def test_scores_of_other_judges_are_refused_unless_asked(
    releases: tuple[Release, Release], runs: dict[str, tuple[Path, Path]], tmp_path: Path
) -> None:
    said = [Prediction(each.id, "Oslo") for each in questions(1)]
    judged = make_run(releases[1], tmp_path / "other", said, ("correct",)).folder
    give_judge(judged, "model:gpt:0123")
    message = r"correct was .* \(reads computed by rules; other judged by model:gpt:0123\), so that the gap may be the"
    with pytest.raises(BenchwrightError, match=message):
        compare_seeds(releases, (runs["reads"][0], judged))
    assert compare_seeds(releases, (runs["reads"][0], judged), mix_judges=True).metrics["correct"].every is not None


def test_what_else_differs_is_said(
    releases: tuple[Release, Release], runs: dict[str, tuple[Path, Path]], tmp_path: Path
) -> None:
    said = [Prediction(each.id, "x") for each in questions(1)]
    folder = make_run(releases[1], tmp_path / "other", said, ("correct",), reference="other:answer").folder
    assert compare_seeds(releases, (runs["reads"][0], folder)).notes == (
        "the runs are of my_rag:answer and other:answer: make sure that both are one",
    )
    settings = read_run(folder)
    assert settings is not None
    changed = replace(settings, system=replace(settings.system, reference="my_rag:answer", settings={"k": 3}))
    write_run(folder, changed)
    assert compare_seeds(releases, (runs["reads"][0], folder)).notes == (
        "the system had other settings in one run than in the other",
    )


def test_a_round_is_compared_by_what_it_asks_again(
    releases: tuple[Release, Release], runs: dict[str, tuple[Path, Path]], tmp_path: Path
) -> None:
    """Of the groups a half stays, the others are new; of the answers from memory those of the kept ones are told."""
    asked = [
        replace(each, subset="kept") if number < GROUPS else replace(each, id=f"new-{each.id}", subset="fresh")
        for number, each in enumerate(questions(1))
    ]
    edition = make_release(tmp_path / "round" / "small", asked, seed=2**255 + 7)
    pairs = {
        name: make_run(
            edition,
            tmp_path / name / "fresh",
            [Prediction(each.id, town(int(each.id.split("-")[-2].strip("q")), seed)) for each in asked],
            ("correct",),
        ).folder
        for name, seed in (("reads", 1), ("remembers", 0))
    }
    seen = compare_seeds((releases[0], edition), (runs["reads"][0], pairs["remembers"]))
    assert (seen.is_round, seen.questions, seen.changed) == (True, 28, 28)
    gap = seen.metrics["correct"].every
    assert gap is not None and (gap.published, gap.fresh, gap.groups) == (1.0, 0.0, 14)
    assert seen.notes == (
        "the fresh release is the edition of a round: compared are the 30 questions of its subset kept that the "
        "published one asks too. Its documents are other ones, so that a system that knows nothing by heart may have "
        "a gap too: hold it against that of a baseline",
    )
    assert "small 1.0.0, seed 0x80000000…" in markdown.draw(counterfactual_blocks(seen))
    honest = compare_seeds((releases[0], edition), (runs["reads"][0], pairs["reads"])).metrics["correct"].every
    assert honest is not None and (honest.value, honest.separated) == (0.0, False)
    only_fresh = make_release(tmp_path / "only" / "small", asked[GROUPS:], seed=3)
    with pytest.raises(BenchwrightError, match="do not ask the same"):
        compare_seeds((releases[0], only_fresh), (runs["reads"][0], pairs["reads"]))
