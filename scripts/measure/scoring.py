"""Measures scoring: answers a second, ranked retrieval beside pytrec_eval, and a whole run with its peak memory.

    python -m benchwright.scripts.measure.scoring [--quick]

The run is a process of its own, so that its peak memory is its own. Ratios are of one run on one machine.
"""

import contextlib
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

_CONTEXTS = 10
_REPEATS = 4
_STYLES = (
    "{}",
    "The answer is {}.",
    "According to the documents, it is {}.",
    "It is {}, as the project report states. Let me know if you need anything else!",
    "I don't know.",
)


@click.command()
@click.option("--quick", is_flag=True, help="Small sizes, to see that the program works.")
def main(quick: bool) -> None:
    """Measure scoring and print what was found."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        release = _build(root, quick)
        _answers(release, 2_000 if quick else 100_000)
        _retrieval(500 if quick else 10_000)
        _run(root, release, 200 if quick else 25_000)


def _build(root: Path, quick: bool) -> Path:
    """Aurp, or for a quick look a part of it."""
    from benchwright.scripts.build_benchmark import main as build_benchmark

    sizes = ["--set", "groups=60"] if quick else []
    with contextlib.redirect_stdout(None):
        build_benchmark(["aurp", "--releases", str(root / "releases"), "-q", *sizes], standalone_mode=False)
    return root / "releases" / "aurp" / "1.0.0"


def _say(question: Any, others: Sequence[str], draw: random.Random) -> str:
    """An answer in the style of a model: right two times in three."""
    text = (
        ", ".join(question.answers) if draw.random() < 0.67 or not others else others[int(draw.random() * len(others))]
    )
    return _STYLES[int(draw.random() * len(_STYLES))].format(text)


def _others(questions: Sequence[Any]) -> dict[str | None, list[str]]:
    found: dict[str | None, dict[str, None]] = {}
    for question in questions:
        for answer in question.answers:
            found.setdefault(question.template, {})[answer] = None
    return {template: list(answers) for template, answers in found.items()}


def _answers(folder: Path, count: int) -> None:
    """`correct`, exact match and token F1 of some answers."""
    from benchwright.benchmarks.metrics import ReleaseData, find_metric
    from benchwright.benchmarks.predictions import Prediction
    from benchwright.benchmarks.releases.release import Release
    from benchwright.benchmarks.releases.rows import load_questions
    from benchwright.benchmarks.runs.score_table import settled_memory

    questions = load_questions(Release.load(folder), "test")
    others, draw = _others(questions), random.Random(1)
    asked = [questions[place % len(questions)] for place in range(count)]
    predictions = [Prediction(each.id, _say(each, others.get(each.template, []), draw)) for each in asked]
    data = ReleaseData(questions)
    started = time.perf_counter()
    rules = [find_metric(name).rule for name in ("correct", "exact_match", "token_f1")]
    scorers = [rule(data) for rule in rules if rule is not None]
    with settled_memory():
        for first in range(0, count, 500):
            for scorer in scorers:
                scorer(asked[first : first + 500], predictions[first : first + 500])
    seconds = time.perf_counter() - started
    click.echo(f"correct + exact match + F1: {count:,} answers, {seconds:.2f} s, {count / seconds:,.0f} answers/s")


def _retrieval(queries: int) -> None:
    """nDCG@10, reciprocal rank, recall@10 and precision@10 of 100 documents a query, beside pytrec_eval."""
    from benchwright.benchmarks.metrics import mrr, ndcg, precision, ranking, recall

    draw = random.Random(2)
    names = [f"d{number}" for number in range(5_000)]
    run = {f"q{number}": {name: draw.random() for name in draw.sample(names, 100)} for number in range(queries)}
    qrels = {query: dict.fromkeys(draw.sample([*scores, *names[:100]], 3), 1) for query, scores in run.items()}
    measures: dict[str, tuple[ranking.Measure, int]] = {
        "ndcg_cut_10": (ndcg.ndcg, 10),
        "recip_rank": (mrr.mrr, 1_000_000),
        "recall_10": (recall.recall, 10),
        "P_10": (precision.precision, 10),
    }
    started = time.perf_counter()
    ours = ranking.score_runs(qrels, run, measures)
    seconds = time.perf_counter() - started
    said = f"4 retrieval measures: {queries:,} queries of 100 documents, {seconds:.3f} s"
    try:
        import pytrec_eval
    except ImportError:
        click.echo(f"{said} (pytrec_eval is not installed: no comparison)")
        return
    started = time.perf_counter()
    theirs: Any = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut.10", "recip_rank", "recall.10", "P.10"}).evaluate(
        run
    )
    peer = time.perf_counter() - started
    worst = max(
        abs(float(value) - theirs[query][name])
        for name, values in ours.items()
        for query, value in zip(qrels, values, strict=True)
    )
    click.echo(f"{said}; pytrec_eval {peer:.3f} s, {peer / seconds:.1f} times ours; largest difference {worst:.1e}")


def _predictions(folder: Path, count: int) -> Iterator[str]:
    """Predictions of a seeded sample: half of the contexts have the corpus's ids, half a company's own."""
    from benchwright.benchmarks.grounding.chunking import chunk_documents
    from benchwright.benchmarks.releases.release import Release
    from benchwright.benchmarks.releases.rows import load_documents, load_questions
    from benchwright.benchmarks.releases.sample import sample_questions

    release = Release.load(folder)
    questions = load_questions(release, "test")
    passages = chunk_documents(load_documents(release).values())
    others, draw = _others(questions), random.Random(3)
    for question in sample_questions(questions, count):
        for repeat in range(_REPEATS):
            contexts = []
            for place in range(_CONTEXTS):
                passage = passages[int(draw.random() * len(passages))]
                name = passage.document if place % 2 else f"chunk-{int(draw.random() * 1e6)}"
                contexts.append({"id": name, "text": passage.text, "score": 1.0 / (place + 1)})
            answer = _say(question, others.get(question.template, []), draw)
            yield json.dumps({"id": question.id, "answer": answer, "repeat": repeat, "contexts": contexts})


def _run(root: Path, release: Path, questions: int) -> None:
    """The whole command on a file of predictions."""
    path = root / "theirs.jsonl"
    with path.open("w", encoding="utf-8") as file:
        count = sum(file.write(f"{line}\n") > 0 for line in _predictions(release, questions))
    command = [sys.executable, "-m", "benchwright.scripts.score_system", str(release), str(path), "-q"]
    started = time.perf_counter()
    subprocess.run([*command, "--limit", str(questions), "--runs", str(root / "runs")], check=True, capture_output=True)
    seconds = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1_024
    click.echo(
        f"score-system on {count:,} predictions of {_CONTEXTS} contexts ({path.stat().st_size / 1e6:,.0f} MB), with "
        f"its report: {seconds:.1f} s, {peak:,.0f} MB at the most"
    )


if __name__ == "__main__":
    main()
