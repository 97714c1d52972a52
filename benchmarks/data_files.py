"""Tables that lie beside the code as TOML: words, units, frames."""

import functools
import tomllib
from importlib import resources
from typing import Any


@functools.cache
def read_toml(package: str | None, name: str) -> dict[str, Any]:
    """A TOML file beside the modules of a package, which passes its `__package__`. Read once."""
    assert package is not None, "called from a module of a package"
    return tomllib.loads(resources.files(package).joinpath(name).read_text(encoding="utf-8"))


def read_words(package: str | None, name: str, table: str = "") -> dict[str, frozenset[str]]:
    """The sets of words of such a file, or of one table of it: each a list, or a text with spaces between its words."""
    found = read_toml(package, name)[table] if table else read_toml(package, name)
    return {key: frozenset(words.split() if isinstance(words, str) else words) for key, words in found.items()}
