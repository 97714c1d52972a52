"""Which configs a release may hold: those that every program knows, and those that its builder declares."""

from typing import Any

from benchwright.benchmarks.catalogue import BUILDERS
from benchwright.benchmarks.errors import BenchwrightError
from benchwright.benchmarks.registry import find, names
from benchwright.benchmarks.schemas import CONFIG_KIND, ConfigSchema


def find_config(name: str, builder: str | None) -> ConfigSchema | None:
    """The schema of a config; None where this program does not know it.

    Args:
        name: the config's name.
        builder: the name of the builder that made the release, which may declare configs of its own.
    """
    if name in names(CONFIG_KIND):
        return find(CONFIG_KIND, name)
    try:
        module = find(BUILDERS, builder) if builder in names(BUILDERS) else None
    except BenchwrightError:  # it is there and does not load: its proofs say so
        return None
    return next((config for config in declared(module) if config.name == name), None)


def may_hold(name: str, builder: str) -> bool:
    """Whether a release may hold a config: of a builder that is not installed, or does not load, nobody can say no."""
    if name in names(CONFIG_KIND) or builder not in names(BUILDERS):
        return True
    try:
        return name in {config.name for config in declared(find(BUILDERS, builder))}
    except BenchwrightError:
        return True


def declared(builder: Any) -> tuple[ConfigSchema, ...]:
    """The configs that a builder's module declares in CONFIGS.

    Raises:
        BenchwrightError: one is no ConfigSchema, or has the name of another config with other columns.
    """
    found = tuple(getattr(builder, "CONFIGS", ()))
    for config in found:
        if not isinstance(config, ConfigSchema):
            raise BenchwrightError(f"{builder.__name__}.CONFIGS holds {config!r}, which is no ConfigSchema")
        if config.name in names(CONFIG_KIND):
            known = find(CONFIG_KIND, config.name)
            if known.resolve(config.columns.names) != config.columns:
                raise BenchwrightError(
                    f"{builder.__name__} declares the config {config.name} with other columns than the one that is "
                    "known by that name: name it otherwise"
                )
    return found
