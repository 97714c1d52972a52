"""Measures scoring as users meet it: the command `score-system`, cold, on files of predictions.

    python -m benchwright.scripts.measure.scoring [--quick]

Ranked retrieval beside pytrec_eval, which reads the same file and writes its values; answers a second; the whole
command with all metrics and its report; peak memory. Every run is a process of its own, of which the time is the
processor's, so that other work on the machine counts little; what is compared runs in turn, and the median counts.
What its steps take, the command says itself with `--verbose`: to check and copy the file; to read it there, to match,
to score and to write the scores. Starting, reading the release and the report with its page come to that.
"""

import contextlib
import itertools
import json
import os
import random
import re
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

import click

Result = TypeVar("Result")

CONTEXTS = 10
REPEATS = 4
ALIASES = 20
ROUNDS = 3
RETRIEVAL = {
    "ndcg@10": "ndcg_cut_10",
    "recall@10": "recall_10",
    "precision@10": "P_10",
    "mrr": "recip_rank",
    "hit@10": "success_10",
}
"""Our names → pytrec_eval's."""
ANSWERS = ("correct", "exact_match", "token_f1")
_STYLES = (
    "{}",
    "The answer is {}.",
    "According to the documents, it is {}.",
    "It is {}, as the project report states. Let me know if you need anything else!",
    "I don't know.",
)
_ENDINGS = ("Ltd", "Inc.", "plc", "AG", "Group", "Holding", "Company", "& Co.", "International", "Partners")


@dataclass(frozen=True)
class Taken:
    """What a process took."""

    seconds: float
    """Of the processor."""
    megabytes: float
    """At the most."""
    getting: float = 0.0
    """Seconds of it to ask, or to check a file of predictions and take it over into the run, as it says itself."""
    scoring: float = 0.0
    """Seconds of it to read the run's predictions, match their contexts, score them and write the scores."""
    asking: float = 0.0
    """Seconds that passed while it asked, or checked and took over, whoever worked then."""


@click.command()
@click.option("--quick", is_flag=True, help="Small sizes, to see that the program works.")
def main(quick: bool) -> None:
    """Measure scoring and print what was found."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        release = elsewhere(build, root, quick)
        questions = 100 if quick else 25_000
        _retrieval(root, release, questions)
        _answers(root, release, questions)
        _answers(root, elsewhere(with_aliases, root, release), questions)
        _everything(root, release, questions)


def elsewhere(work: Callable[..., Result], *given: Any, **options: Any) -> Result:
    """What a function returns, called in a process of its own: this one stays small.

    A process counts the memory of the one that started it as its own.
    """
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(work, *given, **options).result()


def build(root: Path, quick: bool) -> Path:
    """Aurp, or for a quick look a part of it."""
    from benchwright.scripts.build_benchmark import main as build_benchmark

    sizes = ["--set", "groups=60"] if quick else []
    with contextlib.redirect_stdout(None):
        build_benchmark(["aurp", "--releases", str(root / "releases"), "-q", *sizes], standalone_mode=False)
    return root / "releases" / "aurp" / "1.0.0"


def with_aliases(root: Path, release: Path) -> Path:
    """The release with many accepted forms of each answer."""
    from benchwright.benchmarks.releases.release import Release
    from benchwright.benchmarks.releases.rows import load_documents, load_questions
    from benchwright.benchmarks.releases.writer import ReleaseWriter

    given, folder = Release.load(release), root / "releases" / "aliases" / "1.0.0"
    folder.mkdir(parents=True)
    writer = ReleaseWriter(folder)
    writer.documents(list(load_documents(given).values()))
    writer.questions([replace(each, aliases=_aliases(each)) for each in load_questions(given, "test")])
    facts = {"builder": "aliases", "builder_version": "1", "parameters": {}, "seed": 0, "canary": "none"}
    writer.seal(writer.finish(name="aliases", version="1.0.0", **facts), "card")
    return folder


def _aliases(question: Any) -> tuple[tuple[str, ...], ...]:
    endings = [f"{first} {second}" for first, second in itertools.product(("", "The"), _ENDINGS)]
    return tuple(
        (*others, *(f"{answer} {ending}".replace("  ", " ") for ending in endings[: max(0, ALIASES - len(others))]))
        for answer, others in itertools.zip_longest(question.answers, question.aliases, fillvalue=())
    )


def _retrieval(root: Path, release: Path, questions: int) -> None:
    """Five metrics of retrieval, beside pytrec_eval."""
    path = elsewhere(write_file, root, release, questions)
    qrels, values, scores = elsewhere(write_qrels, root, release), root / "values.jsonl", root / "runs"
    peer = [sys.executable, str(Path(__file__).with_name("peers_pytrec_eval.py")), str(path), str(qrels), str(values)]
    if find_spec("pytrec_eval") is None:
        click.echo("retrieval: pytrec_eval is not installed, so there is no comparison")
        return
    rounds = [(_score(scores, release, path, questions, RETRIEVAL), taken(peer)) for _ in range(ROUNDS)]
    ours, theirs = (min(taken, key=lambda each: each.seconds) for taken in zip(*rounds, strict=True))
    times = statistics.median(our.scoring / their.seconds for our, their in rounds)
    whole = statistics.median((our.getting + our.scoring) / their.seconds for our, their in rounds)
    click.echo(
        f"{len(RETRIEVAL)} retrieval metrics of {questions * REPEATS:,} predictions with {CONTEXTS} contexts: "
        f"score-system {ours.scoring:.2f} s to read, match, score and write, "
        f"pytrec_eval {theirs.seconds:.2f} s: {times:.2f} times; "
        f"with checking and copying the file {ours.getting + ours.scoring:.2f} s: {whole:.2f} times; "
        f"with start and report {ours.seconds:.1f} s; {ours.megabytes:,.0f} and {theirs.megabytes:,.0f} MB; "
        f"largest difference {elsewhere(difference, scores, path, values):.0e}"
    )


def write_qrels(root: Path, release: Path) -> Path:
    """The gold documents of each question, as pytrec_eval's user has them."""
    path = root / "qrels.json"
    path.write_text(json.dumps({each.id: each.documents for each in _questions(release)}), encoding="utf-8")
    return path


def difference(runs: Path, path: Path, values: Path) -> float:
    """Between our scores and pytrec_eval's values."""
    import pyarrow.parquet as pq

    theirs = {row["key"]: row for row in map(json.loads, values.read_text(encoding="utf-8").splitlines())}
    rows = pq.read_table(next(runs.glob(f"*/*/{path.stem}/scores.parquet"))).to_pylist()
    return max(
        abs(row["value"] - theirs[f"{row['id']} {row['repeat']}"][RETRIEVAL[row["metric"]]])
        for row in rows
        if row["value"] is not None
    )


def _answers(root: Path, release: Path, questions: int) -> None:
    """`correct`, exact match and F1 of answers without contexts."""
    path = elsewhere(write_file, root, release, questions, contexts=0)
    rounds = [_score(root / "runs", release, path, questions, ANSWERS) for _ in range(ROUNDS)]
    rate = questions * REPEATS / statistics.median(each.getting + each.scoring for each in rounds)
    best = min(rounds, key=lambda each: each.seconds)
    click.echo(
        f"correct + exact match + F1 of {questions * REPEATS:,} answers, "
        f"{elsewhere(accepted_forms, release):.1f} accepted forms each: {rate:,.0f} answers/s "
        f"({best.seconds:.1f} s and {best.megabytes:,.0f} MB with start and report)"
    )


def accepted_forms(release: Path) -> float:
    """How many forms of an answer a release accepts, the mean."""
    asked = [each for each in _questions(release) if each.answers]
    forms = sum(len(each.answers) + sum(map(len, each.aliases)) for each in asked)
    return forms / sum(len(each.answers) for each in asked)


def _everything(root: Path, release: Path, questions: int) -> None:
    """The command as it is usually called: all metrics that fit, and the report."""
    path = elsewhere(write_file, root, release, questions, with_text=True)
    taken = _score(root / "runs", release, path, questions, ())
    click.echo(
        f"score-system with all metrics on {questions * REPEATS:,} predictions of {CONTEXTS} contexts with texts "
        f"({path.stat().st_size / 1e6:,.0f} MB): {taken.seconds:.1f} s, "
        f"{taken.getting + taken.scoring:.1f} s to take over and score, {taken.megabytes:,.0f} MB at the most"
    )


def _score(runs: Path, release: Path, path: Path, questions: int, metrics: Iterable[str]) -> Taken:
    command = [sys.executable, "-m", "benchwright.scripts.score_system", str(release), str(path), "-v", "--again"]
    named = [word for name in metrics for word in ("--metric", name)]
    return taken([*command, "--limit", str(questions), "--runs", str(runs), *named])


def taken(command: list[str]) -> Taken:
    """Runs a command to its end.

    Raises:
        ClickException: it fails.
    """
    with tempfile.TemporaryFile() as said:
        actions = [(os.POSIX_SPAWN_DUP2, said.fileno(), 1), (os.POSIX_SPAWN_DUP2, said.fileno(), 2)]
        process = os.posix_spawn(command[0], command, os.environ, file_actions=actions)
        _, status, used = os.wait4(process, 0)
        said.seek(0)
        text = said.read().decode("utf-8", "replace")
    if status:
        raise click.ClickException(f"{' '.join(command)} failed: {text[-500:]}")
    said_of = re.findall(r"^answers (got|scored): ([\d.]+) s, ([\d.]+) s of the processor", text, re.MULTILINE)
    steps = {name: (float(passed), float(worked)) for name, passed, worked in said_of}
    (asking, getting), (_, scoring) = (steps.get(name, (0.0, 0.0)) for name in ("got", "scored"))
    return Taken(used.ru_utime + used.ru_stime, used.ru_maxrss / 1_024, getting, scoring, asking)


def write_file(root: Path, release: Path, questions: int, **options: Any) -> Path:
    """Predictions of so many questions."""
    path = root / "predictions.jsonl"
    with path.open("w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in _predictions(release, questions, **options))
    return path


def _questions(release: Path) -> list[Any]:
    from benchwright.benchmarks.releases.release import Release
    from benchwright.benchmarks.releases.rows import load_questions

    return load_questions(Release.load(release), "test")


def _predictions(folder: Path, count: int, contexts: int = CONTEXTS, with_text: bool = False) -> Iterator[str]:
    """Predictions of those questions that a limited run asks; with texts, half the ids are a company's own."""
    from benchwright.benchmarks.releases.release import Release
    from benchwright.benchmarks.runs.plan import Options, plan_run

    plan = plan_run(Release.load(folder), Options(limit=count))
    others, draw = _others(plan.split.questions), random.Random(3)
    retrieved = _retriever(folder, contexts, with_text, draw)
    for question in plan.questions:
        for repeat in range(REPEATS):
            answer = _say(question, others.get(question.template, []), draw)
            said = {"id": question.id, "answer": answer, "repeat": repeat}
            yield json.dumps({**said, "contexts": retrieved(question)} if contexts else said)


def _retriever(
    folder: Path, contexts: int, with_text: bool, draw: random.Random
) -> Callable[[Any], list[dict[str, Any]]]:
    """Draws contexts: passages, or different documents by their ids, the gold ones among them half the time."""
    from benchwright.benchmarks.grounding.chunking import chunk_documents
    from benchwright.benchmarks.releases.release import Release
    from benchwright.benchmarks.releases.rows import load_documents

    documents = load_documents(Release.load(folder))
    names, passages = list(documents), chunk_documents(documents.values()) if with_text else []

    def by_id(question: Any) -> list[dict[str, Any]]:
        found = [*question.documents[: int(draw.random() * 2)], *draw.sample(names, contexts)]
        kept = list(dict.fromkeys(found))[:contexts]
        draw.shuffle(kept)
        return [{"id": name, "score": round(1 / (place + 1), 4)} for place, name in enumerate(kept)]

    def with_texts(question: Any) -> list[dict[str, Any]]:
        found = []
        for place in range(contexts):
            passage = passages[int(draw.random() * len(passages))]
            name = passage.document if place % 2 else f"chunk-{int(draw.random() * 1e6)}"
            found.append({"id": name, "text": passage.text, "score": round(1 / (place + 1), 4)})
        return found

    return with_texts if with_text else by_id


def _others(questions: Sequence[Any]) -> dict[str | None, list[str]]:
    found: dict[str | None, dict[str, None]] = {}
    for question in questions:
        for answer in question.answers:
            found.setdefault(question.template, {})[answer] = None
    return {template: list(answers) for template, answers in found.items()}


def _say(question: Any, others: Sequence[str], draw: random.Random) -> str:
    """An answer in the style of a model: right two times in three."""
    text = (
        ", ".join(question.answers) if draw.random() < 0.67 or not others else others[int(draw.random() * len(others))]
    )
    return _STYLES[int(draw.random() * len(_STYLES))].format(text)


if __name__ == "__main__":
    main()
