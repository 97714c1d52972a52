"""Licences by the names that the Hub has for them, and what wikis and people call them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from benchwright.benchmarks.errors import UsageError

OF_SOURCES = "sources"
"""The licence of a spec whose data are under that of their sources, whatever it is."""
UNKNOWN = "unknown"
OTHER = "other"
_NAMES = """
    afl-3.0 agpl-3.0 apache-2.0 artistic-2.0 bsd bsd-2-clause bsd-3-clause bsd-3-clause-clear bsl-1.0 c-uda cc cc-by-2.0
    cc-by-2.5 cc-by-3.0 cc-by-4.0 cc-by-nc-2.0 cc-by-nc-3.0 cc-by-nc-4.0 cc-by-nc-nd-3.0 cc-by-nc-nd-4.0
    cc-by-nc-sa-2.0 cc-by-nc-sa-3.0 cc-by-nc-sa-4.0 cc-by-nd-4.0 cc-by-sa-3.0 cc-by-sa-4.0 cc0-1.0
    cdla-permissive-1.0 cdla-permissive-2.0 cdla-sharing-1.0 ecl-2.0 epl-1.0 epl-2.0 etalab-2.0 eupl-1.1 eupl-1.2
    gfdl gpl gpl-2.0 gpl-3.0 isc lgpl lgpl-2.1 lgpl-3.0 lgpl-lr mit mpl-2.0 ms-pl ncsa odbl odc-by ofl-1.1 osl-3.0
    pddl postgresql unlicense wtfpl zlib other unknown
"""
LICENCES = frozenset(_NAMES.split())
"""Those of the Hub's that data may have."""
_WORDS = (
    (r"creative ?commons(?:\.org)?", " cc "),
    (r"attribution", " by "),
    (r"share[- ]?alike", " sa "),
    (r"non[- ]?commercial", " nc "),
    (r"no[- ]?deriv\w*", " nd "),
    (r"cc[- ]?0\b|\bzero\b", " cc zero "),
)
_VERSION = re.compile(r"\b\d\.\d\b")


@dataclass(frozen=True)
class Licence:
    """The licence of a release."""

    id: str
    """As the Hub calls it; `unknown` where nobody states one, `other` where it is one that the Hub has no name for."""
    said: tuple[str, ...] = ()
    """What the sources call it; empty where it is not theirs."""


def check_licence(name: str) -> str:
    """A licence by the name that the Hub has for it; nothing where none is given.

    Raises:
        UsageError: it has none of this name, and would refuse the card.
    """
    if name and name not in LICENCES:
        near = get_close_matches(name.lower(), LICENCES, 1, 0.4)
        more = f"did you mean {near[0]}?" if near else "cc-by-4.0 is one; give other for one of your own"
        raise UsageError(f"licence={name} is none that the Hub has a name for: {more}")
    return name


def licence_id(said: str) -> str | None:
    """The Hub's name of a licence by what somebody calls it, or by its address; None where it has none."""
    text = said.strip().lower()
    if text in LICENCES:
        return text
    for pattern, word in _WORDS:
        text = re.sub(pattern, word, text)
    words, version = re.findall(r"[a-z]+", text), _VERSION.search(text)
    if "cc" in words:
        if "zero" in words:
            return "cc0-1.0"
        terms = [word for word in ("by", "nc", "nd", "sa") if word in words]
        found = "-".join(["cc", *terms, version[0] if version else ""])
        return found if found in LICENCES else None
    return "gfdl" if re.search(r"\bgfdl\b|gnu free documentation", text) else None


def licence_of(spec_licence: str, parameters: Mapping[str, Any], sources: Sequence[Mapping[str, Any]]) -> Licence:
    """The licence of a release: the one that its builder was told, else its spec's, else what all its sources say.

    Args:
        spec_licence: of its spec.
        parameters: of its manifest.
        sources: of its manifest.
    """
    given = parameters.get("licence")
    if isinstance(given, str) and given in LICENCES:
        return Licence(given)
    if spec_licence != OF_SOURCES:
        return Licence(spec_licence)
    said = tuple(dict.fromkeys(str(source.get("licence") or "") for source in sources))
    if not said or not all(said):
        return Licence(UNKNOWN, tuple(filter(None, said)))
    found = {licence_id(each) for each in said}
    (one,) = found if len(found) == 1 else (None,)
    return Licence(one or OTHER, said)
