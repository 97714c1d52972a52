"""Licences by the Hub's names: what wikis call them, what is stated by whom, what nobody states."""

import pytest

from benchwright.benchmarks.errors import UsageError
from benchwright.benchmarks.licences import LICENCES, Licence, check_licence, licence_id, licence_of
from benchwright.scripts.servers.hub.card import LICENSES


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("Creative Commons Attribution-Share Alike 4.0", "cc-by-sa-4.0"),
        ("Creative Commons Attribution-ShareAlike 3.0 Unported", "cc-by-sa-3.0"),
        ("Creative Commons Attribution 4.0", "cc-by-4.0"),
        ("Creative Commons Attribution-NonCommercial-ShareAlike 3.0", "cc-by-nc-sa-3.0"),
        ("https://creativecommons.org/licenses/by-sa/4.0/deed.de", "cc-by-sa-4.0"),
        ("https://creativecommons.org/publicdomain/zero/1.0/", "cc0-1.0"),
        ("CC BY-SA 4.0", "cc-by-sa-4.0"),
        ("CC0", "cc0-1.0"),
        ("cc-by-4.0", "cc-by-4.0"),
        ("GNU Free Documentation License 1.3", "gfdl"),
        ("Creative Commons Attribution-Share Alike", None),
        ("CC BY 9.9", None),
        ("by nobody's leave", None),
        ("All rights reserved", None),
        ("", None),
    ],
)
def test_what_wikis_call_them(said: str, wanted: str | None) -> None:
    assert licence_id(said) == wanted


def test_the_hub_knows_all_of_them() -> None:
    assert LICENCES <= LICENSES
    with pytest.raises(UsageError, match=r"licence=cc-by-5.0 is none that the Hub has a name for: did you mean cc-by-"):
        check_licence("cc-by-5.0")
    assert (check_licence(""), check_licence("unknown")) == ("", "unknown")


BY, SHARE, OWN = "CC BY 4.0", "Creative Commons Attribution-Share Alike 4.0", "the club's own terms"


@pytest.mark.parametrize(
    ("spec", "given", "sources", "wanted"),
    [
        ("cc-by-4.0", "", [None], Licence("cc-by-4.0")),
        ("cc-by-4.0", "mit", [BY], Licence("mit")),
        ("sources", "mit", [None], Licence("mit")),
        ("sources", "no such", [BY], Licence("cc-by-4.0", (BY,))),
        ("sources", "", [], Licence("unknown")),
        ("sources", "", [None, ""], Licence("unknown")),
        ("sources", "", [BY, None], Licence("unknown", (BY,))),
        ("sources", "", [BY, "cc-by-4.0"], Licence("cc-by-4.0", (BY, "cc-by-4.0"))),
        ("sources", "", [BY, SHARE], Licence("other", (BY, SHARE))),
        ("sources", "", [OWN], Licence("other", (OWN,))),
    ],
)
def test_whose_it_is(spec: str, given: str, sources: list[str | None], wanted: Licence) -> None:
    records = [{"uri": "x", "licence": said} for said in sources]
    assert licence_of(spec, {"licence": given}, records) == wanted
