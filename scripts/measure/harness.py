"""Measures what the harness adds around a system that answers at once: through `score-system`, cold.

    python -m benchwright.scripts.measure.harness [--quick] [--questions N]

A function, a coroutine, a service behind HTTP and a program answer every question at once and with three contexts.
What asking and storing take, the command says itself with `--verbose`: in seconds, in which a service's or program's
own are, and in those of the processor, in which they are not. Then a function answers ten times as many questions, and
one all with ten long contexts that are all different, with all metrics and the report: what memory the whole command
takes at the most. It is not flat: 10,000 questions took 235 MB and 100,000 379 MB, 1.6 kB for a further one, most of
them the objects of questions and a report's dozen scores of each.
"""

import contextlib
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click

from benchwright.scripts.measure.scoring import Taken, elsewhere, taken

CONTEXTS = 3
DOCUMENTS = 1_000
WORDINGS = ("short", "long", "interrogative", "directive")
SYSTEM = """
CONTEXTS = [{"id": f"d{place}", "text": f"Person {place} leads the office of town {place}."} for place in range(3)]
SAID = {"answer": "Person 1", "contexts": CONTEXTS}

def at_once(question):
    return SAID

async def at_once_too(question):
    return SAID

def at_length(question):
    texts = [f"{question} {place} " * 50 for place in range(10)]
    return {"answer": "Person 1", "contexts": [{"id": text[:60], "text": text} for text in texts]}
"""
SERVICE = """
import asyncio, json
from aiohttp import web
from system import SAID

async def answer(request):
    await request.read()
    return web.Response(body=body, content_type="application/json")

body = json.dumps(SAID).encode()
application = web.Application()
application.router.add_post("/", answer)

async def serve():
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    print(runner.addresses[0][1], flush=True)
    await asyncio.Event().wait()

asyncio.run(serve())
"""
PROGRAM = """
import json, sys
from system import SAID

for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps({**SAID, **({"id": asked["id"]} if "id" in asked else {})}), flush=True)
"""


@click.command()
@click.option("--quick", is_flag=True, help="Few questions, to see that the program works.")
@click.option("--questions", default=100_000, show_default=True, help="How many are asked where memory is measured.")
def main(quick: bool, questions: int) -> None:
    """Measure what the harness adds, and print what was found."""
    many = 400 if quick else questions
    few = max(many // 10, 40)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, text in {"system": SYSTEM, "service": SERVICE, "program": PROGRAM}.items():
            (root / f"{name}.py").write_text(text, encoding="utf-8")
        small, large = (elsewhere(build, root, number) for number in (few, many))
        with _service(root) as address:
            for what, system in {
                "a function": "system:at_once",
                "a coroutine": "system:at_once_too",
                "a service behind HTTP": address,
                "a program": f"command:{sys.executable} program.py",
            }.items():
                _say(what, few, _score(root, small, system))
        first, then = _score(root, small, "system:at_once"), _score(root, large, "system:at_once")
        click.echo(
            f"asked, stored, scored and reported: {few:,} questions {first.megabytes:,.0f} MB at the most, "
            f"{many:,} questions {then.megabytes:,.0f} MB; "
            f"{(then.megabytes - first.megabytes) / (many - few) * 1000:.2f} kB for a further one; "
            f"{then.seconds:.0f} s of the processor, {then.getting / many * 1000:.2f} ms of them a question to ask"
        )
        long = _score(root, small, "system:at_length")
        stored = (root / "runs" / small.parent.name / "1.0.0" / "measured" / "predictions.jsonl").stat().st_size
        click.echo(
            f"{few:,} questions with {stored / 1e6:,.0f} MB of contexts that are all different: "
            f"{long.megabytes:,.0f} MB at the most"
        )


def build(root: Path, questions: int) -> Path:
    """A release of so many questions, four wordings of each."""
    from benchwright.benchmarks.releases.writer import ReleaseWriter
    from benchwright.benchmarks.types import Document, Evidence, Question

    folder = root / "releases" / f"q{questions}" / "1.0.0"
    folder.mkdir(parents=True)
    texts = [f"Person {number} leads the office of town {number}." for number in range(DOCUMENTS)]

    def asked() -> Iterator[Question]:
        for number in range(questions):
            group, form = divmod(number, len(WORDINGS))
            place = group % DOCUMENTS
            answer = f"Person {place}"
            yield Question(
                id=f"q{number}",
                question=f"Who leads office {group} of town {place}, {WORDINGS[form]}?",
                answers=(answer,),
                aliases=((),),
                answer_type="one",
                answerability="answerable",
                group=f"g{group}",
                form=WORDINGS[form],
                template=f"t{group % 30}",
                entity=f"town {place}",
                documents=(f"d{place}",),
                evidence=(Evidence(f"d{place}", 0, len(answer)),),
            )

    writer = ReleaseWriter(folder)
    writer.documents([Document(f"d{number}", f"Town {number}", text) for number, text in enumerate(texts)])
    writer.questions(asked())
    facts = {"builder": "measured", "builder_version": "1", "parameters": {}, "seed": 0, "canary": "none"}
    writer.seal(writer.finish(name=f"q{questions}", version="1.0.0", **facts), "card")
    return folder


@contextlib.contextmanager
def _service(root: Path) -> Iterator[str]:
    """The address of a service that answers at once, in a process of its own."""
    process = subprocess.Popen([sys.executable, "service.py"], cwd=root, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout
        yield f"http://127.0.0.1:{process.stdout.readline().strip()}/"
    finally:
        process.kill()
        process.wait()


def _score(root: Path, release: Path, system: str) -> Taken:
    command = [sys.executable, "-m", "benchwright.scripts.score_system", str(release), system, "--name", "measured"]
    with contextlib.chdir(root):
        return taken([*command, "-v", "--again", "--runs", str(root / "runs")])


def _say(what: str, questions: int, found: Taken) -> None:
    click.echo(
        f"{what} that answers at once, {questions:,} questions: {found.asking / questions * 1000:.2f} ms a question, "
        f"{found.getting / questions * 1000:.2f} ms of the processor"
    )


if __name__ == "__main__":
    main()
