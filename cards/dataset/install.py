"""How a reader of a card gets this program: its address is `Repository` in `[project.urls]` of pyproject.toml."""

from importlib.metadata import PackageNotFoundError, metadata


def install_command() -> str | None:
    """The command that installs this program from its address; None where it has none yet."""
    try:
        told = metadata("benchwright").get_all("Project-URL") or []
    except PackageNotFoundError:
        return None
    urls = dict(line.split(", ", 1) for line in told if ", " in line)
    address = urls.get("Repository")
    return f'pip install "benchwright @ git+{address}"' if address else None
