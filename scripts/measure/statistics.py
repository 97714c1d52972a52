"""Measures what is computed over many questions, each in a process of its own: seconds of the processor, memory.

python -m benchwright.scripts.measure.statistics [--quick]
"""

import resource
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

import click
import numpy as np

from benchwright.benchmarks.statistics.intervals import Sample, bootstrap_t
from benchwright.benchmarks.statistics.joint import compare_jointly
from benchwright.benchmarks.statistics.signs import sign_flip_p

QUESTIONS, GROUPS, RESAMPLES = 100_000, 10_000, 10_000
PAIRS, COMPARED = 2_000, 40_000


@dataclass(frozen=True)
class Taken:
    """What a computation took."""

    seconds: float
    megabytes: float
    """Of its process at the most, with Python and numpy."""
    said: str
    """What came out."""


@dataclass(frozen=True)
class Case:
    """One computation."""

    name: str
    run: Callable[[int], str]
    """Given by how much its size is divided; returns what came out."""


def _resampled(values: np.ndarray, clusters: np.ndarray, divisor: int) -> str:
    found = bootstrap_t(Sample(values, clusters), resamples=RESAMPLES // divisor)
    return "nothing" if found is None else f"{found.value:.4f} ({found.low:.4f} to {found.high:.4f})"


def resample_shares(divisor: int) -> str:
    """Right and wrong answers in groups of ten."""
    generator = np.random.default_rng(1)
    right = generator.random(QUESTIONS // divisor) < np.repeat(generator.random(GROUPS // divisor), QUESTIONS // GROUPS)
    return _resampled(right.astype(float), np.repeat(np.arange(GROUPS // divisor), QUESTIONS // GROUPS), divisor)


def resample_grades(divisor: int) -> str:
    """Grades of which no two are the same, in groups of ten."""
    values = np.random.default_rng(1).random(QUESTIONS // divisor)
    return _resampled(values, np.repeat(np.arange(GROUPS // divisor), QUESTIONS // GROUPS), divisor)


def resample_single_grades(divisor: int) -> str:
    """Grades of which no two are the same, each a group of its own."""
    values = np.random.default_rng(1).random(QUESTIONS // divisor)
    return _resampled(values, np.arange(len(values)), divisor)


def _permuted(differences: np.ndarray, divisor: int) -> str:
    """Held against scipy's permutation test of the same pairs, with as many resamples, in the same process."""
    from scipy.stats import permutation_test

    start = time.process_time()
    ours = sign_flip_p(differences, resamples=RESAMPLES // divisor)
    middle = time.process_time()
    theirs = permutation_test(
        (differences,),
        np.mean,
        permutation_type="samples",
        n_resamples=RESAMPLES // divisor,
        vectorized=True,
        rng=np.random.default_rng(1),
    ).pvalue
    end = time.process_time()
    times = (end - middle) / max(middle - start, 1e-9)
    said = f"p = {ours:.4f} in {1000 * (middle - start):.0f} ms; scipy {theirs:.4f} in {1000 * (end - middle):,.0f} ms"
    return f"{said}: {times:,.0f} times as long"


def permute_answers(divisor: int) -> str:
    """Differences of right and wrong answers."""
    generator = np.random.default_rng(1)
    return _permuted(np.rint(generator.normal(0.02, 0.6, size=PAIRS // divisor)), divisor)


def permute_grades(divisor: int) -> str:
    """Differences of grades of which no two are the same."""
    return _permuted(np.random.default_rng(1).normal(0.02, 0.6, size=PAIRS // divisor), divisor)


def _compared(systems: int, questions: int, group: int, divisor: int) -> str:
    generator = np.random.default_rng(1)
    limits = np.linspace(0.6, 0.7, systems, dtype=np.float32)
    values = (generator.random((questions // divisor, systems), dtype=np.float32) < limits).astype(np.float32)
    found = compare_jointly(values, np.arange(len(values)) // group, resamples=RESAMPLES // divisor)
    if found is None:
        return "nothing"
    return f"{int(found.separated.sum()):,} of {len(found.p):,} pairs separated"


def compare_twenty(divisor: int) -> str:
    """20 systems, each question a group of its own."""
    return _compared(20, COMPARED, 1, divisor)


def compare_many(divisor: int) -> str:
    """500 systems, each question a group of its own."""
    return _compared(500, COMPARED, 1, divisor)


def compare_many_groups(divisor: int) -> str:
    """500 systems, ten questions a group."""
    return _compared(500, COMPARED, 10, divisor)


CASES = (
    Case("paired permutation test of 2,000 right or wrong answers, and scipy's", permute_answers),
    Case("paired permutation test of 2,000 grades, and scipy's", permute_grades),
    Case("20 systems compared jointly on 40,000 questions, 10,000 flips", compare_twenty),
    Case("500 systems compared jointly on 40,000 questions, 10,000 flips", compare_many),
    Case("500 systems compared jointly on 40,000 questions in 4,000 groups", compare_many_groups),
    Case("10,000 resamples of 100,000 right and wrong answers in 10,000 groups", resample_shares),
    Case("10,000 resamples of 100,000 grades in 10,000 groups", resample_grades),
    Case("10,000 resamples of 100,000 grades, each a group of its own", resample_single_grades),
)


@click.command()
@click.option("--quick", is_flag=True, help="A hundredth of the size, to see that the program works.")
def main(quick: bool) -> None:
    """Measure the computations and print a table."""
    click.echo("| what | seconds | MB | what came out |\n|---|---|---|---|")
    for case in CASES:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            taken = pool.submit(take, case.run, 100 if quick else 1).result()
        click.echo(f"| {case.name} | {taken.seconds:.2f} | {taken.megabytes:.0f} | {taken.said} |")


def take(run: Callable[[int], str], divisor: int) -> Taken:
    """Runs a computation and measures it. Called in a process of its own."""
    start = time.process_time()
    said = run(divisor)
    seconds = time.process_time() - start
    return Taken(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_024, said)


if __name__ == "__main__":
    main()
