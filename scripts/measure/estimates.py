"""Measures how near `--estimate` is: each command is estimated, estimated with a few real calls, and run.

    python -m benchwright.scripts.measure.estimates [--only WORDS] [--with N] [--replies MODULE:FUNCTION]

The endpoint is the local server, by default with the stand-in's replies. It counts tokens by words and their pieces,
which is not how they are counted here, and the schema of a reply among them. Dollars are 1 and 4 for a million tokens.
"""

import importlib
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

RATES = 1.0, 4.0
"""US dollars for a million tokens in and out."""
_PIECE = re.compile(r" ?[A-Za-z]{1,9}|\d{1,3}| ?[^\sA-Za-z\d]{1,2}|\s+")
_LINE = re.compile(
    r"^(?P<kind>about |asked and kept: )[^:]+: (?P<calls>[\d,]+) calls .* (?P<input>[\d,]+) tokens in .* "
    r"(?P<output>[\d,]+) out, \$(?P<cost>[\d.,]+)",
    re.MULTILINE,
)
_RANGE = re.compile(r": (?:about \$[\d.,]+, )?\$(?P<low>[\d,]+\.\d+) (?:if replies[^$]*|to )\$(?P<high>[\d,]+\.\d+)")
_TOGETHER = re.compile(r"^together: .*$", re.MULTILINE)
_COMPANY = """
CREATE TABLE department (id INTEGER PRIMARY KEY, name TEXT, floor INTEGER);
CREATE TABLE employee (id INTEGER PRIMARY KEY, name TEXT, hired INTEGER, salary INTEGER,
    department_id INTEGER REFERENCES department (id));
"""


@dataclass(frozen=True)
class Case:
    """A command that is estimated."""

    name: str
    command: tuple[str, ...]
    roles: tuple[str, ...]


@dataclass
class Taken:
    """Calls, tokens and dollars."""

    calls: int = 0
    input: int = 0
    output: int = 0
    cost: float = 0.0

    def plus(self, other: "Taken") -> "Taken":
        """Both together."""
        return Taken(
            self.calls + other.calls, self.input + other.input, self.output + other.output, self.cost + other.cost
        )


_SCORE, _LIMIT = ("score-system", "{aurp}"), ("--limit", "200", "--output", "{runs}")
CASES = (
    Case("`score-system aurp openai:MODEL`", (*_SCORE, "openai:m", *_LIMIT), ("system",)),
    Case("`score-system aurp bm25`", (*_SCORE, "bm25", *_LIMIT), ("system",)),
    Case("`score-system aurp naive-rag`", (*_SCORE, "naive-rag", *_LIMIT), ("system", "embedder")),
    Case(
        "the same, `--metric truthfulness`",
        (*_SCORE, "bm25", *_LIMIT, "--metric", "truthfulness"),
        ("system", "judge"),
    ),
    Case(
        "`build-benchmark aurp --set documents=model`",
        ("build-benchmark", "aurp", "--set", "documents=model", "--set", "size=20", "--output", "{releases}"),
        ("writer",),
    ),
    Case(
        "`build-benchmark grammar`, texts by a model, with a checker",
        ("build-benchmark", "grammar", "--set", "database={company}", "--output", "{releases}"),
        ("writer", "checker"),
    ),
)


def pieces(text: str) -> int:
    """The tokens of a text as a vocabulary of words and their pieces would have them."""
    return len(_PIECE.findall(text))


def counted(function: Any) -> Any:
    """A function that replies, with the tokens that this program counts."""
    from benchwright.scripts.servers.openai.answers import REPLY_KEYS
    from benchwright.scripts.servers.openai.stand_in import texts, to_json

    def reply(body: Mapping[str, Any]) -> Any:
        made = function(body)
        parts = made if isinstance(made, Mapping) and REPLY_KEYS.issuperset(made) else {"content": made}
        said = parts.get("tool_arguments", parts.get("content"))
        schema = json.dumps(body.get("response_format", body.get("tools", "")))
        taken, given = pieces("\n".join(texts(body))) + pieces(schema), pieces(to_json(said)) if said else 0
        return {**parts, "usage": {"prompt_tokens": taken, "completion_tokens": given}}

    return reply


def of_rules(release: Path) -> Any:
    """A function that replies with the wordings that rules gave a release, and knows as a checker what they ask."""
    (file,) = (release / "templates").glob("*.json")
    kept = json.loads(file.read_text(encoding="utf-8"))
    by_form: dict[tuple[str, str], list[str]] = {}
    asked: dict[str, str] = {}
    for name, texts in kept.items():
        if name.startswith("text_templates_"):
            for sql, wordings in texts.items():
                by_form[sql.rstrip("; "), name.removeprefix("text_templates_")] = wordings
                asked.update((wording, sql.rstrip("; ")) for wording in wordings)

    def reply(body: Mapping[str, Any]) -> Any:
        said = body["messages"][-1]["content"]
        if question := re.search(r"^Question: (.*)$", said, re.MULTILINE):
            choices = re.findall(r"^(\d+)\. (SELECT .*)$", said, re.MULTILINE)
            right = [number for number, sql in choices if sql.rstrip("; ") == asked.get(question[1])]
            return {"content": {"choice": right[0] if right else "none"}}
        sql, form = re.search(r"^SELECT .*$", said, re.MULTILINE), re.search(r"^Form: (\w+)", said, re.MULTILINE)
        wordings = by_form.get((sql[0].rstrip("; "), form[1]), []) if sql and form else []
        return {"content": {"wordings": wordings}}

    return reply


def run(command: list[str], url: str) -> str:
    """What a command says; ends this program where it fails."""
    environment = {**os.environ, "OPENAI_BASE_URL": url, "OPENAI_API_KEY": "none-is-needed"}
    name, *rest = command
    program = str(Path(sys.executable).with_name(name))
    done = subprocess.run([program, *rest], capture_output=True, text=True, env=environment)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed: {done.stderr[-2000:]}")
    return done.stdout


def read(said: str, kind: str) -> Taken:
    """The sum of the lines of a kind."""
    total = Taken()
    for found in _LINE.finditer(said):
        if found["kind"].startswith(kind):
            calls, taken, given, cost = (
                float(found[name].replace(",", "")) for name in ("calls", "input", "output", "cost")
            )
            total = total.plus(Taken(round(calls), round(taken), round(given), cost))
    return total


def interval(said: str) -> tuple[float, float] | None:
    """From where to where the dollars are, as an estimate says; None where it says nothing."""
    together = _TOGETHER.search(said)
    found = _RANGE.search(together[0] if together else said)
    return (float(found["low"].replace(",", "")), float(found["high"].replace(",", ""))) if found else None


def row(what: str, said: str, asked: Taken, taken: Taken) -> str:
    """A line of the table."""
    about = asked.plus(read(said, "about"))
    ends = interval(said)
    shown = "-"
    if ends:
        low, high = ((asked.cost + end) / taken.cost - 1 for end in ends)
        shown = f"{100 * low:+.0f} to {100 * high:+.0f} %{'' if low <= 0 <= high else ', missed'}"
    errors = " | ".join(
        f"{100 * (getattr(about, name) / max(1e-12, getattr(taken, name)) - 1):+.1f} %"
        for name in ("input", "output", "cost")
    )
    return f"| {what} | {asked.calls} | {about.calls} of {taken.calls} | {errors} | {shown} |"


def measure(case: Case, values: Mapping[str, str], wanted: int, function: Any) -> None:
    """Prints the lines of a case."""
    from benchwright.scripts.servers.openai.server import OpenAIServer

    with tempfile.TemporaryDirectory() as folder, OpenAIServer(counted(function)) as server:
        places = {**values, "runs": f"{folder}/runs", "releases": f"{folder}/releases"}
        command = [part.format(**places) for part in case.command]
        command += [text for role in case.roles for text in ("--model", f"{role}=m")]
        command += ["--price", f"m={RATES[0]:g}/{RATES[1]:g}", "--cache", f"{folder}/cache/replies.sqlite"]
        cold = run([*command, "--estimate"], server.url)
        known = run([*command, "--estimate-with", str(wanted)], server.url)
        asked = read(known, "asked")
        run([*command, "--quiet"], server.url)
        sent = server.sent["ok"]
        taken = Taken(server.calls, sent.input_tokens, sent.output_tokens)
        taken.cost = (taken.input * RATES[0] + taken.output * RATES[1]) / 1e6
        click.echo(row(f"{case.name} | `--estimate`", cold, Taken(), taken))
        click.echo(row(f" | `--estimate-with {wanted}`", known, asked, taken))


@click.command()
@click.option("--only", default="", help="Commands that have this in their name.")
@click.option("--with", "wanted", default=10, show_default=True, help="Items of each step that are asked about.")
@click.option("--replies", default="", metavar="MODULE:FUNCTION", help="Gives the reply to the body of a request.")
def main(only: str, wanted: int, replies: str) -> None:
    """Prints the table."""
    import sqlite3

    from benchwright.scripts.servers.openai.stand_in import reply

    module, _, name = replies.partition(":")
    function = getattr(importlib.import_module(module), name) if replies else reply
    with tempfile.TemporaryDirectory() as folder:
        company = Path(folder, "company.sqlite")
        with sqlite3.connect(company) as made:
            made.executescript(_COMPANY)
            made.executemany(
                "INSERT INTO department VALUES (?, ?, ?)",
                [(n, f"{word} office", n % 7) for n, word in enumerate(("North", "South", "East"), 1)],
            )
            made.executemany(
                "INSERT INTO employee VALUES (?, ?, ?, ?, ?)",
                [(n, f"Ada Number{n}", 1990 + n % 30, 30_000 + 37 * n, 1 + n % 3) for n in range(1, 60)],
            )
        aurp = run(["build-benchmark", "aurp", "--set", "size=20", "--output", folder, "--quiet"], "").strip()
        command = ["build-benchmark", "grammar", "--set", f"database={company}", "--output", folder, "--quiet"]
        by_rule = of_rules(Path(run(command, "").strip()))
        click.echo("| command | | asked | calls | tokens in | tokens out | dollars | interval |")
        click.echo("|---|---|---|---|---|---|---|---|")
        for case in CASES:
            if only in case.name:
                values = {"aurp": aurp, "company": str(company)}
                measure(case, values, wanted, by_rule if "checker" in case.roles else function)


if __name__ == "__main__":
    main()
