"""What every command has in common: shared options, defaults from `benchwright.toml`, errors in one line, logging."""

import errno
import logging
import os
import select
import sys
import tomllib
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import click

from benchwright.benchmarks.secrecy import keep_arguments, private, without_secrets

SETTINGS = Path("benchwright.toml")
_LONGEST = 1_200
"""Characters of an error that are shown: it may name what a file of somebody else holds."""


MOST_SECONDS = 1_000_000
"""Of a time limit: about as many as a week and a half has."""


class ModelOption(click.Option):
    """An option about language models."""

    section = "Language models"


class Seconds(click.FloatRange):
    """A time limit: more than 0, and a number."""

    def __init__(self) -> None:
        super().__init__(0, min_open=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        seconds = float(super().convert(value, param, ctx))
        if not seconds <= MOST_SECONDS:
            self.fail(f"{seconds} is no number of seconds up to {MOST_SECONDS:,}.", param, ctx)
        return seconds


class PushOption(click.Option):
    """An option about publishing."""

    section = "Publishing"


class GateOption(click.Option):
    """An option about gates."""

    section = "Continuous integration"


class SystemOption(click.Option):
    """An option about the system that is submitted."""

    section = "The system"


class RootOption(click.Option):
    """A folder of releases or of runs. `--help` shows its first name alone; the others are names that it had."""

    @property
    def former(self) -> set[str]:
        """Names that it had, as they stand in `benchwright.toml`."""
        return {name.lstrip("-") for name in self.opts[1:]}

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """The option's name and its text."""
        record = super().get_help_record(ctx)
        return record and (f"{self.opts[0]} {self.make_metavar(ctx)}", record[1])


class Command(click.Command):
    """A command whose defaults can stand in `benchwright.toml`, and whose errors are one line.

    In the file, names at the top count for all commands, those in a table for the command of that name:

        releases = "/data/releases"
        runs = "/data/runs"
        [build-benchmark]
        seed = 7
        set = { forms = "short" }
        [models]
        model = { judge = "gpt-4o", writer = "gpt-4o-mini" }
        max-cost = 5.0

    The table `models` counts for all commands that may ask a model. `order` is the command's place in `benchwright
    --help`: that of the work.
    """

    def __init__(self, *arguments: Any, order: int = 1_000, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.order = order

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Reads `benchwright.toml` before the arguments."""
        keep_arguments(args)
        extra.setdefault("default_map", _defaults(self))
        try:
            return super().make_context(info_name, args, parent, **extra)
        except click.UsageError as error:
            fail(error.format_message(), 2)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the options; those of a class with a section stand under its heading."""
        headings = ("Options", *(each.section for each in (SystemOption, GateOption, PushOption, ModelOption)))
        sections: dict[str, list[tuple[str, str]]] = {heading: [] for heading in headings}
        for item in self.get_params(ctx):
            record = item.get_help_record(ctx) if isinstance(item, click.Option) else None
            if record is not None:
                sections[getattr(item, "section", "Options")].append(record)
        for heading, records in sections.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command; what a person can mend is printed in one line."""
        with errors_in_one_line():
            return super().invoke(ctx)


@contextmanager
def errors_in_one_line() -> Iterator[None]:
    """Ends the program with one line and the right code on whatever a person can mend."""
    from benchwright.benchmarks.errors import BenchwrightError, UsageError

    try:
        yield
    except BenchwrightError as error:
        fail(str(error), 2 if isinstance(error, UsageError) else 1)
    except KeyboardInterrupt:
        fail("stopped; nothing half-made is left, start it again with the same command", 130)
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            _end_if_nobody_reads()
        fail(_explain(error), 1)
    except (click.ClickException, click.exceptions.Exit, click.Abort):
        raise
    except Exception as error:  # a mistake of ours: its traceback, in which an argument or a path may stand
        click.echo(private("".join(traceback.format_exception(error))), err=True, nl=False)
        sys.exit(1)


CLOSED_PIPE = 128 + 13
"""The code of a program that a closed pipe ends, as shells report it."""


def _end_if_nobody_reads() -> None:
    """Ends the program without a word where what it writes goes into a pipe that is closed, as by `| head -1`."""
    if not hasattr(select, "poll"):
        return
    looked = select.poll()
    for number in (1, 2):
        looked.register(number, 0)
    if any(event & select.POLLERR for _, event in looked.poll(0)):
        nowhere = os.open(os.devnull, os.O_WRONLY)  # for what the interpreter writes at its end
        for number in (1, 2):
            os.dup2(nowhere, number)
        sys.exit(CLOSED_PIPE)


def fail(message: str, code: int) -> NoReturn:
    """Prints one line to stderr and ends the program."""
    shown = printable(private(message))
    click.echo(f"error: {shown if len(shown) <= _LONGEST else f'{shown[:_LONGEST]}...'}", err=True)
    sys.exit(code)


def printable(message: str) -> str:
    """A message as one line without what would steer a terminal: other people's errors and files may hold anything."""
    return visible(" ".join(message.split()))


def visible(line: str) -> str:
    """A line of a result without secrets, with � for whatever would steer a terminal, and its spaces as they are."""
    shown = without_secrets(line)
    return shown if shown.isprintable() else "".join(each if each.isprintable() else "\ufffd" for each in shown)


def shared(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options of every command: -v, -q and --version."""
    function = click.option("-q", "--quiet", is_flag=True, help="Print results and errors only.")(function)
    function = click.option("-v", "--verbose", is_flag=True, help="Print what is being done.")(function)
    return click.version_option(package_name="benchwright", message="%(version)s")(function)


def releases_option(said: str, *former: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """`--releases ROOT`, the folder of releases.

    Args:
        said: what the command reads or makes there.
        former: names that the option had, which are still taken.
    """
    return _root("releases", f"Folder of releases{said}", former)


def runs_option(said: str, *former: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """`--runs ROOT`, the folder of runs, as `releases_option`."""
    return _root("runs", f"Folder of runs{said}", former)


def _root(name: str, said: str, former: tuple[str, ...]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    kind = click.Path(path_type=Path)
    shown: dict[str, Any] = {"default": Path(name), "show_default": True, "metavar": "ROOT", "help": said}
    return click.option(f"--{name}", *former, name, cls=RootOption, type=kind, **shown)


def set_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """`--set KEY=VALUE`, as often as wanted."""
    return click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="KEY=VALUE",
        callback=_pairs,
        help="A parameter of the benchmark; repeatable.",
    )(function)


def is_on_command_line(name: str) -> bool:
    """Whether a parameter of the running command is given there, not in `benchwright.toml` or by default."""
    source = click.get_current_context().get_parameter_source(name)
    return source is click.core.ParameterSource.COMMANDLINE


def start_logging(verbose: bool, quiet: bool) -> None:
    """Logs go to stderr: warnings always but with --quiet, the rest with --verbose."""
    level = logging.DEBUG if verbose else logging.ERROR if quiet else logging.WARNING
    shown = logging.StreamHandler(sys.stderr)
    shown.setFormatter(_Plain("%(message)s"))
    logging.basicConfig(handlers=[shown], level=logging.ERROR)
    logging.getLogger("benchwright").setLevel(level)


class _Plain(logging.Formatter):
    """Writes a message without secrets, the user's home and what would steer a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        """The message, and the traceback where there is one."""
        return "\n".join(visible(line) for line in private(super().format(record)).splitlines())


@contextmanager
def progress(quiet: bool, client: Any = None) -> Iterator[Callable[[str, int, int], None]]:
    """A progress line on a terminal's stderr, with what a client has spent so far; elsewhere nothing."""
    if quiet or not sys.stderr.isatty():
        yield lambda what, done, total: None
        return
    from rich.console import Console
    from rich.progress import (
        MofNCompleteColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[spent]}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        tasks: dict[str, Any] = {}

        def update(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = shown.add_task(what, total=total or None, spent="")
            spent = client.ledger.short if client is not None else ""
            shown.update(tasks[what], completed=done, spent=f"{_rate(shown, tasks[what])} {spent}")

        yield update


def _rate(shown: Any, task: Any) -> str:
    """How many are done in a second."""
    speed = shown.tasks[shown.task_ids.index(task)].speed
    return "" if not speed else f"{speed:,.0f}/s" if speed >= 10 else f"{speed:,.1f}/s"


def _pairs(_: click.Context, __: click.Parameter, values: tuple[str, ...] | dict[str, Any]) -> dict[str, str]:
    if isinstance(values, dict):
        return {key: str(value) for key, value in values.items()}
    found = {}
    for value in values:
        key, equals, text = value.partition("=")
        if not equals or not key:
            raise click.BadParameter(f"{value!r} is not KEY=VALUE")
        found[key.strip()] = text
    return found


def _defaults(command: click.Command) -> dict[str, Any]:
    if not SETTINGS.is_file():
        return {}
    try:
        content = tomllib.loads(SETTINGS.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        fail(f"{SETTINGS} cannot be read: {error}", 2)
    tables = [{key: value for key, value in content.items() if not isinstance(value, dict)}]
    tables += [table for name in ("models", command.name or "") if isinstance(table := content.get(name), dict)]
    names = {option.lstrip("-").replace("-", "_"): item.name for item in command.params for option in item.opts}
    repeatable = {item.name for item in command.params if isinstance(item, click.Option) and item.multiple}
    former = {name for item in command.params if isinstance(item, RootOption) for name in item.former}
    found: dict[str, Any] = {}
    for table in tables:
        # A former name stands first, so that the one of today wins where a table has both.
        for key, value in sorted(table.items(), key=lambda pair: pair[0] not in former):
            name = names.get(key.replace("-", "_"))
            if name:
                found[name] = _default(value, is_repeatable=name in repeatable)
            elif table is content.get(command.name or ""):
                fail(f"{SETTINGS}: {command.name} has no option {key!r}", 2)
    return found


def _default(value: Any, *, is_repeatable: bool) -> Any:
    """A value of the file as an option takes it: a table as KEY=VALUE, one value of a repeatable option as a list."""
    if isinstance(value, dict):
        return [f"{key}={_text(each)}" for key, each in value.items()]
    return [value] if is_repeatable and not isinstance(value, list) else value


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _explain(error: OSError) -> str:
    place = f" {error.filename}" if error.filename else ""
    if error.errno == errno.ENOSPC:
        return f"the disk is full{place}: free some space or choose another folder; nothing half-made is left"
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return f"no permission for{place}: choose another folder or change the permissions"
    return f"{error.strerror or error}{place}"
