"""Measures editions of Aurp as rounds use them: how alike in difficulty they are, and what the public edition is worth.

    python -m benchwright.scripts.measure.round_editions --folder FOLDER [--editions 5]

Each edition is built from seeds of 256 bits that follow from its number, with one wording of each form. Of each
baseline it shows what it reaches on the fresh names of every edition, beside the standard deviation between editions
and the one that groups alone explain; and its gap on the kept names, published minus round, which is difficulty, since
it remembers nothing. Of the public edition as a table: how often its answers, known gaps and document ids hold again,
against chance. What is there in FOLDER is not built or asked again.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import click

import benchwright
from benchwright.benchmarks.comparisons.counterfactual import compare_seeds
from benchwright.benchmarks.types import FRESH, KEPT

BASELINES = ("bm25", "entity-names", "naive-rag", "gold-documents")
Groups = Mapping[str, Mapping[str, Any]]


@click.command()
@click.option("--folder", type=click.Path(path_type=Path), required=True, help="Where editions and runs are kept.")
@click.option("--editions", type=click.IntRange(2, 50), default=5, show_default=True, help="Rounds that are built.")
def main(folder: Path, editions: int) -> None:
    """Measures the editions of rounds."""
    public = _built(folder, "public", 0, {})
    rounds = [_round(folder, number) for number in range(editions)]
    for number, release in enumerate(rounds):
        click.echo(f"round {number}: {_told(_groups(public), _groups(release))}")
    for name in BASELINES:
        published = _run(folder, public, name)
        runs = [_run(folder, release, name) for release in rounds]
        click.echo(f"{name}: {_difficulty(runs)}")
        click.echo(f"{name}: {_gaps(public, published, rounds, runs)}")


def _built(folder: Path, name: str, seed: int, settings: Mapping[str, str | int]) -> benchwright.Release:
    try:
        return benchwright.load_release(name, releases=folder / "releases")
    except benchwright.BenchwrightError:
        given = {**settings, "wordings": 1}
        return benchwright.build_release("aurp", given, releases=folder / "releases", name=name, seed=seed)


def _round(folder: Path, number: int) -> benchwright.Release:
    seed, names_seed = (
        int.from_bytes(hashlib.sha256(f"{purpose} {number}".encode()).digest(), "big") for purpose in ("seed", "names")
    )
    return _built(folder, f"round-{number}", seed, {"names_of": "0", "names_seed": names_seed})


def _run(folder: Path, release: benchwright.Release, name: str) -> benchwright.Run:
    runs = folder / "runs"
    try:
        return benchwright.read_run(f"{release.manifest.name}/{release.manifest.version}/{name}", runs=runs)
    except benchwright.BenchwrightError:
        return benchwright.score_system(release, name, releases=folder / "releases", runs=runs, metrics=["correct"])


def _groups(release: benchwright.Release) -> Groups:
    """The first question of each group of `test`."""
    found: dict[str, Mapping[str, Any]] = {}
    for batch in release.batches("questions", "test"):
        for row in batch.to_pylist():
            found.setdefault(row["group"], row)
    return found


def _told(public: Groups, asked: Groups) -> str:
    """What the public edition as a table tells of a round."""
    subsets = Counter(row["subset"] for row in asked.values())
    both = [name for name in asked if name in public]
    able = [name for name in both if asked[name]["answerability"] == public[name]["answerability"] == "answerable"]
    answers: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for row in public.values():
        answers[row["template"]][row["answers"][0]] += 1

    def chance(row: Mapping[str, Any]) -> float:
        return answers[row["template"]][row["answers"][0]] / answers[row["template"]].total()

    same = sum(asked[name]["answers"] == public[name]["answers"] for name in both)
    gaps = [name for name in both if public[name]["answerability"] == "gap"]
    others = [name for name in both if public[name]["answerability"] != "gap"]
    again, anew = (sum(asked[name]["answerability"] == "gap" for name in part) for part in (gaps, others))
    shared = sum(not set(asked[name]["documents"]).isdisjoint(public[name]["documents"]) for name in able)
    return (
        f"{subsets[KEPT]:,} kept and {subsets[FRESH]:,} fresh groups; {len(both):,} are in the public edition, "
        f"{len(able):,} answerable in both; of these {shared} share a gold document's id; {same} answers are the same, "
        f"by chance {sum(chance(asked[name]) for name in both):.1f}; of {len(gaps)} public gaps {again} are gaps "
        f"({again / len(gaps):.1%}), of {len(others)} others {anew} ({anew / len(others):.1%})"
    )


def _difficulty(runs: list[benchwright.Run]) -> str:
    """What a baseline reaches on fresh names."""
    slices = [run.report.slices["subset"].values for run in runs]
    figures = [next(each for each in values if each.value == FRESH).metrics["correct"] for values in slices]
    shares = [each.value for each in figures if each.value is not None]
    widths = [(each.high - each.low) / 3.92 for each in figures if each.high is not None and each.low is not None]
    shown = ", ".join(f"{share:.1%}" for share in shares)
    return (
        f"correct on fresh names {shown}: mean {mean(shares):.1%}, standard deviation between editions "
        f"{stdev(shares):.1%}, from {min(shares):.1%} to {max(shares):.1%}; groups alone explain {mean(widths):.1%}"
    )


def _gaps(
    public: benchwright.Release,
    published: benchwright.Run,
    rounds: list[benchwright.Release],
    runs: list[benchwright.Run],
) -> str:
    """Published minus round on the kept names, of a system that remembers nothing."""
    found = []
    for release, run in zip(rounds, runs, strict=True):
        gap = compare_seeds((public, release), (published.folder, run.folder)).metrics["correct"].every
        if gap is not None:
            found.append(f"{100 * gap.value:+.1f} ({100 * gap.low:+.1f} to {100 * gap.high:+.1f}, {gap.groups} groups)")
    return f"published minus round on kept names, in points: {'; '.join(found)}"


if __name__ == "__main__":
    main()
