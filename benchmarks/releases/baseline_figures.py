"""What built-in baselines score on a release: `baselines.json` in its folder, which its card shows as tables.

It is measured when a release is published (`reports/baselines.py`), and is no part of the content hash.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

from pydantic import Field

from benchwright.benchmarks.releases.figures_file import figures_text, parse_figures, read_figures

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
    return figures_text(figures)


def parse_baselines(data: bytes, place: str) -> BaselineFigures:
    """What a file holds that lies at a place.

    Raises:
        BenchwrightError: it is not as it must be.
    """
    return parse_figures(BaselineFigures, data, place)


def read_baselines(folder: Path) -> BaselineFigures | None:
    """The figures of a release; None where none were measured.

    Raises:
        BenchwrightError: the file is not as it must be.
    """
    return read_figures(BaselineFigures, folder, FILE, MAX_BYTES)
