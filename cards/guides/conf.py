"""Settings of Sphinx for the site of guides and reference; `scripts/reference` builds it."""

import re
from importlib.metadata import version as _version
from typing import Any

project = "Benchwright"
author = "the Benchwright authors"
version = release = _version("benchwright")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_click"]
source_suffix = {".md": "markdown"}
html_theme = "furo"
html_title = f"Benchwright {release}"
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False

myst_enable_extensions = ["tasklist"]
myst_heading_anchors = 4
suppress_warnings = ["myst.header"]

smartquotes = False
"""Two hyphens are an option's, and no dash."""
default_role = "code"
"""Docstrings write code between single backticks."""
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_class_signature = "mixed"
python_use_unqualified_type_names = True
napoleon_google_docstring = True
napoleon_numpy_docstring = False


def setup(app: Any) -> None:
    """Options are shown as `--help` shows them; docstrings of attributes are sentences, which may hold a colon."""
    app.connect("sphinx-click-process-options", _as_in_help)
    app.connect("autodoc-process-docstring", _keep, priority=499)
    app.connect("autodoc-process-docstring", _put_back, priority=501)


def _as_in_help(app: Any, context: Any, lines: list[str]) -> None:
    """Writes folders as text, and leaves out names that an option had formerly."""
    for place, line in enumerate(lines):
        line = re.sub(r"PosixPath\('([^']*)'\)", r"'\1'", line)
        lines[place] = re.sub(r"^(\.\. option:: --(?:releases|runs)), --[a-z]+", r"\1", line)


_kept: dict[str, list[str]] = {}


def _keep(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    if what in ("attribute", "property"):
        _kept[name] = list(lines)


def _put_back(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Undoes what napoleon makes of an attribute's docstring: a type, of what stands before a colon."""
    if name in _kept and not any(re.match("(Raises|Returns):", line) for line in _kept[name]):
        lines[:] = _kept[name]
