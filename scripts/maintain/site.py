"""Builds the site of guides and reference with Sphinx: the pages of this repository, and what is read off the code.

python -m benchwright.scripts.maintain.site FOLDER
"""

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

import click

import benchwright
from benchwright.__main__ import COMMANDS
from benchwright.benchmarks.catalogue import load_spec, spec_names
from benchwright.benchmarks.registry import find_all
from benchwright.scripts.maintain.reference import parameters_of, shared_parameters

ROOT = Path(__file__).resolve().parents[2]
GUIDES, FACTS = Path("cards", "guides"), Path("benchmarks", "facts")
PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), default=ROOT / "build" / "site")
def main(folder: Path) -> None:
    """Build the site in FOLDER. A warning of Sphinx, such as a link that leads nowhere, is an error."""
    with tempfile.TemporaryDirectory() as temporary:
        source = Path(temporary) / "source"
        write_source(source)
        command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", "-c", ROOT / GUIDES]
        done = subprocess.run([*command, "-d", Path(temporary) / "doctrees", source, folder], check=False)
    if done.returncode:
        raise SystemExit(done.returncode)
    click.echo(folder / "index.html")


def write_source(folder: Path) -> None:
    """Gathers in a folder what Sphinx reads: our pages where they are in the repository, the tables that they link to,
    and the reference.

    The README is the first page, `index.md`.
    """
    shutil.copytree(ROOT / GUIDES, folder / GUIDES, ignore=shutil.ignore_patterns("__pycache__", "*.py"))
    for name in PAGES:
        shutil.copy(ROOT / name, folder / name)
    for table in (ROOT / FACTS).glob("*.md"):
        (folder / FACTS).mkdir(parents=True, exist_ok=True)
        (folder / FACTS / table.name).write_text(
            f"---\norphan: true\n---\n{table.read_text(encoding='utf-8')}", "utf-8"
        )
    readme = folder / "README.md"
    readme.write_text(f"{readme.read_text(encoding='utf-8')}\n{_contents()}", encoding="utf-8")
    readme.rename(folder / "index.md")
    for page in folder.rglob("*.md"):
        text = page.read_text(encoding="utf-8")
        page.write_text(re.sub(r"(\]\([./]*)README\.md", r"\1index.md", text), encoding="utf-8")
    reference = folder / "reference"
    reference.mkdir()
    for name, text in {"commands": commands_page(), "parameters": parameters_page(), "api": api_page()}.items():
        (reference / f"{name}.md").write_text(text, encoding="utf-8")


def commands_page() -> str:
    """Every command of `benchwright`, with its options."""
    parts = ["# Commands\n\n`benchwright COMMAND` is the same set of commands."]
    for name, command in _in_order(find_all(COMMANDS)).items():
        module = getattr(command.callback, "__module__", "")
        parts.append(_directive(f".. click:: {module}:main\n   :prog: {name}\n   :nested: full"))
    return "\n\n".join(parts) + "\n"


def parameters_page() -> str:
    """The parameters of every benchmark: those that all of them have once, then each one's own."""
    parts = [
        "# Parameters\n\nWhat `build-benchmark NAME --set KEY=VALUE` takes.",
        "## Every benchmark\n\nWho answers for a release, and under what terms: its card says it, and the data do not "
        f"depend on it.\n\n{shared_parameters()}",
    ]
    for name in spec_names():
        parts.append(f"## {name}\n\n{load_spec(name).summary}\n\n{parameters_of(name)}")
    return "\n\n".join(parts) + "\n"


def api_page() -> str:
    """Every name of `import benchwright`."""
    parts = ["# Python API\n\n`import benchwright` gives the names of this page. All other modules may move."]
    for name in benchwright.__all__:
        thing = getattr(benchwright, name)
        kind = "autoclass" if isinstance(thing, type) else "autofunction" if callable(thing) else "autodata"
        if isinstance(thing, type) and issubclass(thing, Exception):
            kind = "autoexception"
        members = "\n   :members:" if kind == "autoclass" else ""
        parts.append(f"## {name}\n\n" + _directive(f".. {kind}:: benchwright.{name}{members}"))
    return "\n\n".join(parts) + "\n"


def _in_order(commands: Mapping[str, click.Command]) -> dict[str, click.Command]:
    """Commands in the order of work, as `benchwright --help` has them."""
    return dict(sorted(commands.items(), key=lambda item: (getattr(item[1], "order", float("inf")), item[0])))


def _directive(text: str) -> str:
    return f"```{{eval-rst}}\n{text}\n```"


def _contents() -> str:
    """The tables of contents, which the site shows at the side."""
    order = re.findall(r"\]\((.+?)\.md\)", (ROOT / GUIDES / "index.md").read_text(encoding="utf-8"))
    trees = {
        "Guides": [f"{GUIDES.as_posix()}/{page}" for page in ("index", *order)],
        "Reference": ["reference/commands", "reference/parameters", "reference/api"],
        "Project": [Path(name).stem for name in PAGES[1:]],
    }
    return "\n".join(
        f"```{{toctree}}\n:caption: {caption}\n:hidden:\n\n" + "\n".join(pages) + "\n```\n"
        for caption, pages in trees.items()
    )


if __name__ == "__main__":
    main()
