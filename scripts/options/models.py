"""The options of every command that may ask language models, as one argument: a client, or none where none is named."""

import functools
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import click

from benchwright.scripts.options.common import ModelOption, Seconds, fail
from benchwright.scripts.options.stopping import Countdown, signal_as_ctrl_c

_FILE = click.Path(path_type=Path)
_OPTIONS: tuple[tuple[tuple[str, ...], dict[str, Any]], ...] = (
    (
        ("--model", "models"),
        {
            "multiple": True,
            "metavar": "[ROLE=]NAME",
            "help": "Language model that plays writer, system and judge, or one ROLE: these, embedder, reranker, "
            "decision, checker or reader; repeatable.",
        },
    ),
    (
        ("--base-url", "base_urls"),
        {
            "multiple": True,
            "metavar": "[ROLE=]URL",
            "help": "Its OpenAI-compatible endpoint.  [default: $OPENAI_BASE_URL, else OpenAI's]",
        },
    ),
    (
        ("--price", "prices"),
        {"multiple": True, "metavar": "NAME=IN/OUT", "help": "US dollars for a million tokens in and out; repeatable."},
    ),
    (("--estimate",), {"is_flag": True, "help": "Ask no model: say how many calls, tokens and dollars it would take."}),
    (
        ("--estimate-with",),
        {
            "type": click.IntRange(min=1),
            "metavar": "N",
            "help": "The same after asking about N items of each step, or fewer, whose replies are paid for and kept.",
        },
    ),
    (("--max-cost",), {"type": click.FloatRange(min=0), "metavar": "USD", "help": "Stop before more is spent."}),
    (("--max-calls",), {"type": click.IntRange(min=0), "metavar": "N", "help": "Stop before more calls are made."}),
    (
        ("--at-once",),
        {"type": click.IntRange(1, 1024), "default": 32, "show_default": True, "help": "Calls in flight, at most."},
    ),
    (("--requests-per-minute",), {"type": click.IntRange(min=1), "metavar": "N", "help": "Calls begun in a minute."}),
    (("--tokens-per-minute",), {"type": click.IntRange(min=1), "metavar": "N", "help": "Tokens in a minute."}),
    (
        ("--batch",),
        {
            "is_flag": True,
            "help": "Let writers, judges, checkers and readers wait up to a day for replies at half the price, in "
            "batches of their provider.",
        },
    ),
    (("--prompts",), {"type": _FILE, "metavar": "DIR", "help": "Prompts of your own, NAME.md, in place of ours."}),
    (
        ("--cache",),
        {"type": _FILE, "metavar": "FILE", "help": "Kept replies.  [default: one file in the user's cache folder]"},
    ),
    (("--no-cache", "fresh"), {"is_flag": True, "help": "Use no kept reply: ask all anew. New ones are kept."}),
    (("--replay",), {"is_flag": True, "help": "Use kept replies only: ask nothing, and stop where one is missing."}),
)


def model_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options above; the command gets them as `model_settings`, keyword arguments of `read_settings`."""

    @functools.wraps(function)
    def command(**values: Any) -> Any:
        given = {name: values.pop(name) for name in _argument_names()}
        return function(**values, model_settings=given)

    for names, attributes in reversed(_OPTIONS):
        command = click.option(*names, cls=ModelOption, **attributes)(command)
    return command


def timeout_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """`--timeout`, of commands that ask nothing but models; `open_client` is given it."""
    return click.option(
        "--timeout",
        cls=ModelOption,
        type=Seconds(),
        default=120.0,
        show_default=True,
        metavar="S",
        help="Seconds that a reply may take, whole; then it is asked for once more.",
    )(function)


def _argument_names() -> list[str]:
    return [names[-1].lstrip("-").replace("-", "_") for names, _ in _OPTIONS]


@contextmanager
def open_client(model_settings: dict[str, Any], timeout: float, command: Sequence[object] = ()) -> Iterator[Any]:
    """A client for the models that were named, closed in the end; None where none was.

    Args:
        model_settings: as `model_options` gives them.
        timeout: seconds that a reply may take, whole.
        command: names what is made, the same in each start.

    Raises:
        UsageError: the settings cannot be meant.
    """
    from benchwright.benchmarks.errors import BenchwrightError, StopError, UsageError

    values = dict(model_settings)
    if not values["models"]:
        for name in ("estimate", "estimate_with", "replay", "batch"):
            if values[name]:
                raise UsageError(f"--{name.replace('_', '-')} is about calls of a model: name one with --model NAME")
        yield None
        return
    from benchwright.benchmarks.models.client import Client
    from benchwright.benchmarks.models.prompts import check_overrides
    from benchwright.benchmarks.models.settings import read_settings

    if values["fresh"] and values["replay"]:
        raise UsageError("--no-cache and --replay exclude each other: leave one out")
    if values["estimate_with"] and values["replay"]:
        raise UsageError("--estimate-with asks a model and --replay asks none: leave one out")
    values["estimate"] = values["estimate"] or bool(values["estimate_with"])
    values["estimate_with"] = values["estimate_with"] or 0
    values["timeout"] = timeout
    values["command"] = "\n".join(map(str, command))
    if values["prompts"]:
        check_overrides(values["prompts"])
    from benchwright.benchmarks.models.money.costs import Estimated

    client = Client(read_settings(**values))
    try:
        with signal_as_ctrl_c(signal.SIGTERM) as came:
            try:
                yield client
                client.forget_left_over()
            except Estimated:
                for line in client.estimated():
                    click.echo(line)
            except StopError:
                raise
            except BenchwrightError:
                if client.ledger.calls:
                    show_spending(client, False)
                raise
            except KeyboardInterrupt:
                _stop(client, 128 + signal.SIGTERM if came else 130)
    finally:
        client.close(Countdown(is_asked=False))


def _stop(client: Any, code: int) -> NoReturn:
    """Waits for what is on its way, or leaves it where Ctrl-C comes again, and ends the program."""
    countdown = Countdown(is_asked=True)
    left = client.close(countdown)
    countdown.end()
    lost = f", {left:,} of them left on their way, which may be billed" if left else ""
    fail(f"stopped after {client.ledger.calls:,} calls{lost}; the same command goes on from there", code)


def show_spending(client: Any, quiet: bool) -> None:
    """What a client's calls took, a line for each step and role."""
    if client is not None and not quiet:
        for line in client.ledger.summary():
            click.echo(line, err=True)
