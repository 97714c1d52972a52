"""Writes the generated parts of the guides: parameters, what proofs cannot show, and what a reader said of questions.

python -m benchwright.scripts.maintain.reference
"""

import re
from collections.abc import Iterable
from pathlib import Path

import click

from benchwright.benchmarks.catalogue import BUILDERS, Parameter, load_spec, parameters_of_card
from benchwright.benchmarks.registry import find
from benchwright.scripts.maintain.questions_read import table_of_read

GUIDES = Path(__file__).resolve().parents[2] / "cards" / "guides"
_PART = re.compile(
    r"(<!-- (?P<part>parameters|limits|questions read) of (?P<name>[a-z]+) -->\n)"
    r"(?:(?:(?!<!-- ).)*<!-- end -->\n)?",
    re.DOTALL,
)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True), default=GUIDES)
def main(folder: Path) -> None:
    """Write the generated parts of the guides in FOLDER."""
    for page in sorted(folder.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        if with_reference(text) != text:
            page.write_text(with_reference(text), encoding="utf-8")
            click.echo(page)


def with_reference(text: str) -> str:
    """A guide with its generated parts as they must be."""
    return _PART.sub(lambda match: f"{match[1]}\n{_PARTS[match['part']](match['name'])}\n<!-- end -->\n", text)


def parameters_of(benchmark: str) -> str:
    """The table of a benchmark's own parameters."""
    return _table(item for name, item in load_spec(benchmark).parameters.items() if name not in parameters_of_card())


def shared_parameters() -> str:
    """The table of the parameters that every benchmark has: of people and terms, for the card."""
    return _table(parameters_of_card().values())


def limits_of(benchmark: str) -> str:
    """What the proofs of a benchmark's builder cannot show, as a list."""
    limits = [f"- {limit}" for proof in find(BUILDERS, benchmark).PROOFS for limit in proof.limits]
    return "\n".join([*limits, ""])


_PARTS = {"parameters": parameters_of, "limits": limits_of, "questions read": table_of_read}


def _table(parameters: Iterable[Parameter]) -> str:
    rows = [f"| `{item.name}` | {item.help} | {_shown(item.default)} |" for item in parameters]
    return "\n".join(["| `--set` | meaning | default |", "|---|---|---|", *rows, ""])


def _shown(value: object) -> str:
    return f"`{str(value).lower() if isinstance(value, bool) else value}`" if value != "" else ""


if __name__ == "__main__":
    main()
