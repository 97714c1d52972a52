"""`benchwright COMMAND`: all commands under one name, those of other packages with them."""

from typing import Any

import click

from benchwright.benchmarks.registry import Kind, find, find_all, instance_of
from benchwright.scripts.options.common import errors_in_one_line, fail

COMMANDS = Kind(
    "command",
    "benchwright.commands",
    instance_of(click.Command),
    package="benchwright.scripts",
    attribute="main",
    is_one=lambda module: not module.ispkg and not module.name.startswith("_"),
)
"""The function `main` of every module of `scripts/`, and what entry points name: each a `click.Command`."""


class _Commands(click.Group):
    """The commands in the order of work. Only what is called, or shown in `--help`, is imported."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Reads the arguments before the command's name."""
        try:
            return super().make_context(info_name, args, parent, **extra)
        except click.exceptions.NoArgsIsHelpError:
            raise
        except click.UsageError as error:
            fail(error.format_message(), 2)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Their names: ours by `order`, then those of other packages by name."""
        found = find_all(COMMANDS)
        return sorted(found, key=lambda name: (getattr(found[name], "order", float("inf")), name))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name."""
        return find(COMMANDS, cmd_name)

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command that is named; what a person can mend is printed in one line."""
        with errors_in_one_line():
            return super().invoke(ctx)


@click.group(cls=_Commands, context_settings={"help_option_names": ["--help"]})
@click.version_option(package_name="benchwright", message="%(version)s")
def main() -> None:
    """Build, prove and publish benchmarks for retrieval-augmented generation, and score systems against them."""


if __name__ == "__main__":
    main(prog_name="benchwright")
