"""What built-in baselines score on a release: `baselines.json` in its folder, which its card shows as tables.

It is measured when a release is published (`reports/baselines.py`), and is no part of the content hash.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, ClassVar

from pydantic import Field, TypeAdapter, ValidationError

from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.releases.plain_files import check_file
from benchwright.benchmarks.validation import in_one_line

FILE = "baselines.json"
MAX_BYTES = 4_000_000
"""A file of more bytes is not read."""
_STRICT = {"extra": "forbid", "strict": True}
Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0, le=10**12)]
Words = Annotated[str, Field(max_length=1_000)]


@dataclass(frozen=True)
class Asked:
    """Which questions: a seeded sample of whole groups; see `sample_questions`."""

    __pydantic_config__: ClassVar = _STRICT
    split: Words
    limit: Count
    wordings: Count
    questions: Count
    groups: Count


@dataclass(frozen=True)
class Baseline:
    """The metric `correct` of one system over answerable questions, with its 95 % interval."""

    __pydantic_config__: ClassVar = _STRICT
    system: Words
    value: Share | None
    """None: nothing was scored."""
    low: Share | None
    """Of the interval by semantic group for this benchmark; None also of one group."""
    high: Share | None
    scored: Count
    total: Count
    reason: Words = ""
    """Why nothing was scored."""


@dataclass(frozen=True)
class TemplateFigures:
    """How hard the questions of one template are."""

    __pydantic_config__: ClassVar = _STRICT
    template: Words
    question: Words
    """One of its questions."""
    groups: Count
    correct: Mapping[str, Share]
    """System → share of its answers that are correct, the mean over groups."""


@dataclass(frozen=True)
class BaselineFigures:
    """The whole file."""

    __pydantic_config__: ClassVar = _STRICT
    asked: Asked
    baselines: tuple[Baseline, ...]
    templates: tuple[TemplateFigures, ...]

    def hardest_first(self, system: str) -> list[TemplateFigures]:
        """The templates that a system was asked, the hardest first; of equals those of which more groups were asked."""
        return self._in_order(system, 1)

    def easiest_first(self, system: str) -> list[TemplateFigures]:
        """The other way round."""
        return self._in_order(system, -1)

    def _in_order(self, system: str, sign: int) -> list[TemplateFigures]:
        asked = [template for template in self.templates if system in template.correct]
        return sorted(asked, key=lambda each: (sign * each.correct[system], -each.groups, each.template))


def baselines_text(figures: BaselineFigures) -> str:
    """What the file holds."""
    return json.dumps(asdict(figures), ensure_ascii=False, indent=1) + "\n"


def parse_baselines(data: bytes, place: str) -> BaselineFigures:
    """What a file holds that lies at a place.

    Raises:
        BenchwrightError: it is not as it must be.
    """
    try:
        return TypeAdapter(BaselineFigures).validate_json(data)
    except (ValidationError, RecursionError) as error:
        said = in_one_line(error, {}) if isinstance(error, ValidationError) else str(error)
        raise BenchwrightError(f"{place} is not as it must be: {said:.500}") from None


def read_baselines(folder: Path) -> BaselineFigures | None:
    """The figures of a release; None where none were measured.

    Raises:
        BenchwrightError: the file is not as it must be.
    """
    path = folder / FILE
    if not path.exists() and not path.is_symlink():
        return None
    try:
        check_file(path, folder)
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise ValueError(f"it has more than {MAX_BYTES:,} bytes")
    except (OSError, ValueError) as error:
        raise BenchwrightError(f"{path} cannot be read: {error}") from None
    return parse_baselines(data, str(path))
