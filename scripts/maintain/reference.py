"""Writes the generated parts of the README: the help of the commands, and the parameters of benchmarks.

python -m benchwright.scripts.maintain.reference
"""

import re
from importlib import import_module
from pathlib import Path

import click

from benchwright.benchmarks.catalogue import load_spec

COMMANDS = ("build-benchmark", "plot-cutoff", "publish-benchmark", "score-system", "verify-benchmark")
_PART = re.compile(r"(<!-- (?P<name>(?!end)[a-z ]+) -->\n)(?:(?:(?!<!-- ).)*<!-- end -->\n)?", re.DOTALL)


@click.command()
@click.argument("readme", type=click.Path(path_type=Path, exists=True), default=Path("README.md"))
def main(readme: Path) -> None:
    """Write the generated parts of README."""
    readme.write_text(with_reference(readme.read_text(encoding="utf-8")), encoding="utf-8")


def with_reference(text: str) -> str:
    """A README with its generated parts as they must be."""
    return _PART.sub(lambda match: f"{match.group(1)}\n{_part(match.group('name'))}\n<!-- end -->\n", text)


def _part(name: str) -> str:
    if name == "commands":
        return "\n".join(f"```\n$ {command} --help\n{help_of(command)}```\n" for command in COMMANDS)
    parameters = load_spec(name.rpartition(" ")[2]).parameters.values()
    rows = [f"| `{item.name}` | {item.help} | {_shown(item.default)} |" for item in parameters]
    return "\n".join(["| `--set` | meaning | default |", "|---|---|---|", *rows, ""])


def help_of(command: str) -> str:
    """What `COMMAND --help` prints on a terminal of 100 columns."""
    main = import_module(f"benchwright.scripts.{command.replace('-', '_')}").main
    with click.Context(main, info_name=command, terminal_width=100, max_content_width=100) as context:
        return main.get_help(context) + "\n"


def _shown(value: object) -> str:
    return f"`{str(value).lower() if isinstance(value, bool) else value}`" if value != "" else ""


if __name__ == "__main__":
    main()
