"""What can be added without editing a list: builders, metrics, kinds of systems, sections, proofs, configs, commands.

Ours are found by module in a package, those of other packages by entry point `benchwright.KIND`, and those of a running
program by `register`. Each kind is declared once, as a Kind, where it is used:

    METRICS = Kind("metric", "benchwright.metrics", instance_of(Metric),
                   package="benchwright.benchmarks.metrics", attribute="METRIC", name_of=lambda metric: metric.name)
    find(METRICS, "correct"), find_all(METRICS)

One that cannot be loaded, is not what its kind must be, or takes a name that another has is named once as a warning and
left out; nothing else stops.
"""

import functools
import importlib
import logging
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from types import ModuleType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from benchwright.benchmarks.errors import BenchwrightError, UsageError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

log = logging.getLogger("benchwright")

Item = TypeVar("Item")


def _is_public(module: pkgutil.ModuleInfo) -> bool:
    return not module.name.startswith("_")


@dataclass(frozen=True, eq=False)
class Kind(Generic[Item]):
    """A kind of thing that is found by name."""

    name: str
    """What one of it is called in messages, such as "metric"."""
    group: str
    """The entry point group by which other packages add some: an entry point is named as what it loads."""
    check: Callable[[str, Any], Item]
    """Given a name and what was found under it: the same as an item. Raises whatever it likes, with the reason in its
    text, where it is none. See `instance_of`."""
    package: str | None = None
    """The package whose modules each are or hold one of ours, or the one module that holds them all."""
    attribute: str | None = None
    """The attribute of a module that is the item, or a tuple of items (with `name_of`); a module without it holds none.
    None: the module is the item."""
    name_of: Callable[[Item], str] | None = None
    """An item's name, where it knows it. None: its module's, with hyphens; only the one asked for is then imported."""
    is_one: Callable[[pkgutil.ModuleInfo], bool] = _is_public
    """Whether a module of `package` is one at all, judged without importing it."""


def instance_of(wanted: type[Item]) -> Callable[[str, Any], Item]:
    """A check for kinds whose items are all of one class."""

    def check(name: str, found: Any) -> Item:
        if not isinstance(found, wanted):
            raise TypeError(f"it is of type {type(found).__name__}, not {wanted.__name__}")
        return found

    return check


@dataclass
class _State:
    """What is known of one kind in this process."""

    own: dict[str, str] = field(default_factory=dict)
    """Name → module."""
    points: dict[str, "EntryPoint"] = field(default_factory=dict)
    loaded: dict[str, Any] = field(default_factory=dict)
    """Name → item, checked."""
    registered: dict[str, Any] = field(default_factory=dict)
    left_out: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Name → where it came from, and why it is left out."""
    named: set[str] = field(default_factory=set)
    """Those left out that a message has named."""


_states: dict[str, _State] = {}


def find_all(kind: Kind[Item]) -> Mapping[str, Item]:
    """All items of a kind by name: ours, those of other packages, those registered, each in the order of names."""
    state = _state(kind)
    found: dict[str, Item] = {}
    for name in names(kind):
        item = _load(kind, state, name)
        if item is not None:
            found[name] = item
        elif name not in state.named:
            _warn(kind, state, name, *state.left_out[name])
    return found


def find(kind: Kind[Item], name: str) -> Item:
    """The item of a name. Of other packages, only the one of that name is imported.

    Raises:
        UsageError: there is none; its text says what is near, or what there is.
        BenchwrightError: it cannot be used; its text says why.
    """
    item = _load(kind, _state(kind), name)
    if item is None:
        raise unknown(kind, name)
    return item


def unknown(kind: Kind[Any], name: str) -> BenchwrightError:
    """The error that a name is not there: why it cannot be used, what is near, or what there is."""
    state = _state(kind)
    if name in state.left_out:
        state.named.add(name)
        place, reason = state.left_out[name]
        return BenchwrightError(f"no {kind.name} {name!r}: {place} cannot be used: {reason}")
    there = names(kind)
    near = get_close_matches(name, there, 1, 0.5)
    return UsageError(
        f"no {kind.name} {name!r}: " + (f"did you mean {near[0]}?" if near else f"there are {', '.join(there)}")
    )


def names(kind: Kind[Any]) -> list[str]:
    """The names of all items of a kind. Nothing of other packages is imported for it."""
    state = _state(kind)
    parts = (state.own, state.points, state.registered)
    return [name for part in parts for name in sorted(part) if name not in state.left_out]


def module_of(kind: Kind[Any], name: str) -> str | None:
    """The name of the module that an item is or lies in, which is not imported for it; None where there is no item."""
    state = _state(kind)
    if name in state.registered:
        item = state.registered[name]
        return item.__name__ if isinstance(item, ModuleType) else getattr(item, "__module__", None)
    return state.points[name].module if name in state.points else state.own.get(name)


def register(kind: Kind[Item], name: str, item: object) -> Item:
    """Adds an item from a running program, or puts another in the place of one that it added.

    Raises:
        UsageError: it is not what its kind must be, or the name is that of one found by module or by entry point.
    """
    state = _state(kind)
    if name in state.own or name in state.points:
        raise UsageError(f"{kind.name} {name!r} cannot be registered: there is one of that name; choose another")
    try:
        checked = kind.check(name, item)
    except Exception as error:
        raise UsageError(f"{kind.name} {name!r} cannot be registered: {error}") from None
    state.registered[name] = state.loaded[name] = checked
    return checked


def _state(kind: Kind[Any]) -> _State:
    state = _states.get(kind.group)
    if state is None:
        state = _State()
        _find_own(kind, state)
        _find_points(kind, state)
        _states[kind.group] = state
    return state


def _find_own(kind: Kind[Any], state: _State) -> None:
    if kind.package is None:
        return
    package = importlib.import_module(kind.package)
    places = getattr(package, "__path__", None)
    if places is None:
        modules = [kind.package]
    else:
        modules = [f"{kind.package}.{module.name}" for module in pkgutil.iter_modules(places) if kind.is_one(module)]
    for module in modules:
        if kind.name_of is None:
            state.own[module.rpartition(".")[2].replace("_", "-")] = module
            continue
        try:
            held = getattr(importlib.import_module(module), kind.attribute or "", None)
            for item in held if isinstance(held, tuple) else () if held is None else (held,):
                name = kind.name_of(item)
                if name in state.own:
                    raise ValueError(f"there is another {name!r}")
                state.loaded[name] = kind.check(name, item)
                state.own[name] = module
        except (Exception, SystemExit) as error:
            name = module.rpartition(".")[2]
            state.left_out[name] = module, _reason(error)
            _warn(kind, state, name, *state.left_out[name])


def _find_points(kind: Kind[Any], state: _State) -> None:
    for point in _entry_points().get(kind.group, ()):
        if point.name in state.own or point.name in state.points:
            _warn(kind, state, point.name, _place(point), "there is another of that name: rename its entry point")
        else:
            state.points[point.name] = point


def _load(kind: Kind[Item], state: _State, name: str) -> Item | None:
    """The item of a name; None where there is none or it is left out."""
    if name in state.loaded:
        return state.loaded[name]
    if name in state.left_out:
        return None
    module, point = state.own.get(name), state.points.get(name)
    if point is not None:
        place, load = _place(point), point.load
    elif module is not None:
        place, load = module, functools.partial(_held, module, kind.attribute)
    else:
        return None
    try:
        item = kind.check(name, load())
        if kind.name_of is not None and kind.name_of(item) != name:
            raise ValueError(f"it calls itself {kind.name_of(item)!r}: name its entry point so")
    except (Exception, SystemExit) as error:
        state.left_out[name] = place, _reason(error)
        return None
    state.loaded[name] = item
    return item


def _held(module: str, attribute: str | None) -> Any:
    loaded = importlib.import_module(module)
    return getattr(loaded, attribute) if attribute else loaded


def _warn(kind: Kind[Any], state: _State, name: str, place: str, reason: str) -> None:
    state.named.add(name)
    log.warning("warning: %s %r (%s) is left out: %s", kind.name, name, place, reason)


def _reason(error: BaseException) -> str:
    return " ".join(f"{error if isinstance(error, TypeError | ValueError) else repr(error)}".split())


def _place(point: "EntryPoint") -> str:
    return f"{point.value} of package {point.dist.name}" if point.dist else point.value


@functools.cache
def _entry_points() -> Mapping[str, tuple["EntryPoint", ...]]:
    """Group → entry points in the order of names, of all that is installed: read once."""
    from importlib.metadata import entry_points

    points = entry_points()
    return {
        group: tuple(sorted(points.select(group=group), key=lambda point: (point.name, point.value)))
        for group in points.groups
        if group.startswith("benchwright.")
    }
