"""What there is: the specs of benchmarks, found by name in this package and in others."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from functools import cache, lru_cache
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar

from benchwright.benchmarks.errors import BenchwrightError, UsageError
from benchwright.benchmarks.naming import check_language, check_version
from benchwright.benchmarks.registry import Kind, module_of, names, unknown

WIKIS = {"simple": "en"}
"""Names of wikis that are no tags of languages, with the languages that they are written in."""
_STRICT = {"extra": "forbid"}
"""A key that is not known is an error, not left out."""


def is_place(entry: str) -> bool:
    """Whether an entry of a list of names and places is a file or a folder."""
    return "/" in entry or "\\" in entry or entry.strip().endswith(".toml")


@dataclass(frozen=True)
class Parameter:
    """A parameter of a builder, set with `--set NAME=VALUE`."""

    __pydantic_config__: ClassVar = _STRICT
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
    of_card: bool = False
    """It is for the card, of people and terms: the builder is not given it; see `specs/parameters/card.toml`."""
    place: bool = False
    """It names a file, a folder, an address or another release. A release tells the last part of it alone, so that
    whoever builds it again must say where that is."""

    places: bool = False
    """It is a list, separated by commas, of names and of places; a release tells the last part of each place."""

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

    def names_a_place(self, text: str) -> bool:
        """Whether a value says where something lies."""
        return self.place or (self.places and any(map(is_place, text.split(","))))

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

    __pydantic_config__: ClassVar = _STRICT
    name: str
    title: str
    summary: str
    """One sentence for the top of the card."""
    description: str
    """What it measures and how it is made, as paragraphs of Markdown."""
    licence: str
    """As the Hub names licences, such as `cc-by-4.0`; `sources`: that of the sources, as far as they state one."""
    version: str
    """The version that a release gets where none is given."""
    primary_metric: str
    canary: str
    """A GUID of the benchmark's own: where it turns up in a training set, the benchmark does too."""
    task_categories: tuple[str, ...] = ()
    task_ids: tuple[str, ...] = ()
    annotations_creators: tuple[str, ...] = ()
    """Who gave the answers, in the Hub's words: `machine-generated`, `expert-generated`, `crowdsourced`, `found`."""
    language_creators: tuple[str, ...] = ()
    """Who wrote the texts, as far as the manifest's `texts` does not say it."""
    source_datasets: tuple[str, ...] = ()
    """`original`, or what it was made from, such as `extended|squad`."""
    tags: tuple[str, ...] = ()
    language: str = "en"
    """Of its questions and answers, as BCP 47 writes it; a release built with the parameter `language` has that one."""
    intended_use: str = ""
    limits: str = ""
    sources: tuple[Mapping[str, Any], ...] = ()
    citation: str = ""
    """BibTeX of the method."""
    creators: tuple[str, ...] = ()
    """Names; what a builder is told with `--set creators=` comes first, and so for what follows."""
    maintainer: str = ""
    maintenance: str = ""
    errata: str = ""
    year: int = 0
    """Of the citation: a manifest has no time stamps. 0: not stated."""
    personal_data: str = ""
    """What every release of it holds about people, in Markdown."""
    history: Mapping[str, str] = field(default_factory=dict)
    """Version → one sentence: what changed, and whether questions or answers did."""
    checks: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """What is said of a count in the manifest's `checks`: its words on the card, and whether it may be public where
    questions are held out; see `specs/checks/sql.toml`."""
    texts: Mapping[str, str] = field(default_factory=dict)
    """Sort of text of the manifest's `texts` → by which counter of `recount.py` it is counted again."""
    checks_of: tuple[str, ...] = ()
    """Files of `specs/checks` whose counts this builder makes too."""
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    replaced: Mapping[str, str] = field(default_factory=dict)
    """Parameter that there was → what to do instead."""

    def __post_init__(self) -> None:
        for version in self.history:
            check_version(version)
        check_language(self.language)

    def language_of(self, parameters: Mapping[str, Any], sources: Sequence[Mapping[str, Any]] = ()) -> str:
        """The language of a release: what its sources say of themselves, else its parameters, else its spec."""
        for given in (*(source.get("language") for source in sources), parameters.get("language")):
            if isinstance(given, str) and given:
                return WIKIS.get(given, given)
        return self.language

    def resolve(self, given: Mapping[str, str]) -> dict[str, Any]:
        """All parameters with their values: those given, else the defaults.

        Raises:
            UsageError: one is unknown, has an impossible value, or is missing.
        """
        for name in given:
            if name in self.replaced:
                raise UsageError(f"{self.name} has no parameter {name!r} any more: {self.replaced[name]}")
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


def _check_builder(name: str, found: Any) -> Any:
    if not callable(getattr(found, "build", None)) or not isinstance(getattr(found, "VERSION", None), str):
        raise TypeError("it must be a module with VERSION, a text, and build(request, writer)")
    return found


BUILDERS: Kind[Any] = Kind(
    "benchmark",
    "benchwright.builders",
    _check_builder,
    package="benchwright.builders",
    is_one=lambda module: (_specs() / f"{module.name}.toml").is_file(),
)
"""The builders: see `Builder` in `builders/base.py`."""


def spec_names() -> list[str]:
    """The names of all benchmarks that can be built."""
    return sorted(names(BUILDERS))


def file_beside(builder: str, suffix: str) -> Path | None:
    """The file BUILDER + suffix beside a builder's module, which is not imported for it; None where there is none."""
    module = module_of(BUILDERS, builder)
    try:
        found = find_spec(module) if module else None
    except Exception:  # whatever the package around it raises when it is imported
        return None
    path = Path(found.origin).with_name(builder + suffix) if found is not None and found.origin else None
    return path if path is not None and path.is_file() else None


def load_spec(name: str) -> Spec:
    """The spec of a benchmark: `specs/NAME.toml` here, or `NAME.toml` beside the module of another package's builder.

    Raises:
        UsageError: there is none of that name.
        BenchwrightError: another package's spec is missing or is not as it must be.
    """
    if name not in names(BUILDERS):
        raise UsageError(f"there is {unknown(BUILDERS, name)}")
    own: Any = _specs() / f"{name}.toml"
    path = own if own.is_file() else file_beside(name, ".toml")
    if path is None:
        raise BenchwrightError(
            f"the builder {name} has no spec: {name}.toml must lie beside its module {module_of(BUILDERS, name)}; "
            "if the module cannot be found, reinstall it"
        )
    return _read_spec(name, path)


def _read_spec(name: str, path: Any) -> Spec:
    from pydantic import ValidationError

    try:
        content = {"name": name, **_read(path.read_text(encoding="utf-8"))}
        content["checks"] = {**_shared_checks(content.get("checks_of", ())), **content.get("checks", {})}
        parameters, shared = content.get("parameters", {}), _parameters_of_card()
        if isinstance(parameters, dict):
            content["parameters"] = {
                key: {"name": key, **value} if isinstance(value, dict) else value
                for key, value in {**parameters, **{k: v for k, v in shared.items() if k not in parameters}}.items()
            }
        return _specs_as_read().validate_python(content)
    except ValidationError as error:
        reason = min(
            (_fault(each["type"], each["loc"], each["msg"]) for each in error.errors()), key=lambda each: each[0]
        )[1]
    except (OSError, ValueError, BenchwrightError) as error:
        reason = str(error)
    raise BenchwrightError(f"the spec {path} is not as it must be: {reason}")


@cache
def _specs_as_read() -> Any:
    """What makes a spec of a file's content; to make it takes longer than to use it."""
    from pydantic import TypeAdapter

    return TypeAdapter(Spec)


@lru_cache(maxsize=64)
def _read(text: str) -> dict[str, Any]:
    """The content of a TOML file, read once as long as it stays the same; who is given it leaves it as it is."""
    return tomllib.loads(text)


def parameters_of_card() -> dict[str, Parameter]:
    """The parameters that every benchmark has, of people and terms, by name."""
    return {name: Parameter(name=name, **content) for name, content in _parameters_of_card().items()}


def _parameters_of_card() -> dict[str, Any]:
    return _read((_specs() / "parameters" / "card.toml").read_text(encoding="utf-8"))


def _shared_checks(names: Any) -> dict[str, Any]:
    """What several builders say of their counts.

    Raises:
        ValueError: there is no such file.
    """
    found: dict[str, Any] = {}
    for name in names:
        path = _specs() / "checks" / f"{name}.toml"
        if not path.is_file():
            raise ValueError(f"checks_of names {name!r}, and there is no {path.name} in specs/checks")
        found |= _read(path.read_text(encoding="utf-8"))
    return found


def _fault(sort: str, place: tuple[str | int, ...], message: str) -> tuple[int, str]:
    """One thing that is wrong with a spec, with its rank: a key that is misspelt explains one that is missing."""
    where = ".".join(map(str, place))
    if sort == "unexpected_keyword_argument":
        known = [field.name for field in fields(Parameter if place[0] == "parameters" else Spec)]
        near = get_close_matches(str(place[-1]), known, 1)
        return 0, f"there is no key {where}: " + (
            f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"
        )
    return 1, f"{where} is missing" if sort == "missing" else f"{where}: {message}"


def _specs() -> Any:
    return files("benchwright.benchmarks") / "specs"
