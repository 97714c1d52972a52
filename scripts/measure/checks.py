"""Measures the checks of what models write on trial corpora of good and wrong texts.

    python -m benchwright.scripts.measure.checks [--model checker=NAME] [--write] [--errors]

By rule alone, or with a model of any endpoint as checker on top; `--write` puts the tables of the rules into
`benchmarks/facts/checks.md`, which says what the checks had seen of each part of the corpora.
"""

from pathlib import Path
from typing import Any

import click

from benchwright.scripts.measure.trials.verdicts import Verdict, fault_table, table
from benchwright.scripts.options.models import model_options, open_client, timeout_option

_FILE = Path(__file__).parents[2] / "benchmarks" / "facts" / "checks.md"
_HEAD = """# How often the checks of what models write err

Printed by `python -m benchwright.scripts.measure.checks`, by rule alone: no model read any of these texts. What the
checks had seen of each part when they were mended last:

- `before`: all; their author wrote it with them.
- `after`, `fresh`: all; two others wrote them who had not read the checks, which were mended over them since.
- `kept`: no case, but how many of each kind were let through, a few times; half of what the first of the two wrote,
  drawn by ids.
- `last`: no case; written by a third who had not read the checks. When its counts had been seen, one rule was widened,
  that against instructions in documents, which accepts 9 of its wrong statements since, and 10 before.

So `last` says how the checks do on texts that are new to them, and `kept` nearly so; the others do not. Bounds are the
upper ends of Wilson's 95 % intervals. With `--model checker=NAME` a model reads what rules accept.
"""
_TITLES = {"wordings": "Wordings of SQL templates", "statements": "Statements of documents"}


@click.command(help=(__doc__ or "").partition("\n")[0])
@click.option("--write", is_flag=True, help=f"Write {_FILE.name} among the facts; by rule alone.")
@click.option("--errors", is_flag=True, help="Name each case that is wrongly accepted or refused.")
@model_options
@timeout_option
def main(write: bool, errors: bool, model_settings: dict[str, Any], timeout: float) -> None:
    """Prints the tables."""
    if write and model_settings["models"]:
        raise click.UsageError("--write is for the rules alone: leave --model out")
    with open_client(model_settings, timeout) as client:
        found = _verdicts(client)
    text = "\n".join([_HEAD, *(line for name, verdicts in found.items() for line in _section(name, verdicts))])
    if write:
        _FILE.write_text(text, encoding="utf-8")
    click.echo(text, nl=False)
    if errors:
        for verdict in (one for verdicts in found.values() for one in verdicts if one.is_error):
            click.echo(
                f"{verdict.id}: {'refused, ' + verdict.why if verdict.is_good else 'accepted, ' + verdict.fault}"
            )


def _verdicts(client: Any) -> dict[str, list[Verdict]]:
    """Corpus → what the checks say of its cases."""
    from benchwright.scripts.measure.trials.statement_checks import statement_verdicts
    from benchwright.scripts.measure.trials.wording_checks import wording_verdicts

    return {"wordings": wording_verdicts(client), "statements": statement_verdicts(client)}


def _section(name: str, verdicts: list[Verdict]) -> list[str]:
    return [f"## {_TITLES[name]}", "", *table(verdicts), "", *fault_table(verdicts), ""]


if __name__ == "__main__":
    main()
