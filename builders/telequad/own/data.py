"""What a fictional specification is about: its TOML file as dataclasses."""

import random
from dataclasses import dataclass, field, replace
from typing import Any

from benchwright.benchmarks.data_files import read_toml
from benchwright.benchmarks.errors import BenchwrightError

NAMES = ("radio", "metering", "ferry")
"""The specifications, by the names of their TOML files."""


@dataclass(frozen=True)
class Node:
    """A functional entity: what stands at one end of a procedure."""

    name: str
    short: str
    text: str
    functions: tuple[str, ...]


@dataclass(frozen=True)
class Procedure:
    """A request and its answer between two nodes; `timer` supervises it and `cause` codes say why it is rejected."""

    name: str
    purpose: str
    initiator: str
    responder: str
    request: str
    accept: str
    reject: str
    timer: str
    during: str
    after: str
    when: tuple[str, ...]
    settings: tuple[str, ...]
    actions: tuple[str, ...]
    completion: str
    causes: tuple[str, ...]
    collision: str
    failure: str


@dataclass(frozen=True)
class Message:
    """A message; `elements` are `name` (mandatory), `name?` (optional) or `name: condition` (conditional)."""

    name: str
    sender: str
    receiver: str
    purpose: str
    elements: tuple[str, ...]
    code: int = 0


@dataclass(frozen=True)
class Element:
    """An information element: an integer (low to high in steps of a unit), one of `values`, or `octets` of text."""

    name: str
    purpose: str
    low: int = 0
    high: int = 0
    step: int = 1
    unit: str = ""
    values: tuple[tuple[str, str], ...] = ()
    octets: int = 0
    identifier: int = 0

    @property
    def kind(self) -> str:
        """`enumerated`, `text` or `integer`."""
        return "enumerated" if self.values else "text" if self.octets else "integer"

    @property
    def is_plain(self) -> bool:
        """Whether an integer is sent as it is, not as a number of steps."""
        return self.step == 1 and self.low >= 0

    @property
    def length(self) -> int:
        """Octets of the element with its identifier and, for text, its length."""
        if self.kind == "text":
            return self.octets + 2
        largest = (
            len(self.values) - 1 if self.values else self.high if self.is_plain else (self.high - self.low) // self.step
        )
        return 1 + max(1, (largest.bit_length() + 7) // 8)


@dataclass(frozen=True)
class Timer:
    """A timer of a node, in `unit`; `retries` is how often its message is sent again."""

    name: str
    node: str
    unit: str
    low: int
    high: int
    retries: int
    value: int = 0


@dataclass(frozen=True)
class Requirement:
    """A measured quantity with a limit for each class (rows) and condition (columns), drawn from `low` to `high`."""

    name: str
    quantity: str
    unit: str
    definition: str
    bound: str
    low: int
    high: int
    classes: tuple[str, ...]
    conditions: tuple[str, ...]
    equipment: str
    settings: tuple[str, ...]
    environment: str
    method: tuple[str, ...]
    limits: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True)
class Specification:
    """A whole specification; what is random in it (codes, default values, limits) has been drawn by its seed."""

    number: str
    title: str
    group: str
    version: str
    date: str
    protocol: str
    module: str
    discriminator: str
    scope: tuple[str, ...]
    topics: tuple[str, ...]
    overview: tuple[str, ...]
    references: tuple[str, ...]
    terms: tuple[tuple[str, str], ...]
    abbreviations: tuple[tuple[str, str], ...]
    states: tuple[tuple[str, str], ...]
    interfaces: tuple[tuple[str, str, str, str], ...]
    nodes: tuple[Node, ...]
    procedures: tuple[Procedure, ...]
    messages: tuple[Message, ...]
    elements: tuple[Element, ...]
    timers: tuple[Timer, ...]
    requirements: tuple[Requirement, ...]
    changes: tuple[tuple[str, str, str], ...] = field(default=())

    def element(self, name: str) -> Element:
        """The information element of that name."""
        return _named(self.elements, name, self.number)

    def message(self, name: str) -> Message:
        """The message of that name."""
        return _named(self.messages, name, self.number)

    def timer(self, name: str) -> Timer:
        """The timer of that name."""
        return _named(self.timers, name, self.number)


def read_specification(name: str) -> Specification:
    """The specification of a file of this folder; raises BenchwrightError where a name in it is not defined."""
    table = dict(read_toml(__package__, f"{name}.toml"))
    draw = random.Random(table.pop("seed"))
    kinds: dict[str, type] = {
        "nodes": Node,
        "procedures": Procedure,
        "messages": Message,
        "elements": Element,
        "timers": Timer,
        "requirements": Requirement,
    }
    for key, kind in kinds.items():
        table[key] = tuple(kind(**_frozen(entry)) for entry in table[key])
    for key, value in table.items():
        table[key] = _tuples(value)
    specification = Specification(**table)
    drawn = replace(
        specification,
        messages=_with_numbers(draw, specification.messages, "code", 0x10, 0x7F),
        elements=_with_numbers(draw, specification.elements, "identifier", 0x20, 0xEF),
        timers=tuple(_with_value(draw, timer) for timer in specification.timers),
        requirements=tuple(replace(each, limits=_limits(draw, each)) for each in specification.requirements),
    )
    _check(drawn)
    return drawn


def _named(entries: Any, name: str, number: str) -> Any:
    for entry in entries:
        if entry.name == name:
            return entry
    raise BenchwrightError(f"{number}: {name} is named and not defined: define it in the specification's TOML file.")


def _frozen(entry: dict[str, Any]) -> dict[str, Any]:
    return {key: _tuples(value) for key, value in entry.items()}


def _tuples(value: Any) -> Any:
    return tuple(_tuples(each) for each in value) if isinstance(value, list) else value


def _with_numbers(draw: random.Random, entries: tuple[Any, ...], name: str, low: int, high: int) -> tuple[Any, ...]:
    """Each with a number of its own, rising in the order of the file."""
    numbers = sorted(draw.sample(range(low, high + 1), len(entries)))
    return tuple(replace(entry, **{name: number}) for entry, number in zip(entries, numbers, strict=True))


def _with_value(draw: random.Random, timer: Timer) -> Timer:
    step = max(1, (timer.high - timer.low) // 10)
    return replace(timer, value=draw.randrange(timer.low + step, timer.high, step))


def _limits(draw: random.Random, requirement: Requirement) -> tuple[tuple[int, ...], ...]:
    """Limits that fall from class to class and rise with the harder condition, no two alike."""
    rows, columns = len(requirement.classes), len(requirement.conditions)
    values = sorted(draw.sample(range(requirement.low, requirement.high + 1), rows * columns))
    return tuple(tuple(values[row * columns : (row + 1) * columns]) for row in range(rows))


def element_name(entry: str) -> str:
    """The element that an entry of a message names."""
    return entry.split(":")[0].rstrip("?")


def _check(specification: Specification) -> None:
    nodes = {node.name for node in specification.nodes}
    states = {state for state, _ in specification.states}
    for message in specification.messages:
        for entry in message.elements:
            specification.element(element_name(entry))
        _known(specification, nodes, message.sender, message.receiver)
    causes = {value for value, _ in specification.element("Cause").values}
    for procedure in specification.procedures:
        for name in (procedure.request, procedure.accept, procedure.reject):
            specification.message(name)
        timer = specification.timer(procedure.timer)
        _known(specification, nodes, procedure.initiator, procedure.responder, timer.node)
        _known(specification, states, procedure.during, procedure.after)
        _known(specification, causes, *(cause.split(":")[0] for cause in procedure.causes))
    used = {element_name(entry) for message in specification.messages for entry in message.elements}
    _known(specification, used, *(element.name for element in specification.elements))


def _known(specification: Specification, known: set[str], *names: str) -> None:
    for name in names:
        if name not in known:
            raise BenchwrightError(f"{specification.number}: {name} is not defined, or not used, in its TOML file.")
