"""What a builder tells before anything is built: what would be asked, and how it understood its sources.

Both are optional functions of a builder, with the request that `build` would get (see `base.py`).
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchwright.benchmarks.catalogue import load_spec
from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.models.client import Client
from benchwright.benchmarks.naming import check_name
from benchwright.benchmarks.reports.blocks import Block
from benchwright.builders.base import BuildRequest, Progress, load_builder


def preview_release(
    benchmark: str,
    settings: Mapping[str, str],
    *,
    name: str | None = None,
    seed: int | None = None,
    client: Client | None = None,
    progress: Progress = lambda what, done, total: None,
    releases: Path = Path("releases"),
) -> Sequence[Block]:
    """What `build_release` would ask with the same arguments, as blocks. Nothing is written.

    Raises:
        UsageError: the settings cannot be meant, or the builder has no preview.
        BenchwrightError: what the builder reads cannot be read.
    """
    tell, request = _prepared("preview", benchmark, settings, name, seed, client, progress, releases)
    return tell(request)


def draft_schema(
    benchmark: str,
    settings: Mapping[str, str],
    file: Path,
    *,
    progress: Progress = lambda what, done, total: None,
) -> None:
    """Writes what a builder understood of its sources into a new file, for a person to review and edit.

    Raises:
        UsageError: the settings cannot be meant, or the builder drafts none.
        BenchwrightError: the file is there already, or what the builder reads cannot be read.
    """
    tell, request = _prepared("draft", benchmark, settings, None, None, None, progress, Path("releases"))
    if file.exists():
        raise BenchwrightError(f"{file} is there already, and somebody may have edited it: name another file")
    text = tell(request)
    try:
        with file.open("x", encoding="utf-8") as opened:
            opened.write(text)
    except FileExistsError:
        raise BenchwrightError(f"{file} was made meanwhile: name another file") from None


_MISSING = {
    "preview": "{} has no preview: leave out --preview",
    "draft": "{} drafts no schema, as it reads no database of yours: leave out --draft-schema",
}


def _prepared(
    function: str,
    benchmark: str,
    settings: Mapping[str, str],
    name: str | None,
    seed: int | None,
    client: Client | None,
    progress: Progress,
    releases: Path,
) -> tuple[Callable[[BuildRequest], Any], BuildRequest]:
    """A builder's function, and what it is asked for."""
    spec = load_spec(benchmark)
    tell = getattr(load_builder(benchmark), function, None)
    if tell is None:
        raise UsageError(_MISSING[function].format(benchmark))
    parameters = {key: value for key, value in spec.resolve(settings).items() if not spec.parameters[key].of_card}
    return tell, BuildRequest(check_name(name or benchmark), parameters, seed or 0, client, progress, releases)
