"""What there is: the specs of benchmarks, found by name in this package and in others."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.naming import check_version

BUILDERS = "benchwright.builders"
"""The entry point group by which other packages add builders: name → module."""


@dataclass(frozen=True)
class Parameter:
    """A parameter of a builder, set with `--set NAME=VALUE`."""

    name: str
    help: str
    default: str | int | float | bool
    """Its type is the parameter's type."""
    choices: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    required: bool = False
    private: bool = False
    """It says who builds, not what is built: no release tells it."""

    def parse(self, text: str) -> str | int | float | bool:
        """The value that a text stands for.

        Raises:
            UsageError: it is none that the parameter may have.
        """
        value = self._typed(text)
        if self.choices and value not in self.choices:
            raise UsageError(f"{self.name}={text} is not possible: choose from {', '.join(self.choices)}")
        if isinstance(value, int | float) and not isinstance(value, bool):
            low, high = self.minimum, self.maximum
            if (low is not None and value < low) or (high is not None and value > high) or value != value:
                limits = (
                    f"from {low:g} to {high:g}"
                    if low is not None and high is not None
                    else (f"{low:g} or more" if low is not None else f"{high:g} or less")
                )
                raise UsageError(f"{self.name}={text} is out of range: give a number {limits}")
        return value

    def _typed(self, text: str) -> str | int | float | bool:
        if isinstance(self.default, bool):
            if text.lower() not in ("true", "false", "yes", "no", "1", "0"):
                raise UsageError(f"{self.name}={text} is not possible: give true or false")
            return text.lower() in ("true", "yes", "1")
        kind = type(self.default)
        try:
            return kind(text)
        except ValueError:
            wanted = "a whole number" if kind is int else "a number"
            raise UsageError(f"{self.name}={text} is not possible: give {wanted}") from None


@dataclass(frozen=True)
class Spec:
    """What a benchmark is, apart from its data: `specs/NAME.toml`."""

    name: str
    title: str
    summary: str
    """One sentence for the top of the card."""
    description: str
    """What it measures and how it is made, as paragraphs of Markdown."""
    licence: str
    """As the Hub names licences, such as `cc-by-4.0`."""
    version: str
    """The version that a release gets where none is given."""
    primary_metric: str
    canary: str
    """A GUID of the benchmark's own: where it turns up in a training set, the benchmark does too."""
    task_categories: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    language: str = "en"
    intended_use: str = ""
    limits: str = ""
    sources: tuple[Mapping[str, Any], ...] = ()
    citation: str = ""
    """BibTeX."""
    history: Mapping[str, str] = field(default_factory=dict)
    """Version → one sentence: what changed, and whether questions or answers did."""
    checks: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Words for what only this builder counts in `checks`; see `cards/templates/card/checks.toml`."""
    parameters: Mapping[str, Parameter] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for version in self.history:
            check_version(version)

    def resolve(self, given: Mapping[str, str]) -> dict[str, Any]:
        """All parameters with their values: those given, else the defaults.

        Raises:
            UsageError: one is unknown, has an impossible value, or is missing.
        """
        for name in given:
            if name not in self.parameters:
                near = get_close_matches(name, self.parameters, 1, 0.5)
                known = f"did you mean {near[0]}?" if near else f"known are {', '.join(self.parameters)}"
                raise UsageError(f"{self.name} has no parameter {name!r}: {known}")
        values = {
            name: parameter.parse(given[name]) if name in given else parameter.default
            for name, parameter in self.parameters.items()
        }
        for name, parameter in self.parameters.items():
            if parameter.required and values[name] == "":
                raise UsageError(f"{self.name} needs {name}: add --set {name}=… ({parameter.help})")
        return values


def outside_builders() -> dict[str, EntryPoint]:
    """The builders that other packages add: name → entry point. No module is imported."""
    return {point.name: point for point in entry_points(group=BUILDERS)}


def spec_names() -> list[str]:
    """The names of all benchmarks that can be built."""
    own = [item.name.removesuffix(".toml") for item in _specs().iterdir() if item.name.endswith(".toml")]
    return sorted({*own, *outside_builders()})


def load_spec(name: str) -> Spec:
    """The spec of a benchmark: `specs/NAME.toml` here, or `NAME.toml` beside the module of another package's builder.

    Raises:
        UsageError: there is none of that name.
        BenchwrightError: another package's spec is missing or is not as it must be.
    """
    path: Any = _specs() / f"{name}.toml"
    if not path.is_file():
        point = outside_builders().get(name)
        if point is None:
            near = get_close_matches(name, spec_names(), 1)
            raise UsageError(
                f"there is no benchmark {name!r}: "
                + (f"did you mean {near[0]}?" if near else f"known are {', '.join(spec_names())}")
            )
        found = find_spec(point.module)
        if found is None or found.origin is None:
            raise BenchwrightError(
                f"the builder {name} is registered as {point.value}, which cannot be found: reinstall it"
            )
        path = Path(found.origin).with_name(f"{name}.toml")
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        parameters = {
            key: Parameter(name=key, **_tuples(value)) for key, value in content.pop("parameters", {}).items()
        }
        return Spec(name=name, parameters=parameters, **_tuples(content))
    except (OSError, ValueError, TypeError, AttributeError, BenchwrightError) as error:
        raise BenchwrightError(f"the spec {path} is not as it must be: {error}") from None


def _tuples(table: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}


def _specs() -> Any:
    return files("benchwright.benchmarks") / "specs"
